# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
set(SOURCES builtin.c elastic_cable.c plugin_attributes.c pid.c touch_grid.c)
set(LANE_SOURCES)
