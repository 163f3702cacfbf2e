#!/usr/bin/python3
"""Runs `fsload self-test`. The argument is the command."""

import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from command import FSLOAD


def run(*arguments, before=None, **more):
    """(exit code, standard output, standard error); `before` runs in the child process"""
    ended = subprocess.run([FSLOAD, *arguments], capture_output=True, check=False, text=True,
                           env={**os.environ, **more}, preexec_fn=before)
    return ended.returncode, ended.stdout, ended.stderr


class SelfTest(unittest.TestCase):
    maxDiff = None

    def test_tries_every_rule(self):
        # Not those of behaviour, which `fsload conformance` tries.
        rules = [line.split()[0] for line in run("rules")[1].splitlines()
                 if line < "FSP3"]
        with tempfile.TemporaryDirectory() as folder:
            code, out, err = run("self-test", TMPDIR=folder)
            self.assertEqual(os.listdir(folder), [])
        self.assertEqual((code, err), (0, ""), out)
        *lines, summary = out.splitlines()
        self.assertEqual([line.split()[0] for line in lines], rules)
        untried = [line for line in lines if line[8:17] == "not tried"]
        self.assertEqual(untried, [
            "FSP015  not tried  only a system that refuses memfd_create breaks it",
            "FSP037  not tried  needs a file built to exceed the limits",
            "FSP096  not tried  needs a home directory that others can write to",
            "FSP097  not tried  wheels are unpacked before anything is loaded",
            "FSP098  not tried  wheels are unpacked before anything is loaded",
            "FSP099  not tried  wheels are unpacked before anything is loaded",
            "FSP125  not tried  only a system without /proc breaks it",
            "FSP126  not tried  only a system that refuses mmap or mprotect breaks it",
            "FSP211  not tried  would use up the machine's memory",
            "FSP218  not tried  only root can become another user"])
        fires = [line for line in lines if re.match(r"FSP\d{3}  fires      on ", line)]
        self.assertEqual(len(fires) + len(untried), len(rules))
        self.assertEqual(summary, f"{len(fires)} rules fire, {len(untried)} not tried")

    def test_says_on_what_they_fire(self):
        # From the root directory: it is nobody's who changes to it.
        lines = run("self-test", before=lambda: os.chdir("/"))[1].splitlines()
        self.assertRegex(lines[-1], r"^\d+ rules fire, \d+ not tried$")
        for line in [
                "FSP001  fires      on a path without a file",
                "FSP006  fires      on a plugin for 32 bits",
                "FSP022  fires      on a plugin beside an older library",
                "FSP206  fires      on hostile_hangs_cleanup.so",
                "FSP108  fires      on broken_taken.so",
                "FSP201  fires      on broken_init_fails.so, broken_init_throws.so, "
                "broken_second_init_fails.so"]:
            self.assertIn(line, lines)

    def test_fails_where_it_cannot_try(self):
        self.assertEqual(run("self-test", TMPDIR="/no/such/folder"), (
            3, "", "fsload: INTERNAL: cannot create a directory below TMPDIR or /tmp; no rule was "
                   "tried\n"))

    def test_says_which_it_cannot_try(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))

        code, out, err = run("self-test", before=limit)
        self.assertEqual((code, err), (1, ""))
        failed = [line for line in out.splitlines() if line[8:13] == "fails"]
        self.assertEqual(len(failed), 1, out)
        self.assertRegex(
            failed[0], r"^FSP003  fails      on a file of 2 GiB and a byte: cannot create '/.*': "
                       "truncate: File too large; the rule was not tried$")
        self.assertRegex(out.splitlines()[-1], r"^\d+ rules fire, 10 not tried, 1 fail$")

    def test_leaves_nothing_behind_when_it_is_interrupted(self):
        for number in signal.SIGINT, signal.SIGTERM:
            with tempfile.TemporaryDirectory() as folder:
                running = subprocess.Popen(
                    [FSLOAD, "self-test"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                    env={**os.environ, "TMPDIR": folder})
                while running.poll() is None and not os.listdir(folder):
                    time.sleep(0.01)
                running.send_signal(number)
                _, err = running.communicate(timeout=60)
                self.assertEqual((running.returncode, err),
                                 (130, b"fsload: CANCELLED: interrupted\n"))
                self.assertEqual(os.listdir(folder), [])

    def test_is_done_by_the_command_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            ended = subprocess.run([FSLOAD, "self-test"], cwd=folder, capture_output=True,
                                   check=False, env={})
            self.assertEqual((ended.returncode, ended.stderr), (0, b""))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
