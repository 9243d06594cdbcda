# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Copies of parts: which elements beside the tree come along with replicas and attached bodies, and what they refer to.

Names of the parts say what happens to them: J is copied; a copy of Y has the name of another part, of Z for every copy.
"""
import itertools
import os
import sys


sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
sys.path.insert(0, os.path.dirname(__file__))
import live  # noqa: E402
import judge  # noqa: E402
from test_save import differing  # noqa: E402


def part(n):
    return (f'<body name="{n}"><joint name="{n}" type="slide"/><geom name="{n}" size=".1"/><site name="{n}" pos="0 0 .1"/>'
            f'<site name="{n}s" pos="0 .2 .1"/><camera name="{n}"/></body>')


TENDONS = "<tendon>%s</tendon>" % "".join(f'<fixed name="{n}"><joint joint="{n}" coef="1"/></fixed>' for n in "JXYZ")
MOTORS = "<actuator>%s</actuator>" % "".join(f'<motor name="{n}" joint="{n}"/>' for n in "JXYZ")
SKIN = """<deformable><skin name="k" face="0 1 2" vertex="0 0 0 1 0 0 0 1 0"><bone body="%s" bindpos="0 0 0" bindquat="1 0 0 0"
vertid="0 1 2" vertweight="1 1 1"/></skin></deformable>"""
LINKS = {
    "pair": '<contact><pair geom1="%s" geom2="%s"/></contact>',
    "exclude": '<contact><exclude body1="%s" body2="%s"/></contact>',
    "exclude world": '<contact><exclude body1="%s" body2="world"/></contact>',
    "connect": '<equality><connect body1="%s" body2="%s" anchor="0 0 0"/></equality>',
    "connect one": '<equality><connect body1="%s" anchor="0 0 0"/></equality>',
    "weld": '<equality><weld site1="%s" site2="%s"/></equality>',
    "couple": '<equality><joint joint1="%s" joint2="%s"/></equality>',
    "couple tendons": TENDONS + '<equality><tendon tendon1="%s" tendon2="%s"/></equality>',
    "motor": '<actuator><motor joint="%s"/></actuator>',
    "motor of tendon": TENDONS + '<actuator><motor tendon="%s"/></actuator>',
    "site and refsite": '<actuator><general site="%s" refsite="%s"/></actuator>',
    "crank": '<actuator><general cranksite="%s" slidersite="%s" cranklength="1"/></actuator>',
    "sensor of actuator": MOTORS + '<sensor><actuatorpos actuator="%s"/></sensor>',
    "sensor of tendon": TENDONS + '<sensor><tendonpos tendon="%s"/></sensor>',
    "frame sensor": '<sensor><framepos objtype="site" objname="%s" reftype="body" refname="%s"/></sensor>',
    "contact sensor": '<sensor><contact site="%s" subtree2="%s"/></sensor>',
    "fixed": '<tendon><fixed><joint joint="%s" coef="1"/></fixed></tendon>',
    "spatial": '<tendon><spatial><site site="%s"/><site site="%s"/></spatial></tendon>',
    "geom on path": '<tendon><spatial><site site="X"/><geom geom="%s"/><site site="%s"/></spatial></tendon>',
    "geom and side": '<tendon><spatial><site site="X"/><geom geom="%s" sidesite="%ss"/><site site="J"/></spatial></tendon>',
    "tuple": '<custom><tuple name="t"><element objtype="body" objname="%s"/><element objtype="geom" objname="%s"/></tuple></custom>',
    "tuple of sensor": '<sensor><jointpos name="j" joint="%s"/></sensor><custom><tuple name="t"><element objtype="sensor" objname="j"/></tuple></custom>',
    "user sensor": '<custom><text name="n" data="x"/></custom><sensor><user objtype="text" objname="n" dim="1"/><touch site="%s"/></sensor>',
    "skin": SKIN,
    "material of tendon": '<asset><material name="m"/></asset><tendon><spatial material="m"><site site="%s"/><site site="X"/></spatial></tendon>',
    "not there": '<sensor><framepos objtype="body" objname="%s" reftype="body" refname="nobody"/></sensor>',
    "actuator not there": '<actuator><general site="%s" refsite="nobody"/></actuator>',
    "equality not there": '<equality><joint joint1="%s" joint2="nobody"/></equality>',
}
OUTER = "".join(part(n) for n in ("X", "Y", "Y0", "Z", "Z0", "Z1"))


def replicas(links):
    return f'<mujoco><worldbody>{OUTER}<replicate count="2">{part("J")}</replicate></worldbody>{links}</mujoco>'


def kid(links):
    return f'<mujoco model="kid"><worldbody>{part("J")}{part("X")}{part("Y")}</worldbody>{links.replace("Z", "X")}</mujoco>'


def attaching(file, prefix, body="J", outer=part("pY")):
    return (f'<mujoco><asset><model name="kid" file="{file}"/></asset><worldbody>{outer}<attach model="kid" body="{body}" '
            f'prefix="{prefix}"/></worldbody></mujoco>')


def cases():
    """Documents by name, and files that they need."""
    documents, files = {}, {}
    for name, links in LINKS.items():
        for names in itertools.product("JXYZ", repeat=links.count("%s")):
            filled = links % names
            documents[f"replicas {name} {names}"] = replicas(filled)
            if "Z" in names:
                continue
            file = f"{name} {''.join(names)}.xml"
            files[file] = kid(filled)
            documents[f"attached {name} {names}"] = attaching(file, "p")
    suffix = '<worldbody><site name="0"/><body name="1"/></worldbody>'
    for name in ("geom on path", "connect one"):
        links = LINKS[name] % tuple("YJ"[:LINKS[name].count("%s")])
        documents[f"{name}, names of suffixes alone"] = replicas(links + suffix)
    files["asset.xml"] = ('<mujoco model="a"><asset><material name="m"/><mesh name="e" builtin="sphere" params="1" material="m"/></asset>'
                          f'<worldbody>{part("J")}{part("K")}<geom material="m" size="1"/></worldbody></mujoco>')
    two = '<attach model="kid" body="%s" prefix="%s"/>'
    for body, prefix in (("J", "p"), ("K", "p"), ("K", "q")):
        text = attaching("asset.xml", "p", outer=two % (body, prefix))
        documents[f"assets of {body} {prefix} and J p"] = text
    documents["own material"] = attaching("asset.xml", "p", outer="").replace("<asset>", '<asset><material name="pm"/>')
    documents["mesh material"] = attaching("asset.xml", "p", "", '<geom type="mesh" mesh="pe"/>')
    return documents, files


# names that a copy has for a while only, and names that come with copies
REPEATED = {
    "geom": '<geom name="%s" size="1"/>', "site": '<site name="%s"/>', "body": '<body name="%s"/>', "camera": '<camera name="%s"/>',
    "light": '<light name="%s"/>', "joint": '<body><joint name="%s"/><geom size="1"/></body>', "frame": '<frame name="%s"><geom size="1"/></frame>',
}
BESIDE = {
    "pair": '<contact><pair name="%s" geom1="J" geom2="J"/></contact>', "exclude": '<contact><exclude name="%s" body1="J" body2="J"/></contact>',
    "equality": '<equality><connect name="%s" body1="J" anchor="0 0 0"/></equality>', "tendon": '<tendon><fixed name="%s"><joint joint="J" coef="1"/></fixed></tendon>',
    "actuator": '<actuator><motor name="%s" joint="J"/></actuator>', "sensor": '<sensor><jointpos name="%s" joint="J"/></sensor>',
    "clock": '<sensor><clock name="%s"/></sensor>', "text": '<custom><text name="%s" data="a"/></custom>',
}


def repeated():
    for name, element in REPEATED.items():
        twice = f'<replicate count="2">{element % "n"}</replicate>'
        for after in ("", element % "other", '<geom size="1"/>'):
            yield f"{name}, once more, then {after}", f'<mujoco><worldbody>{element % "n0"}<replicate count="2">{twice}{after}</replicate></worldbody></mujoco>'
        yield f"{name} twice", f'<mujoco><worldbody>{element % "n0"}{twice}</worldbody></mujoco>'
    for name, element in BESIDE.items():
        yield f"{name} with the name of a copy", replicas(element % "n" + element % "n0")


def test_repeated_names():
    live.library()
    wrong = [(v.name, v.reference, v.ours) for v in judge.judge(repeated(), os.environ["SHEAF_LIBRARY"], compare)
             if (v.reference is None) != (v.ours is None) or v.differing]
    assert not wrong, "\n".join(map(str, wrong))


def compare(want, got):
    return differing(want, got, skip=("tex_data",))


# 3.4.0 gives copies of skins the name of the original, loses paths around geoms without a side site, and does not find the
# material of an attached mesh. 4.0.0 repaired the first two
REPAIRED = ("attached skin", "replicas geom on path", "attached geom on path", "geom on path", "mesh material")


def test_parts():
    documents, files = cases()
    documents = {name: text for name, text in documents.items() if not name.startswith(REPAIRED)}
    live.library()    # skips if there is none
    wrong = [(v.name, v.reference, v.ours, v.differing)
             for v in judge.judge(documents.items(), os.environ["SHEAF_LIBRARY"], compare, files=files)
             if (v.reference is None) != (v.ours is None) or v.differing]
    assert not wrong, "\n".join(map(str, wrong))
