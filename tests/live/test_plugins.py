# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Plugins against the reference, with the libraries of its own first-party plugins: compiled models, forces and trajectories."""
import ctypes
import glob
import os
import sys

import numpy as np
import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
sys.path.insert(0, os.path.dirname(__file__))
import bridge  # noqa: E402
import live  # noqa: E402
from test_compile import compile_text, differing  # noqa: E402

mujoco = live.mujoco
for _path in sorted(glob.glob(os.path.join(os.path.dirname(mujoco.__file__), "plugin", "*.so"))):
    mujoco.mj_loadPluginLibrary(_path)

DECLARED = "".join(f'<plugin plugin="{p}"/>' for p in ("mujoco.pid", "mujoco.elasticity.cable", "mujoco.sensor.touch_grid"))
SLOTS = {"plugin"}  # numbers of registration


def document(body, rest="", extension="", option=""):
    return (f"<mujoco><option {option}/><extension>{DECLARED}{extension}</extension><worldbody>{body}</worldbody>{rest}</mujoco>")


def use(plugin, **config):
    return (f'<plugin plugin="{plugin}">' + "".join(f'<config key="{k}" value="{v}"/>' for k, v in config.items()) + "</plugin>")


class Both:
    """The same text compiled by both."""

    def __init__(self, xml, other=frozenset()):
        self.lib = live.library()
        self.rm = mujoco.MjModel.from_xml_string(xml)
        self.rd = mujoco.MjData(self.rm)
        self.m, reason = compile_text(xml)
        assert self.m is not None, reason
        assert differing(self.rm, self.m, SLOTS | other) == []
        self.d = bridge.Data(self.lib, self.m)

    def compare(self, rng, steps=10, scale=.3):
        mujoco.mj_integratePos(self.rm, self.rd.qpos, scale * rng.normal(size=self.rm.nv), 1)
        self.rd.qvel[:] = scale * rng.normal(size=self.rm.nv)
        self.rd.ctrl[:] = rng.normal(size=self.rm.nu)
        self.rd.act[:] = .1 * rng.normal(size=self.rm.na)
        for name in ("qpos", "qvel", "ctrl", "act"):
            getattr(self.d, name).ravel()[:] = getattr(self.rd, name)
        mujoco.mj_forward(self.rm, self.rd)
        self.lib.mj_forward(self.m.ptr, self.d.ptr)
        self.equal(("qfrc_passive", "actuator_force", "act_dot", "sensordata", "qacc"), 1e-8)
        for _ in range(steps):
            self.rd.ctrl[:] = rng.normal(size=self.rm.nu)
            self.d.ctrl.ravel()[:] = self.rd.ctrl
            mujoco.mj_step(self.rm, self.rd)
            self.lib.mj_step(self.m.ptr, self.d.ptr)
        self.equal(("qpos", "qvel", "act", "sensordata"), 1e-6)

    def equal(self, names, tolerance):
        for name in names:
            want, got = getattr(self.rd, name).ravel(), getattr(self.d, name).ravel()
            limit = tolerance * max(1, np.abs(want).max(initial=0))
            assert np.abs(want - got).max(initial=0) <= limit, f"{name}: {got} expected {want}"

    def __del__(self):
        if hasattr(self, "d"):
            self.lib.mj_deleteData(self.d.ptr)
            self.lib.mj_deleteModel(self.m.ptr)


# ---- mujoco.elasticity.cable

GEOMS = {"capsule": ".03", "cylinder": ".03", "box": ".02 .03 .05", "tall box": ".02 .07 .01"}


def cable(geom, curve="s", initial="none", prefix="", **config):
    return (f'<composite prefix="{prefix}" type="cable" curve="{curve}" count="7 1 1" size="2 .3 .4" initial="{initial}">'
            f'{use("mujoco.elasticity.cable", **config)}<joint kind="main" damping=".01"/>'
            f'<geom type="{geom.split()[-1]}" size="{GEOMS[geom]}" density="300"/></composite>')


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicit", "implicitfast"])
@pytest.mark.parametrize("geom", GEOMS)
def test_cable_geoms(geom, integrator):
    both = Both(document(cable(geom, "s sin(s) cos(s)", twist="1e5", bend="4e5"),
                         option=f'timestep="1e-3" integrator="{integrator}"'))
    both.compare(np.random.default_rng(1))


@pytest.mark.parametrize("flat", ["true", "false"])
@pytest.mark.parametrize("initial", ["none", "ball", "free"])
def test_cable_rest_shape(flat, initial):
    both = Both(document("<body><geom size='.1' pos='9 9 9'/></body>" + cable("capsule", "s cos(s)", initial, twist="1e5", bend="4e5", flat=flat)
                         , option='timestep="1e-3"'))
    both.compare(np.random.default_rng(2))


def test_two_cables_and_attributes_that_are_left_out():
    both = Both(document(cable("capsule", prefix="A", twist="1e5") + cable("box", "0 s", prefix="B", bend="1e5"),
                         option='timestep="1e-3"'))
    both.compare(np.random.default_rng(3))


def test_chain_of_bodies_with_a_declared_instance():
    chain, end = "", ""
    for i in range(5):
        chain += (f'<body pos="{.2 * (i > 0)} 0 0" euler="0 {10 * i} 5"><joint type="ball" damping=".1"/>'
                  '<geom type="capsule" size=".02" fromto="0 0 0 .2 0 0"/><plugin instance="c"/>')
        end += "</body>"
    both = Both(document(chain + end, option='timestep="1e-3"', extension='<plugin plugin="mujoco.elasticity.cable">'
                         '<instance name="c"><config key="twist" value="1e6"/><config key="bend" value="1e6"/></instance></plugin>'))
    both.compare(np.random.default_rng(4))


@pytest.mark.parametrize("flexcomp", ['count="3 3 3" dim="3" dof="trilinear"', 'count="3 3 3" dim="3" dof="quadratic"'])
def test_the_body_around_control_nodes_has_the_plugin_of_the_flexcomp(flexcomp):
    both = Both(document('<body name="b"><joint axis="0 1 0"/><geom type="capsule" size=".01 .1" contype="0" conaffinity="0"/>'
                         f'<flexcomp name="f" {flexcomp} spacing=".1 .1 .1" radius=".01"><contact selfcollide="none" internal="false"/>'
                         f'{use("mujoco.elasticity.cable", twist="1e5")}</flexcomp></body>', option='timestep="1e-3"'))
    assert both.rm.body_plugin[1] == 0 and (both.rm.body_plugin[2:] < 0).all()
    both.compare(np.random.default_rng(6), 3)


# ---- mujoco.pid

ARM = '<body><joint name="j" axis="0 1 0" damping=".1"/><geom type="capsule" size=".05" fromto="0 0 0 .5 0 0"/></body>'
GAINS = [dict(kp="10"), dict(kp="10", kd="2"), dict(kp="4", ki="3", kd="1"), dict(kp="4", ki="3", imax=".02"),
         dict(kp="10", slewmax="1"), dict(kp="10", kd="2", ki="5", slewmax=".5", imax=".01"), dict()]
DYNAMICS = ["", 'dyntype="filter" dynprm=".03"', 'dyntype="filterexact" dynprm=".03"', 'dyntype="integrator" actlimited="true" actrange="-.01 .01"',
            'dyntype="filterexact" dynprm=".03" actearly="true"', 'dyntype="filter" dynprm=".03" actearly="true"']


@pytest.mark.parametrize("gains", range(len(GAINS)))
@pytest.mark.parametrize("dynamics", DYNAMICS)
def test_pid(gains, dynamics):
    config = GAINS[gains]
    number = ("ki" in config) + ("slewmax" in config) + (dynamics != "")
    plugin = use("mujoco.pid", **config)
    if "actrange" in dynamics and number > 1:
        dynamics = dynamics.split(" act")[0]
    actuators = "".join(plugin.replace("<plugin ", f'<plugin joint="j" actdim="{number}" {dynamics} {more} ')
                        for more in ("", 'ctrlrange="-.2 .3" gear="2"', 'forcerange="-.5 .6"'))
    both = Both(document(ARM, f'<actuator>{actuators}<motor joint="j"/></actuator>'))
    both.compare(np.random.default_rng(gains))


def test_pid_of_a_declared_instance_beside_other_plugins():
    declared = '<plugin plugin="mujoco.pid"><instance name="p"><config key="kp" value="3"/></instance></plugin>'
    actuators = '<plugin joint="j" plugin="mujoco.pid" instance="p"/><plugin joint="j" instance="p" gear="-1"/>'
    actuators += use("mujoco.pid", kp=2).replace("<plugin ", '<plugin joint="j" ')
    both = Both(document(ARM + cable("capsule", twist="1e5", bend="1e5"), f"<actuator>{actuators}</actuator>", declared, 'timestep="1e-3"'))
    both.compare(np.random.default_rng(5))


# ---- mujoco.sensor.touch_grid

def touch(rng, channels, size, fov, gamma=0, turned="", moving=""):
    balls = ""
    for _ in range(12):
        direction = rng.normal(size=3)
        direction *= 1.09 / np.linalg.norm(direction)
        balls += '<body pos="%.9g %.9g %.9g"><freejoint/><geom size=".1" condim="%d"/></body>' % (*direction, rng.choice([1, 3, 4, 6]))
    sensor = use("mujoco.sensor.touch_grid", size="%d %d" % size, fov="%g %g" % fov, gamma=gamma, nchannel=channels)
    sensor = sensor.replace("<plugin ", '<plugin objtype="site" objname="s" ')
    return document(f'<body name="b">{moving}<geom size="1" condim="4"/><site name="s" {turned}/></body>{balls}', f"<sensor>{sensor}</sensor>",
                    option='gravity="0 0 0" cone="elliptic"')


@pytest.mark.parametrize("seed", range(12))
def test_touch_grid(seed):
    rng = np.random.default_rng(seed)
    both = Both(touch(rng, 1 + seed % 6, (int(rng.integers(1, 7)), int(rng.integers(1, 7))), (rng.uniform(20, 180), rng.uniform(20, 90)),
                      rng.choice([0, .3, 1]), 'pos=".1 .2 -.1" euler="20 30 40"' * (seed % 2), "<freejoint/>" * (seed % 3 == 0)))
    both.compare(rng, 5, 1e-3)


def test_touch_grid_at_an_edge_of_bins():
    for size in ((2, 2), (4, 1), (1, 4), (3, 3)):
        xml = document('<body><geom size="1"/><site name="s"/></body><body pos="0 0 -1.09"><freejoint/><geom size=".1"/></body>',
                       "<sensor>" + use("mujoco.sensor.touch_grid", size="%d %d" % size, fov="90 60", nchannel=3).replace(
                           "<plugin ", '<plugin objtype="site" objname="s" ') + "</sensor>", option='gravity="0 0 0"')
        Both(xml).compare(np.random.default_rng(0), 0, 0)


def test_touch_grid_of_bodies_without_joints_between():
    """Where the other geom comes first in the contact, 3.4.0 has the opposite force for them."""
    sensor = "<sensor>" + use("mujoco.sensor.touch_grid", size="1 1", fov="90 45", nchannel=3).replace("<plugin ", '<plugin objtype="site" objname="s" ') + "</sensor>"
    body = '<body pos="0 0 1">%s<site name="s"/>%s</body>'
    ball, free = '<geom size=".505" pos=".1 0 -.5"/>', "<freejoint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
    floor, box = '<geom type="plane" size="5 5 1"/>', '<body><freejoint/><geom type="box" size="1 1 1" pos="0 0 -1"/></body>'

    def grids(xml):
        both = Both(document(xml, sensor))
        mujoco.mj_forward(both.rm, both.rd)
        both.lib.mj_forward(both.m.ptr, both.d.ptr)
        return both.rd.sensordata.copy(), np.array(both.d.sensordata)

    for before, after, sign in ((floor, "", -1), ("", box, 1)):
        own, ours = grids(before + body % (free * (sign < 0), ball) + after)
        assert abs(own[0]) > 1 and live.difference(ours, own) < 1e-9
        for welded in ("<body>%s</body>", "<body><body>%s</body></body>"):
            want, got = grids(before + body % (free * (sign < 0), welded % ball) + after)
            assert live.difference(got, sign * want) < 1e-9 and got[0] * own[0] > 0
        want, got = grids(before + body % (free * (sign < 0), "<body><joint/>%s</body>" % ball) + after)
        assert not want.any() and not got.any()


# ---- written and read again

@pytest.mark.parametrize("xml", [
    document(cable("capsule", "s sin(s)", twist="1e5", bend="1e5")),
    document(ARM, "<actuator>" + use("mujoco.pid", kp=2, ki=1).replace("<plugin ", '<plugin joint="j" actdim="1" ') + "</actuator>"),
    touch(np.random.default_rng(0), 3, (3, 2), (90, 45), .5)])
def test_the_reference_reads_what_we_write(xml, tmp_path):
    lib, first, path = live.library(), tmp_path / "first.xml", tmp_path / "again.xml"
    first.write_text(xml)
    error = ctypes.create_string_buffer(1000)
    m = bridge.Model(lib.mj_loadXML(os.fsencode(first), None, error, 1000))
    assert lib.mj_saveLastXML(os.fsencode(path), m.ptr, error, 1000) == 1, error.value
    want = mujoco.MjModel.from_xml_path(str(path))
    assert differing(want, m, SLOTS) == []
    live.library().mj_deleteModel(m.ptr)


def test_static_bodies_with_plugins_are_fused_as_in_the_reference():
    xml = document("<body name='a'><geom size='.1'/></body>" + cable("capsule", initial="none", twist="1e5"), rest="<compiler fusestatic='true'/>")
    Both(xml).compare(np.random.default_rng(0), 3)
