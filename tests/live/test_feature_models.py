# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Trajectories of models with rare features: every step from the reference's state, judged as in test_random_models.py."""

import os
import sys

import numpy as np
import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
sys.path.insert(0, os.path.dirname(__file__))
import live  # noqa: E402
import feature_models  # noqa: E402
from test_compile import differing  # noqa: E402
from test_random_models import NEXT, SHIFT, SMOOTH, Models  # noqa: E402

mujoco = live.mujoco
COUNTS = "ncon ne nf nl nefc".split()
ROWS = "efc_pos efc_margin efc_D efc_R efc_aref efc_vel efc_KBIP efc_frictionloss energy".split()
STATE = int(mujoco.mjtState.mjSTATE_INTEGRATION)


def follow(models, rng):
    """New controls, and the reference's state for all."""
    rm, rd = models.rm, models.rd
    rd.ctrl[:] = rng.standard_normal(rm.nu)
    state = np.empty(mujoco.mj_stateSize(rm, STATE))
    mujoco.mj_getState(rm, rd, state, STATE)
    models.copy_state()
    for d in models.shifted:
        mujoco.mj_setState(rm, d, state, STATE)
        mujoco.mj_integratePos(rm, d.qpos, SHIFT * rng.standard_normal(rm.nv), 1)


@pytest.mark.parametrize("seed", range(24))
def test_feature_model(seed):
    models = Models(feature_models.model(seed))
    assert differing(models.rm, models.m) == []
    models.options(tolerance=1e-14, iterations=200, ls_tolerance=1e-8, ls_iterations=100, ccd_tolerance=1e-9)
    rng = np.random.default_rng(seed)
    models.sample(rng, 0.1)
    compared = 0
    for step in range(20):
        models.run("mj_forward")
        counts = [getattr(models.rd, name) for name in COUNTS]
        if all([getattr(d, name) for name in COUNTS] == counts for d in models.shifted):
            assert [getattr(models.d, name) for name in COUNTS] == counts, f"step {step}"
            searched = models.searched()
            models.compare(SMOOTH + ROWS, 1e-3 if searched else 1e-8, f"step {step}")
            models.compare(["qacc", "qfrc_constraint"], 1e-3 if searched else 1e-6, f"step {step}")
            compared += 1
        models.run("mj_step")
        if not np.max(np.abs(models.rd.qvel)) < 1e3:
            break  # an extreme choice of parameters, thrown away
        models.compare(NEXT, 1e-3 if models.searched() else 1e-6, f"after step {step}")
        follow(models, rng)
    assert compared
    models.lib.mj_deleteData(models.d.ptr)
    models.lib.mj_deleteModel(models.m.ptr)
    del models.d
