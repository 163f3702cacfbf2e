"""Servers that run in their own process."""
import os
import socket
import subprocess
import sys
import threading

from stores import Az

HERE = os.path.dirname(os.path.abspath(__file__))
SECONDS_TO_START = 60


def free_port():
    """A port on which nothing listens."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class ServerProcess:
    """A program that prints its port and serves until its standard input ends,
    which also happens when these tests are killed."""

    def __init__(self, python, script, *arguments):
        environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent",
                       "AWS_ACCESS_KEY_ID": "none", "AWS_SECRET_ACCESS_KEY": "none",
                       "AWS_EC2_METADATA_DISABLED": "true"}
        self._process = subprocess.Popen(
            [python, os.path.join(HERE, script), *arguments], env=environment,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        late = threading.Timer(SECONDS_TO_START, self._process.kill)
        late.start()
        line = self._process.stdout.readline()
        late.cancel()
        if not line:
            self.kill()
            raise RuntimeError(f"{script}: no port on standard output within "
                               f"{SECONDS_TO_START} s")
        self.port = int(line)

    def kill(self):
        """Like a power failure, except that the kernel closes its connections.
        """
        self._process.kill()
        self._process.wait()
        self._process.stdin.close()
        self._process.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()


def s3_server(python, *, check_credentials=False):
    return ServerProcess(python, "serve_s3.py",
                         *(["--check-credentials"] if check_credentials else []))


def gs_server(python):
    return ServerProcess(python, "serve_gs.py")


def az_server():
    """With two accounts."""
    return ServerProcess(sys.executable, "serve_az.py", f"account:{Az.KEY}", f"other:{Az.KEY}")


def service_account(python, path, token_uri):
    """Writes a service account whose tokens come from `token_uri`."""
    with open(path, "wb") as file:
        subprocess.run([python, os.path.join(HERE, "service_account.py"), token_uri],
                       check=True, stdout=file, timeout=60)
