"""Compares what fsload did with what coreutils did on the same tree."""

import os
import re
from typing import NamedTuple

from entries import NEW


class Outcome(NamedTuple):
    code: int
    errors: str
    entries: dict  # the tree afterwards


TOO_DEEP = 125
# Progress, shown after a second on a busy machine; not an error.
PROGRESS = re.compile(r"^\d+%: .* files? in [\d:]+, .* left\n", re.MULTILINE)
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


def _names_in(entries):
    """The names in each directory."""
    names = {}
    for path in entries:
        names.setdefault(os.path.dirname(path), set()).add(path)
    return names


class _Matcher:
    """Compares the entries of a tree with those of another. After an error, a
    directory with other names may have been modified just then: the kernel
    sets that time."""

    def __init__(self, found, other, ignored, has_failed):
        self.found, self.other, self.ignored = found, other, ignored
        self.names = (_names_in(found), _names_in(other)) if has_failed else None

    def same(self, path):
        one, other = self.found.get(path), self.other.get(path)
        if self.names and one and other and one.kind == "directory" and one.time == NEW:
            names, other_names = self.names
            if names.get(path) != other_names.get(path):
                other = other._replace(time=NEW)
        return _same(one, other, self.ignored)


def _differing(found, others, ignored, has_failed):
    """Entries that equal none of those that the `others` have at the same path."""
    matchers = [_Matcher(found, other, ignored, has_failed) for other in others]
    for path in sorted(set(found).union(*others)):
        if not any(matcher.same(path) for matcher in matchers):
            yield f"{path!r} is {_show(found.get(path))}, but should be " + " or ".join(
                dict.fromkeys(_show(other.get(path)) for other in others))


def _lost(before, found, expected):
    for contents in sorted((_contents(before) & _contents(expected)) - _contents(found)):
        path = next(p for p, entry in before.items() if entry.contents == contents)
        yield f"LOST: the contents of {path!r} are nowhere"


def _stranded(situation, before, found):
    """Entries that mv was to move and that are under neither name."""
    for path, entry in before.items():
        names = [path, *situation.names_after(path, range(len(situation.new_names)))]
        if len(names) > 1 and entry.kind != "directory" and not any(
                _same(entry, found.get(name), ("mode", "owner", "time")) for name in names):
            yield f"LOST: {path!r} is neither there nor at its new name"


def _moved(situation, before, found, ignored, indexes):
    """The original tree, except that these sources' entries are under their new names."""
    after = dict(before)
    for path, entry in before.items():
        for name in situation.names_after(path, indexes):
            there = found.get(name)
            is_copy = path in found and entry.kind != "directory"
            if is_copy or not _is_moved(entry, there, situation.user, ignored):
                continue
            if path not in found:
                after.pop(path, None)
            after[name] = there
            break
    return after


def _is_moved(entry, there, user, ignored):
    """Whether `there` is what mv makes of the entry."""
    forms = [entry]
    if user != 0:  # only root can keep an owner
        forms.append(entry._replace(owner=(user, user), mode=entry.mode & ~0o6000))
    if entry.kind == "directory":  # its time is set when its contents are complete
        forms += [form._replace(time=NEW) for form in forms]
    return any(_same(form, there, ignored) for form in forms)


def _is_within(path, folders):
    return any(path == folder or path.startswith(folder + b"/") for folder in folders)


def _kept(situation, before, found, ignored, moved):
    """Without coreutils: what must be unchanged, or moved."""
    others = [before]
    if situation.command.continues:
        others.append(_moved(situation, before, found, ignored, moved))
    matchers = [_Matcher(found, other, ignored, True) for other in others]
    for path in sorted(set(before) | set(found)):
        entry = before.get(path)
        if not entry and any(final.startswith(path + b"/") for final in situation.real_finals):
            continue  # a directory made above the target
        is_spared = entry and entry.is_special or not _is_within(path, situation.real_finals)
        if is_spared and not any(matcher.same(path) for matcher in matchers):
            yield f"{path!r} was {_show(entry)}, and is {_show(found.get(path))}"


def problems(situation, before, fsload, coreutils, rows):
    """The problems, as sentences; coreutils is None if it was not run."""
    ignored = {name for row in rows for name in row.ignored}
    if situation.command.verb.split()[0] not in ("mv", "rm"):
        ignored.add("times of directories")
    if fsload.code < 0 or fsload.code in CRASHES:
        yield f"{CRASHES.get(fsload.code, 'a signal')} (exit code {fsload.code})"
    errors = PROGRESS.sub("", fsload.errors)
    if (fsload.code == 0) != (errors == ""):
        yield f"exit code {fsload.code} does not go with what was said: {errors!r}"
    moved = {index for row in rows if row.moved
             for index, may_be in enumerate(row.moved(situation)) if may_be}
    if situation.command.verb == "mv":
        yield from _stranded(situation, before, fsload.entries)
    if coreutils is None:
        if fsload.code == 0 and not any(row.may_do for row in rows):
            yield "it is done, but should be refused"
        yield from _kept(situation, before, fsload.entries, ignored, moved)
        return
    if fsload.code == 0 and coreutils.code != 0 and any(row.may_exceed for row in rows):
        yield from _lost(before, fsload.entries, before)
        return
    if fsload.code == 0 and coreutils.code != 0:
        yield f"it is done, but coreutils refuses it: {coreutils.errors}"
    if fsload.code != 0 and coreutils.code == 0 and not any(row.may_refuse for row in rows):
        yield "it is refused, but coreutils does it"
    others = [coreutils.entries] if fsload.code == 0 else [before, coreutils.entries]
    if fsload.code != 0 and moved:
        others.append(_moved(situation, before, fsload.entries, ignored, moved))
    yield from _lost(before, fsload.entries, coreutils.entries)
    yield from _differing(fsload.entries, others, ignored, fsload.code != 0)
