// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What follows from the parents of bodies, their numbers of joints and the types of joints: addresses
// and the trees of dofs.
#ifndef SHEAF_MODEL_TREE_H_
#define SHEAF_MODEL_TREE_H_

#include <mujoco/mujoco.h>

// Coordinates and dofs of a joint.
int mji_tree_qposSize(int jnttype);
int mji_tree_dofSize(int jnttype);

// Fill body_{rootid,weldid,jntadr,dofnum,dofadr,treeid}, jnt_{qposadr,dofadr,bodyid},
// dof_{bodyid,jntid,parentid,treeid} and tree_{bodyadr,bodynum,dofadr,dofnum}. Bodies come in depth-first
// order, joints in that of their bodies, and the sizes of the model are those of the tree.
void mji_tree_derive(mjModel* m);

// Fill dof_simplenum from body_simple: simple dofs in a row.
void mji_tree_deriveSimple(mjModel* m);

#endif  // SHEAF_MODEL_TREE_H_
