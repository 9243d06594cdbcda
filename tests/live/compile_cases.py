# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Small models that exercise each feature of the compiler: what must compile the same, and what must be rejected."""

# a world that links refer to: hinges, slide, ball, free joint, sites, geoms of several types
SCENE = """
<body name="a" pos="0 0 1"><joint name="ja"/><geom name="ga" size=".1"/>
  <geom name="gcy" type="cylinder" size=".1 .2"/><site name="sa" pos=".1 .2 .3"/>
  <body name="b" pos="1 0 0"><joint name="jb" range="-20 40"/><geom name="gb" type="box" size=".1 .1 .1"/>
    <site name="sb"/></body></body>
<body name="c" pos="3 0 0" euler="0 0 30"><freejoint name="fj"/><geom name="gc" type="capsule" size=".1 .1"/></body>
<site name="sw"/>
<body name="ba"><joint name="jba" type="ball"/><geom size=".1"/></body>
<body name="sl"><joint type="slide" name="js" range="1 2"/><geom size=".1"/></body>
<body name="sp" pos="0 5 0"><joint type="slide"/><geom name="gs" size=".1"/></body>
<camera name="cam" resolution="10 10"/>"""
TENDONS = """<tendon><fixed name="t1" range="0 1"><joint joint="ja" coef="2"/></fixed>
<spatial name="t2"><site site="sa"/><site site="sb"/></spatial>
<spatial name="t3"><site site="sw"/><geom geom="gs"/><site site="sa"/></spatial>
<fixed name="t4"><joint joint="ja" coef="1"/><joint joint="js" coef="2"/></fixed></tendon>"""
PRIMITIVES = (("sphere", ".3"), ("capsule", ".3 .4"), ("cylinder", ".3 .4"), ("ellipsoid", ".3 .4 .5"), ("box", ".3 .4 .5"))
JOINT = '<body><joint %s/><geom size="1"/></body>'
SLIDE = '<joint type="slide"/>'
TREES = """<body name="a"%s><joint name="ja"/><geom size=".1"/><site name="sa"/>
<body name="a2"><joint name="ja2"/><geom size=".1"/></body></body>
<body name="b" pos="3 0 0"><joint name="jb"/><geom size=".1"/><site name="sb"/></body>
<body name="c" pos="6 0 0"><freejoint name="fc"/><geom size=".1"/><site name="sc"/></body>"""
STATE = """<body name="b"><joint name="j" ref="30"/><joint type="slide"/><geom size="1"/></body>
<body name="m" mocap="true" pos="1 2 3" quat="1 1 0 0"/>
<body name="f" pos="3 2 1" quat="1 0 1 0"><freejoint/><geom size="1"/></body>"""
ACTUATED = '<actuator><motor joint="j"/><general joint="j" dyntype="integrator" ctrlrange="1 2"/></actuator>'
VISUAL = """<site name="q"/><body name="a"><joint/><geom name="c" size="1" material="mm"/>
<geom name="v" size=".5" pos="1 0 0" contype="0" conaffinity="0"/><site name="q2"/></body><light/><camera/>"""
VISUAL_ASSETS = """<compiler discardvisual="true"/><asset><texture name="t" type="2d" builtin="flat" width="4" height="4"/>
<material name="mm" texture="t"/></asset>"""


def _cases():
    """name -> (before the world, world, after the world)"""
    out = {}

    def add(name, body, tail="", head=""):
        assert name not in out, name
        out[name] = (head, body, tail)

    for shell in ("false", "true"):
        for kind, size in PRIMITIVES:
            add(f"{kind} shell {shell}",
                f'<body><geom type="{kind}" size="{size}" shellinertia="{shell}" fluidshape="ellipsoid"/></body>')
    add("fluid coefficients", '<geom type="ellipsoid" size=".1 .2 .3" fluidshape="ellipsoid" fluidcoef="1 2 3 4 5"/>')

    # inertia of bodies
    inertial = '<body><joint/><inertial pos="1 2 3" mass="2" %s/></body>'
    add("full inertia", inertial % 'fullinertia="3 4 5 .1 .2 .3"')
    add("diagonal inertia", inertial % 'diaginertia="3 4 5" quat="1 2 3 4"')
    parts = ('<body><joint/><geom size=".1" group="1"/><geom size=".2 .3 .1" pos=".3 .1 .2" type="box" euler="10 20 30"/>'
             '<geom type="cylinder" size=".1 .3" pos="1 0 0" group="2"/><body><joint type="slide"/>'
             '<inertial pos=".1 .1 .1" mass="1" diaginertia="1 2 2.5"/></body></body>')
    for setting in ('boundmass="3"', 'boundinertia=".5"', 'settotalmass="7"', 'inertiafromgeom="true"',
                    'inertiagrouprange="1 2"', 'autolimits="false"'):
        add("compiler " + setting, parts, head=f"<compiler {setting}/>")
    add("balanced inertia", inertial % 'diaginertia="3 4 9"', head='<compiler balanceinertia="true"/>')
    add("mass without geoms", '<body pos="1 2 3"><body pos="0 0 1"><geom size="1" mass="0"/></body></body>')
    free = '<body>%s<geom type="box" size=".1 .2 .3" pos="1 0 0" euler="10 20 30"/><geom size=".1"/>%s</body>'
    add("aligned free body", free % ("<freejoint/>", '<site pos="1 1 1"/><camera/><light/>'), head='<compiler alignfree="true"/>')
    add("aligned free joint", free % ('<freejoint align="true"/>', ""))
    add("free body with child", free % ('<freejoint align="true"/>', '<body><geom size="1"/></body>'))

    # poses
    for setting in ("", 'angle="radian"', 'eulerseq="XYZ"', 'eulerseq="zyx" angle="radian"'):
        add("frames " + setting, """<frame pos="1 2 3" euler="10 20 30"><frame axisangle="1 1 0 30" pos="0 1 0">
<geom size=".1" pos="1 0 0" euler="5 6 7"/><body xyaxes="1 1 0 0 0 1" pos="0 0 1">
<joint axis="1 1 1" pos=".1 .2 .3" range="-.1 .2"/><geom type="capsule" size=".1" fromto="0 0 0 1 2 3"/>
<frame euler="1 2 3" pos="3 2 1"><joint type="slide" axis="0 1 0"/><camera pos="1 1 1" zaxis="1 1 1"/>
<light pos="1 2 3" dir="1 1 0"/><site type="box" size="1 1 1" fromto="0 0 0 0 1 1"/></frame></body></frame></frame>""",
            head=f"<compiler {setting}/>")
    add("default classes", """<body childclass="a"><joint/><geom/><geom class="b"/><body childclass="b">
<joint class="a"/><geom/><frame childclass="a"><geom/></frame></body></body>""",
        head="""<default><geom size=".3"/><default class="a"><geom size=".1" friction=".5"/>
<joint damping="2" stiffness="3" range="-1 1"/><default class="b"><geom type="box" size=".1 .2 .3" rgba="1 0 0 1"/>
<joint armature=".1"/></default></default></default>""")
    add("same frames", """<body><geom size=".1" pos="1 0 0" euler="10 0 0"/><site pos="1 0 0" euler="10 0 0"/>
<site euler="10 0 0"/><site pos="1 0 0"/></body><body><geom size=".1" pos="1 0 0"/><site pos="1 0 0"/></body>""")

    # joints
    for setting in ('range="1 -1"', 'range="-60 60" limited="false"', 'type="ball" range="0 60"', 'actuatorfrcrange="-1 1"',
                    'type="free" range="0 1" limited="true"', 'frictionloss="1"', 'armature="1" springref="20" ref="30"'):
        add("joint " + setting, JOINT % setting)
    for name, joints in (("ball and slide", '<joint type="ball"/>' + SLIDE), ("hinge and slide", "<joint/>" + SLIDE),
                         ("three hinges", "".join(f"""<joint axis="{a}" pos=".{i} 0 0"/>""" for i, a in enumerate(("1 0 0", "0 1 0", "1 1 1")))), ("slide", SLIDE), ("diagonal slide", '<joint type="slide" axis="1 1 0"/>'),
                         ("slides", SLIDE + '<joint type="slide" axis="1 0 0" armature="1"/>'), ("slide and hinge", SLIDE + "<joint/>")):
        add("joints: " + name, f'<body>{joints}<geom size=".1"/><body pos="1 2 3">{joints}<geom size=".1"/></body></body>')
    add("springs by time constant", """<body><joint springdamper="1 .5" armature="1"/><geom size=".1" pos="1 0 0"/>
<body><joint type="ball" springdamper="2 .7"/><geom size=".1" pos=".2 0 0"/></body></body>
<body><joint type="slide" ref="3" springref="1" springdamper=".5 1"/><geom size="1"/></body>
<body><joint type="free" springdamper=".5 1"/><geom size="1" pos="1 1 0"/></body>""")
    add("trees", """<geom type="plane" size="1 1 1"/><geom type="plane" size="0 0 1"/><body><freejoint/><geom size=".1"/>
<body pos="0 0 1"><joint axis="0 1 0"/><geom size=".2" pos=".1 0 0"/><body pos="1 0 0"><geom size=".3" contype="0"/></body></body>
<body pos="1 0 0"><joint/><geom type="box" size=".1 .2 .3"/></body></body>
<body><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><geom size=".1"/></body>
<body><joint type="ball"/><geom size=".1"/></body>
<body><geom size=".1"/><body><joint/><geom size=".1 .1 .1" type="box"/></body></body>
<body><joint/><geom size=".1"/><body><joint/><geom type="capsule" size=".1 .2"/></body></body>""")
    add("user data", '<body user="1 2"><joint user="1 2 3"/><geom size="1" user="5"/><site user="4"/><camera user="1 1"/></body>')
    add("gravity compensation", '<body gravcomp="1"><joint actuatorgravcomp="true"/><geom size="1" margin=".3" gap=".1"/></body>')
    add("bounding volumes", "<body pos='1 2 3' euler='10 20 30'><freejoint/>" + "".join(
        f'<geom type="box" size=".1 .2 .{i + 1}" pos="{i * 7 % 5} {i * 3 % 4} {i * 5 % 7}" euler="{i * 20} {i * 30} 0" contype="{i % 3}"/>'
        for i in range(13)) + "</body>" + "".join(f'<geom size=".{i}" pos="{i * i} {i} 0"/>' for i in range(1, 7)))

    # cameras, lights, options
    sensor = 'sensorsize="1 2" resolution="10 20" '
    for setting in ("", 'fovy="30" resolution="10 20"', sensor + 'focal="3 4" principal=".1 .2"', 'mode="targetbody" target="world"',
                    sensor + 'focalpixel="3 4" principalpixel="1 2"', 'orthographic="true" fovy="5" ipd=".1"', 'mode="track"'):
        add("camera " + setting, f"<camera {setting}/><body pos='1 2 3'><geom size='1'/><camera pos='1 1 1' {setting}/></body>",
            head='<visual><map znear=".02"/></visual>')
    add("lights", """<light dir="1 1 1" pos="1 2 3"/><body name="b" pos="1 0 0"><geom size="1"/><light mode="targetbody"
target="b" type="directional" castshadow="false" attenuation="1 2 3"/></body>""")
    add("materials", "<geom size='1' material='m'/>", head="""<asset><texture name="t" type="2d" builtin="flat" width="10"
height="10"/><material name="m" texture="t" texrepeat="2 3" rgba="1 0 1 .5"/><material name="m2"><layer role="rgb"
texture="t"/><layer role="orm" texture="t"/></material></asset>""")
    add("options", "", head="""<option timestep=".01" gravity="0 0 -1" integrator="RK4" cone="elliptic" jacobian="sparse"
solver="CG" iterations="5" o_margin=".1" o_solref="1 2"><flag contact="disable" energy="enable"/></option>
<visual><global fovy="30"/><map znear=".1"/></visual><statistic extent="3" center="1 2 3" meanmass="5" meansize="1"/>""")
    for name, body in (("empty", ""), ("sphere", '<geom size=".1" pos="1 0 0"/>'), ("sites", '<site pos="1 0 0"/><site pos="3 0 0"/>'),
                       ("plane", '<geom type="plane" size="2 3 1" pos="1 0 0"/>'), ("strip", '<geom type="plane" size="2 0 1"/>'),
                       ("infinite plane", '<geom type="plane" size="0 0 1" pos="1 0 0"/>')):
        add("statistics " + name, body)
    for setting in ('nuserdata="5"', 'njmax="100"', 'nconmax="100"', 'memory="10M"', 'nstack="1000"', 'nkey="2"', 'nuser_geom="2"'):
        add("size " + setting, '<body><geom size="1"/></body>', head=f"<size {setting}/>")

    # links
    for link in ('<pair geom1="gb" geom2="ga"/><pair geom1="gc" geom2="gb" friction="1 2 3 4 5"/><exclude body1="c" body2="a"/>'
                 '<exclude body1="a" body2="b"/><pair geom1="gcy" geom2="ga"/>', '<exclude body1="a" body2="a"/>'):
        add("contact " + link, SCENE, f"<contact>{link}</contact>")
    for link in ('<connect body1="a" anchor=".1 .2 .3"/>', '<connect body1="a" body2="c" anchor=".1 .2 .3" active="false"/>',
                 '<connect site1="sa" site2="sb"/>', '<weld body1="a" body2="c"/>', '<weld body1="a"/>', '<joint joint1="ja"/>',
                 '<weld body1="a" body2="c" relpose="1 2 3 1 1 0 0" anchor="1 1 1" torquescale=".5"/>',
                 '<weld body1="a" body2="c" anchor="1 1 1"/>', '<weld site1="sa" site2="sb" torquescale="3"/>',
                 '<joint joint1="ja" joint2="jb" polycoef="1 2 3 4 5"/>'):
        add("equality " + link, SCENE, f"<equality>{link}</equality>")
    add("equality of tendons", SCENE, TENDONS + '<equality><tendon tendon1="t1" tendon2="t4" polycoef="1 2"/></equality>')
    for link in ('<spatial range="0 3" springlength="1"><site site="sw"/><geom geom="ga" sidesite="sa"/><site site="sb"/>'
                 '<pulley divisor="2"/><site site="sw"/><geom geom="gcy"/><site site="sa"/></spatial>',
                 '<fixed springlength="1 2" user="1 2"><joint joint="jb" coef="2"/><joint joint="js" coef="1"/></fixed>',
                 '<spatial armature="1"><site site="sa"/><site site="sb"/></spatial>', '<fixed range="1 0"><joint joint="ja" coef="1"/></fixed>',
                 '<fixed armature="1"><joint joint="ja" coef="1"/><joint joint="js" coef="1"/></fixed>'):
        add("tendon " + link, SCENE, f"<tendon>{link}</tendon>")
    for link in ('<motor joint="ja"/>', '<position joint="jb" kp="3" dampratio="1"/>', '<position joint="jb" kv="2" inheritrange="1"/>',
                 '<intvelocity joint="jb" kp="2" inheritrange=".5"/>', '<velocity joint="ja" kv="2"/>', '<motor tendon="t4"/>',
                 '<damper joint="ja" kv="2" ctrlrange="0 1"/>', '<cylinder joint="ja" area=".2" timeconst=".1"/>', '<motor joint="fj"/>',
                 '<adhesion body="a" gain="2" ctrlrange="0 1"/>', '<muscle joint="jb"/>', '<muscle tendon="t2" lengthrange=".5 2"/>',
                 '<motor site="sa" gear="1 2 3 4 5 6"/>', '<motor site="sa" refsite="sb" gear="1 2 3 4 5 6"/>', '<motor jointinparent="jba"/>',
                 '<motor slidersite="sa" cranksite="sb" cranklength="1"/>', '<position tendon="t2" kp="2" dampratio="1"/>',
                 '<general joint="ja" dyntype="user" actdim="3" actrange="0 1" actearly="true" group="3"/>',
                 '<position tendon="t1" kp="4" dampratio=".5" timeconst=".2" ctrlrange="1 0"/>'):
        add("actuator " + link, SCENE, TENDONS + f"<actuator>{link}</actuator>")
    for mode in ('mode="all"', 'mode="none"'):
        add("length range " + mode, """<body><joint name="j" range="-20 30" damping="1"/><geom type="capsule" size=".1" fromto="0 0 0 0 0 1"/>
</body><body pos="5 0 0"><joint name="js" type="slide" range="-1 2"/><geom size=".1"/></body>""",
            '<actuator><muscle joint="j"/><motor joint="js" gear="2"/><motor joint="js" gear="-2"/></actuator>',
            f"<compiler><lengthrange {mode}/></compiler>")
    add("length range of limits", SCENE, '<actuator><motor joint="js" gear="2"/></actuator>',
        '<compiler><lengthrange mode="all" uselimit="true"/></compiler>')
    for link in ('<touch site="sa" cutoff="1"/><accelerometer site="sa" noise=".1"/><gyro site="sa"/><rangefinder site="sa"/>',
                 '<camprojection site="sa" camera="cam"/><jointpos joint="ja"/><tendonpos tendon="t1"/><actuatorfrc actuator="m"/>',
                 '<jointactuatorfrc joint="ja"/><ballquat joint="jba"/><jointlimitpos joint="jb"/><tendonlimitfrc tendon="t1"/>',
                 '<framepos objtype="xbody" objname="a" reftype="site" refname="sb"/><framequat objtype="geom" objname="ga"/>',
                 '<framexaxis objtype="camera" objname="cam"/><framelinacc objtype="site" objname="sa"/><subtreecom body="a"/>',
                 '<insidesite site="sa" objtype="geom" objname="ga"/><distance geom1="ga" geom2="gb" cutoff="1"/>',
                 '<normal body1="a" body2="c"/><fromto geom1="ga" body2="c" cutoff="3"/><e_potential/><e_kinetic/><clock/>',
                 '<contact data="force dist" num="2" reduce="mindist"/><contact subtree1="a" geom2="gc"/>',
                 '<user dim="3" user="1 2"/><user objtype="body" objname="a" datatype="axis" needstage="vel" dim="3"/>'):
        add("sensor " + link, SCENE, TENDONS + f'<actuator><motor name="m" joint="ja"/></actuator><sensor>{link}</sensor>')
    for policy in ("auto", "never", "allowed", "init"):
        add("sleep " + policy, TREES % f' sleep="{policy}"', '<actuator><motor joint="ja2"/></actuator>')
    for link in ('<tendon><spatial stiffness="1"><site site="sa"/><site site="sb"/></spatial></tendon>',
                 '<tendon><spatial><site site="sa"/><site site="sb"/><site site="sc"/></spatial></tendon>',
                 '<actuator><motor site="sc"/></actuator>', '<actuator><adhesion body="c" ctrlrange="0 1"/></actuator>'):
        add("sleep " + link, TREES % "", link)

    # keyframes, custom fields
    for key in ("<key/>", '<key qpos="9 8 7 6 5 4 3 2 1"/>', '<key qvel="1" mpos="1 2" mquat="0 0 0 0"/>',
                '<key time="1" qpos="1 2 3 4 5 6 7 8 9" act="1" ctrl="3 4" mpos="1 1 1" mquat="2 0 0 0"/>'):
        add("keyframe " + key, STATE, ACTUATED + f"<keyframe>{key}</keyframe>")
    add("custom fields", STATE, """<custom><numeric name="n" size="3" data="1 2"/><text name="t" data="abc"/><tuple name="u">
<element objtype="body" objname="b"/><element objtype="joint" objname="j" prm="2"/></tuple></custom>""")

    # assets
    add("height fields", '<geom type="hfield" hfield="h"/>', head="""<asset><hfield name="h" nrow="3" ncol="4" size="1 2 3 .4"
elevation="0 1 2 3 4 5 6 7 8 9 10 11"/><hfield name="h2" nrow="2" ncol="2" size="1 1 1 1"/></asset>""")
    add("skin", '<body name="a"><geom size="1"/></body><body name="b"><geom size="1"/></body>', head="""<asset><skin name="s"
vertex="0 0 0 1 0 0 0 1 0 1 1 0" face="0 1 2 1 3 2" texcoord="0 0 1 0 0 1 1 1" inflate=".1" group="2"><bone body="a"
bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 .5"/><bone body="b" bindpos="1 0 0" bindquat="1 1 0 0"
vertid="1 2 3" vertweight="1 1 2"/></skin></asset>""")

    # fewer elements
    for link in ("", '<contact><pair geom1="v" geom2="c"/></contact>', '<sensor><framepos objtype="geom" objname="v"/></sensor>',
                 '<tendon><spatial><site site="q"/><geom geom="v"/><site site="q2"/></spatial></tendon>'):
        add("discardvisual " + link, VISUAL, link, VISUAL_ASSETS)
    add("replicate", '<replicate count="3" euler="0 0 30" offset="1 0 0"><body name="b"><joint name="j"/><geom size=".1"/></body></replicate>')
    return out


CASES = _cases()

# what must be rejected, and a word of the reason: (before the world, world, after the world)
REJECTS = [
    ("ball joint", "", '<body><joint type="ball"/><joint/><geom size="1"/></body>', ""),
    ("6 degrees", "", '<body>' + "<joint/>" * 7 + '<geom size="1"/></body>', ""),
    ("free joint", "", '<body><body><freejoint/><geom size="1"/></body></body>', ""),
    ("range", "", JOINT % 'range="0 0" limited="true"', ""),
    ("limited", '<compiler autolimits="false"/>', JOINT % 'range="0 1"', ""),
    ("zero", "", JOINT % 'type="ball" range="-1 1"', ""),
    ("axis", "", JOINT % 'axis="0 0 0"', ""),
    ("springdamper", "", JOINT % 'springdamper="1 0"', ""),
    ("mass and inertia", "", "<body><joint/></body>", ""),
    ("moment of inertia", "", '<body><joint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 3"/></body>', ""),
    ("positive eigenvalues", "", '<body><inertial pos="0 0 0" mass="1" fullinertia="1 1 1 2 2 2"/></body>', ""),
    ("mocap", "", '<body><body mocap="true"><geom size="1"/></body></body>', ""),
    ("size[1]", "", '<geom type="capsule" size="1"/>', ""),
    ("size[2]", "", '<geom type="plane" size="1 1 0"/>', ""),
    ("static", "", '<body><joint/><geom type="plane" size="1 1 1"/></body>', ""),
    ("condim", "", '<geom size="1" condim="2"/>', ""),
    ("fromto", "", '<geom size="1" fromto="0 0 0 1 1 1"/>', ""),
    ("too close", "", '<geom type="capsule" size="1" fromto="0 0 0 0 0 0"/>', ""),
    ("material named 'none'", "", '<geom size="1" material="none"/>', ""),
    ("mesh", "", '<geom type="mesh"/>', ""),
    ("site", "", '<site type="plane"/>', ""),
    ("fovy", "", '<camera fovy="190"/>', ""),
    ("direction", "", '<light dir="0 0 0"/>', ""),
    ("negative", "", '<body><geom size="1" mass="-1"/></body>', ""),
    ("geom named 'x'", "", SCENE, '<contact><pair geom1="ga" geom2="x"/></contact>'),
    ("differ", "", SCENE, '<equality><weld body1="c" body2="c"/></equality>'),
    ("empty", "", SCENE, "<tendon><spatial/></tendon>"),
    ("between sites", "", SCENE, '<tendon><spatial><site site="sa"/><geom geom="ga"/></spatial></tendon>'),
    ("sphere or a cylinder", "", SCENE, '<tendon><spatial><site site="sa"/><geom geom="gb"/><site site="sb"/></spatial></tendon>'),
    ("pulley", "", SCENE, '<tendon><spatial><site site="sa"/><site site="sb"/><pulley divisor="2"/></spatial></tendon>'),
    ("armature", "", SCENE, '<tendon><spatial armature="1"><site site="sw"/><geom geom="ga"/><site site="sb"/></spatial></tendon>'),
    ("width", "", SCENE, '<tendon><spatial width="0"><site site="sa"/><site site="sb"/></spatial></tendon>'),
    ("transmission", "", SCENE, "<actuator><motor/></actuator>"),
    ("ctrlrange", "", SCENE, '<actuator><motor joint="ja" ctrllimited="true"/></actuator>'),
    ("no activation", "", SCENE, '<actuator><general joint="ja" actrange="0 1"/></actuator>'),
    ("actdim", "", SCENE, '<actuator><general joint="ja" actdim="2" dyntype="integrator"/></actuator>'),
    ("cranklength", "", SCENE, '<actuator><motor slidersite="sa" cranksite="sb"/></actuator>'),
    ("converge", "", SCENE, '<actuator><muscle joint="ja"/></actuator>'),
    ("no range", "", SCENE, '<actuator><position joint="ja" inheritrange="1"/></actuator>'),
    ("hinge or slide", "", SCENE, '<sensor><jointpos joint="fj"/></sensor>'),
    ("limits", "", SCENE, '<sensor><jointlimitpos joint="ja"/></sensor>'),
    ("cutoff", "", SCENE, '<sensor><framequat objtype="body" objname="a" cutoff="1"/></sensor>'),
    ("dim 3", "", SCENE, '<sensor><user dim="2" datatype="axis"/></sensor>'),
    ("sleep", "", TREES % "" + '<body name="z" sleep="never"/>', ""),
    ("act has 2", "", STATE, ACTUATED + '<keyframe><key act="1 2"/></keyframe>'),
    ("nuser_body", '<size nuser_body="1"/>', '<body user="1 2"/>', ""),
    ("no object named 'x'", "", STATE, '<custom><tuple name="t"><element objtype="body" objname="x"/></tuple></custom>'),
]
