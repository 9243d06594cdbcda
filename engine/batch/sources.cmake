set(SOURCES apart.c group.c kept.c model_field.c noise.c output.c params.c request.c rollout.c rollout_cost.c sample.c sampler.c spline.c state_derivative.c state_dynamics.c submit.c)
set(LANE_SOURCES)
