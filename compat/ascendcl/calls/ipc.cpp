// Device memory shared between processes.
#include <array>
#include <charconv>
#include <convoy/device.hpp>
#include <convoy/ipc.hpp>
#include <convoy/memory.hpp>
#include <cstring>
#include <map>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

#include "calls/memory.hpp"
#include "shared/process_lifetime.hpp"
#include "state/contexts.hpp"
#include "state/soc.hpp"

namespace convoy::ascendcl {
namespace {

constexpr std::size_t digits = 2 * sizeof(ipc_key::bytes);

void write_key(const ipc_key& key, char* into) {
  constexpr char digit[] = "0123456789abcdef";
  for (const std::uint8_t each : key.bytes) {
    *into++ = digit[each >> 4];
    *into++ = digit[each & 0xF];
  }
  *into = '\0';
}

lookup<ipc_key> read_key(const char* text) {
  if (text == nullptr) return invalid_param("key is NULL");
  const std::string_view given(text, ::strnlen(text, digits + 1));
  ipc_key key;
  for (std::size_t i = 0; given.size() == digits && i != key.bytes.size(); ++i) {
    const char* const digit_pair = given.data() + 2 * i;
    std::from_chars(digit_pair, digit_pair + 2, key.bytes[i], 16);
  }
  // Digits in upper case were not exported.
  std::array<char, digits + 1> exported;
  write_key(key, exported.data());
  if (given == exported.data()) return {key};
  return failed(ACL_ERROR_RT_PARAM_INVALID, "key is not an exported key");
}

call_status ipc_status(const status& s) {
  switch (s.code) {
    case errc::not_permitted: return failed(ACL_ERROR_RT_NO_PERMISSION, explain(s));
    case errc::invalid_handle:
    case errc::destroyed_handle: return failed(ACL_ERROR_RT_PARAM_INVALID, explain(s));
    default: return call_status_of(s);
  }
}

// Memory that this process has imported, by key.
class imported_memory_table {
 public:
  void add(const ipc_key& key, void* start) {
    const std::lock_guard held(mutex_);
    starts_.emplace(key.bytes, start);
  }
  // Null when nothing was imported with the key.
  void* remove(const ipc_key& key) {
    const std::lock_guard held(mutex_);
    const auto taken = starts_.extract(key.bytes);
    return taken.empty() ? nullptr : taken.mapped();
  }

 private:
  std::mutex mutex_;
  std::multimap<std::array<std::uint8_t, sizeof(ipc_key::bytes)>, void*> starts_;
};

imported_memory_table& imports() { return compat::process_object<imported_memory_table>(); }

call_status check(const export_call& e) {
  if (e.start == nullptr || e.key == nullptr)
    return missing_argument({{"devPtr", e.start}, {"key", e.key}});
  if (e.bytes == 0) return failed(ACL_ERROR_RT_PARAM_INVALID, "size is 0");
  if (e.capacity <= digits) {
    return failed(ACL_ERROR_RT_PARAM_INVALID,
                  "len is " + std::to_string(e.capacity) + ", a key takes 65 bytes");
  }
  if (e.flags > ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION) {
    return failed(ACL_ERROR_RT_PARAM_INVALID,
                  "flags is " + std::to_string(e.flags) + ", the call takes 0 or 1");
  }
  const auto attributes = locate(e.start);
  if (!attributes) return call_status_of(attributes.error());
  if (attributes->kind != memory_kind::device || e.bytes > attributes->bytes_left) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "the range is not device memory");
  }
  return {};
}

}  // namespace

call_status export_key(const export_call& e) {
  if (auto checked = check(e); !checked.ok()) return checked;
  const bool open = e.flags == ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION;
  const auto key = export_memory(e.start, open ? importers::anyone : importers::permitted);
  if (!key) return ipc_status(key.error());
  write_key(*key, e.key);
  return {};
}

call_status permit_processes(const char* text, const std::int32_t* processes, std::size_t count) {
  if (processes == nullptr || count == 0)
    return missing_argument({{"pid", processes}, {"num", count}});
  const auto key = read_key(text);
  return key ? ipc_status(permit(*key, {processes, count})) : key.error;
}

// All servers are this machine, so their processes are permitted alike.
call_status permit_servers(const char* text, const aclrtServerPid* servers, std::size_t count) {
  if (auto supported = require_unrecorded(feature::die_links); !supported.ok()) return supported;
  if (servers == nullptr || count == 0)
    return missing_argument({{"serverPids", servers}, {"num", count}});
  std::vector<std::int32_t> processes;
  for (const aclrtServerPid& each : std::span(servers, count)) {
    if (each.pid == nullptr || each.num == 0) {
      return missing_argument({{"pid of a server", each.pid}, {"num of a server", each.num}});
    }
    processes.insert(processes.end(), each.pid, each.pid + each.num);
  }
  return permit_processes(text, processes.data(), processes.size());
}

// The link has no effect.
call_status set_ipc_attribute(const char* text, aclrtIpcMemAttrType type, std::uint64_t value) {
  if (auto supported = require_unrecorded(feature::die_links); !supported.ok()) return supported;
  const auto key = read_key(text);
  if (!key) return key.error;
  if (type != ACL_RT_IPC_MEM_ATTR_ACCESS_LINK) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "type is not a known attribute");
  }
  if (value > ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_HCCS) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "attr is not a known link");
  }
  return ipc_status(permit(*key, {}));
}

call_status import_key(void** into, const char* text, std::uint64_t flags) {
  if (into == nullptr) return invalid_param("devPtr is NULL");
  if (flags > ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "flags is greater than 1");
  }
  const auto key = read_key(text);
  if (!key) return key.error;
  const auto current = current_context();
  if (!current) return current.error;
  const auto imported = import_memory(*key);
  if (!imported) return ipc_status(imported.error());
  const bool enable_peer = flags == ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS &&
                           imported->device != (*current)->device;
  if (enable_peer) static_cast<void>(device((*current)->device).enable_access(imported->device));
  imports().add(*key, imported->start);
  *into = imported->start;
  return {};
}

// In an importing process, unmaps the memory; in the exporting process, withdraws the key.
call_status close_key(const char* text) {
  const auto key = read_key(text);
  if (!key) return key.error;
  void* const imported = imports().remove(*key);
  return ipc_status(imported != nullptr ? close_imported(imported) : withdraw(*key));
}

}  // namespace convoy::ascendcl
