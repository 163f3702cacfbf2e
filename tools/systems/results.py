"""docs/systems.md: what passed in which system, with versions, times and dates.

The tables of the file are read first, so that a run of some parts keeps the results of the
others.
"""
import dataclasses
import datetime
import re
import subprocess

import container
import minimal

COLUMNS = {**minimal.NAMES, "arm64": "Debian 12, arm64, emulated"}
TESTS = "tests"
WHEELS = "the command, packages and real wheels on arm64"
PAGES = "pages of 16 KiB"
SANITIZED = "tests of some packages with AddressSanitizer and UndefinedBehaviorSanitizer"
WHEELS_HEADING = "Plugins of real wheels on both machines"

# Each with its package, or a pattern of its name.
VERSIONS = {"Bazel": "bazel-bootstrap", "g++": "g++", "clang": "clang-[0-9][0-9]", "glibc": "libc6",
            "binutils": "binutils", "Abseil": "libabsl-dev", "fmt": "libfmt-dev",
            "CLI11": "libcli11-dev", "nlohmann-json": "nlohmann-json3-dev",
            "toml++": "libtomlplusplus-dev",
            "googletest": "libgtest-dev", "Google Benchmark": "libbenchmark-dev",
            "pugixml": "libpugixml-dev", "libseccomp": "libseccomp-dev", "RE2": "libre2-dev",
            "minizip": "libminizip-dev", "CMake": "cmake", "Python": "python3"}

TEXT = """\
# Systems

fsload is built and tested on these systems, each started as a minimal root
(`debootstrap --variant=minbase`) with git and ca-certificates, on x86-64. `.ci/systems`
does it and writes this page: the README's two commands without a network (what they need is
installed first, from Debian's packages), clang, programs outside the tree, packages on a
system that has no Bazel, and the limits of containers. `.ci/run` repeats the main job on
Debian 13.

Debian 12 and 13 have a Bazel that reads WORKSPACE, sid has one that reads MODULE.bazel. An
older compiler or library than Debian 12's is refused, with its name, before anything is
compiled; `./bazelw` warns of a Bazel that is older than 4.2 or newer than 7.

arm64 (aarch64) has been tried on an emulated machine alone, never on a real one. `.ci/arm64`
cross-compiles all of it, starts a guest with Debian's Linux 6.12 for arm64 in QEMU, and runs
in it the tests of compat, core and loader with all their rounds, the command, and the plugins
of real wheels with servers on the host. An emulator keeps the memory order of its host, so a
missing barrier would not show there; the order of each atomic is argued beside it, and TSan
looks for races on x86-64. `.ci/arm64 --part sanitized` runs tests there with g++'s
AddressSanitizer and UndefinedBehaviorSanitizer, whose libraries come with the cross compiler;
Debian's clang for x86-64 brings those of x86 only.
Pages of 64 KiB have not been tried, as Debian has no such kernel for arm64; where a size of pages matters,
the kernel is asked. No figure of [benchmarks](benchmarks.md) comes from an emulator.

On x86-64 the figures are what they were: the benchmarks of the last commit before arm64 and of
2026-11-29, taking turns in one run (`.ci/compare e27b226d^`, 5 rounds), have ratios whose
geometric mean is 1.005 over 68 benchmarks of fsload, and 1.001 over 24 of what is not fsload
(the plugin's own table, `dlopen`, a copy). Slower by more than a tenth, and by less than half a
nanosecond, are an append of 64 bytes (1.3 and 1.5 ns; its instructions are the same ones) and a
read of 64 bytes in one program (1.5 and 1.9 ns; 1.2 and 1.2 in two others).
A later commit of that day, in two rounds: 0.967 over 68, and 0.994 over 24; slower are
`FileExists` of a short path (12.2 and 13.1 ns), its `Stat` (13.7 and 14.5 ns) and the load of a
plugin that does nothing (0.25 and 0.29 ms); faster are globs, by a third and more.

## Results

Passed and failed, seconds on two processors, and the day.

{results}

## {heading}

What `fsload check` reports on the wheels of version 0.37.1, on x86-64 and in the arm64 guest.
Where a plugin has several schemes, a number is given for each. `.ci/arm64` requires that the
whole reports are equal, but for paths, the number in "MiB per file" and Landlock's version,
which is the kernel's.

{wheels}

## Versions

{versions}

## Containers

Tried with the command of Debian 12's archive: `fsload --check`, copies of a tree, one of them
with the plugin in a process of its own, that are compared from outside, and `fsload doctor`,
each with something missing or refused, as root and as a user without a row in `/etc/passwd`,
and always with a home that does not exist:

{trials}

Only `/proc` is necessary: without it each load is refused with this as the reason.
"""


@dataclasses.dataclass
class Row:
    """A result; `release` is a key of COLUMNS."""
    release: str
    name: str
    passed: int
    failed: int
    seconds: int

    def cell(self):
        failed = f", **{self.failed} failed**" if self.failed else ""
        return f"{self.passed} passed{failed}; {self.seconds} s; {datetime.date.today()}"


def read_table(text, heading):
    """{name: {column: cell}} of the table below a heading."""
    part = text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    lines = [[cell.strip() for cell in line.strip("|\n").split("|")]
             for line in part.splitlines() if line.startswith("|")]
    return {cells[0]: dict(zip(lines[0][1:], cells[1:])) for cells in lines[2:]}


def write_table(table, columns):
    lines = ["| | " + " | ".join(columns) + " |", "|---|" + "---|" * len(columns)]
    lines += [f"| {row} | " + " | ".join(cells.get(name, "") for name in columns) + " |"
              for row, cells in table.items()]
    return "\n".join(lines)


def versions_in(root):
    """{what: version} of a system, without Debian's own suffixes."""
    found = {}
    for what, package in VERSIONS.items():
        ended = subprocess.run(
            ["dpkg-query", f"--admindir={root}/var/lib/dpkg", "--show",
             "--showformat=${Version}", package], capture_output=True, text=True, check=False)
        if ended.returncode == 0:
            found[what] = re.sub(r"^\d+:|([-+~]|\.really|\.dfsg).*$", "", ended.stdout)
    return found


def record(path, rows, roots=None, names=None, wheels=None):
    """Writes docs/systems.md: `rows` are new results; `roots` are folders of systems, {release:
    folder}, whose versions are asked; `names` are those of all results of systems, in order; and
    `wheels` is a table, {fact: {column: value}}. What is None is kept as the file has it."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except FileNotFoundError:
        text = ""
    old = read_table(text, "Results")
    results = {name: old.get(name, {})
               for name in [*(names or old), TESTS, WHEELS, PAGES, SANITIZED]}
    versions = read_table(text, "Versions")
    wheels = wheels or read_table(text, WHEELS_HEADING)
    for row in rows:
        results[row.name][COLUMNS[row.release]] = row.cell()
    for release, root in (roots or {}).items():
        for what, version in versions_in(root).items():
            versions.setdefault(what, {})[COLUMNS[release]] = version
    with open(path, "w", encoding="utf-8") as file:
        file.write(TEXT.format(
            results=write_table(results, COLUMNS.values()),
            versions=write_table(versions, minimal.NAMES.values()),
            heading=WHEELS_HEADING,
            wheels=write_table(wheels, next(iter(wheels.values()), [])),
            trials="\n".join("- " + name for name in container.NAMES)))
