#include "submit/batch_submission.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/cache_line.hpp"
#include "model/batch_check.hpp"
#include "os/fault_guard.hpp"
#include "stream/actions.hpp"
#include "stream/split_copies.hpp"
#include "submit/batch_validator.hpp"
#include "submit/enqueue.hpp"
#include "submit/finish_now.hpp"

namespace convoy {
namespace {

// The copies of a caller: as parallel arrays, or as an array of structs.
struct parallel_arrays {
  const batch_view& view;
  [[nodiscard]] std::size_t count() const { return view.sizes.size(); }
  [[nodiscard]] copy at(std::size_t item) const {
    return {view.dsts[item], view.srcs[item], view.sizes[item]};
  }
  [[nodiscard]] std::size_t capacity(std::size_t item) const {
    return view.capacities.empty() ? SIZE_MAX : view.capacities[item];
  }
  [[nodiscard]] memory::copy_columns starting_at(std::size_t item) const {
    return {view.dsts.data() + item, view.srcs.data() + item, view.sizes.data() + item,
            view.capacities.empty() ? nullptr : view.capacities.data() + item};
  }
};

struct one_array {
  std::span<const copy> copies;
  [[nodiscard]] std::size_t count() const { return copies.size(); }
  [[nodiscard]] copy at(std::size_t item) const { return copies[item]; }
  [[nodiscard]] static std::size_t capacity(std::size_t) { return SIZE_MAX; }
  [[nodiscard]] memory::copy_structs starting_at(std::size_t item) const {
    return {copies.data() + item};
  }
};

// True when no earlier step can delay the next one.
bool nothing_ahead(const submit_context& context, const stream_state& stream) {
  if (stream.role == stream_role::non_blocking) return stream.queue->empty();
  return context.queues(stream.device).tails().empty();
}

// A batch within both limits runs on the calling thread when no step is ahead of it.
constexpr std::size_t max_quick_copies = 32;
constexpr std::size_t max_quick_bytes = 4096;

// Longer copies are left to the hardware prefetcher.
constexpr std::size_t max_prefetched = 2048;

// Always inlined, because GCC 12 removes calls of functions that only prefetch. Arithmetic is on
// the address: the pointer is not validated yet and may be null.
[[gnu::always_inline]] inline void prefetch_lines(const void* start, std::size_t bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(start);
  for (std::size_t at = 0; at < bytes; at += cache_line_bytes) {
    __builtin_prefetch(reinterpret_cast<const void*>(first + at));
  }
}

// The submission of one batch.
template <class Arrays>
class batch_submission {
 public:
  batch_submission(const submit_context& context, stream_state& stream, const Arrays& arrays,
                   const batch_rules& rules)
      : context_(context), stream_(stream), arrays_(arrays), rules_(rules) {}

  result<ticket> run(std::span<const attribute_run> runs) {
    if (will_be_quick()) prefetch();
    if (all_sizes_zero()) return stream_.queue->last();
    if (const status s = check_shape(arrays_.count(), runs, rules_); !s.ok()) return s;
    call_.runs = runs;
    static constexpr attribute_run default_run[1] = {};
    if (runs.empty()) runs = default_run;

    copy* const out = snapshot_for(arrays_.count());
    if (out == nullptr) return status{errc::out_of_memory};
    batch_summary found;
    if (const status s = validate(runs, out, found); !s.ok()) return s;
    if (found.totals.bytes == 0) return stream_.queue->last();
    list_.directions_used = found.directions_used;
    list_.may_fault = found.may_fault;
    list_.work = {{out, arrays_.count()}, found.totals};
    if (context_.observers.load() != nullptr) describe();
    return submit(runs, found.pageable && rules_.pageable_blocks);
  }

 private:
  // An estimate from the first copy.
  [[nodiscard]] bool will_be_quick() const {
    const std::size_t count = arrays_.count();
    if (count == 0 || count > max_quick_copies || !stream_.queue->empty()) return false;
    const std::size_t bytes = arrays_.at(0).bytes;
    return bytes <= max_quick_bytes && bytes * count <= max_quick_bytes;
  }

  // Prefetches both ends of every copy, which arrive in the cache during validation; a prefetch of
  // a bad address is ignored.
  [[gnu::always_inline]] void prefetch() const {
    for (std::size_t item = 0; item != arrays_.count(); ++item) {
      const copy c = arrays_.at(item);
      const std::size_t bytes = std::min(c.bytes, max_prefetched);
      prefetch_lines(c.src, bytes);
      prefetch_lines(c.dst, bytes);
    }
  }

  [[nodiscard]] bool all_sizes_zero() const {
    if (rules_.zeros != zero_sizes::refused_unless_all) return false;
    for (std::size_t item = 0; item != arrays_.count(); ++item) {
      if (arrays_.at(item).bytes != 0) return false;
    }
    return arrays_.count() != 0;
  }

  copy* snapshot_for(std::size_t count) {
    if (count <= max_quick_copies) return reinterpret_cast<copy*>(quick_copies_);
    list_.copies = context_.blocks.take(count * sizeof(copy));
    return static_cast<copy*>(list_.copies.data());
  }

  // Moves the snapshot of a quick batch to memory that lives as long as the step.
  bool persist_quick_copies() {
    const std::span<const copy> found = list_.work.copies;
    if (found.size() > max_quick_copies) return true;
    if (found.size() == 1) {
      list_.single = found.front();
      list_.work.copies = {&list_.single, 1};
      return true;
    }
    list_.copies = context_.blocks.take(found.size_bytes());
    if (list_.copies.data() == nullptr) return false;
    auto* const kept = static_cast<copy*>(list_.copies.data());
    std::copy(found.begin(), found.end(), kept);
    list_.work.copies = {kept, found.size()};
    return true;
  }

  // Describes the call for observers.
  void describe() {
    call_.function = called_function("convoy::submit");
    for (std::size_t item = 0; item != arrays_.count(); ++item) {
      program_copies_.push_back(arrays_.at(item));
    }
    call_.copies = program_copies_;
  }

  status validate(std::span<const attribute_run> runs, copy* out, batch_summary& found) {
    validation_context context{context_.space, context_.peers, rules_};
    const batch_input<Arrays> work{arrays_, runs, out};
    if (arrays_.count() <= parallel_validation<Arrays>::chunk_copies) {
      batch_validator alone(context, found);
      return work.validate(alone, 0, arrays_.count());
    }
    context.first_direction = first_direction();
    parallel_validation<Arrays> all(context, work);
    context_.workers.run_job(all, arrays_.count() * arrays_.at(0).bytes);
    found = all.found();
    return all.error();
  }

  [[nodiscard]] std::optional<direction> first_direction() const {
    if (!rules_.one_direction) return {};
    for (std::size_t item = 0; item != arrays_.count(); ++item) {
      const copy c = arrays_.at(item);
      if (c.bytes == 0) continue;
      return direction_between(context_.space.window_of(c.src).kind,
                               context_.space.window_of(c.dst).kind);
    }
    return {};
  }

  result<ticket> submit(std::span<const attribute_run> runs, bool until_landed) {
    const bool early = std::any_of(runs.begin(), runs.end(), reads_early);
    if (const ticket at = run_if_quick(); at != ticket{}) {
      if (until_landed) return wait_for(at);
      return early ? wait_for_sources(at) : at;
    }
    if (!persist_quick_copies()) return status{errc::out_of_memory};
    // Waiting for the step also reads the sources before the call returns, without a second copy.
    const bool runs_at_once = early && nothing_ahead(context_, stream_);
    if (early && !runs_at_once) {
      if (const status s = stage_sources(runs); !s.ok()) return s;
    }
    const ticket at = enqueue(context_, stream_, {.work = make_action(), .call = call_});
    if (!unread_.ok()) return unread_;
    if (until_landed) return wait_for(at);
    return runs_at_once ? wait_for_sources(at) : at;
  }

  static bool reads_early(const attribute_run& r) {
    return r.attrs.order == source_access::during_call;
  }

  // Runs a quick batch on the calling thread if no step is ahead of it; otherwise ticket 0.
  ticket run_if_quick() {
    if (list_.work.totals.bytes > max_quick_bytes || arrays_.count() > max_quick_copies) return {};
    device_port& port = context_.ports.host();
    if (!context_.ports.uniform() || !port.completes_inline()) return {};
    borrowed_copies now(port, list_);
    return try_run_now(context_, stream_, now, call_);
  }

  result<ticket> wait_for(ticket at) {
    const status own = wait_for_step(context_, stream_, at, "convoy::submit");
    if (!own.ok()) return own;
    return at;
  }

  // For a call that reads its sources. Destinations are written in stream order, so only the stream
  // has their error, as when an earlier step delays the batch.
  result<ticket> wait_for_sources(ticket at) {
    const auto landed = wait_for(at);
    if (!landed && landed.error().side == copy_side::destination) return at;
    return landed;
  }

  std::unique_ptr<action> make_action() {
    if (context_.ports.uniform()) {
      return std::make_unique<copy_action>(context_.ports.host(), std::move(list_));
    }
    auto shares = share_by_port();
    if (shares.size() == 1) {
      return std::make_unique<copy_action>(*shares.front().port, std::move(list_));
    }
    return std::make_unique<split_copies>(std::move(list_), std::move(shares));
  }

  std::vector<port_share> share_by_port() const {
    std::vector<port_share> shares;
    for (std::size_t item = 0; item != arrays_.count(); ++item) {
      device_port* const port = &port_of(item);
      auto found = std::find_if(shares.begin(), shares.end(),
                                [&](const port_share& each) { return each.port == port; });
      if (found == shares.end()) found = shares.insert(found, {.port = port});
      found->add(list_.work.copies[item], item);
    }
    return shares;
  }

  // By the program's addresses; a staged source is host memory.
  [[nodiscard]] device_port& port_of(std::size_t item) const {
    const copy c = arrays_.at(item);
    const bool staged = list_.is_staged(item);
    return context_.ports.between(context_.space.classify(c.dst),
                                  staged ? memory_class{} : context_.space.classify(c.src));
  }

  // Copies the sources of `during_call` runs to staging memory, from which the step reads them.
  // Destinations are still written in stream order. A source that cannot be read is not staged and
  // is `unread_`: the step fails for it in its turn, and the other copies land, as when nothing is
  // ahead of the batch.
  status stage_sources(std::span<const attribute_run> runs) {
    std::vector<copy> reads;
    std::vector<std::size_t> items;
    copy_totals totals;
    for (std::size_t r = 0; r != runs.size(); ++r) {
      if (!reads_early(runs[r])) continue;
      const std::size_t end = r + 1 == runs.size() ? arrays_.count() : runs[r + 1].first;
      for (std::size_t item = runs[r].first; item != end; ++item) {
        reads.push_back(list_.work.copies[item]);
        items.push_back(item);
        if (totals.bytes + reads.back().bytes < totals.bytes) return {errc::out_of_memory};
        totals.add(reads.back());
      }
    }
    list_.staged = context_.blocks.take(totals.bytes);
    if (list_.staged.data() == nullptr) return {errc::out_of_memory};
    list_.staged_bytes = totals.bytes;

    auto* into = static_cast<std::byte*>(list_.staged.data());
    auto* const copies = const_cast<copy*>(list_.work.copies.data());
    for (std::size_t i = 0; i != reads.size(); ++i) {
      reads[i].dst = into;
      copies[items[i]].src = into;
      into += reads[i].bytes;
    }
    status s = read_now(reads, items, {totals.bytes, totals.largest, 1});
    if (!s.item) return s;
    const std::size_t first_bad = *s.item;
    s.item = items[first_bad];
    unread_ = s;
    read_singly(std::span(reads).subspan(first_bad), std::span(items).subspan(first_bad));
    return {};
  }

  // Reads one source after the other; those that cannot be read stay where they are.
  void read_singly(std::span<const copy> reads, std::span<const std::size_t> items) {
    auto* const copies = const_cast<copy*>(list_.work.copies.data());
    for (std::size_t i = 0; i != reads.size(); ++i) {
      const copy_totals own{reads[i].bytes, reads[i].bytes, 1};
      const bool is_read = read_now(reads.subspan(i, 1), items.subspan(i, 1), own).ok();
      if (!is_read) copies[items[i]].src = reads[i].src;
    }
  }

  status read_now(std::span<const copy> reads, std::span<const std::size_t> items,
                  const copy_totals& totals) {
    const os::guarded_step guarded(list_.may_fault);
    const device_ports& ports = context_.ports;
    if (ports.uniform()) {
      return finish_now([&](completion& done) {
        return ports.host().start(copy_work{reads, totals}, done);
      });
    }
    for (std::size_t i = 0; i != reads.size(); ++i) {
      device_port& port = ports.port_for(context_.space.classify(arrays_.at(items[i]).src));
      const copy_work one{reads.subspan(i, 1), {reads[i].bytes, reads[i].bytes, 1}};
      status s = finish_now([&](completion& done) { return port.start(one, done); });
      if (s.ok()) continue;
      s.item = i;
      return s;
    }
    return {};
  }

  const submit_context& context_;
  stream_state& stream_;
  const Arrays& arrays_;
  const batch_rules& rules_;
  copy_list list_;
  submitting_call call_;
  status unread_;                     // the first source that could not be staged
  std::vector<copy> program_copies_;  // while there is an observer
  alignas(copy) std::byte quick_copies_[max_quick_copies * sizeof(copy)];  // filled as far as used
};

}  // namespace

result<ticket> submit_batch(const submit_context& context, stream_state& stream,
                            const batch& work) {
  const one_array arrays{work.copies()};
  return batch_submission(context, stream, arrays, native_rules).run(work.runs());
}

result<ticket> submit_batch(const submit_context& context, stream_state& stream,
                            std::span<const copy> copies, const attributes& attrs) {
  const one_array arrays{copies};
  // Skip building a run for default attributes: loading the fields just written as one wide load
  // defeats store forwarding.
  if (attrs == attributes{}) return batch_submission(context, stream, arrays, native_rules).run({});
  const attribute_run all{0, attrs};
  return batch_submission(context, stream, arrays, native_rules).run({&all, 1});
}

result<ticket> submit_batch(const submit_context& context, stream_state& stream,
                            const batch_view& work, const batch_rules& rules) {
  if (!arrays_match(work)) return status{errc::invalid_argument};
  const parallel_arrays arrays{work};
  return batch_submission(context, stream, arrays, rules).run(work.runs);
}

}  // namespace convoy
