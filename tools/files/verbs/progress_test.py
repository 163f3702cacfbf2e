#!/usr/bin/python3
"""Runs fsload cp with a slow plugin, and checks the progress that it shows. The
argument is the command's path; plugins are in testdata/."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import pexpect

FSLOAD = os.path.abspath(sys.argv[1])
SLOW = os.path.abspath("testdata/slow_reads.so")
DEADLINE = 120  # seconds, for commands that take a few
MEBIBYTE = 1 << 20

# Erases its line.
CLEARED = r"\r\x1b\[K"


class Progress(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.source = os.path.join(self.folder, "source")
        with open(self.source, "wb"):
            pass

    def command(self, mebibytes, *options):
        """Copies so many MiB, each of which takes 50 ms."""
        os.truncate(self.source, mebibytes * MEBIBYTE)
        return [FSLOAD, "cp", "--plugin", SLOW, *options, "slow://" + self.source,
                os.path.join(self.folder, "target")]

    def on_terminal(self, command, columns):
        environment = {k: v for k, v in os.environ.items() if k != "COLUMNS"}
        environment["TERM"] = "xterm"
        try:
            terminal = pexpect.spawn(command[0], command[1:], dimensions=(24, columns),
                                     env=environment, timeout=DEADLINE)
        except OSError as error:  # no /dev/pts
            raise unittest.SkipTest(f"no pseudo terminal: {error}") from error
        self.addCleanup(terminal.close, force=True)
        return terminal

    def run_to_pipes(self, command):
        ended = subprocess.run(command, capture_output=True, timeout=DEADLINE, check=False)
        return ended.returncode, ended.stdout.decode(), ended.stderr.decode()

    def test_is_a_bar_that_is_gone_in_the_end(self):
        terminal = self.on_terminal(self.command(60), 80)
        terminal.expect(r"\r +\d+% \[=*>? *\] [\d.]+[KM]?/s  \d+:\d\d left  0/1 file\x1b\[K")
        terminal.expect(pexpect.EOF)
        self.assertRegex(terminal.before.decode(), CLEARED + "$")
        terminal.wait()
        self.assertEqual(terminal.exitstatus, 0)

    def test_fits_narrow_terminals(self):
        for columns in 20, 40:
            terminal = self.on_terminal(self.command(60), columns)
            terminal.expect(pexpect.EOF)
            lines = re.findall(r"\r([^\r\x1b]+)\x1b\[K", terminal.before.decode())
            self.assertGreater(len(lines), 2)
            for line in lines:
                self.assertLess(len(line), columns)
                self.assertRegex(line, r"^ *\d+% \[=*>? *\] .*\d:\d\d")

    def test_follows_a_terminal_that_is_resized(self):
        terminal = self.on_terminal(self.command(400), 80)
        terminal.expect(r"\r[^\r]{50,}\x1b\[K")
        terminal.setwinsize(24, 30)
        terminal.expect(r"\r[^\r]{20,29}\x1b\[K")
        terminal.setwinsize(24, 100)
        terminal.expect(r"\r[^\r]{50,}\x1b\[K")

    def test_does_not_garble_an_error(self):
        terminal = self.on_terminal(self.command(400), 80)
        terminal.expect(r"\d+% ")
        terminal.sendintr()
        terminal.expect(CLEARED + r"fsload: CANCELLED: interrupted: [^\r\n]+ are removed\r\n")
        terminal.expect(pexpect.EOF)
        self.assertEqual(terminal.before, b"")
        terminal.wait()
        self.assertEqual(terminal.exitstatus, 130)

    def test_is_lines_in_a_log(self):
        code, out, err = self.run_to_pipes(self.command(240))
        self.assertEqual((code, out), (0, ""))
        lines = err.splitlines()
        self.assertGreaterEqual(len(lines), 2, err)
        self.assertRegex(lines[0], r"^\d+%: [\d.]+[KM] of 240M, 0/1 file in 0:1\d, ")
        self.assertRegex(lines[-1], r"^100%: 240M of 240M, 1/1 file in ")

    def test_is_not_in_a_log_if_it_ends_soon(self):
        self.assertEqual(self.run_to_pipes(self.command(40)), (0, "", ""))

    def test_is_events_for_programs(self):
        code, out, err = self.run_to_pipes(self.command(60, "--json"))
        self.assertEqual((code, err), (0, ""))
        events = [json.loads(line) for line in out.splitlines()]
        progress = [event for event in events if event["event"] == "progress"]
        self.assertGreater(len(progress), 1)
        for event in progress:
            self.assertEqual((event["total_bytes"], event["total_files"]), (60 * MEBIBYTE, 1))
            self.assertIsInstance(event["milliseconds"], int)
        self.assertEqual(progress[-1]["bytes"], 60 * MEBIBYTE)
        self.assertEqual(events[-1]["event"], "done")

    def test_is_not_shown_where_it_is_not_wanted(self):
        terminal = self.on_terminal(self.command(30, "--quiet"), 80)
        terminal.expect(pexpect.EOF)
        self.assertEqual(terminal.before, b"")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
