# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Bodies that cannot move, fused into their parents by both: the same bodies, masses, bounding volumes and references."""
import functools
import os
import re
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
        rng, g, s = self.rng, functools.partial(self.name, "g"), functools.partial(self.name, "s")
        kinds = []
        if self.geoms:
            kinds += [f'<sensor><framepos objtype="geom" objname="{g()}"/><framequat objtype="geom" objname="{g()}" reftype="geom" refname="{g()}"/></sensor>',
                      f'<sensor><framepos objtype="body" objname="{self.name("b")}" reftype="geom" refname="{g()}"/><contact geom1="{g()}"/></sensor>',
                      f'<custom><tuple name="tg"><element objtype="geom" objname="{g()}"/><element objtype="geom" objname="{g()}"/></tuple></custom>']
        if self.geoms > 1:
            kinds += [f'<contact><pair geom1="{one}" geom2="{two}"/></contact>' for one, two in (self.two("g") for _ in range(4))]
            kinds.append('<sensor><distance geom1="{}" geom2="{}" cutoff="1"/></sensor>'.format(*self.two("g")))
        if self.sites:
            kinds += [f'<sensor><{rng.choice(["force", "torque", "touch", "gyro", "rangefinder"])} site="{s()}"/></sensor>',
                      f'<sensor><framexaxis objtype="site" objname="{s()}" reftype="site" refname="{s()}"/><contact site="{s()}"/></sensor>',
                      f'<sensor><insidesite objtype="body" objname="{self.name("b")}" site="{s()}"/></sensor>',
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

    def without_names(self, links):
        """The world with fewer names of bodies: those that links need, and half of the others."""
        drop = lambda found: found[0] if found[1] in links or self.rng.random() < .5 else "<body"  # noqa: E731
        return re.sub('<body name=("[^"]*")', drop, self.world)

    def two(self, kind):
        """Two that differ."""
        one, two = self.rng.choice({"g": self.geoms, "s": self.sites}[kind], 2, replace=False)
        return f"{kind}{one + 1}", f"{kind}{two + 1}"


HIDDEN = ' contype="0" conaffinity="0"'


def reference(xml):
    try:
        return live.mujoco.MjModel.from_xml_string(xml)
    except ValueError:
        return None


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


@pytest.mark.parametrize("block", range(8))
def test_random(block):
    made = linked = 0
    for seed in range(25 * block, 25 * block + 25):
        tree = Tree(seed)
        links, more = tree.body_links(), tree.part_links()
        world = tree.world if seed % 2 else tree.without_names(links + more)
        if compare(f"<mujoco>{HEAD}<worldbody>{world}</worldbody>{links}{more}</mujoco>"):
            made += 1
            linked += more != ""
    assert made > 15 and linked > 10


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


def test_links_stay():
    """Geoms and sites get other numbers; what named them keeps the numbers that they had."""
    xml = f"""<mujoco>{HEAD}<worldbody><body><joint/><geom size=".1"/><body><joint/><geom size=".2"/></body>
      <body><geom name="g" size=".3"/><site name="s"/></body></body><body><joint/><geom size=".4" name="h"/><site name="t"/></body>
      <body><geom size=".5"/><site name="w"/></body></worldbody>
      <sensor><framepos objtype="geom" objname="g"/><gyro site="s"/></sensor>
      <tendon><spatial><site site="s"/><site site="t"/></spatial></tendon><contact><pair geom1="g" geom2="h"/></contact></mujoco>"""
    assert compare(xml)
    m, _ = compile_text(xml)
    assert m.sensor_objid.tolist() == [2, 0] and m.wrap_objid.tolist() == [0, 1]
    assert m.geom_size[:, 0].tolist() == [.5, .1, .3, .2, .4]
    assert (m.pair_geom1[0], m.pair_geom2[0]) == (2, 3)
    live.library().mj_deleteModel(m.ptr)


@pytest.mark.parametrize("at", ["box", "sphere", "cylinder"])
@pytest.mark.parametrize("named", ["box", "sphere", "cylinder"])
@pytest.mark.parametrize("names", ["  ", " B", "BB"])
def test_paths(named, at, names):
    """A path goes around the geom that has the number now. While it cannot, bodies with names stay."""
    bodies = "".join(f'<body{f" name={chr(34)}{i}{chr(34)}" if name == "B" else ""}><geom type="{at}" size=".1 .1 .1"/></body>' for i, name in enumerate(names))
    verdict = compare(f"""<mujoco>{HEAD}<worldbody><body><joint/><geom name="g" type="{named}" size=".1 .1 .1"/></body>{bodies}
      <site name="s" pos="0 0 1"/><site name="t" pos="1 0 1"/></worldbody>
      <tendon><spatial><site site="s"/><geom geom="g"/><site site="t"/></spatial></tendon></mujoco>""")
    assert verdict == (at != "box" and (named != "box" or names != "BB"))
