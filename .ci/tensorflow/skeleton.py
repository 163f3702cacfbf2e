"""What docs/writing-a-plugin.md says of TensorFlow, done: the plugins of
docs/examples/plugin_skeleton, loaded by TensorFlow itself."""
import os
import re
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(os.path.join(HERE, "../.."))
SKELETON = os.path.join(ROOT, "docs/examples/plugin_skeleton")
SECONDS_TO_BUILD = 300
SECONDS_TO_RUN = 120


def _section():
    """The shell commands, the Python program and what it prints."""
    with open(os.path.join(ROOT, "docs/writing-a-plugin.md"), encoding="utf-8") as file:
        section = file.read().split("## In TensorFlow")[1]
    return re.findall(r"^```\w*\n(.*?)^```$", section, re.DOTALL | re.MULTILINE)


def _build(folder, python, command):
    """Runs `command` in `folder`, a copy of the skeleton."""
    shutil.copytree(SKELETON, folder)
    environment = {**os.environ, "FSLOAD": os.path.join(ROOT, "compat"), "TF_CPP_MIN_LOG_LEVEL": "2",
                   "PATH": os.path.dirname(python) + ":" + os.environ["PATH"]}
    subprocess.run(command, shell=True, cwd=folder, env=environment, check=True,
                   timeout=SECONDS_TO_BUILD)


def _run(folder, python, program, wanted):
    """None, or what went wrong."""
    here = os.path.join(folder, "skeleton")
    os.mkdir(here)
    ended = subprocess.run(
        [python, "-c", program.replace("/tmp/skeleton", here)], cwd=folder,
        env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "2", "CUDA_VISIBLE_DEVICES": ""},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS_TO_RUN)
    if ended.returncode == 0 and ended.stdout == wanted.replace("/tmp/skeleton", here):
        return None
    return f"expected {wanted}, found exit code {ended.returncode}\n{ended.stdout}{ended.stderr}"


def problems_of_skeletons(folder, python):
    """{name: None, or what went wrong} of each build of the skeleton."""
    shell, program, wanted = _section()
    [install, against_tensorflow] = shell.splitlines()
    with open(os.path.join(HERE, "requirements.txt"), encoding="utf-8") as file:
        if install.split()[-1] not in file.read().split():
            return {"the plugin skeleton": f"{install}: not the release in requirements.txt"}
    in_c = [text.replace("plugin.so", "plugin_c.so").replace("skeleton://", "cskeleton://")
            for text in (program, wanted)]
    builds = {
        "the plugin skeleton, built against TensorFlow's header":
            (against_tensorflow, program, wanted),
        "the plugin skeleton, built against fsload's header":
            ("make plugin.so FSLOAD=$FSLOAD", program, wanted),
        "the plugin skeleton in C": ("make plugin_c.so FSLOAD=$FSLOAD", *in_c)}
    problems = {}
    for number, (name, (command, *texts)) in enumerate(builds.items()):
        place = os.path.join(folder, f"skeleton-{number}")
        try:
            _build(place, python, command)
            problems[name] = _run(place, python, *texts)
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
            problems[name] = str(error)
    return problems
