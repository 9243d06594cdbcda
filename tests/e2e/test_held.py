# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""What users of the Python client hold: models from anything, elements by name, names of codes, texts worth reading."""
import ctypes
import os
import re
import subprocess
import sys

import numpy as np
import pytest
from conftest import ROOT
from rich_model import RICH

sheaf = pytest.importorskip("sheaf", reason="pip install ./clients/python")


TET = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
MESH = """<mujoco><compiler meshdir="parts"/><asset><mesh name="tet" file="tet.obj"/></asset>
  <worldbody><geom type="plane" size="3 3 .1"/><body pos="0 0 1"><freejoint/><geom type="mesh" mesh="tet"/></body></worldbody></mujoco>"""


# ---- names

def test_elements_are_found_by_name_and_by_id(rich):
    torso, hip, ankle = rich.body("torso"), rich.joint("hip"), rich.joint("ankle")
    assert (torso.id, torso.name, torso.parent, torso.dof) == (1, "torso", 0, slice(0, 6))
    assert (hip.id, hip.type, hip.qposadr, hip.dofadr, hip.qpos, hip.dof) == (1, "hinge", 7, 6, slice(7, 8), slice(6, 7))
    assert (ankle.type, ankle.qpos, ankle.dof, rich.body(ankle.parent).name) == ("ball", slice(8, 12), slice(7, 10), "foot")
    assert rich.joint(0).name == "root" and rich.joint(np.int64(0)).type == "free"
    assert (rich.geom("floor").id, rich.site("imu").parent, rich.key("low").id, rich.id("body", "target")) == (0, 1, 0, 4)
    assert (rich.actuator("drive").id, rich.actuator("drive").act, rich.actuator("slow").act) == (0, slice(0, 0), slice(0, 1))


def test_a_sensor_is_a_slice_of_sensordata(rich, session):
    m = session.load(RICH.replace(b"<accelerometer", b'<accelerometer name="feel"').replace(b"<framepos", b'<framepos name="foot"'))
    assert (m.sensor("feel"), m.sensor(1), m.sensor("foot")) == (slice(0, 3), slice(3, 4), slice(4, 7))
    r = m.rollout(m.state0, nstep=4)
    before = m.forward(qpos=m.qpos0, outputs=("xipos",))["xipos"]    # sensors show the state that a step begins with
    assert r.sensordata[:, :1, m.sensor("foot")].shape == (1, 1, 3)
    assert np.array_equal(r.sensordata[:, 0, m.sensor("foot")], before[:, m.body("foot").id])


@pytest.mark.parametrize("kind, wrong, words", [
    ("joint", "hipp", "'hip'"), ("body", "Torso", "'torso'"), ("joint", "xyzzy", "'root', 'hip', 'ankle'"), ("sensor", "gyro", "none with a name"),
    ("joint", 3, "0 to 2"), ("joint", -1, "0 to 2"), ("joint", 1.5, "str or int"), ("joint", True, "str or int"), ("joint", "", "'root'"),
    ("tendon", 0, "there are none")])
def test_wrong_names_say_what_they_may_have_been(rich, kind, wrong, words):
    with pytest.raises(sheaf.InvalidArgument) as e:
        getattr(rich, kind)(wrong)
    assert words in str(e.value) and e.value.field == kind


def test_what_a_model_has_is_listed(rich):
    assert {"nq", "nstate", "qpos0", "key_ctrl", "rollout", "joint", "submit", "timestep"} <= set(dir(rich))
    with pytest.raises(AttributeError, match="no 'ctrl_range'.*'ctrlrange'"):
        rich.ctrl_range
    with pytest.raises(sheaf.InvalidArgument, match="'joint'"):
        rich.names("joints")
    for name in dir(rich):
        getattr(rich, name)


def test_texts_say_what_is_held(rich, session):
    text = repr(rich)
    assert "'rich'" in text and "nq 12" in text and "nu 2" in text and "0.005 s" in text and rich.hash[:12] in text
    assert ("threads in this process" if session._backend.ping() == 0 else "tcp://127.0.0.1") in repr(session)
    x = np.repeat(rich.state0[None], 3, 0)
    x[1, 2] = np.nan
    r = rich.rollout(x, nstep=4, outputs=("qacc",))
    assert repr(r) == ("<sheaf.RolloutResult state (3, 4, 24), sensordata (3, 4, 7), qacc (3, 4, 10); "
                       "rows: 1 of 3 not valid (the first: 1, BADQPOS in step 0)>")
    assert "all valid" in repr(rich.rollout(rich.state0, nstep=1))


def test_names_of_codes_are_those_of_the_sources():
    with open(os.path.join(ROOT, "proto", "sheaf.proto")) as f:
        proto = {n: int(v) for n, v in re.findall(r"^  CODE_(\w+) = (\d+);", f.read(), re.M)}
    assert proto == {c.name: c.value for c in sheaf.Code}
    include = os.path.join(ROOT, "engine", "include")
    with open(os.path.join(include, "sheaf", "batch.h")) as f, open(os.path.join(include, "mujoco", "mjdata.h")) as g:
        rows, warnings = re.findall(r"SHEAF_ROW_(\w+) = ([^,]+),", f.read()), dict(re.findall(r"(mjWARN_\w+) += (\d+),", g.read()))
    value = lambda text: sum(int(warnings.get(part.strip(), part)) for part in text.split("+"))
    assert {n: value(v) for n, v in rows} == {r.name: r.value for r in sheaf.Row}
    for error in sheaf.Error.__subclasses__():
        assert sheaf.Code(error.code).name == re.sub(r"(?<!^)(?=[A-Z])", "_", error.__name__).upper()


# ---- models

def test_text_bytes_and_compiled_bytes_are_one_model(session, local, tmp_path):
    text = session.load(RICH.decode())
    assert text.hash == session.load(RICH).hash and session.load("\n  " + RICH.decode()).nq == 12
    lib = local._backend._lib
    pointer = local._backend._models[bytes.fromhex(local.load(RICH).hash)].pointer
    lib.mj_saveModel.restype, path = None, tmp_path / "rich.MJB"
    lib.mj_saveModel.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_int]
    lib.mj_saveModel(pointer, str(path).encode(), None, 0)
    u = np.random.default_rng(3).uniform(-1, 1, (5, 40, 2))
    want = text.rollout(text.state0, u).state
    for given in (path, str(path), path.read_bytes(), {"any.name": path.read_bytes()}):
        m = session.load(given)
        assert m.names("joint") == text.names("joint") and m.state0.tobytes() == text.state0.tobytes()
        assert m.rollout(m.state0, u).state.tobytes() == want.tobytes()


def test_damaged_models_are_refused_with_a_reason(session, local, tmp_path):
    path = tmp_path / "m.mjb"
    path.write_bytes((54321).to_bytes(4, "little") + bytes(100))
    with pytest.raises(sheaf.FailedPrecondition, match="m.mjb: the compiled model is wrong: not of doubles"):
        session.load(path)
    with pytest.raises(sheaf.FailedPrecondition, match="compiled model is wrong: not complete"):
        session.load(_head(8, 84, 2, 437))
    with pytest.raises(sheaf.FailedPrecondition, match="compiled model is wrong: too short"):
        session.load(b"SHEAFMDL" + bytes(20))
    with pytest.raises(sheaf.FailedPrecondition, match="not of release 3.4.0"):
        session.load(_head(8, 83, 2, 437))
    with pytest.raises(sheaf.FailedPrecondition, match="does not fit its content"):
        session.load(_head(8, 84, 2, 437) + b"\x7f" * 3000)


def _head(*numbers):
    return b"".join(n.to_bytes(4, "little") for n in (54321, *numbers))


def test_what_cannot_be_loaded_is_named(session):
    for wrong in (3, None, [1]):
        with pytest.raises(sheaf.InvalidArgument, match="MjSpec"):
            session.load(wrong)


def test_loading_imports_no_mujoco():
    code = ("import sys, sheaf\nwith sheaf.connect(threads=1) as s:\n  s.load('<mujoco/>')\n"
            "assert not any(n.partition('.')[0] in ('mujoco', 'gymnasium') for n in sys.modules)")
    subprocess.run([sys.executable, "-c", code], check=True)


def test_objects_of_mujoco(session, tmp_path):
    mujoco = pytest.importorskip("mujoco")
    if not mujoco.__version__.startswith("3.4."):
        pytest.skip("another release")
    u = np.random.default_rng(3).uniform(-1, 1, (3, 40, 2))
    theirs = mujoco.MjModel.from_xml_string(RICH.decode())
    theirs.opt.timestep, theirs.body_mass[1] = 0.003, 4.5
    m = session.load(theirs)
    assert m.timestep == 0.003 and m.body_mass[1] == 4.5
    text = session.load(RICH)
    assert m.rollout(m.state0, u).state.tobytes() != text.rollout(text.state0, u).state.tobytes()
    theirs.opt.timestep, theirs.body_mass[1] = 0.005, text.body_mass[1]
    m = session.load(theirs)
    assert np.allclose(m.rollout(m.state0, u).state, text.rollout(text.state0, u).state, atol=1e-9)

    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "tet.obj").write_text(TET)
    (tmp_path / "m.xml").write_text(MESH)
    want = session.load(tmp_path / "m.xml")
    specs = [mujoco.MjSpec.from_file(str(tmp_path / "m.xml")), mujoco.MjSpec.from_string(MESH, assets={"parts/tet.obj": TET.encode()})]
    for spec in specs:
        m = session.load(spec)
        assert np.allclose(m.rollout(m.state0, nstep=200).state, want.rollout(want.state0, nstep=200).state, atol=1e-7)
        spec.worldbody.add_body(name="more").add_geom(size=[0.1, 0.1, 0.1])
        assert session.load(spec).body("more").id == 2
        spec.delete(spec.body("more"))
    broken = mujoco.MjSpec()
    broken.worldbody.add_body().add_geom(size=[-1, 0, 0])
    with pytest.raises(sheaf.FailedPrecondition, match="size"):
        session.load(broken)
