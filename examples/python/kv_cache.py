"""Offload a paged KV cache and restore it, for several block sizes, and plot the bandwidth.

python examples/python/kv_cache.py [PNG]

The cells are those of a notebook: run them one after another.
"""

# %% A cache in device memory, divided into pages that blocks use in random order
import sys
import time

import numpy as np

import convoy

CACHE_BYTES = 32 << 20
BLOCK_SIZES = [1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10]
ROUNDS = 5

device = convoy.device(0)
cache = device.buffer(CACHE_BYTES)
host = convoy.pinned(CACHE_BYTES)
tokens = np.asarray(host).view(np.uint32)
random = np.random.default_rng(5)


# %% A batch is three arrays: destinations, sources, one size for all
def page_table(block):
    """The offset of each block's page in the cache."""
    return random.permutation(CACHE_BYTES // block).astype(np.uint64) * np.uint64(block)


def offload(stream, pages, block):
    """Copies the blocks, scattered over the cache, to consecutive host memory."""
    offsets = np.arange(len(pages), dtype=np.uint64) * np.uint64(block)
    return stream.copy_batch(np.uint64(host.address) + offsets, np.uint64(cache.address) + pages,
                             block, keep_alive=(host, cache))


def restore(stream, pages, block):
    """Copies the blocks from host memory back to their pages."""
    offsets = np.arange(len(pages), dtype=np.uint64) * np.uint64(block)
    return stream.copy_batch(np.uint64(cache.address) + pages, np.uint64(host.address) + offsets,
                             block, keep_alive=(host, cache))


# %% The best of several rounds, timed by events in the stream
def best_rate(move, stream, pages, block):
    """The highest bandwidth of all rounds, in GB/s."""
    seconds = []
    for _ in range(ROUNDS):
        with device.event() as start, device.event() as end:
            stream.record(start)
            move(stream, pages, block)
            stream.record(end)
            end.synchronize()
            seconds.append(end.seconds_since(start))
    return CACHE_BYTES / min(seconds) / 1e9


def loop_rate(pages, block):
    """The same copies as NumPy slices, one by one, for comparison."""
    source, target = np.asarray(host), np.ones(CACHE_BYTES, np.uint8)
    seconds = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        for row, page in enumerate(pages.astype(np.int64).tolist()):
            target[row * block:(row + 1) * block] = source[page:page + block]
        seconds.append(time.perf_counter() - begin)
    return CACHE_BYTES / min(seconds) / 1e9


rates = {"offload": [], "restore": [], "NumPy, slice by slice": []}
with device.stream() as stream:
    for block in BLOCK_SIZES:
        pages = page_table(block)
        tokens[:] = np.arange(tokens.size)
        rates["restore"].append(best_rate(restore, stream, pages, block))
        tokens[:] = 0
        rates["offload"].append(best_rate(offload, stream, pages, block))
        assert (tokens == np.arange(tokens.size)).all(), "the cache came back changed"
        rates["NumPy, slice by slice"].append(loop_rate(pages, block))

for row, block in enumerate(BLOCK_SIZES):
    print(f"{block >> 10:4} KiB  " + "  ".join(f"{name} {rate[row]:6.2f} GB/s"
                                               for name, rate in rates.items()))

# %% The plot
import matplotlib  # noqa: E402

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

figure, axes = pyplot.subplots(figsize=(7, 4))
for name, rate in rates.items():
    axes.plot([f"{block >> 10} KiB" for block in BLOCK_SIZES], rate, marker="o", label=name)
axes.set(xlabel="block", ylabel="GB/s", ylim=(0, None), title="Moving a paged KV cache")
axes.legend()
figure.tight_layout()
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "kv_cache.png")
