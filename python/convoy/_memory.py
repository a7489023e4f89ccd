"""Pinned host memory, and the attributes of pointers."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Sequence, Union

from . import _native

if TYPE_CHECKING:
    import numpy


class PointerAttributes(NamedTuple):
    """The memory that an address points to: its kind, its device, and the allocation."""

    kind: str  # "pageable", "pinned", "registered", "managed" or "device"
    device: int
    base: int
    size: int


def locate(object: Any) -> PointerAttributes:
    """The memory of an array, a buffer or an address."""
    return PointerAttributes(*_native.locate(object))


class Pin:
    """Host memory that is registered as pinned, and kept alive, until close()."""

    def __init__(self, object: Any) -> None:
        self._address: Optional[int] = _native.pin(object)
        self._object = object

    def close(self) -> None:
        address, self._address = self._address, None
        if address is not None:
            _native.unpin(address)
        self._object = None

    def __repr__(self) -> str:
        return "<convoy.Pin: closed>" if self._address is None else f"<convoy.Pin at {self._address:#x}>"

    def __enter__(self) -> Pin:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_address", None) is not None:
            with contextlib.suppress(Exception):
                self.close()


def pin(object: Any) -> Pin:
    """Registers the memory of an array as pinned, in place."""
    return Pin(object)


def pinned(nbytes: int) -> _native.PinnedBuffer:
    """Allocates pinned host memory."""
    return _native.pinned(nbytes)


def from_dlpack(tensor: Any) -> _native.HostBuffer:
    """The bytes of a contiguous CPU tensor of any library with DLPack; no copy is made."""
    return _native.from_dlpack(tensor)


def pinned_array(shape: Union[int, Sequence[int]], dtype: Any = "u1") -> numpy.ndarray:
    """A NumPy array in pinned memory."""
    import numpy

    element = numpy.dtype(dtype)
    count = int(numpy.prod(shape))
    memory = memoryview(_native.pinned(max(count * element.itemsize, 1)))
    made: numpy.ndarray = numpy.frombuffer(memory, element, count).reshape(shape)
    return made
