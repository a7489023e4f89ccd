"""Eight blocks out to the device and back, each way in one step.

python examples/python/hello_batch.py
"""

import convoy
import numpy as np

device = convoy.device(0)
blocks = [np.full(4096, number, np.uint8) for number in range(8)]
pages = [device.buffer(4096) for _ in blocks]
back = [np.zeros(4096, np.uint8) for _ in blocks]

with device.stream() as stream:
    stream.copy_batch(pages, blocks)  # eight copies, in no order
    stream.copy_batch(back, pages)    # after all of them, in stream order

assert all((one == other).all() for one, other in zip(blocks, back))
print("eight blocks, out and back")
