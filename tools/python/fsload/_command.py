"""The command that is bundled with this package."""
import os
import subprocess
import sys
from typing import Any, NoReturn

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "fsload")


def run(*arguments: str, **options: Any) -> "subprocess.CompletedProcess[str]":
    """Run it and return what it printed, whatever its exit code."""
    return subprocess.run([PATH, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, errors="replace", check=False,
                          **options)


def main() -> NoReturn:
    """Become the command."""
    os.execv(PATH, [PATH, *sys.argv[1:]])
