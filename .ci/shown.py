"""What documents give readers to copy."""
import re


def commands(text):
    """The lines of the blocks of shell commands in a document."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return "".join(blocks).splitlines()
