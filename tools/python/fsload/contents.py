"""Whole files, and many parts of files at once."""
from concurrent.futures import Future, ThreadPoolExecutor  # not loaded once Python is ending
from typing import Any, Callable, Dict, Iterable, List, Sequence, Tuple

from fsload._library import Path
from fsload.files import Reader, Writer

JOBS = 8
FIRST_BYTES = 256 << 10  # a file that is smaller is read without asking for its size
BLOCK_BYTES = 8 << 20  # the rest is read in such blocks, several at once


def in_parallel(function: Callable[..., Any], *arguments: Iterable[Any],
                jobs: int = JOBS) -> List[Any]:
    """Return what `function` returns for the arguments, in their order, as map does. Raise what
    the first one that fails raises; the others are carried out or not."""
    rows = [*zip(*arguments)]
    if len(rows) < 2 or jobs < 2:
        return [function(*row) for row in rows]
    with ThreadPoolExecutor(min(jobs, len(rows))) as pool:
        calls: "List[Future[Any]]" = []
        try:
            for row in rows:
                calls.append(pool.submit(function, *row))
        except RuntimeError:
            pass  # Python is ending, and starts no more threads
        try:
            return [call.result() for call in calls] + \
                [function(*row) for row in rows[len(calls):]]
        finally:
            for call in calls:
                call.cancel()


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
        contents = bytearray(max(file.size, FIRST_BYTES))
        view = memoryview(contents)
        view[:FIRST_BYTES] = first

        def read(start: int) -> bool:
            block = view[start:start + BLOCK_BYTES]
            return file.pread_into(start, block) == len(block)

        if all(in_parallel(read, range(FIRST_BYTES, len(contents), BLOCK_BYTES), jobs=jobs)):
            return bytes(contents)
        return file.readall()  # it has become shorter


def write_bytes(path: Path, data: Any) -> None:
    """Create or replace a file."""
    with Writer(path) as file:
        file.write(data)


def read_ranges(ranges: Sequence[Tuple[Path, int, int]], *, jobs: int = JOBS) -> List[bytes]:
    """Return the bytes of each (path, start, end), in their order, `jobs` of them read at the same
    time. Each file is opened once. A range that goes beyond its file's end is shorter."""
    names = [*dict.fromkeys(path for path, _, _ in ranges)]
    files: Dict[Path, Reader] = dict(zip(names, in_parallel(Reader, names, jobs=jobs)))
    try:
        return in_parallel(
            lambda path, start, end: files[path].pread(max(end - start, 0), start),
            *zip(*ranges), jobs=jobs)
    finally:
        for file in files.values():
            file.close()
