#!/usr/bin/env python3
"""Runs count_tests.py on the events of a run with each kind of test.

Usage: count_tests_test.py COUNT_TESTS
"""

import json
import os
import subprocess
import sys
import tempfile


def configured(label):
    return {"id": {"targetConfigured": {"label": label}},
            "configured": {"testSize": "MEDIUM"}}


def summary(label, status):
    return {"id": {"testSummary": {"label": label}},
            "testSummary": {"overallStatus": status}}


EVENTS = [
    {"id": {"targetConfigured": {"label": "//core:uri"}}, "configured": {}},
    configured("//core:uri_test"), summary("//core:uri_test", "PASSED"),
    configured("//core:flaky_test"), summary("//core:flaky_test", "FLAKY"),
    configured("//core:bad_test"), summary("//core:bad_test", "FAILED"),
    configured("//core:slow_test"), summary("//core:slow_test", "TIMEOUT"),
    configured("//core:unbuilt_test"),
]

WANTED = """1 4
//core:bad_test FAILED
//core:flaky_test FLAKY
//core:slow_test TIMEOUT
//core:unbuilt_test NO_STATUS
"""


def main(count_tests):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "events.json")
        with open(path, "w", encoding="utf-8") as file:
            for event in EVENTS:
                file.write(json.dumps(event) + "\n")
            file.write('{"id": {"testSum')  # a run that was stopped
        found = subprocess.run([sys.executable, count_tests, path], check=True,
                               capture_output=True, text=True).stdout
    if found == WANTED:
        return 0
    print(f"expected\n{WANTED}found\n{found}")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
