"""The package after pip install."""

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# Nothing may come from the build tree.
OWN = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

pytestmark = pytest.mark.installed


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """The interpreter of a new virtual environment with the package."""
    folder = tmp_path_factory.mktemp("installed")
    # The compiler flags of the build tree, so that the compiler cache has most of the objects.
    subprocess.run([sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation",
                    "--config-settings=cmake.define.CONVOY_WERROR=ON", "--wheel-dir", folder, ROOT],
                   check=True, env=OWN)
    venv.create(folder / "venv", with_pip=True)
    made = folder / "venv/bin/python"
    subprocess.run([made, "-m", "pip", "install", "-q", "--no-index", *folder.glob("*.whl")],
                   check=True, env=OWN)
    return made


def run_in(python, *arguments):
    return subprocess.run([python, *arguments], capture_output=True, text=True, cwd="/", env=OWN)


def test_the_package_copies(python):
    output = run_in(python, "-c", """
import convoy
target = bytearray(4)
with convoy.device(0).stream() as stream:
    remote = convoy.device(0).buffer(4)
    stream.copy(remote, b"1234")
    stream.copy(target, remote)
print(target.decode())
""")

    assert output.stdout == "1234\n", output.stderr


def test_one_engine_serves_the_process(python):
    output = run_in(python, "-c", """
import acl, convoy, ctypes, pathlib
convoy.device_count()
acl.rt.set_device(0)
pointer = acl.rt.malloc(64, 0)[0]
assert convoy.locate(pointer).kind == "device"
second = ctypes.CDLL(str(pathlib.Path(convoy.__file__).parent / "lib/convoy/ascend/libacl_rt.so"))
assert second.aclrtFree(ctypes.c_void_p(pointer)) == 0
lines = open("/proc/self/maps").read().split()
print({line for line in lines if "libconvoy" in line})
""")

    assert output.stdout.count("libconvoy") == 1, output.stdout + output.stderr
    assert "site-packages/convoy/lib/libconvoy.so.0" in output.stdout


def test_command_is_installed_with_package(python):
    output = run_in(python, "-m", "convoy", "doctor")

    assert output.returncode == 0, output.stdout + output.stderr
    assert output.stdout.splitlines()[-1].startswith("good: everything is installed")


def test_command_uses_its_own_interpreter(python):
    output = subprocess.run([python.parent / "convoy", "run", "--", "python3", "-c",
                           "import acl, convoy, sys; print(sys.prefix); print(convoy.__file__)"],
                          capture_output=True, text=True, cwd="/", env=OWN)

    prefix, package = output.stdout.split()
    assert prefix == str(python.parent.parent), output.stderr
    assert package.startswith(prefix)


def test_types_are_installed(python):
    output = run_in(python, "-c", "import convoy; print(convoy.__path__[0])")
    package = Path(output.stdout.strip())

    assert (package / "py.typed").exists()
    assert (package / "_native.pyi").exists()
    assert (package.parent / "acl/py.typed").exists()
    assert (package.parent / "acl/rt.pyi").exists()
