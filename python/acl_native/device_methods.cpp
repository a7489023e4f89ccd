// acl.rt: devices, contexts, peers, errors.

#include <acl/acl.h>

#include "method_tables.hpp"

namespace convoy::python {

void add_device_methods(method_table& methods) {
  methods.insert(methods.end(),
                 {
                     blocking_method<"set_device", aclrtSetDevice>(),
                     blocking_method<"reset_device", aclrtResetDevice>(),
                     blocking_method<"reset_device_force", aclrtResetDeviceForce>(),
                     method<"get_device", aclrtGetDevice, outputs<0>>(),
                     method<"get_device_count", aclrtGetDeviceCount, outputs<0>>(),
                     method<"get_run_mode", aclrtGetRunMode, outputs<0>>(),
                     blocking_method<"synchronize_device", aclrtSynchronizeDevice>(),
                     method<"create_context", aclrtCreateContext, outputs<0>>(),
                     blocking_method<"destroy_context", aclrtDestroyContext>(),
                     method<"set_context", aclrtSetCurrentContext>(),
                     method<"get_context", aclrtGetCurrentContext, outputs<0>>(),
                     method<"device_can_access_peer", aclrtDeviceCanAccessPeer, outputs<0>>(),
                     method<"device_enable_peer_access", aclrtDeviceEnablePeerAccess>(),
                     method<"device_disable_peer_access", aclrtDeviceDisablePeerAccess>(),
                     method<"device_peer_access_status", aclrtDevicePeerAccessStatus, outputs<2>>(),
                     method<"device_get_bare_tgid", aclrtDeviceGetBareTgid, outputs<0>>(),
                     method<"peek_at_last_error", aclrtPeekAtLastError>(),
                     method<"get_last_error", aclrtGetLastError>(),
                     method<"get_thread_last_task_id", aclrtGetThreadLastTaskId, outputs<0>>(),
                 });
}

}  // namespace convoy::python
