"""A request to Azure Blob Storage: what it asks for, and of whom."""
import email.utils
import re
import urllib.parse

from az_errors import Refused
from az_signature import authorization, parsed_query

_HOST = re.compile(r"([a-z0-9]{3,24})\.blob\.[a-z.]+(:\d+)?")


class Request:
    """An HTTP request, with what it asks for found out."""

    def __init__(self, handler, accounts, body):
        self.method = handler.command
        self.headers = handler.headers
        self.body = body
        target = re.sub(r"^https?://[^/]*", "", handler.path)
        self.path, _, query = target.partition("?")
        self._pairs = parsed_query(query)
        self.query = {name.lower(): value for name, value in self._pairs}
        path = _decoded(self.path)[1:]
        host = _HOST.fullmatch(self.headers.get("Host", ""))
        if host:
            name = host[1]
            self.endpoint = f"http://{self.headers['Host']}/"
        else:
            name, _, path = path.partition("/")
            self.endpoint = f"http://{self.headers['Host']}/{name}/"
        if name not in accounts:
            raise Refused("ResourceNotFound")
        self.account_name, self.account = name, accounts[name]
        self.container_name, _, self.blob_name = path.partition("/")
        if self.container_name and not self.blob_name and "restype" not in self.query:
            self.container_name, self.blob_name = "$root", self.container_name
        # The service takes one for the other.
        self.blob_name = self.blob_name.replace("\\", "/")

    def operation(self):
        """The key of OPERATIONS."""
        level = ("blob" if self.blob_name else self.query.get("restype", "")
                 if self.container_name else "account")
        return self.method, level, self.query.get("comp", "")

    def authenticate(self):
        given = self.headers.get("Authorization")
        if given is None:
            return self._authenticate_nobody()
        if given != authorization(self.account_name, self.account.key, self.method, self.path,
                                  self._pairs, self.headers):
            raise Refused("AuthenticationFailed")
        return None

    def _authenticate_nobody(self):
        container = self.account.containers.get(self.container_name)
        public = container.public if container else ""
        if self.method not in ("GET", "HEAD"):
            raise Refused("NoAuthenticationInformation")
        if public != "container" and not (public == "blob" and self.blob_name):
            raise Refused("ResourceNotFound")

    def container(self):
        return self.account.container(self.container_name)

    def checked(self, blob, reading=False):
        """The blob, None if there is none, if it meets the request's conditions."""
        tag, since = blob and blob.etag, blob and int(blob.modified)
        headers = self.headers
        met = True
        if wanted := headers.get("If-Match"):
            met = blob is not None and wanted in ("*", tag)
        if (limit := headers.get("If-Unmodified-Since")) and blob:
            met = met and since <= _seconds(limit)
        if not met:
            raise Refused("ConditionNotMet")
        unwanted = headers.get("If-None-Match")
        if blob and unwanted == "*" and not reading:
            raise Refused("BlobAlreadyExists")
        if (limit := headers.get("If-Modified-Since")) and blob and not unwanted:
            met = since > _seconds(limit)
        if blob and (not met or unwanted in ("*", tag)):
            raise Refused("ConditionNotMet", 304 if reading else 412)
        return blob

    def range(self, size):
        """The first and last byte that are asked for; None for all."""
        asked = self.headers.get("x-ms-range") or self.headers.get("Range", "")
        found = re.fullmatch(r"bytes=(\d+)-(\d*)", asked)
        if not found:
            return None
        first, last = int(found[1]), int(found[2] or size - 1)
        if first >= size or last < first:
            raise Refused("InvalidRange")
        return first, min(last, size - 1)


    def copy_source(self):
        """The account, container and blob that are to be copied."""
        source = re.fullmatch(r"https?://([^/]*)/([^?]*)(\?.*)?", self.headers["x-ms-copy-source"])
        if not source or not source[2].isascii():  # it is to be percent-encoded
            raise Refused("InvalidHeaderValue")
        path = _decoded(source[2])
        host = _HOST.fullmatch(source[1])
        account, path = (host[1], path) if host else path.split("/", 1)
        container, _, name = path.partition("/")
        return account, container, name


def _decoded(path):
    if not path.isascii():
        raise Refused("InvalidUri")
    try:
        return urllib.parse.unquote(path, errors="strict")
    except ValueError:
        raise Refused("InvalidUri") from None


def _seconds(date):
    try:
        return email.utils.parsedate_to_datetime(date).timestamp()
    except ValueError:
        raise Refused("InvalidHeaderValue") from None
