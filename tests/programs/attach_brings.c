// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What an attached part brings along, which repeated name is found first, and what a copy of a specification
// leaves out.
#include "spec_print.h"

// two elements of each kind beside the tree, %s: suffix of what they refer to
typedef struct {
  const char* kind;
  const char* text;
} Kind;
static const Kind kKinds[] = {
    {"mesh", "<asset><mesh name='mesh' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset>"},
    {"hfield", "<asset><hfield name='hfield' nrow='2' ncol='2' size='1 1 1 1'/></asset>"},
    {"texture", "<asset><texture name='texture' type='2d' builtin='flat' width='4' height='4'/></asset>"},
    {"material", "<asset><material name='material'/></asset>"},
    {"skin",
     "<deformable><skin name='skin' vertex='0 0 0 1 0 0 0 1 0' face='0 1 2'><bone body='B%s' bindpos='0 0 0' "
     "bindquat='1 0 0 0' vertid='0 1 2' vertweight='1 1 1'/></skin></deformable>"},
    {"pair", "<contact><pair name='pair' geom1='G%s' geom2='H%s'/></contact>"},
    {"exclude", "<contact><exclude name='exclude' body1='B%s' body2='C%s'/></contact>"},
    {"tendon", "<tendon><fixed name='tendon'><joint joint='J%s' coef='1'/></fixed></tendon>"},
    {"path", "<tendon><spatial name='path'><site site='S%s'/><geom geom='G%s'/><site site='T%s'/></spatial></tendon>"},
    {"equality", "<equality><joint name='equality' joint1='J%s'/></equality>"},
    {"weld", "<equality><weld name='weld' body1='B%s' body2='C%s'/></equality>"},
    {"actuator", "<actuator><motor name='actuator' joint='J%s'/></actuator>"},
    {"sensor", "<sensor><jointpos name='sensor' joint='J%s'/></sensor>"},
    {"relative",
     "<sensor><framepos name='relative' objtype='body' objname='C%s' reftype='body' refname='B%s'/></sensor>"},
    {"clock", "<sensor><clock name='clock'/></sensor>"},
    {"numeric", "<custom><numeric name='numeric' data='1'/></custom>"},
    {"text", "<custom><text name='text' data='1'/></custom>"},
    {"tuple", "<custom><tuple name='tuple'><element objtype='body' objname='B%s'/></tuple></custom>"},
};
enum { NKIND = sizeof kKinds / sizeof kKinds[0] };

static mjSpec* make(const char* suffix, int i, int j, const char* missing) {
  char text[4000], *at = text;
  at += sprintf(at,
                "<mujoco><worldbody><frame name='f%s'/><body name='B%s'><joint name='J%s'/><geom name='G%s' size='1'/>"
                "<site name='S%s'/><body name='C%s'><geom name='H%s' size='1'/><site name='T%s' pos='0 0 "
                "1'/></body></body></worldbody>",
                suffix, suffix, suffix, suffix, suffix, suffix, suffix, suffix);
  if (i >= 0) at += sprintf(at, kKinds[i].text, missing, suffix, suffix);
  if (j >= 0) at += sprintf(at, kKinds[j].text, missing, suffix, suffix);
  sprintf(at, "</mujoco>");
  return parseText(text);
}

int main(void) {
  // the part has names of its own; two kinds are in both
  for (int i = 0; i < NKIND; i++) {
    for (int j = 0; j <= i; j++) {
      mjSpec *s = make("a", i, i == j ? -1 : j, "a"), *child = make("b", i, i == j ? -1 : j, "b");
      if (!s || !child) return 1;
      mjs_setDeepCopy(s, 1);
      printf("%s and %s\n", kKinds[i].kind, kKinds[j].kind);
      attach(find(s, mjOBJ_FRAME, "fa"), find(child, mjOBJ_BODY, "Bb"), "", "");
      showNames(s);
      mjSpec* copy = mj_copySpec(s);
      printf("copied %d\n", copy != NULL);
      if (copy) mj_deleteSpec(copy);
      mj_deleteSpec(child);
      mj_deleteSpec(s);
    }
  }
  // part of a body only; names are the same in both, so that what is outside of the part is found in the host
  for (int i = 0; i < NKIND; i++) {
    for (int same = 0; same < 2; same++) {
      mjSpec *s = make(same ? "a" : "b", -1, -1, ""), *child = make("a", i, -1, "a");
      mjs_setDeepCopy(s, 1);
      printf("%s in a part\n", kKinds[i].kind);
      attach(find(s, mjOBJ_FRAME, same ? "fa" : "fb"), find(child, mjOBJ_BODY, "Ca"), "x_", "");
      showNames(s);
      mj_deleteSpec(child);
      mj_deleteSpec(s);
    }
  }
  // what refers to something that is not there
  for (int i = 0; i < NKIND; i++) {
    mjSpec* s = make("a", i, -1, "nowhere");
    mjSpec* copy = mj_copySpec(s);
    printf("%s of nothing\n", kKinds[i].kind);
    showNames(copy);
    mj_deleteSpec(copy);
    mj_deleteSpec(s);
  }
  return 0;
}
