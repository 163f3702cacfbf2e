"""The object stores as tests prepare and examine them: by HTTP, without
fsload, to check what fsload reports."""
import email.utils
import http.client
import json
import urllib.parse
import xml.etree.ElementTree

from az_signature import authorization, parsed_query

SECONDS_TO_ANSWER = 60


def _ask(port, method, path, body=b"", **headers):
    # Objects written by a plugin are private, and moto requires a signature,
    # valid or not.
    headers.setdefault("Authorization", "AWS x:y")
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS_TO_ANSWER)
    try:
        connection.request(method, path, body, {k.replace("_", "-"): v for k, v in headers.items()})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def _wanted(port, method, path, body=b"", **headers):
    status, answer = _ask(port, method, path, body, **headers)
    if not 200 <= status < 300:
        raise AssertionError(f"preparing the test: {method} {path}: it failed with "
                             f"{status} {answer[:200]!r}")
    return answer


def _quoted(key):
    return urllib.parse.quote(key, safe="")


class S3:
    scheme = "s3"

    def __init__(self, port):
        self.port = port

    def uri(self, bucket, key=""):
        return f"s3://{bucket}/{key}"

    def make_bucket(self, bucket):
        _wanted(self.port, "PUT", f"/{bucket}")

    def put(self, bucket, key, contents):
        _wanted(self.port, "PUT", f"/{bucket}/{urllib.parse.quote(key)}", contents)

    def delete(self, bucket, key):
        _wanted(self.port, "DELETE", f"/{bucket}/{urllib.parse.quote(key)}")

    def get(self, bucket, key):
        """The object's bytes; None if there is none."""
        status, body = _ask(self.port, "GET", f"/{bucket}/{urllib.parse.quote(key)}")
        return body if status == 200 else None

    def keys(self, bucket):
        keys, after = [], ""
        while True:
            answer = xml.etree.ElementTree.fromstring(_wanted(
                self.port, "GET", f"/{bucket}?list-type=2&start-after={_quoted(after)}"))
            space = answer.tag.partition("}")[0] + "}"
            page = [one.findtext(space + "Key") for one in answer.iter(space + "Contents")]
            keys += page
            if answer.findtext(space + "IsTruncated") != "true":
                return sorted(keys)
            after = page[-1]


class Gs:
    scheme = "gs"

    def __init__(self, port):
        self.port = port

    def uri(self, bucket, key=""):
        return f"gs://{bucket}/{key}"

    def make_bucket(self, bucket):
        _wanted(self.port, "POST", "/storage/v1/b?project=e2e",
                json.dumps({"name": bucket}).encode(), Content_Type="application/json")

    def put(self, bucket, key, contents):
        # Resumable, as the emulator rejects an empty object in a single
        # request.
        place = f"/upload/storage/v1/b/{bucket}/o?uploadType=resumable&name={_quoted(key)}"
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS_TO_ANSWER)
        connection.request("POST", place, b"", {"Content-Length": "0"})
        answer = connection.getresponse()
        answer.read()
        connection.close()
        upload = urllib.parse.urlsplit(answer.headers["Location"])
        _wanted(self.port, "PUT", f"{upload.path}?{upload.query}", contents)

    def get(self, bucket, key):
        """The object's bytes; None if there is none."""
        status, body = _ask(self.port, "GET",
                            f"/storage/v1/b/{bucket}/o/{_quoted(key)}?alt=media")
        return body if status == 200 else None

    def keys(self, bucket):
        answer = json.loads(_wanted(self.port, "GET", f"/storage/v1/b/{bucket}/o"))
        return sorted(one["name"] for one in answer["items"])


class Az:
    """One account of an Azure Blob service; a bucket is a container."""

    scheme = "az"
    KEY = "a2V5IG9mIHRoZSBlbmQtdG8tZW5kIHRlc3Rz"

    def __init__(self, port, account="account"):
        self.port = port
        self.account = account

    def uri(self, container, key=""):
        return f"az://{self.account}/{container}/{key}"

    def _signed(self, method, path, body=b"", **headers):
        headers = {"Host": f"{self.account}.blob.core.windows.net", "x-ms-version": "2020-02-10",
                   "x-ms-date": email.utils.formatdate(usegmt=True),
                   "Content-Length": str(len(body)),
                   **{name.replace("_", "-"): value for name, value in headers.items()}}
        place, _, query = path.partition("?")
        return {**headers, "Authorization": authorization(
            self.account, self.KEY, method, place, parsed_query(query), headers)}

    def _ask(self, method, path, body=b"", **headers):
        return _ask(self.port, method, path, body, **self._signed(method, path, body, **headers))

    def _wanted(self, method, path, body=b"", **headers):
        return _wanted(self.port, method, path, body, **self._signed(method, path, body, **headers))

    def make_bucket(self, container):
        self._wanted("PUT", f"/{container}?restype=container")

    def put(self, container, key, contents):
        self._wanted("PUT", f"/{container}/{_quoted(key)}", contents, x_ms_blob_type="BlockBlob")

    def delete(self, container, key):
        self._wanted("DELETE", f"/{container}/{_quoted(key)}")

    def get(self, container, key):
        """The blob's bytes; None if there is none."""
        status, body = self._ask("GET", f"/{container}/{_quoted(key)}")
        return body if status == 200 else None

    def keys(self, container):
        keys, marker = [], ""
        while True:
            answer = xml.etree.ElementTree.fromstring(self._wanted(
                "GET", f"/{container}?restype=container&comp=list&marker={_quoted(marker)}"))
            keys += [one.findtext("Name") for one in answer.iter("Blob")]
            marker = answer.findtext("NextMarker")
            if not marker:
                return keys
