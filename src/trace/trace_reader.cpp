#include "trace/trace_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "trace/cursor.hpp"

namespace convoy::trace {
namespace {

template <class T>
T number_at(std::string_view text, std::size_t at) {
  T value;
  std::memcpy(&value, text.data() + at, sizeof value);
  return value;
}

using step_name = std::pair<std::uint64_t, std::uint64_t>;

// Takes records in the order of the file and assembles steps and allocations.
class collector {
 public:
  explicit collector(recording& into) : into_(into) {}

  void add(record_kind kind, cursor from) {
    switch (kind) {
      case record_kind::thread: take_thread(from); break;
      case record_kind::submitted: take_submitted(from); break;
      case record_kind::started: take_started(from); break;
      case record_kind::landed: take_landed(from); break;
      case record_kind::helped: take_helped(from); break;
      case record_kind::allocated: take_allocated(from); break;
      case record_kind::freed: take_freed(from); break;
      case record_kind::shape: take_shape(from); break;
    }
  }

  void finish() {
    for (auto& [name, step] : steps_) {
      sort_shapes(step);
      into_.steps.push_back(std::move(step));
    }
    std::ranges::stable_sort(into_.steps, {}, &traced_step::submitted);
    std::ranges::stable_sort(into_.helper_intervals, {}, &helper_interval::from);
    match_frees();
  }

 private:
  traced_step& step_in(cursor& from) {
    const std::uint64_t stream = from.number();
    const std::uint64_t ticket = from.number();
    traced_step& found = steps_[{stream, ticket}];
    found.stream = stream;
    found.ticket = ticket;
    return found;
  }

  void take_thread(cursor from) {
    thread_ = static_cast<std::uint32_t>(from.number());
    into_.threads[thread_] = from.text();
  }
  void take_submitted(cursor from) {
    traced_step& step = step_in(from);
    step.submitter = thread_;
    step.submitted = from.number();
    step.device = static_cast<std::int32_t>(from.number());
    step.kind = static_cast<step_kind>(from.byte());
    step.items = from.number();
    step.bytes = from.number();
    step.copy_directions = {from.byte()};
    for (std::uint64_t left = from.number(); left != 0 && from.good(); --left) {
      const std::uint64_t stream = from.number();
      step.waits_for.emplace_back(stream, from.number());
    }
  }
  void take_started(cursor from) {
    traced_step& step = step_in(from);
    step.runner = thread_;
    step.started = from.number();
  }
  void take_landed(cursor from) {
    traced_step& step = step_in(from);
    step.landed = from.number();
    step.outcome = static_cast<errc>(from.byte());
    const std::uint64_t item = from.number();
    if (item != 0) step.item = item - 1;
  }
  void take_helped(cursor from) {
    const timestamp start = from.number();
    into_.helper_intervals.push_back({thread_, start, from.number()});
  }
  void take_allocated(cursor from) {
    traced_memory made;
    made.allocated = from.number();
    made.address = from.number();
    made.bytes = from.number();
    made.kind = static_cast<memory_kind>(from.byte());
    made.device = static_cast<std::int32_t>(from.number());
    into_.memory.push_back(made);
  }
  void take_freed(cursor from) {
    const timestamp when = from.number();
    freed_.emplace_back(when, from.number());
  }
  void take_shape(cursor from) { step_in(from).shapes.push_back(from.remaining()); }

  // The parts of one batch may be in several chunks, in any order.
  static void sort_shapes(traced_step& step) {
    std::ranges::sort(step.shapes, {}, [](std::string_view part) { return cursor(part).number(); });
    if (step.shapes.size() != 1) return;
    cursor from(step.shapes.front());
    from.number();
    from.number();
    if (static_cast<layout>(from.byte()) != layout::box) return;
    traced_box& box = step.box.emplace();
    for (std::uint64_t* each : {&box.dst, &box.src, &box.dst_pitch, &box.src_pitch, &box.dst_rows,
                                &box.src_rows, &box.width, &box.height, &box.depth}) {
      *each = from.number();
    }
  }

  // Matches every free with the first allocation at its address that is not freed yet.
  void match_frees() {
    std::ranges::stable_sort(into_.memory, {}, &traced_memory::allocated);
    std::ranges::stable_sort(freed_);
    std::map<std::uint64_t, std::vector<traced_memory*>> at;
    for (traced_memory& each : into_.memory) at[each.address].push_back(&each);
    for (const auto& [when, address] : freed_) {
      const auto found = at.find(address);
      if (found == at.end()) continue;
      for (traced_memory* each : found->second) {
        if (each->freed || each->allocated > when) continue;
        each->freed = when;
        break;
      }
    }
  }

  recording& into_;
  std::uint32_t thread_ = 0;
  std::map<step_name, traced_step> steps_;
  std::vector<std::pair<timestamp, std::uint64_t>> freed_;
};

// The last chunk of a crashed process ends with an incomplete record.
void read_chunk(std::string_view chunk, collector& into) {
  while (chunk.size() >= record_head) {
    const auto bytes = number_at<std::uint32_t>(chunk, 0);
    if (bytes < record_head || bytes > chunk.size()) return;
    const auto kind = static_cast<record_kind>(chunk[4]);
    into.add(kind, cursor(chunk.substr(record_head, bytes - record_head)));
    chunk.remove_prefix(bytes);
  }
}

void read_layout(cursor from, std::vector<traced_copy>& into) {
  from.number();  // first item; parts are in order
  const std::uint64_t count = from.number();
  const auto encoding = static_cast<layout>(from.byte());
  if (encoding == layout::loose) {
    traced_copy next;
    for (std::uint64_t i = 0; i != count && from.good(); ++i) {
      next.bytes = from.number();
      next.dst += static_cast<std::uint64_t>(from.signed_number());
      next.src += static_cast<std::uint64_t>(from.signed_number());
      if (from.good()) into.push_back(next);
    }
    return;
  }
  traced_copy first;
  first.bytes = from.number();
  const unsigned shift = encoding == layout::grid ? from.byte() : 0U;
  first.dst = from.number();
  first.src = from.number();
  if (encoding == layout::regular) {
    const auto dst_stride = static_cast<std::uint64_t>(from.signed_number());
    const auto src_stride = static_cast<std::uint64_t>(from.signed_number());
    constexpr std::uint64_t most = 1U << 20U;  // limit for a damaged file
    for (std::uint64_t i = 0; i < std::min(count, most) && from.good(); ++i) {
      into.push_back({first.dst + i * dst_stride, first.src + i * src_stride, first.bytes});
    }
    return;
  }
  if (encoding != layout::grid || count > from.remaining().size() / 8 || shift > 63) return;
  cursor dsts(from.take(count * 4));
  for (std::uint64_t i = 0; i != count; ++i) {
    into.push_back({first.dst + (std::uint64_t{dsts.word()} << shift),
                    first.src + (std::uint64_t{from.word()} << shift), first.bytes});
  }
}

}  // namespace

std::vector<traced_copy> traced_step::copies() const {
  std::vector<traced_copy> all;
  if (box) return all;
  for (const std::string_view part : shapes) read_layout(cursor(part), all);
  return all;
}

std::variant<recording, std::string> parse_trace(std::string contents) {
  recording made;
  made.contents = std::make_shared<const std::string>(std::move(contents));
  const std::string_view all = *made.contents;
  if (all.size() < command_at || !all.starts_with(magic)) return "it is not a trace of Convoy";
  const auto found = number_at<std::uint32_t>(all, version_at);
  if (found != version) {
    return fmt::format("it has version {} of the format, and this program reads {}", found,
                       version);
  }
  const std::size_t chunk = number_at<std::uint32_t>(all, chunk_bytes_at);
  if (chunk < 4096) return "its header is damaged";
  made.process = number_at<std::uint32_t>(all, process_at);
  made.processors = number_at<std::uint32_t>(all, processors_at);
  made.complete = number_at<std::uint32_t>(all, full_at) == 0;
  made.wall = number_at<std::uint64_t>(all, wall_at);
  made.steady = number_at<std::uint64_t>(all, steady_at);
  made.command = cursor(all.substr(command_at)).text();
  collector into(made);
  for (std::size_t at = chunk; at < all.size(); at += chunk) {
    read_chunk(all.substr(at, chunk), into);
  }
  into.finish();
  return made;
}

std::variant<recording, std::string> read_trace(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return "it cannot be read";
  return parse_trace({std::istreambuf_iterator<char>(file), {}});
}

}  // namespace convoy::trace
