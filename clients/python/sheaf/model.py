# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""The calls on a model, with convenient arguments and results. calls.py does what follows from the table; a backend does the work.

Arrays are float64. B: rows of the batch, T: steps. A request that has no method here gets one from its rows of the table.
"""
from __future__ import annotations

import copy
import inspect
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from . import columns as columns_of, cost, tangent
from .asked import Asked, signature
from .bar import Bar
from .calls import Call, array, blank, check_places, complete, number, plain
from .cost import Cost
from .derivatives import Derivatives, Matrices, Regressor, choose, nominal, take_nominal, wanted
from .elements import Named
from .errors import FailedPrecondition, InvalidArgument
from .flight import Flight
from .futures import Aio, Submit
from .info import CTRL, Info
from .near import near
from .result import RolloutResult, accelerations
from .sample import Sampling
from .table import REQUESTS, Request

if TYPE_CHECKING:
    from .prepared import Prepared

def _valid(got: dict[str, np.ndarray], names) -> tuple[np.ndarray, ...]:
    """Arrays by name, with NaN in the rows that could not be computed, because the caller gets no status."""
    for name in names:
        got[name][got["status"] != 0] = np.nan
    return tuple(got[name] for name in names)


def _flat(field: str, x):
    """T rows of each of B trajectories as B T rows."""
    return x if np.ndim(x) != 3 else array(field, x, 0).reshape(-1, np.shape(x)[-1])


class Model(Named, Sampling):
    """A compiled model. Sizes (nq, nv, nu, na, nstate, ...) and arrays (qpos0, state0, ...) are attributes."""

    def __init__(self, backend, info: Info):
        self._backend, self.info_ = backend, info
        self._closed = False
        self._flight: Flight | None = None    # the conditions of the future that this copy of the model was made for

    def __getattr__(self, name):
        info = self.__dict__.get("info_")
        if info is not None:
            if name in info.sizes:
                return info.sizes[name]
            if name in info.arrays:
                return info.arrays[name]
            raise AttributeError(f"a model has no {name!r}; it has {near(name, dir(self))}")
        raise AttributeError(name)

    def __dir__(self):
        return sorted({*(n for n in object.__dir__(self) if n[0] != "_"), *self.info_.sizes, *self.info_.arrays})

    def __repr__(self) -> str:
        i = self.info_
        sizes = ", ".join(f"{n} {i.sizes[n]}" for n in ("nq", "nv", "nu", "na", "nsensordata", "nbody", "ngeom") if i.sizes[n])
        return f"<sheaf.Model {i.name!r}: {sizes}, timestep {i.timestep:g} s, {i.lanes} lanes, hash {self.hash[:12]}, {self._backend.where}>"

    def close(self) -> None:
        """This model is not needed any more: its memory is given back, here or on the server, when the last of its calls ends, unless
        this session has loaded it twice or others of the server's clients use it. Calls after that raise FailedPrecondition. Also
        at the end of `with s.load(...) as m:`."""
        if not self._closed:
            self._closed = True
            self._backend.unload(self.info_)

    def __enter__(self) -> "Model":
        return self

    def __exit__(self, *exc) -> None:
        self.close()

    @property
    def hash(self) -> str:
        return self.info_.hash.hex()

    @property
    def timestep(self) -> float:
        return self.info_.timestep

    @property
    def lanes(self) -> int:
        """How many states the engine computes at once for this model."""
        return self.info_.lanes

    @property
    def outputs(self) -> dict[str, tuple[int, ...]]:
        """Names that `outputs=` accepts, with their shape for one state.

        Brackets choose rows: "xpos[head]", "sensordata[gyro, 0:3]". More outputs are computed from what brackets say, n items each:

            "jac_site[hand, foot]"        (6 n, nv) rows of velocity, then of rotation; jac_geom, jac_body, and jacp_.., jacr_.. for one of both
            "jac_point[hand at .1 0 .2]"  (6 n, nv) of points in the frame of a body; "jac_subtree_com[torso]" (3 n, nv)
            "contact[16]"                 (16, 24) contacts with their forces, see `sheaf.contacts`; "ncon" counts all of them
            "contact_dist[16]"            (16,) or (16, columns): _geom, _body, _dim, _dist, _pos, _frame, _force
            "efc_J[40]", "efc_force[40]"  (40, nv), (40,) constraint rows: also _type, _id, _pos, _margin, _D, _R, _vel, _aref; "nefc" counts all
            "solver_niter"                (1,) iterations of the constraint solver: of the last solve of a step, the most of its islands
            "ray[eye, 0 0 2 along 0 0 -1]"        (n, 5) distance, geom, normal; from sites along z or "SITE along X Y Z" in its frame
            "distance[hand to ball within .5]"    (n, 7) distance of two geoms, and the segment between the nearest points

        All of them exist in every call: of given states in `forward`, `inverse` and the calls for derivatives, of steps in `rollout`
        and `sample`, with `every` and `aligned`; with `dtype`.
        """
        return self.info_.outputs

    @property
    def params(self) -> dict[str, np.ndarray]:
        """Numbers of the model that `params=` accepts, by name, with the values of the model: "body_mass" (nbody,),
        "geom_friction" (ngeom, 3), "opt.gravity" (3,), ...

        Rows of a call may have their own values: params={"body_mass": mass} with mass (nbody,) for all rows or (B, nbody). The
        results of a row are those of a model in which these numbers were changed and `mj_setConst` was called; with
        keep_constants=True it is not called. If some rows have what the model lacks (friction loss, a medium, armature of a tendon), the
        others are equal within the solver's tolerance, and derivatives are taken as for a model that has it. A value that would change the structure of the model (sizes of a mesh, the
        frame of a body that MuJoCo calls simple) or that the compiler would refuse (a negative mass) raises InvalidArgument with the name and the row.
        """
        return self.info_.params

    def _output_shape(self, name: str) -> tuple[int, ...]:
        """Shape of a named output for one state; the backend is asked once about each name with brackets."""
        known = self.info_.outputs if "[" not in name else self.info_.chosen
        if name not in known:
            self._check_open()
            shape = self._backend.output_shape(self.info_, name)
            if "[" not in name:
                return shape
            known[name] = self.info_.over_dofs(name, shape)
        return known[name]

    def _cost_elements(self, of: str) -> tuple[int, int, int]:
        """Where elements of a cost term are (sheafSource, first, count); the backend is asked once about each name."""
        known = self.info_.elements_of_costs
        if of not in known:
            self._check_open()
            known[of] = self._backend.cost_elements(self.info_, of)
        return known[of]

    def _columns(self, name: str, columns) -> tuple[int, ...] | None:
        """Numbers of the columns that are meant by a request; the backend is asked once about each name."""
        known, request = self.info_.columns_by_name, REQUESTS[name]

        def find(name: str) -> list[int]:
            key = (request.number, name)
            if key not in known:
                self._check_open()
                known[key] = self._backend.columns_of(self.info_, request, name)
            return known[key]
        return None if columns is None else columns_of.numbers(columns, find)

    def names(self, kind: str) -> list[str]:
        """Names of the bodies, joints, geoms, sites, actuators, sensors, ... in order of id."""
        if kind not in self.info_.names:
            raise InvalidArgument("no such kind", field="kind", expected=near(kind, self.info_.names), got=repr(kind))
        return self.info_.names[kind]

    # ---- calls

    @property
    def submit(self) -> Submit:
        """The calls of this model as futures: `f = m.submit.rollout(x0, u)`, then `f.result(timeout=1.0)`, `f.cancel()`, `f.timing`."""
        return Submit(self)

    @property
    def aio(self) -> Aio:
        """The calls of this model as coroutines: `await m.aio.rollout(x0, u)`. Cancelling the task cancels the server's work."""
        return Aio(self)

    def diff(self, x1, x0) -> np.ndarray:
        """x1 - x0 in the tangent space, (..., ndx): dq (nv, as mj_differentiatePos over one second), dv (nv), dact (na).

        x1, x0: states (..., nstate); leading dimensions broadcast. Computed here, in numpy. Time does not count. This is the order of
        `transition_fd` and of K in `feedback`.
        """
        return tangent.diff(self.info_, x1, x0)

    def integrate(self, x0, dx) -> np.ndarray:
        """The state (..., nstate) that is dx (..., ndx) away from x0: `diff(integrate(x0, dx), x0)` is dx (turns up to pi).

        Quaternions come out normalized; time is that of x0.
        """
        return tangent.integrate(self.info_, x0, dx)

    _NOT_CALLS = frozenset(("names", "close", "prepare", "diff", "integrate", *(n for n in vars(Named) if n[0] != "_")))

    @classmethod
    def _call_names(cls) -> list[str]:
        return [n for n in dir(cls) if n[0] != "_" and n not in cls._NOT_CALLS and inspect.isfunction(getattr(cls, n))]

    @classmethod
    def _call_of(cls, name: str):
        if name not in cls._call_names():
            raise AttributeError(f"a model has no call {name!r}; it has {', '.join(cls._call_names())}")
        return getattr(cls, name)

    def _with(self, flight: Flight) -> "Model":
        """A copy of this model for the calls of one future."""
        model = copy.copy(self)
        model._flight = flight
        return model

    def _check_open(self) -> None:
        if self._closed:
            raise FailedPrecondition("the model was closed", field="model")

    def _want(self, call: Call, names, n: int) -> dict:
        return call.want(names, n, self._output_shape)

    def prepare(self, nbatch: int = 1, nstep: int = 1, outputs: Sequence[str] = (), *, control_spec: int = CTRL, hold: int = 1,
                every: int | str = 1, aligned: bool = False, dtype="f8", only: bool = False, params: dict | None = None,
                keep_constants: bool = False, warmstart=None, shift: int = 0, timeout: float | None = None) -> Prepared:
        """A rollout to be made again and again: `step = m.prepare(nbatch)`, then `state, sensordata = step(x0, u)`.

        Shapes, messages and arrays are made once, so that a call costs little beside its work. The result is a RolloutResult whose
        arrays are the same at each call: (nbatch, nstep, ...). The arguments are those of `rollout`, and so is the time of its rows:
        unless `aligned`, sensordata, xpos, qacc, ... in a row belong to the state that its step began from, `state` is the one
        after it. Parameters and accelerations to start from (`warmstart`, as for `rollout`) are copied;
        `step.params["body_mass"][:] = ...` and `step.warmstart[:] = ...` change them for the next calls.
        """
        from .prepared import prepare
        return prepare(self, nbatch, outputs, only=only, timeout=timeout, params=params, warmstart=warmstart, nstep=nstep,
                       control_spec=control_spec, hold=hold, every=every, aligned=aligned, dtype=dtype, keep_constants=keep_constants, shift=shift)

    def _compute(self, name: str, fields: dict, outputs, progress, out=None) -> dict[str, np.ndarray]:
        """Make a request of the table: inputs and options by name, results by name; outputs None: the default outputs."""
        flight = self._flight or Flight()
        flight.ask(fields.pop("timeout", None), fields.pop("priority", 0), fields.pop("partial", False))
        out, names = out or {}, (outputs,) if isinstance(outputs, str) else None if outputs is None else tuple(outputs)
        key = signature(name, fields, names, out)
        asked = self.info_.asked.get(key) if key else None
        if asked:
            return self._run(asked, asked.arrange(fields), progress, flight, out)
        call = Call(self.info_, name)
        if "columns" in fields and call.request.of("columns"):
            fields["columns"] = self._columns(name, fields["columns"])
        call.take(fields)
        n = call.prepare()
        asked = Asked(call.request, n, call.options, self._want(call, names, n), out, call.given)
        got = self._run(asked, call.given, progress, flight, out)
        if key and asked.fits(fields):
            self.info_.keep(key, asked)
        return got

    def _run(self, asked: Asked, given: dict[str, np.ndarray], progress, flight: Flight, out: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        self._check_open()
        check_places(asked.want, out)
        bar = Bar(asked.request.name) if progress is True else progress or None
        try:
            got = self._backend.run(self.info_, asked, given, bar, flight, out)
            if flight.partial:
                blank(got)
            return got
        finally:
            if isinstance(bar, Bar):
                bar.close()

    def rollout(self, initial_state, control=None, nstep: int | None = None, initial_warmstart=None,
                outputs: Sequence[str] = (), progress=False, *, only: bool = False, every: int | str = 1, aligned: bool = False,
                dtype="f8", out=None, control_spec: int = CTRL, hold: int = 1,
                knots: str | None = None, knot_times=None, delay: int = 0, feedback=None, step_size=None, costs: Sequence[Cost] | Cost | None = None, **fields) -> RolloutResult:
        """Simulate from each initial state.

        initial_state      (nstate,) or (B or 1, nstate): [time, qpos, qvel, act, ...]
        control            None, (ncontrol,), (T, ncontrol) or (B or 1, T or 1, ncontrol); past its end the last row is held
        nstep              steps; default: rows of control times hold
        initial_warmstart  (nv,) or (B or 1, nv)
        outputs            names of further arrays: any of `Model.outputs`, or rows of one: "xpos[head]", "sensordata[gyro, 0:3]",
                           "qpos[knee]". Between brackets stand names of elements (bodies, geoms, sites, ...; joints for arrays
                           over nq or nv, sensors for sensordata, actuators for act), numbers of rows, and ranges a:b of them
        only               True: nothing but `outputs` is computed and sent; state, sensordata, final_state and final_warmstart
                           are None where `outputs` does not name them
        every              1: a row of results for each step; k: for steps k, 2k, ...; "last": one row, after the last step
        aligned            of which state rows are. Row t of `state` (and of time, qpos, qvel, act) is the state after step t. All
                           else (sensordata, xpos, qacc, ...) is what step t has computed, as after `mj_step`: it belongs to the
                           state that the step began from, one step behind. True: it belongs to the state after step t, by
                           forward dynamics with the controls of the next step (after the last step: with the last ones)
        dtype              "f4": state, sensordata and outputs are float32
        out                {name: array}: results with these names are written there, into arrays in C order; an earlier result's will do
        progress           True for a bar, or a function of (done, total)
        control_spec       mjtState bits that a control row holds
        hold               steps that each control row is held. hold = every = n: n physics steps for each control and row
        knots              "zero", "linear" or "cubic": rows of control are knots, and controls a spline between them, evaluated
                           every `hold` steps; give nstep, or feedback, whose K has a row for each step. With t in [t[j], t[j+1]], h = t[j+1] - t[j], s = (t - t[j]) / h:
                           zero: p[j]; linear: (1 - s) p[j] + s p[j+1]; cubic (Hermite): (2s^3 - 3s^2 + 1) p[j] +
                           (s^3 - 2s^2 + s) h v[j] + (3s^2 - 2s^3) p[j+1] + (s^3 - s^2) h v[j+1], where the slope v[j] is the mean
                           of (p[j+1] - p[j]) / (t[j+1] - t[j]) and of the one before, at the ends the one that exists.
                           Before the first knot and after the last it has their value
        knot_times         (K,) or (B or 1, K): seconds from the begin of the rollout, ascending. Default: knot j at step
                           j (nstep - 1) / (K - 1), of "zero" at step j nstep / K
        delay              steps after which a control reaches the actuators (feedback sees the state at which it is computed);
                           `earlier` (B or 1, delay, ncontrol) holds until then
        feedback           (X, U, K): u = clamp(U + a k + K (x - X)) in each step that hold divides, with row t of X (T, nstate),
                           U (T, nu) or None and K (T, nu, ndx) in step t, shared or (B, T, ...). k is `control` (None: zero), a is
                           step_size. x - X is ordered dq (nv, as mj_differentiatePos), dv (nv), dact (na); u is clamped to
                           ctrlrange as the engine does. X may have one row more, which is not used. The output "ctrl" is u
        step_size          a: a number or (B,): a line search over step sizes is one request
        warmstart          accelerations that the solver starts from: (n, nv) or (B or 1, n, nv), row t + shift in step t; a step
                           without a row starts from the solution of the step before. Or an earlier result that was asked for
                           outputs=("solution",): the (B, T, nv) accelerations that its solver found
        shift              steps that passed since that result began
        costs              terms of a cost (sheaf.Cost). Then the result has only cost, cost_parts and the arrays that `outputs`
                           names ("state" and "sensordata" are possible names, too); no others are computed, copied or sent

        A rollout that diverges has a status other than 0, and badstep is its first step that is not valid. From there on its
        arrays repeat the step before: step badstep - 1 is the last that the simulation made (if the first step is bad, they
        repeat the initial state, and zeros for sensordata and outputs). final_state is the state that the bad step began from;
        where `every` leaves out rows, so is the state in the rows from there on.
        `mj_step` resets a single simulation instead; steps after a reset would look like a valid rollout that began at the
        model's initial state.
        """
        request = REQUESTS["rollout"]
        control_spec = number(request, request.field("control_spec"), control_spec) or CTRL
        hold = number(request, request.field("hold"), hold)
        nctl = self.info_.control_sizes(control_spec)
        if control is not None:
            c = array("control", control, nctl)
            c = c[np.newaxis, np.newaxis] if c.ndim == 1 else c[np.newaxis] if c.ndim == 2 else c
            if c.ndim != 3 or c.shape[2] != nctl or c.shape[1] == 0:
                raise InvalidArgument("wrong shape", field="control",
                                      expected=f"({nctl},), (T, {nctl}) or (B, T, {nctl})", got=str(np.shape(control)))
            control = c
        if hold < 1:
            raise InvalidArgument("controls are held for at least one step", field="hold", expected="1 or more", got=str(hold))
        fields |= self._feedback(feedback, step_size, nstep)
        if nstep is None and knots is not None and not feedback:
            raise InvalidArgument("knots do not tell how long a rollout is", field="nstep", expected="a number of steps", got="None")
        if nstep is None:
            nstep = fields["feedback_gain"].shape[-3] if feedback else (1 if control is None else control.shape[1]) * hold
        nstep = number(request, request.field("nstep"), nstep)
        if nstep < 1:
            raise InvalidArgument("no steps", field="nstep", expected="1 or more", got=str(nstep))
        names = [outputs] if isinstance(outputs, str) else list(outputs)
        fields["warmstart"] = accelerations(fields.get("warmstart"))
        fields |= {"knots": knots, "knot_times": knot_times, "delay": delay, "step_size": step_size}
        own = ["state", "sensordata", "final_state", "final_warmstart"]
        if costs is not None:
            own = ["cost", "cost_parts"]
            fields |= cost.fields(self._cost_elements, costs, nstep)
        elif only:
            own = []
        got = self._compute("rollout", {"state0": initial_state, "control": control, "nstep": nstep, "control_spec": control_spec,
                                        "warmstart0": initial_warmstart, "hold": hold, "every": every, "aligned": aligned,
                                        "dtype": dtype, **fields}, own + names or ["status"], progress, out)
        return RolloutResult(*map(got.get, ("state", "sensordata", "status", "badstep")), {n: got[n] for n in names},
                             *map(got.get, ("final_state", "final_warmstart", "cost", "cost_parts")))

    @staticmethod
    def _feedback(feedback, step_size, nstep: int | None) -> dict[str, np.ndarray]:
        if feedback is None and step_size is not None:
            raise InvalidArgument("there is no feedback that it scales", field="step_size", expected="None, or feedback=(X, U, K)", got=str(step_size))
        if feedback is None:
            return {}
        try:
            X, U, K = feedback
        except (TypeError, ValueError):
            raise InvalidArgument("wrong shape", field="feedback", expected="(X, U, K)", got=type(feedback).__name__) from None
        X, K = array("feedback_state", X, 0), array("feedback_gain", K, 0)
        if K.ndim < 3 or X.ndim < 2:
            raise InvalidArgument("wrong shape", field="feedback", expected="X (T, nstate), K (T, nu, ndx), or (B, T, ...)",
                                  got=f"X {X.shape}, K {K.shape}")
        steps = K.shape[-3] if nstep is None else nstep
        return {"feedback_state": X[..., :-1, :] if X.shape[-2] == steps + 1 else X, "feedback_ctrl": U, "feedback_gain": K}

    _STAGES = {None: 0, "pos": 1, "vel": 2, "acc": 3}

    def forward(self, qpos=None, qvel=None, ctrl=None, outputs: Sequence[str] = ("qacc",), *, stage: str | None = None,
                progress=False, out=None, **fields) -> dict[str, np.ndarray]:
        """Forward dynamics at given states: a dict of (B, ...) arrays by name, and "status" (B,).

        outputs: as in `rollout`; all belong to the given state. out: {name: array} to write results into.

        Inputs that are left out take the model's defaults (qpos0, zero). stage: "pos" or "vel" stops after what depends on
        positions or velocities, "acc" computes everything; None goes as far as the outputs need, and status tells of bad
        numbers up to there.
        """
        if stage not in self._STAGES:
            raise InvalidArgument("no such stage", field="stage", expected="pos, vel or acc", got=repr(stage))
        return self._compute("forward", {"qpos": qpos, "qvel": qvel, "ctrl": ctrl, "stage": self._STAGES[stage], **fields},
                             outputs, progress, out)

    def inverse(self, qpos=None, qvel=None, qacc=None, *, discrete: bool = False, outputs: Sequence[str] | None = None,
                progress=False, out=None, **fields):
        """Inverse dynamics. Returns qfrc_inverse (B, nv), or with `outputs` a dict of arrays by name, and "status".

        outputs, out: as in `rollout`; all belong to the given state.

        discrete: qacc is the acceleration of a step, (next velocity - velocity) / timestep.
        """
        got = self._compute("inverse", {"qpos": qpos, "qvel": qvel, "qacc": qacc, "discrete": discrete, **fields}, outputs,
                            progress, out)
        return got["qfrc_inverse"] if outputs is None else got

    def transition_fd(self, state, ctrl=None, eps: float = 1e-6, centered: bool = False, *, outputs: Sequence[str] = (), progress=False,
                      out=None, **fields) -> Matrices:
        """Derivatives of a step by finite differences: A (B, ndx, ndx), B (B, ndx, nu), C (B, nsensordata, ndx),
        D (B, nsensordata, nu), with ndx = 2*nv + na. NaN in rows whose state is not valid.

        state may be (B, nstate), or (B, T, nstate): rows are then B*T. Steps begin there, as in `transition_derivatives`.
        outputs: names as in `forward`, at the given states, as forward dynamics leave them: in r.outputs, (B, ...) by name, with r what
        this returns. out: {name: array} to write results into; an output is "nominal.xpos[head]" there.
        """
        got = self._compute("transition_fd", {"state": _flat("state", state), "ctrl": _flat("ctrl", ctrl),
                                              "eps": eps, "centered": centered, **fields}, [*"ABCD", *nominal(outputs)], progress, out)
        return Matrices(_valid(got, "ABCD"), take_nominal(got))

    def inverse_fd(self, qpos=None, qvel=None, qacc=None, eps: float = 1e-6, actuation: bool = False, *, outputs: Sequence[str] = (),
                   progress=False, out=None, **fields) -> Matrices:
        """Derivatives of inverse dynamics: DfDq, DfDv, DfDa, (B, nv, nv) each, row = force, column = perturbed quantity.

        outputs, out: as in `transition_fd`, as inverse dynamics leave them.
        """
        got = self._compute("inverse_fd", {"qpos": qpos, "qvel": qvel, "qacc": qacc, "eps": eps, "actuation": actuation, **fields},
                            ["DfDq", "DfDv", "DfDa", *nominal(outputs)], progress, out)
        return Matrices(_valid(got, ("DfDq", "DfDv", "DfDa")), take_nominal(got))

    def transition_derivatives(self, state, ctrl=None, *, mode: str = "auto", want: str = "AB", of: Sequence[str] = ("next",),
                               columns: Sequence[str | int] | str | None = None, eps: float = 1e-6, centered: bool = False,
                               outputs: Sequence[str] = (), progress=False, out=None, **fields) -> Derivatives:
        """Derivatives of a step: A, B, C, D = m.transition_derivatives(x, u, want="ABCD"). The shapes are those of transition_fd.

        state  (B, nstate), or (B, T, nstate): rows are then B*T. They are those from which steps begin. `rollout` returns those after
               steps: step t of rollout b begins at r.state[b, t - 1], the first at its initial state
        mode   "implicit" differentiates the optimality condition of the constraint solver: exact up to its tolerance, and many
               times as fast as differences of steps; every integrator. "fd" takes differences of whole steps, with eps and
               centered. "auto" is implicit for all models that it covers, else fd
        want   the matrices that unpacking gives
        of     further results as attributes: "next" (next_state, (B, nstate)), "sensordata" (C, D), "qacc": the acceleration at
               the state (B, nv) and its derivatives qacc_x (B, nv, ndx) and qacc_u (B, nv, nu). Names of outputs, with elements
               if you like ("site_xpos[hand]", "ten_length", "qfrc_constraint", "energy"), give their derivatives at the state:
               dx, du = r.of["site_xpos[hand]"], (B, 3, ndx) and (B, 3, nu). Quaternions, matrices and qpos are raw numbers.
               Frames, lengths and centers of mass are formulas; "fd" has no named outputs
        columns  the columns to compute, all if None: ("qpos[root]", "qvel", "act", "ctrl[hip_left, 3]") by element, number and range as
               in outputs, but numbers of qpos count dofs; or numbers of columns: positions (nv), velocities (nv), activations (na),
               controls (nu). A, C, qacc_x and dx have those by the state in the order given, B, D, qacc_u and du those by
               controls. The others are not computed; these have the bits that they have beside them. With "fd", too
        outputs  names as in `forward`: the outputs themselves at the given states, with any mode: r.outputs["contact[8]"], (B, 8, 24)
        out    {name: array} to write results into ("A": (B, ndx, ndx); a named output of `of`: (B, ndx + nu, ...), of `outputs`:
               "nominal.xpos[hand]" (B, 3)). Calls again and again into the same arrays are faster, as new memory costs as much as
               a third of a humanoid's derivatives

        Controls outside of their range have no effect, so their columns are zero. Where contacts begin or end and rows change
        their state, derivatives are those of the side on which the state lies. `fallback` of the result names what was done by differences.
        It has "step", and mode "implicit" is refused, for models with trees that sleep from the start and for those with plugins of actuators that
        have a state beside their activations.
        """
        order, ask, named = wanted(want, of)
        chosen = self._columns("transition_derivatives", columns)
        got = self._compute("transition_derivatives",
                            {"state": _flat("state", state), "ctrl": _flat("ctrl", ctrl), "eps": eps,
                             "centered": centered, "columns": chosen, "mode": choose("mode", mode, {"auto": 0, "implicit": 1, "fd": 2}), **fields},
                            ask + nominal(outputs), progress, out)
        _valid(got, ask)
        return Derivatives(got, order, named, columns_of.size("nxcol", chosen or (), self.info_.sizes))

    def inverse_derivatives(self, qpos=None, qvel=None, qacc=None, *, mode: str = "auto",
                            columns: Sequence[str | int] | str | None = None, eps: float = 1e-6, actuation: bool = False,
                            outputs: Sequence[str] = (), progress=False, out=None, **fields) -> Derivatives:
        """Derivatives of inverse dynamics: DfDq, DfDv, DfDa, (B, nv, nv) each, row = force. out: {name: array} to write them into.

        mode       "analytic", "fd" (differences of inverse_fd), or "auto": analytic for all models that it covers
        columns    the columns to compute, as in `transition_derivatives`: elements of "qpos", "qvel" and "qacc". DfDq has those by
                   positions in the order given, DfDv those by velocities, DfDa those by accelerations
        actuation  subtract actuator forces
        outputs    names as in `inverse`, at the given states, as inverse dynamics leave them: r.outputs["xpos[head]"], (B, 3)
        """
        order = ("DfDq", "DfDv", "DfDa")
        got = self._compute("inverse_derivatives",
                            {"qpos": qpos, "qvel": qvel, "qacc": qacc, "eps": eps, "actuation": actuation, "columns": columns,
                             "mode": choose("mode", mode, {"auto": 0, "analytic": 1, "fd": 2}), **fields}, [*order, *nominal(outputs)], progress, out)
        _valid(got, order)
        return Derivatives(got, order)

    def inverse_regressor(self, qpos=None, qvel=None, qacc=None, *, by: Sequence[str] | str = "body_mass", actuation: bool = False,
                          force: bool = False, outputs: Sequence[str] = (), progress=False, out=None, **fields) -> Regressor:
        """Derivatives of inverse dynamics by numbers of the model.

        by         names of numbers as in `params` ("body_mass", "dof_damping", "opt.gravity"), or rows of one by name, number and
                   range: "body_mass[torso, head]", "geom_friction[floor]"
        actuation  subtract actuator forces, so that gains and biases count
        force      also return qfrc_inverse (B, nv)
        outputs    names as in `inverse`, at the given states: r.outputs["xpos[head]"] (B, 3)
        out        {name: array} to write results into: "body_mass", "qfrc_inverse", "nominal.xpos[head]"

        Returns a Regressor: r["body_mass"] is (B, nv, nbody), d force / d number in generalized coordinates. What mj_setConst
        derives from a number follows it, unless keep_constants=True. r.fallback has "parameter" if there were numbers without a
        formula, for which differences of inverse dynamics were taken. Raises FailedPrecondition for parts of quaternions and
        axes, and for numbers on which the structure of the model depends.
        """
        return self._regressor("inverse_regressor", by, ("qfrc_inverse",) if force else (), outputs, progress, out,
                               {"qpos": qpos, "qvel": qvel, "qacc": qacc, "actuation": actuation, **fields})

    def transition_regressor(self, state, ctrl=None, *, by: Sequence[str] | str = "body_mass", next_state: bool = False,
                             outputs: Sequence[str] = (), progress=False, out=None, **fields) -> Regressor:
        """Derivatives of a step by numbers of the model, by the optimality condition of the constraint solver.

        state  (B, nstate), or (B, T, nstate) as in `transition_derivatives`; ctrl (B, nu) or (B, T, nu), zero
        by     as in `inverse_regressor`
        outputs  names as in `forward`, at the given states: r.outputs["xpos[head]"] (B, 3)
        out    {name: array} to write results into: "body_mass", "next_state", "nominal.xpos[head]"

        Returns a Regressor: r["body_mass"] is (B, ndx, nbody), d next state / d number, where a change of the state is dq (nv), dv
        (nv), dact (na). With next_state=True also r.next_state. Over several steps, with A of `transition_derivatives`:
        S = A S + r[...].
        """
        return self._regressor("transition_regressor", by, ("next_state",) if next_state else (), outputs, progress, out,
                               {"state": _flat("state", state), "ctrl": _flat("ctrl", ctrl), **fields})

    def _regressor(self, name: str, by, more, outputs, progress, out, fields: dict) -> Regressor:
        by = [by] if isinstance(by, str) else list(by)
        got = self._compute(name, fields, [*by, *more, *nominal(outputs)], progress, out)
        _valid(got, (*by, *more))
        return Regressor(got, by)


for _request in REQUESTS.values():
    if hasattr(Model, _request.name):
        complete(getattr(Model, _request.name), _request)
    else:
        setattr(Model, _request.name, plain(_request))
