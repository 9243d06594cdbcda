// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "models/helper.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <mujoco/mujoco.h>
#include <sheaf/batch.h>

#include "models/exchange.h"
#include "models/element_names.h"

enum { REPEATED = 2 };  // what mj_addBufferVFS returns for a name that is there

static srv_exchange_output result;
static size_t nwarning;   // length of its warning
static bool is_compiled;  // the main file is no text

static void write_all(const void* bytes, uint64_t n) {
  for (const char* at = bytes; n;) {
    ssize_t wrote = write(1, at, n < (1u << 30) ? n : (1u << 30));
    if (wrote <= 0) _exit(3);
    at += wrote;
    n -= (uint64_t)wrote;
  }
}

// write the result, and leave without running anything else
static _Noreturn void leave(const mjtNum* states, const void* model) {
  write_all(&result, sizeof result);
  if (model) {
    write_all(states, result.nrow * result.nstate * sizeof *states);
    write_all(model, result.size);
  }
  _exit(0);
}

static void on_error(const char* message) {
  snprintf(result.error, sizeof result.error, "%s", message);
  result.size = 0;
  leave(NULL, NULL);
}

// keep the first warnings, one per line
static void on_warning(const char* message) {
  size_t room = sizeof result.warning - nwarning - 1, n = strlen(message);
  if (room < 2) return;
  if (nwarning) result.warning[nwarning++] = '\n', room--;
  if (n > room) n = room;
  memcpy(result.warning + nwarning, message, n);
  nwarning += n;
}

// In the sandbox opening a file fails with EMFILE. To users this means that the client did not send the file, so say
// so.
static void name_missing_file(char* error, size_t size) {
  const char* why = strerror(EMFILE);
  char* at = strstr(error, why);
  if (at) snprintf(at, size - (size_t)(at - error), "it is not one of the model's files");
}

// the next n bytes of the input
static const char* take(const char** at, const char* end, uint64_t n) {
  const char* here = *at;
  if (n > (uint64_t)(end - here)) on_error("the input of the model compiler is truncated");
  *at += n;
  return here;
}

// fill the virtual file system; returns the name of the main file
static const char* read_input(const char* at, const char* end, mjVFS* vfs) {
  srv_exchange_input head;
  srv_exchange_file file;
  char message[SRV_EXCHANGE_TEXT];
  memcpy(&head, take(&at, end, sizeof head), sizeof head);
  const char* main = take(&at, end, head.main_len);
  for (uint64_t i = 0; i < head.nfile; i++) {
    memcpy(&file, take(&at, end, sizeof file), sizeof file);
    const char* name = take(&at, end, file.name_len);
    const char* data = take(&at, end, file.size);
    if (!strcmp(name, main)) is_compiled = sheaf_isCompiledModel(data, file.size);
    int failed = mj_addBufferVFS(vfs, name, data, (int)file.size);
    if (failed) {
      const char* why = failed == REPEATED ? "its name is used twice" : file.size ? "out of memory" : "empty";
      snprintf(message, sizeof message, "file %s: %s", name, why);
      on_error(message);
    }
  }
  return main;
}

// states after a reset and at the keyframes
static mjtNum* make_states(const mjModel* m) {
  mjData* d = mj_makeData(m);
  result.nrow = 1 + (uint64_t)m->nkey;
  result.nstate = (uint64_t)mj_stateSize(m, mjSTATE_FULLPHYSICS);
  mjtNum* states = calloc(result.nrow * result.nstate, sizeof *states);
  if (!d || !states) on_error("no memory for the model's data");
  mj_getState(m, d, states, mjSTATE_FULLPHYSICS);
  for (int key = 0; key < m->nkey; key++) {
    mj_resetDataKeyframe(m, d, key);
    mj_getState(m, d, states + result.nstate * (1 + (uint64_t)key), mjSTATE_FULLPHYSICS);
  }
  return states;
}

static void* save(const mjModel* m, uint64_t most) {
  mjtSize size = mj_sizeModel(m);
  uint64_t states = result.nrow * result.nstate * sizeof(mjtNum);
  if (size < 0 || (uint64_t)size > INT32_MAX || (uint64_t)size + states + sizeof result > most) {
    snprintf(result.error, sizeof result.error,
             "the compiled model has %" PRId64 " bytes, at most %" PRIu64 " fit here", (int64_t)size + (int64_t)states,
             most);
    leave(NULL, NULL);
  }
  void* saved = malloc((size_t)size);
  if (!saved) on_error("no memory for the compiled model");
  mj_saveModel(m, NULL, saved, (int)size);
  result.size = (uint64_t)size;
  result.bytes = sheaf_modelBytes(m);
  return saved;
}

// the model, or NULL with a reason in result.error; a warning may be there beside a model
static mjModel* compile(const char* main, const mjVFS* vfs) {
  if (is_compiled) {
    mjModel* m = sheaf_loadModel(main, vfs, result.error, sizeof result.error);
    return m && srv_names_check(NULL, m, main, result.error, sizeof result.error) ? m : NULL;
  }
  mjSpec* spec = mj_parseXML(main, vfs, result.error, sizeof result.error);
  mjModel* m = spec ? mj_compile(spec, vfs) : NULL;
  if (spec && (!m || mjs_isWarning(spec))) snprintf(result.error, sizeof result.error, "%s", mjs_getError(spec));
  return m && srv_names_check(spec, m, main, result.error, sizeof result.error) ? m : NULL;
}

_Noreturn void srv_compile_helper(const srv_sandbox_limits* limits) {
  struct stat st;
  mjVFS vfs;
  mju_user_error = on_error;
  mju_user_warning = on_warning;
  if (fstat(0, &st)) _exit(2);
  const char* input = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, 0, 0);
  if (input == MAP_FAILED || srv_sandbox_enter(limits, SRV_SANDBOX_ALL) < 0) _exit(2);

  mj_setCacheCapacity(mj_getCache(), 0);  // nobody compiles again here, and memory is limited
  mj_defaultVFS(&vfs);
  const char* main = read_input(input, input + st.st_size, &vfs);
  mjModel* m = compile(main, &vfs);
  if (!m) {
    if (!result.error[0]) snprintf(result.error, sizeof result.error, "%s: does not compile", main);
    name_missing_file(result.error, sizeof result.error);
    leave(NULL, NULL);
  }

  // mj_compile may have left a warning in the text for errors
  if (result.error[0]) on_warning(result.error);
  result.error[0] = 0;
  mjtNum* states = make_states(m);
  void* saved = save(m, limits->output_bytes);
  leave(states, saved);
}
