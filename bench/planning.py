#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""A tick of a planner: one request `sample` against the same MPPI written in Python over plain rollouts.

    python bench/planning.py [--server build/release/clients/cli/sheaf] [--threads 2] [--rounds 15]

The loop draws noise with numpy, evaluates splines, asks for rollouts, weighs their states and sensors in numpy and averages; its other
form asks for their costs. All three run in turn (A B C A B C ...), in this process and over a Unix socket; printed are the median of one
request and the medians of the ratios, in process of the time of all CPUs, which other programs do not disturb. Needs the Python package sheaf, with the engine.
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

import sheaf

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
EXAMPLES = os.path.join(ROOT, "clients", "python", "examples")
sys.path.insert(0, EXAMPLES)
import cartpole     # noqa: E402
import humanoid     # noqa: E402


def spline_matrix(knots, nstep):
    """(nstep, knots): what a linear spline has of each knot."""
    at = np.linspace(0, knots - 1, nstep)
    j = np.minimum(at.astype(int), knots - 2)
    out = np.zeros((nstep, knots))
    out[np.arange(nstep), j], out[np.arange(nstep), j + 1] = 1 - (at - j), at - j
    return out


NORMS = {"quadratic": lambda x, p: 0.5 * (x * x).sum(-1), "smooth_abs": lambda x, p: (np.sqrt(x * x + p * p) - p).sum(-1)}


class Case:
    def __init__(self, m, state, cost, samples, nstep, knots):
        self.m, self.state, self.cost, self.nstep, self.samples = m, state, cost, nstep, samples
        self.plan, self.matrix, self.rng = np.zeros((knots, m.nu)), spline_matrix(knots, nstep), np.random.default_rng(0)
        from sheaf.parts import find
        self.parts = [find(m.info_, c.of) for c in cost]

    def request(self):
        return self.m.sample(self.state, self.plan, sampler=sheaf.MPPI(self.samples, 0.2, temperature=1.0), cost=self.cost, nstep=self.nstep,
                             seed=1, spline="linear").knots

    def kilobytes(self):
        """Of results: of one request, and of the loop over states."""
        request = 2 * self.plan.size + self.samples
        return 8e-3 * request, 8e-3 * self.samples * self.nstep * (self.m.nstate + self.m.nsensordata)

    def _draw(self):
        knots = np.clip(self.plan + 0.2 * self.rng.standard_normal((self.samples, *self.plan.shape)), -1, 1)
        return knots, np.einsum("tk,bkn->btn", self.matrix, knots)

    @staticmethod
    def _mean(knots, cost):
        w = np.exp(-(cost - cost.min()) / 1.0)
        return np.tensordot(w, knots, 1) / w.sum()

    def over_states(self):
        knots, control = self._draw()
        state, sensordata = self.m.rollout(self.state, control)
        from_ = {"sensordata": sensordata, "state": state, "ctrl": control}
        total = 0
        for c, (source, first, count) in zip(self.cost, self.parts):
            x = from_[source][..., first:first + count] - (0 if c.target is None else np.asarray(c.target))
            total = total + c.weight * NORMS[c.norm](x, c.p).sum(-1)
        return self._mean(knots, total)

    def over_costs(self):
        knots, control = self._draw()
        return self._mean(knots, self.m.rollout(self.state, control, costs=self.cost).cost)


def measure(case, rounds, clock):
    ways, times = (case.request, case.over_states, case.over_costs), ([], [], [])
    for i in range(rounds + 2):
        for way, out in zip(ways, times):
            begin = clock()
            way()
            if i > 1:
                out.append(clock() - begin)
    ratio = lambda a: statistics.median(x / y for x, y in zip(a, times[0]))
    return 1e3 * statistics.median(times[0]), ratio(times[1]), ratio(times[2])


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--server", default=os.path.join(ROOT, "build/release/clients/cli/sheaf"))
    ap.add_argument("--threads", type=int, default=2)
    ap.add_argument("--rounds", type=int, default=15)
    args = ap.parse_args()
    with tempfile.TemporaryDirectory() as tmp:
        address = os.path.join(tmp, "s")
        server = subprocess.Popen([args.server, "serve", "--no-tcp", "--unix", address, "--threads", str(args.threads)],
                                  stderr=subprocess.DEVNULL)
        while not os.path.exists(address):
            time.sleep(0.01)
        print("| model | where | one request | loop over states | loop over costs | results |\n|---|---|---|---|---|---|")
        for where, clock, session in (("in process", time.process_time, sheaf.connect(threads=args.threads)),
                                      ("Unix socket", time.perf_counter, sheaf.connect("unix://" + address))):
            with session as s:
                m = s.load(os.path.join(EXAMPLES, "cartpole.xml"))
                cases = {"cartpole, 96 x 100": Case(m, m.state0, cartpole.COST, 96, 100, 12)}
                m = s.load(os.path.join(EXAMPLES, "humanoid.xml"))
                cases["humanoid, 128 x 80"] = Case(m, humanoid.crouched(m), humanoid.COST, 128, 80, 5)
                for name, case in cases.items():
                    ms, states, costs = measure(case, args.rounds, clock)
                    small, large = case.kilobytes()
                    print(f"| {name} | {where} | {ms:.3g} ms | {states:.2f}x | {costs:.2f}x | {small:.1f} kB for {large:.0f} kB |", flush=True)
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
