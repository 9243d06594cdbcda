// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Meshes, height fields and textures: compiled one by one, then packed side by side.

#include <stdlib.h>
#include <string.h>

#include "compile/asset_file.h"
#include "compile/mesh.h"
#include "compile/compile_flex.h"
#include "compile/mesh_share.h"

// the folders in which files of an element are looked for
mjiAssetSource mji_assets_source(const mjiCompile* c, const mjiElem* e, int texture) {
  const mjsCompiler* settings = mji_elem_compiler(e);
  const mjiVec* modeldir = e->origin ? &e->origin->modelfiledir : c->w->pub.modelfiledir;
  return (mjiAssetSource){
      .vfs = c->vfs,
      .modeldir = mji_vec_text(modeldir),
      .assetdir = mjs_getString(texture ? settings->texturedir : settings->meshdir),
      .strippath = c->w->pub.strippath,
  };
}

enum { HULL = 1, OCTREE = 2 };

// is a geom made of its mesh, not of a primitive that fits it?
static int isMesh(const mjsGeom* geom) { return geom->type == mjGEOM_MESH || geom->type == mjGEOM_SDF; }

// A mesh needs its convex hull if a geom with it can collide, or if the hull gives the inertia. Signed distances need
// an octree.
static void markNeeds(const mjiCompile* c, mjtByte* needs) {
  for (int i = 0; i < mji_count(c, mjOBJ_GEOM); i++) {
    const mjsGeom* geom = &mji_get(c, mjOBJ_GEOM, i)->as.geom;
    int mesh = mji_names_find(c, mjOBJ_MESH, mjs_getString(geom->meshname));
    if (mesh < 0 || !isMesh(geom)) continue;
    int convex = mji_get(c, mjOBJ_MESH, mesh)->as.mesh.inertia == mjMESH_INERTIA_CONVEX;
    if (geom->contype || geom->conaffinity || convex) needs[mesh] |= HULL;
    int asked = geom->plugin.active && mji_get(c, mjOBJ_MESH, mesh)->as.mesh.plugin.active;
    if (geom->type == mjGEOM_SDF && !asked) needs[mesh] |= OCTREE;
  }
  for (int i = 0; i < mji_count(c, mjOBJ_PAIR); i++) {
    const mjsPair* pair = &mji_get(c, mjOBJ_PAIR, i)->as.pair;
    const mjString* names[2] = {pair->geomname1, pair->geomname2};
    for (int k = 0; k < 2; k++) {
      const mjiElem* geom = mji_names_get(c, mjOBJ_GEOM, names[k]);
      if (!geom) continue;
      int mesh = mji_names_find(c, mjOBJ_MESH, mjs_getString(geom->as.geom.meshname));
      if (mesh >= 0 && isMesh(&geom->as.geom)) needs[mesh] |= HULL;
    }
  }
}

// a mesh of a plugin needs an octree only for geoms that do not ask the plugin
static int compileField(mjiCompile* c, mjiElem* e, int needs, mjiAssetSource* source) {
  mjiRawMesh raw = {.fixed = 1};
  int hull = needs & HULL || e->as.mesh.inertia == mjMESH_INERTIA_CONVEX;
  if (mji_mesh_askPlugin(c, e, &raw)) {
    mji_mesh_freeRaw(&raw);
    return -1;
  }
  if (!mji_mesh_finish(e->info, &raw, &e->as.mesh, hull, needs & OCTREE || e->as.mesh.needsdf, source)) return 0;
  return mji_compile_error(c, e, "%s", source->error);
}

static int compileMesh(mjiCompile* c, mjiElem* e, int needs, mjiSharedMeshes* shared) {
  int needhull = needs & HULL, needtree = needs & OCTREE || e->as.mesh.needsdf;
  mjiAssetSource source = mji_assets_source(c, e, 0);
  mjiMesh* mesh = e->info = mji_vec_alloc(sizeof(mjiMesh));
  if (e->as.mesh.plugin.active) return compileField(c, e, needs, &source);
  const mjiElem* first = mji_share_first(shared, e, &source);
  if (first != e && mji_share_serves(first, e, needhull, needtree)) {
    if (mji_share_copy(mesh, first->info, needhull, needtree)) return mji_compile_error(c, e, "out of memory");
    mesh->path = mji_asset_path(mjs_getString(e->as.mesh.file), &source);
    return 0;
  }

  // the inertia may need a hull that no geom needs; mji_share_copy leaves such a hull out of copies
  int hull = needhull || e->as.mesh.inertia == mjMESH_INERTIA_CONVEX;
  if (mji_mesh_compile(mesh, &e->as.mesh, hull, needtree, &source)) {
    return mji_compile_error(c, e, "%s", source.error);
  }
  return 0;
}

static int compileHField(mjiCompile* c, mjiElem* e) {
  mjiAssetSource source = mji_assets_source(c, e, 0);
  e->info = mji_vec_alloc(sizeof(mjiHField));
  if (mji_hfield_compile(e->info, &e->as.hfield, &source)) {
    return mji_compile_error(c, e, "%s", source.error);
  }
  return 0;
}

static int compileTexture(mjiCompile* c, mjiElem* e) {
  mjiAssetSource source = mji_assets_source(c, e, 1);
  e->info = mji_vec_alloc(sizeof(mjiTexture));
  if (mji_texture_compile(e->info, &e->as.texture, &source)) {
    return mji_compile_error(c, e, "%s", source.error);
  }
  return 0;
}

int mji_assets_compile(mjiCompile* c) {
  int bad = 0;
  mjtByte* needs = mji_vec_alloc((size_t)mji_count(c, mjOBJ_MESH));
  markNeeds(c, needs);
  mjiSharedMeshes shared;
  mji_share_init(&shared, mji_count(c, mjOBJ_MESH));
  for (int i = 0; i < mji_count(c, mjOBJ_MESH) && !bad; i++) {
    bad = compileMesh(c, mji_get(c, mjOBJ_MESH, i), needs[i], &shared);
  }
  mji_share_free(&shared);
  free(needs);
  for (int i = 0; i < mji_count(c, mjOBJ_HFIELD) && !bad; i++) {
    bad = compileHField(c, mji_get(c, mjOBJ_HFIELD, i));
  }
  for (int i = 0; i < mji_count(c, mjOBJ_TEXTURE) && !bad; i++) {
    bad = compileTexture(c, mji_get(c, mjOBJ_TEXTURE, i));
  }
  return bad;
}

void mji_assets_free(mjiElem* e) {
  if (!e->info) return;
  if (e->head.elemtype == mjOBJ_MESH) mji_mesh_free(e->info);
  if (e->head.elemtype == mjOBJ_HFIELD) mji_hfield_free(e->info);
  if (e->head.elemtype == mjOBJ_TEXTURE) mji_texture_free(e->info);
  if (e->head.elemtype == mjOBJ_FLEX) mji_flex_free(e->info);
  free(e->info);
  e->info = NULL;
}

// ---- sizes

static size_t pathSize(const char* path) { return path && *path ? strlen(path) + 1 : 0; }

void mji_assets_count(const mjiCompile* c, mjModel* sizes) {
  size_t paths = 0;
  for (int i = 0; i < mji_count(c, mjOBJ_MESH); i++) {
    const mjiMesh* mesh = mji_get(c, mjOBJ_MESH, i)->info;
    mji_sizes_add(&sizes->nmeshvert, mesh->nvert);
    mji_sizes_add(&sizes->nmeshnormal, mesh->nnormal);
    mji_sizes_add(&sizes->nmeshtexcoord, mesh->ntexcoord);
    mji_sizes_add(&sizes->nmeshface, mesh->nface);
    mji_sizes_add(&sizes->nmeshgraph, mesh->ngraph);
    mji_sizes_add(&sizes->nmeshpoly, mesh->npoly);
    mji_sizes_add(&sizes->nmeshpolyvert, mesh->npolyvert);
    mji_sizes_add(&sizes->nmeshpolymap, mesh->npolymap);
    mji_sizes_add(&sizes->noct, mesh->noct);
    paths += pathSize(mesh->path);
  }
  for (int i = 0; i < mji_count(c, mjOBJ_HFIELD); i++) {
    const mjiHField* hfield = mji_get(c, mjOBJ_HFIELD, i)->info;
    mji_sizes_add(&sizes->nhfielddata, (int64_t)hfield->nrow * hfield->ncol);
    paths += pathSize(hfield->path);
  }
  for (int i = 0; i < mji_count(c, mjOBJ_TEXTURE); i++) {
    const mjiTexture* tex = mji_get(c, mjOBJ_TEXTURE, i)->info;
    mji_sizes_add(&sizes->ntexdata, (int64_t)tex->width * tex->height * tex->nchannel);
    paths += pathSize(tex->path);
  }
  for (int i = 0; i < mji_count(c, mjOBJ_SKIN); i++) {
    paths += pathSize(mjs_getString(mji_get(c, mjOBJ_SKIN, i)->as.skin.file));
  }
  mji_sizes_add(&sizes->npaths, paths ? (int64_t)paths : 1);
}

// ---- packing

// copy an array that may be absent
#define COPY(dst, src, n)                                                    \
  do {                                                                       \
    if ((n) > 0 && (src)) memcpy((dst), (src), (size_t)(n) * sizeof *(src)); \
  } while (0)

int mji_assets_packPath(mjModel* m, int* at, const char* path) {
  if (!pathSize(path)) return -1;
  int start = *at;
  memcpy(m->paths + start, path, pathSize(path));
  *at += (int)pathSize(path);
  return start;
}

static void packPolygons(mjModel* m, int i, const mjiMesh* mesh, int polyadr, int polyvertadr, int polymapadr) {
  int vertadr = m->mesh_vertadr[i];
  m->mesh_polynum[i] = mesh->npoly;
  m->mesh_polyadr[i] = polyadr;
  COPY(m->mesh_polynormal + 3 * polyadr, mesh->polynormal, 3 * mesh->npoly);
  COPY(m->mesh_polyvert + polyvertadr, mesh->polyvert, mesh->npolyvert);
  COPY(m->mesh_polymap + polymapadr, mesh->polymap, mesh->npolymap);
  for (int k = 0; k < mesh->npoly; k++) {
    m->mesh_polyvertadr[polyadr + k] = mesh->polyvertadr[k] + polyvertadr;
    m->mesh_polyvertnum[polyadr + k] = mesh->polyvertnum[k];
  }
  for (int k = 0; k < mesh->nvert && mesh->polymapadr; k++) {
    m->mesh_polymapadr[vertadr + k] = mesh->polymapadr[k] + polymapadr;
    m->mesh_polymapnum[vertadr + k] = mesh->polymapnum[k];
  }
}

static void packMesh(mjModel* m, int i, const mjiMesh* mesh, mjModel* at) {
  m->mesh_vertadr[i] = at->nmeshvert;
  m->mesh_vertnum[i] = mesh->nvert;
  m->mesh_faceadr[i] = at->nmeshface;
  m->mesh_facenum[i] = mesh->nface;
  m->mesh_octadr[i] = mesh->noct ? at->noct : -1;
  m->mesh_octnum[i] = mesh->noct;
  m->mesh_normaladr[i] = at->nmeshnormal;
  m->mesh_normalnum[i] = mesh->nnormal;
  m->mesh_texcoordadr[i] = mesh->ntexcoord ? at->nmeshtexcoord : -1;
  m->mesh_texcoordnum[i] = mesh->ntexcoord;
  m->mesh_graphadr[i] = mesh->ngraph ? at->nmeshgraph : -1;
  COPY(m->mesh_vert + 3 * at->nmeshvert, mesh->vert, 3 * mesh->nvert);
  COPY(m->mesh_normal + 3 * at->nmeshnormal, mesh->normal, 3 * mesh->nnormal);
  COPY(m->mesh_texcoord + 2 * at->nmeshtexcoord, mesh->texcoord, 2 * mesh->ntexcoord);
  COPY(m->mesh_face + 3 * at->nmeshface, mesh->face, 3 * mesh->nface);
  COPY(m->mesh_facenormal + 3 * at->nmeshface, mesh->facenormal, 3 * mesh->nface);
  COPY(m->mesh_facetexcoord + 3 * at->nmeshface, mesh->facetexcoord, 3 * mesh->nface);
  COPY(m->mesh_graph + at->nmeshgraph, mesh->graph, mesh->ngraph);
  COPY(m->oct_depth + at->noct, mesh->octdepth, mesh->noct);
  COPY(m->oct_child + 8 * at->noct, mesh->octchild, 8 * mesh->noct);
  COPY(m->oct_aabb + 6 * at->noct, mesh->octaabb, 6 * mesh->noct);
  COPY(m->oct_coeff + 8 * at->noct, mesh->octcoeff, 8 * mesh->noct);
  mju_copy3(m->mesh_scale + 3 * i, mesh->scale);
  mju_copy3(m->mesh_pos + 3 * i, mesh->pos);
  mju_copy4(m->mesh_quat + 4 * i, mesh->quat);
  m->mesh_pathadr[i] = mji_assets_packPath(m, &at->npaths, mesh->path);
  packPolygons(m, i, mesh, at->nmeshpoly, at->nmeshpolyvert, at->nmeshpolymap);

  at->nmeshvert += mesh->nvert;
  at->nmeshnormal += mesh->nnormal;
  at->nmeshtexcoord += mesh->ntexcoord;
  at->nmeshface += mesh->nface;
  at->nmeshgraph += mesh->ngraph;
  at->nmeshpoly += mesh->npoly;
  at->nmeshpolyvert += mesh->npolyvert;
  at->nmeshpolymap += mesh->npolymap;
  at->noct += mesh->noct;
}

static void packHField(mjModel* m, int i, const mjiElem* e, mjModel* at) {
  const mjiHField* hfield = e->info;
  mju_copy4(m->hfield_size + 4 * i, e->as.hfield.size);
  m->hfield_nrow[i] = hfield->nrow;
  m->hfield_ncol[i] = hfield->ncol;
  m->hfield_adr[i] = at->nhfielddata;
  COPY(m->hfield_data + at->nhfielddata, hfield->data, hfield->nrow * hfield->ncol);
  at->nhfielddata += hfield->nrow * hfield->ncol;
}

static void packTexture(mjModel* m, int i, const mjiElem* e, mjModel* at) {
  const mjiTexture* tex = e->info;
  int size = tex->width * tex->height * tex->nchannel;
  m->tex_type[i] = e->as.texture.type;
  m->tex_colorspace[i] = tex->colorspace;
  m->tex_height[i] = tex->height;
  m->tex_width[i] = tex->width;
  m->tex_nchannel[i] = tex->nchannel;
  m->tex_adr[i] = at->ntexdata;
  COPY(m->tex_data + at->ntexdata, tex->data, size);
  at->ntexdata += size;
}

// `at` keeps the running addresses; paths come in the order hfield, mesh, skin, texture
void mji_assets_pack(mjiCompile* c) {
  mjModel* m = c->m;
  mjModel* at = mji_vec_alloc(sizeof(mjModel));
  for (int i = 0; i < m->nhfield; i++) {
    const mjiElem* e = mji_get(c, mjOBJ_HFIELD, i);
    packHField(m, i, e, at);
    m->hfield_pathadr[i] = mji_assets_packPath(m, &at->npaths, ((const mjiHField*)e->info)->path);
  }
  for (int i = 0; i < m->nmesh; i++) packMesh(m, i, mji_get(c, mjOBJ_MESH, i)->info, at);
  for (int i = 0; i < m->nskin; i++) {
    const char* file = mjs_getString(mji_get(c, mjOBJ_SKIN, i)->as.skin.file);
    m->skin_pathadr[i] = mji_assets_packPath(m, &at->npaths, file);
  }
  for (int i = 0; i < m->ntex; i++) {
    const mjiElem* e = mji_get(c, mjOBJ_TEXTURE, i);
    packTexture(m, i, e, at);
    m->tex_pathadr[i] = mji_assets_packPath(m, &at->npaths, ((const mjiTexture*)e->info)->path);
  }
  free(at);
}
