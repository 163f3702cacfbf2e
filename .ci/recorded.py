"""Writes what was measured into docs/reliability.md, between comments that name it."""
import os
import re

DOCUMENT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
                        "docs/reliability.md")


def write(name, text):
    """Puts `text` between `<!-- NAME -->` and `<!-- end of NAME -->`."""
    with open(DOCUMENT, encoding="utf-8") as file:
        document = file.read()
    place = re.compile(f"(?<=<!-- {name} -->\n).*(?=<!-- end of {name} -->)", re.DOTALL)
    if not place.search(document):
        raise ValueError(f"{DOCUMENT}: no place for {name}")
    with open(DOCUMENT, "w", encoding="utf-8") as file:
        file.write(place.sub(lambda _: f"\n{text}\n\n", document))
