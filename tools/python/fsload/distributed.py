"""Copies a tree by the workers of Dask or Ray, as the plan of `fsload cp` says.

    plan = fsload.distributed.plan("s3://from/data", "gs://to/data")
    summary = fsload.distributed.copy(plan, client)
    summary = fsload.distributed.copy_by_ray(plan)

Each file is copied by one worker. What a worker that dies has not finished is given to
another. A copy that is started again skips what is there already.
"""
import dataclasses
import json
import os
from typing import Any, Callable, Iterable, Iterator, List, Optional, Sequence, Tuple

import fsload
from fsload import _command
from fsload._library import Path
from fsload.errors import Error
from fsload.uris import uri_of

# A task copies so many files or bytes, whichever is reached first.
FILES_PER_TASK = 32
BYTES_PER_TASK = 64 << 20
RETRIES = 2

# "copied", "skipped" or "failed", and the error.
Result = Tuple[str, Optional[BaseException]]


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
        """Raise the first error, if there is one."""
        if self.errors:
            raise self.errors[0][1]


def read_plan(lines: Iterable[str]) -> Plan:
    """Return the plan that `fsload cp -r --dry-run --json` or `fsload sync --dry-run --json` has
    printed. Local paths are those of this process's current directory.

    Raises ValueError for steps that delete or rename, and for a plan that is not complete.
    """
    found = Plan([], [])
    complete = False
    for line in lines:
        row = json.loads(line)
        if not isinstance(row, dict) or "event" not in row:
            raise ValueError(f"{line!r}: not a line of a plan, expected the output of "
                             "`--dry-run --json`")
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
    """Return the plan of `fsload cp -r SOURCE TARGET`, with more of its options. Raise an Error if
    it cannot be carried out."""
    ended = _command.run("cp", "-r", "--dry-run", "--json", *options, "--",
                         os.fsdecode(source), os.fsdecode(target),
                         env={**os.environ, "FSLOAD_HIDE_MISSING_FUNCTIONS": "1"})
    if ended.returncode != 0:
        raise Error("FAILED_PRECONDITION", ended.stderr.strip() or ended.stdout.strip(),
                    os.fsdecode(source))
    return read_plan(ended.stdout.splitlines())


def is_there(file: File) -> bool:
    """Return whether the target has the source's length, and is not older. (`fsload sync` asks the
    same.)"""
    try:
        target = fsload.stat(file.target)
    except FileNotFoundError:
        return False
    source = fsload.stat(file.source)
    return not target.is_dir and target.size == source.size and \
        target.modified_ns >= source.modified_ns


def _copy_files(files: Sequence[File]) -> List[Result]:
    """Run on a worker: the result of each file."""
    results: List[Result] = []
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


def _carry_out(steps: Plan, start: Callable[[List[List[File]]], Sequence[Any]],
               finish: Callable[[Any], List[Result]]) -> Summary:
    """Carry out a plan. `start` has an engine call _copy_files for each of its tasks, and yields
    what `finish` waits for. What `finish` raises is the engine's own failure."""
    for directory in steps.directories:
        fsload.makedirs(directory)
    tasks = [*_tasks(steps.files)]
    summary = Summary()
    for task, started in zip(tasks, start(tasks)):
        try:
            results = finish(started)
        except Exception as failure:
            results = [("failed", failure)] * len(task)
        for file, (verdict, error) in zip(task, results):
            summary.copied += verdict == "copied"
            summary.skipped += verdict == "skipped"
            summary.bytes_copied += file.length * (verdict == "copied")
            if error is not None:
                summary.errors.append((file, error))
    return summary


def copy(steps: Plan, client: Any, *, progress: bool = False) -> Summary:
    """Carry out a plan on the workers of a dask.distributed.Client, which must have this
    package, the plugins, and the variables that these read.

    Directories are made first, by this process. A file whose target has its length and is not
    older is skipped, so that a copy can be started again, and so can a task whose worker
    died. What fails is in the summary; nothing but the making of directories raises.
    `progress` shows Dask's own bar.
    """
    import distributed

    def start(tasks: List[List[File]]) -> Sequence[Any]:
        futures: Sequence[Any] = client.map(_copy_files, tasks, pure=False, retries=RETRIES)
        if progress:
            distributed.progress(futures, notebook=False)
        return futures

    return _carry_out(steps, start, lambda future: future.result())


def copy_by_ray(steps: Plan) -> Summary:
    """Carry out a plan by tasks of Ray, with which this process is connected (`ray.init`)."""
    import ray

    run = ray.remote(max_retries=RETRIES)(_copy_files)
    return _carry_out(steps, lambda tasks: [run.remote(task) for task in tasks], ray.get)
