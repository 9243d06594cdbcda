// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Parts of the sensors that their sources share.
#ifndef SHEAF_SENSE_SENSE_H_
#define SHEAF_SENSE_SENSE_H_

#include <mujoco/mujoco.h>

// Evaluators that take one state at a time: value of sensor i into out.
void mji_sense_geomDistance(const mjModel* m, mjData* d, int i, mjtNum* out);
void mji_sense_contact(const mjModel* m, mjData* d, int i, mjtNum* out);
void mji_sense_tactile(const mjModel* m, mjData* d, int i, mjtNum* out);

// Call the evaluator of any sensor that takes one state at a time (WHERE is ONE in tables/sensor_table.h).
void mji_sense_one(const mjModel* m, mjData* d, int i, mjtNum* out);

// Nonzero if sensors are evaluated and one of them has this type.
int mji_sense_has(const mjModel* m, int type);

#ifdef SHEAF_LANES_LANES_H_

// Value of sensor i into out, sensor_dim[i] numbers.
typedef void (*LANE(SensorEval))(const mjModel* m, mjData* d, int i, V* out);

// Evaluate the sensors of a stage with the evaluators of its table (indexed by type), or lane by lane, then user
// callbacks and cutoffs.
void LANE(senseStage)(const mjModel* m, mjData* d, int stage, const LANE(SensorEval)* table);

// Entry of such a table, from a row of tables/sensor_table.h. A source of evaluators defines MJI_POS, MJI_VEL and
// MJI_ACC, of which only that of its own stage keeps the entry.
#define MJI_SENSE_EVAL_LANES(f) f
#define MJI_SENSE_EVAL_ONE(f) NULL
#define MJI_SENSE_ENTRY(TYPE, word, dim, DATATYPE, STAGE, ATTACHMENT, FLAGS, WHERE, evaluator) \
  MJI_##STAGE([mjSENS_##TYPE] = MJI_SENSE_EVAL_##WHERE(evaluator), )

// Value of a limit row, for a joint or tendon at its limit: efc_x[row] of the first row of the
// given type and object, minus efc_minus[row] (if any), zero if there is none.
V LANE(senseLimit)(const mjModel* m, const mjData* d, int type, int id, const mjtNum* efc_x, const mjtNum* efc_minus);

#endif  // SHEAF_LANES_LANES_H_

#endif  // SHEAF_SENSE_SENSE_H_
