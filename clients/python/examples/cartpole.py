# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Swing a pole up and balance it, by MPPI: python cartpole.py [--server tcp://HOST:PORT]"""
import math

import controller
import sheaf

COST = [sheaf.Cost("smooth_abs", "sensordata[tip]", target=[0, 0, 2], p=0.1), sheaf.Cost("quadratic", "qvel", weight=0.02),
        sheaf.Cost("quadratic", "ctrl", weight=0.02)]


def steer(m, tell=None, ticks=125, seed=0):
    return controller.control(m, m.state0, sampler=sheaf.MPPI(samples=96, noise=0.5, temperature=0.5), cost=COST, nstep=100, knots=12,
                              every=4, ticks=ticks, seed=seed, tell=tell)


def goal(m, states):
    """In the last second the pole stands, within 15 degrees."""
    hinge = 1 + m.joint("hinge").qposadr
    return all(math.cos(s[hinge]) > math.cos(math.radians(15)) for s in states[-25:])


if __name__ == "__main__":
    controller.run("cartpole.xml", goal, steer, __doc__)
