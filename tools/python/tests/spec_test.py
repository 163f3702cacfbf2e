"""fsspec, and the libraries that use it."""
import multiprocessing
import os
import pickle
import threading

import fsspec
import pytest
from fsspec.callbacks import Callback

import fsload

PROTOCOLS = ["az", "gs", "har", "hdfs", "http", "https", "oss", "posix", "s3", "viewfs"]


@pytest.fixture
def fs():
    return fsspec.filesystem("fsload+posix")


@pytest.fixture
def top(tmp_path):
    return str(tmp_path)


def test_each_protocol_is_registered():
    for scheme in PROTOCOLS:
        cls = fsspec.get_filesystem_class(f"fsload+{scheme}")
        assert (cls.protocol, cls.scheme) == (f"fsload+{scheme}", scheme)
    assert fsspec.get_filesystem_class("fsload").scheme == ""


@pytest.mark.parametrize("given, path, uri, parent", [
    ("fsload+s3://bucket/a/b/", "bucket/a/b", "s3://bucket/a/b", "bucket/a"),
    ("s3://bucket/a", "bucket/a", "s3://bucket/a", "bucket"),
    ("bucket", "bucket", "s3://bucket/", ""),
    ("fsload+posix:///a/b", "/a/b", "posix:///a/b", "/a"),
    ("fsload+posix:///", "/", "posix:///", "/"),
    ("fsload://xy://host/a/", "xy://host/a", "xy://host/a", "xy://host"),
    ("xy://host", "xy://host", "xy://host/", "xy://"),
])
def test_paths_are_what_follows_the_scheme(given, path, uri, parent):
    scheme = uri.partition(":")[0]
    fs = fsspec.filesystem({"xy": "fsload"}.get(scheme, f"fsload+{scheme}"))
    assert (fs._strip_protocol(given), fs.uri(given), fs._parent(given)) == (path, uri, parent)
    assert fs._strip_protocol(fs.unstrip_protocol(path)) == path


def test_a_listing_has_what_info_has(fs, top):
    fs.pipe({f"{top}/a": b"x", f"{top}/b/c": b"xyz"})
    rows = fs.ls(top)
    assert [(row["name"], row["size"], row["type"]) for row in rows] == [
        (f"{top}/a", 1, "file"), (f"{top}/b", 0, "directory")]
    assert rows == [fs.info(row["name"]) for row in rows]
    assert fs.ls(top, detail=False) == [f"{top}/a", f"{top}/b"]
    assert fs.ls(f"{top}/a", detail=False) == [f"{top}/a"]
    for detail in True, False:
        with pytest.raises(FileNotFoundError):
            fs.ls(f"{top}/z", detail)


def test_nothing_is_looked_up_for_names(store, monkeypatch):
    fs = fsspec.filesystem("fsload")
    fs.pipe({f"{store}/{n}": b"x" for n in range(3)})
    asked = []
    monkeypatch.setattr(fsload, "list", lambda uri, detail="names", original=fsload.list, **more:
                        asked.append(detail) or original(uri, detail, **more))
    assert fs.ls(store, detail=False) == [f"{store}/{n}" for n in range(3)]
    assert asked == ["names"]


def test_a_missing_folder_of_a_store_cannot_be_listed(store):
    with pytest.raises(FileNotFoundError):
        fsspec.filesystem("fsload").ls(store)


def test_all_schemes_by_one_protocol(store, folder):
    fs = fsspec.filesystem("fsload")
    fs.pipe(f"{store}/a/b", b"12345")
    assert fs.find(store) == [f"{store}/a/b"]
    assert fs.glob(f"{store}/*/b*") == [f"{store}/a/b"]
    fs.copy(f"{store}/a/b", f"{folder}/b")
    assert fs.cat(f"{folder}/b") == b"12345"
    with fsspec.open(f"fsload://{store}/a/b", "rb") as file:
        assert file.read() == b"12345"


def test_listings_are_not_cached_unless_asked_for(fs, top):
    fs.pipe(f"{top}/a", b"")
    cached = fsspec.filesystem("fsload+posix", use_listings_cache=True)
    assert len(fs.ls(top)) == len(cached.ls(top)) == 1
    open(f"{top}/b", "w").close()
    assert len(fs.ls(top)) == 2
    assert len(cached.ls(top)) == 1 and cached.info(f"{top}/a")["size"] == 0
    assert len(cached.ls(top, refresh=True)) == 2
    cached.rm_file(f"{top}/b")
    assert len(cached.ls(top)) == 1


def test_cached_listings_are_those_of_each_folder(top):
    fs = fsspec.filesystem("fsload+posix", use_listings_cache=True)
    fs.pipe(f"{top}/d/e/f", b"1")
    assert fs.ls(top, detail=False) == [f"{top}/d"]
    assert fs.ls(f"{top}/d", detail=False) == [f"{top}/d/e"]
    assert fs.glob(f"{top}/*/*/f") == fs.find(top, maxdepth=3) == [f"{top}/d/e/f"]
    file = fs.open(f"{top}/d/g", "wb")
    assert len(fs.ls(f"{top}/d")) in (1, 2)  # on a disk it may be there already
    file.write(b"123")
    file.close()
    assert fs.info(f"{top}/d/g")["size"] == 3
    fs.makedirs(f"{top}/x/y")
    assert fs.isdir(f"{top}/x") and len(fs.ls(top)) == 2
    fs.ls(f"{top}/x/y")
    fs.rmdir(f"{top}/x/y")
    with pytest.raises(FileNotFoundError):
        fs.ls(f"{top}/x/y")


def test_a_change_that_fails_leaves_no_old_listing(top, monkeypatch):
    fs = fsspec.filesystem("fsload+posix", use_listings_cache=True)

    def fails_at_its_end(change):
        def changed(*arguments, **options):
            change(*arguments, **options)
            raise fsload.Error("INTERNAL", "failed", None)
        return changed

    for name in "mkdir", "makedirs", "rmdir", "remove", "rmtree", "rename", "copy":
        monkeypatch.setattr(fsload, name, fails_at_its_end(getattr(fsload, name)))
    for change in (lambda: fs.mkdir(f"{top}/new"), lambda: fs.rmdir(f"{top}/new"),
                   lambda: fs.makedirs(f"{top}/more", exist_ok=True),
                   lambda: fs.cp_file(f"{top}/f", f"{top}/g"), lambda: fs.rm_file(f"{top}/g"),
                   lambda: fs.mv_file(f"{top}/f", f"{top}/h"),
                   lambda: fs.rm(f"{top}/d", recursive=True)):
        if not os.path.exists(f"{top}/f"):
            fs.pipe({f"{top}/f": b"1"})
        os.makedirs(f"{top}/d/e", exist_ok=True)
        fs.ls(top, refresh=True)
        with pytest.raises(fsload.Error):
            change()
        assert [row["name"].rpartition("/")[2] for row in fs.ls(top)] == sorted(os.listdir(top))


def test_a_row_of_a_listing_is_the_callers(top):
    fs = fsspec.filesystem("fsload+posix", use_listings_cache=True)
    fs.pipe(f"{top}/f", b"1")
    for _ in range(2):
        fs.ls(top)[0]["size"] = "changed"
        assert fs.ls(top)[0]["size"] == 1


def test_slices_of_files(fs, top):
    fs.pipe(f"{top}/a", b"0123456789")
    slices = [(None, None), (2, 4), (-3, None), (None, -3), (5, 100), (4, 2)]
    for start, end in slices:
        assert fs.cat_file(f"{top}/a", start, end) == b"0123456789"[start:end]
    assert fs.cat_ranges([f"{top}/a"] * len(slices), *map(list, zip(*slices))) == [
        b"0123456789"[start:end] for start, end in slices]


def test_ranges_tell_what_is_missing(fs, top):
    fs.pipe(f"{top}/a", b"0123456789")
    found = fs.cat_ranges([f"{top}/a", f"{top}/z"], 1, 3)
    assert found[0] == b"12" and isinstance(found[1], FileNotFoundError)
    with pytest.raises(FileNotFoundError):
        fs.cat_ranges([f"{top}/a", f"{top}/z"], 1, 3, on_error="raise")
    with pytest.raises(ValueError, match="1 paths, 2 starts"):
        fs.cat_ranges([f"{top}/a"], [1, 2], 3)


def test_many_files_go_and_come_in_parallel(store, tmp_path):
    fs = fsspec.filesystem("fsload", jobs=4)
    contents = {f"{n}/{n}": os.urandom(n * 1000) for n in range(20)}
    for name, data in contents.items():
        (tmp_path / "from" / name).parent.mkdir(parents=True)
        (tmp_path / "from" / name).write_bytes(data)
    progress = Callback()
    fs.put(f"{tmp_path}/from", store, recursive=True, callback=progress)
    assert progress.value == progress.size >= len(contents)
    fs.copy(store, store + "-copy", recursive=True)
    fs.get(store + "-copy", f"{tmp_path}/to", recursive=True)
    for name, data in contents.items():
        assert (tmp_path / "to" / name).read_bytes() == data


def test_what_works_on_many_files_uses_several_threads(fs, top, monkeypatch):
    together = threading.Barrier(3, timeout=30)
    copy = fsload.copy

    def waits_for_others(*arguments, **options):
        together.wait()
        copy(*arguments, **options)

    fs.pipe({f"{top}/from/{n}": b"x" for n in range(3)})
    monkeypatch.setattr(fsload, "copy", waits_for_others)
    fs.get(f"{top}/from", f"{top}/to", recursive=True)
    assert sorted(os.listdir(f"{top}/to")) == ["0", "1", "2"]


def test_several_contents_are_read_at_once(fs, top, monkeypatch):
    together = threading.Barrier(3, timeout=30)
    read = fs.cat_file
    fs.pipe({f"{top}/{n}": b"%d" % n for n in range(3)})
    monkeypatch.setattr(fs, "cat_file", lambda path: together.wait() and None or read(path))
    assert fs.cat(f"{top}/*") == {f"{top}/{n}": b"%d" % n for n in range(3)}


def test_contents_of_one_path_and_of_several(fs, top):
    fs.pipe(f"{top}/a", b"1")
    assert fs.cat(f"{top}/a") == b"1"
    assert fs.cat([f"{top}/a"]) == {f"{top}/a": b"1"}
    paths = [f"{top}/a", f"{top}/z"]
    assert fs.cat(paths, on_error="omit") == {f"{top}/a": b"1"}
    assert isinstance(fs.cat(paths, on_error="return")[f"{top}/z"], FileNotFoundError)
    with pytest.raises(FileNotFoundError):
        fs.cat(paths)


def test_the_first_failure_of_many_is_raised(fs, top):
    fs.pipe({f"{top}/from/{n}": b"x" for n in range(5)})
    with pytest.raises(FileNotFoundError):
        fs.get([f"{top}/from/0", f"{top}/from/z"], [f"{top}/a", f"{top}/b"])


def test_removes_what_it_is_told(fs, top):
    fs.pipe({f"{top}/{name}": b"x" for name in ("a/1", "a/b/2", "a-b/3", "c/4", "d")})
    with pytest.raises(IsADirectoryError):
        fs.rm(f"{top}/a")
    with pytest.raises(FileNotFoundError):
        fs.rm(f"{top}/z")
    fs.rm(f"{top}/a", recursive=True)
    fs.rm([f"{top}/d", f"{top}/c/4"])
    assert fs.find(top) == [f"{top}/a-b/3"]
    fs.rm(f"{top}/*", recursive=True)
    assert fs.ls(top) == []


def test_removes_no_deeper_than_maxdepth(fs, top):
    fs.pipe({f"{top}/a/1": b"x", f"{top}/a/b/2": b"x"})
    with pytest.raises(OSError):
        fs.rm(f"{top}/a", recursive=True, maxdepth=1)
    assert fs.exists(f"{top}/a/b/2")


def test_moves(fs, top):
    fs.pipe(f"{top}/a/1", b"x")
    fs.mv(f"{top}/a", f"{top}/b", recursive=True)
    assert fs.find(top) == [f"{top}/b/1"]
    fs.mv_file(f"{top}/b/1", f"{top}/2")
    assert fs.cat(f"{top}/2") == b"x"


def test_a_transaction_publishes_all_or_nothing(store):
    fs = fsspec.filesystem("fsload")
    fs.pipe(f"{store}/a", b"before")
    with pytest.raises(KeyError):
        with fs.transaction:
            fs.pipe(f"{store}/a", b"after")
            fs.touch(f"{store}/c")
            with fs.open(f"{store}/b", "w") as file:
                file.write("half")
            raise KeyError
    assert fs.find(store) == [f"{store}/a"] and fs.cat(f"{store}/a") == b"before"
    with fs.transaction:
        fs.pipe(f"{store}/a", b"after")
        with fs.open(f"{store}/b", "w") as file:
            file.write("whole")
        assert not fs.exists(f"{store}/b")
    assert fs.cat([f"{store}/a", f"{store}/b"]) == {f"{store}/a": b"after",
                                                    f"{store}/b": b"whole"}


@pytest.mark.parametrize("is_closed", [True, False])
def test_writes_to_one_file_in_a_transaction_follow_each_other(fs, top, is_closed):
    fs.pipe(f"{top}/log", b"0")
    with fs.transaction:
        for name, mode, data in [("log", "ab", b"1"), ("log", "ab", b"2"), ("table", "wb", b"head"),
                                 ("table", "ab", b"row"), ("log", "ab", b"3")]:
            file = fs.open(f"{top}/{name}", mode)
            file.write(data)
            if is_closed:
                file.close()
        with pytest.raises(KeyError), fs.open(f"{top}/log", "ab") as file:
            raise KeyError
        with fs.open(f"{top}/log", "ab") as file:
            file.write(b"4")
    assert fs.cat(f"{top}/log") == b"01234"
    assert fs.cat(f"{top}/table") == b"headrow"


@pytest.mark.parametrize("mode", ["wb", "ab"])
def test_a_transaction_gives_local_files_the_modes_of_other_writes(fs, top, mode):
    modes = 0o600, 0o640, 0o755

    for folder in "direct", "deferred":
        os.mkdir(f"{top}/{folder}")
        for old in modes:
            fs.pipe(f"{top}/{folder}/{old}", b"old")
            os.chmod(f"{top}/{folder}/{old}", old)

    def write(folder):
        for name in "new", *modes:
            with fs.open(f"{top}/{folder}/{name}", mode) as file:
                file.write(b"1")

    write("direct")
    with fs.transaction:
        write("deferred")
    for name in "new", *modes:
        assert os.stat(f"{top}/deferred/{name}").st_mode == \
            os.stat(f"{top}/direct/{name}").st_mode, name


@pytest.mark.parametrize("mode", ["w", "wb"])
def test_an_exception_publishes_nothing(atomic_store, mode):
    fs = fsspec.filesystem("fsload")
    with pytest.raises(KeyError):
        with fs.open(f"{atomic_store}/a", mode) as file:
            file.write("half" if mode == "w" else b"half")
            raise KeyError
    assert not fs.exists(f"{atomic_store}/a")


def test_compressed_text(fs, top):
    with fsspec.open(f"fsload+posix://{top}/a.gz", "wt", compression="infer") as file:
        file.write("grüße")
    assert fs.cat(f"{top}/a.gz")[:2] == b"\x1f\x8b"
    with fsspec.open(f"fsload+posix://{top}/a.gz", "rt", compression="infer") as file:
        assert file.read() == "grüße"


def _size_of(fs, path):
    return fs.info(path)["size"]


def test_travels_to_other_processes(store):
    fs = fsspec.filesystem("fsload", jobs=3)
    fs.pipe(f"{store}/a", b"12345")
    assert pickle.loads(pickle.dumps(fs)).jobs == 3
    with fs.open(f"{store}/a", "rb") as file:
        file.read(2)
        assert pickle.loads(pickle.dumps(file)).read() == b"345"
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert pool.starmap(_size_of, [(fs, f"{store}/a")] * 4) == [5] * 4


def test_pyarrow_writes_and_reads_a_partitioned_dataset(store):
    import pyarrow
    import pyarrow.dataset
    import pyarrow.fs
    fs = pyarrow.fs.PyFileSystem(pyarrow.fs.FSSpecHandler(fsspec.filesystem("fsload")))
    table = pyarrow.table({"year": [2024, 2024, 2025, 2026], "value": [1.5, 2.5, 3.5, 4.5]})
    partitions = pyarrow.dataset.partitioning(pyarrow.schema([("year", pyarrow.int32())]),
                                              flavor="hive")
    pyarrow.dataset.write_dataset(table, f"{store}/data", format="parquet", filesystem=fs,
                                  partitioning=partitions)
    dataset = pyarrow.dataset.dataset(f"{store}/data", filesystem=fs, partitioning=partitions)
    assert len(dataset.files) == 3
    found = dataset.to_table(filter=pyarrow.dataset.field("year") == 2024)
    assert sorted(found["value"].to_pylist()) == [1.5, 2.5]
    assert dataset.count_rows() == 4


def test_pandas_writes_and_reads(store):
    import pandas
    frame = pandas.DataFrame({"a": [1, 2], "b": ["x", "y"]})
    url = "fsload+" + store
    frame.to_csv(f"{url}/a.csv", index=False)
    frame.to_parquet(f"{url}/a.parquet")
    assert pandas.read_csv(f"{url}/a.csv").equals(frame)
    assert pandas.read_parquet(f"{url}/a.parquet").equals(frame)


def test_zarr_writes_and_reads(store):
    import numpy
    import zarr
    numbers = numpy.arange(10_000, dtype="i4").reshape(100, 100)
    array = zarr.open("fsload+" + store + "/z", mode="w", shape=(100, 100), chunks=(50, 50),
                      dtype="i4")
    array[:] = numbers
    assert (zarr.open("fsload+" + store + "/z", mode="r")[10:60, 10:60] ==
            numbers[10:60, 10:60]).all()
