#include "landing_fd.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "errors.hpp"

namespace convoy::python {

landing_fd::landing_fd() {
  const int descriptor = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (descriptor < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
  descriptor_ = std::shared_ptr<const int>(new int(descriptor), [](const int* open) {
    ::close(*open);
    delete open;
  });
}

void landing_fd::signal_after(stream_ref stream, ticket last) const {
  const auto signal = [open = descriptor_](const int* descriptor) {
    static_cast<void>(::eventfd_write(*descriptor, 1));
  };
  expect(keep_alive(stream, last, std::shared_ptr<const int>(descriptor_.get(), signal)));
}

}  // namespace convoy::python
