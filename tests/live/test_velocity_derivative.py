# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Fluid forces, and derivatives of smooth forces by velocity (qDeriv of the implicit integrators)."""
import os
import sys

import numpy as np
import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
import live  # noqa: E402
from test_actuate import FORCES, TRANSMISSIONS  # noqa: E402
from test_tendon import TENDONS  # noqa: E402

mujoco = live.mujoco

# all joints, several per body, branches
TREE = """
<mujoco><worldbody>
  <body><freejoint/><geom size=".1"/>
    <body pos=".3 0 0"><joint type="ball" damping=".2"/><joint type="slide"/><geom size=".1"/>
      <body pos=".3 .1 0"><joint axis="0 1 0" damping="1"/><joint axis="1 0 0"/><joint type="ball" pos=".1 .2 .3"/>
        <geom type="box" size=".1 .2 .3"/><body pos="0 0 .3"><geom size=".1"/></body>
        <body pos=".1 .1 .1"><joint axis="1 1 1"/><geom size=".1"/></body></body></body>
    <body pos="0 .3 0"><joint axis="1 0 0" pos=".1 .2 .3"/><geom size=".1"/></body></body>
  <body pos="3 0 0"><joint type="ball" pos=".1 .1 .1"/><geom type="box" size=".1 .1 .2"/>
    <body pos=".2 .2 .2"><joint type="slide" axis="1 1 0"/><joint type="slide" axis="0 1 0"/><joint axis="1 2 3"/>
      <geom size=".1"/></body></body>
</worldbody></mujoco>"""

# inertia boxes and ellipsoids of every shape
FLUID = """
<mujoco><option %s/><worldbody>
  <body pos="0 0 1"><freejoint/><geom size=".1" fluidshape="ellipsoid"/></body>
  <body pos="1 0 1"><freejoint/><geom type="capsule" size=".1 .2" fluidshape="ellipsoid" fluidcoef=".3 .1 2 .7 1.2"/>
    <body pos="0 0 .3"><joint type="ball"/><geom type="capsule" size=".05" fromto="0 0 0 .2 .1 0"/></body></body>
  <body pos="2 0 1"><freejoint/><geom type="ellipsoid" size=".1 .2 .3" fluidshape="ellipsoid"/>
    <body pos="0 0 .3"><joint/><geom type="box" size=".05 .1 .2" fluidshape="ellipsoid"/>
      <geom type="box" size=".05 .1 .2" pos=".3 0 0"/></body></body>
  <body pos="3 0 1"><freejoint/><geom type="cylinder" size=".1 .2" fluidshape="ellipsoid" fluidcoef="1 2 3 4 5"/></body>
  <body pos="0 2 1"><freejoint/><geom type="box" size=".1 .2 .3"/>
    <body pos=".3 0 0"><joint type="slide" axis="1 0 0"/><joint axis="0 1 0"/><geom size=".1"/></body></body>
</worldbody></mujoco>"""
MEDIA = ['density="1000"', 'viscosity=".3"', 'density="1.2" viscosity=".5" wind="1 2 -3"']


def check_derivative(pair, count=10):
    rng = np.random.default_rng(20)
    for integrator in (mujoco.mjtIntegrator.mjINT_IMPLICIT, mujoco.mjtIntegrator.mjINT_IMPLICITFAST):
        pair.rm.opt.integrator = int(integrator)
        pair.m._s.opt.integrator = int(integrator)
        for _ in range(count):
            pair.randomize(rng, 0.4)
            pair.call("mj_fwdPosition", "mj_fwdVelocity", "mj_fwdActuation", "mj_fwdAcceleration")
            pair.rd.qacc[:] = pair.rd.qacc_smooth
            pair.call("mj_implicit")
            off = pair.off("qDeriv")
            assert off[0] < 1e-9, off


@pytest.mark.parametrize("medium", MEDIA)
def test_fluid_forces(medium):
    pair, rng = live.Pair.from_text(FLUID % medium), np.random.default_rng(21)
    for t in range(20):
        pair.randomize(rng, 0.4)
        if t == 0:
            pair.rd.qvel[:] = 0
            pair.copy_state()
        pair.call("mj_fwdPosition", "mj_fwdVelocity")
        assert pair.off("qfrc_fluid", "qfrc_passive")[0] < 1e-11


@pytest.mark.parametrize("medium", MEDIA)
@pytest.mark.parametrize("disable", [0, 1 << 5, 1 << 6, 3 << 5])
def test_fluid_derivative(medium, disable):
    pair = live.Pair.from_text(FLUID % medium)
    for model in (pair.rm, pair.m._s):
        model.opt.disableflags = disable    # springs, dampers, both
    check_derivative(pair, 4)


@pytest.mark.parametrize("xml", [TREE, FORCES % "", TRANSMISSIONS % "dense", TRANSMISSIONS % "sparse",
                                 TENDONS % "dense", TENDONS % "sparse"],
                         ids=["tree", "actuators", "dense-moments", "sparse-moments", "dense-tendons", "sparse-tendons"])
def test_derivative(xml):
    pair = live.Pair.from_text(xml)
    for model in (pair.rm, pair.m):    # 3.4.0 goes on at limits, and takes activations before the step
        for name in ("actuator_forcelimited", "actuator_ctrllimited", "actuator_actearly", "jnt_actfrclimited",
                     "tendon_actfrclimited"):
            if getattr(model, name).size:
                getattr(model, name)[:] = 0
    check_derivative(pair)


@pytest.mark.parametrize("name", live.model_files())
def test_models(name):
    check_derivative(live.Pair.from_file(name), 3)


@pytest.mark.parametrize("coefficients", ["1 0 0 0 0", "0 1 0 0 0", "0 0 0 1 0", ".5 .25 1.5 1 1"])
def test_fluid_derivative_at_low_speeds(coefficients):
    """Roots and quotients of small numbers have limits: drag of a small shape changes less than it should."""
    for shape in ('box" size=".05 .06 .07', 'ellipsoid" size=".01 .01 .02', 'box" size="1 2 .5', 'cylinder" size=".03 .1'):
        pair = live.Pair.from_text(f"""<mujoco><option integrator="implicit" density="50"/><worldbody><body>
            <freejoint/><geom type="{shape}" fluidshape="ellipsoid" fluidcoef="{coefficients}"/></body></worldbody>
            </mujoco>""")
        rng = np.random.default_rng(0)
        for scale in (1, 0.1, 1e-2, 1e-3, 1e-4, 0):
            for _ in range(3):
                pair.randomize(rng)
                pair.rd.qvel[:] *= scale
                pair.copy_state()
                pair.call("mj_step")
                want = np.asarray(pair.rd.qDeriv)
                off = np.max(np.abs(np.asarray(pair.d.qDeriv) - want))
                assert off <= 1e-12 * np.max(np.abs(want)) + 1e-15, (shape, scale)
