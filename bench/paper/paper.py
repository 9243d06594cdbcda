#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""The two experiments of the 2014 paper on analytically-invertible dynamics, with this engine and the reference.

    build/venv/bin/python bench/paper/paper.py [--library build/release/engine/libsheaf.so] [--states 4096] [--rounds 3] [--plots FOLDER]

1. Impulses of dry friction and contact of a single joint, by forward dynamics (the iterative solver PGS) and by inverse dynamics.
   Fails if they differ by more than 1e-5.
2. Time of forward and inverse dynamics of a humanoid of 27 dofs against the number of constraint rows.

With --plots it draws both (pip install matplotlib). The reference is left out if there is no wheel mujoco==3.4.0.
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
HUMANOID = os.path.join(HERE, "humanoid_27.xml")
PGS, NEWTON = 0, 2
WAYS = ("forward, Newton", "forward, PGS 5", "forward, PGS 50", "inverse")


def build(folder, source, include, library, *flags):
    exe = os.path.join(folder, f"{source}_{os.path.basename(library)}")
    subprocess.run([os.environ.get("CC", "cc"), "-std=gnu17", "-O2", os.path.join(HERE, source + ".c"), "-o", exe, "-I" + include, library,
                    "-Wl,-rpath," + os.path.dirname(os.path.abspath(library)), "-lm", *flags], check=True)
    return exe


def numbers(*command):
    text = subprocess.run([str(c) for c in command], check=True, capture_output=True, text=True).stdout
    return [[float(w) for w in line.split()] for line in text.splitlines()]


def libraries(ours):
    """Name, headers, library, flags: this engine and, if it is installed, the reference."""
    found = [("this engine", os.path.join(ROOT, "engine/include"), ours, ["-DSHEAF_BATCH"])]
    try:
        import mujoco
        top = os.path.dirname(mujoco.__file__)
        found.append(("reference", os.path.join(top, "include"), os.path.join(top, [f for f in os.listdir(top) if f.startswith("libmujoco.so")][0]), []))
    except ImportError:
        pass
    return found


# ---- the single joint

def single_joint(folder, library, steps):
    """Largest difference of impulses of friction, contact and motor, by solver; and the lines of PGS."""
    _, include, path, flags = library
    exe = build(folder, "single_joint", include, path, *flags)
    apart = {}
    for solver in (NEWTON, PGS):
        lines = numbers(exe, steps, solver)
        apart[solver] = [max(abs(x[k] - x[k + 1]) for x in lines) for k in (1, 3, 5)]
    return apart, lines


def draw_joint(plt, lines, path):
    fig, axes = plt.subplots(2, 1, figsize=(8, 5), sharex=True)
    lines = lines[:400]
    for axis, k, name in zip(axes, (1, 3), ("friction impulse (Nms)", "contact impulse (Ns)")):
        axis.plot([x[0] for x in lines], [x[k] for x in lines], "k", lw=2.5, label="forward dynamics")
        axis.plot([x[0] for x in lines], [x[k + 1] for x in lines], "tab:orange", lw=1, label="inverse dynamics")
        axis.set_ylabel(name)
    axes[0].legend(loc="upper right")
    axes[1].set_xlabel("time (s)")
    fig.tight_layout()
    fig.savefig(path)


# ---- the humanoid

def by_rows(lines, width=10):
    """Medians of times for each ten rows: {middle: [times]}, where there are at least three states."""
    bins = {}
    for x in lines:
        bins.setdefault(int(x[0] // width) * width + width // 2, []).append(x[1:])
    return {k: [statistics.median(t) for t in zip(*bins[k])] for k in sorted(bins) if len(bins[k]) >= 3}


def humanoid(folder, libs, states, rounds):
    """{library: medians by rows}; lanes of this engine under "lanes"."""
    exes = {name: build(folder, "row_times", include, path, *flags) for name, include, path, flags in libs}
    file = os.path.join(folder, "states")
    numbers(exes["this engine"], HUMANOID, "make", file, states)
    found = {name: [] for name in exes}
    lanes = []
    for _ in range(rounds):
        for name, exe in exes.items():
            found[name].append(numbers(exe, HUMANOID, "time", file))
        lanes.append(numbers(exes["this engine"], HUMANOID, "lanes", file))
    least = {name: [[a[0][0]] + [min(t) for t in zip(*(x[1:] for x in a))] for a in zip(*tables)]
             for name, tables in (*found.items(), ("lanes", lanes))}
    return {name: by_rows(lines) for name, lines in least.items()}


def draw_humanoid(plt, tables, path):
    fig, axes = plt.subplots(1, 2, figsize=(11, 4.5))
    for name, style in (("this engine", "-"), ("reference", ":")):
        for k, (way, color) in enumerate(zip(WAYS, ("tab:blue", "tab:green", "tab:red", "k"))):
            if name in tables:
                axes[0].plot(list(tables[name]), [t[k] for t in tables[name].values()], style, color=color, label=f"{way}, {name}")
    lanes, one = tables["lanes"], tables["this engine"]
    axes[0].plot(list(lanes), [t[1] for t in lanes.values()], "k--", label="inverse, this engine in lanes")
    axes[0].plot([100], [30], "m*", ms=12, label="inverse in 2014 (Intel i7-3930K)")
    axes[0].set_yscale("log")
    axes[0].set_xlabel("constraint rows")
    axes[0].set_ylabel("microseconds")
    axes[0].set_ylim(top=2e4)
    axes[0].legend(fontsize=7, ncol=2, loc="upper left")
    for k, way in enumerate(WAYS[:3]):
        axes[1].plot(list(one), [t[k] / t[3] for t in one.values()], label=way)
    axes[1].set_xlabel("constraint rows")
    axes[1].set_ylabel("forward time / inverse time")
    axes[1].legend()
    fig.tight_layout()
    fig.savefig(path)


def show(tables):
    names = [n for n in ("this engine", "reference") if n in tables]
    print("| rows | " + " | ".join(f"{way}, {n}" for way in WAYS for n in names) + " | forward, lanes | inverse, lanes |")
    print("|---" * (3 + len(WAYS) * len(names)) + "|")
    for rows in tables["this engine"]:
        cells = [f"{tables[n][rows][k]:.1f}" if rows in tables[n] else "-" for k in range(len(WAYS)) for n in names]
        lanes = [f"{t:.1f}" for t in tables["lanes"].get(rows, [])] or ["-", "-"]
        print(f"| {rows - 5} to {rows + 4} | " + " | ".join(cells + lanes) + " |")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--library", default=os.path.join(ROOT, "build/release/engine/libsheaf.so"))
    p.add_argument("--steps", type=int, default=2000, help="of the single joint")
    p.add_argument("--states", type=int, default=4096, help="of the humanoid")
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--plots", help="folder for single_joint.svg and constraint_rows.svg")
    a = p.parse_args()
    libs = libraries(a.library)
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for lib in libs:
            apart, lines = single_joint(folder, lib, a.steps)
            for solver, name in ((PGS, "PGS"), (NEWTON, "Newton")):
                print(f"{lib[0]}, {name}: impulses of friction, contact, motor apart by " + ", ".join(f"{x:.0e}" for x in apart[solver]))
                bad |= max(apart[solver]) > 1e-5
            if lib is libs[0]:
                first = lines
        tables = humanoid(folder, libs, a.states, a.rounds)
    show(tables)
    if a.plots:
        import matplotlib
        matplotlib.use("Agg")
        from matplotlib import pyplot as plt
        os.makedirs(a.plots, exist_ok=True)
        draw_joint(plt, first, os.path.join(a.plots, "single_joint.svg"))
        draw_humanoid(plt, tables, os.path.join(a.plots, "constraint_rows.svg"))
    return int(bad)


if __name__ == "__main__":
    sys.exit(main())
