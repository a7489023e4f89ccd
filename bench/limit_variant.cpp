// The kernels alone, with no runtime around them: the batch is split beforehand, the threads spin
// already, and a cursor is all they share.

#include <algorithm>
#include <memory>

#include "os/process.hpp"
#include "shared/bare_kernels.hpp"
#include "variant.hpp"

namespace convoy::bench {
namespace {

class limit {
 public:
  void wake(const workload& work) {
    next_ = 0;
    if (prepared_ != work.name) {
      batches_.clear();
      for (const auto& batch : work.batches)
        batches_.push_back({tools::split(batch), tools::convoys_kernels(batch)});
      prepared_ = work.name;
    }
    team_.wake();
  }

  void run() {
    const prepared_batch& batch = batches_[next_];
    next_ = (next_ + 1) % batches_.size();
    tools::copy_together(team_, batch.pieces, batch.kernels);
  }

  void park() { team_.park(); }

 private:
  struct prepared_batch {
    tools::split_batch pieces;
    cpu::kernel_choice kernels;
  };

  tools::thread_team team_{std::max(os::cpu_count(), 2)};
  std::string prepared_;
  std::vector<prepared_batch> batches_;
  std::size_t next_ = 0;
};

const bool added = add_variant([]() -> variant_or_reason {
  const auto state = std::make_shared<limit>();
  return variant{.name = "limit",
                 .kind = family::limit,
                 .run = [state](auto) { state->run(); },
                 .wake = [state](const workload& work) { state->wake(work); },
                 .park = [state] { state->park(); }};
});

}  // namespace
}  // namespace convoy::bench
