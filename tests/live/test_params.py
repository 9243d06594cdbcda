# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Numbers of the model that rows of a request have for themselves, of many models and with random fields: to the bit the
results of a model in which they were changed by hand and mj_setConst was called, and next to the reference its numbers."""
import ctypes
import pathlib
import sys

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco")
sheaf = pytest.importorskip("sheaf", reason="pip install ./clients/python")
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support")]

import bridge  # noqa: E402
import feature_models  # noqa: E402
import live  # noqa: E402
import random_models  # noqa: E402

FULL = mujoco.mjtState.mjSTATE_FULLPHYSICS
ROWS, STEPS, FIELDS = 9, 6, 8
POSES = ("_pos", "_quat", "_ipos", "_iquat")
RAISED = ("jnt_stiffness", "dof_damping", "dof_frictionloss", "tendon_stiffness", "tendon_damping", "tendon_armature", "tendon_frictionloss",
          "actuator_biasprm", "opt.density", "opt.viscosity")
CONTAINERS = {"body_inertia": 3, "jnt_axis": 3, "jnt_range": 2, "jnt_actfrcrange": 2, "tendon_range": 2, "tendon_actfrcrange": 2,
              "actuator_ctrlrange": 2, "actuator_forcerange": 2, "actuator_actrange": 2, "actuator_lengthrange": 2}
DERIVED = ("body_subtreemass", "body_invweight0", "dof_invweight0", "dof_M0", "dof_length", "geom_rbound", "cam_pos0", "cam_poscom0",
           "cam_mat0", "light_pos0", "light_poscom0", "light_dir0", "tendon_length0", "tendon_invweight0", "actuator_acc0",
           "actuator_length0", "flexedge_length0", "flexedge_invweight0", "stat.meaninertia")


def sources():
    for name in live.model_files():
        yield name, (live.MODELS / name, None)
    for seed in range(0, 40):
        if seed not in (6, 21):
            yield f"random {seed}", (None, random_models.model(seed))
    for seed in range(12):
        yield f"features {seed}", (None, feature_models.model(seed))
    for name in ("cloth", "jelly", "rope", "solid", "trampoline"):
        yield name, (HERE / "flex_examples" / f"{name}.xml", None)


SOURCES = dict(sources())


def moved(rng, name, value):
    """Values of a number for one row, which the compiler would take."""
    if "quat" in name:
        q = value.reshape(-1, 4) + 0.1 * rng.standard_normal((value.size // 4, 4))
        return (q / np.linalg.norm(q, axis=1, keepdims=True)).reshape(value.shape)
    if name == "jnt_axis":
        a = value + 0.1 * rng.standard_normal(value.shape)
        return a / np.linalg.norm(a, axis=1, keepdims=True)
    if name in CONTAINERS:
        return value * rng.uniform(0.9, 1.2, value.shape[:-1] + (1,))
    if name in RAISED:
        # also springs, dampers, ... where the model has none
        return np.where(value == 0, rng.uniform(0, 0.3, value.shape) * rng.integers(0, 2, value.shape), value * rng.uniform(0.9, 1.2, value.shape))
    if "pos" in name:
        return value + 0.02 * rng.standard_normal(value.shape)
    return value * rng.uniform(0.9, 1.2, value.shape)


def choose(m, rng, state, exclude=()):
    """Random parameters that this model takes, with equal rows among them."""
    names = [n for n in m.params if m.params[n].size and n not in DERIVED and n not in exclude]
    chosen, order = {}, list(rng.permutation(names))
    flexes = [n for n in order if n.startswith("flex")][:FIELDS // 2]    # half of them, where there are any
    for name in (flexes + [n for n in order if n not in flexes])[:FIELDS]:
        values = np.stack([moved(rng, name, m.params[name]) for _ in range(ROWS)])
        values[3] = values[2]
        values[8] = values[2]
        try:
            m.forward(state[:, 1:1 + m.nq], params={name: values}, stage="pos", outputs=("xpos",))
            chosen[name] = values
        except sheaf.InvalidArgument as e:
            assert "structure" in str(e), (name, e)
    for name in chosen:
        chosen[name][3] = chosen[name][2]
        chosen[name][8] = chosen[name][2]
    return chosen


def assign(model, name, value):
    """Into a model of ours or of the reference."""
    owner, _, field = name.rpartition(".")
    if owner and value.size == 1:
        setattr(getattr(model, owner), field, float(value[0]))
    else:
        array = getattr(getattr(model, owner) if owner else model, field)
        array[:] = value.tolist() if isinstance(array, ctypes.Array) else np.reshape(value, array.shape)


def radius(model, g):
    kind, size = mujoco.mjtGeom(model.geom_type[g]).name, np.asarray(model.geom_size[g])
    return {"mjGEOM_SPHERE": size[0], "mjGEOM_CAPSULE": size[0] + size[1], "mjGEOM_CYLINDER": np.hypot(size[0], size[1]),
            "mjGEOM_ELLIPSOID": size.max(), "mjGEOM_BOX": np.sqrt(size @ size)}.get(kind)


def change(model, params, row):
    """What a user changes by hand."""
    for name, values in params.items():
        assign(model, name, values[row])
    if "geom_size" in params:
        for g in range(model.ngeom):
            r = radius(model, g)
            if r is not None:
                model.geom_rbound[g] = r
    if any(n.endswith(POSES) for n in params):
        for name in ("body_sameframe", "geom_sameframe", "site_sameframe"):
            getattr(model, name)[...] = 0


class Hand:
    """A copy of the engine's model, changed by hand, that steps one state at a time."""

    def __init__(self, source):
        self.lib = live.library()
        path, text = source
        if path:
            self.base = bridge.load_xml(self.lib, str(path))
        else:
            vfs = ctypes.create_string_buffer(64)
            self.lib.mj_defaultVFS(vfs)
            data = text.encode()
            self.lib.mj_addBufferVFS(vfs, b"m.xml", data, len(data))
            error = ctypes.create_string_buffer(500)
            self.base = bridge.Model(self.lib.mj_loadXML(b"m.xml", vfs, error, 500))
            self.lib.mj_deleteVFS(vfs)

    def steps(self, params, row, state, control, keep):
        lib = self.lib
        m = bridge.Model(lib.mj_copyModel(None, self.base.ptr))
        change(m, params, row)
        d = bridge.Data(lib, m)
        if not keep and any(n not in CONSTANT_FREE for n in params):
            lib.mj_setConst(m.ptr, d.ptr)
        lib.mj_resetData(m.ptr, d.ptr)
        lib.mj_setState(m.ptr, d.ptr, state.ctypes.data_as(ctypes.c_void_p), int(FULL))
        out = np.zeros((STEPS, state.size))
        for t in range(STEPS):
            if m.nu:
                d.ctrl[:] = control
            lib.mj_step(m.ptr, d.ptr)
            lib.mj_getState(m.ptr, d.ptr, out[t].ctypes.data_as(ctypes.c_void_p), int(FULL))
        lib.mj_deleteData(d.ptr)
        lib.mj_deleteModel(m.ptr)
        return out


# nothing that mj_setConst derives follows from these, so it is not called for them alone
CONSTANT_FREE = {n for n in """body_gravcomp jnt_stiffness jnt_range jnt_actfrcrange jnt_margin jnt_solref jnt_solimp dof_damping
    dof_frictionloss dof_solref dof_solimp geom_friction geom_solmix geom_solref geom_solimp geom_margin geom_gap pair_friction
    pair_solref pair_solreffriction pair_solimp pair_margin pair_gap eq_solref eq_solimp tendon_range tendon_actfrcrange
    tendon_margin tendon_stiffness tendon_damping tendon_frictionloss tendon_solref_lim tendon_solimp_lim tendon_solref_fri
    tendon_solimp_fri flex_friction flex_solmix flex_solref flex_solimp flex_margin flex_gap flex_radius flex_stiffness flex_bending actuator_dynprm actuator_ctrlrange actuator_forcerange actuator_actrange actuator_lengthrange
    opt.gravity opt.wind opt.magnetic opt.density opt.viscosity""".split()}


@pytest.fixture(scope="module")
def sessions():
    live.library()
    made = []
    for threads, lanes in ((1, 1), (1, 4), (2, 8), (2, 0)):
        try:
            made.append(sheaf.connect(threads=threads, lanes=lanes))
        except sheaf.Error:
            continue    # this CPU has no such lanes
    yield made
    for s in made:
        s.close()


def states(m, rng):
    x = np.tile(m.state0, (ROWS, 1))
    x[:, 1 + m.nq:1 + m.nq + m.nv] += 0.1 * rng.standard_normal((ROWS, m.nv))
    return x, rng.uniform(-1, 1, (ROWS, m.nu))


def load(session, source):
    path, text = source
    return session.load(path if path else text.encode())


@pytest.mark.parametrize("keep", [False, True])
@pytest.mark.parametrize("name", SOURCES)
def test_bits_of_a_model_changed_by_hand(sessions, name, keep):
    rng = np.random.default_rng(sum(map(ord, name)))
    try:
        hand, m = Hand(SOURCES[name]), load(sessions[0], SOURCES[name])
    except (RuntimeError, ValueError, sheaf.FailedPrecondition):
        pytest.skip("not a valid model")
    x, u = states(m, rng)
    before = m.rollout(x, u[:, None], nstep=STEPS).state
    params = choose(m, rng, x)
    want = np.stack([hand.steps(params, i, x[i], u[i], keep) for i in range(ROWS)])
    for session in sessions:
        r = load(session, SOURCES[name]).rollout(x, u[:, None], nstep=STEPS, params=params, keep_constants=keep)
        for i in range(ROWS):
            good = STEPS if r.badstep[i] < 0 else r.badstep[i]    # some random models diverge
            # values are compared: a pose that coincides with another may have another sign of its zeros
            assert np.array_equal(r.state[i, :good], want[i, :good]), (i, r.status[i], sorted(params))
    assert m.rollout(x, u[:, None], nstep=STEPS).state.tobytes() == before.tobytes()    # the model is as it was


@pytest.mark.parametrize("name", live.model_files())
def test_numbers_of_the_reference(sessions, name):
    rm = mujoco.MjModel.from_xml_path(str(live.MODELS / name))
    live.mend(rm)
    rm.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_MIDPHASE    # its bounding boxes are those of the compiler
    m = load(sessions[-1], SOURCES[name])
    rng = np.random.default_rng(sum(map(ord, name)))
    x, u = states(m, rng)
    smooth = ["xpos", "xquat", "geom_xpos", "subtree_com", "qfrc_bias", "qfrc_passive", "qacc_smooth", "cvel"]
    if "cube" not in name:
        return compare(m, rm, x, u, choose(m, rng, x, exclude=("body_gravcomp",)), [*smooth, "qacc"])
    compare(m, rm, x, u, choose(m, rng, x, exclude=("body_gravcomp", "qpos0")), [*smooth, "qacc"])
    # pieces of the cube that were turned a little touch in faces, and then any point of a face may be the contact
    compare(m, rm, x, u, {"qpos0": np.stack([moved(rng, "qpos0", m.params["qpos0"]) for _ in range(ROWS)])}, smooth)


def compare(m, rm, x, u, params, names):
    """Outputs of rows with parameters, with those of the reference's model that was changed by hand."""
    q, v, act = x[:, 1:1 + m.nq], x[:, 1 + m.nq:1 + m.nq + m.nv], x[:, 1 + m.nq + m.nv:1 + m.nq + m.nv + m.na]
    got = m.forward(q, v, u, act=act, outputs=names, params=params)
    for i in range(ROWS):
        own = rm.__copy__()
        change(own, params, i)
        rd = mujoco.MjData(own)
        mujoco.mj_setConst(own, rd)
        mujoco.mj_resetData(own, rd)
        rd.qpos[:], rd.qvel[:], rd.act[:], rd.ctrl[:] = q[i], v[i], act[i], u[i]
        mujoco.mj_forward(own, rd)
        for field in names:
            assert live.difference(got[field][i], getattr(rd, field)) < (1e-6 if field == "qacc" else 1e-8), (field, sorted(params))


STIFF = """<mujoco><option timestep=".01" solver="Newton" integrator="Euler"/><default><geom solref=".021 1" solimp=".9 .95 .01"/></default><worldbody>
  <geom type="plane" size="5 5 .1"/>
  <body pos="0 0 .09"><freejoint/><geom type="box" size=".1 .1 .1" condim="4"/><body name="flag" pos="0 0 .1"><site name="low"/>
    <body pos="0 .1 .1"><site/></body></body>
   <body pos=".2 0 .1"><joint name="a" axis="0 1 0" range="-.1 .1" limited="true" solreflimit=".02 1" damping=".4"/><geom size=".05" pos=".1 0 0"/>
    <body pos=".2 0 0"><joint name="b" axis="0 1 0" frictionloss=".1" armature=".05"/><geom size=".04" pos=".1 0 0"/></body></body></body></worldbody>
  <equality><joint joint1="a" joint2="b" polycoef="0 .5 0 0 0" solref=".019 1"/></equality><actuator><position joint="b" kp="5"/></actuator>
  <sensor><subtreecom body="flag"/><accelerometer site="low"/></sensor></mujoco>"""


def in_every_request(m, x, u, qacc, params):
    """All results of one call of each kind, by call and name."""
    q, v, act = x[:, 1:1 + m.nq], x[:, 1 + m.nq:1 + m.nq + m.nv], x[:, 1 + m.nq + m.nv:1 + m.nq + m.nv + m.na]
    return {"rollout": dict(enumerate(m.rollout(x, u[:, None], nstep=STEPS, params=params))),
            "forward": m.forward(q, v, u, act=act, params=params, outputs=("qacc", "subtree_com", "sensordata", "energy", "qfrc_passive")),
            "inverse": {discrete: m.inverse(q, v, qacc, params=params, discrete=discrete) for discrete in {False, m.info_.integrator != 1}},
            "transition_derivatives": dict(zip("ABCD", m.transition_derivatives(x, u, want="ABCD", params=params))),
            "inverse_derivatives": dict(enumerate(m.inverse_derivatives(q, v, qacc, params=params)))}


@pytest.mark.parametrize("name", ["stiff", *(n for n in ("dm_control/cheetah.xml", "gymnasium/ant.xml") if n in SOURCES)])
def test_rows_beside_others_have_the_bits_of_rows_alone(sessions, name):
    """In every request. A time step of each row also bounds time constants, and masses may be where the model has none."""
    rng, source = np.random.default_rng(4), (None, STIFF) if name == "stiff" else SOURCES[name]
    for session in sessions:
        m = load(session, source)
        x, u = states(m, rng)
        params = {"opt.timestep": m.params["opt.timestep"] * np.linspace(.8, 1.3, ROWS)[:, None],
                  "dof_armature": m.params["dof_armature"] + rng.uniform(0, .1, (ROWS, m.nv)), "dof_damping": rng.uniform(.1, .5, (ROWS, m.nv)),
                  "body_mass": np.where(np.arange(m.nbody) > 0, m.params["body_mass"] + rng.uniform(.1, .5, (ROWS, m.nbody)), 0)}
        qacc = rng.standard_normal((ROWS, m.nv))
        all_rows = in_every_request(m, x, u, qacc, params)
        for i in range(ROWS):
            alone = in_every_request(m, x[i:i + 1], u[i:i + 1], qacc[i:i + 1], {n: a[i:i + 1] for n, a in params.items()})
            for call, results in alone.items():
                for key, a in results.items():
                    assert np.array_equal(a[0], all_rows[call][key][i]), (call, key, i, session)


def test_what_cannot_vary_is_refused_with_what_can(sessions):
    m = sessions[0].load(b'<mujoco><worldbody><body><joint damping="1"/><geom size=".1"/></body></worldbody></mujoco>')
    with pytest.raises(sheaf.InvalidArgument, match="one of body_pos, .*body_mass.*'body_parentid'"):
        m.rollout(m.state0, nstep=1, params={"body_parentid": [0, 0]})
    with pytest.raises(sheaf.InvalidArgument, match="a name in Model.params"):
        m.rollout(m.state0, nstep=1, params={"mesh_vert": 1})
    with pytest.raises(sheaf.InvalidArgument, match=r"params.body_mass.*\(2,\) or \(B, 2\)"):
        m.rollout(m.state0, nstep=1, params={"body_mass": [1, 2, 3]})
    with pytest.raises(sheaf.InvalidArgument, match="rows"):
        m.rollout(np.tile(m.state0, (3, 1)), nstep=1, params={"body_mass": np.ones((2, 2))})
    with pytest.raises(sheaf.InvalidArgument, match="above 0, got -1 in row 1, at 1"):
        m.forward(params={"body_mass": [[0, 1], [0, -1]]})
    with pytest.raises(ValueError, match="read-only"):
        m.params["body_mass"][1] = 2
    r = m.rollout(m.state0, nstep=3, params={"body_mass": [[0, 1], [0, 2]]})
    assert r.state.shape[0] == 2 and (r.status == 0).all()
