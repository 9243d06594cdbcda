# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Random URDF documents: right ones, and the same with a few things wrong.

`document(seed)` is a text; the files that it names are FILES.
"""
import random
import struct
import xml.etree.ElementTree as ET

OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
BOX = [(x, y, z) for x in (-1, 1) for y in (-2, 2) for z in (-1, 3)]
FACES = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)]
STL = bytes(80) + struct.pack("<I", len(FACES)) + b"".join(
    struct.pack("<12fH", 0, 0, 0, *(x for v in face for x in BOX[v]), 0) for face in FACES)
FILES = {"tet.obj": OBJ, "box.stl": STL, "meshes/tet.obj": OBJ, "part.xml": "<robot><link name='included'/></robot>"}
MESHES = ["tet.obj", "box.stl", "meshes/tet.obj", "package://robot/meshes/tet.obj", "package://robot/box.stl", "./tet.obj", "..\\box.stl",
          "tet.dae", "missing.stl", "tet", "file:///tet.obj"]
TYPES = ["revolute"] * 4 + ["continuous"] * 2 + ["prismatic"] * 2 + ["fixed"] * 3 + ["planar", "floating", "spherical"]
COLORS = ["1 0 0 1", "0.2 0.4 .6 .8", "0 0 0 0", "-1 0 0 1", "2 3 4 5"]
SETTINGS = {
    "compiler": {"fusestatic": ["false", "true"], "discardvisual": ["false", "false", "true"], "strippath": ["false", "true"],
                 "balanceinertia": ["true"], "angle": ["degree", "radian"], "meshdir": ["meshes", ""], "autolimits": ["true", "true", "false"],
                 "boundmass": ["0.5"], "boundinertia": ["0.01"], "inertiafromgeom": ["true", "false", "auto"], "settotalmass": ["3"],
                 "inertiagrouprange": ["0 1", "1 1", "0 0"], "fitaabb": ["true"], "eulerseq": ["zyx"], "alignfree": ["true"], "unknown": ["1"]},
    "option": {"timestep": ["0.01"], "gravity": ["0 0 0"], "integrator": ["implicit"], "cone": ["elliptic"], "unknown": ["1"]},
    "size": {"nuserdata": ["3"], "nkey": ["2"], "memory": ["1M"], "nuser_body": ["1"], "nuser_geom": ["2"]},
}
# what is put in the place of a value
WRONG = ["", " ", "x", "0", "-1", "1", "1 2", "1 2 3", "1 2 3 4", "0 0 0", "1e400", "0x10", "1,5", "true", "world", "l0", "l1", "j0", "revolute", "Fixed",
         "tet.obj", "1 x 3", " 1  2\t3 ", "m0", "1e-12"]
NAMES = ["link", "joint", "visual", "collision", "inertial", "geometry", "material", "color", "origin", "axis", "limit", "dynamics", "parent", "child", "box",
         "sphere", "cylinder", "capsule", "mesh", "mass", "inertia", "mujoco", "include", "mimic", "robot", "Link"]


class Robot:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.root = ET.Element("robot", name="r")

    def chance(self, p):
        return self.rng.random() < p

    def numbers(self, n, low, high):
        return " ".join(f"{self.rng.uniform(low, high):.4g}" for _ in range(n))

    def add(self, parent, tag, p=1.0, **attributes):
        """A child, and each attribute that is not None."""
        if self.chance(p):
            return ET.SubElement(parent, tag, {k.rstrip("_"): v for k, v in attributes.items() if v is not None})

    def maybe(self, p, value):
        return value if self.chance(p) else None

    def origin(self, parent):
        self.add(parent, "origin", 0.6, xyz=self.maybe(0.8, self.numbers(3, -1, 1)), rpy=self.maybe(0.6, self.numbers(3, -4, 4)))

    def material(self, parent, p):
        name = f"m{self.rng.randrange(4)}"
        material = self.add(parent, "material", p, name=self.maybe(0.9, name))
        if material is None:
            return
        color = self.add(material, "color", 0.6, rgba=self.rng.choice(COLORS))
        self.add(material, "texture", 0.1, filename="t.png")
        if color is None and "name" not in material.attrib:
            material.set("name", name)

    def shape(self, geometry):
        kind = self.rng.choice(["box", "cylinder", "capsule", "sphere", "mesh", "mesh"])
        round_ = {"radius": self.numbers(1, 0.1, 1)}
        if kind == "mesh":
            scale = self.rng.choice(["1 1 1", "1 1 1", "1 2 3", "2 2 2", "-1 1 1"])
            file = self.rng.choice(MESHES[:3] * 6 + MESHES[3:7] * 2 + (MESHES[7:] if self.chance(0.1) else []))
            return self.add(geometry, kind, filename=file, scale=self.maybe(0.4, scale))
        self.add(geometry, kind, **({"size": self.numbers(3, 0.1, 2)} if kind == "box" else round_ if kind == "sphere" else
                                   {**round_, "length": self.numbers(1, 0.2, 2)}))

    def geom(self, link, tag):
        elem = self.add(link, tag, name=self.maybe(0.4, self.rng.choice("abcdefghij")))
        self.origin(elem)
        self.shape(self.add(elem, "geometry"))
        if tag == "visual":
            self.material(elem, 0.6)

    def inertial(self, link):
        inertial = self.add(link, "inertial", 0.9)
        if inertial is None:
            return
        self.origin(inertial)
        self.add(inertial, "mass", value=self.rng.choice([self.numbers(1, 0.1, 3)] * 30 + ["0"]))
        diagonal = [self.rng.uniform(1, 1.9) for _ in range(3)]
        off = [self.rng.uniform(-.05, .05) if self.chance(0.5) else 0 for _ in range(3)]
        size = self.rng.choice([1, 1, 1, 1, 1e-4, 0]) if self.chance(0.4) else 1
        self.add(inertial, "inertia", **{k: f"{size * x:.5g}" for k, x in zip(("ixx", "iyy", "izz", "ixy", "ixz", "iyz"), diagonal + off)})

    def link(self, name):
        link = self.add(self.root, "link", name=name)
        parts = ["visual"] * self.rng.randrange(3) + ["collision"] * self.rng.randrange(3)
        self.rng.shuffle(parts)
        self.inertial(link)
        for part in parts:
            self.geom(link, part)

    def joint(self, name, parent, child):
        joint = self.add(self.root, "joint", name=name, type=self.rng.choice(TYPES))
        self.add(joint, "parent", link=parent)
        self.add(joint, "child", link=child)
        self.origin(joint)
        self.add(joint, "axis", 0.7, xyz=self.rng.choice(["1 0 0", "0 0 1", "0 0 -1", "0 -2 0", self.numbers(3, -1, 1)]))
        self.add(joint, "limit", 0.5, lower=self.maybe(0.8, self.numbers(1, -2, 1)), upper=self.maybe(0.8, self.numbers(1, 0, 2)),
                 effort=self.maybe(0.7, self.numbers(1, 0, 9)), velocity=self.maybe(0.7, "1"))
        self.add(joint, "dynamics", 0.4, damping=self.maybe(0.7, self.numbers(1, 0, 1)), friction=self.maybe(0.7, self.numbers(1, 0, 1)))
        self.add(joint, "mimic", 0.1, joint="j0", multiplier="-1")
        self.add(joint, "safety_controller", 0.1, k_velocity="1")

    def settings(self):
        own = self.add(self.root, "mujoco", 0.7)
        for name, attributes in SETTINGS.items() if own is not None else ():
            p = 2.5 / len(attributes)
            self.add(own, name, 0.7, **{k: self.maybe(p, self.rng.choice(v)) for k, v in attributes.items()})

    def build(self):
        names = [f"l{i}" for i in range(self.rng.randrange(1, 7))]
        if self.chance(0.3):
            names[0] = "world"
        self.settings()
        for _ in range(self.rng.randrange(3)):
            self.material(self.root, 1)
        for name in names:
            self.link(name)
        for i, name in enumerate(names[1:]):
            if self.chance(0.9):
                self.joint(f"j{i}", names[self.rng.randrange(i + 1)], name)
        self.add(self.root, "include", 0.05, file="part.xml")
        self.add(self.root, "gazebo", 0.1, reference="l0")
        if self.chance(0.4):
            children = list(self.root)
            self.rng.shuffle(children)
            self.root[:] = children

    # ---- one thing wrong

    def places(self):
        return [(parent, child) for parent in self.root.iter() for child in parent]

    def spoil(self):
        rng = self.rng
        parent, elem = rng.choice(self.places() or [(None, self.root)])
        keys = list(elem.attrib)
        choice = rng.randrange(9)
        if choice <= 2 and keys:
            elem.set(rng.choice(keys), rng.choice(WRONG))
        elif choice == 3 and keys:
            del elem.attrib[rng.choice(keys)]
        elif choice == 4 and parent is not None:
            parent.remove(elem)
        elif choice == 5 and parent is not None:
            parent.insert(rng.randrange(len(parent) + 1), ET.fromstring(ET.tostring(elem)))
        elif choice == 6:
            elem.tag = rng.choice(NAMES)
        elif choice == 7:
            _, other = rng.choice(self.places() or [(None, self.root)])
            other.append(ET.fromstring(ET.tostring(elem)))
        elif keys:
            source = rng.choice([e for _, e in self.places() if e.attrib] or [elem])
            elem.set(rng.choice(keys), source.get(rng.choice(list(source.attrib))))


def document(seed, faults=None):
    """A document; faults are how many things are wrong, by default none for most of the even seeds."""
    robot = Robot(seed)
    robot.build()
    if faults is None:
        faults = 0 if seed % 2 else robot.rng.randrange(4)
    for _ in range(faults):
        robot.spoil()
    return ET.tostring(robot.root, encoding="unicode")
