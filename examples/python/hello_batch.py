"""Eight blocks to the device and back, each way as one batch.

python examples/python/hello_batch.py
"""

import convoy
import numpy as np

device = convoy.device(0)
blocks = [np.full(4096, number, np.uint8) for number in range(8)]
pages = [device.buffer(4096) for _ in blocks]
results = [np.zeros(4096, np.uint8) for _ in blocks]

with device.stream() as stream:
    stream.copy_batch(pages, blocks)   # one step: eight copies in no order
    stream.copy_batch(results, pages)  # runs after the first batch has landed

assert all((block == result).all() for block, result in zip(blocks, results))
print("eight blocks copied to the device and back")
