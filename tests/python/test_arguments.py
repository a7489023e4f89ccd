"""Wrong arguments raise an error that names the argument, not a function of the native module."""

import pickle

import numpy as np
import pytest
from conftest import run_python

import convoy

WRONG = {
    "size as text": (lambda d, s: d.buffer("16"), TypeError, "nbytes must be an integer, not 'str'"),
    "size as float": (lambda d, s: d.buffer(1.5), TypeError, "nbytes must be an integer"),
    "negative size": (lambda d, s: d.buffer(-1), ValueError, "nbytes is -1"),
    "pinned size": (lambda d, s: convoy.pinned(None), TypeError, "nbytes must be an integer"),
    "missing size": (lambda d, s: convoy.pinned(), TypeError, "missing 1 required"),
    "source": (lambda d, s: s.copy(d.buffer(8), None), TypeError, "'NoneType' has no memory"),
    "index": (lambda d, s: d.buffer(8)[3], TypeError, "must be a slice, not 'int'"),
    "bytes of a copy": (lambda d, s: s.copy(d.buffer(8), b"12345678", "8"), TypeError, "nbytes"),
    "order as number": (lambda d, s: s.copy_batch([], [], order=1), TypeError, "order must be a string"),
    "order": (lambda d, s: s.copy_batch([], [], order="soon"), ValueError, "'during_call'"),
    "callable": (lambda d, s: s.call(3), TypeError, "function must be callable, not 'int'"),
    "event": (lambda d, s: s.wait(3), TypeError, "event must be a convoy.Event, not 'int'"),
    "recorded event": (lambda d, s: s.record(None), TypeError, "event must be a convoy.Event"),
    "timeout": (lambda d, s: s.synchronize("soon"), ValueError, "float"),
    "device number": (lambda d, s: convoy.device(0.5), TypeError, "integer"),
    "peer": (lambda d, s: d.can_access(1), TypeError, "peer must be a convoy.Device, not 'int'"),
    "reduction": (lambda d, s: s.reduce(d.buffer(4), d.buffer(4), "int32", 1), TypeError, "kind"),
    "fill beyond a byte": (lambda d, s: s.fill(d.buffer(8), 300), ValueError, "300.* 8 bits"),
    "fill below a byte": (lambda d, s: s.fill(d.buffer(8), -129), ValueError, "-129.* 8 bits"),
    "fill unit": (lambda d, s: s.fill(d.buffer(8), 1, 3), ValueError, "unit is 3"),
    "fill value": (lambda d, s: s.fill(d.buffer(8), 1.5), TypeError, "integer"),
}


@pytest.mark.parametrize("name", WRONG)
def test_error_names_the_argument(device, stream, name):
    call, kind, sentence = WRONG[name]
    with pytest.raises(kind, match=sentence) as caught:
        call(device, stream)
    assert "incompatible function arguments" not in str(caught.value)


def test_largest_and_smallest_values_fill(device, stream):
    target = np.zeros(8, np.uint8)
    stream.fill(target, 255)
    stream.synchronize()
    assert (target == 255).all()
    stream.fill(target, -2, 4)
    stream.synchronize()
    assert (target.view(np.int32) == -2).all()


@pytest.mark.parametrize("error", [
    convoy.Error("item 3: it is null", "null_pointer", 3, "source", 16),
    convoy.OutOfMemory("full", "out_of_memory"),
    convoy.TimedOut("late", "timed_out"),
    convoy.Aborted("dropped", "aborted"),
])
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_errors_survive_pickling(error, protocol):
    copy = pickle.loads(pickle.dumps(error, protocol))

    assert type(copy) is type(error)
    assert str(copy) == str(error)
    assert vars(copy) == vars(error)



def test_pool_hands_over_the_error(tmp_path):
    script = tmp_path / "pool.py"
    script.write_text("""
import multiprocessing, convoy
def work(_): convoy.device(0).buffer(1 << 62)
if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        try:
            pool.map(work, [0])
        except convoy.OutOfMemory as error:
            print(error.code)
""")
    assert run_python("import runpy, sys; runpy.run_path(sys.argv[1], run_name='__main__')",
                      str(script)) == "out_of_memory\n"


def test_exception_of_function_is_cause(device, monkeypatch):
    monkeypatch.setattr("sys.unraisablehook", lambda problem: None)
    with device.stream() as stream:
        ticket = stream.call(lambda: [][1])
        stream.call(lambda: 1 / 0)
        for wait in (stream.synchronize, ticket.wait, device.synchronize):
            with pytest.raises(convoy.Error) as caught:
                wait()
            assert isinstance(caught.value.__cause__, IndexError)
        stream.clear_error()
        stream.call(lambda: {}["key"])
        with pytest.raises(convoy.Error) as caught:
            stream.synchronize()
        assert isinstance(caught.value.__cause__, KeyError)
        stream.clear_error()


def test_objects_describe_themselves(device, stream):
    event = device.event()
    assert repr(event) == "<convoy.Event, not recorded>"
    stream.record(event)
    assert repr(event).startswith("<convoy.Event, recorded at <convoy.Ticket 1 of stream 0x")
    assert repr(stream) == f"<convoy.Stream {stream.handle:#x} of device 0>"
    stream.close()
    assert repr(stream) == "<convoy.Stream: closed>"
    pin = convoy.pin(np.zeros(4096, np.uint8))
    assert repr(pin).startswith("<convoy.Pin at 0x")
    pin.close()
    assert repr(pin) == "<convoy.Pin: closed>"


def test_version_is_that_of_the_package():
    major, minor, patch = convoy.__version__.split(".")
    assert int(major) + int(minor) + int(patch) > 0
