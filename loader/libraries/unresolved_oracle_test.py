#!/usr/bin/python3
"""Compares what fsload and `ldd -r` report as missing.

    unresolved_oracle_test.py DUMP EVERY PLUGIN...

DUMP prints what fsload finds. Checks every EVERYth shared object of
the system, and each plugin in a folder of its own.
"""

import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

DUMP, EVERY = sys.argv[1:3]
# Where these links lead: not each ldd takes $ORIGIN for the folder of a link.
PLUGINS = [os.path.realpath(path) for path in sys.argv[3:]]
FOLDER = f"/usr/lib/{platform.machine()}-linux-gnu"
LINKERS = {"ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}


def shared_objects():
    found = []
    for folder, _, names in os.walk(FOLDER):
        paths = [os.path.join(folder, name) for name in names if ".so" in name]
        found += [path for path in paths if os.path.isfile(path) and not os.path.islink(path)]
    return sorted(found)


def ours(paths, **variables):
    """What fsload finds, by path and kind: {path: {"undefined": {...}, ...}}."""
    result = subprocess.run([DUMP, *paths], capture_output=True, text=True, check=True,
                            env={**os.environ, **variables})
    answers = {}
    for line in result.stdout.splitlines():
        kind, _, rest = line.partition(" ")
        if kind == "file":
            current = answers.setdefault(rest, {})
        else:
            current.setdefault(kind, set()).add(rest)
    return answers


def oracle(path, **variables):
    """What ldd -r finds, by kind."""
    result = subprocess.run(["ldd", "-r", path], capture_output=True, text=True, check=False,
                            env={**os.environ, **variables})
    found = {"undefined": set(), "missing": set(), "library": set()}
    for line in (result.stdout + result.stderr).splitlines():
        line = line.strip()
        if match := re.match(r"undefined symbol: ([^\s,]+)(?:, version (\S+))?", line):
            found["undefined"].add(f"{match[1]} {match[2] or ''}")
        elif match := re.match(r"symbol ([^\s,]+), version (\S+) not defined in file", line):
            found["undefined"].add(f"{match[1]} {match[2]}")
        elif match := re.match(r"(\S+) => not found", line):
            found["missing"].add(match[1])
        elif match := re.match(r"(?:\S+ => )?(/\S+) \(0x", line):
            found["library"].add(os.path.realpath(match[1]))
    return found


class UnresolvedTest(unittest.TestCase):
    maxDiff = None

    def compare(self, path, answer, **variables):
        expected = oracle(path, **variables)
        self.assertEqual(answer.get("missing", set()), expected["missing"])
        undefined = answer.get("undefined", set())
        if expected["missing"]:
            # Not each ldd reports versions in missing libraries.
            undefined, expected["undefined"] = (
                {symbol.split(" ")[0] for symbol in symbols}
                for symbols in (undefined, expected["undefined"]))
        self.assertEqual(undefined, expected["undefined"])
        # ldd always lists the dynamic linker itself.
        libraries = {os.path.realpath(each) for each in answer.get("library", ())}
        differing = libraries ^ expected["library"]
        self.assertEqual({each for each in differing if os.path.basename(each) not in LINKERS}, set())
        self.assertNotIn("incomplete", answer)

    def test_agrees_on_the_systems_libraries(self):
        paths = shared_objects()[::int(EVERY)]
        self.assertGreater(len(paths), 10)
        answers = ours(paths)
        compared = unresolved = 0
        for path in paths:
            with self.subTest(path):
                answer = answers[path]
                if "refused" in answer:
                    # Some are linker scripts.
                    [reason] = answer["refused"]
                    self.assertTrue(reason.startswith("FSP004: "), reason)
                    continue
                self.compare(path, answer)
                compared += 1
                unresolved += bool(answer.get("undefined"))
        print(f"{compared} compared, {unresolved} of them with unresolved symbols")
        self.assertGreater(compared, 10)

    def test_agrees_on_plugins(self):
        answers = ours(PLUGINS)
        for path in PLUGINS:
            with self.subTest(path):
                self.compare(path, answers[path])

    def test_searches_the_same_folders(self):
        by_name = {os.path.basename(path): path for path in PLUGINS}
        library = "libfsload_test_neighbour.so"
        for plugin in ("with_neighbour.so", "with_neighbour_rpath.so"):
            for places in ([], ["beside"], ["other"], ["beside", "other"]):
                with self.subTest(plugin=plugin, places=places), \
                        tempfile.TemporaryDirectory() as folder:
                    path = shutil.copy(by_name[plugin], folder)
                    for place in places:
                        os.mkdir(os.path.join(folder, place))
                        shutil.copy(by_name[library], os.path.join(folder, place))
                    for variable in ("", os.path.join(folder, "other"), f"::{folder}/other/"):
                        variables = {"LD_LIBRARY_PATH": variable}
                        self.compare(path, ours([path], **variables)[path], **variables)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
