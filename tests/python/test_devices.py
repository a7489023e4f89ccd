import pytest

import convoy


def test_devices_are_counted_from_zero():
    assert convoy.device_count() >= 1
    assert convoy.device() == convoy.device(0)
    assert repr(convoy.device(0)) == "convoy.device(0)"
    assert len({convoy.device(0), convoy.device(0)}) == 1


@pytest.mark.parametrize("number", [-1, 99])
def test_missing_device_is_index_error(number):
    with pytest.raises(IndexError):
        convoy.device(number)


def test_memory_shrinks_with_allocations(device):
    device.synchronize()
    before = device.memory
    held = device.buffer(1 << 20)

    assert before.total >= before.free > device.memory.free
    assert held.device == 0


def test_peers_are_given_access_one_way():
    first, second = convoy.device(0), convoy.device(1)

    assert first.can_access(second) and not first.can_access(first)
    first.enable_access(second)
    assert first.has_access(second) and not second.has_access(first)
    with pytest.raises(convoy.Error) as caught:
        first.enable_access(second)
    assert caught.value.code == "peer_access_already_enabled"
    first.disable_access(second)
    with pytest.raises(convoy.Error) as caught:
        first.disable_access(second)
    assert caught.value.code == "peer_access_not_enabled"


def test_copies_go_between_devices():
    first, second, back = convoy.device(0), convoy.device(1), bytearray(4)
    here, there = first.buffer(4), second.buffer(4)

    with first.stream() as stream:
        stream.copy(here, b"1234")
        stream.copy(there, here)
        stream.copy(back, there)

    assert back == b"1234"
    assert (here.device, there.device) == (0, 1)


def test_settings_are_in_effect():
    assert int(convoy.settings()["CONVOY_DEVICES"]) == convoy.device_count()


def test_objects_with_memory_can_be_located(device):
    assert convoy.locate(b"bytes").kind == "pageable"
    assert convoy.locate(device.buffer(8)[4:]).size == 8
    pinned = convoy.pinned(8)
    assert convoy.locate(pinned.address).kind == "pinned"
    with pytest.raises(TypeError):
        convoy.locate(None)
