/* Media preprocessing, of which Convoy has no functions: for programs that include this header and
   call none of them. */
#ifndef CONVOY_ACL_DVPP_H
#define CONVOY_ACL_DVPP_H

#include <acl/acl.h>

#endif
