// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Balance a cart-pole with a gain from the Riccati equation of finite-difference derivatives.
#include "program.h"

static const char* const kCartpole =
    "<mujoco><option timestep='.01' integrator='implicitfast'/><worldbody>"
    "<body><joint name='x' type='slide' axis='1 0 0' damping='.1'/>"
    "<geom type='box' size='.2 .1 "
    ".1' mass='1'/>"
    "<body><joint name='a' axis='0 1 0' damping='.01'/>"
    "<geom type='capsule' fromto='0 0 0 0 0 1' "
    "size='.03' mass='.3'/></body>"
    "</body></worldbody><actuator><motor joint='x' gear='10' ctrlrange='-3 3'/></actuator>"
    "<sensor><jointpos joint='a'/></sensor></mujoco>";

int main(void) {
  mjModel* m = loadText(kCartpole);
  mjData* d = mj_makeData(m);
  enum { N = 4 };
  mjtNum A[N * N], B[N], C[N], D[1];
  mjd_transitionFD(m, d, 1e-6, 1, A, B, C, D);
  show("A", A, N * N);
  show("B", B, N);
  show("C", C, N);

  // P = Q + A'PA - A'PB (R + B'PB)^-1 B'PA
  mjtNum P[N * N] = {0}, K[N];
  for (int i = 0; i < N; i++) P[i * (N + 1)] = 1;
  for (int iter = 0; iter < 500; iter++) {
    mjtNum PA[N * N], PB[N], APA[N * N];
    mju_mulMatMat(PA, P, A, N, N, N);
    mju_mulMatVec(PB, P, B, N, N);
    mjtNum s = 0.1 + mju_dot(B, PB, N);
    mju_mulMatTVec(K, PA, B, N, N);
    mju_mulMatTMat(APA, A, PA, N, N, N);
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) P[N * i + j] = (i == j) + APA[N * i + j] - K[i] * K[j] / s;
    mju_scl(K, K, 1 / s, N);
  }
  show("K", K, N);
  d->qpos[1] = 0.2;
  for (int t = 0; t < 300; t++) {
    d->ctrl[0] = -(K[0] * d->qpos[0] + K[1] * d->qpos[1] + K[2] * d->qvel[0] + K[3] * d->qvel[1]);
    mj_step(m, d);
    if (t % 60 == 0) show("state", (mjtNum[]){d->qpos[0], d->qpos[1], d->ctrl[0]}, 3);
  }

  mjtNum DfDq[4], DfDv[4], DfDa[4];
  mj_forward(m, d);
  mjd_inverseFD(m, d, 1e-6, 0, DfDq, DfDv, DfDa, NULL, NULL, NULL, NULL);
  for (int i = 0; i < 4; i++) DfDq[i] = round(DfDq[i] * 1e4) / 1e4;
  show("DfDq", DfDq, 4);
  for (int i = 0; i < 4; i++) DfDa[i] = round(DfDa[i] * 1e6) / 1e6;
  show("DfDa", DfDa, 4);
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
