# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Bodies that cannot move, fused into their parents.

Fusing is to change nothing but the number of bodies, so our fused models are compared with models of the reference in which
nothing is fused. (3.4.0 itself makes mistakes with rotated bodies and with what names geoms and sites; 4.0.0 repaired them.)
"""
import functools
import os
import sys

import numpy as np
import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
sys.path.insert(0, os.path.dirname(__file__))
import live  # noqa: E402
import bridge  # noqa: E402
from test_compile import compile_text  # noqa: E402

HEAD = '<option><flag contact="disable"/></option><compiler fusestatic="true"/><asset><mesh name="m" vertex="0 0 0 .3 0 0 0 .2 0 0 0 .4"/></asset>'


class Tree:
    """A random model: nested bodies, few of which move, in frames or not."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.geoms = self.sites = self.bodies = 0
        rng = self.rng
        self.world = "".join(self.geom() for _ in range(rng.integers(0, 3))) + "".join(self.body(0) for _ in range(rng.integers(1, 4)))

    def pose(self):
        numbers = [f"{x:.3g}" for x in self.rng.normal(size=3)] + [f"{x:.3g}" for x in self.rng.uniform(-90, 90, 3)]
        return f'pos="{" ".join(numbers[:3])}"' + (f' euler="{" ".join(numbers[3:])}"' if self.rng.random() < .5 else "")

    def geom(self):
        self.geoms += 1
        shape = self.rng.choice(['type="sphere" size=".1"', 'type="box" size=".1 .2 .3"', 'type="capsule" size=".05 .2"', 'type="cylinder" size=".05 .2"', 'type="mesh" mesh="m"'])
        return f'<geom name="g{self.geoms}" {shape} {self.pose()}{self.rng.choice(["", "", "", HIDDEN])}/>'

    def body(self, depth):
        rng = self.rng
        self.bodies += 1
        parts = [f'<body name="b{self.bodies}" {self.pose()}>']
        moves, ngeom = rng.random() < (.15 if depth else .6), rng.integers(0, 4)
        if moves:
            parts.append(rng.choice(['<joint axis="0 1 0"/>', '<joint type="slide"/>', '<joint type="ball"/>']))
        if (moves and not ngeom) or rng.random() < .15:
            parts.append('<inertial pos=".1 .2 .3" mass="1.5" diaginertia=".2 .3 .4"/>')
        parts += [self.geom() for _ in range(ngeom)]
        if rng.random() < .2:
            parts.append(f'<camera {self.pose()}/><light pos="1 2 3"/>')
        if rng.random() < .4:
            self.sites += 1
            parts.append(f'<site name="s{self.sites}" {self.pose()}/>')
        for _ in range(rng.integers(0, 3) if depth < 4 else 0):
            parts.append(f'<frame {self.pose()}>{self.body(depth + 1)}</frame>' if rng.random() < .2 else self.body(depth + 1))
        return "".join(parts) + "</body>"

    def name(self, kind):
        return f"{kind}{self.rng.integers(1, getattr(self, {'b': 'bodies', 'g': 'geoms', 's': 'sites'}[kind]) + 1)}"

    def body_links(self):
        """What refers to bodies."""
        b = functools.partial(self.name, "b")
        kinds = [f'<contact><exclude body1="{b()}" body2="b{self.bodies}"/></contact>', f'<equality><weld body1="{b()}"/></equality>',
                 f'<actuator><adhesion body="{b()}" ctrlrange="0 1"/></actuator>', f'<sensor><framequat objtype="xbody" objname="{b()}"/></sensor>',
                 f'<sensor><framepos objtype="xbody" objname="{b()}"/></sensor>', f'<sensor><subtreecom body="{b()}"/></sensor>',
                 f'<custom><tuple name="t"><element objtype="body" objname="{b()}"/></tuple></custom>']
        return "".join(self.rng.choice(kinds, self.rng.integers(0, 3), replace=False))

    def part_links(self):
        """What refers to geoms and sites."""
        rng, g, s = self.rng, functools.partial(self.name, "g"), functools.partial(self.name, "s")
        kinds = []
        if self.geoms:
            kinds += [f'<sensor><framepos objtype="geom" objname="{g()}"/><framequat objtype="geom" objname="{g()}" reftype="geom" refname="{g()}"/></sensor>',
                      f'<sensor><framepos objtype="xbody" objname="{self.name("b")}" reftype="geom" refname="{g()}"/></sensor>',
                      f'<custom><tuple name="tg"><element objtype="geom" objname="{g()}"/><element objtype="geom" objname="{g()}"/></tuple></custom>']
        if self.geoms > 1:
            kinds += [f'<contact><pair geom1="{one}" geom2="{two}"/></contact>' for one, two in (self.two("g") for _ in range(4))]
            kinds.append('<sensor><distance geom1="{}" geom2="{}" cutoff="1"/></sensor>'.format(*self.two("g")))
        if self.sites:
            kinds += [f'<sensor><{rng.choice(["velocimeter", "gyro", "magnetometer"])} site="{s()}"/></sensor>',
                      f'<sensor><framexaxis objtype="site" objname="{s()}" reftype="site" refname="{s()}"/></sensor>',
                      f'<sensor><insidesite objtype="xbody" objname="{self.name("b")}" site="{s()}"/></sensor>',
                      f'<actuator><general site="{s()}"/><general site="{s()}" refsite="{s()}"/></actuator>',
                      f'<actuator><general cranksite="{s()}" slidersite="{s()}" cranklength="1"/></actuator>',
                      f'<custom><tuple name="ts"><element objtype="site" objname="{s()}"/></tuple></custom>',
                      f'<tendon><spatial armature=".1"><site site="{s()}"/><site site="s1"/></spatial></tendon>']
        if self.sites > 1:
            kinds += ['<equality><{} site1="{}" site2="{}"/></equality>'.format(rng.choice(["connect", "weld"]), *self.two("s")) for _ in range(2)]
        if self.sites > 1 and self.geoms:
            side = rng.choice(["", f' sidesite="{s()}"'])
            kinds += [f'<tendon><spatial stiffness="1"><site site="{s()}"/><geom geom="{g()}"{side}/><site site="{s()}"/></spatial></tendon>'
                      for _ in range(2)]
        return "".join(rng.choice(kinds, min(len(kinds), rng.integers(0, 6)), replace=False))

    def two(self, kind):
        """Two that differ."""
        one, two = self.rng.choice({"g": self.geoms, "s": self.sites}[kind], 2, replace=False)
        return f"{kind}{one + 1}", f"{kind}{two + 1}"


HIDDEN = ' contype="0" conaffinity="0"'


class Pair:
    """A model of the reference with nothing fused, and ours; None where the reference refuses it."""

    def __init__(self, xml):
        try:
            self.rm = live.mujoco.MjModel.from_xml_string(xml.replace(' fusestatic="true"', ""))
        except ValueError:
            self.rm = None
            return
        self.rd = live.mujoco.MjData(self.rm)
        self.lib = live.library()
        self.m, reason = compile_text(xml)
        assert self.m, reason
        self.d = bridge.Data(self.lib, self.m)

    def close(self):
        self.lib.mj_deleteData(self.d.ptr)
        self.lib.mj_deleteModel(self.m.ptr)

    def forward(self, rng):
        for name in ("qpos", "qvel", "ctrl"):
            want = getattr(self.rd, name)
            if want.size:
                want[:] = rng.normal(size=want.size)
                getattr(self.d, name)[:] = want
        live.mujoco.mj_forward(self.rm, self.rd)
        self.lib.mj_forward(self.m.ptr, self.d.ptr)

    def inertia(self):
        """The mass matrices."""
        want = np.zeros((self.rm.nv, self.rm.nv))
        live.mujoco.mj_fullM(self.rm, want, self.rd.qM)
        got = np.zeros_like(want)
        self.lib.mj_fullM(self.m.ptr, live.pointer(got), live.pointer(self.d.qM))
        return want, got

    def ids(self, kind, n):
        """Ids of named elements in both, e.g. of the geoms g1, g2..."""
        find = self.lib.mj_name2id
        names = [f"{kind[0]}{i}" for i in range(1, n + 1)]
        there = [getattr(self.rm, kind)(name).id for name in names]
        here = [find(self.m.ptr, {"geom": 5, "site": 6}[kind], name.encode()) for name in names]
        return there, here


def off(got, want):
    """The largest difference, next to the largest number. Axes of inertia are found by iteration, to 1e-7 each time that something is fused."""
    return np.abs(got - want).max() / max(1, np.abs(want).max()) if want.size else 0


def compare(xml, tree=None):
    """Fusing changes no result; False if the reference refuses the model."""
    pair = Pair(xml)
    if pair.rm is None:
        return False
    rng = np.random.default_rng(0)
    for _ in range(2 * (pair.rm.nv > 0)):
        pair.forward(rng)
        want, got = pair.inertia()
        assert off(got, want) < 1e-5
        for name in ("qfrc_bias", "qfrc_passive", "actuator_length", "actuator_force", "qfrc_actuator", "sensordata", "ten_length", "efc_pos"):
            assert off(getattr(pair.d, name), getattr(pair.rd, name)) < 1e-5, name
        if tree:
            there, here = pair.ids("geom", tree.geoms)
            assert live.difference(pair.d.geom_xpos[here], pair.rd.geom_xpos[there]) < 1e-9
            there, here = pair.ids("site", tree.sites)
            assert live.difference(pair.d.site_xmat[here], pair.rd.site_xmat[there]) < 1e-9
    pair.close()
    return True


@pytest.mark.parametrize("block", range(8))
def test_random(block):
    made = linked = 0
    for seed in range(25 * block, 25 * block + 25):
        tree = Tree(seed)
        links, more = tree.body_links(), tree.part_links()
        if compare(f"<mujoco>{HEAD}<worldbody>{tree.world}</worldbody>{links}{more}</mujoco>", tree):
            made += 1
            linked += more != ""
    assert made > 15 and linked > 10


@pytest.mark.parametrize("ngeom", [(1, 1), (3, 1), (1, 3), (3, 3), (7, 9), (0, 1, 1), (1, 0, 2), (40, 1, 1, 1, 30), (1,) * 30])
def test_bounding_volumes(ngeom):
    """A body with as many geoms as the first number says, into which others are fused, has one tree over all of them."""
    rng = np.random.default_rng(len(ngeom) + sum(ngeom))
    geoms = [" ".join(f'<geom size=".1" pos="{x} {y} {z}"/>' for x, y, z in rng.normal(size=(n, 3))) for n in ngeom]
    kids = "".join(f'<body pos="{i} 0 0" euler="{10 * i} 0 0">{g}</body>' for i, g in enumerate(geoms) if i)
    chain = "".join(f'<body pos="1 0 0" euler="0 {10 * i} 0">{g}' for i, g in enumerate(geoms) if i) + "</body>" * (len(ngeom) - 1)
    for inner in (kids, chain):
        m, reason = compile_text(f"""<mujoco>{HEAD}<worldbody>{geoms[0]}{inner}<body><joint/><inertial pos="0 0 1" mass="1" diaginertia="1 1 1"/>
                                 {geoms[0]}{inner}<geom type="mesh" mesh="m"{HIDDEN}/></body></worldbody></mujoco>""")
        assert m, reason
        assert m.nbody == 2 and m.nbvh == 2 * (2 * sum(ngeom) - 1) + m.mesh_bvhnum[0]
        for body in (0, 1):
            start, n = m.body_bvhadr[body], m.body_bvhnum[body]
            leaf = (m.bvh_child[start:start + n] < 0).all(axis=1)
            node = m.bvh_nodeid[start:start + n]
            assert (node[~leaf] == -1).all()
            assert sorted(node[leaf]) == np.flatnonzero((m.geom_bodyid == body) & (m.geom_contype > 0)).tolist()
        live.library().mj_deleteModel(m.ptr)


@pytest.mark.parametrize("number", range(1, 9))
@pytest.mark.parametrize("moving", [0, 1, 5])
def test_references(number, moving):
    """Bodies that others refer to stay, and no more."""
    bodies = "".join(f'<body name="{i}" pos="1 0 0">{"<joint/>" if i == moving else ""}<geom size=".1"/></body>' for i in range(1, 9))
    for link, named in ((f'<sensor><framepos objtype="body" objname="{number}"/></sensor>', {number}),
                        (f'<contact><exclude body1="3" body2="{number}"/></contact>', {3, number})):
        m, reason = compile_text(f"<mujoco>{HEAD}<worldbody>{bodies}</worldbody>{link}</mujoco>")
        assert m, reason
        assert m.nbody == 1 + len(named | ({moving} - {0}))
        live.library().mj_deleteModel(m.ptr)


def test_links_follow():
    """Geoms and sites get other numbers, and what names them follows."""
    xml = f"""<mujoco>{HEAD}<worldbody><body><joint/><geom size=".1"/><body><joint/><geom size=".2"/></body>
      <body><geom name="g" size=".3"/><site name="s"/></body></body><body><joint/><geom size=".4" name="h"/><site name="t"/></body>
      <body><geom size=".5"/><site name="w"/></body></worldbody>
      <sensor><framepos objtype="geom" objname="g"/><gyro site="s"/></sensor>
      <tendon><spatial><site site="s"/><site site="t"/></spatial></tendon><contact><pair geom1="g" geom2="h"/></contact></mujoco>"""
    m, reason = compile_text(xml)
    assert m, reason
    assert m.geom_size[:, 0].tolist() == [.5, .1, .3, .2, .4]
    assert m.sensor_objid.tolist() == [2, 1] and m.wrap_objid.tolist() == [1, 2]
    assert (m.pair_geom1[0], m.pair_geom2[0]) == (2, 4)
    live.library().mj_deleteModel(m.ptr)
