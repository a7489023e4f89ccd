"""The cost of a call from Python compared with the same call from C++; no bytes are moved.

Usage: python_calls.py PEER     the library of python_peer.cpp

Every stream is held, so that nothing runs beside the calls. The two languages alternate, and the
tenth percentile of the rounds is reported: other load only ever adds time.
"""

import contextlib
import ctypes
import sys
import threading
import time
from itertools import repeat

import numpy as np

import acl
import convoy

ROUNDS = 60
COPIES = 100_000
BLOCK = 64
CALLS = 1000
HOST_TO_DEVICE = 1


def load_peer(path):
    peer = ctypes.CDLL(path)
    word, pointer = ctypes.c_uint64, ctypes.c_void_p
    peer.submit_batch.argtypes = [word, pointer, pointer, pointer, word]
    peer.copy_asynchronously.argtypes = [pointer, pointer, pointer, word, word]
    peer.submit_batch.restype = peer.copy_asynchronously.restype = ctypes.c_double
    return peer


@contextlib.contextmanager
def held_stream():
    """A stream whose first step waits until the end of the block; later steps are dropped."""
    opened, arrived = threading.Event(), threading.Event()
    stream = convoy.device(0).stream()
    stream.call(lambda: (arrived.set(), opened.wait()))
    arrived.wait()
    try:
        yield stream
    finally:
        stream.abort()
        opened.set()
        with contextlib.suppress(convoy.Aborted):
            stream.synchronize()
        stream.close()


@contextlib.contextmanager
def held_acl_stream():
    stream, _ = acl.rt.create_stream()
    event, _ = acl.rt.create_event_with_flag(1)
    acl.rt.stream_wait_event(stream, event)
    try:
        yield stream
    finally:
        acl.rt.stream_abort(stream)
        acl.rt.destroy_stream(stream)
        acl.rt.destroy_event(event)


def timed(call):
    start = time.perf_counter_ns()
    call()
    return time.perf_counter_ns() - start


def best_tenth(times):
    return sorted(times)[len(times) // 10]


def compare(rounds, python, native):
    """Nanoseconds of each; the two alternate."""
    pairs = [(python(), native()) for _ in range(rounds)]
    return tuple(best_tenth(column) for column in zip(*pairs))


def scattered(start, random):
    return np.uint64(start) + random.permutation(COPIES).astype(np.uint64) * np.uint64(BLOCK)


def batch_of_addresses(peer):
    random = np.random.default_rng(1)
    host, device = convoy.pinned(COPIES * BLOCK), convoy.device(0).buffer(COPIES * BLOCK)
    dsts, srcs = scattered(device.address, random), scattered(host.address, random)
    sizes = np.full(COPIES, BLOCK, np.uint64)

    def python():
        with held_stream() as stream:
            stream.copy_batch(dsts, srcs, sizes)  # the first one finds cold memory
            stream.abort()
            return timed(lambda: stream.copy_batch(dsts, srcs, sizes))

    def native():
        with held_stream() as stream:
            arguments = stream.handle, dsts.ctypes.data, srcs.ctypes.data, sizes.ctypes.data, COPIES
            peer.submit_batch(*arguments)
            stream.abort()
            return peer.submit_batch(*arguments)

    return compare(ROUNDS, python, native)


def batch_of_arrays(peer):
    dsts = [np.zeros(BLOCK, np.uint8) for _ in range(COPIES)]
    srcs = [np.zeros(BLOCK, np.uint8) for _ in range(COPIES)]
    dst_addresses, src_addresses = (np.array([each.ctypes.data for each in arrays], np.uint64)
                                    for arrays in (dsts, srcs))
    sizes = np.full(COPIES, BLOCK, np.uint64)

    def python():
        with held_stream() as stream:
            return timed(lambda: stream.copy_batch(dsts, srcs))

    def native():
        with held_stream() as stream:
            return peer.submit_batch(stream.handle, dst_addresses.ctypes.data,
                                     src_addresses.ctypes.data, sizes.ctypes.data, COPIES)

    return compare(ROUNDS // 3, python, native)


def single_copies(peer):
    acl.init()
    acl.rt.set_device(0)
    host, device = acl.rt.malloc_host(BLOCK)[0], acl.rt.malloc(BLOCK, 0)[0]

    def calls(stream):
        copy = acl.rt.memcpy_async
        for _ in repeat(None, CALLS):
            copy(device, BLOCK, host, BLOCK, HOST_TO_DEVICE, stream)

    def python():
        with held_acl_stream() as stream:
            return timed(lambda: calls(stream))

    def native():
        with held_acl_stream() as stream:
            return peer.copy_asynchronously(stream, device, host, BLOCK, CALLS)

    return compare(ROUNDS * 3, python, native)


def main(path):
    peer = load_peer(path)
    rows = [
        (f"{COPIES} copies as arrays of addresses", batch_of_addresses(peer), COPIES),
        (f"{COPIES} copies as lists of arrays", batch_of_arrays(peer), COPIES),
        ("one acl.rt.memcpy_async", single_copies(peer), CALLS),
    ]
    print(f"{'':38} {'Python':>10} {'C++':>10} {'ratio':>7} {'over C++':>12}")
    for name, (python, native), count in rows:
        print(f"{name:38} {python / count:7.1f} ns {native / count:7.1f} ns "
              f"{python / native:7.2f} {(python - native) / count:9.1f} ns")


if __name__ == "__main__":
    main(sys.argv[1])
