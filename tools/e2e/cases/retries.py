"""Servers that fail for the moment: what is asked again, and what is not."""
import dataclasses
import json
import os
import signal
import time

from case import case, equal, wanted
from exit_codes import DENIED, INTERRUPTED, OK, RETRYABLE
from fault_proxy import FaultProxy
from faults import Fault

CONTENTS = b"contents of the object"


def impatient(bench, proxy):
    """The environment for `proxy` in which the plugin repeats nothing itself."""
    return {**bench.world.environment(s3_port=proxy.port), "AWS_MAX_ATTEMPTS": "1"}


def bucket_with_objects(bench, store):
    bucket = bench.bucket(store)
    for key in "one", "dir/a", "dir/b":
        store.put(bucket, key, CONTENTS)
    return bucket


@case("s3", seconds=90)
def a_question_is_repeated_if_the_server_fails_for_the_moment(bench, store):
    bucket = bucket_with_objects(bench, store)
    one, folder = store.uri(bucket, "one"), store.uri(bucket, "dir")
    with FaultProxy(store.port) as proxy:
        environment = impatient(bench, proxy)
        for effect, number in ("status", 503), ("status", 500), ("status", 429), ("close", 0):
            for command, fault, said in [
                    (["cat", one], Fault("GET", effect, number), CONTENTS),
                    (["ls", folder], Fault("LIST", effect, number, path="delimiter"),
                     b"a\nb\n")]:
                proxy.inject(dataclasses.replace(fault, times=2))
                ended = bench.run(*command, env=environment)
                equal((ended.code, ended.out), (OK, said), f"what {ended} did")
                for retries in 0, 1:
                    proxy.inject(fault)
                    before = len(proxy.hits)
                    ended = bench.run(*command, "--retries", str(retries), env=environment)
                    wanted(ended.code != OK, f"a failure after {retries} retries", ended)
                    # The plugin itself sends on a new connection what a kept one lost.
                    sent = len(proxy.hits) - before
                    wanted(sent == retries + 1 or effect == "close" and sent > retries,
                           f"{retries + 1} failed requests", f"{sent} of {ended}")


@case("s3")
def explain_tells_what_was_repeated_and_why(bench, store):
    bucket = bucket_with_objects(bench, store)
    with FaultProxy(store.port) as proxy:
        proxy.inject(Fault("GET", "status", 503, times=2))
        environment = impatient(bench, proxy)
        ended = bench.good("cat", "--explain", store.uri(bucket, "one"), env=environment)
        wanted("  retried: read, 2 times (INTERNAL: SlowDown: told to fail)\n" in ended.err,
               "what was repeated", ended)
        proxy.inject(Fault("GET", "status", 503, times=1))
        ended = bench.good("cat", "--json", "--explain", store.uri(bucket, "one"),
                           env=environment)
        objects = [json.loads(line) for line in ended.out.splitlines()]
        [explained] = [each for each in objects if each["event"] == "explain"]
        equal(explained["retries"], [{"name": "read", "code": "INTERNAL", "times": 1,
                                      "message": "SlowDown: told to fail"}], "retries")
        [read] = [each for each in explained["operations"] if each["name"] == "read"]
        equal((read["calls"], read["failed"]), (2, 1), "calls")


@case("s3")
def what_may_have_taken_effect_is_not_repeated(bench, store):
    bucket = bucket_with_objects(bench, store)
    source = bench.file("source", CONTENTS)
    with FaultProxy(store.port) as proxy:
        environment = impatient(bench, proxy)
        for method, command in [
                ("PUT", ["cp", source, store.uri(bucket, "new")]),
                ("DELETE", ["rm", store.uri(bucket, "one")])]:
            sent = []
            for retries in "0", "5":
                proxy.inject(Fault(method, "status", 503))
                before = len(proxy.hits)
                ended = bench.run(*command, "--retries", retries, env=environment)
                wanted(ended.code > 0, "an error", ended)
                sent.append(len(proxy.hits) - before)
            wanted(sent[0] > 0 and sent[0] == sent[1], f"as many of {method}", sent)
    equal(store.keys(bucket), ["dir/a", "dir/b", "one"], "objects")


@case("s3", seconds=90)
def a_server_that_fails_to_describe_a_file_does_not_make_it_missing(bench, store):
    bucket = bucket_with_objects(bench, store)
    one, large = store.uri(bucket, "one"), store.uri(bucket, "large")
    store.put(bucket, "large", bytes(3 << 20))
    with FaultProxy(store.port) as proxy:
        for status in 503, 403:
            for command in ["cat", large], ["cmp", one, one], ["glob", one], \
                    ["ls", "-l", store.uri(bucket)], ["rm", one], ["rm", "-rf", one]:
                proxy.inject(Fault("HEAD", "status", status))
                ended = bench.run(*command, env=impatient(bench, proxy))
                equal(ended.code, RETRYABLE, f"exit code of {ended}")
                wanted("could not be confirmed" in ended.err, "the reason", ended)
    equal(store.keys(bucket), ["dir/a", "dir/b", "large", "one"], "keys")


@case("s3", seconds=120)
def a_directory_that_the_server_fails_to_describe_is_no_file(bench, store):
    one = bench.file("source/one", CONTENTS)
    for status, code in (403, DENIED), (503, RETRYABLE):
        for times in 1, 100:
            bucket = bench.bucket(store)
            for key in "top/one", "top/dir/a":
                store.put(bucket, key, CONTENTS)
            top = store.uri(bucket, "top")
            with FaultProxy(store.port) as proxy:
                for command in ["ls", "-R", top], ["ls", top + "/**"], \
                        ["sync", "--delete", os.path.dirname(one), top], ["rm", "-r", top]:
                    proxy.inject(Fault("LIST", "status", status, times=times,
                                       path="prefix=top(%2F|/)dir"))
                    ended = bench.run(*command, env=impatient(bench, proxy))
                    wanted(proxy.hits, "a fault", ended)
                    equal(ended.code, OK if times == 1 else code, f"exit code of {ended}")
                    stays = times > 1 or command[0] == "ls"
                    equal("top/dir/a" in store.keys(bucket), stays, f"what {ended} left")
                    store.put(bucket, "top/dir/a", CONTENTS)


@case("s3")
def ctrl_c_ends_the_retries(bench, store):
    bucket = bucket_with_objects(bench, store)
    with FaultProxy(store.port) as proxy:
        proxy.inject(Fault("GET", "status", 503))
        command = ["cat", "--retries", "100", store.uri(bucket, "one")]
        process = bench.start(*command, env=impatient(bench, proxy))
        deadline = time.monotonic() + bench.seconds_left() / 2
        while len(proxy.hits) < 3 and time.monotonic() < deadline:
            time.sleep(0.05)
        began = time.monotonic()
        os.killpg(process.pid, signal.SIGINT)
        ended = bench.finish(process, command)
        seconds = time.monotonic() - began
    equal(ended.code, INTERRUPTED, f"exit code of {ended}")
    wanted(seconds < 2, "an end within 2 s of Ctrl-C", f"{seconds:.1f} s: {ended}")


@case("s3")
def what_was_repeated_replays_without_the_server(bench, store):
    bucket = bucket_with_objects(bench, store)
    command = ["cat", store.uri(bucket, "one")]
    with FaultProxy(store.port) as proxy:
        proxy.inject(Fault("GET", "status", 503, times=2))
        bench.good(command[0], "--record", bench.path("journal"), *command[1:],
                   env=impatient(bench, proxy))
    began = time.monotonic()
    ended = bench.good("replay", bench.path("journal"), *command,
                       env=bench.world.environment(s3_port=1))
    equal(ended.out, CONTENTS, "contents")
    wanted(time.monotonic() - began < 5, "no waiting in a replay", ended)
