# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Observations, rewards and terminations of the environments of vector.py: the tasks of Gymnasium's MuJoCo environments, version 5.

These are the ones that Gymnasium documents, with its names of options
and of infos. A task works on all rows at once. Everything but qpos and qvel is, as there, what the last simulation step computed
of the state that it began from.
"""
from __future__ import annotations

import numpy as np

from .errors import InvalidArgument
from .near import near


class Task:
    """Defaults of a kind of environment; options change them."""
    file = ""                  # of Gymnasium's folder of models
    frame_skip = 5
    outputs: tuple[str, ...] = ()    # arrays that observations and rewards need beside positions and velocities
    velocity_noise = "uniform"
    plane = 1                  # coordinates of the ground that are left out of observations: x, or x and y
    options: dict = {}

    def __init__(self, m, options: dict):
        wrong = next((name for name in options if name not in self.options and name != "frame_skip"), None)
        if wrong is not None:
            raise InvalidArgument("no such option", field=wrong, expected=near(wrong, self.options), got=repr(options[wrong]))
        self.m = m
        for name, value in {**self.options, **options}.items():
            setattr(self, name, value)
        self.dt = m.timestep * self.frame_skip

    def noise(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """What is added to the positions and velocities that an episode begins with, in the order in which Gymnasium draws."""
        scale, m = self.reset_noise_scale, self.m
        qpos = rng.uniform(low=-scale, high=scale, size=m.nq)
        if self.velocity_noise == "normal":
            return qpos, scale * rng.standard_normal(m.nv)
        return qpos, rng.uniform(low=-scale, high=scale, size=m.nv)

    def skip(self) -> int:
        return self.plane if self.exclude_current_positions_from_observation else 0

    def observe(self, qpos, qvel, out) -> np.ndarray:
        return np.concatenate((qpos[:, self.skip():], qvel), axis=1)

    def place(self, qpos, out) -> np.ndarray:
        """(n, plane): the positions whose change is the speed."""
        return qpos[:, :1]

    def is_healthy(self, qpos, qvel) -> np.ndarray | None:
        """(n,), or None if every state is healthy."""

    def control_cost(self, actions) -> np.ndarray:
        return self.ctrl_cost_weight * np.square(actions).sum(axis=1)

    def contact_cost(self, out) -> np.ndarray | None:
        """(n,), or None if contacts cost nothing."""

    def judge(self, qpos, qvel, out, speed, actions):
        """Rewards (n,), their terms by name, and whether the episodes end (n,)."""
        forward, control = self.forward_reward_weight * speed[:, 0], self.control_cost(actions)
        terms = {"reward_forward": forward, "reward_ctrl": -control}
        healthy, contact = self.is_healthy(qpos, qvel), self.contact_cost(out)
        rewards, costs, ends = forward, control, np.zeros(len(qpos), bool)
        if healthy is not None:
            terms["reward_survive"] = healthy * self.healthy_reward
            rewards = forward + terms["reward_survive"]
            ends = ~healthy & self.terminate_when_unhealthy
        if contact is not None:
            terms["reward_contact"] = -contact
            costs = control + contact
        return rewards - costs, terms, ends

    def infos(self, qpos, out) -> dict[str, np.ndarray]:
        """What both `reset` and `step` tell."""
        return {"x_position": qpos[:, 0]}

    def speeds(self, speed) -> dict[str, np.ndarray]:
        return {"x_velocity": speed[:, 0]}


class HalfCheetah(Task):
    file, velocity_noise = "half_cheetah.xml", "normal"
    options = dict(forward_reward_weight=1.0, ctrl_cost_weight=0.1, reset_noise_scale=0.1,
                   exclude_current_positions_from_observation=True)


class _Biped(Task):
    frame_skip = 4

    def observe(self, qpos, qvel, out):
        return np.concatenate((qpos[:, self.skip():], np.clip(qvel, -10, 10)), axis=1)

    def is_healthy(self, qpos, qvel):
        (low, high), (left, right) = self.healthy_z_range, self.healthy_angle_range
        z, angle = qpos[:, 1], qpos[:, 2]
        return (low < z) & (z < high) & (left < angle) & (angle < right)

    def infos(self, qpos, out):
        return {"x_position": qpos[:, 0], "z_distance_from_origin": qpos[:, 1] - self.m.qpos0[1]}


class Hopper(_Biped):
    file = "hopper.xml"
    options = dict(forward_reward_weight=1.0, ctrl_cost_weight=1e-3, healthy_reward=1.0, terminate_when_unhealthy=True,
                   healthy_state_range=(-100.0, 100.0), healthy_z_range=(0.7, float("inf")), healthy_angle_range=(-0.2, 0.2),
                   reset_noise_scale=5e-3, exclude_current_positions_from_observation=True)

    def is_healthy(self, qpos, qvel):
        low, high = self.healthy_state_range
        state = np.concatenate((qpos[:, 2:], qvel), axis=1)
        return super().is_healthy(qpos, qvel) & ((low < state) & (state < high)).all(axis=1)


class Walker2d(_Biped):
    file = "walker2d_v5.xml"
    options = dict(forward_reward_weight=1.0, ctrl_cost_weight=1e-3, healthy_reward=1.0, terminate_when_unhealthy=True,
                   healthy_z_range=(0.8, 2.0), healthy_angle_range=(-1.0, 1.0), reset_noise_scale=5e-3,
                   exclude_current_positions_from_observation=True)


class _Spatial(Task):
    plane = 2

    def infos(self, qpos, out):
        return {"x_position": qpos[:, 0], "y_position": qpos[:, 1], "distance_from_origin": np.linalg.norm(qpos[:, :2], axis=1)}

    def speeds(self, speed):
        return {"x_velocity": speed[:, 0], "y_velocity": speed[:, 1]}


class Ant(_Spatial):
    file, velocity_noise = "ant.xml", "normal"
    options = dict(forward_reward_weight=1.0, ctrl_cost_weight=0.5, contact_cost_weight=5e-4, healthy_reward=1.0, main_body=1,
                   terminate_when_unhealthy=True, healthy_z_range=(0.2, 1.0), contact_force_range=(-1.0, 1.0), reset_noise_scale=0.1,
                   exclude_current_positions_from_observation=True, include_cfrc_ext_in_observation=True)
    outputs = ("xpos", "cfrc_ext")

    def __init__(self, m, options):
        super().__init__(m, options)
        self._body = m.body(self.main_body).id

    def _forces(self, out):
        return np.clip(out["cfrc_ext"], *self.contact_force_range)

    def observe(self, qpos, qvel, out):
        parts = [qpos[:, self.skip():], qvel]
        if self.include_cfrc_ext_in_observation:
            parts.append(self._forces(out)[:, 1:].reshape(len(qpos), -1))
        return np.concatenate(parts, axis=1)

    def place(self, qpos, out):
        return out["xpos"][:, self._body, :2]

    def is_healthy(self, qpos, qvel):
        low, high = self.healthy_z_range
        finite = np.isfinite(qpos).all(axis=1) & np.isfinite(qvel).all(axis=1)
        return finite & (low <= qpos[:, 2]) & (qpos[:, 2] <= high)

    def contact_cost(self, out):
        return self.contact_cost_weight * np.square(self._forces(out)).sum(axis=(1, 2))


class Humanoid(_Spatial):
    file = "humanoid.xml"
    options = dict(forward_reward_weight=1.25, ctrl_cost_weight=0.1, contact_cost_weight=5e-7, contact_cost_range=(-np.inf, 10.0),
                   healthy_reward=5.0, terminate_when_unhealthy=True, healthy_z_range=(1.0, 2.0), reset_noise_scale=1e-2,
                   exclude_current_positions_from_observation=True, include_cinert_in_observation=True,
                   include_cvel_in_observation=True, include_qfrc_actuator_in_observation=True, include_cfrc_ext_in_observation=True)
    outputs = ("xipos", "cinert", "cvel", "qfrc_actuator", "cfrc_ext", "ten_length", "ten_velocity")

    def observe(self, qpos, qvel, out):
        parts, n = [qpos[:, self.skip():], qvel], len(qpos)
        for name in ("cinert", "cvel"):
            if getattr(self, f"include_{name}_in_observation"):
                parts.append(out[name][:, 1:].reshape(n, -1))
        if self.include_qfrc_actuator_in_observation:
            parts.append(out["qfrc_actuator"][:, 6:])
        if self.include_cfrc_ext_in_observation:
            parts.append(out["cfrc_ext"][:, 1:].reshape(n, -1))
        return np.concatenate(parts, axis=1)

    def place(self, qpos, out):
        """The center of mass."""
        mass = self.m.body_mass
        return np.einsum("b,nbj->nj", mass, out["xipos"])[:, :2] / mass.sum()

    def is_healthy(self, qpos, qvel):
        low, high = self.healthy_z_range
        return (low < qpos[:, 2]) & (qpos[:, 2] < high)

    def control_cost(self, actions):
        return super().control_cost(actions.astype(np.float64))    # of data.ctrl, which is double

    def contact_cost(self, out):
        return np.clip(self.contact_cost_weight * np.square(out["cfrc_ext"]).sum(axis=(1, 2)), *self.contact_cost_range)

    def infos(self, qpos, out):
        return {**super().infos(qpos, out), "tendon_length": out["ten_length"], "tendon_velocity": out["ten_velocity"]}


TASKS = {"HalfCheetah-v5": HalfCheetah, "Hopper-v5": Hopper, "Walker2d-v5": Walker2d, "Ant-v5": Ant, "Humanoid-v5": Humanoid}
