# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""What derivative calls return, and how their arguments name the rows of the table."""
from __future__ import annotations

import numpy as np

from .calls import NOMINAL
from .errors import InvalidArgument

# bits of sheafFallback
FALLBACK = {1: "step", 2: "geometry", 4: "integrator", 8: "sensor", 16: "output", 32: "parameter", 64: "force", 128: "noslip"}

# results by what they are of
OF = {"next": ("A", "B", "next_state"), "sensordata": ("C", "D"), "qacc": ("qacc_x", "qacc_u", "qacc")}


def nominal(outputs) -> list[str]:
    """Names on the wire of outputs at the given states."""
    return [NOMINAL + name for name in ([outputs] if isinstance(outputs, str) else outputs)]


def take_nominal(got: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Remove these outputs from the results; by the names that the caller gave."""
    return {name.removeprefix(NOMINAL): got.pop(name) for name in list(got) if name.startswith(NOMINAL)}


class Matrices(tuple):
    """Matrices in their order, to unpack. `outputs`: named outputs at the given states, (B, ...) by name."""
    outputs: dict[str, np.ndarray]

    def __new__(cls, matrices, outputs):
        self = super().__new__(cls, matrices)
        self.outputs = outputs
        return self


class Derivatives:
    """Arrays as attributes; unpacking gives those that were wanted, in that order.

    outputs   named outputs at the given states, (B, ...) by name
    of        by name of an output: its derivatives by the state (B, ..., ndx) and by the controls (B, ..., nu), or by chosen ones
    status    (B,) 0, or why a row is not valid: its numbers are NaN
    fallback  what was done by differences, over all rows: "step" (everything), "geometry" (where geoms touch, and
              tendons leave a geom), "integrator" (how its matrix changes), "force" (those of flexes, plugins and callbacks),
              "noslip" (what it makes of the solution before it), "sensor", "output" (named outputs)
    """

    def __init__(self, got: dict[str, np.ndarray], order, named=(), nxcol: int = 0):
        self.outputs = take_nominal(got)
        self.__dict__.update((name, x) for name, x in got.items() if name not in named)
        slopes = {name: np.moveaxis(got[name], 1, -1) for name in named}
        self.of = {name: (x[..., :nxcol], x[..., nxcol:]) for name, x in slopes.items()}
        bits = int(np.bitwise_or.reduce(got["fallback"]))
        self.fallback = tuple(name for bit, name in FALLBACK.items() if bits & bit)
        self._order = tuple(order)

    def __iter__(self):
        return (getattr(self, name) for name in self._order)

    def __len__(self):
        return len(self._order)

    def __repr__(self):
        shapes = ", ".join(f"{name} {getattr(self, name).shape}" for name in self._order)
        return f"<sheaf.Derivatives {shapes}, fallback {self.fallback}>"


class Regressor:
    """Derivatives by numbers of the model: r["body_mass"] by the names that were given.

    outputs   named outputs at the given states, (B, ...) by name
    status    (B,) 0, or why a row is not valid: its numbers are NaN
    fallback  what was done by differences, over all rows: "parameter" (numbers without a formula), "geometry", "integrator", "force"
    """

    def __init__(self, got: dict[str, np.ndarray], by):
        self.names = tuple(by)
        self.outputs = take_nominal(got)
        self._by = {name: got.pop(name) for name in by}
        self.__dict__.update(got)
        bits = int(np.bitwise_or.reduce(got["fallback"]))
        self.fallback = tuple(name for bit, name in FALLBACK.items() if bits & bit)

    def __getitem__(self, name: str) -> np.ndarray:
        return self._by[name]

    def matrix(self) -> np.ndarray:
        """All columns side by side, (B, rows, numbers): the names in their order, arrays flattened."""
        return np.concatenate([a.reshape(*a.shape[:2], -1) for a in self._by.values()], axis=2)

    def __repr__(self):
        shapes = ", ".join(f"{name} {a.shape}" for name, a in self._by.items())
        return f"<sheaf.Regressor {shapes}, fallback {self.fallback}>"


def choose(field: str, value, names: dict) -> int:
    if value not in names:
        raise InvalidArgument("no such choice", field=field, expected=", ".join(map(repr, names)), got=repr(value))
    return names[value]


def wanted(want: str, of) -> tuple[list[str], list[str], list[str]]:
    """Matrices in their order, all results to ask for, and those of them that are named outputs."""
    of = list(dict.fromkeys([of] if isinstance(of, str) else of))
    named = [name for name in of if name not in OF]
    order = list(want)
    if not order or set(order) - set("ABCD"):
        raise InvalidArgument("no such matrix", field="want", expected="letters of ABCD", got=repr(want))
    ask = list(order)
    if "next" in of:
        ask.append("next_state")
    if "sensordata" in of:
        ask += ["C", "D"]
    if "qacc" in of:
        ask += OF["qacc"]
    return order, list(dict.fromkeys(ask)) + named, named
