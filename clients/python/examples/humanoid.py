# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Stand up from a crouch and keep standing, by MPPI: python humanoid.py [--server tcp://HOST:PORT]"""
import controller
import sheaf

CROUCH = {"hip": -0.65, "knee": 1.2, "ankle": -0.55}

COST = [sheaf.Cost("smooth_abs", "qpos[2]", target=0.95, p=0.05, weight=20),                          # the pelvis is high,
        sheaf.Cost("smooth_abs", "sensordata[over_right_foot]", target=[0.05, 0.1, 1.25], p=0.1, weight=3),   # the chest above the feet,
        sheaf.Cost("smooth_abs", "sensordata[over_left_foot]", target=[0.05, -0.1, 1.25], p=0.1, weight=3),
        sheaf.Cost("quadratic", "sensordata[upright]", target=[0, 0, 1], weight=5),                    # and nothing moves
        sheaf.Cost("quadratic", "sensordata[velocity]", weight=3), sheaf.Cost("quadratic", "qvel", weight=0.005),
        sheaf.Cost("quadratic", "ctrl", weight=0.05)]


def crouched(m):
    state = m.state0.copy()
    for side in ("right_", "left_"):
        for name, angle in CROUCH.items():
            state[1 + m.joint(side + name).qposadr] = angle
    state[3] -= 0.14
    return state


def steer(m, tell=None, ticks=200, seed=0):
    return controller.control(m, crouched(m), sampler=sheaf.MPPI(samples=128, noise=0.15, temperature=3), cost=COST, nstep=80, knots=5,
                              every=2, ticks=ticks, seed=seed, tell=tell)


def goal(m, states):
    """In the last two of four seconds the pelvis is high: it stands."""
    return all(s[3] > 0.8 for s in states[-100:])


if __name__ == "__main__":
    controller.run("humanoid.xml", goal, steer, __doc__)
