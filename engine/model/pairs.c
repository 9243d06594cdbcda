// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Order of the list: pairs of bodies ascending (lower id first, then higher), within them the
// predefined pairs of the model, then pairs of geoms.
#include "model/pairs.h"

#include <stdlib.h>

enum { MAXPAIR = 20000 };

// where pairs go; with pair NULL they are only counted
typedef struct {
  mjiPair* pair;
  mjiRun* run;
  int npair, nrun;
  int body1, body2;  // of the last run
  int weight;
  int64_t nreach;
  int nextpre;  // next predefined pair, in the order of their signatures
} List;

static int excluded(const mjModel* m, int signature) {
  for (int i = 0; i < m->nexclude; i++) {
    if (m->exclude_signature[i] == signature) return 1;
  }
  return 0;
}

int mji_filterBodies(const mjModel* m, int body1, int body2) {
  // parts of one rigid body
  int weld1 = m->body_weldid[body1], weld2 = m->body_weldid[body2];
  if (weld1 == weld2) return 1;

  // parent and child, unless the parent is the world
  if (!mjDISABLED(mjDSBL_FILTERPARENT) && weld1 && weld2) {
    int parent1 = m->body_weldid[m->body_parentid[weld1]];
    int parent2 = m->body_weldid[m->body_parentid[weld2]];
    if (weld1 == parent2 || weld2 == parent1) return 1;
  }
  int low = body1 < body2 ? body1 : body2, high = body1 < body2 ? body2 : body1;
  return excluded(m, (low << 16) + high);
}

// planes and height fields do not collide with each other
static int hasCollider(const mjModel* m, int geom1, int geom2) {
  return m->geom_type[geom1] > mjGEOM_HFIELD || m->geom_type[geom2] > mjGEOM_HFIELD;
}

static int compatible(const mjModel* m, int geom1, int geom2) {
  return (m->geom_contype[geom1] & m->geom_conaffinity[geom2]) || (m->geom_contype[geom2] & m->geom_conaffinity[geom1]);
}

static int isRound(int type) { return type == mjGEOM_PLANE || type == mjGEOM_SPHERE || type == mjGEOM_CAPSULE; }

static void beginRun(List* list, int body1, int body2) {
  int same = list->nrun && body1 == list->body1,
      ascends = !list->nrun || body1 > list->body1 || (same && body2 > list->body2);
  if (list->run) list->run[list->nrun] = (mjiRun){.start = list->npair, .body1 = body1, .body2 = body2};
  if (!ascends) list->nreach = INT64_MAX / 2;  // an order that nobody can use
  else list->nreach += same ? body2 - list->body2 : 1;
  list->body1 = body1;
  list->body2 = body2;
  list->nrun++;
}

static void add(const mjModel* m, List* list, int geom1, int geom2, int pre, int body1, int body2) {
  if (!list->nrun || body1 != list->body1 || body2 != list->body2) beginRun(list, body1, body2);
  if (list->run && pre >= 0) list->run[list->nrun - 1].predefined = 1;
  if (list->pair) {
    int swap = m->geom_type[geom1] > m->geom_type[geom2];
    list->pair[list->npair] = (mjiPair){
        .geom1 = swap ? geom2 : geom1,
        .geom2 = swap ? geom1 : geom2,
        .pair = pre,
        .body1 = body1,
        .body2 = body2,
    };
  }
  list->weight += isRound(m->geom_type[geom1]) && isRound(m->geom_type[geom2]) ? 1 : 4;
  list->npair++;
}

// predefined pairs up to this signature
static void addPredefined(const mjModel* m, List* list, int64_t signature) {
  while (list->nextpre < m->npair && m->pair_signature[list->nextpre] <= signature) {
    int i = list->nextpre++, geom1 = m->pair_geom1[i], geom2 = m->pair_geom2[i];
    if (!hasCollider(m, geom1, geom2)) continue;
    int b1 = m->geom_bodyid[geom1], b2 = m->geom_bodyid[geom2];
    add(m, list, geom1, geom2, i, b1 < b2 ? b1 : b2, b1 < b2 ? b2 : b1);
  }
}

// nonzero if the geoms are a predefined pair; those of the current bodies come right before nextpre
static int predefined(const mjModel* m, const List* list, int geom1, int geom2, int signature) {
  for (int i = list->nextpre - 1; i >= 0 && m->pair_signature[i] == signature; i--) {
    if ((m->pair_geom1[i] == geom1 && m->pair_geom2[i] == geom2) ||
        (m->pair_geom1[i] == geom2 && m->pair_geom2[i] == geom1)) {
      return 1;
    }
  }
  return 0;
}

static int comparePairs(const void* a, const void* b) {
  const mjiPair *p = a, *q = b;
  return p->geom1 != q->geom1 ? p->geom1 - q->geom1 : p->geom2 - q->geom2;
}

static void addGeoms(const mjModel* m, List* list, int body1, int body2) {
  int signature = (body1 << 16) + body2, first = list->npair;
  int end1 = m->body_geomadr[body1] + m->body_geomnum[body1];
  int end2 = m->body_geomadr[body2] + m->body_geomnum[body2];
  for (int g1 = m->body_geomadr[body1]; g1 < end1; g1++) {
    for (int g2 = m->body_geomadr[body2]; g2 < end2; g2++) {
      if (!compatible(m, g1, g2) || !hasCollider(m, g1, g2)) continue;
      if (!predefined(m, list, g1, g2, signature)) add(m, list, g1, g2, -1, body1, body2);
    }
  }

  // the tree search of the midphase meets pairs in no useful order, so contacts are sorted after it
  if (list->pair && !mjDISABLED(mjDSBL_MIDPHASE)) {
    qsort(list->pair + first, (size_t)(list->npair - first), sizeof(mjiPair), comparePairs);
  }
}

static List enumerate(const mjModel* m, mjiPair* pair, mjiRun* run, int max) {
  List list = {.pair = pair, .run = run};
  for (int b1 = 0; b1 < m->nbody; b1++) {
    if (!m->body_geomnum[b1]) continue;
    for (int b2 = b1 + 1; b2 < m->nbody; b2++) {
      if (!m->body_geomnum[b2]) continue;
      addPredefined(m, &list, ((int64_t)b1 << 16) + b2);
      if (!mji_filterBodies(m, b1, b2)) addGeoms(m, &list, b1, b2);
      if (list.npair > max) return list;
    }
  }
  addPredefined(m, &list, INT64_MAX);
  return list;
}

mjiPairCount mji_countPairs(const mjModel* m) {
  List list = enumerate(m, NULL, NULL, MAXPAIR);
  if (list.npair > MAXPAIR) return (mjiPairCount){0};
  return (mjiPairCount){
      .npair = list.npair, .nrun = list.nrun, .nreach = list.nreach, .weight = list.weight, .complete = 1};
}

void mji_listPairs(const mjModel* m, mjiPair* pair, mjiRun* run, mjiPairCount count) {
  if (count.npair) enumerate(m, pair, run, MAXPAIR);
  run[count.nrun] = (mjiRun){.start = count.npair};
}
