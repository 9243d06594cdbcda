#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""What more threads bring: the same rollouts with 1, 2, 4, ... threads, beside the reference's rollout module with as many.

    python bench/scaling.py MODEL.xml [MODEL.xml ...] [--threads 1,2,4] [--rows 1024] [--steps 100] [--rounds 5]

All thread counts are measured in turn, round after round. Wall time counts, so the machine must be quiet. Printed are, for each
number of threads, steps per second and the speed over one thread of both sides (medians of the rounds), and the ratio of one side
over the other. Beside them stands what the machine gives at most: the speed over one thread of a loop of arithmetic (arithmetic.c) that
takes as long as this engine's call, in the same rounds. "busy" is the part of the time that this engine's threads compute and do not
wait: what it is short of 1 is the engine's own loss; what else is lost are caches, memory and clocks. Needs the Python package sheaf, the wheel mujoco==3.4.0 and a C compiler.
"""
import argparse
import concurrent.futures
import ctypes
import os
import statistics
import subprocess
import tempfile
import time

import mujoco
import numpy as np
from mujoco import rollout

import sheaf


def seconds(call):
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def busy(call, n):
    """The part of the time of a call for which n threads compute."""
    began = time.process_time()
    wall = seconds(call)
    return (time.process_time() - began) / wall / n


def start_states(m, rows):
    """States of a motion from the first keyframe, a few steps apart."""
    full, d, rng = mujoco.mjtState.mjSTATE_FULLPHYSICS, mujoco.MjData(m), np.random.default_rng(0)
    if m.nkey:
        mujoco.mj_resetDataKeyframe(m, d, 0)
    x = np.zeros((rows, mujoco.mj_stateSize(m, full)))
    for row in range(rows):
        d.ctrl[:] = 0.2 * rng.uniform(-1, 1, m.nu)
        mujoco.mj_step(m, d)
        mujoco.mj_getState(m, d, x[row], full)
    return x


def sides(path, threads, rows, steps):
    """One call of this engine and one of the reference for each number of threads."""
    m = mujoco.MjModel.from_xml_path(path)
    x = start_states(m, rows)
    u = 0.2 * np.random.default_rng(1).uniform(-1, 1, (rows, steps, m.nu))
    out = np.empty((rows, steps, x.shape[1])), np.empty((rows, steps, m.nsensordata))
    ours, theirs = [], []
    for n in threads:
        step = sheaf.connect(threads=n).load(path).prepare(rows, steps)
        module, data = rollout.Rollout(nthread=n if n > 1 else 0), [mujoco.MjData(m) for _ in range(n)]
        ours.append(lambda step=step: step(x, u))
        theirs.append(lambda module=module, data=data: module.rollout([m] * rows, data, x, u, state=out[0], sensordata=out[1]))
    return ours, theirs


def loops(threads, duration):
    """Calls of a loop of arithmetic, shared by each number of threads, that takes one thread about this many seconds."""
    with tempfile.TemporaryDirectory() as tmp:
        lib = os.path.join(tmp, "arithmetic.so")
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "arithmetic.c")
        subprocess.run([os.environ.get("CC", "cc"), "-O2", "-march=native", "-shared", "-fPIC", source, "-o", lib], check=True)
        loop = ctypes.CDLL(lib).arithmetic  # without Python's lock while it runs
    loop.argtypes, loop.restype = [ctypes.c_long], ctypes.c_double
    trial = 10_000_000
    n = int(trial * duration / min(seconds(lambda: loop(trial)) for _ in range(3)))

    def share(count):
        workers = concurrent.futures.ThreadPoolExecutor(count)
        return lambda: list(workers.map(loop, [n // count] * count))
    return [share(count) for count in threads]


def measure(path, threads, rows, steps, rounds):
    ours, theirs = sides(path, threads, rows, steps)
    for call in ours + theirs:
        call()
    calls = list(zip(ours, theirs, loops(threads, seconds(ours[0]) * threads[0])))
    times = [[[seconds(call) for call in of] for of in calls] for _ in range(rounds)]
    for k, n in enumerate(threads):
        here, there = ([r[k][side] for r in times] for side in (0, 1))
        faster = [statistics.median(r[0][side] / r[k][side] for r in times) for side in (0, 1, 2)]
        ratio = statistics.median(b / a for a, b in zip(here, there))
        works = statistics.median(busy(ours[k], n) for _ in range(rounds))
        yield n, rows * steps / statistics.median(here), faster[0], works, rows * steps / statistics.median(there), faster[1], ratio, faster[2]


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("models", nargs="+")
    p.add_argument("--threads", default="1,2")
    p.add_argument("--rows", type=int, default=1024)
    p.add_argument("--steps", type=int, default=100)
    p.add_argument("--rounds", type=int, default=5)
    a = p.parse_args()
    print("| model | threads | steps/s | over one thread | busy | reference, steps/s | over one thread | ratio | arithmetic |\n|---|---|---|---|---|---|---|---|---|", flush=True)
    for path in a.models:
        for n, here, more, works, there, more_there, ratio, best in measure(path, [int(n) for n in a.threads.split(",")], a.rows, a.steps, a.rounds):
            name = os.path.splitext(os.path.basename(path))[0]
            print(f"| {name} | {n} | {here:,.0f} | {more:.2f} | {works:.3f} | {there:,.0f} | {more_there:.2f} | {ratio:.1f} | {best:.2f} |", flush=True)


if __name__ == "__main__":
    main()
