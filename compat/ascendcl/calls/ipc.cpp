// Device memory of other processes.
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
#include "state/contexts.hpp"
#include "state/models.hpp"

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

found<ipc_key> read_key(const char* text) {
  if (text == nullptr) return none<ipc_key>(refused("key is NULL"));
  const std::string_view all(text, ::strnlen(text, digits + 1));
  ipc_key key;
  for (std::size_t i = 0; all.size() == digits && i != key.bytes.size(); ++i) {
    const char* const at = all.data() + 2 * i;
    if (std::from_chars(at, at + 2, key.bytes[i], 16).ptr != at + 2) break;
    if (i + 1 == key.bytes.size()) return {key};
  }
  return none<ipc_key>(failed(ACL_ERROR_RT_PARAM_INVALID, "key is none that was exported"));
}

outcome ipc_outcome(const status& s) {
  switch (s.code) {
    case errc::not_permitted: return failed(ACL_ERROR_RT_NO_PERMISSION, explain(s));
    case errc::invalid_handle:
    case errc::destroyed_handle: return failed(ACL_ERROR_RT_PARAM_INVALID, explain(s));
    default: return outcome_of(s);
  }
}

// What this process has imported, by key.
class imports {
 public:
  static imports& only() {
    static auto* const made = new imports;
    return *made;
  }
  void add(const ipc_key& key, void* start) {
    const std::lock_guard held(mutex_);
    starts_.emplace(key.bytes, start);
  }
  // Null when nothing was imported by it.
  void* take(const ipc_key& key) {
    const std::lock_guard held(mutex_);
    const auto taken = starts_.extract(key.bytes);
    return taken.empty() ? nullptr : taken.mapped();
  }

 private:
  std::mutex mutex_;
  std::multimap<std::array<std::uint8_t, sizeof(ipc_key::bytes)>, void*> starts_;
};

outcome check(const export_call& e) {
  if (e.start == nullptr || e.key == nullptr) return refused("devPtr or key is NULL");
  const bool sound = e.bytes != 0 && e.room > digits &&
                     e.flags <= ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION;
  if (!sound) {
    return failed(ACL_ERROR_RT_PARAM_INVALID,
                  "size is 0, len has no room for 65 bytes, or flags is over 1");
  }
  const auto where = locate(e.start);
  if (!where) return outcome_of(where.error());
  if (where->kind != memory_kind::device || e.bytes > where->bytes_left) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "the range is not device memory");
  }
  return {};
}

}  // namespace

outcome export_key(const export_call& e) {
  if (auto sound = check(e); !sound.ok()) return sound;
  const bool open = e.flags == ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION;
  const auto key = export_memory(e.start, open ? importers::anyone : importers::permitted);
  if (!key) return ipc_outcome(key.error());
  write_key(*key, e.key);
  return {};
}

outcome permit_processes(const char* text, const std::int32_t* processes, std::size_t count) {
  if (processes == nullptr || count == 0) return refused("pid is NULL or num is 0");
  const auto key = read_key(text);
  return key ? ipc_outcome(permit(*key, {processes, count})) : key.why;
}

// The processes of all servers, of which there is one here.
outcome permit_servers(const char* text, const aclrtServerPid* servers, std::size_t count) {
  if (auto there = demand_lightly(feature::die_links); !there.ok()) return there;
  if (servers == nullptr || count == 0) return refused("serverPids is NULL or num is 0");
  std::vector<std::int32_t> processes;
  for (const aclrtServerPid& each : std::span(servers, count)) {
    if (each.pid == nullptr || each.num == 0) {
      return refused("pid of a server is NULL or its num is 0");
    }
    processes.insert(processes.end(), each.pid, each.pid + each.num);
  }
  return permit_processes(text, processes.data(), processes.size());
}

// Which link is used makes no difference here.
outcome set_ipc_attribute(const char* text, aclrtIpcMemAttrType type, std::uint64_t value) {
  if (auto there = demand_lightly(feature::die_links); !there.ok()) return there;
  const auto key = read_key(text);
  if (!key) return key.why;
  if (type != ACL_RT_IPC_MEM_ATTR_ACCESS_LINK) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "type is none of the attributes");
  }
  if (value > ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_HCCS) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "attr is none of the links");
  }
  return ipc_outcome(permit(*key, {}));
}

outcome import_key(void** into, const char* text, std::uint64_t flags) {
  if (into == nullptr) return refused("devPtr is NULL");
  if (flags > ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "flags is over 1");
  }
  const auto key = read_key(text);
  if (!key) return key.why;
  const auto now = current_context();
  if (!now) return now.why;
  const auto got = import_memory(*key);
  if (!got) return ipc_outcome(got.error());
  const bool peers =
      flags == ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS && got->device != (*now)->device;
  if (peers) static_cast<void>(device((*now)->device).enable_access(got->device));
  imports::only().add(*key, got->start);
  *into = got->start;
  return {};
}

// The importer gives the memory back, the exporter takes the key back.
outcome close_key(const char* text) {
  const auto key = read_key(text);
  if (!key) return key.why;
  void* const imported = imports::only().take(*key);
  return ipc_outcome(imported != nullptr ? close_imported(imported) : withdraw(*key));
}

}  // namespace convoy::ascendcl
