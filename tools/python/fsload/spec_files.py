"""The open files of the fsspec file systems."""
import io
import os
import tempfile
from typing import Any, Dict, Optional

import fsload
from fsload.files import BUFFER_BYTES, BufferedWriter, Reader, Writer


class ReadFile(io.BufferedReader):
    """A file that is open for reading, with a buffer of `block_size` bytes."""

    def __init__(self, fs: Any, path: str, block_size: Optional[int]) -> None:
        raw = Reader(fs.uri(path)).require_file()
        super().__init__(raw, block_size or BUFFER_BYTES)
        self.fs = fs
        self.path = path
        self._reader = raw

    @property
    def size(self) -> int:
        """Bytes of the file."""
        return self._reader.size

    @property
    def details(self) -> Dict[str, Any]:
        """As fs.info has them."""
        details: Dict[str, Any] = self.fs.info(self.path)
        return details

    def info(self) -> Dict[str, Any]:
        """The same, as fsspec's own files have it."""
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
        super().__init__(Writer(fs.uri(path), append=mode == "ab"), block_size or BUFFER_BYTES)
        self.fs = fs
        self.path = path
        self.autocommit = True

    def commit(self) -> None:
        """It is published already."""


class Deferred(io.BufferedRandom):
    """A file that is written in a transaction: a local file until commit() copies it into its
    place, which leaves what is there as it was if it fails."""

    def __init__(self, fs: Any, path: str, mode: str) -> None:
        descriptor, self._local = tempfile.mkstemp(prefix="fsload-")
        super().__init__(io.FileIO(descriptor, "w+b"))
        self.fs = fs
        self.path = path
        self.autocommit = False
        if mode == "ab" and fs.exists(path):
            fsload.copy(fs.uri(path), self._local)
            self.seek(0, io.SEEK_END)

    def commit(self) -> None:
        """Publishes it."""
        self.close()
        fsload.copy(self._local, self.fs.uri(self.path))
        os.unlink(self._local)
        self.fs.invalidate_cache(self.fs._parent(self.path))

    def discard(self) -> None:
        """Drops it."""
        self.close()
        os.unlink(self._local)
