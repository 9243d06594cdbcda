# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""A request in flight, and where the data of its answer goes."""
from __future__ import annotations

import queue
import struct

import numpy as np

from . import wire

HEADER = wire.HEADER.size
BEGUN = struct.Struct("<QQIIQ")    # the same fields; those before the number of the request, the last of them its kind, as one
TIMING = bytes([wire.M["Result"].DESCRIPTOR.fields_by_name["timing"].number << 3 | 2])    # how it begins in a message


class Call:
    """A request in flight: frames of its answer arrive in a queue.

    A call that has `arrays` gets the rows of its results read straight into them; of their frames only the last arrives here.
    """

    request = 0    # id on its connection; 0: not sent
    kind = 0       # type of the frames of its answer
    rows = 0       # how many rows of the arrays are here
    waits = False  # a thread takes from `frames`, or will
    at_once = False    # it waits as soon as the request is sent
    reads = False  # it is the reader
    over = False   # the last frame of the answer has come
    _views: dict | None = None

    def __init__(self, arrays: dict[str, np.ndarray] | None = None, plan: Plan | None = None):
        self.arrays, self.frames = arrays, queue.SimpleQueue()
        self.plan = plan    # of calls with such answers

    def views(self) -> dict:
        if self._views is None:
            self._views = wire.rows_of(self.arrays)
        return self._views


class Plan:
    """Where the data of an answer goes that came in one part. Another answer that says the same, but for its timing, has it there, too.

    Several threads may use a plan: what it says is replaced as a whole.
    """

    def __init__(self):
        self._known = None    # what header (a number) and message begin with, bytes of data, their pieces, rows, where arrays begin and end

    def pieces(self, kind: int, control: bytes, ndata: int) -> tuple | None:
        """The name of an array, or None, and the number of bytes of each piece of the data, and the number of rows; None: not known."""
        known = self._known
        if known is None or kind != known[0] >> 48 or ndata != known[2] or not control.startswith(known[1]):
            return None
        return known[3:5]

    def learn(self, part, kind: int, control: bytes, ndata: int, pieces: list) -> None:
        part.ClearField("timing")    # the last field, and the only one that changes
        said = part.SerializeToString()
        if part.stopped == 0 and control.startswith(said + TIMING):
            places, at = [], 0
            for name, n in pieces:
                if name is not None:
                    places.append((name, at, at + n))
                at += n
            head = BEGUN.unpack(wire.HEADER.pack(wire.MAGIC, wire.VERSION, 0, kind, 0, 0, 0, 0))[0]
            self._known = head, said + TIMING, ndata, tuple(pieces), part.rows, tuple(places)

    def take(self, call: Call, begun: memoryview) -> tuple | None:
        """If these bytes begin the answer to a call, and a known one: what arrives at the call, where the data begins, `pieces` of the
        data that are to be read from there, and the number of rows. If all is here, it goes to the arrays, and no pieces are left."""
        known = self._known
        if known is None or len(begun) < HEADER:
            return None
        head, said, ndata, pieces, rows, places = known
        begins, request, ncontrol, _, nbytes = BEGUN.unpack_from(begun)
        if begins != head or request != call.request or nbytes != ndata:
            return None
        at = HEADER + ncontrol
        left = at + ndata - len(begun)
        if not 0 <= left <= ndata:
            return None
        control = bytes(begun[HEADER:at])
        if not control.startswith(said):
            return None
        if not left:
            data, pieces = begun[at:], ()
            for name, start, end in places:
                memoryview(call.arrays[name]).cast("B")[:] = data[start:end]
        return (head >> 48, 0, control, b""), at, pieces, rows
