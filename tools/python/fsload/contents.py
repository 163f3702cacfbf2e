"""Whole files, and many parts of files at once."""
import threading
from concurrent.futures import Future, ThreadPoolExecutor  # not loaded once Python is ending
from typing import Any, Callable, Dict, Iterable, List, Sequence, Tuple

from fsload._library import Path
from fsload.errors import Error
from fsload.files import Reader, Writer

JOBS = 8
MAX_OPEN = 256  # files, a quarter of what a process may open by default
FIRST_BYTES = 256 << 10  # a file that is smaller is read without asking for its size
BLOCK_BYTES = 8 << 20  # the rest is read in such blocks, several at once


def in_parallel(function: Callable[..., Any], *arguments: Iterable[Any],
                jobs: int = JOBS) -> List[Any]:
    """Return what `function` returns for the arguments, in their order, as map does. Raise what
    the first one that fails raises; the others are carried out or not."""
    rows = [*zip(*arguments)]
    if len(rows) < 2 or jobs < 2:
        return [function(*row) for row in rows]
    results: List[Any] = [None] * len(rows)
    errors: Dict[int, BaseException] = {}
    rest = iter(range(len(rows)))
    lock = threading.Lock()

    def work() -> None:
        while not errors:
            with lock:
                index = next(rest, None)
            if index is None:
                return
            try:
                results[index] = function(*rows[index])
            except BaseException as error:
                errors[index] = error

    workers = min(jobs, len(rows))
    with ThreadPoolExecutor(workers) as pool:
        started: "List[Future[None]]" = []
        try:
            try:
                for _ in range(workers):
                    started.append(pool.submit(work))
            except RuntimeError:
                pass  # Python is ending, or may start no more threads
            if len(started) < workers:
                work()
            for worker in started:
                worker.result()
        except BaseException as error:  # Ctrl-C
            errors[-1] = error
    if errors:
        raise errors[min(errors)]
    return results


def read_bytes(path: Path, *, jobs: int = 4) -> bytes:
    """Return the contents of a file, read in blocks, `jobs` of them at the same time."""
    with Reader(path) as file:
        try:
            first = file.pread(FIRST_BYTES, 0)
        except FileNotFoundError:  # as a directory of a store is, too
            file.require_file()
            raise
        if len(first) < FIRST_BYTES:
            return first
        try:
            size = max(file.size, FIRST_BYTES)
        except Error:
            return file.readall()
        contents = memoryview(bytearray(size + 1))  # one more tells the end
        contents[:FIRST_BYTES] = first

        def missing(start: int) -> int:
            block = contents[start:start + BLOCK_BYTES]
            return len(block) - file.pread_into(start, block)

        *whole, last = in_parallel(missing, range(FIRST_BYTES, size + 1, BLOCK_BYTES), jobs=jobs)
        if any(whole) or last != 1:
            return file.readall()  # it has another size
        return bytes(contents[:size])


def write_bytes(path: Path, data: Any) -> None:
    """Create or replace a file."""
    with Writer(path) as file:
        file.write(data)


def read_open(paths: Sequence[Path], opened: Callable[[Any], Any],
              read: Callable[[Any, int], Any], *, jobs: int = JOBS) -> List[Any]:
    """Return what `read` returns for what `opened` returns of each path, and the path's index. Each
    is opened once, and MAX_OPEN at most are open at once."""
    results: List[Any] = [None] * len(paths)
    wanted: Dict[Path, List[int]] = {}
    for index, path in enumerate(paths):
        wanted.setdefault(path, []).append(index)
    names = [*wanted]
    for first in range(0, len(names), MAX_OPEN):
        group = names[first:first + MAX_OPEN]
        indices = [index for name in group for index in wanted[name]]
        files: Dict[Path, Any] = {}

        def open_one(name: Path) -> None:
            files[name] = opened(name)

        def read_one(index: int) -> None:
            results[index] = read(files[paths[index]], index)

        try:
            in_parallel(open_one, group, jobs=jobs)
            in_parallel(read_one, indices, jobs=jobs)
        finally:
            for file in files.values():
                if isinstance(file, Reader):
                    file.close()
    return results


def read_ranges(ranges: Sequence[Tuple[Path, int, int]], *, jobs: int = JOBS) -> List[bytes]:
    """Return the bytes of each (path, start, end), in their order, `jobs` of them read at the same
    time. Each file is opened once. A range that goes beyond its file's end is shorter."""
    def read(file: Reader, index: int) -> bytes:
        _, start, end = ranges[index]
        return file.pread(max(end - start, 0), start)

    return read_open([path for path, _, _ in ranges], Reader, read, jobs=jobs)
