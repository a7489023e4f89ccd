import array

import numpy as np
import pytest
from conftest import Gate, contents, numbered

import convoy

BLOCK = 512


@pytest.fixture
def blocks():
    return [numbered(BLOCK, seed) for seed in range(6)]


@pytest.fixture
def pages(device):
    return [device.buffer(BLOCK) for _ in range(6)]


def addresses(buffers):
    return np.array([each.address for each in buffers], np.uint64)


def test_array_lists_land_in_device_memory(stream, pages, blocks):
    stream.copy_batch(pages, blocks)
    stream.synchronize()

    assert all((contents(page) == block).all() for page, block in zip(pages, blocks))


def test_tuples_of_mixed_memory_are_batches(stream, device):
    pinned = convoy.pinned(8)
    memoryview(pinned)[:] = b"pinned!!"
    sources = (b"bytes...", bytearray(b"array..."), memoryview(b"view...."), pinned,
               np.frombuffer(b"numpy...", np.uint8), array.array("B", b"array..."))
    pages = tuple(device.buffer(8) for _ in sources)

    stream.copy_batch(pages, sources)
    stream.synchronize()

    assert [contents(page).tobytes() for page in pages] == [bytes(memoryview(s)) for s in sources]


def test_address_arrays_are_used_in_place(stream, pages):
    host = convoy.pinned(6 * BLOCK)
    np.asarray(host)[:] = numbered(6 * BLOCK)
    starts = np.uint64(host.address) + np.arange(6, dtype=np.uint64) * np.uint64(BLOCK)

    stream.copy_batch(addresses(pages), starts, np.full(6, BLOCK, np.uint64))
    stream.synchronize()

    assert (np.concatenate([contents(page) for page in pages]) == np.asarray(host)).all()


def test_addresses_and_arrays_can_be_mixed(stream, pages, blocks):
    stream.copy_batch(addresses(pages), blocks)
    stream.synchronize()

    assert (contents(pages[5]) == blocks[5]).all()


def test_one_size_applies_to_all(stream, pages, blocks):
    stream.copy_batch(pages, blocks, BLOCK // 2)
    stream.synchronize()

    assert (contents(pages[3])[:BLOCK // 2] == blocks[3][:BLOCK // 2]).all()


def test_sizes_can_be_a_list(stream, device, blocks):
    target = device.buffer(BLOCK)
    stream.fill(target, 0)

    stream.copy_batch([target], blocks[:1], [3])
    stream.synchronize()

    assert contents(target).tolist() == blocks[0][:3].tolist() + [0] * (BLOCK - 3)


def test_multidimensional_arrays_are_copied_as_bytes(stream, device):
    source = np.asfortranarray(np.arange(24, dtype=np.float64).reshape(2, 3, 4))
    target = np.zeros_like(source)
    remote = device.buffer(source.nbytes)

    stream.copy_batch([remote], [source])
    stream.copy_batch([target], [remote])
    stream.synchronize()

    assert (target == source).all()


def test_scalars_and_elements_have_sizes(stream, device):
    remote = device.buffer(8)
    back = np.zeros((1, 1))

    stream.copy_batch([remote], [np.array(2.5)])
    stream.copy_batch([back], [remote])
    stream.synchronize()

    assert back[0, 0] == 2.5


def test_refusal_names_item_and_copies_nothing(stream, device, blocks):
    good, short = device.buffer(BLOCK), device.buffer(BLOCK // 2)
    stream.fill(good, 0).wait()

    with pytest.raises(convoy.Error) as caught:
        stream.copy_batch([good, short], blocks[:2])

    assert (caught.value.code, caught.value.item) == ("size_exceeds_capacity", 1)
    assert caught.value.side == "destination"
    assert caught.value.address == short.address
    assert "item 1" in str(caught.value)
    assert not contents(good).any()


def test_size_beyond_source_names_item(stream, pages, blocks):
    with pytest.raises(convoy.Error) as caught:
        stream.copy_batch(pages, blocks[:5] + [blocks[5][:10]], BLOCK)

    assert (caught.value.code, caught.value.item) == ("leaves_allocation", 5)
    assert caught.value.side == "source"


def test_bad_address_is_refused_with_item(stream, pages):
    starts = addresses(pages)
    starts[4] = 0

    with pytest.raises(convoy.Error) as caught:
        stream.copy_batch(addresses(pages), starts, BLOCK)

    assert (caught.value.code, caught.value.item) == ("null_pointer", 4)


@pytest.mark.parametrize("order", ["stream", "during_call", "any"])
def test_every_order_lands(stream, pages, blocks, order):
    stream.copy_batch(pages, blocks, order=order)
    stream.synchronize()

    assert (contents(pages[0]) == blocks[0]).all()


def test_during_call_reads_sources_before_return(stream, device):
    source, target = numbered(BLOCK), device.buffer(BLOCK)
    with Gate(stream):
        stream.copy_batch([target], [source], order="during_call")
        source[:] = 0
    stream.synchronize()

    assert (contents(target) == numbered(BLOCK)).all()


def test_stream_order_reads_sources_at_run(stream, device):
    source, target = numbered(BLOCK), device.buffer(BLOCK)
    with Gate(stream):
        stream.copy_batch([target], [source])
        source[:] = 9
    stream.synchronize()

    assert (contents(target) == 9).all()


@pytest.mark.parametrize("dsts, srcs, sizes, problem", [
    ([b"read-only"], [bytearray(9)], None, "item 0: the destination is read-only"),
    ([np.zeros(8)[::2]], [np.zeros(4)], None, "item 0: the array is not contiguous"),
    ([object()], [np.zeros(4)], None, "item 0: an object of type 'object' has no memory"),
    ([4096], [8192], None, "item 0: two addresses have no size"),
    (np.zeros(2), [np.zeros(4)] * 2, None, "contiguous array of uint64"),
    (np.zeros(2, np.uint64), np.zeros(2, np.uint64), None, "have no size"),
    (3, [np.zeros(4)], None, "must be a sequence"),
    ([bytearray(4)], [b"1234"], "four", "integer"),
    ([bytearray(4)], [b"1234"], [4.0], "integer"),
])
def test_wrong_types_are_type_errors(stream, dsts, srcs, sizes, problem):
    with pytest.raises(TypeError, match=problem):
        stream.copy_batch(dsts, srcs, sizes)


@pytest.mark.parametrize("dsts, srcs, sizes", [
    ([bytearray(4)], [b"1234", b"1234"], None),
    ([bytearray(4)], [b"1234"], [4, 4]),
])
def test_lengths_that_differ_are_value_errors(stream, dsts, srcs, sizes):
    with pytest.raises(ValueError, match="differ in length"):
        stream.copy_batch(dsts, srcs, sizes)


def test_unknown_order_is_value_error(stream):
    with pytest.raises(ValueError, match="during_call"):
        stream.copy_batch([bytearray(4)], [b"1234"], order="soon")


@pytest.mark.parametrize("none", [[], np.array([], np.uint64)])
def test_an_empty_batch_is_refused(stream, none):
    with pytest.raises(ValueError, match="dsts and srcs are empty: a batch has at least one copy"):
        stream.copy_batch(none, none)
