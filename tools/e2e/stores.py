"""The stores as tests prepare and examine them, without fsload, to check what
fsload reports: object stores by HTTP, hdfs by the files of its name nodes."""
import email.utils
import http.client
import json
import os
import shutil
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


class Hdfs:
    """A bucket is a name node; modes and owners of the files are those of HDFS."""
    scheme = "hdfs"

    def __init__(self, folder):
        self.folder = folder

    def uri(self, bucket, key=""):
        return f"hdfs://{bucket}/{key}"

    def path(self, bucket, key=""):
        """Where the file or directory is on this machine."""
        return os.path.join(self.folder, bucket, key)

    def make_bucket(self, bucket):
        os.mkdir(self.path(bucket))

    def put(self, bucket, key, contents):
        os.makedirs(os.path.dirname(self.path(bucket, key)), exist_ok=True)
        with open(self.path(bucket, key), "wb") as file:
            file.write(contents)

    def delete(self, bucket, key):
        path = self.path(bucket, key)
        shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)

    def get(self, bucket, key):
        """The file's bytes; None if there is none."""
        path = self.path(bucket, key)
        if not os.path.isfile(path):
            return None
        with open(path, "rb") as file:
            return file.read()

    def keys(self, bucket):
        top = self.path(bucket)
        return sorted(os.path.relpath(os.path.join(folder, name), top)
                      for folder, _, names in os.walk(top) for name in names)


class Careless:
    """The store of testdata/careless: the object `a/b` is the file `a%2Fb`."""
    scheme = "careless"

    def __init__(self, folder):
        self.folder = folder

    def uri(self, bucket, key=""):
        return f"careless://{bucket}/{key}"

    def _path(self, bucket, key):
        name = "".join(f"%{ord(each):02X}" if each in "/%." else each for each in key)
        return os.path.join(self.folder, bucket, name)

    def make_bucket(self, bucket):
        os.mkdir(os.path.join(self.folder, bucket))

    def put(self, bucket, key, contents):
        with open(self._path(bucket, key), "wb") as file:
            file.write(contents)

    def delete(self, bucket, key):
        os.remove(self._path(bucket, key))

    def get(self, bucket, key):
        """The object's bytes; None if there is none."""
        try:
            with open(self._path(bucket, key), "rb") as file:
                return file.read()
        except FileNotFoundError:
            return None

    def keys(self, bucket):
        return sorted(urllib.parse.unquote(name)
                      for name in os.listdir(os.path.join(self.folder, bucket))
                      if not name.startswith("."))
