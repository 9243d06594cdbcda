// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Registration of plugins, and the life of an instance: when each function of a plugin is called, and with what.
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sheaf/strings.h"
#include "support/test.h"

// ---- a plugin that notes its calls: passive force, actuator and sensor from one state of two numbers

static char calls[4000];
static int alive;
static int broken;  // init ends with an error

static void call(const char* what) {
  if (strlen(calls) + strlen(what) + 2 < sizeof calls) strcat(strcat(calls, what), " ");
}

static mjtNum number(const mjModel* m, int instance, const char* key) {
  const char* text = mj_getPluginConfig(m, instance, key);
  return text ? atof(text) : -1;
}

static int nstate(const mjModel* m, int instance) { return (int)number(m, instance, "states"); }
static int nsensordata(const mjModel* m, int instance, int sensor) { return (int)number(m, instance, "values"); }

static int init(const mjModel* m, mjData* d, int instance) {
  if (number(m, instance, "fails") > 0) return -1;
  if (broken) mju_error("no device");
  int* mine = malloc(sizeof *mine);
  *mine = 10;
  d->plugin_data[instance] = (uintptr_t)mine;
  alive++;
  call("init");
  return 0;
}

static void destroy(mjData* d, int instance) {
  free((void*)d->plugin_data[instance]);  // NOLINT
  alive--;
  call("destroy");
}

static void copy(mjData* dest, const mjModel* m, const mjData* src, int instance) {
  *(int*)dest->plugin_data[instance] = *(int*)src->plugin_data[instance];  // NOLINT
  call("copy");
}

static void reset(const mjModel* m, mjtNum* state, void* data, int instance) {
  state[0] = 3;
  *(int*)data += 1;
  call("reset");
}

static void compute(const mjModel* m, mjData* d, int instance, int capability) {
  const mjtNum* state = d->plugin_state + m->plugin_stateadr[instance];
  switch (capability) {
    case mjPLUGIN_PASSIVE: call("passive"), d->qfrc_passive[0] += state[0]; break;
    case mjPLUGIN_ACTUATOR: call("force"), d->actuator_force[0] = 100 * state[0]; break;
    case mjPLUGIN_SENSOR:
      call("sensor");
      for (int i = 0; i < m->sensor_dim[0]; i++) d->sensordata[m->sensor_adr[0] + i] = state[0] + i;
      break;
    default: call("?");
  }
}

static void rate(const mjModel* m, mjData* d, int instance) { call("rate"), d->act_dot[0] = 7; }

static void advance(const mjModel* m, mjData* d, int instance) {
  call("advance");
  d->plugin_state[m->plugin_stateadr[instance]] += 1;
}

static const char* const keys[] = {"states", "values", "fails"};

static mjpPlugin example(void) {
  mjpPlugin p;
  mjp_defaultPlugin(&p);
  p.name = "test.notes";
  p.nattribute = 3;
  p.attributes = keys;
  p.capabilityflags = mjPLUGIN_ACTUATOR | mjPLUGIN_SENSOR | mjPLUGIN_PASSIVE;
  p.needstage = mjSTAGE_VEL;
  p.nstate = nstate;
  p.nsensordata = nsensordata;
  p.init = init;
  p.destroy = destroy;
  p.copy = copy;
  p.reset = reset;
  p.compute = compute;
  p.actuator_act_dot = rate;
  p.advance = advance;
  return p;
}

// ---- registration

static jmp_buf failed;
static char said[500];

static void fail(const char* text) {
  snprintf(said, sizeof said, "%s", text);
  longjmp(failed, 1);
}

static void note(const char* text) { snprintf(said, sizeof said, "%s", text); }

static void refuse(const mjpPlugin* p, const char* why) {
  int n = mjp_pluginCount();
  said[0] = 0;
  mju_user_error = fail;
  if (!setjmp(failed)) mjp_registerPlugin(p);
  mju_user_error = NULL;
  CHECK_TEXT(said, why);
  CHECK_EQ(mjp_pluginCount(), n);
}

TEST(a_plugin_is_registered_once_and_copied) {
  char name[] = "test.copied";
  mjpPlugin p = example();
  p.name = name;
  int slot = mjp_registerPlugin(&p), found;
  CHECK_EQ(slot, mjp_pluginCount() - 1);
  CHECK_EQ(mjp_registerPlugin(&p), slot);
  name[0] = 'X';
  CHECK(mjp_getPlugin("test.copied", &found) == mjp_getPluginAtSlot(slot));
  CHECK_EQ(found, slot);
  CHECK(!strcmp(mjp_getPluginAtSlot(slot)->attributes[1], "values"));
  CHECK(!mjp_getPlugin("test.nowhere", NULL) && !mjp_getPlugin("", NULL));
  CHECK(!mjp_getPluginAtSlot(-1) && !mjp_getPluginAtSlot(mjp_pluginCount()));
  CHECK(mjp_getPlugin("mujoco.pid", NULL) && mjp_getPlugin("mujoco.elasticity.cable", NULL));
}

TEST(registration_says_what_is_wrong) {
  static const char* const twice[] = {"a", "a"};
  mjpPlugin p = example(), q = example();
  mjp_registerPlugin(&p);
  q.advance = NULL;
  refuse(&q, "another plugin has the same name");
  q = p;
  q.nattribute = 2;
  refuse(&q, "another plugin has the same name");
  q.name = "test.q";
  q.attributes = twice;
  refuse(&q, "two of its attributes have the same name");
  q.attributes = NULL;
  refuse(&q, "no list of attributes");
  q.name = "";
  refuse(&q, "it has no name");
}

TEST(libraries_that_cannot_be_loaded) {
  mju_user_error = fail;
  said[0] = 0;
  if (!setjmp(failed)) mj_loadPluginLibrary("/nowhere/some.so");
  mju_user_error = NULL;
  CHECK_TEXT(said, "plugin library '/nowhere/some.so'");

  // folders: not there, without a library, with a file that is none
  char folder[] = "/tmp/sheafXXXXXX", library[40];
  CHECK(mkdtemp(folder) != NULL);
  snprintf(library, sizeof library, "%s/some.so", folder);
  mju_user_warning = note;
  said[0] = 0;
  mj_loadAllPluginLibraries("/nowhere", NULL);
  mj_loadAllPluginLibraries(folder, NULL);
  CHECK(!said[0]);
  fclose(fopen(library, "w"));
  mj_loadAllPluginLibraries(folder, NULL);
  CHECK_TEXT(said, "plugin library 'some.so' is not loaded");
  mju_user_warning = NULL;
  unlink(library);
  rmdir(folder);
}

// ---- an instance

static const char text[] =
    "<mujoco><extension><plugin plugin='test.notes'><instance name='n'><config key='states' value='2'/>"
    "<config key='values' value='3'/></instance></plugin></extension><worldbody><body><joint name='j'/>"
    "<geom size='.1'/><plugin instance='n'/></body></worldbody><actuator><plugin joint='j' instance='n' actdim='1'/>"
    "</actuator><sensor><plugin instance='n'/><jointpos joint='j'/></sensor></mujoco>";

static mjModel* load(void) {
  mjpPlugin p = example();
  mjp_registerPlugin(&p);
  return test_model(text);
}

TEST(instances_have_attributes_states_and_sensors) {
  mjModel* m = load();
  if (!m) return;
  CHECK_EQ(m->nplugin, 1);
  CHECK_EQ(m->npluginstate, 2);
  CHECK_EQ(m->npluginattr, 5);
  CHECK_EQ(m->nsensordata, 4);
  CHECK_EQ(m->sensor_adr[1], 3);
  CHECK_EQ(m->sensor_needstage[0], mjSTAGE_VEL);
  CHECK(m->body_plugin[1] == 0 && m->actuator_plugin[0] == 0 && m->sensor_plugin[0] == 0 && m->sensor_plugin[1] == -1);
  CHECK(!strcmp(mj_getPluginConfig(m, 0, "values"), "3"));
  CHECK(!strcmp(mj_getPluginConfig(m, 0, "fails"), ""));
  CHECK(!mj_getPluginConfig(m, 0, "other") && !mj_getPluginConfig(m, 1, "values") &&
        !mj_getPluginConfig(m, -1, "values"));
  CHECK_EQ(mj_name2id(m, mjOBJ_PLUGIN, "n"), 0);
  mj_deleteModel(m);
}

TEST(functions_are_called_in_the_stages) {
  mjModel* m = load();
  if (!m) return;
  CHECK_EQ(alive, 0);  // the data of the compiler is gone
  calls[0] = 0;
  mjData* d = mj_makeData(m);
  CHECK(!strcmp(calls, "init reset "));
  calls[0] = 0;
  mj_step(m, d);
  CHECK(!strcmp(calls, "passive sensor rate force advance "));
  CHECK_NEAR(d->plugin_state[0], 4, 0);
  CHECK_NEAR(d->act[0], 7 * m->opt.timestep, 1e-15);
  CHECK_NEAR(d->actuator_force[0], 300, 0);
  CHECK_NEAR(d->qfrc_passive[0], 3, 0);
  CHECK_NEAR(d->sensordata[2], 5, 0);

  // plugin_data survives resetting and copying
  calls[0] = 0;
  mj_resetData(m, d);
  CHECK(!strcmp(calls, "reset "));
  CHECK_NEAR(d->plugin_state[0], 3, 0);
  CHECK_EQ(*(int*)d->plugin_data[0], 12);  // NOLINT
  mj_step(m, d);
  calls[0] = 0;
  mjData* other = mj_copyData(NULL, m, d);
  CHECK(!strcmp(calls, "init reset copy "));
  CHECK(other->plugin_data[0] != d->plugin_data[0]);
  CHECK_EQ(*(int*)other->plugin_data[0], 12);  // NOLINT
  CHECK_NEAR(other->plugin_state[0], 4, 0);
  CHECK_EQ(alive, 2);
  mj_deleteData(other);
  mj_deleteData(d);
  CHECK_EQ(alive, 0);
  mj_deleteModel(m);
}

TEST(states_of_plugins_are_part_of_the_state) {
  mjModel* m = load();
  if (!m) return;
  mjData* d = mj_makeData(m);
  mjtNum state[2] = {0};
  CHECK_EQ(mj_stateSize(m, mjSTATE_PLUGIN), 2);
  CHECK_EQ(mj_stateSize(m, mjSTATE_FULLPHYSICS), mj_stateSize(m, mjSTATE_PHYSICS) + 3);
  mj_getState(m, d, state, mjSTATE_PLUGIN);
  CHECK_NEAR(state[0], 3, 0);
  state[0] = 8;
  mj_setState(m, d, state, mjSTATE_PLUGIN);
  CHECK_NEAR(d->plugin_state[0], 8, 0);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static mjModel* loadBytes(const void* bytes, int size) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "m.mjb", bytes, size);
  mjModel* m = mj_loadModel("m.mjb", &vfs);
  mj_deleteVFS(&vfs);
  return m;
}

TEST(binary_models_keep_plugins_and_are_checked) {
  mjModel* m = load();
  if (!m) return;
  int size = (int)mj_sizeModel(m);
  void* bytes = malloc((size_t)size);
  mj_saveModel(m, NULL, bytes, size);
  mjModel* same = loadBytes(bytes, size);
  CHECK(same && same->nplugin == 1 && !strcmp(mj_getPluginConfig(same, 0, "states"), "2"));
  mj_deleteModel(same);

  int* wrong[] = {m->plugin,          m->plugin_attradr, m->plugin_stateadr,
                  m->plugin_statenum, m->sensor_plugin,  &m->npluginstate};
  mju_user_warning = note;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    int keep = *wrong[i];
    *wrong[i] = i == 4 ? -1 : keep + 1000;
    mj_saveModel(m, NULL, bytes, size);
    said[0] = 0;
    CHECK(!loadBytes(bytes, size));
    CHECK(said[0]);
    *wrong[i] = keep;
  }
  mju_user_warning = NULL;
  free(bytes);
  mj_deleteModel(m);
}

// ---- in a specification

static mjModel* compile(mjSpec* s, const char* want) {
  mjModel* m = mj_compile(s, NULL);
  if (want) CHECK(!m);
  else CHECK_TEXT(mjs_getError(s), "");
  if (want) CHECK_TEXT(mjs_getError(s), want);
  return m;
}

static mjSpec* parse(void) {
  mjpPlugin p = example();
  mjp_registerPlugin(&p);
  char error[500] = "";
  mjSpec* s = mj_parseXMLString(text, NULL, error, sizeof error);
  CHECK(s != NULL);
  return s;
}

TEST(attributes_are_texts_in_turn) {
  mjSpec* s = parse();
  mjsPlugin* p = mjs_asPlugin(mjs_findElement(s, mjOBJ_PLUGIN, "n"));
  CHECK_EQ(sheaf_stringsSize(mjs_getPluginAttributes(p)), 4);
  mjStringVec* list = sheaf_makeStrings();
  mjs_appendString(list, "states");
  mjs_setPluginAttributes(p, list);
  CHECK_TEXT(mjs_getError(s), "odd number");
  mjs_appendString(list, "5");
  mjs_setPluginAttributes(p, list);
  sheaf_deleteStrings(list);
  mjModel* m = compile(s, NULL);
  CHECK(m && m->npluginstate == 5 && m->sensor_dim[0] == 0);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

TEST(mistakes_of_specifications_are_said) {
  mjSpec* s = parse();
  mjsBody* body = mjs_asBody(mjs_firstElement(s, mjOBJ_BODY));
  body = mjs_asBody(mjs_nextElement(s, body->element));
  mjs_setString(body->plugin.name, "other");
  compile(s, "plugin instance 'other' not found");
  mjs_setString(body->plugin.name, "n");
  mjs_setString(body->plugin.plugin_name, "mujoco.pid");
  compile(s, "not 'mujoco.pid'");
  mjs_setString(body->plugin.name, "");
  compile(s, "there is no instance of plugin 'mujoco.pid'");
  mjs_setString(body->plugin.plugin_name, "");
  compile(s, "neither a plugin nor an instance");
  mjsPlugin* own = mjs_addPlugin(s);
  body->plugin.element = own->element;
  compile(s, "nothing says of which plugin");
  mjs_setString(own->plugin_name, "mujoco.pid");
  compile(s, "does not compute passive forces");
  mjs_setString(own->plugin_name, "mujoco.elasticity.cable");
  compile(s, "is not declared as an extension");
  CHECK_EQ(mjs_activatePlugin(s, "test.nowhere"), -1);
  CHECK_TEXT(mjs_getError(s), "'test.nowhere' is not registered");
  CHECK_EQ(mjs_activatePlugin(s, "mujoco.elasticity.cable"), 0);
  compile(s, "cannot be initialized");
  mj_deleteSpec(s);
}

static const char implicit[] =
    "<mujoco><extension><plugin plugin='test.notes'/></extension><worldbody><body name='b'><joint/><geom size='.1'/>"
    "<plugin plugin='test.notes'><config key='states' value='1'/></plugin></body></worldbody></mujoco>";

TEST(an_instance_without_a_name_goes_with_its_element) {
  mjSpec* s = parse();
  mj_deleteSpec(s);
  char error[500];
  mjSpec* guest = mj_parseXMLString(implicit, NULL, error, sizeof error);
  mjSpec* host = mj_makeSpec();
  mjsFrame* frame = mjs_addFrame(mjs_findBody(host, "world"), NULL);
  CHECK(mjs_attach(frame->element, mjs_findBody(guest, "b")->element, "A", "") != NULL);
  mjSpec* again = mj_copySpec(host);
  mjModel *m = compile(host, NULL), *n = compile(again, NULL);
  CHECK(m && m->nplugin == 1 && m->body_plugin[1] == 0 && m->npluginstate == 1);
  CHECK(n && n->nplugin == 1 && n->body_plugin[1] == 0);
  mj_deleteModel(m);
  mj_deleteModel(n);
  mjs_delete(again, mjs_findBody(again, "Ab")->element);
  n = compile(again, NULL);
  CHECK(n && n->nplugin == 0);
  mj_deleteModel(n);
  mj_deleteSpec(again);
  mj_deleteSpec(host);
  mj_deleteSpec(guest);
}

TEST(documents_are_written_with_plugins) {
  mjSpec* s = parse();
  mjModel* m = compile(s, NULL);
  static char written[20000];
  char error[500] = "";
  CHECK_EQ(mj_saveXMLString(s, written, sizeof written, error, sizeof error), 0);
  mjModel* again = test_model(written);
  CHECK(again && again->nplugin == 1 && again->actuator_plugin[0] == 0 && again->sensor_plugin[0] == 0);
  CHECK(again && again->nsensordata == m->nsensordata && again->na == m->na && again->body_plugin[1] == 0);
  CHECK(again && !memcmp(again->plugin_attr, m->plugin_attr, (size_t)m->npluginattr));
  mj_deleteModel(again);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

// no memory stays behind (AddressSanitizer sees it)
TEST(an_error_of_a_plugin_ends_the_data_that_it_was_made_for) {
  mjModel* m = test_model(implicit);
  if (!m) return;
  int was = alive;
  broken = 1;
  said[0] = 0;
  mju_user_error = fail;
  if (!setjmp(failed)) mj_makeData(m);
  mju_user_error = NULL;
  broken = 0;
  CHECK_TEXT(said, "a plugin failed: no device");
  CHECK_EQ(alive, was);
  mjData* d = mj_makeData(m);
  CHECK(d && alive == was + 1);
  mj_deleteData(d);
  mj_deleteModel(m);
}
