# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Rows with numbers that are none: each has a status, and no number that could be taken for a result."""
import numpy as np
import pytest
from conftest import PENDULUM
from wire import pb, rollout, work

BADQPOS, BADTIME = 5, 102
FREE_AND_BALL = b"""<mujoco><worldbody><body><freejoint/><geom size=".1"/>
  <body pos="0 0 .3"><joint type="ball"/><geom size=".1"/></body></body></worldbody></mujoco>"""


@pytest.fixture
def model(client):
    return client.put("m.xml", {"m.xml": PENDULUM})[0].hash


@pytest.mark.parametrize("rows", [2, 30])
@pytest.mark.parametrize("time", [np.nan, np.inf, -np.inf])
def test_a_time_that_is_no_number(client, model, rows, time):
    x0 = np.zeros((rows, 3))
    x0[1, 0] = time
    r = rollout(client, model, rows, 5, {"state0": x0})
    assert r["status"][1] == BADTIME and r["badstep"][1] == 0
    assert (np.delete(r["status"], 1) == 0).all() and np.isfinite(np.delete(r["state"], 1, 0)).all()
    message, data = work(model, rows, {"time": x0[:, :1]})
    r = client.compute(pb.FRAME_FORWARD, pb.Forward(work=message), data)
    assert r["status"][1] == BADTIME and (np.delete(r["status"], 1) == 0).all()


@pytest.mark.parametrize("column,code", [(0, BADTIME), (1, BADQPOS)])
def test_derivatives_of_an_invalid_row_are_nan(client, model, column, code):
    state = np.zeros((3, 3))
    state[1, column] = np.nan
    message, data = work(model, 3, {"state": state})
    r = client.compute(pb.FRAME_TRANSITION_FD, pb.TransitionFD(work=message), data)
    assert list(r["status"]) == [0, code, 0]
    for name in "ABCD":
        assert np.isnan(r[name][1]).all() and np.isfinite(r[name][[0, 2]]).all(), name


def test_a_quaternion_of_zeros_is_no_orientation(client):
    model = client.put("free.xml", {"free.xml": FREE_AND_BALL})[0].hash
    good = np.array([0.1, 0, 0, 0, 0.5, 0.5, 0.5, 0.5, 2, 0, 0, 0])    # quaternions of any length are scaled
    qpos = np.tile(good[1:], (9, 1))
    qpos[3, 3:7] = qpos[7, 7:] = 0
    qpos[5, 3:7] = [1e-14, 0, 0, 0]
    state = np.hstack([np.full((9, 1), 0.1), qpos, np.zeros((9, 9))])
    bad = np.isin(np.arange(9), (3, 7))
    r = rollout(client, model, 9, 5, {"state0": state})
    assert list(r["status"]) == list(np.where(bad, BADQPOS, 0)) and (r["badstep"][bad] == 0).all()
    assert (r["state"][3] == state[3]).all()
    message, data = work(model, 9, {"qpos": qpos})
    r = client.compute(pb.FRAME_FORWARD, pb.Forward(work=message), data)
    assert list(r["status"]) == list(np.where(bad, BADQPOS, 0))
    message, data = work(model, 9, {"state": state})
    for frame, request in ((pb.FRAME_TRANSITION_FD, pb.TransitionFD), (pb.FRAME_TRANSITION_DERIVATIVES, pb.TransitionDerivatives)):
        r = client.compute(frame, request(work=message), data)
        assert list(r["status"]) == list(np.where(bad, BADQPOS, 0))
        assert np.isnan(r["A"][bad]).all() and np.isfinite(r["A"][~bad]).all()


def test_inverse_derivatives_of_an_invalid_row_are_nan(client, model):
    qpos = np.array([[0.1], [np.nan], [0.2]])
    zero = np.zeros((1, 1))
    message, data = work(model, 3, {"qpos": qpos, "qvel": zero, "qacc": zero})
    r = client.compute(pb.FRAME_INVERSE_FD, pb.InverseFD(work=message), data)
    assert list(r["status"]) == [0, BADQPOS, 0]
    for name in ("DfDq", "DfDv", "DfDa"):
        assert np.isnan(r[name][1]).all() and np.isfinite(r[name][[0, 2]]).all(), name
