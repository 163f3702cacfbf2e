"""A Slurm cluster of this machine alone, with daemons and a key of its own. Needs root, and
PROGRAMS."""
import contextlib
import os
import pathlib
import shutil
import socket
import subprocess
import time

# Each with its package in Debian.
PROGRAMS = {"munged": "munge", "sbatch": "slurm-client", "slurmctld": "slurmctld",
            "slurmd": "slurmd"}
SECONDS_TO_START = 30
CONFIGURATION = """
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CryptoType=crypto/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
NodeName={host} NodeAddr=127.0.0.1 CPUs={processors} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=10 State=UP
"""


def program(name):
    """Where a program is; None if it is not installed."""
    return shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin")


def is_possible():
    return os.geteuid() == 0 and all(map(program, PROGRAMS))


def _free_ports(count):
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


def _until(condition, what):
    end = time.monotonic() + SECONDS_TO_START
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"Slurm: {what} after {SECONDS_TO_START} s")
        time.sleep(0.1)


@contextlib.contextmanager
def _daemon(name, *arguments, environment):
    process = subprocess.Popen([program(name), *arguments], env=environment,
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(SECONDS_TO_START)


@contextlib.contextmanager
def cluster(folder):
    """Yields the environment in which sbatch submits to it. `folder` is a new one, whose
    path is short."""
    folder = pathlib.Path(folder)
    for name in ("state", "spool"):
        (folder / name).mkdir()
    host = socket.gethostname().partition(".")[0]
    configuration = folder / "slurm.conf"
    configuration.write_text(CONFIGURATION.format(
        host=host, folder=folder, ports=_free_ports(2), processors=os.cpu_count()))
    (folder / "munge.key").write_bytes(os.urandom(128))
    (folder / "munge.key").chmod(0o400)
    environment = {**os.environ, "SLURM_CONF": str(configuration)}
    socket_path = folder / "munge.socket"
    with contextlib.ExitStack() as stack:
        stack.enter_context(_daemon(
            "munged", "--foreground", "--force", f"--socket={socket_path}",
            f"--key-file={folder}/munge.key", f"--pid-file={folder}/munged.pid",
            f"--seed-file={folder}/munged.seed", f"--log-file={folder}/munged.log",
            environment=environment))
        _until(socket_path.exists, "munged has no socket")
        for name in ("slurmctld", "slurmd"):
            stack.enter_context(_daemon(name, "-D", "-f", str(configuration),
                                        environment=environment))

        def is_idle():
            shown = subprocess.run([program("sinfo"), "--noheader", "--format=%T"],
                                   env=environment, stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, text=True, timeout=60, check=False)
            return shown.stdout.strip() == "idle"

        _until(is_idle, "its node is not idle")
        yield environment
