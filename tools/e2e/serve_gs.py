"""Serves Google Cloud Storage from memory with gcp-storage-emulator, on a port
that the system chooses.

    serve_gs.py

prints `PORT`, and ends when its standard input does.
"""
import http.server
import io
import logging
import sys
import threading
from functools import partial

from gcp_storage_emulator import server
from gcp_storage_emulator.storage import Storage

_read_data = server._read_data


def _read_empty_data_too(handler, query):
    """Without this, uploading an empty object closes the connection."""
    data = _read_data(handler, query)
    return b"" if data is None else data


server._read_data = _read_empty_data_too


class InMemory(Storage):
    """Storage without its index file, which would be rewritten at each change
    and is never read."""

    def _write_config_to_file(self):
        pass


class Pieces:
    """A writable file that sends data in pieces of 16 KiB, as TLS does.
    Otherwise the plugin's HTTP client (curl) passes up to 64 KiB at once to
    a buffer of 16 KiB, which overflows the heap: the wheel 0.37.1 was built
    with two values of CURL_MAX_WRITE_SIZE."""

    SIZE = 16384

    def __init__(self, file):
        self._file = file

    def write(self, contents):
        for at in range(0, len(contents), self.SIZE):
            piece = contents[at:at + self.SIZE]
            self._file.write(b"%x\r\n%b\r\n" % (len(piece), piece))
        self._file.write(b"0\r\n\r\n")


class Handler(server.RequestHandler):
    """Handles one request at a time, as the storage requires, but without
    waiting for stalled clients."""

    protocol_version = "HTTP/1.1"
    turn = threading.Lock()

    def handle_expect_100(self):
        self.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        return True

    def parse_request(self):
        if not super().parse_request():
            return False
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        if length:
            self.rfile = io.BytesIO(body)
        self.close_connection = True
        # An upload whose client has disconnected is not stored.
        return len(body) == length

    def is_strict(self):
        """Whether the client refuses to get both a length, which the plugin requires, and
        pieces."""
        # What is no request has no headers.
        headers = getattr(self, "headers", None) or {}
        return "gcsfs" in headers.get("User-Agent", "")

    def send_header(self, name, value):
        super().send_header(name, value)
        if name == "Content-Length" and not self.is_strict():
            super().send_header("Transfer-Encoding", "chunked")

    def end_headers(self):
        super().send_header("Connection", "close")
        super().end_headers()
        if not self.is_strict():
            self.wfile = Pieces(self.wfile)

    def in_turn(self, handle):
        to_client, answer = self.wfile, io.BytesIO()
        self.wfile = answer
        try:
            with self.turn:
                handle(self)
        finally:
            self.wfile = to_client
        self.wfile.write(answer.getbuffer())


def _in_turn(name):
    handle = getattr(server.RequestHandler, name)
    return lambda self: self.in_turn(handle)


for _name in "do_GET", "do_POST", "do_DELETE", "do_PUT", "do_PATCH":
    setattr(Handler, _name, _in_turn(_name))


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 128
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass  # the client disconnected


def main():
    logging.disable(logging.CRITICAL)
    storage = InMemory(use_memory_fs=True)
    serving = Server(("127.0.0.1", 0), partial(Handler, storage))
    print(serving.server_port, flush=True)
    threading.Thread(target=serving.serve_forever, daemon=True).start()
    sys.stdin.buffer.read()


main()
