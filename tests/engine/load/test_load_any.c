// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include <sheaf/batch.h>
#include <stdlib.h>
#include <string.h>

#include "support/test.h"

static mjModel* loadSaved(const mjModel* m, char* error, int nerror) {
  int size = (int)mj_sizeModel(m);
  void* bytes = malloc((size_t)size);
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_saveModel(m, NULL, bytes, size);
  CHECK(!mj_addBufferVFS(&vfs, "m.mjb", bytes, size));
  mjModel* loaded = sheaf_loadModel("m.mjb", &vfs, error, nerror);
  mj_deleteVFS(&vfs);
  free(bytes);
  return loaded;
}

TEST(a_compiled_model_whose_plugin_cannot_be_initialized_is_refused) {
  char error[300] = "";
  mjModel* m = test_model(
      "<mujoco><extension><plugin plugin='mujoco.elasticity.cable'/></extension><worldbody><body>"
      "<geom type='capsule' size='.1 .1'/><plugin plugin='mujoco.elasticity.cable'><config key='twist' value='1234'/>"
      "</plugin></body></worldbody></mujoco>");
  if (!m) return;
  mjModel* good = loadSaved(m, error, sizeof error);
  CHECK(good && good->nplugin == 1 && !*error);
  for (int i = 0; i + 4 < m->npluginattr; i++) {
    if (!memcmp(m->plugin_attr + i, "1234", 4)) memcpy(m->plugin_attr + i, "much", 4);
  }
  CHECK(!loadSaved(m, error, sizeof error));
  CHECK_TEXT(error,
             "m.mjb: the compiled model is wrong: plugin instance 0 ('mujoco.elasticity.cable'): it cannot be "
             "initialized: twist must be a finite number, not 'much'");
  CHECK(!loadSaved(m, NULL, 0));
  mj_deleteModel(good);
  mj_deleteModel(m);
}
