// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What the passes of the compiler share.
//
// mj_compile works on a copy of the user's specification, so the passes may change elements in place: angles
// become radians, frames disappear into the elements they hold, automatic values are replaced by
// numbers. What has no place in an element is kept here, by id. Each pass returns 0, or -1 after
// mji_compile_error. Packing then only moves numbers from the working copy to the model.
#ifndef SHEAF_COMPILE_COMPILE_H_
#define SHEAF_COMPILE_COMPILE_H_

#include <mujoco/mujoco.h>

#include "compile/asset.h"
#include "model/sparse.h"
#include "spec/element.h"
#include "spec/orientation.h"

// most numbers, and bytes of an arena, that a specification can ask for without giving data
#define MJI_MAXSIZE 1000000
#define MJI_MAXARENA ((mjtSize)1 << 40)

#define MJI_EPS 1e-14  // smaller lengths and masses count as zero in the compiler

// ids by name, for one type of element
typedef struct mjiNames_ {
  int* slot;  // open addressing; -1 is free
  int size;
} mjiNames;

// What the compiler works out about a geom: mjiElem.info points to it. (Of assets it points to a mjiMesh, mjiHField or
// mjiTexture.) That of geoms stays with the compiled specification.
typedef struct mjiGeomInfo_ {
  mjiFit fit;  // of geoms that name a mesh; first, see element.h
  double mass;
  double inertia[3];
  double aabb[6];  // center, half sizes, in the geom frame
  double rbound;
  double fluid[mjNFLUID];
} mjiGeomInfo;

typedef struct mjiCompile_ {
  mjiSpec* s;  // the user's specification
  mjiSpec* w;  // working copy
  const mjVFS* vfs;
  mjiNames names[mjNOBJECT];
  mjModel* m;
  char error[MJI_ERROR_TEXT];
  char warning[MJI_ERROR_TEXT];  // first warning, "" if none
} mjiCompile;

int mji_compile_error(mjiCompile* c, const mjiElem* e, const char* format, ...) __attribute__((format(printf, 3, 4)));
void mji_compile_warning(mjiCompile* c, const mjiElem* e, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

static inline int mji_count(const mjiCompile* c, mjtObj type) { return c->w->list[type].num; }

static inline mjiElem* mji_get(const mjiCompile* c, mjtObj type, int id) { return mji_elem_at(c->w->list + type, id); }

static inline mjiGeomInfo* mji_geomInfo(const mjiElem* geom) { return geom->info; }

// name_ids.c: ids by name
int mji_names_assets(mjiCompile* c);                                     // from their files
int mji_names_build(mjiCompile* c);                                      // also rejects repeated names
int mji_names_find(const mjiCompile* c, mjtObj type, const char* name);  // -1 if there is none
int mji_names_resolve(mjiCompile* c, const mjiElem* e, mjtObj type, const mjString* name);  // with error
mjiElem* mji_names_get(const mjiCompile* c, mjtObj type, const mjString* name);             // NULL if there is none

// limit.c: automatic limits. 1, 0, or -1 after an error.
int mji_limit_resolve(mjiCompile* c, const mjiElem* e, int limited, const double range[2], const char* what);

// ---- passes over the working copy, in this order

int mji_reduce_materials(mjiCompile* c);  // reduce.c: discardvisual, of materials and textures
int mji_frame_resolve(mjiCompile* c);     // frame.c: poses become poses in the body
int mji_assets_compile(mjiCompile* c);    // assets.c
int mji_geom_compile(mjiCompile* c);      // geom.c
int mji_joint_check(mjiCompile* c);       // joint.c: before names are checked
int mji_joint_compile(mjiCompile* c);
int mji_body_compile(mjiCompile* c);  // body.c
void mji_body_keepFrames(mjiCompile* c);
int mji_custom_users(mjiCompile* c);      // custom.c: how much user data
int mji_reduce_visual(mjiCompile* c);     // reduce.c: discardvisual, of geoms and meshes
int mji_fuse_static(mjiCompile* c);       // fuse.c: fusestatic
int mji_body_checkMoving(mjiCompile* c);  // body.c: do moving bodies have inertia, as bodies are fused now?
int mji_joint_checkFree(mjiCompile* c);   // joint.c: do free joints stand at the top?
int mji_visual_compile(mjiCompile* c);    // visual.c: sites, cameras, lights, materials
int mji_links_compile(mjiCompile* c);     // links.c: contact pairs, excludes, equalities
int mji_tendon_compile(mjiCompile* c);    // tendon.c
int mji_actuator_compile(mjiCompile* c);  // actuator.c
int mji_sensor_compile(mjiCompile* c);    // sensor.c
int mji_skin_compile(mjiCompile* c);      // skin.c
int mji_flex_compile(mjiCompile* c);      // compile_flex.c
int mji_custom_compile(mjiCompile* c);    // custom.c: custom fields
int mji_plugin_compile(mjiCompile* c);    // compile_plugin.c: instances and who uses them; before assets

// what the geom pass calls
int mji_geom_checkSize(mjiCompile* c, const mjiElem* e, mjtGeom type, const double size[3]);
int mji_geom_inertia(mjiCompile* c, mjiElem* geom);           // geom_inertia.c
void mji_geom_fluid(const mjsGeom* geom, mjiGeomInfo* info);  // added_mass.c

// inertia matrices; body.c
void mji_body_turnInertia(double mat[9], const double inertia[3], const double quat[4]);
void mji_body_addPointMass(double mat[9], double mass, const double vec[3]);
int mji_body_principalAxes(mjiCompile* c, const mjiElem* e, const double mat[9], double inertia[3], double quat[4]);

// elements of one type that any other element names, by id; on the heap
mjtByte* mji_reduce_findUsed(const mjiCompile* c, mjtObj type);

int mji_links_signature(int body1, int body2);  // of a pair of bodies

// ---- packing: from the working copy to the model

int mji_sizes_count(mjiCompile* c, mjModel* sizes);  // sizes.c
void mji_sizes_add(int* total, int64_t n);           // INT_MAX if it does not fit
void mji_tree_count(const mjiCompile* c, mjModel* sizes);
void mji_tree_pack(mjiCompile* c);  // pack_tree.c: bodies, joints, dofs
mjtSameFrame mji_tree_sameFrame(const mjsBody* body, const double pos[3], const double quat[4]);
int mji_sleep_pack(mjiCompile* c);  // sleep_policy.c: trees that may sleep; after the links
// bvh.c: bounding volumes, over the geoms of a body that can collide and over faces
int mji_bvh_count(const mjiCompile* c);
int mji_bvh_countDynamic(const mjiCompile* c);  // of flexes
void mji_bvh_pack(mjiCompile* c);
mjiAssetSource mji_assets_source(const mjiCompile* c, const mjiElem* e, int texture);
void mji_assets_count(const mjiCompile* c, mjModel* sizes);
void mji_assets_pack(mjiCompile* c);
void mji_skin_count(const mjiCompile* c, mjModel* sizes);
void mji_skin_pack(mjiCompile* c);
void mji_flex_count(const mjiCompile* c, mjModel* sizes);
void mji_flex_pack(mjiCompile* c);     // pack_flex.c
void mji_pack_objects(mjiCompile* c);  // geoms, sites, cameras, lights, materials
void mji_pack_links(mjiCompile* c);    // pairs, equalities, tendons, actuators, sensors
// compile_plugin.c
void mji_plugin_count(const mjiCompile* c, mjModel* sizes);
int mji_plugin_id(const mjsPlugin* p);                 // of the instance that an element uses, -1 if it uses none
const mjpPlugin* mji_plugin_used(const mjsPlugin* p);  // by an element that uses one
const char* mji_plugin_value(const mjiElem* instance, const char* attribute);  // "" if it is not given
int mji_plugin_pack(mjiCompile* c);  // last, because plugins look at the rest of the model
int mji_pack_custom(mjiCompile* c);  // custom fields, keyframes
int mji_pack_countNames(const mjiCompile* c, const mjModel* sizes);
void mji_pack_names(mjiCompile* c);
int mji_assets_packPath(mjModel* m, int* at, const char* path);
void mji_assets_free(mjiElem* e);

// ---- after packing

int mji_finite_check(mjiCompile* c);  // finite.c

// ---- a compilation, in compile.c

// From a specification to its raw model, c->m: everything but what follows from its dynamics, which load/ adds. NULL
// there after an error.
mjiCompile* mji_compile_begin(mjiSpec* s, const mjVFS* vfs);

// The model turned out to be wrong: drop it. mji_compile_error has said why.
void mji_compile_drop(mjiCompile* c);

// End the compilation and return its model. The specification learns ids, the error or the warning.
mjModel* mji_compile_end(mjiCompile* c);

// Let elements remember the ids that they have now.
void mji_compile_remember(mjiSpec* s);

// copyback.c: make the working copy what a user would have to write to get this model: the compiled specification
void mji_copyback_settle(mjiSpec* w, const mjModel* m);

#endif  // SHEAF_COMPILE_COMPILE_H_
