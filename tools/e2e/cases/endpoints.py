"""Several stores of one scheme, by a file of schemes; confined plugins."""
import os

from case import case, equal, wanted
from processes import gs_server, s3_server
from stores import S3, Gs

# How a second store of a scheme is named, and started.
SECOND = {
    "s3": ("S3_ENDPOINT", s3_server, S3),
    "gs": ("CLOUD_STORAGE_EMULATOR_ENDPOINT", gs_server, Gs),
}


@case("s3", "gs", seconds=120)
def two_stores_of_a_scheme_are_used_in_one_command(bench, store):
    variable, server, kind = SECOND[store.scheme]
    with server(bench.world.python) as second:
        other = kind(second.port)
        bucket = bench.bucket(store)
        other.make_bucket(bucket)
        schemes = bench.file("schemes.toml", f"""
            [other]
            scheme = "{store.scheme}"
            call_timeout = "30s"
            [other.environment]
            {variable} = "http://127.0.0.1:{second.port}"
            """.encode())
        env = {"FSLOAD_SCHEMES": schemes}
        contents = {f"d/{number}": bytes([number]) * (number * 70_000) for number in range(12)}
        for key, value in contents.items():
            store.put(bucket, key, value)
        there = f"other://{bucket}/"
        bench.good("cp", "-r", store.uri(bucket, "d"), there + "copy", env=env)
        equal({key: other.get(bucket, key) for key in other.keys(bucket)
               if not key.endswith("/")},  # of a directory
              {key.replace("d/", "copy/"): value for key, value in contents.items()},
              "the objects of the other store")
        equal(sorted(store.keys(bucket)), sorted(contents), "the objects of the first store")
        bench.good("sync", "--delete", there + "copy", store.uri(bucket, "synced"), env=env)
        equal(sorted(key for key in store.keys(bucket) if key[:7] == "synced/" != key),
              sorted(key.replace("d/", "synced/") for key in contents), "the synced objects")
        bench.good("mv", there + "copy/3", store.uri(bucket, "moved"), env=env)
        equal(store.get(bucket, "moved"), contents["d/3"], "the moved object")
        wanted("copy/3" not in other.keys(bucket), "a moved object", other.keys(bucket))
        bench.good("rm", "-r", there + "copy", env=env)
        equal(list(other.keys(bucket)), [], "the objects after rm")
        wanted("No problems found." in bench.good("doctor", there, env=env).out.decode(),
               "no problems", "some")


@case("s3")
def a_name_of_a_store_keeps_what_is_known_of_it(bench, store):
    bucket = bench.bucket(store)
    store.put(bucket, "d/a", b"1")
    schemes = bench.file("schemes.toml", b'[other]\nscheme = "s3"\n')
    env = {"FSLOAD_SCHEMES": schemes}
    for name in "d//a", "d/../d/a", "":
        for arguments in (["cat"], ["rm"], ["stat"]):
            ended = bench.run(*arguments, f"other://{bucket}/{name}" if name else "other:///d/a",
                              env=env)
            wanted(ended.code == 1 and "INVALID_ARGUMENT" in ended.err, "a refusal", ended)
    equal(store.get(bucket, "d/a"), b"1", "the object")


@case("s3", "gs", "az", "hdfs")
def a_confined_plugin_copies_in_both_directions(bench, store):
    bucket = bench.bucket(store)
    contents = {f"t/{number}": bytes([number]) * (number * 900_000) for number in range(4)}
    for name, data in contents.items():
        bench.file(name, data)
    temporary = bench.path("tmp")
    os.mkdir(temporary)
    confined = {"env": {"TMPDIR": temporary}}
    bench.good("cp", "--confined", "-r", bench.path("t"), store.uri(bucket, "t"), **confined)
    equal({key: store.get(bucket, key) for key in contents}, contents, "the objects")
    bench.good("mv", "--confined", store.uri(bucket, "t/1"), store.uri(bucket, "t/moved"),
               **confined)
    bench.good("cp", "--confined", "-r", store.uri(bucket, "t"), bench.path("back"), **confined)
    found = {}
    for name in os.listdir(bench.path("back")):
        with open(bench.path("back", name), "rb") as file:
            found["t/" + name] = file.read()
    contents["t/moved"] = contents.pop("t/1")
    equal(found, contents, "the files")
    bench.good("rm", "--confined", "-r", store.uri(bucket, "t"), **confined)
    equal(os.listdir(temporary), [], "what is left in TMPDIR")
