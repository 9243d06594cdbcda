#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Rollouts of models with flexes against the reference's rollout module, on the same threads.

    build/venv/bin/python bench/flexes.py [--library build/release/engine/libsheaf.so] [--threads 1,2] [--rounds 5] [--steps 5] [CASE ...]

A case is a cloth that falls on a ball and a plane, or a block that falls on the plane. Rollouts start at eight moments of the fall, so that some
have no contact and some have hundreds; there are eight from each moment, with velocities that differ a little. A file of MJCF is a case, too, if nothing
in it needs controls: nut_on_bolt.xml, balls_in_bowl.xml and wedges_falling.xml have signed distance fields. Both sides run in turn (A B A B ...); printed are microseconds per step and the median of the ratios. Needs the mujoco wheel.
"""
import argparse
import os
import statistics
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GRID = 'type="grid" spacing=".05 .05 .05" radius=".01" mass="1"'
CONTACT = '<contact selfcollide="none" internal="false" solref=".01 1" {}/>'
STRETCH = '<elasticity young="3e4" poisson=".2" thickness=".01" elastic2d="both"/><edge damping=".01"/>'
CLOTH = f'{GRID} count="20 20 1" dim="2" pos="0 0 .6"'
BLOCK = f'{GRID} count="6 6 6" dim="3" pos="1 0 .145"'
SOFT = '<elasticity young="1e4" poisson=".2" damping=".001"/>'
CASES = {
    "cloth": (CLOTH, STRETCH + CONTACT.format("")),
    "cloth, passive contacts": (CLOTH.replace('mass="1"', 'mass="8"'), STRETCH + CONTACT.format('passive="true"')),
    "cloth, edges equal": (CLOTH, '<edge equality="true" damping=".01"/>' + CONTACT.format("")),
    "block": (BLOCK, SOFT + CONTACT.format("")),
    "block, trilinear": (BLOCK + ' dof="trilinear"', SOFT + CONTACT.format("")),
}


def document(case):
    if case.endswith(".xml"):
        with open(case, encoding="utf-8") as file:
            return file.read()
    attributes, elements = CASES[case]
    return f"""<mujoco><option timestep="1e-3" integrator="implicitfast"/><size memory="100M"/><worldbody>
      <geom type="plane" size="2 2 .1"/><geom type="sphere" size=".2" pos="0 0 .2"/>
      <body name="base"><flexcomp name="flex" {attributes}>{elements}</flexcomp></body></worldbody></mujoco>"""


def moments(m, fall, every):
    """States of a fall, one line for each rollout."""
    import mujoco
    import numpy as np
    d, rng, kind = mujoco.MjData(m), np.random.default_rng(0), mujoco.mjtState.mjSTATE_FULLPHYSICS
    states = []
    for _ in range(8):
        for _ in range(fall):
            mujoco.mj_step(m, d)
        qvel = d.qvel.copy()
        for _ in range(every):
            d.qvel[:] = qvel + 1e-3 * rng.standard_normal(m.nv)
            states.append(np.empty(mujoco.mj_stateSize(m, kind)))
            mujoco.mj_getState(m, d, states[-1], kind)
        d.qvel[:] = qvel
    return np.array(states)


class Reference:
    def __init__(self, m, nthread):
        import mujoco
        from mujoco import rollout
        self.m, self.datas = m, [mujoco.MjData(m) for _ in range(nthread)]
        self.rollout = rollout.Rollout(nthread=nthread if nthread > 1 else 0)

    def run(self, state, nstep):
        return self.rollout.rollout([self.m] * len(state), self.datas, state, nstep=nstep)[0]


class Ours:
    def __init__(self, document, nthread):
        import sheaf
        self.session = sheaf.connect(threads=nthread)
        self.m = self.session.load(document)

    def run(self, state, nstep):
        import numpy as np
        return self.m.rollout(state, np.zeros((len(state), nstep, 0))).state


def measure(case, nthread, args):
    import mujoco
    import numpy as np
    m = mujoco.MjModel.from_xml_string(document(case))
    state = moments(m, args.fall, args.every)
    sides, times = (Ours(document(case), nthread), Reference(m, nthread)), ([], [])
    last = [side.run(state, 2)[:, -1] for side in sides]
    for _ in range(args.rounds):
        for side, into in zip(sides, times):
            start = time.perf_counter()
            side.run(state, args.steps)
            into.append((time.perf_counter() - start) / (len(state) * args.steps) * 1e6)
    ratio = statistics.median(y / x for x, y in zip(*times))
    print(f"| {case} | {nthread} | {statistics.median(times[0]):.0f} | {statistics.median(times[1]):.0f} | {ratio:.2f} | "
          f"{abs(np.subtract(*last)).max():.0e} |", flush=True)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("cases", nargs="*", default=list(CASES), metavar="CASE", help="a name, or a file of MJCF")
    ap.add_argument("--library", default=os.path.join(ROOT, "build/release/engine/libsheaf.so"))
    ap.add_argument("--threads", default="1,2")
    ap.add_argument("--rounds", type=int, default=5)
    ap.add_argument("--steps", type=int, default=5)
    ap.add_argument("--fall", type=int, default=60, help="steps between two moments")
    ap.add_argument("--every", type=int, default=8, help="rollouts from each moment")
    args = ap.parse_args()
    os.environ["SHEAF_LIBRARY"] = os.path.abspath(args.library)
    sys.path.insert(0, os.path.join(ROOT, "clients", "python"))
    print("| case | threads | us here | us reference | ratio | difference of states after two steps |\n|---|---|---|---|---|---|")
    for case in args.cases:
        for nthread in map(int, args.threads.split(",")):
            measure(case, nthread, args)


if __name__ == "__main__":
    main()
