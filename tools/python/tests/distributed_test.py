"""Copies by the workers of Dask and of Ray, which are processes, one of which is killed."""
import contextlib
import json
import os
import signal
import threading
import time

import distributed
import fsspec
import pandas
import pytest
import ray

import fsload
import fsload.distributed


class Dask:
    """Two workers of a Dask cluster."""

    def __init__(self, client):
        self._client = client

    def copy(self, plan, **options):
        return fsload.distributed.copy(plan, self._client, **options)

    def map(self, function, arguments):
        return self._client.gather(self._client.map(function, arguments))

    @classmethod
    @contextlib.contextmanager
    def started(cls):
        with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True,
                                      dashboard_address=":0") as cluster, \
                distributed.Client(cluster) as client:
            yield cls(client)


class Ray:
    """Two workers of Ray."""

    copy = staticmethod(fsload.distributed.copy_by_ray)

    @staticmethod
    def map(function, arguments):
        return ray.get([ray.remote(function).remote(one) for one in arguments])

    @classmethod
    @contextlib.contextmanager
    def started(cls):
        ray.init(num_cpus=2, include_dashboard=False)
        try:
            yield cls()
        finally:
            ray.shutdown()


@pytest.fixture(scope="module", params=[Dask, Ray])
def engine(request):
    with request.param.started() as one:
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


def test_a_tree_goes_from_store_to_store(engine, tree, store):
    folder, contents = tree
    first = engine.copy(fsload.distributed.plan(folder, store))
    assert (first.copied, first.skipped, first.errors) == (150, 0, [])
    assert first.bytes_copied == sum(map(len, contents.values()))
    plan = fsload.distributed.plan(store, f"{store}-copy")
    assert engine.copy(plan).copied == 150
    assert contents_of(f"{store}-copy") == contents


def test_dask_shows_progress(tree, tmp_path, capsys):
    with Dask.started() as dask:
        dask.copy(fsload.distributed.plan(tree[0], tmp_path / "to"), progress=True)
    assert "100% Completed" in capsys.readouterr().out


def test_a_copy_that_is_started_again_skips_what_is_there(engine, tree, tmp_path):
    folder, contents = tree
    plan = fsload.distributed.plan(folder, tmp_path / "to")
    engine.copy(plan)
    (tmp_path / "to/1/1").unlink()
    (tmp_path / "to/2/2").write_bytes(b"half")
    again = engine.copy(plan)
    assert (again.copied, again.skipped, again.errors) == (2, 148, [])
    assert contents_of(f"posix://{tmp_path}/to") == contents


def test_a_killed_worker_loses_nothing(engine, tree):
    folder, contents = tree
    target = f"s3://bucket/killed-{type(engine).__name__}"
    plan = fsload.distributed.plan(folder, target)
    victim = engine.map(lambda _: os.getpid(), [None])[0]
    done_before = []

    def kill_in_the_middle():
        while not (done := fsload.glob(f"{target}/*/*")):
            time.sleep(0.01)
        os.kill(victim, signal.SIGKILL)
        done_before.extend(done)

    killer = threading.Thread(target=kill_in_the_middle)
    killer.start()
    summary = engine.copy(plan)
    killer.join()
    assert 0 < len(done_before) < 150 and summary.errors == []
    assert summary.copied + summary.skipped == 150
    assert contents_of(target) == contents


def test_what_fails_is_in_the_summary(engine, tree, tmp_path):
    folder, _ = tree
    plan = fsload.distributed.plan(folder, tmp_path / "to")
    os.unlink(f"{folder}/3/3")
    summary = engine.copy(plan)
    assert [(file.source, type(error)) for file, error in summary.errors] == [
        (f"posix://{folder}/3/3", fsload.errors.NotFoundError)]
    assert summary.copied == 149
    with pytest.raises(FileNotFoundError):
        summary.raise_if_failed()


def test_a_plan_that_cannot_be_carried_out_is_refused(tmp_path):
    with pytest.raises(fsload.Error, match="nothing"):
        fsload.distributed.plan(tmp_path / "nothing", tmp_path / "to")


def test_a_plan_of_names_that_look_like_options(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    os.mkdir("--move")
    open("--move/a", "w").close()
    plan = fsload.distributed.plan("--move", "--to")
    assert [file.target for file in plan.files] == [f"posix://{tmp_path}/--to/a"]


def test_only_whole_plans_of_copies_are_read():
    step = {"version": 1, "verb": "mv", "event": "plan", "step": "delete_file", "target": "/a"}
    with pytest.raises(ValueError, match="'delete_file' is no copy"):
        fsload.distributed.read_plan([json.dumps(step)])
    step["step"], step["source"], step["bytes"] = "copy_file", "b", 1
    for line in "{}", "[]", "1":
        with pytest.raises(ValueError, match="not a line of a plan"):
            fsload.distributed.read_plan([line])
    with pytest.raises(ValueError, match="not complete"):
        fsload.distributed.read_plan([json.dumps(step)])
    planned = {"version": 1, "verb": "cp", "event": "planned", "steps": 1}
    plan = fsload.distributed.read_plan([json.dumps(step), json.dumps(planned)])
    assert plan.files == [fsload.distributed.File(f"posix://{os.getcwd()}/b", "posix:///a", 1)]


def test_workers_read_a_parquet_dataset(engine, store):
    fs = fsspec.filesystem("fsload")
    for year in 2024, 2025, 2026:
        frame = pandas.DataFrame({"value": range(year)})
        fs.makedirs(f"{store}/data/year={year}", exist_ok=True)
        frame.to_parquet(f"fsload://{store}/data/year={year}/part.parquet")

    def total(path):  # by value, as workers do not have this module
        return int(pandas.read_parquet(path)["value"].sum())

    paths = [f"fsload://{path}" for path in fs.find(f"{store}/data")]
    assert sum(engine.map(total, paths)) == sum(sum(range(year)) for year in (2024, 2025, 2026))
