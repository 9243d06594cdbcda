// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Names of elements. names_map holds one open-addressing hash table for each kind of element, in
// the order of kinds below, twice as long as there are elements; free entries are -1.
#include "model/names.h"

#include <stdint.h>
#include <string.h>

// Y(object type, count, address array)
#define KINDS(Y)                              \
  Y(mjOBJ_BODY, nbody, name_bodyadr)          \
  Y(mjOBJ_JOINT, njnt, name_jntadr)           \
  Y(mjOBJ_GEOM, ngeom, name_geomadr)          \
  Y(mjOBJ_SITE, nsite, name_siteadr)          \
  Y(mjOBJ_CAMERA, ncam, name_camadr)          \
  Y(mjOBJ_LIGHT, nlight, name_lightadr)       \
  Y(mjOBJ_FLEX, nflex, name_flexadr)          \
  Y(mjOBJ_MESH, nmesh, name_meshadr)          \
  Y(mjOBJ_SKIN, nskin, name_skinadr)          \
  Y(mjOBJ_HFIELD, nhfield, name_hfieldadr)    \
  Y(mjOBJ_TEXTURE, ntex, name_texadr)         \
  Y(mjOBJ_MATERIAL, nmat, name_matadr)        \
  Y(mjOBJ_PAIR, npair, name_pairadr)          \
  Y(mjOBJ_EXCLUDE, nexclude, name_excludeadr) \
  Y(mjOBJ_EQUALITY, neq, name_eqadr)          \
  Y(mjOBJ_TENDON, ntendon, name_tendonadr)    \
  Y(mjOBJ_ACTUATOR, nu, name_actuatoradr)     \
  Y(mjOBJ_SENSOR, nsensor, name_sensoradr)    \
  Y(mjOBJ_NUMERIC, nnumeric, name_numericadr) \
  Y(mjOBJ_TEXT, ntext, name_textadr)          \
  Y(mjOBJ_TUPLE, ntuple, name_tupleadr)       \
  Y(mjOBJ_KEY, nkey, name_keyadr)             \
  Y(mjOBJ_PLUGIN, nplugin, name_pluginadr)

enum { LOAD = 2 };  // entries per element

// elements of one kind
typedef struct {
  int count;
  const int* adr;  // addresses of their names
  int map;         // start of their table in names_map
} Kind;

static Kind findKind(const mjModel* m, int type) {
  if (type == mjOBJ_XBODY) type = mjOBJ_BODY;
  int map = 0;
#define Y(obj, n, array)                               \
  if (type == obj) return (Kind){m->n, m->array, map}; \
  map += LOAD * m->n;
  KINDS(Y)
#undef Y
  return (Kind){0};
}

int mji_sizeNamesMap(const mjModel* sizes) {
  int total = 0;
#define Y(obj, n, array) total += LOAD * sizes->n;
  KINDS(Y)
#undef Y
  return total;
}

// the hash function djb2, in its variant with exclusive or
static uint64_t hash(const char* text) {
  uint64_t h = 5381;
  for (; *text; text++) h = (h * 33) ^ (uint64_t)*text;
  return h;
}

static void insert(const mjModel* m, Kind kind, int* table, int id) {
  const char* name = m->names + kind.adr[id];
  if (!*name) return;
  uint64_t size = (uint64_t)(LOAD * kind.count);
  uint64_t i = hash(name) % size;
  while (table[i] >= 0) i = (i + 1) % size;
  table[i] = id;
}

void mji_buildNamesMap(mjModel* m) {
  for (int i = 0; i < m->nnames_map; i++) m->names_map[i] = -1;
  for (int type = 0; type < mjNOBJECT; type++) {
    Kind kind = findKind(m, type);
    if (type == mjOBJ_XBODY || kind.map + LOAD * kind.count > m->nnames_map) continue;
    for (int id = 0; id < kind.count; id++) insert(m, kind, m->names_map + kind.map, id);
  }
}

int mj_name2id(const mjModel* m, int type, const char* name) {
  Kind kind = findKind(m, type);
  if (!kind.count || !name || !*name) return -1;
  const int* table = m->names_map + kind.map;
  uint64_t size = (uint64_t)(LOAD * kind.count);
  uint64_t i = hash(name) % size;
  for (uint64_t probe = 0; probe < size && table[i] >= 0; probe++) {
    if (!strcmp(m->names + kind.adr[table[i]], name)) return table[i];
    i = (i + 1) % size;
  }
  return -1;
}

const char* mj_id2name(const mjModel* m, int type, int id) {
  Kind kind = findKind(m, type);
  if (id < 0 || id >= kind.count) return NULL;
  const char* name = m->names + kind.adr[id];
  return *name ? name : NULL;
}
