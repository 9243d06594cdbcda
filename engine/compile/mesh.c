// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A mesh asset, step by step: read, check, place and scale, hull, normals, inertia, then into the
// frame of its inertia. Collision wants the hull, mass properties want volume and inertia.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/eig3.h"
#include "compile/asset_cache.h"
#include "compile/asset_file.h"
#include "compile/compile.h"
#include "compile/mesh.h"
#include "spec/vec.h"

static int fail(mjiAssetSource* s, const char* reason) {
  snprintf(s->error, sizeof s->error, "%s", reason);
  return -1;
}

void mji_mesh_free(mjiMesh* m) {
  void* parts[] = {m->vert,         m->normal,     m->texcoord,   m->face,        m->facenormal,
                   m->facetexcoord, m->graph,      m->polynormal, m->polyvertadr, m->polyvertnum,
                   m->polyvert,     m->polymapadr, m->polymapnum, m->polymap,     m->path,
                   m->place,        m->octdepth,   m->octchild,   m->octaabb,     m->octcoeff};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) mju_free(parts[i]);
  *m = (mjiMesh){0};
}

static void* copyOf(const void* items, size_t size) {
  void* p = mju_malloc(size + 1);
  return p && size ? memcpy(p, items, size) : p;
}

// ---- read

enum { OBJ, STL, MSH };

// Format of the file: it follows from the content type, or else from the ending of the name. -1 if it is not known.
static int formatOf(const mjsMesh* mesh, mjiAssetSource* s) {
  static const struct {
    const char *type, *suffix;
  } formats[] = {{"model/obj", ".obj"}, {"model/stl", ".stl"}, {"model/vnd.mujoco.msh", ".msh"}};
  const char* name = mjs_getString(mesh->file);
  const char* type = mjs_getString(mesh->content_type);
  for (int i = OBJ; i <= MSH; i++)
    if (mji_contentIs(type, formats[i].type) || (!*type && mji_asset_hasSuffix(name, formats[i].suffix))) return i;
  return snprintf(s->error, sizeof s->error, "the format of mesh file '%.300s' is not known", name), -1;
}

static int readFile(mjiRawMesh* raw, const mjsMesh* mesh, int format, const mjiBytes* bytes, mjiAssetSource* s) {
  const char* name = mjs_getString(mesh->file);
  int bad = format == OBJ   ? mji_mesh_readOBJ(raw, bytes->data, bytes->size, s->error)
            : format == STL ? mji_mesh_readSTL(raw, bytes->data, bytes->size, s->error)
                            : mji_mesh_readMSH(raw, bytes->data, bytes->size, s->error);
  raw->mirror = format == OBJ ? MJI_MIRROR_ALL : MJI_MIRROR_FACES;
  if (bad) {
    char reason[400];
    snprintf(reason, sizeof reason, "%.399s", s->error);
    snprintf(s->error, sizeof s->error, "%.90s: %s", name, reason);
  }

  // faces of an MSH file name their normals, even if the file has none
  if (!bad && format == MSH && raw->nface && ((mjiVec*)mesh->usernormal)->num) {
    return fail(s, "normal data: the faces are those of the file");
  }
  return bad;
}

// copy a list of the specification, whose length must be a multiple of `multiple`
static int takeList(void** out, int* num, const void* list, int multiple, const char* name, mjiAssetSource* s) {
  const mjiVec* v = list;
  if (!v->num) return 0;
  if (*out) {
    snprintf(s->error, sizeof s->error, "%s: given by the file and by the model", name);
    return -1;
  }
  if (v->num % multiple) {
    snprintf(s->error, sizeof s->error, "%s: the number of values is not divisible by %d", name, multiple);
    return -1;
  }
  *out = copyOf(v->data, (size_t)v->num * 4);
  if (num) *num = v->num / multiple;
  return *out ? 0 : fail(s, "out of memory");
}

// the specification may give what the file did not
static int readLists(mjiRawMesh* raw, const mjsMesh* mesh, mjiAssetSource* s) {
  if (raw->vert && ((mjiVec*)mesh->uservert)->num) {
    return fail(s, "vertices come from the file or from the model, not from both");
  }
  float* vert = NULL;
  int nvert = 0;
  if (!raw->vert && takeList((void**)&vert, &nvert, mesh->uservert, 3, "vertex data", s)) return -1;
  if (vert) {
    raw->nvert = nvert;
    raw->vert = mju_malloc(3 * (size_t)nvert * sizeof *raw->vert);
    for (int i = 0; raw->vert && i < 3 * nvert; i++) raw->vert[i] = vert[i];
    mju_free(vert);
    if (!raw->vert) return fail(s, "out of memory");
  }
  if (takeList((void**)&raw->normal, &raw->nnormal, mesh->usernormal, 3, "normal data", s) ||
      takeList((void**)&raw->texcoord, &raw->ntexcoord, mesh->usertexcoord, 2, "texcoord", s) ||
      takeList((void**)&raw->face, &raw->nface, mesh->userface, 3, "face data", s)) {
    return -1;
  }
  int nnormal = raw->nface, ntexcoord = raw->nface;
  if (takeList((void**)&raw->facenormal, &nnormal, mesh->userfacenormal, 3, "face normals", s) ||
      takeList((void**)&raw->facetexcoord, &ntexcoord, mesh->userfacetexcoord, 3, "face texcoords", s)) {
    return -1;
  }
  if (nnormal == raw->nface && ntexcoord == raw->nface) return 0;
  return fail(s, "there must be as many face normals and face texcoords as faces");
}

// ---- check

static int checkIndices(const int* index, int n, int num, const char* what, mjiAssetSource* s) {
  for (int i = 0; i < n; i++)
    if (index[i] < 0 || index[i] >= num) {
      snprintf(s->error, sizeof s->error, "face %d refers to %s %d, which is not there", i / 3, what, index[i]);
      return -1;
    }
  return 0;
}

static int check(const mjiRawMesh* raw, mjiAssetSource* s) {
  if (raw->nvert < 4) return fail(s, "a mesh needs four vertices");
  for (int i = 0; i < 3 * raw->nvert; i++)
    if (!isfinite(raw->vert[i])) return fail(s, "vertex is not finite");
  // texture coordinates of an OBJ file are not counted: nothing here looks them up
  if (raw->ntexcoord && !raw->facetexcoord && raw->ntexcoord != raw->nvert && raw->mirror != MJI_MIRROR_ALL)
    return fail(s, "there must be as many texcoords as vertices if faces do not name them");
  return checkIndices(raw->face, 3 * raw->nface, raw->nvert, "vertex", s);
}

// ---- place and scale

// A negative scale turns faces inside out. Faces of a file are turned back, faces that a user lists stay.
static void mirrorFaces(mjiRawMesh* raw, const double scale[3]) {
  if (scale[0] * scale[1] * scale[2] >= 0 || raw->mirror == MJI_MIRROR_NOTHING) return;
  int* corners[] = {raw->face, raw->facenormal, raw->facetexcoord};
  int num = raw->mirror == MJI_MIRROR_ALL ? 3 : 1;
  for (int c = 0; c < num; c++)
    for (int f = 0; corners[c] && f < raw->nface; f++) {
      int* face = corners[c] + 3 * f;
      int last = face[2];
      face[2] = face[1];
      face[1] = last;
    }
}

static void place(mjiRawMesh* raw, const mjsMesh* mesh) {
  double quat[4], mat[9], v[3];
  mju_copy4(quat, mesh->refquat);
  mju_normalize4(quat);
  mju_quat2Mat(mat, quat);
  const double* k = mesh->scale;
  for (int i = 0; i < raw->nvert; i++) {
    mju_sub3(v, raw->vert + 3 * i, mesh->refpos);
    mju_mulMatTVec3(raw->vert + 3 * i, mat, v);
    for (int j = 0; j < 3; j++) raw->vert[3 * i + j] *= k[j];
  }

  // normals are scaled like vertices and normalized; a normal shorter than 3e-8 has no direction
  for (int i = 0; i < raw->nnormal; i++) {
    float* normal = raw->normal + 3 * i;
    for (int j = 0; j < 3; j++) v[j] = normal[j];
    mju_mulMatTVec3(v, mat, v);
    for (int j = 0; j < 3; j++) v[j] *= k[j];
    double square = mju_dot3(v, v), length = sqrt(square);
    for (int j = 0; j < 3; j++) normal[j] = square > mjMINVAL ? (float)(v[j] / length) : (float)(j == 2);
  }
}

// ---- into the frame of the inertia

static void rotateAll(mjiMesh* out, mjiRawMesh* raw, const double quat[4]) {
  double mat[9], v[3], w[3];
  mju_quat2Mat(mat, quat);
  double lo[3] = {INFINITY, INFINITY, INFINITY}, hi[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (int i = 0; i < raw->nvert; i++) {
    mju_copy3(v, raw->vert + 3 * i);
    mju_mulMatTVec3(raw->vert + 3 * i, mat, v);
    for (int j = 0; j < 3; j++) {
      lo[j] = fmin(lo[j], raw->vert[3 * i + j]);
      hi[j] = fmax(hi[j], raw->vert[3 * i + j]);
    }
  }
  for (int j = 0; j < 3; j++) {
    out->aabb[j] = 0.5 * (hi[j] + lo[j]);
    out->aabb[3 + j] = 0.5 * (hi[j] - lo[j]);
  }
  for (int i = 0; i < raw->nnormal; i++) {
    for (int j = 0; j < 3; j++) v[j] = raw->normal[3 * i + j];
    mju_mulMatTVec3(w, mat, v);
    for (int j = 0; j < 3; j++) raw->normal[3 * i + j] = (float)w[j];
  }
  mji_mesh_polygonNormals(out, raw);
}

static int checkOrientation(const mjiRawMesh* raw, mjiAssetSource* s) {
  int edge[2];
  if (mji_mesh_isOriented(raw, edge)) return 0;
  snprintf(s->error, sizeof s->error, "faces have inconsistent orientation: see those at vertices %d and %d", edge[0],
           edge[1]);
  return -1;
}

// put a mesh of a plugin back where it was: its frame stays that of the plugin
static void stay(mjiRawMesh* raw, double* place, double center[3], double quat[4]) {
  const double unit[4] = {1, 0, 0, 0};
  mju_free(raw->vert);
  raw->vert = place;
  mju_zero3(center);
  mju_copy4(quat, unit);
}

static int setInertia(mjiMesh* out, mjiRawMesh* raw, mjtMeshInertia type, mjiAssetSource* s) {
  // the convex type takes the inertia of the hull
  int convex = type == mjMESH_INERTIA_CONVEX && out->graph;
  int nface = convex ? mji_hull_faceNum(out->graph) : raw->nface;
  const int* face = convex ? mji_hull_faces(out->graph) : raw->face;
  double amount, center[3], full[6], mat[9], eigval[3], eigvec[9], quat[4];
  size_t size = 3 * (size_t)raw->nvert * sizeof *raw->vert;
  double* place = raw->fixed ? copyOf(raw->vert, size) : NULL;
  if (raw->fixed && !place) return fail(s, "out of memory");
  if (mji_mesh_inertia(raw, nface, face, type, &amount, center, full, s->error)) return mju_free(place), -1;
  double symmetric[9] = {full[0], full[3], full[4], full[3], full[1], full[5], full[4], full[5], full[2]};
  mju_copy(mat, symmetric, 9);
  mji_eig3(eigval, eigvec, quat, mat, MJI_EPS);
  if (eigval[2] <= 0) {
    mju_free(place);
    return fail(s, "inertia is not positive: faces may have inconsistent orientation");
  }

  out->exact = type == mjMESH_INERTIA_SHELL;
  out->area = mji_mesh_area(raw);
  out->volume = amount;
  mju_copy3(out->inertia, eigval);
  mju_copy3(out->shell_inertia, eigval);
  if (raw->fixed) stay(raw, place, center, quat);
  mju_copy3(out->pos, center);
  mju_copy4(out->quat, quat);
  mju_copy3(out->shell_pos, center);
  mju_copy4(out->shell_quat, quat);
  rotateAll(out, raw, quat);
  return 0;
}

// ---- the whole

// a mesh without faces gets those of its hull
static int copyFaces(mjiRawMesh* raw, const int* graph) {
  raw->nface = mji_hull_faceNum(graph);
  raw->face = copyOf(mji_hull_faces(graph), 3 * (size_t)raw->nface * sizeof *raw->face);
  return raw->face ? 0 : -1;
}

// make the arrays of the model: floats, and an index of normals and textures for every face
static int finish(mjiMesh* out, mjiRawMesh* raw) {
  size_t n = 3 * (size_t)raw->nvert, corners = 3 * (size_t)raw->nface * sizeof(int);
  out->vert = mju_malloc(n * sizeof *out->vert);
  if (!out->vert) return -1;
  for (size_t i = 0; i < n; i++) out->vert[i] = (float)raw->vert[i];
  if (!raw->facenormal) {
    // a vertex may have several normals; corners use the first
    int each = raw->nnormal / raw->nvert;
    raw->facenormal = copyOf(raw->face, corners);
    for (int i = 0; raw->facenormal && i < 3 * raw->nface; i++) raw->facenormal[i] *= each;
  }
  if (!raw->facetexcoord) {
    raw->facetexcoord = raw->ntexcoord ? copyOf(raw->face, corners) : mju_malloc(corners + 1);
    if (raw->facetexcoord && !raw->ntexcoord) memset(raw->facetexcoord, 0, corners);
  }
  if (!raw->facenormal || !raw->facetexcoord) return -1;

  out->nvert = raw->nvert;
  out->nnormal = raw->nnormal;
  out->ntexcoord = raw->ntexcoord;
  out->nface = raw->nface;
  out->normal = raw->normal;
  out->texcoord = raw->texcoord;
  out->face = raw->face;
  out->facenormal = raw->facenormal;
  out->facetexcoord = raw->facetexcoord;
  out->place = raw->vert;
  raw->vert = NULL;
  raw->normal = raw->texcoord = NULL;
  raw->face = raw->facenormal = raw->facetexcoord = NULL;
  return 0;
}

static int process(mjiMesh* out, mjiRawMesh* raw, const mjsMesh* mesh, int needhull, mjiAssetSource* s) {
  if (check(raw, s)) return -1;
  mju_copy3(out->scale, mesh->scale);

  mirrorFaces(raw, mesh->scale);

  // hull, faces, normals and polygons of the mesh as it was read
  if (needhull || !raw->nface) {
    out->ngraph = mji_hull_make(&out->graph, raw, mesh->maxhullvert, s->error);
    if (out->ngraph < 0) return -1;
  }
  if (!raw->nface && copyFaces(raw, out->graph)) return fail(s, "out of memory");
  if (!raw->nnormal && mji_mesh_makeNormals(raw, mesh->smoothnormal)) return fail(s, "out of memory");
  int nface = out->graph ? mji_hull_faceNum(out->graph) : raw->nface;
  const int* face = out->graph ? mji_hull_faces(out->graph) : raw->face;
  if (mji_mesh_makePolygons(out, raw, nface, face)) return fail(s, "out of memory");

  if (mesh->inertia == mjMESH_INERTIA_EXACT && checkOrientation(raw, s)) return -1;
  place(raw, mesh);
  if (setInertia(out, raw, mesh->inertia, s)) return -1;
  return finish(out, raw) ? fail(s, "out of memory") : 0;
}

// bytes: of the file in one of the formats, NULL if there is none
static int compileAll(mjiMesh* out, const mjsMesh* mesh, int format, const mjiBytes* bytes, int needhull, int needtree,
                      mjiAssetSource* s) {
  mjiRawMesh raw = {0};
  int bad = bytes && readFile(&raw, mesh, format, bytes, s);
  bad = bad || readLists(&raw, mesh, s);
  if (!bad) return mji_mesh_finish(out, &raw, mesh, needhull, needtree, s);
  mji_mesh_freeRaw(&raw);
  return -1;
}

// does the specification add to the file?
static int hasLists(const mjsMesh* mesh) {
  const void* lists[] = {mesh->uservert, mesh->usernormal,     mesh->usertexcoord,
                         mesh->userface, mesh->userfacenormal, mesh->userfacetexcoord};
  for (int i = 0; i < 6; i++)
    if (((const mjiVec*)lists[i])->num) return 1;
  return 0;
}

static mjiMeshKey keyOf(const mjsMesh* mesh, int format, int needhull, int needtree) {
  mjiMeshKey key;
  memset(&key, 0, sizeof key);
  mju_copy3(key.scale, mesh->scale);
  mju_copy3(key.refpos, mesh->refpos);
  mju_copy4(key.refquat, mesh->refquat);
  key.format = format;
  key.inertia = mesh->inertia;
  key.smoothnormal = mesh->smoothnormal;
  key.maxhullvert = mesh->maxhullvert;
  key.hull = needhull != 0;
  key.tree = needtree != 0;
  return key;
}

static int compileFile(mjiMesh* out, const mjsMesh* mesh, int needhull, int needtree, mjiAssetSource* s) {
  mjiBytes bytes;
  int format = formatOf(mesh, s), alone = !hasLists(mesh);
  if (format < 0 || mji_asset_read(&bytes, &out->path, mjs_getString(mesh->file), s)) return -1;
  mjiMeshKey key = keyOf(mesh, format, needhull, needtree);
  int bad = 0;
  if (!alone || !mji_cacheTake(out, &key, &bytes)) {
    bad = compileAll(out, mesh, format, &bytes, needhull, needtree, s);
    if (!bad && alone) mji_cachePut(out, &key, &bytes);
  }
  mji_bytesFree(&bytes);
  return bad;
}

int mji_mesh_compile(mjiMesh* out, const mjsMesh* mesh, int needhull, int needtree, mjiAssetSource* s) {
  *out = (mjiMesh){0};
  s->error[0] = 0;
  int bad = *mjs_getString(mesh->file) ? compileFile(out, mesh, needhull, needtree, s)
                                       : compileAll(out, mesh, -1, NULL, needhull, needtree, s);
  if (bad) mji_mesh_free(out);
  return bad;
}

int mji_mesh_finish(mjiMesh* out, mjiRawMesh* raw, const mjsMesh* mesh, int needhull, int needtree, mjiAssetSource* s) {
  int bad = process(out, raw, mesh, needhull, s);
  mjiRawMesh placed = {.nvert = out->nvert, .nface = out->nface, .vert = out->place, .face = out->face};
  if (!bad && needtree && mji_mesh_makeOctree(out, &placed)) bad = fail(s, "out of memory");
  mji_mesh_freeRaw(raw);
  if (bad) mji_mesh_free(out);
  return bad ? -1 : 0;
}

// ---- fitted primitives

void mji_mesh_box(double half[3], const double inertia[3], double amount) {
  const double* I = inertia;
  for (int i = 0; i < 3; i++) half[i] = 0.5 * sqrt(fmax(0, 6 * (I[(i + 1) % 3] + I[(i + 2) % 3] - I[i]) / amount));
}

int mji_mesh_fitGeom(const mjiMesh* m, mjtGeom type, int fitaabb, double size[3], double pos[3], double quat[4],
                     mjiAssetSource* s) {
  // the primitive is centered at the inertia frame, or at the center of the bounding box
  double center[3] = {0}, unit[4] = {1, 0, 0, 0};
  s->error[0] = 0;
  if (fitaabb) mju_copy3(center, m->aabb);
  mju_mulPose(pos, quat, m->pos, m->quat, center, unit);
  if (type != mjGEOM_SPHERE && type != mjGEOM_CAPSULE && type != mjGEOM_ELLIPSOID && type != mjGEOM_CYLINDER &&
      type != mjGEOM_BOX)
    return fail(s, "invalid geom type to fit a mesh");

  // half sizes of the bounding box, or of the box with the same inertia
  double box[3];
  if (fitaabb) mju_copy3(box, m->aabb + 3);
  else mji_mesh_box(box, m->inertia, m->volume);
  mju_copy3(size, box);

  // the radius of a round one is the mean of the box's sides, or the largest of them around a bounding box
  int round2 = type == mjGEOM_CAPSULE || type == mjGEOM_CYLINDER;
  if (type == mjGEOM_SPHERE) size[0] = fitaabb ? fmax(box[0], fmax(box[1], box[2])) : (box[0] + box[1] + box[2]) / 3;
  if (round2) {
    size[0] = fitaabb ? fmax(box[0], box[1]) : (box[0] + box[1]) / 2;
    size[1] = box[2];
    size[2] = 0;
  }
  if (type == mjGEOM_CAPSULE) size[1] = fmax(0, box[2] - (fitaabb ? size[0] : size[0] / 2));
  if (type == mjGEOM_SPHERE) size[1] = size[2] = 0;
  return 0;
}
