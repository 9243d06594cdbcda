set(SOURCES dynamics.c jac.c support.c tendon_dot.c wrap.c)
set(LANE_SOURCES kinematics.c com.c camlight.c inertia.c factor.c fluid.c velocity.c rne.c wrench.c passive.c
  energy.c tendon.c tendon_force.c)
