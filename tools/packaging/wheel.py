#!/usr/bin/env python3
"""Builds a wheel of fsload: the Python package with the library, the command and the bundled
plugin in it. Needs PyPI for the tools that build it, or what an earlier run has left in the
cache."""
import argparse
import glob
import os
import re
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.append(os.path.join(HERE, "../e2e"))
sys.dont_write_bytecode = True  # somebody else may own the sources

import deb
import downloads
import install
import materials
from install import run
from target import target_of

# The host provides it to plugins.
NOT_BUNDLED = "libtensorflow_framework.so.2"
# The oldest time that a zip file can name.
TIME = "315532800"


def stage_sources(inputs, folder):
    """The package's sources, from their folder in this tree."""
    root = os.path.dirname(os.path.realpath(inputs.project))
    for path in map(os.path.realpath, inputs.source):
        target = os.path.join(folder, os.path.relpath(path, root))
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copyfile(path, target)
    for path in inputs.document + [inputs.readme]:
        shutil.copyfile(path, os.path.join(folder, os.path.basename(path)))


def stage_installation(prefix, package, target):
    """The library, the command, the worker and the plugins lie in the package as in an
    installation. The library has one name, as a wheel has no links."""
    lib = os.path.join(prefix, "lib")
    soname = install.soname_of(os.path.join(lib, "libfsload.so"))
    for source, to in (("bin/fsload", "bin/fsload"), ("lib/libfsload.so", f"lib/{soname}"),
                       *(("lib/fsload/fsload-worker",) * 2,),
                       *((f"lib/fsload/plugins/{name}",) * 2
                         for name in os.listdir(os.path.join(lib, "fsload/plugins")))):
        path = os.path.join(package, to)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        shutil.copy(os.path.join(prefix, source), path)
        deb.strip(path, target)


def cross_compiler(target):
    """The variables with which an extension is built for another processor."""
    if not target.sysroot:
        return {}
    compiler = f"{target.tool('gcc')} --sysroot={target.sysroot}"
    return {"CC": compiler, "LDSHARED": compiler + " -shared",
            "_PYTHON_HOST_PLATFORM": f"linux-{target.name}"}


def build(python, source, prefix, version, target, out):
    """The path of the wheel, which has all libraries in it that not every Linux has."""
    libraries = [os.path.join(prefix, "lib"), *target.library_folders]
    environment = {**os.environ, "FSLOAD_PREFIX": prefix, "FSLOAD_VERSION": version,
                   "SOURCE_DATE_EPOCH": os.environ.get("SOURCE_DATE_EPOCH", TIME),
                   "PATH": os.path.dirname(python) + ":" + os.environ["PATH"],
                   "LD_LIBRARY_PATH": ":".join(libraries), **cross_compiler(target)}
    built = os.path.join(source, "built")
    run(python, "-m", "pip", "wheel", "--no-deps", "--no-index", "--no-build-isolation",
        "--wheel-dir", built, source, env=environment, cwd=source)
    repaired = os.path.join(source, "repaired")
    run(python, "-m", "auditwheel", "repair", "--exclude", NOT_BUNDLED, "--wheel-dir", repaired,
        os.path.join(built, os.listdir(built)[0]), env=environment, cwd=source)
    name = os.listdir(repaired)[0]
    unpacked = os.path.join(source, "unpacked")
    run(python, "-m", "wheel", "unpack", "--dest", unpacked, os.path.join(repaired, name),
        env=environment)
    add_licenses(os.path.join(unpacked, os.listdir(unpacked)[0]), target)
    run(python, "-m", "wheel", "pack", "--dest-dir", out,
        os.path.join(unpacked, os.listdir(unpacked)[0]), env=environment)
    return os.path.join(out, name)


def add_licenses(wheel, target):
    """Adds those of the libraries that auditwheel has put into an unpacked wheel, and of what
    is compiled in."""
    packages = []
    for path in glob.glob(os.path.join(wheel, "*.libs/*")):
        original = re.sub(r"-[0-9a-f]{8}(?=\.so)", "", os.path.basename(path))
        packages.append(run("dpkg-query", "--search", f"*/{original}").partition(":")[0])
    folder = os.path.join(glob.glob(os.path.join(wheel, "*.dist-info"))[0], "licenses")
    materials.add_licenses(folder, target, packages)


def main():
    parser = argparse.ArgumentParser(prog="wheel", description=__doc__)
    parser.add_argument("--source", nargs="+", required=True, help=argparse.SUPPRESS)
    for name in ("project", "requirements", "readme"):
        parser.add_argument("--" + name, required=True, help=argparse.SUPPRESS)
    inputs, out, version = install.parse_package(parser)
    target = target_of(inputs.command, inputs.shlibs)
    python = downloads.python_with("wheel", inputs.requirements)
    with tempfile.TemporaryDirectory() as work:
        prefix = os.path.join(work, "prefix")
        source = os.path.join(work, "source")
        install.install(inputs, prefix, os.path.join(prefix, "lib"))
        stage_sources(inputs, source)
        stage_installation(prefix, os.path.join(source, "fsload"), target)
        version = ".".join(map(str, version))
        wheel = build(python, source, prefix, version, target, out)
    print(wheel, materials.write(wheel.removesuffix(".whl") + ".spdx.json", version, [wheel],
                                 target), sep="\n")


if __name__ == "__main__":
    main()
