"""Puts Convoy's CUDA libraries into this process: import it before torch.

    import convoy.cuda
    import torch

It loads Convoy's file for each soname, answers later requests of ctypes for NVIDIA's files with
them, and sets the variables of `convoy run` for child processes. It raises ImportError where another
runtime is loaded already. docs/run.md says what only `convoy run` covers.
"""

import ctypes
import os
import re
from pathlib import Path

__all__ = ["folder", "libraries"]

_PACKAGE = Path(__file__).parent

# In a wheel, beside the folder of the packages in a build tree, and in an install tree.
_FOLDERS = [_PACKAGE / "lib/convoy", _PACKAGE.parents[1] / "lib/convoy", _PACKAGE.parents[1]]

_RUNTIME = re.compile(r"libcudart[-.](?:.*\.)?so\.(1[23])(\..*)?$")
_SONAMES = ["libcudart.so.13", "libcudart.so.12", "libcuda.so.1", "libnvidia-ml.so.1"]


def _soname(path):
    """The soname that a request for a file is a request for; None for other libraries."""
    name = os.path.basename(path)
    if found := _RUNTIME.match(name):
        return f"libcudart.so.{found[1]}"
    if name == "libcudart.so":
        return "libcudart.so.13"
    for stem in ["libcuda.so", "libnvidia-ml.so"]:
        if name == stem or name.startswith(stem + "."):
            return stem + ".1"
    return None


def _find_folder():
    for each in _FOLDERS:
        if (each / "cuda/libcudart.so.13").exists():
            return each / "cuda"
    raise ImportError("convoy.cuda: Convoy's CUDA libraries are not installed with this package")


def _refuse_other_runtime():
    with open("/proc/self/maps") as maps:
        files = {line.rstrip("\n")[line.index("/"):] for line in maps if "/" in line}
    for file in sorted(files):
        if _soname(file) and os.path.realpath(os.path.dirname(file)) != os.path.realpath(folder):
            raise ImportError(f"convoy.cuda: {file} is loaded already; import convoy.cuda before "
                              "the module that loads it, or start the program with convoy run")


def _replace_requests():
    """ctypes opens every library through this function, torch's preload included."""
    original = ctypes._dlopen

    def dlopen(name, *mode):
        soname = _soname(os.fsdecode(name)) if isinstance(name, (str, bytes, os.PathLike)) else None
        return original(libraries.get(soname, name), *mode)

    ctypes._dlopen = dlopen


def _prepend(name, value):
    rest = os.environ.get(name, "")
    if value not in rest.split(":"):
        os.environ[name] = f"{value}:{rest}" if rest else value


folder = str(_find_folder())
_refuse_other_runtime()
libraries = {name: os.path.join(folder, name) for name in _SONAMES
             if os.path.exists(os.path.join(folder, name))}
for _file in libraries.values():
    ctypes.CDLL(_file, mode=ctypes.RTLD_GLOBAL)
_replace_requests()
_prepend("LD_LIBRARY_PATH", folder)
_audit = os.path.join(os.path.dirname(folder), "libconvoy-audit.so")
if os.path.exists(_audit):
    _prepend("LD_AUDIT", _audit)
