#include "cpu/cpu_device.hpp"

#include "support/box_conformance.hpp"
#include "support/device_conformance.hpp"

namespace convoy::test {
namespace {

class cpu_subject {
 public:
  device_port& port() { return device_; }

 private:
  threads::worker_pool workers_{2, threads::thread_end::joined};
  cpu::cpu_device device_{workers_};
};

INSTANTIATE_TYPED_TEST_SUITE_P(Cpu, DeviceConformance, cpu_subject);
INSTANTIATE_TYPED_TEST_SUITE_P(Cpu, BoxConformance, cpu_subject);

}  // namespace
}  // namespace convoy::test
