"""Azure Blob Storage: what is changed there is what is named, and what is missing is
missing. The plugin takes every missing name for a directory, and its delete_dir and
rename_file change blobs that nobody has named (docs/verbs.md)."""
import datetime
import os

import trees
from case import case, equal, wanted
from cases.azure import other_account
from exit_codes import FAILED, MISSING

TREE = {"d/1": b"d/1", "d/10": b"d/10", "d/sub/2": b"d/sub/2"}
NEIGHBOURS = {"d2": b"d2", "d2x/3": b"d2x/3", "d.txt": b"d.txt", "a": b"a"}


def filled(bench, store, blobs):
    bucket = bench.bucket(store)
    for key, contents in blobs.items():
        store.put(bucket, key, contents)
    return bucket


def blobs(store, bucket):
    return {key: store.get(bucket, key) for key in store.keys(bucket)}


def moved(to):
    return {to + key.removeprefix("d"): contents for key, contents in TREE.items()}


# What is missing.

@case("az", seconds=90)
def nothing_is_at_a_missing_name(bench, store):
    bucket = filled(bench, store, TREE)
    for name in "none", "none/", "none/deep", "d/none", "d/1/none", "D", "d/", "d/sub":
        code = 0 if name in ("d/", "d/sub") else MISSING
        uri = store.uri(bucket, name)
        for verb in ["stat"], ["exists"], ["ls"], ["du"]:
            ended = bench.run(*verb, uri)
            equal(ended.code, code, f"exit code of {ended}")
            equal(ended.error == "", code == 0 or verb == ["exists"], f"no error of {ended}")
    for verb in "cat", "head", "tail":
        bench.bad(verb, store.uri(bucket, "none"), code=MISSING, says=store.uri(bucket, "none"))
    bench.bad("cp", "-r", store.uri(bucket, "none"), bench.path("copy"), code=MISSING)
    bench.bad("sync", store.uri(bucket, "none"), bench.path("copy"), code=MISSING)
    wanted(not os.path.exists(bench.path("copy")), "no copy", "one")
    for verb in ["rm"], ["rm", "-r"]:
        bench.bad(*verb, store.uri(bucket, "none"), code=MISSING)
    equal(blobs(store, bucket), TREE, "blobs")


@case("az")
def a_container_is_a_directory_and_a_missing_one_is_not(bench, store):
    bucket = filled(bench, store, TREE)
    for uri in store.uri(bucket), store.uri(bucket).rstrip("/"):
        equal(bench.good("stat", uri).lines[0], "type    directory", "type")
        bench.good("exists", uri)
        out = bench.good("du", uri).out.decode()
        wanted("14" in out.split(), "14 bytes in all", out)
    local = bench.file("local", b"1")
    for name in "", "file", "folder/":
        uri = store.uri(f"{bucket}-none", name)
        for verb in "stat", "exists", "ls", "du":
            bench.bad(verb, uri, code=MISSING)
    uri = store.uri(f"{bucket}-none", "file")
    for arguments in ["cat", uri], ["rm", uri], ["cp", local, uri], ["touch", uri], ["mkdir", uri], \
            ["mkdir", "-p", uri]:
        bench.bad(*arguments, code=MISSING, says=f"the container '{bucket}-none' does not exist")
    bench.good("mkdir", store.uri(f"{bucket}-none"))
    equal(bench.good("ls", store.uri(f"{bucket}-none")).lines, [], "names")


@case("az")
def times_are_those_of_the_blobs(bench, store):
    bucket = filled(bench, store, {"file": b"1", "folder/file": b"2"})
    paths = bench.file("here", b"1"), store.uri(bucket, "file")
    here, there = (datetime.datetime.fromisoformat(
        bench.good("stat", path).lines[2].split()[1].partition(".")[0]) for path in paths)
    wanted(abs((here - there).total_seconds()) < 60, "times that differ by less than a minute",
           (here, there))
    folder = store.uri(bucket, "folder")
    equal(bench.good("stat", folder).lines[2], "mtime   unknown", "the time of a folder")
    for line in bench.good("ls", "-l", store.uri(bucket)).lines:
        wanted("2242" not in line and "1970" not in line, "no invented time", line)
    wanted('"mtime":null' in bench.good("stat", "--json", folder).out.decode(), "null", "a time")


@case("az")
def a_container_is_a_root(bench, store):
    bucket = filled(bench, store, TREE)
    for uri in store.uri(bucket), store.uri(bucket)[:-1]:
        for verb in ["rm", "-r"], ["mv"]:
            bench.bad(*verb, uri, *([bench.path("to")] if verb == ["mv"] else []), code=FAILED,
                      says="the root of a container")
    for uri in "az://account", "az://account/":
        for verb in ["rm", "-r"], ["ls"], ["stat"], ["cat"]:
            bench.bad(*verb, uri, code=FAILED, says="no container is named")
    equal(blobs(store, bucket), TREE, "blobs")
    bench.good("cp", "-r", store.uri(bucket), bench.path("copy"))
    trees.require_equal(trees.write(bench.path("want"), TREE), bench.path("copy"))
    source = trees.write(bench.path("source"), {"d/1": b"new", "e": b"e"})
    bench.good("sync", "--delete", source, store.uri(bucket))
    equal(blobs(store, bucket), {"d/1": b"new", "e": b"e"}, "blobs")


# What is written.

@case("az", seconds=90)
def each_verb_that_writes_writes_what_is_named(bench, store):
    bucket = filled(bench, store, {"old": b"old", "oldest": b"oldest"})
    source = bench.file("source", b"new")
    for verb in ["cp", source, "made"], ["cp", source, "old"], ["cp", source, "deep/er/"], \
            ["touch", "touched"], ["touch", "oldest"], ["mkdir", "folder"], \
            ["mkdir", "-p", "folder/deep"], ["cp", "-", "input"]:
        bench.good(*verb[:-1], store.uri(bucket, verb[-1]), input=b"input")
    found = {key: contents for key, contents in blobs(store, bucket).items()
             if not key.endswith("/")}
    equal(found, {"made": b"new", "old": b"new", "deep/er/source": b"new", "touched": b"",
                  "oldest": b"oldest", "input": b"input"}, "blobs")


@case("az")
def a_folder_that_was_made_is_there(bench, store):
    bucket = bench.bucket(store)
    bench.good("mkdir", store.uri(bucket, "made"))
    equal(bench.good("stat", store.uri(bucket, "made")).lines[0], "type    directory", "type")
    equal(bench.good("ls", store.uri(bucket)).lines, ["made"], "names")
    bench.good("cp", bench.file("source", b"new"), store.uri(bucket, "made"))
    equal(store.get(bucket, "made/source"), b"new", "contents")


@case("az", seconds=120)
def a_file_of_several_megabytes_is_replaced_as_a_whole(bench, store):
    bucket = bench.bucket(store)
    for contents in os.urandom(70_000_001), os.urandom(3_000_000), b"":
        source = bench.file("source", contents)
        bench.good("cp", source, store.uri(bucket, "file"))
        wanted(store.get(bucket, "file") == contents, "equal bytes", "others")
        equal(store.keys(bucket), ["file"], "keys")


# What is deleted and moved.

@case("az", seconds=90)
def rm_r_leaves_the_neighbours(bench, store):
    for name in "d", "d/":
        bucket = filled(bench, store, {**TREE, **NEIGHBOURS, "d/sub/": b""})
        bench.good("rm", "-r", store.uri(bucket, name))
        equal(blobs(store, bucket), NEIGHBOURS, f"blobs after rm -r {name}")
    bucket = filled(bench, store, {**TREE, **NEIGHBOURS, "d": b"a file, too"})
    ended = bench.run("rm", "-r", store.uri(bucket, "d"))
    left = blobs(store, bucket)
    wanted(NEIGHBOURS.items() <= left.items(), "the neighbours", f"{left} after {ended}")


@case("az", seconds=120)
def mv_moves_what_is_named(bench, store):
    other = other_account(store)
    for name, to, target in [("within a container", "e", None), ("between containers", "e", store),
                             ("to the same name", "d", store), ("between accounts", "d", other)]:
        bucket = filled(bench, store, {**TREE, **NEIGHBOURS})
        there, place = target or store, bucket
        if target:
            place = filled(bench, target, {"d2": b"there", "a": b"there"})
        bench.good("mv", store.uri(bucket, "d"), there.uri(place, to))
        want = {**NEIGHBOURS, **moved(to)} if not target else \
            {"d2": b"there", "a": b"there", **moved(to)}
        equal(blobs(there, place), want, f"blobs after mv {name}")
        if target:
            equal(blobs(store, bucket), NEIGHBOURS, f"blobs of the source after mv {name}")


@case("az", seconds=120)
def mv_of_a_file_deletes_that_file_alone(bench, store):
    other = other_account(store)
    for to, target in ("b", None), ("file", store), ("b", store), ("file", other):
        bucket = filled(bench, store, {"file": b"moved", "file2": b"2"})
        there, place, extra = target or store, bucket, {}
        if target:
            # rename_file deletes the source's name in the target's container.
            extra = {"file": b"unrelated"} if to != "file" else {}
            place = filled(bench, target, {**extra, "file2": b"there"})
        bench.good("mv", store.uri(bucket, "file"), there.uri(place, to))
        if target:
            equal(blobs(there, place), {**extra, "file2": b"there", to: b"moved"}, "the target")
            equal(blobs(store, bucket), {"file2": b"2"}, "the source")
        else:
            equal(blobs(store, bucket), {"file2": b"2", to: b"moved"}, "blobs")


@case("az")
def a_file_moved_onto_itself_stays(bench, store):
    bucket = filled(bench, store, {"d/file": b"kept"})
    whole = store.uri(bucket, "d/file")
    host = whole.replace("//account/", "//account.blob.core.windows.net/")
    for to in whole, store.uri(bucket, "d/"), store.uri(bucket, "d"), host, \
            store.uri(bucket, "d/../d/file"), store.uri(bucket, "d//file"):
        for verb in "mv", "cp":
            ended = bench.run(verb, whole, to)
            equal(store.get(bucket, "d/file"), b"kept", f"contents after {ended}")
    for to in whole, store.uri(bucket, "d/"):
        bench.bad("mv", whole, to, code=FAILED)


@case("az", seconds=120)
def sync_delete_deletes_what_is_missing_and_nothing_else(bench, store):
    source = trees.write(bench.path("source"), {"1": b"1", "sub/2": b"2"})
    old = {"d/1": b"older", "d/extra": b"e", "d/gone/x": b"x"}
    bucket = filled(bench, store, {**old, **NEIGHBOURS})
    bench.good("sync", "--delete", source, store.uri(bucket, "d"))
    equal(blobs(store, bucket), {"d/1": b"1", "d/sub/2": b"2", **NEIGHBOURS}, "blobs")
    bucket = filled(bench, store, {**TREE, **NEIGHBOURS})
    here = trees.write(bench.path("here"), {"1": b"older", "extra": b"e", "gone/x": b"x"})
    bench.good("sync", "--delete", store.uri(bucket, "d"), here)
    trees.require_equal(trees.write(bench.path("want"), {
        key.removeprefix("d/"): contents for key, contents in TREE.items()}), here)
    equal(blobs(store, bucket), {**TREE, **NEIGHBOURS}, "blobs")


@case("az", seconds=120)
def a_copy_within_the_store_ends(bench, store):
    bucket = filled(bench, store, {"f": b"f" * 131072, "g": b"g", "empty": b"", **TREE})
    for key in "f", "g", "empty":
        bench.good("cp", store.uri(bucket, key), store.uri(bucket, f"{key}-copy"))
        equal(store.get(bucket, f"{key}-copy"), store.get(bucket, key), "contents")
    bench.good("cp", "-r", store.uri(bucket, "d"), store.uri(bucket, "e"))
    found = blobs(store, bucket)
    equal({key: found[key] for key in found if key.startswith("e/")}, moved("e"), "the copy")


@case("az", seconds=90)
def what_cannot_be_seen_is_not_taken_for_missing(bench, store):
    bucket = filled(bench, store, {"keep": b"contents"})
    source = bench.file("source", b"new")
    wrong = {"TF_AZURE_STORAGE_KEY": "d3Jvbmc="}
    uri = store.uri(bucket, "keep")
    for arguments in ["exists", uri], ["cat", uri], ["touch", uri], ["cp", "-n", source, uri], \
            ["mkdir", uri], ["mv", source, uri], ["rm", uri]:
        ended = bench.run(*arguments, env=wrong)
        wanted(ended.code not in (0, MISSING) and ended.error, "an error, not that it is missing",
               ended)
    equal(blobs(store, bucket), {"keep": b"contents"}, "blobs")
    wanted(os.path.exists(source), "the source", "none")
