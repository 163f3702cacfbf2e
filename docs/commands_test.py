#!/usr/bin/env python3
"""The commands in documents are commands that exist, and those that a reader is to copy
are run by a test.

Each call of fsload, in blocks and between backticks, is compared with what the command
says of itself: the subcommand and its options. Each line of a block of shell commands
(```sh) is run as RUN_BY says.

Usage: commands_test.py FSLOAD FILE...
"""

import os
import re
import subprocess
import sys

# What runs the shell commands of a document: a program that reads the document.
RUN_BY = {
    "README.md": ".ci/documents",
    "docs/at-scale.md": ".ci/python",
    "docs/coming-from-tensorflow.md": ".ci/tensorflow/adapter.py",
    "docs/embedding.md": ".ci/documents",
    "docs/python.md": ".ci/python",
    "docs/writing-a-plugin.md": "docs/examples/writing_a_plugin_test.py",
}
# What runs a command in other words: the program, and a text in it.
RUN_AS = {
    "./bazelw test //...": (".ci/run", 'tests "tests" 2400 //...'),
}
# Blocks below this heading are run by another program.
RUN_BELOW = {
    ("docs/coming-from-tensorflow.md", "Can this TensorFlow load the plugin?"):
        ".ci/tensorflow/doctor.py",
    ("docs/writing-a-plugin.md", "In TensorFlow"): ".ci/tensorflow/skeleton.py",
}

# Placeholders, as in `fsload VERB --help`.
PLACEHOLDER = re.compile(r"[A-Z]{3,}|…|\.\.\.")


class Command:
    """What fsload says of its subcommands."""

    def __init__(self, path):
        self._path = path
        self._options = {}
        self.names = re.findall(r"^  ([a-z-]+) +[A-Z]", self._help(), re.MULTILINE)

    def _help(self, *words):
        return subprocess.run([self._path, *words, "--help"], check=True, timeout=60, text=True,
                              stdout=subprocess.PIPE).stdout

    def options(self, name):
        """The options of a subcommand, or of the command itself ("")."""
        if name not in self._options:
            listed = self._help(*[name] * bool(name)).partition("Options:")[2]
            self._options[name] = set(re.findall(r"(?<![\w-])(-\w|--[\w-]+)(?=[, =\n])",
                                                 "\n".join(line[:40] for line in listed.split("\n")
                                                           if line.startswith("  -"))))
        return self._options[name]

    def problem(self, words):
        """What is wrong with the words after `fsload`, or None."""
        if not words:
            return None
        if words[0] in ("--check", "--list-rules"):  # a command written as an option
            words = ["check"] + words[1:]
        if words[0].startswith("-"):
            name = ""
        else:
            name = words[0]
            if PLACEHOLDER.match(name):
                return None
            if name not in self.names:
                return f"there is no command {name!r}"
            words = words[1:]
        if name == "replay":  # and a verb with its own options
            verbs = [index for index, word in enumerate(words[1:], 1) if word in self.names]
            return self.problem(words[verbs[0]:]) if verbs else None
        for word in words:
            if word == "--":
                break
            if not re.match(r"--?\w", word) or re.fullmatch(r"-\d+", word):
                continue
            known = self.options(name)
            option = word.split("=")[0]
            if option not in known and not self._is_cluster(option, known):
                return f"{name or 'fsload'} has no option {option}"
        return None

    @staticmethod
    def _is_cluster(word, known):
        """Whether the word is several short options (-lR), or one with its value (-n5)."""
        if word.startswith("--"):
            return False
        return "-" + word[1] in known and all(
            "-" + letter in known or not letter.isalpha() for letter in word[2:])


def blocks(text):
    """Yields (language, heading, text) of each fenced block."""
    heading = ""
    for match in re.finditer(r"^#+ ([^\n]*)$|^```(\S*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        if match[1] is not None:
            heading = match[1]
        else:
            yield match[2], heading, match[3].replace("\\\n", " ")


def calls(text):
    """Yields (where, words) of each call of fsload in a text."""
    for language, _, block in blocks(text):
        if language not in ("sh", "", "text", "console"):
            continue
        printed = re.search(r"^\$ ", block, re.MULTILINE)  # what has no "$ " in front
        for line in block.split("\n"):
            synopsis = line.startswith("fsload ") and language != "sh" and not printed
            if not (synopsis or language == "sh" or line.startswith("$ ")):
                continue
            if synopsis:  # a description may follow; what may be left out is in brackets
                line = re.sub(r"[\[\]]", " ", line.split("   ")[0])
            for part in ([line] if synopsis else re.split(r"[|;&]+|\$\(", line)):
                yield from call_in(part, synopsis)
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    for inline in re.findall(r"`((?:[A-Z_]+=\S+ )?fsload\s[^`]*)`", prose):
        yield from call_in(re.sub(r"[\[\]]", " ", inline), True)


def call_in(text, alternatives):
    """The call of fsload in one simple command, if it is one."""
    match = re.match(r"\s*(?:\$ )?(?:[A-Z_]+=\S* )*"
                     r"(?:\S*fsload|\S*bazelw run (?:-c opt )?//tools:fsload --)(\s.*|$)", text,
                     re.DOTALL)
    if not match:
        return
    words = re.sub(r"\s#.*|[<>].*", "", match[1]).split()
    words = [word.strip("'\"") for word in words]
    for name in (words[0].split("|") if alternatives and words else words[:1]):
        yield text.strip(), [name] + words[1:]


def not_run(path, text, read):
    """Yields each problem of the blocks that a reader is to copy."""
    for language, heading, block in blocks(text):
        if language != "sh":
            continue
        runner = RUN_BELOW.get((path, heading)) or RUN_BY.get(path)
        if runner is None:
            yield f"{path}: nothing runs the commands of this document (docs/commands_test.py)"
            return
        if os.path.basename(path) not in read(runner):
            yield f"{path}: {runner} does not read it"
        for line in block.strip().split("\n"):
            if line in RUN_AS:
                other, words = RUN_AS[line]
                if words not in read(other):
                    yield f"{path}: {line}: {other} does not run {words}"


def main(arguments):
    def read(path):
        with open(path, encoding="utf-8") as file:
            return file.read()

    command = Command(arguments[0])
    found = []
    count = 0
    for path in sorted(map(os.path.normpath, arguments[1:])):
        if not path.endswith(".md"):
            continue
        text = read(path)
        for where, words in calls(text):
            count += 1
            problem = command.problem(words)
            if problem:
                found.append(f"{path}: `{where}`: {problem}")
        found += not_run(path, text, read)
    print("\n".join(found) or f"{count} calls of fsload are right")
    return 1 if found or count < 50 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
