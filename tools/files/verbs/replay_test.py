#!/usr/bin/python3
"""Records what verbs do, and replays it without the plugin. The argument is the
path of fsload."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
import unittest

from command import FSLOAD, CommandTest, environment, plugin, run_bytes


class ReplayTest(CommandTest):
    def setUp(self):
        super().setUp()
        os.makedirs(self.at("tree/deep"))
        for name, contents in {"a": b"first", "deep/b": bytes(range(256)) * 9000}.items():
            with open(self.at("tree", name), "wb") as file:
                file.write(contents)

    def run_fsload(self, *arguments, **options):
        variables = environment(FSLOAD_PLUGIN_PATH=self.at("nowhere"))
        return run_bytes(*arguments, env=variables, **options)

    def record(self, plugin_name, *command):
        """The journal, and how the command ended."""
        journal = self.at(f"{time.monotonic_ns()}.journal")
        ended = self.run_fsload(command[0], "--plugin", plugin(plugin_name), "--record", journal,
                                *command[1:])
        return journal, ended

    def test_shows_what_it_showed_before(self):
        for name, scheme in ("posix", "posix"), ("minimal", "minimal"), ("slow", "slow"):
            root = f"{scheme}://{self.folder}/tree"
            for command in [["ls", "-lR", root], ["cat", f"{root}/deep/b"], ["stat", f"{root}/a"],
                            ["du", root], ["head", "-c", "3", f"{root}/a"],
                            ["glob", f"{root}/*"], ["exists", f"{root}/c"],
                            ["cat", f"{root}/missing"],
                            ["ls", "--json", "-l", root], ["cmp", f"{root}/a", self.at("tree/a")]]:
                with self.subTest(plugin=name, command=command):
                    journal, before = self.record(name, *command)
                    os.rename(self.at("tree"), self.at("gone"))
                    os.mkdir(self.at("tree"))
                    shutil.copy(self.at("gone/a"), self.at("tree/a"))
                    again = self.run_fsload("replay", journal, *command)
                    shutil.rmtree(self.at("tree"))
                    os.rename(self.at("gone"), self.at("tree"))
                    self.assertEqual(again, before)

    def test_copies_the_same_bytes_again(self):
        root = f"minimal://{self.folder}/tree"
        journal, ended = self.record("minimal", "cp", "-r", root, self.at("copy"))
        self.assertEqual(ended, (0, b"", ""))
        os.rename(self.at("tree"), self.at("gone"))
        self.assertEqual(self.run_fsload("replay", journal, "cp", "-r", root, self.at("again")),
                         (0, b"", ""))
        for name in "a", "deep/b":
            with open(self.at("gone", name), "rb") as file:
                contents = file.read()
            with open(self.at("again", name), "rb") as file:
                self.assertEqual(file.read(), contents)

    def test_replays_changes_without_making_them(self):
        target = f"minimal://{self.folder}/new"
        journal, ended = self.record("minimal", "cp", "-j", "1", "-r", self.at("tree"), target)
        self.assertEqual(ended, (0, b"", ""))
        shutil.rmtree(self.at("new"))
        self.assertEqual(
            self.run_fsload("replay", journal, "cp", "-j", "1", "-r", self.at("tree"), target),
            (0, b"", ""))
        self.assertFalse(os.path.exists(self.at("new")))

    def test_refuses_what_was_not_recorded(self):
        for name in "minimal", "posix":
            root = f"{name}://{self.folder}/tree"
            journal, _ = self.record(name, "cat", f"{root}/a")
            for verb, op in ("cat", "new_random_access_file"), ("stat", "stat"):
                code, out, err = self.run_fsload("replay", journal, verb, f"{root}/deep/b")
                self.assertEqual((code, out), (7, b""))
                self.assertIn(f"UNAVAILABLE: {root}/deep/b: the journal {journal} contains no "
                              f"{op}({self.folder}/tree/deep/b) call; record the command again "
                              "to include it", err)

    def test_looks_for_no_other_plugin(self):
        journal, _ = self.record("minimal", "ls", f"minimal://{self.folder}")
        code, _, err = self.run_fsload("replay", journal, "ls", "s3://bucket")
        self.assertEqual(code, 1)
        self.assertEqual(err, "fsload: FAILED_PRECONDITION: s3://bucket/: the journal has no calls "
                              "for this scheme; it has minimal://\n")

    def test_says_what_a_journal_has(self):
        journal, _ = self.record("minimal", "cat", f"minimal://{self.folder}/tree/a")
        code, out, err = self.run_fsload("replay", journal)
        self.assertEqual((code, err), (0, ""))
        lines = out.decode().splitlines()
        self.assertEqual(lines[:2], [journal, f"  scheme 'minimal', {plugin('minimal')}"])
        read = next(line.split() for line in lines if "RandomAccessFile.read" in line)
        self.assertIn("5", read)

    def test_replaces_no_file(self):
        code, _, err = self.run_fsload("ls", "--record", self.at("tree/a"), self.folder)
        self.assertEqual(code, 6)
        self.assertIn(f"{self.at('tree/a')}: exists; a journal never replaces a file", err)
        with open(self.at("tree/a"), "rb") as file:
            self.assertEqual(file.read(), b"first")

    def test_names_the_missing_journal(self):
        journal = self.at("nope")
        for command, expected, status in [([], 4, "NOT_FOUND"), (["ls", f"minimal://{self.folder}"],
                                                                 1, "FAILED_PRECONDITION")]:
            code, _, err = self.run_fsload("replay", journal, *command)
            self.assertEqual((code, err), (
                expected, f"fsload: {status}: {journal}: No such file or directory\n"))

    def test_names_the_damaged_line(self):
        journal, _ = self.record("minimal", "ls", f"minimal://{self.folder}")
        with open(journal, "a", encoding="ascii") as file:
            file.write("{}\n")
        with open(journal, encoding="ascii") as file:
            number = len(file.readlines())
        for command in [], ["ls", f"minimal://{self.folder}"]:
            code, _, err = self.run_fsload("replay", journal, *command)
            self.assertEqual(code, 1)
            self.assertEqual(err, f"fsload: INVALID_ARGUMENT: {journal}: line {number} of the "
                                  "journal is damaged: it is not a journal line\n")

    def test_does_not_take_a_journal_for_the_local_disk(self):
        journal, _ = self.record("minimal", "stat", f"minimal://{self.folder}/tree/a")
        with open(journal, encoding="ascii") as file:
            text = file.read()
        with open(journal, "w", encoding="ascii") as file:
            file.write(text.replace(plugin("minimal"), "the bundled posix plugin"))
        code, _, err = self.run_fsload("replay", journal, "rm", f"minimal://{self.folder}/tree/a")
        self.assertEqual((code, err), (1, f"fsload: INVALID_ARGUMENT: {journal}: the journal has "
                                          "calls of the bundled posix plugin, which fsload never "
                                          "records\n"))
        self.assertTrue(os.path.exists(self.at("tree/a")))

    def test_replays_what_was_recorded_until_it_was_killed(self):
        for i in range(100):
            with open(self.at("tree", f"file{i}"), "wb"):
                pass
        journal = self.at("killed.journal")
        command = ["ls", "-l", "-j", "1", f"slow://{self.folder}/tree"]
        with subprocess.Popen(
                [FSLOAD, command[0], "--in-process", "--plugin", plugin("slow"), "--record",
                 journal, *command[1:]], stdout=subprocess.DEVNULL) as running:
            while not os.path.exists(journal) or os.path.getsize(journal) < 5000:
                self.assertIsNone(running.poll())
                time.sleep(0.001)
            running.kill()
        code, out, _ = self.run_fsload("replay", journal)
        self.assertEqual(code, 0)
        self.assertIn(b"Filesystem.stat", out)
        code, _, err = self.run_fsload("replay", journal, *command)
        self.assertEqual(code, 7)
        self.assertRegex(err, rf"contains no stat\({re.escape(self.folder)}/\S*\) call; record")

    def test_is_complete_up_to_a_crash(self):
        journal, (code, _, _) = self.record("hostile_crashes_children", "ls",
                                            "hostile:///a", "hostile:///deed")
        self.assertEqual(code, 9)
        with open(journal, encoding="ascii") as file:
            lines = file.read().split("\n")
        self.assertEqual(lines.pop(), "")
        for line in lines:
            json.loads(line)

    def test_is_not_for_both_at_once(self):
        for option in ["--record", "x"], ["--plugin", "p"]:
            code, _, err = self.run_fsload("ls", "--replay", "j", *option, "/")
            self.assertEqual(code, 2)
            self.assertIn("--replay", err)

    def test_explains_and_counts_as_before(self):
        root = f"minimal://{self.folder}/tree"
        journal, before = self.record("minimal", "ls", "--explain", "-l", root)
        self.assertEqual(self.run_fsload("replay", journal, "ls", "--explain", "-l", root), before)


if __name__ == "__main__":
    sys.argv = sys.argv[:1]
    unittest.main()
