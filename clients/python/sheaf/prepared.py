# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Rollouts that a program makes again and again with arrays of the same size: checks, messages and arrays are made once."""
from __future__ import annotations

import ctypes as C
import threading
import time

import numpy as np

from . import connection, embedded, errors, wire
from .flight import Flight
from .model import CTRL, RolloutResult
from .near import near
from .table import REQUESTS

ROLLOUT = REQUESTS["rollout"]


def _places(arrays: dict[str, np.ndarray]) -> tuple[bytearray, list[int]]:
    """Memory for these arrays as they lie in a data section, and where each begins."""
    starts, end = [], 0
    for a in arrays.values():
        starts.append(end + -end % 64)
        end = starts[-1] + a.nbytes
    return bytearray(end), starts


class Prepared:
    """What `Model.prepare` returns: `state, sensordata = step(x0, u)`.

    Each call writes into the same arrays, which belong to this object: copy what is needed after the next call. One thread at a time may call it.
    """

    def __init__(self, m, nbatch: int, nstep: int, outputs, control_spec: int, hold: int, timeout: float | None):
        if nbatch < 1 or nstep < 1 or hold < 1:
            raise errors.InvalidArgument("nothing to do", field="nbatch, nstep, hold", expected="1 or more", got=f"{nbatch}, {nstep}, {hold}")
        self._model, self._backend, self._info = m, m._backend, m.info_
        self._flight, self._lock = Flight(), threading.Lock()
        self._flight.ask(timeout, 0)
        self._options = {"nstep": nstep, "hold": hold, "control_spec": control_spec}
        ncontrol, ncontrolstep = m.info_.control_sizes(control_spec), -(-nstep // hold)
        self._given = {"state0": np.repeat(m.state0[None], nbatch, axis=0), "warmstart0": np.zeros((nbatch, m.nv))}
        if ncontrol:
            self._given["control"] = np.zeros((nbatch, ncontrolstep, ncontrol))
        shapes = {"state": (nstep, m.nstate), "sensordata": (nstep, m.nsensordata), "final_warmstart": (m.nv,)}
        for name in [outputs] if isinstance(outputs, str) else outputs:
            if name not in m.outputs:
                raise errors.InvalidArgument("no such output", field="outputs", expected=near(name, m.outputs), got=repr(name))
            shapes[name] = (nstep, *m.outputs[name])
        self._out = {name: np.zeros((nbatch, *shape)) for name, shape in shapes.items()}
        self._status = {name: np.zeros(nbatch, np.int32) for name in ("status", "badstep")}
        named = {name: self._out[name] for name in shapes if name not in ("state", "sensordata", "final_warmstart")}
        self._result = RolloutResult(self._out["state"], self._out["sensordata"], **self._status, outputs=named,
                                     final_state=self._out["state"][:, -1], final_warmstart=self._out["final_warmstart"])
        self._make()
        self._x, self._warm, self._u = (self._given.get(name) for name in ("state0", "warmstart0", "control"))

    def _make(self) -> None:
        raise NotImplementedError

    def _run(self) -> None:
        raise NotImplementedError

    def __call__(self, initial_state, control=None, initial_warmstart=None) -> RolloutResult:
        """Simulate.

        initial_state      (nstate,) or (nbatch, nstate)
        control            (nbatch, rows, ncontrol), or what numpy broadcasts to that; for one row of controls also (nbatch, ncontrol).
                           rows: nstep / hold, rounded up. None: those of the last call, at first zero
        initial_warmstart  (nbatch, nv); None: zero. The result's final_warmstart goes on from where it ended
        """
        with self._lock:
            try:
                self._x[:] = initial_state
                if control is not None:
                    if self._u is None:
                        raise errors.InvalidArgument("the model has no controls", field="control", expected="None", got=str(np.shape(control)))
                    u = np.asarray(control)
                    self._u[:] = u[:, None] if u.ndim == 2 and self._u.shape[1] == 1 else u
                self._warm[:] = 0 if initial_warmstart is None else initial_warmstart
            except (TypeError, ValueError) as e:
                if isinstance(e, errors.Error):
                    raise
                shapes = ", ".join(f"{name} {a.shape}" for name, a in self._given.items())
                raise errors.InvalidArgument(f"wrong shape: {e}", field="arguments", expected=shapes, got="others") from None
            self._model._check_open()
            self._run()
            return self._result


class Here(Prepared):
    """In this process: one struct of the engine, with the addresses of the arrays."""

    def _make(self) -> None:
        struct = embedded._STRUCTS["rollout"]
        self._request = r = struct(size=C.sizeof(struct), nbatch=len(self._given["state0"]), **self._options)
        for name, a in self._given.items():
            self._backend._set_input(r, ROLLOUT.field(name), a, ROLLOUT)
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
    """On a server: one frame, of which each call changes the numbers. What goes wrong is left to an ordinary call, which repeats it."""

    def _make(self) -> None:
        timeout = self._backend._timeout if self._flight.timeout is None else self._flight.timeout
        tensors, pieces = wire.lay_out(self._given)
        control = self._backend._cached_control(ROLLOUT.message, self._info, tensors, len(self._given["state0"]), self._options, self._out,
                                                False, None, (timeout, 0))
        self._timeout, data = timeout, b"".join(pieces)
        self._frame = bytearray(b"".join(bytes(v) for v in wire.frames(wire.TYPES[ROLLOUT.message], 0, control, [data], len(data) or 1)))
        first = len(self._frame) - len(data)
        for (name, _, shape, offset) in tensors:
            a = self._given[name]
            self._given[name] = np.frombuffer(self._frame, np.float64, a.size, first + offset).reshape(shape)
        self._trace = self._backend._traceparent()
        self._views = wire.rows_of(self._out | self._status)
        self._plan = connection.Plan()
        self._small = len(data) <= connection.FRAME

    def _run(self) -> None:
        used = self._backend._connection
        plain = used and not (used.failure or used.leaving or self._backend.forked) and self._small
        if not plain or self._trace != self._backend._traceparent() or not self._once(used):
            got = self._backend.run(self._info, ROLLOUT, dict(self._given), len(self._x), self._options, self._wanted(), None, self._flight)
            for name, a in (self._out | self._status).items():
                a[...] = got[name]

    def _wanted(self) -> dict:
        from .calls import Call
        call = Call(self._info, "rollout")
        call.options = dict(self._options)
        return self._model._want(call, list(self._out), len(self._x))

    def _once(self, used: connection.Connection) -> bool:
        """Ask on this connection, without repeating. False: something went wrong that an ordinary call may repeat."""
        deadline = None if self._timeout is None else time.monotonic() + self._timeout
        call = connection.Call(self._out | self._status)
        call._views, call.plan = self._views, self._plan
        try:
            with used.slot(self._timeout):
                used.send_again(self._frame, call, deadline)
                for _ in used.frames(call, deadline):
                    pass
            return True
        except errors.DeadlineExceeded:
            raise
        except errors.Error as e:
            if e.retriable or e.field == "model":
                return False
            raise


def prepare(m, nbatch: int = 1, nstep: int = 1, outputs=(), *, control_spec: int = CTRL, hold: int = 1, timeout: float | None = None):
    kind = Here if isinstance(m._backend, embedded.Embedded) else There
    return kind(m, nbatch, nstep, outputs, control_spec, hold, timeout)
