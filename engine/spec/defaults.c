// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Initial values of the public structs. Everything not set here is zero; containers and `element` are
// null until the element belongs to a specification.

#include <math.h>
#include <string.h>

#include <mujoco/mujoco.h>

#define RESET(p) memset((p), 0, sizeof *(p))

static void setFloats(float* dst, int n, float value) {
  for (int i = 0; i < n; i++) dst[i] = value;
}

static void setDoubles(double* dst, int n, double value) {
  for (int i = 0; i < n; i++) dst[i] = value;
}

// opaque mid-grey
static void setGrey(float rgba[4]) {
  setFloats(rgba, 3, 0.5f);
  rgba[3] = 1;
}

static void setFriction(double* friction) {
  friction[0] = 1;
  friction[1] = 0.005;
  friction[2] = 0.0001;
}

static void defaultCompiler(mjsCompiler* c) {
  c->autolimits = 1;
  c->settotalmass = -1;
  c->degree = 1;
  memcpy(c->eulerseq, "xyz", 3);
  c->usethread = 1;
  c->inertiafromgeom = mjINERTIAFROMGEOM_AUTO;
  c->inertiagrouprange[1] = 5;
  mj_defaultLROpt(&c->LRopt);
}

void mjs_defaultSpec(mjSpec* spec) {
  RESET(spec);
  defaultCompiler(&spec->compiler);
  mj_defaultOption(&spec->option);
  mj_defaultVisual(&spec->visual);

  // not a number: computed by the compiler unless given
  spec->stat.meaninertia = spec->stat.meanmass = spec->stat.meansize = spec->stat.extent = NAN;
  spec->stat.center[0] = NAN;

  // negative: sized by the compiler
  spec->memory = spec->nstack = -1;
  spec->njmax = spec->nconmax = -1;
  spec->nuser_body = spec->nuser_jnt = spec->nuser_geom = spec->nuser_site = -1;
  spec->nuser_cam = spec->nuser_tendon = spec->nuser_actuator = spec->nuser_sensor = -1;
}

void mjs_defaultOrientation(mjsOrientation* orient) { RESET(orient); }

void mjs_defaultBody(mjsBody* body) {
  RESET(body);
  body->quat[0] = body->iquat[0] = 1;
  body->ipos[0] = NAN;  // no inertial frame given
  body->fullinertia[0] = NAN;
}

void mjs_defaultFrame(mjsFrame* frame) {
  RESET(frame);
  frame->quat[0] = 1;
}

void mjs_defaultJoint(mjsJoint* joint) {
  RESET(joint);
  joint->type = mjJNT_HINGE;
  joint->axis[2] = 1;
  joint->align = mjALIGNFREE_AUTO;
  joint->limited = joint->actfrclimited = mjLIMITED_AUTO;
  mj_defaultSolRefImp(joint->solref_limit, joint->solimp_limit);
  mj_defaultSolRefImp(joint->solref_friction, joint->solimp_friction);
}

void mjs_defaultGeom(mjsGeom* geom) {
  RESET(geom);
  geom->type = mjGEOM_SPHERE;
  geom->quat[0] = 1;
  geom->fromto[0] = NAN;  // no segment given
  geom->contype = geom->conaffinity = 1;
  geom->condim = 3;
  setFriction(geom->friction);
  geom->solmix = 1;
  mj_defaultSolRefImp(geom->solref, geom->solimp);
  geom->mass = NAN;  // from density
  geom->density = 1000;
  // blunt drag, slender drag, angular drag, Kutta lift, Magnus lift
  static const mjtNum coefs[5] = {0.5, 0.25, 1.5, 1, 1};
  memcpy(geom->fluid_coefs, coefs, sizeof coefs);
  setGrey(geom->rgba);
  geom->fitscale = 1;
}

void mjs_defaultSite(mjsSite* site) {
  RESET(site);
  site->quat[0] = 1;
  site->fromto[0] = NAN;
  setDoubles(site->size, 3, 0.005);
  site->type = mjGEOM_SPHERE;
  setGrey(site->rgba);
}

void mjs_defaultCamera(mjsCamera* camera) {
  RESET(camera);
  camera->quat[0] = 1;
  camera->fovy = 45;
  camera->ipd = 0.068;
  setFloats(camera->resolution, 2, 1);
}

void mjs_defaultLight(mjsLight* light) {
  RESET(light);
  light->dir[2] = -1;
  light->active = 1;
  light->castshadow = 1;
  light->bulbradius = 0.02f;
  light->range = 10;
  light->attenuation[0] = 1;
  light->cutoff = 45;
  light->exponent = 10;
  setFloats(light->diffuse, 3, 0.7f);
  setFloats(light->specular, 3, 0.3f);
}

void mjs_defaultFlex(mjsFlex* flex) {
  RESET(flex);
  flex->contype = flex->conaffinity = 1;
  flex->condim = 3;
  setFriction(flex->friction);
  flex->solmix = 1;
  mj_defaultSolRefImp(flex->solref, flex->solimp);
  flex->dim = 2;
  flex->radius = 0.005;
  flex->selfcollide = mjFLEXSELF_AUTO;
  flex->activelayers = 1;
  setGrey(flex->rgba);
  flex->thickness = -1;
}

void mjs_defaultMesh(mjsMesh* mesh) {
  RESET(mesh);
  mesh->refquat[0] = 1;
  setDoubles(mesh->scale, 3, 1);
  mesh->inertia = mjMESH_INERTIA_LEGACY;
  mesh->maxhullvert = -1;
}

void mjs_defaultHField(mjsHField* hfield) { RESET(hfield); }

void mjs_defaultSkin(mjsSkin* skin) {
  RESET(skin);
  setGrey(skin->rgba);
}

void mjs_defaultTexture(mjsTexture* texture) {
  RESET(texture);
  texture->type = mjTEXTURE_CUBE;
  setDoubles(texture->rgb1, 3, 0.8);
  setDoubles(texture->rgb2, 3, 0.5);
  texture->random = 0.01;
  texture->nchannel = 3;
  texture->gridsize[0] = texture->gridsize[1] = 1;
  memset(texture->gridlayout, '.', sizeof texture->gridlayout);
}

void mjs_defaultMaterial(mjsMaterial* material) {
  RESET(material);
  setFloats(material->texrepeat, 2, 1);
  material->specular = material->shininess = 0.5f;
  material->metallic = material->roughness = -1;
  setFloats(material->rgba, 4, 1);
}

void mjs_defaultPair(mjsPair* pair) {
  RESET(pair);
  pair->condim = 3;
  mj_defaultSolRefImp(pair->solref, pair->solimp);
  static const double friction[5] = {1, 1, 0.005, 0.0001, 0.0001};
  memcpy(pair->friction, friction, sizeof friction);
}

void mjs_defaultEquality(mjsEquality* equality) {
  RESET(equality);
  equality->active = 1;
  mj_defaultSolRefImp(equality->solref, equality->solimp);
  equality->data[1] = 1;   // joint and tendon: linear coefficient
  equality->data[10] = 1;  // weld: torque scale
}

void mjs_defaultTendon(mjsTendon* tendon) {
  RESET(tendon);
  setDoubles(tendon->springlength, 2, -1);  // at the reference configuration
  mj_defaultSolRefImp(tendon->solref_friction, tendon->solimp_friction);
  mj_defaultSolRefImp(tendon->solref_limit, tendon->solimp_limit);
  tendon->limited = tendon->actfrclimited = mjLIMITED_AUTO;
  tendon->width = 0.003;
  setGrey(tendon->rgba);
}

void mjs_defaultActuator(mjsActuator* actuator) {
  RESET(actuator);
  actuator->gainprm[0] = 1;
  actuator->dynprm[0] = 1;
  actuator->gear[0] = 1;
  actuator->trntype = mjTRN_UNDEFINED;
  actuator->actdim = -1;
  actuator->ctrllimited = actuator->forcelimited = actuator->actlimited = mjLIMITED_AUTO;
}

void mjs_defaultSensor(mjsSensor* sensor) {
  RESET(sensor);
  sensor->needstage = mjSTAGE_ACC;
}

void mjs_defaultNumeric(mjsNumeric* numeric) { RESET(numeric); }

void mjs_defaultText(mjsText* text) { RESET(text); }

void mjs_defaultTuple(mjsTuple* tuple) { RESET(tuple); }

void mjs_defaultKey(mjsKey* key) { RESET(key); }

void mjs_defaultPlugin(mjsPlugin* plugin) { RESET(plugin); }
