"""The functions of acl.util about threads, which process the reports of streams."""

import ctypes
import threading

SUCCESS = 0
INVALID_PARAM = 100000

# How long a thread has to end by itself before it is told to.
GRACE_SECONDS = 2.0

_threads = {}


def start_thread(function, args, /):
    """Calls function(args) in a thread; its id is what acl.rt.subscribe_report takes."""
    if not callable(function):
        raise TypeError("a thread needs a function to call")
    thread = threading.Thread(target=function, args=(args,), daemon=True)
    thread.start()
    _threads[thread.ident] = thread
    return thread.ident, SUCCESS


def stop_thread(thread_id, /):
    """Waits for the thread, and ends it when it does not end by itself."""
    thread = _threads.pop(thread_id, None)
    if thread is None:
        return INVALID_PARAM
    thread.join(GRACE_SECONDS)
    if thread.is_alive():
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread_id),
                                                   ctypes.py_object(SystemExit))
        thread.join()
    return SUCCESS
