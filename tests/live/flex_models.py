# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Small models with flexes, and the comparison of a state and a short trajectory with the reference."""
import os
import sys
import threading

import mujoco
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
import bridge  # noqa: E402
import live  # noqa: E402

SHAPES = {
    "rope": 'type="grid" count="5 1 1" spacing=".1 .1 .1" dim="1" radius=".01"',
    "cloth": 'type="grid" count="4 3 1" spacing=".1 .1 .1" dim="2" radius=".01"',
    "solid": 'type="grid" count="3 3 3" spacing=".1 .1 .1" dim="3" radius=".01"',
    "shell": 'type="ellipsoid" count="4 4 4" spacing=".1 .1 .1" dim="2" radius=".01"',
    "radial": 'type="ellipsoid" count="4 4 4" spacing=".1 .1 .1" dim="3" radius=".01" dof="radial"',
    "trilinear": 'type="grid" count="4 4 4" spacing=".1 .1 .1" dim="3" radius=".01" dof="trilinear"',
    "quadratic": 'type="grid" count="5 5 5" spacing=".1 .1 .1" dim="3" radius=".01" dof="quadratic"',
}
NO_CONTACT = '<contact selfcollide="none" internal="false" contype="0" conaffinity="0"/>'
POSITION = ["flexvert_xpos", "flexelem_aabb", "flexedge_length", "flexedge_J", "flexedge_J_rownnz",
            "flexedge_J_rowadr", "bvh_aabb_dyn"]
VELOCITY = ["flexedge_velocity", "qfrc_spring", "qfrc_damper", "qfrc_passive"]
ROWS = ["efc_pos", "efc_D", "efc_aref", "efc_diagApprox", "qfrc_constraint"]


def document(flexcomp, option="", flag="", before="", body="", after=""):
    """A model with one flexcomp in a body above the ground. `flexcomp` is (attributes, elements)."""
    return (f'<mujoco><option {option}><flag {flag}/></option><size memory="200M"/><worldbody>{before}'
            f'<body name="base" pos="0 0 1">{body}<flexcomp name="f" {flexcomp[0]}>{flexcomp[1]}</flexcomp></body>'
            f'</worldbody>{after}</mujoco>')


class Pair:
    """The same model and state in the reference and in the engine."""

    def __init__(self, xml):
        self.lib = live.library()
        self.rm = mujoco.MjModel.from_xml_string(xml)
        self.rd = mujoco.MjData(self.rm)
        self.m = bridge.adopt(self.lib, self.rm)
        self.d = bridge.Data(self.lib, self.m)

    def set(self, seed, scale):
        rng = np.random.default_rng(seed)
        mujoco.mj_resetData(self.rm, self.rd)
        qpos = self.rd.qpos.copy()
        mujoco.mj_integratePos(self.rm, qpos, scale * rng.standard_normal(self.rm.nv), 1)
        self.rd.qpos[:] = qpos
        self.rd.qvel[:] = 10 * scale * rng.standard_normal(self.rm.nv)
        self.lib.mj_resetData(self.m.ptr, self.d.ptr)
        self.d.qpos[:] = self.rd.qpos
        self.d.qvel[:] = self.rd.qvel

    def forward(self):
        # Contacts of 3.4.0 with height fields depend on what other code has left on the stack. That of a thread of its own
        # is new.
        reference = threading.Thread(target=mujoco.mj_forward, args=(self.rm, self.rd))
        reference.start()
        reference.join()
        self.lib.mj_forward(self.m.ptr, self.d.ptr)

    def step(self):
        mujoco.mj_step(self.rm, self.rd)
        self.lib.mj_step(self.m.ptr, self.d.ptr)

    def close(self, fields, tolerance=1e-8):
        for name in fields:
            ours, reference = np.asarray(getattr(self.d, name)), np.asarray(getattr(self.rd, name))
            assert ours.size == reference.size, name
            if not ours.size:
                continue
            scale = max(1, abs(reference).max())
            assert abs(ours.ravel() - reference.ravel()).max() <= tolerance * scale, name

    def free(self):
        self.lib.mj_deleteData(self.d.ptr)
        self.lib.mj_deleteModel(self.m.ptr)
