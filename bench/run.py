#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Speed of the engine as a ratio to the reference library, measured in one run.

    build/venv/bin/python bench/run.py [--library build/release/engine/libsheaf.so] [--rounds 11] [--tuned]
                                  [--seconds 0.15] [--ops step,...,grid,many,asleep] [--json OUT]
                                  [--rows 64] [--steps 100] [--apart 2] MODEL.xml ...

Builds bench_engine.c twice, against each library's own headers, and runs the two in turn, operation by operation (A B A B ...).
Times are medians over rounds of the median within a round; the ratio is the median of the rounds' ratios, so that a machine that
is slow for a while is slow for both. Above one this engine is faster. Needs the mujoco wheel. --module compares rollouts with the
reference's own rollout module, too. Rollouts are --rows of --steps steps; each begins --apart steps later in a motion than the one
before.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

OPERATIONS = "step,forward,inverse,fd,rollout1,rollout2"
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)


def reference():
    import mujoco
    top = os.path.dirname(mujoco.__file__)
    lib = [f for f in os.listdir(top) if f.startswith("libmujoco.so")][0]
    return os.path.join(top, "include"), os.path.join(top, lib)


def build(out, include, lib, *flags, source="bench_engine.c"):
    cmd = [os.environ.get("CC", "cc"), "-std=gnu17", "-O2", "-fopenmp", os.path.join(HERE, source), "-o", out,
           "-I" + include, lib, "-lm", "-Wl,-rpath," + os.path.dirname(os.path.abspath(lib)), *flags]
    subprocess.run(cmd, check=True)


def run(exe, model, op, args):
    cmd = [exe, model, "--seconds", str(args.seconds), "--ops", op]
    cmd += ["--rows", str(args.rows), "--steps", str(args.steps), "--apart", str(args.apart)] + ["--tuned"] * args.tuned
    p = subprocess.run(cmd, capture_output=True, text=True)
    if p.returncode:
        sys.exit(f"{exe} {model}: {p.stderr.strip() or p.returncode}")
    return {w[0]: float(w[1]) for w in (line.split() for line in p.stdout.splitlines())}


def label(model):
    """Folder and name: models of different folders share names."""
    top, file = os.path.split(os.path.abspath(model))
    return os.path.basename(top) + "/" + os.path.splitext(file)[0]


def module_time(model, nthread, args):
    """Microseconds per step of the reference's own rollout module on rollouts like those of bench_engine.c."""
    import mujoco
    import numpy as np
    from mujoco import rollout
    m = mujoco.MjModel.from_xml_path(model)
    d = mujoco.MjData(m)
    rng = np.random.default_rng(0)
    state0 = []
    for i in range(args.rows):
        mujoco.mj_resetData(m, d)
        mujoco.mj_integratePos(m, d.qpos, 0.02 * rng.uniform(-1, 1, m.nv), 1)
        for _ in range(args.apart * i):
            d.ctrl[:] = 0.2 * rng.uniform(-1, 1, m.nu)
            mujoco.mj_step(m, d)
        s = np.zeros(mujoco.mj_stateSize(m, mujoco.mjtState.mjSTATE_FULLPHYSICS))
        mujoco.mj_getState(m, d, s, mujoco.mjtState.mjSTATE_FULLPHYSICS)
        state0.append(s)
    ctrl = 0.2 * rng.uniform(-1, 1, (args.rows, args.steps, m.nu))
    datas = [mujoco.MjData(m) for _ in range(nthread)]
    times = []
    with rollout.Rollout(nthread=nthread if nthread > 1 else 0) as r:
        end = time.monotonic() + args.seconds
        while time.monotonic() < end or len(times) < 3:
            t = time.perf_counter()
            r.rollout([m] * args.rows, datas, np.array(state0), ctrl)
            times.append((time.perf_counter() - t) / (args.rows * args.steps) * 1e6)
    return statistics.median(times)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("models", nargs="+")
    ap.add_argument("--library", default=os.path.join(ROOT, "build/release/engine/libsheaf.so"))
    ap.add_argument("--rounds", type=int, default=11)
    ap.add_argument("--seconds", type=float, default=0.15)
    ap.add_argument("--ops", default=OPERATIONS)
    ap.add_argument("--rows", type=int, default=64, help="rollouts")
    ap.add_argument("--steps", type=int, default=100, help="of a rollout")
    ap.add_argument("--apart", type=int, default=2, help="steps between the moments at which two rollouts begin")
    ap.add_argument("--tuned", action="store_true", help="switch islands and midphase off on both sides")
    ap.add_argument("--module", action="store_true")
    ap.add_argument("--json")
    args = ap.parse_args()

    with tempfile.TemporaryDirectory() as tmp:
        ours, theirs = os.path.join(tmp, "ours"), os.path.join(tmp, "theirs")
        build(ours, os.path.join(ROOT, "engine/include"), args.library, "-DSHEAF_BATCH")
        build(theirs, *reference())
        table = {}
        for model in args.models:
            a, b = {}, {}
            for op in args.ops.split(","):
                for _ in range(args.rounds):
                    for exe, into in ((ours, a), (theirs, b)):
                        for what, us in run(exe, model, op, args).items():
                            into.setdefault(what, []).append(us)
                            if args.module and exe is theirs and what.startswith("rollout"):
                                nthread = 2 if what.endswith("s") else 1
                                b.setdefault(what + "-module", []).append(module_time(model, nthread, args))
                                a.setdefault(what + "-module", []).append(a[what][-1])
            table[label(model)] = {op: (statistics.median(a[op]), statistics.median(b[op]),
                                        statistics.median(y / x for x, y in zip(a[op], b[op]))) for op in a if op in b}

    print("| model | operation | us here | us reference | ratio |\n|---|---|---|---|---|")
    for name, rows in table.items():
        for op, (x, y, ratio) in rows.items():
            print(f"| {name} | {op} | {x:.2f} | {y:.2f} | {ratio:.2f} |")
    if args.json:
        with open(args.json, "w") as f:
            json.dump({"tuned": args.tuned, "rounds": args.rounds, "table": table}, f, indent=1)


if __name__ == "__main__":
    main()
