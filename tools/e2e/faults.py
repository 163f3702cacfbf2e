"""The faults of the proxy: what happens to which answers.

    Fault("COPY", "error in 200")            each CopyObject
    Fault("HEAD", "status", 503, nth=2)      from the second HEAD on
    Fault("GET", "cut", 10, path="/b/k$", times=1)
"""
import dataclasses
import re

FOREVER = 1 << 30


@dataclasses.dataclass(frozen=True)
class Fault:
    method: str  # from HTTP, or COPY (CopyObject, UploadPartCopy), LIST, or * for all
    effect: str            # a key of EFFECTS
    number: int = 0  # argument of the effect
    path: str = ""  # a regular expression, searched in `/bucket/key?query`
    nth: int = 1  # the first matching request that it affects, from 1
    times: int = FOREVER  # how many it affects
    done: bool = False  # the server executes the request, and the answer is lost
    after: str = ""  # a method: without effect until such a request arrives


class Armed:
    """A fault, with the number of requests that matched it."""

    def __init__(self, fault):
        if fault.effect not in EFFECTS:
            raise ValueError(f"no effect is called {fault.effect!r}")
        self.fault = fault
        self._path = re.compile(fault.path)
        self._seen = 0
        self._begun = not fault.after

    def meets(self, request):
        fault = self.fault
        if not self._begun:
            self._begun = request.method == fault.after
            return False
        if fault.method not in ("*", request.method):
            return False
        if not self._path.search(f"{request.path}?{request.query}"):
            return False
        self._seen += 1
        return fault.nth <= self._seen < fault.nth + fault.times


_CODES = {400: "BadRequest", 401: "Unauthorized", 403: "AccessDenied", 404: "NoSuchKey",
          409: "OperationAborted", 412: "PreconditionFailed", 416: "InvalidRange",
          429: "TooManyRequests", 500: "InternalError", 503: "SlowDown"}


def error_body(code):
    return ('<?xml version="1.0" encoding="UTF-8"?>\n'
            f"<Error><Code>{code}</Code><Message>told to fail</Message>"
            "<RequestId>1</RequestId></Error>").encode()


def _instead(handler, fault, body):
    """Executes the request first if the fault says so."""
    if fault.done:
        handler.ask(body)


def _send(handler, status, body):
    handler.send_response(status)
    handler.send_header("Content-Type", "application/xml")
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    if handler.command != "HEAD":
        handler.wfile.write(body)


def _status(handler, fault, body):
    _instead(handler, fault, body)
    _send(handler, fault.number, error_body(_CODES.get(fault.number, "Unknown")))


def _error_in_200(handler, fault, body):
    _instead(handler, fault, body)
    _send(handler, 200, error_body("InternalError"))


def _close(handler, fault, body):
    _instead(handler, fault, body)
    handler.hang_up()


def _hang(handler, fault, body):
    _instead(handler, fault, body)
    handler.wait_for_end()


def _cut(handler, fault, body):
    """Truncates the body to `number` bytes, below its declared length."""
    answer = handler.ask(body)
    answer.body = answer.body[:fault.number]
    handler.answer(answer)
    handler.hang_up()


def _stall(handler, fault, body):
    """The same, but keeps the connection open."""
    answer = handler.ask(body)
    answer.body = answer.body[:fault.number]
    handler.answer(answer)
    handler.wait_for_end()


def _short(handler, fault, body):
    """Drops the last `number` bytes of the body, and declares the shorter
    length."""
    answer = handler.ask(body)
    answer.body = answer.body[:max(0, len(answer.body) - fault.number)]
    if answer.status < 300:
        answer.length = max(0, answer.length - fault.number)
    handler.answer(answer)


def _length(handler, fault, body):
    """Declares a length that is `number` too high."""
    answer = handler.ask(body)
    if answer.status < 300:
        answer.length = max(0, answer.length + fault.number)
    handler.answer(answer)
    if handler.command != "HEAD":
        handler.hang_up()


EFFECTS = {"status": _status, "error in 200": _error_in_200, "close": _close, "hang": _hang,
           "cut": _cut, "stall": _stall, "short": _short, "length": _length}
