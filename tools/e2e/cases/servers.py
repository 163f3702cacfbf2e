"""Servers that are missing, elsewhere or odd, and variables that name them."""
import os
import select
import signal

from case import case, equal, wanted
from exit_codes import DENIED, FAILED, MISSING, RETRYABLE
from small_servers import answering_server, plain_server, redirecting_server

BYTES = bytes(range(256)) * 10000
PAGE = b"<html>\n<body>\n" + b"<p>There is no such page here.</p>\n" * 100 + b"</html>\n"
NO_BUCKET = "no-such-bucket-here"


def readers(uri, target):
    """Commands that read the file `uri`, some to the file `target`."""
    return [["cat", uri], ["head", uri], ["tail", uri], ["stat", uri], ["ls", uri], ["du", uri],
            ["cat", "--offset", "5", "--count", "3", uri], ["cp", uri, target]]


@case(seconds=120)
def http_statuses_are_told_in_one_short_line(bench):
    for status, code in [(404, MISSING), (410, MISSING), (403, DENIED), (500, RETRYABLE)]:
        with answering_server(status, PAGE) as server:
            uri = f"http://127.0.0.1:{server.port}/file"
            for arguments in readers(uri, bench.path("copy")):
                ended = bench.bad(*arguments, "--retries", "0", code=code, says=uri,
                                  env={"FSLOAD_HIDE_MISSING_FUNCTIONS": "1"})
                equal(len(ended.err.splitlines()), 1, f"lines of {ended}")
                wanted(len(ended.err) < 900 and ended.err.count("<html>") <= 1,
                       "a page that is cut and quoted once", ended)
            if code == MISSING:
                bench.bad("exists", uri, code=MISSING)
    equal(os.listdir(bench.folder), [], "files")


@case(seconds=120)
def http_files_of_servers_without_ranges_are_read(bench):
    files = {"/small": b"hello\n", "/large": BYTES, "/block": BYTES[:1 << 20]}
    with plain_server(files) as server:
        for name, contents in files.items():
            uri = f"http://127.0.0.1:{server.port}{name}"
            wanted(bench.good("cat", uri).out == contents, "equal bytes", "others")
            for offset, count in (0, 2), (1, 4), (3, 100), (1 << 19, 1 << 21):
                found = bench.good("cat", "--offset", str(offset), "--count", str(count), uri).out
                wanted(found == contents[offset:offset + count], f"{count} bytes at {offset}",
                       found[:20])
            equal(bench.good("tail", "-c", "3", uri).out, contents[-3:], "the last bytes")
            equal(bench.good("head", "-c", "4", uri).out, contents[:4], "the first bytes")
            bench.good("cp", uri, bench.path("copy"))
            bench.good("cmp", uri, bench.path("copy"))


@case("s3", "gs", "az", seconds=120)
def a_missing_bucket_is_named(bench, store):
    word = "container" if store.scheme == "az" else "bucket"
    uri = store.uri(NO_BUCKET)
    local = bench.file("file", b"x")
    for arguments in [["ls", uri], ["ls", "-R", uri], ["ls", uri + "d"], ["ls", uri + "*"],
                      ["stat", uri], ["stat", uri + "f"], ["du", uri], ["du", uri + "d"],
                      ["cat", uri], ["cat", uri + "f"], ["head", uri + "f"], ["tail", uri + "f"],
                      ["glob", uri + "*"], ["glob", uri + "d/*"], ["glob", uri + "f"],
                      ["cmp", local, uri + "f"], ["rm", uri + "f"], ["rm", "-r", uri + "d"],
                      ["cp", uri + "f", bench.path("copy")], ["cp", "-r", uri, bench.path("copy")],
                      ["cp", local, uri + "f"], ["mv", local, uri + "f"], ["touch", uri + "f"],
                      ["mv", uri + "f", bench.path("copy")], ["sync", uri, bench.path("copy")]]:
        bench.bad(*arguments, code=MISSING, says=f"the {word} '{NO_BUCKET}' does not exist")
    for missing in uri, uri + "f":
        bench.bad("exists", missing, code=MISSING)
    equal(os.listdir(bench.folder), ["file"], "files")


@case("s3", "gs", "az")
def what_is_missing_in_a_bucket_is_not_the_bucket(bench, store):
    bucket = bench.bucket(store)
    for arguments in [["ls"], ["cat"], ["stat"]]:
        ended = bench.bad(*arguments, store.uri(bucket, "none"), code=MISSING)
        wanted("the bucket" not in ended.err and "the container" not in ended.err,
               "no word about the bucket", ended)
    equal(bench.good("glob", store.uri(bucket, "*")).out, b"", "matches")


@case(seconds=120)
def s3_buckets_of_other_regions_are_told(bench):
    with redirecting_server() as server:
        environment = {"S3_ENDPOINT": f"http://127.0.0.1:{server.port}"}
        uri = "s3://bucket/"
        local = bench.file("file", b"x")
        for arguments in [["ls", uri], ["ls", uri + "d"], ["cat", uri + "f"], ["stat", uri + "f"],
                          ["exists", uri + "f"], ["glob", uri + "*"], ["cp", local, uri + "f"],
                          ["cp", uri + "f", bench.path("copy")], ["rm", uri + "f"],
                          ["du", uri + "d"], ["sync", uri, bench.path("copy")]]:
            bench.bad(*arguments, code=FAILED, env=environment,
                      says=["the bucket is in another region", "AWS_REGION"])
        wanted(os.path.exists(local), "the local file", "none")


@case("s3", "gs", seconds=90)
def keys_with_an_empty_part_are_told_by_listings(bench, store):
    bucket = bench.bucket(store)
    for key in "a", "c/d", "/1", "c//e":
        store.put(bucket, key, b"in " + key.encode())
    uri = store.uri(bucket)
    for arguments, folders in [(["ls"], ["/"]), (["ls", "-R"], ["/", "c//"]),
                               (["ls", "-lR"], ["/", "c//"]), (["du"], ["/", "c//"])]:
        ended = bench.bad(*arguments, uri, code=FAILED, says=[
            f"{uri}{folder}: object names here have an empty" for folder in folders])
        wanted(ended.out, "the other names", ended)
    target, folder = bench.path("t"), store.uri(bucket, "c")
    for arguments in [["cp", "-r", uri, target], ["mv", folder, target], ["sync", uri, target],
                      ["sync", "--delete", uri, target], ["rm", "-r", folder]]:
        bench.bad(*arguments, code=FAILED, says="object names here have an empty")
    for key in "/1", "c//e":
        equal(store.get(bucket, key), b"in " + key.encode(), key)


@case("s3", "gs", seconds=90)
def sync_delete_leaves_what_is_not_included(bench, store):
    bucket = bench.bucket(store)
    bench.file("source/keep.log", b"1")
    for key in "old/x.log", "b.txt", "c.log":
        store.put(bucket, key, b"there")
    uri = store.uri(bucket)
    bench.good("sync", "--delete", "--include", "*.tmp", bench.path("source"), uri)
    equal(store.keys(bucket), ["b.txt", "c.log", "old/x.log"], "keys")
    bench.good("sync", "--delete", "--include", "*.txt", bench.path("source"), uri)
    equal(store.keys(bucket), ["c.log", "old/x.log"], "keys")
    # A source that is empty is none that only lacks what is included.
    os.mkdir(bench.path("empty"))
    bench.bad("sync", "--delete", "--include", "*.log", bench.path("empty"), uri, code=FAILED,
              says="has no files")
    equal(store.keys(bucket), ["c.log", "old/x.log"], "keys")


@case(seconds=120)
def variables_that_name_no_server_are_refused_at_once(bench):
    for scheme, variable, value, says in [
            ("s3", "S3_ENDPOINT", "{host}", "it does not say http:// or https://"),
            ("s3", "S3_ENDPOINT", "HTTP://{host}", "it does not begin with http://"),
            ("s3", "S3_ENDPOINT", "ftp://{host}", "it does not begin with http://"),
            ("s3", "S3_ENDPOINT", " http://{host}", "a blank"),
            ("s3", "S3_ENDPOINT", "http://{host} ", "a blank"),
            ("s3", "S3_ENDPOINT", "'http://{host}'", "a quote"),
            ("s3", "S3_ENDPOINT", "http://", "no host"),
            ("s3", "S3_ENDPOINT", "http://127.0.0.1:x", "no port"),
            ("s3", "S3_ENDPOINT", "http://{host}/bucket", "without the path"),
            ("gs", "CLOUD_STORAGE_EMULATOR_ENDPOINT", "ftp://{host}", "it does not begin"),
            ("gs", "CLOUD_STORAGE_EMULATOR_ENDPOINT", "http://{host} ", "a blank"),
            ("az", "TF_AZURE_STORAGE_BLOB_ENDPOINT", "http://{host}", "without http://"),
            ("az", "TF_AZURE_STORAGE_BLOB_ENDPOINT", "{host} ", "a blank")]:
        store = bench.world.stores.get(scheme, bench.world.stores["s3"])
        environment = {variable: value.format(host=f"127.0.0.1:{store.port}")}
        for verb in ["ls"], ["cat"], ["rm"], ["doctor"]:
            ended = bench.run(*verb, f"{scheme}://bucket/file", env=environment)
            wanted(ended.code == FAILED, "exit code 1", ended)
            wanted(variable in ended.err + ended.out.decode() and
                   says in ended.err + ended.out.decode(), f"{variable} and {says!r}", ended)


@case("s3", "gs")
def a_slash_after_the_server_does_no_harm(bench, store):
    variable = {"s3": "S3_ENDPOINT", "gs": "CLOUD_STORAGE_EMULATOR_ENDPOINT"}[store.scheme]
    bucket = bench.bucket(store)
    store.put(bucket, "file", b"x")
    found = bench.good("ls", store.uri(bucket), env={variable: f"http://127.0.0.1:{store.port}/"})
    equal(found.lines, ["file"], "names")


@case("s3", "gs")
def a_server_of_http_that_is_asked_for_https_is_told(bench, store):
    variable = {"s3": "S3_ENDPOINT", "gs": "CLOUD_STORAGE_EMULATOR_ENDPOINT"}[store.scheme]
    bench.bad("ls", store.uri(bench.bucket(store)), code=RETRYABLE,
              env={variable: f"https://127.0.0.1:{store.port}"},
              says=["it speaks http, not https", variable])


@case("s3", "gs")
def variables_of_other_tools_are_handed_on(bench, store):
    bucket = bench.bucket(store)
    store.put(bucket, "file", b"x")
    own, names = {"s3": ("S3_ENDPOINT", ["AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3"]),
                  "gs": ("CLOUD_STORAGE_EMULATOR_ENDPOINT", ["STORAGE_EMULATOR_HOST"]),
                  }[store.scheme]
    for name in names:
        server = f"http://127.0.0.1:{store.port}"
        equal(bench.good("ls", store.uri(bucket), env={own: None, name: server}).lines, ["file"],
              f"names with {name}")
        bench.bad("ls", store.uri(bucket), env={own: None, name: "ftp://host"}, code=FAILED,
                  says=f"{own} (from {name})")
        # The plugin's own variable counts, and doctor says so.
        environment = {name: "http://127.0.0.1:1"}
        bench.good("ls", store.uri(bucket), env=environment)
        told = bench.run("doctor", store.uri(bucket), env=environment).out.decode()
        wanted(f"{name} is set, but {own} counts" in told, "a note", told)


@case()
def variables_that_no_plugin_reads_are_named_by_errors(bench):
    for uri, name in [("s3://no-such-bucket-here/f", "AWS_NO_SIGN_REQUEST"),
                      ("az://account/container/f", "AZURE_STORAGE_CONNECTION_STRING")]:
        environment = {name: "1", "S3_ENDPOINT": "http://127.0.0.1:1",
                       "TF_AZURE_STORAGE_BLOB_ENDPOINT": "127.0.0.1:1"}
        told = bench.run("doctor", uri, env=environment).out.decode()
        wanted(f"{name} is set, but" in told, "a note of doctor", told)


@case("s3")
def nothing_is_written_after_the_command_is_killed(bench, store):
    bucket = bench.bucket(store)
    store.put(bucket, "large", bytes(60_000_000))
    for _ in range(3):
        process = bench.start("cp", store.uri(bucket, "large"), bench.path("copy"))
        children = children_of(process.pid)
        process.send_signal(signal.SIGKILL)
        process.wait()
        for child in children:
            wanted(has_ended(child, seconds=1), "the child to end with its parent", child)
        process.communicate()


def children_of(pid):
    """Waits until the process has children."""
    while True:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            found = file.read().split()
        if found:
            return found


def has_ended(pid, seconds):
    """Whether the process ends within so many seconds."""
    try:
        handle = os.pidfd_open(int(pid))
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([handle], [], [], seconds)[0])
    finally:
        os.close(handle)
