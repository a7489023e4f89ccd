"""Shared by the tests: devices, streams, a gate that holds a stream, and limits for waiting."""

import faulthandler
import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import convoy

# Far longer than anything here takes; the limit only turns a hang into a failure.
PATIENCE_SECONDS = 60


STDERR = pytest.StashKey()


def pytest_configure(config):
    # Before tests are captured, so that the stacks of a hanging test are seen.
    config.stash[STDERR] = os.dup(2)


def pytest_unconfigure(config):
    os.close(config.stash[STDERR])


@pytest.fixture(autouse=True)
def watchdog(request):
    """Ends the run, with the stack of every thread, when a test hangs.

    It needs no GIL, so it also ends a test whose call waits without releasing it.
    """
    faulthandler.dump_traceback_later(5 * PATIENCE_SECONDS, exit=True,
                                      file=request.config.stash[STDERR])
    yield
    faulthandler.cancel_dump_traceback_later()


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
    """Bytes that depend on their position; none is zero."""
    return ((np.arange(count) * 7 + seed) % 255 + 1).astype(np.uint8)


def contents(buffer):
    """The bytes of a device buffer, copied by a stream of their own."""
    found = np.zeros(buffer.nbytes, np.uint8)
    with convoy.device(buffer.device).stream(blocking=False) as side:
        side.copy(found, buffer)
    return found


def run_python(code, *arguments, **environment):
    """The output of a new interpreter; fails unless it exits with 0."""
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True,
                          env={**os.environ, **environment}, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def until(condition, seconds=PATIENCE_SECONDS):
    """Runs Python until the condition holds; fails when it has not after a while."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"the condition did not hold within {seconds} seconds"


class WaitingCall:
    """A call that blocks, made in a thread of its own after `prepare()`.

    Nothing between `started` and the call releases the GIL, so the maker of the thread goes on when
    the call has released it. One that does not hangs, and the watchdog ends it.
    """

    def __init__(self, call, prepare=lambda: None):
        self._results = []
        started = threading.Event()

        def work():
            prepare()
            started.set()
            self._results.append(call())

        self._thread = threading.Thread(target=work, daemon=True)
        self._thread.start()
        assert started.wait(PATIENCE_SECONDS)

    @property
    def returned(self):
        return bool(self._results)

    def result(self):
        self._thread.join(PATIENCE_SECONDS)
        assert self.returned, f"the call has not returned within {PATIENCE_SECONDS} seconds"
        return self._results[0]


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
