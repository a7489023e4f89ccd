"""import convoy.cuda, and the option of pytest. Each needs a process of its own."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import run_python

import convoy

OWN = {name: value for name, value in os.environ.items()
       if name not in ("LD_AUDIT", "LD_LIBRARY_PATH", "_CONVOY_PYTEST_RESTARTED")}
OWN["PYTHONPATH"] = str(Path(convoy.__file__).absolute().parents[1])

MAPPED = """
def mapped():
    lines = open("/proc/self/maps").read().splitlines()
    return {line[line.index("/"):] for line in lines if "libcudart" in line}
"""


@pytest.fixture
def vendor(tmp_path):
    """A file that has the name of NVIDIA's runtime."""
    if not shutil.which("cc"):
        pytest.skip("there is no C compiler")
    file = tmp_path / "libcudart.so.13"
    subprocess.run(["cc", "-shared", "-x", "c", "/dev/null", "-o", file, "-Wl,-soname,libcudart.so.13"],
                   check=True)
    return str(file)


def test_absolute_paths_of_ctypes_are_replaced(vendor):
    output = run_python(MAPPED + """
import convoy.cuda, ctypes, pathlib, sys
ctypes.CDLL(sys.argv[1])
ctypes.CDLL(sys.argv[1].encode())
ctypes.CDLL("libcuda.so.1").cuInit
assert mapped() == {str(pathlib.Path(convoy.cuda.folder).resolve() / "libcudart.so.13")}, mapped()
print(ctypes.CDLL(None) is not None)
""", vendor)

    assert output == "True\n"


def test_other_runtime_is_an_import_error(vendor):
    output = run_python("""
import ctypes, sys
ctypes.CDLL(sys.argv[1])
try:
    import convoy.cuda
except ImportError as problem:
    print(problem)
""", vendor)

    assert vendor in output
    assert "before the module that loads it" in output


def test_children_get_the_variables(vendor):
    output = run_python("""
import convoy.cuda, subprocess, sys
code = "import ctypes, sys; ctypes.CDLL(sys.argv[1]).cudaMalloc; print('convoy')"
print(subprocess.run([sys.executable, "-c", code, sys.argv[1]], text=True, capture_output=True))
""", vendor)

    assert "stdout='convoy\\n'" in output, output


def run_pytest(folder, *arguments):
    return subprocess.run([sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments],
                          cwd=folder, env=OWN, text=True, capture_output=True, timeout=120)


def test_option_restarts_the_run_once(tmp_path, vendor):
    (tmp_path / "test_it.py").write_text(f"""
import ctypes, os, sys
def test_two_words(): ctypes.CDLL({vendor!r}).cudaMalloc
def test_fails(): assert False, os.environ["LD_AUDIT"]
""")

    passed = run_pytest(tmp_path, "-p", "convoy.pytest", "--convoy", "-k", "two and words")
    failed = run_pytest(tmp_path, "-p", "convoy.pytest", "--convoy")
    plain = run_pytest(tmp_path, "-p", "convoy.pytest", "-k", "two and words")

    assert passed.returncode == 0 and "1 passed, 1 deselected" in passed.stdout, passed.stdout
    assert passed.stderr == "convoy: restarting pytest under convoy run\n"
    assert failed.returncode == 1 and "libconvoy-audit.so" in failed.stdout, failed.stdout
    assert plain.returncode == 1 and plain.stderr == "", plain.stderr
