"""Defines cases and lists them.

A case is a function whose name is a sentence. It takes a Bench (bench.py)
and, if it is for certain schemes, the store of one of them."""
import inspect

CASES = []


class Case:
    def __init__(self, function, scheme, seconds):
        self.name = function.__name__.replace("_", " ").strip()
        if scheme:
            self.name = f"{scheme}: {self.name}"
        self.function = function
        self.scheme = scheme
        self.seconds = seconds


def case(*schemes, seconds=60):
    """Adds the function to CASES: once, or once for each of `schemes`. It must
    end within `seconds`."""

    def add(function):
        takes_store = len(inspect.signature(function).parameters) == 2
        assert takes_store == bool(schemes), function.__name__
        CASES.extend(Case(function, scheme, seconds) for scheme in schemes or [""])
        return function

    return add


def wanted(condition, want, found):
    """Fails the case, stating both, unless `condition`."""
    if not condition:
        raise AssertionError(f"expected {want}, found {found}")


def equal(found, want, what):
    if found != want:
        raise AssertionError(f"{what}: expected {_short(want)}, found {_short(found)}")


def _short(value):
    text = repr(value)
    return text if len(text) <= 600 else f"{text[:600]}… ({len(text)} characters)"
