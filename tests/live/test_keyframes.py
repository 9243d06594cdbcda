# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Keyframes with fewer numbers than the model has: what they end with is the reference as it was written."""
import os
import sys

import numpy as np
import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
sys.path.insert(0, os.path.dirname(__file__))
import live  # noqa: E402
from test_compile import compile_text  # noqa: E402

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
