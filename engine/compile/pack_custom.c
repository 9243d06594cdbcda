// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// From the working copy to the model: custom fields, keyframes, names, paths.

#include <string.h>

#include "compile/compile.h"
#include "spec/keyframe.h"

static void copyNumbers(mjtNum* dst, const mjDoubleVec* numbers) {
  const mjiVec* v = numbers;
  if (v->num) memcpy(dst, v->data, (size_t)v->num * sizeof(mjtNum));
}

static void packNumeric(mjiCompile* c, int i, int* adr) {
  const mjsNumeric* numeric = &mji_get(c, mjOBJ_NUMERIC, i)->as.numeric;
  c->m->numeric_adr[i] = *adr;
  c->m->numeric_size[i] = numeric->size;
  copyNumbers(c->m->numeric_data + *adr, numeric->data);
  *adr += numeric->size;
}

static void packText(mjiCompile* c, int i, int* adr) {
  const char* text = mjs_getString(mji_get(c, mjOBJ_TEXT, i)->as.text.data);
  int size = (int)strlen(text) + 1;
  c->m->text_adr[i] = *adr;
  c->m->text_size[i] = size;
  memcpy(c->m->text_data + *adr, text, (size_t)size);
  *adr += size;
}

static void packTuple(mjiCompile* c, int i, int* adr) {
  mjModel* m = c->m;
  const mjsTuple* tuple = &mji_get(c, mjOBJ_TUPLE, i)->as.tuple;
  const mjiVec *types = tuple->objtype, *names = tuple->objname, *prm = tuple->objprm;
  m->tuple_adr[i] = *adr;
  m->tuple_size[i] = names->num;
  for (int k = 0; k < names->num; k++, (*adr)++) {
    int type = ((const int*)types->data)[k];
    m->tuple_objtype[*adr] = type;
    m->tuple_objid[*adr] = mji_names_find(c, type, mji_vec_textAt(names, k));
    m->tuple_objprm[*adr] = ((const double*)prm->data)[k];
  }
}

// ---- keyframes: the numbers that are not given are those of the reference configuration

static int packList(mjiCompile* c, const mjiElem* e, mjtNum* dst, const mjDoubleVec* given, int size,
                    const char* what) {
  const mjiVec* v = given;
  if (v->num > size) {
    return mji_compile_error(c, e, "%s has %d numbers, the model has %d", what, v->num, size);
  }
  copyNumbers(dst, v);
  return 0;
}

static void normalizeKey(const mjModel* m, int key) {
  for (int j = 0; j < m->njnt; j++) {
    mjtNum* q = m->key_qpos + (size_t)key * m->nq + m->jnt_qposadr[j];
    if (m->jnt_type[j] == mjJNT_FREE) mju_normalize4(q + 3);
    if (m->jnt_type[j] == mjJNT_BALL) mju_normalize4(q);
  }
  for (int i = 0; i < m->nmocap; i++) {
    mjtNum* quat = m->key_mquat + 4 * ((size_t)key * m->nmocap + i);
    if (!mju_isZero(quat, 4)) mju_normalize4(quat);
  }
}

// the numbers of element id in a list of keyframe k, and how many there are; NULL if there are none
static mjtNum* findNumbers(const mjModel* m, size_t k, mjiKeyList list, int id, int* n) {
  static const int nq[4] = {7, 4, 1, 1}, nv[4] = {6, 3, 1, 1};
  switch (list) {
    case MJI_KEY_QPOS: *n = nq[m->jnt_type[id]]; return m->key_qpos + k * m->nq + m->jnt_qposadr[id];
    case MJI_KEY_QVEL: *n = nv[m->jnt_type[id]]; return m->key_qvel + k * m->nv + m->jnt_dofadr[id];
    case MJI_KEY_MPOS:
    case MJI_KEY_MQUAT:
      *n = list == MJI_KEY_MPOS ? 3 : 4;
      if (m->body_mocapid[id] < 0) return NULL;
      return (*n == 3 ? m->key_mpos : m->key_mquat) + *n * (k * m->nmocap + m->body_mocapid[id]);
    case MJI_KEY_ACT: *n = m->actuator_actnum[id]; return *n ? m->key_act + k * m->na + m->actuator_actadr[id] : NULL;
    default: *n = 1; return m->key_ctrl + k * m->nu + id;
  }
}

// Write a share if it has as many numbers as its element: a joint may have got another type since.
static void packShare(mjModel* m, mjiElem* key, const mjiKeyShare* share) {
  const double* number = share->number;
  for (int i = 0; i < 2; number += share->n[i++]) {
    mjiKeyList list = share->first + (mjiKeyList)i;
    if (!share->n[i] || mji_key_list(key, list)->num || share->owner->id < 0) continue;
    int n;
    mjtNum* to = findNumbers(m, (size_t)key->id, list, share->owner->id, &n);
    if (to && n == share->n[i]) mju_copy(to, number, n);
  }
}

static int packKey(mjiCompile* c, int i) {
  mjModel* m = c->m;
  mjtNum* qpos = m->key_qpos + (size_t)i * m->nq;
  mjtNum* mpos = m->key_mpos + (size_t)i * m->nmocap * 3;
  mjtNum* mquat = m->key_mquat + (size_t)i * m->nmocap * 4;
  mju_copy(qpos, m->qpos0, m->nq);
  for (int b = 0; b < m->nbody; b++) {
    if (m->body_mocapid[b] < 0) continue;
    mju_copy3(mpos + 3 * m->body_mocapid[b], m->body_pos + 3 * b);
    mju_copy4(mquat + 4 * m->body_mocapid[b], m->body_quat + 4 * b);
  }
  if (i < mji_count(c, mjOBJ_KEY)) {
    mjiElem* e = mji_get(c, mjOBJ_KEY, i);
    const mjsKey* key = &e->as.key;
    m->key_time[i] = key->time;
    if (packList(c, e, qpos, key->qpos, m->nq, "qpos") ||
        packList(c, e, m->key_qvel + (size_t)i * m->nv, key->qvel, m->nv, "qvel") ||
        packList(c, e, m->key_act + (size_t)i * m->na, key->act, m->na, "act") ||
        packList(c, e, m->key_ctrl + (size_t)i * m->nu, key->ctrl, m->nu, "ctrl") ||
        packList(c, e, mpos, key->mpos, 3 * m->nmocap, "mpos") ||
        packList(c, e, mquat, key->mquat, 4 * m->nmocap, "mquat")) {
      return -1;
    }
    for (int k = 0; k < e->shares.num; k++) packShare(m, e, mji_vec_get(&e->shares, k));
  }
  normalizeKey(m, i);
  return 0;
}

int mji_pack_custom(mjiCompile* c) {
  mjModel* m = c->m;
  int numericadr = 0, textadr = 0, tupleadr = 0;
  for (int i = 0; i < m->nnumeric; i++) packNumeric(c, i, &numericadr);
  for (int i = 0; i < m->ntext; i++) packText(c, i, &textadr);
  for (int i = 0; i < m->ntuple; i++) packTuple(c, i, &tupleadr);
  for (int i = 0; i < m->nkey; i++) {
    if (packKey(c, i)) return -1;
  }
  return 0;
}

// ---- names: one block of zero-terminated strings, the name of the model first

// N(object type, count, address array), in the order of the block
#define NAMED(N)                              \
  N(mjOBJ_BODY, nbody, name_bodyadr)          \
  N(mjOBJ_JOINT, njnt, name_jntadr)           \
  N(mjOBJ_GEOM, ngeom, name_geomadr)          \
  N(mjOBJ_SITE, nsite, name_siteadr)          \
  N(mjOBJ_CAMERA, ncam, name_camadr)          \
  N(mjOBJ_LIGHT, nlight, name_lightadr)       \
  N(mjOBJ_FLEX, nflex, name_flexadr)          \
  N(mjOBJ_MESH, nmesh, name_meshadr)          \
  N(mjOBJ_SKIN, nskin, name_skinadr)          \
  N(mjOBJ_HFIELD, nhfield, name_hfieldadr)    \
  N(mjOBJ_TEXTURE, ntex, name_texadr)         \
  N(mjOBJ_MATERIAL, nmat, name_matadr)        \
  N(mjOBJ_PAIR, npair, name_pairadr)          \
  N(mjOBJ_EXCLUDE, nexclude, name_excludeadr) \
  N(mjOBJ_EQUALITY, neq, name_eqadr)          \
  N(mjOBJ_TENDON, ntendon, name_tendonadr)    \
  N(mjOBJ_ACTUATOR, nu, name_actuatoradr)     \
  N(mjOBJ_SENSOR, nsensor, name_sensoradr)    \
  N(mjOBJ_NUMERIC, nnumeric, name_numericadr) \
  N(mjOBJ_TEXT, ntext, name_textadr)          \
  N(mjOBJ_TUPLE, ntuple, name_tupleadr)       \
  N(mjOBJ_KEY, nkey, name_keyadr)             \
  N(mjOBJ_PLUGIN, nplugin, name_pluginadr)

static const char* nameAt(const mjiCompile* c, mjtObj type, int i) {
  return i < mji_count(c, type) ? mji_elem_name(mji_get(c, type, i)) : "";
}

int mji_pack_countNames(const mjiCompile* c, const mjModel* sizes) {
  size_t total = strlen(mjs_getString(c->w->pub.modelname)) + 1;
#define N(type, count, adr) \
  for (int i = 0; i < sizes->count; i++) total += strlen(nameAt(c, type, i)) + 1;
  NAMED(N)
#undef N
  return (int)total;
}

static int appendText(char* block, int* at, const char* text) {
  int start = *at;
  size_t size = strlen(text) + 1;
  memcpy(block + start, text, size);
  *at += (int)size;
  return start;
}

void mji_pack_names(mjiCompile* c) {
  mjModel* m = c->m;
  int at = 0;
  appendText(m->names, &at, mjs_getString(c->w->pub.modelname));
#define N(type, count, adr) \
  for (int i = 0; i < m->count; i++) m->adr[i] = appendText(m->names, &at, nameAt(c, type, i));
  NAMED(N)
#undef N
}
