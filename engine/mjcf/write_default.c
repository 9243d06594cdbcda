// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Default classes, each as what differs from the class around it.

#include "mjcf/write.h"

static mjiBase baseOf(mjiWriter* w, const mjiElem* dclass, mjtObj type) {
  mjiBase base = mji_writeInitial(w, type);
  if (dclass->parent) base.given = &mji_class_values(dclass->parent, type)->as;
  base.inclass = 1;
  return base;
}

static void writeValues(mjiWriter* w, const mjiElem* dclass, const char* tag, mjtObj type, const mjiAttrRow* rows) {
  size_t start = mji_writeOpen(w, tag);
  w->elem = dclass;
  const mjiElem* values = mji_class_values(dclass, type);
  mjiBase base = baseOf(w, dclass, type);
  switch (type) {
    case mjOBJ_CAMERA: mji_writeCamera(w, &values->as.camera, base); break;
    case mjOBJ_MATERIAL: mji_writeMaterialRows(w, &values->as.material, base); break;
    case mjOBJ_TENDON: mji_writeTendonRows(w, rows, &values->as.tendon, base); break;
    default: mji_writeRows(w, rows, &values->as, base);
  }
  mji_writeCloseUsed(w, tag, start);
}

static void writeClass(mjiWriter* w, const mjiElem* dclass) {
  static const struct {
    const char* tag;
    mjtObj type;
    const mjiAttrRow* rows;
  } kinds[] = {
      {"mesh", mjOBJ_MESH, mji_rowsMesh},
      {"material", mjOBJ_MATERIAL, mji_rowsMaterial},
      {"joint", mjOBJ_JOINT, mji_rowsJoint},
      {"geom", mjOBJ_GEOM, mji_rowsGeom},
      {"site", mjOBJ_SITE, mji_rowsSite},
      {"camera", mjOBJ_CAMERA, mji_rowsCamera},
      {"light", mjOBJ_LIGHT, mji_rowsLight},
      {"pair", mjOBJ_PAIR, mji_rowsPair},
      {"equality", mjOBJ_EQUALITY, mji_rowsEquality},
      {"tendon", mjOBJ_TENDON, mji_rowsSpatial},
      {"general", mjOBJ_ACTUATOR, mji_rowsGeneral},
  };
  size_t start = mji_writeOpen(w, "default");
  if (dclass->parent) mji_writeText(w, "class", mji_elem_name(dclass));
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    writeValues(w, dclass, kinds[i].tag, kinds[i].type, kinds[i].rows);
  for (int i = 0; i < dclass->list.num; i++) writeClass(w, mji_elem_at(&dclass->list, i));
  mji_writeCloseUsed(w, "default", start);
}

void mji_writeDefault(mjiWriter* w) {
  writeClass(w, w->spec->mainclass);
  w->elem = NULL;
}
