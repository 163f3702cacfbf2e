#!/usr/bin/python3
"""Does what docs/writing-a-plugin.md says, from an empty folder: the commands, and
each mistake of its table. Arguments: the text, the plugin, the command."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TEXT, PLUGIN, FSLOAD = (os.path.abspath(path) for path in sys.argv[1:4])
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(PLUGIN)))  # of the sources
DEADLINE = 300  # seconds, for what takes a few


def commands(text):
    """The lines of the blocks of shell commands."""
    blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


class WritingAPlugin(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with open(TEXT, encoding="utf-8") as file:
            cls.text = file.read()
        with open(PLUGIN, encoding="utf-8") as file:
            cls.source = file.read()

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        os.chmod(self.folder, 0o755)  # some cases run as another user
        self.addCleanup(shutil.rmtree, self.folder)
        self.environment = {
            **os.environ, "FSLOAD": ROOT,
            "PATH": os.path.dirname(FSLOAD) + ":" + os.environ["PATH"]}

    def run_here(self, command):
        """The exit code and all output of one line of the text."""
        command = command.replace("/tmp/first", self.folder + "/first")
        ended = subprocess.run(command, shell=True, cwd=self.folder, env=self.environment,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               timeout=DEADLINE, check=False)
        return ended.returncode, ended.stdout

    def one(self, word):
        """The line with `word`."""
        [line] = [line for line in commands(self.text) if word in line]
        return line

    def test_every_command_succeeds(self):
        for command in commands(self.text):
            code, output = self.run_here(command)
            self.assertEqual(code, 0, command + "\n" + output)
            if command.startswith("fsload check"):
                self.assertIn("first.so: verified", output)
        code, output = self.run_here(self.one("conformance") + " --level 4")
        self.assertEqual(code, 0, output)

    def test_every_mistake_is_found(self):
        rows = re.findall(r"^\| (.+?) \| `(check|conformance)` \| (FSP\d+) \|$", self.text,
                          re.MULTILINE)
        self.assertEqual(len(rows), 5)
        for change, command, rule in rows:
            change = re.sub(r"</?code>", "`", change.replace("&#124;", "|"))
            found = re.fullmatch(r"`(.+?)` is (?:left out|`(.+)`)", change)
            old, new = found[1], found[2] or ""
            with self.subTest(change):
                self.assertEqual(self.source.count(old), 1)
                with open(os.path.join(self.folder, "first_plugin.cc"), "w",
                          encoding="utf-8") as file:
                    file.write(self.source.replace(old, new))
                code, output = self.run_here(self.one("g++").replace(" -Wall -Wextra", ""))
                self.assertEqual(code, 0, output)
                code, output = self.run_here(self.one("fsload " + command))
                self.assertEqual(code, 1, output)
                self.assertIn(rule, output)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
