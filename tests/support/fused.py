# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Masses of bodies that `fusestatic` merged.

3.4.0 gives them a wrong center of mass and inertia where a body that it merges, or its inertial frame, is rotated; 4.0.0
is right. Here the numbers are worked out from the same model with nothing fused.
"""
import contextlib

import mujoco
import numpy as np

def whole(path):
    """The bodies of a robot (URDF) where they are at first, with nothing fused. Without joints: what floats must stand at the top."""
    spec = mujoco.MjSpec.from_string(path.read_text())
    spec.compiler.fusestatic = False
    spec.compiler.settotalmass = -1
    for joint in spec.joints:
        spec.delete(joint)
    with contextlib.chdir(path.parent):    # where its meshes are
        return spec.compile()


def _parts(m, unfused):
    """For each body of m, the bodies of the unfused model that it is made of."""
    kept = {m.body(i).name: i for i in range(m.nbody)}
    owner, parts = [0], [[] for _ in range(m.nbody)]
    for i in range(1, unfused.nbody):
        owner.append(kept.get(unfused.body(i).name, owner[unfused.body_parentid[i]]))
        parts[owner[i]].append(i)
    return parts


def _moment(mass, arm):
    return mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))


def correct(m, unfused):
    """Give the bodies of a fused model of the reference the inertia that they should have, and the constants that follow."""
    d = mujoco.MjData(unfused)
    mujoco.mj_kinematics(unfused, d)
    for body, parts in enumerate(_parts(m, unfused)):
        if body == 0 or len(parts) < 2:
            continue
        origin, frame = d.xpos[parts[0]], d.xmat[parts[0]].reshape(3, 3)
        mass = unfused.body_mass[parts]
        com = mass @ d.xipos[parts] / mass.sum()
        inertia = sum(_moment(unfused.body_mass[i], d.xipos[i] - com) + r @ np.diag(unfused.body_inertia[i]) @ r.T
                      for i, r in zip(parts, d.ximat[parts].reshape(-1, 3, 3)))
        inertia *= m.body_mass[body] / mass.sum()    # settotalmass
        m.body_ipos[body] = frame.T @ (com - origin)
        mujoco.mju_eig3(m.body_inertia[body], np.zeros(9), m.body_iquat[body], (frame.T @ inertia @ frame).ravel())
    mujoco.mj_setConst(m, mujoco.MjData(m))


def inertia(m):
    """The inertia matrices of all bodies: the same whatever the order and the sign of their axes."""
    mats = np.zeros((m.nbody, 9))
    for mat, quat in zip(mats, m.body_iquat):
        mujoco.mju_quat2Mat(mat, np.ascontiguousarray(quat))
    axes = mats.reshape(-1, 3, 3)
    return np.einsum("bik,bk,bjk->bij", axes, m.body_inertia, axes)
