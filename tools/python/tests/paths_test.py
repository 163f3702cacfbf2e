"""What is at a path, directories, copies, and the exceptions that tell what went wrong."""
import errno
import os
import pickle
import time
import urllib.parse

import pytest

import fsload
from fsload import errors


def local(uri):
    return urllib.parse.urlsplit(uri).path


@pytest.fixture
def tree(folder):
    """a, b/c and b/d/e in a folder."""
    fsload.makedirs(f"{folder}/b/d")
    for name, size in ("a", 1), ("b/c", 2), ("b/d/e", 3):
        fsload.write_bytes(f"{folder}/{name}", b"x" * size)
    return folder


def test_stat_tells_length_time_and_type(tree):
    found = fsload.stat(f"{tree}/b/d/e")
    assert (found.size, found.is_dir) == (3, False)
    assert abs(found.modified - time.time()) < 60
    assert found.modified_ns == os.stat(local(tree) + "/b/d/e").st_mtime_ns
    assert fsload.stat(f"{tree}/b").is_dir


def test_asks_what_is_there(tree):
    assert fsload.exists(f"{tree}/a") and not fsload.exists(f"{tree}/z")
    assert fsload.is_file(f"{tree}/a") and not fsload.is_file(f"{tree}/b")
    assert fsload.is_dir(f"{tree}/b") and not fsload.is_dir(f"{tree}/z")


def test_lists_names_types_and_statistics(tree):
    assert [entry.path for entry in fsload.list(tree)] == ["a", "b"]
    assert fsload.list(tree)[0] == fsload.Entry("a", f"{tree}/a")
    assert [entry.is_dir for entry in fsload.list(tree, "types")] == [False, True]
    assert fsload.list(tree, "statistics")[0].size == 1
    with pytest.raises(ValueError, match="unknown detail 'all'"):
        fsload.list(tree, "all")


def test_walks(tree):
    found = [(entry.path, entry.is_dir) for entry in fsload.walk(tree)]
    assert found == [("a", False), ("b", True), ("b/c", False), ("b/d", True),
                     ("b/d/e", False)]
    assert {entry.path: entry.size for entry in fsload.walk(tree)}["b/d/e"] == 3


def test_a_walk_may_be_left(tree):
    assert next(iter(fsload.walk(tree))).path == "a"


def test_a_walk_tells_what_it_could_not_enter(tree):
    os.symlink("..", local(tree) + "/b/up")
    wrong = [entry for entry in fsload.walk(tree) if entry.error]
    assert [entry.path for entry in wrong] == ["b/up"]
    assert isinstance(wrong[0].error, fsload.Error)
    assert "b/up" in str(wrong[0].error)


def test_globs(tree):
    assert fsload.glob(f"{tree}/*/c") == [f"{tree}/b/c"]
    assert fsload.glob(f"{tree}/z*") == []


def test_changes_directories(tree):
    fsload.mkdir(f"{tree}/new")
    with pytest.raises(FileExistsError):
        fsload.mkdir(f"{tree}/new")
    fsload.makedirs(f"{tree}/new")
    fsload.rmdir(f"{tree}/new")
    fsload.remove(f"{tree}/a")
    fsload.rename(f"{tree}/b/c", f"{tree}/b/z")
    assert [entry.path for entry in fsload.walk(tree)] == ["b", "b/d", "b/d/e", "b/z"]
    fsload.rmtree(f"{tree}/b")
    assert fsload.list(tree) == []


def test_copies_and_tells_how_far_it_is(tree):
    blocks = []
    fsload.copy(f"{tree}/b/d/e", f"{tree}/copy", progress=blocks.append)
    assert fsload.read_bytes(f"{tree}/copy") == b"xxx"
    assert sum(blocks) == 3
    with pytest.raises(FileExistsError):
        fsload.copy(f"{tree}/a", f"{tree}/copy", overwrite=False)


def test_copies_between_schemes(tree, store):
    fsload.copy(f"{tree}/b/d/e", f"{store}/e")
    fsload.copy(f"{store}/e", f"{tree}/back")
    assert fsload.read_bytes(f"{tree}/back") == b"xxx"


def test_what_progress_raises_ends_the_copy(tree):
    with pytest.raises(ZeroDivisionError):
        fsload.copy(f"{tree}/a", f"{tree}/copy", progress=lambda count: 1 // 0)
    assert not fsload.exists(f"{tree}/copy")


# What is done, the exception, and its number.
FAILURES = [
    (lambda uri: fsload.open(f"{uri}/z"), FileNotFoundError, errno.ENOENT),
    (lambda uri: fsload.stat(f"{uri}/z"), FileNotFoundError, errno.ENOENT),
    (lambda uri: fsload.list(f"{uri}/z"), FileNotFoundError, errno.ENOENT),
    (lambda uri: fsload.open(f"{uri}/b"), IsADirectoryError, errno.EISDIR),
    (lambda uri: fsload.open(f"{uri}/b", "w"), IsADirectoryError, errno.EISDIR),
    (lambda uri: fsload.list(f"{uri}/a"), NotADirectoryError, errno.ENOTDIR),
    (lambda uri: [*fsload.walk(f"{uri}/a")], NotADirectoryError, errno.ENOTDIR),
    (lambda uri: fsload.mkdir(f"{uri}/b"), FileExistsError, errno.EEXIST),
    (lambda uri: fsload.rmdir(f"{uri}/b"), errors.NotEmptyError, errno.ENOTEMPTY),
    (lambda uri: fsload.rename(f"{uri}/a", "memory://host/a"), errors.UnimplementedError,
     errno.ENOTSUP),
    (lambda uri: fsload.glob(f"{uri}/[a"), errors.InvalidArgumentError, errno.EINVAL),
    (lambda uri: fsload.open("nowhere://a/b"), FileNotFoundError, errno.ENOENT),
]


@pytest.mark.parametrize("number", range(len(FAILURES)))
def test_raises_what_python_would(tree, number):
    call, kind, code = FAILURES[number]
    with pytest.raises(kind) as raised:
        call(tree)
    error = raised.value
    assert isinstance(error, fsload.Error) and isinstance(error, OSError)
    assert error.errno == code
    assert error.filename in (str(error).split(": ")[0], error.filename)
    assert "://" in str(error)


def test_denied_is_a_permission_error(folder):
    os.chmod(local(folder), 0o500)
    child = os.fork()
    if child == 0:
        if os.geteuid() == 0:
            os.setuid(65534)
        try:
            fsload.open(f"{folder}/a", "w")
        except PermissionError as error:
            os._exit(7 if error.filename == f"{folder}/a" else 1)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


def test_errors_can_be_pickled():
    with pytest.raises(FileNotFoundError) as raised:
        fsload.stat("posix:///nowhere/at/all")
    copy = pickle.loads(pickle.dumps(raised.value))
    assert (type(copy), str(copy), copy.code, copy.filename, copy.errno) == (
        errors.NotFoundError, str(raised.value), "NOT_FOUND", "posix:///nowhere/at/all",
        errno.ENOENT)


def test_rmtree_tells_what_is_left(folder):
    with pytest.raises(FileNotFoundError) as raised:
        fsload.rmtree(f"{folder}/z")
    assert raised.value.left == (0, 1)


def test_an_absolute_path_needs_no_working_directory(tmp_path, monkeypatch):
    (tmp_path / "f").write_bytes(b"1")
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert fsload.is_file(tmp_path / "f")
    with pytest.raises(FileNotFoundError):
        fsload.stat("f")
