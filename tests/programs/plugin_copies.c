// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// A plugin of the program in copies of specifications and models, and in files.
#include "program.h"

// a force of the attribute "push" on the first dof, which grows by the steps that its state counts
static int states(const mjModel* m, int instance) {
  (void)m, (void)instance;
  return 1;
}

static void reset(const mjModel* m, mjtNum* state, void* data, int instance) {
  (void)m, (void)data, (void)instance;
  state[0] = 1;
}

static void compute(const mjModel* m, mjData* d, int instance, int capability) {
  (void)capability;
  const char* push = mj_getPluginConfig(m, instance, "push");
  if (push && *push) d->qfrc_passive[0] += atof(push) * d->plugin_state[m->plugin_stateadr[instance]];
}

static void advance(const mjModel* m, mjData* d, int instance) { d->plugin_state[m->plugin_stateadr[instance]] += 1; }

static void registerPush(void) {
  static const char* const attributes[] = {"push", "note"};
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  plugin.name = "programs.push";
  plugin.nattribute = 2;
  plugin.attributes = attributes;
  plugin.capabilityflags = mjPLUGIN_PASSIVE;
  plugin.nstate = states;
  plugin.reset = reset;
  plugin.compute = compute;
  plugin.advance = advance;
  mjp_registerPlugin(&plugin);
}

static const char* const kPushed =
    "<mujoco><extension><plugin plugin='programs.push'><instance name='declared'><config key='push' value='2'/>"
    "<config key='note' value='a b'/></instance></plugin></extension>"
    "<worldbody><body name='b'><joint type='slide'/><geom size='.1'/><plugin instance='declared'/>"
    "<body name='inner' pos='0 0 1'><joint axis='0 1 0'/><geom size='.1' pos='.2 0 0'/>"
    "<plugin plugin='programs.push'><config key='push' value='-.5'/></plugin></body></body></worldbody></mujoco>";

static void showPushes(const char* name, mjModel* m) {
  printf("%s: ", name);
  if (!m) {
    printf("none\n");
    return;
  }
  mjData* d = mj_makeData(m);
  for (int b = 1; b < m->nbody; b++) {
    int i = m->body_plugin[b];
    if (i < 0) continue;
    printf("%s push '%s' note '%s' ", mj_id2name(m, mjOBJ_BODY, b), mj_getPluginConfig(m, i, "push"),
           mj_getPluginConfig(m, i, "note"));
  }
  for (int i = 0; i < 10; i++) mj_step(m, d);
  printf("of %d, states %d: %g ", (int)m->nplugin, (int)m->npluginstate, d->plugin_state[0]);
  show("qpos", d->qpos, m->nq);
  mj_deleteData(d);
  mj_deleteModel(m);
}

int main(int argc, char** argv) {
  char error[500] = "";
  const char* file = argc > 1 ? argv[1] : "file.mjb";
  registerPush();
  mjSpec* s = mj_parseXMLString(kPushed, NULL, error, sizeof error);
  mjModel* m = s ? mj_compile(s, NULL) : NULL;
  if (!m) return printf("%s %s\n", error, s ? mjs_getError(s) : ""), 1;
  mj_saveModel(m, file, NULL, 0);
  showPushes("copied model", mj_copyModel(NULL, m));
  showPushes("binary", mj_loadModel(file, NULL));
  mjSpec* copy = mj_copySpec(s);
  showPushes("copied specification", mj_compile(copy, NULL));
  printf("saved %d\n", mj_saveXML(s, "saved.xml", error, sizeof error));
  showPushes("written", mj_loadXML("saved.xml", NULL, error, sizeof error));
  showPushes("first", m);
  mj_deleteSpec(copy);
  mj_deleteSpec(s);
  return 0;
}
