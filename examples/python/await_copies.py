"""Copies of several streams, awaited by one event loop and no thread.

python examples/python/await_copies.py
"""

import asyncio

import numpy as np

import convoy


async def round_trip(device, number):
    """Out to the device and back, without blocking the others."""
    block = np.full(1 << 20, number, np.uint8)
    back = np.zeros_like(block)
    remote = device.buffer(block.nbytes)
    async with device.stream() as stream:
        stream.copy(remote, block)
        await stream.copy(back, remote)
        assert (back == number).all()
    return number


async def main():
    device = convoy.device(0)
    done = await asyncio.gather(*(round_trip(device, number) for number in range(8)))
    print("back:", *done)


if __name__ == "__main__":
    asyncio.run(main())
