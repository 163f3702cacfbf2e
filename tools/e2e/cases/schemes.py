"""The other schemes of tensorflow-io: http, hdfs, oss, az."""
from case import case, equal, wanted
from exit_codes import MISSING, UNSUPPORTED
from small_servers import web_server

BYTES = bytes(range(256)) * 10000
ALL = ["az", "har", "hdfs", "http", "https", "oss", "s3", "viewfs"]


@case()
def all_eight_schemes_of_tensorflow_io_register(bench):
    lines = bench.good("inspect", bench.world.plugins["s3"]).lines
    equal(sorted(line.split("'")[1] for line in lines if line.startswith("  scheme '")), ALL,
          "schemes")


@case()
def http_reads_whole_files_and_ranges(bench):
    ranges = []
    with web_server({"/file": BYTES}, ranges) as server:
        uri = f"http://127.0.0.1:{server.port}/file"
        wanted(bench.good("cat", uri).out == BYTES, "equal bytes", "others")
        equal(bench.good("stat", uri).lines[:2],
              ["type    file", f"length  {len(BYTES)}"], "stat")
        ranges.clear()
        found = bench.good("cat", "--offset", "1000000", "--count", "10", uri).out
        equal(found, BYTES[1000000:1000010], "bytes")
        wanted(ranges and None not in ranges, "requests for ranges alone", ranges)
        bench.good("cp", uri, bench.path("copy"))
        bench.good("cmp", uri, bench.path("copy"))


@case("s3", "gs", "az", "hdfs")
def http_files_are_copied_to_a_store(bench, store):
    bucket = bench.bucket(store)
    with web_server({"/file": BYTES}, []) as server:
        bench.good("cp", f"http://127.0.0.1:{server.port}/file", store.uri(bucket, "file"))
    wanted(store.get(bucket, "file") == BYTES, "equal bytes", "others")


@case()
def http_says_what_is_missing_and_what_it_cannot_do(bench):
    with web_server({"/folder/file": BYTES}, []) as server:
        uri = f"http://127.0.0.1:{server.port}/folder"
        bench.bad("cat", uri + "/none", code=MISSING, says=uri + "/none")
        bench.bad("glob", uri + "/*", code=UNSUPPORTED, says=["UNIMPLEMENTED", "get_children"])
        for arguments in [["rm", uri + "/file"], ["touch", uri + "/new"]]:
            ended = bench.run(*arguments)
            wanted(ended.code > 0 and ended.error, "an error", ended)


@case(seconds=180)
def http_in_a_process_of_its_own_answers_the_same(bench):
    files = {"/file": BYTES, "/empty": b""}
    with web_server(files, []) as server:
        uri = f"http://127.0.0.1:{server.port}"
        commands = [(verb, f"{uri}/{name}") for name in ("file", "empty", "none", "")
                    for verb in ("cat", "stat", "exists", "ls", "du", "head", "touch", "rm")]
        commands += [("cat", "--offset", "1000000", "--count", "10", uri + "/file"),
                     ("cat", "--offset", str(len(BYTES) + 1), uri + "/file"),
                     ("cmp", uri + "/file", uri + "/empty"), ("glob", uri + "/*"),
                     ("cp", uri + "/file", bench.path("copy")), ("cat", bench.path("copy")),
                     ("cp", uri + "/none", bench.path("none")), ("mkdir", uri + "/new"),
                     ("cp", "-r", uri + "/", bench.path("tree")),
                     ("mv", uri + "/file", uri + "/moved")]
        for verb, *operands in commands:
            here, isolated = bench.run(verb, *operands), bench.run(verb, "--isolate", *operands)
            equal((isolated.code, isolated.out, isolated.err), (here.code, here.out, here.err),
                  f"the isolated {verb} {operands}")


@case()
def hdfs_says_that_libhdfs_is_missing(bench):
    for scheme in "hdfs", "viewfs", "har":
        ended = bench.run("ls", f"{scheme}://host:1/folder", env={"HADOOP_HDFS_HOME": "/none"})
        wanted(ended.code > 0 and "libhdfs.so" in ended.err, "an error about libhdfs.so", ended)


@case()
def oss_names_the_function_that_is_missing(bench):
    ended = bench.run("ls", "oss://bucket/folder")
    wanted(ended.code > 0 and ended.error and "tsl::" in ended.err,
           "an error that names a function of tsl::", ended)


@case()
def the_others_work_after_oss_has_failed_in_the_same_process(bench):
    uris = []
    for scheme in "s3", "az":
        store = bench.world.stores[scheme]
        bucket = bench.bucket(store)
        store.put(bucket, "file", f"from {scheme}\n".encode())
        uris.append(store.uri(bucket, "file"))
    with web_server({"/file": b"from http\n"}, []) as web:
        ended = bench.run("cat", "--in-process", "--continue-on-error", "oss://bucket/file",
                          *uris, f"http://127.0.0.1:{web.port}/file")
    wanted(ended.code > 0 and "tsl::" in ended.err, "an error that names a function", ended)
    equal(ended.lines, ["from s3", "from az", "from http"], "files")
