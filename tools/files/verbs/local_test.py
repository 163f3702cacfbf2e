#!/usr/bin/python3
"""What fsload cp, mv and rm do to local trees, compared with cp(1), mv(1) and
rm(1). The argument is the command's path."""

import glob
import json
import os
import resource
import shutil
import socket
import stat
import struct
import subprocess
import sys
import tempfile
import time
import unittest

from command import DEADLINE, FSLOAD, CommandTest

NOBODY = 65534
IS_ROOT = os.geteuid() == 0
AS_NOBODY = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]


def snapshot(folder, times=False):
    """All attributes of everything in a folder, by path."""
    found = {}
    for parent, folders, files in os.walk(folder):
        for name in folders + files:
            path = os.path.join(parent, name)
            info = os.lstat(path)
            said = [stat.filemode(info.st_mode), info.st_uid, info.st_gid]
            if stat.S_ISREG(info.st_mode):
                with open(path, "rb") as file:
                    said.append(file.read())
            if stat.S_ISLNK(info.st_mode):
                said.append(os.readlink(path))
            if stat.S_ISCHR(info.st_mode):
                said.append(info.st_rdev)
            if times:
                said.append(info.st_mtime_ns)
            found[os.path.relpath(path, folder)] = said
    return found


class LocalTest(CommandTest):
    def run_command(self, *command, **options):
        return self.run_fsload(*command[1:], program=command[0], **options)

    def fails(self, code, words, *arguments, **options):
        found, _, err = self.run_fsload(*arguments, **options)
        self.assertEqual(found, code, err)
        self.assertIn(words, err)

    def other_disk(self):
        if os.stat("/dev/shm").st_dev == os.stat(self.folder).st_dev:
            self.skipTest("there is but one disk")
        other = tempfile.mkdtemp(dir="/dev/shm")
        os.chmod(other, 0o777)
        self.addCleanup(subprocess.run, ["rm", "-rf", other], check=True)
        return other


SWAPPER = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
a, b = (os.fsencode(path) for path in sys.argv[1:])
print(flush=True)
while True:
    libc.renameat2(-100, a, -100, b, 2)  # RENAME_EXCHANGE
"""


class Races(LocalTest):
    """Somebody swaps a directory for a link while root works in his tree."""

    ROUNDS = 10
    FILES = 150

    def race(self, *arguments):
        if not IS_ROOT:
            self.skipTest("only root is worth it")
        os.chmod(self.folder, 0o755)
        victim = self.at("victim")
        os.mkdir(victim)
        names = [f"f{number}" for number in range(self.FILES)]
        for name in names:
            self.add("victim/" + name)
        for _ in range(self.ROUNDS):
            for name in names:
                self.add("his/tree/sub/" + name)
            os.symlink(victim, self.at("his/tree/swap"))
            self.run_command("chown", "-hR", str(NOBODY), "his")
            with subprocess.Popen([*AS_NOBODY, sys.executable, "-c", SWAPPER,
                                   self.at("his/tree/sub"), self.at("his/tree/swap")],
                                  stdout=subprocess.PIPE) as swapper:
                try:
                    swapper.stdout.readline()
                    self.run_fsload(*arguments, "--continue-on-error")
                finally:
                    swapper.kill()
            self.assertEqual(sorted(os.listdir(victim)), sorted(names))
            self.run_command("rm", "-rf", "his")

    def test_lose_nothing_to_rm(self):
        self.race("rm", "-r", "his/tree")

    def test_lose_nothing_to_mv(self):
        self.race("mv", "his/tree", self.other_disk())


class Plans(LocalTest):
    """A target that is another source would be lost."""

    def refused(self, *arguments):
        before = snapshot(self.folder)
        for verb in ["mv"], ["cp", "-r"]:
            self.fails(1, "is also a source", *verb, *arguments)
            self.assertEqual(snapshot(self.folder), before)

    def test_put_nothing_onto_a_source_of_one_tree(self):
        self.add("d/d/f", b"outer")
        self.add("d/d/d/f", b"inner")
        self.refused("d/d", ".")
        os.symlink(".", self.at("link"))
        self.refused("posix://" + self.at("link/d/d"), "link")

    def test_put_nothing_onto_another_source(self):
        self.add("A/A/x", b"inner")
        self.add("A/x", b"outer")
        self.refused("A/A", "A/x", ".")
        self.add("B/x", b"1")
        self.add("T/B/x", b"2")
        self.refused("B", "T/B/x", "T")
        self.refused("T/B/x", "B", "T")

    def test_put_nothing_onto_what_a_link_among_the_sources_leads_to(self):
        self.add("conf", b"old")
        self.add("new/conf", b"new")
        os.symlink("../conf", self.at("new/bak"))
        before = snapshot(self.folder)
        self.fails(1, "is also a source", "cp", "-r", "new/.", ".")
        self.fails(1, "is also a source", "cp", "new/bak", "new/conf", ".")
        self.assertEqual(snapshot(self.folder), before)

    def test_put_nothing_into_a_directory_that_is_renamed(self):
        self.add("a/d/e/f", b"new")
        self.add("d/e/f", b"old")
        before = snapshot(self.folder)
        for sources in ["a/d", "d/e"], ["d/e", "a/d"]:
            self.fails(1, "is also a source", "mv", *sources, ".")
            self.assertEqual(snapshot(self.folder), before)

    def test_put_nothing_onto_what_an_error_names(self):
        for verb in "mv", "cp":
            self.add("e/f", b"X")
            self.add("d/f", b"Y")
            for sources in ["e/f", "d/f"], ["d/f", "e/f"]:
                self.fails(1, "are the same file", verb, "--continue-on-error", *sources, "e")
                self.assertEqual((self.read("e/f"), self.read("d/f")), (b"X", b"Y"))

    def test_put_nothing_into_a_directory_that_an_error_names(self):
        self.add("e/f/x", b"1")
        self.add("d/f/x", b"2")
        for verb in ["mv"], ["cp", "-r"]:
            for sources in ["e/f", "d/f"], ["d/f", "e/f"]:
                self.fails(1, "e/f and e/f are the same directory", *verb, "--continue-on-error",
                           *sources, "e")
                self.assertEqual((self.read("e/f/x"), self.read("d/f/x")), (b"1", b"2"))

    def test_put_nothing_onto_what_links_of_other_shards_lead_to(self):
        self.add("conf", b"old")
        self.add("new/conf", b"new")
        os.symlink("../conf", self.at("new/bak"))
        for shard in "2/2", "1/2":
            self.run_fsload("cp", "-r", "--shard", shard, "new/.", ".")
        self.assertIn(b"old", [self.read(name) for name in ("conf", "bak")
                               if os.path.exists(self.at(name))])

    def test_put_nothing_onto_the_sources_of_other_shards(self):
        self.add("d/d/d/a", b"1")
        self.add("d/d/a", b"2")
        for shard in "2/2", "1/2":
            self.run_fsload("cp", "-r", "--shard", shard, "d/d", "d")
        self.assertEqual((self.read("d/d/a"), self.read("d/d/d/a")), (b"2", b"1"))

    def test_bring_the_rest_where_one_goes_on(self):
        self.add("d/d/f", b"outer")
        self.add("d/d/d/f", b"inner")
        self.add("d/d/g", b"other")
        self.fails(1, "is also a source", "mv", "--continue-on-error", "d/d", ".")
        self.assertEqual(self.read("d/f"), b"outer")
        self.assertEqual(self.read("d/g"), b"other")
        self.assertEqual(self.read("d/d/d/f"), b"inner")


class ForbiddenTargets(LocalTest):
    def test_that_lead_to_what_is_open_are_not_replaced(self):
        os.symlink("/proc/self/fd/1", self.at("stdout"))
        self.add("f", b"contents")
        for arguments in ["cp", "f", "stdout"], ["mv", "f", "stdout"], ["cp", "-", "stdout"]:
            # What is not fsload's goes to standard error there.
            with open(self.at("out"), "wb") as out, open(self.at("err"), "wb") as errors:
                ended = subprocess.run([FSLOAD, *arguments], cwd=self.folder, stdout=out,
                                       stdin=subprocess.DEVNULL, stderr=errors,
                                       timeout=DEADLINE, check=False)
            self.assertEqual(ended.returncode, 1)
            self.assertIn(b"stdout: is a link to a file that a process has open",
                          self.read("err"))
            self.assertEqual(os.readlink(self.at("stdout")), "/proc/self/fd/1")
            self.assertEqual(self.read("f"), b"contents")

    def test_that_may_not_be_so_large_are_errors(self):
        self.add("f", b"x" * 10_000)
        limit = (1000, resource.getrlimit(resource.RLIMIT_FSIZE)[1])
        self.fails(1, "File too large", "cp", "f", "g",
                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limit))
        self.assertEqual(os.listdir(self.folder), ["f"])


class AlikeTrees(LocalTest):
    def test_of_equal_directories_are_walked_once(self):
        depth = 900
        os.makedirs(self.at("/".join(["n"] * depth)))
        self.assertEqual(len(self.succeeds("ls", "-R", "n").splitlines()), depth - 1)
        self.assertEqual(self.succeeds("du", "n"), "0\tn\n")


class Parents(LocalTest):
    def test_of_a_link_are_those_of_what_it_leads_to(self):
        for prefix in "", self.folder + "/", "posix://" + self.folder + "/":
            with self.subTest(prefix):
                os.makedirs(self.at("a/cur"))
                os.symlink("a/cur", self.at("l"))
                self.add("old/kept", b"outside")
                self.add("a/old/gone", b"inside")
                self.assertEqual(self.succeeds("cat", prefix + "l/../old/gone"), "inside")
                self.succeeds("cp", prefix + "l/../old/gone", prefix + "l/../new")
                self.assertEqual(self.read("a/new"), b"inside")
                self.succeeds("rm", "-r", prefix + "l/../old")
                self.assertEqual(sorted(os.listdir(self.at("a"))), ["cur", "new"])
                self.succeeds("mv", prefix + "l/../new", "moved")
                self.assertEqual(self.read("old/kept"), b"outside")
                self.run_command("rm", "-rf", *os.listdir(self.folder))

    def test_of_nothing_lead_nowhere(self):
        self.add("x", b"kept")
        for arguments in ["rm", "missing/../x"], ["rm", "-r", "missing/../x"], \
                ["mv", "missing/../x", "y"], ["cp", "x", "missing/../y"]:
            with self.subTest(arguments):
                self.fails(4, "missing", *arguments)
                self.assertEqual(os.listdir(self.folder), ["x"])

    def test_a_parent_of_what_is_no_directory_is_an_error_of_all_verbs(self):
        self.add("old", b"1")
        os.symlink("gone", self.at("dangling"))
        os.symlink("loop", self.at("loop"))
        before = sorted(os.listdir(self.folder))
        for part in "missing", "dangling", "loop", "old":
            for verb in (["cat"], ["head"], ["tail"], ["stat"], ["ls"], ["du"],
                         ["touch"], ["mkdir"], ["mkdir", "-p"], ["cmp", "old"], ["cp", "old"],
                         ["rm"], ["mv"]):
                with self.subTest(part=part, verb=verb):
                    path = f"{part}/../{'new' if verb[0] in ('touch', 'mkdir') else 'old'}"
                    more = ["x"] if verb[0] == "mv" else []
                    code, out, err = self.run_fsload(*verb, path, *more)
                    self.assertEqual(out, "")
                    self.assertNotIn(code, (0, 2), err)
                    self.assertIn(f"{part}/..", err)
                    self.assertEqual(sorted(os.listdir(self.folder)), before)
        self.assertEqual(self.run_fsload("exists", "missing/../old", "old"), (4, "", ""))
        self.assertEqual(self.run_fsload("rm", "-f", "missing/../old"), (0, "", ""))

    def test_are_not_deleted_by_that_name(self):
        self.add("d/e/f", b"kept")
        os.symlink("d/e", self.at("l"))
        for uri in "d/e/..", "l/..", "l/../.", "d/e/.", "posix://" + self.at("l/.."):
            for arguments in ["rm", "-r", uri], ["mv", uri, "x"]:
                with self.subTest(arguments):
                    self.fails(1, "", *arguments)
                    self.assertEqual(self.read("d/e/f"), b"kept")


class Specials(LocalTest):
    """Devices, FIFOs and sockets."""

    def add_specials(self, folder):
        os.makedirs(self.at(folder), exist_ok=True)
        os.mkfifo(self.at(folder + "/fifo"))
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(os.path.relpath(self.at(folder + "/socket")))
        found = ["fifo", "socket"]
        if IS_ROOT:
            os.mknod(self.at(folder + "/zero"), 0o666 | stat.S_IFCHR, os.makedev(1, 5))
            found.append("zero")
        return found

    def test_are_not_replaced_nor_read_beside_others(self):
        self.add("file", b"contents")
        names = self.add_specials("s")
        os.symlink("fifo", self.at("s/link"))
        before = snapshot(self.folder)
        for name in [*names, "link"]:
            path = "s/" + name
            for arguments in ["cp", "file", path], ["cp", "-", path], ["mv", "file", path], \
                    ["cp", "-r", path, "copy"], ["cp", "file", path, "s/"], ["sync", path, "s"]:
                with self.subTest(arguments):
                    self.fails(1, path, *arguments, stdin=subprocess.DEVNULL)
                    self.assertEqual(snapshot(self.folder), before)
        self.fails(1, "s/socket", "cp", "s/socket", "copy")

    def shell(self, script, code=0):
        """What bash prints; $F is the command."""
        found, out, err = self.run_command("bash", "-c", f"F={FSLOAD}; {script}")
        self.assertEqual((found, err), (code, ""), script)
        return out

    def test_are_read_as_streams(self):
        os.mkfifo(self.at("fifo"))
        late = "(sleep 0.2; printf abc > fifo) & "
        for script, printed in (
                ("$F cat <(printf abc)", "abc"),
                ("$F cat <(printf abc) <(printf d) posix://<(printf e)", "abcde"),
                ("printf abc | $F cat /dev/stdin", "abc"),
                ("$F cat --offset 1 --count 1 <(printf abc)", "b"),
                ("$F head -c 2 <(printf abc)", "ab"),
                ("$F tail -n 1 <(printf 'a\\nb\\n')", "b\n"),
                ("exec 3< <(printf abc); sleep 0.2; $F cat /dev/fd/3", "abc"),
                ("$F cat /dev/null", ""),
                ("$F head -c 3 /dev/zero", "\0\0\0"),
                (late + "$F cat fifo; wait", "abc"),
                (late + "$F cp fifo -; wait", "abc"),
                ("$F cmp <(printf abc) <(printf abc)", ""),
                ("$F cp <(head -c 3000000 /dev/zero) copy; wc -c < copy", "3000000\n"),
                ("$F cp -v <(printf abc) posix://$PWD/copy | wc -l; cat copy", "1\nabc"),
                ("printf abcd | $F cp -T /dev/stdin copy; cat copy", "abcd"),
                ("$F cp -n <(printf x) copy; cat copy", "abcd"),
                (late + "$F cp fifo copy; wait; cat copy", "abc"),
                ("$F cp /dev/null copy; cat copy", "")):
            with self.subTest(script):
                self.assertEqual(self.shell(script), printed)
        self.assertIn("differ: byte 2", self.shell("$F cmp <(printf abc) <(printf axc)", code=1))
        self.assertTrue(stat.S_ISFIFO(os.lstat(self.at("fifo")).st_mode))

    def test_are_no_copy_in_place_of_a_source_that_was_given_up(self):
        self.add("out", b"precious")
        for source in "<(printf abc)", "-":
            with self.subTest(source):
                script = f"echo abc | {FSLOAD} cp --continue-on-error file:///100% {source} out"
                code, _, err = self.run_command("bash", "-c", script)
                self.assertNotEqual(code, 0, err)
                self.assertIn("file:///100%", err)
                self.assertEqual(self.read("out"), b"precious")

    def test_are_told_of_as_json(self):
        for options, step, done in (
                ("", {"source": "-", "bytes": 3, "replaces": False}, (1, 1, 3, 0)),
                ("", {"source": "-", "bytes": 3, "replaces": True}, (1, 1, 3, 0)),
                ("-n", None, (0, 0, 0, 1))):
            events = [json.loads(line) for line in
                      self.shell(f"printf abc | $F cp --json {options} - copy").splitlines()]
            with self.subTest(options, step=step):
                self.assertEqual([event["event"] for event in events],
                                 ["copy_file"] * (step is not None) + ["done"])
                if step is not None:
                    self.assertLessEqual(step.items(), events[0].items())
                    self.assertTrue(events[0]["target"].endswith("copy"))
                self.assertEqual(tuple(events[-1][key] for key in
                                       ("steps", "files", "bytes", "skipped")), done)

    def test_that_nobody_writes_can_be_interrupted(self):
        os.mkfifo(self.at("fifo"))
        self.add("copy", b"old")
        before = snapshot(self.folder)
        for arguments in ["cat", "fifo"], ["cp", "fifo", "copy"], ["cp", "fifo", "new"]:
            with self.subTest(arguments):
                code, _, _ = self.run_command("timeout", "--preserve-status", "-s", "INT", "1",
                                              FSLOAD, *arguments)
                self.assertEqual(code, 130)
                self.assertEqual(snapshot(self.folder), before)

    def test_are_left_where_what_is_there_stays(self):
        self.add("file", b"contents")
        for name in self.add_specials("s"):
            self.add("t/" + name, b"contents")
            self.succeeds("cp", "-n", "file", "s/" + name)
            self.succeeds("cp", "-n", "-r", "t/.", "s")
        self.assertTrue(stat.S_ISFIFO(os.lstat(self.at("s/fifo")).st_mode))

    def test_that_take_all_stay(self):
        if not IS_ROOT:
            self.skipTest("only root makes devices")
        self.add("file", b"contents")
        # A device of our own, as a failure here loses it.
        os.mknod(self.at("null"), 0o666 | stat.S_IFCHR, os.makedev(1, 3))
        os.symlink("null", self.at("link"))
        for target in "null", "link":
            self.fails(1, "a character device", "cp", "file", target)
            self.fails(1, "a character device", "cp", "-", target, input=b"contents")
        self.assertEqual(os.stat(self.at("link")).st_rdev, os.makedev(1, 3))

    def test_that_are_standard_streams_are_written_otherwise(self):
        self.add("file", b"contents")
        self.fails(1, "/dev/stdout: is a FIFO, not a regular file; fsload neither reads nor replaces "
                      "it; write '-' for standard output\n", "cp", "file", "/dev/stdout")

    def test_in_a_tree_are_named_and_the_rest_is_copied(self):
        names = self.add_specials("s/d")
        self.add("s/file", b"contents")
        code, _, err = self.run_fsload("cp", "-r", "--continue-on-error", "s", "t")
        self.assertEqual(code, 1)
        for name in names:
            self.assertIn(f"s/d/{name}: is ", err)
        self.assertEqual(sorted(snapshot(self.at("t"))), ["d", "file"])
        self.fails(1, "s/d/", "cp", "-r", "s", "u")
        self.assertNotIn("u", os.listdir(self.folder))
        self.succeeds("cp", "-r", *[word for name in names for word in ("--exclude", name)],
                      "s", "u")

    def test_are_renamed_and_deleted(self):
        names = self.add_specials("s")
        self.succeeds("mv", "s/fifo", "f")
        self.assertTrue(stat.S_ISFIFO(os.lstat(self.at("f")).st_mode))
        self.succeeds("rm", "f", *["s/" + name for name in names[1:]])
        self.add_specials("s")
        self.succeeds("rm", "-r", "s")
        self.assertEqual(os.listdir(self.folder), [])

    def test_are_made_anew_on_another_disk(self):
        other = self.other_disk()
        names = self.add_specials("s")
        os.symlink("nowhere", self.at("s/link"))
        before = snapshot(self.at("s"), times=True)
        self.succeeds("mv", *["s/" + name for name in [*names, "link"]], other)
        self.assertEqual(snapshot(other, times=True), before)
        self.assertEqual(os.listdir(self.at("s")), [])
        shutil.rmtree(self.at("s"))
        shutil.copytree(other, self.at("s"), symlinks=True, ignore=lambda *_: names)
        self.add_specials("t")
        self.succeeds("mv", "t", other)
        self.assertEqual(sorted(os.listdir(other + "/t")), sorted(names))


class Targets(LocalTest):
    def add_two(self):
        for path in "src/x/f", "src/y/f":
            self.add(path, path.encode())
        os.makedirs(self.at("dst/y"))
        os.symlink("y", self.at("dst/x"))

    def test_of_two_sources_are_never_one(self):
        self.add_two()
        before = snapshot(self.folder)
        for arguments in ["mv", "src/x", "src/y", "dst"], ["cp", "-r", "src/x", "src/y", "dst"], \
                ["cp", "-r", "src/.", "dst"], ["mv", "src/x", "posix://" + self.at("dst")]:
            with self.subTest(arguments):
                self.fails(1, "dst/x: is a link to a directory", *arguments)
                self.assertEqual(snapshot(self.folder), before)

    def test_may_be_named_by_a_link(self):
        self.add("src/f", b"contents")
        os.mkdir(self.at("dst"))
        os.symlink("dst", self.at("link"))
        self.succeeds("cp", "-r", "src", "link")
        self.succeeds("mv", "src/f", "link/")
        self.assertEqual(sorted(snapshot(self.at("dst"))), ["f", "src", "src/f"])

    def test_twice_under_one_name_are_refused(self):
        self.add("a/d/f", b"a")
        self.add("b/d/f", b"b")
        os.mkdir(self.at("t"))
        before = snapshot(self.folder)
        self.fails(1, "another source has the same target t/d", "mv", "a/d", "b/d", "t")
        self.fails(1, "another source has the same target t/f", "mv", "a/d/f", "b/d/f", "t")
        self.assertEqual(snapshot(self.folder), before)


class ManySources(LocalTest):
    """More files in one folder than the process may open."""
    COUNT = 100

    def run_with_few_descriptors(self, *arguments):
        self.succeeds(*arguments, "--quiet",
                      preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (24, 24)))

    def test_need_one_descriptor_together(self):
        names = [f"f{number}" for number in range(self.COUNT)]
        for name in names:
            self.add("src/" + name)
        for folder in "copies", "dst":
            os.mkdir(self.at(folder))
        sources = ["src/" + name for name in names]
        self.run_with_few_descriptors("cp", "-j2", *sources, "copies")
        self.run_with_few_descriptors("mv", "-j2", *sources, "dst")
        self.run_with_few_descriptors("rm", "-j2", *["copies/" + name for name in names])
        self.assertEqual(sorted(os.listdir(self.at("dst"))), sorted(names))
        for folder in "copies", "src":
            self.assertEqual(os.listdir(self.at(folder)), [])


class LinksThatLeadNowhere(LocalTest):
    def test_are_replaced_by_mv(self):
        self.add("a", b"contents")
        os.symlink("nowhere", self.at("link"))
        self.succeeds("mv", "a", "link")
        self.assertEqual(self.read("link"), b"contents")
        self.assertFalse(os.path.islink(self.at("link")))


class NamesOfOneFile(LocalTest):
    def test_are_not_moved_over_each_other(self):
        self.add("a", b"contents")
        os.link(self.at("a"), self.at("b"))
        os.mkdir(self.at("d"))
        os.link(self.at("a"), self.at("d/a"))
        before = snapshot(self.folder)
        for target in "b", "d", "d/a":
            self.fails(1, "are the same file", "mv", "a", target)
            self.assertEqual(snapshot(self.folder), before)

    def test_are_one_on_a_disk_that_is_mounted_twice(self):
        if not IS_ROOT:
            self.skipTest("only root mounts")
        self.add("a", b"contents")
        self.add("b")
        if subprocess.run(["mount", "--bind", self.at("a"), self.at("b")], check=False,
                          capture_output=True).returncode != 0:
            self.skipTest("mounting is not allowed here")
        try:
            self.fails(1, "are the same file", "mv", "a", "b")
        finally:
            subprocess.run(["umount", self.at("b")], check=True)
        self.assertEqual(self.read("a"), b"contents")


class MovedDirectories(LocalTest):
    def test_are_renamed_whole_into_a_folder_that_is_made_for_them(self):
        for name in "a", "b":
            self.add(f"src/{name}/f", name.encode())
        before = [os.stat(self.at(f"src/{name}")).st_ino for name in ("a", "b")]
        self.succeeds("mv", "src/a", "src/b", "new/folder/")
        after = [os.stat(self.at(f"new/folder/{name}")).st_ino for name in ("a", "b")]
        self.assertEqual(after, before)
        self.assertEqual(os.listdir(self.at("src")), [])

    def test_with_two_names_of_one_file_go_to_another_disk(self):
        other = tempfile.mkdtemp(dir="/dev/shm")
        self.addCleanup(shutil.rmtree, other)
        if os.stat(other).st_dev == os.stat(self.folder).st_dev:
            self.skipTest("one disk only")
        names = [str(number) for number in range(50)]
        self.add("src/0", b"contents")
        for name in names[1:]:
            os.link(self.at("src/0"), self.at("src/" + name))
        self.succeeds("mv", "src", other)
        self.assertEqual(sorted(os.listdir(other + "/src")), sorted(names))
        self.assertFalse(os.path.lexists(self.at("src")))

    def test_that_are_refused_are_not_made_for_what_is_in_them(self):
        self.add("e/d/d", b"file")
        self.add("deep/d/d/s/g", b"deep")
        self.fails(1, "another source has the same target out/d/d", "cp", "-r",
                   "--continue-on-error", "e/d", "deep/d", "out/")
        self.assertEqual(sorted(snapshot(self.at("out"))), ["d", "d/d"])
        self.assertEqual(self.read("out/d/d"), b"file")


class Modes(LocalTest):
    def test_of_files_that_are_replaced_from_elsewhere_are_kept(self):
        plugins = os.path.abspath("testdata")
        self.add("a", b"new", 0o644)
        for command in [["cp", "-", "b"], ["mv", "posix://" + self.at("c"), "b"],
                        ["cp", "--plugin", plugins + "/minimal.so",
                         "minimal://" + self.at("a"), "b"]]:
            with self.subTest(command):
                self.add("b", b"old", 0o600)
                self.add("c", b"new", 0o600)
                self.succeeds(*command, input=b"new")
                self.assertEqual(self.read("b"), b"new")
                self.assertEqual(stat.S_IMODE(os.stat(self.at("b")).st_mode), 0o600)

    def test_of_files_that_are_replaced_hold_while_they_are_written(self):
        self.add("b", b"old", 0o600)
        with subprocess.Popen([FSLOAD, "cp", "-", self.at("b")], stdin=subprocess.PIPE,
                              preexec_fn=lambda: os.umask(0o022)) as copy:
            end = time.monotonic() + DEADLINE
            while not (written := glob.glob(self.at(".fsload-*"))):
                self.assertLess(time.monotonic(), end)
            mode = os.stat(written[0]).st_mode
            copy.communicate(b"new")
        self.assertEqual(stat.S_IMODE(mode), 0o600)
        self.assertEqual(self.read("b"), b"new")

    def test_of_files_with_a_list_of_rights_are_kept_with_it(self):
        access, default = "system.posix_acl_access", "system.posix_acl_default"

        def rights(*entries):  # tag, bits, whose
            return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry)
                                                   for entry in entries)

        nobody = 0xffffffff
        # The user may; another one may; the group and all others may not.
        kept = rights((1, 6, nobody), (2, 6, NOBODY), (4, 0, nobody), (16, 6, nobody),
                      (32, 0, nobody))
        # The default for new files in the folder: yet another user may.
        given = rights((1, 7, nobody), (2, 7, 1), (4, 7, nobody), (16, 7, nobody),
                       (32, 7, nobody))
        self.add("a", b"new", 0o644)
        os.mkdir(self.at("d"))
        plugins = os.path.abspath("testdata")
        for command in [["cp", "a", "d/b"], ["cp", "-", "d/b"],
                        ["cp", "--plugin", plugins + "/minimal.so",
                         "minimal://" + self.at("a"), "d/b"]]:
            with self.subTest(command):
                self.add("d/b", b"old", 0o600)
                try:
                    os.setxattr(self.at("d/b"), access, kept)
                except OSError:
                    self.skipTest("there are no such lists here")
                mode = os.stat(self.at("d/b")).st_mode
                self.succeeds(*command, input=b"new")
                self.assertEqual(self.read("d/b"), b"new")
                self.assertEqual(os.getxattr(self.at("d/b"), access), kept)
                self.assertEqual(os.stat(self.at("d/b")).st_mode, mode)
                os.remove(self.at("d/b"))
                self.add("d/b", b"old", 0o640)
                os.setxattr(self.at("d"), default, given)
                self.succeeds(*command, input=b"new")
                self.assertNotIn(access, os.listxattr(self.at("d/b")))
                os.removexattr(self.at("d"), default)
                os.remove(self.at("d/b"))


    def test_of_what_is_moved_to_another_disk_are_not_those_of_its_new_folder(self):
        other = self.other_disk()
        os.mkdir(other + "/tree")
        for name in ["file", "tree/file"]:
            with open(f"{other}/{name}", "w", encoding="utf-8") as file:
                file.write("secret")
            os.chmod(f"{other}/{name}", 0o640)
        os.mkdir(self.at("d"))
        access, default = "system.posix_acl_access", "system.posix_acl_default"
        entries = [(1, 7, -1), (2, 7, NOBODY), (4, 7, -1), (16, 7, -1), (32, 0, -1)]
        try:
            os.setxattr(self.at("d"), default, struct.pack("<I", 2) + b"".join(
                struct.pack("<HHI", tag, bits, whose & 0xffffffff)
                for tag, bits, whose in entries))
        except OSError:
            self.skipTest("there are no such lists here")
        self.succeeds("mv", other + "/file", other + "/tree", "d/")
        for name in ["d/file", "d/tree", "d/tree/file"]:
            lists = set(os.listxattr(self.at(name))) & {access, default}
            self.assertEqual(lists, set(), name)
        self.assertEqual(stat.S_IMODE(os.stat(self.at("d/file")).st_mode), 0o640)


class LinksBack(LocalTest):
    def test_are_named_and_take_no_time(self):
        self.add("src/d/a", b"1")
        for number in range(4):
            os.symlink(".", self.at(f"src/l{number}"))
            os.symlink("..", self.at(f"src/d/l{number}"))
        code, _, err = self.run_fsload("cp", "-r", "--continue-on-error", "src", "dst")
        self.assertEqual(code, 1)
        self.assertTrue(err.endswith("\nfsload: 8 errors\n"), err)
        self.assertIn("src/d/l0: is a link back to src", err)
        self.assertEqual(sorted(snapshot(self.at("dst"))), ["d", "d/a"])


class Holes(LocalTest):
    def test_stay_holes(self):
        other = self.other_disk()
        with open(self.at("a"), "wb") as file:
            file.write(b"begin")
            file.seek(50_000_000)
            file.write(b"middle")
            file.truncate(200_000_000)
        contents = self.read("a")
        for verb, source, target in [("cp", "a", "b"), ("cp", "b", other + "/a"),
                                     ("mv", "b", other + "/b")]:
            with self.subTest(verb, target=target):
                self.succeeds(verb, source, target)
                target = os.path.join(self.folder, target)
                self.assertLess(os.stat(target).st_blocks * 512, 1_000_000)
                with open(target, "rb") as file:
                    self.assertTrue(file.read() == contents)


class DeepTrees(LocalTest):
    DEPTH = 5000

    def add_deep(self, name):
        here = os.open(self.folder, os.O_RDONLY)
        for part in [name] + ["dd"] * self.DEPTH:
            os.mkdir(part, dir_fd=here)
            below = os.open(part, os.O_RDONLY, dir_fd=here)
            os.close(here)
            here = below
        with open("file", "wb", opener=lambda path, flags: os.open(path, flags, dir_fd=here)):
            pass
        os.close(here)

    def test_are_deleted_with_few_descriptors(self):
        self.add_deep("deep")
        self.succeeds("rm", "-r", "--quiet", "deep",
                      preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (24, 24)))
        self.assertEqual(os.listdir(self.folder), [])

    def test_are_renamed(self):
        self.add_deep("deep")
        self.succeeds("mv", "deep", "moved")
        self.assertEqual(os.listdir(self.folder), ["moved"])


class Coreutils(LocalTest):
    """Runs the same command with fsload and with coreutils, in copies of one
    tree."""

    def add_tree(self, folder):
        os.mkdir(folder)

        def add(path, contents, mode):
            with open(os.path.join(folder, path), "wb") as file:
                file.write(contents)
            os.chmod(os.path.join(folder, path), mode)

        for path in "d", "d/private", "d/shared", "d/sticky", "d/sealed", "d/plain", "there":
            os.mkdir(os.path.join(folder, path))
        add("d/f", b"f", 0o644)
        add("d/secret", b"s" * 5000, 0o600)
        add("d/program", b"p", 0o755)
        add("d/setuid", b"u", 0o6755)
        add("d/sealed/read-only", b"r", 0o444)
        add("d/private/f", b"", 0o640)
        add("there/f", b"old", 0o600)
        add("there/wide", b"old", 0o666)
        os.symlink("f", os.path.join(folder, "d/link"))
        for path, mode in [("private", 0o700), ("shared", 0o2775), ("sticky", 0o1777),
                           ("sealed", 0o555), ("plain", 0o755)]:
            os.chmod(os.path.join(folder, "d", path), mode)
        for parent, folders, files in os.walk(folder):
            for number, name in enumerate(sorted(folders + files)):
                path = os.path.join(parent, name)
                os.utime(path, (1_000_000_000, 1_000_000_000 + number), follow_symlinks=False)

    COMMANDS = [
        ["cp", "d/f", "new"],
        ["cp", "d/secret", "d/program", "d/setuid", "there"],
        ["cp", "d/f", "there"],
        ["cp", "d/program", "there/f"],
        ["cp", "d/secret", "there/wide"],
        ["cp", "-rL", "d", "new"],
        ["cp", "-rL", "d", "there"],
        ["mv", "d", "new"],
        ["mv", "d", "there"],
        ["mv", "d/f", "there/f"],
        ["mv", "d/setuid", "d/private", "there"],
        ["mv", "d", "OTHER/new"],
        ["mv", "d/setuid", "d/shared", "d/link", "OTHER"],
        ["rm", "-r", "d"],
        ["rm", "d/f", "d/link"],
        ["rm", "-r", "d/link", "d/sealed"],
        ["cp", "-rL", "d", "OTHER"],
    ]

    def compare(self, command, umask, wrapper, owner):
        results = []
        other = self.other_disk()
        for name in "ours", "theirs":
            folder = self.at(name)
            self.run_command("rm", "-rf", folder, other + "/" + name)
            self.add_tree(folder)
            os.mkdir(os.path.join(other, name))
            os.chmod(self.folder, 0o755)
            if owner is not None:
                self.run_command("chown", "-hR", owner, folder, os.path.join(other, name))
                # chown(1) clears these bits.
                for path in "d/setuid", "d/shared":
                    mode = 0o6755 if path == "d/setuid" else 0o2775
                    os.chmod(os.path.join(folder, path), mode)
            words = [word.replace("OTHER", os.path.join(other, name)) for word in command]
            if name == "ours":
                words[0:1] = [FSLOAD, words[0]]
                words = ["-r" if word == "-rL" else word for word in words]
                words.append("--continue-on-error")
            elif words[0] == "mv":
                words.insert(1, "-f")  # asks no questions
            code, _, _ = self.run_command(*wrapper, *words, cwd=folder,
                                          preexec_fn=lambda: os.umask(umask))
            results.append((code == 0, snapshot(folder),
                            snapshot(os.path.join(other, name), times=command[0] == "mv")))
        self.assertEqual(results[0], results[1])

    def test_do_the_same_as_root(self):
        if not IS_ROOT:
            self.skipTest("not root")
        for command in self.COMMANDS:
            for umask in 0o022, 0o077:
                for owner in None, "1234:4321":
                    with self.subTest(command, umask=oct(umask), owner=owner):
                        self.compare(command, umask, [], owner)

    def test_do_the_same_as_nobody(self):
        wrapper, owner = (AS_NOBODY, f"{NOBODY}:{NOBODY}") if IS_ROOT else ([], None)
        for command in self.COMMANDS:
            for umask in 0o022, 0o002:
                with self.subTest(command, umask=oct(umask)):
                    self.compare(command, umask, wrapper, owner)

    def test_make_the_folder_that_a_moved_tree_goes_into(self):
        self.add("d/f", b"contents")
        self.succeeds("mv", "d", "new/folder/d")
        self.assertEqual(sorted(snapshot(self.at("new"))), ["folder", "folder/d", "folder/d/f"])

    def test_move_trees_between_disks_that_look_like_one(self):
        for folder in "lower", "upper", "work", "all":
            os.mkdir(self.at(folder))
        self.add_tree(self.at("lower/tree"))
        layers = ",".join(f"{name}dir={self.at(name)}" for name in ("lower", "upper", "work"))
        code, _, _ = self.run_command("mount", "-t", "overlay", "none", "-o", layers,
                                      self.at("all"))
        if code != 0:
            self.skipTest("nothing can be mounted here")
        self.addCleanup(subprocess.run, ["umount", self.at("all")], check=True)
        before = snapshot(self.at("all/tree"), times=True)
        self.succeeds("mv", "all/tree", "all/moved")
        self.assertEqual(os.listdir(self.at("all")), ["moved"])
        self.assertEqual(snapshot(self.at("all/moved"), times=True), before)

    def test_keep_times_of_moved_trees(self):
        other = self.other_disk()
        self.add_tree(self.at("tree"))
        before = snapshot(self.at("tree/d"), times=True)
        self.succeeds("mv", "tree/d", "renamed")
        self.assertEqual(snapshot(self.at("renamed"), times=True), before)
        self.succeeds("mv", "renamed", other)
        self.assertEqual(snapshot(other + "/renamed", times=True), before)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
