# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""The conditions of a call: its timeout and priority, how other threads may stop it, and where its time went."""
from __future__ import annotations

import contextlib
import dataclasses
import threading
import time
from collections.abc import Callable
from numbers import Real

from .errors import Cancelled, InvalidArgument

PRIORITIES = (-1, 0, 1)
LONGEST = 1e9    # seconds that a call waits: thirty years, which clocks of systems can add to the time of day
_NOTHING = contextlib.nullcontext()


def seconds(timeout: float | None) -> float | None:
    """A timeout that a caller gave; InvalidArgument if it is none."""
    if timeout is None:
        return None
    if not isinstance(timeout, Real) or not timeout > 0:
        raise InvalidArgument("a call needs time", field="timeout", expected="seconds, more than 0", got=repr(timeout))
    return min(timeout, LONGEST)


@dataclasses.dataclass(frozen=True)
class Timing:
    """Where the time of a call went, in seconds."""
    queue: float      # from its arrival to the start of work
    compute: float    # from the start of work to its end
    send: float       # the rest: both ways between caller and workers, connections and repetitions


class Flight:
    """A call that its own thread waits for; no other thread can stop it."""
    timing: Timing | None = None
    watched = False                 # the timing is wanted

    timeout: float | None = None    # seconds; None: the session's
    priority = 0
    partial = False                 # at the timeout, rows that are done are the result

    def ask(self, timeout: float | None, priority: int, partial: bool = False) -> None:
        """Set the conditions; InvalidArgument if they are wrong."""
        self.partial = bool(partial)
        if timeout is None and not priority:
            return
        if priority not in PRIORITIES:
            raise InvalidArgument("no such priority", field="priority", expected="-1, 0 or 1", got=str(priority))
        self.timeout, self.priority = seconds(timeout), int(priority)

    def check(self) -> None:
        """Raise Cancelled if the call was cancelled."""

    def pause(self, seconds: float) -> None:
        time.sleep(seconds)

    def stops(self, stop: Callable[[], None]):
        """In this context, cancelling the call calls stop(), which ends the work."""
        return _NOTHING


class Watched(Flight):
    """A call that another thread may stop."""
    watched = True

    def __init__(self):
        self._cancelled, self._lock = threading.Event(), threading.Lock()
        self._stop: Callable[[], None] | None = None

    def cancel(self) -> None:
        with self._lock:
            self._cancelled.set()
            if self._stop:
                self._stop()

    def check(self) -> None:
        if self._cancelled.is_set():
            raise Cancelled("the call was cancelled")

    def pause(self, seconds: float) -> None:
        self._cancelled.wait(seconds)
        self.check()

    @contextlib.contextmanager
    def stops(self, stop: Callable[[], None]):
        with self._lock:
            self._stop = stop
            if self._cancelled.is_set():
                stop()
        try:
            yield
        finally:
            with self._lock:
                self._stop = None
