#!/usr/bin/python3
"""Plugins shaped like those of other projects (testdata/other_projects). The argument is
fsload's path."""

import filecmp
import json
import os
import subprocess
import sys
import tempfile
import unittest

FSLOAD = os.path.abspath(sys.argv[1])
PLUGIN = os.path.abspath("testdata/other_projects.so")
SCHEMES = ["chfs", "dfs", "gds"]
FILES = {"a": b"1", "ab": b"", "d/x": b"x" * 3_000_000, "d/e/y": b"y", "d2/z": b"z"}
DEADLINE = 120


class OtherProjects(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        for path, contents in FILES.items():
            path = self.path("from", path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(contents)

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def run_fsload(self, *arguments):
        ended = subprocess.run([FSLOAD, *arguments], capture_output=True, timeout=DEADLINE,
                               env={**os.environ, "FSLOAD_PLUGIN_PATH": PLUGIN})
        self.assertEqual((ended.returncode, ended.stderr.decode()), (0, ""), arguments)
        return ended.stdout.decode()

    def expect_same(self, one, other):
        compared = filecmp.dircmp(self.path(one), self.path(other))
        self.assertEqual(compared.left_only + compared.right_only, [])
        self.assertEqual(filecmp.cmpfiles(compared.left, compared.right, FILES, shallow=False)[0],
                         list(FILES))

    def test_trees_are_copied_moved_synced_and_deleted(self):
        for scheme in SCHEMES:
            with self.subTest(scheme):
                def uri(name):
                    return f"{scheme}://{self.path(name)}"
                self.run_fsload("cp", "-r", self.path("from"), uri("to"))
                self.expect_same("from", "to")
                self.run_fsload("mv", uri("to"), uri("moved"))
                self.assertFalse(os.path.exists(self.path("to")))
                self.expect_same("from", "moved")
                os.remove(self.path("moved/a"))
                with open(self.path("moved/extra"), "wb"):
                    pass
                self.run_fsload("sync", "--delete", uri("from"), uri("moved"))
                self.expect_same("from", "moved")
                self.run_fsload("mv", uri("moved/d/x"), uri("moved/a"))
                self.assertEqual(os.path.getsize(self.path("moved/a")), 3_000_000)
                self.run_fsload("rm", "-r", uri("moved/d"))
                self.assertEqual(sorted(os.listdir(self.path("moved"))), ["a", "ab", "d2"])
                self.run_fsload("rm", "-r", uri("moved"))
                self.assertFalse(os.path.exists(self.path("moved")))

    def test_they_pass_check(self):
        self.run_fsload("check", PLUGIN)

    def test_they_conform_but_for_the_names_that_they_translate(self):
        for scheme in SCHEMES:
            with self.subTest(scheme):
                ended = subprocess.run(
                    [FSLOAD, "conformance", PLUGIN, "--format=json",
                     "--root", f"{scheme}://{self.path('root-' + scheme)}"],
                    capture_output=True, timeout=DEADLINE)
                results = json.loads(ended.stdout)["results"]
                failed = {each["name"].partition("@")[0] for each in results
                          if each["verdict"] not in ("passed", "skipped")}
                self.assertEqual(failed, {"translate.cleans-the-path"})


unittest.main(argv=sys.argv[:1])
