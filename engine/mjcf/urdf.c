// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A URDF document: a list of links and a list of joints, each of which hangs one link on another. Links
// that hang on none stand in the world; the link "world" is the world itself. Bodies are made from there
// down, then filled in the order of the document.

#include <string.h>
#include <strings.h>

#include "mjcf/urdf.h"

typedef struct {
  const mjiXML* elem;
  mjsBody* body;          // the world has one, the others are given one
  int parent;             // link above; -1: none
  int first, last, next;  // links below, in the order of their joints; -1: no more
} Link;

typedef struct {
  Link* link;
  int nlink;
} Tree;

int mji_urdfIs(const mjiXML* root) { return !strcasecmp(root->name, "robot"); }

// ---- settings

static void readSettings(mjiURDF* u, const mjiXML* root) {
  mjSpec* spec = u->r->spec;
  const char* name = mji_xmlAttr(root, "name");
  if (name) mjs_setString(spec->modelname, name);
  spec->strippath = 1;
  spec->compiler.fusestatic = 1;
  spec->compiler.discardvisual = 1;

  // an element <mujoco> may hold three sections of MJCF
  static const struct {
    const char *name, *child;
    void (*read)(mjiReader* r, const mjiXML* section);
  } sections[] = {
      {"compiler", "lengthrange", mji_readCompiler},
      {"option", "flag", mji_readOption},
      {"size", "", mji_readSize},
  };
  const mjiXML* own = mji_urdfChild(u, root, "mujoco", 0);
  for (int i = 0; own && i < 3; i++) {
    const mjiXML* section = mji_urdfChild(u, own, sections[i].name, 0);
    if (!section) continue;
    mji_urdfChild(u, section, sections[i].child, 0);
    sections[i].read(u->r, section);
  }

  // angles of URDF are radians whatever the section says
  spec->compiler.degree = 0;
}

// ---- links and joints

static int countChildren(const mjiXML* elem, const char* name) {
  int n = 0;
  for (const mjiXML* c = mji_xmlChild(elem, name); c; c = mji_xmlNext(c)) n++;
  return n;
}

static void findLinks(mjiURDF* u, const mjiXML* root, Tree* t) {
  int n = countChildren(root, "link");
  mji_namesMake(&u->link, u->r, root, n);
  t->link = mji_readAlloc(u->r, root, (size_t)n * sizeof *t->link);
  for (const mjiXML* c = mji_xmlChild(root, "link"); c; c = mji_xmlNext(c)) {
    const char* name = mji_urdfText(u, c, "name");
    if (mji_namesFind(&u->link, name)) mji_readFail(u->r, c, "the name '%s' is used by another link", name);
    mji_namesAdd(&u->link, name, t->nlink);
    mjsBody* world = strcmp(name, "world") ? NULL : mjs_findBody(u->r->spec, "world");
    if (world) mji_readLine(u->r, c, world->info);
    t->link[t->nlink++] = (Link){c, world, -1, -1, -1, -1};
  }
}

// number of the link that a joint names
static int endOf(mjiURDF* u, const mjiXML* joint, const char* end) {
  const mjiXML* elem = mji_urdfChild(u, joint, end, 1);
  const char* name = mji_urdfText(u, elem, "link");
  const int* link = mji_namesFind(&u->link, name);
  if (!link) mji_readFail(u->r, elem, "there is no link '%s'", name);
  return *link;
}

static void hangLinks(mjiURDF* u, const mjiXML* root, Tree* t) {
  for (const mjiXML* c = mji_xmlChild(root, "joint"); c; c = mji_xmlNext(c)) {
    int above = endOf(u, c, "parent"), below = endOf(u, c, "child");
    Link *parent = t->link + above, *child = t->link + below;
    if (child->parent >= 0)
      mji_readFail(u->r, c, "link '%s' is the child of another joint", mji_xmlAttr(child->elem, "name"));
    child->parent = above;
    if (parent->last >= 0) t->link[parent->last].next = below;
    else parent->first = below;
    parent->last = below;
  }
}

// ---- bodies

static void addBodies(mjiURDF* u, Tree* t, int i, mjsBody* above, int depth) {
  mjiReader* r = u->r;
  Link* link = t->link + i;
  if (link->body) depth = 0;
  if (depth > mjiMAX_LINKDEPTH) mji_readFail(r, link->elem, "more than %d links hang on each other", mjiMAX_LINKDEPTH);
  if (!link->body) {
    link->body = mjs_addBody(above, mjs_getSpecDefault(r->spec));
    mji_readIdentity(r, link->elem, link->body->element, link->body->info);
  }
  for (int k = link->first; k >= 0; k = t->link[k].next) addBodies(u, t, k, link->body, depth + 1);
}

void mji_urdfRead(mjiReader* r, const mjiXML* root) {
  mjiURDF urdf = {.r = r}, *u = &urdf;
  Tree tree = {NULL, 0}, *t = &tree;
  readSettings(u, root);
  mji_urdfAssets(u, root);
  findLinks(u, root, t);
  hangLinks(u, root, t);
  mjsBody* world = mjs_findBody(r->spec, "world");
  for (int i = 0; i < t->nlink; i++)
    if (t->link[i].parent < 0) addBodies(u, t, i, world, 1);

  for (int i = 0; i < t->nlink; i++) {
    const Link* link = t->link + i;
    if (!link->body) mji_readFail(r, link->elem, "joints lead from this link back to itself or to such links");
    mji_urdfLink(u, link->elem, link->body);
  }
  for (const mjiXML* c = mji_xmlChild(root, "joint"); c; c = mji_xmlNext(c))
    mji_urdfJoint(u, c, t->link[endOf(u, c, "child")].body);
}
