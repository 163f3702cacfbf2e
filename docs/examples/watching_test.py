#!/usr/bin/python3
"""Runs the watching example on a plugin: watching_test.py EXAMPLE PLUGIN

What it prints is parsed by prometheus_client where that is installed, and
compared with the grammar of OpenMetrics 1.0 everywhere.
"""
import re
import subprocess
import sys

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*"'
NUMBER = r"[+-]?(?:\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|Inf|NaN)"
LINES = [rf"# TYPE {NAME} (?:counter|histogram)", rf"# UNIT {NAME} [a-z]+", rf"# HELP {NAME} .+",
         rf"{NAME}(?:\{{{LABEL}(?:,{LABEL})*\}})? {NUMBER}"]


def run(example, plugin, uri):
    return subprocess.run([example, plugin, uri], capture_output=True, text=True, timeout=60,
                          check=False)


def check(condition, what):
    if not condition:
        sys.exit(f"expected: {what}")


def main(example, plugin):
    ended = run(example, plugin, f"posix://{__file__}")
    check(ended.returncode == 0, f"exit code 0, found {ended}")
    first, _, text = ended.stdout.partition("\n")
    check(re.fullmatch(r"# 100 reads, half of them within \d+ ns, 99% within \d+ ns", first),
          f"percentiles of 100 reads, found {first}")

    lines = text.splitlines()
    check(lines.pop() == "# EOF", "# EOF at the end")
    for line in lines:
        check(any(re.fullmatch(each, line) for each in LINES), f"OpenMetrics, found {line!r}")
    check('fsload_calls_total{program="watching",op="RandomAccessFile.read",code="OK"} 100'
          in lines, "100 reads")
    try:
        from prometheus_client.openmetrics.parser import text_string_to_metric_families
    except ImportError:
        pass
    else:
        names = {family.name for family in text_string_to_metric_families(text)}
        check(names == {"fsload_calls", "fsload_moved_bytes", "fsload_call_duration_seconds",
                        "fsload_call_size_bytes"}, f"four families, found {names}")

    log = ended.stderr.splitlines()
    check(sum(line.startswith("op=RandomAccessFile.read ") for line in log) == 100,
          "a log line for each read")

    ended = run(example, plugin, "posix:///missing")
    check(ended.returncode == 1 and "NOT_FOUND" in ended.stderr, f"NOT_FOUND, found {ended}")
    check('op="Filesystem.new_random_access_file",code="NOT_FOUND"} 1' in ended.stdout,
          f"a call that failed, found {ended.stdout}")


if __name__ == "__main__":
    main(*sys.argv[1:])
