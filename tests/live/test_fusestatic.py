# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Bodies that cannot move, fused into their parents by both: the same bodies, masses, bounding volumes and references."""
import functools
import os
import sys

import numpy as np
import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
sys.path.insert(0, os.path.dirname(__file__))
import live  # noqa: E402
from test_compile import compile_text, differing  # noqa: E402

HEAD = '<compiler fusestatic="true"/><asset><mesh name="m" vertex="0 0 0 .3 0 0 0 .2 0 0 0 .4"/></asset>'


class Tree:
    """A random model: nested bodies, few of which move, in frames or not. No cameras, no lights: the reference does not survive fusing those."""

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
        shape = self.rng.choice(['type="sphere" size=".1"', 'type="box" size=".1 .2 .3"', 'type="capsule" size=".05 .2"', 'type="mesh" mesh="m"'])
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
                 f'<actuator><adhesion body="{b()}" ctrlrange="0 1"/></actuator>', f'<sensor><framepos objtype="body" objname="{b()}"/></sensor>',
                 f'<sensor><framepos objtype="xbody" objname="{b()}"/></sensor>', f'<sensor><subtreecom body="{b()}"/></sensor>',
                 f'<custom><tuple name="t"><element objtype="body" objname="{b()}"/></tuple></custom>']
        return "".join(self.rng.choice(kinds, self.rng.integers(0, 3), replace=False))

    def part_links(self):
        """What refers to geoms and sites."""
        rng, kinds = self.rng, []
        if self.geoms:
            kinds += [f'<sensor><framepos objtype="geom" objname="{self.name("g")}"/></sensor>',
                      f'<sensor><framepos objtype="body" objname="{self.name("b")}" reftype="geom" refname="{self.name("g")}"/></sensor>']
        if self.geoms > 1:
            kinds.append(f'<contact><pair geom1="g1" geom2="g{self.geoms}"/></contact>')
        if self.sites:
            kinds += [f'<sensor><{rng.choice(["force", "torque", "touch", "gyro"])} site="{self.name("s")}"/></sensor>',
                      f'<actuator><general site="{self.name("s")}"/></actuator>',
                      f'<tendon><spatial><site site="{self.name("s")}"/><site site="s1"/></spatial></tendon>']
        return "".join(rng.choice(kinds, min(len(kinds), rng.integers(0, 3)), replace=False))


HIDDEN = ' contype="0" conaffinity="0"'


def reference(xml):
    try:
        return live.mujoco.MjModel.from_xml_string(xml)
    except ValueError:
        return None


def parts(model):
    return [[getattr(model, kind)(i).name for i in range(n)] for kind, n in (("geom", model.ngeom), ("site", model.nsite))]


def compare(xml):
    """Both accept and agree in every array, or both refuse."""
    want = reference(xml)
    m, reason = compile_text(xml)
    assert (m is None) == (want is None), reason
    if m is None:
        return False
    names = differing(want, m)
    live.library().mj_deleteModel(m.ptr)
    assert names == []
    return True


@pytest.mark.parametrize("block", range(4))
def test_random(block):
    made = linked = 0
    for seed in range(25 * block, 25 * block + 25):
        tree = Tree(seed)
        links, more = tree.body_links(), tree.part_links()
        model = lambda setting, links: f"<mujoco>{HEAD.replace('true', setting)}<worldbody>{tree.world}</worldbody>{links}</mujoco>"  # noqa: E731

        # the reference refers to geoms and sites by the numbers that they had before bodies were fused
        before, after = reference(model("false", links + more)), reference(model("true", links + more))
        if before and after and parts(before) == parts(after):
            links += more
            linked += more != ""
        made += compare(model("true", links))
    assert made > 15 and linked > 1


@pytest.mark.parametrize("ngeom", [(1, 1), (3, 1), (1, 3), (3, 3), (7, 9), (0, 1, 1), (1, 0, 2), (40, 1, 1, 1, 30), (1,) * 30])
def test_bounding_volumes(ngeom):
    """A body with as many geoms as the first number says, into which others are fused."""
    rng = np.random.default_rng(len(ngeom) + sum(ngeom))
    geoms = [" ".join(f'<geom size=".1" pos="{x} {y} {z}"/>' for x, y, z in rng.normal(size=(n, 3))) for n in ngeom]
    kids = "".join(f'<body pos="{i} 0 0" euler="{10 * i} 0 0">{g}</body>' for i, g in enumerate(geoms) if i)
    chain = "".join(f'<body pos="1 0 0" euler="0 {10 * i} 0">{g}' for i, g in enumerate(geoms) if i) + "</body>" * (len(ngeom) - 1)
    for inner in (kids, chain):
        moving = f'<body><joint/><inertial pos="0 0 1" mass="1" diaginertia="1 1 1"/>{geoms[0]}{inner}<geom type="mesh" mesh="m"{HIDDEN}/></body>'
        assert compare(f'<mujoco>{HEAD}<worldbody>{geoms[0]}{inner}{moving}</worldbody></mujoco>')


@pytest.mark.parametrize("number", range(1, 9))
@pytest.mark.parametrize("moving", [0, 1, 5])
def test_references(number, moving):
    """Bodies that the reference takes to be referred to, while it fuses those before the one that is."""
    bodies = "".join(f'<body name="{i}" pos="1 0 0">{"<joint/>" if i == moving else ""}<geom size=".1"/></body>' for i in range(1, 9))
    for link in (f'<sensor><framepos objtype="body" objname="{number}"/></sensor>', f'<contact><exclude body1="3" body2="{number}"/></contact>',
                 f'<contact><exclude body1="{number}" body2="5"/></contact>'):
        assert compare(f"<mujoco>{HEAD}<worldbody>{bodies}</worldbody>{link}</mujoco>")


def test_links_follow():
    """What is named is what is meant, wherever fusing has moved it. (The reference takes what has its number now.)"""
    m, reason = compile_text(f"""<mujoco>{HEAD}<worldbody><body><joint/><geom size=".1"/><body><joint/><geom size=".2"/></body>
      <body><geom name="g" size=".3"/><site name="s"/></body></body><body><joint/><geom size=".4" name="h"/><site name="t"/></body></worldbody>
      <sensor><framepos objtype="geom" objname="g"/><gyro site="s"/></sensor>
      <tendon><spatial><site site="s"/><site site="t"/></spatial></tendon><contact><pair geom1="g" geom2="h"/></contact></mujoco>""")
    assert m, reason
    assert m.geom_size[m.sensor_objid[0]][0] == .3
    assert m.site_bodyid[m.sensor_objid[1]] == 1
    assert m.site_bodyid[m.wrap_objid].tolist() == [1, 3]
    assert m.geom_size[m.pair_geom1[0]][0] == .3
    live.library().mj_deleteModel(m.ptr)
