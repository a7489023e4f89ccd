// Callbacks of the program for the creation and destruction of streams, and for setting and
// resetting devices.
#pragma once

#include <acl/acl.h>

#include <convoy/ids.hpp>
#include <map>
#include <mutex>
#include <string>

#include "shared/process_lifetime.hpp"
#include "state/call_status.hpp"
#include "state/visible_devices.hpp"

namespace convoy::ascendcl {

// Callbacks by registration name.
template <class Function>
class named_callbacks {
 public:
  call_status set(const char* name, Function function, void* argument) {
    if (name == nullptr || *name == '\0') return invalid_param("regName is NULL or empty");
    const std::lock_guard held(mutex_);
    if (function == nullptr) {
      by_name_.erase(name);
    } else {
      by_name_[name] = {function, argument};
    }
    return {};
  }

  template <class... Arguments>
  void call(Arguments... arguments) {
    std::map<std::string, entry> all;
    {
      const std::lock_guard held(mutex_);
      all = by_name_;
    }
    for (const auto& [name, each] : all) each.function(arguments..., each.argument);
  }

 private:
  struct entry {
    Function function = nullptr;
    void* argument = nullptr;
  };
  std::mutex mutex_;
  std::map<std::string, entry> by_name_;
};

inline named_callbacks<aclrtStreamStateCallback>& stream_state_callbacks() {
  return compat::process_object<named_callbacks<aclrtStreamStateCallback>>();
}
inline named_callbacks<aclrtDeviceStateCallback>& device_state_callbacks() {
  return compat::process_object<named_callbacks<aclrtDeviceStateCallback>>();
}

inline void notify_stream_state(aclrtStream stream, aclrtStreamState state) {
  stream_state_callbacks().call(stream, state);
}
inline void notify_device_state(device_id device, aclrtDeviceState state) {
  device_state_callbacks().call(static_cast<std::uint32_t>(program_devices().number_of(device)),
                                state);
}

}  // namespace convoy::ascendcl
