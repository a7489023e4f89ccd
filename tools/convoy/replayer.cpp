#include "replayer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <tuple>

#include "shared/failure.hpp"

namespace convoy::tools {
namespace {

// Traces record neither the value of a fill nor the operation of a reduction.
constexpr fill_pattern pattern{0x5A, 1};
reduction byte_sum(const pitched_copy& on) {
  return {on.dst.start, on.src.start, on.extent.width, reduce_kind::sum, element::int8};
}

constexpr std::uint64_t bytes_per_stream = std::uint64_t{16} << 10;

void play_reduction(const reduction& step) {
  auto* const dst = static_cast<unsigned char*>(step.dst);
  const auto* const src = static_cast<const unsigned char*>(step.src);
  for (std::size_t i = 0; i != step.bytes; ++i)
    dst[i] = static_cast<unsigned char>(dst[i] + src[i]);
}

void play_box(const pitched_copy& on) {
  const auto row = [&](const pitched& end, std::size_t z, std::size_t y) {
    const std::size_t slice_rows = end.slice_rows == 0 ? on.extent.height : end.slice_rows;
    return static_cast<std::byte*>(end.start) + (z * slice_rows + y) * end.pitch;
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

bool is_replayed(const prepared_step& step) { return !step.copies.empty() || step.box.has_value(); }

}  // namespace

replayer::replayer(const trace::recording& from, replay_memory& in, const replay_budgets& budgets)
    : memory_(in), budgets_(budgets) {
  allocation_timeline timeline = in.timeline();
  for (const trace::traced_step& each : from.steps) steps_.push_back(prepare(each, timeline));
  std::ranges::stable_sort(steps_, {}, [](const prepared_step& s) {
    return std::pair(s.from->started.value_or(UINT64_MAX), s.landed);
  });
  for (prepared_step& each : steps_) {
    if (is_replayed(each)) by_landing_.push_back(&each);
  }
  std::ranges::stable_sort(by_landing_, {}, &prepared_step::landed);
}

prepared_step replayer::prepare(const trace::traced_step& step, allocation_timeline& timeline) {
  prepared_step made;
  made.from = &step;
  made.landed = step.landed.value_or(UINT64_MAX);
  if (!can_replay(step)) {
    left_out_ += step.kind == step_kind::indirect || step.kind == step_kind::function ||
                 step.outcome != errc::ok;
    return made;
  }
  if (step.box) {
    prepare_box(made, timeline);
  } else {
    prepare_copies(made, timeline);
  }
  return made;
}

void replayer::prepare_copies(prepared_step& into, allocation_timeline& timeline) {
  const trace::traced_step& step = *into.from;
  const std::uint64_t most = step.max_recorded_copies();
  into.copies.reserve(most);
  into.in_images.reserve(most);
  const region* dst_model = nullptr;
  const region* src_model = nullptr;
  step.for_each_copy([&](const trace::traced_copy& c) {
    if (c.bytes == 0) return;
    const replay_address dst = memory_.at(timeline, c.dst, c.bytes, step.submitted);
    const replay_address src = memory_.at(timeline, c.src, c.bytes, step.submitted);
    into.copies.push_back({dst.memory, src.memory, c.bytes});
    into.in_images.push_back({dst.image, src.image, c.bytes});
    if (dst_model == nullptr) dst_model = dst.in;
    if (src_model == nullptr) src_model = src.in;
  });
  if (!into.copies.empty()) add_unrecorded(into, *dst_model, *src_model);
}

void replayer::prepare_box(prepared_step& into, allocation_timeline& timeline) {
  const trace::traced_step& step = *into.from;
  const trace::traced_box& b = *step.box;
  const bool has_source = step.kind != step_kind::fill;
  prepared_box& made = into.box.emplace();
  made.dst_bytes = box_span(b, copy_side::destination);
  made.src_bytes = has_source ? box_span(b, copy_side::source) : 0;
  const auto when = step.submitted;
  const replay_address dst = memory_.at(timeline, b.dst, made.dst_bytes, when);
  const replay_address src =
      has_source ? memory_.at(timeline, b.src, made.src_bytes, when) : replay_address{};
  const box extent{b.width, b.height, b.depth};
  made.memory = {{dst.memory, b.dst_pitch, b.dst_slice_rows},
                 {src.memory, b.src_pitch, b.src_slice_rows},
                 extent};
  made.image = {{dst.image, b.dst_pitch, b.dst_slice_rows},
                {src.image, b.src_pitch, b.src_slice_rows},
                extent};
}

// Copies that were not recorded one by one get the sizes of recorded ones, scattered over memory of
// their own.
void replayer::add_unrecorded(prepared_step& into, const region& dst_model,
                              const region& src_model) {
  const std::size_t recorded = into.copies.size();
  if (into.from->items <= recorded) return;
  const std::size_t slot = std::ranges::max(into.copies, {}, &copy::bytes).bytes;
  constexpr std::size_t most_bytes = std::size_t{512} << 20;
  const std::size_t count = std::min<std::size_t>(into.from->items - recorded, most_bytes / slot);
  if (count == 0) return;
  budgets_.memory.take(count, bytes_per_copy);
  budgets_.copied.take(count, slot);
  const replay_address dst = memory_.scratch(dst_model, count * slot, false);
  const replay_address src = memory_.scratch(src_model, count * slot, true);
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

void replayer::make_streams() {
  for (const prepared_step& each : steps_) {
    const trace::traced_step& step = *each.from;
    if (!is_replayed(each) || streams_.contains(step.stream)) continue;
    budgets_.memory.take(bytes_per_stream);
    streams_.emplace(step.stream, must(make_stream(device_id{step.device}, {.blocking = false})));
  }
  if (streams_.size() < 2) return;
  joining_ = must(make_stream(device_id{0}, {.blocking = false}));
  joined_ = must(make_event(device_id{0}, {.timing = false}));
}

void replayer::run(const std::function<void(double)>& progress) {
  make_streams();
  for (std::size_t i = 0; i != steps_.size(); ++i) {
    if (is_replayed(steps_[i])) submit_step(steps_[i]);
    if (i % 256 == 0) progress(static_cast<double>(i) / static_cast<double>(steps_.size()));
  }
  for (const auto& [number, each] : streams_) must(each.synchronize());
}

// The program may have waited for steps that had landed before it submitted the next one, so the
// replay does.
void replayer::wait_for_landed_before(trace::timestamp until) {
  std::map<std::uint64_t, ticket> last;
  for (; waited_count_ != by_landing_.size(); ++waited_count_) {
    const prepared_step& step = *by_landing_[waited_count_];
    if (!step.submitted || step.landed >= until) break;
    last[step.from->stream] = step.at;
  }
  for (const auto& [number, at] : last) must(streams_.at(number).synchronize(at));
}

void replayer::submit_step(prepared_step& step) {
  const trace::traced_step& traced = *step.from;
  const stream& to = streams_.at(traced.stream);
  wait_for_landed_before(traced.submitted);
  wait_for_landed(to, traced);
  const auto at =
      step.box ? submit_box(to, traced.kind, step.box->memory) : submit(to, step.copies);
  if (!at) {
    throw bad_trace(fmt::format("its step in stream {}, ticket {} is refused ({})", traced.stream,
                                traced.ticket, explain(at.error())));
  }
  step.at = *at;
  step.submitted = true;
  if (streams_.size() < 2) return;
  step.reached = must(make_event(device_id{traced.device}, {.timing = false}));
  static_cast<void>(must(record(to, step.reached)));
}

void replayer::wait_for_landed(const stream& on, const trace::traced_step& before) {
  if (streams_.size() < 2) return;
  const std::size_t already = joined_count_;
  for (; joined_count_ != by_landing_.size(); ++joined_count_) {
    const prepared_step& step = *by_landing_[joined_count_];
    if (!step.submitted || step.landed > *before.started) break;
    static_cast<void>(must(wait(joining_, step.reached)));
  }
  if (joined_count_ != already) static_cast<void>(must(record(joining_, joined_)));
  if (joined_count_ != 0) static_cast<void>(must(wait(on, joined_)));
}

void replayer::play_on_images() const {
  for (const prepared_step* each : by_landing_) {
    for (const copy& c : each->in_images) std::memmove(c.dst, c.src, c.bytes);
    if (!each->box) continue;
    if (each->from->kind == step_kind::reduce) {
      play_reduction(byte_sum(each->box->image));
    } else {
      play_box(each->box->image);
    }
  }
}

}  // namespace convoy::tools
