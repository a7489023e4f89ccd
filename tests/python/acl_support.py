"""Shared by the tests of acl: the constants that every program defines, and a gate."""

import contextlib

from conftest import WaitingCall

import acl

SUCCESS = 0
INVALID_PARAM = 100000
REPEAT_INITIALIZE = 100002
RT_PARAM_INVALID = 107000
RT_INVALID_DEVICE = 107001
RT_INVALID_HANDLE = 107017
RT_NOT_SUPPORTED = 207000
STREAM_SYNC_TIMEOUT = 507046
COPY_DATA = 507052
SIZE_MAX = 2**64 - 1

HOST_TO_DEVICE, DEVICE_TO_HOST, DEVICE_TO_DEVICE, INNER_DEVICE_TO_DEVICE = 1, 2, 3, 6
HUGE_FIRST = 0
EVENT_SYNC, EVENT_TIME_LINE = 1, 8

TO_DEVICE = {"dst_loc": {"id": 0, "type": 1}, "src_loc": {"id": 0, "type": 0}}
TO_HOST = {"dst_loc": {"id": 0, "type": 0}, "src_loc": {"id": 0, "type": 1}}


def must(answer):
    """The outputs of a call that has to succeed."""
    *outputs, ret = answer if isinstance(answer, tuple) else (answer,)
    assert ret == SUCCESS, f"{ret}: {acl.get_recent_err_msg()}"
    return outputs[0] if len(outputs) == 1 else tuple(outputs)


def device_holding(content):
    pointer = must(acl.rt.malloc(len(content), HUGE_FIRST))
    must(acl.rt.memcpy(pointer, len(content), acl.util.bytes_to_ptr(content), len(content),
                       HOST_TO_DEVICE))
    return pointer


def contents(pointer, size):
    found = bytes(bytearray(size))
    must(acl.rt.memcpy(acl.util.bytes_to_ptr(found), size, pointer, size, DEVICE_TO_HOST))
    return found


def waiting_call(call, *arguments):
    """A call that blocks, in a thread that uses device 0."""
    return WaitingCall(lambda: call(*arguments), prepare=lambda: must(acl.rt.set_device(0)))


@contextlib.contextmanager
def gate(stream):
    """Holds a stream from here to the end of the block."""
    event = must(acl.rt.create_event_with_flag(EVENT_SYNC))
    opener = must(acl.rt.create_stream())
    must(acl.rt.stream_wait_event(stream, event))
    try:
        yield
    finally:
        must(acl.rt.record_event(event, opener))
        must(acl.rt.synchronize_stream(opener))
        must(acl.rt.synchronize_stream(stream))
        must(acl.rt.destroy_event(event))
        must(acl.rt.destroy_stream(opener))
