set(SOURCES derivative.c forward.c group.c model_field.c output.c rollout.c submit.c)
set(LANE_SOURCES)
