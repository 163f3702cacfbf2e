"""Minimal systems of several Debian releases, each in a folder, and commands in them.
Needs root.

A system is made once by debootstrap, kept in the cache for a month and only copied from
there.
"""
import ctypes
import dataclasses
import json
import os
import shutil
import signal
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../e2e"))
import downloads  # pylint: disable=wrong-import-position
import packages

NAMES = {"bookworm": "Debian 12", "trixie": "Debian 13", "sid": "Debian sid"}
LIBRARIES = "libstdc++6,libgcc-s1"  # all that the command needs beyond a minimal system
ENTER = os.path.join(HERE, "enter.py")


@dataclasses.dataclass
class Limits:
    """What a command in a system has, and lacks. The default is what a container has."""
    network: bool = True  # the host's; without it there is a loopback device
    mounted: dict = dataclasses.field(default_factory=dict)  # {the host's folder: where}
    folder: str = "/"
    uid: int = 0
    proc: str = ""  # mount options; None for no /proc
    sys: bool = True
    pts: bool = True
    tmp: str = ""  # "full" or "noexec"
    read_only: bool = False
    memlock: int = None  # RLIMIT_MEMLOCK
    docker_profile: str = ""  # Docker's own file of the system calls that it allows
    refused_calls: dict = dataclasses.field(default_factory=dict)  # {system call: errno}


def pristine(release, include):
    """The folder of a system with a few packages, such as "git,ca-certificates", more than
    it needs. To be copied, not changed."""
    def make(folder):
        packages.install({"debootstrap": "debootstrap"})
        subprocess.run(["debootstrap", "--variant=minbase", f"--include={include}", release, folder],
                       check=True, timeout=900, stdout=subprocess.DEVNULL,
                       env={**os.environ, "PATH": packages.PATH})

    return downloads.made_monthly(f"{release}-{include.replace(',', '-')}", make)


def copy(release, include, root):
    """Makes `root` a system of its own that can use the host's network."""
    subprocess.run(["cp", "--archive", "--reflink=auto", "--no-target-directory",
                    pristine(release, include), root], check=True, timeout=900)
    shutil.copy("/etc/resolv.conf", os.path.join(root, "etc/resolv.conf"))
    for name in os.listdir("/etc/apt/apt.conf.d"):  # a proxy, for one
        path = os.path.join("/etc/apt/apt.conf.d", name)
        if "docker" not in name and not _is_packaged(path):
            shutil.copy(path, root + path)


def _is_packaged(path):
    """Whether the file is a package's: the system may get that package."""
    return subprocess.run(["dpkg-query", "--search", path], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, check=False).returncode == 0


def trust_as_here(root):
    """Has the system, which has ca-certificates, trust the certificates that were added to the
    host: a proxy's, for one."""
    added = "usr/local/share/ca-certificates"
    if not os.path.isdir("/" + added):
        return
    shutil.copytree("/" + added, os.path.join(root, added), dirs_exist_ok=True)
    code, output = run(root, ["update-ca-certificates"])
    if code != 0:
        raise RuntimeError(f"{root}: update-ca-certificates failed: {output}")


def environment(given):
    """That of a new user in a system."""
    proxies = {name: value for name, value in os.environ.items() if "proxy" in name.lower()}
    return {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": "/root", "TMPDIR": "/tmp", "LC_ALL": "C.UTF-8",
            "DEBIAN_FRONTEND": "noninteractive", **proxies, **given}


def _die_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def run(root, command, given=None, seconds=900, limits=None):
    """Runs the list `command` in the system `root`, with the variables `given`. When it ends,
    so do all of its processes. Returns its exit code, 124 if time ran out, and its output."""
    limits = limits or Limits()
    words = json.dumps({**dataclasses.asdict(limits), "root": root,
                        "loopback": not limits.network})
    namespaces = ["--mount", "--pid", "--fork", "--kill-child"]
    if not limits.network:
        namespaces.append("--net")
    with subprocess.Popen(["unshare", *namespaces, sys.executable, ENTER, words, *command],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, env=environment(given or {}), text=True,
                          errors="replace", preexec_fn=_die_with_parent) as process:
        try:
            output, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()  # --kill-child ends the others
            output, _ = process.communicate()
            return 124, output + f"\nit took more than {seconds} seconds\n"
        return process.returncode, output
