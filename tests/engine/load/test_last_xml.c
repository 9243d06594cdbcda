// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What a caller's buffer holds after a failure: as much of the reason as fits, ended by a zero, and nothing behind it.

#include <stdio.h>
#include <string.h>

#include "support/test.h"

enum { LONG = 3000, GUARD = 16 };

static char document[LONG + 200], name[LONG + 10];

// a document with a word of LONG letters at %s, in a file with a name of n letters
static void makeDocument(const char* format, int n) {
  static char word[LONG + 1];
  memset(word, 'x', LONG);
  snprintf(document, sizeof document, format, word);
  snprintf(name, sizeof name, "%.*s.xml", n, word);
}

// zero, as it must be, and the reason in the buffer
typedef int (*Failing)(const mjVFS* vfs, char* error, int size);

static int load(const mjVFS* vfs, char* error, int size) { return mj_loadXML(name, vfs, error, size) != NULL; }

static int parseFile(const mjVFS* vfs, char* error, int size) { return mj_parseXML(name, vfs, error, size) != NULL; }

static int parseAny(const mjVFS* vfs, char* error, int size) { return mj_parse(name, NULL, vfs, error, size) != NULL; }

static int parseOther(const mjVFS* vfs, char* error, int size) {
  return mj_parse(name, "text/x", vfs, error, size) != NULL;
}

static int parseText(const mjVFS* vfs, char* error, int size) {
  return mj_parseXMLString(document, vfs, error, size) != NULL;
}

// length of the whole reason; each smaller buffer holds its beginning
static size_t checkSizes(const mjVFS* vfs, Failing fails) {
  static const int sizes[] = {1024, 1023, 1002, 1001, 1000, 100, 2, 1};
  static char whole[2 * LONG];
  CHECK(!fails(vfs, whole, sizeof whole));
  size_t n = strlen(whole);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    char part[1024 + GUARD], guard[GUARD];
    size_t size = (size_t)sizes[i], want = n < size ? n : size - 1;
    memset(part, '#', sizeof part);
    memset(guard, '#', sizeof guard);
    CHECK(!fails(vfs, part, sizes[i]));
    CHECK_EQ(strnlen(part, sizeof part), want);
    CHECK_EQ(memcmp(part, whole, want), 0);
    CHECK_EQ(memcmp(part + size, guard, sizeof guard), 0);
  }

  // without a buffer
  char untouched = '#';
  CHECK(!fails(vfs, NULL, 1024) && !fails(vfs, &untouched, 0));
  CHECK_EQ(untouched, '#');
  return n;
}

static size_t checkDocument(Failing fails) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  CHECK_EQ(mj_addBufferVFS(&vfs, name, document, (int)strlen(document)), 0);
  size_t n = checkSizes(&vfs, fails);
  mj_deleteVFS(&vfs);
  return n;
}

TEST(reasons_of_files_fill_a_buffer_to_its_last_character) {
  makeDocument("%s", LONG);
  static const Failing calls[] = {load, parseFile, parseAny, parseOther};
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) CHECK(checkSizes(NULL, calls[i]) > 1023);
}

TEST(reasons_of_documents_fill_a_buffer_to_its_last_character) {
  makeDocument("<mujoco><worldbody><geom size='1' class='%s'/></worldbody></mujoco>", 700);
  static const Failing calls[] = {load, parseFile, parseAny};
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) CHECK(checkDocument(calls[i]) > 1023);

  // a text has no long name, and what it says of the document is shorter
  CHECK(checkSizes(NULL, parseText) > 500);
}

TEST(reasons_of_compilation_are_cut_at_the_end_of_a_buffer) {
  makeDocument("<mujoco><worldbody><geom name='g' size='1' material='%s'/></worldbody></mujoco>", 300);
  CHECK(checkDocument(load) > 300);
}

TEST(reasons_of_saving_are_cut_at_the_end_of_a_buffer) {
  mjSpec* s = mj_makeSpec();
  mjModel* m = mj_compile(s, NULL);
  char xml[4], error[] = "##########";
  CHECK(m && mj_saveXMLString(s, xml, sizeof xml, error, 6) > 0);
  CHECK_EQ(strcmp(error, "the b"), 0);
  CHECK_EQ(strcmp(error + 6, "####"), 0);
  memset(error, '#', 10);
  CHECK(mj_saveXML(s, NULL, error, 6) != 0);
  CHECK_EQ(strcmp(error, "there"), 0);
  CHECK_EQ(strcmp(error + 6, "####"), 0);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}
