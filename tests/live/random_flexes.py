# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Random models with flexes of every type, dof mode, dimension, material and kind of contact, among geoms of every type.

A flex lies around the origin; geoms are where some of its vertices are. What 3.4.0 has no right numbers for is left
out: control nodes on bodies that are turned, elastic solids of 27 nodes, points in no element where there are pins.
"""
import mesh_files as files
import numpy as np

SHAPES = ["grid1", "grid2", "grid3", "box", "cylinder", "ellipsoid", "square", "disc", "circle", "direct1", "direct2",
          "direct3", "mesh2", "mesh3", "gmsh1", "gmsh2", "gmsh3"]
DOFS = ["full", "full", "full", "radial", "trilinear", "quadratic"]
GEOMS = ["plane", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "hfield"]
SELF = ["none", "narrow", "bvh", "sap", "auto"]
ASSETS = ('<mesh name="me" vertex="-.06 -.05 -.05 .06 -.05 -.05 -.06 .05 -.05 .06 .05 -.05 -.05 -.05 .05 .05 -.05 .05 '
          '-.05 .05 .05 .04 .05 .05"/><hfield name="hf" nrow="5" ncol="5" size=".3 .3 .05 .1" elevation="0 .1 .2 .1 0 .1 '
          '.4 .5 .4 .1 .2 .5 .6 .5 .1 .1 .4 .3 .2 .1 0 .1 .1 .1 0"/><material name="red"/>')


def words(values):
    return " ".join(f"{x:.6g}" if isinstance(x, float) else str(x) for x in values)


class Builder:
    """The text of a model, and the files that it names."""

    def __init__(self, seed):
        self.rng = np.random.default_rng([seed, 77])
        self.seed, self.files = seed, {}

        # with a sparse Jacobian 3.4.0 has wrong rows for the rotation of a flex at a contact
        self.sparse = self.maybe(0.5)
        self.condim = [1, 3] if self.sparse else [1, 3, 4, 6]

    def pick(self, items):
        return items[self.rng.integers(len(items))]

    def maybe(self, p):
        return self.rng.random() < p

    # ---- points and elements

    def mesh(self, dim):
        """A part of a ball: its tetrahedra, the triangles of its surface or some of its edges."""
        points, solid = files.solid_ball(2, 0.12)
        if dim == 3:
            elements = [e for e in solid if self.maybe(0.5)] or solid
        else:
            faces = {}
            for a, b, c, d in solid:
                for f in ((b, c, d), (a, d, c), (a, b, d), (a, c, b)):
                    faces.setdefault(tuple(sorted(f)), []).append(f)
            faces = [f[0] for f in faces.values() if len(f) == 1]
            elements = [f for f in faces if self.maybe(0.6)] or faces
            if dim == 1:
                elements = sorted({tuple(sorted(f[:2])) for f in elements})
        used = sorted({v for e in elements for v in e})
        number = {v: i for i, v in enumerate(used)}
        turn = np.linalg.qr(self.rng.standard_normal((3, 3)))[0]
        turn *= np.linalg.det(turn)
        return ((np.array(points)[used] @ turn.T).round(5).tolist(), [[number[v] for v in e] for e in elements])

    def shape(self):
        """Type, attributes, dimension, number of points."""
        kind = SHAPES[self.seed % len(SHAPES)]
        self.nelem = 0
        n = self.rng.integers(2, 4, 3) if self.maybe(0.7) else self.rng.integers(2, 5, 3)
        spacing = 'spacing=".08 .07 .06"'
        if kind.startswith("grid"):
            dim = int(kind[-1])
            n[dim:] = 1
            n[:dim] = np.maximum(n[:dim], 2)
            self.nelem = 6 * int((n - 1).prod())
            return f'type="grid" count="{words(n)}" {spacing}', dim, int(n.prod())
        if kind in ("box", "cylinder", "ellipsoid"):
            n = np.maximum(n, 3 if self.maybe(0.7) else 2)
            return f'type="{kind}" count="{words(n)}" {spacing}', 3, 1 + int(n.prod() - (n - 2).prod())
        if kind in ("square", "disc"):
            return f'type="{kind}" count="{n[0]} {n[1]} 1" {spacing}', 2, int(n[0] * n[1])
        if kind == "circle":
            n = int(self.rng.integers(4, 9))
            return f'type="circle" count="{n} 1 1" {spacing}', 1, n - 1
        dim = int(kind[-1])
        if kind.startswith("mesh"):
            points, faces = self.mesh(2)
            ending = self.pick(["obj", "stl"])
            self.files["a." + ending] = files.obj(points, faces) if ending == "obj" else files.stl(points, faces)
            # joined by STL in the order in which triangles come
            origin = 'origin=".001 .002 .003"' if dim == 3 else ""
            return f'type="mesh" file="a.{ending}" {origin}', dim, len(points) + (dim == 3)
        points, elements = self.mesh(dim)
        if kind.startswith("gmsh"):
            form = self.pick([lambda: files.gmsh41(points, elements), lambda: files.gmsh41(points, elements, True),
                              lambda: files.gmsh22(points, elements)])
            self.files["a.msh"] = files.gmsh41(points, elements) if dim == 1 else form()
            return 'type="gmsh" file="a.msh"', dim, len(points)
        return (f'type="direct" point="{words(x for p in points for x in p)}" '
                f'element="{words(v for e in elements for v in e)}"'), dim, len(points)

    # ---- properties

    def material(self, dim, dof):
        inner, edge, elastic = "", "", ""
        nodes = dof in ("trilinear", "quadratic")
        if dim == 1:
            edge += f' stiffness="{self.rng.uniform(1, 50):.3g}"' if self.maybe(0.6) else ""
        if self.maybe(0.5):
            edge += f' damping="{self.rng.uniform(0.01, 0.5):.3g}"'
        if self.maybe(0.3):
            edge += ' equality="true"' + (' solref=".03 1.1" solimp=".8 .9 .01 .4 3"' if self.maybe(0.5) else "")
        # the stiffness of nodes is kept with the elements, of which there must be 28
        if (dof != "quadratic" and self.maybe(0.7) and not (nodes and (dim < 3 or self.nelem < 28))):
            elastic = (f'young="{self.rng.uniform(100, 5000):.4g}" poisson="{self.rng.uniform(0, 0.4):.3g}"'
                       + (f' damping="{self.rng.uniform(0, 0.02):.3g}"' if self.maybe(0.5) else ""))
            if dim == 2:
                kinds = ["none"] + ([] if self.pins or dof == "radial" else ["bend"])
                kinds += [] if "equality" in edge else ["stretch"] + (["both"] if "bend" in kinds else [])
                elastic += f' thickness="{self.rng.uniform(0.002, 0.02):.3g}" elastic2d="{self.pick(kinds)}"'
        inner += f"<edge{edge}/>" if edge else ""
        return inner + (f"<elasticity {elastic}/>" if elastic else "")

    def contact(self, dim, nodes):
        a = f'selfcollide="{"none" if nodes else self.pick(SELF)}"'
        if not nodes and self.maybe(0.5):
            a += f' internal="{self.pick(["true", "false"])}"'
        if self.maybe(0.4):
            a += f' condim="{self.pick(self.condim)}" friction=".7 .01 .02"'
        if self.maybe(0.3):
            a += f' margin="{self.rng.uniform(0, 0.02):.3g}" gap=".004"'
        if self.maybe(0.3):
            a += f' solref=".03 .9" solimp=".7 .95 .01" solmix="2" priority="{self.pick([0, 1])}"'
        if dim == 3 and self.maybe(0.4):
            a += f' activelayers="{self.pick([1, 2, 5])}"'
        return f"<contact {a}/>"

    def flexcomp(self, name, where):
        attributes, dim, npoint = self.shape()
        dof = self.pick(DOFS)
        nodes = dof in ("trilinear", "quadratic")
        self.pins = 'file="a.stl"' not in attributes and not nodes and self.maybe(0.3)
        inner = f'<pin id="{words(sorted(self.rng.choice(npoint, min(npoint - 1, 2), replace=False)))}"/>' if self.pins else ""
        if nodes and self.maybe(0.3):
            inner = f'<pin id="{self.rng.integers(8)}"/>'
        rigid = not nodes and not self.pins and self.maybe(0.08)
        material = "" if rigid else self.material(dim, dof)
        more = ' rigid="true"' if rigid else f' dof="{dof}"'
        if self.maybe(0.5):
            more += f' mass="{self.rng.uniform(0.2, 2):.3g}" inertiabox=".01"'
        if self.maybe(0.3):
            more += ' material="red" group="3" rgba=".1 .2 .3 1"'
        if not nodes and self.maybe(0.5):
            more += f' euler="{words(self.rng.uniform(-90, 90, 3))}"'
        if self.maybe(0.3) and "type=\"grid" not in attributes:
            more += ' scale="1 1.2 .9"'
        return (f'<flexcomp name="{name}" {attributes} dim="{dim}" radius="{self.pick([".004", ".01"])}" pos="{words(where)}"'
                f'{more}>{inner}{material}{self.contact(dim, nodes)}</flexcomp>')

    def geoms(self):
        out = ""
        for k in range(int(self.rng.integers(0, 3))):
            kind = GEOMS[(self.seed // len(SHAPES) + 3 * k) % len(GEOMS)]
            size = {"plane": "1 1 .1", "sphere": ".06", "capsule": ".04 .06", "ellipsoid": ".06 .05 .04",
                    "cylinder": ".05 .04", "box": ".05 .04 .06"}.get(kind)
            kind += f'" size="{size}' if size else f'" {kind}="' + {"mesh": "me", "hfield": "hf"}[kind]
            where = self.rng.uniform(-0.1, 0.1, 3)
            if kind.startswith("hfield"):
                continue  # 3.4.0 reads a shape that it has not set for elements over height fields, and may crash: see test_flex_contact.py
            if kind.startswith("plane"):
                where[2] = -0.05
                out += f'<geom type="{kind}" pos="{words(where)}"/>'
                continue
            geom = f'<geom type="{kind}" density="500" friction=".8 .01 .01" condim="{self.pick(self.condim)}"/>'
            out += (f'<body pos="{words(where)}" euler="{words(self.rng.uniform(-90, 90, 3))}">'
                    f'{"<freejoint/>" if self.maybe(0.6) else ""}{geom}</body>')
        return out

    def option(self):
        cone, solver = self.pick(["elliptic", "pyramidal"]), self.pick(["Newton", "Newton", "CG", "PGS"])
        integrator = self.pick(["Euler", "implicit", "implicitfast", "RK4"])
        return (f'<option timestep="5e-4" cone="{cone}" solver="{solver}" integrator="{integrator}" iterations="300" '
                f'tolerance="1e-14" ls_tolerance="1e-8" ls_iterations="100" ccd_tolerance="1e-8" jacobian="{"sparse" if self.sparse else "dense"}">'
                f'<flag energy="enable" {self.pick(["", "", "midphase=" + chr(34) + "disable" + chr(34)])}/></option>')

    def model(self):
        joint = self.pick(["", "<freejoint/>", '<joint axis="0 1 .3"/>'])
        first = self.flexcomp("f", self.rng.uniform(-0.02, 0.02, 3))
        # control nodes of a body that turns: 3.4.0 has wrong stiffness where the body is turned at rest only
        body = f'<body name="p">{joint}<geom size=".02" contype="0" conaffinity="0"/>{first}</body>'
        beside = np.array([0.2, 0, 0]) + self.rng.uniform(-0.03, 0.03, 3)
        # 3.4.0 has wrong weights of nodes on the first side of a contact of two flexes
        second = self.flexcomp("g", beside) if self.maybe(0.3) and not ("trilinear" in first or "quadratic" in first) else ""
        if second:
            second = f'<body name="q">{second}</body>'
        option = self.option()
        if 'dim="3"' in first + second:  # 3.4.0 knows no active layers then
            option = option.replace('midphase="disable"', "")
        return (f'<mujoco>{option}<size memory="200M"/><asset>{ASSETS}</asset><worldbody>{self.geoms()}{body}{second}'
                '</worldbody></mujoco>')


def model(seed):
    """The text of a model, and the files it needs."""
    builder = Builder(seed)
    return builder.model(), builder.files
