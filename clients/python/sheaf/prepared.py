# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Rollouts that a program makes again and again with arrays of the same size: checks, messages and arrays are made once."""
from __future__ import annotations

import contextlib
import ctypes as C
import threading
import time

import numpy as np

from . import answer, connection, embedded, errors, wire
from .asked import Asked
from .calls import PARAM, Call, batch, number
from .flight import Flight
from .info import CTRL
from .result import RolloutResult, accelerations
from .table import REQUESTS

ROLLOUT = REQUESTS["rollout"]
ROLLOUT_REPLY = wire.TYPES[ROLLOUT.message] | wire.REPLY
OWN = ("state", "sensordata", "final_warmstart")    # of every result, unless only others are wanted


class Prepared:
    """What `Model.prepare` returns: `state, sensordata = step(x0, u)`.

    As in a rollout, row t of `state` is the state after step t, and sensordata and most outputs are what that step computed, of the
    state that it began from. Each call writes into the same arrays, which belong to this object: copy what is needed after the next call. The arrays are others
    after a call was given up or the connection to a server was lost. One thread at a time may call it.
    """

    def __init__(self, m, nbatch: int, outputs, only: bool, timeout: float | None, params: dict | None, warmstart,
                 options: dict):
        nstep, hold = options["nstep"], options["hold"]
        if nbatch < 1 or nstep < 1 or hold < 1:
            raise errors.InvalidArgument("nothing to do", field="nbatch, nstep, hold", expected="1 or more", got=f"{nbatch}, {nstep}, {hold}")
        self._model, self._backend, self._info = m, m._backend, m.info_
        self._flight, self._lock = Flight(), threading.Lock()
        self._flight.ask(timeout, 0)
        self._options = {name: number(ROLLOUT, ROLLOUT.field(name), value) for name, value in options.items()}
        control_spec = self._options["control_spec"]
        ncontrol, ncontrolstep = m.info_.control_sizes(control_spec), -(-nstep // hold)
        self._given = {"state0": np.repeat(m.state0[None], nbatch, axis=0), "warmstart0": np.zeros((nbatch, m.nv))}
        if ncontrol:
            self._given["control"] = np.zeros((nbatch, ncontrolstep, ncontrol))
        call = Call(m.info_, "rollout")
        call.options = self._options
        call.take({"params": params, "warmstart": accelerations(warmstart)})
        batch(self._given | call.given)
        self._given |= {name: a.copy() for name, a in call.given.items()}
        names = [outputs] if isinstance(outputs, str) else list(outputs)
        if only and not names:
            raise errors.InvalidArgument("nothing to do", field="outputs", expected="names of what is wanted alone", got="none")
        # the last row of states is the final state, unless rows are left out or rounded
        self._ends = self._options["every"] in (1, -1) and self._options["dtype"] == 8
        own = () if only else OWN if self._ends else (*OWN, "final_state")
        self._asked = Asked(ROLLOUT, nbatch, self._options, m._want(call, [*own, *names], nbatch))
        self._status = {name: np.zeros(nbatch, np.int32) for name in ("status", "badstep")}
        self._names = names
        self._begin()

    def _begin(self) -> None:
        self._make()
        self._x, self._warm, self._u = (self._given.get(name) for name in ("state0", "warmstart0", "control"))
        out = self._out
        state, end = out.get("state"), out.get("final_state")
        if end is None and state is not None and self._ends:
            end = state[:, -1]
        self._result = RolloutResult(state, out.get("sensordata"), **self._status, outputs={name: out[name] for name in self._names},
                                     final_state=end, final_warmstart=out.get("final_warmstart"))

    def _make(self) -> None:
        """Make self._out, the arrays of results, and say where inputs are to be written, self._given."""
        raise NotImplementedError

    def _run(self) -> None:
        raise NotImplementedError

    @property
    def warmstart(self) -> np.ndarray | None:
        """The array of warmstart=, (nbatch or 1, rows, nv): what a program writes into it counts from the next call on."""
        return self._given.get("warmstart")

    @property
    def params(self) -> dict[str, np.ndarray]:
        """The arrays of params=, (nbatch or 1, ...) by name: what a program writes into them counts from the next call on."""
        return {name.removeprefix(PARAM): a for name, a in self._given.items() if name.startswith(PARAM)}

    def __call__(self, initial_state=None, control=None, initial_warmstart=None) -> RolloutResult:
        """Simulate.

        initial_state      (nstate,) or (nbatch, nstate). None: those of the last call, at first the model's
        control            (nbatch, rows, ncontrol), or what numpy broadcasts to that; for one row of controls also (nbatch, ncontrol).
                           rows: nstep / hold, rounded up. None: those of the last call, at first zero
        initial_warmstart  (nbatch, nv); None: zero. The result's final_warmstart goes on from where it ended
        """
        with self._lock:
            try:
                field, place, value = "initial_state", self._x, initial_state
                if value is not None:
                    place[:] = value
                field, place, value = "control", self._u, control
                if value is not None:
                    if place is None:
                        raise errors.InvalidArgument("the model has no controls", field=field, expected="None", got=str(np.shape(value)))
                    u = np.asarray(value)
                    place[:] = u[:, None] if u.ndim == 2 and place.shape[1] == 1 else u
                field, place, value = "initial_warmstart", self._warm, initial_warmstart
                place[:] = 0 if value is None else value
            except (TypeError, ValueError) as e:
                if isinstance(e, errors.Error):
                    raise
                raise errors.InvalidArgument(f"wrong shape: {e}", field=field, expected=str(place.shape),
                                             got=str(getattr(value, "shape", type(value).__name__))) from None
            self._model._check_open()
            self._run()
            return self._result


class Here(Prepared):
    """In this process: one struct of the engine, with the addresses of the arrays."""

    def _make(self) -> None:
        self._out = {name: w.make() for name, w in self._asked.want.items()}
        struct = embedded._STRUCTS["rollout"]
        self._request = r = struct(size=C.sizeof(struct), nbatch=len(self._given["state0"]), **self._options)
        self._alive = self._backend._set_inputs(r, self._given, ROLLOUT)
        named = []
        for name, a in (self._out | self._status).items():
            if ROLLOUT.field(name):
                setattr(r, name, a.ctypes.data if a.size else None)
            elif a.size:
                named.append(embedded._Output(name.encode(), a.ctypes.data))
        if named:
            self._table = (embedded._Output * len(named))(*named)
            r.output, r.noutput = C.addressof(self._table), len(named)

    def _run(self) -> None:
        self._backend._call(ROLLOUT.number, self._info, self._request, self._flight)


class There(Prepared):
    """On a server: one frame, of which each call changes the numbers. What goes wrong is left to an ordinary call, which repeats it.

    On a Unix socket the arrays lie in memory shared with the server, where there is enough of them, until the connection is lost.
    """

    def _make(self) -> None:
        self._form = self._backend.form(self._info, self._asked, self._given)
        used, self._placed = self._backend._connection, None
        with contextlib.suppress(errors.Unavailable):
            self._placed = used.regions and used.regions.place(self._form.layout, self._given, None)
        shared = self._placed.arrays if self._placed else {}
        self._out = {name: shared[name] if name in shared else w.make() for name, w in self._asked.want.items()}
        self._received = {name: a for name, a in (self._out | self._status).items() if name not in shared}
        self._views = wire.rows_of(self._received)

        # the frame, and inputs in it or in shared memory
        given = self._placed.inputs_as_arrays() if self._placed else {}
        sent = {name: a for name, a in self._given.items() if name not in given}
        self._timeout = self._backend._timeout if self._flight.timeout is None else self._flight.timeout
        self._trace = self._backend._traceparent()
        control = self._form.control(self._placed, (self._timeout, 0, False, False, self._trace))
        tensors, pieces = wire.lay_out(sent)
        data = b"".join(pieces)
        self._frame = bytearray(b"".join(bytes(v) for v in wire.frames(wire.TYPES[ROLLOUT.message], 0, control, [data], len(data) or 1)))
        for name, _, shape, offset in tensors:
            a = sent[name]
            given[name] = np.frombuffer(self._frame, np.float64, a.size, len(self._frame) - len(data) + offset).reshape(shape)
        self._given, self._small = given, len(data) <= connection.FRAME

    def _fits(self, used: connection.Connection | None) -> bool:
        """Is shared memory, if there is any, known to this connection's server, and did the last call that uses it end?"""
        placed = self._placed
        return not placed or placed.connection is used and (placed.region.call is None or placed.region.call.over)

    def _run(self) -> None:
        used = self._backend._connection
        plain = used and not (used.failure or used.leaving or self._backend.forked) and self._small and self._fits(used)
        if not plain or self._trace != self._backend._traceparent() or not self._once(used):
            got = self._backend.run(self._info, self._asked, self._given, None, self._flight, {})
            if not self._fits(self._backend._connection):
                self._begin()
            for name, a in (self._out | self._status).items():
                a[...] = got[name]

    def _once(self, used: connection.Connection) -> bool:
        """Ask on this connection, without repeating. False: something went wrong that an ordinary call may repeat."""
        deadline = None if self._timeout is None else time.monotonic() + self._timeout
        call = answer.Call(self._received, self._form.plan)
        call._views, call.kind = self._views, ROLLOUT_REPLY
        if self._placed:
            self._placed.region.call = call
        try:
            with used.slot(self._timeout):
                used.result(lambda c: used.start_again(self._frame, c, deadline), call, deadline)
            return True
        except errors.DeadlineExceeded:
            raise
        except errors.Error as e:
            if e.retriable or e.field == "model":
                return False
            raise


def prepare(m, nbatch: int, outputs, *, only: bool, timeout: float | None, params: dict | None, warmstart, **options):
    kind = Here if isinstance(m._backend, embedded.Embedded) else There
    return kind(m, nbatch, outputs, only, timeout, params, warmstart, options)
