# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""What attributes mean to the compiler, one small model for each, against the reference: every array."""
import itertools
import os
import sys

import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
sys.path.insert(0, os.path.dirname(__file__))
import live  # noqa: E402
from test_compile import compile_text, differing, text  # noqa: E402

TURNS = ('quat="1 2 3 4"', 'axisangle="1 2 3 40"', 'xyaxes="1 2 0 0 1 1"', 'zaxis="1 2 3"', 'euler="10 20 30"')
GEOM = '<geom size=".1 .2 .3"/>'
BODY = """<body name="b" pos="1 2 3"%s><joint name="j" axis="1 1 0"/><geom type="box" size=".1 .2 .3" pos=".1 .2 .3" euler="10 20 30"/>
<geom size=".2" group="3" pos="0 0 .3"/><site name="s" pos="1 0 0"/><body name="b2" euler="30 0 20"><joint name="j2" type="slide"/>
<geom type="capsule" size=".1 .2" mass="0"/><inertial pos=".1 0 0" mass=".3" diaginertia=".1 .2 .25" euler="1 2 3"/></body></body>"""


def compiler(attributes, inner=""):
    return f"<compiler {attributes}>{inner}</compiler>"


def turned(turn):
    """An orientation on every element that takes one."""
    return f"""<frame {turn} pos="1 0 0"><body {turn}><joint/><geom type="box" size=".1 .2 .3" {turn}/><site {turn}/><camera {turn}/>
<body><inertial pos="0 0 1" mass="1" diaginertia="1 2 2.5" {turn}/><joint/></body><light dir="1 2 3"/></body></frame>"""


CASES = {}
for turn in TURNS:
    for angle in ("degree", "radian"):
        CASES[f"{turn} in {angle}"] = (compiler(f'angle="{angle}"'), turned(turn), "")
    CASES[f"{turn} in a class"] = (f"<default><geom {turn} size='.1 .2 .3' type='box'/><site {turn}/><camera {turn}/></default>",
                                  "<body><joint/><geom/><site/><camera/><geom quat='1 1 0 0'/><site euler='1 2 3'/></body>", "")
for sequence in ["".join(p) for p in itertools.product("xyz", repeat=3)] + ["XYZ", "xYz", "ZXZ", "zYX", "YYx"]:
    CASES[f"eulerseq {sequence}"] = (compiler(f'eulerseq="{sequence}"'), "<body euler='10 20 30'><geom size='1'/></body>", "")

# segments
for kind, size in (("capsule", ".1"), ("cylinder", ".1"), ("box", ".1 .2"), ("ellipsoid", ".1 .2"), ("box", ".1")):
    for where in ("geom", "class", "frame", "both"):
        segment = 'fromto=".1 .2 .3 1 2 4"'
        defaults = f"<default><geom {segment}/><site {segment}/></default>" if where in ("class", "both") else ""
        own = segment if where in ("geom", "frame") else 'fromto="0 0 0 1 0 0"' if where == "both" else ""
        parts = f'<geom type="{kind}" size="{size}" {own}/><site type="{kind}" size="{size}" {own}/>'
        CASES[f"fromto {kind} {size} {where}"] = (defaults, f"<frame pos='1 2 3' euler='10 20 30'>{parts}</frame>"
                                                 if where == "frame" else f"<body><joint/>{parts}</body>", "")
CASES["fromto downwards"] = ("", '<geom type="capsule" size=".1" fromto="0 0 0 0 0 -1"/><geom type="box" size=".1" fromto="0 0 0 0 0 1"/>', "")

for setting in ('inertiafromgeom="true"', 'inertiafromgeom="false"', 'inertiafromgeom="auto"', 'inertiagrouprange="0 2"', 'inertiagrouprange="3 3"',
                'boundmass="5"', 'boundinertia=".7"', 'boundmass="5" settotalmass="4"', 'settotalmass="4"', 'settotalmass="0"',
                'balanceinertia="true"', 'discardvisual="true"', 'alignfree="true"',
                'saveinertial="true"', 'strippath="true"', 'usethread="false"', 'autolimits="true"', 'meshdir="a" texturedir="b"', 'assetdir="c"',
                'inertiagrouprange="0 2" inertiafromgeom="true" boundinertia="1e-3"'):
    inertias = BODY % "" if "false" not in setting else "".join(
        f'<body pos="{i} 0 0">{g}<joint/><inertial pos=".1 .2 .3" mass="2" {turn} diaginertia="1 2 2.5"/></body>'
        for i, (turn, g) in enumerate(zip(TURNS, [GEOM, ""] * 3)))
    CASES["compiler " + setting] = (compiler(setting), inertias, "")
CASES["balanced"] = (compiler('balanceinertia="true"'), '<body><joint/><inertial pos="0 0 0" mass="1" diaginertia="1 2 9"/></body>'
                     '<body><joint/><inertial pos="0 0 0" mass="1" fullinertia="9 1 2 .1 .2 .3"/></body>', "")
VISUAL = """<geom name="a" size=".1" contype="0" conaffinity="0"/><body><joint/><geom size=".1" mass="0" contype="0" conaffinity="0" pos="1 0 0"/>
<geom size=".2" name="c" contype="0" conaffinity="0"/><geom size=".3"/><site name="q"/></body>"""
CASES["visual"] = (compiler('discardvisual="true"'), VISUAL, "")
CASES["visual, but referred to"] = (compiler('discardvisual="true"'), VISUAL, "<contact><pair geom1='a' geom2='c'/></contact>")
ASSETS = """<asset><hfield name="h" nrow="2" ncol="2" size="1 1 1 1" elevation="0 1 1 0"/><mesh name="a" builtin="sphere" params="1"/>
<mesh name="b" builtin="cone" params="8 1"/><material name="m"/></asset>"""
for name, link in (("skin", """<deformable><skin face="0 1 2" vertex="0 0 0 1 0 0 0 1 0"><bone body="bb" bindpos="0 0 0" bindquat="1 0 0 0"
vertid="0 1 2" vertweight="1 1 1"/></skin></deformable>"""),
                   ("wrap", '<tendon><spatial><site site="q"/><geom geom="a"/><site site="r"/></spatial></tendon>'),
                   ("sensor", '<sensor><framepos objtype="body" objname="bb" reftype="geom" refname="a"/><distance geom1="c" body2="bb" cutoff="1"/></sensor>'),
                   ("contact sensor", '<sensor><contact geom1="c"/></sensor>'), ("user sensor", '<sensor><user objtype="geom" objname="c" dim="1"/></sensor>'),
                   ("tuple", '<custom><tuple name="t"><element objtype="geom" objname="c"/></tuple></custom>')):
    CASES["visual, with a " + name] = (compiler('discardvisual="true"') + ASSETS, VISUAL + """<body name="bb"><joint/><geom type="mesh" mesh="a"/>
<geom type="mesh" mesh="b" material="m" contype="0" conaffinity="0"/><site name="r"/><light/><camera/></body>""", link)

# free bodies
for align in ("", 'align="true"', 'align="false"', 'align="auto"'):
    for setting in ("", 'alignfree="true"'):
        CASES[f"free {align} {setting}"] = (compiler(setting), f"""<body name="f" pos="1 2 3" euler="30 20 10"><freejoint {align}/>
<geom type="box" size=".1 .2 .3" pos="1 1 0" euler="3 4 5"/><geom size=".1"/><site pos="1 0 0"/><camera pos="1 1 1"/></body>
<body><freejoint {align}/><geom size=".1" pos="1 0 0"/><body pos="1 0 0"><geom size=".1"/></body></body>""", "")

# limits
for name, attributes in itertools.product(("true", "false"), ("", 'limited="true" range="1 2"', 'limited="false" range="1 2"',
                                                             'limited="auto" range="0 0"', 'actuatorfrclimited="true" actuatorfrcrange="-1 2"')):
    CASES[f"autolimits {name}, {attributes}"] = (compiler(f'autolimits="{name}"'), f"<body><joint {attributes}/>{GEOM}</body>", "")

# replicas
PART = '<body name="p" pos="1 0 0"><joint name="pj"/><geom name="pg" size=".1"/><site name="ps"/></body>'
LINKS = """<sensor><jointpos joint="pj"/><framepos objtype="site" objname="ps" name="fp"/><accelerometer site="ps"/></sensor>
<actuator><position name="pa" joint="pj" kp="2"/><motor site="ps"/></actuator><contact><exclude body1="p" body2="world"/></contact>
<tendon><spatial name="ts"><site site="ps"/><site site="world"/></spatial><fixed><joint joint="pj" coef="2"/></fixed></tendon>
<equality><connect body1="p" anchor="0 0 1"/></equality>"""
for name, around in (("plain", '<replicate count="3" offset="1 0 0">%s</replicate>'),
                     ("turned", '<replicate count="3" offset="1 0 .1" euler="0 0 1.2" sep="-">%s</replicate>'),
                     ("eleven", '<replicate count="11" offset="0 0 1" sep="_">%s</replicate>'),
                     ("one", '<replicate count="1" offset="0 0 1">%s</replicate>'),
                     ("nested", '<replicate count="2" offset="0 1 0" sep="a"><replicate count="2" offset="0 0 1" sep="b">%s</replicate></replicate>'),
                     ("in a frame", '<frame pos="1 2 3" euler="0 90 0"><replicate count="2" offset="0 1 0" euler="90 0 0">%s</replicate></frame>'),
                     ("in a body", '<body name="o"><joint/><geom size=".1"/><replicate count="2" offset="0 1 0">%s</replicate></body>'),
                     ("around a frame", '<replicate count="2" offset="0 1 0"><frame pos="1 0 0" euler="0 0 90">%s</frame></replicate>'),
                     ("in radians", '<replicate count="4" offset="0 1 0" euler="0 0 1">%s</replicate>')):
    head = compiler('angle="radian"') if name in ("turned", "in radians") else ""
    world = '<site name="world"/>'
    CASES["replicas " + name] = (head, world + around % PART, "")
    CASES["replicas with links " + name] = (head, world + around % PART, LINKS)
CASES["replicas of mocap bodies"] = ("", '<replicate count="3" offset="1 0 0"><body name="m" mocap="true" pos="0 0 1"><geom size=".1"/></body></replicate>', "")
# of what stands beside the tree: global sensors with every copy
SLIDER = '<body><joint name="%s" type="slide"/><geom size=".1"/></body>'
TWO_SLIDERS = SLIDER % "a" + '<replicate count="3" offset="1 0 0">' + SLIDER % "b" + "</replicate>%s"
BESIDE = """<actuator><motor joint="a"/><intvelocity joint="b" actrange="0 1"/><motor joint="a"/></actuator>
<sensor><clock name="t"/><jointpos joint="b"/></sensor>"""
for name, after in (("", ""), (" before others", SLIDER % "c"), (" before replicas", '<replicate count="2" sep="x">' + SLIDER % "c" + "</replicate>")):
    CASES["replicas with sensors" + name] = ("", TWO_SLIDERS % after, BESIDE)
CASES["nested replicas with sensors"] = ("", '<replicate count="2"><replicate count="2" sep="_">' + SLIDER % "b" + "</replicate></replicate>",
                                         '<sensor><clock/><user name="u" dim="2"/></sensor>')
# keyframes, custom, user data
CASES["keys"] = ("", "<body><freejoint/><geom size='.1'/></body><body><joint name='h' type='ball'/><geom size='.1'/></body><body name='m' mocap='true'/>"
                 "<body><joint name='q' ref='20'/><geom size='.1'/></body>", """<actuator><general joint="q" dyntype="filter"/><motor joint="q"/></actuator>
<keyframe><key name="a"/><key time="2" qpos="1 2 3 2 0 0 0 1 1 0 0 .1" qvel="1 2 3 4 5 6 7 8 9 10" act="3" ctrl="1 2" mpos="1 2 3" mquat="1 2 3 4"/></keyframe>""")
CASES["custom"] = ("""<custom><numeric name="a" size="5" data="1 2"/><numeric name="b" data="3 4 5"/><numeric name="e" size="2"/><text name="t" data="hello"/>
<tuple name="u"><element objtype="body" objname="x" prm="2"/><element objtype="geom" objname="g"/></tuple></custom>""",
                   "<body name='x'><geom name='g' size='1'/></body>", "")
CASES["user data"] = ('<size nuser_body="3" nuser_jnt="2" nuser_geom="1" nuser_site="2" nuser_cam="1" nuser_tendon="2" nuser_actuator="3" nuser_sensor="2"/>'
                      '<default><geom user="7"/><joint user="8 9"/></default>',
                      "<body user='1 2'><joint name='j'/><geom size='1'/><geom size='1' user='3'/><site user='1' name='s'/><camera user='4'/></body>",
                      "<tendon><fixed user='1'><joint joint='j' coef='1'/></fixed></tendon><actuator><motor joint='j' user='1 2 3'/></actuator>"
                      "<sensor><gyro site='s' user='5'/></sensor>")

# empty lists leave what a class gives (3.4.0 gives cameras nothing)
for user in ('', ' ', '7'):
    CASES[f"user data '{user}' over a class"] = (
        '<default>%s<default class="c">%s</default></default>' % tuple("".join(f'<{t} user="{u}"/>' for t in "joint geom site tendon general".split())
                                                                       for u in ("1 2", user)),
        f"<body user='{user}'><joint name='j' user='{user}'/><geom size='1' user='{user}'/><site user='{user}'/><camera user='{user}'/><joint class='c' axis='1 0 0'/>"
        "<geom size='1' class='c'/><site class='c'/><camera class='c'/></body>",
        f"<tendon><fixed user='{user}'><joint joint='j' coef='1'/></fixed><fixed class='c'><joint joint='j' coef='1'/></fixed></tendon>"
        f"<actuator><general joint='j' user='{user}'/><motor class='c' joint='j'/></actuator><sensor><clock user='{user}'/></sensor>")

# joints and actuators
CASES["dampratio"] = ("", BODY % "", """<actuator><position joint="j" kp="5" dampratio="1"/><position joint="j2" kp="50" dampratio=".5" gear="2"/>
<position joint="j" kp="5" kv="2"/><position joint="j2" timeconst=".1"/><intvelocity joint="j2" kp="3" dampratio="1" actrange="0 1"/></actuator>""")
RANGED = "<body><joint name='r' range='-30 60'/><geom size='.1'/></body><body><joint name='l' type='slide' range='1 2'/><geom size='.1'/></body>"
CASES["inheritrange"] = ("", RANGED, """<actuator><position joint="r" inheritrange="1"/><position joint="l" inheritrange=".8"/>
<intvelocity joint="r" inheritrange="1.2"/></actuator><tendon><fixed name="t" range="0 2"><joint joint="r" coef="1"/></fixed></tendon>""")
CASES["inheritrange in a class"] = ('<default><position inheritrange="1" kp="3"/></default>', RANGED,
                                    '<actuator><position joint="r"/><position joint="l" ctrlrange="0 1" inheritrange="0"/></actuator>')
for mode in ("none", "muscle", "muscleuser", "all"):
    CASES[f"lengthrange {mode}"] = (compiler("", f'<lengthrange mode="{mode}" useexisting="true" accel="10" maxforce="1"/>'), RANGED,
                                    '<actuator><muscle name="m" joint="r" gear="2"/><motor joint="l"/><general joint="l" lengthrange="1 2"/></actuator>')
CASES["lengthrange uselimit"] = (compiler("", '<lengthrange mode="all" uselimit="true"/>'), RANGED,
                                 '<actuator><muscle joint="r" gear="2"/></actuator>')
CASES["springdamper"] = ("", "".join(f"<body pos='{i} 0 0'><joint type='{t}' springdamper='{s}' {p}/><geom size='.1' pos='.1 .2 0'/></body>"
                                     for i, (t, s, p) in enumerate((("hinge", ".1 1", ""), ("slide", ".1 .5", "stiffness='3'"), ("ball", ".2 1", ""),
                                                                    ("hinge", "0 0", "damping='2'"), ("hinge", ".1 1", "ref='10' armature='.1'")))), "")
CASES["statistic"] = ('<statistic meanmass="3" extent="2" center="1 2 3"/>', BODY % "", "")
CASES["statistic meaninertia"] = ('<statistic meaninertia="3" meansize=".5"/>', BODY % "", "")
for policy in ("auto", "never", "allowed", "init"):
    CASES[f"sleep {policy}"] = ('<option><flag sleep="enable"/></option>', f"<body sleep='{policy}'><freejoint/><geom size='.1'/></body>"
                                "<body pos='3 0 0'><joint name='j'/><geom size='.1'/></body>", "<actuator><motor joint='j'/></actuator>")
CASES["nested classes"] = ("""<default><geom size=".3"/><default class="top"><geom size=".4"/></default><default class="a"><geom type="box" size=".1 .2 .3" rgba="1 0 0 1"/><joint damping="2"/>
<default class="b"><geom friction="2"/><site size=".2" type="box"/></default></default><default class="c"><joint axis="1 0 0" range="0 1"/></default></default>""",
                           """<body childclass="a"><joint/><geom/><frame childclass="b" pos="1 0 0"><geom/><site/><body><joint class="c"/><geom class="top"/>
<frame childclass="c"><joint type="slide"/><geom/></frame></body></frame><frame><geom class="b"/></frame></body>""", "")


@pytest.mark.parametrize("name", CASES)
def test_meaning(name):
    xml = text(CASES[name])
    try:
        want = live.mujoco.MjModel.from_xml_string(xml)
    except ValueError:
        want = None
    try:
        m, reason = compile_text(xml)
    except AssertionError as error:
        m, reason = None, str(error)
    assert (m is None) == (want is None), reason
    if m:
        assert differing(want, m) == []
        live.library().mj_deleteModel(m.ptr)
