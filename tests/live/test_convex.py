# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Curved shapes that meet by the general routine: the same iterations as the reference, so the same numbers."""
import ctypes
import os
import sys

import numpy as np
import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
import live  # noqa: E402

mujoco = live.mujoco
SIZE = {"ellipsoid": ".1 .2 .15", "cylinder": ".1 .2", "capsule": ".1 .2", "box": ".1 .2 .15", "sphere": ".15"}
PAIRS = [("ellipsoid", "ellipsoid"), ("sphere", "ellipsoid"), ("ellipsoid", "capsule"), ("ellipsoid", "cylinder"),
         ("ellipsoid", "box"), ("capsule", "cylinder"), ("cylinder", "cylinder"), ("cylinder", "box")]


def bodies(first, second, margin=0, option=""):
    return live.Pair.from_text(f"""<mujoco>{option}<worldbody>
      <body><freejoint/><geom type="{first}" size="{SIZE[first]}" margin="{margin}"/></body>
      <body><freejoint/><geom type="{second}" size="{SIZE[second]}"/></body></worldbody></mujoco>""")


def place(pair, rng, near, far):
    """The second body in a random direction, both turned at random."""
    q = np.zeros(14)
    for k in (3, 10):
        turn = rng.standard_normal(4)
        q[k:k + 4] = turn / np.linalg.norm(turn)
    direction = rng.standard_normal(3)
    q[7:10] = direction / np.linalg.norm(direction) * rng.uniform(near, far)
    pair.rd.qpos[:] = q
    pair.d.qpos[:] = q


@pytest.mark.parametrize("margin", [0, 0.05])
@pytest.mark.parametrize("first,second", PAIRS)
def test_contacts(first, second, margin):
    pair, rng, far = bodies(first, second, margin), np.random.default_rng(0), []
    for _ in range(300):
        place(pair, rng, 0.1, 0.35)
        pair.call("mj_fwdPosition")
        assert pair.d.ncon == pair.rd.ncon
        for c in range(pair.rd.ncon):
            want, got = pair.rd.contact, pair.d.contact[c]
            far.append(max(abs(want.dist[c] - got.dist), np.abs(want.pos[c] - np.array(got.pos)).max(),
                           np.abs(want.frame[c] - np.array(got.frame)).max()))
    far = np.array(far)
    assert len(far) > 200

    # once in a thousand a capsule's last bits decide which face comes next
    assert np.mean(far > 1e-9) < 0.01


@pytest.mark.parametrize("tolerance", [1e-2, 1e-6])
@pytest.mark.parametrize("first,second", [("capsule", "cylinder"), ("cylinder", "cylinder")])
def test_portals(first, second, tolerance):
    """libccd's way: normals are those of curved sides, however deep, but not at the rims of cylinders and their ends."""
    pair = bodies(first, second, option=f'<option ccd_tolerance="{tolerance}"><flag nativeccd="disable"/></option>')
    rng, count, worst = np.random.default_rng(0), 0, 0
    for _ in range(400):
        place(pair, rng, 0.01, 0.35)
        pair.call("mj_fwdPosition")
        assert pair.d.ncon == pair.rd.ncon
        for c in range(pair.rd.ncon):
            want, got = pair.rd.contact, pair.d.contact[c]
            count += 1
            worst = max(worst, live.difference(got.pos, want.pos[c]), live.difference(got.frame, want.frame[c]))
            assert abs(want.dist[c] - got.dist) < 1e-5    # of a portal that is smaller than the tolerance
    assert count > 200
    assert worst < 1e-7


@pytest.mark.parametrize("iterations", [3, 35])
@pytest.mark.parametrize("first,second", PAIRS)
def test_distances(first, second, iterations):
    """Also when the iterations are used up before the end."""
    pair, rng = bodies(first, second), np.random.default_rng(1)
    pair.lib.mj_geomDistance.restype = ctypes.c_double
    for model in (pair.rm, pair.m):
        model.opt.ccd_iterations = iterations
    for _ in range(200):
        place(pair, rng, 0.1, 0.8)
        pair.call("mj_kinematics")
        want, got = np.zeros(6), np.zeros(6)
        dist = mujoco.mj_geomDistance(pair.rm, pair.rd, 0, 1, 1.0, want)
        ours = pair.lib.mj_geomDistance(pair.m.ptr, pair.d.ptr, 0, 1, ctypes.c_double(1), live.pointer(got))
        assert abs(ours - dist) < 1e-9
        assert np.abs(want - got).max() < 1e-9
