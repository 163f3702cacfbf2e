"""The environment of a case: a folder, buckets, and the fsload command."""
import functools
import itertools
import os
import signal
import subprocess
import time

# Owns no files: runs cases that depend on permissions.
NOBODY = 65534

# Commands whose plugins can run in processes of their own, as they then all do if this is set,
# confined if it is "confined".
ISOLATE = "FSLOAD_E2E_ISOLATE"
VERB_SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../files/verbs")

# In the background of a script it is ignored, and commands inherit that.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@functools.lru_cache(maxsize=None)
def _verbs():
    """The commands that have a source of their own there."""
    names = set()
    for name in os.listdir(VERB_SOURCES):
        with open(os.path.join(VERB_SOURCES, name), encoding="utf-8") as source:
            if name.endswith(".cc") and "AddVerb(" in source.read():
                names.add(name[:-len(".cc")])
    return names


_numbers = itertools.count(1)


def _isolated(arguments):
    how = os.environ.get(ISOLATE)
    if not how or arguments[0] not in _verbs():
        return arguments
    return (arguments[0], "--confined" if how == "confined" else "--isolate", *arguments[1:])


class Ended:
    """The result of a run of fsload."""

    def __init__(self, command, code, out, err):
        self.command = command
        self.code = code
        self.out = out
        self.err = err

    @property
    def lines(self):
        return self.out.decode().splitlines()

    @property
    def error(self):
        """The first error that it reported; "" if there is none."""
        return next((line for line in self.err.splitlines() if line.startswith("fsload: ") and
                     not line.startswith("fsload: warning: ")), "")

    def __str__(self):
        return (f"`{self.command}`: exit code {self.code}, standard output "
                f"{self.out[-1500:]!r}, standard error {self.err[-1500:]!r}")


class Bench:
    """Has its own folder; kills its commands `seconds` from now."""

    def __init__(self, world, seconds):
        self.world = world
        self.number = next(_numbers)
        self.folder = os.path.join(world.folder, f"case{self.number}")
        os.mkdir(self.folder)
        self._ends = time.monotonic() + seconds

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def file(self, name, contents):
        """Writes a file into the case's folder, creating folders; yields its
        path."""
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(contents)
        return path

    def bucket(self, store):
        """Creates a bucket; yields its name."""
        name = f"bucket-{self.number}-{next(_numbers)}"
        store.make_bucket(name)
        return name

    def seconds_left(self):
        return max(1, self._ends - time.monotonic())

    def start(self, *arguments, env=None, nobody=False, **options):
        """Starts fsload; `env` is added to the environment, without what is None in it."""
        added = {**self.world.environment(), **(env or {})}
        as_user = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
        return subprocess.Popen(
            [self.world.fsload, *_isolated(arguments)], env={name: value for name, value in added.items() if value is not None},
            stdin=options.pop("stdin", subprocess.DEVNULL), stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, cwd=self.folder, start_new_session=True,
            **(as_user if nobody and os.getuid() == 0 else {}), **options)

    def finish(self, process, arguments=(), input=None):
        """Waits for a process from `start`."""
        command = " ".join(["fsload", *arguments])
        try:
            out, err = process.communicate(input, timeout=self.seconds_left())
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            raise AssertionError(
                f"`{command}`: still running at the case's deadline; "
                f"standard output {out[-500:]!r}, standard error {err[-1500:]!r}") from None
        return Ended(command, process.returncode, out, err.decode(errors="replace"))

    def run(self, *arguments, input=None, **options):
        """Runs fsload to its end."""
        if input is not None:
            options["stdin"] = subprocess.PIPE
        return self.finish(self.start(*arguments, **options), arguments, input)

    def good(self, *arguments, **options):
        """The same; fails unless it succeeds and reports no error."""
        ended = self.run(*arguments, **options)
        if ended.code != 0:
            raise AssertionError(f"expected exit code 0: {ended}")
        return ended

    def bad(self, *arguments, code, says=(), **options):
        """The same; fails unless it exits with `code` and an error that contains `says`."""
        ended = self.run(*arguments, **options)
        codes = code if isinstance(code, tuple) else (code,)
        if ended.code not in codes:
            raise AssertionError(f"expected exit code {codes}: {ended}")
        for text in [says] if isinstance(says, str) else says:
            if text not in ended.err:
                raise AssertionError(f"{text!r} is not in standard error: {ended}")
        return ended
