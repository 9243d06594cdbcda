// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Short texts that ask for much memory or time. Each is compiled by a process of its own, which may have
// little of both.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/test.h"

enum { ROOM = 64 << 20, SECONDS = 5, TEXT = 4000 };

static const struct {
  const char* xml;
  const char* expect;
} bombs[] = {
    {"<worldbody><replicate count='1000'><replicate count='1000'><replicate count='1000'><site/>"
     "</replicate></replicate></replicate></worldbody>",
     "would make more"},
    {"<worldbody><replicate count='1000'><replicate count='1000'><replicate count='1000'>"
     "</replicate></replicate></replicate></worldbody>",
     "would make more"},
    {"<worldbody><replicate count='200000'><site/></replicate></worldbody>", "would make more"},
    {"<worldbody><replicate count='2000000000'><site/></replicate></worldbody>", "would make more"},
    {"<worldbody><composite prefix='c' type='cable' count='100000000 1 1' size='1'><joint kind='main'/>"
     "<geom type='capsule' size='.01'/></composite></worldbody>",
     "points"},
    {"<worldbody><flexcomp name='f' type='grid' count='10000 10000 100' spacing='.1 .1 .1'/></worldbody>", "points"},
    {"<size nuser_site='1000000'/><worldbody><replicate count='1000'><site/></replicate></worldbody>", "megabytes"},
    {"<size nuser_body='1000000'/><worldbody><replicate count='100'><body/></replicate></worldbody>", "megabytes"},
    {"<size nkey='1000000'/><worldbody><replicate count='100'><body><freejoint/><geom size='1'/></body>"
     "</replicate></worldbody>",
     "megabytes"},
    {"<size nkey='2000000000'/>", "nkey"},
    {"<size nuserdata='2000000000'/>", "nuserdata"},
    {"<size nuser_geom='2000000000'/><worldbody><geom size='1'/></worldbody>", "nuser_geom"},
    {"<size memory='900T'/>", "memory"},
    {"<size njmax='2000000000'/>", "njmax"},
    {"<size nconmax='2000000000'/>", "nconmax"},
    {"<sensor><user dim='2000000000'/><user dim='2000000000'/></sensor>", "nsensordata"},
    {"<sensor><user dim='100000000'/></sensor>", "megabytes"},
    {"<worldbody><geom name='g' size='1'/></worldbody><sensor><contact geom1='g' num='2000000000'/></sensor>", ""},
    {"<worldbody><body><joint name='j'/><geom size='1'/></body></worldbody><actuator>"
     "<general joint='j' dyntype='user' actdim='90000000'/></actuator>",
     "megabytes"},
    {"<custom><numeric name='n' size='2000000000'/></custom>", "size"},
    {"<asset><hfield name='h' nrow='40000' ncol='40000' size='1 1 1 1'/></asset>", "height field"},
    {"<asset><texture name='t' type='2d' builtin='flat' width='32000' height='32000'/></asset>", "too large"},
    {"<asset><texture name='t' type='cube' builtin='flat' width='20000'/></asset>", "too large"},
    {"<asset><mesh name='m' builtin='sphere' params='30'/></asset>", ""},
    {"<asset><mesh name='m' builtin='supertorus' params='100000 .1 1 1'/></asset>", ""},
    {"<asset><model name='a' file='test.xml'/></asset>", "models"},
    {"<include file='test.xml'/>", "included"},
#if !SANITIZED  // these take too long, or there is no limit of memory
    {"<size nstack='2000000000'/>", "memory"},
    {"<compiler><lengthrange inttotal='1e9' interval='1e8' timestep='1e-9'/></compiler><worldbody><body>"
     "<joint name='j'/><geom size='1'/></body></worldbody><actuator><muscle joint='j'/></actuator>",
     "length range"},
#endif
};

// bytes of address space in use
static rlim_t usedBytes(void) {
  long pages = 0;
  FILE* file = fopen("/proc/self/statm", "r");
  if (file && fscanf(file, "%ld", &pages) != 1) pages = 0;
  if (file) fclose(file);
  return (rlim_t)(pages * sysconf(_SC_PAGESIZE));
}

static void limit(__rlimit_resource_t resource, rlim_t value) {
  struct rlimit l = {value, value};
  setrlimit(resource, &l);
}

static void onError(const char* text) {
  printf("engine error: %s\n", text);
  fflush(stdout);
  _exit(4);
}

// in the child: 0 if it is refused for the reason given
static int refuses(const char* xml, const char* expect) {
  mjVFS vfs;
  char error[500];
  mju_user_error = onError;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "test.xml", xml, (int)strlen(xml));
  if (!SANITIZED) limit(RLIMIT_AS, usedBytes() + ROOM);
  limit(RLIMIT_CPU, SECONDS);
  if (mj_loadXML("test.xml", &vfs, error, sizeof error)) return 2;
  if (strstr(error, expect) && *error) return 0;
  printf("%s\n", error);
  fflush(stdout);
  return 3;
}

TEST(short_texts_cannot_ask_for_much) {
  if (test_emulated()) {
    test_skip("an emulator has other times and memory");
    return;
  }
  for (size_t i = 0; i < sizeof bombs / sizeof *bombs; i++) {
    char xml[TEXT];
    snprintf(xml, sizeof xml, "<mujoco>%s</mujoco>", bombs[i].xml);
    fflush(stdout);
    pid_t child = fork();
    if (!child) _exit(refuses(xml, bombs[i].expect));
    int status = -1;
    waitpid(child, &status, 0);
    if (status) printf("%s\n", xml);
    CHECK_EQ(status, 0);
  }
}
