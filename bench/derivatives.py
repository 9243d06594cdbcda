#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Derivatives of steps and of inverse dynamics against the reference's one-sided differences, in turn on one thread.

    SHEAF_LIBRARY=build/release/engine/libsheaf.so build/venv/bin/python bench/derivatives.py [--rounds 7] [--states 64] MODEL.xml ...

States lie on a motion with random controls. Both compute A and B (mjd_transitionFD; transition_derivatives), then DfDq, DfDv
and DfDa (mjd_inverseFD; inverse_derivatives) at all of them, in turn (A B A B ...). Times are CPU times for one state, because other
programs may share the machine; both write into the same arrays again and again; medians over rounds; the ratio is the median of the rounds' ratios, above one where this engine is faster. A dash: the reference refuses the integrator. Needs the mujoco
wheel and the Python client.
"""
import argparse
import os
import statistics
import time

import mujoco
import numpy as np
import sheaf

FULL = mujoco.mjtState.mjSTATE_FULLPHYSICS


def motion(m, n):
    rng, d = np.random.default_rng(0), mujoco.MjData(m)
    mujoco.mj_integratePos(m, d.qpos, 0.02 * rng.uniform(-1, 1, m.nv), 1)
    x, u, w, a = [], [], [], []
    for _ in range(n):
        for _ in range(5):
            d.ctrl[:] = 0.2 * rng.uniform(-1, 1, m.nu)
            mujoco.mj_step(m, d)
        state = np.zeros(mujoco.mj_stateSize(m, FULL))
        mujoco.mj_getState(m, d, state, FULL)
        x.append(state), u.append(d.ctrl.copy()), w.append(d.qacc_warmstart.copy()), a.append(d.qacc.copy())
    return map(np.array, (x, u, w, a))


class Reference:
    def __init__(self, m, x, u, w, a):
        self.m, self.d, self.rows = m, mujoco.MjData(m), list(zip(x, u, w, a))
        nv, ndx = m.nv, 2 * m.nv + m.na
        self.A, self.B = np.zeros((ndx, ndx)), np.zeros((ndx, m.nu))
        self.D = [np.zeros((nv, nv)) for _ in range(3)]

    def transition(self, n):
        for x, u, w, _ in self.rows[:n]:
            mujoco.mj_setState(self.m, self.d, x, FULL)
            self.d.ctrl[:], self.d.qacc_warmstart[:] = u, w
            mujoco.mjd_transitionFD(self.m, self.d, 1e-6, False, self.A, self.B, None, None)

    def inverse(self, n):
        for x, _, _, a in self.rows[:n]:
            mujoco.mj_setState(self.m, self.d, x, FULL)
            self.d.qacc[:] = a
            mujoco.mjd_inverseFD(self.m, self.d, 1e-6, False, *self.D, None, None, None, None)


def timed(f):
    t = time.process_time()
    f()
    return time.process_time() - t


def compare(ours, theirs, n, nref, rounds):
    """Microseconds for one state, here and there, and the median ratio."""
    ours(), theirs(min(2, nref))
    pairs = [(timed(ours) / n, timed(lambda: theirs(nref)) / nref) for _ in range(rounds)]
    here, there = zip(*pairs)
    return 1e6 * statistics.median(here), 1e6 * statistics.median(there), statistics.median(b / a for a, b in pairs)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("models", nargs="+")
    ap.add_argument("--rounds", type=int, default=7)
    ap.add_argument("--states", type=int, default=64)
    ap.add_argument("--reference-states", type=int, default=64, help="how many of them the reference computes in a round")
    args = ap.parse_args()
    print("| model | A, B | of differences | inverse | by differences |\n|---|---|---|---|---|")
    with sheaf.connect(threads=1) as s:
        for path in args.models:
            m, ours = mujoco.MjModel.from_xml_path(path), s.load(path)
            x, u, w, a = motion(m, args.states)
            ref, n = Reference(m, x, u, w, a), args.states
            nref = min(args.reference_states, n)
            q, v = x[:, 1:1 + m.nq], x[:, 1 + m.nq:1 + m.nq + m.nv]
            row = [f"{os.path.basename(os.path.dirname(os.path.abspath(path)))}/{os.path.basename(path)[:-4]}"]
            ndx, into = 2 * m.nv + m.na, lambda *names: {name: np.empty(shape) for name, shape in names}
            AB = into(("A", (n, ndx, ndx)), ("B", (n, ndx, m.nu)))
            D = into(*((name, (n, m.nv, m.nv)) for name in ("DfDq", "DfDv", "DfDa")))
            step = lambda: ours.transition_derivatives(x, u, warmstart=w, of=(), out=AB)
            inverse = lambda: ours.inverse_derivatives(qpos=q, qvel=v, qacc=a, out=D)
            if m.opt.integrator == mujoco.mjtIntegrator.mjINT_RK4:
                step()
                row += [f"- ({1e6 * statistics.median(timed(step) for _ in range(args.rounds)) / n:.1f} us)", ",".join(step().fallback)]
                row += [f"- ({1e6 * statistics.median(timed(inverse) for _ in range(args.rounds)) / n:.1f} us)", ",".join(inverse().fallback)]
            else:
                for f, g in ((step, ref.transition), (inverse, ref.inverse)):
                    here, there, ratio = compare(f, g, n, nref, args.rounds)
                    row += [f"{ratio:.1f}x ({here:.1f} us)", ",".join(f().fallback) or "nothing"]
            print("| " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
