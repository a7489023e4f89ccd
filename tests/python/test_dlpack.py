import gc
import weakref

import numpy as np
import pytest
from conftest import Gate, contents, numbered

import convoy


def test_numpy_imports_pinned_memory_without_copy():
    buffer = convoy.pinned(32)
    memoryview(buffer)[:] = numbered(32).tobytes()

    array = np.from_dlpack(buffer)

    assert (array == numbered(32)).all()
    assert array.ctypes.data == buffer.address
    assert buffer.__dlpack_device__() == (1, 0)


def test_numpy_view_keeps_memory_alive():
    array = np.from_dlpack(convoy.pinned(32))
    gc.collect()

    assert convoy.locate(array).kind == "pinned"


def test_convoy_imports_array_without_copy():
    array = np.arange(6, dtype=np.int32).reshape(2, 3)

    buffer = convoy.from_dlpack(array)

    assert buffer.address == array.ctypes.data
    assert bytes(buffer) == array.tobytes()
    assert isinstance(buffer, convoy.HostBuffer)


def test_dlpack_buffer_keeps_array_alive():
    class Watched(np.ndarray):
        pass

    array = np.arange(6, dtype=np.uint8).view(Watched)
    reference = weakref.ref(array)
    buffer = convoy.from_dlpack(array)
    del array
    gc.collect()

    assert bytes(buffer) == bytes(range(6))
    del buffer
    gc.collect()
    assert reference() is None


def test_round_trip_keeps_the_address():
    array = numbered(16)

    again = np.from_dlpack(convoy.from_dlpack(array))

    assert again.ctypes.data == array.ctypes.data


class OnlyDlpack:
    """A tensor that implements DLPack only."""

    def __init__(self, array):
        self._array = array

    def __dlpack__(self, **wishes):
        return self._array.__dlpack__(**wishes)

    def __dlpack_device__(self):
        return self._array.__dlpack_device__()


class OnlyInterface:
    def __init__(self, array):
        self._array = array
        self.__array_interface__ = array.__array_interface__


@pytest.mark.parametrize("face", [OnlyDlpack, OnlyInterface])
def test_foreign_tensors_can_be_copied(stream, device, face):
    source, target, page = numbered(64), np.zeros(64, np.uint8), device.buffer(64)
    with Gate(stream):
        stream.copy_batch([page], [face(source)])
        stream.copy_batch([face(target)], [page])
        gc.collect()
    stream.synchronize()

    assert (contents(page) == numbered(64)).all()
    assert (target == numbered(64)).all()


@pytest.mark.parametrize("thing", [3, "text", object(), np.zeros((4, 4))[:, ::2]])
def test_noncontiguous_tensor_is_type_error(thing):
    with pytest.raises(TypeError):
        convoy.from_dlpack(thing)
