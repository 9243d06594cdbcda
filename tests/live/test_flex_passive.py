# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Flexes: passive contacts, rays and sleep against the reference."""
import ctypes
import itertools
import os
import sys

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco")
sys.path.insert(0, os.path.dirname(__file__))
import flex_models as flex  # noqa: E402
import test_flex_contact as contact  # noqa: E402

HEAVY = ' mass="20"'  # passive contacts are stiff: light vertices are not stable
INNER = '<contact passive="true" selfcollide="none"/>'
SHAPES = ["rope", "cloth", "solid", "trilinear", "quadratic"]
OPTIONS = ['integrator="implicitfast"', 'integrator="implicit"', 'jacobian="dense"', 'integrator="RK4"',
           'jacobian="sparse" solver="PGS"']


def springs(xml, scale=0.004, steps=10):
    """Contacts have no rows; forces and a short trajectory agree."""
    pair = flex.Pair(xml)
    try:
        for seed in range(2):
            pair.set(seed, scale)
            pair.forward()
            assert pair.rd.ncon and contact.ids(pair.d.contact, pair.d.ncon) == contact.ids(pair.rd.contact, pair.rd.ncon)
            for name in ("dist", "exclude", "efc_address"):
                ours = [getattr(c, name) for c in list(pair.d.contact)[:pair.d.ncon]]
                assert np.allclose(ours, [getattr(c, name) for c in pair.rd.contact], atol=1e-9), name
            assert 4 in {c.exclude for c in pair.rd.contact} and pair.d.nefc == pair.rd.nefc
            pair.close(["qfrc_spring", "qfrc_damper", "qfrc_passive", "qacc_smooth"])
            for _ in range(steps):
                pair.step()
            pair.close(["qpos", "qDeriv"], 1e-6)
    finally:
        pair.free()


@pytest.mark.parametrize("kind", ["plane", "sphere", "box", "mesh"])
@pytest.mark.parametrize("shape", SHAPES)
def test_passive_contacts_with_a_geom(shape, kind):
    elastic = '<elasticity young="1e3"/>' if shape in ("trilinear", "quadratic") else '<edge damping=".1"/>'
    geom = contact.GEOMS[kind]
    body = f'<geom {geom[0]}/>' if kind == "plane" else f'<body><freejoint/><geom {geom[0]} density="5000"/></body>'
    springs(contact.scene(contact.FLEXES[shape][0] + HEAVY, INNER + elastic, geom[1] + contact.FLEXES[shape][1], body,
                          OPTIONS[SHAPES.index(shape)]))


@pytest.mark.parametrize("margins", ['margin=".03" gap=".01"', 'condim="1"', 'solref="-50 -1" solimp=".5 .6 .1"'])
@pytest.mark.parametrize("flag", ["", '<flag spring="disable"/>', '<flag spring="disable" damper="disable"/>'])
def test_passive_contacts_ask_for_nothing_but_the_distance(margins, flag):
    xml = contact.scene(contact.FLEXES["cloth"][0] + HEAVY, f'<contact passive="true" selfcollide="none" {margins}/>',
                        0.0, '<geom type="plane" size="1 1 .1"/>', "")
    springs(xml.replace('timestep="1e-3" />', f'timestep="1e-3">{flag}</option>'))


@pytest.mark.parametrize("passive", [("true", "true"), ("true", "false"), ("false", "true")])
def test_passive_contacts_of_two_flexes_and_within_one(passive):
    flexes = "".join(f'<flexcomp name="f{i}" {contact.FLEXES["cloth"][0]}{HEAVY} pos=".02 .03 {z}">'
                     f'<contact passive="{p}" selfcollide="none"/></flexcomp>' for i, (p, z) in
                     enumerate(zip(passive, (0, .018))))
    springs(f'<mujoco><option timestep="1e-3"/><size memory="100M"/><worldbody>{flexes}</worldbody></mujoco>', steps=2)
    inner = '<contact passive="true" selfcollide="narrow" internal="true"/>'
    springs(contact.scene(contact.FLEXES["solid"][0] + HEAVY, inner, 1, "", ""), scale=0.03, steps=0)


def rays(pair, flags, layer, n, seed):
    rng = np.random.default_rng(seed)
    hits = 0
    for _ in range(n):
        target = pair.rd.flexvert_xpos[rng.integers(len(pair.rd.flexvert_xpos))] + 0.02 * rng.standard_normal(3)
        start = target + 0.3 * rng.standard_normal(3)
        vec, theirs, ours = target - start, np.full(1, -7, np.int32), ctypes.c_int(-7)
        x = mujoco.mju_rayFlex(pair.rm, pair.rd, layer, *flags, 0, start, vec, theirs)
        y = pair.lib.mju_rayFlex(pair.m.ptr, pair.d.ptr, layer, *flags, 0, start.ctypes.data_as(ctypes.c_void_p),
                                 vec.ctypes.data_as(ctypes.c_void_p), ctypes.byref(ours))
        assert abs(x - y) < 1e-9 and theirs[0] == ours.value
        hits += x >= 0
    return hits


@pytest.mark.parametrize("shape", SHAPES)
def test_rays_meet_vertices_edges_faces_and_skins(shape):
    pair = flex.Pair(flex.document((flex.SHAPES.get(shape, ""), flex.NO_CONTACT)))
    pair.lib.mju_rayFlex.restype = ctypes.c_double
    pair.lib.mju_rayFlex.argtypes = ([ctypes.c_void_p] * 2 + [ctypes.c_int] + [ctypes.c_ubyte] * 4 + [ctypes.c_int]
                                     + [ctypes.c_void_p] * 3)
    try:
        pair.set(3, 0.02)
        pair.forward()
        hits = {}
        for layer, flags in itertools.product((0, 1), itertools.product((0, 1), repeat=4)):
            hits[layer, flags] = rays(pair, flags, layer, 25, layer)
        assert hits[0, (0, 1, 0, 0)] and not hits[0, (0, 0, 0, 0)]
        assert bool(hits[0, (0, 0, 1, 0)]) == bool(hits[0, (0, 0, 0, 1)]) == (shape != "rope")
    finally:
        pair.free()


SLEEPY = ('<mujoco><option timestep="2e-3"><flag sleep="enable"/></option><size memory="100M"/><worldbody>'
          '<geom type="plane" size="2 2 .1"/>{}<body pos="1 1 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>'
          '<body name="base" pos="0 0 {}"><flexcomp name="f" {}><contact selfcollide="none"/>{}</flexcomp></body>'
          '</worldbody></mujoco>')


def test_trees_beside_a_flex_sleep_as_in_the_reference():
    pair = flex.Pair(SLEEPY.format("", 0.3, contact.FLEXES["cloth"][0], '<edge damping=".1"/>'))
    try:
        pair.set(0, 0)
        for _ in range(300):
            pair.step()
            assert list(pair.d.tree_asleep) == list(pair.rd.tree_asleep)
            pair.close(["qpos"], 1e-6)
        assert pair.rd.tree_asleep[0] >= 0 > pair.rd.tree_asleep[1]  # the box sleeps, vertices never do
    finally:
        pair.free()


@pytest.mark.parametrize("edges", ["", '<edge equality="true"/>'])
def test_a_flex_wakes_what_it_falls_on(edges):
    """The reference stops with an error at the contact, and refuses edges that are equal while trees may sleep."""
    box = '<body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>'
    pair = flex.Pair(SLEEPY.format(box, 1.2, contact.FLEXES["cloth"][0] + ' mass="1"', edges))
    try:
        pair.lib.mj_resetData(pair.m.ptr, pair.d.ptr)
        slept = woke = False
        for _ in range(320):
            pair.lib.mj_step(pair.m.ptr, pair.d.ptr)
            asleep, touched = pair.d.tree_asleep[0] >= 0, any(c.flex[1] >= 0 and c.geom[0] != 0 for c in
                                                              list(pair.d.contact)[:pair.d.ncon])
            slept |= asleep
            woke |= slept and touched and not asleep
            assert not (touched and asleep)
        assert slept and woke and pair.d.tree_asleep[1] >= 0
    finally:
        pair.free()
