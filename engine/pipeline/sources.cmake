set(SOURCES reset.c step.c user_code.c export.c fd_group.c transition_fd.c inverse_fd.c)
set(LANE_SOURCES forward.c integrators.c rungekutta.c inverse.c check_state.c)
