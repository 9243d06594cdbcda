# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Constraint rows next to the reference's, from the same positions, contacts and inertia.

SHEAF_LIBRARY names the library, SHEAF_MODELS a folder of models (default: shared/models beside the
repository; without it only the scenes below are compared).
"""
import ctypes
import glob
import os
import pathlib
import sys

import pytest

mujoco = pytest.importorskip("mujoco")
np = pytest.importorskip("numpy")
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))
import bridge  # noqa: E402

LIBRARY = os.environ.get("SHEAF_LIBRARY", str(ROOT / "build" / "release" / "engine" / "libsheaf.so"))
if not os.path.exists(LIBRARY):
    pytest.skip("no library: set SHEAF_LIBRARY", allow_module_level=True)
MODELS = os.environ.get("SHEAF_MODELS", str(ROOT.parent / "shared" / "models"))

NAMES = [f.name for f in bridge.structs.STRUCTS["mjData"].fields]
BUFFER = NAMES[NAMES.index("qpos"):NAMES.index("contact")]
COUNTS = "ne nf nl nefc nJ".split()
ROWS = """efc_type efc_id efc_pos efc_margin efc_frictionloss efc_diagApprox efc_KBIP efc_D efc_R efc_vel efc_aref
    tendon_efcadr""".split()
PATTERN = "efc_J_rownnz efc_J_rowadr efc_J_rowsuper efc_J_colind".split()
ISLANDS = """tree_island island_ntree island_itreeadr map_itree2tree dof_island island_nv island_idofadr island_dofadr
    map_dof2idof map_idof2dof iM_rownnz iM_rowadr efc_island island_ne island_nf island_nefc island_iefcadr
    map_efc2iefc map_iefc2efc iefc_type iefc_id iefc_frictionloss iefc_D iefc_R iLDiagInv""".split()


@pytest.fixture(scope="module")
def lib():
    return bridge.load(LIBRARY)


def near(got, want, what, tol=1e-9):
    got, want = np.asarray(got, float), np.asarray(want, float)
    assert got.shape == want.shape, what
    if got.size:
        error = np.max(np.abs(got - want) / np.maximum(1, np.abs(want)))
        assert error <= tol, f"{what}: {error}"


def numbers(a):
    return a.ctypes.data_as(ctypes.c_void_p)


class Pair:
    """The same model and data on both sides."""

    def __init__(self, lib, model):
        self.lib, self.rm, self.rd = lib, model, mujoco.MjData(model)
        self.m = bridge.adopt(lib, model)
        self.d = bridge.Data(lib, self.m)
        self.ref = bridge._View("mjData", self.rd._address, bridge._View("mjModel", model._address))

    def close(self):
        self.lib.mj_deleteData(self.d.ptr)
        self.lib.mj_deleteModel(self.m.ptr)

    def randomize(self, rng, scale, steps):
        rm, rd = self.rm, self.rd
        mujoco.mj_resetData(rm, rd)
        mujoco.mj_integratePos(rm, rd.qpos, rng.standard_normal(rm.nv) * scale, 1)
        rd.qvel[:] = rng.standard_normal(rm.nv)
        rd.ctrl[:] = rng.standard_normal(rm.nu)
        for _ in range(steps):
            mujoco.mj_step(rm, rd)
        mujoco.mj_forward(rm, rd)

    def transfer(self):
        """Positions, inertia and contacts as the reference has them."""
        for name in BUFFER:
            to = getattr(self.d, name)
            if to.size:
                to[...] = getattr(self.ref, name)
        size = ctypes.sizeof(bridge.struct("mjContact")) * self.rd.ncon
        self.d._s.contact = self.d._s.arena
        if size:
            ctypes.memmove(self.d._s.contact, self.ref._s.contact, size)
        self.d._s.ncon, self.d._s.parena = self.rd.ncon, size
        for i in range(self.rd.ncon):
            con = self.d.contact[i]
            con.efc_address, con.mu = -1, 0
            con.exclude = 0 if con.exclude == 3 else con.exclude

    def compare(self):
        self.transfer()
        self.lib.mj_makeConstraint(self.m.ptr, self.d.ptr)
        self.lib.mj_referenceConstraint(self.m.ptr, self.d.ptr)
        self.lib.mj_island(self.m.ptr, self.d.ptr)
        self.compare_rows()
        self.compare_products()
        self.compare_islands()
        self.compare_projection()
        return self.rd.nefc

    def compare_rows(self):
        d, ref = self.d, self.ref
        for name in COUNTS:
            assert getattr(d, name) == getattr(ref, name), name
        for i in range(self.rd.ncon):
            got, want = d.contact[i], ref.contact[i]
            assert (got.efc_address, got.exclude) == (want.efc_address, want.exclude), i
            assert abs(got.mu - want.mu) <= 1e-12
        if not d.nefc:
            return
        for name in ROWS:
            near(getattr(d, name), getattr(ref, name), name)
        sparse = mujoco.mj_isSparse(self.rm)
        for name in PATTERN if sparse else []:
            near(getattr(d, name), getattr(ref, name), name, 0)
        used = d.nJ if sparse else d.nefc * self.rm.nv
        near(d.efc_J[:used], ref.efc_J[:used], "efc_J")

    def compare_products(self):
        rng = np.random.default_rng(0)
        x, force = rng.standard_normal(self.rm.nv), rng.standard_normal(self.rd.nefc)
        for name, vec, n in (("mj_mulJacVec", x, self.rd.nefc), ("mj_mulJacTVec", force, self.rm.nv)):
            got, want = np.zeros(n), np.zeros(n)
            getattr(mujoco, name)(self.rm, self.rd, want, vec)
            getattr(self.lib, name)(self.m.ptr, self.d.ptr, numbers(got), numbers(vec))
            near(got, want, name)

    def compare_islands(self):
        d, ref = self.d, self.ref
        assert (d.nisland, d.nidof) == (ref.nisland, ref.nidof)
        if not ref.nisland:
            return
        sparse = mujoco.mj_isSparse(self.rm)
        for name in ISLANDS + ["i" + name for name in PATTERN if sparse]:
            near(getattr(d, name), getattr(ref, name), name)
        used = ref.iM_rowadr[-1] + ref.iM_rownnz[-1]
        for name in ("iM_colind", "iM", "iLD"):
            near(getattr(d, name)[:used], getattr(ref, name)[:used], name)
        got, want = d.iefc_J, ref.iefc_J
        if not sparse:
            start = ref.island_iefcadr * ref.nidof
            part = [slice(a, a + n) for a, n in zip(start, ref.island_nefc * ref.island_nv)]
            got, want = np.concatenate([got[s] for s in part]), np.concatenate([want[s] for s in part])
        near(got, want, "iefc_J")

    def compare_projection(self):
        self.rm.opt.solver = self.m._s.opt.solver = mujoco.mjtSolver.mjSOL_PGS.value
        try:
            mujoco.mj_projectConstraint(self.rm, self.rd)
        except mujoco.FatalError:
            return  # the reference cannot do this one
        finally:
            self.rm.opt.solver = mujoco.mjtSolver.mjSOL_NEWTON
        self.lib.mj_projectConstraint(self.m.ptr, self.d.ptr)
        self.m._s.opt.solver = mujoco.mjtSolver.mjSOL_NEWTON.value
        assert self.d.nA == self.ref.nA
        if self.ref.nA:
            for name in ("efc_AR_rownnz", "efc_AR_rowadr", "efc_AR_colind") if mujoco.mj_isSparse(self.rm) else ():
                near(getattr(self.d, name), getattr(self.ref, name), name, 0)
            scale = max(1, np.abs(self.ref.efc_AR).max())
            near(self.d.efc_AR / scale, self.ref.efc_AR / scale, "efc_AR")


STATES = ((0.03, 20), (0.3, 0), (1.0, 0), (0.1, 5))
OPTIONS = [(cone, jacobian) for cone in (0, 1) for jacobian in (0, 1)]


def compare_states(lib, model, states):
    rng = np.random.default_rng(1)
    pair = Pair(lib, model)
    for scale, steps in states:
        pair.randomize(rng, scale, steps)
        pair.compare()
    pair.close()


FILES = sorted(f for f in glob.glob(MODELS + "/*/*.xml") + glob.glob(MODELS + "/*/*/*.xml")
               if "22_humanoids" not in f and "common" not in f)


@pytest.mark.parametrize("path", FILES, ids=[os.path.basename(f) for f in FILES])
def test_models(lib, path):
    model = mujoco.MjModel.from_xml_path(path)
    for cone, jacobian in OPTIONS:
        model.opt.cone, model.opt.jacobian, model.opt.impratio = cone, jacobian, (1, 2.5)[cone]
        compare_states(lib, model, STATES)


BODIES = """<worldbody><geom type="plane" size="5 5 .1" margin=".1" gap=".02"/>
<body name="m" mocap="true" pos="0 .3 .5" quat=".9 .1 .2 .3"/>
<body name="s" pos="3 0 1"><geom size=".1"/><site name="ss"/></body>
<body name="a" pos="0 0 .1"><freejoint/>
 <geom name="ga" size=".11" friction=".7 .02 .003" margin=".05"/><site name="sa" pos=".1 .2 .3" euler="10 20 30"/>
 <body name="b" pos=".2 0 0"><joint name="jb" axis="0 1 0" range="-10 10" limited="true"/>
  <geom size=".05" pos=".05 0 0" condim="4"/>
  <body name="c" pos=".2 0 0"><joint type="ball" range="0 10" limited="true"/>
   <geom name="gc" size=".05" pos=".05 0 0" condim="6"/><site name="sc" pos=".1 .1 .3" euler="40 20 30"/>
   <body name="d"><joint name="jd" axis="1 0 0" frictionloss="2" solreffriction=".03 .8"
     solimpfriction=".8 .9 .01 .4 3"/><geom size=".05" pos=".35 0 0" condim="1"/>
    <body name="e"><geom name="ge" size=".01" pos=".3 0 0"/></body></body></body></body></body>
<body name="f" pos="0 .4 .1"><joint name="jf" type="slide" axis="0 0 1" range="-.02 .01" limited="true" margin=".05"/>
 <geom size=".1" margin=".05" solref="-300 -20" solimp=".5 .95 .05 .3 3.5"/></body>
<body pos="0 .4 .3"><joint type="slide" axis="0 0 1" frictionloss=".3" range="0 .001" limited="true"
  solreflimit="-20 -1" solimplimit="-1 3 .01 2 .5"/>
 <geom size=".1" solref=".02 1" condim="6" friction="1 .1 .01"/></body></worldbody>
<contact><pair geom1="ga" geom2="gc" condim="4" friction="1 .5 .1 .2 .3" solreffriction="{slip}"/>
 <pair geom1="gc" geom2="ge" condim="3"/></contact>
<tendon><fixed name="t" limited="true" range="-.1 .1" margin=".2" frictionloss="1" solreflimit="-100 -3"
  solimpfriction=".3 .4 .5"><joint joint="jb" coef="1"/><joint joint="jf" coef="2"/></fixed>
 <fixed name="u"><joint joint="jd" coef="1"/></fixed>
 <fixed name="z" frictionloss="1" limited="true" range=".1 .2"><joint joint="jb" coef="0"/></fixed>
 <spatial name="w" limited="true" range="0 .1"><site site="sa"/><site site="sc"/><site site="ss"/></spatial></tendon>"""
EQUALITIES = {
    "none": "",
    "connect": '<connect body1="b" body2="f" anchor=".1 .2 .3"/><connect body1="f" anchor="1 2 3"/>',
    "connect_sites": '<connect site1="sa" site2="sc"/>',
    "connect_static": '<connect body1="s" body2="world" anchor="0 0 0"/><weld body1="s" body2="world"/>',
    "connect_fixed": '<connect body1="d" body2="e" anchor="0 0 0"/><weld body1="d" body2="e" anchor=".1 .2 .3"/>',
    "weld": '<weld body1="c" body2="a"/><weld body1="a"/>',
    "weld_pose": '<weld body1="c" body2="a" relpose=".1 .2 .3 .5 .6 .7 .8" anchor=".1 .4 .2" torquescale="2.5" '
                 'solref="-100 -10" solimp=".7 .8 .1 .5 1"/>',
    "weld_sites": '<weld site1="sa" site2="sc" torquescale=".3"/><weld site1="sa" site2="ss"/>',
    "mocap": '<weld body1="m" body2="a" relpose=".1 0 0 1 .1 0 0"/><connect body1="f" body2="m" anchor="0 0 .1"/>',
    "joint": '<joint joint1="jb" joint2="jf" polycoef=".1 .2 .3 .4 .5"/><joint joint1="jb"/>'
             '<joint joint1="jf" joint2="jb" polycoef=".1 .2 .3 .4 .5"/>',
    "tendon": '<tendon tendon1="t"/><tendon tendon1="t" tendon2="u" polycoef=".1 .2 .3 .4 .5"/>'
              '<tendon tendon1="w" tendon2="t"/>',
    "tendon_zero": '<tendon tendon1="z"/><tendon tendon1="z" tendon2="u" polycoef="0 0 0 0 0"/>',
    "inactive": '<connect body1="a" body2="b" anchor="0 0 0" active="false"/>',
}
SETTINGS = {
    "plain": "<option/>",
    "impratio": '<option impratio="4" timestep=".02"/>',
    "norefsafe": '<option impratio=".1" timestep=".05"><flag refsafe="disable"/></option>',
    "noequality": '<option><flag equality="disable"/></option>',
    "nolimit": '<option><flag limit="disable"/></option>',
    "nofriction": '<option><flag frictionloss="disable" contact="disable"/></option>',
    "noconstraint": '<option><flag constraint="disable"/></option>',
}


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("equality", EQUALITIES)
def test_scenes(lib, equality, setting):
    slip = ".05 .4" if setting == "impratio" else "-20 -3"
    model = mujoco.MjModel.from_xml_string(
        f"<mujoco>{SETTINGS[setting]}{BODIES.format(slip=slip)}<equality>{EQUALITIES[equality]}</equality></mujoco>")
    for cone, jacobian in OPTIONS:
        model.opt.cone, model.opt.jacobian = cone, jacobian
        compare_states(lib, model, ((0.03, 0), (0.3, 0)))


TURNS = ([1, 0, 0, 0], [2, .5, .3, .1], [-1, .2, .1, .4], [0, 1, 0, 0], [0, 0, 0, 0], [1, 1e-17, 0, 0], [-1, 0, 0, 0])


@pytest.mark.parametrize("limit", ('range="0 20"', 'range="0 1" margin=".5"', 'range="0 170" margin="10"'))
def test_ball_limits(lib, limit):
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><worldbody><body><joint type="ball" limited="true" {limit}/><geom size=".1"/></body></worldbody></mujoco>')
    pair = Pair(lib, model)
    for quat in TURNS:
        mujoco.mj_resetData(model, pair.rd)
        pair.rd.qpos[:] = quat
        mujoco.mj_forward(model, pair.rd)
        pair.compare()
    pair.close()


def test_islands_get_the_solution(lib):
    model = mujoco.MjModel.from_xml_string("""<mujoco><option tolerance="1e-14"/><worldbody>
        <geom type="plane" size="5 5 .1"/>
        <body pos="0 0 2"><joint axis="1 0 0" type="slide"/><geom size=".1"/></body>
        <body pos="1 0 .09"><joint axis="0 0 1" type="slide"/><geom size=".1"/></body>
        <body pos="2 0 1"><joint name="a" axis="0 1 0" limited="true" range="1 2"/><geom size=".1"/></body>
        <body pos="4 0 1"><joint name="b" axis="0 1 0" frictionloss="1"/><geom size=".1"/></body></worldbody>
        <equality><joint joint1="a" joint2="b"/></equality></mujoco>""")
    pair = Pair(lib, model)
    mujoco.mj_forward(model, pair.rd)
    lib.mj_forward(pair.m.ptr, pair.d.ptr)
    assert pair.d.nisland == 2
    for name in "ifrc_smooth iacc_smooth iacc ifrc_constraint iefc_aref iefc_force iefc_state".split():
        near(getattr(pair.d, name), getattr(pair.ref, name), name)
    pair.close()


@pytest.mark.parametrize("mass", [1, 1e8, 1e14])
@pytest.mark.parametrize("impratio", [1e-3, 1, 2, 1e3, 1e12])
def test_regularizers_of_friction(lib, mass, impratio):
    """Those of elliptic friction may be smaller than any other."""
    for friction in ("1 .005 .0001", "1e-5 10 1"):
        pair = Pair(lib, mujoco.MjModel.from_xml_string(f"""<mujoco><option cone="elliptic" impratio="{impratio}"/>
            <worldbody><geom type="plane" size="5 5 .1"/><body pos="0 0 .09"><freejoint/>
            <geom size=".1" mass="{mass}" condim="6" friction="{friction}" priority="1"/></body></worldbody></mujoco>"""))
        mujoco.mj_forward(pair.rm, pair.rd)
        lib.mj_forward(pair.m.ptr, pair.d.ptr)
        for name in ("efc_R", "efc_D", "efc_diagApprox"):
            near(getattr(pair.d, name) / getattr(pair.rd, name), np.ones(6), name, 1e-12)
        pair.close()
