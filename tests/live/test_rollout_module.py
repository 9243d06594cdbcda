# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Calls of the Python client in this process against the reference: its rollout module, forward and inverse
dynamics, mjd_transitionFD and mjd_inverseFD. The models are compiled by each engine for itself."""
import pathlib
import sys

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco")
sheaf = pytest.importorskip("sheaf", reason="pip install ./clients/python")
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from mujoco import rollout as reference  # noqa: E402

import live  # noqa: E402

FULL = mujoco.mjtState.mjSTATE_FULLPHYSICS

SMALL = {
    "ball chain, implicit": """<mujoco><option integrator="implicit" timestep=".004"/><worldbody>
      <body pos="0 0 1"><joint type="ball" damping=".05"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".04"/>
        <body pos=".3 0 0"><joint type="hinge" axis="0 1 .2" stiffness="3" springref="20"/>
          <geom type="ellipsoid" size=".1 .05 .06" pos=".1 0 0"/><site name="s" pos=".2 0 0"/></body></body></worldbody>
      <sensor><framelinvel objtype="site" objname="s"/><gyro site="s"/></sensor></mujoco>""",
    "stack, elliptic": """<mujoco><option cone="elliptic" impratio="5" timestep=".004"/><worldbody>
      <geom type="plane" size="2 2 .1"/>
      <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1" condim="4"/></body>
      <body pos=".02 .01 .27"><freejoint/><geom type="sphere" size=".08" condim="6" friction=".8 .02 .01"/></body>
      </worldbody></mujoco>""",
    "servos, RK4": """<mujoco><option integrator="RK4" timestep=".01"/><worldbody>
      <body><joint name="a" type="slide" axis="1 0 0" range="-.1 .1" limited="true"/><geom size=".1"/>
        <body pos="0 0 .3"><joint name="b" axis="0 1 0" frictionloss=".1"/><geom size=".05" pos="0 0 .2"/></body></body>
      </worldbody><actuator><position joint="a" kp="30" kv="2"/><velocity joint="b" kv="1"/>
      <general name="i" joint="b" dyntype="integrator" gainprm="2" actlimited="true" actrange="-.5 .5"/>
      </actuator>
      <sensor><actuatorfrc actuator="i"/><jointlimitfrc joint="a"/></sensor></mujoco>""",
    "mocap weld, gravity compensation": """<mujoco><option timestep=".004" integrator="implicitfast"/><worldbody>
      <body name="hand" mocap="true" pos=".1 0 .5"/>
      <body name="held" pos="0 0 .5" gravcomp=".7"><freejoint/><geom type="box" size=".05 .1 .03"/></body></worldbody>
      <equality><weld body1="hand" body2="held" solref=".05 1"/></equality></mujoco>""",
}


# rests on the floor at a distance of exactly zero: the last bit of a sine decides whether there is a contact
ON_THE_EDGE = {"gymnasium/point.xml"}


@pytest.fixture(scope="module")
def session():
    live.library()
    with sheaf.connect(threads=2) as s:
        yield s


def distance(got, want):
    """Largest difference, relative where the reference is larger than one."""
    assert got.shape == want.shape
    return live.difference(got, want)


def random_states(rm, n, seed=0, scale=0.1):
    rng, rd = np.random.default_rng(seed), mujoco.MjData(rm)
    x = np.zeros((n, mujoco.mj_stateSize(rm, FULL)))
    for row in x:
        mujoco.mj_resetData(rm, rd)
        mujoco.mj_integratePos(rm, rd.qpos, scale * rng.standard_normal(rm.nv), 1)
        rd.qvel[:], rd.act[:] = scale * rng.standard_normal(rm.nv), scale * rng.random(rm.na)
        mujoco.mj_getState(rm, rd, row, FULL)
    return x, rng.uniform(-1, 1, (n, 10, rm.nu))


def compare_rollout(m, rm, tol):
    x, u = random_states(rm, 6)
    want, sensors = reference.rollout(rm, mujoco.MjData(rm), x, u)
    r = m.rollout(x, u)
    assert (r.status == 0).all()
    assert distance(r.state, want) < tol
    # a sensor of acceleration may be a large difference of forces
    assert distance(r.sensordata, sensors) < 1e2 * tol


def compare_stages(m, rm, tol):
    """Forward, inverse and derivatives at one state, row by row."""
    x, u = random_states(rm, 3, seed=1)
    names = ["xpos", "xquat", "geom_xpos", "subtree_com", "qfrc_bias", "qfrc_passive", "qacc_smooth", "cvel", "M"]
    nq, nv = rm.nq, rm.nv
    q, v, act = x[:, 1:1 + nq], x[:, 1 + nq:1 + nq + nv], x[:, 1 + nq + nv:1 + nq + nv + rm.na]
    got = m.forward(qpos=q, qvel=v, act=act, ctrl=u[:, 0], outputs=names + ["qacc", "ncon", "nefc"])
    tau = m.inverse(qpos=q, qvel=v, qacc=got["qacc"])
    rd = mujoco.MjData(rm)
    for i in range(3):
        mujoco.mj_resetData(rm, rd)
        rd.qpos[:], rd.qvel[:], rd.act[:], rd.ctrl[:] = q[i], v[i], act[i], u[i, 0]
        mujoco.mj_forward(rm, rd)
        for name in names[:-1]:
            assert distance(got[name][i], getattr(rd, name)) < 1e-9, name
        dense = np.zeros((nv, nv))
        mujoco.mj_fullM(rm, dense, rd.qM)
        assert distance(got["M"][i], dense) < 1e-9
        assert (got["ncon"][i, 0], got["nefc"][i, 0]) == (rd.ncon, rd.nefc)
        assert distance(got["qacc"][i], rd.qacc) < tol
        rd.qacc[:] = got["qacc"][i]
        mujoco.mj_inverse(rm, rd)
        assert distance(tau[i], rd.qfrc_inverse) < tol


def compare_transition(m, rm, tol):
    x, u = random_states(rm, 2, seed=2)
    rd, ndx, ns = mujoco.MjData(rm), 2 * rm.nv + rm.na, rm.nsensordata
    if rm.opt.integrator == mujoco.mjtIntegrator.mjINT_RK4:
        with pytest.raises(sheaf.FailedPrecondition, match="RK4"):
            m.transition_fd(x, u[:, 0])
        return
    got = m.transition_fd(x, u[:, 0], eps=1e-6, centered=True)
    for i in range(2):
        want = [np.zeros((ndx, ndx)), np.zeros((ndx, rm.nu)), np.zeros((ns, ndx)), np.zeros((ns, rm.nu))]
        mujoco.mj_resetData(rm, rd)
        mujoco.mj_setState(rm, rd, x[i], FULL)
        rd.ctrl[:] = u[i, 0]
        mujoco.mjd_transitionFD(rm, rd, 1e-6, True, *[w if w.size else None for w in want])
        want[3] *= -1    # 3.4.0 returns centered differences of sensors by controls with the opposite sign
        for name, g, w in zip("ABCD", got, want):
            assert np.abs(g[i] - w).max(initial=0) < tol * max(1, np.abs(w).max(initial=0)), name


def compare_inverse_derivatives(m, rm, tol):
    x, _ = random_states(rm, 2, seed=2)
    nv, rd = rm.nv, mujoco.MjData(rm)
    if rm.opt.integrator == mujoco.mjtIntegrator.mjINT_RK4:
        with pytest.raises(sheaf.FailedPrecondition, match="RK4"):
            m.inverse_fd(qpos=rm.qpos0)
        return
    f = m.forward(qpos=x[:, 1:1 + rm.nq], qvel=x[:, 1 + rm.nq:1 + rm.nq + nv])
    ours = m.inverse_fd(qpos=x[:, 1:1 + rm.nq], qvel=x[:, 1 + rm.nq:1 + rm.nq + nv], qacc=f["qacc"])
    for i in range(2):
        mujoco.mj_resetData(rm, rd)
        mujoco.mj_setState(rm, rd, x[i], FULL)
        rd.qacc[:] = f["qacc"][i]
        want = [np.zeros((nv, nv)) for _ in range(3)]
        mujoco.mjd_inverseFD(rm, rd, 1e-6, False, *want, None, None, None, None)
        for name, g, w in zip(("DfDq", "DfDv", "DfDa"), ours, want):
            assert np.abs(g[i] - w.T).max(initial=0) < tol * max(1, np.abs(w).max(initial=0)), name


@pytest.mark.parametrize("name", SMALL)
def test_small(session, name):
    # tight: the answers are then those of the problem, not of where a solver stops
    text = SMALL[name].replace("<option ", '<option tolerance="1e-14" ls_tolerance="1e-6" iterations="200" ')
    m, rm = session.load(text.encode()), mujoco.MjModel.from_xml_string(text)
    assert (m.nq, m.nv, m.nu, m.na, m.nsensordata) == (rm.nq, rm.nv, rm.nu, rm.na, rm.nsensordata)
    compare_rollout(m, rm, 1e-9)
    compare_stages(m, rm, 1e-8)
    compare_transition(m, rm, 1e-6)
    compare_inverse_derivatives(m, rm, 1e-6)


@pytest.mark.parametrize("name", live.model_files())
def test_models(session, name):
    path = live.MODELS / name
    m, rm = session.load(path), mujoco.MjModel.from_xml_path(str(path))
    assert (m.nq, m.nv, m.nu, m.na, m.nsensordata) == (rm.nq, rm.nv, rm.nu, rm.na, rm.nsensordata)
    if name not in ON_THE_EDGE:
        compare_rollout(m, rm, 1e-6)
    compare_stages(m, rm, 1e-6)
    if rm.nv <= 12:
        compare_transition(m, rm, 1e-5)
        compare_inverse_derivatives(m, rm, 1e-6)


@pytest.mark.parametrize("lanes", [1, 4, 8])
@pytest.mark.parametrize("threads", [1, 3])
def test_the_same_bits_for_any_lanes_and_threads(session, lanes, threads):
    text = SMALL["stack, elliptic"].encode()
    x, u = random_states(mujoco.MjModel.from_xml_string(text.decode()), 13)
    want = session.load(text).rollout(x, nstep=30)
    try:
        other = sheaf.connect(threads=threads, lanes=lanes)
    except sheaf.Error as e:
        pytest.skip(str(e))
    with other:
        got = other.load(text).rollout(x, nstep=30)
    assert got.state.tobytes() == want.state.tobytes()


def test_keyframes(session):
    text = """<mujoco><worldbody><body><joint/><joint type="slide"/><geom size=".1"/></body></worldbody>
      <actuator><general joint="j" dyntype="filter"/></actuator>
      <keyframe><key time="1" qpos=".1 .2" qvel="3 4" act="5" ctrl="6"/><key/></keyframe></mujoco>""".replace(
        "<joint/>", '<joint name="j"/>')
    m, rm = session.load(text.encode()), mujoco.MjModel.from_xml_string(text)
    rd = mujoco.MjData(rm)
    for k in range(2):
        mujoco.mj_resetDataKeyframe(rm, rd, k)
        want = np.zeros(m.nstate)
        mujoco.mj_getState(rm, rd, want, FULL)
        assert (m.key_state[k] == want).all()
    assert m.key_ctrl.tolist() == rm.key_ctrl.tolist()


@pytest.mark.parametrize("name", ["stack, elliptic", "servos, RK4", "ball chain, implicit", "walker"])
def test_feedback_is_a_loop_of_the_references_steps(session, name):
    """u = clamp(U + a k + K (x - X)) with the reference's differences of positions, in a loop of its steps."""
    xml = SMALL.get(name) or """<mujoco><option timestep=".005"/><worldbody><geom type="plane" size="5 5 .1"/>
      <body pos="0 0 .6"><freejoint/><geom type="capsule" size=".08 .15"/>
        <body pos="0 0 -.2"><joint name="hip" axis="0 1 0" damping=".3"/><geom type="capsule" fromto="0 0 0 .05 0 -.25" size=".04"/>
          <body pos=".05 0 -.25"><joint type="ball" damping=".1"/><geom type="box" size=".08 .05 .02" pos=".03 0 -.03"/></body>
        </body></body></worldbody><actuator><motor joint="hip" gear="5" ctrllimited="true" ctrlrange="-.4 .3"/>
      <general joint="hip" dyntype="filter" dynprm=".05" gainprm="5"/></actuator></mujoco>"""
    if "<actuator>" not in xml:
        body = "<general joint='j'/>"
        xml = xml.replace("<freejoint/>", "<freejoint name='j'/>", 1).replace('type="hinge"', 'type="hinge" name="j"')
        xml = xml.replace("</mujoco>", f"<actuator>{body}</actuator></mujoco>")
    m, ours = mujoco.MjModel.from_xml_string(xml), session.load(xml.encode())
    d, rng, T, B = mujoco.MjData(m), np.random.default_rng(7), 12, 5
    nx, ndx = mujoco.mj_stateSize(m, FULL), 2 * m.nv + m.na
    x0, X = np.zeros(nx), np.zeros((T, nx))
    for _ in range(3):
        mujoco.mj_step(m, d)
    mujoco.mj_getState(m, d, x0, FULL)
    for t in range(T):
        mujoco.mj_step(m, d)
        mujoco.mj_getState(m, d, X[t], FULL)
    U, k, K = rng.uniform(-.3, .3, (T, m.nu)), rng.uniform(-.3, .3, (T, m.nu)), 0.1 * rng.standard_normal((T, m.nu, ndx))
    steps, want, applied = np.linspace(0, 1, B), np.zeros((B, T, nx)), np.zeros((B, T, m.nu))
    dq, nq = np.zeros(m.nv), m.nq
    for b in range(B):
        mujoco.mj_resetData(m, d)
        mujoco.mj_setState(m, d, x0, FULL)
        for t in range(T):
            mujoco.mj_differentiatePos(m, dq, 1, X[t, 1:1 + nq], d.qpos)
            dx = np.concatenate([dq, d.qvel - X[t, 1 + nq:1 + nq + m.nv], d.act - X[t, 1 + nq + m.nv:1 + nq + m.nv + m.na]])
            u = U[t] + steps[b] * k[t] + K[t] @ dx
            limited = m.actuator_ctrllimited.astype(bool)
            u[limited] = np.clip(u[limited], *m.actuator_ctrlrange[limited].T)
            d.ctrl[:] = applied[b, t] = u
            mujoco.mj_step(m, d)
            mujoco.mj_getState(m, d, want[b, t], FULL)
    r = ours.rollout(x0, k, feedback=(X, U, K), step_size=steps, outputs=("ctrl",))
    assert distance(r.outputs["ctrl"], applied) < 1e-8 and distance(r.state, want) < 1e-8


@pytest.mark.parametrize("name", SMALL)
def test_differences_of_states_are_the_references(session, name):
    m, ours = mujoco.MjModel.from_xml_string(SMALL[name]), session.load(SMALL[name].encode())
    rng, nx, ndx = np.random.default_rng(3), ours.nstate, 2 * m.nv + m.na
    d, x = mujoco.MjData(m), rng.standard_normal((7, nx))
    for row in x:
        d.qpos[:] = row[1:1 + m.nq]
        mujoco.mj_normalizeQuat(m, d.qpos)
        row[1:1 + m.nq] = d.qpos
    dx = ours.diff(x[1:], x[0])
    for got, x1 in zip(dx, x[1:]):
        dq = np.zeros(m.nv)
        mujoco.mj_differentiatePos(m, dq, 1, x[0, 1:1 + m.nq], x1[1:1 + m.nq])
        assert np.allclose(got, np.concatenate([dq, (x1 - x[0])[1 + m.nq:1 + m.nq + m.nv + m.na]]), atol=1e-14)
    step = 0.7 * rng.standard_normal((6, ndx))
    for got, v in zip(ours.integrate(x[0], step), step):
        q = x[0, 1:1 + m.nq].copy()
        mujoco.mj_integratePos(m, q, v[:m.nv], 1)
        assert np.allclose(got, np.concatenate([x[0, :1], q, x[0, 1 + m.nq:1 + m.nq + m.nv + m.na] + v[m.nv:], x[0, 1 + m.nq + m.nv + m.na:]]),
                           atol=1e-14)
    assert np.allclose(ours.diff(ours.integrate(x[0], step), x[0]), step, atol=1e-13)
    with pytest.raises(sheaf.InvalidArgument, match="dx"):
        ours.integrate(x[0], np.zeros(ndx + 1))
