// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// From the working copy to the model: what is particular of geoms, sites, cameras, lights, materials.

#include <string.h>

#include "compile/compile.h"

static int idOf(const mjiCompile* c, mjtObj type, const mjString* name) {
  return mji_names_find(c, type, mjs_getString(name));
}

static void packGeom(mjiCompile* c, int i) {
  mjModel* m = c->m;
  const mjiElem* e = mji_get(c, mjOBJ_GEOM, i);
  const mjsGeom* geom = &e->as.geom;
  const mjiGeomInfo* info = mji_geomInfo(e);
  m->geom_type[i] = geom->type;
  m->geom_contype[i] = geom->contype;
  m->geom_conaffinity[i] = geom->conaffinity;
  m->geom_condim[i] = geom->condim;
  m->geom_bodyid[i] = e->parent->id;
  m->geom_dataid[i] =
      geom->type == mjGEOM_HFIELD ? idOf(c, mjOBJ_HFIELD, geom->hfieldname) : idOf(c, mjOBJ_MESH, geom->meshname);
  m->geom_matid[i] = idOf(c, mjOBJ_MATERIAL, geom->material);
  m->geom_group[i] = geom->group;
  m->geom_priority[i] = geom->priority;
  m->geom_plugin[i] = mji_plugin_id(&geom->plugin);
  m->geom_sameframe[i] = mji_tree_sameFrame(&e->parent->as.body, geom->pos, geom->quat);
  mju_copy(m->geom_aabb + 6 * i, info->aabb, 6);
  m->geom_rbound[i] = info->rbound;
  mju_copy(m->geom_fluid + mjNFLUID * i, info->fluid, mjNFLUID);
}

static void packSite(mjiCompile* c, int i) {
  mjModel* m = c->m;
  const mjiElem* e = mji_get(c, mjOBJ_SITE, i);
  const mjsSite* site = &e->as.site;
  m->site_type[i] = site->type;
  m->site_bodyid[i] = e->parent->id;
  m->site_matid[i] = idOf(c, mjOBJ_MATERIAL, site->material);
  m->site_group[i] = site->group;
  m->site_sameframe[i] = mji_tree_sameFrame(&e->parent->as.body, site->pos, site->quat);
}

static void packCamera(mjiCompile* c, int i) {
  mjModel* m = c->m;
  const mjiElem* e = mji_get(c, mjOBJ_CAMERA, i);
  const mjsCamera* cam = &e->as.camera;
  m->cam_mode[i] = cam->mode;
  m->cam_bodyid[i] = e->parent->id;
  m->cam_targetbodyid[i] = idOf(c, mjOBJ_BODY, cam->targetbody);
  m->cam_orthographic[i] = cam->orthographic;
  for (int k = 0; k < 2; k++) m->cam_resolution[2 * i + k] = (int)cam->resolution[k];
  memcpy(m->cam_sensorsize + 2 * i, cam->sensor_size, sizeof cam->sensor_size);
  memcpy(m->cam_intrinsic + 4 * i, cam->intrinsic, sizeof cam->intrinsic);
}

static void packLight(mjiCompile* c, int i) {
  mjModel* m = c->m;
  const mjiElem* e = mji_get(c, mjOBJ_LIGHT, i);
  const mjsLight* light = &e->as.light;
  m->light_mode[i] = light->mode;
  m->light_bodyid[i] = e->parent->id;
  m->light_targetbodyid[i] = idOf(c, mjOBJ_BODY, light->targetbody);
  m->light_type[i] = light->type;
  m->light_texid[i] = idOf(c, mjOBJ_TEXTURE, light->texture);
  m->light_castshadow[i] = light->castshadow;
  m->light_bulbradius[i] = light->bulbradius;
  m->light_intensity[i] = light->intensity;
  m->light_range[i] = light->range;
  m->light_active[i] = light->active;
}

static void packMaterial(mjiCompile* c, int i) {
  mjModel* m = c->m;
  const mjsMaterial* mat = &mji_get(c, mjOBJ_MATERIAL, i)->as.material;
  const mjiVec* textures = mat->textures;
  for (int role = 0; role < mjNTEXROLE; role++) {
    const char* name = role < textures->num ? mji_vec_textAt(textures, role) : "";
    m->mat_texid[mjNTEXROLE * i + role] = mji_names_find(c, mjOBJ_TEXTURE, name);
  }
  m->mat_texuniform[i] = mat->texuniform;
  m->mat_metallic[i] = mat->metallic;
  m->mat_roughness[i] = mat->roughness;
}

void mji_pack_objects(mjiCompile* c) {
  for (int i = 0; i < c->m->ngeom; i++) packGeom(c, i);
  for (int i = 0; i < c->m->nsite; i++) packSite(c, i);
  for (int i = 0; i < c->m->ncam; i++) packCamera(c, i);
  for (int i = 0; i < c->m->nlight; i++) packLight(c, i);
  for (int i = 0; i < c->m->nmat; i++) packMaterial(c, i);
}
