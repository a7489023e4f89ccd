// What the kernels reach with no runtime around them: the batch is split beforehand, the threads
// spin already, and an atomic cursor is all they share.

#include <algorithm>
#include <atomic>
#include <memory>

#include "cpu/kernels.hpp"
#include "team.hpp"
#include "variant.hpp"

namespace convoy::bench {
namespace {

constexpr std::size_t unit_bytes = std::size_t{128} << 10;
constexpr std::size_t piece_bytes = std::size_t{512} << 10;

struct split_batch {
  std::vector<copy> copies;
  std::size_t per_unit = 1;
  cpu::kernel_choice choice;
};

split_batch split(const std::vector<copy>& batch, const os::processor& on) {
  split_batch made;
  cpu::batch_shape shape;
  for (const copy& c : batch) {
    shape.add(c);
    for (std::size_t at = 0; at < c.bytes; at += piece_bytes)
      made.copies.push_back({static_cast<std::byte*>(c.dst) + at,
                             static_cast<const std::byte*>(c.src) + at,
                             std::min(piece_bytes, c.bytes - at)});
  }
  const std::size_t average = std::max<std::size_t>(shape.bytes / made.copies.size(), 1);
  const std::size_t eighth =
      shape.bytes <= unit_bytes ? made.copies.size() : made.copies.size() / 8;
  made.per_unit =
      std::clamp<std::size_t>(unit_bytes / average, 1, std::max<std::size_t>(eighth, 1));
  made.choice = cpu::choose(shape, on);
  return made;
}

class limit {
 public:
  void prepare(const workload& work) {
    next_ = 0;
    if (prepared_ != work.name) {
      batches_.clear();
      for (const auto& batch : work.batches) batches_.push_back(split(batch, processor_));
      prepared_ = work.name;
    }
    team_.wake();
  }

  void run() {
    const split_batch& batch = batches_[next_];
    next_ = (next_ + 1) % batches_.size();
    const std::size_t count = batch.copies.size();
    if (count <= batch.per_unit) return copy_range(batch, 0, count);
    cursor_ = 0;
    team_.together([&] {
      for (std::size_t first; (first = cursor_.fetch_add(batch.per_unit)) < count;)
        copy_range(batch, first, std::min(first + batch.per_unit, count));
    });
  }

  void rest() { team_.rest(); }

 private:
  static void copy_range(const split_batch& batch, std::size_t first, std::size_t last) {
    volatile std::size_t progress = 0;
    cpu::copy_scattered(batch.copies, first, last, batch.choice, &progress);
  }

  os::processor processor_ = os::this_processor();
  team team_{std::max(std::thread::hardware_concurrency(), 2U) - 1};
  std::string prepared_;
  std::vector<split_batch> batches_;
  std::size_t next_ = 0;
  std::atomic<std::size_t> cursor_ = 0;
};

const bool added = add_variant([]() -> variant_or_reason {
  const auto state = std::make_shared<limit>();
  return variant{.name = "limit",
                 .kind = family::limit,
                 .run = [state](auto) { state->run(); },
                 .wake = [state](const workload& work) { state->prepare(work); },
                 .park = [state] { state->rest(); }};
});

}  // namespace
}  // namespace convoy::bench
