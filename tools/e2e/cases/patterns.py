"""mv and rm with patterns take what matches, and nothing whose name begins alike."""
import os

from case import case, equal
from exit_codes import MISSING
from cases.spoiled import all_objects, spoiled
from faults import Fault

OBJECTS = {"a1": b"1", "a2": b"22", "a10": b"ten", "b1": b"b", "deep/a1": b"deep",
           "deep/a1/x": b"below", "a*": b"star", "into/other": b"other"}


def filled(bench, store):
    bucket = bench.bucket(store)
    for key, contents in OBJECTS.items():
        store.put(bucket, key, contents)
    return bucket


def moved(*keys, to=None):
    left = {key: value for key, value in OBJECTS.items() if key not in keys}
    return {**left, **({f"{to}/{key}": OBJECTS[key] for key in keys} if to else {})}


@case("s3")
def mv_takes_what_matches_and_nothing_that_begins_alike(bench, store):
    for pattern, keys in ("a?", ["a1", "a2", "a*"]), ("a[12]", ["a1", "a2"]), ("b*", ["b1"]), \
            ("a[*]", ["a*"]), ("[ab]1", ["a1", "b1"]):
        bucket = filled(bench, store)
        bench.good("mv", store.uri(bucket, pattern), store.uri(bucket, "into/"))
        equal(all_objects(store, bucket), moved(*keys, to="into"), f"objects after mv {pattern}")
        bucket = filled(bench, store)
        here = bench.path(bucket)
        os.mkdir(here)
        bench.good("mv", store.uri(bucket, pattern), here)
        equal(all_objects(store, bucket), moved(*keys), f"objects after mv {pattern} here")
        equal(sorted(os.listdir(here)), sorted(keys), f"files after mv {pattern} here")
        bucket = filled(bench, store)
        bench.good("rm", store.uri(bucket, pattern))
        equal(all_objects(store, bucket), moved(*keys), f"objects after rm {pattern}")


@case("s3")
def a_pattern_that_cannot_be_expanded_changes_nothing(bench, store):
    bucket = filled(bench, store)
    uri, into = store.uri(bucket, "a?"), store.uri(bucket, "into/")
    for verb in ["mv", uri, into], ["rm", uri], ["cp", uri, into]:
        for fault in Fault("LIST", "status", 403), Fault("LIST", "status", 503), \
                Fault("LIST", "cut", 100), Fault("LIST", "close"):
            ended = spoiled(bench, store, [fault], *verb)
            if ended.code == 0 or not ended.error:
                raise AssertionError(f"expected an error: {ended}")
            equal(all_objects(store, bucket), OBJECTS, f"objects after {ended}")
        bench.bad(verb[0], store.uri(bucket, "nothing*"), *verb[2:], code=MISSING)
        equal(all_objects(store, bucket), OBJECTS, "objects")
