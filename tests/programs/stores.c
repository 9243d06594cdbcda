// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Models from the program's own store: resource providers.
#include <stdint.h>

#include "program.h"

static const char kMesh[] = "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";

// two rows and three columns of a height field; 4 x 1 pixels of a texture; a skin of three vertices and a bone
static struct {
  int32_t size[2];
  float height[6];
} field = {{2, 3}, {1, 2, 3, 4, 5, 7}};
static struct {
  int32_t size[2];
  unsigned char pixel[12];
} image = {{4, 1}, {1, 2, 3, 4, 5, 6}};
static struct {
  int32_t num[4];
  float vert[9];
  int32_t face[3];
  char bone[40];
  float pose[7];
  int32_t nvert, id[3];
  float weight[3];
} skin = {{3, 0, 1, 1}, {0, 0, 0, 1, 0, 0, 0, 1, 0}, {0, 1, 2}, "b", {0, 0, 0, 1, 0, 0, 0}, 3, {0, 1, 2}, {1, 1, 1}};

#define TEXT(name, text) \
  { name, text, sizeof text - 1 }
#define MODEL(name, text) TEXT(name, "<mujoco>" text "</mujoco>")
#define SHOWN "<worldbody><geom type='mesh' mesh='m'/></worldbody>"
static const struct {
  const char* name;
  const void* data;
  size_t size;
} store[] = {
    MODEL("plain.xml", "<worldbody><geom size='1'/></worldbody>"),
    MODEL("d/plain.xml", "<worldbody><geom size='1'/></worldbody>"),
    MODEL("d/includes.xml", "<include file='part.xml'/><include file='sub/part2.xml'/>"),
    MODEL("d/part.xml", "<worldbody><geom name='part' size='1'/></worldbody>"),
    MODEL("d/sub/part2.xml", "<include file='part3.xml'/>"),
    MODEL("d/sub/part3.xml", "<asset><mesh name='m' file='near.obj'/></asset>" SHOWN),
    MODEL("lacks.xml", "<include file='nothing.xml'/>"),
    MODEL("d/mesh.xml", "<compiler meshdir='m'/><asset><mesh name='m' file='./a.obj'/></asset>" SHOWN),
    MODEL("d/other.xml", "<compiler meshdir='store:m'/><asset><mesh name='m' file='a.obj'/></asset>" SHOWN),
    MODEL("d/whole.xml", "<asset><mesh name='m' file='STORE:m/a.obj' scale='1 1 2'/></asset>" SHOWN),
    MODEL("d/strip.xml", "<compiler strippath='true'/><asset><mesh name='m' file='x/y/b.obj'/></asset>" SHOWN),
    MODEL("d/all.xml",
          "<asset><mesh file='b.obj'/><hfield name='h' file='h.bin' size='1 1 1 1'/>"
          "<texture name='t' type='2d' file='t.raw'/><skin name='s' file='s.skn'/></asset>"
          "<worldbody><body name='b'><geom type='mesh' mesh='b'/></body><geom type='hfield' hfield='h'/></worldbody>"),
    MODEL("d/host.xml",
          "<asset><model name='k' file='sub/kid.xml'/></asset>"
          "<worldbody><attach model='k' body='k' prefix='x'/></worldbody>"),
    MODEL("d/sub/kid.xml",
          "<asset><mesh name='m' file='near.obj'/></asset>"
          "<worldbody><body name='k'><geom type='mesh' mesh='m'/></body></worldbody>"),
    TEXT("d/m/a.obj", kMesh),
    TEXT("m/a.obj", kMesh),
    TEXT("d/b.obj", kMesh),
    TEXT("d/sub/near.obj", kMesh),
    {"d/h.bin", &field, sizeof field},
    {"d/t.raw", &image, sizeof image},
    {"d/s.skn", &skin, sizeof skin},
    MODEL("d/flex.xml", "<worldbody><flexcomp name='f' type='mesh' file='b.obj' dim='2'/></worldbody>"),
    TEXT("empty.xml", ""),
};

static int opened, closed;

static int openStore(mjResource* r) {
  const char* name = strchr(r->name, ':') + 1;
  opened++;
  for (size_t i = 0; i < sizeof store / sizeof *store; i++) {
    if (strcmp(store[i].name, name)) continue;
    r->data = (void*)(store + i);
    return r->provider->data != NULL;
  }
  return 0;
}

static int readStore(mjResource* r, const void** buffer) {
  long i = (const char*)r->data - (const char*)store;
  *buffer = store[i / (long)sizeof *store].data;
  return (int)store[i / (long)sizeof *store].size;
}

static int readNothing(mjResource* r, const void** buffer) {
  (void)r, (void)buffer;
  return -1;
}

static void closeStore(mjResource* r) {
  (void)r;
  closed++;
}

static void dirOfStore(mjResource* r, const char** dir, int* ndir) {
  const char* slash = strrchr(r->name, '/');
  *dir = r->name;
  *ndir = slash ? (int)(slash - r->name) + 1 : (int)strcspn(r->name, ":") + 1;
}

// ---- what it prints

static void showModel(const char* name, const mjModel* m) {
  printf("%s: ", name);
  if (!m) {
    printf("none\n");
    return;
  }
  printf("%d geoms, %d vertices, ", (int)m->ngeom, (int)(m->nmeshvert + m->nflexvert));
  for (int i = 0; i < m->npaths; i++) printf("%c", m->paths[i] ? m->paths[i] : '|');
  printf("\n");
}

static void load(const char* name, const mjVFS* vfs) {
  char error[500] = "";
  mjModel* m = mj_loadXML(name, vfs, error, sizeof error);
  showModel(name, m);
  if (!m && !*error) printf("without a reason\n");
  mj_deleteModel(m);
}

static void registerWrong(void) {
  mjpResourceProvider p;
  mjp_defaultResourceProvider(&p);
  printf("new %d %d %d, count %d\n", p.prefix == NULL, p.open == NULL, p.data == NULL, mjp_resourceProviderCount());
  p.prefix = "store";
  printf("without functions %d", mjp_registerResourceProvider(&p));
  p.open = openStore;
  p.read = readStore;
  p.close = closeStore;
  static const char* const wrong[] = {NULL, "", "1a", "a b", "a:b", "a_b", "a/b", ":"};
  for (int i = 0; i < 8; i++) {
    p.prefix = wrong[i];
    printf(" %d", mjp_registerResourceProvider(&p));
  }
  printf(", warnings %d\n", warned);
}

static void registerRight(void) {
  mjpResourceProvider p = {"store", openStore, readStore, closeStore, dirOfStore, NULL, &opened};
  printf("slots %d", mjp_registerResourceProvider(&p));
  printf(" %d", mjp_registerResourceProvider(&p));
  p.prefix = "STORE";
  printf(" %d", mjp_registerResourceProvider(&p));
  p.prefix = "no-dir.2";
  p.getdir = NULL;
  printf(" %d", mjp_registerResourceProvider(&p));
  p.prefix = "closed";
  p.data = NULL;
  printf(" %d", mjp_registerResourceProvider(&p));
  p.prefix = "unread";
  p.data = &opened;
  p.read = readNothing;
  printf(" %d of %d\n", mjp_registerResourceProvider(&p), mjp_resourceProviderCount());
  p.prefix = "store";
  if (!setjmp(back)) printf("another %d\n", mjp_registerResourceProvider(&p));
  else printf("another is an error\n");
}

static void find(void) {
  static const char* const name[] = {"store:a", "Store:",    "store",       "stores:a", ":a",
                                     "",        "x/store:a", "no-dir.2:/a", NULL};
  for (int i = 0; i < 9; i++) {
    const mjpResourceProvider* p = mjp_getResourceProvider(name[i]);
    printf("%s ", p ? p->prefix : "none");
  }
  for (int i = -1; i < 6; i++) {
    const mjpResourceProvider* p = mjp_getResourceProviderAtSlot(i);
    printf("%d:%s ", i, p ? p->prefix : "none");
  }
  printf("\n");
}

// files of the virtual file system and of the disk beside those of providers
static void mix(void) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "store:plain.xml", "<mujoco/>", 9);
  mj_addBufferVFS(&vfs, "d/b.obj", "none", 4);
  load("store:plain.xml", &vfs);
  load("store:d/strip.xml", &vfs);
  mj_deleteVFS(&vfs);

  FILE* f = fopen("disk.xml", "w");
  fprintf(f,
          "<mujoco><include file='store:d/part.xml'/><compiler meshdir='store:m'/>"
          "<asset><mesh name='m' file='a.obj'/></asset>" SHOWN "</mujoco>");
  fclose(f);
  load("disk.xml", NULL);

  mjSpec* s = mj_makeSpec();
  mjs_setString(mjs_addMesh(s, NULL)->file, "store:m/a.obj");
  mjsGeom* g = mjs_addGeom(mjs_findBody(s, "world"), NULL);
  g->type = mjGEOM_MESH;
  mjs_setString(g->meshname, "a");
  mjModel* m = mj_compile(s, NULL);
  showModel("specification", m);
  printf("named %s\n", m ? mj_id2name(m, mjOBJ_MESH, 0) : "");
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

int main(void) {
  mju_user_warning = countWarning;
  mju_user_error = goBack;
  registerWrong();
  registerRight();
  find();
  static const char* const name[] = {
      "store:plain.xml",  "no-dir.2:plain.xml",  "store:none.xml",       "closed:plain.xml",        "unread:plain.xml",
      "none:plain.xml",   "store:empty.xml",     "store:d/includes.xml", "no-dir.2:d/includes.xml", "store:lacks.xml",
      "store:d/mesh.xml", "no-dir.2:d/mesh.xml", "store:d/other.xml",    "store:d/whole.xml",       "store:d/strip.xml",
      "store:d/all.xml",  "store:d/host.xml",    "store:d/flex.xml",
  };
  for (size_t i = 0; i < sizeof name / sizeof *name; i++) load(name[i], NULL);
  mix();
  warned = 0;
  mjModel* m = mj_loadModel("store:none.mjb", NULL);
  printf("compiled %d, warned %d\n", m != NULL, warned);
  printf("all closed %d\n", opened == closed);
  return 0;
}
