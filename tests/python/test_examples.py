import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples/python"
NAMES = sorted(path.name for path in EXAMPLES.glob("*.py"))


def run(name, *arguments, **environment):
    return subprocess.run([sys.executable, EXAMPLES / name, *arguments], capture_output=True,
                          text=True, timeout=120, env={**os.environ, **environment})


@pytest.fixture(params=["0", "1"], ids=["open", "isolated"])
def mode(request):
    """Examples never access device memory on the host, so they run with isolation as well."""
    return {"CONVOY_ISOLATE": request.param}


@pytest.mark.parametrize("name", [name for name in NAMES if name != "kv_cache.py"])
def test_every_example_succeeds(name, mode):
    output = run(name, **mode)

    assert output.returncode == 0, output.stderr
    assert output.stdout


def test_kv_cache_example_draws_a_picture(mode, tmp_path):
    picture = tmp_path / "picture.png"

    output = run("kv_cache.py", picture, **mode)

    assert output.returncode == 0, output.stderr
    assert picture.read_bytes().startswith(b"\x89PNG\r\n")
