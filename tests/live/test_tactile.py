# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Tactile sensors against the reference: pressures. Speeds are compared with what they mean: 3.4.0 measures them at another point and turned."""
import os
import sys

import numpy as np
import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
sys.path.insert(0, os.path.dirname(__file__))
import live  # noqa: E402
from test_sdf import Fields  # noqa: E402

mujoco = live.mujoco
PADS = '<asset><mesh name="pad" builtin="plate" params="6 5" scale=".1 .15 .1"/><mesh name="ball" builtin="sphere" params="1" scale=".1 .1 .1"/></asset>'
OTHERS = ['size=".05"', 'type="capsule" size=".05 .1"', 'type="box" size=".05 .1 .1"', 'type="cylinder" size=".05 .1"', 'type="ellipsoid" size=".05 .07 .1"',
          'type="plane" size="1 1 1"']


def scene(geom, mesh="pad", compiler="", more=""):
    free = "" if "plane" in geom else "<freejoint/>"
    return (f'<mujoco><compiler {compiler}/>{PADS}<worldbody><body pos=".02 .01 .03"><freejoint/><site name="s"/><geom name="g" size=".12" pos=".01 0 .02"/></body>'
            f'<body pos="0 0 -.12">{free}<geom {geom}/></body>{more}</worldbody><sensor><tactile geom="g" mesh="{mesh}" user="1 2"/><gyro site="s"/></sensor></mujoco>')


def speeds(both, other):
    """|t . v| of the relative velocity at each vertex, with the second and third normal of the vertex as tangents."""
    m, d, n = both.rm, both.rd, both.rm.mesh_vertnum[0]
    turn = d.geom_xmat[0].reshape(3, 3)
    vertex = m.mesh_vert[:n] @ turn.T + d.geom_xpos[0]
    relative = np.zeros((n, 3))
    for geom, sign in ((other, 1), (0, -1)):
        vel = np.zeros(6)
        mujoco.mj_objectVelocity(m, d, mujoco.mjtObj.mjOBJ_GEOM, geom, vel, 0)
        relative += sign * (vel[3:] + np.cross(vel[:3], vertex - d.geom_xpos[geom]))
    frames = m.mesh_normal[:3 * n].reshape(n, 3, 3) @ turn.T
    return np.abs(np.einsum("ik,ijk->ij", relative, frames[:, 1:])).T


@pytest.mark.parametrize("geom", OTHERS)
def test_pads(geom):
    both, rng, found = Fields(scene(geom)), np.random.default_rng(0), 0
    n = both.rm.sensor_dim[0] // 3
    for _ in range(20):
        both.rd.qpos[:3] = rng.uniform(-.03, .03, 3)
        both.rd.qpos[3:7] = rng.normal(size=4)
        both.rd.qvel[:] = rng.normal(size=both.rm.nv)
        both.forward()
        want, got = both.rd.sensordata[:3 * n].reshape(3, n), both.d.sensordata.ravel()[:3 * n].reshape(3, n)
        assert np.abs(want[0] - got[0]).max() < 1e-9
        pressed = got[0] != 0
        assert np.abs(np.where(pressed, speeds(both, 1), 0) - got[1:]).max() < 1e-9
        assert np.allclose(both.rd.sensordata[3 * n:], both.d.sensordata.ravel()[3 * n:], atol=1e-9)
        found += pressed.sum()
    assert found >= 8


def test_two_contacts_meshes_of_other_shapes_and_what_is_discarded():
    """Of two geoms that reach over a vertex the last one counts. A mesh that only a sensor names is kept."""
    both = Fields(scene(OTHERS[0], compiler='discardvisual="true"', more=f'<body pos="0 .05 -.1"><freejoint/><geom {OTHERS[1]}/></body>'))
    both.rd.qpos[3:7] = 1, 1, 0, 0
    both.forward()
    n = both.rm.sensor_dim[0] // 3
    assert both.rm.nmesh == 1 and both.rd.ncon >= 2
    assert np.abs(both.rd.sensordata[:n] - both.d.sensordata.ravel()[:n]).max() < 1e-9 and np.count_nonzero(both.rd.sensordata[:n]) >= 3
    both = Fields(scene(OTHERS[2], "ball"))
    both.forward()
    n = both.rm.sensor_dim[0] // 3 // 3  # the reference looks for three normals of each vertex, and finds those of the first third
    assert np.abs(both.rd.sensordata[:n] - both.d.sensordata.ravel()[:n]).max() < 1e-7  # it multiplies by their squared length, in floats
    assert np.count_nonzero(both.rd.sensordata[:n])
