// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Names of flags, timers, warnings and object types; the version.
#include <stdio.h>
#include <string.h>

#include <mujoco/mujoco.h>

const char* mjDISABLESTRING[mjNDISABLE] = {
    "Constraint", "Equality",  "Frictionloss", "Limit",        "Contact",   "Spring",  "Damper",
    "Gravity",    "Clampctrl", "Warmstart",    "Filterparent", "Actuation", "Refsafe", "Sensor",
    "Midphase",   "Eulerdamp", "AutoReset",    "NativeCCD",    "Island",
};

const char* mjENABLESTRING[mjNENABLE] = {
    "Override", "Energy", "Fwdinv", "InvDiscrete", "MultiCCD", "Sleep",
};

const char* mjTIMERSTRING[mjNTIMER] = {
    "step",          "forward",    "inverse",     "position",       "velocity",
    "actuation",     "constraint", "advance",     "pos_kinematics", "pos_inertia",
    "pos_collision", "pos_make",   "pos_project", "col_broadphase", "col_narrowphase",
};

int mj_version(void) { return mjVERSION_HEADER; }

const char* mj_versionString(void) { return "3.4.0"; }

// ---- object types

typedef struct {
  int type;
  const char* name;
} TypeName;

static const TypeName typeNames[] = {
    {mjOBJ_BODY, "body"},         {mjOBJ_XBODY, "xbody"},       {mjOBJ_JOINT, "joint"},
    {mjOBJ_DOF, "dof"},           {mjOBJ_GEOM, "geom"},         {mjOBJ_SITE, "site"},
    {mjOBJ_CAMERA, "camera"},     {mjOBJ_LIGHT, "light"},       {mjOBJ_FLEX, "flex"},
    {mjOBJ_MESH, "mesh"},         {mjOBJ_SKIN, "skin"},         {mjOBJ_HFIELD, "hfield"},
    {mjOBJ_TEXTURE, "texture"},   {mjOBJ_MATERIAL, "material"}, {mjOBJ_PAIR, "pair"},
    {mjOBJ_EXCLUDE, "exclude"},   {mjOBJ_EQUALITY, "equality"}, {mjOBJ_TENDON, "tendon"},
    {mjOBJ_ACTUATOR, "actuator"}, {mjOBJ_SENSOR, "sensor"},     {mjOBJ_NUMERIC, "numeric"},
    {mjOBJ_TEXT, "text"},         {mjOBJ_TUPLE, "tuple"},       {mjOBJ_KEY, "key"},
    {mjOBJ_PLUGIN, "plugin"},     {mjOBJ_FRAME, "frame"},
};

enum { NTYPE = sizeof typeNames / sizeof typeNames[0] };

const char* mju_type2Str(int type) {
  for (int i = 0; i < NTYPE; i++) {
    if (typeNames[i].type == type) return typeNames[i].name;
  }
  return NULL;
}

int mju_str2Type(const char* str) {
  for (int i = 0; str && i < NTYPE; i++) {
    int type = typeNames[i].type;
    if (type < mjNOBJECT && !strcmp(str, typeNames[i].name)) return type;
  }
  return mjOBJ_UNKNOWN;
}

// ---- texts made on demand; each thread has its own buffer

const char* mju_warningText(int warning, size_t info) {
  static _Thread_local char text[200];
  static const char* const bad = "bad number (NaN, infinite or huge) in";
  size_t n = sizeof text;
  switch (warning) {
    case mjWARN_INERTIA:
      snprintf(text, n, "Inertia is close to singular at DOF %zu: check mass and armature.", info);
      break;
    case mjWARN_CONTACTFULL:
      snprintf(text, n, "Arena is full after %zu contacts: give the model more memory.", info);
      break;
    case mjWARN_CNSTRFULL:
      snprintf(text, n, "Constraints overflow the arena (%zu bytes): give the model more memory.", info);
      break;
    case mjWARN_VGEOMFULL: snprintf(text, n, "List of visual geoms is full: increase maxgeom above %zu.", info); break;
    case mjWARN_BADQPOS: snprintf(text, n, "Unstable: %s QPOS at DOF %zu.", bad, info); break;
    case mjWARN_BADQVEL: snprintf(text, n, "Unstable: %s QVEL at DOF %zu.", bad, info); break;
    case mjWARN_BADQACC: snprintf(text, n, "Unstable: %s QACC at DOF %zu.", bad, info); break;
    case mjWARN_BADCTRL: snprintf(text, n, "Unstable: %s CTRL at ACTUATOR %zu.", bad, info); break;
    default: snprintf(text, n, "Unknown warning type %d.", warning);
  }
  return text;
}

const char* mju_writeNumBytes(size_t nbytes) {
  static _Thread_local char text[32];
  static const char* const suffix[] = {"", "K", "M", "G", "T", "P", "E"};

  // the largest unit that divides it
  int power = 0;
  for (; power < 6 && nbytes && nbytes % 1024 == 0; power++) nbytes /= 1024;
  snprintf(text, sizeof text, "%zu%s", nbytes, suffix[power]);
  return text;
}
