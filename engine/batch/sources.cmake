set(SOURCES apart.c brackets.c derivative_job.c exact_derivative.c choice.c columns.c cost_elements.c form.c form_value.c group.c kept.c model_field.c nearest.c noise.c nudged.c output.c output_value.c params.c plan_gradient.c plan_update.c prepare.c record.c regressor_job.c request.c rollout.c
  rollout_control.c rollout_cost.c sample.c sample_job.c sampler.c sloped_output.c spline.c state_derivative.c state_dynamics.c submit.c)
set(LANE_SOURCES)
