# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Several requests at a time, by futures and by coroutines; the ones that are not needed any more are stopped.

    python in_flight.py            # in this process
    python in_flight.py unix:///run/sheaf.sock
"""
import asyncio
import concurrent.futures
import os
import sys

import numpy as np

import sheaf

MODEL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cartpole.xml")


def first_that_rises(m):
    """Random plans in batches; the first batch in which the tip of the pole rises above the rail wins, and the others are stopped."""
    tip = m.sensor("tip")
    plans = [np.random.default_rng(i).uniform(-1, 1, (64, 15, m.nu)) for i in range(20)]
    futures = {m.submit.rollout(m.state0, u, hold=20): u for u in plans}
    found = None
    for f in concurrent.futures.as_completed(futures):
        height = f.result().sensordata[:, :, tip][:, :, 2].max(axis=1)
        if height.max() > 1.0:
            found = futures[f][np.argmax(height)], height.max(), f.timing
            break
    for f in futures:
        f.cancel()
    return found


async def side_by_side(m, plan):
    """Two questions about one plan, asked at the same time."""
    rollout, forward = await asyncio.gather(m.aio.rollout(m.state0, plan, hold=20), m.aio.forward(ctrl=plan[0], timeout=5.0))
    return rollout.final_state[0], forward["qacc"][0]


def main(address=None):
    with sheaf.connect(address) if address else sheaf.connect(threads=2) as s, s.load(MODEL) as m:
        print(m)
        plan, height, timing = first_that_rises(m)
        print(f"the tip rises to {height:.2f} m; that batch waited {1e3 * timing.queue:.1f} ms and took {1e3 * timing.compute:.1f} ms")
        final, qacc = asyncio.run(side_by_side(m, plan))
        print("it ends at", final.round(2), "and begins with the acceleration", qacc.round(2))


if __name__ == "__main__":
    main(*sys.argv[1:])
