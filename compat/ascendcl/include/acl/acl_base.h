/* What all parts of AscendCL share. */
#ifndef CONVOY_ACL_BASE_H
#define CONVOY_ACL_BASE_H

#include <acl/acl_base_mdl.h>
#include <acl/acl_base_rt.h>

#endif
