# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Record geometric outputs of the reference for tests/golden: python tests/golden/record_outputs.py (needs mujoco 3.4.0 and numpy).

outputs/NAME.txt has lines that test_outputs.c carries out from the top:
  qpos N x..            a state
  qvel N x..
  expect TOL N x.. | OUTPUT    numbers of a named output of forward dynamics at this state
"""
import pathlib

import mujoco
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
CONTACTS, LINES = 8, 24


def jacobian(m, d, function, i):
    p, r = np.zeros((3, m.nv)), np.zeros((3, m.nv))
    function(m, d, p, r, i)
    return np.vstack([p, r])


def contacts(m, d):
    rows = np.zeros((CONTACTS, 18))
    rows[:, :4] = -1
    for k, c in enumerate(d.contact[:CONTACTS]):
        rows[k] = [*c.geom, *m.geom_bodyid[c.geom], c.dim, c.dist, *c.pos, *c.frame]
    return rows


def lines(m, d):
    J = np.zeros((d.nefc, m.nv))
    if d.nefc and mujoco.mj_isSparse(m):
        mujoco.mju_sparse2dense(J, d.efc_J, d.efc_J_rownnz, d.efc_J_rowadr, d.efc_J_colind)
    elif d.nefc:
        J = d.efc_J.reshape(d.nefc, m.nv)
    out = np.zeros((LINES, m.nv))
    out[:min(LINES, d.nefc)] = J[:LINES]
    return out


def ray(m, d, start, along):
    geom = np.zeros(1, np.int32)
    along = np.array(along, float) / np.linalg.norm(along)
    x = mujoco.mj_ray(m, d, np.array(start, float), along, None, 1, -1, geom)
    return [x, geom[0]]


def distance(m, d, a, b, most):
    fromto = np.zeros(6)
    return [mujoco.mj_geomDistance(m, d, a, b, most, fromto), *fromto]


def outputs(m, d):
    M = np.zeros((m.nv, m.nv))
    mujoco.mj_fullM(m, M, d.qM)
    body, geom, mid = m.nbody - 1, m.ngeom - 1, m.nbody // 2
    point = d.xpos[mid] + d.xmat[mid].reshape(3, 3) @ [.1, -.2, .05]
    p, r, com = (np.zeros((3, m.nv)) for _ in range(3))
    mujoco.mj_jac(m, d, p, r, point, mid)
    mujoco.mj_jacSubtreeCom(m, d, com, 1)
    forces = np.zeros((CONTACTS, 6))
    for k in range(min(d.ncon, CONTACTS)):
        mujoco.mj_contactForce(m, d, k, forces[k])
    mujoco.mj_energyPos(m, d)
    mujoco.mj_energyVel(m, d)
    yield 1e-9, "M", M
    yield 1e-9, "qM", d.qM
    yield 1e-9, "energy", d.energy
    yield 1e-9, f"jac_body[{body}]", jacobian(m, d, mujoco.mj_jacBody, body)
    yield 1e-9, f"jac_geom[{geom}]", jacobian(m, d, mujoco.mj_jacGeom, geom)
    yield 1e-9, f"jac_point[{mid} at .1 -.2 .05]", np.vstack([p, r])
    yield 1e-9, "jac_subtree_com[1]", com
    yield 0, "ncon", [d.ncon]
    yield 0, "nefc", [d.nefc]
    yield 1e-7, f"contact_frame[{CONTACTS}]", contacts(m, d)[:, 9:]
    yield 1e-7, f"contact_pos[{CONTACTS}]", contacts(m, d)[:, 6:9]
    yield 0, f"contact_geom[{CONTACTS}]", contacts(m, d)[:, :2]
    yield 0, f"contact_body[{CONTACTS}]", contacts(m, d)[:, 2:4]
    yield 1e-5, f"contact_force[{CONTACTS}]", forces
    yield 1e-6, f"efc_J[{LINES}]", lines(m, d)
    yield 1e-9, "ray[.1 .05 3 along 0 0 -2]", ray(m, d, (.1, .05, 3), (0, 0, -2))
    yield 1e-9, "ray[-2 0 .3 along 1 .1 -.1]", ray(m, d, (-2, 0, .3), (1, .1, -.1))
    yield 1e-5, f"distance[2 to {geom} within 4]", distance(m, d, 2, geom, 4)[:1]


def record(name):
    m = mujoco.MjModel.from_xml_path(str(HERE / "models" / f"{name}.xml"))
    d, rng, text = mujoco.MjData(m), np.random.default_rng(11), []
    for scale in (0, 0.3, 1):
        mujoco.mj_resetData(m, d)
        mujoco.mj_integratePos(m, d.qpos, 0.03 * scale * rng.standard_normal(m.nv), 1)
        d.qvel[:] = 0.3 * scale * rng.standard_normal(m.nv)
        mujoco.mj_forward(m, d)
        numbers = lambda x: " ".join([str(np.size(x)), *("%.17g" % v for v in np.ravel(np.asarray(x, float)))])
        text += [f"qpos {numbers(d.qpos)}", f"qvel {numbers(d.qvel)}"]
        text += [f"expect {tol:g} {numbers(x)} | {output}" for tol, output, x in outputs(m, d)]
    return "\n".join(text) + "\n"


if __name__ == "__main__":
    assert mujoco.__version__ == "3.4.0", mujoco.__version__
    (HERE / "outputs").mkdir(exist_ok=True)
    for name in ("stack", "walker"):
        (HERE / "outputs" / f"{name}.txt").write_text(record(name))
