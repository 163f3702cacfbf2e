"""Where the time of a call goes: instructions by source, counted by callgrind.

Counts do not depend on the load of the machine. They leave out the kernel;
for a glob, the benchmark's own clocks show it.
"""

import re
import subprocess
import tempfile

MOST = 15  # rows
CALLS = 100_000
# It is loaded from memory, so valgrind finds no symbols.
UNNAMED = "the plugin"

WHY = """The unavoidable parts of a call through fsload:

- A fresh status, a mark that the thread is inside of this plugin (which
  `Retire` looks for), and a look at the status afterwards: this is all of a
  read, an append and a tell, which are part of who calls them.
  Exceptions cost nothing where none is thrown.
- By URI also finding the scheme (`SchemeMap`), under a slot that keeps its file
  system alive, and `CopyCleanPath`: the plugin wants a null byte behind the path,
  so it is copied, 16 or 32 bytes at a time, and looked through on the way. That
  is what a path of 250 bytes costs more than one of 20.
- To open a file, one allocation, and two atomic changes of the number of the
  file system's owners, of which the file is one until it is closed.
- For a glob, the plugin's memory for each name (`malloc`, `free`), the results'
  own, and sorting."""


def count(program, arguments, name, function):
    """Instructions by function while `function` runs, in the same thread."""
    with tempfile.NamedTemporaryFile() as out:
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out.name}",
             f"--toggle-collect={function}", str(program),
             *map(str, arguments), f"--benchmark_filter=^{name}$"],
            text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            timeout=600)
        if done.returncode != 0:
            raise SystemExit(f"callgrind cannot count {name}: "
                             f"{done.stderr[-2000:]}")
        listing = subprocess.run(
            ["callgrind_annotate", "--auto=no", "--threshold=100", out.name], text=True,
            stdout=subprocess.PIPE, check=True, timeout=300).stdout
    found = {}
    for line in listing.splitlines():
        row = re.match(r"\s*([\d,]+) \([^)]*\)\s+(\S*?):(.+)$", line)
        if row and "=>" not in line:
            label = label_of(row.group(2), row.group(3))
            found[label] = (found.get(label, 0) +
                            int(row.group(1).replace(",", "")))
    return found


def label_of(file, function):
    """The source file, if it is fsload's; else the owner of the function."""
    for part, label in (("benchmark", "the benchmark's loop"), ("absl/", "abseil"),
                        ("/c++/", "the C++ library"),
                        ("intrin.h", "vector instructions")):
        if part in file:
            return label
    ours = re.search(r"/((?:compat|core|loader|testdata)/\S+)$", file)
    if ours:
        return ours.group(1)
    name = re.sub(r" \[.*\]$", "", function)
    if re.match(r"0x[0-9a-f]+$", name):
        return UNNAMED
    return "the C++ library" if "std::" in name else re.sub(r"[<(].*", "", name)


def table(found, calls=None):
    """Rows of a Markdown table, the largest first."""
    total = sum(found.values())
    unit = "instructions a call" if calls else "million instructions"
    divide = calls or 1e6
    lines = [f"| source | {unit} | share |", "|---|--:|--:|"]
    largest = sorted(((label, count) for label, count in found.items()
                      if count >= total / 500), key=lambda item: -item[1])
    for label, instructions in largest[:MOST]:
        lines.append(f"| `{label}` | {instructions / divide:.1f} | "
                     f"{instructions / total:.0%} |")
    rest = total - sum(instructions for _, instructions in largest[:MOST])
    lines.append(f"| others | {rest / divide:.1f} | {rest / total:.0%} |")
    lines.append(f"| all | {total / divide:.1f} | |")
    return lines


def text(calls, trees, plugins, folder):
    """The profiles of calls and a glob, as Markdown, and the number of
    instructions of each call, by benchmark name."""
    instructions = {}
    lines = ["## Where the time goes", "",
             "Instructions, as callgrind counts them, by the source file that they "
             "come from, or the function, where it is not fsload's: of a call "
             "through fsload, with the benchmark's loop and the plugin's empty "
             "function, and of a glob over a directory with 20,000 files.", ""]
    lines += [WHY, ""]
    for title, name, function in (
            ("Read of 64 bytes", "Read", "HostRead"),
            ("FileExists, a path of 20 bytes", "FileExists/20", "HostExists"),
            ("FileExists, a path of 250 bytes", "FileExists/250", "HostExists"),
            ("Stat, a path of 250 bytes", "Stat/250", "HostStat"),
            ("Open and close a file", "OpenAndClose", "HostOpenAndClose")):
        found = count(calls, [plugins / "null.so", CALLS],
                      f"fsload/{name}/iterations:.*/threads:1",
                      f"*{function}(benchmark::State&)")
        lines += [f"**{title}**", "", *table(found, CALLS + 1), ""]
        instructions[name] = sum(found.values()) / (CALLS + 1)
    found = count(
        trees, [plugins / "posix_leaves.so", "leaves", folder, 1, 20000, 1, 1],
        "fsload/Glob/all.*", "fsload::FileSystem::GetMatchingPaths*")
    lines += ["**Glob `*/*`**", "", *table(found), ""]
    return lines, instructions
