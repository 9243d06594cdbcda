// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What a URDF link has: inertia, and geoms to see and to touch.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mjcf/source.h"
#include "mjcf/urdf.h"

// ---- inertia

static const mjiAttrRow rowsMass[] = {ROW(value, mjiNUM, 1, mjsBody, mass, .flags = mjiREQUIRED), {0}};

#define MOMENT(name, i) ROW(name, mjiNUM, 1, mjsBody, fullinertia[i], .flags = mjiREQUIRED)
static const mjiAttrRow rowsInertia[] = {
    MOMENT(ixx, 0), MOMENT(iyy, 1), MOMENT(izz, 2), MOMENT(ixy, 3), MOMENT(ixz, 4), MOMENT(iyz, 5), {0}};

// The compiler finds the axes of the matrix in the frame of the link: as in the reference, the turn of the origin
// is without effect. It counts where the matrix has none.
static void turnInertia(mjsBody* body) {
  const double* I = body->fullinertia;  // xx yy zz xy xz yz
  const double mat[9] = {I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2]};
  double moments[3], axes[9], turn[4];
  mju_eig3(moments, axes, turn, mat);
  if (moments[2] >= mjMINVAL) mju_mulQuat(body->iquat, body->iquat, turn);
}

static void readInertial(mjiURDF* u, const mjiXML* elem, mjsBody* body) {
  body->explicitinertial = 1;
  mji_urdfOrigin(u, elem, body->ipos, body->iquat);
  mji_urdfRows(u, mji_urdfChild(u, elem, "mass", 1), rowsMass, body);
  mji_urdfRows(u, mji_urdfChild(u, elem, "inertia", 1), rowsInertia, body);

  // a matrix of zeros counts as not given, so that boundinertia may replace it
  int given = 0;
  for (int i = 0; i < 6; i++) given |= body->fullinertia[i] != 0;
  if (given) turnInertia(body);
  else body->fullinertia[0] = NAN;
}

// ---- colors

typedef struct {
  float rgba[4];
} Color;

static const mjiAttrRow rowsColor[] = {ROW(rgba, mjiFLT, 4, Color, rgba, .flags = mjiREQUIRED), {0}};

static void noteMaterials(mjiURDF* u, const mjiXML* elem) {
  const char* name = strcmp(elem->name, "material") ? NULL : mji_xmlAttr(elem, "name");
  if (name && !mji_namesFind(&u->material, name)) {
    const mjiXML* color = mji_urdfChild(u, elem, "color", 0);
    Color unused;
    if (color) mji_urdfRows(u, color, rowsColor, &unused);
    if (color) mji_namesAdd(&u->material, name, u->ncolor);
    if (color) u->color[u->ncolor++] = color;
  }
  for (const mjiXML* c = elem->first; c; c = c->next) noteMaterials(u, c);
}

static int countNamed(const mjiXML* elem, const char* name) {
  int n = !strcmp(elem->name, name);
  for (const mjiXML* c = elem->first; c; c = c->next) n += countNamed(c, name);
  return n;
}

void mji_urdfAssets(mjiURDF* u, const mjiXML* root) {
  int nmaterial = countNamed(root, "material"), nmesh = countNamed(root, "mesh");
  mji_namesMake(&u->material, u->r, root, nmaterial);
  mji_namesMake(&u->mesh, u->r, root, nmesh);
  mji_namesMake(&u->scaled, u->r, root, nmesh);
  u->color = mji_readAlloc(u->r, root, (size_t)nmaterial * sizeof *u->color);
  noteMaterials(u, root);
}

// Color of a visual: its own, or that of the material that it names. A visual without material keeps the last color.
static void readColor(mjiURDF* u, const mjiXML* visual, Color* color) {
  const mjiXML* material = mji_urdfChild(u, visual, "material", 0);
  if (!material) return;
  const mjiXML* own = mji_urdfChild(u, material, "color", 0);
  if (!own) {
    const int* known = mji_namesFind(&u->material, mji_urdfText(u, material, "name"));
    if (!known) return;
    own = u->color[*known];
  }
  mji_urdfRows(u, own, rowsColor, color);
}

// ---- meshes

static const mjiAttrRow rowsMesh[] = {ROW(scale, mjiNUM, 3, mjsMesh, scale), {0}};

static const char* pathBase(const char* path) {
  const char* back = strrchr(path, '\\');
  return mji_pathBase(back ? back + 1 : path);
}

// A mesh is named after its file, without folder and type. Another scale makes another mesh, whose name ends with the
// number of meshes before it. As in the reference, files of one name count as one file, and a link that uses an earlier
// scale again gets the first mesh of the name.
static void readMesh(mjiURDF* u, const mjiXML* elem, mjsGeom* geom) {
  mjiReader* r = u->r;
  const char* file = mji_urdfText(u, elem, "filename");
  const char* base = pathBase(file);
  size_t size = strlen(base) + 128;
  char *name = mji_readAlloc(r, elem, size), *key = mji_readAlloc(r, elem, size);
  const char* dot = strrchr(base, '.');
  snprintf(name, size, "%.*s", dot ? (int)(dot - base) : (int)strlen(base), base);

  mjsMesh given = {.scale = {1, 1, 1}};
  if (mji_xmlAttr(elem, "scale") && !mji_readGiven(elem, "scale"))
    mji_readFail(r, elem, "scale is empty, 3 values are needed");
  mji_urdfRows(u, elem, rowsMesh, &given);
  const double* s = given.scale;
  snprintf(key, size, "%a %a %a %s", s[0] + 0.0, s[1] + 0.0, s[2] + 0.0, name);

  mjs_setString(geom->meshname, name);
  if (mji_namesFind(&u->scaled, key)) return;
  mji_namesAdd(&u->scaled, key, 0);
  int* count = mji_namesFind(&u->mesh, name);
  if (!count) {
    mji_namesAdd(&u->mesh, name, 1);
  } else {
    char* next = mji_readAlloc(r, elem, size);
    snprintf(next, size, "%s%d", name, (*count)++);
    name = next;
  }
  mjs_setString(geom->meshname, name);

  mjsMesh* mesh = mjs_addMesh(r->spec, mjs_getSpecDefault(r->spec));
  mji_readLine(r, elem, mesh->info);
  if (*name && mjs_setName(mesh->element, name)) mji_readFailSpec(r, elem);
  mjs_setString(mesh->file, r->spec->strippath ? base : file);
  mju_copy3(mesh->scale, s);
}

// ---- geoms

static const mjiAttrRow rowsBox[] = {ROW(size, mjiNUM, 3, mjsGeom, size, .flags = mjiREQUIRED), {0}};
static const mjiAttrRow rowsSphere[] = {ROW(radius, mjiNUM, 1, mjsGeom, size[0], .flags = mjiREQUIRED), {0}};
static const mjiAttrRow rowsLong[] = {ROW(radius, mjiNUM, 1, mjsGeom, size[0], .flags = mjiREQUIRED),
                                      ROW(length, mjiNUM, 1, mjsGeom, size[1], .flags = mjiREQUIRED),
                                      {0}};

// of several shapes in a geometry, the first one here counts
static const struct {
  const char* name;
  mjtGeom type;
  const mjiAttrRow* rows;  // NULL: a mesh
  double scale[3];         // from size to half size
} shapes[] = {
    {"box", mjGEOM_BOX, rowsBox, {0.5, 0.5, 0.5}},    {"cylinder", mjGEOM_CYLINDER, rowsLong, {1, 0.5, 1}},
    {"sphere", mjGEOM_SPHERE, rowsSphere, {1, 1, 1}}, {"capsule", mjGEOM_CAPSULE, rowsLong, {1, 0.5, 1}},
    {"mesh", mjGEOM_MESH, NULL, {1, 1, 1}},
};

static void readShape(mjiURDF* u, const mjiXML* elem, mjsGeom* geom) {
  const mjiXML* geometry = mji_urdfChild(u, elem, "geometry", 1);
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    const mjiXML* shape = mji_urdfChild(u, geometry, shapes[i].name, 0);
    if (!shape) continue;
    geom->type = shapes[i].type;
    if (!shapes[i].rows) return readMesh(u, shape, geom);
    mji_urdfRows(u, shape, shapes[i].rows, geom);
    for (int k = 0; k < 3; k++) geom->size[k] *= shapes[i].scale[k];
    return;
  }
  mji_readFail(u->r, geometry, "box, cylinder, sphere, capsule or mesh must be given");
}

// what is only seen has no contacts and no mass
static void makeVisual(mjsGeom* geom) {
  geom->contype = geom->conaffinity = 0;
  geom->group = 1;
  geom->density = 0;
}

static void addGeom(mjiURDF* u, const mjiXML* elem, mjsBody* body, const Color* color) {
  mjSpec* spec = u->r->spec;
  mjsGeom* geom = mjs_addGeom(body, mjs_getSpecDefault(spec));
  mji_readLine(u->r, elem, geom->info);
  if (!strcmp(elem->name, "visual")) makeVisual(geom);

  // documents give many geoms one name: the first keeps it
  const char* name = mji_xmlAttr(elem, "name");
  if (name && *name && !mjs_findElement(spec, mjOBJ_GEOM, name)) mjs_setName(geom->element, name);

  mji_urdfOrigin(u, elem, geom->pos, geom->quat);
  readShape(u, elem, geom);
  if (color->rgba[0] >= 0) memcpy(geom->rgba, color->rgba, sizeof geom->rgba);
}

void mji_urdfLink(mjiURDF* u, const mjiXML* elem, mjsBody* body) {
  const mjiXML* inertial = mji_urdfChild(u, elem, "inertial", 0);
  if (inertial) readInertial(u, inertial, body);

  // what is touched has the color of what was seen before it; a negative red is none
  Color color = {{-1, 0, 0, 0}};
  for (const mjiXML* c = elem->first; c; c = c->next) {
    int visual = !strcmp(c->name, "visual");
    if (visual) readColor(u, c, &color);
    if (visual ? !u->r->spec->compiler.discardvisual : !strcmp(c->name, "collision")) addGeom(u, c, body, &color);
  }
}
