// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Classes of constraint rows (mjtConstraint). Ask these functions: comparing values of the enum says nothing about a
// class.
#ifndef SHEAF_MODEL_ROW_CLASS_H_
#define SHEAF_MODEL_ROW_CLASS_H_

#include <mujoco/mujoco.h>

// dry friction: forces are bounded on both sides
static inline int mji_isFriction(int type) { return type == mjCNSTR_FRICTION_DOF || type == mjCNSTR_FRICTION_TENDON; }

static inline int mji_isLimit(int type) { return type == mjCNSTR_LIMIT_JOINT || type == mjCNSTR_LIMIT_TENDON; }

static inline int mji_isContact(int type) {
  return type == mjCNSTR_CONTACT_FRICTIONLESS || type == mjCNSTR_CONTACT_PYRAMIDAL || type == mjCNSTR_CONTACT_ELLIPTIC;
}

// rows that only push, independently of each other; the rows of an elliptic contact are not, as a cone joins them
static inline int mji_isOneSided(int type) {
  return mji_isLimit(type) || type == mjCNSTR_CONTACT_FRICTIONLESS || type == mjCNSTR_CONTACT_PYRAMIDAL;
}

#endif  // SHEAF_MODEL_ROW_CLASS_H_
