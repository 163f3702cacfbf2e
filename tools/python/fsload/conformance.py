"""fsload's conformance suite in a plugin's own pytest tests: one test per case.

    from fsload.conformance import conformance_tests

    test_conformance = conformance_tests("./libmine.so", root="mine://bucket/empty")

The cases that pytest selects run in one go, each in a process of its own, when the first of
them is due. docs/conformance.md describes the suite.
"""
import dataclasses
import json
import os
import re
from typing import Any, Callable, Dict, List, Optional, Sequence

from fsload import _command
from fsload._library import Path
from fsload.errors import Error

# The command's exit codes of a run: it conforms, a case failed, nothing was tested.
EXITS_OF_A_RUN = (0, 1, 3)

# Verdicts that do not fail a test: docs/conformance.md, "What is run" and "Results".
NO_FAILURES = ("passed", "skipped", "disputed", "expected_failure")


@dataclasses.dataclass(frozen=True)
class Result:
    """What came of one case."""

    name: str  # "read.at-an-offset@tables"
    verdict: str  # "passed", "skipped", "failed", "crashed", …
    rule: str  # "FSP401"; `fsload explain FSP401` tells more
    title: str  # what holds for a plugin that passes
    reason: str  # why it was skipped, or is expected to fail
    failures: List[str]
    calls: List[str]  # that led to it
    document: Dict[str, Any] = dataclasses.field(repr=False)

    @property
    def text(self) -> str:
        """Return all that one needs to know of a failure."""
        return "\n".join([f"{self.name}: {self.verdict} ({self.rule}: {self.title})",
                          *[self.reason] * bool(self.reason), *map(str, self.failures),
                          *(f"  {call}" for call in self.calls)])


@dataclasses.dataclass(frozen=True)
class Suite:
    """What is tested, and how: the options of `fsload conformance`."""

    plugin: str
    root: str  # the URI of an empty or new directory
    level: int = 2
    profile: str = "local"  # or "object-store"
    expected_failures: Optional[str] = None
    skip: Sequence[str] = ()
    timeout_seconds: Optional[int] = None
    seed: Optional[int] = None
    jobs: Optional[int] = None

    def _options(self) -> List[str]:
        given = {"--expected-failures": self.expected_failures,
                 "--timeout": self.timeout_seconds, "--seed": self.seed, "--jobs": self.jobs}
        return [f"--level={self.level}", f"--profile={self.profile}",
                *(f"{name}={value}" for name, value in given.items() if value is not None),
                *(word for pattern in self.skip for word in ("--skip", pattern))]

    def run(self, only: Sequence[str] = (), **options: Any) -> List[Result]:
        """Run the cases, those that match one of the globs `only` if there are any.

        Raises an Error if the suite could not run: the root is refused, or the plugin.
        """
        ended = _command.run(
            "conformance", "--root", self.root, "--format=json", *self._options(),
            *(word for pattern in only for word in ("--only", pattern)), self.plugin, **options)
        if ended.returncode not in EXITS_OF_A_RUN:
            raise Error("FAILED_PRECONDITION", ended.stderr.strip(), self.plugin)
        return [Result(row["name"], row["verdict"], row["rule"], row["title"], row["reason"],
                       row["failures"], row["calls"], row)
                for row in json.loads(ended.stdout)["results"]]


class _Run:
    """Runs a suite once, with the cases that are asked for first."""

    def __init__(self, suite: Suite) -> None:
        self._suite = suite
        self._results: Optional[Dict[str, List[Result]]] = None
        self._error: Optional[Error] = None

    def results(self, cases: Sequence[str]) -> Dict[str, List[Result]]:
        """Return the results by the case's name."""
        if self._error is not None:
            raise self._error
        if self._results is None:
            found: Dict[str, List[Result]] = {case: [] for case in cases}
            try:
                for result in self._suite.run([f"{case}@*" for case in cases]):
                    found[result.name.partition("@")[0]].append(result)
            except Error as error:
                self._error = error
                raise
            self._results = found
        return self._results


def case_names(level: int = 2) -> List[str]:
    """Return the names of all cases up to a level: "read.at-an-offset"."""
    ended = _command.run("conformance", "--list")
    rows = re.findall(r"^FSP\d+ +level (\d) +(\S+)", ended.stdout, re.MULTILINE)
    return [name for number, name in rows if int(number) <= level]


def conformance_tests(plugin: Path, root: str, *, level: int = 2, profile: str = "local",
                      expected_failures: Optional[Path] = None, skip: Sequence[str] = (),
                      timeout_seconds: Optional[int] = None, seed: Optional[int] = None,
                      jobs: Optional[int] = None) -> Callable[..., None]:
    """Return a test function for pytest, parametrized with the cases up to `level`.

    `plugin` is a shared object, a wheel or a name that `fsload plugins` lists; `root` the
    URI of an empty or new directory. The rest are the options of `fsload conformance`. A case
    runs in several ways, as long as the plugin has what they need; its test fails if one of
    them does, and is skipped if all are.
    """
    import pytest

    suite = Suite(os.fsdecode(plugin), root, level, profile,
                  None if expected_failures is None else os.fsdecode(expected_failures),
                  tuple(skip), timeout_seconds, seed, jobs)

    run = _Run(suite)

    @pytest.mark.parametrize("case", case_names(level))
    def run_case(case: str, request: Any) -> None:
        selected = [item.callspec.params["case"] for item in request.session.items
                    if getattr(item, "function", None) is run_case]
        results = run.results(selected)[case]
        failed = [result for result in results if result.verdict not in NO_FAILURES]
        if failed:
            pytest.fail("\n\n".join(result.text for result in failed), pytrace=False)
        if all(result.verdict == "skipped" for result in results):
            pytest.skip(results[0].reason if results else "the suite was told to skip it")

    test: Callable[..., None] = run_case
    return test
