# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Planning by sampling: one request per tick of a controller. The definitions are those of sheaf/sampling.h."""
from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from numbers import Real

import numpy as np

from . import cost as costs
from .calls import array, number
from .cost import Cost
from .errors import InvalidArgument
from .shards import divide
from .table import REQUESTS

SPLINES = ("zero", "linear", "cubic")    # sheafSpline


@dataclasses.dataclass
class PredictiveSampling:
    """The plan becomes the sample of lowest cost (Howell et al. 2022, arXiv:2212.00541).

    samples     rollouts of each iteration; the first is the plan itself
    noise       standard deviation of the knots: a number, (nu,), (K, nu) or (B, K, nu)
    iterations  how often samples are drawn
    """
    samples: int = 64
    noise: object = 0.1
    iterations: int = 1

    def fields(self) -> dict:
        for name, value in vars(self).items():
            if name not in ("noise", "least_noise") and not (isinstance(value, Real) and value > 0):
                raise InvalidArgument("wrong number", field=name, expected="more than 0", got=repr(value))
        return {"method": 1, "nsample": self.samples, "niteration": self.iterations}


@dataclasses.dataclass
class MPPI(PredictiveSampling):
    """The plan becomes the mean of all samples with weights exp(-(cost - lowest cost) / temperature) (Williams et al. 2017)."""
    temperature: float = 0.1

    def fields(self) -> dict:
        return super().fields() | {"method": 2, "temperature": self.temperature}


@dataclasses.dataclass
class CEM(PredictiveSampling):
    """The cross-entropy method (Rubinstein 1999): the plan becomes the mean of the `elites` samples of lowest cost, and the noise
    their standard deviation, at least `least_noise`."""
    elites: int = 8
    least_noise: float = 0.0

    def fields(self) -> dict:
        return super().fields() | {"method": 3, "nelite": self.elites, "least_noise": self.least_noise}


@dataclasses.dataclass
class Gradient(PredictiveSampling):
    """Steps along the derivative of the cost by the knots (as the gradient planner of Howell et al. 2022): the plan becomes the best of
    `samples` plans, of which the first is the plan itself and the others are steps of different lengths, in one round of rollouts.

    noise  scale of the knots: a step is down the gradient in units of it, so a step of length 1 moves one knot by its `noise`
    step   length of the longest step
    ratio  length of each shorter step over that of the step before

    Derivatives of the steps are those of `transition_derivatives`. `outputs=("gradient",)` returns the derivative.
    """
    samples: int = 16
    step: float = 1.0
    ratio: float = 0.5

    def fields(self) -> dict:
        return super().fields() | {"method": 4, "step": self.step, "step_ratio": self.ratio}


@dataclasses.dataclass
class SampleResult:
    """Result of `sample`. Arrays that were not asked for are None."""
    knots: np.ndarray               # (B, K, nu) the improved plan
    noise: np.ndarray               # (B, K, nu) standard deviations after the last iteration
    cost: np.ndarray                # (B, samples) costs in the last iteration; the first sample is the plan before it
    status: np.ndarray              # (B,) 0, or why the plan's rollout is not valid where no sample is
    top_cost: np.ndarray | None     # (B, top) the lowest costs, best first
    top_knots: np.ndarray | None    # (B, top, K, nu) knots of these samples
    top_state: np.ndarray | None    # (B, top, T, nstate) their rollouts
    plan_cost: np.ndarray | None    # (B,) cost of the improved plan
    plan_state: np.ndarray | None   # (B, T, nstate) its rollout
    plan_solution: np.ndarray | None = None   # (B, T, nv) accelerations in it, the next call's warmstart
    gradient: np.ndarray | None = None        # (B, K, nu) derivative of the cost by the knots, before the last iteration
    # (B, 1 + top, T, ...) by name: of the improved plan's rollout, then of those of the best samples. T: nstep, nstep // every, or 1
    outputs: dict[str, np.ndarray] = dataclasses.field(default_factory=dict)

    @property
    def control(self) -> np.ndarray:
        """(B, nu) the controls to apply now: the first knot, where every spline begins."""
        return self.knots[:, 0]

    def __repr__(self) -> str:
        own = [(f.name, getattr(self, f.name)) for f in dataclasses.fields(self) if f.name not in ("status", "outputs")]
        shapes = [f"{n} {a.shape}" for n, a in [*own, *self.outputs.items()] if a is not None]
        bad = np.flatnonzero(self.status)
        return f"<sheaf.SampleResult {', '.join(shapes)}; plans: {f'{bad.size} of {len(self.status)} not valid' if bad.size else 'all valid'}>"


def _shaped(field: str, value, K: int, nu: int) -> np.ndarray:
    """Numbers for each knot as (B or 1, K, nu): a number, (nu,), (K, nu) or (B, K, nu)."""
    a = array(field, value, nu)
    try:
        return np.array(np.broadcast_to(a, (a.shape[0] if a.ndim == 3 else 1, K, nu)))
    except ValueError:
        raise InvalidArgument("wrong shape", field=field, expected=f"a number, ({nu},), ({K}, {nu}) or (B, {K}, {nu})",
                              got=str(a.shape)) from None


class Sampling:
    """The call `sample` of a model."""

    def sample(self, initial_state, plan, *, sampler: PredictiveSampling, cost: Sequence[Cost] | Cost, nstep: int | None = None, seed=0,
               spline: str = "cubic", shift: int = 0, hold: int = 1, discount: float = 1.0, top: int = 0, outputs: Sequence[str] = (),
               every: int | str = 1, aligned: bool = False, dtype="f8", out=None,
               initial_warmstart=None, warmstart=None, params: dict | None = None, keep_constants: bool = False,
               shards: Sequence = (), progress=False, timeout: float | None = None, partial: bool = False, priority: int = 0) -> SampleResult:
        """Improve a plan of controls by rollouts of random plans around it. All iterations are one request.

        initial_state      (nstate,) or (B, nstate): [time, qpos, qvel, act, ...]
        plan               (K, nu) or (B or 1, K, nu): knots, evenly spaced over the steps; or K, for zeros
        sampler            sheaf.PredictiveSampling, sheaf.MPPI, sheaf.CEM or sheaf.Gradient
        cost               terms (sheaf.Cost): samples of low cost are better
        nstep              steps of each rollout (T); default: knots times hold, so that with hold=1 the plan has a knot for each step
        seed               an integer from 0 to 2^53, or (B,): the noise is a function of it and of nothing else
        spline             "zero" (hold), "linear" or "cubic": controls between knots
        shift              steps by which the plan is moved forward first: those that passed since the plan was made
        hold               steps that each control is held
        discount           factor of the cost from each step to the next; 0: 1
        top                how many of the best samples to return
        outputs            more results: "plan_cost", "plan_state" and "plan_solution" of the improved plan, "top_state" of the best
                           samples (their rollouts are computed once more), "gradient" (sheaf.Gradient); and any names that
                           `rollout` takes ("xpos[head]", "sensordata", "contact[8]"), which come in `r.outputs` for the improved
                           plan's rollout and, behind it, those of the best samples: (B, 1 + top, T, ...)
        every, aligned     which rows plan_state, top_state and named outputs have, and of which state outputs are: as in `rollout`.
                           By default row t of states is the state after step t, and sensordata, xpos, qacc, ... in row t belong to
                           the state that the step began from, one step behind; aligned=True: to the state beside them
        dtype              "f4": plan_state, top_state and named outputs are float32
        out                {name: array} to write results into
        initial_warmstart  (nv,) or (B or 1, nv)
        warmstart          accelerations that the solver starts from in every rollout, (n, nv) or (B or 1, n, nv): row t + shift in
                           step t; steps without a row start from the step before. Or an earlier result that has plan_solution
        params             numbers of the model that plans set, by name, as in `rollout`: for all, or a row for each plan
        keep_constants     do not call mj_setConst for plans with params
        shards             the same model in other sessions: each rolls out a part of the samples. The bits are those without shards
        timeout, priority  as in `rollout`, and so is partial, for plans: those that are done. With shards there are no partial results

        Controls are clamped to the ranges of actuators that have one. Rollouts that diverge cost infinity and are never chosen.
        The bits of the result depend on the arguments alone: not on threads, lanes, other rows or the server.
        """
        info, K = self.info_, plan if isinstance(plan, (int, np.integer)) else np.shape(plan)[-2] if np.ndim(plan) in (2, 3) else 0
        if K < 1:
            raise InvalidArgument("wrong shape", field="plan", expected=f"(K, {info.sizes['nu']}), (B, K, {info.sizes['nu']}) or K",
                                  got=str(np.shape(plan) or plan))
        if not isinstance(sampler, PredictiveSampling):
            raise InvalidArgument("wrong type", field="sampler", expected="sheaf.PredictiveSampling(...), MPPI(...), CEM(...) or Gradient(...)",
                                  got=repr(sampler))
        nstep = number(REQUESTS["sample"], REQUESTS["sample"].field("nstep"), K * hold if nstep is None else nstep)
        if spline not in SPLINES:
            raise InvalidArgument("no such spline", field="spline", expected=", ".join(SPLINES), got=repr(spline))
        if partial and shards:
            raise InvalidArgument("shards have no partial results", field="partial", expected="False with shards", got="True")
        fields = sampler.fields() | costs.fields(self._cost_elements, cost, nstep) | {
            "nstep": nstep, "nknot": K, "spline": 1 + SPLINES.index(spline), "shift": shift, "hold": hold, "discount": discount,
            "ntop": top, "state0": initial_state, "warmstart0": initial_warmstart, "seed": seed,
            "every": every, "aligned": aligned, "dtype": dtype, "warmstart": getattr(warmstart, "plan_solution", warmstart), "params": params, "keep_constants": keep_constants,
            "plan": None if np.ndim(plan) == 0 else _shaped("plan", plan, K, info.sizes["nu"]),
            "noise": _shaped("noise", sampler.noise, K, info.sizes["nu"]), "timeout": timeout, "priority": priority, "partial": partial}
        asked = [outputs] if isinstance(outputs, str) else list(outputs)
        names = ["knots", "spread", "cost"] + (["top_cost", "top_knots"] if top else []) + asked
        got = divide(self, shards, fields, names, out) if shards else self._compute("sample", fields, names, progress, out)
        return SampleResult(*map(got.get, ("knots", "spread", "cost", "status", "top_cost", "top_knots", "top_state", "plan_cost",
                                           "plan_state", "plan_solution", "gradient")),
                            {name: got[name] for name in asked if REQUESTS["sample"].field(name) is None})
