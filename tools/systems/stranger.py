"""What the documents tell a stranger, in minimal systems without Bazel: Debian's packages,
a program in C++ and one in C, a plugin and its tests; the archive for other systems, and
the wheel.
"""
import os
import shutil
import sys

import downloads  # of tools/e2e, as minimal has it
import minimal
import shown  # of .ci

ROOT = os.path.dirname(os.path.dirname(minimal.HERE))

# What the commands of documents have, and where these are.
INSTALLED = {"PREFIX": "/usr", "FSLOAD": "/usr/share/doc/fsload"}
SKELETON = {"FSLOAD": "/usr",
            "SKELETON": "/usr/share/doc/fsload/docs/examples/plugin_skeleton"}


def commands_of(document, first, last):
    """The lines that a document gives to copy, from its heading `first` to before `last`."""
    with open(os.path.join(ROOT, "docs", document), encoding="utf-8") as file:
        part = file.read().split(f"\n## {first}\n")[1].split(f"\n## {last}\n")[0]
    lines = shown.commands(part)
    if len(lines) < 5:
        sys.exit(f"stranger: {document} has {len(lines)} commands from {first!r} on")
    return lines


# Each case: its name, its commands, which run one after the other in a new folder of
# /stranger, which has the packages and the archive, and what they are given.
PACKAGES = [
    ("packages", ["apt-get install -y ../libfsload0.1_*.deb ../fsload_*.deb", "fsload --check"], {}),
    ("programs, as docs/embedding.md says", [
        "apt-get install -y g++ pkg-config cmake meson ../libfsload-dev_*.deb",
        *commands_of("embedding.md", "Compile", "The headers"),
        "export FSLOAD_PLUGIN_PATH=$(pkg-config --variable=libdir fsload)/fsload/plugins",
        "cmake/greet_static posix://$PWD", "meson/greet_static posix://$PWD"], INSTALLED),
    ("programs with an isolated plugin", [
        "apt-get install -y g++ pkg-config",
        "example=/usr/share/doc/fsload/docs/examples/isolated.cc",
        "g++ -std=c++17 $(pkg-config --cflags fsload) $example -o shared "
        "$(pkg-config --libs fsload)",
        "g++ -std=c++17 $(pkg-config --cflags fsload) $example -o static "
        "$(pkg-config --static --libs fsload | sed 's/-lfsload /-l:libfsload.a /')",
        "if ldd static | grep libfsload.so; then exit 1; fi",
        "plugin=$(pkg-config --variable=libdir fsload)/fsload/plugins/posix.so",
        "./shared $plugin posix://$PWD | grep -x shared",
        "./static $plugin posix://$PWD | grep -x shared"], {}),
    ("a plugin, as docs/writing-a-plugin.md says", [
        "apt-get install -y g++ make cmake",
        *commands_of("writing-a-plugin.md", "Build it", "Write the class")], SKELETON),
    ("lintian", ["apt-get install -y --no-install-recommends lintian",
                 "lintian --allow-root --fail-on error ../*.deb"], {}),
]

ARCHIVE = [("the archive", ["tar xf ../fsload-*.tar.gz", "fsload-*/bin/fsload --check",
                            "fsload-*/bin/fsload cp -r fsload-*/share/doc copy",
                            "fsload-*/bin/fsload cmp fsload-*/share/doc/fsload/README.md "
                            "copy/fsload/README.md"], {})]

# The commands of docs/python.md. Its packages come from a folder, `wheels`.
WHEEL = [("the wheel", [
    "apt-get install -y --no-install-recommends python3-venv", "python3 -m venv /tmp/env",
    "/tmp/env/bin/pip install ../fsload-*.whl", "/tmp/env/bin/fsload --check", "mkdir /tmp/tour",
    "/tmp/env/bin/python ../tour.py /tmp/tour | grep '^Python .*: verified'"], {})]

# Python 3.9 is that of Debian 11.
OLDEST_PYTHON = [("the wheel with Python 3.9", [
    "sed s/bookworm/bullseye/ /etc/apt/sources.list >/etc/apt/sources.list.d/bullseye.list",
    "apt-get update", "mkdir debs", "cd debs",
    "apt-get download python3.9-minimal libpython3.9-minimal libpython3.9-stdlib"
    " libssl1.1 libffi7 libmpdec3 libreadline8 libsqlite3-0 libexpat1 libuuid1",
    "cd ..", "for deb in debs/*.deb; do dpkg -x $deb python; done",
    "/tmp/env/bin/pip install --target site --python-version=39 --only-binary=:all: ../fsload-*.whl",
    "mkdir /tmp/oldest", "export PYTHONPATH=site PYTHONHOME=python/usr",
    "export LD_LIBRARY_PATH=python/usr/lib/x86_64-linux-gnu",
    "python/usr/bin/python3.9 ../tour.py /tmp/oldest | grep '^Python 3.9: verified'"], {})]

CASES = {"bookworm": PACKAGES + ARCHIVE + WHEEL + OLDEST_PYTHON,
         "trixie": PACKAGES + ARCHIVE + WHEEL,
         "sid": PACKAGES + ARCHIVE + WHEEL}
PYTHONS = ["39", "311", "313", "314"]  # of these systems


def download_wheels(folder):
    """Puts what fsload's wheel needs into `folder`."""
    for version in PYTHONS:
        downloads.download(folder, "cffi>=1.15", python=version)


def run(release, made, folder):
    """Tries all cases of a release, with the packages, the archive and the wheels in `made`, in
    a new system in `folder`. Returns [(name, why it failed)]."""
    root = os.path.join(folder, "stranger-" + release)
    minimal.copy(release, minimal.LIBRARIES, root)
    home = os.path.join(root, "stranger")
    shutil.copytree(made, home)
    shutil.copy(os.path.join(ROOT, "docs/examples/tour.py"), home)
    minimal.run(root, ["apt-get", "update", "-qq"])
    results = []
    for number, (name, commands, given) in enumerate(CASES[release]):
        script = "\n".join([f"mkdir case{number}", f"cd case{number}", *commands])
        code, output = minimal.run(
            root, ["sh", "-exc", script], limits=minimal.Limits(folder="/stranger"),
            given={"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "/stranger/wheels", **given})
        results.append((name, f"exit code {code}:\n{output[-4000:]}" if code else ""))
    return results
