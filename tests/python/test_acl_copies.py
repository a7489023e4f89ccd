import numpy as np
import pytest
from acl_support import (DEVICE_TO_DEVICE, DEVICE_TO_HOST, HOST_TO_DEVICE, HUGE_FIRST,
                         INNER_DEVICE_TO_DEVICE, INVALID_PARAM, RT_INVALID_HANDLE,
                         RT_NOT_SUPPORTED, RT_PARAM_INVALID, SIZE_MAX, TO_DEVICE, TO_HOST, contents,
                         device_holding, gate, must, waiting_call)

import acl

pytestmark = pytest.mark.usefixtures("acl_device")

CONTENT = bytes(range(1, 65))
REDUCE_SUM, REDUCE_EQUAL = 10, 13
FLOAT = 0


@pytest.fixture
def target():
    return device_holding(bytes(64))


@pytest.fixture
def pinned():
    pointer = must(acl.rt.malloc_host(64))
    acl.util.ptr_to_numpy(pointer, (64,), 2)[:] = np.frombuffer(CONTENT, np.uint8)
    return pointer


def described(source, target):
    descriptor = must(acl.rt.malloc(must(acl.rt.get_memcpy_desc_size(INNER_DEVICE_TO_DEVICE)),
                                    HUGE_FIRST))
    assert acl.rt.set_memcpy_desc(descriptor, INNER_DEVICE_TO_DEVICE, source, target, 64,
                                  0) == (descriptor, 0)
    return descriptor


def test_copy_by_descriptor_lands(acl_stream, target):
    descriptor = described(device_holding(CONTENT), target)

    must(acl.rt.memcpy_async_with_desc(descriptor, INNER_DEVICE_TO_DEVICE, acl_stream))
    must(acl.rt.synchronize_stream(acl_stream))

    assert contents(target, 64) == CONTENT


def test_descriptor_is_read_when_copy_runs(acl_stream, target):
    first, second = device_holding(CONTENT), device_holding(CONTENT[::-1])
    descriptor = described(first, target)
    with gate(acl_stream):
        must(acl.rt.memcpy_async_with_desc(descriptor, INNER_DEVICE_TO_DEVICE, acl_stream))
        must(acl.rt.set_memcpy_desc(descriptor, INNER_DEVICE_TO_DEVICE, second, target, 64, 0))

    assert contents(target, 64) == CONTENT[::-1]


def test_other_kinds_have_no_descriptor(acl_stream):
    assert acl.rt.get_memcpy_desc_size(DEVICE_TO_DEVICE)[-1] == RT_NOT_SUPPORTED
    assert acl.rt.get_memcpy_desc_size(8)[-1] == INVALID_PARAM
    assert acl.rt.memcpy_async_with_desc(0, INNER_DEVICE_TO_DEVICE, acl_stream) == INVALID_PARAM


def test_a_copy_in_a_stream_lands(acl_stream, target, pinned):
    must(acl.rt.memcpy_async(target, 64, pinned, 64, HOST_TO_DEVICE, acl_stream))
    must(acl.rt.synchronize_stream(acl_stream))

    assert contents(target, 64) == CONTENT


def test_pinned_copy_returns_at_once(acl_stream, target, pinned):
    with gate(acl_stream):
        must(acl.rt.memcpy_async_with_condition(target, 64, pinned, 64, HOST_TO_DEVICE, acl_stream))
        assert acl.rt.stream_query(acl_stream) == (1, 0)

    assert contents(target, 64) == CONTENT


@pytest.mark.parametrize("copy", [acl.rt.memcpy_async, acl.rt.memcpy_async_with_condition])
def test_pageable_copy_waits_without_gil(acl_stream, target, copy):
    source = acl.util.bytes_to_ptr(CONTENT)
    with gate(acl_stream):
        waiting = waiting_call(copy, target, 64, source, 64, HOST_TO_DEVICE, acl_stream)
        assert not waiting.returned

    assert waiting.result() == 0
    assert contents(target, 64) == CONTENT


def test_errors_of_copies_are_statuses(acl_stream, target, pinned):
    copy = acl.rt.memcpy_async
    assert copy(0, 64, pinned, 64, HOST_TO_DEVICE, acl_stream) == INVALID_PARAM
    assert copy(target, 8, pinned, 64, HOST_TO_DEVICE, acl_stream) == RT_PARAM_INVALID
    assert copy(target, 64, pinned, 64, HOST_TO_DEVICE, 12345) == RT_INVALID_HANDLE
    assert isinstance(acl.get_recent_err_msg(), str)


def test_rows_are_copied_between_pitches(acl_stream, pinned):
    wide = device_holding(bytes(64))

    must(acl.rt.memcpy2d(wide, 16, pinned, 8, 8, 4, HOST_TO_DEVICE))
    found = contents(wide, 64)
    assert [found[at:at + 16] for at in range(0, 64, 16)] == [
        CONTENT[at:at + 8] + bytes(8) for at in range(0, 32, 8)]

    must(acl.rt.memcpy2d_async(pinned, 8, wide, 16, 8, 4, DEVICE_TO_HOST, acl_stream))
    must(acl.rt.synchronize_stream(acl_stream))
    assert acl.util.ptr_to_bytes(pinned, 32) == CONTENT[:32]


def test_fills_cover_their_bytes(acl_stream, target):
    must(acl.rt.memset(target, 64, 7, 32))
    must(acl.rt.memset_async(target + 32, 32, 9, 32, acl_stream))
    must(acl.rt.synchronize_stream(acl_stream))

    assert contents(target, 64) == b"\7" * 32 + b"\t" * 32


def test_a_reduction_adds_in_stream_order(acl_stream):
    total = device_holding(np.array([1, 2, 3, 4], np.float32).tobytes())
    parts = device_holding(np.array([10, 20, 30, 40], np.float32).tobytes())
    with gate(acl_stream):
        must(acl.rt.reduce_async(total, parts, 16, REDUCE_SUM, FLOAT, acl_stream, 0))
        assert np.frombuffer(contents(total, 16), np.float32).tolist() == [1, 2, 3, 4]

    assert np.frombuffer(contents(total, 16), np.float32).tolist() == [11, 22, 33, 44]


def test_errors_of_reductions_are_statuses(acl_stream, target, pinned):
    reduce = acl.rt.reduce_async
    assert reduce(target, target, 16, 9, FLOAT, acl_stream, 0) == INVALID_PARAM
    assert reduce(target, target, 16, REDUCE_SUM, FLOAT, acl_stream, 1) == INVALID_PARAM
    assert reduce(target, pinned, 16, REDUCE_SUM, FLOAT, acl_stream, 0) == RT_PARAM_INVALID
    assert reduce(target, target, 16, REDUCE_EQUAL, FLOAT, acl_stream, 0) == RT_NOT_SUPPORTED


@pytest.mark.parametrize("form", [list, tuple, lambda each: np.array(each, np.uint64)])
def test_a_batch_lands(acl_stream, pinned, form):
    targets = [device_holding(bytes(16)) for _ in range(4)]
    sources = form([pinned + 16 * i for i in range(4)])

    answer = acl.rt.memcpy_batch_async(form(targets), form([16] * 4), sources, form([16] * 4), 4,
                                       [TO_DEVICE], form([0]), 1, acl_stream)
    must(acl.rt.synchronize_stream(acl_stream))

    assert answer == (SIZE_MAX, 0)
    assert b"".join(contents(each, 16) for each in targets) == CONTENT


def test_pageable_batch_waits_without_gil(acl_stream, target):
    source = acl.util.bytes_to_ptr(CONTENT)
    with gate(acl_stream):
        waiting = waiting_call(acl.rt.memcpy_batch_async, [target], [64], [source], [64], 1,
                               [TO_DEVICE], [0], 1, acl_stream)
        assert not waiting.returned

    assert waiting.result() == (SIZE_MAX, 0)
    assert contents(target, 64) == CONTENT


def test_synchronous_batch_has_landed_on_return(pinned):
    source = device_holding(CONTENT[::-1])

    answer = acl.rt.memcpy_batch([pinned, pinned + 32], [32, 32], [source, source + 32], [32, 32],
                                 2, [TO_HOST], [0], 1)

    assert answer == (SIZE_MAX, 0)
    assert acl.util.ptr_to_bytes(pinned, 64) == CONTENT[::-1]


def test_refused_batch_names_item_copies_nothing(acl_stream, target, pinned):
    answer = acl.rt.memcpy_batch_async([target, 0], [32, 32], [pinned, pinned], [32, 32], 2,
                                       [TO_DEVICE], [0], 1, acl_stream)
    must(acl.rt.synchronize_stream(acl_stream))

    assert answer == (1, RT_PARAM_INVALID)
    assert contents(target, 64) == bytes(64)


def test_attributes_apply_from_their_index(acl_stream, target, pinned):
    wrong = {"dst_loc": {"id": 1, "type": 1}, "src_loc": {"id": 0, "type": 0}}

    answer = acl.rt.memcpy_batch_async([target] * 3, [64] * 3, [pinned] * 3, [1] * 3, 3,
                                       [TO_DEVICE, wrong], [0, 2], 2, acl_stream)

    assert answer == (2, RT_PARAM_INVALID)


def test_counts_may_not_exceed_the_lists(acl_stream, target, pinned):
    with pytest.raises(ValueError, match="exceeds"):
        acl.rt.memcpy_batch_async([target], [64], [pinned], [64], 2, [TO_DEVICE], [0], 1,
                                  acl_stream)
    with pytest.raises(ValueError, match="exceeds"):
        acl.rt.memcpy_batch_async([target], [64], [pinned], [64], 1, [TO_DEVICE], [0], 2,
                                  acl_stream)


@pytest.mark.parametrize("position, thing", [
    (0, ["a"]), (0, [1.5]), (0, 7), (0, np.zeros(1)), (0, np.zeros((1, 1), np.uint64)),
    (3, np.zeros(4, np.uint64)[::2]), (5, [1]), (5, 3), (5, [{"dst_loc": 3}]),
    (5, [{"dst_loc": {"id": "a"}}]), (6, None),
])
def test_wrong_batch_types_are_type_errors(acl_stream, position, thing):
    arguments = [[1], [1], [1], [1], 1, [TO_DEVICE], [0], 1, acl_stream]
    arguments[position] = thing

    with pytest.raises(TypeError):
        acl.rt.memcpy_batch_async(*arguments)
