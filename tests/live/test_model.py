# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Memory and meaning of mjModel and mjData next to the reference's, on models that the reference compiled."""
import ctypes
import os
import random
import sys

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco")
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
sys.path.insert(0, os.path.dirname(__file__))
import bridge  # noqa: E402
import live  # noqa: E402
from packages import comes_back  # noqa: E402

LIBRARY = os.environ.get("SHEAF_LIBRARY")
pytestmark = pytest.mark.skipif(not LIBRARY, reason="SHEAF_LIBRARY names no library")
P = ctypes.POINTER(ctypes.c_double)

XML = """
<mujoco model="mixed">
  <size nuserdata="3"/>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body name="target" mocap="true" pos="1 2 3" quat="2 0 0 0"/>
    <body name="fixed" pos="4 0 0"><geom size=".1"/></body>
    <body name="free" pos="0 0 1"><freejoint/><geom size=".1"/>
      <body pos="0 0 1"><joint name="ball" type="ball"/><geom name="g" size=".1"/>
        <body pos="0 0 1"><joint name="hinge"/><joint name="slide" type="slide"/><geom size=".1"/></body>
      </body>
    </body>
    <body pos="2 0 0"><joint/><geom size=".1"/></body>
  </worldbody>
  <actuator><motor name="m" joint="hinge"/><intvelocity joint="slide" kp="1" actrange="-1 1"/></actuator>
  <equality><weld body1="free" active="false"/><weld body1="free"/></equality>
  <sensor><jointpos name="s" joint="hinge"/></sensor>
  <keyframe><key name="k" time="2" ctrl="1 2" qvel="1 2 3 4 5 6 7 8 9 10 11 12"/></keyframe>
</mujoco>
"""


def c(x):
    return x.ctypes.data_as(P)


@pytest.fixture(scope="module")
def lib():
    lib = bridge.load(LIBRARY)
    lib.mj_loadModel.restype = ctypes.c_void_p
    lib.mj_getTotalmass.restype = ctypes.c_double
    return lib


@pytest.fixture(scope="module")
def models(lib):
    rm = mujoco.MjModel.from_xml_string(XML)
    return rm, bridge.adopt(lib, rm)


def differing(a, b, struct, skip=()):
    """Names of fields that differ."""
    names = []
    for field in bridge.structs.STRUCTS[struct].fields:
        if field.name in skip:
            continue
        x, y = getattr(a, field.name), getattr(b, field.name)
        if isinstance(x, np.ndarray):
            same = x.shape == y.shape and np.array_equal(x, y, equal_nan=x.dtype.kind == "f")
        elif isinstance(x, (int, float)):
            same = x == y
        else:
            continue
        if not same:
            names.append(field.name)
    return names


ADDRESSES = ("buffer", "arena", "nbuffer", "nplugin")


def test_copy_of_a_model(models):
    rm, m = models
    assert differing(m, bridge._View("mjModel", rm._address), "mjModel", ADDRESSES) == []


def reference_data(rm, rd):
    return bridge._View("mjData", rd._address, bridge._View("mjModel", rm._address))


def test_new_and_reset_data(lib, models):
    rm, m = models
    d, rd = bridge.Data(lib, m), mujoco.MjData(rm)
    assert differing(d, reference_data(rm, rd), "mjData", ADDRESSES) == []
    for key in (0, -1, 1):
        lib.mj_resetDataKeyframe(m.ptr, d.ptr, key)
        # (the Python function refuses keys that are not there, the C function does not)
        if key == 0:
            mujoco.mj_resetDataKeyframe(rm, rd, key)
        else:
            mujoco.mj_resetData(rm, rd)
        assert differing(d, reference_data(rm, rd), "mjData", ADDRESSES) == []


def test_debug_reset(lib, models):
    rm, m = models
    d, rd = bridge.Data(lib, m), mujoco.MjData(rm)
    lib.mj_resetDataDebug(m.ptr, d.ptr, 7)
    mujoco.mj_resetDataDebug(rm, rd, 7)
    assert differing(d, reference_data(rm, rd), "mjData", ADDRESSES) == []


def test_states(lib, models):
    rm, m = models
    d, rd = bridge.Data(lib, m), mujoco.MjData(rm)
    rng = np.random.default_rng(0)
    for spec in [1 << i for i in range(13)] + [14, 4111, 4064, 8191, 0]:
        n = mujoco.mj_stateSize(rm, spec)
        assert lib.mj_stateSize(m.ptr, spec) == n
        state, got, want = rng.normal(size=n), np.zeros(n), np.zeros(n)
        lib.mj_setState(m.ptr, d.ptr, c(state), spec)
        lib.mj_getState(m.ptr, d.ptr, c(got), spec)
        mujoco.mj_setState(rm, rd, state, spec)
        mujoco.mj_getState(rm, rd, want, spec)
        np.testing.assert_array_equal(got, want)
        full, part = np.zeros(mujoco.mj_stateSize(rm, 8191)), np.zeros(n)
        mujoco.mj_getState(rm, rd, full, 8191)
        lib.mj_extractState(m.ptr, c(full), 8191, c(part), spec)
        np.testing.assert_array_equal(part, want)


def test_names(lib, models):
    rm, m = models
    for kind in range(26):
        for i in range(-1, 12):
            name = mujoco.mj_id2name(rm, kind, i)
            got = lib.mj_id2name(m.ptr, kind, i)
            assert (got.decode() if got else None) == name
            if name:
                assert lib.mj_name2id(m.ptr, kind, name.encode()) == mujoco.mj_name2id(rm, kind, name)


def test_positions(lib, models):
    rm, m = models
    rng = np.random.default_rng(1)
    for scale in (0, 1e-9, 1, 100):
        q, v = rm.qpos0 + 0.1 * rng.normal(size=rm.nq), scale * rng.normal(size=rm.nv)
        got, want = q.copy(), q.copy()
        lib.mj_integratePos(m.ptr, c(got), c(v), ctypes.c_double(0.3))
        mujoco.mj_integratePos(rm, want, v, 0.3)
        np.testing.assert_allclose(got, want, rtol=1e-14, atol=1e-15)
        dif, wantdif = np.zeros(rm.nv), np.zeros(rm.nv)
        lib.mj_differentiatePos(m.ptr, c(dif), ctypes.c_double(0.1), c(q), c(got))
        mujoco.mj_differentiatePos(rm, wantdif, 0.1, q, got)
        np.testing.assert_allclose(dif, wantdif, rtol=1e-13, atol=1e-13)
        lib.mj_normalizeQuat(m.ptr, c(q))
        mujoco.mj_normalizeQuat(rm, want)
        lib.mj_normalizeQuat(m.ptr, c(got))
        np.testing.assert_allclose(got, want, rtol=1e-14, atol=1e-15)


def test_total_mass(lib):
    rm = mujoco.MjModel.from_xml_string(XML)
    m = bridge.adopt(lib, rm)
    assert lib.mj_getTotalmass(m.ptr) == pytest.approx(mujoco.mj_getTotalmass(rm), rel=1e-15)
    lib.mj_setTotalmass(m.ptr, ctypes.c_double(7))
    mujoco.mj_setTotalmass(rm, 7)
    np.testing.assert_allclose(m.body_mass, rm.body_mass, rtol=1e-14)
    np.testing.assert_allclose(m.body_inertia, rm.body_inertia, rtol=1e-14)
    lib.mj_deleteModel(m.ptr)


def test_save_and_load(lib, models, tmp_path):
    _, m = models
    path = os.fsencode(tmp_path / "m.mjb")
    lib.mj_saveModel(m.ptr, path, None, 0)
    loaded = bridge.Model(lib.mj_loadModel(path, None))
    assert differing(loaded, m, "mjModel", ADDRESSES) == []
    lib.mj_deleteModel(loaded.ptr)


@pytest.mark.parametrize("name", live.model_files())
def test_every_model_at_hand_saves_and_loads(lib, name):
    """The models of packages do so in test_packages.py."""
    m = bridge.load_xml(lib, live.MODELS / name)
    assert comes_back(lib, m)
    lib.mj_deleteModel(m.ptr)


def scene(rng, midphase):
    """Bodies with overlapping geoms of all kinds, bits, pairs and excludes."""
    names, bodies, count = [], ["world"], [0]

    def geoms(n):
        text = ""
        for _ in range(n):
            kind, size = rng.choice([("sphere", "5"), ("capsule", "5 3"), ("box", "4 5 4"), ("sphere", "5")])
            pos = " ".join(f"{rng.uniform(-1, 1):g}" for _ in range(3))
            names.append(f"g{count[0]}")
            count[0] += 1
            text += (f'<geom name="{names[-1]}" type="{kind}" size="{size}" pos="{pos}" '
                     f'contype="{rng.choice([1, 1, 2, 0])}" conaffinity="{rng.choice([1, 1, 3, 0])}"/>')
        return text

    text = (f'<mujoco><option><flag midphase="{midphase}"/></option><worldbody>'
            '<geom type="plane" size="1 1 1"/>' + geoms(rng.randint(0, 3)))
    depth = 0
    for i in range(rng.randint(2, 7)):
        while depth and rng.random() < 0.4:
            text += "</body>"
            depth -= 1
        joint = rng.choice(["<joint/>", "", '<joint type="slide"/>'])
        bodies.append(f"b{i}")
        text += (f'<body name="b{i}">{joint}<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
                 + geoms(rng.randint(0, 4)))
        depth += 1
    text += "</body>" * depth + "</worldbody><contact>"
    pairs = {tuple(sorted(rng.sample(names, 2))) for _ in range(3)} if len(names) > 2 else ()
    text += "".join(f'<pair geom1="{a}" geom2="{b}"/>' for a, b in sorted(pairs))
    excludes = {tuple(sorted(rng.sample(bodies, 2))) for _ in range(2)}
    text += "".join(f'<exclude body1="{a}" body2="{b}"/>' for a, b in sorted(excludes))
    return text + "</contact></mujoco>"


class Pair(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int) for name in ("geom1", "geom2", "pair", "body1", "body2")]


class Plan(ctypes.Structure):
    """mjiPlan, of engine/model/plan.h, up to the pairs."""
    _fields_ = [("nbytes", ctypes.c_size_t), ("serial", ctypes.c_uint64),
                *[(name, ctypes.c_void_p) for name in ("adr", "num", "ind", "last", "depth", "tree_rowadr", "tree_col",
                                                       "tree_depadr", "tree_dep", "tree_quads", "edge_adr", "edge_col")],
                ("npair", ctypes.c_int), ("pair", ctypes.POINTER(Pair))]


def candidate_pairs(m):
    head = ctypes.cast(m._s.buffer - 64, ctypes.POINTER(ctypes.c_void_p))
    plan = ctypes.cast(head[1], ctypes.POINTER(Plan)).contents
    return [(plan.pair[i].geom1, plan.pair[i].geom2) for i in range(plan.npair)]


def contact_pairs(rm):
    rd = mujoco.MjData(rm)
    mujoco.mj_kinematics(rm, rd)
    mujoco.mj_comPos(rm, rd)
    mujoco.mj_collision(rm, rd)
    return [(contact.geom1, contact.geom2) for contact in rd.contact]


def unrepeated(items):
    return [x for i, x in enumerate(items) if not i or items[i - 1] != x]


@pytest.mark.parametrize("midphase", ["enable", "disable"])
def test_candidate_pairs_hold_all_contacts_in_order(lib, midphase):
    for seed in range(80):
        rm = mujoco.MjModel.from_xml_string(scene(random.Random(seed), midphase))
        m = bridge.adopt(lib, rm)
        contacts = unrepeated(contact_pairs(rm))
        met = set(contacts)
        assert unrepeated([p for p in candidate_pairs(m) if p in met]) == contacts
        lib.mj_deleteModel(m.ptr)
