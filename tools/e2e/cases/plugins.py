"""How plugins are found, and what is said of them."""
import json
import os
import shutil

from case import case, equal, wanted

# Headers of plugins for other processors: bytes at offsets.
FOREIGN = {
    "aarch64": {18: 183},
    "riscv64": {18: 243},
    "i686": {4: 1, 18: 3},
    "s390x": {5: 2, 18: 0, 19: 22},
    "ppc": {4: 1, 5: 2, 18: 0, 19: 20},
}


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


def said_of(bench, plugin, scheme):
    """What each way to the plugin says of it, in a folder and by name."""
    folder = {"FSLOAD_PLUGIN_PATH": os.path.dirname(plugin)}
    named = {"FSLOAD_PLUGIN_PATH": plugin}
    alone = {"FSLOAD_PLUGIN_PATH": ""}
    uri = f"{scheme}://bucket"
    for arguments, variables in [
            (["ls", uri], folder), (["ls", uri], named), (["ls", "--plugin", plugin, uri], alone),
            (["doctor", uri], folder), (["doctor", plugin], alone), (["plugins"], folder),
            (["check", plugin], alone), (["check", os.path.dirname(plugin)], alone),
            (["inspect", plugin], alone)]:
        ended = bench.run(*arguments, env={**variables, "COLUMNS": "9999"})
        yield arguments, f"{ended.out.decode()}{ended.err}"


@case("s3", "gs")
def a_plugin_for_another_processor_is_named_with_both(bench, store):
    with open(bench.world.plugins[store.scheme], "rb") as file:
        whole = file.read()
    for processor, header in FOREIGN.items():
        contents = bytearray(whole)
        for place, value in header.items():
            contents[place] = value
        plugin = bench.file(f"{processor}/libstore.so", contents)
        for arguments, said in said_of(bench, plugin, store.scheme):
            words = f"it is for {processor}; this program is x86-64"
            wanted(words in said and "libstore.so" in said, f"{arguments}: {words}", said)


@case("s3", "gs")
def a_truncated_plugin_is_named_with_the_reason(bench, store):
    with open(bench.world.plugins[store.scheme], "rb") as file:
        plugin = bench.file("cut/libstore.so", file.read(1_000_000))
    for arguments, said in said_of(bench, plugin, store.scheme):
        words = "the file is truncated"
        wanted(words in said and "libstore.so" in said, f"{arguments}: {words}", said)


@case("gs")
def the_newest_wheel_that_loads_is_taken(bench, store):
    wheel = bench.world.wheels[store.scheme]
    package, _, tags = os.path.basename(wheel).split("-", 2)
    wheels = [bench.path("wheels", f"{package}-{version}-{tags}")
              for version in ("0.38.0", "0.37.1", "0.31.0", "0.9.0")]
    bench.file(f"wheels/{os.path.basename(wheels[0])}", b"cut")
    for path in wheels[1:]:
        shutil.copy(wheel, path)
    env = {"FSLOAD_PLUGIN_PATH": bench.path("wheels"), "COLUMNS": "9999"}
    listed = json.loads(bench.good("plugins", "--format=json", env=env).out)["plugins"]
    equal([each["wheel"] for each in listed[1:]], wheels, "the wheels in their order")
    said = bench.run("doctor", store.uri("bucket"), env=env).out.decode()
    wanted(f"{wheels[0]} was passed over: " in said, "the wheel that is cut", said)
    for path in wheels[2:]:
        wanted(f"{path} (FSLOAD_PLUGIN_PATH) provides gs:// too" in said, path, said)


@case()
def it_is_said_what_works(bench):
    works = ("loads; 19 functions missing; az http https s3 work, hdfs viewfs har work with "
             "libhdfs.so, oss does not work\n")
    wheel = bench.world.wheels["s3"]
    for arguments in ["check", wheel], ["plugins"]:
        out = bench.good(*arguments, env={"FSLOAD_PLUGIN_PATH": wheel}).out.decode()
        wanted(works in out, works, out)
    equal(bench.run("check", "--strict", wheel).code, 1, "the exit code of check --strict")
    out = bench.run("doctor", wheel, env={"COLUMNS": "9999"}).out.decode()
    wanted(works.partition("; ")[2] in out, works, out)
    out = bench.good("check", bench.world.wheels["gs"]).out.decode()
    wanted("libtensorflow_io_gcs_filesystem.so: verified\n" in out, "verified", out)
