#!/usr/bin/python3
"""Does what docs/writing-a-plugin.md says, from an empty folder: the commands, and
each mistake of its table. What it says of TensorFlow is tried by .ci/tensorflow/run.
Arguments: the text, the plugin in C++, the command."""

import html
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.append(os.path.abspath(".ci"))
sys.dont_write_bytecode = True

import shown

TEXT, PLUGIN, FSLOAD = (os.path.abspath(path) for path in sys.argv[1:4])
SKELETON = os.path.dirname(PLUGIN)
COMPAT = os.path.join(SKELETON, "../../../compat")
DEADLINE = 300  # seconds, for what takes a few
LONGEST_PLUGIN = 100  # lines


class WritingAPlugin(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with open(TEXT, encoding="utf-8") as file:
            cls.text = file.read().split("## In TensorFlow")[0]

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        os.chmod(self.folder, 0o755)  # some cases run as another user
        self.addCleanup(shutil.rmtree, self.folder)
        self.environment = {
            **os.environ, "FSLOAD": os.path.abspath(COMPAT), "SKELETON": SKELETON,
            "PATH": os.path.dirname(FSLOAD) + ":" + os.environ["PATH"]}

    def run_here(self, command):
        """The exit code and all output of one line of the text."""
        command = command.replace("/tmp/skeleton", self.folder + "/skeleton")
        ended = subprocess.run(command, shell=True, cwd=self.folder, env=self.environment,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               timeout=DEADLINE, check=False)
        return ended.returncode, ended.stdout

    def lines(self, word):
        return [line for line in shown.commands(self.text) if line.startswith(word)]

    def test_every_command_succeeds(self):
        for command in shown.commands(self.text):
            code, output = self.run_here(command)
            self.assertEqual(code, 0, command + "\n" + output)
            self.assertNotIn("warning", output)
            if command.startswith("fsload check"):
                self.assertEqual(re.findall(r"^\./(\S+): verified", output, re.MULTILINE),
                                 ["plugin.so", "plugin_c.so"])
        self.assertEqual(len(self.lines("fsload conformance")), 2)
        code, output = self.run_here(self.lines("fsload conformance")[0] + " --level 4")
        self.assertEqual(code, 0, output)

    def test_cmake_builds_the_same_plugins(self):
        for command in self.lines("cp") + self.lines("cmake"):
            code, output = self.run_here(command)
            self.assertEqual(code, 0, command + "\n" + output)
        code, output = self.run_here("fsload check build/plugin.so build/plugin_c.so")
        self.assertEqual(code, 0, output)

    def test_the_plugin_is_short(self):
        with open(PLUGIN, encoding="utf-8") as file:
            self.assertLessEqual(len(file.readlines()), LONGEST_PLUGIN)

    def test_every_mistake_is_found(self):
        rows = re.findall(r"^\| `(plugin\.cc?)` \| (.+?) \| `(\w+)` \| (.+?) \|$", self.text,
                          re.MULTILINE)
        self.assertEqual(len(rows), 8)
        for file, change, command, says in rows:
            change = html.unescape(re.sub(r"</?code>", "`", change))
            found = re.fullmatch(r"`(.+?)` is (?:left out|`(.+)`)", change)
            with self.subTest(change):
                self.make_mistake(file, found[1], found[2] or "")
                built, output = self.run_here(
                    f"make -B FSLOAD=$FSLOAD {self.made_of(file)}")
                if command == "make":
                    self.assertNotEqual(built, 0)
                else:
                    self.assertEqual(built, 0, output)
                    [line] = [line for line in self.lines("fsload " + command)
                              if self.made_of(file) in line]
                    code, output = self.run_here(line.replace("./plugin.so ", "")
                                                 if command == "check" else line)
                    self.assertEqual(code, 1, output)
                self.assertIn(says, output)

    @staticmethod
    def made_of(file):
        return {"plugin.cc": "plugin.so", "plugin.c": "plugin_c.so"}[file]

    def make_mistake(self, file, old, new):
        """The skeleton in the folder, `file` with its one `old` replaced by `new`."""
        for name in os.listdir(SKELETON):
            shutil.copy(os.path.join(SKELETON, name), self.folder)
        with open(os.path.join(SKELETON, file), encoding="utf-8") as source:
            text = source.read()
        self.assertEqual(text.count(old), 1)
        os.remove(os.path.join(self.folder, file))  # may be read-only
        with open(os.path.join(self.folder, file), "w", encoding="utf-8") as target:
            target.write(text.replace(old, new))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
