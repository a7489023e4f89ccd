"""Copies in eight streams, awaited by one event loop without extra threads.

python examples/python/await_copies.py
"""

import asyncio

import numpy as np

import convoy


async def round_trip(device, number):
    """Copies a block to the device and back; the event loop serves the others meanwhile."""
    block = np.full(1 << 20, number, np.uint8)
    result = np.zeros_like(block)
    on_device = device.buffer(block.nbytes)
    async with device.stream() as stream:
        stream.copy(on_device, block)
        await stream.copy(result, on_device)
        assert (result == number).all()
    return number


async def main():
    device = convoy.device(0)
    done = await asyncio.gather(*(round_trip(device, number) for number in range(8)))
    print("landed:", *done)


if __name__ == "__main__":
    asyncio.run(main())
