// A batch in parallel arrays, as the front ends hold it.
#pragma once

#include <convoy/batch.hpp>
#include <cstddef>
#include <initializer_list>
#include <vector>

namespace convoy::test {

struct arrays {
  std::vector<void*> dsts;
  std::vector<const void*> srcs;
  std::vector<std::size_t> sizes;
  std::vector<std::size_t> capacities;
  std::vector<attribute_run> runs;

  arrays() = default;
  arrays(std::initializer_list<copy> copies, std::vector<attribute_run> with = {{}})
      : runs(std::move(with)) {
    for (const copy& each : copies) add(each);
  }

  void add(const copy& each) {
    dsts.push_back(each.dst);
    srcs.push_back(each.src);
    sizes.push_back(each.bytes);
  }
  [[nodiscard]] batch_view view() const { return {dsts, srcs, sizes, capacities, runs}; }
};

// `count` adjacent copies of `each` bytes.
inline std::vector<copy> side_by_side(std::byte* dst, const std::byte* src, std::size_t each,
                                      std::size_t count) {
  std::vector<copy> made;
  made.reserve(count);
  for (std::size_t i = 0; i != count; ++i) made.push_back({dst + i * each, src + i * each, each});
  return made;
}

}  // namespace convoy::test
