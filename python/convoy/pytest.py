"""A plugin for pytest: `pytest -p convoy.pytest --convoy` restarts the run under `convoy run`."""

import os
import sys

import pytest

from .__main__ import find_program

# Inherited by workers and by the restarted run, which must not restart again.
_RESTARTED = "_CONVOY_PYTEST_RESTARTED"


def pytest_addoption(parser):
    parser.getgroup("convoy").addoption(
        "--convoy", action="store_true",
        help="run on Convoy's CUDA and AscendCL libraries: restarts pytest under `convoy run`")


def _is_replaced():
    audited = os.environ.get("LD_AUDIT", "").split(":")
    return _RESTARTED in os.environ or any(
        os.path.basename(each) == "libconvoy-audit.so" for each in audited)


def _command_line():
    """As this process was started, with the interpreter and its options."""
    with open("/proc/self/cmdline", "rb") as file:
        return [sys.executable, *map(os.fsdecode, file.read().split(b"\0")[1:-1])]


# Before conftest.py is imported and before output is captured.
@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config):
    if early_config.known_args_namespace.convoy and not _is_replaced():
        program = find_program()
        if program is None:
            raise pytest.UsageError("--convoy: this package was built without the command line")
        print("convoy: restarting pytest under convoy run", file=sys.stderr, flush=True)
        sys.stdout.flush()
        os.environ[_RESTARTED] = "1"
        os.execv(program, [str(program), "run", "--", *_command_line()])
    yield
