# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Asking again. Every request is a pure function of model, inputs and options, so a repeated one has the same answer."""
from __future__ import annotations

import copy
import dataclasses
import random
import time

from .errors import DeadlineExceeded, Error
from .flight import Flight

# the system's generator: programs that seed their own alike would all come back at the same moment
_random = random.SystemRandom()


@dataclasses.dataclass(frozen=True)
class Retry:
    """When calls are repeated: after a lost connection, and after errors that the server calls retriable.

    A call's timeout ends it in any case. The waits between attempts are `first`, 2 first, 4 first, ... seconds, at most `most`, each
    shortened by up to half at random; a wait is never shorter than the server asks for.
    """
    patience: float = 60.0    # seconds without a server that takes the request, before a call gives up; 0: never repeat
    first: float = 0.05       # seconds of the first wait
    most: float = 2.0         # seconds of the longest wait
    losses: int = 10          # a call gives up when so many servers were lost while at work on it, because it may be the cause


class Attempts:
    """The attempts of one call: how long it may still take, and what to do after a failure."""
    deadline = _failing = _last = None
    _count = _losses = _round = 0

    def __init__(self, policy: Retry, timeout: float | None, flight: Flight | None = None):
        self._policy, self._timeout, self._flight = policy, timeout, flight or Flight()
        self._began = time.monotonic()
        if timeout is not None:
            self.deadline = self._began + timeout

    def left(self, most: float | None = None) -> float | None:
        """Seconds until the call's deadline, at most `most`; None: no limit."""
        if self.deadline is None:
            return most
        rest = max(0.0, self.deadline - time.monotonic())
        return rest if most is None else min(rest, most)

    def check(self) -> None:
        """Raise Cancelled if the call was cancelled."""
        self._flight.check()

    def failed(self, error: Error, repeat: bool, taken: bool = False) -> None:
        """Sleep until the next attempt, or raise the error.

        repeat   the request may succeed later
        taken    the server was at work on the request when the connection was lost
        """
        now = time.monotonic()
        self._count += 1
        self._last = error
        if taken:
            self._losses += 1
            self._failing, self._round = None, 0
        if self._failing is None:
            self._failing = now
        delay = self._delay(error)
        if not repeat or self._losses >= self._policy.losses or now + delay > self._failing + self._policy.patience:
            self._give_up(error, now)
        if self.deadline is not None and now + delay >= self.deadline:
            raise self.over(error) from error
        self._flight.pause(delay)

    def over(self, reason: Error) -> DeadlineExceeded:
        """The error of a call whose deadline has passed; it names the last failure."""
        if self._timeout is None:
            return reason
        text = f"no answer within {self._timeout:g} s: {reason}"
        if self._last not in (None, reason):
            text += f"; the last of {self._count} failures: {self._last}"
        return DeadlineExceeded(text)

    def _delay(self, error: Error) -> float:
        step = min(self._policy.most, self._policy.first * 2 ** min(self._round, 30))
        self._round += 1
        return max(step * _random.uniform(0.5, 1.0), error.retry_after * _random.uniform(1.0, 1.25))

    def _give_up(self, error: Error, now: float) -> None:
        if self._count > 1:
            error = copy.copy(error)    # other calls may have the same one
            error.message += f" (gave up after {self._count} attempts in {now - self._began:.1f} s)"
        raise error
