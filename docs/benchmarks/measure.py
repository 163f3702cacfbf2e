"""Runs benchmarks and parses their figures.

Figures combine several rounds, in which the compared programs take turns. A
round contributes its fastest repetition, as other load on the machine only
adds time, and for anything but time the median; the rounds contribute the
median and the extremes.
"""

import json
import re
import statistics
import subprocess
from collections import defaultdict


TIMES = ("real_time", "cpu_time", "user_ms", "system_ms")


class Figure:
    """One value of each round."""

    def __init__(self, values):
        self.values = list(values)

    @property
    def median(self):
        return statistics.median(self.values)

    def combine(self, other, function):
        return Figure(function(a, b)
                      for a, b in zip(self.values, other.values))

    def __add__(self, other):
        return self.combine(other, lambda a, b: a + b)

    def __sub__(self, other):
        return self.combine(other, lambda a, b: a - b)

    def __truediv__(self, other):
        return self.combine(other, lambda a, b: a / b)

    def text(self, digits=1):
        """The median, and the extremes if there are several rounds."""
        if len(self.values) == 1:
            return f"{self.median:.{digits}f}"
        return (f"{self.median:.{digits}f} ({min(self.values):.{digits}f}–"
                f"{max(self.values):.{digits}f})")


def run(command, repetitions, min_time=None, only=None, deadline=900):
    """The repetitions of each benchmark of a program: name -> list of dicts."""
    flags = ["--benchmark_format=json",
             f"--benchmark_repetitions={repetitions}",
             "--benchmark_enable_random_interleaving=true"]
    if min_time is not None:
        flags.append(f"--benchmark_min_time={min_time}")
    if only is not None:
        flags.append(f"--benchmark_filter={only}")
    done = subprocess.run([*map(str, command), *flags], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=deadline)
    if done.returncode != 0 or not done.stdout:
        raise SystemExit(f"{command[0]} failed with exit code "
                         f"{done.returncode}: {done.stderr[-2000:]}")
    found = defaultdict(list)
    for each in json.loads(done.stdout)["benchmarks"]:
        if each["run_type"] != "iteration":
            continue
        if each.get("error_occurred"):
            raise SystemExit(f"{each['name']}: {each['error_message']}")
        # Iterations, repetitions and the clock are not part of a benchmark's
        # name.
        name = re.sub(r"/(iterations|repeats):\d+|/(manual|real)_time|/threads:1$",
                      "", each["run_name"])
        found[name].append(each)
    return found


def rounds(programs, count, **options):
    """Runs `programs`, pairs of a command and a filter, in turn, `count` times.

    Yields name -> key -> Figure, for the keys "cpu_time", "real_time" (in
    the benchmark's unit) and each counter.
    """
    values = defaultdict(lambda: defaultdict(list))
    for _ in range(count):
        for command, only in programs:
            for name, repetitions in run(command, only=only, **options).items():
                quickest = min(repetitions, key=lambda each: each["real_time"])
                for key, value in quickest.items():
                    if isinstance(value, (int, float)):
                        values[name][key].append(
                            value if key in TIMES else statistics.median(
                                each[key] for each in repetitions))
    return {name: {key: Figure(of_key) for key, of_key in keys.items()}
            for name, keys in sorted(values.items())}
