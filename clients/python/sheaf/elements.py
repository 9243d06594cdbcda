# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""The elements of a model by their names: ids, and where their numbers are in qpos, qvel, act and sensordata."""
from __future__ import annotations

import dataclasses
import numbers

from .errors import InvalidArgument
from .near import near

# the columns of each kind. adr and dim (first number and count) are places in qpos for a joint, act for an actuator, sensordata for a
# sensor; dof_adr and dof_dim in qvel
COLUMNS = {
    "body": ("dof_adr", "dof_dim", "parent"), "joint": ("type", "adr", "dim", "dof_adr", "dof_dim", "parent"),
    "geom": ("type", "parent"), "site": ("type", "parent"), "camera": ("parent",), "equality": ("type",), "tendon": (),
    "actuator": ("type", "adr", "dim"), "sensor": ("type", "adr", "dim"), "key": (),
}

JOINTS = ("free", "ball", "slide", "hinge")    # by mjtJoint
JOINT_NQ, JOINT_NV = (7, 4, 1, 1), (6, 3, 1, 1)


@dataclasses.dataclass(frozen=True)
class Element:
    """A body, geom, site, camera, tendon, equality, actuator or keyframe."""
    kind: str
    id: int
    name: str                   # empty if it has none


@dataclasses.dataclass(frozen=True)
class Body(Element):
    parent: int                 # id of the parent body; of geoms, sites and cameras: of the body that they are on
    dof: slice                  # in qvel, qacc and forces: the dofs of its own joints


@dataclasses.dataclass(frozen=True)
class Placed(Element):
    parent: int


@dataclasses.dataclass(frozen=True)
class Joint(Element):
    type: str                   # "free", "ball", "slide" or "hinge"
    parent: int                 # id of the body that it moves
    qposadr: int                # its first number in qpos
    dofadr: int                 # in qvel
    qpos: slice                 # its numbers in qpos
    dof: slice                  # in qvel, qacc and forces


@dataclasses.dataclass(frozen=True)
class Actuator(Element):
    act: slice                  # its numbers in act; empty if it has none


def _part(adr: int, dim: int) -> slice:
    return slice(adr, adr + dim) if adr >= 0 else slice(0, 0)


def find(info, kind: str, which) -> int:
    """The id of an element, by its name or id."""
    names = info.names[kind]
    if isinstance(which, numbers.Integral) and not isinstance(which, bool):
        if 0 <= which < len(names):
            return int(which)
        raise InvalidArgument(f"no {kind} has this id", field=kind, expected=f"0 to {len(names) - 1}" if names else "none: there are none",
                              got=str(which))
    if not isinstance(which, str):
        raise InvalidArgument(f"a {kind} has a name or an id", field=kind, expected="str or int", got=type(which).__name__)
    try:
        return names.index(which or None)    # no name is no element's
    except ValueError:
        raise InvalidArgument(f"no {kind} has this name", field=kind, expected=near(which, names), got=repr(which)) from None


def element(info, kind: str, which) -> Element:
    i = find(info, kind, which)
    at = {name: int(column[i]) for name, column in info.elements[kind].items() if len(column)}
    name = info.names[kind][i]
    if kind == "body":
        return Body(kind, i, name, at["parent"], _part(at["dof_adr"], at["dof_dim"]))
    if kind == "joint":
        return Joint(kind, i, name, JOINTS[at["type"]], at["parent"], at["adr"], at["dof_adr"], _part(at["adr"], at["dim"]),
                     _part(at["dof_adr"], at["dof_dim"]))
    if kind == "actuator":
        return Actuator(kind, i, name, _part(at["adr"], at["dim"]))
    if "parent" in at:
        return Placed(kind, i, name, at["parent"])
    return Element(kind, i, name)


def sensor(info, which) -> slice:
    i = find(info, "sensor", which)
    at = info.elements["sensor"]
    return _part(int(at["adr"][i]), int(at["dim"][i]))


class Named:
    """Methods of a model that find its elements. A wrong name raises InvalidArgument, which suggests right ones."""

    def _element(self, kind, which):
        return element(self.info_, kind, which)

    def id(self, kind: str, name: str) -> int:
        """The id of an element: m.id("geom", "foot")."""
        self.names(kind)
        return find(self.info_, kind, name)

    def sensor(self, name: str | int) -> slice:
        """Where a sensor's numbers are: r.sensordata[..., m.sensor("gyro")]."""
        return sensor(self.info_, name)

    def joint(self, name: str | int) -> Joint:
        """A joint: `id`, `type`, `qposadr`, `dofadr`, `qpos` and `dof` (slices of qpos and of qvel), `parent` (its body's id)."""
        return self._element("joint", name)

    def body(self, name: str | int) -> Body:
        """A body: `id`, `parent` (a body's id), `dof` (a slice of qvel)."""
        return self._element("body", name)

    def geom(self, name: str | int) -> Placed:
        """A geom: `id`, `parent` (its body's id)."""
        return self._element("geom", name)

    def site(self, name: str | int) -> Placed:
        """A site: `id`, `parent` (its body's id)."""
        return self._element("site", name)

    def camera(self, name: str | int) -> Placed:
        """A camera: `id`, `parent` (its body's id)."""
        return self._element("camera", name)

    def actuator(self, name: str | int) -> Actuator:
        """An actuator: `id` (its place in ctrl), `act` (a slice of act)."""
        return self._element("actuator", name)

    def tendon(self, name: str | int) -> Element:
        """A tendon: `id`."""
        return self._element("tendon", name)

    def equality(self, name: str | int) -> Element:
        """An equality constraint: `id`."""
        return self._element("equality", name)

    def key(self, name: str | int) -> Element:
        """A keyframe: `id`, the row of m.key_state and of the other key_ arrays."""
        return self._element("key", name)
