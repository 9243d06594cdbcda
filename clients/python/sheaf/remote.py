# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""A session with a server at the other end of a socket. It opens a new connection when the last was lost.

A session can begin again with a new server: it keeps the files of its models, to upload them again, and every compute request
may be repeated (retry.py). It does not ask again for rows that came before a connection was lost.
"""
from __future__ import annotations

import contextlib
import os
import ssl
import threading
import time
from collections.abc import Callable

import numpy as np

from . import connection, errors, wire
from .answer import Call
from .asked import Asked
from .calls import places
from .codes import Row
from .files import content_hash
from .flight import Flight, Timing
from .form import Form
from .fork import Forked
from .futures import Crew
from .elements import COLUMNS
from .info import ARRAYS, Info, LoadedModel
from .retry import Attempts, Retry

ANSWER_TIME = 5.0  # seconds in which rows of a stopped call come
NO_RETRY = Retry(patience=0)


class Remote(Forked):
    def __init__(self, address: str, token: str | None = None, timeout: float | None = None, retry: Retry | bool = True,
                 rules: ssl.SSLContext | None = None):
        self._address, self._token, self._timeout, self._rules = address, token, timeout, rules
        self._retry = (Retry() if retry else NO_RETRY) if isinstance(retry, bool) else retry
        super().__init__()
        self._lock = threading.RLock()    # it knows whether a thread that was interrupted has it
        self._closed, self.crew = False, Crew()
        self.trace: str | Callable[[], str] | None = None
        self._loading = threading.Lock()    # of the next two
        self._loads: dict[bytes, int] = {}
        self._files: dict[bytes, tuple[str, dict[str, bytes]]] = {}
        self._connection: connection.Connection | None = None
        self._key = os.urandom(16)    # by which the server knows a connection that this one replaces
        self.where = address
        attempts = Attempts(self._retry, timeout)
        while self._connection is None:
            try:
                self._use(attempts)
            except errors.Error as e:
                # try again only if the server asks for it (it is full, say): an address where no server listens is probably a mistake
                attempts.failed(e, repeat=e.retriable and e.retry_after > 0)

    # ---- connections

    def _use(self, attempts: Attempts) -> connection.Connection:
        """The connection; a new one if the last was lost or its server is shutting down."""
        self.check_process()
        now = self._connection
        if now and not (now.failure or now.leaving or self._closed):
            return now
        left = attempts.left(connection.CONNECT_TIMEOUT)
        try:
            if not self._lock.acquire(timeout=left):
                raise errors.DeadlineExceeded("another call was still connecting")
            now = self._connection
            if self._closed:
                raise errors.Unavailable("the session was closed")
            if now and (self._retry.patience <= 0 or not (now.failure or now.leaving)):
                return now
            if now:
                now.retire()
            if now and not now.failure:
                self._key = os.urandom(16)    # the server still answers what is in flight there
            self._connection = connection.Connection(
                self._address, self._token, max(0.001, attempts.left(connection.CONNECT_TIMEOUT)), self._rules, self._key)
            if self._closed:
                self._connection.close()
            return self._connection
        finally:
            if self._lock._is_owned():
                self._lock.release()

    def _once(self, name: str, message):
        """Ask without waiting for a server. Where the connection was lost while nobody used it, on a new one."""
        attempts, held = Attempts(self._retry, self._timeout), self._connection
        used = self._use(attempts)
        try:
            return used.ask(name, message, deadline=attempts.deadline)[0]
        except errors.Unavailable as e:
            if used is not held or e is not used.failure or self._closed or self._retry.patience <= 0:
                raise
        return self._use(attempts).ask(name, message, deadline=attempts.deadline)[0]

    def _repeat(self, ask, model: bytes = b"", attempts: Attempts | None = None):
        """The result of ask(connection, attempts), repeated after failures that may pass. model: hash of the model it needs."""
        attempts, put = attempts or Attempts(self._retry, self._timeout), False
        while True:
            used = None
            attempts.check()
            try:
                used = self._use(attempts)
                result = ask(used, attempts)
                if used.leaving and self._retry.patience > 0:
                    used.retire()    # its server waits for its clients to leave
                return result
            except errors.DeadlineExceeded as e:
                raise attempts.over(e) from e
            except errors.NotFound as e:
                # the server has forgotten the model, or is a new one
                if e.field != "model" or model not in self._files:
                    raise
                if put:
                    attempts.failed(e, repeat=True)
                self._repeat(lambda c, a: self._put(c, a, model), attempts=attempts)
                put = True
            except errors.Error as e:
                attempts.failed(e, repeat=e.retriable and not self._closed, taken=used is not None and e is used.failure and not used.leaving)

    # ---- what a session needs

    def load(self, main: str, files: dict[str, bytes]) -> Info:
        h = content_hash(main, files)
        with self._loading:
            self._loads[h] = self._loads.get(h, 0) + 1
            self._files[h] = (main, files)

        def ask(used, attempts):
            try:
                return self._info(used, *used.ask("ModelInfo", wire.M["ModelInfo"](hash=h), deadline=attempts.deadline))
            except errors.NotFound:
                return self._put(used, attempts, h)
        try:
            return self._repeat(ask)
        except BaseException:
            self._let_go(h)
            raise

    def _let_go(self, h: bytes) -> bool:
        """One holder of a model less. Was it the last?"""
        with self._loading:
            self._loads[h] = self._loads.get(h, 1) - 1
            if self._loads[h] > 0:
                return False
            del self._loads[h]
            self._files.pop(h, None)
            return True

    def unload(self, info: Info) -> None:
        """One holder less; without any the server forgets the model, if it can be asked."""
        if self._let_go(info.hash) and not self._closed and not self.forked:
            with contextlib.suppress(errors.Error):
                self._once("ModelUnload", wire.M["ModelUnload"](hash=info.hash))

    def models(self) -> list[LoadedModel]:
        r = self._once("ModelList", wire.M["ModelList"]())
        return [LoadedModel(m.hash.hex(), m.name, m.bytes, m.worker_bytes, m.inflight, m.shared) for m in r.models]

    def _put(self, used: connection.Connection, attempts: Attempts, h: bytes) -> Info:
        main, files = self._files[h]
        put = wire.M["ModelPut"](hash=h, main=main, traceparent=self._traceparent())
        pieces, offset = [], 0
        for name, data in files.items():
            gap = -offset % 64
            put.files.add(name=name, offset=offset + gap, size=len(data))
            pieces += [bytes(gap), data]
            offset += gap + len(data)
        return self._info(used, *used.ask("ModelPut", put, pieces, deadline=attempts.deadline))

    def _info(self, used: connection.Connection, reply, data) -> Info:
        try:
            return self._info_of(reply, data)
        except (ValueError, IndexError, TypeError, OverflowError, MemoryError, ConnectionError) as e:
            used.broken(f"the server has described a model that cannot be: {e}")

    @staticmethod
    def _info_of(r, data) -> Info:
        sizes = {n: getattr(r, n) for n in ("nq", "nv", "nu", "na", "nbody", "njnt", "ngeom", "nsite", "nsensor", "nsensordata",
                                            "nmocap", "nkey", "neq", "ntendon", "nuserdata", "nstate", "ndx")}
        came = {t.name: wire.tensor(t, data).copy() for t in r.tensors}
        params = {p.name: came.get(p.name, np.zeros(0)).reshape(tuple(p.shape)) for p in r.params}
        arrays = {n: came[n] if n in came else np.zeros(shape(sizes)) for n, shape in ARRAYS.items()}
        return Info(r.hash, sizes, r.timestep, r.integrator, r.lanes, arrays,
                    r.name, dict.fromkeys(COLUMNS, []) | {t.kind: list(t.name) for t in r.tables},
                    {t.kind: {c: np.array(getattr(t, c), np.int32) for c in COLUMNS.get(t.kind, ())} for t in r.tables},
                    {o.name: tuple(o.shape) for o in r.outputs}, params)

    def _ask_names(self, info: Info, **names):
        def ask(used, attempts):
            question = wire.M["ModelInfo"](hash=info.hash, **names)
            try:
                reply, _ = used.ask("ModelInfo", question, deadline=attempts.deadline)
            except errors.NotFound:
                self._put(used, attempts, info.hash)
                reply, _ = used.ask("ModelInfo", question, deadline=attempts.deadline)
            if any(len(getattr(reply, name)) != len(asked) for name, asked in names.items() if isinstance(asked, list)):
                used.broken("the server has not answered what it was asked")
            return reply
        return self._repeat(ask)

    def output_shape(self, info: Info, name: str) -> tuple[int, ...]:
        return tuple(self._ask_names(info, outputs=[name]).outputs[0].shape)

    def cost_elements(self, info: Info, of: str) -> tuple[int, int, int]:
        at = self._ask_names(info, costs=[of]).costs[0]
        return at.source, at.first, at.count

    def columns_of(self, info: Info, request: Request, name: str) -> list[int]:
        return list(self._ask_names(info, columns=[name], columns_of=wire.TYPES[request.message]).columns[0].number)

    def run(self, info: Info, asked: Asked, given: dict, progress, flight: Flight, at: dict) -> dict:
        out, placed = {}, None    # arrays of the result; what of the request lies in shared memory
        here = 0                  # how many rows have come
        timeout = self._timeout if flight.timeout is None else flight.timeout
        began, last = time.monotonic(), b""
        nbatch, request, form = asked.nbatch, asked.request, self.form(info, asked, given)
        manner = (timeout, flight.priority, flight.partial, progress is not None, self._traceparent() if self.trace else "")

        def report(done, total):
            rest = nbatch - here
            progress(done + here * total // rest, nbatch * total // rest)

        def ask(used, attempts):
            nonlocal here, placed, last
            if not out:
                placed = used.regions and used.regions.place(form.layout, given, attempts.deadline)
                out.update(places(request, nbatch, asked.want, at | placed.arrays if placed else at))
                if flight.partial:
                    out["status"][:] = Row.CANCELLED    # rows that do not come
            in_place = placed if placed and placed.connection is used else None
            now, rows = (form, given) if not here else self._rest(info, asked, given, here)
            arrays = {k: out[k] for k in form.layout.apart} if in_place else out
            call = Call({k: a[here:] for k, a in arrays.items()} if here else arrays, now.plan)

            def send(call):
                used.start(request.message, now.control(in_place, manner), now.pieces(rows, in_place), call, attempts.deadline)
            if in_place:
                in_place.region.call = call
            try:
                with used.slot(attempts.left()):
                    if flight.watched or progress:
                        send(call)
                        with flight.stops(lambda: used.stop(call)):
                            for _, last, _ in used.frames(call, attempts.deadline, report if progress else None):
                                pass
                    else:
                        last = used.result(send, call, attempts.deadline)
            except errors.Unavailable:
                # after an Error the parts that came are void; after a lost connection they are rows of the result and are kept
                here += min(call.rows, nbatch - here - 1) if used.failure else 0
                raise

        # the server stops at the timeout; what is done by then takes a while to come
        patience = timeout + ANSWER_TIME if flight.partial and timeout is not None else timeout
        self._repeat(ask, info.hash, Attempts(self._retry, patience, flight))
        if flight.watched:
            t = self._connection.parsed("Result", last).timing
            queue, compute = 1e-6 * t.queue_us, 1e-6 * t.compute_us
            flight.timing = Timing(queue, compute, max(0.0, time.monotonic() - began - queue - compute))
        return out

    @staticmethod
    def form(info: Info, asked: Asked, given: dict) -> Form:
        """The messages of such calls."""
        if asked.made is None:
            asked.made = Form(info, asked, given)
        return asked.made

    @staticmethod
    def _rest(info: Info, asked: Asked, given: dict, here: int) -> tuple[Form, dict]:
        """The form and the inputs of a request for the rows that have not come."""
        rest = {k: v[here:] if len(v) == asked.nbatch else v for k, v in given.items()}
        return Form(info, Asked(asked.request, asked.nbatch - here, asked.options, asked.want, asked.places), rest), rest

    def _traceparent(self) -> str:
        return (self.trace() if callable(self.trace) else self.trace) or ""

    def info(self) -> dict:
        r = self._once("ServerInfo", wire.M["ServerInfo"]())
        return {f.name: getattr(r, f.name) for f in r.DESCRIPTOR.fields if f.name != "limits"}

    def ping(self) -> float:
        t = time.perf_counter()
        self._once("Ping", wire.M["Ping"](payload=b"ping"))
        return time.perf_counter() - t

    def close(self) -> None:
        self._closed = True
        if self.forked:
            return      # the connection is the other process's
        self.crew.close()
        if self._connection:
            self._connection.close()
