"""Finds a smaller tree with the same problem."""


def _kind(problem):
    return problem.split("'")[0]


def shrunk(trial, found):
    """Removes nodes from the trial while its first problem remains."""
    kind, kept = _kind(found[0]), found
    step = max(1, len(trial.nodes) // 2)
    while True:
        index = 0
        while index < len(trial.nodes):
            whole = trial.nodes
            left_out = [node for node in whole[index:index + step]
                        if node.path not in trial.grounds.roots]
            trial.nodes = [node for node in whole if node not in left_out]
            again = trial.problems() if left_out else []
            if any(_kind(problem) == kind for problem in again):
                kept = again
            else:
                trial.nodes = whole
                index += step
        if step == 1:
            trial.problems()
            return kept
        step //= 2
