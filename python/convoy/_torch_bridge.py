"""Lets PyTorch compute on Convoy's devices. Needs nothing of the package, so that a Python that has
no convoy installed can run it from its file, as the one that `convoy run` starts does."""

import atexit
import ctypes
import os
import sys
import time
import warnings
from pathlib import Path

FOLDER = Path(__file__).absolute().parent
_library = None


class Unavailable(RuntimeError):
    """Says why PyTorch cannot compute here; copies work all the same."""


def is_wanted() -> bool:
    return os.environ.get("CONVOY_TORCH", "on") != "off"


def _minor(version: str) -> tuple:
    return tuple(int(part) for part in version.split(".")[:2])


def _bridge_file(version: str) -> Path:
    """The bridge that was built for this torch, else the one for the nearest older release."""
    known = {}
    for file in FOLDER.glob("_torch_bridge-*.so"):
        known[_minor(file.stem.split("-", 1)[1])] = file
    fitting = [minor for minor in known if minor <= _minor(version)]
    if not fitting:
        built = ", ".join(".".join(map(str, minor)) for minor in sorted(known)) or "no release"
        raise Unavailable(f"the bridge is built for {built} of torch, not for {version}")
    return known[max(fitting)]


def _load(version: str) -> ctypes.CDLL:
    file = _bridge_file(version)
    try:
        library = ctypes.CDLL(str(file))
    except OSError as error:
        raise Unavailable(f"{file.name} does not fit torch {version} ({error})") from None
    library.convoy_torch_install.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    library.convoy_torch_first_failure.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    library.convoy_torch_first_failure.restype = None
    library.convoy_torch_sleep.argtypes = [ctypes.c_int, ctypes.c_int64]
    library.convoy_torch_drain.restype = None
    library.convoy_torch_synchronous_calls.restype = ctypes.c_uint64
    return library


def activate() -> int:
    """Registers the kernels and returns how many operators compute. Raises Unavailable."""
    global _library
    import torch

    if _library is not None:
        return _library.operators
    if torch.version.cuda is None:
        raise Unavailable("this torch is built without CUDA")
    library = _load(torch.__version__)
    reason = ctypes.create_string_buffer(1024)
    library.operators = library.convoy_torch_install(reason, len(reason))
    if library.operators < 0:
        raise Unavailable(reason.value.decode())
    _library = library
    _replace_sleep(torch, library)
    _refuse_capture(torch)
    _refuse_inductor(torch)
    # Streams drain before the interpreter finalises, and with the GIL released.
    atexit.register(library.convoy_torch_drain)
    return library.operators


def activate_or_warn() -> None:
    if not is_wanted():
        return
    try:
        activate()
    except Unavailable as reason:
        warnings.warn(f"PyTorch copies but does not compute on Convoy: {reason}.", stacklevel=2)


def first_failure() -> str:
    """The first operator that failed on a stream, and why; empty if none did."""
    text = ctypes.create_string_buffer(4096)
    _library.convoy_torch_first_failure(text, len(text))
    return text.value.decode(errors="replace")


def synchronous_calls() -> int:
    """How many operators waited for their stream, to learn the sizes or values of their results."""
    return _library.convoy_torch_synchronous_calls()


# One cycle is a nanosecond, the order of magnitude of a GPU's clock.
def _replace_sleep(torch, library) -> None:
    def sleep(cycles):
        torch.cuda._lazy_init()
        if library.convoy_torch_sleep(torch.cuda.current_device(), int(cycles)) != 0:
            torch.cuda.current_stream().synchronize()

    torch._C._cuda_sleep = sleep


def _refuse_capture(torch) -> None:
    def refuse(self, *arguments, **named):
        raise RuntimeError("CUDA graphs are not supported on Convoy: run the code without capture.")

    torch.cuda.CUDAGraph.capture_begin = refuse


def _has_cuda_tensor(torch, values) -> bool:
    return any(isinstance(each, torch.Tensor) and each.is_cuda for each in values)


def _refuse_inductor(torch) -> None:
    wrapper = getattr(torch, "_TorchCompileInductorWrapper", None)
    if wrapper is None:
        return
    compile_on_cpu = wrapper.__call__

    def compile_or_refuse(self, model, inputs):
        if _has_cuda_tensor(torch, inputs):
            raise RuntimeError("torch.compile with inductor is not supported on Convoy: use backend='eager'.")
        return compile_on_cpu(self, model, inputs)

    wrapper.__call__ = compile_or_refuse
