# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Signed distance fields against the reference: compiled models, contacts, rays."""
import ctypes
import os
import sys

import numpy as np
import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
sys.path.insert(0, os.path.dirname(__file__))
import live  # noqa: E402
from test_plugins import Both  # noqa: E402

mujoco = live.mujoco
OCTREE = {"oct_depth", "oct_child", "oct_aabb", "oct_coeff"}  # cells come in another order
MESHES = ('<asset><mesh name="ball" builtin="sphere" params="1" scale=".2 .3 .4"/>'
          '<mesh name="box" vertex="-1 -1 -1  1 -1 -1  1 1 -1  -1 1 -1  -1 -1 1  1 -1 1  1 1 1  -1 1 1" scale=".1 .2 .3"/></asset>')


def contacts(ncon, contact):
    return np.array([np.r_[c.dist, np.array(c.pos), np.array(c.frame[:3]), np.array(c.geom)] for c in contact[:ncon]]).reshape(-1, 9)


def same_contacts(both, tolerance=1e-9):
    both.forward()
    want, got = contacts(both.rd.ncon, both.rd.contact), contacts(both.d.ncon, both.d.contact)
    assert len(want) == len(got)
    assert np.abs(want - got).max(initial=0) < tolerance
    return len(want)


class Fields(Both):
    def __init__(self, xml, other=frozenset()):
        super().__init__(xml, other)

    def forward(self):
        self.d.qpos.ravel()[:] = self.rd.qpos
        self.d.qvel.ravel()[:] = self.rd.qvel
        mujoco.mj_forward(self.rm, self.rd)
        self.lib.mj_forward(self.m.ptr, self.d.ptr)

    def same_rays(self, rng, n=50):
        for _ in range(n):
            point, vec, ids = rng.normal(size=3), rng.normal(size=3), np.zeros((2, 1), np.int32)
            vec /= np.linalg.norm(vec)  # fields of the reference need it
            want = mujoco.mj_ray(self.rm, self.rd, point, vec, None, 1, -1, ids[0])
            self.lib.mj_ray.restype = ctypes.c_double
            got = self.lib.mj_ray(self.m.ptr, self.d.ptr, live.pointer(point), live.pointer(vec), None, 1, -1, live.pointer(ids[1]))
            if want < 0:  # the reference takes at most 40 steps, and so misses surfaces that a ray passes near
                continue
            assert abs(want - got) < 1e-5 and ids[0] == ids[1]


@pytest.mark.parametrize("mesh", ["ball", "box"])
def test_geoms_from_meshes(mesh):
    both = Fields(f'<mujoco>{MESHES}<worldbody><geom type="plane" size="1 1 1"/><body pos=".1 .2 .05"><freejoint/>'
                  f'<geom type="sdf" mesh="{mesh}" mass="2" contype="1"/><site type="sdf" size=".1"/></body></worldbody></mujoco>', OCTREE)
    cells = [np.column_stack([np.array(m.oct_aabb).reshape(-1, 6), np.array(m.oct_coeff).reshape(-1, 8)]) for m in (both.rm, both.m)]
    want, got = (c[np.lexsort(np.round(c[:, :6], 9).T)] for c in cells)
    assert np.abs(want - got).max() < 1e-9
    rng = np.random.default_rng(0)
    for _ in range(10):
        both.rd.qpos[3:] = rng.normal(size=4)
        assert same_contacts(both) >= 1
    both.same_rays(rng)


def test_flexes_meet_the_hull_of_a_field():
    both = Fields(f'<mujoco>{MESHES}<worldbody><geom type="sdf" mesh="box"/><flexcomp name="f" type="grid" count="3 3 1" '
                  'spacing=".1 .1 .1" dim="2" pos="0 0 .3"><contact selfcollide="none"/></flexcomp></worldbody></mujoco>', OCTREE)
    assert same_contacts(both, 1e-6) == 8
