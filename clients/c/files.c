// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Gathers the files of a model from disk: the MJCF or URDF file, what it includes and the assets that it names.
//
// Names are paths relative to the folder of the main file. A file outside that folder is sent under its bare lower-case
// name, which is where the compiler looks last.
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <expat.h>

#include "internal.h"

enum { MAX_FILES = 512, MAX_PATH = 1024 };

typedef struct {
  char* name;                  // in the model
  void* data;
  size_t size;
} gathered;

// an asset, until all <compiler> elements are known
typedef struct {
  enum { IN_MESHDIR, IN_TEXTUREDIR, IN_MAIN, IN_ROBOT } place;
  char* file;
} reference;

typedef struct {
  char folder[MAX_PATH];       // of the main file, with the slash at the end
  gathered files[MAX_FILES];
  int nfile;
  reference references[MAX_FILES];
  int nreference;
  char meshdir[MAX_PATH], texturedir[MAX_PATH];
  bool strip;
  bool robot;                  // the file being read is URDF
  const char* current;         // its name
  sheafc_status* st;
} gathering;

static int read_xml(gathering* g, const char* name, const gathered* file);

// ---- paths

// "./a/../b//c" to "b/c"; a leading ".." stays
static void normalize(char out[MAX_PATH], const char* path) {
  char copy[MAX_PATH];
  size_t n = 0;
  snprintf(copy, sizeof copy, "%s", path);
  bool absolute = copy[0] == '/';
  if (absolute) out[n++] = '/';
  out[n] = 0;
  char* rest = NULL;
  for (char* part = strtok_r(copy, "/\\", &rest); part; part = strtok_r(NULL, "/\\", &rest)) {
    char* slash = strrchr(out, '/');
    char* last = slash ? slash + 1 : out;
    if (!strcmp(part, ".")) continue;
    if (!strcmp(part, "..") && *last && strcmp(last, "..")) {
      *(slash && slash > out ? slash : last) = 0;
      continue;
    }
    n = strlen(out);
    snprintf(out + n, MAX_PATH - n, "%s%s", n && out[n - 1] != '/' ? "/" : "", part);
  }
}

// the path with its last part cut off, slash included
static void folder_of(char out[MAX_PATH], const char* path) {
  snprintf(out, MAX_PATH, "%s", path);
  char* slash = strrchr(out, '/');
  if (slash) {
    slash[1] = 0;
  } else {
    out[0] = 0;
  }
}

// a, then b unless b is absolute
static void join(char out[MAX_PATH], const char* a, const char* b) {
  size_t n = strlen(a);
  bool slash = n && a[n - 1] != '/';
  int wrote = b[0] == '/' ? snprintf(out, MAX_PATH, "%s", b) : snprintf(out, MAX_PATH, "%s%s%s", a, slash ? "/" : "", b);
  if (wrote >= MAX_PATH) out[0] = 0;
}

// the name under which the model gets a file
static void model_name(char out[MAX_PATH], const char* path) {
  normalize(out, path);
  if (!sheaf_manifest_check_name(out)) return;
  char* base = strrchr(out, '/');
  if (base) memmove(out, base + 1, strlen(base));
  for (char* p = out; *p; p++) *p = (char)tolower((unsigned char)*p);
}

// ---- files

static void* read_file(const char* path, size_t* size) {
  FILE* file = fopen(path, "rb");
  if (!file) return NULL;
  char* data = NULL;
  size_t room = 1 << 16, n = 0, got;
  do {
    room *= 2;
    char* larger = realloc(data, room);
    if (!larger) break;
    data = larger;
    got = fread(data + n, 1, room - n, file);
    n += got;
  } while (n == room);
  bool ok = !ferror(file) && n < room;
  fclose(file);
  if (!ok) {
    free(data);
    return NULL;
  }
  *size = n;
  return data;
}

static bool known(const gathering* g, const char* name) {
  for (int i = 0; i < g->nfile; i++) {
    if (!strcmp(g->files[i].name, name)) return true;
  }
  return false;
}

// read a file that the model calls `path`, relative to the main folder. NULL if it is there already or cannot be read
static const gathered* add_file(gathering* g, const char* path) {
  char where[MAX_PATH], name[MAX_PATH];
  join(where, g->folder, path);
  model_name(name, path);
  if (known(g, name)) return NULL;
  size_t size;
  void* data = read_file(where, &size);
  if (!data) {
    sheafc_fail(g->st, SHEAFC_NOT_FOUND, "%s: %s", where, strerror(errno));
    return NULL;
  }
  if (g->nfile == MAX_FILES) {
    sheafc_fail_field(g->st, "model", "at most 512 files", "more");
    free(data);
    return NULL;
  }
  gathered* file = &g->files[g->nfile++];
  *file = (gathered){strdup(name), data, size};
  return file;
}

// ---- XML

static const char* attribute(const char** list, const char* name) {
  for (; *list; list += 2) {
    if (!strcmp(list[0], name)) return list[1];
  }
  return NULL;
}

static void set_compiler(gathering* g, const char** list) {
  const char* both = attribute(list, "assetdir");
  const char* mesh = attribute(list, "meshdir");
  const char* texture = attribute(list, "texturedir");
  const char* strip = attribute(list, "strippath");
  if (mesh || both) snprintf(g->meshdir, MAX_PATH, "%s", mesh ? mesh : both);
  if (texture || both) snprintf(g->texturedir, MAX_PATH, "%s", texture ? texture : both);
  if (strip) g->strip = !strcmp(strip, "true");
}

static void include(gathering* g, const char* file) {
  char path[MAX_PATH], folder[MAX_PATH], where[MAX_PATH];
  normalize(path, file);
  join(where, g->folder, path);
  FILE* there = fopen(where, "rb");
  if (there) {
    fclose(there);
  } else {
    // not beside the main file: beside the file that includes it
    folder_of(folder, g->current);
    join(where, folder, file);
    normalize(path, where);
  }
  const gathered* added = add_file(g, path);
  if (added) read_xml(g, path, added);
}

static void refer(gathering* g, int place, const char* file) {
  if (!file || g->nreference == MAX_FILES) return;
  g->references[g->nreference].place = place;
  g->references[g->nreference++].file = strdup(file);
}

static void on_element(void* user, const char* element, const char** list) {
  static const char* const sides[] = {"file", "fileright", "fileleft", "fileup", "filedown", "filefront",
                                      "fileback"};
  gathering* g = user;
  const char* file = attribute(list, "file");
  if (g->st->code) return;
  if (!strcasecmp(element, "robot")) g->robot = true;
  if (!strcmp(element, "compiler")) {
    set_compiler(g, list);
  } else if (g->robot) {
    if (!strcmp(element, "mesh")) refer(g, IN_ROBOT, attribute(list, "filename"));
  } else if (!strcmp(element, "include")) {
    if (file) include(g, file);
  } else if (!strcmp(element, "texture")) {
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) refer(g, IN_TEXTUREDIR, attribute(list, sides[i]));
  } else if (!strcmp(element, "mesh") || !strcmp(element, "hfield") || !strcmp(element, "skin") ||
             !strcmp(element, "flexcomp")) {
    refer(g, IN_MESHDIR, file);
  } else if (!strcmp(element, "model")) {
    refer(g, IN_MAIN, file);
  }
}

// look for references in a file. What is wrong with it the compiler will tell
static int read_xml(gathering* g, const char* name, const gathered* file) {
  const char* outer = g->current;
  bool robot = g->robot;
  XML_Parser parser = XML_ParserCreate(NULL);
  if (!parser) return sheafc_fail(g->st, SHEAFC_RESOURCE_EXHAUSTED, "out of memory");
  g->current = name;
  g->robot = false;
  XML_SetUserData(parser, g);
  XML_SetStartElementHandler(parser, on_element);
  XML_Parse(parser, file->data, (int)file->size, 1);
  XML_ParserFree(parser);
  g->current = outer;
  g->robot = robot;
  return g->st->code;
}

static void add_if_there(gathering* g, const char* file) {
  char path[MAX_PATH], where[MAX_PATH];
  join(path, g->meshdir, file);
  join(where, g->folder, path);
  FILE* there = fopen(where, "rb");
  if (!there) return;
  fclose(there);
  add_file(g, path);
}

// A robot names meshes by packages that are not here; the compiler looks for the bare name, unless strippath says
// otherwise. What is only seen need not be there.
static void add_robot_mesh(gathering* g, char* file) {
  for (char* p = file; *p; p++) {
    if (*p == '\\') *p = '/';
  }
  const char* slash = strrchr(file, '/');
  add_if_there(g, file);
  if (slash && slash[1]) add_if_there(g, slash + 1);
}

static void add_reference(gathering* g, const reference* r) {
  const char* file = r->file;
  char path[MAX_PATH];
  if (r->place == IN_ROBOT) {
    add_robot_mesh(g, r->file);
    return;
  }
  const char* slash = strrchr(file, '/');
  if (g->strip && slash) file = slash + 1;
  join(path, r->place == IN_MESHDIR ? g->meshdir : r->place == IN_TEXTUREDIR ? g->texturedir : "", file);
  const gathered* added = add_file(g, path);
  if (added && r->place == IN_MAIN) read_xml(g, path, added);
}

// ---- load

static void free_gathering(gathering* g) {
  for (int i = 0; i < g->nfile; i++) {
    free(g->files[i].name);
    free(g->files[i].data);
  }
  for (int i = 0; i < g->nreference; i++) free(g->references[i].file);
  free(g);
}

static int gather(gathering* g, const char* path) {
  const char* base = strrchr(path, '/');
  folder_of(g->folder, path);
  const gathered* main = add_file(g, base ? base + 1 : path);
  if (main) read_xml(g, main->name, main);

  // the list may grow while models that are attached are read
  for (int i = 0; !g->st->code && i < g->nreference; i++) add_reference(g, &g->references[i]);
  return g->st->code;
}

sheafc_model* sheafc_load(sheafc* c, const char* path, sheafc_status* st) {
  memset(st, 0, sizeof *st);
  gathering* g = calloc(1, sizeof *g);
  sheafc_file* files = calloc(MAX_FILES, sizeof *files);
  sheafc_model* m = NULL;
  if (!g || !files) {
    sheafc_fail(st, SHEAFC_RESOURCE_EXHAUSTED, "out of memory");
  } else {
    g->st = st;
    if (!gather(g, path)) {
      for (int i = 0; i < g->nfile; i++) files[i] = (sheafc_file){g->files[i].name, g->files[i].data, g->files[i].size};
      m = sheafc_load_files(c, g->files[0].name, files, g->nfile, st);
    }
  }
  if (g) free_gathering(g);
  free(files);
  return m;
}
