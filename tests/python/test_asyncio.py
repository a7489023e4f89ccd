import asyncio
import gc
import weakref

import numpy as np
import pytest
from conftest import Gate, numbered

import convoy


def test_a_ticket_can_be_awaited(device):
    target = np.zeros(64, np.uint8)

    async def program():
        stream = device.stream()
        gate = Gate(stream)
        ticket = stream.copy(target, numbered(64))
        asyncio.get_running_loop().call_soon(gate.open)
        await ticket
        assert ticket.landed

    asyncio.run(program())

    assert (target == numbered(64)).all()


def test_landed_ticket_is_awaited_at_once(stream):
    ticket = stream.copy(bytearray(4), b"1234")
    ticket.wait()

    async def program():
        await ticket
        await ticket

    asyncio.run(program())


def test_await_does_not_wait_for_later(stream):
    async def program():
        first = Gate(stream)
        ticket = stream.copy(bytearray(4), b"1234")
        with Gate(stream) as second:
            asyncio.get_running_loop().call_soon(first.open)
            await ticket
            assert not second.ticket.landed

    asyncio.run(program())


def test_await_does_not_block_event_loop(device):
    async def program():
        streams = [device.stream() for _ in range(20)]
        gates = [Gate(stream) for stream in streams]
        waiting = asyncio.gather(*(stream.drained() for stream in streams))
        for gate in reversed(gates):
            await asyncio.to_thread(gate.open) if hasattr(asyncio, "to_thread") else gate.open()
        await waiting

    asyncio.run(program())


def test_failed_step_raises_in_await(stream):
    async def program():
        with Gate(stream) as gate:
            ticket = stream.copy(bytearray(64), 4096, 64)
            asyncio.get_running_loop().call_soon(gate.open)
            await ticket

    with pytest.raises(convoy.Error) as caught:
        asyncio.run(program())
    assert caught.value.code == "fault"


def test_await_works_again_after_timeout(stream):
    async def program():
        with Gate(stream):
            ticket = stream.copy(bytearray(4), b"1234")
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(asyncio.ensure_future(landing(ticket)), 0.001)
        await ticket

    async def landing(ticket):
        await ticket

    asyncio.run(program())


def test_stream_is_async_context_manager(device):
    target = bytearray(4)

    async def program():
        async with device.stream() as stream:
            stream.copy(target, b"1234")
        assert stream.closed

    asyncio.run(program())

    assert target == b"1234"


def test_sources_are_released_after_await(stream):
    class Watched(np.ndarray):
        pass

    async def program():
        source = numbered(64).view(Watched)
        reference = weakref.ref(source)
        with Gate(stream) as gate:
            ticket = stream.copy(np.zeros(64, np.uint8), source)
            del source
            asyncio.get_running_loop().call_soon(gate.open)
            await ticket
        gc.collect()
        assert reference() is None

    asyncio.run(program())


def test_recorded_event_can_be_awaited(device):
    async def program():
        with device.stream() as stream, device.event() as event:
            await event  # nothing was recorded, so nothing is waited for
            gate = Gate(stream)
            stream.record(event)
            asyncio.get_running_loop().call_soon(gate.open)
            await event
            assert event.reached

    asyncio.run(program())
