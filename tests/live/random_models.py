# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Small random models from a seed: joints, geoms, sites, tendons, actuators, sensors, equalities, classes, options.

The text is a function of the seed alone. Not every model is valid; what the reference refuses must be refused.
"""

import numpy as np

TETRAHEDRON = "0 0 0  .2 0 0  0 .25 0  0 0 .3"
PRISM = "0 0 0  .2 0 0  0 .2 0  0 0 .1  .2 0 .1  0 .2 .1  .1 .1 .2"


def attributes(**given):
    """Text of the attributes that are not None; trailing underscores keep python's keywords usable."""
    out = []
    for name, value in given.items():
        if value is None:
            continue
        if isinstance(value, (list, tuple, np.ndarray)):
            value = " ".join(f"{x:.4g}" for x in value)
        elif isinstance(value, bool):
            value = "true" if value else "false"
        elif isinstance(value, float):
            value = f"{value:.4g}"
        out.append(f'{name.rstrip("_")}="{value}"')
    return " ".join(out)


class Builder:
    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.straight = set()    # sites that are not turned in their bodies
        self.names = {
            k: []
            for k in (
                "body",
                "joint",
                "ball",
                "scalar",
                "geom",
                "round",
                "site",
                "camera",
                "free",
                "tendon",
                "actuator",
                "class",
                "mocap",
                "moving",
                "limited",
                "taut",
            )
        }

    # ---- choices

    def maybe(self, p=0.3):
        return self.rng.random() < p

    def pick(self, items):
        return items[self.rng.integers(len(items))] if len(items) else None

    def num(self, low, high):
        return float(self.rng.uniform(low, high))

    def vec(self, n, scale=1.0):
        return self.rng.uniform(-scale, scale, n)

    def some(self, p, value):
        """The value of a function, or None."""
        return value() if self.maybe(p) else None

    def name(self, kind, *more):
        text = f"{kind}{len(self.names[kind])}"
        for k in (kind, *more):
            self.names[k].append(text)
        return text

    # ---- pieces of attributes

    def orientation(self):
        kind = self.pick(["none", "none", "quat", "euler", "axisangle", "xyaxes", "zaxis"])
        if kind == "quat":
            return {"quat": self.vec(4) + np.array([1, 0, 0, 0])}
        if kind == "euler":
            return {"euler": self.vec(3, 60)}
        if kind == "axisangle":
            return {"axisangle": np.append(self.vec(3) + 1.1, self.num(-90, 90))}
        if kind == "xyaxes":
            return {"xyaxes": np.concatenate([self.vec(3) + [2, 0, 0], self.vec(3) + [0, 2, 0]])}
        if kind == "zaxis":
            return {"zaxis": self.vec(3) + [0, 0, 1.2]}
        return {}

    def solver(self, suffix=""):
        return {
            "solref" + suffix: self.some(0.2, lambda: self.pick([[0.02, 1], [0.05, 0.7], [-300, -20], [0.01]])),
            "solimp"
            + suffix: self.some(0.2, lambda: self.pick([[0.8, 0.9, 0.01], [0.9, 0.95, 0.001, 0.3, 3], [0.5, 0.9]])),
        }

    def use_class(self, p=0.3):
        return self.some(p, lambda: self.pick(self.names["class"]))

    # ---- sections

    def compiler(self):
        return (
            "<compiler "
            + attributes(
                angle=self.some(0.2, lambda: "degree"),
                eulerseq=self.some(0.2, lambda: self.pick(["XYZ", "zyx", "yXz"])),
                inertiafromgeom=self.some(0.2, lambda: self.pick(["true", "auto"])),
                boundmass=self.some(0.1, lambda: 0.2),
                boundinertia=self.some(0.1, lambda: 0.01),
                settotalmass=self.some(0.15, lambda: 7.5),
                balanceinertia=self.some(0.3, lambda: True),
                fitaabb=self.some(0.2, lambda: True),
                alignfree=self.some(0.2, lambda: True),
            )
            + "/>"
        )

    def option(self):
        flags = {
            f: self.some(0.07, lambda: "disable")
            for f in (
                "constraint",
                "equality",
                "frictionloss",
                "limit",
                "contact",
                "spring",
                "damper",
                "gravity",
                "clampctrl",
                "warmstart",
                "filterparent",
                "actuation",
                "refsafe",
                "sensor",
                "midphase",
                "nativeccd",
                "eulerdamp",
                "island",
            )
        }
        flags["energy"] = self.some(0.3, lambda: "enable")
        flags["override"] = self.some(0.05, lambda: "enable")
        flags["invdiscrete"] = self.some(0, lambda: "enable")
        fluid = self.maybe(0.3)
        return (
            "<option "
            + attributes(
                timestep=self.pick([0.001, 0.002, 0.005]),
                gravity=self.some(0.2, lambda: self.vec(3, 9)),
                wind=self.some(0.3 * fluid, lambda: self.vec(3, 2)),
                density=self.some(fluid, lambda: 50.0),
                viscosity=self.some(fluid, lambda: 0.1),
                magnetic=self.some(0.2, lambda: self.vec(3)),
                impratio=self.some(0.2, lambda: 3.0),
                integrator=self.pick(["Euler", "RK4", "implicit", "implicitfast"]),
                cone=self.pick(["pyramidal", "elliptic"]),
                jacobian=self.pick(["auto", "dense", "sparse"]),
                solver=self.pick(["Newton", "Newton", "Newton", "CG", "PGS"]),
                noslip_iterations=self.some(0.1, lambda: 3),
                o_margin=self.some(0.1, lambda: 0.01),
            )
            + "><flag "
            + attributes(**flags)
            + "/></option>"
        )

    def defaults(self):
        def elements():
            parts = []
            if self.maybe():
                parts.append("<joint " + attributes(damping=0.2, armature=self.some(0.5, lambda: 0.05)) + "/>")
            if self.maybe():
                parts.append(
                    "<geom "
                    + attributes(
                        density=self.num(300, 2000), friction=[0.7, 0.01, 0.001], condim=self.pick([1, 3, 4, 6])
                    )
                    + "/>"
                )
            if self.maybe():
                parts.append('<site type="box" size=".02 .03 .04"/>')
            if self.maybe():
                parts.append('<motor gear="3" ctrllimited="true" ctrlrange="-1 2"/>')
            if self.maybe():
                parts.append('<tendon stiffness="5" width=".01"/>')
            if self.maybe():
                parts.append('<equality solref=".03 .9"/>')
            return "".join(parts)

        classes = ""
        for _ in range(self.rng.integers(3)):
            name = self.name("class")
            inner = self.some(0.4, lambda: f'<default class="{self.name("class")}">{elements()}</default>') or ""
            classes += f'<default class="{name}">{elements()}{inner}</default>'
        return f"<default>{elements()}{classes}</default>"

    def asset(self):
        return f"""<asset><mesh name="tetra" vertex="{TETRAHEDRON}"/>
<mesh name="prism" vertex="{PRISM}" {self.pick(['', 'scale="1 2 .5"', 'inertia="convex"', 'inertia="shell"'])}/>
<hfield name="hills" nrow="3" ncol="4" size="2 2 .3 .1" elevation="0 .2 .1 0 .3 .6 .5 .1 0 .1 .2 1"/></asset>"""

    def geom(self, where="body"):
        kind = self.pick(["sphere", "capsule", "box", "cylinder", "ellipsoid", "mesh"])
        size = {"sphere": 1, "capsule": 2, "box": 3, "cylinder": 2, "ellipsoid": 3, "mesh": 0}[kind]
        fromto = kind in ("capsule", "box", "cylinder", "ellipsoid") and self.maybe(0.25)
        shape = {"type": kind}
        if kind == "mesh":
            shape["mesh"] = self.pick(["tetra", "prism"])
        elif fromto:
            shape.update(fromto=self.vec(6, 0.3), size=[self.num(0.04, 0.1)])
        else:
            shape["size"] = self.rng.uniform(0.05, 0.2, size)
        if not fromto:
            shape.update(pos=self.some(0.6, lambda: self.vec(3, 0.2)), **self.orientation())
        label = self.some(0.8, lambda: self.name("geom", *(["round"] if kind in ("sphere", "cylinder") else [])))
        return (
            "<geom "
            + attributes(
                name=label,
                class_=self.use_class(),
                **shape,
                **self.solver(),
                mass=self.some(0.15, lambda: self.num(0.1, 2)),
                density=self.some(0.1, lambda: 500.0),
                condim=self.some(0.3, lambda: self.pick([1, 3, 4, 6])),
                friction=self.some(0.3, lambda: [self.num(0.2, 1), 0.02, 0.003]),
                margin=self.some(0.2, lambda: 0.02),
                gap=self.some(0.1, lambda: 0.01),
                priority=self.some(0.1, lambda: 1),
                solmix=self.some(0.1, lambda: 2.0),
                contype=self.some(0.1, lambda: 2),
                conaffinity=self.some(0.1, lambda: 3),
                group=self.some(0.1, lambda: 2),
                shellinertia=self.some(0.07 * (kind != "mesh"), lambda: True),
                fluidshape=self.some(0.15, lambda: "ellipsoid"),
            )
            + "/>"
        )

    def joint(self, kind):
        label = self.name("joint", kind if kind == "ball" else "scalar")
        limited = self.maybe(0.4)
        if limited:
            self.names["limited"].append(label)
        limit = {"hinge": [-40, 50], "slide": [-0.3, 0.4], "ball": [0, 50]}[kind]
        return (
            "<joint "
            + attributes(
                name=label,
                type=kind,
                class_=self.use_class(),
                pos=self.some(0.4, lambda: self.vec(3, 0.1)),
                axis=None if kind == "ball" else self.vec(3) + [0, 1.2, 0],
                range=limit if limited else None,
                damping=self.some(0.4, lambda: self.num(0.1, 1)),
                stiffness=self.some(0.3, lambda: self.num(1, 20)),
                springref=self.some(0.2, lambda: 0.2),
                ref=self.some(0.15, lambda: 0.1) if kind != "ball" else None,
                armature=self.some(0.4, lambda: self.num(0.01, 0.1)),
                frictionloss=self.some(0.2, lambda: self.num(0.1, 1)),
                margin=self.some(0.1, lambda: 0.05),
                actuatorfrcrange=self.some(0.1, lambda: [-3, 4]) if kind != "ball" else None,
                actuatorgravcomp=self.some(0.1, lambda: True),
                **self.solver("limit"),
                **self.solver("friction"),
            )
            + "/>"
        )

    def site(self):
        name, class_, pos, turn = self.name("site"), self.use_class(0.2), self.vec(3, 0.2), self.orientation()
        if not turn:
            self.straight.add(name)
        return (
            "<site "
            + attributes(
                name=name,
                class_=class_,
                pos=pos,
                **turn,
                type=self.some(0.4, lambda: self.pick(["sphere", "box", "capsule", "ellipsoid", "cylinder"])),
                size=[0.05, 0.06, 0.07],
            )
            + "/>"
        )

    def inertial(self):
        a, b = self.num(0.02, 0.05), self.num(0.02, 0.05)
        full = self.maybe(0.3)
        tensor = (
            {"fullinertia": [a, b, 0.04, 0.003, -0.002, 0.001]}
            if full
            else {"diaginertia": [a, b, 0.04], **self.orientation()}
        )
        return "<inertial " + attributes(pos=self.vec(3, 0.1), mass=self.num(0.5, 2), **tensor) + "/>"

    def joints(self, top):
        if top and self.maybe(0.45):
            self.names["free"].append(self.names["body"][-1])
            return "<freejoint/>" if self.maybe(0.5) else '<joint type="free"/>'
        kinds = [
            ["hinge"],
            ["hinge"],
            ["hinge", "hinge"],
            ["slide"],
            ["slide", "hinge"],
            ["ball"],
            ["hinge", "slide", "hinge"],
            ["slide", "slide", "slide"],
            ["slide", "ball"],
            [],
        ][self.rng.integers(10)]
        return "".join(self.joint(k) for k in kinds)

    def body(self, depth):
        top = depth == 0
        label = self.name("body")
        mocap = top and self.maybe(0.08)
        joints = "" if mocap else self.joints(top)
        if mocap:
            self.names["mocap"].append(label)
        elif joints:
            self.names["moving"].append(label)
        place = self.vec(3, 1.0) + [0, 0, 1] if top else self.vec(3, 0.4)
        parts = [joints] + [self.geom() for _ in range(1 + self.rng.integers(2))]
        parts += [self.inertial()] if self.maybe(0.2) else []
        parts += [self.site() for _ in range(self.rng.integers(3))]
        if self.maybe(0.1):
            mode = self.pick(["fixed", "track", "trackcom"])
            parts.append(
                "<camera "
                + attributes(name=self.name("camera"), pos=self.vec(3), mode=mode, **self.orientation())
                + "/>"
            )
        if self.maybe(0.1):
            parts.append('<light pos="0 0 1" dir="0 1 -1"/>')
        if depth < 3:
            parts += [self.body(depth + 1) for _ in range(self.rng.integers(3 - (depth > 0)))]
        if self.maybe(0.1):
            parts.append(
                "<frame "
                + attributes(pos=self.vec(3, 0.2), **self.orientation())
                + ">"
                + self.geom()
                + self.site()
                + "</frame>"
            )
        return (
            "<body "
            + attributes(
                name=label,
                pos=place,
                **self.orientation(),
                mocap=True if mocap else None,
                childclass=self.use_class(0.15),
                gravcomp=self.some(0.15, lambda: self.num(0.3, 1.2)),
            )
            + ">"
            + "".join(parts)
            + "</body>"
        )

    def world(self):
        ground = (
            '<geom name="floor" type="plane" size="5 5 .1"/>'
            if self.maybe(0.7)
            else '<geom name="floor" type="hfield" hfield="hills" pos="0 0 -.1"/>'
        )
        return (
            "<worldbody>"
            + ground
            + self.site()
            + "".join(self.body(0) for _ in range(2 + self.rng.integers(2)))
            + "</worldbody>"
        )

    def contact(self):
        out = ""
        geoms, bodies = self.names["geom"], self.names["body"]
        if len(geoms) > 1 and self.maybe():
            a, b = self.rng.choice(geoms, 2, replace=False)
            out += (
                "<pair "
                + attributes(
                    geom1=a,
                    geom2=b,
                    condim=self.some(0.5, lambda: 4),
                    margin=self.some(0.3, lambda: 0.3),
                    friction=self.some(0.3, lambda: [0.9, 0.8, 0.01, 0.002, 0.003]),
                    **self.solver(),
                )
                + "/>"
            )
        if len(bodies) > 1 and self.maybe():
            a, b = self.rng.choice(bodies, 2, replace=False)
            out += f'<exclude body1="{a}" body2="{b}"/>'
        return f"<contact>{out}</contact>"

    def equality(self):
        n = self.names
        out = ""
        for _ in range(self.rng.integers(3)):
            common = {"class_": self.use_class(0.1), "active": self.some(0.1, lambda: False), **self.solver()}
            kind = self.pick(["connect", "weld", "joint", "tendon", "sites"])
            if kind in ("connect", "weld") and n["moving"]:
                other = self.some(0.6, lambda: self.pick([b for b in n["body"] if b != n["moving"][0]]))
                extra = {"anchor": self.vec(3, 0.2)} if kind == "connect" or self.maybe(0.3) else {}
                if kind == "weld":
                    extra["torquescale"] = self.some(0.3, lambda: 0.5)
                    extra["relpose"] = self.some(0.2, lambda: [0.1, 0.2, 0, 1, 0.1, 0, 0])
                out += f"<{kind} " + attributes(body1=n["moving"][0], body2=other, **extra, **common) + "/>"
            elif kind == "sites" and len(n["site"]) > 1:
                kind = self.pick(["connect", "weld"])
                out += f"<{kind} " + attributes(site1="site0", site2=self.pick(n["site"][1:]), **common) + "/>"
            elif kind == "joint" and n["scalar"]:
                a = self.pick(n["scalar"])
                b = self.some(0.6, lambda: self.pick([j for j in n["scalar"] if j != a]))
                out += (
                    "<joint "
                    + attributes(joint1=a, joint2=b, polycoef=self.some(0.5, lambda: [0.1, 0.8, 0.2, 0, 0]), **common)
                    + "/>"
                )
            elif kind == "tendon" and n["tendon"]:
                a = self.pick(n["tendon"])
                b = self.some(0.5, lambda: self.pick([t for t in n["tendon"] if t != a]))
                out += "<tendon " + attributes(tendon1=a, tendon2=b, **common) + "/>"
        return f"<equality>{out}</equality>"

    def tendon(self):
        n, out = self.names, ""
        for _ in range(self.rng.integers(3)):
            common = dict(
                name=self.name("tendon"),
                class_=self.use_class(0.2),
                stiffness=self.some(0.4, lambda: self.num(1, 30)),
                damping=self.some(0.4, lambda: self.num(0.1, 2)),
                range=self.some(0.3, lambda: [0.1, 0.6]),
                frictionloss=self.some(0.2, lambda: 0.5),
                springlength=self.some(0.3, lambda: self.pick([[0.3], [0.1, 0.5]])),
                margin=self.some(0.1, lambda: 0.05),
                actuatorfrcrange=self.some(0.1, lambda: [-2, 2]),
                **self.solver("limit"),
            )
            if common["actuatorfrcrange"]:
                common["actuatorfrclimited"] = True    # 3.4.0 does not find this out by itself
            if common["range"]:
                n["taut"].append(common["name"])
            if self.maybe(0.4) and n["scalar"]:
                chosen = self.rng.choice(n["scalar"], min(len(n["scalar"]), 1 + self.rng.integers(3)), replace=False)
                inner = "".join(f'<joint joint="{j}" coef="{self.num(-2, 2):.3g}"/>' for j in chosen)
                out += "<fixed " + attributes(**common) + f">{inner}</fixed>"
            elif len(n["site"]) > 1:
                # from the world to bodies: a row of zeros up to rounding would be a matter of luck
                count = min(len(n["site"]) - 1, 1 + self.rng.integers(3))
                sites = ["site0", *self.rng.choice(n["site"][1:], count, replace=False)]
                inner, wraps = f'<site site="{sites[0]}"/>', self.maybe(0.6)
                for i, s in enumerate(sites[1:]):
                    if wraps and n["round"] and self.maybe(0.6):
                        side = self.some(0.3, lambda: self.pick(n["site"]))
                        inner += "<geom " + attributes(geom=self.pick(n["round"]), sidesite=side) + "/>"
                    inner += f'<site site="{s}"/>'
                    if len(sites) == 4 and i == 0 and self.maybe(0.5):
                        inner += f'<pulley divisor="2"/><site site="{s}"/>'
                armature = self.some(0.3 * (not wraps), lambda: 0.1)
                out += "<spatial " + attributes(**common, armature=armature) + f">{inner}</spatial>"
            else:
                gone = n["tendon"].pop()
                n["taut"] = [t for t in n["taut"] if t != gone]
        return f"<tendon>{out}</tendon>"

    def transmission(self):
        n = self.names
        kind = self.pick(
            ["joint", "joint", "joint", "jointinparent", "tendon", "site", "refsite", "ball", "slidercrank", "body"]
        )
        if kind in ("joint", "jointinparent") and n["scalar"]:
            return {kind: self.pick(n["scalar"])}
        if kind == "tendon" and n["tendon"]:
            return {"tendon": self.pick(n["tendon"])}
        if kind == "site":
            return {"site": self.pick(n["site"]), "gear": self.vec(6)}
        if kind == "refsite" and len(n["site"]) > 1:
            a, b = self.rng.choice(n["site"], 2, replace=False)
            gear = self.vec(6)    # 3.4.0 has wrong angles between sites that are turned in their bodies
            return {"site": a, "refsite": b, "gear": gear if {a, b} <= self.straight else gear[:3]}
        if kind == "ball" and n["ball"]:
            return {"joint": self.pick(n["ball"]), "gear": self.vec(3)}
        if kind == "slidercrank" and len(n["site"]) > 1:
            a, b = self.rng.choice(n["site"], 2, replace=False)
            return {"cranksite": a, "slidersite": b, "cranklength": 1.2}
        if kind == "body" and n["moving"]:
            return {"body": self.pick(n["moving"])}
        return (
            {"joint": self.pick(n["scalar"])} if n["scalar"] else {"site": self.pick(n["site"]), "gear": self.vec(6)}
        )

    def actuator(self):
        out = ""
        for _ in range(self.rng.integers(5)):
            where = self.transmission()
            common = dict(
                name=self.name("actuator"),
                class_=self.use_class(0.1),
                ctrlrange=self.some(0.4, lambda: [-1, 1.5]),
                forcerange=self.some(0.2, lambda: [-5, 4]),
                group=self.some(0.1, lambda: 1),
            )
            kind = self.pick(
                [
                    "motor",
                    "position",
                    "velocity",
                    "intvelocity",
                    "damper",
                    "cylinder",
                    "muscle",
                    "general",
                    "general",
                    "adhesion",
                ]
            )
            if kind == "adhesion" or "body" in where:
                if not self.names["moving"]:
                    self.names["actuator"].pop()
                    continue
                common.update(ctrlrange=[0, 1])
                out += (
                    "<adhesion "
                    + attributes(body=self.pick(self.names["moving"]), gain=self.num(1, 9), **common)
                    + "/>"
                )
                continue
            if kind == "muscle" and not ("joint" in where or "tendon" in where):
                kind = "motor"
            if "gear" not in where:
                where["gear"] = self.some(0.3, lambda: [self.num(-2, 3)])
            extra = {
                "position": lambda: dict(
                    kp=self.num(1, 20), kv=self.some(0.4, lambda: 1.0), timeconst=self.some(0.3, lambda: 0.1)
                ),
                "velocity": lambda: dict(kv=self.num(0.1, 2)),
                "intvelocity": lambda: dict(kp=self.num(1, 20), actrange=[-1, 1]),
                "damper": lambda: dict(kv=self.num(0.1, 1)),
                "cylinder": lambda: dict(timeconst=0.2, area=0.5),
                "muscle": lambda: dict(
                    timeconst=[0.02, 0.05],
                    lengthrange=[0.2, 0.9],
                    force=self.some(0.6, lambda: 20.0),
                    tausmooth=self.some(0.3, lambda: 0.1),
                ),
                "general": lambda: dict(
                    dyntype=self.pick(["none", "integrator", "filter", "filterexact"]),
                    dynprm=[0.1],
                    gaintype=self.pick(["fixed", "affine"]),
                    gainprm=self.vec(3, 3),
                    biastype=self.pick(["none", "affine"]),
                    biasprm=self.vec(3, 2),
                    actlimited=None,
                    actearly=self.some(0.3, lambda: True),
                ),
            }.get(kind, dict)()
            if kind == "damper":
                common["ctrlrange"] = [0, 2]
            out += f"<{kind} " + attributes(**common, **where, **extra) + "/>"
        return f"<actuator>{out}</actuator>"

    def sensor(self):
        n, out = self.names, []

        def add(kind, **more):
            bounded = not ("quat" in kind or "axis" in kind)
            out.append(
                f"<{kind} "
                + attributes(cutoff=self.some(0.15 * bounded, lambda: 2.0), noise=self.some(0.1, lambda: 0.1), **more)
                + "/>"
            )

        for _ in range(self.rng.integers(3, 10)):
            group = self.pick(
                [
                    "site",
                    "site",
                    "frame",
                    "frame",
                    "joint",
                    "ball",
                    "actuator",
                    "tendon",
                    "body",
                    "clock",
                    "geomdist",
                    "contact",
                    "limit",
                    "inside",
                    "camera",
                ]
            )
            if group == "site":
                add(
                    self.pick(
                        [
                            "touch",
                            "accelerometer",
                            "velocimeter",
                            "gyro",
                            "force",
                            "torque",
                            "magnetometer",
                            "rangefinder",
                        ]
                    ),
                    site=self.pick(n["site"]),
                )
            elif group == "frame":
                objects = [
                    (t, k)
                    for t, k in (
                        ("body", "body"),
                        ("xbody", "body"),
                        ("geom", "geom"),
                        ("site", "site"),
                        ("camera", "camera"),
                    )
                    if n[k]
                ]
                t, k = self.pick(objects)
                kind = self.pick(
                    [
                        "framepos",
                        "framequat",
                        "framexaxis",
                        "frameyaxis",
                        "framezaxis",
                        "framelinvel",
                        "frameangvel",
                        "framelinacc",
                        "frameangacc",
                    ]
                )
                ref = {}
                if not kind.endswith("acc") and self.maybe(0.5):
                    rt, rk = self.pick(objects)
                    ref = dict(reftype=rt, refname=self.pick(n[rk]))
                add(kind, objtype=t, objname=self.pick(n[k]), **ref)
            elif group == "joint" and n["scalar"]:
                add(self.pick(["jointpos", "jointvel", "jointactuatorfrc"]), joint=self.pick(n["scalar"]))
            elif group == "limit" and n["limited"]:
                add(self.pick(["jointlimitpos", "jointlimitvel", "jointlimitfrc"]), joint=self.pick(n["limited"]))
            elif group == "limit" and n["taut"]:
                add(self.pick(["tendonlimitpos", "tendonlimitvel", "tendonlimitfrc"]), tendon=self.pick(n["taut"]))
            elif group == "ball" and n["ball"]:
                add(self.pick(["ballquat", "ballangvel"]), joint=self.pick(n["ball"]))
            elif group == "actuator" and n["actuator"]:
                add(self.pick(["actuatorpos", "actuatorvel", "actuatorfrc"]), actuator=self.pick(n["actuator"]))
            elif group == "tendon" and n["tendon"]:
                add(self.pick(["tendonpos", "tendonvel", "tendonactuatorfrc"]), tendon=self.pick(n["tendon"]))
            elif group == "body":
                add(self.pick(["subtreecom", "subtreelinvel", "subtreeangmom"]), body=self.pick(n["body"]))
            elif group == "clock":
                add(self.pick(["clock", "e_potential", "e_kinetic"]))
            elif group == "geomdist" and len(n["body"]) > 1:
                a, b = self.rng.choice(n["body"], 2, replace=False)
                out.append(
                    f"<{self.pick(['distance', 'normal', 'fromto'])} "
                    + attributes(body1=a, body2=b, cutoff=0.8)
                    + "/>"
                )
            elif group == "contact" and n["body"]:
                body, reduce = self.pick(n["body"]), self.pick(["none", "mindist", "maxforce", "netforce"])
                data = self.pick(
                    [
                        "found",
                        "found force",
                        "found dist pos normal",
                        "found force torque dist pos normal tangent",
                    ]
                )
                if reduce == "netforce":    # 3.4.0 writes a frame where there is no contact
                    data = data.removesuffix(" tangent").removesuffix(" normal")
                out.append("<contact " + attributes(body1=body, num=2, reduce=reduce, data=data) + "/>")
            elif group == "inside" and n["geom"]:
                out.append(
                    "<insidesite "
                    + attributes(site=self.pick(n["site"]), objtype="geom", objname=self.pick(n["geom"]))
                    + "/>"
                )
            elif group == "camera" and n["camera"]:
                add("camprojection", site=self.pick(n["site"]), camera=self.pick(n["camera"]))
        return "<sensor>" + "".join(out) + "</sensor>"

    def custom(self):
        out = '<numeric name="n0" data="1 2 3" size="4"/><text name="t0" data="hello"/>'
        if self.names["geom"]:
            out += f'<tuple name="u0"><element objtype="geom" objname="{self.names["geom"][0]}" prm="2"/></tuple>'
        return f"<custom>{out}</custom>"

    def model(self):
        head = self.compiler() + self.option() + self.defaults() + self.asset()
        body = self.world()
        tail = self.contact() + self.tendon() + self.equality() + self.actuator() + self.sensor() + self.custom()
        if self.maybe(0.3):
            tail += '<keyframe><key name="k0" time="1.5"/></keyframe>'
        return f"<mujoco>{head}{body}{tail}</mujoco>"


def model(seed):
    """The text of a model."""
    return Builder(seed).model()
