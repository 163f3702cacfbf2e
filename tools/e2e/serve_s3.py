"""Serves S3 from memory with moto, on a port of the system's choice.

    serve_s3.py [--check-credentials]

prints `PORT`, and ends when its standard input does. With --check-credentials
there is no user, so that every key is a wrong one.
"""
import io
import os
import sys
import threading

if "--check-credentials" in sys.argv:
    os.environ["INITIAL_NO_AUTH_ACTION_COUNT"] = "0"

from moto.moto_server.werkzeug_app import (  # after the variable, which they read
    MotoRequestHandler, create_backend_app)
from moto.s3.models import FakeKey
from werkzeug.serving import make_server


def keep_values():
    """Each object's bytes at hand: else each range that is asked for costs a
    copy of the whole object."""
    write = FakeKey.value.fset

    def keep(key, value):
        write(key, value)
        key.kept = value if isinstance(value, bytes) else bytes(value)

    FakeKey.value = property(lambda key: key.kept, keep)


class InTurn:
    """Handles one request after the other: moto's storage wants it. Clients that
    stall keep nobody waiting, and of one that has gone away nothing is stored."""

    def __init__(self, application):
        self._application = application
        self._turn = threading.Lock()

    def __call__(self, environment, start_response):
        if "CONTENT_LENGTH" in environment:
            length = int(environment["CONTENT_LENGTH"] or 0)
            body = environment["wsgi.input"].read(length)
            if len(body) != length:
                raise ConnectionError("the request is not whole")
            environment["wsgi.input"] = io.BytesIO(body)
        with self._turn:
            return self._application(environment, start_response)


class Quiet(MotoRequestHandler):
    # A connection for each request costs more than the request.
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
