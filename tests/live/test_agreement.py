# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""agreement.py over a folder of three models: what it counts, leaves out and notices."""
import os
import pathlib
import subprocess
import sys

import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
sys.path.insert(0, os.path.dirname(__file__))
import live  # noqa: E402
import agreement  # noqa: E402

ARM = """<mujoco><worldbody><geom type="plane" size="1 1 .1"/><body pos="0 0 .3"><joint name="a" axis="0 1 0" damping=".1"/>
  <geom type="capsule" size=".05" fromto="0 0 0 .3 0 0"/></body><body pos="1 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody>
  <actuator><motor joint="a"/></actuator><sensor><jointvel joint="a"/></sensor></mujoco>"""
OTHERS = {"stands.xml": "<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>", "lacks_a_mesh.xml": "<mujoco><asset><mesh file='absent.stl'/></asset></mujoco>"}


@pytest.fixture
def arm(tmp_path):
    live.library()
    (tmp_path / "arm.xml").write_text(ARM)
    return tmp_path / "arm.xml"


@pytest.mark.parametrize("check", agreement.CHECKS)
def test_notices_another_gravity(arm, check):
    same, other = agreement.Case(arm), agreement.Case(arm)
    other.pair.m.opt.gravity[2] *= 1 + 1e-4
    for case in (same, other):
        agreement.CHECKS[check](case)
    assert same.wrong == {} and other.wrong


# The reference has a contact 0.67 m deep; along the best of the 15 directions the boxes overlap by 0.23 m.
BOXES = """<mujoco><worldbody><geom type="box" size=".1 .2 .3"/><body pos=".12 -.12 -.03" euler="-60 -40 70"><joint type="slide" axis="0 0 1"/>
  <geom type="box" size=".3 .1 .2"/></body></worldbody></mujoco>"""


def test_boxes_that_the_reference_has_wrong_are_known(arm, monkeypatch):
    boxes = arm.parent / "boxes.xml"
    boxes.write_text(BOXES)
    case = agreement.Case(boxes)
    agreement.forward(case)
    assert case.boxes and case.wrong == {}
    monkeypatch.setattr(agreement, "overlap", lambda *_: 0.2)  # then we are wrong, too
    case = agreement.Case(boxes)
    agreement.forward(case)
    assert not case.boxes and case.wrong


def test_counts(arm):
    for name, text in OTHERS.items():
        (arm.parent / name).write_text(text)
    p = subprocess.run([sys.executable, agreement.__file__, str(arm.parent)], capture_output=True, text=True, cwd=pathlib.Path(__file__).parents[2])
    assert "| all | 2 | 2 | 100.0 % | 0 | 4 |" in p.stdout, p.stdout + p.stderr
    assert "2 (refused by the reference), 2 (nothing moves)" in p.stdout
