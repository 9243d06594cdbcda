# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Walk forward, by predictive sampling: python walker.py [--server tcp://HOST:PORT]"""
import controller
import sheaf

COST = [sheaf.Cost("smooth_abs", "qpos[z]", target=-0.05, p=0.05, weight=20),      # stay up,
        sheaf.Cost("quadratic", "sensordata[upright]", target=[0, 0, 1], weight=6),
        sheaf.Cost("smooth_abs", "qvel[x]", target=1.0, p=0.2, weight=4),              # at one meter per second
        sheaf.Cost("quadratic", "ctrl", weight=0.1)]


def steer(m, tell=None, ticks=250, seed=0):
    return controller.control(m, m.state0, sampler=sheaf.PredictiveSampling(samples=128, noise=0.4), cost=COST, nstep=100, knots=6,
                              every=4, ticks=ticks, seed=seed, tell=tell)


def goal(m, states):
    """It has walked two meters in five seconds, and its torso has stayed up."""
    return states[-1][1] > 2 and all(s[2] > -0.4 for s in states)


if __name__ == "__main__":
    controller.run("walker.xml", goal, steer, __doc__)
