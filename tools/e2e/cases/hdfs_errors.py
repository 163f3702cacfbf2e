"""hdfs where operations fail, of which its plugin hides some: a directory that cannot
be listed looks empty, a rename deletes its target first. Nothing may be lost, and
what could not be done is told."""
import contextlib
import os

import trees
from case import case, equal, wanted
from cases.hdfs import BYTES, contents, failing, mode, put
from exit_codes import DENIED, FAILED, MISSING, RETRYABLE

TREE = {"tree/a": b"in a", "tree/sub/b": b"in b", "tree/sub/deeper/c": b"in c",
        "tree/z": b"in z", "tree2/sub/b": b"neighbour"}
LISTED = {"tree/a": b"in a", "tree/z": b"in z"}

# How tree/sub cannot be listed: its mode, faults, and the exit codes.
UNLISTED = [(0o000, [], [DENIED]), (0o311, [], [DENIED]),
            (0o755, ["list=/tree/sub"], [FAILED, RETRYABLE])]


class Unlisted:
    """TREE on a name node, with a directory that cannot be listed."""

    def __init__(self, bench, store, bits, faults, codes):
        self.bench, self.store = bench, store
        self.bits, self.faults, self.codes = bits, faults, codes
        self.bucket = bench.bucket(store)
        put(store, self.bucket, TREE)

    def run(self, *arguments):
        with mode(self.store, self.bucket, "tree/sub", self.bits):
            return self.bench.run(*arguments, env=failing(*self.faults))

    def problems(self, ended, kept=None):
        """What is wrong after a command that should fail and change nothing."""
        if ended.code not in self.codes or "tree/sub" not in ended.err:
            yield f"expected exit code {self.codes} and an error that names tree/sub: {ended}"
        if contents(self.store, self.bucket) != (TREE if kept is None else kept):
            yield f"files lost by {ended.command}: {self.store.keys(self.bucket)} are left"


def each_unlisted(bench, store):
    return (Unlisted(bench, store, *one) for one in UNLISTED)


def none_of(problems):
    wanted(not problems, "no problem", f"{len(problems)}:\n" + "\n".join(problems))


@case("hdfs", seconds=120)
def a_directory_that_cannot_be_listed_is_not_listed_as_empty(bench, store):
    problems = []
    for one in each_unlisted(bench, store):
        uri = store.uri(one.bucket, "tree")
        for arguments in [["ls", uri + "/sub"], ["ls", "-R", uri], ["du", uri],
                          ["glob", uri + "/sub/*"], ["cat", uri + "/sub/b*"]]:
            problems += one.problems(one.run(*arguments))
    none_of(problems)


@case("hdfs", seconds=120)
def a_tree_that_cannot_be_listed_is_not_copied_as_whole(bench, store):
    problems = []
    for number, one in enumerate(each_unlisted(bench, store)):
        for target in bench.path(f"copy{number}"), store.uri(one.bucket, "copy"):
            copied = {key.replace("tree/", "copy/", 1): value for key, value in LISTED.items()}
            ended = one.run("cp", "-r", store.uri(one.bucket, "tree"), target)
            found = contents(store, one.bucket)
            left = {key: value for key, value in found.items() if key not in copied}
            problems += one.problems(ended, kept=found if left == TREE else None)
    none_of(problems)


@case("hdfs", seconds=120)
def a_tree_that_cannot_be_listed_is_not_moved_away(bench, store):
    problems = []
    for number, one in enumerate(each_unlisted(bench, store)):
        for target in (bench.path(f"moved{number}"), store.uri(bench.bucket(store), "moved"),
                       store.uri(one.bucket, "moved")):
            put(store, one.bucket, TREE)
            ended = one.run("mv", store.uri(one.bucket, "tree"), target)
            if store.get(one.bucket, "tree/sub/b") is None:
                problems.append(f"tree/sub lost: {ended}")
            problems += [each for each in one.problems(ended) if not each.startswith("files")]
    none_of(problems)


@case("hdfs", seconds=120)
def sync_delete_keeps_copies_of_what_cannot_be_listed(bench, store):
    problems = []
    for number, one in enumerate(each_unlisted(bench, store)):
        here, two = bench.path(f"here{number}"), bench.bucket(store)
        kept = {"a": b"old", "sub/b": b"in b", "sub/deeper/c": b"in c", "extra": b"e"}
        trees.write(here, kept)
        put(store, two, kept)
        for target in here, store.uri(two):
            problems += one.problems(one.run("sync", "--delete", store.uri(one.bucket, "tree"),
                                             target))
        for path in "sub/b", "sub/deeper/c":
            if not os.path.exists(os.path.join(here, path)) or store.get(two, path) is None:
                problems.append(f"the copy of {path} was deleted")
    none_of(problems)


@case("hdfs", seconds=120)
def sync_to_a_target_that_cannot_be_listed_is_an_error(bench, store):
    problems = []
    source = trees.write(bench.path("source"), {"a": b"in a", "sub/new": b"new"})
    for one in each_unlisted(bench, store):
        ended = one.run("sync", "--delete", source, store.uri(one.bucket, "tree"))
        found = contents(store, one.bucket)
        problems += one.problems(ended, kept={**found, "tree/sub/b": b"in b"})
    none_of(problems)


@case("hdfs", seconds=120)
def rm_r_of_what_cannot_be_listed_deletes_all_or_says_so(bench, store):
    problems = []
    for one in each_unlisted(bench, store):
        ended = one.run("rm", "-r", store.uri(one.bucket, "tree"))
        found = contents(store, one.bucket)
        if found.get("tree2/sub/b") != b"neighbour":
            problems.append(f"the neighbour was deleted: {ended}")
        if ended.code != 0 or len(found) > 1:
            problems += one.problems(ended, kept=found)
    none_of(problems)


@case("hdfs", seconds=400)
def whichever_call_fails_mv_loses_no_file(bench, store):
    problems = []
    files = {"d/a": b"in a", "d/sub/b": b"in b"}
    for operation in ("connect", "list", "stat", "open", "read", "create", "write", "close",
                      "mkdirs", "rename", "delete"):
        for number in 1, 2:
            for within in True, False:
                one = bench.bucket(store)
                two = one if within else bench.bucket(store)
                put(store, one, files)
                ended = bench.run("mv", store.uri(one, "d"), store.uri(two, "e"),
                                  env=failing(f"{operation}={number}"))
                found = {*contents(store, one).values(), *contents(store, two).values()}
                moved = {key.replace("d/", "e/", 1): value for key, value in files.items()}
                if not found.issuperset(files.values()):
                    problems.append(f"lost with {operation}={number}: {ended}")
                elif ended.code == 0 and contents(store, two) != moved:
                    problems.append(f"not moved with {operation}={number}: {ended}")
    none_of(problems)


@case("hdfs")
def a_rename_that_fails_leaves_the_old_file_or_the_new_one(bench, store):
    problems = []
    local = bench.file("local", b"new")
    for source in local, "d/new":
        for verb, faults in [("cp", "rename=1"), ("mv", "rename=1"), ("mv", "rename=1+")]:
            bucket = bench.bucket(store)
            put(store, bucket, {"d/new": b"new", "old": b"old"})
            uri = source if source == local else store.uri(bucket, source)
            ended = bench.run(verb, uri, store.uri(bucket, "old"), env=failing(faults))
            if store.get(bucket, "old") is None:
                problems.append(f"the target is gone with {faults}: {ended}")
            if not os.path.exists(local):
                bench.file("local", b"new")
    none_of(problems)


@case("hdfs")
def a_file_that_may_not_be_moved_replaces_none(bench, store):
    bucket = bench.bucket(store)
    files = {"d/f": b"f", "old": b"old"}
    put(store, bucket, files)
    with mode(store, bucket, "d", 0o555):
        bench.bad("mv", store.uri(bucket, "d/f"), store.uri(bucket, "old"), code=DENIED)
    equal(contents(store, bucket), files, "files")


@case("hdfs")
def two_slashes_after_the_name_node_reach_no_other_file(bench, store):
    # Hadoop takes the first directory of "//d/f" for a host: it opens "/f".
    problems = []
    files = {"d/f": b"in d", "f": b"in the root"}
    local = bench.file("local", b"local")
    for arguments in [["cat"], ["head"], ["stat"], ["touch"], ["rm"], ["rm", "-r"], ["mv"],
                      ["cp"], ["cp", local], ["mv", local], ["sync"]]:
        bucket = bench.bucket(store)
        put(store, bucket, files)
        verb, uri = arguments[0], f"hdfs://{bucket}//d/f"
        last = [bench.path(f"to-{bucket}")] if arguments in (["mv"], ["cp"], ["sync"]) else []
        ended = bench.run(*arguments, uri, *last)
        outputs = [ended.out]
        for path in last:
            with contextlib.suppress(OSError), open(path, "rb") as file:
                outputs.append(file.read())
        if store.get(bucket, "f") != b"in the root" or b"in the root" in b"".join(outputs):
            problems.append(f"{verb} reached another file: {ended}")
        bench.file("local", b"local")
    none_of(problems)


@case("hdfs")
def a_name_node_that_does_not_answer_is_told(bench, store):
    local = bench.file("local", BYTES)
    bucket = bench.bucket(store)
    store.put(bucket, "d/f", b"f")
    for host, faults in [("no-such-name-node", []), (bucket, ["connect=1+"]), (bucket, ["stat=1+"])]:
        uri = f"hdfs://{host}/d/f"
        for arguments in [["ls", uri], ["stat", uri], ["exists", uri], ["du", uri], ["rm", uri],
                          ["glob", uri], ["cp", local, uri], ["mv", local, uri], ["touch", uri]]:
            bench.bad(*arguments, code=RETRYABLE, env=failing(*faults),
                      says=[uri, f"the name node '{host}' does not answer"])
    bench.bad("cat", "hdfs://no-such-name-node/d/f", code=RETRYABLE, says="does not answer")
    # It answers, but not to this.
    bench.bad("cat", store.uri(bucket, "d/f"), code=FAILED, env=failing("open=1+"))
    wanted(os.path.exists(local), "the local file to be there", "none")


@case("hdfs", seconds=90)
def a_pattern_passes_over_files_where_directories_are_wanted(bench, store):
    bucket = bench.bucket(store)
    put(store, bucket, {"d/f": b"f", "d/s/b": b"b", "d/s/s": b"s", "top": b"top"})
    for pattern, found in [("d/*/b", ["d/s/b"]), ("*/*/b", ["d/s/b"]), ("d/*/*", ["d/s/b", "d/s/s"]),
                           ("d/**/b", ["d/s/b"]), ("d/[fs]/s", ["d/s/s"]), ("d/f/*", []),
                           ("d/f/f*", []), ("d/*/none", []), ("d/s/s/*", []), ("*/f/b", [])]:
        uris = [store.uri(bucket, key) for key in found]
        equal(bench.good("glob", store.uri(bucket, pattern)).lines, uris, f"matches of {pattern}")
        if found:
            equal(bench.good("cat", store.uri(bucket, pattern)).out,
                  b"".join(store.get(bucket, key) for key in found), f"contents of {pattern}")
        else:
            bench.run("rm", "-r", store.uri(bucket, pattern))
            equal(len(store.keys(bucket)), 4, "files")
    with mode(store, bucket, "d/s", 0o000):
        bench.bad("cat", store.uri(bucket, "d/*/b"), code=DENIED)


@case("hdfs")
def mv_to_a_directory_that_is_missing_is_done_or_told(bench, store):
    bucket = bench.bucket(store)
    store.put(bucket, "f", b"f")
    ended = bench.run("mv", store.uri(bucket, "f"), store.uri(bucket, "none/g"))
    wanted(ended.code in (0, MISSING), "exit code 0 or 4", ended)
    equal(contents(store, bucket), {"f" if ended.code else "none/g": b"f"}, "files")
