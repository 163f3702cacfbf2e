"""Servers that die, stall or never answer, and people who press Ctrl-C."""
import os
import signal
import time

from case import case, equal, wanted
from exit_codes import CRASHED, DENIED, INTERRUPTED, MISSING
from processes import gs_server, s3_server
from small_servers import FailingProxy, SilentServer
from stores import Gs, S3

SIZE = 40_000_000

PATIENCE = []

SERVERS = {"s3": (s3_server, S3), "gs": (gs_server, Gs)}


def through(bench, store, proxy):
    """The environment in which `store` is reached through `proxy`."""
    return {**bench.world.environment(**{f"{store.scheme}_port": proxy.port}),
            "S3_REQUEST_TIMEOUT_MSEC": "3000"}


def failed_cleanly(ended):
    """It said what failed, and did not die of it."""
    wanted(ended.code > 0 and ended.code not in (MISSING, DENIED, CRASHED) and
           ended.err.startswith("fsload: "), "an error of the server", ended)


def contents(path):
    with open(path, "rb") as file:
        return file.read()


@case("s3", "gs", seconds=90)
def a_server_killed_in_the_middle_of_a_read_is_an_error(bench, store):
    start, make_store = SERVERS[store.scheme]
    for verb in "cat", "cp":
        with start(bench.world.python) as server:
            store = make_store(server.port)
            bucket = bench.bucket(store)
            store.put(bucket, "large", bytes(SIZE))
            target = [bench.path("target")] if verb == "cp" else []
            with FailingProxy(server.port, SIZE // 4, "server", fail=server.kill) as proxy:
                ended = bench.run(verb, *PATIENCE, store.uri(bucket, "large"), *target,
                                  env=through(bench, store, proxy))
                wanted(proxy.failed.is_set(), "the read to reach the server", ended)
            failed_cleanly(ended)
            equal(os.listdir(bench.folder), [], f"files that {verb} left")


@case("s3", "gs", seconds=90)
def a_server_killed_in_the_middle_of_a_write_leaves_the_source(bench, store):
    start, make_store = SERVERS[store.scheme]
    for verb in "cp", "mv":
        with start(bench.world.python) as server:
            store = make_store(server.port)
            bucket = bench.bucket(store)
            source = bench.file("source", bytes(SIZE))
            with FailingProxy(server.port, SIZE // 4, "client", fail=server.kill) as proxy:
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
    with FailingProxy(store.port, SIZE // 4, "client") as proxy:
        ended = bench.run("cp", *PATIENCE, source, store.uri(bucket, "large"),
                          env=through(bench, store, proxy))
    failed_cleanly(ended)
    equal(store.get(bucket, "large"), b"old", "contents")


@case("s3", "gs", seconds=90)
def a_server_that_never_answers_is_an_error(bench, store):
    bucket = bench.bucket(store)
    store.put(bucket, "file", b"x")
    for arguments in [["cat", store.uri(bucket, "file")], ["ls", store.uri(bucket)],
                      ["cp", bench.file("source", b"x"), store.uri(bucket, "new")]]:
        with SilentServer() as silent:
            failed_cleanly(bench.run(*arguments[:1], *PATIENCE, *arguments[1:],
                                     env=through(bench, store, silent)))


def interrupt(bench, store, proxy, *arguments):
    """Runs fsload through `proxy`, which stalls, and then presses Ctrl-C."""
    process = bench.start(*arguments, env=through(bench, store, proxy))
    reached = proxy.failed.wait(bench.seconds_left() / 2)
    began = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    ended = bench.finish(process, arguments)
    seconds = time.monotonic() - began
    wanted(reached, "the copy to reach the server", ended)
    wanted(seconds < 10, "an end within 10 s of Ctrl-C", f"{seconds:.1f} s: {ended}")
    equal(ended.code, INTERRUPTED, f"exit code of {ended}")


@case("s3", "gs")
def an_interrupted_download_leaves_no_target(bench, store):
    bucket = bench.bucket(store)
    store.put(bucket, "large", bytes(SIZE))
    for before in None, b"old":
        folder = bench.path("folder")
        os.makedirs(folder, exist_ok=True)
        if before is not None:
            bench.file("folder/target", before)
        with FailingProxy(store.port, SIZE // 4, "server", stall=True) as proxy:
            interrupt(bench, store, proxy, "cp", store.uri(bucket, "large"),
                      os.path.join(folder, "target"))
        equal(os.listdir(folder), [] if before is None else ["target"], "files")
        if before is not None:
            equal(contents(os.path.join(folder, "target")), before, "contents")


@case("s3", "gs")
def an_interrupted_upload_leaves_no_target(bench, store):
    bucket = bench.bucket(store)
    source = bench.file("source", bytes(SIZE))
    for before in None, b"old":
        if before is not None:
            store.put(bucket, "target", before)
        with FailingProxy(store.port, SIZE // 4, "client", stall=True) as proxy:
            interrupt(bench, store, proxy, "cp", source, store.uri(bucket, "target"))
        equal(store.keys(bucket), [] if before is None else ["target"], "objects")
        equal(store.get(bucket, "target"), before, "contents")
    wanted(contents(source) == bytes(SIZE), "the source as it was", "another")
