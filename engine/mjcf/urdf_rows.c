// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// URDF elements by rows, with the reader of MJCF.

#include <string.h>

#include "mjcf/urdf.h"

const mjiXML* mji_urdfChild(mjiURDF* u, const mjiXML* elem, const char* name, int required) {
  const mjiXML* child = mji_xmlChild(elem, name);
  const mjiXML* again = child ? mji_xmlNext(child) : NULL;
  if (!child && required) mji_readFail(u->r, elem, "%s must be given", name);
  if (again) mji_readFail(u->r, again, "only one such element is allowed in '%s'", elem->name);
  return child;
}

const char* mji_urdfText(mjiURDF* u, const mjiXML* elem, const char* name) {
  const char* text = mji_xmlAttr(elem, name);
  if (!text) mji_readFail(u->r, elem, "%s must be given", name);
  return text;
}

void mji_urdfRows(mjiURDF* u, const mjiXML* elem, const mjiAttrRow* rows, void* dest) {
  for (const mjiAttrRow* row = rows; row->name; row++)
    if (row->flags & mjiREQUIRED && !mji_readGiven(elem, row->name))
      mji_readFail(u->r, elem, "%s must be given", row->name);
  mji_readRows(u->r, elem, rows, dest);
}

typedef struct {
  double xyz[3], rpy[3];
} Origin;

static const mjiAttrRow rowsOrigin[] = {ROW(xyz, mjiNUM, 3, Origin, xyz), ROW(rpy, mjiNUM, 3, Origin, rpy), {0}};

void mji_urdfOrigin(mjiURDF* u, const mjiXML* elem, double pos[3], double quat[4]) {
  Origin origin = {{0}, {0}};
  const mjiXML* given = mji_urdfChild(u, elem, "origin", 0);
  if (given) mji_urdfRows(u, given, rowsOrigin, &origin);
  mju_copy3(pos, origin.xyz);

  // roll, pitch and yaw turn about axes that stay where they are
  mju_euler2Quat(quat, origin.rpy, "XYZ");
}
