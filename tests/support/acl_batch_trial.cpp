#include "support/acl_batch_trial.hpp"

#include <algorithm>

namespace convoy::test {
namespace {

constexpr std::size_t memory_bytes = 2048;

bytes pattern(unsigned seed) { return numbered(memory_bytes, seed); }

acl_memory on_device_1(const bytes& holding) {
  must_acl(aclrtSetDevice(1));
  acl_memory made = on_device(holding);
  must_acl(aclrtSetDevice(0));
  return made;
}

// True when two copies write the same byte: its value afterwards is unspecified.
bool destinations_overlap(const acl_batch& batch) {
  for (std::size_t i = 0; i != batch.sizes.size(); ++i) {
    for (std::size_t k = 0; k != i; ++k) {
      const auto* const one = static_cast<std::byte*>(batch.dsts[i]);
      const auto* const two = static_cast<std::byte*>(batch.dsts[k]);
      if (one < two + batch.sizes[k] && two < one + batch.sizes[i]) return true;
    }
  }
  return false;
}

bool has_arrived(const acl_batch& batch) {
  if (destinations_overlap(batch)) return true;
  for (std::size_t i = 0; i != batch.sizes.size(); ++i) {
    const std::size_t size = batch.sizes[i];
    if (contents_of(batch.dsts[i], size) != contents_of(batch.srcs[i], size)) return false;
  }
  return true;
}

}  // namespace

acl_batch_trial::acl_batch_trial()
    : device_(on_device(pattern(0))),
      device_other_(on_device_1(pattern(1))),
      pinned_(on_host(pattern(2))),
      pageable_(pattern(3)) {
  must_acl(aclrtMalloc(&freed_, memory_bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  must_acl(aclrtFree(freed_));
}

// An unusual pointer.
void* acl_batch_trial::pointer_from(input_reader& input) {
  const std::size_t offset = input.number() % memory_bytes;
  switch (input.below(16)) {
    case 0: return nullptr;
    case 1: return static_cast<std::byte*>(freed_) + offset;
    case 2: return device_other_.data() + offset;
    case 3: return pageable_.data() + offset / 2;
    case 4: return pinned_.data() + offset;
    default: return nullptr;
  }
}

// Mostly copies from pinned memory to device 0, so that many batches are accepted.
acl_batch acl_batch_trial::batch_from(input_reader& input) {
  acl_batch made;
  const std::size_t count = input.below(12);
  for (std::size_t i = 0; i != count; ++i) {
    const std::size_t offset = input.number() % (memory_bytes / 2);
    void* dst = device_.data() + offset;
    void* src = pinned_.data() + input.number() % (memory_bytes / 2);
    if (input.below(24) == 0) dst = pointer_from(input);
    if (input.below(24) == 0) src = pointer_from(input);
    std::size_t size = input.rarely() ? input.below(2) : 1 + input.number() % 512;
    if (input.rarely() && src != pageable_.data()) size = memory_bytes * (1 + input.below(3));
    made.add(dst, src, size);
    if (input.rarely()) made.capacities.back() = input.number();
  }
  made.attributes.assign(input.rarely() ? input.below(4) : 1, to_device);
  made.firsts.clear();
  for (std::size_t k = 0; k != made.attributes.size(); ++k) {
    made.firsts.push_back(input.rarely() ? input.number() : k);
    auto& attribute = made.attributes[k];
    if (input.rarely()) attribute.dstLoc.id = input.byte();
    if (input.rarely()) attribute.srcLoc.type = static_cast<aclrtMemLocationType>(input.below(7));
    if (input.rarely()) attribute.rsv[input.below(16)] = input.byte();
  }
  return made;
}

aclrtStream acl_batch_trial::stream_from(input_reader& input) {
  if (!input.rarely()) return stream_;
  return reinterpret_cast<aclrtStream>(input.number() << input.below(48));
}

void acl_batch_trial::fill_targets() {
  put(device_.data(), pattern(0));
  put(device_other_.data(), pattern(1));
  put(pinned_.data(), pattern(2));
  pageable_ = pattern(3);
}

bool acl_batch_trial::untouched() const {
  return contents_of(device_) == pattern(0) && contents_of(device_other_) == pattern(1) &&
         contents_of(pinned_) == pattern(2) && pageable_ == pattern(3);
}

std::string acl_batch_trial::problem(std::span<const std::uint8_t> input) {
  input_reader from(input);
  acl_batch batch = batch_from(from);
  const aclrtStream stream = stream_from(from);
  // The engine does not know where pageable memory ends; these copies stay inside it.
  const auto* const pageable_start = reinterpret_cast<void*>(pageable_.data());
  for (std::size_t i = 0; i != batch.sizes.size(); ++i) {
    const bool pageable =
        batch.srcs[i] >= pageable_start && batch.srcs[i] < pageable_.data() + memory_bytes;
    if (pageable) batch.sizes[i] = std::min<std::size_t>(batch.sizes[i], memory_bytes / 2);
  }

  const aclError code = batch.submit(stream);
  answers_.insert(code);
  if (code == ACL_SUCCESS) {
    must_acl(aclrtSynchronizeDevice());  // an input can choose the default stream
    if (batch.fail_index != SIZE_MAX) return "a success blames an item";
    if (!has_arrived(batch)) return "a copy did not arrive";
    fill_targets();
    return {};
  }
  if (batch.fail_index != SIZE_MAX && batch.fail_index >= batch.sizes.size()) {
    return "blames an item that is not there";
  }
  if (recent_errors().empty()) return "has no sentence";
  return untouched() ? "" : "copied although it was refused";
}

}  // namespace convoy::test
