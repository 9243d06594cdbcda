# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Frames that come over a socket: each goes to the call that it answers, and rows of results into the arrays of that call."""
from __future__ import annotations

import array
import os
import select
import socket
import threading

from . import errors, wire
from .answer import Call
from .opening import TICK
from .secure import Secure

SKIPPED = memoryview(bytearray(1 << 16))    # receives the bytes between tensors, which nobody needs
MOST_CONTROL = 16 << 20    # bytes of a message that a server may send; the C client has the same limit
MOST_SKIPPED = 1 << 30     # bytes between tensors of a result
BLOCK = 1 << 20       # memory for data grows as these come, whatever a frame says will come
AHEAD = 4096          # bytes that may be read before it is known what they are
RECEIVE = int(getattr(socket, "MSG_CMSG_CLOEXEC", 0))
RECEIVE_ALL = RECEIVE | int(socket.MSG_WAITALL)
REGION = wire.TYPES["Region"] | wire.REPLY


class Incoming:
    """The reading half of a connection. One thread at a time may use it.

    A generator reads the stream, so that a reader whose time is over can leave in the middle of a frame.
    """

    leaving = False    # the server said that it is shutting down: new work goes to another connection

    def __init__(self, s: socket.socket | Secure):
        self._socket = s
        self._lock = threading.Lock()
        self._calls: dict[int, Call] = {}    # in flight; under the lock
        self._within = False     # a part of a frame was read
        self._buffer = memoryview(bytearray(AHEAD))
        self._ahead = self._buffer[:0]
        self._input = self._frames_in()
        self._known_rest: tuple | None = None    # of the frame that is being read: its call, and what Plan.take said
        self._room = socket.CMSG_SPACE(4) if s.family == socket.AF_UNIX else 0
        self._fds: list[int] = []    # descriptors that came
        self._polls = isinstance(s, Secure)    # bytes that came may not be enough to read from
        self._poll = s if self._polls else select.poll()
        if not self._polls:
            self._poll.register(s, select.POLLIN)

    def _take(self, views: list, flags: int) -> int:
        """Bytes received into these buffers. BlockingIOError: none has come for a while."""
        n, extra, _, _ = self._socket.recvmsg_into(views, self._room, flags)
        for level, kind, fds in extra:
            if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
                self._fds += array.array("i", fds[:len(fds) - len(fds) % 4])
        if n == 0:
            raise ConnectionError("the server closed the connection")
        return n

    def _receive(self, views: list, flags: int):
        """Bytes received into these buffers. Yields when nothing has come for a while."""
        while True:
            try:
                return self._take(views[:16], flags)
            except BlockingIOError:
                yield

    def _fill(self, views: list):
        """Read until these buffers, none of them empty, are full."""
        while views and self._ahead:
            n = min(len(views[0]), len(self._ahead))
            views[0][:n], self._ahead = self._ahead[:n], self._ahead[n:]
            wire.drop(views, n)
        while views:
            wire.drop(views, (yield from self._receive(views, RECEIVE_ALL)))

    def _exactly(self, n: int):
        if n > AHEAD:
            data = bytearray()
            while len(data) < n:
                at = len(data)
                data += bytes(min(n - at, max(at, BLOCK)))
                with memoryview(data) as view:
                    yield from self._fill([view[at:]])
            return data

        # small frames come with one system call
        while len(self._ahead) < n:
            rest = len(self._ahead)
            self._buffer[:rest] = self._ahead.tobytes()
            got = yield from self._receive([self._buffer[rest:]], RECEIVE)
            self._ahead = self._buffer[:rest + got]
        data, self._ahead = self._ahead[:n].tobytes(), self._ahead[n:]
        return data

    def _skip(self, n: int):
        while n:
            part = min(n, len(SKIPPED))
            yield from self._fill([SKIPPED[:part]])
            n -= part

    def _descriptor(self):
        """The one that came with the frame, as a file that closes itself; others are closed."""
        fds, self._fds = self._fds, []
        for fd in fds[1:]:
            os.close(fd)
        return os.fdopen(fds[0], "rb", 0) if fds else None

    def _into_arrays(self, call: Call, kind: int, control: bytes, ndata: int):
        """Read a data section whose tensors are rows of the call's arrays."""
        plan = call.plan
        known = plan.pieces(kind, control, ndata) if plan else None
        if known:
            yield from self._fill_known(call, *known)
            return
        at, pieces, targets, part = 0, [], [], wire.M["Result"].FromString(control)
        for name, start, target in wire.row_views(part, call.views(), ndata) + [(None, ndata, None)]:
            if start - at > MOST_SKIPPED:
                raise ConnectionError("the server sent a result that does not fit the request")
            while at < start:
                pieces.append((None, min(start - at, len(SKIPPED))))
                targets.append(SKIPPED[:pieces[-1][1]])
                at += len(targets[-1])
            if target is not None:
                pieces.append((name, len(target)))
                targets.append(target)
                at += len(target)
        if plan and part.first_row == 0 and part.rows == part.total_rows:
            plan.learn(part, kind, control, ndata, pieces)
        yield from self._fill(targets)
        if part.first_row == call.rows:
            call.rows += part.rows

    def _fill_known(self, call: Call, pieces: tuple, rows: int):
        """Read the data of a known answer. Its rows count when all of it is here, because until then they may be lost."""
        yield from self._fill([SKIPPED[:n] if name is None else memoryview(call.arrays[name]).cast("B") for name, n in pieces])
        call.rows = rows

    def _frames_in(self):
        """Yields after every frame, and within one when nothing has come for a while."""
        while True:
            if self._known_rest:
                (call, item, pieces, rows), self._known_rest = self._known_rest, None
                yield from self._fill_known(call, pieces, rows)
                self._arrived(call, item)
                yield
                continue
            magic, version, flags, kind, request, ncontrol, _, ndata = wire.HEADER.unpack((yield from self._exactly(32)))
            if magic != wire.MAGIC or version != wire.VERSION or ncontrol > MOST_CONTROL:
                raise ConnectionError("the other end does not speak this protocol")
            control = bytes((yield from self._exactly(ncontrol))) if ncontrol else b""
            if request == 0 and kind == wire.ERROR:
                raise errors.received(wire.M["Error"].FromString(control))
            self.leaving |= kind == wire.GO_AWAY
            with self._lock:
                call = self._calls.get(request)
            if call and kind != call.kind and kind not in (wire.PROGRESS, wire.ERROR):
                raise ConnectionError(f"the server sent a reply of type {kind:#x}")
            into, data = call and call.arrays and wire.REPLIES.get(kind & ~wire.REPLY) == "Result", b""
            if into:
                yield from self._into_arrays(call, kind, control, ndata)
            elif not call:
                yield from self._skip(ndata)
            else:
                data = (yield from self._exactly(ndata)) if ndata else b""
            if kind == REGION:
                data = self._descriptor()
            if not flags & wire.MORE:
                with self._lock:
                    self._calls.pop(request, None)
                if call:
                    call.over = True
            if call and not (into and flags & wire.MORE):
                call.frames.put((kind, flags, control, data))
            self._between()
            yield

    # Most answers are one frame that says what the one before it said. If all of it comes at once, it is taken without the generator;
    # otherwise its data is read to where it belongs. This is the time between the end of the work and the return of the call.

    def _between(self) -> None:
        """A frame is over: does more lie ahead?"""
        self._within = len(self._ahead) > 0
        if not self._within:
            self._buffer[0] = 0

    def _begin(self, left: float | None) -> bool:
        """Wait for a frame, at most for so many seconds, and read as much of it as comes at once."""
        if (self._polls or left is not None and left < TICK) and not self._poll.poll(None if left is None else 1e3 * left):
            return False
        try:
            n = self._take([self._buffer], RECEIVE)
        except BlockingIOError:
            return False
        self._ahead, self._within = self._buffer[:n], True
        return True

    def _known(self, call: Call) -> tuple | None:
        """Take the frame that has begun, if it is the answer to this call, of the known form: what arrives at the call. None: not all of it
        was here."""
        taken = call.plan and call.plan.take(call, self._ahead)
        if not taken:
            return None
        item, at, pieces, rows = taken
        if pieces:
            self._ahead, self._known_rest = self._ahead[at:], (call, item, pieces, rows)
            return None
        self._ahead, self._within, self._buffer[0], call.rows = self._ahead[:0], False, 0, rows
        return item

    def _arrived(self, call: Call, item: tuple) -> None:
        """The last frame of an answer is here."""
        with self._lock:
            self._calls.pop(call.request, None)
        call.over = True
        call.frames.put(item)
        self._between()
