# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""A controller in a loop of single steps: linear feedback that holds the pole of the cartpole upright, from 16 disturbed states.

The gain comes from the derivatives of a step at the upright state; the loop uses a prepared call, which costs little beside its work.

    python closed_loop.py          # in this process
    python closed_loop.py unix:///run/sheaf.sock
"""
import os
import sys

import numpy as np

import sheaf

MODEL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cartpole.xml")


def gain(m, upright):
    """The feedback u = -K (x - upright) that costs least over a long time, by iterating the Riccati equation."""
    A, B, _, _ = (a[0] for a in m.transition_fd(upright[None], np.zeros((1, m.nu)), centered=True))
    Q, R, P = np.diag([1, 10, 0.1, 0.1]), 0.1 * np.eye(m.nu), np.eye(4)
    for _ in range(5000):
        K = np.linalg.solve(R + B.T @ P @ B, B.T @ P @ A)
        P = Q + A.T @ P @ (A - B @ K)
    return K


def main(address=None):
    with sheaf.connect(address) if address else sheaf.connect(threads=1) as s, s.load(MODEL) as m:
        slider, hinge = m.joint("slider"), m.joint("hinge")
        upright = m.state0.copy()
        upright[1 + hinge.qposadr] = 0.0
        K, n = gain(m, upright), 16
        x, rng = np.repeat(upright[None], n, axis=0), np.random.default_rng(0)
        x[:, 1 + hinge.qposadr] += rng.uniform(-0.1, 0.1, n)
        x[:, 1 + m.nq + slider.dofadr] += rng.uniform(-0.2, 0.2, n)
        step = m.prepare(n)
        for _ in range(int(4 / m.timestep)):
            u = -(x[:, 1:] - upright[1:]) @ K.T
            x = step(x, np.clip(u, -1, 1)).final_state
        worst = np.abs(x[:, 1:3]).max()
        print(f"after 4 s the worst of {n} is {worst:.4f} away (m, rad)")
        return worst


if __name__ == "__main__":
    sys.exit(int(main(*sys.argv[1:]) > 0.05))
