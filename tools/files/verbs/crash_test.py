#!/usr/bin/python3
"""Verbs whose plugin crashes. The argument is fsload's path."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from command import CommandTest, DEADLINE, FSLOAD, environment, run


def hostile(deed):
    return ["--plugin", f"testdata/hostile_{deed}_children.so"]


class Crash(unittest.TestCase):
    def test_takes_no_output_with_it(self):
        code, out, err = run("ls", *hostile("crashes"), "hostile:///a", "hostile:///deed")
        self.assertEqual((code, out), (9, "hostile:///a:\nquiet\n"))
        self.assertRegex(err, r"^fsload: INTERNAL: hostile:///deed: the plugin crashed in "
                              r"get_children: SIGSEGV \(segmentation fault\) at address 0x8, "
                              r"in hostile::Crash\(\)\+0x\w+ of the plugin\n$")

    def test_is_told_as_json_too(self):
        code, out, err = run("ls", "--json", *hostile("crashes"), "hostile:///a", "hostile:///deed")
        lines = [json.loads(line) for line in out.splitlines()]
        self.assertEqual(code, 9)
        self.assertEqual([line["event"] for line in lines], ["entry", "error"])
        self.assertEqual(lines[1]["uri"], "hostile:///deed")
        self.assertEqual(lines[1]["code"], "INTERNAL")

    def test_of_the_stack_is_called_so(self):
        code, _, err = run("ls", *hostile("overflows_stack"), "hostile:///deed")
        self.assertEqual(code, 9)
        self.assertIn("hostile:///deed: the plugin overflowed the stack in get_children: "
                      "SIGSEGV (segmentation fault) at address ", err)

    def test_is_told_of_a_plugin_that_ends_the_process(self):
        for deed, exit_code in ("quick_exits", 0), ("exits", 0):
            with self.subTest(deed):
                code, out, err = run("ls", *hostile(deed), "hostile:///a", "hostile:///deed")
                self.assertEqual((code, out), (9, "hostile:///a:\nquiet\n"))
                self.assertEqual(err, f"fsload: INTERNAL: hostile:///deed: the plugin ended the "
                                      f"process with exit code {exit_code} in get_children\n")


class Words(unittest.TestCase):
    def test_of_a_plugin_are_no_results(self):
        wanted = run("ls", *hostile("prints_a_line"), "hostile:///a")
        self.assertEqual(wanted, (0, "quiet\n", ""))
        for options in [], ["--in-process"], ["--json"]:
            with self.subTest(options):
                code, out, err = run("ls", *options, *hostile("prints_a_line"), "hostile:///deed")
                self.assertEqual((code, err), (0, "a \033[31mred\033[0m line\n"))
                self.assertNotIn("red", out)


class Place(CommandTest):
    def test_of_the_command_is_not_changed_by_a_plugin(self):
        for deed, rule, said in [("directory", "FSP214", "the working directory: " + self.folder),
                                 ("umask", "FSP215", "the umask: 0022")]:
            path = os.path.abspath(f"testdata/hostile_changes_{deed}_entry.so")
            self.add("f", b"mine")
            code, out, err = self.run_fsload(
                "touch", "--continue-on-error", "--plugin", path, "f", "g", umask=0o022)
            self.assertEqual((code, out), (1, ""))
            words = f"fsload: FAILED_PRECONDITION: {path}: {rule}: loading it changed {said} before, "
            self.assertEqual([line[:len(words)] for line in err.splitlines()[:2]], [words] * 2)
            self.assertEqual(self.tree(), {"f": b"mine"})


class Child(unittest.TestCase):
    def test_is_waited_for_where_a_parent_ignores_ended_children(self):
        ended = subprocess.run([FSLOAD, "ls", *hostile("crashes"), "hostile:///a"],
                               capture_output=True, env=environment(), timeout=DEADLINE,
                               preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
        self.assertEqual((ended.returncode, ended.stdout, ended.stderr), (0, b"quiet\n", b""))


class Hang(unittest.TestCase):
    def test_ends_at_the_deadline(self):
        code, out, err = run("ls", "--op-timeout=2", *hostile("hangs"), "hostile:///a",
                             "hostile:///deed")
        self.assertEqual((code, out), (7, "hostile:///a:\nquiet\n"))
        self.assertEqual(err, "fsload: DEADLINE_EXCEEDED: hostile:///deed: get_children did not "
                              "return within 2s, so its process was killed; --op-timeout "
                              "gives it more time\n")

    def test_in_a_load_ends_at_the_deadline(self):
        for deed in "hangs_entry", "hangs_static":
            with self.subTest(deed):
                plugin = f"testdata/hostile_{deed}.so"
                code, out, err = run("ls", "--op-timeout=2", "--plugin", plugin, "hostile:///a",
                                     timeout=DEADLINE / 4)
                self.assertEqual((code, out), (7, ""))
                self.assertEqual(err, f"fsload: DEADLINE_EXCEEDED: {plugin}: load did not return "
                                      "within 2s, so its process was killed; --op-timeout gives "
                                      "it more time\n")

    def test_leaves_the_errors_before_it_in_the_exit_code(self):
        missing = "file:///no/such/file"
        for failing, code in (missing, 1), ("hostile:///a", 7):
            with self.subTest(failing):
                found, _, err = run("ls", "--op-timeout=2", "--continue-on-error",
                                    *hostile("hangs"), failing, "hostile:///deed")
                self.assertEqual(found, code, err)
                self.assertEqual(err.count("NOT_FOUND"), code == 1)
                self.assertIn(f"fsload: {2 if code == 1 else 1} error", err.splitlines()[-1])

    def children_of(self, process):
        """Waits until it has some."""
        end = time.monotonic() + DEADLINE
        while time.monotonic() < end:
            children = open(f"/proc/{process}/task/{process}/children").read().split()
            if children:
                return [int(child) for child in children]
            time.sleep(0.02)
        self.fail(f"{process} has no children")

    def start(self, *options):
        running = subprocess.Popen([FSLOAD, "ls", *options, *hostile("hangs"), "hostile:///a",
                                    "hostile:///deed"], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env=environment(),
                                   start_new_session=True)
        self.addCleanup(running.kill)
        # Until the child is in the operation that hangs.
        child = self.children_of(running.pid)[0]
        end = time.monotonic() + DEADLINE
        while time.monotonic() < end:
            if "pause" in open(f"/proc/{child}/wchan").read() + syscall(child):
                return running, child
            time.sleep(0.02)
        self.fail("the plugin did not come to hang")

    def test_does_not_count_while_the_command_is_stopped(self):
        running, child = self.start("--op-timeout=4")
        os.killpg(running.pid, signal.SIGSTOP)
        time.sleep(5)
        os.killpg(running.pid, signal.SIGCONT)
        time.sleep(0.5)
        self.assertIsNone(running.poll())
        os.kill(child, signal.SIGSTOP)
        time.sleep(5)
        self.assertIsNone(running.poll())
        os.kill(child, signal.SIGCONT)
        running.communicate(timeout=DEADLINE)
        self.assertEqual(running.returncode, 7)

    def test_in_the_search_for_a_plugin_ends_at_an_interruption(self):
        with tempfile.TemporaryDirectory() as cache:
            variables = environment(FSLOAD_PLUGIN_PATH="testdata/hostile_hangs_entry.so",
                                    FSLOAD_DISCOVERY_TIMEOUT="100", XDG_CACHE_HOME=cache)
            for verb in "exists", "ls":
                with self.subTest(verb), subprocess.Popen(
                        [FSLOAD, verb, "hostile:///a"], stdout=subprocess.PIPE,
                        stderr=subprocess.PIPE, env=variables) as running:
                    child, = self.children_of(running.pid)
                    self.children_of(child)
                    running.send_signal(signal.SIGINT)
                    out, err = running.communicate(timeout=DEADLINE / 4)
                    self.assertEqual((running.returncode, out, err),
                                     (130, b"", b"fsload: CANCELLED: interrupted\n"))

    def test_ends_at_the_second_interruption(self):
        running, child = self.start()
        running.send_signal(signal.SIGINT)
        time.sleep(0.4)  # an earlier one would count as the same keypress
        self.assertIsNone(running.poll())
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=DEADLINE)
        self.assertEqual((running.returncode, out), (130, b"hostile:///a:\nquiet\n"))
        self.assertEqual(err, b"fsload: CANCELLED: hostile:///deed: interrupted twice, in "
                              b"get_children\n")
        self.assertFalse(os.path.exists(f"/proc/{child}"))


def syscall(process):
    """"pause" if the process's first thread is waiting in it."""
    number = open(f"/proc/{process}/syscall").read().split()[0]
    return "pause" if number == "34" else ""


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
