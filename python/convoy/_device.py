"""Devices: their memory, streams, events and peers."""

from __future__ import annotations

import operator
from typing import NamedTuple, Optional

from . import _native
from ._stream import Event, Stream, seconds


class MemoryStats(NamedTuple):
    """Bytes of a device's memory."""

    free: int
    total: int


class Device:
    """A device: memory of its own, streams, events, peers."""

    def __init__(self, id: int) -> None:
        id = operator.index(id)
        if not 0 <= id < _native.device_count():
            raise IndexError(f"there is no device {id}; there are {_native.device_count()}")
        self.id = id

    def buffer(self, nbytes: int) -> _native.DeviceBuffer:
        """Allocates uninitialised device memory."""
        return _native.device_buffer(self.id, nbytes)

    def stream(self, *, blocking: bool = True, priority: int = 0) -> Stream:
        """A new stream; a blocking one synchronizes with the default stream, as in CUDA."""
        return Stream(_native.stream(self.id, bool(blocking), operator.index(priority)))

    def event(self, *, timing: bool = True) -> Event:
        return Event(_native.event(self.id, bool(timing)))

    @property
    def default_stream(self) -> Stream:
        return Stream(_native.default_stream(self.id))

    @property
    def memory(self) -> MemoryStats:
        """Free and total bytes of the device's memory."""
        return MemoryStats(*_native.memory(self.id))

    def synchronize(self, timeout: Optional[float] = None) -> None:
        """Waits until all streams of the device have landed; raises the first error among them."""
        _native.synchronize_device(self.id, seconds(timeout))

    def can_access(self, peer: Device) -> bool:
        return _native.can_access(self.id, _id_of(peer))

    def has_access(self, peer: Device) -> bool:
        return _native.has_access(self.id, _id_of(peer))

    def enable_access(self, peer: Device) -> None:
        """Lets this device access the memory of `peer`, in this direction only."""
        _native.enable_access(self.id, _id_of(peer))

    def disable_access(self, peer: Device) -> None:
        _native.disable_access(self.id, _id_of(peer))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Device) and self.id == other.id

    def __hash__(self) -> int:
        return hash(("convoy.Device", self.id))

    def __repr__(self) -> str:
        return f"convoy.device({self.id})"


def _id_of(peer: Device) -> int:
    if not isinstance(peer, Device):
        raise TypeError(f"peer must be a convoy.Device, not '{type(peer).__name__}'")
    return peer.id


def device(id: int = 0) -> Device:
    """The device with this index, from 0."""
    return Device(id)


def device_count() -> int:
    """The number of devices, set by CONVOY_DEVICES."""
    return _native.device_count()
