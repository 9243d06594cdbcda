// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Trees at rest leave the computation. One state at a time; lane groups have no sleeping trees.
//
// d->tree_asleep is the state: a counter from -(1 + mjMINAWAKE) up to -1 while a tree is awake, and
// the next tree of its island, a cycle, while it sleeps. The lists of what is awake follow from it.
// Every step counts trees whose velocity is small; an island of trees that are all at -1 falls
// asleep. What wakes one of its trees wakes them all: a change by the user, and a contact, a tendon
// limit or an equality that connects it to something awake.
//
// While a tree sleeps its qpos stays, its qvel is zero, and what was computed of it last remains.
#ifndef SHEAF_MODEL_SLEEP_H_
#define SHEAF_MODEL_SLEEP_H_

#include <mujoco/mujoco.h>

// ---- state

// Nonzero if any tree sleeps.
static inline int mji_sleep_any(const mjModel* m, const mjData* d) { return d->ntree_awake < m->ntree; }

static inline int mji_sleep_ofTree(const mjData* d, int tree) {
  return tree < 0 ? mjS_STATIC : d->tree_awake[tree] ? mjS_AWAKE : mjS_ASLEEP;
}

// Nonzero if a dof sleeps.
static inline int mji_sleep_ofDof(const mjModel* m, const mjData* d, int dof) {
  return !d->tree_awake[m->dof_treeid[dof]];
}

// State of an object, mjtSleepState: of the body, tendon or actuator that it belongs to. Things
// that no tree moves are static, on mocap bodies awake; what has no such object is awake.
int mji_sleep_ofTendon(const mjModel* m, const mjData* d, int tendon);
int mji_sleep_ofActuator(const mjModel* m, const mjData* d, int actuator);
int mji_sleep_ofObject(const mjModel* m, const mjData* d, int objtype, int id);

// Nonzero if the sensor keeps its value: its objects sleep.
int mji_sleep_ofSensor(const mjModel* m, const mjData* d, int sensor);

// Nonzero if an equality has no rows: a tree of its sleeps, and the others do not move either.
int mji_sleep_ofEquality(const mjModel* m, const mjData* d, int equality);

// Nonzero if no tree of two bodies is awake, so they cannot come into contact.
static inline int mji_sleep_bothStill(const mjModel* m, const mjData* d, int body1, int body2) {
  return mji_sleep_ofTree(d, m->body_treeid[body1]) != mjS_AWAKE &&
         mji_sleep_ofTree(d, m->body_treeid[body2]) != mjS_AWAKE;
}

// Lists of what is awake, from d->tree_asleep: those of mjData, and the spans that kernels work on.
void mji_sleep_update(const mjModel* m, mjData* d);

// Nonzero if the spans are what an assertion may expect: ascending, within the model, one of everything while nothing
// sleeps.
int mji_sleep_spansOk(const mjModel* m, const mjData* d);

// Everything awake, nothing counted.
void mji_sleep_reset(const mjModel* m, mjData* d);

// ---- waking

// Wake trees that the user has pushed; place all bodies, and wake trees that have one that is not where it was. Pushed
// means a velocity or an applied force that is not zero. Nonzero if trees were moved: what is theirs has to be placed
// again. If sleeping was switched off all wake up, and nothing is placed yet.
int mji_sleep_place(const mjModel* m, mjData* d, void (*place)(const mjModel*, mjData*));

// Nonzero if a tree woke, with the lists up to date:

// Trees that a tendon at its limit connects to a tree that is awake.
int mji_sleep_wakeByTendons(const mjModel* m, mjData* d);

// Trees in contact with one that is awake: contacts have to be found again.
int mji_sleep_wakeByContacts(const mjModel* m, mjData* d);

// Trees that an active equality connects to something awake, or to another sleeping island.
int mji_sleep_wakeByEqualities(const mjModel* m, mjData* d);

// ---- falling asleep

// Count trees that may sleep, and put islands that are ready to sleep, with zero velocity; nonzero
// if there were any. The lists are not updated, so that what depends on velocities can be computed
// once more.
int mji_sleep_fall(const mjModel* m, mjData* d);

// Run a stage that may act on dofs that sleep, and restore n of its results there: forces stay as they were when the
// dofs fell asleep, whatever becomes of gravity or controls meanwhile.
void mji_sleep_run(const mjModel* m, mjData* d, void (*stage)(const mjModel*, mjData*), mjtNum* const* result, int n);

// Lengths and moment arms of tendons that sleep are zero, in the step in which they wake up, too.
void mji_sleep_hideTendons(const mjModel* m, mjData* d);

#endif  // SHEAF_MODEL_SLEEP_H_
