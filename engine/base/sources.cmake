# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
set(SOURCES error.c memory.c)
set(LANE_SOURCES)
