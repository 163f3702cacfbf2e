"""The command fsload in tests: the first argument of a test is its path, and plugins
are in testdata/. command_test.bzl declares such a test."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

FSLOAD = os.path.abspath(sys.argv[1])
DEADLINE = 120  # seconds, for commands that take a few
TESTDATA = os.path.abspath("testdata")

# In the background of a script, and below nohup, some are ignored, and commands inherit that.
for each in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
    if signal.getsignal(each) == signal.SIG_IGN:
        signal.signal(each, signal.SIG_DFL)


def plugin(name):
    """Returns the path of a test plugin."""
    return os.path.join(TESTDATA, name + ".so")


def environment(**more):
    """Returns this process's variables and `more`."""
    return {**os.environ, **more}


def run_bytes(*arguments, program=FSLOAD, privileged=True, **options):
    """Returns the exit code, standard output as bytes, and standard error."""
    if os.environ.get("FSLOAD_TEST_ISOLATE") and "--plugin" in arguments:
        arguments = [arguments[0], "--isolate", *arguments[1:]]
    command = [program, *arguments]
    if not privileged and os.geteuid() == 0:
        # Enforces permissions even for root. (Switching users is impossible in
        # a namespace without others.)
        command = ["setpriv", "--bounding-set=-all", "--inh-caps=-all", *command]
    options = {"env": environment(), "stdout": subprocess.PIPE, "timeout": DEADLINE, **options}
    ended = subprocess.run(command, stderr=subprocess.PIPE, check=False, **options)
    return ended.returncode, ended.stdout or b"", ended.stderr.decode()


def run(*arguments, **options):
    """Returns the exit code, standard output and standard error."""
    if isinstance(options.get("input"), str):
        options["input"] = options["input"].encode()
    code, out, err = run_bytes(*arguments, **options)
    return code, out.decode(), err


def tree(folder):
    """Returns each directory (None), link (where it leads) and file (its contents)."""
    found = {}
    for parent, folders, files in os.walk(folder):
        for name in folders + files:
            entry = os.path.join(parent, name)
            inside = os.path.relpath(entry, folder)
            if os.path.islink(entry):
                found[inside] = "-> " + os.readlink(entry)
            elif os.path.isdir(entry):
                found[inside] = None
            elif os.path.isfile(entry):
                with open(entry, "rb") as file:
                    found[inside] = file.read()
            else:
                found[inside] = "special"
    return found


class CommandTest(unittest.TestCase):
    """Has its own working directory, to which all paths are relative."""

    def setUp(self):
        self.folder = os.path.realpath(tempfile.mkdtemp())
        self.addCleanup(subprocess.run, ["rm", "-rf", self.folder], check=True)

    def run_fsload(self, *arguments, **options):
        return run(*arguments, **{"cwd": self.folder, **options})

    def succeeds(self, *arguments, **options):
        """Returns standard output."""
        code, out, err = self.run_fsload(*arguments, **options)
        self.assertEqual((code, err), (0, ""))
        return out

    def fails(self, code, words, *arguments, **options):
        found, out, err = self.run_fsload(*arguments, **options)
        self.assertEqual((found, out), (code, ""), err)
        self.assertIn(words, err)

    def events(self, *arguments, **options):
        """Returns the objects that --json prints."""
        return [json.loads(line)
                for line in self.succeeds(*arguments, "--json", **options).splitlines()]

    def at(self, *names):
        return os.path.join(self.folder, *names)

    def add(self, path, contents=b"", mode=0o644, age=0):
        """Creates a file, and the directories above it."""
        os.makedirs(os.path.dirname(self.at(path)), exist_ok=True)
        with open(self.at(path), "wb") as file:
            file.write(contents)
        os.chmod(self.at(path), mode)
        if age:
            then = time.time() - age
            os.utime(self.at(path), (then, then))
        return self.at(path)

    def read(self, path):
        with open(self.at(path), "rb") as file:
            return file.read()

    def tree(self, path="."):
        return tree(self.at(path))
