# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
set(SOURCES assert.c band.c boxqp.c bytes.c callback.c checkpoint.c cholesky.c decoder.c eig3.c error.c file.c memory.c
    misc.c path.c print_matrix.c provider.c quat.c sparse_dense.c text.c vector.c vector3.c vfs.c)
set(LANE_SOURCES)
