"""Chooses the faults of a random run in the calls that a plugin, or its library, makes."""

# Of libhdfs (testdata/hdfs/faults.h), likely ones several times.
HDFS = ["open", "create", "create", "read", "write", "write", "close", "close", "stat", "stat",
        "list", "list", "mkdirs", "delete", "delete", "rename"]
CODES = [2, 5, 7, 13, 14]  # UNKNOWN, NOT_FOUND, PERMISSION_DENIED, INTERNAL, UNAVAILABLE


def _hdfs(rng):
    words = [f"{rng.choice(HDFS)}={rng.randint(1, 6)}{rng.choice(['', '', '+'])}"
             for _ in range(rng.choice([1, 1, 2, 3]))]
    if rng.random() < 0.1:
        words.append(f"quota={rng.choice([0, 1, 100, 70_000])}")
    return {"FSLOAD_TEST_HDFS_FAULTS": " ".join(words)}


def _careless(rng):
    first = rng.randint(1, 60)
    last = first + rng.choice([0, 0, 1, 5, 40])
    when, code = rng.choice(["before", "before", "after"]), rng.choice(CODES)
    return {"CARELESS_FAULTS": ",".join(f"{number} {when} {code}"
                                        for number in range(first, last + 1))}


CHOOSE = {"hdfs": _hdfs, "careless": _careless}


def choose(rng, scenario):
    """As random_faults.choose; the faults are in the environment."""
    environment = CHOOSE[scenario.scheme](rng) if rng.random() < 0.7 else {}
    return environment, ["--op-timeout", "40"], []
