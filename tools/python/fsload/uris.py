"""The URIs that paths stand for."""
import os
import re
import urllib.parse
from typing import Optional

from fsload._library import Path
from fsload.errors import InvalidArgumentError

BUNDLED_SCHEME = "posix"
FILE_SCHEME = "file"
HERE = ("", "localhost")

# As the library finds it.
SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9.]+)://")


def _invalid(message: str, uri: str) -> InvalidArgumentError:
    return InvalidArgumentError("INVALID_ARGUMENT", f"{uri}: {message}", uri)


def local_path(path: str) -> str:
    """Return an absolute path, in which ".." is the parent of a link's target, as for the kernel.
    A trailing slash is kept."""
    parts = os.path.join("/" if path.startswith("/") else os.getcwd(), path).split("/")
    if ".." in parts:
        end = len(parts) - parts[::-1].index("..")
        parts[:end] = [os.path.realpath("/".join(parts[:end]))]
    clean = "/" + os.path.normpath("/".join(parts)).lstrip("/")
    return clean + "/" if parts[-1] in ("", ".") and clean != "/" else clean


def _decoded(path: str, uri: str) -> str:
    """Return a path without the percent-encoding of a "file:" URI."""
    if re.search("%(?![0-9A-Fa-f]{2})|%00|%2[fF]", path):
        raise _invalid("'%' begins no percent-encoded character of a name; write %25 for a "
                       "literal '%', or give the path without file://", uri)
    decoded = os.fsdecode(urllib.parse.unquote_to_bytes(os.fsencode(path)))
    if decoded != path and os.path.lexists(path):
        raise _invalid(f"stands for {decoded}, but {path} exists, too; give the path without "
                       "file://", uri)
    return decoded


def uri_of(path: Path) -> str:
    """Return the URI of a path: itself, with the scheme in lower case and a '/' behind a bucket
    alone. Those of local paths and of "file:" URIs have the bundled plugin's scheme."""
    text = os.fsdecode(path)
    found = SCHEME.match(text)
    if not found:
        return f"{BUNDLED_SCHEME}://{local_path(text)}"
    scheme, rest = found[1].lower(), text[found.end():]
    host, slash, below = rest.partition("/")
    if scheme not in (BUNDLED_SCHEME, FILE_SCHEME):
        return f"{scheme}://{host}/{below}"
    if host.lower() not in HERE:
        raise _invalid(f"names a file of the host '{host}'; write {scheme}:///PATH, or a path "
                       "alone", text)
    if not slash:
        raise _invalid(f"the path is missing; write {scheme}:///PATH", text)
    if scheme == FILE_SCHEME:
        below = _decoded("/" + below, text)
    return f"{BUNDLED_SCHEME}://{local_path('/' + below)}"


def path_of(uri: str) -> Optional[str]:
    """Return the path of a file on this machine; None for a URI of another plugin."""
    scheme, _, rest = uri.partition("://")
    return "/" + rest.partition("/")[2] if scheme == BUNDLED_SCHEME else None
