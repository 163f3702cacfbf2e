#!/usr/bin/env python3
"""tour.py FOLDER: what an installation of the wheel can do, in an empty local folder."""
import os
import pickle
import sys

import fsload
from fsload.conformance import Suite


def main():
    folder = "posix://" + os.path.abspath(sys.argv[1])
    fsload.makedirs(f"{folder}/a")
    with fsload.open(f"{folder}/a/greeting", "w") as file:
        file.write("hello\n")
    with fsload.open(f"{folder}/a/greeting") as file:
        print(file.read().strip(), *(entry.path for entry in fsload.walk(folder)))
    try:
        fsload.open(f"{folder}/nothing")
    except FileNotFoundError as error:
        print(pickle.loads(pickle.dumps(error)).code)
    print({result.verdict for result in Suite("posix", f"{folder}/root", level=1).run()})
    print("Python %d.%d:" % sys.version_info[:2], fsload.check(fsload.plugins.BUNDLED).verdict)


if __name__ == "__main__":
    main()
