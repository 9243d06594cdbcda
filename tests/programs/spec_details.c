// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Corners of the procedural API: shortcuts with arguments that do not go together, inertia that is half given,
// order of pairs after compilation, keyframes that only a number asks for, sensors by their objects.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <mujoco/mujoco.h>

static void row(const char* what, const double* x, int n) {
  printf("%s", what);
  for (int i = 0; i < n; i++) printf(" %.6g", x[i] == 0 ? 0 : x[i]);
  printf("\n");
}

// a body "b" with a geom and a hinge of the same name, beside a body "c"
static mjSpec* make(void) {
  mjSpec* s = mj_makeSpec();
  static const char* const names[] = {"b", "c"};
  for (int i = 0; i < 2; i++) {
    mjsBody* body = mjs_addBody(mjs_findBody(s, "world"), NULL);
    mjsGeom* geom = mjs_addGeom(body, NULL);
    geom->size[0] = 0.1;
    geom->pos[0] = 0.2;
    mjs_setName(body->element, names[i]);
    mjs_setName(geom->element, names[i]);
    mjs_setName(mjs_addJoint(body, NULL)->element, names[i]);
    mjs_setName(mjs_addSite(body, NULL)->element, names[i]);
  }
  return s;
}

static void showActuator(const mjsActuator* a, const char* reason) {
  printf("%s: gain %d bias %d dyn %d limited %d %d inherit %g\n", *reason ? "refused" : "set", a->gaintype, a->biastype,
         a->dyntype, a->ctrllimited, a->actlimited, a->inheritrange);
  row(" gainprm", a->gainprm, mjNGAIN);
  row(" biasprm", a->biasprm, mjNBIAS);
  row(" dynprm", a->dynprm, mjNDYN);
}

// every combination of what a servo can be given
static void servos(mjSpec* s) {
  double good[1] = {0.5}, bad[1] = {-1};
  for (int i = 0; i < 128; i++) {
    double* kv = i & 1 ? (i & 32 ? bad : good) : NULL;
    double* dampratio = i & 2 ? (i & 64 ? bad : good) : NULL;
    double* timeconst = i & 4 ? good : NULL;
    double inherit = i & 8 ? 1 : 0;
    for (int range = 0; range < 2; range++) {
      mjsActuator* a = mjs_addActuator(s, NULL);
      mjsActuator* b = mjs_addActuator(s, NULL);
      a->ctrlrange[1] = a->actrange[1] = b->ctrlrange[1] = range;
      if (i & 16) b->actrange[1] = 1;
      showActuator(a, mjs_setToPosition(a, 2, kv, dampratio, timeconst, inherit));
      showActuator(b, mjs_setToIntVelocity(b, 2, kv, dampratio, timeconst, inherit));
    }
  }
}

static void otherActuators(mjSpec* s) {
  for (int i = 0; i < 8; i++) {
    mjsActuator* a = mjs_addActuator(s, NULL);
    double sign = i & 1 ? -1 : 1;
    double range[2] = {0.5, 1};
    if (i & 2) a->ctrlrange[0] = -1;
    if (i & 4) a->gaintype = mjGAIN_AFFINE;
    showActuator(a, mjs_setToAdhesion(a, sign));
    showActuator(a, mjs_setToDamper(a, sign));
    showActuator(a, mjs_setToMuscle(a, range, sign, range, 1, 2, 3, 4, 5, 6, -1));
    showActuator(a, mjs_setToMotor(a));
  }
}

static void inertia(void) {
  for (int i = 0; i < 64; i++) {
    mjSpec* s = make();
    mjsBody* body = mjs_findBody(s, "b");
    body->explicitinertial = i & 1;
    if (i & 2) body->ipos[0] = 0.3;
    if (i & 4) body->mass = 2;
    if (i & 8) body->inertia[0] = body->inertia[1] = body->inertia[2] = 1;
    if (i & 16) {
      const double full[6] = {1, 1.1, 1.2, 0.1, 0, 0};
      memcpy(body->fullinertia, full, sizeof full);
    }
    s->compiler.inertiafromgeom = i & 32 ? mjINERTIAFROMGEOM_TRUE : mjINERTIAFROMGEOM_AUTO;
    mjModel* m = mj_compile(s, NULL);
    printf("inertia %d: %s\n", i, m ? "made" : "refused");
    if (m) {
      row(" mass", m->body_mass, m->nbody);
      row(" ipos", m->body_ipos, 3 * m->nbody);
      row(" iquat", m->body_iquat, 4 * m->nbody);
      row(" inertia", m->body_inertia, 3 * m->nbody);
    }
    mj_deleteModel(m);
    mj_deleteSpec(s);
  }
}

static void list(mjSpec* s, mjtObj type) {
  for (mjsElement* e = mjs_firstElement(s, type); e; e = mjs_nextElement(s, e)) {
    printf(" %s:%d", mjs_getString(mjs_getName(e)), mjs_getId(e));
  }
  printf("\n");
}

static void order(void) {
  mjSpec* s = make();
  static const char* const pairs[3][3] = {{"last", "c", "b"}, {"first", "b", "ground"}, {"middle", "ground", "c"}};
  mjsGeom* ground = mjs_addGeom(mjs_findBody(s, "world"), NULL);
  ground->size[0] = 1;
  mjs_setName(ground->element, "ground");
  for (int i = 0; i < 3; i++) {
    mjsPair* pair = mjs_addPair(s, NULL);
    mjs_setName(pair->element, pairs[i][0]);
    mjs_setString(pair->geomname1, pairs[i][1]);
    mjs_setString(pair->geomname2, pairs[i][2]);
    mjsExclude* exclude = mjs_addExclude(s);
    mjs_setName(exclude->element, pairs[i][0]);
    mjs_setString(exclude->bodyname1, strcmp(pairs[i][1], "ground") ? pairs[i][1] : "world");
    mjs_setString(exclude->bodyname2, strcmp(pairs[i][2], "ground") ? pairs[i][2] : "world");
  }
  mjModel* m = NULL;
  for (int i = 0; i < 2; i++) {
    list(s, mjOBJ_PAIR);
    list(s, mjOBJ_EXCLUDE);
    mj_deleteModel(m);
    m = mj_compile(s, NULL);
  }
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

static void keyframes(void) {
  mjSpec* s = make();
  s->nkey = 2;
  for (int i = 0; i < 3; i++) {
    mjModel* m = mj_compile(s, NULL);
    printf("nkey %d, %d;", (int)m->nkey, s->nkey);
    list(s, mjOBJ_KEY);
    if (i == 0) mjs_setName(mjs_addKey(s)->element, "more");
    if (i == 1) mjs_delete(s, mjs_firstElement(s, mjOBJ_KEY));

    // keyframes that a program fills in the model are kept
    m->key_qpos[0] = 0.25;
    if (i == 2) {
      char text[4000], error[200] = "";
      printf("copied back %d\n", mj_copyBack(s, m));
      printf("saved %d\n", mj_saveXMLString(s, text, sizeof text, error, sizeof error) == 0);
      mjSpec* again = mj_parseXMLString(text, NULL, error, sizeof error);
      mjModel* m2 = again ? mj_compile(again, NULL) : NULL;
      printf("keyframes of it: %d, %g\n", m2 ? (int)m2->nkey : -1, m2 ? m2->key_qpos[0] : 0);
      mj_deleteModel(m2);
      mj_deleteSpec(again);
    }
    mj_deleteModel(m);
  }
  mj_deleteSpec(s);
}

static void showKey(const char* when, const mjsKey* key) {
  int n;
  const double* numbers = mjs_getDouble(key->qpos, &n);
  printf("%s: %d", when, n);
  row(" qpos", numbers, n);
  numbers = mjs_getDouble(key->qvel, &n);
  printf("%s: %d", when, n);
  row(" qvel", numbers, n);
}

// numbers of a keyframe follow the joints
static void growing(void) {
  mjSpec* s = make();
  mjsKey* key = mjs_addKey(s);
  const double two[2] = {1, 2};
  mjs_setDouble(key->qpos, two, 2);
  mj_deleteModel(mj_compile(s, NULL));
  showKey("given", key);
  mjsBody* body = mjs_addBody(mjs_findBody(s, "b"), NULL);
  mjs_addGeom(body, NULL)->size[0] = 1;
  mjs_addJoint(body, NULL)->ref = 0.5;
  mj_deleteModel(mj_compile(s, NULL));
  showKey("after a joint was added", key);
  mjs_delete(s, mjs_findBody(s, "c")->element);
  mjModel* m = mj_compile(s, NULL);
  showKey("after a body was deleted", mjs_asKey(mjs_firstElement(s, mjOBJ_KEY)));
  row("of the model", m->key_qpos, m->nq);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

// room for rows of equalities that a program asks for comes on top of what there is
static void room(void) {
  for (int i = 0; i < 4; i++) {
    mjSpec* s = make();
    mjsEquality* eq = mjs_addEquality(s, NULL);
    eq->type = mjEQ_WELD;
    eq->objtype = mjOBJ_BODY;
    mjs_setString(eq->name1, "b");
    s->nemax = 3 * i;
    mjModel* m = mj_compile(s, NULL);
    printf("nemax %d\n", (int)m->nemax);
    mj_deleteModel(m);
    mj_deleteSpec(s);
  }
}

static void sensor(const int type, int object, const char* name, int referred, const char* refname, const int prm[3]) {
  mjSpec* s = make();
  mjsSensor* sensor = mjs_addSensor(s);
  sensor->type = type;
  sensor->objtype = object;
  sensor->reftype = referred;
  sensor->dim = sensor->needstage = 1;
  memcpy(sensor->intprm, prm, 3 * sizeof *prm);
  mjs_setString(sensor->objname, name);
  mjs_setString(sensor->refname, refname);
  mjModel* m = mj_compile(s, NULL);
  printf("sensor %d, %d %s, %d %s, %d %d %d: ", type, object, name, referred, refname, prm[0], prm[1], prm[2]);
  if (m)
    printf("%d %d, %d %d, %d\n", m->sensor_objtype[0], m->sensor_objid[0], m->sensor_reftype[0], m->sensor_refid[0],
           m->sensor_dim[0]);
  else printf("refused\n");
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

static void sensors(void) {
  static const int types[] = {mjSENS_FRAMEPOS, mjSENS_CONTACT,    mjSENS_CLOCK, mjSENS_E_POTENTIAL,
                              mjSENS_USER,     mjSENS_SUBTREECOM, mjSENS_TOUCH};
  static const int objects[] = {mjOBJ_UNKNOWN, mjOBJ_BODY, mjOBJ_XBODY, mjOBJ_JOINT, mjOBJ_GEOM, mjOBJ_SITE};
  static const int fields[3] = {1, 0, 1};
  for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
    for (int o = 0; o < 6; o++) {
      for (int named = 0; named < 2; named++) {
        sensor(types[t], objects[o], named ? "b" : "", mjOBJ_UNKNOWN, "c", fields);
        sensor(types[t], mjOBJ_BODY, "b", objects[o], named ? "c" : "", fields);
      }
    }
  }
  for (int i = -1; i < 5; i++) {
    const int prm[3][3] = {{i * 64, 0, 1}, {1, i, 1}, {1, 0, i}};
    for (int k = 0; k < 3; k++) sensor(mjSENS_CONTACT, mjOBJ_BODY, "b", mjOBJ_UNKNOWN, "", prm[k]);
  }
}

// distances are measured from all geoms but height fields
static void distances(void) {
  for (int type = mjGEOM_PLANE; type <= mjGEOM_SPHERE; type++) {
    for (int i = 0; i < 4; i++) {
      mjSpec* s = make();
      mjsHField* field = mjs_addHField(s);
      const float heights[4] = {0, 1, 0, 1};
      field->nrow = field->ncol = 2;
      field->size[0] = field->size[1] = field->size[2] = field->size[3] = 1;
      mjs_setName(field->element, "field");
      mjs_setFloat(field->userdata, heights, 4);
      mjsBody* body = mjs_addBody(mjs_findBody(s, "world"), NULL);
      mjsGeom* geom = mjs_addGeom(body, NULL);
      geom->type = type;
      geom->size[0] = geom->size[1] = geom->size[2] = 1;
      if (type == mjGEOM_HFIELD) mjs_setString(geom->hfieldname, "field");
      mjs_setName(body->element, "ground");
      mjs_setName(geom->element, "ground");
      mjsSensor* sensor = mjs_addSensor(s);
      sensor->type = mjSENS_GEOMDIST;
      sensor->cutoff = 1;
      sensor->objtype = i & 1 ? mjOBJ_GEOM : mjOBJ_BODY;
      sensor->reftype = i & 2 ? mjOBJ_GEOM : mjOBJ_BODY;
      mjs_setString(sensor->objname, "ground");
      mjs_setString(sensor->refname, "b");
      mjModel* m = mj_compile(s, NULL);
      printf("distance from type %d, %d: %s\n", type, i, m ? "made" : "refused");
      mj_deleteModel(m);
      mj_deleteSpec(s);
    }
  }
}

// a lens in lengths and in pixels
static void cameras(void) {
  for (int i = 0; i < 512; i++) {
    mjSpec* s = make();
    mjsCamera* c = mjs_addCamera(mjs_findBody(s, "b"), NULL);
    float* const numbers[8] = {c->focal_length,    c->focal_length + 1,   c->focal_pixel,
                               c->focal_pixel + 1, c->principal_length,   c->principal_length + 1,
                               c->principal_pixel, c->principal_pixel + 1};
    for (int k = 0; k < 8; k++) *numbers[k] = i >> k & 1 ? 2 + k : 0;
    for (int k = 0; k < 4; k++) c->intrinsic[k] = k + 1;
    c->sensor_size[0] = c->sensor_size[1] = i < 256 ? 0.2f : 0;
    c->resolution[0] = c->resolution[1] = 100;
    mjModel* m = mj_compile(s, NULL);
    printf("camera %d:", i);
    if (m) {
      char text[5000], error[200] = "";
      mj_saveXMLString(s, text, sizeof text, error, sizeof error);
      mjSpec* again = mj_parseXMLString(text, NULL, error, sizeof error);
      mjModel* m2 = again ? mj_compile(again, NULL) : NULL;
      printf(m2 ? " written," : " unreadable,");
      mj_deleteModel(m2);
      mj_deleteSpec(again);
    }
    for (int k = 0; m && k < 4; k++) printf(" %.6g", m->cam_intrinsic[k]);
    printf(m ? ", %.6g\n" : " refused\n", m ? m->cam_fovy[0] : 0);
    mj_deleteModel(m);
    mj_deleteSpec(s);
  }
}

// lengths and pixels of a document; those of a class and of the camera add up
static void lenses(void) {
  static const char* const given[] = {"",
                                      "focal='1 1'",
                                      "focalpixel='2 2'",
                                      "focal='1 1' focalpixel='2 2'",
                                      "principal='1 1'",
                                      "principalpixel='2 2'",
                                      "principal='1 1' principalpixel='2 2'"};
  for (int i = 0; i < 49; i++) {
    char text[600], error[200] = "";
    snprintf(text, sizeof text,
             "<mujoco><default><camera sensorsize='1 1' resolution='1 1' %s/></default>"
             "<worldbody><camera sensorsize='1 1' resolution='1 1' %s/></worldbody></mujoco>",
             given[i % 7], given[i / 7]);
    mjSpec* s = mj_parseXMLString(text, NULL, error, sizeof error);
    mjModel* m = s ? mj_compile(s, NULL) : NULL;
    printf("lens %d:", i);
    for (int k = 0; m && k < 4; k++) printf(" %g", m->cam_intrinsic[k]);
    printf(m ? "\n" : " refused\n");
    mj_deleteModel(m);
    mj_deleteSpec(s);
  }
}

// sites and cranks that the transmission does not have
static void transmissions(void) {
  static const int types[] = {mjTRN_JOINT, mjTRN_JOINTINPARENT, mjTRN_SITE, mjTRN_BODY, mjTRN_SLIDERCRANK};
  for (int i = 0; i < 5 * 16; i++) {
    mjSpec* s = make();
    mjsActuator* a = mjs_addActuator(s, NULL);
    a->trntype = types[i / 16];
    mjs_setString(a->target, "b");
    if (i & 1) mjs_setString(a->refsite, "c");
    if (i & 2) mjs_setString(a->slidersite, "c");
    if (i & 4) a->cranklength = 1;
    if (i & 8) mjs_setString(a->refsite, "nowhere");
    mjModel* m = mj_compile(s, NULL);
    printf("transmission %d: ", i);
    if (m) printf("%d %d %g\n", m->actuator_trnid[0], m->actuator_trnid[1], m->actuator_cranklength[0]);
    else printf("refused\n");
    mj_deleteModel(m);
    mj_deleteSpec(s);
  }
}

// what no keyword of MJCF says
// clang-format off
static const char* const kinds[] = {"joint type", "inertia of a geom", "object of a connect", "object of a weld",
                                    "integrator", "solver", "mode of length ranges", "size of a numeric",
                                    "room for user data", "force range", "upper force", "width"};
// clang-format on

static void values(void) {
  for (int kind = 0; kind < 12; kind++) {
    for (int value = kind == 8 ? -1 : -2; value < 12; value++) {
      mjSpec* s = make();
      mjsJoint* joint = mjs_asJoint(mjs_findElement(s, mjOBJ_JOINT, "b"));
      mjsGeom* geom = mjs_asGeom(mjs_findElement(s, mjOBJ_GEOM, "b"));
      mjsActuator* actuator = mjs_addActuator(s, NULL);
      actuator->trntype = mjTRN_JOINT;
      mjs_setString(actuator->target, "c");
      mjsTendon* tendon = mjs_addTendon(s, NULL);
      mjs_wrapJoint(tendon, "c", 1);
      mjsNumeric* numeric = mjs_addNumeric(s);
      mjs_setName(numeric->element, "numeric");
      const double three[3] = {1, 2, 3};
      mjs_setDouble(numeric->data, three, 3);
      numeric->size = 3;
      switch (kind) {
        case 0: joint->type = value; break;
        case 1: geom->typeinertia = value; break;
        case 2:
        case 3:
        case 5: {
          mjsEquality* eq = mjs_addEquality(s, NULL);
          eq->type = kind == 3 ? mjEQ_WELD : mjEQ_CONNECT;
          eq->objtype = kind == 5 ? mjOBJ_BODY : value;
          if (kind == 5) s->option.solver = value;
          mjs_setString(eq->name1, "b");
          mjs_setString(eq->name2, "c");
          break;
        }
        case 4: s->option.integrator = value; break;
        case 6: s->compiler.LRopt.mode = value; break;
        case 7: numeric->size = value; break;
        case 8: s->nuser_body = value; break;
        case 9:
        case 10:
          tendon->actfrclimited = mjLIMITED_TRUE;
          tendon->actfrcrange[0] = kind == 9 ? value * 0.25 : -3;
          tendon->actfrcrange[1] = kind == 9 ? 3 : value * 0.25;
          break;
        default: tendon->width = value; break;
      }
      mjModel* m = mj_compile(s, NULL);
      printf("%s %d: %s\n", kinds[kind], value, m ? "made" : "refused");
      mj_deleteModel(m);
      mj_deleteSpec(s);
    }
  }
}

// a primitive that is fitted to a mesh keeps the sizes that its type does not have
static void fits(void) {
  mjSpec* s = make();
  mjsMesh* mesh = mjs_addMesh(s, NULL);
  double params[2] = {5, 0.5}, none[1] = {1};
  mjs_setName(mesh->element, "cone");
  printf("cone %d, unknown %d %d, too few %d\n", mjs_makeMesh(mesh, mjMESH_BUILTIN_CONE, params, 2),
         mjs_makeMesh(mesh, mjMESH_BUILTIN_NONE, none, 1), mjs_makeMesh(mesh, 99, none, 1),
         mjs_makeMesh(mesh, mjMESH_BUILTIN_CONE, params, 1) < 0);
  static const int types[] = {mjGEOM_SPHERE, mjGEOM_CAPSULE, mjGEOM_CYLINDER, mjGEOM_BOX};
  for (int i = 0; i < 4; i++) {
    mjsGeom* geom = mjs_addGeom(mjs_findBody(s, "world"), NULL);
    geom->type = types[i];
    geom->fitscale = 0.5;
    for (int k = 0; k < 3; k++) geom->size[k] = 3 + k;
    mjs_setString(geom->meshname, "cone");
  }
  mjModel* m = mj_compile(s, NULL);
  row("sizes", m->geom_size, 12);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

// what a path goes around is known after compilation
static void paths(void) {
  mjSpec* s = make();
  mjsGeom* geom = mjs_asGeom(mjs_findElement(s, mjOBJ_GEOM, "b"));
  geom->type = mjGEOM_CYLINDER;
  geom->size[1] = 1;
  mjs_asSite(mjs_findElement(s, mjOBJ_SITE, "c"))->pos[0] = 5;
  mjsTendon* tendon = mjs_addTendon(s, NULL);
  mjs_wrapSite(tendon, "b");
  mjs_wrapGeom(tendon, "b", "c");
  mjs_wrapSite(tendon, "c");
  mjModel* m = NULL;
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < mjs_getWrapNum(tendon); i++) {
      mjsWrap* wrap = mjs_getWrap(tendon, i);
      printf("wrap %d: type %d, %s\n", i, wrap->type, mjs_getString(mjs_getName(wrap->element)));
    }
    mj_deleteModel(m);
    m = mj_compile(s, NULL);
  }
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

int main(void) {
  mjSpec* s = mj_makeSpec();
  servos(s);
  otherActuators(s);
  mj_deleteSpec(s);
  inertia();
  order();
  keyframes();
  growing();
  room();
  sensors();
  distances();
  cameras();
  lenses();
  transmissions();
  values();
  fits();
  paths();
  return 0;
}
