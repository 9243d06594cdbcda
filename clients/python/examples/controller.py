# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""What the controllers of this folder share: plan, apply, plan again. One request per tick."""
import argparse
import os
import sys
import time

import sheaf

HERE = os.path.dirname(os.path.abspath(__file__))


def control(m, state, *, sampler, cost, nstep, knots, every, ticks, seed=0, spline="cubic", tell=None):
    """Control a simulation of the model `m` for some ticks of `every` steps; the states after them.

    The simulation is a rollout of its own, in the place of a robot. tell: called with tick, state and plan.
    """
    plan, states = knots, []
    for tick in range(ticks):
        best = m.sample(state, plan, sampler=sampler, cost=cost, nstep=nstep, seed=seed + tick, spline=spline,
                        shift=every if tick else 0)
        plan = best.knots[0]
        state = m.rollout(state, best.control[0], nstep=every).final_state[0]
        states.append(state)
        if tell:
            tell(tick, state, best)
    return states


def run(model, goal, steer, doc):
    """A program: steer(m, tell) returns the states of a controller, goal(m, states) whether they reach the goal."""
    parser = argparse.ArgumentParser(description=doc)
    parser.add_argument("--server", help="address of a server; default: in this process")
    parser.add_argument("--threads", type=int, default=0, help="worker threads in this process; 0: one per CPU")
    options = parser.parse_args()
    session = sheaf.connect(options.server) if options.server else sheaf.connect(threads=options.threads)
    with session as s:
        m, begin = s.load(os.path.join(HERE, model)), time.perf_counter()

        def tell(tick, state, best):
            if tick % 25 == 24:
                each = 1e3 * (time.perf_counter() - begin) / (tick + 1)
                print(f"t = {state[0]:5.2f} s   cost {best.cost.min():9.3f}   {each:.1f} ms per tick", flush=True)
        reached = goal(m, steer(m, tell))
    print("reached the goal" if reached else "did not reach the goal")
    sys.exit(not reached)
