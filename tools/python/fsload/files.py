"""Open files: raw ones, over which Python's own classes buffer and decode.

A file that is written is published when it is closed, and only then: one that is left by an
exception, discarded or forgotten is dropped. (On stores nothing of it is then seen; on local
disks what was written so far stays.)
"""
import codecs
import io
import os
import threading
import warnings
from typing import Any, List, NoReturn, Optional, Union

from fsload import paths
from fsload._library import Path, check, encoded, end_daemon, fail, scratch
from fsload._native import ffi, lib
from fsload.errors import (AlreadyExistsError, CancelledError, DirectoryError, Error,
                           FailedPreconditionError, FileError, NotFoundError,
                           UnimplementedError)
from fsload.plugins import open_files, ready

BUFFER_BYTES = 1 << 20
BYTES = ffi.typeof("char[]")
LARGE_BYTES = 64 << 20  # memory for more is only used if the file has more
SECONDS_TO_END = 5.0
# An encoding with a mark at the beginning, and the same without. (Of utf-16 and utf-32 io
# writes the mark into files that can be sought alone.)
MARKED = {"utf-8-sig": "utf-8"}
SHARED_BYTES = 2  # Python has one object for all equal bytes that are fewer
read_at = lib.fsload_python_read
from_buffer = ffi.from_buffer


def _opened(kind: str, function: Any, uri: str) -> Any:
    handle = ffi.new(kind)
    paths.check_path(function(ffi.NULL, encoded(uri), handle, scratch.error), uri,
                     directory=False)
    return handle[0]


class Reader(io.RawIOBase):
    """A file that is open for reading. Threads may share it: `pread` has no position."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._handle: Any = None
        self._position = 0
        self._size: Optional[int] = None
        self.name = ready(path)
        # Freed with the last call that uses it.
        self._handle = ffi.gc(_opened("fsload_reader**", lib.fsload_open_reader, self.name),
                              lib.fsload_reader_free)
        open_files.add(self)

    @property
    def mode(self) -> str:
        return "rb"

    @property
    def size(self) -> int:
        """Return the bytes of the file, as first asked for."""
        if self._size is None:
            self._size = paths.stat(self.name).size
        return self._size

    def require_file(self) -> "Reader":
        """Raise if it is not a file: some plugins look for it only when it is read. Ask for
        the size. Return the reader."""
        try:
            found = paths.stat(self.name)
        except (NotFoundError, FileError):
            raise
        except Error:
            return self  # reading tells
        if found.is_dir:
            raise DirectoryError("FAILED_PRECONDITION", f"{self.name}: is a directory", self.name)
        self._size = found.size
        return self

    def _fail(self, code: int) -> NoReturn:
        scratch.error[0] = lib.fsload_python_read_error()
        fail(code, self.name)

    def _open_handle(self) -> Any:
        handle = self._handle
        if handle is None:
            end_daemon()
            raise ValueError(f"{self.name}: is closed")
        return handle

    def pread_into(self, offset: int, buffer: Any) -> int:
        """Read from `offset` on into `buffer`. Fewer bytes than it has room for only at the
        end of the file."""
        target = from_buffer(BYTES, buffer, True)
        count: int = read_at(self._handle or self._open_handle(), offset, target, len(target))
        if count < 0:
            self._fail(-count)
        return count

    def pread(self, size: int, offset: int) -> bytes:
        """Return up to `size` bytes from `offset` on; fewer only at the end of the file."""
        if size > LARGE_BYTES:
            return self._pread_large(size, offset)
        data = bytes(size)
        if size < SHARED_BYTES:
            buffer = bytearray(size)
            return bytes(buffer[:self.pread_into(offset, buffer)])
        # Nobody else has these bytes, so they are read into, which saves a copy.
        count = read_at(self._handle or self._open_handle(), offset, data, size)
        if count < 0:
            self._fail(-count)
        return data if count == size else data[:count]

    def _pread_large(self, size: int, offset: int) -> bytes:
        blocks: List[bytes] = []
        while size > 0:
            wanted = min(size, LARGE_BYTES)
            blocks.append(self.pread(wanted, offset))
            if len(blocks[-1]) < wanted:
                break
            size, offset = size - wanted, offset + wanted
        return b"".join(blocks)

    def readinto(self, buffer: Any) -> int:
        count = self.pread_into(self._position, buffer)
        self._position += count
        return count

    def readall(self) -> bytes:
        try:
            rest = max(self.size - self._position, 0)
        except Error:  # its scheme was retired, say
            rest = BUFFER_BYTES
        data = self.pread(rest + 1, self._position)  # one more tells the end
        self._position += len(data)
        return data if len(data) <= rest else data + super().readall()

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        if self.closed:
            raise ValueError(f"{self.name}: is closed")
        if whence not in (io.SEEK_SET, io.SEEK_CUR, io.SEEK_END):
            raise ValueError(f"{self.name}: unknown whence {whence}")
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._position}.get(whence)
        position = offset + (self.size if start is None else start)
        if position < 0:
            raise ValueError(f"{self.name}: negative position {position}")
        self._position = position
        return position

    def tell(self) -> int:
        if self.closed:
            raise ValueError(f"{self.name}: is closed")
        return self._position

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def release(self) -> None:
        """End the use of the file."""
        self._handle = None

    end = release

    def close(self) -> None:
        self.release()
        super().close()


class Writer(io.RawIOBase):
    """A file that is open for writing at its end. close() publishes it."""

    def __init__(self, path: Path, append: bool = False) -> None:
        super().__init__()
        self._handle: Any = None
        self.renew_lock()
        self.name = paths.file_uri(path)
        self.mode = "ab" if append else "wb"
        function = lib.fsload_open_appender if append else lib.fsload_open_writer
        self._handle = ffi.gc(_opened("fsload_writer**", function, self.name),
                              lib.fsload_writer_free)
        self._discarded = False
        self._written = 0  # bytes
        self._error: Optional[Error] = None  # of an append: what was written is not whole
        open_files.add(self)

    def renew_lock(self) -> None:
        """Make a new lock; in a forked child another thread may have held the old one. A function
        that handles a signal may use the file that it interrupts."""
        self._lock = threading.RLock()

    def _use(self, function: Any, *arguments: Any) -> None:
        with self._lock:
            if self._handle is None:
                end_daemon()
                if self._error is not None and not self._discarded:
                    raise self._error
                raise ValueError(f"{self.name}: is closed")
            check(function(self._handle, *arguments, scratch.error), self.name)

    def write(self, data: Any) -> int:
        source = ffi.from_buffer(BYTES, data)
        if self.closed or not self._discarded:
            try:
                self._use(lib.fsload_append, source, len(source))
                self._written += len(source)
            except Error as error:
                # A new one, as a traceback would keep the caller's buffer.
                self._error = type(error)(error.code, str(error), self.name)
                raise
            except BaseException:  # Ctrl-C, after bytes that the caller may write again
                self._error = CancelledError("CANCELLED", f"{self.name}: a write was interrupted",
                                             self.name)
                raise
        return len(source)

    def tell(self) -> int:
        position = ffi.new("int64_t*")
        try:
            self._use(lib.fsload_tell, position)
        except UnimplementedError:
            if self.mode == "ab":
                raise
            return self._written
        return int(position[0])

    def flush(self) -> None:
        """Pass buffered data on, without waiting for storage."""
        if self.closed:
            raise ValueError(f"{self.name}: is closed")
        if self._handle is not None:
            self._use(lib.fsload_flush)

    def sync(self) -> None:
        """Wait until everything so far is stored."""
        self._use(lib.fsload_sync)

    def writable(self) -> bool:
        return True

    def release(self) -> None:
        """End the use of the file without publishing it."""
        with self._lock:
            self._discarded = True
            self._handle = None

    def end(self) -> None:
        """Drop the file because Python is ending: a later write or close raises. A call of another
        thread is waited for, but not for long."""
        if not self._lock.acquire(timeout=SECONDS_TO_END):
            return
        try:
            if self._handle is not None and self._error is None:
                self._error = FailedPreconditionError(
                    "FAILED_PRECONDITION", f"{self.name}: Python is ending, and the file was not "
                    "closed before; it is dropped", self.name)
            self._handle = None
        finally:
            self._lock.release()

    def discard(self) -> None:
        """Drop the file, which is closed then."""
        self.release()
        super().close()

    def close(self) -> None:
        """Publish the file. If that fails it is unknown what is stored; after an append
        that failed it is dropped."""
        if self.closed:
            return
        if self._error is not None and not self._discarded:
            end_daemon()
            self.discard()
            raise self._error
        try:
            if self._handle is not None:
                self._use(lib.fsload_close)
        finally:
            self.discard()

    def __exit__(self, kind: Any, *rest: Any) -> None:
        self.discard() if kind is not None else self.close()

    def __del__(self) -> None:
        if not self.closed:
            self.discard()


class Published(io.IOBase):
    """A buffered or text file that only close() publishes."""

    def discard(self) -> None:
        """Drop the file, which is closed then."""
        file: Any = self
        while not hasattr(file, "release"):
            file = file.buffer if isinstance(file, TextWriter) else file.raw
        file.release()  # swallows what is buffered
        self.close()

    def __exit__(self, kind: Any, *rest: Any) -> None:
        self.discard() if kind is not None else self.close()

    def __del__(self) -> None:
        try:
            if self.closed:
                return
            warnings.warn(f"{getattr(self, 'name')}: was never closed, and is dropped",
                          ResourceWarning, stacklevel=2, source=self)
            self.discard()
        except (AttributeError, ValueError):
            pass  # it was detached, or never opened


class BufferedWriter(Published, io.BufferedWriter):
    """As open(..., "wb") yields it."""


class TextWriter(Published, io.TextIOWrapper):
    """As open(..., "w") yields it."""


File = Union[Reader, Writer, io.BufferedReader, io.TextIOWrapper, BufferedWriter]


def _buffered(path: Path, kind: str, buffering: int) -> Any:
    if kind == "x":
        if paths.exists(path):
            name = os.fsdecode(path)
            raise AlreadyExistsError("ALREADY_EXISTS", f"{name}: exists", name)
        kind = "w"
    raw: Any = Reader(path).require_file() if kind == "r" else Writer(path, append=kind == "a")
    if buffering == 0:
        return raw
    size = buffering if buffering > 1 else BUFFER_BYTES
    return io.BufferedReader(raw, size) if kind == "r" else BufferedWriter(raw, size)


def _within(file: Any, encoding: str) -> str:
    """Return the encoding for text behind what a file has: a byte order mark is at its beginning
    alone."""
    plain = MARKED.get(codecs.lookup(encoding).name)
    if plain is None:
        return encoding
    try:
        size = paths.stat(file.raw.name).size
    except NotFoundError:  # a store shows a new file once it is closed
        size = 0
    return plain if size else encoding


def open(path: Path, mode: str = "r", buffering: int = -1, encoding: Optional[str] = None,
         errors: Optional[str] = None, newline: Optional[str] = None) -> Any:
    """Open a file like Python's own open: "r", "w", "a" or "x", and "b" for bytes.

    `buffering` is in bytes; -1 is 1 MiB, 0 is a Reader or a Writer. A file that is written is
    published by close() alone, so not after an exception in a `with` block; discard() drops
    it. "x" is not atomic: a file that is created meanwhile is replaced. There is no "+".
    """
    letters = set(mode)
    kind = "".join(letters & set("rwax"))
    if len(kind) != 1 or letters - set("rwaxbt") or len(letters) != len(mode) or \
            {"b", "t"} <= letters:
        raise ValueError(f"invalid mode {mode!r}, expected one of r, w, a, x, with b for bytes")
    if "b" in letters:
        if (encoding, errors, newline) != (None, None, None):
            raise ValueError("a file of bytes has no encoding, errors or newline")
        return _buffered(path, kind, buffering)
    if buffering == 0:
        raise ValueError("text is always buffered")
    file = _buffered(path, kind, buffering)
    try:
        encoding = _within(file, encoding or "utf-8") if kind == "a" else encoding
    except BaseException:
        file.discard()
        raise
    wrapper = io.TextIOWrapper if kind == "r" else TextWriter
    text = wrapper(file, encoding or "utf-8", errors, newline, line_buffering=buffering == 1)
    text.mode = mode  # type: ignore[misc]  # as the io module itself sets it
    return text
