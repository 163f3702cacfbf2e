"""Debian's packages that a command here needs."""
import os
import shutil
import subprocess

PATH = os.environ["PATH"] + ":/usr/sbin"


def install(packages):
    """Installs those of `packages`, {program: package}, whose program is missing."""
    missing = [package for program, package in packages.items()
               if shutil.which(program, path=PATH) is None]
    if not missing:
        return
    as_root = [] if os.geteuid() == 0 else ["sudo"]
    subprocess.run([*as_root, "apt-get", "update", "-qq"], check=True, timeout=300)
    subprocess.run([*as_root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-y",
                    "-qq", "--no-install-recommends", *missing], check=True, timeout=600,
                   stdout=subprocess.DEVNULL)
