"""Random trees, as lists of nodes, and on a disk."""

import os
import stat
from typing import NamedTuple

PLAIN_NAMES = [b"a", b"b", b"c", b"d", b"e"]
ODD_NAMES = [b"[x]", b"[a,b]", b"[]", b"{a,b}", b"a,b", b"%%", b"++", b"-", b"--", b"-r", b"--help",
             b"sp ace", b"new\nline", b"tab\t", b"'", b'"', b"\\", b"~", b"a=b", b"--x=y", b"cp",
             b"*", b"?", b"[a-c]", "\u263a\u00e4".encode(), b"\xff\xfe", b"x" * 255, b"@file", b"a:b",
             b" ", b".hidden", b"...", b"#", b"$HOME", b"\x1b[31m"]
FILE_MODES = [0o644] * 8 + [0o600, 0o444, 0o000, 0o755, 0o4755, 0o666, 0o2755, 0o400, 0o200]
FOLDER_MODES = [0o755] * 10 + [0o700, 0o700, 0o2775, 0o1777, 0o000, 0o555, 0o500, 0o300]
# No driver has block device 240:9 ("local use"), so it leads nowhere.
DEVICES = [("null", stat.S_IFCHR, os.makedev(1, 3)), ("zero", stat.S_IFCHR, os.makedev(1, 5)),
           ("disk", stat.S_IFBLK, os.makedev(240, 9))]


class Node(NamedTuple):
    path: bytes
    kind: str        # directory, file, link, hard link, FIFO, socket, device
    mode: int = 0
    owner: tuple = (0, 0)
    what: object = None  # bytes of a file, target of a link, index of a device
    time: int = 0


def random_name(dice):
    return dice.choice(PLAIN_NAMES if dice.random() < 0.85 else ODD_NAMES)


class _Maker:
    def __init__(self, dice, user, has_root):
        self.dice, self.user, self.has_root = dice, user, has_root
        self.nodes, self.root = [], None

    def add(self, path, kind, mode=0, what=None):
        owner = (self.user, self.user)
        if self.dice.random() < 0.08:
            owner = self.dice.choice([(0, 0), (1000, 1001), (self.user, 1001)])
        time = self.dice.randrange(10**18, 16 * 10**17)
        self.nodes.append(Node(path, kind, mode, owner, what, time))

    def contents(self, path):
        size = self.dice.choice([0, 0] + [1] * 20 + [70_000, 70_000, (1 << 20) + 1, -3_000_000])
        text = b"%d %s" % (len(self.nodes), path)
        if size < 0:
            return (-size, text)  # sparse: a hole, then the text
        return text * (1 + size // len(text)) if size else b""

    def target(self, folder):
        """The target of a link in `folder`."""
        some = self.dice.choice(self.nodes).path
        relative = os.path.relpath(some, folder)
        return self.dice.choice([relative] * 6 + [some, relative + b"/", b".", b"..", b"missing",
                                                  b"missing/below", b"a", b"./b"])

    def fill(self, folder, depth):
        names = (random_name(self.dice) for _ in range(self.dice.randrange(6)))
        for name in dict.fromkeys(names):  # unique, in an order that the seed decides
            path = folder + b"/" + name
            roll = self.dice.random()
            if roll < 0.28 and depth < 4:
                self.add(path, "directory", self.dice.choice(FOLDER_MODES))
                self.fill(path, depth + 1)
            elif roll < 0.46:
                self.add(path, "link", what=self.target(folder))
            elif roll < 0.51:
                files = [node.path for node in self.nodes if node.kind == "file" and
                         node.path.startswith(self.root)]
                if files:
                    self.add(path, "hard link", what=self.dice.choice(files))
            elif roll < 0.55:
                kinds = ["FIFO", "socket"] + ["device"] * self.has_root
                self.add(path, self.dice.choice(kinds), 0o644,
                         self.dice.randrange(len(DEVICES)))
            else:
                self.add(path, "file", self.dice.choice(FILE_MODES), self.contents(path))


def random_tree(dice, roots, user, has_root):
    """Nodes in the order of creation. The roots already exist."""
    maker = _Maker(dice, user, has_root)
    for root in roots:
        maker.root = root
        maker.nodes.append(Node(root, "directory", 0o755, (user, user)))
        for name in dice.sample(PLAIN_NAMES, dice.randrange(2, 5)):
            maker.add(root + b"/" + name, *dice.choice(
                [("directory", dice.choice(FOLDER_MODES))] * 3 +
                [("file", dice.choice(FILE_MODES), maker.contents(name))]))
            if maker.nodes[-1].kind == "directory":
                maker.fill(maker.nodes[-1].path, 1)
        if dice.random() < 0.1:
            path = root + b"/deep"
            for _ in range(dice.randrange(5, 40)):
                maker.add(path, "directory", 0o755)
                path += b"/d"
            maker.add(path, "file", 0o644, b"deep down")
        have = {node.path for node in maker.nodes}
        for name in (random_name(dice) for _ in range(4)):
            if root + b"/" + name not in have:
                have.add(root + b"/" + name)
                maker.add(root + b"/" + name, "link", what=maker.target(root))
    return maker.nodes


def _make(node):
    if node.kind == "directory":
        os.mkdir(node.path)
    elif node.kind == "link":
        os.symlink(node.what, node.path)
    elif node.kind == "hard link":
        os.link(node.what, node.path)
    elif node.kind == "FIFO":
        os.mkfifo(node.path)
    elif node.kind == "socket":
        os.mknod(node.path, stat.S_IFSOCK | 0o644)
    elif node.kind == "device":
        _, kind, number = DEVICES[node.what]
        os.mknod(node.path, kind | 0o644, number)
    else:
        hole, text = node.what if isinstance(node.what, tuple) else (0, node.what)
        with open(node.path, "wb") as file:
            file.seek(hole)
            file.write(text)


def make_tree(nodes):
    """Creates them on disk. Leaves out nodes whose folder or original is missing."""
    made = []
    for node in nodes:
        if os.path.lexists(node.path):  # a root
            made.append(node)
            continue
        try:
            _make(node)
        except FileNotFoundError:
            continue
        made.append(node)
    for node in reversed(made):
        if node.kind == "hard link":
            continue
        if os.geteuid() == 0:
            os.lchown(node.path, *node.owner)
        if node.kind != "link":
            os.chmod(node.path, node.mode)
        os.utime(node.path, ns=(node.time, node.time), follow_symlinks=False)
