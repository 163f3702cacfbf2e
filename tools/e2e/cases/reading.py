"""ls, cat and stat."""
from case import case, equal, wanted


@case("s3", "gs")
def ls_names_what_is_in_a_folder(bench, store):
    bucket = bench.bucket(store)
    for key in ["folder/b", "folder/a", "folder/deep/c", "folder-too/d"]:
        store.put(bucket, key, b"x")
    equal(bench.good("ls", store.uri(bucket, "folder")).lines, ["a", "b", "deep"], "names")


@case("s3", "gs")
def cat_writes_the_bytes(bench, store):
    bucket = bench.bucket(store)
    contents = bytes(range(256)) * 10000
    store.put(bucket, "bytes", contents)
    wanted(bench.good("cat", store.uri(bucket, "bytes")).out == contents, "equal bytes", "others")


@case("s3", "gs")
def stat_tells_the_length(bench, store):
    bucket = bench.bucket(store)
    store.put(bucket, "file", b"12345")
    lines = bench.good("stat", store.uri(bucket, "file")).lines
    equal(lines[:2], ["type    file", "length  5"], "stat")
