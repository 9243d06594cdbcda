# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""The memory that a model may ask for: what the reference has no first step with is refused, to the byte."""
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


# Rows that do not fit are dropped there, so more memory may be worse than less: verdicts are compared over a range of
# amounts, and at the byte where they change.
def hinges(n, attributes=""):
    """Trees of two hinges each."""
    joint = '<body pos=".5 0 0"><joint name="%s%d" axis="1 0 0" {0}/><geom size=".1" pos=".2 0 0" contype="0"/><site name="s%s%d"/></body>'
    return "".join(f'<body name="b{i}" pos="{i} 0 1"><joint name="j{i}" axis="0 1 0" {attributes}/><geom size=".1" pos=".2 0 0" contype="0"/>'
                   f'<site name="s{i}" pos=".1 .2 0"/>{(joint % ("k", i, "k", i)).format(attributes)}</body>' for i in range(n))


def tendon(kind, attributes):
    inner = {"fixed": '<joint joint="j0" coef="1"/><joint joint="j1" coef="2"/>', "spatial": '<site site="s0"/><site site="sk1"/>',
             "still": '<site site="w"/><site site="v"/>'}[kind]
    kind = "fixed" if kind == "fixed" else "spatial"
    return f'<tendon><{kind} name="t" {attributes}>{inner}</{kind}></tendon>'


STILL = '<site name="w"/><site name="v" pos="0 0 1"/><body name="still"/>'
LIMITED = 'limited="true" range="5 6"'
# what makes rows: attributes of joints, links
ROWS = {"friction loss": ('frictionloss="1"', ""), "little friction loss": ('frictionloss=".01"', ""), "limits": ('range="50 60"', ""),
        "limits far away": ('range="-50 60"', ""), "both": ('frictionloss="1" range="50 60"', ""),
        "equality": ("", '<equality><joint joint1="j0" joint2="j1"/></equality>'),
        "equality and friction loss": ('frictionloss="1"', '<equality><joint joint1="k0" joint2="j1"/></equality>'),
        "weld": ("", '<equality><weld body1="b0" body2="b1"/><connect body1="b1" body2="b0" anchor=".1 0 0"/></equality>'),
        "connect to the world": ("", '<equality><connect body1="b0" anchor="0 .1 0"/></equality>'),
        "nothing moves": ("", '<equality><connect body1="still" anchor="0 0 0"/></equality>'),
        "one of two moves nothing": ('frictionloss="1"', '<equality><weld body1="still"/><weld body1="b1"/></equality>'),
        "not active": ("", '<equality><weld body1="b0" body2="b1" active="false"/></equality>'),
        "fixed tendon": ("", tendon("fixed", LIMITED + ' frictionloss="1"')),
        "spatial tendon": ('frictionloss="1"', tendon("spatial", LIMITED)),
        "still tendon": ('range="50 60"', tendon("still", LIMITED)),
        "equality of a tendon": ("", tendon("spatial", "") + '<equality><tendon tendon1="t"/></equality>')}
# options, flags, actuators
STEPS = {"plain": ("", "", ""), "elliptic": ('cone="elliptic"', "", ""), "noslip": ('noslip_iterations="2"', "", ""),
         "no iterations": ('iterations="0"', "", ""), "no warm start": ("", 'warmstart="disable"', ""), "RK4": ('integrator="RK4"', "", ""),
         "RK4 in a medium": ('integrator="RK4" density="9"', "", ""), "implicit in a medium": ('integrator="implicitfast" density="9"', "", ""),
         "implicit": ('integrator="implicit"', "", ""),
         "actuators": ("", "", '<actuator><adhesion body="b0" ctrlrange="0 1"/><general site="s0" refsite="s1"/><adhesion body="b1" ctrlrange="0 1"/></actuator>')}


def changes(text, amounts):
    """The least amounts with which the verdict of the reference is another than below."""
    found = []
    for low, high in zip(amounts, amounts[1:]):
        before = accepts(text % low)
        if accepts(text % high) == before:
            continue
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if accepts(text % middle) == before else (low, middle)
        found.append(high)
    return found


def accepts_here(xml):
    m, _ = compile_text(xml)
    if m:
        live.library().mj_deleteModel(m.ptr)
    return m is not None


# each solver with each kind of rows, and each kind of step with each solver
PAIRS = [(r, "plain") for r in ROWS] + [(r, s) for s in STEPS for r in ("equality and friction loss", "equality of a tendon")]


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
@pytest.mark.parametrize("solver", ["Newton", "CG", "PGS"])
@pytest.mark.parametrize("rows, step", PAIRS)
def test_rows(rows, step, solver, jacobian):
    attributes, links = ROWS[rows]
    option, flag, actuators = STEPS[step]
    for island in ("enable", "disable") if step == "plain" else ("enable",):
        text = (f'<mujoco><size memory="%d"/><option solver="{solver}" jacobian="{jacobian}" {option}><flag island="{island}" {flag}/></option>'
                f"<worldbody>{STILL}{hinges(3, attributes)}</worldbody>{links}{actuators}</mujoco>")
        found = changes(text, range(0, 14000, 280))
        assert found
        for memory in [change + offset for change in found for offset in (-9, -1, 0, 7)]:
            assert accepts_here(text % memory) == accepts(text % memory), (island, memory, found)


@pytest.mark.parametrize("what", ['frictionloss="1"', LIMITED, "equality"])
@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
def test_edges_between_trees(jacobian, what):
    """Islands of rows that move many trees: the reference has room for as many edges as the Jacobian has numbers."""
    verdicts = set()
    for n in range(2, 6):
        for own in ("", 'frictionloss="1"'):
            for island in ("enable", "disable"):
                joints = "".join(f'<joint joint="j{i}" coef="{i}"/>' for i in range(n))
                fixed = f'<tendon><fixed name="t" {what if what != "equality" else ""}>{joints}</fixed></tendon>'
                equality = '<equality><tendon tendon1="t"/></equality>' if what == "equality" else ""
                bodies = "".join(f'<body pos="{i} 0 1"><joint name="j{i}" {own}/><geom size=".1" contype="0"/></body>' for i in range(n))
                text = (f'<mujoco><option jacobian="{jacobian}"><flag island="{island}"/></option><worldbody>{bodies}</worldbody>{fixed}{equality}</mujoco>')
                verdicts.add(accepts(text))
                assert accepts_here(text) == accepts(text), text
    assert verdicts == {True, False}
