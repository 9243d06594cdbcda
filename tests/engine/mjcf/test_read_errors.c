// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// What is wrong is named with its place: file, line, element, reason.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/test.h"

typedef struct {
  const char* xml;
  const char* error;
} Case;

static void rejectAll(const Case* c, int n) {
  for (int i = 0; i < n; i++) test_rejects(c[i].xml, c[i].error);
}

#define REJECT(cases) rejectAll(cases, (int)(sizeof cases / sizeof *cases))

TEST(documents_that_are_not_models_are_rejected) {
  static const Case cases[] = {
      {"", "test.xml:"},
      {"<!-- -->", "test.xml:1: file: no element found"},
      {"<mujoco>", "mujoco: element is not closed"},
      {"<mujoco>\n<worldbody>\n</mujoco>", "test.xml:3: worldbody: mismatched tag"},
      {"<robots/>", "test.xml:1: robots: root element must be 'mujoco' or 'robot'"},
      {"<!DOCTYPE mujoco [<!ENTITY a \"b\">]><mujoco/>",
       "test.xml:1: file: document type declarations are not allowed"},
      {"<mujoco><worldbody><geom size='1' size='2'/></worldbody></mujoco>", "duplicate attribute"},
  };
  REJECT(cases);
}

TEST(unknown_names_are_rejected) {
  static const Case cases[] = {
      {"<mujoco>\n\n<wordbody/></mujoco>", "test.xml:3: wordbody: such an element cannot stand in 'mujoco'"},
      {"<mujoco>\n<worldbody>\n<geom siz='1'/></worldbody></mujoco>", "test.xml:3: geom: siz is not an attribute"},
      {"<mujoco><default><geom name='a'/></default></mujoco>", "geom: name is not an attribute"},
      {"<mujoco><option>\n<flag/>\n<flag/></option></mujoco>",
       "test.xml:3: flag: only one such element is allowed in 'option'"},
      {"<mujoco><option integrator='euler'/></mujoco>", "option: invalid keyword 'euler' in attribute 'integrator'"},
      {"<mujoco><worldbody><geom class='none' size='1'/></worldbody></mujoco>",
       "geom: there is no default class 'none'"},
      {"<mujoco><worldbody><body childclass='none'/></worldbody></mujoco>", "body: there is no default class 'none'"},
      {"<mujoco><custom><tuple name='t'><element objtype='bodies' "
       "objname='b'/></tuple></custom></mujoco>",
       "element: objtype is no type of object"},
  };
  REJECT(cases);
}

TEST(numbers_are_read_strictly) {
  static const Case cases[] = {
      {"<mujoco><worldbody><geom size='a'/></worldbody></mujoco>", "size: 'a' is not the kind of number needed"},
      {"<mujoco><worldbody><geom size='1,2'/></worldbody></mujoco>", "size: '1,2' is not the kind of number needed"},
      {"<mujoco><worldbody><geom size='1 2 3 4'/></worldbody></mujoco>", "size has 4 values, at most 3 are allowed"},
      {"<mujoco><worldbody><geom size='1' pos='1 2'/></worldbody></mujoco>", "pos has 2 values, 3 are needed"},
      {"<mujoco><worldbody><geom size='1' contype='1.5'/></worldbody></mujoco>",
       "contype: '1.5' is not the kind of number needed"},
      {"<mujoco><worldbody><geom size='1' contype='99999999999'/></worldbody></mujoco>",
       "contype: '99999999999' is out of range"},
      {"<mujoco><worldbody><geom size='1' pos='1e999 0 0'/></worldbody></mujoco>", "pos: '1e999' is out of range"},
      {"<mujoco><worldbody><geom size='1' quat='0 0 0 0'/></worldbody></mujoco>", "zero quaternion"},
      {"<mujoco><worldbody><geom size='1' quat='1 0 0 0' euler='0 0 0'/></worldbody></mujoco>",
       "more than one orientation"},
      {"<mujoco><size memory='1.5M'/></mujoco>", "size: memory must be an integer"},
  };
  REJECT(cases);
}

TEST(elements_are_checked_against_each_other) {
  static const Case cases[] = {
      {"<mujoco><worldbody><joint/></worldbody></mujoco>", "joint: the world does not move"},
      {"<mujoco><worldbody pos='1 0 0'/></mujoco>", "the world has no attributes"},
      {"<mujoco><worldbody><body><inertial mass='1' pos='0 0 0' diaginertia='1 1 1' fullinertia='1 "
       "1 1 0 0 0'/>"
       "</body></worldbody></mujoco>",
       "body 1: fullinertia and diaginertia cannot both be given"},
      {"<mujoco><worldbody><camera fovy='1' sensorsize='1 1' resolution='1 "
       "1'/></worldbody></mujoco>",
       "camera: fovy and sensorsize cannot both be given"},
      {"<mujoco><worldbody><light directional='true' type='spot'/></worldbody></mujoco>",
       "light: type and directional cannot both be given"},
      {"<mujoco><equality><connect body1='a'/></equality></mujoco>",
       "connect: body1 and anchor must be given, or two sites"},
      {"<mujoco><equality><weld body1='a' site1='b'/></equality></mujoco>", "weld: bodies and sites cannot be mixed"},
      {"<mujoco><actuator><motor joint='a' tendon='b'/></actuator></mujoco>",
       "motor: joint and tendon cannot both be acted on"},
      {"<mujoco><sensor><contact data='force found'/></sensor></mujoco>", "contact: data: 'found' must come before"},
      {"<mujoco><default class='other'/></mujoco>", "default: the outermost class"},
      {"<mujoco><default><default class='a'/>\n<default class='a'/></default></mujoco>",
       "test.xml:2: default: there is a class 'a' already"},
      {"<mujoco><asset><hfield name='h' size='1 1 1 1' nrow='2' ncol='2' elevation='1 2 "
       "3'/></asset></mujoco>",
       "hfield: elevation must have nrow*ncol = 2*2 values, got 3"},
      {"<mujoco><asset><material name='m' texture='t'><layer role='rgb' "
       "texture='t'/></material></asset></mujoco>",
       "layer: the texture is given already"},
  };
  REJECT(cases);
}

TEST(errors_of_the_compiler_have_a_place_too) {
  static const Case cases[] = {
      {"<mujoco>\n<worldbody>\n<body>\n<joint type='hinge'/>\n</body></worldbody></mujoco>", "test.xml:"},
      {"<mujoco><worldbody>\n<geom type='box' size='1 1'/></worldbody></mujoco>", "test.xml:2: geom"},
  };
  REJECT(cases);
}

// text of n opening tags
static char* nested(int n) {
  static const char head[] = "<mujoco><worldbody>", tag[] = "<body>";
  char* xml = malloc(sizeof head + n * (sizeof tag - 1));
  strcpy(xml, head);
  for (int i = 0; i < n; i++) memcpy(xml + sizeof head - 1 + i * (sizeof tag - 1), tag, sizeof tag);
  return xml;
}

TEST(deep_documents_are_rejected) {
  char* xml = nested(100000);
  test_rejects(xml, "nested deeper than 498");
  free(xml);
}

TEST(an_element_has_a_limited_number_of_attributes) {
  enum { N = 200 };
  char xml[20 * N] = "<mujoco><worldbody><geom ";
  for (int i = 0; i < N; i++) sprintf(xml + strlen(xml), "a%d='1' ", i);
  strcat(xml, "/></worldbody></mujoco>");
  test_rejects(xml, "geom: more than 128 attributes");
}

TEST(an_error_that_does_not_fit_is_cut) {
  char error[12];
  memset(error, 'x', sizeof error);
  CHECK(mj_parseXMLString("<robots/>", NULL, error, sizeof error) == NULL);
  CHECK_EQ(strlen(error), sizeof error - 1);
  CHECK(mj_parseXMLString("<robots/>", NULL, NULL, 0) == NULL);
}
