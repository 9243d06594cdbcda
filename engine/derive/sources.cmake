# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
set(SOURCES covered.c output_arrays.c parameter_formula.c)
set(LANE_SOURCES acceleration.c actuator_limit.c actuator_slope.c armature_slope.c bend.c block_slope.c body_force_slope.c code_slope.c contact_geometry.c contact_slope.c
  force_position.c inertial_position.c input_nudge.c inverse_derivative.c join_slope.c noslip_slope.c output_slope.c parameter_force.c parameter_inertial.c parameter_row.c position_slope.c regressor.c round_geometry.c sensor_slope.c shift_slope.c
  step_derivative.c tangent.c tendon_bend.c tendon_slope.c term_slope.c transmission_bend.c velocity_slope.c)
