"""sync where servers and connections fail: nothing is lost, and it goes on where it
stopped."""
import json
import os

import trees
from case import case, equal, wanted
from cases.faults import PATIENCE, SERVERS, failed_cleanly, through
from small_servers import FailingProxy

# Several, so that some are done when the failure comes.
FILES = {f"d{number % 2}/file{number}": bytes([number]) * 5_000_000 for number in range(8)}
EXTRA = "extra"


def objects(store, bucket):
    """Without those that stand for directories."""
    return {key: store.get(bucket, key) for key in store.keys(bucket) if not key.endswith("/")}


def stopped_midway(ended, found):
    """What is at the target is whole, or a leftover that the error names; nothing was
    deleted."""
    failed_cleanly(ended)
    wanted(EXTRA in found, "nothing deleted before all was copied", ended)
    for path, contents in found.items():
        if ".fsload-" in path:
            wanted(os.path.basename(path) in ended.err, f"{path} to be named", ended)
        elif path != EXTRA:
            wanted(contents == FILES[path], f"{path} whole",
                   f"{len(contents)} bytes after {ended}")


def goes_on(bench, source, target, found):
    """The rest is done, and what is there already is not done again."""
    ended = bench.good("sync", "--json", "--delete", source, target)
    done = json.loads(ended.lines[-1])
    there = sum(1 for path in found if path in FILES)
    equal(done["skipped"], there, f"files that were there before {ended}")


@case("s3", "gs", seconds=180)
def a_server_killed_in_the_middle_of_a_sync_leaves_whole_files(bench, store):
    start, make_store = SERVERS[store.scheme]
    target = bench.path("target")
    bench.file(f"target/{EXTRA}", b"extra")
    bucket = bench.bucket(store)
    with start(bench.world.python) as server:
        dying = make_store(server.port)
        dying.make_bucket(bucket)
        for path, contents in FILES.items():
            dying.put(bucket, f"tree/{path}", contents)
        with FailingProxy(server.port, 25_000_000, "server", "killed", server.kill) as proxy:
            ended = bench.run("sync", "--delete", "-j", "2", *PATIENCE,
                              dying.uri(bucket, "tree"), target,
                              env=through(bench, store, proxy))
            wanted(proxy.failed.is_set(), "the sync to reach the server", ended)
    found = trees.read(target)
    stopped_midway(ended, found)
    for path, contents in FILES.items():  # the store is back
        store.put(bucket, f"tree/{path}", contents)
    for path in found:  # which were copied after the objects were written
        os.utime(os.path.join(target, path))
    goes_on(bench, store.uri(bucket, "tree"), target, found)
    equal(trees.read(target).keys(), FILES.keys(), "files")
    trees.require_equal(trees.write(bench.path("want"), FILES), target)


@case("s3", "gs", seconds=180)
def a_connection_lost_in_the_middle_of_a_sync_leaves_whole_objects(bench, store):
    bucket = bench.bucket(store)
    store.put(bucket, f"tree/{EXTRA}", b"extra")
    source = trees.write(bench.path("source"), FILES)
    for path in FILES:  # as a store keeps whole seconds, its objects would seem older
        os.utime(os.path.join(source, path), (1, 1))
    with FailingProxy(store.port, 25_000_000, "client", "killed") as proxy:
        ended = bench.run("sync", "--delete", "-j", "2", *PATIENCE, source,
                          store.uri(bucket, "tree"), env=through(bench, store, proxy))
        wanted(proxy.failed.is_set(), "the sync to reach the server", ended)
    found = {key.partition("/")[2]: contents
             for key, contents in objects(store, bucket).items()}
    stopped_midway(ended, found)
    goes_on(bench, source, store.uri(bucket, "tree"), found)
    found = objects(store, bucket)
    equal(sorted(found), sorted(f"tree/{path}" for path in FILES), "objects")
    for path, contents in FILES.items():
        wanted(found[f"tree/{path}"] == contents, f"{path} whole", "other contents")
    trees.require_equal(trees.write(bench.path("want"), FILES), source)
