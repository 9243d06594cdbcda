// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Which trees may fall asleep: as their root bodies say, otherwise those that nothing outside can move at
// any time: no actuator acts on them, no tendon pulls them toward other trees, and they carry no flex.

#include "compile/compile.h"
#include "model/actuator_row.h"

static void keepAwake(mjModel* m, int tree) {
  if (tree >= 0) m->tree_sleep_policy[tree] = mjSLEEP_AUTO_NEVER;
}

static void keepBodyAwake(mjModel* m, int body) {
  if (body >= 0) keepAwake(m, m->body_treeid[body]);
}

static void keepTendonAwake(mjModel* m, int tendon) {
  for (int k = 0; k < m->tendon_num[tendon]; k++) {
    int adr = m->tendon_adr[tendon] + k, id = m->wrap_objid[adr];
    switch (m->wrap_type[adr]) {
      case mjWRAP_JOINT: keepAwake(m, m->body_treeid[m->jnt_bodyid[id]]); break;
      case mjWRAP_SITE: keepAwake(m, m->body_treeid[m->site_bodyid[id]]); break;
      case mjWRAP_SPHERE:
      case mjWRAP_CYLINDER: keepAwake(m, m->body_treeid[m->geom_bodyid[id]]); break;
      default: break;
    }
  }
}

// tendons with springs between trees, and tendons between many trees, cannot sleep
static int couplesTrees(const mjModel* m, int i) {
  return m->tendon_treenum[i] > 2 || (m->tendon_treenum[i] == 2 && (m->tendon_stiffness[i] || m->tendon_damping[i]));
}

int mji_sleep_pack(mjiCompile* c) {
  mjModel* m = c->m;
  for (int t = 0; t < m->ntree; t++) m->tree_sleep_policy[t] = mjSLEEP_AUTO_ALLOWED;
  for (int i = 0; i < m->nu; i++) {
    int body[2];
    mji_actuatorBodies(m, i, body);
    if (body[0] < 0) keepTendonAwake(m, m->actuator_trnid[2 * i]);
    else keepAwake(m, m->body_treeid[body[0]]);
  }
  for (int i = 0; i < m->ntendon; i++) {
    if (couplesTrees(m, i)) keepTendonAwake(m, i);
  }

  for (int v = 0; v < m->nflexvert; v++) keepBodyAwake(m, m->flex_vertbodyid[v]);
  for (int v = 0; v < m->nflexnode; v++) keepBodyAwake(m, m->flex_nodebodyid[v]);

  // what the user says
  for (int b = 1; b < m->nbody; b++) {
    const mjiElem* e = mji_get(c, mjOBJ_BODY, b);
    mjtSleepPolicy given = e->as.body.sleep;
    if (given == mjSLEEP_AUTO) continue;
    int tree = m->body_treeid[b];
    if (tree < 0 || m->tree_bodyadr[tree] != b) {
      return mji_compile_error(c, e, "only the root of a moving tree can have a sleep policy");
    }
    m->tree_sleep_policy[tree] = given;
  }
  for (int i = 0; i < m->ntendon; i++) {
    for (int k = 0; k < mjMIN(2, m->tendon_treenum[i]) && couplesTrees(m, i); k++) {
      if (m->tree_sleep_policy[m->tendon_treeid[2 * i + k]] < mjSLEEP_ALLOWED) continue;
      return mji_compile_error(c, mji_get(c, mjOBJ_TENDON, i),
                               "a tree that this tendon pulls toward others cannot sleep");
    }
  }
  return 0;
}
