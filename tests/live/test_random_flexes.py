# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Random models with flexes: compiled arrays, forward quantities and short trajectories next to the reference's.

`python tests/live/test_random_flexes.py FIRST COUNT` compares COUNT models from seed FIRST on and prints those that differ.
As in test_random_models.py, the reference also answers for states that are 1e-12 away, and 30 times the change of its
answers is allowed where that is more than the tolerance: contacts decide by the last bit where a flex lies in a geom.
"""
import ctypes
import os
import pathlib
import sys
import tempfile
import traceback

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco")
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
sys.path.insert(0, os.path.dirname(__file__))
import bridge  # noqa: E402
import live  # noqa: E402
import random_flexes  # noqa: E402
from flex_models import POSITION as PLACES, VELOCITY  # noqa: E402
from test_compile import differing  # noqa: E402
from test_flex_model import mend  # noqa: E402

SHIFT, STEPS, MANY = 1e-12, 10, 250  # MANY: rows
POSITION = [name for name in PLACES if name != "bvh_aabb_dyn"]
CURVED = (mujoco.mjtGeom.mjGEOM_CAPSULE, mujoco.mjtGeom.mjGEOM_CYLINDER, mujoco.mjtGeom.mjGEOM_ELLIPSOID)
CONTACT = ("dist", "pos", "frame", "includemargin", "friction", "solref", "solimp", "dim", "exclude")


class Three:
    """The model and a state in the reference and in the engine, and a state that is SHIFT away in the reference."""

    def __init__(self, path):
        self.lib = live.library()
        self.rm = mujoco.MjModel.from_xml_path(path)
        mend(self.rm)
        self.rd, self.near = mujoco.MjData(self.rm), mujoco.MjData(self.rm)
        self.m = bridge.load_xml(self.lib, path)
        self.d = bridge.Data(self.lib, self.m)

    def set(self, rng, scale):
        mujoco.mj_resetData(self.rm, self.rd)
        mujoco.mj_integratePos(self.rm, self.rd.qpos, scale * rng.standard_normal(self.rm.nv), 1)
        self.rd.qvel[:] = 10 * scale * rng.standard_normal(self.rm.nv)
        mujoco.mj_resetData(self.rm, self.near)
        self.near.qpos[:], self.near.qvel[:] = self.rd.qpos, self.rd.qvel
        mujoco.mj_integratePos(self.rm, self.near.qpos, SHIFT * rng.standard_normal(self.rm.nv), 1)
        self.lib.mj_resetData(self.m.ptr, self.d.ptr)
        self.d.qpos[:], self.d.qvel[:] = self.rd.qpos, self.rd.qvel

    def call(self, name):
        for d in (self.rd, self.near):
            getattr(mujoco, name)(self.rm, d)
        getattr(self.lib, name)(self.m.ptr, self.d.ptr)

    def close(self, names, tolerance=1e-8):
        for name in names:
            want, near, got = (np.asarray(getattr(d, name)).ravel() for d in (self.rd, self.near, self.d))
            assert want.size == got.size, f"{name}: {got.size} numbers, not {want.size}"
            if want.size != near.size or not want.size:
                continue
            noise = np.abs(want - near).max()
            off = np.abs(want - got).max()
            assert off <= max(tolerance * max(1, np.abs(want).max()), 30 * noise), f"{name} is off by {off:.1e}, noise {noise:.1e}"

    def searched(self):
        """Does a contact of a curved shape come from a general routine, which ends at a tolerance?"""
        return any(c.geom[0] >= 0 and self.rm.geom_type[c.geom[0]] in CURVED
                   and not (self.rm.geom_type[c.geom[0]] == CURVED[0] and self.rm.flex_dim[c.flex[1]] == 1)
                   for c in self.rd.contact)

    def converged(self):
        """Does the reference's solver get where its Newton solver gets?"""
        solver, self.rm.opt.solver = self.rm.opt.solver, mujoco.mjtSolver.mjSOL_NEWTON
        mujoco.mj_forward(self.rm, self.near)
        self.rm.opt.solver = solver
        wanted = {name: getattr(self.near, name).copy() for name in ("qacc", "qfrc_constraint")}
        mujoco.mj_forward(self.rm, self.near)
        return all(np.abs(want - getattr(self.rd, name)).max(initial=0) <= 1e-6 * max(1, np.abs(want).max(initial=0))
                   for name, want in wanted.items())

    def same_contacts(self):
        """Contacts in the same order with the same numbers. False if the reference is not sure of them."""
        searched = self.searched()
        tolerance = 1e-5 if searched else 1e-8
        def ids(d):
            return [tuple(int(x) for name in ("geom", "flex", "elem", "vert") for x in getattr(c, name))
                    for c in list(d.contact)[:d.ncon]]
        if ids(self.rd) != ids(self.near):
            return False
        assert ids(self.d) == ids(self.rd), "other contacts"
        for got, want, near in zip(list(self.d.contact)[:self.d.ncon], self.rd.contact, self.near.contact):
            for name in ("dist", "includemargin", "friction") if searched else CONTACT:
                off, noise = (np.abs(np.asarray(getattr(x, name)) - getattr(want, name)).max() for x in (got, near))
                assert off <= max(1e-6 if name == "frame" else tolerance, 30 * noise), f"contact.{name} is off by {off:.1e}"
        return True

    def free(self):
        self.lib.mj_deleteData(self.d.ptr)
        self.lib.mj_deleteModel(self.m.ptr)


def forward(three):
    three.call("mj_forward")
    three.close(POSITION + VELOCITY + ["qacc_smooth", "energy"])
    if not three.rm.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_MIDPHASE:  # the reference needs no boxes then
        three.close(["bvh_aabb_dyn"])
    if not three.same_contacts():
        return False
    assert three.d.nefc == three.rd.nefc
    if three.searched():
        return True
    three.close(["efc_pos", "efc_D", "efc_aref", "efc_diagApprox", "efc_margin", "efc_vel"])
    if not mujoco.mj_isSparse(three.rm):
        n = three.rd.nefc * three.rm.nv  # behind them 3.4.0 has room for equalities of flexes with nodes
        assert np.abs(np.asarray(three.d.efc_J).ravel() - three.rd.efc_J.ravel()[:n]).max(initial=0) <= 1e-8
    if not three.converged():
        return False
    three.close(["qacc", "qfrc_constraint"], 1e-8 if three.rm.opt.solver == mujoco.mjtSolver.mjSOL_NEWTON else 1e-5)
    return True


def compare(seed, folder):
    """How the models of a seed differ: fails, or tells how far the comparison went."""
    xml, files = random_flexes.model(seed)
    folder = pathlib.Path(folder)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    path = folder / "m.xml"
    path.write_text(xml)
    try:
        three = Three(str(path))
    except ValueError as error:
        try:
            bridge.load_xml(live.library(), str(path))
        except RuntimeError:
            pass
        else:
            raise AssertionError(f"the reference refuses it: {str(error).splitlines()[0]}") from None
        return "refused: " + str(error).splitlines()[0]
    assert differing(three.rm, three.m) == []
    rng = np.random.default_rng(seed)
    done = "forward"
    for scale in (0.002, 0.01):
        three.set(rng, scale)
        if not forward(three):
            continue
        if three.rd.nefc > MANY:
            continue
        three.set(rng, scale)
        tolerance = 1e-6
        for _ in range(STEPS):
            three.call("mj_step")
            tolerance = 1e-3 if three.searched() else tolerance
            if three.rd.ncon != three.near.ncon or not np.all(np.abs(three.rd.qpos) < 10):
                break
        else:
            three.close(["qpos"], tolerance)
            done = "trajectories"
    three.free()
    return done


@pytest.mark.parametrize("seed", range(119))
def test_random_flexes(seed, tmp_path):
    try:
        compare(seed, tmp_path)
    except mujoco.FatalError as error:
        pytest.skip(f"the reference stops: {error}")


@pytest.mark.parametrize("seed", range(34))
def test_saved_flexes(seed, tmp_path):
    """What is written is read by both, and is the same model."""
    xml, files = random_flexes.model(seed)
    path, saved = tmp_path / "m.xml", tmp_path / "saved.xml"
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    path.write_text(xml)
    lib, error = live.library(), ctypes.create_string_buffer(1000)
    try:
        m = bridge.load_xml(lib, str(path))
    except RuntimeError:
        return
    if not lib.mj_saveLastXML(os.fsencode(saved), m.ptr, error, 1000):
        assert b"places of nodes have no attribute" in error.value
        return
    want = mujoco.MjModel.from_xml_path(str(saved))
    mend(want)
    assert differing(want, m) == []
    again = bridge.load_xml(lib, str(saved))
    assert differing(want, again) == []
    for model in (m, again):
        lib.mj_deleteModel(model.ptr)


def main(first, count):
    counts = {}
    for seed in range(first, first + count):
        with tempfile.TemporaryDirectory() as folder:
            print(seed, end=" ", flush=True)
            try:
                result = compare(seed, folder)
            except mujoco.FatalError as error:
                result = "the reference stops: " + str(error)
            except Exception as error:
                last = traceback.extract_tb(error.__traceback__)[-1]
                result = "differs"
                print(f"\nseed {seed}: {type(error).__name__} {str(error)[:300]} (line {last.lineno})", flush=True)
        counts[result.split(":")[0]] = counts.get(result.split(":")[0], 0) + 1
    print(f"\n{counts}")
    return counts.get("differs", 0)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])) > 0)
