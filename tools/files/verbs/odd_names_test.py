#!/usr/bin/python3
"""Arguments are the bytes that the user typed: all verbs with odd names,
compared with cp(1), mv(1), rm(1), mkdir(1) and touch(1) in a copy of the
same tree. The arguments are the command's path, and of how many names one is
changed."""

import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import odd_names

FSLOAD = os.path.abspath(sys.argv[1])
STEP = int(sys.argv[2])
DEADLINE = 60  # seconds
# Names that must not be mistaken for N. Each is in the tree, and contains its
# own name.
OTHERS = [b"a", b"b", b"c", b"x", b"y", b"id", b"z"]

# The changes made with each name, in turn. N is the name, D the folder `other`.
CHANGES = [
    "touch N", "cp a N", "cp -n b N", "mv N moved", "mv moved N", "cp N b D", "mv D/N N", "rm N",
    "mkdir N", "cp a x N", "mkdir -p N/N", "cp -r N tree", "mv N/ D", "rm -r D/N tree"]
# For paths with an empty component, which is not deleted recursively.
CHANGES_OF_FILES = ["touch N", "rm N", "cp a N", "cp N copy", "cp -n b N", "mv N moved", "mv moved N",
                    "rm N", "mkdir N", "cp a x N", "cp -r N copy2"]


def words(template, name, dashes):
    """The arguments, with "--" before operands if requested."""
    verb, *rest = template.encode().split()
    options = [word for word in rest if word.startswith(b"-")]
    paths = [word for word in rest if not word.startswith(b"-")]
    named = {b"N": name, b"N/": name + b"/", b"N/N": name + b"/" + name,
             b"D": b"other", b"D/N": b"other/" + name, b"D/N/": b"other/" + name + b"/"}
    return [verb, *options, *([b"--"] if dashes else []), *(named.get(p, p) for p in paths)]


def run(arguments, folder):
    ended = subprocess.run(arguments, cwd=folder, capture_output=True, check=False,
                           stdin=subprocess.DEVNULL, timeout=DEADLINE)
    return ended.returncode, ended.stdout, ended.stderr


def make_tree(folder):
    os.makedirs(os.path.join(folder, b"other"))
    for name in OTHERS:
        with open(os.path.join(folder, name), "wb") as file:
            file.write(name)


def tree(folder):
    """Each directory (None) and file (its contents)."""
    found = {}
    for parent, folders, files in os.walk(folder):
        found.update({os.path.relpath(os.path.join(parent, name), folder): None
                      for name in folders})
        for name in files:
            path = os.path.join(parent, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder)] = file.read()
    return found


class Pair:
    """Two copies of one tree: fsload changes one, coreutils the other."""

    def __init__(self):
        self.top = os.fsencode(tempfile.mkdtemp())
        self.ours, self.theirs = self.top + b"/ours", self.top + b"/theirs"
        make_tree(self.ours)
        make_tree(self.theirs)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.top)

    def change(self, template, name, dashes):
        """What is wrong; None if both did the same."""
        arguments = words(template, name, dashes)
        before = tree(self.ours)
        code, _, errors = run([FSLOAD, *arguments], self.ours)
        expected, _, theirs = run(arguments, self.theirs)
        shown = b" ".join(arguments)
        if (code == 0) != (expected == 0):
            return f"{shown}: exit code {code} {errors}, coreutils {expected} {theirs}"
        found, wanted = tree(self.ours), tree(self.theirs)
        if found != wanted:
            return (f"{shown}: only here {set(found.items()) - set(wanted.items())}, only with "
                    f"coreutils {set(wanted.items()) - set(found.items())}")
        if code != 0 and found != before:
            return f"{shown}: it failed, and changed something"
        return None


def escaped(name):
    return b"".join(b"\\" + bytes([byte]) if byte in b"*?[\\" else bytes([byte]) for byte in name)


def answers(names):
    """How each read-only verb is called on files, and what it prints. Each file
    contains its own name."""
    shown = [name.decode(errors="replace") for name in names]
    headers = [b"==> " + name + b" <==\n" + name for name in names]
    return [
        ("cat", names, b"".join(names)),
        ("head", names, b"\n".join(headers) if len(names) > 1 else names[0]),
        ("tail", names, b"\n".join(headers) if len(names) > 1 else names[0]),
        ("ls", names, b"".join(name + b"\n" for name in names)),
        ("du", names, b"".join(b"%d\t%s\n" % (len(name), name) for name in names)),
        ("stat", names, [{"uri": uri, "length": len(name)} for uri, name in zip(shown, names)]),
        ("exists", names, [{"uri": uri, "exists": True} for uri in shown]),
        ("glob", [escaped(name) for name in names],
         b"".join(name.replace(b"//", b"/") + b"\n" for name in names)),
        *[("cmp", [name, b"same"], b"") for name in names[:1]]]


def asked(verb, paths, expected, folder):
    """What is wrong; None if the answer is the expected one."""
    as_json = isinstance(expected, list)
    dashes = any(path.startswith(b"-") for path in paths)
    code, out, errors = run([FSLOAD, verb, *(["--json"] if as_json else []),
                             *(["--"] if dashes else []), *paths], folder)
    if as_json:
        events = [json.loads(line) for line in out.splitlines()]
        out = [{key: event.get(key) for key in expected[0]} for event in events]
    if (code, out, errors) == (0, expected, b""):
        return None
    return f"{verb} {paths}: exit code {code}, printed {out}, said {errors}"


def changed(name):
    """The first problem in all changes with one name."""
    folder_of_name = os.path.dirname(name)
    with Pair() as pair:
        for folder in pair.ours, pair.theirs:
            os.makedirs(os.path.join(folder, folder_of_name), exist_ok=True)
        templates = CHANGES_OF_FILES if b"//" in name else CHANGES
        for number, template in enumerate(templates):
            # D and N lack the name's own folder.
            if folder_of_name and ("D" in template or "N/N" in template):
                continue
            problem = pair.change(template, name, name.startswith(b"-") or number % 2 == 0)
            if problem:
                return [problem]
    return []


def questioned(names):
    """The problems in the answers of the verbs about names, all in one command."""
    with tempfile.TemporaryDirectory() as folder:
        folder = os.fsencode(folder)
        for path in names:
            os.makedirs(os.path.join(folder, os.path.dirname(path)), exist_ok=True)
            with open(os.path.join(folder, path), "wb") as file:
                file.write(path)
        shutil.copy(os.path.join(folder, names[0]), os.path.join(folder, b"same"))
        wrong = [asked(*question, folder) for question in answers(names)]
        for path in names:
            os.unlink(os.path.join(folder, path))
        code, out, errors = run([FSLOAD, b"exists", b"--", *names], folder)
        if (code, out, errors) != (4, b"", b""):
            wrong.append(f"exists {names} where they are missing: exit code {code}, {errors}")
    return [problem for problem in wrong if problem]


def in_groups(names):
    """Five operands per command."""
    return [names[i:i + 5] for i in range(0, len(names), 5)]


class OddNames(unittest.TestCase):
    def check(self, names, examine):
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            wrong = sum(pool.map(examine, names), [])
        if wrong:
            self.fail("\n".join([f"{len(wrong)} are wrong:", *wrong]))

    def test_are_two_hundred(self):
        self.assertGreaterEqual(len(odd_names.NAMES), 200)
        self.assertTrue(all(len(name) <= 255 and b"/" not in name for name in odd_names.NAMES))

    def test_are_changed_as_coreutils_changes_them(self):
        names = [name for name in odd_names.NAMES if name not in OTHERS]
        self.check(names[::STEP], changed)

    def test_are_what_the_verbs_answer_about(self):
        self.check(in_groups(odd_names.NAMES), questioned)

    def test_are_changed_in_folders_of_odd_names_and_beside_schemes(self):
        self.check(odd_names.PATHS, changed)

    def test_are_answered_about_in_folders_of_odd_names_and_beside_schemes(self):
        self.check([[path] for path in odd_names.PATHS], questioned)

    def test_are_refused_where_empty(self):
        for verb in ["ls", "cat", "head", "tail", "stat", "du", "glob", "exists", "cmp a", "cmp  a", "cp a",
                     "cp  a", "cp -r a", "cp -n  a", "mv a", "mv  a", "rm", "rm -r", "rm a", "touch",
                     "touch a", "mkdir", "mkdir -p"]:
            with self.subTest(verb), Pair() as pair:
                before = tree(pair.ours)
                arguments = verb.split(" ")
                if "" not in arguments:
                    arguments.append("")
                code, out, errors = run([FSLOAD, *arguments], pair.ours)
                self.assertNotEqual(code, 0, out)
                self.assertNotIn(code, (4, 70))
                self.assertNotEqual(errors, b"")
                self.assertEqual(tree(pair.ours), before)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
