#!/usr/bin/python3
"""Checks the report formats of `fsload check` and `fsload inspect`.

The arguments are the command and docs/check.schema.json; plugins are in
testdata/.
"""

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
import unittest
import xml.etree.ElementTree as ElementTree

from command import FSLOAD
import jsonschema
import junitparser

with open(sys.argv[2], encoding="utf-8") as schema_file:
    SCHEMA = json.load(schema_file)

# Variables that affect the style.
STYLE = ("COLUMNS", "NO_COLOR", "TERM")


def environment(**more):
    kept = {k: v for k, v in os.environ.items() if k not in STYLE}
    return {**kept, **more}


def run(*arguments, **more):
    """(exit code, standard output, standard error); the last two are bytes"""
    ended = subprocess.run([FSLOAD, *arguments], capture_output=True, check=False,
                           env=environment(**more))
    return ended.returncode, ended.stdout, ended.stderr


def run_on_terminal(columns, *arguments, **more):
    """(exit code, what the terminal received)"""
    try:
        ours, theirs = pty.openpty()
    except OSError as error:  # no /dev/pts
        raise unittest.SkipTest(f"no pseudo terminal: {error}") from error
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    with subprocess.Popen([FSLOAD, *arguments], stdout=theirs, stderr=subprocess.PIPE,
                          env=environment(**more)) as process:
        os.close(theirs)
        got = b""
        try:
            while chunk := os.read(ours, 1 << 16):
                got += chunk
        except OSError:  # EIO: no process has the terminal open
            pass
        os.close(ours)
        return process.wait(), got.decode().replace("\r\n", "\n")


def plugin(name):
    return f"testdata/{name}.so"


HERE = "--no-isolation"  # confinement has its own tests


def without_confinement(text):
    """`text` without the line that says that the plugin was not confined."""
    return re.sub(r"  confined     not\sat all:\s+it\s+ran\s+in\s+this\s+process\n", "", text)


def json_with_confinement_of(*arguments):
    """(exit code, the document), which the schema accepts"""
    code, out, err = run(*arguments, "--format=json")
    document = json.loads(out)
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    out.decode("ascii")
    return code, document, err


def json_of(command, *arguments):
    """The same, without isolation and the remark about it"""
    here = [HERE] if command == "--check" else []
    code, document, err = json_with_confinement_of(command, *here, *arguments)
    for checked in document["plugins"]:
        del checked["confinement"], checked["printed"], checked["printed_more"]
    return code, document, err


class Text(unittest.TestCase):
    ESCAPE = re.compile("\x1b\\[[0-9;]*m")

    def test_goes_to_files_without_colours_in_whole_lines(self):
        expected = (
            "testdata/broken_no_entry.so: refused\n"
            "  error FSP009: it does not export TF_InitPlugin, so it is not a "
            "filesystem plugin\n")
        for more in {}, {"COLUMNS": "40"}:
            code, out, err = run("--check", HERE, plugin("broken_no_entry"), **more)
            self.assertEqual((code, without_confinement(out.decode()), err), (1, expected, b""))

    def test_is_coloured_and_wrapped_on_a_terminal(self):
        code, got = run_on_terminal(40, "--check", HERE, plugin("broken_no_entry"), TERM="xterm")
        self.assertEqual((code, without_confinement(got)), (
            1,
            "testdata/broken_no_entry.so: \x1b[1;31mrefused\x1b[0m\n"
            "  \x1b[1;31merror\x1b[0m FSP009: it does not export\n"
            "      TF_InitPlugin, so it is not a\n"
            "      filesystem plugin\n"))

    def test_has_a_colour_for_each_verdict_and_severity(self):
        for name, verdict, severity in [
                ("broken_no_entry", "\x1b[1;31mrefused", "\x1b[1;31merror"),
                ("broken_newer_api", "\x1b[1;32mverified", "\x1b[1;33mwarning"),
                ("broken_larger_size", "\x1b[1;32mverified", "\x1b[1;36mnote")]:
            with self.subTest(name):
                _, got = run_on_terminal(80, "--check", plugin(name))
                lines = got.splitlines()
                self.assertTrue(lines[0].endswith(f": {verdict}\x1b[0m"), lines[0])
                self.assertTrue(lines[1].startswith(f"  {severity}\x1b[0m FSP"), lines[1])

    def test_is_as_wide_as_the_terminal_or_columns_say(self):
        for columns, more, most in [(60, {}, 60), (60, {"COLUMNS": "50"}, 50),
                                    (60, {"COLUMNS": "50x"}, 60), (60, {"COLUMNS": "3"}, 60),
                                    (0, {}, 80), (200, {}, 200)]:
            with self.subTest(columns=columns, **more):
                _, got = run_on_terminal(columns, "--check", plugin("broken_newer_api"), **more)
                findings = self.ESCAPE.sub("", got).split("\n  confined ")[0].splitlines()[1:]
                self.assertLessEqual(max(map(len, findings)), most)
                self.assertEqual(" ".join(line.strip() for line in findings),
                                 "warning FSP116: scheme 'broken': "
                                 "TF_FilesystemOps: wanted API 0, found 99; some operations may "
                                 "behave differently")
                # No line is shorter than it must be.
                for line, following in zip(findings, findings[1:]):
                    self.assertGreater(len(line) + 1 + len(following.split()[0]), most)

    def test_has_no_colours_where_nobody_wants_them(self):
        plain = run("--check", plugin("broken_newer_api"))[1].decode()
        for more in {"NO_COLOR": "1"}, {"TERM": "dumb"}:
            self.assertEqual(run_on_terminal(200, "--check", plugin("broken_newer_api"), **more)[1]
                             .count("\x1b"), 0)
        # An empty NO_COLOR has no effect.
        _, coloured = run_on_terminal(500, "--check", plugin("broken_newer_api"), NO_COLOR="")
        self.assertGreater(coloured.count("\x1b"), 0)
        self.assertEqual(self.ESCAPE.sub("", coloured).splitlines()[:2], plain.splitlines()[:2])

    def test_of_inspect_is_wrapped_too(self):
        code, got = run_on_terminal(60, "inspect", plugin("minimal"))
        self.assertEqual(code, 0)
        self.assertIn("""
    present       16  init cleanup new_random_access_file
                      new_writable_file create_dir
                      delete_file delete_dir path_exists
                      stat get_children
                      random_access_file.cleanup
                      random_access_file.read
                      writable_file.cleanup
                      writable_file.append
                      writable_file.tell writable_file.close
""", got)

    def test_escapes_control_bytes(self):
        path = b"/no/\x1b[2J\x9b\xff\xc2\x9b\n.so"
        shown = b"/no/\\x1b[2J\\x9b\\xff\\x9b\\x0a.so"
        code, out, err = run("--check", HERE, path)
        self.assertEqual((code, without_confinement(out.decode()).encode(), err), (
            1,
            shown + b": refused\n"
            b"  error FSP001: cannot be read: No such file or directory\n",
            b""))
        # The report comes from another process as JSON, which is UTF-8.
        said = b"/no/\\x1b[2J\xef\xbf\xbd\xef\xbf\xbd\\x9b\\x0a.so"
        self.assertEqual(run("inspect", path), (
            1, shown + b"\n",
            b"fsload: NOT_FOUND: " + said +
            b": FSP001: cannot be read: No such file or directory\n"))


class Json(unittest.TestCase):
    maxDiff = None

    def test_has_all_of_a_refused_plugin(self):
        code, document, err = json_of("--check", plugin("broken_no_entry"))
        self.assertEqual((code, err), (1, b""))
        message = ("it does not export TF_InitPlugin, so it is not a filesystem plugin")
        self.assertEqual(document, {
            "schema_version": 1,
            "verdict": "refused",
            "plugins": [{
                "plugin": plugin("broken_no_entry"),
                "known_as": "",
                "verdict": "refused",
                "status": {
                    "code": 9,
                    "name": "FAILED_PRECONDITION",
                    "message": f"{plugin('broken_no_entry')}: FSP009: {message}"},
                "loaded_before": False,
                "findings": [{
                    "rule": "FSP009",
                    "severity": "must",
                    "title": "the plugin exports TF_InitPlugin",
                    "clause": "L1119",
                    "message": message,
                    "repair": "Declare it extern \"C\" with default visibility, and keep it out "
                              "of the local: section of a version script; other shared objects "
                              "in a wheel are not plugins."}],
                "schemes": [],
                "sealing": None,
                "imports": [],
                "status_provider": "", "stubs": [], "summary": "refused"}]})

    def test_has_all_of_a_verified_plugin(self):
        code, document, err = json_of("--check", plugin("broken_newer_api"))
        self.assertEqual((code, err, document["verdict"]), (0, b"", "verified"))
        checked = document["plugins"][0]
        self.assertIn(checked.pop("sealing"), ["sealed_mapping", "sealed_file", "protected"])
        for list_of_ops in "default", "unavailable":
            self.assertGreater(len(checked["schemes"][0].pop(list_of_ops)), 8)
        self.assertEqual(checked, {
            "plugin": plugin("broken_newer_api"),
            "known_as": "",
            "verdict": "verified",
            "status": {"code": 0, "name": "OK", "message": ""},
            "loaded_before": False,
            "findings": [{
                "rule": "FSP116",
                "severity": "should",
                "title": "the table's API number is the host's",
                "clause": "L943-L952",
                "scheme": "broken",
                "table": "filesystem",
                "message": "TF_FilesystemOps: wanted API 0, found 99; some operations may "
                           "behave differently",
                "wanted": 0,
                "found": 99,
                "repair": "Build the plugin against the interface that this host has."}],
            "schemes": [{
                "scheme": "broken",
                "registered": True,
                "tensorflow": "2.5 and later",
                "tables": {
                    "filesystem": {"present": True, "bytes": 264, "abi": 0, "api": 99},
                    "random_access_file": {"present": True, "bytes": 16, "abi": 0, "api": 0},
                    "writable_file": {"present": True, "bytes": 48, "abi": 0, "api": 0},
                    "read_only_memory_region": {"present": True, "bytes": 24, "abi": 0, "api": 0}},
                "present": [
                    "filesystem.init", "filesystem.cleanup", "filesystem.new_random_access_file",
                    "filesystem.new_writable_file",
                    "filesystem.new_read_only_memory_region_from_file", "filesystem.path_exists",
                    "random_access_file.cleanup", "random_access_file.read",
                    "writable_file.cleanup", "writable_file.append", "writable_file.tell",
                    "writable_file.flush", "writable_file.sync", "writable_file.close",
                    "read_only_memory_region.cleanup", "read_only_memory_region.data",
                    "read_only_memory_region.length"],
                "disabled": ["filesystem.new_appendable_file"]}],
            "imports": ["TF_SetStatus"],
            "status_provider": "fsload", "stubs": [], "summary": "verified"})

    def test_names_scheme_table_and_operation_where_they_are_known(self):
        def places(name):
            findings = json_of("--check", plugin(name))[1]["plugins"][0]["findings"]
            return [tuple(finding.get(key) for key in ("rule", "scheme", "table", "op"))
                    for finding in findings]

        for name, expected in [
                ("broken_no_schemes", [("FSP102", None, None, None)]),
                ("broken_bad_scheme", [("FSP106", "no good", None, None)]),
                ("broken_null_filesystem_ops", [("FSP109", "broken", "filesystem", None)]),
                ("broken_table_without_size", [("FSP114", "broken", "writable_file", None)]),
                ("broken_op_not_code",
                 [("FSP117", "broken", "filesystem", "filesystem.path_exists")]),
                ("broken_missing_raf_cleanup",
                 [("FSP118", "broken", "random_access_file", "random_access_file.cleanup")]),
                ("broken_missing_writable_table",
                 [("FSP119", "broken", "writable_file", "filesystem.new_writable_file"),
                  ("FSP119", "broken", "writable_file", "filesystem.new_appendable_file")]),
                ("broken_init_fails", [("FSP201", "broken", "filesystem", "filesystem.init")])]:
            with self.subTest(name):
                self.assertEqual(places(name), expected)

    def test_is_one_document_for_all_plugins(self):
        named = [plugin("minimal"), plugin("broken_wrong_abi"), "/no/such.so", plugin("memory")]
        code, document, _ = json_of("--check", *named)
        self.assertEqual((code, document["verdict"]), (1, "refused"))
        self.assertEqual(
            [(each["plugin"], each["verdict"]) for each in document["plugins"]],
            list(zip(named, ["verified", "refused", "refused", "verified"])))

    def test_is_there_for_the_bundled_plugin(self):
        code, document, err = json_of("--check")
        self.assertEqual((code, err), (0, b""))
        self.assertEqual([(each["plugin"], [scheme["scheme"] for scheme in each["schemes"]])
                          for each in document["plugins"]],
                         [("the bundled posix plugin", ["posix", ""])])

    def test_says_how_the_plugin_was_confined_and_what_it_printed(self):
        code, document, err = json_with_confinement_of("--check", plugin("broken_prints"))
        self.assertEqual((code, err), (0, b""))
        checked = document["plugins"][0]
        self.assertIn("no new privileges", checked["confinement"])
        self.assertIn("printed", checked["printed"])
        self.assertFalse(checked["printed_more"])

    def test_has_a_verdict_of_its_own_where_there_was_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            code, document, err = json_of("--check", folder)
        self.assertEqual((code, err), (3, b""))
        self.assertEqual((document["verdict"], document["plugins"]), ("nothing_verified", []))

    def test_of_inspect_is_the_same(self):
        for name in "minimal", "broken_no_entry":
            code, checked, _ = json_of("--check", plugin(name))
            self.assertEqual(json_of("inspect", plugin(name))[:2], (code, checked))

    def test_stands_alone_though_a_plugin_prints(self):
        code, document, _ = json_of("--check", plugin("broken_prints"))
        self.assertEqual((code, document["verdict"]), (0, "verified"))
        self.assertEqual(json_of("inspect", plugin("broken_prints"))[1], document)

    def test_replaces_what_is_no_utf8(self):
        code, document, err = json_of("--check", b"/no/\x1b\xff\xc2\x9b\"\\.so")
        self.assertEqual((code, err), (1, b""))
        path = "/no/\x1b\ufffd\x9b\"\\.so"
        self.assertEqual(document["plugins"][0]["plugin"], path)
        self.assertEqual(document["plugins"][0]["findings"][0]["message"],
                         "cannot be read: No such file or directory")

    def test_schema_has_no_room_for_mistakes(self):
        _, document, _ = json_with_confinement_of("--check", plugin("broken_newer_api"))
        validator = jsonschema.Draft202012Validator(SCHEMA)
        finding = document["plugins"][0]["findings"][0]
        for key, value in [("rule", "107"), ("severity", "error"), ("op", "stat"), ("other", 1)]:
            with self.subTest(key):
                kept = dict(finding)
                finding[key] = value
                self.assertFalse(validator.is_valid(document))
                finding.clear()
                finding.update(kept)
        self.assertTrue(validator.is_valid(document))


class Junit(unittest.TestCase):
    maxDiff = None

    def parse(self, *arguments):
        """(exit code, the suites)"""
        code, out, err = run("--check", HERE, "--format=junit", *arguments)
        self.assertEqual(err, b"")
        with tempfile.NamedTemporaryFile(suffix=".xml") as file:
            file.write(out)
            file.flush()
            suites = junitparser.JUnitXml.fromfile(file.name)
        # Its counts equal its contents.
        said = [(suite.tests, suite.failures, suite.errors) for suite in suites]
        total = (suites.tests, suites.failures, suites.errors)
        suites.update_statistics()
        self.assertEqual(said, [(suite.tests, suite.failures, suite.errors) for suite in suites])
        self.assertEqual(total, (suites.tests, suites.failures, suites.errors))
        return code, suites

    def test_is_this(self):
        code, out, err = run("--check", "--format=junit", plugin("broken_no_entry"),
                             plugin("broken_newer_api"))
        self.assertEqual((code, err), (1, b""))
        self.assertEqual(out.decode(), """\
<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="fsload check" tests="3" failures="1" errors="0">
  <testsuite name="testdata/broken_no_entry.so" tests="1" failures="1" errors="0">
    <testcase classname="testdata/broken_no_entry.so" name="FSP009 the plugin exports TF_InitPlugin">
      <failure type="FSP009" message="it does not export TF_InitPlugin, so it is not a filesystem plugin">FSP009: it does not export TF_InitPlugin, so it is not a filesystem plugin
repair: Declare it extern "C" with default visibility, and keep it out of the local: section of a version script; other shared objects in a wheel are not plugins.
</failure>
    </testcase>
  </testsuite>
  <testsuite name="testdata/broken_newer_api.so" tests="2" failures="0" errors="0">
    <testcase classname="testdata/broken_newer_api.so" name="FSP116 the table's API number is the host's">
      <system-out>warning: FSP116: scheme 'broken': TF_FilesystemOps: wanted API 0, found 99; some operations may behave differently
repair: Build the plugin against the interface that this host has.
</system-out>
    </testcase>
    <testcase classname="testdata/broken_newer_api.so" name="verified" />
  </testsuite>
</testsuites>
""")

    def test_has_a_suite_for_each_plugin(self):
        code, suites = self.parse(plugin("minimal"), plugin("broken_wrong_abi"), "/no/such.so")
        self.assertEqual(code, 1)
        self.assertEqual(
            [(suite.name, [(case.name, case.is_passed) for case in suite]) for suite in suites],
            [(plugin("minimal"), [("verified", True)]),
             (plugin("broken_wrong_abi"), [("FSP115 the table's ABI number is the host's", False)]),
             ("/no/such.so", [("FSP001 the file exists", False)])])

    def test_has_one_case_for_a_rule_that_is_broken_twice(self):
        _, suites = self.parse(plugin("broken_missing_writable_table"))
        cases = [case for suite in suites for case in suite]
        self.assertEqual([case.name for case in cases],
                         ["FSP119 the table for each kind of file that the plugin opens is set"])
        failure, = cases[0].result
        self.assertEqual(failure.text.splitlines(), [
            "FSP119: scheme 'broken': new_writable_file is set, but "
            "TF_WritableFileOps is null; files that it opens could not be used",
            "FSP119: scheme 'broken': new_appendable_file is set, but "
            "TF_WritableFileOps is null; files that it opens could not be used",
            "repair: Set the table of the file's operations, or leave the opening operation null."])

    def test_is_well_formed_whatever_a_file_is_called(self):
        path = b"/no/\x01\x1b\xff\xef\xbf\xbf\n<&\">.so"
        code, out, _ = run("--check", "--format=junit", path)
        self.assertEqual(code, 1)
        suite = ElementTree.fromstring(out).find("testsuite")
        self.assertEqual(suite.get("name"), "/no/\\x01\\x1b\\xff\\uffff\\x0a<&\">.so")

    def test_is_not_for_inspect(self):
        self.assertEqual(run("inspect", "--format=junit", plugin("minimal")), (
            2, b"", b"fsload: INVALID_ARGUMENT: inspect: --format: 'junit' is not one of text, "
                    b"json; see `fsload inspect --help`\n"))


class Formats(unittest.TestCase):
    def test_are_these(self):
        self.assertEqual(run("--check", "--format=xml"), (
            2, b"", b"fsload: INVALID_ARGUMENT: check: --format: 'xml' is not one of text, json, "
                    b"junit; see `fsload check --help`\n"))

    def test_text_is_the_default(self):
        self.assertEqual(run("--check", "--format=text", plugin("posix")),
                         run("--check", plugin("posix")))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
