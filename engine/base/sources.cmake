# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
set(SOURCES callback.c error.c memory.c text.c vector.c vector3.c)
set(LANE_SOURCES)
