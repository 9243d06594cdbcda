# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""The rollout module of mujoco's Python package, computed by Sheaf: the same arguments, shapes and errors.

    from sheaf.compat import rollout
    state, sensordata = rollout.rollout(model, data, initial_state, control)    # as mujoco.rollout.rollout
"""
from __future__ import annotations

import threading as _threading
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from . import tangent
from .alike import differences
from .errors import InvalidArgument
from .info import CTRL
from .model import Model
from .session import Session, connect

KEPT = 16    # models that a set of threads keeps, the last used


class _Kept:
    """Models of a session by the bytes of their MjModel: a program may change numbers of a model between calls."""

    def __init__(self, session: Session):
        self.session = session
        self._models: dict[int, tuple[bytes, Model]] = {}    # by id of the MjModel

    def get(self, model) -> Model:
        from .objects import compiled
        data, held = compiled(model), self._models.pop(id(model), None)
        if held is None or held[0] != data:
            if held:
                held[1].close()
            held = data, self.session.load(data)
        self._models[id(model)] = held
        return held[1]

    def trim(self) -> None:
        """Between calls: a call may need more models than are kept."""
        while len(self._models) > KEPT:
            self._models.pop(next(iter(self._models)))[1].close()

    def close(self) -> None:
        for _, model in self._models.values():
            model.close()
        self._models = {}


def _array(name: str, value, ndim: int, last: int | None) -> np.ndarray | None:
    """An argument with the dimensions in front that it leaves out, as doubles in C order."""
    if value is None:
        return None
    if not isinstance(value, (np.ndarray, float)):
        raise InvalidArgument("wrong type", field=name, expected="a numpy array or float", got=type(value).__name__)
    a = np.asarray(value)
    if a.ndim > ndim:
        raise InvalidArgument("wrong shape", field=name, expected=f"at most {ndim} dimensions", got=str(a.ndim))
    a = np.ascontiguousarray(a, np.float64).reshape((1,) * (ndim - a.ndim) + a.shape)
    if last is not None and a.shape[-1] != last:
        raise InvalidArgument("wrong shape", field=name, expected=f"{last} in the last dimension", got=str(a.shape[-1]))
    return a


def _infer(what: str, given: int | None, sizes: list[tuple[str, int]]) -> int:
    """The common size of some dimensions; those of 1 serve any."""
    n = given
    for name, size in sizes:
        if n in (None, 1) and given is None:
            n = size
        elif size not in (1, n):
            raise InvalidArgument("sizes do not match", field=name, expected=f"{what} of {n}" + " or 1" * (n != 1), got=str(size))
    return 1 if n is None else n


def _with_orientations(info, x: np.ndarray) -> np.ndarray:
    """States whose quaternions of zeros are those of no rotation, as the reference takes them."""
    for columns in tangent.parts(info)[1]:
        quats = slice(columns[0].start + 1, columns[0].stop + 1)    # behind the time
        none = ~x[:, quats].any(axis=1)
        if none.any():
            x = x.copy()
            x[none, quats.start] = 1
    return x


def _output(name: str, value, shape: tuple[int, ...]) -> np.ndarray:
    """An output array of the caller, or a new one."""
    if value is None:
        return np.empty(shape)
    if not isinstance(value, np.ndarray) or value.shape != shape:
        raise InvalidArgument("wrong shape", field=name, expected=str(shape), got=str(np.shape(value)))
    return value


def _whole(value):
    """An output array of the caller with the dimensions in front that it leaves out."""
    less = isinstance(value, np.ndarray) and value.ndim < 3
    return value[(np.newaxis,) * (3 - value.ndim)] if less else value


def _run(kept: _Kept, model, initial_state, control, control_spec, nstep, initial_warmstart, state, sensordata):
    models = list(model) if isinstance(model, Sequence) else [model]
    if not models:
        raise InvalidArgument("no model", field="model", expected="1 or more", got="0")
    held, params = _hold(kept, models)
    first = held[0]
    x = _array("initial_state", initial_state, 2, first.nstate)
    if x is None:
        raise InvalidArgument("missing", field="initial_state", expected=f"(nbatch, {first.nstate})", got="None")
    x = _with_orientations(first.info_, x)
    u = _array("control", control, 3, first.info_.control_sizes(control_spec))
    warm = _array("initial_warmstart", initial_warmstart, 2, first.nv)
    state, sensordata = _whole(state), _whole(sensordata)
    outs = [("state", state), ("sensordata", sensordata)]
    arrays = [("initial_state", x), ("control", u), ("initial_warmstart", warm)] + [
        (name, a) for name, a in outs if isinstance(a, np.ndarray) and a.ndim == 3]
    nbatch = _infer("nbatch", None, [(name, len(a)) for name, a in arrays if a is not None] + [("model", len(models))])
    nstep = _infer("nstep", nstep, [(name, a.shape[1]) for name, a in arrays if a is not None and a.ndim == 3])
    results = [_output("state", state, (nbatch, nstep, first.nstate)),
               _output("sensordata", sensordata, (nbatch, nstep, first.nsensordata))]
    rows = _Rows(x, u, warm, nbatch, nstep, control_spec)
    try:
        rows.fill(results, held, params)
    except InvalidArgument as e:
        if e.field not in params:
            raise
        rows.fill(results, [kept.get(m) for m in models], {})    # a number that rows may not set
    return tuple(results)


def _hold(kept: _Kept, models: list) -> tuple[list[Model], dict[str, np.ndarray]]:
    """A model of the session for all rows, or one for each row; and the parameters of rows. MjModels that differ in numbers alone are one model."""
    first = kept.get(models[0])
    params = {} if len({id(m) for m in models}) == 1 else differences(models, first.params)
    held = [first] if params is not None else [kept.get(m) for m in models]
    if any(m.info_.sizes != first.info_.sizes for m in held):
        raise InvalidArgument("models of different sizes", field="model", expected="the same sizes", got="others")
    return held, {name: a.reshape(len(models), *first.params[name].shape) for name, a in (params or {}).items()}


class _Rows(NamedTuple):
    """What the rows of a call are given."""
    x: np.ndarray
    control: np.ndarray | None
    warmstart: np.ndarray | None
    nbatch: int
    nstep: int
    control_spec: int

    def fill(self, results: list[np.ndarray], held: list[Model], params: dict[str, np.ndarray]) -> None:
        """Compute the rows of each model by one request."""
        held = held * self.nbatch if len(held) == 1 else held
        for m in dict.fromkeys(held):
            rows = [i for i, other in enumerate(held) if other is m]
            part = slice(None) if len(rows) == self.nbatch else np.array(rows)
            pick = lambda a: a if a is None or len(a) == 1 else a[part]
            options = {} if self.control is None else {"control": pick(self.control), "control_spec": self.control_spec}
            if params:
                options |= {"params": params, "keep_constants": True}
            x = pick(self.x) if len(self.x) > 1 or len(rows) == 1 else np.repeat(self.x, len(rows), axis=0)
            got = m.rollout(x, nstep=self.nstep, initial_warmstart=pick(self.warmstart), **options)
            results[0][part], results[1][part] = got.state, got.sensordata


class Rollout:
    """A set of threads for many calls; use it in a `with` statement, or call `close`.

    nthread   worker threads; None or 0: one
    session   instead: a server, or another engine
    """

    def __init__(self, *, nthread: int | None = None, session: Session | None = None):
        self._own = None if session else connect(threads=max(1, nthread or 1))
        self._kept: _Kept | None = _Kept(session or self._own)
        self._lock = _threading.Lock()

    def rollout(self, model, data, initial_state, control=None, *, control_spec: int = CTRL, skip_checks: bool = False,
                nstep: int | None = None, initial_warmstart=None, state=None, sensordata=None, chunk_size: int | None = None):
        """As the function `rollout`."""
        del data, skip_checks
        if chunk_size is not None and chunk_size < 1:
            raise InvalidArgument("wrong size", field="chunk_size", expected="1 or more", got=str(chunk_size))
        with self._lock:
            if self._kept is None:
                raise RuntimeError("rollout requested after thread pool shutdown")
            try:
                return _run(self._kept, model, initial_state, control, int(control_spec), nstep, initial_warmstart, state, sensordata)
            finally:
                self._kept.trim()

    def close(self) -> None:
        with self._lock:
            kept, self._kept = self._kept, None
        if kept:
            kept.close()
        if self._own:
            self._own.close()

    def __enter__(self) -> "Rollout":
        return self

    def __exit__(self, *exc) -> None:
        self.close()


_persistent: dict[int, Rollout] = {}
_persistent_lock = _threading.Lock()


def shutdown_persistent_pool() -> None:
    """End the threads of calls with persistent_pool."""
    with _persistent_lock:
        pools = list(_persistent.values())
        _persistent.clear()
    for pool in pools:
        pool.close()


def rollout(model, data, initial_state, control=None, *, control_spec: int = CTRL, skip_checks: bool = False, nstep: int | None = None,
            initial_warmstart=None, state=None, sensordata=None, chunk_size: int | None = None, persistent_pool: bool = False,
            session: Session | None = None):
    """Open-loop rollouts, with the arguments of mujoco.rollout.rollout: state (nbatch, nstep, nstate) and sensordata (nbatch, nstep,
    nsensordata), float64.

    model              an MjModel of release 3.4, or nbatch of them with the same sizes; numbers that were changed in it count. Models that
                       differ in nothing but numbers (those of `Model.params`, colours) are computed together, others one by one
    data               one MjData or several: as many threads are used. They are neither read nor written
    initial_state      ([nbatch or 1], nstate): full physics
    control            ([nbatch or 1], [nstep or 1], ncontrol), of the mjtState bits in control_spec
    nstep              steps; None: from control, state or sensordata, else 1
    initial_warmstart  ([nbatch or 1], nv)
    state, sensordata  output arrays, which are filled and returned; of one rollout, or one step, also without these dimensions
    skip_checks        shapes are checked in any case; output arrays are made if there are none
    chunk_size         accepted; results and speed do not depend on it
    persistent_pool    keep threads and compiled models for the next such call, until shutdown_persistent_pool
    session            Sheaf's: compute on this server, or this engine, instead of threads of this call

    Rows that diverge repeat the last valid state; the reference fills them otherwise. Raises ValueError for wrong shapes.
    """
    arguments = dict(control_spec=control_spec, skip_checks=skip_checks, nstep=nstep, initial_warmstart=initial_warmstart,
                     state=state, sensordata=sensordata, chunk_size=chunk_size)
    threads = len(data) if isinstance(data, Sequence) else 1
    if persistent_pool and session is None:
        with _persistent_lock:
            pool = _persistent.setdefault(threads, None) or Rollout(nthread=threads)
            _persistent[threads] = pool
        return pool.rollout(model, data, initial_state, control, **arguments)
    with Rollout(nthread=threads, session=session) as pool:
        return pool.rollout(model, data, initial_state, control, **arguments)


rollout.rollout, rollout.Rollout, rollout.shutdown_persistent_pool = rollout, Rollout, shutdown_persistent_pool    # as a module
