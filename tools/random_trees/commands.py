"""Random commands on a random tree, with their coreutils equivalents."""

import os
from typing import NamedTuple

from tree_maker import random_name

VERBS = ["cp"] * 4 + ["cp -r"] * 6 + ["cp -n"] * 2 + ["mv"] * 8 + ["rm"] * 2 + ["rm -r"] * 5 + [
    "touch", "mkdir", "mkdir -p"] + ["sync"] * 3 + ["sync --checksum"] * 2 + [
    "sync --delete"] * 3 + ["sync --checksum --delete"]
TAKE_J = ("cp", "mv", "rm", "sync")


class Command(NamedTuple):
    verb: str
    options: tuple  # fsload's only
    sources: tuple  # operands of touch and mkdir too
    target: bytes  # None if the verb has none

    @property
    def is_copy(self):
        return self.verb.startswith(("cp", "sync"))

    @property
    def is_sync(self):
        return self.verb.startswith("sync")

    @property
    def copies_trees(self):
        return self.verb == "cp -r" or self.is_sync

    @property
    def has_target(self):
        return self.target is not None

    @property
    def continues(self):
        return "--continue-on-error" in self.options

    def paths(self):
        return self.sources + ((self.target,) if self.has_target else ())

    def arguments(self):
        """As passed to fsload. Marks what could be an option, a standard stream
        or a URI, as a user would."""
        return [*self.verb.split(), *self.options, "--",
                *(b"./-" if path == b"-" else path for path in self.paths())]

    def of_coreutils(self):
        """fsload follows all links when it copies."""
        verb = self.verb.replace("cp -r", "cp -rL")
        return [*verb.split(), "--", *self.paths()]


def is_within(path, roots, folder):
    """Whether a path, both as text and through links, leads below one of the
    roots, so that no verb can touch anything outside the test."""
    text = os.path.normpath(os.path.join(folder, path))
    through = os.path.realpath(os.path.join(folder, path))
    parent = os.path.realpath(os.path.dirname(os.path.join(folder, path.rstrip(b"/"))))
    roots = [os.path.realpath(root) for root in roots]

    def below(place, itself):
        return any(place.startswith(root + b"/") or itself and place == root for root in roots)
    return below(text, False) and below(through, False) and below(parent, True)


class _Chooser:
    def __init__(self, dice, nodes, roots, folder):
        self.dice, self.roots, self.folder = dice, roots, folder
        self.nodes = [node for node in nodes if node.path not in roots]
        self.links = [node.path for node in nodes if node.kind == "link"]

    def new(self):
        parent = self.dice.choice([self.folder] * 3 + [
            node.path for node in self.nodes if node.kind == "directory"])
        return os.path.join(parent, random_name(self.dice) + self.dice.choice([b"", b"", b"2"]))

    def text(self, path):
        """One of the ways to write it."""
        if self.dice.random() < 0.85:
            path = os.path.relpath(path, self.folder)
        kind = self.dice.choice([0] * 12 + list(range(1, 9)))
        parent, name = os.path.split(path)
        if kind == 1:
            path = os.path.join(b".", path)
        elif kind in (2, 3):
            path += b"/"
        elif kind == 4 and parent:
            path = os.path.join(parent, b"..", os.path.basename(parent), name)
        elif kind in (5, 6) and self.links:
            path = os.path.join(os.path.relpath(self.dice.choice(self.links), self.folder),
                                b"..", os.path.basename(path))
        elif kind == 7:
            path = os.path.join(parent, b"", b"", name) if parent else path
        elif kind == 8 and self.links:
            path = os.path.join(os.path.relpath(self.dice.choice(self.links), self.folder), name)
        return path

    def path(self, existing):
        for _ in range(50):
            chosen = self.dice.choice(self.nodes).path if existing else self.new()
            text = self.text(chosen)
            if is_within(text, self.roots, self.folder):
                return text
        return b"never-made"


    def target(self, sources):
        """Often one where another folder has an entry named like a source."""
        names = {os.path.basename(path.rstrip(b"/")) for path in sources}
        twins = [os.path.dirname(node.path) for node in self.nodes
                 if os.path.basename(node.path) in names]
        if twins and self.dice.random() < 0.4:
            text = self.text(self.dice.choice(twins))
            if is_within(text, self.roots, self.folder):
                return text
        return self.path(self.dice.random() < 0.6)


def random_command(dice, nodes, roots, folder):
    """The tree must already exist on disk, as paths are looked up there."""
    chooser = _Chooser(dice, nodes, roots, folder)
    verb = dice.choice(VERBS)
    count = 1 if verb.startswith("sync") else dice.choice([1, 1, 1, 2, 3])
    mostly = 0.4 if verb in ("touch", "mkdir", "mkdir -p") else 0.97
    sources = tuple(chooser.path(dice.random() < mostly) for _ in range(count))
    target = None
    if verb.startswith(("cp", "mv", "sync")):
        target = chooser.target(sources)
    options = ("--continue-on-error", "--quiet") + (("-j1",) if verb.split()[0] in TAKE_J else ())
    options = tuple(option for option in options if dice.random() < 0.3)
    return Command(verb, options, sources, target)
