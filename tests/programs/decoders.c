// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Models in formats of the program's own: decoders.
#include "program.h"

static char calls[500];

static void note(const char* what, const char* name) {
  size_t n = strlen(calls);
  snprintf(calls + n, sizeof calls - n, " %s(%s)", what, name);
}

static int can(const mjResource* r) {
  note("can", r->name);
  return !strstr(r->name, "bad");
}

// a body with as many spheres as the file has letters
static mjSpec* decode(const mjResource* r) {
  const void* text;
  note("decode", r->name);
  if (strstr(r->name, "fails")) return NULL;
  int n = r->provider->read((mjResource*)r, &text);
  mjSpec* s = mj_makeSpec();
  mjsBody* body = mjs_addBody(mjs_findBody(s, "world"), NULL);
  mjs_setName(body->element, "decoded");
  for (int i = 0; i < n; i++) mjs_addGeom(body, NULL)->size[0] = 1;
  return s;
}

static mjSpec* decodeOther(const mjResource* r) {
  note("other", r->name);
  return mj_makeSpec();
}

// a file without a decoder is an error here or a failure there
static void parse(const char* name, const char* type, const mjVFS* vfs) {
  char error[500] = "";
  *calls = 0;
  mjSpec* volatile s = NULL;
  if (!setjmp(back)) s = mj_parse(name, type, vfs, error, sizeof error);
  mjModel* m = s ? mj_compile(s, NULL) : NULL;
  printf("%s %s: %d%s\n", name, type ? type : "", m ? (int)m->ngeom : -1, calls);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

static void attach(const char* file, const mjVFS* vfs) {
  char text[300], error[500] = "";
  snprintf(text, sizeof text,
           "<mujoco><asset><model name='k' file=%s/></asset><worldbody><attach model='k' body='decoded' prefix='x'/>"
           "</worldbody></mujoco>",
           file);
  *calls = 0;
  mjSpec* volatile s = NULL;
  if (!setjmp(back)) s = mj_parseXMLString(text, vfs, error, sizeof error);
  mjModel* m = s ? mj_compile(s, vfs) : NULL;
  printf("%s: %d %s%s\n", file, m ? (int)m->ngeom : -1, m ? mj_id2name(m, mjOBJ_BODY, 1) : "", calls);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

static void find(const char* name, const char* type) {
  mjResource r = {.name = (char*)name};
  const mjpDecoder* d = mjp_findDecoder(&r, type);
  printf("find %s %s: %s\n", name, type, !d ? "none" : d->decode == decode ? "foo" : "bar");
}

int main(void) {
  mju_user_warning = countWarning;
  mju_user_error = goBack;
  mjpDecoder d;
  mjp_defaultDecoder(&d);
  printf("new %d %d %d\n", d.content_type == NULL, d.extension == NULL, d.decode == NULL);
  d = (mjpDecoder){.content_type = "model/foo", .extension = ".foo", .decode = decode};
  mjp_registerDecoder(&d);
  printf("warned %d\n", warned);
  d.can_decode = can;
  mjp_registerDecoder(&d);
  d = (mjpDecoder){"model/bar", ".bar", can, decodeOther};
  mjp_registerDecoder(&d);

  find("x.foo", "");
  find("x.FOO", "");
  find("x.obj", "");
  find("x.bar", "Model/FOO");
  find("x.foo", "model/none");
  find("bad.foo", "model/bar");

  mjVFS vfs;
  mj_defaultVFS(&vfs);
  static const char* const name[] = {"x.foo", "bad.foo", "fails.foo", "x.bar", "x.xml", "x"};
  for (int i = 0; i < 6; i++) mj_addBufferVFS(&vfs, name[i], "<mujoco/>", 9);
  for (int i = 0; i < 6; i++) parse(name[i], NULL, &vfs);
  parse("x.bar", "model/foo", &vfs);
  parse("x.foo", "model/bar", &vfs);
  parse("x.foo", "model/none", &vfs);
  parse("x.xml", "model/foo", &vfs);
  parse("x", "text/xml", &vfs);
  attach("'x.foo'", &vfs);
  attach("'x' content_type='model/foo'", &vfs);
  attach("'bad.foo'", &vfs);
  attach("'fails.foo'", &vfs);
  mj_deleteVFS(&vfs);
  return 0;
}
