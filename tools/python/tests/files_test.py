"""Open files, on local disks and on stores."""
import gc
import io
import json
import os
import resource
import sys
import threading
import urllib.parse
import urllib.request

import fsspec
import pytest
from conftest import HERE

import fsload

sys.path.append(os.path.join(HERE, "../../e2e"))

from small_servers import web_server


def local(uri):
    return urllib.parse.urlsplit(uri).path


def test_text_comes_back(folder):
    with fsload.open(f"{folder}/a", "w") as file:
        file.write("grüße\nworld\n")
    with fsload.open(f"{folder}/a") as file:
        assert list(file) == ["grüße\n", "world\n"]
    with fsload.open(f"{folder}/a", encoding="latin-1", newline="") as file:
        assert file.read() == "grüße\nworld\n".encode().decode("latin-1")


def test_bytes_come_back_on_stores(store):
    data = os.urandom(3 << 20)
    with fsload.open(f"{store}/a", "wb") as file:
        file.write(data)
    with fsload.open(f"{store}/a", "rb") as file:
        assert file.read() == data
        file.seek(-10, io.SEEK_END)
        assert file.read() == data[-10:]


def test_reads_at_any_position(folder):
    data = bytes(range(256)) * 100
    fsload.write_bytes(f"{folder}/a", data)
    with fsload.Reader(f"{folder}/a") as file:
        assert file.pread(10, 300) == data[300:310]
        assert file.pread(100, len(data) - 5) == data[-5:]
        assert file.pread(100, len(data) + 5) == b""
        assert [file.pread(size, 65) for size in range(4)] == [b"", b"A", b"AB", b"ABC"]
        with pytest.raises(ValueError):
            file.pread(-1, 0)
        assert file.size == len(data)
        assert file.seek(1000) == 1000
        assert file.read(5) == data[1000:1005]
        assert file.tell() == 1005
        assert file.read() == data[1005:]


def test_reading_changes_no_bytes_but_its_own(folder):
    fsload.write_bytes(f"{folder}/a", b"\xff" * 10)
    zeros = [bytes(size) for size in range(10)]
    with fsload.Reader(f"{folder}/a") as file:
        for size in range(10):
            assert file.pread(size, 0) == b"\xff" * size
    assert zeros == [b"\0" * size for size in range(10)]
    assert [bytes(size) for size in range(10)] == zeros


def test_reads_what_has_grown_since(folder):
    fsload.write_bytes(f"{folder}/a", b"123")
    with fsload.Reader(f"{folder}/a") as file:
        assert file.size == 3
        with open(local(folder) + "/a", "ab") as other:
            other.write(b"456")
        assert file.readall() == b"123456"


def test_appends(folder):
    for text in "one", "two":
        with fsload.open(f"{folder}/a", "a") as file:
            file.write(text)
    assert fsload.read_bytes(f"{folder}/a") == b"onetwo"


def test_tells_where_it_writes(folder):
    with fsload.open(f"{folder}/a", "wb") as file:
        file.write(b"12345")
        assert file.tell() == 5
        file.flush()
        assert os.path.getsize(local(folder) + "/a") == 5


def test_exclusive_mode_keeps_what_is_there(folder):
    with fsload.open(f"{folder}/a", "x") as file:
        file.write("one")
    with pytest.raises(FileExistsError):
        fsload.open(f"{folder}/a", "x")
    assert fsload.read_bytes(f"{folder}/a") == b"one"


@pytest.mark.parametrize("mode", ["w", "wb"])
def test_an_exception_publishes_nothing(atomic_store, mode):
    fsload.write_bytes(f"{atomic_store}/a", b"before")
    with pytest.raises(KeyError):
        with fsload.open(f"{atomic_store}/a", mode) as file:
            file.write("half" if mode == "w" else b"half")
            raise KeyError
    assert fsload.read_bytes(f"{atomic_store}/a") == b"before"
    assert file.closed


def test_an_exception_publishes_nothing_unbuffered(atomic_store):
    with pytest.raises(KeyError):
        with fsload.open(f"{atomic_store}/a", "wb", buffering=0) as file:
            file.write(b"half")
            raise KeyError
    assert not fsload.exists(f"{atomic_store}/a")


def test_discard_publishes_nothing(atomic_store):
    file = fsload.open(f"{atomic_store}/a", "w")
    file.write("x")
    file.discard()
    assert file.closed
    assert not fsload.exists(f"{atomic_store}/a")


def test_a_forgotten_file_is_dropped_with_a_warning(atomic_store):
    with pytest.warns(ResourceWarning, match="was never closed, and is dropped"):
        file = fsload.open(f"{atomic_store}/a", "wb")
        file.write(b"x")
        del file
        gc.collect()
    assert not fsload.exists(f"{atomic_store}/a")


def test_a_missing_file_cannot_be_opened(store):
    """The s3 plugin opens anything, and fails at the first read."""
    with pytest.raises(FileNotFoundError):
        fsload.open(f"{store}/a", "rb")
    fsload.write_bytes(f"{store}/folder/a", b"x")
    with pytest.raises(IsADirectoryError):
        fsload.open(f"{store}/folder")


def test_a_closed_file_refuses(folder):
    file = fsload.open(f"{folder}/a", "wb", buffering=0)
    file.close()
    file.close()
    with pytest.raises(ValueError, match="closed"):
        file.write(b"x")
    reader = fsload.Reader(f"{folder}/a")
    reader.close()
    with pytest.raises(ValueError, match="is closed"):
        reader.pread(1, 0)


@pytest.mark.parametrize("mode", ["", "rw", "r+", "rbt", "rr", "q"])
def test_refuses_odd_modes(folder, mode):
    with pytest.raises(ValueError, match="invalid mode"):
        fsload.open(f"{folder}/a", mode)


def test_null_bytes_are_refused_before_any_call(folder):
    with pytest.raises(ValueError, match="embedded null byte"):
        fsload.stat(f"{folder}/a\0b")


def test_a_path_is_a_local_file(tmp_path):
    fsload.write_bytes(tmp_path / "a", b"x")
    assert (tmp_path / "a").read_bytes() == b"x"
    assert fsload.read_bytes(str(tmp_path / "a")) == b"x"


def test_names_that_are_not_utf8_come_back(folder):
    name = os.fsdecode(b"\xff\xfe")
    fsload.write_bytes(f"{folder}/{name}", b"x")
    assert [entry.path for entry in fsload.list(folder)] == [name]
    assert os.listdir(os.fsencode(local(folder))) == [b"\xff\xfe"]


@pytest.mark.parametrize("size", [0, 1, (256 << 10) - 1, 256 << 10, (256 << 10) + 1,
                                  (20 << 20) + 7])
def test_reads_whole_files_of_any_size(folder, size):
    data = os.urandom(size)
    fsload.write_bytes(f"{folder}/a", data)
    assert fsload.read_bytes(f"{folder}/a") == data


def test_reading_a_whole_missing_file_fails(store):
    with pytest.raises(FileNotFoundError):
        fsload.read_bytes(f"{store}/a")


def test_each_failed_read_says_why():
    with fsload.Reader("s3://bucket/no-such-file") as file:
        for read in lambda: file.pread(10, 0), lambda: file.readinto(bytearray(10)):
            with pytest.raises(FileNotFoundError, match="no-such-file"):
                read()


def requests():
    """{method: how many} that the S3 server got since this was last asked."""
    with urllib.request.urlopen(os.environ["S3_ENDPOINT"] + "/-/requests") as answer:
        return json.load(answer)


def test_a_small_file_of_a_store_is_read_by_one_request():
    fsload.write_bytes("s3://bucket/small", b"x" * 1000)
    requests()
    assert fsload.read_bytes("s3://bucket/small") == b"x" * 1000
    assert requests() == {"GET": 1}


def test_reads_ranges(store):
    data = os.urandom(100_000)
    fsload.write_bytes(f"{store}/a", data)
    fsload.write_bytes(f"{store}/b", data[::-1])
    ranges = [(f"{store}/{name}", start, start + 100)
              for start in range(0, 100_000, 5000) for name in "ab"]
    expected = [(data if path.endswith("a") else data[::-1])[start:end]
                for path, start, end in ranges]
    assert fsload.read_ranges(ranges) == expected
    assert fsload.read_ranges([]) == []
    assert fsload.read_ranges([(f"{store}/a", 99_990, 100_100)]) == [data[-10:]]


def test_threads_share_a_reader_that_one_closes(folder):
    data = os.urandom(1 << 20)
    fsload.write_bytes(f"{folder}/a", data)
    problems = []
    for _ in range(20):
        reader = fsload.Reader(f"{folder}/a")

        def read():
            try:
                while True:
                    if reader.pread(5000, 10_000) != data[10_000:15_000]:
                        problems.append("other bytes")
            except ValueError:
                pass  # it is closed

        threads = [threading.Thread(target=read) for _ in range(4)]
        for thread in threads:
            thread.start()
        reader.close()
        for thread in threads:
            thread.join()
    assert problems == []


def test_other_threads_run_while_a_call_waits():
    """The plugin's server is a thread of the same interpreter."""
    with web_server({"/a": b"hello"}, []) as server:
        assert fsload.read_bytes(f"http://127.0.0.1:{server.port}/a") == b"hello"


def test_ranges_of_more_files_than_can_be_open_at_once(tmp_path):
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    paths = [str(tmp_path / f"{n}") for n in range(700)]
    for path in paths:
        fsload.write_bytes(path, path.encode())
    ranges = [(path, 1, 99999) for path in paths + paths[::-1]]
    expected = [path.encode()[1:] for path, _, _ in ranges]
    resource.setrlimit(resource.RLIMIT_NOFILE, (512, limits[1]))
    try:
        assert fsload.read_ranges(ranges) == expected
        fs = fsspec.filesystem("fsload+posix")
        assert fs.cat_ranges(*map(list, zip(*ranges)), on_error="raise") == expected
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
