import sys
import threading

import numpy as np
import pytest
from acl_support import (EVENT_SYNC, EVENT_TIME_LINE, HUGE_FIRST, INVALID_PARAM, REPEAT_INITIALIZE,
                         RT_INVALID_DEVICE, STREAM_SYNC_TIMEOUT, contents, device_holding, gate,
                         must, waiting_call)
from conftest import run_python

import acl

pytestmark = pytest.mark.usefixtures("acl_device")


def test_program_initializes_and_finalizes_once():
    output = run_python("""
import acl
print(acl.init(), acl.init(), acl.finalize_reference(), acl.finalize(), acl.finalize())
""")

    assert output == f"0 {REPEAT_INITIALIZE} (1, 0) 0 100037\n"


def test_init_takes_no_path_or_one(tmp_path):
    path = tmp_path / "acl.json"
    path.write_text("{}")
    output = run_python(f"import acl; print(acl.init({str(path)!r}))")

    assert output == "0\n"
    with pytest.raises(TypeError):
        acl.init("a", "b")
    with pytest.raises(TypeError):
        acl.init(3)


def test_versions_are_reported():
    major, minor, patch = must(acl.get_version())
    assert (major, minor) >= (1, 15) and patch >= 0
    assert must(acl.get_cann_version(0))["version"]
    assert isinstance(must(acl.get_version_str("runtime")), str)


def test_context_selects_the_current_device():
    assert must(acl.rt.get_device_count()) >= 1
    before = must(acl.rt.get_context())
    context = must(acl.rt.create_context(1))
    assert must(acl.rt.get_context()) == context
    assert must(acl.rt.get_device()) == 1
    must(acl.rt.set_context(before))
    assert must(acl.rt.get_device()) == 0
    must(acl.rt.destroy_context(context))
    assert acl.rt.set_device(99) == RT_INVALID_DEVICE
    assert must(acl.rt.get_run_mode()) == 1


def test_list_numbers_visible_devices():
    output = run_python("""
import acl
acl.rt.set_device(1)
pointer, _ = acl.rt.malloc(64, 0)
print(acl.rt.get_device_count(), acl.rt.set_device(2), acl.rt.get_device(),
      acl.rt.pointer_get_attributes(pointer)[0]["location"]["id"])
""", CONVOY_DEVICES="4", ASCEND_RT_VISIBLE_DEVICES="3,1")

    assert output == f"(2, 0) {RT_INVALID_DEVICE} (1, 0) 1\n"


def test_every_memory_kind_allocates_and_frees():
    for pointer in (must(acl.rt.malloc(100, HUGE_FIRST)), must(acl.rt.malloc_align32(100, 0)),
                    must(acl.rt.malloc_cached(100, 0)), must(acl.rt.malloc_with_cfg(100, 0, {})),
                    must(acl.rt.malloc_with_cfg(100, 0, None)),
                    must(acl.rt.malloc_with_cfg(100, 0, {"attrs": [{"attr": 1, "value": 3}]}))):
        assert must(acl.rt.pointer_get_attributes(pointer))["location"] == {"id": 0, "type": 1}
        must(acl.rt.free(pointer))
    for pointer in must(acl.rt.malloc_host(100)), must(acl.rt.malloc_host_with_cfg(100, {})):
        assert must(acl.rt.pointer_get_attributes(pointer)) == {
            "location": {"id": 0, "type": 0}, "page_size": 4096, "rsv": [0, 0, 0, 0]}
        must(acl.rt.free_host(pointer))
    free, total = must(acl.rt.get_mem_info(1))
    assert 0 < free <= total


@pytest.mark.parametrize("cfg", [3, {"attrs": 3}, {"attrs": [3]}, {"attrs": [{"attr": "x"}]},
                                 {"attrs": [{"attr": 1, "value": "x"}]}])
def test_malformed_configuration_is_type_error(cfg):
    with pytest.raises(TypeError):
        acl.rt.malloc_with_cfg(100, 0, cfg)


def test_host_memory_is_registered_in_place():
    array = np.zeros(8192, np.uint8)
    start = -(-array.ctypes.data // 4096) * 4096

    must(acl.rt.host_register_v2(start, 4096, 0x10000000))
    assert must(acl.rt.pointer_get_attributes(start))["location"]["type"] == 0
    must(acl.rt.host_unregister(start))
    assert must(acl.rt.pointer_get_attributes(start))["location"]["type"] == 2
    device_pointer = must(acl.rt.host_register(start, 4096, 0))
    assert isinstance(device_pointer, int)
    must(acl.rt.host_unregister(start))


def test_events_order_and_time_streams(acl_stream):
    start, end = (must(acl.rt.create_event_with_flag(EVENT_SYNC | EVENT_TIME_LINE))
                  for _ in range(2))
    must(acl.rt.record_event(start, acl_stream))
    must(acl.rt.record_event(end, acl_stream))
    must(acl.rt.synchronize_event(end))

    assert must(acl.rt.query_event_status(end)) == 1
    assert must(acl.rt.event_elapsed_time(start, end)) >= 0
    assert must(acl.rt.event_get_timestamp(end)) > 0
    assert must(acl.rt.get_event_id(start)) != must(acl.rt.get_event_id(end))
    must(acl.rt.destroy_event(start))
    must(acl.rt.destroy_event(end))


def test_streams_have_attributes(acl_stream):
    must(acl.rt.set_stream_attribute(acl_stream, 3, {"userCustomTag": 5}))
    assert must(acl.rt.get_stream_attribute(acl_stream, 3)) == {"userCustomTag": 5}
    must(acl.rt.set_stream_attribute(acl_stream, 3, {"user_custom_tag": 6}))
    assert must(acl.rt.get_stream_attribute(acl_stream, 3)) == {"userCustomTag": 6}
    with pytest.raises(TypeError):
        acl.rt.set_stream_attribute(acl_stream, 3, {"userCustomTag": "x"})


def test_synchronize_with_timeout_ends(acl_stream):
    with gate(acl_stream):
        assert acl.rt.synchronize_stream_with_timeout(acl_stream, 1) == STREAM_SYNC_TIMEOUT


@pytest.mark.parametrize("wait", [
    acl.rt.synchronize_stream,
    lambda stream: acl.rt.synchronize_stream_with_timeout(stream, 60000),
    lambda stream: acl.rt.synchronize_device(),
])
def test_blocking_calls_release_the_gil(acl_stream, wait):
    with gate(acl_stream):
        waiting = waiting_call(wait, acl_stream)
        assert not waiting.returned

    assert waiting.result() == 0


def test_callbacks_run_in_report_thread(acl_stream):
    context = must(acl.rt.get_context())
    calls, stop = [], threading.Event()

    def process(arguments):
        acl.rt.set_context(arguments[0])
        while not stop.is_set():
            acl.rt.process_report(10)

    thread, ret = acl.util.start_thread(process, [context])
    assert ret == 0
    must(acl.rt.subscribe_report(thread, acl_stream))
    must(acl.rt.launch_callback(lambda given: calls.append((given, threading.get_ident())),
                                ["data"], 1, acl_stream))
    must(acl.rt.synchronize_stream(acl_stream))
    must(acl.rt.unsubscribe_report(thread, acl_stream))
    stop.set()

    assert acl.util.stop_thread(thread) == 0
    assert calls == [(["data"], thread)]


def test_a_callback_that_raises_is_reported(acl_stream, monkeypatch):
    reported = []
    monkeypatch.setattr("sys.unraisablehook", lambda problem: reported.append(problem.exc_type))
    stop = threading.Event()

    def process(arguments):
        acl.rt.set_device(0)
        while not stop.is_set():
            acl.rt.process_report(10)

    thread, _ = acl.util.start_thread(process, [])
    must(acl.rt.subscribe_report(thread, acl_stream))
    must(acl.rt.launch_callback(lambda given: 1 / 0, None, 1, acl_stream))
    acl.rt.synchronize_stream(acl_stream)
    must(acl.rt.unsubscribe_report(thread, acl_stream))
    stop.set()
    acl.util.stop_thread(thread)

    assert reported == [ZeroDivisionError]


def test_refused_callback_is_released(acl_stream):
    thing = object()
    before = sys.getrefcount(thing)

    assert acl.rt.launch_callback(print, thing, 9, acl_stream) == INVALID_PARAM

    assert sys.getrefcount(thing) == before


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_stop_thread_ends_endless_thread(monkeypatch):
    monkeypatch.setattr("acl._threads.GRACE_SECONDS", 0.01)
    started = threading.Event()

    def spin(arguments):
        started.set()
        while True:
            pass

    thread, _ = acl.util.start_thread(spin, [])
    started.wait()

    assert acl.util.stop_thread(thread) == 0
    assert acl.util.stop_thread(thread) == INVALID_PARAM


def test_start_thread_wants_a_function():
    with pytest.raises(TypeError):
        acl.util.start_thread(3, [])


def test_bytes_to_ptr_points_to_content():
    content = bytes(bytearray(b"content"))

    pointer = acl.util.bytes_to_ptr(content)

    assert acl.util.ptr_to_bytes(pointer, 7) == content
    for wrong in (bytearray(3), "text", 3, None):
        with pytest.raises(ValueError):
            acl.util.bytes_to_ptr(wrong)


def test_unreadable_memory_is_value_error():
    for pointer, size in ((0, 4), (must(acl.rt.malloc(64, 0)), 4), (4096, 2**63)):
        with pytest.raises(ValueError):
            acl.util.ptr_to_bytes(pointer, size)


def test_arrays_and_pointers_convert_both_ways():
    array = np.arange(12, dtype=np.float32).reshape(3, 4)
    with pytest.warns(DeprecationWarning):
        assert acl.util.numpy_to_ptr(array) == array.ctypes.data
    pointer, contiguous = acl.util.numpy_contiguous_to_ptr(array.T)
    assert pointer == contiguous.ctypes.data and (contiguous == array.T).all()

    view = acl.util.ptr_to_numpy(array.ctypes.data, (4, 3), 11)
    view[0, 0] = 99

    assert view.dtype == np.float32 and array[0, 0] == 99
    assert acl.util.ptr_to_numpy(0, (0, 3), 11).shape == (0, 3)
    for wrong in ((array.ctypes.data, [4, 3], 11), (array.ctypes.data, (4, 3), "f"),
                  (array.ctypes.data, (4, 3), 999)):
        with pytest.raises(TypeError):
            acl.util.ptr_to_numpy(*wrong)
    with pytest.raises(TypeError):
        acl.util.numpy_to_ptr([1, 2])
    with pytest.raises(TypeError):
        acl.util.numpy_contiguous_to_ptr([1, 2])


def test_peers_are_given_access():
    assert must(acl.rt.device_can_access_peer(0, 1)) == 1
    must(acl.rt.device_enable_peer_access(1, 0))
    assert must(acl.rt.device_peer_access_status(0, 1)) == 1
    must(acl.rt.device_disable_peer_access(1))


def test_last_error_stays_until_read():
    acl.rt.get_last_error(0)
    acl.rt.set_device(99)

    assert acl.rt.peek_at_last_error(0) == acl.rt.get_last_error(0) == RT_INVALID_DEVICE
    assert acl.rt.peek_at_last_error(0) == 0


def test_both_modules_share_one_engine(stream):
    import convoy

    pointer = device_holding(b"12345678")
    back = bytearray(8)

    stream.copy(back, pointer, 8)
    stream.synchronize()

    assert back == b"12345678"
    assert convoy.locate(pointer).kind == "device"
    remote = convoy.device(0).buffer(8)
    stream.copy(remote, b"abcdefgh")
    stream.synchronize()
    assert contents(remote.address, 8) == b"abcdefgh"


def test_acl_needs_no_numpy():
    output = run_python("""
import sys
sys.modules["numpy"] = None
import acl
print(acl.init(), acl.rt.set_device(0), "bytes_to_ptr" in dir(acl.util))
try:
    acl.util.ptr_to_numpy(4096, (1,), 1)
except ImportError:
    print("no numpy")
""")

    assert output == "0 0 True\nno numpy\n"


def test_memory_is_shared_with_another_process():
    pointer = device_holding(bytes(16))
    key = must(acl.rt.ipc_mem_get_export_key(pointer, 16, 65, 1))

    output = run_python("""
import acl, sys
acl.init()
acl.rt.set_device(0)
pointer, ret = acl.rt.ipc_mem_import_by_key(sys.argv[1], 0)
content = b"from the child.."
print(ret, acl.rt.memcpy(pointer, 16, acl.util.bytes_to_ptr(content), 16, 1),
      acl.rt.ipc_mem_close(sys.argv[1]))
""", key)

    assert output == "0 0 0\n"
    assert contents(pointer, 16) == b"from the child.."
