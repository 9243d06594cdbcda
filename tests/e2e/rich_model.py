# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""A model with most of what a call may ask for, states of it, and what its tests do with them."""
import numpy as np

# joints of all kinds, contacts, limits, muscles with activation, sensors, keyframes
RICH = b"""<mujoco model="rich">
  <option timestep="0.005" integrator="implicitfast"/>
  <worldbody>
    <geom name="floor" type="plane" size="3 3 .1"/>
    <body name="torso" pos="0 0 .6">
      <freejoint name="root"/><geom type="capsule" size=".08 .15"/><site name="imu"/>
      <body name="leg" pos="0 0 -.2">
        <joint name="hip" axis="0 1 0" limited="true" range="-60 60" damping=".3"/>
        <geom type="capsule" fromto="0 0 0 .05 0 -.25" size=".04"/>
        <body name="foot" pos=".05 0 -.25">
          <joint name="ankle" type="ball" damping=".1"/><geom type="box" size=".08 .05 .02" pos=".03 0 -.03"/>
        </body>
      </body>
    </body>
    <body name="target" mocap="true" pos="1 0 1"><geom size=".05" contype="0" conaffinity="0"/></body>
  </worldbody>
  <actuator>
    <motor name="drive" joint="hip" gear="12" ctrllimited="true" ctrlrange="-1 1"/>
    <general name="slow" joint="hip" dyntype="filter" dynprm=".05" gainprm="5" biastype="affine" biasprm="0 -5 -.2"/>
  </actuator>
  <sensor><accelerometer site="imu"/><jointpos joint="hip"/><framepos objtype="body" objname="foot"/></sensor>
  <keyframe><key name="low" time="2" qpos="0 0 .45 1 0 0 0 .2 1 0 0 0" act=".3" ctrl=".1 .2"/></keyframe>
</mujoco>"""


def states(m, n, seed=0):
    """(n, nstate) states near the reference configuration, with unit quaternions."""
    rng = np.random.default_rng(seed)
    x = np.repeat(m.state0[None], n, 0)
    x[:, 1:1 + m.nq] += 0.1 * rng.standard_normal((n, m.nq))
    for at in (4, 9):
        x[:, at:at + 4] /= np.linalg.norm(x[:, at:at + 4], axis=1, keepdims=True)
    x[:, 1 + m.nq:1 + m.nq + m.nv] = 0.5 * rng.standard_normal((n, m.nv))
    return x


def long_rollout(m, **options):
    """Takes far longer than any test waits."""
    m.rollout(np.repeat(m.state0[None], 100, 0), nstep=20000, **options)


def same(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
