// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What beside the tree comes along with copies of a part. J is copied, as J0 and J1; the first copy
// of Y would have the name of Y0. Expected: the same documents on MuJoCo 3.4.0, see tests/live/test_parts.py.

#include <stdio.h>
#include <string.h>

#include "support/test.h"

static void addPart(char* xml, size_t size, const char* name) {
  size_t n = strlen(xml);
  snprintf(xml + n, size - n,
           "<body name='%s'><joint name='%s'/><geom name='%s' size='.1'/><site name='%s' pos='0 0 .3'/></body>", name,
           name, name, name);
}

static mjModel* replicate(const char* links) {
  char xml[4000] = "<mujoco><worldbody>", error[500] = "";
  addPart(xml, sizeof xml, "X");
  addPart(xml, sizeof xml, "Y");
  addPart(xml, sizeof xml, "Y0");
  strcat(xml, "<replicate count='2'>");
  addPart(xml, sizeof xml, "J");
  strcat(strcat(strcat(xml, "</replicate></worldbody>"), links), "</mujoco>");
  mjSpec* s = mj_parseXMLString(xml, NULL, error, sizeof error);
  CHECK_TEXT(error, "");
  mjModel* m = s ? mj_compile(s, NULL) : NULL;
  mj_deleteSpec(s);
  return m;
}

#define EQUALITY(a, b) "<equality><joint joint1='" a "' joint2='" b "'/></equality>"
#define EXCLUDE(a, b) "<contact><exclude body1='" a "' body2='" b "'/></contact>"
#define CRANK(a, b) "<actuator><general cranksite='" a "' slidersite='" b "' cranklength='1'/></actuator>"
#define PATH(a, b) "<tendon><spatial><site site='X'/><geom geom='" a "'/><site site='" b "'/></spatial></tendon>"
#define TUPLE(a, b)                                                                                      \
  "<custom><tuple name='t'><element objtype='body' objname='" a "'/><element objtype='geom' objname='" b \
  "'/></tuple></custom>"
#define SKIN(a)                                                              \
  "<deformable><skin face='0 1 2' vertex='0 0 0 1 0 0 0 1 0'><bone body='" a \
  "' bindpos='0 0 0' bindquat='1 0 0 0' vertid='0 1 2' vertweight='1 1 1'/></skin></deformable>"

TEST(links_come_along_with_copies) {
  // number: how many there are; -1: the model is refused
  static const struct {
    const char* links;
    int number;
  } rows[] = {
      {EQUALITY("J", "X"), 0}, {EQUALITY("J", "Y"), 1},       {EQUALITY("X", "Y"), 1},      {EQUALITY("J", "J"), -1},
      {EXCLUDE("J", "X"), 2},  {EXCLUDE("J", "Y"), 2},        {EXCLUDE("X", "Y"), 2},       {EXCLUDE("J", "world"), 2},
      {CRANK("J", "X"), 0},    {CRANK("J", "Y"), 1},          {CRANK("Y", "Y"), 2},         {CRANK("J", "J"), 2},
      {PATH("J", "J"), 2},     {PATH("Y", "J"), 2},           {PATH("Y", "X"), 1},          {PATH("X", "Y"), 2},
      {TUPLE("X", "Y"), 1},    {TUPLE("Y", "Y"), 2},          {TUPLE("J", "Y"), -1},        {SKIN("J"), -1},
      {SKIN("Y"), 1},          {EQUALITY("J", "nobody"), -1}, {EXCLUDE("J", "nobody"), -1},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    mjModel* m = replicate(rows[i].links);
    int number = m ? (int)(m->neq + m->nexclude + m->nu + m->ntendon + m->ntuple + m->nskin) : -1;
    if (number != rows[i].number) CHECK_TEXT(rows[i].links, "another number");
    mj_deleteModel(m);
  }
}

TEST(geoms_on_paths_are_those_of_the_copies) {
  mjModel* m = replicate(PATH("J", "J"));
  CHECK(m);
  if (!m) return;
  CHECK_EQ(m->wrap_objid[1], mj_name2id(m, mjOBJ_GEOM, "J0"));
  CHECK_EQ(m->wrap_objid[2], mj_name2id(m, mjOBJ_SITE, "J0"));
  CHECK_EQ(m->wrap_objid[4], mj_name2id(m, mjOBJ_GEOM, "J1"));
  mj_deleteModel(m);
}
