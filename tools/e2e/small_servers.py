"""Servers that are threads of the tests: tokens, files over HTTP, and servers
that fail."""
import http.server
import json
import re
import socket
import threading


class _Threaded:
    """Runs an http.server on a port of the system's choice while in a `with`."""

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


def token_server(status=200):
    """Gives any service account a token, or `status`."""

    class Handler(_Answering):
        def do_POST(self):
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            good = {"access_token": "t", "expires_in": 3600, "token_type": "Bearer",
                    "id_token": "x", "scope": ""}
            bad = {"error": "invalid_grant", "error_description": "account is not known"}
            self.answer(status, json.dumps(good if status == 200 else bad).encode(),
                        Content_Type="application/json")

    return _Threaded(Handler)


def refusing_server(status):
    """Answers `status` to whatever it is asked."""

    class Handler(_Answering):
        def do_GET(self):
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.answer(status, json.dumps({"error": {"code": status, "message": "no"}}).encode(),
                        Content_Type="application/json")

        do_HEAD = do_POST = do_PUT = do_DELETE = do_GET

    return _Threaded(Handler)


def web_server(files, ranges):
    """Serves `files`, {path: bytes}, whole and by ranges. Appends what each GET
    asks for to `ranges`: a Range header, or None."""

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


class _Accepting:
    """Accepts connections while in a `with`, and does `_serve` with each."""

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

    def close_all(self):
        with self._lock:
            for one in self._open:
                # Not close alone: that does not wake a thread which reads.
                try:
                    one.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
                one.close()
            self._open.clear()

    def __enter__(self):
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.close_all()


class SilentServer(_Accepting):
    """Accepts, and never answers."""

    def _serve(self, connection):
        try:
            while connection.recv(1 << 16):
                pass
        except OSError:
            pass


class CuttingProxy(_Accepting):
    """Leads to a server on `port` until `bytes` have come from it
    (`sent_by="server"`), or gone to it ("client"); then calls `cut`, closes all
    and is gone, as a server that was killed."""

    def __init__(self, port, bytes, sent_by, cut=None):
        super().__init__()
        self._target = port
        self._left = bytes
        self._counts = sent_by
        self._cut = cut
        self.was_cut = threading.Event()

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
                target.sendall(block)
                if sent_by == self._counts and self._spend(len(block)):
                    return
        except OSError:
            pass
        finally:
            try:
                target.shutdown(socket.SHUT_WR)
            except OSError:
                pass

    def _spend(self, count):
        with self._lock:
            self._left -= count
            if self._left > 0 or self.was_cut.is_set():
                return self.was_cut.is_set()
            self.was_cut.set()
        if self._cut:
            self._cut()
        self.close_all()
        return True
