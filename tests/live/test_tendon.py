# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Tendons against the reference: paths, moment arms, armature, springs and dampers."""
import os
import sys

import numpy as np
import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
import live  # noqa: E402

TENDONS = """
<mujoco><option jacobian="%s"/><worldbody>
  <site name="w" pos="1 0 1"/><site name="w2" pos="1 .3 1.5"/>
  <body pos="0 0 1"><freejoint/><geom size=".1"/><site name="f" pos=".3 0 0"/>
    <geom name="sph" size=".12" pos=".5 0 0"/>
    <geom name="cyl" type="cylinder" size=".1 .2" pos=".3 .3 0" euler="20 40 0"/>
    <site name="outside" pos=".5 .2 0"/><site name="inside" pos=".5 .02 .01"/>
    <site name="top" pos=".3 .3 .2"/><site name="back" pos=".1 .2 .2"/>
    <body pos=".2 0 0"><joint name="b" type="ball"/><geom size=".05"/><site name="b1" pos=".1 .1 0"/>
      <body pos=".5 0 0"><joint name="h" axis="0 1 0"/><joint name="s" type="slide" axis="1 1 0"/>
        <geom size=".05"/><site name="h1" pos=".1 0 0"/></body></body>
    <body pos="0 .3 0"><joint name="h2"/><geom type="box" size=".05 .05 .05"/><site name="h22" pos=".1 .2 0"/></body>
  </body></worldbody>
<tendon>
  <spatial stiffness="3" damping="2"><site site="h1"/><site site="h22"/></spatial>
  <fixed stiffness="1" springlength=".1 .2" damping=".3" armature=".3">
    <joint joint="h2" coef="-3"/><joint joint="h" coef="2"/><joint joint="s" coef="1"/></fixed>
  <fixed stiffness="2" damping=".1" armature=".1"><joint joint="h2" coef="3"/><joint joint="h" coef="2"/><joint joint="s" coef="-1"/></fixed>
  <spatial armature=".5" stiffness="2" springlength="2"><site site="w"/><site site="h22"/><pulley divisor="2"/>
    <site site="h1"/><site site="f"/><site site="b1"/><pulley divisor="3"/>
    <site site="w"/><site site="w2"/><site site="f"/></spatial>
  <spatial><site site="f"/><geom geom="sph" sidesite="outside"/><site site="h1"/><geom geom="cyl"/><site site="h22"/></spatial>
  <spatial><site site="f"/><geom geom="sph" sidesite="inside"/><site site="h1"/>
    <geom geom="cyl" sidesite="top"/><site site="b1"/></spatial>
  <spatial damping="1"><site site="w"/><geom geom="sph"/><site site="h1"/><pulley divisor="2"/>
    <site site="w2"/><geom geom="cyl" sidesite="back"/><site site="b1"/></spatial>
</tendon></mujoco>"""


def tendon_models():
    models = [pytest.param(lambda j=j: live.Pair.from_text(TENDONS % j), id=j) for j in ("dense", "sparse")]
    for name in live.model_files():
        if "<tendon>" in (live.MODELS / name).read_text():
            models.append(pytest.param(lambda n=name: live.Pair.from_file(n), id=name))
    return models


@pytest.mark.parametrize("make", tendon_models())
def test_positions_and_velocities(make):
    pair, rng, nwrap = make(), np.random.default_rng(1), 0
    for _ in range(40):
        pair.randomize(rng, 0.5)
        pair.call("mj_fwdPosition", "mj_fwdVelocity")
        assert pair.off("ten_length", "ten_velocity", "ten_wrapadr", "ten_wrapnum")[0] < 1e-12

        # moment arms are dense, or compressed rows
        if live.mujoco.mj_isSparse(pair.rm):
            assert pair.off("ten_J_rownnz", "ten_J_rowadr")[0] == 0
            n = int(pair.rd.ten_J_rownnz.sum())
            assert np.array_equal(pair.d.ten_J_colind.ravel()[:n], pair.rd.ten_J_colind.ravel()[:n])
        else:
            n = pair.rd.ten_J.size
        assert live.difference(pair.d.ten_J.ravel()[:n], pair.rd.ten_J.ravel()[:n]) < 1e-12

        # the path
        n = int(pair.rd.ten_wrapnum.sum())
        obj = pair.rd.wrap_obj.ravel()[:n]
        assert np.array_equal(pair.d.wrap_obj.ravel()[:n], obj)
        assert live.difference(pair.d.wrap_xpos.ravel()[:3 * n], pair.rd.wrap_xpos.ravel()[:3 * n]) < 1e-12
        nwrap += int((obj >= 0).sum())

        # what follows: inertia and bias of armature, passive forces
        assert pair.off("M", "qfrc_bias", "qfrc_spring", "qfrc_damper")[0] < 1e-11
        pair.call("mj_energyPos")
        assert live.difference(pair.d.energy, pair.rd.energy) < 1e-11
    if any(t in (4, 5) for t in pair.rm.wrap_type):
        assert nwrap > 0


@pytest.mark.parametrize("flag", ["mjDSBL_SPRING", "mjDSBL_DAMPER"])
def test_disabled_passive_forces(flag):
    pair = live.Pair.from_text(TENDONS % "dense")
    pair.rm.opt.disableflags = int(getattr(live.mujoco.mjtDisableBit, flag))
    pair.m._s.opt.disableflags = pair.rm.opt.disableflags
    pair.randomize(np.random.default_rng(2))
    pair.call("mj_fwdPosition", "mj_fwdVelocity")
    assert pair.off("qfrc_spring", "qfrc_damper", "qfrc_passive")[0] < 1e-12
