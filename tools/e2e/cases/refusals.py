"""Refusals by a server or the machine: missing buckets, missing permissions."""
import os

from case import case, equal, wanted
from exit_codes import CRASHED, DENIED, MISSING
from processes import s3_server
from small_servers import refusing_server


@case("s3", "gs")
def a_missing_bucket_is_told(bench, store):
    uri = store.uri("no-such-bucket-here")
    for arguments in [["cat", uri + "file"], ["stat", uri + "file"]]:
        bench.bad(*arguments, code=MISSING, says=uri)
    local = bench.file("file", b"x")
    # The s3 plugin sends no request to make a folder.
    makes = [["mkdir", "-p", uri + "folder"]] if store.scheme != "s3" else []
    for arguments in [["ls", uri], ["cp", local, uri + "file"], ["touch", uri + "file"],
                      ["mv", local, uri + "file"],
                      ["cp", "-r", uri + "folder", bench.path("copy")], *makes]:
        ended = bench.run(*arguments)
        wanted(ended.code > 0 and ended.code != CRASHED and "no-such-bucket-here" in ended.err,
               "an error that names the bucket", ended)
    equal(sorted(os.listdir(bench.folder)), ["file"], "local files")


@case()
def s3_credentials_that_are_wrong_are_told(bench):
    with s3_server(bench.world.python, check_credentials=True) as server:
        environment = bench.world.environment(s3_port=server.port)
        local = bench.file("file", b"x")
        for arguments in [["cat", "s3://bucket/file"], ["ls", "s3://bucket/"],
                          ["stat", "s3://bucket/file"], ["cp", local, "s3://bucket/file"],
                          ["mv", local, "s3://bucket/file"]]:
            ended = bench.run(*arguments, env=environment)
            # The plugin reports some 403s as NOT_FOUND.
            wanted(ended.code in (1, DENIED, MISSING) and ended.error,
                   "an error", ended)
        wanted(os.path.exists(local), "the source to be there", "none")


@case("s3", "gs")
def a_server_that_forbids_is_told(bench, store):
    bucket = bench.bucket(store)
    for status in 401, 403:
        with refusing_server(status) as server:
            environment = bench.world.environment(**{f"{store.scheme}_port": server.port})
            for arguments in [["cat", store.uri(bucket, "file")], ["ls", store.uri(bucket)],
                              ["cp", bench.file("file", b"x"), store.uri(bucket, "file")]]:
                ended = bench.run(*arguments, env=environment)
                wanted(ended.code in (1, DENIED, MISSING) and ended.error, "an error", ended)


@case("s3", "gs", "hdfs")
def a_folder_that_may_not_be_written_is_told(bench, store):
    bucket = bench.bucket(store)
    store.put(bucket, "file", b"x")
    folder = bench.path("forbidden")
    os.mkdir(folder, 0o555)
    bench.bad("cp", store.uri(bucket, "file"), os.path.join(folder, "file"), code=DENIED,
              says=folder, nobody=True)
    bench.bad("cp", "-r", store.uri(bucket), os.path.join(folder, "copy"), code=DENIED,
              says=folder, nobody=True)
    equal(os.listdir(folder), [], "files")


@case("s3", "gs", "hdfs")
def a_file_that_may_not_be_read_is_told(bench, store):
    bucket = bench.bucket(store)
    secret = bench.file("secret", b"x")
    os.chmod(secret, 0)
    bench.bad("cp", secret, store.uri(bucket, "file"), code=DENIED, says=secret, nobody=True)
    equal(store.keys(bucket), [], "objects")


@case("s3", "gs", "hdfs")
def mv_deletes_nothing_that_it_could_not_copy(bench, store):
    bucket = bench.bucket(store)
    store.put(bucket, "file", b"x")
    folder = bench.path("forbidden")
    os.mkdir(folder, 0o555)
    bench.bad("mv", store.uri(bucket, "file"), os.path.join(folder, "file"), code=DENIED,
              nobody=True)
    equal(store.get(bucket, "file"), b"x", "contents")
