# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Sensors against the reference, every type with every kind of object."""
import ctypes
import os
import sys

import numpy as np
import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
import live  # noqa: E402

mujoco = live.mujoco
OBJECTS = [("body", "b1"), ("xbody", "b2"), ("geom", "g3"), ("site", "s2"), ("camera", "cam2")]
VOLUMES = ["v1", "v2", "v3", "v4", "v5"]


def frames():
    for kind in ("framepos", "framequat", "framexaxis", "frameyaxis", "framezaxis", "framelinvel", "frameangvel",
                 "framelinacc", "frameangacc"):
        for obj in OBJECTS:
            yield '<%s objtype="%s" objname="%s"/>' % (kind, *obj)
            if not kind.endswith("acc"):
                for ref in OBJECTS:
                    yield '<%s objtype="%s" objname="%s" reftype="%s" refname="%s"/>' % (kind, *obj, *ref)


def attached():
    for kind in ("accelerometer", "velocimeter", "gyro", "force", "torque", "magnetometer"):
        yield from ('<%s site="%s"/>' % (kind, site) for site in ("s1", "s2", "w"))
    for kind in ("jointpos", "jointvel", "jointactuatorfrc", "jointlimitpos", "jointlimitvel", "jointlimitfrc"):
        yield from ('<%s joint="%s"/>' % (kind, joint) for joint in ("h", "sl", "h2"))
    for kind in ("tendonpos", "tendonvel", "tendonactuatorfrc", "tendonlimitpos", "tendonlimitvel", "tendonlimitfrc"):
        yield '<%s tendon="t"/>' % kind
    for kind in ("actuatorpos", "actuatorvel", "actuatorfrc"):
        yield from ('<%s actuator="%s"/>' % (kind, actuator) for actuator in ("a1", "a2"))
    for site in VOLUMES:
        yield from ('<insidesite site="%s" objtype="%s" objname="%s"/>' % (site, *obj) for obj in OBJECTS)
        yield '<touch site="%s"/>' % site
    yield """<touch site="t1"/><touch site="t2"/><subtreecom body="b1"/><subtreelinvel body="b1"/>
      <subtreeangmom body="b2"/><e_potential/><e_kinetic/><clock/><ballquat joint="b"/><ballangvel joint="b"/>
      <camprojection site="s2" camera="cam1"/><camprojection site="s1" camera="cam3"/>
      <accelerometer site="s1" cutoff="5"/><touch site="t1" cutoff=".1"/>"""


def distances():
    for kind in ("distance", "fromto"):
        for first in ('geom1="g1"', 'body1="b1"'):
            for second in ('geom2="g3"', 'body2="b3"', 'geom2="floor"'):
                yield from ('<%s %s %s cutoff="%s"/>' % (kind, first, second, c) for c in ("2", ".1"))
    for first in ('geom1="g1"', 'body1="b1"'):
        yield from ("<normal %s %s/>" % (first, second) for second in ('geom2="g3"', 'body2="b3"'))
    yield '<normal geom1="g1" geom2="near"/>'    # only of what overlaps
    yield from ('<rangefinder site="%s"/>' % site for site in ("s1", "s2", "w"))


SCENE = """
<mujoco><option magnetic="1 2 3" tolerance="1e-14" iterations="200"/><worldbody>
  <geom name="floor" type="plane" size="5 5 .1"/><site name="w" pos="0 0 3" euler="180 0 0"/>
  <camera name="cam1" pos="0 0 4" resolution="640 480"/><site name="v1" type="box" size=".6 .6 .6" pos="0 0 .5"/>
  <body name="b1" pos="0 0 .4"><freejoint/><geom name="g1" type="capsule" size=".1 .2"/>
    <geom name="near" size=".15" pos=".1 .1 .1"/><site name="s1" pos=".1 .2 .3" euler="10 20 30"/>
    <camera name="cam3" pos=".1 0 0" focal=".1 .12" sensorsize=".2 .3" resolution="640 480"/>
    <site name="v2" size=".5"/><site name="t1" type="box" size=".3 .3 .1" pos="0 0 -.3"/>
    <body name="b2" pos=".3 0 0"><joint name="b" type="ball"/><geom type="box" size=".1 .1 .1"/>
      <site name="s2" pos="0 .1 0" euler="30 20 10"/><camera name="cam2" pos=".1 0 0" euler="5 6 7"/>
      <site name="v3" type="capsule" size=".2 .3"/><site name="v4" type="cylinder" size=".3 .3"/>
      <site name="v5" type="ellipsoid" size=".3 .4 .5"/>
      <body name="b3" pos=".3 0 0"><joint name="h" axis="0 1 0" range="-.2 .2" limited="true"/>
        <joint name="sl" type="slide" range="-.1 .1" limited="true" margin=".1"/><geom name="g3" size=".1"/>
        <geom size=".1" pos="0 .2 0"/><site name="t2" size=".15"/></body></body></body>
  <body pos="-.4 0 .3"><joint name="h2" axis="0 1 0" range="-.1 .1" limited="true"/><geom size=".05" pos="-.2 0 0"/></body>
</worldbody>
<tendon><fixed name="t" range="-.1 .1" limited="true"><joint joint="h" coef="1"/><joint joint="sl" coef="-2"/></fixed></tendon>
<actuator><motor name="a1" joint="h"/><motor name="a2" tendon="t"/><position kp="2" tendon="t"/></actuator>
<sensor>%s</sensor></mujoco>"""


def compare(pair, tolerance):
    """All stages; the largest difference by type of sensor is below the tolerance."""
    pair.call("mj_fwdPosition", "mj_sensorPos", "mj_fwdVelocity", "mj_sensorVel", "mj_fwdActuation",
              "mj_fwdAcceleration", "mj_fwdConstraint", "mj_sensorAcc")
    right = live.right_sensors(pair.rm)
    for i in range(pair.rm.nsensor):
        if not right[pair.rm.sensor_adr[i]]:
            continue
        part = slice(pair.rm.sensor_adr[i], pair.rm.sensor_adr[i] + pair.rm.sensor_dim[i])
        want, got = pair.rd.sensordata[part], pair.d.sensordata[part]
        stage = pair.rm.sensor_needstage[i]
        limit = tolerance if stage == mujoco.mjtStage.mjSTAGE_ACC else 1e-9
        assert live.difference(got, want) < limit, (mujoco.mjtSensor(pair.rm.sensor_type[i]), i, got, want)


def run(pair, tolerance=1e-6, count=30, seed=10):
    """Random states and states of a simulation; says which sensors ever showed something."""
    rng, seen = np.random.default_rng(seed), np.zeros(pair.rm.nsensor, bool)
    for t in range(count):
        pair.randomize(rng, 0.4)
        if t % 2:    # settled on the ground
            mujoco.mj_resetData(pair.rm, pair.rd)
            for _ in range(8 * t):
                mujoco.mj_step(pair.rm, pair.rd)
            pair.copy_state()
        compare(pair, tolerance)
        value = pair.rd.sensordata
        seen |= [bool(np.any(value[a:a + n])) for a, n in zip(pair.rm.sensor_adr, pair.rm.sensor_dim)]
    return seen


def assert_all_types(pair, seen):
    types = pair.rm.sensor_type
    assert {int(t) for t in types} == {int(t) for t in types[seen]}


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_frames_joints_forces_and_touch(cone):
    pair = live.Pair.from_text(SCENE % "".join([*frames(), *attached()]))
    for model in (pair.rm, pair.m._s):
        model.opt.cone = int(cone == "elliptic")
    assert_all_types(pair, run(pair))


def test_distances_and_rays():
    pair = live.Pair.from_text(SCENE % "".join(distances()))
    assert_all_types(pair, run(pair))


def hills(rng, nrow=45, ncol=60):
    """A field of several tiles, with plains and single spikes."""
    height = rng.uniform(0, 1, (nrow, ncol)) * (rng.uniform(size=(nrow, ncol)) < .05)
    height[:15] += .4 * np.sin(np.arange(ncol) / 4) + .4
    return '<hfield name="hills" nrow="%d" ncol="%d" size="3 2 .8 .1" elevation="%s"/>' % (nrow, ncol, " ".join(map(str, height.ravel())))


def test_range_finders_over_hills():
    """From above, inside and below of the field, through its walls, to the floor."""
    rng = np.random.default_rng(21)
    eyes = "".join('<site name="e%d" pos="%g %g 0" zaxis="%g %g %g"/>' % (i, *rng.uniform(-.2, .2, 2), *rng.normal(size=3)) for i in range(40))
    pair = live.Pair.from_text("""<mujoco><asset>%s</asset><worldbody><geom type="hfield" hfield="hills" euler="2 3 10"/>
      <geom type="plane" size="4 4 .1" pos="0 0 -.3"/><body pos="0 0 .6"><freejoint/><geom size=".1"/>%s</body></worldbody>
      <sensor>%s</sensor></mujoco>""" % (hills(rng), eyes, "".join('<rangefinder site="e%d"/>' % i for i in range(40))))
    seen = []
    for _ in range(60):
        pair.rd.qpos[:3] = rng.uniform((-4, -3, -.5), (4, 3, 1.5))
        pair.rd.qpos[3:7] = rng.normal(size=4)
        pair.copy_state()
        pair.call("mj_fwdPosition", "mj_sensorPos")
        assert np.abs(pair.d.sensordata - pair.rd.sensordata).max() < 1e-12
        seen.append(pair.rd.sensordata >= 0)
    assert .3 < np.mean(seen) < .9


def contacts():
    firsts = ["", 'geom1="box"', 'geom1="floor"', 'body1="b1"', 'subtree1="b1"', 'subtree1="world"',
              'subtree1="b4"'] + ['site="%s"' % v for v in VOLUMES]
    seconds = ["", 'geom2="box"', 'geom2="floor"', 'body2="b2"', 'subtree2="b1"', 'subtree2="b4"']
    kinds = [("none", 3), ("none", 20), ("mindist", 4), ("maxforce", 4), ("netforce", 2)]
    frame = {"netforce": ""}    # 3.4.0 writes a frame where there is no contact
    return "".join('<contact data="found force torque dist pos%s" reduce="%s" num="%d" %s %s/>'
                   % (frame.get(kind[0], " normal tangent"), *kind, first, second) for first in firsts for second in seconds for kind in kinds)


CONTACTS = """
<mujoco><option cone="%s" tolerance="1e-15" iterations="200"/><worldbody>
  <geom name="floor" type="plane" size="5 5 .1" margin=".02" gap=".02"/>
  <site name="v1" type="box" size=".5 .5 .02"/><site name="v2" type="capsule" size=".2 .5" euler="0 90 0"/>
  <site name="v3" type="ellipsoid" size=".7 .5 .02"/><site name="v4" type="cylinder" size=".5 .02"/><site name="v5" size=".5"/>
  <body name="b1" pos="0 0 .095"><freejoint/><geom name="box" type="box" size=".1 .2 .1" mass="1"/></body>
  <body name="b2" pos="0 0 .28"><freejoint/><geom size=".1" mass="1" condim="6"/></body>
  <body pos=".5 0 .09"><freejoint/><geom size=".1" mass="1" condim="1"/></body>
  <body name="b4" pos="-.5 0 .12"><freejoint/><geom type="capsule" size=".1 .1" condim="4"/>
    <body pos=".1 0 .2"><joint/><geom type="box" size=".1 .1 .1"/><geom pos="0 .2 0" type="box" size=".1 .1 .1"/></body></body>
</worldbody><sensor>%s<contact geom1="box" data="found dist" cutoff=".5"/></sensor></mujoco>"""


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_contact_sensor(cone):
    pair, rng = live.Pair.from_text(CONTACTS % (cone, contacts())), np.random.default_rng(11)
    nonzero = 0
    for t in range(12):
        mujoco.mj_resetData(pair.rm, pair.rd)
        for _ in range(12 * t):
            pair.rd.qfrc_applied[:] = 2 * rng.standard_normal(pair.rm.nv)
            mujoco.mj_step(pair.rm, pair.rd)
        mujoco.mj_forward(pair.rm, pair.rd)

        # on the reference's contacts and forces: order within ties must agree too
        pair.copy_state()
        pair.call("mj_fwdPosition")
        assert pair.d._s.ncon == pair.rd.ncon and pair.d._s.nefc == pair.rd.nefc
        pair.call("mj_fwdVelocity", "mj_fwdActuation", "mj_fwdAcceleration", "mj_fwdConstraint")
        pair.d.efc_force[:] = pair.rd.efc_force
        pair.call("mj_sensorAcc")
        assert pair.off("sensordata")[0] < 1e-9
        nonzero += np.count_nonzero(pair.rd.sensordata)
    assert nonzero > 10000


def test_user_sensors_are_zeroed_called_and_cut_off():
    pair = live.Pair.from_text("""
      <mujoco><worldbody><body><joint/><geom size=".1"/></body></worldbody><sensor>
        <user dim="2" cutoff="3" datatype="positive" needstage="pos"/><user dim="1" cutoff="3" needstage="acc"/>
        <user dim="1"/></sensor></mujoco>""")
    stages = []

    def ours(m, d, stage):
        stages.append((stage, list(pair.d.sensordata)))
        pair.d.sensordata[:] = [-7, 7, -7, 7]

    call = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)(ours)
    slot = ctypes.c_void_p.in_dll(pair.lib, "mjcb_sensor")
    try:
        for callback in (False, True):
            pair.rd.sensordata[:] = 9
            pair.d.sensordata[:] = 9
            slot.value = ctypes.cast(call, ctypes.c_void_p).value if callback else None
            mujoco.set_mjcb_sensor((lambda m, d, s: d.sensordata.__setitem__(slice(None), [-7, 7, -7, 7]))
                                   if callback else None)
            pair.call("mj_sensorPos", "mj_sensorVel", "mj_sensorAcc")
            assert np.array_equal(pair.d.sensordata, pair.rd.sensordata)
        assert stages == [(1, [0, 0, 9, 9]), (3, [-7, 3, 0, 0])]    # zeroed for the stage that is called
    finally:
        slot.value = None
        mujoco.set_mjcb_sensor(None)


def test_disabled_sensors_stay_as_they_are():
    pair = live.Pair.from_text(SCENE % "<clock/><jointpos joint='h'/>")
    for model in (pair.rm, pair.m._s):
        model.opt.disableflags = int(mujoco.mjtDisableBit.mjDSBL_SENSOR)
    pair.rd.sensordata[:] = pair.d.sensordata[:] = 9
    pair.call("mj_sensorPos", "mj_sensorVel", "mj_sensorAcc")
    assert pair.off("sensordata")[0] == 0 and pair.d.sensordata[0] == 9


@pytest.mark.parametrize("name", live.model_files())
def test_models(name):
    pair = live.Pair.from_file(name)
    if not pair.rm.nsensor:
        pytest.skip("no sensors")
    for model in (pair.rm, pair.m._s):
        model.opt.tolerance, model.opt.iterations = 1e-14, 200
    run(pair, count=6)


EFFECTS = """<mujoco><option><flag energy="%s" sensor="%s"/></option><worldbody><body pos="0 0 1">
  <joint axis="0 1 0" stiffness="2"/><geom size=".1" pos=".2 0 0"/><site name="s"/></body></worldbody>
<sensor>%s</sensor></mujoco>"""
CALLS = [("mj_forwardSkip", skip, sensor) for skip in range(3) for sensor in range(2)]
CALLS += [("mj_inverseSkip", skip, sensor) for skip in range(3) for sensor in range(2)]
CALLS += [("mj_step",), ("mj_step1",), ("mj_sensorPos",), ("mj_sensorVel",), ("mj_sensorAcc",)]


@pytest.mark.parametrize("energy", ["enable", "disable"])
@pytest.mark.parametrize("sensor", ["enable", "disable"])
@pytest.mark.parametrize("kinds", ["", "<e_potential/>", "<e_kinetic/>", "<e_potential/><e_kinetic/>",
                                   '<accelerometer site="s"/>', '<subtreelinvel body="world"/>'])
def test_what_sensors_leave_behind(energy, sensor, kinds):
    """Energies, momenta and body forces are computed, cleared or left alone as the reference does."""
    pair = live.Pair.from_text(EFFECTS % (energy, sensor, kinds))
    marked = ("energy", "subtree_linvel", "subtree_angmom", "cacc", "cfrc_int", "cfrc_ext")
    for name, *args in CALLS:
        pair.call("mj_resetData", "mj_forward")
        for d in (pair.rd, pair.d):
            d.qpos[:], d.qvel[:] = 0.3, 0.7
            for k, field in enumerate(marked):
                getattr(d, field)[:] = 100 + k
        getattr(mujoco, name)(pair.rm, pair.rd, *args)
        getattr(pair.lib, name)(pair.m.ptr, pair.d.ptr, *args)
        off = pair.off(*marked, "sensordata")
        assert off[0] < 1e-12, (name, args, off)


def test_user_sensors_find_velocities_of_subtrees_and_forces_of_bodies():
    """What only some sensors need is computed for callbacks, too, in their stage."""
    found = "subtree_linvel subtree_angmom cacc cfrc_int cfrc_ext".split()
    for stage in ("pos", "vel", "acc"):
        pair = live.Pair.from_text(f"""
          <mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 .09"><freejoint/><geom size=".1"/><body pos=".1 0 0"><joint/>
            <geom size=".1"/></body></body></worldbody><sensor><user dim="1" needstage="{stage}"/></sensor></mujoco>""")
        pair.rd.qvel[:] = pair.d.qvel[:] = 0.3
        pair.call("mj_step")
        assert all(pair.off(name)[0] < 1e-9 for name in found)
        assert {name for name in found if getattr(pair.d, name).any()} == set({"pos": [], "vel": found[:2], "acc": found[2:]}[stage])
