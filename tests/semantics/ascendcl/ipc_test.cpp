#include <array>
#include <csignal>
#include <cstring>

#include "support/ascendcl.hpp"
#include "support/own_process.hpp"
#include "support/second_process.hpp"

namespace convoy::test {
namespace {

constexpr std::size_t all = 4096;
using key_text = std::array<char, 65>;
constexpr std::uint64_t open_to_all = ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION;

// Imports a key, sends whether the memory has the expected bytes, and overwrites them.
const role imports("acl_imports", [](message_pipe& parent) {
  must_acl(aclrtSetDevice(0));
  const auto key = parent.receive<key_text>();
  void* imported = nullptr;
  const aclError code = aclrtIpcMemImportByKey(&imported, key.data(), 0);
  parent.send(code);
  if (code != ACL_SUCCESS) return;
  parent.send(contents_of(imported, all) == numbered(all));
  put(imported, numbered(all, 5));
  parent.send(aclrtIpcMemClose(key.data()));
});

// Sends its PID, then imports a key.
const role imports_as_named("acl_imports_as_named", [](message_pipe& parent) {
  must_acl(aclrtSetDevice(0));
  std::int32_t pid = 0;
  must_acl(aclrtDeviceGetBareTgid(&pid));
  parent.send(pid);
  const auto key = parent.receive<key_text>();
  void* imported = nullptr;
  parent.send(aclrtIpcMemImportByKey(&imported, key.data(), 1));
});

// Waits in a stream for an event of the first process.
const role waits("acl_waits", [](message_pipe& parent) {
  must_acl(aclrtSetDevice(0));
  aclrtEvent event = nullptr;
  must_acl(aclrtIpcOpenEventHandle(parent.receive<aclrtIpcEventHandle>(), &event));
  must_acl(aclrtStreamWaitEvent(nullptr, event));
  parent.send(aclrtSynchronizeStreamWithTimeout(nullptr, short_wait_ms));
  must_acl(aclrtSynchronizeStream(nullptr));
  parent.send(true);
  must_acl(aclrtDestroyEvent(event));
});

class AclIpc : public AclTest {
 protected:
  key_text exported(std::uint64_t flags) {
    key_text key = {};
    must_acl(aclrtIpcMemGetExportKey(shared_.data(), all, key.data(), key.size(), flags));
    return key;
  }
  acl_memory shared_ = on_device(numbered(all));
};

TEST_F(AclIpc, ProcessesShareBytes) {
  second_process other("acl_imports");

  other.send(exported(open_to_all));

  EXPECT_EQ(other.receive<aclError>(), ACL_SUCCESS);
  EXPECT_TRUE(other.receive<bool>());
  EXPECT_EQ(other.receive<aclError>(), ACL_SUCCESS);
  EXPECT_EQ(contents_of(shared_), numbered(all, 5));
}

TEST_F(AclIpc, UnlistedProcessIsRefused) {
  second_process other("acl_imports");

  other.send(exported(ACL_RT_IPC_MEM_EXPORT_FLAG_DEFAULT));

  EXPECT_EQ(other.receive<aclError>(), ACL_ERROR_RT_NO_PERMISSION);
}

TEST_F(AclIpc, ListedProcessMayImport) {
  second_process other("acl_imports_as_named");
  const key_text key = exported(ACL_RT_IPC_MEM_EXPORT_FLAG_DEFAULT);
  std::int32_t pid = other.receive<std::int32_t>();

  EXPECT_ACL_OK(aclrtIpcMemSetImportPid(key.data(), &pid, 1));
  other.send(key);

  EXPECT_EQ(other.receive<aclError>(), ACL_SUCCESS);
}

// On an A3, which can be connected to other servers.
class AclServers : public own_process {
 protected:
  static void begin() {
    ::setenv("CONVOY_SOC", "Ascend910_9391", 1);
    must_acl(aclrtSetDevice(0));
  }
  static key_text exported(const acl_memory& shared) {
    key_text key = {};
    must_acl(aclrtIpcMemGetExportKey(shared.data(), shared.size(), key.data(), key.size(), 0));
    return key;
  }
};

TEST_F(AclServers, ProcessesOfListedServersMayImport) {
  const auto import_by_server = [] {
    const acl_memory shared = on_device(numbered(all));
    const key_text key = exported(shared);
    second_process other("acl_imports_as_named");
    std::int32_t unused_pid = 1;
    std::int32_t pid = other.receive<std::int32_t>();
    std::array servers{aclrtServerPid{7, &unused_pid, 1}, aclrtServerPid{0, &pid, 1}};
    must_acl(aclrtIpcMemImportPidInterServer(key.data(), servers.data(), servers.size()));
    other.send(key);
    return other.receive<aclError>() == ACL_SUCCESS;
  };

  EXPECT_EXIT((begin(), end_well_if(import_by_server())), ended_well, "");
}

TEST_F(AclServers, ArgumentsAreChecked) {
  const auto refuses_the_rest = [] {
    const acl_memory shared = on_device(zeros(all));
    const key_text key = exported(shared);
    std::int32_t pid = 1;
    aclrtServerPid good{0, &pid, 1};
    aclrtServerPid bad{0, nullptr, 1};
    const auto name = aclrtIpcMemImportPidInterServer;
    return name(key.data(), nullptr, 1) == ACL_ERROR_INVALID_PARAM &&
           name(key.data(), &good, 0) == ACL_ERROR_INVALID_PARAM &&
           name(key.data(), &bad, 1) == ACL_ERROR_INVALID_PARAM &&
           name("nonsense", &good, 1) == ACL_ERROR_RT_PARAM_INVALID;
  };

  EXPECT_EXIT((begin(), end_well_if(refuses_the_rest())), ended_well, "");
}

TEST_F(AclServers, LinkNeedsExportedKey) {
  const auto takes_links_alone = [] {
    const acl_memory shared = on_device(zeros(all));
    const key_text key = exported(shared);
    key_text unknown = key;
    unknown[40] = unknown[40] == '0' ? '1' : '0';
    const auto choose = [](const key_text& text, int type, std::uint64_t link) {
      return aclrtIpcMemSetAttr(text.data(), static_cast<aclrtIpcMemAttrType>(type), link);
    };
    return choose(key, 0, ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_SIO) == ACL_SUCCESS &&
           choose(key, 0, ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_HCCS) == ACL_SUCCESS &&
           choose(key, 1, 0) == ACL_ERROR_RT_PARAM_INVALID &&
           choose(key, 0, 2) == ACL_ERROR_RT_PARAM_INVALID &&
           choose(unknown, 0, 0) == ACL_ERROR_RT_PARAM_INVALID;
  };

  EXPECT_EXIT((begin(), end_well_if(takes_links_alone())), ended_well, "");
}

TEST_F(AclIpc, ClosedKeyIsRefused) {
  second_process other("acl_imports");
  const key_text key = exported(open_to_all);

  EXPECT_ACL_OK(aclrtIpcMemClose(key.data()));
  other.send(key);

  EXPECT_EQ(other.receive<aclError>(), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(AclIpc, ExportChecksArguments) {
  const acl_memory host = on_host(zeros(8));
  key_text key = {};
  const auto make = [&](void* start, std::size_t size, std::size_t room, std::uint64_t flags) {
    return aclrtIpcMemGetExportKey(start, size, key.data(), room, flags);
  };

  EXPECT_EQ(make(nullptr, all, 65, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(make(shared_.data(), 0, 65, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(make(shared_.data(), all, 0, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(make(shared_.data(), all, 64, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(make(shared_.data(), all, 65, 2), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(make(shared_.data(), all * 2, 65, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(make(host.data(), 8, 65, 0), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(AclIpc, UnknownKeyIsRefused) {
  void* imported = nullptr;
  std::int32_t pid = 1;
  const key_text key = exported(open_to_all);

  EXPECT_EQ(aclrtIpcMemImportByKey(&imported, "nonsense", 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtIpcMemImportByKey(&imported, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtIpcMemImportByKey(&imported, key.data(), 2), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtIpcMemSetImportPid("nonsense", &pid, 1), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtIpcMemSetImportPid(key.data(), nullptr, 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtIpcMemClose("nonsense"), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(AclIpc, EventHoldsStreamOfOtherProcess) {
  const acl_event event = acl_event::newer(ACL_EVENT_IPC);
  const acl_stream stream;
  aclrtIpcEventHandle handle = {};
  must_acl(aclrtIpcGetEventHandle(event, &handle));
  second_process other("acl_waits");
  acl_gate closed(stream);
  must_acl(aclrtRecordEvent(event, stream));

  other.send(handle);

  EXPECT_EQ(other.receive<aclError>(), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  closed.open();
  EXPECT_TRUE(other.receive<bool>());
}

TEST_F(AclIpc, EventNeedsIpcFlag) {
  const acl_event event = acl_event::newer();
  aclrtIpcEventHandle handle = {};
  aclrtEvent imported = nullptr;

  EXPECT_EQ(aclrtIpcGetEventHandle(event, &handle), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtIpcGetEventHandle(nullptr, &handle), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtIpcOpenEventHandle(handle, &imported), ACL_ERROR_RT_IPC_ERROR);
}

class AclStreamValue : public AclTest {
 protected:
  static bytes bytes_of(std::uint64_t value) {
    bytes made(sizeof value);
    std::memcpy(made.data(), &value, sizeof value);
    return made;
  }
  acl_memory value_ = on_device(bytes_of(0));
};

TEST_F(AclStreamValue, WriteIsInStreamOrder) {
  acl_gate closed(nullptr);

  EXPECT_ACL_OK(aclrtValueWrite(value_.data(), 42, 0, nullptr));

  EXPECT_EQ(contents_of(value_), bytes_of(0));
  closed.open();
  EXPECT_ACL_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(contents_of(value_), bytes_of(42));
  EXPECT_EQ(aclrtValueWrite(nullptr, 42, 0, nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(AclStreamValue, WaitHoldsStreamUntilTestPasses) {
  const acl_stream waiting;
  const acl_stream writing;

  EXPECT_ACL_OK(aclrtValueWait(value_.data(), 5, ACL_STREAM_WAIT_VALUE_GEQ, waiting));

  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(waiting, short_wait_ms),
            ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_ACL_OK(aclrtValueWrite(value_.data(), 7, 0, writing));
  EXPECT_ACL_OK(aclrtSynchronizeStream(waiting));
  EXPECT_ACL_OK(aclrtValueWait(value_.data(), 7, ACL_STREAM_WAIT_VALUE_EQ, waiting));
  EXPECT_ACL_OK(aclrtValueWait(value_.data(), 2, ACL_STREAM_WAIT_VALUE_AND, waiting));
  EXPECT_ACL_OK(aclrtValueWait(value_.data(), 8, ACL_STREAM_WAIT_VALUE_NOR, waiting));
  EXPECT_ACL_OK(aclrtSynchronizeStream(waiting));
  EXPECT_EQ(aclrtValueWait(value_.data(), 7, 4, waiting), ACL_ERROR_RT_PARAM_INVALID);
}

}  // namespace
}  // namespace convoy::test
