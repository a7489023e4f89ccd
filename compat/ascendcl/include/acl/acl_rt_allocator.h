/* Handle types for allocators that programs register. */
#ifndef CONVOY_ACL_RT_ALLOCATOR_H
#define CONVOY_ACL_RT_ALLOCATOR_H

#include <acl/acl_base.h>

typedef void* aclrtAllocator;
typedef void* aclrtAllocatorDesc;
typedef void* aclrtAllocatorBlock;
typedef void* aclrtAllocatorAddr;

#endif
