#!/usr/bin/python3
"""Runs the fsload command. The argument is its path; plugins are in testdata/."""

import errno
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from command import FSLOAD, run


def plugin(name):
    return f"testdata/{name}.so"


class Check(unittest.TestCase):
    def test_checks_the_bundled_plugin_when_none_is_named(self):
        for arguments in ["--check"], ["check"]:
            code, out, err = run(*arguments)
            self.assertEqual((code, err), (0, ""))
            self.assertEqual(out.splitlines()[:2], [
                "No plugin was named: checking the bundled posix plugin.",
                "the bundled posix plugin: verified"])
            self.assertIn("\n  scheme 'posix'\n", out)
            self.assertIn("\n  scheme '' (local paths)\n", out)

    def test_verifies_what_is_right(self):
        for name, scheme in [("posix", "posix"), ("memory", "memory"), ("minimal", "minimal"),
                             ("c_minimal", "cminimal")]:
            with self.subTest(name):
                code, out, err = run("--check", plugin(name))
                self.assertEqual((code, err), (0, ""))
                self.assertEqual(out.splitlines()[0], plugin(name) + ": verified")
                self.assertIn(f"\n  scheme '{scheme}'\n", out)
                self.assertRegex(out, r"\n    TF_FilesystemOps +264 bytes  ABI 0  API 0  "
                                      r"TensorFlow 2\.5 and later\n")
                self.assertRegex(out, r"\n  tables       (sealed mapping|sealed file|protected pages) \(.+\)\n")
                self.assertRegex(out, r"\n    present +\d+  init cleanup ")
                self.assertRegex(out, r"\n    default +\d+")
                self.assertRegex(out, r"\n    unavailable +\d+")

    def test_says_what_is_wrong(self):
        for options in [], ["--no-isolation"]:
            code, out, err = run("--check", *options, plugin("broken_no_entry"))
            self.assertEqual((code, err), (1, ""))
            self.assertEqual(out.splitlines()[:2], [
                "testdata/broken_no_entry.so: refused",
                "  error FSP009: it does not export TF_InitPlugin, so it is not a "
                "filesystem plugin"])

    def test_warns_without_refusing(self):
        code, out, _ = run("--check", plugin("broken_newer_api"))
        self.assertEqual(code, 0)
        self.assertEqual(out.splitlines()[:2], [
            "testdata/broken_newer_api.so: verified",
            "  warning FSP116: scheme 'broken': TF_FilesystemOps: wanted API 0, "
            "found 99; some operations may behave differently"])

    def test_checks_all_plugins_though_one_is_refused(self):
        code, out, _ = run("--check", plugin("broken_wrong_abi"), plugin("minimal"))
        self.assertEqual(code, 1)
        self.assertEqual(re.findall("^testdata/.*$", out, re.MULTILINE), [
            "testdata/broken_wrong_abi.so: refused", "testdata/minimal.so: verified"])

    def test_does_not_pass_a_plugin_that_exits(self):
        code, out, err = run("--check", plugin("exits"))
        self.assertEqual((code, err), (1, ""))
        self.assertEqual(out.splitlines()[:2], [
            plugin("exits") + ": refused",
            "  error FSP204: TF_InitPlugin called exit(0); this would end the host"])

    def test_does_not_pass_a_plugin_that_exits_in_its_own_process(self):
        code, out, err = run("--check", "--no-isolation", plugin("memory"), plugin("exits"))
        self.assertEqual((code, err), (1, "fsload: a plugin ended the process with exit()\n"))
        self.assertEqual(out.splitlines()[0], plugin("memory") + ": verified")

    def test_logs_what_FSLOAD_DEBUG_asks_for(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "file")
            with open(path, "w") as file:
                file.write("12345")
            code, out, err = run("cat", "--plugin", plugin("posix"), "posix://" + path,
                                 env={"FSLOAD_DEBUG": "loader,elf,ops,nonsense"})
        self.assertEqual((code, out), (0, "12345"))
        lines = err.splitlines()
        self.assertIn("fsload: warning: FSLOAD_DEBUG: unknown value 'nonsense' is ignored; "
                      "known: loader, elf, ops", lines)
        self.assertIn("fsload: info: loader: testdata/posix.so: registered 1 schemes", lines)
        self.assertRegex(err, r"(?m)^fsload: info: elf: testdata/posix\.so: \d+ dynamic symbols, "
                              r"needs .*libtensorflow_framework\.so\.2 .*, searches .+$")
        self.assertRegex(err, r"(?m)^fsload: info: ops: 'posix' read\(posix://.*/file\) 5 bytes: "
                              r"OUT_OF_RANGE in [\d.]+ us$")

    def test_logs_no_control_characters(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a\x1b[31mb")
            with open(path, "w"):
                pass
            code, _, err = run("cat", path, env={"FSLOAD_DEBUG": "ops"})
        self.assertEqual(code, 0)
        self.assertIn("/a\\x1b[31mb)", err)
        self.assertNotIn("\x1b", err)

    def test_explains_rules(self):
        code, out, err = run("explain", "FSP107", "107")
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(out, 2 * (
            "FSP107  MUST    a scheme is registered once\n"
            "  source  line 1112 of filesystem_interface.h of TensorFlow 2.21\n"
            "  why     With two entries for one scheme, a host cannot tell which tables to use.\n"
            "  repair  Fill in one entry per scheme.\n"))
        self.assertEqual(run("explain", "FSP9"), (
            2, "", "fsload: INVALID_ARGUMENT: unknown rule 'FSP9'; `fsload "
                   "rules` lists all rules\n"))

    def test_refuses_an_empty_name(self):
        for arguments in [["--check", ""], ["inspect", ""], ["ls", "--plugin", "", "/"]]:
            code, out, err = run(*arguments)
            self.assertEqual((code, out), (2, ""))
            self.assertRegex(err, "the path is empty")

    def test_says_when_its_report_is_lost(self):
        for arguments in ["--check"], ["check", plugin("minimal")], ["--check", "--format=json"]:
            with open("/dev/full", "w") as full:
                ended = subprocess.run([FSLOAD, *arguments], stdout=full, stderr=subprocess.PIPE)
            self.assertEqual((ended.returncode, ended.stderr.decode()), (
                1, "fsload: RESOURCE_EXHAUSTED: standard output: No space left on device; the "
                "output is incomplete; free some space and run the command again\n"))

    def test_takes_no_argument_for_an_options_value(self):
        self.assertEqual(run("--check", "--allow-list=", plugin("minimal")), (
            2, "", "fsload: INVALID_ARGUMENT: check: --allow-list needs a value; see "
                   "`fsload check --help`\n"))

    def test_wants_plugins_for_an_allow_list(self):
        self.assertEqual(run("--check", "--allow-list", "/no/such"), (
            2, "", "fsload: INVALID_ARGUMENT: --allow-list needs at least one PLUGIN to check\n"))

    def test_wants_a_sane_deadline(self):
        for deadline in "0.001", "nan", "-1", "soon":
            code, out, err = run("--check", "--timeout", deadline)
            self.assertEqual((code, out), (2, ""), deadline)

    def test_has_options_anywhere(self):
        code, out, err = run("--check", plugin("minimal"), "--help")
        self.assertEqual((code, err), (0, ""))
        self.assertIn("Usage: fsload check [OPTIONS] [plugin...]", out)

    def test_refuses_what_is_not_there(self):
        code, out, err = run("--check", "/no/such.so")
        self.assertEqual((code, err), (1, ""))
        self.assertEqual(out.splitlines()[:2], [
            "/no/such.so: refused",
            "  error FSP001: cannot be read: No such file or directory"])


def verdicts(out):
    """The lines about a plugin as a whole."""
    return re.findall(r"^(?!The behaviour of )\S.*$", out, re.MULTILINE)


class Isolation(unittest.TestCase):
    """Why the child exists; loader/confined_load/confined_load_test covers each deed."""

    def test_checks_the_next_plugin_whatever_the_last_one_did(self):
        hostile = ["crashes_static", "crashes_cleanup", "aborts_entry", "closes_descriptors_entry",
                   "hides_crash_entry", "overflows_stack_entry", "prints_megabytes_entry",
                   "pthread_exits_entry", "quick_exits_entry"]
        names = [plugin("hostile_" + name) for name in hostile]
        code, out, err = run("--check", *names, plugin("memory"))
        self.assertEqual((code, err), (1, ""))
        self.assertEqual(verdicts(out),
                         [name + ": refused" for name in names] + [plugin("memory") + ": verified"])

    def test_kills_what_hangs_at_the_deadline(self):
        code, out, err = run("--check", "--timeout", "0.5", plugin("hostile_hangs_init"))
        self.assertEqual((code, err), (1, ""))
        self.assertEqual(out.splitlines()[:2], [
            plugin("hostile_hangs_init") + ": refused",
            "  error FSP206: scheme 'hostile': init did not return within 500ms, so its process "
            "was killed; a host would hang"])

    def test_gives_up_a_file_that_takes_longer_than_the_deadline_to_look_at(self):
        with tempfile.TemporaryDirectory() as folder:
            path = folder + "/large.so"
            shutil.copyfile(plugin("minimal"), path)
            os.truncate(path, (2 << 30) - 4096)
            for options in [], ["--static"]:
                with self.subTest(options):
                    code, out, err = run("--check", *options, "--timeout", "0.1", path)
                    self.assertEqual((code, err), (1, ""))
                    self.assertIn("FSP037: reading and checking the file took longer than the "
                                  "deadline of 100ms", re.sub(r"\s+", " ", out))

    def test_leaves_no_process_behind(self):
        _, out, _ = run("--check", plugin("hostile_forks_and_hides_entry"))
        hidden = int(re.search(r"\n  printed      hidden (\d+)\n", out)[1])
        with self.assertRaises(ProcessLookupError):
            os.kill(hidden, 0)

    def test_leaves_no_process_behind_when_it_is_interrupted(self):
        temporary = tempfile.mkdtemp()
        self.addCleanup(os.rmdir, temporary)  # fails unless it is empty
        check = subprocess.Popen([FSLOAD, "--check", "--timeout", "600",
                                  plugin("hostile_forks_and_hangs_entry")],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 env={**os.environ, "TMPDIR": temporary})
        self.addCleanup(check.communicate)
        hidden = self.descendants(check.pid, wanted=4)
        check.send_signal(signal.SIGINT)
        check.wait()
        for process in hidden:
            self.wait_for_end(process)

    def descendants(self, process, wanted):
        """The IDs of the four processes, once all are there: the process
        itself, its supervisor, the child and the hidden one."""
        while True:
            parents = {}
            for entry in os.listdir("/proc"):
                try:
                    with open(f"/proc/{int(entry)}/stat", encoding="utf-8") as file:
                        parents[int(entry)] = int(file.read().rpartition(")")[2].split()[1])
                except (ValueError, OSError):
                    pass
            family = {process}
            while True:
                more = {child for child, parent in parents.items() if parent in family} - family
                if not more:
                    break
                family |= more
            if len(family) >= wanted:
                return family - {process}
            time.sleep(0.01)

    def wait_for_end(self, process):
        """Waits for a process that is not our child; a zombie counts as ended."""
        while True:
            try:
                with open(f"/proc/{process}/stat", encoding="utf-8") as file:
                    if file.read().rpartition(")")[2].split()[0] == "Z":
                        return
            except OSError:
                return
            time.sleep(0.01)

    def test_shows_apart_what_a_plugin_prints(self):
        code, out, err = run("--check", plugin("hostile_prints_a_line_entry"))
        self.assertEqual((code, err), (0, ""))
        self.assertIn("\n  printed      a \\x1b[31mred\\x1b[0m line\n", out)

    def test_shows_the_start_of_what_is_long(self):
        code, out, _ = run("--check", plugin("hostile_prints_megabytes_entry"))
        self.assertEqual(code, 1)
        self.assertEqual(out.count("\n  printed      "), 21)
        self.assertIn("\n  printed      ... (truncated)\n", out)
        self.assertLess(len(out), 8000)

    def test_says_how_it_confines(self):
        _, out, _ = run("--check")
        self.assertIn("\n  confined     no new privileges, no core dumps, ", out)
        _, out, _ = run("--check", "--no-isolation")
        self.assertIn("\n  confined     not at all: it ran in this process\n", out)

    def test_gives_results_in_the_order_of_the_arguments(self):
        names = [plugin(name) for name in
                 ("hostile_hangs_init", "memory", "hostile_crashes_init", "minimal", "posix")]
        code, out, _ = run("--check", "-j", "3", "--timeout", "1", *names)
        self.assertEqual(code, 1)
        self.assertEqual(verdicts(out), [
            names[0] + ": refused", names[1] + ": verified", names[2] + ": refused",
            names[3] + ": verified", names[4] + ": verified"])

    def test_has_no_deadline_and_no_jobs_without_it(self):
        for option in "--timeout", "--jobs":
            code, out, err = run("--check", "--no-isolation", option, "1", plugin("memory"))
            self.assertEqual((code, out), (2, ""))
            self.assertIn(option + " cannot be used with --no-isolation", err)

    def test_refuses_a_deadline_and_jobs_that_are_none(self):
        for arguments in [["--timeout", "0"], ["--timeout", "soon"], ["--jobs", "0"], ["--jobs", "-1"]]:
            code, out, _ = run("--check", *arguments)
            self.assertEqual((code, out), (2, ""))


class Folders(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def add(self, name, source):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        shutil.copy(source, path)
        return path

    def test_are_searched_for_plugins(self):
        inner = self.add("a/inner.so", plugin("minimal"))
        outer = self.add("outer.so", plugin("posix"))
        none = self.add("a/none.so", plugin("broken_no_entry"))
        code, out, err = run("--check", self.folder, plugin("memory"))
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(verdicts(out), [
            inner + ": verified", outer + ": verified", none + ": not a plugin",
            plugin("memory") + ": verified"])

    def test_with_one_bad_plugin_are_no_success(self):
        self.add("bad.so", plugin("broken_wrong_abi"))
        self.add("good.so", plugin("minimal"))
        self.assertEqual(run("--check", self.folder)[0], 1)

    def test_without_a_plugin_verify_nothing(self):
        none = self.add("none.so", plugin("broken_no_entry"))
        empty = self.folder + ": no plugin found: no *.so file in it exports TF_InitPlugin\n"
        self.assertEqual(run("--check", self.folder), (3, none + ": not a plugin\n" + empty, ""))

    def test_that_are_empty_verify_nothing(self):
        empty = self.folder + ": no plugin found: no *.so file in it exports TF_InitPlugin\n"
        self.assertEqual(run("--check", self.folder), (3, empty, ""))

    def test_with_files_that_cannot_be_read_are_no_success(self):
        os.symlink("/no/such", os.path.join(self.folder, "dangling.so"))
        self.assertEqual(run("--check", self.folder), (
            1,
            f"{self.folder}: refused\n"
            f"  error FSP034: {self.folder}/dangling.so: cannot be read: No such file or directory\n"
            f"{self.folder}: no plugin found: no *.so file in it exports TF_InitPlugin\n",
            ""))

    def test_runs_no_code_of_a_plugin_when_static(self):
        # This plugin exits the process that runs it.
        self.assertEqual(run("--check", "--static", plugin("exits"), plugin("broken_no_entry")), (
            1,
            "testdata/exits.so: verified\n"
            "  confined     none of its code ran\n"
            "testdata/broken_no_entry.so: refused\n"
            "  error FSP009: it does not export TF_InitPlugin, so it is not a "
            "filesystem plugin\n"
            "  confined     none of its code ran\n",
            ""))

    def test_takes_an_allow_list(self):
        with tempfile.NamedTemporaryFile("w") as allowed:
            with open(plugin("minimal"), "rb") as file:
                allowed.write(hashlib.sha256(file.read()).hexdigest() + "  minimal.so\n")
            allowed.flush()
            for how in [], ["--static"]:
                options = ["--check", *how, "--allow-list", allowed.name]
                self.assertEqual(run(*options, plugin("minimal"))[0], 0)
                code, out, _ = run(*options, plugin("memory"))
                self.assertEqual(code, 1)
                self.assertRegex(out, "  error FSP032: its SHA-256, [0-9a-f]{64}, is not in the allow "
                                      f"list '{allowed.name}'; add it if you trust the file\n")


class Version(unittest.TestCase):
    def test_is_that_of_the_program_and_of_what_it_was_built_with(self):
        code, out, err = run("--version")
        self.assertEqual((code, err), (0, ""))
        self.assertRegex(out, r"\Afsload \d+\.\d+\.\d+\n"
                         r"interface  API 0, ABI 0, TF_FilesystemOps of 264 bytes \(TensorFlow .*\)\n"
                         r"built      with .* \d+\..*, absl \d+, fmt \d+\.\d+\.\d+\n"
                         r"system     glibc \d+\.\d+, Linux \S+, (x86_64|aarch64)\n\Z")


class Help(unittest.TestCase):
    def test_is_a_command(self):
        self.assertRegex(run("--help")[1], r"\n  help +Show the options of a command\n")
        code, out, err = run("help", "help")
        self.assertEqual((code, err), (0, ""))
        self.assertIn("Usage: fsload help ", out)
        self.assertEqual(run("help"), run("--help"))
        self.assertEqual(run("help", "cp"), run("cp", "--help"))


class Usage(unittest.TestCase):
    def test_errors_say_which_word_is_wrong_and_where_to_read_more(self):
        for arguments, words in [
                ([], "a command is missing; see `fsload --help`"),
                (["--verson"], "unknown option '--verson'; did you mean '--version'?"),
                (["help", "chekc"], "unknown command 'chekc'; did you mean 'check'?"),
                (["ls"], "ls: missing argument: uri; see `fsload ls --help`"),
                (["explain"], "explain: missing argument: rule; see `fsload explain --help`"),
                (["rules", "x"], "rules: unexpected argument 'x'; see `fsload rules --help`"),
                (["doctor", "a", "b"],
                 "doctor: expected at most 1 argument, found 2; see `fsload doctor --help`"),
                (["conformance", "a", "b", "--root", "c"],
                 "conformance: expected 1 argument, found 2; see `fsload conformance --help`"),
                (["cp", "a"],
                 "cp: expected at least 2 arguments, found 1; see `fsload cp --help`"),
                (["cat", ""],
                 "cat: an argument is empty (is a shell variable unset?); see `fsload cat "
                 "--help`"),
                (["mv"], "mv: missing arguments: source... target; see `fsload mv --help`"),
                (["cp", "a", "b", "-j"], "cp: -j needs a value; see `fsload cp --help`"),
                (["cp", "a", "b", "--jobs="], "cp: --jobs needs a value; see `fsload cp --help`"),
                (["cp", "a", "b", "-j", "0"],
                 "cp: --jobs: '0' is not a number from 1 to 256; see `fsload cp --help`"),
                (["cp", "a", "b", "--jobs=7x"],
                 "cp: --jobs: '7x' is not a number from 1 to 256; see `fsload cp --help`"),
                (["--check", "--timeout=soon"],
                 "check: --timeout: 'soon' is not a number of seconds from 0.1 to 86400; "
                 "see `fsload check --help`"),
                (["head", "-c", "1Q", "a"],
                 "head: --bytes: '1Q' is not a number from 0 to 2^63; write it like 4096, 16K, "
                 "16KiB or 16KB (K, M, G, T, P, E); see `fsload head --help`"),
                (["cp", "a", "b", "-j1", "-j2"],
                 "cp: --jobs may be given only once; see `fsload cp --help`"),
                (["ls", "a", "--json=maybe"],
                 "ls: --json takes no value; see `fsload ls --help`"),
                (["head", "-n1", "-c1", "a"],
                 "head: --lines cannot be used with --bytes; see `fsload head --help`"),
                (["cp", "a", "b", "--shard", "1/2"],
                 "cp: --shard can only be used with --recursive; see `fsload cp --help`")]:
            self.assertEqual(run(*arguments), (2, "", f"fsload: INVALID_ARGUMENT: {words}\n"))

    def test_help_on_a_command_is_its_help(self):
        self.assertEqual(run("help"), run("--help"))
        self.assertIn("\nCommands:\n  check  ", run("help")[1])
        self.assertEqual(run("help", "cp"), run("cp", "--help"))

    def test_shows_the_arguments_of_a_command(self):
        for command, arguments in [("cp", "source... target"), ("mv", "source... target"),
                                   ("cmp", "uri uri"), ("glob", "pattern..."), ("ls", "uri..."),
                                   ("check", "[plugin...]")]:
            code, out, _ = run(command, "--help")
            self.assertEqual(code, 0)
            self.assertIn(f"fsload {command} [OPTIONS] {arguments}\n", out)

    def test_names_the_nearest_of_an_unknown_word(self):
        for arguments, words in [
                (["lss"], "unknown command 'lss'; did you mean 'ls'?"),
                (["chekc", "a.so"], "unknown command 'chekc'; did you mean 'check'?"),
                (["frobnicate"], "unknown command 'frobnicate'; `fsload --help` lists the "
                                "commands"),
                (["cp", "--recusive", "a", "b"],
                 "cp: unknown option '--recusive'; did you mean '--recursive'?"),
                (["cp", "--recurs", "a", "b"],
                 "cp: unknown option '--recurs'; did you mean '--recursive'?"),
                (["rm", "-x", "a"], "rm: unknown option '-x'; see `fsload rm --help` (a name "
                                    "that begins with '-' goes after --)")]:
            self.assertEqual(run(*arguments), (
                2, "", f"fsload: INVALID_ARGUMENT: {words}\n"))

    def test_is_wrong_with_an_unknown_option(self):
        for arguments in ["--check", "--bogus"], ["ls", "/", "--bogus"], ["inspect", "x", "--bogus"]:
            command = arguments[0].strip("-")
            self.assertEqual(run(*arguments), (
                2, "", f"fsload: INVALID_ARGUMENT: {command}: unknown option '--bogus'; see "
                       f"`fsload {command} --help` (a name that begins with '-' goes after --)\n"))

    def test_takes_names_with_brackets_as_they_are(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in "x", "[x]", "a", "b", "[a,b]", "-1":
                open(os.path.join(folder, name), "w").close()
            for odd in "[x]", "[a,b]", "-1":
                self.assertEqual(run("rm", "--", odd, cwd=folder), (0, "", ""))
            self.assertEqual(sorted(os.listdir(folder)), ["a", "b", "x"])

    def test_is_wrong_with_an_unknown_subcommand(self):
        code, out, _ = run("bogus")
        self.assertEqual((code, out), (2, ""))

    def test_is_shown_on_demand(self):
        code, out, err = run("--help")
        self.assertEqual((code, err), (0, ""))
        for subcommand in "check", "inspect", "ls", "cat", "stat":
            self.assertRegex(out, rf"\n  {subcommand} +[A-Z]")


class Inspect(unittest.TestCase):
    def test_shows_what_a_plugin_has(self):
        code, out, err = run("inspect", plugin("minimal"))
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(out.splitlines()[0], "testdata/minimal.so")
        self.assertIn("\n  imports      TF_SetStatus TF_SetStatusFromIOError\n", out)
        self.assertIn("\n  TF_Status    from fsload\n", out)
        self.assertRegex(out, r"\n    TF_ReadOnlyMemoryRegionOps +none\n")

    def test_warns_of_functions_that_are_missing(self):
        path = plugin("linking/missing_in_op")
        warning = (
            "fsload: warning: missing_in_op.so: 1 imported function is undefined; operations "
            "that call it fail (`fsload check` names it, and FSLOAD_HIDE_MISSING_FUNCTIONS=1 "
            "hides this warning)\n")
        code, out, err = run("inspect", path)
        self.assertEqual((code, err), (0, warning))
        hidden = run("inspect", path, env={"FSLOAD_HIDE_MISSING_FUNCTIONS": "1"})
        self.assertEqual(hidden, (0, out, ""))
        shown = run("inspect", path, env={"FSLOAD_HIDE_MISSING_FUNCTIONS": ""})
        self.assertEqual(shown, (0, out, warning))
        self.assertIn("\n  scheme 'missinginop'\n", out)
        for more in [], ["--static"], ["--no-isolation"]:
            code, out, err = run("check", path, *more)
            self.assertEqual((code, err), (0, ""))
            schemes = "" if "--static" in more else "; 1 function missing; operations that call it fail"
            self.assertEqual(out.splitlines()[0], f"{path}: loads{schemes}")
            self.assertIn("\n  warning FSP038: no library defines 1 of the functions", out)
            code, out, err = run("check", "--strict", path, *more)
            self.assertEqual((code, err), (1, ""))
            self.assertEqual(out.splitlines()[0], f"{path}: refused")
            self.assertIn("\n  error FSP018: ", out)

    def test_says_what_it_could_not_read_in_a_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(plugin("memory"), folder)
            with open(f"{folder}/no.whl", "wb"):
                pass
            listing = "ls", "--plugin", folder, "memory://store"
            self.assertEqual(run(*listing), (
                0, "", f"fsload: warning: {folder}/no.whl: not a zip file; download the wheel "
                       "again\n"))
            self.assertEqual(run(*listing, "--quiet"), (0, "", ""))

    def test_names_a_bad_wheel_once(self):
        with tempfile.TemporaryDirectory() as folder:
            wheel = f"{folder}/no.whl"
            with open(wheel, "wb"):
                pass
            self.assertEqual(run("check", wheel)[1].splitlines()[:2], [
                f"{wheel}: refused", "  error FSP099: not a zip file; download the wheel again"])

    def test_the_plugin_does_not_end_or_stop_it(self):
        for deed, said in ("crashes", "SIGSEGV"), ("hangs", "within 10s"):
            path = plugin(f"hostile_{deed}_entry")
            for options in [], ["--format=json"]:
                code, out, err = run("inspect", path, *options, timeout=60)
                self.assertEqual(code, 1, out)
                self.assertIn(said, err)

    def test_the_plugin_reaches_no_terminal_and_no_file(self):
        path = plugin("hostile_prints_a_line_entry")
        code, out, err = run("inspect", path)
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(out.splitlines()[0], path)
        self.assertIn("\n  printed      ", out)
        self.assertNotIn("\x1b", out)
        if "writes to a scratch directory only" not in run("check", path, "--format=json")[1]:
            self.skipTest("no Landlock")
        with tempfile.TemporaryDirectory() as folder:
            run("inspect", plugin("hostile_writes_outside_entry"),
                env={"FSLOAD_TEST_FOLDER": folder})
            self.assertEqual(os.listdir(folder), [])

    def test_says_why_it_cannot(self):
        code, out, err = run("inspect", "/etc/passwd")
        self.assertEqual((code, out), (1, "/etc/passwd\n"))
        self.assertEqual(err, "fsload: FAILED_PRECONDITION: /etc/passwd: FSP004: not an ELF file, "
                              "so not a shared object\n")


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name, contents=None):
        path = os.path.join(self.folder, name)
        if contents is not None:
            with open(path, "wb") as file:
                file.write(contents)
        return path

    def test_cat_writes_the_file(self):
        with open("/etc/hostname", encoding="utf-8") as file:
            self.assertEqual(run("cat", "/etc/hostname"), (0, file.read(), ""))

    def test_cat_writes_any_bytes_of_any_length(self):
        block = 1 << 20
        for size in 0, 1, block - 1, block, block + 1, 3 * block:
            contents = os.urandom(size)
            path = self.path("file", contents)
            for uri in path, "posix://" + path:
                written = subprocess.run([FSLOAD, "cat", uri], capture_output=True, check=True)
                self.assertEqual(written.stdout, contents)

    def test_cat_takes_a_plugin(self):
        path = self.path("file", b"contents")
        for name, scheme in ("minimal", "minimal"), ("c_minimal", "cminimal"), ("posix", "posix"):
            self.assertEqual(run("cat", "--plugin", plugin(name), f"{scheme}://{path}"),
                             (0, "contents", ""))

    def test_cat_of_a_missing_file_says_so(self):
        path = self.path("missing")
        for arguments, uri in [
                ([], path), ([], "posix://" + path),
                (["--plugin", plugin("minimal")], "minimal://" + path)]:
            self.assertEqual(run("cat", *arguments, uri), (
                4, "", f"fsload: NOT_FOUND: {uri}: No such file or directory "
                       "(new_random_access_file)\n"))

    def test_cat_of_a_directory_says_so(self):
        code, out, err = run("cat", self.folder)
        self.assertEqual((code, out), (1, ""))
        self.assertEqual(err, f"fsload: FAILED_PRECONDITION: {self.folder}: Is a directory "
                              "(new_random_access_file)\n")

    def test_cat_says_when_its_output_is_lost(self):
        path = self.path("file", b"contents")
        with open("/dev/full", "wb") as full:
            ended = subprocess.run([FSLOAD, "cat", path], stdout=full, stderr=subprocess.PIPE,
                                   check=False)
        self.assertEqual(ended.returncode, 1)
        self.assertEqual(ended.stderr.decode(),
                         "fsload: RESOURCE_EXHAUSTED: standard output: No space left on device; the "
                         "output is incomplete; free some space and run the command again\n")

    def test_a_closed_standard_input_is_no_empty_one(self):
        target = self.path("target")
        with open(target, "w") as file:
            file.write("precious")
        ended = subprocess.run(["sh", "-c", '"$0" cp - "$1" <&-', FSLOAD, target],
                               capture_output=True)
        self.assertEqual(ended.returncode, 1, ended.stderr)
        self.assertIn(b"Bad file descriptor", ended.stderr)
        with open(target) as file:
            self.assertEqual(file.read(), "precious")

    def test_the_writer_of_a_pipe_is_waited_for(self):
        pipe = self.path("pipe")
        os.mkfifo(pipe)
        copying = subprocess.Popen([FSLOAD, "cp", pipe, self.path("copy")],
                                   stderr=subprocess.PIPE)
        with open(pipe, "w") as file:
            file.write("late")
        _, err = copying.communicate(timeout=60)
        self.assertEqual(copying.returncode, 0, err)
        with open(self.path("copy")) as file:
            self.assertEqual(file.read(), "late")

    def test_waiting_for_a_pipe_can_be_interrupted(self):
        pipe = self.path("pipe")
        os.mkfifo(pipe)
        copying = subprocess.Popen([FSLOAD, "cp", pipe, self.path("copy")],
                                   stderr=subprocess.PIPE)
        self.addCleanup(copying.kill)
        while True:
            try:
                writer = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
                break
            except OSError as error:  # nobody reads it yet
                self.assertEqual(error.errno, errno.ENXIO)
                time.sleep(0.01)
        copying.send_signal(signal.SIGINT)
        _, err = copying.communicate(timeout=60)
        os.close(writer)
        self.assertEqual((copying.returncode, err),
                         (130, b"fsload: CANCELLED: interrupted\n"))
        self.assertEqual(os.listdir(self.folder), ["pipe"])

    def test_cat_of_an_unknown_scheme_says_that_nobody_brings_it(self):
        code, out, err = run("cat", "nosuch://bucket/key")
        self.assertEqual((code, out), (1, ""))
        self.assertRegex(err, r"^fsload: FAILED_PRECONDITION: nosuch://bucket/key: no plugin for nosuch:// is installed"
                              r"( \(\d+ refused: .+\))?; name one in FSLOAD_PLUGIN_PATH "
                              r"or with the command's --plugin option\n$")

    def test_cat_with_a_plugin_for_other_schemes_says_so(self):
        code, out, err = run("cat", "--plugin", plugin("memory"), "nosuch://a")
        self.assertEqual((code, out), (1, ""))
        self.assertEqual(err, "fsload: FAILED_PRECONDITION: nosuch://a/: testdata/memory.so does not "
                              "provide nosuch://; name another plugin with --plugin\n")

    def test_cat_with_a_refused_plugin_says_why(self):
        code, out, err = run("cat", "--plugin", plugin("broken_no_schemes"), "broken://a")
        self.assertEqual((code, out), (1, ""))
        self.assertEqual(err, "fsload: FAILED_PRECONDITION: testdata/broken_no_schemes.so: "
                              "FSP102: wanted at least 1 scheme, found 0; nothing can "
                              "be registered\n")

    def test_ls_lists_a_directory_in_order(self):
        for name in "b", "a", "C":
            self.path(name, b"")
        self.assertEqual(run("ls", self.folder), (0, "C\na\nb\n", ""))

    def test_ls_lists_an_empty_directory(self):
        self.assertEqual(run("ls", self.folder), (0, "", ""))
        self.assertEqual(run("ls", "--plugin", plugin("memory"), "memory:///"), (0, "", ""))

    def test_stat_shows_a_file(self):
        path = self.path("file", b"contents")
        os.utime(path, ns=(0, -1))
        self.assertEqual(run("stat", path), (
            0, "type    file\nlength  8\nmtime   1969-12-31T23:59:59.999999999Z\n", ""))
        os.utime(path, ns=(0, 1_600_000_000_000_000_001))
        self.assertEqual(run("stat", path)[1].splitlines()[2],
                         "mtime   2020-09-13T12:26:40.000000001Z")

    def test_stat_shows_a_directory(self):
        code, out, _ = run("stat", self.folder)
        self.assertEqual(code, 0)
        self.assertEqual(out.splitlines()[0], "type    directory")

    def test_relative_paths_begin_in_the_working_directory(self):
        elsewhere = self.path("elsewhere")
        os.mkdir(elsewhere)
        for path in "file", "elsewhere/file":
            self.path(path, path.encode())
        # As a process sees it that another project's `bazel run` started.
        for folder in elsewhere, self.path("missing"):
            self.assertEqual(
                run("cat", "file", cwd=self.folder, env={"BUILD_WORKING_DIRECTORY": folder}),
                (0, "file", ""))

    def test_bazel_run_starts_it_in_the_callers_directory(self):
        runfiles = self.path("fsload.runfiles/fsload")
        os.makedirs(runfiles)
        program = shutil.copy(FSLOAD, self.path("fsload"))
        self.path("file", b"contents")
        shutil.copy(plugin("minimal"), self.path("plugin.so"))
        bazel = {"program": program, "cwd": runfiles,
                 "env": {"BUILD_WORKING_DIRECTORY": self.folder}}
        self.assertEqual(run("cat", "file", **bazel), (0, "contents", ""))
        code, out, _ = run("--check", "plugin.so", **bazel)
        self.assertEqual((code, out.splitlines()[0]), (0, "plugin.so: verified"))
        bazel["env"]["BUILD_WORKING_DIRECTORY"] = self.path("missing")
        self.assertEqual(run("cat", "file", **bazel), (
            1, "", "fsload: NOT_FOUND: relative paths would lead elsewhere: cannot enter "
            f"{self.path('missing')}: No such file or directory\n"))


class OneFile(unittest.TestCase):
    def test_works_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            alone = shutil.copy(FSLOAD, os.path.join(folder, "fsload"))
            code, out, err = run("--check", program=alone, cwd=folder)
            self.assertEqual((code, err), (0, ""))
            self.assertIn("\nthe bundled posix plugin: verified\n", out)
            self.assertEqual(run("ls", ".", program=alone, cwd=folder), (0, "fsload\n", ""))

    def test_needs_only_the_systems_libraries(self):
        out = subprocess.run(["ldd", FSLOAD], capture_output=True, text=True, check=True).stdout
        needed = {os.path.basename(line.split()[0]) for line in out.splitlines()}
        of_a_sanitizer = {name for name in needed if re.match(r"lib(a|ub|t)san\.so\.\d+$", name)}
        of_a_machine = {name for name in needed if re.match(r"ld-linux-[\w-]+\.so\.\d$", name)}
        self.assertEqual(len(of_a_machine), 1)
        self.assertEqual(needed - of_a_sanitizer - of_a_machine, {
            "linux-vdso.so.1", "libstdc++.so.6", "libgcc_s.so.1", "libm.so.6", "libc.so.6"})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
