# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""A proxy between a client and a server that knows frames: it notes them, cuts connections and answers in the server's place."""
import contextlib
import socket
import threading

from wire import HEADER, pb


def read(stream, n):
    data = b""
    while len(data) < n:
        got = stream.recv(n - len(data))
        if not got:
            raise ConnectionError
        data += got
    return data


class Between:
    """Listens on `address` and passes on to a TCP server, by the rules that a test sets:

    cut = ("up" or "down", n)   cut the connection when n more bytes have passed to or from the server; then no more
    half = True                 cuts are not noticed by the server: its end stays open
    spoil = (n, mask)           change a byte that comes from the server, the n-th from now on, once
    busy = n                    answer that many compute requests with "busy, come back in `hint` seconds"
    """

    def __init__(self, target):
        host, port = target[len("tcp://"):].rsplit(":", 1)
        self.target = host, int(port)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = "tcp://127.0.0.1:%d" % self.listener.getsockname()[1]
        self.lock, self.cut, self.cuts, self.half, self.busy, self.hint = threading.Lock(), None, 0, False, 0, 0.1
        self.spoil = None
        self.kept = []
        self.passed = {"up": 0, "down": 0}
        self.asked = []    # compute requests: their messages
        threading.Thread(target=self.accept, daemon=True).start()

    def close(self):
        self.listener.close()
        for far in self.kept:
            with contextlib.suppress(OSError):
                far.shutdown(socket.SHUT_RDWR)    # a thread may read from it

    def accept(self):
        while True:
            try:
                near = self.listener.accept()[0]
            except OSError:
                return
            try:
                far = socket.create_connection(self.target)
            except OSError:
                near.close()
                continue
            for pump in (self.up, self.down):
                threading.Thread(target=self.run, args=(pump, near, far), daemon=True).start()

    def run(self, pump, near, far):
        try:
            pump(near, far)
        except OSError:
            pass
        if self.half:
            self.kept.append(far)
        for s in (near,) if self.half else (near, far):
            try:
                s.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def forward(self, direction, to, data):
        with self.lock:
            end = None
            if self.cut and self.cut[0] == direction:
                left = self.cut[1] - len(data)
                end = self.cut[1] if left <= 0 else None
                self.cut = None if left <= 0 else (direction, left)
                self.cuts += left <= 0
            self.passed[direction] += len(data)
            if self.spoil and direction == "down":
                at, mask = self.spoil
                self.spoil = (at - len(data), mask) if at >= len(data) else None
                if not self.spoil:
                    data = data[:at] + bytes([data[at] ^ mask]) + data[at + 1:]
        to.sendall(data[:end])
        if end is not None:
            raise ConnectionError

    def up(self, near, far):
        while True:
            head = read(near, HEADER.size)
            _, _, _, kind, request, ncontrol, _, ndata = HEADER.unpack(head)
            control = read(near, ncontrol)
            if kind >= pb.FRAME_ROLLOUT and ncontrol:
                self.asked.append(pb.Rollout.FromString(control))
                if self.busy:
                    self.busy -= 1
                    read(near, ndata)
                    error = pb.Error(code=pb.CODE_RESOURCE_EXHAUSTED, message="busy", retriable=True,
                                     retry_after_us=int(self.hint * 1e6)).SerializeToString()
                    near.sendall(HEADER.pack(b"SHF1", 1, 0, pb.FRAME_ERROR, request, len(error), 0, 0) + error)
                    continue
            self.forward("up", far, head + control + read(near, ndata))

    def down(self, near, far):
        while True:
            data = far.recv(1 << 16)
            if not data:
                return
            self.forward("down", near, data)
