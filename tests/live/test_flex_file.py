# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Compiled models with flexes, as the reference saves them: they load whole, and wrong ones are refused."""
import ctypes
import os
import sys

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco")
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
sys.path.insert(0, os.path.dirname(__file__))
import bridge  # noqa: E402
import live  # noqa: E402
from mujoco.introspect import structs  # noqa: E402

MODELS = {
    "cloth": '<flexcomp name="f" type="grid" count="3 4 1" spacing=".1 .1 .1" radius=".01" mass="1" dim="2">'
             '<elasticity young="1e4" thickness=".01" elastic2d="both"/></flexcomp>',
    "solid": '<flexcomp name="f" type="grid" count="4 4 4" spacing=".1 .1 .1" radius=".01" mass="1" dim="3">'
             '<elasticity young="1e4" poisson=".1"/></flexcomp>',
    "nodes": '<flexcomp name="f" type="grid" count="3 3 3" spacing=".1 .1 .1" mass="1" dim="3" dof="trilinear">'
             '<elasticity young="1e4"/><contact selfcollide="none"/></flexcomp>',
    "ropes": '<flexcomp name="f" type="grid" count="5 1 1" spacing=".1 .1 .1" mass="1" dim="1"/>'
             '<flexcomp name="g" type="grid" count="3 3 1" spacing=".1 .1 .1" mass="1" dim="2" pos="0 0 1"'
             ' texcoord="0 0 0 1 0 2 1 0 1 1 1 2 2 0 2 1 2 2"/>',
}
FLEX = [f.name for f in structs.STRUCTS["mjModel"].fields if f.name.startswith(("flex", "nflex", "bvh", "nbvh"))]


def compiled(name):
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><worldbody><geom type="plane" size="1 1 .1"/>{MODELS[name]}</worldbody></mujoco>')


def load(rm, path):
    lib = live.library()
    lib.mj_loadModel.restype = ctypes.c_void_p
    mujoco.mj_saveModel(rm, str(path), None)
    return lib.mj_loadModel(os.fsencode(path), None)


@pytest.mark.parametrize("name", MODELS)
def test_flexes_of_the_reference_load(name, tmp_path):
    rm = compiled(name)
    m = bridge.Model(load(rm, tmp_path / "m.mjb"))
    for field in FLEX:
        np.testing.assert_array_equal(getattr(m, field), getattr(rm, field), field)
    live.library().mj_deleteModel(m.ptr)


IDS = ["vertbodyid", "nodebodyid", "edge", "edgeflap", "elem", "elemtexcoord", "elemedge", "shell", "evpair",
       "matid", "dim", "selfcollide", "condim", "interp"]
RANGES = [name for part in ("node", "vert", "edge", "elem", "evpair", "bvh") for name in (part + "adr", part + "num")]


@pytest.mark.parametrize("name", MODELS)
def test_indices_out_of_range_are_refused(name, tmp_path):
    rm = compiled(name)
    tried = 0
    for field in [*(f"flex_{x}" for x in IDS + RANGES + ["elemdataadr", "elemedgeadr", "shellnum", "shelldataadr"]),
                  "bvh_child", "bvh_nodeid"]:
        array = getattr(rm, field).ravel()
        for at in {0, array.size - 1} if array.size else ():
            old = array[at]
            for value in (-2, 2**31 - 1):
                getattr(rm, field).reshape(-1)[at] = value
                if field.endswith("adr"):
                    empty = {"flex_elemdataadr": "flex_elemnum", "flex_elemedgeadr": "flex_elemnum",
                             "flex_shelldataadr": "flex_shellnum"}.get(field, field[:-3] + "num")
                    if not getattr(rm, empty)[at]:
                        continue
                assert not load(rm, tmp_path / "m.mjb"), (field, at, value)
                tried += 1
            getattr(rm, field).reshape(-1)[at] = old
    assert tried > 40
    assert load(rm, tmp_path / "m.mjb")
