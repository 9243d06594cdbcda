#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Time and memory of loading and compiling models, as ratios to the reference library, measured in one run.

    build/venv/bin/python bench/load.py [--library build/release/engine/libsheaf.so] [--largest 10] [--rounds 5] MODEL_OR_FOLDER ...

Builds bench_load.c twice, against each library's own headers. Of all models that the reference loads, the ones it takes
longest for are measured: both in turn (A B A B ...), one load a process, medians over the rounds. A ratio below one means
that this engine is faster, or needs less. Needs the mujoco wheel.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import tempfile

import run


def load(exe, model):
    """(seconds, bytes of the model, peak kilobytes), or None if it does not load."""
    p = subprocess.run([exe, str(model)], capture_output=True, text=True)
    return tuple(float(x) for x in p.stdout.split()) if p.returncode == 0 else None


def largest(exe, paths, count):
    """The models that take the reference longest, the same bytes only once."""
    files = [f for p in paths for f in (sorted(p.rglob("*.xml")) if p.is_dir() else [p])]
    times = {}
    for f in files:
        if b"<mujoco" in f.read_bytes() and (cost := load(exe, f)):
            times[f] = cost[0]
    return sorted(times, key=times.get, reverse=True)[:count]


def measure(ours, theirs, model, rounds):
    """Medians of both: (seconds, bytes, kilobytes)."""
    samples = [[load(exe, model) for exe in (ours, theirs)] for _ in range(rounds)]
    if any(pair[0] is None for pair in samples):
        return None
    return [[statistics.median(pair[side][k] for pair in samples) for k in range(3)] for side in (0, 1)]


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("paths", nargs="+", type=pathlib.Path)
    ap.add_argument("--library", default=os.path.join(run.ROOT, "build/release/engine/libsheaf.so"))
    ap.add_argument("--largest", type=int, default=10)
    ap.add_argument("--rounds", type=int, default=5)
    args = ap.parse_args()
    with tempfile.TemporaryDirectory() as tmp:
        ours, theirs = os.path.join(tmp, "ours"), os.path.join(tmp, "theirs")
        run.build(ours, os.path.join(run.ROOT, "engine/include"), args.library, source="bench_load.c")
        run.build(theirs, *run.reference(), source="bench_load.c")
        print("| model | load and compile | ratio of times | model | peak of the process | ratio of peaks |")
        print("|---|---|---|---|---|---|", flush=True)
        for model in largest(theirs, args.paths, args.largest):
            pair = measure(ours, theirs, model, args.rounds)
            if not pair:
                print(f"| {run.label(model)} | does not load | | | | |", flush=True)
                continue
            (t, size, peak), (t1, _, peak1) = pair
            print(f"| {run.label(model)} | {1e3 * t:.0f} ms | {t / t1:.2f} | {size / 1e6:.1f} MB | {peak / 1e3:.0f} MB "
                  f"| {peak / peak1:.2f} |", flush=True)


if __name__ == "__main__":
    main()
