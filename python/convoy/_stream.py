"""Streams, the tickets of their steps, and events."""

from __future__ import annotations

import asyncio
import select
from typing import Any, Callable, Generator, Optional, Sequence, Union

from . import _native
from ._errors import TimedOut


class Ticket:
    """The position of a step in its stream. It can be asked, waited for, and awaited."""

    __slots__ = ("_stream", "number")

    def __init__(self, stream: _native.Stream, number: int) -> None:
        self._stream = stream
        self.number = number

    @property
    def landed(self) -> bool:
        """True once the step, and every step before it, has landed."""
        return self._stream.landed(self.number)

    def wait(self, timeout: Optional[float] = None) -> None:
        """Waits for the step; raises the stream's error if it happened at or before it."""
        if timeout is not None and not self.landed:
            descriptor = _native.LandingFd()
            self._stream.signal_after(descriptor, self.number)
            if not select.select([descriptor], [], [], timeout)[0]:
                raise TimedOut("the step has not landed in time", "timed_out")
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
    """A point in a stream that others can wait for, and await; Stream.record() sets it."""

    def __init__(self, native: _native.Event) -> None:
        self._native = native
        self._recorded: Optional[Ticket] = None

    @property
    def reached(self) -> bool:
        """True when the recorded point has been reached, or none was recorded."""
        return self._native.reached()

    def synchronize(self, timeout: Optional[float] = None) -> None:
        self._native.synchronize(timeout)

    def __await__(self) -> Generator[Any, None, None]:
        if self._recorded is not None:
            yield from self._recorded.__await__()

    def seconds_since(self, start: Event) -> float:
        """The time from `start` to this event, both reached."""
        return self._native.seconds_since(start._native)

    def close(self) -> None:
        """Gives the event up. Waits that hold it still happen."""
        self._native.close()

    def __enter__(self) -> Event:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


class Stream:
    """Runs steps one after another, in the order they were submitted.

    Methods that submit a step check everything, return its Ticket and do not wait. As a context
    manager a stream waits for its steps at the end, raises what went wrong, and closes.
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
                   sizes: Union[None, int, Sequence[int]] = None, order: str = "stream", *,
                   keep: Any = None) -> Ticket:
        """Makes all the copies as one step, in no order among themselves.

        `dsts` and `srcs` are lists of arrays and buffers, which are kept alive until the batch has
        landed, or NumPy arrays of uint64 addresses, which are used as they are; what addresses
        point to is the caller's to keep alive, or `keep`'s. `sizes` is in bytes: None for the
        length of each source, one int for all, or one for each copy. `order` tells when sources
        are read: in "stream" order, "during_call", or at "any" time before the batch has landed.
        """
        return self._step(self._native.copy_batch(dsts, srcs, sizes, order, keep))

    def copy_indirect(self, descriptor: Any) -> Ticket:
        """Copies what the descriptor in device memory says when the step runs."""
        return self._step(self._native.copy_indirect(descriptor))

    def fill(self, dst: Any, value: int, unit: int = 1) -> Ticket:
        """Repeats a value of 1, 2 or 4 bytes over all of `dst`."""
        return self._step(self._native.fill(dst, value, unit))

    def reduce(self, dst: Any, src: Any, dtype: Any, kind: str = "sum") -> Ticket:
        """Makes each element of `dst` the "sum" of it and that of `src`, or the "max" or "min".

        `dtype` is a NumPy dtype or the name of one: int8, int16, int32, uint32, float16, bfloat16
        or float32. Sums of integers wrap around.
        """
        return self._step(self._native.reduce(dst, src, str(dtype), kind))

    def call(self, function: Callable[[], Any]) -> Ticket:
        """Calls the function in stream order, on a thread of Convoy's. It must not use Convoy."""
        return self._step(self._native.call(function))

    def record(self, event: Event) -> Ticket:
        event._recorded = self._step(self._native.record(event._native))
        return event._recorded

    def wait(self, event: Event) -> Ticket:
        """Steps after this one run after the event; nobody waits here."""
        return self._step(self._native.wait(event._native))

    def synchronize(self, timeout: Optional[float] = None) -> None:
        """Waits until everything submitted so far has landed, and lends a hand meanwhile."""
        self._native.synchronize(timeout)

    @property
    def done(self) -> bool:
        """True when no work is pending; raises the stream's error."""
        return self._native.done()

    def abort(self) -> None:
        """Drops what has not started; the step under way finishes, or stops waiting for a word."""
        self._native.abort()

    def clear_error(self) -> None:
        self._native.clear_error()

    @property
    def device(self) -> int:
        return self._native.device

    @property
    def handle(self) -> int:
        return self._native.handle

    @property
    def kept_count(self) -> int:
        """How many submissions hold on to objects because they have not landed."""
        return self._native.kept_count

    @property
    def closed(self) -> bool:
        return self._native.closed

    def close(self) -> None:
        """Gives the stream up without waiting. What is under way lands."""
        self._native.close()

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
        """Returns when everything submitted through this object has landed; raises its error."""
        await Ticket(self._native, self._last)
