// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Actuators: what they act on, and the shortcuts, which set gains, biases and dynamics together.
// A parameter of a shortcut that is not given keeps what the default class has in its place.

#include <string.h>

#include "mjcf/read.h"

// at most one target
static void readTarget(mjiReader* r, const mjiXML* elem, mjsActuator* a) {
  const char* before = NULL;
  for (const mjiTargetRow* row = mji_actuatorTargets; row->name; row++) {
    const char* text = mji_xmlAttr(elem, row->name);
    if (!text) continue;
    if (before) mji_readFail(r, elem, "%s and %s cannot both be acted on", before, row->name);
    before = row->name;
    a->trntype = row->type;
    mjs_setString(a->target, text);
  }

  const char* slider = mji_xmlAttr(elem, "slidersite");
  const char* ref = mji_xmlAttr(elem, "refsite");
  int crank = a->trntype == mjTRN_SLIDERCRANK || a->trntype == mjTRN_UNDEFINED;
  if ((slider || mji_readGiven(elem, "cranklength")) && !crank)
    mji_readFail(r, elem, "cranklength and slidersite belong to slider-crank transmission");
  if (ref && a->trntype != mjTRN_SITE && a->trntype != mjTRN_UNDEFINED)
    mji_readFail(r, elem, "refsite belongs to site transmission");
  if (slider) mjs_setString(a->slidersite, slider);
  if (ref) mjs_setString(a->refsite, ref);
}

// ---- shortcuts: each returns NULL or why its parameters are wrong

static const char* setMotor(mjiReader* r, const mjiXML* e, mjsActuator* a) {
  (void)r, (void)e;
  return mjs_setToMotor(a);
}

// optional number: where it is, or NULL
static double* optional(mjiReader* r, const mjiXML* e, const char* name, double* x) {
  return mji_readNums(r, e, name, x, 1, 1) ? x : NULL;
}

static const char* setPosition(mjiReader* r, const mjiXML* e, mjsActuator* a) {
  double kp = mji_readNum(r, e, "kp", a->gainprm[0]), kv, ratio, time;
  return mjs_setToPosition(a, kp, optional(r, e, "kv", &kv), optional(r, e, "dampratio", &ratio),
                           optional(r, e, "timeconst", &time), a->inheritrange);
}

static const char* setIntVelocity(mjiReader* r, const mjiXML* e, mjsActuator* a) {
  double kp = mji_readNum(r, e, "kp", a->gainprm[0]), kv, ratio;
  double inherit = a->inheritrange, *given = optional(r, e, "kv", &kv);
  double* damped = optional(r, e, "dampratio", &ratio);
  const mjsDefault* dclass = mjs_getDefault(a->element);
  if (dclass) a->inheritrange = dclass->actuator->inheritrange;

  // Damping that makes no sense is no error in a document, as in the reference: the actuator stays half set.
  mjs_setToIntVelocity(a, kp, given, damped, NULL, inherit);
  int ranges = inherit > 0 && (a->actrange[0] || a->actrange[1]);
  return ranges ? "actrange and inheritrange cannot both be given" : "";
}

static const char* setVelocity(mjiReader* r, const mjiXML* e, mjsActuator* a) {
  return mjs_setToVelocity(a, mji_readNum(r, e, "kv", a->gainprm[0]));
}

static const char* setDamper(mjiReader* r, const mjiXML* e, mjsActuator* a) {
  return mjs_setToDamper(a, mji_readNum(r, e, "kv", 0));
}

static const char* setCylinder(mjiReader* r, const mjiXML* e, mjsActuator* a) {
  double timeconst = mji_readNum(r, e, "timeconst", a->dynprm[0]);
  double area = mji_readNum(r, e, "area", a->gainprm[0]);
  double diameter = mji_readNum(r, e, "diameter", -1);
  mji_readNums(r, e, "bias", a->biasprm, 3, 3);
  return mjs_setToCylinder(a, timeconst, a->biasprm[0], area, diameter);
}

static const char* setMuscle(mjiReader* r, const mjiXML* e, mjsActuator* a) {
  // a negative parameter keeps what the class has
  double time[2] = {-1, -1}, range[2] = {-1, -1};
  mji_readNums(r, e, "timeconst", time, 2, 2);
  mji_readNums(r, e, "range", range, 2, 2);
  return mjs_setToMuscle(a, time, mji_readNum(r, e, "tausmooth", a->dynprm[2]), range, mji_readNum(r, e, "force", -1),
                         mji_readNum(r, e, "scale", -1), mji_readNum(r, e, "lmin", -1), mji_readNum(r, e, "lmax", -1),
                         mji_readNum(r, e, "vmax", -1), mji_readNum(r, e, "fpmax", -1), mji_readNum(r, e, "fvmax", -1));
}

static const char* setAdhesion(mjiReader* r, const mjiXML* e, mjsActuator* a) {
  return mjs_setToAdhesion(a, mji_readNum(r, e, "gain", a->gainprm[0]));
}

static const struct {
  const char* name;
  const char* (*set)(mjiReader* r, const mjiXML* e, mjsActuator* a);
} shortcuts[] = {
    {"motor", setMotor},   {"position", setPosition}, {"velocity", setVelocity}, {"intvelocity", setIntVelocity},
    {"damper", setDamper}, {"cylinder", setCylinder}, {"muscle", setMuscle},     {"adhesion", setAdhesion}};

void mji_readActuatorRows(mjiReader* r, const mjiXML* elem, mjsActuator* actuator) {
  if (!strcmp(elem->name, "plugin")) mji_readPlugin(r, elem, &actuator->plugin);
  mji_readRows(r, elem, mji_rowsGeneral, actuator);
  if (mji_xmlAttr(elem, "inheritrange")) actuator->inheritrange = mji_readNum(r, elem, "inheritrange", 0);
  readTarget(r, elem, actuator);
  for (size_t i = 0; i < sizeof shortcuts / sizeof *shortcuts; i++) {
    if (strcmp(shortcuts[i].name, elem->name)) continue;
    const char* why = shortcuts[i].set(r, elem, actuator);
    if (why && *why) mji_readFail(r, elem, "%s", why);
  }
}

void mji_readActuator(mjiReader* r, const mjiXML* section) {
  for (const mjiXML* c = section->first; c; c = c->next) {
    mjsActuator* a = mjs_addActuator(r->spec, mji_readClass(r, c, "class", mjs_getSpecDefault(r->spec)));
    mji_readIdentity(r, c, a->element, a->info);
    mji_readActuatorRows(r, c, a);
  }
}
