# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
set(SOURCES data.c default.c lanes_ok.c model.c names.c pairs.c plan.c reset.c stack.c state.c warning.c)
set(LANE_SOURCES)
