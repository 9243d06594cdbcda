# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Parts of sensors, state and controls by name: "sensordata[height]", "qpos[slide]", "ctrl", "qvel[3]", "state[1:4]"."""
from __future__ import annotations

import re

from . import elements
from .errors import InvalidArgument

_NAME = re.compile(r"(\w+)(?:\[([^\[\]]*)\])?")


def _arrays(sizes: dict[str, int]) -> dict[str, tuple[str, int, int]]:
    """For each name: the array that has its numbers (sensordata, state or ctrl), the first of them, and how many there are."""
    nq, nv, na = sizes["nq"], sizes["nv"], sizes["na"]
    return {"sensordata": ("sensordata", 0, sizes["nsensordata"]), "ctrl": ("ctrl", 0, sizes["nu"]),
            "state": ("state", 0, sizes["nstate"]), "time": ("state", 0, 1), "qpos": ("state", 1, nq),
            "qvel": ("state", 1 + nq, nv), "act": ("state", 1 + nq + nv, na)}


def _named(info, array: str, name: str) -> slice:
    """Where an element's numbers are in its array."""
    if array == "sensordata":
        return elements.sensor(info, name)
    if array in ("qpos", "qvel"):
        joint = elements.element(info, "joint", name)
        return joint.qpos if array == "qpos" else joint.dof
    if array in ("ctrl", "act"):
        actuator = elements.element(info, "actuator", name)
        return slice(actuator.id, actuator.id + 1) if array == "ctrl" else actuator.act
    raise InvalidArgument("no names here", field="cost", expected=f"{array}[number] or {array}[from:to]", got=f"{array}[{name}]")


def _inside(info, array: str, inside: str, n: int) -> slice:
    ends = re.fullmatch(r"(\d*):(\d*)", inside)
    if ends:
        return slice(int(ends[1] or 0), int(ends[2] or n))
    return slice(int(inside), int(inside) + 1) if inside.isdigit() else _named(info, array, inside)


def find(info, text: str) -> tuple[str, int, int]:
    """sensordata, state or ctrl, the part's first number there, and how many."""
    name, arrays = _NAME.fullmatch(text.replace(" ", "")), _arrays(info.sizes)
    if not name or name[1] not in arrays:
        raise InvalidArgument("no such array", field="cost", expected=", ".join(f"{n} or {n}[...]" for n in arrays), got=repr(text))
    source, offset, n = arrays[name[1]]
    part = slice(0, n) if name[2] is None else _inside(info, name[1], name[2], n)
    if not 0 <= part.start < part.stop <= n:
        raise InvalidArgument("no such part", field="cost", expected=f"part of the {n} numbers of {name[1]}", got=text)
    return source, offset + part.start, part.stop - part.start
