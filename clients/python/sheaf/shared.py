# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Arrays in memory that a server on the same host reads and writes, so that their numbers are not sent.

A region serves one request at a time. When the last array of its result has been freed, it serves another request.
"""
from __future__ import annotations

import collections
import contextlib
import math
import mmap
import time
import weakref

import numpy as np

from . import errors, wire
from .asked import Asked
from .table import Request

LEAST, MOST = 1 << 15, 64 << 20    # bytes: what is smaller is faster when sent; the server shares no larger regions
SMALLEST = 1 << 18                 # bytes of the smallest region
KEPT = 4                           # free regions that are kept for further results
PAUSE = 5.0                        # seconds before asking again, after a server had no memory to share


class Layout:
    """Where arrays of a request lie in a region: first those of its result that have no other place, then its inputs."""

    def __init__(self, asked: Asked, given: dict[str, np.ndarray]):
        """Either kind of array is left out if there is not enough of it to be worth it."""
        results = {name: (w.shape, w.dtype) for name, w in asked.want.items() if name not in asked.places}
        self.results, size = self._lie(results, 0, LEAST)
        inputs = {name: (a.shape, a.dtype) for name, a in given.items() if self._may_lie(asked.request, name)}
        self.inputs, self.bytes = self._lie(inputs, size, 1 if size else LEAST)
        self.places = tuple((name, at) for name, _, _, at in self.results)
        lying, always = {name for name, *_ in self.results}, (name for name, _ in asked.request.always)
        self.apart = tuple(name for name in (*asked.want, *always) if name not in lying)    # results that do not lie in it
        self.input_places = {name: at for name, _, _, at in self.inputs}

    @staticmethod
    def _may_lie(request: Request, name: str) -> bool:
        """Numbers that the server checks, and seeds of samples, are sent, because nobody may change them afterwards."""
        f = request.field(name)
        return f is not None and f.type == "f64" and request.field("nsample") is None

    @staticmethod
    def _lie(arrays: dict, first: int, least: int) -> tuple[tuple, int]:
        """name, shape, dtype and offset of each array behind `first`, and where they end."""
        end, lie = first, []
        for name, (shape, dtype) in arrays.items():
            size = dtype.itemsize * math.prod(shape)
            if size:
                lie.append((name, shape, dtype, end))
                end += size + -size % 64
        return (tuple(lie), end) if end - first >= least and end <= MOST else ((), first)


class Region:
    def __init__(self, number: int, memory: mmap.mmap, inputs: bool):
        self.number, self.memory, self.bytes = number, memory, len(memory)
        self.takes_inputs = inputs    # the server is not an older one, which knows results alone
        self.call = None              # the last call that uses it
        self.watch = None             # of the memory of its arrays
        self._layout, self._inputs = None, ()

    def put(self, layout: Layout, given: dict[str, np.ndarray]) -> None:
        """Copy the inputs of a request to where they lie."""
        if self._layout is not layout:
            self._layout = layout
            self._inputs = [(name, np.ndarray(shape, dtype, self.memory, at)) for name, shape, dtype, at in layout.inputs]
        for name, to in self._inputs:
            to[...] = given[name]


class Placed:
    """Arrays of a request in one region."""

    def __init__(self, connection, region: Region, layout: Layout):
        self.connection, self.region, self.places = connection, region, layout.places
        self.inputs = layout.input_places if region.takes_inputs else {}
        self._whole = whole = np.frombuffer(region.memory, np.uint8)
        self.arrays = {name: np.ndarray(shape, dtype, whole, at) for name, shape, dtype, at in layout.results}
        self._layout = layout

    def inputs_as_arrays(self) -> dict[str, np.ndarray]:
        """What the server reads, for programs that write their inputs there."""
        return {name: np.ndarray(shape, dtype, self._whole, at) for name, shape, dtype, at in self._layout.inputs if name in self.inputs}


class Regions:
    """The regions of one connection."""

    def __init__(self, used):
        self._connection, self._not_before = used, 0.0
        # deques, because arrays may be freed at any moment, and appending to a deque needs no lock
        self._free: collections.deque[Region] = collections.deque()
        self._spoiled: collections.deque[Region] = collections.deque()    # the server may still write into these
        self._lent: dict[int, Region] = {}

    def place(self, layout: Layout, given: dict[str, np.ndarray], deadline: float | None) -> Placed | None:
        """Arrays that lie like this, of which the inputs are copied from `given`; None if all have to be sent."""
        region = self._take(layout.bytes, deadline) if layout.bytes else None
        if region is None:
            return None
        placed = Placed(self._connection, region, layout)
        self._lent[region.number] = region
        region.watch = weakref.ref(placed._whole, lambda _: self._give_back(region))
        if placed.inputs:
            region.put(layout, given)
        return placed

    def _give_back(self, region: Region) -> None:
        self._lent.pop(region.number, None)
        (self._free if region.call is None or region.call.over else self._spoiled).append(region)

    def _take(self, size: int, deadline: float | None) -> Region | None:
        try:
            while self._spoiled:
                self._close(self._spoiled.popleft())
            for _ in range(len(self._free)):
                region = self._free.popleft()
                if size <= region.bytes <= max(SMALLEST, 4 * size):
                    return region
                if len(self._free) < KEPT:
                    self._free.append(region)
                else:
                    self._close(region)
        except IndexError:
            pass    # another thread has taken the last one
        if time.monotonic() < self._not_before:
            return None
        try:
            return self._make(max(SMALLEST, 1 << (size - 1).bit_length()), deadline)
        except (errors.ResourceExhausted, errors.FailedPrecondition, errors.Unimplemented, OSError) as e:
            if isinstance(e, errors.Unavailable):
                raise
            self._not_before = time.monotonic() + PAUSE if getattr(e, "retriable", True) else math.inf
            return None

    def _make(self, size: int, deadline: float | None) -> Region:
        reply, file = self._connection.ask("Region", wire.M["Region"](bytes=size), deadline=deadline)
        if not file:
            raise errors.FailedPrecondition("no descriptor came")
        with file:
            # populate the pages now, so that they are not faulted in one by one while workers write
            flags = mmap.MAP_SHARED | getattr(mmap, "MAP_POPULATE", 0)
            return Region(reply.region, mmap.mmap(file.fileno(), reply.bytes, flags), reply.inputs)

    def _close(self, region: Region) -> None:
        """Tell the server that it may free the region, without waiting for the answer."""
        with contextlib.suppress(errors.Error):
            self._connection.start("RegionClose", wire.M["RegionClose"](region=region.number))
