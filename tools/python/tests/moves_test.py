"""Moves, and what they leave behind when a call of the plugin fails."""
import os
import subprocess
import sys
import textwrap
import uuid

import fsspec
import pytest

import fsload
from fsload.errors import AbortedError, InvalidArgumentError, NotEmptyError

# A process for each fault, as the plugin counts its operations from its load.
SWEEP = textwrap.dedent("""
    import os, sys
    import fsspec
    number, source, target, action = sys.argv[1:]
    for fault in range(1, int(number)):
        child = os.fork()
        if child == 0:
            os.environ["CARELESS_FAULTS"] = f"{fault} before 5"
            fs = fsspec.filesystem("fsload", jobs=1)
            try:
                getattr(fs, action)(f"{source}{fault}", f"{target}{fault}", recursive=True)
            except OSError:
                os._exit(1)
            os._exit(0)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
""")
FAULTS = 40
TREE = {"f": b"1", "sub/g": b"2"}


def _file(folder, key):
    """Return the file of a key of the careless store."""
    return os.path.join(os.environ["CARELESS_STORE"], "bucket",
                        f"{folder}/{key}".replace("/", "%2F"))


@pytest.mark.parametrize("action", ["mv", "get"])
def test_a_call_that_finds_nothing_loses_no_file(action, tmp_path):
    name = uuid.uuid4().hex
    for fault in range(1, FAULTS):
        for key, data in TREE.items():
            with open(_file(f"{name}{fault}", key), "wb") as file:
                file.write(data)
    target = f"{tmp_path}/to" if action == "get" else f"careless://bucket/{name}-to"
    ended = subprocess.run(
        [sys.executable, "-c", SWEEP, str(FAULTS), f"careless://bucket/{name}",
         target, action],
        stdout=subprocess.PIPE, text=True, timeout=300, check=True)
    codes = [int(line) for line in ended.stdout.split()]
    assert codes[-1] == 0  # more faults than the action has operations
    for fault, code in enumerate(codes, 1):
        for key in TREE:
            copy = f"{target}{fault}/{key}" if action == "get" else \
                _file(f"{name}-to{fault}", key)
            if code == 0:
                assert os.path.exists(copy), (fault, key)
            elif action == "mv":
                assert os.path.exists(_file(f"{name}{fault}", key)) or \
                    os.path.exists(copy), (fault, key)


@pytest.fixture
def fs():
    return fsspec.filesystem("fsload")


def test_two_files_of_one_name_are_not_moved_to_one_place(fs, store, folder):
    for top in store, folder:
        files = {f"{top}/a/x": b"1", f"{top}/b/x": b"2"}
        fs.pipe(files)
        for target in f"{top}/to", f"{top}/to/", [f"{top}/to", f"{top}/./to"]:
            with pytest.raises(InvalidArgumentError, match="to.*: two sources have this target"):
                fs.mv([*files], target)
        assert fs.cat(fs.find(top)) == files


def _while_copying(monkeypatch, do):
    copy = fsload.copy
    calls = []

    def wrapped(source, target, **options):
        copy(source, target, **options)
        if not calls:
            calls.append(source)
            do()

    monkeypatch.setattr(fsload, "copy", wrapped)


def test_a_file_that_arrives_while_its_folder_is_moved_stays(fs, store, folder, monkeypatch):
    for top in store, folder:
        fs.pipe({f"{top}/d/f": b"1", f"{top}/d/sub/g": b"2"})
        with monkeypatch.context() as patch:
            _while_copying(patch, lambda: fsload.write_bytes(f"{top}/d/sub/new", b"3"))
            with pytest.raises(NotEmptyError):
                fs.mv(f"{top}/d", f"{top}/to", recursive=True)
        assert fs.cat(f"{top}/d/sub/new") == b"3"
        assert fs.cat([f"{top}/to/f", f"{top}/to/sub/g"]) == {
            f"{top}/to/f": b"1", f"{top}/to/sub/g": b"2"}


def test_a_file_that_changes_while_it_is_moved_stays(fs, store, folder, monkeypatch):
    for top in store, folder:
        fs.pipe({f"{top}/d/f": b"1"})
        with monkeypatch.context() as patch:
            _while_copying(patch, lambda: fsload.write_bytes(f"{top}/d/f", b"new"))
            with pytest.raises(AbortedError, match="d/f: changed while it was copied"):
                fs.mv(f"{top}/d", f"{top}/to", recursive=True)
        assert fs.cat(f"{top}/d/f") == b"new"


def test_what_a_link_leads_to_is_not_moved(fs, tmp_path):
    for folder in "d", "other/sub":
        os.makedirs(tmp_path / folder)
    for name in "other/f", "other/sub/g":
        (tmp_path / name).write_bytes(b"1")
    os.symlink("../other", tmp_path / "d/folder")
    os.symlink("../other/f", tmp_path / "d/file")
    fs.mv(f"posix://{tmp_path}/d", f"posix://{tmp_path}/to", recursive=True)
    assert not (tmp_path / "d").exists()
    os.symlink("other", tmp_path / "alias")
    fs.mv(f"posix://{tmp_path}/alias", f"posix://{tmp_path}/copy", recursive=True)
    assert not os.path.lexists(tmp_path / "alias")
    for name in ("other/f", "other/sub/g", "to/folder/f", "to/folder/sub/g", "to/file", "copy/f",
                 "copy/sub/g"):
        assert (tmp_path / name).read_bytes() == b"1"
