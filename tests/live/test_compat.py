# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""sheaf.compat.rollout next to the reference's rollout module: the same calls, the same shapes, numbers and refusals."""
import copy
import pathlib
import sys

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco")
sheaf = pytest.importorskip("sheaf", reason="pip install ./clients/python")
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from mujoco import rollout as reference  # noqa: E402

import live  # noqa: E402
from sheaf.compat import rollout as ours  # noqa: E402

ARM = """<mujoco><option timestep=".004"/><worldbody><geom type="plane" size="2 2 .1"/>
  <body pos="0 0 .4"><joint name="a" axis="0 1 0" damping=".1"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".04"/>
    <body pos=".3 0 0"><joint name="b" axis="0 1 0" range="-1 1" limited="true"/><geom name="tip" type="sphere" size=".06" mass="{mass}" pos=".2 0 0"/></body>
  </body></worldbody><actuator><motor joint="a"/><general joint="b" dyntype="integrator" gainprm="2" biastype="affine" biasprm="0 -2 0"/></actuator>
  <sensor><jointpos joint="b"/><framelinacc objtype="geom" objname="tip"/></sensor></mujoco>"""
FULL = mujoco.mjtState.mjSTATE_FULLPHYSICS


@pytest.fixture(scope="module", autouse=True)
def engine():
    live.library()
    yield
    ours.shutdown_persistent_pool()
    reference.shutdown_persistent_pool()


@pytest.fixture
def m():
    return mujoco.MjModel.from_xml_string(ARM.format(mass=1))


def numbers(m, *shape, seed=0, size=None):
    rng = np.random.default_rng(seed)
    return 0.3 * rng.standard_normal((*shape, size or mujoco.mj_stateSize(m, FULL)))


def both(model, *args, **options):
    """The answers of both, or the kind of their refusals; each has arrays of its own."""
    said = []
    for module in (reference, ours):
        datas = [mujoco.MjData(model[0] if isinstance(model, list) else model) for _ in range(options.get("nthread", 1))]
        mine = {name: a.copy() if isinstance(a, np.ndarray) else a for name, a in options.items() if name != "nthread"}
        try:
            got = module.rollout(model, datas if len(datas) > 1 else datas[0], *args, **mine)
            for name, a in zip(("state", "sensordata"), got):
                assert name not in mine or a is mine[name] or mine[name] is None
            said.append(got)
        except (ValueError, TypeError, RuntimeError) as e:
            said.append(type(e))
    return said


def agree(want, got):
    if isinstance(want, type):
        assert isinstance(got, type) and issubclass(got, want), (want, got)
        return
    for a, b in zip(want, got):
        assert a.shape == b.shape
        assert live.difference(b, a) < 1e-8


CALLS = {
    "one state": lambda m: ((numbers(m)[0:],), {}),
    "steps": lambda m: ((numbers(m, 4),), dict(nstep=9)),
    "controls": lambda m: ((numbers(m, 4), numbers(m, 4, 9, size=2)), {}),
    "one control row": lambda m: ((numbers(m, 4), numbers(m, size=2)), dict(nstep=5)),
    "controls of all rows": lambda m: ((numbers(m, 4), numbers(m, 9, size=2)), {}),
    "one row of controls each": lambda m: ((numbers(m, 4), numbers(m, 4, 1, size=2)), dict(nstep=6)),
    "one state, many controls": lambda m: ((numbers(m), numbers(m, 4, 9, size=2)), {}),
    "too many controls": lambda m: ((numbers(m, 4), numbers(m, 4, 9, size=2)), dict(nstep=5)),
    "rows that do not match": lambda m: ((numbers(m, 4), numbers(m, 3, 9, size=2)), {}),
    "warm starts": lambda m: ((numbers(m, 4),), dict(nstep=5, initial_warmstart=numbers(m, 4, size=2))),
    "one warm start": lambda m: ((numbers(m, 4),), dict(nstep=5, initial_warmstart=numbers(m, size=2))),
    "forces": lambda m: ((numbers(m, 4), numbers(m, 4, 7, size=4)),
                         dict(control_spec=mujoco.mjtState.mjSTATE_CTRL | mujoco.mjtState.mjSTATE_QFRC_APPLIED)),
    "no control bits": lambda m: ((numbers(m, 4), numbers(m, 4, 7, size=1)), dict(control_spec=1)),
    "output arrays": lambda m: ((numbers(m, 4),), dict(state=np.zeros((4, 6, 6)), sensordata=np.zeros((4, 6, 4)))),
    "an output array gives rows and steps": lambda m: ((numbers(m),), dict(state=np.zeros((4, 6, 6)))),
    "an output array of wrong size": lambda m: ((numbers(m, 4),), dict(state=np.zeros((4, 6, 5)))),
    "a state too long": lambda m: ((numbers(m, 4, size=7),), {}),
    "a list": lambda m: (([0.0] * 6,), {}),
    "floats": lambda m: ((numbers(m, 4).astype(np.float32),), dict(nstep=3)),
    "threads": lambda m: ((numbers(m, 40),), dict(nstep=5, nthread=3, chunk_size=2)),
    "persistent": lambda m: ((numbers(m, 40),), dict(nstep=5, nthread=2, persistent_pool=True)),
    "skipped checks": lambda m: (([m] * 4, numbers(m, 4), numbers(m, 4, 7, size=2)),
                                 dict(skip_checks=True, nstep=7, state=np.zeros((4, 7, 6)), sensordata=np.zeros((4, 7, 4)))),
}


@pytest.mark.parametrize("name", CALLS)
def test_as_the_reference(name, m):
    args, options = CALLS[name](m)
    if isinstance(args[0], list) and isinstance(args[0][0], mujoco.MjModel):
        m, args = args[0], args[1:]
    agree(*both(m, *args, **{"nthread": 2} | options if name == "skipped checks" else options))


def test_lists_of_models():
    models = [mujoco.MjModel.from_xml_string(ARM.format(mass=1 + k % 3)) for k in range(6)]
    x, u = numbers(models[0], 6), numbers(models[0], 6, 20, size=2)
    want, got = both(models, x, u)
    agree(want, got)
    assert live.difference(got[0][0], ours.rollout(models[1:2], mujoco.MjData(models[0]), x[:1], u[:1])[0][0]) > 1e-3
    agree(*both(models, x[0], nstep=4))          # one state for all models
    agree(*both([models[0]], x, u))
    agree(*both(models[:4], x, u))               # rows do not match
    other = mujoco.MjModel.from_xml_string("<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>")
    with pytest.raises(ValueError, match="sizes"):
        ours.rollout([models[0], other], mujoco.MjData(models[0]), x[:2])


def test_models_that_differ_in_numbers_alone_are_one_request(m, monkeypatch):
    """(A request for each model takes 60 times as long.)"""
    from sheaf.session import Session
    loads, load = [], Session.load
    monkeypatch.setattr(Session, "load", lambda self, model: loads.append(1) or load(self, model))
    models = [copy.copy(m) for _ in range(20)]
    for k, each in enumerate(models):
        each.body_mass[1] *= 1 + k       # mj_setConst is not called: what it derives stays
        each.opt.gravity[2] += k % 3
        each.opt.timestep *= 1 + k % 2
        each.dof_frictionloss[0] = k % 2
        each.geom_rgba[0] = k / 20
    mujoco.mj_setConst(models[3], mujoco.MjData(m))
    x, u = numbers(m, 20), numbers(m, 20, 12, size=2)
    agree(*both(models, x, u))
    agree(*both(models, x[0], nstep=4))
    assert len(loads) == 2 and live.difference(*(ours.rollout(k, mujoco.MjData(m), x[:1])[0] for k in models[:2])) > 1e-3
    for k, each in enumerate(models):    # more than numbers: a request for each, of more models than are kept
        each.geom_contype[1] = k
    agree(*both(models, x, u))
    for each in models:                  # a number that rows may not set: the frame of a body that MuJoCo calls simple
        each.geom_contype[1] = 1
    models[7].body_ipos[1, 1] = .1
    agree(*both(models, x, u))


def test_numbers_that_a_program_changes_count(m):
    x = numbers(m, 3)
    with ours.Rollout(nthread=2) as pool:
        datas = [mujoco.MjData(m), mujoco.MjData(m)]
        before = pool.rollout(m, datas, x, nstep=30)
        m.opt.gravity[2] = -3
        after = pool.rollout(m, datas, x, nstep=30)
        agree(reference.rollout(m, datas, x, nstep=30), after)
        assert live.difference(before[0], after[0]) > 1e-3
    with pytest.raises(RuntimeError):
        pool.rollout(m, datas, x)


def test_a_session_of_ones_own(m):
    x = numbers(m, 3)
    with sheaf.connect(threads=2) as s:
        got = sheaf.compat.rollout(m, mujoco.MjData(m), x, nstep=8, session=s)
        agree(reference.rollout(m, mujoco.MjData(m), x, nstep=8), got)
        assert s.models() == []      # the call has closed its models


def test_wrong_chunks_are_errors(m):
    """(The reference divides by zero, or does not return.)"""
    for size in (0, -1):
        with pytest.raises(ValueError, match="chunk_size"):
            ours.rollout(m, mujoco.MjData(m), numbers(m), chunk_size=size)


def test_output_arrays_of_one_rollout_may_leave_dimensions_out(m):
    x, u = numbers(m), numbers(m, 6, size=2)
    for nstep, shape in ((6, (6,)), (1, ())):
        filled = []
        for module in (reference, ours):
            places = [np.zeros((*shape, n)) for n in (mujoco.mj_stateSize(m, FULL), m.nsensordata)]
            got = module.rollout(m, mujoco.MjData(m), x, u[:nstep], state=places[0], sensordata=places[1])
            assert [a.shape for a in got] == [(1, nstep, a.shape[-1]) for a in places]
            assert all(np.shares_memory(a, b) for a, b in zip(got, places))
            filled.append(places)
        agree(*filled)
    assert isinstance(both(m, numbers(m, 4), state=numbers(m, 4))[1], type)    # whose rows would these be?


def test_quaternions_of_zeros_are_no_rotation():
    model = mujoco.MjModel.from_xml_string('''<mujoco><worldbody><body><freejoint/><geom size=".1"/>
        <body pos="0 0 .3"><joint type="ball"/><geom size=".1"/></body></body></worldbody></mujoco>''')
    x = numbers(model, 5)
    x[1, 4:8] = x[3, 8:12] = 0
    agree(*both(model, x, nstep=7))
