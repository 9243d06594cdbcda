# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""What tests share that run the engine next to the reference on the same model.

SHEAF_LIBRARY names the engine's shared library. Models of folders are looked for in SHEAF_MODELS, by default
`shared/models` beside the repository; tests that need them are skipped if they are not there.
"""
import ctypes
import functools
import os
import pathlib

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco")
import bridge  # noqa: E402

_ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = pathlib.Path(os.environ.get("SHEAF_MODELS", _ROOT.parent / "shared" / "models"))


@functools.cache
def library():
    path = os.environ.get("SHEAF_LIBRARY")
    if not path:
        pytest.skip("SHEAF_LIBRARY is not set")
    return bridge.load(path)


def is_own_limit(reason):
    """Does the reference refuse for want of its own memory, or for a pivot of its own matrices? Such models may run here."""
    return any(text in reason for text in ("mj_stackAlloc", "mj_arenaAlloc", "rank-deficient", "mju_factorLUSparse"))


def model_files():
    """Paths of complete models, relative to MODELS."""
    if not MODELS.is_dir():
        return []
    files = sorted(p.relative_to(MODELS) for p in MODELS.rglob("*.xml"))
    return [str(p) for p in files if "common" not in p.parts and p.name != "22_humanoids.xml"]


class Pair:
    """The same model in both: rm, rd of the reference, m, d ours."""

    def __init__(self, reference_model):
        self.lib = library()
        self.rm = reference_model
        mend(self.rm)
        self.rd = mujoco.MjData(self.rm)
        self.m = bridge.adopt(self.lib, self.rm)
        self.d = bridge.Data(self.lib, self.m)

    def __del__(self):
        if hasattr(self, "d"):
            self.lib.mj_deleteData(self.d.ptr)
            self.lib.mj_deleteModel(self.m.ptr)

    @classmethod
    def from_text(cls, xml):
        return cls(mujoco.MjModel.from_xml_string(xml))

    @classmethod
    def from_file(cls, name):
        return cls(mujoco.MjModel.from_xml_path(str(MODELS / name)))

    def randomize(self, rng, scale=0.3):
        """The same random state and inputs in both."""
        rm, rd = self.rm, self.rd
        mujoco.mj_resetData(rm, rd)
        mujoco.mj_integratePos(rm, rd.qpos, scale * rng.standard_normal(rm.nv), 1)
        rd.qvel[:] = rng.standard_normal(rm.nv)
        rd.ctrl[:] = rng.standard_normal(rm.nu)
        rd.act[:] = rng.random(rm.na)
        self.copy_state()

    def copy_state(self):
        """Our state and inputs from the reference's."""
        self.lib.mj_resetData(self.m.ptr, self.d.ptr)
        self.d.time = self.rd.time
        for name in ("qpos", "qvel", "act", "ctrl", "qfrc_applied", "xfrc_applied", "mocap_pos", "mocap_quat",
                     "qacc_warmstart"):
            value = getattr(self.rd, name)
            if value.size:
                getattr(self.d, name)[:] = value

    def call(self, *names):
        """Call stage functions in both."""
        for name in names:
            getattr(mujoco, name)(self.rm, self.rd)
            getattr(self.lib, name)(self.m.ptr, self.d.ptr)

    def off(self, *names):
        """Largest difference over arrays, relative where the reference is larger than one; with its array."""
        worst = (0.0, "")
        for name in names:
            want, got = right(self.rm, name, getattr(self.rd, name)), right(self.rm, name, getattr(self.d, name))
            if want.size:
                worst = max(worst, (difference(got, want), name))
        return worst


# ---- what 3.4.0 has wrong and a later release repaired (engine/COMPATIBILITY.md)

def mend(rm):
    """Lets gravity compensation reach every joint: in 3.4.0 the share of a joint's own body must not be zero."""
    if rm.ngravcomp:
        rm.body_gravcomp[rm.body_gravcomp == 0] = 1e-300


def body_of(rm, objtype, objid):
    """The body of a sensor's object."""
    kinds = mujoco.mjtObj
    owners = {kinds.mjOBJ_SITE: rm.site_bodyid, kinds.mjOBJ_GEOM: rm.geom_bodyid, kinds.mjOBJ_CAMERA: rm.cam_bodyid}
    return owners[objtype][objid] if objtype in owners else objid


def welded(rm):
    return (rm.eq_type == mujoco.mjtEq.mjEQ_WELD).any()


def right(rm, name, values):
    """The numbers of an array that 3.4.0 has right."""
    if name in ("cfrc_ext", "cfrc_int") and welded(rm):
        return np.asarray(values).reshape(-1, 6)[:, 3:]    # no torques
    return np.asarray(values)[right_sensors(rm)] if name == "sensordata" else values


def right_sensors(rm):
    """Of each number in sensordata: is it neither a torque of a weld nor an acceleration of what is fixed in the world?"""
    kinds, keep = mujoco.mjtSensor, np.ones(rm.nsensordata, bool)
    for i in range(rm.nsensor):
        kind = rm.sensor_type[i]
        if kind in (kinds.mjSENS_ACCELEROMETER, kinds.mjSENS_FRAMELINACC):
            wrong = rm.body_weldid[body_of(rm, rm.sensor_objtype[i], rm.sensor_objid[i])] == 0
        else:
            wrong = kind == kinds.mjSENS_TORQUE and welded(rm)
        if wrong:
            keep[rm.sensor_adr[i]:rm.sensor_adr[i] + rm.sensor_dim[i]] = False
    return keep


def held(rm, rd):
    """Does the derivative of an actuator force matter that 3.4.0 has wrong: at a limit, or of an early activation?"""
    implicit = (mujoco.mjtIntegrator.mjINT_IMPLICIT, mujoco.mjtIntegrator.mjINT_IMPLICITFAST)
    if rm.opt.integrator not in implicit or not rm.nu:
        return False

    def at_end(values, limited, ranges):
        return (limited.astype(bool) & ((values <= ranges[:, 0] + 1e-9) | (values >= ranges[:, 1] - 1e-9))).any()

    tendon = rm.actuator_trntype == mujoco.mjtTrn.mjTRN_TENDON
    pull = np.zeros(rm.ntendon)
    np.add.at(pull, rm.actuator_trnid[tendon, 0], rd.actuator_force[tendon])
    return (at_end(rd.actuator_force, rm.actuator_forcelimited, rm.actuator_forcerange) or rm.actuator_actearly.any()
            or at_end(rd.ctrl, rm.actuator_ctrllimited, rm.actuator_ctrlrange)
            or at_end(rd.qfrc_actuator[rm.jnt_dofadr], rm.jnt_actfrclimited, rm.jnt_actfrcrange)
            or at_end(pull, rm.tendon_actfrclimited, rm.tendon_actfrcrange))


def difference(got, want):
    got, want = np.asarray(got, float).ravel(), np.asarray(want, float).ravel()
    return float(np.max(np.abs(got - want) / np.maximum(1, np.abs(want)), initial=0))


def pointer(array):
    """Address of a contiguous numpy array."""
    return array.ctypes.data_as(ctypes.c_void_p)
