"""What docs/coming-from-tensorflow.md says of fsload's adapter, done: TensorFlow
uses file systems through fsload, among them one whose plugin it refuses itself."""
import os
import re
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(os.path.join(HERE, "../.."))
ADAPTER = os.path.join(ROOT, "docs/examples/tensorflow_adapter")
SECONDS = 300


def _section():
    """The shell command, the Python program and what it prints."""
    with open(os.path.join(ROOT, "docs/coming-from-tensorflow.md"), encoding="utf-8") as file:
        section = file.read().split("## The adapter")[1]
    return re.findall(r"^```\w*\n(.*?)^```$", section, re.DOTALL | re.MULTILINE)[:3]


def _run(python, program, folder, environment):
    ended = subprocess.run(
        [python, "-c", program], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
        text=True, timeout=SECONDS, check=False,
        env={**environment, "TF_CPP_MIN_LOG_LEVEL": "2", "CUDA_VISIBLE_DEVICES": ""})
    return ended, f"exit code {ended.returncode}\n{ended.stdout}{ended.stderr}"


def _build(folder, prefix, make):
    shutil.copytree(ADAPTER, folder)
    subprocess.run(make, shell=True, cwd=folder, env={**os.environ, "FSLOAD": prefix}, check=True,
                   timeout=SECONDS)


# What the document's program does not do.
MORE = """
import tensorflow as tf
tf.experimental.register_filesystem_plugin("./fsload_adapter.so")
gfile, root = tf.io.gfile, ROOT
with gfile.GFile(root + "/greeting", "w") as file:
    file.write("hello\\nworld\\n")
with gfile.GFile(root + "/greeting", "a") as file:
    file.write("more\\n")
gfile.makedirs(root + "/deep/down")
gfile.copy(root + "/greeting", root + "/deep/down/copy")
gfile.rename(root + "/greeting", root + "/deep/moved")
print(sorted(name[len(root):] for name in gfile.glob(root + "/deep/*")))
print(list(tf.data.TextLineDataset(root + "/deep/moved").as_numpy_iterator()))
print(gfile.stat(root + "/deep/moved").length, gfile.isdir(root + "/deep"))
print([(top[len(root):], *rest) for top, *rest in gfile.walk(root)])
print(gfile.exists(root + "/gone"))
try:
    gfile.GFile(root + "/gone").read()
except tf.errors.NotFoundError as error:
    print("gone" in error.message)
gfile.rmtree(root + "/deep")
print(gfile.listdir(root))
"""

MORE_PRINTS = """\
['/deep/down', '/deep/moved']
[b'hello', b'world', b'more']
17 True
[('', ['deep'], []), ('/deep', ['down'], ['moved']), ('/deep/down', [], ['copy'])]
False
True
[]
"""


def _conformance(world, folder, environment):
    """None, or what went wrong, with fsload as the adapter's host. TranslateName
    must keep scheme and bucket."""
    ended = subprocess.run(
        [world.fsload, "conformance", "./fsload_adapter.so", "--root",
         f"posix://{folder}/root", "--skip=translate.cleans-the-path@*"], cwd=folder,
        env=environment, capture_output=True, text=True, timeout=SECONDS, check=False)
    return None if ended.returncode == 0 else ended.stdout + ended.stderr


def problems_of_adapter(world, python, compiler):
    """Yields each check's name and None, or what went wrong."""
    folder = os.path.join(world.folder, "adapter")
    make, program, wanted = _section()
    _build(folder, compiler.prefix, make)
    world.stores["s3"].make_bucket("bucket")
    ended, said = _run(python, program, folder, world.environment())
    good = ended.returncode == 0 and ended.stdout == wanted
    yield ("TensorFlow with fsload's adapter, on s3",
           None if good else f"expected {wanted}, found {said}")
    local = {**world.environment(), "FSLOAD_ADAPTER_PLUGINS":
             os.path.join(compiler.prefix, "lib/fsload/plugins/posix.so")}
    os.mkdir(os.path.join(folder, "data"))
    ended, said = _run(python, MORE.replace("ROOT", repr(f"posix://{folder}/data")),
                       folder, local)
    good = ended.returncode == 0 and ended.stdout == MORE_PRINTS
    yield ("TensorFlow with fsload's adapter, on local files",
           None if good else f"expected {MORE_PRINTS}, found {said}")
    yield "fsload's adapter, asked by the conformance suite", _conformance(world, folder, local)
