// Functions of the program that are called when streams and devices change.
#pragma once

#include <acl/acl.h>

#include <convoy/ids.hpp>
#include <map>
#include <mutex>
#include <string>

#include "state/outcome.hpp"

namespace convoy::ascendcl {

// Callbacks by the name they were registered under.
template <class Function>
class watchers {
 public:
  outcome set(const char* name, Function function, void* argument) {
    if (name == nullptr || *name == '\0') return refused("regName is NULL or empty");
    const std::lock_guard held(mutex_);
    if (function == nullptr) {
      by_name_.erase(name);
    } else {
      by_name_[name] = {function, argument};
    }
    return {};
  }

  template <class... Facts>
  void tell(Facts... facts) {
    std::map<std::string, watcher> all;
    {
      const std::lock_guard held(mutex_);
      all = by_name_;
    }
    for (const auto& [name, each] : all) each.function(facts..., each.argument);
  }

 private:
  struct watcher {
    Function function = nullptr;
    void* argument = nullptr;
  };
  std::mutex mutex_;
  std::map<std::string, watcher> by_name_;
};

inline watchers<aclrtStreamStateCallback>& stream_watchers() {
  static auto* const all = new watchers<aclrtStreamStateCallback>;
  return *all;
}
inline watchers<aclrtDeviceStateCallback>& device_watchers() {
  static auto* const all = new watchers<aclrtDeviceStateCallback>;
  return *all;
}

inline void tell_stream_state(aclrtStream stream, aclrtStreamState state) {
  stream_watchers().tell(stream, state);
}
inline void tell_device_state(device_id device, aclrtDeviceState state) {
  device_watchers().tell(static_cast<std::uint32_t>(number(device)), state);
}

}  // namespace convoy::ascendcl
