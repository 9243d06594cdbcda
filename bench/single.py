#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""What single precision gains and loses: rollouts of models with floats and with doubles, one thread, in turn.

    python bench/single.py MODEL.xml [MODEL.xml ...] [--rows 64] [--steps 100] [--rounds 5]

Prints for each model the microseconds of processor time of a step with doubles and with floats, the ratio (median over the rounds),
iterations of the solver, and how far the states are apart after 1, 10 and all steps (largest difference of a position or velocity in
the median row, and in the worst), and how many rows stop being valid; these are left out of the differences. Controls are random, the same for both. Models that need doubles are named with the reason.
"""
import argparse
import os
import statistics
import time

import numpy as np

import sheaf


def states_of(model, rows):
    random = np.random.default_rng(1)
    x0 = np.tile(model.state0, (rows, 1))
    x0[:, 1 + model.nq:1 + model.nq + model.nv] += 0.1 * random.standard_normal((rows, model.nv))
    return x0


def compare(path, sessions, rows, steps, rounds):
    models = [s.load(path) for s in sessions]
    x0 = states_of(models[0], rows)
    controls = np.random.default_rng(2).uniform(-1, 1, (rows, steps, models[0].nu))
    results, times = [None, None], [[], []]
    for _ in range(rounds):
        for k, m in enumerate(models):
            began = time.process_time()
            results[k] = m.rollout(x0, controls, nstep=steps, outputs=("solver_niter",))
            times[k].append(time.process_time() - began)
    ratio = statistics.median(a / b for a, b in zip(*times))
    cost = [1e6 * statistics.median(t) / (rows * steps) for t in times]
    niter = [float(np.mean(r.outputs["solver_niter"])) for r in results]
    valid = [r.status == 0 for r in results]
    apart = np.abs(results[0].state - results[1].state).max(axis=2)[valid[0] & valid[1]]
    drift = [f"{np.median(apart[:, t]):.0e} / {apart[:, t].max():.0e}" for t in (0, min(9, steps - 1), steps - 1)]
    return cost, ratio, niter, drift, [int((~v).sum()) for v in valid]


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("models", nargs="+")
    p.add_argument("--rows", type=int, default=64)
    p.add_argument("--steps", type=int, default=100)
    p.add_argument("--rounds", type=int, default=5)
    a = p.parse_args()
    sessions = [sheaf.connect(threads=1, precision=precision) for precision in ("double", "single")]
    print(f"| model | doubles, us | floats, us | ratio | iterations | apart after 1 step | after 10 | after {a.steps} | rows that diverge |\n|---|---|---|---|---|---|---|---|---|")
    for path in a.models:
        name = os.path.splitext(os.path.basename(path))[0]
        try:
            cost, ratio, niter, drift, bad = compare(path, sessions, a.rows, a.steps, a.rounds)
        except sheaf.Error as e:
            print(f"| {name} | {e} |")
            continue
        print(f"| {name} | {cost[0]:.2f} | {cost[1]:.2f} | {ratio:.2f} | {niter[0]:.2f}, {niter[1]:.2f} | {' | '.join(drift)} | {bad[0]}, {bad[1]} |")


if __name__ == "__main__":
    main()
