"""Writes docs/benchmarks.md and its plot from measured figures."""

import os
import pathlib
import platform
import subprocess
from dataclasses import dataclass

import chapter
import measure
import plot

DOCS = pathlib.Path(__file__).resolve().parent.parent


@dataclass
class Results:
    """Name of a benchmark -> key -> measure.Figure."""
    calls: dict
    translating: dict
    threads: dict
    wrappers: dict
    watched: dict
    registry: dict
    paths: dict
    memory: dict
    disk: dict
    slow: dict
    streams: dict
    million: dict
    load: dict
    check: dict
    tensorflow: str


# The calls, their familiar names, and the goal: at most this many nanoseconds,
# in total or on top of the table's.
CALLS = [
    ("Read", "Read 64 B, an open file", 2, "table"),
    ("Append", "Append 64 B", 2, "table"),
    ("Tell", "Tell", 2, "table"),
    ("FileExists/20", "FileExists by URI, path of 20 B", 25, None),
    ("FileExists/250", "FileExists by URI, path of 250 B", 25, None),
    ("Stat/20", "Stat by URI, path of 20 B", 25, None),
    ("Stat/250", "Stat by URI, path of 250 B", 25, None),
    ("OpenAndClose", "Open and close a file", 40, None),
]

# The goal: how many times fsload's overhead TensorFlow's should be.
RATIOS = {"Read": 10, "Append": 10, "Tell": 10, "FileExists/20": 4,
          "FileExists/250": 4, "Stat/20": 4, "Stat/250": 4, "OpenAndClose": 3}

# Work on trees: the tool, what it does, and the goals as fractions of its time,
# on one processor and on all.
TREES = [
    ("Glob/all", "find", "glob `*/*`", 1.0, 0.6),
    ("Glob/some", "find", "glob `*/f1*`", 1.0, 0.6),
    ("Delete", "rm", "delete the tree", 1.2, 0.7),
    ("Copy", "cp", "copy a file", 1.3, 1.0),
    ("MakeDirectories", "mkdir", "create 50 nested directories", None, None),
]


def met(value, goal):
    return "" if goal is None else " ✓" if value <= goal else " ✗"


def first_line(*command):
    try:
        out = subprocess.run(command, stdout=subprocess.PIPE, text=True,
                             timeout=60, check=True).stdout
        return out.splitlines()[0]
    except (OSError, subprocess.SubprocessError, IndexError):
        return "unknown"


def machine(tensorflow):
    """The machine and the versions measured."""
    processor = "unknown"
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            processor = line.split(":", 1)[1].strip()
    memory = pathlib.Path("/proc/meminfo").read_text().split()[1]
    processors = len(os.sched_getaffinity(0))
    load = pathlib.Path("/proc/loadavg").read_text().split()[0]
    system = platform.freedesktop_os_release().get("PRETTY_NAME", "unknown")
    return [f"- {processors} processors, {processor}; "
            f"{int(memory) / 2**20:.0f} GiB of memory; load average "
            f"{load} at the end of the run",
            f"- {system}, Linux {platform.release()}, "
            f"{first_line('g++', '--version')}",
            f"- TensorFlow {tensorflow}, the CPU wheel of PyPI; "
            f"{first_line('find', '--version')}; "
            f"{first_line('cp', '--version')}"]


# Overheads below this, in ns, are lost in noise, and count as this.
LEAST = 0.2


def calls_table(calls):
    lines = ["| | the table, ns | fsload, ns | TensorFlow, ns | overhead of "
             "fsload, ns | overhead of TensorFlow / fsload | goal | allocations "
             "|", "|---|--:|--:|--:|--:|--:|--:|--:|"]
    for name, words, goal, base in CALLS:
        raw = calls[f"Raw/{name}"]["cpu_time"]
        ours, theirs = (calls[f"{host}/{name}"]
                        for host in ("fsload", "tensorflow"))
        overhead = ours["cpu_time"] - raw
        told = measure.Figure(max(LEAST, each) for each in overhead.values)
        ratio = (theirs["cpu_time"] - raw) / told
        of_goal = overhead if base else ours["cpu_time"]
        shown = f"table + {goal}" if base else f"≤ {goal}"
        wanted = RATIOS[name]
        mark = "✓" if ratio.median >= wanted else "✗"
        lines.append(
            f"| {words} | {raw.text()} | {ours['cpu_time'].text()} | "
            f"{theirs['cpu_time'].text()} | {overhead.text()} | "
            f"{ratio.text()}, wanted {wanted} {mark} | "
            f"{shown}{met(of_goal.median, goal)} | "
            f"{ours['allocations'].median:.0f}, TensorFlow "
            f"{theirs['allocations'].median:.0f} |")
    return lines


def translating_table(found):
    lines = ["| | fsload, ns | TensorFlow, ns |", "|---|--:|--:|"]
    for name, words, _, _ in CALLS[3:]:
        lines.append(f"| {words} | "
                     f"{found[f'fsload/{name}']['cpu_time'].text()} | "
                     f"{found[f'tensorflow/{name}']['cpu_time'].text()} |")
    return lines


def limits(results, instructions):
    """Goals that are missed, with the figures."""
    def of_call(name):
        return results.calls[f"fsload/{name}"]["cpu_time"].median

    def of_registry(name):
        return results.registry[name]["cpu_time"].median
    cycle = results.paths["Cycles/100"]["cpu_time"].median / 100
    lines = []
    for name, words, goal, base in CALLS:
        if base or of_call(name) <= goal:
            continue
        lines.append(f"- {words}: {of_call(name):.1f} ns.")
        if name == "OpenAndClose":
            lines[-1] += (
                " Its file system and path, one allocation and the two changes of "
                f"the number of owners take {of_registry('Opening'):.1f} with "
                "nothing around them, and the plugin "
                f"{results.calls[f'Raw/{name}']['cpu_time'].median:.1f}.")
        elif name in instructions:
            cycles = of_call(name) / cycle
            lines[-1] += (
                f" {instructions[name]:.0f} instructions in {cycles:.0f} cycles (of "
                f"{cycle:.2f} ns): {instructions[name] / cycles:.1f} a cycle.")
    return [*lines, ""] if lines else []


def threads_table(calls):
    lines = ["| | the table | fsload | fsload / the table | TensorFlow |",
             "|---|--:|--:|--:|--:|"]
    for name, words in (("Read", "Read, one file"),
                        ("FileExists/20", "FileExists, one scheme"),
                        ("Stat/20", "Stat, one scheme")):
        def gain(host, name=name):
            return (calls[f"{host}/{name}"]["real_time"] /
                    calls[f"{host}/{name}/threads:2"]["real_time"])
        share = gain("fsload") / gain("Raw")
        mark = "✓" if share.median >= 0.97 else "✗"
        lines.append(f"| {words} | {gain('Raw').text(2)} | "
                     f"{gain('fsload').text(2)} | {share.text(3)}, wanted 0.97 "
                     f"{mark} | {gain('tensorflow').text(2)} |")
    return lines


def wrappers_table(found):
    lines = ["| wrapper | Read, ns | Stat, ns |", "|---|--:|--:|"]
    for name in [name.split("/", 1)[1] for name in found if name.startswith("Read/")]:
        read, stat = (found[f"{call}/{name}"]["cpu_time"].text()
                      for call in ("Read", "Stat"))
        lines.append(f"| {name} | {read} | {stat} |")
    return lines


def watched_table(found):
    lines = ["| | one thread, ns | two threads on one file, ns | allocations |",
             "|---|--:|--:|--:|"]
    for name, words in (("Read", "no observer"),
                        ("Read/observer", "an observer that does nothing"),
                        ("Read/histogram/1", "`CallHistogram`, one set of counters"),
                        ("Read/histogram/4", "`CallHistogram`, four, as by default")):
        one, two = found[name], found[f"{name}/threads:2"]
        lines.append(f"| {words} | {one['cpu_time'].text()} | {two['cpu_time'].text()} | "
                     f"{one['allocations'].median:.0f} |")
    return lines


def tree_table(found, has_goals):
    lines = ["| | tool, ms | fsload on one processor / tool | fsload / tool | "
             "TensorFlow / tool |", "|---|--:|--:|--:|--:|"]
    for name, tool, words, one_goal, goal in TREES:
        if not has_goals:
            one_goal = goal = None
        base = found[f"{tool}/{name}"]["real_time"]
        one, ours, theirs = (found[f"{host}/{name}"]["real_time"] / base
                             for host in ("fsload/one_cpu", "fsload",
                                          "tensorflow"))
        wanted = "" if goal is None else f", wanted {goal}"
        one_wanted = "" if goal is None else f", wanted {one_goal}"
        lines.append(
            f"| {words} (`{tool}`) | {base.text()} | {one.text(2)}{one_wanted}"
            f"{met(one.median, one_goal)} | {ours.text(2)}{wanted}"
            f"{met(ours.median, goal)} | {theirs.text(2)} |")
    return lines


def slow_table(found):
    lines = ["| | fsload, ms | TensorFlow, ms | gain |", "|---|--:|--:|--:|"]
    for name, _, words, _, _ in TREES:
        ours, theirs = (found[f"{host}/{name}"]["real_time"]
                        for host in ("fsload", "tensorflow"))
        lines.append(f"| {words} | {ours.text(0)} | {theirs.text(0)} | "
                     f"{(theirs / ours).median:.1f} |")
    return lines


# Ways to read or write a file in order: the benchmark and what it does.
STREAMS = [
    ("read/blocks", "`RandomAccessFile::Read` of 1 MiB each"),
    ("fsload/blocks", "`BufferedReader::ReadBlock`"),
    ("read/lines", "the same reads, split into lines by hand"),
    ("fsload/lines", "`BufferedReader::ReadLine`"),
    ("fsload/lines_not_ahead", "the same without reading ahead"),
    ("istream/lines", "`std::getline` of an `InputFileStream`"),
    ("ifstream/lines", "`std::getline` of a `std::ifstream`, without a plugin"),
    ("append/lines", "`WritableFile::Append` of each line"),
    ("fsload/append_lines", "`BufferedWriter::Append` of each line"),
]


def streams_table(found):
    lines = ["| | MB/s | million lines/s |", "|---|--:|--:|"]
    for name, words in STREAMS:
        of_name = found[name]
        seconds = of_name["real_time"].median / 1000
        count = of_name["lines"].median / seconds / 1e6
        lines.append(f"| {words} | {of_name['bytes'].median / seconds / 1e6:.0f} | "
                     f"{f'{count:.1f}' if count else ''} |")
    return lines


def ranges_table(found):
    lines = ["| 1,000 ranges of 100 bytes | one by one, ms | `ReadRanges`, ms | gain |",
             "|---|--:|--:|--:|"]
    for apart, words in ((65637, "more than 64 KiB apart"), (1000, "900 bytes apart")):
        one, ours = (found[f"{host}/ranges/{apart}"]["real_time"]
                     for host in ("read", "fsload"))
        lines.append(f"| {words} | {one.text(0)} | {ours.text(0)} | "
                     f"{(one / ours).median:.0f} |")
    return lines


def load_table(found):
    lines = ["| | dlopen and TF_InitPlugin | fsload | more by | goal | the copy "
             "alone | memory of dlopen | of fsload |",
             "|---|--:|--:|--:|--:|--:|--:|--:|"]
    for size, words, goal in (("0", "a plugin of 15 KB", 0.2),
                              ("39579232", "a plugin of 39.6 MB", 15)):
        bare, copy, ours = (found[f"{host}/Load/bytes:{size}"]
                            for host in ("dlopen", "copy", "fsload"))
        more = ours["real_time"] - bare["real_time"]
        more = measure.Figure(each / 1000 for each in more.values)
        lines.append(
            f"| {words} | {bare['real_time'].text(0)} µs | "
            f"{ours['real_time'].text(0)} µs | {more.text(2)} ms | "
            f"≤ {goal} ms{met(more.median, goal)} | {copy['real_time'].median / 1000:.2f} ms | "
            f"{bare['resident_KiB'].median:.0f} KiB | "
            f"{ours['resident_KiB'].median:.0f} KiB |")
    return lines


def upload_table():
    """The rows about uploads of docs/requests.md."""
    lines = (DOCS / "requests.md").read_text().splitlines()
    single = lines.index("## One object")
    many = lines.index("## A directory of 1,000 objects")
    rows = [line for line in lines[single:many] if line.startswith("| upload")]
    rows += [line.replace("| ", "| 1,000: ", 1) for line in lines[many:]
             if line.startswith("| upload new") or line.startswith("| upload over")]
    return [*(line for line in lines[single:many] if line.startswith(("| |", "|---"))), *rows]


def isolation_tables():
    """The tables of docs/isolation.md."""
    lines = (DOCS / "isolation.md").read_text().splitlines()
    begin = lines.index("## What it costs")
    end = lines.index("## What it protects against")
    tables = []
    for line in lines[begin:end]:
        if line.startswith("|"):
            tables.append(line)
        elif tables and tables[-1]:
            tables.append("")
    return tables


def small_table(found):
    lines = ["| | ns |", "|---|--:|"]
    for name, keys in found.items():
        if name.startswith("Cycles"):
            continue
        lines.append(f"| {name} | {keys['cpu_time'].text()} |")
    return lines


def text(results, profile, instructions):
    calls = results.calls
    files = {host: calls[f"{host}/OpenFiles"]["bytes"].median
             for host in ("fsload", "tensorflow")}
    million = {host: results.million[f"{host}/Glob/all"]
               for host in ("fsload", "tensorflow")}
    check = results.check["Check/bundled"]["real_time"]
    page = [
        "# Benchmarks", "",
        "Written by `docs/benchmarks/tensorflow/run`, which measures everything in one "
        "run, alternating between fsload and what it is compared with. Each round "
        "counts its fastest repetition; figures are the median of the rounds, with "
        "the minimum and maximum in brackets. Absolute times depend on this machine; "
        "compare the ratios. ✓ and ✗ show whether a goal is met.", "",
        *machine(results.tensorflow), "",
        "![What a call costs](benchmarks.svg)", "",
        "## Calls", "",
        "Calls to a plugin that does nothing (`testdata/null.cc`): directly through "
        "its table, through fsload, and through TensorFlow's `Env`. Overhead is the "
        "time beyond that of the table.", "",
        *calls_table(calls), "",
        f"An overhead below {LEAST} ns cannot be distinguished from zero, and counts "
        f"as {LEAST} ns.", "",
        *limits(results, instructions),
        "Reading at the end of a file allocates nothing either "
        "(`core/files/random_access_file_test.cc`).", "",
        "Of the same plugin with a `translate_name`, which copies the path into "
        "memory of its own:", "",
        *translating_table(results.translating), "",
        "## Threads", "",
        "Throughput of two threads relative to one: 2.00 means that they do not slow "
        "each other down.", "",
        *threads_table(results.threads), "",
        "## Wrappers", "",
        "Read of 64 bytes, and Stat of a path of 20 by a method of `FileSystem`, of the "
        "plugin that does nothing, through each wrapper ([wrappers.md](wrappers.md)).", "",
        *wrappers_table(results.wrappers), "",
        "## Observers", "",
        "A read of 64 bytes from the same plugin, watched and not. An observer takes the "
        "time of the clock twice, and the path out of line.", "",
        *watched_table(results.watched), "",
        "## Trees and files", "",
        "Through a plugin of the leaf operations "
        "(`testdata/posix`, POSIX_LEAVES), so that globs, deletions, copies and "
        "directory paths are done by the host. The tools use one processor; "
        "fsload was bound to one, too, and then not. In memory (tmpfs): 100 "
        "directories of 1,000 files, a file of 1 GiB.", "",
        *tree_table(results.memory, has_goals=True), "",
        "On disk: 20 directories of 1,000 files, a file of 256 MiB.", "",
        *tree_table(results.disk, has_goals=False), "",
        "Where each operation takes 5 ms (`testdata/posix`, POSIX_SLOW): 8 "
        "directories of 8 files, a file of 16 MiB. This shows the gain from "
        "parallel, and fewer, requests: `recursively_create_dir` takes 60 calls for "
        "50 directories of which none exists, 7 where three are missing and 1 where "
        "none is (`core/defaults/recursively_create_dir_test.cc`).", "",
        *slow_table(results.slow), "",
        "## Streams and ranges", "",
        "A file of 64 MiB in memory (tmpfs) with lines of 60 bytes, through the "
        "posix plugin (`loader/contract/stream_benchmark.cc`):", "",
        *streams_table(results.streams), "",
        "Where each read takes 5 ms:", "",
        *ranges_table(results.streams), "",
        "## Stores", "",
        "On a store a command takes as long as its requests, which "
        "[requests.md](requests.md) counts for each; [peers.md](peers.md) has times, "
        "beside other tools. Small uploads through the s3 plugin:", "",
        *upload_table(), "",
        "The plugin's own upload is the PUT. What it adds is in the questions: its `stat` "
        "is a HEAD and a LIST, and the `get_children` that confirms a \"not found\" another "
        "LIST. The GET is fsload's check of the object afterwards.", "",
        "## Loading", "",
        "A plugin is loaded from a sealed copy in memory. Making the copy is most of the "
        "cost of loading a large plugin, and the copy stays until the process ends: it "
        "takes as much memory as the file, in addition to what the table shows. "
        "TensorFlow loads with dlopen. Copying is mostly page allocation, which takes "
        "equally long however it is done (`loader/trust/private_copy.cc`).", "",
        *load_table(results.load), "",
        f"`fsload --check` of the bundled plugin takes {check.text()} ms.", "",
        "## Plugins in processes of their own", "",
        "Beside the same plugins in process, in one run; [isolation.md](isolation.md#what-it-costs) "
        "says how they were measured.", "",
        *isolation_tables(),
        "## Memory", "",
        f"An open file takes {files['fsload']:.0f} bytes, its URI of 31 "
        "characters among them; in TensorFlow "
        f"{files['tensorflow']:.0f}. A glob of 1,000,000 entries takes "
        f"{million['fsload']['peak_MiB'].median:.0f} MiB at its peak, its "
        "results included, and "
        f"{million['fsload']['real_time'].median:.0f} ms; in TensorFlow "
        f"{million['tensorflow']['peak_MiB'].median:.0f} MiB and "
        f"{million['tensorflow']['real_time'].median:.0f} ms.", "",
        "## Registry, URIs and paths", "",
        "Looking up one of 1, 8 or 64 schemes, from one or two threads; adding and "
        "removing an owner of a file system; allocating an open file:", "",
        *small_table(results.registry), "",
        "For paths of 20 and 250 bytes (`CopyCleanPath` is what calls by URI "
        "begin with, the others are for paths that are not clean):", "",
        *small_table(results.paths), "",
        *profile]
    glob = results.memory["fsload/one_cpu/Glob/all"]
    page += [
        f"Of the {glob['real_time'].median:.1f} ms of the glob over 100,000 "
        "entries in memory, on one processor, "
        f"{glob['system_ms'].median:.1f} are spent in the kernel, where the "
        "plugin lists directories, and "
        f"{glob['user_ms'].median:.1f} in the plugin and in fsload.", ""]
    return "\n".join(page)


def write(folder, results, profile, instructions):
    page = folder / "benchmarks.md"
    page.write_text(chapter.keep(text(results, profile, instructions), page.read_text()))
    bars = []
    for name, words, _, _ in CALLS:
        bars.append((words, [results.calls[f"{host}/{name}"]["cpu_time"].median
                             for host in ("Raw", "fsload", "tensorflow")]))
    (folder / "benchmarks.svg").write_text(plot.bars(
        "What a call costs, ns", ["the plugin's table", "fsload", "TensorFlow"],
        bars))
