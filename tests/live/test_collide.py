# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Contacts, rays and distances next to the reference's, on the same positions.

SHEAF_LIBRARY names the library; see sampling.py for the models.
"""
import ctypes
import itertools
import os
import pathlib

import pytest

mujoco = pytest.importorskip("mujoco")
np = pytest.importorskip("numpy")
import sampling  # noqa: E402
import bridge  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARY = os.environ.get("SHEAF_LIBRARY", str(ROOT / "build" / "release" / "engine" / "libsheaf.so"))
if not os.path.exists(LIBRARY):
    pytest.skip("no library: set SHEAF_LIBRARY", allow_module_level=True)

GEOMETRY = ("dist", "pos", "frame")
PARAMETERS = ("includemargin", "friction", "solref", "solreffriction", "solimp", "dim", "geom1", "geom2", "geom", "flex",
              "elem", "vert", "exclude", "efc_address")
MESHES = """
  <mesh name="tetra" vertex="0 0 0 .4 0 0 0 .3 0 0 0 .3"/>
  <mesh name="brick" vertex="-.1 -.2 -.1 .1 -.2 -.1 -.1 .2 -.1 .1 .2 -.1 -.1 -.2 .1 .1 -.2 .1 -.1 .2 .1 .1 .2 .1"/>
  <mesh name="stone" vertex="%s"/>
  <hfield name="hills" nrow="5" ncol="6" size=".6 .5 .3 .2" elevation="%s"/>
"""


@pytest.fixture(scope="module")
def lib():
    lib = bridge.load(LIBRARY)
    for name in ("mj_ray", "mju_rayGeom", "mj_rayMesh", "mj_rayHfield", "mj_geomDistance"):
        getattr(lib, name).restype = ctypes.c_double
    return lib


def meshes():
    rng = np.random.default_rng(1)
    v = rng.normal(size=(40, 3))
    v *= np.array([.3, .2, .25]) / np.linalg.norm(v, axis=1)[:, None]
    text = lambda a: " ".join("%.9g" % x for x in np.ravel(a))
    return MESHES % (text(v), text(rng.uniform(size=30)))


def pointer(a):
    return None if a is None else a.ctypes.data_as(ctypes.c_void_p)


class Pair:
    """One model and data on both sides."""

    def __init__(self, lib, rm):
        self.lib, self.rm, self.rd = lib, rm, mujoco.MjData(rm)
        self.m = bridge.adopt(lib, rm)
        self.d = bridge.Data(lib, self.m)

    def close(self):
        self.lib.mj_deleteData(self.d.ptr)
        self.lib.mj_deleteModel(self.m.ptr)

    def place(self):
        """Positions of geoms from the reference."""
        mujoco.mj_kinematics(self.rm, self.rd)
        self.d.geom_xpos[:] = self.rd.geom_xpos
        self.d.geom_xmat[:] = self.rd.geom_xmat

    def collide(self):
        """Contacts of both sides."""
        self.place()
        mujoco.mj_collision(self.rm, self.rd)
        self.lib.mj_collision(self.m.ptr, self.d.ptr)
        n = self.d.ncon
        if not n:
            return [], list(self.rd.contact)
        array = ctypes.cast(self.d._s.contact, ctypes.POINTER(bridge.struct("mjContact") * n)).contents
        return list(array), list(self.rd.contact)


def difference(a, b, fields):
    return max(np.abs(np.asarray(getattr(a, f), float) - np.asarray(getattr(b, f), float)).max() for f in fields)


def boxes_apart(pair, geoms):
    """Whether two geoms are boxes that do not overlap: `test_boxes` says what contacts these have."""
    if any(g < 0 or pair.rm.geom_type[g] != mujoco.mjtGeom.mjGEOM_BOX for g in geoms):
        return False
    return pair.lib.mj_geomDistance(pair.m.ptr, pair.d.ptr, *(int(g) for g in geoms), ctypes.c_double(9), None) > 0


def compare(pair, tol=1e-9):
    """Check all contacts of a state, except those of boxes that are apart; return how many there are."""
    ours, theirs = ([c for c in side if not boxes_apart(pair, c.geom)] for side in pair.collide())
    assert len(ours) == len(theirs)
    for a, b in zip(ours, theirs):
        assert difference(a, b, PARAMETERS) <= 1e-12
        assert difference(a, b, GEOMETRY) <= tol, tuple(b.geom)
    return len(theirs)


def rotation(rng):
    q = rng.normal(size=4)
    return q / np.linalg.norm(q)


SIZES = {"plane": 0, "sphere": 1, "capsule": 2, "ellipsoid": 3, "cylinder": 2, "box": 3}


def geom(kind, rng):
    if kind == "plane":
        return 'type="plane" size="1 1 1"'
    if kind == "hills":
        return 'type="hfield" hfield="hills"'
    if kind not in SIZES:
        return f'type="mesh" mesh="{kind}"'
    size = " ".join("%.17g" % x for x in rng.uniform(.05, .4, SIZES[kind]))
    return f'type="{kind}" size="{size}"'


def two_geoms(lib, kinds, rng, margin, option=""):
    a, b = (geom(k, rng) for k in kinds)
    xml = f"""<mujoco>{option}<asset>{meshes()}</asset><worldbody>
      <body mocap="true"><geom {a} margin="{margin}"/></body>
      <body><freejoint/><geom {b} margin="{margin}" mass="1"/></body></worldbody></mujoco>"""
    return Pair(lib, mujoco.MjModel.from_xml_string(xml))


def scatter(pair, rng, kind):
    """Two poses: unrelated, both aligned with the world, aligned with each other, or nearly so."""
    rd = pair.rd
    rd.mocap_pos[0] = rng.uniform(-.2, .2, 3)
    rd.qpos[:3] = rd.mocap_pos[0] + rng.uniform(-.5, .5, 3)
    rd.mocap_quat[0] = (1, 0, 0, 0) if kind == 1 else rotation(rng)
    rd.qpos[3:] = rd.mocap_quat[0] if kind else rotation(rng)
    if kind == 3:
        rd.qpos[3:] += 1e-3 * rng.normal(size=4)
        rd.qpos[3:] /= np.linalg.norm(rd.qpos[3:])


EXACT = ["plane-" + k for k in ("sphere", "capsule", "ellipsoid", "cylinder", "box", "tetra", "brick", "stone")]
EXACT += ["sphere-sphere", "sphere-capsule", "sphere-cylinder", "sphere-box", "capsule-capsule", "capsule-box",
          "hills-sphere", "hills-capsule", "hills-ellipsoid", "hills-brick", "hills-tetra"]


@pytest.mark.parametrize("kinds", EXACT)
def test_pairs_with_one_answer(lib, kinds):
    rng = np.random.default_rng(3)
    count = 0
    for margin, _ in itertools.product((0, .05, .3), range(4)):
        pair = two_geoms(lib, kinds.split("-"), rng, margin)
        for i in range(40):
            scatter(pair, rng, i % 4)
            count += compare(pair)
        pair.close()
    assert count > 100


def axes_of(pair, contact):
    """Axes of two boxes, as rows, and how far each is along the normal of a contact."""
    axes = [pair.rd.geom_xmat[g].reshape(3, 3).T for g in range(2)]
    return axes, [np.abs(a @ np.array(contact.frame[:3])) for a in axes]


def on_face(pair, contact):
    return max(along.max() for along in axes_of(pair, contact)[1]) > 1 - 1e-12


def on_edges(pair, contact):
    """Whether a contact's normal is the cross product of two edges that are not parallel."""
    axes, along = axes_of(pair, contact)
    edges = [a[along.argmin()] for a, along in zip(axes, along)]
    return max(a.min() for a in along) < 1e-9 and abs(edges[0] @ edges[1]) < 1 - 1e-6


def test_boxes(lib):
    """Boxes that overlap have the reference's contacts. Boxes that are apart have one at their distance. Where a face or two
    edges are nearest, and the reference agrees, they have its other contacts, too, except for corners beside a face."""
    rng = np.random.default_rng(3)
    overlap, known, other = 0, [0, 0], [0, 0]  # on faces, on edges
    for margin, _ in itertools.product((0, .05, .3), range(8)):
        pair = two_geoms(lib, ("box", "box"), rng, margin)
        for i in range(40):
            scatter(pair, rng, i % 4)
            overlap += compare(pair)
            ours, theirs = pair.collide()
            gap = lib.mj_geomDistance(pair.m.ptr, pair.d.ptr, 0, 1, ctypes.c_double(9), None)
            if gap <= 0:
                continue
            if abs(gap - margin) > 1e-6:
                assert (gap < margin) == (len(ours) > 0)
            if ours:
                assert abs(min(c.dist for c in ours) - gap) <= 1e-6
            if not ours or not theirs or abs(min(c.dist for c in theirs) - gap) > 1e-9:
                continue
            edge = int(not on_face(pair, ours[0]))
            if edge and not on_edges(pair, ours[0]):
                continue
            for b in theirs:
                same = any(difference(a, b, GEOMETRY) <= 1e-9 for a in ours)
                known[edge], other[edge] = known[edge] + same, other[edge] + (not same)
        pair.close()
    assert overlap > 300 and known[0] > 300 and known[1] > 100 and sum(other) < 5, (overlap, known, other)


SMOOTH = ["ellipsoid", "cylinder", "stone", "brick"]
ITERATIVE = ["sphere-ellipsoid", "capsule-ellipsoid", "capsule-cylinder", "box-stone", "cylinder-box", "ellipsoid-box"]
ITERATIVE += ["-".join(p) for p in itertools.combinations_with_replacement(SMOOTH, 2)]


@pytest.mark.parametrize("kinds", ITERATIVE)
def test_pairs_with_an_iterative_answer(lib, kinds):
    """EPA stops within ccd_tolerance: depths agree to that, nearly all contacts to 1e-7.

    The others meet a tie on the way (coplanar support points) that rounding decides.
    """
    rng = np.random.default_rng(4)
    total = equal = 0
    for margin, _ in itertools.product((0, .05, .3), range(4)):
        pair = two_geoms(lib, kinds.split("-"), rng, margin)
        for i in range(30):
            scatter(pair, rng, 0 if i % 2 else 3)
            ours, theirs = pair.collide()
            assert len(ours) == len(theirs)
            for a, b in zip(ours, theirs):
                assert abs(a.dist - b.dist) <= 2e-6
                total += 1
                equal += difference(a, b, GEOMETRY) <= 1e-7
        pair.close()
    assert total > 50 and equal >= 0.95 * total, (equal, total)


def test_mpr_when_native_ccd_is_off(lib):
    rng = np.random.default_rng(5)
    total = equal = 0
    for kinds in ("capsule-cylinder", "cylinder-box", "stone-stone", "ellipsoid-box"):
        pair = two_geoms(lib, kinds.split("-"), rng, .05, '<option><flag nativeccd="disable"/></option>')
        for i in range(100):
            scatter(pair, rng, 0)
            ours, theirs = pair.collide()
            assert len(ours) == len(theirs)
            for a, b in zip(ours, theirs):
                total += 1
                equal += difference(a, b, ("dist", "pos")) <= 1e-7 and difference(a, b, ("frame",)) <= 1e-4
        pair.close()
    assert total > 100 and equal >= 0.95 * total, (equal, total)


MULTICCD = '<option><flag multiccd="enable"/></option>'


@pytest.mark.parametrize("kinds", ["brick-brick", "box-brick"])
def test_multiccd_of_flat_faces(lib, kinds):
    """Aligned polytopes: the same corners of the common patch, whatever their order."""
    rng = np.random.default_rng(16)
    found = 0
    for _ in range(3):
        pair = two_geoms(lib, kinds.split("-"), rng, 0, MULTICCD)
        for i in range(60):
            scatter(pair, rng, 1 + i % 2)
            ours, theirs = pair.collide()
            assert len(ours) == len(theirs)
            for a in ours:
                nearest = min(np.abs(np.array(a.pos) - b.pos).max() for b in theirs)
                assert nearest <= 1e-7 and abs(a.dist - theirs[0].dist) <= 1e-9
            found += len(ours) == 4
        pair.close()
    assert found > 20


def test_multiccd_by_tilting(lib):
    rng = np.random.default_rng(17)
    total = equal = 0
    for kinds, margin in itertools.product(("cylinder-box", "capsule-cylinder", "cylinder-brick"), (0, .1)):
        pair = two_geoms(lib, kinds.split("-"), rng, margin, MULTICCD)
        for i in range(60):
            scatter(pair, rng, i % 4)
            ours, theirs = pair.collide()
            total += 1
            equal += len(ours) == len(theirs) and all(difference(a, b, GEOMETRY) <= 1e-6 for a, b in zip(ours, theirs))
        pair.close()
    assert equal >= 0.9 * total, (equal, total)


@pytest.mark.parametrize("path", sampling.files(), ids=os.path.basename)
def test_models(lib, path):
    pair = Pair(lib, mujoco.MjModel.from_xml_path(path))
    rng = np.random.default_rng(6)
    for k in range(8):
        sampling.randomize(pair.rm, pair.rd, rng)
        compare(pair)
        mujoco.mj_resetData(pair.rm, pair.rd)
        pair.rd.ctrl[:] = rng.normal(size=pair.rm.nu)
        mujoco.mj_step(pair.rm, pair.rd, nstep=30 * k)
        compare(pair)
    pair.close()


SCENE = """
<mujoco>
  <option %s><flag %s/></option>
  <default><geom solref=".03 .9"/></default>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 1" friction=".7 .01 .002" solmix="2" condim="6"/>
    <geom name="wall" type="box" size=".1 1 1" pos="-.6 0 0" solref="-100 -10" gap=".01" margin=".03"/>
    <body name="static" pos=".5 0 0"><geom type="capsule" size=".1 .4"/></body>
    <body name="a"><freejoint/>
      <geom name="a1" size=".2" friction=".3 .1 .1" margin=".1" gap=".05" solimp=".8 .9 .02 .4 3"/>
      <geom name="a2" size=".1" pos="0 0 .3" priority="1" condim="4" solref=".05 1.2" friction="0 0 0"/>
      <body name="b" pos=".1 .2 .1"><joint type="ball"/>
        <geom name="b1" type="capsule" size=".1 .2" solmix="0"/>
        <body name="c" pos=".2 0 0"><geom name="c1" size=".15" solmix=".5" margin=".02"/>
          <body name="d" pos="0 .1 .2"><joint axis="0 1 0"/><geom name="d1" type="box" size=".1 .1 .2"/></body>
        </body>
      </body>
    </body>
    <body name="e" pos=".3 0 .2"><freejoint/>
      <geom name="e1" type="box" size=".1 .2 .1" solmix="0"/>
      <geom name="e2" size=".2" pos="0 .3 0" contype="2" conaffinity="4"/>
    </body>
    <body name="f" pos="0 .3 .1"><freejoint/>
      <geom name="f1" type="cylinder" size=".1 .2" contype="4" conaffinity="0"/>
      <geom name="f2" size=".15" contype="0" conaffinity="0"/>
    </body>
  </worldbody>
  <contact>
    <pair geom1="b1" geom2="a1" condim="1" margin=".3" gap=".1" solref=".01 2" friction="1 2 3 4 5"/>
    <pair geom1="floor" geom2="f2" condim="3" solreffriction=".04 1" solimp=".5 .6 .01"/>
    <pair geom1="e1" geom2="a1"/>
    <pair geom1="f2" geom2="a2"/>
    <exclude body1="a" body2="f"/>
    <exclude body1="d" body2="a"/>
  </contact>
</mujoco>
"""
OPTIONS = {"plain": ("", ""), "no parent filter": ("", 'filterparent="disable"'), "no contacts": ("", 'contact="disable"'),
           "no constraints": ("", 'constraint="disable"'), "no midphase": ("", 'midphase="disable"'),
           "override": ('o_margin=".2" o_solref=".1 .3" o_solimp=".1 .2 .3 .4 2" o_friction="1 2 3 4 5"',
                        'override="enable"')}


def shuffle(pair, rng):
    for i in range(0, pair.rm.nq - 7, 1):
        pair.rd.qpos[i] = rng.normal()
    mujoco.mj_resetData(pair.rm, pair.rd)
    mujoco.mj_integratePos(pair.rm, pair.rd.qpos, rng.normal(size=pair.rm.nv) * .3, 1)


@pytest.mark.parametrize("name", OPTIONS)
def test_parameters_filters_and_predefined_pairs(lib, name):
    pair = Pair(lib, mujoco.MjModel.from_xml_string(SCENE % OPTIONS[name]))
    rng = np.random.default_rng(7)
    count = 0
    for _ in range(60):
        shuffle(pair, rng)
        count += compare(pair)
    assert count > 100 or "no con" in name
    pair.close()


def test_changed_filters_are_seen(lib):
    """Contact bits and parameters belong to the user, also after the pair list was made.

    Bits stay off where they were off and margins only shrink: bodies and bounding volumes keep what was compiled.
    """
    pair = Pair(lib, mujoco.MjModel.from_xml_string(SCENE % OPTIONS["plain"]))
    rng = np.random.default_rng(8)
    contype, conaffinity, margin = (getattr(pair.rm, "geom_" + n).copy() for n in ("contype", "conaffinity", "margin"))
    for _ in range(60):
        bits = rng.integers(0, 8, size=(2, pair.rm.ngeom))
        for m in (pair.rm, pair.m):
            m.geom_contype[:], m.geom_conaffinity[:] = bits[0] & contype, bits[1] & conaffinity
            m.geom_margin[:] = margin * bits[0] / 8
        disable = mujoco.mjtDisableBit.mjDSBL_FILTERPARENT if bits[0, 0] & 1 else 0
        pair.rm.opt.disableflags = pair.m.opt.disableflags = int(disable)
        shuffle(pair, rng)
        compare(pair)
    pair.close()


def test_many_bodies_take_the_broad_phase(lib):
    rng = np.random.default_rng(9)
    bodies = "".join(f'<body><freejoint/><geom type="{k}" size=".1 .15 .1"/></body>'
                     for k in ("sphere", "capsule", "box") * 60)
    xml = f'<mujoco><size memory="20M"/><worldbody><geom type="plane" size="3 3 1"/>{bodies}</worldbody></mujoco>'
    pair = Pair(lib, mujoco.MjModel.from_xml_string(xml))
    for _ in range(3):
        for b in range(180):
            pair.rd.qpos[7 * b:7 * b + 3] = rng.uniform(-1, 1, 3)
            pair.rd.qpos[7 * b + 3:7 * b + 7] = rotation(rng)
        assert compare(pair) > 50
    pair.close()


def test_contact_filter_callback(lib):
    pair = Pair(lib, mujoco.MjModel.from_xml_string(SCENE % OPTIONS["plain"]))
    rng = np.random.default_rng(10)
    rule = lambda g1, g2: int((g1 * 7 + g2 * 7) % 3 == 0)
    kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_int)
    callback = kind(lambda m, d, g1, g2: rule(g1, g2))
    slot = ctypes.c_void_p.in_dll(lib, "mjcb_contactfilter")
    try:
        slot.value = ctypes.cast(callback, ctypes.c_void_p).value
        mujoco.set_mjcb_contactfilter(lambda m, d, g1, g2: rule(g1, g2))
        for _ in range(30):
            shuffle(pair, rng)
            compare(pair)
    finally:
        slot.value = None
        mujoco.set_mjcb_contactfilter(None)
    pair.close()


def test_replaced_pair_function(lib):
    """An entry of the public table, taken from another cell, is used from then on."""
    pair = two_geoms(lib, ("box", "box"), np.random.default_rng(11), 0)
    rng = np.random.default_rng(12)
    n = mujoco.mjtGeom.mjGEOM_SDF + 1
    table = ((ctypes.c_void_p * n) * n).in_dll(lib, "mjCOLLISIONFUNC")
    box, mesh = int(mujoco.mjtGeom.mjGEOM_BOX), int(mujoco.mjtGeom.mjGEOM_MESH)
    saved = table[box][box]
    try:
        table[box][box] = table[mesh][mesh]
        found = 0
        for _ in range(40):
            scatter(pair, rng, 0)
            ours, theirs = pair.collide()
            assert len(ours) == (1 if theirs else 0)
            if theirs:
                found += 1
                assert abs(ours[0].dist - min(c.dist for c in theirs)) < 1e-1
        assert found > 5
    finally:
        table[box][box] = saved
    pair.close()


def test_full_arena_is_a_warning(lib):
    """Contacts that do not fit are dropped and counted."""
    bodies = "".join(f'<body pos="0 0 {.01 * i}"><freejoint/><geom size=".3"/></body>' for i in range(60))
    xml = f'<mujoco><size memory="300K"/><worldbody>{bodies}</worldbody></mujoco>'
    pair = Pair(lib, mujoco.MjModel.from_xml_string(xml))
    pair.place()
    quiet = ctypes.CFUNCTYPE(None, ctypes.c_char_p)(lambda text: None)
    handler = ctypes.c_void_p.in_dll(lib, "mju_user_warning")
    handler.value = ctypes.cast(quiet, ctypes.c_void_p).value
    try:
        lib.mj_collision(pair.m.ptr, pair.d.ptr)
    finally:
        handler.value = None
    full = int(mujoco.mjtWarning.mjWARN_CONTACTFULL)
    assert 0 < pair.d.ncon < 60 * 59 // 2 and pair.d._s.warning[full].number >= 1
    pair.close()


RAYS = """
<mujoco>
  <asset>%s<material name="clear" rgba="1 1 1 0"/><material name="solid" rgba="1 1 1 1"/></asset>
  <worldbody>
    <geom type="plane" size="2 0 1" pos="0 0 -1"/>
    <geom type="hfield" hfield="hills" pos="1 0 0" euler="10 20 30"/>
    <body><freejoint/><geom type="sphere" size=".2"/></body>
    <body><freejoint/><geom type="capsule" size=".1 .3" group="2"/></body>
    <body><freejoint/><geom type="ellipsoid" size=".1 .3 .2" rgba="1 1 1 0"/></body>
    <body><freejoint/><geom type="cylinder" size=".2 .3" material="clear" rgba="1 1 1 1"/></body>
    <body><freejoint/><geom type="box" size=".1 .3 .2" material="solid" rgba="1 0 0 0"/></body>
    <body><freejoint/><geom type="mesh" mesh="brick" material="clear"/></body>
    <body><freejoint/><geom type="mesh" mesh="stone"/></body>
    <body><freejoint/><geom type="cylinder" size=".2 .3"/></body>
    <body><freejoint/><geom type="ellipsoid" size=".2 .3 .4"/></body>
  </worldbody>
</mujoco>
"""


def scene_for_rays(lib, rng, spread):
    pair = Pair(lib, mujoco.MjModel.from_xml_string(RAYS % meshes()))
    for _ in range(15):
        for b in range(9):
            pair.rd.qpos[7 * b:7 * b + 3] = rng.uniform(-spread, spread, 3)
            pair.rd.qpos[7 * b + 3:7 * b + 7] = rotation(rng)
        pair.place()
        yield pair
    pair.close()


def test_rays(lib):
    rng = np.random.default_rng(13)
    hits = set()
    for pair in scene_for_rays(lib, rng, 1):
        rm, rd, m, d = pair.rm, pair.rd, pair.m.ptr, pair.d.ptr
        for j in range(80):
            p, v = rng.uniform(-1.5, 1.5, 3), rng.normal(size=3)
            if j % 5 == 0:
                v = np.eye(3)[j // 5 % 3] * rng.choice([-1., 1.])
            group = rng.integers(0, 2, 6).astype(np.uint8) if j % 3 == 0 else None
            static, exclude = int(rng.integers(2)), int(rng.integers(-1, 9))
            want_id, got_id = np.zeros(1, np.int32), ctypes.c_int()
            want = mujoco.mj_ray(rm, rd, p, v, group, static, exclude, want_id)
            got = lib.mj_ray(m, d, pointer(p), pointer(v), pointer(group), ctypes.c_ubyte(static), exclude,
                             ctypes.byref(got_id))
            assert abs(got - want) <= 1e-9 and got_id.value == want_id[0]
            for g in range(rm.ngeom):
                kind = mujoco.mjtGeom(rm.geom_type[g])
                if kind == mujoco.mjtGeom.mjGEOM_MESH:
                    want = mujoco.mj_rayMesh(rm, rd, g, p, v)
                    got = lib.mj_rayMesh(m, d, g, pointer(p), pointer(v))
                elif kind == mujoco.mjtGeom.mjGEOM_HFIELD:
                    want = mujoco.mj_rayHfield(rm, rd, g, p, v)
                    got = lib.mj_rayHfield(m, d, g, pointer(p), pointer(v))
                else:
                    args = rd.geom_xpos[g], rd.geom_xmat[g], rm.geom_size[g], p, v
                    want = mujoco.mju_rayGeom(*args, kind)
                    got = lib.mju_rayGeom(*(pointer(a) for a in args), int(kind))
                assert abs(got - want) <= 1e-9, kind
                if want >= 0:
                    hits.add(kind)
    assert len(hits) == 8


def test_many_rays_with_a_cutoff(lib):
    """Within half of the cutoff each ray is what mj_ray says."""
    rng = np.random.default_rng(14)
    hits = 0
    for k, pair in enumerate(scene_for_rays(lib, rng, 1)):
        p, v, cutoff = rng.uniform(-1, 1, 3), rng.normal(size=(50, 3)), (1e10, 2., .5)[k % 3]
        v /= np.linalg.norm(v, axis=1)[:, None]
        dist, ids, one = np.zeros(50), np.zeros(50, np.int32), np.zeros(1, np.int32)
        lib.mj_multiRay(pair.m.ptr, pair.d.ptr, pointer(p), pointer(v), None, ctypes.c_ubyte(1), -1, pointer(ids),
                        pointer(dist), 50, ctypes.c_double(cutoff))
        for i in range(50):
            want = mujoco.mj_ray(pair.rm, pair.rd, p, v[i], None, 1, -1, one)
            if cutoff > 10 or 0 <= want < .5 * cutoff and one[0] > 0:    # planes have no extent, so no cutoff
                assert abs(dist[i] - want) <= 1e-9 and ids[i] == one[0]
                hits += 1
    assert hits > 250


def test_distance_of_geoms(lib):
    """All pairs of types, in both orders, separated and penetrating."""
    rng = np.random.default_rng(15)
    total = equal = 0
    for k, pair in enumerate(scene_for_rays(lib, rng, .6)):
        for a, b in itertools.permutations(range(pair.rm.ngeom), 2):
            limit = (.2, 0., 1.)[k % 3]
            want_seg, got_seg = np.zeros(6), np.zeros(6)
            want = mujoco.mj_geomDistance(pair.rm, pair.rd, a, b, limit, want_seg)
            got = lib.mj_geomDistance(pair.m.ptr, pair.d.ptr, a, b, ctypes.c_double(limit), pointer(got_seg))
            total += 1
            equal += abs(got - want) <= 1e-8 and np.abs(got_seg - want_seg).max() <= 1e-6
    assert equal >= 0.97 * total, (equal, total)
