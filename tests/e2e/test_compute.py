# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Rollouts, forward and inverse dynamics and derivatives over the wire; limits, parts, cancel, deadlines."""
import os
import time

import numpy as np
import pytest
from conftest import PUSHED, PUSHER, SLOW
from wire import Client, Failure, pb, rollout, work

MANY = 2000000    # steps that take far longer than any test


@pytest.fixture
def model(client, pendulum):
    return client.put("m.xml", {"m.xml": pendulum})[0]


def refuse(client, type_, message, data=b""):
    with pytest.raises(Failure) as failure:
        client.compute(type_, message, data)
    return failure.value.error


def test_rollout_shapes_and_physics(client, model):
    rng = np.random.default_rng(0)
    B, T = 5, 40
    control = rng.uniform(-1, 1, (B, T, 1))
    state0 = np.concatenate([np.zeros((B, 1)), rng.uniform(-1, 1, (B, 2))], 1)
    r = rollout(client, model.hash, B, T, {"state0": state0, "control": control},
                ["state", "sensordata", "qacc", "xpos", "ctrl", "final_state", "final_warmstart"])
    assert {k: v.shape for k, v in r.items()} == {
        "state": (B, T, 3), "sensordata": (B, T, 4), "qacc": (B, T, 1), "xpos": (B, T, 2, 3), "ctrl": (B, T, 1),
        "final_state": (B, 3), "final_warmstart": (B, 1), "status": (B,), "badstep": (B,)}
    assert (r["status"] == 0).all() and (r["badstep"] == -1).all()
    assert np.allclose(r["state"][:, :, 0], 0.01 * np.arange(1, T + 1))
    assert (r["final_state"] == r["state"][:, -1]).all() and (r["ctrl"] == control).all()
    # the sensor is computed within the step, so it is the angle before it
    assert np.allclose(r["sensordata"][:, 1:, 0], r["state"][:, :-1, 1], atol=1e-12)


def test_one_row_serves_all_and_chunks_continue(client, model):
    x0, T = [[0.0, 1.0, 0.5]], 30
    control = np.sin(np.arange(T)).reshape(1, T, 1)
    whole = rollout(client, model.hash, 3, T, {"state0": x0, "control": control}, ["state"])
    assert (whole["state"][0] == whole["state"][2]).all()
    state, warm, rows = np.repeat(x0, 3, 0), np.zeros((3, 1)), []
    for at in range(0, T, 10):
        r = rollout(client, model.hash, 3, 10, {"state0": state, "warmstart0": warm, "control": control[:, at:at + 10]},
                    ["state", "final_state", "final_warmstart"])
        rows.append(r["state"])
        state, warm = r["final_state"], r["final_warmstart"]
    assert (np.concatenate(rows, 1) == whole["state"]).all()


def test_hold_and_length(client, model):
    x0 = [[0.0, 1.0, 0.5]]
    u = np.array([[[0.5], [-0.5]]])
    held = rollout(client, model.hash, 1, 20, {"state0": x0, "control": u}, ["state"], hold=5)["state"]
    full = np.repeat(u, 5, 1)
    full = np.concatenate([full, np.repeat(u[:, -1:], 10, 1)], 1)
    assert (held == rollout(client, model.hash, 1, 20, {"state0": x0, "control": full}, ["state"])["state"]).all()
    length = np.array([20, 7, 1], np.int32)
    r = rollout(client, model.hash, 3, 20, {"state0": x0, "control": full, "length": length}, ["state", "final_state"])
    for i, n in enumerate(length):
        assert (r["state"][i, :n] == held[0, :n]).all() and (r["state"][i, n:] == held[0, n - 1]).all()
        assert (r["final_state"][i] == held[0, n - 1]).all()


def test_divergence_is_data(client):
    text = b"""<mujoco><option timestep="0.1" integrator="Euler"><flag gravity="disable"/></option><worldbody>
      <body><joint type="slide" stiffness="-1e6"/><geom size="0.1"/></body></worldbody></mujoco>"""
    model = client.put("m.xml", {"m.xml": text})[0]
    r = rollout(client, model.hash, 2, 100, {"state0": [[0, 1.0, 0], [0, 0.0, 0]]}, ["state"])
    assert r["status"][0] in (5, 6, 7) and 0 < r["badstep"][0] < 100
    assert r["status"][1] == 0 and r["badstep"][1] == -1 and (r["state"][1, :, 1:] == 0).all()


def test_forward_inverse_and_derivatives_agree(client, model):
    rng = np.random.default_rng(1)
    B = 6
    q, v, u = rng.normal(size=(B, 1)), rng.normal(size=(B, 1)), rng.uniform(-1, 1, (B, 1))
    message, data = work(model.hash, B, {"qpos": q, "qvel": v, "ctrl": u}, ["qacc", "xpos"])
    f = client.compute(pb.FRAME_FORWARD, pb.Forward(work=message), data)
    assert f["qacc"].shape == (B, 1) and f["xpos"].shape == (B, 2, 3)
    message, data = work(model.hash, B, {"qpos": q, "qvel": v, "qacc": f["qacc"]})
    tau = client.compute(pb.FRAME_INVERSE, pb.Inverse(work=message), data)["qfrc_inverse"]
    assert np.allclose(tau, u, atol=1e-9)

    state = np.concatenate([np.zeros((B, 1)), q, v], 1)
    message, data = work(model.hash, B, {"state": state, "ctrl": u})
    d = client.compute(pb.FRAME_TRANSITION_FD, pb.TransitionFD(work=message, centered=True), data)
    assert {k: v.shape for k, v in d.items()} == {"A": (B, 2, 2), "B": (B, 2, 1), "C": (B, 4, 2), "D": (B, 4, 1),
                                                  "status": (B,)}
    eps = 1e-6
    ends = [rollout(client, model.hash, B, 1, {"state0": state + [0, 0, s * eps], "control": u[:, None]},
                    ["final_state"])["final_state"] for s in (1, -1)]
    assert np.allclose(d["A"][:, :, 1], (ends[0] - ends[1])[:, 1:] / (2 * eps), atol=1e-5)

    message, data = work(model.hash, B, {"qpos": q, "qvel": v, "qacc": f["qacc"]}, ["DfDa"])
    g = client.compute(pb.FRAME_INVERSE_FD, pb.InverseFD(work=message), data)
    assert set(g) == {"DfDa", "status"} and g["DfDa"].shape == (B, 1, 1) and (g["DfDa"] > 0).all()


@pytest.mark.parametrize("centered", [False, True])
def test_a_control_raises_the_sensors_that_it_drives(client, centered):
    model = client.put("m.xml", {"m.xml": PUSHER})[0]
    message, data = work(model.hash, 2, {"state": np.zeros((2, 3)), "ctrl": [[-0.5], [0.5]]}, ["D"])
    d = client.compute(pb.FRAME_TRANSITION_FD, pb.TransitionFD(work=message, centered=centered), data)
    assert d["D"].shape == (2, 5, 1) and np.allclose(d["D"][..., 0], PUSHED, atol=1e-6)


def test_against_the_reference(client, models):
    mujoco = pytest.importorskip("mujoco")
    from mujoco import rollout as reference
    path = os.path.join(models, "gymnasium", "half_cheetah.xml")
    m = mujoco.MjModel.from_xml_path(path)
    with open(path, "rb") as file:
        hash_ = client.put("half_cheetah.xml", {"half_cheetah.xml": file.read()})[0].hash
    rng = np.random.default_rng(3)
    B, T = 8, 10
    d = mujoco.MjData(m)
    x0 = np.zeros((B, mujoco.mj_stateSize(m, mujoco.mjtState.mjSTATE_FULLPHYSICS)))
    for i in range(B):
        d.qpos[:], d.qvel[:] = m.qpos0 + rng.normal(size=m.nq) * 0.1, rng.normal(size=m.nv) * 0.1
        mujoco.mj_getState(m, d, x0[i], mujoco.mjtState.mjSTATE_FULLPHYSICS)
    u = rng.uniform(-1, 1, (B, T, m.nu))
    want, sensors = reference.rollout(m, d, x0, u)
    got = rollout(client, hash_, B, T, {"state0": x0, "control": u})
    assert abs(got["state"] - want).max() < 1e-6


@pytest.mark.parametrize("inputs,field,expected,got", [
    ({"state0": np.zeros((1, 4))}, "state0", "(4 or 1, 3)", "(1, 4)"),
    ({"state0": np.zeros((3, 3))}, "state0", "(4 or 1, 3)", "(3, 3)"),
    ({"state0": np.zeros(3)}, "state0", "(4 or 1, 3)", "(3,)"),
    ({}, "state0", "(4 or 1, 3)", "nothing"),
    ({"state0": np.zeros((1, 3), np.float32)}, "state0", "F64", "F32"),
    ({"state0": np.zeros((1, 3)), "control": np.zeros((4, 10, 2))}, "control", "(4 or 1, any number >= 1, 1)",
     "(4, 10, 2)"),
    ({"state0": np.zeros((1, 3)), "control": np.zeros((4, 0, 1))}, "control", "(4 or 1, any number >= 1, 1)",
     "(4, 0, 1)"),
    ({"state0": np.zeros((1, 3)), "length": np.ones((1,), np.int32)}, "length", "(4,)", "(1,)"),
    ({"state0": np.zeros((1, 3)), "length": np.full(4, 11, np.int32)}, "length", "numbers from 0 to 10", "11 in row 0"),
])
def test_errors_name_field_expected_and_got(client, model, inputs, field, expected, got):
    message, data = work(model.hash, 4, inputs)
    error = refuse(client, pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=10), data)
    assert (error.code, error.field, error.expected, error.got) == (pb.CODE_INVALID_ARGUMENT, field, expected, got)
    assert error.message == f"{field}: expected {expected}, got {got}"


def test_an_input_that_a_request_does_not_have(client, model):
    message, data = work(model.hash, 1, {"state0": np.zeros((1, 3)), "typo": np.zeros((1, 3))})
    error = refuse(client, pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=10), data)
    assert (error.code, error.field, error.got) == (pb.CODE_INVALID_ARGUMENT, "inputs", '"typo"')
    assert error.expected.startswith("one of length, state0, warmstart0, control")


def test_other_mistakes(client, model):
    def error(nstep=1, nbatch=1, inputs=None, outputs=(), hash_=model.hash, **options):
        message, data = work(hash_, nbatch, inputs or {"state0": np.zeros((1, 3))}, outputs, **options)
        return refuse(client, pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=nstep), data)

    assert error(nstep=0).field == "nstep"
    assert error(nstep=1 << 31).field == "nstep"
    assert error(nbatch=0).field == "nbatch"
    assert error(nbatch=(1 << 32) - 1).field == "nbatch"
    assert error(priority=2).field == "priority"
    assert error(hash_=b"").field == "model"
    assert error(hash_=b"z" * 32).code == pb.CODE_NOT_FOUND
    assert error(outputs=["nonsense"]).field == "outputs"
    assert error(outputs=["state", "state"]).field == "outputs"
    assert error(outputs=["A"]).field == "outputs"
    assert error(outputs=[f"o{i}" for i in range(65)]).field == "outputs"
    assert error(nstep=1 << 30).code == pb.CODE_RESOURCE_EXHAUSTED
    assert refuse(client, pb.FRAME_ROLLOUT, pb.Rollout(nstep=3)).field == "work"
    for eps in (-1.0, float("nan"), float("inf")):
        message, data = work(model.hash, 1, {"state": np.zeros((1, 3))})
        assert refuse(client, pb.FRAME_TRANSITION_FD, pb.TransitionFD(work=message, eps=eps), data).field == "eps"
    client.ping()


def test_tensors_outside_the_data(client, model):
    message, data = work(model.hash, 1, {"state0": np.zeros((1, 3))})
    tensor = message.inputs[0]
    for offset, shape in ((64, (1, 3)), (8, (1, 3)), (2 ** 64 - 64, (1, 3)), (0, (2 ** 32, 2 ** 32)),
                          (0, (2 ** 61, 3)), (0, (1, 2 ** 63))):
        tensor.offset, tensor.shape[:] = offset, shape
        error = refuse(client, pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=1), data)
        assert error.code == pb.CODE_INVALID_ARGUMENT and error.field == "state0"


def test_large_results_come_in_parts(client, model):
    B, T = 3000, 200
    x0 = np.zeros((B, 3))
    x0[:, 1] = np.linspace(-3, 3, B)
    r = rollout(client, model.hash, B, T, {"state0": x0}, ["state", "qacc", "final_state"], progress=True)
    assert client.nparts > 4 and client.timing.steps == B * T
    one = rollout(client, model.hash, 1, T, {"state0": x0[2717:2718]}, ["state", "qacc"])
    assert (r["state"][2717] == one["state"][0]).all() and (r["qacc"][2717] == one["qacc"][0]).all()
    assert (r["final_state"] == r["state"][:, -1]).all()
    done = [p.done for p in client.progress]
    assert done == sorted(done) and all(0 <= p.done <= p.total == B * T for p in client.progress)


def test_cancel_stops_work(client, model):
    message, data = work(model.hash, 100, {"state0": np.zeros((1, 3))}, ["final_state"])
    id_ = client.send(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=MANY), data)
    time.sleep(0.05)
    assert client.info().inflight == 1
    start = time.monotonic()
    assert client.ask(pb.FRAME_CANCEL, pb.Cancel(request_id=id_))[0].found
    with pytest.raises(Failure) as failure:
        client.wait(id_)
    assert failure.value.code == pb.CODE_CANCELLED and time.monotonic() - start < SLOW
    assert client.info().inflight == 0
    assert not client.ask(pb.FRAME_CANCEL, pb.Cancel(request_id=id_))[0].found


def test_deadlines(client, model):
    message, data = work(model.hash, 100, {"state0": np.zeros((1, 3))}, ["final_state"], timeout_us=100000)
    for _ in range(3):
        start = time.monotonic()
        assert refuse(client, pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=MANY),
                      data).code == pb.CODE_DEADLINE_EXCEEDED
        assert time.monotonic() - start < SLOW    # at once if the cost is known
    message.timeout_us = 2 ** 64 - 1
    client.compute(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=1), data)


def test_a_small_request_does_not_wait_for_a_large_one(server, client, model):
    hog = Client(server.address)
    message, data = work(model.hash, 200000, {"state0": np.zeros((1, 3))}, ["final_state"])
    ids = [hog.send(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=2000), data) for _ in range(8)]
    waits = []
    for _ in range(10):
        start = time.monotonic()
        rollout(client, model.hash, 1, 10, {"state0": np.zeros((1, 3))})
        waits.append(time.monotonic() - start)
    assert max(waits) < 1, waits
    assert hog.info().inflight == len(ids)
    hog.close()


def test_pipelined_requests_are_all_answered(client, model):
    ids = []
    for i in range(200):
        message, data = work(model.hash, 1 + i % 7, {"state0": [[0, 0.01 * i, 0]]}, ["state"])
        ids.append(client.send(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=1 + i % 5), data))
        if len(ids) >= 60:
            r = client.join(client.wait(ids.pop(0)))
            assert np.isfinite(r["state"]).all()
    for id_ in ids:
        client.wait(id_)
