"""Copies a tree by the workers of a Dask client, as the plan of `fsload cp` says.

    plan = fsload.distributed.plan("s3://from/data", "gs://to/data")
    summary = fsload.distributed.copy(plan, client)

Each file is copied by one worker. What a worker that dies has not finished is given to
another. A copy that is started again skips what is there already.
"""
import dataclasses
import json
import os
from typing import Any, Iterable, Iterator, List, Optional, Sequence, Tuple

import fsload
from fsload import _command
from fsload._library import Path
from fsload.errors import Error
from fsload.plugins import uri_of

# A task copies so many files or bytes, whichever is reached first.
FILES_PER_TASK = 32
BYTES_PER_TASK = 64 << 20
RETRIES = 2


@dataclasses.dataclass(frozen=True)
class File:
    """A file to be copied."""

    source: str  # URIs
    target: str
    length: int  # bytes, as the plan says


@dataclasses.dataclass(frozen=True)
class Plan:
    """What is to be done."""

    directories: List[str]  # to be made, in this order
    files: List[File]


@dataclasses.dataclass
class Summary:
    """What came of a copy."""

    copied: int = 0
    skipped: int = 0  # were there already
    bytes_copied: int = 0
    errors: List[Tuple[File, BaseException]] = dataclasses.field(default_factory=list)

    def raise_if_failed(self) -> None:
        """Raises the first error, if there is one."""
        if self.errors:
            raise self.errors[0][1]


def read_plan(lines: Iterable[str]) -> Plan:
    """The plan that `fsload cp -r --dry-run --json` or `fsload sync --dry-run --json` has
    printed. Local paths are those of this process's current directory.

    Raises ValueError for steps that delete or rename, and for a plan that is not complete.
    """
    found = Plan([], [])
    complete = False
    for line in lines:
        row = json.loads(line)
        complete = complete or row["event"] == "planned"
        if row["event"] != "plan":
            continue
        if row["step"] == "make_directory":
            found.directories.append(uri_of(row["target"]))
        elif row["step"] == "copy_file":
            found.files.append(File(uri_of(row["source"]), uri_of(row["target"]), row["bytes"]))
        else:
            raise ValueError(f"{row.get('target')}: a step {row['step']!r} is no copy; only plans "
                             "that copy can be distributed")
    if not complete:
        raise ValueError("the plan is not complete: its last line tells how many steps it has")
    return found


def plan(source: Path, target: Path, *options: str) -> Plan:
    """The plan of `fsload cp -r SOURCE TARGET`, with more of its options. Raises an Error if
    it cannot be carried out."""
    ended = _command.run("cp", "-r", "--dry-run", "--json", *options, os.fspath(source),
                         os.fspath(target))
    if ended.returncode != 0:
        raise Error("FAILED_PRECONDITION", ended.stderr.strip() or ended.stdout.strip(),
                    os.fspath(source))
    return read_plan(ended.stdout.splitlines())


def is_there(file: File) -> bool:
    """Whether the target has the source's length, and is not older. (`fsload sync` asks the
    same.)"""
    try:
        target = fsload.stat(file.target)
    except FileNotFoundError:
        return False
    source = fsload.stat(file.source)
    return not target.is_directory and target.length == source.length and \
        target.modified_ns >= source.modified_ns


def _copy_files(files: Sequence[File]) -> List[Tuple[str, Optional[BaseException]]]:
    """Runs on a worker: ("copied" or "skipped" or "failed", the error) of each file."""
    results: List[Tuple[str, Optional[BaseException]]] = []
    for file in files:
        try:
            if is_there(file):
                results.append(("skipped", None))
                continue
            fsload.copy(file.source, file.target)
            results.append(("copied", None))
        except Error as error:
            results.append(("failed", error))
    return results


def _tasks(files: Sequence[File]) -> Iterator[List[File]]:
    task: List[File] = []
    for file in files:
        task.append(file)
        if len(task) >= FILES_PER_TASK or sum(one.length for one in task) >= BYTES_PER_TASK:
            yield task
            task = []
    if task:
        yield task


def copy(steps: Plan, client: Any, *, progress: bool = False) -> Summary:
    """Carries out a plan on the workers of a dask.distributed.Client, which must have this
    package, the plugins, and the variables that these read.

    Directories are made first, by this process. A file whose target has its length and is not
    older is skipped, so that a copy can be started again, and so can a task whose worker
    died. What fails is in the summary; nothing but the making of directories raises.
    `progress` shows Dask's own bar.
    """
    import distributed

    for directory in steps.directories:
        fsload.makedirs(directory)
    tasks = [*_tasks(steps.files)]
    futures = client.map(_copy_files, tasks, pure=False, retries=RETRIES)
    if progress:
        distributed.progress(futures, notebook=False)
    summary = Summary()
    for task, future in zip(tasks, futures):
        failure = future.exception()
        results = [("failed", failure)] * len(task) if failure else future.result()
        for file, (verdict, error) in zip(task, results):
            summary.copied += verdict == "copied"
            summary.skipped += verdict == "skipped"
            summary.bytes_copied += file.length * (verdict == "copied")
            if error is not None:
                summary.errors.append((file, error))
    return summary
