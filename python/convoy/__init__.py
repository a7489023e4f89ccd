"""Batched, stream-ordered memory copies on the CPU.

    import convoy, numpy as np

    dev = convoy.device(0)
    blocks = [np.full(4096, i, np.uint8) for i in range(8)]
    pages = [dev.buffer(4096) for _ in blocks]
    with dev.stream() as stream:
        stream.copy_batch(pages, blocks)   # eight copies in one step

Device memory is accessed by copies; host memory can be a NumPy array, any object with the buffer
protocol, __array_interface__ or DLPack, or pinned memory. The objects of a copy are kept alive
until it has landed. Errors are exceptions (convoy.Error) that name the item.
"""

from ._device import Device, MemoryStats, device, device_count
from ._errors import Aborted, Error, OutOfMemory, TimedOut
from ._memory import Pin, PointerAttributes, from_dlpack, locate, pin, pinned, pinned_array
from ._native import DeviceBuffer, HostBuffer, PinnedBuffer, __version__, settings
from ._stream import Event, Stream, Ticket

__all__ = [
    "Aborted", "Device", "DeviceBuffer", "Error", "Event", "HostBuffer", "MemoryStats",
    "OutOfMemory", "Pin", "PinnedBuffer", "PointerAttributes", "Stream", "Ticket", "TimedOut",
    "__version__", "device", "device_count", "from_dlpack", "locate", "pin", "pinned", "pinned_array", "settings",
]
