# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""The memory that a model may ask for: the least is that of the reference where no constraints are, and with their rows no more is asked for."""
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


# where counts are a function of sizes, verdicts are the same for all amounts; elsewhere none is stricter
ROWS = {"friction loss": ('frictionloss="1"', ""), "limits": ('range="50 60"', ""),
        "equality": ("", '<equality><joint joint1="j0" joint2="j1"/></equality>')}


def hinges(n, attributes):
    return "".join(f'<body pos="{i} 0 1"><joint name="j{i}" axis="0 1 0" {attributes}/><geom size=".1" pos=".2 0 0" contype="0"/></body>' for i in range(n))


@pytest.mark.parametrize("island", ["enable", "disable"])
@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
@pytest.mark.parametrize("solver", ["Newton", "CG", "PGS"])
@pytest.mark.parametrize("rows", ROWS)
def test_rows(rows, solver, jacobian, island):
    attributes, links = ROWS[rows]
    text = (f'<mujoco><size memory="%d"/><option solver="{solver}" jacobian="{jacobian}"><flag island="{island}"/></option>'
            f"<worldbody>{hinges(3, attributes)}</worldbody>{links}</mujoco>")
    verdicts = []
    for memory in range(0, 2400, 24):
        m, _ = compile_text(text % memory)
        if m:
            live.library().mj_deleteModel(m.ptr)
        verdicts.append((accepts(text % memory), m is not None))
    assert (True, False) not in verdicts
    between = [v[0] for v in verdicts].index(True)
    assert (False, False) in verdicts[between:] or rows == "equality"
    if solver == "CG" or (solver == "PGS" and jacobian == "dense"):
        assert (False, True) not in verdicts
