set(SOURCES actuate.c muscle.c)
set(LANE_SOURCES actuation.c adhesion.c transmission.c)
