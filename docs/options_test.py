#!/usr/bin/env python3
"""The tables of options.md and the sources have the same options: each name is a field of the
struct, or an argument of the function, that stands above the table, and none is left out. A worker
is sent each flag of LoadOptions.

Usage: options_test.py OPTIONS_MD FILE...
FILE... are the headers, the modules of Python and load_request.cc.
"""

import re
import sys

# Without meaning for a caller.
HIDDEN = {"struct_size", "data", "reserved", "path", "source", "target"}
STRUCT = re.compile(r"(?:typedef )?struct (\w+) \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
FIELD = re.compile(r"^  [^/\n]*?(?:\(\*)?\b(\w+)\)?(?:\([^()]*\))?(?: = [^;]*)?;", re.MULTILINE)
FUNCTION = re.compile(r"^def (\w+)\((.*?)\) ->", re.MULTILINE | re.DOTALL)


def declared(texts):
    """The names of the options of each struct and function."""
    found = {}
    for text in texts:
        for name, body in STRUCT.findall(text):
            body = re.sub(r"//.*", "", body)
            body = re.sub(r"= \{[^;]*\}", "= 0", body)
            found[name] = set(FIELD.findall(body))
        for name, arguments in FUNCTION.findall(text):
            found["fsload." + name] = set(re.findall(r"(\w+): ", arguments))
    return found


def chapters(text):
    """(structs and functions, rows) of each table; a row is a list of the names in its cells."""
    for chapter in text.split("\n## ")[1:]:
        above, _, table = chapter.partition("\n| option")
        rows = [re.findall(r"`(\w+)`", line) for line in table.split("\n")[2:]
                if line.startswith("|")]
        yield re.findall(r"`((?:fsload\.)?\w+)`", above + table.partition("|---")[2]), rows


def problems(text, found):
    """Yields each problem."""
    for subjects, rows in chapters(text):
        subjects = [name for name in subjects if name in found]
        if not subjects:
            yield "a chapter names no struct or function"
        named = {name for row in rows for name in row}
        fields = set().union(*(found[name] for name in subjects))
        for name in sorted(named - fields - set(subjects)):
            yield f"{', '.join(subjects)}: has no option {name}"
        for subject in subjects:
            for name in sorted(found[subject] - named - HIDDEN):
                if not (subject == "RetryOptions" and name not in ("max_attempts", "max_elapsed")):
                    yield f"{subject}: {name} is missing in options.md"


def not_sent(texts):
    """Yields each flag that an isolated plugin would be loaded without."""
    bodies = [body for text in texts for name, body in STRUCT.findall(text)
              if name == "LoadOptions"]
    flags = set(re.findall(r"^  bool (\w+) =", "\n".join(bodies), re.MULTILINE))
    sent = {name for text in texts for name in re.findall(r"&LoadOptions::(\w+)", text)}
    for name in sorted(flags - sent):
        yield f"LoadOptions::{name} is missing in loader/isolation/load_request.cc"
    if not flags:
        yield "LoadOptions has no flags"


def main(arguments):
    texts = []
    for path in arguments:
        with open(path, encoding="utf-8") as file:
            texts.append(file.read())
    found = declared(texts[1:])
    wrong = [*problems(texts[0], found), *not_sent(texts)]
    print("\n".join(wrong) or f"{len(found)} structs and functions were read")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
