# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
set(SOURCES builtin.c elastic_cable.c plugin_attributes.c pid.c sdf_shape.c sdf_thread.c sdf_bolt.c sdf_bowl.c sdf_gear.c sdf_nut.c sdf_torus.c touch_grid.c)
set(LANE_SOURCES)
