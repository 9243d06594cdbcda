# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""The Python client: what a call cannot take is refused by name, with what was expected and found."""
import numpy as np
import pytest

sheaf = pytest.importorskip("sheaf", reason="pip install ./clients/python")


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
    (lambda m: m.rollout(m.state0, control_spec=-1), "control_spec", "bits of 0xFE0", "-1"),
    (lambda m: m.rollout(m.state0, control_spec=1 << 20), "control_spec", "bits of 0xFE0", str(1 << 20)),
    (lambda m: m.rollout(m.state0, control_spec=1 << 40), "control_spec", "bits of 0xFE0", str(1 << 40)),
    (lambda m: m.rollout(m.state0, np.zeros((3, 2)), control_spec=1 << 1), "control_spec", "bits of 0xFE0", "2"),
    (lambda m: m.rollout(m.state0, nstep=5, out={"state": np.zeros((1, 5, 3))}), "out['state']", "(1, 5, 24) and float64", "(1, 5, 3)"),
    (lambda m: m.rollout(m.state0, nstep=5, dtype="f4", out={"state": np.zeros((1, 5, 24))}), "out['state']", "float32", "float64"),
    (lambda m: m.rollout(m.state0, nstep=5, out={"qacc": np.zeros(3)}), "out", "state, ", "qacc"),
    (lambda m: m.rollout("abc"), "initial_state", "(..., 24)", "str"),
    (lambda m: m.rollout(m.state0, nstep=5, length=[6]), "length", "", ""),
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
