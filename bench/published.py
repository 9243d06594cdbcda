#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Speed on published models: rollouts against the reference's rollout module, in turn on one thread.

    SHEAF_LIBRARY=build/release/engine/libsheaf.so build/venv/bin/python bench/published.py [--one] [--keep FILE.json] [--against LIBRARY] [PACKAGE ...]

The models are those of tests/live/packages.py (fetch them first) that both libraries load and that have degrees of freedom. For each:
32 rollouts of 25 steps from 32 moments of a motion, controls uniform over their ranges, default flags, sensors too. Both libraries compute them in
turn (A B A B ...), at least --rounds times, on the same processor: others may have a busy neighbour in their core, and then one library
alone would be half as fast. Times are CPU times, because other programs may share the machine; a ratio is the median of the
rounds' ratios, above one where this engine is faster. Where random controls make the reference warn that a state is bad, they are made a fifth, then none;
a model that diverges even so is left out and named. --one measures mj_step, mj_forward and mj_inverse of one state instead.
--against compares with another build of this engine instead of the reference.

Each model has a process of its own, so that a crash or a model that takes too long ends no other. --keep FILE.json keeps
results as they come, and a run with the same file measures only what is missing. Needs the mujoco wheel, the Python client and a C compiler.
"""
import argparse
import ctypes
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
PACKAGES = ("dm_control", "gymnasium_robotics", "robosuite", "metaworld", "mujoco_mjx", "myo_sim", "playground", "mjlab", "robopianist", "safety_gymnasium")
ROWS, STEPS, SCALES = 32, 25, (1, 0.2, 0)
SLOW = 1.1  # a model whose ratio is below is counted


# ---- one model, in a process of its own

class LeftOut(Exception):
    """Why a model is not measured."""


def controls(m, shape, scale, rng):
    import numpy as np
    low, high = np.where(m.actuator_ctrllimited[:, None].astype(bool), m.actuator_ctrlrange, [-1, 1]).T
    return (low + high) / 2 + (high - low) / 2 * scale * rng.uniform(-1, 1, (*shape, m.nu))


def motion(m):
    """States and controls of rollouts in which the reference finds nothing bad; (ROWS, nstate), (ROWS, STEPS, nu)."""
    import mujoco
    import numpy as np
    full = mujoco.mjtState.mjSTATE_FULLPHYSICS
    for scale in SCALES:
        rng, d = np.random.default_rng(0), mujoco.MjData(m)
        if m.nkey:
            mujoco.mj_resetDataKeyframe(m, d, 0)
        x, u = np.zeros((ROWS, mujoco.mj_stateSize(m, full))), controls(m, (ROWS, STEPS), scale, rng)
        for row in range(ROWS):
            for step in range(4):
                d.ctrl[:] = u[row, step]
                mujoco.mj_step(m, d)
            mujoco.mj_getState(m, d, x[row], full)
        if not any(w.number for w in d.warning) and calm(m, x, u):
            return x, u
    raise LeftOut("diverges")


def calm(m, x, u):
    import mujoco
    import numpy as np
    from mujoco import rollout
    d = mujoco.MjData(m)
    state, _ = rollout.rollout(m, d, x, u)
    return not any(w.number for w in d.warning) and bool(np.isfinite(state).all())


def cpu(f):
    began = time.process_time()
    f()
    return time.process_time() - began


def in_turn(ours, theirs, rounds, seconds):
    """Seconds here, seconds there, ratio: medians."""
    ours(), theirs()
    pairs, end = [], time.monotonic() + seconds
    while len(pairs) < rounds or time.monotonic() < end and len(pairs) < 10 * rounds:
        pairs.append((cpu(ours), cpu(theirs)))
    here, there = zip(*pairs)
    return statistics.median(here), statistics.median(there), statistics.median(b / a for a, b in pairs)


def loaded(sheaf, path, library=None):
    """A session of one thread and its model; another build of the engine has a client of its own."""
    if library:
        os.environ["SHEAF_LIBRARY"] = library
    session = sheaf.connect(threads=1)
    try:
        return session, session.load(str(path))
    except sheaf.Error as e:
        raise LeftOut(f"refused here: {e}") from None


def measure(args):
    import mujoco
    import numpy as np
    from mujoco import rollout
    try:
        m = mujoco.MjModel.from_xml_path(args.model)
    except ValueError as e:
        raise LeftOut(f"refused by the reference: {str(e).splitlines()[0]}") from None
    if not m.nv:
        raise LeftOut("nothing moves")
    x, u = motion(m)
    if args.one:
        return one_state(m, x, u, args)
    import sheaf
    session, model = loaded(sheaf, args.model)
    step = model.prepare(ROWS, STEPS)
    ours = lambda: step(x, u if m.nu else None)
    if args.against:
        for name in [n for n in sys.modules if n.split(".")[0] == "sheaf"]:
            del sys.modules[name]
        import sheaf as other
        session_b, model_b = loaded(other, args.model, args.against)
        step_b = model_b.prepare(ROWS, STEPS)
        theirs = lambda: step_b(x, u if m.nu else None)
    else:
        d, out = mujoco.MjData(m), (np.empty((ROWS, STEPS, x.shape[1])), np.empty((ROWS, STEPS, m.nsensordata)))
        with_module = rollout.Rollout(nthread=0)
        theirs = lambda: with_module.rollout(m, d, x, u, state=out[0], sensordata=out[1])
    here, there, ratio = in_turn(ours, theirs, args.rounds, args.seconds)
    return {"nv": m.nv, "lanes": model.lanes, "here": here / ROWS / STEPS, "there": there / ROWS / STEPS, "rollout": ratio}


def one_state(m, x, u, args):
    """mj_step, mj_forward and mj_inverse, one state at a time, without Python between calls."""
    import mujoco
    sys.path[:0] = [str(ROOT / "tests" / "support")]
    import bridge
    theirs, ours = ctypes.CDLL(reference_library()), bridge.load(os.environ["SHEAF_LIBRARY"])
    calls = ctypes.CDLL(args.calls)
    d = mujoco.MjData(m)
    try:
        here = bridge.load_xml(ours, args.model)
    except RuntimeError as e:
        raise LeftOut(f"refused here: {e}") from None
    mine = bridge.Data(ours, here)
    d.ctrl[:] = mine.ctrl[:] = u[0, 0]
    result, spec = {"nv": m.nv}, int(mujoco.mjtState.mjSTATE_FULLPHYSICS)
    for op in ("step", "forward", "inverse"):
        def run(lib, model, data):
            pointer = lambda name: ctypes.cast(getattr(lib, name), ctypes.c_void_p)
            calls.repeatFromStates(pointer("mj_" + op), pointer("mj_setState"), ctypes.c_void_p(model), ctypes.c_void_p(data),
                                   x.ctypes.data_as(ctypes.c_void_p), ROWS, x.shape[1], spec, STEPS // 5)
        ptr = lambda p: p.value if isinstance(p, ctypes.c_void_p) else p
        a, b, ratio = in_turn(lambda: run(ours, ptr(here.ptr), ptr(mine.ptr)), lambda: run(theirs, m._address, d._address), args.rounds, args.seconds)
        result |= {op: ratio, "here " + op: a / ROWS / (STEPS // 5), "there " + op: b / ROWS / (STEPS // 5)}
    return result


def reference_library():
    import mujoco
    (library,) = pathlib.Path(mujoco.__file__).parent.glob("libmujoco.so*")
    return str(library)


# ---- all models

def list_of(package):
    sys.path[:0] = [str(ROOT / "tests" / "live")]
    import packages
    return [p for p in packages.models(packages.FOLDER / package) if p.suffix == ".xml"], packages.FOLDER


def in_process(path, args, calls):
    """What the process of a model prints; or why there is nothing."""
    command = [sys.executable, __file__, "--model", str(path), "--calls", calls, "--rounds", str(args.rounds), "--seconds", str(args.seconds)]
    command += ["--one"] * args.one + (["--against", args.against] if args.against else [])
    try:
        p = subprocess.run(command, capture_output=True, text=True, timeout=args.limit)
    except subprocess.TimeoutExpired:
        return {"left_out": f"took more than {args.limit:g} s"}
    lines = [line for line in p.stdout.splitlines() if line.startswith("{")]    # the rest are warnings of the two libraries
    if p.returncode or not lines:
        return {"left_out": f"the process ended with {p.returncode}: {(p.stderr.splitlines() or [''])[-1]}"}
    return json.loads(lines[-1])


def all_of(args):
    kept = json.loads(args.keep.read_text()) if args.keep and args.keep.exists() else {}
    with tempfile.TemporaryDirectory() as tmp:
        calls = os.path.join(tmp, "calls.so")
        subprocess.run([os.environ.get("CC", "cc"), "-O2", "-shared", "-fPIC", str(ROOT / "bench" / "repeated_calls.c"), "-o", calls], check=True)
        for package in args.packages or PACKAGES:
            paths, top = list_of(package)
            for path in paths:
                name = str(path.relative_to(top))
                if args.only and not any(word in name for word in args.only):
                    continue
                if name not in kept:
                    kept[name] = in_process(path, args, calls)
                    if args.verbose:
                        print(name, kept[name], file=sys.stderr, flush=True)
                    if args.keep:
                        args.keep.write_text(json.dumps(kept, indent=1))
    wanted = tuple(p + "/" for p in args.packages or PACKAGES)
    return {name: r for name, r in kept.items() if name.startswith(wanted)}


def tenth(ratios):
    """The ratio that nine of ten reach."""
    return sorted(ratios)[math.ceil(len(ratios) / 10) - 1]


def summary(rows, what):
    ratios = [r[what] for r in rows]
    return [len(ratios), f"{statistics.median(ratios):.2f}", f"{tenth(ratios):.2f}", f"{min(ratios):.2f}", sum(r < SLOW for r in ratios)]


def short(name):
    *folders, file = name.split("/")
    return f"{folders[0]}: {folders[-1]}/{file[:-4]}"


def show(results, args):
    measured = {n: r for n, r in results.items() if "left_out" not in r}
    for what in ("step", "forward", "inverse") if args.one else ("rollout",):
        lanes = not args.one
        print(f"\n{what}\n\n| package | models | median | a tenth is at or below | lowest | below {SLOW} |" + (" one lane |" if lanes else ""))
        print("|---" * (7 if lanes else 6) + "|")
        groups = {}
        for name, r in measured.items():
            groups.setdefault(name.split("/")[0], []).append(r)
        for package, rows in [*groups.items(), ("all", list(measured.values()))]:
            print("| " + " | ".join(map(str, [package, *summary(rows, what), *([sum(r["lanes"] == 1 for r in rows)] if lanes else [])])) + " |")
        print(f"\n| slowest: {what} | ratio | us here |" + (" lanes |\n|---|---|---|---|" if lanes else "\n|---|---|---|"))
        for name, r in sorted(measured.items(), key=lambda item: item[1][what])[:args.slowest]:
            us = 1e6 * r["here" if lanes else "here " + what]
            print(f"| {short(name)} | {r[what]:.2f} | {us:.1f} |" + (f" {r['lanes']} |" if lanes else ""))
    reasons = {}
    for r in results.values():
        if "left_out" in r:
            reason = r["left_out"].split(":")[0]
            reasons[reason] = reasons.get(reason, 0) + 1
    print("\nleft out: " + (", ".join(f"{count} ({reason})" for reason, count in reasons.items()) or "none"))


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("packages", nargs="*", help="names of packages; default: ten packages of robots, hands, muscles and scenes")
    ap.add_argument("--only", nargs="+", metavar="WORD", help="only models whose path contains one of these")
    ap.add_argument("--one", action="store_true", help="one state at a time")
    ap.add_argument("--against", metavar="LIBRARY", help="another build of this engine, instead of the reference")
    ap.add_argument("--keep", type=pathlib.Path, metavar="FILE.json")
    ap.add_argument("--rounds", type=int, default=5)
    ap.add_argument("--seconds", type=float, default=0.2, help="measure a model for at least so long")
    ap.add_argument("--limit", type=float, default=60, help="seconds after which a model is given up")
    ap.add_argument("--slowest", type=int, default=20)
    ap.add_argument("--verbose", action="store_true")
    ap.add_argument("--model", help=argparse.SUPPRESS)
    ap.add_argument("--calls", help=argparse.SUPPRESS)
    args = ap.parse_args()
    if not args.model:
        return show(all_of(args), args)
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})    # threads of both libraries inherit it
    try:
        said = measure(args)
    except LeftOut as e:
        said = {"left_out": str(e)}
    print("\n" + json.dumps(said))    # a line of its own: the libraries' warnings end where their buffer is full


if __name__ == "__main__":
    main()
