// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// mj_copyBack: the numbers of a model go back to what it was compiled from.
//
// They go to the compiled specification, which is what can be written as MJCF, by id. The user's own
// elements keep what the user wrote, and so does the next compilation.

#include <math.h>
#include <string.h>

#include "compile/compile.h"
#include "compile/reals.h"

// ---- numbers whose place in the model is not that of their element

// The model has meshes in the frame of their inertia; elements have the frame of the file.
static void returnToFile(mjiSpec* w, const mjModel* m) {
  for (int i = 0; i < m->ngeom; i++) {
    mjsGeom* geom = &mji_elem_at(w->list + mjOBJ_GEOM, i)->as.geom;
    if (geom->type != mjGEOM_MESH && geom->type != mjGEOM_SDF) continue;
    mju_copy3(geom->pos, m->geom_pos + 3 * i);
    mju_copy4(geom->quat, m->geom_quat + 4 * i);
    mji_elem_unfit(mji_elem_at(w->list + mjOBJ_GEOM, i)->info, geom->pos, geom->quat);
  }
}

// A joint has one number for all its dofs: that of the first.
static void copyDofs(mjsJoint* joint, const mjModel* m, int i) {
  int dof = m->jnt_dofadr[i];
  mju_copy(joint->solref_friction, m->dof_solref + mjNREF * dof, mjNREF);
  mju_copy(joint->solimp_friction, m->dof_solimp + mjNIMP * dof, mjNIMP);
  joint->frictionloss = m->dof_frictionloss[dof];
  joint->armature = m->dof_armature[dof];
  joint->damping = m->dof_damping[dof];
}

static void copyJoints(mjiSpec* w, const mjModel* m) {
  for (int i = 0; i < m->njnt; i++) {
    mjsJoint* joint = &mji_elem_at(w->list + mjOBJ_JOINT, i)->as.joint;
    copyDofs(joint, m, i);
    if (joint->type == mjJNT_FREE || joint->type == mjJNT_BALL) continue;
    joint->ref = m->qpos0[m->jnt_qposadr[i]];
    joint->springref = m->qpos_spring[m->jnt_qposadr[i]];
  }
}

// Heights from a file are not copied: the file has them.
static void copyHFields(mjiSpec* w, const mjModel* m) {
  for (int i = 0; i < m->nhfield; i++) {
    mjsHField* hfield = &mji_elem_at(w->list + mjOBJ_HFIELD, i)->as.hfield;
    if (*mjs_getString(hfield->file)) continue;
    int num = m->hfield_nrow[i] * m->hfield_ncol[i];
    mjs_setFloat(hfield->userdata, m->hfield_data + m->hfield_adr[i], num);
  }
}

static void copyCustom(mjiSpec* w, const mjModel* m) {
  for (int i = 0; i < m->nnumeric; i++) {
    const mjsNumeric* numeric = &mji_elem_at(w->list + mjOBJ_NUMERIC, i)->as.numeric;
    mjs_setDouble(numeric->data, m->numeric_data + m->numeric_adr[i], m->numeric_size[i]);
  }
  for (int i = 0; i < m->ntuple; i++) {
    const mjsTuple* tuple = &mji_elem_at(w->list + mjOBJ_TUPLE, i)->as.tuple;
    mjs_setDouble(tuple->objprm, m->tuple_objprm + m->tuple_adr[i], m->tuple_size[i]);
  }
}

// give keyframes all their numbers, in the order of the model
static void copyKeys(mjiSpec* w, const mjModel* m) {
  const mjiVec* list = w->list + mjOBJ_KEY;
  for (int i = 0; i < list->num; i++) {
    mjiElem* e = mji_elem_at(list, i);
    size_t k = (size_t)i;
    mjsKey* key = &e->as.key;
    key->time = m->key_time[i];
    mjs_setDouble(key->qpos, m->key_qpos + k * m->nq, m->nq);
    mjs_setDouble(key->qvel, m->key_qvel + k * m->nv, m->nv);
    mjs_setDouble(key->act, m->key_act + k * m->na, m->na);
    mjs_setDouble(key->ctrl, m->key_ctrl + k * m->nu, m->nu);
    mjs_setDouble(key->mpos, m->key_mpos + k * 3 * m->nmocap, 3 * m->nmocap);
    mjs_setDouble(key->mquat, m->key_mquat + k * 4 * m->nmocap, 4 * m->nmocap);
  }
}

// Masses in the model are scaled to settotalmass already. So the elements say: take the inertia of bodies and not of
// geoms, bound nothing and scale nothing again.
static void settleMass(mjiSpec* w) {
  mjsCompiler* to = &w->pub.compiler;
  if (to->settotalmass <= 0) return;
  mjSpec initial;
  mjs_defaultSpec(&initial);
  to->settotalmass = initial.compiler.settotalmass;
  to->boundmass = to->boundinertia = 0;
  to->balanceinertia = 0;
  to->saveinertial = 1;
}

// a statistic counts as given once it differs from what the compiler found
static void copyStatistic(mjtNum* to, const mjtNum* now, const mjtNum* made, int n) {
  int same = !memcmp(now, made, (size_t)n * sizeof *now);
  if (!same || !isnan(to[0])) mju_copy(to, now, n);
}

static void copySettings(mjiSpec* w, const mjModel* m) {
  const mjStatistic* made = &w->made.stat;
  mjStatistic* to = &w->pub.stat;
  copyStatistic(&to->meaninertia, &m->stat.meaninertia, &made->meaninertia, 1);
  copyStatistic(&to->meanmass, &m->stat.meanmass, &made->meanmass, 1);
  copyStatistic(&to->meansize, &m->stat.meansize, &made->meansize, 1);
  copyStatistic(&to->extent, &m->stat.extent, &made->extent, 1);
  copyStatistic(to->center, m->stat.center, made->center, 3);
  w->pub.option = m->opt;
  w->pub.visual = m->vis;
}

// ---- after a compilation

// springdamper has become stiffness and damping
static void settleSprings(mjiSpec* w, const mjModel* m) {
  for (int i = 0; i < m->njnt; i++) {
    mjsJoint* joint = &mji_elem_at(w->list + mjOBJ_JOINT, i)->as.joint;
    if (joint->springdamper[0] <= 0 || joint->springdamper[1] <= 0) continue;
    joint->stiffness = m->jnt_stiffness[i];
    joint->damping = m->dof_damping[m->jnt_dofadr[i]];
    joint->springdamper[0] = joint->springdamper[1] = 0;
  }
}

void mji_copyback_settle(mjiSpec* w, const mjModel* m) {
  w->made.stat = m->stat;
#define X(name) w->made.name = m->name;
  MJMODEL_INTS
#undef X
  returnToFile(w, m);
  settleSprings(w, m);
  copyKeys(w, m);
}

// ---- the call

static int isSameSize(const mjiMade* made, const mjModel* m) {
  int differ = 0;
#define X(name) differ += made->name != m->name;
  MJMODEL_INTS
#undef X
  // the size of the buffer differs between libraries
  return differ == (made->nbuffer != m->nbuffer);
}

int mj_copyBack(mjSpec* spec, const mjModel* m) {
  mjiSpec* s = mji_spec(spec);
  mjiSpec* w = s->compiled;
  const char* bad = NULL;
  if (!m) bad = "there is no model to copy from";
  else if (!w) bad = "the specification has not been compiled";
  else if (m->signature != mji_spec_signature(s)) bad = "the model has other elements";
  else if (!isSameSize(&w->made, m)) bad = "the model differs in size from the compiled one";
  if (bad) {
    mji_spec_error(s, NULL, "mj_copyBack: %s", bad);
    return 0;
  }
  mji_reals_copyBack(w, m);
  settleMass(w);
  returnToFile(w, m);
  copyJoints(w, m);
  copyHFields(w, m);
  copyCustom(w, m);
  copyKeys(w, m);
  copySettings(w, m);
  return 1;
}
