"""The open files of the fsspec file systems."""
import io
import os
import shutil
import tempfile
from typing import Any, Dict, Optional

import fsload
from fsload.files import BUFFER_BYTES, BufferedWriter, Published, Reader, Writer
from fsload.uris import path_of


class _Raw(Reader):
    """What a ReadFile reads: the file, or what fsspec's "blockcache" has of it."""

    cache: Any = None

    def pread(self, size: int, offset: int) -> bytes:
        if self.cache is None:
            return super().pread(size, offset)
        data: bytes = self.cache._fetch(offset, min(offset + size, self.size))
        return data

    def pread_into(self, offset: int, buffer: Any) -> int:
        if self.cache is None:
            return super().pread_into(offset, buffer)
        data = self.pread(len(buffer), offset)
        memoryview(buffer).cast("B")[:len(data)] = data
        return len(data)


def _buffer_bytes(block_size: Any) -> int:
    """Return the size of a buffer; None and "default" leave it to this package."""
    return block_size if isinstance(block_size, int) and block_size > 0 else BUFFER_BYTES


class ReadFile(io.BufferedReader):
    """A file that is open for reading, with a buffer of `block_size` bytes."""

    def __init__(self, fs: Any, path: str, block_size: Optional[int]) -> None:
        raw = _Raw(fs.uri(path))
        raw.require_file()
        self.blocksize = _buffer_bytes(block_size)
        super().__init__(raw, self.blocksize)
        self.fs = fs
        self.path = path
        self._reader = raw

    @property
    def size(self) -> int:
        """Return the bytes of the file."""
        return self._reader.size

    @property
    def cache(self) -> Any:
        """Return what fsspec's "blockcache" has set, through which the file is read."""
        return self._reader.cache

    @cache.setter
    def cache(self, cache: Any) -> None:
        self._reader.cache = cache

    @property
    def closed(self) -> bool:
        return super().closed

    @closed.setter
    def closed(self, closed: bool) -> None:
        """Return what fsspec's "blockcache" sets it after close()."""

    def _fetch_range(self, start: int, end: int) -> bytes:
        return Reader.pread(self._reader, end - start, start)

    @property
    def details(self) -> Dict[str, Any]:
        """Return what fs.info has."""
        details: Dict[str, Any] = self.fs.info(self.path)
        return details

    def info(self) -> Dict[str, Any]:
        """Return `details`, as fsspec's own files do."""
        return self.details

    def __reduce__(self) -> Any:
        return _reopened, (self.fs, self.path, self.tell())


def _reopened(fs: Any, path: str, position: int) -> ReadFile:
    file = ReadFile(fs, path, None)
    file.seek(position)
    return file


class WriteFile(BufferedWriter):
    """A file that is open for writing. close() publishes it; after an exception in its `with`
    block it is dropped."""

    def __init__(self, fs: Any, path: str, mode: str, block_size: Optional[int]) -> None:
        super().__init__(Writer(fs.uri(path), append=mode == "ab"), _buffer_bytes(block_size))
        self.fs = fs
        self.path = path
        self.autocommit = True

    def close(self) -> None:
        try:
            super().close()
        finally:
            if hasattr(self, "fs"):
                self.fs.invalidate_cache(self.path)

    def commit(self) -> None:
        """Do nothing: it is published already."""


class Compressed(Published, io.BufferedIOBase):
    """What a file of fsspec's compression reads or writes, which closes what is below it."""

    def __init__(self, file: Any, raw: Any) -> None:
        super().__init__()
        self._file = file
        self.raw = raw
        self.name = raw.name

    def read(self, size: Optional[int] = -1, /) -> bytes:
        data: bytes = self._file.read(-1 if size is None else size)
        return data

    read1 = read

    def readline(self, size: Optional[int] = -1, /) -> bytes:
        line: bytes = self._file.readline(-1 if size is None else size)
        return line

    def write(self, data: Any, /) -> int:
        count: int = self._file.write(data)
        return count

    def flush(self) -> None:
        if not self._file.closed:  # as when super().close() flushes
            self._file.flush()

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        position: int = self._file.seek(offset, whence)
        return position

    def tell(self) -> int:
        position: int = self._file.tell()
        return position

    def readable(self) -> bool:
        return bool(self._file.readable())

    def writable(self) -> bool:
        return bool(self._file.writable())

    def seekable(self) -> bool:
        return bool(self._file.seekable())

    def close(self) -> None:
        if self.closed:
            return
        try:
            self._file.close()
        except BaseException:
            (self.raw.discard if self.raw.writable() else self.raw.close)()
            raise
        finally:
            super().close()
        self.raw.close()


class Deferred(Published, io.BufferedRandom):
    """A file that is written in a transaction: a local file until commit() copies it into its
    place, which leaves what is there as it was if it fails. After an exception in its `with`
    block it is dropped."""

    def __init__(self, fs: Any, path: str, mode: str) -> None:
        # Of this user alone, whatever mode the file has.
        self._folder = tempfile.TemporaryDirectory(prefix="fsload-")
        self._local = os.path.join(self._folder.name, "file")
        try:
            if mode == "ab":
                self._begin_with(fs, path)
            descriptor = os.open(self._local, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            super().__init__(io.FileIO(descriptor, "r+b"))
        except BaseException:
            self._folder.cleanup()
            raise
        self.fs = fs
        self.path = path
        self.autocommit = False
        self._dropped = False
        if mode == "ab":
            self.seek(0, io.SEEK_END)

    def _begin_with(self, fs: Any, path: str) -> None:
        """Copy what is to be appended to: the last file of the transaction at this path, or else
        what is there."""
        for earlier in reversed(fs.transaction.files if fs._intrans else ()):
            if earlier.path == path and not earlier._dropped:
                if not earlier.closed:
                    earlier.flush()
                shutil.copyfile(earlier._local, self._local)
                return
        if fs.exists(path):
            fsload.copy(fs.uri(path), self._local)
            os.chmod(self._local, 0o600)

    def close(self) -> None:
        """End writing. What cannot be kept is dropped."""
        try:
            super().close()
        except BaseException:
            self.release()
            raise

    def commit(self) -> None:
        """Publish it, unless it was dropped."""
        self.close()
        if not self._dropped:
            self._take_mode()
            self.fs._into_folder(self.path,
                                 lambda: fsload.copy(self._local, self.fs.uri(self.path)))
        self._remove()

    def _take_mode(self) -> None:
        """Take the mode of the local file that is to be replaced, as its copy gets this one's."""
        target = path_of(self.fs.uri(self.path))
        if target is not None and os.path.exists(target):
            # The copy reads it, whatever the owner may do there.
            os.chmod(self._local, os.stat(target).st_mode & 0o777 | 0o400)

    def release(self) -> None:
        """Keep commit() from publishing it."""
        self._dropped = True

    def discard(self) -> None:
        """Drop it."""
        self.release()
        self.close()
        self._remove()

    def _remove(self) -> None:
        self._folder.cleanup()
