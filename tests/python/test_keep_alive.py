import gc
import sys
import weakref

import numpy as np
import pytest
from conftest import Gate, contents, numbered, run_python, until

import convoy


class Watched(np.ndarray):
    """An array that can be weakly referenced."""


def watched(count, seed=0):
    return numbered(count, seed).view(Watched)


def test_sources_live_until_landed(stream, device):
    sources = [watched(64, seed) for seed in range(3)]
    references = [weakref.ref(each) for each in sources]
    pages = [device.buffer(64) for _ in sources]
    with Gate(stream):
        stream.copy_batch(pages, sources)
        del sources
        gc.collect()
        assert all(reference() is not None for reference in references)

    stream.synchronize()

    assert all(reference() is None for reference in references)
    assert (contents(pages[2]) == numbered(64, 2)).all()


def test_destination_lives_until_landed(stream):
    target = watched(64)
    reference = weakref.ref(target)
    with Gate(stream):
        stream.copy(target, numbered(64, 9))
        del target
        gc.collect()
        assert (reference() != numbered(64, 9)).any()

    stream.synchronize()

    assert reference() is None


def test_device_memory_lives_until_landed(stream, device):
    target = np.zeros(64, np.uint8)
    page = device.buffer(64)
    stream.copy(page, numbered(64))
    with Gate(stream):
        stream.copy(target, page)
        del page
        gc.collect()

    stream.synchronize()

    assert (target == numbered(64)).all()


def test_release_needs_no_further_call(stream):
    source = watched(64)
    reference = weakref.ref(source)
    with Gate(stream):
        stream.copy(np.zeros(64, np.uint8), source)
        del source

    until(lambda: reference() is None)


def test_list_may_change_after_call(stream, device):
    sources = [watched(64)]
    reference = weakref.ref(sources[0])
    page = device.buffer(64)
    with Gate(stream):
        stream.copy_batch([page], sources)
        sources.clear()
        gc.collect()
        assert reference() is not None

    stream.synchronize()

    assert (contents(page) == numbered(64)).all()


def test_pending_copy_blocks_bytearray_resize(stream, device):
    source = bytearray(64)
    with Gate(stream):
        stream.copy_batch([device.buffer(64)], [source])
        with pytest.raises(BufferError):
            source.append(1)

    stream.synchronize()
    source.append(1)


def test_keep_holds_memory_of_addresses(stream, device):
    source = watched(64)
    reference = weakref.ref(source)
    page = device.buffer(64)
    starts = np.array([source.ctypes.data], np.uint64)
    with Gate(stream):
        stream.copy_batch(np.array([page.address], np.uint64), starts, 64, keep_alive=source)
        del source
        gc.collect()
        assert reference() is not None

    stream.synchronize()

    assert reference() is None
    assert (contents(page) == numbered(64)).all()


def test_closed_stream_keeps_objects_until_landed(device):
    source = watched(64)
    reference = weakref.ref(source)
    page = device.buffer(64)
    stream = device.stream()
    gate = Gate(stream)
    stream.copy(page, source)

    stream.close()
    del source, stream
    gc.collect()
    assert reference() is not None
    gate.open()

    until(lambda: reference() is None)
    assert (contents(page) == numbered(64)).all()


def test_aborted_copy_releases_its_source(stream, device):
    source = watched(64)
    reference = weakref.ref(source)
    with Gate(stream) as gate:
        gate.arrived.wait()
        stream.copy(device.buffer(64), source)
        del source
        stream.abort()
        assert reference() is not None

    until(lambda: reference() is None)


def test_a_refused_batch_holds_nothing(stream, device):
    source = watched(64)
    before = sys.getrefcount(source)

    with pytest.raises(convoy.Error):
        stream.copy_batch([device.buffer(64), device.buffer(8)], [source, source])

    assert sys.getrefcount(source) == before
    assert stream.kept_count == 0


def test_thousands_of_batches_leave_nothing_behind(stream, device):
    source, page = watched(64), device.buffer(64)
    before = sys.getrefcount(source), sys.getrefcount(page)

    for _ in range(5000):
        stream.copy_batch([page], [source])
    stream.synchronize()

    assert (sys.getrefcount(source), sys.getrefcount(page)) == before
    assert stream.kept_count == 0


def test_process_may_exit_with_pending_copies():
    run_python("""
import threading, convoy
stream = convoy.device(0).stream()
stream.call(threading.Event().wait)
stream.copy(convoy.device(0).buffer(64), bytearray(64))
stream.call(lambda: None)
""")


def test_until_fails_after_its_limit():
    with pytest.raises(AssertionError, match="did not hold"):
        until(lambda: False, seconds=0)
