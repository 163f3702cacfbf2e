"""Mistakes and failures that must not lose a file."""
import gzip
import os
import pickle
import resource
import signal
import subprocess
import sys
import textwrap
import threading
import time

import fsspec
import pytest

import fsload
from conftest import folder_of
from fsload import contents, paths
from fsload._native import ffi
from fsload.errors import CancelledError, InvalidArgumentError


@pytest.fixture
def fs():
    return fsspec.filesystem("fsload")


@pytest.fixture
def local():
    return fsspec.filesystem("fsload+posix")


def test_a_relative_local_path_begins_in_the_working_directory(local, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    local.pipe("data/a", b"1")
    assert os.listdir(tmp_path) == ["data"]
    assert local.ls("data", detail=False) == [f"{tmp_path}/data/a"]
    local.rm("data", recursive=True)
    assert os.listdir(tmp_path) == []


def test_a_local_uri_has_no_host(local, tmp_path):
    assert local._strip_protocol("posix://localhost/a/") == "/a"
    for uri in f"posix://data{tmp_path}", f"fsload+posix://data{tmp_path}":
        with pytest.raises(InvalidArgumentError, match="the host 'data'"):
            local.rm(uri, recursive=True)
    assert tmp_path.exists()


def test_a_root_is_not_deleted(fs):
    """Not asked of posix, where a failure would be expensive."""
    for root in "memory://host", "memory://host//", "memory://host/.", "memory://host/a/..":
        fs.pipe("memory://host/a", b"1")
        for delete in (fsload.rmtree, lambda uri: fs.rm(uri, recursive=True),
                       lambda uri: fs.rm(uri, recursive=True, maxdepth=9)):
            with pytest.raises(InvalidArgumentError, match="refusing to delete the root|contains '.' or"):
                delete(root)
        assert fs.cat("memory://host/a") == b"1"


@pytest.mark.parametrize("mode, data", [("wb", b"data"), ("wt", "data")])
@pytest.mark.parametrize("way", ["with", "close"])
def test_a_compressed_file_is_published(fs, store, folder, mode, data, way):
    for uri in f"{store}/x.gz", f"{folder}/x.gz":
        file = fs.open(uri, mode, compression="infer")
        if way == "with":
            with file:
                file.write(data)
        else:
            file.write(data)
            file.close()
        assert gzip.decompress(fs.cat(uri)) == b"data"
        with fs.open(uri, mode.replace("w", "r"), compression="gzip") as file:
            assert file.readline() == data


# What is said of appending to a file that does not exist.
NO_APPENDING = {"gs": "internal temporary file", "az": "not used: it replaces the file",
                "hdfs": "has not tested this plugin", "careless": "has not tested this plugin"}


@pytest.mark.parametrize("mode", ["w", "wb", "x", "xb", "a", "ab"])
def test_a_file_that_is_closed_without_a_byte_is_an_empty_file(fs, store, folder, mode):
    for uri in f"{store}/empty", f"{folder}/empty":
        scheme = uri.partition(":")[0]
        if "a" in mode and scheme in NO_APPENDING:  # it must say so
            with pytest.raises(fsload.errors.Error, match=NO_APPENDING[scheme]):
                fsload.open(uri, mode).close()
        else:
            fsload.open(uri, mode).close()
            assert fsload.read_bytes(uri) == b""
        if "x" in mode:
            continue
        fsload.write_bytes(uri, b"old")
        if "a" not in mode or scheme in ("s3", "gs", "posix"):
            fsload.open(uri, mode).close()
        assert fsload.read_bytes(uri) == (b"old" if "a" in mode else b"")
        if "w" in mode:
            fsload.write_bytes(uri, b"old")
            fs.open(uri, "wb").close()
            assert fsload.read_bytes(uri) == b""


def test_an_unknown_compression_leaves_a_file_as_it_is(fs, folder):
    fs.pipe(f"{folder}/x", b"old")
    with pytest.raises(ValueError, match="unknown compression 'gz', expected one of .*gzip"):
        fs.open(f"{folder}/x", "wb", compression="gz")
    assert fs.cat(f"{folder}/x") == b"old"


@pytest.mark.parametrize("mode", ["wb", "wt"])
def test_a_compressed_file_is_dropped_after_an_exception(fs, atomic_store, mode):
    fs.pipe(f"{atomic_store}/x.gz", b"old")
    with pytest.raises(KeyError), fs.open(f"{atomic_store}/x.gz", mode, compression="gzip") as file:
        file.write(b"half" if mode == "wb" else "half")
        raise KeyError
    assert fs.cat(f"{atomic_store}/x.gz") == b"old"


@pytest.mark.parametrize("end", ["", "del file", "file = [file]; file.append(file); del file"])
@pytest.mark.parametrize("mode", ["w", "wb"])
def test_a_file_that_is_never_closed_is_dropped(atomic_store, mode, end):
    program = textwrap.dedent(f"""
        import fsload
        file = fsload.open({atomic_store + "/x"!r}, {mode!r})
        file.write({"half" if mode == "w" else b"half"!r})
        {end}
    """)
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)
    assert not fsload.exists(f"{atomic_store}/x")


def test_an_append_that_failed_publishes_nothing(atomic_store):
    program = textwrap.dedent(f"""
        import resource, signal
        import fsspec, fsload
        uri = {atomic_store + "/old"!r}
        fs = fsspec.filesystem("fsload")
        fs.pipe(uri, b"OLDOLD")
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
        for opened in fs.open(uri, "wb"), fsload.open(uri, "wb"), fsload.open(uri, "wb", 0):
            failures = 0
            for action in [lambda: opened.write(b"y" * 102400)] * 15 + [opened.close]:
                try:
                    action()
                except OSError:
                    failures += 1
            assert failures > 0, opened
            assert fs.cat(uri) == b"OLDOLD", opened
    """)
    if atomic_store.startswith("gs"):
        pytest.skip("the gs plugin keeps an upload in memory")
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)


def test_an_interrupted_write_publishes_nothing(atomic_store):
    """Its caller cannot know whether the bytes are written, and Python's buffer would write
    them again."""
    class Interrupted(Exception):
        pass

    def interrupt(*_):
        raise Interrupted

    fsload.write_bytes(f"{atomic_store}/x", b"old")
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        file = fsload.open(f"{atomic_store}/x", "wb")
        with pytest.raises(Interrupted):
            signal.setitimer(signal.ITIMER_REAL, 0.02)
            file.write(bytes(256 << 20))
            pytest.skip("the write was too quick to be interrupted")
        with pytest.raises(CancelledError, match="a write was interrupted"):
            file.close()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert fsload.read_bytes(f"{atomic_store}/x") == b"old"


def test_a_file_is_not_moved_onto_itself(fs, store, folder):
    for top in store, folder:
        for target in "a/f", "a//f", "a/./f", "a/", "a":
            fs.pipe(f"{top}/a/f", b"1")
            with pytest.raises(InvalidArgumentError, match="are the same file"):
                fs.mv(f"{top}/a/f", f"{top}/{target}")
            assert fs.cat(f"{top}/a/f") == b"1", target


def test_a_folder_is_not_moved_into_itself(fs, store, folder):
    for top in store, folder:
        fs.pipe(f"{top}/d/f", b"1")
        for source in "d", "d*", ["d"]:
            source = [f"{top}/d"] if isinstance(source, list) else f"{top}/{source}"
            for target in "d/sub", "d", "d/", "e/../d", "./d/x/":
                with pytest.raises(InvalidArgumentError, match="into itself"):
                    fs.mv(source, f"{top}/{target}", recursive=True)
        assert fs.find(top) == [f"{top}/d/f"]


def test_what_is_moved_has_a_copy(fs, store, folder):
    for top in store, folder:
        fs.pipe({f"{top}/d/f": b"1", f"{top}/d/sub/g": b"2"})
        with pytest.raises(NotImplementedError):
            fs.mv(f"{top}/d", f"{top}/e", recursive=True, maxdepth=1)
        with pytest.raises(InvalidArgumentError, match="a list of targets"):
            fs.mv([f"{top}/d"], [f"{top}/e"], recursive=True)
        assert fs.find(top) == [f"{top}/d/f", f"{top}/d/sub/g"]
        # The target is named as the sources are.
        fs.mv(f"{top}/d/*", f"{top}/d-moved", recursive=True)
        fs.mv(f"{top}/d*", f"{top}/dd", recursive=True)
        assert sorted(fs.cat(fs.find(top)).values()) == [b"1", b"2"]


def test_a_local_file_is_not_moved_onto_itself_through_a_link(fs, local, tmp_path):
    local.pipe(f"{tmp_path}/d/f", b"1")
    os.symlink("d", tmp_path / "link")
    for system, top in (local, f"{tmp_path}"), (fs, f"posix://{tmp_path}"):
        with pytest.raises(InvalidArgumentError, match="are the same file"):
            system.mv(f"{top}/d/f", f"{top}/link/f")
        with pytest.raises(InvalidArgumentError, match="into itself"):
            system.mv(f"{top}/d", f"{top}/link/sub", recursive=True)
    assert local.find(f"{tmp_path}/d") == [f"{tmp_path}/d/f"]


def test_what_can_be_moved_is_moved(fs, store, folder):
    for top in store, folder:
        fs.pipe({f"{top}/d/f": b"1", f"{top}/g": b"2"})
        fs.mv(f"{top}/d", f"{top}/e", recursive=True)
        fs.mv(f"{top}/g", f"{top}/e/g")
        assert fs.cat([f"{top}/e/f", f"{top}/e/g"]) == {f"{top}/e/f": b"1", f"{top}/e/g": b"2"}
        assert fs.find(top) == [f"{top}/e/f", f"{top}/e/g"]


def test_a_server_that_does_not_answer_is_no_missing_file():
    program = textwrap.dedent("""
        import fsload
        for question in fsload.exists, fsload.stat, fsload.read_bytes:
            try:
                print(question("s3://bucket/a"))
            except FileNotFoundError:
                print("missing")
            except OSError:
                print("unknown")
    """)
    ended = subprocess.run(
        [sys.executable, "-c", program], check=True, timeout=120, stdout=subprocess.PIPE,
        env={**os.environ, "S3_ENDPOINT": "http://127.0.0.1:9"}, text=True)
    assert ended.stdout.split() == ["unknown"] * 3


def test_a_failure_is_not_taken_for_nothing(tmp_path):
    """By one call of the plugin or another."""
    failing = fsspec.filesystem("fsload", isolate=True, environment={
        "CARELESS_FAULTS": ",".join(f"{number} before 13" for number in range(1, 200))})
    (tmp_path / "f").write_bytes(b"1")
    for question in (failing.isdir, failing.isfile, failing.exists, failing.ls, failing.find,
                     lambda top: failing.find(top, maxdepth=2),
                     lambda top: failing.glob(top + "/*"),
                     lambda top: failing.put(f"{tmp_path}/f", top)):
        with pytest.raises(fsload.Error, match="told to fail"):
            question(folder_of("careless"))


def test_a_folder_that_cannot_be_listed_is_not_empty(fs, store, folder, monkeypatch):
    def fails_below(uri, *arguments, original=fsload.list, **options):
        if uri.endswith("/d"):
            raise fsload.errors.UnavailableError("UNAVAILABLE", f"{uri}: away", uri)
        return original(uri, *arguments, **options)

    for top in store, folder:
        fs.pipe({f"{top}/d/f": b"1", f"{top}/g": b"2"})
        with monkeypatch.context() as patch:
            patch.setattr(fsload, "list", fails_below)
            for question in (lambda: fs.find(top, maxdepth=2), lambda: fs.glob(f"{top}/*/*"),
                             lambda: fs.expand_path(top, recursive=True, maxdepth=2)):
                with pytest.raises(fsload.errors.UnavailableError):
                    question()
        for withdirs in True, False:
            assert fs.find(top, maxdepth=2, withdirs=withdirs, detail=True) == \
                fs.find(top, withdirs=withdirs, detail=True)
            assert fs.find(f"{top}/g", maxdepth=1, withdirs=withdirs) == [f"{top}/g"]
            assert fs.find(f"{top}/z", maxdepth=1, withdirs=withdirs) == []
            assert fs.find(f"{top}/z", withdirs=withdirs) == []
        assert fs.find(top, maxdepth=1, withdirs=True) == [top, f"{top}/d", f"{top}/g"]
        assert fs.find(top, maxdepth=1) == [f"{top}/g"]


def test_an_entry_that_failed_is_not_listed_by_name(fs, folder, monkeypatch):
    error = fsload.Error("INTERNAL", "x: failed", "x")
    monkeypatch.setattr(fsload, "list", lambda uri: [fsload.Entry("x", "x", error=error)])
    with pytest.raises(fsload.Error, match="x: failed"):
        fs.ls(folder, detail=False)


def test_a_bucket_can_be_listed(fs, store):
    fs.pipe(f"{store}/a", b"1")
    scheme, _, path = store.partition("://")
    bucket = path.rpartition("/")[0]
    one = fsspec.filesystem(f"fsload+{scheme}")
    assert f"{path}" in one.ls(bucket, detail=False)
    assert f"{path}" in one.glob(f"{bucket}/*")
    assert f"{path}/a" in one.find(bucket)
    assert one.isdir(bucket)


def test_a_file_lists_itself(fs, store, folder):
    for top in store, folder:
        fs.pipe(f"{top}/a", b"123")
        assert fs.ls(f"{top}/a", detail=False) == [f"{top}/a"]
        assert [row["size"] for row in fs.ls(f"{top}/a")] == [3]
        assert fs.find(f"{top}/a") == [f"{top}/a"]
        assert fs.du(f"{top}/a") == 3


def test_an_interrupted_copy_is_interrupted(folder):
    fsload.write_bytes(f"{folder}/a", bytes(40 << 20))
    calls = []

    def interrupt(count):
        calls.append(count)
        signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in background
    try:
        with pytest.raises(KeyboardInterrupt):
            fsload.copy(f"{folder}/a", f"{folder}/b", progress=interrupt)
    finally:
        signal.signal(signal.SIGINT, before)
    assert calls and not fsload.exists(f"{folder}/b")


def test_an_interruption_before_the_first_line_of_a_callback_is_kept():
    progress = paths._Progress(print)
    handle = ffi.new_handle(progress)

    def callback(data):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as raised:
        callback(handle)
    paths._interrupted(None, raised.value, raised.tb.tb_next)
    assert progress.raised is raised.value


def test_a_write_that_raised_is_not_part_of_a_transaction(fs, store):
    with fs.transaction:
        with pytest.raises(KeyError), fs.open(f"{store}/half", "wb") as file:
            file.write(b"half")
            raise KeyError
        with fs.open(f"{store}/whole", "wb") as file:
            file.write(b"whole")
    assert fs.find(store) == [f"{store}/whole"]


def test_a_write_that_could_not_be_kept_is_not_part_of_a_transaction(fs, store):
    fs.pipe(f"{store}/x", b"old")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        with fs.transaction:
            file = fs.open(f"{store}/x", "wb")
            file.write(b"a")
            file.flush()
            file.write(b"b")
            resource.setrlimit(resource.RLIMIT_FSIZE, (1, limits[1]))
            with pytest.raises(OSError):
                file.close()
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, before)
    assert fs.cat(f"{store}/x") == b"old"


def test_a_large_read_needs_no_length(fs, folder):
    """Which may be an old one."""
    data = bytes(range(256)) * (300 << 10)
    fs.pipe(f"{folder}/a", b"123")
    with fsload.open(f"{folder}/a", "rb", buffering=0) as file:
        assert file.size == 3
        fs.pipe(f"{folder}/a", data)
        assert file.pread(2 ** 40, 1) == data[1:]
        assert file.readall() == data


def test_a_range_is_not_longer_than_its_file(fs, folder):
    fs.pipe(f"{folder}/a", b"123")
    assert fs.cat_file(f"{folder}/a", 1, 2 ** 40) == b"23"
    assert fsload.read_ranges([(f"{folder}/a", 0, 2 ** 40)]) == [b"123"]


def test_an_append_in_a_transaction_follows_what_was_there(fs, folder):
    fs.pipe(f"{folder}/x", b"old")
    with fs.transaction:
        with fs.open(f"{folder}/x", "ab") as file:
            assert file.tell() == 3
            file.write(b" and new")
    assert fs.cat(f"{folder}/x") == b"old and new"


def test_a_transaction_makes_the_folders_of_its_files(fs, folder):
    with fs.transaction:
        fs.pipe(f"{folder}/new/a", b"1")
        fs.touch(f"{folder}/other/b")
        fs.pipe(f"{folder}/c", b"2")
    assert fs.find(folder) == [f"{folder}/{name}" for name in ("c", "new/a", "other/b")]


def test_two_lists_move_the_files_of_these_names(fs, folder):
    for name in "f[1]", "f1", "a*", "ab":
        fs.pipe(f"{folder}/{name}", name.encode())
    fs.mv([f"{folder}/f[1]", f"{folder}/a*"], [f"{folder}/g", f"{folder}/h"])
    assert fs.find(folder) == [f"{folder}/{name}" for name in ("ab", "f1", "g", "h")]
    assert fs.cat(f"{folder}/g") == b"f[1]"


def test_a_file_that_is_longer_than_was_said_is_read_whole(fs, folder, monkeypatch):
    data = bytes(range(256)) * (80 << 10)
    fs.pipe(f"{folder}/a", data)
    for size in 300 << 10, len(data) - 1, len(data), len(data) + 1, (256 << 10) + (8 << 20):
        monkeypatch.setattr(fsload.Reader, "size", size)
        assert fsload.read_bytes(f"{folder}/a") == data


def test_a_container_is_a_root_by_any_name_of_its_scheme():
    isolated = fsspec.filesystem("fsload+az", isolate=True)
    for name in "account", "account/bucket", "account/bucket/", "account/bucket/x/..":
        with pytest.raises(InvalidArgumentError):
            isolated.rm(name, recursive=True)


def test_a_bad_name_is_one_of_the_results(fs, folder):
    fs.pipe(f"{folder}/a", b"123")
    good, bad = fs.cat_ranges([f"{folder}/a", "file://host/x"], [0, 0], [2, 2])
    assert good == b"12" and isinstance(bad, InvalidArgumentError)


def test_text_has_one_mark(folder):
    for text in "a", "b":
        with fsload.open(f"{folder}/a", "a", encoding="utf-8-sig") as file:
            file.write(text)
    assert fsload.read_bytes(f"{folder}/a") == "ab".encode("utf-8-sig")


def test_a_closed_or_oddly_sought_file_raises(folder):
    fsload.write_bytes(f"{folder}/a", b"123")
    with fsload.open(f"{folder}/a", "rb", buffering=0) as file:
        for whence in os.SEEK_DATA, os.SEEK_HOLE:
            with pytest.raises(ValueError):
                file.seek(0, whence)
    with fsload.open(f"{folder}/b", "wb", buffering=0) as writer:
        pass
    for call in file.tell, writer.flush, writer.tell:
        with pytest.raises(ValueError):
            call()


def test_what_runs_in_parallel_runs_once(monkeypatch):
    """Also where no more threads can be started."""
    started = threading.Thread.start
    left = [2]

    def start(thread):
        if left[0] == 0:
            raise RuntimeError("can't start new thread")
        left[0] -= 1
        started(thread)

    monkeypatch.setattr(threading.Thread, "start", start)
    calls = []

    def work(number):
        calls.append(number)
        time.sleep(0.01)
        return -number

    for threads in 2, 0:
        left[0] = threads
        calls.clear()
        assert contents.in_parallel(work, range(20)) == [-number for number in range(20)]
        assert sorted(calls) == list(range(20))


def test_an_error_keeps_what_rmtree_has_left():
    error = fsload.Error("UNAVAILABLE", "x: failed", "x")
    error.left = 3, 1
    assert pickle.loads(pickle.dumps(error)).left == (3, 1)


def test_a_file_that_is_open_at_the_end_is_not_published_in_silence(tmp_path):
    program = textwrap.dedent(f"""
        import atexit
        def late():
            for call in (lambda: file.write(b"tail")), file.close:
                try:
                    call()
                    print("nothing")
                except fsload.Error as error:
                    print(error.code)
        atexit.register(late)
        import fsload
        file = fsload.open("posix://{tmp_path}/a", "wb", buffering=0)
        file.write(b"head")
    """)
    ended = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True,
                           timeout=60, check=True)
    assert ended.stdout == "FAILED_PRECONDITION\n" * 2


def test_a_forked_child_ends_while_its_parent_writes(tmp_path):
    program = textwrap.dedent(f"""
        import os, sys, threading, warnings
        import fsload
        warnings.simplefilter("ignore")
        file = fsload.open("posix://{tmp_path}/a", "wb", buffering=0)
        with file._lock:
            child = os.fork()
            if child == 0:
                file = None
                sys.exit(3)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3
        print("ended")
    """)
    ended = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True,
                           timeout=60, check=True)
    assert ended.stdout == "ended\n"
