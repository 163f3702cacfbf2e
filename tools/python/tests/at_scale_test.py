"""What docs/at-scale.md says of shards: its commands, its job array on a real Slurm, and its
Job as far as that can be had without a cluster."""
import os
import re
import shutil
import subprocess
import tempfile

import kubernetes_validate
import pytest
import slurm
import yaml
from conftest import HERE

DOCS = os.path.join(HERE, "../../../docs")
EXAMPLES = os.path.join(DOCS, "examples/at_scale")
KUBERNETES = ["1.25", "1.31", "1.37"]


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


DOCUMENT = text_of(os.path.join(DOCS, "at-scale.md"))
# {"slurm": (command, its target), ...}
COMMANDS = {name: (command, target) for command, target, name in re.findall(
    r"^```sh\n(.*(s3://bucket/scale-(\w+)))\n```$", DOCUMENT, re.MULTILINE)}


@pytest.fixture
def tree(tmp_path):
    """A folder with `from`, a tree of 30 files, in it."""
    for number in range(30):
        path = tmp_path / "from" / str(number % 4) / f"file {number}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(os.urandom(number * 1000))
    return tmp_path


def run(*command, folder, **environment):
    ended = subprocess.run(command, cwd=folder, env={**os.environ, **environment}, timeout=120,
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True, check=False)
    assert ended.returncode == 0, ended.stdout


def assert_copied(target, tree):
    run("fsload", "cp", "-rT", target, "back", folder=tree)
    run("diff", "-r", "from", "back", folder=tree)


def test_xargs(tree):
    command, target = COMMANDS["xargs"]
    run("bash", "-euc", command, folder=tree)
    assert_copied(target, tree)


@pytest.mark.skipif(not slurm.is_possible(), reason="needs root, and Debian's Slurm")
def test_slurm(tree):
    shutil.copy(os.path.join(EXAMPLES, "copy.sbatch"), tree)
    command, target = COMMANDS["slurm"]
    with tempfile.TemporaryDirectory(prefix="slurm-") as folder, \
            slurm.cluster(folder) as environment:
        run("bash", "-euc", command, folder=tree, **environment)
    assert len([*tree.glob("copy-*-*.log")]) == 4
    assert_copied(target, tree)


@pytest.mark.parametrize("version", KUBERNETES)
def test_the_job_has_the_schema_of_kubernetes(version):
    job = yaml.safe_load(text_of(os.path.join(EXAMPLES, "copy.yaml")))
    kubernetes_validate.validate(job, version, strict=True)


def test_the_pods_of_the_job(tree):
    job = yaml.safe_load(text_of(os.path.join(EXAMPLES, "copy.yaml")))["spec"]
    container = job["template"]["spec"]["containers"][0]
    given = {row["name"]: row["value"] for row in container["env"]}
    assert int(given["SHARDS"]) == job["completions"]
    given |= {"SOURCE": "from", "TARGET": "s3://bucket/scale-kubernetes"}
    for index in range(job["completions"]):
        run(*container["command"], folder=tree, **given, JOB_COMPLETION_INDEX=str(index))
    assert_copied(given["TARGET"], tree)


@pytest.mark.parametrize("name", ["copy.sbatch", "copy.yaml"])
def test_the_document_shows_the_file(name):
    assert f"\n{text_of(os.path.join(EXAMPLES, name))}```\n" in DOCUMENT
