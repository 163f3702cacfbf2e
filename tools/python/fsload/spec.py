"""fsspec over fsload.

    fsspec.open("fsload+s3://bucket/key")
    fsspec.filesystem("fsload+s3").ls("bucket")
    fsspec.filesystem("fsload").ls("any://host/path")

With a protocol of its own per scheme, paths are what follows "://". The protocol "fsload"
serves all schemes; there paths are whole URIs. Neither listings nor contents are cached.
"""
import contextlib
import io
import os
import re
from typing import Any, Callable, Iterator, List, Mapping, Optional, Tuple

import fsspec
from fsspec.callbacks import DEFAULT_CALLBACK
from fsspec.compression import compr
from fsspec.utils import infer_compression, isfilelike, stringify_path

import fsload
from fsload import contents, paths, plugins
from fsload.errors import (
    AlreadyExistsError,
    DirectoryError,
    UnavailableError,
)
from fsload.files import TextWriter
from fsload.spec_files import Compressed, Deferred, ReadFile, WriteFile
from fsload.spec_moves import Moves
from fsload.spec_parallel import Parallel
from fsload.spec_queries import Queries
from fsload.uris import BUNDLED_SCHEME, SCHEME, uri_of


class FsloadFileSystem(Queries, Moves, Parallel, fsspec.AbstractFileSystem):
    """All schemes; a path is a URI. Its subclasses have one scheme each.

    `jobs` (8) is how many calls are made at the same time by what works on many files:
    cat_ranges, get, put, copy, find and listings. `isolate` runs the plugin in a process of
    its own, with `environment` (None removes a variable) added to this one's, and `timeout`
    seconds for each call; these two isolate, too. Local files are never isolated: the class of
    these alone refuses all three. URIs in its errors have another name of the scheme:
    "s3.isolated1". Threads may share it, and it can be pickled, with `environment` and
    the secrets in it. Options of fsspec: `use_listings_cache=True` keeps listings, which is off
    by default, as others may change the files.
    """

    protocol: Any = "fsload"
    scheme = ""
    root_marker = ""
    cachable = True

    def __init__(self, jobs: int = contents.JOBS, use_listings_cache: bool = False,
                 isolate: bool = False, environment: Optional[Mapping[str, Optional[str]]] = None,
                 timeout: Optional[float] = None, **options: Any) -> None:
        super().__init__(use_listings_cache=use_listings_cache, **options)
        self.jobs = jobs
        self._isolation: Optional[fsload.Isolation] = None
        if isolate or environment is not None or timeout is not None:
            if self.scheme == BUNDLED_SCHEME:
                raise ValueError("local files are never isolated: isolate, environment and timeout "
                                 "have no effect on them")
            self._isolation = fsload.Isolation(call_timeout=timeout,
                                               environment=dict(environment or {}))

    # Paths

    def uri(self, path: str) -> str:
        """Return the URI of a path of this file system."""
        stripped = self._strip_protocol(path)
        uri = uri_of(f"{self.scheme}://{stripped}" if self.scheme else stripped)
        return uri if self._isolation is None else plugins.isolated_uri(uri, self._isolation)

    @classmethod
    def _strip_protocol(cls, path: Any) -> Any:
        if isinstance(path, list):
            return [cls._strip_protocol(one) for one in path]
        text = os.fsdecode(stringify_path(path))
        scheme, slashes, rest = text.partition("://")
        if slashes and scheme.lower() in (cls.protocol, cls.scheme):
            text = rest
        if not cls.scheme and SCHEME.match(text):
            text = uri_of(text)
        head, slashes, rest = text.rpartition("://")
        # Two slashes stay, as they are part of a name in some stores.
        if rest.endswith("/") and not rest.endswith("//"):
            rest = rest[:-1] or "/"
        return (head + slashes + rest) or cls.root_marker

    def expand_path(self, path: Any, *arguments: Any, **options: Any) -> List[str]:
        names: List[str] = super().expand_path(
            os.fsdecode(path) if isinstance(path, bytes) else path, *arguments, **options)
        return names

    def unstrip_protocol(self, name: str) -> str:
        return f"{self.protocol}://{self._strip_protocol(name)}"

    @classmethod
    def _parent(cls, path: str) -> str:
        stripped: str = cls._strip_protocol(path)
        head, slashes, rest = stripped.rpartition("://")
        parent, slash, _ = rest.rpartition("/")
        return head + slashes + (parent or slash)

    # Changes

    @contextlib.contextmanager
    def _changing(self, path: Optional[str] = None) -> Iterator[None]:
        """Forget listings after a change, which may have taken effect though it failed."""
        try:
            yield
        finally:
            self.invalidate_cache(path)

    def mkdir(self, path: str, create_parents: bool = True, **_: Any) -> None:
        if self.exists(path):
            raise AlreadyExistsError("ALREADY_EXISTS", f"{self.uri(path)}: exists",
                                     self.uri(path))
        with self._changing(path):
            (fsload.makedirs if create_parents else fsload.mkdir)(self.uri(path))

    def makedirs(self, path: str, exist_ok: bool = False) -> None:
        if not exist_ok:
            self.mkdir(path)
            return
        with self._changing(path):
            fsload.makedirs(self.uri(path))

    def rmdir(self, path: str) -> None:
        with self._changing(path):
            fsload.rmdir(self.uri(path))

    def rm_file(self, path: str) -> None:
        with self._changing(path):
            fsload.remove(self.uri(path))

    def _rm(self, path: str) -> None:
        self.rm_file(path)

    def rm(self, path: Any, recursive: bool = False, maxdepth: Optional[int] = None) -> None:
        names = self.expand_path(path, recursive=maxdepth is not None and recursive,
                                 maxdepth=maxdepth)
        self._remove(names if maxdepth is None else names[::-1], recursive, maxdepth is not None)

    def _remove(self, names: List[str], recursive: bool, emptied: bool = False) -> None:
        """Delete files, and directories that are `emptied` already or that may be deleted
        with what they contain."""
        removed: List[str] = []
        for name in names if recursive else []:
            paths.refuse_root(plugins.ready(self.uri(name)))
        for name in names:
            if any(name.startswith(folder.rstrip("/") + "/") for folder in removed):
                continue
            try:
                self.rm_file(name)
            except FileNotFoundError:
                if not emptied:  # a directory of a store is gone with its last file
                    raise
            except IsADirectoryError:
                if emptied:
                    self.rmdir(name)
                elif recursive:
                    with self._changing(name):
                        fsload.rmtree(self.uri(name))
                    removed.append(name)
                else:
                    raise DirectoryError(
                        "FAILED_PRECONDITION", f"{self.uri(name)}: is a directory; use "
                        "recursive=True", self.uri(name)) from None

    def cp_file(self, path1: str, path2: str, **_: Any) -> None:
        self._refuse_same(path1, path2)
        if fsload.stat(self.uri(path1)).is_dir:
            self.makedirs(path2, exist_ok=True)
            return
        self._into_folder(path2, lambda: fsload.copy(self.uri(path1), self.uri(path2)))

    def _into_folder(self, path: str, write: Callable[[], None]) -> None:
        """Write a file, whose folder is created if that turns out to be missing."""
        with self._changing(path):
            try:
                write()
            except (FileNotFoundError, UnavailableError):  # the latter if another thread creates it
                self.makedirs(self._parent(path), exist_ok=True)
                write()

    def mv_file(self, path1: str, path2: str, **_: Any) -> None:
        with self._changing():
            fsload.rename(self.uri(path1), self.uri(path2))

    def touch(self, path: str, truncate: bool = True, **_: Any) -> None:
        if not truncate and self.exists(path):
            raise NotImplementedError(f"{self.uri(path)}: its time cannot be changed alone")
        if self._intrans:
            self.open(path, "wb").close()
            return
        self._into_folder(path, lambda: contents.write_bytes(self.uri(path), b""))

    # Contents

    def open(self, path: str, mode: str = "rb", block_size: Optional[int] = None,
             cache_options: Any = None, compression: Optional[str] = None,
             **options: Any) -> Any:
        text = {name: options.pop(name) for name in ("encoding", "errors", "newline")
                if "b" not in mode and name in options}
        bytes_mode = mode.replace("t", "").replace("b", "") + "b"
        if compression == "infer":
            compression = infer_compression(self._strip_protocol(path))
        if compression not in compr:
            raise ValueError(f"unknown compression {compression!r}, expected one of "
                             f"{', '.join(filter(None, compr))}")
        file = super().open(path, bytes_mode, block_size=block_size,
                            cache_options=cache_options, **options)
        if compression is not None:
            file = Compressed(compr[compression](file, mode=bytes_mode[0]), file)
        if "b" in mode:
            return file
        return (io.TextIOWrapper if bytes_mode == "rb" else TextWriter)(file, **text)

    def _open(self, path: str, mode: str = "rb", block_size: Optional[int] = None,
              autocommit: bool = True, cache_options: Any = None, **_: Any) -> Any:
        name = self._strip_protocol(path)
        if mode == "rb":
            return ReadFile(self, name, block_size)
        if mode == "xb" and self.exists(name):
            raise AlreadyExistsError("ALREADY_EXISTS", f"{self.uri(name)}: exists",
                                     self.uri(name))
        if mode not in ("wb", "xb", "ab"):
            raise ValueError(f"unknown mode {mode!r}, expected rb, wb, xb or ab")
        self.invalidate_cache(name)
        if autocommit:
            return WriteFile(self, name, mode, block_size)
        return Deferred(self, name, mode)

    def cat_file(self, path: str, start: Optional[int] = None, end: Optional[int] = None,
                 **_: Any) -> bytes:
        uri = self.uri(path)
        if start is None and end is None:
            return contents.read_bytes(uri)
        with fsload.Reader(uri) as file:
            return file.pread(*self._span(file, start, end))

    @staticmethod
    def _span(file: fsload.Reader, start: Optional[int], end: Optional[int]) -> Tuple[int, int]:
        """Return (size, offset) of a slice of a file."""
        first, last = start or 0, end
        if first < 0:
            first = max(file.size + first, 0)
        if last is None or last < 0:
            last = file.size + (last or 0)
        return max(last - first, 0), first

    def pipe_file(self, path: str, value: bytes, mode: str = "overwrite", **_: Any) -> None:
        if self._intrans:
            super().pipe_file(path, value, mode=mode)
            return
        if mode == "create" and self.exists(path):
            raise AlreadyExistsError("ALREADY_EXISTS", f"{self.uri(path)}: exists",
                                     self.uri(path))
        self._into_folder(path, lambda: contents.write_bytes(self.uri(path), value))

    def get_file(self, rpath: str, lpath: Any, callback: Any = DEFAULT_CALLBACK,
                 outfile: Any = None, **options: Any) -> None:
        if outfile is not None or isfilelike(lpath):
            super().get_file(rpath, lpath, callback=callback, outfile=outfile, **options)
            return
        stat = fsload.stat(self.uri(rpath))
        target = os.path.abspath(os.fsdecode(lpath))
        os.makedirs(target if stat.is_dir else os.path.dirname(target), exist_ok=True)
        if not stat.is_dir:
            callback.set_size(stat.size)
            fsload.copy(self.uri(rpath), "posix://" + target, progress=callback.relative_update)

    def put_file(self, lpath: Any, rpath: str, callback: Any = DEFAULT_CALLBACK,
                 mode: str = "overwrite", **options: Any) -> None:
        if self._intrans:
            super().put_file(lpath, rpath, callback=callback, mode=mode, **options)
            return
        if os.path.isdir(lpath):
            self.makedirs(rpath, exist_ok=True)
            return
        if mode == "create" and self.exists(rpath):
            raise AlreadyExistsError("ALREADY_EXISTS", f"{self.uri(rpath)}: exists",
                                     self.uri(rpath))
        callback.set_size(os.path.getsize(lpath))
        source = "posix://" + os.path.abspath(os.fsdecode(lpath))
        self._into_folder(rpath, lambda: fsload.copy(source, self.uri(rpath),
                                                     progress=callback.relative_update))

    def invalidate_cache(self, path: Optional[str] = None) -> None:
        """Forget all listings, or those of `path`, of what is above it and of what is below."""
        if path is None:
            self.dircache.clear()
        else:
            here = self._strip_protocol(path).rstrip("/") + "/"
            for folder in [*self.dircache]:
                there = folder.rstrip("/") + "/"
                if not folder or here.startswith(there) or there.startswith(here):
                    self.dircache.pop(folder, None)
        super().invalidate_cache(path)


class AzFileSystem(FsloadFileSystem):
    """az://: Azure Blob Storage."""

    protocol, scheme = "fsload+az", "az"


class GsFileSystem(FsloadFileSystem):
    """gs://: Google Cloud Storage."""

    protocol, scheme = "fsload+gs", "gs"


class HarFileSystem(FsloadFileSystem):
    """har://: Hadoop archives."""

    protocol, scheme = "fsload+har", "har"


class HdfsFileSystem(FsloadFileSystem):
    """hdfs://: Hadoop."""

    protocol, scheme = "fsload+hdfs", "hdfs"


class HttpFileSystem(FsloadFileSystem):
    """http://"""

    protocol, scheme = "fsload+http", "http"


class HttpsFileSystem(FsloadFileSystem):
    """https://"""

    protocol, scheme = "fsload+https", "https"


class OssFileSystem(FsloadFileSystem):
    """oss://: Alibaba's Object Storage."""

    protocol, scheme = "fsload+oss", "oss"


class PosixFileSystem(FsloadFileSystem):
    """posix://: local files, by the plugin in this package. A relative path begins in the
    working directory."""

    protocol, scheme = "fsload+posix", "posix"
    root_marker = "/"

    @classmethod
    def _strip_protocol(cls, path: Any) -> Any:
        if isinstance(path, list):
            return [cls._strip_protocol(one) for one in path]
        text = os.fsdecode(stringify_path(path))
        uri = uri_of(re.sub(f"^{re.escape(cls.protocol)}(?=://)", cls.scheme, text, flags=re.I))
        if not uri.startswith(cls.scheme + "://"):
            return super()._strip_protocol(path)
        return uri.partition("://")[2].rstrip("/") or "/"


class S3FileSystem(FsloadFileSystem):
    """s3://"""

    protocol, scheme = "fsload+s3", "s3"


class ViewfsFileSystem(FsloadFileSystem):
    """viewfs://: Hadoop's federated view."""

    protocol, scheme = "fsload+viewfs", "viewfs"
