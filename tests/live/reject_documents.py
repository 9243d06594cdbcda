# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Documents whose parts are valid and do not fit together, or nearly so: rules between attributes and elements.

Some of them are valid: what stands at the border is asked from both sides. `FILES` lie beside the documents.
"""
import struct

from reject_grammar import HEAD, TAIL, WORLD, doc, full

# ---- files


def stl(triangles):
    out = b"\0" * 80 + struct.pack("<I", len(triangles))
    for t in triangles:
        out += struct.pack("<12f", 0, 0, 1, *[x for p in t for x in p]) + b"\0\0"
    return out


def msh(nvert, nnormal, ntex, nface, floats, ints):
    return struct.pack("<4i", nvert, nnormal, ntex, nface) + struct.pack(f"<{len(floats)}f", *floats) + struct.pack(f"<{len(ints)}i", *ints)


_P = [(0, 0, 0), (1, 0, 0), (0, 2, 0), (0, 0, 3)]
_FACES = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
_TETRA = [[_P[i] for i in f] for f in _FACES]
_FLAT = [c for p in _P for c in p]
_INDEX = [i for f in _FACES for i in f]
_OBJ = "".join("v %g %g %g\n" % p for p in _P)
KID = ('<mujoco model="kid"><worldbody><body name="k"><joint name="kj"/><geom size="1" name="kg"/></body><body name="k2"/></worldbody>'
       '<keyframe><key name="home" qpos="1"/></keyframe></mujoco>')

FILES = {
    "kid.xml": KID,
    "bad.xml": "<mujoco><worldbody>",
    "broken.xml": '<mujoco>\n<worldbody>\n<geom size="0"/></worldbody></mujoco>',
    "notmodel.xml": "<robot/>",
    "empty.xml": "",
    "part.xml": '<x><geom size="1"/></x>',
    "self.xml": '<x><include file="self.xml"/></x>',
    "ping.xml": '<x><include file="pong.xml"/></x>',
    "pong.xml": '<x><include file="ping.xml"/></x>',
    "badpart.xml": '<x>\n<geom siz="1"/></x>',
    "zero.xml": '<x>\n\n<geom size="0" name="zero"/></x>',
    "full.xml": '<mujoco><option timestep="0.5"/><worldbody><geom size="2"/></worldbody></mujoco>',
    "t.stl": stl(_TETRA), "one.stl": stl(_TETRA[:1]), "none.stl": stl([]), "short.stl": stl(_TETRA)[:-7], "long.stl": stl(_TETRA) + b"xx",
    "many.stl": b"\0" * 80 + struct.pack("<I", 1 << 30), "head.stl": b"\0" * 40, "text.stl": "solid x\nendsolid x\n", "flat.stl": stl([_TETRA[0]] * 4),
    "nan.stl": stl([[(float("nan"), 0, 0), (1, 0, 0), (0, 1, 0)]] * 4), "big.stl": stl([[(1e20, 0, 0), (1, 0, 0), (0, 1, 0)]] + _TETRA),
    "t.obj": _OBJ + "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n", "points.obj": _OBJ, "index.obj": _OBJ + "f 1 2 9\n", "zero.obj": _OBJ + "f 0 1 2\n",
    "neg.obj": _OBJ + "f -1 -2 -3\nf -1 -2 -4\nf -1 -3 -4\nf -2 -3 -4\n", "two.obj": _OBJ + "f 1 2\n", "word.obj": "v 1 2 x\n", "empty.obj": "",
    "noise.obj": "hello\nworld\n", "nf.obj": "f 1 2 3\n", "quad.obj": _OBJ + "f 1 2 3 4\n", "nan.obj": "v nan 0 0\n" + _OBJ + "f 1 3 2\nf 1 2 4\n",
    "t.msh": msh(4, 0, 0, 4, _FLAT, _INDEX), "short.msh": msh(4, 0, 0, 4, _FLAT, _INDEX)[:-3], "long.msh": msh(4, 0, 0, 4, _FLAT, _INDEX) + b"1234",
    "neg.msh": msh(-1, 0, 0, 0, [], []), "huge.msh": msh(1 << 30, 0, 0, 0, [], []), "face.msh": msh(4, 0, 0, 1, _FLAT, [0, 1, 7]),
    "normal.msh": msh(4, 2, 0, 4, _FLAT + [0, 0, 1] * 2, _INDEX), "few.msh": msh(3, 0, 0, 1, _FLAT[:9], [0, 1, 2]),
    "nofaces.msh": msh(4, 0, 0, 0, _FLAT, []),
    "t.hf": struct.pack("<2i", 2, 3) + struct.pack("<6f", *range(6)), "short.hf": struct.pack("<2i", 2, 3), "neg.hf": struct.pack("<2i", -2, -3),
    "huge.hf": struct.pack("<2i", 1 << 30, 1 << 30), "tiny.hf": b"ab", "long.hf": struct.pack("<2i", 1, 1) + b"\0" * 12,
    "bad.png": b"\x89PNG\r\n\x1a\nxxxx", "empty.png": b"", "text.png": "hello",
    "t.skn": struct.pack("<4i", 3, 0, 1, 0) + struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0) + struct.pack("<3i", 0, 1, 2),
    "short.skn": struct.pack("<4i", 3, 0, 1, 0), "huge.skn": struct.pack("<4i", 1 << 30, 0, 1 << 30, 0), "neg.skn": struct.pack("<4i", -3, 0, 1, 0),
    "empty.any": b"",
}

# ---- documents

DOCUMENTS = {}


def add(name, document):
    assert name not in DOCUMENTS, name
    DOCUMENTS[name] = document


def each(prefix, make, text):
    """One document per line of text, which make makes a document of."""
    for line in text.strip().splitlines():
        line = line.strip()
        if line:
            add(f"{prefix}: {line}", make(line))


def scene(tail):
    return full(tail=tail)


def world(content):
    return full(world=content)


def head(content):
    return full(content)


def moving(content):
    return full(world=f'<body name="x">{content}</body>')


each("root", str, """
<mujoco/>
<robot/>
<mujoco></mujoco><mujoco/>
<mujoco><mujoco/></mujoco>
<mujoco>text</mujoco>
<mujoco model=""/>
<mujoco model="a" model="b"/>
<mujoco
<mujoco><worldbody></mujoco>
<mujoco/>junk
<mujoco/><!-- comment -->
<!-- comment --><mujoco/>
<!-- a -- b --><mujoco/>
<?xml version="1.0"?><mujoco/>
<?xml version="1.0" encoding="utf-8"?><mujoco/>
<?pi x?><mujoco/>
<mujoco><![CDATA[x]]></mujoco>
<mujoco><worldbody/><worldbody/></mujoco>
<mujoco><option timestep="1"/><option timestep="2"/></mujoco>
<mujoco><worldbody><geom size="1" name="a&amp;b"/></worldbody></mujoco>
<mujoco><worldbody><geom size="1" name="&#65;"/></worldbody></mujoco>
<mujoco><worldbody><geom size="1" name="&unknown;"/></worldbody></mujoco>
<mujoco><worldbody><geom size='1'/></worldbody></mujoco>
<mujoco><worldbody><geom size=1/></worldbody></mujoco>
<mujoco><worldbody><geom size/></worldbody></mujoco>
<mujoco><worldbody><geom size="1" name="a<b"/></worldbody></mujoco>
<mujoco><worldbody><geom size="1"name="a"/></worldbody></mujoco>
<MUJOCO/>
<mujoco><Worldbody/></mujoco>
<mujoco><worldbody><GEOM size="1"/></worldbody></mujoco>
""")
add("root: nothing", "")
add("root: space", "  \n ")
add("root: space before declaration", ' <?xml version="1.0"?><mujoco/>')

# elements in the wrong place, and how often they may stand
_SECTIONS = "compiler option size visual statistic default extension custom asset worldbody contact deformable equality tendon actuator sensor keyframe".split()
for _s in _SECTIONS:
    add(f"place: {_s} in worldbody", doc(world=f"<{_s}/>"))
    add(f"place: {_s} in body", doc(world=f"<body><{_s}/></body>"))
    add(f"place: {_s} twice", f"<mujoco><{_s}/><{_s}/></mujoco>")
    add(f"place: geom in {_s}", f'<mujoco><{_s}><geom size="1"/></{_s}></mujoco>')
    add(f"place: {_s} in itself", f"<mujoco><{_s}><{_s}/></{_s}></mujoco>")
    add(f"place: unknown in {_s}", f"<mujoco><{_s}><unknown/></{_s}></mujoco>")
    add(f"place: include in {_s}", f'<mujoco><{_s}><include file="nothing.xml"/></{_s}></mujoco>')
for _e in ("body frame replicate geom joint freejoint site camera light inertial attach composite flexcomp plugin pair exclude connect weld fixed spatial "
           "motor general touch key numeric text tuple mesh material texture hfield skin model bone layer config instance element flag lengthrange "
           "global pulley include").split():
    add(f"place: {_e} in root", f"<mujoco><{_e}/></mujoco>")
    for _p in "body frame geom joint site camera light inertial".split():
        _a = ' size="1"' if _p == "geom" else ""
        add(f"place: {_e} in {_p}", doc(world=f"<body><{_p}{_a}><{_e}/></{_p}></body>"))
for _e in "flag lengthrange".split():
    _s = {"flag": "option", "lengthrange": "compiler"}[_e]
    add(f"twice: {_e}", f"<mujoco><{_s}><{_e}/><{_e}/></{_s}></mujoco>")
    add(f"twice apart: {_e}", f"<mujoco><{_s}><{_e}/></{_s}><{_s}><{_e}/></{_s}></mujoco>")
for _e in "global quality headlight map scale rgba".split():
    add(f"twice: {_e}", f"<mujoco><visual><{_e}/><{_e}/></visual></mujoco>")
    add(f"twice apart: {_e}", f"<mujoco><visual><{_e}/></visual><visual><{_e}/></visual></mujoco>")
for _e in "mesh material joint geom site camera light pair equality tendon general motor position velocity muscle adhesion".split():
    add(f"twice: {_e} in a class", f"<mujoco><default><{_e}/><{_e}/></default></mujoco>")
    add(f"twice apart: {_e} in a class", f"<mujoco><default><{_e}/></default><default><{_e}/></default></mujoco>")
add("twice: inertial", moving('<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'))
add("twice: inertial in frames", moving('<frame><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></frame><frame><inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/></frame>'))

each("defaults", lambda x: doc(x, '<geom size="1"/>'), """
<default class="main"/>
<default class="x"/>
<default class=""/>
<default><default/></default>
<default><default class=""/></default>
<default><default class="main"/></default>
<default><default class="a"/><default class="a"/></default>
<default><default class="a"><default class="a"/></default></default>
<default><default class="a"/></default><default><default class="a"/></default>
<default class="main"/><default class="main"/>
<default/><default class="b"/>
<default><geom class="a"/></default>
<default><geom name="a"/></default>
<default><joint name="a"/></default>
<default><motor joint="a"/></default>
<default><general tendon="a"/></default>
<default><mesh file="a"/></default>
<default><material name="a"/></default>
<default><camera target="a"/></default>
<default><light target="a"/></default>
<default><pair geom1="a"/></default>
<default><body/></default>
<default><frame/></default>
<default><freejoint/></default>
<default><inertial/></default>
<default><connect/></default>
<default><spatial/></default>
<default><fixed/></default>
<default><texture/></default>
<default><hfield/></default>
<default><skin/></default>
<default><key/></default>
<default><touch/></default>
<default><plugin/></default>
<default><composite/></default>
<default><tendon armature="1"/></default>
<default><geom quat="0 0 0 0"/></default>
<default><geom quat="1 0 0 0" euler="0 0 0"/></default>
<default><geom type="foo"/></default>
<default><general actdim="-5"/></default>
<default><position kp="-1"/></default>
<default><position kv="-1"/></default>
<default><position kv="1" dampratio="1"/></default>
<default><position timeconst="-1"/></default>
<default><intvelocity actrange="1 0"/></default>
<default><damper kv="-1"/></default>
<default><damper ctrlrange="-1 1"/></default>
<default><muscle timeconst="-1 0"/></default>
<default><muscle tausmooth="-1"/></default>
<default><muscle range="2 1"/></default>
<default><muscle lmin="2"/></default>
<default><adhesion gain="-1"/></default>
<default><adhesion ctrlrange="-1 1"/></default>
<default><cylinder diameter="-1"/></default>
<default><material><layer role="rgb" texture="a"/></material></default>
<default><material texture="a"><layer role="rgb" texture="a"/></material></default>
<default><mesh maxhullvert="2"/></default>
<default><camera fovy="1" sensorsize="1 1" resolution="1 1"/></default>
<default><camera sensorsize="1 1"/></default>
<default><light type="spot" directional="true"/></default>
""")

each("body", world, """
<body name="a"/>
<body name=""/>
<body name="world"/>
<body name="b1"><body name="b1"/></body>
<body childclass="zzz"/>
<body childclass=""/>
<body mocap="true"><joint/><geom size="1"/></body>
<body><body mocap="true"/></body>
<body mocap="true"><freejoint/><geom size="1"/></body>
<frame><body mocap="true"/></frame>
<body><joint/></body>
<body><joint/><geom size="1" mass="0"/></body>
<body><joint/><geom size="1" mass="1e-20"/></body>
<body><joint/><geom size="1" density="0"/></body>
<body><joint/><body><geom size="1"/></body></body>
<body><joint/><body><joint/><geom size="1"/></body></body>
<body><joint/><body><body><geom size="1"/></body></body></body>
<body><joint/><site/></body>
<body><joint/><geom type="plane" size="1 1 1"/></body>
<body><geom type="plane" size="1 1 1"/></body>
<body mocap="true"><geom type="plane" size="1 1 1"/></body>
<body mocap="true"><geom type="hfield" hfield="hf"/></body>
<body><joint/><geom type="hfield" hfield="hf"/></body>
<body><freejoint/><geom size="1"/><joint/></body>
<body><joint/><freejoint/><geom size="1"/></body>
<body><freejoint/><freejoint/><geom size="1"/></body>
<body><joint type="free"/><joint type="free"/><geom size="1"/></body>
<body><joint type="free"/><geom size="1"/></body>
<body><body><freejoint/><geom size="1"/></body></body>
<body><body><joint type="free"/><geom size="1"/></body></body>
<frame><body><freejoint/><geom size="1"/></body></frame>
<body><frame><freejoint/></frame><geom size="1"/></body>
<body><joint type="ball"/><joint type="ball"/><geom size="1"/></body>
<body><joint type="ball"/><joint/><geom size="1"/></body>
<body><joint/><joint type="ball"/><geom size="1"/></body>
<body><joint type="ball"/><joint type="slide"/><geom size="1"/></body>
<body><joint type="slide"/><joint type="ball"/><geom size="1"/></body>
<body><joint/><joint/><joint/><geom size="1"/></body>
<body><joint/><joint/><joint/><joint/><geom size="1"/></body>
<body><joint/><joint/><joint/><joint/><joint/><joint/><geom size="1"/></body>
<body><joint/><joint/><joint/><joint/><joint/><joint/><joint/><geom size="1"/></body>
<body><joint type="slide"/><joint type="slide"/><joint type="slide"/><joint type="slide"/><geom size="1"/></body>
<joint/>
<freejoint/>
<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
<frame><joint/></frame>
<frame><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></frame>
<replicate count="2"><joint/></replicate>
<body sleep="init"><freejoint/><geom size="1"/></body>
<body><freejoint/><geom size="1"/><body sleep="never"/></body>
<body sleep="never"/>
<body user="1 2 3"/>
<geom size="1" name="g1"/><geom size="1" name="g1"/>
<site name="s1"/><site name="s1"/>
<camera name="c1"/><camera name="c1"/>
<light name="l1"/><light name="l1"/>
<geom size="1" name="same"/><site name="same"/>
<frame name="fr"/><frame name="fr"/>
<body name="fr"/><frame name="fr"/>
""")

each("inertial", lambda x: moving(x + "<joint/>"), """
<inertial pos="0 0 0" mass="1"/>
<inertial mass="1" diaginertia="1 1 1"/>
<inertial pos="0 0 0" diaginertia="1 1 1"/>
<inertial pos="0 0 0" mass="0" diaginertia="1 1 1"/>
<inertial pos="0 0 0" mass="-1" diaginertia="1 1 1"/>
<inertial pos="0 0 0" mass="1" diaginertia="0 0 0"/>
<inertial pos="0 0 0" mass="1" diaginertia="1 1 0"/>
<inertial pos="0 0 0" mass="1" diaginertia="-1 -1 -1"/>
<inertial pos="0 0 0" mass="1" diaginertia="1 1 2"/>
<inertial pos="0 0 0" mass="1" diaginertia="1 1 2.0000001"/>
<inertial pos="0 0 0" mass="1" diaginertia="1 1 3"/>
<inertial pos="0 0 0" mass="1" diaginertia="3 1 1"/>
<inertial pos="0 0 0" mass="1" diaginertia="1 1 1e-16"/>
<inertial pos="0 0 0" mass="1e-16" diaginertia="1 1 1"/>
<inertial pos="0 0 0" mass="1" fullinertia="1 1 1 0 0 0"/>
<inertial pos="0 0 0" mass="1" fullinertia="1 1 1 2 0 0"/>
<inertial pos="0 0 0" mass="1" fullinertia="1 1 3 0 0 0"/>
<inertial pos="0 0 0" mass="1" fullinertia="0 0 0 0 0 0"/>
<inertial pos="0 0 0" mass="1" fullinertia="1 1 1 0 0 0" diaginertia="1 1 1"/>
<inertial pos="0 0 0" mass="1" fullinertia="1 1 1 0 0 0" diaginertia="0 0 0"/>
<inertial pos="0 0 0" mass="1" fullinertia="1 1 1 0 0 0" quat="1 0 0 0"/>
<inertial pos="0 0 0" mass="1" fullinertia="1 1 1 0 0 0" euler="0 0 0"/>
<inertial pos="0 0 0" mass="1" diaginertia="1 1 1" quat="1 0 0 0" euler="0 0 0"/>
<inertial pos="0 0 0" mass="1" diaginertia="1 1 1" axisangle="0 0 0 1"/>
""")
each("inertial of a fixed body", moving, """
<inertial pos="0 0 0" mass="0" diaginertia="0 0 0"/>
<inertial pos="0 0 0" mass="-1" diaginertia="1 1 1"/>
<inertial pos="0 0 0" mass="1" diaginertia="-1 -1 -1"/>
<inertial pos="0 0 0" mass="1" diaginertia="1 1 3"/>
<inertial pos="0 0 0" mass="1" fullinertia="0 0 0 0 0 0"/>
<inertial pos="0 0 0" mass="1"/>
""")
for _c in ('boundmass="1"', 'boundinertia="1"', 'boundmass="-1"', 'boundinertia="-1"', 'balanceinertia="true"', 'inertiafromgeom="true"',
           'inertiafromgeom="false"', 'settotalmass="1"', 'settotalmass="-1"', 'settotalmass="0"', 'inertiagrouprange="3 4"', 'inertiagrouprange="4 3"',
           'inertiagrouprange="-1 9"', 'fusestatic="true"', 'discardvisual="true"', 'autolimits="false"', 'alignfree="true"', 'coordinate="global"',
           'eulerseq="xyx"', 'angle="radian"', 'usethread="false"', 'saveinertial="true"', 'fitaabb="true"'):
    for _i, _b in enumerate(('<body><joint/><geom size="1"/></body>', '<body><joint/></body>',
                             '<body><joint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 3"/></body>',
                             '<body><joint/><inertial pos="0 0 0" mass="0" diaginertia="0 0 0"/></body>',
                             '<body><joint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body>',
                             '<body><joint range="0 1"/><geom size="1"/></body>', '<body><joint/><geom size="1" group="5"/></body>')):
        add(f"compiler: {_c} body {_i}", full(f"<compiler {_c}/>", _b))

each("joint", lambda x: moving(x + '<geom size="1"/>'), """
<joint type="free" range="0 1"/>
<joint type="free" limited="true"/>
<joint type="free" limited="true" range="0 1"/>
<joint type="free" axis="0 0 0"/>
<joint type="free" pos="1 0 0"/>
<joint type="free" stiffness="1"/>
<joint type="free" class="c"/>
<joint type="ball" range="0 1"/>
<joint type="ball" range="1 2"/>
<joint type="ball" range="-1 1"/>
<joint type="ball" limited="true"/>
<joint type="ball" axis="0 0 0"/>
<joint type="ball" ref="1"/>
<joint type="ball" springref="1"/>
<joint type="slide" axis="0 0 0"/>
<joint type="hinge" axis="1e-15 0 0"/>
<joint type="hinge" axis="1e-13 0 0"/>
<joint range="1 0"/>
<joint range="1 1"/>
<joint range="0 0" limited="true"/>
<joint range="1 0" limited="false"/>
<joint range="1 0" limited="true"/>
<joint limited="true"/>
<joint limited="auto" range="0 1"/>
<joint actuatorfrcrange="1 0"/>
<joint actuatorfrcrange="1 2"/>
<joint actuatorfrcrange="-1 -.5"/>
<joint actuatorfrclimited="true"/>
<joint actuatorfrcrange="0 0" actuatorfrclimited="true"/>
<joint actuatorfrcrange="0 1" actuatorfrclimited="false"/>
<joint type="ball" actuatorfrcrange="-1 1"/>
<joint type="free" actuatorfrcrange="-1 1"/>
<joint type="free" actuatorfrclimited="true"/>
<joint springdamper="1 0"/>
<joint springdamper="0 1"/>
<joint springdamper="-1 1"/>
<joint springdamper="1 1"/>
<joint springdamper="1 1" stiffness="1"/>
<joint springdamper="1 1" damping="1"/>
<joint stiffness="-1"/>
<joint damping="-1"/>
<joint armature="-1"/>
<joint frictionloss="-1"/>
<joint margin="-1"/>
<joint solreflimit="0 0"/>
<joint solreflimit="-1 1"/>
<joint solimplimit="2 2 0 -1 0"/>
<joint solimplimit="1 0"/>
<joint name="ja"/>
<joint name="x"/><joint name="x" type="slide"/>
<freejoint name="ja"/>
<freejoint type="free"/>
<freejoint pos="0 0 0"/>
<freejoint class="c"/>
<freejoint align="true"/>
""")

each("geom", lambda x: moving("<joint/>" + x + '<geom size="1"/>'), """
<geom/>
<geom size=""/>
<geom size="-1"/>
<geom size="1e-20"/>
<geom type="capsule" size="1"/>
<geom type="capsule" size="0 1"/>
<geom type="capsule" size="1 0"/>
<geom type="cylinder" size="1"/>
<geom type="box" size="1 1"/>
<geom type="box" size="1 0 1"/>
<geom type="ellipsoid" size="1 1"/>
<geom type="plane" size="1 1 1"/>
<geom type="capsule" size="1" fromto="0 0 0 0 0 1"/>
<geom type="capsule" size="0" fromto="0 0 0 0 0 1"/>
<geom type="capsule" fromto="0 0 0 0 0 1"/>
<geom type="capsule" size="1" fromto="0 0 0 0 0 0"/>
<geom type="capsule" size="1" fromto="0 0 0 0 0 1e-15"/>
<geom type="capsule" size="1" fromto="0 0 0 0 0 1" pos="1 1 1"/>
<geom type="capsule" size="1" fromto="0 0 0 0 0 1" quat="1 0 0 0"/>
<geom type="capsule" size="1" fromto="0 0 0 0 0 1" euler="0 0 0"/>
<geom type="box" size="1" fromto="0 0 0 0 0 1"/>
<geom type="box" size="1 2" fromto="0 0 0 0 0 1"/>
<geom type="cylinder" size="1" fromto="0 0 0 0 0 1"/>
<geom type="ellipsoid" size="1" fromto="0 0 0 0 0 1"/>
<geom type="sphere" size="1" fromto="0 0 0 0 0 1"/>
<geom type="plane" size="1 1 1" fromto="0 0 0 0 0 1"/>
<geom type="mesh" mesh="tet" fromto="0 0 0 0 0 1"/>
<geom type="mesh"/>
<geom type="mesh" mesh=""/>
<geom type="mesh" mesh="zzz"/>
<geom type="mesh" mesh="hf"/>
<geom type="mesh" mesh="tet"/>
<geom type="mesh" mesh="tet" size="0 0 0"/>
<geom type="mesh" hfield="hf"/>
<geom type="mesh" mesh="tet" hfield="hf"/>
<geom type="hfield"/>
<geom type="hfield" hfield="zzz"/>
<geom type="hfield" hfield="hf"/>
<geom type="hfield" mesh="tet"/>
<geom type="sphere" mesh="tet"/>
<geom type="capsule" mesh="tet"/>
<geom type="box" mesh="tet" fitscale="2"/>
<geom type="box" mesh="tet" fitscale="0"/>
<geom type="box" mesh="tet" fitscale="-1"/>
<geom type="box" mesh="tet" size="1 1 1"/>
<geom type="box" mesh="tet" fromto="0 0 0 0 0 1"/>
<geom type="sphere" mesh="zzz"/>
<geom type="sphere" size="1" hfield="hf"/>
<geom type="plane" mesh="tet"/>
<geom type="sdf" mesh="tet"/>
<geom type="sdf"/>
<geom mesh="tet"/>
<geom size="1" material="zzz"/>
<geom size="1" material="tex"/>
<geom size="1" material=""/>
<geom size="1" mass="-1"/>
<geom size="1" density="-1"/>
<geom size="1" mass="1" density="-1"/>
<geom size="1" mass="0" density="1"/>
<geom size="1" mass="1" density="1"/>
<geom size="1" condim="0"/>
<geom size="1" condim="2"/>
<geom size="1" condim="5"/>
<geom size="1" condim="7"/>
<geom size="1" friction="-1"/>
<geom size="1" friction="0 0 0"/>
<geom size="1" solmix="-1"/>
<geom size="1" solref="-1 1"/>
<geom size="1" solref="1 -1"/>
<geom size="1" solref="0 0"/>
<geom size="1" solimp="2 -1 0 0 0"/>
<geom size="1" margin="-1"/>
<geom size="1" gap="-1"/>
<geom size="1" gap="2" margin="1"/>
<geom size="1" priority="-1"/>
<geom size="1" group="-1"/>
<geom size="1" group="6"/>
<geom size="1" group="100"/>
<geom size="1" contype="-1"/>
<geom size="1" rgba="2 -1 0 5"/>
<geom size="1" quat="0 0 0 0"/>
<geom size="1" quat="1e-20 0 0 0"/>
<geom size="1" quat="2 0 0 0"/>
<geom size="1" axisangle="0 0 0 1"/>
<geom size="1" axisangle="1 0 0 0"/>
<geom size="1" xyaxes="0 0 0 1 0 0"/>
<geom size="1" xyaxes="1 0 0 1 0 0"/>
<geom size="1" xyaxes="1 0 0 0 0 0"/>
<geom size="1" zaxis="0 0 0"/>
<geom size="1" zaxis="0 0 -1"/>
<geom size="1" euler="0 0 0" zaxis="0 0 1"/>
<geom size="1" euler="0 0 0" quat="1 0 0 0"/>
<geom size="1" euler="" quat="1 0 0 0"/>
<geom size="1" euler="0 0 0" quat=""/>
<geom size="1" fluidshape="ellipsoid" fluidcoef="-1"/>
<geom size="1" fluidcoef="1 2 3 4 5 6"/>
<geom size="1" shellinertia="true"/>
<geom type="plane" size="0 0 1" shellinertia="true"/>
<geom type="mesh" mesh="tet" shellinertia="true"/>
<geom type="box" size="1 1 1" shellinertia="true"/>
<geom type="ellipsoid" size="1 1 1" shellinertia="true"/>
<geom type="capsule" size="1 1" shellinertia="true"/>
<geom type="cylinder" size="1 1" shellinertia="true"/>
<geom type="hfield" hfield="hf" shellinertia="true"/>
<geom size="1" user="1 2 3"/>
<geom size="1" class="zzz"/>
<geom size="1" class=""/>
<geom size="1" class="main"/>
""")
each("world geom", world, """
<geom type="plane"/>
<geom type="plane" size="1 1"/>
<geom type="plane" size="0 0 1"/>
<geom type="plane" size="-1 1 1"/>
<geom type="plane" size="1 1 0"/>
<geom type="plane" size="1 1 -1"/>
<geom type="hfield" hfield="hf"/>
<geom type="plane" size="1 1 1" mass="1"/>
<geom size="1" mass="-1"/>
""")
each("site", world, """
<site type="plane"/>
<site type="mesh"/>
<site type="hfield"/>
<site type="sdf"/>
<site type="box" size="1 1 1"/>
<site type="box" size="1"/>
<site type="capsule" size="1"/>
<site type="capsule" fromto="0 0 0 0 0 1"/>
<site type="capsule" fromto="0 0 0 0 0 0"/>
<site type="sphere" fromto="0 0 0 0 0 1"/>
<site type="box" fromto="0 0 0 0 0 1" size="1"/>
<site size="0"/>
<site size="-1"/>
<site material="zzz"/>
<site group="9"/>
<site euler="0 0 0" quat="1 0 0 0"/>
<site class="zzz"/>
""")
each("camera", world, """
<camera mode="targetbody"/>
<camera mode="targetbodycom"/>
<camera mode="targetbody" target=""/>
<camera mode="targetbody" target="zzz"/>
<camera mode="targetbody" target="a"/>
<camera mode="targetbody" target="world"/>
<camera mode="track" target="a"/>
<camera target="a"/>
<camera target="zzz"/>
<camera fovy="180"/>
<camera fovy="179"/>
<camera fovy="0"/>
<camera fovy="-1"/>
<camera fovy="200" orthographic="true"/>
<camera resolution="0 0"/>
<camera resolution="-1 1"/>
<camera resolution="1.5 1"/>
<camera sensorsize="1 1"/>
<camera sensorsize="1 1" resolution="1 1"/>
<camera sensorsize="1 1" resolution="1 1" fovy="1"/>
<camera sensorsize="0 0" resolution="1 1"/>
<camera sensorsize="-1 -1" resolution="1 1"/>
<camera sensorsize="1 1" resolution="1 1" focal="1 1" focalpixel="1 1"/>
<camera sensorsize="1 1" resolution="1 1" principal="1 1" principalpixel="1 1"/>
<camera sensorsize="1 1" resolution="1 1" focal="0 0"/>
<camera sensorsize="1 1" resolution="1 1" focal="-1 -1"/>
<camera sensorsize="1 1" resolution="0 0" focal="1 1"/>
<camera focal="1 1"/>
<camera focalpixel="1 1" resolution="1 1"/>
<camera principal="1 1"/>
<camera ipd="-1"/>
""")
each("light", world, """
<light dir="0 0 0"/>
<light dir="1e-20 0 0"/>
<light mode="targetbody"/>
<light mode="targetbody" target="zzz"/>
<light mode="targetbodycom"/>
<light target="zzz"/>
<light type="image"/>
<light type="image" texture="tex"/>
<light type="image" texture="zzz"/>
<light texture="tex"/>
<light texture="zzz"/>
<light type="spot" directional="true"/>
<light directional="true"/>
<light cutoff="-1"/>
<light cutoff="200"/>
<light exponent="-1"/>
<light attenuation="-1 0 0"/>
<light intensity="-1"/>
<light range="-1"/>
<light bulbradius="-1"/>
""")

each("frame", world, """
<frame quat="0 0 0 0"/>
<frame euler="0 0 0" quat="1 0 0 0"/>
<frame childclass="zzz"/>
<frame axisangle="0 0 0 1"><geom size="1"/></frame>
<frame><frame><body/></frame></frame>
<frame mocap="true"/>
<frame user="1"/>
<replicate count="2"><body name="rb"/></replicate>
<replicate count="0"><geom size="1"/></replicate>
<replicate count="-1"><geom size="1"/></replicate>
<replicate><geom size="1"/></replicate>
<replicate count="2"/>
<replicate count="x"/>
<replicate count="2 3"/>
<replicate count="2" euler="1 2"/>
<replicate count="2" offset="1"/>
<replicate count="2" sep="a b"><body name="rb"/></replicate>
<replicate count="2" pos="1 1 1"/>
<replicate count="2" quat="1 0 0 0"/>
<replicate count="2" name="r"/>
<replicate count="2" childclass="zzz"><geom size="1"/></replicate>
<replicate count="2"><joint/></replicate>
<replicate count="2"><body name="rb"/></replicate><body name="rb0"/>
<replicate count="2"><body name="a"/></replicate>
<replicate count="2"><replicate count="2"><body name="rb"/></replicate></replicate>
<replicate count="12" sep=""><geom name="g" size="1"/></replicate><geom size="1" name="g01"/>
<replicate count="2"><geom size="0"/></replicate>
<replicate count="2"><camera mode="targetbody" target="rb"/><body name="rb"/></replicate>
""")
add("replicate: inertial", moving('<replicate count="2"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></replicate>'))
add("replicate: joint in body", moving('<replicate count="2"><joint name="j"/></replicate><geom size="1"/>'))
add("replicate: freejoint", world('<replicate count="2"><body><freejoint/><geom size="1"/></body></replicate>'))
add("replicate: actuated", full(world='<replicate count="2"><body><joint name="rj"/><geom size="1"/></body></replicate>',
                                tail='<actuator><motor joint="rj" name="rm"/></actuator>'))
add("replicate: keyframe", full(world='<replicate count="2"><body><joint name="rj"/><geom size="1"/></body></replicate>',
                                tail='<keyframe><key qpos="0 0"/></keyframe>'))

each("pair", lambda x: scene(f"<contact>{x}</contact>"), """
<pair/>
<pair geom1="ga"/>
<pair geom1="ga" geom2="zzz"/>
<pair geom1="ga" geom2=""/>
<pair geom1="ga" geom2="ga"/>
<pair geom1="ga" geom2="gb"/>
<pair geom1="gb" geom2="gc"/>
<pair geom1="ga" geom2="floor"/>
<pair geom1="ga" geom2="gl" condim="2"/>
<pair geom1="ga" geom2="gl" friction="1 1 1 1 1 1"/>
<pair geom1="ga" geom2="gl" friction="-1"/>
<pair geom1="ga" geom2="gl"/><pair geom1="ga" geom2="gl"/>
<pair geom1="ga" geom2="gl"/><pair geom1="gl" geom2="ga"/>
<pair geom1="ga" geom2="gl" name="p"/><pair geom1="gb" geom2="gl" name="p"/>
<pair geom1="ga" geom2="gl" margin="-1"/>
<pair geom1="ga" geom2="gl" gap="2"/>
<pair geom1="ga" geom2="gl" class="zzz"/>
<exclude body1="a"/>
<exclude body1="a" body2="a"/>
<exclude body1="a" body2="zzz"/>
<exclude body1="" body2=""/>
<exclude body1="world" body2="a"/>
<exclude body1="a" body2="l"/><exclude body1="l" body2="a"/>
<exclude body1="a" body2="l" name="e"/><exclude body1="b" body2="l" name="e"/>
""")
each("equality", lambda x: scene(f"<equality>{x}</equality>"), """
<connect/>
<connect body1="a"/>
<connect body1="a" anchor="0 0 0"/>
<connect body1="a" body2="a" anchor="0 0 0"/>
<connect body1="a" body2="world" anchor="0 0 0"/>
<connect body1="world" anchor="0 0 0"/>
<connect body1="world" body2="world" anchor="0 0 0"/>
<connect body1="zzz" anchor="0 0 0"/>
<connect body1="" anchor="0 0 0"/>
<connect body1="a" body2="" anchor="0 0 0"/>
<connect body2="a" anchor="0 0 0"/>
<connect anchor="0 0 0"/>
<connect site1="sa"/>
<connect site2="sa"/>
<connect site1="sa" site2="sb"/>
<connect site1="sa" site2="sa"/>
<connect site1="sa" site2="zzz"/>
<connect site1="sa" site2=""/>
<connect site1="sa" site2="sb" anchor="0 0 0"/>
<connect site1="sa" body1="a"/>
<connect site1="sa" body2="a"/>
<connect site1="sa" site2="sb" body1="a" anchor="0 0 0"/>
<connect body1="a" body2="f" anchor="0 0"/>
<connect body1="a" body2="f" anchor=""/>
<connect body1="m" body2="a" anchor="0 0 0"/>
<weld/>
<weld body1="a"/>
<weld body1="world"/>
<weld body1="a" body2="a"/>
<weld body1="zzz"/>
<weld body2="a"/>
<weld body1="a" relpose="0 0 0 0 0 0 0"/>
<weld body1="a" relpose="0 0 0 1 0 0 0"/>
<weld body1="a" relpose="0 0 0 1 0 0"/>
<weld body1="a" anchor="1 2 3"/>
<weld site1="sa"/>
<weld site1="sa" site2="sb"/>
<weld site1="sa" site2="sa"/>
<weld site1="sa" site2="sb" relpose="0 0 0 1 0 0 0"/>
<weld site1="sa" site2="sb" anchor="0 0 0"/>
<weld site1="sa" body1="a"/>
<weld body1="a" torquescale="-1"/>
<weld body1="a" torquescale="0"/>
<joint/>
<joint joint1="ja"/>
<joint joint1="ja" joint2="jb"/>
<joint joint1="ja" joint2="ja"/>
<joint joint1="zzz"/>
<joint joint1="ja" joint2="zzz"/>
<joint joint1="ja" joint2=""/>
<joint joint1="fj"/>
<joint joint1="bj"/>
<joint joint1="ja" joint2="bj"/>
<joint joint1="ja" polycoef="1 2 3 4 5 6"/>
<joint joint1="ja" polycoef="1"/>
<joint joint2="ja"/>
<tendon/>
<tendon tendon1="tf"/>
<tendon tendon1="tf" tendon2="tf"/>
<tendon tendon1="tf" tendon2="zzz"/>
<tendon tendon1="zzz"/>
<flex/>
<flex flex="zzz"/>
<distance/>
<weld body1="a" name="e1"/><weld body1="b" name="e1"/>
<weld body1="a" class="zzz"/>
<weld body1="a" solref="0 0"/>
<weld body1="a" solimp="5 5 5 5 5"/>
""")
_S = '<site site="sw"/>'
each("spatial", lambda x: scene(f"<tendon>{x}</tendon>"), f"""
<spatial/>
<spatial><site site="sw"/></spatial>
<spatial><site site="sw"/><site site="sw"/></spatial>
<spatial><site site="sw"/><site site="sa"/></spatial>
<spatial><site site="sw"/><site site="zzz"/></spatial>
<spatial><site site="sw"/><site/></spatial>
<spatial><site site=""/><site site="sw"/></spatial>
<spatial><pulley divisor="1"/></spatial>
<spatial><pulley divisor="2"/><site site="sw"/><site site="sa"/></spatial>
<spatial><site site="sw"/><pulley divisor="2"/><site site="sa"/></spatial>
<spatial><site site="sw"/><site site="sa"/><pulley divisor="2"/></spatial>
<spatial><site site="sw"/><site site="sa"/><pulley divisor="2"/><site site="sb"/></spatial>
<spatial><site site="sw"/><site site="sa"/><pulley divisor="2"/><pulley divisor="2"/><site site="sw"/><site site="sb"/></spatial>
<spatial><site site="sw"/><site site="sa"/><pulley divisor="2"/><site site="sw"/><site site="sb"/></spatial>
<spatial><site site="sw"/><site site="sa"/><pulley/><site site="sw"/><site site="sb"/></spatial>
<spatial><site site="sw"/><site site="sa"/><pulley divisor="0"/><site site="sw"/><site site="sb"/></spatial>
<spatial><site site="sw"/><site site="sa"/><pulley divisor="-1"/><site site="sw"/><site site="sb"/></spatial>
<spatial><geom geom="ga"/></spatial>
<spatial><geom geom="ga"/><site site="sw"/></spatial>
<spatial><site site="sw"/><geom geom="ga"/></spatial>
<spatial><site site="sw"/><geom geom="ga"/><site site="sb"/></spatial>
<spatial><site site="sw"/><geom geom="gb"/><site site="sb"/></spatial>
<spatial><site site="sw"/><geom geom="floor"/><site site="sb"/></spatial>
<spatial><site site="sw"/><geom geom="zzz"/><site site="sb"/></spatial>
<spatial><site site="sw"/><geom/><site site="sb"/></spatial>
<spatial><site site="sw"/><geom geom="ga"/><geom geom="gc"/><site site="sb"/></spatial>
<spatial><site site="sw"/><geom geom="ga"/><pulley divisor="2"/><site site="sb"/></spatial>
<spatial><site site="sw"/><geom geom="ga" sidesite="sa"/><site site="sb"/></spatial>
<spatial><site site="sw"/><geom geom="ga" sidesite="zzz"/><site site="sb"/></spatial>
<spatial><site site="sw"/><geom geom="ga" sidesite=""/><site site="sb"/></spatial>
<spatial><joint joint="ja" coef="1"/></spatial>
<spatial armature="1"><site site="sw"/><geom geom="ga"/><site site="sb"/></spatial>
<spatial armature="-1"><site site="sw"/><site site="sb"/></spatial>
<spatial limited="true"><site site="sw"/><site site="sb"/></spatial>
<spatial range="1 0"><site site="sw"/><site site="sb"/></spatial>
<spatial range="1 0" limited="true"><site site="sw"/><site site="sb"/></spatial>
<spatial range="-1 0"><site site="sw"/><site site="sb"/></spatial>
<spatial actuatorfrcrange="1 0"><site site="sw"/><site site="sb"/></spatial>
<spatial actuatorfrcrange="1 2"><site site="sw"/><site site="sb"/></spatial>
<spatial actuatorfrclimited="true"><site site="sw"/><site site="sb"/></spatial>
<spatial springlength="2 1"><site site="sw"/><site site="sb"/></spatial>
<spatial springlength="-1"><site site="sw"/><site site="sb"/></spatial>
<spatial springlength="-5"><site site="sw"/><site site="sb"/></spatial>
<spatial springlength="1 2 3"><site site="sw"/><site site="sb"/></spatial>
<spatial width="0"><site site="sw"/><site site="sb"/></spatial>
<spatial width="-1"><site site="sw"/><site site="sb"/></spatial>
<spatial material="zzz"><site site="sw"/><site site="sb"/></spatial>
<spatial stiffness="-1"><site site="sw"/><site site="sb"/></spatial>
<spatial damping="-1"><site site="sw"/><site site="sb"/></spatial>
<spatial margin="-1"><site site="sw"/><site site="sb"/></spatial>
<spatial name="tf"><site site="sw"/><site site="sb"/></spatial>
<spatial group="9"><site site="sw"/><site site="sb"/></spatial>
<fixed/>
<fixed><joint joint="ja"/></fixed>
<fixed><joint coef="1"/></fixed>
<fixed><joint joint="ja" coef="0"/></fixed>
<fixed><joint joint="ja" coef="1"/><joint joint="ja" coef="1"/></fixed>
<fixed><joint joint="zzz" coef="1"/></fixed>
<fixed><joint joint="fj" coef="1"/></fixed>
<fixed><joint joint="bj" coef="1"/></fixed>
<fixed><site site="sa"/></fixed>
<fixed width="1"><joint joint="ja" coef="1"/></fixed>
<fixed rgba="1 1 1 1"><joint joint="ja" coef="1"/></fixed>
<fixed armature="1"><joint joint="ja" coef="1"/></fixed>
<fixed springlength="1 0"><joint joint="ja" coef="1"/></fixed>
<fixed limited="true"><joint joint="ja" coef="1"/></fixed>
<fixed stiffness="1" springlength="0 1"><joint joint="ja" coef="1"/></fixed>
""")

each("actuator", lambda x: scene(f"<actuator>{x}</actuator>"), """
<motor/>
<motor joint="ja"/>
<motor joint=""/>
<motor joint="zzz"/>
<motor joint="fj"/>
<motor joint="bj"/>
<motor joint="ja" tendon="tf"/>
<motor joint="ja" site="sa"/>
<motor joint="ja" jointinparent="ja"/>
<motor jointinparent="ja"/>
<motor jointinparent="bj"/>
<motor jointinparent="zzz"/>
<motor tendon="tf"/>
<motor tendon="zzz"/>
<motor site="sa"/>
<motor site="zzz"/>
<motor site="sa" refsite="sb"/>
<motor site="sa" refsite="sa"/>
<motor site="sa" refsite="zzz"/>
<motor site="sa" refsite=""/>
<motor joint="ja" refsite="sa"/>
<motor refsite="sa"/>
<motor body="a"/>
<general body="a"/>
<general body="zzz"/>
<general body="world"/>
<motor cranksite="sa" slidersite="sb" cranklength="1"/>
<motor cranksite="sa" slidersite="sb"/>
<motor cranksite="sa" slidersite="sb" cranklength="0"/>
<motor cranksite="sa" slidersite="sb" cranklength="-1"/>
<motor cranksite="sa" cranklength="1"/>
<motor cranksite="sa" slidersite="zzz" cranklength="1"/>
<motor cranksite="zzz" slidersite="sa" cranklength="1"/>
<motor cranksite="sa" slidersite="sa" cranklength="1"/>
<motor slidersite="sb" cranklength="1"/>
<motor joint="ja" slidersite="sb"/>
<motor joint="ja" cranklength="1"/>
<motor joint="ja" gear="1 2 3 4 5 6 7"/>
<motor joint="ja" gear="0"/>
<motor joint="ja" ctrlrange="1 0"/>
<motor joint="ja" ctrlrange="1 1"/>
<motor joint="ja" ctrlrange="1 0" ctrllimited="true"/>
<motor joint="ja" ctrllimited="true"/>
<motor joint="ja" ctrlrange="1 0" ctrllimited="false"/>
<motor joint="ja" forcerange="1 0"/>
<motor joint="ja" forcerange="1 2"/>
<motor joint="ja" forcelimited="true"/>
<motor joint="ja" actrange="0 1"/>
<motor joint="ja" lengthrange="1 0"/>
<motor joint="ja" lengthrange="0 1"/>
<motor joint="ja" name="mo"/>
<motor joint="ja" class="zzz"/>
<motor joint="ja" group="-1"/>
<motor joint="ja" group="31"/>
<motor joint="ja" inheritrange="1"/>
<motor joint="ja" kp="1"/>
<general joint="ja" dyntype="none" actdim="1"/>
<general joint="ja" dyntype="none" actdim="0"/>
<general joint="ja" dyntype="integrator" actdim="0"/>
<general joint="ja" dyntype="integrator" actdim="1"/>
<general joint="ja" dyntype="integrator" actdim="2"/>
<general joint="ja" dyntype="user" actdim="0"/>
<general joint="ja" dyntype="user" actdim="3"/>
<general joint="ja" dyntype="user" actdim="-1"/>
<general joint="ja" dyntype="user" actdim="-2"/>
<general joint="ja" dyntype="none" actdim="-2"/>
<general joint="ja" dyntype="integrator" actdim="-2"/>
<general joint="ja" dyntype="user"/>
<general joint="ja" actlimited="true"/>
<general joint="ja" actlimited="true" actrange="0 1"/>
<general joint="ja" actrange="0 1"/>
<general joint="ja" dyntype="integrator" actlimited="true"/>
<general joint="ja" dyntype="integrator" actrange="1 0"/>
<general joint="ja" dyntype="integrator" actrange="0 1"/>
<general joint="ja" actearly="true"/>
<general joint="ja" dyntype="filter" dynprm="0"/>
<general joint="ja" dyntype="filter" dynprm="-1"/>
<general joint="ja" dyntype="filterexact" dynprm="-1"/>
<general joint="ja" dyntype="muscle"/>
<general joint="ja" gaintype="muscle"/>
<general joint="ja" gaintype="muscle" lengthrange="0 1"/>
<general joint="ja" biastype="muscle" lengthrange="0 1"/>
<general joint="ja" gaintype="muscle" biastype="muscle" dyntype="muscle" lengthrange="0 1"/>
<general joint="ja" gaintype="muscle" lengthrange="0 1" gainprm="0.75 1.05 -1 200 .5 1.6 1.5 1.3 1.2"/>
<general joint="ja" gaintype="muscle" lengthrange="0 1" gainprm="1.05 0.75 -1 200 .5 1.6 1.5 1.3 1.2"/>
<general joint="ja" gaintype="muscle" lengthrange="0 1" gainprm="0.75 1.05 -1 0 .5 1.6 1.5 1.3 1.2"/>
<general joint="ja" gaintype="muscle" lengthrange="0 1" gainprm="0.75 1.05 -1 200 1 1.6 1.5 1.3 1.2"/>
<general joint="ja" gaintype="muscle" lengthrange="0 1" gainprm="0.75 1.05 -1 200 .5 1 1.5 1.3 1.2"/>
<general joint="ja" gaintype="muscle" lengthrange="0 1" gainprm="0.75 1.05 -1 200 .5 1.6 0 1.3 1.2"/>
<general joint="ja" gaintype="muscle" lengthrange="0 1" gainprm="0.75 1.05 -1 200 .5 1.6 1.5 0 1.2"/>
<general joint="ja" gaintype="muscle" lengthrange="0 1" gainprm="0.75 1.05 -1 200 .5 1.6 1.5 1.3 0"/>
<general joint="ja" gaintype="muscle" lengthrange="0 1" gainprm="0.75 1.05 -1 200 -1 1.6 1.5 1.3 1.2"/>
<general joint="ja" biastype="muscle" lengthrange="0 1" biasprm="0.75 1.05 -1 200 .5 1.6 1.5 1.3 1.2"/>
<general joint="ja" biastype="muscle" lengthrange="0 1" biasprm="1.05 0.75 -1 200 .5 1.6 1.5 1.3 1.2"/>
<general joint="ja" gainprm="1 2 3 4 5 6 7 8 9 10 11"/>
<general joint="bj" gaintype="muscle"/>
<position joint="ja"/>
<position joint="ja" kp="-1"/>
<position joint="ja" kp="0"/>
<position joint="ja" kv="-1"/>
<position joint="ja" dampratio="-1"/>
<position joint="ja" dampratio="1"/>
<position joint="ja" dampratio="0"/>
<position joint="ja" kv="1" dampratio="1"/>
<position joint="ja" kv="0" dampratio="0"/>
<position joint="ja" timeconst="-1"/>
<position joint="ja" timeconst="0"/>
<position joint="ja" timeconst="1"/>
<position joint="ja" inheritrange="1"/>
<position joint="ja" inheritrange="-1"/>
<position joint="ja" inheritrange="0"/>
<position joint="ja" inheritrange="1" ctrlrange="0 1"/>
<position joint="jb" inheritrange="1"/>
<position joint="bj" inheritrange="1"/>
<position joint="fj" inheritrange="1"/>
<position tendon="tf" inheritrange="1"/>
<position tendon="ts" inheritrange="1"/>
<position site="sa" inheritrange="1"/>
<position jointinparent="ja" inheritrange="1"/>
<position cranksite="sa" slidersite="sb" cranklength="1" inheritrange="1"/>
<position joint="bj" dampratio="1"/>
<position site="sa" dampratio="1"/>
<position joint="ja" actrange="0 1"/>
<intvelocity joint="ja"/>
<intvelocity joint="ja" actrange="0 1"/>
<intvelocity joint="ja" actrange="1 0"/>
<intvelocity joint="ja" actrange="1 1"/>
<intvelocity joint="ja" inheritrange="1"/>
<intvelocity joint="ja" inheritrange="1" actrange="0 1"/>
<intvelocity joint="jb" inheritrange="1"/>
<intvelocity joint="ja" kp="-1" actrange="0 1"/>
<intvelocity joint="ja" kv="1" actrange="0 1"/>
<intvelocity joint="ja" kv="1" dampratio="1" actrange="0 1"/>
<intvelocity joint="ja" kv="-1" actrange="0 1"/>
<intvelocity joint="ja" timeconst="1" actrange="0 1"/>
<velocity joint="ja" kv="-1"/>
<velocity joint="ja" kp="1"/>
<damper joint="ja"/>
<damper joint="ja" kv="-1" ctrlrange="0 1"/>
<damper joint="ja" ctrlrange="-1 1"/>
<damper joint="ja" ctrlrange="0 1"/>
<damper joint="ja" ctrlrange="1 0"/>
<damper joint="ja" ctrlrange="0 1" ctrllimited="false"/>
<cylinder joint="ja" timeconst="-1"/>
<cylinder joint="ja" timeconst="0"/>
<cylinder joint="ja" area="-1"/>
<cylinder joint="ja" diameter="-1"/>
<cylinder joint="ja" diameter="1" area="2"/>
<cylinder joint="ja" bias="1 2"/>
<muscle joint="ja"/>
<muscle joint="ja" lengthrange="0 1"/>
<muscle joint="ja" lengthrange="1 0"/>
<muscle joint="ja" lengthrange="0 1" timeconst="-1 1"/>
<muscle joint="ja" lengthrange="0 1" timeconst="0 0"/>
<muscle joint="ja" lengthrange="0 1" tausmooth="-1"/>
<muscle joint="ja" lengthrange="0 1" range="1 0"/>
<muscle joint="ja" lengthrange="0 1" range="-2 -1"/>
<muscle joint="ja" lengthrange="0 1" force="-1"/>
<muscle joint="ja" lengthrange="0 1" force="-2"/>
<muscle joint="ja" lengthrange="0 1" scale="0"/>
<muscle joint="ja" lengthrange="0 1" scale="-1"/>
<muscle joint="ja" lengthrange="0 1" lmin="1"/>
<muscle joint="ja" lengthrange="0 1" lmin="-1"/>
<muscle joint="ja" lengthrange="0 1" lmax="1"/>
<muscle joint="ja" lengthrange="0 1" lmax="0.9"/>
<muscle joint="ja" lengthrange="0 1" vmax="0"/>
<muscle joint="ja" lengthrange="0 1" vmax="-1"/>
<muscle joint="ja" lengthrange="0 1" fpmax="0"/>
<muscle joint="ja" lengthrange="0 1" fvmax="0"/>
<muscle joint="ja" lengthrange="0 1" fvmax="1"/>
<muscle site="sa" lengthrange="0 1"/>
<muscle site="sa"/>
<muscle tendon="tf" lengthrange="0 1"/>
<muscle body="a"/>
<adhesion/>
<adhesion body="a"/>
<adhesion body="a" ctrlrange="0 1"/>
<adhesion body="a" ctrlrange="-1 1"/>
<adhesion body="a" ctrlrange="0 1" gain="-1"/>
<adhesion body="zzz" ctrlrange="0 1"/>
<adhesion body="a" ctrlrange="0 1" ctrllimited="true"/>
<adhesion body="world" ctrlrange="0 1"/>
<plugin/>
<plugin joint="ja" plugin="x.y.z"/>
""")

_SITES = "touch accelerometer velocimeter gyro force torque magnetometer rangefinder".split()
_ON = {"joint": "jointpos jointvel jointactuatorfrc ballquat ballangvel jointlimitpos jointlimitvel jointlimitfrc".split(),
       "tendon": "tendonpos tendonvel tendonactuatorfrc tendonlimitpos tendonlimitvel tendonlimitfrc".split(),
       "actuator": "actuatorpos actuatorvel actuatorfrc".split(), "body": "subtreecom subtreelinvel subtreeangmom".split(), "site": _SITES}
_NAMES = {"joint": ["ja", "jb", "fj", "bj", "zzz", ""], "tendon": ["tf", "ts", "zzz"], "actuator": ["mo", "zzz"], "body": ["a", "world", "zzz"],
          "site": ["sa", "sw", "zzz"]}
for _what, _kinds in _ON.items():
    for _k in _kinds:
        for _n in _NAMES[_what]:
            add(f"sensor: {_k} {_n}", scene(f'<sensor><{_k} {_what}="{_n}"/></sensor>'))
            add(f"sensor: {_k} {_n} cutoff", scene(f'<sensor><{_k} {_what}="{_n}" cutoff="1"/></sensor>'))
_OBJECTS = {"body": "a", "xbody": "a", "geom": "ga", "site": "sa", "camera": "cam", "joint": "ja", "tendon": "tf", "actuator": "mo", "light": "zzz", "mesh": "tet",
            "material": "mat", "foo": "a", "": "a"}
for _k in "framepos framequat framexaxis framelinvel frameangvel framelinacc frameangacc".split():
    for _t, _n in _OBJECTS.items():
        add(f"sensor: {_k} on {_t}", scene(f'<sensor><{_k} objtype="{_t}" objname="{_n}"/></sensor>'))
        add(f"sensor: {_k} in {_t}", scene(f'<sensor><{_k} objtype="body" objname="b" reftype="{_t}" refname="{_n}"/></sensor>'))
for _t, _n in _OBJECTS.items():
    add(f"sensor: insidesite {_t}", scene(f'<sensor><insidesite objtype="{_t}" objname="{_n}" site="sw"/></sensor>'))
    add(f"sensor: user {_t}", scene(f'<sensor><user dim="1" objtype="{_t}" objname="{_n}"/></sensor>'))
    add(f"tuple: {_t}", scene(f'<custom><tuple name="t"><element objtype="{_t}" objname="{_n}"/></tuple></custom>'))
each("sensor", lambda x: scene(f"<sensor>{x}</sensor>"), """
<touch/>
<touch site="sa" cutoff="-1"/>
<touch site="sa" noise="-1"/>
<touch site="sa" name="t"/><gyro site="sa" name="t"/>
<touch site="sa" user="1 2"/>
<touch site="sa" joint="ja"/>
<framepos objtype="body"/>
<framepos objname="a"/>
<framepos objtype="body" objname="a" reftype="body"/>
<framepos objtype="body" objname="a" refname="b"/>
<framepos objtype="body" objname="a" reftype="body" refname="a"/>
<framequat objtype="body" objname="a" cutoff="1"/>
<framexaxis objtype="body" objname="a" cutoff="1"/>
<framepos objtype="body" objname="a" cutoff="1"/>
<framelinacc objtype="body" objname="a" reftype="body" refname="b"/>
<camprojection site="sa"/>
<camprojection camera="cam"/>
<camprojection site="sa" camera="zzz"/>
<camprojection site="sa" camera="cam" cutoff="1"/>
<insidesite objtype="body" objname="a"/>
<insidesite site="sa"/>
<insidesite objtype="body" objname="a" site="zzz"/>
<insidesite objtype="body" objname="a" site="sa" cutoff="1"/>
<insidesite objtype="site" objname="sa" site="sa"/>
<distance/>
<distance geom1="ga"/>
<distance geom1="ga" geom2="gl"/>
<distance geom1="ga" geom2="ga"/>
<distance body1="a" body2="l"/>
<distance body1="a" body2="a"/>
<distance body1="a" geom2="ga"/>
<distance geom1="ga" body2="l"/>
<distance geom1="ga" body1="a" geom2="gl"/>
<distance geom1="ga" geom2="gl" body2="l"/>
<distance geom1="zzz" geom2="gl"/>
<distance body1="zzz" geom2="gl"/>
<distance geom1="ga" geom2="floor"/>
<distance body1="world" body2="a"/>
<distance body1="m" body2="a"/>
<distance geom1="ga" geom2="gl" cutoff="1"/>
<normal geom1="ga" geom2="gl" cutoff="1"/>
<fromto geom1="ga" geom2="gl" cutoff="1"/>
<fromto geom1="ga" geom2="gl" cutoff="-1"/>
<contact/>
<contact geom1="ga"/>
<contact geom1="ga" geom2="gl"/>
<contact geom2="gl"/>
<contact geom1="ga" geom2="ga"/>
<contact geom1="zzz"/>
<contact body1="a" body2="b"/>
<contact body1="a" geom2="gl"/>
<contact body1="a" geom1="ga"/>
<contact body1="a" body2="b" geom2="gl"/>
<contact subtree1="a" subtree2="l"/>
<contact subtree1="a" subtree2="a"/>
<contact subtree1="a" subtree2="b"/>
<contact subtree1="world"/>
<contact body1="world" subtree2="a"/>
<contact site="sa"/>
<contact site="zzz"/>
<contact site="sa" geom2="ga"/>
<contact site="sa" geom1="ga"/>
<contact data="found"/>
<contact data=""/>
<contact data="found found"/>
<contact data="force found"/>
<contact data="found force torque dist pos normal tangent"/>
<contact data="foo"/>
<contact data="Found"/>
<contact num="0"/>
<contact num="-1"/>
<contact num="1000000"/>
<contact num="1.5"/>
<contact reduce="foo"/>
<contact reduce="netforce"/>
<contact reduce="netforce" num="2"/>
<contact reduce="mindist" num="2"/>
<contact cutoff="1"/>
<contact cutoff="-1"/>
<user/>
<user dim="0"/>
<user dim="-1"/>
<user dim="1" datatype="axis"/>
<user dim="3" datatype="axis"/>
<user dim="3" datatype="axis" cutoff="1"/>
<user dim="3" datatype="quaternion"/>
<user dim="4" datatype="quaternion"/>
<user dim="1" datatype="positive" cutoff="1"/>
<user dim="1" datatype="foo"/>
<user dim="1" needstage="foo"/>
<user dim="1" needstage="none"/>
<user dim="1" objtype="body"/>
<user dim="1" objname="a"/>
<user dim="100000000"/>
<e_potential cutoff="1"/>
<e_potential site="sa"/>
<clock/>
<clock cutoff="1"/>
<clock/><clock/>
<tactile/>
<tactile geom="ga" mesh="zzz"/>
<tactile geom="zzz" mesh="tet"/>
<plugin plugin="x"/>
<foo/>
""")

each("keyframe", lambda x: scene(f"<keyframe>{x}</keyframe>"), """
<key/>
<key time="-1"/>
<key qpos="1"/>
<key qpos=""/>
<key qpos="0 0 0 0 0 1 0 0 0 1 0 0 0"/>
<key qpos="0 0 0 0 0 0 0 0 0 0 0 0 0"/>
<key qvel="0 0 0 0 0 0 0 0 0 0 0"/>
<key qvel="1"/>
<key act="1"/>
<key act=""/>
<key ctrl="1"/>
<key ctrl="1 2"/>
<key mpos="1 2 3"/>
<key mpos="1 2"/>
<key mquat="1 0 0 0"/>
<key mquat="0 0 0 0"/>
<key mquat="1 0 0"/>
<key name="k"/><key name="k"/>
<key name="k"/><key/>
<key qpos="x"/>
""")
add("keyframe: nkey too small", full('<size nkey="1"/>', tail="<keyframe><key/><key/></keyframe>"))
add("keyframe: nkey larger", full('<size nkey="5"/>', tail="<keyframe><key/><key/></keyframe>"))

each("size", head, """
<size nuser_body="0"/>
<size nuser_body="-2"/>
<size nkey="-1"/>
<size nkey="-2"/>
<size nuserdata="-1"/>
<size nuserdata="-2"/>
<size njmax="-2"/>
<size nconmax="-2"/>
<size nstack="-2"/>
<size njmax="0"/>
<size nstack="100"/>
<size memory="1M" njmax="10"/>
<size memory="1M" nconmax="10"/>
<size memory="1M" nstack="10"/>
<size memory="1M"/><size njmax="10"/>
<size memory=""/>
<size memory="0"/>
<size memory="1"/>
<size memory="100"/>
<size memory="-5"/>
<size memory="1.5M"/>
<size memory="M"/>
<size memory="1 M"/>
<size memory="1X"/>
<size memory="99999999999999999999"/>
<size memory="1m"/>
""")
for _n in "body jnt geom site cam tendon actuator sensor".split():
    for _v in (-2, -1, 0, 1, 2):
        add(f"size: nuser_{_n} {_v}", full(f'<size nuser_{_n}="{_v}"/>', '<body user="1 2"><joint user="1 2"/><geom size="1" user="1 2"/><site user="1 2"/>'
            '<camera user="1 2"/></body>', '<tendon><fixed user="1 2"><joint joint="ja" coef="1"/></fixed></tendon><actuator><motor joint="ja" user="1 2"/>'
            '</actuator><sensor><clock user="1 2"/></sensor>'))

each("settings", head, """
<option actuatorgroupdisable="31"/>
<option actuatorgroupdisable="30"/>
<option actuatorgroupdisable="-1"/>
<option actuatorgroupdisable="1 1"/>
<option actuatorgroupdisable="1 2 3 x"/>
<option apirate="100"/>
<option collision="all"/>
<option mpr_iterations="1"/>
<option timestep="0"/>
<option timestep="-1"/>
<option iterations="-1"/>
<option tolerance="-1"/>
<option impratio="0"/>
<option o_friction="1 1 1 1 1 1"/>
<statistic extent="0"/>
<statistic extent="-1"/>
<statistic meanmass="0"/>
<statistic meanmass="-1"/>
<statistic meaninertia="0"/>
<statistic meansize="-1"/>
<visual><global realtime="0"/></visual>
<visual><global realtime="-1"/></visual>
<visual><global fovy="200"/></visual>
<visual><global offwidth="0"/></visual>
<visual><global cameraid="-5"/></visual>
<visual><global cameraid="100"/></visual>
<visual><map znear="0"/></visual>
<visual><map znear="-1"/></visual>
<visual><map zfar="0"/></visual>
<visual><map znear="2" zfar="1"/></visual>
<visual><quality shadowsize="-1"/></visual>
<visual><headlight active="2"/></visual>
<visual><scale foo="1"/></visual>
<compiler eulerseq="xy"/>
<compiler eulerseq="xyzx"/>
<compiler eulerseq="abc"/>
<compiler eulerseq="xYz"/>
<compiler angle="deg"/>
<compiler exactmeshinertia="true"/>
<compiler convexhull="false"/>
<compiler meshdir="a" texturedir="b" assetdir="c"/>
<compiler inertiagrouprange="0 1 2"/>
<compiler inertiagrouprange="1"/>
<compiler/><compiler/>
""")
add("settings: bad eulerseq used", full('<compiler eulerseq="abc"/>', '<geom size="1" euler="1 2 3"/>'))
add("settings: eulerseq xxx used", full('<compiler eulerseq="xxx"/>', '<geom size="1" euler="1 2 3"/>'))
for _a in ('mode="none"', 'mode="all"', 'mode="muscle"', 'mode="muscleuser"', 'mode="foo"', 'useexisting="false"', 'uselimit="true"', 'accel="0"', 'accel="-1"',
           'maxforce="-1"', 'timeconst="0"', 'timestep="0"', 'timestep="-1"', 'inttotal="0"', 'interval="0"', 'interval="20"', 'tolrange="0"', 'tolrange="-1"',
           'tolrange="1"'):
    for _m in ('<muscle joint="ja" lengthrange="0 1"/>', '<muscle joint="ja"/>', '<muscle joint="jb"/>', '<motor joint="ja"/>'):
        add(f"lengthrange: {_a} {_m}", full(f"<compiler><lengthrange {_a}/></compiler>", tail=f"<actuator>{_m}</actuator>"))

each("custom", lambda x: scene(f"<custom>{x}</custom>"), """
<numeric name="n"/>
<numeric data="1"/>
<numeric name="" data="1"/>
<numeric name="n" data=""/>
<numeric name="n" size="0"/>
<numeric name="n" size="3"/>
<numeric name="n" size="3" data=""/>
<numeric name="n" size="1" data="1 2"/>
<numeric name="n" size="5" data="1 2"/>
<numeric name="n" size="-1" data="1 2"/>
<numeric name="n" size="500"/>
<numeric name="n" size="501"/>
<numeric name="n" data="1"/><numeric name="n" data="2"/>
<text name="t"/>
<text data="x"/>
<text name="t" data=""/>
<text name="t" data=" "/>
<text name="t" data="a"/><text name="t" data="b"/>
<tuple name="u"/>
<tuple/>
<tuple name="u"><element/></tuple>
<tuple name="u"><element objtype="body"/></tuple>
<tuple name="u"><element objname="a"/></tuple>
<tuple name="u"><element objtype="body" objname=""/></tuple>
<tuple name="u"><element objtype="body" objname="a" prm="x"/></tuple>
<tuple name="u"><element objtype="body" objname="a"/><element objtype="body" objname="a"/></tuple>
<tuple name="u"><element objtype="tuple" objname="u"/></tuple>
<tuple name="u"><element objtype="default" objname="c"/></tuple>
<tuple name="u"><element objtype="frame" objname="c"/></tuple>
<tuple name="u"><element objtype="key" objname="c"/></tuple>
<foo/>
""")

each("material", lambda x: head(f"<asset>{x}</asset>"), """
<material/>
<material name=""/>
<material name="x"/><material name="x"/>
<material name="x" texture="zzz"/>
<material name="x" texture="tex"/>
<material name="x" texture=""/>
<material name="x" texture="tex"><layer role="rgb" texture="tex"/></material>
<material name="x"><layer role="rgb" texture="tex"/><layer role="rgb" texture="tex"/></material>
<material name="x"><layer role="foo" texture="tex"/></material>
<material name="x"><layer texture="tex"/></material>
<material name="x"><layer role="rgb"/></material>
<material name="x"><layer role="rgb" texture="zzz"/></material>
<material name="x" class="zzz"/>
<material name="x" shininess="5"/>
<material name="x" specular="-1"/>
<material name="x" reflectance="2"/>
<material name="x" texrepeat="0 0"/>
<material name="x" texrepeat="-1 -1"/>
<material name="mat"/>
""")
each("texture", lambda x: head(f"<asset>{x}</asset>"), """
<texture/>
<texture name="x"/>
<texture name="x" builtin="flat"/>
<texture name="x" builtin="flat" width="4"/>
<texture name="x" builtin="flat" width="4" height="4"/>
<texture name="x" builtin="flat" width="0" height="4"/>
<texture name="x" builtin="flat" width="-4" height="4"/>
<texture name="x" type="2d" builtin="flat" width="4" height="0"/>
<texture name="x" type="2d" builtin="flat" width="4" height="8"/>
<texture name="x" type="cube" builtin="flat" width="4" height="8"/>
<texture name="x" type="cube" builtin="flat" width="4" height="24"/>
<texture name="x" type="cube" builtin="flat" width="4" height="0"/>
<texture name="x" type="skybox" builtin="gradient" width="4" height="4"/>
<texture type="skybox" builtin="gradient" width="4" height="4"/>
<texture type="skybox" builtin="gradient" width="4" height="4"/><texture type="skybox" builtin="gradient" width="4" height="4"/>
<texture type="2d" builtin="flat" width="4" height="4"/>
<texture type="cube" builtin="flat" width="4" height="4"/>
<texture name="x" builtin="none"/>
<texture name="x" type="2d" builtin="none" width="4" height="4"/>
<texture name="x" type="2d" nchannel="0" builtin="flat" width="4" height="4"/>
<texture name="x" type="2d" nchannel="1" builtin="flat" width="4" height="4"/>
<texture name="x" type="2d" nchannel="2" builtin="flat" width="4" height="4"/>
<texture name="x" type="2d" nchannel="4" builtin="flat" width="4" height="4"/>
<texture name="x" type="2d" nchannel="5" builtin="flat" width="4" height="4"/>
<texture name="x" type="2d" nchannel="-1" builtin="flat" width="4" height="4"/>
<texture name="x" type="2d" builtin="gradient" width="4" height="4" mark="cross" markrgb="1 0 0"/>
<texture name="x" type="2d" builtin="flat" width="4" height="4" random="2" mark="random"/>
<texture name="x" type="2d" builtin="flat" width="4" height="4" random="-1" mark="random"/>
<texture name="x" type="2d" file="zzz.png"/>
<texture name="x" type="2d" file="bad.png"/>
<texture name="x" type="2d" file="empty.png"/>
<texture name="x" type="2d" file="text.png"/>
<texture name="x" type="2d" file="kid.xml"/>
<texture type="2d" file="bad.png"/>
<texture name="x" type="2d" file="bad.png" builtin="flat" width="4" height="4"/>
<texture name="x" type="cube" file="bad.png" gridsize="3 4"/>
<texture name="x" type="cube" file="bad.png" gridsize="3 4" gridlayout=".U..LFRB.D.."/>
<texture name="x" type="cube" file="bad.png" gridsize="3 4" gridlayout=".U..LFRB.D."/>
<texture name="x" type="cube" file="bad.png" gridsize="2 2" gridlayout="...."/>
<texture name="x" type="cube" file="bad.png" gridsize="2 2" gridlayout="XXXX"/>
<texture name="x" type="cube" file="bad.png" gridlayout="RLUDFB"/>
<texture name="x" type="cube" gridsize="0 0" builtin="flat" width="4"/>
<texture name="x" type="cube" gridsize="-1 2" builtin="flat" width="4"/>
<texture name="x" type="cube" gridsize="100 100" builtin="flat" width="4"/>
<texture name="x" type="cube" gridsize="3 4" gridlayout="RRRRRRRRRRRRRRR" builtin="flat" width="4"/>
<texture name="x" type="cube" fileright="zzz.png"/>
<texture name="x" type="cube" fileright="bad.png" fileleft="bad.png"/>
<texture name="x" type="2d" fileright="bad.png"/>
<texture name="x" type="2d" builtin="flat" width="4" height="4" content_type="foo/bar"/>
<texture name="x" type="2d" file="bad.png" content_type="foo/bar"/>
<texture name="tex" type="2d" builtin="flat" width="4" height="4"/>
""")

_H = "<geom type='hfield' hfield='x'/>"
each("hfield", lambda x: full(f"<asset>{x}</asset>", _H), """
<hfield name="x"/>
<hfield size="1 1 1 1" nrow="2" ncol="2"/>
<hfield name="x" size="1 1 1 1" nrow="2" ncol="2"/>
<hfield name="x" size="1 1 1 1"/>
<hfield name="x" size="1 1 1 1" nrow="2"/>
<hfield name="x" size="1 1 1 1" nrow="0" ncol="2"/>
<hfield name="x" size="1 1 1 1" nrow="-2" ncol="2"/>
<hfield name="x" size="1 1 1 1" nrow="-2" ncol="-2"/>
<hfield name="x" size="1 1 1 1" nrow="1" ncol="1"/>
<hfield name="x" size="1 1 1 1" nrow="1" ncol="2"/>
<hfield name="x" size="1 1 1 1" nrow="2" ncol="1"/>
<hfield name="x" size="0 1 1 1" nrow="2" ncol="2"/>
<hfield name="x" size="1 -1 1 1" nrow="2" ncol="2"/>
<hfield name="x" size="1 1 0 1" nrow="2" ncol="2"/>
<hfield name="x" size="1 1 1 0" nrow="2" ncol="2"/>
<hfield name="x" size="1 1 1" nrow="2" ncol="2"/>
<hfield name="x" size="1 1 1 1" nrow="2" ncol="2" elevation="1 2 3"/>
<hfield name="x" size="1 1 1 1" nrow="2" ncol="2" elevation="1 2 3 4"/>
<hfield name="x" size="1 1 1 1" nrow="2" ncol="2" elevation="1 2 3 4 5"/>
<hfield name="x" size="1 1 1 1" nrow="2" ncol="2" elevation=""/>
<hfield name="x" size="1 1 1 1" nrow="2" ncol="2" elevation="-1 -1 -1 -1"/>
<hfield name="x" size="1 1 1 1" elevation="1 2 3 4"/>
<hfield name="x" size="1 1 1 1" nrow="100000" ncol="100000"/>
<hfield name="x" size="1 1 1 1" file="zzz.png"/>
<hfield name="x" size="1 1 1 1" file="bad.png"/>
<hfield name="x" size="1 1 1 1" file="t.hf"/>
<hfield name="x" size="1 1 1 1" file="short.hf"/>
<hfield name="x" size="1 1 1 1" file="neg.hf"/>
<hfield name="x" size="1 1 1 1" file="huge.hf"/>
<hfield name="x" size="1 1 1 1" file="tiny.hf"/>
<hfield name="x" size="1 1 1 1" file="long.hf"/>
<hfield name="x" size="1 1 1 1" file="empty.any"/>
<hfield name="x" size="1 1 1 1" file="t.hf" nrow="2" ncol="3"/>
<hfield name="x" size="1 1 1 1" file="t.hf" elevation="1 2 3 4"/>
<hfield name="x" size="1 1 1 1" file="t.hf" content_type="image/png"/>
<hfield name="x" size="1 1 1 1" file="t.hf" content_type="image/vnd.mujoco.hfield"/>
<hfield name="x" size="1 1 1 1" file="t.hf" content_type="foo/bar"/>
<hfield name="hf" size="1 1 1 1" nrow="2" ncol="2"/>
""")

_M = "<geom type='mesh' mesh='x'/>"
_V = 'vertex="0 0 0 1 0 0 0 2 0 0 0 3"'
_F = 'face="0 2 1 0 1 3 0 3 2 1 2 3"'
each("mesh", lambda x: full(f"<asset>{x}</asset>", f"<body>{_M}<joint/></body>"), f"""
<mesh/>
<mesh name="x"/>
<mesh name="x" file=""/>
<mesh name="x" file="zzz.stl"/>
<mesh name="x" file="zzz.obj"/>
<mesh name="x" file="zzz.abc"/>
<mesh name="x" file="zzz"/>
<mesh name="x" {_V}/>
<mesh {_V}/>
<mesh name="x" {_V} {_F}/>
<mesh name="x" {_F}/>
<mesh name="x" vertex=""/>
<mesh name="x" vertex="0 0 0 1 0 0 0 1 0"/>
<mesh name="x" vertex="0 0 0 1 0 0 0 1 0 1 1 0"/>
<mesh name="x" vertex="0 0 0 1 0 0 2 0 0 3 0 0"/>
<mesh name="x" vertex="0 0 0 0 0 0 0 0 0 0 0 0"/>
<mesh name="x" vertex="0 0 0 1 0 0 0 1 0 0 0 1 5"/>
<mesh name="x" vertex="0 0 0 1 0 0 0 1 0 1 1 1e-9"/>
<mesh name="x" vertex="0 0 0 1e-9 0 0 0 1e-9 0 0 0 1e-9"/>
<mesh name="x" {_V} face="0 1"/>
<mesh name="x" {_V} face="0 1 9"/>
<mesh name="x" {_V} face="0 1 -1"/>
<mesh name="x" {_V} face="0 1 1"/>
<mesh name="x" {_V} face="0 1 2"/>
<mesh name="x" {_V} face="0 1 2 0 2 1"/>
<mesh name="x" {_V} face=""/>
<mesh name="x" {_V} face="0 1 2 0 3 1 0 2 3 1 3 2"/>
<mesh name="x" {_V} {_F} inertia="convex"/>
<mesh name="x" {_V} {_F} inertia="exact"/>
<mesh name="x" {_V} {_F} inertia="legacy"/>
<mesh name="x" {_V} {_F} inertia="shell"/>
<mesh name="x" {_V} face="0 1 2 0 3 1 0 2 3 1 3 2" inertia="exact"/>
<mesh name="x" {_V} face="0 1 2 0 3 1 0 2 3 1 3 2" inertia="legacy"/>
<mesh name="x" {_V} face="0 2 1 0 1 3 0 3 2" inertia="exact"/>
<mesh name="x" {_V} face="0 2 1 0 1 3 0 3 2 1 3 2" inertia="exact"/>
<mesh name="x" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2" inertia="shell"/>
<mesh name="x" vertex="0 0 0 1 0 0 0 1 0 1 1 0" face="0 1 2 1 3 2" inertia="shell"/>
<mesh name="x" vertex="0 0 0 1 0 0 0 1 0 1 1 0" face="0 1 2 1 3 2" inertia="exact"/>
<mesh name="x" {_V} normal="0 0 1"/>
<mesh name="x" {_V} normal="0 0 1 0 0 1 0 0 1 0 0 1"/>
<mesh name="x" {_V} {_F} normal="0 0 1 0 0 1 0 0 1 0 0 1"/>
<mesh name="x" {_V} {_F} normal="0 0 1 0 0 1"/>
<mesh name="x" {_V} {_F} normal="0 0 0 0 0 0 0 0 0 0 0 0"/>
<mesh name="x" {_V} {_F} normal="0 0"/>
<mesh name="x" {_V} texcoord="0 0"/>
<mesh name="x" {_V} {_F} texcoord="0 0 0 0 0 0 0 0"/>
<mesh name="x" {_V} {_F} texcoord="0 0 0 0"/>
<mesh name="x" {_V} {_F} texcoord="0"/>
<mesh name="x" {_V} scale="0 1 1"/>
<mesh name="x" {_V} scale="0 0 0"/>
<mesh name="x" {_V} scale="-1 1 1"/>
<mesh name="x" {_V} scale="-1 -1 -1"/>
<mesh name="x" {_V} {_F} scale="-1 1 1"/>
<mesh name="x" {_V} {_F} scale="-1 1 1" inertia="exact"/>
<mesh name="x" {_V} scale="1e10 1e10 1e10"/>
<mesh name="x" {_V} refquat="0 0 0 0"/>
<mesh name="x" {_V} refquat="2 0 0 0"/>
<mesh name="x" {_V} maxhullvert="3"/>
<mesh name="x" {_V} maxhullvert="4"/>
<mesh name="x" {_V} maxhullvert="-1"/>
<mesh name="x" {_V} maxhullvert="0"/>
<mesh name="x" {_V} maxhullvert="-2"/>
<mesh name="x" {_V} material="zzz"/>
<mesh name="x" {_V} material="mat"/>
<mesh name="x" {_V} file="t.stl"/>
<mesh name="x" {_V}/><mesh name="x" {_V}/>
<mesh name="x" {_V} content_type="model/stl"/>
<mesh name="x" file="t.stl"/>
<mesh name="x" file="one.stl"/>
<mesh name="x" file="none.stl"/>
<mesh name="x" file="short.stl"/>
<mesh name="x" file="long.stl"/>
<mesh name="x" file="many.stl"/>
<mesh name="x" file="head.stl"/>
<mesh name="x" file="text.stl"/>
<mesh name="x" file="flat.stl"/>
<mesh name="x" file="nan.stl"/>
<mesh name="x" file="big.stl"/>
<mesh name="x" file="t.stl" content_type="model/stl"/>
<mesh name="x" file="t.stl" content_type="model/obj"/>
<mesh name="x" file="t.stl" content_type="foo/bar"/>
<mesh name="x" file="t.obj"/>
<mesh name="x" file="points.obj"/>
<mesh name="x" file="index.obj"/>
<mesh name="x" file="zero.obj"/>
<mesh name="x" file="neg.obj"/>
<mesh name="x" file="two.obj"/>
<mesh name="x" file="word.obj"/>
<mesh name="x" file="empty.obj"/>
<mesh name="x" file="noise.obj"/>
<mesh name="x" file="nf.obj"/>
<mesh name="x" file="quad.obj"/>
<mesh name="x" file="nan.obj"/>
<mesh name="x" file="t.msh"/>
<mesh name="x" file="short.msh"/>
<mesh name="x" file="long.msh"/>
<mesh name="x" file="neg.msh"/>
<mesh name="x" file="huge.msh"/>
<mesh name="x" file="face.msh"/>
<mesh name="x" file="normal.msh"/>
<mesh name="x" file="few.msh"/>
<mesh name="x" file="nofaces.msh"/>
<mesh name="x" file="empty.any"/>
<mesh name="x" file="kid.xml"/>
<mesh file="t.stl"/>
<mesh name="x" builtin="sphere"/>
<mesh name="x" builtin="sphere" params="1"/>
<mesh name="x" builtin="sphere" params="0"/>
<mesh name="x" builtin="sphere" params="-1"/>
<mesh name="x" builtin="sphere" params="5"/>
<mesh name="x" builtin="sphere" params="1 2"/>
<mesh name="x" builtin="sphere" params="1.5"/>
<mesh name="x" builtin="hemisphere" params="4"/>
<mesh name="x" builtin="hemisphere" params="0"/>
<mesh name="x" builtin="hemisphere" params="11"/>
<mesh name="x" builtin="cone" params="4 .5"/>
<mesh name="x" builtin="cone" params="2 .5"/>
<mesh name="x" builtin="cone" params="4 -1"/>
<mesh name="x" builtin="cone" params="4 2"/>
<mesh name="x" builtin="cone" params="4"/>
<mesh name="x" builtin="supersphere" params="8 1 1"/>
<mesh name="x" builtin="supersphere" params="2 1 1"/>
<mesh name="x" builtin="supersphere" params="8 -1 1"/>
<mesh name="x" builtin="supersphere" params="8 1"/>
<mesh name="x" builtin="supertorus" params="8 .5 1 1"/>
<mesh name="x" builtin="supertorus" params="8 0 1 1"/>
<mesh name="x" builtin="supertorus" params="8 1 1 1"/>
<mesh name="x" builtin="supertorus" params="2 .5 1 1"/>
<mesh name="x" builtin="none" params="1"/>
<mesh name="x" builtin="foo" params="1"/>
<mesh name="x" builtin="sphere" params="1" {_V}/>
<mesh name="x" builtin="sphere" params="1" file="t.stl"/>
<mesh name="x" params="1" {_V}/>
<mesh name="x" {_V}><plugin plugin="x"/></mesh>
""")

_SK = 'vertex="0 0 0 1 0 0 0 1 0" face="0 1 2"'
_BONE = '<bone body="a" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/>'
each("skin", lambda x: head(f"<asset>{x}</asset>"), f"""
<skin/>
<skin name="x"/>
<skin name="x" {_SK}/>
<skin {_SK}>{_BONE}</skin>
<skin name="x" {_SK}>{_BONE}</skin>
<skin name="x" vertex="0 0" face="0 1 2">{_BONE}</skin>
<skin name="x" vertex="0 0 0 1 0 0 0 1 0" face="0 1">{_BONE}</skin>
<skin name="x" vertex="0 0 0 1 0 0 0 1 0" face="0 1 9">{_BONE}</skin>
<skin name="x" vertex="0 0 0 1 0 0 0 1 0" face="0 1 -1">{_BONE}</skin>
<skin name="x" face="0 1 2">{_BONE}</skin>
<skin name="x" vertex="0 0 0 1 0 0 0 1 0">{_BONE}</skin>
<skin name="x" {_SK} texcoord="0 0">{_BONE}</skin>
<skin name="x" {_SK} texcoord="0 0 0 0 0 0">{_BONE}</skin>
<skin name="x" {_SK} material="zzz">{_BONE}</skin>
<skin name="x" {_SK} group="6">{_BONE}</skin>
<skin name="x" {_SK} group="-1">{_BONE}</skin>
<skin name="x" {_SK} inflate="-1">{_BONE}</skin>
<skin name="x" {_SK} file="zzz.skn">{_BONE}</skin>
<skin name="x" file="t.skn"/>
<skin name="x" file="short.skn"/>
<skin name="x" file="huge.skn"/>
<skin name="x" file="neg.skn"/>
<skin name="x" file="empty.any"/>
<skin name="x" {_SK}><bone/></skin>
<skin name="x" {_SK}><bone body="zzz" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/></skin>
<skin name="x" {_SK}><bone body="a" bindpos="0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/></skin>
<skin name="x" {_SK}><bone body="a" bindpos="0 0 0" bindquat="0 0 0 0" vertid="0 1 2" vertweight="1 1 1"/></skin>
<skin name="x" {_SK}><bone body="a" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 5" vertweight="1 1 1"/></skin>
<skin name="x" {_SK}><bone body="a" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 -1" vertweight="1 1 1"/></skin>
<skin name="x" {_SK}><bone body="a" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1" vertweight="1 1"/></skin>
<skin name="x" {_SK}><bone body="a" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1"/></skin>
<skin name="x" {_SK}><bone body="a" bindpos="0 0 0" bindquat="1 0 0 0" vertid="" vertweight=""/></skin>
<skin name="x" {_SK}><bone body="a" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="0 0 0"/></skin>
<skin name="x" {_SK}><bone body="a" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="-1 -1 -1"/></skin>
""")

each("include", world, """
<include/>
<include file=""/>
<include file="zzz.xml"/>
<include file="part.xml"/>
<include file="part.xml"/><include file="part.xml"/>
<include file="self.xml"/>
<include file="ping.xml"/>
<include file="bad.xml"/>
<include file="badpart.xml"/>
<include file="zero.xml"/>
<include file="empty.xml"/>
<include file="part.xml" prefix="a"/>
<include file="part.xml"><geom size="1"/></include>
<include file="full.xml"/>
""")
each("include section", head, """
<include file="full.xml"/>
<include file="part.xml"/>
<include file="notmodel.xml"/>
""")
_K = '<asset><model name="kid" file="kid.xml"/></asset>'
each("attach", lambda x: full(_K, x), """
<attach/>
<attach model="kid"/>
<attach prefix="p"/>
<attach model="kid" prefix="p"/>
<attach model="kid" prefix=""/>
<attach model="kid" body="k" prefix="p"/>
<attach model="kid" body="zzz" prefix="p"/>
<attach model="kid" body="" prefix="p"/>
<attach model="kid" body="world" prefix="p"/>
<attach model="zzz" body="k" prefix="p"/>
<attach model="kid" body="k" prefix="p"/><attach model="kid" body="k" prefix="p"/>
<attach model="kid" body="k" prefix="p"/><attach model="kid" body="k" prefix="q"/>
<attach model="kid" body="k" prefix="p"/><body name="pk"/>
<body name="pk"/><attach model="kid" body="k" prefix="p"/>
<body><attach model="kid" body="k" prefix="p"/></body>
<frame><attach model="kid" body="k" prefix="p"/></frame>
<attach model="kid" body="k" prefix="p" name="x"/>
<attach model="kid" body="k" prefix="p"><geom size="1"/></attach>
""")
each("model asset", lambda x: head(f"<asset>{x}</asset>"), """
<model/>
<model name="m1"/>
<model file="kid.xml"/>
<model file="zzz.xml"/>
<model file="bad.xml"/>
<model file="broken.xml"/>
<model file="notmodel.xml"/>
<model file="empty.xml"/>
<model name="m1" file="kid.xml"/><model name="m1" file="kid.xml"/>
<model file="kid.xml"/><model file="kid.xml"/>
<model file="kid.xml" content_type="foo"/>
<model file="kid.xml" content_type="text/xml"/>
""")
each("not run", str, """
<mujoco><worldbody><flexcomp/></worldbody></mujoco>
<mujoco><deformable><flex/></deformable></mujoco>
<mujoco><extension><plugin/></extension></mujoco>
<mujoco><extension><plugin plugin="zzz"/></extension></mujoco>
<mujoco><extension><plugin plugin="zzz"><instance/></plugin></extension></mujoco>
<mujoco><extension><plugin plugin="zzz"><config/></plugin></extension></mujoco>
<mujoco><extension/></mujoco>
<mujoco><worldbody><body><plugin/></body></worldbody></mujoco>
<mujoco><worldbody><geom size="1"><plugin/></geom></worldbody></mujoco>
<mujoco><worldbody><body><plugin plugin="zzz"/></body></worldbody></mujoco>
<mujoco><worldbody><composite/></worldbody></mujoco>
<mujoco><worldbody><composite type="foo"/></worldbody></mujoco>
""")


def cases():
    return list(DOCUMENTS.items())
