#include "ascendcl_layout.h"

#include <acl/acl_rt_api.h>
