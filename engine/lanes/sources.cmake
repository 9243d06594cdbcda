# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
set(SOURCES kernels.c)
set(LANE_SOURCES kernels_table.c)
