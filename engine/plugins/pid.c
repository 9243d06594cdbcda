// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// mujoco.pid: a controller for the length of actuators.
//
//   force = kp e + ki integral(e) + kd de/dt,   e = setpoint - length
//
// The setpoint is the control, or, with activation dynamics, the last activation. `slewmax` limits how fast it moves,
// `imax` the size of the integral's force. What the controller remembers is in activations: the integral (if ki is not
// zero), then the setpoint of the last step (if slewmax is given), then that of the dynamics.
#include <stdint.h>
#include <stdlib.h>

#include "plugins/plugins.h"

typedef struct {
  mjtNum kp, ki, kd;
  mjtNum imax;     // of the integral; used if limited
  mjtNum slewmax;  // per second; used if slewed
  int limited, slewed;
} Pid;

static int none(const mjModel* m, int instance) { return 0; }

static int countActivations(const mjModel* m, const Pid* p, int i) {
  return (p->ki != 0) + p->slewed + (m->actuator_dyntype[i] != mjDYN_NONE);
}

static int refuse(const char* why) {
  mju_warning("%s", why);
  return -1;
}

// attributes, and the actuators that use them; -1 with a warning if something is wrong
static int check(const mjModel* m, const Pid* p, int instance) {
  int found = 0;
  if (p->limited && p->imax < 0) return refuse("imax must not be negative");
  if (p->slewed && p->slewmax < 0) return refuse("slewmax must not be negative");
  for (int i = 0; i < m->nu; i++) {
    if (m->actuator_plugin[i] != instance) continue;
    found = 1;
    int type = m->actuator_dyntype[i], want = countActivations(m, p, i);
    if (type == mjDYN_MUSCLE || type == mjDYN_USER) return refuse("dyntype must not be muscle or user");
    if (m->actuator_actnum[i] == want) continue;
    mju_warning("actuator %d: its attribute actdim must be %d", i, want);
    return -1;
  }
  return found ? 0 : refuse("no actuator uses it");
}

static int init(const mjModel* m, mjData* d, int instance) {
  Pid* p = mju_malloc(sizeof *p);
  if (!p) return -1;
  p->kp = mji_config_num(m, instance, "kp", NULL);
  p->ki = mji_config_num(m, instance, "ki", NULL);
  p->kd = mji_config_num(m, instance, "kd", NULL);
  p->imax = mji_config_num(m, instance, "imax", &p->limited);
  p->slewmax = mji_config_num(m, instance, "slewmax", &p->slewed);
  if (check(m, p, instance)) {
    mju_free(p);
    return -1;
  }
  if (p->limited && p->ki != 0) p->imax /= p->ki;
  d->plugin_data[instance] = (uintptr_t)p;
  return 0;
}

static void destroy(mjData* d, int instance) {
  mju_free((void*)d->plugin_data[instance]);  // NOLINT: the interface keeps pointers as integers
  d->plugin_data[instance] = 0;
}

static const Pid* dataOf(const mjData* d, int instance) { return (const Pid*)d->plugin_data[instance]; }  // NOLINT

static mjtNum limitTo(mjtNum x, const mjtNum range[2]) { return mju_clip(x, range[0], range[1]); }

// the activation of the dynamics, now or after this step
static mjtNum dynamic(const mjModel* m, const mjData* d, int i, int early) {
  int adr = m->actuator_actadr[i] + m->actuator_actnum[i] - 1;
  mjtNum act = d->act[adr], h = m->opt.timestep;
  if (!early) return act;
  if (m->actuator_dyntype[i] == mjDYN_FILTEREXACT) {
    mjtNum tau = mju_max(mjMINVAL, m->actuator_dynprm[mjNDYN * i]);
    act += d->act_dot[adr] * tau * (1 - mju_exp(-h / tau));
  } else {
    act += d->act_dot[adr] * h;
  }
  return m->actuator_actlimited[i] ? limitTo(act, m->actuator_actrange + 2 * i) : act;
}

static mjtNum setpoint(const mjModel* m, const mjData* d, const Pid* p, int i, int early) {
  mjtNum u = d->ctrl[i];
  if (m->actuator_dyntype[i] != mjDYN_NONE) u = dynamic(m, d, i, early);
  else if (m->actuator_ctrllimited[i]) u = limitTo(u, m->actuator_ctrlrange + 2 * i);
  if (!p->slewed || d->time <= 0) return u;  // there was no step before
  mjtNum last = d->act[m->actuator_actadr[i] + (p->ki != 0)], reach = p->slewmax * m->opt.timestep;
  return mju_clip(u, last - reach, last + reach);
}

// the integral at the end of the step
static mjtNum integral(const mjModel* m, const mjData* d, const Pid* p, int i, mjtNum error) {
  mjtNum x = d->act[m->actuator_actadr[i]] + error * m->opt.timestep;
  return p->limited ? mju_clip(x, -mju_abs(p->imax), mju_abs(p->imax)) : x;
}

static void actDot(const mjModel* m, mjData* d, int instance) {
  const Pid* p = dataOf(d, instance);
  for (int i = 0; i < m->nu; i++) {
    if (m->actuator_plugin[i] != instance) continue;
    mjtNum u = setpoint(m, d, p, i, 0);
    int adr = m->actuator_actadr[i];
    if (p->ki != 0) {
      mjtNum next = integral(m, d, p, i, u - d->actuator_length[i]);
      d->act_dot[adr] = (next - d->act[adr]) / m->opt.timestep;
      adr++;
    }
    if (p->slewed) d->act_dot[adr] = (u - d->act[adr]) / m->opt.timestep;
  }
}

static void compute(const mjModel* m, mjData* d, int instance, int capability) {
  const Pid* p = dataOf(d, instance);
  for (int i = 0; i < m->nu; i++) {
    if (m->actuator_plugin[i] != instance) continue;
    mjtNum error = setpoint(m, d, p, i, m->actuator_actearly[i]) - d->actuator_length[i];
    int dynamics = m->actuator_dyntype[i] != mjDYN_NONE;
    mjtNum rate = dynamics ? d->act_dot[m->actuator_actadr[i] + m->actuator_actnum[i] - 1] : 0;
    mjtNum force = p->kp * error + p->kd * (rate - d->actuator_velocity[i]);
    if (p->ki != 0) force += p->ki * integral(m, d, p, i, error);
    d->actuator_force[i] = force;
  }
}

static const char* const attributes[] = {"kp", "ki", "kd", "imax", "slewmax"};

const mjpPlugin mji_plugin_pid = {.name = "mujoco.pid",
                                  .nattribute = sizeof attributes / sizeof *attributes,
                                  .attributes = attributes,
                                  .capabilityflags = mjPLUGIN_ACTUATOR,
                                  .nstate = none,
                                  .init = init,
                                  .destroy = destroy,
                                  .compute = compute,
                                  .actuator_act_dot = actDot};
