# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Geometric outputs of forward and inverse requests, next to the reference's functions at the same states: inertia matrices,
Jacobians, contacts and their forces, constraint rows, rays, distances and energies; in one lane, four and eight, to the bit."""
import pathlib
import sys

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco")
sheaf = pytest.importorskip("sheaf", reason="pip install ./clients/python")
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support")]

import feature_models  # noqa: E402
import live  # noqa: E402
import random_models  # noqa: E402

FULL = mujoco.mjtState.mjSTATE_FULLPHYSICS
ROWS, CONTACTS, LINES = 11, 12, 40

SHAPES = """<mujoco><option timestep=".01"/><asset>
    <mesh name="tet" vertex="0 0 0  .3 0 0  0 .3 0  0 0 .3"/>
    <hfield name="hills" nrow="5" ncol="6" size=".6 .5 .2 .1" elevation="{hills}"/></asset><worldbody>
  <geom name="floor" type="plane" size="0 0 .1"/>
  <geom name="hills" type="hfield" hfield="hills" pos="2 0 .1"/>
  <body name="a" pos="0 0 .5"><freejoint/><geom name="ball" size=".1"/><site name="eye" pos=".3 .1 .2" euler="20 100 10"/></body>
  <body name="b" pos=".5 0 .5" euler="30 10 0"><freejoint/><geom name="rod" type="capsule" size=".08 .2"/>
    <site name="down" pos="0 0 .5" euler="180 0 0"/></body>
  <body name="c" pos="0 .6 .5" euler="10 60 0"><freejoint/><geom name="egg" type="ellipsoid" size=".1 .15 .2"/></body>
  <body name="d" pos="-.5 0 .5" euler="40 10 0"><freejoint/><geom name="can" type="cylinder" size=".1 .15"/></body>
  <body name="e" pos="0 -.6 .5" euler="10 20 70"><freejoint/><geom name="brick" type="box" size=".1 .2 .15"/></body>
  <body name="f" pos=".5 .6 .5" euler="10 20 70"><freejoint/><geom name="tet" type="mesh" mesh="tet"/>
    <body pos="0 0 .3"><joint axis="0 1 0"/><geom name="glass" rgba="1 1 1 0" size=".05" pos="0 0 .2"/></body></body>
  </worldbody></mujoco>""".format(hills=" ".join(f"{x:.2f}" for x in np.random.default_rng(0).uniform(0.1, 1, 30)))


def sources():
    for name in live.model_files():
        yield name, (live.MODELS / name, None)
    for seed in range(0, 24):
        yield f"random {seed}", (None, random_models.model(seed))
    for seed in range(8):
        yield f"features {seed}", (None, feature_models.model(seed))
    yield "shapes", (None, SHAPES)


SOURCES = dict(sources())


def reference(name):
    path, text = SOURCES[name]
    return mujoco.MjModel.from_xml_string(text) if text else mujoco.MjModel.from_xml_path(str(path))


@pytest.fixture(scope="module")
def session():
    live.library()
    with sheaf.connect(threads=1, lanes=1) as s:
        yield s


@pytest.fixture(scope="module", params=[4, 8])
def wide(request):
    with sheaf.connect(threads=2, lanes=request.param) as s:
        yield s


def reached(m, n=ROWS, seed=0):
    """States that steps of the reference reach from disturbed ones, so that bodies touch."""
    rng, d, x = np.random.default_rng(seed), mujoco.MjData(m), []
    for i in range(n):
        mujoco.mj_resetData(m, d)
        if m.nv:
            mujoco.mj_integratePos(m, d.qpos, 0.1 * rng.standard_normal(m.nv), 1)
            d.qvel[:] = 0.2 * rng.standard_normal(m.nv)
        for _ in range(20 * (i % 4) + i):
            d.ctrl[:] = 0.2 * rng.uniform(-1, 1, m.nu)
            mujoco.mj_step(m, d)
        x.append((d.qpos.copy(), d.qvel.copy(), d.act.copy()))
    return [np.stack(part) for part in zip(*x)]


def quoted(m, kind, i):
    """How an element is named between brackets: by its number if it has no name, or one that brackets cannot hold."""
    name = mujoco.mj_id2name(m, kind, i)
    return name if name and not set(",[]:") & set(name) and " " not in name else str(i)


def asked(m, rng):
    """Names of outputs, and what the reference says: a function of its data."""
    nv, ask = m.nv, {}

    def pair(function, object):
        def both(d):
            p, r = np.zeros((3, nv)), np.zeros((3, nv))
            function(m, d, p, r, object)
            return np.vstack([p, r])
        return both

    for word, kind, count, function in (("body", mujoco.mjtObj.mjOBJ_BODY, m.nbody, mujoco.mj_jacBody),
                                        ("geom", mujoco.mjtObj.mjOBJ_GEOM, m.ngeom, mujoco.mj_jacGeom),
                                        ("site", mujoco.mjtObj.mjOBJ_SITE, m.nsite, mujoco.mj_jacSite)):
        if not count:
            continue
        ids = rng.permutation(count)[:3]
        ids = ids[np.argsort(rng.random(len(ids)))]
        names = ", ".join(quoted(m, kind, int(i)) for i in ids)
        ask[f"jac_{word}[{names}]"] = lambda d, f=function, ids=ids: np.vstack([pair(f, int(i))(d) for i in ids])
        first = int(ids[0])
        ask[f"jacp_{word}[{quoted(m, kind, first)}]"] = lambda d, f=function, i=first: pair(f, i)(d)[:3]
        ask[f"jacr_{word}[{first}]"] = lambda d, f=function, i=first: pair(f, i)(d)[3:]
        ask[f"jacp_{word}"] = lambda d, f=function, n=count: np.vstack([pair(f, i)(d)[:3] for i in range(n)])

    body = int(rng.integers(m.nbody))
    local = rng.uniform(-0.2, 0.2, 3).round(4)

    def point(d):
        p, r = np.zeros((3, nv)), np.zeros((3, nv))
        mujoco.mj_jac(m, d, p, r, d.xpos[body] + d.xmat[body].reshape(3, 3) @ local, body)
        return np.vstack([p, r])

    def half(function):
        def one(d):
            p = np.zeros((3, nv))
            function(m, d, p, body)
            return p
        return one

    where = quoted(m, mujoco.mjtObj.mjOBJ_BODY, body)
    ask[f"jac_point[{where} at {local[0]} {local[1]} {local[2]}]"] = point
    ask[f"jacp_body_com[{where}]"] = half(lambda m, d, p, b: mujoco.mj_jacBodyCom(m, d, p, None, b))
    ask[f"jac_subtree_com[{where}]"] = half(mujoco.mj_jacSubtreeCom)

    def dense(d):
        out = np.zeros((nv, nv))
        mujoco.mj_fullM(m, out, d.qM)
        return out

    ask["M"], ask["qM"] = dense, lambda d: d.qM.copy()
    ask["ncon"], ask["nefc"] = lambda d: [d.ncon], lambda d: [rows(m, d)[0].shape[0]]
    return ask


def rows(m, d):
    """Jacobian, types and forces of the reference's rows, without rows of zeros, which a dense matrix keeps."""
    J = np.zeros((d.nefc, m.nv))
    if d.nefc and mujoco.mj_isSparse(m):
        mujoco.mju_sparse2dense(J, d.efc_J, d.efc_J_rownnz, d.efc_J_rowadr, d.efc_J_colind)
    elif d.nefc:
        J = d.efc_J.reshape(d.nefc, m.nv).copy()
    return J, np.array(d.efc_type), np.array(d.efc_force), np.array(d.efc_id), np.array(d.efc_pos)


def near(got, want, what, tolerance=1e-9):
    got, want = np.asarray(got, float), np.asarray(want, float)
    assert got.shape == want.shape, (what, got.shape, want.shape)
    if got.size:
        error = np.abs(got - want).max() / (1 + np.abs(want).max())
        assert error < tolerance, (what, error)


@pytest.mark.parametrize("name", SOURCES)
def test_outputs_are_those_of_the_reference(session, name):
    m = reference(name)
    ours = session.load(m)
    q, v, act = reached(m)
    ask = asked(m, np.random.default_rng(1))
    got = ours.forward(qpos=q, qvel=v, act=act if m.na else None, outputs=tuple(ask))
    d = mujoco.MjData(m)
    for i in range(ROWS):
        d.qpos[:], d.qvel[:], d.act[:] = q[i], v[i], act[i]
        d.qacc_warmstart[:] = 0
        mujoco.mj_forward(m, d)
        for output, want in ask.items():
            near(got[output][i].ravel(), np.ravel(want(d)), (output, i))


@pytest.mark.parametrize("name", SOURCES)
def test_contacts_and_rows_are_those_of_the_reference(session, name):
    m = reference(name)
    ours = session.load(m)
    q, v, act = reached(m)
    # Forces as this engine finds them are compared with the reference's function of them.
    got = ours.forward(qpos=q, qvel=v, act=act if m.na else None, outputs=(
        f"contact[{CONTACTS}]", f"contact_force[{CONTACTS}]", f"contact_pos[{CONTACTS}]", f"contact_geom[{CONTACTS}]", "ncon",
        f"efc_J[{LINES}]", f"efc_type[{LINES}]", f"efc_id[{LINES}]", f"efc_force[{LINES}]", f"efc_pos[{LINES}]", "nefc",
        "qfrc_constraint"))
    d, seen = mujoco.MjData(m), 0
    for i in range(ROWS):
        d.qpos[:], d.qvel[:], d.act[:] = q[i], v[i], act[i]
        d.qacc_warmstart[:] = 0
        mujoco.mj_forward(m, d)
        assert got["ncon"][i] == d.ncon
        con = sheaf.contacts(got[f"contact[{CONTACTS}]"][i])
        n = min(d.ncon, CONTACTS)
        seen += n
        near(con["geom"][:n], d.contact.geom[:n], "geom")
        near(con["body"][:n], m.geom_bodyid[d.contact.geom[:n]], "body")
        near(con["dim"][:n], d.contact.dim[:n], "dim")
        near(con["dist"][:n], d.contact.dist[:n], "dist", 1e-6)
        near(con["pos"][:n], d.contact.pos[:n], "pos", 1e-6)
        near(con["frame"][:n].reshape(n, 9), d.contact.frame[:n].reshape(n, 9), "frame", 1e-6)
        assert (con["geom"][n:] == -1).all() and (con["body"][n:] == -1).all() and not con["force"][n:].any() and not con["dim"][n:].any()
        assert np.array_equal(con["force"], got[f"contact_force[{CONTACTS}]"][i]) and np.array_equal(con["pos"], got[f"contact_pos[{CONTACTS}]"][i])
        assert np.array_equal(con["geom"], got[f"contact_geom[{CONTACTS}]"][i])

        J, kind, force, ids, pos = rows(m, d)
        assert got["nefc"][i] == d.nefc
        n = min(d.nefc, LINES)
        near(got[f"efc_J[{LINES}]"][i, :n], J[:n], "efc_J", 1e-6)
        near(got[f"efc_type[{LINES}]"][i, :n], kind[:n], "efc_type")
        near(got[f"efc_id[{LINES}]"][i, :n], ids[:n], "efc_id")
        near(got[f"efc_pos[{LINES}]"][i, :n], pos[:n], "efc_pos", 1e-6)
        assert not got[f"efc_J[{LINES}]"][i, n:].any() and (got[f"efc_type[{LINES}]"][i, n:] == -1).all()

        # with all rows there, J' f is qfrc_constraint
        ours_force = got[f"efc_force[{LINES}]"][i]
        if d.nefc <= LINES:
            near(got[f"efc_J[{LINES}]"][i].T @ ours_force, got["qfrc_constraint"][i], "J'f", 1e-9)
            d.efc_force[:] = ours_force[:d.nefc]
            for k in range(min(d.ncon, CONTACTS)):
                want = np.zeros(6)
                mujoco.mj_contactForce(m, d, k, want)
                near(con["force"][k], want, "force", 1e-9)
    if name in ("shapes", "gymnasium/humanoid.xml"):
        assert seen > 3


def test_rays_and_distances_are_those_of_the_reference(session):
    m = reference("shapes")
    ours = session.load(m)
    q, v, _ = reached(m, 24)
    rng, names = np.random.default_rng(3), [mujoco.mj_id2name(m, mujoco.mjtObj.mjOBJ_GEOM, i) for i in range(m.ngeom)]
    worlds = [(rng.uniform(-1, 1, 3) * (1.2, 1, 0) + (0.5, 0, 2), rng.uniform(-1, 1, 3) * (1, 1, .2) + (0, 0, -1)) for _ in range(40)]
    turned = [rng.uniform(-1, 1, 3).round(3) for _ in range(4)]
    text = lambda x: " ".join(repr(float(a)) for a in x)
    ray = ", ".join(["eye", "down", "0", *(f"eye along {text(t)}" for t in turned), *(f"{text(p)} along {text(w)}" for p, w in worlds)])
    pairs = [(a, b) for a in names for b in names if {a, b} - {"floor", "hills"} and a != b]
    far = ", ".join(f"{a} to {b}" for a, b in pairs)
    close = ", ".join(f"{a} to {b} within 0.4" for a, b in pairs)
    got = ours.forward(qpos=q, outputs=(f"ray[{ray}]", f"distance[{far}]", f"distance[{close}]", "ray[eye]", "distance[ball to rod]"))
    assert got["ray[eye]"].shape == (24, 5) and np.array_equal(got["ray[eye]"], got[f"ray[{ray}]"][:, 0])
    assert got["distance[ball to rod]"].shape == (24, 7)

    d, geom, hits, inside = mujoco.MjData(m), np.zeros(1, np.int32), set(), 0
    site = {n: mujoco.mj_name2id(m, mujoco.mjtObj.mjOBJ_SITE, n) for n in ("eye", "down")}
    for i in range(24):
        d.qpos[:] = q[i]
        mujoco.mj_kinematics(m, d)
        frames = [(site[n], np.array(z, float)) for n, z in [("eye", (0, 0, 1)), ("down", (0, 0, 1)), ("eye", (0, 0, 1)), *(("eye", t) for t in turned)]]
        casts = [(d.site_xpos[s], d.site_xmat[s].reshape(3, 3) @ z, m.site_bodyid[s]) for s, z in frames] + [(p, w, -1) for p, w in worlds]
        for k, (start, along, body) in enumerate(casts):
            along = along / np.linalg.norm(along)
            x = mujoco.mj_ray(m, d, start, along, None, 1, body, geom)
            dist, hit, *normal = got[f"ray[{ray}]"][i, k]
            assert hit == geom[0] and abs(dist - x) < 1e-9, (i, k)
            if hit < 0:
                assert not np.any(normal)
                continue
            hits.add(names[geom[0]])
            check_normal(m, d, start, along, body, x, geom[0], np.array(normal))
        for k, (a, b) in enumerate(pairs):
            ids = [mujoco.mj_name2id(m, mujoco.mjtObj.mjOBJ_GEOM, n) for n in (a, b)]
            for output, most in ((far, 1e10), (close, 0.4)):
                fromto = np.zeros(6)
                want = mujoco.mj_geomDistance(m, d, *ids, most, fromto)
                ours_row = got[f"distance[{output}]"][i, k]
                assert abs(ours_row[0] - want) < 1e-5, (a, b, most, ours_row[0], want)
                inside += want < 0.4 and most < 1
                if want < most:
                    # the segment is as long as the distance
                    assert abs(np.linalg.norm(ours_row[4:] - ours_row[1:4]) - abs(ours_row[0])) < 1e-5, (a, b)
    assert hits == set(names) - {"glass"} and inside > 100


def check_normal(m, d, start, along, body, x, geom, normal):
    """Of unit length, and across two short ways on the surface, which rays beside this one find."""
    assert abs(np.linalg.norm(normal) - 1) < 1e-12
    side, e, points, found = np.linalg.svd(along[None])[2][1:], 1e-5, [], np.zeros(1, np.int32)
    for a in side:
        for s in (e, -e):
            y = mujoco.mj_ray(m, d, start + s * a, along, None, 1, body, found)
            if found[0] != geom:
                return
            points.append(start + s * a + y * along)
    ways = points[0] - points[1], points[2] - points[3]
    middle = start + x * along
    flat = max(abs(np.cross(points[0] - middle, middle - points[1])).max(), abs(np.cross(points[2] - middle, middle - points[3])).max()) / e**2
    if flat > 1e-3:
        return    # an edge, or a surface that the ray only touches
    across = np.cross(*ways)
    across /= np.linalg.norm(across)
    assert abs(abs(normal @ across) - 1) < 1e-5, (mujoco.mj_id2name(m, mujoco.mjtObj.mjOBJ_GEOM, geom), normal, across)
    if m.geom_type[geom] != mujoco.mjtGeom.mjGEOM_HFIELD:
        assert normal @ (middle - d.geom_xpos[geom]) > -1e-12, "outward"
    else:
        assert normal @ d.geom_xmat[geom].reshape(3, 3)[:, 2] > -1e-12 or middle[2] < d.geom_xpos[geom, 2] + 1e-9, "upward"


def every_output(m, rng):
    names = [*asked(m, rng), f"contact[{CONTACTS}]", f"efc_J[{LINES}]", "energy", *(f"efc_{x}[{LINES}]" for x in
             ("type", "id", "pos", "margin", "frictionloss", "D", "R", "vel", "aref", "force"))]
    if m.nsite:
        names.append("ray[0, 0 0 2 along .1 .2 -1]")
    solid = [i for i in range(m.ngeom) if m.geom_type[i] not in (0, 1)]
    if len(solid) > 1:
        names.append(f"distance[{solid[0]} to {solid[-1]}, {solid[1]} to {solid[0]} within 2]")
    return tuple(names)


@pytest.mark.parametrize("name", SOURCES)
def test_lanes_give_the_same_bits(session, wide, name):
    m = reference(name)
    narrow, ours = session.load(m), wide.load(m)
    q, v, act = reached(m)
    outputs = every_output(m, np.random.default_rng(1))
    given = dict(qpos=q, qvel=v, act=act if m.na else None)
    for a, b in ((narrow.forward(outputs=outputs, **given), ours.forward(outputs=outputs, **given)),
                 (narrow.inverse(qpos=q, qvel=v, qacc=v, outputs=outputs), ours.inverse(qpos=q, qvel=v, qacc=v, outputs=outputs))):
        for output in outputs:
            assert np.array_equal(a[output], b[output], equal_nan=True), output
    x = np.zeros((ROWS, narrow.nstate))
    x[:, 1:1 + m.nq], x[:, 1 + m.nq:1 + m.nq + m.nv], x[:, 1 + m.nq + m.nv:1 + m.nq + m.nv + m.na] = q, v, act
    for how in ({}, {"aligned": True}, {"every": "last", "dtype": "f4"}):
        a, b = (k.rollout(x, nstep=5, outputs=outputs, **how).outputs for k in (narrow, ours))
        for output in outputs:
            assert np.array_equal(a[output], b[output], equal_nan=True), (output, how)
    movable = (m.geom_type >= 2) & (m.geom_type <= 6)    # spheres to boxes
    if movable.any():
        scale = np.where(movable[:, None], np.random.default_rng(2).uniform(0.9, 1.1, (ROWS, 1, 1)), 1)
        size = m.geom_size * scale
        a, b = (k.forward(outputs=outputs, params={"geom_size": size}, **given) for k in (narrow, ours))
        for output in outputs:
            assert np.array_equal(a[output], b[output], equal_nan=True), (output, "geom_size")


@pytest.mark.parametrize("name", [n for n in ("gymnasium/humanoid.xml", "shapes", "features 1") if n in SOURCES])
def test_energies_and_inverse_are_those_of_the_reference(session, name):
    m = reference(name)
    q, v, _ = reached(m)
    got = session.load(m).inverse(qpos=q, qvel=v, outputs=("energy", "M", "qM", "nefc", "efc_J[30]"))
    forward = session.load(m).forward(qpos=q, qvel=v, outputs=("energy", "M"))
    assert np.array_equal(got["energy"], forward["energy"]) and np.array_equal(got["M"], forward["M"])
    d = mujoco.MjData(m)
    for i in range(ROWS):
        d.qpos[:], d.qvel[:] = q[i], v[i]
        mujoco.mj_inverse(m, d)
        mujoco.mj_energyPos(m, d)
        mujoco.mj_energyVel(m, d)
        near(got["energy"][i], d.energy, "energy")
        near(got["qM"][i], d.qM, "qM")
        assert got["nefc"][i] == d.nefc
