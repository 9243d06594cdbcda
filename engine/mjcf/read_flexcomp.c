// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// <flexcomp>: a flex with the bodies that carry its vertices or its control nodes.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mjcf/flexcomp.h"
#include "spec/reset_element.h"

// clang-format off
static const mjiWord types[] = {{"grid", mjiFLEXCOMP_GRID}, {"box", mjiFLEXCOMP_BOX}, {"cylinder", mjiFLEXCOMP_CYLINDER},
                                {"ellipsoid", mjiFLEXCOMP_ELLIPSOID}, {"square", mjiFLEXCOMP_SQUARE},
                                {"disc", mjiFLEXCOMP_DISC}, {"circle", mjiFLEXCOMP_CIRCLE}, {"mesh", mjiFLEXCOMP_MESH},
                                {"gmsh", mjiFLEXCOMP_GMSH}, {"direct", mjiFLEXCOMP_DIRECT}, {0}};
static const mjiWord dofs[] = {{"full", mjiFLEXDOF_FULL}, {"radial", mjiFLEXDOF_RADIAL},
                               {"trilinear", mjiFLEXDOF_TRILINEAR}, {"quadratic", mjiFLEXDOF_QUADRATIC}, {0}};
// clang-format on

// do points and elements follow from count and spacing?
static int isShape(const mjiFlexcomp* f) {
  return f->type != mjiFLEXCOMP_MESH && f->type != mjiFLEXCOMP_GMSH && f->type != mjiFLEXCOMP_DIRECT;
}

// ---- what was given

static void readCounts(mjiReader* r, mjiFlexcomp* f) {
  double count[3] = {10, 10, 10};
  mji_readNums(r, f->elem, "count", count, 0, 3);
  for (int k = 0; k < 3; k++) {
    f->spacing[k] = 0.02;
    f->scale[k] = 1;
    if (!(count[k] >= 1 && count[k] <= mjiMAX_FLEXPOINTS)) {
      mji_readFail(r, f->elem, "count must be between 1 and %d, not %g", mjiMAX_FLEXPOINTS, count[k]);
    }
    f->count[k] = (int)count[k];
  }
  mji_readNums(r, f->elem, "spacing", f->spacing, 0, 3);
  mji_readNums(r, f->elem, "scale", f->scale, 3, 3);
  for (int k = 0; k < 3; k++) {
    if (f->scale[k] < mjMINVAL) mji_readFail(r, f->elem, "scale must be positive");
  }
}

static void readPose(mjiReader* r, mjiFlexcomp* f) {
  mjsFrame frame;
  memset(&frame, 0, sizeof frame);
  mjs_defaultFrame(&frame);
  mji_readRows(r, f->elem, mji_rowsFlexcompPose, &frame);
  const mjsCompiler* c = &r->spec->compiler;
  const char* wrong = NULL;
  if (frame.alt.type != mjORIENTATION_QUAT)
    wrong = mjs_resolveOrientation(frame.quat, c->degree, c->eulerseq, &frame.alt);
  if (wrong) mji_readFail(r, f->elem, "%s", wrong);
  mju_copy3(f->pos, frame.pos);
  mju_copy4(f->quat, frame.quat);
  mju_normalize4(f->quat);
}

static void readSettings(mjiReader* r, mjiFlexcomp* f, const mjsFlex* flex) {
  f->type = (mjiFlexcompType)mji_readWord(r, f->elem, "type", types, mjiFLEXCOMP_GRID);
  f->dof = (mjiFlexcompDof)mji_readWord(r, f->elem, "dof", dofs, mjiFLEXDOF_FULL);
  f->rigid = mji_readWord(r, f->elem, "rigid", mji_wordsBool, 0);
  f->mass = mji_readNum(r, f->elem, "mass", 1);
  f->inertiabox = mji_readNum(r, f->elem, "inertiabox", 0.005);
  f->dim = flex->dim;
  if (f->dim < 1 || f->dim > 3) mji_readFail(r, f->elem, "dim must be 1, 2 or 3, not %d", f->dim);
  if (f->mass < mjMINVAL || f->inertiabox < mjMINVAL) mji_readFail(r, f->elem, "mass and inertiabox must be positive");
  readCounts(r, f);
  readPose(r, f);
  const double least = fmin(f->spacing[0], fmin(f->spacing[1], f->spacing[2]));
  if (isShape(f) && least < 2 * flex->radius) {
    mji_readFail(r, f->elem, "spacing must be at least twice the radius, %g", 2 * flex->radius);
  }
}

static void readDirect(mjiReader* r, mjiFlexcomp* f) {
  int n = 0;
  f->point = mji_readDoubles(r, f->elem, "point", &n);
  f->id = mji_readInts(r, f->elem, "element", &f->nid);
  if (!n || !f->nid) mji_readFail(r, f->elem, "point and element must be given");
  if (n % 3) mji_readFail(r, f->elem, "the numbers of point come in threes");
  f->npoint = n / 3;
  if (f->npoint > mjiMAX_FLEXPOINTS) mji_readFail(r, f->elem, "more than %d points", mjiMAX_FLEXPOINTS);
  if (f->nid % (f->dim + 1)) mji_readFail(r, f->elem, "the ids of element come in groups of %d", f->dim + 1);
  for (int i = 0; i < f->nid; i++) {
    if (f->id[i] < 0 || f->id[i] >= f->npoint) mji_readFail(r, f->elem, "element: there is no point %d", f->id[i]);
  }
}

static void makePoints(mjiReader* r, mjiFlexcomp* f) {
  if (f->type == mjiFLEXCOMP_DIRECT) readDirect(r, f);
  else if (isShape(f)) mji_flexcompShape(r, f);
  else mji_flexcompFile(r, f);
  if (!f->nid) mji_readFail(r, f->elem, "count leaves no elements for dim %d", f->dim);
  for (int i = 0; i < 3 * f->npoint && !isShape(f); i++) f->point[i] *= f->scale[i % 3];
  f->used = mji_readAlloc(r, f->elem, (size_t)f->npoint);
  for (int i = 0; i < f->nid; i++) f->used[f->id[i]] = 1;
  for (int i = 0; i < f->npoint && f->rigid; i++) f->used[i] = 1;
  for (int i = 0; i < f->npoint; i++) {
    double* p = f->point + 3 * i;
    mju_trnVecPose(p, f->pos, f->quat, p);
  }
}

// ---- pins

static int nodesOnAxis(const mjiFlexcomp* f) {
  if (f->rigid) return 0;
  return f->dof == mjiFLEXDOF_TRILINEAR ? 2 : f->dof == mjiFLEXDOF_QUADRATIC ? 3 : 0;
}

static void pin(mjiReader* r, const mjiXML* e, mjiFlexcomp* f, int id) {
  if (id < 0 || id >= f->npoint) mji_readFail(r, e, "there is no point %d", id);
  f->pinned[id] = 1;
}

static void pinCell(mjiReader* r, const mjiXML* e, mjiFlexcomp* f, const int* at) {
  const int* n = f->count;
  int id = 0;
  for (int k = 0; k < 3; k++) {
    const int i = k < f->dim ? at[k] : 0;
    if (i < 0 || i >= n[k]) mji_readFail(r, e, "the grid has no point %d on axis %d", i, k);
    id = id * (k < f->dim ? n[k] : 1) + i;
  }
  pin(r, e, f, id);
}

static void pinCells(mjiReader* r, const mjiXML* e, mjiFlexcomp* f, const int* range) {
  const int* n = f->count;
  int lo[3] = {0}, hi[3] = {0}, at[3];
  for (int k = 0; k < f->dim; k++) {
    lo[k] = range[k];
    hi[k] = range[f->dim + k];
    if (lo[k] < 0 || hi[k] >= n[k]) mji_readFail(r, e, "the grid has no points %d to %d on axis %d", lo[k], hi[k], k);
  }
  for (at[0] = lo[0]; at[0] <= hi[0]; at[0]++) {
    for (at[1] = lo[1]; at[1] <= hi[1]; at[1]++) {
      for (at[2] = lo[2]; at[2] <= hi[2]; at[2]++) pinCell(r, e, f, at);
    }
  }
}

// the values of an attribute of <pin>, which come in groups
static int* readPins(mjiReader* r, const mjiXML* e, const char* name, int group, int* n) {
  *n = 0;
  int* values = mji_readInts(r, e, name, n);
  if (*n % group) mji_readFail(r, e, "the numbers of %s come in groups of %d", name, group);
  return values;
}

static void readPin(mjiReader* r, const mjiXML* e, mjiFlexcomp* f) {
  int n;
  int* id = readPins(r, e, "id", 1, &n);
  for (int i = 0; i < n; i++) pin(r, e, f, id[i]);
  id = readPins(r, e, "range", 2, &n);
  for (int i = 0; i < n; i += 2) {
    for (int64_t k = id[i]; k <= id[i + 1]; k++) pin(r, e, f, (int)k);
  }
  const int ongrid = f->type == mjiFLEXCOMP_GRID || nodesOnAxis(f);
  if (!ongrid && (mji_xmlAttr(e, "grid") || mji_xmlAttr(e, "gridrange"))) {
    mji_readFail(r, e, "only a grid has points by their place in the grid");
  }
  id = readPins(r, e, "grid", f->dim, &n);
  for (int i = 0; i < n; i += f->dim) pinCell(r, e, f, id + i);
  id = readPins(r, e, "gridrange", 2 * f->dim, &n);
  for (int i = 0; i < n; i += 2 * f->dim) pinCells(r, e, f, id + i);
}

static void readAllPins(mjiReader* r, mjiFlexcomp* f) {
  const int least = 27;  // room for all nodes
  f->pinned = mji_readAlloc(r, f->elem, (size_t)(f->npoint > least ? f->npoint : least));
  for (const mjiXML* c = f->elem->first; c; c = c->next) {
    if (!strcmp(c->name, "pin")) readPin(r, c, f);
  }
  if (f->dof == mjiFLEXDOF_RADIAL) f->pinned[0] = 1;
  for (int i = 0; i < f->npoint && f->rigid; i++) f->pinned[i] = 1;
}

// ---- bodies

// All bodies of vertices have the plugin of the flexcomp; with nodes, or if all is rigid, the body around it has it.
static void readPlugin(mjiReader* r, mjiFlexcomp* f, mjsBody* parent, const char* name) {
  const mjiXML* elem = mji_xmlChild(f->elem, "plugin");
  if (!elem) return;
  char* own = mji_readAlloc(r, elem, strlen(name) + 32);
  sprintf(own, "flexcomp_%s", name);
  f->plugin = mji_readSharedPlugin(r, elem, own);
  if (!f->rigid && !nodesOnAxis(f)) return;
  if (parent->plugin.active) mji_readFail(r, elem, "a body has one plugin");
  mji_usePlugin(parent, f->plugin);
}

static mjsBody* addBody(mjiReader* r, const mjiFlexcomp* f, mjsBody* parent, const double pos[3], double mass) {
  mjsBody* body = mjs_addBody(parent, NULL);
  if (!body) mji_readFailSpec(r, f->elem);
  mji_readLine(r, f->elem, body->info);
  mju_copy3(body->pos, pos);
  body->mass = mass;
  for (int k = 0; k < 3; k++) body->inertia[k] = mass * 2 * f->inertiabox * f->inertiabox / 3;
  mju_zero3(body->ipos);
  body->explicitinertial = 1;
  if (f->frame && mjs_setFrame(body->element, f->frame)) mji_readFailSpec(r, f->elem);
  return body;
}

static void addSlide(mjiReader* r, const mjiFlexcomp* f, mjsBody* body, const double axis[3]) {
  mjsJoint* joint = mjs_addJoint(body, NULL);
  mji_readLine(r, f->elem, joint->info);
  joint->type = mjJNT_SLIDE;
  mju_zero3(joint->pos);
  mju_copy3(joint->axis, axis);
}

static void addSlides(mjiReader* r, const mjiFlexcomp* f, mjsBody* body) {
  for (int k = 0; k < 3; k++) {
    double axis[3] = {0};
    axis[k] = 1;
    addSlide(r, f, body, axis);
  }
}

static void nameBody(mjiReader* r, const mjiFlexcomp* f, mjsBody* body, const char* name) {
  if (mjs_setName(body->element, name)) mji_readFailSpec(r, f->elem);
}

// The name of the body with which vertices or nodes stay that have none of their own: the body that carries the
// flexcomp. Within a frame it is a body without mass that stands where the frame is.
static const char* holderName(mjiReader* r, mjiFlexcomp* f, mjsBody* parent, const char* name) {
  if (f->holder) return f->holder;
  if (!f->frame) {
    f->holder = mjs_getString(mjs_getName(parent->element));
    if (!*f->holder) mji_readFail(r, f->elem, "the body around it must have a name, as vertices or nodes stay with it");
    return f->holder;
  }
  char* own = mji_readAlloc(r, f->elem, strlen(name) + 32);
  sprintf(own, "%s_frame", name);
  mjsBody* body = mjs_addBody(parent, NULL);
  if (!body || mjs_setFrame(body->element, f->frame)) mji_readFailSpec(r, f->elem);
  mji_readLine(r, f->elem, body->info);
  nameBody(r, f, body, own);
  return f->holder = own;
}

// Vertices on bodies of their own; those that are pinned stay with the parent.
static void carryVertices(mjiReader* r, mjiFlexcomp* f, mjsFlex* flex, mjsBody* parent, const char* name) {
  double* vert = mji_readAlloc(r, f->elem, 3 * (size_t)f->npoint * sizeof(double));
  char* text = mji_readAlloc(r, f->elem, strlen(name) + 32);
  int n = 0, anypinned = 0;
  for (int i = 0; i < f->npoint; i++) {
    if (!f->used[i]) continue;
    if (f->pinned[i]) {
      mju_copy3(vert + 3 * n, f->point + 3 * i);
      mjs_appendString(flex->vertbody, holderName(r, f, parent, name));
      anypinned = 1;
    } else {
      mjsBody* body = addBody(r, f, parent, f->point + 3 * i, f->mass / f->npoint);
      mji_usePlugin(body, f->plugin);
      if (f->dof == mjiFLEXDOF_RADIAL) {
        double axis[3];
        mju_copy3(axis, f->point + 3 * i);
        mju_normalize3(axis);
        addSlide(r, f, body, axis);
      } else {
        addSlides(r, f, body);
      }
      sprintf(text, "%s_%d", name, i);
      nameBody(r, f, body, text);
      mjs_appendString(flex->vertbody, text);
    }
    n++;
  }
  if (anypinned) mjs_setDouble(flex->vert, vert, 3 * n);
}

// box around the points
static void boxOf(const mjiFlexcomp* f, double lo[3], double hi[3]) {
  for (int k = 0; k < 3; k++) {
    lo[k] = INFINITY;
    hi[k] = -INFINITY;
  }
  for (int i = 0; i < 3 * f->npoint; i++) {
    lo[i % 3] = fmin(lo[i % 3], f->point[i]);
    hi[i % 3] = fmax(hi[i % 3], f->point[i]);
  }
}

// Nodes share the mass as their shape functions share the box; nodes in the middle of an axis have four times as much.
static double nodeMass(const mjiFlexcomp* f, int side, const int at[3]) {
  if (side == 2) return f->mass / 8;
  double part = 1;
  for (int k = 0; k < 3; k++) part *= at[k] == 1 ? 4 : 1;
  return f->mass * part / 216;
}

// Vertices follow nodes at the corners of their box, and between them, which have bodies of their own.
static void carryNodes(mjiReader* r, mjiFlexcomp* f, mjsFlex* flex, mjsBody* parent, const char* name) {
  const int side = nodesOnAxis(f);
  double lo[3], hi[3], node[81] = {0};
  char* text = mji_readAlloc(r, f->elem, strlen(name) + 32);
  int anypinned = 0;
  boxOf(f, lo, hi);
  for (int n = 0; n < side * side * side; n++) {
    const int at[3] = {n / (side * side), n / side % side, n % side};
    double pos[3];
    for (int k = 0; k < 3; k++) pos[k] = lo[k] + at[k] * (hi[k] - lo[k]) / (side - 1);
    if (f->pinned[n]) {
      mju_copy3(node + 3 * n, pos);
      mjs_appendString(flex->nodebody, holderName(r, f, parent, name));
      anypinned = 1;
      continue;
    }
    mjsBody* body = addBody(r, f, parent, pos, nodeMass(f, side, at));
    addSlides(r, f, body);
    sprintf(text, "%s_%d_%d_%d", name, at[0], at[1], at[2]);
    nameBody(r, f, body, text);
    mjs_appendString(flex->nodebody, text);
  }
  if (anypinned) mjs_setDouble(flex->node, node, 3 * side * side * side);
  mjs_appendString(flex->vertbody, holderName(r, f, parent, name));
  double* vert = mji_readAlloc(r, f->elem, 3 * (size_t)f->npoint * sizeof(double));
  int n = 0;
  for (int i = 0; i < f->npoint; i++) {
    if (f->used[i]) mju_copy3(vert + 3 * n++, f->point + 3 * i);
  }
  mjs_setDouble(flex->vert, vert, 3 * n);
}

// ---- the flex

// ids of the points that elements use
static void setElements(mjiReader* r, const mjiFlexcomp* f, mjsFlex* flex) {
  int *number = mji_readAlloc(r, f->elem, (size_t)f->npoint * sizeof(int)), n = 0;
  for (int i = 0; i < f->npoint; i++) number[i] = f->used[i] ? n++ : -1;
  for (int i = 0; i < f->nid; i++) f->id[i] = number[f->id[i]];
  mjs_setInt(flex->elem, f->id, f->nid);
}

// Texture coordinates of the file, those that were given, or for a material the places in the grid across z.
static void setTexture(mjiReader* r, const mjiFlexcomp* f, mjsFlex* flex) {
  if (f->texcoord) {
    mjs_setFloat(flex->texcoord, f->texcoord, 2 * f->ntexcoord);
    mjs_setInt(flex->elemtexcoord, f->elemtexcoord, f->nid);
    return;
  }
  int n = 0;
  float* texcoord = mji_readFloats(r, f->elem, "texcoord", &n);
  if (n) mjs_setFloat(flex->texcoord, texcoord, n);
  const int shaped = isShape(f) && f->dim > 1;
  if (n || !shaped || !*mjs_getString(flex->material)) return;
  texcoord = mji_readAlloc(r, f->elem, 2 * (size_t)f->npoint * sizeof(float));
  for (int i = 0; i < f->npoint; i++) {
    if (!f->used[i]) continue;
    for (int k = 0; k < 2; k++) texcoord[n++] = f->cell[2 * i + k];
  }
  mjs_setFloat(flex->texcoord, texcoord, n);
}

static void addEquality(mjiReader* r, const mjiFlexcomp* f, const mjsFlex* flex, const char* name) {
  const mjiXML* edge = mji_xmlChild(f->elem, "edge");
  if (!edge || !mji_readWord(r, edge, "equality", mji_wordsBool, 0)) return;
  if (flex->elastic2d & 2) mji_readFail(r, edge, "edges are kept by an equality or stretch (elastic2d), not both");
  if (f->rigid) return;
  mjsEquality* eq = mjs_addEquality(r->spec, NULL);
  mji_elem_reset(eq->element);  // classes are not meant for it
  mji_readLine(r, edge, eq->info);
  mji_readRows(r, edge, mji_rowsFlexcompEquality, eq);
  eq->type = mjEQ_FLEX;
  mjs_setString(eq->name1, name);
}

void mji_readFlexcomp(mjiReader* r, const mjiXML* elem, mjsBody* parent, mjsFrame* frame) {
  mjiFlexcomp comp = {.elem = elem, .frame = frame};
  const char* name = mji_readText(r, elem, "name", 1);
  mjsFlex* flex = mjs_addFlex(r->spec);
  mji_readIdentity(r, elem, flex->element, flex->info);
  mji_readRows(r, elem, mji_rowsFlexCommon, flex);
  mji_readFlexParts(r, elem, flex);
  readSettings(r, &comp, flex);
  makePoints(r, &comp);
  flex->dim = comp.dim;
  readAllPins(r, &comp);
  setElements(r, &comp, flex);
  setTexture(r, &comp, flex);
  const int solid = comp.type == mjiFLEXCOMP_GRID ? comp.dim == 3 : comp.type <= mjiFLEXCOMP_CYLINDER;
  if (solid) flex->flatskin = 1;
  readPlugin(r, &comp, parent, name);
  if (nodesOnAxis(&comp)) carryNodes(r, &comp, flex, parent, name);
  else carryVertices(r, &comp, flex, parent, name);
  addEquality(r, &comp, flex, name);
}
