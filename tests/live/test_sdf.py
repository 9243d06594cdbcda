# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Signed distance fields against the reference: compiled models, contacts, rays."""
import ctypes
import os
import sys

import numpy as np
import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
sys.path.insert(0, os.path.dirname(__file__))
import bridge  # noqa: E402
import live  # noqa: E402
from test_compile import differing  # noqa: E402
from test_plugins import SLOTS, Both  # noqa: E402

mujoco = live.mujoco
OCTREE = {"oct_depth", "oct_child", "oct_aabb", "oct_coeff"}  # cells come in another order
MESHES = ('<asset><mesh name="ball" builtin="sphere" params="1" scale=".2 .3 .4"/>'
          '<mesh name="box" vertex="-1 -1 -1  1 -1 -1  1 1 -1  -1 1 -1  -1 -1 1  1 -1 1  1 1 1  -1 1 1" scale=".1 .2 .3"/></asset>')


def contacts(ncon, contact):
    return np.array([np.r_[c.dist, np.array(c.pos), np.array(c.frame[:3]), np.array(c.geom)] for c in contact[:ncon]]).reshape(-1, 9)


def same_contacts(both, tolerance=1e-9):
    both.forward()
    want, got = contacts(both.rd.ncon, both.rd.contact), contacts(both.d.ncon, both.d.contact)
    assert len(want) == len(got)
    assert np.abs(want - got).max(initial=0) < tolerance
    return len(want)


class Fields(Both):
    def __init__(self, xml, other=frozenset()):
        super().__init__(xml, other)

    def forward(self):
        self.d.qpos.ravel()[:] = self.rd.qpos
        self.d.qvel.ravel()[:] = self.rd.qvel
        mujoco.mj_forward(self.rm, self.rd)
        self.lib.mj_forward(self.m.ptr, self.d.ptr)

    def same_rays(self, rng, n=50):
        for _ in range(n):
            point, vec, ids = rng.normal(size=3), rng.normal(size=3), np.zeros((2, 1), np.int32)
            vec /= np.linalg.norm(vec)  # fields of the reference need it
            want = mujoco.mj_ray(self.rm, self.rd, point, vec, None, 1, -1, ids[0])
            self.lib.mj_ray.restype = ctypes.c_double
            got = self.lib.mj_ray(self.m.ptr, self.d.ptr, live.pointer(point), live.pointer(vec), None, 1, -1, live.pointer(ids[1]))
            if want < 0:  # the reference takes at most 40 steps, and so misses surfaces that a ray passes near
                continue
            assert abs(want - got) < 1e-5 and ids[0] == ids[1]


@pytest.mark.parametrize("mesh", ["ball", "box"])
def test_geoms_from_meshes(mesh):
    both = Fields(f'<mujoco>{MESHES}<worldbody><geom type="plane" size="1 1 1"/><body pos=".1 .2 .05"><freejoint/>'
                  f'<geom type="sdf" mesh="{mesh}" mass="2" contype="1"/><site type="sdf" size=".1"/></body></worldbody></mujoco>', OCTREE)
    cells = [np.column_stack([np.array(m.oct_aabb).reshape(-1, 6), np.array(m.oct_coeff).reshape(-1, 8)]) for m in (both.rm, both.m)]
    want, got = (c[np.lexsort(np.round(c[:, :6], 9).T)] for c in cells)
    assert np.abs(want - got).max() < 1e-9
    rng = np.random.default_rng(0)
    for _ in range(10):
        both.rd.qpos[3:] = rng.normal(size=4)
        assert same_contacts(both) >= 1
    both.same_rays(rng)


def test_flexes_meet_the_hull_of_a_field():
    both = Fields(f'<mujoco>{MESHES}<worldbody><geom type="sdf" mesh="box"/><flexcomp name="f" type="grid" count="3 3 1" '
                  'spacing=".1 .1 .1" dim="2" pos="0 0 .3"><contact selfcollide="none"/></flexcomp></worldbody></mujoco>', OCTREE)
    assert same_contacts(both, 1e-6) == 8


# ---- shapes that are built in

SHAPES = {
    "torus": [{}, {"radius1": .5, "radius2": .1}], "bowl": [{}, {"height": -.2, "radius": .5, "thickness": .1}],
    "bolt": [{}, {"radius": .4}], "nut": [{}, {"radius": .1}],
    "gear": [{}, {"teeth": 10}, {"teeth": 17, "alpha": .3, "diameter": 1.3, "thickness": .5, "innerdiameter": .2}, {"teeth": 60}, {"teeth": 25.5, "alpha": -7}],
}


def shape(name, index, **config):
    """Extension and mesh of a shape, and the geom that has its distances."""
    keys = "".join(f'<config key="{k}" value="{v}"/>' for k, v in config.items())
    extension = f'<plugin plugin="mujoco.sdf.{name}"><instance name="i{index}">{keys}</instance></plugin>'
    return extension, f'<mesh name="m{index}"><plugin instance="i{index}"/></mesh>', f'type="sdf" mesh="m{index}"><plugin instance="i{index}"/></geom>'


def with_shapes(shapes, body, rest="", option=""):
    parts = [shape(name, i, **config) for i, (name, config) in enumerate(shapes)]
    return (f'<mujoco><option sdf_initpoints="20" {option}/><extension>{"".join(p[0] for p in parts)}</extension>{MESHES}'
            f'<asset>{"".join(p[1] for p in parts)}</asset><worldbody>{body.format(*(p[2] for p in parts))}</worldbody>{rest}</mujoco>')


class Plugin(ctypes.Structure):
    """The layout of mjpPlugin."""
    _fields_ = [("name", ctypes.c_char_p), ("nattribute", ctypes.c_int), ("attributes", ctypes.POINTER(ctypes.c_char_p)), ("flags", ctypes.c_int),
                ("needstage", ctypes.c_int)] + [(n, ctypes.c_void_p) for n in (
                    "nstate nsensordata init destroy copy reset compute advance visualize act_dot distance gradient staticdistance attribute aabb").split()]


NUMBERS, TEXTS = ctypes.POINTER(ctypes.c_double), ctypes.POINTER(ctypes.c_char_p)


def functions(lib, name):
    lib.mjp_getPlugin.restype = ctypes.POINTER(Plugin)
    p = lib.mjp_getPlugin(b"mujoco.sdf." + name.encode(), None).contents
    names = [p.attributes[i].decode() for i in range(p.nattribute)]
    return (names, ctypes.CFUNCTYPE(ctypes.c_double, NUMBERS, NUMBERS)(p.staticdistance), ctypes.CFUNCTYPE(None, NUMBERS, TEXTS, TEXTS)(p.attribute),
            ctypes.CFUNCTYPE(None, NUMBERS, NUMBERS)(p.aabb))


@pytest.mark.parametrize("name", SHAPES)
def test_distances_of_shapes(name):
    reference = ctypes.CDLL(os.path.join(os.path.dirname(mujoco.__file__), f"libmujoco.so.{mujoco.__version__}"))
    rng = np.random.default_rng(0)
    for config in SHAPES[name]:
        both = []
        for lib in (reference, live.library()):
            names, distance, attribute, aabb = functions(lib, name)
            values, box = (ctypes.c_double * 8)(), (ctypes.c_double * 6)()
            texts = [(ctypes.c_char_p * len(names))(*(t.encode() for t in x)) for x in (names, [str(config.get(n, "")) for n in names])]
            attribute(values, *texts)
            aabb(box, values)
            both.append((names, list(values), list(box), distance, values))
        assert both[0][:2] == both[1][:2] and np.allclose(both[0][2], both[1][2], atol=1e-15)
        box = np.array(both[0][2])
        for _ in range(4000):
            x = (ctypes.c_double * 3)(*(box[:3] + rng.uniform(-1.3, 1.3, 3) * box[3:]))
            assert abs(both[0][3](x, both[0][4]) - both[1][3](x, both[1][4])) < 1e-13


@pytest.mark.parametrize("name", SHAPES)
def test_meshes_of_shapes(name):
    """Without collisions, because the reference takes ten seconds for the hull of a torus."""
    Fields(with_shapes([(name, SHAPES[name][-1])], '<body pos="1 0 0"><freejoint/><geom contype="0" conaffinity="0" {0}</body>'))


# geoms, and how many of a hundred contacts have the reference's numbers. Descent from a point chooses sides at edges of the distances: where rounding
# decides, it ends at another point of the overlap. A box has such edges inside, and a nut in its threads.
OTHERS = {
    "plane": (None, 100), "sphere": ('size=".2"', 99), "capsule": ('type="capsule" size=".1 .2"', 95), "ellipsoid": ('type="ellipsoid" size=".1 .2 .15"', 95),
    "cylinder": ('type="cylinder" size=".15 .1"', 95), "box": ('type="box" size=".1 .2 .15"', 75), "nut": ("", 25),
}


@pytest.mark.parametrize("other", OTHERS)
def test_contacts_of_shapes(other):
    rng = np.random.default_rng(len(other))
    geom, same = OTHERS[other]
    world = {"plane": '<geom type="plane" size="1 1 1" margin=".01"/>', "nut": "<geom {1}"}.get(other, f"<geom {geom}/>")
    shapes = [("bolt", {"radius": .2})] + [("nut", {"radius": .25})] * (other == "nut")
    both = Fields(with_shapes(shapes, world + '<body><freejoint/><geom {0}<geom pos="0 0 -3" size=".1"/></body>'))
    both.lib.mj_geomDistance.restype = ctypes.c_double
    errors = []
    for _ in range(12):
        both.rd.qpos[:3] = rng.uniform(-.4, .4, 3)
        both.rd.qpos[3:] = rng.normal(size=4)
        both.forward()
        want, got = contacts(both.rd.ncon, both.rd.contact), contacts(both.d.ncon, both.d.contact)
        assert len(want) == len(got)
        errors += list(np.abs(want - got).max(1))
        for a, b in ((0, 1), (1, 0)):
            want = mujoco.mj_geomDistance(both.rm, both.rd, a, b, 1, None)
            got = both.lib.mj_geomDistance(both.m.ptr, both.d.ptr, a, b, ctypes.c_double(1), None)
            assert (abs(want - got) < 1e-7) or same < 99
    assert len(errors) > 20
    assert 100 * np.mean(np.array(errors) < 1e-7) >= same, np.mean(np.array(errors) < 1e-7)  # gradients are differences: rounding over 1e-8
    both.same_rays(rng, 20)


@pytest.mark.parametrize("geom", ['size=".05"', 'type="capsule" size=".04 .05" euler="70 20 0"'])
def test_what_lies_on_a_bolt_moves_as_in_the_reference(geom):
    both = Fields(with_shapes([("bolt", {})], f'<geom {{0}}<body pos=".3 .1 .03"><freejoint/><geom {geom}/></body>'))
    for _ in range(10):
        mujoco.mj_step(both.rm, both.rd)
        both.lib.mj_step(both.m.ptr, both.d.ptr)
    both.equal(("qpos", "qvel"), 1e-6)
    assert both.rd.ncon > 0


def test_the_reference_reads_what_we_write(tmp_path):
    xml = with_shapes([("nut", {"radius": .3}), ("gear", {"teeth": 12})], '<geom {0}<body pos="0 0 1"><freejoint/><geom {1}<geom type="sdf" mesh="ball"/></body>')
    lib, first, path, error = live.library(), tmp_path / "first.xml", tmp_path / "again.xml", ctypes.create_string_buffer(1000)
    first.write_text(xml)
    m = bridge.Model(lib.mj_loadXML(os.fsencode(first), None, error, 1000))
    assert lib.mj_saveLastXML(os.fsencode(path), m.ptr, error, 1000) == 1, error.value
    assert differing(mujoco.MjModel.from_xml_path(str(path)), m, SLOTS | OCTREE) == []
    binary = tmp_path / "model.mjb"
    lib.mj_saveModel(m.ptr, os.fsencode(binary), None, 0)
    lib.mj_loadModel.restype = ctypes.c_void_p
    again = bridge.Model(lib.mj_loadModel(os.fsencode(binary), None))
    assert differing(mujoco.MjModel.from_xml_path(str(path)), again, SLOTS | OCTREE) == []
    for model in (m, again):
        lib.mj_deleteModel(model.ptr)
