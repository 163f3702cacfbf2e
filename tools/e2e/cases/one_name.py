"""A file and a directory of one name, which only stores have; and directories where
files are wanted."""
import os

from case import case, equal, wanted
from exit_codes import FAILED

# The name that is both, by what is named.
BOTH = {"d": "d", "t": "t/d"}
OTHERS = {"d2": b"neighbour", "other": b"other"}


def filled(bench, store, top):
    bucket = bench.bucket(store)
    objects = {BOTH[top]: b"file", f"{BOTH[top]}/x": b"below", f"{BOTH[top]}/y/z": b"", **OTHERS}
    for key, contents in objects.items():
        store.put(bucket, key, contents)
    return bucket, objects


def objects_in(store, bucket):
    return {key: store.get(bucket, key) for key in store.keys(bucket)}


@case("s3", "gs", "az", seconds=180)
def a_file_and_a_directory_of_one_name_are_not_copied_as_one(bench, store):
    for top, both in BOTH.items():
        for verb in ["cp", "-r"], ["mv"], ["sync"], ["sync", "--delete"]:
            for within in True, False:
                bucket, objects = filled(bench, store, top)
                target = store.uri(bucket, "to") if within else bench.path("-".join([*verb, top]))
                bench.bad(*verb, store.uri(bucket, top), target, code=FAILED,
                          says=f"{store.uri(bucket, both)}: an object and a directory share this name")
                left = {key: contents for key, contents in objects_in(store, bucket).items()
                        if not key.startswith("to")}
                equal(left, objects, f"objects after {verb} of {top}")


@case("s3", "gs", "az", seconds=90)
def rm_r_deletes_a_file_and_the_directory_of_its_name(bench, store):
    for top in BOTH:
        bucket, objects = filled(bench, store, top)
        plan = bench.good("rm", "-r", "--dry-run", store.uri(bucket, top)).lines[-1]
        wanted("files: 3" in plan, "a plan with 3 files", plan)
        equal(objects_in(store, bucket), objects, "objects after a dry run")
        bench.good("rm", "-r", store.uri(bucket, top))
        equal(objects_in(store, bucket), OTHERS, f"objects after rm -r of {top}")


@case("s3", "gs", "az", seconds=90)
def without_r_nothing_below_a_file_is_touched(bench, store):
    for verb, last in [("rm", None), ("cp", "copy")]:
        bucket, objects = filled(bench, store, "d")
        ended = bench.run(verb, store.uri(bucket, "d"), *([bench.path(last)] if last else []))
        wanted(ended.code in (0, FAILED), "exit code 0 or 1", ended)
        found = objects_in(store, bucket)
        objects.update({} if verb == "cp" or ended.code else {"d": None})
        equal(found, {key: contents for key, contents in objects.items() if contents is not None},
              f"objects after {ended}")


@case("s3", "gs", "az", "hdfs", seconds=90)
def a_directory_is_not_read_as_a_file(bench, store):
    bucket = bench.bucket(store)
    store.put(bucket, "d/f", b"1\n2\n")
    local = bench.file("local", b"1\n2\n")
    for key in "d", "d/", "":
        uri = store.uri(bucket, key)
        for arguments in ["cat"], ["head"], ["tail"], ["tail", "-c", "1"], ["tail", "-n", "+1"], \
                ["cmp", local]:
            bench.bad(*arguments, uri, code=FAILED, says="is a directory, not a file")
    equal(os.listdir(bench.folder), ["local"], "local files")
