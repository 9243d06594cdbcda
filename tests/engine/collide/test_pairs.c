// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// One configuration of every pair of geom types.

#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Case_ {
  const char *first, *second;
  double pos[3], quat[4];  // of the second geom's body; the first is fixed at the origin
  int ncon;
  double dist, point[3], normal[3];  // of the last contact
} Case;

// recorded from the reference, version 3.4.0: mj_forward on the model that makeModel builds
// clang-format off
static const Case cases[] = {
    {"plane", "sphere", {0.22, 0.29, 0.07}, {0.1, -0.1, 0.6, 0.1}, 1,
     -0.13, {0.22, 0.29, -0.065},
     {0.0, 0.0, 1.0}},
    {"plane", "capsule", {-0.35, 0.25, -0.33}, {0.9, -0.7, -1.3, -0.6}, 2,
     -0.369701492537313, {-0.26044776119403, 0.081641791044776, -0.184850746268657},
     {0.0, 0.0, 1.0}},
    {"plane", "ellipsoid", {-0.14, -0.05, -0.33}, {-1.2, -0.7, -0.5, -0.3}, 1,
     -0.53618857905458, {-0.235246061496639, -0.02996930035998, -0.26809428952729},
     {0.0, 0.0, 1.0}},
    {"plane", "cylinder", {-0.26, 0.16, 0.02}, {-0.5, 0.2, -1.0, -0.2}, 3,
     -0.030844224581597, {-0.157191141417092, 0.382137802779211, -0.015422112290799},
     {0.0, 0.0, 1.0}},
    {"plane", "box", {-0.1, 0.05, -0.12}, {0.4, -0.7, -0.1, 0.8}, 4,
     -0.241538461538461, {-0.453846153846154, 0.054615384615385, -0.120769230769231},
     {0.0, 0.0, 1.0}},
    {"plane", "mesh", {-0.19, 0.09, -0.29}, {1.3, 0.8, 0.3, -0.3}, 3,
     -0.289999998097459, {-0.189999998948884, 0.089999999206577, -0.144999999048729},
     {0.0, 0.0, 1.0}},
    {"hfield", "sphere", {-0.31, -0.11, -0.24}, {1.3, 0.4, -1.2, -0.0}, 2,
     -0.06, {-0.31, -0.11, -0.07},
     {0.0, -0.0, -1.0}},
    {"hfield", "capsule", {-0.07, -0.21, -0.29}, {0.4, 0.7, -1.2, -0.7}, 2,
     -0.00922480620155, {0.080387596899225, -0.296821705426357, -0.095387596899225},
     {0.0, 0.0, -1.0}},
    {"hfield", "ellipsoid", {-0.0, -0.05, 0.08}, {0.1, 0.7, 1.0, -0.6}, 2,
     -0.19876189133015, {0.099380945665075, 0.06034627144047, 0.093021961960674},
     {-0.999999999999996, -8.7501549e-08, 5.89419e-10}},
    {"hfield", "cylinder", {-0.0, 0.02, 0.2}, {-1.3, -0.7, 0.9, 0.0}, 2,
     -0.132241523270571, {0.139513413870972, 0.14556253401559, 0.091864236648764},
     {0.195881085919767, -0.048970415821415, 0.97940415485803}},
    {"hfield", "box", {-0.27, 0.16, 0.3}, {-0.4, -1.1, -1.3, 0.6}, 2,
     -0.082378982431084, {-0.176582245414275, -0.0371338153197, 0.101477450519872},
     {-0.02331601465919, 0.009309327080659, 0.999684800269424}},
    {"hfield", "mesh", {0.32, -0.25, 0.33}, {1.7, -0.3, 1.6, -0.4}, 1,
     -0.075657397544129, {0.345349042863449, -0.375389757904685, 0.027676908110492},
     {0.177234091677137, -0.650570675021189, 0.738475370983932}},
    {"sphere", "sphere", {0.16, 0.08, -0.33}, {-1.1, 0.9, -1.3, -0.7}, 1,
     -0.024633512417531, {0.08, 0.04, -0.165},
     {0.426250092357666, 0.213125046178833, -0.879140815487685}},
    {"sphere", "capsule", {0.04, -0.17, -0.18}, {0.7, 0.8, 1.2, 0.8}, 1,
     -0.053796239725594, {-0.002858979632869, -0.127897852661172, -0.116611433518136},
     {-0.016516167418879, -0.738858830186004, -0.67365781021967}},
    {"sphere", "ellipsoid", {0.04, 0.22, 0.04}, {-0.1, -0.8, -1.4, 0.3}, 1,
     -0.127467918242754, {-0.028805142615259, 0.130237296704724, -0.02787371885298},
     {-0.211389003669053, 0.955757545056516, -0.204553670696343}},
    {"sphere", "cylinder", {0.32, -0.09, 0.04}, {0.3, 0.4, 1.3, -0.0}, 1,
     -0.031587244346084, {0.161049468548174, -0.044658560424307, 0.077463999982619},
     {0.874288232839922, -0.24243764494549, 0.420528327501169}},
    {"sphere", "box", {-0.29, 0.11, -0.16}, {-0.4, -1.9, -0.1, -0.8}, 1,
     -0.013529411764706, {-0.136401384083045, -0.044592760180996, -0.129406441309556},
     {-0.705882352941176, -0.230769230769231, -0.669683257918552}},
    {"sphere", "mesh", {0.25, -0.18, -0.25}, {0.4, 0.6, -0.2, -1.5}, 1,
     -0.024312231197173, {0.043566701026748, -0.178756660092424, -0.037859264932895},
     {0.231930366887262, -0.951623528559649, -0.201546433377579}},
    {"capsule", "capsule", {-0.22, 0.12, -0.21}, {-0.3, 1.6, -1.3, -0.6}, 1,
     -0.02803613505583, {-0.085744680851064, 0.006382978723404, -0.048297872340426},
     {-0.997240680522057, 0.074236278947052, 0.0}},
    {"capsule", "ellipsoid", {-0.0, 0.17, -0.23}, {-0.6, -1.6, 0.7, 0.8}, 1,
     -0.065858014234465, {-0.016522459045553, 0.065004049361315, -0.14170855649779},
     {-0.246342842641866, 0.969182750506387, 1.365e-12}},
    {"capsule", "cylinder", {-0.13, 0.15, -0.03}, {-0.1, -2.0, -0.6, 0.7}, 1,
     -0.059276414045819, {-0.029546112045274, 0.063857726031852, 0.041887245242174},
     {-0.41991698612476, 0.907562518377604, 7.289e-12}},
    {"capsule", "box", {-0.01, 0.22, 0.07}, {-1.3, -1.2, -1.8, -1.0}, 1,
     -0.038784591158204, {-0.005452412797706, 0.080423088766164, -0.091957630349824},
     {-0.067641335736791, 0.997709702117677, 1e-15}},
    {"capsule", "mesh", {-0.29, 0.15, 0.2}, {-0.3, -1.2, 0.2, -0.0}, 1,
     -0.085049101466825, {-0.011834806402188, 0.054657364340268, 0.213264130171028},
     {-0.205910637554038, 0.950968892591892, 0.230779060281993}},
    {"ellipsoid", "ellipsoid", {-0.1, -0.06, 0.03}, {0.9, -0.7, 0.2, -0.8}, 1,
     -0.247658103656877, {0.029964995532165, 0.040431506883808, 0.066417402865474},
     {-0.984797150441845, 0.150236804288235, 0.087197907766651}},
    {"ellipsoid", "cylinder", {0.14, -0.14, 0.19}, {0.0, -0.7, -1.3, 1.4}, 1,
     -0.06507246411395, {0.028402356260493, -0.109157205810055, 0.156093766175978},
     {0.838933905285807, -0.46847297213785, 0.276989127833991}},
    {"ellipsoid", "box", {-0.02, -0.05, -0.05}, {-0.5, -2.9, 0.1, -1.1}, 1,
     -0.260455640230588, {0.062294944523105, -0.003080766701596, -0.194340007917559},
     {-0.753036480598244, -0.052630795094528, -0.655870458471738}},
    {"ellipsoid", "mesh", {0.23, 0.28, 0.06}, {-1.2, -1.4, 0.6, 0.8}, 1,
     -0.086328664361033, {0.002953509995407, 0.15346455839705, 0.047353124766955},
     {0.339254445426593, 0.934031049214305, 0.111769496562879}},
    {"cylinder", "cylinder", {-0.04, 0.06, -0.26}, {-2.0, 0.5, 0.3, -0.0}, 1,
     -0.183467916006959, {-0.039089921424637, 0.061215420421855, -0.150712074966591},
     {-0.451792000360416, 0.712180634982024, -0.53729203564443}},
    {"cylinder", "box", {0.05, -0.01, 0.28}, {0.4, -0.3, -0.5, 1.2}, 1,
     -0.191141176366178, {0.041988157534049, -0.036657581701075, 0.184235754008751},
     {0.742268033814973, -0.649484477439164, 0.164948717915695}},
    {"cylinder", "mesh", {-0.24, 0.27, 0.2}, {0.3, 1.0, -0.1, 0.4}, 1,
     -0.024475544090509, {-0.070061628652702, 0.118615411763363, 0.019047582909978},
     {-0.510885957645593, 0.85964849693002, -2.549956257e-06}},
    {"box", "box", {0.15, 0.15, 0.1}, {0.3, -1.5, 0.6, -0.2}, 3,
     -0.04109208534383, {0.080839416058394, 0.158029197080292, -0.256086649399576},
     {0.93256809827409, -0.0, 0.360994102557712}},
    {"box", "mesh", {-0.03, -0.07, -0.19}, {0.8, 1.0, -1.4, 2.0}, 1,
     -0.098866830378567, {-0.051980429550362, -0.188261882982848, -0.165144457200728},
     {-0.971399007448059, -0.237453086585386, 0.0}},
    {"mesh", "mesh", {-0.1, 0.01, -0.05}, {-1.0, 0.1, -0.6, -0.8}, 1,
     -0.038937630904729, {0.016655592682106, 0.165821573103684, 0.119921798952406},
     {-0.855501233771166, 0.366140436585699, 0.366140437145156}},
};
// clang-format on

static const char* geomOf(const char* kind) {
  static const char* const geoms[][2] = {
      {"plane", "type='plane' size='1 1 1'"},
      {"hfield", "type='hfield' hfield='h'"},
      {"sphere", "size='.2'"},
      {"capsule", "type='capsule' size='.1 .2'"},
      {"ellipsoid", "type='ellipsoid' size='.1 .2 .3'"},
      {"cylinder", "type='cylinder' size='.15 .2'"},
      {"box", "type='box' size='.1 .2 .3'"},
      {"mesh", "type='mesh' mesh='m'"},
  };
  for (int i = 0; i < 8; i++) {
    if (!strcmp(geoms[i][0], kind)) return geoms[i][1];
  }
  return "";
}

static mjModel* makeModel(const Case* c, const char* option) {
  char xml[2000];
  snprintf(xml, sizeof xml,
           "<mujoco><option><flag %s/></option><asset>"
           "<mesh name='m' vertex='0 0 0 .4 0 0 0 .3 0 0 0 .3'/>"
           "<hfield name='h' nrow='2' ncol='3' size='.5 .4 .2 .1' elevation='0 1 .5 .3 .8 .2'/>"
           "</asset><worldbody><geom %s/><body pos='%.17g %.17g %.17g' quat='%.17g %.17g %.17g %.17g'>"
           "<freejoint/><geom %s/></body></worldbody></mujoco>",
           option, geomOf(c->first), c->pos[0], c->pos[1], c->pos[2], c->quat[0], c->quat[1], c->quat[2], c->quat[3],
           geomOf(c->second));
  return test_model(xml);
}

static void collide(const mjModel* m, mjData* d) {
  mj_kinematics(m, d);
  mj_collision(m, d);
}

TEST(every_pair_of_types_as_recorded) {
  for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
    const Case* c = cases + i;
    mjModel* m = makeModel(c, "");
    if (!m) return;
    mjData* d = mj_makeData(m);
    collide(m, d);
    CHECK_EQ(d->ncon, c->ncon);
    if (d->ncon) {
      const mjContact* con = d->contact + d->ncon - 1;
      CHECK_NEAR(con->dist, c->dist, 1e-9);
      CHECK_ARRAY(con->pos, c->point, 3, 1e-9);
      CHECK_ARRAY(con->frame, c->normal, 3, 1e-9);
    }
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

// moving the second geom along the normal by the depth must make the geoms touch, up to the error of a
// normal from EPA on curved shapes (1e-3)
TEST(depth_is_the_way_out) {
  for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
    const Case* c = cases + i;
    if (c->ncon != 1 || !strcmp(c->first, "hfield")) continue;
    mjModel* m = makeModel(c, "");
    if (!m) return;
    mjData* d = mj_makeData(m);
    collide(m, d);
    mjtNum out[3];
    mju_scl3(out, d->contact[0].frame, -d->contact[0].dist);
    mju_addTo3(d->qpos, out);
    mj_kinematics(m, d);
    mjtNum left = mj_geomDistance(m, d, 0, 1, 1, NULL);
    CHECK(fabs(left) < 1e-4);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

TEST(mpr_agrees_with_epa) {
  for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
    const Case* c = cases + i;
    if (c->ncon != 1 || c->dist < -.05 || !strcmp(c->first, "hfield")) continue;
    mjModel* m = makeModel(c, "nativeccd='disable'");
    if (!m) return;
    mjData* d = mj_makeData(m);
    collide(m, d);
    CHECK_EQ(d->ncon, 1);
    if (d->ncon) CHECK(fabs(d->contact[0].dist - c->dist) < .01);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

TEST(frames_are_orthonormal) {
  for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
    mjModel* m = makeModel(cases + i, "");
    if (!m) return;
    mjData* d = mj_makeData(m);
    collide(m, d);
    for (int k = 0; k < d->ncon; k++) {
      mjtNum product[9];
      mju_mulMatMatT(product, d->contact[k].frame, d->contact[k].frame, 3, 3, 3);
      CHECK_ARRAY(product, ((mjtNum[]){1, 0, 0, 0, 1, 0, 0, 0, 1}), 9, 1e-12);
    }
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

// Pads of a published gripper (one width, edge on edge) that last bits of their poses move. 3.4.0 has no contact in a
// fifth of these poses; the depth is what the lowest corner has.
TEST(boxes_of_one_width_meet_edge_on_edge_whatever_the_last_bits) {
  static const double xpos[6] = {0, -0.014079443096223106, 0.14027585550159438,
                                 0, 0.015700166419158099,  0.13737799564664138};
  static const double xmat[18] = {
      -1, 0, 0, 0, -0.69509221688658174, 0.71892058672964587,  0, 0.71892058672964587, 0.69509221688658174,
      1,  0, 0, 0, 0.6369486398681955,   -0.77090623954541759, 0, 0.77090623954541759, 0.6369486398681955};
  mjModel* m = test_model(
      "<mujoco><worldbody><geom type='box' size='.011 .004 .01875'/><body><freejoint/>"
      "<geom type='box' size='.011 .004 .01875'/></body></worldbody></mujoco>");
  if (!m) return;
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  unsigned seed = 1;
  int missed = 0;
  for (int i = 0; i < 3000; i++) {
    double scale = i % 3 == 0 ? 1e-17 : i % 3 == 1 ? 1e-16 : 1e-15;
    for (int k = 0; k < 18; k++) {
      seed = seed * 1664525u + 1013904223u;
      d->geom_xmat[k] = xmat[k] + scale * (seed / 2147483648.0 - 1);
    }
    mju_copy(d->geom_xpos, xpos, 6);
    mj_collision(m, d);
    missed += !d->ncon;
    for (int c = 0; c < d->ncon; c++) CHECK_NEAR(d->contact[c].dist, -1.2284561492512e-5, 1e-10);
  }
  CHECK_EQ(missed, 0);
  mj_deleteData(d);
  mj_deleteModel(m);
}
