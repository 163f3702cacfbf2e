"""Folders of files to copy, and how to compare two."""
import os
import subprocess

# Files that a user's folder may hold.
MIXED = {
    "a.txt": b"a\n",
    "empty": b"",
    "deep/er/still/b.bin": bytes(range(256)) * 300,
    "deep/c.txt": b"c" * 65537,
    "with space/d e.txt": b"d",
    "Grüße/日本語.txt": "ß".encode(),
    "one-block": b"x" * (1 << 20),
    "block-and-more": b"y" * ((1 << 20) + 1),
}


def write(folder, files):
    """Writes `files`, {path: bytes}, below `folder`; yields `folder`."""
    for path, contents in files.items():
        path = os.path.join(folder, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(contents)
    return folder


def read(folder):
    """The files below `folder`, {path: bytes}."""
    found = {}
    for parent, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(parent, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder)] = file.read()
    return found


def folders(files):
    """All folders above the paths."""
    found = set()
    for path in files:
        while path := os.path.dirname(path):
            found.add(path)
    return found


def require_equal(want, found):
    """Fails the case unless `diff -r` finds the two folders equal."""
    ended = subprocess.run(["diff", "-r", want, found], capture_output=True, timeout=60)
    if ended.returncode != 0:
        raise AssertionError(f"{want} and {found} differ: "
                             f"{(ended.stdout + ended.stderr).decode()[:1500]}")
