#!/usr/bin/env python3
"""Writes a bill of materials and reads it as SPDX wants it. The arguments are bazelw, whose
libraries it names, and materials.py."""
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

BAZELW, MATERIALS = map(os.path.abspath, sys.argv[1:3])
sys.path.insert(0, os.path.dirname(MATERIALS))
sys.dont_write_bytecode = True

import materials  # pylint: disable=wrong-import-position
from target import Target

# Libraries of tests and benchmarks, and what Abseil's package wants.
NOT_PACKED = {"libbenchmark-dev", "libgmock-dev", "libgtest-dev", "libre2-dev"}


class Bill(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.packed = os.path.join(folder.name, "packed.deb")
        with open(self.packed, "wb") as file:
            file.write(b"contents")
        os.environ["SOURCE_DATE_EPOCH"] = "86400"
        path = materials.write(os.path.join(folder.name, "packed.spdx.json"), "1.2.3",
                               [self.packed], Target("x86_64", "amd64"))
        with open(path, encoding="utf-8") as file:
            self.text = file.read()
        self.bill = json.loads(self.text)

    def test_has_what_every_bill_has(self):
        self.assertEqual(self.bill["spdxVersion"], "SPDX-2.3")
        self.assertEqual(self.bill["dataLicense"], "CC0-1.0")
        self.assertEqual(self.bill["SPDXID"], "SPDXRef-DOCUMENT")
        self.assertRegex(self.bill["documentNamespace"], r"^urn:uuid:[0-9a-f-]{36}$")
        self.assertEqual(self.bill["creationInfo"]["created"], "1970-01-02T00:00:00Z")
        for package in self.bill["packages"]:
            for key in ("name", "SPDXID", "versionInfo", "downloadLocation", "licenseConcluded"):
                self.assertTrue(package[key], (package, key))

    def test_names_each_thing_once_and_relates_what_is_there(self):
        ids = [each["SPDXID"] for kind in ("packages", "files") for each in self.bill[kind]]
        self.assertEqual(len(ids), len(set(ids)))
        for each in ids:
            self.assertRegex(each, r"^SPDXRef-[A-Za-z0-9.-]+$")
        for relation in self.bill["relationships"]:
            for end in ("spdxElementId", "relatedSpdxElement"):
                self.assertIn(relation[end], [*ids, "SPDXRef-DOCUMENT"])
        related = {relation[end] for relation in self.bill["relationships"]
                   for end in ("spdxElementId", "relatedSpdxElement")}
        self.assertEqual(set(ids) - related, set())

    def test_has_the_sums_of_the_files(self):
        [file] = self.bill["files"]
        self.assertEqual(file["fileName"], "./packed.deb")
        self.assertEqual(file["checksums"][0]["checksumValue"],
                         hashlib.sha256(b"contents").hexdigest())

    def test_names_the_libraries_of_the_build_with_their_versions(self):
        with open(BAZELW, encoding="utf-8") as file:
            packages = re.search(r'packages="(.*?)"', file.read(), re.DOTALL)[1].split()
        built_with = {each for each in packages if each.endswith("-dev")} - NOT_PACKED
        named = {each["name"]: each["versionInfo"] for each in self.bill["packages"]}
        self.assertEqual(set(named) - {"fsload"}, built_with)
        for name in built_with:
            shown = subprocess.run(["dpkg-query", "--show", "--showformat=${Version}\n", name],
                                   check=True, stdout=subprocess.PIPE, text=True)
            self.assertEqual(named[name], shown.stdout.split()[0])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
