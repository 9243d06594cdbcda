// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// sheaf rollout, forward, inverse, fd: one request, and a summary of its result.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "arrays.h"
#include "commands.h"
#include "control.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static sheafc_how how_of(const cli_options* o) {
  return (sheafc_how){.timeout = o->timeout, .progress = cli_progress, .user = (void*)o};
}

// end of each command: print the result or why there is none, and give everything back
static int end(cli_arrays* a, sheafc* c, sheafc_model* m, const sheafc_status* st, const char* command,
               const char* unit, double units, double seconds) {
  int err = a->failed ? 1 : st->code ? cli_fail(st) : cli_report(a, command, unit, units, seconds);
  cli_arrays_close(a);
  sheafc_free_model(m);
  sheafc_close(c);
  return err;
}

int cli_rollout(int argc, char** argv) {
  cli_options o = cli_read_options(argc, argv, "Simulate a batch of rollouts on a server.", true);
  sheafc* c;
  sheafc_model* m = cli_load(&o, &c);
  if (!m) return 1;
  const sheafc_model_info* info = sheafc_get_model_info(m);
  sheafc_status st = {0};
  cli_arrays a;
  cli_arrays_init(&a, &o);

  sheafc_rollout_args r = sheafc_rollout_default();
  r.nbatch = o.nbatch;
  r.nstep = o.nstep;
  r.hold = o.hold;
  r.state0 = cli_input_of(&a, "state0", info->nstate, &r.nstate0, NULL);
  r.control = cli_input_of(&a, "control", info->nu, &r.ncontrol, &r.ncontrolstep);
  r.warmstart0 = cli_input_of(&a, "warmstart0", info->nv, &r.nwarmstart0, NULL);
  if (!r.state0) {
    r.state0 = cli_start_state(&o, m);
    r.nstate0 = 1;
    a.failed |= !r.state0;
  }
  double* noise = r.control ? NULL : cli_make_controls(&o, m, o.nbatch, (o.nstep + o.hold - 1) / o.hold, &r);
  r.state = cli_output_of(&a, "state", 'd', o.nstep, info->nstate, -1);
  r.sensordata = cli_output_of(&a, "sensordata", 'd', o.nstep, info->nsensordata, -1);
  r.status = cli_output_of(&a, "status", 'i', -1, -1, -1);
  r.badstep = cli_output_of(&a, "badstep", 'i', -1, -1, -1);
  r.output = cli_named_outputs(&a, m, o.nstep);
  r.noutput = o.noutput;
  r.how = how_of(&o);
  double begin = now();
  if (cli_inputs_ok(&a)) sheafc_rollout(c, m, &r, &st);
  double seconds = now() - begin;
  free(noise);
  return end(&a, c, m, &st, "rollout", "steps", (double)o.nbatch * o.nstep, seconds);
}

int cli_forward(int argc, char** argv) {
  cli_options o = cli_read_options(argc, argv, "Forward dynamics at given states.", true);
  sheafc* c;
  sheafc_model* m = cli_load(&o, &c);
  if (!m) return 1;
  const sheafc_model_info* i = sheafc_get_model_info(m);
  sheafc_status st = {0};
  cli_arrays a;
  if (!o.noutput) o.output[o.noutput++] = "qacc";
  cli_arrays_init(&a, &o);

  sheafc_forward_args f = sheafc_forward_default();
  f.nbatch = o.nbatch;
  f.qpos = cli_input_of(&a, "qpos", i->nq, &f.nqpos, NULL);
  f.qvel = cli_input_of(&a, "qvel", i->nv, &f.nqvel, NULL);
  f.act = cli_input_of(&a, "act", i->na, &f.nact, NULL);
  f.ctrl = cli_input_of(&a, "ctrl", i->nu, &f.nctrl, NULL);
  f.qfrc_applied = cli_input_of(&a, "qfrc_applied", i->nv, &f.nqfrc_applied, NULL);
  f.xfrc_applied = cli_input_of(&a, "xfrc_applied", 6 * i->nbody, &f.nxfrc_applied, NULL);
  f.mocap_pos = cli_input_of(&a, "mocap_pos", 3 * i->nmocap, &f.nmocap_pos, NULL);
  f.mocap_quat = cli_input_of(&a, "mocap_quat", 4 * i->nmocap, &f.nmocap_quat, NULL);
  f.warmstart = cli_input_of(&a, "warmstart", i->nv, &f.nwarmstart, NULL);
  f.time = cli_input_of(&a, "time", 1, &f.ntime, NULL);
  f.status = cli_output_of(&a, "status", 'i', -1, -1, -1);
  f.output = cli_named_outputs(&a, m, -1);
  f.noutput = o.noutput;
  f.how = how_of(&o);
  double begin = now();
  if (cli_inputs_ok(&a)) sheafc_forward(c, m, &f, &st);
  return end(&a, c, m, &st, "forward", "states", o.nbatch, now() - begin);
}

int cli_inverse(int argc, char** argv) {
  cli_options o = cli_read_options(argc, argv, "Inverse dynamics at given states and accelerations.", true);
  sheafc* c;
  sheafc_model* m = cli_load(&o, &c);
  if (!m) return 1;
  const sheafc_model_info* i = sheafc_get_model_info(m);
  sheafc_status st = {0};
  cli_arrays a;
  cli_arrays_init(&a, &o);

  sheafc_inverse_args f = sheafc_inverse_default();
  f.nbatch = o.nbatch;
  f.discrete = o.discrete;
  f.qpos = cli_input_of(&a, "qpos", i->nq, &f.nqpos, NULL);
  f.qvel = cli_input_of(&a, "qvel", i->nv, &f.nqvel, NULL);
  f.qacc = cli_input_of(&a, "qacc", i->nv, &f.nqacc, NULL);
  f.mocap_pos = cli_input_of(&a, "mocap_pos", 3 * i->nmocap, &f.nmocap_pos, NULL);
  f.mocap_quat = cli_input_of(&a, "mocap_quat", 4 * i->nmocap, &f.nmocap_quat, NULL);
  f.qfrc_inverse = cli_output_of(&a, "qfrc_inverse", 'd', i->nv, -1, -1);
  f.status = cli_output_of(&a, "status", 'i', -1, -1, -1);
  f.output = cli_named_outputs(&a, m, -1);
  f.noutput = o.noutput;
  f.how = how_of(&o);
  double begin = now();
  if (cli_inputs_ok(&a)) sheafc_inverse(c, m, &f, &st);
  return end(&a, c, m, &st, "inverse", "states", o.nbatch, now() - begin);
}

static int inverse_fd(const cli_options* o, sheafc* c, sheafc_model* m) {
  const sheafc_model_info* i = sheafc_get_model_info(m);
  sheafc_status st = {0};
  cli_arrays a;
  cli_arrays_init(&a, o);
  sheafc_inverse_fd_args f = sheafc_inverse_fd_default();
  f.nbatch = o->nbatch;
  f.eps = o->eps;
  f.qpos = cli_input_of(&a, "qpos", i->nq, &f.nqpos, NULL);
  f.qvel = cli_input_of(&a, "qvel", i->nv, &f.nqvel, NULL);
  f.qacc = cli_input_of(&a, "qacc", i->nv, &f.nqacc, NULL);
  f.DfDq = cli_output_of(&a, "DfDq", 'd', i->nv, i->nv, -1);
  f.DfDv = cli_output_of(&a, "DfDv", 'd', i->nv, i->nv, -1);
  f.DfDa = cli_output_of(&a, "DfDa", 'd', i->nv, i->nv, -1);
  f.status = cli_output_of(&a, "status", 'i', -1, -1, -1);
  f.how = how_of(o);
  double begin = now();
  if (cli_inputs_ok(&a)) sheafc_inverse_fd(c, m, &f, &st);
  return end(&a, c, m, &st, "inverse_fd", "states", o->nbatch, now() - begin);
}

int cli_fd(int argc, char** argv) {
  cli_options o = cli_read_options(argc, argv, "Derivatives of a step, or with --inverse of inverse dynamics.", true);
  sheafc* c;
  sheafc_model* m = cli_load(&o, &c);
  if (!m) return 1;
  if (o.inverse) return inverse_fd(&o, c, m);
  const sheafc_model_info* i = sheafc_get_model_info(m);
  sheafc_status st = {0};
  cli_arrays a;
  cli_arrays_init(&a, &o);

  sheafc_transition_fd_args f = sheafc_transition_fd_default();
  int nstate = 0;
  double* copies = NULL;
  f.nbatch = o.nbatch;
  f.eps = o.eps;
  f.centered = o.centered;
  f.state = cli_input_of(&a, "state", i->nstate, &nstate, NULL);
  f.ctrl = cli_input_of(&a, "ctrl", i->nu, &f.nctrl, NULL);
  f.warmstart = cli_input_of(&a, "warmstart", i->nv, &f.nwarmstart, NULL);
  if (nstate != o.nbatch && !a.failed) {
    // one state for all rows
    f.state = copies = cli_repeat(f.state ? f.state : cli_start_state(&o, m), i->nstate, o.nbatch);
    a.failed |= !copies;
  }
  f.A = cli_output_of(&a, "A", 'd', i->ndx, i->ndx, -1);
  f.B = cli_output_of(&a, "B", 'd', i->ndx, i->nu, -1);
  f.C = cli_output_of(&a, "C", 'd', i->nsensordata, i->ndx, -1);
  f.D = cli_output_of(&a, "D", 'd', i->nsensordata, i->nu, -1);
  f.status = cli_output_of(&a, "status", 'i', -1, -1, -1);
  f.how = how_of(&o);
  double begin = now();
  if (cli_inputs_ok(&a)) sheafc_transition_fd(c, m, &f, &st);
  double seconds = now() - begin;
  free(copies);
  return end(&a, c, m, &st, "fd", "states", o.nbatch, seconds);
}
