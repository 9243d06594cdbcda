# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Costs of rollouts. The server computes them with the rollout, so only one number per rollout is sent."""
from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from numbers import Real

import numpy as np

from .errors import InvalidArgument

NORMS = ("quadratic", "l2", "smooth_abs", "smooth_abs2", "cosh", "power", "rectify", "sum")    # sheafNorm


@dataclasses.dataclass
class Cost:
    """A term of a cost: weight * norm(elements - target), in every step of a rollout.

    norm      one of the norms below, where x are the elements minus their targets
    of        the elements: "sensordata[height]" (a sensor), "qpos[hip]", "qvel[hip]" (a joint), "act[muscle]", "ctrl[motor]"
              (an actuator), with a number "qpos[2]", a range "state[1:4]", or without brackets the whole array
    weight    weight in every step
    target    None (zero), a number, (n,) for n elements, or (T, n) for the steps of a rollout
    terminal  weight in the last step, in addition to `weight`
    p, q      parameters of the norm

        quadratic    1/2 sum x^2
        l2           sqrt(sum x^2 + p^2) - p
        smooth_abs   sum (sqrt(x^2 + p^2) - p)
        smooth_abs2  sum ((|x|^q + p^q)^(1/q) - p)
        cosh         sum p^2 (cosh(x / p) - 1)
        power        sum |x|^p
        rectify      sum p log(1 + exp(x / p))
        sum          sum x; with a negative weight a reward

    The norms are those of MuJoCo MPC (Howell et al. 2022, arXiv:2212.00541) and the sum. The elements in step t are those of
    row t of a rollout's results: sensors as made within the step, of the state that it began from; the state after the step;
    the controls that were applied in it. A rollout costs

        sum over t of discount^t * sum over terms of weight * norm,  plus discount^(T-1) * terminal * norm in its last step,

    and infinity if it stops being valid or the sum is not finite.
    """
    norm: str
    of: str
    weight: float = 1.0
    target: object = None
    terminal: float = 0.0
    p: float = 0.1
    q: float = 2.0


def _targets(cost: Cost, count: int, nstep: int) -> np.ndarray:
    """Targets of the elements of a term, (T or 1, count)."""
    try:
        a = np.asarray(cost.target, dtype=np.float64)
        return np.broadcast_to(a, (1 if a.ndim < 2 or len(a) == 1 else max(nstep, len(a)), count))
    except (TypeError, ValueError):
        raise InvalidArgument("wrong shape", field="target", expected=f"({count},) or ({nstep}, {count})",
                              got=str(np.shape(cost.target))) from None


def _check(cost) -> None:
    if not isinstance(cost, Cost):
        raise InvalidArgument("wrong type", field="cost", expected="sheaf.Cost, or a list of them", got=type(cost).__name__)
    if cost.norm not in NORMS:
        raise InvalidArgument("no such norm", field="norm", expected=", ".join(NORMS), got=repr(cost.norm))
    for name in ("weight", "terminal", "p", "q"):
        if not isinstance(getattr(cost, name), Real):
            raise InvalidArgument("wrong type", field=name, expected="a number", got=repr(getattr(cost, name)))


def fields(find: Callable[[str], tuple[int, int, int]], costs: Sequence[Cost] | Cost, nstep: int) -> dict[str, np.ndarray]:
    """The inputs cost_term and cost_target of a request of nstep steps. find("qpos[hip]") gives source, first element and how many."""
    terms, targets, n = [], [], 0
    for cost in costs if np.iterable(costs) and not isinstance(costs, str) else [costs]:
        _check(cost)
        source, first, count = find(cost.of)
        at, stride = -1, 0
        if cost.target is not None:
            target = _targets(cost, count, nstep)
            at, stride = n, count if len(target) > 1 else 0
            n += target.size
            targets.append(target.ravel())
        p = 0.0 if cost.norm in ("quadratic", "sum") else cost.p
        terms.append((NORMS.index(cost.norm), source, first, count, cost.weight, cost.terminal, p, cost.q, at, stride))
    if not terms:
        raise InvalidArgument("no terms", field="cost", expected="one or more sheaf.Cost", got="none")
    given = {"cost_term": np.array([terms], dtype=np.float64)}
    return given | ({"cost_target": np.concatenate(targets)[np.newaxis]} if targets else {})
