set(SOURCES center.c dual.c pattern.c project.c solve.c supernodes.c)
set(ONE_LANE_SOURCES dense_quads.c one_sided_quads.c sparse_quads.c)
set(MANY_LANES_SOURCES dense_lanes.c one_sided_lanes.c sparse_lanes.c)
set(LANE_SOURCES center_make.c center_solve.c constraint_stage.c dual_matrix.c hessian.c hessian_at.c hessian_factor.c kept_hessian.c linesearch.c noslip.c parts.c penalty.c pgs.c primal.c start.c)
