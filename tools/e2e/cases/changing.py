"""Verbs that change single files: touch, mkdir, cp, mv, rm."""
import json
import os

from case import case, equal, wanted
from exit_codes import EXISTS, FAILED, MISSING

BYTES = bytes(range(256)) * 10000


def read(path):
    with open(path, "rb") as file:
        return file.read()


@case("s3", "gs", "az", "hdfs")
def touch_makes_an_empty_file_and_keeps_one_that_is_there(bench, store):
    bucket = bench.bucket(store)
    bench.good("touch", store.uri(bucket, "new"))
    equal(store.get(bucket, "new"), b"", "contents")
    store.put(bucket, "old", b"contents")
    bench.good("touch", store.uri(bucket, "old"))
    equal(store.get(bucket, "old"), b"contents", "contents")


@case("gs")  # the s3 plugin makes no folders: one begins with its first file
def mkdir_makes_a_folder_that_stat_sees(bench, store):
    bucket = bench.bucket(store)
    bench.good("mkdir", store.uri(bucket, "one"))
    bench.good("mkdir", "-p", store.uri(bucket, "two/three/four"))
    bench.good("mkdir", "-p", store.uri(bucket, "two/three/four"))
    for key in "one", "two", "two/three/four":
        equal(bench.good("stat", store.uri(bucket, key)).lines[0], "type    directory", key)


@case("s3", "gs", "az")
def mkdir_makes_no_folder_beside_a_file_or_behind_one(bench, store):
    bucket = bench.bucket(store)
    store.put(bucket, "file", b"contents")
    file = store.uri(bucket, "file")
    bench.bad("mkdir", file, code=EXISTS)
    bench.bad("mkdir", "-p", file, code=FAILED, says=f"{file}: is a file")
    bench.bad("mkdir", "-p", file + "/a/b", code=FAILED, says=f"{file} is a file")
    equal(store.keys(bucket), ["file"], "keys")


@case("s3", "gs", "az")
def nothing_is_put_below_a_file(bench, store):
    bucket = bench.bucket(store)
    store.put(bucket, "file", b"contents")
    file = store.uri(bucket, "file")
    local = bench.file("d/f", b"others")
    folder = os.path.dirname(local)
    for words in (["mkdir", file + "/a"], ["touch", file + "/a"], ["cp", local, file + "/a"],
                  ["cp", "-r", folder, file + "/a"], ["sync", folder, file + "/a/b"],
                  ["mv", local, file + "/a"]):
        bench.bad(*words, code=FAILED, says=f"{file} is a file")
    equal(store.keys(bucket), ["file"], "keys")
    equal(read(local), b"others", "what is not moved")


@case("s3", "gs", "az", "hdfs")
def mkdir_of_a_folder_that_exists_is_refused(bench, store):
    bucket = bench.bucket(store)
    store.put(bucket, "filled/file", b"contents")
    bench.good("mkdir", store.uri(bucket, "made"))
    for name in "filled", "filled/", "made":
        bench.bad("mkdir", store.uri(bucket, name), code=EXISTS)
        bench.good("mkdir", "-p", store.uri(bucket, name))


@case("s3", "gs", "az", "hdfs")
def files_go_into_folders_that_mkdir_made(bench, store):
    bucket = bench.bucket(store)
    for arguments in [["one"], ["-p", "two/three"], ["-p", "two/three"]]:
        bench.good("mkdir", *arguments[:-1], store.uri(bucket, arguments[-1]))
    local = bench.file("local", b"x")
    for folder in "one", "two/three":
        bench.good("cp", local, store.uri(bucket, folder + "/file"))
        equal(bench.good("ls", store.uri(bucket, folder)).lines, ["file"], "names")


@case("s3", "gs", "az", "hdfs")
def cp_takes_a_file_there_and_back(bench, store):
    bucket = bench.bucket(store)
    for size in 0, 1, 65536, 1 << 20, len(BYTES):
        there = bench.file("there", BYTES[:size])
        bench.good("cp", there, store.uri(bucket, "copy"))
        wanted(store.get(bucket, "copy") == BYTES[:size], f"{size} equal bytes", "others")
        bench.good("cp", store.uri(bucket, "copy"), bench.path("back"))
        wanted(read(bench.path("back")) == BYTES[:size], f"{size} equal bytes", "others")
        os.remove(bench.path("back"))


@case("s3", "gs", "az", "hdfs")
def cp_replaces_a_file_and_leaves_nothing_else(bench, store):
    bucket = bench.bucket(store)
    store.put(bucket, "file", b"old and longer")
    bench.good("cp", bench.file("new", b"new"), store.uri(bucket, "file"))
    equal(store.get(bucket, "file"), b"new", "contents")
    equal(store.keys(bucket), ["file"], "objects")


@case("s3", "gs", "az", "hdfs")
def cp_n_keeps_what_is_there(bench, store):
    bucket = bench.bucket(store)
    store.put(bucket, "file", b"old")
    bench.run("cp", "-n", bench.file("new", b"new"), store.uri(bucket, "file"))
    equal(store.get(bucket, "file"), b"old", "contents")
    bench.good("cp", "-n", bench.file("new", b"new"), store.uri(bucket, "other"))
    equal(store.get(bucket, "other"), b"new", "contents")


@case("s3", "gs", "az", "hdfs")
def cp_copies_within_a_store(bench, store):
    bucket, other = bench.bucket(store), bench.bucket(store)
    store.put(bucket, "from", BYTES)
    for target_bucket, key in [(bucket, "to"), (other, "folder/to")]:
        bench.good("cp", store.uri(bucket, "from"), store.uri(target_bucket, key))
        wanted(store.get(target_bucket, key) == BYTES, "equal bytes", "others")
    wanted(store.get(bucket, "from") == BYTES, "the source as it was", "others")


@case("s3", "gs", "az", "hdfs")
def cp_reads_standard_input_and_writes_standard_output(bench, store):
    uri = store.uri(bench.bucket(store), "file")
    bench.good("cp", "-", uri, input=BYTES)
    wanted(bench.good("cp", uri, "-").out == BYTES, "equal bytes", "others")


@case("s3", "gs", "az")
def mv_moves_a_file(bench, store):
    bucket = bench.bucket(store)
    store.put(bucket, "from", BYTES)
    bench.good("mv", store.uri(bucket, "from"), store.uri(bucket, "folder/to"))
    wanted(store.get(bucket, "folder/to") == BYTES, "equal bytes", "others")
    equal(store.keys(bucket), ["folder/to"], "objects")


@case("s3", "gs", "az", "hdfs")
def mv_moves_a_file_to_and_from_this_machine(bench, store):
    bucket = bench.bucket(store)
    here = bench.file("file", BYTES)
    bench.good("mv", here, store.uri(bucket, "file"))
    wanted(store.get(bucket, "file") == BYTES, "equal bytes", "others")
    wanted(not os.path.exists(here), "no local file", "one")
    bench.good("mv", store.uri(bucket, "file"), here)
    wanted(read(here) == BYTES, "equal bytes", "others")
    equal(store.keys(bucket), [], "objects")


@case("s3", "gs", "az")
def rm_deletes_that_file_alone(bench, store):
    bucket = bench.bucket(store)
    for key in "file", "file2", "file/below":
        store.put(bucket, key, b"x")
    bench.good("rm", store.uri(bucket, "file2"))
    equal(store.keys(bucket), ["file", "file/below"], "objects")
    bench.bad("rm", store.uri(bucket, "file2"), code=MISSING)


@case("s3", "gs", "az", "hdfs")
def rm_r_deletes_what_is_below_and_no_sibling(bench, store):
    bucket = bench.bucket(store)
    for key in "a/1", "a/b/2", "ab/3", "a.txt":
        store.put(bucket, key, b"x")
    bench.good("rm", "-r", store.uri(bucket, "a"))
    equal(store.keys(bucket), ["a.txt", "ab/3"], "objects")


@case("s3", "gs", "az")
def rm_r_says_which_files_and_directories_it_deleted(bench, store):
    bucket = bench.bucket(store)
    files = "a/1", "a/b", "a/b/2", "a/b/c/3", "a/d/4"
    for key in files:
        store.put(bucket, key, b"x")
    ended = bench.good("rm", "-r", "--json", store.uri(bucket, "a"))
    events = [json.loads(line) for line in ended.lines]
    deleted = {(each["event"], each["source"]) for each in events if "source" in each}
    equal(deleted, {("delete_file", store.uri(bucket, key)) for key in files} |
          {("delete_directory", store.uri(bucket, key)) for key in ("a", "a/b", "a/b/c", "a/d")},
          "what it says it deleted")
    equal({key: events[-1][key] for key in ("event", "steps", "files")},
          {"event": "done", "steps": 9, "files": 5}, "its totals")
    equal(store.keys(bucket), [], "objects")


@case("s3", "gs", "az", "hdfs")
def rm_r_refuses_the_root_of_a_bucket(bench, store):
    bucket = bench.bucket(store)
    for key in "a", "b/c":
        store.put(bucket, key, b"x")
    for uri in store.uri(bucket), store.uri(bucket)[:-1], store.uri(bucket, "b//"):
        bench.bad("rm", "-r", uri, code=FAILED, says=() if uri.endswith("b//") else "the root of a ")
        equal(store.keys(bucket), ["a", "b/c"], f"objects after rm -r {uri}")


@case("s3", "gs", "az", "hdfs")
def dry_runs_say_what_they_would_do_and_do_nothing(bench, store):
    bucket = bench.bucket(store)
    for key in "a/1", "a/2":
        store.put(bucket, key, key.encode())
    local = bench.file("file", b"local")
    before = {key: store.get(bucket, key) for key in store.keys(bucket)}
    for arguments, says in [
            (["rm", "-r", store.uri(bucket, "a")], "a/1"),
            (["rm", store.uri(bucket, "a/1")], "a/1"),
            (["cp", local, store.uri(bucket, "a/1")], "a/1"),
            (["cp", "-r", store.uri(bucket, "a"), bench.path("copy")], "a/2"),
            (["mv", store.uri(bucket, "a/1"), store.uri(bucket, "b")], "a/1")]:
        ended = bench.good(*arguments, "--dry-run")
        wanted(says in ended.out.decode(), f"{says} in the plan", ended)
        equal({key: store.get(bucket, key) for key in store.keys(bucket)}, before,
              f"objects after {ended.command}")
    wanted(not os.path.exists(bench.path("copy")), "no local copy", "one")
