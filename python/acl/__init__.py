"""AscendCL for Python, on Convoy.

Positional arguments, outputs first and the status last. Handles, pointers and sizes are ints, and
there are no constants: programs define what they need.
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

# A step that fails later finds no interpreter to call a function in.
_atexit.register(rt.set_exception_info_callback, None)

del _name, _function
