# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""The Python client: what a call cannot take is refused by name, with what was expected and found."""
import numpy as np
import pytest

sheaf = pytest.importorskip("sheaf", reason="pip install ./clients/python")


def _sample(m, sampler, **options):
    return m.sample(m.state0, 3, sampler=sampler, cost=sheaf.Cost("quadratic", "ctrl"), **options)


@pytest.mark.parametrize("call,field,expected,got", [
    (lambda m: m.rollout(np.zeros(5)), "initial_state", "(24,) or (B, 24)", "(5,)"),
    (lambda m: m.rollout(m.state0, np.zeros((4, 3))), "control", "(2,), (T, 2) or (B, T, 2)", "(4, 3)"),
    (lambda m: m.rollout(np.zeros((2, 24)), np.zeros((3, 4, 2))), "initial_state", "3 or 1 rows", "2"),
    (lambda m: m.rollout(m.state0, nstep=0), "nstep", "1 or more", "0"),
    (lambda m: m.rollout(m.state0, hold=0), "hold", "1 or more", "0"),
    (lambda m: m.rollout(m.state0, initial_warmstart=np.zeros(3)), "initial_warmstart", "(10,) or (B, 10)", "(3,)"),
    (lambda m: m.rollout(m.state0, outputs=["typo"]), "outputs", "one of qpos, ", "typo"),
    (lambda m: m.rollout(m.state0, outputs=["qac"]), "outputs", "one of qacc, ", "qac"),
    (lambda m: m.rollout(m.state0, outputs=["xpos[tors]"]), "outputs", "bodies torso, ", "tors"),
    (lambda m: m.rollout(m.state0, outputs=["xpos[9]"]), "outputs", "a row from 0 to 4", "9"),
    (lambda m: m.rollout(m.state0, np.zeros((6, 2)), nstep=5), "control", "at most 5 rows", "6"),
    (lambda m: m.rollout(m.state0, np.zeros((6, 2)), knots="cubic"), "nstep", "a number of steps", "None"),
    (lambda m: m.rollout(m.state0, np.zeros((6, 2)), nstep=9, knots="quintic"), "knots", "'cubic'", "'quintic'"),
    (lambda m: m.rollout(m.state0, np.zeros((3, 2)), nstep=9, knots="cubic", knot_times=[0, 1]), "knot_times", "3", "2"),
    (lambda m: m.rollout(m.state0, np.zeros((3, 2)), nstep=9, knots="cubic", knot_times=[0, 2, 1]), "knot_times", "ascend", "1"),
    (lambda m: m.rollout(m.state0, feedback=(1, 2)), "feedback", "(X, U, K)", "tuple"),
    (lambda m: m.rollout(m.state0, nstep=3, feedback=(np.zeros((3, 24)), None, np.zeros((3, 2, 5)))), "feedback_gain", "(3, 2, 21)", "(3, 2, 5)"),
    (lambda m: m.rollout(m.state0, nstep=5, every=6), "every", "1 to nstep (5) or 'last'", "6"),
    (lambda m: m.rollout(m.state0, nstep=5, every="first"), "every", "a whole number or 'last'", "'first'"),
    (lambda m: m.rollout(m.state0, nstep=5.5), "nstep", "a whole number", "5.5"),
    (lambda m: m.rollout(m.state0, nstep=1 << 40), "nstep", "at most 2147483647", str(1 << 40)),
    (lambda m: m.rollout(m.state0, hold=1.5), "hold", "a whole number", "1.5"),
    (lambda m: m.rollout(m.state0, dtype="f2"), "dtype", "", "f2"),
    (lambda m: m.rollout(m.state0, dtype=">f4"), "dtype", "'f4'", ">f4"),
    (lambda m: m.rollout(m.state0, delay=-1), "delay", "0 or more", "-1"),
    (lambda m: m.rollout(None), "initial_state", "(B, nstate)", "nothing"),
    (lambda m: m.rollout(m.state0, timeout="1"), "timeout", "seconds", "'1'"),
    (lambda m: m.rollout(m.state0, params=[("body_mass", 1)]), "params", "a dict", "list"),
    (lambda m: m.rollout(m.state0, step_size=0.5), "step_size", "feedback", "0.5"),
    (lambda m: m.rollout(m.state0, outputs=[f"efc_D[{i + 1}]" for i in range(65)]), "outputs", "64", ""),
    (lambda m: m.rollout(m.state0, costs="quadratic"), "cost", "sheaf.Cost", "str"),
    (lambda m: m.rollout(m.state0, costs=sheaf.Cost("quadratic", "ctrl", weight=[1, 2])), "weight", "a number", "[1, 2]"),
    (lambda m: m.rollout(m.state0, nstep=4, costs=sheaf.Cost("quadratic", "ctrl", target=np.zeros((3, 2)))), "target", "(4, 2)", "(3, 2)"),
    (lambda m: _sample(m, "mppi"), "sampler", "sheaf.PredictiveSampling(...)", "'mppi'"),
    (lambda m: _sample(m, sheaf.MPPI), "sampler", "sheaf.PredictiveSampling(...)", "MPPI"),
    (lambda m: _sample(m, sheaf.MPPI(0)), "samples", "more than 0", "0"),
    (lambda m: _sample(m, sheaf.MPPI(temperature=0)), "temperature", "more than 0", "0"),
    (lambda m: _sample(m, sheaf.CEM(elites=0)), "elites", "more than 0", "0"),
    (lambda m: _sample(m, sheaf.MPPI(4), top=-1), "ntop", "0 or more", "-1"),
    (lambda m: m.rollout(m.state0, control_spec=-1), "control_spec", "bits of 0xFE0", "-1"),
    (lambda m: m.rollout(m.state0, control_spec=1 << 20), "control_spec", "bits of 0xFE0", str(1 << 20)),
    (lambda m: m.rollout(m.state0, control_spec=1 << 40), "control_spec", "bits of 0xFE0", str(1 << 40)),
    (lambda m: m.rollout(m.state0, np.zeros((3, 2)), control_spec=1 << 1), "control_spec", "bits of 0xFE0", "2"),
    (lambda m: m.rollout(m.state0, nstep=5, out={"state": np.zeros((1, 5, 3))}), "out['state']", "(1, 5, 24) and float64", "(1, 5, 3)"),
    (lambda m: m.rollout(m.state0, nstep=5, out={"state": np.zeros((24, 5, 1)).T}), "out['state']", "in C order", "not in C order"),
    (lambda m: m.rollout(m.state0, nstep=5, dtype="f4", out={"state": np.zeros((1, 5, 24))}), "out['state']", "float32", "float64"),
    (lambda m: m.rollout(m.state0, nstep=5, out={"qacc": np.zeros(3)}), "out", "state, ", "qacc"),
    (lambda m: m.rollout("abc"), "initial_state", "(..., 24)", "str"),
    (lambda m: m.rollout(m.state0, nstep=5, length=[6]), "length", "", ""),
    (lambda m: m.rollout(m.state0, nstep=5, length=[1.5]), "length", "whole numbers", "1.5"),
    (lambda m: m.rollout(m.state0, nstep=5, length=[1 << 40]), "length", "", "list"),
    (lambda m: m.forward(qpos=np.zeros((2, 3))), "qpos", "(12,) or (B, 12)", "(2, 3)"),
    (lambda m: m.forward(xfrc_applied=np.zeros((2, 6))), "xfrc_applied", "(5, 6) or (B, 5, 6)", "(2, 6)"),
    (lambda m: m.forward(stage="late"), "stage", "pos, vel or acc", "'late'"),
    (lambda m: m.inverse(qacc=np.zeros(1)), "qacc", "(10,) or (B, 10)", "(1,)"),
    (lambda m: m.transition_fd(m.state0, eps=-1), "eps", "", ""),
    (lambda m: m.names("wheel"), "kind", "body", "wheel"),
])
def test_errors_name_field_expected_and_got(rich, call, field, expected, got):
    with pytest.raises(sheaf.InvalidArgument) as failure:
        call(rich)
    e = failure.value
    assert e.field == field and expected in e.expected and got in e.got and field in str(e), str(e)
    assert isinstance(e, ValueError) and isinstance(e, sheaf.Error)


def test_a_call_that_names_too_much_ends_no_other(server, pendulum):
    with sheaf.connect(server.address) as s:
        m = s.load(pendulum)
        with pytest.raises(sheaf.ResourceExhausted, match="names too much") as failure:
            m.rollout(np.zeros((1, 3)), nstep=1, outputs=["x" * 70000])
        assert failure.value.expected == "at most 65536 bytes" and int(failure.value.got) > 70000
        before = s.info()["connections"]
        m.rollout(np.zeros((1, 3)), nstep=1)
        assert s.info()["connections"] == before and "event=refused" not in server.log()


@pytest.mark.parametrize("field,address,options", [
    ("address", 7447, {}), ("address", "unix://relative/path", {}), ("token", "tcp://127.0.0.1:1", {"token": b"secret"}),
    ("retry", "tcp://127.0.0.1:1", {"retry": 5}), ("timeout", "tcp://127.0.0.1:1", {"timeout": 0}), ("timeout", None, {"threads": 1, "timeout": "1"}),
    # a server has its own; a program that asks for floats would not learn that it got doubles
    ("precision", "tcp://127.0.0.1:1", {"precision": "single"}), ("lanes", "tcp://127.0.0.1:1", {"lanes": 4})])
def test_connect_refuses_what_it_would_not_use(field, address, options):
    with pytest.raises(sheaf.InvalidArgument) as failure:
        sheaf.connect(address, **options)
    assert failure.value.field == field, str(failure.value)


def test_an_option_of_zero_that_sizes_a_result_has_its_default(session, pendulum):
    """The engine writes as many numbers as the default says."""
    m = session.load(pendulum)
    asked = {"state0": m.state0, "nstep": 3, "nknot": 2, "noise": np.ones((1, 2, 1)), "cost_term": np.array([[[0, 1, 0, 1, 1, 0, 0, 2, -1, 0]]], float)}
    got = m._compute("sample", asked | {"nsample": 0}, ("cost",), False)["cost"]
    assert got.shape == (1, 64) and np.array_equal(got, m._compute("sample", asked | {"nsample": 64}, ("cost",), False)["cost"])


def test_words_and_arrays_that_say_what_is_meant_are_taken(session, pendulum):
    m = session.load(pendulum)
    x, u = np.repeat(m.state0[np.newaxis], 3, axis=0), np.full((3, 5, 1), 0.5)
    want = m.rollout(x, u).state.astype("f4")
    for dtype in ("float32", "<f4", np.float32, "f4"):
        assert np.array_equal(m.rollout(x, u, dtype=dtype).state, want), dtype
    assert np.array_equal(m.rollout(x, u, timeout=1e300, dtype="f4").state, want)
    assert np.array_equal(m.rollout(x, u, length=[5.0, 5.0, 5.0], dtype="f4").state, want)
    rows = m.rollout(x, u).state
    assert np.array_equal(m.transition_regressor(rows, u)["body_mass"], m.transition_regressor(rows.reshape(15, -1), u.reshape(15, 1))["body_mass"])
