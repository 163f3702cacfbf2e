#!/usr/bin/python3
"""Runs fsload cp, mv and rm. The argument is the command's path; plugins are in testdata/."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from command import DEADLINE, FSLOAD, CommandTest, plugin


class FileTest(CommandTest):
    def add_tree(self):
        self.add("src/a", b"1")
        self.add("src/b.txt", b"")
        self.add("src/d/c.txt", b"333")
        self.add("src/d/e/large", os.urandom(3_000_001))
        self.add("src/d/\xe4 \x1b[31m\n'", b"awkward")
        os.makedirs(self.at("src/d/empty"))


class Copy(FileTest):
    def test_copies_a_file(self):
        self.add("a", b"contents")
        self.assertEqual(self.succeeds("cp", "a", "b"), "")
        self.assertEqual(self.tree(), {"a": b"contents", "b": b"contents"})

    def test_copies_files_of_unknown_size(self):
        self.succeeds("cp", "/proc/self/limits", "a")
        self.assertIn(b"Max open files", self.read("a"))

    def test_explains_whether_it_is_atomic(self):
        self.add("a", b"contents")
        for options, target, words in [
                ([], "b", "per file (written under a temporary name, then renamed)"),
                (["--plugin", plugin("minimal")], "minimal://" + self.at("c"),
                 "no: there is no rename_file at the target")]:
            code, _, err = self.run_fsload("cp", "--explain", *options, "a", target)
            self.assertEqual(code, 0)
            self.assertIn("atomic: " + words, err)

    def test_copies_into_a_directory(self):
        self.add("a", b"1")
        self.add("b", b"2")
        os.mkdir(self.at("d"))
        self.succeeds("cp", "a", "d")
        self.succeeds("cp", "a", "b", "d/")
        self.assertEqual(self.tree("d"), {"a": b"1", "b": b"2"})

    def test_copies_trees_between_all_plugins(self):
        self.add_tree()
        for name in "posix", "minimal":
            with self.subTest(name):
                remote = f"{name}://{self.folder}"
                options = ["--plugin", plugin(name)]
                self.succeeds("cp", "-r", *options, "src", remote + "/there")
                self.assertEqual(self.tree("there"), self.tree("src"))
                self.succeeds("cp", "-r", *options, remote + "/there", remote + "/again")
                self.assertEqual(self.tree("again"), self.tree("src"))
                self.succeeds("cp", "-r", "-j", "1", *options, remote + "/again/", "back/")
                self.assertEqual(self.tree("back"), self.tree("src"))
                self.succeeds("cp", "-r", *options, "src", remote + "/there")
                self.assertEqual(self.tree("there/src"), self.tree("src"))
                self.succeeds("rm", "-r", *options, remote + "/there", remote + "/again", "back")
                self.assertEqual(sorted(os.listdir(self.folder)), ["src"])

    def test_copies_to_a_file_system_in_memory(self):
        self.add_tree()
        done = self.events("cp", "-r", "--plugin", plugin("memory"), "src", "memory:///x/y")[-1]
        self.assertEqual((done["event"], done["files"]), ("done", 5))

    def test_replaces_a_file_or_leaves_it(self):
        self.add("a", b"new")
        self.add("b", b"old")
        self.succeeds("cp", "-n", "a", "b")
        self.assertEqual(self.read("b"), b"old")
        for options in [], ["--plugin", plugin("minimal")]:
            self.add("b", b"old")
            target = ("minimal://" if options else "") + self.at("b")
            self.succeeds("cp", *options, "a", target)
            self.assertEqual(self.tree(), {"a": b"new", "b": b"new"})

    def test_refuses_what_cannot_be(self):
        self.add("a", b"contents")
        self.add("d/x", b"")
        self.add("e/a/x", b"")
        before = self.tree()
        for code, words, arguments in [
                (1, "are the same", ["a", "a"]),
                (1, "are the same", [self.at("a"), "posix://" + self.at("a")]),
                (1, "is a directory; use -r to copy it", ["d", "f"]),
                (1, "is a file; cannot replace it with the directory ", ["-r", "d", "a"]),
                (1, "is a directory; cannot replace it with the file ", ["a", "e"]),
                (1, "cannot copy a directory into itself", ["-r", "d", "d/f/g"]),
                (1, "cannot copy a directory into itself", ["-r", "d", "d"]),
                (4, "no such directory; 2 sources need one", ["a", "d/x", "f"]),
                (1, "is a file, but 2 sources need a directory", ["a", "d/x", "a"]),
                (4, "NOT_FOUND: f/g: the directory 'f' does not exist; ", ["a", "f/g"]),
                (4, "NOT_FOUND: f/a: the directory 'f' does not exist; ", ["a", "f/"]),
                (4, "No such file or directory", ["missing", "f"]),
                (1, "no plugin for nope:// is installed", ["a", "nope://f"]),
                (1, "\"-\" can be given only once", ["-", "-"])]:
            with self.subTest(arguments):
                self.fails(code, words, "cp", *arguments)
                self.assertEqual(self.tree(), before)

    def test_is_used_wrongly_with_a_shard_that_is_none(self):
        for arguments in [["-r", "--shard", "4/3"], ["-r", "--shard", "0/3"], ["--shard", "1/3"],
                          ["--include", "[a"], ["-j", "0"]]:
            code, out, _ = self.run_fsload("cp", *arguments, "a", "b")
            self.assertEqual((code, out), (2, ""))

    def test_goes_on_after_errors_where_it_is_to(self):
        self.add_tree()
        os.symlink("/no/such/file", self.at("src/dangling"))
        self.fails(4, "src/dangling", "cp", "-r", "src", "dst")
        self.assertNotIn("dst", os.listdir(self.folder))
        code, _, err = self.run_fsload("cp", "-r", "--continue-on-error", "src", "dst")
        self.assertEqual(code, 4)
        self.assertTrue(err.endswith("\nfsload: 1 error\n"), err)
        os.unlink(self.at("src/dangling"))
        self.assertEqual(self.tree("dst"), self.tree("src"))

    def test_ends_where_links_lead_back(self):
        self.add("src/a")
        os.symlink(".", self.at("src/loop"))
        self.fails(1, "src/loop: is a link back to src", "cp", "-r", "src", "dst")

    def test_prints_the_plan_that_it_would_execute(self):
        self.add_tree()
        before = self.tree()
        for arguments in [["cp", "-r", "src", "dst"], ["mv", "src", "dst"], ["rm", "-r", "src"]]:
            planned = self.events(*arguments, "--dry-run")
            self.assertEqual(self.tree(), before)
            self.assertEqual(planned.pop()["event"], "planned")
            done = self.events(*arguments, "-j", "1")
            self.assertEqual(done.pop()["steps"], len(planned))
            for step in planned:
                self.assertEqual(step.pop("event"), "plan")
                step["event"] = step.pop("step")
            self.assertEqual(done, planned)
            for path in os.listdir(self.folder):
                shutil.rmtree(self.at(path))
            self.add_tree_again(before)

    def add_tree_again(self, tree):
        for path, contents in tree.items():
            if contents is None:
                os.makedirs(self.at(path), exist_ok=True)
            else:
                self.add(path, contents)

    def test_prints_its_plan_for_people(self):
        self.add("src/a", b"new")
        self.add("dst/src/a", b"old")
        self.add("src/\x1b", b"")
        self.assertEqual(self.succeeds("cp", "-r", "--dry-run", "src", "dst"),
                         "copy file src/\\x1b -> dst/src/\\x1b (0 bytes)\n"
                         "copy file src/a -> dst/src/a (3 bytes), which replaces what is there\n"
                         "steps: 2, files: 2, bytes: 3; nothing was done\n")

    def test_takes_filters(self):
        self.add_tree()
        self.succeeds("cp", "-r", "--include", "*.txt", "--exclude", "b.*", "src", "some")
        self.assertEqual(self.tree("some"), {"d": None, "d/c.txt": b"333"})
        self.succeeds("cp", "-r", "--exclude", "d/", "src", "rest")
        self.assertEqual(self.tree("rest"), {"a": b"1", "b.txt": b""})

    def test_is_shared_by_shards(self):
        for number in range(50):
            self.add(f"src/d{number % 7}/f{number}", str(number).encode())
        os.makedirs(self.at("src/empty"))
        files = 0
        for index in 1, 2, 3:
            done = self.events("cp", "-r", "--shard", f"{index}/3", "src", "dst/")[-1]
            files += done["files"]
            self.assertIn(done["files"], (16, 17))
        self.assertEqual((self.tree("dst"), files), (self.tree("src"), 50))

    def test_follows_no_name_that_leads_elsewhere(self):
        code, _, err = self.run_fsload("cp", "-r", "--plugin", plugin("deviant_child_elsewhere"),
                                       "deviant:///", "dst")
        self.assertEqual(code, 1)
        self.assertIn("which is not a valid name", err)
        self.assertEqual(os.listdir(self.folder), [])


class Streams(FileTest):
    def test_are_read(self):
        contents = os.urandom(2_500_000)
        for options, target in [([], "a"), (["--plugin", plugin("minimal")],
                                            "minimal://" + self.at("b"))]:
            self.succeeds("cp", *options, "-", target, input=contents)
            self.succeeds("cp", *options, "-", target, input=contents)
        self.assertEqual(self.tree(), {"a": contents, "b": contents})

    def test_are_written(self):
        self.add("a", b"first")
        self.add("b", b"second")
        self.assertEqual(self.succeeds("cp", "a", "b", "-"), "firstsecond")

    def test_that_are_full_are_an_error(self):
        self.add("a", b"first")
        with open("/dev/full", "wb") as full:
            code, _, err = self.run_fsload("cp", "a", "-", stdout=full)
        self.assertEqual(code, 1)
        self.assertIn("No space left on device", err)

    def test_have_no_name_in_a_directory(self):
        self.fails(1, "is a directory; give the name of the file to write in it", "cp", "-", ".")

    def test_leave_a_file_that_came_while_they_were_read(self):
        with subprocess.Popen([FSLOAD, "cp", "-n", "-", "a"], cwd=self.folder,
                              stdin=subprocess.PIPE) as command:
            command.stdin.write(b"x" * 10)
            command.stdin.flush()
            wait_for(lambda: os.listdir(self.folder))
            self.add("a", b"another's")
            command.stdin.close()
            self.assertEqual(command.wait(DEADLINE), 0)
        self.assertEqual(self.tree(), {"a": b"another's"})

    def test_say_that_a_file_is_lost_only_where_it_was_opened(self):
        self.add("a", b"old")
        os.chmod(self.at("a"), 0o444)
        ended = subprocess.run([*WITHOUT_RIGHTS, FSLOAD, "cp", "--plugin", plugin("minimal"), "-",
                                "minimal://" + self.at("a")], input=b"new", cwd=self.folder,
                               capture_output=True, timeout=DEADLINE, check=False)
        self.assertEqual(ended.returncode, 5, ended.stderr)
        self.assertNotIn(b"its old contents are lost", ended.stderr)
        self.assertEqual(self.tree(), {"a": b"old"})

    def test_do_not_replace_what_the_user_may_not_write_to(self):
        self.add("new", b"new")
        self.add("keep", b"old", 0o444)
        for source in "-", "new", "minimal://" + self.at("new"):
            ended = subprocess.run([*WITHOUT_RIGHTS, FSLOAD, "cp", "--plugin", plugin("minimal"),
                                    source, "keep"], input=b"new", cwd=self.folder,
                                   capture_output=True, timeout=DEADLINE, check=False)
            self.assertEqual((ended.returncode, self.tree()), (5, {"new": b"new", "keep": b"old"}),
                             ended.stderr)

    def test_name_what_a_plugin_neither_renames_nor_deletes(self):
        self.add("a", b"old")
        code, _, err = self.run_fsload("cp", "--plugin", plugin("keeps_files"), "-",
                                       "minimal://" + self.at("a"), input=b"new")
        self.assertEqual((code, self.read("a")), (1, b"new"))
        for left in set(os.listdir(self.folder)) - {"a"}:
            self.assertIn(left, err)

    def test_leave_nothing_when_they_are_interrupted(self):
        command = subprocess.Popen([FSLOAD, "cp", "-", "a"], cwd=self.folder,
                                   stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(command.communicate)
        command.stdin.write(b"x" * 10)
        command.stdin.flush()
        wait_for(lambda: os.listdir(self.folder))
        command.send_signal(signal.SIGINT)
        self.assertEqual(command.wait(DEADLINE), 130)
        self.assertEqual(os.listdir(self.folder), [])


def wait_for(condition):
    deadline = time.monotonic() + DEADLINE
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError("what was waited for did not come")
        time.sleep(0.01)


class Interruption(FileTest):
    def interrupt(self, *arguments, begun):
        """Sends SIGINT once begun() is true; yields standard error."""
        command = subprocess.Popen([FSLOAD, *arguments, "--plugin", plugin("slow_reads")],
                                   cwd=self.folder, stderr=subprocess.PIPE)
        try:
            wait_for(begun)
            command.send_signal(signal.SIGINT)
            _, err = command.communicate(timeout=DEADLINE)
        finally:
            command.kill()
        self.assertEqual(command.returncode, 130, err)
        return err.decode()

    def test_leaves_no_part_of_a_file(self):
        self.add("src/large")
        os.truncate(self.at("src/large"), 400 << 20)  # 20 s of slow reads
        before = self.tree()
        slow = "slow://" + self.folder
        for target, old in [("dst", None), ("dst", b"old"),
                            (slow + "/dst", None), (slow + "/dst", b"old")]:
            with self.subTest(target=target, old=old):
                names = {"src"}
                if old is not None:
                    self.add("dst", old)
                    names = {"src", "dst"}

                def begun():
                    more = set(os.listdir(self.folder)) - names
                    return any(os.path.getsize(self.at(name)) > 0 for name in more)

                err = self.interrupt("cp", slow + "/src/large", target, begun=begun)
                self.assertIn("fsload: CANCELLED: interrupted: 0 of 1 file and 0 of 1 step are "
                              "done; partial files are removed\n", err)
                self.assertEqual(set(os.listdir(self.folder)), names)
                if old is not None:
                    self.assertEqual(self.read("dst"), old)
                    os.unlink(self.at("dst"))
        self.assertEqual(self.tree(), before)

    def test_keeps_what_is_done(self):
        for number in range(100):
            self.add(f"src/{number}", b"x")
        self.add("src/z")
        os.truncate(self.at("src/z"), 400 << 20)
        err = self.interrupt("mv", "slow://" + self.at("src"), "dst",
                             begun=lambda: os.path.exists(self.at("dst/0")))
        self.assertRegex(err, r"interrupted: \d+ of 101 files")
        for number in range(100):
            found = [os.path.exists(self.at(f"{folder}/{number}")) for folder in ("src", "dst")]
            self.assertEqual(sum(found), 1, number)
        self.assertTrue(os.path.exists(self.at("src/z")))
        self.assertEqual([name for name in os.listdir(self.at("dst")) if name[0] == "."], [])


class Move(FileTest):
    def test_renames_a_file(self):
        self.add("a", b"contents")
        self.add("b", b"old")
        inode = os.stat(self.at("a")).st_ino
        self.succeeds("mv", "a", "b")
        self.assertEqual(self.tree(), {"b": b"contents"})
        self.assertEqual(os.stat(self.at("b")).st_ino, inode)

    def test_moves_trees(self):
        self.add_tree()
        tree = self.tree("src")
        minimal = ["--plugin", plugin("minimal")]
        there = f"minimal://{self.folder}/there"
        self.succeeds("mv", "src", "new")
        self.succeeds("mv", *minimal, "new", there)
        self.succeeds("mv", *minimal, there, there + "2")
        self.assertEqual(os.listdir(self.folder), ["there2"])
        self.assertEqual(self.tree("there2"), tree)

    def test_keeps_the_folder_of_a_file_that_is_left_out(self):
        self.add("t/d/a", b"contents")
        self.add("d/b", b"b")
        os.symlink("../t/d/a", self.at("d/a"))
        code, out, err = self.run_fsload("mv", "--dry-run", "--continue-on-error", "d", "t")
        self.assertEqual(code, 1)
        self.assertIn("are the same", err)
        self.assertIn("d/b -> t/d/b", out)
        self.assertNotIn("delete directory", out)

    def test_moves_between_two_disks_of_one_file_system(self):
        if os.stat("/dev/shm").st_dev == os.stat(self.folder).st_dev:
            self.skipTest("there is but one disk")
        other = tempfile.mkdtemp(dir="/dev/shm")
        self.addCleanup(shutil.rmtree, other)
        self.add("a", b"contents")
        self.succeeds("mv", "a", other)
        self.assertEqual((os.listdir(self.folder), os.listdir(other)), ([], ["a"]))

    def test_does_not_delete_the_only_file_though_two_schemes_lead_to_it(self):
        self.add("a", b"contents")
        os.symlink(self.folder, self.at("link"))
        for options, target in [
                (["--plugin", plugin("minimal")], f"minimal://{self.folder}/a"),
                (["--plugin", plugin("minimal")], f"minimal://{self.folder}/link/a"),
                ([], f"posix://{self.folder}/link/a")]:
            code, _, _ = self.run_fsload("mv", *options, "a", target)
            self.assertNotEqual(code, 0)
            self.assertEqual(self.read("a"), b"contents")

    def test_refuses_a_file_onto_itself_by_another_name(self):
        self.add("a", b"contents")
        os.mkdir(self.at("sub"))
        os.symlink("a", self.at("ln"))
        os.symlink("../a", self.at("sub/a"))
        os.symlink(".", self.at("here"))
        for arguments in [["ln", "a"], ["ln", "./a"], ["ln", self.at("a")], ["sub/a", "."],
                          ["posix://" + self.at("ln"), "posix://" + self.at("a")],
                          ["ln", "posix://" + self.at("a")], ["a", "here/a"]]:
            for verb in "mv", "cp":
                with self.subTest(arguments, verb=verb):
                    self.fails(1, "are the same", verb, *arguments)
                    self.assertEqual(self.read("a"), b"contents")
                    self.assertTrue(os.path.islink(self.at("ln")))
                    self.assertFalse(os.path.islink(self.at("a")))

    def test_refuses_a_file_of_a_tree_onto_itself(self):
        self.add("dst/src/a", b"contents")
        self.add("src/b", b"2")
        os.symlink("../dst/src/a", self.at("src/a"))
        self.fails(1, "are the same", "mv", "src", "dst")
        self.assertEqual(self.read("dst/src/a"), b"contents")
        self.assertEqual(sorted(os.listdir(self.at("src"))), ["a", "b"])

    def test_renames_no_name_over_another_of_one_file_but_a_link(self):
        self.add("a", b"contents")
        os.link(self.at("a"), self.at("hard"))
        os.symlink("a", self.at("soft"))
        self.fails(1, "hard and a are the same file", "mv", "hard", "a")
        self.succeeds("rm", "hard")
        self.succeeds("mv", "a", "soft")
        self.assertEqual(self.tree(), {"soft": b"contents"})
        self.assertFalse(os.path.islink(self.at("soft")))

    def test_renames_a_link_and_takes_nothing_from_where_it_leads_to(self):
        self.add("kept/a", b"1")
        self.add("src/b", b"2")
        os.symlink("../kept", self.at("src/link"))
        os.symlink("nowhere", self.at("src/dangling"))
        self.succeeds("mv", "src", "dst")
        self.assertEqual(os.readlink(self.at("dst/link")), "../kept")
        self.assertEqual(os.readlink(self.at("dst/dangling")), "nowhere")
        self.succeeds("mv", "dst/link", "link")
        self.succeeds("mv", "dst/dangling", "dangling")
        self.assertEqual(os.readlink(self.at("link")), "../kept")
        self.assertEqual(os.readlink(self.at("dangling")), "nowhere")
        self.assertEqual(self.tree("dst"), {"b": b"2"})
        self.assertEqual(self.tree("kept"), {"a": b"1"})

    def test_refuses_links_to_directories_where_they_cannot_be_renamed(self):
        self.add("kept/a", b"1")
        self.add("src/b", b"2")
        os.symlink("../kept", self.at("src/link"))
        minimal = f"minimal://{self.folder}/"
        for source, target in [("src", minimal + "dst"), ("src/link", minimal + "dst"),
                               (minimal + "src", "dst"), (minimal + "src", minimal + "dst")]:
            with self.subTest(source=source, target=target):
                self.fails(1, "is a symlink to a directory", "mv", "--plugin", plugin("minimal"),
                           source, target)
                self.assertEqual(self.tree("kept"), {"a": b"1"})
                self.assertEqual(sorted(os.listdir(self.at("src"))), ["b", "link"])

    def test_refuses_a_directory_into_itself_by_another_name(self):
        self.add("d/a", b"1")
        os.symlink(".", self.at("here"))
        for verb in ["mv"], ["cp", "-r"]:
            self.fails(1, "d and here/d are the same directory", *verb, "d", "here/")
        for target in self.at("d/x"), f"posix://{self.folder}/d/x", "here/d/x/y":
            for word, arguments in ("move", ["mv"]), ("copy", ["cp", "-r"]):
                with self.subTest(target, verb=arguments[0]):
                    self.fails(1, f"cannot {word} a directory into itself", *arguments, "d", target)
                    self.assertEqual(self.tree("d"), {"a": b"1"})

    def test_refuses_parts_that_stores_and_servers_read_differently(self):
        for uri in "memory://b/..", "memory://b/.", "memory://b/../other/k", "memory://b/x/../k":
            for arguments in [["rm", uri], ["rm", "-r", "--dry-run", uri], ["cat", uri],
                              ["ls", uri], ["cp", uri, "x"], ["mv", uri, "x"]]:
                with self.subTest(arguments):
                    self.fails(1, "the path contains '.' or '..'", *arguments, "--plugin",
                               plugin("memory"))

    def test_means_the_same_by_the_target_though_a_source_drops_out(self):
        for verb in "cp", "mv":
            with self.subTest(verb):
                self.add("a", b"1")
                self.add("t", b"old")
                code, _, err = self.run_fsload(verb, "--continue-on-error", "--plugin",
                                               plugin("memory"), "a", "memory://b/../c", "t")
                self.assertEqual(code, 1, err)
                self.assertIn("is a file, but 2 sources need a directory", err)
                self.assertEqual(self.tree(), {"a": b"1", "t": b"old"})

    def test_refuses_a_root(self):
        self.fails(1, "refusing to move the root of a file system", "mv", "/", "posix://" + self.folder)


class Remove(FileTest):
    def test_does_not_believe_that_a_file_is_gone(self):
        self.add("a", b"1")
        uri = "minimal://" + self.at("a")
        self.fails(1, f"{uri}: the plugin reported that it was deleted, but it is still there",
                   "rm", "--plugin", plugin("keeps_files"), uri)
        self.fails(1, f"{uri}: the plugin reported that it was deleted, but it is still there",
                   "mv", "--plugin", plugin("keeps_files"), uri, "b")
        self.assertEqual(self.tree(), {"a": b"1", "b": b"1"})

    def test_deletes_files_and_trees(self):
        self.add_tree()
        self.fails(1, "use -r to delete it and its contents", "rm", "src")
        self.succeeds("rm", "src/a", "src/b.txt")
        self.assertEqual(sorted(self.tree("src"))[0], "d")
        self.succeeds("rm", "-r", "src/")
        self.assertEqual(os.listdir(self.folder), [])
        self.fails(4, "No such file or directory", "rm", "src")

    def test_deletes_links_and_not_what_they_lead_to(self):
        self.add("kept/a", b"1")
        for name in "posix", "minimal":
            self.add("src/b", b"2")
            os.symlink("../kept", self.at("src/link"))
            os.symlink("/no/such/file", self.at("src/dangling"))
            os.symlink(".", self.at("src/loop"))
            self.succeeds("rm", "-r", "--plugin", plugin(name), f"{name}://{self.folder}/src")
            self.assertEqual(self.tree(), {"kept": None, "kept/a": b"1"})

    def test_knows_the_links_of_this_machine(self):
        self.add("kept/a", b"1")
        self.add("src/b", b"2")
        os.symlink("../kept", self.at("src/link"))
        os.symlink(".", self.at("src/loop"))
        os.symlink("/no/such/file", self.at("src/dangling"))
        self.assertEqual(self.succeeds("rm", "-r", "--dry-run", "src"),
                         "delete file src/b (1 bytes)\n"
                         "delete file src/dangling (0 bytes)\n"
                         "delete file src/link (0 bytes)\n"
                         "delete file src/loop (0 bytes)\n"
                         "delete directory src\n"
                         "steps: 5, files: 4, bytes: 1; nothing was done\n")
        self.succeeds("rm", "-r", "--include", "a", "--include", "b", "src")
        self.succeeds("rm", "src/link", "src/dangling", "src/loop")
        self.assertEqual(self.tree(), {"kept": None, "kept/a": b"1", "src": None})

    def test_deletes_nothing_behind_a_link_with_a_filter(self):
        self.add("kept/a", b"1")
        for name in "posix", "minimal":
            for options in ["--include", "*"], ["--exclude", "nothing"]:
                with self.subTest(name, options=options):
                    self.add("src/b", b"2")
                    os.symlink("../kept", self.at("src/link"))
                    self.succeeds("rm", "-r", *options, "--plugin", plugin(name),
                                  f"{name}://{self.folder}/src")
                    self.assertEqual(self.tree("kept"), {"a": b"1"})
                    self.assertFalse(os.path.lexists(self.at("src/link")))

    def test_refuses_a_file_that_is_to_be_a_directory(self):
        self.add("a", b"1")
        os.symlink("a", self.at("ln"))
        os.mkdir(self.at("d"))
        for arguments in [["rm", "a/"], ["rm", "-r", "a/"], ["rm", "ln/"], ["mv", "a/", "b"],
                          ["cp", "a/", "b"], ["cp", "-r", "a/", "d"], ["mv", "ln/", "d"]]:
            with self.subTest(arguments):
                self.fails(1, "remove the trailing '/'", *arguments)
                self.assertEqual(self.tree(), {"a": b"1", "d": None, "ln": "-> a"})

    def test_refuses_a_root_without_being_asked_for_directories(self):
        os.mkdir(self.at("a"))
        for uri in "/", "posix:///", "memory://bucket", "memory://bucket//", "a/..":
            self.fails(1, "refusing to delete", "rm", "--plugin",
                       plugin("memory"), uri)

    def test_refuses_a_root_and_an_empty_part(self):
        self.add("a/b", b"")
        before = self.tree()
        for uri in ["/", "posix:///", "posix:///tmp/..", f"{self.folder}/a//", f"{self.folder}//a",
                    ".", "a/..", ".."]:
            with self.subTest(uri):
                for options in ["-r"], ["-r", "--really"]:
                    self.fails(1, "refusing to delete", "rm", *options, uri)
                self.assertEqual(self.tree(), before)

    def test_refuses_the_current_folder_by_its_whole_path(self):
        os.mkdir(self.at("inner"))
        folder = os.path.realpath(self.folder)
        os.symlink(os.path.dirname(folder), self.at("around"))
        name = os.path.basename(folder)
        for uri in [folder, os.path.dirname(folder), f"posix://{folder}/", f"{folder}/inner/..",
                    f"around/{name}", f"../{name}"]:
            for word, before, after in [("delete", ["rm", "-r", "--dry-run"], []),
                                        ("move", ["mv", "--dry-run"], ["/nowhere/else"])]:
                with self.subTest(uri=uri, verb=before):
                    self.fails(1, f"refusing to {word} the current directory or one above it",
                               *before, uri, *after)
        # Only the link is deleted.
        self.succeeds("rm", "-r", "around")
        self.succeeds("rm", "-r", folder + "/inner")
        self.assertEqual(os.listdir(folder), [])

    def test_does_so_when_told_twice(self):
        self.add("a/b", b"")
        self.succeeds("rm", "-r", "--really", "--really", self.folder + "//a/")
        self.assertEqual(os.listdir(self.folder), [])


# Drops root's capabilities, which would open every file.
WITHOUT_RIGHTS = (["setpriv", "--bounding-set=-all", "--inh-caps=-all"]
                  if os.geteuid() == 0 else [])


class Denied(FileTest):
    MODES = {"src/secret": 0o000, "src": 0o555}

    def run_locked(self, *arguments):
        for path, mode in self.MODES.items():
            os.chmod(self.at(path), mode)
        try:
            ended = subprocess.run([*WITHOUT_RIGHTS, FSLOAD, *arguments], cwd=self.folder,
                                   capture_output=True, timeout=DEADLINE, check=False)
        finally:
            for path in self.MODES:
                os.chmod(self.at(path), 0o755)
        return ended.returncode, ended.stderr.decode()

    def test_is_told_and_nothing_is_changed(self):
        self.add("src/a", b"1")
        self.add("src/secret", b"2")
        os.mkdir(self.at("writable"))
        before = self.tree()
        for arguments in [["cp", "src/a", "src/b"], ["cp", "src/secret", "writable/x"],
                          ["rm", "src/a"], ["rm", "-r", "src"], ["mv", "src/a", "writable/a"]]:
            with self.subTest(arguments):
                code, err = self.run_locked(*arguments)
                self.assertEqual(code, 5, err)
                self.assertIn("Permission denied", err)
                self.assertEqual(self.tree(), before)

    def test_leaves_out_one_file_and_goes_on(self):
        self.add("src/a", b"1")
        self.add("src/secret", b"2")
        code, err = self.run_locked("cp", "-r", "--continue-on-error", "src", "dst")
        self.assertEqual(code, 5, err)
        self.assertTrue(err.endswith("\nfsload: 1 error\n"), err)
        self.assertEqual(self.tree("dst"), {"a": b"1"})


class FullDisk(FileTest):
    def test_is_told_and_no_part_stays(self):
        disk = tempfile.mkdtemp()
        self.addCleanup(os.rmdir, disk)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", disk],
                                 capture_output=True, check=False)
        if mounted.returncode != 0:
            self.skipTest("nothing can be mounted here")
        self.addCleanup(subprocess.run, ["umount", disk], check=True)
        with open(os.path.join(disk, "old"), "wb") as file:
            file.write(b"old")
        self.add("large", os.urandom(3 << 20))
        for options, prefix in ([], ""), (["--plugin", plugin("minimal")], "minimal://"):
            for name in "new", "old":
                code, _, err = self.run_fsload("cp", *options, "large", f"{prefix}{disk}/{name}")
                self.assertEqual(code, 7, err)
                self.assertIn("No space left on device", err)
                self.assertEqual(os.listdir(disk), ["old"])
                with open(os.path.join(disk, "old"), "rb") as file:
                    self.assertEqual(file.read(), b"old")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
