# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Record numbers of the reference for tests/golden: python tests/golden/record.py (needs mujoco 3.4.0 and numpy).

Each file of numbers/ is a list of lines that test_golden.c carries out from the top:
  compiled NAME N x..     an array of the model
  option NAME x           set a field of the options
  reset                   mj_resetData
  set NAME N x..          copy into an array of the data
  run forward|inverse|step|fd
  expect TOL NAME N x..   an array of the data, or one of: dist (contact distances), A B C D (of the last fd)
"""
import pathlib
import sys

import mujoco
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import fused  # noqa: E402

COMPILED = """body_mass body_inertia body_ipos body_iquat body_invweight0 dof_invweight0 geom_size geom_pos geom_quat geom_rbound
geom_aabb jnt_range qpos0 qpos_spring body_subtreemass tendon_length0 tendon_invweight0 tendon_lengthspring actuator_acc0 actuator_length0
actuator_gainprm actuator_biasprm actuator_dynprm actuator_forcerange actuator_actrange eq_data key_qpos""".split()
SMOOTH = """xpos xquat xipos geom_xpos geom_xmat site_xpos subtree_com cinert ten_length actuator_length qM qLD cvel cdof_dot
ten_velocity actuator_velocity qfrc_bias qfrc_passive actuator_force qfrc_actuator act_dot qacc_smooth energy""".split()
CONSTRAINT = "qacc qfrc_constraint sensordata".split()
INPUTS = "qpos qvel act ctrl qfrc_applied xfrc_applied mocap_pos mocap_quat".split()
I, C, S = mujoco.mjtIntegrator, mujoco.mjtCone, mujoco.mjtSolver
METHODS = [(I.mjINT_EULER, C.mjCONE_ELLIPTIC, S.mjSOL_NEWTON), (I.mjINT_EULER, C.mjCONE_PYRAMIDAL, S.mjSOL_NEWTON),
           (I.mjINT_IMPLICIT, C.mjCONE_PYRAMIDAL, S.mjSOL_NEWTON), (I.mjINT_IMPLICITFAST, C.mjCONE_ELLIPTIC, S.mjSOL_CG),
           (I.mjINT_RK4, C.mjCONE_PYRAMIDAL, S.mjSOL_NEWTON), (I.mjINT_EULER, C.mjCONE_PYRAMIDAL, S.mjSOL_PGS),
           (I.mjINT_EULER, C.mjCONE_ELLIPTIC, S.mjSOL_PGS)]


class Recorder:
    def __init__(self, file):
        path = HERE / "models" / file
        self.m = mujoco.MjModel.from_xml_path(str(path))
        if path.suffix == ".urdf":
            fused.correct(self.m, fused.whole(path))
        self.d, self.lines = mujoco.MjData(self.m), []

    def numbers(self, prefix, name, values):
        values = np.asarray(values, float).ravel()
        if values.size:
            self.lines.append(" ".join([prefix, name, str(values.size), *("%.17g" % x for x in values)]))

    def option(self, name, value):
        setattr(self.m.opt, name, value)
        self.lines.append(f"option {name} {int(value)}")

    def state(self, rng, scale):
        """A random state near the reference configuration, with all inputs."""
        m, d = self.m, self.d
        mujoco.mj_resetData(m, d)
        self.lines.append("reset")
        mujoco.mj_integratePos(m, d.qpos, 0.03 * scale * rng.standard_normal(m.nv), 1)
        d.qvel[:], d.act[:] = 0.3 * scale * rng.standard_normal(m.nv), 0.5 * rng.random(m.na)
        d.ctrl[:] = rng.uniform(-0.2, 1, m.nu)
        d.qfrc_applied[:] = 0.1 * rng.standard_normal(m.nv)
        d.xfrc_applied[1:] = 0.1 * rng.standard_normal((m.nbody - 1, 6))
        for name in INPUTS:
            self.numbers("set", name, getattr(d, name))

    def expect(self, tol, names):
        for name in names:
            self.numbers(f"expect {tol}", name, getattr(self.d, name))

    def run(self, what):
        self.lines.append(f"run {what}")
        {"forward": mujoco.mj_forward, "inverse": mujoco.mj_inverse, "step": mujoco.mj_step}[what](self.m, self.d)

    def forward_inverse(self):
        d = self.d
        self.run("forward")
        self.expect("1e-9", SMOOTH)
        self.numbers("expect 1e-7", "dist", [c.dist for c in d.contact])
        self.expect("1e-6", CONSTRAINT)
        self.run("inverse")
        self.expect("1e-6", ["qfrc_inverse"])

    def derivatives(self):
        m, nv, ns = self.m, self.m.nv, self.m.nsensordata
        ndx = 2 * nv + m.na
        out = {"A": np.zeros((ndx, ndx)), "B": np.zeros((ndx, m.nu)), "C": np.zeros((ns, ndx)), "D": np.zeros((ns, m.nu))}
        mujoco.mjd_transitionFD(m, self.d, 1e-6, True, *(a if a.size else None for a in out.values()))
        out["D"] *= -1    # 3.4.0 returns centered differences of sensors by controls with the opposite sign
        self.lines.append("run fd")
        for name, a in out.items():
            # a few columns say enough
            self.numbers("expect 1e-5", name, a[:, :4])

    def record(self):
        rng = np.random.default_rng(7)
        for name in COMPILED:
            self.numbers("compiled", name, getattr(self.m, name))
        for scale in (0, 0.5, 1):
            self.state(rng, scale)
            self.forward_inverse()
        if self.m.nv < 20:
            self.state(rng, 0.5)
            self.derivatives()
        for integrator, cone, solver in METHODS:
            self.option("integrator", integrator)
            self.option("cone", cone)
            self.option("solver", solver)
            self.state(rng, 0.5)
            for _ in range(10):
                self.run("step")
            self.expect("1e-6", ["qpos", "qvel", "act"])
        return "\n".join(self.lines) + "\n"


if __name__ == "__main__":
    assert mujoco.__version__ == "3.4.0", mujoco.__version__
    for path in sorted((HERE / "models").iterdir()):
        (HERE / "numbers" / f"{path.stem}.txt").write_text(Recorder(path.name).record())
