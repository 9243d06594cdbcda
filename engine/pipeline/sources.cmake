set(SOURCES step.c)
set(LANE_SOURCES forward.c inverse.c check.c)
