"""Serves S3 from memory with moto, on a port that the system chooses.

    serve_s3.py [--check-credentials]

prints `PORT`, and ends when its standard input does. With
--check-credentials there is no user, so every key is invalid.
"""
import collections
import io
import json
import os
import sys
import threading

if "--check-credentials" in sys.argv:
    os.environ["INITIAL_NO_AUTH_ACTION_COUNT"] = "0"

from moto.moto_server.werkzeug_app import (  # after setting the variable that they read
    MotoRequestHandler, create_backend_app)
from moto.s3.models import FakeKey
from werkzeug.serving import make_server


def keep_values():
    """Keeps each object's bytes, as otherwise each range request copies the
    whole object."""
    write = FakeKey.value.fset

    def keep(key, value):
        write(key, value)
        key.kept = value if isinstance(value, bytes) else bytes(value)

    FakeKey.value = property(lambda key: key.kept, keep)


# No bucket has such a name.
COUNTS = "/-/requests"


class InTurn:
    """Handles one request at a time, as moto's storage requires. Does not wait
    for stalled clients, and stores nothing from one that has disconnected."""

    def __init__(self, application):
        self._application = application
        self._turn = threading.Lock()
        self._requests = collections.Counter()  # since they were last asked for

    def __call__(self, environment, start_response):
        if environment["PATH_INFO"] == COUNTS:
            return self._tell(start_response)
        if "CONTENT_LENGTH" in environment:
            length = int(environment["CONTENT_LENGTH"] or 0)
            body = environment["wsgi.input"].read(length)
            if len(body) != length:
                raise ConnectionError("the request is not whole")
            environment["wsgi.input"] = io.BytesIO(body)
        with self._turn:
            self._requests[environment["REQUEST_METHOD"]] += 1
            return self._application(environment, start_response)

    def _tell(self, start_response):
        with self._turn:
            told = json.dumps(self._requests).encode()
            self._requests.clear()
        start_response("200 OK", [("Content-Type", "application/json"),
                                  ("Content-Length", str(len(told)))])
        return [told]


class Quiet(MotoRequestHandler):
    # A connection per request costs more than the request.
    protocol_version = "HTTP/1.1"

    def log(self, *arguments):
        pass


def main():
    keep_values()
    application = InTurn(create_backend_app("s3"))
    server = make_server("127.0.0.1", 0, application, threaded=True, request_handler=Quiet)
    print(server.port, flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.buffer.read()


main()
