// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What takes part in a step, as a list of spans.
//
// Bodies, joints, dofs, geoms and sites of a tree are consecutive, so a kernel works on spans of them: one span of
// everything while nothing sleeps, else the runs of bodies that are awake or static (sleep.c makes the list). So a step
// costs time only for what is awake, and kernels need not know about sleep.
#ifndef SHEAF_MODEL_SPAN_H_
#define SHEAF_MODEL_SPAN_H_

#include <mujoco/mujoco.h>

// For each kind the elements from the first, body, to before the end, body_end. The world is in no span; its geoms and
// sites are in the first span.
typedef struct mjiSpan_ {
  int body, body_end;
  int joint, joint_end;
  int dof, dof_end;
  int geom, geom_end;
  int site, site_end;
} mjiSpan;

// Kinds of elements that are listed, because those that take part are not consecutive (model/active.h).
typedef enum {
  MJI_JOINTS,
  MJI_DOFS,
  MJI_ACTUATORS,
  MJI_SENSORS,
  MJI_TENDONS,
  MJI_EQUALITIES,
  MJI_PAIRS,  // of the plan
  MJI_NLIST,
} mjiListKind;

static inline mjiSpan mji_spanOfAll(const mjModel* m) {
  return (mjiSpan){.body = 1,
                   .body_end = (int)m->nbody,
                   .joint_end = (int)m->njnt,
                   .dof_end = (int)m->nv,
                   .geom_end = (int)m->ngeom,
                   .site_end = (int)m->nsite};
}

#endif  // SHEAF_MODEL_SPAN_H_
