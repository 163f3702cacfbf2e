"""What the fsspec file systems do with many files, several at the same time.

fsspec's own methods find out which files these are, and then work on one after the other.
"""
import threading
from typing import Any, Callable, List, Optional, Tuple

import fsspec
from fsspec.callbacks import DEFAULT_CALLBACK

from fsload import contents
from fsload.files import Reader


class Plan(fsspec.AbstractFileSystem):
    """Collects the pairs of files that fsspec's get, put and copy would work on, in place of
    `fs`: which these are is for fsspec's own methods to say."""

    cachable = False

    def __init__(self, fs: Any) -> None:
        super().__init__()
        self._planned_for = fs
        self.pairs: List[Tuple[Any, Any]] = []

    def get_file(self, rpath: str, lpath: Any, **_: Any) -> None:
        self.pairs.append((rpath, lpath))

    def put_file(self, lpath: Any, rpath: str, **_: Any) -> None:
        self.pairs.append((lpath, rpath))

    def cp_file(self, path1: str, path2: str, **_: Any) -> None:
        self.pairs.append((path1, path2))

    def expand_path(self, path: Any, **options: Any) -> Any:
        return self._planned_for.expand_path(path, **options)

    def isdir(self, path: str) -> Any:
        return self._planned_for.isdir(path)

    def _strip_protocol(self, path: Any) -> Any:
        return self._planned_for._strip_protocol(path)


class Parallel:
    """Methods of a file system with `jobs`."""

    jobs: int
    get_file: Callable[..., None]
    put_file: Callable[..., None]
    cp_file: Callable[..., None]
    cat_file: Callable[..., bytes]
    expand_path: Callable[..., List[str]]
    uri: Callable[[str], str]
    _strip_protocol: Callable[..., Any]

    def _each(self, function: Callable[..., None], pairs: List[Tuple[Any, Any]], callback: Any,
              **options: Any) -> None:
        lock = threading.Lock()
        callback.set_size(len(pairs))

        def one(source: Any, target: Any) -> None:
            with callback.branched(source, target) as child:
                function(source, target, callback=child, **options)
            with lock:
                callback.relative_update(1)

        contents.in_parallel(one, *zip(*pairs), jobs=self.jobs)

    def get(self, rpath: Any, lpath: Any, recursive: bool = False,
            callback: Any = DEFAULT_CALLBACK, maxdepth: Optional[int] = None,
            **options: Any) -> None:
        plan = Plan(self)
        plan.get(rpath, lpath, recursive=recursive, maxdepth=maxdepth, **options)
        self._each(self.get_file, plan.pairs, callback, **options)

    def put(self, lpath: Any, rpath: Any, recursive: bool = False,
            callback: Any = DEFAULT_CALLBACK, maxdepth: Optional[int] = None,
            **options: Any) -> None:
        plan = Plan(self)
        plan.put(lpath, rpath, recursive=recursive, maxdepth=maxdepth, **options)
        self._each(self.put_file, plan.pairs, callback, **options)

    def copy(self, path1: Any, path2: Any, recursive: bool = False,
             maxdepth: Optional[int] = None, on_error: Optional[str] = None,
             **options: Any) -> None:
        ignored = FileNotFoundError if (on_error or ("ignore" if recursive else "raise")) == \
            "ignore" else ()
        plan = Plan(self)
        plan.copy(path1, path2, recursive=recursive, maxdepth=maxdepth, **options)

        def one(source: Any, target: Any, **_: Any) -> None:
            try:
                self.cp_file(source, target, **options)
            except ignored:
                pass

        self._each(one, plan.pairs, DEFAULT_CALLBACK)

    def cat(self, path: Any, recursive: bool = False, on_error: str = "raise",
            **options: Any) -> Any:
        """Return the contents of a path, or of each of several ({path: bytes}), `jobs` of which
        are read at once. on_error is "raise", "omit" or "return"."""
        paths = self.expand_path(path, recursive=recursive)
        if not isinstance(path, list) and paths == [self._strip_protocol(path)]:
            return self.cat_file(paths[0], **options)

        def read(one: str) -> Any:
            try:
                return self.cat_file(one, **options)
            except Exception as error:
                if on_error == "raise":
                    raise
                return error

        found = dict(zip(paths, contents.in_parallel(read, paths, jobs=self.jobs)))
        return {one: data for one, data in found.items()
                if on_error == "return" or not isinstance(data, Exception)}

    def cat_ranges(self, paths: List[str], starts: Any, ends: Any,
                   max_gap: Optional[int] = None, on_error: str = "return",
                   **_: Any) -> List[Any]:
        """Return the bytes from `starts` to `ends` of each path, `jobs` of them read at once; each
        file is opened once. With on_error="return" an exception takes the place of what could
        not be read."""
        if max_gap is not None:
            raise NotImplementedError("max_gap")
        if not isinstance(paths, list):
            raise TypeError(f"paths: expected a list, found {type(paths).__name__}")
        starts = starts if isinstance(starts, list) else [starts] * len(paths)
        ends = ends if isinstance(ends, list) else [ends] * len(paths)
        if not len(paths) == len(starts) == len(ends):
            raise ValueError(f"{len(paths)} paths, {len(starts)} starts and {len(ends)} ends")

        def tried(function: Callable[..., Any], *arguments: Any) -> Any:
            try:
                return function(*arguments)
            except Exception as error:
                if on_error != "return":
                    raise
                return error

        def read(file: Any, index: int) -> Any:
            if isinstance(file, Exception):
                return file
            return tried(lambda: file.pread(*self._span(file, starts[index], ends[index])))

        return contents.read_open(paths, lambda path: tried(lambda: Reader(self.uri(path))), read,
                                  jobs=self.jobs)

    _span: Callable[..., Tuple[int, int]]
