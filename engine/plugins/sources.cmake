# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
set(SOURCES builtin.c cable.c config.c pid.c touch_grid.c)
set(LANE_SOURCES)
