"""Serves S3 from memory with moto, on a port of the system's choice.

    serve_s3.py [--check-credentials]

prints `PORT`, and ends when its standard input does. With --check-credentials
there is no user, so that every key is a wrong one.
"""
import os
import sys
import threading

if "--check-credentials" in sys.argv:
    os.environ["INITIAL_NO_AUTH_ACTION_COUNT"] = "0"

from moto.moto_server.werkzeug_app import (  # after the variable, which they read
    DomainDispatcherApplication, MotoRequestHandler, create_backend_app)
from werkzeug.serving import make_server


class Quiet(MotoRequestHandler):
    # A connection for each request costs more than the request.
    protocol_version = "HTTP/1.1"

    def log(self, *arguments):
        pass


def main():
    application = DomainDispatcherApplication(create_backend_app)
    server = make_server("127.0.0.1", 0, application, threaded=True, request_handler=Quiet)
    print(server.port, flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.buffer.read()


main()
