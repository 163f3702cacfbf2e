#!/usr/bin/python3
"""What the arguments of the verbs name: patterns, schemes in any case, "file:"
URIs. The argument is the command's path."""

import json
import os
import subprocess
import sys
import unittest

from command import CommandTest, DEADLINE, FSLOAD, environment, run


class FolderTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.uri = "posix://" + self.folder

    def make(self, *names):
        for name in names:
            path = os.path.join(self.folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(name + "\n")

    def names(self):
        found = set()
        for parent, folders, files in os.walk(self.folder):
            found |= {os.path.relpath(os.path.join(parent, name), self.folder)
                      for name in folders + files}
        return found


class Messages(CommandTest):
    def test_name_no_directory_that_cannot_be_made(self):
        os.symlink("/no/such/x", self.at("link"))
        self.fails(4, "link: is a link into a directory that does not exist", "touch", "link")
        self.fails(4, "the directory 'no' does not exist; `fsload mkdir -p`", "touch", "no/x")
        gone = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" touch x'
        ended = subprocess.run(["sh", "-c", gone, FSLOAD], cwd=self.folder, capture_output=True,
                               check=False, env=environment(), timeout=DEADLINE)
        self.assertEqual((ended.returncode, ended.stderr), (
            4, b"fsload: NOT_FOUND: x: the current directory no longer exists\n"))


class Patterns(FolderTest):
    def setUp(self):
        super().setUp()
        self.make("a.txt", "b.txt", "c", "d/a.txt", "d/e/a.txt", "other")

    def test_are_expanded_by_verbs_that_read(self):
        for verb in "cat", "head", "tail":
            self.assertEqual(run(verb, "-q", f"{self.uri}/*.txt"), (0, "a.txt\nb.txt\n", ""))
        self.assertEqual(run("cat", f"{self.uri}/**/a.txt", f"{self.uri}/[c]"),
                         (0, "a.txt\nd/a.txt\nd/e/a.txt\nc\n", ""))
        self.assertEqual(run("ls", f"{self.uri}/?.txt"),
                         (0, f"{self.uri}/a.txt\n{self.uri}/b.txt\n", ""))
        self.assertEqual(run("du", f"{self.uri}/[^d]*.txt"),
                         (0, f"6\t{self.uri}/a.txt\n6\t{self.uri}/b.txt\n", ""))
        self.assertEqual(run("stat", f"{self.uri}/*.txt")[1].count("length  6\n"), 2)
        self.assertEqual(run("exists", f"{self.uri}/*.txt"), (0, "", ""))
        self.assertEqual(run("cmp", f"{self.uri}/[ab].txt")[0], 2)  # one argument
        self.assertEqual(run("cmp", f"{self.uri}/a*", f"{self.uri}/b*")[0], 1)
        self.assertEqual(run("cmp", f"{self.uri}/[ab]*", f"{self.uri}/c"), (2, "", (
            f"fsload: INVALID_ARGUMENT: {self.uri}/[ab]*: cmp compares 2 files, but its arguments "
            f"name 3; use --literal if they are not patterns\n")))

    def test_are_expanded_by_verbs_that_change(self):
        self.assertEqual(run("cp", f"{self.uri}/*.txt", self.folder + "/d"), (0, "", ""))
        self.assertEqual(run("mv", f"{self.uri}/[ab].txt", self.folder + "/d/e"), (0, "", ""))
        self.assertEqual(run("rm", f"{self.uri}/d/*.txt"), (0, "", ""))
        self.assertEqual(self.names(), {"c", "other", "d", "d/e", "d/e/a.txt", "d/e/b.txt"})

    def test_take_directories_with_their_contents(self):
        os.mkdir(self.folder + "/t")
        self.assertEqual(run("cp", "-r", f"{self.uri}/d/**", self.folder + "/t"), (0, "", ""))
        self.assertEqual({name for name in self.names() if name[0] == "t"},
                         {"t", "t/a.txt", "t/e", "t/e/a.txt"})
        self.assertEqual(run("rm", "-r", f"{self.uri}/d/**"), (0, "", ""))
        self.assertEqual(run("mv", f"{self.uri}/t/**", self.folder + "/d"), (0, "", ""))
        self.assertEqual({name for name in self.names() if name[0] in "td"},
                         {"t", "d", "d/a.txt", "d/e", "d/e/a.txt"})

    def test_are_not_expanded_in_local_paths_and_targets(self):
        for verb in "cat", "rm", "ls":
            code, out, errors = run(verb, "*.txt", cwd=self.folder)
            self.assertEqual((code, out), (4, ""))
            self.assertIn("*.txt: ", errors)
        self.assertEqual(run("cp", self.folder + "/c", f"{self.uri}/[ab].txt"), (0, "", ""))
        self.assertEqual(run("touch", "--literal", f"{self.uri}/x*"), (0, "", ""))
        self.assertEqual(run("mkdir", f"{self.uri}/y?"), (0, "", ""))
        self.assertLess({"[ab].txt", "x*", "y?", "a.txt"}, self.names())

    def test_stay_as_they_are_where_nothing_matches(self):
        code, out, errors = run("cat", f"{self.uri}/x*")
        self.assertEqual((code, out), (4, ""))
        self.assertIn(f"fsload: NOT_FOUND: {self.uri}/x*: ", errors)
        self.assertEqual(run("exists", f"{self.uri}/x*"), (4, "", ""))
        self.assertEqual(run("rm", "-f", f"{self.uri}/x*"), (0, "", ""))

    def test_are_refused_where_they_are_names_too(self):
        self.make("[ab].txt")
        before = self.names()
        for arguments in ["rm"], ["rm", "-f"], ["rm", "-r"], ["cat"], ["ls"]:
            code, out, errors = run(*arguments, f"{self.uri}/[ab].txt")
            self.assertEqual((code, out, self.names()), (1, "", before))
            self.assertEqual(
                errors, f"fsload: INVALID_ARGUMENT: {self.uri}/[ab].txt: exists, and as a pattern "
                f"also matches {self.uri}/a.txt; use --literal, or quote with '\\', to name "
                f"what exists, or `fsload glob` to list what matches\n")
        for verb in "cp", "mv":
            self.assertEqual(run(verb, f"{self.uri}/[ab].txt", self.folder + "/d")[0], 1)
        self.assertEqual(self.names(), before)
        self.assertEqual(run("cat", f"{self.uri}/\\[ab].txt"), (0, "[ab].txt\n", ""))
        self.assertEqual(run("rm", "--literal", f"{self.uri}/[ab].txt"), (0, "", ""))
        self.assertEqual(self.names(), before - {"[ab].txt"})

    def test_are_quoted_by_backslashes(self):
        self.make("*.txt")
        self.assertEqual(run("rm", f"{self.uri}/\\*.txt"), (0, "", ""))
        self.assertLess({"a.txt", "b.txt"}, self.names())
        self.assertNotIn("*.txt", self.names())

    def test_find_dangling_links(self):
        for name in "l1", "l*":
            os.symlink("nowhere", f"{self.folder}/{name}")
        self.assertEqual(run("rm", f"{self.uri}/l*")[0], 1)
        self.assertEqual(run("rm", f"{self.uri}/l\\*"), (0, "", ""))
        self.assertEqual(run("rm", f"{self.uri}/**/l?"), (0, "", ""))
        self.assertFalse({name for name in os.listdir(self.folder) if name[0] == "l"})

    def test_do_not_lead_through_links(self):
        os.symlink("..", self.folder + "/d/up")
        os.symlink(".", self.folder + "/d/self")
        self.assertEqual(run("ls", f"{self.uri}/d/**/a.txt"), (
            0, f"{self.uri}/d/a.txt\n{self.uri}/d/e/a.txt\n", ""))
        self.assertEqual(run("rm", f"{self.uri}/d/**/*.txt"), (0, "", ""))
        self.assertLess({"a.txt", "b.txt", "d/up"}, self.names())

    def test_are_refused_by_rm_as_other_paths_are(self):
        for pattern in [f"{self.uri}//*", f"{self.uri}/d/../*", f"{self.uri}/[!a]*"]:
            before = self.names()
            code, out, errors = run("rm", "-r", pattern)
            self.assertEqual((code, out, self.names()), (1, "", before))
            self.assertIn(f"fsload: INVALID_ARGUMENT: {pattern}: ", errors)
        # The working directory is among the matches.
        code, out, errors = run("rm", "-r", f"posix://{os.path.dirname(self.folder)}/"
                                f"{os.path.basename(self.folder)[:-1]}?", cwd=self.folder)
        self.assertEqual((code, out, self.names()), (1, "", before))
        self.assertIn("refusing to delete the current directory", errors)

    def test_of_all_at_a_root_are_refused_by_mv(self):
        self.assertEqual(run("mv", "--dry-run", "--exclude=*", "posix:///*", self.folder), (
            1, "", "fsload: FAILED_PRECONDITION: posix:///*: refusing to move all at the root of a "
            "file system; name what is to be moved\n"))

    def test_of_all_at_a_root_are_refused_before_they_are_expanded(self):
        # This plugin has no get_children.
        for pattern in ("minimal:///**", "minimal:///*/**", "minimal:///x/../**",
                        "minimal:///./*"):
            code, _, errors = run("rm", "-r", "--plugin", "testdata/minimal.so", pattern)
            self.assertEqual((code, errors), (
                1, f"fsload: FAILED_PRECONDITION: {pattern}: refusing to delete all at the root "
                "of a file system; give --really twice to override\n"))

    def test_are_told_of_with_verbose(self):
        matches = [f"{self.uri}/*.txt matches {self.uri}/{name}.txt" for name in "ab"]
        deletions = [f"delete file {self.uri}/{name}.txt (6 bytes)" for name in "ab"]
        code, out, errors = run("rm", "-v", f"{self.uri}/*.txt", "other", cwd=self.folder)
        lines = out.splitlines()
        self.assertEqual((code, lines[:2], errors), (0, matches, ""))
        self.assertEqual(sorted(lines[2:]), ["delete file other (6 bytes)"] + deletions)

    def test_are_not_told_of_where_nothing_matches(self):
        self.assertEqual(run("rm", "-fv", f"{self.uri}/nothing*", cwd=self.folder),
                         (0, "", ""))

    def test_are_told_of_as_json_with_verbose(self):
        _, out, _ = run("mv", "-v", "--json", "--dry-run", f"{self.uri}/c*", self.folder + "/d")
        self.assertEqual(json.loads(out.splitlines()[0]), {
            "version": 1, "verb": "mv", "event": "match", "pattern": f"{self.uri}/c*",
            "uri": f"{self.uri}/c"})

    def test_keep_what_the_target_means(self):
        # One that matches a single file is one source, as in the shell.
        self.assertEqual(run("cp", f"{self.uri}/c*", self.folder + "/copy"), (0, "", ""))
        self.assertIn("copy", self.names())
        code, _, errors = run("cp", f"{self.uri}/*.txt", self.folder + "/nowhere")
        self.assertEqual(code, 4)
        self.assertIn("2 sources need one", errors)
        # One that cannot be expanded might match any number.
        code, _, errors = run("cp", "--continue-on-error", f"{self.uri}//*", self.folder + "/c",
                              self.folder + "/nowhere")
        self.assertIn("3 sources need one", errors)
        self.assertNotIn("nowhere", self.names())

    def test_that_fail_leave_the_target_the_target(self):
        before = self.names()
        code, _, _ = run("mv", "--continue-on-error", "a.txt", "b.txt", "file://host/x",
                         cwd=self.folder)
        self.assertEqual((code, self.names()), (1, before))

    def test_go_on_after_an_error_when_they_are_to(self):
        code, out, errors = run("cat", "--continue-on-error", f"{self.uri}//*", f"{self.uri}/a*")
        self.assertEqual((code, out), (1, "a.txt\n"))
        self.assertEqual(errors.splitlines()[-1], "fsload: 1 error")
        self.assertEqual(run("cat", f"{self.uri}//*", f"{self.uri}/a*")[:2], (1, ""))


class Schemes(FolderTest):
    def test_have_any_case(self):
        self.make("File")
        for scheme in "POSIX", "Posix", "posix":
            self.assertEqual(run("cat", f"{scheme}://{self.folder}/File"), (0, "File\n", ""))
        self.assertEqual(run("cat", f"POSIX://{self.folder}/file")[0], 4)
        self.assertEqual(run("ls", f"POSIX://{self.folder}/File")[1], f"{self.uri}/File\n")
        self.assertEqual(run("glob", f"POSIX://{self.folder}/F*")[1], f"{self.uri}/File\n")
        self.assertEqual(run("cp", f"POSIX://{self.folder}/File", f"Posix://{self.folder}/b"),
                         (0, "", ""))


class FileUris(FolderTest):
    def test_are_local_paths(self):
        self.make("a b", "c")
        os.mkdir(self.folder + "/d")
        for uri in "file://", "FILE://", "file://localhost":
            self.assertEqual(run("cat", f"{uri}{self.folder}/a%20b"), (0, "a b\n", ""))
        self.assertEqual(run("ls", f"file://{self.folder}/c"), (0, f"{self.folder}/c\n", ""))
        self.assertEqual(run("stat", "--json", f"file://{self.folder}/c")[0], 0)
        self.assertEqual(run("cp", f"file://{self.folder}/c", f"file://{self.folder}/d%2bd"),
                         (0, "", ""))
        self.assertEqual(run("touch", f"file://{self.folder}/t"), (0, "", ""))
        self.assertEqual(run("mkdir", f"file://{self.folder}/m"), (0, "", ""))
        self.assertEqual(run("mv", f"file://{self.folder}/c", f"file://{self.folder}/d/"), (0, "", ""))
        self.assertEqual(run("rm", f"file://{self.folder}/a%20b"), (0, "", ""))
        self.assertEqual(self.names(), {"d", "d/c", "d+d", "t", "m"})
        self.assertEqual(run("glob", f"file://{self.folder}/d*")[1].split(),
                         [f"{self.folder}/d", f"{self.folder}/d+d"])
        self.assertEqual(run("rm", "-r", f"file://{self.folder}/d*", f"file://{self.folder}/m"),
                         (0, "", ""))
        self.assertEqual(self.names(), {"t"})

    def test_of_other_machines_are_refused(self):
        for verb in "ls", "cat", "rm", "stat", "exists", "touch", "mkdir", "glob":
            self.assertEqual(run(verb, "file://host/a"), (
                1, "", "fsload: INVALID_ARGUMENT: file://host/a: names a file of the host 'host', "
                "but file:// reaches this machine only; write file:///PATH for a local path\n"))

    def test_are_refused_where_they_may_be_paths(self):
        self.make("100%25", "100%")
        before = self.names()
        for verb in "rm", "cat":
            code, out, errors = run(verb, f"file://{self.folder}/100%25")
            self.assertEqual((code, out, self.names()), (1, "", before))
            self.assertIn("exists, too; give the path without file://", errors)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
