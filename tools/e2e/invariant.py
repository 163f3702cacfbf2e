"""What must hold after every run, whatever the store answered."""
import os

# Where a file has all of its old contents or all of its new ones.
ATOMIC = ("s3", "disk")


def problems(scenario, before, after, ended, met, folder_left):
    """Yields each problem as a sentence. `before` and `after` are {(side,
    path): bytes}, read without fsload; `met` is whether a fault occurred,
    `folder_left` whether the source of a tree still exists."""
    found = list(_of_the_end(ended, met))
    touched = set()
    for source, target in scenario.pairs.items():
        here, there = ("source", source), ("target", target) if target else None
        touched |= {here, there}
        judge = {"cp": _copied, "sync": _copied, "mv": _moved, "rm": _removed, "touch": _made,
                 "read": _kept}[scenario.verb]
        found += judge(scenario, before, after, here, there, ended)
    if scenario.reading:
        found += _printed(scenario, ended)
    if scenario.deletes_extra:
        found += _deleted(scenario, before, after, ended.code == 0)
        touched |= {("target", path) for path in scenario.extra}
    for place in sorted(set(before) - touched):
        if after.get(place) != before[place]:
            found.append(f"{_say(place)}, which the command is not about, was {_say(place, before)} "
                         f"and is {_say(place, after)}")
    for place in sorted(set(after) - set(before) - touched):
        name = os.path.basename(place[1])
        if ".fsload-" not in name:
            found.append(f"{_say(place)} has appeared with {_say(place, after)}")
        elif name not in ended.err:
            found.append(f"{_say(place)} is left over, and no error names it")
    if scenario.verb in ("mv", "rm") and ended.code == 0 and folder_left:
        found.append("exit code 0, and the folder of the source is still there")
    return found


def _of_the_end(ended, met):
    if ended.code < 0:
        yield f"fsload was killed by signal {-ended.code}"
    if ended.code == 0 and ended.error:
        yield "exit code 0 with an error"
    if ended.code != 0 and not ended.error:
        yield f"exit code {ended.code} without an error"
    if ended.code != 0 and not met:
        yield f"exit code {ended.code}, though no fault was met"


def _say(place, state=None):
    """Describes the place; with `state`, also what is there."""
    if state is None:
        return f"{place[0]} `{place[1]}`"
    if place not in state:
        return "nothing"
    return f"{len(state[place])} bytes {state[place][:8].hex()}"


def _kept(scenario, before, after, here, there, ended):
    if after.get(here) != before[here]:
        yield (f"the source {_say(here)} was {_say(here, before)} and is "
               f"{_say(here, after)}")


def _copied(scenario, before, after, here, there, ended):
    yield from _kept(scenario, before, after, here, there, ended)
    yield from _target(scenario, before, after, here, there, ended)


def _is_kept(scenario, after, contents, ended):
    """Whether a file that an error names has `contents`: a store that does not replace
    objects at once may lose its target while fsload keeps copies."""
    if scenario.scheme in ATOMIC or ended.code == 0:
        return False
    return contents is None or any(
        found == contents and os.path.basename(place[1]) in ended.err
        for place, found in after.items() if ".fsload-" in place[1])


def _target(scenario, before, after, here, there, ended):
    succeeded = ended.code == 0
    old, new, now = before.get(there), before[here], after.get(there)
    if now not in (old, new) and not _is_kept(scenario, after, old, ended):
        yield (f"{_say(there)} was {_say(there, before)}, should be {_say(here, before)}, "
               f"and is {_say(there, after)}: neither")
    if scenario.keeps_targets and old is not None:
        if now != old:
            yield f"{_say(there)} was overwritten in spite of -n"
    elif succeeded and now != new:
        yield (f"exit code 0, and {_say(there)} has {_say(there, after)} in place of "
               f"{_say(here, before)}")


def _moved(scenario, before, after, here, there, ended):
    yield from _target(scenario, before, after, here, there, ended)
    if after.get(here) not in (None, before[here]):
        yield f"the source {_say(here)} has other contents: {_say(here, after)}"
    if (here not in after and after.get(there) != before[here] and
            not _is_kept(scenario, after, before[here], ended)):
        yield (f"LOST: the source {_say(here)} is gone, and {_say(there)} has "
               f"{_say(there, after)}")
    if ended.code == 0 and here in after:
        yield f"exit code 0, and the source {_say(here)} is still there"


def _removed(scenario, before, after, here, there, ended):
    if after.get(here) not in (None, before[here]):
        yield f"{_say(here)} has other contents: {_say(here, after)}"
    if ended.code == 0 and here in after:
        yield f"exit code 0, and {_say(here)} is still there"


def _deleted(scenario, before, after, succeeded):
    """sync --delete deletes what the source lacks, when all else is done."""
    missing = [target for source, target in scenario.pairs.items()
               if after.get(("target", target)) != before["source", source]]
    for place in sorted(("target", path) for path in scenario.extra):
        if place not in after:
            for target in missing:
                yield f"{_say(place)} was deleted, and `{target}` was not yet copied"
        elif after[place] != before[place]:
            yield f"{_say(place)} has other contents: {_say(place, after)}"
        elif succeeded:
            yield f"exit code 0, and {_say(place)} is still there"


def _printed(scenario, ended):
    """All of it, or, with an error, its beginning."""
    want = scenario.output
    if ended.code == 0 and ended.out != want:
        yield (f"exit code 0, and {len(ended.out)} bytes were printed, of {len(want)}, "
               f"equal up to {_equal_bytes(ended.out, want)}")
    elif not want.startswith(ended.out):
        yield (f"{len(ended.out)} bytes were printed, and are right up to "
               f"{_equal_bytes(ended.out, want)}")


def _equal_bytes(one, other):
    pairs = enumerate(zip(one, other))
    return next((index for index, (a, b) in pairs if a != b), min(len(one), len(other)))


def _made(scenario, before, after, here, there, ended):
    want = before.get(here, b"")
    if here in before and here not in after:
        yield f"LOST: {_say(here)} is gone"
    elif after.get(here, want) != want:
        yield f"LOST: {_say(here)} had {_say(here, before)} and has {_say(here, after)}"
    if ended.code == 0 and here not in after:
        yield f"exit code 0, and {_say(here)} is not there"
