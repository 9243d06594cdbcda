// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "model/sensor_row.h"
#include "support/test.h"

TEST(every_type_but_plugin_and_user_has_a_row) {
  for (int type = 0; type <= mjSENS_USER; type++) {
    int callback = type == mjSENS_PLUGIN || type == mjSENS_USER;
    CHECK_EQ(mji_sensorRow(type) == NULL, callback);
  }
  CHECK(!mji_sensorRow(-1));
  CHECK(!mji_sensorRow(mjSENS_USER + 1));
}

TEST(a_row_says_what_its_columns_say) {
  const mjiSensorRow* row = mji_sensorRow(mjSENS_FRAMEQUAT);
  CHECK_EQ(row->dim, 4);
  CHECK_EQ(row->datatype, mjDATATYPE_QUATERNION);
  CHECK_EQ(row->stage, mjSTAGE_POS);
  CHECK_EQ(row->object, mjiSENSE_FRAME);
  CHECK_EQ(row->reference, mjiSENSE_FRAME_OR_NONE);
  CHECK_EQ(mji_sensorRow(mjSENS_TORQUE)->flags, mjiSENSE_BODY_FORCES);
}

TEST(objects_fit_by_their_type) {
  CHECK(mji_sensorObjectFits(mjiSENSE_SITE, mjOBJ_SITE));
  CHECK(!mji_sensorObjectFits(mjiSENSE_SITE, mjOBJ_BODY));
  CHECK(!mji_sensorObjectFits(mjiSENSE_FRAME, mjOBJ_UNKNOWN));
  CHECK(mji_sensorObjectFits(mjiSENSE_FRAME_OR_NONE, mjOBJ_UNKNOWN));
  CHECK(mji_sensorObjectFits(mjiSENSE_ANY, mjOBJ_MODEL));

  // a type may come from a file
  CHECK(!mji_sensorObjectFits(mjiSENSE_SITE, -1));
  CHECK(!mji_sensorObjectFits(mjiSENSE_SITE, 1000));
}

TEST(contact_sensors_have_their_fields_times_their_contacts) {
  CHECK_EQ(mji_sensorContactDim((int[]){1 << mjCONDATA_FOUND, 0, 1}), 1);
  CHECK_EQ(mji_sensorContactDim((int[]){1 << mjCONDATA_FORCE | 1 << mjCONDATA_DIST, 2, 5}), 20);
  CHECK_EQ(mji_sensorContactDim((int[]){0, 0, 1}), -1);
  CHECK_EQ(mji_sensorContactDim((int[]){1, 4, 1}), -1);
  CHECK_EQ(mji_sensorContactDim((int[]){1, 0, 0}), -1);
  CHECK_EQ(mji_sensorContactDim((int[]){127, 0, INT32_MAX / 2}), -1);
}
