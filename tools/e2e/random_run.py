"""One random run: prepares its scenario, runs fsload through the fault proxy,
and checks the result."""
import shutil

import invariant
from bench import Bench
from fault_proxy import FaultProxy
from scenario import Scenario
from sides import Bucket, Folder

# The az plugin asks a server that fails four times, in half a minute, and fsload asks it again.
SECONDS = {"az": 400}
OTHER_SECONDS = 120


class RandomRun:
    def __init__(self, world, seed, scheme="s3"):
        self._world = world
        self._store = world.stores[scheme]
        self.scenario = Scenario(seed, scheme)
        self.command = ""
        self.ended = None
        self.requests = []
        self.problems = []

    def run(self):
        bench = Bench(self._world, SECONDS.get(self.scenario.scheme, OTHER_SECONDS))
        try:
            self._run(bench)
        except AssertionError as error:  # it did not end, or the store has gone
            self.problems.append(str(error))
        shutil.rmtree(bench.folder, ignore_errors=True)

    def _sides(self, bench):
        sides = {}
        for name, kind in self.scenario.kinds.items():
            sides[name] = (Bucket(self._store, f"run-{bench.number}-{name}") if kind == "store"
                           else Folder(bench.path(name)))
            if name == "source" and self.scenario.same_bucket:
                return {"source": sides[name], "target": sides[name]}
        return sides

    def _run(self, bench):
        scenario = self.scenario
        sides = self._sides(bench)
        for name, side in sides.items():
            side.write(scenario.before[name])
            for folder in scenario.folders[name]:
                side.make_folder(folder)
        before = self._state(sides)
        arguments = scenario.command(sides)
        self.command = " ".join(["fsload", *arguments])
        self._run_command(bench, arguments)
        after = self._state(sides)
        left = scenario.shape == "tree" and sides["source"].has_folder(scenario.arguments[0])
        # On a busy machine short timeouts expire, which is a fault too.
        met = any(fault for _, fault in self.requests) or scenario.hurries or self._may_fail()
        self.problems += invariant.problems(scenario, before, after, self.ended, met, left)
        if scenario.verb == "sync":
            self._resume(bench, sides, after)

    def _run_command(self, bench, arguments):
        scenario = self.scenario
        if not hasattr(self._store, "port"):
            self.ended = bench.run(*arguments, env={
                **self._world.environment(), **scenario.environment})
            return
        with FaultProxy(self._store.port, *scenario.faults) as proxy:
            ports = {f"{scenario.scheme}_port": proxy.port}
            try:
                self.ended = bench.run(*arguments, env={
                    **self._world.environment(**ports), **scenario.environment})
            finally:
                self.requests = list(proxy.requests)

    def _may_fail(self):
        """Whether an error is no surprise although no request has failed."""
        return (self.scenario.scheme == "careless" or  # it lists names that are not there
                self.scenario.scheme == "hdfs" and bool(self.scenario.environment))

    def _resume(self, bench, sides, before):
        """sync goes on where it stopped, once the store is well."""
        again = bench.run(*self.scenario.command(sides, hurries=False))
        states = [{place: contents for place, contents in state.items()
                   if ".fsload-" not in place[1]} for state in (before, self._state(sides))]
        self.problems += [f"run again: {problem}" for problem in
                          invariant.problems(self.scenario, *states, again,
                                             self.scenario.scheme == "careless", False)]

    def _state(self, sides):
        """{(side, path): bytes}; in a bucket for both sides, what belongs to
        neither counts as the source's."""
        found = {}
        targets = self.scenario.extra | set(self.scenario.pairs.values())
        for name, side in sides.items():
            for path, contents in side.read().items():
                both = sides["source"] is sides["target"]
                is_target = path in targets
                if not both or is_target == (name == "target"):
                    found[name, path] = contents
        return found

    def story(self):
        """Everything needed to find out what happened."""
        lines = [f"-- seed {self.scenario.seed}: {self.command}"]
        lines += [f"   {problem}" for problem in self.problems]
        for side, files in self.scenario.before.items():
            lines += [f"   before: {side} `{path}`: {len(contents)} bytes {contents[:8].hex()}"
                      for path, contents in sorted(files.items())]
        settings = " ".join(f"{k}={v}" for k, v in self.scenario.environment.items())
        lines += [f"   environment: {settings}"]
        lines += [f"   fault: {fault}" for fault in self.scenario.faults]
        lines += [f"   asked: {request}{f' <- {fault.effect} {fault.number}' if fault else ''}"
                  for request, fault in self.requests]
        lines += [f"   {self.ended}"]
        return "\n".join(lines)
