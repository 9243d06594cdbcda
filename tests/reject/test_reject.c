// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Documents that are accepted or rejected, one a line, with the message that is expected. README.md here says how
// the tables are written; tests/live/test_reject.py asks the reference about the same lines.

#define _GNU_SOURCE
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/test.h"

enum { LINE = 1 << 14, NSLOT = 4 };

static const char* const slots[NSLOT] = {"head", "world", "tail", "document"};

typedef struct {
  char* scene;             // document around the slots
  char with[NSLOT][LINE];  // what the group has in them
  int slot;                // where its lines go, between before and after
  char before[LINE], after[LINE];
  mjVFS vfs;
} Table;

static char* readFile(const char* path, size_t* size) {
  FILE* file = fopen(path, "rb");
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  char* text = calloc(*size + 1, 1);
  if (fread(text, 1, *size, file) != *size) *size = 0;
  fclose(file);
  return text;
}

static int slotOf(const char* name) {
  for (int i = 0; i < NSLOT; i++)
    if (!strncmp(slots[i], name, strlen(slots[i]))) return i;
  return -1;
}

// "at head <asset>@</asset>" begins a group
static void beginGroup(Table* t, const char* line) {
  memset(t->with, 0, sizeof t->with);
  t->slot = slotOf(line + 3);
  const char* wrap = strchr(line + 3, ' ') + 1;
  const char* hole = strchr(wrap, '@');
  CHECK(t->slot >= 0 && hole);
  snprintf(t->before, sizeof t->before, "%.*s", (int)(hole - wrap), wrap);
  snprintf(t->after, sizeof t->after, "%s", hole + 1);
}

// the whole document, on the heap
static char* document(Table* t, const char* snippet) {
  int n = snprintf(t->with[t->slot], LINE, "%s%s%s", t->before, snippet, t->after);
  CHECK(n < LINE);
  if (t->slot == 3) return strdup(t->with[3]);
  size_t size = strlen(t->scene) + NSLOT * (size_t)LINE;
  char* out = calloc(size, 1);
  for (const char* c = t->scene; *c;) {
    int slot = *c == '@' ? slotOf(c + 1) : -1;
    size_t end = strlen(out);
    if (slot < 0) out[end] = *c++;
    else {
      snprintf(out + end, size - end, "%s", t->with[slot]);
      c += 1 + strlen(slots[slot]);
    }
  }
  return out;
}

// "no | message | snippet"
static void checkLine(Table* t, const char* table, int number, char* line) {
  char* message = strstr(line, " | ");
  char* snippet = message ? strstr(message + 3, "| ") : NULL;
  char what[LINE], error[2000] = "";
  if (!snippet) {
    snprintf(what, sizeof what, "%s:%d: not a line of a table", table, number);
    test_check(0, __FILE__, __LINE__, what);
    return;
  }
  *message = 0;
  message += 3;
  if (snippet > message) snippet[-1] = 0;
  else *message = 0;
  snippet += 2;

  char* xml = document(t, snippet);
  mj_addBufferVFS(&t->vfs, "test.xml", xml, (int)strlen(xml));
  mjModel* m = mj_loadXML("test.xml", &t->vfs, error, sizeof error);
  mj_deleteFileVFS(&t->vfs, "test.xml");
  int wanted = !strcmp(line, "ok") || !strcmp(line, "lax") || !strcmp(line, "alone-ok");
  snprintf(what, sizeof what, "%s:%d: %s: expected %s, got %s", table, number, snippet, wanted ? "a model" : message,
           m ? "a model" : error);
  test_check(wanted ? m != NULL : !m && !strcmp(error, message), __FILE__, __LINE__, what);
  mj_deleteModel(m);
  free(xml);
}

static void checkTable(const char* name) {
  char path[1000];
  size_t size;
  Table* t = calloc(1, sizeof *t);
  t->scene = readFile(SHEAF_TEST_DIR "/reject/scene.xml", &size);
  mj_defaultVFS(&t->vfs);
  DIR* dir = opendir(SHEAF_TEST_DIR "/reject/files");
  for (struct dirent* f; dir && (f = readdir(dir));) {
    snprintf(path, sizeof path, SHEAF_TEST_DIR "/reject/files/%s", f->d_name);
    char* content = f->d_name[0] == '.' ? NULL : readFile(path, &size);
    if (content) mj_addBufferVFS(&t->vfs, f->d_name, content, (int)size);
    free(content);
  }
  if (dir) closedir(dir);

  snprintf(path, sizeof path, SHEAF_TEST_DIR "/reject/%s.txt", name);
  FILE* file = fopen(path, "r");
  CHECK(file && dir && t->scene);
  char* line = calloc(LINE, 1);
  for (int number = 1; file && fgets(line, LINE, file); number++) {
    line[strcspn(line, "\n")] = 0;
    int slot;
    if (!line[0] || line[0] == '#') continue;
    if (!strncmp(line, "at ", 3)) beginGroup(t, line);
    else if (!strncmp(line, "with ", 5) && (slot = slotOf(line + 5)) >= 0)
      snprintf(t->with[slot], LINE, "%s", line + 5 + strlen(slots[slot]) + 1);
    else checkLine(t, name, number, line);
  }
  if (file) fclose(file);
  free(line);
  mj_deleteVFS(&t->vfs);
  free(t->scene);
  free(t);
}

TEST(document) { checkTable("document"); }
TEST(place) { checkTable("place"); }
TEST(include) { checkTable("include"); }
TEST(attach) { checkTable("attach"); }
TEST(defaults) { checkTable("default"); }
TEST(compiler) { checkTable("compiler"); }
TEST(settings) { checkTable("settings"); }
TEST(custom) { checkTable("custom"); }
TEST(mesh) { checkTable("mesh"); }
TEST(hfield) { checkTable("hfield"); }
TEST(texture) { checkTable("texture"); }
TEST(skin) { checkTable("skin"); }
TEST(flex) { checkTable("flex"); }
TEST(plugin) { checkTable("plugin"); }
TEST(sdf) { checkTable("sdf"); }
TEST(body) { checkTable("body"); }
TEST(frame) { checkTable("frame"); }
TEST(joint) { checkTable("joint"); }
TEST(geom) { checkTable("geom"); }
TEST(visual) { checkTable("visual"); }
TEST(contact) { checkTable("contact"); }
TEST(equality) { checkTable("equality"); }
TEST(tendon) { checkTable("tendon"); }
TEST(actuator) { checkTable("actuator"); }
TEST(lengthrange) { checkTable("lengthrange"); }
TEST(sensor) { checkTable("sensor"); }
TEST(keyframe) { checkTable("keyframe"); }
