set(SOURCES tendon.c tendon_force.c wrap.c)
set(LANE_SOURCES)
