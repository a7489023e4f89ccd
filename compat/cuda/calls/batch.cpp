#include "calls/batch.hpp"

#include <algorithm>
#include <convoy/memory.hpp>
#include <vector>

namespace convoy::cuda {
namespace {

source_access order_of(cudaMemcpySrcAccessOrder order) noexcept {
  switch (order) {
    case cudaMemcpySrcAccessOrderStream: return source_access::stream;
    case cudaMemcpySrcAccessOrderDuringApiCall: return source_access::during_call;
    case cudaMemcpySrcAccessOrderAny: return source_access::any;
    case cudaMemcpySrcAccessOrderInvalid:
    case cudaMemcpySrcAccessOrderMax: break;
  }
  return source_access::invalid;
}

attribute_run run_of(std::size_t first, cudaMemcpySrcAccessOrder order, unsigned flags) noexcept {
  return {first,
          {.order = order_of(order),
           .prefer_overlap = (flags & cudaMemcpyFlagPreferOverlapWithCompute) != 0}};
}

attribute_run run_of(const batch_arrays& arrays, std::size_t index) noexcept {
  const cudaMemcpyAttributes& attributes = arrays.attributes[index];
  return run_of(arrays.firsts[index], attributes.srcAccessOrder, attributes.flags);
}

// An array of this many pointers is larger than the address space.
constexpr std::size_t max_count = std::size_t{1} << 44;

call_status refused(const char* reason) noexcept { return {cudaErrorInvalidValue, reason}; }

constexpr const char* needs_copies = "count is 0; a batch has at least one copy";
constexpr const char* needs_stream = "a batch cannot go into the default stream; create one";

// The argument that cannot be read, as a sentence; null when all can.
const char* unreadable_array(const batch_arrays& arrays) noexcept {
  if (arrays.count == 0) return needs_copies;
  if (arrays.count >= max_count) return "count is larger than the address space";
  if (arrays.dsts == nullptr) return "dsts is NULL";
  if (arrays.srcs == nullptr) return "srcs is NULL";
  return arrays.sizes == nullptr ? "sizes is NULL" : nullptr;
}

// Checks that the runs can be read. The engine checks that they cover the batch.
bool has_runs(const batch_arrays& arrays) noexcept {
  return arrays.runs != 0 && arrays.runs <= arrays.count && arrays.attributes != nullptr &&
         arrays.firsts != nullptr;
}

[[gnu::always_inline]] inline call_status submit_view(stream_ref stream, const batch_arrays& arrays,
                                                      std::span<const attribute_run> runs) {
  const batch_view view{{arrays.dsts, arrays.count},
                        {arrays.srcs, arrays.count},
                        {arrays.sizes, arrays.count},
                        {},
                        runs};
  return submit(stream, view, cuda_rules);
}

// Not inlined: keeps the vector out of the stack frame of the common case, one run.
[[gnu::noinline]] call_status submit_multiple_runs(stream_ref stream, const batch_arrays& arrays) {
  std::vector<attribute_run> runs;
  runs.reserve(arrays.runs);
  for (std::size_t i = 0; i != arrays.runs; ++i) runs.push_back(run_of(arrays, i));
  return submit_view(stream, arrays, runs);
}

call_status submit_arrays(stream_ref stream, const batch_arrays& arrays) {
  if (arrays.runs != 1) return submit_multiple_runs(stream, arrays);
  const attribute_run only = run_of(arrays, 0);
  return submit_view(stream, arrays, {&only, 1});
}

}  // namespace

call_status submit_batch(cudaStream_t stream, const batch_arrays& arrays) {
  if (const char* const reason = unreadable_array(arrays)) return refused(reason);
  if (is_legacy(stream)) return refused(needs_stream);
  if (!has_runs(arrays)) return status{errc::invalid_runs};
  const auto target = native(stream);
  return target ? submit_arrays(*target, arrays) : call_status(target);
}

namespace {

// Source or destination of a box; pitches are in bytes.
struct box_side {
  std::byte* start = nullptr;
  std::size_t row_pitch = 0;
  std::size_t layer_pitch = 0;
};

// Checks that the box ends within its allocation, or within the address space for pageable memory,
// and that no product overflows.
status check_reach(const box_side& box, const cudaExtent& extent, copy_side side) {
  const auto located = locate(box.start);
  if (!located) return {errc::leaves_allocation, side, {}, box.start};
  std::size_t rows = 0;
  std::size_t layers = 0;
  std::size_t all = 0;
  const bool too_far = __builtin_mul_overflow(box.row_pitch, extent.height - 1, &rows) ||
                       __builtin_mul_overflow(box.layer_pitch, extent.depth - 1, &layers) ||
                       __builtin_add_overflow(rows, layers, &all) ||
                       __builtin_add_overflow(all, extent.width, &all);
  const std::size_t limit = std::min(located->bytes_left, std::size_t{1} << 47);
  if (too_far || all > limit) return {errc::leaves_allocation, side, {}, box.start};
  return {};
}

call_status read_side(const cudaMemcpy3DOperand& from, const cudaExtent& extent, copy_side side,
                      box_side* into) {
  if (from.type == cudaMemcpyOperandTypeArray) return status{errc::not_supported};
  if (from.type != cudaMemcpyOperandTypePointer) return status{errc::invalid_argument, side};
  void* const pointer = from.op.ptr.ptr;
  if (pointer == nullptr) return status{errc::null_pointer, side};
  const std::size_t row = from.op.ptr.rowLength == 0 ? extent.width : from.op.ptr.rowLength;
  const std::size_t layer = from.op.ptr.layerHeight == 0 ? extent.height : from.op.ptr.layerHeight;
  if (row < extent.width || layer < extent.height) {
    return call_status(cudaErrorInvalidValue, {errc::invalid_pitch, side, {}, pointer});
  }
  *into = {static_cast<std::byte*>(pointer), row, 0};
  if (__builtin_mul_overflow(row, layer, &into->layer_pitch)) {
    return status{errc::invalid_argument, side};
  }
  return check_reach(*into, extent, side);
}

// The rows of a list of boxes. A layer whose rows are contiguous on both sides is one row.
class box_rows {
 public:
  call_status add(const cudaMemcpy3DBatchOp& box) {
    if (box.extent.width == 0 || box.extent.height == 0 || box.extent.depth == 0) {
      return status{errc::zero_size};
    }
    box_side src;
    box_side dst;
    if (const call_status s = read_side(box.src, box.extent, copy_side::source, &src); !s.ok())
      return s;
    if (const call_status s = read_side(box.dst, box.extent, copy_side::destination, &dst);
        !s.ok()) {
      return s;
    }
    runs_.push_back(run_of(sizes_.size(), box.srcAccessOrder, box.flags));
    add_layers(dst, src, box.extent);
    return cudaSuccess;
  }

  [[nodiscard]] batch_view view() const { return {dsts_, srcs_, sizes_, {}, runs_}; }

  // Returns the index of the box that a row belongs to.
  [[nodiscard]] std::size_t box_of(std::size_t row) const {
    const auto later = std::ranges::upper_bound(runs_, row, {}, &attribute_run::first);
    return static_cast<std::size_t>(later - runs_.begin()) - 1;
  }

 private:
  void add_layers(const box_side& dst, const box_side& src, const cudaExtent& extent) {
    const bool whole_layers = dst.row_pitch == extent.width && src.row_pitch == extent.width;
    for (std::size_t z = 0; z != extent.depth; ++z) {
      std::byte* const to = dst.start + z * dst.layer_pitch;
      const std::byte* const from = src.start + z * src.layer_pitch;
      if (whole_layers) {
        add_row(to, from, extent.width * extent.height);
        continue;
      }
      for (std::size_t y = 0; y != extent.height; ++y) {
        add_row(to + y * dst.row_pitch, from + y * src.row_pitch, extent.width);
      }
    }
  }

  void add_row(std::byte* to, const std::byte* from, std::size_t bytes) {
    dsts_.push_back(to);
    srcs_.push_back(from);
    sizes_.push_back(bytes);
  }

  std::vector<void*> dsts_;
  std::vector<const void*> srcs_;
  std::vector<std::size_t> sizes_;
  std::vector<attribute_run> runs_;
};

}  // namespace

call_status submit_batch_3d(cudaStream_t stream, const cudaMemcpy3DBatchOp* copies,
                            std::size_t count, unsigned long long flags) {
  if (count == 0) return refused(needs_copies);
  if (copies == nullptr) return refused("opList is NULL");
  if (flags != 0) return refused("flags is not 0");
  if (is_legacy(stream)) return refused(needs_stream);
  const auto target = native(stream);
  if (!target) return target;
  box_rows rows;
  for (std::size_t i = 0; i != count; ++i) {
    const call_status s = rows.add(copies[i]);
    if (s.ok()) continue;
    status error = s.cause();
    error.item = i;
    return call_status(s.code(), error);
  }
  const auto submitted = submit(*target, rows.view(), cuda_rules);
  status error = submitted.error();
  if (error.item) error.item = rows.box_of(*error.item);
  return error;
}

}  // namespace convoy::cuda
