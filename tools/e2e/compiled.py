"""Compiles what only these tests use, without Bazel, once for the cache."""
import glob
import os
import subprocess

from downloads import made_once

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")


def shared_object(name):
    """The shared object of the sources in testdata/`name`."""
    sources = sorted(glob.glob(os.path.join(ROOT, "testdata", name, "*.[ch]*")))
    with made_once(f"compiled-{name}", *sources) as (folder, missing):
        compiled = os.path.join(folder, name + ".so")
        if missing:
            subprocess.run(
                [os.environ.get("CXX", "c++"), "-std=c++17", "-shared", "-fPIC",
                 "-fvisibility=hidden", f"-I{ROOT}", f"-I{ROOT}/compat/include", "-o", compiled,
                 *(path for path in sources if path.endswith(".cc"))],
                check=True, timeout=300)
        return compiled
