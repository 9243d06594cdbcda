# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""TLS for a connection. One thread may receive while another sends; the sockets of the module ssl do not allow that."""
from __future__ import annotations

import select
import socket
import ssl
import threading
import time

PIECE = 1 << 18    # bytes encrypted at a time
READ = 1 << 18     # bytes read at a time


def context(ca: str | None = None, certificate: tuple[str, str] | None = None) -> ssl.SSLContext:
    """Rules for a connection: TLS 1.3, and a server whose certificate an authority in the file `ca` signed (None: those of this system)."""
    c = ssl.create_default_context(cafile=ca)
    c.minimum_version = ssl.TLSVersion.TLSv1_3
    if certificate:
        c.load_cert_chain(*certificate)
    return c


class Secure:
    """The methods of a socket that a connection uses, with encryption."""

    def __init__(self, plain: socket.socket, rules: ssl.SSLContext, name: str, timeout: float):
        self._socket, self.family = plain, plain.family
        self._in, self._out = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = rules.wrap_bio(self._in, self._out, server_hostname=name)
        self._lock = threading.Lock()       # of the three fields below
        self._unsent, self._owed = memoryview(b""), 0    # encrypted bytes of a sendmsg that was blocked, and what it took
        self._poll = select.poll()
        self._poll.register(plain, select.POLLIN)
        self._shake(time.monotonic() + timeout)

    def _shake(self, deadline: float) -> None:
        while True:
            try:
                self._tls.do_handshake()
                return self._socket.sendall(self._out.read())
            except ssl.SSLWantReadError:
                pass
            finally:
                said = self._out.read()
                if said:
                    self._socket.sendall(said)
            self._socket.settimeout(max(0.001, deadline - time.monotonic()))
            came = self._socket.recv(READ)
            if not came:
                raise ConnectionError("the server ended the TLS handshake")
            self._in.write(came)

    def poll(self, milliseconds: float | None):
        """Is there something to receive?"""
        with self._lock:
            if self._tls.pending() or self._in.pending:
                return True
        return self._poll.poll(milliseconds)

    def recvmsg_into(self, views, _room=0, _flags=0):
        while True:
            with self._lock:
                try:
                    return self._tls.read(len(views[0]), views[0]), (), 0, None
                except ssl.SSLWantReadError:
                    pass
                except ssl.SSLZeroReturnError:
                    return 0, (), 0, None
            came = self._socket.recv(READ)
            if not came:
                return 0, (), 0, None
            with self._lock:
                self._in.write(came)

    def _push(self) -> None:
        while self._unsent:
            self._unsent = self._unsent[self._socket.send(self._unsent):]

    def sendmsg(self, views) -> int:
        """Bytes taken of these buffers. After a BlockingIOError it has to be called again with the same ones."""
        if not self._owed:
            with self._lock:
                for view in views:
                    self._owed += self._tls.write(view[:PIECE - self._owed]) if view else 0
                    if self._owed >= PIECE:
                        break
                self._unsent = memoryview(self._out.read())
        self._push()
        n, self._owed = self._owed, 0
        return n

    def __getattr__(self, name):
        """fileno, settimeout, setsockopt, shutdown and close are the socket's."""
        return getattr(self._socket, name)
