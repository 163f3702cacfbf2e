"""The content of one random run, determined by its seed: the files before it,
one command of fsload, and its faults."""
import random

import called_faults
import random_faults
from readings import Reading

# read: one of several verbs (readings.py).
VERBS = ["cp", "cp", "mv", "mv", "mv", "rm", "touch", "sync", "sync", "read", "read"]
# Includes pairs where one is a prefix of the other, and characters special to
# URLs and shells.
NAMES = ["a", "ab", "abc", "b", "a.b", "a b", "a+b", "a%41", "é", "[a]", "x,y", "a&b=c"]
SIZES = [0, 1, 2, 5, 100, 1000, 5000, 70_000, (1 << 20) + 1]
MULTIPART = 11_000_000  # in parts of 5 MiB, the minimum
SEVERAL_BLOCKS = 22_000_000  # read by several requests at once


class Scenario:
    """`before` and `pairs` refer to one or two sides (sides.py): "source",
    "target".

    before   {side: {path: bytes}}
    pairs    {path at the source: path at the target}; without a target, of what
             the command works on: {path: None}
    folders  that exist before: {side: [path]}
    extra    paths at the target of sync that the source lacks
    reading  of the verb read, else None
    """

    def __init__(self, seed, scheme="s3"):
        self._random = rng = random.Random(seed)
        self.seed = seed
        self.scheme = scheme
        self.verb = rng.choice(VERBS)
        self.before = {"source": {}, "target": {}}
        self.folders = {"source": [], "target": []}
        self.pairs = {}
        self.options = []
        self.extra = set()
        self._choose_kinds()
        self.shape = rng.choice(["one", "one", "several", "tree"])
        if self.verb in ("touch", "read"):
            self.shape = rng.choice(["one", "several"])
        if self.verb == "sync":
            self.shape = "tree"
        self.reading = Reading(rng, self.shape == "one") if self.verb == "read" else None
        {"one": self._one, "several": self._several, "tree": self._tree}[self.shape]()
        self._choose_options()
        self._choose_contents()
        self.environment, self.deadline, self.faults = (
            called_faults if scheme in called_faults.CHOOSE else random_faults).choose(rng, self)

    @property
    def moves(self):
        """Whether there is a target."""
        return self.verb in ("cp", "mv", "sync")

    def _choose_kinds(self):
        """Whether each side is a bucket or a folder; one of them is the store.
        """
        kinds = [("store", "store"), ("store", "disk"), ("disk", "store")]
        self.kinds = dict(zip(("source", "target"), self._random.choice(kinds)))
        if not self.moves:
            self.kinds = {"source": "store", "target": "store"}
        self.same_bucket = (set(self.kinds.values()) == {"store"} and
                            (not self.moves or self._random.random() < 0.8))

    def _one(self):
        source, target = self._random.sample(NAMES, 2)
        if not self.moves:
            self.pairs = {source: None}
            self.arguments = [source]
        elif self._random.random() < 0.2:
            self.folders["target"] = ["dir"]
            self.pairs = {source: f"dir/{source}"}
            self.arguments = [source, "dir/"]
        else:
            self.pairs = {source: target}
            self.arguments = [source, target]

    def _several(self):
        names = self._random.sample(NAMES, self._random.randint(2, 4))
        self.arguments = list(names)
        self.pairs = dict.fromkeys(names)
        if self.moves:
            self.folders["target"] = ["dir"]
            self.pairs = {name: f"dir/{name}" for name in names}
            self.arguments.append("dir")

    def _tree(self):
        names = self._random.sample(NAMES, self._random.randint(1, 5))
        inside = [self._random.choice(["", "", "x/", "x/y/"]) + name for name in names]
        source, target = self._random.sample(["d", "da", "e", "f g"], 2)
        self.arguments = [source]
        self.pairs = {f"{source}/{path}": None for path in inside}
        if self.moves:
            self.arguments.append(target)
            # Into an existing folder, or to an unused name.
            if self._random.random() < 0.6:
                self.folders["target"] = [target]
                if self.verb != "sync":
                    target = f"{target}/{source}"
            self.pairs = {f"{source}/{path}": f"{target}/{path}" for path in inside}
        if self.verb in ("cp", "rm"):
            self.options.append("-r")

    def _choose_contents(self):
        rng = self._random
        large = rng.random() < 0.04
        for source, target in self.pairs.items():
            exists = self.verb != "touch" or rng.random() < 0.6
            size = MULTIPART if large else rng.choice(SIZES)
            if self.reading and rng.random() < 0.4:
                size = SEVERAL_BLOCKS
            if exists:
                self.before["source"][source] = rng.randbytes(size)
            if target and rng.random() < 0.5 and not self._new_tree():
                # Half of the time of equal length, so that lengths do not
                # reveal a mix-up.
                size = size if rng.random() < 0.5 else rng.choice(SIZES)
                self.before["target"][target] = self._old_contents(source, size)
        # Others, whose names start with those above: a prefix is not a name.
        sources = self.arguments[:1] if self.shape == "tree" else self.pairs
        targets = self.arguments[1:] if self._new_tree() else self.pairs.values()
        for side, paths in [("source", sources), ("target", targets)]:
            for path in filter(None, paths):
                other = path.rstrip("/") + rng.choice(["b", "bc", "2", " "])
                if rng.random() < 0.4 and not self._taken(other):
                    self.before[side][other] = rng.randbytes(rng.choice(SIZES))
        # A folder in a store exists if it contains something.
        for folder in self.folders["target"]:
            if self.kinds["target"] == "store" or self.verb == "sync":
                self.before["target"][f"{folder}/other"] = rng.randbytes(10)
        if self.verb == "sync":
            self.extra = {path for path in self.before["target"]
                          if path.startswith(self.arguments[1] + "/") and
                          path not in self.pairs.values()}

    def _old_contents(self, source, size):
        """What is at the target of `source`. By length and time alone, sync takes
        what is as long and younger for a copy."""
        contents = self.before["source"][source]
        if self.trusts_times and size == len(contents):
            return contents
        return self._random.randbytes(size)

    def _new_tree(self):
        return self.shape == "tree" and not self.folders["target"]

    def _taken(self, path):
        known = {*self.pairs, *self.pairs.values(), *self.before["source"],
                 *self.before["target"], *self.folders["target"], *self.arguments}
        return any(path == one or (one or "").startswith(path + "/") for one in known)

    def _choose_options(self):
        rng = self._random
        if self.verb == "cp" and rng.random() < 0.2:
            self.options.append("-n")
        if self.verb in ("cp", "mv", "rm", "sync") and rng.random() < 0.5:
            self.options += ["-j", rng.choice(["1", "8"])]
        if self.verb == "sync":
            self.options += [one for one in ("--checksum", "--delete") if rng.random() < 0.5]
        if not self.reading and rng.random() < 0.2:
            self.options.append("--continue-on-error")

    @property
    def has_large(self):
        return any(len(contents) == MULTIPART for contents in self.before["source"].values())

    @property
    def hurries(self):
        return ("3" in self.deadline or
                self.environment.get("S3_REQUEST_TIMEOUT_MSEC") == "1000")

    @property
    def keeps_targets(self):
        return "-n" in self.options

    @property
    def trusts_times(self):
        return self.verb == "sync" and "--checksum" not in self.options

    @property
    def believes_lengths(self):
        """Whether a wrong one from the store could not be noticed. The az plugin reports as many
        bytes as HEAD says, whatever GET sends."""
        return (self.trusts_times or self.scheme == "az" or
                self.reading and self.reading.verb[0] == "tail")

    @property
    def deletes_extra(self):
        return "--delete" in self.options

    @property
    def output(self):
        """What a command that reads is to print."""
        return b"".join(self.reading.of(self.before["source"][path]) for path in self.pairs)

    def command(self, sides, *, hurries=True):
        """The arguments of fsload, for the sides {name: side}."""
        options = self.options + (self.deadline if hurries else [])
        if self.reading:
            return [*self.reading.verb, "--literal", "-q", *options,
                    *(sides["source"].uri(path) for path in self.arguments),
                    *self.reading.last]
        at = [sides["source"]] * len(self.arguments)
        if self.moves:
            at[-1] = sides["target"]
        return [self.verb, "--literal", *options,
                *(side.uri(path) for side, path in zip(at, self.arguments))]
