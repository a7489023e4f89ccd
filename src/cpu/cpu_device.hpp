// The default device: copies with the processor, at memory bandwidth, over all workers.
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

  status run(const copy_work& work) override;
  status run(const pitched_copy& work) override;
  status fill(const pitched& where, const box& extent, fill_pattern pattern) override;
  status reduce(const reduction& work) override;
  [[nodiscard]] bool calls_nobody() const noexcept override { return true; }

 private:
  kernel_choice choose_for(const copy_work& work);
  kernel_choice choose_for(const batch_shape& shape, const footprint& area);

  threads::worker_pool& workers_;
  const os::processor processor_;
  reuse_history reuse_;
};

}  // namespace convoy::cpu
