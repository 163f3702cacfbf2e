"""What is at a path, and creating, deleting, renaming and copying."""
import dataclasses
import posixpath
from typing import Any, Callable, Optional

from fsload._library import Path, check, encoded, options_of, scratch
from fsload._native import ffi, lib
from fsload.errors import Error, InvalidArgumentError, NotFoundError
from fsload.plugins import ready


@dataclasses.dataclass(frozen=True)
class Stat:
    """What is known of a path."""

    length: int  # bytes
    modified_ns: int  # nanoseconds since 1970, UTC
    is_directory: bool

    @property
    def modified(self) -> float:
        """Seconds since 1970, UTC."""
        return self.modified_ns / 1e9


def stat(path: Path) -> Stat:
    """Raises NotFoundError, a FileNotFoundError, if nothing is there."""
    uri = ready(path)
    found = options_of("fsload_statistics")
    check(lib.fsload_stat(ffi.NULL, encoded(uri), found, scratch.error), uri)
    return Stat(found.length, found.modified_ns, bool(found.is_directory))


def exists(path: Path) -> bool:
    """Whether a file or a directory is there. Raises an Error if that cannot be found out."""
    uri = ready(path)
    found = ffi.new("int*")
    check(lib.fsload_exists(ffi.NULL, encoded(uri), found, scratch.error), uri)
    return bool(found[0])


def is_directory(path: Path) -> bool:
    """Whether a directory is there."""
    try:
        return stat(path).is_directory
    except NotFoundError:
        return False


def is_file(path: Path) -> bool:
    """Whether a file is there."""
    try:
        return not stat(path).is_directory
    except NotFoundError:
        return False


def _done(function: Any, path: Path) -> None:
    uri = ready(path)
    check(function(ffi.NULL, encoded(uri), scratch.error), uri)


def mkdir(path: Path) -> None:
    """Creates a directory whose parent exists."""
    _done(lib.fsload_create_directory, path)


def makedirs(path: Path) -> None:
    """Creates a directory and its ancestors; it may exist."""
    _done(lib.fsload_create_directories, path)


def remove(path: Path) -> None:
    """Deletes a file."""
    _done(lib.fsload_delete_file, path)


def rmdir(path: Path) -> None:
    """Deletes an empty directory."""
    _done(lib.fsload_delete_directory, path)


def refuse_root(uri: str) -> None:
    """Raises an InvalidArgumentError if nothing is below it in its file system or bucket."""
    below = uri.partition("://")[2].partition("/")[2]
    if posixpath.normpath("/" + below).strip("/") == "":
        raise InvalidArgumentError("INVALID_ARGUMENT", f"{uri}: refusing to delete the root of a "
                                   "file system or bucket; delete what it contains", uri)


def rmtree(path: Path) -> None:
    """Deletes a directory and all that is in it. Goes on after a failure, and raises the first
    one, an Error whose `left` is (files, directories). Refuses the root of a file system or
    bucket with an InvalidArgumentError, as it is most likely a mistyped path."""
    uri = ready(path)
    refuse_root(uri)
    files, directories = ffi.new("uint64_t*"), ffi.new("uint64_t*")
    try:
        check(lib.fsload_delete_recursively(ffi.NULL, encoded(uri), files, directories,
                                            scratch.error), uri)
    except Error as error:
        error.left = files[0], directories[0]  # type: ignore[attr-defined]
        raise


def rename(source: Path, target: Path) -> None:
    """Renames a file and replaces `target`, within one scheme."""
    old, new = ready(source), ready(target)
    check(lib.fsload_rename(ffi.NULL, encoded(old), encoded(new), scratch.error), old)


class _Progress:
    """The caller's function, and what it raised."""

    def __init__(self, function: Callable[[int], Any]) -> None:
        self.function = function
        self.raised: Optional[BaseException] = None


def _interrupted(_: Any, raised: BaseException, traceback: Any) -> None:
    """Keeps a KeyboardInterrupt that was raised before the callback's try block."""
    ffi.from_handle(traceback.tb_frame.f_locals["data"]).raised = raised


@ffi.def_extern(name="fsload_python_after_block", error=1, onerror=_interrupted)
def _after_block(data: Any, count: int) -> int:
    progress = ffi.from_handle(data)
    try:
        progress.function(count)
    except BaseException as raised:  # it must not pass the library
        progress.raised = raised
        return 1
    return 0


def copy(source: Path, target: Path, *, replace: bool = True,
         progress: Optional[Callable[[int], Any]] = None) -> None:
    """Copies a file to `target`, the path of the copy itself, in the same or another scheme.

    On an error the target is as before. Without `replace` an existing one is an
    AlreadyExistsError. `progress` is called with the bytes of each block; what it raises ends
    the copy.
    """
    old, new = ready(source), ready(target)
    told = _Progress(progress) if progress else None
    handle = ffi.new_handle(told) if told else ffi.NULL
    options = options_of(
        "fsload_copy_options", keep_existing=not replace, data=handle,
        after_block=lib.fsload_python_after_block if told else ffi.NULL)
    try:
        check(lib.fsload_copy(ffi.NULL, encoded(old), encoded(new), options, scratch.error), old)
    except Error:
        if told and told.raised:
            raise told.raised from None
        raise


def flush_caches(uri: Path) -> None:
    """Drops what the plugin of the URI's scheme has cached."""
    _done(lib.fsload_flush_caches, uri)
