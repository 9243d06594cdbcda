# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Trees fall asleep and wake up at the same steps as in the reference, and everything that users see stays equal."""
import ctypes
import os
import sys

import numpy as np
import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
sys.path.insert(0, os.path.dirname(__file__))
import bridge  # noqa: E402
import live  # noqa: E402
from test_compile import compile_text  # noqa: E402

mujoco = live.mujoco
SLEEP = int(mujoco.mjtEnableBit.mjENBL_SLEEP)
LISTS = "tree_asleep tree_awake body_awake".split()
COUNTED = (("body_awake_ind", "nbody_awake"), ("parent_awake_ind", "nparent_awake"), ("dof_awake_ind", "nv_awake"))
COUNTS = "ntree_awake nbody_awake nparent_awake nv_awake ncon ne nf nl nefc nisland".split()
NUMBERS = ("qpos qvel qacc act act_dot sensordata qfrc_bias qfrc_passive qfrc_smooth qacc_smooth qfrc_constraint qfrc_actuator "
           "actuator_force actuator_length actuator_velocity ten_length ten_velocity energy xpos xquat geom_xpos cvel "
           "qacc_warmstart qfrc_spring qfrc_damper").split()


def box(name, pos, attributes=""):
    return (f'<body name="{name}" pos="{pos}" {attributes}><freejoint/><site name="s{name}"/>'
            f'<geom name="g{name}" type="box" size=".1 .1 .1"/></body>')


def hinge(name, pos, joint='damping="1"', attributes=""):
    return (f'<body name="{name}" pos="{pos}" {attributes}><joint name="j{name}" axis="0 1 0" {joint}/>'
            f'<geom type="capsule" size=".05" fromto="0 0 0 0 0 -.3"/><site name="s{name}" pos="0 0 -.3"/></body>')


def document(bodies, extra="", option="", flag=""):
    return (f'<mujoco><compiler angle="radian"/><option {option}><flag sleep="enable" energy="enable" {flag}/></option>'
            f'<worldbody><geom name="floor" type="plane" size="9 9 .1"/>{bodies}</worldbody>{extra}</mujoco>')


def asleep(d):
    return [int(x) for x in d.tree_asleep]


def compare(pair, when, tolerance=1e-6):
    for name in LISTS:
        assert list(getattr(pair.d, name)) == list(getattr(pair.rd, name)), (when, name)
    for name in COUNTS:
        assert getattr(pair.d, name) == getattr(pair.rd, name), (when, name)
    for name, count in COUNTED:
        n = getattr(pair.rd, count)
        assert list(getattr(pair.d, name))[:n] == list(getattr(pair.rd, name))[:n], (when, name)
    assert pair.off(*NUMBERS)[0] < tolerance, (when, pair.off(*NUMBERS))


def steps(pair, n, until=None, tolerance=1e-6):
    """Step both, comparing, until a condition on the reference's data holds; the number of steps."""
    for i in range(n):
        if until and until(pair.rd):
            return i
        pair.call("mj_step")
        compare(pair, i, tolerance)
    return -1 if until else n


def change(pair, action):
    """The same change by the user in both."""
    action(pair.rm, pair.rd)
    action(pair.m, pair.d)


def all_asleep(d):
    return all(x >= 0 for x in d.tree_asleep)


def first_asleep(d):
    return d.tree_asleep[0] >= 0


# the upper box is smaller and turned, so that solvers that end early cannot make it roll over an edge of the lower one
SCENE = (box("a", "0 0 .0995") + box("b", ".01 .02 .2585").replace('".1 .1 .1"', '".06 .06 .06" euler="0 0 .3"') + box("c", "1.5 0 .0995") +
         hinge("h", "-2 0 1", 'damping="1" range="-1 1" limited="true" frictionloss=".1"'))
SENSORS = ('<sensor><accelerometer site="sa"/><velocimeter site="sa"/><touch site="sc"/><framepos objtype="body" objname="c"/>'
           '<clock/><subtreelinvel body="b"/><force site="sb"/></sensor>')


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicit", "implicitfast"])
@pytest.mark.parametrize("solver", ["Newton", "CG", "PGS"])
def test_settle(solver, integrator, jacobian):
    """Fall, rest, sleep: with RK4 resting trees sleep one step only, since the next one finds them where its last stage left them."""
    options = f'solver="{solver}" integrator="{integrator}" jacobian="{jacobian}" tolerance="1e-14" iterations="300"'
    pair = live.Pair.from_text(document(SCENE, SENSORS, options))
    most = 0
    for _ in range(10):
        steps(pair, 30, tolerance=1e-5 if solver == "CG" else 1e-6)    # conjugate gradients end early
        most = max(most, sum(x >= 0 for x in asleep(pair.rd)))
    assert most == (1 if integrator == "RK4" else 4)


def test_stack_and_cycle():
    """The cycle of an island goes through its trees in order."""
    bodies = box("a", "0 0 .0995") + box("b", "0 0 .498") + box("c", "3 0 .0995") + box("e", "0 0 .2985")
    pair = live.Pair.from_text(document(bodies, option='sleep_tolerance=".01"'))
    assert steps(pair, 200, all_asleep) > 0
    assert asleep(pair.rd) == [1, 3, 2, 0]
    steps(pair, 20)


def test_islands_meet():
    """A falling box wakes the one that it hits, with everything that this one lies on; they rest together."""
    bodies = box("a", "0 0 .0995") + box("e", "0 0 .2985") + box("b", "0 0 .7") + box("far", "3 0 .0995")
    pair = live.Pair.from_text(document(bodies, SENSORS.replace('"sc"', '"sfar"').replace('"c"', '"far"')))
    assert steps(pair, 200, first_asleep) > 0
    assert pair.rd.tree_asleep[2] < 0
    assert steps(pair, 400, lambda d: d.tree_asleep[0] < 0) > 0
    assert steps(pair, 600, all_asleep) > 0
    assert asleep(pair.rd) == [1, 2, 0, 3]


def test_counter_of_the_waking_tree():
    """A tree that is woken by contact takes over the counter of the one that woke it."""
    bodies = hinge("a", "0 0 1", 'damping="3"') + hinge("b", ".15 0 1", 'armature=".001"')
    pair = live.Pair.from_text(document(bodies, option='sleep_tolerance="1" gravity="0 0 0"'))
    assert steps(pair, 20, all_asleep) > 0

    def push(m, d):
        d.qpos[1], d.qvel[1] = .166, .5
    change(pair, push)
    assert steps(pair, 20, lambda d: d.ncon > 0) > 1
    assert pair.rd.tree_asleep[0] > -10
    steps(pair, 20)


TOUCHES = {
    "qpos": lambda m, d: d.qpos.__setitem__(0, .1),
    "quaternion": lambda m, d: d.qpos.__setitem__(4, .01),
    "scaled quaternion": lambda m, d: d.qpos.__setitem__(slice(3, 7), 2 * d.qpos[3:7]),
    "tiny velocity": lambda m, d: d.qvel.__setitem__(0, 1e-300),
    "negative zero": lambda m, d: d.qvel.__setitem__(0, -0.0),
    "applied": lambda m, d: d.qfrc_applied.__setitem__(0, 1e-3),
    "pushed": lambda m, d: d.xfrc_applied.__setitem__((1, 0), 1e-3),
    "pushed by nothing": lambda m, d: d.xfrc_applied.__setitem__((1, 0), -0.0),
    "pose": lambda m, d: d.xpos.__setitem__((1, 0), .3),
    "acceleration": lambda m, d: d.qacc.__setitem__(0, 3),
    "gravity": lambda m, d: m.opt.gravity.__setitem__(2, 5),
    "site": lambda m, d: m.site_pos.__setitem__((0, 0), .2),
    "no islands": lambda m, d: setattr(m.opt, "disableflags", int(mujoco.mjtDisableBit.mjDSBL_ISLAND)),
    "no sleep": lambda m, d: setattr(m.opt, "enableflags", 0),
}


@pytest.mark.parametrize("name", TOUCHES)
def test_user_wakes(name):
    pair = live.Pair.from_text(document(box("a", "0 0 .0995") + box("b", "3 0 .0995") + box("c", "6 0 9"), SENSORS))
    assert steps(pair, 200, first_asleep) > 0
    if name == "gravity":
        for m in (pair.rm, pair.m):
            m.opt.gravity[:] = [0, 0, 5]
    else:
        change(pair, TOUCHES[name])
    pair.call("mj_forward")
    assert asleep(pair.d) == asleep(pair.rd)
    sleeps = name in ("scaled quaternion", "acceleration", "gravity", "site", "no islands")
    assert (pair.d.tree_asleep[0] >= 0) == sleeps
    steps(pair, 100)


@pytest.mark.parametrize("function", ["mj_kinematics", "mj_fwdPosition", "mj_step1", "mj_inverse", "mj_forward"])
def test_stage_that_wakes(function):
    pair = live.Pair.from_text(document(box("a", "0 0 .0995") + box("b", "3 0 .0995")))
    assert steps(pair, 200, all_asleep) > 0
    change(pair, TOUCHES["pushed"])
    pair.call(function)
    assert asleep(pair.d) == asleep(pair.rd) == [-11, 1]
    steps(pair, 30)


EQUALITIES = {
    "weld": (box("a", "0 0 .0995") + box("b", "1 0 .0995"), '<weld body1="a" body2="b" active="false"/>'),
    "connect": (box("a", "0 0 .0995") + box("b", "1 0 .0995"), '<connect site1="sa" site2="sb" active="false"/>'),
    "joint": (hinge("a", "0 0 1") + hinge("b", "1 0 1"), '<joint joint1="ja" joint2="jb" active="false"/>'),
    "world": (box("a", "0 0 .0995") + box("b", "1 0 .0995"), '<weld body1="a" active="false"/>'),
    "one joint": (hinge("a", "0 0 1") + hinge("b", "1 0 1"), '<joint joint1="ja" active="false"/>'),
}


@pytest.mark.parametrize("both", [0, 1])
@pytest.mark.parametrize("name", EQUALITIES)
def test_equality_switched_on(name, both):
    """Between two sleeping islands, or with a tree that is awake; a tie to the world wakes nobody."""
    bodies, equality = EQUALITIES[name]
    pair = live.Pair.from_text(document(bodies + box("c", "3 0 9"), f"<equality>{equality}</equality>"))
    if not both:
        change(pair, lambda m, d: d.qfrc_applied.__setitem__(int(m.body_dofadr[2]), 1e-3))
    assert steps(pair, 200, lambda d: d.tree_asleep[0] >= 0 and (not both or d.tree_asleep[1] >= 0)) > 0
    change(pair, lambda m, d: d.eq_active.__setitem__(0, 1))
    steps(pair, 3)
    assert (pair.d.tree_asleep[0] < 0) == ("world" not in name and "one" not in name)
    steps(pair, 20)


def test_equality_within_an_island():
    pair = live.Pair.from_text(document(box("a", "0 0 .0995") + box("b", "1 0 .0995"), '<equality><weld body1="a" body2="b"/></equality>'))
    assert steps(pair, 300, all_asleep) > 0
    assert asleep(pair.rd) == [1, 0]
    steps(pair, 2)
    for active in (0, 1):
        change(pair, lambda m, d: d.eq_active.__setitem__(0, active))
        steps(pair, 2)
        assert asleep(pair.d) == [1, 0]
    change(pair, lambda m, d: (d.eq_active.__setitem__(0, 0), d.qvel.__setitem__(0, 1)))
    steps(pair, 300)


def test_tendon_equality_is_refused():
    text = '<tendon><fixed name="t"><joint joint="ja" coef="1"/></fixed></tendon><equality><tendon tendon1="t"/></equality>'
    pair = live.Pair.from_text(document(hinge("a", "0 0 1"), text))
    with pytest.raises(mujoco.FatalError):
        mujoco.mj_forward(pair.rm, pair.rd)
    with errors(pair.lib) as texts:
        pair.lib.mj_forward(pair.m.ptr, pair.d.ptr)
    assert len(texts) == 1 and "equality 0" in texts[0]


TENDONS = {
    "limit": '<fixed name="t" limited="true" range="-1 .05"><joint joint="ja" coef="1"/><joint joint="jb" coef="1"/></fixed>',
    "margin": '<fixed name="t" limited="true" range="-1 .09" margin=".05"><joint joint="ja" coef="1"/><joint joint="jb" coef="1"/></fixed>',
    "no limit": '<fixed name="t"><joint joint="ja" coef="1"/><joint joint="jb" coef="1"/></fixed>',
    "spatial": '<spatial name="t" range="0 2.05" limited="true"><site site="sa"/><site site="sb"/></spatial>',
    "friction": '<fixed name="t" frictionloss=".1"><joint joint="ja" coef="1"/><joint joint="jb" coef="1"/></fixed>',
    "stiff": '<fixed name="t" stiffness="1"><joint joint="ja" coef="1"/><joint joint="jb" coef="1"/></fixed>',
    "own spring": '<fixed name="t" stiffness="2" springlength=".1"><joint joint="ja" coef="3"/></fixed>',
    "to the world": '<spatial name="t" range="0 9" limited="true"><site site="sa"/><site site="w"/></spatial>',
}


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
@pytest.mark.parametrize("name", TENDONS)
def test_tendons(name, jacobian):
    bodies = '<site name="w" pos="0 0 2"/>' + hinge("a", "0 0 1", 'damping="1"') + hinge("b", "2 0 1", 'armature=".1"')
    extra = (f'<tendon>{TENDONS[name]}</tendon><sensor><tendonpos tendon="t"/><tendonvel tendon="t"/><jointpos joint="ja"/>'
             '<e_potential/><e_kinetic/></sensor>')
    pair = live.Pair.from_text(document(bodies, extra, f'jacobian="{jacobian}" sleep_tolerance=".001"'))
    change(pair, lambda m, d: d.qpos.__setitem__(1, 1 if name == "spatial" else -1))
    steps(pair, 500)


ACTUATORS = ('<actuator><motor joint="ja"/><general joint="ja" dyntype="integrator" gainprm="1e-9"/>'
             '<general joint="ja" dyntype="filter" dynprm=".1" gainprm="1e-9" actearly="true"/>'
             '<general joint="ja" dyntype="integrator" gainprm="1e-9" actlimited="true" actrange="0 .03"/>'
             '<general joint="jb" dyntype="filterexact" dynprm=".1" gainprm=".1"/><motor tendon="t" gear="1e-9"/><motor tendon="u"/>'
             '<motor site="sa" refsite="sb" gear="1e-9 0 0 0 0 0"/><position joint="ja" kp="1e-9" forcelimited="true" forcerange="1e-9 2e-9"/>'
             '<adhesion body="a" ctrlrange="0 1"/></actuator>'
             '<tendon><fixed name="t"><joint joint="ja" coef="1"/></fixed><fixed name="u"><joint joint="ja" coef="1e-9"/>'
             '<joint joint="jb" coef="1"/></fixed></tendon>'
             '<sensor>%s</sensor>')


def test_actuators():
    """Actuators of trees that are allowed to sleep: no force, activations that go on at their last rate."""
    sensors = "".join(f'<actuator{what} actuator="{name}"/>' for what in ("pos", "vel", "frc") for name in range(10))
    text = ACTUATORS % sensors
    for i, kind in enumerate("motor general general general general motor motor motor position adhesion".split()):
        text = text.replace(f"<{kind} ", f'<{kind.upper()} name="{i}" ', 1)
    for kind in "MOTOR GENERAL POSITION ADHESION".split():
        text = text.replace(f"<{kind}", f"<{kind.lower()}")
    bodies = hinge("a", "0 0 1", 'damping="1"', 'sleep="allowed"') + hinge("b", "2 0 1", 'armature=".1"', 'sleep="never"')
    pair = live.Pair.from_text(document(bodies, text))
    change(pair, lambda m, d: d.ctrl.__setitem__(slice(None), [0, 1, 1, 1, 1, 1, 1, 1, 1, 1]))
    steps(pair, 60)
    assert pair.d.tree_asleep[0] >= 0 and pair.d.act_dot[0] == 1
    change(pair, lambda m, d: d.ctrl.__setitem__(slice(None), 0.5))
    steps(pair, 60)


@pytest.mark.parametrize("policy", ["never", "allowed", "auto"])
def test_policies(policy):
    bodies = hinge("a", "0 0 1", attributes=f'sleep="{policy}"') + hinge("b", "2 0 1")
    pair = live.Pair.from_text(document(bodies, '<actuator><motor joint="ja"/></actuator>'))
    steps(pair, 40)
    assert (pair.d.tree_asleep[0] >= 0) == (policy == "allowed")


@pytest.mark.parametrize("tolerance", ["0", "-1", "1e-300"])
def test_tolerance(tolerance):
    pair = live.Pair.from_text(document(hinge("a", "0 0 1") + hinge("b", "1 0 1"), option=f'sleep_tolerance="{tolerance}"'))
    change(pair, lambda m, d: d.qvel.__setitem__(1, 1e-200))
    steps(pair, 40)
    assert (pair.d.tree_asleep[0] >= 0) == (tolerance != "-1")


@pytest.mark.parametrize("flag", ['island="disable"', 'contact="disable"', 'constraint="disable"', 'warmstart="disable"',
                                  'island="disable" contact="disable"'])
def test_flags(flag):
    pair = live.Pair.from_text(document(box("a", "0 0 .0995") + hinge("b", "3 0 1"), flag=flag))
    steps(pair, 150)
    assert (pair.d.tree_asleep[1] >= 0) == (flag != 'island="disable"')    # constraints without islands


def test_mocap():
    """A mocap body moves through a tree that sleeps, and carries the trees that are attached to it."""
    bodies = (box("a", "0 0 .0995") + '<body name="mocap" mocap="true" pos="0 0 .5"><geom type="box" size=".1 .1 .1"/>'
              '<site name="sm"/><body pos="0 0 1"><joint damping="1" axis="0 1 0"/><geom size=".1" pos="0 0 -.2"/></body></body>')
    pair = live.Pair.from_text(document(bodies, '<sensor><framepos objtype="site" objname="sm"/><framepos objtype="body" '
                                                'objname="a" reftype="body" refname="mocap"/></sensor>'))
    assert steps(pair, 200, all_asleep) > 0
    steps(pair, 2)
    change(pair, lambda m, d: d.mocap_pos.__setitem__((0, 2), .25))
    pair.call("mj_step")
    compare(pair, "moved")
    assert pair.d.tree_asleep[0] >= 0 and pair.d.tree_asleep[1] < 0
    steps(pair, 60)


def test_humanoid_and_boxes():
    """A person falls among boxes that sleep."""
    bodies = "".join(box(n, f"{1 + .5 * i} 0 .0995") for i, n in enumerate("abcd"))
    path = live.MODELS / "mujoco" / "humanoid.xml"
    if not path.exists():
        pytest.skip("there is no humanoid")
    spec = mujoco.MjSpec.from_file(str(path))
    spec.option.enableflags |= SLEEP
    other = mujoco.MjSpec.from_string(document(bodies))
    frame = spec.worldbody.add_frame()
    for body in list(other.bodies)[1:]:
        frame.attach_body(body, "x", "")
    pair = live.Pair(spec.compile())
    most = 0
    for i in range(150):
        pair.call("mj_step")
        assert asleep(pair.d) == asleep(pair.rd), i
        assert pair.off("qpos", "sensordata")[0] < 1e-5
        most = max(most, sum(x >= 0 for x in asleep(pair.rd)))
    assert most >= 3


# ---- sensors: which ones are computed is seen by spoiling the values

SPOILED = 777.0
SENSED = """<body name="st" pos="1 2 3"><geom name="gst" size=".1"/><site name="ss"/><camera name="cst"/></body>
<body name="moc" mocap="true" pos="3 2 3"><site name="sm"/><geom name="gm" size=".1"/></body>
<body name="a" pos="0 0 .0995" sleep="allowed"><freejoint name="fa"/><site name="sa"/><geom name="ga" type="box" size=".1 .1 .1"/>
 <camera name="ca"/><body name="a2" pos="0 0 .5"><joint name="ja" axis="0 0 1" damping="1" limited="true" range="-1 1"/>
 <geom size=".1" contype="0" conaffinity="0"/></body><body name="a3" pos="0 0 .9"><joint name="ba" type="ball" damping="1"/>
 <geom size=".1" contype="0" conaffinity="0"/></body></body>
<body name="b" pos="2 0 9" sleep="never"><freejoint name="fb"/><site name="sb"/><geom name="gb" type="box" size=".1 .1 .1"/>
 <camera name="cb"/><body pos="0 0 .3"><joint name="jb" armature=".1"/><geom size=".1"/></body></body>"""
LINKED = """<actuator><motor name="ma" joint="ja"/><motor name="mb" joint="jb"/><motor name="tc" tendon="tab"/>
<motor name="sab" site="sa" refsite="sb"/><motor name="sba" site="sb" refsite="sa"/><motor name="sas" site="sa" refsite="ss"/>
<motor name="ssa" site="ss" refsite="sa"/><general name="cr" cranksite="sa" slidersite="sb" cranklength=".1"/>
<general name="cr2" cranksite="sb" slidersite="sa" cranklength=".1"/><general name="cr3" cranksite="ss" slidersite="sa" cranklength=".1"/>
<adhesion name="ada" body="a" ctrlrange="0 1"/><adhesion name="adst" body="st" ctrlrange="0 1"/></actuator>
<tendon><fixed name="t"><joint joint="ja" coef="1"/></fixed><fixed name="tb"><joint joint="jb" coef="1"/></fixed>
<fixed name="tab"><joint joint="ja" coef="1"/><joint joint="jb" coef="1"/></fixed>
<spatial name="sp"><site site="sa"/><site site="ss"/></spatial><spatial name="spm"><site site="sm"/><site site="ss"/></spatial></tendon>"""


def sensors():
    bodies, sites = {"a": "a", "s": "st", "b": "b", "m": "moc"}, "sa ss sb sm".split()
    for site in sites:
        for kind in "touch accelerometer velocimeter gyro force torque magnetometer rangefinder".split():
            yield f'<{kind} site="{site}"/>'
        for contact in ("", 'body2="a"', 'body2="b"'):
            yield f'<contact site="{site}" {contact}/>'
    for body in bodies.values():
        for other in (None, *bodies.values()):
            ref = "" if other is None else f'reftype="body" refname="{other}"'
            for kind in "framepos framequat framelinvel frameangvel framexaxis".split():
                yield f'<{kind} objtype="body" objname="{body}" {ref}/>'
            if other != body:
                yield f'<contact body1="{body}" ' + (f'body2="{other}"/>' if other else "/>")
                if other:
                    yield f'<distance body1="{body}" body2="{other}" cutoff="10"/>'
        for kind in "framelinacc frameangacc".split():
            yield f'<{kind} objtype="body" objname="{body}"/>'
        for kind in "subtreecom subtreelinvel subtreeangmom".split():
            yield f'<{kind} body="{body}"/>'
        for site in "ss sa sb".split():
            yield f'<insidesite site="{site}" objtype="body" objname="{body}"/>'
        yield f'<contact subtree1="{body}"/>'
        yield f'<contact body2="{body}"/>'
    for what in ("", 'subtree1="world"', 'body1="world"', 'geom1="floor"', 'geom1="ga"', 'geom1="gb"', 'geom2="floor"'):
        yield f"<contact {what}/>"
    for joint in "ja jb".split():
        for kind in "jointpos jointvel jointactuatorfrc".split():
            yield f'<{kind} joint="{joint}"/>'
    for kind in "jointlimitpos jointlimitvel jointlimitfrc".split():
        yield f'<{kind} joint="ja"/>'
    yield '<ballquat joint="ba"/>'
    yield '<ballangvel joint="ba"/>'
    for tendon in "t tb tab sp spm".split():
        for kind in "tendonpos tendonvel tendonactuatorfrc".split():
            yield f'<{kind} tendon="{tendon}"/>'
    for actuator in "ma mb tc sab sba sas ssa cr cr2 cr3 ada adst".split():
        for kind in "pos vel frc".split():
            yield f'<actuator{kind} actuator="{actuator}"/>'
    for camera in "ca cst cb".split():
        for site in "sa ss sb".split():
            yield f'<camprojection site="{site}" camera="{camera}"/>'
    yield '<framepos objtype="camera" objname="ca"/>'
    yield '<framepos objtype="geom" objname="floor"/>'
    yield '<framepos objtype="geom" objname="ga" reftype="geom" refname="gb"/>'
    yield '<framepos objtype="site" objname="ss" reftype="camera" refname="ca"/>'
    for kind in ("clock", "e_potential", "e_kinetic"):
        yield f"<{kind}/>"
    yield '<user dim="1"/>'


def test_sensors():
    rows = list(sensors())
    text = document(SENSED.replace("<camera ", '<camera resolution="64 48" pos=".3 .2 1.5" '), LINKED + "<sensor>" + "".join(rows) + "</sensor>", 'sleep_tolerance=".01"')
    pair = live.Pair.from_text(text)
    assert steps(pair, 50, first_asleep) > 0
    steps(pair, 2)
    change(pair, lambda m, d: d.sensordata.__setitem__(slice(None), SPOILED))
    pair.call("mj_forward")
    kept, right = 0, live.right_sensors(pair.rm)
    for i, row in enumerate(rows):
        part = slice(pair.rm.sensor_adr[i], pair.rm.sensor_adr[i] + pair.rm.sensor_dim[i])
        if not right[part.start]:
            continue
        want, got = pair.rd.sensordata[part], pair.d.sensordata[part]
        assert live.difference(got, want) < 1e-8, (row, got, want)
        kept += bool(np.all(want == SPOILED))
    assert 60 < kept < len(rows) - 60


# ---- asleep from the start

class errors:
    """Texts that the engine's error handler is called with."""

    def __init__(self, lib):
        self.texts = []
        self.slot = ctypes.c_void_p.in_dll(lib, "mju_user_error")

    def __enter__(self):
        self.handler = ctypes.CFUNCTYPE(None, ctypes.c_char_p)(lambda text: self.texts.append(text.decode()))
        self.slot.value = ctypes.cast(self.handler, ctypes.c_void_p).value
        return self.texts

    def __exit__(self, *_):
        self.slot.value = None


INIT = 'sleep="init"'
STARTS = {
    "in the air": box("a", "0 0 1", INIT),
    "stack": box("a", "0 0 .0995", INIT) + box("b", "0 0 .299", INIT),
    "beside one that falls": box("a", "0 0 .0995", INIT) + box("b", "0 0 .399") + hinge("h", "2 0 1"),
    "inactive weld": box("a", "0 0 1", INIT) + box("b", "0 0 2"),
    "resting neighbour": box("a", "0 0 .0995", INIT) + box("b", "1 0 .0995") + hinge("h", "2 0 1", 'range="-1 0" limited="true"'),
}


@pytest.mark.parametrize("name", STARTS)
def test_asleep_from_the_start(name):
    extra = '<sensor><accelerometer site="sa"/><framepos objtype="body" objname="a"/><clock/></sensor>'
    if "weld" in name:
        extra += '<equality><weld body1="a" body2="b" active="false"/></equality>'
    pair = live.Pair.from_text(document(STARTS[name], extra))
    for _ in range(2):
        assert pair.d.tree_asleep[0] >= 0
        compare(pair, "start")
        steps(pair, 150)
        pair.call("mj_resetData")


REFUSED = {
    "on top": (box("a", "0 0 .0995", INIT) + box("b", "0 0 .299"), ""),
    "below": (box("b", "0 0 .0995") + box("a", "0 0 .299", INIT), ""),
    "welded": (box("a", "0 0 1", INIT) + box("b", "0 0 2"), '<equality><weld body1="a" body2="b"/></equality>'),
}


@pytest.mark.parametrize("name", REFUSED)
def test_part_of_an_island_cannot_sleep_from_the_start(name):
    lib, (bodies, extra) = live.library(), REFUSED[name]
    text = document(bodies, extra)
    with pytest.raises(ValueError, match="sleep"):
        mujoco.MjModel.from_xml_string(text)
    path = bytes(f"/proc/self/fd/{memory_file(text)}", "ascii")
    error = ctypes.create_string_buffer(1000)
    assert not lib.mj_loadXML(path, None, error, len(error))
    assert b"sleep" in error.value

    # without the flag the model is fine; with it there is no data for it
    rm = mujoco.MjModel.from_xml_string(text.replace('sleep="enable"', ""))
    rm.opt.enableflags |= SLEEP
    with pytest.raises(mujoco.FatalError):
        mujoco.MjData(rm)
    m = bridge.adopt(lib, rm)
    with errors(lib) as texts:
        lib.mj_deleteData(ctypes.c_void_p(lib.mj_makeData(m.ptr)))
    assert len(texts) == 1 and "sleep" in texts[0]
    lib.mj_deleteModel(m.ptr)


def memory_file(text):
    fd = os.memfd_create("model")
    os.write(fd, text.encode())
    os.lseek(fd, 0, os.SEEK_SET)
    return fd


# ---- around

def test_copies_and_states():
    """A copy of the data sleeps like the original; a state that is set says nothing about sleep."""
    pair = live.Pair.from_text(document(box("a", "0 0 .0995") + box("b", "2 0 3")))
    assert steps(pair, 200, first_asleep) > 0
    lib, m = pair.lib, pair.m
    size = lib.mj_stateSize(m.ptr, int(mujoco.mjtState.mjSTATE_INTEGRATION))
    state = np.zeros(size)
    lib.mj_getState(m.ptr, pair.d.ptr, live.pointer(state), int(mujoco.mjtState.mjSTATE_INTEGRATION))
    other = bridge.Data(lib, m)
    lib.mj_setState(m.ptr, other.ptr, live.pointer(state), int(mujoco.mjtState.mjSTATE_INTEGRATION))
    assert asleep(other) == [-11, -11]
    lib.mj_copyData(other.ptr, m.ptr, pair.d.ptr)
    assert asleep(other) == [0, -11] and other.nv_awake == 6
    for _ in range(20):
        pair.call("mj_step")
        lib.mj_step(m.ptr, other.ptr)
        assert np.array_equal(other.qpos, pair.d.qpos) and asleep(other) == asleep(pair.d)
    lib.mj_deleteData(other.ptr)


@pytest.mark.parametrize("centered", [0, 1])
def test_derivatives_leave_sleep_alone(centered):
    pair = live.Pair.from_text(document(box("a", "0 0 .0995") + box("b", "2 0 3")))
    assert steps(pair, 200, first_asleep) > 0
    n = 2 * pair.rm.nv
    A = np.zeros((n, n))
    mujoco.mjd_transitionFD(pair.rm, pair.rd, 1e-6, bool(centered), np.zeros((n, n)), None, None, None)
    function = pair.lib.mjd_transitionFD
    function.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_double, ctypes.c_ubyte] + 4 * [ctypes.c_void_p]
    function(pair.m.ptr, pair.d.ptr, 1e-6, centered, live.pointer(A), None, None, None)
    assert asleep(pair.d) == asleep(pair.rd) == [0, -11]
    assert np.all(np.isfinite(A))


def test_constants():
    """Trees that sleep go on sleeping; a spring on a tendon between trees that were told to sleep is an error."""
    tendon = '<tendon><fixed name="t"><joint joint="ja" coef="1"/><joint joint="jb" coef="1"/></fixed></tendon>'
    for policy in ("auto", "allowed"):
        bodies = hinge("a", "0 0 1", attributes=f'sleep="{policy}"') + hinge("b", "2 0 1")
        pair = live.Pair.from_text(document(bodies, tendon))
        assert steps(pair, 30, all_asleep) > 0
        pair.call("mj_setConst")
        assert asleep(pair.d) == asleep(pair.rd) == [0, 1]
        for m in (pair.rm, pair.m):
            m.tendon_stiffness[0] = 1
        with errors(pair.lib) as texts:
            pair.lib.mj_setConst(pair.m.ptr, pair.d.ptr)
        if policy == "auto":
            mujoco.mj_setConst(pair.rm, pair.rd)
        else:
            with pytest.raises(mujoco.FatalError):
                mujoco.mj_setConst(pair.rm, pair.rd)
        assert len(texts) == (policy == "allowed")
        assert list(pair.m.tree_sleep_policy) == list(pair.rm.tree_sleep_policy)


# ---- random scenes: trees that fall, swing, are tied together and pushed around

def hanging(rng, name, pose):
    """A pendulum or slider, with a ball below it half of the time."""
    kind, tilt = rng.choice(["hinge", "slide", "hinge"]), rng.choice([0, 1])
    ball = f'<body pos="0 0 -.3"><joint damping=".3" axis="1 0 0" name="k{name}"/><geom size=".05"/></body>'
    return (f'<body name="{name}" {pose}><joint name="j{name}" type="{kind}" axis="0 1 {tilt}" damping="{rng.uniform(.2, 2):.3f}" '
            f'stiffness="{rng.choice([0, 2])}" frictionloss="{rng.choice([0, 0, .05])}" range="-.8 .8" limited="{rng.choice(["true", "false"])}"/>'
            f'<geom type="capsule" size=".05" fromto="0 0 0 .05 0 -.25"/><site name="s{name}" pos="0 0 -.2"/>{ball if rng.random() < .5 else ""}</body>')


def falling(rng, name, pose):
    geom = rng.choice(['type="sphere" size=".1"', 'type="box" size=".1 .08 .06"', 'type="capsule" size=".06 .1"', 'type="ellipsoid" size=".1 .08 .06"'])
    return f'<body name="{name}" {pose}><freejoint/><geom {geom} friction="1 .1 .01" condim="6"/><site name="s{name}"/></body>'


def links(rng, names, joints):
    text, active = "<equality>", lambda: rng.choice(["true", "false"])
    for _ in range(rng.integers(0, 3)):
        a, b = rng.choice(names, 2, replace=False)
        kind = rng.choice(["weld", "connect"])
        text += f'<{kind} body1="{a}" body2="{b}" active="{active()}" {"" if kind == "weld" else "anchor=" + chr(34) + "0 0 0" + chr(34)}/>'
    if len(joints) > 1 and rng.random() < .5:
        text += f'<joint joint1="j{joints[0]}" joint2="j{joints[1]}" active="{active()}"/>'
    text += "</equality>"
    if len(joints) > 1:
        text += (f'<tendon><fixed limited="true" range="-.3 .3" frictionloss="{rng.choice([0, 0, .01])}"><joint joint="j{joints[0]}" coef="1"/>'
                 f'<joint joint="j{joints[-1]}" coef=".5"/></fixed><spatial limited="true" range="0 {rng.uniform(.2, 1.5):.3f}">'
                 f'<site site="s{names[0]}"/><site site="s{names[1]}"/></spatial></tendon>')
    actuators = [f'<general joint="j{n}" dyntype="{rng.choice(["none", "filter", "integrator"])}" dynprm=".1" gainprm=".1"/>' for n in joints if rng.random() < .4]
    sensing = [f'<framepos objtype="body" objname="{n}"/><framelinvel objtype="body" objname="{n}" reftype="body" refname="{rng.choice(names)}"/>'
               f'<accelerometer site="s{n}"/><contact body1="{n}" num="2" data="found dist"/>' for n in names]
    return text + f'<actuator>{"".join(actuators)}</actuator><sensor>{"".join(sensing)}</sensor>'


def random_scene(rng, policies):
    names, joints, bodies = list("abcdefg"[:rng.integers(3, 7)]), [], ""
    for name in names:
        swings, (x, y), policy = rng.random() < .5, rng.uniform(-.6, .6, 2), rng.choice(policies)
        pose = f'pos="{x:.3f} {y:.3f} {rng.uniform(.2, 1) if swings else rng.uniform(.1, .6):.3f}"' + (f' sleep="{policy}"' if policy else "")
        bodies += (hanging if swings else falling)(rng, name, pose)
        joints += [name] if swings else []
    if rng.random() < .4:
        bodies += '<body name="mc" mocap="true" pos="0 0 .8"><geom size=".1"/></body>'
    option = (f'solver="{rng.choice(["Newton", "PGS"])}" integrator="{rng.choice(["Euler", "RK4", "implicit", "implicitfast"])}" '
              f'jacobian="{rng.choice(["dense", "sparse"])}" cone="{rng.choice(["pyramidal", "elliptic"])}" '
              f'sleep_tolerance="{rng.choice([.001, .01, .05, .2])}" tolerance="1e-12" iterations="200"')
    return document(bodies, links(rng, names, joints), option)


def disturb(pair, rng):
    """Sometimes the user does something."""
    m, what = pair.rm, rng.integers(0, 7)
    tree, body, i, x = int(rng.integers(m.ntree)), int(rng.integers(1, m.nbody)), int(rng.integers(m.nq)), rng.normal()
    equality, angle, push = int(rng.integers(max(1, m.neq))), float(pair.rd.qpos[i] + .02 * x), rng.normal(size=max(2, m.nu))
    if what == 0:
        change(pair, lambda _, d: d.qvel.__setitem__(int(m.tree_dofadr[tree]), x))
    if what == 1 and m.neq:
        change(pair, lambda _, d: d.eq_active.__setitem__(equality, int(x > 0)))
    if what == 2:
        change(pair, lambda _, d: d.xfrc_applied.__setitem__((body, 0), x))
    if what == 3:
        change(pair, lambda _, d: d.xfrc_applied.__setitem__(slice(None), 0))
    if what == 4:
        change(pair, lambda _, d: d.qpos.__setitem__(i, angle))
    if what == 5 and m.nmocap:
        change(pair, lambda _, d: d.mocap_pos.__setitem__((0, slice(0, 2)), .3 * push[:2]))
    if what == 6 and m.nu:
        change(pair, lambda _, d: d.ctrl.__setitem__(slice(None), push[:m.nu]))


def follow(pair):
    """Trees that are awake start their next step where the reference is, so that small differences do not grow."""
    rm, rd, d = pair.rm, pair.rd, pair.d
    for t in range(rm.ntree):
        if rd.tree_asleep[t] >= 0:
            continue
        dofs = slice(rm.tree_dofadr[t], rm.tree_dofadr[t] + rm.tree_dofnum[t])
        d.qvel[dofs] = rd.qvel[dofs]
        first, last = (rm.dof_jntid[k] for k in (dofs.start, dofs.stop - 1))
        q = slice(rm.jnt_qposadr[first], rm.jnt_qposadr[last + 1] if last + 1 < rm.njnt else rm.nq)
        d.qpos[q] = rd.qpos[q]
    d.qacc_warmstart[:] = rd.qacc_warmstart
    if rm.na:
        d.act[:] = rd.act


SMOOTH = ("qpos qvel act act_dot qfrc_bias qfrc_passive qfrc_smooth actuator_force actuator_length actuator_velocity ten_length "
          "ten_velocity energy xpos cvel qfrc_actuator").split()


def run_random(pair, rng, n):
    """Lists and counts in each step, what is smooth, and loosely what solvers found; the most trees that slept."""
    most = 0
    for i in range(n):
        if rng.random() < .03:
            disturb(pair, rng)
        pair.call("mj_step")
        for name in LISTS + COUNTS:
            assert np.array_equal(getattr(pair.d, name), getattr(pair.rd, name)), (i, name)
        assert pair.off(*SMOOTH)[0] < 1e-4, (i, pair.off(*SMOOTH))
        assert pair.off("qacc", "sensordata")[0] < 1e-2, (i, pair.off("qacc", "sensordata"))
        most = max(most, sum(x >= 0 for x in asleep(pair.rd)))
        follow(pair)
    return most


@pytest.mark.parametrize("seeds", range(0, 16, 8))
def test_random_scenes(seeds):
    most = []
    for seed in range(seeds, seeds + 8):
        rng = np.random.default_rng(seed)
        pair = live.Pair.from_text(random_scene(rng, ["", "", "", "allowed", "never"]))
        most.append(run_random(pair, rng, 300))
    assert sum(n >= 1 for n in most) >= 2, most


def test_random_scenes_asleep_from_the_start():
    """The same models are refused, and the others start alike."""
    refused = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        text = random_scene(rng, ["init", "init", "init", ""])
        if rng.random() < .5:
            text = text.replace('<geom name="floor" type="plane" size="9 9 .1"/>', "")
        m, reason = compile_text(text)
        try:
            pair = live.Pair.from_text(text)
        except ValueError:
            assert m is None, seed
            refused += 1
            continue
        assert m is not None, (seed, reason)
        for name in LISTS:
            assert np.array_equal(getattr(pair.d, name), getattr(pair.rd, name)), (seed, name)
        assert pair.d.ncon == pair.rd.ncon and pair.d.nefc == pair.rd.nefc == 0
        assert pair.off(*SMOOTH)[0] < 1e-6, (seed, pair.off(*SMOOTH))
        run_random(pair, rng, 20)
    assert 5 < refused < 35


# ---- here only: the reference stops with an error

def test_predefined_pairs_sleep():
    """A predefined pair of a tree that sleeps and the floor has no contacts."""
    text = document(box("a", "0 0 .0995") + box("b", "2 0 3"), '<contact><pair geom1="floor" geom2="ga"/></contact>')
    pair = live.Pair.from_text(text)
    slept = 0
    for _ in range(300):
        pair.lib.mj_step(pair.m.ptr, pair.d.ptr)
        slept += pair.d.tree_asleep[0] >= 0 and pair.d.ncon == 0
    assert slept > 50


def test_a_weld_to_a_mocap_body_wakes():
    text = document(box("a", "0 0 .0995") + '<body name="m" mocap="true" pos="0 0 .0995"/>',
                    '<equality><weld body1="a" body2="m" active="false"/></equality>')
    pair = live.Pair.from_text(text)
    for _ in range(300):
        pair.lib.mj_step(pair.m.ptr, pair.d.ptr)
    assert pair.d.tree_asleep[0] >= 0
    pair.d.eq_active[0] = 1
    pair.d.mocap_pos[0, 2] = .5
    for _ in range(300):
        pair.lib.mj_step(pair.m.ptr, pair.d.ptr)
    assert pair.d.qpos[2] > .4
