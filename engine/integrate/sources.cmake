set(SOURCES)
set(LANE_SOURCES advance.c derivative.c derivative_bias.c derivative_fluid.c euler.c implicit.c lu.c)
