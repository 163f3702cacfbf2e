"""What is at a path, and creating, deleting, renaming and copying."""
import dataclasses
import os
import posixpath
from typing import Any, Callable, Optional

from fsload._library import Path, check, encoded, options_of, scratch
from fsload._native import ffi, lib
from fsload.errors import (AlreadyExistsError, DirectoryError, Error, FailedPreconditionError,
                           FileError, InvalidArgumentError, NotEmptyError)
from fsload.plugins import ready
from fsload.uris import BUNDLED_SCHEME


@dataclasses.dataclass(frozen=True)
class Stat:
    """What is known of a path."""

    size: int  # bytes
    modified_ns: int  # nanoseconds since 1970, UTC
    is_dir: bool

    @property
    def modified(self) -> float:
        """Return the seconds since 1970, UTC."""
        return self.modified_ns / 1e9


def _stat(uri: str) -> Stat:
    found = options_of("fsload_statistics")
    check(lib.fsload_stat(ffi.NULL, encoded(uri), found, scratch.error), uri)
    return Stat(found.length, found.modified_ns, bool(found.is_directory))


def _is_below_file(uri: str) -> bool:
    while True:
        uri, slash, _ = uri.rstrip("/").rpartition("/")
        if not slash or uri.endswith("/"):
            return False
        try:
            return not _stat(uri).is_dir
        except FailedPreconditionError:
            continue
        except Error:
            return False


def _explained(error: Error, uri: str, directory: Optional[bool]) -> Error:
    """Return the exception that Python has for a FAILED_PRECONDITION, if `uri` is the reason."""
    try:
        found = _stat(uri).is_dir
    except FailedPreconditionError:
        return FileError(error.code, str(error), uri) if _is_below_file(uri) else error
    except Error:
        return error
    if directory is None or found == directory:
        return error
    return (DirectoryError if found else FileError)(error.code, str(error), uri)


def check_path(code: int, *uris: str, directory: Optional[bool] = None) -> None:
    """Check the result of a call on `uris` that expects directories, files (False), or either.
    Raise a DirectoryError or a FileError where one of them is the other."""
    try:
        check(code, uris[0])
    except FailedPreconditionError as error:
        for uri in uris:
            explained = _explained(error, uri, directory)
            if explained is not error:
                raise explained from None
        raise


def file_uri(path: Path) -> str:
    """Return what `ready` does, for a file that is to be created. A '/' at the end would be part
    of its name."""
    uri = ready(path)
    if uri.endswith("/"):
        raise DirectoryError("FAILED_PRECONDITION", f"{uri}: names a directory, as it ends in "
                             "'/'; write the path of the file", uri)
    return uri


def stat(path: Path) -> Stat:
    """Raise NotFoundError, a FileNotFoundError, if nothing is there; UnavailableError or
    PermissionDeniedError if that cannot be confirmed."""
    uri = ready(path)
    try:
        return _stat(uri)
    except FailedPreconditionError as error:
        raise _explained(error, uri, None) from None


def exists(path: Path) -> bool:
    """Return whether a file or a directory is there. Raise an Error if that cannot be found
    out."""
    found = ffi.new("int*")
    try:
        uri = ready(path)
        check_path(lib.fsload_exists(ffi.NULL, encoded(uri), found, scratch.error), uri)
    except FileError:  # "file/", or "file/name"
        return False
    return bool(found[0])


def is_dir(path: Path) -> bool:
    """Return whether a directory is there."""
    try:
        return stat(path).is_dir
    except (FileNotFoundError, FileError):
        return False


def is_file(path: Path) -> bool:
    """Return whether a file is there."""
    try:
        return not stat(path).is_dir
    except (FileNotFoundError, FileError):
        return False


def _done(function: Any, path: Path, directory: Optional[bool] = None) -> None:
    uri = ready(path)
    check_path(function(ffi.NULL, encoded(uri), scratch.error), uri, directory=directory)


def mkdir(path: Path) -> None:
    """Create a directory whose parent exists."""
    _done(lib.fsload_create_directory, path)


def makedirs(path: Path) -> None:
    """Create a directory and its ancestors; it may exist."""
    try:
        _done(lib.fsload_create_directories, path, True)
    except FileError as error:
        if not is_file(path):
            raise
        raise AlreadyExistsError("ALREADY_EXISTS", str(error), error.filename) from None


def remove(path: Path) -> None:
    """Delete a file."""
    _done(lib.fsload_delete_file, path, False)


def rmdir(path: Path) -> None:
    """Delete an empty directory. Raise NotEmptyError, an OSError with errno ENOTEMPTY."""
    try:
        _done(lib.fsload_delete_directory, path, True)
    except FailedPreconditionError as error:
        if isinstance(error, FileError):
            raise
        raise NotEmptyError(error.code, str(error), error.filename) from None


def _contains(folder: str, path: str) -> bool:
    return os.path.realpath(path) == folder or \
        os.path.realpath(path).startswith(folder.rstrip("/") + "/")


def _vital(path: str) -> str:
    """Names what would be lost with a local directory; "" for one that may be deleted."""
    real = os.path.realpath(path)
    if os.path.dirname(real) == "/":
        return "a directory of the system's root"
    if _contains(real, os.path.expanduser("~")):
        return "the home directory or one above it"
    try:
        return "the current directory or one above it" if _contains(real, os.getcwd()) else ""
    except FileNotFoundError:
        return ""


def refuse_root(uri: str) -> None:
    """Raise an InvalidArgumentError for the root of a file system or bucket, and for a local
    directory that is hardly meant. The URI's scheme must be served."""
    scheme, _, rest = uri.partition("://")
    host, _, path = rest.partition("/")
    below = posixpath.normpath("/" + path)
    what = _vital(below) if scheme == BUNDLED_SCHEME else ""
    is_root = ffi.new("int*")
    check(lib.fsload_is_root(encoded(f"{scheme}://{host}{below}"), is_root, scratch.error), uri)
    if is_root[0]:
        what = "the root of a file system or bucket"
    if what:
        raise InvalidArgumentError("INVALID_ARGUMENT", f"{uri}: refusing to delete {what}; delete "
                                   "what it contains", uri)


def rmtree(path: Path) -> None:
    """Delete a directory and all that is in it. Go on after a failure, and raise the first
    one, an Error whose `left` is (files, directories). Refuse the root of a file system or
    bucket, and local directories such as /usr, the home directory and the current one, with an
    InvalidArgumentError, as it is most likely a mistyped path."""
    uri = ready(path)
    refuse_root(uri)
    files, directories = ffi.new("uint64_t*"), ffi.new("uint64_t*")
    try:
        check_path(lib.fsload_delete_recursively(ffi.NULL, encoded(uri), files, directories,
                                                 scratch.error), uri, directory=True)
    except Error as error:
        error.left = files[0], directories[0]
        raise


def rename(source: Path, target: Path) -> None:
    """Rename a file and replace `target`, within one scheme."""
    old, new = ready(source), file_uri(target)
    check_path(lib.fsload_rename(ffi.NULL, encoded(old), encoded(new), scratch.error), old, new,
               directory=False)


class _Progress:
    """The caller's function, and what it raised."""

    def __init__(self, function: Callable[[int], Any]) -> None:
        self.function = function
        self.raised: Optional[BaseException] = None


def _interrupted(_: Any, raised: BaseException, traceback: Any) -> None:
    """Keep a KeyboardInterrupt that was raised before the callback's try block."""
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


def copy(source: Path, target: Path, *, overwrite: bool = True,
         progress: Optional[Callable[[int], Any]] = None) -> None:
    """Copy a file to `target`, the path of the copy itself, in the same or another scheme.

    On an error the target is as before, or the error says what is left and where. Without
    `overwrite` an existing one is an AlreadyExistsError. `progress` is called with the bytes of
    each block; what it raises ends the copy.
    """
    old, new = ready(source), file_uri(target)
    told = _Progress(progress) if progress else None
    handle = ffi.new_handle(told) if told else ffi.NULL
    options = options_of(
        "fsload_copy_options", keep_existing=not overwrite, data=handle,
        after_block=lib.fsload_python_after_block if told else ffi.NULL)
    try:
        check_path(lib.fsload_copy(ffi.NULL, encoded(old), encoded(new), options, scratch.error),
                   old, new, directory=False)
    except Error:
        if told and told.raised:
            raise told.raised from None
        raise


def flush_caches(uri: Path) -> None:
    """Drop what the plugin of the URI's scheme has cached."""
    _done(lib.fsload_flush_caches, uri)
