#!/usr/bin/python3
"""Runs the verbs of the fsload command that look, read and create.

The arguments are its path, and that of docs/verbs.md.
"""

import array
import base64
import fcntl
import json
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import termios
import time
import unittest

from command import DEADLINE, FSLOAD, CommandTest, environment, plugin, run, run_bytes

DOCUMENT = sys.argv[2]
seen = {}  # fields of each event that --json printed


def run_json(verb, *arguments, **options):
    """(exit code, the objects without their common fields)"""
    code, out, _ = run(verb, "--json", *arguments, **options)
    objects = [json.loads(line) for line in out.splitlines()]
    for each in objects:
        assert each.pop("version") == 1 and each.pop("verb") == verb, each
        seen.setdefault(each["event"], set()).update(each.keys() - {"event"})
    return code, objects


def tearDownModule():
    """The document's table lists everything that --json printed."""
    rows = {}
    with open(DOCUMENT, encoding="utf-8") as document:
        for line in document:
            for event in re.findall(r"`(\w+)`", line.split("|")[1] if line[0] == "|" else ""):
                rows[event] = rows.get(event, "") + line
    for event, fields in seen.items():
        for field in fields:
            assert f"`{field}`" in rows.get(event, ""), f"{DOCUMENT} lacks {field} of {event}"


class FolderTest(CommandTest):
    def path(self, name, contents=None):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if contents is not None:
            with open(path, "wb") as file:
                file.write(contents)
        return path

    def make(self, *names):
        """Creates files that contain their names; a name that ends in a slash is a folder."""
        for name in names:
            if name.endswith("/"):
                os.makedirs(os.path.join(self.folder, name))
            else:
                self.path(name, name.encode())


class List(FolderTest):
    def test_lists_files_as_they_are_named(self):
        self.make("a/one", "two")
        paths = [os.path.join(self.folder, name) for name in ("a/one", "two")]
        self.assertEqual(run("ls", *paths), (0, "".join(path + "\n" for path in paths), ""))

    def test_names_each_of_several_folders(self):
        self.make("a/one", "b/", "file")
        a, b, file = (os.path.join(self.folder, name) for name in ("a", "b", "file"))
        self.assertEqual(run("ls", a, b, file), (0, f"{a}:\none\n\n{b}:\n{file}\n", ""))

    def test_shows_type_length_and_time(self):
        self.path("file", b"x" * 1500)
        os.mkdir(self.path("folder"))
        for name in "file", "folder":
            os.utime(self.path(name), ns=(0, 1))
        code, out, err = run("ls", "-l", self.folder)
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(out.splitlines()[0],
                         "file               1500  1970-01-01T00:00:00.000000001Z  file")
        self.assertRegex(out.splitlines()[1],
                         r"^directory +\d+  1970-01-01T00:00:00.000000001Z  folder$")
        self.assertIn(" 1.5K ", run("ls", "-lh", self.folder)[1])

    def test_goes_down_before_it_goes_on(self):
        self.make("a/b/c", "a/b.c", "a/d", "e", "f/")
        expected = "a\na/b\na/b/c\na/b.c\na/d\ne\nf\n"
        self.assertEqual(run("ls", "-R", self.folder), (0, expected, ""))
        uri = "minimal://" + self.folder
        self.assertEqual(run("ls", "-R", "--plugin", plugin("minimal"), uri), (0, expected, ""))

    def test_gives_the_same_at_any_number_of_jobs(self):
        self.make(*(f"{a}/{b}/{c}" for a in range(3) for b in range(70) for c in range(3)))
        expected = sorted(
            [f"{a}" for a in range(3)] + [f"{a}/{b}" for a in range(3) for b in range(70)] +
            [f"{a}/{b}/{c}" for a in range(3) for b in range(70) for c in range(3)],
            key=lambda path: path.split("/"))
        for jobs in "1", "2", "64":
            code, out, err = run("ls", "-R", "-j", jobs, self.folder)
            self.assertEqual((code, err), (0, ""))
            self.assertEqual(out.splitlines(), expected)

    def test_shows_the_others_when_one_cannot_be_looked_at(self):
        self.make("a", "c")
        os.symlink("nowhere", self.path("b"))
        code, out, err = run("ls", "-l", self.folder)
        self.assertEqual([line.split()[-1] for line in out.splitlines()], ["a", "c"])
        self.assertEqual((code, err), (
            4, f"fsload: NOT_FOUND: {self.folder}/b: No such file or directory (stat)\n"))

    def test_does_not_go_round_in_links(self):
        self.make("a/b/c")
        os.symlink("..", self.path("a/up"))
        os.symlink(".", self.path("a/self"))
        os.symlink("../../a", self.path("a/b/over"))
        code, out, err = run("ls", "-R", self.path("a"))
        self.assertEqual(code, 1)
        folder = self.path("a")
        self.assertIn(
            f"fsload: FAILED_PRECONDITION: {folder}/self: is a link back to {folder}; it is "
            f"not followed\n", err)
        self.assertLess(len(out.splitlines()), 50)
        self.assertIn("\nb/c\n", out)

    def test_takes_what_only_looks_like_a_circle_for_what_it_is(self):
        self.make("a/a/a/a/a")
        self.assertEqual(run("ls", "-R", self.folder),
                         (0, "a\na/a\na/a/a\na/a/a/a\na/a/a/a/a\n", ""))
        self.make("x/y/x/y/x/y/end")
        code, out, err = run("ls", "-R", self.path("x"))
        self.assertEqual((code, out.splitlines()[-1], err), (0, "y/x/y/x/y/end", ""))

    def test_shows_names_as_they_are_to_programs(self):
        name = "new\nline\x1b[31m"
        self.path(name, b"")
        self.assertEqual(run("ls", self.folder), (0, name + "\n", ""))
        self.assertEqual(run_json("ls", self.folder), (0, [
            {"event": "entry", "uri": f"{self.folder}/{name}", "name": name}]))

    def test_makes_names_harmless_on_a_terminal(self):
        self.path("new\nline\x1b[31m", b"")
        try:
            master, slave = pty.openpty()
        except OSError as error:  # no /dev/pts
            raise unittest.SkipTest(f"no pseudo terminal: {error}") from error
        ended = subprocess.run([FSLOAD, "ls", self.folder], stdout=slave, timeout=DEADLINE, check=True)
        os.close(slave)
        self.assertEqual(ended.returncode, 0)
        self.assertEqual(os.read(master, 1000), b"new\\x0aline\\x1b[31m\r\n")
        os.close(master)

    def test_takes_what_stores_call_children(self):
        for variant in "child_dots", "child_empty", "child_slash", "children_end_in_slash":
            with self.subTest(variant):
                self.assertEqual(
                    run("ls", "-R", "--plugin", plugin("deviant_" + variant), "deviant:///dir"),
                    (0, "empty\nfile\n", ""))

    def test_follows_no_child_that_leads_elsewhere(self):
        code, out, err = run("ls", "-R", "--plugin", plugin("deviant_child_elsewhere"), "deviant:///dir")
        self.assertEqual((code, out), (1, "empty\nfile\n"))
        self.assertEqual(err, "fsload: INTERNAL: deviant:///dir: the plugin listed '../other', "
                              "which is not a valid name; it is not followed (get_children)\n")

    def test_finds_nothing_where_a_store_lists_nothing(self):
        code, out, err = run("ls", "--plugin", plugin("deviant_children_of_nothing"), "deviant:///no")
        self.assertEqual((code, out), (4, ""))
        self.assertIn("fsload: NOT_FOUND: deviant:///no: ", err)

    def test_takes_a_host_alone_for_its_root(self):
        code, objects = run_json("exists", "--plugin", plugin("memory"), "memory://a", "memory://a/")
        self.assertEqual((code, [each["uri"] for each in objects]), (0, 2 * ["memory://a/"]))

    def test_has_its_fields(self):
        self.make("folder/file")
        os.utime(self.path("folder/file"), ns=(0, 0))
        code, objects = run_json("ls", "-lR", self.folder)
        self.assertEqual(code, 0)
        self.assertEqual([each["type"] for each in objects], ["directory", "file"])
        self.assertEqual(objects[1], {
            "event": "entry", "uri": self.path("folder/file"), "name": "folder/file", "type": "file",
            "length": 11, "mtime": "1970-01-01T00:00:00.000000000Z"})

    def test_servers_are_judged_for_plugins_that_are_known(self):
        known = shutil.copy(plugin("renaming"), self.at("libtensorflow_io_plugins.so"))
        self.add("d/a")
        uri = "s3://" + self.at("d")
        variables = {"env": environment(TF_USE_MODULAR_FILESYSTEM="1", S3_ENDPOINT="minio:9000")}
        self.assertEqual(run("ls", "--plugin", plugin("renaming"), uri, **variables),
                         (0, "a\n", ""))
        self.assertEqual(run("ls", "--plugin", known, uri, **variables), (
            1, "", f"fsload: INVALID_ARGUMENT: {uri}: S3_ENDPOINT is 'minio:9000', which the s3 "
            "plugin cannot use: it does not say http:// or https://, as in http://minio:9000\n"))


class Cat(FolderTest):
    def test_writes_parts(self):
        contents = os.urandom(3 << 20)
        path = self.path("file", contents)
        size = len(contents)
        for offset, count in [(0, 0), (0, 1), (5, 10), (1 << 20, 1 << 20), ((1 << 20) - 1, 2),
                              (size - 1, 1), (size - 1, 100), (size, 1), (size + 1, 1), (3, size)]:
            with self.subTest(offset=offset, count=count):
                self.assertEqual(
                    run_bytes("cat", "--offset", str(offset), "--count", str(count), path),
                    (0, contents[offset:offset + count], ""))

    def test_takes_sizes_with_units(self):
        path = self.path("file", bytes(range(256)) * 16)
        self.assertEqual(run_bytes("cat", "--offset", "1K", "--count", "1KB", path)[1],
                         (bytes(range(256)) * 4)[:1000])

    def test_reads_far_out(self):
        path = self.path("file")
        with open(path, "wb") as file:
            file.seek(1 << 40)
            file.write(b"end")
        self.assertEqual(run("cat", "--offset", "1T", path), (0, "end", ""))
        for offset in "2T", "9223372036854775807", "8E":
            for name, scheme in ("posix", "posix"), ("minimal", "minimal"):
                with self.subTest(offset=offset, plugin=name):
                    self.assertEqual(run("cat", "--plugin", plugin(name), "--offset", offset,
                                         f"{scheme}://{path}"), (0, "", ""))

    def test_refuses_what_is_no_size(self):
        for option in "--offset", "--count":
            for size in "9223372036854775809", "1.5K", "x", "1k", "":
                with self.subTest(option=option, size=size):
                    code, out, err = run("cat", option, size, self.folder)
                    self.assertEqual((code, out), (2, ""))
                    self.assertIn(f"'{size}' is not a number from 0 to 2^63; write it like "
                                  f"4096, 16K, 16KiB or 16KB (K, M, G, T, P, E)", err)

    def test_puts_files_and_standard_input_in_a_row(self):
        path = self.path("file", b"file ")
        self.assertEqual(run("cat", path, "-", path, input="input "), (0, "file input file ", ""))
        self.assertEqual(run("cat", "--offset", "2", "--count", "3", "-", input="0123456789"),
                         (0, "234", ""))
        self.assertEqual(run("cat", "--offset", "20", "-", input="0123456789"), (0, "", ""))

    def test_gives_on_what_comes_when_it_comes(self):
        cat = subprocess.Popen([FSLOAD, "cat", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(cat.communicate)
        for text in b"one", b"two":
            cat.stdin.write(text)
            cat.stdin.flush()
            self.assertEqual(os.read(cat.stdout.fileno(), 100), text)

    def test_ends_when_it_is_interrupted(self):
        for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
            cat = subprocess.Popen([FSLOAD, "cat", "-"], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.addCleanup(cat.communicate)
            cat.stdin.write(b"x")
            cat.stdin.flush()
            os.read(cat.stdout.fileno(), 1)
            cat.send_signal(number)
            self.assertEqual(cat.wait(DEADLINE), 130)
            self.assertEqual(cat.stderr.read(), b"fsload: CANCELLED: interrupted\n")

    def test_is_interrupted_after_errors_too(self):
        with subprocess.Popen([FSLOAD, "cat", "--continue-on-error", self.path("missing"), "-"],
                              stdin=subprocess.PIPE, stderr=subprocess.PIPE) as cat:
            self.assertIn(b"NOT_FOUND", cat.stderr.readline())
            cat.send_signal(signal.SIGINT)
            self.assertEqual(cat.wait(DEADLINE), 130)
            self.assertEqual(cat.stderr.read(),
                             b"fsload: CANCELLED: interrupted\nfsload: 2 errors\n")

    def test_goes_on_after_signals_that_are_ignored(self):
        for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
            with self.subTest(number):
                before = signal.signal(number, signal.SIG_IGN)  # as nohup and "&" in scripts do
                cat = subprocess.Popen([FSLOAD, "cat", "-"], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE)
                signal.signal(number, before)
                self.addCleanup(cat.communicate)
                cat.stdin.write(b"x")
                cat.stdin.flush()
                os.read(cat.stdout.fileno(), 1)
                cat.send_signal(number)
                with self.assertRaises(subprocess.TimeoutExpired):
                    cat.wait(0.3)
                self.assertEqual(cat.communicate(b"y", timeout=DEADLINE), (b"y", None))
                self.assertEqual(cat.returncode, 0)

    def test_ends_when_it_is_interrupted_while_nobody_takes_its_output(self):
        path = self.path("file", bytes(1 << 20))
        self.make(*(f"folder/{number:0>200}" for number in range(1000)))
        for verb in ["cat", path], ["ls", self.path("folder")], ["cat", "--in-process", path]:
            with self.subTest(verb), subprocess.Popen([FSLOAD, *verb], stdout=subprocess.PIPE,
                                                      stderr=subprocess.PIPE) as waiting:
                in_pipe = array.array("i", [0])
                while in_pipe[0] < 60_000:
                    time.sleep(0.1)
                    fcntl.ioctl(waiting.stdout, termios.FIONREAD, in_pipe)
                waiting.terminate()
                try:
                    self.assertEqual(waiting.wait(DEADLINE / 10), 130)
                    self.assertEqual(waiting.stderr.read(), b"fsload: CANCELLED: interrupted\n")
                finally:
                    waiting.kill()

    def test_waits_for_a_reader_of_output_that_does_not_block(self):
        contents = os.urandom(1 << 20)
        path = self.path("file", contents)
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        with subprocess.Popen([FSLOAD, "cat", path], stdout=writer, stderr=subprocess.PIPE) as cat:
            os.close(writer)
            time.sleep(0.3)
            with os.fdopen(reader, "rb") as output:
                self.assertEqual(output.read(), contents)
            self.assertEqual((cat.wait(DEADLINE), cat.stderr.read()), (0, b""))

    def test_ends_when_nobody_reads(self):
        path = self.path("file")
        with open(path, "wb") as file:
            file.truncate(1 << 42)  # which would take hours
        for verb in ["cat", path], ["cat", "--json", path], ["head", "-c", "4T", path, path]:
            with subprocess.Popen([FSLOAD, *verb], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE) as reader:
                os.read(reader.stdout.fileno(), 1)
                reader.stdout.close()
                self.assertEqual(reader.wait(DEADLINE), 141)
                self.assertEqual(reader.stderr.read(), b"")

    def test_reads_no_more_than_it_writes(self):
        contents = os.urandom(20 << 20)
        path = self.path("file", contents)
        for offset, count in (0, 100), (5, 3 << 20), (19 << 20, 1 << 20):
            _, objects = run_json("cat", "--explain", "--offset", str(offset),
                                  "--count", str(count), path)
            read, = [each for each in objects[-1]["operations"] if each["name"] == "read"]
            self.assertEqual((read["bytes"], read["calls"]), (count, -(-count >> 20)))
        _, objects = run_json("head", "--explain", "-c", "10", path)
        read, = [each for each in objects[-1]["operations"] if each["name"] == "read"]
        self.assertEqual((read["bytes"], read["calls"]), (10, 1))

    def test_reads_blocks_of_a_store_ahead(self):
        store = plugin("slow_gs_reads")
        path = self.path("file")
        with open(path, "wb") as file:
            file.write(b"begin")
            file.truncate(33 << 20)
        arguments = ["--plugin", store, "gs://bucket" + path]
        code, out, err = run_bytes("cat", *arguments)
        self.assertEqual((code, len(out), out[:6]), (0, 33 << 20, b"begin\0"), err)
        for more, bytes_read, calls in [([], 33 << 20, 6), (["--count", "9M"], 9 << 20, 2),
                                        (["--count", "10"], 10, 1)]:
            _, objects = run_json("cat", "--explain", *more, *arguments)
            read, = [each for each in objects[-1]["operations"] if each["name"] == "read"]
            self.assertEqual((read["bytes"], read["calls"]), (bytes_read, calls))
        # It ends once the reads under way do, and not when all is read.
        with open(path, "r+b") as file:
            file.truncate(1 << 40)
        with subprocess.Popen([FSLOAD, "cat", *arguments], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as reader:
            os.read(reader.stdout.fileno(), 1)
            reader.stdout.close()
            self.assertEqual(reader.wait(DEADLINE), 141)
            self.assertEqual(reader.stderr.read(), b"")

    def test_encodes_bytes_for_json(self):
        contents = os.urandom(1 << 20) + b"\xff\0end"
        path = self.path("file", contents)
        code, objects = run_json("cat", "--offset", "1", path)
        self.assertEqual(code, 0)
        read = b""
        for each in objects:
            self.assertEqual((each["event"], each["uri"]), ("data", path))
            self.assertEqual(each["offset"], len(read) + 1)
            part = base64.b64decode(each["base64"])
            self.assertEqual(each["length"], len(part))
            read += part
        self.assertEqual(read, contents[1:])

    def test_goes_on_after_an_error_when_it_is_to(self):
        path = self.path("file", b"contents")
        missing = self.path("missing")
        self.assertEqual(run("cat", missing, path)[:2], (4, ""))
        code, out, err = run("cat", "--continue-on-error", missing, path, missing)
        self.assertEqual((code, out), (4, "contents"))
        self.assertEqual(err.splitlines()[-1], "fsload: 2 errors")
        code, objects = run_json("cat", "--continue-on-error", missing, path)
        self.assertEqual([each["event"] for each in objects], ["error", "data", "summary"])
        self.assertEqual(objects[0]["code"], "NOT_FOUND")
        self.assertEqual(objects[2], {"event": "summary", "failures": 1})


class Head(FolderTest):
    def test_writes_lines(self):
        text = "".join(f"line {i}\n" for i in range(20)) + "without end"
        path = self.path("file", text.encode())
        lines = text.splitlines(keepends=True)
        self.assertEqual(run("head", path), (0, "".join(lines[:10]), ""))
        for count in 0, 1, 19, 20, 21, 22:
            self.assertEqual(run("head", "-n", str(count), path), (0, "".join(lines[:count]), ""))
        self.assertEqual(run("head", "-n", "1K", path), (0, text, ""))

    def test_writes_long_lines(self):
        line = b"x" * (5 << 20) + b"\n"
        path = self.path("file", line + line)
        self.assertEqual(run_bytes("head", "-n", "1", path), (0, line, ""))

    def test_writes_bytes(self):
        contents = os.urandom(2 << 20)
        path = self.path("file", contents)
        for count in 0, 1, 16384, 16385, len(contents), len(contents) + 1:
            self.assertEqual(run_bytes("head", "-c", str(count), path), (0, contents[:count], ""))
        self.assertEqual(run_bytes("head", "--bytes", "1M", path)[1], contents[:1 << 20])

    def test_names_each_of_several_files(self):
        one, two = self.path("one", b"1\n"), self.path("two", b"2\n")
        for options in [], ["-c", "2"]:
            self.assertEqual(
                run("head", *options, one, "-", two, input="3\n"),
                (0, f"==> {one} <==\n1\n\n==> standard input <==\n3\n\n==> {two} <==\n2\n", ""))
        self.assertEqual(run("head", "--quiet", one, two), (0, "1\n2\n", ""))
        self.assertEqual(
            run("head", "--continue-on-error", self.path("missing"), two)[1], f"==> {two} <==\n2\n")
        code, objects = run_json("head", one, two)
        self.assertEqual((code, [each["event"] for each in objects]), (0, ["data", "data"]))

    def test_does_not_wait_for_more_than_it_needs(self):
        head = subprocess.Popen([FSLOAD, "head", "-n", "1", "-"], stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE)
        self.addCleanup(head.communicate)
        head.stdin.write(b"line\n")
        head.stdin.flush()
        self.assertEqual(head.wait(DEADLINE), 0)
        self.assertEqual(head.stdout.read(), b"line\n")

    def test_leaves_what_it_does_not_show_to_the_next_reader(self):
        path = self.path("lines", b"1\n2\n3\n4\n")
        with open(path, "rb") as file:
            for line in "1\n", "2\n":
                self.assertEqual(run("head", "-n", "1", "-", stdin=file), (0, line, ""))
            self.assertEqual(os.read(file.fileno(), 9), b"3\n4\n")

    def test_refuses_what_is_no_number(self):
        path = self.path("file", b"")
        for arguments in (["-n", "-5"], ["-n", "x"], ["-n", "1.5"], ["-c", "-1"], ["-c", "x"],
                          ["-n", "1", "-c", "1"], ["-n", "99999999999999999999"]):
            with self.subTest(arguments):
                for verb in "head", "tail":
                    code, out, err = run(verb, *arguments, path)
                    self.assertEqual((code, out), (2, ""))
                    self.assertNotEqual(err, "")


class Tail(FolderTest):
    # like_coreutils_test.py compares it with tail(1).
    def test_reads_through_plugins(self):
        text = "".join(f"line {i}\n" for i in range(20000))
        path = self.path("file", text.encode())
        uri = "minimal://" + path
        expected = "".join(text.splitlines(keepends=True)[-10:])
        self.assertEqual(run("tail", "--plugin", plugin("minimal"), uri), (0, expected, ""))
        self.assertEqual(run("tail", "--plugin", plugin("minimal"), "-n", "15K", uri)[1],
                         "".join(text.splitlines(keepends=True)[-15 * 1024:]))

    def test_says_where_in_a_file_its_bytes_are(self):
        path = self.path("file", b"1\n2\n3\n")
        code, objects = run_json("tail", "-n", "1", path)
        self.assertEqual((code, objects), (0, [
            {"event": "data", "uri": path, "offset": 4, "length": 2, "base64": "Mwo="}]))
        code, objects = run_json("tail", "-c", "3", "-", input="12345")
        self.assertEqual((code, objects[0]["offset"], objects[0]["length"]), (0, 2, 3))

    def test_says_where_what_follows_the_first_lines_is(self):
        path = self.path("file", b"1\n2\n3\n")
        for option, offset in ("-n", 4), ("-c", 2):
            code, [data] = run_json("tail", option, "+3", path)
            self.assertEqual((code, data["offset"]), (0, offset))
        code, out, err = run("tail", "-n", "+x", path)
        self.assertEqual((code, out), (2, ""))
        self.assertIn("'x' is not a number", err)

    def test_reads_on_after_short_reads(self):
        source = "--plugin", plugin("deviant_read_short"), "deviant:///dir/file"
        code, whole, err = run("cat", *source)
        self.assertEqual((code, err), (0, ""))
        self.assertGreater(len(whole), 4)
        self.assertEqual(run("tail", *source), (0, whole, ""))
        self.assertEqual(run("tail", "-c", "4", *source), (0, whole[-4:], ""))


class Stat(FolderTest):
    def test_names_each_of_several(self):
        self.make("a", "b")
        a, b = self.path("a"), self.path("b")
        for path in a, b:
            os.utime(path, ns=(0, 0))
        rest = "type    file\nlength  1\nmtime   1970-01-01T00:00:00.000000000Z\n"
        self.assertEqual(run("stat", a, b), (0, f"uri     {a}\n{rest}\nuri     {b}\n{rest}", ""))

    def test_has_its_fields(self):
        self.make("a")
        os.utime(self.path("a"), ns=(0, 0))
        self.assertEqual(run_json("stat", self.path("a")), (0, [
            {"event": "stat", "uri": self.path("a"), "type": "file", "length": 1,
             "mtime": "1970-01-01T00:00:00.000000000Z"}]))


class Usage(FolderTest):
    def test_sums_up_each_argument(self):
        self.path("a/one", b"x" * 1000)
        self.path("a/b/two", b"x" * 2000)
        self.path("a/b/empty", b"")
        a, b, one = self.path("a"), self.path("a/b"), self.path("a/one")
        for jobs in "1", "16":
            self.assertEqual(run("du", "-j", jobs, a, b, one),
                             (0, f"3000\t{a}\n2000\t{b}\n1000\t{one}\n", ""))
        self.assertEqual(run("du", "-h", a), (0, f"3.0K\t{a}\n", ""))
        self.assertEqual(run_json("du", a, one), (0, [
            {"event": "usage", "uri": a, "bytes": 3000, "files": 3, "directories": 2},
            {"event": "usage", "uri": one, "bytes": 1000, "files": 1, "directories": 0}]))

    def test_tells_what_it_could_not_count(self):
        self.path("a", b"x" * 10)
        os.symlink("nowhere", self.path("b"))
        code, out, err = run("du", self.folder)
        self.assertEqual((code, out), (4, f"10\t{self.folder}\n"))
        self.assertIn("fsload: NOT_FOUND: ", err)

    def test_wants_a_sane_number_of_jobs(self):
        for jobs in "0", "-1", "x", "1000":
            code, out, _ = run("du", "-j", jobs, self.folder)
            self.assertEqual((code, out), (2, ""), jobs)


class Glob(FolderTest):
    def test_lists_what_matches_in_order(self):
        self.make("b.txt", "a.txt", "c/d.txt", "e")
        self.assertEqual(run("glob", self.folder + "/*.txt", self.folder + "/*/*"), (
            0, f"{self.folder}/a.txt\n{self.folder}/b.txt\n{self.folder}/c/d.txt\n", ""))
        self.assertEqual(run_json("glob", self.folder + "/[ab].txt"), (0, [
            {"event": "match", "pattern": self.folder + "/[ab].txt", "uri": self.path(name)}
            for name in ("a.txt", "b.txt")]))

    def test_is_content_with_nothing(self):
        self.assertEqual(run("glob", self.folder + "/*"), (0, "", ""))

    def test_refuses_a_malformed_pattern(self):
        code, out, err = run("glob", self.folder + "/[")
        self.assertEqual((code, out), (1, ""))
        self.assertIn("fsload: INVALID_ARGUMENT: ", err)


class Exists(FolderTest):
    def test_answers_by_its_exit_code(self):
        self.make("file", "folder/")
        file, folder, missing = (self.path(name) for name in ("file", "folder", "missing"))
        self.assertEqual(run("exists", file, folder), (0, "", ""))
        self.assertEqual(run("exists", missing), (4, "", ""))
        self.assertEqual(run("exists", file, missing, folder), (4, "", ""))
        self.assertEqual(run_json("exists", missing, file), (4, [
            {"event": "exists", "uri": missing, "exists": False},
            {"event": "exists", "uri": file, "exists": True}]))

    def test_tells_what_it_could_not_find_out(self):
        deviant = ["--plugin", plugin("deviant_none")]
        code, out, err = run("exists", *deviant, "deviant:///no", "deviant:///code/7")
        self.assertEqual((code, out), (5, ""))
        self.assertIn("PERMISSION_DENIED", err)

    def test_finds_nothing_below_a_file(self):
        file = self.path("file", b"")
        for options, scheme in ([], ""), (["--plugin", plugin("minimal")], "minimal://"):
            for below in "/x", "/x/y", "/":
                with self.subTest(scheme=scheme, below=below):
                    self.assertEqual(run("exists", *options, scheme + file + below), (4, "", ""))

    def test_takes_no_file_for_missing_because_a_plugin_is(self):
        file = self.path("file", b"")
        nowhere = self.path("no/such/thing")
        os.rmdir(os.path.dirname(nowhere))
        for verb in "exists", "stat", "ls", "cat", "du", "glob":
            for arguments in [["nosuch://b/x"], ["nosuch://b/*"],
                              ["--plugin", nowhere, "nosuch://b/x"],
                              ["--plugin", plugin("minimal"), "nosuch://b/x"],
                              ["--record", nowhere, file], ["--replay", nowhere, file]]:
                with self.subTest(verb=verb, arguments=arguments):
                    code, out, err = run(verb, *arguments)
                    self.assertEqual((code, out), (1, ""))
                    self.assertRegex(err, "^fsload: FAILED_PRECONDITION: ")


class Compare(FolderTest):
    def compare(self, a, b, *options):
        return run("cmp", *options, self.path("a", a), self.path("b", b))

    def test_finds_equal_files_equal(self):
        for size in 0, 1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3 << 20:
            contents = os.urandom(size)
            self.assertEqual(self.compare(contents, contents), (0, "", ""))

    def test_says_where_files_part(self):
        pair = f"{self.folder}/a {self.folder}/b differ: "
        self.assertEqual(self.compare(b"x", b"y"), (1, pair + "byte 1, line 1\n", ""))
        self.assertEqual(self.compare(b"1\n2\n3x", b"1\n2\n3y"), (1, pair + "byte 6, line 3\n", ""))
        far = b"\n" * (2 << 20)
        self.assertEqual(self.compare(far + b"x" + far, far + b"y" + far),
                         (1, pair + f"byte {len(far) + 1}, line {len(far) + 1}\n", ""))

    def test_agrees_with_cmp(self):
        if shutil.which("cmp") is None:
            self.skipTest("this machine has no cmp")
        for a, b in (b"x", b"y"), (b"1\n2\n3x", b"1\n2\n3y"), (b"a\n\nb", b"a\n\nc"):
            code, out, _ = self.compare(a, b)
            known = subprocess.run(["cmp", self.path("a"), self.path("b")], capture_output=True,
                                   check=False)
            self.assertEqual((code, out), (
                known.returncode, known.stdout.decode().replace("char", "byte")))

    def test_says_which_one_ends(self):
        pair = f"{self.folder}/a {self.folder}/b differ: "
        self.assertEqual(self.compare(b"1\n2", b"1\n2\n"),
                         (1, pair + f"{self.folder}/a ends after byte 3, line 2\n", ""))
        self.assertEqual(self.compare(b"x" * (1 << 20) + b"y", b"x" * (1 << 20)),
                         (1, pair + f"{self.folder}/b ends after byte 1048576, line 1\n", ""))
        self.assertEqual(self.compare(b"", b"y"), (1, pair + f"{self.folder}/a is empty\n", ""))

    def test_compares_across_schemes(self):
        a, b = self.path("a", b"same"), self.path("b", b"same")
        self.assertEqual(run("cmp", "--plugin", plugin("minimal"), "minimal://" + a, b), (0, "", ""))

    def test_compares_with_standard_input(self):
        path = self.path("a", b"some text")
        self.assertEqual(run("cmp", path, "-", input="some text"), (0, "", ""))
        self.assertEqual(run("cmp", "-", path, input="some Text"),
                         (1, f"- {path} differ: byte 6, line 1\n", ""))
        code, out, err = run("cmp", "-", "-", input="")
        self.assertEqual((code, out, err), (
            2, "", "fsload: INVALID_ARGUMENT: standard input can be given only once\n"))

    def test_is_silent_when_it_is_to_be(self):
        self.assertEqual(self.compare(b"x", b"y", "--quiet"), (1, "", ""))

    def test_has_its_fields(self):
        a, b = self.path("a", b"1\n2"), self.path("b", b"1\n2\n")
        self.assertEqual(run_json("cmp", a, b), (1, [
            {"event": "compared", "uri": a, "other": b, "equal": False, "offset": 3, "line": 2,
             "ended": a}]))
        self.assertEqual(run_json("cmp", a, a), (0, [
            {"event": "compared", "uri": a, "other": a, "equal": True}]))

    def test_says_which_one_it_cannot_read(self):
        path = self.path("a", b"")
        missing = self.path("missing")
        for pair in [path, missing], [missing, path]:
            code, objects = run_json("cmp", *pair)
            self.assertEqual((code, objects[0]["event"], objects[0]["uri"]), (4, "error", missing))

    def test_wants_two(self):
        for count in 1, 3:
            self.assertEqual(run("cmp", *[self.folder] * count)[0], 2)


class Touch(FolderTest):
    def test_creates_empty_files(self):
        for name, scheme in ("posix", "posix"), ("minimal", "minimal"):
            path = self.path("by_" + name)
            self.assertEqual(run("touch", "--plugin", plugin(name), f"{scheme}://{path}"), (0, "", ""))
            self.assertEqual(os.path.getsize(path), 0)

    def test_leaves_what_exists_as_it_is(self):
        path = self.path("file", b"contents")
        os.utime(path, ns=(0, 5))
        self.assertEqual(run("touch", path, self.folder, self.folder + "/"), (0, "", ""))
        self.assertEqual(os.stat(path).st_mtime_ns, 5)
        with open(path, "rb") as file:
            self.assertEqual(file.read(), b"contents")

    def test_says_what_it_did(self):
        uri = "memory:///a"
        self.assertEqual(run_json("touch", "--plugin", plugin("memory"), uri, uri), (0, [
            {"event": "touched", "uri": uri, "created": True},
            {"event": "touched", "uri": uri, "created": False}]))

    def test_creates_no_folders(self):
        self.assertEqual(run("touch", self.path("none") + "/")[0], 4)
        self.assertFalse(os.path.lexists(self.path("none")))
        path = self.path("folder") + "/file"
        self.assertEqual(run("touch", path), (
            4, "", f"fsload: NOT_FOUND: {path}: the directory '{self.path('folder')}' does not "
                   "exist; `fsload mkdir -p` creates it\n"))


class MakeDirectory(FolderTest):
    def test_creates_directories(self):
        for name, scheme in ("posix", "posix"), ("minimal", "minimal"):
            path = self.path(name)
            self.assertEqual(run("mkdir", "--plugin", plugin(name), f"{scheme}://{path}"), (0, "", ""))
            self.assertTrue(os.path.isdir(path))
            deep = path + "/a/b/c"
            for _ in range(2):
                self.assertEqual(run("mkdir", "-p", "--plugin", plugin(name), f"{scheme}://{deep}"),
                                 (0, "", ""))
            self.assertTrue(os.path.isdir(deep))

    def test_says_when_there_is_one(self):
        code, out, err = run("mkdir", self.folder)
        self.assertEqual((code, out), (6, ""))
        self.assertEqual(err, f"fsload: ALREADY_EXISTS: {self.folder}: already exists; -p accepts "
                              "an existing directory\n")

    def test_wants_the_parent_to_exist(self):
        path = self.folder + "/a/b"
        self.assertEqual(run("mkdir", path), (
            4, "", f"fsload: NOT_FOUND: {path}: the parent directory does not exist; -p creates "
                   "missing parents\n"))

    def test_believes_no_plugin_that_makes_nothing(self):
        uri = "deviant:///dir/new"
        code, out, err = run("mkdir", "--plugin", plugin("deviant_create_dir_does_nothing"), uri)
        self.assertEqual((code, out), (8, ""))
        self.assertIn(f"fsload: UNIMPLEMENTED: {uri}: the plugin reported success, but the "
                      f"directory does not exist; the store may not keep empty directories\n", err)

    def test_puts_no_directory_in_a_files_place(self):
        path = self.path("file", b"")
        code, out, err = run("mkdir", "-p", path)
        self.assertEqual((code, out), (1, ""))
        self.assertIn("fsload: FAILED_PRECONDITION: ", err)

    def test_has_its_fields(self):
        path = self.path("folder")
        self.assertEqual(run_json("mkdir", path), (0, [{"event": "directory", "uri": path}]))


class Explain(FolderTest):
    def explain(self, *arguments):
        _, objects = run_json(arguments[0], "--explain", *arguments[1:])
        [explained] = [each for each in objects if each["event"] == "explain"]
        operations = {each["name"]: each for each in explained["operations"]}
        return explained, operations

    def test_counts_the_calls_of_the_plugin(self):
        path = self.path("file", b"x" * (2 << 20))
        explained, operations = self.explain("cat", path)
        self.assertEqual((explained["scheme"], explained["plugin"], explained["atomic"]),
                         ("", "the bundled posix plugin", "not applicable (read-only)"))
        self.assertEqual(operations["new_random_access_file"]["calls"], 1)
        self.assertEqual(operations["read"], {
            "name": "read", "by": "plugin", "with": [], "calls": 3, "failed": 0, "bytes": 2 << 20})
        self.assertEqual(operations["cleanup of TF_RandomAccessFileOps"]["calls"], 1)

    def test_counts_failures(self):
        _, operations = self.explain("stat", self.path("missing"))
        self.assertEqual((operations["stat"]["calls"], operations["stat"]["failed"]), (1, 1))

    def test_says_what_fsload_does(self):
        self.make("a/b")
        _, operations = self.explain("ls", "-R", "--plugin", plugin("minimal"),
                                     "minimal://" + self.folder)
        self.assertEqual((operations["is_directory"]["by"], operations["is_directory"]["with"]),
                         ("fsload", ["stat"]))
        self.assertEqual(operations["stat"]["calls"], 3)
        # Two to see that what stat calls directories has something in it.
        self.assertEqual(operations["get_children"]["calls"], 4)

    def test_says_what_nobody_does(self):
        _, operations = self.explain("ls", "--plugin", plugin("broken_newer_api"), "broken://a")
        self.assertEqual(operations["get_children"]["by"], "nobody")

    def test_says_whether_it_is_atomic(self):
        self.assertIn("yes", self.explain("mkdir", self.path("a"))[0]["atomic"])
        self.assertIn("no: ", self.explain("mkdir", "-p", self.path("b"))[0]["atomic"])
        self.make("from")
        explained, operations = self.explain("cp", self.path("from"), self.path("to"))
        self.assertIn("per file (", explained["atomic"])
        self.assertIn("rename_file", operations)
        explained, operations = self.explain("mv", self.path("to"), self.path("away"))
        self.assertIn("per file (", explained["atomic"])
        # fsload does this itself for local files.
        self.assertEqual(operations["rename_file"]["calls"], 0)
        explained, operations = self.explain("rm", self.path("away"))
        self.assertIn("no; files deleted", explained["atomic"])
        self.assertEqual(operations["delete_file"]["calls"], 0)

    def test_tells_of_each_plugin(self):
        a, b = self.path("a", b"same"), self.path("b", b"same")
        _, objects = run_json("cmp", "--explain", "--plugin", plugin("minimal"), "minimal://" + a, b)
        self.assertEqual([each["scheme"] for each in objects if each["event"] == "explain"],
                         ["", "minimal"])

    def test_is_a_table_on_standard_error(self):
        path = self.path("file", b"contents")
        code, out, err = run("cat", "--explain", path)
        self.assertEqual((code, out), (0, "contents"))
        self.assertEqual(err.splitlines()[0], "scheme '', the bundled posix plugin")
        self.assertRegex(err, r"\n  read +plugin +1 +0 +8\n")
        self.assertEqual(err.splitlines()[-1], "  atomic: not applicable (read-only)")


class ExitCodes(FolderTest):
    def test_tell_the_statuses_of_plugins_apart(self):
        expected = {1: 130, 2: 1, 3: 1, 4: 7, 5: 4, 6: 6, 7: 5, 8: 7, 9: 1, 10: 7, 11: 1, 12: 8,
                    13: 1, 14: 7, 15: 1, 16: 5}
        for status, exit_code in expected.items():
            with self.subTest(status):
                code, out, err = run("stat", "--plugin", plugin("deviant_none"),
                                     f"deviant:///code/{status}")
                self.assertEqual((code, out), (exit_code, ""))
                self.assertIn("as asked", err)

    def test_are_one_for_errors_that_differ(self):
        deviant = ["--plugin", plugin("deviant_none"), "--continue-on-error"]
        for codes, exit_code in ((5, 5), 4), ((5, 7), 1), ((7, 5, 5), 1):
            uris = [f"deviant:///code/{code}" for code in codes]
            self.assertEqual(run("stat", *deviant, *uris)[0], exit_code)

    def test_say_that_the_command_was_used_wrongly(self):
        for arguments in ([], ["cat"], ["no-such-verb"], ["cat", ""], ["cat", "--no-such-option", "x"],
                          ["ls", "--plugin", "", "/"], ["cat", "--offset=", "x"]):
            with self.subTest(arguments):
                code, out, err = run(*arguments)
                self.assertEqual((code, out), (2, ""))
                self.assertNotEqual(err, "")

    def test_say_that_nobody_can_do_it(self):
        code, out, err = run("ls", "--plugin", plugin("broken_newer_api"), "broken://a")
        self.assertEqual((code, out), (8, ""))
        self.assertIn("fsload: UNIMPLEMENTED: ", err)

    def test_say_what_the_system_denies(self):
        self.make("open/file", "closed/file", "secret")
        os.chmod(self.path("closed"), 0)
        os.chmod(self.path("secret"), 0)
        self.addCleanup(os.chmod, self.path("closed"), 0o755)
        for verb in ["cat", self.path("secret")], ["ls", self.path("closed")], \
                    ["stat", self.path("closed/file")], ["exists", self.path("closed/file")], \
                    ["touch", self.path("closed/new")], ["mkdir", self.path("closed/new")]:
            with self.subTest(verb):
                code, out, err = run(*verb, privileged=False)
                self.assertEqual((code, out), (5, ""))
                self.assertIn("Permission denied", err)
        code, out, err = run("ls", "-R", self.folder, privileged=False)
        self.assertEqual((code, out), (5, "closed\nopen\nopen/file\nsecret\n"))
        self.assertEqual(err, f"fsload: PERMISSION_DENIED: {self.folder}/closed: Permission "
                              "denied (get_children)\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
