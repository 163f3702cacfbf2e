"""What every call of the C API needs: text as bytes and back, and errors as exceptions.

cffi releases the interpreter's lock in each call.
"""
import os
import threading
from typing import Any, NoReturn, Optional, Union

from fsload._native import ffi, lib
from fsload.errors import error_of

Path = Union[str, bytes, "os.PathLike[Any]"]


python_ends = threading.Event()  # set when the plugins are cleaned up


def end_daemon() -> None:
    """End a thread that does not hold up the end of Python, once that has begun, as
    `_thread.exit` does: what it raised would be printed meanwhile, which may abort Python."""
    if python_ends.is_set() and threading.current_thread().daemon:
        raise SystemExit


class _Scratch(threading.local):
    """Out-parameters of this thread."""

    def __init__(self) -> None:
        self.error = ffi.new("fsload_error**")
        self.count = ffi.new("size_t*")


scratch = _Scratch()


def encoded(text: Path) -> bytes:
    """Return the bytes that C takes for a path."""
    data = os.fsencode(text)
    if b"\0" in data:
        raise ValueError(f"{text!r}: embedded null byte")
    return data


def text_of(pointer: Any) -> str:
    """Return a string of the library as text; undecodable bytes become surrogates, as in
    os.fsdecode."""
    return os.fsdecode(ffi.string(pointer))


def fail(code: int, uri: Optional[str]) -> NoReturn:
    """Raise the error that the last call of this thread has left in `scratch.error`."""
    variable = scratch.error
    error = variable[0]
    message = text_of(lib.fsload_error_message(error))
    lib.fsload_error_free(error)
    variable[0] = ffi.NULL
    end_daemon()
    name = text_of(lib.fsload_code_name(code))
    # A function that handles a signal may have used the variable meanwhile.
    raise error_of(name, message or f"{uri}: {name}", uri)


def check(code: int, uri: Optional[str] = None) -> None:
    """Raise if a call that was given `scratch.error` has failed."""
    if code:
        fail(code, uri)


def options_of(kind: str, **fields: Any) -> Any:
    """Return a struct of options; `fields` must outlive what they point to."""
    return ffi.new(kind + "*", {"struct_size": ffi.sizeof(kind), **fields})
