set(SOURCES integrate.c)
set(LANE_SOURCES advance.c euler.c implicit.c lu.c rungekutta.c)
