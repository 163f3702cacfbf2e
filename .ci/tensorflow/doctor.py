"""What `fsload doctor` says of TensorFlow's wheel, as docs/coming-from-tensorflow.md
shows it, compared with what happens when that TensorFlow loads the plugin."""
import json
import os
import re
import subprocess

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
SECONDS = 120

LOAD = """
import sys
import tensorflow as tf
try:
    tf.experimental.register_filesystem_plugin(sys.argv[1])
except Exception as error:
    print(error)
"""


def _said(world, packages, plugin):
    """The doctor's step on TensorFlow."""
    ended = subprocess.run(
        [world.fsload, "doctor", "--format=json", plugin], capture_output=True, timeout=SECONDS,
        env={**world.environment(), "PYTHONPATH": packages}, check=False)
    step, = [step for step in json.loads(ended.stdout)["steps"] if step["what"] == "tensorflow"]
    return step


def _happened(world, python, plugin):
    """"" or the symbol that TensorFlow does not find, demangled."""
    ended = subprocess.run(
        [python, "-c", LOAD, plugin], capture_output=True, text=True, check=True, timeout=SECONDS,
        env={**world.environment(), "TF_CPP_MIN_LOG_LEVEL": "2", "CUDA_VISIBLE_DEVICES": ""})
    symbol = re.search(r"undefined symbol: (\w+)", ended.stdout)
    if symbol is None:
        return ended.stdout
    return subprocess.run(["c++filt", symbol[1]], check=True, capture_output=True,
                          text=True).stdout.strip()


def _problem(world, python, packages, plugin):
    said = _said(world, packages, plugin)
    happened = _happened(world, python, plugin)
    agree = (happened in said.get("names", []) if happened
             else said["verdict"] == "ok" and "names" not in said)
    release = f"tensorflow-cpu 2.21.0 ({packages}/tensorflow)"
    if agree and said["found"].startswith(release):
        return None
    return f"TensorFlow says {happened or 'nothing'!r}, the doctor {said}"


def problems_of_doctor(world, python, packages):
    """Yields each plugin's name and None, or what went wrong."""
    for name, plugin in [*world.plugins.items(),
                         ("posix", os.path.join(ROOT, "bazel-bin/testdata/posix.so"))]:
        yield (f"fsload doctor on TensorFlow and the {name} plugin",
               _problem(world, python, packages, plugin))
