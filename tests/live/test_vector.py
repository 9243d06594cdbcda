# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""sheaf.VectorEnv against Gymnasium's own environments, step by step."""
import pathlib
import sys

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", minversion="1.1")
pytest.importorskip("mujoco")
sheaf = pytest.importorskip("sheaf", reason="pip install ./clients/python")
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import live  # noqa: E402

IDS = ("HalfCheetah-v5", "Hopper-v5", "Walker2d-v5", "Ant-v5", "Humanoid-v5")
# Observations of PGS and of contacts that come and go differ by what the solvers leave; all others by rounding. Forces of contacts are
# large numbers whose digits a step amplifies.
TOLERANCE = {"Humanoid-v5": 1e-5, "Ant-v5": 1e-6}


@pytest.fixture(scope="module")
def session():
    live.library()
    with sheaf.connect(threads=2) as s:
        yield s


def both(id, session, n, autoreset, max_episode_steps=1000, **options):
    mode = gymnasium.vector.AutoresetMode(autoreset)
    theirs = gymnasium.make_vec(id, num_envs=n, vectorization_mode="sync", vector_kwargs={"autoreset_mode": mode},
                                max_episode_steps=max_episode_steps, **options)
    ours = sheaf.VectorEnv(id, n, session=session, autoreset=autoreset, max_episode_steps=max_episode_steps, **options)
    return theirs, ours


def put(theirs, ours):
    """The environments of Gymnasium go on from our states, with our warm starts."""
    m = ours.model
    for env, state, warm in zip(theirs.envs, ours.state, ours._warm):
        data = env.unwrapped.data
        data.time, data.qpos[:], data.qvel[:] = state[0], state[1:1 + m.nq], state[1 + m.nq:1 + m.nq + m.nv]
        data.qacc_warmstart[:] = warm


def close(got, want, tolerance):
    assert got.shape == want.shape and got.dtype == want.dtype
    error = np.abs(got.astype(float) - want) / np.maximum(1, np.abs(want.astype(float)))
    assert error.max(initial=0) <= tolerance, error.max()


def same_infos(got, want, tolerance, path=""):
    assert got.keys() == want.keys(), path
    for name, value in want.items():
        if isinstance(value, dict):
            same_infos(got[name], value, tolerance, path + name + ".")
        elif value.dtype == object:
            for a, b in zip(got[name], value):
                assert (a is None) == (b is None)
                if b is not None:
                    close(a, b, tolerance)
        elif name.startswith("_"):
            assert np.array_equal(got[name], value), path + name
        else:
            close(got[name], value, tolerance)


def step_by_step(id, session, n, steps, autoreset, seed, **options):
    theirs, ours = both(id, session, n, autoreset, **options)
    tolerance, rng, ends = TOLERANCE.get(id, 1e-7), np.random.default_rng(seed), 0
    try:
        assert theirs.single_action_space == ours.single_action_space and theirs.action_space == ours.action_space
        assert theirs.single_observation_space == ours.single_observation_space and theirs.observation_space == ours.observation_space
        want, got = theirs.reset(seed=seed), ours.reset(seed=seed)
        close(got[0], want[0], 1e-12 if id == "HalfCheetah-v5" else 1e-9)
        same_infos(got[1], want[1], 1e-9)
        for _ in range(steps):
            put(theirs, ours)
            actions = rng.uniform(ours.action_space.low, ours.action_space.high).astype(np.float32)
            want, got = theirs.step(actions), ours.step(actions)
            close(got[0], want[0], tolerance)
            close(got[1], want[1], tolerance)
            for mine, their in zip(got[2:4], want[2:4]):
                assert mine.dtype == bool and np.array_equal(mine, their)
            same_infos(got[4], want[4], tolerance)
            ends += int((got[2] | got[3]).sum())
            if autoreset == "Disabled" and (got[2] | got[3]).any():
                mask = got[2] | got[3]
                want, got = (env.reset(options={"reset_mask": mask}) for env in (theirs, ours))
                close(got[0], want[0], tolerance)
    finally:
        theirs.close()
        ours.close()
    return ends


@pytest.mark.parametrize("autoreset", ["NextStep", "SameStep", "Disabled"])
@pytest.mark.parametrize("id", IDS)
def test_as_gymnasium_step_by_step(id, autoreset, session):
    ends = step_by_step(id, session, 5, 60, autoreset, seed=3, max_episode_steps=23)
    assert ends >= 10      # episodes ended, and others began


def test_options_are_gymnasiums(session):
    step_by_step("Ant-v5", session, 3, 12, "NextStep", 1, include_cfrc_ext_in_observation=False, ctrl_cost_weight=0.2,
                 exclude_current_positions_from_observation=False)
    step_by_step("Hopper-v5", session, 3, 12, "NextStep", 1, terminate_when_unhealthy=False, frame_skip=2, reset_noise_scale=0.1)


def test_wrappers_take_it(session):
    env = gymnasium.wrappers.vector.RecordEpisodeStatistics(sheaf.VectorEnv("Hopper-v5", 4, session=session))
    env.reset(seed=0)
    told = [env.step(env.action_space.sample())[4] for _ in range(60)]
    assert any("episode" in infos for infos in told)


def test_wrong_uses_are_errors(session):
    for wrong in (dict(id="Hoper-v5"), dict(id="Hopper-v5", num_envs=0), dict(id="Hopper-v5", autoreset="Never"),
                  dict(id="Hopper-v5", healthy_rewards=2)):
        with pytest.raises(sheaf.InvalidArgument):
            sheaf.VectorEnv(session=session, **wrong)
    env = sheaf.VectorEnv("Hopper", 3, session=session, autoreset="Disabled", max_episode_steps=2)
    with pytest.raises(sheaf.InvalidArgument, match="reset"):
        env.step(np.zeros((3, 3)))
    env.reset(seed=[1, 2, 3])
    with pytest.raises(sheaf.InvalidArgument, match="actions"):
        env.step(np.zeros((3, 2)))
    for _ in range(2):
        truncations = env.step(np.zeros((3, 3)))[3]
    assert truncations.all()
    with pytest.raises(sheaf.InvalidArgument, match="reset"):
        env.step(np.zeros((3, 3)))
