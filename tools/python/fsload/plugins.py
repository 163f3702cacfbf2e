"""Loading plugins, and which scheme is served by one."""
import atexit
import dataclasses
import os
import subprocess
import sys
import threading
import warnings
import weakref
from typing import Any, Dict, List, Mapping, Optional, Sequence, Set, Tuple

from fsload._library import (Path, check, encoded, end_daemon, options_of, python_ends, scratch,
                             text_of)
from fsload._native import ffi, lib
from fsload.errors import Error, FailedPreconditionError, FileError
from fsload.report import LoadReport, report_of
from fsload.uris import BUNDLED_SCHEME, uri_of

SECONDS_TO_RETIRE = 5.0
SECONDS_TO_TRY = 120.0
BUNDLED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib/fsload/plugins/posix.so")

# A signal's function may find another plugin.
_finding = threading.RLock()

_served: Set[str] = set()  # schemes that this process uses
_inherited: Set[str] = set()  # in a forked child, those that the parent used in its own process
_with_worker: Set[str] = set()  # those of plugins that were isolated here

# Files and walks that are open: they must be freed before the plugins' cleanup.
open_files: "weakref.WeakSet[Any]" = weakref.WeakSet()


def ready(path: Path) -> str:
    """Return the URI of `path`, whose scheme is served from then on.

    Raises NotFoundError if no plugin serves it (the message says what to install),
    InvalidArgumentError for a name that plugins or servers take for another one, FileError for
    a local file with a '/' behind it.
    """
    uri = uri_of(path)
    if uri.partition("://")[0] not in _served:
        find(uri)
    try:
        check(lib.fsload_check_uri(ffi.NULL, encoded(uri), scratch.error), uri)
    except FailedPreconditionError as error:
        raise FileError(error.code, str(error), uri) from None
    return uri


def _refuse_after_exit(name: str) -> None:
    """Raise an error once plugins were cleaned up: a later one would abort the process."""
    if python_ends.is_set():
        end_daemon()
        raise FailedPreconditionError(
            "FAILED_PRECONDITION", f"{name}: Python is ending, and its plugins are cleaned up; use "
            "it before the functions of atexit", name)


@dataclasses.dataclass(frozen=True)
class Isolation:
    """How a plugin runs in a process of its own (docs/isolation.md).

    `call_timeout`: seconds that the plugin may take for a call, or for the load, besides the
    start of a new process; None: as long as it likes. `restarts`: how often a new process is
    started within a minute, after one has ended; 0: never. `memory_limit`: bytes of address space
    that the process may have; 0: no limit. `environment`: changes to the environment that the
    process gets from this one; None leaves a variable out. `worker`: the program, if not that of
    this package. `confined`: whether the process writes to no local file but in a directory of
    its own, its TMPDIR, and in the directories `writable_folders`, executes no program, starts no
    process and opens no Unix-domain socket.
    """

    call_timeout: Optional[float] = None
    restarts: int = 3
    memory_limit: int = 0
    environment: Mapping[str, Optional[str]] = dataclasses.field(default_factory=dict)
    worker: Optional[Path] = None
    confined: bool = False
    writable_folders: Sequence[Path] = ()


# Other names of schemes, each with the plugin's scheme and how that is isolated.
_isolated: Dict[str, Tuple[str, Isolation]] = {}


def isolated_uri(uri: str, isolation: Isolation) -> str:
    """Return a URI of the same file, by a plugin in a process of its own as `isolation` says.

    Equal ones share a process. Local files are not isolated.
    """
    scheme, _, rest = uri.partition("://")
    if scheme == BUNDLED_SCHEME or scheme in _isolated:
        return uri
    with _finding:
        for name, known in _isolated.items():
            if known == (scheme, isolation):
                return f"{name}://{rest}"
        name = f"{scheme}.isolated{len(_isolated) + 1}"
        _isolated[name] = (scheme, isolation)
    return f"{name}://{rest}"


def _texts(texts: Sequence[Path], kept: List[Any]) -> Any:
    """Return an array of C strings that ends with null; `kept` must outlive it."""
    strings = [ffi.new("char[]", encoded(text)) for text in texts]
    array = ffi.new("char*[]", strings + [ffi.NULL])
    kept += strings + [array]
    return array


def _isolation_of(isolation: Isolation, kept: List[Any]) -> Any:
    environment = [name if value is None else f"{name}={value}"
                   for name, value in isolation.environment.items()]
    worker = ffi.NULL
    if isolation.worker is not None:
        worker = ffi.new("char[]", encoded(isolation.worker))
    options = options_of("fsload_isolation", call_timeout=isolation.call_timeout or 0.0,
                         restarts=isolation.restarts or -1,
                         memory_limit=isolation.memory_limit,
                         environment=_texts(environment, kept), worker=worker,
                         confined=isolation.confined,
                         writable_folders=_texts(isolation.writable_folders, kept))
    kept += [worker, options]
    return options


def load(path: Path, *, allow_list: Optional[Path] = None, partial: bool = False,
         in_place: bool = False, warnings_as_errors: bool = False,
         stub_missing_functions: bool = False, keep_environment: bool = False,
         allow_damaging_operations: bool = False, isolation: Optional[Isolation] = None,
         scheme_as: Optional[Mapping[str, str]] = None) -> LoadReport:
    """Load the plugin in the file `path` and register its schemes.

    `allow_list` is a file of SHA-256 sums of the plugins that may be loaded. `partial` keeps
    the valid schemes even if others are not. `in_place` opens the file itself, not a private
    copy. `stub_missing_functions` gives functions that fail to a plugin that needs some that
    nobody has. `scheme_as` names schemes of an isolated plugin: with {"s3": "minio"},
    minio://bucket/key is its s3://bucket/key. fsload/c/registry.h describes them all.

    The plugin's code runs in this process, and stays until it ends; with `isolation` in one of
    its own. Raise an Error whose `report` has all findings.
    """
    name = os.fsdecode(path)
    _refuse_after_exit(name)
    allowed = ffi.new("char[]", encoded(allow_list)) if allow_list is not None else ffi.NULL
    kept: List[Any] = []
    isolated = ffi.NULL if isolation is None else _isolation_of(isolation, kept)
    names = ffi.NULL
    if scheme_as is not None:
        names = _texts([f"{scheme}={here}" for scheme, here in scheme_as.items()], kept)
    options = options_of(
        "fsload_load_options", isolation=isolated, scheme_as=names, allow_list=allowed, partial=partial, in_place=in_place,
        warnings_as_errors=warnings_as_errors, stub_missing_functions=stub_missing_functions,
        keep_environment=keep_environment, allow_damaging_operations=allow_damaging_operations)
    report = ffi.new("fsload_report**")
    try:
        check(lib.fsload_load(ffi.NULL, encoded(name), options, report, scratch.error), name)
        loaded = report_of(report[0])
    except Error as error:
        error.report = report_of(report[0]) if report[0] else None
        raise
    finally:
        lib.fsload_report_free(report[0])
    registered = [scheme.name for scheme in loaded.schemes if scheme.registered]
    if isolation is not None:
        _with_worker.update(registered)
    _served.update(registered)
    return loaded


def _isolation_for(scheme: str, kept: List[Any]) -> Dict[str, Any]:
    """Return the options for a name that `isolated_uri` has given."""
    if scheme not in _isolated:
        return {}
    in_plugin, isolation = _isolated[scheme]
    return {"isolation": _isolation_of(isolation, kept),
            "scheme_as": _texts([f"{in_plugin}={scheme}"], kept)}


def _has_threads() -> bool:
    return len(os.listdir("/proc/self/task")) > 1


def _is_interpreter() -> bool:
    """Return whether sys.executable can be run as Python; not in a frozen program."""
    return bool(sys.executable) and not getattr(sys, "frozen", False)


def _find_or_load(uri: str, options: Any) -> None:
    check(lib.fsload_find_or_load(ffi.NULL, encoded(uri), options, scratch.error), uri)


def _try_elsewhere(uri: str) -> None:
    """Let a new interpreter find the plugin. What it remembers of those that it tries is for
    processes of the same program."""
    try:
        subprocess.run([sys.executable, "-c", "import fsload, sys; fsload.find(sys.argv[1])", uri],
                       env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, check=False, timeout=SECONDS_TO_TRY)
    except (OSError, subprocess.TimeoutExpired):
        pass  # finding it here says why


def find(uri: Path, *, stub_missing_functions: bool = True) -> None:
    """Make sure that the scheme of `uri` is served: find a plugin in FSLOAD_PLUGIN_PATH, in
    Python's packages and in this one, and loads it.

    All functions that take a URI do that by themselves. Raise NotFoundError if there is
    none (the message says what to install), FailedPreconditionError if all are refused.
    """
    name = uri_of(uri)
    scheme = name.partition("://")[0]
    with _finding:
        _refuse_after_exit(name)
        if scheme in schemes():
            _warn_of_fork(scheme)
        elif scheme == BUNDLED_SCHEME:
            load(BUNDLED)
        else:
            kept: List[Any] = []
            options = options_of("fsload_load_options", **_isolation_for(scheme, kept),
                                 stub_missing_functions=stub_missing_functions)
            try:
                _find_or_load(name, options)
            except Error:
                # Plugins are tried in a fork, which a process with threads must not do.
                if not (_has_threads() and _is_interpreter()):
                    raise
                _try_elsewhere(_isolated.get(scheme, (scheme,))[0] + name[len(scheme):])
                _find_or_load(name, options)
            if scheme in _isolated:
                _with_worker.add(scheme)
        _served.add(scheme)


def schemes() -> List[str]:
    """Return the schemes that are served, sorted; "" is that of local paths."""
    listed = ffi.new("fsload_strings**")
    check(lib.fsload_schemes(ffi.NULL, listed, scratch.error))
    try:
        return [text_of(lib.fsload_strings_get(listed[0], index))
                for index in range(lib.fsload_strings_count(listed[0]))]
    finally:
        lib.fsload_strings_free(listed[0])


def retire(scheme: str, seconds: float = SECONDS_TO_RETIRE) -> None:
    """Take a scheme out of use, and wait up to so many seconds for its cleanup.

    Raises DeadlineExceededError if files are still open then (the last one that is closed
    cleans up), NotFoundError for an unknown scheme. A later use of the scheme finds a plugin
    for it again.
    """
    _served.discard(scheme)
    _with_worker.discard(scheme)
    check(lib.fsload_retire(ffi.NULL, encoded(scheme), seconds, scratch.error), scheme)


def retire_all(seconds: float = SECONDS_TO_RETIRE) -> None:
    """Retire all schemes. It happens by itself when Python ends."""
    _served.clear()
    _with_worker.clear()
    check(lib.fsload_retire_all(ffi.NULL, seconds, scratch.error))


def _all_open() -> List[Any]:
    while True:
        try:
            return [*open_files]
        except RuntimeError:  # another thread opens and closes files
            continue


def _at_exit() -> None:
    """Clean up all plugins: they abort in their static destructors unless they are cleaned up,
    which open files prevent. What was not closed is not published."""
    # A plugin that another thread is loading is cleaned up, too.
    waited = _finding.acquire(timeout=SECONDS_TO_RETIRE)
    python_ends.set()
    if waited:
        _finding.release()
    try:
        for file in _all_open():
            file.end()
        retire_all()
    except Error as error:  # a call of another thread goes on
        lib.fsload_python_skip_destructors()
        warnings.warn(str(error), ResourceWarning, stacklevel=1)


def _after_fork() -> None:
    global _finding
    _finding = threading.RLock()
    for file in _all_open():
        if hasattr(file, "renew_lock"):
            file.renew_lock()
    # The bundled plugin has neither threads nor connections, and a child starts workers of its own.
    _inherited.update(_served - {BUNDLED_SCHEME} - _with_worker)
    _served.clear()


def _warn_of_fork(scheme: str) -> None:
    if scheme not in _inherited:
        return
    _inherited.discard(scheme)
    warnings.warn(
        f"{scheme}://: its plugin was loaded before os.fork(), and its threads and connections "
        "do not exist in this child, which may hang; start processes by 'spawn' or "
        "'forkserver', or use the scheme only after the fork", RuntimeWarning, stacklevel=4)


atexit.register(_at_exit)
os.register_at_fork(after_in_child=_after_fork)
