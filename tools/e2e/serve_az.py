"""Serves Azure Blob Storage (REST API, version 2020-02-10) from memory, on a port
that the system chooses.

    serve_az.py ACCOUNT:KEY...

prints `PORT`, and ends when its standard input does. The account is the first part of
the host's name (`account.blob.core.windows.net`, for clients for whom this is a proxy),
or, if the host is an address, of the path, as with Microsoft's emulator. Requests
are signed with the account's key; without one, only public containers are read.
Leases, snapshots, tags, page blobs and shared access signatures are not implemented.
"""
import http.server
import sys
import threading
import uuid

import az_listings
from az_account import Account, md5
from az_errors import Refused
from az_operations import OPERATIONS
from az_request import Request

VERSION = "2020-02-10"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "Windows-Azure-Blob/1.0", ""
    # A response is sent at once, not after the client's acknowledgement of its headers.
    wbufsize = 1 << 16
    disable_nagle_algorithm = True

    def handle_expect_100(self):
        if int(self.headers.get("Content-Length") or 0):
            self.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")
            self.wfile.flush()
        return True

    def do_GET(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if len(body) < int(self.headers.get("Content-Length") or 0):
            self.close_connection = True
            return  # the client has disconnected: nothing is stored
        try:
            status, headers, content = self._result(body)
        except Refused as refused:
            status, headers, content = az_listings.error(refused, self.command)
        self._answer(status, headers, content)

    do_HEAD = do_PUT = do_DELETE = do_GET

    def _result(self, body):
        if self.command == "PUT" and "Content-Length" not in self.headers:
            raise Refused("MissingContentLengthHeader")
        if (given := self.headers.get("Content-MD5")) and given != md5(body):
            raise Refused("Md5Mismatch")
        request = Request(self, self.server.accounts, body)
        with request.account.lock:
            request.authenticate()
            operation = OPERATIONS.get(request.operation())
            if operation is None:
                raise Refused("NotImplemented")
            return operation(request)

    def _answer(self, status, headers, content):
        self.send_response(status)
        headers = {"Content-Length": str(len(content)), **headers,
                   "x-ms-request-id": str(uuid.uuid4()), "x-ms-version": VERSION}
        for name, value in headers.items():
            if value:
                self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD" and status != 304:
            self.wfile.write(content)

    def log_message(self, *arguments):
        pass


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 128
    daemon_threads = True

    def __init__(self, accounts):
        super().__init__(("127.0.0.1", 0), Handler)
        self.accounts = accounts

    def handle_error(self, request, client_address):
        pass  # the client disconnected


def main():
    serving = Server({name: Account(key) for name, _, key in
                      (one.partition(":") for one in sys.argv[1:])})
    print(serving.server_port, flush=True)
    threading.Thread(target=serving.serve_forever, daemon=True).start()
    sys.stdin.buffer.read()


main()
