# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Derivatives by numbers of the model against centered differences of the reference with a model that was changed by hand.

Inverse dynamics are compared with mj_inverse after mj_setConst, steps with mj_step whose solver has converged. A column counts if
differences to both sides agree: where a row changes its state there is no derivative.
"""
import copy
import pathlib
import sys

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco")
sheaf = pytest.importorskip("sheaf", reason="pip install ./clients/python")
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import live  # noqa: E402
from test_step_derivatives import FULL, INTEGRATORS, LEFT_OUT, moving_states, session, tight  # noqa: E402,F401

# numbers in which forces are linear, as long as the constants that mj_setConst derives are kept
LINEAR = ("body_mass", "body_inertia", "dof_armature", "dof_damping", "jnt_stiffness", "qpos_spring", "actuator_gainprm",
          "actuator_biasprm", "opt.gravity", "tendon_stiffness", "tendon_damping", "body_gravcomp")
ROWS = ("body_ipos", "dof_frictionloss", "geom_friction", "geom_solref", "geom_solimp", "geom_margin", "geom_solmix",
        "pair_friction", "jnt_range", "jnt_solref", "jnt_solimp", "jnt_margin", "dof_solref", "dof_solimp", "eq_solref", "eq_solimp",
        "tendon_range", "tendon_solref_lim", "tendon_frictionloss")
DIFFERENCES = ("body_pos", "geom_pos", "actuator_gear", "tendon_armature")

RICH = """<mujoco><option gravity="0 .3 -9.81" cone="CONE" impratio="IMPRATIO"/>
<worldbody><geom name="floor" type="plane" size="5 5 .1" friction=".6 .01 .002"/><site name="hook" pos=".1 .2 .6"/>
 <body name="top" pos="0 0 .35" gravcomp=".4"><freejoint/><geom size=".1" pos=".02 .01 0" mass="1.3" friction=".8 .02 .001"/>
  <geom type="box" size=".05 .07 .12" pos="0 .05 -.1" mass=".7" condim="6"/>
  <body name="arm" pos=".12 0 0"><joint name="shoulder" axis="0 1 0" range="-20 20" limited="true" damping=".3" stiffness="2" springref="10" armature=".02" frictionloss=".05"/>
   <geom type="capsule" fromto="0 0 0 .25 0 -.1" size=".04" mass=".5" condim="4"/>
   <body name="hand" pos=".25 0 -.1"><joint name="wrist" axis="0 0 1" damping=".1" frictionloss=".2"/><geom name="ball" size=".06" mass=".3" pos="0 .03 -.05"/><site name="grip" pos="0 .03 .05"/></body></body>
  <body name="leg" pos="-.12 0 -.1"><joint name="hip" type="ball" stiffness="1" range="0 25" limited="true" damping=".1"/><geom type="capsule" fromto="0 0 0 0 .05 -.2" size=".035" mass=".4"/>
   <body name="foot" pos="0 .05 -.2"><joint name="ankle" type="slide" axis="1 0 0" armature=".1"/><geom name="sole" size=".05" mass=".2" priority="1" friction="1.1 .01 .003"/></body></body>
 </body></worldbody>
<tendon><fixed name="cord" stiffness="3" damping=".2" springlength=".02" range="-.1 .05" limited="true" frictionloss=".03"><joint joint="shoulder" coef=".5"/><joint joint="wrist" coef="-.3"/></fixed><spatial armature=".3"><site site="hook"/><site site="grip"/></spatial></tendon>
<equality><joint joint1="wrist" joint2="ankle" polycoef="0 .5 .1 0 0"/></equality>
<actuator><motor joint="shoulder" gear="3"/><position joint="wrist" kp="4" kv=".3"/><general tendon="cord" gaintype="affine" gainprm="2 .4 .1" biastype="affine" biasprm=".1 -.5 -.2"/></actuator>
<contact><pair geom1="floor" geom2="ball" condim="3" friction=".9 .7 .01 .001 .001"/></contact></mujoco>"""


def states(m, n, seed=0):
    x, u = moving_states(m, n, seed=seed)[:2]
    rng = np.random.default_rng(seed)
    return x[:, 1:1 + m.nq], x[:, 1 + m.nq:1 + m.nq + m.nv], 3 * rng.standard_normal((n, m.nv)), x, u


def array_of(m, name):
    return m.opt.gravity if name == "opt.gravity" else getattr(m, name)


def nudged(m, name, k, delta, keep, d):
    own = copy.copy(m)
    array_of(own, name).reshape(-1)[k] += delta
    own.body_sameframe[:] = own.geom_sameframe[:] = own.site_sameframe[:] = 0    # who changes numbers by hand has to say that
    if not keep:
        mujoco.mj_setConst(own, d)
    return own


def inverse(m, d, q, v, a, u, actuation):
    mujoco.mj_resetData(m, d)
    d.qpos[:], d.qvel[:], d.qacc[:], d.ctrl[:] = q, v, a, u
    mujoco.mj_inverse(m, d)
    force = d.qfrc_inverse.copy()
    if actuation:
        d.qpos[:], d.qvel[:], d.ctrl[:] = q, v, u
        mujoco.mj_fwdActuation(m, d)
        force -= d.qfrc_actuator
    return force


def step(m, d, x, u):
    mujoco.mj_resetData(m, d)
    mujoco.mj_setState(m, d, x, FULL)
    d.ctrl[:] = u
    mujoco.mj_step(m, d)
    return d.qpos.copy(), d.qvel.copy(), d.act.copy()


def difference(m, high, low):
    dq = np.zeros(m.nv)
    mujoco.mj_differentiatePos(m, dq, 1, low[0], high[0])
    return np.concatenate([dq, high[1] - low[1], high[2] - low[2]])


def compare(m, name, f, minus, got, keep, tol, elements, scale, eps):
    """The columns of a number against differences; how many counted."""
    d, counted = mujoco.MjData(m), 0
    values = array_of(m, name).reshape(-1)
    for k in elements:
        h = eps * max(0.1 if keep else 1e-2, abs(values[k]))
        here = f(m)
        high, low = f(nudged(m, name, k, h, keep, d)), f(nudged(m, name, k, -h, keep, d))
        right, left, both = minus(high, here) / h, minus(here, low) / h, minus(high, low) / (2 * h)
        size = max(np.abs(both).max(), scale)
        if np.abs(right - left).max() > 2e-2 * size:
            continue
        counted += 1
        error = np.abs(got[:, k] - both).max() / size
        assert error <= tol, (name, int(k), error, got[:, k].tolist(), both.tolist())
    return counted


def present(m, name):
    """Elements whose change does not change the structure of the model. Where the reference has the diagonal of the inertia as a
    constant (simple bodies and dofs), it does not follow the numbers without mj_setConst."""
    values = array_of(m, name).reshape(-1)
    keep = np.arange(values.size)
    if name == "dof_armature":
        return [k for k in keep if not m.dof_simplenum[k]]
    if name == "body_mass":
        return [k for k in keep if values[k] > 0 and not m.body_simple[k]]
    if name in ("actuator_gainprm", "actuator_biasprm"):
        return [k for k in keep if k % 10 < 3 and values[k] != 0]
    if name == "body_inertia":
        return [k for k in keep if k >= 3 and values[k] > 0 and not m.body_simple[k // 3]]
    if name == "body_ipos":
        return [k for k in keep if not m.body_simple[k // 3]]
    if name == "qpos_spring":
        return [m.jnt_qposadr[j] for j in range(m.njnt) if m.jnt_type[j] >= 2 and m.jnt_stiffness[j]]
    if name in ("jnt_stiffness", "dof_damping", "dof_frictionloss", "tendon_stiffness", "tendon_damping",
                "tendon_frictionloss", "body_gravcomp"):
        return [k for k in keep if values[k] > 0]
    if name in ("jnt_solimp", "geom_solimp", "dof_solimp", "eq_solimp"):
        return [k for k in keep if k % 5 < 3]
    if name in ("body_pos", "actuator_gear"):
        return [k for k in keep if values[k] != 0]
    return list(keep)


def names_of(m, names):
    return [n for n in names if len(present(m, n))]


def check_inverse(session, m, text, names, keep, tol, eps, n=3, seed=0, actuation=True):
    q, v, a, _, u = states(m, n, seed)
    ours = session.load(text)
    counted = 0
    for name in names_of(m, names):
        r = ours.inverse_regressor(q, v, a, ctrl=u, by=name, actuation=actuation, keep_constants=keep)
        if name != "qpos_spring":  # that of balls has no formula
            assert (r.fallback == ()) == (name not in DIFFERENCES), (name, r.fallback)
        for i in range(n):
            d = mujoco.MjData(m)
            force = lambda own: inverse(own, d, q[i], v[i], a[i], u[i], actuation)
            got = r[name][i].reshape(m.nv, -1)
            scale = 1e-3 if name in LINEAR else 1e-2
            counted += compare(m, name, force, np.subtract, got, keep, tol, present(m, name), scale, eps)
    return counted


@pytest.mark.parametrize("cone,impratio", [("pyramidal", 1), ("elliptic", 1), ("elliptic", 5)])
def test_forces_by_every_kind_of_number(session, cone, impratio):
    text = RICH.replace("CONE", cone).replace("IMPRATIO", str(impratio)).encode()
    m = mujoco.MjModel.from_xml_string(text.decode())
    assert check_inverse(session, m, text, LINEAR, True, 1e-8, 0.5, seed=1) > 60
    assert check_inverse(session, m, text, LINEAR + ROWS, False, 1e-5, 1e-4, seed=1) > 100
    assert check_inverse(session, m, text, DIFFERENCES, False, 1e-5, 1e-4, seed=1) > 5


@pytest.mark.parametrize("file", [f for f in live.model_files() if f not in LEFT_OUT])
def test_forces_of_shared_models(session, file):
    path = live.MODELS / file
    m = mujoco.MjModel.from_xml_path(str(path))
    if m.opt.enableflags & mujoco.mjtEnableBit.mjENBL_SLEEP or m.opt.density or m.opt.viscosity or m.ntendon > 4:
        pytest.skip("has what regressors do not cover, or no formulas")
    assert check_inverse(session, m, path, LINEAR, True, 1e-8, 0.5, n=2) > 0
    check_inverse(session, m, path, ("body_mass", "body_ipos", "geom_friction"), False, 1e-5, 1e-4, n=1)


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_steps_by_numbers(session, tmp_path, integrator, cone):
    source = tmp_path / "rich.xml"
    text = RICH.replace("CONE", cone).replace("IMPRATIO", "1")
    if integrator in INTEGRATORS[:2]:  # COMPATIBILITY.md: derivatives by velocity at the limits of forces
        text = text.replace('<fixed name="cord"', '<fixed name="cord" actuatorfrcrange="-.1 .05" actuatorfrclimited="true"')
        text = text.replace("</actuator>", '<motor tendon="cord" gear="2"/></actuator>')
    source.write_text(text)
    m, text = tight(source, tmp_path, integrator)
    _, _, _, x, u = states(m, 2, seed=3)
    ours, counted = session.load(text), 0
    for name in names_of(m, ("body_mass", "body_ipos", "dof_damping", "dof_armature", "geom_friction", "actuator_gainprm",
                             "actuator_biasprm", "opt.gravity", "tendon_damping", "geom_pos")):
        r = ours.transition_regressor(x, u, by=name, next_state=True)
        for i in range(len(x)):
            d = mujoco.MjData(m)
            move = lambda own: step(own, d, x[i], u[i])
            got = r[name][i].reshape(2 * m.nv + m.na, -1)
            counted += compare(m, name, move, lambda p, q: difference(m, p, q), got, False, 1e-5, present(m, name)[::3], 1e-3, 1e-4)
    assert counted > 30


BODY = '<worldbody><body><freejoint/><geom size=".1"/><body pos=".2 0 0"><joint name="j"/><geom size=".05"/></body></body>{}</worldbody>'
OBSTACLES = {
    "trees that sleep from the start": '<option><flag sleep="enable"/></option>' + BODY.format("").replace("<body>", '<body sleep="init">', 1),
    "noslip": '<option noslip_iterations="2"/>' + BODY.format(""),
    "plugins of actuators": '<extension><plugin plugin="mujoco.pid"/></extension>' + BODY.format("")
                            + '<actuator><plugin plugin="mujoco.pid" joint="j"><config key="kp" value="4"/></plugin></actuator>',
}
FALLBACKS = {"noslip": "noslip", "plugins of actuators": "force"}


@pytest.mark.parametrize("what", OBSTACLES)
def test_what_keeps_a_model_from_formulas_is_named(session, what):
    """And differences work. Of noslip and of plugins, only regressors have none."""
    m = session.load(f"<mujoco>{OBSTACLES[what]}</mujoco>")
    with pytest.raises(sheaf.FailedPrecondition, match=f"without {what}, got"):
        m.transition_regressor(m.state0)
    r = m.transition_derivatives(m.state0[None])
    assert r.fallback and np.isfinite(r.A).all()
    if what in FALLBACKS:
        assert r.fallback == (FALLBACKS[what],)
        return
    assert r.fallback == ("step",)
    with pytest.raises(sheaf.FailedPrecondition, match=f"a model with {what}, got"):
        m.transition_derivatives(m.state0[None], mode="implicit")
    with pytest.raises(sheaf.FailedPrecondition, match=f"without {what}, got"):
        m.inverse_regressor()


FLEX = """<mujoco><size memory="20M"/><worldbody><geom name="floor" type="plane" size="2 2 .1" friction=".6"/>
<body pos=".1 .1 .1"><freejoint/><geom size=".1" mass=".4"/></body>
<flexcomp name="f" type="grid" dim="2" count="3 2 1" spacing=".15 .15 .1" pos=".1 .1 .215" radius=".02" mass=".2">
<elasticity young="3e4" poisson=".2" thickness=".01" damping=".002" elastic2d="bend"/><edge equality="true"/>
<contact selfcollide="none" internal="false" solref=".03 1"/></flexcomp></worldbody></mujoco>"""


def test_numbers_of_models_with_flexes_are_differences(session, tmp_path):
    m = mujoco.MjModel.from_xml_string(FLEX)
    q, v, a, _, u = states(m, 2)
    ours, d, counted = session.load(FLEX), mujoco.MjData(m), 0
    for name in ("body_mass", "geom_friction", "opt.gravity"):
        r = ours.inverse_regressor(q, v, a, by=name, actuation=False)
        assert r.fallback == ("parameter",)
        for i in range(len(q)):
            force = lambda own: inverse(own, d, q[i], v[i], a[i], u[i], False)
            counted += compare(m, name, force, np.subtract, r[name][i].reshape(m.nv, -1), False, 1e-5, present(m, name)[:12], 1e-2, 1e-4)
    assert counted > 15
