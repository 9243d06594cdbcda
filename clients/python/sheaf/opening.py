# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Opens the socket of a connection."""
from __future__ import annotations

import errno
import os
import socket
import ssl
import struct
import urllib.parse

from . import errors
from .secure import Secure, context

SEND_BUFFER = 1 << 20 # of Unix sockets, which do not grow theirs by themselves
TICK = 0.25           # seconds between looks at the deadline, while a thread waits in the middle of a frame

# a peer that vanished without a word is found after 25 s
KEEPALIVE = (("SO_KEEPALIVE", socket.SOL_SOCKET, 1), ("TCP_NODELAY", socket.IPPROTO_TCP, 1), ("TCP_KEEPIDLE", socket.IPPROTO_TCP, 10),
             ("TCP_KEEPINTVL", socket.IPPROTO_TCP, 5), ("TCP_KEEPCNT", socket.IPPROTO_TCP, 3))


def is_own_peer(s: socket.socket) -> bool:
    """Is a socket connected to itself? The system takes the port of a client from a range, and if that is the one that the client asks for, on
    this host, where no server listens, the connection succeeds: one that would last, and keep the server from listening when it is back."""
    try:
        return s.getsockname() == s.getpeername()
    except OSError:    # it has ended already
        return False


def open_socket(address: str, timeout: float, rules: ssl.SSLContext | None) -> socket.socket | Secure:
    try:
        u = urllib.parse.urlsplit(address)
        port = 7447 if u.port is None else u.port
    except ValueError:
        u = urllib.parse.urlsplit("")
    try:
        if u.scheme == "unix" and u.path and not u.netloc:
            s = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            s.settimeout(timeout)
            s.connect(address.split("://", 1)[1])
            s.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        elif u.scheme in ("tcp", "tls") and u.hostname:
            s = socket.create_connection((u.hostname, port), timeout)
            if is_own_peer(s):
                s.close()
                raise ConnectionRefusedError(errno.ECONNREFUSED, os.strerror(errno.ECONNREFUSED))
            for name, level, value in KEEPALIVE:
                if hasattr(socket, name):
                    s.setsockopt(level, getattr(socket, name), value)
            if u.scheme == "tls":
                s = Secure(s, rules or context(), u.hostname, timeout)
        else:
            raise errors.InvalidArgument("cannot parse the address", field="address",
                                         expected="tcp://HOST:PORT, tls://HOST:PORT or unix:///PATH", got=address)
    except ssl.SSLError as e:
        s.close()
        raise errors.Unauthenticated(f"cannot connect to {address}: {e}") from None
    except OSError as e:
        raise errors.Unavailable(f"cannot connect to {address}: {e}", retriable=True) from None
    s.settimeout(None)
    for option in (socket.SO_SNDTIMEO, socket.SO_RCVTIMEO):
        s.setsockopt(socket.SOL_SOCKET, option, struct.pack("@ll", 0, int(TICK * 1e6)))
    return s
