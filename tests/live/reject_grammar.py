# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Documents with one attribute of one element changed: most are invalid, some are not.

Every element of the language stands once in a document that is valid. For each of its attributes, as the reference
prints its schema, the attribute gets values that are wrong for one kind of attribute or another, and is left out.
Names of cases are `path/to/element attribute=value`.
"""
import re

import mujoco

ASSETS = """<asset><mesh name="tet" vertex="0 0 0 1 0 0 0 2 0 0 0 3"/><hfield name="hf" size="1 1 1 1" nrow="2" ncol="2"/>
<texture name="tex" type="2d" builtin="flat" width="4" height="4"/><material name="mat"/></asset>"""
WORLD = """<geom name="floor" type="plane" size="1 1 1"/><site name="sw" pos="0 0 2"/><camera name="cam"/><body name="m" mocap="true"/>
<body name="a" pos="0 0 1"><joint name="ja" range="-10 10"/><geom name="ga" size=".1"/><site name="sa" pos=".2 0 0"/>
<body name="b" pos="0 0 1"><joint name="jb" type="slide"/><geom name="gb" type="box" size=".1 .1 .1"/><site name="sb" pos=".3 0 0"/>
<geom name="gc" type="cylinder" size=".05 .1"/></body></body>
<body name="f" pos="3 0 0"><freejoint name="fj"/><geom size=".1"/></body>
<body name="l" pos="6 0 0"><joint name="bj" type="ball" range="0 20"/><geom name="gl" size=".1"/></body>"""
TENDONS = """<tendon><fixed name="tf" range="-1 1"><joint joint="ja" coef="1"/><joint joint="jb" coef="2"/></fixed>
<spatial name="ts"><site site="sw"/><site site="sb"/></spatial></tendon>"""
MOTOR = '<actuator><motor name="mo" joint="ja"/></actuator>'
DEFAULTS = '<default><default class="c"/></default>'
HEAD = DEFAULTS + ASSETS
TAIL = TENDONS + MOTOR


def doc(head="", world="", tail=""):
    return f"<mujoco>\n{head}\n<worldbody>{world}</worldbody>\n{tail}\n</mujoco>"


def full(head="", world="", tail=""):
    return doc(HEAD + head, WORLD + world, TAIL + tail)


# where each element stands: the document with @ for its attributes, and attributes that make it valid
HOSTS = {
    "mujoco": ("<mujoco @/>", ""),
    "mujoco/compiler": (full("<compiler @/>"), ""),
    "mujoco/compiler/lengthrange": (full("<compiler><lengthrange @/></compiler>"), ""),
    "mujoco/option": (full("<option @/>"), ""),
    "mujoco/option/flag": (full("<option><flag @/></option>"), ""),
    "mujoco/size": (full("<size @/>"), ""),
    "mujoco/statistic": (full("<statistic @/>"), ""),
    "mujoco/default": (doc("<default @/>"), ""),
    "mujoco/custom/numeric": (full(tail="<custom><numeric @/></custom>"), 'name="n" data="1 2"'),
    "mujoco/custom/text": (full(tail="<custom><text @/></custom>"), 'name="n" data="t"'),
    "mujoco/custom/tuple": (full(tail='<custom><tuple @><element objtype="body" objname="a"/></tuple></custom>'), 'name="n"'),
    "mujoco/custom/tuple/element": (full(tail='<custom><tuple name="n"><element @/></tuple></custom>'), 'objtype="body" objname="a"'),
    "mujoco/asset/mesh": (full('<asset><mesh @/></asset>', '<geom type="mesh" mesh="x"/>'),
                          'name="x" vertex="0 0 0 1 0 0 0 2 0 0 0 3"'),
    "mujoco/asset/hfield": (full('<asset><hfield @/></asset>', '<geom type="hfield" hfield="x"/>'),
                            'name="x" size="1 1 1 1" nrow="2" ncol="2"'),
    "mujoco/asset/skin": (full('<asset><skin @><bone body="a" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/></skin></asset>'),
                          'name="x" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2"'),
    "mujoco/asset/skin/bone": (full('<asset><skin name="x" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2"><bone @/></skin></asset>'),
                               'body="a" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"'),
    "mujoco/deformable/skin": (full(tail='<deformable><skin @><bone body="a" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/></skin></deformable>'),
                               'name="x" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2"'),
    "mujoco/asset/texture": (full('<asset><texture @/></asset>'), 'name="x" type="2d" builtin="checker" width="8" height="8"'),
    "mujoco/asset/material": (full('<asset><material @/></asset>'), 'name="x"'),
    "mujoco/asset/material/layer": (full('<asset><material name="x"><layer @/></material></asset>'), 'role="rgb" texture="tex"'),
    "mujoco/(world)body": (full(world='<body @><geom size="1"/></body>'), 'name="x"'),
    "mujoco/(world)body/inertial": (full(world='<body name="x"><inertial @/><joint/></body>'), 'pos="0 0 0" mass="1" diaginertia="1 1 1"'),
    "mujoco/(world)body/joint": (full(world='<body name="x"><joint @/><geom size="1"/></body>'), ''),
    "mujoco/(world)body/freejoint": (full(world='<body name="x"><freejoint @/><geom size="1"/></body>'), ''),
    "mujoco/(world)body/geom": (full(world='<body><joint/><geom @/></body>'), 'size=".1 .2 .3"'),
    "mujoco/(world)body/site": (full(world='<site @/>'), ''),
    "mujoco/(world)body/camera": (full(world='<camera @/>'), ''),
    "mujoco/(world)body/light": (full(world='<light @/>'), ''),
    "mujoco/contact/pair": (full(tail='<contact><pair @/></contact>'), 'geom1="ga" geom2="gl"'),
    "mujoco/contact/exclude": (full(tail='<contact><exclude @/></contact>'), 'body1="a" body2="l"'),
    "mujoco/equality/connect": (full(tail='<equality><connect @/></equality>'), 'body1="a" body2="f" anchor="0 0 0"'),
    "mujoco/equality/weld": (full(tail='<equality><weld @/></equality>'), 'body1="a" body2="f"'),
    "mujoco/equality/joint": (full(tail='<equality><joint @/></equality>'), 'joint1="ja" joint2="jb"'),
    "mujoco/equality/tendon": (full(tail='<equality><tendon @/></equality>'), 'tendon1="tf" tendon2="ts"'),
    "mujoco/tendon/spatial": (full(tail='<tendon><spatial @><site site="sw"/><geom geom="gc" sidesite="sa"/><site site="sb"/></spatial></tendon>'), ''),
    "mujoco/tendon/spatial/site": (full(tail='<tendon><spatial><site site="sw"/><site @/></spatial></tendon>'), 'site="sb"'),
    "mujoco/tendon/spatial/geom": (full(tail='<tendon><spatial><site site="sw"/><geom @/><site site="sb"/></spatial></tendon>'), 'geom="ga"'),
    "mujoco/tendon/spatial/pulley": (full(tail='<tendon><spatial><site site="sw"/><site site="sa"/><pulley @/><site site="sw"/><site site="sb"/></spatial></tendon>'), 'divisor="2"'),
    "mujoco/tendon/fixed": (full(tail='<tendon><fixed @><joint joint="ja" coef="1"/></fixed></tendon>'), ''),
    "mujoco/tendon/fixed/joint": (full(tail='<tendon><fixed><joint @/></fixed></tendon>'), 'joint="ja" coef="1"'),
    "mujoco/keyframe/key": (full(tail='<keyframe><key @/></keyframe>'), ''),
    "mujoco/(world)body/composite": (full(world='<body><composite @><joint kind="main" damping="1"/><geom type="capsule" size=".01"/></composite></body>'),
                                     'type="cable" prefix="k" count="4 1 1" size="1" curve="s"'),
    "mujoco/(world)body/composite/joint": (full(world='<body><composite type="cable" count="4" size="1" curve="s"><joint @/><geom type="capsule" size=".01"/></composite></body>'), 'kind="main"'),
    "mujoco/(world)body/composite/geom": (full(world='<body><composite type="cable" count="4" size="1" curve="s"><geom @/></composite></body>'), 'type="capsule" size=".01"'),
    "mujoco/(world)body/composite/site": (full(world='<body><composite type="cable" count="4" size="1" curve="s"><geom type="capsule" size=".01"/><site @/></composite></body>'), ''),
    "frame": (full(world='<frame @><geom size="1"/></frame>'), ''),
    "replicate": (full(world='<replicate @><geom size="1"/></replicate>'), 'count="2"'),
}

# elements of these stand alone in their section
for _name in "global quality headlight map scale rgba".split():
    HOSTS[f"mujoco/visual/{_name}"] = (full(f"<visual><{_name} @/></visual>"), "")
for _name in ("mesh material joint geom site camera light pair equality tendon general motor position velocity intvelocity damper "
              "cylinder muscle adhesion").split():
    HOSTS[f"mujoco/default/{_name}"] = (
        doc(f"<default><{_name} @/></default>" + ASSETS.replace("<mesh", "<mesh "), WORLD,
            TENDONS + '<actuator><motor name="mo" joint="ja"/><general joint="ja"/></actuator>'), "")
HOSTS["mujoco/default/material/layer"] = (full("<default><material><layer @/></material></default>"), 'role="rgb" texture="tex"')
for _name in "general motor position velocity intvelocity cylinder damper muscle adhesion".split():
    _extra = {"intvelocity": ' actrange="-1 1"', "damper": ' ctrlrange="0 1"', "muscle": ' lengthrange="0 1"'}.get(_name, "")
    HOSTS[f"mujoco/actuator/{_name}"] = (
        full(tail=f"<actuator><{_name} @/></actuator>"),
        'body="a" ctrlrange="0 1"' if _name == "adhesion" else 'joint="ja"' + _extra)
for _name, _attrs in {
    'site="sa"': "touch accelerometer velocimeter gyro force torque magnetometer rangefinder",
    'site="sa" camera="cam"': "camprojection",
    'joint="ja"': "jointpos jointvel jointactuatorfrc jointlimitpos jointlimitvel jointlimitfrc",
    'tendon="tf"': "tendonpos tendonvel tendonactuatorfrc tendonlimitpos tendonlimitvel tendonlimitfrc",
    'actuator="mo"': "actuatorpos actuatorvel actuatorfrc",
    'joint="bj"': "ballquat ballangvel",
    'objtype="body" objname="a"': "framepos framequat framexaxis frameyaxis framezaxis framelinvel frameangvel framelinacc "
                                  "frameangacc",
    'body="a"': "subtreecom subtreelinvel subtreeangmom",
    'objtype="body" objname="a" site="sw"': "insidesite",
    'geom1="ga" geom2="gl"': "distance normal fromto",
    "": "contact e_potential e_kinetic clock",
    'dim="3"': "user",
}.items():
    for _one in _attrs.split():
        HOSTS[f"mujoco/sensor/{_one}"] = (full(tail=f"<sensor><{_one} @/></sensor>"), _name)

# elements that the printed schema does not have
UNPRINTED = {"frame": "name childclass pos quat axisangle xyaxes zaxis euler".split(),
             "replicate": "count offset euler sep childclass".split()}

NUMBERS = ["0", "1", "-1", "2", "3", "4", "5", "200", "1.5", ".5", "1e-3", "1e400", "1e-320", "99999999999", "2147483647", "-2147483648",
           "0x10", "+1", "1e3", "1.", "1,2", "1 x", "1;", "1f", "0 0", "1 1", "0 1", "1 0", "-1 1", "1 2 3", "0 0 0", "1 0 0", "-1 -1 -1",
           "1 0 0 0", "0 0 0 0", "0 0 0 0 0", "1 1 1 1 1", "1 0 0 0 1 0", "0 0 0 1 1 1", "1 1 1 0 0 0", "1 1 1 2 2 2", "1 0 0 1 0 0",
           "1 1 1 1 1 1 1", "0 0 0 1 0 0 0", "1 2 3 4 5 6 7 8 9 10", "1 2 3 4 5 6 7 8 9 10 11 12", "1 " * 40]
TEXTS = ["", " ", "x", "  1  ", "1\t1", "1&#10;1", "true", "True", "TRUE", "false", "auto", "enable", "disable", "none", "a", "b", "f", "l", "m",
         "world", "main", "c", "ja", "jb", "fj", "bj", "ga", "gb", "gc", "floor", "sa", "sw", "tf", "ts", "mo", "cam", "mat", "tex", "tet",
         "hf", "missing.png", "zzz"]
NONFINITE = ["nan", "inf", "-inf", "NaN", "1 nan", "0 0 inf", "infinity", "1 nan 0", "-inf inf", "0 inf"]

# keywords of the language, tried on every attribute whose name is here
WORDS = {
    "type": "plane hfield sphere capsule ellipsoid cylinder box mesh sdf free ball slide hinge spot directional point image 2d cube skybox "
            "particle cable grid cloth rope loop",
    "mode": "fixed track trackcom targetbody targetbodycom none muscle muscleuser all",
    "angle": "radian degree", "coordinate": "local global", "eulerseq": "xyz XYZ xyy xxx xy xyza abc xYz", "integrator": "Euler RK4 implicit implicitfast euler",
    "cone": "pyramidal elliptic", "jacobian": "dense sparse", "solver": "PGS CG Newton", "fluidshape": "ellipsoid", "builtin": "gradient checker flat "
    "sphere hemisphere cone supersphere supertorus wedge plate", "mark": "edge cross random", "role": "rgb occlusion roughness metallic normal opacity emissive rgba orm",
    "colorspace": "linear sRGB", "inertia": "convex legacy exact shell", "dyntype": "integrator filter filterexact muscle user", "gaintype": "fixed affine muscle user",
    "biastype": "affine muscle user", "needstage": "pos vel acc", "datatype": "real positive axis quaternion", "reduce": "mindist maxforce netforce",
    "sleep": "never allowed init", "objtype": "body xbody joint dof geom site camera light tendon actuator sensor key", "reftype": "body xbody geom site camera joint",
    "data": "found force torque dist pos normal tangent", "initial": "free ball none", "curve": "cos(s) sin(s)", "kind": "main twist stretch",
    "memory": "1K 1M 10G 1k 1.5M -1 -2 1T 1E 100E 1MB", "gridlayout": ".R ...... RLUDFB .R..LFRB.D..", "sep": "_ -", "fullinertia": "1|1|1|0|0|0",
    "name": "world tet hf tex mat tf mo ja",
}


def schema():
    """Attributes of each element by path, from the schema that the reference prints."""
    out, path, at = dict(UNPRINTED), [], None
    for line in mujoco.mj_printSchema(False, True).replace("\xa0", " ").splitlines():
        head = re.match(r"( *)(\S+) \((.)\) *(.*)", line[:30] + " " if len(line) < 30 else line)
        if head:
            depth = len(head.group(1)) // 3
            path[depth:] = [head.group(2)]
            at = out.setdefault("/".join(path), [])
            at.extend(head.group(4).split())
        elif at is not None:
            at.extend(line.split())
    return out


def place(host, attrs):
    return host.replace("@", " ".join(f'{k}="{v}"' for k, v in attrs.items()))


def cases():
    """(name, document) of every case."""
    grammar = schema()
    for path, (host, base) in HOSTS.items():
        given = dict(re.findall(r'(\w+)="([^"]*)"', base))
        yield f"{path} as it is", place(host, given)
        yield f"{path} unknown=1", place(host, {**given, "unknown": "1"})
        for name in given:
            yield f"{path} without {name}", place(host, {k: v for k, v in given.items() if k != name})
        for name in grammar[path]:
            for value in NUMBERS + TEXTS + NONFINITE + WORDS.get(name, "").split():
                yield f"{path} {name}={value}", place(host, {**given, name: value.replace("|", " ")})
