#!/usr/bin/python3
"""Verbs with plugins in processes of their own: what crashes, hangs or is killed."""

import os
import signal
import subprocess
import time
import unittest

from command import DEADLINE, FSLOAD, CommandTest, environment, plugin


def children(pid):
    """Returns the processes below one; a worker is started by a thread."""
    below = []
    for thread in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{thread}/children", encoding="ascii") as file:
            below += [int(each) for each in file.read().split()]
    return below + [each for child in below for each in children(child)]


def command_line(pid):
    with open(f"/proc/{pid}/cmdline", "rb") as file:
        return file.read()


def signal_worker(pid, sent):
    """Sends a signal to the process of the plugin of a command."""
    for each in children(pid):
        try:
            if b"worker" in command_line(each):
                os.kill(each, sent)
                return True
        except (FileNotFoundError, ProcessLookupError):
            pass
    return False


def has_bytes(folder):
    """Whether there is something in a file of a folder."""
    try:
        return any(os.path.getsize(os.path.join(folder, each)) for each in os.listdir(folder))
    except FileNotFoundError:  # it has just been renamed
        return True


class IsolateTest(CommandTest):
    def kill_during(self, folder, *arguments, sent=signal.SIGKILL):
        """Runs a verb, during which the worker is killed (or gets another signal) once there is
        something in a folder. Returns its exit code and standard error."""
        with subprocess.Popen(
                [FSLOAD, *arguments, "-q", "--isolate", "--plugin", plugin("slow")],
                env=environment(), cwd=self.folder, stderr=subprocess.PIPE) as process:
            end = time.monotonic() + DEADLINE
            while not has_bytes(folder):
                self.assertLess(time.monotonic(), end)
                self.assertIsNone(process.poll(), process.stderr)
            killed = signal_worker(process.pid, sent)
            err = process.communicate(timeout=DEADLINE)[1].decode()
        self.assertTrue(killed)
        return process.returncode, err

    def assert_copied_again(self, verb, source, target, *options, sent=signal.SIGKILL):
        """Copies a large file "a" to "to/a", whose paths take the place of {}."""
        contents = os.urandom(1 << 20) * 100
        self.add("a", contents)
        os.mkdir(self.at("to"))
        code, err = self.kill_during(self.at("to"), verb, source.format(self.at("a")),
                                     target.format(self.at("to/a")), *options, sent=sent)
        self.assertEqual(code, 0, err)
        self.assertIn("it is copied again", err)
        self.assertEqual(self.tree("to"), {"a": contents})

    def test_a_copy_is_made_again_when_the_process_of_the_source_ends(self):
        self.assert_copied_again("cp", "slow://{}", "{}")

    def test_a_copy_is_made_again_when_the_process_of_the_target_ends(self):
        self.assert_copied_again("cp", "{}", "slow://{}")

    def test_a_copy_is_made_again_when_an_operation_takes_too_long(self):
        self.assert_copied_again("cp", "slow://{}", "{}", "--timeout=10", sent=signal.SIGSTOP)

    def test_a_file_is_moved_although_the_process_ends(self):
        self.assert_copied_again("mv", "slow://{}", "{}")
        self.assertFalse(os.path.exists(self.at("a")))

    def test_nothing_is_copied_again_without_retries(self):
        self.add("a", bytes(100 << 20))
        os.mkdir(self.at("to"))
        code, err = self.kill_during(self.at("to"), "cp", "--retries=0",
                                     "slow://" + self.at("a"), "to/a")
        self.assertEqual(code, 7, err)
        self.assertIn("SIGKILL", err)
        self.assertEqual(self.tree("to"), {})

    def test_names_the_function_of_the_plugin_that_aborts(self):
        _, _, err = self.run_fsload("ls", "--isolate", "--plugin",
                                    plugin("hostile_aborts_entry"), "hostile:///a")
        self.assertIn("SIGABRT", err)
        self.assertIn("hostile::Abort()", err)
        self.assertNotIn("fsload::", err)

    def aliases(self, timeout=""):
        self.add("schemes.toml", f"""
[hang]
scheme = "hostile"
plugin = "{plugin("hostile_hangs_children")}"
{timeout}
""".encode())
        return environment(FSLOAD_SCHEMES=self.at("schemes.toml"))

    def test_the_shorter_time_limit_holds_and_the_rest_goes_on(self):
        for timeout in "", 'call_timeout = "60s"':
            for more in [], ["--isolate"]:
                begin = time.monotonic()
                code, out, err = self.run_fsload(
                    "ls", "--timeout=2", "--retries=0", "--continue-on-error", *more,
                    "hang:///deed", "hang:///b", env=self.aliases(timeout))
                self.assertLess(time.monotonic() - begin, 30)
                self.assertNotEqual(code, 0)
                self.assertIn("no answer within 2s", err)
                self.assertIn("quiet", out)

    def test_a_time_limit_of_the_file_holds(self):
        begin = time.monotonic()
        code, _, err = self.run_fsload("ls", "--retries=0", "hang:///deed",
                                       env=self.aliases('call_timeout = "2s"'))
        self.assertLess(time.monotonic() - begin, 30)
        self.assertNotEqual(code, 0)
        self.assertIn("no answer within 2s", err)


if __name__ == "__main__":
    unittest.main(argv=["isolate_test"])
