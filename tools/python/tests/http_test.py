"""Files of web servers, with ranges and without, which can be read and not changed."""
import os
import sys

import fsspec
import pytest

import fsload

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../e2e"))
from small_servers import answering_server, plain_server, web_server

CONTENTS = os.urandom(300_000)
SERVERS = {"ranges": lambda files: web_server(files, []), "plain": plain_server}


@pytest.fixture(params=SERVERS)
def server(request):
    """The URI of a server that has CONTENTS at /file and nothing at /empty."""
    with SERVERS[request.param]({"/file": CONTENTS, "/empty": b""}) as running:
        yield f"http://127.0.0.1:{running.port}"


def by_open(uri, offset, length):
    with fsload.open(uri, "rb") as file:
        file.seek(offset)
        return file.read(length)


def by_pread(uri, offset, length):
    with fsload.open(uri, "rb") as file:
        return file.raw.pread(length, offset)


def by_ranges(uri, offset, length):
    return fsload.read_ranges([(uri, offset, offset + length)])[0]


def by_fsspec(uri, offset, length):
    with fsspec.open(f"fsload+{uri}", "rb") as file:
        file.seek(offset)
        return file.read(length)


def by_fsspec_cat(uri, offset, length):
    return fsspec.filesystem("fsload+http").cat_file(uri, start=offset, end=offset + length)


READERS = [by_open, by_pread, by_ranges, by_fsspec, by_fsspec_cat]


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize("offset, length", [(0, 10), (1, 10), (70_000, 5), (299_990, 10), (0, 300_000)])
def test_reads_the_bytes_asked_for(server, read, offset, length):
    assert read(f"{server}/file", offset, length) == CONTENTS[offset:offset + length]


def test_reads_backwards(server):
    with fsload.open(f"{server}/file", "rb") as file:
        for offset in 299_000, 150_000, 7, 0:
            file.seek(offset)
            assert file.read(9) == CONTENTS[offset:offset + 9]


def test_reads_whole(server):
    assert fsload.read_bytes(f"{server}/file") == CONTENTS
    assert fsload.stat(f"{server}/file").size == len(CONTENTS)
    assert fsload.exists(f"{server}/file")
    with fsspec.open(f"fsload+{server}/file", "rb") as file:
        assert file.read() == CONTENTS


def test_reads_nothing_of_an_empty_file(server):
    assert fsload.read_bytes(f"{server}/empty") == b""


ASKING = {
    "read_bytes": fsload.read_bytes,
    "open": lambda uri: by_open(uri, 0, 1),
    "open, not at 0": lambda uri: by_open(uri, 5, 1),
    "read_ranges": lambda uri: by_ranges(uri, 5, 1),
    "stat": fsload.stat,
    "fsspec": lambda uri: by_fsspec(uri, 0, 1),
    "fsspec.info": lambda uri: fsspec.filesystem("fsload+http").info(uri),
}


@pytest.mark.parametrize("ask", ASKING)
@pytest.mark.parametrize("status, error", [(404, FileNotFoundError), (403, PermissionError)])
def test_raises_what_the_server_says(status, error, ask):
    page = b"<html>" + b"no such page " * 1000
    with answering_server(status, page) as running:
        with pytest.raises(error) as raised:
            ASKING[ask](f"http://127.0.0.1:{running.port}/file")
        assert "\n" not in str(raised.value) and str(raised.value).count("<html>") <= 1


def test_finds_no_missing_file(server):
    assert not fsload.exists(f"{server}/missing")
    assert not fsspec.filesystem("fsload+http").exists(f"{server}/missing")
    with pytest.raises(FileNotFoundError):
        fsload.read_bytes(f"{server}/missing")


def write_by_open(uri):
    with fsload.open(uri, "wb") as file:
        file.write(b"x")


def write_by_fsspec(uri):
    with fsspec.open(f"fsload+{uri}", "wb") as file:
        file.write(b"x")


CHANGING = {
    "write_bytes": lambda uri: fsload.write_bytes(uri, b"x"),
    "open": write_by_open,
    "append": lambda uri: fsload.open(uri, "ab").close(),
    "fsspec": write_by_fsspec,
    "copy": lambda uri: fsload.copy(uri, uri + "2"),
    "rename": lambda uri: fsload.rename(uri, uri + "2"),
    "remove": fsload.remove,
    "rmtree": fsload.rmtree,
    "makedirs": lambda uri: fsload.makedirs(uri + "2"),
    "list": lambda uri: list(fsload.list(uri)),
    "fsspec.rm": lambda uri: fsspec.filesystem("fsload+http").rm(uri, recursive=True),
}


@pytest.mark.parametrize("change", CHANGING)
def test_changes_nothing(server, change):
    with pytest.raises((fsload.Error, OSError)):
        CHANGING[change](f"{server}/file")
    assert fsload.read_bytes(f"{server}/file") == CONTENTS
    assert not fsload.exists(f"{server}/file2")
