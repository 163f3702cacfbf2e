"""Chapters of docs/benchmarks.md that programs of their own write."""
import re

# Their titles, and the chapters that follow them.
FOLLOWED_BY = {"Python": "Loading"}


def of(page, title):
    """The chapter `title` of a page, with its heading; "" if there is none."""
    found = re.search(rf"^## {title}\n.*?(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    return found[0] if found else ""


def put(page, title, chapter):
    """The page with `chapter`, a text with its heading, in its place."""
    old = of(page, title)
    page = page.replace(old, "") if old else page
    following = f"## {FOLLOWED_BY[title]}\n"
    return page.replace(following, f"{chapter.rstrip()}\n\n{following}", 1)


def keep(page, old):
    """The page with the chapters that `old` has."""
    for title in FOLLOWED_BY:
        if of(old, title):
            page = put(page, title, of(old, title))
    return page
