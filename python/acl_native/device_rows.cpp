// acl.rt: devices, contexts, peers, errors.

#include <acl/acl.h>

#include "tables.hpp"

namespace convoy::python {

void add_device_rows(table& rows) {
  rows.insert(rows.end(),
              {
                  waiting_row<"set_device", aclrtSetDevice>(),
                  waiting_row<"reset_device", aclrtResetDevice>(),
                  waiting_row<"reset_device_force", aclrtResetDeviceForce>(),
                  row<"get_device", aclrtGetDevice, outputs<0>>(),
                  row<"get_device_count", aclrtGetDeviceCount, outputs<0>>(),
                  row<"get_run_mode", aclrtGetRunMode, outputs<0>>(),
                  waiting_row<"synchronize_device", aclrtSynchronizeDevice>(),
                  row<"create_context", aclrtCreateContext, outputs<0>>(),
                  waiting_row<"destroy_context", aclrtDestroyContext>(),
                  row<"set_context", aclrtSetCurrentContext>(),
                  row<"get_context", aclrtGetCurrentContext, outputs<0>>(),
                  row<"device_can_access_peer", aclrtDeviceCanAccessPeer, outputs<0>>(),
                  row<"device_enable_peer_access", aclrtDeviceEnablePeerAccess>(),
                  row<"device_disable_peer_access", aclrtDeviceDisablePeerAccess>(),
                  row<"device_peer_access_status", aclrtDevicePeerAccessStatus, outputs<2>>(),
                  row<"device_get_bare_tgid", aclrtDeviceGetBareTgid, outputs<0>>(),
                  row<"peek_at_last_error", aclrtPeekAtLastError>(),
                  row<"get_last_error", aclrtGetLastError>(),
                  row<"get_thread_last_task_id", aclrtGetThreadLastTaskId, outputs<0>>(),
              });
}

}  // namespace convoy::python
