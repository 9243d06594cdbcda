// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include <string.h>

#include "model/equality_row.h"
#include "support/test.h"

TEST(types_that_are_offered_have_rows) {
  for (int type = mjEQ_CONNECT; type <= mjEQ_FLEX; type++) CHECK(mji_equalityRow(type));
  CHECK(!mji_equalityRow(mjEQ_DISTANCE));
  CHECK(!mji_equalityRow(-1));
  CHECK(!mji_equalityRow(1000));
}

TEST(words_lead_to_types) {
  for (int type = mjEQ_CONNECT; type <= mjEQ_FLEX; type++)
    CHECK_EQ(mji_equalityType(mji_equalityRow(type)->word), type);
  CHECK_EQ(mji_equalityType("distance"), -1);
}

TEST(objects_follow_from_the_ends) {
  CHECK_EQ(mji_equalityObject(mjEQ_WELD, mjOBJ_SITE), mjOBJ_SITE);
  CHECK_EQ(mji_equalityObject(mjEQ_CONNECT, mjOBJ_BODY), mjOBJ_BODY);
  CHECK_EQ(mji_equalityObject(mjEQ_JOINT, mjOBJ_UNKNOWN), mjOBJ_JOINT);
  CHECK_EQ(mji_equalityObject(mjEQ_TENDON, mjOBJ_SITE), mjOBJ_TENDON);
  CHECK_EQ(mji_equalityObject(mjEQ_DISTANCE, mjOBJ_GEOM), mjOBJ_UNKNOWN);
}

TEST(equalities_without_a_row_are_refused) {
  mjSpec* spec = mj_makeSpec();
  mjsEquality* equality = mjs_addEquality(spec, NULL);
  equality->type = mjEQ_DISTANCE;
  CHECK(!mj_compile(spec, NULL));
  CHECK(strstr(mjs_getError(spec), "not supported"));
  mj_deleteSpec(spec);
}
