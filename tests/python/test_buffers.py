import gc

import numpy as np
import pytest
from conftest import Gate, contents, numbered, run_python

import convoy


def test_pinned_memory_is_a_writable_buffer():
    buffer = convoy.pinned(16)

    memoryview(buffer)[:4] = b"abcd"

    assert bytes(buffer)[:4] == b"abcd"
    assert len(buffer) == buffer.nbytes == 16
    assert convoy.locate(buffer) == ("pinned", 0, buffer.address, 16)


def test_pinned_memory_is_array_without_copy():
    buffer = convoy.pinned(16)

    np.asarray(buffer)[:] = 5

    assert bytes(buffer) == b"\5" * 16
    output = buffer.__array_interface__
    assert output["data"] == (buffer.address, False)
    assert (output["shape"], output["typestr"], output["version"]) == ((16,), "|u1", 3)


def test_pinned_arrays_have_shape_and_type():
    made = convoy.pinned_array((3, 5), np.float32)

    made[:] = 1.5

    assert (made.shape, made.dtype) == ((3, 5), np.float32)
    assert convoy.locate(made).kind == "pinned"


def test_an_array_keeps_pinned_memory_alive():
    array = np.frombuffer(convoy.pinned(64), np.uint8)
    gc.collect()

    assert convoy.locate(array).kind == "pinned"


@pytest.mark.parametrize("view", [np.asarray, np.from_dlpack,
                                  lambda buffer: np.frombuffer(buffer, "u1")])
def test_device_memory_is_array_without_copy(device, stream, view):
    buffer = device.buffer(16)
    stream.copy(buffer, numbered(16))
    stream.synchronize()

    array = view(buffer)

    assert (array == numbered(16)).all()
    assert array.ctypes.data == buffer.address
    assert convoy.locate(array) == ("device", 0, buffer.address, 16)


def test_an_array_keeps_device_memory_alive(device):
    array = np.asarray(device.buffer(64))
    gc.collect()

    assert convoy.locate(array).kind == "device"


def test_slices_share_and_keep_memory(device, stream):
    part = device.buffer(64)[16:32]
    gc.collect()

    stream.copy(part, numbered(16))
    stream.synchronize()

    assert part.nbytes == 16
    assert (contents(part) == numbered(16)).all()


def test_pinned_slices_are_pinned_buffers():
    whole = convoy.pinned(8)
    memoryview(whole)[:] = b"01234567"

    assert bytes(whole[2:4]) == b"23"
    assert isinstance(whole[2:4], convoy.PinnedBuffer)


def test_a_slice_has_no_step(device):
    with pytest.raises(ValueError, match="step"):
        device.buffer(8)[::2]


def test_last_slice_frees_memory(device):
    device.synchronize()
    before = device.memory.free
    part = device.buffer(1 << 20)[:10]
    assert device.memory.free < before

    del part
    gc.collect()

    assert device.memory.free == before


def test_zero_and_excessive_sizes_are_errors(device):
    with pytest.raises(convoy.Error) as caught:
        convoy.pinned(0)
    assert caught.value.code == "zero_size"
    with pytest.raises(MemoryError):
        device.buffer(1 << 45)


def test_closed_buffer_frees_memory(device):
    free = device.memory.free
    with device.buffer(1 << 20) as page:
        assert device.memory.free < free
    assert page.closed
    assert repr(page) == "<convoy.DeviceBuffer: closed>"
    assert device.memory.free == free
    page.close()


def test_slices_and_views_outlive_close(device):
    page = device.buffer(4096)
    part, view, array = page[:16], memoryview(page), np.from_dlpack(page)
    view[0] = 7
    page.close()
    assert (bytes(part)[0], view[0], array[0]) == (7, 7, 7)


def test_pending_copy_outlives_close(stream, device):
    page, target = device.buffer(64), np.zeros(64, np.uint8)
    stream.copy(page, numbered(64))
    with Gate(stream):
        stream.copy(target, page)
        page.close()
    stream.synchronize()
    assert (target == numbered(64)).all()


def test_closed_buffer_is_refused(stream, device):
    pinned = convoy.pinned(16)
    pinned.close()
    for use in (lambda: stream.copy(pinned, b"1"), lambda: pinned[:1], lambda: np.from_dlpack(pinned)):
        with pytest.raises(ValueError, match="the buffer is closed"):
            use()
    with pytest.raises(BufferError, match="the buffer is closed"):
        memoryview(pinned)


def test_array_can_be_pinned_in_place():
    array = np.zeros(4096, np.uint8)

    with convoy.pin(array):
        assert convoy.locate(array).kind == "registered"
        with pytest.raises(convoy.Error, match="registered"):
            convoy.pin(array)

    assert convoy.locate(array).kind == "pageable"


def test_buffers_have_a_repr(device):
    assert "device 0" in repr(device.buffer(8))
    assert "PinnedBuffer: 8 bytes" in repr(convoy.pinned(8))


def test_isolated_memory_is_inaccessible_to_host():
    output = run_python("""
import convoy
buffer = convoy.device(0).buffer(4)
for access in memoryview, lambda exporter: exporter.__dlpack__():
    try:
        access(buffer)
    except BufferError as problem:
        print(str(problem)[:36])
print(hasattr(buffer, "__array_interface__"))
""", CONVOY_ISOLATE="1")

    assert output == "the host cannot access device memory\n" * 2 + "False\n"


def test_isolated_device_memory_can_be_copied():
    output = run_python("""
import convoy
device, back = convoy.device(0), bytearray(4)
with device.stream() as stream:
    remote = device.buffer(4)
    stream.copy(remote, b"safe")
    stream.copy(back, remote)
print(convoy.settings()["CONVOY_ISOLATE"], bytes(back))
""", CONVOY_ISOLATE="1")

    assert output == "1 b'safe'\n"
