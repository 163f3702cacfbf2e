"""What the verbs that read a store are to print, worked out without fsload."""

NUMBERS = [0, 1, 2, 100, 5000, (1 << 20) + 1, 9_000_000]


def _lines(contents):
    """Each with its newline."""
    lines = [line + b"\n" for line in contents.split(b"\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def _last(sequence, number):
    return sequence[max(0, len(sequence) - number):]


class Reading:
    """A command that reads files: its words before and behind their names, and what
    it is to print `of` each."""

    def __init__(self, rng, one_file):
        number, offset = rng.choice(NUMBERS), rng.choice(NUMBERS)
        count, skip = f"{number}", f"{offset}"
        whole = [(["cat"], [], lambda text: text)]
        if one_file:
            whole.append((["cp"], ["-"], lambda text: text))
        self.verb, self.last, self.of = rng.choice([
            *whole,
            (["cat", "--offset", skip, "--count", count], [],
             lambda text: text[offset:offset + number]),
            (["head", "-c", count], [], lambda text: text[:number]),
            (["head", "-n", count], [], lambda text: b"".join(_lines(text)[:number])),
            (["tail", "-c", count], [], lambda text: _last(text, number)),
            (["tail", "-n", count], [], lambda text: b"".join(_last(_lines(text), number))),
        ])
