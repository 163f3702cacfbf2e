"""A network between a server on this machine and its clients: each request takes a
while to arrive, and each connection has a bandwidth of its own, as with a store that
is far away."""
import contextlib
import fcntl
import os
import socket
import threading
import time

# Of Linux; Python does not name it. The kernel spaces out what a connection sends.
SO_MAX_PACING_RATE = 47
PIPE_BYTES = 1 << 20
DELAY = 0.02  # seconds
RATE = 80_000_000  # bytes per second


class SlowLink:
    """Forwards to the server on port `target`, as a context manager. A request, which
    must be small enough for one packet, arrives `delay` seconds late, and a connection
    brings `rate` bytes per second back."""

    def __init__(self, target, delay=DELAY, rate=RATE):
        self._target = target
        self._delay = delay
        self._rate = rate
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self._listener.getsockname()[1]
        self._open = {self._listener}
        self._lock = threading.Lock()

    def __enter__(self):
        self._start(self._accept)
        return self

    def __exit__(self, *_):
        with self._lock:
            for one in self._open:
                with contextlib.suppress(OSError):  # wakes its threads
                    one.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    @staticmethod
    def _start(function, *arguments):
        threading.Thread(target=function, args=arguments, daemon=True).start()

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            self._start(self._serve, client)

    def _serve(self, client):
        client.setsockopt(socket.SOL_SOCKET, SO_MAX_PACING_RATE, self._rate)
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with client, socket.create_connection(("127.0.0.1", self._target)) as server:
            server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self._lock:
                self._open |= {client, server}
            asking = threading.Thread(target=self._ask, args=(client, server), daemon=True)
            asking.start()
            with contextlib.suppress(OSError):
                self._answer(server, client)
            for one in client, server:
                with contextlib.suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)
            asking.join()
            with self._lock:
                self._open -= {client, server}

    def _ask(self, client, server):
        with contextlib.suppress(OSError):
            while request := client.recv(1 << 16):
                time.sleep(self._delay)
                server.sendall(request)
        with contextlib.suppress(OSError):
            server.shutdown(socket.SHUT_WR)

    @staticmethod
    def _answer(server, client):
        """Without copying: the processors are the clients'."""
        end, begin = os.pipe()
        try:
            fcntl.fcntl(begin, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
            while count := os.splice(server.fileno(), begin, PIPE_BYTES):
                while count:
                    count -= os.splice(end, client.fileno(), count)
        finally:
            os.close(end)
            os.close(begin)
