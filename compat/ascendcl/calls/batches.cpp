#include <algorithm>
#include <convoy/memory.hpp>
#include <cstdio>
#include <cstring>
#include <vector>

#include "calls/copies.hpp"
#include "calls/copy_steps.hpp"
#include "state/soc.hpp"

namespace convoy::ascendcl {
namespace {

// The synchronous calls take no more; programs cut longer batches up.
constexpr batch_rules synchronous_rules = [] {
  batch_rules made = ascend_rules;
  made.max_copies = 4096;
  return made;
}();

constexpr location location_of(const aclrtMemLocation& said) {
  switch (said.type) {
    case ACL_MEM_LOCATION_TYPE_HOST:
    case ACL_MEM_LOCATION_TYPE_HOST_NUMA: return {location_type::host};
    case ACL_MEM_LOCATION_TYPE_DEVICE:
      return {location_type::device, static_cast<std::int32_t>(said.id)};
    case ACL_MEM_LOCATION_TYPE_MANAGED: return {location_type::managed};
    case ACL_MEM_LOCATION_TYPE_UNREGISTERED: break;
  }
  return {location_type::device, -1};  // where nothing is
}

// Field by field: a run that is made elsewhere and moved here as a whole costs more than the rest
// of the call.
void write_run(attribute_run& into, const aclrtMemcpyBatchAttr& from, std::size_t first) {
  into.first = first;
  into.attrs.src_hint = location_of(from.srcLoc);
  into.attrs.dst_hint = location_of(from.dstLoc);
}

std::vector<attribute_run> runs_of(const batch_call& b) {
  std::vector<attribute_run> made(b.attribute_count);
  for (std::size_t k = 0; k != made.size(); ++k) write_run(made[k], b.attributes[k], b.firsts[k]);
  return made;
}

batch_view view_of(const batch_call& b, std::span<const attribute_run> runs) {
  return {{b.dsts, b.count}, {b.srcs, b.count}, {b.sizes, b.count}, {b.capacities, b.count}, runs};
}

bool all_zero(const batch_call& b) {
  return std::ranges::all_of(std::span(b.sizes, b.count), [](auto each) { return each == 0; });
}

bool has_its_arrays(const batch_call& b) {
  return b.dsts != nullptr && b.capacities != nullptr && b.srcs != nullptr &&
         b.attributes != nullptr && b.firsts != nullptr;
}

bool reserved_is_zero(const batch_call& b) {
  static constexpr std::uint8_t zeros[sizeof b.attributes->rsv] = {};
  const auto clean = [](const aclrtMemcpyBatchAttr& a) {
    return std::memcmp(a.rsv, zeros, sizeof zeros) == 0;
  };
  // More attributes than items are refused later, and perhaps not all there.
  const std::size_t there = std::min(b.attribute_count, b.count);
  return std::ranges::all_of(std::span(b.attributes, there), clean);
}

std::string name_of(const aclrtMemLocation& said) {
  switch (said.type) {
    case ACL_MEM_LOCATION_TYPE_HOST:
    case ACL_MEM_LOCATION_TYPE_HOST_NUMA: return "host";
    case ACL_MEM_LOCATION_TYPE_DEVICE: return "device " + std::to_string(said.id);
    case ACL_MEM_LOCATION_TYPE_MANAGED: return "managed";
    case ACL_MEM_LOCATION_TYPE_UNREGISTERED: return "unregistered, which no batch takes";
  }
  return "location type " + std::to_string(static_cast<int>(said.type)) + ", which there is not";
}

// "item 10: destination 0x… is pinned host memory, the attribute says device 0"
call_status misplaced(const batch_call& b, const status& s) {
  const auto* const after = std::upper_bound(b.firsts, b.firsts + b.attribute_count, *s.item);
  const aclrtMemcpyBatchAttr& said = b.attributes[after - b.firsts - 1];
  const bool at_source = s.side == copy_side::source;
  char address[24];
  std::snprintf(address, sizeof address, "%p", s.address);
  const auto where = locate(s.address);
  return failed(ACL_ERROR_RT_PARAM_INVALID,
                "item " + std::to_string(*s.item) + (at_source ? ": source " : ": destination ") +
                    address + " is " + (where ? describe_memory(*where) : "no live allocation") +
                    ", the attribute says " + name_of(at_source ? said.srcLoc : said.dstLoc));
}

// Why the engine refused the batch. Writes the item to blame, if any.
call_status refusal_of(const batch_call& b, const status& s, std::size_t& blamed) {
  blamed = s.item.value_or(SIZE_MAX);
  return s.code == errc::wrong_location ? misplaced(b, s) : call_status_of(s);
}

// Copies through `submit_view`, which takes what the engine takes. A single attribute, as is usual,
// needs no memory.
template <class Submit>
call_status copy_with_attributes(const batch_call& b, std::size_t& blamed,
                                 const Submit& submit_view) {
  if (b.attribute_count == 0 || b.attribute_count > b.count) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "numAttrs is 0 or larger than numBatches");
  }
  const auto copy_with = [&](std::span<const attribute_run> runs) -> call_status {
    const result<ticket> at = submit_view(view_of(b, runs));
    if (!at) return refusal_of(b, at.error(), blamed);
    this_thread().last_task = static_cast<std::uint32_t>(number(*at));
    return {};
  };
  if (b.attribute_count != 1) return copy_with(runs_of(b));
  attribute_run only;
  write_run(only, *b.attributes, *b.firsts);
  return copy_with({&only, 1});
}

// Runs `copy` after the checks that come before the stream is looked at, and if there is something
// to copy.
template <class Copy>
call_status once_checked(const batch_call& b, const Copy& copy) {
  if (b.sizes == nullptr || b.count == 0) return invalid_param("sizes is NULL or numBatches is 0");
  if (all_zero(b)) return {};
  if (!has_its_arrays(b)) return invalid_param("one of the arrays is NULL");
  if (!reserved_is_zero(b)) return invalid_param("rsv of an attribute is not all 0");
  if (const auto there = require(feature::batches); !there.ok()) return there;
  return copy();
}

result<ticket> copy_aside(stream_ref aside, const batch_view& view) {
  const auto at = submit(aside, view, synchronous_rules);
  if (!at) return at.error();
  const status s = aside.synchronize(*at);
  static_cast<void>(aside.clear_error());
  if (!s.ok()) return s;
  return *at;
}

// Runs `copy` with a place for the item to blame, which the caller is told.
template <class Copy>
call_status blaming(std::size_t* fail_index, const Copy& copy) {
  if (fail_index == nullptr) return invalid_param("failIndex is NULL");
  *fail_index = SIZE_MAX;
  return copy(*fail_index);
}

call_status copy_in_order(const batch_call& b, std::size_t& blamed, aclrtStream handle) {
  return once_checked(b, [&]() -> call_status {
    const auto to = stream_in_context(handle);
    if (!to) return to.error;
    const auto done = copy_with_attributes(
        b, blamed, [&](const batch_view& view) { return submit(*to, view, ascend_rules); });
    if (done.code != ACL_ERROR_RT_INVALID_HANDLE) return done;
    return stream_error(handle, {errc::destroyed_handle});
  });
}

call_status copy_now(const batch_call& b, std::size_t& blamed) {
  return once_checked(b, [&]() -> call_status {
    const auto now = current_context();
    if (!now) return now.error;
    const auto aside = sync_stream((*now)->device);
    if (!aside) return aside.error;
    return copy_with_attributes(b, blamed,
                                [&](const batch_view& view) { return copy_aside(*aside, view); });
  });
}

}  // namespace

call_status copy_batch_sync(const batch_call& b) {
  std::size_t blamed = SIZE_MAX;
  return copy_now(b, blamed);
}

call_status copy_batch_sync(const batch_call& b, std::size_t* fail_index) {
  return blaming(fail_index, [&](std::size_t& item) { return copy_now(b, item); });
}

call_status copy_batch_async(const batch_call& b, aclrtStream handle) {
  std::size_t blamed = SIZE_MAX;
  return copy_in_order(b, blamed, handle);
}

call_status copy_batch_async(const batch_call& b, std::size_t* fail_index, aclrtStream handle) {
  return blaming(fail_index, [&](std::size_t& item) { return copy_in_order(b, item, handle); });
}

}  // namespace convoy::ascendcl
