"""A copy whose source, destination and length are read from device memory when it runs.

python examples/python/descriptor_copy.py
"""

import acl

ACL_SUCCESS = 0
ACL_MEM_MALLOC_HUGE_FIRST = 0
ACL_MEMCPY_HOST_TO_DEVICE = 1
ACL_MEMCPY_DEVICE_TO_HOST = 2
ACL_MEMCPY_INNER_DEVICE_TO_DEVICE = 6

DEVICE_ID = 0
SIZE = 1024


def check_ret(message, ret):
    if ret != ACL_SUCCESS:
        raise RuntimeError(f"{message} failed, ret={ret}: {acl.get_recent_err_msg()}")


def main():
    check_ret("acl.init", acl.init())
    check_ret("acl.rt.set_device", acl.rt.set_device(DEVICE_ID))
    context, ret = acl.rt.create_context(DEVICE_ID)
    check_ret("acl.rt.create_context", ret)
    stream, ret = acl.rt.create_stream()
    check_ret("acl.rt.create_stream", ret)

    desc_size, ret = acl.rt.get_memcpy_desc_size(ACL_MEMCPY_INNER_DEVICE_TO_DEVICE)
    check_ret("acl.rt.get_memcpy_desc_size", ret)
    src, ret = acl.rt.malloc(SIZE, ACL_MEM_MALLOC_HUGE_FIRST)
    check_ret("acl.rt.malloc", ret)
    dst, ret = acl.rt.malloc(SIZE, ACL_MEM_MALLOC_HUGE_FIRST)
    check_ret("acl.rt.malloc", ret)
    desc, ret = acl.rt.malloc(desc_size, ACL_MEM_MALLOC_HUGE_FIRST)
    check_ret("acl.rt.malloc", ret)

    content = bytes(i % 251 for i in range(SIZE))
    ret = acl.rt.memcpy(src, SIZE, acl.util.bytes_to_ptr(content), SIZE, ACL_MEMCPY_HOST_TO_DEVICE)
    check_ret("acl.rt.memcpy", ret)

    desc, ret = acl.rt.set_memcpy_desc(desc, ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, src, dst, SIZE, 0)
    check_ret("acl.rt.set_memcpy_desc", ret)
    ret = acl.rt.memcpy_async_with_desc(desc, ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, stream)
    check_ret("acl.rt.memcpy_async_with_desc", ret)
    check_ret("acl.rt.synchronize_stream", acl.rt.synchronize_stream(stream))

    host, ret = acl.rt.malloc_host(SIZE)
    check_ret("acl.rt.malloc_host", ret)
    check_ret("acl.rt.memcpy", acl.rt.memcpy(host, SIZE, dst, SIZE, ACL_MEMCPY_DEVICE_TO_HOST))
    same = acl.util.ptr_to_bytes(host, SIZE) == content

    check_ret("acl.rt.free_host", acl.rt.free_host(host))
    for pointer in (src, dst, desc):
        check_ret("acl.rt.free", acl.rt.free(pointer))
    check_ret("acl.rt.destroy_stream", acl.rt.destroy_stream(stream))
    check_ret("acl.rt.destroy_context", acl.rt.destroy_context(context))
    check_ret("acl.rt.reset_device", acl.rt.reset_device(DEVICE_ID))
    check_ret("acl.finalize", acl.finalize())
    print(f"{SIZE} bytes copied by a descriptor of {desc_size} bytes: {'same' if same else 'different'}")
    return 0 if same else 1


if __name__ == "__main__":
    raise SystemExit(main())
