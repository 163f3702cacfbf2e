"""Chooses the faults of a random run, except those that no correct store has
and nobody could notice, such as losing acknowledged data."""
import re

from faults import FOREVER, Fault

# {method: (effects, statuses)}. Statuses come first, as the most frequent.
EFFECTS = {
    "HEAD": (["close", "hang", "length", "length"], [400, 403, 404, 404, 500, 503]),
    "LIST": (["close", "hang", "cut", "stall"], [403, 500, 503]),
    "GET": (["close", "hang", "cut", "stall", "short"], [403, 404, 500, 503]),
    "PUT": (["close", "hang"], [400, 403, 409, 500, 503]),
    "COPY": (["error in 200", "error in 200", "close", "hang"], [403, 404, 500, 503]),
    "DELETE": (["close", "hang"], [403, 404, 500, 503]),
    "POST": (["error in 200", "close", "hang"], [403, 500, 503]),
}
CHANGES = ("PUT", "COPY", "DELETE", "POST")
WAITS = ("hang", "stall")
PART = str(5 << 20)
MIDDLE = (2 << 20) + 1  # of a block that is read ahead


def _methods(scenario):
    """Likely requests to the store; important ones are repeated."""
    if scenario.verb == "rm":
        return ["HEAD", "LIST", "DELETE", "DELETE"]
    if scenario.verb == "touch":
        return ["HEAD", "HEAD", "LIST", "PUT"]
    if scenario.reading:
        return ["HEAD", "LIST"] + ["GET"] * 6
    methods = ["HEAD", "LIST"]
    if scenario.kinds["source"] == "store":
        methods += ["GET", "GET"] + (["DELETE", "DELETE"] if scenario.verb == "mv" else [])
    if scenario.kinds["target"] == "store":
        methods += ["PUT", "COPY", "COPY", "DELETE"]
        if scenario.deletes_extra:
            methods += ["DELETE", "LIST"]
        if scenario.has_large:
            methods += ["POST"] * 4
    return methods


def _path(rng, scenario, method):
    """A pattern that matches one name, or all."""
    targets = [path for path in scenario.pairs.values() if path]
    paths = {"LIST": [], "GET": list(scenario.pairs), "DELETE": list(scenario.pairs),
             "HEAD": [*scenario.pairs, *targets]}.get(method, targets)
    if not paths or rng.random() < 0.6:
        return ""
    if rng.random() < 0.2:
        return r"/\.fsload-"
    return re.escape("/" + rng.choice(paths)) + r"\?"


def _one(rng, scenario):
    method = rng.choice(_methods(scenario))
    effects, statuses = EFFECTS[method]
    if method == "HEAD" and scenario.believes_lengths:
        effects = [one for one in effects if one != "length"]
    effect = rng.choice(effects) if rng.random() < 0.5 else "status"
    number = {"status": rng.choice(statuses), "cut": rng.choice([0, 1, 4, 100, 500, MIDDLE]),
              "stall": rng.choice([0, 1, 100, MIDDLE]),
              "short": rng.choice([1, 2, 100, MIDDLE]),
              "length": rng.choice([-1, 1, -100, 1000])}.get(effect, 0)
    done = (method in CHANGES and effect in ("status", "close", "hang") and
            rng.random() < 0.4)
    times = rng.choice([1, 1, 2] if effect in WAITS else [1, 2, FOREVER, FOREVER])
    # Some wrong answers only matter after a change.
    after = rng.choice(CHANGES) if method in ("HEAD", "LIST") and rng.random() < 0.2 else ""
    return Fault(method, effect, number, _path(rng, scenario, method),
                 rng.choice([1, 1, 1, 1, 2, 3, 4]), times, done, after)


def choose(rng, scenario):
    """The faults of a run, and what to add to its environment and options."""
    kind = rng.random()
    if kind < 0.05:
        faults = []
    elif kind < 0.12:  # credentials that may write, but not read
        faults = [Fault(method, "status", 403) for method in ("HEAD", "LIST", "GET")]
        if rng.random() < 0.3:
            faults.pop(1)
    elif kind < 0.2:  # the store disappears at the n-th request
        faults = [Fault("*", "status", rng.choice([403, 500, 503]), nth=rng.randint(1, 15),
                        times=rng.choice([1, 3, FOREVER]), done=rng.random() < 0.3)]
    elif kind < 0.22 and scenario.shape != "tree":
        # Reads as an empty list, although a HEAD has seen the objects.
        faults = [Fault("LIST", "error in 200", nth=rng.choice([1, 1, 2, 3]))]
    else:
        faults = [_one(rng, scenario) for _ in range(rng.choice([1, 1, 2, 3]))]
    waits = any(fault.effect in WAITS for fault in faults)
    # With retries, each fault takes a second or more.
    environment = {"AWS_MAX_ATTEMPTS": rng.choice(["1"] * (9 if waits else 4) + ["2"]),
                   "S3_CONNECT_TIMEOUT_MSEC": "30000", "S3_REQUEST_TIMEOUT_MSEC": "30000",
                   "S3_MULTI_PART_UPLOAD_CHUNK_SIZE": PART, "S3_MULTI_PART_COPY_PART_SIZE": PART}
    if waits and (rng.random() < 0.3 or scenario.scheme != "s3"):
        # Only fsload notices the timeout.
        return environment, ["--op-timeout", "3"], faults
    if waits:
        environment["S3_REQUEST_TIMEOUT_MSEC"] = "1000"
    # The plugin may wait forever for failed parts of an upload.
    return environment, ["--op-timeout", "40"], faults
