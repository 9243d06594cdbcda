// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Structure and constants of compiled models. Numbers: the same models in MuJoCo 3.4.0.

#include <stdio.h>
#include <string.h>

#include "support/test.h"

static const char* chain =
    "<mujoco><worldbody><body><joint name='j'/><geom size='.1' pos='1 0 0'/><body pos='0 1 0'>"
    "<joint type='slide' name='s'/><geom size='.2'/></body></body></worldbody>"
    "<actuator><position joint='j' kp='3' dampratio='1'/><motor joint='s' gear='2'/></actuator></mujoco>";

TEST(inverse_inertia_at_the_reference_configuration) {
  mjModel* m = test_model(
      "<mujoco><worldbody><body><freejoint/><geom size='.1' pos='1 0 0'/>"
      "<geom type='box' size='.1 .2 .3' euler='10 20 30'/></body></worldbody></mujoco>");
  if (!m) return;
  const double body[2] = {0.0191612029341176, 0.314944897806751};
  const double dof[6] = {0.0200008771575798, 0.0200008771575798, 0.0200008771575798,
                         0.314944897806751,  0.314944897806751,  0.314944897806751};
  CHECK_ARRAY(m->body_invweight0 + 2, body, 2, 1e-13);
  CHECK_ARRAY(m->dof_invweight0, dof, 6, 1e-13);
  CHECK_NEAR(m->dof_M0[3], 1.84106093949001, 1e-13);
  mj_deleteModel(m);
}

// a tree whose bodies carry one another, with joints of all kinds; `n` of its arms
static mjModel* treeOf(int n) {
  char xml[20000] = "<mujoco><worldbody><body pos='0 0 1'><freejoint/><geom type='box' size='.2 .1 .1'/>", arm[400];
  for (int i = 0; i < n; i++) {
    snprintf(arm, sizeof arm,
             "<body pos='%g .1 0'><joint type='ball'/><geom type='capsule' size='.03' fromto='0 0 0 .1 .2 .%d'/>"
             "<body pos='.1 .2 0'><joint name='h%d' axis='1 %d 0'/><geom size='.05' pos='.1 0 .%d'/></body></body>",
             0.1 * i, 1 + i % 8, i, i, 1 + i % 7);
    strcat(xml, arm);
  }
  strcat(xml, "</body></worldbody><actuator>");
  for (int i = 0; i < n; i++) {
    snprintf(arm, sizeof arm, "<motor joint='h%d' gear='%d'/>", i, 1 + i);
    strcat(xml, arm);
  }
  strcat(xml, "</actuator></mujoco>");
  return test_model(xml);
}

// the mean of the diagonal of J inv(M) J' over some rows of J, by the plain formula
static mjtNum meanWeight(const mjModel* m, mjData* d, const mjtNum* J, int n) {
  mjtNum x[200], sum = 0;
  for (int r = 0; r < n; r++) {
    mj_solveM(m, d, x, J + r * m->nv, 1);
    sum += mju_dot(x, J + r * m->nv, (int)m->nv);
  }
  return sum / n;
}

// constants are solved along the dofs that move something; these formulas use all of them
TEST(inverse_weights_are_those_of_the_plain_formula) {
  for (int n = 3; n <= 27; n += 24) {
    mjModel* m = treeOf(n);
    mjData* d = mj_makeData(m);
    mj_forward(m, d);
    mjtNum J[6 * 200], x[200];
    for (int b = 1; b < m->nbody; b++) {
      mj_jacBodyCom(m, d, J, J + 3 * m->nv, b);
      for (int k = 0; k < 2; k++) {
        mjtNum want = meanWeight(m, d, J + 3 * k * m->nv, 3);
        CHECK_NEAR(m->body_invweight0[2 * b + k], want, 1e-12 * want);
      }
    }
    for (int i = 0, size; i < m->nv; i += size) {
      size = m->jnt_type[m->dof_jntid[i]] == mjJNT_HINGE ? 1 : 3;
      mju_zero(J, size * (int)m->nv);
      for (int k = 0; k < size; k++) J[k * m->nv + i + k] = 1;
      mjtNum want = meanWeight(m, d, J, size);
      for (int k = 0; k < size; k++) CHECK_NEAR(m->dof_invweight0[i + k], want, 1e-12 * want);
    }
    for (int i = 0; i < m->nu; i++) {
      mju_zero(J, (int)m->nv);
      for (int k = 0; k < d->moment_rownnz[i]; k++) {
        J[d->moment_colind[d->moment_rowadr[i] + k]] = d->actuator_moment[d->moment_rowadr[i] + k];
      }
      mj_solveM(m, d, x, J, 1);
      CHECK_EQ(m->actuator_acc0[i], mju_norm(x, (int)m->nv));
    }
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

TEST(damping_ratio_is_resolved_and_actuators_know_their_acceleration) {
  mjModel* m = test_model(chain);
  if (!m) return;
  CHECK_NEAR(m->actuator_biasprm[2], -21.4248543939349, 1e-13);
  CHECK_NEAR(m->actuator_acc0[0], 0.0261424019533337, 1e-14);
  CHECK_NEAR(m->actuator_acc0[1], 0.0596831036594607, 1e-14);
  CHECK_NEAR(m->dof_length[0], 1.4142135623731, 1e-13);
  CHECK_EQ(m->dof_length[1], 1);

  // once resolved it is a damping, and stays
  mjData* d = mj_makeData(m);
  mj_setConst(m, d);
  CHECK_NEAR(m->actuator_biasprm[2], -21.4248543939349, 1e-13);
  mj_deleteData(d);
  mj_deleteModel(m);
}

TEST(setConst_follows_changes_of_mass) {
  mjModel* m = test_model(chain);
  if (!m) return;
  double before = m->dof_invweight0[1], total = m->body_subtreemass[0];
  for (int i = 1; i < m->nbody; i++) m->body_mass[i] *= 2;
  for (int i = 3; i < 3 * m->nbody; i++) m->body_inertia[i] *= 2;
  mjData* d = mj_makeData(m);
  mj_setConst(m, d);
  CHECK_NEAR(m->dof_invweight0[1], before / 2, 1e-14);
  CHECK_NEAR(m->body_subtreemass[0], 2 * total, 1e-14);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void checkInts(const int* got, const int* want, int n) {
  for (int i = 0; i < n; i++) CHECK_EQ(got[i], want[i]);
}

TEST(sparse_structure_follows_the_tree) {
  // a hinge with two hinges on it; two slides
  mjModel* m = test_model(
      "<mujoco><worldbody><body><joint/><geom size='.1'/><body><joint/><geom size='.1'/></body>"
      "<body pos='1 0 0'><joint/><geom size='.1'/></body></body>"
      "<body><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/><geom size='.1'/></body>"
      "</worldbody></mujoco>");
  if (!m) return;
  const int simple[5] = {0, 0, 0, 2, 1}, parent[5] = {-1, 0, 0, -1, 3}, tree[5] = {0, 0, 0, 1, 1};
  checkInts(m->dof_simplenum, simple, 5);
  checkInts(m->dof_parentid, parent, 5);
  checkInts(m->dof_treeid, tree, 5);

  const int M_rownnz[5] = {1, 2, 2, 1, 1}, M_colind[7] = {0, 0, 1, 0, 2, 3, 4};
  const int legacy[7] = {0, 2, 1, 4, 3, 5, 6}, Madr[5] = {0, 1, 3, 5, 6};
  CHECK_EQ(m->nC, 7);
  CHECK_EQ(m->nM, 8);
  checkInts(m->M_rownnz, M_rownnz, 5);
  checkInts(m->M_colind, M_colind, 7);
  checkInts(m->mapM2M, legacy, 7);
  checkInts(m->dof_Madr, Madr, 5);

  const int D_colind[11] = {0, 1, 2, 0, 1, 0, 2, 3, 4, 3, 4}, D_diag[5] = {0, 1, 1, 0, 1};
  const int from[11] = {0, 1, 3, 1, 2, 3, 4, 5, -1, -1, 6};
  CHECK_EQ(m->nD, 11);
  checkInts(m->D_colind, D_colind, 11);
  checkInts(m->D_diag, D_diag, 5);
  checkInts(m->mapM2D, from, 11);

  const int B_rownnz[5] = {5, 3, 2, 2, 2}, B_colind[14] = {0, 1, 2, 3, 4, 0, 1, 2, 0, 1, 0, 2, 3, 4};
  CHECK_EQ(m->nB, 14);
  checkInts(m->B_rownnz, B_rownnz, 5);
  checkInts(m->B_colind, B_colind, 14);
  mj_deleteModel(m);
}

TEST(statistics) {
  mjModel* m = test_model(
      "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body><joint/>"
      "<geom size='.1' pos='1 0 0'/></body></worldbody></mujoco>");
  if (!m) return;
  CHECK_EQ(m->stat.extent, 2);
  CHECK_EQ(m->stat.center[0], 0.5);
  CHECK_EQ(m->stat.meansize, 1);
  CHECK_NEAR(m->stat.meanmass, 4.188790204786391, 1e-14);
  CHECK_NEAR(m->stat.meaninertia, 4.205545365605537, 1e-14);
  mj_deleteModel(m);
}

TEST(springs_by_time_constant) {
  mjModel* m = test_model(
      "<mujoco><worldbody><body><joint springdamper='1 .5'/><geom size='.1' pos='1 0 0'/></body>"
      "</worldbody></mujoco>");
  if (!m) return;
  CHECK_NEAR(m->jnt_stiffness[0], 16.8221814624221, 1e-13);
  CHECK_NEAR(m->dof_damping[0], 8.41109073121107, 1e-13);
  mj_deleteModel(m);
}

TEST(muscle_finds_its_length_range) {
  mjModel* m = test_model(
      "<mujoco><worldbody><body><joint name='j' range='-20 40'/>"
      "<geom type='capsule' size='.1' fromto='0 0 0 1 0 0'/></body></worldbody>"
      "<actuator><muscle joint='j'/></actuator></mujoco>");
  if (!m) return;
  CHECK_NEAR(m->actuator_lengthrange[0], -0.349635788752132, 1e-9);
  CHECK_NEAR(m->actuator_lengthrange[1], 0.698701639150998, 1e-9);
  mj_deleteModel(m);
}

TEST(equalities_hold_where_they_are_made) {
  mjModel* m = test_model(
      "<mujoco><worldbody><body name='a' pos='0 0 1'><freejoint/><geom size='.1'/></body>"
      "<body name='c' pos='3 0 0' euler='0 0 30'><freejoint/><geom size='.1'/></body></worldbody>"
      "<equality><connect body1='a' body2='c' anchor='.1 .2 .3'/><weld body1='a' body2='c'/></equality>"
      "</mujoco>");
  if (!m) return;
  const double connect[6] = {0.1, 0.2, 0.3, -2.41147367097487, 1.62320508075689, 1.3};
  const double weld[11] = {0, 0, 0, 3, 0, -1, 0.965925826289068, 0, 0, 0.258819045102521, 1};
  CHECK_ARRAY(m->eq_data, connect, 6, 1e-14);
  CHECK_ARRAY(m->eq_data + mjNEQDATA, weld, 11, 1e-14);
  CHECK_EQ(m->nemax, 10);
  mj_deleteModel(m);
}

TEST(arena_grows_with_the_model) {
  mjModel* m = test_model("<mujoco><worldbody><body><geom size='1'/></body></worldbody></mujoco>");
  if (m) CHECK_EQ(m->narena, 13 << 20);
  mj_deleteModel(m);
  m = test_model("<mujoco><size memory='3M'/></mujoco>");
  if (m) CHECK_EQ(m->narena, 3 << 20);
  mj_deleteModel(m);
  m = test_model("<mujoco><size njmax='100'/></mujoco>");
  if (m) CHECK_EQ(m->narena, 1 << 20);
  mj_deleteModel(m);
}

TEST(names_come_in_order_of_types) {
  mjModel* m = test_model(
      "<mujoco model='x'><worldbody><body name='b'><joint name='j'/><geom name='g' size='1'/></body>"
      "</worldbody></mujoco>");
  if (!m) return;
  static const char want[] = "x\0world\0b\0j\0g";
  CHECK_EQ(m->nnames, (int)sizeof want);
  CHECK(!memcmp(m->names, want, sizeof want));
  CHECK_EQ(mj_name2id(m, mjOBJ_GEOM, "g"), 0);
  mj_deleteModel(m);
}

TEST(specification_is_not_changed_by_compiling) {
  char error[200];
  mjSpec* s = mj_parseXMLString(chain, NULL, error, sizeof error);
  mjsActuator* a = mjs_asActuator(mjs_firstElement(s, mjOBJ_ACTUATOR));
  mjsBody* body = mjs_asBody(mjs_firstChild(mjs_findBody(s, "world"), mjOBJ_BODY, 0));
  mjModel* m = mj_compile(s, NULL);
  CHECK(m);
  CHECK_EQ(a->biasprm[2], 1);
  CHECK_EQ(mjs_getId(body->element), 1);
  CHECK_TEXT(mjs_getError(s), "");
  mj_deleteModel(m);

  // and can be compiled again, with changes
  a->gainprm[0] = 5;
  m = mj_compile(s, NULL);
  CHECK(m);
  if (m) CHECK_EQ(m->actuator_gainprm[0], 5);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}
