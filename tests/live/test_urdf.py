# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""URDF: what is accepted and what comes of it, for random documents and for what people write.

A longer search, from document FIRST on:

    SHEAF_LIBRARY=build/release/engine/libsheaf.so python3 tests/live/test_urdf.py FIRST COUNT
"""
import ctypes
import os
import sys

import numpy as np
import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
sys.path.insert(0, os.path.dirname(__file__))
import live  # noqa: E402
import bridge  # noqa: E402
import judge  # noqa: E402
import urdf_documents as urdf  # noqa: E402
from test_compile import differing  # noqa: E402

mujoco = live.mujoco

# inertia of bodies that meshes make, seen from its axes: they differ by rounding (1e-6), or are turned by right angles
AXES = {"body_iquat", "body_sameframe", "bvh_aabb", "bvh_nodeid", "bvh_child", "dof_M0", "body_invweight0", "dof_invweight0", "stat.meaninertia"}
DERIVED = ("dof_M0", "body_invweight0", "dof_invweight0")


def tensors(m):
    """Inertia matrices of bodies, in parts of their largest moment."""
    out = []
    for inertia, quat in zip(m.body_inertia, m.body_iquat):
        mat = np.zeros(9)
        mujoco.mju_quat2Mat(mat, np.ascontiguousarray(quat, dtype=float))
        out.append(mat.reshape(3, 3) * inertia @ mat.reshape(3, 3).T / max(1, inertia.max()))
    return np.array(out)


def near(want, got):
    return live.difference(got, want) < 1e-6


def compare(reference, ours):
    """Names of arrays that differ."""
    names = differing(reference, ours)
    r = bridge.Model(reference._address)
    if names and set(names) <= AXES and near(tensors(r), tensors(ours)) and all(near(getattr(r, n), getattr(ours, n)) for n in DERIVED):
        return []
    return names


def disagreements(seeds, library):
    for v in judge.judge(((str(seed), urdf.document(seed)) for seed in seeds), library, compare, urdf.FILES):
        if (v.reference is None) != (v.ours is None) or v.differing or v.ours in judge.BAD:
            yield f"{v.name}: ours: {v.ours}, reference: {v.reference}, differing: {v.differing}"


def library_path():
    live.library()
    return os.path.abspath(os.environ["SHEAF_LIBRARY"])


def test_random_documents():
    assert not list(disagreements(range(2500), library_path()))


def test_random_documents_say_something():
    """Most of the right documents make models, and what is wrong is found by the reader and by the compiler."""
    verdicts = list(judge.judge(((str(seed), urdf.document(seed, seed % 2)) for seed in range(200)), library_path(), lambda m, ours: [], urdf.FILES))
    assert sum(v.ours is None for v in verdicts[::2]) > 50 and sum(v.ours is not None for v in verdicts[1::2]) > 40
