set(SOURCES bracket.c dual.c pattern.c solve.c)
set(LANE_SOURCES dual_matrix.c factor.c factor_dense.c forward.c hessian.c linesearch.c parts.c penalty.c pgs.c primal.c)
