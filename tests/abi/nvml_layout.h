/* Sizes, offsets and values of nvml.h, which programs were compiled against. */
#include <assert.h>
#include <nvml.h>
#include <stddef.h>

#define EXPECT_SIZE(type, size) static_assert(sizeof(type) == (size), #type)
#define EXPECT_OFFSET(type, field, at) \
  static_assert(offsetof(type, field) == (at), #type "." #field)
#define EXPECT_VALUE(name, value) static_assert((unsigned)(name) == (value), #name)

EXPECT_SIZE(nvmlPciInfo_t, 68);
EXPECT_OFFSET(nvmlPciInfo_t, domain, 16);
EXPECT_OFFSET(nvmlPciInfo_t, pciSubSystemId, 32);
EXPECT_OFFSET(nvmlPciInfo_t, busId, 36);
EXPECT_SIZE(nvmlPciInfoExt_t, 64);
EXPECT_OFFSET(nvmlPciInfoExt_t, busId, 32);
EXPECT_SIZE(nvmlUtilization_t, 8);
EXPECT_SIZE(nvmlMemory_t, 24);
EXPECT_SIZE(nvmlMemory_v2_t, 40);
EXPECT_OFFSET(nvmlMemory_v2_t, total, 8);
EXPECT_SIZE(nvmlProcessInfo_v1_t, 16);
EXPECT_SIZE(nvmlProcessInfo_t, 24);
EXPECT_OFFSET(nvmlProcessInfo_t, gpuInstanceId, 16);
EXPECT_SIZE(nvmlProcessDetail_v1_t, 32);
EXPECT_SIZE(nvmlProcessDetailList_t, 24);
EXPECT_OFFSET(nvmlProcessDetailList_t, procArray, 16);
EXPECT_SIZE(nvmlUUID_t, 52);
EXPECT_SIZE(nvmlFieldValue_t, 40);
EXPECT_OFFSET(nvmlFieldValue_t, nvmlReturn, 28);
EXPECT_OFFSET(nvmlFieldValue_t, value, 32);

EXPECT_VALUE(nvmlMemory_v2, 0x2000028);
EXPECT_VALUE(nvmlUUID_v1, 0x1000034);
EXPECT_VALUE(nvmlPciInfoExt_v1, 0x1000040);
EXPECT_VALUE(nvmlProcessDetailList_v1, 0x1000018);
EXPECT_VALUE(NVML_ERROR_UNINITIALIZED, 1);
EXPECT_VALUE(NVML_ERROR_NOT_SUPPORTED, 3);
EXPECT_VALUE(NVML_ERROR_INSUFFICIENT_SIZE, 7);
EXPECT_VALUE(NVML_ERROR_ARGUMENT_VERSION_MISMATCH, 25);
EXPECT_VALUE(NVML_TOPOLOGY_HOSTBRIDGE, 30);
EXPECT_VALUE(NVML_P2P_CAPS_INDEX_NVLINK, 2);
EXPECT_VALUE(NVML_P2P_STATUS_NOT_SUPPORTED, 5);
