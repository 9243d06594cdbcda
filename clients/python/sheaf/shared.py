# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Result arrays in memory that a server on the same host writes into, so that their numbers are not sent.

A region serves the arrays of one result at a time. When the last of these arrays has been freed, it serves another result.
"""
from __future__ import annotations

import collections
import contextlib
import dataclasses
import math
import mmap
import time
import weakref

import numpy as np

from . import errors, wire

LEAST, MOST = 1 << 15, 64 << 20    # bytes of a result: smaller ones are faster when sent; the server shares no larger regions
SMALLEST = 1 << 18                 # bytes of the smallest region
KEPT = 4                           # free regions that are kept for further results
PAUSE = 5.0                        # seconds before asking again, after a server had no memory to share


@dataclasses.dataclass(eq=False)
class Region:
    number: int
    memory: mmap.mmap
    call: object = None    # the last call whose results go here


@dataclasses.dataclass
class Placed:
    """Arrays of numbers in one region."""
    connection: object
    region: Region
    arrays: dict[str, np.ndarray]
    places: tuple[tuple[str, int], ...]    # name, offset


class Regions:
    """The regions of one connection."""

    def __init__(self, used):
        self._connection, self._not_before = used, 0.0
        # deques, because arrays may be freed at any moment, and appending to a deque needs no lock
        self._free: collections.deque[Region] = collections.deque()
        self._spoiled: collections.deque[Region] = collections.deque()    # the server may still write into these

    def place(self, wanted: dict, deadline: float | None) -> Placed | None:
        """Arrays like these (calls.Wanted), or None if they have to be sent."""
        end, places = 0, []
        for name, w in wanted.items():
            size = w.dtype.itemsize * math.prod(w.shape)
            if size:
                places.append((name, w, end))
                end += size + -size % 64
        region = self._take(end, deadline) if LEAST <= end <= MOST else None
        if region is None:
            return None
        whole = np.frombuffer(region.memory, np.uint8)
        arrays = {name: np.ndarray(w.shape, w.dtype, whole, at) for name, w, at in places}
        weakref.finalize(whole, self._give_back, region).atexit = False
        return Placed(self._connection, region, arrays, tuple((name, at) for name, _, at in places))

    def _give_back(self, region: Region) -> None:
        (self._free if region.call is None or region.call.over else self._spoiled).append(region)

    def _take(self, size: int, deadline: float | None) -> Region | None:
        with contextlib.suppress(IndexError):
            while self._spoiled:
                self._close(self._spoiled.popleft())
            for _ in range(len(self._free)):
                region = self._free.popleft()
                if size <= len(region.memory) <= max(SMALLEST, 4 * size):
                    return region
                if len(self._free) < KEPT:
                    self._free.append(region)
                else:
                    self._close(region)
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
            return Region(reply.region, mmap.mmap(file.fileno(), reply.bytes, flags))

    def _close(self, region: Region) -> None:
        """Tell the server that it may free the region, without waiting for the answer."""
        with contextlib.suppress(errors.Error):
            self._connection.start("RegionClose", wire.M["RegionClose"](region=region.number))
