"""The contents of a tree, recorded before and after a command, and compared."""

import hashlib
import os
import stat
from typing import NamedTuple

KINDS = {stat.S_IFREG: "file", stat.S_IFDIR: "directory", stat.S_IFLNK: "link",
         stat.S_IFIFO: "FIFO", stat.S_IFSOCK: "socket", stat.S_IFCHR: "character device",
         stat.S_IFBLK: "block device"}
NEW = "new"  # time of entries that the command wrote


class Entry(NamedTuple):
    kind: str
    mode: int
    owner: tuple      # user and group
    contents: object  # a digest, the target of a link, or a device number
    time: object  # of modification, or NEW

    @property
    def is_special(self):
        return self.kind not in ("file", "directory", "link")


class _Opened:
    """Makes an entry readable, whatever its mode, then restores the mode."""

    def __init__(self, path, mode):
        self.path, self.mode = path, mode

    def __enter__(self):
        if os.geteuid() != 0:
            os.chmod(self.path, self.mode | 0o700)

    def __exit__(self, *_):
        if os.geteuid() != 0:
            os.chmod(self.path, self.mode)


def _digest(path, size):
    if size == 0:
        return "empty"
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha1").hexdigest()[:12]


def _add(path, shown, began, found):
    info = os.lstat(path)
    mode = stat.S_IMODE(info.st_mode)
    kind = KINDS[stat.S_IFMT(info.st_mode)]
    contents = None
    if kind == "link":
        contents, mode = os.readlink(path), 0
    elif kind == "file":
        with _Opened(path, mode):
            contents = _digest(path, info.st_size)
    elif kind.endswith("device"):
        contents = info.st_rdev
    time = NEW if info.st_mtime_ns >= began else info.st_mtime_ns
    found[shown] = Entry(kind, mode, (info.st_uid, info.st_gid), contents, time)
    if kind == "directory":
        with _Opened(path, mode):
            for name in sorted(os.listdir(path)):
                _add(path + b"/" + name, shown + b"/" + name, began, found)


def entries_of(roots, began):
    """All entries at and below the roots, by path; does not follow links.
    Entries changed after `began`, in nanoseconds, have the time NEW."""
    found = {}
    for root in roots:
        _add(root, root, began, found)
    return found


def remove_all(root):
    """Deletes everything below a root, whatever its mode, but not the root."""
    with os.scandir(root) as inside:
        entries = list(inside)
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            os.chmod(entry.path, 0o700)
            remove_all(entry.path)
            os.rmdir(entry.path)
        else:
            os.unlink(entry.path)
