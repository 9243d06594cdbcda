// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "support/test.h"

#include <string.h>

#include "model/lanes_ok.h"
#include "model/plan.h"
#include "model/work.h"

static const char* const CHAIN =
    "<mujoco><worldbody>"
    "  <body name='a'><freejoint/><geom size='.1'/>"
    "    <body name='b'><joint/><geom size='.1'/>"
    "      <body name='c'><geom size='.1'/></body></body>"
    "    <body name='d'><joint/><geom size='.1'/></body></body>"
    "  <body name='e'><joint type='slide'/><geom size='.1'/></body>"
    "</worldbody></mujoco>";

TEST(chains_lead_from_the_root_to_a_body) {
  mjModel* m = test_model(CHAIN);
  if (!m) return;
  const mjiPlan* plan = mji_plan(m);
  int b = mj_name2id(m, mjOBJ_BODY, "b"), c = mj_name2id(m, mjOBJ_BODY, "c"), d = mj_name2id(m, mjOBJ_BODY, "d");
  CHECK_EQ(plan->chain_num[0], 0);
  CHECK_EQ(plan->chain_num[b], 7);
  for (int i = 0; i < 7; i++) CHECK_EQ(plan->chain_ind[plan->chain_adr[b] + i], i);
  CHECK(plan->chain_adr[c] == plan->chain_adr[b] && plan->chain_num[c] == 7);
  CHECK_EQ(plan->chain_ind[plan->chain_adr[d] + 6], 7);
  CHECK(plan->dof_last[0] == 7 && plan->dof_last[6] == 6 && plan->dof_last[8] == 8);
  CHECK(plan->dof_depth[0] == 1 && plan->dof_depth[5] == 6 && plan->dof_depth[7] == 7 && plan->dof_depth[8] == 1);
  mj_deleteModel(m);
}

static void checkPairs(const char* xml, const int (*want)[2], int n) {
  mjModel* m = test_model(xml);
  if (!m) return;
  const mjiPlan* plan = mji_plan(m);
  CHECK_EQ(plan->npair, n);
  for (int i = 0; i < n && i < plan->npair; i++) {
    CHECK(plan->pair[i].geom1 == want[i][0] && plan->pair[i].geom2 == want[i][1]);
  }
  mj_deleteModel(m);
}

TEST(pairs_skip_relatives) {
  // a-b, a-d are parent and child, b-c are one body: left are d with b and c, and e with all
  static const int want[][2] = {{0, 4}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}};
  checkPairs(CHAIN, want, 6);
}

TEST(pairs_follow_bits_excludes_and_types) {
  static const int want[][2] = {{0, 2}, {0, 3}, {3, 2}};
  checkPairs(
      "<mujoco><worldbody><geom type='plane' size='1 1 1'/>"
      "  <body name='a'><joint/><geom size='.1' contype='2' conaffinity='2'/></body>"
      "  <body name='b'><joint/><geom type='box' size='.1 .1 .1' contype='1'/></body>"
      "  <body name='c'><joint/><geom size='.1'/></body>"
      "  <body name='d'><joint/><geom size='.1'/></body></worldbody>"
      "<contact><exclude body1='d' body2='world'/><exclude body1='b' body2='d'/>"
      "<exclude body1='d' body2='c'/></contact></mujoco>",
      want, 3);
}

TEST(predefined_pairs_come_first_and_need_no_bits) {
  static const int want[][2] = {{1, 3}, {0, 2}, {1, 2}};
  checkPairs(
      "<mujoco><worldbody>"
      "  <body><joint/><geom name='a' size='.1'/><geom name='b' size='.1'/></body>"
      "  <body><joint/><geom name='c' size='.1'/><geom name='d' size='.1' contype='0' conaffinity='0'/></body>"
      "</worldbody><contact><pair geom1='d' geom2='b'/></contact></mujoco>",
      want, 3);
}

TEST(changed_bits_make_the_list_invalid) {
  mjModel* m = test_model(CHAIN);
  if (!m) return;
  CHECK(mji_planPairsValid(m, mji_plan(m)));
  m->geom_contype[1] = 4;
  CHECK(!mji_planPairsValid(m, mji_plan(m)));
  m->geom_contype[1] = 1;
  m->opt.disableflags |= mjDSBL_FILTERPARENT;
  CHECK(!mji_planPairsValid(m, mji_plan(m)));
  mj_deleteModel(m);
}

static int lanesOk(const char* xml) {
  mjModel* m = test_model(xml);
  if (!m) return -1;
  int ok = mji_lanesOk(m);
  mj_deleteModel(m);
  return ok;
}

TEST(which_models_run_in_lanes) {
#define BODY "<worldbody><body><joint name='j'/><geom size='1'/><site name='s'/></body><site name='w'/></worldbody>"
  CHECK_EQ(lanesOk("<mujoco>" BODY "<actuator><motor joint='j'/></actuator></mujoco>"), 1);
  CHECK_EQ(lanesOk("<mujoco>" BODY "<sensor><gyro site='s'/></sensor></mujoco>"), 1);
  CHECK_EQ(lanesOk("<mujoco>" BODY "<sensor><rangefinder site='s'/></sensor></mujoco>"), 1);
  CHECK_EQ(lanesOk("<mujoco><option noslip_iterations='2'/>" BODY "</mujoco>"), 1);
  CHECK_EQ(lanesOk("<mujoco>" BODY "<tendon><spatial><site site='s'/><site site='w'/></spatial></tendon>"
                   "</mujoco>"),
           1);
  CHECK_EQ(lanesOk("<mujoco>" BODY "<equality><joint joint1='j'/></equality></mujoco>"), 1);
#undef BODY
}
