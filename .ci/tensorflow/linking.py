"""fsload as it is installed, linked with TensorFlow into programs, in both
orders, and which of the two the dynamic linker bound to the other."""
import glob
import os
import re
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "../..")
SECONDS_TO_BUILD = 1500
SECONDS_TO_COMPILE = 300

SIDE = "libtensorflow_side.so"

# What every library has of the C++ standard library, whose first copy in a
# process serves all, and the C library's data that a program has a copy of.
STANDARD = re.compile(r"std(in|out|err)$|_Z(Z?N?K?(St|Sa|Ss|N9__gnu_cxx)|N9__gnu_cxx|T[IVS]N?K?St|G[VR]N?K?St)"
                      r"(?!.*(fsload|tensorflow|3tsl|4absl))")
BINDING = re.compile(r"binding file (\S+) \[0\] to (\S+) \[0\]: \w+ symbol `([^']*)'")


def install(prefix):
    subprocess.run(["./bazelw", "run", "--noshow_progress", "--config=ci", "//:install", "--",
                    "--prefix", prefix],
                   cwd=ROOT, check=True, stdout=subprocess.DEVNULL, timeout=SECONDS_TO_BUILD)


class Compiler:
    """Compiles into `folder` what uses fsload in `prefix` and the TensorFlow of
    the Python packages in `packages`."""

    def __init__(self, folder, prefix, packages):
        self.folder = folder
        self.prefix = prefix
        wheel = os.path.join(packages, "tensorflow")
        self.include = ["-isystem", os.path.join(wheel, "include")]
        self.search = [f"-L{folder}", f"-L{wheel}", "-Wl,-rpath,$ORIGIN", f"-Wl,-rpath,{wheel}",
                       f"-Wl,-rpath,{prefix}/lib"]
        self.tensorflow = ["-Wl,--no-as-needed", "-l:libtensorflow_cc.so.2",
                           "-l:libtensorflow_framework.so.2"]

    def pkg_config(self, *words):
        environment = {**os.environ, "PKG_CONFIG_PATH": f"{self.prefix}/lib/pkgconfig"}
        return subprocess.run(["pkg-config", *words, "fsload"], env=environment, check=True,
                              capture_output=True, text=True).stdout.split()

    def fsload(self, kind):
        if kind == "shared":
            return self.pkg_config("--libs")
        return ["-l:libfsload.a" if word == "-lfsload" else word
                for word in self.pkg_config("--static", "--libs")]

    def run(self, name, *arguments):
        path = os.path.join(self.folder, name)
        subprocess.run(["g++", "-std=c++17", "-O1", "-w", "-I", HERE, *arguments, "-o", path],
                       check=True, timeout=SECONDS_TO_COMPILE)
        return path

    def side(self):
        """TensorFlow's side, which alone is compiled with its headers."""
        self.run(SIDE, "-shared", "-fPIC", *self.include, os.path.join(HERE, "tensorflow_side.cc"),
                 *self.search, *self.tensorflow)

    def program(self, name, flags, *libraries):
        return self.run(name, *flags, *self.pkg_config("--cflags"),
                        os.path.join(HERE, "one_process.cc"), *self.search, *libraries, "-ldl")

    def opening(self):
        return self.program("opening", [], *self.fsload("shared"))

    def linked(self, kind, first):
        """A program linked with TensorFlow and fsload, shared or static."""
        sides = {"fsload": self.fsload(kind), "TensorFlow": ["-l:" + SIDE, *self.tensorflow]}
        ordered = sorted(sides, key=lambda side: side != first)
        return self.program(f"linked_{kind}_{first}", ["-DLINKED"],
                            *(word for side in ordered for word in sides[side]))


def _owner(path, program):
    name = os.path.basename(path)
    if name.startswith("libtensorflow") and name != SIDE:
        return "TensorFlow"
    return "fsload" if name.startswith("libfsload.so") or name == program else ""


def crossed(program, arguments, environment, seconds):
    """What the dynamic linker bound from fsload to TensorFlow or the reverse,
    but for the standard library; and how many bindings of each it made. In a
    program with the static library the program is fsload."""
    log = program + ".bindings"
    # All at the start: with lazy binding only what is called is seen.
    watched = {**environment, "LD_BIND_NOW": "1", "LD_DEBUG": "bindings", "LD_DEBUG_OUTPUT": log}
    subprocess.run([program, *arguments], env=watched, stdin=subprocess.DEVNULL, check=True,
                   capture_output=True, timeout=seconds)
    wrong, counts = set(), {"fsload": 0, "TensorFlow": 0}
    for path in glob.glob(log + ".*"):
        with open(path, encoding="utf-8", errors="replace") as lines:
            for match in filter(None, map(BINDING.search, lines)):
                source, target = (_owner(each, os.path.basename(program)) for each in match.groups()[:2])
                if source:
                    counts[source] += 1
                if source and target and source != target and not STANDARD.match(match[3]):
                    wrong.add(f"{source} uses {target}'s {match[3]}")
        os.remove(path)
    return sorted(wrong), counts


def problem_of_bindings(program, arguments, environment, seconds):
    """None, or what is wrong."""
    wrong, counts = crossed(program, arguments, environment, seconds)
    if min(counts.values()) < 100:
        return f"the dynamic linker's log tells nothing: {counts}"
    return "\n".join(wrong) or None


def copied_library(prefix, folder):
    """The shared library alone, for Python."""
    return shutil.copy(os.path.join(prefix, "lib/libfsload.so"), folder)
