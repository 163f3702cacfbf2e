"""A proxy in front of a working S3 server that forwards requests and corrupts
the answers that its user has chosen (faults.py)."""
import http.client
import http.server
import socket
import threading
import urllib.parse

import faults

# Specific to one connection, so not forwarded; http.server writes its own.
_OWN_HEADERS = {"connection", "keep-alive", "transfer-encoding", "content-length", "date",
                "server", "expect"}
SECONDS_TO_ANSWER = 120


class Request:
    """A request, described as faults select it."""

    def __init__(self, method, target, copies):
        parts = urllib.parse.urlsplit(target)  # with a host if it is for a proxy
        self.path = urllib.parse.unquote(parts.path)
        self.query = parts.query
        bucket_alone = "/" not in self.path.strip("/")
        # Own names where HTTP has no method.
        self.method = ("COPY" if copies else
                       "LIST" if method == "GET" and (bucket_alone or "comp=list" in self.query)
                       else method)

    def __str__(self):
        return f"{self.method} {self.path}{'?' if self.query else ''}{self.query}"


class Answer:
    def __init__(self, status, body, headers, length):
        self.status = status
        self.body = body
        self.headers = headers  # without Content-Length
        self.length = length  # as in Content-Length; for HEAD there is no body


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Answers are written in several parts, which Nagle's algorithm would delay.
    disable_nagle_algorithm = True

    def setup(self):
        super().setup()
        self.server.proxy.connections.add(self.connection)
        self._behind = http.client.HTTPConnection("127.0.0.1", self.server.proxy.target,
                                                  timeout=SECONDS_TO_ANSWER)

    def handle_expect_100(self):
        # The az plugin expects no 100 for a request without a body.
        return not int(self.headers.get("Content-Length") or 0) or super().handle_expect_100()

    def finish(self):
        self._behind.close()
        self.server.proxy.connections.discard(self.connection)
        super().finish()

    def _serve(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        copies = "x-amz-copy-source" in self.headers or "x-ms-copy-source" in self.headers
        request = Request(self.command, self.path, copies)
        fault = self.server.proxy.choose(request)
        if fault is None:
            return self.answer(self.ask(body))
        faults.EFFECTS[fault.effect](self, fault, body)

    do_HEAD = do_GET = do_PUT = do_POST = do_DELETE = _serve

    def ask(self, body):
        """The server's answer."""
        headers = {name: value for name, value in self.headers.items()
                   if name.lower() not in _OWN_HEADERS}
        self._behind.request(self.command, self.path, body, headers)
        answer = self._behind.getresponse()
        found = answer.read()
        kept = [(name, value) for name, value in answer.getheaders()
                if name.lower() not in _OWN_HEADERS]
        length = answer.getheader("Content-Length")
        return Answer(answer.status, found, kept, int(length or 0) if not found else len(found))

    def answer(self, answer):
        self.send_response(answer.status)
        for name, value in answer.headers:
            self.send_header(name, value)
        if answer.status != 204:
            self.send_header("Content-Length", str(answer.length))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.body)

    def hang_up(self):
        self.close_connection = True
        try:
            self.connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def wait_for_end(self):
        """Until the client disconnects, or the proxy ends."""
        self.connection.settimeout(0.1)
        while not self.server.proxy.ended.is_set():
            try:
                if not self.connection.recv(1):
                    break
            except TimeoutError:
                continue
        self.hang_up()

    def log_message(self, *arguments):
        pass


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = False  # waited for, as their requests still change the store
    request_queue_size = 64

    def handle_error(self, *arguments):
        pass  # disconnecting clients are expected here


class FaultProxy:
    """Forwards to the server on port `target`, as a context manager. Thread-safe."""

    def __init__(self, target, *chosen):
        self.target = target
        self.connections = set()
        self.ended = threading.Event()
        self.requests = []  # all that arrived: (Request, Fault or None)
        self._lock = threading.Lock()
        self._armed = [faults.Armed(one) for one in chosen]
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.proxy = self
        self.port = self._server.server_port

    def inject(self, *chosen):
        """Replaces the faults from the next request on; restarts their counts."""
        with self._lock:
            self._armed = [faults.Armed(one) for one in chosen]

    def choose(self, request):
        """The fault for this request, or None."""
        with self._lock:
            met = [one.fault for one in self._armed if one.meets(request)]
            fault = met[0] if met else None
            self.requests.append((request, fault))
            return fault

    @property
    def hits(self):
        """The requests that met a fault, each with the fault."""
        with self._lock:
            return [(request, fault) for request, fault in self.requests if fault]

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_):
        """Afterwards no request to the server is in progress."""
        self.ended.set()
        self._server.shutdown()
        for connection in list(self.connections):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        self._server.server_close()
