"""Counts the tests of a Bazel run from its build events.

    count_tests.py EVENTS.json

prints `PASSED FAILED`, then the label of each failed test. A target counts
once. One without a result, because it was not built or time ran out, has
failed; so has one that passed only on a rerun.
"""
import json
import os
import sys


def count(lines):
    """The status of each test target: {label: status}."""
    statuses = {}
    for line in lines:
        try:
            event = json.loads(line)
        except ValueError:  # the last line of an interrupted run
            continue
        identity = event["id"]
        if "testSize" in event.get("configured", {}):
            label = identity["targetConfigured"]["label"]
            statuses.setdefault(label, "NO_STATUS")
        if "testSummary" in event:
            label = identity["testSummary"]["label"]
            statuses[label] = event["testSummary"].get("overallStatus")
    return statuses


def main():
    path = sys.argv[1]
    statuses = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as events:
            statuses = count(events)
    failed = sorted(f"{label} {status}" for label, status in statuses.items()
                    if status != "PASSED")
    print(len(statuses) - len(failed), len(failed))
    for name in failed:
        print(name)


if __name__ == "__main__":
    main()
