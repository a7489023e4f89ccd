#include "bell.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "errors.hpp"

namespace convoy::python {

bell::bell() {
  const int made = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (made < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
  descriptor_ = std::shared_ptr<const int>(new int(made), [](const int* open) {
    ::close(*open);
    delete open;
  });
}

void bell::ring_after(stream_ref stream, ticket last) const {
  const auto ring = [kept = descriptor_](const int* to) {
    static_cast<void>(::eventfd_write(*to, 1));
  };
  expect(keep_alive(stream, last, std::shared_ptr<const int>(descriptor_.get(), ring)));
}

}  // namespace convoy::python
