# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Flexes: positions, passive forces and equalities against the reference, in states and over ten steps."""
import itertools
import os
import sys

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco")
sys.path.insert(0, os.path.dirname(__file__))
import flex_models as flex  # noqa: E402

MATERIALS = {
    "loose": "",
    "damped": '<edge damping="1"/>',
    "springs": '<edge damping="1" stiffness="5"/>',
    "equal": '<edge equality="true" damping=".1" solref=".03 1" solimp=".9 .95 .01 .5 2"/>',
    "elastic": '<elasticity young="100" poisson=".1" damping=".01"/>',
    "stretch": '<elasticity young="300" poisson=".1" thickness=".01" elastic2d="stretch"/>',
    "bend": '<elasticity young="300" poisson=".1" damping=".01" thickness=".01" elastic2d="bend"/>',
    "both": '<edge damping="1"/><elasticity young="300" poisson=".1" damping=".01" thickness=".01" elastic2d="both"/>',
}
SETTINGS = [
    ('jacobian="dense" integrator="Euler" solver="Newton"', ""),
    ('jacobian="sparse" integrator="implicitfast" solver="Newton"', 'energy="enable"'),
    ('jacobian="sparse" integrator="implicit" solver="PGS"', 'damper="disable"'),
    ('jacobian="dense" integrator="RK4" solver="CG"', 'spring="disable"'),
    ('jacobian="sparse" integrator="implicitfast"', 'spring="disable" damper="disable"'),
]


def compare(xml, seeds=2, steps=10):
    pair = flex.Pair(xml)
    try:
        for seed in range(seeds):
            pair.set(seed, 0.01)
            pair.forward()
            assert pair.d.nefc == pair.rd.nefc
            pair.close(flex.POSITION + flex.VELOCITY + ["qacc_smooth", "energy"])
            if pair.rd.nefc:
                pair.close(["efc_pos", "efc_D", "efc_aref", "efc_diagApprox"])
                pair.close(["qfrc_constraint"], 1e-6)  # iterative solvers stop at their tolerance
            for _ in range(steps):
                pair.step()
            pair.close(["qpos"], 1e-6)
    finally:
        pair.free()


@pytest.mark.parametrize("setting", range(len(SETTINGS)))
@pytest.mark.parametrize("shape,material", itertools.product(flex.SHAPES, MATERIALS))
def test_forces_of_a_free_flex(shape, material, setting):
    option, flag = SETTINGS[setting]
    xml = flex.document((flex.SHAPES[shape], flex.NO_CONTACT + MATERIALS[material]),
                        option + ' timestep="1e-3" iterations="200" tolerance="1e-14"', flag)
    try:
        mujoco.MjModel.from_xml_string(xml)
    except ValueError as error:
        pytest.skip(str(error).splitlines()[0])
    compare(xml)


@pytest.mark.parametrize("shape,material", itertools.product(flex.SHAPES, ["springs", "equal", "elastic", "both"]))
def test_forces_of_a_pinned_flex_on_a_moving_body(shape, material):
    pins = flex.NO_CONTACT + MATERIALS[material] + '<pin id="0 2"/>'
    xml = flex.document((flex.SHAPES[shape], pins), 'timestep="1e-3" iterations="200" tolerance="1e-14"',
                        body='<freejoint/><geom size=".05" contype="0" conaffinity="0"/>')
    try:
        mujoco.MjModel.from_xml_string(xml)
    except ValueError as error:
        pytest.skip(str(error).splitlines()[0])
    compare(xml)


def test_edges_between_bodies_of_one_tree():
    xml = """<mujoco><option jacobian="%s"/><worldbody><body name="a" pos="0 0 1"><freejoint/><geom size=".01"/>
      <body name="b" pos=".1 0 0"><joint axis="0 1 0"/><geom size=".01"/></body>
      <body name="c" pos="-.1 0 0"><joint axis="0 1 0"/><geom size=".01"/></body></body></worldbody>
      <deformable><flex name="f" dim="1" body="a b c b" vertex="0 0 .1  .1 0 0  0 0 0  .1 .1 .1"
        element="0 1 1 2 0 2 1 3"><edge damping=".1" stiffness="3"/><contact contype="0" conaffinity="0"/></flex>
      </deformable></mujoco>"""
    for jacobian in ("dense", "sparse"):
        compare(xml % jacobian)


def test_a_vertex_of_two_equal_ones_pulls_along_the_first_axis():
    pair = flex.Pair(flex.document((flex.SHAPES["rope"], flex.NO_CONTACT + MATERIALS["springs"])))
    pair.d.qpos[0] = pair.rd.qpos[0] = 0.1  # the first vertex moves onto the second
    pair.forward()
    pair.close(flex.POSITION + flex.VELOCITY)
    assert np.abs(pair.d.flexedge_length[0]) < 1e-12
    pair.free()
