"""What hdfs has and object stores lack: directories, owners, modes, name nodes."""
import contextlib
import os

import trees
from case import case, equal, wanted
from exit_codes import DENIED, FAILED, MISSING, RETRYABLE
from stores import Hdfs

BYTES = bytes(range(256)) * 10000
TREE = {"a": b"in a", "sub/b": b"in b", "sub/deeper/c": BYTES, "z": b""}


def put(store, bucket, files):
    for key, contents in files.items():
        store.put(bucket, key, contents)


def contents(store, bucket):
    return {key: store.get(bucket, key) for key in store.keys(bucket)}


@contextlib.contextmanager
def mode(store, bucket, key, bits):
    """The file or directory has this mode meanwhile."""
    path = store.path(bucket, key)
    before = os.stat(path).st_mode
    os.chmod(path, bits)
    try:
        yield
    finally:
        with contextlib.suppress(FileNotFoundError):  # if it was deleted
            os.chmod(path, before & 0o7777)


def failing(*faults):
    """For `env`: operations of HDFS that fail (testdata/hdfs/faults.h)."""
    return {"FSLOAD_TEST_HDFS_FAULTS": " ".join(faults)}


def name_nodes(bench, default):
    """Name nodes of the case's own, "one" and "two", and its environment: `default` is
    Hadoop's fs.defaultFS."""
    bench.file("hdfs/fs.defaultFS", default.encode())
    store = Hdfs(bench.path("hdfs"))
    for name in "one", "two":
        store.make_bucket(name)
    return store, {"FSLOAD_TEST_HDFS": store.folder}


@case("hdfs")
def trees_go_between_name_nodes(bench, store):
    one, two = bench.bucket(store), bench.bucket(store)
    put(store, one, {f"tree/{path}": value for path, value in TREE.items()})
    store.put(two, "tree2/neighbour", b"stays")
    bench.good("cp", "-r", store.uri(one, "tree"), store.uri(two, "copy"))
    bench.good("mv", store.uri(one, "tree"), store.uri(two, "moved"))
    want = {f"{top}/{path}": value for top in ("copy", "moved") for path, value in TREE.items()}
    equal(contents(store, two), {**want, "tree2/neighbour": b"stays"}, "files")
    equal(os.listdir(store.path(one)), [], "what is left")


@case("hdfs")
def a_file_moved_to_another_name_node_replaces_that_one_alone(bench, store):
    one, two = bench.bucket(store), bench.bucket(store)
    for bucket in one, two:
        put(store, bucket, {"f": bucket.encode(), "f2": b"neighbour"})
    bench.good("mv", store.uri(one, "f"), store.uri(two, "f"))
    equal(contents(store, one), {"f2": b"neighbour"}, "files")
    equal(contents(store, two), {"f": one.encode(), "f2": b"neighbour"}, "files")


@case("hdfs")
def empty_directories_are_copied_moved_and_deleted(bench, store):
    one, two = bench.bucket(store), bench.bucket(store)
    os.makedirs(store.path(one, "tree/empty/below"))
    bench.good("cp", "-r", store.uri(one, "tree"), bench.path("tree"))
    bench.good("mv", store.uri(one, "tree"), store.uri(two, "tree"))
    bench.good("cp", "-r", store.uri(two, "tree"), store.uri(two, "copy"))
    for top in bench.path("tree"), store.path(two, "tree"), store.path(two, "copy"):
        equal(os.listdir(os.path.join(top, "empty")), ["below"], "directories")
    bench.good("rm", "-r", store.uri(two, "tree"))
    equal(os.listdir(store.path(two)), ["copy"], "directories")
    equal(os.listdir(store.path(one)), [], "directories")


@case("hdfs")
def sync_makes_both_sides_equal(bench, store):
    bucket = bench.bucket(store)
    put(store, bucket, {f"tree/{path}": value for path, value in TREE.items()})
    here = bench.path("here")
    trees.write(here, {"extra": b"to be deleted"})
    bench.good("sync", "--delete", store.uri(bucket, "tree"), here)
    trees.require_equal(store.path(bucket, "tree"), here)
    os.remove(os.path.join(here, "sub/b"))
    bench.good("sync", "--delete", here, store.uri(bucket, "tree"))
    trees.require_equal(here, store.path(bucket, "tree"))


@case("hdfs")
def what_may_not_be_done_is_told_as_denied(bench, store):
    bucket = bench.bucket(store)
    put(store, bucket, {"d/f": b"f", "d/secret": b"s", "other/f": b"o"})
    before = contents(store, bucket)
    local = bench.file("local", b"local")
    there = store.uri(bucket, "d/f")
    cases = [
        ("d", 0o000, [["cat", there], ["stat", there], ["exists", there], ["cp", there, "x"],
                      ["cp", local, there], ["mv", there, "x"], ["rm", there]]),
        ("d", 0o555, [["rm", there], ["rm", "-r", store.uri(bucket, "d")], ["mv", there, "x"],
                      ["mv", there, store.uri(bucket, "new")], ["mv", local, there],
                      ["cp", local, store.uri(bucket, "d/new")],
                      ["touch", store.uri(bucket, "d/new")],
                      ["mkdir", store.uri(bucket, "d/new")]]),
        ("d/secret", 0o000, [["cat", there, store.uri(bucket, "d/secret")],
                             ["cp", "-r", store.uri(bucket, "d"), "copy"],
                             ["mv", store.uri(bucket, "d/secret"), "y"]])]
    for key, bits, commands in cases:
        for arguments in commands:
            with mode(store, bucket, key, bits):
                bench.bad(*arguments, code=DENIED, says="PERMISSION_DENIED")
            equal(contents(store, bucket), before, f"files after {arguments}")
    wanted(os.path.exists(local), "the local file to be there", "none")


@case("hdfs")
def a_directory_that_may_not_be_deleted_stays_and_is_told(bench, store):
    bucket = bench.bucket(store)
    put(store, bucket, {"d/locked/f": b"f", "d2/f": b"neighbour"})
    with mode(store, bucket, "d/locked", 0o000):
        bench.bad("rm", "-r", store.uri(bucket, "d"), code=DENIED, says="d/locked")
    equal(sorted(contents(store, bucket)), ["d/locked/f", "d2/f"], "files")


@case("hdfs")
def a_file_that_cannot_be_written_whole_is_not_published(bench, store):
    bucket = bench.bucket(store)
    put(store, bucket, {"old": b"old", "d/f": BYTES})
    before = contents(store, bucket)
    local = bench.file("local", BYTES)
    for faults, code in [(["quota=100000"], RETRYABLE), (["write=2"], FAILED),
                         (["close=1"], FAILED)]:
        for verb, target in [("cp", "new"), ("cp", "old"), ("mv", "old")]:
            bench.bad(verb, local, store.uri(bucket, target), code=code,
                      says=store.uri(bucket, target), env=failing(*faults))
            equal(contents(store, bucket), before, f"files after {verb} with {faults}")
    wanted(os.path.exists(local), "the local file to be there", "none")


@case("hdfs")
def a_file_that_cannot_be_read_whole_is_not_copied(bench, store):
    one, two = bench.bucket(store), bench.bucket(store)
    store.put(one, "f", BYTES)
    uri = store.uri(one, "f")
    for arguments in [["cat", uri], ["cp", uri, "x"], ["cp", uri, store.uri(two, "x")],
                      ["mv", uri, "x"], ["mv", uri, store.uri(two, "x")]]:
        bench.bad(*arguments, code=FAILED, says=uri, env=failing("read=2+"))
    wanted(store.get(one, "f") == BYTES, "the file as it was", "others")
    equal(store.keys(two), [], "files")
    equal(os.listdir(bench.folder), [], "local files")


@case("hdfs")
def names_that_hdfs_refuses_are_told(bench, store):
    bucket = bench.bucket(store)
    local = bench.file("local", b"local")
    uri = store.uri(bucket, "12:30")
    for arguments in [["cat", uri], ["stat", uri], ["exists", uri], ["touch", uri],
                      ["mkdir", uri], ["cp", local, uri], ["mv", local, uri], ["rm", uri]]:
        bench.bad(*arguments, code=FAILED, says=f"INVALID_ARGUMENT: {uri}")
    equal(os.listdir(store.path(bucket)), [], "files")
    wanted(os.path.exists(local), "the local file to be there", "none")


@case("hdfs")
def a_file_is_not_moved_onto_itself(bench, store):
    bucket = bench.bucket(store)
    store.put(bucket, "d/f", BYTES)
    for target in "d/f", "d//f", "d":
        bench.bad("mv", store.uri(bucket, "d/f"), store.uri(bucket, target), code=FAILED,
                  says="are the same file")
    bench.bad("mv", store.uri(bucket, "d"), store.uri(bucket, "d/below"), code=FAILED,
              says="into itself")
    bench.bad("mv", store.uri(bucket, "none"), store.uri(bucket, "d/f"), code=MISSING)
    wanted(contents(store, bucket) == {"d/f": BYTES}, "the file as it was", "others")


@case("hdfs")
def other_names_of_a_name_node_lose_no_file(bench, _):
    store, environment = name_nodes(bench, "hdfs://one")
    for verb in "cp", "mv":
        for target in "hdfs://ONE/d/f", "hdfs://one:8020/d/f", "hdfs:///d/f":
            store.put("one", "d/f", BYTES)
            bench.run(verb, "hdfs://one/d/f", target, env=environment)
            wanted(contents(store, "one") == {"d/f": BYTES}, "the file as it was",
                   f"others after {verb} to {target}")


@case("hdfs")
def a_path_without_a_name_node_is_of_the_default_one(bench, _):
    store, environment = name_nodes(bench, "hdfs://two")
    store.put("two", "d/f", b"of two")
    equal(bench.good("cat", "hdfs:///d/f", env=environment).out, b"of two", "contents")
    bench.good("mv", "hdfs:///d/f", "hdfs://one/f", env=environment)
    equal([contents(store, name) for name in ("one", "two")], [{"f": b"of two"}, {}], "files")


@case()
def viewfs_is_read_and_written_where_it_is_the_default(bench):
    store, environment = name_nodes(bench, "viewfs://one")
    store.put("one", "d/f", BYTES)
    wanted(bench.good("cat", "viewfs://one/d/f", env=environment).out == BYTES,
           "equal bytes", "others")
    bench.good("mv", "viewfs://one/d/f", "viewfs://one/d/g", env=environment)
    equal(bench.good("ls", "viewfs://one/d", env=environment).lines, ["g"], "names")
    bench.bad("ls", "viewfs://one/d", code=8, says="viewfs is only supported as a fs.defaultFS")
