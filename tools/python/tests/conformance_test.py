"""fsload.conformance: in this run of pytest, and what it makes of a plugin that is wrong."""
import os
import subprocess
import sys
import textwrap
import xml.etree.ElementTree

import pytest

import fsload
from fsload.conformance import Suite, case_names, conformance_tests

MEMORY = os.environ["FSLOAD_MEMORY_PLUGIN"]

test_conformance = conformance_tests(MEMORY, root="memory://host/conformance", level=1)


def test_names_the_cases_of_a_level():
    assert "read.at-an-offset" in case_names(1)
    assert set(case_names(1)) < set(case_names(2)) < set(case_names(4))


def run(folder, text, *options):
    """{name of a test: "passed", "skipped" or the failure's text} of a file of tests."""
    (folder / "test_it.py").write_text(textwrap.dedent(text))
    subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider",
                    "--junit-xml=report.xml", *options], cwd=folder, capture_output=True,
                   timeout=120, check=False)
    results = {}
    for case in xml.etree.ElementTree.parse(folder / "report.xml").findall(".//testcase"):
        failure = case.find("failure")
        results[case.get("name")] = (failure.text if failure is not None else "skipped"
                                     if case.find("skipped") is not None else "passed")
    return results


def test_each_case_is_a_test(tmp_path):
    assert run(tmp_path, f"""
        from fsload.conformance import conformance_tests
        test_it = conformance_tests("posix", root="posix://{tmp_path}/root", level=1)
        """, "-k", "read.at-an-offset or read.short") == {
            "test_it[read.at-an-offset]": "passed",
            "test_it[read.short-only-at-the-end]": "passed"}


def test_a_root_that_cannot_be_used_fails_each_case(tmp_path):
    results = run(tmp_path, """
        from fsload.conformance import conformance_tests
        test_it = conformance_tests("posix", root="posix:///proc/nothing", level=1)
        """, "-k", "read.at-an-offset")
    assert "posix:///proc/nothing" in results["test_it[read.at-an-offset]"]


def test_an_expected_failure_that_passes_is_a_failure(tmp_path):
    (tmp_path / "expected.txt").write_text("read.at-an-offset@*  it was wrong once\n")
    results = run(tmp_path, f"""
        from fsload.conformance import conformance_tests
        test_it = conformance_tests("posix", root="posix://{tmp_path}/root", level=1,
                                    expected_failures="{tmp_path}/expected.txt")
        """, "-k", "read.at-an-offset")
    assert "unexpected_pass" in results["test_it[read.at-an-offset]"]
    assert 'read("file", offset 0, n 10)' in results["test_it[read.at-an-offset]"]


def test_what_is_skipped_is_skipped(tmp_path):
    assert run(tmp_path, f"""
        from fsload.conformance import conformance_tests
        test_it = conformance_tests("posix", root="posix://{tmp_path}/root", level=1,
                                    skip=["read.*"])
        """, "-k", "read.at-an-offset") == {"test_it[read.at-an-offset]": "skipped"}


def test_a_suite_runs_without_pytest(tmp_path):
    results = Suite("posix", f"posix://{tmp_path}/root").run(["rename.*"])
    assert {result.verdict for result in results} <= {"passed", "skipped"}
    assert all(result.name.startswith("rename.") for result in results)
    assert not os.path.exists(tmp_path / "root/fsload-conformance")


def test_a_root_that_is_not_empty_is_refused(tmp_path):
    (tmp_path / "mine").write_text("keep me")
    with pytest.raises(fsload.Error, match="posix://"):
        Suite("posix", f"posix://{tmp_path}").run()
    assert (tmp_path / "mine").read_text() == "keep me"
