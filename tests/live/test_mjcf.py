# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Text to model against the reference: what is accepted, and what comes of it."""
import os
import struct
import sys

import numpy as np
import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
sys.path.insert(0, os.path.dirname(__file__))
import live  # noqa: E402
import bridge  # noqa: E402
from test_compile import differing  # noqa: E402

BODY = '<body><joint name="j"/><geom name="g" size="1"/><site name="s"/></body>'
REPLICATED = f'<replicate count="2" offset="3 0 0">{BODY}</replicate>'
KID = """<mujoco model="kid"><compiler angle="radian"/><default><geom size=".5"/><default class="q"><geom rgba="1 0 0 1"/>
</default></default><asset><material name="m"/></asset><worldbody><geom name="w"/><body name="top" pos="1 2 3">
<joint name="j" range="0 1"/><geom name="g" class="q" material="m"/><body name="leg" euler="1 0 0"><joint name="l"/><geom/>
<site name="ss"/></body></body></worldbody><actuator><motor name="a" joint="j"/></actuator><sensor><gyro site="ss"/>
</sensor><contact><exclude body1="top" body2="leg"/></contact></mujoco>"""
FILES = {
    "kid.xml": KID,
    "part.xml": '<mujocoinclude><geom size="1"/><!-- a -- b --><body><geom size="2"/></body></mujocoinclude>',
    "sub/deep.xml": '<x><geom size="3"/><include file="deep2.xml"/></x>',
    "sub/deep2.xml": '<x><geom size="4"/></x>',
    "section.xml": '<mujoco model="inner"><option timestep="0.5"/><default><default class="z"><geom rgba="0 1 0 1"/>'
                   '</default></default><worldbody><geom size="2"/></worldbody></mujoco>',
}

# head of the document, world body, tail
CASES = {
    "replicate": ("", '<replicate count="12" offset="1 2 0" sep="-"><body name="b" pos="1 2 3"><joint name="j"/>'
                  '<geom name="g" size="1"/></body></replicate>', ""),
    "replicate turns": ("", '<replicate count="7" offset="1 2 0" euler="10 20 30"><geom name="g" size="1"/></replicate>', ""),
    "replicate with letters": ('<compiler eulerseq="xy0"/>', '<replicate count="2" offset="1 2 0" euler="10 20 30"><geom size="1"/></replicate>', ""),
    "replicate in body": ("", '<body name="x"><replicate count="2" sep="_" offset="1 0 0" euler="0 0 90"><joint name="h"/>'
                          '<geom name="a" size="1"/><site name="q"/></replicate></body>', ""),
    "replicate in frame": ("", f'<frame pos="0 0 1" euler="0 90 0">{REPLICATED}</frame>', ""),
    "replicate nested": ("", f'<replicate count="2" offset="0 3 0">{REPLICATED}</replicate>',
                         '<tendon><fixed name="f"><joint joint="j" coef="2"/></fixed></tendon><equality><joint joint1="j"/></equality>'),
    "replicate referred": ("", REPLICATED + '<body name="z"><joint name="q"/><geom size="1"/></body>',
                           '<sensor><jointpos joint="q" name="first"/><gyro name="gy" site="s"/><jointpos joint="q" name="sq"/>'
                           '</sensor><actuator><motor name="m" joint="j"/></actuator>'),
    "replicate assets": ('<asset><material name="m"/><mesh name="k" vertex="0 0 0 1 0 0 0 1 0 0 0 2"/></asset>',
                         '<replicate count="3" offset="1 0 0"><geom type="mesh" mesh="k" material="m"/></replicate>', ""),
    "replicate beside": ('<custom><numeric name="n" data="1"/><text name="t" data="x"/></custom><default><default class="c">'
                         '<geom size="2"/></default></default>', '<geom name="w" size="1"/><replicate count="3" offset="1 0 0">'
                         '<body name="b" childclass="c"><joint/><geom name="g"/></body></replicate>',
                         '<contact><exclude body1="b" body2="world"/><pair geom1="g" geom2="w"/></contact>'),
    "replicate none": ("", '<replicate count="0"><geom size="1"/></replicate>', ""),
    "frames": ('<compiler angle="radian" eulerseq="ZYX"/><default><default class="foo"><geom type="box" size="1 2 3"/></default></default>',
               '<body><frame childclass="foo" pos="1 2 3" euler="1 2 3" name="F"><geom pos="1 1 1"/><frame pos="0 0 1" '
               'axisangle="1 2 3 .4"><geom/><body euler="1 0 0"><joint/><geom/></body><site/><camera/><light/><joint/>'
               '</frame></frame></body>', ""),
    "inertial in frame": ("", '<body><frame pos="1 0 0" euler="0 0 10"><inertial pos="0 0 0" mass="1" diaginertia="1 2 3"/>'
                          '<joint axis="1 0 0" pos="1 1 1"/></frame></body>', ""),
    "attach": ('<asset><model name="K" file="kid.xml"/></asset>',
               '<frame pos="1 0 0" euler="0 0 90"><attach model="K" body="top" prefix="p_"/></frame><frame pos="2 0 0">'
               '<attach model="K" prefix="q_"/></frame><body pos="0 1 0"><attach model="K" body="leg" prefix="r_"/></body>', ""),
    "attach replicated": ('<asset><model file="kid.xml"/></asset>',
                          '<replicate count="3" offset="1 0 0"><attach model="kid" body="top" prefix="p"/></replicate>', ""),
    "attach what is there": ('<asset><model name="K" file="kid.xml"/></asset>',
                             '<attach model="K" body="top" prefix="p"/><frame pos="1 2 3" euler="0 0 30"><attach model="K" body="top" '
                             'prefix="p"/></frame><frame pos="3 0 0"><body name="q"><geom size="1"/></body></frame>'
                             '<attach model="nothing" prefix="q"/>', ""),
    "cable of points": ("", '<composite type="cable" prefix="a" quat="1 0 0 1" curve="s 0 s" size="3" count="1 2" vertex="0 0 0 1 0 0 2 0 1 '
                        '3 0 0"><geom type="capsule" size=".01"/><skin group="1"/></composite>', ""),
    "frames around nothing": ("<compiler inertiagrouprange='0 2'/>", '<frame pos="1 2 3" euler="0 20 30"><body name="e" pos="1 0 0"><site name="s"/>'
                              '</body><body mocap="true" pos="0 1 0"><geom size="1" group="3"/></body><body quat="1 1 0 0"><geom size="1" mass="0"/>'
                              '</body></frame>', ""),
    "texture of a class": ('<default><material texture="a"/></default><asset><texture name="a" type="2d" builtin="flat" width="2" height="2"/>'
                           '<material name="m" texture=""/></asset>', "", ""),
    "memory of both kinds": ('<size njmax="10" nstack="100000"/><size memory="1M"/>', "", ""),
    "names of nothing": ('<custom><numeric name="" size="2"/><text name="" data="a"/></custom>', "", ""),
    "include": ("", '<body pos="1 0 0"><include file="part.xml"/></body>', ""),
    "include nested": ("", '<include file="sub/deep.xml"/>', ""),
    "include sections": ('<include file="section.xml"/>', '<geom size="1" class="z"/>', ""),
    "lights": ('<default><light directional="true"/></default>', '<light/><light type="point"/><light directional="false"/>', ""),
    "cameras": ("", '<camera fovy="10" resolution="2 2"/><camera sensorsize="1 2" focal="1 1" resolution="20 30" principal=".1 .2"/>'
                '<camera sensorsize="1 1" focalpixel="10 12" principalpixel="1 2" resolution="20 30"/>', ""),
    "class main": ('<default class="main"><default class="q"><default class="r"><geom size="2"/></default></default></default>',
                   '<geom class="r"/>', ""),
    "muscles": ('<default><muscle force="3" range=".5 2"/></default>', BODY,
                '<actuator><muscle joint="j" lengthrange="0 1"/><muscle joint="j" lengthrange="0 1" timeconst="1 2"/></actuator>'),
    "shortcuts": ('<default><general dyntype="filter" gainprm="3" biastype="affine" biasprm="1 2 3" gear="1 2"/></default>', BODY,
                  '<actuator><general joint="j"/><motor joint="j"/><position joint="j"/><position joint="j" kv="1"/><velocity '
                  'joint="j"/><cylinder joint="j" bias="1 2 3"/><damper joint="j" ctrlrange="0 1"/><intvelocity joint="j" '
                  'actrange="0 1"/></actuator>'),
    "contact sensors": ("", BODY, "<sensor><contact/><contact data='force dist normal' geom1='g' num='3' reduce='netforce'/>"
                        "<contact site='s' reduce='maxforce'/></sensor>"),
    "weld defaults": ("", BODY + '<body name="b"><geom size="1"/><site name="t"/></body>',
                      '<equality><weld site1="s" site2="t"/><weld body1="b"/><weld body1="b" relpose="1 2 3 1 0 0 0" anchor="1 1 1"'
                      ' torquescale="2"/><joint joint1="j" polycoef="1 2"/></equality>'),
    "spring length": ("", BODY, '<tendon><fixed springlength="2"><joint joint="j" coef="1"/></fixed><fixed springlength="1 3">'
                      '<joint joint="j" coef="1"/></fixed></tendon>'),
    "height field": ('<asset><hfield name="h" size="1 2 3 4" nrow="2" ncol="3" elevation="1 2 3 4 5 9"/><hfield name="flat" '
                     'size="1 1 1 1" nrow="3" ncol="2"/></asset>', '<geom type="hfield" hfield="h"/>', ""),
    "textures": ('<asset><texture name="a" builtin="flat" width="4"/><texture name="b" type="2d" builtin="checker" width="4" '
                 'height="8" nchannel="4"/><material name="m" texture="a"/><material name="n"><layer role="rgb" texture="a"/>'
                 '<layer role="orm" texture="b"/></material></asset>', "", ""),
    "memory": ('<size memory=" 2M "/>', "", ""),
    "flags": ('<option actuatorgroupdisable="0 3 30" o_solref="1" o_friction="2"><flag contact="disable" energy="enable" '
              'island="enable"/></option>', "", ""),
    "empty lists": ("", '<geom size="1" pos="" friction="" margin=""/>', ""),
    "hexadecimal": ("", '<geom size="0x10"/>', ""),
}


def mesh_files():
    """Meshes: a hull, one with normals and texture coordinates, a torus of quads, points on a sphere, a binary STL."""
    rng = np.random.default_rng(1)
    points = rng.normal(size=(30, 3)) * [1, 2, .5]
    sphere = rng.normal(size=(200, 3))
    sphere /= np.linalg.norm(sphere, axis=1)[:, None]

    def lines(key, rows):
        return "".join(key + " " + " ".join("%.9g" % x for x in row) + "\n" for row in rows)

    ring, quads = [], []
    n, k = 12, 8
    for i in range(n):
        for j in range(k):
            u, v = 2 * np.pi * i / n, 2 * np.pi * j / k
            ring.append([(2 + .5 * np.cos(v)) * np.cos(u), (2 + .5 * np.cos(v)) * np.sin(u), .7 * np.sin(v) + .1 * i])
            corner = [i * k + j, (i + 1) % n * k + j, (i + 1) % n * k + (j + 1) % k, i * k + (j + 1) % k]
            quads.append([c + 1 for c in corner])
    triangles = [np.array(ring)[[q[0] - 1, q[a] - 1, q[a + 1] - 1]] for q in quads for a in (1, 2)]
    faces = "".join("f " + " ".join(f"{c}/{c}/{c}" for c in q) + "\n" for q in quads)
    box = [[x, y, z] for x in (0, 1) for y in (0, 2) for z in (0, 3)]
    return {
        "points.obj": lines("v", points), "sphere.obj": lines("v", sphere), "box.obj": lines("v", box),
        "torus.obj": lines("v", ring) + lines("f", quads),
        "full.obj": lines("v", ring) + lines("vn", ring) + lines("vt", [r[:2] for r in ring]) + faces,
        "torus.stl": b"\0" * 80 + struct.pack("<I", len(triangles)) + b"".join(
            struct.pack("<12fH", 0, 0, 0, *t.ravel(), 0) for t in triangles),
    }


MESH_ATTRIBUTES = ["", 'scale="1 2 -3" refpos="1 2 3" refquat="1 2 3 4"', 'inertia="convex"', 'inertia="exact"', 'inertia="shell"',
                   'maxhullvert="10"', 'smoothnormal="true" scale=".1 .2 .3"']
MESH_GEOMS = ['type="mesh" contype="0" conaffinity="0" pos="1 2 3" euler="10 20 30"', 'type="box"', 'type="sphere"',
              'type="capsule" fitscale="1.1"', 'type="cylinder"', 'type="ellipsoid"']
MESH_CASES = [(f, a, 'type="mesh"') for f in ("points.obj", "sphere.obj", "box.obj", "torus.obj", "full.obj", "torus.stl")
              for a in MESH_ATTRIBUTES] + [("torus.obj", "", g) for g in MESH_GEOMS]
BUILTIN = ["sphere 0", "sphere 2", "hemisphere 0", "hemisphere 3", "cone 5 0", "cone 6 .5", "supersphere 8 .5 .3",
           "supertorus 9 .4 .7 .8"]


def write(folder, files):
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def check(path):
    want = live.mujoco.MjModel.from_xml_path(str(path))
    m = bridge.load_xml(live.library(), str(path))
    assert differing(want, m) == []
    live.library().mj_deleteModel(m.ptr)


@pytest.mark.parametrize("name", CASES)
def test_document(name, tmp_path):
    head, body, tail = CASES[name]
    write(tmp_path, FILES)
    write(tmp_path, {"main.xml": f"<mujoco>{head}<worldbody>{body}</worldbody>{tail}</mujoco>"})
    check(tmp_path / "main.xml")


@pytest.mark.parametrize("name,attributes,geom", MESH_CASES)
def test_mesh(name, attributes, geom, tmp_path):
    write(tmp_path, {name: mesh_files()[name], "main.xml": f"""<mujoco><asset><mesh name="m" file="{name}" {attributes}/></asset>
        <worldbody><body><freejoint/><geom mesh="m" {geom}/></body></worldbody></mujoco>"""})
    check(tmp_path / "main.xml")


@pytest.mark.parametrize("box", ["sphere", "capsule", "cylinder", "box", "ellipsoid"])
def test_mesh_bounding_box(box, tmp_path):
    write(tmp_path, {"torus.obj": mesh_files()["torus.obj"], "main.xml": f"""<mujoco><compiler fitaabb="true"/><asset>
        <mesh name="m" file="torus.obj"/></asset><worldbody><geom mesh="m" type="{box}"/></worldbody></mujoco>"""})
    check(tmp_path / "main.xml")


@pytest.mark.parametrize("shape", BUILTIN)
def test_builtin_mesh(shape, tmp_path):
    name, params = shape.split(" ", 1)
    write(tmp_path, {"main.xml": f"""<mujoco><asset><mesh name="m" builtin="{name}" params="{params}"/></asset>
        <worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>"""})
    check(tmp_path / "main.xml")
