// The default device: copies with the CPU, large work on all workers. Work has landed when start()
// returns.
#pragma once

#include "cpu/kernels.hpp"
#include "cpu/reuse_history.hpp"
#include "os/cpu_features.hpp"
#include "seam/device.hpp"
#include "threads/worker_pool.hpp"

namespace convoy::cpu {

class cpu_device final : public device_port {
 public:
  explicit cpu_device(threads::worker_pool& workers)
      : workers_(workers), processor_(os::this_processor()), reuse_(processor_) {}

  started_work start(const copy_work& work, completion& /*unused*/) override { return run(work); }
  started_work start(const pitched_copy& work, completion& /*unused*/) override {
    return run(work);
  }
  started_work start_fill(const pitched& target, const box& extent, fill_pattern pattern,
                          completion& /*unused*/) override {
    return fill(target, extent, pattern);
  }
  started_work start_reduce(const reduction& work, completion& /*unused*/) override {
    return reduce(work);
  }
  [[nodiscard]] bool completes_inline() const noexcept override { return true; }

 private:
  status run(const copy_work& work);
  status run(const pitched_copy& work);
  status fill(const pitched& target, const box& extent, fill_pattern pattern);
  status reduce(const reduction& work);
  kernel_choice choose_for(const copy_work& work);
  kernel_choice choose_for(const batch_shape& shape, const footprint& area);

  threads::worker_pool& workers_;
  const os::processor processor_;
  reuse_history reuse_;
};

}  // namespace convoy::cpu
