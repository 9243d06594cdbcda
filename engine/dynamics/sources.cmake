set(SOURCES dynamics.c jac.c object_motion.c)
set(LANE_SOURCES kinematics.c com.c camlight.c inertia.c factor.c fluid.c velocity.c rne.c wrench.c passive.c
  energy.c flex.c flex_contact.c flex_force.c tendon_dot.c tendon_length.c tendon_force.c wrap.c wrap_inside.c)
