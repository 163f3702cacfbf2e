"""The place that a case runs in: a folder, buckets, and the fsload command."""
import itertools
import os
import signal
import subprocess
import time

# Whose files may be nobody's: what depends on permissions runs as this user.
NOBODY = 65534

_numbers = itertools.count(1)


class Ended:
    """How a run of fsload ended."""

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
        """The first error that it told; "" if there is none."""
        return next((line for line in self.err.splitlines() if line.startswith("fsload: ") and
                     not line.startswith("fsload: warning: ")), "")

    def __str__(self):
        return (f"`{self.command}`: exit code {self.code}, standard output "
                f"{self.out[-1500:]!r}, standard error {self.err[-1500:]!r}")


class Bench:
    """Has a folder of its own; `seconds` from now its commands are killed."""

    def __init__(self, world, seconds):
        self.world = world
        self.number = next(_numbers)
        self.folder = os.path.join(world.folder, f"case{self.number}")
        os.mkdir(self.folder)
        self._ends = time.monotonic() + seconds

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def file(self, name, contents):
        """Writes a file into the case's folder, with the folders it needs: its
        path."""
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(contents)
        return path

    def bucket(self, store):
        """A new bucket's name."""
        name = f"bucket-{self.number}-{next(_numbers)}"
        store.make_bucket(name)
        return name

    def seconds_left(self):
        return max(1, self._ends - time.monotonic())

    def start(self, *arguments, env=None, nobody=False, **options):
        """fsload, begun; `env` is added to the environment."""
        as_user = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
        return subprocess.Popen(
            [self.world.fsload, *arguments], env={**self.world.environment(), **(env or {})},
            stdin=options.pop("stdin", subprocess.DEVNULL), stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, cwd=self.folder, start_new_session=True,
            **(as_user if nobody and os.getuid() == 0 else {}), **options)

    def finish(self, process, arguments=(), input=None):
        """Waits for what `start` began."""
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
        """fsload, run to its end."""
        if input is not None:
            options["stdin"] = subprocess.PIPE
        return self.finish(self.start(*arguments, **options), arguments, input)

    def good(self, *arguments, **options):
        """The same, and it must succeed and report no error."""
        ended = self.run(*arguments, **options)
        if ended.code != 0:
            raise AssertionError(f"expected exit code 0: {ended}")
        return ended

    def bad(self, *arguments, code, says=(), **options):
        """The same, and it must fail with `code` and an error with `says` in it."""
        ended = self.run(*arguments, **options)
        codes = code if isinstance(code, tuple) else (code,)
        if ended.code not in codes:
            raise AssertionError(f"expected exit code {codes}: {ended}")
        for text in [says] if isinstance(says, str) else says:
            if text not in ended.err:
                raise AssertionError(f"{text!r} is not in standard error: {ended}")
        return ended
