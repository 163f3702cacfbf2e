"""The first process of a guest, which runs the commands that the host sends.

A command is one connection: a line of JSON with `argv`, `cwd` and `env`, answered by a line
with `code` and `output`. The host ends a command by closing its connection, and the guest by
sending "off".
"""
import json
import os
import select
import shutil
import signal
import socket
import socketserver
import subprocess
import tempfile
import threading

PORT = 7000
HOST = "10.0.2.2"  # the host's 127.0.0.1, as QEMU's network has it
FILE_SYSTEMS = [("proc", "/proc"), ("sysfs", "/sys"), ("devtmpfs", "/dev"),
                ("devpts", "/dev/pts"), ("tmpfs", "/dev/shm"), ("tmpfs", "/tmp"),
                ("tmpfs", "/run"), ("tmpfs", "/root"), ("securityfs", "/sys/kernel/security")]
# The files of tests: as deep as Bazel's, as libraries are also looked for two folders above,
# where others must not be able to write.
TESTS = "/root/files/of/tests"
NETWORK = f"""
  modprobe virtio_net
  ip link set lo up
  ip link set eth0 up
  ip address add 10.0.2.15/24 dev eth0
  ip route add default via {HOST}"""
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def call(port, argv, cwd="/", env=None):
    """Runs a command in the guest whose agent is at a port of the host. Returns its exit code
    and its output, standard error included."""
    request = {"argv": argv, "cwd": cwd, "env": {"PATH": PATH, "LC_ALL": "C.UTF-8", **(env or {})}}
    with socket.create_connection(("127.0.0.1", port)) as guest:
        guest.sendall(json.dumps(request).encode() + b"\n")
        with guest.makefile("rb") as answers:
            line = answers.readline()
    if not line:
        raise ConnectionError("the guest has ended")
    answer = json.loads(line)
    return answer["code"], answer["output"]


def start():
    """Mounts and configures what programs expect of a system."""
    for kind, where in FILE_SYSTEMS:
        os.makedirs(where, exist_ok=True)
        subprocess.run(["mount", "-t", kind, kind, where], check=True)
    os.chmod("/tmp", 0o1777)
    os.chmod("/dev/shm", 0o1777)
    os.chmod("/root", 0o755)
    os.makedirs(TESTS)
    subprocess.run(["sh", "-ec", "ldconfig; hostname guest" + NETWORK], check=True)
    with open("/proc/cmdline", encoding="utf-8") as file:
        shared = next(word for word in file.read().split() if word.startswith("shared="))
    for pair in shared.partition("=")[2].split(","):
        folder, _, tag = pair.partition(":")
        os.makedirs(folder, exist_ok=True)
        subprocess.run(["mount", "-t", "virtiofs", tag, folder], check=True)


def power_off():
    os.sync()
    with open("/proc/sysrq-trigger", "w", encoding="ascii") as trigger:
        trigger.write("o")


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        line = self.rfile.readline()
        if line == b"off\n":
            power_off()
            return
        folder = tempfile.mkdtemp(dir=TESTS)
        try:
            code, output = self.run(json.loads(line), folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        self.wfile.write(json.dumps({"code": code, "output": output}).encode() + b"\n")

    def run(self, request, folder):
        """Runs a command whose own files are in `folder`, on the guest's file system, until
        it or the connection ends."""
        environment = {"HOME": folder, **request["env"], "TEST_TMPDIR": folder}
        with tempfile.TemporaryFile() as output:
            try:
                process = subprocess.Popen(
                    request["argv"], cwd=request["cwd"], env=environment, stdin=subprocess.DEVNULL,
                    stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
            except OSError as error:
                return 127, f"{request['argv'][0]}: {error}\n"
            ended = threading.Thread(target=process.wait)
            ended.start()
            while ended.is_alive() and not select.select([self.connection], [], [], 0.05)[0]:
                pass
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            ended.join()
            output.seek(0)
            code = process.returncode
            return code if code >= 0 else 128 - code, output.read().decode(errors="replace")


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


def main():
    start()
    print("guest: ready", flush=True)
    Server(("", PORT), Handler).serve_forever()


if __name__ == "__main__":
    main()
