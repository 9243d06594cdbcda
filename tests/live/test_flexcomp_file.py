# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Flexcomps of type mesh and gmsh: compiled arrays next to the reference's, and what each refuses."""
import itertools
import os
import sys

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco")
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
sys.path.insert(0, os.path.dirname(__file__))
import bridge  # noqa: E402
import live  # noqa: E402
import mesh_files as files  # noqa: E402
from test_compile import differing  # noqa: E402
from test_flex_model import mend  # noqa: E402


def write(folder, content, attributes, inner="", name="a.msh", head=""):
    (folder / name).write_bytes(content)
    path = folder / "m.xml"
    path.write_text(f'<mujoco>{head}<worldbody><geom type="plane" size="1 1 .1"/><body name="p" pos="1 2 3" '
                    f'euler="30 40 50"><joint/><geom size=".1"/><flexcomp name="f" {attributes} radius=".001">{inner}'
                    '</flexcomp></body></worldbody></mujoco>')
    return str(path)


def check(path):
    """Both compile, and to the same model, which is given."""
    rm = mujoco.MjModel.from_xml_path(path)
    m = bridge.load_xml(live.library(), path)
    mend(rm)
    assert differing(rm, m) == []
    live.library().mj_deleteModel(m.ptr)
    return rm


POSE = 'scale="1 2 3" pos=".1 .2 .3" euler="10 20 30" mass="2"'
FORMATS = {"text 4.1": lambda p, e: files.gmsh41(p, e), "binary 4.1": lambda p, e: files.gmsh41(p, e, True),
           "text 2.2": lambda p, e: files.gmsh22(p, e), "binary 2.2": lambda p, e: files.gmsh22(p, e, True)}


@pytest.mark.parametrize("name, dim, dof", itertools.product(FORMATS, (1, 2, 3), ("full", "trilinear", "quadratic")))
def test_gmsh(name, dim, dof, tmp_path):
    if "2.2" in name and dim == 1:
        pytest.skip("3.4.0 has no lines of format 2.2")
    rng = np.random.default_rng([dim, len(dof)])
    # where there are pins or nodes, 3.4.0 crashes if no element has a point
    points, elements = files.random_mesh(rng, dim) if dim == 1 else files.random_mesh(rng, dim, 10, 60)
    if dof != "full" and dim == 1:
        elements += [(i, (i + 1) % len(points)) for i in range(len(points))]
    inner = '<contact selfcollide="none"/>' if dof != "full" else '<pin id="1 5"/>' if dim > 1 else ""
    rm = check(write(tmp_path, FORMATS[name](points, elements), f'type="gmsh" file="a.msh" dof="{dof}" {POSE}', inner))
    assert rm.flex_dim[0] == dim


SURFACE = ([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (5, 5, 5), (0, 1, 0)], [(0, 2, 1), (0, 1, 3), (0, 3, 5), (1, 2, 3)])


@pytest.mark.parametrize("ending, dim", itertools.product(("obj", "STL"), (2, 3)))
@pytest.mark.parametrize("more", ["", 'rigid="true"', 'dof="trilinear"', 'dof="radial"', 'texcoord="%s"'])
def test_mesh(ending, dim, more, tmp_path):
    """Vertices at one place are joined. In dimension 3 each face that looks away from origin makes a tetrahedron."""
    points, faces = SURFACE
    if "dof" in more:  # 3.4.0 crashes if no element has a point: the place of another
        points = [p if p[0] < 5 else (0, 0, 0) for p in points]
    content = files.obj(points, faces) if ending == "obj" else files.stl(points, faces)
    inner = '<contact selfcollide="none"/>' if "linear" in more else ""
    if "rad" in more and dim == 3:
        more += ' pos="0 0 .5"'
    if "tex" in more and ending == "obj":
        more = ""  # one of its points is in no element
    rm = check(write(tmp_path, content, f'type="mesh" file="a.{ending}" dim="{dim}" origin=".2 .2 .3" scale="1 2 3" '
                     + more.replace("%s", "0 .5 " * (4 + (dim == 3))), inner, f"a.{ending}"))
    assert rm.nflexvert in (4, 5, 6)


def test_texture_coordinates_of_a_mesh(tmp_path):
    points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
    content = files.obj(points, [(0, 1, 2), (0, 2, 3)], [(0, .1), (1, .2), (.5, .7), (.3, 1)])
    rm = check(write(tmp_path, content, 'type="mesh" file="a.obj"', name="a.obj"))
    assert rm.nflextexcoord == 4


def test_faces_towards_the_origin_are_left_out(tmp_path):
    content = files.obj([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], [(0, 1, 2), (0, 3, 2)])
    for z in (1, 1e-12, -1):
        rm = check(write(tmp_path, content, f'type="mesh" file="a.obj" dim="3" origin="0 0 {z}"', name="a.obj"))
        assert rm.nflexelem == 1


def test_folders(tmp_path):
    points, elements = files.random_mesh(np.random.default_rng(0), 2)
    (tmp_path / "sub").mkdir()
    content = files.gmsh41(points, elements)
    attributes = 'type="gmsh" file="%sa.msh"'
    for where, head in (("sub", '<compiler meshdir="sub"/>'), ("sub", '<compiler assetdir="sub"/>'),
                        (".", '<compiler strippath="true"/>')):
        (tmp_path / where / "a.msh").write_bytes(content)
        path = write(tmp_path, b"", attributes % ("x/" if "strip" in head else ""), name="other", head=head)
        check(path)
        (tmp_path / where / "a.msh").unlink()


P, T = files.random_mesh(np.random.default_rng(5), 3)
TEXT41, TEXT22, BINARY41, BINARY22 = (FORMATS[f](P, T) for f in ("text 4.1", "text 2.2", "binary 4.1", "binary 2.2"))
WRONG = {  # what differs, and what the message says
    "no text": (b"", "empty"),
    "no format": (b"hello", "must begin with $MeshFormat"),
    "comment": (b"$Comments\n$EndComments\n" + TEXT41, "must begin with $MeshFormat"),
    "version": (TEXT41.replace(b"4.1 0", b"4.0 0"), "formats 2.2 and 4.1"),
    "section": (TEXT41.replace(b"$EndNodes", b"$EndNode"), "$Nodes does not end"),
    "end": (TEXT41.replace(b"$EndElements", b""), "$Elements does not end"),
    "no elements": (TEXT41[:TEXT41.index(b"$Elements")], "no sections"),
    "more nodes": (TEXT22.replace(b"\n14\n", b"\n15\n", 1), "integer is missing"),
    "more elements": (TEXT22.replace(b"\n11\n", b"\n12\n", 1), "integer is missing"),
    "node 0": (files.gmsh22(P, [(-1, 2, 3, 4)]), "there is no node 0"),
    "node 15": (files.gmsh41(P, [(14, 2, 3, 4)]), "there is no node 15"),
    "quads": (TEXT41.replace(b"3 1 4 11", b"3 1 3 11"), "not of type 3"),
    "dimension": (TEXT41.replace(b"3 1 4 11", b"2 1 4 11"), "do not fill 2 dimensions"),
    "binary ends": (BINARY41[:300], "ends within"), "binary 2.2 ends": (BINARY22[:200], "ends within"),
    "nan": (TEXT41.replace(b"%.17g" % P[0][0], b"nan"), "not finite"),
}


@pytest.mark.parametrize("name", WRONG)
def test_refused(name, tmp_path):
    content, reason = WRONG[name]
    path = write(tmp_path, content, 'type="gmsh" file="a.msh"')
    with pytest.raises(ValueError):
        mujoco.MjModel.from_xml_path(path)
    with pytest.raises(Exception) as error:
        bridge.load_xml(live.library(), path)
    assert reason in str(error.value)


def loads(path):
    m = bridge.load_xml(live.library(), path)
    elem, pos = m.flex_elem.ravel().tolist(), m.body_pos.copy()
    live.library().mj_deleteModel(m.ptr)
    return elem, pos


def test_more_of_the_format_is_read_than_by_the_reference(tmp_path):
    """Nodes with tags in any order and in several blocks, lines of format 2.2, tags of any number."""
    attributes = 'type="gmsh" file="a.msh"'
    wanted = loads(write(tmp_path, TEXT41, attributes))
    turned = [(i + 5) % 14 for i in range(14)]  # node i stands at this place in the file
    places = np.argsort(turned)
    lines = TEXT22.split(b"\n")
    at = lines.index(b"14") + 1
    shuffled = b"\n".join(lines[:at] + [lines[at + i] for i in places] + lines[at + 14:])
    blocks = TEXT41.split(b"\n")
    tag = blocks.index(b"3 1 0 14") + 1
    split = b"\n".join([*blocks[:tag - 2], b"2 14 1 14", b"2 1 0 4", *blocks[tag:tag + 4], *blocks[tag + 14:tag + 18], b"3 1 0 10",
                        *blocks[tag + 4:tag + 14], *blocks[tag + 18:]])
    for content in (split, TEXT22, files.gmsh22(P, T, True, 4, (1, 2, 3)), files.gmsh22(P, T, True, 11, ()),
                    files.gmsh22(P, T, tags=(1, 2, 3, 4))):
        elem, pos = loads(write(tmp_path, content, attributes))
        assert elem == wanted[0]
        np.testing.assert_allclose(pos, wanted[1], atol=1e-12)
    elem, pos = loads(write(tmp_path, shuffled, attributes))
    assert sorted(map(tuple, pos.round(9))) == sorted(map(tuple, wanted[1].round(9)))
    elem, _ = loads(write(tmp_path, files.gmsh22(P, [(0, 1), (1, 2)]), attributes))
    assert elem == [0, 1, 1, 2]
