// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// mj_recompile: a model and its data are made again where they are, after the specification was
// edited.
//
// Elements carry the id that they had in the last model (mjiElem.made). Positions, velocities,
// activations and mocap poses move with their elements. Time stays. Everything else, also of new elements, is as after
// mj_resetData. As in the reference, controls keep their places, whatever actuator stands there now, and a failure
// frees model and data.

#include <string.h>

#include "compile/compile.h"
#include "load/load.h"
#include "model/model.h"
#include "model/work.h"
#include "pipeline/pipeline.h"

// the state before and after
typedef struct {
  const mjModel* from;
  const mjData* old;
  const mjModel* to;
  mjData* now;
} Move;

static int qposSize(int type) { return type == mjJNT_FREE ? 7 : type == mjJNT_BALL ? 4 : 1; }

static int dofSize(int type) { return type == mjJNT_FREE ? 6 : type == mjJNT_BALL ? 3 : 1; }

// a joint that has become one of another size starts anew
static void moveJoint(const Move* s, int from, int to) {
  const mjModel *was = s->from, *is = s->to;
  int type = is->jnt_type[to];
  if (qposSize(was->jnt_type[from]) != qposSize(type)) return;
  mju_copy(s->now->qpos + is->jnt_qposadr[to], s->old->qpos + was->jnt_qposadr[from], qposSize(type));
  mju_copy(s->now->qvel + is->jnt_dofadr[to], s->old->qvel + was->jnt_dofadr[from], dofSize(type));
}

static void moveActuator(const Move* s, int from, int to) {
  const mjModel *was = s->from, *is = s->to;
  int n = mjMIN(was->actuator_actnum[from], is->actuator_actnum[to]);
  if (!n) return;
  mju_copy(s->now->act + is->actuator_actadr[to], s->old->act + was->actuator_actadr[from], n);
}

static void moveBody(const Move* s, int from, int to) {
  int was = s->from->body_mocapid[from], is = s->to->body_mocapid[to];
  if (was < 0 || is < 0) return;
  mju_copy3(s->now->mocap_pos + 3 * is, s->old->mocap_pos + 3 * was);
  mju_copy4(s->now->mocap_quat + 4 * is, s->old->mocap_quat + 4 * was);
}

static void moveState(const mjiSpec* s, const Move* move) {
  const struct {
    mjtObj type;
    int count;
    void (*move)(const Move*, int from, int to);
  } kinds[] = {{mjOBJ_JOINT, move->from->njnt, moveJoint},
               {mjOBJ_ACTUATOR, move->from->nu, moveActuator},
               {mjOBJ_BODY, move->from->nbody, moveBody}};
  for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
    const mjiVec* list = s->list + kinds[k].type;
    for (int i = 0; i < list->num; i++) {
      int from = mji_elem_at(list, i)->made, to = mji_elem_at(list, i)->id;
      if (from >= 0 && from < kinds[k].count && to >= 0) kinds[k].move(move, from, to);
    }
  }
  mju_copy(move->now->ctrl, move->old->ctrl, mjMIN(move->from->nu, move->to->nu));
}

// new data for a new model; NULL if memory is out
static mjData* makeMoved(const mjiSpec* s, const mjModel* to, const mjModel* from, const mjData* old) {
  mjData* d = mji_tryMakeData(to);
  if (!d) return NULL;
  d->time = old->time;
  moveState(s, &(Move){.from = from, .old = old, .to = to, .now = d});
  return d;
}

int mj_recompile(mjSpec* spec, const mjVFS* vfs, mjModel* m, mjData* d) {
  mjiSpec* s = mji_spec(spec);
  mjModel* to = NULL;
  if (!m && d) mji_spec_error(s, NULL, "mj_recompile: data without its model");
  else to = mji_load_spec(s, vfs);

  mjData* now = to && d ? makeMoved(s, to, m, d) : NULL;
  int bad = !to || (d && !now);
  if (to && bad) mji_spec_error(s, NULL, "mj_recompile: out of memory");
  if (bad || !m) {
    mj_deleteModel(to);
    mj_deleteData(d);
    mj_deleteModel(bad ? m : NULL);
    return bad ? -1 : 0;
  }
  mji_compile_remember(s);
  mji_moveModel(m, to);
  if (d) mji_moveData(d, now);
  return 0;
}
