"""An S3 store that gives wrong answers: a file stays until its replacement is
there. The random runs (../run_faults) search for more such cases."""
import os
import random

import trees
from case import case, equal, wanted
from exit_codes import FAILED, MISSING, OK
from fault_proxy import FaultProxy
from faults import Fault

OLD, NEW = b"old contents", b"new contents"  # of equal length
# Each retry costs a second or more.
IMPATIENT = {"AWS_MAX_ATTEMPTS": "1", "S3_REQUEST_TIMEOUT_MSEC": "1000"}
WRITE_ONLY = [Fault(method, "status", 403) for method in ("HEAD", "LIST", "GET")]


def spoiled(bench, store, faults, *arguments):
    """Runs fsload to its end, on a store with `faults`."""
    with FaultProxy(store.port, *faults) as proxy:
        return bench.run(*arguments, env={**bench.world.environment(s3_port=proxy.port),
                                          **IMPATIENT})


def all_objects(store, bucket):
    return {key: store.get(bucket, key) for key in store.keys(bucket)}


def contents(path):
    """The file's bytes; None if there is none."""
    if not os.path.exists(path):
        return None
    with open(path, "rb") as file:
        return file.read()


def moved_or_not(ended, source, target, leftovers):
    """`source` and `target` are their contents after an `mv` of NEW over OLD."""
    wanted(target in (OLD, NEW), "the old or the new contents at the target",
           f"{target} after {ended}")
    wanted(source == NEW or (source is None and target == NEW),
           "the source, or its contents at the target", f"{source}, {target} after {ended}")
    if ended.code == OK:
        wanted(source is None and target == NEW, "the file to have moved", ended)
    else:
        wanted(ended.error, "an error", ended)
    for name in leftovers:
        wanted(name in ended.err, f"the left {name} to be named", ended)


def large_file(bench, size):
    return bench.file("large", os.urandom(size))


@case("s3", seconds=120)
def mv_of_one_byte_more_than_100_MiB_loses_no_byte(bench, store):
    bucket = bench.bucket(store)
    source = large_file(bench, 104857601)
    before = contents(source)
    ended = bench.run("mv", source, store.uri(bucket, "h"))
    if store.get(bucket, "h") != before:
        wanted(contents(source) == before, "the source or an equal target", ended)
    equal(ended.code, OK, f"exit code of {ended}")
    wanted(not os.path.exists(source), "no source", ended)
    equal(store.keys(bucket), ["h"], "objects")


@case("s3", seconds=180)
def cp_of_one_byte_more_than_300_MiB_loses_no_byte(bench, store):
    bucket = bench.bucket(store)
    source = large_file(bench, 314572801)
    ended = bench.run("cp", source, store.uri(bucket, "h"))
    wanted(store.get(bucket, "h") == contents(source), "an equal target", ended)
    equal(ended.code, OK, f"exit code of {ended}")
    equal(store.keys(bucket), ["h"], "objects")


# Faults between the old object and the new one.
WHILE_REPLACING = [
    [Fault("COPY", "error in 200")],  # S3's answer when it fails late
    [Fault("COPY", "status", 503),
     Fault("HEAD", "status", 503, path=r"/\.fsload-", after="COPY")],
    [Fault("COPY", "status", 503), Fault("HEAD", "status", 503, after="COPY")],
    [Fault("COPY", "status", 503, done=True)],
    [Fault("COPY", "close"), Fault("HEAD", "status", 404, path="/source|fsload", after="COPY")],
    [Fault("PUT", "status", 503)],
    [Fault("PUT", "status", 503), Fault("HEAD", "status", 503, after="PUT")],
    [Fault("PUT", "close", done=True)],
    [Fault("LIST", "error in 200")],  # which the plugin's rename ignores
    [Fault("LIST", "status", 503)],
    [Fault("HEAD", "length", 5), Fault("COPY", "error in 200")],
]


@case("s3", seconds=120)
def mv_over_an_object_of_equal_length_deletes_no_source_that_is_not_there(bench, store):
    for faults in WHILE_REPLACING:
        bucket = bench.bucket(store)
        store.put(bucket, "target", OLD)
        source = bench.file("source", NEW)
        ended = spoiled(bench, store, faults, "mv", source, store.uri(bucket, "target"))
        moved_or_not(ended, contents(source), store.get(bucket, "target"),
                     set(store.keys(bucket)) - {"target"})


@case("s3", seconds=120)
def mv_within_the_store_deletes_no_source_that_is_not_there(bench, store):
    for faults in WHILE_REPLACING:
        bucket = bench.bucket(store)
        store.put(bucket, "target", OLD)
        store.put(bucket, "source", NEW)
        ended = spoiled(bench, store, faults, "mv", store.uri(bucket, "source"),
                        store.uri(bucket, "target"))
        moved_or_not(ended, store.get(bucket, "source"), store.get(bucket, "target"),
                     set(store.keys(bucket)) - {"source", "target"})


@case("s3", "hdfs")
def mv_moves_no_object_whose_name_begins_alike(bench, store):
    for folder in "", "folder/":
        bucket = bench.bucket(store)
        for key in "a", "ab", "cb":
            store.put(bucket, folder + key, key.encode())
        bench.good("mv", store.uri(bucket, folder + "a"), store.uri(bucket, folder + "c"))
        equal(all_objects(store, bucket),
              {folder + "c": b"a", folder + "ab": b"ab", folder + "cb": b"cb"}, "objects")


@case("s3", seconds=90)
def nothing_that_cannot_be_seen_is_emptied_or_overwritten(bench, store):
    local = bench.file("local", NEW)
    for faults in [WRITE_ONLY, WRITE_ONLY[:1], [Fault("HEAD", "status", 404)],
                   [Fault("HEAD", "status", 503)],
                   [Fault("HEAD", "status", 404), Fault("LIST", "status", 503)],
                   [Fault("LIST", "error in 200")],
                   [Fault("HEAD", "status", 404), Fault("LIST", "cut", 100)]]:
        bucket = bench.bucket(store)
        store.put(bucket, "keep", OLD)
        uri = store.uri(bucket, "keep")
        for arguments in [["touch", uri], ["cp", "-n", local, uri]]:
            ended = spoiled(bench, store, faults, *arguments)
            equal(all_objects(store, bucket), {"keep": OLD}, f"objects after {ended}")
        ended = spoiled(bench, store, faults, "exists", uri)
        wanted(ended.code != MISSING, f"no answer that it is missing with {faults}", ended)


# A retried part must not remain in front of the next.
WHILE_READING = [Fault("GET", "status", 503, times=1), Fault("GET", "status", 403, times=2),
                 Fault("GET", "cut", 50, times=1), Fault("GET", "stall", 10, times=1),
                 Fault("GET", "short", 10), Fault("GET", "close", times=1),
                 Fault("HEAD", "length", -7), Fault("HEAD", "length", 7)]


@case("s3", seconds=120)
def what_is_read_is_what_is_there_or_an_error(bench, store):
    for size in 100, 5000, 3_000_000:
        want = random.Random(size).randbytes(size)
        bucket = bench.bucket(store)
        store.put(bucket, "file", want)
        target = bench.path("target")
        for fault in WHILE_READING if size == 5000 else WHILE_READING[:3]:
            ended = spoiled(bench, store, [fault], "cat", store.uri(bucket, "file"))
            wanted(ended.code != OK or ended.out == want, f"an error or equal bytes, {fault}",
                   f"{len(ended.out)} bytes {ended.out[:60]!r}, exit code {ended.code}")
            bench.file("target", OLD)
            ended = spoiled(bench, store, [fault], "mv", store.uri(bucket, "file"), target)
            equal(contents(target), want if ended.code == OK else OLD,
                  f"contents with {fault} after {ended}")
            if ended.code == OK:
                store.put(bucket, "file", want)
            wanted(store.get(bucket, "file") == want, "the source as it was", ended)


@case("s3", seconds=120)
def uploads_beside_one_that_fails_keep_their_bytes(bench, store):
    files = {str(n): random.Random(n).randbytes(5 + n) for n in range(40)}
    for turn in range(4):
        bucket = bench.bucket(store)
        folder = trees.write(bench.path("folder"), files)
        fault = Fault("PUT", ["close", "status"][turn % 2], 503, nth=3, times=12)
        ended = spoiled(bench, store, [fault], "mv", "-j", "8", folder, store.uri(bucket, "x"))
        for name, want in files.items():
            found = store.get(bucket, f"x/{name}")
            left = contents(os.path.join(folder, name))
            wanted(want in (left, found), f"the bytes of {name} here or there",
                   f"{left} and {found} with {fault} after {ended}")
            if ended.code == OK:
                equal(found, want, f"contents of {name} with {fault} after {ended}")


@case("s3", seconds=180)
def a_listing_that_fails_is_not_an_empty_folder(bench, store):
    objects = {f"d/{name}": name.encode() for name in ("a", "b", "c", "e/f")}
    for nth in range(1, 9):
        for fault in [Fault("LIST", "status", 404, nth=nth),
                      Fault("LIST", "error in 200", nth=nth, times=1)]:
            for verb in ["rm", "-r"], ["mv"], ["cp", "-r"]:
                bucket = bench.bucket(store)
                for key, value in objects.items():
                    store.put(bucket, key, value)
                local = bench.path(bucket)
                target = [] if verb[0] == "rm" else [local]
                ended = spoiled(bench, store, [fault], *verb, store.uri(bucket, "d"), *target)
                left = {key: value for key, value in all_objects(store, bucket).items() if value}
                done = {key: contents(f"{local}/{key[2:]}") for key in objects}
                if verb[0] != "rm":
                    for key, value in objects.items():
                        wanted(value in (left.get(key), done[key]), f"{key} here or there",
                               f"{left} and {done} with {fault} after {ended}")
                if ended.code == OK and verb[0] != "cp":
                    equal(left, {}, f"objects with {fault} after {ended}")
                if ended.code == OK and verb[0] != "rm":
                    equal(done, objects, f"files with {fault} after {ended}")


def remove_with_a_fault_in_c(bench, store, effect):
    """`rm -r` of the tree `a` with a fault in listings of `a/c`: how it ended, what is left
    of it, and what was in `c`."""
    bucket = bench.bucket(store)
    keys = [f"a/{name}/{number}" for name in "bcd" for number in range(3)]
    for key in keys:
        store.put(bucket, key, b"x")
    fault = Fault("LIST", *effect, path="prefix=a%2Fc%2F")
    ended = spoiled(bench, store, [fault], "rm", "-r", "--continue-on-error",
                    store.uri(bucket, "a"))
    return ended, store.keys(bucket), [key for key in keys if "/c/" in key]


@case("s3")
def rm_r_of_a_denied_directory_keeps_that_one_and_says_so(bench, store):
    ended, left, in_c = remove_with_a_fault_in_c(bench, store, ("status", 403))
    equal(left, in_c, f"objects after {ended}")
    wanted(ended.code != OK and "/a/c" in ended.err, "the directory to be named", ended)


@case("s3")
def rm_r_beside_a_listing_that_fails_deletes_all_or_says_so(bench, store):
    for effect in ("error in 200", 0), ("close", 0):
        ended, left, in_c = remove_with_a_fault_in_c(bench, store, effect)
        wanted(ended.code != OK or not left, "an error, or no objects", f"{left} after {ended}")
        wanted(set(left) <= set(in_c), "no objects of others", f"{left} after {ended}")


@case("s3", "gs")
def names_that_are_not_text_are_not_brought_to_a_store(bench, store):
    bucket = bench.bucket(store)
    folder = bench.path("odd").encode()
    os.mkdir(folder)
    for name in b"\xfe", b"\xff":
        with open(folder + b"/" + name, "wb") as file:
            file.write(name)
    for verb in ["cp", "-r"], ["mv"]:
        ended = bench.run(*verb, os.fsdecode(folder), store.uri(bucket, "odd"))
        equal(ended.code, FAILED, f"exit code of {ended}")
    equal(store.keys(bucket), [], "keys")
    equal(sorted(os.listdir(folder)), [b"\xfe", b"\xff"], "names")


@case("s3", "gs", "hdfs")
def nothing_is_put_where_a_source_still_is(bench, store):
    bucket = bench.bucket(store)
    for key, contents_of_key in ("A/x", OLD), ("A/A/x", NEW):
        store.put(bucket, key, contents_of_key)
    before = all_objects(store, bucket)
    sources = [store.uri(bucket, key) for key in ("A/A", "A/x")]
    for verb in ["cp", "-r"], ["mv"]:
        ended = bench.run(*verb, *sources, store.uri(bucket))
        wanted(ended.code == FAILED and "is also a source" in ended.error, "an error", ended)
        equal(all_objects(store, bucket), before, "objects")
