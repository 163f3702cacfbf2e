#!/usr/bin/python3
"""Runs fsload sync. The argument is the command's path; plugins are in testdata/."""

import json
import os
import signal
import subprocess
import sys
import time
import unittest

from command import DEADLINE, FSLOAD, CommandTest, plugin, run

MEBIBYTE = 1 << 20


class Sync(CommandTest):
    def setUp(self):
        super().setUp()
        self.add("src/a", b"1")
        self.add("src/d/b", b"22")
        os.makedirs(self.at("src/empty"))

    def sync(self, *arguments):
        """How many files were copied or deleted, and how many were skipped."""
        code, out, err = self.run_fsload("sync", "--json", *arguments)
        self.assertEqual((code, err), (0, ""))
        done = json.loads(out.splitlines()[-1])
        self.assertEqual(done["event"], "done")
        return done["files"], done["skipped"]

    def fails(self, code, words, *arguments):
        before = self.tree()
        found, out, err = self.run_fsload("sync", *arguments)
        self.assertEqual((found, out), (code, ""), err)
        self.assertIn(words, err)
        self.assertEqual(self.tree(), before)

    def test_makes_the_target_and_copies_the_contents_into_it(self):
        for target in "new", "there/", "there":
            os.makedirs(self.at("there"), exist_ok=True)
            self.sync("src", target)
            self.assertEqual(self.tree(target), self.tree("src"))

    def test_copies_only_what_differs(self):
        self.assertEqual(self.sync("src", "dst"), (2, 0))
        self.assertEqual(self.sync("src", "dst"), (0, 2))
        self.add("src/a", b"longer")
        self.add("src/c", b"new")
        self.assertEqual(self.sync("src", "dst"), (2, 1))
        self.assertEqual(self.tree("dst"), self.tree("src"))

    def test_keeps_a_link_where_the_source_has_an_excluded_directory(self):
        self.add("src/cache/a", b"1")
        self.add("else/kept", b"1")
        os.makedirs(self.at("dst"))
        os.symlink(self.at("else"), self.at("dst/cache"))
        self.sync("--delete", "--exclude", "cache/", "src", "dst")
        self.assertTrue(os.path.islink(self.at("dst/cache")))
        os.remove(self.at("src/cache/a"))
        os.rmdir(self.at("src/cache"))
        self.sync("--delete", "src", "dst")
        self.assertFalse(os.path.islink(self.at("dst/cache")))

    def test_copies_what_was_written_after_2262(self):
        late = 10_413_792_000  # in 2300
        self.add("src/a", b"new")
        os.utime(self.at("src/a"), (late, late))
        if os.stat(self.at("src/a")).st_mtime != late:
            self.skipTest("this disk has no such times")
        self.add("dst/a", b"old")
        self.assertEqual(self.sync("src", "dst")[0], 2)
        self.assertEqual(self.tree("dst")["a"], b"new")

    def test_copies_what_is_newer_and_not_what_is_older(self):
        self.add("src/a", b"new", age=10)
        self.add("dst/a", b"old", age=20)
        self.add("src/d/b", b"1", age=20)
        self.add("dst/d/b", b"2", age=10)
        self.assertEqual(self.sync("src", "dst"), (1, 1))
        self.assertEqual(self.tree("dst")["a"], b"new")
        self.assertEqual(self.tree("dst")["d/b"], b"2")

    def test_compares_contents_with_checksum(self):
        self.add("src/a", b"new", age=20)
        self.add("dst/a", b"old", age=10)
        self.add("src/d/b", b"same", age=10)
        self.add("dst/d/b", b"same", age=20)
        self.assertEqual(self.sync("--checksum", "src", "dst"), (1, 1))
        self.assertEqual(self.tree("dst"), self.tree("src"))

    def test_deletes_only_when_told_to(self):
        for path in "dst/extra", "dst/d/extra", "dst/old/deep/extra":
            self.add(path, b"x")
        os.makedirs(self.at("dst/old/empty"))
        self.sync("src", "dst")
        self.assertIn("old/deep/extra", self.tree("dst"))
        self.assertEqual(self.sync("--delete", "src", "dst"), (3, 2))
        self.assertEqual(self.tree("dst"), self.tree("src"))

    def test_does_not_delete_what_is_excluded(self):
        self.add("dst/kept.log", b"x")
        self.add("dst/d/kept.log", b"x")
        self.add("dst/old/kept.log", b"x")
        self.add("dst/old/gone", b"x")
        self.sync("--delete", "--exclude", "*.log", "src", "dst")
        found = self.tree("dst")
        for path in "kept.log", "d/kept.log", "old/kept.log":
            self.assertEqual(found[path], b"x")
        self.assertNotIn("old/gone", found)

    def test_prints_its_plan_and_changes_nothing(self):
        self.add("dst/extra", b"x")
        before = self.tree()
        code, out, err = self.run_fsload("sync", "--delete", "--dry-run", "src", "dst")
        self.assertEqual((code, err), (0, ""))
        self.assertIn("copy file src/a -> dst/a (1 bytes)", out)
        self.assertIn("delete file dst/extra", out)
        self.assertEqual(self.tree(), before)

    def test_takes_patterns_literally(self):
        posix = ["--plugin", plugin("minimal")]
        self.add("srcs/x", b"x")
        pattern = "minimal://" + self.at("sr*")
        self.fails(4, "sr*: ", *posix, "--delete", pattern, "dst")
        self.sync(*posix, "src", pattern)
        self.assertEqual(self.tree("sr*"), self.tree("src"))

    def test_refuses_to_empty_the_target(self):
        os.makedirs(self.at("nothing/d"))
        self.add("dst/a", b"x")
        self.fails(1, "has no files, and --delete would delete everything in dst",
                   "--delete", "nothing", "dst")
        self.sync("--delete", "--really", "nothing", "dst")
        self.assertEqual(self.tree("dst"), {"d": None})

    def test_neither_copies_nor_deletes_what_the_filter_leaves_out(self):
        self.add("dst/old/x.log", b"x")
        self.add("dst/b.txt", b"x")
        self.sync("--delete", "--include", "*.tmp", "src", "dst")
        self.assertEqual(set(self.tree("dst")), {"old", "old/x.log", "b.txt"})
        self.sync("--delete", "--include", "*.txt", "src", "dst")
        self.assertEqual(set(self.tree("dst")), {"old", "old/x.log"})
        self.sync("--delete", "--exclude", "[abd]", "--exclude", "*.log", "src", "dst")
        self.assertEqual(set(self.tree("dst")), {"old", "old/x.log", "empty"})
        os.makedirs(self.at("nothing"))
        self.sync("--delete", "--include", "*.tmp", "nothing", "dst")
        self.fails(1, "has no files", "--delete", "--include", "*.log", "nothing", "dst")

    def test_refuses_what_is_no_directory(self):
        self.add("file", b"x")
        self.fails(4, "none: ", "--delete", "none", "src")
        self.fails(1, "file: is a file; use cp", "file", "dst")
        self.fails(1, "file: is a file; cannot replace it", "src", "file")
        self.fails(1, "file: is a file; cannot replace it", "--delete", "src", "file")

    def test_refuses_directories_in_each_other(self):
        self.add("src/d/deep/x", b"x")
        self.fails(1, "src", "src", "src")
        self.fails(1, "src", "src", "src/d")
        self.fails(1, "is in src, from which --delete would delete it", "--delete", "src/d", "src")
        os.symlink("src/d", self.at("link"))
        self.fails(1, "is in src, from which", "--delete", "link", "src")

    def test_deletes_nothing_after_an_error(self):
        os.mkfifo(self.at("src/pipe"))
        self.add("dst/extra", b"x")
        self.fails(1, "FIFO", "--delete", "src", "dst")
        code, _, err = self.run_fsload("sync", "--delete", "--continue-on-error", "src", "dst")
        self.assertEqual(code, 1)
        self.assertIn("nothing is deleted, because there were errors", err)
        self.assertEqual(self.tree("dst"), {"a": b"1", "d": None, "d/b": b"22", "empty": None,
                                            "extra": b"x"})

    def test_deletes_links_and_not_what_they_lead_to(self):
        self.add("outside/kept", b"x")
        os.makedirs(self.at("dst"))
        os.symlink("../outside", self.at("dst/link"))
        os.symlink("nowhere", self.at("dst/dangling"))
        self.sync("--delete", "src", "dst")
        self.assertEqual(self.tree("dst"), self.tree("src"))
        self.assertEqual(self.tree("outside"), {"kept": b"x"})

    def test_does_not_delete_another_name_of_what_stays(self):
        self.sync("src", "dst")
        os.link(self.at("dst/a"), self.at("dst/other"))
        self.add("dst/A", b"x")
        code, _, err = self.run_fsload("sync", "--delete", "--continue-on-error", "src", "dst")
        self.assertEqual(code, 1)
        for name in "dst/other", "dst/A":
            self.assertIn(name + ": not deleted, because it may be the same file", err)
        self.assertIn("other", self.tree("dst"))

    def test_through_a_plugin_with_links_deletes_only_what_is_inside(self):
        self.add("outside/kept", b"x")
        os.makedirs(self.at("dst"))
        os.symlink("../outside", self.at("dst/link"))
        self.sync("--plugin", plugin("minimal"), "--delete", "src",
                  "minimal://" + self.at("dst"))
        self.assertEqual(self.tree("dst"), self.tree("src"))
        self.assertEqual(self.tree("outside"), {"kept": b"x"})

    def test_goes_on_where_it_was_interrupted(self):
        for number in range(6):
            self.add(f"src/large{number}", b"x" * (8 * MEBIBYTE))
        command = [FSLOAD, "sync", "-j1", "--plugin",
                   plugin("slow_reads"), "slow://" + self.at("src"),
                   self.at("dst")]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
            end = time.monotonic() + DEADLINE
            while not os.path.exists(self.at("dst/large1")) and time.monotonic() < end:
                time.sleep(0.01)
            run.send_signal(signal.SIGINT)
            self.assertEqual(run.wait(DEADLINE), 130)
        copied, skipped = self.sync("src", "dst")
        self.assertGreater(skipped, 0)
        self.assertGreater(copied, 0)
        self.assertEqual(self.tree("dst"), self.tree("src"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
