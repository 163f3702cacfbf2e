#!/usr/bin/env python3
"""No link in a document leads nowhere: the file is there, and so is the heading. The
index (docs/README.md) has a link to each document beside it. A table that is copied is equal.

Links to other machines are not followed.

Usage: links_test.py FILE...
Of the files the documents are read, and the others may be linked to.
"""

import os
import re
import sys

LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^()\s]+)\)")
INDEX = "docs/README.md"
# Where the tables of isolated plugins are.
MEASURED = [("docs/isolation.md", "What it costs"),
            ("docs/benchmarks.md", "Plugins in processes of their own")]
ELSEWHERE = re.compile(r"[a-z]+:")


def prose(text):
    """The text without its fenced blocks."""
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def anchors(text):
    """The anchors of the headings, as GitHub names them."""
    found = set()
    for heading in re.findall(r"^#+ (.*)$", prose(text), re.MULTILINE):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        anchor = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        number = 0
        name = anchor
        while name in found:
            number += 1
            name = f"{anchor}-{number}"
        found.add(name)
    return found


def problems(documents, files):
    """Yields each problem of `documents`, which are texts by path."""
    folders = {folder for path in files for folder in parents(path)}
    for path, text in documents.items():
        for link in LINK.findall(re.sub(r"`[^`\n]*`", "", prose(text))):
            if ELSEWHERE.match(link):
                continue
            name, _, anchor = link.partition("#")
            target = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
            if target not in files and target not in folders:
                yield (f"{path}: {link}: there is no {target}, or docs/BUILD.bazel does not name it "
                       "(DOCUMENTS)")
            elif anchor and anchor not in anchors(documents.get(target, "")):
                yield f"{path}: {link}: {target} has no heading #{anchor}"


def not_in_index(documents):
    """Yields a problem for each document beside the index that it does not name."""
    index = documents.get(INDEX, "")
    named = {link.partition("#")[0] for link in LINK.findall(index)}
    for path in documents:
        folder, name = os.path.split(path)
        if folder == os.path.dirname(INDEX) and path != INDEX and name not in named:
            yield f"{INDEX}: has no link to {name}"


def different_tables(documents):
    """Yields a problem unless isolation.md and benchmarks.md have the same tables of isolated
    plugins."""
    tables = [[line for line in section(documents.get(path, ""), heading) if line.startswith("|")]
              for path, heading in MEASURED]
    if tables[0] != tables[1] or not tables[0]:
        yield (f"{MEASURED[1][0]}: \"{MEASURED[1][1]}\" has other tables than {MEASURED[0][0]}, from "
               "which docs/benchmarks/report.py copies them")


def section(text, heading):
    """The lines below a heading."""
    return text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0].splitlines()


def parents(path):
    while path := os.path.dirname(path):
        yield path


def main(arguments):
    files = {os.path.normpath(path) for path in arguments}
    documents = {}
    for path in sorted(files):
        if path.endswith(".md"):
            with open(path, encoding="utf-8") as file:
                documents[path] = file.read()
    links = sum(len(LINK.findall(prose(text))) for text in documents.values())
    found = list(problems(documents, files)) + list(not_in_index(documents))
    found += different_tables(documents)
    print("\n".join(found) or f"{links} links in {len(documents)} documents lead somewhere")
    return 1 if found or links < 50 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
