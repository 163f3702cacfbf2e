"""Servers that crash, stall or never answer, and users who press Ctrl-C."""
import os
import signal
import time

from case import case, equal, wanted
from exit_codes import CRASHED, DENIED, INTERRUPTED, MISSING, OK, RETRYABLE
from fault_proxy import FaultProxy
from faults import Fault
from processes import free_port, gs_server, s3_server
from small_servers import FailingProxy, SilentServer
from stores import Gs, S3

SIZE = 40_000_000
# The gs plugin retries a dead server for 15 minutes.
PATIENCE = ["--op-timeout", "8"]

SERVERS = {"s3": (s3_server, S3), "gs": (gs_server, Gs)}


def through(bench, store, proxy):
    """The environment in which `store` is reached through `proxy`."""
    return {**bench.world.environment(**{f"{store.scheme}_port": proxy.port}),
            "S3_REQUEST_TIMEOUT_MSEC": "2000", "AWS_MAX_ATTEMPTS": "2"}


def failed_cleanly(ended):
    """It reported what failed, and did not crash."""
    wanted(ended.code > 0 and ended.code not in (MISSING, DENIED, CRASHED) and ended.error,
           "an error of the server", ended)


def left_no_more(ended, found, want):
    """Nothing but `want` is left, unless reported: an operation that is killed
    cannot clean up."""
    for name in set(found) - set(want):
        wanted(name.startswith(".fsload-") and name in ended.err,
               f"nothing left but {want}, or its name told", f"{name} after {ended}")
    equal([name for name in found if name in want], want, "files that were there before")


def contents(path):
    with open(path, "rb") as file:
        return file.read()


@case("s3", "gs", seconds=120)
def a_dead_server_is_told_within_ten_seconds(bench, store):
    dead = free_port()
    file = bench.file("file", b"contents")
    uri = store.uri("bucket", "key")
    # As patient as the plugins are by themselves.
    environment = bench.world.environment(s3_port=dead, gs_port=dead)
    for name in "AWS_RETRY_MODE", "AWS_MAX_ATTEMPTS":
        del environment[name]
    for command in (["ls", store.uri("bucket")], ["stat", uri], ["exists", uri], ["cat", uri],
                    ["rm", uri], ["cp", uri, bench.path("down")], ["cp", file, uri],
                    ["mv", file, uri], ["sync", bench.folder, uri]):
        began = time.monotonic()
        ended = bench.run(*command, env=environment)
        seconds = time.monotonic() - began
        equal(ended.code, RETRYABLE, f"exit code of {ended}")
        wanted(f"cannot reach http://127.0.0.1:{dead} (Connection refused)" in ended.err,
               "the server's address", ended)
        wanted(seconds < 10, "an answer within 10 s", f"{seconds:.1f} s: {ended}")
    equal(os.listdir(bench.folder), ["file"], "files")
    equal(contents(file), b"contents", "contents")
    began = time.monotonic()
    ended = bench.run("doctor", uri, env=environment)
    wanted(f"problem  server         cannot reach http://127.0.0.1:{dead} (Connection refused)"
           in ended.out.decode() and ended.code == 1, "a server that cannot be reached", ended)
    wanted(time.monotonic() - began < 10, "an answer within 10 s", ended)


@case("s3", seconds=120)
def a_server_that_accepts_connections_and_fails_is_not_taken_for_an_empty_one(bench, store):
    bucket = bench.bucket(store)
    store.put(bucket, "file", b"x")
    store.put(bucket, "dir/a", b"x")
    file, folder = store.uri(bucket, "file"), store.uri(bucket, "dir")
    commands = [[verb, uri] for verb in ("stat", "exists", "ls", "du") for uri in (file, folder)]
    with FaultProxy(store.port) as proxy:
        environment = {**through(bench, store, proxy), "AWS_MAX_ATTEMPTS": "1"}
        for command in commands:
            for fault in Fault("*", "status", 503), Fault("*", "close"):
                proxy.inject(fault)
                ended = bench.run(*command, env=environment)
                equal(ended.code, RETRYABLE, f"exit code of {ended}")
            proxy.inject(Fault("*", "status", 403))
            equal(bench.run(*command, env=environment).code, DENIED, f"exit code of {command}")
            # What fails for the moment is there.
            proxy.inject(Fault("*", "status", 503, times=2))
            bench.good(*command, env=environment)


@case("s3", "gs", seconds=120)
def a_server_killed_in_the_middle_of_a_read_is_an_error(bench, store):
    start, make_store = SERVERS[store.scheme]
    for verb in "cat", "cp":
        with start(bench.world.python) as server:
            store = make_store(server.port)
            bucket = bench.bucket(store)
            store.put(bucket, "large", bytes(SIZE))
            target = [bench.path("target")] if verb == "cp" else []
            with FailingProxy(server.port, SIZE // 4, "server", "killed", server.kill) as proxy:
                ended = bench.run(verb, *PATIENCE, store.uri(bucket, "large"), *target,
                                  env=through(bench, store, proxy))
                wanted(proxy.failed.is_set(), "the read to reach the server", ended)
            failed_cleanly(ended)
            left_no_more(ended, os.listdir(bench.folder), [])


@case("s3", "gs", seconds=120)
def a_server_killed_in_the_middle_of_a_write_leaves_the_source(bench, store):
    start, make_store = SERVERS[store.scheme]
    for verb in "cp", "mv":
        with start(bench.world.python) as server:
            store = make_store(server.port)
            bucket = bench.bucket(store)
            source = bench.file("source", bytes(SIZE))
            with FailingProxy(server.port, SIZE // 4, "client", "killed", server.kill) as proxy:
                ended = bench.run(verb, *PATIENCE, source, store.uri(bucket, "large"),
                                  env=through(bench, store, proxy))
                wanted(proxy.failed.is_set(), "the write to reach the server", ended)
            failed_cleanly(ended)
            wanted(contents(source) == bytes(SIZE), "the source as it was", "another")


@case("s3", "gs", seconds=90)
def a_connection_lost_in_the_middle_of_a_write_leaves_the_old_file(bench, store):
    bucket = bench.bucket(store)
    store.put(bucket, "large", b"old")
    source = bench.file("source", bytes(SIZE))
    with FailingProxy(store.port, SIZE // 4, "client", "killed") as proxy:
        ended = bench.run("cp", *PATIENCE, source, store.uri(bucket, "large"),
                          env=through(bench, store, proxy))
    failed_cleanly(ended)
    equal(store.get(bucket, "large"), b"old", "contents")


@case("s3", "gs", seconds=180)
def a_server_that_never_answers_is_an_error(bench, store):
    bucket = bench.bucket(store)
    file, folder = store.uri(bucket, "file"), store.uri(bucket, "folder")
    store.put(bucket, "file", b"x")
    store.put(bucket, "folder/file", b"x")
    local = bench.file("local/file", b"local")
    here = os.path.dirname(local)
    for command in (["cat", file], ["tail", file], ["ls", store.uri(bucket)], ["du", folder],
                    ["cp", file, bench.path("new")], ["cp", local, file], ["mv", file, local],
                    ["mv", local, file], ["rm", "-r", folder],
                    ["mv", store.uri(bucket, "f*"), here], ["sync", "--delete", folder, here],
                    ["sync", "--delete", here, folder]):
        with SilentServer() as silent:
            began = time.monotonic()
            ended = bench.run(command[0], "--op-timeout", "4", *command[1:],
                              env=through(bench, store, silent))
        failed_cleanly(ended)
        seconds = time.monotonic() - began
        wanted(seconds < 20, "an end within 20 s", f"{seconds:.1f} s: {ended}")
    equal(sorted(os.listdir(bench.folder)), ["local"], "files")
    equal(os.listdir(here), ["file"], "files")
    equal(contents(local), b"local", "contents")
    equal([store.get(bucket, key) for key in ("file", "folder/file")], [b"x", b"x"], "objects")


def interrupt(bench, store, proxy, times, *arguments):
    """Runs fsload through `proxy`, and presses Ctrl-C after the proxy's
    failure."""
    process = bench.start(*arguments, env=through(bench, store, proxy))
    reached = proxy.failed.wait(bench.seconds_left() / 2)
    began = time.monotonic()
    for again in range(times):
        time.sleep(2.5 if again else 0.1)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGINT)
    ended = bench.finish(process, arguments)
    seconds = time.monotonic() - began
    wanted(reached, "the copy to reach the server", ended)
    wanted(seconds < 25, "an end within 25 s of Ctrl-C", f"{seconds:.1f} s: {ended}")
    return ended


@case("s3", "gs")
def an_interrupted_download_leaves_no_target(bench, store):
    bucket = bench.bucket(store)
    store.put(bucket, "large", bytes(SIZE))
    os.mkdir(bench.path("folder"))
    target = bench.path("folder", "target")
    for like, times in [("slow", 1), ("stalled", 2)]:
        for before in [], ["target"]:
            if before:
                bench.file("folder/target", b"old")
            with FailingProxy(store.port, SIZE // 4, "server", like) as proxy:
                ended = interrupt(bench, store, proxy, times, "cp", store.uri(bucket, "large"),
                                  target)
            equal(ended.code, INTERRUPTED, f"exit code of {ended}")
            left_no_more(ended, os.listdir(bench.path("folder")), before)
            if before:
                equal(contents(target), b"old", "contents")
            for name in os.listdir(bench.path("folder")):
                os.remove(bench.path("folder", name))


@case("s3", "gs", seconds=90)
def an_interrupted_upload_leaves_no_half_of_a_target(bench, store):
    source = bench.file("source", bytes(SIZE))
    for like, times in [("slow", 1), ("stalled", 2)]:
        for before in [], ["target"]:
            bucket = bench.bucket(store)
            if before:
                store.put(bucket, "target", b"old")
            with FailingProxy(store.port, SIZE // 4, "client", like) as proxy:
                ended = interrupt(bench, store, proxy, times, "cp", source,
                                  store.uri(bucket, "target"))
            if ended.code == OK:  # a single call sent everything, and completed
                wanted(store.get(bucket, "target") == bytes(SIZE), "a whole target", ended)
                continue
            equal(ended.code, INTERRUPTED, f"exit code of {ended}")
            left_no_more(ended, store.keys(bucket), before)
            if before:
                equal(store.get(bucket, "target"), b"old", "contents")
    wanted(contents(source) == bytes(SIZE), "the source as it was", "another")
