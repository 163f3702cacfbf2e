"""Enters a system in a folder, limited as a container may be, and runs a command there.

usage: enter.py LIMITS COMMAND...
LIMITS is a `Limits` of minimal.py as JSON. Runs as root, in a mount and a PID namespace
of its own. Python stays that of the host.
"""
import ctypes
import errno
import fcntl
import json
import os
import resource
import socket
import struct
import sys

MS_RDONLY, MS_NOEXEC, MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 1, 8, 32, 4096, 16384, 1 << 18
MNT_DETACH = 2
PR_SET_NO_NEW_PRIVS, PR_CAPBSET_DROP = 38, 24
CLONE_NEWUSER = 0x10000000
SYS_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
DEVICES = ["null", "zero", "full", "random", "urandom", "tty"]

ALLOW = 0x7FFF0000
ERRNO = 0x00050000
COMPARISONS = {"SCMP_CMP_NE": 1, "SCMP_CMP_LT": 2, "SCMP_CMP_LE": 3, "SCMP_CMP_EQ": 4,
               "SCMP_CMP_GE": 5, "SCMP_CMP_GT": 6, "SCMP_CMP_MASKED_EQ": 7}

# Those that `docker run` leaves: CHOWN, DAC_OVERRIDE, FOWNER, FSETID, KILL, SETGID, SETUID,
# SETPCAP, NET_BIND_SERVICE, NET_RAW, SYS_CHROOT, MKNOD, AUDIT_WRITE and SETFCAP.
DOCKER_CAPABILITIES = {0, 1, 3, 4, 5, 6, 7, 8, 10, 13, 18, 27, 29, 31}

libc = ctypes.CDLL(None, use_errno=True)


def check(result, what):
    if result < 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")


def mount(source, target, kind="", flags=0, data=""):
    check(libc.mount(source.encode(), target.encode(), kind.encode(), ctypes.c_ulong(flags),
                     data.encode()), f"mount {target}")


class Comparison(ctypes.Structure):
    _fields_ = [("arg", ctypes.c_uint), ("op", ctypes.c_int), ("a", ctypes.c_uint64),
                ("b", ctypes.c_uint64)]


class Filter:
    """A seccomp filter, loaded by `load`."""

    def __init__(self, default):
        self._library = ctypes.CDLL("libseccomp.so.2", use_errno=True)
        self._library.seccomp_init.restype = ctypes.c_void_p
        self._context = ctypes.c_void_p(self._library.seccomp_init(ctypes.c_uint32(default)))

    def add(self, action, name, comparisons=()):
        number = self._library.seccomp_syscall_resolve_name(name.encode())
        if number < 0:
            return  # of another processor
        array = (Comparison * len(comparisons))(*comparisons)
        added = self._library.seccomp_rule_add_array(
            self._context, ctypes.c_uint32(action), number, len(comparisons), array)
        if added != 0:
            raise OSError(-added, f"seccomp_rule_add {name}: {os.strerror(-added)}")

    def load(self):
        check(-1 if self._library.seccomp_load(self._context) else 0, "seccomp_load")


def docker_filter(path):
    """What Docker's own list allows a process without further capabilities."""
    with open(path, encoding="utf-8") as file:
        profile = json.load(file)
    made = Filter(ERRNO | errno.EPERM)
    for row in profile["syscalls"]:
        includes, excludes = row.get("includes") or {}, row.get("excludes") or {}
        if set(includes.get("caps", [])) - {"CAP_SYS_CHROOT"} or \
                "amd64" not in includes.get("arches", ["amd64"]) or \
                "amd64" in excludes.get("arches", []):
            continue
        action = ALLOW if row["action"] == "SCMP_ACT_ALLOW" else \
            ERRNO | row.get("errnoRet", errno.EPERM)
        comparisons = [
            Comparison(each["index"], COMPARISONS[each["op"]], each["value"],
                       each.get("valueTwo", 0))
            for each in row.get("args") or []]
        for name in row["names"]:
            made.add(action, name, comparisons)
    return made


def filter_of(limits):
    if limits["docker_profile"]:
        return docker_filter(limits["docker_profile"])
    if not limits["refused_calls"]:
        return None
    made = Filter(ALLOW)
    for name, error in limits["refused_calls"].items():
        if name == "clone":
            made.add(ERRNO | error, name, [Comparison(
                0, COMPARISONS["SCMP_CMP_MASKED_EQ"], CLONE_NEWUSER, CLONE_NEWUSER)])
        else:
            made.add(ERRNO | error, name)
    return made


def loopback_up():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sh22x", b"lo", 1 | 64)  # IFF_UP, IFF_RUNNING
        fcntl.ioctl(any_socket, 0x8914, request)  # SIOCSIFFLAGS


def mount_system(limits):
    """Mounts what the system has, with its folder as the current one."""
    mount("", "/", flags=MS_REC | MS_PRIVATE)
    mount(limits["root"], limits["root"], flags=MS_BIND)
    os.chdir(limits["root"])
    if limits["proc"] is not None:
        mount("proc", "proc", "proc", data=limits["proc"])
    if limits["sys"]:
        mount("sysfs", "sys", "sysfs", MS_RDONLY)
    mount("tmpfs", "dev", "tmpfs", data="mode=755")
    for device in DEVICES:
        with open("dev/" + device, "wb"):
            pass
        mount("/dev/" + device, "dev/" + device, flags=MS_BIND)
    os.symlink("/proc/self/fd", "dev/fd")
    for number, stream in enumerate(["stdin", "stdout", "stderr"]):
        os.symlink(f"/proc/self/fd/{number}", "dev/" + stream)
    os.mkdir("dev/shm")
    mount("tmpfs", "dev/shm", "tmpfs", data="mode=1777")
    if limits["pts"]:
        os.mkdir("dev/pts")
        mount("devpts", "dev/pts", "devpts", data="newinstance,ptmxmode=0666,mode=620")
        os.symlink("pts/ptmx", "dev/ptmx")
    if limits["tmp"]:
        noexec = MS_NOEXEC if limits["tmp"] == "noexec" else 0
        mount("tmpfs", "tmp", "tmpfs", noexec, "mode=1777,size=1m")
        if limits["tmp"] == "full":
            filler = os.open("tmp/filler", os.O_WRONLY | os.O_CREAT)
            try:
                while os.write(filler, b"x" * 4096):
                    pass
            except OSError:
                os.close(filler)
    for source, target in limits["mounted"].items():
        os.makedirs("." + target, exist_ok=True)
        mount(source, "." + target, flags=MS_BIND)
    if limits["read_only"]:
        mount("", ".", flags=MS_REMOUNT | MS_BIND | MS_RDONLY)


def leave_outer_system():
    """Unlike chroot, this allows user namespaces."""
    check(libc.syscall(SYS_PIVOT_ROOT[os.uname().machine], b".", b"."), "pivot_root")
    check(libc.umount2(b".", MNT_DETACH), "umount")
    os.chdir("/")


def main():
    limits = json.loads(sys.argv[1])
    wanted_filter = filter_of(limits)  # needs the host's libraries
    if limits["loopback"]:
        loopback_up()
    mount_system(limits)
    leave_outer_system()
    if limits["memlock"] is not None:
        resource.setrlimit(resource.RLIMIT_MEMLOCK, (limits["memlock"], limits["memlock"]))
    if limits["docker_profile"]:
        for capability in range(64):
            if capability not in DOCKER_CAPABILITIES:
                libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
    if limits["uid"]:
        os.setgroups([])
        os.setresgid(limits["uid"], limits["uid"], limits["uid"])
        os.setresuid(limits["uid"], limits["uid"], limits["uid"])
    os.chdir(limits["folder"])
    if wanted_filter:
        check(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
        wanted_filter.load()
    os.execvp(sys.argv[2], sys.argv[2:])


if __name__ == "__main__":
    main()
