# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Bytes of GMSH, OBJ and STL files with given points and elements."""
import struct

import numpy as np

TYPES = {2: 1, 3: 2, 4: 4}  # GMSH's type of an element by its number of nodes


def gmsh41(points, elements, binary=False):
    """One block of nodes, one of elements, as the reference asks for."""
    n, count, kind = len(elements[0]), len(elements), TYPES[len(elements[0])]
    tags = range(1, len(points) + 1)
    if not binary:
        nodes = "".join(f"{t}\n" for t in tags) + "".join("%.17g %.17g %.17g\n" % tuple(p) for p in points)
        lines = "".join(f"{i + 1} {' '.join(str(v + 1) for v in e)}\n" for i, e in enumerate(elements))
        return (f"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 {len(points)} 1 {len(points)}\n{n - 1} 1 0 {len(points)}"
                f"\n{nodes}$EndNodes\n$Elements\n1 {count} 1 {count}\n{n - 1} 1 {kind} {count}\n{lines}$EndElements\n").encode()
    rows = np.array([[i + 1, *(v + 1 for v in e)] for i, e in enumerate(elements)], "<u8")
    return (b"$MeshFormat\n4.1 1 8\n" + struct.pack("<i", 1) + b"\n$EndMeshFormat\n$Nodes\n"
            + struct.pack("<4Q3iQ", 1, len(points), 1, len(points), n - 1, 1, 0, len(points))
            + np.array(tags, "<u8").tobytes() + np.array(points, "<f8").tobytes() + b"\n$EndNodes\n$Elements\n"
            + struct.pack("<4Q3iQ", 1, count, 1, count, n - 1, 1, kind, count) + rows.tobytes() + b"\n$EndElements\n")


def gmsh22(points, elements, binary=False, together=1, tags=(0, 1)):
    """together: how many elements of a binary file have a header in common."""
    kind = TYPES[len(elements[0])]
    if not binary:
        nodes = "".join(f"{i + 1} " + "%.17g %.17g %.17g\n" % tuple(p) for i, p in enumerate(points))
        lines = "".join(f"{i + 1} {kind} {len(tags)} {' '.join(map(str, (*tags, *(v + 1 for v in e))))}\n"
                        for i, e in enumerate(elements))
        return (f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{len(points)}\n{nodes}$EndNodes\n"
                f"$Elements\n{len(elements)}\n{lines}$EndElements\n").encode()
    out = b"$MeshFormat\n2.2 1 8\n" + struct.pack("<i", 1) + b"\n$EndMeshFormat\n$Nodes\n%d\n" % len(points)
    out += b"".join(struct.pack("<i3d", i + 1, *p) for i, p in enumerate(points))
    out += b"\n$EndNodes\n$Elements\n%d\n" % len(elements)
    for i, e in enumerate(elements):
        if i % together == 0:
            out += struct.pack("<3i", kind, min(together, len(elements) - i), len(tags))
        row = (i + 1, *tags, *(v + 1 for v in e))
        out += struct.pack(f"<{len(row)}i", *row)
    return out + b"\n$EndElements\n"


def obj(points, faces, texture=None):
    lines = ["v %.9g %.9g %.9g" % tuple(p) for p in points]
    lines += ["vt %.9g %.9g" % tuple(t) for t in texture or ()]
    lines += ["f " + " ".join(f"{v + 1}/{v + 1}" if texture else str(v + 1) for v in f) for f in faces]
    return ("\n".join(lines) + "\n").encode()


def stl(points, faces):
    corners = np.array(points, "<f4")[np.array(faces)]
    return b"\0" * 80 + struct.pack("<i", len(faces)) + b"".join(
        struct.pack("<3f", 0, 0, 1) + c.tobytes() + b"\0\0" for c in corners)


def random_mesh(rng, dim, npoint=14, nelem=11):
    """Points, some of which no element may use, and elements of different points."""
    points = rng.uniform(-1, 1, (npoint, 3)).round(3)
    return points, [rng.choice(npoint, dim + 1, replace=False).tolist() for _ in range(nelem)]


def solid_ball(count=3, radius=0.1):
    """A ball of tetrahedra: a grid of cubes, each cut into six, whose corners are pulled onto spheres."""
    axis = np.linspace(-1, 1, count + 1)
    points, elements, n = [], [], count + 1
    for p in np.stack(np.meshgrid(axis, axis, axis, indexing="ij"), -1).reshape(-1, 3):
        norm = np.linalg.norm(p)
        points.append(radius * (p if norm == 0 else p * np.abs(p).max() / norm))
    for x, y, z in np.ndindex(count, count, count):
        corner = [(x + i) * n * n + (y + j) * n + z + k for i in (0, 1) for j in (0, 1) for k in (0, 1)]
        elements += [[corner[c] for c in tet] for tet in
                     ((0, 1, 3, 7), (0, 3, 2, 7), (0, 2, 6, 7), (0, 6, 4, 7), (0, 4, 5, 7), (0, 5, 1, 7))]
    return points, elements
