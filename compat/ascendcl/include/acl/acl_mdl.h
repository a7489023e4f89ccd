/* Models. Convoy runs none: the functions return ACL_ERROR_RT_FEATURE_NOT_SUPPORT. */
#ifndef CONVOY_ACL_MDL_H
#define CONVOY_ACL_MDL_H

#include <acl/acl_rt.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Dumps of operator data */
ACL_FUNC_VISIBILITY aclError aclmdlInitDump(void);
ACL_FUNC_VISIBILITY aclError aclmdlSetDump(const char* dumpCfgPath);
ACL_FUNC_VISIBILITY aclError aclmdlFinalizeDump(void);

#ifdef __cplusplus
}
#endif

#endif
