// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Geoms: sizes, assets, bounds.

#include <math.h>

#include "compile/compile.h"
#include "model/geom_size.h"

// Has a body no joint between it and the world? Its mocap flag does not count.
static int isStatic(const mjiElem* body) {
  for (; body->parent; body = body->parent) {
    if (body->kid[MJI_KID_JOINT].num) return 0;
  }
  return 1;
}

int mji_geom_checkSize(mjiCompile* c, const mjiElem* e, mjtGeom type, const double size[3]) {
  for (int i = 0; i < 3; i++) {
    if (isnan(size[i])) return mji_compile_error(c, e, "size[%d] is not a number", i);
  }
  for (int i = 0; i < mji_numSizes(type); i++) {
    if (size[i] <= 0) return mji_compile_error(c, e, "size[%d] is %g, it must be above zero", i, size[i]);
  }
  return 0;
}

// A geom of a primitive type that names a mesh gets size and pose from the mesh. The compiled specification says how,
// for attached geoms, too.
static int fitToMesh(mjiCompile* c, mjiElem* e, const mjiMesh* mesh) {
  mjsGeom* geom = &e->as.geom;
  double size[3] = {0}, pos[3], quat[4];
  mjiAssetSource source = {0};
  if (mji_mesh_fitGeom(mesh, geom->type, c->w->pub.compiler.fitaabb, size, pos, quat, &source)) {
    return mji_compile_error(c, e, "%s", source.error);
  }
  // sizes that the type does not have keep what was given; all are scaled
  for (int i = 0; i < mji_numSizes(geom->type); i++) geom->size[i] = size[i];
  mju_scl3(geom->size, geom->size, geom->fitscale);
  mju_mulPose(geom->pos, geom->quat, geom->pos, geom->quat, pos, quat);
  return 0;
}

// remember the pose that was given
static void keepGiven(mjiFit* fit, const mjsGeom* geom) {
  mju_copy3(fit->pos, geom->pos);
  mju_copy4(fit->quat, geom->quat);
}

static void keepPlaced(mjiFit* fit, const mjsGeom* geom) {
  mju_copy3(fit->placedpos, geom->pos);
  mju_copy4(fit->placedquat, geom->quat);
  mju_copy3(fit->size, geom->size);
}

static int useMesh(mjiCompile* c, mjiElem* e) {
  mjsGeom* geom = &e->as.geom;
  int id = mji_names_resolve(c, e, mjOBJ_MESH, geom->meshname);
  if (id < 0) return -1;
  const mjiMesh* mesh = mji_get(c, mjOBJ_MESH, id)->info;
  const mjsMesh* asset = &mji_get(c, mjOBJ_MESH, id)->as.mesh;
  if (!*mjs_getString(geom->material)) mjs_setString(geom->material, mjs_getString(asset->material));
  if (geom->type != mjGEOM_MESH && geom->type != mjGEOM_SDF) return fitToMesh(c, e, mesh);

  // the frame of the mesh is that of its inertia
  mju_mulPose(geom->pos, geom->quat, geom->pos, geom->quat, mesh->pos, mesh->quat);
  // reach along each axis, from the center of mass
  for (int k = 0; k < 3; k++) geom->size[k] = fabs(mesh->aabb[k]) + mesh->aabb[3 + k];
  return 0;
}

static int useAssets(mjiCompile* c, mjiElem* e) {
  mjsGeom* geom = &e->as.geom;
  if (*mjs_getString(geom->meshname)) {
    keepGiven(&mji_geomInfo(e)->fit, geom);
    if (useMesh(c, e)) return -1;
    keepPlaced(&mji_geomInfo(e)->fit, geom);
  } else if (geom->type == mjGEOM_MESH || geom->type == mjGEOM_SDF) {
    return mji_compile_error(c, e, "a geom of type %s must name a mesh", geom->type == mjGEOM_MESH ? "mesh" : "sdf");
  }
  if (*mjs_getString(geom->hfieldname) && geom->type != mjGEOM_HFIELD) {
    return mji_compile_error(c, e, "only a geom of type hfield can name a height field");
  }
  if (geom->type == mjGEOM_HFIELD) {
    if (!*mjs_getString(geom->hfieldname)) {
      return mji_compile_error(c, e, "a geom of type hfield must name a height field");
    }
    int id = mji_names_resolve(c, e, mjOBJ_HFIELD, geom->hfieldname);
    if (id < 0) return -1;
    // the third size is a mean of the two heights
    const double* size = mji_get(c, mjOBJ_HFIELD, id)->as.hfield.size;
    geom->size[0] = size[0];
    geom->size[1] = size[1];
    geom->size[2] = 0.25 * size[2] + 0.5 * size[3];
  }
  if (*mjs_getString(geom->material) && mji_names_resolve(c, e, mjOBJ_MATERIAL, geom->material) < 0) {
    return -1;
  }
  return 0;
}

// half sizes of the box around a primitive
static void boxAround(const mjsGeom* geom, double half[3]) {
  const double* size = geom->size;
  switch (geom->type) {
    case mjGEOM_SPHERE: half[0] = half[1] = half[2] = size[0]; break;
    case mjGEOM_CAPSULE:
      half[0] = half[1] = size[0];
      half[2] = size[0] + size[1];
      break;
    case mjGEOM_CYLINDER:
      half[0] = half[1] = size[0];
      half[2] = size[1];
      break;
    default: mju_copy3(half, size);
  }
}

static void computeAABB(const mjiCompile* c, const mjiElem* e, mjiGeomInfo* info) {
  const mjsGeom* geom = &e->as.geom;
  switch (geom->type) {
    case mjGEOM_PLANE: {
      // the box of a plane is everything below it
      static const double below[6] = {0, 0, -mjMAXVAL / 2, mjMAXVAL, mjMAXVAL, mjMAXVAL / 2};
      mju_copy(info->aabb, below, 6);
      break;
    }
    case mjGEOM_HFIELD: {
      const double* size = mji_names_get(c, mjOBJ_HFIELD, geom->hfieldname)->as.hfield.size;
      const double box[6] = {0, 0, (size[2] - size[3]) / 2, size[0], size[1], (size[2] + size[3]) / 2};
      mju_copy(info->aabb, box, 6);
      break;
    }
    case mjGEOM_SDF:
    case mjGEOM_MESH: {
      const mjiMesh* mesh = mji_names_get(c, mjOBJ_MESH, geom->meshname)->info;
      mju_copy(info->aabb, mesh->aabb, 6);
      break;
    }
    default: boxAround(geom, info->aabb + 3);
  }
}

// radius of the sphere about the geom's center that holds the geom; 0 for a plane
static double boundingRadius(const mjiCompile* c, const mjiElem* e, const mjiGeomInfo* info) {
  const mjsGeom* geom = &e->as.geom;
  switch (geom->type) {
    case mjGEOM_HFIELD: {
      const double* h = mji_names_get(c, mjOBJ_HFIELD, geom->hfieldname)->as.hfield.size;
      double z = fmax(h[2], h[3]);
      return sqrt(h[0] * h[0] + h[1] * h[1] + z * z);
    }
    case mjGEOM_SDF:
    case mjGEOM_MESH: {
      double far[3];
      for (int i = 0; i < 3; i++) far[i] = fabs(info->aabb[i]) + info->aabb[3 + i];
      return mju_norm3(far);
    }
    default: return mji_primitiveRadius(geom->type, geom->size);
  }
}

static int compileGeom(mjiCompile* c, mjiElem* e) {
  mjsGeom* geom = &e->as.geom;
  mjiGeomInfo* info = e->info = mji_vec_alloc(sizeof(mjiGeomInfo));
  if (useAssets(c, e)) return -1;
  if (geom->type < 0 || geom->type >= mjNGEOMTYPES) {
    return mji_compile_error(c, e, "this type of geom is for visualization only");
  }
  if (geom->typeinertia != mjINERTIA_VOLUME && geom->typeinertia != mjINERTIA_SHELL) {
    return mji_compile_error(c, e, "the inertia is of the volume or of the shell, not of type %d",
                             (int)geom->typeinertia);
  }
  if (mji_geom_checkSize(c, e, geom->type, geom->size)) return -1;
  if (geom->type == mjGEOM_PLANE && geom->size[2] <= 0) {
    return mji_compile_error(c, e, "size[2] of a plane, the spacing of its grid, must be above zero");
  }
  if (geom->type == mjGEOM_PLANE && !isStatic(e->parent)) {
    return mji_compile_error(c, e, "a plane can only belong to a static body");
  }
  if (geom->condim != 1 && geom->condim != 3 && geom->condim != 4 && geom->condim != 6) {
    return mji_compile_error(c, e, "condim must be 1, 3, 4 or 6, not %d", geom->condim);
  }
  computeAABB(c, e, info);
  info->rbound = boundingRadius(c, e, info);
  mji_geom_fluid(geom, info);
  return mji_geom_inertia(c, e);
}

int mji_geom_compile(mjiCompile* c) {
  for (int i = 0; i < mji_count(c, mjOBJ_GEOM); i++) {
    if (compileGeom(c, mji_get(c, mjOBJ_GEOM, i))) return -1;
  }
  return 0;
}
