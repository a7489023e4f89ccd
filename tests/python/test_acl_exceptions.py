"""Callbacks for failed steps."""

import sys
import threading

import pytest
from acl_support import COPY_DATA, INNER_DEVICE_TO_DEVICE, device_holding, must
from conftest import run_python

import acl


@pytest.fixture
def failures(acl_stream):
    """The failures that the callback was called with, for the duration of the test."""
    calls = []

    def callback(info):
        calls.append({
            "task": acl.rt.get_task_id_from_exception_info(info),
            "stream": acl.rt.get_stream_id_from_exception_info(info),
            "thread": acl.rt.get_thread_id_from_exception_info(info),
            "device": acl.rt.get_device_id_from_exception_info(info),
            "code": acl.rt.get_error_code_from_exception_info(info),
            "called_on": threading.get_native_id(),
        })

    must(acl.rt.set_exception_info_callback(callback))
    yield calls
    must(acl.rt.set_exception_info_callback(None))


def fail(stream):
    nonsense = device_holding(b"\x55" * 64)
    must(acl.rt.memcpy_async_with_desc(nonsense, INNER_DEVICE_TO_DEVICE, stream))
    task = must(acl.rt.get_thread_last_task_id())
    assert acl.rt.synchronize_stream(stream) == COPY_DATA
    must(acl.rt.free(nonsense))
    return task


def test_failed_step_calls_the_callback(acl_stream, failures):
    task = fail(acl_stream)

    assert len(failures) == 1
    assert failures[0]["task"] == task
    assert failures[0]["stream"] == must(acl.rt.stream_get_id(acl_stream))
    assert failures[0]["thread"] == failures[0]["called_on"]
    assert failures[0]["device"] == 0
    assert failures[0]["code"] == COPY_DATA


def test_second_callback_replaces_the_first(acl_stream, failures):
    others = []
    must(acl.rt.set_exception_info_callback(others.append))
    fail(acl_stream)

    assert failures == []
    assert len(others) == 1


def test_none_removes_callback_and_releases_it(acl_stream):
    calls = []
    function = calls.append
    before = sys.getrefcount(function)
    must(acl.rt.set_exception_info_callback(function))
    must(acl.rt.set_exception_info_callback(None))
    fail(acl_stream)

    assert calls == []
    assert sys.getrefcount(function) == before


def test_callback_may_remove_itself(acl_stream):
    calls = []

    def callback(info):
        calls.append(info)
        must(acl.rt.set_exception_info_callback(None))

    must(acl.rt.set_exception_info_callback(callback))
    fail(acl_stream)
    fail(acl_stream)

    assert len(calls) == 1


def test_raising_callback_is_reported(acl_stream, monkeypatch):
    reported = []
    monkeypatch.setattr("sys.unraisablehook", lambda problem: reported.append(problem.exc_type))
    must(acl.rt.set_exception_info_callback(lambda info: 1 / 0))
    fail(acl_stream)
    must(acl.rt.set_exception_info_callback(None))

    assert reported == [ZeroDivisionError]


def test_no_info_has_no_numbers():
    assert acl.rt.get_task_id_from_exception_info(0) == 0xFFFFFFFF
    assert acl.rt.get_error_code_from_exception_info(0) == 0xFFFFFFFF


def test_interpreter_may_exit_while_steps_fail():
    run_python("""
import acl
acl.rt.set_device(0)
stream, _ = acl.rt.create_stream()
nonsense, _ = acl.rt.malloc(64, 0)
acl.rt.memset(nonsense, 64, 0x55, 64)
acl.rt.set_exception_info_callback(lambda info: None)
for _ in range(2000):
    acl.rt.memcpy_async_with_desc(nonsense, 6, stream)
""")
