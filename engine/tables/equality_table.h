// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Equality constraints, one row each, in the order of the MJCF schema. The reader, the writer, the compiler, the
// checks, row counts, sleeping and wrenches take what they know of a type from its row; constraint/README.md says how
// to add one.
//
//   E(TYPE, word, ENDS, dim, nemax, maker)
//     TYPE    mjEQ_TYPE; its attributes in MJCF are eq_TYPE of mjcf/schema_links.c
//     word    element name in MJCF
//     ENDS    what it ties together: POINTS, two bodies or two sites, on which its force acts as a wrench at anchors:
//             three forces, then three torques if there are six rows; JOINTS, one or two scalar joints; TENDONS, one or
//             two; FLEXES, one, with a row for each of its edges. The id of a second joint or tendon is -1 if there is
//             none
//     dim     constraint rows
//     nemax   rows that mjModel.nemax counts
//     maker   static function of constraint/equality.c that makes the rows; NULL: refused by the compiler
//
// mjEQ_DISTANCE is no longer offered and has no row.
#ifndef SHEAF_TABLES_EQUALITY_TABLE_H_
#define SHEAF_TABLES_EQUALITY_TABLE_H_

// clang-format off
#define MJI_EQUALITIES(E)                             \
  E(CONNECT, "connect", POINTS,  3, 3, connectRows)   \
  E(WELD,    "weld",    POINTS,  6, 7, weldRows)      \
  E(JOINT,   "joint",   JOINTS,  1, 1, jointRows)     \
  E(TENDON,  "tendon",  TENDONS, 1, 1, tendonRows)    \
  E(FLEX,    "flex",    FLEXES,  1, 1, flexRows)
// clang-format on

#endif  // SHEAF_TABLES_EQUALITY_TABLE_H_
