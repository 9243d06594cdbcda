#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Derivatives of steps of models that people publish, against centered differences of the reference's steps.

    SHEAF_LIBRARY=build/release/engine/libsheaf.so python tests/live/derivatives_of_packages.py [--each 8] [--seconds 600] [FOLDER ...]

Loads up to `--each` models of every package of packages.py, or of the folders named, spread evenly over their files, with a
solver that converges. From a moving state it compares some columns of A and B, spread over all, wherever differences to both
sides agree. Prints one line for each model, and at the end how many columns were compared and the largest error over
the largest number of a column's block. The exit code says whether an error exceeds 1e-5. Needs what packages.py needs, and the Python client.
"""
import argparse
import pathlib
import sys
import time

import mujoco
import numpy as np
import sheaf

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import packages  # noqa: E402
from test_step_derivatives import Stepper, moving_states  # noqa: E402

LIMIT, COLUMNS, LARGEST = 1e-5, 24, 120    # error; columns of a model; dofs of a model


def load(path):
    m = mujoco.MjModel.from_xml_path(str(path))
    option = m.opt
    option.tolerance, option.iterations, option.ls_tolerance, option.ls_iterations = 0, 200, 1e-10, 200
    option.solver, option.noslip_iterations = mujoco.mjtSolver.mjSOL_NEWTON, 0
    return m


def compare(session, m, states=1):
    """Columns that were compared, of how many, the largest error, and what the derivatives fell back on."""
    x, u = moving_states(m, states, every=10)
    if not np.isfinite(x).all():
        return None
    r = session.load(m).transition_derivatives(x, u, mode="auto")
    if "step" in r.fallback or r.status.any():
        return 0, 0, 0.0, r.fallback
    stepper, used, total, worst = Stepper(m), 0, 0, 0.0
    for i in range(states):
        # a step that is another one, as where boxes lie edge on edge and contacts are found by rounding, has other derivatives
        q, rest = stepper.step(x[i], u[i], 0, 0)
        step = np.concatenate([q, rest])
        if np.abs(r.next_state[i, 1:1 + len(step)] - step).max() > 1e-6 * max(1, np.abs(step).max()):
            continue
        got = np.concatenate([r.A[i], r.B[i]], axis=1)
        some = np.unique(np.linspace(0, got.shape[1] - 1, COLUMNS).astype(int))
        for block in (some[some < m.nv], some[some >= m.nv]):
            want = [(k, stepper.column(x[i], u[i], k)) for k in block]
            want = [(k, w) for k, w in want if w is not None]
            used, total = used + len(want), total + len(block)
            if want:
                reference = np.array([w for _, w in want]).T
                off = np.abs(got[:, [k for k, _ in want]] - reference).max() / max(1, np.abs(reference).max())
                worst = max(worst, off)
    return used, total, worst, r.fallback


def spread(paths, n):
    return paths if len(paths) <= n else [paths[i] for i in np.linspace(0, len(paths) - 1, n).astype(int)]


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("folders", nargs="*", type=pathlib.Path)
    ap.add_argument("--each", type=int, default=8)
    ap.add_argument("--seconds", type=float, default=600)
    args = ap.parse_args()
    folders = args.folders or [packages.FOLDER / name for name in packages.PACKAGES]
    start, nmodel, columns, total, worst, bad = time.monotonic(), 0, 0, 0, 0.0, []
    with sheaf.connect(threads=1) as session:
        for path in (p for f in folders for p in spread([q for q in packages.models(f) if q.suffix == ".xml"], args.each)):
            if time.monotonic() - start > args.seconds:
                break
            try:
                m = load(path)
                got = compare(session, m) if 0 < m.nv <= LARGEST else None
            except (ValueError, sheaf.Error) as e:
                print(f"{path}: {str(e).splitlines()[0]}")
                continue
            if got is None or not got[1]:
                continue
            nmodel, columns, total, worst = nmodel + 1, columns + got[0], total + got[1], max(worst, got[2])
            print(f"{got[2]:8.1e}  {got[0]:3d} of {got[1]:3d}  {','.join(got[3]) or '-':12s} {path}", flush=True)
            bad += [path] * int(got[2] > LIMIT)
    print(f"{nmodel} models, {columns} of {total} columns, largest error {worst:.1e}, {len(bad)} above {LIMIT:g}")
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
