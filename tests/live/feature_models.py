# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Random models of what few models combine: limits near their ends, odd solver parameters, muscles, fluid, mocap welds, wraps.

The text is a function of the seed alone. One in some hundred has weights so extreme that the reference stops.
"""

from random_models import Builder, attributes

SOLREF = [None, "0.02 1", "-300 -20", "-1000 0", "0.005 1", "-100 -100", "0.1 0.2", "0.02 0.0001"]
SOLIMP = [None, "0.9 0.95 0.001", "0.0001 0.9999 0.001 0.5 2", "0.99999 0.1 0.1", "0 1 0.01", "0.5 0.9 0 0.5 2",
          "0.9 0.95 0.5 0 2", "0.8 0.9 0.01 0.9 1", "0.3 0.8 0.1 0.2 6"]
SIZES = {"sphere": ".1", "capsule": ".06 .1", "box": ".08 .1 .06", "ellipsoid": ".1 .07 .08", "cylinder": ".07 .09"}
WORLD = """<geom type="plane" size="3 3 .1" pos="0 0 -.3"/><site name="w0" pos=".3 .3 .5"/><site name="w1" pos="-.4 .1 .4"/>
<geom name="tube" type="cylinder" size=".08 .3" pos=".1 .1 .3" contype="0" conaffinity="0"/><site name="in tube" pos=".1 .1 .31"/>
<geom name="ball" size=".1" pos="-.1 .1 .2" contype="0" conaffinity="0"/><site name="in ball" pos="-.08 .1 .2"/>"""
MOCAP = """<body name="hand" mocap="true" pos="%s" euler="%s"><geom size=".05" contype="0" conaffinity="0"/>
<site name="palm" pos=".1 0 .1" euler="10 20 30"/></body>"""


class Features(Builder):
    def __init__(self, seed):
        super().__init__(seed)
        self.bodies, self.geoms, self.sites, self.hinges, self.balls, self.tendons = [], [], [], [], [], []

    def text(self, n, scale=1.0):
        return " ".join(f"{x:.4g}" for x in self.vec(n, scale))

    def two(self, items):
        return self.rng.choice(items, 2, replace=False)

    def solver(self, suffix=""):
        return {"solref" + suffix: self.pick(SOLREF), "solimp" + suffix: self.pick(SOLIMP)}

    def option(self):
        flags = {f: self.some(0.15, lambda: "enable") for f in ("override", "multiccd")}
        flags |= {f: self.some(0.1, lambda: "disable") for f in ("island", "refsafe", "filterparent", "eulerdamp")}
        return "<option " + attributes(
            integrator=self.pick(["Euler", "RK4", "implicit", "implicitfast"]), cone=self.pick(["elliptic", "pyramidal"]),
            impratio=self.pick([1, 1, 100, 10, 0.1]), density=self.pick([0, 0, 1000, 1.2]), viscosity=self.pick([0, 0.5]),
            wind=self.text(3), jacobian=self.pick(["auto", "dense", "sparse"]), o_solref=self.pick(SOLREF[1:3]),
            o_margin=self.pick([0, 0.05])) + "><flag " + attributes(energy="enable", **flags) + "/></option>"

    # ---- the tree

    def geom(self, name):
        self.geoms.append(name)
        kind = self.pick(list(SIZES))
        return "<geom " + attributes(
            name=name, type=kind, size=SIZES[kind], condim=self.pick([1, 3, 4, 6]), margin=self.pick([0, 0.02, 0.1]),
            friction=self.pick(["1 .01 .001", "0.4 .2 .05", "0 0 0", "2 .5 .5"]), gap=self.pick([0, 0, 0.01]),
            priority=self.pick([0, 0, 1]), solmix=self.pick([1, 0.3, 0]), fluidshape=self.some(0.4, lambda: "ellipsoid"),
            pos=self.text(3, 0.05), euler=self.text(3, 90), **self.solver()) + "/>"

    def joint(self, body, root):
        kind = self.pick(["hinge", "slide", "ball", "free" if root else "hinge"])
        if kind == "free":
            return "<freejoint/>"
        limited, name = self.maybe(0.6), "joint of " + body
        (self.balls if kind == "ball" else self.hinges).append(name)
        ends = {"hinge": "-.2 .3", "slide": "-.05 .05", "ball": f"0 {self.pick([30, 90, 175, 179.9, 180])}"}[kind]
        more = {} if kind == "ball" else dict(axis=self.text(3), actuatorgravcomp=self.maybe(), actuatorfrcrange=self.some(0.3, lambda: "-1 2"))
        return "<joint " + attributes(
            name=name, type=kind, limited=limited, range=ends, margin=self.pick([0, 0.05]), damping=self.pick([0, 0.2]),
            stiffness=self.pick([0, 3]), frictionloss=self.pick([0, 0, 0.3]), armature=self.pick([0, 0.01]),
            **more, **self.solver("limit"), **self.solver("friction")) + "/>"

    def chain(self, length):
        out = ""
        for link in range(length):
            name = f"b{len(self.bodies)}"
            self.bodies.append(name)
            out += "<body " + attributes(name=name, pos=self.text(3, 0.35), euler=self.text(3, 60), gravcomp=self.pick([0, 0, 1, -2])) + ">"
            out += self.joint(name, link == 0) + self.geom("geom of " + name)
            for k in range(2):
                self.sites.append(f"site {k} of {name}")
                out += "<site " + attributes(name=self.sites[-1], pos=self.text(3, 0.2), euler=self.text(3, 90)) + "/>"
        return out + "</body>" * length

    # ---- links

    def contact(self):
        a, b = self.two(self.geoms)
        return "<contact><pair " + attributes(
            geom1=a, geom2=b, condim=self.pick([1, 3, 4, 6]), friction=self.pick(["1 1 .01 .001 .001", ".5 1.5 .1 .02 .04"]),
            solreffriction=self.pick([None, "0.05 1", "-100 -5"]), margin=self.pick([0, 0.05]), **self.solver()) + "/></contact>"

    def wrap(self):
        geom, sides = self.pick([("tube", [None, "in tube", "w0"]), ("ball", [None, "in ball", "w1"])])
        return self.some(0.7, lambda: "<geom " + attributes(geom=geom, sidesite=self.pick(sides)) + "/>") or ""

    def tendon(self):
        out = ""
        for _ in range(self.rng.integers(4)):
            self.tendons.append(f"t{len(self.tendons)}")
            a, b = self.two(self.sites)
            path = f'<site site="{self.pick(["w0", "w1"])}"/>{self.wrap()}<site site="{a}"/>'
            if self.maybe(0.4):
                path += f'<pulley divisor="{self.pick([2, 0.5])}"/><site site="w0"/>{self.wrap()}<site site="{b}"/>'
            out += "<spatial " + attributes(
                name=self.tendons[-1], stiffness=self.pick([0, 20]), damping=self.pick([0, 0.5]), limited=self.maybe(0.5),
                range=self.pick(["0 .5", ".3 .8"]), margin=self.pick([0, 0.05]), springlength=self.pick([None, ".3", ".1 .5"]),
                frictionloss=self.pick([0, 0.4]), **self.solver("limit")) + f">{path}</spatial>"
        return f"<tendon>{out}</tendon>"

    def equality(self, mocap):
        kinds = ["connect", "weld", "connect sites", "weld sites"] + ["joint"] * (len(self.hinges) > 1)
        kinds += ["tendon"] * (len(self.tendons) > 1) + ["hand"] * mocap
        out = ""
        for _ in range(self.rng.integers(4)):
            kind, common = self.pick(kinds), {"active": self.maybe(0.7), **self.solver()}
            if kind == "hand":
                common |= dict(body1="hand", body2=self.pick(self.bodies))
            elif kind.endswith("sites"):
                common |= dict(site1=self.pick(["w0", "palm"] if mocap else ["w0"]), site2=self.pick(self.sites))
            elif kind in ("connect", "weld"):
                common |= dict(body1=self.bodies[0], body2=self.pick([None, *self.bodies[1:]]), anchor=self.text(3, 0.1))
                if kind == "weld":
                    common |= dict(relpose=self.some(0.5, lambda: self.text(3, 0.2) + " 1 " + self.text(3, 0.3)), torquescale=self.pick([1, 0.1, 5, 0]))
            else:
                a, b = self.two(self.hinges if kind == "joint" else self.tendons)
                common |= {kind + "1": a, kind + "2": self.pick([None, b]), "polycoef": self.text(5, 0.7)}
            out += f"<{'weld' if kind == 'hand' else kind.split()[0]} " + attributes(**common) + "/>"
        return f"<equality>{out}</equality>"

    def actuator(self):
        out = "<adhesion " + attributes(body=self.pick(self.bodies), ctrlrange="0 1", gain=self.pick([3, 30])) + "/>"
        targets = [{"joint": j} for j in self.hinges] + [{"tendon": t} for t in self.tendons]
        for target in targets[:4]:
            kind = self.pick(["muscle", "muscle", "position", "general"])
            out += f"<{kind} " + attributes(**target, **{
                "muscle": lambda: dict(
                    lengthrange=self.pick([".2 .9", ".4 .5", "-.5 .5"]), range=self.pick([".75 1.05", ".5 1.5"]), force=self.pick([-1, 100]),
                    lmin=self.pick([0.5, 0.8]), lmax=self.pick([1.6, 1.1]), vmax=self.pick([1.5, 0.1]), fpmax=self.pick([1.3, 5]),
                    fvmax=self.pick([1.2, 1]), tausmooth=self.pick([0, 0.2]), timeconst=self.pick([".01 .04", ".1 .02"])),
                "position": lambda: dict(kp=self.pick([5, 50]), kv=self.pick([0, 3]), forcerange="-6 5", ctrlrange="-1 .5"),
                "general": lambda: dict(
                    dyntype=self.pick(["integrator", "filter", "filterexact"]), dynprm=self.pick([0.05, 0.5]), actrange="-.3 .4",
                    actlimited=self.maybe(), actearly=self.maybe(), gainprm=self.pick([1, 10]), biastype="affine", biasprm=self.text(3)),
            }[kind]()) + "/>"
        a, b = self.two(self.sites)    # 3.4.0 has wrong angles between sites that are turned in their bodies
        out += "<general " + attributes(site=a, refsite=b, gear=self.vec(6)[:3], gaintype="affine", gainprm=self.text(3)) + "/>"
        return f"<actuator>{out}</actuator>"

    def model(self):
        mocap = self.maybe(0.5)
        world = WORLD + (MOCAP % (self.text(3, 0.4), self.text(3, 50)) if mocap else "")
        world += "".join(self.chain(int(n)) for n in self.rng.integers(1, 4, 2))
        links = self.contact() + self.tendon() + self.equality(mocap) + self.actuator()
        return f'<mujoco><size memory="1M"/>{self.option()}<worldbody>{world}</worldbody>{links}</mujoco>'


def model(seed):
    """The text of a model."""
    return Features(seed).model()
