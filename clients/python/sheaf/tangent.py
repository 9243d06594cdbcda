# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Differences of states and their inverse, in the tangent space: dq (nv), dv (nv), dact (na), ndx numbers.

Positions differ as of mj_differentiatePos over one second. Quaternions: the rotation from the one to the other, as a vector in the
frame of the first. Leading dimensions broadcast.
"""
from __future__ import annotations

import numpy as np

from .calls import array
from .elements import JOINTS
from .errors import InvalidArgument


def _multiply(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    aw, av, bw, bv = a[..., :1], a[..., 1:], b[..., :1], b[..., 1:]
    return np.concatenate([aw * bw - np.sum(av * bv, -1, keepdims=True), aw * bv + bw * av + np.cross(av, bv)], -1)


def _rotation(q1: np.ndarray, q0: np.ndarray) -> np.ndarray:
    """The rotation vector from q0 to q1, in the frame of q0; its length is at most pi."""
    q = _multiply(q0 * [1, -1, -1, -1], q1)
    sine = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    angle = 2 * np.arctan2(sine, q[..., :1])
    angle = np.where(angle > np.pi, angle - 2 * np.pi, angle)
    return q[..., 1:] * np.divide(angle, sine, out=np.zeros_like(sine), where=sine > 0)


def _rotate(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    angle = np.linalg.norm(v, axis=-1, keepdims=True)
    axis = np.divide(v, angle, out=np.zeros(v.shape), where=angle > 0)
    out = _multiply(q, np.concatenate([np.cos(angle / 2), axis * np.sin(angle / 2)], -1))
    return out / np.linalg.norm(out, axis=-1, keepdims=True)


def _take(field: str, value, size: int) -> np.ndarray:
    a = array(field, value, size)
    if a.ndim < 1 or a.shape[-1] != size:
        raise InvalidArgument("wrong shape", field=field, expected=f"(..., {size})", got=str(a.shape))
    return a


def parts(info) -> tuple[list, list]:
    """(in qpos, in qvel) of numbers that add up, and of quaternions."""
    columns, plain, turns = info.elements["joint"], [], []
    for kind, q, v in zip(columns["type"], columns["adr"], columns["dof_adr"]):
        name = JOINTS[kind]
        if name == "free":
            plain.append((slice(q, q + 3), slice(v, v + 3)))
            q, v = q + 3, v + 3
        if name in ("free", "ball"):
            turns.append((slice(q, q + 4), slice(v, v + 3)))
        else:
            plain.append((slice(q, q + 1), slice(v, v + 1)))
    return plain, turns


def diff(info, x1, x0) -> np.ndarray:
    s = info.sizes
    nq, nv, na, n = s["nq"], s["nv"], s["na"], s["nstate"]
    x1, x0 = np.broadcast_arrays(_take("x1", x1, n), _take("x0", x0, n))
    dx = np.empty((*x1.shape[:-1], s["ndx"]))
    q1, q0 = x1[..., 1:1 + nq], x0[..., 1:1 + nq]
    plain, turns = parts(info)
    for q, v in plain:
        dx[..., v] = q1[..., q] - q0[..., q]
    for q, v in turns:
        dx[..., v] = _rotation(q1[..., q], q0[..., q])
    rest = slice(1 + nq, 1 + nq + nv + na)
    dx[..., nv:] = x1[..., rest] - x0[..., rest]
    return dx


def integrate(info, x0, dx) -> np.ndarray:
    s = info.sizes
    nq, nv, na = s["nq"], s["nv"], s["na"]
    x0, dx = _take("x0", x0, s["nstate"]), _take("dx", dx, s["ndx"])
    lead = np.broadcast_shapes(x0.shape[:-1], dx.shape[:-1])
    x1 = np.broadcast_to(x0, (*lead, x0.shape[-1])).copy()
    dx = np.broadcast_to(dx, (*lead, dx.shape[-1]))
    q1 = x1[..., 1:1 + nq]
    plain, turns = parts(info)
    for q, v in plain:
        q1[..., q] += dx[..., v]
    for q, v in turns:
        q1[..., q] = _rotate(q1[..., q], dx[..., v])
    x1[..., 1 + nq:1 + nq + nv + na] += dx[..., nv:]
    return x1
