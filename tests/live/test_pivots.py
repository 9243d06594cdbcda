# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Joints that move the same, told apart by an armature around 1e-15: refused where the reference does not survive its first step."""
import os
import sys

import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
sys.path.insert(0, os.path.dirname(__file__))
import live  # noqa: E402
from test_compile import compile_text  # noqa: E402

SMALL = '<inertial pos="0 0 0" mass="1e-12" diaginertia="1e-12 1e-12 1e-12"/>'


def document(armature, limited, option, flag):
    limit = {limited: 'range="1 2"'}
    return f"""<mujoco><option {option}><flag {flag}/></option><worldbody>
      <body>{SMALL}<joint type="slide" armature="{armature}" {limit.get("first", "")}/><joint type="slide" {limit.get("second", "")}/>
        <body pos="1 0 0">{SMALL}<joint axis="1 0 0" {limit.get("child", "")}/></body></body>
      <body pos="5 0 0"><joint type="slide" {limit.get("other", "")}/><geom size=".1"/></body></worldbody></mujoco>"""


def verdicts(xml):
    try:
        live.mujoco.MjModel.from_xml_string(xml)
        want = True
    except ValueError as error:
        assert "rank-deficient" in str(error)
        want = False
    m, reason = compile_text(xml)
    assert m or "singular" in reason
    live.library().mj_deleteModel(m.ptr if m else None)
    return want, m is not None


@pytest.mark.parametrize("flag", ["", 'island="disable"'])
@pytest.mark.parametrize("limited", ["", "first", "second", "child", "other"])
@pytest.mark.parametrize("option", ['jacobian="sparse"', 'jacobian="dense"', 'jacobian="sparse" solver="CG"', 'jacobian="sparse" solver="PGS"',
                                    'jacobian="sparse" integrator="implicitfast"'])
def test_armature(option, limited, flag):
    got = [verdicts(document(a, limited, option, flag)) for a in ("5e-17", "5e-16", "9e-16", "1.1e-15", "5e-15")]
    assert [a for a, _ in got] == [b for _, b in got]
    refused = 'jacobian="sparse"' in option and "solver" not in option and (limited in ("second", "child") or (limited == "other" and flag != ""))
    assert (not all(b for _, b in got)) == refused


def same(limited, option, flag):
    """Two trees of joints that are the same, so that a pivot of the inertia is nothing: no weights at qpos0, no numbers in rows."""
    loss = {limited: 'frictionloss="1"'}
    return f"""<mujoco><option jacobian="sparse" {option}><flag {flag}/></option><worldbody>
      <body><joint axis="0 1 0" {loss.get("first", "")}/><joint axis="0 1 0" {loss.get("second", "")}/><geom size=".1"/></body>
      <body pos="5 0 0"><joint axis="0 1 0" {loss.get("other", "")}/><geom size=".1"/><body pos="0 0 1"><joint type="slide" {loss.get("child", "")}/><geom size=".1"/></body></body>
      <body pos="9 0 0"><joint type="slide"/><joint type="slide"/><geom size=".1"/></body></worldbody></mujoco>"""


@pytest.mark.parametrize("flag", ["", 'island="disable"'])
@pytest.mark.parametrize("option", ["", 'integrator="RK4"', 'integrator="implicitfast"', 'solver="CG"'])
def test_same_joints(option, flag):
    got = [verdicts(same(limited, option, flag)) for limited in ("", "first", "second", "other", "child")]
    assert [a for a, _ in got] == [b for _, b in got]
    assert (not all(b for _, b in got)) == (flag != "" and "CG" not in option)
