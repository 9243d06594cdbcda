# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Many environments of one kind, stepped by one request: Gymnasium's vector interface over a model of a session.

With Gymnasium installed a VectorEnv is one of its own, so that its wrappers take it. Without it everything works but those.
"""
from __future__ import annotations

import dataclasses
import importlib.util
import os

import numpy as np

from .errors import InvalidArgument, NotFound
from .near import near
from .session import Session, connect
from .tasks import TASKS

try:
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv as _Base
except ImportError:
    spaces = AutoresetMode = None
    _Base = object

FINAL = ("final_state", "final_warmstart")    # what a step goes on from
AUTORESET = ("NextStep", "SameStep", "Disabled")


@dataclasses.dataclass(frozen=True)
class Box:
    """What is used of Gymnasium's Box, where that is not installed."""
    low: np.ndarray
    high: np.ndarray
    shape: tuple[int, ...]
    dtype: np.dtype

    def sample(self) -> np.ndarray:
        bounded = np.clip(self.low, -1e3, 1e3), np.clip(self.high, -1e3, 1e3)
        return np.random.default_rng().uniform(*bounded, self.shape).astype(self.dtype)


def _box(low, high, shape, dtype):
    low, high = (np.broadcast_to(np.asarray(x, dtype), shape) for x in (low, high))
    return spaces.Box(low, high, shape, dtype) if spaces else Box(low, high, shape, np.dtype(dtype))


def _installed(file: str) -> str:
    """A model of Gymnasium's package, which is not imported."""
    spec = importlib.util.find_spec("gymnasium")
    path = spec and os.path.join(os.path.dirname(spec.origin), "envs", "mujoco", "assets", file)
    if not path or not os.path.exists(path):
        raise NotFound("the models of these environments are Gymnasium's: install gymnasium, or give the path of a model",
                       field="xml_file", expected=f"gymnasium with {file}, or xml_file=PATH", got="neither")
    return path


class VectorEnv(_Base):
    """num_envs environments that are stepped together.

    id          "HalfCheetah-v5", "Hopper-v5", "Walker2d-v5", "Ant-v5" or "Humanoid-v5" of Gymnasium: the same observations (num_envs, nobs)
                float64, rewards, terminations, truncations and infos
    session     a server or the engine in this process; None: the engine in this process with `threads` threads (0: one per usable CPU)
    xml_file    another model; None: the one of the installed Gymnasium
    autoreset   when an environment whose episode is over begins again: "NextStep" (the next step resets it, its action is ignored
                and its reward is 0), "SameStep" (at once; what it ended with is in infos["final_obs"], infos["final_info"]) or
                "Disabled" (by reset(options={"reset_mask": mask}))
    max_episode_steps  truncates; None: never
    options     keywords of Gymnasium's environment: ctrl_cost_weight, reset_noise_scale, frame_skip, ...

    reset(seed=S) seeds environment i with S + i and draws what Gymnasium's SyncVectorEnv draws. The engine computes rows whose
    simulation diverges to the step before; such episodes end (terminated), with infos["diverged"].
    Raises InvalidArgument for unknown ids and options and wrong shapes, NotFound without a model, and what `Model.rollout` raises.
    """
    render_mode = None

    def __init__(self, id: str, num_envs: int = 1, *, session: Session | None = None, threads: int = 0, xml_file=None,
                 autoreset="NextStep", max_episode_steps: int | None = 1000, **options):
        kind = TASKS.get(id) or TASKS.get(f"{id}-v5")
        autoreset = getattr(autoreset, "value", autoreset)
        if kind is None:
            raise InvalidArgument("no such environment", field="id", expected=near(id, TASKS), got=repr(id))
        if num_envs < 1:
            raise InvalidArgument("no environments", field="num_envs", expected="1 or more", got=str(num_envs))
        if autoreset not in AUTORESET:
            raise InvalidArgument("no such way", field="autoreset", expected=" or ".join(map(repr, AUTORESET)), got=repr(autoreset))
        path = _installed(kind.file) if xml_file is None else xml_file
        self._own = connect(threads=threads) if session is None else None
        try:
            self.model = (session or self._own).load(path)
            self._task = kind(self.model, options)
        except BaseException:
            self.close()
            raise
        self.num_envs, self.autoreset, self.max_episode_steps = num_envs, autoreset, max_episode_steps
        self.metadata = {"render_modes": [], "autoreset_mode": AutoresetMode(autoreset) if AutoresetMode else autoreset}
        self._make_spaces()
        self._rng: list[np.random.Generator | None] = [None] * num_envs
        self._over = np.zeros(num_envs, bool)        # the episode has ended, and no other one has begun
        self._begun = False

    def _make_spaces(self) -> None:
        m, n = self.model, self.num_envs
        self._state = np.repeat(m.state0[None], n, axis=0)
        self._warm = np.zeros((n, m.nv))
        self._out = {name: np.zeros((n, *m.outputs[name])) for name in self._task.outputs}
        skip = self._task.frame_skip
        self._step_all = m.prepare(n, skip, (*FINAL, *self._out), hold=skip, every="last", only=True)
        self._length = np.zeros(n, np.int64)
        nobs = self._task.observe(*self._positions(slice(0, 1)), self._of(slice(0, 1))).shape[1]
        low, high = (np.where(m.ctrllimited != 0, bound, sign * np.inf) for bound, sign in zip(m.ctrlrange.T, (-1, 1)))
        self.single_observation_space = _box(-np.inf, np.inf, (nobs,), np.float64)
        self.single_action_space = _box(low, high, (m.nu,), np.float32)
        self.observation_space = _box(-np.inf, np.inf, (n, nobs), np.float64)
        self.action_space = _box(low, high, (n, m.nu), np.float32)

    # ---- rows

    def _positions(self, rows):
        nq, nv = self.model.nq, self.model.nv
        state = self._state[rows]
        return state[:, 1:1 + nq], state[:, 1 + nq:1 + nq + nv]

    def _of(self, rows) -> dict[str, np.ndarray]:
        return {name: a[rows] for name, a in self._out.items()}

    def _tell(self, infos: dict, values: dict[str, np.ndarray], rows) -> None:
        """Put values of some rows into infos as Gymnasium does: an array of all rows, and a mask of those that have it."""
        for name, value in values.items():
            if name not in infos:
                infos[name] = np.zeros((self.num_envs, *value.shape[1:]), value.dtype)
                infos["_" + name] = np.zeros(self.num_envs, bool)
            infos[name][rows] = value
            infos["_" + name][rows] = True

    # ---- episodes

    def reset(self, *, seed=None, options: dict | None = None):
        """Begin episodes: all, or those of options["reset_mask"]. Observations (num_envs, nobs) and infos."""
        n = self.num_envs
        seeds = [None] * n if seed is None else [seed + i for i in range(n)] if isinstance(seed, (int, np.integer)) else list(seed)
        if len(seeds) != n:
            raise InvalidArgument("wrong number", field="seed", expected=f"{n} seeds", got=str(len(seeds)))
        mask = (options or {}).get("reset_mask")
        if mask is None:
            mask = np.ones(n, bool)
        elif not isinstance(mask, np.ndarray) or mask.shape != (n,) or mask.dtype != bool or not mask.any():
            raise InvalidArgument("wrong mask", field="reset_mask", expected=f"a bool array of shape ({n},) with a True in it",
                                  got=f"{getattr(mask, 'dtype', type(mask).__name__)} {np.shape(mask)}")
        if not self._begun and not mask.all():
            raise InvalidArgument("nothing was reset before", field="reset_mask", expected="a reset of all environments first", got="some")
        rows = np.flatnonzero(mask)
        for i in rows:
            if seeds[i] is not None or self._rng[i] is None:
                self._rng[i] = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seeds[i])))
        infos: dict = {}
        self._begin(rows, infos)
        self._begun = True
        return self._observe(), infos

    def _begin(self, rows: np.ndarray, infos: dict) -> None:
        m, task = self.model, self._task
        state = np.repeat(m.state0[None], len(rows), axis=0)
        for k, i in enumerate(rows):
            qpos, qvel = task.noise(self._rng[i])
            state[k, 1:1 + m.nq] += qpos
            state[k, 1 + m.nq:1 + m.nq + m.nv] += qvel
        self._state[rows], self._length[rows], self._over[rows] = state, 0, False
        qpos, qvel = self._positions(rows)
        got = m.forward(qpos=qpos, qvel=qvel, outputs=("qacc", *task.outputs))
        self._warm[rows] = got["qacc"]
        for name, a in self._out.items():
            a[rows] = 0 if name == "cfrc_ext" else got[name]    # external forces are computed after steps alone
        self._tell(infos, task.infos(qpos, self._of(rows)), rows)

    def _observe(self) -> np.ndarray:
        return self._task.observe(*self._positions(slice(None)), self._out)

    def _simulate(self, rows, actions: np.ndarray) -> np.ndarray:
        """One step of some environments; the status of each row."""
        x, warm, skip = self._state[rows], self._warm[rows], self._task.frame_skip
        if len(x) == self.num_envs:
            r = self._step_all(x, actions, warm)
        else:
            r = self.model.rollout(x, actions[:, None], skip, warm, (*FINAL, *self._out), hold=skip, every="last", only=True)
        self._state[rows], self._warm[rows] = (r.outputs[name] for name in FINAL)
        for name, a in self._out.items():
            a[rows] = r.outputs[name][:, -1]
        self._length[rows] += 1
        return r.status.copy()

    def step(self, actions):
        """Observations (num_envs, nobs), rewards, terminations, truncations (num_envs,) and infos after `frame_skip` simulation steps
        with these controls (num_envs, nu)."""
        n, task = self.num_envs, self._task
        actions = np.asarray(actions)
        if actions.shape != (n, self.model.nu):
            raise InvalidArgument("wrong shape", field="actions", expected=f"({n}, {self.model.nu})", got=str(actions.shape))
        if not self._begun or self.autoreset == "Disabled" and self._over.any():
            raise InvalidArgument("an episode is over, or none has begun", field="actions", expected="a call of reset first", got="step")
        again = np.flatnonzero(self._over)
        all_of_them = not again.size
        rows = slice(None) if all_of_them else np.flatnonzero(~self._over)
        rewards, terminations, truncations, infos = np.zeros(n), np.zeros(n, bool), np.zeros(n, bool), {}
        if all_of_them or rows.size:
            before, acted = task.place(self._positions(rows)[0], self._of(rows)).copy(), actions if all_of_them else actions[rows]
            status = self._simulate(rows, acted)
            (qpos, qvel), out = self._positions(rows), self._of(rows)
            speed = (task.place(qpos, out) - before) / task.dt
            rewards[rows], terms, ends = task.judge(qpos, qvel, out, speed, acted)
            terminations[rows] = ends | (status != 0)
            if self.max_episode_steps is not None:
                truncations[rows] = self._length[rows] >= self.max_episode_steps
            self._tell(infos, {**task.infos(qpos, out), **task.speeds(speed), **terms}, rows)
            if (status != 0).any():
                self._tell(infos, {"diverged": status != 0}, rows)
        if again.size:
            self._begin(again, infos)
        self._over = terminations | truncations
        if self.autoreset == "SameStep" and self._over.any():
            infos = self._end(infos)
        return self._observe(), rewards, terminations, truncations, infos

    def _end(self, infos: dict) -> dict:
        """Begin again where an episode has just ended; infos of what it ended with."""
        over, rows = self._over.copy(), np.flatnonzero(self._over)
        final = np.full(self.num_envs, None, object)
        for i, observation in zip(rows, self._observe()[rows]):
            final[i] = observation
        ended = {name: np.where(over.reshape(-1, *[1] * (value.ndim - 1)), value, 0).astype(value.dtype)
                 for name, value in infos.items()}
        told = {"final_obs": final, "_final_obs": over, "final_info": ended, "_final_info": over.copy()}
        left: dict = {}
        for name in infos:
            mask = infos.get("_" + name)
            if mask is not None and (mask & ~over).any():
                left[name], left["_" + name] = ended[name] * 0, mask & ~over
                left[name][~over] = infos[name][~over]
        self._begin(rows, left)
        self._over[:] = False
        return {**left, **told}

    # ---- the rest of the interface

    @property
    def dt(self) -> float:
        """Seconds of a step."""
        return self._task.dt

    @property
    def state(self) -> np.ndarray:
        """(num_envs, nstate): [time, qpos, qvel, act] of the environments, a copy."""
        return self._state.copy()

    def close(self, **_) -> None:
        if self._own:
            self._own.close()
