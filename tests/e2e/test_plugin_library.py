# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Models with plugins on a server: those that are built in, and those of a library that the operator names."""
import os
import pathlib
import subprocess

import pytest

sheaf = pytest.importorskip("sheaf", reason="pip install ./clients/python")

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCE = """#include <mujoco/mujoco.h>
static int none(const mjModel* m, int i) { return 0; }
static void push(const mjModel* m, mjData* d, int i, int what) { d->qfrc_passive[0] += 2; }
mjPLUGIN_LIB_INIT { mjpPlugin p; mjp_defaultPlugin(&p); p.name = "test.push"; p.capabilityflags = mjPLUGIN_PASSIVE;
  p.nstate = none; p.compute = push; mjp_registerPlugin(&p); }

static int yes(mjResource* r) { return 1; }
static int text(mjResource* r, const void** out) { *out = "<mujoco/>"; return 9; }
static void no(mjResource* r) {}
__attribute__((constructor)) static void store(void) { mjpResourceProvider p = {"texts", yes, text, no}; mjp_registerResourceProvider(&p); }
"""


def model(plugin):
    return (f"<mujoco><option gravity='0 0 0'/><extension><plugin plugin='{plugin}'/></extension><worldbody><body><joint type='slide'/>"
            f"<geom type='capsule' size='.1 .1' mass='4'/><plugin plugin='{plugin}'/></body></worldbody></mujoco>").encode()


def compiled(folder):
    (folder / "push.c").write_text(SOURCE)
    library = folder / "push.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, folder / "push.c", "-I", ROOT / "engine/include"], check=True)
    return library


def test_built_in_plugins_and_no_others(start):
    with sheaf.connect(start().address) as s:
        m = s.load(model("mujoco.elasticity.cable"))
        assert m.rollout(m.state0, nstep=3).status.tolist() == [0]
        with pytest.raises(sheaf.FailedPrecondition, match="'test.push' is not registered"):
            s.load(model("test.push"))


def test_a_library_that_the_operator_names(start, tmp_path):
    with sheaf.connect(start("--plugin-library", str(compiled(tmp_path))).address) as s:
        m = s.load(model("test.push"))
        states = m.rollout(m.state0, nstep=2).state
        assert abs(states[0, -1, 2] - 2 * .002 * 2 / 4) < 1e-12    # velocity after two steps


def test_models_do_not_reach_resource_providers(start, tmp_path):
    """A library may bring a provider, which could read files of the server."""
    with sheaf.connect(start("--plugin-library", str(compiled(tmp_path))).address) as s:
        with pytest.raises(sheaf.FailedPrecondition, match="texts:part.xml.*not one of the model's files"):
            s.load(b"<mujoco><include file='texts:part.xml'/></mujoco>")
