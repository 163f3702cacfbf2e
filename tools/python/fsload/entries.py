"""What is in a directory, what is below it, and what matches a pattern."""
import dataclasses
from typing import Any, Iterator, List, Optional

from fsload import paths
from fsload._library import Path, check, encoded, end_daemon, options_of, scratch, text_of
from fsload._native import ffi, lib
from fsload.errors import Error, error_of
from fsload.plugins import open_files, ready

# What is looked up of each entry, all but names by a call of the plugin each.
DETAILS = {"names": 0, "types": 1, "statistics": 2}


@dataclasses.dataclass(frozen=True)
class Entry:
    """An entry of a directory, or of what is below it."""

    path: str  # relative to the directory that was named: "a/b"
    uri: str
    is_dir: Optional[bool] = None  # None: was not looked up
    size: Optional[int] = None  # bytes
    modified_ns: Optional[int] = None  # nanoseconds since 1970, UTC
    error: Optional[Error] = None  # why it could not be examined or entered


def _entry(found: Any) -> Entry:
    uri = text_of(found.uri)
    statistics = found.detail == DETAILS["statistics"]
    return Entry(
        text_of(found.path), uri,
        bool(found.is_directory) if found.detail != DETAILS["names"] else None,
        found.length if statistics else None, found.modified_ns if statistics else None,
        error_of(text_of(lib.fsload_code_name(found.code)), text_of(found.message), uri)
        if found.code else None)


def _options(detail: str, jobs: int, sorted: bool, **more: Any) -> Any:
    if detail not in DETAILS:
        raise ValueError(f"unknown detail {detail!r}, expected one of {', '.join(DETAILS)}")
    return options_of("fsload_walk_options", detail=DETAILS[detail], jobs=jobs,
                      unsorted=not sorted, **more)


def list(path: Path, detail: str = "names", *, jobs: int = 8,
         sorted: bool = True) -> List[Entry]:
    """Return the entries of a directory.

    `detail` is what is looked up of each, by up to `jobs` calls of the plugin at the same
    time: "names" alone, "types" or "statistics". Raise NotFoundError, or FileError for a
    file, which is a NotADirectoryError.
    """
    uri = ready(path)
    entries = ffi.new("fsload_entries**")
    paths.check_path(lib.fsload_list(ffi.NULL, encoded(uri), _options(detail, jobs, sorted),
                                     entries, scratch.error), uri, directory=True)
    try:
        return [_entry(lib.fsload_entries_get(entries[0], index))
                for index in range(lib.fsload_entries_count(entries[0]))]
    finally:
        lib.fsload_entries_free(entries[0])


def walk(path: Path, detail: str = "statistics", *, jobs: int = 8, sorted: bool = True,
         follow_links: bool = True) -> Iterator[Entry]:
    """Yield what is below a directory, entry by entry, in memory that does not grow with the
    tree. Directories come before what is in them; types are looked up at least.

    What is wrong with one entry is its `error`; whatever else goes wrong is raised.
    """
    uri = ready(path)
    handle = ffi.new("fsload_walk**")
    options = _options(detail, jobs, sorted, recursive=1, skip_links=not follow_links)
    paths.check_path(lib.fsload_walk_begin(ffi.NULL, encoded(uri), options, handle,
                                           scratch.error), uri, directory=True)
    begun = _Walk(handle[0], uri)
    first = begun.next()
    return _entries_of(begun, first)


class _Walk:
    def __init__(self, handle: Any, uri: str) -> None:
        self._handle = ffi.gc(handle, lib.fsload_walk_free)
        self._uri = uri
        open_files.add(self)

    def next(self) -> Optional[Entry]:
        """Return the next entry, or None at the end."""
        handle = self._handle
        if handle is None:
            end_daemon()
            raise ValueError(f"{self._uri}: the walk is over, as Python is ending")
        found = ffi.new("fsload_entry**")
        paths.check_path(lib.fsload_walk_next(handle, found, scratch.error), self._uri,
                         directory=True)
        return _entry(found[0]) if found[0] != ffi.NULL else None

    def release(self) -> None:
        """End the walk."""
        self._handle = None

    end = release


def _entries_of(begun: _Walk, entry: Optional[Entry]) -> Iterator[Entry]:
    while entry is not None:
        yield entry
        entry = begun.next()


def glob(pattern: Path) -> List[str]:
    """Return the URIs that match `pattern`, sorted as the plugin does. docs/verbs.md, "glob", has
    the grammar; a plugin's own operation has its own."""
    uri = ready(pattern)
    found = ffi.new("fsload_strings**")
    check(lib.fsload_glob(ffi.NULL, encoded(uri), found, scratch.error), uri)
    try:
        return [text_of(lib.fsload_strings_get(found[0], index))
                for index in range(lib.fsload_strings_count(found[0]))]
    finally:
        lib.fsload_strings_free(found[0])
