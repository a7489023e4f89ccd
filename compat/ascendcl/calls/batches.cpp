// Batches of copies: check the arguments, translate the attributes, submit, report the failed item.
#include <algorithm>
#include <convoy/memory.hpp>
#include <cstdio>
#include <cstring>
#include <vector>

#include "calls/copies.hpp"
#include "calls/copy_steps.hpp"
#include "state/soc.hpp"
#include "state/visible_devices.hpp"

namespace convoy::ascendcl {
namespace {

constexpr batch_rules sync_batch_rules = [] {
  batch_rules rules = ascend_rules;
  rules.max_copies = 4096;
  return rules;
}();

bool all_sizes_zero(const batch_call& b) {
  return std::ranges::all_of(std::span(b.sizes, b.count), [](auto bytes) { return bytes == 0; });
}

// The first array that is NULL; null when none is.
const char* missing_array(const batch_call& b) {
  if (b.dsts == nullptr) return "dsts";
  if (b.capacities == nullptr) return "destMaxs";
  if (b.srcs == nullptr) return "srcs";
  if (b.attributes == nullptr) return "attrs";
  return b.firsts == nullptr ? "attrsIndexes" : nullptr;
}

bool reserved_is_zero(const batch_call& b) {
  static constexpr std::uint8_t zeros[sizeof b.attributes->rsv] = {};
  const auto is_zero = [](const aclrtMemcpyBatchAttr& a) {
    return std::memcmp(a.rsv, zeros, sizeof zeros) == 0;
  };
  // numAttrs is compared with numBatches later; a larger one may lie about the array.
  const std::size_t readable = std::min(b.attribute_count, b.count);
  return std::ranges::all_of(std::span(b.attributes, readable), is_zero);
}

// True when there is something to copy.
lookup<bool> check_arrays(const batch_call& b, std::size_t* fail_index) {
  if (fail_index == nullptr) return invalid_param("failIndex is NULL");
  *fail_index = SIZE_MAX;
  if (b.sizes == nullptr) return invalid_param("sizes is NULL");
  if (b.count == 0) return invalid_param("numBatches is 0: a batch has at least one item");
  if (all_sizes_zero(b)) return {false};
  if (const char* const array = missing_array(b)) {
    return invalid_param(std::string(array) + " is NULL");
  }
  return {true};
}

// The checks of attributes that precede the look-up of the stream.
call_status check_attributes(const batch_call& b) {
  if (!reserved_is_zero(b)) return invalid_param("rsv of an attribute is not all 0");
  return require(feature::batches);
}

call_status check_attribute_count(const batch_call& b) {
  if (b.attribute_count != 0 && b.attribute_count <= b.count) return {};
  return failed(ACL_ERROR_RT_PARAM_INVALID, "numAttrs is " + std::to_string(b.attribute_count) +
                                                ", it takes 1 to numBatches (" +
                                                std::to_string(b.count) + ")");
}

location to_location(const aclrtMemLocation& stated, const visible_devices& devices) {
  switch (stated.type) {
    case ACL_MEM_LOCATION_TYPE_HOST:
    case ACL_MEM_LOCATION_TYPE_HOST_NUMA: return {location_type::host};
    case ACL_MEM_LOCATION_TYPE_DEVICE:
      return {location_type::device, number(devices.at(stated.id))};
    case ACL_MEM_LOCATION_TYPE_MANAGED: return {location_type::managed};
    case ACL_MEM_LOCATION_TYPE_UNREGISTERED: break;
  }
  return {location_type::device, -1};  // matches no pointer
}

// The attributes of a batch as the engine takes them. A single one, the usual case, is not
// allocated.
class attribute_runs {
 public:
  explicit attribute_runs(const batch_call& b) {
    if (b.attribute_count != 1) list_.resize(b.attribute_count);
    attribute_run* const runs = list_.empty() ? &single_ : list_.data();
    const visible_devices& devices = program_devices();
    for (std::size_t i = 0; i != b.attribute_count; ++i) {
      write(runs[i], b.attributes[i], b.firsts[i], devices);
    }
  }

  [[nodiscard]] std::span<const attribute_run> view() const {
    return list_.empty() ? std::span(&single_, 1) : std::span(list_);
  }

 private:
  // Field by field: assigning a whole run loads fields that were just written as one wide load,
  // which defeats store forwarding.
  static void write(attribute_run& run, const aclrtMemcpyBatchAttr& attribute, std::size_t first,
                    const visible_devices& devices) {
    run.first = first;
    run.attrs.src_hint = to_location(attribute.srcLoc, devices);
    run.attrs.dst_hint = to_location(attribute.dstLoc, devices);
  }

  attribute_run single_;
  std::vector<attribute_run> list_;
};

batch_view view_of(const batch_call& b, const attribute_runs& runs) {
  return {{b.dsts, b.count},
          {b.srcs, b.count},
          {b.sizes, b.count},
          {b.capacities, b.count},
          runs.view()};
}

std::string describe_location(const aclrtMemLocation& stated) {
  switch (stated.type) {
    case ACL_MEM_LOCATION_TYPE_HOST:
    case ACL_MEM_LOCATION_TYPE_HOST_NUMA: return "host";
    case ACL_MEM_LOCATION_TYPE_DEVICE: return "device " + std::to_string(stated.id);
    case ACL_MEM_LOCATION_TYPE_MANAGED: return "managed";
    case ACL_MEM_LOCATION_TYPE_UNREGISTERED: return "unregistered, which batches do not accept";
  }
  return "location type " + std::to_string(static_cast<int>(stated.type)) +
         ", which does not exist";
}

// "item 10: destination 0x… is pinned host memory, the attribute says device 0"
call_status location_error(const batch_call& b, const status& error) {
  const auto* const next = std::upper_bound(b.firsts, b.firsts + b.attribute_count, *error.item);
  const aclrtMemcpyBatchAttr& attribute = b.attributes[next - b.firsts - 1];
  const bool is_source = error.side == copy_side::source;
  char address[24];
  std::snprintf(address, sizeof address, "%p", error.address);
  const auto actual = locate(error.address);
  return failed(ACL_ERROR_RT_PARAM_INVALID,
                "item " + std::to_string(*error.item) +
                    (is_source ? ": source " : ": destination ") + address + " is " +
                    (actual ? describe_memory(*actual) : "no live allocation") +
                    ", the attribute says " +
                    describe_location(is_source ? attribute.srcLoc : attribute.dstLoc));
}

// A size above its capacity precedes the other errors of a batch. The engine checks capacities with
// the rest of an item, so the array is searched only after a refusal.
call_status put_capacities_first(const batch_call& b, call_status refusal,
                                 std::size_t* fail_index) {
  for (std::size_t i = 0; i != b.count; ++i) {
    if (b.sizes[i] <= b.capacities[i]) continue;
    *fail_index = i;
    return invalid_param("item " + std::to_string(i) + ": sizes has " + std::to_string(b.sizes[i]) +
                         " bytes, destMaxs " + std::to_string(b.capacities[i]));
  }
  return refusal;
}

// Stores the item that failed, SIZE_MAX when it was none, and answers the error.
call_status report(const batch_call& b, const status& error, std::size_t* fail_index) {
  *fail_index = error.item.value_or(SIZE_MAX);
  return error.code == errc::wrong_location ? location_error(b, error) : call_status_of(error);
}

call_status submit_async(const batch_call& b, std::size_t* fail_index, aclrtStream handle) {
  if (auto checked = check_attributes(b); !checked.ok()) return checked;
  const auto stream = stream_in_context(handle);
  if (!stream) return stream.error;
  if (auto checked = check_attribute_count(b); !checked.ok()) return checked;

  const attribute_runs runs(b);
  const auto submitted = submit(*stream, view_of(b, runs), ascend_rules);
  const bool is_batch_error = !submitted && submitted.error().code != errc::destroyed_handle;
  if (is_batch_error) return report(b, submitted.error(), fail_index);
  return record_submitted(handle, submitted);
}

call_status submit_and_wait(const batch_call& b, std::size_t* fail_index) {
  if (auto checked = check_attributes(b); !checked.ok()) return checked;
  const auto stream = current_sync_stream();
  if (!stream) return stream.error;
  if (auto checked = check_attribute_count(b); !checked.ok()) return checked;

  const attribute_runs runs(b);
  const auto submitted = submit(*stream, view_of(b, runs), sync_batch_rules);
  if (!submitted) return report(b, submitted.error(), fail_index);
  const status finished = stream->synchronize(*submitted);
  static_cast<void>(stream->clear_error());
  if (!finished.ok()) return report(b, finished, fail_index);
  record_task(*submitted);
  return {};
}

}  // namespace

call_status copy_batch_async(const batch_call& b, std::size_t* fail_index, aclrtStream handle) {
  const auto has_copies = check_arrays(b, fail_index);
  if (!has_copies || !*has_copies) return has_copies.error;
  const call_status answer = submit_async(b, fail_index, handle);
  return answer.ok() ? answer : put_capacities_first(b, answer, fail_index);
}

call_status copy_batch_sync(const batch_call& b, std::size_t* fail_index) {
  const auto has_copies = check_arrays(b, fail_index);
  if (!has_copies || !*has_copies) return has_copies.error;
  const call_status answer = submit_and_wait(b, fail_index);
  return answer.ok() ? answer : put_capacities_first(b, answer, fail_index);
}

}  // namespace convoy::ascendcl
