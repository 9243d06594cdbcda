# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Models and random states for comparisons with the reference."""
import glob
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))

_HERE = os.path.dirname(os.path.abspath(__file__))
MODELS = os.environ.get("SHEAF_MODELS", os.path.join(_HERE, "..", "..", "..", "shared", "models"))

# Shares of 1e-300 let 3.4.0 pass on gravity compensation to the joints of bodies that have none of their own.
# every joint type, several joints in a body, simple bodies, motion capture, all camera and light modes
JOINTS = """
<mujoco>
  <option OPTION><flag FLAG/></option>
  <worldbody>
    <camera mode="targetbody" target="b1" pos="1 1 1"/>
    <light mode="targetbodycom" target="b1" pos="0 0 3"/>
    <body name="b1" gravcomp="1e-300" pos="0 0 1" quat=".9 .1 .2 .3">
      <freejoint/>
      <geom type="box" size=".1 .2 .3" pos=".1 .05 0" euler="10 20 30"/>
      <site pos=".1 .2 .3" euler="1 2 3"/>
      <camera mode="track" pos="1 0 0"/>
      <camera mode="trackcom" pos="1 0 1"/>
      <camera mode="targetbodycom" target="b3" pos="1 0 1"/>
      <camera pos="1 0 1" euler="10 20 30"/>
      <light mode="track" pos="0 0 2"/>
      <light mode="trackcom" pos="0 0 2"/>
      <light mode="targetbody" target="b3" pos="0 0 2"/>
      <light pos="0 0 1" dir="1 1 -1"/>
      <body name="b2" gravcomp="1e-300" pos=".3 0 0" euler="0 30 0">
        <joint type="slide" axis="1 1 0" stiffness="3" springref=".2" damping=".3"/>
        <joint pos=".1 .2 0" axis="0 1 1" ref="20" stiffness="2" springref="10"/>
        <joint axis="1 0 1" armature=".3"/>
        <geom type="capsule" size=".05 .2" pos="0 .1 0"/>
        <body name="b3" gravcomp="1e-300" pos="0 .3 .1">
          <joint type="ball" pos="0 0 .1" stiffness="4" damping=".5"/>
          <geom type="capsule" size=".05" fromto="0 0 0 .2 .3 .1"/>
          <body gravcomp="1" pos="0 .3 0">
            <joint type="slide" axis="0 0 1" actuatorgravcomp="true"/>
            <geom type="ellipsoid" size=".05 .1 .02"/>
          </body>
          <body gravcomp=".7" pos="0 .3 .3">
            <joint axis="0 0 1"/>
            <joint type="ball" pos=".1 0 0"/>
            <geom type="cylinder" size=".05 .1"/>
          </body>
          <body pos=".3 0 0" euler="5 6 7">
            <geom size=".1"/>
            <body pos="0 0 .2"><geom size=".05"/></body>
          </body>
        </body>
      </body>
    </body>
    <body pos="4 0 0"><freejoint/><geom size=".1"/></body>
    <body pos="4 2 0">
      <joint type="slide" axis="1 0 0"/>
      <joint type="slide" axis="0 1 0"/>
      <joint type="slide" axis="0 0 1"/>
      <geom size=".1"/>
    </body>
    <body pos="4 4 0"><joint type="free" stiffness="2" damping=".1"/><geom type="box" size=".1 .2 .3"/></body>
    <body mocap="true" pos="0 4 0">
      <geom size=".1"/>
      <body pos=".2 .3 0" euler="10 0 0"><geom size=".1"/></body>
    </body>
    <body pos="0 -4 0" euler="40 50 60">
      <geom size=".1"/>
      <body pos=".2 .3 0" euler="10 0 0"><joint axis="0 1 0"/><geom size=".1"/></body>
    </body>
  </worldbody>
</mujoco>
"""

TENDONS = """
<mujoco>
  <worldbody>
    <site name="w" pos="0 0 2"/>
    <body pos="0 0 1">
      <joint name="a" axis="0 1 0" damping=".1"/>
      <geom type="capsule" size=".05 .2"/>
      <site name="x" pos=".1 0 .1"/>
      <body pos="0 0 .4">
        <joint name="b" axis="0 1 0"/>
        <geom type="capsule" size=".05 .2"/>
        <site name="y" pos=".1 .1 .1"/>
      </body>
    </body>
  </worldbody>
  <tendon>
    <fixed stiffness="3" damping=".2" armature=".1">
      <joint joint="a" coef="1"/>
      <joint joint="b" coef="-2"/>
    </fixed>
    <spatial stiffness="10" springlength=".3" damping=".1" armature=".2">
      <site site="w"/>
      <site site="x"/>
      <site site="y"/>
    </spatial>
  </tendon>
</mujoco>
"""

EQUALITIES = """
<mujoco>
  <worldbody>
    <site name="w" pos="0 0 2"/>
    <body name="a" pos="0 0 1"><freejoint/><geom type="capsule" size=".05 .2"/>
      <site name="sa" pos=".1 0 .1"/></body>
    <body name="b" pos="0 .7 1"><freejoint/><geom type="box" size=".05 .2 .1"/>
      <site name="sb" pos=".1 0 .1" euler="10 20 30"/></body>
    <body name="c" pos="0 1.4 1"><freejoint/><geom type="box" size=".05 .2 .1"/>
      <site name="sc" pos=".1 0 .1" euler="10 20 30"/></body>
    <body name="e" pos="0 2.1 1"><freejoint/><geom type="box" size=".05 .2 .1"/></body>
    <body name="f" pos="0 2.8 1"><freejoint/><geom type="box" size=".05 .2 .1"/></body>
  </worldbody>
  <equality>
    <connect body1="a" body2="b" anchor=".1 .2 .3"/>
    <weld body1="b" body2="c" anchor=".1 .1 .2" torquescale=".5" relpose=".1 .4 0 .9 .1 .1 0"/>
    <weld site1="sa" site2="sc"/>
    <connect site1="sb" site2="w"/>
    <weld body1="e"/>
    <connect body1="e" body2="f" anchor="0 .2 0"/>
  </equality>
</mujoco>
"""

# activations of all kinds, with the ranges and the early rate
ACTUATORS = """
<mujoco>
  <worldbody>
    <body>
      <joint name="a" axis="0 1 0" damping=".3" armature=".1"/>
      <geom type="capsule" size=".05 .2"/>
      <body pos="0 0 .4">
        <joint name="b" axis="1 0 0" damping=".1" armature=".1"/>
        <geom type="capsule" size=".05 .2"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <general joint="a" dyntype="integrator" actlimited="true" actrange="-.1 .4" gainprm="2"/>
    <general joint="a" dyntype="filter" dynprm=".03" gainprm="2" biastype="affine" biasprm="0 -1 -.5"/>
    <general joint="b" dyntype="filterexact" dynprm=".02" gainprm="3" actearly="true"/>
    <position joint="b" kp="5" kv=".3" ctrlrange="-1 1"/>
    <velocity joint="a" kv=".2"/>
    <motor joint="b" gear="3" ctrlrange="-.5 .5"/>
  </actuator>
</mujoco>
"""


def joints(option="", flag=""):
    return JOINTS.replace("OPTION", option).replace("FLAG", flag)


SNIPPETS = {
    "joints": joints(),
    "weightless": joints('gravity="0 0 0"'),
    "fluid": joints('density="100" viscosity=".1" wind="1 2 3"'),
    "no gravity": joints("", 'gravity="disable"'),
    "no spring": joints("", 'spring="disable"'),
    "no damper": joints("", 'damper="disable"'),
    "no passive": joints("", 'spring="disable" damper="disable"'),
    "no euler damping": joints("", 'eulerdamp="disable"'),
    "tendons": TENDONS,
    "equalities": EQUALITIES,
    "actuators": ACTUATORS,
}


def files(*names):
    """Models of the shared folder: those named, or all of a size for tests."""
    if not names:
        found = sorted(glob.glob(os.path.join(MODELS, "**", "*.xml"), recursive=True))
        return [f for f in found if "common" not in f and "22_humanoids" not in f]
    return [f for f in (os.path.join(MODELS, n) for n in names) if os.path.exists(f)]


def cases(*names):
    """(name, loader) of snippets, and of files named or all."""
    import mujoco
    out = [(k, lambda x=x: mujoco.MjModel.from_xml_string(x)) for k, x in SNIPPETS.items()]
    out += [(os.path.relpath(f, MODELS), lambda f=f: mujoco.MjModel.from_xml_path(f)) for f in files(*names)]
    return out


INPUTS = ("qpos", "qvel", "act", "ctrl", "qacc", "qacc_warmstart", "qfrc_applied", "xfrc_applied", "mocap_pos",
          "mocap_quat", "userdata")


def randomize(rm, rd, rng, scale=1.0):
    """A random state of the reference's data, with forces and controls."""
    import mujoco
    mujoco.mj_resetData(rm, rd)
    mujoco.mj_integratePos(rm, rd.qpos, rng.normal(size=rm.nv) * 0.3 * scale, 1.0)
    rd.qvel[:] = rng.normal(size=rm.nv) * scale
    rd.ctrl[:] = rng.normal(size=rm.nu)
    rd.act[:] = rng.uniform(size=rm.na)
    rd.qacc[:] = rng.normal(size=rm.nv)
    rd.xfrc_applied[:] = rng.normal(size=rd.xfrc_applied.shape) * 0.1
    rd.qfrc_applied[:] = rng.normal(size=rm.nv) * 0.1
    rd.mocap_pos[:] += rng.normal(size=rd.mocap_pos.shape) * 0.1
    rd.mocap_quat[:] = rng.normal(size=rd.mocap_quat.shape)


def copy_inputs(rd, d):
    """Inputs of the reference's data into ours."""
    d.time = rd.time
    for name in INPUTS:
        src = getattr(rd, name)
        if src.size:
            dst = getattr(d, name)
            dst[...] = src.reshape(dst.shape)


def tighten(rm):
    """Solve constraints to the last digits, so that solutions can be compared."""
    rm.opt.tolerance = 1e-14
    rm.opt.iterations = 200
    rm.opt.ls_tolerance = 1e-10
    rm.opt.ls_iterations = 100


def difference(a, b):
    """Largest difference, relative where numbers are larger than one."""
    a = np.asarray(a, dtype=float).ravel()
    b = np.asarray(b, dtype=float).ravel()
    assert a.size == b.size
    if not a.size:
        return 0.0
    e = np.abs(a - b) / np.maximum(1, np.abs(b))
    return np.inf if np.isnan(e).any() else e.max()
