#!/usr/bin/python3
"""Runs fsload conformance on the plugins of testdata/: the right ones, and mutants
with one mistake each. The argument is the command's path."""

import json
import os
import pty
import shutil
import signal
import subprocess
import sys
import time
import unittest
import xml.etree.ElementTree

from command import FSLOAD, CommandTest, plugin, run

DEADLINE = 300  # seconds, for commands that take a few


class Conformance(CommandTest):
    def setUp(self):
        super().setUp()
        os.chmod(self.folder, 0o755)  # some cases run as another user
        self.root = os.path.join(self.folder, "root")

    def run_suite(self, name, *options, mutant=None, scheme=None):
        """The exit code, standard output and standard error."""
        environment = {**os.environ, "FSLOAD_MUTANT": mutant} if mutant else None
        scheme = scheme or (mutant.split(".")[0] if mutant else name)
        ended = subprocess.run(
            [FSLOAD, "conformance", plugin(name), "--root", f"{scheme}://{self.root}", *options],
            env=environment, capture_output=True, timeout=DEADLINE, check=False)
        return ended.returncode, ended.stdout.decode(), ended.stderr.decode()

    def report(self, *arguments, code=0, **more):
        got, out, err = self.run_suite(*arguments, "--format=json", **more)
        self.assertEqual((got, err), (code, ""), out)
        return json.loads(out)

    def verdicts(self, report, *wanted):
        return [each["name"] for each in report["results"] if each["verdict"] in wanted]

    def file(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def test_the_bundled_plugins_conform(self):
        for name in "posix", "memory":
            report = self.report(name, "--level=4")
            self.assertEqual(report["verdict"], "conforms")
            self.assertEqual(set(report["counts"]), {"passed", "skipped"})
            self.assertGreater(report["counts"]["passed"], 200)
            for each in report["results"]:
                if each["verdict"] == "skipped":
                    self.assertRegex(each["reason"], "^the plugin has no |"
                                     "^the root is not in the local file system$")
        self.assertEqual(os.listdir(self.root), [])

    def test_a_root_may_have_the_characters_of_patterns(self):
        self.root += "/run[1]*?\\"
        for name in "posix", "memory":
            report = self.report(name, "--only=glob.*", "--only=random.trees")
            self.assertEqual(set(report["counts"]) - {"skipped"}, {"passed"})

    @unittest.skipIf(os.geteuid() != 0, "other users test permissions as themselves")
    def test_a_root_that_nobody_can_reach_is_told_in_one_line(self):
        os.chmod(self.folder, 0o700)
        code, out, _ = self.run_suite("posix", "--level=4", "--only=faults.*")
        self.assertEqual(code, 0, out)
        self.assertEqual(out.count("the user nobody"), 1)
        self.assertIn("cannot search a directory above the root (chmod a+x)\n", out)

    def test_finds_the_same_in_a_process_of_its_own(self):
        report = self.report("mutants", "--isolate", "--only=stat.*", scheme="posix")
        self.assertEqual(set(report["counts"]), {"passed"})
        mutant = {"mutant": "posix.stat-missing-is-ok", "code": 1}
        here = self.report("mutants", "--only=stat.*", **mutant)
        isolated = self.report("mutants", "--isolate", "--only=stat.*", **mutant)
        self.assertEqual(self.verdicts(isolated, "failed"), self.verdicts(here, "failed"))
        self.assertNotEqual(self.verdicts(isolated, "failed"), [])

    def test_finds_the_same_of_each_case_in_a_process_of_its_own(self):
        for name in "posix", "memory", "minimal", "c_minimal":
            scheme = name.replace("_", "")
            here = self.results(name, scheme=scheme)
            isolated = self.results(name, "--isolate", scheme=scheme)
            self.assertEqual(list(isolated), list(here))
            self.assertGreater(len(here), 100)
            for case, found in isolated.items():
                # What a plugin does to its process.
                if "(--isolate)" not in (found.get("reason") or ""):
                    self.assertEqual(found["verdict"], here[case]["verdict"], (name, case))

    def results(self, *arguments, **more):
        """The result of each case."""
        _, out, _ = self.run_suite(*arguments, "--seed=1", "--format=json", **more)
        shutil.rmtree(self.root, ignore_errors=True)
        return {each["name"]: each for each in json.loads(out)["results"]}

    def test_a_plugin_may_keep_a_buffer_when_it_is_flushed(self):
        buffering = {"mutant": "posix.flush-does-nothing"}
        report = self.report("mutants", "--only=flush.*", "--only=sync.*", **buffering)
        self.assertEqual(self.verdicts(report, "disputed"),
                         ["flush.can-be-read@tables", "flush.can-be-read@facade"])
        self.assertEqual(self.verdicts(report, "passed"),
                         ["sync.can-be-read@tables", "sync.can-be-read@facade"])

    def test_a_mistake_is_told_with_its_rule_and_the_calls(self):
        code, out, err = self.run_suite("mutants", mutant="posix.read-drops-last-byte")
        self.assertEqual((code, err), (1, ""))
        self.assertIn("FAILED FSP401 read.at-an-offset@tables: read gives the n bytes at an "
                      "offset (interface lines 214-217)\n", out)
        self.assertIn('read("file", offset 0, n 10) -> "012345678"; expected "0123456789"', out)
        self.assertIn("    calls:\n", out)
        self.assertEqual(os.listdir(self.root), [])

    def test_what_is_done_to_the_process_is_told(self):
        for mutant, options, message in [
                ("create-dir-changes-umask", ["--only=process.*@tables"],
                 "after create_dir and delete_dir, the umask is 0000, and was 0027"),
                ("failed-delete-tree-changes-directory", ["--only=process.*@tables"],
                 "after a failing delete_recursively, the working directory is /, and was /proc"),
                ("new-file-is-inherited", ["--only=process.*@tables"],
                 "8 files open for writing have 8 descriptors that programs inherit"),
                ("stat-leaks-bytes", ["--only=resources.*@tables"], "stat, 180 times, takes 5"),
                ("translate-sets-environment", ["--only=process.*@tables"],
                 "after reading a file, the environment differs in FSLOAD_TRANSLATED\n"),
                ("copy-leaks-thread", ["--only=resources.*@tables"],
                 "copy_file, 24 times, takes 24 more threads"),
                ("failed-copy-leaves-part", ["--only=faults.copy-too-large@tables"],
                 'get_children("") -> {"dst", "dst.part", "src"}; expected {"dst", "src"}')]:
            with self.subTest(mutant):
                code, out, err = self.run_suite("mutants", *options, mutant="posix." + mutant)
                self.assertEqual((code, err), (1, ""))
                self.assertIn(message, out)

    def test_a_store_is_asked_less_often(self):
        for options, rounds in ([], 100), (["--profile=object-store"], 20):
            code, out, _ = self.run_suite("mutants", "--only=resources.no-memory@tables", *options,
                                          mutant="memory.list-leaks")
            self.assertEqual(code, 1)
            self.assertIn(f"\n  listing a directory {rounds} times takes ", out)

    def test_a_crash_ends_its_case_alone(self):
        report = self.report("mutants", code=1, mutant="memory.read-of-empty-file-crashes")
        crashed = [each for each in report["results"] if each["verdict"] == "crashed"]
        self.assertIn("read.files-of-all-sizes@tables", [each["name"] for each in crashed])
        for each in crashed:
            self.assertRegex(each["reason"] + each["failures"][0], r"SIGSEGV .*mutants")
        self.assertEqual(self.verdicts(report, "failed"), [])
        self.assertGreater(report["counts"]["passed"], 100)

    def test_a_hang_ends_at_the_deadline(self):
        report = self.report("mutants", "--only=read.*", "--timeout=0.5", code=1,
                             mutant="memory.read-at-end-hangs")
        self.assertIn("read.nothing-behind-the-end@tables", self.verdicts(report, "timed_out"))
        self.assertIn("read.at-an-offset@tables", self.verdicts(report, "passed"))

    def test_a_cleanup_that_hangs_ends_at_the_deadline_and_delays_no_case(self):
        stuck = "delete-dir.deletes-an-empty-directory@tables"
        # The second of them runs and prints while what `stuck` left is deleted.
        others = ["stat.length@tables", "stat.length@facade"]
        code, out, err = self.run_suite(
            "stuck", *(f"--only={case}" for case in [stuck, *others]), "--jobs=2", "--timeout=5",
            "--format=json", scheme="posix")
        report = json.loads(out)
        self.assertEqual(code, 1)
        self.assertEqual(self.verdicts(report, "passed"), others, out)
        self.assertEqual(self.verdicts(report, "timed_out"), [stuck])
        work = f"posix://{self.root}/fsload-conformance"
        self.assertEqual(report["results"][0]["left_behind"], work + "/case00000")
        self.assertIn(f"{work} could not be deleted; delete it yourself\n", err)

    def test_a_terminal_shows_the_case_that_runs(self):
        cases = ["read.at-an-offset@tables", "read.nothing-behind-the-end@tables"]
        try:
            ours, theirs = pty.openpty()
        except OSError as error:  # no /dev/pts
            raise unittest.SkipTest(f"no pseudo terminal: {error}") from error
        subprocess.run([FSLOAD, "conformance", plugin("memory"), "--root", f"memory://{self.root}",
                        "--jobs=1", *(f"--only={case}" for case in cases)],
                       stdout=subprocess.DEVNULL, stderr=theirs, timeout=DEADLINE, check=True)
        os.close(theirs)
        written = b""
        try:
            while True:
                written += os.read(ours, 4096)
        except OSError:  # the other end is closed, and all is read
            os.close(ours)
        lines = written.decode().split("\r\x1b[K")
        shown = [line for before, line in zip(lines, lines[1:]) if line != before]
        self.assertEqual(shown, [f"0 of 2: {cases[0]}", f"1 of 2: {cases[1]}", ""])

    def test_a_random_failure_is_shrunk_and_repeated(self):
        mutant = {"mutant": "memory.delete-file-keeps-contents"}
        sequence = ""
        for seed in range(1, 20):
            _, out, _ = self.run_suite("mutants", "--only=random.trees", f"--seed={seed}",
                                       "--format=json", **mutant)
            sequence = max(each["sequence"] for each in json.loads(out)["results"])
            if sequence:
                break
        self.assertTrue(sequence)
        path = self.file("sequence", sequence)
        self.assertEqual(self.run_suite("mutants", f"--replay={path}", **mutant)[0], 1)
        self.assertEqual(self.run_suite("memory", f"--replay={path}")[0], 0)

    def test_a_sequence_may_have_any_pattern(self):
        path = self.file("sequence", 'create_dir a\nwrite a/b "x"\nwrite b "x"\n'
                         "get_matching_paths a\nget_matching_paths [ab]\n"
                         "get_matching_paths *b\nget_matching_paths a/[^b]\n"
                         "get_matching_paths */*/*\n")
        for name in "posix", "memory":
            self.assertEqual(self.run_suite(name, f"--replay={path}")[0], 0)
        path = self.file("malformed", "get_matching_paths [a\n")
        code, _, err = self.run_suite("posix", f"--replay={path}")
        self.assertEqual(code, 2)
        self.assertIn("line 1: 'get_matching_paths [a' is not a step", err)

    def test_expected_failures_are_counted_and_passes_told(self):
        expected = self.file("expected", "# known\nread.*  it counts one too few\n"
                                         "names.odd-*  it was fixed\n")
        report = self.report("mutants", "--only=read.*", "--only=names.odd-*",
                             f"--expected-failures={expected}", code=1,
                             mutant="posix.read-drops-last-byte")
        self.assertIn("read.at-an-offset@tables", self.verdicts(report, "expected_failure"))
        self.assertEqual(self.verdicts(report, "failed"), [])
        self.assertIn("names.odd-names-are-like-others@tables",
                      self.verdicts(report, "unexpected_pass"))

    def test_words_that_select_nothing_are_refused(self):
        lines = self.file("lines", "read.*  a reason\nreed.*  another\n")
        none = self.file("none", "read.*\n")
        empty = self.file("empty", "")
        steps = self.file("steps", "write a \"xx\"\nhello\n")
        missing = os.path.join(self.folder, "missing")
        for options, message in [
                (["--only=reed.*"], "--only: no case matches 'reed.*'; `fsload conformance --list` "
                                    "lists the cases"),
                (["--skip=nothing"], "--skip: no case matches 'nothing'"),
                ([f"--expected-failures={lines}"], f"{lines}:2: no case matches 'reed.*'"),
                ([f"--expected-failures={none}"], f"{none}:1: 'read.*' has no reason"),
                ([f"--expected-failures={missing}"], f"{missing}: No such file or directory"),
                ([f"--replay={missing}"], f"{missing}: No such file or directory"),
                ([f"--replay={empty}"], f"{empty}: it has no steps"),
                ([f"--replay={steps}"], f"{steps}: line 2: 'hello' is not a step; write one like: "
                                        "rename_file a b"),
                (["--level=5"], "'5' is not a number from 1 to 4"),
                (["--profile=cloud"], "'cloud' is neither local nor object-store"),
        ]:
            code, out, err = self.run_suite("posix", *options)
            self.assertEqual((code, out), (2, ""))
            self.assertIn(message, err)
        self.assertFalse(os.path.exists(self.root))

    def test_what_is_in_the_root_stays(self):
        os.mkdir(self.root)
        with open(os.path.join(self.root, "mine"), "w", encoding="utf-8") as file:
            file.write("contents")
        code, out, err = self.run_suite("posix", "--level=1")
        self.assertEqual((code, out), (2, ""))
        self.assertIn(f"posix://{self.root}: it is not empty ('mine' is in it)", err)
        self.assertEqual(os.listdir(self.root), ["mine"])

    def test_a_new_root_is_made_whatever_a_missing_parent_is_called(self):
        report = self.report("mutants", "--only=create-dir.*", code=1,
                             mutant="memory.create-dir-without-parent-is-precondition")
        self.assertIn("create-dir.only-in-a-directory@tables", self.verdicts(report, "failed"))

    def test_a_root_that_is_a_file_is_refused(self):
        self.file("root", "contents")
        code, out, err = self.run_suite("posix", "--level=1")
        self.assertEqual((code, out), (1, ""))
        self.assertIn(f"posix://{self.root}: it is a file; name an empty or new directory with "
                      "--root\n", err)

    def test_a_run_without_a_case_says_why(self):
        for choice in "--skip=*", "--only=rename.onto-itself@without-rename_file":
            code, out, err = self.run_suite("minimal", choice)
            self.assertEqual((code, err), (3, ""))
            self.assertIn(
                "\nNothing was tested: --only and --skip leave no case for this plugin.\n", out)

    def test_the_help_is_the_same_on_all_machines(self):
        self.assertIn("--jobs N=0 ", run("conformance", "--help")[1])

    def begin(self):
        """A long run that has begun."""
        suite = subprocess.Popen(
            [FSLOAD, "conformance", plugin("posix"), "--root", f"posix://{self.root}",
             "--level=4"], stdout=subprocess.DEVNULL)
        until = time.monotonic() + DEADLINE
        while not self.has_journal():
            self.assertLess(time.monotonic(), until)
            time.sleep(0.01)
        return suite

    def has_journal(self):
        journal = self.root + "/fsload-conformance/journal"
        return os.path.exists(journal) and os.path.getsize(journal) > 0

    def test_a_killed_run_is_cleaned_up_by_the_next(self):
        with self.begin() as suite:
            suite.send_signal(signal.SIGKILL)
        self.assertNotEqual(os.listdir(self.root), [])
        code, _, err = self.run_suite("posix", "--level=1")
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(os.listdir(self.root), [])

    def test_a_second_run_does_not_take_the_root_of_the_first(self):
        with self.begin() as first:
            code, _, err = self.run_suite("posix", "--level=1", "--only=stat.length")
            self.assertEqual(code, 2)
            self.assertIn("another run is using it", err)
            self.assertEqual(first.wait(), 0)

    def leave_behind(self, journal):
        """The work directory of another run, with a link to somebody's files."""
        theirs = os.path.join(self.folder, "theirs")
        os.mkdir(theirs)
        with open(theirs + "/file", "w", encoding="utf-8") as file:
            file.write("contents")
        work = self.root + "/fsload-conformance"
        os.makedirs(work)
        os.symlink(theirs, work + "/link")
        with open(work + "/journal", "w", encoding="utf-8") as file:
            file.write(journal)

    def journal(self, **changes):
        with open("/proc/sys/kernel/random/boot_id", encoding="utf-8") as file:
            machine = file.readline().strip() + " " + os.readlink("/proc/self/ns/pid")
        owner = {"host": "here", "machine": machine, "process": 999999999, "start": "1",
                 "kept": False}
        return json.dumps({"fsload-conformance": {**owner, **changes}})

    def test_cleaning_up_follows_no_links(self):
        self.leave_behind(self.journal())
        code, _, err = self.run_suite("posix", "--level=1")
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(os.listdir(self.root), [])
        self.assertEqual(os.listdir(self.folder + "/theirs"), ["file"])

    def test_a_link_in_place_of_the_work_directory_is_not_followed(self):
        self.leave_behind(self.journal())
        os.rename(self.root + "/fsload-conformance", self.folder + "/elsewhere")
        os.symlink(self.folder + "/elsewhere", self.root + "/fsload-conformance")
        self.run_suite("posix", "--level=1")
        self.assertEqual(sorted(os.listdir(self.folder + "/elsewhere")), ["journal", "link"])
        self.assertEqual(os.listdir(self.folder + "/theirs"), ["file"])

    def test_what_may_be_somebodys_is_not_deleted(self):
        own = f"/proc/{os.getpid()}/stat"
        with open(own, encoding="utf-8") as file:
            start = file.read().rpartition(")")[2].split()[19]
        for journal, said in [
                ("", "it has no journal of fsload"), ("{}", "it has no journal of fsload"),
                (json.dumps({"fsload-conformance": 5}), "it has no journal of fsload"),
                (self.journal(process="x"), "it has no journal of fsload"),
                (self.journal(process=-1), "it has no journal of fsload"),
                (self.journal(process=1 << 32), "it has no journal of fsload"),
                (self.journal(host="other", machine="another"), "process 999999999 of host 'other' is using it"),
                (self.journal(kept=True), "an earlier run kept it (--keep)"),
                (self.journal(process=os.getpid(), start=start), "another run is using it")]:
            with self.subTest(journal):
                self.leave_behind(journal)
                before = sorted(os.listdir(self.root + "/fsload-conformance"))
                code, out, err = self.run_suite("posix", "--level=1")
                self.assertEqual((code, out), (2, ""))
                self.assertIn(f"root/fsload-conformance: {said}", err)
                self.assertIn("delete it yourself, or name another directory", err)
                self.assertEqual(sorted(os.listdir(self.root + "/fsload-conformance")), before)
                shutil.rmtree(self.root)
                shutil.rmtree(self.folder + "/theirs")

    def test_what_was_kept_stays(self):
        self.assertEqual(self.run_suite("posix", "--only=stat.length", "--keep")[0], 0)
        kept = sorted(os.listdir(self.root + "/fsload-conformance"))
        self.assertEqual(self.run_suite("posix", "--only=stat.length")[0], 2)
        self.assertEqual(sorted(os.listdir(self.root + "/fsload-conformance")), kept)

    def test_a_sequence_stays_in_its_directory(self):
        for step in ("delete_recursively ../../theirs", "write /theirs \"x\"", "delete_file a//b",
                     "rename_file a ../b", "create_dir ."):
            code, out, err = self.run_suite("posix", "--replay=" + self.file("steps", step + "\n"))
            self.assertEqual((code, out), (2, ""))
            self.assertIn("paths below the case's directory", err)

    def test_a_file_or_link_in_place_of_the_work_directory_stays(self):
        os.mkdir(self.root)
        work = self.root + "/fsload-conformance"
        os.mkdir(self.folder + "/empty")
        for make in (lambda: os.symlink(self.folder + "/empty", work),
                     lambda: self.file("root/fsload-conformance", "contents")):
            make()
            before = os.lstat(work).st_mode
            self.run_suite("posix", "--level=1", "--only=stat.length")
            self.assertEqual(os.lstat(work).st_mode, before)
            os.unlink(work)
        self.assertEqual(os.listdir(self.folder + "/empty"), [])

    def test_lines_of_expected_failures_are_independent(self):
        lines = self.file("lines", "read.at-an-offset@facade  it is out of date\n"
                                   "read.at-an-*  another that is\n")
        report = self.report("posix", "--only=read.at-an-offset", f"--expected-failures={lines}",
                             code=1)
        self.assertEqual(set(report["counts"]), {"unexpected_pass"})

    def test_an_expected_failure_stops_nothing(self):
        lines = self.file("lines", "read.*  it is known\n")
        report = self.report("mutants", "--only=read.*", "--fail-fast", "-j1",
                             f"--expected-failures={lines}",
                             mutant="posix.read-drops-last-byte")
        self.assertGreater(report["counts"]["expected_failure"], 1)
        self.assertGreater(report["counts"]["passed"], 1)

    def test_no_case_begins_after_one_that_failed(self):
        report = self.report("mutants", "--only=read.*", "--fail-fast", "-j1", code=1,
                             mutant="posix.read-drops-last-byte")
        verdicts = [each["verdict"] for each in report["results"]]
        self.assertEqual(set(verdicts[verdicts.index("failed") + 1:]), {"skipped"})

    def test_a_line_is_judged_by_all_its_cases(self):
        lines = self.file("lines", "read.*  it is known\n")
        options = {"mutant": "posix.read-drops-last-byte"}
        self.report("mutants", "--only=read.directory*", f"--expected-failures={lines}", **options)

    def test_a_case_that_is_not_run_may_be_the_one_that_fails(self):
        for pattern, options, mutant in [
                ("rename.*", ["--level=1"], "posix.rename-onto-itself-deletes"),
                ("rename.onto-itself", ["--only=rename.onto-itself@facade"],
                 "posix.rename-onto-itself-deletes"),
                ("list.*", ["--profile=object-store", "--only=list.*"],
                 "posix.list-of-file-is-ok")]:
            with self.subTest(pattern):
                lines = self.file("lines", f"{pattern}  it is known\n")
                report = self.report("mutants", f"--expected-failures={lines}", *options,
                                     mutant=mutant)
                self.assertEqual(set(report["counts"]) - {"skipped"}, {"passed"})

    def test_a_case_behind_a_failure_may_be_the_one_that_fails(self):
        lines = self.file("lines", "stat.*  it is known\n")
        report = self.report("mutants", "--only=stat.*", "--only=is-directory.*", "--fail-fast",
                             "-j1", f"--expected-failures={lines}", code=1,
                             mutant="posix.is-directory-true-for-missing")
        self.assertEqual(set(report["counts"]), {"passed", "failed", "skipped"})

    def test_a_wide_expectation_hides_no_crash(self):
        crash = {"mutant": "memory.read-of-empty-file-crashes"}
        wide = self.file("wide", "read.*  it is known\n")
        exact = self.file("exact", "read.files-of-all-sizes@*  it is known\n")
        only = "--only=read.files-of-all-sizes"
        self.report("mutants", only, f"--expected-failures={wide}", code=1, **crash)
        self.report("mutants", only, f"--expected-failures={exact}", code=0, **crash)

    def test_a_crash_before_the_first_case_is_told(self):
        code, out, err = self.run_suite("mutants", mutant="posix.translate-foreign-memory")
        self.assertEqual((code, out), (9, ""))
        self.assertRegex(err, "no case was run; before the first one, the plugin crashed with SIGABRT")

    def test_junit_and_json_agree(self):
        report = self.report("mutants", "--only=read.*", code=1,
                             mutant="posix.read-drops-last-byte")
        _, text, _ = self.run_suite("mutants", "--only=read.*", "--format=junit",
                                    mutant="posix.read-drops-last-byte")
        suite = xml.etree.ElementTree.fromstring(text).find("testsuite")
        self.assertEqual(int(suite.get("tests")), len(report["results"]))
        self.assertEqual(int(suite.get("failures")), report["counts"]["failed"])
        self.assertEqual([each.get("name") for each in suite.iter("testcase")],
                         [each["name"] for each in report["results"]])

    def test_compares_two_runs(self):
        documents = []
        for name, mutant in ("mutants", "posix.read-drops-last-byte"), ("posix", None):
            _, out, _ = self.run_suite(name, "--only=read.at-*", "--format=json", mutant=mutant)
            documents.append(self.file(f"{name}.json", out))
        ended = subprocess.run([FSLOAD, "conformance", "--compare", *documents],
                               capture_output=True, text=True, timeout=DEADLINE, check=False)
        self.assertEqual(ended.returncode, 1)
        self.assertIn("read.at-an-offset@tables: failed before, passed after\n", ended.stdout)
        odd = self.file("odd", json.dumps(
            {"schema_version": 1, "results": [{"name": 5, "verdict": 7}]}))
        for document in odd, self.file("version", '{"schema_version": 2, "results": []}'):
            refused = subprocess.run([FSLOAD, "conformance", "--compare", documents[0], document],
                                     capture_output=True, text=True, timeout=DEADLINE, check=False)
            self.assertEqual(refused.returncode, 2)
            self.assertIn(document + ": not a document", refused.stderr)
        same = subprocess.run([FSLOAD, "conformance", "--compare", documents[0], documents[0]],
                              capture_output=True, text=True, timeout=DEADLINE, check=False)
        self.assertEqual(same.returncode, 0)
        empty = self.file("empty", "")
        wrong = subprocess.run([FSLOAD, "conformance", "--compare", documents[0], empty],
                               capture_output=True, text=True, timeout=DEADLINE, check=False)
        self.assertEqual((wrong.returncode, wrong.stdout), (2, ""))
        self.assertIn(f"{empty}: not a document written by `fsload conformance --format=json`\n",
                      wrong.stderr)

    def test_expects_no_failures_of_an_empty_file(self):
        empty = self.file("empty", "")
        self.report("posix", "--only=stat.length", f"--expected-failures={empty}")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
