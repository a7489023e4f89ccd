#include "support/late_device.hpp"

#include "cpu/cpu_device.hpp"
#include "support/box_conformance.hpp"
#include "support/device_conformance.hpp"

namespace convoy::test {
namespace {

class late_subject {
 public:
  late_device& port() { return device_; }

 private:
  threads::worker_pool workers_{2, threads::thread_end::joined};
  cpu::cpu_device inner_{workers_};
  late_device device_{inner_};
  late_finisher finisher_{device_};
};

INSTANTIATE_TYPED_TEST_SUITE_P(Late, DeviceConformance, late_subject);
INSTANTIATE_TYPED_TEST_SUITE_P(Late, BoxConformance, late_subject);

}  // namespace
}  // namespace convoy::test
