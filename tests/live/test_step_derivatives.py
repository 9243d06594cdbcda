# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Derivatives of steps and of inverse dynamics against centered differences of the reference, whose solver has converged.

A column counts if differences to both sides agree: where a row begins or changes its state there is no derivative.
"""
import pathlib
import sys

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco")
sheaf = pytest.importorskip("sheaf", reason="pip install ./clients/python")
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import live  # noqa: E402

FULL = mujoco.mjtState.mjSTATE_FULLPHYSICS
for library in sorted((pathlib.Path(mujoco.__file__).parent / "plugin").glob("*.so")):
    mujoco.mj_loadPluginLibrary(str(library))
INTEGRATORS = [mujoco.mjtIntegrator.mjINT_EULER, mujoco.mjtIntegrator.mjINT_RK4, mujoco.mjtIntegrator.mjINT_IMPLICIT,
               mujoco.mjtIntegrator.mjINT_IMPLICITFAST]

# too slow for differences of every column: some of them are below; without a dof; resting at a distance of exactly zero
LEFT_OUT = {"dm_control/humanoid_CMU.xml", "mujoco/cube/cube_3x3x3.xml", "dm_control/lqr.xml", "gymnasium/point.xml"}


@pytest.fixture(scope="module")
def session():
    live.library()
    with sheaf.connect(threads=2) as s:
        yield s


def tight(path, tmp_path, integrator=None, cone=None):
    """The model with a solver that converges, as both engines read it: text has fewer digits than the compiled model."""
    spec = mujoco.MjSpec.from_file(str(path))
    option = spec.option
    option.tolerance, option.iterations, option.ls_tolerance, option.ls_iterations = 0, 200, 1e-10, 200
    option.solver = mujoco.mjtSolver.mjSOL_NEWTON
    if integrator is not None:
        option.integrator = integrator
    if cone is not None:
        option.cone = cone
    for kind in ("meshdir", "texturedir"):
        setattr(spec.compiler, kind, str(path.parent / getattr(spec.compiler, kind)) if hasattr(spec.compiler, kind) else "")
    spec.compile()
    out = tmp_path / "model.xml"
    out.write_text(spec.to_xml())
    return mujoco.MjModel.from_xml_path(str(out)), out


def moving_states(m, n, every=20, seed=0):
    rng, d = np.random.default_rng(seed), mujoco.MjData(m)
    mujoco.mj_integratePos(m, d.qpos, 0.05 * rng.standard_normal(m.nv), 1)
    low = np.where(m.actuator_ctrllimited, m.actuator_ctrlrange[:, 0], -1)
    high = np.where(m.actuator_ctrllimited, m.actuator_ctrlrange[:, 1], 1)
    x, u = [], []
    for _ in range(n):
        for _ in range(every):
            d.ctrl[:] = (low + high) / 2 + 0.3 * (high - low) * rng.uniform(-1, 1, m.nu)
            mujoco.mj_step(m, d)
        state = np.zeros(mujoco.mj_stateSize(m, FULL))
        mujoco.mj_getState(m, d, state, FULL)
        x.append(state)
        u.append(d.ctrl.copy())
    return np.array(x), np.array(u)


class Stepper:
    """Steps of the reference from one state, with one input moved."""

    def __init__(self, m):
        self.m, self.d, self.nv, self.ndx = m, mujoco.MjData(m), m.nv, 2 * m.nv + m.na

    def step(self, x, u, k, eps):
        m, d, nv = self.m, self.d, self.nv
        mujoco.mj_setState(m, d, x, FULL)
        d.ctrl[:], d.qacc_warmstart[:] = u, 0
        if k < nv:
            mujoco.mj_integratePos(m, d.qpos, np.eye(nv)[k], eps)
        elif k < 2 * nv:
            d.qvel[k - nv] += eps
        elif k < self.ndx:
            d.act[k - 2 * nv] += eps
        else:
            d.ctrl[k - self.ndx] += eps
        mujoco.mj_step(m, d)
        return d.qpos.copy(), np.concatenate([d.qvel, d.act])

    def difference(self, x, u, k, low, high):
        a, b, dq = self.step(x, u, k, low), self.step(x, u, k, high), np.zeros(self.nv)
        mujoco.mj_differentiatePos(self.m, dq, high - low, a[0], b[0])
        return np.concatenate([dq, (b[1] - a[1]) / (high - low)])

    def column(self, x, u, k, eps=1e-6):
        """Centered difference, or None where the function bends or a smaller nudge disagrees."""
        central = self.difference(x, u, k, -eps, eps)
        scale = max(1, np.abs(central).max())
        bend = lambda e: np.abs(self.difference(x, u, k, -e, 0) - self.difference(x, u, k, 0, e)).max()
        apart = bend(eps)

        # of a smooth function both sides come nearer to each other as they get smaller; of a kink they do not
        if apart > 1e-5 * scale and bend(eps / 4) > 0.6 * apart:
            return None
        small = np.abs(self.difference(x, u, k, -eps / 2, eps / 2) - central).max()
        return central if apart < 2e-2 * scale and small < 2e-6 * scale else None


def check(session, path, tmp_path, n=3, stride=1, **options):
    m, text = tight(path, tmp_path, **options)
    x, u = moving_states(m, n)
    if not np.isfinite(x).all():
        pytest.skip("the reference diverges")
    r = session.load(text).transition_derivatives(x, u, mode="implicit")
    stepper, used, total = Stepper(m), 0, 0
    for i in range(n):
        got = np.concatenate([r.A[i], r.B[i]], axis=1)
        want = [stepper.column(x[i], u[i], k) if (k - m.nv * (k >= m.nv)) % stride == 0 else None for k in range(got.shape[1])]
        for block in (range(0, m.nv, stride), range(m.nv, got.shape[1], stride)):
            columns = [k for k in block if want[k] is not None]
            used, total = used + len(columns), total + len(block)
            if not columns:
                continue
            reference = np.array([want[k] for k in columns]).T
            off = np.abs(got[:, columns] - reference).max() / max(1, np.abs(reference).max())
            assert off < 1e-5, (i, off)
        state = np.concatenate([r.next_state[i, 1:1 + m.nq], r.next_state[i, 1 + m.nq:1 + m.nq + m.nv + m.na]])
        q, rest = stepper.step(x[i], u[i], 0, 0)
        assert live.difference(state, np.concatenate([q, rest])) < 1e-8
    assert used > total / 2, (used, total)
    return r


FILES = [f for f in live.model_files() if f not in LEFT_OUT]


@pytest.mark.parametrize("file", FILES)
def test_derivatives_of_a_model_are_those_of_its_steps(session, tmp_path, file):
    check(session, live.MODELS / file, tmp_path)


@pytest.mark.skipif(not FILES, reason="no models")
@pytest.mark.parametrize("file, stride", [("dm_control/humanoid_CMU.xml", 3), ("mujoco/cube/cube_3x3x3.xml", 7)])
def test_derivatives_of_large_models_are_those_of_their_steps(session, tmp_path, file, stride):
    check(session, live.MODELS / file, tmp_path, n=1, stride=stride)


@pytest.mark.parametrize("cone", [mujoco.mjtCone.mjCONE_PYRAMIDAL, mujoco.mjtCone.mjCONE_ELLIPTIC])
@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("file", [f for f in ("gymnasium/half_cheetah.xml", "gymnasium/ant.xml", "mujoco/arm26.xml") if f in FILES])
def test_every_integrator_and_cone_has_derivatives(session, tmp_path, file, integrator, cone):
    check(session, live.MODELS / file, tmp_path, n=2, integrator=integrator, cone=cone)


@pytest.mark.parametrize("file", [f for f in FILES if f.startswith("dm_control")][:8])
def test_derivatives_of_inverse_dynamics_are_those_of_the_reference(session, tmp_path, file):
    m, text = tight(live.MODELS / file, tmp_path)
    x, _ = moving_states(m, 2)
    d, nv = mujoco.MjData(m), m.nv
    qacc = np.random.default_rng(3).standard_normal((2, nv))
    q, v = x[:, 1:1 + m.nq], x[:, 1 + m.nq:1 + m.nq + nv]
    r = session.load(text).inverse_derivatives(qpos=q, qvel=v, qacc=qacc, mode="analytic")
    for i in range(2):
        def force(k, eps):
            d.qpos[:], d.qvel[:], d.qacc[:] = q[i], v[i], qacc[i]
            if k < nv:
                mujoco.mj_integratePos(m, d.qpos, np.eye(nv)[k], eps)
            elif k < 2 * nv:
                d.qvel[k - nv] += eps
            else:
                d.qacc[k - 2 * nv] += eps
            mujoco.mj_inverse(m, d)
            return d.qfrc_inverse.copy()

        zero = force(0, 0)
        for matrix, start in ((r.DfDq, 0), (r.DfDv, nv), (r.DfDa, 2 * nv)):
            # positions move residuals of stiff rows: a small nudge, whose rounding counts against the largest entry
            eps = 1e-7 if start == 0 else 1e-5
            sides = [(force(start + k, eps), force(start + k, -eps)) for k in range(nv)]
            want = np.array([(up - down) / (2 * eps) for up, down in sides]).T
            scale = max(1, np.abs(want).max())
            smooth = [k for k, (up, down) in enumerate(sides) if np.abs(up - 2 * zero + down).max() / eps < 2e-2 * scale]
            assert np.abs(matrix[i][:, smooth] - want[:, smooth]).max(initial=0) < 1e-5 * scale, (i, start)


# what has no formula: forces of flexes and plugins
CLOTH = """<mujoco><option timestep=".002" INTEGRATOR/><size memory="20M"/><worldbody><geom type="plane" size="2 2 .1"/>
<body pos=".1 .1 .12"><freejoint/><geom size=".1" mass=".4"/></body>
<flexcomp name="f" type="grid" dim="2" count="3 3 1" spacing=".15 .15 .1" pos=".1 .1 .245" radius=".02" mass=".2">
<elasticity young="3e4" poisson=".2" thickness=".01" damping=".002" elastic2d="both"/><edge damping=".02"/>
<contact selfcollide="none" internal="false" solref=".03 1"/></flexcomp></worldbody></mujoco>"""
CABLE = """<mujoco><option timestep=".001" INTEGRATOR/><extension><plugin plugin="mujoco.elasticity.cable"/></extension><worldbody>
<geom type="plane" size="2 2 .1" pos="0 0 -.1"/><composite type="cable" curve="s 0 0" count="5 1 1" size=".8" offset="0 0 .02" initial="none">
<plugin plugin="mujoco.elasticity.cable"><config key="twist" value="1e6"/><config key="bend" value="4e6"/></plugin>
<joint kind="main" damping=".01"/><geom type="capsule" size=".02" density="1000"/></composite></worldbody></mujoco>"""

CONTROLLER = '<plugin plugin="mujoco.pid" {}><config key="kp" value="{}"/><config key="kd" value="{}"/></plugin>'
PID = f"""<mujoco><option timestep=".002" INTEGRATOR/><extension><plugin plugin="mujoco.pid"/></extension><worldbody>
<geom type="plane" size="2 2 .1"/><body pos="0 0 .2"><joint name="x" type="slide" axis="1 0 0"/><joint name="z" type="slide" axis="0 0 1"/>
<geom size=".1"/><site name="a" pos=".1 0 .1"/><body pos=".2 0 0"><joint name="b" type="ball"/><geom type="capsule" size=".05"
fromto="0 0 0 .3 0 0"/><site name="c" pos=".3 .05 0"/></body></body><site name="w" pos=".1 .2 .6"/></worldbody>
<tendon><spatial name="t"><site site="w"/><site site="c"/></spatial></tendon><actuator>
{CONTROLLER.format('joint="x" gear="2" forcerange="-9 9"', 40, 3)}{CONTROLLER.format('joint="b" gear="1 -.5 .3"', 3, .2)}
{CONTROLLER.format('joint="z" dyntype="filter" dynprm=".05" actdim="1"', 90, .1)}{CONTROLLER.format('tendon="t"', 60, 2)}
<plugin plugin="mujoco.pid" joint="x" actdim="2"><config key="kp" value="9"/><config key="ki" value="20"/><config key="slewmax" value="90"/>
</plugin><position joint="z" kp="5"/></actuator></mujoco>"""


@pytest.mark.parametrize("integrator", ["implicitfast", "RK4"])
@pytest.mark.parametrize("model", [CLOTH, CABLE, PID], ids=["cloth", "cable", "pid"])
def test_derivatives_of_flexes_and_plugins(session, tmp_path, model, integrator):
    source = tmp_path / "source.xml"
    source.write_text(model.replace("INTEGRATOR", f'integrator="{integrator}"'))
    r = check(session, source, tmp_path, n=1)
    assert "force" in r.fallback and "step" not in r.fallback, r.fallback
