"""Data that the s3 plugin would lose: fsload works around its known bugs."""
import hashlib
import json
import os
import random
import signal
import subprocess
import time

from case import case, equal, wanted
from exit_codes import CRASHED, DENIED, INTERRUPTED, OK, RETRYABLE
from fault_proxy import FaultProxy
from faults import Fault

MEBIBYTE = 1 << 20
SHORT = {"AWS_MAX_ATTEMPTS": "1"}


def through(bench, proxy):
    return {**bench.world.environment(s3_port=proxy.port), **SHORT}


def refused(status):
    """The faults of a server that only allows writing."""
    return [Fault(method, "status", status) for method in ("HEAD", "GET", "LIST")]


def failed(ended):
    """It reported what failed, and did not crash."""
    wanted(ended.code not in (OK, CRASHED) and ended.error, "an error", ended)


def methods(proxy):
    return [str(request).split()[0] for request, _ in proxy.requests]


@case("s3", "az", seconds=240)
def large_files_are_moved_and_copied_whole(bench, store):
    bucket = bench.bucket(store)
    for verb, size in [("mv", 100 * MEBIBYTE + 1), ("cp", 300 * MEBIBYTE + 1)]:
        contents = random.Random(size).randbytes(MEBIBYTE) * (size // MEBIBYTE) + b"!"
        source = bench.file("source", contents)
        bench.good(verb, source, store.uri(bucket, "h"))
        equal(os.path.exists(source), verb == "cp", "whether the source is there")
        found = store.get(bucket, "h")
        equal(len(found), size, "bytes")
        wanted(hashlib.sha256(found).digest() == hashlib.sha256(contents).digest(),
               "equal bytes", "others")
        del found, contents


@case("s3", "gs", "az", "hdfs")
def mv_leaves_the_keys_alone_that_begin_with_the_sources(bench, store):
    bucket = bench.bucket(store)
    for key in "a", "ab", "cb":
        store.put(bucket, key, key.encode())
    bench.good("mv", store.uri(bucket, "a"), store.uri(bucket, "c"))
    equal({key: store.get(bucket, key) for key in store.keys(bucket)},
          {"c": b"a", "ab": b"ab", "cb": b"cb"}, "objects")


@case("s3", "az", "hdfs")
def a_folder_is_moved_within_a_bucket(bench, store):
    bucket = bench.bucket(store)
    for key in "d/1", "d/10", "d/sub/2", "d1":
        store.put(bucket, key, key.encode())
    bench.good("mv", store.uri(bucket, "d"), store.uri(bucket, "e"))
    equal({key: store.get(bucket, key) for key in store.keys(bucket)},
          {"e/1": b"d/1", "e/10": b"d/10", "e/sub/2": b"d/sub/2", "d1": b"d1"}, "objects")


@case("s3", seconds=120)
def verbs_that_cannot_see_whether_a_file_is_there_say_so(bench, store):
    for status, code in [(403, DENIED), (503, RETRYABLE), (500, RETRYABLE)]:
        bucket = bench.bucket(store)
        store.put(bucket, "keep", b"contents")
        source = bench.file("source", b"new")
        uri = store.uri(bucket, "keep")
        with FaultProxy(store.port, *refused(status)) as proxy:
            for arguments in [["touch", uri], ["cp", "-n", source, uri], ["cp", source, uri],
                              ["mv", source, uri], ["exists", uri],
                              ["exists", store.uri(bucket, "none")]]:
                bench.bad(*arguments, code=code, env=through(bench, proxy))
            bench.bad("mkdir", uri, code=code, env=through(bench, proxy))
        equal(store.get(bucket, "keep"), b"contents", "contents")
        equal(store.keys(bucket), ["keep"], "keys")
        wanted(os.path.exists(source), "the source to be there", "none")


@case("s3")
def one_question_that_fails_is_asked_another_way(bench, store):
    bucket = bench.bucket(store)
    store.put(bucket, "keep", b"contents")
    uri = store.uri(bucket, "keep")
    for verb in ["touch", uri], ["cp", "-n", bench.file("source", b"new"), uri]:
        with FaultProxy(store.port, Fault("HEAD", "status", 503, times=1)) as proxy:
            bench.good(*verb, env=through(bench, proxy))
        equal(store.get(bucket, "keep"), b"contents", f"contents after {verb}")


@case("s3")
def a_small_upload_takes_one_request_that_writes(bench, store):
    bucket = bench.bucket(store)
    with FaultProxy(store.port) as proxy:
        bench.good("cp", bench.file("source", b"new"), store.uri(bucket, "key"),
                   env=through(bench, proxy))
        found = methods(proxy)
    equal([one for one in found if one not in ("HEAD", "GET", "LIST")], ["PUT"],
          "requests that write")
    wanted(len(found) <= 20, "at most 20 requests", found)


@case("s3", seconds=120)
def an_upload_that_fails_leaves_the_old_object_and_the_source(bench, store):
    bucket = bench.bucket(store)
    for fault in [Fault("PUT", "status", 503), Fault("PUT", "error in 200"),
                  Fault("PUT", "close"), Fault("COPY", "error in 200")]:
        store.put(bucket, "key", b"old")
        source = bench.file("source", b"new")
        with FaultProxy(store.port, fault) as proxy:
            ended = bench.run("mv", source, store.uri(bucket, "key"), env=through(bench, proxy))
        found = store.get(bucket, "key")
        if ended.code == OK:
            equal(found, b"new", f"contents after {fault}")
        else:
            failed(ended)
            equal(found, b"old", f"contents after {fault}")
            wanted(os.path.exists(source), "the source to be there", ended)
        equal(store.keys(bucket), ["key"], f"keys after {fault}")


@case("s3", "gs", "az", "hdfs")
def standard_input_becomes_an_object_also_where_it_is_empty(bench, store):
    bucket = bench.bucket(store)
    for contents in b"", b"contents", b"Contents":
        with open(bench.file("input", contents), "rb") as stdin:
            bench.good("cp", "-", store.uri(bucket, "key"), stdin=stdin)
        equal(store.get(bucket, "key"), contents, "contents")
    equal(store.keys(bucket), ["key"], "keys")


@case("s3", "gs", "az", "hdfs")
def an_interrupted_copy_of_standard_input_is_not_published(bench, store):
    bucket = bench.bucket(store)
    store.put(bucket, "key", b"old")
    process = bench.start("cp", "-", store.uri(bucket, "key"), stdin=subprocess.PIPE)
    process.stdin.write(b"half")
    process.stdin.flush()
    time.sleep(2)  # it has opened the target, and waits for more input
    os.killpg(process.pid, signal.SIGINT)
    process.wait(bench.seconds_left())  # while its standard input is open
    ended = bench.finish(process, ["cp", "-"])
    equal(ended.code, INTERRUPTED, f"exit code of {ended}")
    equal(store.get(bucket, "key"), b"old", "contents")
    equal(store.keys(bucket), ["key"], "keys")


@case("s3")
def a_body_that_ends_early_is_an_error_with_both_numbers(bench, store):
    bucket = bench.bucket(store)
    store.put(bucket, "key", b"twelve bytes")
    uri = store.uri(bucket, "key")
    for arguments in [["cat", uri], ["cp", uri, "-"], ["cp", uri, bench.path("copy")],
                      ["mv", uri, bench.path("copy")]]:
        with FaultProxy(store.port, Fault("GET", "short", 8)) as proxy:
            ended = bench.run(*arguments, env=through(bench, proxy))
        failed(ended)
        wanted(not os.path.exists(bench.path("copy")), "no copy", ended)
    equal(store.get(bucket, "key"), b"twelve bytes", "contents")


@case("s3", seconds=90)
def progress_takes_for_done_only_what_the_plugin_has_sent(bench, store):
    bucket = bench.bucket(store)
    bytes_of_file = 3 * MEBIBYTE
    source = bench.file("source", bytes(bytes_of_file))
    for command in ["cp", source, store.uri(bucket, "key")], ["cp", "-", store.uri(bucket, "key")]:
        with FaultProxy(store.port, Fault("PUT", "hang")) as proxy:
            with open(source, "rb") as standard_input:
                process = bench.start(*command, "--json", stdin=standard_input,
                                      env=through(bench, proxy))
            deadline = time.monotonic() + bench.seconds_left() / 3
            while not proxy.hits and time.monotonic() < deadline:
                time.sleep(0.05)
            time.sleep(2.5)
            for _ in range(2):
                os.killpg(process.pid, signal.SIGINT)
                time.sleep(0.5)
            ended = bench.finish(process, command)
        objects = [json.loads(line) for line in ended.out.splitlines()]
        told = [each for each in objects if each["event"] == "progress"]
        wanted(told, "progress", ended)
        equal((told[-1]["bytes"], told[-1]["unsent"]), (0, bytes_of_file), f"progress of {ended}")
