# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Contacts of flexes with geoms, with each other and with themselves, against the reference."""
import collections
import itertools
import os
import sys

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco")
sys.path.insert(0, os.path.dirname(__file__))
import flex_models as flex  # noqa: E402

ASSETS = ('<asset><mesh name="me" vertex="-.06 -.05 -.05 .06 -.05 -.05 -.06 .05 -.05 .06 .05 -.05 -.05 -.05 .05 '
          '.05 -.05 .05 -.05 .05 .05 .04 .05 .05"/><hfield name="hf" nrow="5" ncol="5" size=".3 .3 .05 .1" '
          'elevation="0 .1 .2 .1 0 .1 .4 .5 .4 .1 .2 .5 .6 .5 .1 .1 .4 .3 .2 .1 0 .1 .1 .1 0"/></asset>')
GEOMS = {  # attributes, and how high a flex lies on it
    "plane": ('type="plane" size="1 1 .1"', 0.0), "sphere": ('type="sphere" size=".1"', 0.095),
    "capsule": ('type="capsule" size=".05 .1"', 0.145), "box": ('type="box" size=".06 .07 .05"', 0.045),
    "lying": ('type="capsule" size=".05 .1" euler="80 10 0"', 0.045),
    "ellipsoid": ('type="ellipsoid" size=".06 .07 .05"', 0.045), "cylinder": ('type="cylinder" size=".06 .05"', 0.045),
    "mesh": ('type="mesh" mesh="me"', 0.045), "hfield": ('type="hfield" hfield="hf"', 0.045),
}
FLEXES = {  # attributes, and how far the lowest vertices lie below the center
    "rope": ('type="grid" count="3 1 1" spacing=".1 .1 .1" dim="1" radius=".01"', 0.0),
    "cloth": ('type="grid" count="3 3 1" spacing=".1 .1 .1" dim="2" radius=".01"', 0.0),
    "solid": ('type="grid" count="3 3 3" spacing=".1 .1 .1" dim="3" radius=".01"', 0.1),
    "trilinear": ('type="grid" count="4 4 4" spacing=".1 .1 .1" dim="3" radius=".01" dof="trilinear"', 0.15),
    "quadratic": ('type="grid" count="5 5 5" spacing=".1 .1 .1" dim="3" radius=".01" dof="quadratic"', 0.2),
}
OPTIONS = ['cone="elliptic" jacobian="dense" integrator="implicitfast"', 'cone="pyramidal" jacobian="sparse"',
           'cone="elliptic" jacobian="sparse" solver="CG" iterations="500" tolerance="1e-14"',
           'cone="pyramidal" solver="PGS" integrator="implicit"', 'integrator="RK4"']


def ids(contacts, n):
    return [tuple(int(x) for name in ("geom", "flex", "elem", "vert") for x in getattr(c, name))
            for c in list(contacts)[:n]]


def compare(xml, scale=0.004, steps=10):
    pair = flex.Pair(xml)
    try:
        for seed in range(2):
            pair.set(seed, scale)
            pair.forward()
            ours, reference = ids(pair.d.contact, pair.d.ncon), ids(pair.rd.contact, pair.rd.ncon)
            assert reference
            assert ours == reference
            for c, r in zip(list(pair.d.contact)[:pair.d.ncon], pair.rd.contact):
                for name in ("dist", "pos", "frame", "includemargin", "friction", "solref", "solimp", "dim", "exclude",
                             "efc_address"):
                    assert np.abs(np.asarray(getattr(c, name)) - getattr(r, name)).max() <= 1e-8, name
            assert pair.d.nefc == pair.rd.nefc
            pair.close(["efc_pos", "efc_D", "efc_diagApprox", "efc_aref"])
            pair.close(["qfrc_constraint"], 1e-5)  # solvers stop at their tolerance
            if not mujoco.mj_isSparse(pair.rm):
                pair.close(["efc_J"])
            for _ in range(steps):
                pair.step()
            pair.close(["qpos"], 1e-6)
    finally:
        pair.free()


def scene(shape, inner, height, geom, option):
    return (f'<mujoco><option timestep="1e-3" {option}/><size memory="100M"/>{ASSETS}<worldbody>{geom}'
            f'<flexcomp name="f" {shape} pos=".013 .007 {height}">{inner}</flexcomp></worldbody></mujoco>')


STEPS = collections.defaultdict(lambda: 10, {
    # in its fifth step the normal of an element on top of the cylinder lies level in the reference, and upright before and after
    ("solid", "cylinder"): 4,
    # elements lie deep in the prisms of a height field: the last bit decides which face is nearest
    **{(shape, "hfield"): 0 for shape in FLEXES}})


@pytest.mark.parametrize("kind", GEOMS)
@pytest.mark.parametrize("shape", FLEXES)
def test_flex_on_a_geom(shape, kind):
    elastic = '<elasticity young="1e3"/>' if shape in ("trilinear", "quadratic") else ""
    option = OPTIONS[(list(GEOMS).index(kind) + list(FLEXES).index(shape)) % len(OPTIONS)]
    xml = scene(FLEXES[shape][0], '<contact selfcollide="none"/>' + elastic, GEOMS[kind][1] + FLEXES[shape][1],
                f"<geom {GEOMS[kind][0]}/>", option)
    if kind == "hfield":  # the native search of 3.4.0 reads a shape that it has not set there, and may crash
        xml = xml.replace("<size", '<option><flag nativeccd="disable"/></option><size')
    compare(xml, steps=STEPS[shape, kind])


@pytest.mark.parametrize("option", OPTIONS)
def test_parameters_mix_as_those_of_geoms(option):
    geom = ('<geom type="sphere" size=".1" margin=".01" gap=".005" solmix="3" friction=".3 .01 .2" condim="3" '
            'solref=".01 2"/>')
    for priority in ("", 'priority="1"'):
        compare(scene(FLEXES["cloth"][0], f'<contact selfcollide="none" margin=".02" gap=".01" condim="1" {priority} '
                      'friction=".2 .1 .5" solimp=".5 .6 .1 .5 2" solmix="2"/>', 0.1, geom, option))


def test_moving_bodies_pins_and_layers():
    body = ('<body pos="0 0 .1"><freejoint/><geom size=".1"/><geom size=".05" pos=".05 0 -.05"/></body>'
            '<geom type="plane" size="1 1 1" pos="0 0 -.02"/>')
    compare(scene(FLEXES["cloth"][0], '<contact selfcollide="none"/>', 0, body, OPTIONS[0]))
    solid = 'type="grid" count="4 4 4" spacing=".1 .1 .1" dim="3" radius=".01"'
    for layers in (1, 2):
        compare(scene(solid, f'<contact selfcollide="none" activelayers="{layers}"/>', 0.1,
                      '<geom type="sphere" size=".3"/>', OPTIONS[1]), steps=0)
    compare('<mujoco><option timestep="1e-3"/><worldbody><geom type="plane" size="1 1 1" pos="0 0 -.01"/><body name="p">'
            '<freejoint/><geom size=".1" pos="0 0 .08"/><flexcomp name="f" type="grid" count="3 3 1" '
            'spacing=".1 .1 .1" radius=".02" dim="2"><pin id="0 4"/></flexcomp></body></worldbody></mujoco>')


@pytest.mark.parametrize("first,second", list(itertools.product(["rope", "cloth", "solid"], repeat=2)))
def test_two_flexes(first, second):
    a, b = FLEXES[first][0].replace(".01", ".02"), FLEXES[second][0].replace(".01", ".02")
    none = '<contact selfcollide="none"/>'
    compare(f'<mujoco><option timestep="1e-3" jacobian="dense"/><size memory="100M"/><worldbody>'
            f'<flexcomp name="f" {a}>{none}</flexcomp><flexcomp name="g" {b} pos=".01 .02 .03">{none}</flexcomp>'
            '</worldbody></mujoco>', steps=5)


@pytest.mark.parametrize("mode", ["narrow", "bvh", "sap", "auto"])
@pytest.mark.parametrize("shape", ["cloth", "solid"])
def test_a_flex_and_itself(shape, mode):
    crumpled = FLEXES[shape][0].replace(".01", ".02").replace("3 3 1", "4 4 1")
    compare(f'<mujoco><option timestep="1e-3" jacobian="dense"/><size memory="100M"/><worldbody><flexcomp name="f" '
            f'{crumpled}><contact selfcollide="{mode}"/></flexcomp></worldbody></mujoco>', scale=0.05, steps=0)


@pytest.mark.parametrize("integrator", ["Euler", "implicitfast"])
def test_sensors_and_inverse_dynamics_with_flexes(integrator):
    xml = f"""<mujoco><option timestep="1e-3" integrator="{integrator}"><flag energy="enable" invdiscrete="enable"/>
      </option><worldbody><geom name="pl" type="plane" size="1 1 1" pos="0 0 -.02"/><body name="bb" pos="0 0 .1">
      <freejoint/><geom name="gg" size=".1"/><site name="s" size=".2"/></body><flexcomp name="f" type="grid"
      count="4 4 1" spacing=".1 .1 .1" dim="2" radius=".01"><edge damping=".1" equality="true"/></flexcomp></worldbody>
      <actuator><adhesion body="bb" ctrlrange="0 1" gain="3"/></actuator><sensor><touch site="s"/>
      <contact body1="bb" num="3" data="found force dist pos normal"/><contact geom1="pl" num="3" data="found force"/>
      <contact subtree1="f_5" num="2" data="found force"/><accelerometer site="s"/><force site="s"/><e_potential/>
      <e_kinetic/><rangefinder site="s"/></sensor></mujoco>"""
    pair = flex.Pair(xml)
    pair.set(0, 0.004)
    pair.rd.ctrl[:] = pair.d.ctrl[:] = 0.5
    pair.forward()
    assert pair.rd.ncon == 2 and pair.rd.sensordata[0] > 1
    pair.close(["sensordata", "qfrc_actuator", "cfrc_ext", "cfrc_int", "energy"])
    mujoco.mj_inverse(pair.rm, pair.rd)
    pair.lib.mj_inverse(pair.m.ptr, pair.d.ptr)
    pair.close(["qfrc_inverse"])
    pair.free()


@pytest.mark.parametrize("shape", ["rope", "cloth", "solid"])
def test_internal_contacts(shape):
    crumpled = FLEXES[shape][0].replace(".01", ".03").replace("3 3 1", "4 4 1")
    compare(f'<mujoco><option timestep="1e-3" jacobian="dense"/><size memory="100M"/><worldbody>'
            f'<geom type="plane" size="1 1 1"/><flexcomp name="f" {crumpled}><contact selfcollide="none" '
            'internal="true" margin=".03" gap=".01"/></flexcomp></worldbody></mujoco>', scale=0.05, steps=0)
