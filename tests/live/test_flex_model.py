# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Flexes from text to compiled arrays: every array of the model next to the reference's."""
import itertools
import os
import sys

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco")
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
sys.path.insert(0, os.path.dirname(__file__))
import live  # noqa: E402
from test_compile import compile_text, differing  # noqa: E402


def mend(rm):
    """Two defects of 3.4.0, which 4.0.0 does not have. Where the box around a flex is flat, vertices in it come from a
    division of zero by zero, or of rounding errors by each other. And where the first triangle at an edge passes it
    from its higher to its lower vertex, the stiffness against bending takes the ends of the edge for each other: such
    a sheet pushes itself from its shape at rest."""
    for f in range(rm.nflex):
        # tetrahedra that are turned inside out keep the texture coordinates of the vertices that they had there
        if rm.flex_dim[f] == 3:
            corner = slice(rm.flex_elemdataadr[f], rm.flex_elemdataadr[f] + 4 * rm.flex_elemnum[f])
            rm.flex_elemtexcoord[corner] = rm.flex_elem[corner]
        vert = slice(rm.flex_vertadr[f], rm.flex_vertadr[f] + rm.flex_vertnum[f])
        rm.flex_vert0[vert][~np.isfinite(rm.flex_vert0[vert])] = 0.5
        rm.flex_vert0[vert][:, is_flat(rm, f)] = 0.5
        each, adr, met = 3, rm.flex_elemdataadr[f], set()
        for k in range(rm.flex_elemnum[f] if rm.flex_dim[f] == 2 else 0):
            v = rm.flex_elem[adr + each * k:adr + each * (k + 1)]
            for i in range(3):
                e = rm.flex_edgeadr[f] + rm.flex_elemedge[rm.flex_elemedgeadr[f] + each * k + i]
                if e not in met and v[(i + 1) % 3] > v[(i + 2) % 3]:
                    matrix = rm.flex_bending[e][:16].reshape(4, 4)
                    matrix[:] = matrix[[1, 0, 2, 3]][:, [1, 0, 2, 3]]
                    rm.flex_bending[e][16] *= -1
                met.add(e)


def is_flat(rm, f):
    rd = mujoco.MjData(rm)
    mujoco.mj_kinematics(rm, rd)
    mujoco.mj_comPos(rm, rd)
    mujoco.mj_flex(rm, rd)
    vert = rd.flexvert_xpos[rm.flex_vertadr[f]:rm.flex_vertadr[f] + rm.flex_vertnum[f]]
    return np.ptp(vert, axis=0) < 1e-12


def check(xml):
    """Both compile, and to the same model."""
    rm = mujoco.MjModel.from_xml_string(xml)
    m, reason = compile_text(xml)
    assert m, reason
    mend(rm)
    assert differing(rm, m) == []
    live.library().mj_deleteModel(m.ptr)


SLIDES = "".join(f'<joint type="slide" axis="{a}"/>' for a in ("1 0 0", "0 1 0", "0 0 1"))


def document(rng, flexes, nbody=7, joints=SLIDES, tail=""):
    """Bodies at random places, some in a body that moves."""
    bodies = "".join(
        f'<body name="b{i}" pos="{" ".join(f"{x:.6g}" for x in rng.uniform(-1, 1, 3))}">{joints}'
        f'<inertial pos="0 0 0" mass="{rng.uniform(0.5, 2):.4g}" diaginertia="1 1 1"/></body>' for i in range(nbody))
    head = '<mujoco><asset><material name="red"/></asset><worldbody><geom type="plane" size="1 1 .1"/>'
    return f"{head}{bodies}</worldbody><deformable>{flexes}</deformable>{tail}</mujoco>"


def elements(rng, dim, n, nvert=7):
    return " ".join(" ".join(map(str, rng.choice(nvert, dim + 1, replace=False))) for _ in range(n))


BODIES = " ".join(f"b{i}" for i in range(7))


@pytest.mark.parametrize("dim, seed", itertools.product((1, 2, 3), range(12)))
def test_random_elements(dim, seed):
    rng = np.random.default_rng([dim, seed])
    elastic = {1: '<edge stiffness="2" damping=".1"/>' if seed % 2 else "",
               2: f'<elasticity young="7" poisson=".3" thickness=".02" elastic2d="{["none", "bend", "stretch", "both"][seed % 4]}"/>',
               3: '<elasticity young="7" poisson=".2" damping=".1"/>' if seed % 3 else ""}[dim]
    contact = [
        "", '<contact contype="2" conaffinity="3" condim="4" priority="1" friction=".1 .2 .3" solmix="2" solref=".1 1"'
        ' solimp=".8 .9 .01" margin=".1" gap=".05" internal="true" selfcollide="sap" activelayers="2" passive="true"'
        ' vertcollide="true"/>'][seed % 2]
    flexes = "".join(
        f'<flex name="f{k}" dim="{dim}" body="{BODIES}" radius=".0{k + 1}" group="2" rgba="1 0 0 .5" flatskin="true"'
        f' material="red" element="{elements(rng, dim, n)}">{contact}{elastic}</flex>' for k, n in enumerate((1, 5, 12)))
    tail = '<equality><flex flex="f1"/><flex flex="f2" active="false" solref=".1 1"/></equality>' if seed % 5 == 0 else ""
    check(document(rng, flexes, tail=tail))


JOINTS = {"slides": SLIDES, "free": "<freejoint/>", "hinge": '<joint axis="0 1 0" pos=".3 .1 0"/>', "none": ""}


@pytest.mark.parametrize("joints, dim, where", itertools.product(JOINTS, (1, 2, 3), ("", "vertex", "one", "world")))
def test_bodies_that_carry_vertices(joints, dim, where):
    rng = np.random.default_rng(dim)
    vert = " ".join(f"{x:.4g}" for x in rng.uniform(-1, 1, 21))
    body = {"": f'body="{BODIES}"', "vertex": f'body="{BODIES}" vertex="{vert}"', "one": f'body="b3" vertex="{vert}"',
            "world": f'body="world" vertex="{vert}"'}[where]
    edge = '<edge damping=".1"/>' if dim != 3 else '<elasticity damping="2" young="1"/>'
    check(document(rng, f'<flex dim="{dim}" {body} element="{elements(rng, dim, 6)}">{edge}</flex>', 7, JOINTS[joints]))


def test_texture_coordinates():
    rng = np.random.default_rng(1)
    tex = " ".join(f"{x:.3g}" for x in rng.uniform(0, 1, 14))
    check(document(rng, f'<flex name="a" body="{BODIES}" element="0 1 2 1 3 2"/>'
                        f'<flex name="b" body="{BODIES}" element="0 1 2 1 3 2" texcoord="{tex}"/>'
                        f'<flex name="c" body="{BODIES}" element="0 1 2 1 3 2" texcoord="0 0 1 1 2 2"'
                        ' elemtexcoord="0 1 2 2 1 0"/>'))


def nodes(side, order, elastic):
    """A flex that follows nodes at the corners of a box (and between them), with tetrahedra inside."""
    rng = np.random.default_rng(3)
    where = np.linspace(-1, 1, order + 1)
    bodies = "".join(f'<body name="n{k}" pos="{x * side[0]} {y * side[1]} {z * side[2]}">{SLIDES}<inertial pos="0 0 0"'
                     f' mass="1" diaginertia="1 1 1"/></body>' for k, (x, y, z) in enumerate(itertools.product(where, repeat=3)))
    names = " ".join(f"n{k}" for k in range((order + 1)**3))
    vert = rng.uniform(-1, 1, (40, 3))
    return (f'<mujoco><worldbody>{bodies}</worldbody><deformable><flex dim="3" node="{names}" body="{"n0 " * 40}"'
            f' vertex="{" ".join(f"{x:.6g}" for x in vert.ravel())}" element="{elements(rng, 3, 330, 40)}">'
            f'<contact selfcollide="none"/>{elastic}</flex></deformable></mujoco>')


@pytest.mark.parametrize("side", [(1, 1, 1), (0.5, 2, 1.5)])
@pytest.mark.parametrize("elastic", ["", '<elasticity young="7" poisson=".3" damping="1"/>'])
def test_trilinear_nodes(side, elastic):
    check(nodes(side, 1, elastic))


def test_quadratic_nodes_without_elasticity():
    check(nodes((1, 2, 3), 2, ""))


def test_quadratic_nodes_resist_stretching_as_the_solid_does():
    """3.4.0 takes points of Gauss outside the box (4.0.0 does not), so the right forces decide: pulled apart along x,
    the nodes of a face of area A share A stress as 1 : 4 : 16, the integrals of their shape functions. The stress is
    half of young, as for the other flexes."""
    young, (a, b, c) = 7, (1, 2, 3)
    m, reason = compile_text(nodes((a, b, c), 2, f'<elasticity young="{young}"/>'))
    assert m, reason
    stiffness = m.flex_stiffness.ravel()[:81 * 81].reshape(81, 81)
    np.testing.assert_allclose(stiffness, stiffness.T, atol=1e-12)
    move = np.zeros((27, 3))
    move[:, 0] = m.flex_node0[:, 0] / a
    force = (stiffness @ move.ravel()).reshape(27, 3)
    share = np.outer([1, 4, 1], [1, 4, 1]).ravel() / 36
    want = np.zeros((27, 3))
    want[:9, 0], want[18:, 0] = share, -share
    np.testing.assert_allclose(force, want * (2 * b) * (2 * c) * young / 2 / a, atol=1e-11)
    live.library().mj_deleteModel(m.ptr)


def flexcomp(attributes, inner="", around=""):
    head = '<mujoco><asset><material name="red"/></asset><worldbody><geom type="plane" size="1 1 .1"/>'
    body = f'<flexcomp name="f" {attributes}>{inner}</flexcomp>'
    if around:
        body = f'<body name="p" pos="1 2 3" euler="30 40 50">{around}<geom size=".1"/>{body}</body>'
    return f"{head}{body}</worldbody></mujoco>"


SHAPES = ['type="grid" dim="1" count="5 1 1"', 'type="grid" dim="2" count="4 5 1"', 'type="grid" dim="3" count="3 4 3"',
          'type="box" dim="3" count="4 3 5"', 'type="cylinder" dim="3" count="4 3 5"',
          'type="ellipsoid" dim="3" count="5 3 4"', 'type="square" dim="2" count="4 3 1"',
          'type="disc" dim="2" count="5 4 1"', 'type="circle" dim="1" count="7 1 1"',
          'type="direct" dim="2" point="0 0 0 1 0 0 0 1 0 1 1 .5 7 7 7" element="0 1 2 2 1 3" scale="1 2 3"',
          'type="direct" dim="3" point="9 9 9 0 0 0 1 0 0 0 1 0 0 0 1" element="1 2 3 4"']
POSE = 'spacing=".1 .2 .3" radius=".01" pos=".1 .2 .3" euler="10 20 30"'


@pytest.mark.parametrize("shape, pose", itertools.product(SHAPES, (POSE, 'spacing=".05 .05 .05"')))
def test_shapes(shape, pose):
    check(flexcomp(f'{shape} {pose} mass="2" inertiabox=".02" rgba="1 0 0 1" group="2" material="red"'))


@pytest.mark.parametrize("shape, around", itertools.product(SHAPES, ("", "<freejoint/>")))
def test_dofs_parents_and_rigid_ones(shape, around):
    check(flexcomp(f'{shape} {POSE}', around=around))
    # 3.4.0 renumbers the elements of a rigid flex, but not its vertices
    if "9 9 9" not in shape:
        check(flexcomp(f'{shape} {POSE} rigid="true"', around=around))


@pytest.mark.parametrize("shape, dof", itertools.product(SHAPES[1:8], ("trilinear", "quadratic", "radial")))
def test_dofs(shape, dof):
    check(flexcomp(f'{shape} {POSE} dof="{dof}" mass="3"', '<contact selfcollide="none"/>', "<joint/>"))


PINS = ['id="0 3"', 'range="1 3 5 6"', 'grid="0 0 1 1"', 'gridrange="0 0 1 1"', 'gridrange="1 0 2 3"']


@pytest.mark.parametrize("pin", PINS)
def test_pins(pin):
    check(flexcomp('type="grid" dim="2" count="4 5 1" ' + POSE, f'<pin {pin}/><pin id="11"/>', "<joint/>"))


@pytest.mark.parametrize("dof, pin", itertools.product(("trilinear", "quadratic"), ('id="0 7"', 'grid="0 1 1"', 'gridrange="0 0 0 0 1 1"')))
def test_pins_of_nodes(dof, pin):
    check(flexcomp(f'type="grid" dim="3" count="4 5 3" {POSE} dof="{dof}"',
                   f'<pin {pin}/><contact selfcollide="none"/>', "<joint/>"))


@pytest.mark.parametrize("inner", ['<edge equality="true" solref=".1 1" solimp=".8 .9 .01"/>', '<edge damping="2"/>',
                                   '<elasticity young="100" poisson=".2" damping=".1" thickness=".01" elastic2d="stretch"/>',
                                   '<elasticity young="100" poisson=".2" thickness=".01" elastic2d="both"/>',
                                   '<contact internal="true" condim="1" solref="0.01 1" activelayers="3"/>'])
@pytest.mark.parametrize("shape", SHAPES[1:8])
def test_elasticity_of_shapes(shape, inner):
    check(flexcomp(f"{shape} {POSE}", inner))


def test_trilinear_solid_with_elasticity():
    solid = f'type="grid" dim="3" count="4 5 3" {POSE} dof="trilinear"'
    inner = '<elasticity young="100" poisson=".2"/><contact selfcollide="none"/>'
    check(flexcomp(solid, inner))

    # On a parent that is turned, the stiffness turns with the nodes (flex_node0). The matrix of 3.4.0 fits neither the
    # places of its nodes in space nor those in the parent.
    straight, turned = (compile_text(flexcomp(solid, inner, "<joint/>").replace("30 40 50", euler))[0]
                        for euler in ("0 0 0", "30 40 50"))
    mat = np.zeros(9)
    mujoco.mju_quat2Mat(mat, np.ascontiguousarray(turned.body_quat[1]))
    turn = np.kron(np.eye(8), mat.reshape(3, 3))
    matrices = [m.flex_stiffness.ravel()[:576].reshape(24, 24) for m in (straight, turned)]
    np.testing.assert_allclose(matrices[1], turn @ matrices[0] @ turn.T, atol=1e-11)
    for m in (straight, turned):
        live.library().mj_deleteModel(m.ptr)
