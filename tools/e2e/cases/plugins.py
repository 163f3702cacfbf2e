"""How plugins are found."""
import os
import shutil

from case import case, equal, wanted


@case("s3", "gs")
def a_wheel_is_a_plugin(bench, store):
    bucket = bench.bucket(store)
    store.put(bucket, "file", b"contents")
    wheel = bench.world.wheels[store.scheme]
    for _ in range(2):  # first unpacks it, then uses the cache
        equal(bench.good("cat", "--plugin", wheel, store.uri(bucket, "file"),
                         env={"FSLOAD_PLUGIN_PATH": ""}).out, b"contents", "contents")


@case("s3", "gs")
def a_shared_object_is_a_plugin(bench, store):
    bucket = bench.bucket(store)
    store.put(bucket, "file", b"contents")
    equal(bench.good("cat", "--plugin", bench.world.plugins[store.scheme],
                     store.uri(bucket, "file"), env={"FSLOAD_PLUGIN_PATH": ""}).out,
          b"contents", "contents")


@case("s3", "gs")
def under_another_file_name_a_plugin_is_as_safe(bench, store):
    bucket = bench.bucket(store)
    for name in "a", "ab", "abc":
        store.put(bucket, name, name.encode())
    plugin = bench.path("libstore.so")
    shutil.copy(bench.world.plugins[store.scheme], plugin)
    for source, target in ("a", "c"), ("c", "d/c"):
        bench.good("mv", "--plugin", plugin, store.uri(bucket, source), store.uri(bucket, target),
                   env={"FSLOAD_PLUGIN_PATH": ""})
    equal({key: store.get(bucket, key) for key in sorted(store.keys(bucket))},
          {"ab": b"ab", "abc": b"abc", "d/c": b"a"}, "the objects")


@case()
def plugins_lists_what_the_path_holds(bench):
    out = bench.good("plugins").out.decode()
    for words in [*map(os.path.basename, bench.world.plugins.values()), "s3", "gs", "hdfs"]:
        wanted(words in out, words, out)


@case("s3", "gs")
def without_a_plugin_it_is_said_what_to_install(bench, store):
    package = {"s3": "tensorflow-io", "gs": "tensorflow-io-gcs-filesystem"}[store.scheme]
    ended = bench.run("ls", store.uri("bucket"), env={"FSLOAD_PLUGIN_PATH": ""})
    wanted(ended.code > 0 and package in ended.err, f"an error that names {package}", ended)
