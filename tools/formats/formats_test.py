#!/usr/bin/python3
"""Compares JSON, exit codes and journals with the samples of each version.

A version may add fields, events, and elements of arrays; what a sample has must still be there.
`samples/VERSION/commands.json` has commands, what they printed and their exit codes,
`samples/VERSION/*.journal` journals, each with what a command prints that replays it.

For a new version, in bazel-bin/tools/formats/formats_test.runfiles/fsload:
PYTHONPATH=tools/testing tools/formats/formats_test.py tools/fsload --record FOLDER
writes its samples to FOLDER, which goes into samples/.
"""

import glob
import json
import os
import re
import shutil
import sys
import tempfile
import unittest

from command import TESTDATA, plugin, run

SAMPLES = "tools/formats/samples"
VERSIONS = sorted(os.listdir(SAMPLES))
# Fields whose values are the machine's, the day's, or texts for people: these keep their type.
VARY = {"confinement", "message", "mtime", "printed", "repair", "sealing", "title"}
VARY_OF_DIRECTORIES = {"length"}

# Those of which a version's samples are made.
COMMANDS = """
  ls tree | ls --json -lR tree | ls --json missing | cat --json tree/a | head --json -c 2 tree/a
  tail --json -c 2 tree/a | stat --json tree tree/a | du --json tree | glob --json tree/*
  exists --json tree missing | exists tree | cmp --json tree/a other | cmp --json tree/a tree/a
  touch --json new | mkdir --json folder | mkdir --json tree/a | mkdir --json tree
  cp --json tree/a copied | cp --json -r -j 1 tree copy | cp --json -r --dry-run tree copy
  cp --json -n tree/a other | cp --json tree copy | cp --json tree/a nowhere:///a
  mv --json tree/b moved | mv --json tree/a other | sync --json -j 1 tree synced
  sync --json --dry-run --delete tree other | rm --json tree/a | rm --json tree
  rm --json -r --dry-run tree | rm --json --continue-on-error missing gone tree/a
  ls --json --explain --plugin {testdata}/minimal.so minimal://{folder}/tree
  mkdir --json --plugin {testdata}/minimal.so minimal://{folder}/tree/new
  check --format=json {testdata}/minimal.so | check --format=json {testdata}/broken_wrong_abi.so
  check --format=json missing.so | check {testdata}/minimal.so {testdata}/broken_wrong_abi.so
  check
  inspect --format=json {testdata}/minimal.so | ls --no-such-option | no-such-verb
"""
# These record journals.
RECORDED_FROM = "/tmp/fsload-sample"
RECORDED = {"list": ["ls", "--json", "-lR", f"minimal://{RECORDED_FROM}/tree"],
            "copy": ["cp", "--json", "-r", "-j", "1", f"minimal://{RECORDED_FROM}/tree", "here"],
            "missing": ["cat", "--json", f"minimal://{RECORDED_FROM}/tree/missing"]}


def as_sample(text, folder):
    """Returns the objects of a command's output, without what depends on where it ran."""
    for path, name in (folder, "{folder}"), (TESTDATA, "{testdata}"):
        text = text.replace(path, name)
    decoder, objects, at = json.JSONDecoder(), [], 0
    while at < len(text):
        each, at = decoder.raw_decode(text, at)
        objects.append(each)
        at = re.compile(r"\s*").match(text, at).end()
    return objects


def keeps(old, new, name=""):
    """Returns whether a reader of `old` finds in `new` all that it knows."""
    if name in VARY:
        return type(old) is type(new)
    if isinstance(old, dict) and isinstance(new, dict):
        vary = VARY_OF_DIRECTORIES if old.get("type") == "directory" else ()
        return all(key in new and (key in vary or keeps(old[key], new[key], key)) for key in old)
    if isinstance(old, list) and isinstance(new, list):
        rest = iter(new)
        return all(any(keeps(each, other, name) for other in rest) for each in old)
    return type(old) is type(new) and old == new


def make_tree(folder):
    """Makes the files that the commands use."""
    for path, text in {"tree/a": "one\n", "tree/b/c": "two\nthree\n", "other": "ons\n"}.items():
        path = os.path.join(folder, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="ascii") as file:
            file.write(text)


def sample(arguments, before=(), after=()):
    """Runs a command, with more arguments, in a folder of its own. Returns its arguments, exit code
    and objects."""
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        make_tree(folder)
        given = [each.replace("{testdata}", TESTDATA).replace("{folder}", folder)
                 for each in [*before, *arguments, *after]]
        code, out, _ = run(*given, cwd=folder)
    is_json = {"--json", "--format=json"} & set(arguments)
    printed = as_sample(out, folder) if is_json else []
    return {"arguments": arguments, "code": code, "printed": printed}


class FormatsTest(unittest.TestCase):
    def check(self, old, before=()):
        new = sample(old["arguments"], before)
        self.assertEqual(new["code"], old["code"], new)
        self.assertTrue(keeps(old["printed"], new["printed"]), json.dumps([old, new], indent=1))

    def test_commands_end_and_print_as_in_each_version(self):
        for version in VERSIONS:
            commands = read_json(os.path.join(SAMPLES, version, "commands.json"))
            self.assertGreater(len(commands), 30)
            for old in commands:
                with self.subTest(version, command=old["arguments"]):
                    self.check(old)

    def test_journals_of_each_version_are_replayed(self):
        for version in VERSIONS:
            journals = glob.glob(os.path.join(SAMPLES, version, "*.journal"))
            self.assertGreater(len(journals), 2)
            for path in journals:
                with self.subTest(path):
                    self.check(read_json(path + ".json"), ["replay", os.path.abspath(path)])

    def test_a_missing_field_and_another_value_are_noticed(self):
        old = {"event": "entry", "length": 3, "message": "m", "names": ["a", "b"]}
        for more in {"more": 1}, {"message": "other"}, {"names": ["a", "x", "b"]}:
            self.assertTrue(keeps(old, {**old, **more}), more)
        for other in ({"event": "other"}, {"length": 4}, {"length": "3"}, {"message": None},
                      {"names": ["b", "a"]}, {"names": ["a"]}):
            self.assertFalse(keeps(old, {**old, **other}), other)
        for name in old:
            less = {**old}
            del less[name]
            self.assertFalse(keeps(old, less), name)


def read_json(path):
    with open(path, encoding="ascii") as file:
        return json.load(file)


def write_json(path, value):
    with open(path, "w", encoding="ascii") as file:
        json.dump(value, file, indent=1)
        file.write("\n")


def record(folder):
    """Writes the samples of a version."""
    os.makedirs(folder)
    write_json(os.path.join(folder, "commands.json"),
               [sample(each.split()) for each in re.split(r"\n|\|", COMMANDS) if each.strip()])
    make_tree(RECORDED_FROM)  # replays ask for the same paths
    for name, arguments in RECORDED.items():
        path = os.path.join(folder, name + ".journal")
        sample(arguments, after=["--plugin", plugin("minimal"), "--record", path])
        with open(path, "r+", encoding="ascii") as file:
            text = file.read().replace(TESTDATA + "/", "")  # the plugin's path here
            file.seek(0)
            file.truncate()
            file.write(text)
        write_json(path + ".json", sample(arguments, ["replay", path]))
    shutil.rmtree(RECORDED_FROM)


if __name__ == "__main__":
    if sys.argv[2:3] == ["--record"]:
        record(os.path.abspath(sys.argv[3]))
    else:
        unittest.main(argv=sys.argv[:1])
