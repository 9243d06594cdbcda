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
            want, got = getattr(self.rd, name), getattr(self.d, name)
            if want.size:
                worst = max(worst, (difference(got, want), name))
        return worst


def difference(got, want):
    got, want = np.asarray(got, float).ravel(), np.asarray(want, float).ravel()
    return float(np.max(np.abs(got - want) / np.maximum(1, np.abs(want)), initial=0))


def pointer(array):
    """Address of a contiguous numpy array."""
    return array.ctypes.data_as(ctypes.c_void_p)
