"""Compiles the libhdfs.so of testdata/hdfs, whose name nodes are folders."""
import glob
import os
import shutil
import subprocess

from downloads import made_once

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")


def install(folder):
    """Copies it to where HADOOP_HDFS_HOME=`folder` has it."""
    sources = sorted(glob.glob(os.path.join(ROOT, "testdata/hdfs/*.[ch]*")))
    with made_once("hdfs", *sources) as (compiled, missing):
        library = os.path.join(compiled, "libhdfs.so")
        if missing:
            subprocess.run(
                [os.environ.get("CXX", "c++"), "-std=c++17", "-shared", "-fPIC",
                 "-fvisibility=hidden", f"-I{ROOT}", "-o", library,
                 *(path for path in sources if path.endswith(".cc"))],
                check=True, timeout=300)
        native = os.path.join(folder, "lib/native")
        os.makedirs(native)
        shutil.copy(library, native)
