// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "models/description.h"

#include <stdlib.h>
#include <string.h>

#include <sheaf/batch.h>

#include "sheaf.pb-c.h"
#include "wire/arena.h"
#include "wire/tensor.h"

enum { KINDS = 10, ARENA = 64 << 20 };

// a column of an element table: numbers of the model, -1 columns stay empty
typedef struct {
  const char* kind;
  int count;
  const int* name_adr;
  const int *type, *adr, *dim, *dof_adr, *dof_dim, *parent;
} elements;

// numbers in qpos and in qvel by mjtJoint
static const int joint_nq[] = {7, 4, 1, 1}, joint_nv[] = {6, 3, 1, 1};

static int* map_types(srv_arena* a, const int* type, int n, const int* values) {
  int* out = srv_arena_alloc(a, sizeof(int) * (size_t)n);
  for (int i = 0; out && i < n; i++) out[i] = values[type[i]];
  return out;
}

static void list_elements(const mjModel* m, srv_arena* a, elements e[KINDS]) {
  const int* nq = map_types(a, m->jnt_type, m->njnt, joint_nq);
  const int* nv = map_types(a, m->jnt_type, m->njnt, joint_nv);
  e[0] = (elements){.kind = "body",
                    .count = m->nbody,
                    .name_adr = m->name_bodyadr,
                    .dof_adr = m->body_dofadr,
                    .dof_dim = m->body_dofnum,
                    .parent = m->body_parentid};
  e[1] = (elements){.kind = "joint",
                    .count = m->njnt,
                    .name_adr = m->name_jntadr,
                    .type = m->jnt_type,
                    .adr = m->jnt_qposadr,
                    .dim = nq,
                    .dof_adr = m->jnt_dofadr,
                    .dof_dim = nv,
                    .parent = m->jnt_bodyid};
  e[2] = (elements){
      .kind = "geom", .count = m->ngeom, .name_adr = m->name_geomadr, .type = m->geom_type, .parent = m->geom_bodyid};
  e[3] = (elements){
      .kind = "site", .count = m->nsite, .name_adr = m->name_siteadr, .type = m->site_type, .parent = m->site_bodyid};
  e[4] = (elements){.kind = "camera", .count = m->ncam, .name_adr = m->name_camadr, .parent = m->cam_bodyid};
  e[5] = (elements){.kind = "tendon", .count = m->ntendon, .name_adr = m->name_tendonadr};
  e[6] = (elements){.kind = "actuator",
                    .count = m->nu,
                    .name_adr = m->name_actuatoradr,
                    .type = m->actuator_trntype,
                    .adr = m->actuator_actadr,
                    .dim = m->actuator_actnum};
  e[7] = (elements){.kind = "sensor",
                    .count = m->nsensor,
                    .name_adr = m->name_sensoradr,
                    .type = m->sensor_type,
                    .adr = m->sensor_adr,
                    .dim = m->sensor_dim};
  e[8] = (elements){.kind = "equality", .count = m->neq, .name_adr = m->name_eqadr, .type = m->eq_type};
  e[9] = (elements){.kind = "key", .count = m->nkey, .name_adr = m->name_keyadr};
}

static void set_column(size_t* n, int32_t** values, const int* from, int count) {
  *n = from ? (size_t)count : 0;
  *values = (int32_t*)from;
}

static Sheaf__ElementTable* make_table(const mjModel* m, srv_arena* a, const elements* e) {
  Sheaf__ElementTable* t = srv_arena_alloc(a, sizeof *t);
  char** names = srv_arena_alloc(a, sizeof *names * (size_t)e->count);
  if (!t || !names) return NULL;
  sheaf__element_table__init(t);
  t->kind = (char*)e->kind;
  t->n_name = (size_t)e->count;
  t->name = names;
  for (int i = 0; i < e->count; i++) names[i] = m->names + e->name_adr[i];
  set_column(&t->n_type, &t->type, e->type, e->count);
  set_column(&t->n_adr, &t->adr, e->adr, e->count);
  set_column(&t->n_dim, &t->dim, e->dim, e->count);
  set_column(&t->n_dof_adr, &t->dof_adr, e->dof_adr, e->count);
  set_column(&t->n_dof_dim, &t->dof_dim, e->dof_dim, e->count);
  set_column(&t->n_parent, &t->parent, e->parent, e->count);
  return t;
}

static bool add_tables(Sheaf__ModelInfoReply* r, const mjModel* m, srv_arena* a) {
  elements e[KINDS];
  list_elements(m, a, e);
  r->tables = srv_arena_alloc(a, KINDS * sizeof *r->tables);
  if (!r->tables) return false;
  for (int i = 0; i < KINDS; i++) {
    Sheaf__ElementTable* t = make_table(m, a, &e[i]);
    if (!t) return false;
    r->tables[r->n_tables++] = t;
  }
  return true;
}

static Sheaf__OutputInfo* make_info(srv_arena* a, const char* name, const int shape[2]) {
  Sheaf__OutputInfo* out = srv_arena_alloc(a, sizeof *out);
  uint32_t* dims = srv_arena_alloc(a, 2 * sizeof *dims);
  if (!out || !dims) return NULL;
  sheaf__output_info__init(out);
  dims[0] = (uint32_t)shape[0];
  dims[1] = (uint32_t)shape[1];
  out->name = (char*)name;
  out->shape = dims;
  out->n_shape = shape[1] == 1 ? 1 : 2;
  return out;
}

static bool add_outputs(Sheaf__ModelInfoReply* r, const mjModel* m, srv_arena* a) {
  int n = sheaf_outputCount();
  r->outputs = srv_arena_alloc(a, sizeof *r->outputs * (size_t)n);
  for (int i = 0; r->outputs && i < n; i++) {
    int shape[2] = {0, 1};
    if (sheaf_outputSize(m, sheaf_outputName(i), shape) < 0) continue;
    Sheaf__OutputInfo* out = make_info(a, sheaf_outputName(i), shape);
    if (!out) return false;
    r->outputs[r->n_outputs++] = out;
  }
  return r->outputs || !n;
}

static bool add_params(Sheaf__ModelInfoReply* r, const mjModel* m, srv_arena* a) {
  int n = sheaf_paramCount();
  r->params = srv_arena_alloc(a, sizeof *r->params * (size_t)n);
  for (int i = 0; r->params && i < n; i++) {
    int shape[2] = {0, 1};
    sheaf_paramSize(m, sheaf_paramName(i), shape);
    r->params[i] = make_info(a, sheaf_paramName(i), shape);
    if (!r->params[i]) return false;
    r->n_params++;
  }
  return r->params || !n;
}

static void set_sizes(Sheaf__ModelInfoReply* r, const srv_loaded* model, const uint8_t* hash) {
  const mjModel* m = model->m;
  r->hash = (ProtobufCBinaryData){SHEAF_HASH_BYTES, (uint8_t*)hash};
  r->name = m->names;
  r->nq = m->nq, r->nv = m->nv, r->nu = m->nu, r->na = m->na;
  r->nbody = m->nbody, r->njnt = m->njnt, r->ngeom = m->ngeom, r->nsite = m->nsite;
  r->nsensor = m->nsensor, r->nsensordata = m->nsensordata;
  r->nmocap = m->nmocap, r->nkey = m->nkey, r->neq = m->neq, r->ntendon = m->ntendon;
  r->nuserdata = m->nuserdata;
  r->nstate = model->nstate;
  r->ndx = 2 * m->nv + m->na;
  r->timestep = m->opt.timestep;
  r->integrator = m->opt.integrator;
  r->lanes = sheaf_modelLanes(m);
  r->bytes = model->bytes;
  r->warning = model->warning ? model->warning : (char*)"";
}

static void add_array(srv_pack* p, const char* name, Sheaf__DType dtype, int n0, int n1, int n2, const void* data) {
  uint64_t shape[3] = {(uint64_t)n0, (uint64_t)n1, (uint64_t)n2};
  int rank = n2 >= 0 ? 3 : n1 >= 0 ? 2 : 1;
  if (n0 && n1 && n2) srv_pack_add(p, name, dtype, rank, shape, data);
}

static void pack_arrays(srv_pack* p, const srv_loaded* model) {
  const mjModel* m = model->m;
  Sheaf__DType f64 = SHEAF__DTYPE__DTYPE_F64, u8 = SHEAF__DTYPE__DTYPE_U8;
  srv_pack_init(p);
  add_array(p, "qpos0", f64, m->nq, -1, -1, m->qpos0);
  add_array(p, "state0", f64, model->nstate, -1, -1, model->state0);
  add_array(p, "ctrlrange", f64, m->nu, 2, -1, m->actuator_ctrlrange);
  add_array(p, "ctrllimited", u8, m->nu, -1, -1, m->actuator_ctrllimited);
  add_array(p, "body_mass", f64, m->nbody, -1, -1, m->body_mass);
  add_array(p, "jnt_range", f64, m->njnt, 2, -1, m->jnt_range);
  add_array(p, "jnt_limited", u8, m->njnt, -1, -1, m->jnt_limited);
  add_array(p, "key_time", f64, m->nkey, -1, -1, m->key_time);
  add_array(p, "key_qpos", f64, m->nkey, m->nq, -1, m->key_qpos);
  add_array(p, "key_qvel", f64, m->nkey, m->nv, -1, m->key_qvel);
  add_array(p, "key_act", f64, m->nkey, m->na, -1, m->key_act);
  add_array(p, "key_ctrl", f64, m->nkey, m->nu, -1, m->key_ctrl);
  add_array(p, "key_mpos", f64, m->nkey, m->nmocap, 3, m->key_mpos);
  add_array(p, "key_mquat", f64, m->nkey, m->nmocap, 4, m->key_mquat);
  add_array(p, "key_state", f64, m->nkey, model->nstate, -1, model->state0 + model->nstate);
}

// the numbers that rows may set; an array that is in the reply already is not sent twice
static void pack_params(srv_pack* p, const mjModel* m) {
  for (int i = 0; i < sheaf_paramCount() && p->count < SRV_PACK; i++) {
    const char* name = sheaf_paramName(i);
    int shape[2] = {0, 1}, k = 0;
    sheaf_paramSize(m, name, shape);
    while (k < (int)p->count && strcmp(p->tensor[k].name, name) != 0) k++;
    if (k < (int)p->count) continue;
    add_array(p, name, SHEAF__DTYPE__DTYPE_F64, shape[0], shape[1] == 1 ? -1 : shape[1], -1,
              sheaf_paramValues(m, name));
  }
}

static int keep(srv_description* d, const Sheaf__ModelInfoReply* r, const srv_pack* pack, srv_error* e) {
  size_t size = protobuf_c_message_get_packed_size(&r->base);
  if (size > SRV_REPLY_CONTROL) {
    return srv_error_set(e, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED,
                         "the model has too many elements: expected at most %d bytes to describe them, got %zu",
                         SRV_REPLY_CONTROL, size);
  }
  uint8_t* control = malloc(size);
  uv_buf_t* buffer = malloc((pack->nbuffer + 1) * sizeof *buffer);
  if (!control || !buffer) {
    free(control);
    free(buffer);
    return srv_error_set(e, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, "out of memory");
  }
  protobuf_c_message_pack(&r->base, control);
  buffer[0] = (uv_buf_t){.base = (char*)control, .len = size};
  memcpy(buffer + 1, pack->buffer, pack->nbuffer * sizeof *buffer);
  *d = (srv_description){{buffer, 1 + pack->nbuffer, pack->length}, size};
  return 0;
}

int srv_description_make(srv_description* d, const srv_loaded* model, const uint8_t hash[SHEAF_HASH_BYTES],
                         srv_error* e) {
  Sheaf__ModelInfoReply r = SHEAF__MODEL_INFO_REPLY__INIT;
  srv_arena arena;
  srv_pack pack;
  *d = (srv_description){0};
  srv_arena_init(&arena, ARENA);
  set_sizes(&r, model, hash);
  pack_arrays(&pack, model);
  pack_params(&pack, model->m);
  r.n_tensors = pack.count;
  r.tensors = pack.pointer;
  int err = 0;
  if (!add_tables(&r, model->m, &arena) || !add_outputs(&r, model->m, &arena) || !add_params(&r, model->m, &arena)) {
    err = srv_error_set(e, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, "the model has too many elements to describe");
  }
  if (!err) err = keep(d, &r, &pack, e);
  srv_arena_close(&arena);
  return err;
}

void srv_description_free(srv_description* d) {
  if (d->reply.buffer) free(d->reply.buffer[0].base);
  free(d->reply.buffer);
  *d = (srv_description){0};
}
