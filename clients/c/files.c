// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Gathers the files of a model from disk: the MJCF or URDF file, the files it includes, the models that it attaches and
// the assets that they name. Looks for them where the compiler does.
//
// A file's name in the model is its path relative to the folder that holds all the files and all folders that paths
// with ".." pass through, so such paths lead to the same files on the server. A file that is referred to by an absolute
// path is sent under its bare lower-case name, which is where the compiler looks last. The compiler reports files that
// do not exist.
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "internal.h"
#include "paths.h"
#include "tags.h"

enum { MAX_FILES = 512 };

typedef struct {
  char* path;  // absolute, simple
  char* name;  // in the model
  void* data;
  size_t size;
  bool bare;  // referred to by an absolute path
} gathered;

typedef struct {
  gathered files[MAX_FILES];
  int nfile;
  char top[PATH_ROOM];  // the folder that holds them
  sheafc_status* st;
} gathering;

// what an element refers to, until all <compiler> elements are known
typedef struct {
  enum { IN_MESHDIR, IN_TEXTUREDIR, MODEL } place;
  char* file;
  char* near;  // the folder of its text
} reference;

// A model file, read with each included file in the place of its <include>. A setting holds from where it stands to the
// end.
typedef struct {
  gathering* g;
  const char* home;  // its folder
  const char* near;  // the folder of the file being read
  char *meshdir, *texturedir, *assetdir;
  bool strip;
  bool robot;  // it is URDF
  reference* references;
  int nreference;
} document;

static void add_document(gathering* g, const char* path);
static void scan(document* d, const gathered* file);

// ---- files

static const gathered* find(const gathering* g, const char* path) {
  for (int i = 0; i < g->nfile; i++) {
    if (!strcmp(g->files[i].path, path)) return &g->files[i];
  }
  return NULL;
}

// take a file that exists; NULL if it is here already, or on failure
static gathered* add_file(gathering* g, const char* path) {
  if (g->st->code || find(g, path)) return NULL;
  if (g->nfile == MAX_FILES) {
    sheafc_fail_field(g->st, "model", "at most 512 files", "more");
    return NULL;
  }
  gathered file = {.path = strdup(path)};
  file.data = path_read(path, &file.size);
  if (!file.path || !file.data) {
    sheafc_fail(g->st, SHEAFC_NOT_FOUND, "%s: %s", path, strerror(errno));
    free(file.path);
    return NULL;
  }
  g->files[g->nfile] = file;
  return &g->files[g->nfile++];
}

// the file of this name in the first folder that has it, if it was not here before
static const gathered* add_first(gathering* g, const char* name, const char* const* folders, int nfolder) {
  char joined[PATH_ROOM], path[PATH_ROOM];
  for (int i = 0; i < nfolder; i++) {
    path_join(joined, folders[i], name);
    path_simplify(path, joined, NULL);
    if (!path_is_file(path)) continue;
    gathered* file = add_file(g, path);
    if (name[0] == '/') {
      if (file) file->bare = true;
    } else {
      path_simplify(path, joined, g->top);
    }
    return file;
  }
  return NULL;
}

// ---- documents

static const char* attribute(const char** list, const char* name) {
  for (; *list; list += 2) {
    if (!strcmp(list[0], name)) return list[1];
  }
  return NULL;
}

static void set_text(char** text, const char* value) {
  if (!value) return;
  free(*text);
  *text = strdup(value);
}

static void set_compiler(document* d, const char** list) {
  const char* strip = attribute(list, "strippath");
  set_text(&d->meshdir, attribute(list, "meshdir"));
  set_text(&d->texturedir, attribute(list, "texturedir"));
  set_text(&d->assetdir, attribute(list, "assetdir"));
  if (strip) d->strip = !strcasecmp(strip, "true");
}

static void refer(document* d, int place, const char* file) {
  if (!file || !file[0]) return;
  reference* more = realloc(d->references, sizeof *more * (size_t)(d->nreference + 1));
  if (!more) {
    sheafc_fail(d->g->st, SHEAFC_RESOURCE_EXHAUSTED, "out of memory");
    return;
  }
  d->references = more;
  more[d->nreference].place = place;
  more[d->nreference].file = strdup(file);
  more[d->nreference++].near = strdup(d->near);
}

// URDF names meshes as "package://...", and the packages are not here: look for the path as it is written, and for the
// bare name in the folder of meshes.
static void refer_robot(document* d, const char* file) {
  if (!file) return;
  char* plain = strdup(file);
  for (char* p = plain; p && *p; p++) {
    if (*p == '\\') *p = '/';
  }
  if (plain) {
    refer(d, IN_MESHDIR, plain);
    refer(d, IN_MESHDIR, path_base(plain));
  }
  free(plain);
}

static void include(document* d, const char* file) {
  const char* folders[] = {d->home, d->near};
  const gathered* included = file ? add_first(d->g, file, folders, 2) : NULL;
  if (included) scan(d, included);
}

static void on_element(void* user, const char* element, const char** list) {
  static const char* const sides[] = {"file", "fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"};
  document* d = user;
  const char* file = attribute(list, "file");
  if (d->g->st->code) return;
  if (!strcasecmp(element, "robot")) {
    d->robot = true;
  } else if (!strcmp(element, "compiler")) {
    set_compiler(d, list);
  } else if (!strcmp(element, "include") && !d->robot) {
    include(d, file);
  } else if (!strcmp(element, "texture")) {
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) refer(d, IN_TEXTUREDIR, attribute(list, sides[i]));
  } else if (!strcmp(element, "mesh") && d->robot && attribute(list, "filename")) {
    refer_robot(d, attribute(list, "filename"));
  } else if (!strcmp(element, "mesh") || !strcmp(element, "hfield") || !strcmp(element, "skin") ||
             !strcmp(element, "flexcomp")) {
    refer(d, IN_MESHDIR, file);
  } else if (!strcmp(element, "model")) {
    refer(d, MODEL, file);
  }
}

static void scan(document* d, const gathered* file) {
  const char* outer = d->near;
  char near[PATH_ROOM];
  path_folder(near, file->path);
  d->near = near;
  if (tags_scan(file->data, file->size, on_element, d))
    sheafc_fail(d->g->st, SHEAFC_RESOURCE_EXHAUSTED, "out of memory");
  d->near = outer;
}

static void add_asset(document* d, const reference* r) {
  const char* own = r->place == IN_MESHDIR ? d->meshdir : d->texturedir;
  const char* folder = own ? own : d->assetdir ? d->assetdir : "";
  const char* file = d->strip ? path_base(r->file) : r->file;
  char inner[PATH_ROOM], beside[PATH_ROOM], name[PATH_ROOM];
  path_join(name, folder[0] == '/' ? folder : "", file);
  path_join(inner, d->home, folder);
  path_join(beside, r->near, folder);
  const char* folders[] = {inner, d->home, beside, r->near};
  add_first(d->g, name, folders, 4);
}

static void add_model(document* d, const char* file) {
  char joined[PATH_ROOM], path[PATH_ROOM];
  path_join(joined, d->home, file);
  path_simplify(path, joined, d->g->top);
  if (path_is_file(path)) add_document(d->g, path);
}

static void add_document(gathering* g, const char* path) {
  char home[PATH_ROOM];
  path_folder(home, path);
  document d = {.g = g, .home = home};
  const gathered* file = add_file(g, path);
  if (file) scan(&d, file);
  for (int i = 0; !g->st->code && i < d.nreference; i++) {
    const reference* r = &d.references[i];
    if (!r->file || !r->near) {
      sheafc_fail(g->st, SHEAFC_RESOURCE_EXHAUSTED, "out of memory");
    } else if (r->place == MODEL) {
      add_model(&d, r->file);
    } else {
      add_asset(&d, r);
    }
  }
  for (int i = 0; i < d.nreference; i++) {
    free(d.references[i].file);
    free(d.references[i].near);
  }
  free(d.references);
  free(d.meshdir);
  free(d.texturedir);
  free(d.assetdir);
}

// ---- names

static char* make_name(const gathering* g, const gathered* file) {
  if (!file->bare) return strdup(file->path + strlen(g->top) + (g->top[1] != 0));
  char* name = strdup(path_base(file->path));
  for (char* p = name; p && *p; p++) *p = (char)tolower((unsigned char)*p);
  return name;
}

static void name_files(gathering* g) {
  char folder[PATH_ROOM];
  for (int i = 0; i < g->nfile; i++) {
    path_folder(folder, g->files[i].path);
    if (!g->files[i].bare) path_widen(g->top, folder);
  }
  for (int i = 0; i < g->nfile && !g->st->code; i++) {
    g->files[i].name = make_name(g, &g->files[i]);
    if (!g->files[i].name) sheafc_fail(g->st, SHEAFC_RESOURCE_EXHAUSTED, "out of memory");
    for (int k = 0; k < i && !g->st->code; k++) {
      if (strcmp(g->files[i].name, g->files[k].name)) continue;
      sheafc_fail_field(g->st, "model", "different names", "%s twice", g->files[i].name);
    }
  }
}

// ---- load

static void free_gathering(gathering* g) {
  for (int i = 0; i < g->nfile; i++) {
    free(g->files[i].path);
    free(g->files[i].name);
    free(g->files[i].data);
  }
  free(g);
}

static int gather(gathering* g, const char* path) {
  char here[PATH_ROOM], joined[PATH_ROOM], simple[PATH_ROOM];
  if (!getcwd(here, sizeof here))
    return sheafc_fail(g->st, SHEAFC_NOT_FOUND, "the current folder: %s", strerror(errno));
  path_join(joined, here, path);
  path_simplify(simple, joined, NULL);
  add_document(g, simple);
  if (!g->st->code) name_files(g);
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
