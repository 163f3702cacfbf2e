"""The exceptions of fsload.

Each is an OSError, and where Python has a class of its own for what happened, such as
FileNotFoundError, it is one of these too.
"""
import errno
from typing import TYPE_CHECKING, Any, Dict, Optional, Tuple, Type

if TYPE_CHECKING:
    from fsload.report import LoadReport


class Error(OSError):
    """A call failed.

    `str()` is one sentence: the URI or file first, then what happened, with the plugin's own
    words. `code` is the C API's name of the code ("NOT_FOUND"), `filename` the URI, `errno`
    the number that fits best. `report` has the findings of a plugin that was not loaded,
    `left` the numbers of (files, directories) that rmtree could not delete.
    """

    number = errno.EIO
    report: "Optional[LoadReport]" = None
    left: Optional[Tuple[int, int]] = None

    def __init__(self, code: str, message: str, uri: Optional[str] = None) -> None:
        super().__init__(self.number, message, uri)
        self.code = code

    def __str__(self) -> str:
        return str(self.strerror)

    def __reduce__(self) -> Tuple[Any, ...]:
        kept = {} if self.left is None else {"left": self.left}
        return type(self), (self.code, self.strerror, self.filename), kept


class NotFoundError(Error, FileNotFoundError):
    """Nothing is there, or no plugin serves the scheme."""

    number = errno.ENOENT


class AlreadyExistsError(Error, FileExistsError):
    """Something is there already."""

    number = errno.EEXIST


class PermissionDeniedError(Error, PermissionError):
    """The storage refuses this user, or fsload this plugin's file."""

    number = errno.EACCES


class UnauthenticatedError(Error, PermissionError):
    """The storage does not know this user."""

    number = errno.EACCES


class DeadlineExceededError(Error, TimeoutError):
    """It took too long."""

    number = errno.ETIMEDOUT


class UnavailableError(Error, ConnectionError):
    """The storage cannot be reached, or asks to try later."""

    number = errno.ECONNREFUSED


class InvalidArgumentError(Error, ValueError):
    """An argument means nothing to the operation."""

    number = errno.EINVAL


class OutOfRangeError(Error, ValueError):
    """A position outside the file."""

    number = errno.EINVAL


class UnimplementedError(Error):
    """Neither the plugin nor fsload has the operation."""

    number = errno.ENOTSUP


class CancelledError(Error):
    """A callback ended the operation."""

    number = errno.ECANCELED


class FailedPreconditionError(Error):
    """The state does not allow it: a directory that is not empty, a plugin that is refused."""

    number = errno.EPERM


class DirectoryError(FailedPreconditionError, IsADirectoryError):
    """It is a directory, and a file was wanted."""

    number = errno.EISDIR


class FileError(FailedPreconditionError, NotADirectoryError):
    """It is a file, and a directory was wanted."""

    number = errno.ENOTDIR


class NotEmptyError(FailedPreconditionError):
    """It is a directory that is not empty."""

    number = errno.ENOTEMPTY


class ExhaustedError(Error):
    """No memory, no space, or over a quota."""

    number = errno.ENOSPC


class AbortedError(Error):
    """Somebody else changed it meanwhile."""

    number = errno.ESTALE


# Codes that are not here are plain Errors: UNKNOWN, INTERNAL, DATA_LOSS.
BY_CODE: Dict[str, Type[Error]] = {
    "ABORTED": AbortedError,
    "ALREADY_EXISTS": AlreadyExistsError,
    "CANCELLED": CancelledError,
    "DEADLINE_EXCEEDED": DeadlineExceededError,
    "FAILED_PRECONDITION": FailedPreconditionError,
    "INVALID_ARGUMENT": InvalidArgumentError,
    "NOT_FOUND": NotFoundError,
    "OUT_OF_RANGE": OutOfRangeError,
    "PERMISSION_DENIED": PermissionDeniedError,
    "RESOURCE_EXHAUSTED": ExhaustedError,
    "UNAUTHENTICATED": UnauthenticatedError,
    "UNAVAILABLE": UnavailableError,
    "UNIMPLEMENTED": UnimplementedError,
}


def error_of(code: str, message: str, uri: Optional[str] = None) -> Error:
    """Return the exception for a code of the C API, to be raised."""
    return BY_CODE.get(code, Error)(code, message, uri)
