"""The XML of Azure Blob Storage's listings and errors, and its headers of blobs."""
import base64
import email.utils
import xml.sax.saxutils

from az_account import MOST_RESULTS, md5
from az_errors import Refused


def element(name, *parts):
    return f"<{name}>{''.join(parts)}</{name}>" if any(parts) else f"<{name} />"


def text(value):
    return xml.sax.saxutils.escape(str(value), {"\r": "&#xD;"})


def document(root):
    return ('<?xml version="1.0" encoding="utf-8"?>' + root).encode()


def error(refused, method):
    """The status, headers and body that tell the error."""
    headers = {"x-ms-error-code": refused.code}
    if method == "HEAD":  # if the headers announced XML, clients would parse it
        headers |= {"Content-Length": "", "Transfer-Encoding": "chunked"}
        return refused.status, headers, b""
    if refused.status == 304:
        return 304, headers, b""
    return refused.status, {**headers, "Content-Type": "application/xml"}, document(element(
        "Error", element("Code", refused.code), element("Message", text(refused.message))))


def date(seconds):
    return email.utils.formatdate(seconds, usegmt=True)


def marker(name):
    """A listing's end as clients see it: opaque."""
    return f"2!{len(name.encode())}!{base64.b64encode(name.encode()).decode()}" if name else ""


def _name_in(value):
    try:
        return base64.b64decode(value.split("!")[2], validate=True).decode() if value else ""
    except (IndexError, ValueError):
        raise Refused("InvalidQueryParameterValue") from None


class Page:
    """What a listing is asked for."""

    def __init__(self, query):
        self.prefix = query.get("prefix", "")
        self.delimiter = query.get("delimiter", "")
        self.marker = query.get("marker", "")
        self.after = _name_in(self.marker)
        self.includes = query.get("include", "").split(",")
        self._asked = query.get("maxresults", "")
        try:
            self.most = min(int(self._asked or MOST_RESULTS), MOST_RESULTS)
        except ValueError:
            raise Refused("InvalidQueryParameterValue") from None
        if self.most <= 0:
            raise Refused("OutOfRangeQueryParameterValue")

    def answer(self, endpoint, container, kind, entries, following):
        """The document with these entries, which are XML."""
        attributes = f"ServiceEndpoint={xml.sax.saxutils.quoteattr(endpoint)}"
        if container:
            attributes += f" ContainerName={xml.sax.saxutils.quoteattr(container)}"
        asked = [("Prefix", self.prefix), ("Marker", self.marker), ("MaxResults", self._asked),
                 ("Delimiter", self.delimiter)]
        return document("".join([
            f"<EnumerationResults {attributes}>",
            *(element(name, text(value)) for name, value in asked if value),
            element(kind, *entries), element("NextMarker", text(marker(following))),
            "</EnumerationResults>"]))


def _metadata(metadata):
    return element("Metadata", *(element(name, text(value)) for name, value in metadata.items()))


def listed_container(name, container, includes):
    properties = element(
        "Properties", element("Last-Modified", date(container.modified)),
        element("Etag", text(container.etag)), element("LeaseStatus", "unlocked"),
        element("LeaseState", "available"), element("HasImmutabilityPolicy", "false"),
        element("HasLegalHold", "false"))
    return element("Container", element("Name", text(name)), properties,
                   _metadata(container.metadata) if "metadata" in includes else "")


def listed_blob(name, blob, includes):
    if blob is None:
        return element("BlobPrefix", element("Name", text(name)))
    copies = [("CopyId", "x-ms-copy-id"), ("CopySource", "x-ms-copy-source"),
              ("CopyStatus", "x-ms-copy-status"), ("CopyProgress", "x-ms-copy-progress"),
              ("CopyCompletionTime", "x-ms-copy-completion-time")]
    properties = element(
        "Properties", element("Creation-Time", date(blob.created)),
        element("Last-Modified", date(blob.modified)), element("Etag", blob.etag.strip('"')),
        element("Content-Length", str(len(blob.content))),
        *(element(header, text(blob.headers.get(header, ""))) for header in (
            "Content-Type", "Content-Encoding", "Content-Language", "Content-MD5",
            "Cache-Control", "Content-Disposition")),
        element("BlobType", blob.kind), element("LeaseStatus", "unlocked"),
        element("LeaseState", "available"), element("ServerEncrypted", "true"),
        *(element(tag, text(blob.copy[header])) for tag, header in copies
          if "copy" in includes and blob.copy))
    return element("Blob", element("Name", text(name)), properties,
                   _metadata(blob.metadata) if "metadata" in includes else "")


def block_list(blob, uncommitted, which):
    """The document of a blob's blocks."""

    def blocks(tag, found):
        return element(tag, *(element("Block", element("Name", text(name)),
                                      element("Size", str(len(content))))
                              for name, content in found))

    return document(element(
        "BlockList",
        blocks("CommittedBlocks", blob.blocks if blob else ()) if which != "uncommitted" else "",
        blocks("UncommittedBlocks", uncommitted.items()) if which != "committed" else ""))


def blob_headers(blob):
    headers = {"Last-Modified": date(blob.modified), "ETag": blob.etag,
               "Accept-Ranges": "bytes", "x-ms-blob-type": blob.kind,
               "x-ms-creation-time": date(blob.created), "x-ms-lease-status": "unlocked",
               "x-ms-lease-state": "available", "x-ms-server-encrypted": "true",
               **blob.headers, **blob.copy,
               **{f"x-ms-meta-{name}": value for name, value in blob.metadata.items()}}
    if blob.kind == "AppendBlob":
        headers["x-ms-blob-committed-block-count"] = str(len(blob.blocks))
    return headers


def chosen_headers(headers, content):
    """What a new blob keeps of the headers of the request: {"Content-Type": …}."""
    kept = {"Content-Type": "application/octet-stream"}
    for name in ("Content-Type", "Content-Encoding", "Content-Language", "Cache-Control",
                 "Content-Disposition"):
        value = headers.get(f"x-ms-blob-{name}") or headers.get(name, "")
        if value:
            kept[name] = value
    given = headers.get("x-ms-blob-content-md5")
    if given or content is not None:
        kept["Content-MD5"] = given or md5(content)
    return kept
