# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""A bad network between a client and a server, in this process: slow, late, cut, wrong, reset or silent.

    with Proxy(server.tcp, down=Path(rate=1 << 20)) as proxy:
        client = Client(proxy.address)

A machine's own tools for this need rights that a test does not have. Bytes pass one thread per direction and connection.
"""
import dataclasses
import socket
import struct
import threading
import time

PIECE = 1 << 14


@dataclasses.dataclass
class Path:
    """What happens to the bytes of one direction. Counts of bytes are of each connection."""
    rate: float = 0           # bytes a second; 0: as fast as it goes
    delay: float = 0          # seconds that each piece is late
    flip: int = -1            # the number of the byte of which a bit is turned
    cut: int = -1             # after so many bytes the connection ends
    reset: int = -1           # after so many bytes it is reset
    stall: int = -1           # after so many bytes nothing more is read

    def end(self):
        ends = [n for n in (self.cut, self.reset, self.stall) if n >= 0]
        return min(ends) if ends else 1 << 62


def connect(address, timeout=30):
    """A socket to tcp://HOST:PORT or unix:///PATH."""
    if address.startswith("unix://"):
        out = socket.socket(socket.AF_UNIX)
        out.settimeout(timeout)
        out.connect(address[len("unix://"):])
        return out
    host, port = address[len("tcp://"):].rsplit(":", 1)
    return socket.create_connection((host, int(port)), timeout)


def reset(sock):
    """Close so that the peer gets a reset, also if a thread reads from it."""
    try:
        sock.shutdown(socket.SHUT_RD)
    except OSError:
        pass    # the peer was first
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    sock.close()


class Proxy:
    def __init__(self, target, up=Path(), down=Path()):
        self.target, self.up, self.down = target, up, down
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = "tcp://127.0.0.1:%d" % self.listener.getsockname()[1]
        self.sockets, self.over = [], threading.Event()
        self._start(self._accept)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.over.set()
        for sock in (self.listener, *self.sockets):
            try:
                sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            sock.close()

    @staticmethod
    def _start(run, *args):
        threading.Thread(target=run, args=args, daemon=True).start()

    def _accept(self):
        while True:
            try:
                near = self.listener.accept()[0]
                far = connect(self.target)
            except OSError:
                return
            # small buffers, so that what one side does is felt by the other
            for sock in (near, far):
                sock.settimeout(None)
                for option in (socket.SO_RCVBUF, socket.SO_SNDBUF):
                    sock.setsockopt(socket.SOL_SOCKET, option, PIECE)
            self.sockets += [near, far]
            self._start(self._pump, near, far, self.up)
            self._start(self._pump, far, near, self.down)

    def _pump(self, source, sink, path):
        done, began, end = 0, time.monotonic(), path.end()
        try:
            while done < end:
                piece = bytearray(source.recv(min(PIECE, end - done)))
                if not piece:
                    sink.shutdown(socket.SHUT_WR)
                    return
                if done <= path.flip < done + len(piece):
                    piece[path.flip - done] ^= 1
                late = path.delay
                if path.rate:
                    late = max(late, began + (done + len(piece)) / path.rate - time.monotonic())
                if late > 0:
                    self.over.wait(late)
                sink.sendall(piece)
                done += len(piece)
            if done == path.stall:
                self.over.wait()
            for sock in (source, sink):
                if done == path.reset:
                    reset(sock)
                else:
                    sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
