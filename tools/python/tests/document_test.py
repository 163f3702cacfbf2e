"""docs/python.md shows what is printed. There `…` stands for anything."""
import doctest
import os
import re

from conftest import HERE

DOCUMENT = os.path.join(HERE, "../../../docs/python.md")
FEWEST = 25  # statements


def test_what_the_document_shows_is_what_is_printed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wrong.so").write_bytes(b"no plugin at all")
    with open(DOCUMENT, encoding="utf-8") as file:
        blocks = re.findall(r"^```python\n(.*?)^```$", file.read(), re.MULTILINE | re.DOTALL)
    text = "\n".join(blocks).replace("…", "...")
    test = doctest.DocTestParser().get_doctest(text, {}, "docs/python.md", DOCUMENT, 0)
    printed = []
    results = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=printed.append)
    assert results.failed == 0, "".join(printed)
    assert results.attempted >= FEWEST
