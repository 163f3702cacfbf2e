"""Holds what fsload did against what coreutils did on the same tree."""

from typing import NamedTuple


class Outcome(NamedTuple):
    code: int
    errors: str
    entries: dict  # what the tree holds afterwards


TOO_DEEP = 125
CRASHES = {TOO_DEEP: "it made a tree too deep", 9: "the plugin's process ended", 70: "fsload failed", 124: "it did not end"}


def _contents(entries):
    return {entry.contents for entry in entries.values() if entry.kind == "file"}


def _same(one, other, ignored):
    if one is None or other is None:
        return one is other
    fields = [name for name in one._fields if name not in ignored]
    if one.kind == other.kind == "directory":
        if "attributes of directories" in ignored:
            fields = ["kind"]
        elif "times of directories" in ignored and "time" in fields:
            fields.remove("time")
    return all(getattr(one, name) == getattr(other, name) for name in fields)


def _show(entry):
    if entry is None:
        return "nothing"
    return f"{entry.kind} {entry.mode:o} {entry.owner} {entry.contents} {entry.time}"


def _differing(found, others, ignored):
    """Where an entry is like none of those that the `others` have at its path."""
    for path in sorted(set(found).union(*others)):
        if not any(_same(found.get(path), other.get(path), ignored) for other in others):
            yield f"{path!r} is {_show(found.get(path))}, but should be " + " or ".join(
                dict.fromkeys(_show(other.get(path)) for other in others))


def _lost(before, found, expected):
    for contents in sorted((_contents(before) & _contents(expected)) - _contents(found)):
        path = next(p for p, entry in before.items() if entry.contents == contents)
        yield f"LOST: the contents of {path!r} are nowhere"


def _kept(situation, before, found, ignored):
    """Where coreutils cannot be asked: what must be as it was."""
    for path, entry in before.items():
        outside = not any(path == final or path.startswith(final + b"/")
                          for final in situation.real_finals)
        if (entry.is_special or outside) and not _same(entry, found.get(path), ignored):
            yield f"{path!r} was {_show(entry)}, and is {_show(found.get(path))}"


def problems(situation, before, fsload, coreutils, rows):
    """What is wrong, in sentences; coreutils is None where it was not asked."""
    ignored = {name for row in rows for name in row.ignored}
    if situation.command.verb.split()[0] not in ("mv", "rm"):
        ignored.add("times of directories")
    if fsload.code < 0 or fsload.code in CRASHES:
        yield f"{CRASHES.get(fsload.code, 'a signal')} (exit code {fsload.code})"
    if (fsload.code == 0) != (fsload.errors == ""):
        yield f"exit code {fsload.code} does not go with what was said: {fsload.errors!r}"
    if coreutils is None:
        if fsload.code == 0 and not any(row.may_do for row in rows):
            yield "it is done, but should be refused"
        yield from _kept(situation, before, fsload.entries, ignored)
        return
    if fsload.code == 0 and coreutils.code != 0 and any(row.may_exceed for row in rows):
        yield from _lost(before, fsload.entries, before)
        return
    if fsload.code == 0 and coreutils.code != 0:
        yield f"it is done, but coreutils refuses it: {coreutils.errors}"
    if fsload.code != 0 and coreutils.code == 0 and not any(row.may_refuse for row in rows):
        yield "it is refused, but coreutils does it"
    others = [coreutils.entries] if fsload.code == 0 else [before, coreutils.entries]
    yield from _lost(before, fsload.entries, coreutils.entries)
    yield from _differing(fsload.entries, others, ignored)
