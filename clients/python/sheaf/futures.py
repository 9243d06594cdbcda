# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Calls without waiting: `m.submit` returns futures, `m.aio` coroutines.

A future is an ordinary call in a thread of the session, so it is repeated like other calls (retry.py). A thread is started when none is
free, and is used again; threads that wait for a server share one connection.
"""
from __future__ import annotations

import asyncio
import concurrent.futures
import queue
import threading
import weakref
from collections.abc import Callable

from .errors import Unavailable
from .flight import Timing, Watched

MOST = 64    # threads of a session; with a server's defaults, a connection takes fewer requests at a time


class Future(concurrent.futures.Future):
    """The result of a call that was submitted; works with `concurrent.futures.wait` and `as_completed`.

    Do not change arrays that you gave to the call until it is done. `result(timeout)` raises TimeoutError after so many seconds but
    does not stop the call; the call's own `timeout=` stops it.
    """

    def __init__(self):
        super().__init__()
        self._flight, self._running = Watched(), False

    # The base class cancels pending calls only. A call at work can be cancelled, too, so its state stays pending until it is over.

    def cancel(self) -> bool:
        """Stop the call, also when it is at work. True if it will not have a result: `result` raises CancelledError."""
        if not super().cancel():
            return False
        self._flight.cancel()
        return True

    def running(self) -> bool:
        return self._running and not self.done()

    @property
    def timing(self) -> Timing | None:
        """Where the time went (queue, compute, send, in seconds); None until the call is done."""
        return self._flight.timing if self.done() else None

    def _run(self, call: Callable, over: Callable[[], None]) -> None:
        """In a thread of the session: make the call, report that it is over, and keep its result or error."""
        answer = failure = None
        try:
            self._flight.check()
            self._running = True
            answer = call(self._flight)
        except BaseException as e:
            failure = e
        over()
        if not self.set_running_or_notify_cancel():
            return
        if failure is not None:
            self.set_exception(failure)
        else:
            self.set_result(answer)

    def _drop(self, why: Exception) -> None:
        if self.set_running_or_notify_cancel():
            self.set_exception(why)


class Crew:
    """The threads that make the calls of one session."""

    def __init__(self):
        self._tasks: queue.SimpleQueue = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._threads = self._busy = 0     # number of threads; number of calls that were given to them and are not over
        self._closed = False

    def submit(self, call: Callable) -> Future:
        future = Future()
        with self._lock:
            if self._closed:
                raise Unavailable("the session was closed")
            self._busy += 1
            more = self._busy > self._threads and self._threads < MOST
            self._threads += more
            self._tasks.put((future, call))
        if more:
            threading.Thread(target=_work, args=(weakref.ref(self), self._tasks), name="sheaf-call", daemon=True).start()
        return future

    def over(self) -> None:
        with self._lock:
            self._busy -= 1

    def close(self) -> None:
        """Calls that no thread has begun fail; those at work end with the session."""
        with self._lock:
            self._closed = True
            threads = self._threads
        waiting = []
        while not self._tasks.empty():
            waiting.append(self._tasks.get())
        for future, _ in filter(None, waiting):
            future._drop(Unavailable("the session was closed"))
        for _ in range(threads):
            self._tasks.put(None)

    def __del__(self):
        for _ in range(self._threads):
            self._tasks.put(None)


def _work(crew: weakref.ref, tasks: queue.SimpleQueue) -> None:
    def over(owner):
        if owner:
            owner.over()

    while task := tasks.get():
        future, call = task
        future._run(call, lambda: over(crew()))
        task = future = call = None    # drop references, so that the caller can free the result while this thread waits


class Submit:
    """`m.submit.rollout(...)`: every call of the model by its name, with its arguments; returns a Future of the call's result."""

    def __init__(self, model):
        self._model = model

    def __getattr__(self, name: str):
        method = self._model._call_of(name)

        def submit(*args, **fields) -> Future:
            self._model._backend.check_process()
            return self._model._backend.crew.submit(lambda flight: method(self._model._with(flight), *args, **fields))
        return submit

    def __dir__(self):
        return self._model._call_names()


class Aio:
    """`await m.aio.rollout(...)`: every call of the model as a coroutine. Cancelling its task stops the work."""

    def __init__(self, model):
        self._model = model

    def __getattr__(self, name: str):
        submit = getattr(Submit(self._model), name)

        async def call(*args, **fields):
            return await asyncio.wrap_future(submit(*args, **fields))
        return call

    def __dir__(self):
        return self._model._call_names()
