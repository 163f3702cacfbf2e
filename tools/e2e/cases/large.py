"""Large files."""
import hashlib
import os
import random

from case import case, equal

SIZE = 200_000_000


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@case("s3", "gs", seconds=150)
def two_hundred_megabytes_come_back_with_the_same_sha_256(bench, store):
    uri = store.uri(bench.bucket(store), "large")
    there = bench.file("there", random.Random(200).randbytes(SIZE))
    bench.good("cp", there, uri)
    bench.good("cp", uri, bench.path("back"))
    equal(sha256(bench.path("back")), sha256(there), "SHA-256")
    os.remove(bench.path("back"))
