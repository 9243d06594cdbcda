// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Corners of functions: triangles, names that are there already, integrators that do not fit, parts without a name.
#include "program.h"

// the dense inertia is added to one triangle
static void addInertia(const mjModel* m, mjData* d) {
  mjtNum* dense = calloc((size_t)(m->nv * m->nv), sizeof(mjtNum));
  mj_addM(m, d, dense, NULL, NULL, NULL);
  show("inertia", dense, m->nv * m->nv);
  free(dense);
}

// only a model with an implicit integrator can be advanced by it
static void advance(mjModel* m, mjData* d) {
  for (int integrator = mjINT_EULER; integrator <= mjINT_IMPLICITFAST; integrator++) {
    m->opt.integrator = integrator;
    if (setjmp(back)) {
      printf("integrator %d: error\n", integrator);
      continue;
    }
    mj_forward(m, d);
    mj_implicit(m, d);
    show("qpos", d->qpos, m->nq);
  }
}

static void repeatName(void) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  printf("%d", mj_addBufferVFS(&vfs, "nofile.txt", "x", 1));
  printf(" %d\n", mj_addFileVFS(&vfs, "", "nofile.txt"));
  mj_deleteVFS(&vfs);
}

// a tendon around a geom stays behind if its side site, which has no name, cannot be found under prefix and suffix
static void attach(const char* side, const char* prefix, const char* sited) {
  mjSpec* part = mj_parseXMLString(kModel, NULL, NULL, 0);
  mjsTendon* tendon = mjs_addTendon(part, NULL);
  mjs_wrapSite(tendon, "hand");
  mjs_wrapGeom(tendon, "lower", side);
  mjs_wrapSite(tendon, "goal");
  mjSpec* base = mj_makeSpec();
  mjsBody* world = mjs_findBody(base, "world");
  if (sited) mjs_setName(mjs_addSite(world, NULL)->element, sited);
  mjsFrame* frame = mjs_addFrame(world, NULL);
  mjs_attach(frame->element, mjs_findBody(part, "world")->element, prefix, "");
  mjModel* m = mj_compile(base, NULL);
  printf("side '%s' prefix '%s': %d tendons\n", side, prefix, m ? m->ntendon : -1);
  mj_deleteModel(m);
  mj_deleteSpec(base);
  mj_deleteSpec(part);
}

// what a file is, its name says, or else the type that is given
static void parse(void) {
  static const char* const names[] = {"edge.xml", "edge.XML", "edge.mjcf", "edge"};
  static const char* const types[] = {NULL, "", "text/xml", "text/plain"};
  for (int i = 0; i < 4; i++) {
    FILE* file = fopen(names[i], "w");
    fputs(kModel, file);
    fclose(file);
    for (int k = 0; k < 4; k++) {
      mjSpec* volatile s = NULL;
      char error[500] = "";
      if (!setjmp(back)) s = mj_parse(names[i], types[k], NULL, error, sizeof error);
      printf("%s as %s: %d\n", names[i], types[k] ? types[k] : "nothing", s != NULL);
      if (s) mj_deleteSpec(s);
    }
  }
}

int main(void) {
  mju_user_error = goBack;
  mjModel* m = loadText(kModel);
  mjData* d = mj_makeData(m);
  mj_resetDataKeyframe(m, d, 0);
  mj_forward(m, d);
  addInertia(m, d);
  advance(m, d);
  repeatName();
  parse();
  attach("", "", NULL);
  attach("", "p_", NULL);
  attach("", "p_", "p_");
  attach("hand", "p_", NULL);
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
