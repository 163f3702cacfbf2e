"""Keys that no file tree has: whatever a store holds is copied or named in an
error, and what was neither moved nor named for deletion stays."""
import os

import trees
from case import case, equal, wanted

# Side by side below `d/`.
ODD = ["d", "d/a", "d/a/b", "d/../x", "d/./y", "d//", "d//f", "d/c//e", "d/m/", "d/m/n", "d/k/",
       "d/q/.", "d/q/..", "d/q/r", "d/z", "d/...", "d/u/v", "d/u/v/w/", "d/+ %2F"]


def put(store, bucket, keys):
    """The `keys` that the store accepts: {key: contents}."""
    # The gs emulator crashes on "..", and stores "d//" as "d".
    keys = [key for key in keys if store.scheme != "gs" or ".." not in key.split("/")]
    for key in keys:
        store.put(bucket, key, b"in " + key.encode())
    return {key: store.get(bucket, key) for key in keys}


def is_named(error, uri):
    """Whether the text reports the object: by its name, or with everything in a
    folder that no path leads to."""
    for line in error.splitlines():
        name = line.partition(": ")[2].partition(": ")[2].partition(": ")[0]
        if os.path.basename(name) in (".", ".."):
            name += "/"
        odd = name.endswith(("//", "/./", "/../"))
        if uri in (name, name[:-1] if odd else name) or (odd and uri.startswith(name)):
            return True
    return False


@case("s3", "gs", "az", seconds=180)
def each_odd_key_is_copied_or_named(bench, store):
    bucket = bench.bucket(store)
    objects = put(store, bucket, ODD)
    for verb in ["cp", "-r"], ["mv"]:
        folder = bench.path(verb[0])
        ended = bench.run(*verb, "--continue-on-error", store.uri(bucket, "d"), folder)
        wanted(ended.code != 0, "a code other than 0", ended)
        copied = {f"d/{name}": contents for name, contents in trees.read(folder).items()}
        named = {key for key in objects if is_named(ended.err, store.uri(bucket, key))}
        equal(set(copied) | named, set(objects), f"{verb[0]}: keys copied or named")
        equal(set(copied) & named, set(), f"{verb[0]}: keys copied and named")
        for key, contents in copied.items():
            equal(contents, objects[key], key)
    for key in named:
        equal(store.get(bucket, key), objects[key], f"{key} after mv")


@case("s3", "gs", "az", seconds=180)
def an_odd_key_ends_a_copy_before_anything_is_done(bench, store):
    for odd in "d", "d/a", "d/a/", "d//f", "d/./y":
        bucket = bench.bucket(store)
        objects = put(store, bucket, ["d/a/b", odd])
        for verb in ["cp", "-r"], ["mv"]:
            folder = bench.path("none")
            bench.bad(*verb, store.uri(bucket, "d"), folder, code=1, says=store.uri(bucket, "d"))
            wanted(not os.path.exists(folder), "no copy", os.path.exists(folder))
            equal(store.keys(bucket), sorted(objects), f"keys after {verb[0]}")


@case("s3", "gs", "az", seconds=180)
def rm_r_deletes_or_names_each_odd_key(bench, store):
    bucket = bench.bucket(store)
    objects = put(store, bucket, ODD + ["da"])
    ended = bench.run("rm", "-r", "--continue-on-error", store.uri(bucket, "d"))
    wanted(ended.code != 0, "a code other than 0", ended)
    left = {key for key in store.keys(bucket) if key != "da"}
    unnamed = {key for key in left if not is_named(ended.err, store.uri(bucket, key))}
    equal(unnamed, set(), "keys left and not named")
    equal(store.get(bucket, "da"), objects["da"], "the neighbour")


@case("s3", "gs", "az", seconds=90)
def what_a_directorys_own_object_holds_is_not_lost(bench, store):
    bucket = bench.bucket(store)
    put(store, bucket, ["d/m/", "d/m/n"])
    ended = bench.run("mv", "--continue-on-error", store.uri(bucket, "d"), store.uri(bucket, "e"))
    wanted(ended.code != 0 and store.uri(bucket, "d/m/") in ended.err, "an error for d/m/", ended)
    equal(store.get(bucket, "d/m/"), b"in d/m/", "d/m/")
    equal(store.get(bucket, "e/m/n"), b"in d/m/n", "e/m/n")


@case("s3", "gs", "az", seconds=90)
def empty_folders_reach_a_store(bench, store):
    bucket = bench.bucket(store)
    for verb in ["cp", "-r"], ["mv"]:
        folder = trees.write(bench.path(verb[0]), {"file": b"1", "full/file": b"2"})
        os.makedirs(os.path.join(folder, "empty/inner"))
        uri = store.uri(bucket, verb[0])
        bench.good(*verb, folder, uri)
        keys = [key for key in store.keys(bucket) if key.startswith(verb[0])]
        wanted(f"{verb[0]}/empty/inner/" in keys, "an object for the empty folder", keys)
        back = bench.path(f"{verb[0]}-back")
        bench.good("cp", "-r", uri, back)
        equal(sorted(os.listdir(back)), ["empty", "file", "full"], "names")
        equal(os.listdir(os.path.join(back, "empty")), ["inner"], "names")
    wanted(not os.path.exists(folder), "no folder after mv", os.path.exists(folder))
    # Between two places in the same store.
    bench.good("mv", uri, store.uri(bucket, "other"))
    keys = store.keys(bucket)
    wanted("other/empty/inner/" in keys, "an object for the empty folder", keys)
    equal([key for key in keys if key.startswith("mv")], [], "keys of the source")


@case("s3", "gs", "az")
def a_uri_without_a_bucket_is_refused(bench, store):
    bucket = bench.bucket(store)
    local = bench.file("f", b"1")
    uri = f"{store.scheme}:///{bucket}"
    host = "account" if store.scheme == "az" else "bucket"
    for arguments in (["mv", local, f"{uri}/f"], ["cp", local, f"{uri}/f"], ["rm", uri],
                      ["rm", "-r", "--really", "--really", uri], ["touch", f"{uri}/f"],
                      ["mkdir", f"{uri}/f"], ["ls", uri], ["cat", f"{uri}/f"], ["exists", uri],
                      ["stat", uri], ["du", uri], ["glob", f"{uri}/*"], ["cmp", local, f"{uri}/f"],
                      ["head", f"{uri}/f"], ["tail", f"{uri}/f"], ["cp", f"{uri}/f", bench.path("copy")]):
        bench.bad(*arguments, code=1, says=f"no {host} is named")
    told = bench.bad("ls", uri, code=1, env={**bench.world.environment(),
                                             "REQUESTS_CA_BUNDLE": "/dev/null"})
    wanted("REQUESTS_CA_BUNDLE" not in told.err, "no advice about certificates", told.err)
    told = bench.run("doctor", uri)
    wanted(b"1 problem found" in told.out, "a problem that doctor finds", told.out)
    container = "container" if store.scheme == "az" else "bucket"
    bench.bad("rm", f"{store.scheme}://", code=1, says=f"no {container} is named")
    equal(store.keys(bucket), [], "keys")
    wanted(os.path.exists(local), "the source", os.path.exists(local))
    bench.good("ls", store.uri(bucket))


@case("s3")
def a_uri_with_an_empty_part_reaches_no_other_object(bench, store):
    bucket = bench.bucket(store)
    objects = put(store, bucket, ["d/f", "d//f"])
    local = bench.file("f", b"1")
    uri = store.uri(bucket, "d//f")
    for arguments in (["cp", local, uri], ["mv", local, uri], ["rm", uri], ["cat", uri],
                      ["mv", uri, bench.path("g")],
                      ["rm", "-r", "--really", "--really", store.uri(bucket, "d//")]):
        bench.bad(*arguments, code=1, says="an empty component")
    equal({key: store.get(bucket, key) for key in ["d/f"]}, {"d/f": objects["d/f"]}, "objects")
    equal(store.keys(bucket), sorted(objects), "keys")


@case("s3", "gs", "az", "hdfs")
def the_target_means_the_same_though_a_source_fails(bench, store):
    bucket = bench.bucket(store)
    store.put(bucket, "t", b"old")
    local = bench.file("a", b"1")
    for verb in "cp", "mv":
        for target in store.uri(bucket, "t"), bench.file("t", b"old"):
            ended = bench.run(verb, "--continue-on-error", local, store.uri(bucket, "../c"), target)
            wanted(ended.code != 0, "a code other than 0", ended)
    equal(store.get(bucket, "t"), b"old", "the target")
    equal(trees.read(bench.folder), {"a": b"1", "t": b"old"}, "files")


@case("s3", "gs", "az", "hdfs")
def a_file_and_a_folder_for_one_target_are_refused(bench, store):
    bucket = bench.bucket(store)
    trees.write(bench.folder, {"x/a": b"1", "y/a/b": b"2"})
    for sources in (["x/a", "y/a"], ["y/a", "x/a"]):
        for verb in ["cp", "-r"], ["mv"]:
            bench.bad(*verb, *map(bench.path, sources), store.uri(bucket, "t/"), code=1,
                      says="another source has the same target")
            equal(store.keys(bucket), [], "keys")
            wanted(os.path.exists(bench.path("x/a")) and os.path.exists(bench.path("y/a/b")),
                   "both sources", os.listdir(bench.folder))
