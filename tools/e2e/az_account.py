"""The containers and blobs of an Azure storage account, in memory. There are no
directories, only names; a blob is replaced as a whole, so readers need no lock."""
import base64
import bisect
import dataclasses
import hashlib
import itertools
import re
import threading
import time

from az_errors import Refused

# A container's name is not free at once when it has been deleted.
SECONDS_TO_DELETE = 30
MOST_RESULTS = 5000
MOST_BLOCKS = 50000

_CONTAINER = re.compile(r"\$root|\$web|(?!.*--)[a-z0-9][a-z0-9-]{1,61}[a-z0-9]")
_METADATA = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_versions = itertools.count(0x8D0000000000001)


def next_etag():
    return f'"0x{next(_versions):X}"'


@dataclasses.dataclass(frozen=True)
class Blob:
    content: bytes
    kind: str = "BlockBlob"
    headers: dict = dataclasses.field(default_factory=dict)   # Content-Type and the like
    metadata: dict = dataclasses.field(default_factory=dict)
    blocks: tuple = ()                                        # of (id, bytes)
    copy: dict = dataclasses.field(default_factory=dict)      # x-ms-copy-* of its last copy
    etag: str = dataclasses.field(default_factory=next_etag)
    created: float = dataclasses.field(default_factory=time.time)
    modified: float = dataclasses.field(default_factory=time.time)

    def changed(self, **fields):
        return dataclasses.replace(self, etag=next_etag(), modified=time.time(), **fields)


class Container:
    def __init__(self, metadata, public):
        self.metadata = metadata
        self.public = public    # "", "blob" or "container": what may be read without a key
        self.etag = next_etag()
        self.modified = time.time()
        self.blobs = {}
        self.uncommitted = {}   # {blob's name: {block's id: bytes}}

    def blob(self, name):
        if name not in self.blobs:
            raise Refused("BlobNotFound")
        return self.blobs[name]

    def listed(self, prefix, delimiter, after, most):
        """The names in order, [(name, Blob, or None for a common prefix)], and the last name
        that they stand for where more follow, otherwise ""."""
        names = sorted(name for name in self.blobs if name.startswith(prefix))
        at = bisect.bisect_right(names, after)
        found, last = [], after
        while at < len(names):
            if len(found) == most:
                return found, last
            end = names[at].find(delimiter, len(prefix)) if delimiter else -1
            if end < 0:
                found.append((names[at], self.blobs[names[at]]))
                last = names[at]
                at += 1
                continue
            common = names[at][:end + len(delimiter)]
            found.append((common, None))
            while at < len(names) and names[at].startswith(common):
                last = names[at]
                at += 1
        return found, ""


class Account:
    def __init__(self, key):
        self.key = key
        self.lock = threading.RLock()
        self.containers = {}
        self._deleted = {}   # {container's name: when}

    def container(self, name):
        if name not in self.containers:
            raise Refused("ContainerNotFound")
        return self.containers[name]

    def create_container(self, name, metadata, public):
        if not _CONTAINER.fullmatch(name):
            raise Refused("InvalidResourceName")
        if name in self.containers:
            raise Refused("ContainerAlreadyExists")
        if time.time() - self._deleted.get(name, 0) < SECONDS_TO_DELETE:
            raise Refused("ContainerBeingDeleted")
        self.containers[name] = Container(metadata, public)
        return self.containers[name]

    def delete_container(self, name):
        self.container(name)
        del self.containers[name]
        self._deleted[name] = time.time()


def checked_metadata(headers):
    """The metadata among the headers of a request."""
    metadata = {name[len("x-ms-meta-"):]: value for name, value in headers.items()
                if name.lower().startswith("x-ms-meta-")}
    if not all(_METADATA.fullmatch(name) for name in metadata):
        raise Refused("InvalidMetadata")
    return metadata


def md5(content):
    return base64.b64encode(hashlib.md5(content).digest()).decode()


def put_block(container, name, block, content):
    """Keeps the block until a list commits it."""
    try:
        length = len(base64.b64decode(block, validate=True))
    except ValueError:
        raise Refused("InvalidQueryParameterValue") from None
    if not 0 < length <= 64:
        raise Refused("InvalidQueryParameterValue")
    blocks = container.uncommitted.setdefault(name, {})
    if any(len(other) != len(block) for other in blocks):
        raise Refused("InvalidBlobOrBlock")
    blocks[block] = content


def chosen_blocks(container, name, wanted):
    """The blocks of a list, ((id, bytes), ...). `wanted` is [(id, where it is: "Committed",
    "Uncommitted" or "Latest")]."""
    if len(wanted) > MOST_BLOCKS:
        raise Refused("InvalidBlockList")
    old = container.blobs.get(name)
    places = {"Committed": dict(old.blocks) if old else {},
              "Uncommitted": container.uncommitted.get(name, {})}
    places["Latest"] = {**places["Committed"], **places["Uncommitted"]}
    try:
        return tuple((block, places[place][block]) for block, place in wanted)
    except KeyError:
        raise Refused("InvalidBlockList") from None
