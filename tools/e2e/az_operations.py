"""The operations of Azure Blob Storage. Each takes a Request (az_request.py) and returns
its status, headers and body."""
import time
import uuid
import xml.etree.ElementTree

import az_listings
from az_account import Blob, checked_metadata, chosen_blocks, md5, put_block
from az_errors import Refused


def list_containers(request):
    page = az_listings.Page(request.query)
    names = [name for name in sorted(request.account.containers)
             if name.startswith(page.prefix) and name > page.after]
    shown = names[:page.most]
    entries = [az_listings.listed_container(name, request.account.containers[name], page.includes)
               for name in shown]
    return 200, {"Content-Type": "application/xml"}, page.answer(
        request.endpoint, "", "Containers", entries, shown[-1] if len(names) > len(shown) else "")


def create_container(request):
    public = request.headers.get("x-ms-blob-public-access", "")
    if public not in ("", "blob", "container"):
        raise Refused("InvalidHeaderValue")
    created = request.account.create_container(
        request.container_name, checked_metadata(request.headers), public)
    return 201, _stamp(created), b""


def container_properties(request):
    container = request.container()
    public = {"x-ms-blob-public-access": container.public} if container.public else {}
    return 200, {**_stamp(container), **public, "x-ms-lease-status": "unlocked",
                 "x-ms-lease-state": "available", "x-ms-has-immutability-policy": "false",
                 "x-ms-has-legal-hold": "false",
                 **{f"x-ms-meta-{name}": value for name, value in container.metadata.items()}}, b""


def delete_container(request):
    request.account.delete_container(request.container_name)
    return 202, {}, b""


def list_blobs(request):
    page = az_listings.Page(request.query)
    found, following = request.container().listed(page.prefix, page.delimiter, page.after,
                                                  page.most)
    entries = [az_listings.listed_blob(name, blob, page.includes) for name, blob in found]
    return 200, {"Content-Type": "application/xml"}, page.answer(
        request.endpoint, request.container_name, "Blobs", entries, following)


def blob_properties(request):
    blob = request.checked(request.container().blob(request.blob_name), reading=True)
    return 200, {**az_listings.blob_headers(blob), "Content-Length": str(len(blob.content))}, b""


def get_blob(request):
    blob = request.checked(request.container().blob(request.blob_name), reading=True)
    headers = az_listings.blob_headers(blob)
    size = len(blob.content)
    asked = request.range(size)
    if asked is None:
        return 200, headers, blob.content
    first, last = asked
    if "Content-MD5" in headers:
        headers["x-ms-blob-content-md5"] = headers.pop("Content-MD5")
    return (206, {**headers, "Content-Range": f"bytes {first}-{last}/{size}"},
            memoryview(blob.content)[first:last + 1])


def put_blob(request):
    if "x-ms-copy-source" in request.headers:
        return copy_blob(request)
    kind = request.headers.get("x-ms-blob-type")
    if kind is None:
        raise Refused("MissingRequiredHeader")
    if kind == "PageBlob":
        raise Refused("NotImplemented")
    if kind not in ("BlockBlob", "AppendBlob") or (kind == "AppendBlob" and request.body):
        raise Refused("InvalidHeaderValue")
    return _store(request, Blob(request.body, kind, az_listings.chosen_headers(
        request.headers, request.body), checked_metadata(request.headers)))


def copy_blob(request):
    account, container, name = request.copy_source()
    if account != request.account_name:  # it would have to be public, or signed
        raise Refused("CannotVerifyCopySource")
    source = request.account.container(container).blob(name)
    completed = {"x-ms-copy-id": str(uuid.uuid4()), "x-ms-copy-status": "success"}
    size = len(source.content)
    copied = {**completed, "x-ms-copy-source": request.headers["x-ms-copy-source"],
              "x-ms-copy-progress": f"{size}/{size}",
              "x-ms-copy-completion-time": az_listings.date(time.time())}
    _, headers, _ = _store(request, source.changed(
        copy=copied, created=time.time(),
        metadata=checked_metadata(request.headers) or source.metadata))
    return 202, {**headers, **completed}, b""


def block(request):
    if "blockid" not in request.query:
        raise Refused("MissingRequiredQueryParameter")
    container = request.container()
    _require_kind(container, request.blob_name, "BlockBlob")
    put_block(container, request.blob_name, request.query["blockid"], request.body)
    return 201, {"Content-MD5": md5(request.body), "x-ms-request-server-encrypted": "true"}, b""


def put_block_list(request):
    try:
        wanted = [(one.text or "", one.tag) for one in
                  xml.etree.ElementTree.fromstring(request.body)]
    except xml.etree.ElementTree.ParseError:
        raise Refused("InvalidXmlDocument") from None
    container = request.container()
    _require_kind(container, request.blob_name, "BlockBlob")
    blocks = chosen_blocks(container, request.blob_name, wanted)
    return _store(request, Blob(
        b"".join(content for _, content in blocks), "BlockBlob",
        az_listings.chosen_headers(_of_the_blob(request.headers), None),
        checked_metadata(request.headers), blocks))


def _of_the_blob(headers):
    """Without those that describe the body, which is a list of blocks."""
    return {name.lower(): value for name, value in headers.items()
            if name.lower().startswith("x-ms-")}


def get_block_list(request):
    container, name = request.container(), request.blob_name
    blob = container.blobs.get(name)
    if blob is None and name not in container.uncommitted:
        raise Refused("BlobNotFound")
    _require_kind(container, name, "BlockBlob")
    return 200, {"Content-Type": "application/xml"}, az_listings.block_list(
        blob, container.uncommitted.get(name, {}), request.query.get("blocklisttype", "committed"))


def append_block(request):
    container, name = request.container(), request.blob_name
    blob = request.checked(container.blob(name))
    _require_kind(container, name, "AppendBlob")
    at = len(blob.content)
    if int(request.headers.get("x-ms-blob-condition-appendpos", at)) != at:
        raise Refused("AppendPositionConditionNotMet")
    container.blobs[name] = blob.changed(
        content=blob.content + request.body, blocks=(*blob.blocks, ("", request.body)))
    return 201, {**_stamp(container.blobs[name]), "x-ms-blob-append-offset": str(at),
                 "x-ms-blob-committed-block-count": str(len(blob.blocks) + 1)}, b""


def blob_metadata(request):
    blob = request.checked(request.container().blob(request.blob_name), reading=True)
    return 200, {**_stamp(blob), **{f"x-ms-meta-{name}": value
                                    for name, value in blob.metadata.items()}}, b""


def set_blob_metadata(request):
    container = request.container()
    blob = request.checked(container.blob(request.blob_name))
    container.blobs[request.blob_name] = blob.changed(metadata=checked_metadata(request.headers))
    return 200, _stamp(container.blobs[request.blob_name]), b""


def delete_blob(request):
    container = request.container()
    request.checked(container.blob(request.blob_name))
    del container.blobs[request.blob_name]
    container.uncommitted.pop(request.blob_name, None)
    return 202, {"x-ms-delete-type-permanent": "true"}, b""


def _require_kind(container, name, kind):
    if name in container.blobs and container.blobs[name].kind != kind:
        raise Refused("InvalidBlobType")


def _store(request, blob):
    container, name = request.container(), request.blob_name
    if len(name) > 1024:
        raise Refused("InvalidUri")
    request.checked(container.blobs.get(name))
    container.blobs[name] = blob
    container.uncommitted.pop(name, None)
    return 201, {**_stamp(blob), "Content-MD5": blob.headers.get("Content-MD5", ""),
                 "x-ms-request-server-encrypted": "true"}, b""


def _stamp(one):
    return {"ETag": one.etag, "Last-Modified": az_listings.date(one.modified)}


OPERATIONS = {
    ("GET", "account", "list"): list_containers,
    ("PUT", "container", ""): create_container,
    ("GET", "container", ""): container_properties,
    ("HEAD", "container", ""): container_properties,
    ("DELETE", "container", ""): delete_container,
    ("GET", "container", "list"): list_blobs,
    ("GET", "blob", ""): get_blob,
    ("HEAD", "blob", ""): blob_properties,
    ("PUT", "blob", ""): put_blob,
    ("DELETE", "blob", ""): delete_blob,
    ("PUT", "blob", "block"): block,
    ("PUT", "blob", "blocklist"): put_block_list,
    ("GET", "blob", "blocklist"): get_block_list,
    ("PUT", "blob", "appendblock"): append_block,
    ("GET", "blob", "metadata"): blob_metadata,
    ("HEAD", "blob", "metadata"): blob_metadata,
    ("PUT", "blob", "metadata"): set_blob_metadata,
}
