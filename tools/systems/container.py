"""Tries what fsload does without what a container may lack: the main job, two copies of a tree,
one of them with the plugin in a process of its own, and `doctor`, in a minimal Debian 12.
"""
import errno
import glob
import os
import re
import shutil
import subprocess

import minimal
import trees

DOCKER = "golang-github-docker-docker-dev"  # Debian's package with Docker's own list of calls

# Runs in the system; /out is a folder that any user may write to.
SCRIPT = r"""
exec 2>&1
plugin=/usr/lib/fsload/plugins/posix.so
fsload --check >/out/check || {
  cat /out/check
  fsload cp -r --isolate --plugin $plugin posix:///data/tree posix:///out/isolated
  exit 1
}
fsload cp -r posix:///data/tree posix:///out/copy || exit 2
fsload cmp posix:///data/tree/README.md posix:///out/copy/README.md || exit 3
fsload cp -r --isolate --plugin $plugin posix:///data/tree posix:///out/isolated || exit 4
exec fsload doctor posix:///data/tree
"""

NO_LANDLOCK = {name: errno.ENOSYS for name in (
    "landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self")}
NO_NAMESPACES = {"unshare": errno.EPERM, "clone": errno.EPERM, "clone3": errno.ENOSYS}


AS_USER = {"uid": 12345}  # without a row in /etc/passwd

# Each trial: its name, the limits, and a pattern of what the output must say.
TRIALS = [
    ("no `/sys`", {"sys": False}, "No problems found."),
    ("no `/dev/pts`", {"pts": False}, "No problems found."),
    ("no user namespaces", {"refused_calls": NO_NAMESPACES}, "No problems found."),
    ("no Landlock", {"refused_calls": NO_LANDLOCK},
     "Landlock is not available"),
    ("seccomp refused", {"refused_calls": {"seccomp": errno.EPERM}},
     "seccomp is not available"),
    ("`/proc` with hidepid=2", {"proc": "hidepid=2"}, "No problems found."),
    ("a read-only root", {"read_only": True}, "No problems found."),
    ("a full `/tmp`", {"tmp": "full"}, "No problems found."),
    ("`/tmp` with noexec", {"tmp": "noexec"}, "No problems found."),
    ("no locked memory", {"memlock": 0}, "No problems found."),
    ("Docker's default system calls and capabilities", {"docker": True}, "No problems found."),
    ("no `/proc`", {"proc": None}, r"/proc is not mounted[\s\S]*\(mount /proc\)"),
]
NAMES = [name for name, _, _ in TRIALS]


def docker_profile(folder):
    """Docker's own list, from Debian's package of its sources."""
    subprocess.run(["apt-get", "download", "-qq", DOCKER], cwd=folder, check=True, timeout=300,
                   stderr=subprocess.DEVNULL)
    subprocess.run(["dpkg", "-x", glob.glob(f"{folder}/{DOCKER}_*.deb")[0], folder], check=True,
                   timeout=60)
    return glob.glob(f"{folder}/usr/share/gocode/src/**/profiles/seccomp/default.json",
                     recursive=True)[0]


def make_box(folder, archive, tree):
    """A system with the command of an archive, and `tree` in /data. Returns its folder."""
    root = os.path.join(folder, "box")
    minimal.copy("bookworm", minimal.LIBRARIES, root)
    subprocess.run(["tar", "xf", archive, "-C", os.path.join(root, "usr"), "--strip-components=1"],
                   check=True, timeout=60)
    shutil.copytree(tree, os.path.join(root, "data/tree"))
    return root


def try_one(root, folder, limits, says):
    """Why a trial failed; "" if it did not. Only what lacks /proc must be refused."""
    out = os.path.join(folder, "out")
    shutil.rmtree(out, ignore_errors=True)
    os.mkdir(out)
    os.chmod(out, 0o777)
    limits.mounted = {out: "/out"}
    code, output = minimal.run(
        root, ["sh", "-c", SCRIPT], limits=limits, seconds=120,
        given={"HOME": "/no/such/home"})
    if (code == 0) != (limits.proc is not None) or not re.search(says, output):
        return f"exit code {code}, expected {says!r} in:\n{output}"
    if code == 0:
        try:
            for copy in "copy", "isolated":
                trees.require_equal(os.path.join(root, "data/tree"), os.path.join(out, copy))
        except AssertionError as error:
            return str(error)
    return ""


def find_archive(root):
    """The archive that was made in a system."""
    return glob.glob(os.path.join(root, "made/fsload-*.tar.gz"))[0]


def run(folder, archive, tree):
    """Tries all with the command of `archive`. Returns [(name, why it failed)]."""
    root = make_box(folder, archive, tree)
    os.makedirs(os.path.join(root, "out"))
    profile = docker_profile(folder)
    results = []
    for name, limits, says in TRIALS:
        if "docker" in limits:
            limits = {"docker_profile": profile}
        for kind, user in ("", {}), (", as a user", AS_USER):
            why = try_one(root, folder, minimal.Limits(**limits, **user), says)
            results.append((name + kind, why))
    return results
