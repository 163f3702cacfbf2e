#!/usr/bin/env python3
"""Packs the command, its manual and the bundled plugin into one archive that runs from
any folder: fsload-VERSION-linux-MACHINE.tar.gz. It needs glibc 2.34 and libstdc++ 12."""
import argparse
import gzip
import os
import sys
import tarfile
import tempfile

import install
import materials
from target import target_of


def same_bytes(entry):
    """An entry without what differs from one machine to the next."""
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = "root"
    entry.mtime = int(os.environ.get("SOURCE_DATE_EPOCH", 0))
    return entry


def pack(folder, path):
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as compressed, \
            tarfile.open(fileobj=compressed, mode="w") as archive:
        archive.add(folder, os.path.basename(folder), filter=same_bytes)


def main():
    inputs, out, version = install.parse_package(
        argparse.ArgumentParser(prog="tar", description=__doc__))
    target = target_of(inputs.command, inputs.shlibs)
    name = "fsload-{}.{}.{}-linux-{}".format(*version, target.name)
    path = os.path.join(out, name + ".tar.gz")
    with tempfile.TemporaryDirectory() as work:
        root = os.path.join(work, name)
        install.install_command(install.Installation("", root, os.path.join(root, "lib")), inputs)
        materials.add_licenses(os.path.join(root, "share/doc/fsload/licenses"), target)
        install.run(target.tool("strip"), os.path.join(root, "bin/fsload"))
        pack(root, path)
    print(path, materials.write(os.path.join(out, name + ".spdx.json"),
                                "{}.{}.{}".format(*version), [path], target), sep="\n")


if __name__ == "__main__":
    sys.exit(main())
