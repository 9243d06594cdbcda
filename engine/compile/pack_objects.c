// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// From the working copy to the model: geoms, sites, cameras, lights, materials.

#include <string.h>

#include "compile/compile.h"

void mji_pack_user(mjtNum* dst, const mjDoubleVec* user) {
  const mjiVec* v = user;
  if (v->num) memcpy(dst, v->data, (size_t)v->num * sizeof(mjtNum));
}

static void copyFloats(float* dst, const float* src, int n) {
  memcpy(dst, src, (size_t)n * sizeof(float));
}

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
  m->geom_dataid[i] = geom->type == mjGEOM_HFIELD ? idOf(c, mjOBJ_HFIELD, geom->hfieldname)
                                                  : idOf(c, mjOBJ_MESH, geom->meshname);
  m->geom_matid[i] = idOf(c, mjOBJ_MATERIAL, geom->material);
  m->geom_group[i] = geom->group;
  m->geom_priority[i] = geom->priority;
  m->geom_plugin[i] = -1;
  m->geom_sameframe[i] = mji_tree_sameFrame(&e->parent->as.body, geom->pos, geom->quat);
  m->geom_solmix[i] = geom->solmix;
  mju_copy(m->geom_solref + mjNREF * i, geom->solref, mjNREF);
  mju_copy(m->geom_solimp + mjNIMP * i, geom->solimp, mjNIMP);
  mju_copy3(m->geom_size + 3 * i, geom->size);
  mju_copy(m->geom_aabb + 6 * i, info->aabb, 6);
  m->geom_rbound[i] = info->rbound;
  mju_copy3(m->geom_pos + 3 * i, geom->pos);
  mju_copy4(m->geom_quat + 4 * i, geom->quat);
  mju_copy3(m->geom_friction + 3 * i, geom->friction);
  m->geom_margin[i] = geom->margin;
  m->geom_gap[i] = geom->gap;
  mju_copy(m->geom_fluid + mjNFLUID * i, info->fluid, mjNFLUID);
  mji_pack_user(m->geom_user + (size_t)m->nuser_geom * i, geom->userdata);
  copyFloats(m->geom_rgba + 4 * i, geom->rgba, 4);
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
  mju_copy3(m->site_size + 3 * i, site->size);
  mju_copy3(m->site_pos + 3 * i, site->pos);
  mju_copy4(m->site_quat + 4 * i, site->quat);
  mji_pack_user(m->site_user + (size_t)m->nuser_site * i, site->userdata);
  copyFloats(m->site_rgba + 4 * i, site->rgba, 4);
}

static void packCamera(mjiCompile* c, int i) {
  mjModel* m = c->m;
  const mjiElem* e = mji_get(c, mjOBJ_CAMERA, i);
  const mjsCamera* cam = &e->as.camera;
  m->cam_mode[i] = cam->mode;
  m->cam_bodyid[i] = e->parent->id;
  m->cam_targetbodyid[i] = idOf(c, mjOBJ_BODY, cam->targetbody);
  mju_copy3(m->cam_pos + 3 * i, cam->pos);
  mju_copy4(m->cam_quat + 4 * i, cam->quat);
  m->cam_orthographic[i] = cam->orthographic;
  m->cam_fovy[i] = cam->fovy;
  m->cam_ipd[i] = cam->ipd;
  for (int k = 0; k < 2; k++) m->cam_resolution[2 * i + k] = (int)cam->resolution[k];
  copyFloats(m->cam_sensorsize + 2 * i, cam->sensor_size, 2);
  copyFloats(m->cam_intrinsic + 4 * i, cam->intrinsic, 4);
  mji_pack_user(m->cam_user + (size_t)m->nuser_cam * i, cam->userdata);
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
  mju_copy3(m->light_pos + 3 * i, light->pos);
  mju_copy3(m->light_dir + 3 * i, light->dir);
  copyFloats(m->light_attenuation + 3 * i, light->attenuation, 3);
  m->light_cutoff[i] = light->cutoff;
  m->light_exponent[i] = light->exponent;
  copyFloats(m->light_ambient + 3 * i, light->ambient, 3);
  copyFloats(m->light_diffuse + 3 * i, light->diffuse, 3);
  copyFloats(m->light_specular + 3 * i, light->specular, 3);
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
  copyFloats(m->mat_texrepeat + 2 * i, mat->texrepeat, 2);
  m->mat_emission[i] = mat->emission;
  m->mat_specular[i] = mat->specular;
  m->mat_shininess[i] = mat->shininess;
  m->mat_reflectance[i] = mat->reflectance;
  m->mat_metallic[i] = mat->metallic;
  m->mat_roughness[i] = mat->roughness;
  copyFloats(m->mat_rgba + 4 * i, mat->rgba, 4);
}

void mji_pack_objects(mjiCompile* c) {
  for (int i = 0; i < c->m->ngeom; i++) packGeom(c, i);
  for (int i = 0; i < c->m->nsite; i++) packSite(c, i);
  for (int i = 0; i < c->m->ncam; i++) packCamera(c, i);
  for (int i = 0; i < c->m->nlight; i++) packLight(c, i);
  for (int i = 0; i < c->m->nmat; i++) packMaterial(c, i);
}
