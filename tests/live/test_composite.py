# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Composite objects against the reference: what is generated, and what is refused."""
import os
import sys

import numpy as np
import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
sys.path.insert(0, os.path.dirname(__file__))
import live  # noqa: E402
from test_compile import compile_text, differing, text  # noqa: E402

GEOM = '<geom type="capsule" size=".01"/>'
BOX = '<geom type="box" size=".1 .2 .3"/>'
DEFAULTS = """<default><geom type="box" size=".1 .2 .3" rgba="1 0 0 1" pos="1 2 3" mass="2" group="4"/><joint damping="3"
type="slide" stiffness="2" limited="true" range="0 .2"/><site rgba="0 1 0 1" size=".2" pos="3 3 3" type="box"/></default>"""
JOINT = """<joint kind="main" type="hinge" axis="0 1 0" group="2" stiffness="3" damping="2" armature="4" frictionloss="5"
limited="true" range="0 30" margin=".1" solreflimit="1 2" solimplimit=".1 .2" solreffriction="3 4" solimpfriction=".3"
solreffix=".5 1" solimpfix=".5 .6 .7"/>"""
SURFACE = """<geom type="cylinder" size=".02" material="m" mass="2" density="3" rgba="1 .2 .3 1" friction="1 2" gap=".1"
margin=".2" group="1" solmix="2" priority="3" condim="1" contype="2" conaffinity="4" solref="1 1" solimp=".1"/>
<site group="2" size=".1 .2 .3" rgba="1 0 0 1" material="m"/>"""
ASSET = '<asset><material name="m"/></asset>'


def cable(attributes, kids=GEOM):
    return f'<composite type="cable" {attributes}>{kids}</composite>'


LINE = 'curve="s" count="6" '

def vertices(points):
    return 'vertex="%s" ' % " ".join("%.9g" % x for x in np.ravel(points))


CASES = {
    "line": ("", cable(LINE), ""),
    "two points": ("", cable('curve="s s s" count="2"'), ""),
    "free": ("", cable(LINE + 'initial="free"', GEOM + JOINT), ""),
    "fixed": ("", cable(LINE + 'initial="none"', GEOM + JOINT), ""),
    "any other initial": ("", cable(LINE + 'initial="hinge"', GEOM + JOINT), ""),
    "default classes do not reach it": (DEFAULTS, cable(LINE), ""),
    "surface": (ASSET, cable(LINE, SURFACE), ""),
    "placed": ("", "<body pos='1 2 3' euler='10 20 30'><geom size='.1'/><frame pos='3 2 1' euler='0 0 40'>"
               + cable('curve="s cos(s) sin(s)" count="7 1" size="1 .2 3" offset="1 2 3" quat="1 2 0 3" prefix="P_"', BOX) + "</frame></body>",
               ""),
    "several": ("<custom><text name='t' data='x'/></custom>", cable('curve="s" count="5" prefix="A"', BOX) + "<body name='x'>"
                "<geom size='1'/></body>" + cable('curve="0 s" count="4" prefix="B"') + cable("curve='sin(s) 0 s' count='4' size='1 1'", BOX),
                "<contact><exclude body1='x' body2='AB_1'/><exclude body1='BB_1' body2='AB_last'/></contact>"
                "<sensor><framepos objtype='site' objname='AS_last'/></sensor>"),
    "replicated": ("", '<replicate count="3" offset="0 1 0">' + cable(LINE) + "</replicate>", ""),
    "skin": (ASSET, cable(LINE, BOX + '<skin texcoord="true" material="m" rgba="1 0 0 1" inflate=".5" group="2"/>'), ""),
    "skin given to capsules": ("", cable(LINE, GEOM + '<skin subgrid="2"/>'), ""),
    "vertices left over": ("", cable('vertex="0 0 0 1 0 0 1 1 0 2 1 1 3"'), ""),
    "turns back": ("", cable('vertex="0 0 0 1 0 0 1 1 0 1 0 0 1 0 1"'), ""),
    "starts by turning back": ("", cable('vertex="0 0 0 1 0 0 0 0 0 1 0 0 2 1 0"'), ""),
    "small": ("", cable('vertex="0 0 0 1e-2 0 0 1e-2 1e-2 0 1e-2 1e-2 1e-2"', GEOM.replace(".01", ".005")), ""),
}
for axis in ("1 0 0", "0 1 0", "0 0 1", "-1 0 0", "0 -1 0", "0 0 -1", "1 1 1", "-1 .2 .1", ".3 .5 -.2"):
    direction = np.array([float(x) for x in axis.split()])
    CASES["one segment " + axis] = ("", cable(vertices([0 * direction, direction])), "")
    CASES["straight " + axis] = ("", cable(vertices([k * direction for k in range(5)])), "")
    CASES["straight, then bent " + axis] = (
        "", cable(vertices([k * direction for k in range(3)] + [2 * direction + [1, 2, 0], 2 * direction + [2, 0, 1]])), "")
for points in (4, 5, 9):
    for subgrid in (-1, 0, 1, 2, 3, 7):
        CASES[f"skin {points} {subgrid}"] = ("", cable(f'curve="s sin(s)" count="{points}" size="2 .5 1"',
                                             BOX + f'<skin subgrid="{subgrid}" texcoord="true"/>'), "")

REJECTS = [
    *(f'<composite type="{t}" count="4"/>' for t in ("particle", "grid", "rope", "loop", "cloth", "box", "", "Cable")),
    f"<composite {LINE}>{GEOM}</composite>",
    *(cable(f'curve="s" count="{n}"') for n in ("0", "-1", "1", "3", "4 0", "4 4", "1 4", "4 1 1 1", "4.5", "x", "")),
    cable('curve="s"'), cable('count="5"'), cable('curve="0" count="5"'), cable('curve="cos(s)" count="5"'),
    *(cable(f'count="5" curve="{c}"') for c in ("s s s s", "foo", "s,s", "S", "cos(s)sin(s)")),
    cable(LINE + 'vertex="0 0 0 1 0 0"'), cable('vertex="0 0 0"'), cable('vertex=""'), cable('vertex="0 0 0 1 0 0 2 0 0"'),
    cable('vertex="0 0 0 1 0 0 1 0 0 2 0 0"'),
    cable('curve="s" count="2"', BOX), cable(LINE + 'size="1 2 3 4"'), cable(LINE + 'offset="1 2"'), cable(LINE + 'quat="1 2"'),
    cable(LINE + 'spacing="1"'),
    *(cable(LINE, f"<geom {g}/>") for g in ("", 'type="sphere" size="1"', 'type="ellipsoid" size="1 1 1"', 'type="mesh"', 'type="foo"',
      'type="capsule"', 'type="box" size=".1 .2"', 'type="capsule" size=".1" class="x"', 'type="capsule" size=".1" material="x"')),
    cable(LINE, ""), cable(LINE, GEOM + GEOM), cable(LINE, GEOM + "<site/><site/>"), cable(LINE, GEOM + "<skin/><skin/>"),
    *(cable(LINE, GEOM + f"<joint {j}/>") for j in ("", 'kind="twist"', 'kind="main" type="foo"', 'kind="main" axis="1 2"',
      'kind="main" solreffix="1 2 3"', 'kind="main" solimpfix="x"', 'kind="main" springdamper="1 1"')),
    cable(LINE, GEOM + '<joint kind="main"/><joint kind="main"/>'),
    *(cable(LINE, BOX + f"<skin {s}/>") for s in ('subgrid="1.5"', 'subgrid="1 2"', 'group="9"', 'material="x"', 'texcoord="1"', 'rgba="1"')),
    cable(LINE, GEOM + '<plugin plugin="foo"/>'),
    cable(LINE) + cable(LINE), "<body name='B_1'/>" + cable(LINE),
    f"<body>{cable(LINE + 'initial=' + repr('free'))}<geom size='1'/></body>",
]


# how weights are stored: where a cell is not divided evenly in two, the reference keeps zeros with rounding errors
WEIGHTS = {"nskinbonevert", "skin_bonevertadr", "skin_bonevertnum", "skin_bonevertid", "skin_bonevertweight"}


def weights(m):
    """Weight of each bone at each vertex."""
    out = np.zeros((m.nskinbone, m.nskinvert))
    for row, first, n in zip(out, m.skin_bonevertadr.ravel(), m.skin_bonevertnum.ravel()):
        row[m.skin_bonevertid.ravel()[first:first + n]] += m.skin_bonevertweight.ravel()[first:first + n]
    return out


def compare(parts):
    xml = text(parts)
    want = live.mujoco.MjModel.from_xml_string(xml)
    m, reason = compile_text(xml)
    assert m is not None, reason
    uneven = 'subgrid="2"' in xml
    assert differing(want, m, WEIGHTS if uneven else ()) == []
    if uneven:
        np.testing.assert_allclose(weights(m), weights(want), atol=1e-6)
    live.library().mj_deleteModel(m.ptr)


@pytest.mark.parametrize("name", CASES)
def test_composite(name):
    compare(CASES[name])


def random_cable(rng):
    """A cable along a curve or through points, of any kind of geom, with or without a joint, a site and a skin."""
    if rng.random() < .5:
        curve = " ".join(rng.choice(["s", "0", "cos(s)", "sin(s)"], 2))
        attributes = f'curve="{curve} s" count="{rng.integers(4, 9)}" size="%.3g %.3g %.3g"' % tuple(rng.uniform(.2, 3, 3))
        attributes += ' quat="%.3g %.3g %.3g %.3g"' % tuple(rng.normal(size=4))
    else:
        attributes = vertices(rng.normal(size=(rng.integers(4, 9), 3)))
    attributes += f' initial="{rng.choice(["free", "ball", "none"])}" offset="%.3g %.3g %.3g"' % tuple(rng.normal(size=3))
    kids = '<geom type="%s" size=".02 .03 .04"/>' % rng.choice(["capsule", "cylinder", "box"])
    kids += JOINT * rng.integers(2) + "<site size='.1'/>" * rng.integers(2) + f'<skin subgrid="{rng.integers(4)}"/>' * rng.integers(2)
    return cable(attributes, kids)


@pytest.mark.parametrize("seed", range(40))
def test_random(seed):
    compare(("", random_cable(np.random.default_rng(seed)), ""))


@pytest.mark.parametrize("body", REJECTS)
def test_refused(body):
    with pytest.raises(ValueError):
        live.mujoco.MjModel.from_xml_string(text(("", body, "")))
    m, reason = compile_text_any(text(("", body, "")))
    assert m is None
    assert "composite" in reason or "line" in reason or ":1:" in reason


def compile_text_any(xml):
    """Our model, or the reason of reader or compiler."""
    try:
        return compile_text(xml)
    except AssertionError as reason:
        return None, str(reason)
