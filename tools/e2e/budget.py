"""How many requests each command sends: what the tables in docs/requests.md show. The
numbers are those of the s3 plugin, which a case holds to them."""
import collections
import math
import os
import time

from fault_proxy import FaultProxy

PAGE = 100  # names in one answer to the plugin's get_children

# Of a younger object, which a write might change without changing its time,
# fsload asks once more.
SETTLED = 1.5  # seconds


def pages(objects):
    return math.ceil(objects / PAGE)


class Row:
    """A command on `objects` objects. `least(objects)`: the requests that the
    plugin cannot do without; `at_most(objects)`: what may be sent."""

    def __init__(self, title, arguments, least, at_most, needs=""):
        self.title = title
        self.arguments = arguments
        self.least = least
        self.at_most = at_most
        self.needs = needs  # what exists before: "", "tree"


# {tree}: a local directory of files, {uri}: of a bucket, {out}: a new local path.
ROWS = [
    Row("upload new files", ["cp", "-r", "{tree}", "{uri}/new"],
        lambda n: n, lambda n: 2 * n + 7),
    Row("upload over objects", ["cp", "-r", "{tree}/.", "{uri}/tree/"],
        lambda n: n, lambda n: 5 * n + 7, "tree"),
    Row("upload, leave objects (`-n`)", ["cp", "-rn", "{tree}/.", "{uri}/tree/"],
        lambda n: pages(n), lambda n: 2 * n + 7, "tree"),
    Row("download", ["cp", "-r", "{uri}/tree", "{out}"],
        lambda n: n + pages(n), lambda n: 3 * n + 2 * pages(n) + 7, "tree"),
    Row("list names", ["ls", "{uri}/tree"],
        lambda n: pages(n), lambda n: 2 * pages(n) + 2, "tree"),
    Row("list with sizes", ["ls", "-l", "{uri}/tree"],
        lambda n: 2 * n + pages(n), lambda n: 2 * n + pages(n) + 3, "tree"),
    Row("total size", ["du", "{uri}/tree"],
        lambda n: 2 * n + pages(n), lambda n: 2 * n + pages(n) + 3, "tree"),
    Row("move", ["mv", "{uri}/tree", "{uri}/moved"],
        lambda n: 2 * n + pages(n), lambda n: 15 * n + 20, "tree"),
    Row("delete", ["rm", "-r", "{uri}/tree"],
        lambda n: n + pages(n), lambda n: n + 2 * pages(n) + 10, "tree"),
]

# The same for one object, which is named itself.
ONE = [
    Row("upload a new file", ["cp", "{file}", "{uri}/new"], lambda n: 1, lambda n: 5),
    Row("upload over an object", ["cp", "{file}", "{uri}/one"], lambda n: 1, lambda n: 5, "one"),
    Row("download an object", ["cp", "{uri}/one", "{out}"], lambda n: 1, lambda n: 3, "one"),
    Row("`cat`", ["cat", "{uri}/one"], lambda n: 1, lambda n: 3, "one"),
    Row("`stat`", ["stat", "{uri}/one"], lambda n: 2, lambda n: 2, "one"),
    Row("`exists`", ["exists", "{uri}/one"], lambda n: 2, lambda n: 2, "one"),
    Row("`mkdir`", ["mkdir", "{uri}/new"], lambda n: 3, lambda n: 11),
    Row("`mv`", ["mv", "{uri}/one", "{uri}/moved"], lambda n: 3, lambda n: 19, "one"),
    Row("`rm`", ["rm", "{uri}/one"], lambda n: 1, lambda n: 3, "one"),
]


def count(bench, store, row, objects):
    """The requests that the row's command sends, by method."""
    bucket = bench.bucket(store)
    name = f"{len(os.listdir(bench.folder))}-{objects}"
    for number in range(objects):
        path = bench.file(f"{name}/tree/{number:04}", b"contents %d" % number)
        if row.needs == "tree":
            with open(path, "rb") as file:
                store.put(bucket, f"tree/{number:04}", file.read())
    if row.needs == "one":
        store.put(bucket, "one", b"the old contents")
    if row.needs:
        time.sleep(SETTLED)
    places = {"tree": bench.path(name, "tree"), "uri": store.uri(bucket, "").rstrip("/"),
              "out": bench.path(name, "out"), "file": bench.file(f"{name}/file", b"new contents")}
    with FaultProxy(store.port) as proxy:
        environment = bench.world.environment(**{f"{store.scheme}_port": proxy.port})
        bench.good(*(word.format(**places) for word in row.arguments), env=environment)
        return collections.Counter(str(request).split()[0] for request, _ in proxy.requests)
