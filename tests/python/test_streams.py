import threading

import numpy as np
import pytest
from conftest import Gate, WaitingCall, contents, numbered

import convoy


def test_context_manager_waits_and_closes(device):
    target = np.zeros(16, np.uint8)

    with device.stream() as stream:
        stream.copy(target, numbered(16))

    assert (target == numbered(16)).all()
    assert stream.closed
    with pytest.raises(ValueError, match="closed"):
        stream.copy(target, target)


def test_exception_closes_stream_without_waiting(device):
    with pytest.raises(KeyError):
        with device.stream() as stream:
            gate = Gate(stream)
            raise KeyError
    gate.open()

    assert stream.closed


def test_tickets_are_consecutive_and_report_landing(stream):
    with Gate(stream) as gate:
        ticket = stream.copy(bytearray(4), b"1234")
        assert ticket.number == gate.ticket.number + 1
        assert not ticket.landed
        assert not stream.done

    ticket.wait()
    assert ticket.landed


def test_timeout_ends_wait_but_not_work(stream):
    with Gate(stream):
        ticket = stream.copy(bytearray(4), b"1234")
        with pytest.raises(convoy.TimedOut):
            ticket.wait(timeout=0.001)
        with pytest.raises(TimeoutError):
            stream.synchronize(timeout=0.001)

    ticket.wait(timeout=60)


def test_events_order_one_stream_after_another(device):
    target = np.zeros(16, np.uint8)
    remote = device.buffer(16)
    with device.stream() as first, device.stream() as second, device.event() as event:
        gate = Gate(first)
        first.copy(remote, numbered(16))
        first.record(event)
        second.wait(event)
        second.copy(target, remote)
        assert not event.reached
        assert not target.any()
        gate.open()

    assert (target == numbered(16)).all()


def test_events_tell_the_time_between_them(stream, device):
    with device.event() as start, device.event() as end:
        stream.record(start)
        stream.record(end)
        end.synchronize()

        assert end.reached
        assert end.seconds_since(start) >= 0


def test_unrecorded_event_is_reached_without_time(device):
    with device.event() as event:
        assert event.reached
        with pytest.raises(convoy.Error) as caught:
            event.seconds_since(event)
    assert caught.value.code == "not_recorded"


def test_waiting_for_an_event_times_out(stream, device):
    with Gate(stream), device.event() as event:
        stream.record(event)
        with pytest.raises(convoy.TimedOut):
            event.synchronize(timeout=0.001)


def test_a_closed_event_is_refused(stream, device):
    event = device.event()
    event.close()

    with pytest.raises(convoy.Error) as caught:
        stream.record(event)

    assert caught.value.code == "invalid_handle"


def test_functions_run_in_stream_order(stream):
    target = bytearray(4)
    seen = []

    stream.copy(target, b"1234")
    stream.call(lambda: seen.append(bytes(target)))
    stream.synchronize()

    assert seen == [b"1234"]


def test_raising_function_fails_its_step(stream, monkeypatch):
    reported = []
    monkeypatch.setattr("sys.unraisablehook", lambda problem: reported.append(problem.exc_type))

    stream.call(lambda: 1 / 0)

    with pytest.raises(convoy.Error) as caught:
        stream.synchronize()
    assert caught.value.code == "function_threw"
    assert reported == [ZeroDivisionError]


def test_call_needs_a_callable(stream):
    with pytest.raises(TypeError):
        stream.call(3)


def test_fills_repeat_a_value(stream, device):
    remote = device.buffer(16)

    stream.fill(remote, 0x01020304, unit=4)
    stream.synchronize()

    assert contents(remote).tobytes() == b"\4\3\2\1" * 4


def test_an_address_cannot_be_filled(stream, device):
    with pytest.raises(TypeError, match="size"):
        stream.fill(device.buffer(8).address, 1)


def test_reductions_combine_elements(stream, device):
    sums = device.buffer(16)
    stream.copy(sums, np.array([1, 5, -3, 0.5], np.float32))

    stream.reduce(sums, np.array([2, 4, -4, 0.25], np.float32), np.dtype(np.float32))
    stream.reduce(sums, np.array([4, 4, 4, 4], np.float32), "float32", "max")
    stream.synchronize()

    assert contents(sums).view(np.float32).tolist() == [4, 9, 4, 4]


def test_unknown_dtype_or_kind_is_refused(stream, device):
    both = device.buffer(16)
    with pytest.raises(ValueError, match="bfloat16"):
        stream.reduce(both, both, "float64")
    with pytest.raises(ValueError, match="sum"):
        stream.reduce(both, both, "int8", "product")
    with pytest.raises(convoy.Error) as caught:
        stream.reduce(device.buffer(8), both, "int8")
    assert caught.value.code == "size_exceeds_capacity"


def test_descriptor_is_read_when_step_runs(stream, device):
    first, second, target = (device.buffer(16) for _ in range(3))
    stream.copy_batch([first, second], [numbered(16), numbered(16, 50)])
    stream.synchronize()
    descriptor = device.buffer(32)

    def describe(source):
        words = np.zeros(4, np.uint64)
        words[1] = 16 << 32
        words[2:] = source.address, target.address
        with device.stream(blocking=False) as side:
            side.copy(descriptor, words)

    describe(first)
    with Gate(stream):
        stream.copy_indirect(descriptor)
        describe(second)
    stream.synchronize()

    assert (contents(target) == numbered(16, 50)).all()


def test_abort_drops_unstarted_steps(stream):
    target = bytearray(4)
    with Gate(stream) as gate:
        gate.arrived.wait()
        ticket = stream.copy(target, b"1234")
        stream.abort()

    with pytest.raises(convoy.Aborted):
        ticket.wait()
    assert target == bytearray(4)


def test_error_stays_until_cleared(stream):
    stream.call(lambda: None)
    stream.copy(bytearray(4096), 4096, 64)

    with pytest.raises(convoy.Error) as caught:
        stream.synchronize()
    assert (caught.value.code, caught.value.item) == ("fault", 0)
    with pytest.raises(convoy.Error):
        stream.done
    stream.clear_error()
    assert stream.done


def test_the_default_stream_orders_blocking_streams(stream, device):
    target = bytearray(4)
    with Gate(stream):
        ticket = device.default_stream.copy(target, b"1234")
        assert not ticket.landed

    device.synchronize()
    assert target == b"1234"


def test_a_copy_checks_both_ends(stream, device):
    with pytest.raises(convoy.Error) as caught:
        stream.copy(device.buffer(4), b"12345")
    assert caught.value.code == "size_exceeds_capacity"
    with pytest.raises(convoy.Error) as caught:
        stream.copy(bytearray(8), b"1234", 8)
    assert (caught.value.code, caught.value.side) == ("leaves_allocation", "source")
    with pytest.raises(TypeError, match="two addresses"):
        stream.copy(4096, 8192)
    with pytest.raises(TypeError, match="read-only"):
        stream.copy(b"1234", bytearray(4))


def test_synchronize_releases_the_gil(stream):
    with Gate(stream):
        waiting = WaitingCall(stream.synchronize)
        assert not waiting.returned

    assert waiting.result() is None


def test_many_threads_share_a_stream(stream, device):
    targets = [[np.zeros(64, np.uint8) for _ in range(50)] for _ in range(8)]

    def work(mine, seed):
        for target in mine:
            stream.copy(target, numbered(64, seed))
        stream.synchronize()

    threads = [threading.Thread(target=work, args=(mine, seed))
               for seed, mine in enumerate(targets)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert all((target == numbered(64, seed)).all()
               for seed, mine in enumerate(targets) for target in mine)
