#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Does a change leave every bit of every result where it was?

    python3 tests/same_bits/compare.py OLD_BUILD NEW_BUILD MODEL_OR_FOLDER ...      builds: folders such as build/release
    python3 tests/same_bits/compare.py --record FILE BUILD MODEL_OR_FOLDER ...      keep the hashes of a build, ...
    python3 tests/same_bits/compare.py --against FILE BUILD MODEL_OR_FOLDER ...     ... and compare another build with them
    python3 tests/same_bits/compare.py --lanes BUILD MODEL_OR_FOLDER ...            do one, four and eight lanes agree?
    python3 tests/same_bits/compare.py --emulator COMMAND ...                       run the (new) build by a command
    python3 tests/same_bits/compare.py --compiled OLD_BUILD NEW_BUILD ...           both run what the old build compiled

Each model is stepped, inverted, differentiated and rolled out by `bits.c`, in a process of its own. Prints the models whose
hashes differ and in what, and a count. Models that neither build loads count as equal. With --lanes, `same_lanes.c` compares the
results of each model in one lane with those in four and eight; the models that run in one lane only are printed and counted.
--compiled leaves compiling out of the comparison: the library that makes convex hulls orders them as its own rounding goes.
"""
import argparse
import concurrent.futures
import itertools
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

TIMEOUT = 60    # seconds per model: a bound, not a measurement


def models(paths):
    for path in map(pathlib.Path, paths):
        if path.is_file():
            yield path
        else:
            yield from sorted(p for p in path.rglob("*") if p.suffix in (".xml", ".urdf") and b"<mujoco" in p.read_bytes())


def run(build, program, model, *more, emulator=()):
    """Lines that a program prints about a model, and how it ended if it did not end well."""
    env = dict(os.environ, LD_LIBRARY_PATH=str(pathlib.Path(build, "engine").resolve()))
    path = pathlib.Path(build, "tests", program).resolve()
    try:
        done = subprocess.run([*emulator, path, model.name, *more], cwd=model.parent, env=env, capture_output=True, text=True,
                              errors="replace", timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return ["end timeout"]
    return done.stdout.splitlines() + ([f"end {done.returncode}"] if done.returncode else [])


def over(paths, work):
    """{model: work(model)}, some at a time."""
    paths = list(models(paths))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(map(str, paths), pool.map(work, paths)))


def hashes(build, model, emulator=()):
    """{result: hash} of one model."""
    return dict(line.split(" ", 1) for line in run(build, "same_bits", model, emulator=emulator) if " " in line)


def record(build, paths, emulator=()):
    return over(paths, lambda model: hashes(build, model, emulator))


def compile_all(build, paths, folder):
    """Compile models into binary models in a folder; a model that is refused is left out."""
    numbered = dict(zip(models(paths), itertools.count()))
    over(paths, lambda model: run(build, "same_bits", model, str(folder / f"{numbered[model]}_{model.stem}.mjb")))
    return sorted(folder.iterdir())


def compare_lanes(build, paths, emulator):
    """Print the models whose lanes differ and those that have one lane; the number of the first."""
    loaded = one = changed = 0
    for path, lines in over(paths, lambda model: run(build, "same_lanes", model, emulator=emulator)).items():
        loaded += any(line.startswith("runs") for line in lines)
        if "runs in one lane" in lines:
            one += 1
            print(f"{path}: one lane")
        bad = [line for line in lines if line.startswith(("differ", "end"))]
        changed += bool(bad)
        for line in bad:
            print(f"{path}: {line}")
    print(f"{loaded} models, {one} in one lane, {changed} whose lanes differ")
    return changed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", metavar="FILE")
    parser.add_argument("--against", metavar="FILE")
    parser.add_argument("--lanes", action="store_true")
    parser.add_argument("--emulator", metavar="COMMAND", type=shlex.split, default=[])
    parser.add_argument("--compiled", action="store_true")
    parser.add_argument("what", nargs="+", help="builds, then models")
    args = parser.parse_args()
    if args.lanes:
        return bool(compare_lanes(args.what[0], args.what[1:], args.emulator))
    if args.record:
        pathlib.Path(args.record).write_text(json.dumps(record(args.what[0], args.what[1:]), indent=0))
        return 0

    build = args.what[0] if args.against else args.what[1]
    paths = args.what[1:] if args.against else args.what[2:]
    if args.compiled:
        temporary = tempfile.TemporaryDirectory()
        paths = compile_all(args.what[0], paths, pathlib.Path(temporary.name))
    old = json.loads(pathlib.Path(args.against).read_text()) if args.against else record(args.what[0], paths)
    new = record(build, paths, args.emulator)
    changed = 0
    for path, now in new.items():
        before = old.get(path, {})
        keys = [k for k in dict.fromkeys([*before, *now]) if before.get(k) != now.get(k)]
        if keys:
            changed += 1
            text = before.get("refused") or now.get("refused") or ""
            print(f"{path}: {' '.join(keys)} {text}")
    print(f"{len(new)} models, {changed} with other bits")
    return bool(changed)


if __name__ == "__main__":
    sys.exit(main())
