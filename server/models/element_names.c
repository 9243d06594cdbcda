// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "models/element_names.h"

#include <stdio.h>
#include <string.h>

#include "base/failure.h"

static bool is_utf8(const char* text) {
  for (int n; *text; text += n) {
    n = (unsigned char)*text < 0x80 ? 1 : srv_character_length(text);
    if (!n) return false;
  }
  return true;
}

// what is wrong with a name, or NULL
static const char* fault_of(const char* name) {
  if (strlen(name) > SRV_NAME_BYTES) return "expected a name of at most 1024 bytes, got a longer one";
  return is_utf8(name) ? NULL : "expected a name in UTF-8, got other bytes";
}

// ---- where a name stands in the files

// clang-format off
#define KINDS(X) \
  X(BODY, Body, "body") \
  X(GEOM, Geom, "geom") \
  X(JOINT, Joint, "joint") \
  X(SITE, Site, "site") \
  X(CAMERA, Camera, "camera") \
  X(LIGHT, Light, "light") \
  X(FLEX, Flex, "flex") \
  X(MESH, Mesh, "mesh") \
  X(SKIN, Skin, "skin") \
  X(HFIELD, HField, "hfield") \
  X(TEXTURE, Texture, "texture") \
  X(MATERIAL, Material, "material") \
  X(PAIR, Pair, "pair") \
  X(EXCLUDE, Exclude, "exclude") \
  X(EQUALITY, Equality, "equality") \
  X(TENDON, Tendon, "tendon") \
  X(ACTUATOR, Actuator, "actuator") \
  X(SENSOR, Sensor, "sensor") \
  X(NUMERIC, Numeric, "numeric") \
  X(TEXT, Text, "text") \
  X(TUPLE, Tuple, "tuple") \
  X(KEY, Key, "key") \
  X(PLUGIN, Plugin, "plugin")
// clang-format on

static const struct {
  mjtObj type;
  const char* text;
} kinds[] = {
#define X(TYPE, Type, name) {mjOBJ_##TYPE, name},
    KINDS(X)
#undef X
};

// "line 3", or "line 3 of part.xml"
static const mjString* info_of(mjsElement* e) {
  switch (e->elemtype) {
#define X(TYPE, Type, name) \
  case mjOBJ_##TYPE: return mjs_as##Type(e)->info;
    KINDS(X)
#undef X
    default: return NULL;
  }
}

static void describe(const mjString* info, const char* kind, const char* fault, const char* main, char* text,
                     size_t size) {
  char file[256];
  int line = 0;
  int found = info ? sscanf(mjs_getString(info), "line %d of %255[^\n]", &line, file) : 0;
  if (found < 2) snprintf(file, sizeof file, "%s", main);
  if (found < 1) snprintf(text, size, "%s: %s: %s", file, kind, fault);
  else snprintf(text, size, "%s:%d: %s: %s", file, line, kind, fault);
}

// the element that has a name like that
static void find_place(mjSpec* spec, const char* fault, const char* main, char* text, size_t size) {
  for (size_t i = 0; spec && i < sizeof kinds / sizeof kinds[0]; i++) {
    for (mjsElement* e = mjs_firstElement(spec, kinds[i].type); e; e = mjs_nextElement(spec, e)) {
      if (fault_of(mjs_getString(mjs_getName(e))) != fault) continue;
      describe(info_of(e), kinds[i].text, fault, main, text, size);
      return;
    }
  }
  describe(NULL, "model", fault, main, text, size);
}

bool srv_names_check(mjSpec* spec, const mjModel* m, const char* main, char* text, size_t size) {
  if (m->nnames > SRV_NAMES_BYTES) {
    snprintf(text, size, "%s: names: expected at most %d bytes together, got %d", main, SRV_NAMES_BYTES,
             (int)m->nnames);
    return false;
  }
  for (const char *name = m->names, *end = name + m->nnames; name < end; name += strlen(name) + 1) {
    const char* fault = fault_of(name);
    if (!fault) continue;
    find_place(spec, fault, main, text, size);
    return false;
  }
  return true;
}
