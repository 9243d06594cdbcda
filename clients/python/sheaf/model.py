# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""The calls on a model: shapes are checked here, the work is a backend's.

Arrays are float64. Inputs may leave out the batch dimension, or have 1 there: one row then serves all. Results
always have it. B: rows of the batch, T: steps.
"""
from __future__ import annotations

import dataclasses
import sys
import time
from collections.abc import Callable, Sequence

import numpy as np

from .errors import InvalidArgument

CTRL = 1 << 5     # mjSTATE_CTRL


# arrays that a model shows as attributes, and their shape by its sizes
ARRAYS = {
    "qpos0": lambda s: (s["nq"],), "state0": lambda s: (s["nstate"],), "body_mass": lambda s: (s["nbody"],),
    "ctrlrange": lambda s: (s["nu"], 2), "ctrllimited": lambda s: (s["nu"],),
    "jnt_range": lambda s: (s["njnt"], 2), "jnt_limited": lambda s: (s["njnt"],),
    "key_time": lambda s: (s["nkey"],), "key_qpos": lambda s: (s["nkey"], s["nq"]), "key_qvel": lambda s: (s["nkey"], s["nv"]),
    "key_act": lambda s: (s["nkey"], s["na"]), "key_ctrl": lambda s: (s["nkey"], s["nu"]),
    "key_mpos": lambda s: (s["nkey"], s["nmocap"], 3), "key_mquat": lambda s: (s["nkey"], s["nmocap"], 4),
    "key_state": lambda s: (s["nkey"], s["nstate"]),
}

KINDS = ("body", "joint", "geom", "site", "camera", "equality", "tendon", "actuator", "sensor", "key")


@dataclasses.dataclass
class Info:
    """What is known about a compiled model, from either backend."""
    hash: bytes
    sizes: dict[str, int]
    timestep: float
    integrator: int
    lanes: int
    arrays: dict[str, np.ndarray]                # qpos0, state0, ctrlrange, key_qpos, ...
    names: dict[str, list[str]]                  # "body", "joint", ... -> names in order of id
    outputs: dict[str, tuple[int, ...]]          # named outputs and their shape for one state
    control_sizes: Callable[[int], int]          # size of a control row for mjtState bits

    def __post_init__(self):
        # rows over dofs stay rows where there is one dof
        for name in {"M", "ten_J", "flexedge_J"} & self.outputs.keys():
            self.outputs[name] = (self.outputs[name][0], self.sizes["nv"])


@dataclasses.dataclass
class RolloutResult:
    """Result of `rollout`; unpacks into (state, sensordata)."""
    state: np.ndarray              # (B, T, nstate) after each step
    sensordata: np.ndarray         # (B, T, nsensordata) computed within each step
    status: np.ndarray             # (B,) 0, or why the rollout stopped being valid: 1 + mjtWarning, 100, 101
    badstep: np.ndarray            # (B,) first step that is not valid, -1
    outputs: dict[str, np.ndarray]  # (B, T, ...) by name
    final_state: np.ndarray        # (B, nstate)
    final_warmstart: np.ndarray    # (B, nv); with final_state continues the rollouts with the same bits

    def __iter__(self):
        return iter((self.state, self.sensordata))


def _array(field: str, value, size: int, *, dtype=np.float64) -> np.ndarray:
    try:
        a = np.asarray(value, dtype=dtype)
    except (TypeError, ValueError) as e:
        raise InvalidArgument(f"not an array of numbers: {e}", field=field, expected=f"(..., {size})",
                              got=type(value).__name__) from None
    return a


def _rows(field: str, value, size: int, shape: tuple[int, ...] | None = None) -> np.ndarray:
    """One row or rows as (B, size); shape: the last dimensions where there are several."""
    a = _array(field, value, size)
    last = shape or (size,)
    if a.shape[a.ndim - len(last):] != last or a.ndim - len(last) not in (0, 1):
        want = ", ".join(str(n) for n in last)
        raise InvalidArgument("wrong shape", field=field, expected=f"{last} or (B, {want})", got=str(a.shape))
    a = a.reshape(-1, *last) if a.ndim == len(last) else a
    return np.ascontiguousarray(a)


# arguments that are called otherwise on the wire
_ARGUMENTS = {"state0": "initial_state", "warmstart0": "initial_warmstart"}


def _batch(given: dict[str, np.ndarray]) -> int:
    """The common number of rows; inputs with one row serve all."""
    n = max((a.shape[0] for a in given.values()), default=1)
    for field, a in given.items():
        field = _ARGUMENTS.get(field, field)
        if a.shape[0] not in (1, n):
            raise InvalidArgument("rows do not match", field=field, expected=f"{n} or 1 rows", got=str(a.shape[0]))
        if n == 0 or a.shape[0] == 0:
            raise InvalidArgument("no rows", field=field, expected="1 or more rows", got="0")
    return n


def _valid(got: dict[str, np.ndarray], names) -> tuple[np.ndarray, ...]:
    """Arrays by name, NaN in the rows that could not be computed: there is no status beside them."""
    for name in names:
        got[name][got["status"] != 0] = np.nan
    return tuple(got[name] for name in names)


class _Bar:
    """Progress on the terminal: tqdm if there is one, else a line of our own."""

    def __init__(self, what: str):
        self.what, self.bar, self.last, self.start = what, None, 0, time.monotonic()
        try:
            from tqdm.auto import tqdm
            self.tqdm = tqdm
        except ImportError:
            self.tqdm = None

    def __call__(self, done: int, total: int) -> None:
        if self.tqdm:
            if self.bar is None:
                self.bar = self.tqdm(total=total, desc=self.what, unit="step", unit_scale=True)
            self.bar.update(done - self.last)
        elif sys.stderr.isatty() or done == total:
            n = int(30 * done / max(total, 1))
            sys.stderr.write(f"\r{self.what} [{'#' * n}{'.' * (30 - n)}] {done}/{total}" + ("\n" if done >= total else ""))
            sys.stderr.flush()
        self.last = done

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()


class Model:
    """A compiled model. Sizes (nq, nv, nu, na, nstate, ...) and arrays (qpos0, state0, ...) are attributes."""

    def __init__(self, backend, info: Info):
        self._backend, self.info_ = backend, info

    def __getattr__(self, name):
        info = self.__dict__.get("info_")
        if info is not None:
            if name in info.sizes:
                return info.sizes[name]
            if name in info.arrays:
                return info.arrays[name]
        raise AttributeError(name)

    @property
    def hash(self) -> str:
        return self.info_.hash.hex()

    @property
    def timestep(self) -> float:
        return self.info_.timestep

    @property
    def lanes(self) -> int:
        """States that are computed side by side for this model."""
        return self.info_.lanes

    @property
    def outputs(self) -> dict[str, tuple[int, ...]]:
        """Names that `outputs=` accepts, with their shape for one state."""
        return self.info_.outputs

    def names(self, kind: str) -> list[str]:
        """Names of the bodies, joints, geoms, sites, actuators, sensors, ... in order of id."""
        if kind not in self.info_.names:
            raise InvalidArgument("no such kind", field="kind", expected=", ".join(self.info_.names), got=kind)
        return self.info_.names[kind]

    # ---- calls

    def _names(self, outputs: Sequence[str] | str) -> list[str]:
        names = [outputs] if isinstance(outputs, str) else list(outputs)
        for n in names:
            if n not in self.info_.outputs:
                raise InvalidArgument("no such output", field="outputs", expected="a name in Model.outputs", got=repr(n))
        return names

    def _run(self, kind, given, nbatch, options, want, progress, what):
        bar = _Bar(what) if progress is True else progress or None
        try:
            return self._backend.run(self.info_, kind, given, nbatch, options, want, bar)
        finally:
            if isinstance(bar, _Bar):
                bar.close()

    def rollout(self, initial_state, control=None, nstep: int | None = None, initial_warmstart=None,
                outputs: Sequence[str] = (), progress=False, *, control_spec: int = CTRL, hold: int = 1,
                length=None) -> RolloutResult:
        """Simulate from each initial state.

        initial_state      (nstate,) or (B or 1, nstate): [time, qpos, qvel, act, ...]
        control            None, (ncontrol,), (T, ncontrol) or (B or 1, T or 1, ncontrol); past its end the last row is held
        nstep              steps; default: rows of control times hold
        initial_warmstart  (nv,) or (B or 1, nv)
        outputs            names of further arrays, as they are after each step
        progress           True for a bar, or a function of (done, total)
        control_spec       mjtState bits that a control row holds
        hold               steps that each control row is held
        length             (B,) steps of each rollout; later rows repeat its last
        """
        s = self.info_.sizes
        nctl = self.info_.control_sizes(control_spec)
        given = {"state0": _rows("initial_state", initial_state, s["nstate"])}
        ncontrolstep = 1
        if control is not None:
            c = _array("control", control, nctl)
            c = c[np.newaxis, np.newaxis] if c.ndim == 1 else c[np.newaxis] if c.ndim == 2 else c
            if c.ndim != 3 or c.shape[2] != nctl or c.shape[1] == 0:
                raise InvalidArgument("wrong shape", field="control",
                                      expected=f"({nctl},), (T, {nctl}) or (B, T, {nctl})", got=str(np.shape(control)))
            ncontrolstep = c.shape[1]
            given["control"] = np.ascontiguousarray(c)
        if initial_warmstart is not None:
            given["warmstart0"] = _rows("initial_warmstart", initial_warmstart, s["nv"])
        if hold < 1:
            raise InvalidArgument("controls are held for at least one step", field="hold", expected="1 or more", got=str(hold))
        if nstep is None:
            nstep = ncontrolstep * hold
        if nstep < 1:
            raise InvalidArgument("no steps", field="nstep", expected="1 or more", got=str(nstep))
        if length is not None:
            given["length"] = np.ascontiguousarray(_array("length", length, 1, dtype=np.int32).reshape(-1))
        B = _batch(given)
        if length is not None and given["length"].shape[0] != B:
            given["length"] = np.repeat(given["length"], B)
        names = self._names(outputs)
        T = int(nstep)
        want = {"state": (B, T, s["nstate"]), "sensordata": (B, T, s["nsensordata"]), "final_state": (B, s["nstate"]),
                "final_warmstart": (B, s["nv"])}
        for n in names:
            want[n] = (B, T) + self.info_.outputs[n]
        got = self._run("rollout", given, B, {"nstep": T, "control_spec": control_spec, "hold": hold}, want, progress,
                        "rollout")
        return RolloutResult(got["state"], got["sensordata"], got["status"], got["badstep"],
                             {n: got[n] for n in names}, got["final_state"], got["final_warmstart"])

    _STAGES = {"pos": 1, "vel": 2, "acc": 0}

    def forward(self, qpos=None, qvel=None, ctrl=None, outputs: Sequence[str] = ("qacc",), *, act=None,
                qfrc_applied=None, xfrc_applied=None, mocap_pos=None, mocap_quat=None, warmstart=None, time=None,
                stage: str = "acc", progress=False) -> dict[str, np.ndarray]:
        """Forward dynamics at given states: a dict of (B, ...) arrays by name, and "status" (B,).

        Inputs that are left out take the model's defaults (qpos0, zero). stage "pos" or "vel" stops after what depends on
        positions or velocities.
        """
        s = self.info_.sizes
        given = {}
        for field, value, n, shape in (
                ("qpos", qpos, s["nq"], None), ("qvel", qvel, s["nv"], None), ("act", act, s["na"], None),
                ("ctrl", ctrl, s["nu"], None), ("qfrc_applied", qfrc_applied, s["nv"], None),
                ("xfrc_applied", xfrc_applied, 6 * s["nbody"], (s["nbody"], 6)),
                ("mocap_pos", mocap_pos, 3 * s["nmocap"], (s["nmocap"], 3)),
                ("mocap_quat", mocap_quat, 4 * s["nmocap"], (s["nmocap"], 4)),
                ("warmstart", warmstart, s["nv"], None), ("time", time, 1, None)):
            if value is not None:
                if field == "time" and np.ndim(value) < 2:
                    value = np.reshape(value, (-1, 1))
                given[field] = _rows(field, value, n, shape)
        if stage not in self._STAGES:
            raise InvalidArgument("no such stage", field="stage", expected="pos, vel or acc", got=repr(stage))
        B = _batch(given)
        names = self._names(outputs)
        want = {n: (B,) + self.info_.outputs[n] for n in names}
        got = self._run("forward", given, B, {"stage": self._STAGES[stage]}, want, progress, "forward")
        return {**{n: got[n] for n in names}, "status": got["status"]}

    def inverse(self, qpos=None, qvel=None, qacc=None, *, discrete: bool = False, mocap_pos=None, mocap_quat=None,
                outputs: Sequence[str] | None = None, progress=False):
        """Inverse dynamics: qfrc_inverse (B, nv), or with `outputs` a dict of arrays by name, and "status".

        discrete: qacc is the acceleration of a step, (next velocity - velocity) / timestep.
        """
        s = self.info_.sizes
        given = {}
        for field, value, n, shape in (("qpos", qpos, s["nq"], None), ("qvel", qvel, s["nv"], None),
                                       ("qacc", qacc, s["nv"], None),
                                       ("mocap_pos", mocap_pos, 3 * s["nmocap"], (s["nmocap"], 3)),
                                       ("mocap_quat", mocap_quat, 4 * s["nmocap"], (s["nmocap"], 4))):
            if value is not None:
                given[field] = _rows(field, value, n, shape)
        B = _batch(given)
        names = self._names(outputs or [])
        want = {"qfrc_inverse": (B, s["nv"])} if outputs is None else {n: (B,) + self.info_.outputs[n] for n in names}
        got = self._run("inverse", given, B, {"discrete": bool(discrete)}, want, progress, "inverse")
        if outputs is None:
            return got["qfrc_inverse"]
        return {**{n: got[n] for n in names}, "status": got["status"]}

    def transition_fd(self, state, ctrl=None, eps: float = 1e-6, centered: bool = False, *, warmstart=None,
                      progress=False):
        """Derivatives of a step by finite differences: A (B, ndx, ndx), B (B, ndx, nu), C (B, nsensordata, ndx),
        D (B, nsensordata, nu), with ndx = 2*nv + na. NaN in rows whose state is not valid.

        state may be (B, nstate), or (B, T, nstate) as `rollout` returns it: rows are then B*T.
        """
        s = self.info_.sizes
        a = _array("state", state, s["nstate"])
        given = {"state": _rows("state", a.reshape(-1, a.shape[-1]) if a.ndim == 3 else a, s["nstate"])}
        if ctrl is not None:
            c = _array("ctrl", ctrl, s["nu"])
            given["ctrl"] = _rows("ctrl", c.reshape(-1, c.shape[-1]) if c.ndim == 3 else c, s["nu"])
        if warmstart is not None:
            given["warmstart"] = _rows("warmstart", warmstart, s["nv"])
        n = _batch(given)
        if given["state"].shape[0] != n:
            given["state"] = np.repeat(given["state"], n, axis=0)
        ndx, nu, ns = 2 * s["nv"] + s["na"], s["nu"], s["nsensordata"]
        want = {"A": (n, ndx, ndx), "B": (n, ndx, nu), "C": (n, ns, ndx), "D": (n, ns, nu)}
        got = self._run("transition_fd", given, n, {"eps": float(eps), "centered": bool(centered)}, want, progress,
                        "transition_fd")
        return _valid(got, "ABCD")

    def inverse_fd(self, qpos=None, qvel=None, qacc=None, eps: float = 1e-6, actuation: bool = False, *, progress=False):
        """Derivatives of inverse dynamics: DfDq, DfDv, DfDa, (B, nv, nv) each, row = force, column = perturbed quantity."""
        s = self.info_.sizes
        given = {}
        for field, value, n in (("qpos", qpos, s["nq"]), ("qvel", qvel, s["nv"]), ("qacc", qacc, s["nv"])):
            if value is not None:
                given[field] = _rows(field, value, n)
        B = _batch(given)
        want = {k: (B, s["nv"], s["nv"]) for k in ("DfDq", "DfDv", "DfDa")}
        got = self._run("inverse_fd", given, B, {"eps": float(eps), "actuation": bool(actuation)}, want, progress,
                        "inverse_fd")
        return _valid(got, ("DfDq", "DfDv", "DfDa"))
