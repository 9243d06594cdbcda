# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""The Python client: models of one file, of several, of robots with meshes, and those that are none."""
import pytest

sheaf = pytest.importorskip("sheaf", reason="pip install ./clients/python")


def test_models_that_do_not_compile(session, tmp_path):
    with pytest.raises(sheaf.FailedPrecondition, match="gem") as failure:
        session.load(b"<mujoco>\n<worldbody>\n<gem/>\n</worldbody></mujoco>")
    assert "3" in str(failure.value)
    with pytest.raises(sheaf.InvalidArgument, match="cannot read"):
        session.load(tmp_path / "missing.xml")
    with pytest.raises(sheaf.InvalidArgument, match="at least one file"):
        session.load({})
    with pytest.raises(sheaf.InvalidArgument, match="stay inside"):
        session.load({"../m.xml": "<mujoco/>"})
    with pytest.raises(sheaf.InvalidArgument, match="int"):
        session.load(3)


def test_models_of_several_files(session, tmp_path):
    obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    files = {
        "robot/main.xml": '<mujoco><compiler meshdir="../assets"/><include file="parts/body.xml"/>'
                          '<asset><mesh name="tet" file="tet.obj"/></asset></mujoco>',
        "robot/parts/body.xml": '<mujoco><worldbody><body name="b"><freejoint/><geom type="mesh" mesh="tet"/></body>'
                                '</worldbody></mujoco>',
        "assets/tet.obj": obj}
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    a = session.load(tmp_path / "robot" / "main.xml")
    b = session.load(str(tmp_path / "robot" / "main.xml"))
    c = session.load(files)
    assert a.hash == b.hash == c.hash and a.names("body") == ["world", "b"]
    assert abs(a.body_mass[1] - 1000 / 6) < 1e-9
    (tmp_path / "assets" / "tet.obj").unlink()
    with pytest.raises(sheaf.FailedPrecondition, match="tet"):
        session.load(tmp_path / "robot" / "main.xml")


def test_files_are_found_as_the_compiler_finds_them(session, scattered):
    m = session.load(scattered)
    assert m.nbody == 2 and abs(m.body_mass[1] - 3 * 1000 / 6) < 1e-9


def test_included_files_lead_out_of_their_folders(session, climbing):
    for path in (climbing, str(climbing)):
        m = session.load(path)
        assert m.names("body") == ["world", "tool"] and abs(m.body_mass[1] - 2 * 1000 / 6) < 1e-9


def test_robots_come_with_the_meshes_that_are_there(session, tmp_path):
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "tet.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    (tmp_path / "arm.urdf").write_text(
        '<robot><mujoco><compiler meshdir="assets"/></mujoco><link name="base"/><link name="rod"><visual><geometry>'
        '<mesh filename="package://arm/looks.dae"/></geometry></visual><collision><geometry><mesh filename="package://arm/tet.obj"/>'
        '</geometry></collision></link><joint name="j" type="revolute"><parent link="base"/><child link="rod"/></joint></robot>')
    m = session.load(tmp_path / "arm.urdf")
    assert m.names("body") == ["world", "rod"] and abs(m.body_mass[1] - 1000 / 6) < 1e-9
