# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""The least memory that a model may ask for is that of the reference, where no constraints are."""
import os
import re
import sys

import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
sys.path.insert(0, os.path.dirname(__file__))
import live  # noqa: E402
from test_compile import compile_text  # noqa: E402


def chain(n, joints="<joint/>"):
    """Bodies in a row, with sites, the first and the last with names; and a site that does not move."""
    names = ["first"] + [f"b{i}" for i in range(1, n)]
    bodies = "".join(f'<body name="{b}" pos=".3 0 1">{joints if i else joints.replace("/>", f" name={chr(34)}j{chr(34)}/>", 1)}<geom size=".1" contype="0"/>'
                     f'<site name="{b}"/>' for i, b in enumerate(names))
    return bodies + "</body>" * n + '<site name="w" pos="0 0 9"/><camera/><light/><light/>'


SIX = "".join(f'<joint type="{t}" axis="{a}"/>' for t in ("slide", "hinge") for a in ("1 0 0", "0 1 0", "0 0 1"))
WORLDS = {"nothing": "", "bodies": "<body/>" * 7, "hinge": chain(1), "hinges": chain(9), "six": chain(4, SIX), "free": chain(1, "<freejoint/>"),
          "balls": chain(3, '<joint type="ball"/>'), "more bodies": chain(2) + "<body/>" * 30}
TENDON = '<spatial name="t"><site site="first"/><site site="w"/></spatial>'
TAILS = {
    "alone": "", "tendon": f"<tendon>{TENDON}</tendon>", "tendons": "<tendon>" + TENDON.replace(' name="t"', "") * 5 + "</tendon>",
    "tendon with armature": "<tendon>" + TENDON.replace('name=', 'armature="1" name=') + "</tendon>",
    "fixed with armature": '<tendon><fixed armature="1"><joint joint="j" coef="1"/></fixed></tendon>',
    "site": '<actuator><general site="first"/></actuator>', "body": '<actuator><adhesion body="first" ctrlrange="0 1"/></actuator>',
    "two sites": '<actuator><general site="first" refsite="w"/></actuator>',
    "crank": '<actuator><general cranksite="first" slidersite="w" cranklength="9"/></actuator>',
    "tendon and activation": f'<tendon>{TENDON}</tendon><actuator><general tendon="t" dyntype="integrator"/></actuator>',
    "sensors": '<sensor><accelerometer site="first"/><subtreeangmom body="first"/><rangefinder site="first"/></sensor>',
}


def accepts(xml):
    try:
        live.mujoco.MjModel.from_xml_string(xml)
    except ValueError:
        return False
    return True


def fits(world, tail):
    """Is there something in the world that the tail can be attached to?"""
    return tail == "alone" or ("first" in WORLDS[world] and not (tail.startswith("fixed") and world in ("free", "balls")))


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicit", "implicitfast"])
@pytest.mark.parametrize("world, tail", [(w, t) for w in WORLDS for t in TAILS if fits(w, t)])
def test_least(world, tail, integrator):
    text = (f'<mujoco><size memory="%d"/><option integrator="{integrator}"/><worldbody>{WORLDS[world]}</worldbody>'
            f"{TAILS[tail]}</mujoco>")
    _, reason = compile_text(text % 0)
    least = int(re.search(r"the model needs (\d+)", reason)[1])
    m, reason = compile_text(text % least)
    assert m, reason
    live.library().mj_deleteModel(m.ptr)
    assert not compile_text(text % (least - 1))[0]
    assert accepts(text % least) and not accepts(text % (least - 1))
