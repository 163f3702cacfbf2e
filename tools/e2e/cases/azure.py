"""Azure Blob Storage: accounts and containers, and reading from them. What it shares
with other stores is in the cases of these."""
import trees
from case import case, equal, wanted
from stores import Az

BYTES = bytes(range(256)) * 10000


def other_account(store):
    return Az(store.port, "other")


@case("az")
def accounts_are_told_apart(bench, store):
    other = other_account(store)
    bucket = bench.bucket(store)
    other.make_bucket(bucket)
    for each in store, other:
        each.put(bucket, "file", each.account.encode())
    for each in store, other:
        equal(bench.good("cat", each.uri(bucket, "file")).out, each.account.encode(), "contents")
        whole = each.uri(bucket, "file").replace(f"//{each.account}/",
                                                 f"//{each.account}.blob.core.windows.net/")
        equal(bench.good("cat", whole).out, each.account.encode(), f"contents of {whole}")


@case("az")
def an_emulators_accounts_are_in_its_paths(bench, store):
    bucket = bench.bucket(store)
    store.put(bucket, "folder/file", b"contents")
    emulator = {"TF_AZURE_STORAGE_BLOB_ENDPOINT": f"127.0.0.1:{store.port}/{store.account}"}
    equal(bench.good("cat", store.uri(bucket, "folder/file"), env=emulator).out, b"contents",
          "contents")
    equal(bench.good("ls", store.uri(bucket), env=emulator).lines, ["folder"], "names")


@case("az", seconds=180)
def a_listing_of_two_pages_is_whole(bench, store):
    bucket = bench.bucket(store)
    names = [f"{number:04}" for number in range(5001)]
    for name in names:
        store.put(bucket, f"many/{name}", b"")
    equal(bench.good("ls", store.uri(bucket, "many")).lines, names, "names")


@case("az")
def a_wrong_key_is_an_error(bench, store):
    bucket = bench.bucket(store)
    store.put(bucket, "file", b"contents")
    wrong = {"TF_AZURE_STORAGE_KEY": "d3Jvbmc="}
    for verb in "cat", "ls", "stat", "exists", "du":
        ended = bench.run(verb, store.uri(bucket, "file"), env=wrong)
        wanted(ended.code != 0 and ended.error, "an error", ended)


@case("az", seconds=90)
def a_folder_of_blobs_is_copied_to_every_other_store(bench, store):
    bucket = bench.bucket(store)
    for path, contents in trees.MIXED.items():
        store.put(bucket, f"folder/{path}", contents)
    store.put(bucket, "folder2/other", b"")
    want = trees.write(bench.path("want"), trees.MIXED)
    bench.good("cp", "-r", store.uri(bucket, "folder"), bench.path("here"))
    trees.require_equal(want, bench.path("here"))
    for scheme in "s3", "gs":
        target = bench.world.stores[scheme]
        uri = target.uri(bench.bucket(target), "copy")
        bench.good("cp", "-r", store.uri(bucket, "folder"), uri)
        bench.good("cp", "-r", uri, bench.path(scheme))
        trees.require_equal(want, bench.path(scheme))
