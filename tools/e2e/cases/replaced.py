"""Objects that somebody else replaces while they are read."""
import os
import time

from case import case, equal, wanted
from exit_codes import OK, RETRYABLE
from fault_proxy import FaultProxy

# Several blocks, read at once.
OLD, NEW = b"old!" * 5_000_000, b"new!" * 5_000_000
SHORTER, LONGER = NEW[:9_000_000], NEW + NEW
SETTLED = 2.5  # seconds, after which a store's time tells a change


class Replaced(FaultProxy):
    """Calls `replace` when the `nth` GET of an object arrives."""

    def __init__(self, port, replace, nth):
        super().__init__(port)
        self._replace = replace
        self._left = nth

    def choose(self, request):
        if request.method == "GET":
            self._left -= 1
            if self._left == 0:
                self._replace()
        return super().choose(request)


def contents(path):
    """None if there is none."""
    if not os.path.exists(path):
        return None
    with open(path, "rb") as file:
        return file.read()


def replaced(bench, store, nth, new, *arguments, settled):
    """Runs fsload while an object becomes `new`; yields its end and the bucket."""
    bucket = bench.bucket(store)
    store.put(bucket, "key", OLD)
    if settled:
        time.sleep(SETTLED)
    with Replaced(store.port, lambda: store.put(bucket, "key", new), nth) as proxy:
        return bench.run(*(word.format(uri=store.uri(bucket, "key")) for word in arguments),
                         env=bench.world.environment(s3_port=proxy.port)), bucket


# The new contents, which GET they come before, and whether the old ones had settled.
TIMES = [(NEW, 2, True), (SHORTER, 2, True), (LONGER, 4, True), (NEW, 2, False), (NEW, 4, False)]


@case("s3", seconds=180)
def what_is_copied_is_the_old_or_the_new_object(bench, store):
    target = bench.path("target")
    for new, nth, settled in TIMES:
        for verb in "cp", "mv":
            ended, bucket = replaced(bench, store, nth, new, verb, "{uri}", target,
                                     settled=settled)
            found = contents(target)
            wanted(found in (None, OLD, new), "a whole copy, or none",
                   f"{len(found or b'')} bytes after {ended}")
            if ended.code == OK:
                wanted(found is not None, "a copy", ended)
            else:
                wanted(ended.error, "an error", ended)
            there = store.get(bucket, "key")
            wanted(there == new or (there is None and found == new and verb == "mv"),
                   "the new object, or its copy", ended)
            equal([name for name in os.listdir(bench.folder) if name != "target"], [],
                  f"other files after {ended}")
            if found is not None:
                os.remove(target)


@case("s3", seconds=180)
def what_is_printed_of_two_objects_is_an_error(bench, store):
    for new in NEW, SHORTER, LONGER:
        for command in (["cat", "{uri}"], ["cp", "{uri}", "-"],
                        ["cat", "--count", "19000000", "{uri}"]):
            ended, _ = replaced(bench, store, 3, new, *command, settled=True)
            equal(ended.code, RETRYABLE, f"exit code of {ended.command} with {len(new)} bytes")
            wanted("the file changed while it was read" in ended.err, "the reason", ended)
    ended, _ = replaced(bench, store, 2, SHORTER, "tail", "-c", "9000000", "{uri}", settled=True)
    equal(ended.code, RETRYABLE, f"exit code of {ended}")
    wanted("became shorter while it was read" in ended.err, "the reason", ended)
