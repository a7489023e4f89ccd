"""The functions of acl.util for the threads that process stream reports."""

import ctypes
import threading

SUCCESS = 0
INVALID_PARAM = 100000

# A thread that has not ended after this time is stopped by an exception.
GRACE_SECONDS = 2.0

_threads = {}


def start_thread(function, args, /):
    """Calls function(args) in a thread; the id is for acl.rt.subscribe_report."""
    if not callable(function):
        raise TypeError("start_thread() takes a callable")
    thread = threading.Thread(target=function, args=(args,), daemon=True)
    thread.start()
    _threads[thread.ident] = thread
    return thread.ident, SUCCESS


def stop_thread(thread_id, /):
    """Waits for the thread; after GRACE_SECONDS raises SystemExit in it."""
    thread = _threads.pop(thread_id, None)
    if thread is None:
        return INVALID_PARAM
    thread.join(GRACE_SECONDS)
    if thread.is_alive():
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread_id),
                                                   ctypes.py_object(SystemExit))
        thread.join()
    return SUCCESS
