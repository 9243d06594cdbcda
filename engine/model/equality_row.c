// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "model/equality_row.h"

#include <string.h>

#include "tables/equality_table.h"

static const mjiEqualityRow rows[] = {
#define E(TYPE, WORD, ENDS, DIM, NEMAX, maker) \
  [mjEQ_##TYPE] = {.word = WORD, .ends = mjiENDS_##ENDS, .dim = DIM, .nemax = NEMAX},
    MJI_EQUALITIES(E)
#undef E
};

const mjiEqualityRow* mji_equalityRow(int type) {
  int n = (int)(sizeof rows / sizeof *rows);
  return type >= 0 && type < n && rows[type].word ? rows + type : NULL;
}

int mji_equalityType(const char* word) {
  int type = (int)(sizeof rows / sizeof *rows) - 1;
  while (type >= 0 && (!rows[type].word || strcmp(rows[type].word, word))) type--;
  return type;
}

mjtObj mji_equalityObject(int type, int objtype) {
  const mjiEqualityRow* row = mji_equalityRow(type);
  if (!row) return mjOBJ_UNKNOWN;
  switch (row->ends) {
    case mjiENDS_JOINTS: return mjOBJ_JOINT;
    case mjiENDS_TENDONS: return mjOBJ_TENDON;
    case mjiENDS_FLEXES: return mjOBJ_FLEX;
    default: return objtype == mjOBJ_SITE ? mjOBJ_SITE : mjOBJ_BODY;
  }
}

int mji_equalityOfPoints(const mjModel* m, int i) { return rows[m->eq_type[i]].ends == mjiENDS_POINTS; }

int mji_equalityBody(const mjModel* m, int i, int end) {
  int id = end ? m->eq_obj2id[i] : m->eq_obj1id[i];
  return m->eq_objtype[i] == mjOBJ_SITE ? m->site_bodyid[id] : id;
}
