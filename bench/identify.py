#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Identify six masses of a humanoid from 32 windows of a trajectory, in one request per iteration and with one model per candidate.

    python bench/identify.py HUMANOID.xml [--threads 1] [--steps 3] [--rounds 9] [--repeat 3] [--server ADDRESS] [--regressor]

A Gauss-Newton iteration wants the final states of all windows for 13 candidates: the masses themselves, and each a little lighter and
heavier. Three ways, in turn (A B C A B C ...) so that a machine that is slow for a while is slow for all. A turn is an identification,
which takes three iterations (--repeat), each with masses of its own; what a way has to do once per turn, because another way had the caches, counts:

  params     one rollout of 13 x 32 rows with params={"body_mass": ...}, prepared once (m.prepare), so that an iteration writes
             masses into its arrays; its solves start from the accelerations that the request before found for the masses
             themselves (--cold: from zero, as the others)
  models     a model for each candidate, loaded by Sheaf from its text, and one rollout of 32 rows with it
  reference  a copy of the reference's model for each candidate, changed by hand, mj_setConst, and its rollout module

With --regressor also

  regressor  derivatives of the final states instead of 12 of the candidates: one rollout of 32 rows, and along it derivatives of
             steps by states (transition_derivatives) and by the masses (transition_regressor), multiplied in numpy

whose Jacobian must agree with the differences, and whose iterations must find the masses, too.

Prints medians of wall time and of the CPU time of this process, and medians over the rounds of each over that of `params`. With a
server (--server ADDRESS) Sheaf's work is done there, and only wall time says something. Checks that the final states agree, and that the
iterations find the masses. Needs the Python package sheaf, with the engine, and the wheel mujoco==3.4.0.
"""
import argparse
import copy
import statistics
import time

import mujoco
import numpy as np
from mujoco import rollout as reference

import sheaf

BODIES = ("torso", "pelvis", "thigh_right", "shin_right", "thigh_left", "shin_left")
WINDOWS, NUDGE = 32, 1e-4
FULL = mujoco.mjtState.mjSTATE_FULLPHYSICS


def explicit(path):
    """The model with the inertia of its bodies as numbers, and its text with places for the six masses."""
    spec = mujoco.MjSpec.from_file(path)
    model = spec.compile()
    for i, name in enumerate(BODIES):
        b, body = spec.body(name), model.body(name)
        b.explicitinertial, b.mass, b.ipos, b.iquat, b.inertia = True, 7000 + i, body.ipos, body.iquat, body.inertia
    spec.compile()
    text = spec.to_xml()
    for i in range(len(BODIES)):
        assert text.count(f'mass="{7000 + i}"') == 1
        text = text.replace(f'mass="{7000 + i}"', f'mass="@{i}@"')
    return text


def with_masses(text, masses):
    for i, mass in enumerate(masses):
        text = text.replace(f"@{i}@", repr(float(mass)))
    return text


class Task:
    def __init__(self, path, session, threads, steps, cold=False):
        own = mujoco.MjSpec.from_file(path).compile()
        self.ids = [own.body(name).id for name in BODIES]
        self.truth = own.body_mass[self.ids].copy()
        self.text = explicit(path)
        self.rm = mujoco.MjModel.from_xml_string(with_masses(self.text, self.truth))
        self.session, self.threads, self.cold = session, threads, cold
        self.m = session.load(with_masses(self.text, self.truth).encode())
        self.data = [mujoco.MjData(self.rm) for _ in range(threads)]

        # a trajectory of the true model, and windows of it
        rng = np.random.default_rng(0)
        control = rng.uniform(-0.5, 0.5, (WINDOWS * steps, self.m.nu))
        run = np.concatenate([self.m.state0[np.newaxis], self.m.rollout(self.m.state0, control).state[0]])
        self.start = run[:-1:steps]
        self.control = control.reshape(WINDOWS, steps, -1)
        self.measured = run[steps::steps]
        self.step = self.prepare(2 * len(BODIES) + 1, steps)

    def prepare(self, k, steps):
        """The request for k candidates: states and controls of the windows, for each candidate."""
        own = np.tile(self.m.params["body_mass"], (k * WINDOWS, 1))
        step = self.m.prepare(k * WINDOWS, steps, ("final_state", "solution"), only=True, params={"body_mass": own},
                              warmstart=None if self.cold else np.zeros((k * WINDOWS, steps, self.m.nv)))
        step(np.tile(self.start, (k, 1)), np.tile(self.control, (k, 1, 1)))
        return step

    def params(self, masses):
        k = len(masses)
        self.step.params["body_mass"].reshape(k, WINDOWS, -1)[:, :, self.ids] = masses[:, None]
        outputs = self.step().outputs
        if not self.cold:
            self.step.warmstart.reshape(k, WINDOWS, -1)[:] = outputs["solution"][:WINDOWS].reshape(WINDOWS, -1)
        return outputs["final_state"].reshape(k, WINDOWS, -1)

    def regressor(self, mass):
        """Final states of the windows (32, nstate), and their derivatives by the masses (32, ndx, 6) in the tangent space."""
        m, own = self.m, self.m.params["body_mass"].copy()
        own[self.ids] = mass
        state, _ = m.rollout(self.start, self.control, params={"body_mass": own})
        steps = self.control.shape[1]
        x = np.concatenate([self.start[:, None], state[:, :-1]], axis=1).reshape(-1, self.start.shape[1])
        u = self.control.reshape(len(x), -1)
        by = "body_mass[" + ", ".join(BODIES) + "]"
        A, = m.transition_derivatives(x, u, want="A", params={"body_mass": own}) if steps > 1 else [np.zeros((len(x), 0))]
        P = m.transition_regressor(x, u, by=by, params={"body_mass": own})[by]
        A, P = (D.reshape(WINDOWS, steps, *D.shape[1:]) for D in (A, P))
        S = P[:, 0]
        for t in range(1, steps):
            S = A[:, t] @ S + P[:, t]
        return state[:, -1], S

    def improve_by_regressor(self, mass, final, S):
        error = self.m.diff(final, self.measured)
        return mass * (1 - np.clip(np.linalg.lstsq((S * mass).reshape(-1, len(mass)), error.ravel(), rcond=None)[0], -0.5, 0.5))

    def models(self, masses):
        return np.stack([self.session.load(with_masses(self.text, mass).encode()).rollout(
            self.start, self.control, only=True, outputs=("final_state",)).outputs["final_state"]
                         for mass in masses])

    def reference(self, masses):
        out = []
        for mass in masses:
            own = copy.copy(self.rm)
            own.body_mass[self.ids] = mass
            mujoco.mj_setConst(own, self.data[0])
            state, _ = reference.rollout(own, self.data, self.start, self.control)
            out.append(state[:, -1])
        return np.stack(out)

    def candidates(self, mass):
        nudges = NUDGE * np.diag(mass)
        return np.concatenate([[mass], mass + nudges, mass - nudges])

    def improve(self, mass, final):
        """Gauss-Newton, relative to the masses."""
        n = len(mass)
        error = (final[0] - self.measured).ravel()
        J = ((final[1:1 + n] - final[1 + n:]) / (2 * NUDGE)).reshape(n, -1).T
        return mass * (1 - np.clip(np.linalg.lstsq(J, error, rcond=None)[0], -0.5, 0.5))


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("model")
    ap.add_argument("--threads", type=int, default=1)
    ap.add_argument("--steps", type=int, default=3, help="of a window; contacts make long ones hard to fit")
    ap.add_argument("--rounds", type=int, default=9)
    ap.add_argument("--repeat", type=int, default=3, help="iterations of a turn")
    ap.add_argument("--cold", action="store_true", help="all solves start from zero")
    ap.add_argument("--server", help="ADDRESS of a server instead of the engine in this process")
    ap.add_argument("--regressor", action="store_true", help="also with derivatives by the masses instead of candidates")
    args = ap.parse_args()

    with sheaf.connect(args.server) if args.server else sheaf.connect(threads=args.threads) as session:
        task = Task(args.model, session, args.threads, args.steps, args.cold)
        guess = task.truth * np.random.default_rng(1).uniform(0.7, 1.4, len(task.truth))
        mass, iterations = guess, 0
        while np.abs(mass / task.truth - 1).max() > 1e-6 and iterations < 20:
            mass, iterations = task.improve(mass, task.params(task.candidates(mass))), iterations + 1
        print(f"masses within {np.abs(mass / task.truth - 1).max():.1e} of the truth after {iterations} iterations")

        if args.regressor:
            found, iterations = guess, 0
            while np.abs(found / task.truth - 1).max() > 1e-6 and iterations < 20:
                found, iterations = task.improve_by_regressor(found, *task.regressor(found)), iterations + 1
            print(f"masses within {np.abs(found / task.truth - 1).max():.1e} of the truth after {iterations} iterations with regressors")
            final, S = task.regressor(guess)
            both = task.params(task.candidates(guess))
            low = task.m.diff(both[7:].reshape(-1, both.shape[2]), np.tile(final, (6, 1)))
            high = task.m.diff(both[1:7].reshape(-1, both.shape[2]), np.tile(final, (6, 1)))
            J = np.moveaxis(((high - low) / (2 * NUDGE)).reshape(6, WINDOWS, -1), 0, 2) / guess
            error = np.abs(S - J).max(axis=(1, 2)) / np.abs(J).max(axis=(1, 2))
            print(f"derivatives differ from differences by {np.median(error):.1e} in the median window, {error.max():.1e} at most")

        ways = {"params": task.params, "models": task.models, "reference": task.reference}
        if args.regressor:
            ways["regressor"] = lambda masses: task.regressor(masses[0])[0]
        wall, cpu, finals = {name: [] for name in ways}, {name: [] for name in ways}, {}
        for k in range(args.rounds + 1):
            # masses that no server has seen before
            turn = [task.candidates(guess * (1 + 1e-3 * k + 1e-4 * i + 1e-5 * np.random.default_rng().random())) for i in range(args.repeat)]
            for name, way in ways.items():
                begin, worked = time.perf_counter(), time.process_time()
                for masses in turn:
                    finals[name] = way(masses)
                wall[name].append((time.perf_counter() - begin) / args.repeat)
                cpu[name].append((time.process_time() - worked) / args.repeat)
        assert np.abs(finals["params"] - finals["models"]).max() < 1e-6
        assert np.abs(finals["params"] - finals["reference"]).max() < 1e-3
        print("13 candidates      ms   over params    CPU ms   over params")
        for name in ways:
            print(f"{name:10}" + "".join(f"{1e3 * statistics.median(t[name][1:]):11.2f}"
                                        f"{statistics.median(x / y for x, y in zip(t[name][1:], t['params'][1:])):14.2f}"
                                        for t in (wall, cpu)))


if __name__ == "__main__":
    main()
