#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Where do the engine and the reference differ first? Prints the first step, stage and array.

    python tests/support/first_difference.py MODEL.xml [--steps 100] [--tolerance 1e-9] [--seed 0]
                                             [--library build/release/engine/libsheaf.so]

Both libraries compile the model, and the arrays of the models are compared. Then both are stepped with the same random controls.
Before each step the engine is given the state of the reference, so that what it prints arose in that step. The arrays of a step
are compared in the order in which its stages write them: the first that differs is the one to look at, those after it follow.
"""
import argparse
import os
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bridge  # noqa: E402
import mujoco  # noqa: E402

STATE = "qpos qvel act ctrl qfrc_applied xfrc_applied mocap_pos mocap_quat qacc_warmstart"

# what each stage writes, in the order of engine/pipeline/forward.c; contacts and rows only where both have as many
STAGES = {
    "kinematics": "xpos xquat xmat xipos ximat xanchor xaxis geom_xpos geom_xmat site_xpos site_xmat cam_xpos cam_xmat",
    "center of mass, tendons": "subtree_com cinert cdof ten_length",
    "inertia": "crb M qLD qLDiagInv",
    "collision": "ncon",
    "constraint rows": "ne nf nl nefc efc_type efc_id efc_pos efc_margin efc_D",
    "transmission": "actuator_length",
    "velocity": "ten_velocity actuator_velocity cvel cdof_dot qfrc_bias qfrc_spring qfrc_damper qfrc_gravcomp qfrc_fluid "
                "efc_vel efc_aref",
    "actuation": "act_dot actuator_force qfrc_actuator",
    "smooth acceleration": "qfrc_smooth qacc_smooth",
    "solver": "efc_force efc_state qfrc_constraint qacc",
    "sensors": "sensordata",
    "integration": "time qpos qvel act",
}


def difference(got, want):
    """Largest difference, relative where the reference is larger than one; infinite where shapes differ."""
    got, want = np.asarray(got, float).ravel(), np.asarray(want, float).ravel()
    if got.shape != want.shape:
        return float("inf")
    same = (got == want) | (np.isnan(got) & np.isnan(want))
    return float(np.max(np.where(same, 0, np.abs(got - want) / np.maximum(1, np.abs(want))), initial=0))


def model_arrays(m, rm, tolerance):
    for name in dir(rm):
        want = getattr(rm, name)
        # the engine keeps no pixels
        if name != "tex_data" and isinstance(want, np.ndarray) and want.dtype.kind in "fiub" and hasattr(m, name):
            off = difference(getattr(m, name), want)
            if off > (max(tolerance, 1e-6) if want.dtype == np.float32 else tolerance):
                yield f"{name}: off by {off:.3g}"


def step(d, rd, tolerance):
    for stage, names in STAGES.items():
        for name in names.split():
            want = np.asarray(getattr(rd, name), float)
            got = np.asarray(getattr(d, name), float)
            off = difference(got, want)
            if not off <= tolerance:
                print(f"stage: {stage}\narray: {name}, off by {off:.3g}")
                if got.shape == want.shape:
                    k = int(np.nanargmax(np.abs(got.ravel() - want.ravel())))
                    print(f"element {k}: {got.ravel()[k]!r}, reference {want.ravel()[k]!r}")
                else:
                    print(f"shape {got.shape}, reference {want.shape}")
                return True
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--tolerance", type=float, default=1e-9)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--library", default="build/release/engine/libsheaf.so")
    args = parser.parse_args()

    lib = bridge.load(args.library)
    rm = mujoco.MjModel.from_xml_path(args.model)
    rd = mujoco.MjData(rm)
    own = bridge.load_xml(lib, args.model)
    found = list(model_arrays(own, rm, args.tolerance))
    print("models: " + ("; ".join(found[:10]) or "equal"))

    # from here on the engine uses the reference's model, so that only the step is asked about
    m = bridge.adopt(lib, rm)
    d = bridge.Data(lib, m)
    rng = np.random.default_rng(args.seed)
    for i in range(args.steps):
        rd.ctrl[:] = rng.uniform(-1, 1, rm.nu)
        d.time = rd.time
        for name in STATE.split():
            if getattr(rd, name).size:
                getattr(d, name)[:] = getattr(rd, name)
        mujoco.mj_step(rm, rd)
        lib.mj_step(m.ptr, d.ptr)
        if step(d, rd, args.tolerance):
            print(f"step: {i}")
            return 1
    print(f"{args.steps} steps: equal to {args.tolerance:g}")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
