#include "trace/trace_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <fstream>

#include "trace/cursor.hpp"

namespace convoy::trace {
namespace {

template <class T>
T number_at(std::string_view text, std::size_t at) {
  T value;
  std::memcpy(&value, text.data() + at, sizeof value);
  return value;
}

constexpr const char* not_a_trace = "it is not a trace of Convoy";

std::string exceeds(std::uint64_t max_bytes) {
  return fmt::format(
      "reading it takes more than {} bytes of memory, the limit (--memory-limit raises it)",
      max_bytes);
}

using step_name = std::pair<std::uint64_t, std::uint64_t>;

// Takes records in the order of the file and assembles steps and allocations.
class collector {
 public:
  collector(recording& target, std::uint64_t max_bytes)
      : recording_(target), max_bytes_(max_bytes) {}

  // False after add() has exceeded the limit.
  [[nodiscard]] bool within_limit() const { return recording_.memory_bytes <= max_bytes_; }

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
      recording_.steps.push_back(std::move(step));
    }
    std::ranges::stable_sort(recording_.steps, {}, &traced_step::submitted);
    std::ranges::stable_sort(recording_.helper_intervals, {}, &helper_interval::from);
    match_frees();
  }

 private:
  template <class T>
  void count_bytes(std::size_t copies = 1) {
    constexpr std::size_t overhead = 32;  // of a map, an allocation or a growing vector
    recording_.memory_bytes += copies * (sizeof(T) + overhead);
  }

  traced_step& step_in(cursor& from) {
    const std::uint64_t stream = from.number();
    const std::uint64_t ticket = from.number();
    const auto [found, is_new] = steps_.try_emplace({stream, ticket});
    if (is_new) count_bytes<traced_step>(2);  // while it is moved out of the map
    found->second.stream = stream;
    found->second.ticket = ticket;
    return found->second;
  }

  void take_thread(cursor from) {
    thread_ = static_cast<std::uint32_t>(from.number());
    recording_.threads[thread_] = from.text();
    count_bytes<std::string>();
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
      count_bytes<step_name>();
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
    recording_.helper_intervals.push_back({thread_, start, from.number()});
    count_bytes<helper_interval>();
  }
  void take_allocated(cursor from) {
    traced_memory made;
    made.allocated = from.number();
    made.address = from.number();
    made.bytes = from.number();
    made.kind = static_cast<memory_kind>(from.byte());
    made.device = static_cast<std::int32_t>(from.number());
    recording_.memory.push_back(made);
    count_bytes<traced_memory>(2);
  }
  void take_freed(cursor from) {
    const timestamp when = from.number();
    freed_.emplace_back(when, from.number());
    count_bytes<step_name>();
  }
  void take_shape(cursor from) {
    step_in(from).shapes.push_back(from.remaining());
    count_bytes<std::string_view>();
  }

  // The parts of one batch may be in several chunks, in any order.
  static void sort_shapes(traced_step& step) {
    std::ranges::sort(step.shapes, {}, [](std::string_view part) { return cursor(part).number(); });
    if (step.shapes.size() != 1) return;
    cursor from(step.shapes.front());
    from.number();
    from.number();
    if (static_cast<layout>(from.byte()) != layout::box) return;
    traced_box& box = step.box.emplace();
    for (std::uint64_t* each :
         {&box.dst, &box.src, &box.dst_pitch, &box.src_pitch, &box.dst_slice_rows,
          &box.src_slice_rows, &box.width, &box.height, &box.depth}) {
      *each = from.number();
    }
  }

  // Matches every free with the first allocation at its address that is not freed yet.
  void match_frees() {
    std::ranges::stable_sort(recording_.memory, {}, &traced_memory::allocated);
    std::ranges::stable_sort(freed_);
    std::map<std::uint64_t, std::deque<traced_memory*>> not_freed;
    for (traced_memory& each : recording_.memory) not_freed[each.address].push_back(&each);
    for (const auto& [when, address] : freed_) {
      const auto found = not_freed.find(address);
      if (found == not_freed.end() || found->second.empty()) continue;
      traced_memory& first = *found->second.front();
      if (first.allocated > when) continue;
      first.freed = when;
      found->second.pop_front();
    }
  }

  recording& recording_;
  const std::uint64_t max_bytes_;
  std::uint32_t thread_ = 0;
  std::map<step_name, traced_step> steps_;
  std::vector<std::pair<timestamp, std::uint64_t>> freed_;
};

// The last chunk of a crashed process ends with an incomplete record.
void read_chunk(std::string_view chunk, collector& records) {
  while (chunk.size() >= record_head && records.within_limit()) {
    const auto bytes = number_at<std::uint32_t>(chunk, 0);
    if (bytes < record_head || bytes > chunk.size()) return;
    const auto kind = static_cast<record_kind>(chunk[4]);
    records.add(kind, cursor(chunk.substr(record_head, bytes - record_head)));
    chunk.remove_prefix(bytes);
  }
}

// The fields of a shape up to the body of its layout.
struct shape_head {
  std::uint64_t count = 0;
  layout encoding = layout::loose;
};

shape_head read_head(cursor& from) {
  from.number();  // first item; parts are in order
  const std::uint64_t count = from.number();
  return {count, static_cast<layout>(from.byte())};
}

using copy_visitor = std::function<void(const traced_copy&)>;

void read_loose(cursor from, std::uint64_t count, const copy_visitor& visit) {
  traced_copy next;
  for (std::uint64_t i = 0; i != count && from.good(); ++i) {
    next.bytes = from.number();
    next.dst += static_cast<std::uint64_t>(from.signed_number());
    next.src += static_cast<std::uint64_t>(from.signed_number());
    if (from.good()) visit(next);
  }
}

void read_regular(cursor from, std::uint64_t count, const copy_visitor& visit) {
  traced_copy next;
  next.bytes = from.number();
  next.dst = from.number();
  next.src = from.number();
  const auto dst_stride = static_cast<std::uint64_t>(from.signed_number());
  const auto src_stride = static_cast<std::uint64_t>(from.signed_number());
  if (!from.good() || count > max_copies_in_shape) return;
  for (; count != 0; --count) {
    visit(next);
    next.dst += dst_stride;
    next.src += src_stride;
  }
}

void read_grid(cursor from, std::uint64_t count, const copy_visitor& visit) {
  const std::uint64_t bytes = from.number();
  const unsigned shift = from.byte();
  const std::uint64_t dst = from.number();
  const std::uint64_t src = from.number();
  if (count > from.remaining().size() / 8 || shift > 63) return;
  cursor dsts(from.take(count * 4));
  for (; count != 0; --count) {
    visit({dst + (std::uint64_t{dsts.word()} << shift), src + (std::uint64_t{from.word()} << shift),
           bytes});
  }
}

}  // namespace

void traced_step::for_each_copy(const copy_visitor& visit) const {
  if (box) return;
  for (const std::string_view part : shapes) {
    cursor from(part);
    const auto [count, encoding] = read_head(from);
    if (encoding == layout::loose) read_loose(from, count, visit);
    if (encoding == layout::regular) read_regular(from, count, visit);
    if (encoding == layout::grid) read_grid(from, count, visit);
  }
}

std::vector<traced_copy> traced_step::copies() const {
  std::vector<traced_copy> all;
  for_each_copy([&](const traced_copy& each) { all.push_back(each); });
  return all;
}

std::uint64_t traced_step::max_recorded_copies() const {
  std::uint64_t sum = 0;
  for (const std::string_view part : shapes) {
    cursor from(part);
    const shape_head head = read_head(from);
    sum += std::min<std::uint64_t>(
        head.count, head.encoding == layout::regular ? max_copies_in_shape : part.size());
  }
  return sum;
}

std::variant<recording, std::string> parse_trace(std::string contents, std::uint64_t max_bytes) {
  recording made;
  made.contents = std::make_shared<const std::string>(std::move(contents));
  made.memory_bytes = made.contents->size();
  const std::string_view all = *made.contents;
  if (all.size() < command_at || !all.starts_with(magic)) return not_a_trace;
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
  collector records(made, max_bytes);
  for (std::size_t at = chunk; at < all.size() && records.within_limit(); at += chunk) {
    read_chunk(all.substr(at, chunk), records);
  }
  if (!records.within_limit()) return exceeds(max_bytes);
  records.finish();
  return made;
}

std::variant<recording, std::string> read_trace(const std::string& path, std::uint64_t max_bytes) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return "it cannot be opened";
  std::string contents;
  // The first piece alone shows that a device such as /dev/zero, which has no end, is no trace.
  constexpr std::size_t piece = std::size_t{1} << 20;
  while (file) {
    const std::size_t before = contents.size();
    contents.resize(before + piece);
    file.read(contents.data() + before, piece);
    contents.resize(before + static_cast<std::size_t>(file.gcount()));
    if (!contents.starts_with(magic)) return not_a_trace;
    if (contents.size() > max_bytes) return exceeds(max_bytes);
  }
  return parse_trace(std::move(contents), max_bytes);
}

}  // namespace convoy::trace
