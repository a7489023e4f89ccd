"""Streams, the tickets of their steps, and events."""

from __future__ import annotations

import asyncio
import operator
import select
from typing import Any, Callable, Generator, Literal, Optional, Sequence, Union

from . import _native
from ._errors import TimedOut


Order = Literal["stream", "during_call", "any"]


def seconds(timeout: Optional[float]) -> Optional[float]:
    """A timeout as the native functions take it."""
    return None if timeout is None else float(timeout)


def _native_event(event: Event) -> _native.Event:
    if not isinstance(event, Event):
        raise TypeError(f"event must be a convoy.Event, not '{type(event).__name__}'")
    return event._native


class Ticket:
    """The position of a step in its stream; wait() and await return when the step has landed."""

    __slots__ = ("_stream", "number")

    def __init__(self, stream: _native.Stream, number: int) -> None:
        self._stream = stream
        self.number = number

    @property
    def landed(self) -> bool:
        """True once the step, and every step before it, has landed."""
        return self._stream.landed(self.number)

    def wait(self, timeout: Optional[float] = None) -> None:
        """Waits for the step; raises the stream's error if it occurred at or before the step."""
        if timeout is not None and not self.landed:
            descriptor = _native.LandingFd()
            self._stream.signal_after(descriptor, self.number)
            if not select.select([descriptor], [], [], timeout)[0]:
                raise TimedOut("the step has not landed within the timeout", "timed_out")
        self._stream.synchronize_up_to(self.number)

    def __await__(self) -> Generator[Any, None, None]:
        if not self.landed:
            yield from _landing(self._stream, self.number).__await__()
        self._stream.synchronize_up_to(self.number)

    def __repr__(self) -> str:
        return f"<convoy.Ticket {self.number} of stream {self._stream.handle:#x}>"


async def _landing(stream: _native.Stream, number: int) -> None:
    """Returns when the step has landed. The loop watches a descriptor; no thread waits."""
    loop = asyncio.get_running_loop()
    landed = loop.create_future()
    descriptor = _native.LandingFd()

    def set_landed() -> None:
        if not landed.done():
            landed.set_result(None)

    loop.add_reader(descriptor, set_landed)
    try:
        stream.signal_after(descriptor, number)
        await landed
    finally:
        loop.remove_reader(descriptor)


class Event:
    """A position in a stream to wait for or await; Stream.record() sets it."""

    def __init__(self, native: _native.Event) -> None:
        self._native = native
        self._recorded: Optional[Ticket] = None

    @property
    def reached(self) -> bool:
        """True when the recorded position has been reached, or none was recorded."""
        return self._native.reached()

    def synchronize(self, timeout: Optional[float] = None) -> None:
        self._native.synchronize(seconds(timeout))

    def __await__(self) -> Generator[Any, None, None]:
        if self._recorded is not None:
            yield from self._recorded.__await__()

    def seconds_since(self, start: Event) -> float:
        """Seconds from `start` to this event; both must have been reached."""
        return self._native.seconds_since(_native_event(start))

    def close(self) -> None:
        """Destroys the event. Waits that were submitted before still complete."""
        self._native.close()

    def __repr__(self) -> str:
        recorded = "not recorded" if self._recorded is None else f"recorded at {self._recorded!r}"
        return f"<convoy.Event, {recorded}>"

    def __enter__(self) -> Event:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


class Stream:
    """Runs steps one after another, in the order of submission.

    Methods that submit a step validate it, return its Ticket and do not wait. As a context manager
    a stream waits for its steps at the end, raises their error, and closes.
    """

    def __init__(self, native: _native.Stream) -> None:
        self._native = native
        self._last = 0

    def _step(self, number: int) -> Ticket:
        self._last = number
        return Ticket(self._native, number)

    def copy(self, dst: Any, src: Any, nbytes: Optional[int] = None) -> Ticket:
        """Copies the bytes of `src` to the start of `dst`."""
        return self._step(self._native.copy(dst, src, nbytes))

    def copy_batch(self, dsts: Sequence[Any], srcs: Sequence[Any],
                   sizes: Union[None, int, Sequence[int]] = None, order: Order = "stream", *,
                   keep_alive: Any = None) -> Ticket:
        """Submits all copies as one step; they run in no order among themselves.

        `dsts` and `srcs` are lists of arrays and buffers, which are kept alive until the batch has
        landed, or NumPy arrays of uint64 addresses, which are used in place. The memory of bare
        addresses must be kept alive by the caller, or by `keep_alive`, any object to hold until the
        batch has landed. `sizes` is in bytes: None for the size of each source, one int for all
        copies, or one for each copy. `order` is when the sources are read: in "stream" order,
        "during_call", or at "any" time before the batch has landed.
        """
        return self._step(self._native.copy_batch(dsts, srcs, sizes, order, keep_alive))

    def copy_indirect(self, descriptor: Any) -> Ticket:
        """Copies by a descriptor in device memory, which is read when the step runs."""
        return self._step(self._native.copy_indirect(descriptor))

    def fill(self, dst: Any, value: int, unit: int = 1) -> Ticket:
        """Fills `dst` with a value of 1, 2 or 4 bytes, signed or unsigned."""
        value, unit = operator.index(value), operator.index(unit)
        if unit not in (1, 2, 4):
            raise ValueError(f"unit is {unit}: it must be 1, 2 or 4 bytes")
        bits = 8 * unit
        if not -(1 << bits - 1) <= value < 1 << bits:
            raise ValueError(f"value is {value}: it does not fit in {bits} bits")
        return self._step(self._native.fill(dst, value & (1 << bits) - 1, unit))

    def reduce(self, dst: Any, src: Any, dtype: Any, kind: Literal["sum", "max", "min"] = "sum") -> Ticket:
        """Combines each element of `dst` with that of `src`: "sum", "max" or "min".

        `dtype` is a NumPy dtype or the name of one: int8, int16, int32, uint32, float16, bfloat16
        or float32. Sums of integers wrap around.
        """
        return self._step(self._native.reduce(dst, src, str(dtype), kind))

    def call(self, function: Callable[[], Any]) -> Ticket:
        """Calls the function in stream order, on a Convoy thread. It must not use Convoy.

        An exception fails the step; it is the __cause__ of the error that the stream raises.
        """
        return self._step(self._native.call(function))

    def record(self, event: Event) -> Ticket:
        event._recorded = self._step(self._native.record(_native_event(event)))
        return event._recorded

    def wait(self, event: Event) -> Ticket:
        """Orders later steps after the event; the caller does not wait."""
        return self._step(self._native.wait(_native_event(event)))

    def synchronize(self, timeout: Optional[float] = None) -> None:
        """Waits until all steps submitted so far have landed; runs pending steps meanwhile."""
        self._native.synchronize(seconds(timeout))

    @property
    def done(self) -> bool:
        """True when no step is pending; raises the stream's error."""
        return self._native.done()

    def abort(self) -> None:
        """Drops steps that have not started; a running step finishes, a waiting step ends."""
        self._native.abort()

    def clear_error(self) -> None:
        self._native.clear_error()

    @property
    def device(self) -> int:
        return self._native.device

    @property
    def handle(self) -> int:
        """The number of the stream in Convoy's native API (convoy::stream_ref), for diagnostics.

        It is neither a cudaStream_t nor an aclrtStream: CUDA and AscendCL functions refuse it.
        """
        return self._native.handle

    @property
    def kept_count(self) -> int:
        """The number of submissions that keep objects alive because they have not landed."""
        return self._native.kept_count

    @property
    def closed(self) -> bool:
        return self._native.closed

    def close(self) -> None:
        """Destroys the stream without waiting. Submitted steps still land."""
        self._native.close()

    def __repr__(self) -> str:
        if self.closed:
            return "<convoy.Stream: closed>"
        return f"<convoy.Stream {self.handle:#x} of device {self.device}>"

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, kind: object, *rest: object) -> None:
        try:
            if kind is None and not self.closed:
                self.synchronize()
        finally:
            self.close()

    async def __aenter__(self) -> Stream:
        return self

    async def __aexit__(self, kind: object, *rest: object) -> None:
        try:
            if kind is None and not self.closed:
                await self.drained()
        finally:
            self.close()

    async def drained(self) -> None:
        """Returns when all steps submitted through this object have landed; raises their error."""
        await Ticket(self._native, self._last)
