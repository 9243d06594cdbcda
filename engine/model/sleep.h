// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Trees at rest leave the computation. One state at a time; lane groups have no sleeping trees.
//
// d->tree_asleep is the state: a counter from -(1 + mjMINAWAKE) up to -1 while a tree is awake, and
// the next tree of its island, a cycle, while it sleeps. The lists of what is awake follow from it.
// Every step counts up the trees whose velocity is small; an island of trees that are all at -1 falls
// asleep. What wakes one of its trees wakes them all: a change by the user, or a contact, a tendon
// limit or an equality that connects the tree to something awake.
//
// While a tree sleeps its qpos stays, its qvel is zero, and what was computed of it last remains.
#ifndef SHEAF_MODEL_SLEEP_H_
#define SHEAF_MODEL_SLEEP_H_

#include <mujoco/mujoco.h>

#include "lanes/variant.h"

// ---- state

// Nonzero if any tree sleeps.
static inline int mji_sleep_any(const mjModel* m, const mjData* d) { return d->ntree_awake < m->ntree; }

// Nonzero if a tree sleeps, or may fall asleep within n steps.
int mji_sleep_soon(const mjModel* m, const mjData* d, int n);

// Nonzero if states of this model are never computed side by side: trees may sleep and tendons are equal, which is an
// error in each state where that equality is active, and in no other.
int mji_sleep_alone(const mjModel* m);

// Nonzero if states of this model are not computed side by side at first: never, or trees sleep from the start.
int mji_sleep_startsAlone(const mjModel* m);

static inline int mji_sleep_ofTree(const mjData* d, int tree) {
  return tree < 0 ? mjS_STATIC : d->tree_awake[tree] ? mjS_AWAKE : mjS_ASLEEP;
}

// Nonzero if a dof sleeps.
static inline int mji_sleep_ofDof(const mjModel* m, const mjData* d, int dof) {
  return !d->tree_awake[m->dof_treeid[dof]];
}

// State of an object (mjtSleepState): that of the body, tendon or actuator that it belongs to. Objects that no tree
// moves are static, or awake if they are on mocap bodies. An object without body, tendon or actuator is awake.
int mji_sleep_ofObject(const mjModel* m, const mjData* d, int objtype, int id);

// Make the lists of what is awake from d->tree_asleep: those of mjData, and the spans that kernels work on.
void mji_sleep_update(const mjModel* m, mjData* d);

// For assertions: nonzero if the spans ascend within the model, and there is one span of everything while nothing
// sleeps.
int mji_sleep_spansOk(const mjModel* m, const mjData* d);

// Make all trees awake, with new counters.
void mji_sleep_reset(const mjModel* m, mjData* d);

// ---- stages, of one state and of lanes
//
// Each function runs a stage of a step, and does what sleeping adds to the stage. Where nothing sleeps, and over lanes,
// it only runs the stage.

typedef void (*mjiSleepStage)(const mjModel* m, mjData* d);

// Place all bodies, and wake trees that the user has pushed or moved: those with a velocity or an applied force that is
// not zero, or a body that is not where it was. If no sleeping tree was moved, geoms and sites of sleeping bodies keep
// their frames.
void mji_sleep_placeSome(const mjModel* m, mjData* d, mjiSleepStage place);
static inline void mji_sleep_place(const mjModel* m, mjData* d, mjiSleepStage place) {
  if (ONE_STATE && mji_sleep_any(m, d)) mji_sleep_placeSome(m, d, place);
  else place(m, d);
}

// Wake trees that a tendon at its limit connects to a tree that is awake.
void mji_sleep_wakeByTendons(const mjModel* m, mjData* d);
static inline void mji_sleep_tendons(const mjModel* m, mjData* d, mjiSleepStage tendons) {
  tendons(m, d);
  if (ONE_STATE && mji_sleep_any(m, d)) mji_sleep_wakeByTendons(m, d);
}

// Find contacts. Wake trees in contact with one that is awake, and find contacts again; then wake trees that an active
// equality connects to something awake, or to another sleeping island.
void mji_sleep_wakeConnected(const mjModel* m, mjData* d, mjiSleepStage collide);
static inline void mji_sleep_collide(const mjModel* m, mjData* d, mjiSleepStage collide) {
  collide(m, d);
  if (ONE_STATE && mjENABLED(mjENBL_SLEEP)) mji_sleep_wakeConnected(m, d, collide);
}

// Run a stage that may act on dofs that sleep, and restore n of its results there: the forces on a sleeping dof stay as
// they were when it fell asleep, even if gravity or controls change. Only tendons, flexes and callbacks of the user can
// act on sleeping dofs.
void mji_sleep_shield(const mjModel* m, mjData* d, mjiSleepStage stage, mjtNum* const* result, int n);
static inline void mji_sleep_forces(const mjModel* m, mjData* d, mjiSleepStage stage) {
  if (ONE_STATE && (m->ntendon || m->nflex || mjcb_passive) && mji_sleep_any(m, d)) {
    mjtNum* force[] = {d->qfrc_spring, d->qfrc_damper, d->qfrc_gravcomp, d->qfrc_fluid, d->qfrc_passive, d->qfrc_bias};
    mji_sleep_shield(m, d, stage, force, 6);
  } else {
    stage(m, d);
  }
}

// Count trees that are slow, and put islands that are ready to sleep. Their velocities are then zero, so the stages
// from velocities on are computed once more, for `want` as in lanes/kernels.h.
typedef void (*mjiSleepForward)(const mjModel* m, mjData* d, int first, int last, int want);
void mji_sleep_fallAsleep(const mjModel* m, mjData* d, mjiSleepForward forward, int want);
static inline void mji_sleep_settle(const mjModel* m, mjData* d, mjiSleepForward forward, int want) {
  if (ONE_STATE && mjENABLED(mjENBL_SLEEP)) mji_sleep_fallAsleep(m, d, forward, want);
}

// Count trees that may sleep, and put islands that are ready to sleep, with zero velocity; nonzero
// if there were any. The lists are not updated, so that what depends on velocities can be computed
// once more.
int mji_sleep_fall(const mjModel* m, mjData* d);

#endif  // SHEAF_MODEL_SLEEP_H_
