"""What holds for every scheme, and for every way to use it: the functions of fsload, open, and
fsspec."""
import atexit
import errno
import functools
import glob
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import uuid

import fsspec
import pytest
from conftest import BUCKET

import fsload
from fsload import paths
from fsload.errors import BY_CODE, InvalidArgumentError, error_of
from fsload.spec import FsloadFileSystem
from fsload.uris import uri_of

# How each world names an empty folder. A further store is a line here, and one in REFUSED.
WORLDS = {
    "local": lambda tmp_path: f"posix://{tmp_path}",
    "s3": lambda _: f"s3://{BUCKET}/{uuid.uuid4().hex}",
    "gs": lambda _: f"gs://{BUCKET}/{uuid.uuid4().hex}",
    "az": lambda _: f"az://account/{BUCKET}/{uuid.uuid4().hex}",
    "hdfs": lambda _: f"hdfs://{BUCKET}/{uuid.uuid4().hex}",
    "careless": lambda _: f"careless://{BUCKET}/{uuid.uuid4().hex}",
}

# What names another file than it seems to, for the plugin or for a server.
DOTS = ["q/../z", "../z", "./z", "z/..", "z/."]
REFUSED = {
    "local": [],
    "s3": [*DOTS, "q//z", "//z", "z//"],
    "gs": [*DOTS, "z//"],
    "az": [*DOTS, "z//"],
    "hdfs": DOTS,
    "careless": DOTS,
}


class CarelessFileSystem(FsloadFileSystem):
    """As a user makes one for a plugin that fsload does not know."""

    protocol, scheme = "fsload+careless", "careless"


fsspec.register_implementation(CarelessFileSystem.protocol, CarelessFileSystem)


class World:
    def __init__(self, name, top):
        self.name = name
        self.top = top

    def __truediv__(self, name):
        return f"{self.top}/{name}"

    def tree(self):
        return [entry.path for entry in fsload.walk(self.top) if not entry.is_dir]


@pytest.fixture(params=WORLDS)
def world(request, tmp_path):
    """With the files "file" and "folder/file"."""
    found = World(request.param, WORLDS[request.param](tmp_path))
    fsload.makedirs(found / "folder")
    for name in "file", "folder/file":
        fsload.write_bytes(found / name, b"12")
    return found


def by_open(uri, data):
    with fsload.open(uri, "wb") as file:
        file.write(data)


def by_fsspec_open(uri, data):
    with fsspec.open(f"fsload+{uri}", "wb") as file:
        file.write(data)


def by_copy(uri, data):
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        fsload.copy(file.name, uri)


@functools.lru_cache(None)
def c_way():
    """A program that calls one function of the C API, linked with the package's library."""
    here = os.path.dirname(__file__)
    root = os.path.join(here, "../../..")
    library, = glob.glob(os.path.join(os.path.dirname(fsload.__file__), "lib/libfsload.so.*"))
    program = os.path.join(tempfile.mkdtemp(), "c_way")
    atexit.register(shutil.rmtree, os.path.dirname(program))
    subprocess.run(["cc", "-std=c11", "-Wall", "-Werror",
                    *(f"-I{root}/{room}/include" for room in ("compat", "core", "loader")),
                    "-o", program, os.path.join(here, "c_way.c"), library,
                    f"-Wl,-rpath,{os.path.dirname(library)}"], check=True, timeout=120)
    return program


def _aborted_in_cleanup(done):
    """Whether the call was made without an error, and the s3 plugin ended the process after
    it: a thread of its SDK may be the last that owns the pool of threads which it belongs to
    (issue 1776 of aws-sdk-cpp)."""
    lines = done.stderr.decode().splitlines()
    return (done.returncode == -signal.SIGABRT and
            lines[-1:] == ["terminate called without an active exception"] and
            not any(line in BY_CODE for line in lines))


def by_c(function, uri, *target, data=b""):
    """What the program prints; its error as the package raises it."""
    done = subprocess.run([c_way(), function, uri, *target], input=data, capture_output=True,
                          timeout=120, check=False)
    if done.returncode == 0 or _aborted_in_cleanup(done):
        return done.stdout
    code, message = done.stderr.decode().rsplit("\n", 3)[-3:-1]
    raise error_of(code, message, uri)


def in_c(function):
    return functools.partial(by_c, function)


def protocol(uri):
    return fsspec.filesystem("fsload+" + uri.partition("://")[0])


WRITERS = {
    "write_bytes": fsload.write_bytes,
    "open": by_open,
    "fsspec.open": by_fsspec_open,
    "fsload": lambda uri, data: fsspec.filesystem("fsload").pipe(uri, data),
    "fsload+": lambda uri, data: protocol(uri).pipe(uri, data),
    "copy": by_copy,
    "C open_writer": lambda uri, data: by_c("open_writer", uri, data=data),
    "C open_appender": lambda uri, data: by_c("open_appender", uri, data=data),
}

USERS = {
    "stat": fsload.stat,
    "exists": fsload.exists,
    "list": fsload.list,
    "walk": lambda uri: [*fsload.walk(uri)],
    "read_bytes": fsload.read_bytes,
    "open": fsload.open,
    "remove": fsload.remove,
    "rmdir": fsload.rmdir,
    "rmtree": fsload.rmtree,
    "mkdir": fsload.mkdir,
    "fs.rm": lambda uri: fsspec.filesystem("fsload").rm(uri, recursive=True),
    "fs.cat": lambda uri: protocol(uri).cat_file(uri),
    "fs.ls": lambda uri: protocol(uri).ls(uri),
    **{f"C {function}": in_c(function) for function in (
        "open_reader", "open_region", "stat", "exists", "list", "walk", "glob", "create_directory",
        "create_directories", "delete_file", "delete_directory", "delete_recursively")},
    "C rename": lambda uri: by_c("rename", uri, uri + "-new"),
    "C rename to": lambda uri: by_c("rename", uri + "-new", uri),
    "C copy": lambda uri: by_c("copy", uri, uri + "-new"),
    "C copy to": lambda uri: by_c("copy", uri + "-new", uri),
}


@pytest.mark.parametrize("way", [*WRITERS, *USERS])
def test_a_name_of_another_file_is_refused(world, way):
    before = world.tree()
    refused = REFUSED[world.name]
    for name in refused[-2:] if way.startswith("C ") else refused:  # each is a process there
        with pytest.raises(InvalidArgumentError, match="component|'\\.' or '\\.\\.'|root"):
            if way in WRITERS:
                WRITERS[way](world / name, b"other")
            else:
                USERS[way](world / name)
    assert world.tree() == before


# In C, ".." is resolved before any link (L625-L650).
@pytest.mark.parametrize("way", [way for way in WRITERS if not way.startswith("C ")])
def test_a_local_name_leads_where_the_kernel_says(tmp_path, way):
    """The parent of a link's target, not of the link."""
    os.makedirs(tmp_path / "far/inner")
    os.symlink("far/inner", tmp_path / "link")
    WRITERS[way](f"posix://{tmp_path}/link/../z", b"12")
    assert (tmp_path / "far/z").read_bytes() == b"12"


def fs():
    return fsspec.filesystem("fsload")


# What is done, to what, and the number of the exception, which tells its class.
FAILURES = [
    ("list", fsload.list, "missing", errno.ENOENT),
    ("list", fsload.list, "file", errno.ENOTDIR),
    ("walk", lambda uri: [*fsload.walk(uri)], "missing", errno.ENOENT),
    ("walk", lambda uri: [*fsload.walk(uri)], "file", errno.ENOTDIR),
    ("stat", fsload.stat, "missing", errno.ENOENT),
    ("open", fsload.open, "missing", errno.ENOENT),
    ("open", fsload.open, "folder", errno.EISDIR),
    ("open w", lambda uri: fsload.open(uri, "w"), "folder/", errno.EISDIR),
    ("read_bytes", fsload.read_bytes, "missing", errno.ENOENT),
    ("read_bytes", fsload.read_bytes, "folder", errno.EISDIR),
    ("remove", fsload.remove, "missing", errno.ENOENT),
    ("remove", fsload.remove, "folder", errno.EISDIR),
    ("rmdir", fsload.rmdir, "file", errno.ENOTDIR),
    ("rmdir", fsload.rmdir, "folder", errno.ENOTEMPTY),
    ("rmtree", fsload.rmtree, "missing", errno.ENOENT),
    ("rmtree", fsload.rmtree, "file", errno.ENOTDIR),
    ("rename", lambda uri: fsload.rename(uri, uri + "-new"), "missing", errno.ENOENT),
    ("rename", lambda uri: fsload.rename(uri, uri + "-new"), "folder", errno.EISDIR),
    ("rename onto", lambda uri: fsload.rename(uri.replace("/folder", "/file"), uri), "folder",
     errno.EISDIR),
    ("copy", lambda uri: fsload.copy(uri, uri + "-new"), "missing", errno.ENOENT),
    ("copy", lambda uri: fsload.copy(uri, uri + "-new"), "folder", errno.EISDIR),
    ("copy onto", lambda uri: fsload.copy(uri.replace("/folder", "/file"), uri), "folder",
     errno.EISDIR),
    ("fs.ls", lambda uri: fs().ls(uri), "missing", errno.ENOENT),
    ("fs.info", lambda uri: fs().info(uri), "missing", errno.ENOENT),
    ("fs.open", lambda uri: fs().open(uri), "folder", errno.EISDIR),
    ("fs.cat", lambda uri: fs().cat_file(uri), "folder", errno.EISDIR),
    ("fs.rm", lambda uri: fs().rm(uri), "missing", errno.ENOENT),
    ("fs.rm", lambda uri: protocol(uri).rm(uri), "missing", errno.ENOENT),
    ("fs.rm -r", lambda uri: fs().rm(uri, recursive=True), "missing", errno.ENOENT),
    ("fs.rm", lambda uri: fs().rm(uri), "folder", errno.EISDIR),
    ("fs.rm_file", lambda uri: fs().rm_file(uri), "missing", errno.ENOENT),
    ("fs.rm_file", lambda uri: fs().rm_file(uri), "folder", errno.EISDIR),
    ("fs.rmdir", lambda uri: fs().rmdir(uri), "file", errno.ENOTDIR),
    ("fs.rmdir", lambda uri: fs().rmdir(uri), "folder", errno.ENOTEMPTY),
]


@pytest.mark.parametrize("call, name, number", [row[1:] for row in FAILURES],
                         ids=[f"{row[0]} {row[2]}" for row in FAILURES])
def test_raises_the_exception_that_python_has(world, call, name, number):
    before = world.tree()
    with pytest.raises(fsload.Error) as raised:
        call(world / name)
    assert raised.value.errno == number
    assert isinstance(raised.value, type(OSError(number, "")))
    assert world.tree() == before


C_FAILURES = [
    ("list", "missing", "NOT_FOUND"),
    ("list", "file", "FAILED_PRECONDITION"),
    ("walk", "missing", "NOT_FOUND"),
    ("walk", "file", "FAILED_PRECONDITION"),
    ("stat", "missing", "NOT_FOUND"),
    ("open_reader", "missing", "NOT_FOUND"),
    ("delete_file", "missing", "NOT_FOUND"),
    ("delete_file", "folder", "FAILED_PRECONDITION"),
    ("delete_directory", "file", "FAILED_PRECONDITION"),
    ("delete_directory", "folder", "FAILED_PRECONDITION"),
    ("delete_recursively", "missing", "NOT_FOUND"),
    ("delete_recursively", "file", "FAILED_PRECONDITION"),
    ("rename", "missing", "NOT_FOUND"),
    ("rename", "folder", "FAILED_PRECONDITION"),
    ("copy", "missing", "NOT_FOUND"),
    ("copy", "folder", "FAILED_PRECONDITION"),
]


@pytest.mark.parametrize("function, name, code", C_FAILURES)
def test_c_gets_the_code_for_it(world, function, name, code):
    before = world.tree()
    target = [world / "new"] if function in ("rename", "copy") else []
    with pytest.raises(fsload.Error) as raised:
        by_c(function, world / name, *target)
    assert raised.value.code == code
    assert world.tree() == before


def test_c_does_what_python_does(world):
    by_c("open_writer", world / "empty")
    assert fsload.read_bytes(world / "empty") == b""
    by_c("open_writer", world / "new", data=b"345")
    assert by_c("open_reader", world / "new") == b"345"
    assert by_c("stat", world / "new") == b"0 3\n"
    assert by_c("exists", world / "new") == b"1\n" and by_c("exists", world / "none") == b"0\n"
    assert by_c("list", world.top) == b"empty\nfile\nfolder\nnew\n"
    assert by_c("walk", world.top).split() == [
        b"empty", b"file", b"folder", b"folder/file", b"new"]
    by_c("copy", world / "new", world / "copied")
    by_c("rename", world / "new", world / "file")
    assert fsload.read_bytes(world / "file") == fsload.read_bytes(world / "copied") == b"345"
    by_c("delete_file", world / "file")
    by_c("delete_recursively", world / "folder")
    assert world.tree() == ["copied", "empty"]


# Only where a directory is there without a file, and a file has nothing below it.
LOCAL_FAILURES = [
    (lambda uri: fsload.open(uri, "w"), "folder", errno.EISDIR),
    (lambda uri: fsload.open(uri, "w"), "file/x", errno.ENOTDIR),
    (lambda uri: fsload.open(uri), "file/x", errno.ENOTDIR),
    (fsload.stat, "file/x", errno.ENOTDIR),
    (fsload.stat, "file/", errno.ENOTDIR),
    (fsload.remove, "file/", errno.ENOTDIR),
    (fsload.read_bytes, "file/", errno.ENOTDIR),
    (fsload.list, "file/x", errno.ENOTDIR),
    (fsload.mkdir, "file/x", errno.ENOTDIR),
    (fsload.mkdir, "file", errno.EEXIST),
    (fsload.mkdir, "missing/x", errno.ENOENT),
    (fsload.makedirs, "file", errno.EEXIST),
    (fsload.makedirs, "file/x", errno.ENOTDIR),
    (fsload.rmdir, "missing", errno.ENOENT),
]


@pytest.mark.parametrize("number", range(len(LOCAL_FAILURES)))
@pytest.mark.parametrize("spelled", ["{}", "posix://{}", "file://{}"])
def test_raises_for_local_files_what_os_does(tmp_path, spelled, number):
    call, name, code = LOCAL_FAILURES[number]
    os.mkdir(tmp_path / "folder")
    (tmp_path / "file").write_bytes(b"12")
    with pytest.raises(fsload.Error) as raised:
        call(spelled.format(f"{tmp_path}/{name}"))
    assert raised.value.errno == code
    assert isinstance(raised.value, type(OSError(code, "")))
    assert (tmp_path / "file").read_bytes() == b"12"


@pytest.mark.parametrize("name", ["file/", "file/x", "missing", "missing/"])
def test_nothing_is_at_a_file_with_a_slash(world, name):
    if (world.name, name) == ("hdfs", "file/x"):
        with pytest.raises(PermissionError):  # what a name node answers below a file
            fsload.exists(world / name)
        return
    assert not fsload.exists(world / name)
    assert not fsload.is_file(world / name)
    assert not fsload.is_dir(world / name)
    with pytest.raises((FileNotFoundError, NotADirectoryError)):
        fsload.stat(world / name)


def test_a_folder_may_have_a_slash(world):
    if world.name == "careless":
        pytest.skip("its object 'folder/', of no bytes, is what has this name")
    assert fsload.exists(world / "folder/") and fsload.is_dir(world / "folder/")
    assert [entry.path for entry in fsload.list(world / "folder/")] == ["file"]


def as_capitals(uri):
    scheme, slashes, rest = uri.partition("://")
    return scheme.upper() + slashes + rest


SPELLINGS = {
    "bytes": os.fsencode,
    "capitals": as_capitals,
    "capitals as bytes": lambda uri: os.fsencode(as_capitals(uri)),
}


class Named(os.PathLike):
    def __init__(self, name):
        self.name = name

    def __fspath__(self):
        return self.name


SPELLINGS["PathLike"] = Named


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_uri_may_be_spelled_otherwise(world, spelling):
    spelled = SPELLINGS[spelling]
    fsload.write_bytes(spelled(world / "new"), b"345")
    assert fsload.read_bytes(spelled(world / "new")) == b"345"
    assert fsload.stat(spelled(world / "new")).size == 3
    assert fs().cat_file(spelled(world / "new")) == b"345"
    assert protocol(world.top).cat_file(spelled(world / "new")) == b"345"
    with fsload.open(spelled(world / "new"), "rb") as file:
        assert file.read() == b"345"
    with fs().open(spelled(world / "new")) as file:
        assert file.read() == b"345"
    assert [entry.path for entry in fsload.list(spelled(world.top))] == ["file", "folder", "new"]
    fs().rm(spelled(world / "new"))
    assert world.tree() == ["file", "folder/file"]


def test_a_bucket_alone_is_its_root(store):
    fsload.write_bytes(f"{store}/a", b"1")
    scheme, _, path = store.partition("://")
    bucket, _, name = path.rpartition("/")
    for uri in f"{scheme}://{bucket}", f"{scheme.upper()}://{bucket}", f"{scheme}://{bucket}/":
        assert name in [entry.path for entry in fsload.list(uri)]
        assert fsload.is_dir(uri) and fsload.exists(uri)
        assert fs().isdir(uri) and path in [
            name.partition("://")[2] for name in fs().ls(uri, detail=False)]


@pytest.mark.parametrize("uri, path", [
    ("file:///a/b", "/a/b"), ("FILE://localhost/a/b", "/a/b"), ("file:///a%20b", "/a b"),
    ("posix://localhost/a//b/", "/a/b/"), ("/a/./b", "/a/b"), ("/", "/"), ("/a/", "/a/"),
    (b"/a\xff", "/a\udcff"), (pathlib.Path("/a"), "/a"), ("a://b", None), ("1s3://b", None),
])
def test_a_local_file_has_many_names(uri, path):
    assert uri_of(uri) == "posix://" + (path or f"{os.getcwd()}/{uri.replace('//', '/')}")


@pytest.mark.parametrize("uri, message", [
    ("file://host/a", "names a file of the host 'host'"), ("posix://a/b", "the host 'a'"),
    ("file://", "the path is missing"), ("file:///a%2fb", "percent-encoded"),
    ("file:///a%", "percent-encoded"), ("file:///a%00", "percent-encoded"),
])
def test_a_file_uri_that_names_nothing_is_refused(uri, message):
    with pytest.raises(InvalidArgumentError, match=message):
        fsload.exists(uri)


def test_a_file_uri_that_may_mean_two_files_is_refused(tmp_path):
    (tmp_path / "a%20b").write_bytes(b"1")
    with pytest.raises(InvalidArgumentError, match="exists, too"):
        fsload.read_bytes(f"file://{tmp_path}/a%20b")


@pytest.mark.parametrize("path", ["/", "//", "/usr", "/usr/", "/etc/../usr", "/home", "/tmp", "~",
                                  "~/..", ".", "..", "link"])
def test_a_folder_that_is_hardly_meant_is_not_deleted(tmp_path, monkeypatch, path):
    """Not asked of rmtree, where a failure would be expensive."""
    os.makedirs(tmp_path / "home/user")
    os.makedirs(tmp_path / "here/there")
    os.symlink("/usr", tmp_path / "here/there/link")
    monkeypatch.setenv("HOME", f"{tmp_path}/home/user")
    monkeypatch.chdir(tmp_path / "here/there")
    for uri in uri_of(os.path.expanduser(path)), fs().uri(os.path.expanduser(path)):
        with pytest.raises(InvalidArgumentError, match="refusing to delete"):
            paths.refuse_root(uri)


@pytest.mark.parametrize("spelled", ["{}", "posix://{}", "file://{}"])
@pytest.mark.parametrize("way", ["rmtree", "fsload", "fsload+posix"])
def test_a_local_folder_is_deleted(tmp_path, spelled, way):
    os.makedirs(tmp_path / "a/b")
    path = spelled.format(tmp_path / "a")
    if way == "rmtree":
        fsload.rmtree(path)
    else:
        fsspec.filesystem(way).rm(path, recursive=True)
    assert os.listdir(tmp_path) == []


def test_a_block_cache_reads(world, tmp_path_factory):
    data = os.urandom(3 << 20)
    fsload.write_bytes(world / "large", data)
    options = {"cache_storage": str(tmp_path_factory.mktemp("cache"))}
    for _ in range(2):
        with fsspec.open(f"blockcache::fsload+{world / 'large'}", blockcache=options) as file:
            assert file.read(10) == data[:10]
            file.seek(-10, os.SEEK_END)
            assert file.read() == data[-10:]
            file.seek(0)
            assert file.read() == data
    with fsspec.open(f"blockcache::fsload+{world / 'folder/file'}", blockcache=options) as file:
        assert file.read() == b"12"


@pytest.mark.parametrize("write", [
    lambda uri, mode: fsload.open(uri, mode).close(),
    lambda uri, mode: fsload.open(uri, mode + "b").close(),
    lambda uri, mode: fsload.open(uri, mode + "b", 0).close(),
    lambda uri, mode: fsspec.open(f"fsload+{uri}", mode + "b").open().close(),
    lambda uri, mode: by_write(uri, mode, ""),
    lambda uri, mode: by_write(uri, mode + "b", b""),
], ids=["text", "bytes", "raw", "fsspec", "write text", "write bytes"])
@pytest.mark.parametrize("mode", ["w", "x"])
def test_a_file_without_bytes_is_empty(world, write, mode):
    write(world / "empty", mode)
    assert fsload.read_bytes(world / "empty") == b""
    if mode == "w":
        write(world / "file", mode)
        assert fsload.read_bytes(world / "file") == b""


def by_write(uri, mode, data):
    with fsload.open(uri, mode) as file:
        file.write(data)
