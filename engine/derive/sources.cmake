# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
set(SOURCES covered.c)
set(LANE_SOURCES acceleration.c actuator_slope.c block_slope.c contact_geometry.c contact_slope.c force_position.c inertial_position.c inverse_derivative.c position_slope.c sensor_slope.c step_derivative.c tangent.c velocity_slope.c)
