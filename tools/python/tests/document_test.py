"""Documents show what is printed. There `…` stands for anything."""
import doctest
import os
import re

import pytest
from conftest import HERE

DOCS = os.path.join(HERE, "../../../docs")
FEWEST = {"python.md": 25, "at-scale.md": 25}  # statements


@pytest.mark.parametrize("name", FEWEST)
def test_what_a_document_shows_is_what_is_printed(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wrong.so").write_bytes(b"no plugin at all")
    (tmp_path / "from/a").mkdir(parents=True)
    for number in range(100):
        (tmp_path / f"from/a/{number}").write_bytes(bytes(number))
        os.utime(tmp_path / f"from/a/{number}", (1e9, 1e9))
    with open(os.path.join(DOCS, name), encoding="utf-8") as file:
        blocks = re.findall(r"^```python\n(.*?)^```$", file.read(), re.MULTILINE | re.DOTALL)
    text = "\n".join(blocks).replace("…", "...")
    test = doctest.DocTestParser().get_doctest(text, {}, name, name, 0)
    printed = []
    results = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=printed.append)
    assert results.failed == 0, "".join(printed)
    assert results.attempted >= FEWEST[name]
