# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""The main job, end to end: find a gait for a four-legged robot by random search on a server.

    python demo.py ADDRESS [--rows 512] [--seconds 4] [--out DIR]

Each row of the batch is one gait: a frequency, an amplitude and a phase for every joint. One request simulates all
gaits; the server streams the trajectories back. A second request asks for derivatives along the best gait. Prints a
summary and writes a plot.
"""
import argparse
import os
import time

import numpy as np

import sheaf

HERE = os.path.dirname(os.path.abspath(__file__))
LOW = 0.2     # metres; a robot whose trunk comes lower has fallen


def gaits(rng, rows, steps, timestep, stand):
    """Controls (rows, steps, 12): sinusoids around the standing pose; the legs trot in about half of the rows, and have random phases in the others."""
    t = np.arange(steps) * timestep
    frequency = rng.uniform(1.0, 3.0, (rows, 1, 1))
    leg = np.where(rng.uniform(size=(rows, 1)) < 0.5, [[0, np.pi, np.pi, 0]], rng.uniform(0, 2 * np.pi, (rows, 4)))
    knee_lag = np.zeros((rows, 3))
    knee_lag[:, 2] = rng.uniform(0, 2 * np.pi, rows)
    phase = (np.repeat(leg, 3, axis=1) + np.tile(knee_lag, 4))[:, None, :]
    amplitude = rng.uniform([0, 0.06, 0.06], [0.03, 0.27, 0.36], (rows, 3))     # abduction, hip, knee
    return stand + np.tile(amplitude, 4)[:, None, :] * np.sin(2 * np.pi * frequency * t[None, :, None] + phase)


def plot(path, t, x, y, z, best, info):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt
    fig, (a, b) = plt.subplots(1, 2, figsize=(11, 4.2))
    a.plot(x.T, y.T, color="0.6", lw=0.4, alpha=0.5)
    a.plot(x[best], y[best], color="tab:red", lw=2)
    a.set(xlabel="x [m]", ylabel="y [m]", title=f"{len(x)} gaits from one pose, seen from above", aspect="equal")
    b.plot(t, x.T, color="0.6", lw=0.4, alpha=0.5)
    b.plot(t, x[best], color="tab:red", lw=2, label="best")
    b.set(xlabel="time [s]", ylabel="forward distance [m]", title=info)
    b.legend()
    for ax in (a, b):
        ax.spines[["top", "right"]].set_visible(False)
    fig.tight_layout()
    fig.savefig(path, dpi=110)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("address")
    ap.add_argument("--rows", type=int, default=512)
    ap.add_argument("--seconds", type=float, default=4.0)
    ap.add_argument("--out", default="out")
    args = ap.parse_args()
    os.makedirs(args.out, exist_ok=True)

    with sheaf.connect(args.address) as s:
        m = s.load(os.path.join(HERE, "quadruped.xml"))
        steps = int(round(args.seconds / m.timestep))
        print(f"model    {m.nv} degrees of freedom, {m.nu} actuators, hash {m.hash[:12]}, {m.lanes} states side by side")
        u = gaits(np.random.default_rng(1), args.rows, steps, m.timestep, m.key_ctrl[0])
        start = time.perf_counter()
        r = m.rollout(m.key_state[0], u, progress=True)
        wall = time.perf_counter() - start

        x, y, z = r.state[:, :, 1], r.state[:, :, 2], r.state[:, :, 3]
        score = np.where((r.status == 0) & (z.min(axis=1) > LOW), x[:, -1], -np.inf)
        best = int(np.argmax(score))
        rate = args.rows * steps / wall
        print(f"rollouts {args.rows} x {steps} steps in {wall:.2f} s: {rate:,.0f} steps/s, "
              f"{rate * m.timestep:,.0f} times real time")
        print(f"rows     {int((r.status == 0).sum())} valid, {int((r.status != 0).sum())} diverged, "
              f"{int((z.min(axis=1) <= LOW).sum())} fell")
        print(f"best     gait {best} walks {score[best]:.2f} m in {args.seconds:g} s")

        start = time.perf_counter()
        A, B, C, D = m.transition_fd(r.state[best, ::10], u[best, ::10])
        wall = time.perf_counter() - start
        print(f"A, B     along it at {len(A)} states in {wall * 1e3:.0f} ms: A {A.shape[1:]}, B {B.shape[1:]}")
        path = os.path.join(args.out, "demo.png")
        plot(path, np.arange(steps) * m.timestep, x, y, z, best, f"{rate:,.0f} steps/s through the server")
        print(f"plot     {path}")


if __name__ == "__main__":
    main()
