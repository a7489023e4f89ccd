#include <algorithm>
#include <convoy/memory.hpp>
#include <cstring>
#include <vector>

#include "border.hpp"
#include "copies.hpp"
#include "models.hpp"

namespace convoy::ascendcl {
namespace {

// A batch as programs hand it over.
struct batch_call {
  void** dsts;
  std::size_t* capacities;
  void** srcs;
  std::size_t* sizes;
  std::size_t count;
  aclrtMemcpyBatchAttr* attributes;
  std::size_t* firsts;  // of each attribute, the item it starts at
  std::size_t attribute_count;
};

// The synchronous calls take no more; programs cut longer batches up.
constexpr batch_rules synchronous_rules = [] {
  batch_rules made = ascend_rules;
  made.most_copies = 4096;
  return made;
}();

location location_of(const aclrtMemLocation& said) {
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
  into.what.src_hint = location_of(from.srcLoc);
  into.what.dst_hint = location_of(from.dstLoc);
}

// The attributes as the engine takes them. A single one, as is usual, needs no memory.
class run_list {
 public:
  explicit run_list(const batch_call& b) {
    if (b.attribute_count == 1) {
      write_run(one_, *b.attributes, *b.firsts);
      return;
    }
    many_.resize(b.attribute_count);
    for (std::size_t k = 0; k != many_.size(); ++k)
      write_run(many_[k], b.attributes[k], b.firsts[k]);
  }
  run_list(const run_list&) = delete;
  run_list& operator=(const run_list&) = delete;
  [[nodiscard]] std::span<const attribute_run> all() const {
    return many_.empty() ? std::span(&one_, 1) : std::span(many_);
  }

 private:
  attribute_run one_;
  std::vector<attribute_run> many_;
};

bool all_zero(const batch_call& b) {
  return std::all_of(b.sizes, b.sizes + b.count, [](std::size_t each) { return each == 0; });
}

bool reserved_is_zero(const batch_call& b) {
  static constexpr std::uint8_t zeros[sizeof b.attributes->rsv] = {};
  const auto clean = [](const aclrtMemcpyBatchAttr& a) {
    return std::memcmp(a.rsv, zeros, sizeof zeros) == 0;
  };
  // More attributes than items are refused later, and perhaps not all there.
  const std::size_t there = std::min(b.attribute_count, b.count);
  return std::all_of(b.attributes, b.attributes + there, clean);
}

// What needs no look at memory or streams.
outcome check_arrays(const batch_call& b) {
  const bool complete = b.dsts != nullptr && b.capacities != nullptr && b.srcs != nullptr &&
                        b.attributes != nullptr && b.firsts != nullptr;
  if (!complete) return refused("one of the arrays is NULL");
  if (!reserved_is_zero(b)) return refused("rsv of an attribute is not all 0");
  return {};
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

std::string name_of(const residence& where) {
  switch (where.kind) {
    case memory_kind::pageable: return "pageable host memory";
    case memory_kind::pinned: return "pinned host memory";
    case memory_kind::registered: return "registered host memory";
    case memory_kind::managed: return "managed memory";
    case memory_kind::device: return "memory of device " + std::to_string(number(where.device));
  }
  return "unknown memory";
}

// "item 10: destination 0x… is pinned host memory, the attribute says device 0"
outcome misplaced(const batch_call& b, const status& s) {
  const auto* const after = std::upper_bound(b.firsts, b.firsts + b.attribute_count, *s.item);
  const aclrtMemcpyBatchAttr& said = b.attributes[after - b.firsts - 1];
  const bool at_source = s.at == side::source;
  char address[24];
  std::snprintf(address, sizeof address, "%p", s.address);
  const auto where = locate(s.address);
  return failed(ACL_ERROR_RT_PARAM_INVALID,
                "item " + std::to_string(*s.item) + (at_source ? ": source " : ": destination ") +
                    address + " is " + (where ? name_of(*where) : "no live allocation") +
                    ", the attribute says " + name_of(at_source ? said.srcLoc : said.dstLoc));
}

// Copies through `submit`, which takes what the engine takes. Writes the item to blame, if any.
template <class Submit>
outcome copy_batch(const batch_call& b, std::size_t& blamed, const Submit& submit_view) {
  if (b.attribute_count == 0 || b.attribute_count > b.count) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "numAttrs is 0 or larger than numBatches");
  }
  const run_list runs(b);
  const result<ticket> at = submit_view(batch_view{{b.dsts, b.count},
                                                   {b.srcs, b.count},
                                                   {b.sizes, b.count},
                                                   {b.capacities, b.count},
                                                   runs.all()});
  if (at) {
    this_thread().last_task = static_cast<std::uint32_t>(number(*at));
    return {};
  }
  const status s = at.outcome();
  blamed = s.item.value_or(SIZE_MAX);
  return s.code == errc::wrong_location ? misplaced(b, s) : outcome_of(s);
}

// The checks that come before the stream is looked at; true when there is something to copy.
found<bool> prepared(const batch_call& b) {
  if (b.sizes == nullptr || b.count == 0) {
    return none<bool>(refused("sizes is NULL or numBatches is 0"));
  }
  if (all_zero(b)) return {false};
  if (auto sound = check_arrays(b); !sound.ok()) return none<bool>(sound);
  if (auto there = demand(feature::batches); !there.ok()) return none<bool>(there);
  return {true};
}

outcome copy_in_order(const batch_call& b, std::size_t& blamed, aclrtStream handle) {
  const auto something = prepared(b);
  if (!something || !*something) return something.why;
  const auto to = own_stream(handle);
  if (!to) return to.why;
  auto done = copy_batch(b, blamed,
                         [&](const batch_view& view) { return submit(*to, view, ascend_rules); });
  if (done.code != ACL_ERROR_RT_INVALID_HANDLE) return done;
  return refusal(handle, {errc::destroyed_handle});
}

outcome copy_now(const batch_call& b, std::size_t& blamed) {
  const auto something = prepared(b);
  if (!something || !*something) return something.why;
  const auto now = current_context();
  if (!now) return now.why;
  const auto aside = side_stream((*now)->device);
  if (!aside) return aside.why;
  return copy_batch(b, blamed, [&](const batch_view& view) -> result<ticket> {
    const auto at = submit(*aside, view, synchronous_rules);
    if (!at) return at.outcome();
    const status s = aside->synchronize(*at);
    static_cast<void>(aside->clear_error());
    if (!s.ok()) return s;
    return *at;
  });
}

// Runs `copy` with a place for the item to blame, which the caller is told.
template <class Copy>
outcome blaming(std::size_t* fail_index, const Copy& copy) {
  if (fail_index == nullptr) return refused("failIndex is NULL");
  *fail_index = SIZE_MAX;
  return copy(*fail_index);
}

}  // namespace
}  // namespace convoy::ascendcl

using namespace convoy::ascendcl;

aclError aclrtMemcpyBatchAsync(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes,
                               size_t numBatches, aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes,
                               size_t numAttrs, size_t* failIndex, aclrtStream stream) {
  return answer(__func__, [&] {
    const batch_call all{dsts, destMaxs, srcs, sizes, numBatches, attrs, attrsIndexes, numAttrs};
    return blaming(failIndex, [&](size_t& item) { return copy_in_order(all, item, stream); });
  });
}
aclError aclrtMemcpyBatchAsyncV2(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes,
                                 size_t numBatches, aclrtMemcpyBatchAttr* attrs,
                                 size_t* attrsIndexes, size_t numAttrs, aclrtStream stream) {
  return answer(__func__, [&] {
    const batch_call all{dsts, destMaxs, srcs, sizes, numBatches, attrs, attrsIndexes, numAttrs};
    size_t item = SIZE_MAX;
    return copy_in_order(all, item, stream);
  });
}
aclError aclrtMemcpyBatch(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes,
                          size_t numBatches, aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes,
                          size_t numAttrs, size_t* failIndex) {
  return answer(__func__, [&] {
    const batch_call all{dsts, destMaxs, srcs, sizes, numBatches, attrs, attrsIndexes, numAttrs};
    return blaming(failIndex, [&](size_t& item) { return copy_now(all, item); });
  });
}
aclError aclrtMemcpyBatchV2(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes,
                            size_t numBatches, aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes,
                            size_t numAttrs) {
  return answer(__func__, [&] {
    const batch_call all{dsts, destMaxs, srcs, sizes, numBatches, attrs, attrsIndexes, numAttrs};
    size_t item = SIZE_MAX;
    return copy_now(all, item);
  });
}
