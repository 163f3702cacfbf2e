"""What uses fsload while Python ends: it works, or an ordinary exception is raised."""
import subprocess
import sys
import textwrap

import pytest
from ways_test import world  # noqa: F401 (a fixture)

# Python does not wait for the thread, which goes on while it ends.
DAEMON = """
        import threading, fsload
        called = threading.Event()
        {prepare}
        def go_on():
            while True:
                try:
                    {call}
                finally:
                    called.set()
        threading.Thread(target=go_on, daemon=True).start()
        called.wait()
        print("works", flush=True)
"""

# Each prints "works" or the name of an exception.
PROGRAMS = {
    "__del__": """
        import fsload
        class Last:
            def __del__(self):
                tell(lambda: fsload.read_bytes(uri))
        last = Last()
        fsload.exists(uri)
    """,
    "__del__ without use before": """
        import fsload
        class Last:
            def __del__(self):
                tell(lambda: fsload.read_bytes(uri))
        last = Last()
    """,
    "atexit before the import": """
        import atexit
        atexit.register(lambda: tell(lambda: fsload.read_bytes(uri)))
        import fsload
        fsload.exists(uri)
    """,
    "atexit after the import": """
        import atexit, fsload
        atexit.register(lambda: tell(lambda: fsload.read_bytes(uri)))
        fsload.exists(uri)
    """,
    "atexit writes": """
        import atexit
        atexit.register(lambda: tell(lambda: fsload.write_bytes(uri + "-new", b"1")))
        import fsload
        fsload.exists(uri)
    """,
    "atexit reads what is open": """
        import atexit
        atexit.register(lambda: tell(lambda: file.pread(1, 0)))
        import fsload
        file = fsload.Reader(uri)
    """,
    "atexit goes on walking": """
        import atexit
        atexit.register(lambda: tell(lambda: next(walk)))
        import fsload
        walk = fsload.walk(top)
        next(walk)
    """,
    "atexit loads": """
        import atexit
        atexit.register(lambda: tell(lambda: fsload.load(fsload.plugins.BUNDLED)))
        import fsload
        fsload.exists(uri)
    """,
    "thread": """
        import threading, fsload
        def read():
            threading.main_thread().join()
            for _ in range(20):
                fsload.read_bytes(uri)
            tell(lambda: fsload.read_ranges([(uri, 0, 1)] * 20))
        threading.Thread(target=read).start()
    """,
    "daemon reads": DAEMON.format(prepare="pass", call="fsload.read_bytes(uri)"),
    "daemon reads what is open": DAEMON.format(
        prepare="file = fsload.Reader(uri)", call="file.pread(1, 0)"),
    "daemon writes": DAEMON.format(
        prepare="file = fsload.open(uri + '-new', 'wb', buffering=0)",
        call="file.write(b'1'); file.tell()"),
    "daemon walks": DAEMON.format(prepare="pass", call="list(fsload.walk(top))"),
    "daemon copies": DAEMON.format(prepare="pass", call="fsload.copy(uri, uri + '-new')"),
}
ALLOWED = {"works", "FailedPreconditionError", "ValueError"}
MUST_WORK = ("atexit after the import", "thread", "daemon")


@pytest.mark.parametrize("name", PROGRAMS)
def test_python_ends_well(world, name):  # noqa: F811
    program = textwrap.dedent(f"""
        uri, top = {world / "file"!r}, {world.top!r}
        def tell(call):
            try:
                call()
                print("works", flush=True)
            except Exception as error:
                print(type(error).__name__, flush=True)
    """) + textwrap.dedent(PROGRAMS[name])
    ended = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, timeout=120, text=True, check=False)
    printed = ended.stdout.strip()
    assert ended.returncode == 0, ended.stderr
    assert printed in ({"works"} if name.startswith(MUST_WORK) else ALLOWED), ended.stderr
    assert "pure virtual" not in ended.stderr
    if name.startswith("daemon"):  # to print while the interpreter goes may abort it
        assert ended.stderr == ""
