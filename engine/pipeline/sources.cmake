set(SOURCES step.c export.c fd_group.c transition_fd.c inverse_fd.c)
set(LANE_SOURCES forward.c inverse.c check_state.c)
