#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the seeds of fuzz_session.c: sessions as a client has them, in the form that the target reads.

    python3 tests/fuzz/make_sessions.py            # into tests/fuzz/corpus_session
"""
import os
import struct
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "e2e"))
from wire import pb, put_message, work    # noqa: E402

USE, RAW, FRAME, TURN, WAIT, READ, LEAVE, HALF_CLOSE, DRAIN, STOP = range(10)
WITH_TOKENS, LITTLE_MEMORY, TWO_AT_A_TIME, LITTLE_CACHE, SHORT_DEADLINE, NO_EARLY, OWN_MODELS = (1 << i for i in range(7))
TYPES = [pb.FRAME_HELLO, pb.FRAME_PING, pb.FRAME_SERVER_INFO, pb.FRAME_CANCEL, pb.FRAME_REGION, pb.FRAME_REGION_CLOSE,
         pb.FRAME_MODEL_PUT, pb.FRAME_MODEL_INFO, pb.FRAME_ROLLOUT, pb.FRAME_FORWARD, pb.FRAME_INVERSE,
         pb.FRAME_TRANSITION_FD, pb.FRAME_INVERSE_FD, 0, pb.FRAME_REPLY, 777, pb.FRAME_SAMPLE,
         pb.FRAME_TRANSITION_DERIVATIVES, pb.FRAME_INVERSE_DERIVATIVES, pb.FRAME_MODEL_LIST, pb.FRAME_MODEL_UNLOAD]
MODEL = b"m" * 32
STATE, POSE = np.zeros((1, 5)), np.zeros((1, 2))    # time, qpos, qvel; qpos
MORE, CONT = 1, 2


class Session:
    """One client's bytes; more by `use`."""

    def __init__(self, settings=0, token=b""):
        self.bytes = bytearray([settings])
        self.frame(pb.FRAME_HELLO, pb.Hello(version=1, token=token, client="seed"), id_=200)

    def act(self, *numbers):
        self.bytes += bytes(numbers)
        return self

    def frame(self, type_, message=None, data=b"", flags=0, id_=1, piece=0, total=None):
        control = message.SerializeToString() if message is not None else b""
        self.act(FRAME, TYPES.index(type_), flags, id_, piece // 8)
        self.bytes += struct.pack("<HHH", len(control), total or len(data), len(data)) + control + data
        return self

    def rollout(self, nbatch=3, nstep=20, id_=1, inputs=None, outputs=("final_state",), piece=0, fields=None, **options):
        message, data = work(MODEL, nbatch, inputs or {"state0": STATE}, outputs, **options)
        return self.frame(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=nstep, **fields or {}), data, id_=id_, piece=piece)

    def compute(self, type_, kind, inputs, id_=1, **options):
        message, data = work(MODEL, 2, inputs)
        return self.frame(type_, kind(work=message, **options), data, id_=id_)

    def put(self, end, id_=1, **options):
        message, data = put_message("m.xml", {"m.xml": b"<mujoco/>" + bytes(end, "ascii")})
        return self.frame(pb.FRAME_MODEL_PUT, message, data, id_=id_, **options)

    def end(self):
        return self.act(WAIT).act(READ, 255)


def several_frames():
    message, data = work(MODEL, 40, {"state0": np.zeros((40, 5))}, ["final_state"])
    s = Session().frame(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=5), data[:500], MORE)
    return s.frame(pb.FRAME_ROLLOUT, None, data[500:1000], CONT | MORE).frame(pb.FRAME_ROLLOUT, None, data[1000:], CONT).end()


def shared_memory():
    s = Session().frame(pb.FRAME_REGION, pb.Region(bytes=4096)).act(TURN, 5).act(READ, 1)
    s.rollout(id_=2, region=1, places=[pb.Place(output="final_state", offset=64)]).end()
    return s.frame(pb.FRAME_REGION_CLOSE, pb.RegionClose(region=1), id_=3).end()


def inputs_in_shared_memory():
    """Inputs at places in the region, the last of them beyond its end."""
    s = Session().frame(pb.FRAME_REGION, pb.Region(bytes=4096)).act(TURN, 5).act(READ, 1)
    for id_, offset in ((2, 0), (3, 128), (4, 4096)):
        message, data = work(MODEL, 2, {"state0": np.zeros((2, 5))}, ["final_state"], region=1)
        message.inputs[0].in_region, message.inputs[0].offset = True, offset
        s.frame(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=3), b"", id_=id_)
    return s.end()


def costs(*terms):
    """Rows of sheafCostTerm: norm, source, first, count, weight, terminal, p, q, target, stride."""
    return {"cost_term": np.array([terms], float), "cost_target": np.arange(16.0).reshape(1, 16)}


def sample(inputs, **options):
    everything = ["knots", "spread", "cost", "top_cost", "top_knots", "top_state", "plan_cost", "plan_state"]
    inputs = {"state0": STATE, "noise": np.full((1, 4, 1), .3), **costs((0, 1, 1, 2, 1, 2, 0, 0, 0, 0)), **inputs}
    message, data = work(MODEL, 1, inputs, everything)
    return Session().frame(pb.FRAME_SAMPLE, pb.Sample(work=message, nstep=10, nknot=4, nsample=6, ntop=2, **options), data).end()


def sessions():
    terms = costs((0, 0, 0, 4, 1, 2, 0, 0, 0, 1), (4, 1, 1, 2, .5, 0, 2, 0, 4, 0), (7, 2, 0, 1, 1, 1, 0, 0, -1, 0))
    yield "costs", Session().rollout(2, 6, inputs={"state0": STATE, **terms}, outputs=["cost", "cost_parts"]).end()
    for name in ("body_mass", "geom_friction", "opt_timestep"):
        shape = {"body_mass": (2, 4), "geom_friction": (2, 3, 3)}.get(name, (2, 1))
        own = {"params." + name: np.full(shape, .5)}
        yield "own_" + name, Session().rollout(2, 6, inputs={"state0": STATE, **own}).rollout(2, 6, 2, {"state0": STATE, **own},
                                                                                              fields={"keep_constants": True}).end()
    for method in (1, 2, 3, 4):
        yield f"sample_{method}", sample({"plan": np.ones((1, 4, 1)), "seed": np.array([[7.0]])}, method=method, niteration=2, spline=min(method, 3))
    part = {"method": 2, "sample_begin": 2, "sample_count": 3, "niteration": 1, "first_iteration": 1}
    yield "sample_part", sample({"seed": np.array([[7.0]]), "params.body_mass": np.full((1, 4), .5)}, **part)
    knots = {"state0": STATE, "control": np.ones((2, 3, 1)), "knot_times": np.array([[0, .03, .2]])}
    for kind in (1, 2, 3):
        yield f"knots_{kind}", Session().rollout(2, 12, inputs={**knots, "earlier": np.ones((1, 2, 1))}, outputs=["ctrl", "state"],
                                                 fields={"knots": kind, "delay": 2}).end()
    gains = {"feedback_state": np.zeros((1, 6, 5)), "feedback_ctrl": np.ones((1, 6, 1)), "feedback_gain": np.ones((1, 6, 1, 4))}
    yield "feedback", Session().rollout(3, 6, inputs={"state0": STATE, **gains, "control": np.ones((1, 6, 1)),
                                                      "step_size": np.array([[0.], [.5], [1.]])}, outputs=["ctrl", "cost"]).end()
    chosen = ["xpos[a]", "sensordata[0:3]", "sensordata[jointpos0, 1]", "site_xpos[tip, 0:1]", "qpos[h]"]
    for n, output in enumerate(chosen):
        yield f"chosen_{n}", Session().rollout(2, 6, outputs=[output, "state"], fields={"every": n - 1, "dtype": 4, "aligned": n > 2}).end()
    yield "in_region", inputs_in_shared_memory()
    derivatives = {"state": np.zeros((2, 5)), "ctrl": np.zeros((2, 1))}
    for mode in (0, 1, 2):
        yield f"derivatives_{mode}", (Session().compute(pb.FRAME_TRANSITION_DERIVATIVES, pb.TransitionDerivatives, derivatives, mode=mode)
                                      .compute(pb.FRAME_INVERSE_DERIVATIVES, pb.InverseDerivatives, {"qpos": POSE, "qacc": POSE}, 2,
                                               mode=mode).end())
    for n, columns in enumerate(([4, 0], [1, 1], [-1, 2**31 - 1])):
        yield f"columns_{n}", (Session().frame(pb.FRAME_MODEL_INFO, pb.ModelInfo(hash=MODEL, columns=["qvel[0]", "ctrl"],
                                                                                 columns_of=pb.FRAME_TRANSITION_FD), id_=7).act(READ, 9)
                               .compute(pb.FRAME_TRANSITION_DERIVATIVES, pb.TransitionDerivatives, derivatives, columns=columns)
                               .compute(pb.FRAME_INVERSE_FD, pb.InverseFD, {"qpos": POSE, "qacc": POSE}, 2, columns=columns).end())
    yield "unload", (Session(WITH_TOKENS | OWN_MODELS, b"abc").put("o").act(WAIT).frame(pb.FRAME_MODEL_LIST, id_=2).rollout(1, 10**6, 3)
                     .frame(pb.FRAME_MODEL_UNLOAD, pb.ModelUnload(hash=MODEL), id_=4).rollout(id_=5).end())
    yield "sample_bounds", sample({}, shift=3, hold=4, nelite=100, discount=.9, least_noise=1e9)
    controls = {"state0": STATE, "control": np.ones((2, 20, 1)), "warmstart0": np.zeros((1, 2))}
    everything = ["state", "sensordata", "final_state", "final_warmstart", "time", "qpos", "xpos", "qacc"]
    yield "rollout", Session().rollout().end()
    yield "outputs", Session().rollout(2, inputs=controls, outputs=everything, progress=True, piece=64).end()
    yield "wrong_output", Session().rollout(outputs=["nothing"]).end()
    yield "again", (Session().rollout().act(WAIT).rollout(id_=2, inputs={"state0": np.ones((1, 5))}).act(WAIT)
                    .rollout(id_=3).rollout(id_=4).rollout(2, id_=5).end())
    yield "again_early", (Session().rollout(60, 30, inputs={"state0": np.zeros((60, 5))}, piece=128).act(WAIT)
                          .rollout(60, 30, 2, {"state0": np.ones((60, 5))}, piece=128).act(LEAVE))
    yield "forward", Session().compute(pb.FRAME_FORWARD, pb.Forward, {"qpos": POSE, "ctrl": np.ones((2, 1)), "mocap_pos": np.zeros((1, 1, 3))}).end()
    yield "inverse", Session().compute(pb.FRAME_INVERSE, pb.Inverse, {"qpos": POSE, "qacc": POSE}).end()
    yield "transition", Session().compute(pb.FRAME_TRANSITION_FD, pb.TransitionFD, {"state": np.zeros((2, 5))}, centered=True).end()
    yield "inverse_fd", Session().compute(pb.FRAME_INVERSE_FD, pb.InverseFD, {"qpos": POSE, "qacc": POSE}).end()
    yield "questions", (Session().frame(pb.FRAME_PING, pb.Ping(payload=b"x" * 9)).frame(pb.FRAME_SERVER_INFO, id_=2)
                        .frame(pb.FRAME_MODEL_INFO, pb.ModelInfo(hash=MODEL), id_=3).act(READ, 9))
    yield "several_frames", several_frames()
    yield "shared_memory", shared_memory()
    yield "early", Session().rollout(60, 30, inputs={"state0": np.zeros((60, 5))}, piece=128).end()
    yield "early_left", Session().rollout(60, 30, inputs={"state0": np.zeros((60, 5))}, piece=128).act(LEAVE)
    yield "no_memory", Session(LITTLE_MEMORY).rollout(60, 30, inputs={"state0": np.zeros((60, 5))}).rollout(500, 100, 2).end()
    yield "cancel", (Session().rollout(1, 10**9).act(TURN, 3).frame(pb.FRAME_CANCEL, pb.Cancel(request_id=1), id_=2).end())
    yield "partial", (Session(SHORT_DEADLINE).rollout(100, 10**5, partial=True).act(WAIT).act(WAIT).end())
    yield "leave", Session().rollout(1, 10**9).rollout(8, 10**8, 2, outputs=["state"]).act(TURN, 9).act(LEAVE)
    yield "does_not_read", Session().rollout(200, 100, outputs=["state"]).act(WAIT).act(WAIT).end()
    yield "half_close", Session().rollout().act(HALF_CLOSE).end()
    yield "drain", Session().rollout(1, 10**7).act(DRAIN).rollout(id_=2).put("o", 3).act(STOP).end()
    yield "many", Session(TWO_AT_A_TIME).rollout(1, 10**6).rollout(id_=2).rollout(id_=3).rollout(id_=2).end()
    two = Session().rollout(1, 10**6).act(USE, 1).frame(pb.FRAME_HELLO, pb.Hello(version=1)).rollout(id_=3)
    yield "clients", two.act(USE, 2).act(USE, 3).frame(pb.FRAME_PING).act(USE, 0).end()
    yield "token", Session(WITH_TOKENS, b"abc").put("o").rollout(id_=2, priority=1).rollout(id_=3).rollout(id_=4).end()
    own = Session(WITH_TOKENS | OWN_MODELS, b"abc").rollout().frame(pb.FRAME_MODEL_INFO, pb.ModelInfo(hash=MODEL), id_=2)
    yield "own_models", own.put("o", 3).act(WAIT).end()
    yield "wrong_token", Session(WITH_TOKENS, b"abd").act(USE, 1).frame(pb.FRAME_HELLO, pb.Hello(version=1, token=b"x"), id_=9).end()
    yield "anonymous", Session(WITH_TOKENS).put("o").rollout(id_=2).end()
    yield "garbage", Session().act(RAW, 40, 3, *range(40)).end()
    for end in "oewihbdkctxnlsr":
        s = Session(LITTLE_CACHE).put(end).act(WAIT).put(end, 2)
        yield "put_" + end, s.end()
    nowhere = {"state0": np.full((1, 5), np.nan)}
    yield "rows_that_end_at_once", Session().rollout(64, 2**31 - 1, inputs=nowhere).rollout(id_=2).end()
    again = pb.Hello(version=1, session=b"0123456789abcdef")
    back = Session().act(USE, 1).frame(pb.FRAME_HELLO, again).rollout(1, 10**6).act(TURN, 4).act(USE, 2).frame(pb.FRAME_HELLO, again)
    yield "comes_back", back.rollout().act(USE, 3).frame(pb.FRAME_HELLO, again).act(TURN, 9).rollout().act(LEAVE).act(USE, 2).end()
    yield "put_and_leave", Session().put("s").act(TURN, 4).act(USE, 1).frame(pb.FRAME_HELLO, pb.Hello(version=1)).put("s").act(TURN, 9).act(LEAVE)
    yield "puts", Session(LITTLE_CACHE).put("1").put("2", 2).put("3", 3).put("4", 4).end()


def main():
    folder = os.path.join(HERE, "corpus_session")
    os.makedirs(folder, exist_ok=True)
    for name, session in sessions():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(session.bytes)


if __name__ == "__main__":
    main()
