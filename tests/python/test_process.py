import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Gate, numbered, run_python

import convoy


def answer_of_child(function):
    """The exit code of a forked child that runs the function."""
    child = os.fork()
    if child == 0:
        code = 99
        try:
            code = function()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")


@pytest.mark.parametrize("repeat", range(3))
def test_daemon_thread_may_wait_at_exit(repeat):
    code = """
import sys, threading, time, convoy
stream = convoy.device(0).stream()
entered = threading.Event()
def work():
    while True:
        stream.call(entered.set)
        stream.synchronize()
threading.Thread(target=work, daemon=True).start()
entered.wait()
sys.exit(7)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (7, "")


def test_forked_child_is_refused_with_reason(stream, device):
    def child():
        try:
            stream.copy(bytearray(4), b"1234")
        except convoy.Error as problem:
            return 7 if problem.code == "forked" and "new process" in str(problem) else 1
        return 2

    assert answer_of_child(child) == 7


def test_forked_child_may_release_inherited_objects(device):
    held = [device.buffer(64), convoy.pinned(64), device.stream(), device.event()]

    def child():
        held.clear()
        return 7

    assert answer_of_child(child) == 7


def test_parent_works_after_fork(stream):
    target = bytearray(64)
    with Gate(stream):
        stream.copy(target, numbered(64))
        assert answer_of_child(lambda: 7) == 7
    stream.synchronize()

    assert target == numbered(64).tobytes()


def test_fork_before_first_use_serves_both():
    output = run_python("""
import os, sys, convoy
child = os.fork()
target = bytearray(4)
with convoy.device(0).stream() as stream:
    stream.copy(target, b"both")
if child == 0:
    os._exit(0 if target == b"both" else 1)
print(os.waitpid(child, 0)[1], target.decode())
""")

    assert output == "0 both\n"


def test_bad_configuration_error_names_variable():
    output = run_python("""
import convoy
try:
    convoy.device_count()
except convoy.Error as problem:
    print(problem.code, problem)
""", CONVOY_DEVICES="none")

    assert output.startswith("bad_configuration")
    assert "CONVOY_DEVICES" in output


def test_convoy_needs_no_numpy():
    output = run_python("""
import sys
sys.modules["numpy"] = None
import convoy
target = bytearray(4)
with convoy.device(0).stream() as stream:
    remote = convoy.device(0).buffer(4)
    stream.copy_batch([remote], [b"1234"])
    stream.copy_batch([target], [remote])
print(target.decode())
""")

    assert output == "1234\n"


def test_module_runs_command_of_its_package(tmp_path):
    package = tmp_path / "convoy"
    (package / "bin").mkdir(parents=True)
    shutil.copy(Path(convoy.__file__).parent / "__main__.py", package)
    (package / "__init__.py").touch()
    run = [sys.executable, "-m", "convoy", "some", "words"]
    alone = {**os.environ, "PYTHONPATH": str(tmp_path)}
    missing = subprocess.run(run, env=alone, cwd=tmp_path, capture_output=True, text=True)
    program = package / "bin/convoy"
    program.write_text("#!/bin/sh\necho \"$@\"\n")
    program.chmod(0o755)

    found = subprocess.run(run, env=alone, cwd=tmp_path, capture_output=True, text=True)

    assert missing.returncode == 1 and "without the command line" in missing.stderr
    assert (found.returncode, found.stdout) == (0, "some words\n")
