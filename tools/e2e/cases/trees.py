"""Whole folders: cp -r, ls -R, mv, shards, filters."""
import itertools
import os

import trees
from case import case, equal, wanted


@case("s3", "gs", "az", "hdfs", seconds=90)
def cp_r_takes_a_folder_there_and_back(bench, store):
    bucket = bench.bucket(store)
    folder = trees.write(bench.path("folder"), trees.MIXED)
    uri = store.uri(bucket, "x")
    bench.good("cp", "-r", folder, uri)
    below = [key for key in store.keys(bucket) if not key.endswith("/")]
    equal(below, sorted("x/" + path for path in trees.MIXED), "objects")
    listed = bench.good("ls", "-R", uri).out.decode()
    for path in trees.MIXED:
        wanted(os.path.basename(path) in listed, path, listed)
    bench.good("cp", "-r", uri, bench.path("back"))
    trees.require_equal(folder, bench.path("back"))


@case("s3", "gs", "az", seconds=400)
def a_thousand_objects_are_copied_listed_matched_and_deleted(bench, store):
    bucket = bench.bucket(store)
    # More than one page of a listing (1,000) below one folder.
    files = {f"{n % 3}/{n:04}": b"%d" % n for n in range(20)}
    files |= {f"many/{n:04}": b"%d" % n for n in range(1001)}
    folder = trees.write(bench.path("folder"), files)
    uri = store.uri(bucket, "x")
    bench.good("cp", "-r", "-j", "4", folder, uri)
    equal(len([key for key in store.keys(bucket) if not key.endswith("/")]), len(files), "objects")
    equal(len(bench.good("ls", uri + "/many").lines), 1001, "names")
    matches = bench.good("glob", uri + "/many/09*").lines
    equal(matches, [f"{uri}/many/09{n:02}" for n in range(100)], "matches")
    bench.good("cp", "-r", "-j", "4", uri, bench.path("back"))
    trees.require_equal(folder, bench.path("back"))
    bench.good("rm", "-r", uri)
    equal(store.keys(bucket), [], "objects")


@case(seconds=90)
def a_folder_goes_from_s3_to_gs_and_back(bench):
    s3, gs = bench.world.stores["s3"], bench.world.stores["gs"]
    uris = [s3.uri(bench.bucket(s3), "a"), gs.uri(bench.bucket(gs), "b"),
            s3.uri(bench.bucket(s3), "c/d")]
    folder = trees.write(bench.path("folder"), trees.MIXED)
    for source, target in itertools.pairwise([folder, *uris, bench.path("back")]):
        bench.good("cp", "-r", source, target)
    trees.require_equal(folder, bench.path("back"))


@case("s3", "gs", "az", "hdfs", seconds=90)
def three_shards_copy_everything_once(bench, store):
    bucket = bench.bucket(store)
    files = {f"{n % 4}/{n}": b"%d" % n for n in range(40)}
    folder = trees.write(bench.path("folder"), files)
    shards = []
    for shard in 1, 2, 3:
        bench.good("cp", "-r", "--shard", f"{shard}/3", folder, store.uri(bucket, f"part{shard}"))
        bench.good("cp", "-r", "--shard", f"{shard}/3", folder, store.uri(bucket, "whole"))
        start = f"part{shard}/"
        shards.append([key.removeprefix(start) for key in store.keys(bucket)
                       if key.startswith(start) and not key.endswith("/")])
    equal(sorted(sum(shards, [])), sorted(files), "objects of all shards")
    wanted(max(map(len, shards)) - min(map(len, shards)) <= 1, "equal shares", shards)
    bench.good("cp", "-r", store.uri(bucket, "whole"), bench.path("back"))
    trees.require_equal(folder, bench.path("back"))


@case("s3", "gs", "az", "hdfs")
def filters_choose_what_is_copied(bench, store):
    bucket = bench.bucket(store)
    folder = trees.write(bench.path("folder"), {
        "a.txt": b"", "b.bin": b"", "deep/c.txt": b"", "deep/d.bin": b""})
    for number, (arguments, want) in enumerate([
            (["--include", "*.txt"], ["a.txt", "deep/c.txt"]),
            (["--exclude", "*.txt"], ["b.bin", "deep/d.bin"]),
            (["--include", "*.txt", "--exclude", "deep/*"], ["a.txt"])]):
        bench.good("cp", "-r", *arguments, folder, store.uri(bucket, str(number)))
        equal([key.partition("/")[2] for key in store.keys(bucket)
               if key.startswith(f"{number}/") and not key.endswith("/")], want,
              " ".join(arguments))


@case("s3", "gs", "az", "hdfs")
def mv_moves_a_folder(bench, store):
    bucket = bench.bucket(store)
    for key in "from/a", "from/b/c", "from2/d":
        store.put(bucket, key, key.encode())
    bench.good("mv", store.uri(bucket, "from"), store.uri(bucket, "to"))
    equal([key for key in store.keys(bucket) if not key.endswith("/")],
          ["from2/d", "to/a", "to/b/c"], "objects")
    equal(store.get(bucket, "to/b/c"), b"from/b/c", "contents")


@case("s3", "gs", "az", seconds=90)
def folders_that_are_objects_of_their_own_are_folders(bench, store):
    bucket = bench.bucket(store)
    # As created by the stores' web consoles.
    for key in "folder/", "folder/empty/":
        store.put(bucket, key, b"")
    store.put(bucket, "folder/file", b"contents")
    uri = store.uri(bucket, "folder")
    equal([name.rstrip("/") for name in bench.good("ls", uri).lines], ["empty", "file"], "names")
    bench.good("cp", "-r", uri, bench.path("back"))
    equal(sorted(os.listdir(bench.path("back"))), ["empty", "file"], "names")
    equal(os.listdir(bench.path("back", "empty")), [], "names")
    bench.good("rm", "-r", uri)
    equal(store.keys(bucket), [], "objects")


@case("s3", "gs", "az", "hdfs")
def continue_on_error_copies_the_rest_and_says_what_failed(bench, store):
    bucket = bench.bucket(store)
    folder = trees.write(bench.path("folder"), {"a": b"a", "b": b"b", "c": b"c"})
    os.symlink("nowhere", os.path.join(folder, "bad"))
    ended = bench.run("cp", "-r", "--continue-on-error", folder, store.uri(bucket, "x"))
    wanted(ended.code != 0 and "bad" in ended.err, "an error that names `bad`", ended)
    equal([key for key in store.keys(bucket) if not key.endswith("/")],
          ["x/a", "x/b", "x/c"], "objects")
