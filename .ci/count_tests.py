"""Counts the tests of a Bazel run by its build events.

    count_tests.py EVENTS.json

prints `PASSED FAILED`, then the label of each test that failed. A target counts
once. One that was to run and has no result, because it was not built or time
ran out, has failed; and so has one that passed only when it was run again.
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
        except ValueError:  # the last line of a run that was stopped
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
