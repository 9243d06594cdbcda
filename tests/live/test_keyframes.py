# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Keyframes of documents: with fewer numbers than the model has, and beside attached models, whose keyframes come along."""
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
SLIDE = '<body><joint type="slide" ref="0.5"/><geom size=".1"/></body>'
HINGE = '<body><joint ref="30"/><geom size=".1"/></body>'
FRAME = '<frame pos="0 0 1" euler="0 90 0">' + FREE + "</frame>"
MOCAP = ('<body mocap="true" pos="9 8 7" euler="90 0 0"/>'
         '<frame pos="0 0 1"><body mocap="true" pos="6 5 4" quat="0 1 0 0"/></frame>')
ARRAYS = ("key_qpos", "key_qvel", "key_act", "key_ctrl", "key_mpos", "key_mquat")


def reference(text):
    return live.mujoco.MjModel.from_xml_string(text)


@pytest.mark.parametrize("world, n", [(HINGE + FREE, 1), (HINGE + FREE, 4), (FRAME + SLIDE, 3), (SLIDE + HINGE + SLIDE, 2)])
def test_positions_that_are_not_given_are_those_of_the_model(world, n):
    """the reference takes them as they were written: in degrees, and without the frames around them"""
    numbers = np.arange(9, 9 - n, -1.0)
    text = f'<mujoco><worldbody>{world}</worldbody><keyframe><key qpos="{" ".join(map(str, numbers))}"/></keyframe></mujoco>'
    want = reference(text).qpos0
    want[:n] = numbers
    m, reason = compile_text(text)
    assert m, reason
    np.testing.assert_allclose(m.key_qpos.ravel(), want, atol=1e-12)


@pytest.mark.parametrize("n", [1, 3, 4])
def test_mocap_poses_that_are_not_given_are_those_of_the_model(n):
    numbers = np.arange(1.0, n + 1)
    text = f'<mujoco><worldbody>{MOCAP}</worldbody><keyframe><key mpos="{" ".join(map(str, numbers))}"/></keyframe></mujoco>'
    want = reference(text)
    mpos = want.body_pos[1:].ravel().copy()
    mpos[:n] = numbers
    m, reason = compile_text(text)
    assert m, reason
    np.testing.assert_allclose(m.key_mpos.ravel(), mpos, atol=1e-12)
    np.testing.assert_allclose(m.key_mquat.ravel(), want.body_quat[1:].ravel(), atol=1e-12)


def hinge(name):
    return f'<body pos="0 2 0"><joint name="{name}" ref="30"/><geom size=".1"/></body>'


PART = '<mujoco><worldbody><body name="b"><joint name="j" ref="10"/><geom size=".1"/></body></worldbody>%s</mujoco>'
KEYED = PART % '<actuator><motor joint="j"/></actuator><keyframe><key name="P" time="2" qpos="7" qvel="8" ctrl="9"/><key name="Q"/></keyframe>'
ATTACH = '<attach model="p" body="b" prefix="%s"/>'
TWO = hinge("a") + ATTACH % "x" + hinge("z") + ATTACH % "y" + hinge("w")
REPLICAS = '<replicate count="3" offset="1 0 0"><body><joint/><geom size=".1"/>' + ATTACH % "x" + "</body></replicate>"
ACTUATORS = '<actuator><motor joint="a"/><position joint="z" timeconst=".1"/></actuator>'


@pytest.mark.parametrize("part", [PART % "", KEYED])
@pytest.mark.parametrize("world, tail", [
    (TWO, '<keyframe><key name="K" qpos="1 2 3 4 5" qvel="5 4 3 2 1"/></keyframe>'), (TWO, '<keyframe><key name="K" time="1"/></keyframe>'),
    (TWO, ACTUATORS), (ATTACH % "x", '<keyframe><key name="K" qpos="1"/></keyframe>'), (hinge("a") + REPLICAS, "")])
def test_keyframes_of_attached_models_follow(world, tail, part, tmp_path):
    (tmp_path / "p.xml").write_text(part)
    (tmp_path / "main.xml").write_text('<mujoco><asset><model name="p" file="p.xml"/></asset>'
                                       f"<worldbody>{world}</worldbody>{tail}</mujoco>")
    want = live.mujoco.MjModel.from_xml_path(str(tmp_path / "main.xml"))
    ours = Spec(None, path=str(tmp_path / "main.xml"))
    assert want.nkey == ("K" in tail) + (part == KEYED) * 2 * (2 if world == TWO else 1)
    # the reference deletes what is replicated after it was copied, and loses all controls with it
    compared = [name for name in ARRAYS if name != "key_ctrl" or "replicate" not in world]
    for name in compared + ["nkey", "key_time", "name_keyadr"]:
        np.testing.assert_allclose(getattr(ours.model, name), getattr(want, name), atol=1e-12, err_msg=name)
