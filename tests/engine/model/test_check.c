// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Models that are wrong in one place. Between them the models have every kind of element.

#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "fuzz/mjb_models.h"
#include "model/check.h"
#include "support/test.h"
#include "tables/reference_table.h"

static int nrefused;

// the model must be refused with this value, and is accepted again without it
static void refuse(const mjModel* m, int* at, int value, const char* what) {
  int old = *at;
  *at = value;
  const char* wrong = mji_checkModel(m);
  if (!wrong) printf("%s = %d is not noticed\n", what, value);
  CHECK(wrong != NULL);
  *at = old;
  nrefused++;
}

TEST(every_reference_is_checked) {
  nrefused = 0;
  for (int i = 0; i < FUZZ_MODELS; i++) {
    mjModel* m = test_model(fuzz_models[i]);
    if (!m) continue;
    CHECK(!mji_checkModel(m));
#define EACH(n, values)           \
  for (int k = 0; k < (n); k++) { \
    if (k == 0 || k == (n)-1) {   \
      values                      \
    }                             \
  }
#define INDEX(array, count, limit)                                                               \
  EACH(m->count, refuse(m, m->array + k, -1, #array); refuse(m, m->array + k, m->limit, #array); \
       refuse(m, m->array + k, INT_MAX, #array);)
#define OPTION(array, count, limit)                                                              \
  EACH(m->count, refuse(m, m->array + k, -2, #array); refuse(m, m->array + k, m->limit, #array); \
       refuse(m, m->array + k, INT_MIN, #array);)
#define RANGE(adr, num, count, limit)                                                        \
  EACH(m->count, refuse(m, m->num + k, -1, #num); refuse(m, m->num + k, m->limit + 1, #num); \
       refuse(m, m->num + k, INT_MAX, #num); if (m->num[k]) refuse(m, m->adr + k, -1, #adr); \
       if (m->num[k]) refuse(m, m->adr + k, INT_MAX, #adr);)
#define WORD(array, count, first, limit) \
  EACH(m->count, refuse(m, m->array + k, (first)-1, #array); refuse(m, m->array + k, limit, #array);)
    MJI_REFERENCES
#undef INDEX
#undef OPTION
#undef RANGE
#undef WORD
    CHECK(!mji_checkModel(m));
    mj_deleteModel(m);
  }
  CHECK(nrefused > 1000);
}

TEST(what_follows_from_the_tree_must_follow) {
  mjModel* m = test_model(fuzz_models[0]);
  if (!m) return;
#define NEXT(array, n) \
  for (int k = 0; k < (n); k++) refuse(m, m->array + k, m->array[k] + 1, #array);
  // clang-format off
  NEXT(body_parentid, m->nbody) NEXT(body_rootid, m->nbody) NEXT(body_weldid, m->nbody)
  NEXT(body_jntnum, m->nbody) NEXT(body_jntadr, m->nbody) NEXT(body_dofnum, m->nbody)
  NEXT(body_dofadr, m->nbody) NEXT(body_treeid, m->nbody) NEXT(body_geomnum, m->nbody)
  NEXT(body_geomadr, m->nbody) NEXT(body_mocapid, m->nbody) NEXT(geom_bodyid, m->ngeom)
  NEXT(jnt_qposadr, m->njnt) NEXT(jnt_dofadr, m->njnt) NEXT(jnt_bodyid, m->njnt)
  NEXT(dof_bodyid, m->nv) NEXT(dof_jntid, m->nv) NEXT(dof_parentid, m->nv) NEXT(dof_treeid, m->nv)
  NEXT(dof_Madr, m->nv) NEXT(dof_simplenum, m->nv) NEXT(tree_bodynum, m->ntree)
  NEXT(tree_dofadr, m->ntree) NEXT(M_rownnz, m->nv) NEXT(M_rowadr, m->nv) NEXT(M_colind, m->nC)
  NEXT(mapM2M, m->nC) NEXT(D_rownnz, m->nv) NEXT(D_rowadr, m->nv) NEXT(D_diag, m->nv)
  NEXT(D_colind, m->nD) NEXT(mapM2D, m->nD) NEXT(mapD2M, m->nC) NEXT(B_rownnz, m->nbody)
  NEXT(B_colind, m->nB)
  // clang-format on
#undef NEXT
                                      mj_deleteModel(m);
}

TEST(sizes_without_arrays_are_checked) {
  mjModel* m = test_model(fuzz_models[1]);
  if (!m) return;
  int* size[] = {&m->nJmom, &m->nM, &m->nC,    &m->nD,         &m->nB,          &m->nsensordata, &m->na,
                 &m->nq,    &m->nv, &m->ntree, &m->nnames_map, &m->nbvhdynamic, &m->nmocap,      &m->npluginstate};
  for (size_t i = 0; i < sizeof size / sizeof *size; i++) refuse(m, size[i], *size[i] + 1, "a size");
  refuse(m, &m->nuserdata, -1, "nuserdata");
  refuse(m, &m->opt.solver, 3, "opt.solver");
  refuse(m, &m->opt.integrator, -1, "opt.integrator");
  mj_deleteModel(m);
}

// UndefinedBehaviorSanitizer looks on: checks of numbers must not overflow
TEST(numbers_of_flexes_may_be_any) {
  mjModel* m = test_model(
      "<mujoco><worldbody><flexcomp name='f' type='grid' count='2 2 2' spacing='.1 .1 .1' dim='3' dof='trilinear'>"
      "<contact selfcollide='none' internal='false'/></flexcomp></worldbody></mujoco>");
  if (!m) return;
  static const int values[] = {INT_MAX, INT_MIN, -1, 3};
  int* number[] = {m->flex_interp, m->flex_nodenum, m->flex_vertnum, m->flex_edgenum, m->flex_elemnum};
  for (int k = 0; k < 5; k++) {
    for (int i = 0; i < 4; i++) refuse(m, number[k], values[i], "a number of a flex");
  }
  mj_deleteModel(m);
}

TEST(links_fit_their_types) {
  mjModel* m = test_model(fuzz_models[1]);
  if (!m) return;
  refuse(m, m->actuator_trntype, mjTRN_UNDEFINED, "actuator_trntype");
  refuse(m, m->actuator_actnum, 1, "actuator_actnum");
  refuse(m, m->eq_type, mjEQ_FLEX, "eq_type");
  refuse(m, m->eq_objtype, mjOBJ_GEOM, "eq_objtype");
  refuse(m, m->geom_condim, 2, "geom_condim");
  refuse(m, m->pair_dim, 5, "pair_dim");
  refuse(m, m->sensor_dim, 2, "sensor_dim");
  refuse(m, m->sensor_needstage, mjSTAGE_ACC, "sensor_needstage");
  refuse(m, m->sensor_objtype, mjOBJ_BODY, "sensor_objtype");
  refuse(m, m->wrap_type, mjWRAP_JOINT, "wrap_type");
  refuse(m, m->wrap_type, mjWRAP_SPHERE, "wrap_type");
  refuse(m, m->wrap_type + m->tendon_num[0] - 1, mjWRAP_PULLEY, "wrap_type");
  refuse(m, m->tuple_objid, m->nbody, "tuple_objid");
  m->wrap_prm[1] = 0.5;
  CHECK_TEXT(mji_checkModel(m), "wrap_prm");
  m->wrap_prm[1] = NAN;
  CHECK_TEXT(mji_checkModel(m), "wrap_prm");
  m->wrap_prm[1] = m->nsite;
  CHECK_TEXT(mji_checkModel(m), "wrap_prm");
  mj_deleteModel(m);
}

TEST(models_that_compile_are_good) {
  static const char* const xml[] = {
      // a camera and a light without the body that they are to look at
      "<mujoco><worldbody><camera mode='targetbodycom'/><light mode='targetbody'/></worldbody></mujoco>",
      // a ball joint in a tendon, which takes its first coordinate
      "<mujoco><worldbody><body><joint name='b' type='ball'/><geom size='1'/></body></worldbody>"
      "<tendon><fixed><joint joint='b' coef='1'/></fixed></tendon></mujoco>"};
  for (int i = 0; i < 2; i++) {
    mjModel* m = test_model(xml[i]);
    if (!m) continue;
    CHECK(!mji_checkModel(m));
    mj_deleteModel(m);
  }
}

TEST(signatures_of_pairs_and_excludes_follow_from_bodies_and_ascend) {
  mjModel* m = test_model(
      "<mujoco><worldbody><body name='a'><joint/><geom name='a' size='1'/></body>"
      "<body name='b'><joint/><geom name='b' size='1'/></body><body name='c'><joint/><geom name='c' size='1'/></body>"
      "</worldbody><contact><pair geom1='b' geom2='a'/><pair geom1='b' geom2='c'/>"
      "<exclude body1='c' body2='a'/><exclude body1='c' body2='b'/></contact></mujoco>");
  if (!m) return;
  CHECK(!mji_checkModel(m));
  refuse(m, m->pair_signature, (1 << 16) + 3, "pair_signature");
  refuse(m, m->pair_signature + 1, (3 << 16) + 2, "pair_signature");
  refuse(m, m->pair_geom1, m->pair_geom2[1], "pair_geom1");
  refuse(m, m->exclude_signature, (3 << 16) + 1, "exclude_signature");
  refuse(m, m->exclude_signature, (1 << 16) + 4, "exclude_signature");
  refuse(m, m->exclude_signature + 1, (1 << 16) + 2, "exclude_signature");
  refuse(m, m->exclude_signature, -1, "exclude_signature");
  mj_deleteModel(m);
}

TEST(assets_fit_together) {
  mjModel* m = test_model(fuzz_models[2]);
  if (!m) return;
  for (int k = 0; k < 3 * m->nmeshface; k++) refuse(m, m->mesh_face + k, m->mesh_vertnum[0], "mesh_face");
  for (int k = 0; k < m->nmeshpolyvert; k++) {
    refuse(m, m->mesh_polyvert + k, m->mesh_vertnum[0], "mesh_polyvert");
  }
  for (int k = 0; k < m->nmeshpolymap; k++) refuse(m, m->mesh_polymap + k, m->nmeshpoly, "mesh_polymap");
  for (int k = 0; k < m->nmeshgraph; k++) refuse(m, m->mesh_graph + k, 1 << 20, "mesh_graph");
  for (int k = 0; k < m->nbvh; k++) refuse(m, m->bvh_child + 2 * k, m->nbvh, "bvh_child");
  for (int k = 0; k < m->nbvh; k++) {
    if (m->bvh_child[2 * k] < 0) continue;
    refuse(m, m->bvh_nodeid + k, 0, "bvh_nodeid");
    refuse(m, m->bvh_child + 2 * k + 1, m->bvh_child[2 * k], "bvh_child");  // a walk would go there twice
  }
  for (int k = 0; k < 3 * m->nskinface; k++) refuse(m, m->skin_face + k, m->nskinvert, "skin_face");
  refuse(m, m->skin_bonevertid, m->nskinvert, "skin_bonevertid");
  refuse(m, m->hfield_nrow, 4, "hfield_nrow");
  refuse(m, m->hfield_ncol, 0, "hfield_ncol");
  refuse(m, m->hfield_adr, 1, "hfield_adr");
  refuse(m, m->tex_width, 5, "tex_width");
  refuse(m, m->tex_height, INT_MAX, "tex_height");
  refuse(m, m->tex_nchannel, 0, "tex_nchannel");
  refuse(m, m->geom_dataid, -1, "geom_dataid");
  refuse(m, m->geom_type, mjGEOM_SDF, "geom_type");
  mj_deleteModel(m);
}

TEST(edges_lie_in_the_order_of_flexes) {
  mjModel* m = test_model(fuzz_models[4]);
  if (!m) return;
  CHECK(m->nflex == 5 && m->flex_edgenum[1]);
  refuse(m, m->flex_edgeadr, 1, "flex_edgeadr");
  refuse(m, m->flex_edgeadr + 1, 0, "flex_edgeadr");
  refuse(m, m->flex_edgenum, m->flex_edgenum[0] - 1, "flex_edgenum");
  mj_deleteModel(m);
}

TEST(texts_of_plugins_lie_within_the_model) {
  mjModel* m = test_model(fuzz_models[5]);
  if (!m) return;
  CHECK(m->nplugin == 3);
  for (int i = 0; i < m->nplugin; i++) {
    static const int bad[] = {-1, INT_MIN, INT_MAX};
    for (int k = 0; k < 3; k++) refuse(m, m->plugin_attradr + i, bad[k], "plugin_attradr");
    refuse(m, m->plugin_attradr + i, m->npluginattr, "plugin_attradr");
  }
  mj_deleteModel(m);
}
