"""The documents of an installation. They lie as they do in fsload's tree, so their links
lead from one to the other; a link to what is not installed becomes its text."""
import os
import re

# Code, which is left as it is, or a link to a file: its text and its path.
LINK = re.compile(r"^```.*?^```$|`[^`\n]*`|"
                  r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\((?![a-z]+:)([^()\s#]+)(?:#[^()\s]*)?\)",
                  re.MULTILINE | re.DOTALL)


def without_dead_links(text, folder):
    """`text`, a document in `folder`."""
    def live(match):
        dead = match[2] and not os.path.exists(os.path.join(folder, match[2]))
        return match[1] if dead else match[0]
    return LINK.sub(live, text)


def repair_links(folder):
    """Does that to all documents below `folder`."""
    for at, _, names in os.walk(folder):
        for path in (os.path.join(at, name) for name in names if name.endswith(".md")):
            with open(path, encoding="utf-8") as file:
                text = file.read()
            repaired = without_dead_links(text, at)
            if repaired != text:
                with open(path, "w", encoding="utf-8") as file:
                    file.write(repaired)
