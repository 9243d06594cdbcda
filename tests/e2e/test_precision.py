# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Single precision, in process and on a server: the same bits, other ones than doubles have."""
import numpy as np
import pytest

import sheaf

MODEL = """<mujoco><worldbody><geom type="plane" size="5 5 .1"/><body pos="0 0 .4"><freejoint/><geom type="capsule" size=".05 .1"/>
<body pos="0 0 .2"><joint name="hip" axis="0 1 0" damping=".1"/><geom type="capsule" size=".04 .1"/></body></body></worldbody>
<actuator><motor joint="hip" gear="2" ctrlrange="-1 1"/></actuator></mujoco>"""


def rows(model):
    x0 = np.tile(model.state0, (21, 1))
    x0[:, 2] += np.linspace(0, 0.1, 21)
    return x0, np.random.default_rng(3).uniform(-1, 1, (21, 30, 1))


def test_a_server_computes_with_floats_as_this_process_does(start):
    server = start("--precision", "single", "--threads", "2")
    with sheaf.connect(server.address) as there, sheaf.connect(threads=1, precision="single") as here, sheaf.connect(threads=1) as double:
        results = []
        for session in (there, here, double):
            model = session.load(MODEL)
            results.append(model.rollout(*rows(model), outputs=("qacc",)))
        assert (results[0].state == results[1].state).all() and (results[0].outputs["qacc"] == results[1].outputs["qacc"]).all()
        assert (results[0].state != results[2].state).any()
        assert abs(results[0].state[:, 9] - results[2].state[:, 9]).max() < 1e-3


def test_derivatives_are_refused_with_the_reason(start):
    server = start("--precision", "single")
    for session in (sheaf.connect(server.address), sheaf.connect(threads=1, precision="single")):
        with session:
            model = session.load(MODEL)
            with pytest.raises(sheaf.Error, match="expected double precision for derivatives, got single"):
                model.transition_derivatives(model.state0[None])


def test_sampling_finds_a_plan(start):
    with sheaf.connect(threads=2, precision="single") as session:
        model = session.load(MODEL)
        best = model.sample(model.state0, np.zeros((5, 1)), nstep=20, sampler=sheaf.MPPI(64),
                            cost=[sheaf.Cost("quadratic", "qpos[hip]", target=0.5)], seed=7)
        again = model.sample(model.state0, np.zeros((5, 1)), nstep=20, sampler=sheaf.MPPI(64),
                             cost=[sheaf.Cost("quadratic", "qpos[hip]", target=0.5)], seed=7)
        assert (best.knots == again.knots).all() and abs(best.knots).max() > 0


def test_an_unknown_precision_names_those_that_exist():
    with pytest.raises(sheaf.InvalidArgument, match="expected double or single, got 'half'"):
        sheaf.connect(threads=1, precision="half")
