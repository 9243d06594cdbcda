#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Did a change make the engine execute more instructions? Times on a shared machine do not tell; counts do.

    python3 tests/instructions/count.py BUILD               compare with counts.json
    python3 tests/instructions/count.py --record BUILD      write counts.json: after a change on purpose

valgrind's callgrind counts the instructions that `same_bits` (always the same steps, inverse dynamics, differences and rollouts of a
model) spends in some functions and what they call. A count that is more than BAND away from the recorded one fails in either direction:
record a gain, or the next loss hides in it. Counts are those of two compilers with AVX2 (valgrind hides AVX-512): skipped elsewhere.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

BAND = 0.03
ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORD = pathlib.Path(__file__).with_name("counts.json")
# what a row counts: steps of one state, inverse dynamics, finite differences, groups of rollouts in eight lanes, and kernels of theirs
WORK = ["mj_step", "mj_inverse", "mjd_transitionFD", "runGroup"]
MODELS = {
    "deploy/demo/quadruped.xml": [*WORK, "mji_kinematics_v8", "mji_crb_v8"],
    "tests/golden/models/walker.xml": WORK,
    "tests/golden/models/limb.xml": [*WORK, "mji_tendon_v8"],
    "tests/golden/models/stack.xml": WORK,
    "tests/instructions/links.xml": ["mj_step", "runGroup", "mji_penetrationInDents_v1"],
    "tests/instructions/pegs.xml": ["mj_step", "runGroup", "mji_depth_v8"],
    "tests/instructions/walker_pgs.xml": ["mj_step", "runGroup", "mji_solvePGS_v8", "mji_dualMatrix_v8"],
}


def unable(build):
    """A reason why instructions cannot be counted here, or None."""
    if not shutil.which("valgrind"):
        return "valgrind is not installed"
    if " avx2 " not in pathlib.Path("/proc/cpuinfo").read_text().replace("\n", " "):
        return "the processor has no AVX2"
    if "clang version 14." not in second_compiler(build):
        return "groups of eight were not built by clang 14"
    return None if compiler(build).startswith("GNU 12.") else f"built by {compiler(build)}, not GNU 12"


def second_compiler(build):
    """What clang says about itself, if it has compiled a part of this build."""
    path = re.search("^SHEAF_CLANG:FILEPATH=(.*)$", pathlib.Path(build, "CMakeCache.txt").read_text(), re.MULTILINE)
    return subprocess.run([path[1], "--version"], capture_output=True, text=True).stdout if path and os.path.exists(path[1]) else ""


def compiler(build):
    text = next(pathlib.Path(build, "CMakeFiles").glob("*/CMakeCCompiler.cmake")).read_text()
    return " ".join(re.search(rf'CMAKE_C_COMPILER_{name} "(.*)"', text)[1] for name in ("ID", "VERSION"))


def count(build, model, functions):
    """{function: instructions in it and in what it calls}"""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder, "out")
        env = dict(os.environ, LD_LIBRARY_PATH=str(pathlib.Path(build, "engine").resolve()), OMP_NUM_THREADS="1")
        subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", str(pathlib.Path(build, "tests", "same_bits").resolve()),
                        str(ROOT / model)], cwd=folder, env=env, check=True, capture_output=True)
        text = subprocess.run(["callgrind_annotate", "--inclusive=yes", "--threshold=100", str(out)], cwd=folder, check=True, capture_output=True,
                              text=True).stdout
    counts = dict.fromkeys(functions, 0)
    for number, name in re.findall(r"^\s*([\d,]+) \([^)]*\)\s+\S+:(\w+) \[", text, re.MULTILINE):
        if name in counts:    # a function has a row for each file that was inlined into it; the largest is that of its own
            counts[name] = max(counts[name], int(number.replace(",", "")))
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("build")
    args = parser.parse_args()
    reason = unable(args.build)
    if reason:
        print(f"{reason}\n0 passed, 0 failed, 1 skipped")
        return 0
    now = {model: count(args.build, model, functions) for model, functions in MODELS.items()}
    if args.record:
        RECORD.write_text(json.dumps(now, indent=1) + "\n")
        return 0
    recorded = json.loads(RECORD.read_text())
    failed = passed = 0
    for model, counts in now.items():
        for name, n in counts.items():
            want = recorded[model][name]
            bad = not n or abs(n / want - 1) > BAND
            failed += bad
            passed += not bad
            print(f"{'FAILED ' if bad else ''}{model} {name}: {n:,} instructions, {n / want - 1:+.1%} of the recorded ones")
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
