// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// URDF: robots as links and the joints between them, read into the same specification as MJCF. Elements and attributes
// that are not read have no effect: the language is open, and documents carry what other programs need.
#ifndef SHEAF_MJCF_URDF_H_
#define SHEAF_MJCF_URDF_H_

#include "mjcf/read.h"
#include "mjcf/urdf_names.h"

enum { mjiMAX_LINKDEPTH = 1023 };  // links from the world to the last one, as in the reference

// What the elements of a document share while it is read.
typedef struct mjiURDF_ {
  mjiReader* r;
  mjiNameTable link;      // name of a link to its number
  mjiNameTable material;  // name of a material to its color
  mjiNameTable mesh;      // name of a mesh to the number of scales it has
  mjiNameTable scaled;    // name and scale of a mesh to nothing
  const mjiXML** color;   // of materials
  int ncolor;
} mjiURDF;

// ---- urdf.c

// Is this the root of a URDF document?
int mji_urdfIs(const mjiXML* root);

// Read a document into the spec of the reader.
void mji_urdfRead(mjiReader* r, const mjiXML* root);

// ---- urdf_rows.c: elements by rows

// The only child of this name, or NULL; a second one is an error, and so is none if it is required.
const mjiXML* mji_urdfChild(mjiURDF* u, const mjiXML* elem, const char* name, int required);

// Value of an attribute that must be there; it may be empty.
const char* mji_urdfText(mjiURDF* u, const mjiXML* elem, const char* name);

// Read what rows describe; rows that are required may not be blank.
void mji_urdfRows(mjiURDF* u, const mjiXML* elem, const mjiAttrRow* rows, void* dest);

// Pose that the origin of an element gives; without one, none.
void mji_urdfOrigin(mjiURDF* u, const mjiXML* elem, double pos[3], double quat[4]);

// ---- urdf_link.c

// Make room for the meshes of a document, and note the colors of all its materials, wherever they stand: the first one
// of a name counts.
void mji_urdfAssets(mjiURDF* u, const mjiXML* root);

// Read what a link has into its body.
void mji_urdfLink(mjiURDF* u, const mjiXML* elem, mjsBody* body);

// ---- urdf_joint.c

// Read a joint into the body of its child link.
void mji_urdfJoint(mjiURDF* u, const mjiXML* elem, mjsBody* body);

#endif  // SHEAF_MJCF_URDF_H_
