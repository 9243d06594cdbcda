# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Meshes of many shapes, good and bad, compiled by both: frames, normals, hulls, polygons and trees."""
import os
import struct
import sys

import numpy as np
import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
sys.path.insert(0, os.path.dirname(__file__))
import live  # noqa: E402
from test_compile import compile_text, differing  # noqa: E402


def _grid(rows, cols, corner):
    """Triangles over a grid of corners, (i, j) -> number of the vertex."""
    faces = []
    for i in range(rows):
        for j in range(cols):
            a, b, c, d = corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)
            faces += [[a, b, c], [a, c, d]]
    return faces


def cloud(rng):
    """Points only: faces are those of the hull."""
    return rng.normal(size=(rng.integers(5, 60), 3)) * rng.uniform(.1, 1, 3), None


def lattice(rng):
    """Points on a lattice: many of them in planes and on lines."""
    n = rng.integers(2, 5, 3)
    return np.array([[x, y, z] for x in range(n[0]) for y in range(n[1]) for z in range(n[2])]) * rng.uniform(.1, 1, 3), None


def prism(rng):
    """A cylinder with many corners, its ends as fans."""
    n, turn = int(rng.integers(3, 24)), rng.uniform(0, 6)
    angle = turn + 2 * np.pi * np.arange(n) / n
    ring = np.stack([np.cos(angle), np.sin(angle)], 1) * rng.uniform(.2, 1)
    vert = np.array([[*p, z] for z in (-.3, .4) for p in ring])
    sides = _grid(1, n, lambda i, j: i * n + j % n)
    return vert, [f[::-1] for f in sides] + [[0, k + 1, k] for k in range(1, n - 1)] + [[n, n + k, n + k + 1] for k in range(1, n - 1)]


def torus(rng):
    n, k = int(rng.integers(4, 14)), int(rng.integers(3, 9))
    u, v = np.meshgrid(2 * np.pi * np.arange(n) / n, 2 * np.pi * np.arange(k) / k, indexing="ij")
    vert = np.stack([(2 + .6 * np.cos(v)) * np.cos(u), (2 + .6 * np.cos(v)) * np.sin(u), .6 * np.sin(v)], -1).reshape(-1, 3)
    return vert * .1, _grid(n, k, lambda i, j: i % n * k + j % k)


def terrain(rng):
    """A bumpy slab, closed: sharp and blunt edges at the same vertices."""
    n = int(rng.integers(3, 8))
    top = np.array([[i, j, 1 + rng.uniform(0, 1.5)] for i in range(n + 1) for j in range(n + 1)], float)
    vert = np.concatenate([top, top * [1, 1, 0]])
    low = (n + 1) ** 2
    at = lambda i, j: i * (n + 1) + j  # noqa: E731
    faces = _grid(n, n, at) + [[low + c for c in f[::-1]] for f in _grid(n, n, at)]
    rim = [at(i, 0) for i in range(n)] + [at(n, j) for j in range(n)] + [at(n - i, n) for i in range(n)] + [at(0, n - j) for j in range(n)]
    for a, b in zip(rim, rim[1:] + rim[:1]):
        faces += [[a, low + a, b], [b, low + a, low + b]]
    return vert * .05, faces


def soup(rng):
    """Triangles that share nothing."""
    n = int(rng.integers(2, 30))
    return rng.normal(size=(3 * n, 3)), np.arange(3 * n).reshape(-1, 3)


def broken(rng):
    """A good mesh with corners that coincide, corners in a line, faces of no area, faces given twice."""
    vert, faces = prism(rng) if rng.random() < .5 else terrain(rng)
    faces = [list(f) for f in faces]
    for _ in range(int(rng.integers(1, 6))):
        f = list(faces[rng.integers(len(faces))])
        kind = rng.integers(4)
        if kind == 0:
            vert = np.concatenate([vert, vert[[f[0]]]])
            f = [f[0], len(vert) - 1, f[1]]
        elif kind == 1:
            vert = np.concatenate([vert, [(vert[f[0]] + vert[f[1]]) / 2]])
            f = [f[0], len(vert) - 1, f[1]]
        elif kind == 2:
            f[2] = f[0]
        faces.insert(int(rng.integers(len(faces))), f)
    return vert, faces


def small(rng):
    """Faces of about the area below which they do not count for normals."""
    vert, faces = torus(rng)
    return vert * rng.choice([1e-2, 3e-3, 1e-3]), faces


SHAPES = (cloud, lattice, prism, torus, terrain, soup, broken, small)
ATTRIBUTES = ['', '', 'inertia="shell"', 'inertia="convex"', 'inertia="exact"', 'smoothnormal="true"', 'maxhullvert="8"',
              'scale="1 2 .5"', 'scale="-1 2 .5"', 'refpos=".1 .2 .3" refquat="1 2 3 4"']


def listed(name, rows):
    return "" if rows is None else f'{name}="{" ".join(repr(x) for x in np.ravel(rows).tolist())}"'


def check(xml):
    """Both accept and agree in every array, or both refuse."""
    try:
        want = live.mujoco.MjModel.from_xml_string(xml)
    except ValueError:
        want = None
    m, reason = compile_text(xml)
    if want is None:
        assert m is None
        return False
    assert m is not None, reason
    names = differing(want, m)
    live.library().mj_deleteModel(m.ptr)
    assert names == []
    return True


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: s.__name__)
def test_random(shape, seed):
    rng = np.random.default_rng([seed, SHAPES.index(shape)])
    vert, faces = shape(rng)
    attributes = rng.choice(ATTRIBUTES) if shape is not soup else 'inertia="shell"'
    geom = 'type="mesh"' + rng.choice(['', '', ' contype="0" conaffinity="0"'])
    check(f"""<mujoco><asset><mesh name="m" {listed("vertex", np.float32(vert))} {listed("face", faces)} {attributes}/></asset>
      <worldbody><body><freejoint/><geom {geom} mesh="m"/></body></worldbody></mujoco>""")


def sheet(rng):
    """Triangles in one plane that look the same way: apart, side by side, across each other, the same ones again."""
    corners = int(rng.integers(4, 9))
    vert = np.concatenate([np.c_[rng.normal(size=(corners, 2)), np.zeros(corners)], [[0, 0, 1], [1, 0, 1.3]]])
    faces = []
    while len(faces) < rng.integers(1, 16):
        f = rng.choice(corners, 3, replace=False)
        u, v = vert[f[1:], :2] - vert[f[0], :2]
        area = u[0] * v[1] - u[1] * v[0]
        if abs(area) > 1e-3:
            faces.append(f[::int(np.sign(area))].tolist())
    return vert, faces


def slivers(rng):
    """Triangles without area, with corners that coincide or lie on a line, and some others."""
    vert = rng.normal(size=(8, 3))
    vert[5], vert[6] = (vert[3] + vert[4]) / 2, 2 * vert[4] - vert[3]
    faces = [(rng.choice([3, 4, 5, 6], 3) if rng.random() < .8 else rng.integers(0, 8, 3)).tolist()
             for _ in range(rng.integers(1, 20))]
    return vert, faces + [[0, 1, 2], [0, 2, 7], [0, 7, 1], [1, 7, 2]]


@pytest.mark.parametrize("shape", (sheet, slivers), ids=lambda s: s.__name__)
def test_polygons(shape):
    """Of a mesh without a hull: its own faces, however they lie to each other."""
    for seed in range(60):
        vert, faces = shape(np.random.default_rng(seed))
        assert check(f"""<mujoco><asset><mesh name="m" inertia="shell" {listed("vertex", np.float32(vert))} {listed("face", faces)}/></asset>
          <worldbody><geom type="mesh" mesh="m" contype="0" conaffinity="0"/></worldbody></mujoco>""")


@pytest.mark.parametrize("fitaabb", ["true", "false"])
@pytest.mark.parametrize("kind", ["sphere", "capsule", "cylinder", "ellipsoid", "box"])
def test_fitted(kind, fitaabb):
    for seed, shape in enumerate((cloud, prism, terrain)):
        for attributes in ('', 'inertia="shell"', 'scale="1 3 .3"'):
            vert, faces = shape(np.random.default_rng(seed))
            assert check(f"""<mujoco><compiler fitaabb="{fitaabb}"/><asset>
              <mesh name="m" {listed("vertex", np.float32(vert))} {listed("face", faces)} {attributes}/></asset><worldbody>
              <body><freejoint/><geom type="{kind}" mesh="m" fitscale="1.2" pos=".1 .2 .3" euler="10 20 30"/></body>
              </worldbody></mujoco>""")


# ---- files

BOX = "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 1 2 0\nv 0 0 3\nv 1 0 3\nv 0 2 3\nv 1 2 3\n"
QUADS = "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n"
FLAT = "vn 1 0 0\nvn -1 0 0\nvn 0 1 0\nvn 0 -1 0\nvn 0 0 1\nvn 0 0 -1\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n"
OBJ = {
    "quads": BOX + QUADS,
    "negative": BOX + "f -8 -6 -5 -7\nf -4 -3 -1 -2\nf -8 -7 -3 -4\nf -6 -2 -1 -5\nf -8 -4 -2 -6\nf -7 -5 -1 -3\n",
    "normals": BOX + FLAT + "f 1//6 3//6 4//6 2//6\nf 5//5 6//5 8//5 7//5\nf 1//4 2//4 6//4 5//4\nf 3//3 7//3 8//3 4//3\n"
                            "f 1//2 5//2 7//2 3//2\nf 2//1 4//1 8//1 6//1\n",
    "all": BOX + FLAT + "f 1/1/6 3/2/6 4/3/6 2/4/6\nf 5/1/5 6/2/5 8/3/5 7/4/5\nf 1/1/4 2/2/4 6/3/4 5/4/4\n"
                        "f 3/1/3 7/2/3 8/3/3 4/4/3\nf 1/1/2 5/2/2 7/3/2 3/4/2\nf 2/1/1 4/2/1 8/3/1 6/4/1\n",
    "texcoords": BOX + FLAT + "f 1/1 3/2 4/3 2/4\nf 5/1 6/2 8/3 7/4\nf 1/1 2/2 6/3 5/4\nf 3/1 7/2 8/3 4/4\nf 1/1 5/2 7/3 3/4\nf 2/1 4/2 8/3 6/4\n",
    "texcoords that no face names": BOX + FLAT + QUADS,
    "texcoords of some faces": BOX + FLAT + "f 1/1 3/2 4/3 2/4\n" + QUADS[10:],
    "texcoords of some corners": BOX + FLAT + "f 1/1 3 4/3 2\n" + QUADS[10:],
    "texcoords without faces": BOX + FLAT,
    "more texcoords than vertices without faces": BOX + FLAT + "vt .5 .5\n" * 7,
    "a texcoord that is not there": BOX + FLAT + QUADS.replace("f 1 3 4 2", "f 1/9 3/9 4/9 2/9"),
    "groups": BOX + "g one\n" + QUADS[:28] + "g two\n" + QUADS[28:],
    "objects": "o first\n" + BOX + QUADS + "o second\nv 5 5 5\nv 6 5 5\nv 5 6 5\nf 9 10 11\n",
    "materials": "mtllib none.mtl\n" + BOX + "usemtl a\n" + QUADS[:28] + "usemtl b\ns 1\n" + QUADS[28:],
    "comments": "# a box\n" + BOX.replace("\n", " # vertex\n", 1) + QUADS + "# end",
    "colors": BOX.replace("v 0 0 0\n", "v 0 0 0 .5 .5 .5\n") + QUADS,
    "windows": (BOX + QUADS).replace("\n", "\r\n"),
    "spaces": BOX.replace(" ", "  \t") + QUADS.replace(" ", "   "),
    "polygon": "v 0 0 0\nv 2 0 0\nv 3 1 0\nv 2 2 0\nv 0 2 0\nv 1 1 2\nf 5 4 3 2 1\nf 1 2 6\nf 2 3 6\nf 3 4 6\nf 4 5 6\nf 5 1 6\n",
    "dent": "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 1 .5 0\nv 0 2 0\nv 1 .4 2\nf 5 4 3 2 1\nf 1 2 6\nf 2 3 6\nf 3 4 6\nf 4 5 6\nf 5 1 6\n",
    "turned dent": "v 0 0 0\nv 1 1 0\nv 2 0 0\nv 1 2 0\nv 1 1.2 2\nf 4 3 2 1\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n",
    "lines": BOX + "l 1 2\np 3\n" + QUADS,
    "points only": BOX,
    "index too large": BOX + QUADS + "f 1 2 9\n",
    "index zero": BOX + QUADS + "f 0 1 2\n",
    "two corners": BOX + QUADS + "f 1 2\n",
    "too few": "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
    "nothing": "",
}


def load_both(tmp_path, name, content, attributes="", geom='type="mesh"'):
    (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return check(f"""<mujoco><compiler meshdir="{tmp_path}"/><asset><mesh name="m" file="{name}" {attributes}/></asset>
      <worldbody><body><freejoint/><geom {geom} mesh="m"/></body></worldbody></mujoco>""")


@pytest.mark.parametrize("attributes", ['', 'inertia="exact" scale="1 1 -2"', 'smoothnormal="true" refquat="1 1 0 0" refpos="1 2 3"'])
@pytest.mark.parametrize("name", OBJ)
def test_obj(name, attributes, tmp_path):
    load_both(tmp_path, "m.obj", OBJ[name], attributes)


def stl(triangles):
    return b"\0" * 80 + struct.pack("<I", len(triangles)) + b"".join(struct.pack("<12fH", 0, 0, 0, *np.ravel(t), 0) for t in triangles)


@pytest.mark.parametrize("seed", range(6))
def test_stl(seed, tmp_path):
    """Corners that are equal are joined, also those that differ by the sign of a zero."""
    rng = np.random.default_rng(seed)
    vert, faces = SHAPES[2 + seed % 3](rng)
    triangles = np.float32(vert)[np.array(faces)]
    triangles[triangles == 0] *= rng.choice([1, -1], size=(triangles == 0).sum()).astype(np.float32)
    assert load_both(tmp_path, "m.stl", stl(triangles), 'inertia="legacy"')


def test_stl_text(tmp_path):
    assert not load_both(tmp_path, "m.stl", "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n" * 9)


@pytest.mark.parametrize("parts", ["", "n", "t", "nt", "f", "nf", "ntf"])
def test_msh(parts, tmp_path):
    """Vertices, and normals, texture coordinates and faces if there are any."""
    vert, faces = torus(np.random.default_rng(3))
    n = len(vert)
    counts = [n, n * ("n" in parts), n * ("t" in parts), len(faces) * ("f" in parts)]
    data = struct.pack("<4i", *counts) + np.float32(vert).tobytes()
    data += np.float32(vert[:, ::-1]).tobytes() * ("n" in parts) + np.float32(vert[:, :2]).tobytes() * ("t" in parts)
    assert load_both(tmp_path, "m.msh", data + np.int32(faces).tobytes() * ("f" in parts))


# 3.4.0 ignores the places of later meshes; what else each mesh of a file says, and whether a geom collides with it (c), only shows it (v), or there is none (u)
SHARED = {
    "hull first": ("cvu", "", "", ""),
    "hull later": ("vcv", "", "", ""),
    "another place": ("vvc", 'refpos="1 2 3"', 'refpos="1 2 3"', 'refpos="1 2 3" smoothnormal="true"'),
    "another scale": ("vvvv", "", 'scale="1 1 2"', 'scale="1 1 2" smoothnormal="true"', ""),
    "another inertia": ("vvv", "", 'inertia="exact"', 'inertia="exact" smoothnormal="true"'),
    "hull for inertia": ("cvv", 'inertia="convex"', 'inertia="convex" smoothnormal="true"', ""),
    "another hull size": ("cvcv", "", 'maxhullvert="6"', "", 'maxhullvert="-1"'),
    "other normals": ("vvvc", "", 'smoothnormal="true"', 'normal="0 0 1"', 'smoothnormal="true"'),
}


@pytest.mark.parametrize("name", ["m.obj", "./m.obj", "none/../m.obj", "MESHDIR/m.obj", "n.obj", "l.obj"])
@pytest.mark.parametrize("case", SHARED)
def test_shared_file(case, name, tmp_path):
    """Meshes of one file: the first is what others are, too, unless scale, inertia or hull keep them apart."""
    vert, faces = terrain(np.random.default_rng(1))
    text = "".join(f"v {x} {y} {z}\n" for x, y, z in vert) + "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in faces)
    for file in ("m.obj", "n.obj"):
        (tmp_path / file).write_text(text)
    (tmp_path / "l.obj").symlink_to("m.obj")
    geoms, *attributes = SHARED[case]
    mask = {"c": "", "v": 'contype="0" conaffinity="0"'}
    meshes = "".join(f'<mesh name="{i}" file="{"m.obj" if i == 0 else name.replace("MESHDIR", str(tmp_path))}" {a}/>'
                     for i, a in enumerate(attributes))
    bodies = "".join(f'<body><geom type="mesh" mesh="{i}" {mask[g]}/></body>' for i, g in enumerate(geoms) if g != "u")
    assert check(f'<mujoco><compiler meshdir="{tmp_path}"/><asset>{meshes}</asset><worldbody>{bodies}</worldbody></mujoco>')


# ---- contacts

def contacts(pair):
    ours = pair.d.contact
    got = [[ours[i].dist, *ours[i].pos, *ours[i].frame[:3]] for i in range(pair.d.ncon)]
    want = [[c.dist, *c.pos, *c.frame[:3]] for c in pair.rd.contact]
    return (np.array(sorted(rows, key=lambda r: np.round(r, 6).tolist())) for rows in (got, want))


@pytest.mark.parametrize("on", ["mesh", "box"])
@pytest.mark.parametrize("seed", range(8))
def test_flat_edge(seed, on):
    """A wedge on a plate: its lowest vertex touches, and so does its lowest edge if that is flat to within a thousandth or so."""
    rng = np.random.default_rng(seed)
    tilt = rng.choice([-2e-3, -1e-3, 5e-4, 1e-3, 2e-3])
    plate = {"mesh": 'type="mesh" mesh="plate"', "box": 'type="box" size="2 2 .5"'}[on]
    pair = live.Pair.from_text(f"""<mujoco><option><flag multiccd="enable"/></option><asset>
      <mesh name="plate" vertex="-2 -2 -.5 2 -2 -.5 -2 2 -.5 2 2 -.5 -2 -2 .5 2 -2 .5 -2 2 .5 2 2 .5"/>
      <mesh name="wedge" vertex="-.5 0 0 .5 0 {tilt} 0 .4 .7 0 -.3 .8"/></asset><worldbody><geom {plate}/>
      <body pos="{rng.uniform(-.4, .4)} {rng.uniform(-.4, .4)} {.5 - rng.uniform(0, .02)}"><freejoint/><geom type="mesh" mesh="wedge"/></body>
      </worldbody></mujoco>""")
    yaw = rng.uniform(0, 3)
    pair.rd.qpos[3:7] = [np.cos(yaw), 0, 0, np.sin(yaw)]
    pair.copy_state()
    pair.call("mj_kinematics", "mj_comPos", "mj_collision")
    got, want = contacts(pair)
    assert got.shape == want.shape
    assert live.difference(got, want) < 1e-7


@pytest.mark.parametrize("scale", ["1 1 1", "0.001 0.001 0.001", "2 0.001 1"])
def test_short_normals(scale):
    """Normals of a file may have any length; those that are nearly nothing point along z."""
    for length in (1e-3, 3.2e-5, 3.1e-5, 3.2e-8, 3.1e-8, 1e-12, 0):
        text = f"""<mujoco><asset><mesh name="m" scale="{scale}" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 0 3 2 1 2 3"
          normal="{length} 0 0 0 -1 0 -1 0 0 1 1 1"/></asset><worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>"""
        model, reason = compile_text(text)
        assert model, reason
        assert not differing(live.mujoco.MjModel.from_xml_string(text), model)
