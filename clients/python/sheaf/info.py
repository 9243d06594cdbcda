# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""What is known about models: of a compiled one, and of those that a server holds."""
from __future__ import annotations

import dataclasses

import numpy as np

from .asked import KEPT, Asked

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


@dataclasses.dataclass
class Info:
    """What is known about a compiled model, from either backend."""
    hash: bytes
    sizes: dict[str, int]
    timestep: float
    integrator: int
    lanes: int
    arrays: dict[str, np.ndarray]                # qpos0, state0, ctrlrange, key_qpos, ...
    name: str                                    # the model's name in its file
    names: dict[str, list[str]]                  # "body", "joint", ... -> names in order of id
    elements: dict[str, dict[str, np.ndarray]]   # the same kinds -> columns of elements.py, in order of id
    outputs: dict[str, tuple[int, ...]]          # named outputs and their shape for one state
    params: dict[str, np.ndarray] = dataclasses.field(default_factory=dict)    # numbers that rows may set, with the model's values
    elements_of_costs: dict[str, tuple[int, int, int]] = dataclasses.field(default_factory=dict)    # names that were asked for
    chosen: dict[str, tuple[int, ...]] = dataclasses.field(default_factory=dict)    # outputs with brackets that were asked for
    asked: dict[tuple, Asked] = dataclasses.field(default_factory=dict)    # by signature
    columns_by_name: dict[tuple[int, str], list[int]] = dataclasses.field(default_factory=dict)    # those too, by the kind of request

    def __post_init__(self):
        self.sizes["ndxu"] = self.sizes["ndx"] + self.sizes["nu"]
        # rows over dofs stay rows where there is one dof
        for name in self.outputs:
            self.outputs[name] = self.over_dofs(name, self.outputs[name])
        for values in self.params.values():
            values.flags.writeable = False    # they are the model's: rows get their own by params=

    def keep(self, key: tuple, asked: Asked) -> None:
        """For further calls with this signature."""
        if len(self.asked) >= KEPT:
            self.asked.clear()
        self.asked[key] = asked

    def control_sizes(self, spec: int) -> int:
        """Size of a control row for bits of mjtState from mjSTATE_CTRL on."""
        if spec == CTRL:
            return self.sizes["nu"]
        n = self.sizes
        per_bit = {5: n["nu"], 6: n["nv"], 7: 6 * n["nbody"], 8: n["neq"], 9: 3 * n["nmocap"], 10: 4 * n["nmocap"], 11: n["nuserdata"]}
        return sum(size for bit, size in per_bit.items() if spec >> bit & 1)

    def over_dofs(self, name: str, shape: tuple[int, ...]) -> tuple[int, ...]:
        """The shape of an output whose columns are the dofs, of which there may be one."""
        rows = name.split("[")[0]
        columns = name in ("M", "ten_J", "flexedge_J") or rows == "efc_J" or rows.startswith(("jac_", "jacp_", "jacr_"))
        return (shape[0], self.sizes["nv"]) if columns else shape


@dataclasses.dataclass(frozen=True)
class LoadedModel:
    """A row of `Session.models`."""
    hash: str
    name: str
    bytes: int             # of the compiled model
    worker_bytes: int      # that the workers' simulation memory for it is counted as
    inflight: int          # calls that use it now
    shared: bool           # other identities than this client's have put it, too: it stays when this client closes it
