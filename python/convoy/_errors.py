"""The exceptions of refused calls and failed steps."""

from __future__ import annotations

from typing import Any, Optional


class Error(RuntimeError):
    """A call was refused, or a step failed.

    `code` is the error code, `item` the index of the copy in its batch, `side` the pointer of the
    copy that is at fault ("source", "destination" or ""), and `address` its value.
    """

    def __init__(self, sentence: str, code: str, item: Optional[int] = None, side: str = "",
                 address: int = 0) -> None:
        super().__init__(sentence)
        self.code = code
        self.item = item
        self.side = side
        self.address = address

    def __reduce__(self) -> Any:
        # The default passes args, the sentence alone, to a constructor that takes more.
        return type(self), (self.args[0], self.code, self.item, self.side, self.address), self.__dict__


class OutOfMemory(Error, MemoryError):
    """The memory of the device or of the machine is exhausted."""


class TimedOut(Error, TimeoutError):
    """The timeout has passed; the work continues."""


class Aborted(Error):
    """The step was aborted."""


_CLASSES = {"out_of_memory": OutOfMemory, "timed_out": TimedOut, "aborted": Aborted}


def error_for(code: str, sentence: str, item: Optional[int], side: str, address: int) -> Error:
    return _CLASSES.get(code, Error)(sentence, code, item, side, address)
