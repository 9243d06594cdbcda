// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Contacts of convex pairs against brute force: which two shapes overlap, by how much, and along which normal.
//
// SHEAF_POSES=22000 tries so many poses of each of 53 pairs, a million in all, and of hulls of random points;
// SHEAF_MESHES=a.xml:b.xml adds the hulls of the meshes of models. SHEAF_SEED divides poses over processes, SHEAF_SHOW
// prints what is wrong.
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sheaf/batch.h>

#include "convex_poses.h"
#include "hull_models.h"

enum { MAXSHAPE = 12 };

// ---- what must hold

typedef struct {
  int poses, contacts, missed, invented, deep, normal;
} counts;

// The search for curved shapes ends at a depth within ccd_tolerance. The normal is that of a face of the polytope that
// it has grown, along which the overlap may be more: by this where shapes hardly touch, and by that of the second
// number.
static const double SHALLOW_NORMAL = 1.1e-4, CURVED_NORMAL = 1e-3;

enum { MISSED, INVENTED, DEPTH, NORMAL, NWRONG };

// What is wrong with the deepest contact; without a contact its depth is negative. The tolerance of polytopes is that
// of rounding, of others that of the search.
static int judge(int wrong[NWRONG], const pair* p, double depth, const double normal[3], double truth) {
  int exact = p->shape[0]->polytope && p->shape[1]->polytope, found = depth >= 0;
  double sure = exact ? 1e-9 : 2 * p->m->opt.ccd_tolerance, close = exact ? 1e-7 : 1e-5;
  wrong[MISSED] = !found && truth > sure;
  wrong[INVENTED] = found && truth < -1e-9;
  wrong[DEPTH] = found && fabs(depth - fmax(truth, 0)) > close;
  wrong[NORMAL] =
      found && fabs(overlap(p, normal) - depth) > (exact ? 1e-6 : fmax(SHALLOW_NORMAL, fmin(depth, CURVED_NORMAL)));
  return wrong[MISSED] || wrong[INVENTED] || wrong[DEPTH] || wrong[NORMAL];
}

static void showPose(const pair* p) {
  printf("  pos");
  for (int k = 0; k < 3; k++) printf(" %.17g", p->d->geom_xpos[3 * p->geom[1] + k]);
  for (int i = 0; i < 2; i++) {
    printf("\n  mat");
    for (int k = 0; k < 9; k++) printf(" %.17g", p->d->geom_xmat[9 * p->geom[i] + k]);
  }
  printf("\n");
}

// Where edges make valleys, what a longer search of the engine finds may be the only way down.
static void tryLongerSearch(least* r, const pair* p) {
  mjContact con[mjMAXCONPAIR];
  mjtNum ends[6], across[3];
  mjModel* m = mj_copyModel(NULL, p->m);
  m->opt.ccd_tolerance = 1e-12;
  if (mjCOLLISIONFUNC[m->geom_type[p->geom[0]]][m->geom_type[p->geom[1]]](m, p->d, con, p->geom[0], p->geom[1], 0)) {
    tryDirection(r, p, con[0].frame);
  } else {
    mj_geomDistance(m, p->d, p->geom[0], p->geom[1], 1, ends);
    mju_sub3(across, ends + 3, ends);
    lookAround(r, p, across);
  }
  mj_deleteModel(m);
}

static void checkPose(counts* c, const pair* p) {
  mjContact con[mjMAXCONPAIR];
  mjfCollision collide = mjCOLLISIONFUNC[p->m->geom_type[p->geom[0]]][p->m->geom_type[p->geom[1]]];
  memset(con, 0, sizeof con);
  int n = collide(p->m, p->d, con, p->geom[0], p->geom[1], 0), deepest = 0, wrong[NWRONG];
  for (int i = 1; i < n; i++) deepest = con[i].dist < con[deepest].dist ? i : deepest;
  const double *normal = con[deepest].frame, depth = n ? fmax(-con[deepest].dist, 0) : -1;
  least truth = truthOf(p, n ? normal : (double[]){0, 0, 1});
  if (!n) {  // shapes that are apart have a direction that shows it; that of their distance is worth a try
    mjtNum ends[6], across[3];
    mj_geomDistance(p->m, p->d, p->geom[0], p->geom[1], 1, ends);
    mju_sub3(across, ends + 3, ends);
    tryDirection(&truth, p, across);
  }
  if (judge(wrong, p, depth, normal, truth.depth)) {
    if (n) lookAround(&truth, p, normal);
    tryLongerSearch(&truth, p);
    wander(&truth, p);
    judge(wrong, p, depth, normal, truth.depth);
  }
  c->poses++;
  c->contacts += n > 0;
  c->missed += wrong[MISSED];
  c->invented += wrong[INVENTED];
  c->deep += wrong[DEPTH];
  c->normal += wrong[NORMAL];
  if (getenv("SHEAF_SHOW") && (wrong[MISSED] || wrong[INVENTED] || wrong[DEPTH] || wrong[NORMAL])) {
    printf("%d-%d: %d contacts, depth %.12g, along its normal %.12g, truth %.12g\n", p->geom[0], p->geom[1], n, depth,
           n ? overlap(p, normal) : 0, truth.depth);
    showPose(p);
  }
}

static const char* const SHAPES =
    "<mujoco><option ccd_iterations='200'/><asset><mesh name='cube' vertex='-1 -1 -1 1 -1 -1 -1 1 -1 1 1 -1 -1 -1 1 1 "
    "-1 1 -1 1 1 1 1 1' scale='.1 .1 .1'/>"
    "<mesh name='wedge' vertex='-1 -1 -.3  1 -1 -.3  -1 1 -.3  1 1 -.3  -1 0 .4  1 0 .4' scale='.2 .2 .2'/>"
    "<mesh name='round' builtin='sphere' params='1' scale='.1 .2 .15'/><mesh name='ball' builtin='sphere' params='2' "
    "scale='.2 .1 .15'/>"
    "</asset><worldbody><geom type='ellipsoid' size='.1 .2 .15'/><geom type='ellipsoid' size='.2 .05 .1'/><geom "
    "type='cylinder' size='.1 .2'/><geom type='cylinder' size='.2 .02'/>"
    "<geom type='box' size='.1 .1 .1'/><geom type='box' size='.2 .05 .1'/>"
    "<geom type='mesh' mesh='cube'/><geom type='mesh' mesh='wedge'/><geom type='mesh' mesh='round'/><geom type='mesh' "
    "mesh='ball'/><geom type='capsule' size='.1 .15'/></worldbody></mujoco>";

static int isUsable(const mjModel* m, int geom) {
  int type = m->geom_type[geom], mesh = m->geom_dataid[geom];
  if (type != mjGEOM_MESH) return type >= mjGEOM_CAPSULE && type <= mjGEOM_BOX;
  return (m->geom_contype[geom] || m->geom_conaffinity[geom]) && m->mesh_graphadr[mesh] >= 0 &&
         m->mesh_graph[m->mesh_graphadr[mesh] + 1] <= MAXFACE;
}

// Capsules that touch boxes have contacts of their own, whose depths are not those of both shapes.
static int isSearched(const pair* p) {
  const int* type = p->m->geom_type;
  return type[p->geom[0]] != mjGEOM_CAPSULE || type[p->geom[1]] != mjGEOM_BOX;
}

static void surveyPair(counts* sum, pair* p, int poses) {
  counts c = {0};
  for (int i = 0; i < poses; i++) {
    place(p, i % NKIND);
    checkPose(&c, p);
  }
  if (getenv("SHEAF_SHOW")) {
    printf("%3d %3d  poses %d contacts %d missed %d invented %d depth %d normal %d\n", p->geom[0], p->geom[1], c.poses,
           c.contacts, c.missed, c.invented, c.deep, c.normal);
  }
  for (size_t i = 0; i < sizeof c / sizeof(int); i++) ((int*)sum)[i] += ((int*)&c)[i];
}

// all pairs of the first shapes of a model
static void survey(counts* sum, const mjModel* m, int poses) {
  static shape shapes[MAXSHAPE];
  int geom[MAXSHAPE], n = 0;
  mjData* d = mj_makeData(m);
  mj_kinematics(m, d);
  for (int i = 0; i < m->ngeom && n < MAXSHAPE; i++) {
    if (!isUsable(m, i)) continue;
    makeShape(&shapes[n], m, i);
    geom[n++] = i;
  }
  for (int a = 0; a < n; a++) {
    for (int b = a + 1; b < n; b++) {
      int swap = m->geom_type[geom[a]] > m->geom_type[geom[b]], i = swap ? b : a, j = swap ? a : b;
      pair p = {m, d, {geom[i], geom[j]}, {&shapes[i], &shapes[j]}};
      if (isSearched(&p)) surveyPair(sum, &p, poses);
    }
  }
  for (int i = 0; i < n; i++) freeShape(&shapes[i]);
  mj_deleteData(d);
}

static void surveyHulls(counts* sum, hulls* h, int poses) {
  mjModel* m = h->n ? modelOfHulls(h) : NULL;
  if (m) survey(sum, m, poses);
  mj_deleteModel(m);
  freeHulls(h);
}

// new hulls after a few poses of each pair
static void surveyRandomHulls(counts* sum, int poses) {
  enum { FEW = 30 };
  for (; poses > 0; poses -= FEW) {
    hulls h = {0};
    for (int kind = 0; kind < NHULLKIND; kind++) randomHull(&h, kind);
    surveyHulls(sum, &h, poses < FEW ? poses : FEW);
  }
}

static void surveyFiles(counts* sum, const char* paths, int poses) {
  enum { MOST = 1500 };  // faces, as each pose tries all pairs of edges
  char one[4096], error[1000];
  while (*paths) {
    size_t n = strcspn(paths, ":");
    snprintf(one, sizeof one, "%.*s", (int)n, paths);
    paths += n + (paths[n] == ':');
    mjModel* m = mj_loadXML(one, NULL, error, sizeof error);
    if (!m) printf("%s: %s\n", one, error);
    CHECK(m != NULL);
    if (!m) continue;
    if (getenv("SHEAF_SHOW")) printf("%s\n", one);
    hulls h = {0};
    hullsOfModel(&h, m, MOST);
    surveyHulls(sum, &h, poses);
    mj_deleteModel(m);
  }
}

static int posesOf(const char* variable, int otherwise) {
  const char* wanted = getenv(variable);
  return wanted ? atoi(wanted) : otherwise;
}

static void checkNothingWrong(const counts* c) {
  CHECK(c->contacts > c->poses / 3);
  CHECK_EQ(c->missed, 0);
  CHECK_EQ(c->invented, 0);
  CHECK_EQ(c->deep, 0);
  CHECK_EQ(c->normal, 0);
  if (getenv("SHEAF_SHOW")) {
    printf("poses %d contacts %d missed %d invented %d depth %d normal %d\n", c->poses, c->contacts, c->missed,
           c->invented, c->deep, c->normal);
  }
}

TEST(contacts_of_convex_pairs_are_those_of_brute_force) {
  mjModel* m = test_model(SHAPES);
  if (!m) return;
  seed = (unsigned)posesOf("SHEAF_SEED", 1);
  counts c = {0};
  survey(&c, m, posesOf("SHEAF_POSES", 3 * NKIND));
  checkNothingWrong(&c);
  mj_deleteModel(m);
}

TEST(contacts_of_hulls_are_those_of_brute_force) {
  const char* files = getenv("SHEAF_MESHES");
  seed = (unsigned)posesOf("SHEAF_SEED", 1);
  counts c = {0};
  surveyRandomHulls(&c, posesOf("SHEAF_POSES", 3 * NKIND));
  if (files) surveyFiles(&c, files, posesOf("SHEAF_POSES", 3 * NKIND));
  checkNothingWrong(&c);
}

// The face that ends the search of these has the depth that another face has shown, and goes right through the middle
// of both shapes.
TEST(ellipsoids_that_hardly_touch_have_the_normal_of_the_surface) {
  mjModel* m = test_model(
      "<mujoco><option ccd_iterations='200'/><worldbody><geom type='ellipsoid' size='.1 .2 .15'/>"
      "<geom type='ellipsoid' size='.2 .05 .1'/></worldbody></mujoco>");
  if (!m) return;
  seed = 15838;
  counts c = {0};
  survey(&c, m, 200);
  CHECK(c.contacts > 80);
  CHECK_EQ(c.normal, 0);
  mj_deleteModel(m);
}

// In four of these the nearest face ends far inside of the boundary, along whose normal shapes overlap by 1e-3 to 9e-3
// more than the depth. In the last, less than 1e-9 deep, the search ends before another face has shown the depth to
// ccd_tolerance. In the one before, brute force alone does not find the way down.
TEST(normals_of_curved_shapes_are_those_along_which_they_overlap_least) {
  static const struct {
    int geom[2];
    double pos[3], quat[4];
  } POSES[] = {
      {{0, 8},
       {-.042049558827, .219015534745, -.187169962101},
       {.885440850412, .367706145163, .284066939439, .009626273887}},
      {{1, 2},
       {-.044371582053, -.038825672645, -.044339702407},
       {-.111438336889, -.620608695468, .07157274115, .77285424687}},
      {{0, 1},
       {.094262550449, .059675170071, .315031436603},
       {.500950374738, -.033397359095, .864195926474, -.033147233975}},
      {{1, 3},
       {-.272187499623, -.019503915809, .104026438966},
       {.617360897613, .020635383982, .330483737272, -.71359666649}},
      {{0, 7},
       {.120318857892, -.004147637147, -.26575738573},
       {.465653937735, .831126296098, -.294716682047, .074414834065}},
      {{0, 8}, {-7.48e-10, -8.88e-10, -.250000001304}, {.707106780976, 5.14e-10, .707106781398, 8e-11}},
  };
  mjModel* m = test_model(SHAPES);
  if (!m) return;
  mjData* d = mj_makeData(m);
  shape s[2];
  counts c = {0};
  for (size_t i = 0; i < sizeof POSES / sizeof *POSES; i++) {
    pair p = {m, d, {POSES[i].geom[0], POSES[i].geom[1]}, {&s[0], &s[1]}};
    for (int k = 0; k < 2; k++) makeShape(&s[k], m, p.geom[k]);
    mju_zero3(d->geom_xpos + 3 * p.geom[0]);
    mju_eye(d->geom_xmat + 9 * p.geom[0], 3);
    mju_copy3(d->geom_xpos + 3 * p.geom[1], POSES[i].pos);
    mju_quat2Mat(d->geom_xmat + 9 * p.geom[1], POSES[i].quat);
    checkPose(&c, &p);
    for (int k = 0; k < 2; k++) freeShape(&s[k]);
  }
  CHECK_EQ(c.contacts, c.poses);
  CHECK_EQ(c.deep, 0);
  CHECK_EQ(c.normal, 0);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// The differences of these look like balls around the origin, so all iterations of the search are used up. Its nearest
// face is then 2e-5 to 5e-4 m inside of the boundary, and shapes overlap along its normal by up to 9e-3 m more than
// that.
TEST(depths_of_shapes_in_the_middle_of_each_other_are_right) {
  static const int PAIRS[][2] = {{0, 1}, {0, 9}, {0, 8}, {1, 2}, {0, 7}};
  mjModel* m = test_model(SHAPES);
  if (!m) return;
  mjData* d = mj_makeData(m);
  mj_kinematics(m, d);
  shape s[2];
  counts c = {0};
  seed = 1;
  for (size_t i = 0; i < sizeof PAIRS / sizeof *PAIRS; i++) {
    pair p = {m, d, {PAIRS[i][0], PAIRS[i][1]}, {&s[0], &s[1]}};
    for (int k = 0; k < 2; k++) makeShape(&s[k], m, p.geom[k]);
    for (int k = 0; k < 24; k++) {
      place(&p, STACKED);
      for (int j = 0; j < 3; j++) d->geom_xpos[3 * p.geom[1] + j] = 1e-9 * noise();
      checkPose(&c, &p);
    }
    for (int k = 0; k < 2; k++) freeShape(&s[k]);
  }
  CHECK_EQ(c.contacts, c.poses);
  checkNothingWrong(&c);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// Two hulls, the last geoms of a model.
typedef struct {
  mjModel* m;
  mjData* d;
  shape s[2];
  pair p;
} couple;

// 1 if the model of these hulls compiles; they are freed
static int openCouple(couple* c, hulls* h, mjModel* (*modelOf)(const hulls*)) {
  c->m = modelOf(h);
  freeHulls(h);
  if (!c->m) return 0;
  c->d = mj_makeData(c->m);
  c->p = (pair){c->m, c->d, {c->m->ngeom - 2, c->m->ngeom - 1}, {&c->s[0], &c->s[1]}};
  for (int k = 0; k < 2; k++) makeShape(&c->s[k], c->m, c->p.geom[k]);
  return 1;
}

static void closeCouple(couple* c) {
  for (int k = 0; k < 2; k++) freeShape(&c->s[k]);
  mj_deleteData(c->d);
  mj_deleteModel(c->m);
}

// poses of two hulls whose contact does not have the overlap along its normal as its depth
static int countWrongNormals(pair* p, int poses) {
  mjContact con[mjMAXCONPAIR];
  int wrong = 0;
  for (int i = 0; i < poses; i++) {
    place(p, RANDOM);
    int n = mjCOLLISIONFUNC[mjGEOM_MESH][mjGEOM_MESH](p->m, p->d, con, p->geom[0], p->geom[1], 0);
    wrong += n && fabs(overlap(p, con->frame) + con->dist) > 1e-6;
  }
  return wrong;
}

// A direction may show the depth before the polytope has a face there. By rounding, that face seemed to be farther than
// the depth and was left out, and the nearest of the others had a depth that no direction shows: in 3 of 1.2 million
// poses, of which each of these seeds has one.
TEST(faces_at_the_depth_that_a_direction_has_shown_are_found) {
  static const struct {
    int kind;
    unsigned seed;
  } HULLS[] = {{LATTICE, 3776522239}, {ROUND, 3411386190}, {ROUND, 1808258921}};
  int wrong = 0;
  for (size_t i = 0; i < sizeof HULLS / sizeof *HULLS; i++) {
    hulls h = {0};
    seed = HULLS[i].seed;
    randomHull(&h, DENTED);
    randomHull(&h, HULLS[i].kind);
    couple two;
    if (!openCouple(&two, &h, modelOfHulls)) return;
    wrong += countWrongNormals(&two.p, 2000);
    closeCouple(&two);
  }
  CHECK_EQ(wrong, 0);
}

// Rounding errors flatten the last simplices of a search for more digits than there are. The distance is then that of
// the simplex before: shapes lie apart by it along the line between their closest points.
TEST(distances_to_more_digits_than_there_are_remain_distances) {
  enum { NGEOM = 5 };
  mjModel* m = test_model(SHAPES);
  if (!m) return;
  m->opt.ccd_tolerance = 1e-10;
  m->opt.ccd_iterations = 200;
  mjData* d = mj_makeData(m);
  mj_kinematics(m, d);
  shape s[NGEOM];
  for (int i = 0; i < NGEOM; i++) makeShape(&s[i], m, i);
  seed = 3;
  int apart = 0, wrong = 0;
  for (int i = 0; i < 8000; i++) {
    int a = i % NGEOM, b = (a + 1 + i / NGEOM % (NGEOM - 1)) % NGEOM;
    pair p = {m, d, {a, b}, {&s[a], &s[b]}};
    place(&p, RANDOM);
    mju_scl3(d->geom_xpos + 3 * b, d->geom_xpos + 3 * b, 2);
    mjtNum fromto[6], n[3], dist = mj_geomDistance(m, d, a, b, 1, fromto);
    mju_sub3(n, fromto + 3, fromto);
    if (mju_normalize3(n) < 1e-3) continue;
    apart += dist > 0;
    mju_scl3(n, n, dist < 0 ? -1 : 1);
    wrong += fabs(overlap(&p, n) + dist) > CURVED_NORMAL;
  }
  CHECK(apart > 3000);
  CHECK_EQ(wrong, 0);
  if (getenv("SHEAF_SHOW")) printf("apart %d wrong %d\n", apart, wrong);
  for (int i = 0; i < NGEOM; i++) freeShape(&s[i]);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// move the second shape along a normal, until the overlap along it is a depth
static void overlapBy(const pair* p, const double normal[3], double depth) {
  mju_addToScl3(p->d->geom_xpos + 3 * p->geom[1], normal, overlap(p, normal) - depth);
}

static void checkShallow(counts* c, pair* p) {
  static const double OVERLAP[] = {1.1e-9, 1.5e-9, 3e-9, 1e-8};
  place(p, TOUCHING);
  least r = truthOf(p, (double[]){0, 0, 1});
  for (size_t i = 0; i < sizeof OVERLAP / sizeof *OVERLAP; i++) {
    overlapBy(p, r.normal, OVERLAP[i]);
    checkPose(c, p);
  }
}

// The climb for the farthest corner ends in a dent, so that a plane seems to separate the hulls, or a polytope of such
// corners shows no depth.
TEST(hulls_that_overlap_by_less_than_their_dents_have_a_contact) {
  counts c = {0};
  seed = 3;
  for (int i = 0; i < 20; i++) {
    hulls h = {0};
    for (int k = 0; k < 2; k++) randomHull(&h, DENTED);
    couple two;
    if (!openCouple(&two, &h, modelOfHulls)) return;
    for (int k = 0; k < 20; k++) checkShallow(&c, &two.p);
    closeCouple(&two);
  }
  checkNothingWrong(&c);
}

// two hulls of free bodies that overlap by a few 1e-9 m
static void hardlyOverlap(mjtNum* qpos, const pair* p) {
  mju_zero(qpos, p->m->nq);
  for (int i = 3; i < 7; i++) qpos[i] = noise(), qpos[7 + i] = noise();
  mju_normalize4(qpos + 3);
  mju_normalize4(qpos + 10);
  double direction[3] = {noise(), noise(), noise()};
  mju_normalize3(direction);
  mju_copy(p->d->qpos, qpos, p->m->nq);
  mj_kinematics(p->m, p->d);
  mju_addToScl3(p->d->qpos + 7, direction, .9 * overlap(p, direction));
  for (int i = 0; i < 4; i++) {
    mj_kinematics(p->m, p->d);
    least r = truthOf(p, direction);
    mju_addToScl3(p->d->qpos + 7, r.normal, r.depth - (i == 3 ? 3e-9 * unit() : 0));
  }
  mju_copy(qpos, p->d->qpos, p->m->nq);
}

// Many states at once, and each alone.
static void checkLanes(const mjModel* m, mjData* d, const mjtNum* qpos, int n) {
  mjtNum* qacc = calloc((size_t)(n * m->nv), sizeof *qacc);
  sheafOutput output = {"qacc", qacc};
  sheafForward r = {.size = sizeof r, .nbatch = n, .qpos = qpos, .nqpos = n, .output = &output, .noutput = 1};
  sheafPool* pool = sheaf_openPool(&(sheafPoolConfig){.size = sizeof(sheafPoolConfig), .nthread = 1}, NULL);
  sheafStatus status;
  CHECK_EQ(sheaf_forward(pool, m, &r, &status), 0);
  sheaf_closePool(pool);
  for (int i = 0; i < n; i++) {
    mju_copy(d->qpos, qpos + i * m->nq, m->nq);
    mj_forward(m, d);
    CHECK(!memcmp(d->qacc, qacc + i * m->nv, (size_t)m->nv * sizeof *qacc));
  }
  free(qacc);
}

TEST(contacts_of_hulls_with_dents_are_the_same_in_lanes) {
  enum { STATES = 48 };
  seed = 5;
  for (int i = 0; i < 10; i++) {
    hulls h = {0};
    for (int k = 0; k < 2; k++) randomHull(&h, DENTED);
    couple two;
    if (!openCouple(&two, &h, modelOfFreeHulls)) return;
    mjtNum qpos[STATES * 14];
    for (int k = 0; k < STATES; k++) hardlyOverlap(qpos + 14 * k, &two.p);
    checkLanes(two.m, two.d, qpos, STATES);
    closeCouple(&two);
  }
}

TEST(polytopes_a_billionth_of_a_millimeter_deep_have_the_normal_of_a_face) {
  enum { CUBE = 6, WEDGE = 7 };
  mjModel* m = test_model(SHAPES);
  if (!m) return;
  mjData* d = mj_makeData(m);
  shape s[2];
  makeShape(&s[0], m, CUBE);
  makeShape(&s[1], m, WEDGE);
  pair p = {m, d, {CUBE, WEDGE}, {&s[0], &s[1]}};
  counts c = {0};
  seed = 3;
  for (int i = 0; i < 60; i++) {
    place(&p, TOUCHING);
    least r = truthOfPolytopes(&p);
    mju_addToScl3(d->geom_xpos + 3 * WEDGE, r.normal, r.depth - 1e-12);
    checkPose(&c, &p);
  }
  CHECK(c.contacts > 40);
  CHECK_EQ(c.normal, 0);
  for (int i = 0; i < 2; i++) freeShape(&s[i]);
  mj_deleteData(d);
  mj_deleteModel(m);
}
