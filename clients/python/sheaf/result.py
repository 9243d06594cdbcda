# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""What a rollout returns."""
from __future__ import annotations

import dataclasses

import numpy as np

from .codes import Row
from .errors import InvalidArgument


@dataclasses.dataclass(repr=False)
class RolloutResult:
    """Result of `rollout`; unpacks into (state, sensordata). Arrays that were not asked for are None."""
    state: np.ndarray              # (B, T, nstate) after each step; None if only other outputs were asked for
    sensordata: np.ndarray         # (B, T, nsensordata) computed within each step, of the state it began from (see `aligned`)
    status: np.ndarray             # (B,) 0, or why the rollout stopped being valid: 1 + mjtWarning, 100, 101, 102
    badstep: np.ndarray            # (B,) first step that is not valid, -1
    outputs: dict[str, np.ndarray]  # (B, T, ...) by name; T: nstep, nstep // every, or 1
    final_state: np.ndarray        # (B, nstate)
    final_warmstart: np.ndarray    # (B, nv); with final_state continues the rollouts with the same bits
    cost: np.ndarray | None = None          # (B,) with costs=
    cost_parts: np.ndarray | None = None    # (B, terms) what each term adds to it

    def __iter__(self):
        return iter((self.state, self.sensordata))

    def __repr__(self) -> str:
        bad = np.flatnonzero(self.status)
        rows = "all valid" if not bad.size else f"{bad.size} of {len(self.status)} not valid (the first: {bad[0]}, " \
            f"{Row.name_of(self.status[bad[0]])} in step {self.badstep[bad[0]]})"
        own = [("state", self.state), ("sensordata", self.sensordata), ("cost", self.cost)]
        shapes = [f"{n} {a.shape}" for n, a in [*own, *self.outputs.items()] if a is not None]
        return f"<sheaf.RolloutResult {', '.join(shapes)}; rows: {rows}>"


def accelerations(warmstart):
    """What warmstart= stands for: of a result, the accelerations that its solver found."""
    if not isinstance(warmstart, RolloutResult):
        return warmstart
    found = warmstart.outputs.get("solution")
    if found is None:
        raise InvalidArgument("nothing to start from", field="warmstart", expected='a result of outputs=("solution",)', got="one without")
    return found
