// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Default classes: a tree of complete sets of attributes. A class starts as a copy of its parent,
// so a class is read before its nested classes, whatever their order in the file.

#include <string.h>

#include "mjcf/read.h"

static void readInto(mjiReader* r, const mjiXML* e, mjsDefault* def) {
  if (!strcmp(e->name, "mesh")) mji_readMeshRows(r, e, def->mesh);
  else if (!strcmp(e->name, "material")) mji_readMaterial(r, e, def->material);
  else if (!strcmp(e->name, "joint")) mji_readJoint(r, e, def->joint);
  else if (!strcmp(e->name, "geom")) mji_readGeom(r, e, def->geom);
  else if (!strcmp(e->name, "site")) mji_readRows(r, e, mji_rowsSite, def->site);
  else if (!strcmp(e->name, "camera")) mji_readCamera(r, e, def->camera);
  else if (!strcmp(e->name, "light")) mji_readLight(r, e, def->light);
  else if (!strcmp(e->name, "pair")) mji_readRows(r, e, mji_rowsPair, def->pair);
  else if (!strcmp(e->name, "equality")) mji_readRows(r, e, mji_rowsEquality, def->equality);
  else if (!strcmp(e->name, "tendon")) mji_readTendonRows(r, e, mji_rowsSpatial, def->tendon);
  else mji_readActuatorRows(r, e, def->actuator);
}

static void readClass(mjiReader* r, const mjiXML* elem, mjsDefault* def) {
  for (const mjiXML* c = elem->first; c; c = c->next)
    if (strcmp(c->name, "default")) readInto(r, c, def);

  for (const mjiXML* c = elem->first; c; c = c->next) {
    if (strcmp(c->name, "default")) continue;
    const char* name = mji_xmlAttr(c, "class");
    if (!name || !*name) mji_readFail(r, c, "a class inside another needs a name");
    mjsDefault* nested = mjs_addDefault(r->spec, name, def);
    if (!nested) mji_readFail(r, c, "there is a class '%s' already", name);
    readClass(r, c, nested);
  }
}

void mji_readDefault(mjiReader* r, const mjiXML* section) {
  const char* name = mji_xmlAttr(section, "class");
  if (name && *name && strcmp(name, "main"))
    mji_readFail(r, section, "the outermost class has the name 'main' and no other");
  readClass(r, section, mjs_getSpecDefault(r->spec));
}
