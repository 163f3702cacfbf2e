"""Verbs that change nothing: ls, cat, head, stat, du, glob, exists, cmp."""
import json

from case import case, equal, wanted
from exit_codes import FAILED, MISSING

BYTES = bytes(range(256)) * 10000


def small_tree(bench, store):
    """A bucket with a few objects."""
    bucket = bench.bucket(store)
    for key, contents in [("top", b"12345"), ("folder/b", b"bb"), ("folder/a", b"a"),
                          ("folder/deep/c", b"ccc"), ("folder-too/d", b"dddd")]:
        store.put(bucket, key, contents)
    return bucket


@case("s3", "gs", "az", "hdfs")
def ls_names_what_is_in_a_folder(bench, store):
    uri = store.uri(small_tree(bench, store), "folder")
    for written in uri, uri + "/":
        equal([name.rstrip("/") for name in bench.good("ls", written).lines],
              ["a", "b", "deep"], "names")


@case("s3", "gs", "az", "hdfs")
def ls_names_what_is_in_a_bucket(bench, store):
    uri = store.uri(small_tree(bench, store))
    equal([name.rstrip("/") for name in bench.good("ls", uri).lines],
          ["folder", "folder-too", "top"], "names")


@case("s3", "gs", "az", "hdfs")
def ls_l_tells_lengths(bench, store):
    lines = bench.good("ls", "-l", store.uri(small_tree(bench, store), "folder")).lines
    found = {words[-1].rstrip("/"): words for words in map(str.split, lines)}
    equal(sorted(found), ["a", "b", "deep"], "names")
    wanted("1" in found["a"] and "2" in found["b"], "lengths 1 and 2", lines)


@case("s3", "gs", "az", "hdfs")
def ls_R_names_all_that_is_below(bench, store):
    text = bench.good("ls", "-R", store.uri(small_tree(bench, store))).out.decode()
    for name in ["top", "folder/a", "folder/b", "folder/deep/c", "folder-too/d"]:
        wanted(name in text, name, text)


@case("s3", "gs", "az", "hdfs")
def cat_writes_the_bytes(bench, store):
    bucket = bench.bucket(store)
    store.put(bucket, "bytes", BYTES)
    wanted(bench.good("cat", store.uri(bucket, "bytes")).out == BYTES, "equal bytes", "others")


@case("s3", "gs", "az", "hdfs")
def cat_writes_nothing_of_an_empty_file(bench, store):
    bucket = bench.bucket(store)
    store.put(bucket, "empty", b"")
    equal(bench.good("cat", store.uri(bucket, "empty")).out, b"", "bytes")


@case("s3", "gs", "az", "hdfs")
def cat_takes_a_range(bench, store):
    bucket = bench.bucket(store)
    store.put(bucket, "bytes", BYTES)
    size = len(BYTES)
    for offset, count in [(0, 1), (255, 2), ((1 << 20) - 1, 3), (1 << 20, 1 << 20),
                          (size - 1, 1), (size - 1, 10), (size, 5), (100, 0)]:
        found = bench.good("cat", "--offset", str(offset), "--count", str(count),
                           store.uri(bucket, "bytes")).out
        wanted(found == BYTES[offset:offset + count], f"{count} bytes from {offset}",
               f"{len(found)} bytes {found[:20]!r}")


@case("s3", "gs", "az", "hdfs")
def head_writes_the_first_lines(bench, store):
    bucket = bench.bucket(store)
    store.put(bucket, "lines", b"".join(b"line %d\n" % n for n in range(50)))
    equal(bench.good("head", store.uri(bucket, "lines")).lines,
          [f"line {n}" for n in range(10)], "lines")


@case("s3", "gs", "az", "hdfs")
def tail_writes_the_last_lines(bench, store):
    bucket = bench.bucket(store)
    store.put(bucket, "lines", b"".join(b"line %d\n" % n for n in range(50)))
    equal(bench.good("tail", store.uri(bucket, "lines")).lines,
          [f"line {n}" for n in range(40, 50)], "lines")


@case("s3")
def a_folder_that_is_read_is_told_as_one(bench, store):
    bucket = bench.bucket(store)
    store.put(bucket, "folder/file", b"x")
    for command in ["cat"], ["head"], ["tail"], ["tail", "-n", "+2"]:
        bench.bad(*command, store.uri(bucket, "folder"), code=FAILED,
                  says=f"{store.uri(bucket, 'folder')}: is a directory, not a file")
        bench.bad(*command, store.uri(bucket, "missing"), code=MISSING)


@case("s3", "gs", "az", "hdfs")
def a_pattern_of_everything_is_refused_by_mv_and_needs_really_for_rm(bench, store):
    bucket = bench.bucket(store)
    root = "the root of a container" if store.scheme == "az" else "the root of a file system"
    for key in "a", "d/a":
        store.put(bucket, key, b"x")
    for pattern in "*", "**", "**/*", "?*":
        for options in [], ["-r"], ["-r", "--really"]:
            uri = store.uri(bucket, pattern)
            bench.bad("rm", *options, uri, code=FAILED,
                      says=f"{uri}: refusing to delete all at {root}; "
                           "give --really twice to override")
        bench.bad("mv", uri, bench.folder, code=FAILED,
                  says=f"{uri}: refusing to move all at {root}")
    equal(store.keys(bucket), ["a", "d/a"], "keys")
    bench.good("rm", "-r", store.uri(bucket, "d/**"))
    store.put(bucket, "d/a", b"x")
    bench.good("rm", "-r", "--really", "--really", store.uri(bucket, "**"))
    equal(store.keys(bucket), [], "keys")


@case("s3", "gs", "az", "hdfs")
def a_root_is_emptied_and_stays(bench, store):
    bucket = bench.bucket(store)
    for uri in store.uri(bucket), store.uri(bucket).rstrip("/"):
        for key in "a", "d/a":
            store.put(bucket, key, b"x")
        bench.bad("rm", "-r", "--really", uri, code=FAILED)
        bench.good("rm", "-r", "--really", "--really", uri)
        equal(store.keys(bucket), [], "keys")
        equal(bench.good("stat", uri).lines[0], "type    directory", "type")


@case("s3", "gs", "az", "hdfs")
def patterns_are_expanded(bench, store):
    bucket = bench.bucket(store)
    for key in "a.txt", "d/a.txt", "d/e/a.txt", "d/other":
        store.put(bucket, key, key.encode())
    equal(bench.good("cat", store.uri(bucket, "**/*.txt")).out, b"a.txtd/a.txtd/e/a.txt", "bytes")
    bench.good("rm", store.uri(bucket, "d/**/a.*"))
    equal(store.keys(bucket), ["a.txt", "d/other"], "keys")


@case("s3", "gs", "az", "hdfs")
def stat_tells_type_and_length(bench, store):
    bucket = small_tree(bench, store)
    equal(bench.good("stat", store.uri(bucket, "top")).lines[:2],
          ["type    file", "length  5"], "stat of a file")
    equal(bench.good("stat", store.uri(bucket, "folder")).lines[0],
          "type    directory", "stat of a folder")


@case("s3", "gs", "az", "hdfs")
def du_adds_up_what_is_below(bench, store):
    out = bench.good("du", store.uri(small_tree(bench, store))).out.decode()
    wanted("15" in out.split(), "15 bytes in all", out)


@case("s3", "gs", "az", "hdfs")
def glob_names_what_matches(bench, store):
    bucket = small_tree(bench, store)
    for pattern, want in [("folder/*", ["folder/a", "folder/b", "folder/deep"]),
                          ("folder*/?", ["folder-too/d", "folder/a", "folder/b"]),
                          ("t[no]p", ["top"]), ("folder/deep/[^x]", ["folder/deep/c"])]:
        equal(bench.good("glob", store.uri(bucket, pattern)).lines,
              [store.uri(bucket, key) for key in want], pattern)


@case("s3", "gs", "az", "hdfs")
def exists_tells_by_its_exit_code(bench, store):
    bucket = small_tree(bench, store)
    bench.good("exists", store.uri(bucket, "top"))
    bench.good("exists", store.uri(bucket, "folder"))
    for key in "to", "folder/x":
        bench.bad("exists", store.uri(bucket, key), code=MISSING)


@case("s3", "gs", "az", "hdfs")
def cmp_tells_whether_two_are_equal(bench, store):
    bucket = bench.bucket(store)
    store.put(bucket, "one", BYTES)
    store.put(bucket, "same", BYTES)
    store.put(bucket, "other", BYTES[:-1] + b"x")
    store.put(bucket, "shorter", BYTES[:-1])
    local = bench.file("local", BYTES)
    bench.good("cmp", store.uri(bucket, "one"), store.uri(bucket, "same"))
    bench.good("cmp", store.uri(bucket, "one"), local)
    for key in "other", "shorter":
        ended = bench.run("cmp", store.uri(bucket, "one"), store.uri(bucket, key))
        wanted(ended.code != 0, "a code other than 0", ended)


@case("s3", "gs", "az", "hdfs")
def json_is_one_object_a_line(bench, store):
    bucket = small_tree(bench, store)
    for arguments in [("ls",), ("ls", "-R"), ("stat",), ("du",), ("glob",), ("exists",)]:
        lines = bench.good(*arguments, "--json", store.uri(bucket, "folder")).lines
        wanted(lines, "a line at least", lines)
        for line in lines:
            wanted(isinstance(json.loads(line), dict), "an object", line)


@case("s3", "gs", "az", "hdfs")
def a_missing_file_is_told_by_the_exit_code(bench, store):
    uri = store.uri(bench.bucket(store), "missing")
    for verb in "cat", "stat", "head", "tail":
        bench.bad(verb, uri, code=MISSING, says=uri)
