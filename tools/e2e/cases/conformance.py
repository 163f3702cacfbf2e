"""fsload conformance, against plugins that people have."""
import json
import os
import pathlib

from case import case, equal, wanted
from fault_proxy import FaultProxy
from faults import Fault

EXPECTED = pathlib.Path(__file__).resolve().parents[2] / "conformance" / "expected"
PROFILES = {"s3": "object-store", "gs": "object-store", "az": "object-store", "hdfs": "local"}
LEVEL = os.environ.get("FSLOAD_E2E_CONFORMANCE_LEVEL", "1")


def _report(bench, store, *arguments, **options):
    """What the suite says of a store's plugin."""
    root = store.uri(bench.bucket(store), "conformance")
    plugins = bench.world.plugins
    plugin = plugins.get(store.scheme, plugins["s3"])  # hdfs is in that file, too
    ended = bench.run("conformance", plugin, "--root", root,
                      f"--profile={PROFILES[store.scheme]}", "--seed=1", "--jobs=2",
                      "--timeout=60", "--format=json", *arguments, **options)
    wanted(ended.code in (0, 1) and ended.out, "a report", ended)
    return json.loads(ended.out)


@case("s3", "gs", "hdfs", seconds=3000)
def deviations_are_those_that_are_known(bench, store):
    report = _report(bench, store, "--level", LEVEL, "--expected-failures",
                     str(EXPECTED / f"{store.scheme}.txt"))
    bad = {result["name"]: (result["verdict"], result["failures"])
           for result in report["results"]
           if result["verdict"] not in ("passed", "skipped", "expected_failure", "disputed")}
    equal(bad, {}, "deviations that the file does not name")


@case("s3", "gs", "az", "hdfs", seconds=3000)
def a_plugin_in_a_process_of_its_own_behaves_the_same(bench, store):
    def verdicts(*arguments):
        report = _report(bench, store, "--level", LEVEL, *arguments)
        return {each["name"]: each for each in report["results"]}
    here, isolated = verdicts(), verdicts("--isolate")
    equal(sorted(isolated), sorted(here), "the cases")
    differing = {name: (here[name]["verdict"], each["verdict"])
                 for name, each in isolated.items()
                 if each["verdict"] != here[name]["verdict"]
                 # What a plugin does to its process.
                 and "(--isolate)" not in (each.get("reason") or "")}
    equal(differing, {}, "results that differ")


@case("gs", seconds=300)
def a_tree_is_not_deleted_if_one_of_its_files_is_not(bench, store):
    """By the plugin's delete_recursively, which no verb calls."""
    only = "delete-tree.the-tree-and-nothing-else"
    for host in "tables", "facade":
        for name in "/a/1", "/a/d/":  # the third that is deleted, and the last one
            refused = Fault("DELETE", "status", 403, path=rf"{name}\?", times=1)
            with FaultProxy(store.port, refused) as proxy:
                report = _report(bench, store, "--only", f"{only}@{host}",
                                 env=bench.world.environment(gs_port=proxy.port))
                wanted(proxy.hits, "a deletion that is refused", proxy.requests)
            result, = [each for each in report["results"] if each["name"] == f"{only}@{host}"]
            deleted = result["failures"][0]
            wanted(deleted.startswith('delete_recursively("a") -> PERMISSION_DENIED'),
                   f"an error for {name}@{host}", deleted)
            wanted("undeleted: 0 files, 0 directories" not in deleted, "counts of what is left",
                   deleted)
