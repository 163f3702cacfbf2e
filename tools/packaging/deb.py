#!/usr/bin/env python3
"""Builds Debian packages of an installation: libfsloadSERIES, libfsload-dev and fsload.

DEBFULLNAME and DEBEMAIL name the maintainer, as for Debian's own tools.
"""
import argparse
import gzip
import hashlib
import os
import re
import shutil
import sys
import tempfile
import time

import documents
import install
import materials
from install import run
from target import target_of

# Each file goes to the first package that it matches.
PACKAGES = [
    {
        "name": "libfsload{series}",
        "section": "libs",
        "files": r"{libdir}/libfsload\.so\.|{libdir}/fsload/",
        "depends": "${shlibs}",
        "summary": "loads TensorFlow filesystem plugins without TensorFlow",
        "text": "The shared library, and the bundled plugin for local files.",
    },
    {
        "name": "libfsload-dev",
        "section": "libdevel",
        "files": "usr/include/|{libdir}/",
        "depends": "libfsload{series} (= {version}), libabsl-dev, libmd-dev, "
                   "libminizip-dev, libseccomp-dev, zlib1g-dev",
        "summary": "loads TensorFlow filesystem plugins (development files)",
        "text": "Headers for programs in C++ and C, and for plugins, the static library, and\n"
                "files for pkg-config and CMake.",
    },
    {
        "name": "fsload",
        "section": "utils",
        "files": r"usr/bin/|usr/share/",
        "depends": "${shlibs}",
        "summary": "checks and uses TensorFlow filesystem plugins",
        "text": "Checks plugins, tests what their operations do, and works on their files:\n"
                "ls, cat, cp, mv, rm, sync and others, between any schemes.",
    },
]

ABOUT = """\
fsload loads the filesystem plugins of TensorFlow (s3, gs, az, http, hdfs)
into any program, checks them, and offers their operations with defaults for
those that they lack."""

COPYRIGHT = """\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: fsload

Files: *
Copyright: 2026 the fsload authors
Comment: licenses/ has the texts for the libraries that are compiled in.
License: Apache-2.0
 On Debian systems the full text is in /usr/share/common-licenses/Apache-2.0.
"""


# By package: what lintian finds that is meant.
OVERRIDES = {
    "fsload": """\
# One file, so that Abseil's and zlib's symbols are not those that plugins find.
fsload: embedded-library zlib *
""",
}


def maintainer():
    return (f"{os.environ.get('DEBFULLNAME', 'fsload developers')} "
            f"<{os.environ.get('DEBEMAIL', 'fsload@packages.debian.org')}>")


def write(path, data, mode=0o644):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data if isinstance(data, bytes) else data.encode())
    os.chmod(path, mode)


def compressed(text):
    return gzip.compress(text.encode(), 9, mtime=0)


def files_in(folder):
    """Relative paths, links included, sorted."""
    return sorted(os.path.relpath(os.path.join(at, name), folder)
                  for at, folders, files in os.walk(folder)
                  for name in files + [f for f in folders if os.path.islink(os.path.join(at, f))])


def is_elf(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def strip(path, target):
    """Removes what is needed neither to run nor to link."""
    if os.path.islink(path):
        return
    if path.endswith(".a"):
        run(target.tool("strip"), "--strip-debug", "--enable-deterministic-archives", path)
    elif is_elf(path):
        run(target.tool("strip"), "--strip-unneeded", "--remove-section=.comment",
            "--remove-section=.note", path)


def libraries_of(paths, folder, target):
    """The packages of the shared libraries that the files are linked with."""
    foreign = [f"-l{folder}" for folder in target.library_folders]
    if target.sysroot:
        foreign.append(f"-L{target.sysroot}/shlibs")
    with tempfile.TemporaryDirectory() as work:
        write(f"{work}/debian/control", "Source: fsload\n\nPackage: fsload\nArchitecture: any\n")
        words = run("dpkg-shlibdeps", "-O", "--ignore-missing-info",
                    f"-l{folder}/{target.libraries}", *foreign, *paths, cwd=work,
                    env={**os.environ, "DEB_HOST_ARCH": target.debian})
    return words.strip().split("=", 1)[1]


class Package:
    """One package, whose files lie in `root`."""

    def __init__(self, row, facts, root):
        self.row = row
        self.facts = facts
        self.root = root
        self.name = row["name"].format(**facts)

    def take(self, staged, paths):
        for path in paths:
            # Debian's zsh looks there.
            target = os.path.join(self.root, path.replace("zsh/site-functions/",
                                                          "zsh/vendor-completions/"))
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.move(os.path.join(staged, path), target)
            strip(target, self.facts["target"])

    def linked_files(self):
        """Programs and libraries. A plugin names a library that only fsload provides."""
        paths = [os.path.join(self.root, path) for path in files_in(self.root)
                 if not path.startswith(f"{self.facts['libdir']}/fsload/")]
        return [path for path in paths
                if not os.path.islink(path) and not path.endswith(".a") and is_elf(path)]

    def document(self):
        doc = f"{self.root}/usr/share/doc/{self.name}"
        for name in ("LICENSE", "CHANGELOG.md"):  # under Debian's names below
            if os.path.exists(f"{doc}/{name}"):
                os.remove(f"{doc}/{name}")
        documents.repair_links(doc)
        write(f"{doc}/copyright", COPYRIGHT)
        materials.add_licenses(f"{doc}/licenses", self.facts["target"])
        date = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(self.facts["time"]))
        write(f"{doc}/changelog.Debian.gz", compressed(
            f"fsload ({self.facts['version']}) unstable; urgency=medium\n\n"
            f"  * See the CHANGELOG of fsload.\n\n -- {maintainer()}  {date}\n"))
        write(f"{doc}/changelog.gz", compressed(self.facts["changelog"]))
        if self.name in OVERRIDES:
            write(f"{self.root}/usr/share/lintian/overrides/{self.name}", OVERRIDES[self.name])

    def control(self, shlibs):
        size = sum(os.lstat(os.path.join(self.root, path)).st_size for path in files_in(self.root))
        depends = self.row["depends"].format(**self.facts) if "$" not in self.row["depends"] else shlibs
        text = "\n".join(" " + (line or ".") for line in
                         (ABOUT + "\n\n" + self.row["text"]).split("\n"))
        fields = [("Package", self.name), ("Source", "fsload"), ("Version", self.facts["version"]),
                  ("Architecture", self.facts["target"].debian), ("Maintainer", maintainer()),
                  ("Installed-Size", (size + 1023) // 1024), ("Depends", depends),
                  ("Section", self.row["section"]), ("Priority", "optional")]
        if self.row["section"].startswith("lib"):
            fields.append(("Multi-Arch", "same"))
        return "".join(f"{name}: {value}\n" for name, value in fields) + (
            f"Description: {self.row['summary']}\n{text}\n")

    def build(self, folder):
        self.document()
        linked = self.linked_files()
        debian = f"{self.root}/DEBIAN"
        sums = "".join(f"{hashlib.md5(open(os.path.join(self.root, path), 'rb').read()).hexdigest()}"
                       f"  {path}\n" for path in files_in(self.root)
                       if not os.path.islink(os.path.join(self.root, path)))
        control = self.control(libraries_of(linked, self.root, self.facts["target"]) if linked else "")
        write(f"{debian}/control", control)
        write(f"{debian}/md5sums", sums)
        if self.row["section"] == "libs":
            series = self.facts["series"]
            write(f"{debian}/shlibs", f"libfsload {series} {self.name} (>= {self.facts['version']})\n")
            write(f"{debian}/triggers", "activate-noawait ldconfig\n")
        target = os.path.join(folder, f"{self.name}_{self.facts['version']}_"
                              f"{self.facts['target'].debian}.deb")
        run("dpkg-deb", "--root-owner-group", "--build", self.root, target)
        return target


def main():
    inputs, out, version = install.parse_package(
        argparse.ArgumentParser(prog="deb", description=__doc__))
    with open(next(path for path in inputs.document if path.endswith("CHANGELOG.md")),
              encoding="utf-8") as file:
        changelog = file.read()
    target = target_of(inputs.command, inputs.shlibs)
    facts = {
        "target": target,
        "libdir": target.libraries,
        "changelog": changelog,
        "series": "{}.{}".format(*version),
        "version": "{}.{}.{}-1".format(*version),
        "time": int(os.environ.get("SOURCE_DATE_EPOCH", time.time())),
    }
    with tempfile.TemporaryDirectory() as work:
        staged = f"{work}/staged"
        install.install(inputs, "/usr", f"/{target.libraries}", staged)
        built = []
        for row in PACKAGES:
            package = Package(row, facts, f"{work}/{row['section']}")
            package.take(staged, [path for path in files_in(staged)
                                  if re.match(row["files"].format(**facts), path)])
            built.append(package.build(out))
        if files_in(staged):
            sys.exit(f"deb: in no package: {files_in(staged)}")
    bill = os.path.join(out, f"fsload_{facts['version']}_{target.debian}.spdx.json")
    print(*built, materials.write(bill, facts["version"], built, target), sep="\n")


if __name__ == "__main__":
    main()
