# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Meshes made from parameters against the reference: vertices and all that follows from them, and refused parameters."""
import os
import sys

import numpy as np
import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
sys.path.insert(0, os.path.dirname(__file__))
import live  # noqa: E402
from test_compile import compile_text, differing  # noqa: E402


def model(kind, params, attributes=""):
    return f"""<mujoco><asset><mesh name="m" builtin="{kind}" params="{params}" {attributes}/></asset><worldbody>
<geom type="mesh" mesh="m" pos="1 2 3" contype="0" conaffinity="0"/></worldbody></mujoco>"""


# sensors of a wedge lie on circles: which of the faces between them the hull keeps is a matter of rounding
HULL = ("mesh_face", "mesh_facenormal", "mesh_graph")


def compare(xml):
    want = live.mujoco.MjModel.from_xml_string(xml)
    m, reason = compile_text(xml)
    assert m is not None, reason
    names = differing(want, m, HULL if "wedge" in xml else ())
    live.library().mj_deleteModel(m.ptr)
    return names


# per type: parameters drawn at random, and those that are refused
TYPES = {
    "sphere": (lambda r: f"{r.integers(3)}", ("-1", "5", "1 2", "x", "")),
    "hemisphere": (lambda r: f"{r.uniform(-.9, 6):.3g}", ("-1", "11", "1 2", "nan")),
    "cone": (lambda r: f"{r.integers(3, 12)} {r.choice([0, -1, .3, 1, 2])}", ("1 .5", "2 .5", "5", "5 1 1")),
    "supersphere": (lambda r: f"{r.integers(3, 12)} {r.uniform(0, 3):.3g} {r.uniform(0, 3):.3g}",
                    ("2.9 1 1", "5 -1 1", "5 1 -1", "5 1", "5 nan 1")),
    "supertorus": (lambda r: f"{r.integers(3, 12)} {r.uniform(.1, 1):.3g} {r.uniform(.1, 3):.3g} {r.uniform(.1, 3):.3g}",
                   ("2 .5 1 1", "5 0 1 1", "5 1.1 1 1", "5 .5 0 1", "5 .5 1 0", "5 .5 1 -1", "5 .5 1", "5 .5 nan 1")),
    "wedge": (lambda r: f"{r.integers(2, 9)} {r.integers(3, 9)} {r.uniform(10, 90):.3g} {r.uniform(10, 90):.3g} {r.uniform():.3g}",
              ("0 3 60 60 0", "3 -1 60 60 0", "3 3 181 60 0", "3 3 0 60 0", "3 3 60 91 0", "3 3 60 0 0", "3 3 60 60 -.1",
               "3 3 60 60 1.1", "3 3 60 60", "2 2 60 60 0", "1 4 60 60 0", "3 3 60 60 nan")),
    "plate": (lambda r: f"{r.integers(2, 9)} {r.uniform(2, 9):.3g}", ("0 3", "3 -1", "1 1", "1 4", "3", "nan 3")),
    "none": (None, ("1",)),
    "prism": (None, ("1",)),
}
SHAPES = [name for name in TYPES if TYPES[name][0]]


@pytest.mark.parametrize("kind", SHAPES)
@pytest.mark.parametrize("seed", range(8))
def test_random(kind, seed):
    rng = np.random.default_rng(seed)
    assert compare(model(kind, TYPES[kind][0](rng))) == []


@pytest.mark.parametrize("kind", SHAPES)
@pytest.mark.parametrize("attributes", ['scale="1 2 -.5"', 'refpos="1 2 3" refquat="1 2 3 4"', 'smoothnormal="true"', 'inertia="shell"'])
def test_attributes(kind, attributes):
    params = TYPES[kind][0](np.random.default_rng(3))
    assert compare(model(kind, params, attributes)) == []


@pytest.mark.parametrize("kind,params", [(k, p) for k in TYPES for p in TYPES[k][1]])
def test_refused(kind, params):
    with pytest.raises(ValueError):
        live.mujoco.MjModel.from_xml_string(model(kind, params))
    try:
        m, _ = compile_text(model(kind, params))
    except AssertionError:
        m = None
    assert m is None


@pytest.mark.parametrize("attributes", ['file="x.obj"', 'vertex="0 0 0 1 0 0 0 1 0 0 0 1"'])
def test_not_with_other_sources(attributes):
    test_refused("sphere", '1" ' + attributes + ' content_type="')
