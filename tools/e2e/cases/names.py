"""Names that programs mishandle."""
import os

import trees
from case import case, equal, wanted

AWKWARD = [
    "with space", " leading", "trailing ", "plus+and%20percent", "100%", "%2F", "a#b", "a?b=c&d",
    "star*", "[a-z]", "{a,b}", "back\\slash", "quote'\"", "Grüße-日本語", "e\u0301 and \u00e9",
    "tilde~", "comma,semi;colon:", "at@host", "-dash", "...", "x" * 255, "ß" * 127,
    "tab\tstop", "<a>&amp;", "line\nbreak",
]


def names_for(store):
    # moto does not find names with a line break, and Azure takes '\\' for '/'.
    missing = {"s3": "\n", "az": "\\"}.get(store.scheme)
    return [name for name in AWKWARD if missing is None or missing not in name]


@case("s3", "gs", "az", seconds=120)
def files_with_awkward_names_come_back(bench, store):
    bucket = bench.bucket(store)
    files = {name: name.encode() for name in names_for(store)}
    folder = trees.write(bench.path("folder"), files)
    uri = store.uri(bucket, "x")
    bench.good("cp", "-r", folder, uri)
    equal([key for key in store.keys(bucket) if not key.endswith("/")],
          sorted(f"x/{name}" for name in files), "objects")
    bench.good("cp", "-r", uri, bench.path("back"))
    trees.require_equal(folder, bench.path("back"))


@case("s3", "gs", "az", seconds=120)
def each_awkward_name_is_read_and_deleted_alone(bench, store):
    bucket = bench.bucket(store)
    for name in names_for(store):
        store.put(bucket, f"x/{name}", name.encode())
    store.put(bucket, "x/other", b"")
    problems = []
    for name in names_for(store):
        uri = store.uri(bucket, f"x/{name}")
        read, deleted = bench.run("cat", uri), bench.run("rm", uri)
        if read.code or read.out != name.encode() or deleted.code:
            problems.append(f"{name!r}: {read}; {deleted}")
    wanted(not problems, "all read and deleted", "\n".join(problems))
    equal(store.keys(bucket), ["x/other"], "objects")


@case("s3", "gs", "az")
def awkward_folders_are_listed(bench, store):
    bucket = bench.bucket(store)
    names = [name for name in names_for(store) if "\n" not in name]
    for name in names:
        store.put(bucket, f"{name}/file", b"")
    for name in names:
        equal(bench.good("ls", store.uri(bucket, name)).lines, ["file"], f"names in {name!r}")


@case("s3", "az")  # the gs emulator rejects such names
def names_that_lead_out_of_the_target_are_refused(bench, store):
    bucket = bench.bucket(store)
    store.put(bucket, "x/good", b"good")
    store.put(bucket, "x/../../escaped", b"bad")
    ended = bench.run("cp", "-r", store.uri(bucket, "x"), bench.path("inner", "back"))
    wanted(not os.path.exists(bench.path("escaped")), "no file outside of the target", ended)
