#include <convoy/batch.hpp>
#include <numeric>
#include <utility>
#include <vector>

#include "model/batch_check.hpp"

namespace convoy {

struct batch::contents {
  std::vector<copy> copies;
  std::vector<attribute_run> runs;
  std::size_t bytes = 0;
};

std::span<const copy> batch::copies() const noexcept { return contents_->copies; }
std::span<const attribute_run> batch::runs() const noexcept { return contents_->runs; }
std::size_t batch::bytes() const noexcept { return contents_->bytes; }

result<batch> make_batch(std::span<const copy> copies, std::span<const attribute_run> runs) {
  if (const status s = check_shape(copies.size(), runs, native_rules); !s.ok()) return s;

  auto made = std::make_shared<batch::contents>();
  made->copies.assign(copies.begin(), copies.end());
  made->runs.assign(runs.begin(), runs.end());
  made->bytes = std::transform_reduce(copies.begin(), copies.end(), std::size_t{0}, std::plus<>(),
                                      [](const copy& c) { return c.bytes; });
  return batch(std::move(made));
}

}  // namespace convoy
