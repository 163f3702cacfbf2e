#!/usr/bin/python3
"""Options that cp(1), mv(1), rm(1), mkdir(1), ls(1) and tail(1) have too, compared
with these in a copy of the same tree. The argument is the command's path."""

import os
import random
import shutil
import subprocess
import sys
import tempfile
import unittest

from command import DEADLINE, FSLOAD, environment, run_bytes, tree


def run(arguments, folder, **options):
    """(exit code, standard output, standard error)"""
    return run_bytes(*arguments[1:], program=arguments[0], cwd=folder,
                     env=environment(LC_ALL="C"), **options)


class PairTest(unittest.TestCase):
    def setUp(self):
        self.top = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.top)
        self.ours, self.theirs = self.top + "/ours", self.top + "/theirs"
        self.reset()

    def reset(self):
        for folder in self.ours, self.theirs:
            shutil.rmtree(folder, ignore_errors=True)
            os.makedirs(folder + "/d/sub")
            os.makedirs(folder + "/empty")
            for name in "f", "g", "d/x", "d/sub/y":
                with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
                    file.write(name)
            os.symlink("d", folder + "/linkd")
            os.symlink("f", folder + "/linkf")
            os.symlink("nowhere", folder + "/dangling")

    def check_same(self, line):
        """Both succeed or fail, and leave the same."""
        self.reset()
        words = line.split()
        code, _, errors = run([FSLOAD, *words], self.ours)
        expected, _, theirs = run(words, self.theirs)
        self.assertEqual(code == 0, expected == 0, f"{line}: {errors}{theirs}")
        self.assertEqual(tree(self.ours), tree(self.theirs), line)
        return code, errors


class NoTargetDirectory(PairTest):
    def test_is_what_coreutils_make_of_it(self):
        for line in ["cp -T f new", "cp -T f g", "cp -T f d", "cp -T f linkd", "cp -r -T d new",
                     "cp -r -T d empty", "cp -rT d f", "cp -T d new", "cp -T f g d", "cp -T f g/",
                     "cp -T f new/", "cp -T f d/", "cp -T f missing/new", "cp -nT f g",
                     "cp --no-target-directory f new", "mv -T f new", "mv -T f g", "mv -T f d",
                     "mv -T d new", "mv -T d empty", "mv -T d f", "mv -T f g d", "mv -T f new/",
                     "mv -T linkd new", "cp -T f ."]:
            with self.subTest(line):
                self.check_same(line)

    def test_says_what_is_in_the_way(self):
        for line, error in [
                ("cp -T f d", "FAILED_PRECONDITION: d: is a directory; cannot replace it with the "
                              "file f"),
                ("cp -T f g d", "INVALID_ARGUMENT: d: -T takes one source, but 2 are named"),
                ("mv -T f new/", "NOT_FOUND: new/: no such directory; remove the trailing '/' to "
                                 "name a file")]:
            with self.subTest(line):
                self.assertEqual(self.check_same(line)[1], f"fsload: {error}\n")

    def test_makes_a_copy_repeatable(self):
        for _ in range(2):
            self.assertEqual(run([FSLOAD, "cp", "-rT", "d", "copy"], self.ours), (0, b"", ""))
        self.assertEqual(sorted(tree(self.ours + "/copy")), ["sub", "sub/y", "x"])


class Force(PairTest):
    def test_of_rm_is_what_coreutils_make_of_it(self):
        for line in ["rm -f missing", "rm -f f missing g", "rm -rf missing d", "rm -f d", "rm -f",
                     "rm -rf", "rm -f dangling", "rm -f f/x", "rm -f missing/x", "rm -f missing/../f",
                     "rm --force missing", "rm -f linkd", "rm -f missing/", "rm missing", "rm -rf ."]:
            with self.subTest(line):
                self.check_same(line)

    def test_of_rm_forgives_nothing_else(self):
        for arguments, code in [
                (["f/"], 1), (["linkd/"], 1), (["d"], 1), (["-r", "/"], 1),
                (["nosuchscheme://a/b"], 1), (["--plugin", "missing.so", "f"], 1)]:
            with self.subTest(arguments):
                self.reset()
                before = tree(self.ours)
                found, out, errors = run([FSLOAD, "rm", "-f", *arguments], self.ours)
                self.assertEqual((found, out, tree(self.ours)), (code, b"", before), errors)
                self.assertNotEqual(errors, "")

    def test_of_cp_and_mv_is_accepted(self):
        for line in ["cp -f f g", "mv -f f g", "cp --force f new", "mv --force f new", "cp -nf f g"]:
            with self.subTest(line):
                self.check_same(line)

    def test_is_not_needed_to_name_what_is_there(self):
        code, out, errors = run([FSLOAD, "rm"], self.ours)
        self.assertEqual((code, out), (2, b""))
        self.assertIn("missing argument: uri", errors)


class TrailingSlashes(PairTest):
    def test_name_directories_only(self):
        for line in ["rm f/", "rm linkd/", "rm dangling/", "rm -r dangling/",
                     "mv dangling/ new", "mv linkd/ new", "mv f/ new", "cp f/ new",
                     "cp f g/", "mv f g/", "cp f linkf/", "cat f/", "head f/", "tail f/", "stat f/",
                     "du f/", "ls f/", "touch f/", "touch linkf/", "mkdir f/", "cmp f/ f", "ls d/",
                     "cat linkf/", "cp -r d/ new", "mv d/ new", "rm -r d/", "ls linkd/"]:
            with self.subTest(line):
                self.check_same(line)

    def test_are_shown_in_the_error(self):
        slash = "is a file, not a directory; remove the trailing '/'\n"
        link = ("is a link, not a directory; remove the trailing '/' to use the link itself\n")
        for line, error in [("cat f/", "f/: " + slash), ("touch f/", "f/: " + slash),
                            ("stat linkf/", "linkf/: " + slash), ("cp f g/", "g/: " + slash),
                            ("rm linkd/", "linkd/: " + link),
                            ("rm dangling/", "dangling/: " + link), ("mv linkd/ x", "linkd/: " + link)]:
            with self.subTest(line):
                self.assertEqual(self.check_same(line), (1, "fsload: FAILED_PRECONDITION: " + error))

    def test_of_a_link_do_not_delete_what_it_leads_to(self):
        # As rm(1) does, before it fails.
        before = tree(self.ours)
        self.assertEqual(run([FSLOAD, "rm", "-r", "linkd/"], self.ours)[0], 1)
        self.assertEqual(tree(self.ours), before)

    def test_of_a_file_make_it_missing(self):
        for path, code in ("f/", 4), ("d/", 0), ("linkd/", 0), ("linkf/", 4), ("f", 0):
            self.assertEqual(run([FSLOAD, "exists", path], self.ours), (code, b"", ""), path)


class Verbose(PairTest):
    def check_lines(self, line, *expected):
        self.reset()
        code, out, errors = run([FSLOAD, *line.split()], self.ours)
        self.assertEqual((code, sorted(out.decode().splitlines()), errors), (0, sorted(expected), ""))

    def test_prints_each_change(self):
        self.check_lines("cp -v f new", "copy file f -> new (1 bytes)")
        self.check_lines("cp -v f g", "copy file f -> g (1 bytes), which replaces what is there")
        self.check_lines("cp -rv d new", "make directory new", "make directory new/sub",
                         "copy file d/x -> new/x (3 bytes)",
                         "copy file d/sub/y -> new/sub/y (7 bytes)")
        self.check_lines("mv --verbose f new", "rename file f -> new (1 bytes)")
        self.check_lines("mv -v d new", "rename directory d -> new")
        self.check_lines("rm -rv d", "delete file d/x (3 bytes)", "delete file d/sub/y (7 bytes)",
                         "delete directory d/sub", "delete directory d")
        self.check_lines("rm -fv missing")
        self.check_lines("mkdir -v new", "make directory new")
        self.check_lines("mkdir -pv d/a/b", "make directory d/a", "make directory d/a/b")
        self.check_lines("mkdir -pv d")
        self.check_lines("cp -v --dry-run f new", "copy file f -> new (1 bytes)",
                         "steps: 1, files: 1, bytes: 1; nothing was done")

    def test_prints_as_many_lines_as_coreutils(self):
        for line in ["cp -v f g", "mv -v d new", "rm -rv d", "mkdir -pv d/a/b", "mkdir -pv d d/sub",
                     "rm -v f g", "cp -v f g d"]:
            with self.subTest(line):
                self.reset()
                ours = run([FSLOAD, *line.split()], self.ours)[1]
                theirs = run(line.split(), self.theirs)[1]
                self.assertEqual(len(ours.splitlines()), len(theirs.splitlines()))

    def test_prints_nothing_twice_as_json(self):
        for line in ["cp -v f new", "mkdir -vp a/b", "rm -vr d", "mv f -v new"]:
            with self.subTest(line):
                self.reset()
                verbose = run([FSLOAD, *line.split(), "--json"], self.ours)
                self.reset()
                plain = run([FSLOAD, *line.replace("-v ", "").replace("-v", "-").split(), "--json"],
                            self.ours)
                self.assertEqual(*((code, sorted(out.splitlines()), errors)
                                   for code, out, errors in (verbose, plain)))

    def test_names_standard_input_and_leaves_standard_output_alone(self):
        self.assertEqual(run([FSLOAD, "cp", "-v", "-", "new"], self.ours, input=b"x"),
                         (0, b"copy standard input -> new\n", ""))
        self.assertEqual(run([FSLOAD, "cp", "-v", "f", "-"], self.ours), (0, b"f", ""))


class Sorting(PairTest):
    def setUp(self):
        super().setUp()
        self.folder = self.top + "/times"
        os.makedirs(self.folder + "/old/deep")
        os.makedirs(self.folder + "/new")
        for number, name in enumerate(["m", "a", "old/deep/x", "z", "old/b", "old/a", "new/c"]):
            path = f"{self.folder}/{name}"
            with open(path, "w", encoding="utf-8") as file:
                file.write(name)
            os.utime(path, (0, 1000 + number // 2 * 10))
        for number, name in enumerate(["old/deep", "old", "new"]):
            os.utime(f"{self.folder}/{name}", (0, 500 + number))

    def test_is_that_of_coreutils(self):
        for line in ["ls -1 .", "ls -t .", "ls -1t .", "ls -r .", "ls -tr .", "ls -t old", "ls -t a m z",
                     "ls -t old z new a", "ls -rt old z new a", "ls -r a m", "ls -1 a z",
                     "ls -r old new"]:
            with self.subTest(line):
                ours = run([FSLOAD, *line.split()], self.folder)
                theirs = run(line.split(), self.folder)
                self.assertEqual(ours, theirs)

    def test_takes_no_trees(self):
        for line in "ls -tR .", "ls -rR .":
            code, out, errors = run([FSLOAD, *line.split()], self.folder)
            self.assertEqual((code, out), (2, b""))
            self.assertIn("cannot be used with", errors)

    def test_goes_on_as_ls_does(self):
        code, out, errors = run([FSLOAD, "ls", "-t", "--continue-on-error", "missing", "a"],
                                self.folder)
        self.assertEqual((code, out), (4, b"a\n"))
        self.assertIn("missing: ", errors)


class Tail(PairTest):
    def check_tail(self, *arguments, **options):
        ours = run([FSLOAD, "tail", *arguments], self.ours, **options)
        theirs = run(["tail", *arguments], self.ours, **options)
        self.assertEqual(ours, theirs, arguments)

    def write(self, name, contents):
        with open(f"{self.ours}/{name}", "wb") as file:
            file.write(contents)

    def test_prints_what_coreutils_print(self):
        for contents in [b"", b"\n", b"a", b"a\n", b"\n\n", b"a\nb", b"a\nb\n",
                         b"".join(b"line %d\n" % i for i in range(100))]:
            self.write("file", contents)
            for amount in ["-n0"], ["-n1"], ["-n2"], ["-n10"], ["-n1000"], ["-c0"], ["-c1"], \
                    ["-c7"], ["-c1K"], []:
                with self.subTest(contents=contents[:10], amount=amount):
                    self.check_tail(*amount, "file")
                    self.check_tail(*amount, "-", input=contents)

    def test_finds_lines_across_blocks(self):
        random.seed(20261123)
        for _ in range(20):
            size = random.choice([1 << 14, 1 << 16, 3 << 20]) + random.randrange(-2, 3)
            contents = bytearray(size)
            for _ in range(random.randrange(40)):
                contents[random.randrange(size)] = 10
            for edge in (size - (1 << 14), size - 5 * (1 << 14)):
                if edge > 1:
                    contents[edge - random.randrange(2)] = 10
            self.write("file", bytes(contents))
            for count in 1, 2, 3, 10, 30:
                self.check_tail("-n", str(count), "file")
            self.check_tail("-n", "5", "-", input=bytes(contents))
            self.check_tail("-c", str(random.randrange(size)), "file")

    def test_has_headers(self):
        self.write("a", b"1\n2\n")
        self.write("b", b"3\n4")
        self.check_tail("-n1", "a", "b")
        self.check_tail("-q", "-n1", "a", "b")
        self.check_tail("-n1", "a", "-", input=b"x\ny\n")

    def test_reads_files_that_tell_no_length(self):
        self.check_tail("-n1", "/proc/self/limits")

    def test_reads_files_that_are_shorter_than_they_tell(self):
        online = "/sys/devices/system/cpu/online"
        if not os.path.exists(online):
            self.skipTest("only files of /sys are shorter than they tell, and it is not mounted")
        for amount in "-n1", "-c1", "-c4094":
            self.check_tail(amount, online)

    def test_reads_only_the_end(self):
        with open(self.ours + "/huge", "wb") as file:
            file.seek(1 << 40)
            file.write(b"\none\ntwo\n")
        self.assertEqual(run([FSLOAD, "tail", "-n1", "huge"], self.ours), (0, b"two\n", ""))
        self.assertEqual(run([FSLOAD, "tail", "-c", "4", "huge"], self.ours), (0, b"two\n", ""))

    def test_keeps_only_the_end_of_standard_input(self):
        self.check_tail("-n2", "-", input=b"x" * 70 + b"\n" + b"line\n" * (4 << 20))

    def test_prints_all_from_a_line_or_byte_on(self):
        lines = b"".join(b"line %d\n" % i for i in range(100))
        for contents in [b"", b"\n", b"a", b"a\n", b"\n\n", b"a\nb", lines,
                         b"x" * (3 << 20) + b"\n" + lines]:
            self.write("file", contents)
            for number in "0", "1", "2", "3", "50", "101", "1000", "1K", "9999999":
                for option in "-n", "-c":
                    self.check_tail(option, "+" + number, "file")
                    self.check_tail(option, "+" + number, "-", input=contents)
        self.check_tail("-n", "+2", "file", "f")

    def test_does_not_follow(self):
        code, out, errors = run([FSLOAD, "tail", "-f", "f"], self.ours)
        self.assertEqual((code, out), (2, b""))
        self.assertIn("unknown option '-f'", errors)
        self.assertIn(b"There is no -f", run([FSLOAD, "tail", "--help"], self.ours)[1])


class FullOutput(PairTest):
    def test_is_told_as_what_it_is(self):
        with open("/dev/full", "wb") as full:
            ended = subprocess.run([FSLOAD, "cat", "f"], cwd=self.ours, stdout=full, check=False,
                                   stderr=subprocess.PIPE, timeout=DEADLINE)
        self.assertEqual((ended.returncode, ended.stderr.decode()), (
            1, "fsload: RESOURCE_EXHAUSTED: standard output: No space left on device; the output "
               "is incomplete; free some space and run the command again\n"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
