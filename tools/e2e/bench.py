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

    def __str__(self):
        return (f"`{self.command}`: exit code {self.code}, standard output "
                f"{self.out[-1500:]!r}, standard error {self.err[-1500:]!r}")


class World:
    """What all cases share: the command, the plugins and the servers."""

    def __init__(self, fsload, folder, plugin_folder, plugins, wheels, python, stores, accounts):
        self.fsload = fsload
        self.folder = folder
        self.plugin_folder = plugin_folder  # with both plugins in it
        self.plugins = plugins              # {"s3": path, "gs": path}
        self.wheels = wheels                # {"s3": path, "gs": path}
        self.python = python                # with the servers' packages
        self.stores = stores                # {"s3": S3, "gs": Gs}
        self.accounts = accounts            # {"good": path, "bad": path} for gs

    def environment(self, s3_port=None, gs_port=None, account="good"):
        """What fsload is told of plugins and servers, and nothing else."""
        s3_port = s3_port or self.stores["s3"].port
        gs_port = gs_port or self.stores["gs"].port
        return {
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
            "HOME": self.folder,
            "XDG_CACHE_HOME": os.path.join(self.folder, "cache"),
            "FSLOAD_PLUGIN_PATH": self.plugin_folder,
            "S3_ENDPOINT": f"http://127.0.0.1:{s3_port}",
            "S3_VERIFY_SSL": "0",
            "S3_CONNECT_TIMEOUT_MSEC": "2000",
            "S3_REQUEST_TIMEOUT_MSEC": "2000",
            "AWS_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": "x",
            "AWS_SECRET_ACCESS_KEY": "y",
            "AWS_EC2_METADATA_DISABLED": "true",
            "AWS_RETRY_MODE": "standard",
            "AWS_MAX_ATTEMPTS": "3",
            "CLOUD_STORAGE_EMULATOR_ENDPOINT": f"http://127.0.0.1:{gs_port}",
            "GOOGLE_APPLICATION_CREDENTIALS": self.accounts[account],
            "GCS_APPEND_MODE": "compose",
            "GCS_READ_CACHE_BLOCK_SIZE_MB": "1",
            "GCS_READ_CACHE_MAX_SIZE_MB": "16",
            "GCS_READ_CACHE_MAX_STALENESS": "1",
            "GCS_STAT_CACHE_MAX_AGE": "1",
            "GCS_STAT_CACHE_MAX_ENTRIES": "100",
        }


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
                f"`{command}`: wanted an end before the case's deadline, found it running; "
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
            raise AssertionError(f"wanted exit code 0: {ended}")
        return ended

    def bad(self, *arguments, code, says=(), **options):
        """The same, and it must fail with `code` and an error with `says` in it."""
        ended = self.run(*arguments, **options)
        codes = code if isinstance(code, tuple) else (code,)
        if ended.code not in codes:
            raise AssertionError(f"wanted exit code {codes}: {ended}")
        for text in [says] if isinstance(says, str) else says:
            if text not in ended.err:
                raise AssertionError(f"wanted {text!r} in standard error: {ended}")
        return ended
