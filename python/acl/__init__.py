"""AscendCL for Python, on Convoy.

Functions take positional arguments and return their outputs, with the status last. Handles,
pointers and sizes are ints. There are no constants: programs define those that they use.
"""

import atexit as _atexit
import sys as _sys

from . import _arrays, _native, _threads

for _name, _function in vars(_native.root).items():
    if not _name.startswith("_"):
        globals()[_name] = _function

rt = _native.rt
util = _native.util
for _function in (_arrays.numpy_to_ptr, _arrays.numpy_contiguous_to_ptr, _arrays.ptr_to_numpy,
                  _threads.start_thread, _threads.stop_thread):
    setattr(util, _function.__name__, _function)
_sys.modules["acl.rt"] = rt
_sys.modules["acl.util"] = util

# A step that fails after the interpreter has exited must not call a Python function.
_atexit.register(rt.set_exception_info_callback, None)

del _name, _function
