"""Servers in threads of the tests: tokens, files over HTTP, and servers that
fail."""
import http.server
import json
import re
import socket
import threading
import time


class _Threaded:
    """Runs an http.server on a port that the system chooses, as a context manager."""

    def __init__(self, handler):
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self.port = self._server.server_port

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()


class _Answering(http.server.BaseHTTPRequestHandler):
    def answer(self, status, body=b"", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def token_server():
    """Gives any service account a token."""

    class Handler(_Answering):
        def do_POST(self):
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            token = {"access_token": "t", "expires_in": 3600, "token_type": "Bearer",
                     "id_token": "x", "scope": ""}
            self.answer(200, json.dumps(token).encode(), Content_Type="application/json")

    return _Threaded(Handler)


def refusing_server(status):
    """Answers every request with `status`."""

    class Handler(_Answering):
        def do_GET(self):
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.answer(status, json.dumps({"error": {"code": status, "message": "no"}}).encode(),
                        Content_Type="application/json")

        do_HEAD = do_POST = do_PUT = do_DELETE = do_GET

    return _Threaded(Handler)


def web_server(files, ranges):
    """Serves `files`, {path: bytes}, whole and by ranges. Appends the Range
    header of each GET, or None, to `ranges`."""

    class Handler(_Answering):
        def do_GET(self):
            body = files.get(self.path)
            if self.command == "GET":
                ranges.append(self.headers.get("Range"))
            if body is None:
                return self.answer(404, b"not found")
            wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
            if not wanted:
                return self.answer(200, body, Accept_Ranges="bytes")
            first = int(wanted[1])
            last = min(int(wanted[2] or len(body)), len(body) - 1)
            if first > last:
                return self.answer(416, Content_Range=f"bytes */{len(body)}")
            return self.answer(206, body[first:last + 1], Accept_Ranges="bytes",
                               Content_Range=f"bytes {first}-{last}/{len(body)}")

        do_HEAD = do_GET

    return _Threaded(Handler)


def plain_server(files):
    """Serves `files`, {path: bytes}, and whole whatever range is asked for."""

    class Handler(_Answering):
        def do_GET(self):
            body = files.get(self.path)
            self.answer(404 if body is None else 200, body or b"")

        do_HEAD = do_GET

    return _Threaded(Handler)


def answering_server(status, body):
    """Answers every request for a file with `status` and `body`."""

    class Handler(_Answering):
        def do_GET(self):
            self.answer(status, body)

        do_HEAD = do_GET

    return _Threaded(Handler)


def redirecting_server():
    """Answers as S3 does for a bucket of another region."""
    body = (b'<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>PermanentRedirect</Code>'
            b"<Message>The bucket you are attempting to access must be addressed using the "
            b"specified endpoint.</Message><Endpoint>b.s3.eu-west-1.amazonaws.com</Endpoint>"
            b"<Bucket>bucket</Bucket><RequestId>1</RequestId></Error>")

    class Handler(_Answering):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            self.answer(301, body, x_amz_bucket_region="eu-west-1", Content_Type="application/xml")

        do_HEAD = do_PUT = do_POST = do_DELETE = do_GET

    return _Threaded(Handler)


class _Accepting:
    """Accepts connections, as a context manager, and runs `_serve` for each."""

    def __init__(self):
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self._listener.getsockname()[1]
        self._open = [self._listener]
        self._lock = threading.Lock()

    def _keep(self, connection):
        with self._lock:
            self._open.append(connection)
        return connection

    def _accept(self):
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(self._keep(connection),),
                             daemon=True).start()

    @staticmethod
    def _close(connection):
        # close alone would not wake a thread that is reading.
        try:
            connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        connection.close()

    def close_all(self):
        with self._lock:
            for one in self._open:
                self._close(one)
            self._open.clear()

    def __enter__(self):
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.close_all()


class SilentServer(_Accepting):
    """Accepts connections, and never answers."""

    def _serve(self, connection):
        try:
            while connection.recv(1 << 16):
                pass
        except OSError:
            pass


class FailingProxy(_Accepting):
    """Forwards to the server on `port` until `limit` bytes have come from it
    (`sent_by="server"`) or gone to it ("client"), and from then on behaves
    like
      "killed"   a server that was killed; calls `fail` to kill it too
      "stalled"  one behind a broken network: nothing passes
      "slow"     one behind a slow network: 3 MB pass per second"""

    def __init__(self, port, limit, sent_by, like, fail=None):
        super().__init__()
        self._target = port
        self._left = limit
        self._counts = sent_by
        self._like = like
        self._fail = fail
        self.failed = threading.Event()

    def _serve(self, connection):
        try:
            server = self._keep(socket.create_connection(("127.0.0.1", self._target)))
        except OSError:
            return connection.close()
        threading.Thread(target=self._pass, args=(connection, server, "client"),
                         daemon=True).start()
        self._pass(server, connection, "server")

    def _pass(self, source, target, sent_by):
        try:
            while block := source.recv(1 << 14):
                if self._refuses(len(block) if sent_by == self._counts else 0):
                    return
                target.sendall(block)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            self._close(source)
            self._close(target)

    def _refuses(self, count):
        """Whether to stop the block of `count` bytes."""
        with self._lock:
            self._left -= count
            if self._left > 0:
                return False
            first = not self.failed.is_set()
            self.failed.set()
        if self._like == "slow":
            time.sleep(count / 3e6)
            return False
        if first and self._fail:
            self._fail()
        if first and self._like == "killed":
            self.close_all()
        return True
