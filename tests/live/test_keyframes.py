# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Keyframes with fewer numbers than the model has, and those of models that get copies: what is not given is the reference as it
was written where it was there with the numbers, and that of the model where it came later."""
import os
import sys

import numpy as np
import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
sys.path.insert(0, os.path.dirname(__file__))
import live  # noqa: E402
from test_compile import compile_text  # noqa: E402
from test_save import Spec  # noqa: E402

FREE = '<body pos="1 2 3" euler="90 0 0"><freejoint/><geom size=".1"/></body>'
BALL = '<body pos="1 2 3" euler="90 0 0"><joint type="ball"/><geom size=".1"/></body>'
SLIDE = '<body><joint type="slide" ref="0.5"/><geom size=".1"/></body>'
HINGE = '<body><joint ref="30"/><geom size=".1"/></body>'
FRAME = '<frame pos="0 0 1" euler="0 90 0">' + FREE + "</frame>"
MOCAP = ('<body mocap="true" pos="9 8 7" euler="90 0 0"/>'
         '<frame pos="0 0 1"><body mocap="true" pos="6 5 4" quat="0 1 0 0"/></frame>')
ARRAYS = ("key_qpos", "key_qvel", "key_act", "key_ctrl", "key_mpos", "key_mquat")


@pytest.mark.parametrize("world, key", [
    (HINGE + FREE, 'qpos="9"'), (HINGE + FREE, 'qpos="9 8 7"'), (HINGE + FREE, 'qpos="9 8 7 6 1"'), (HINGE + BALL, 'qpos="9"'),
    (HINGE + BALL, 'qpos="9 1"'), (HINGE + SLIDE, 'qpos="9"'), (SLIDE + HINGE + SLIDE, 'qpos="9"'), (FRAME + SLIDE, 'qpos="9"'),
    (FRAME + SLIDE, 'qpos="9 8 7 6 5"'), (HINGE + SLIDE, 'qvel="1"'), (HINGE + FREE, 'qvel="1 2 3" ctrl="1"'),
    (MOCAP, 'mpos="1"'), (MOCAP, 'mpos="1 2 3 4"'), (MOCAP, 'mquat="1 0"'), (MOCAP, 'mquat="0 0 1 0 0 0"'),
    (MOCAP, 'mpos="1 2 3" mquat="0 0 1 0"'), (MOCAP, 'mpos="1 2 3 4 5 6"')])
@pytest.mark.parametrize("angle", ["degree", "radian"])
def test_short(world, key, angle):
    joint = "<actuator><motor joint='j'/><motor joint='j'/></actuator>" if "ctrl" in key else ""
    named = world.replace("<joint ", '<joint name="j" ', 1)
    text = (f'<mujoco><compiler angle="{angle}"/><worldbody>{named}</worldbody>'
            f"{joint}<keyframe><key {key}/></keyframe></mujoco>")
    want = live.mujoco.MjModel.from_xml_string(text)
    m, reason = compile_text(text)
    assert m, reason
    for name in ARRAYS:
        np.testing.assert_allclose(getattr(m, name), getattr(want, name), atol=1e-12, err_msg=name)


A = '<body><joint name="ja" ref="30"/><geom size=".1"/></body>'
X = '<body><joint name="jx"/><geom size=".1"/></body>'
Y = '<body><joint name="jy"/><geom size=".1"/></body>'
PART = '<mujoco><worldbody><body name="b"><joint name="j" ref="10"/><geom size=".1"/></body></worldbody>%s</mujoco>'
KEYED = PART % '<keyframe><key name="P" qpos="7"/></keyframe>'
X_JOINT = '<joint name="%s"/>'
ATTACH = '<attach model="p" body="b" prefix="%s"/>'
ACTUATORS = ('<actuator><position joint="jx" timeconst=".1"/><general joint="jr0" dyntype="integrator"/><position joint="jy"/>'
             '<general joint="jx" dyntype="user" actdim="2"/></actuator>')


def copies(what, count=3):
    return f'<frame pos="0 0 3"><replicate count="{count}" offset=".5 0 0">{what}</replicate></frame>'


def hinge(name):
    return f'<body pos="0 2 0"><joint name="{name}" ref="30"/><geom size=".1"/></body>'


R, Q = copies(hinge("jr"), 2), copies(hinge("jq"), 2)
CAMERAS = copies("<camera/>", 2)
FREE_COPIES = copies('<body pos="0 2 0" euler="10 0 0"><freejoint/><geom size=".1"/></body>')
MOCAP_COPIES = copies('<body mocap="true" pos="0 2 0" quat="1 1 0 0"/>')
NESTED = copies(hinge("jr") + ATTACH % "x", 2)
CARRIED = [
    (A + copies(hinge("jr")) + hinge("jz"), 'qpos=".1 7"'), (A + FREE_COPIES, 'qpos=".1 7 7 7 1 0 0 0"'), (A + FREE_COPIES, 'qvel="1 2 3 4 5 6 7"'),
    ('<body mocap="true" pos="0 2 0"/>' + MOCAP_COPIES, 'mpos="1 2 3 4 5 6" mquat="0 1 0 0 0 0 1 0"'), (MOCAP_COPIES, 'mpos="1 2 3"'),
    (MOCAP_COPIES, 'mquat="0 0 1 0"'), (R + hinge("jz") + Q, 'qpos=".1"'), (copies(R, 2) + hinge("jz"), 'qpos=".1"'),
    (A + R + hinge("jz"), 'time="1"'), (A + R + hinge("jz"), 'qvel="1 2"'),
    *((A + ATTACH % "x" + hinge("jz") + ATTACH % "y" + hinge("jw"), f'qpos="{n}"') for n in ("1", "1 2", "1 2 3 4 5")),
    (A + ATTACH % "x" + R + hinge("jz"), 'qpos=".1 2 3"'), (A + R + ATTACH % "x" + hinge("jz"), 'qpos=".1 2"'), (A + NESTED + hinge("jz"), 'qpos=".1 2 3"'),
]
CARRIED += [("<body>%s<geom size='.1'/></body>" % (X_JOINT % "z") + "<body><replicate count='3' euler='30 0 0'>%s</replicate><geom size='.1'/></body>" %
             (X_JOINT % "j"), 'qpos="1 2" qvel="3 4"')]
FORGOTTEN = [X + Y + R, X + R + Y, R + X + Y, CAMERAS + X + Y + R, X + Y + R + CAMERAS, X + R + CAMERAS + Y, R + CAMERAS + X + Y,
             R + X + CAMERAS + Y, CAMERAS + CAMERAS + R + X + Y]


def check_same(folder, part, text):
    (folder / "p.xml").write_text(part)
    (folder / "main.xml").write_text(text)
    want = live.mujoco.MjModel.from_xml_path(str(folder / "main.xml"))
    ours = Spec(None, path=str(folder / "main.xml"))
    assert want.nkey > 0
    for name in ARRAYS + ("nkey", "key_time", "name_keyadr"):
        np.testing.assert_allclose(getattr(ours.model, name), getattr(want, name), atol=1e-12, err_msg=name)


@pytest.mark.parametrize("size", ["", '<size nkey="3"/>'])
@pytest.mark.parametrize("part", [PART % "", KEYED])
@pytest.mark.parametrize("world, key", CARRIED)
def test_copies(world, key, part, size, tmp_path):
    check_same(tmp_path, part, f'<mujoco>{size}<asset><model name="p" file="p.xml"/></asset><worldbody>{world}</worldbody>'
               f'<keyframe><key name="K" {key}/></keyframe></mujoco>')


@pytest.mark.parametrize("world", FORGOTTEN)
def test_actuators(world, tmp_path):
    check_same(tmp_path, KEYED, f"<mujoco><worldbody>{world}</worldbody>{ACTUATORS}"
               '<keyframe><key name="K" act="1 2 3 4" ctrl="5 6 7 8"/></keyframe></mujoco>')
