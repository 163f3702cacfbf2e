#!/usr/bin/python3
"""Plugins shaped like those of other projects (testdata/other_projects). The argument is
fsload's path."""

import filecmp
import json
import os
import subprocess
import sys
import unittest

from command import DEADLINE, FSLOAD, CommandTest, environment, plugin

SCHEMES = ["chfs", "dfs", "gds"]
FILES = {"a": b"1", "ab": b"", "d/x": b"x" * 3_000_000, "d/e/y": b"y", "d2/z": b"z"}
PLUGIN = plugin("other_projects")


class OtherProjects(CommandTest):
    def setUp(self):
        super().setUp()
        for path, contents in FILES.items():
            self.add("from/" + path, contents)

    def run_fsload(self, *arguments, **options):
        return super().run_fsload(*arguments, env=environment(FSLOAD_PLUGIN_PATH=PLUGIN),
                                  **options)

    def expect_same(self, one, other):
        compared = filecmp.dircmp(self.at(one), self.at(other))
        self.assertEqual(compared.left_only + compared.right_only, [])
        self.assertEqual(filecmp.cmpfiles(compared.left, compared.right, FILES, shallow=False)[0],
                         list(FILES))

    def test_trees_are_copied_moved_synced_and_deleted(self):
        for scheme in SCHEMES:
            with self.subTest(scheme):
                def uri(name):
                    return f"{scheme}://{self.at(name)}"
                self.run_fsload("cp", "-r", self.at("from"), uri("to"))
                self.expect_same("from", "to")
                self.run_fsload("mv", uri("to"), uri("moved"))
                self.assertFalse(os.path.exists(self.at("to")))
                self.expect_same("from", "moved")
                os.remove(self.at("moved/a"))
                with open(self.at("moved/extra"), "wb"):
                    pass
                self.run_fsload("sync", "--delete", uri("from"), uri("moved"))
                self.expect_same("from", "moved")
                self.run_fsload("mv", uri("moved/d/x"), uri("moved/a"))
                self.assertEqual(os.path.getsize(self.at("moved/a")), 3_000_000)
                self.run_fsload("rm", "-r", uri("moved/d"))
                self.assertEqual(sorted(os.listdir(self.at("moved"))), ["a", "ab", "d2"])
                self.run_fsload("rm", "-r", uri("moved"))
                self.assertFalse(os.path.exists(self.at("moved")))

    def test_they_pass_check(self):
        self.run_fsload("check", PLUGIN)

    def test_they_conform_but_for_the_names_that_they_translate(self):
        for scheme in SCHEMES:
            with self.subTest(scheme):
                ended = subprocess.run(
                    [FSLOAD, "conformance", PLUGIN, "--format=json",
                     "--root", f"{scheme}://{self.at('root-' + scheme)}"],
                    capture_output=True, timeout=DEADLINE)
                results = json.loads(ended.stdout)["results"]
                failed = {each["name"].partition("@")[0] for each in results
                          if each["verdict"] not in ("passed", "skipped")}
                self.assertEqual(failed, {"translate.cleans-the-path"})


unittest.main(argv=sys.argv[:1])
