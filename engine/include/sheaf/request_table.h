// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The requests of a batch, each said once. A line is a field: its name, type and shape, which numbers it takes and
// what it means. From these lines come the structs and calls of sheaf/batch.h and of the C client, the checks of the
// engine, what the server reads from messages and writes to replies, the layout and the calls of the Python client,
// the options of the command line and the tables of proto/README.md. How to add one is told in batch/README.md.
//
// The lines of a request have the order of the struct's fields, which is a binary interface. A new line goes to the
// end, before SHEAF_END: its fields are zero for callers that were compiled without it.
//
//   SHEAF_REQUEST(KIND, Type, call, name, unit, doc)
//       begins a request: enumerator SHEAF_<KIND>, struct sheaf<Type>, functions sheaf_<call> and sheafc_<name>, Python
//       Model.<name>, and the unit of its progress
//   SHEAF_OPTION(field, type, least, most, initial, doc)
//       a number from least to most; 0 stands for `initial`
//   SHEAF_INPUT(field, type, need, shape, doc)
//       an array with nbatch rows or one that serves all: an address, and the number of rows in n<field>
//   SHEAF_EACH(field, type, need, most, shape, doc)
//       an array with nbatch rows: an address. Integers are from 0 to the option `most`
//   SHEAF_SIZE(field, doc)
//       a size in the shape of an input that comes with the array
//   SHEAF_OUTPUT(field, type, when, shape, doc)
//       an array of results: an address, NULL where it is not wanted
//   SHEAF_NAMED(shape, initial, doc)
//       more results by name: `output` and `noutput`; the name that comes when none is asked for
//   SHEAF_CONTROL()
//       how to run it; ends the first version of the struct
//   SHEAF_PARAMS(shape, doc)
//       parameters of rows (numbers of the model that rows set), by name: `param` and `nparam`
//   SHEAF_COLUMNS(arrays, doc)
//       columns of derivatives that are computed, by number: `column` and `ncolumn`; the arrays of which they are the
//       elements (sheaf_columns)
//   SHEAF_WORD(option, word, value)
//       a word that command line and Python take for a number of this option
//   SHEAF_END(KIND, Type, call, name)
//   SHEAF_DTYPE(), ...
//       stands for several of these lines
//
// Types of options: int, bits (most is the mask), flag, real. Types of arrays: f64, i32, num (f64, or f32 where the
// option dtype is 4), times (f64, each row ascending). need: OPTIONAL or REQUIRED.
// when: ASKED, DEFAULT (comes when no names are given) or ALWAYS. A shape is a list of words: B for the rows of the
// batch, then sizes of the model (nv, nstate, ndx), options and sizes of the request (nstep), numbers, or one that
// follows from options: ncontrol, how many numbers the mjtState bits in control_spec have; nrecord, how many steps have
// a row (nstep / every, or 1); ntrajectory, the improved plan and the best samples (1 + ntop); how many columns there
// are by states (nxcol), controls (nucol), both (nxucol), positions, velocities and accelerations (nqcol, nvcol,
// nacol): ndx, nu, ndx + nu and nv, or as many of them as `column` chooses.
//
// Define the macros that you need and include this file; it undefines them at its end. Bindings read this file as text:
// an entry begins a line, has no comment in it, and its texts are in double quotes. A group of lines is a macro without
// arguments, whose lines end with a backslash.

#ifndef SHEAF_REQUEST
#define SHEAF_REQUEST(KIND, Type, call, name, unit, doc)
#endif
#ifndef SHEAF_OPTION
#define SHEAF_OPTION(field, type, least, most, initial, doc)
#endif
#ifndef SHEAF_INPUT
#define SHEAF_INPUT(field, type, need, shape, doc)
#endif
#ifndef SHEAF_EACH
#define SHEAF_EACH(field, type, need, most, shape, doc)
#endif
#ifndef SHEAF_SIZE
#define SHEAF_SIZE(field, doc)
#endif
#ifndef SHEAF_OUTPUT
#define SHEAF_OUTPUT(field, type, when, shape, doc)
#endif
#ifndef SHEAF_NAMED
#define SHEAF_NAMED(shape, initial, doc)
#endif
#ifndef SHEAF_CONTROL
#define SHEAF_CONTROL()
#endif
#ifndef SHEAF_PARAMS
#define SHEAF_PARAMS(shape, doc)
#endif
#ifndef SHEAF_COLUMNS
#define SHEAF_COLUMNS(arrays, doc)
#endif
#ifndef SHEAF_WORD
#define SHEAF_WORD(option, word, value)
#endif
#ifndef SHEAF_END
#define SHEAF_END(KIND, Type, call, name)
#endif

// clang-format off

// Lines that several requests have.
#define SHEAF_DTYPE() \
SHEAF_OPTION(dtype, int, 4, 8, 8, "bytes of a number in results of type num: 8 (f8), or 4 (f4) for float32; 0: 8") \
SHEAF_WORD(dtype, f8, 8) \
SHEAF_WORD(dtype, f4, 4)
#define SHEAF_PARAMS_AND_DTYPE() \
SHEAF_PARAMS("B", "numbers of the model that rows set, by name; the values of the model") \
SHEAF_OPTION(keep_constants, flag, 0, 1, 0, "do not call mj_setConst for rows with parameters, nor for derivatives by numbers") \
SHEAF_DTYPE()
#define SHEAF_STATES() \
SHEAF_EACH(state, f64, REQUIRED, 0, "B nstate", "T states of one trajectory are T rows") \
SHEAF_INPUT(ctrl, f64, OPTIONAL, "B nu", "zero") \
SHEAF_INPUT(warmstart, f64, OPTIONAL, "B nv", "warm start of the solver; zero")
#define SHEAF_ACCELERATED() \
SHEAF_INPUT(qpos, f64, OPTIONAL, "B nq", "qpos0 of the model") \
SHEAF_INPUT(qvel, f64, OPTIONAL, "B nv", "zero") \
SHEAF_INPUT(qacc, f64, OPTIONAL, "B nv", "zero")
#define SHEAF_COLUMNS_OF_STEP() \
SHEAF_COLUMNS("qpos qvel act ctrl", \
              "columns to compute: results by the state have those of qpos, qvel and act, results by controls those of ctrl, in the order given; all")
#define SHEAF_COLUMNS_OF_INVERSE() \
SHEAF_COLUMNS("qpos qvel qacc", "columns to compute: DfDq has those of qpos, DfDv those of qvel, DfDa those of qacc, in the order given; all")
#define SHEAF_FALLBACK_AND_STATUS() \
SHEAF_OUTPUT(fallback, i32, ALWAYS, "B", "what was done by differences: bits of sheafFallback") \
SHEAF_OUTPUT(status, i32, ALWAYS, "B", "0, or why the row is not valid")

SHEAF_REQUEST(ROLLOUT, Rollout, rollout, rollout, "steps", "Simulate nstep steps from each of the states")
SHEAF_OPTION(nstep, int, 1, 2147483647, 0, "steps of each rollout")
SHEAF_EACH(length, i32, OPTIONAL, nstep, "B", "steps of each rollout; later rows repeat its last")
SHEAF_INPUT(state0, f64, REQUIRED, "B nstate", "where it starts")
SHEAF_INPUT(warmstart0, f64, OPTIONAL, "B nv", "warm start of the solver; zero")
SHEAF_OPTION(control_spec, bits, 0, 0xFE0, 0x20, "mjtState bits of the control rows; 0: ctrl")
SHEAF_INPUT(control, f64, OPTIONAL, "B ncontrolstep ncontrol", 
            "row i is applied in steps i*hold to (i+1)*hold - 1, the last to the end; zero")
SHEAF_SIZE(ncontrolstep, "rows of control of each rollout")
SHEAF_OPTION(hold, int, 1, 2147483647, 1, "steps that each control row is held; 0: 1")
SHEAF_OUTPUT(state, num, DEFAULT, "B nrecord nstate", "after each step")
SHEAF_OUTPUT(sensordata, num, DEFAULT, "B nrecord nsensordata", 
             "made within each step, of the state it began from; with aligned of the state after it")
SHEAF_OUTPUT(final_state, f64, ASKED, "B nstate", "after the last step")
SHEAF_OUTPUT(final_warmstart, f64, ASKED, "B nv", "continue from both for the same bits as one long rollout")
SHEAF_NAMED("B nrecord", "", 
            "as it is after each step: made within it, but time, qpos, qvel and act after it; with aligned all after it")
SHEAF_OUTPUT(status, i32, ALWAYS, "B", "0, or why the rollout stopped being valid")
SHEAF_OUTPUT(badstep, i32, ALWAYS, "B", "first step that is not valid, -1 if all are")
SHEAF_CONTROL()
SHEAF_INPUT(cost_term, f64, OPTIONAL, "B ncost 10", "terms of the cost, each a sheafCostTerm (sheaf/cost_term.h)")
SHEAF_SIZE(ncost, "terms of the cost")
SHEAF_INPUT(cost_target, f64, OPTIONAL, "B ntarget", "targets of the terms (sheaf/cost_term.h)")
SHEAF_SIZE(ntarget, "numbers of targets")
SHEAF_OPTION(discount, real, 0, 1, 1, "factor of the cost from each step to the next; 0: 1")
SHEAF_OUTPUT(cost, f64, ASKED, "B", "sum over all steps and terms; infinite if the rollout stopped being valid")
SHEAF_OUTPUT(cost_parts, f64, ASKED, "B ncost", "sum of each term over the valid steps")
SHEAF_PARAMS("B", "numbers of the model that rows set, by name; the values of the model")
SHEAF_OPTION(keep_constants, flag, 0, 1, 0, "do not call mj_setConst for rows with parameters")
SHEAF_OPTION(every, int, -1, 2147483647, 1, 
             "steps from one row of results to the next: after steps every, 2 every, ...; last (-1): one, after the last; 0: 1")
SHEAF_WORD(every, last, -1)
SHEAF_OPTION(aligned, flag, 0, 1, 0, 
             "sensordata and outputs of the state that they stand beside; 0: of the state that its step began from")
SHEAF_DTYPE()
SHEAF_OPTION(knots, int, 0, 3, 0, 
             "control rows are knots: 1 (zero) steps, 2 (linear), 3 (cubic) spline between them; evaluated every hold steps; 0: rows")
SHEAF_WORD(knots, zero, 1)
SHEAF_WORD(knots, linear, 2)
SHEAF_WORD(knots, cubic, 3)
SHEAF_INPUT(knot_times, times, OPTIONAL, "B ncontrolstep", 
            "seconds from the begin of the rollout; evenly from the first step to the last, of zero-order in equal parts")
SHEAF_OPTION(delay, int, 0, 1000000, 0, "steps after which a control reaches the actuators; feedback sees the state at which it is computed")
SHEAF_INPUT(earlier, f64, OPTIONAL, "B delay ncontrol", "controls on their way at the begin, for the first delay steps; zero")
SHEAF_INPUT(feedback_state, f64, OPTIONAL, "B nstep nstate", "X of u = clamp(U + a control + K (x - X))")
SHEAF_INPUT(feedback_ctrl, f64, OPTIONAL, "B nstep nu", "U of it; zero")
SHEAF_INPUT(feedback_gain, f64, OPTIONAL, "B nstep nu ndx", "K of it; x - X is dq (nv), dv (nv), dact (na)")
SHEAF_INPUT(step_size, f64, OPTIONAL, "B 1", "a of it; one")
SHEAF_INPUT(warmstart, f64, OPTIONAL, "B nwarmstep nv",
            "the solver starts step t from row t + shift; from the solution of the step before where there is no such row")
SHEAF_SIZE(nwarmstep, "rows of warmstart of each rollout")
SHEAF_OPTION(shift, int, 0, 2147483647, 0, "steps by which warmstart is older: those since the rollout that made it began")
SHEAF_OUTPUT(solution, f64, ASKED, "B nstep nv", 
             "accelerations that the solver found in each step: warmstart of a later call; zeros in steps that are not valid")
SHEAF_END(ROLLOUT, Rollout, rollout, rollout)

SHEAF_REQUEST(FORWARD, Forward, forward, forward, "states", "Forward dynamics at given states")
SHEAF_INPUT(qpos, f64, OPTIONAL, "B nq", "qpos0 of the model")
SHEAF_INPUT(qvel, f64, OPTIONAL, "B nv", "zero")
SHEAF_INPUT(act, f64, OPTIONAL, "B na", "zero")
SHEAF_INPUT(ctrl, f64, OPTIONAL, "B nu", "zero")
SHEAF_INPUT(qfrc_applied, f64, OPTIONAL, "B nv", "zero")
SHEAF_INPUT(xfrc_applied, f64, OPTIONAL, "B nbody 6", "zero")
SHEAF_INPUT(mocap_pos, f64, OPTIONAL, "B nmocap 3", "poses of the model")
SHEAF_INPUT(mocap_quat, f64, OPTIONAL, "B nmocap 4", "poses of the model")
SHEAF_INPUT(warmstart, f64, OPTIONAL, "B nv", "warm start of the solver; zero")
SHEAF_INPUT(time, f64, OPTIONAL, "B 1", "zero")
SHEAF_OPTION(stage, int, 0, 3, 0, "1 stops after what depends on positions, 2 after velocities, 3: all; 0: as far as the outputs need")
SHEAF_WORD(stage, pos, 1)
SHEAF_WORD(stage, vel, 2)
SHEAF_WORD(stage, acc, 3)
SHEAF_NAMED("B", "qacc", "of the given state, as the last stage leaves it")
SHEAF_OUTPUT(status, i32, ALWAYS, "B", "0, or why the row is not valid")
SHEAF_CONTROL()
SHEAF_OPTION(share_warmstart, flag, 0, 1, 0, "solves of the other rows start from the solution of row 0")
SHEAF_PARAMS_AND_DTYPE()
SHEAF_END(FORWARD, Forward, forward, forward)

SHEAF_REQUEST(INVERSE, Inverse, inverse, inverse, "states", "Inverse dynamics at given states and accelerations")
SHEAF_ACCELERATED()
SHEAF_INPUT(mocap_pos, f64, OPTIONAL, "B nmocap 3", "poses of the model")
SHEAF_INPUT(mocap_quat, f64, OPTIONAL, "B nmocap 4", "poses of the model")
SHEAF_OPTION(discrete, flag, 0, 1, 0, "qacc is the acceleration of a step: (next velocity - velocity) / timestep")
SHEAF_OUTPUT(qfrc_inverse, num, DEFAULT, "B nv", "the forces")
SHEAF_NAMED("B", "", "of the given state, as inverse dynamics leave it")
SHEAF_OUTPUT(status, i32, ALWAYS, "B", "0, or why the row is not valid")
SHEAF_CONTROL()
SHEAF_PARAMS_AND_DTYPE()
SHEAF_END(INVERSE, Inverse, inverse, inverse)

SHEAF_REQUEST(TRANSITION_FD, TransitionFD, transitionFD, transition_fd, "states",
              "Derivatives of a step by finite differences, one set for each state")
SHEAF_STATES()
SHEAF_OPTION(eps, real, 1e-300, 1, 1e-6, "size of the nudge; 0: 1e-6")
SHEAF_OPTION(centered, flag, 0, 1, 0, "centered differences")
SHEAF_OUTPUT(A, num, DEFAULT, "B ndx nxcol", "d next state / d state")
SHEAF_OUTPUT(B, num, DEFAULT, "B ndx nucol", "d next state / d ctrl")
SHEAF_OUTPUT(C, num, DEFAULT, "B nsensordata nxcol", "d sensors / d state")
SHEAF_OUTPUT(D, num, DEFAULT, "B nsensordata nucol", "d sensors / d ctrl")
SHEAF_OUTPUT(status, i32, ALWAYS, "B", "0, or why the row is not valid")
SHEAF_CONTROL()
SHEAF_PARAMS_AND_DTYPE()
SHEAF_NAMED("B", "", "with nominal. before its name; of the given state, as forward dynamics leave it")
SHEAF_COLUMNS_OF_STEP()
SHEAF_END(TRANSITION_FD, TransitionFD, transitionFD, transition_fd)

SHEAF_REQUEST(INVERSE_FD, InverseFD, inverseFD, inverse_fd, "states",
              "Derivatives of inverse dynamics by finite differences")
SHEAF_ACCELERATED()
SHEAF_OPTION(eps, real, 1e-300, 1, 1e-6, "size of the nudge; 0: 1e-6")
SHEAF_OPTION(actuation, flag, 0, 1, 0, "subtract actuator forces")
SHEAF_OUTPUT(DfDq, num, DEFAULT, "B nv nqcol", "row: force, column: position (mjd_inverseFD returns the transpose)")
SHEAF_OUTPUT(DfDv, num, DEFAULT, "B nv nvcol", "column: velocity")
SHEAF_OUTPUT(DfDa, num, DEFAULT, "B nv nacol", "column: acceleration")
SHEAF_OUTPUT(status, i32, ALWAYS, "B", "0, or why the row is not valid")
SHEAF_CONTROL()
SHEAF_PARAMS_AND_DTYPE()
SHEAF_NAMED("B", "", "with nominal. before its name; of the given state, as inverse dynamics leave it")
SHEAF_COLUMNS_OF_INVERSE()
SHEAF_END(INVERSE_FD, InverseFD, inverseFD, inverse_fd)

SHEAF_REQUEST(SAMPLE, Sample, sample, sample, "steps",
              "Improve plans of controls by sampling around them (sheaf/sampling.h)")
SHEAF_OPTION(nstep, int, 1, 2147483647, 0, "steps of each rollout")
SHEAF_OPTION(nknot, int, 1, 65536, 0, "knots of a plan, evenly spaced over the steps")
SHEAF_OPTION(nsample, int, 1, 65536, 64, "rollouts of each iteration; 0: 64")
SHEAF_OPTION(niteration, int, 1, 1000, 1, "iterations; 0: 1")
SHEAF_OPTION(method, int, 1, 4, 1, "1: predictive sampling, 2: MPPI, 3: cross-entropy method, 4: steps along the gradient; 0: 1")
SHEAF_WORD(method, predictive, 1)
SHEAF_WORD(method, mppi, 2)
SHEAF_WORD(method, cem, 3)
SHEAF_WORD(method, gradient, 4)
SHEAF_OPTION(spline, int, 1, 3, 3, "spline between knots, 1: zero-order, 2: linear, 3: cubic; 0: 3")
SHEAF_WORD(spline, zero, 1)
SHEAF_WORD(spline, linear, 2)
SHEAF_WORD(spline, cubic, 3)
SHEAF_OPTION(temperature, real, 1e-300, 1e300, 0.1, "temperature of MPPI; 0: 0.1")
SHEAF_OPTION(nelite, int, 1, 65536, 8, "samples whose mean the cross-entropy method takes; 0: 8")
SHEAF_OPTION(least_noise, real, 0, 1e300, 0, "least standard deviation in the cross-entropy method")
SHEAF_OPTION(shift, int, 0, 2147483647, 0, "steps by which the plan is moved forward first")
SHEAF_OPTION(hold, int, 1, 2147483647, 1, "steps that a value of the spline is held; 0: 1")
SHEAF_OPTION(discount, real, 0, 1, 1, "factor of the cost from each step to the next; 0: 1")
SHEAF_OPTION(ntop, int, 0, 65536, 0, "samples of lowest cost to return, at most nsample")
SHEAF_INPUT(state0, f64, REQUIRED, "B nstate", "where the rollouts start")
SHEAF_INPUT(warmstart0, f64, OPTIONAL, "B nv", "warm start of the solver; zero")
SHEAF_INPUT(plan, f64, OPTIONAL, "B nknot nu", "knots of the plan to improve; zero")
SHEAF_INPUT(noise, f64, REQUIRED, "B nknot nu", "standard deviations of the samples around the plan")
SHEAF_INPUT(seed, f64, OPTIONAL, "B 1", "key of the noise, an integer from 0 to 2^53; 0")
SHEAF_INPUT(cost_term, f64, REQUIRED, "B ncost 10", "terms of the cost, each a sheafCostTerm (sheaf/cost_term.h)")
SHEAF_SIZE(ncost, "terms of the cost")
SHEAF_INPUT(cost_target, f64, OPTIONAL, "B ntarget", "targets of the terms (sheaf/cost_term.h)")
SHEAF_SIZE(ntarget, "numbers of targets")
SHEAF_OUTPUT(knots, f64, DEFAULT, "B nknot nu", "the improved plan")
SHEAF_OUTPUT(spread, f64, ASKED, "B nknot nu", "standard deviations after the last iteration")
SHEAF_OUTPUT(cost, f64, ASKED, "B nsample", "costs of the samples of the last iteration; sample 0 is the plan before it")
SHEAF_OUTPUT(top_cost, f64, ASKED, "B ntop", "the lowest costs of the last iteration, best first")
SHEAF_OUTPUT(top_knots, f64, ASKED, "B ntop nknot nu", "knots of these samples")
SHEAF_OUTPUT(top_state, num, ASKED, "B ntop nrecord nstate", "their rollouts, after each step")
SHEAF_OUTPUT(plan_cost, f64, ASKED, "B", "cost of the improved plan")
SHEAF_OUTPUT(plan_state, num, ASKED, "B nrecord nstate", "its rollout, after each step")
SHEAF_OUTPUT(status, i32, ALWAYS, "B", "0, or why the rollout of the plan is not valid where no sample is")
SHEAF_CONTROL()
SHEAF_OPTION(step, real, 1e-300, 1e300, 1, "longest step along the gradient, in standard deviations; 0: 1")
SHEAF_OPTION(step_ratio, real, 1e-300, 1, 0.5, "length of each shorter step over that of the step before; 0: 0.5")
SHEAF_OPTION(first_iteration, int, 0, 1000000, 0, "number of the first iteration, which its noise depends on")
SHEAF_OPTION(sample_begin, int, 0, 65535, 0, "first sample to roll out, of a part")
SHEAF_OPTION(sample_count, int, 0, 65536, 0, "samples of a part: their costs are computed, and the plan stays; 0: all")
SHEAF_INPUT(sample_cost, f64, OPTIONAL, "B nsample", "costs of the samples of this iteration, which are not rolled out then")
SHEAF_INPUT(warmstart, f64, OPTIONAL, "B nwarmstep nv",
            "in every rollout the solver starts step t from row t + shift, and as without where there is no such row")
SHEAF_SIZE(nwarmstep, "rows of warmstart of each plan")
SHEAF_PARAMS("B", "numbers of the model that plans set, by name; the values of the model")
SHEAF_OPTION(keep_constants, flag, 0, 1, 0, "do not call mj_setConst for plans with parameters")
SHEAF_OUTPUT(gradient, f64, ASKED, "B nknot nu", 
             "derivative of the cost by the knots of the plan before the last iteration; zeros where that plan diverges; method 4")
SHEAF_OUTPUT(plan_solution, f64, ASKED, "B nstep nv", "accelerations that the solver found in the improved plan's rollout")
SHEAF_NAMED("B ntrajectory nrecord", "",
            "in the rollout of the improved plan, then in those of the best samples; of the states that rollouts tell")
SHEAF_OPTION(every, int, -1, 2147483647, 1,
             "steps from one row of plan_state, top_state and outputs to the next; last (-1): one, after the last; 0: 1")
SHEAF_WORD(every, last, -1)
SHEAF_OPTION(aligned, flag, 0, 1, 0, "outputs of the state that they stand beside; 0: of the state that its step began from")
SHEAF_DTYPE()
SHEAF_END(SAMPLE, Sample, sample, sample)

SHEAF_REQUEST(TRANSITION_DERIVATIVES, TransitionDerivatives, transitionDerivatives, transition_derivatives, "states",
              "Derivatives of a step by the optimality condition of the constraint solver, one set for each state")
SHEAF_STATES()
SHEAF_OPTION(mode, int, 0, 2, 0, "0: 1, or 2 for models that 1 does not cover; 1: implicit; 2: differences of steps, as transition_fd")
SHEAF_WORD(mode, auto, 0)
SHEAF_WORD(mode, implicit, 1)
SHEAF_WORD(mode, fd, 2)
SHEAF_OPTION(eps, real, 1e-300, 1, 1e-6, "size of the nudge of mode 2; 0: 1e-6")
SHEAF_OPTION(centered, flag, 0, 1, 0, "centered differences in mode 2")
SHEAF_OUTPUT(A, num, DEFAULT, "B ndx nxcol", "d next state / d state")
SHEAF_OUTPUT(B, num, DEFAULT, "B ndx nucol", "d next state / d ctrl")
SHEAF_OUTPUT(C, num, ASKED, "B nsensordata nxcol", "d sensors / d state")
SHEAF_OUTPUT(D, num, ASKED, "B nsensordata nucol", "d sensors / d ctrl")
SHEAF_OUTPUT(qacc_x, num, ASKED, "B nv nxcol", "d qacc / d state, with qacc at the given state; not in mode 2")
SHEAF_OUTPUT(qacc_u, num, ASKED, "B nv nucol", "d qacc / d ctrl; not in mode 2")
SHEAF_OUTPUT(qacc, num, ASKED, "B nv", "at the given state")
SHEAF_OUTPUT(next_state, num, ASKED, "B nstate", "after the step")
SHEAF_FALLBACK_AND_STATUS()
SHEAF_CONTROL()
SHEAF_PARAMS_AND_DTYPE()
SHEAF_NAMED("B nxucol", "",
            "derivatives of outputs at the given state: row j by input j (state, then ctrl), then the output's shape; "
            "not in mode 2. With nominal. before its name the output itself, (B, its shape)")
SHEAF_COLUMNS_OF_STEP()
SHEAF_END(TRANSITION_DERIVATIVES, TransitionDerivatives, transitionDerivatives, transition_derivatives)

SHEAF_REQUEST(INVERSE_DERIVATIVES, InverseDerivatives, inverseDerivatives, inverse_derivatives, "states",
              "Derivatives of inverse dynamics")
SHEAF_ACCELERATED()
SHEAF_INPUT(act, f64, OPTIONAL, "B na", "zero")
SHEAF_INPUT(ctrl, f64, OPTIONAL, "B nu", "zero")
SHEAF_OPTION(mode, int, 0, 2, 0, "0: 1, or 2 for models that 1 does not cover; 1: analytic; 2: differences, as inverse_fd")
SHEAF_WORD(mode, auto, 0)
SHEAF_WORD(mode, analytic, 1)
SHEAF_WORD(mode, fd, 2)
SHEAF_OPTION(eps, real, 1e-300, 1, 1e-6, "size of the nudge of mode 2; 0: 1e-6")
SHEAF_OPTION(actuation, flag, 0, 1, 0, "subtract actuator forces")
SHEAF_OUTPUT(DfDq, num, DEFAULT, "B nv nqcol", "row: force, column: position, in the tangent space")
SHEAF_OUTPUT(DfDv, num, DEFAULT, "B nv nvcol", "column: velocity")
SHEAF_OUTPUT(DfDa, num, DEFAULT, "B nv nacol", "column: acceleration")
SHEAF_FALLBACK_AND_STATUS()
SHEAF_CONTROL()
SHEAF_PARAMS_AND_DTYPE()
SHEAF_NAMED("B", "", "with nominal. before its name; of the given state, as inverse dynamics leave it")
SHEAF_COLUMNS_OF_INVERSE()
SHEAF_END(INVERSE_DERIVATIVES, InverseDerivatives, inverseDerivatives, inverse_derivatives)

SHEAF_REQUEST(INVERSE_REGRESSOR, InverseRegressor, inverseRegressor, inverse_regressor, "states",
              "Derivatives of inverse dynamics by numbers of the model")
SHEAF_ACCELERATED()
SHEAF_INPUT(act, f64, OPTIONAL, "B na", "zero")
SHEAF_INPUT(ctrl, f64, OPTIONAL, "B nu", "zero")
SHEAF_OPTION(actuation, flag, 0, 1, 0, "subtract actuator forces")
SHEAF_OUTPUT(qfrc_inverse, num, ASKED, "B nv", "the forces, without those of actuators subtracted")
SHEAF_NAMED("B nv", "body_mass", 
            "numbers of the model (parameters): d force / d number. "
            "With nominal. before its name an output at the given state, (B, its shape)")
SHEAF_FALLBACK_AND_STATUS()
SHEAF_CONTROL()
SHEAF_PARAMS_AND_DTYPE()
SHEAF_END(INVERSE_REGRESSOR, InverseRegressor, inverseRegressor, inverse_regressor)

SHEAF_REQUEST(TRANSITION_REGRESSOR, TransitionRegressor, transitionRegressor, transition_regressor, "states",
              "Derivatives of a step by numbers of the model")
SHEAF_STATES()
SHEAF_OUTPUT(next_state, num, ASKED, "B nstate", "after the step")
SHEAF_NAMED("B ndx", "body_mass", 
            "numbers of the model (parameters): d next state / d number. "
            "With nominal. before its name an output at the given state, (B, its shape)")
SHEAF_FALLBACK_AND_STATUS()
SHEAF_CONTROL()
SHEAF_PARAMS_AND_DTYPE()
SHEAF_END(TRANSITION_REGRESSOR, TransitionRegressor, transitionRegressor, transition_regressor)

// clang-format on

#undef SHEAF_REQUEST
#undef SHEAF_OPTION
#undef SHEAF_INPUT
#undef SHEAF_EACH
#undef SHEAF_SIZE
#undef SHEAF_OUTPUT
#undef SHEAF_NAMED
#undef SHEAF_CONTROL
#undef SHEAF_PARAMS
#undef SHEAF_COLUMNS
#undef SHEAF_WORD
#undef SHEAF_END
#undef SHEAF_DTYPE
#undef SHEAF_PARAMS_AND_DTYPE
#undef SHEAF_STATES
#undef SHEAF_ACCELERATED
#undef SHEAF_FALLBACK_AND_STATUS
#undef SHEAF_COLUMNS_OF_STEP
#undef SHEAF_COLUMNS_OF_INVERSE
