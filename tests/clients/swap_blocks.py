"""Moves 60,000 scattered blocks between host and device as inference servers do, through ctypes.

Usage: swap_blocks.py

The driver library is opened by its name, and every function is looked up with cuGetProcAddress,
once for a program written for CUDA 12.8 and once for 13.0. Ends with 0 when every byte is right.
"""
import ctypes
import random
import sys
from ctypes import byref, c_int, c_size_t, c_uint, c_uint64, c_void_p

BLOCKS = 60_000
BLOCK_BYTES = 256
IN_STREAM_ORDER = 1
NON_BLOCKING = 1


class Location(ctypes.Structure):
    _fields_ = [("type", c_int), ("id", c_int)]


class Attributes(ctypes.Structure):
    _fields_ = [("order", c_int), ("src_hint", Location), ("dst_hint", Location), ("flags", c_uint)]


class Driver:
    """The functions of the driver in the form that was current in a version of CUDA."""

    def __init__(self, version):
        self.version = version
        self.library = ctypes.CDLL("libcuda.so.1")
        self.call("cuInit", 0)

    def find(self, name):
        found, how = c_void_p(), c_int()
        answer = self.library.cuGetProcAddress_v2(name.encode(), byref(found), self.version,
                                                  c_uint64(0), byref(how))
        if answer != 0 or how.value != 0:
            sys.exit(f"{name} for {self.version}: {answer}, status {how.value}")
        return ctypes.CFUNCTYPE(c_int)(found.value)

    def call(self, name, *arguments):
        answer = self.find(name)(*arguments)
        if answer != 0:
            sys.exit(f"{name} for {self.version} answered {answer}")

    def enter_device(self, number):
        context = c_void_p()
        self.call("cuDevicePrimaryCtxRetain", byref(context), number)
        self.call("cuCtxSetCurrent", context)

    def make(self, name, *arguments):
        made = c_void_p()
        self.call(name, byref(made), *arguments)
        return made

    def submit(self, pairs, stream):
        """One batch for all of a mapping: (destination, source) addresses of blocks."""
        count = len(pairs)
        dsts = (c_uint64 * count)(*(dst for dst, _ in pairs))
        srcs = (c_uint64 * count)(*(src for _, src in pairs))
        sizes = (c_size_t * count)(*([BLOCK_BYTES] * count))
        attributes, first = Attributes(order=IN_STREAM_ORDER), c_size_t(0)
        arguments = [dsts, srcs, sizes, c_size_t(count), byref(attributes), byref(first),
                     c_size_t(1)]
        if self.version < 13000:
            arguments.append(byref(c_size_t()))
        self.call("cuMemcpyBatchAsync", *arguments, stream)


def swap_out_and_back(version):
    driver = Driver(version)
    driver.enter_device(0)
    total = BLOCKS * BLOCK_BYTES
    stream = driver.make("cuStreamCreate", NON_BLOCKING)
    device = driver.make("cuMemAlloc", c_size_t(total))
    host = driver.make("cuMemHostAlloc", c_size_t(total), 0)
    held = random.Random(version).randbytes(total)
    ctypes.memmove(host, held, total)
    places = random.Random(1).sample(range(BLOCKS), BLOCKS)
    out = [(device.value + place * BLOCK_BYTES, host.value + i * BLOCK_BYTES)
           for i, place in enumerate(places)]

    driver.submit(out, stream)
    driver.call("cuMemsetD8Async", host, 0, c_size_t(total), stream)
    driver.submit([(host_block, device_block) for device_block, host_block in out], stream)
    driver.call("cuStreamSynchronize", stream)

    if ctypes.string_at(host, total) != held:
        sys.exit(f"{version}: the blocks came back changed")
    driver.call("cuMemFree", device)
    driver.call("cuMemFreeHost", host)
    driver.call("cuStreamDestroy", stream)


for each in (12080, 13000):
    swap_out_and_back(each)
print(f"moved {BLOCKS} blocks out and back, in both forms")
