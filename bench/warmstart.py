#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Iterations of the constraint solver, by where its solves start: what warm starts save.

    python bench/warmstart.py MODEL.xml ...

Prints the mean of the output `solver_niter` over the solves that have constraints, for

  none      unconstrained accelerations (the model's warm start is disabled)
  before    the step before: what steps do by themselves
  earlier   accelerations of the same step of an earlier rollout (outputs=("solution",), warmstart=) whose controls were a little different:
            the next iteration of an optimizer
  shifted   the same, two steps later (shift=2), with the rollout that begins from there: the next tick of a controller
  center    controls around those of eight of the states (share_warmstart): grids; `grid, none` are the same solves without. What a row
            computes from the center with one linear solution counts as one iteration

Counts do not depend on the machine, on threads or on lanes. Needs the Python package sheaf with the engine.
"""
import argparse
import pathlib
import xml.etree.ElementTree as ET

import numpy as np

import sheaf

ROWS, STEPS, SETTLE, SHIFT = 32, 20, 200, 2


def disabled(path):
    """The text of the model with warm starts disabled; its files stay beside it."""
    root = ET.parse(path).getroot()
    option = root.find("option")
    option = ET.SubElement(root, "option") if option is None else option
    flag = option.find("flag")
    flag = ET.SubElement(option, "flag") if flag is None else flag
    flag.set("warmstart", "disable")
    twin = path.with_name(f".{path.stem}_cold.xml")
    twin.write_text(ET.tostring(root, encoding="unicode"))
    return twin


def mean(result, nefc):
    n = np.asarray(result)[..., 0][np.asarray(nefc)[..., 0] > 0]
    return float(n.mean()) if n.size else 0.0


def measure(session, path):
    m = session.load(path)
    twin = disabled(path)
    try:
        cold = session.load(twin)
    finally:
        twin.unlink()
    rng = np.random.default_rng(0)
    low, high = np.full(m.nu, -1.0), np.full(m.nu, 1.0)
    settle = np.repeat(rng.uniform(low, high, (ROWS, SETTLE // 5, m.nu)), 5, axis=1)
    x = m.rollout(np.tile(m.state0, (ROWS, 1)), settle).final_state
    u = np.repeat(rng.uniform(low, high, (ROWS, (STEPS + SHIFT + 4) // 5 + 1, m.nu)), 5, axis=1)[:, :STEPS + SHIFT]
    names = ("solver_niter", "nefc", "solution")
    r = m.rollout(x, u, outputs=names)
    other = u + rng.uniform(-0.05, 0.05, u.shape)
    found = {}

    def roll(name, model, x0, control, **more):
        got = model.rollout(x0, control, outputs=names, **more).outputs
        found[name] = mean(got["solver_niter"], got["nefc"])

    roll("none", cold, x, other)
    roll("before", m, x, other)
    roll("earlier", m, x, other, warmstart=r)
    later = m.rollout(x, u[:, :SHIFT]).final_state
    roll("shifted", m, later, other[:, SHIFT:], warmstart=r, shift=SHIFT)

    # grids of controls around eight of the states
    part = np.cumsum([1, m.nq, m.nv])
    for name, model, more in (("grid, none", cold, {}), ("center", m, {"share_warmstart": True})):
        means = []
        for k in range(8):
            q, v, act = x[k, 1:part[1]], x[k, part[1]:part[2]], x[k, part[2]:]
            controls = u[k, :1] + np.concatenate([np.zeros((1, m.nu)), np.random.default_rng(k).uniform(-0.1, 0.1, (255, m.nu))])
            got = model.forward(qpos=q, qvel=v, act=act if act.size else None, ctrl=controls, outputs=("solver_niter", "nefc"), **more)
            if got["nefc"][0, 0]:
                means.append(got["solver_niter"][1:].mean())
        found[name] = float(np.mean(means)) if means else 0.0
    return found


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("model", nargs="+", type=pathlib.Path)
    args = ap.parse_args()
    names = ("none", "before", "earlier", "shifted", "grid, none", "center")
    print("| model |" + "".join(f" {n} |" for n in names) + "\n|---|" + "---|" * len(names))
    with sheaf.connect(threads=1) as session:
        for path in args.model:
            found = measure(session, path)
            print(f"| {path.parent.name}/{path.stem} |" + "".join(f" {found[n]:.2f} |" for n in names), flush=True)


if __name__ == "__main__":
    main()
