"""A guest with a real arm64 kernel, emulated by QEMU, that sees folders of the host, which is
a Debian 12: later ones have another virtiofsd.

Its system is of this host's Debian, its kernel of Debian 13, which has what fsload uses of
newer kernels. Nothing of arm64 runs on the host.
"""
import contextlib
import dataclasses
import glob
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "../../..")
sys.path.insert(0, os.path.join(HERE, "../../e2e"))
import agent
import downloads  # pylint: disable=wrong-import-position
import packages
from processes import free_port

VIRTIOFSD = "/usr/lib/qemu/virtiofsd"
PROGRAMS = {"qemu-system-aarch64": "qemu-system-arm", VIRTIOFSD: "qemu-system-common",
            "mmdebstrap": "mmdebstrap", "arch-test": "arch-test", "depmod": "kmod"}
KERNEL_RELEASE = "trixie"
KERNELS = {4: "linux-image-arm64", 16: "linux-image-arm64-16k"}  # by KiB of a page
BOOT_SECONDS = 300

# What tests and the agent use.
PROGRAMS_INSIDE = """
  base-files base-passwd bash binutils coreutils dash diffutils file findutils g++ gawk grep gzip
  hostname iproute2 kmod libc-bin mount procps python3 python3-jsonschema python3-junitparser
  python3-pexpect python3-pyelftools sed tar util-linux"""


def _extract(release, include, folder):
    """Makes a folder with packages of arm64, which are unpacked only."""
    subprocess.run(["mmdebstrap", "--quiet", "--arch=arm64", "--variant=extract",
                    "--skip=check/qemu", "--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr",
                    "--include=" + ",".join(include), release, folder], check=True, timeout=1800)


def codename():
    """The name of this host's release."""
    with open("/etc/os-release", encoding="utf-8") as file:
        names = dict(line.rstrip().split("=", 1) for line in file if "=" in line)
    return names.get("VERSION_CODENAME", "sid")


def _libraries():
    """The packages of libraries that bazelw installs."""
    with open(os.path.join(ROOT, "bazelw"), encoding="utf-8") as file:
        return re.findall(r"[\w.+-]+-dev\b", file.read().partition("missing=")[0])


def _complete(system):
    """Adds what the scripts of packages would have made."""
    for name in ("passwd", "group"):
        shutil.copy(f"{system}/usr/share/base-passwd/{name}.master", f"{system}/etc/{name}")
    os.symlink("gawk", f"{system}/usr/bin/awk")


def _make_system(folder):
    _extract(codename(), [*PROGRAMS_INSIDE.split(), *_libraries()], folder)
    _complete(folder)


def prepare(page):
    """The folders of the guest's system and of a kernel with pages of `page` KiB."""
    packages.install(PROGRAMS)
    system = downloads.made_monthly("arm64-" + codename(), _make_system)
    kernel = downloads.made_monthly(
        f"arm64-kernel-{page}k", lambda folder: _extract(KERNEL_RELEASE, [KERNELS[page]], folder))
    [version] = os.listdir(f"{kernel}/usr/lib/modules")
    modules = f"{system}/usr/lib/modules/{version}"
    if not os.path.exists(modules):
        shutil.copytree(f"{kernel}/usr/lib/modules/{version}", modules)
        subprocess.run(["depmod", "--basedir", system, version], check=True, timeout=300,
                       env={**os.environ, "PATH": packages.PATH})
    return system, kernel


def _wait_for(condition, what, seconds, processes):
    end = time.monotonic() + seconds
    while not condition():
        ended = [process.args[0] for process in processes if process.poll() is not None]
        if ended or time.monotonic() > end:
            raise RuntimeError(f"{what}: " + (f"{ended[0]} has ended" if ended else "too late"))
        time.sleep(0.2)


def _contents(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


@dataclasses.dataclass
class Guest:
    """A guest that runs. `port` is its agent's."""
    port: int

    def run(self, *argv, cwd="/", env=None):
        return agent.call(self.port, list(argv), cwd, env)


def _start_sharing(folder, path, stack):
    """Starts a server of `folder` at the socket `path`."""
    log = stack.enter_context(open(f"{path}.log", "wb"))
    server = subprocess.Popen(
        [VIRTIOFSD, f"--socket-path={path}", "-o", f"source={folder}", "-o", "cache=auto",
         "-o", "sandbox=chroot", "-o", "flock", "-o", "posix_lock"],
        stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    stack.callback(server.kill)
    _wait_for(lambda: os.path.exists(path), "virtiofsd", 10, [server])
    return server


@contextlib.contextmanager
def running(shared, page=4, cpus=2, memory="10G"):
    """Yields a Guest that has the folders `shared` of the host at the same paths, in which it
    may write, and pages of `page` KiB. It takes of its memory what it uses."""
    system, kernel = prepare(page)
    shutil.copy(os.path.join(HERE, "agent.py"), system)
    with tempfile.TemporaryDirectory() as work, contextlib.ExitStack() as stack:
        console = f"{work}/console"
        processes, devices, words = [], [], []
        for number, folder in enumerate([system, *shared]):
            processes.append(_start_sharing(folder, f"{work}/{number}", stack))
            devices += ["-chardev", f"socket,id=c{number},path={work}/{number}",
                        "-device", f"vhost-user-fs-pci,chardev=c{number},tag=fs{number}"]
            words.append(f"{folder}:fs{number}")
        port = free_port()
        output = stack.enter_context(open(console, "wb"))
        processes.append(subprocess.Popen(
            ["qemu-system-aarch64", "-machine", "virt", "-cpu", "max,pauth-impdef=on",
             "-smp", str(cpus), "-m", memory,
             "-object", f"memory-backend-memfd,id=memory,size={memory},share=on",
             "-numa", "node,memdev=memory", "-accel", "tcg,thread=multi,tb-size=1024",
             "-nographic", "-no-reboot", "-device", "virtio-net-pci,netdev=net,romfile=",
             "-netdev", f"user,id=net,hostfwd=tcp:127.0.0.1:{port}-:{agent.PORT}",
             "-kernel", glob.glob(f"{kernel}/boot/vmlinuz-*")[0], "-append",
             "root=fs0 rootfstype=virtiofs rw console=ttyAMA0 quiet panic=-1 "
             f"init=/usr/bin/python3 shared={','.join(words[1:])} -- /agent.py", *devices],
            stdin=subprocess.DEVNULL, stdout=output, stderr=output))
        qemu = processes[-1]
        stack.callback(qemu.kill)
        try:
            _wait_for(lambda: "guest: ready" in _contents(console), "the guest", BOOT_SECONDS,
                      processes)
            yield Guest(port)
            with socket.create_connection(("127.0.0.1", port)) as connection:
                connection.sendall(b"off\n")
            qemu.wait(30)
        except BaseException:
            print(_contents(console)[-4000:])
            raise
