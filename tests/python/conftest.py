"""What the tests share: a device, a stream, and a gate that holds it."""

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import convoy


class Gate:
    """Holds a stream: steps submitted after it wait until it opens."""

    def __init__(self, stream):
        self.arrived = threading.Event()
        self._opened = threading.Event()
        self.ticket = stream.call(self._hold)

    def _hold(self):
        self.arrived.set()
        self._opened.wait()

    def open(self):
        self._opened.set()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.open()


def numbered(count, seed=0):
    """Bytes of which none is zero."""
    return ((np.arange(count) * 7 + seed) % 255 + 1).astype(np.uint8)


def contents(buffer):
    """The bytes of a device buffer, fetched by a stream that nobody holds up."""
    found = np.zeros(buffer.nbytes, np.uint8)
    with convoy.device(buffer.device).stream(blocking=False) as side:
        side.copy(found, buffer)
    return found


def run_python(code, *arguments, **environment):
    """What a fresh interpreter prints; fails unless it ends well."""
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True,
                          env={**os.environ, **environment}, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def until(condition):
    """Runs Python until the condition holds."""
    while not condition():
        pass


@pytest.fixture
def device():
    return convoy.device(0)


@pytest.fixture
def stream(device):
    with device.stream() as made:
        yield made
        if not made.closed:
            made.clear_error()


@pytest.fixture(scope="session")
def acl_device():
    """AscendCL with device 0, for the whole run."""
    import acl

    assert acl.init() == 0
    assert acl.rt.set_device(0) == 0
    return 0


@pytest.fixture
def acl_stream(acl_device):
    import acl

    stream, ret = acl.rt.create_stream()
    assert ret == 0
    yield stream
    assert acl.rt.destroy_stream(stream) == 0
