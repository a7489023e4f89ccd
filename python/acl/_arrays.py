"""The functions of acl.util for NumPy arrays. NumPy is imported when one of them is called."""

import warnings

from . import _native


def _checked_array(function, array):
    import numpy

    if not isinstance(array, numpy.ndarray):
        raise TypeError(f"{function}() takes a NumPy array, not {type(array).__name__}")
    return array


def numpy_to_ptr(array, /):
    """The address of an array's memory."""
    _checked_array("numpy_to_ptr", array)
    warnings.warn("acl.util.numpy_to_ptr is deprecated; use acl.util.bytes_to_ptr",
                  DeprecationWarning, stacklevel=2)
    return array.ctypes.data


def numpy_contiguous_to_ptr(array, /):
    """The address of a contiguous array with the same content, and that array, to be kept alive."""
    import numpy

    contiguous = numpy.ascontiguousarray(_checked_array("numpy_contiguous_to_ptr", array))
    return contiguous.ctypes.data, contiguous


def _dtype_numbered(number):
    import numpy

    for code in numpy.typecodes["All"]:
        if numpy.dtype(code).num == number:
            return numpy.dtype(code)
    raise TypeError(f"there is no NumPy type number {number}")


def ptr_to_numpy(ptr, shape, npy_type, /):
    """An array over the memory at an address, without a copy."""
    import numpy

    if not isinstance(shape, tuple):
        raise TypeError(f"shape must be a tuple, not {type(shape).__name__}")
    if not isinstance(npy_type, int):
        raise TypeError(f"npy_type must be an int, not {type(npy_type).__name__}")
    dtype = _dtype_numbered(npy_type)
    count = 1
    for length in shape:
        count *= length
    if count == 0:
        return numpy.empty(shape, dtype)
    return numpy.frombuffer(_native.memory_at(ptr, count * dtype.itemsize), dtype).reshape(shape)
