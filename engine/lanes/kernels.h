// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The kernels that exist once per variant, as one table of functions per variant.
//
// A row here lets code outside the lane sources call a kernel for a lane count chosen at run time.
// Lane sources call each other directly, as LANE(name)(...). With one lane a kernel works on any
// mjData; with more on one made by mji_makeLaneData (model/work.h).
#ifndef SHEAF_LANES_KERNELS_H_
#define SHEAF_LANES_KERNELS_H_

#include <mujoco/mujoco.h>

// Stages of forward and inverse dynamics. The results of a stage depend on its inputs and on those of earlier stages. A
// caller that changed only inputs of later stages starts with these: controls are inputs of the last stage, velocities
// of the second.
enum {
  MJI_POSITION = mjSTAGE_POS,
  MJI_VELOCITY = mjSTAGE_VEL,
  MJI_CONTROL,  // the user's callback for controls
  MJI_ACCELERATION,
};

// What to compute beyond the next state: the argument `want` of a kernel.
enum {
  MJI_WANT_SENSOR = 1,  // sensors
  MJI_WANT_EXPORT = 2,  // what only programs that look at mjData read: efc_J, islands, qM, states of rows, cameras
  MJI_WANT_ALL = 3,
  MJI_WANT_LEAN = 4,  // inverse dynamics: nothing of actuators, which these forces do not need
};

struct mjiStepDerivative_;
struct mjiInverseDerivative_;
struct mjiLaneRows_;
struct mjiRegressor_;
struct mjiInverseWeights_;

// K(result, name, parameters, arguments)
#define MJI_STAGE_KERNELS                                                                                              \
  /* dynamics: positions, inertia, velocities, forces */                                                               \
  K(void, kinematics, (const mjModel* m, mjData* d), (m, d))                                                           \
  K(void, comPos, (const mjModel* m, mjData* d), (m, d))                                                               \
  K(void, flex, (const mjModel* m, mjData* d), (m, d))                                                                 \
  K(void, tendon, (const mjModel* m, mjData* d), (m, d))                                                               \
  K(void, camlight, (const mjModel* m, mjData* d), (m, d))                                                             \
  K(void, crb, (const mjModel* m, mjData* d), (m, d))                                                                  \
  K(void, makeM, (const mjModel* m, mjData* d), (m, d))                                                                \
  K(void, factorM, (const mjModel* m, mjData* d), (m, d))                                                              \
  K(void, comVel, (const mjModel* m, mjData* d), (m, d))                                                               \
  K(void, passive, (const mjModel* m, mjData* d), (m, d))                                                              \
  K(void, subtreeVel, (const mjModel* m, mjData* d), (m, d))                                                           \
  K(void, rnePostConstraint, (const mjModel* m, mjData* d), (m, d))                                                    \
  K(void, energyPos, (const mjModel* m, mjData* d), (m, d))                                                            \
  K(void, energyVel, (const mjModel* m, mjData* d), (m, d))                                                            \
  /* collision and constraints */                                                                                      \
  K(void, collision, (const mjModel* m, mjData* d), (m, d))                                                            \
  K(void, makeConstraint, (const mjModel* m, mjData* d), (m, d))                                                       \
  K(void, referenceConstraint, (const mjModel* m, mjData* d), (m, d))                                                  \
  /* x (nefc x nefc) = J inv(M) J' + R */                                                                              \
  K(void, dualMatrix, (const mjModel* m, mjData* d, mjtNum* x), (m, d, x))                                             \
  K(void, fwdConstraint, (const mjModel* m, mjData* d, int want), (m, d, want))                                        \
  /* make the center (solve/center.h) of the solution that is there */                                                 \
  K(void, centerMake, (const mjModel* m, mjData* d), (m, d))                                                           \
  K(void, invConstraint, (const mjModel* m, mjData* d, int want), (m, d, want))                                        \
  /* a part of a flex as a side of a contact: model/contact_side.h; pos and weight hold lanes */                       \
  K(int, flexSide, (const mjModel* m, const mjData* d, const int* part, const mjtNum* pos, int* body, mjtNum* weight), \
    (m, d, part, pos, body, weight))                                                                                   \
  /* results of one lane: constraint/lane_rows.h, model/one_lane.h */                                                  \
  K(void, laneRows, (const mjModel* m, mjData* d, int lane, struct mjiLaneRows_* r), (m, d, lane, r))                  \
  K(mjData*, oneLane, (const mjModel* m, mjData* d, int lane, int what), (m, d, lane, what))                           \
  /* actuation and sensors */                                                                                          \
  K(void, transmission, (const mjModel* m, mjData* d), (m, d))                                                         \
  K(void, fwdActuation, (const mjModel* m, mjData* d), (m, d))                                                         \
  K(void, sensorPos, (const mjModel* m, mjData* d), (m, d))                                                            \
  K(void, sensorVel, (const mjModel* m, mjData* d), (m, d))                                                            \
  K(void, sensorAcc, (const mjModel* m, mjData* d), (m, d))                                                            \
  /* components and whole steps; with skipfactor the factor of the last call is used again */                          \
  K(void, fwdKinematics, (const mjModel* m, mjData* d, int want), (m, d, want))                                        \
  K(void, fwdPosition, (const mjModel* m, mjData* d, int want), (m, d, want))                                          \
  K(void, fwdVelocity, (const mjModel* m, mjData* d, int want), (m, d, want))                                          \
  K(void, fwdAcceleration, (const mjModel* m, mjData* d), (m, d))                                                      \
  K(void, invPosition, (const mjModel* m, mjData* d, int want), (m, d, want))                                          \
  K(void, Euler, (const mjModel* m, mjData* d, int skipfactor, int want), (m, d, skipfactor, want))                    \
  K(void, implicit, (const mjModel* m, mjData* d, int skipfactor, int want), (m, d, skipfactor, want))                 \
  /* inner: what the first evaluations compute; want: what the last one computes */                                    \
  K(void, RungeKutta, (const mjModel* m, mjData* d, int n, int inner, int want), (m, d, n, inner, want))               \
  K(void, forward, (const mjModel* m, mjData* d, int first, int last, int want), (m, d, first, last, want))            \
  K(void, inverse, (const mjModel* m, mjData* d, int first, int last, int want), (m, d, first, last, want))            \
  /* a whole step; results of the stages before `first` must be there */                                               \
  K(void, step, (const mjModel* m, mjData* d, int first, int want), (m, d, first, want))                               \
  /* its two halves: everything at the state that it begins from, and the way to the next */                           \
  K(void, beginStep, (const mjModel* m, mjData* d, int want), (m, d, want))                                            \
  K(void, endStep, (const mjModel* m, mjData* d, int want), (m, d, want))

// derivatives (derive/derive.h), also those by numbers of the model (derive/regressor.h): with floats there are none
#define MJI_DERIVATIVE_KERNELS                                                                          \
  K(void, stepDerivative, (const mjModel* m, mjData* d, struct mjiStepDerivative_* r), (m, d, r))       \
  K(void, inverseDerivative, (const mjModel* m, mjData* d, struct mjiInverseDerivative_* r), (m, d, r)) \
  K(void, inverseRegressor, (const mjModel* m, mjData* d, struct mjiRegressor_* r), (m, d, r))          \
  K(void, stepRegressor, (const mjModel* m, mjData* d, struct mjiRegressor_* r), (m, d, r))

// constants at qpos0 (load/setconst.h), and kernels with other arguments: x and res hold lanes
#define MJI_OTHER_KERNELS                                                                          \
  K(void, inverseWeights, (const mjModel* m, mjData* d, struct mjiInverseWeights_* w), (m, d, w))  \
  K(void, rne, (const mjModel* m, mjData* d, int flg_acc, mjtNum* x), (m, d, flg_acc, x))          \
  K(void, mulM, (const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* x), (m, d, res, x)) \
  K(void, solveM, (const mjModel* m, mjData* d, mjtNum* x, const mjtNum* y, int n), (m, d, x, y, n))

typedef struct mjiKernels_ {
  int nlane;        // lanes per element: 1, 4 or 8
  const char* isa;  // instruction set it was compiled for
#define K(result, name, params, args) result(*name) params;
  MJI_STAGE_KERNELS MJI_DERIVATIVE_KERNELS MJI_OTHER_KERNELS
#undef K
} mjiKernels;

// Kernels for one state at a time, the best variant for this CPU.
const mjiKernels* mji_kernels1(void);

// How ordinary sources call a kernel for one state: LANE1(kinematics)(m, d).
#define LANE1(name) (mji_kernels1()->name)

// Kernels for nlane = 1, 4 or 8 lanes; NULL if this CPU has no such variant.
const mjiKernels* mji_kernels(int nlane);

// The same for lane data that owns its numbers of the model (model/number.h). NULL for one lane, because a single state
// gets a model of its own instead.
const mjiKernels* mji_kernelsOwn(int nlane);

// The largest lane count whose working set is at most 32 times the second-level cache: `bytes` is what one lane touches
// in a step. The data of all robots that people publish are within.
int mji_bestLanes(size_t bytes);

// Declarations for the lane sources themselves: LANE(kinematics) and so on.
#ifdef SHEAF_LANES_LANES_H_
#define K(result, name, params, args) result LANE(name) params;
MJI_STAGE_KERNELS MJI_DERIVATIVE_KERNELS MJI_OTHER_KERNELS
#undef K
#endif

#endif  // SHEAF_LANES_KERNELS_H_
