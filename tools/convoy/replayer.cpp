#include "replayer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>

#include "shared/failure.hpp"

namespace convoy::tools {
namespace {

bool can_run(const trace::traced_step& step) {
  return step.outcome == errc::ok && step.started &&
         (step.kind == step_kind::copies || step.kind == step_kind::pitched ||
          step.kind == step_kind::fill || step.kind == step_kind::reduce);
}

// Traces record neither the value of a fill nor the operation of a reduction.
constexpr fill_pattern pattern{0x5A, 1};
reduction byte_sum(const pitched_copy& on) {
  return {on.dst.start, on.src.start, on.extent.width, reduce_kind::sum, element::int8};
}

struct box_ends {
  pitched_copy memory;
  pitched_copy image;
};

box_ends box_of(const trace::traced_step& step, const replay_memory& memory) {
  const trace::traced_box& b = *step.box;
  const replay_address dst = memory.at(b.dst, step.submitted);
  const replay_address src = b.src == 0 ? replay_address{} : memory.at(b.src, step.submitted);
  const box extent{b.width, b.height, b.depth};
  return {{{dst.memory, b.dst_pitch, b.dst_rows}, {src.memory, b.src_pitch, b.src_rows}, extent},
          {{dst.image, b.dst_pitch, b.dst_rows}, {src.image, b.src_pitch, b.src_rows}, extent}};
}

void play_reduction(const reduction& step) {
  auto* const dst = static_cast<unsigned char*>(step.dst);
  const auto* const src = static_cast<const unsigned char*>(step.src);
  for (std::size_t i = 0; i != step.bytes; ++i)
    dst[i] = static_cast<unsigned char>(dst[i] + src[i]);
}

void play_box(const pitched_copy& on) {
  const auto row = [&](const pitched& end, std::size_t z, std::size_t y) {
    const std::size_t rows = end.rows == 0 ? on.extent.height : end.rows;
    return static_cast<std::byte*>(end.start) + (z * rows + y) * end.pitch;
  };
  for (std::size_t z = 0; z != on.extent.depth; ++z) {
    for (std::size_t y = 0; y != on.extent.height; ++y) {
      if (on.src.start == nullptr) {
        std::memset(row(on.dst, z, y), static_cast<int>(pattern.value), on.extent.width);
      } else {
        std::memmove(row(on.dst, z, y), row(on.src, z, y), on.extent.width);
      }
    }
  }
}

result<ticket> submit_box(const stream& to, step_kind kind, const pitched_copy& on) {
  if (kind == step_kind::fill) return fill(to, on.dst, on.extent, pattern);
  if (kind == step_kind::reduce) return reduce(to, byte_sum(on));
  return submit(to, on);
}

struct range {
  const std::byte* from;
  const std::byte* to;
};

// The ranges that the step reads or writes, sorted.
std::vector<range> touched(const prepared_step& step, bool written) {
  std::vector<range> all;
  for (const copy& c : step.in_images) {
    const auto* const at = static_cast<const std::byte*>(written ? c.dst : c.src);
    all.push_back({at, at + c.bytes});
  }
  std::ranges::sort(all, {}, &range::from);
  return all;
}

bool overlap(const std::vector<range>& a, const std::vector<range>& b) {
  for (std::size_t i = 0, j = 0; i != a.size() && j != b.size();) {
    if (a[i].from < b[j].to && b[j].from < a[i].to) return true;
    (a[i].to < b[j].to ? i : j) += 1;
  }
  return false;
}

bool ran_concurrently(const trace::traced_step& a, const trace::traced_step& b) {
  return a.stream != b.stream && *a.started < *b.landed && *b.started < *a.landed;
}

}  // namespace

replayer::replayer(const trace::recording& from, replay_memory& in) : memory_(in) {
  for (const trace::traced_step& each : from.steps) {
    if (each.landed) by_landing_.push_back(&each);
    steps_.push_back(prepare(each));
  }
  std::ranges::stable_sort(by_landing_, {}, [](const trace::traced_step* s) { return *s->landed; });
  std::ranges::stable_sort(
      steps_, {}, [](const prepared_step& s) { return s.from->started.value_or(UINT64_MAX); });
}

prepared_step replayer::prepare(const trace::traced_step& step) {
  prepared_step made{&step, {}, {}};
  if (!can_run(step)) {
    left_out_ += step.kind == step_kind::indirect || step.kind == step_kind::function ||
                 step.outcome != errc::ok;
    return made;
  }
  for (const trace::traced_copy& c : step.copies()) {
    if (c.bytes == 0) continue;
    const replay_address dst = memory_.at(c.dst, step.submitted);
    const replay_address src = memory_.at(c.src, step.submitted);
    made.copies.push_back({dst.memory, src.memory, c.bytes});
    made.in_images.push_back({dst.image, src.image, c.bytes});
  }
  add_unrecorded(made);
  return made;
}

// Copies that were not recorded one by one get the sizes of recorded ones, scattered over memory of
// their own.
void replayer::add_unrecorded(prepared_step& into) {
  const std::size_t recorded = into.copies.size();
  if (recorded == 0 || into.from->items <= recorded) return;
  const auto first = into.from->copies().front();
  const std::size_t slot = std::ranges::max(into.copies, {}, &copy::bytes).bytes;
  constexpr std::size_t most_bytes = std::size_t{512} << 20;
  const std::size_t count = std::min<std::size_t>(into.from->items - recorded, most_bytes / slot);
  const replay_address dst = memory_.scratch(first.dst, into.from->submitted, count * slot, false);
  const replay_address src = memory_.scratch(first.src, into.from->submitted, count * slot, true);
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::shuffle(order, std::mt19937_64(count));
  for (std::size_t i = 0; i != count; ++i) {
    const std::size_t bytes = into.copies[i % recorded].bytes;
    into.copies.push_back({dst.memory + order[i] * slot, src.memory + i * slot, bytes});
    into.in_images.push_back({dst.image + order[i] * slot, src.image + i * slot, bytes});
  }
  synthesized_ += count;
}

const stream& replayer::stream_of(const trace::traced_step& step) {
  const auto found = streams_.find(step.stream);
  if (found != streams_.end()) return found->second;
  return streams_
      .emplace(step.stream, must(make_stream(device_id{step.device}, {.blocking = false})))
      .first->second;
}

std::chrono::nanoseconds replayer::run(const std::function<void(double)>& progress) {
  submitted_.clear();
  played_.clear();
  landed_ = 0;
  for (const prepared_step& each : steps_) static_cast<void>(stream_of(*each.from));
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i != steps_.size(); ++i) {
    wait_for_landed_before(steps_[i].from->submitted);
    submit_step(steps_[i]);
    if (i % 256 == 0) progress(static_cast<double>(i) / static_cast<double>(steps_.size()));
  }
  for (const auto& [number, each] : streams_) must(each.synchronize());
  return std::chrono::steady_clock::now() - start;
}

// The program may have waited for steps that had landed before it submitted the next one, so the
// replay does.
void replayer::wait_for_landed_before(trace::timestamp until) {
  std::map<std::uint64_t, ticket> last;
  for (; landed_ != by_landing_.size() && *by_landing_[landed_]->landed < until; ++landed_) {
    const trace::traced_step& step = *by_landing_[landed_];
    const auto found = submitted_.find({step.stream, step.ticket});
    if (found != submitted_.end()) last[step.stream] = found->second;
  }
  for (const auto& [number, at] : last) must(streams_.at(number).synchronize(at));
}

void replayer::submit_step(const prepared_step& step) {
  const trace::traced_step& traced = *step.from;
  const stream& to = stream_of(traced);
  wait_for_landed(to, traced);
  ticket at = {};
  if (!step.copies.empty()) {
    at = must(submit(to, step.copies));
  } else if (can_run(traced) && traced.box) {
    at = must(submit_box(to, traced.kind, box_of(traced, memory_).memory));
  }
  if (number(at) == 0) return;
  submitted_[{traced.stream, traced.ticket}] = at;
  event reached;
  if (streams_.size() > 1) {
    reached = must(make_event(device_id{traced.device}, {.timing = false}));
    static_cast<void>(must(record(to, reached)));
  }
  played_[traced.stream].push_back({traced.landed.value_or(UINT64_MAX), at, std::move(reached)});
}

void replayer::wait_for_landed(const stream& on, const trace::traced_step& before) {
  if (!before.started) return;
  for (auto& [number, steps] : played_) {
    if (number == before.stream) continue;
    const auto last = std::ranges::upper_bound(steps, *before.started, {}, &played_step::landed);
    if (last != steps.begin()) static_cast<void>(must(wait(on, std::prev(last)->reached)));
  }
}

std::string replayer::find_race() const {
  for (const prepared_step& a : steps_) {
    if (a.copies.empty() || !a.from->landed) continue;
    const auto written = touched(a, true);
    for (const prepared_step& b : steps_) {
      if (b.copies.empty() || !b.from->landed || !ran_concurrently(*a.from, *b.from)) continue;
      if (!overlap(written, touched(b, true)) && !overlap(written, touched(b, false))) continue;
      return fmt::format("stream {}, ticket {} and stream {}, ticket {}", a.from->stream,
                         a.from->ticket, b.from->stream, b.from->ticket);
    }
  }
  return "";
}

void replayer::play_on_images() const {
  std::vector<const prepared_step*> order;
  for (const prepared_step& each : steps_) {
    if (can_run(*each.from)) order.push_back(&each);
  }
  std::ranges::stable_sort(
      order, {}, [](const prepared_step* s) { return s->from->landed.value_or(UINT64_MAX); });
  for (const prepared_step* each : order) {
    for (const copy& c : each->in_images) std::memmove(c.dst, c.src, c.bytes);
    if (!each->from->box) continue;
    const pitched_copy image = box_of(*each->from, memory_).image;
    if (each->from->kind == step_kind::reduce) {
      play_reduction(byte_sum(image));
    } else {
      play_box(image);
    }
  }
}

}  // namespace convoy::tools
