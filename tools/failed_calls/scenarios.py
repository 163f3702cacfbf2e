"""Commands with the files that they work on, and what they may leave of them."""
import hashlib
import os

FILES = {"a": b"hello, world\n", "d/b": bytes(range(256)) * 300, "d/e/c": b"", "d/e/f": b"f" * 5000}
OLD = {"a": b"old", "d/b": b"old, too", "x": b"nowhere else"}
JOURNAL = "journal"
ALLOW_LIST = "allowed"
TIME = 1_700_000_000  # of all files; sync knows other contents by their length


def write(folder, files):
    for name, contents in files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(contents)
        os.utime(path, (TIME, TIME))


def read(folder):
    """The contents of all files below `folder`, by their names."""
    contents = {}
    for path in names(folder):
        with open(path, "rb") as file:
            contents[os.path.relpath(path, folder)] = file.read()
    return contents


def write_allow_list(root, plugin):
    with open(plugin, "rb") as file:
        digits = hashlib.sha256(file.read()).hexdigest()
    with open(os.path.join(root, ALLOW_LIST), "w", encoding="utf-8") as file:
        file.write(digits + "  posix.so\n")


def names(folder):
    return [os.path.join(at, name) for at, _, files in os.walk(folder) for name in files]


class Scenario:
    """A command. It gets `source` with FILES, and `target` with OLD if it is to have some."""
    old = {}

    def __init__(self, name, *words, old=False, into=False, warns=False):
        self.name, self.words = name, words
        self.into = into  # a target without files
        self.warns = warns  # prints what it could not do, and succeeds
        self.old = OLD if old else {}
        self.output = None  # without a failed call

    def prepare(self, root, plugin):
        os.makedirs(root)
        write_allow_list(root, plugin)
        write(os.path.join(root, "source"), FILES)
        if self.into:
            os.mkdir(os.path.join(root, "target"))
        write(os.path.join(root, "target"), self.old)
        for folder, _, _ in os.walk(root):
            os.utime(folder, (TIME, TIME))

    def wrong(self, root, succeeded):
        """What is not as it may be when the command has ended, as texts."""
        found = []
        source = read(os.path.join(root, "source"))
        target = read(os.path.join(root, "target"))
        extra = set(os.listdir(root)) - {"source", "target", JOURNAL, ALLOW_LIST}
        if extra:
            found.append(f"left beside: {sorted(extra)}")
        return found + list(self.changes(source, target, succeeded))

    def changes(self, source, target, succeeded):
        del succeeded
        if source != FILES:
            yield f"the source has changed: {differences(source, FILES)}"
        if target != self.old:
            yield f"the target has changed: {differences(target, self.old)}"


def differences(found, wanted):
    return sorted(name for name in {*found, *wanted} if found.get(name) != wanted.get(name))


class Copies(Scenario):
    """A command after which `target` has `wanted`. Until then each file there is the old one, or
    the new one, and whole."""

    def __init__(self, name, *words, wanted=None, **options):
        super().__init__(name, *words, **options)
        self.wanted = FILES if wanted is None else wanted

    def changes(self, source, target, succeeded):
        if source != FILES:
            yield f"the source has changed: {differences(source, FILES)}"
        if succeeded and target != self.wanted:
            yield f"succeeds, but differs: {differences(target, self.wanted)}"
        for name, contents in target.items():
            if contents not in (self.old.get(name), self.wanted.get(name)):
                yield f"target/{name} is neither old nor new: {len(contents)} bytes"
        lost = [name for name in set(self.old) & set(self.wanted) if name not in target]
        if lost:
            yield f"lost: {lost}"


class Moves(Copies):
    """A copy whose source is gone in the end."""

    def changes(self, source, target, succeeded):
        if succeeded and (source or target != self.wanted):
            yield f"succeeds, but has left {sorted(source)}, not moved {differences(target, FILES)}"
        for name, contents in FILES.items():
            if contents not in (source.get(name), target.get(name)):
                yield f"{name} is lost"
        for name, contents in target.items():
            if contents != FILES.get(name):
                yield f"target/{name}: not the file: {len(contents)} bytes"


class Removes(Scenario):
    """A command that deletes `source`."""

    def changes(self, source, target, succeeded):
        if succeeded and source:
            yield f"succeeds, but has left {sorted(source)}"
        if any(FILES.get(name) != contents for name, contents in source.items()):
            yield f"changed: {differences(source, FILES)}"


PLUGIN = "--plugin={plugin}"
FROM, TO = "posix://{root}/source", "posix://{root}/target"
SCENARIOS = [
    Scenario("check", "check", "{plugin}", warns=True),
    Scenario("check --allow-list", "check", "--allow-list={root}/" + ALLOW_LIST, "{plugin}",
             warns=True),
    Scenario("inspect", "inspect", "{plugin}", warns=True),
    Scenario("ls", "ls", "-l", PLUGIN, FROM + "/d"),
    Scenario("ls -R", "ls", "-R", PLUGIN, FROM),
    Scenario("cat", "cat", PLUGIN, FROM + "/a", FROM + "/d/b"),
    Scenario("glob", "glob", PLUGIN, FROM + "/*/*"),
    Scenario("du", "du", PLUGIN, FROM),
    Scenario("cmp", "cmp", PLUGIN, FROM + "/a", FROM + "/a"),
    Scenario("cat --isolate", "cat", "--isolate", PLUGIN, FROM + "/d/b"),
    Scenario("cat --confined", "cat", "--isolate", "--confined", PLUGIN, FROM + "/d/b"),
    Scenario("cat --record", "cat", "--record={root}/" + JOURNAL, PLUGIN, FROM + "/d/b"),
    Copies("cp", "cp", PLUGIN, FROM + "/d/b", TO + "/d/b", old=True,
           wanted={**OLD, "d/b": FILES["d/b"]}),
    Copies("cp -r", "cp", "-r", PLUGIN, FROM + "/", TO + "/", wanted=FILES),
    Copies("cp -r, local", "cp", "-r", "{root}/source/", "{root}/target/", wanted=FILES),
    Copies("cp --isolate", "cp", "--isolate", PLUGIN, FROM + "/d/b", TO + "/d/b", old=True,
           wanted={**OLD, "d/b": FILES["d/b"]}),
    Copies("sync", "sync", PLUGIN, FROM, TO, old=True, wanted={**OLD, **FILES}),
    Copies("sync --delete", "sync", "--delete", PLUGIN, FROM, TO, old=True),
    Moves("mv", "mv", PLUGIN, FROM + "/a", FROM + "/d", TO + "/", into=True),
    Moves("mv, out", "mv", PLUGIN, FROM + "/", "{root}/target/"),
    Removes("rm -r", "rm", "-r", PLUGIN, FROM),
]
