"""What a refused call or a failed step raises."""

from __future__ import annotations

from typing import Optional


class Error(RuntimeError):
    """The outcome of a call: its code, and what it blames.

    `item` is the index of the copy to blame in its batch, `side` says which of its pointers
    ("source", "destination" or ""), and `address` where that points.
    """

    def __init__(self, sentence: str, code: str, item: Optional[int] = None, side: str = "",
                 address: int = 0) -> None:
        super().__init__(sentence)
        self.code = code
        self.item = item
        self.side = side
        self.address = address


class OutOfMemory(Error, MemoryError):
    """The configured memory of a device, or of the machine, is used up."""


class TimedOut(Error, TimeoutError):
    """The time is over and the work goes on."""


class Aborted(Error):
    """The step was dropped by an abort."""


_CLASSES = {"out_of_memory": OutOfMemory, "timed_out": TimedOut, "aborted": Aborted}


def error_for(code: str, sentence: str, item: Optional[int], side: str, address: int) -> Error:
    return _CLASSES.get(code, Error)(sentence, code, item, side, address)
