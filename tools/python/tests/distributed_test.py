"""Copies by Dask's workers, which are processes, one of which is killed."""
import json
import os
import signal
import threading
import time

import distributed
import fsspec
import pytest

import fsload
import fsload.distributed


@pytest.fixture(scope="module")
def client():
    with distributed.LocalCluster(n_workers=2, threads_per_worker=2, processes=True,
                                  dashboard_address=":0") as cluster, \
            distributed.Client(cluster) as one:
        yield one


@pytest.fixture
def tree(tmp_path):
    """(its folder, {relative path: bytes})"""
    contents = {f"{n % 7}/{n}": os.urandom(n * 100) for n in range(150)}
    for name, data in contents.items():
        path = tmp_path / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return str(tmp_path / "tree"), contents


def contents_of(uri):
    fs = fsspec.filesystem("fsload")
    return {path[len(uri) + 1:]: data for path, data in fs.cat(fs.find(uri)).items()}


def test_a_tree_goes_from_store_to_store(client, tree, store):
    folder, contents = tree
    first = fsload.distributed.copy(fsload.distributed.plan(folder, store), client)
    assert (first.copied, first.skipped, first.errors) == (150, 0, [])
    assert first.bytes_copied == sum(map(len, contents.values()))
    plan = fsload.distributed.plan(store, f"{store}-copy")
    assert fsload.distributed.copy(plan, client, progress=True).copied == 150
    assert contents_of(f"{store}-copy") == contents


def test_a_copy_that_is_started_again_skips_what_is_there(client, tree, tmp_path):
    folder, contents = tree
    plan = fsload.distributed.plan(folder, tmp_path / "to")
    fsload.distributed.copy(plan, client)
    (tmp_path / "to/1/1").unlink()
    (tmp_path / "to/2/2").write_bytes(b"half")
    again = fsload.distributed.copy(plan, client)
    assert (again.copied, again.skipped, again.errors) == (2, 148, [])
    assert contents_of(f"posix://{tmp_path}/to") == contents


def test_a_killed_worker_loses_nothing(tree, tmp_path):
    folder, contents = tree
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True,
                                  dashboard_address=":0") as cluster, \
            distributed.Client(cluster) as client:
        plan = fsload.distributed.plan(folder, "s3://bucket/killed")
        victim = next(iter(client.run(os.getpid).values()))
        done_before = []

        def kill_in_the_middle():
            while not (done := fsload.glob("s3://bucket/killed/*/*")):
                time.sleep(0.01)
            os.kill(victim, signal.SIGKILL)
            done_before.extend(done)

        killer = threading.Thread(target=kill_in_the_middle)
        killer.start()
        summary = fsload.distributed.copy(plan, client)
        killer.join()
    assert 0 < len(done_before) < 150 and summary.errors == []
    assert summary.copied + summary.skipped == 150
    assert contents_of("s3://bucket/killed") == contents


def test_what_fails_is_in_the_summary(client, tree, tmp_path):
    folder, _ = tree
    plan = fsload.distributed.plan(folder, tmp_path / "to")
    os.unlink(f"{folder}/3/3")
    summary = fsload.distributed.copy(plan, client)
    assert [(file.source, type(error)) for file, error in summary.errors] == [
        (f"posix://{folder}/3/3", fsload.errors.NotFoundError)]
    assert summary.copied == 149
    with pytest.raises(FileNotFoundError):
        summary.raise_if_failed()


def test_a_plan_that_cannot_be_carried_out_is_refused(tmp_path):
    with pytest.raises(fsload.Error, match="nothing"):
        fsload.distributed.plan(tmp_path / "nothing", tmp_path / "to")


def test_only_whole_plans_of_copies_are_read():
    step = {"version": 1, "verb": "mv", "event": "plan", "step": "delete_file", "target": "/a"}
    with pytest.raises(ValueError, match="'delete_file' is no copy"):
        fsload.distributed.read_plan([json.dumps(step)])
    step["step"], step["source"], step["bytes"] = "copy_file", "b", 1
    with pytest.raises(ValueError, match="not complete"):
        fsload.distributed.read_plan([json.dumps(step)])
    planned = {"version": 1, "verb": "cp", "event": "planned", "steps": 1}
    plan = fsload.distributed.read_plan([json.dumps(step), json.dumps(planned)])
    assert plan.files == [fsload.distributed.File(f"posix://{os.getcwd()}/b", "posix:///a", 1)]


def _sum(part):
    return part["value"].sum()


def test_dask_reads_a_parquet_dataset(client, store):
    import pandas
    fs = fsspec.filesystem("fsload")
    for year in 2024, 2025, 2026:
        frame = pandas.DataFrame({"value": range(year)})
        fs.makedirs(f"{store}/data/year={year}", exist_ok=True)
        frame.to_parquet(f"fsload://{store}/data/year={year}/part.parquet")
    parts = client.map(pandas.read_parquet, [f"fsload://{path}" for path in
                                             fs.find(f"{store}/data")])
    assert sum(client.gather(client.map(_sum, parts))) == sum(
        sum(range(year)) for year in (2024, 2025, 2026))
