// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Outputs that are no arrays of mjData: brackets say what to compute. "jac_site[hand]", "contact[16]", "efc_J[64]",
// "ray[eye along 1 0 0]", "distance[hand to ball]". sheaf/batch.h describes them for users.
#ifndef SHEAF_BATCH_FORM_H_
#define SHEAF_BATCH_FORM_H_

#include <mujoco/mujoco.h>

#include "batch/brackets.h"

// what stands between brackets
typedef enum {
  MJI_TAKES_ELEMENTS,  // elements and ranges of them, or no brackets for all
  MJI_TAKES_COUNT,     // the rows that there is room for
  MJI_TAKES_POINTS,    // "BODY at X Y Z"
  MJI_TAKES_RAYS,      // "SITE", "SITE along X Y Z", "X Y Z along X Y Z"
  MJI_TAKES_PAIRS,     // "GEOM to GEOM", "GEOM to GEOM within D"
} mjiTakes;

// The lane whose outputs are computed: batch/form_value.c.
struct mjiView_;

typedef struct mjiForm_ {
  const char* name;
  mjiTakes takes;
  const char* rows;  // ELEMENTS: the size of the model that counts them
  int each;          // rows of the result for each element or point; 1 for the others
  int columns;       // numbers in a row; 0: nv
  int stage;         // mjtStage that makes what it is computed from
  void (*value)(struct mjiView_* v, const mjiChoice* choice, mjtNum* dst);
  int part;       // for value
  size_t offset;  // for value: of an array in mjData
} mjiForm;

// The i-th form; NULL if there is none. (form_value.c)
const mjiForm* mji_formAt(int i);

// Read what is between the brackets of a form that does not take elements. Returns 0, or -1 with the reason in status.
int mji_readForm(const mjModel* m, const char* text, char* list, mjiChoice* choice, mjiBrackets* store,
                 sheafStatus* status);

// What brackets of a form hold, for messages.
const char* mji_formSyntax(const mjiForm* form);

#endif  // SHEAF_BATCH_FORM_H_
