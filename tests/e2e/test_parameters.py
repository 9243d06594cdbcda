# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Numbers of the model that rows have for themselves, over the wire: the bits of the engine in this process, rows that come in
pieces, every request, and what is refused before anything is computed."""
import time

import numpy as np
import pytest
from wire import HEADER, Failure, pb, rollout, work

sheaf = pytest.importorskip("sheaf", reason="pip install ./clients/python")

MODEL = b"""<mujoco><option timestep=".005"/><worldbody><geom type="plane" size="5 5 .1"/>
  <body name="a" pos="0 0 .3"><freejoint/><geom type="capsule" size=".1 .2"/>
    <body pos="0 0 .3"><joint name="j" axis="0 1 0" damping=".1" limited="true" range="-1 1"/><geom type="box" size=".05 .1 .1"/></body></body>
  </worldbody><actuator><motor joint="j" gear="3"/></actuator><sensor><jointpos joint="j"/></sensor></mujoco>"""


@pytest.fixture
def model(client):
    return client.put("m.xml", {"m.xml": MODEL})[0]


def random_params(m, n, rng):
    around = lambda name, shape: m.params[name] * rng.uniform(0.8, 1.2, (n, *shape))
    return {"body_mass": around("body_mass", (m.nbody,)), "geom_friction": around("geom_friction", (m.ngeom, 3)),
            "opt.gravity": around("opt.gravity", (3,)), "actuator_gear": around("actuator_gear", (m.nu, 6)),
            "dof_damping": m.params["dof_damping"]}


@pytest.mark.parametrize("keep", [False, True])
def test_a_server_has_the_bits_of_the_engine(server, keep):
    rng = np.random.default_rng(1)
    with sheaf.connect(threads=1) as own, sheaf.connect(server.address) as there, sheaf.connect("unix://" + server.unix) as near:
        m = own.load(MODEL)
        n = 300
        x = np.tile(m.state0, (n, 1)) + 0.01 * rng.standard_normal((n, m.nstate))
        params = random_params(m, n, rng)
        q, v, u = x[:, 1:1 + m.nq], x[:, 1 + m.nq:], rng.uniform(-1, 1, (n, m.nu))
        calls = [lambda m: m.rollout(x, u[:, None], nstep=12, params=params, keep_constants=keep).state,
                 lambda m: m.forward(q, v, u, params=params, keep_constants=keep)["qacc"],
                 lambda m: m.inverse(q, v, params=params, keep_constants=keep),
                 lambda m: m.transition_fd(x[:20], u[:20], params={k: a[:20] if len(a) == n else a for k, a in params.items()},
                                           keep_constants=keep)[0],
                 lambda m: m.inverse_fd(q[:20], v[:20], params={k: a[:20] if len(a) == n else a for k, a in params.items()},
                                        keep_constants=keep)[2],
                 lambda m: m.transition_derivatives(x[:20], u[:20], keep_constants=keep,
                                                    params={k: a[:20] if len(a) == n else a for k, a in params.items()}).A,
                 lambda m: m.inverse_derivatives(q[:20], v[:20], keep_constants=keep,
                                                 params={k: a[:20] if len(a) == n else a for k, a in params.items()}).DfDq]
        for session in there, near:
            other = session.load(MODEL)
            assert {k: a.tolist() for k, a in other.params.items()} == {k: a.tolist() for k, a in m.params.items()}
            for call in calls:
                assert np.array_equal(call(m), call(other))
        plain = m.rollout(x, u[:, None], nstep=12).state
        assert not np.array_equal(plain, calls[0](m))
        assert np.array_equal(plain, there.load(MODEL).rollout(x, u[:, None], nstep=12).state)


def test_derivatives_with_parameters_are_those_of_a_model_with_these_numbers():
    text = """<mujoco><worldbody><body><freejoint/><geom size=".1" mass="%g"/><body pos=".3 0 0"><joint axis="0 1 0" damping="%g"/>
        <geom type="capsule" fromto="0 0 0 .3 0 0" size=".05" mass="%g"/></body></body></worldbody>
        <actuator><motor joint="" gear="2"/></actuator></mujoco>""".replace('joint axis', 'joint name="j" axis').replace('joint=""', 'joint="j"')
    with sheaf.connect(threads=1) as s:
        m, other = s.load(text % (1, 0.1, 2)), s.load(text % (1, 0.4, 2))
        x = np.tile(m.state0, (6, 1))
        x[:, 8:] = np.random.default_rng(3).standard_normal((6, 8))
        damping = np.array([0, 0, 0, 0, 0, 0, 0.4])
        a = m.transition_derivatives(x, params={"dof_damping": damping})
        b = other.transition_derivatives(x)
        assert np.array_equal(a.A, b.A) and np.array_equal(a.B, b.B) and not np.array_equal(a.A, m.transition_derivatives(x).A)


def test_rows_are_computed_when_all_parameters_are_there(client, model):
    """Numbers of later rows come late, and are looked at before any row is computed."""
    n, rng = 4000, np.random.default_rng(2)
    mass = np.abs(rng.standard_normal((n, 3))) + 1
    mass[:, 0] = 0
    x = np.tile([0, 0, 0, 0.5, 1, 0, 0, 0, 0] + [0] * 7, (n, 1)).astype(float)
    message, data = work(model.hash, n, {"params.body_mass": mass, "state0": x}, ["final_state"])
    whole = client.compute(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=3), data)

    def send_slowly(mass):
        message, data = work(model.hash, n, {"params.body_mass": mass, "state0": x}, ["final_state"])
        control, id_ = pb.Rollout(work=message, nstep=3).SerializeToString(), next(client.ids)
        header = HEADER.pack(b"SHF1", 1, 0, pb.FRAME_ROLLOUT, id_, len(control), 0, len(data))
        client.socket.sendall(header + control + data[:len(data) // 2])
        time.sleep(0.05)
        client.socket.sendall(data[len(data) // 2:])
        return client.join(client.wait(id_))

    assert np.array_equal(send_slowly(mass)["final_state"], whole["final_state"])
    mass[n - 1, 2] = -3
    with pytest.raises(Failure) as failure:
        send_slowly(mass)
    error = failure.value.error
    assert (error.field, error.expected, error.got) == ("body_mass", "a number above 0", f"-3 in row {n - 1}, at 2")


def refuse(client, model, inputs, nbatch=2, **options):
    with pytest.raises(Failure) as failure:
        rollout(client, model.hash, nbatch, 2, {"state0": np.zeros((1, 16)) + 0.1, **inputs}, **options)
    return failure.value.error


def test_errors_name_what_was_expected(client, model):
    error = refuse(client, model, {"params.body_weight": np.ones((2, 3))})
    assert (error.code, error.field, error.expected) == (3, "inputs", "names of parameters of the model")
    error = refuse(client, model, {"params.": np.ones((2, 3))})
    assert error.field == "inputs"
    error = refuse(client, model, {"params.body_mass": np.ones((2, 4))})
    assert (error.field, error.expected, error.got) == ("params.body_mass", "(2 or 1, 3)", "(2, 4)")
    error = refuse(client, model, {"params.geom_friction": np.ones((2, 9))})
    assert (error.field, error.expected) == ("params.geom_friction", "(2 or 1, 3, 3)")
    error = refuse(client, model, {"params.body_mass": np.ones((3, 3))})
    assert (error.expected, error.got) == ("(2 or 1, 3)", "(3, 3)")
    error = refuse(client, model, {"params.body_mass": np.ones((2, 3), np.float32)})
    assert (error.expected, error.got) == ("F64", "F32")
    error = refuse(client, model, {"params.opt.gravity": np.array([[0, np.nan, 0]])})
    assert (error.field, error.expected, error.got) == ("opt.gravity", "a finite number", "nan in row 0, at 1")
    error = refuse(client, model, {"params.body_subtreemass": np.ones((1, 3))})
    assert error.field == "body_subtreemass" and "keep_constants" in error.expected
    error = refuse(client, model, {"params.jnt_range": np.array([[[0, 0], [2, 1.0]]])})
    assert error.field == "jnt_range"
    message, data = work(model.hash, 1, {"state0": np.zeros((1, 16)) + 0.1, "params.opt.gravity": np.ones((1, 3))})
    message.inputs.add().CopyFrom(message.inputs[1])
    with pytest.raises(Failure) as failure:
        client.compute(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=1), data)
    assert "each name once" in failure.value.error.message


def test_more_parameters_than_a_request_takes(client, model):
    names = [p.name for p in model.params if p.shape and np.prod(list(p.shape))]
    inputs = {f"params.{name}": np.zeros((1, *next(p.shape for p in model.params if p.name == name))) for name in names}
    assert len(inputs) > 32
    assert refuse(client, model, inputs).field == "inputs"


def test_empty_parameters_are_no_parameters(client, model):
    inputs = {"state0": np.zeros((1, 16)) + 0.1}
    plain = rollout(client, model.hash, 2, 2, inputs, ["state"])
    empty = rollout(client, model.hash, 2, 2, inputs | {"params.tendon_range": np.zeros((2, 0, 2))}, ["state"])
    assert np.array_equal(plain["state"], empty["state"])


def test_zeros_have_the_same_sign_in_every_lane(local):
    """Minus a gravity of zero, which a kernel reads from the model for all lanes, or for each lane its own."""
    got = []
    for lanes in (1, 4, 8):
        with sheaf.connect(threads=1, lanes=lanes) as s:
            m = s.load(MODEL)
            rows = m.params["geom_friction"] * np.linspace(1, 2, 8)[:, np.newaxis, np.newaxis]
            got.append(m.forward(outputs=("cacc",), params={"geom_friction": rows})["cacc"])
    assert got[0].tobytes() == got[1].tobytes() == got[2].tobytes()
    assert got[0][0].tobytes() == local.load(MODEL).forward(outputs=("cacc",))["cacc"][0].tobytes()


def test_arrays_without_numbers_are_there(session):
    """A model without controls, in a program that is written for all models."""
    m = session.load(b"<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>")
    x, states = np.tile(m.state0, (40, 1)), np.tile(m.state0, (6, 1))
    want = m.rollout(x, nstep=6).state
    assert np.array_equal(m.rollout(x, np.zeros((40, 3, 0)), nstep=6, knots="cubic").state, want)
    assert np.array_equal(m.rollout(x, np.zeros((6, 0)), feedback=(states, None, np.zeros((6, 0, m.ndx)))).state, want)
