// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Models that the fuzz target of binary files changes: between them every kind of element.
#ifndef SHEAF_TESTS_FUZZ_MJB_MODELS_H_
#define SHEAF_TESTS_FUZZ_MJB_MODELS_H_

#include <stddef.h>
#include <stdint.h>

// How many integers the saved form of a model has. (fuzz_mjb.c)
size_t fuzz_mjb_integers(int model);

static const char* const fuzz_models[] = {
    // every joint, limits, friction, keyframes, sensors of joints
    "<mujoco><size memory='200K'/><option integrator='implicitfast'/><worldbody><light/><camera name='c'/>"
    "<geom name='floor' type='plane' size='1 1 .1'/>"
    "<body name='a' pos='0 0 .1'><freejoint name='free'/><geom name='g' size='.1'/><site name='s'/>"
    "<body name='b' pos='.2 0 0'><joint name='ball' type='ball' range='0 1' stiffness='1'/>"
    "<geom type='capsule' size='.05 .1'/>"
    "<body name='c' pos='.2 0 0'><joint name='h' axis='0 1 0' range='-1 1' frictionloss='.1'/>"
    "<geom type='box' size='.05 .05 .05'/></body></body></body>"
    "<body name='d' pos='1 0 .1'><joint name='x' type='slide' range='-1 1' damping='1' springref='.1'/>"
    "<joint name='y' axis='0 1 0'/><geom type='ellipsoid' size='.1 .2 .1'/></body>"
    "<body name='m' mocap='true'><geom type='cylinder' size='.1 .1' pos='0 0 1'/></body></worldbody>"
    "<sensor><jointpos joint='h'/><jointlimitpos joint='h'/><ballquat joint='ball'/><ballangvel joint='ball'/>"
    "<accelerometer site='s'/><force site='s'/><touch site='s'/><rangefinder site='s'/>"
    "<subtreecom body='a'/><subtreeangmom body='a'/><framepos objtype='geom' objname='g' reftype='body'"
    " refname='d'/><framelinacc objtype='xbody' objname='c'/><clock/><camprojection site='s' camera='c'/>"
    "<distance geom1='g' geom2='floor' cutoff='2'/><user dim='2' name='u'/><contact geom1='floor' num='3'"
    " data='found force pos'/></sensor>"
    "<keyframe><key name='k' time='1'/><key qvel='1 2 3 4 5 6 7 8 9 10 11 12'/></keyframe></mujoco>",

    // tendons, actuators, equalities, pairs and custom data
    "<mujoco><option cone='elliptic' solver='CG' noslip_iterations='2'/><size memory='200K' nuser_geom='2'/><worldbody>"
    "<body name='a' pos='0 0 .5'><joint name='h1' axis='0 1 0'/><geom name='g1' size='.1' user='1 2'/>"
    "<site name='s1' pos='.1 0 0'/>"
    "<body name='b' pos='.5 0 0'><joint name='h2' axis='0 1 0'/><geom name='g2' size='.1'/>"
    "<site name='s2' pos='.1 0 0'/></body></body>"
    "<body name='c' pos='0 1 .5'><joint name='x' type='slide'/><geom name='g3' type='cylinder' size='.1 .2'/>"
    "<site name='s3'/><site name='side' pos='0 .3 0'/></body>"
    "<body name='d' pos='0 -1 .5'><freejoint/><geom name='g4' size='.1'/></body></worldbody>"
    "<contact><pair geom1='g1' geom2='g3'/><exclude body1='a' body2='d'/></contact>"
    "<tendon><spatial name='t' limited='true' range='0 1' springlength='.1' stiffness='1'><site site='s1'/>"
    "<geom geom='g3' sidesite='side'/><site site='s2'/><pulley divisor='2'/><site site='s1'/>"
    "<geom geom='g4'/><site site='s3'/></spatial>"
    "<fixed name='f' frictionloss='.1' damping='1'><joint joint='h1' coef='1'/><joint joint='h2' coef='-1'/>"
    "</fixed></tendon>"
    "<equality><connect body1='b' body2='c' anchor='0 0 0'/><weld body1='d' body2='a'/>"
    "<joint joint1='h1' joint2='h2'/><tendon tendon1='t' tendon2='f'/><connect site1='s1' site2='s3'/>"
    "</equality>"
    "<actuator><motor name='mo' joint='h1'/><position tendon='t' kp='2'/><general site='s1' refsite='s3' gear='1 0 0 0 "
    "0 1'/>"
    "<adhesion body='d' ctrlrange='0 1'/><general cranksite='s1' slidersite='s3' cranklength='.5'/>"
    "<muscle tendon='f' lengthrange='0 1'/><general jointinparent='h2' dyntype='filter' actlimited='true'"
    " actrange='-1 1'/><general joint='x' dyntype='user' actdim='3'/><intvelocity joint='x' actrange='-1 1'/>"
    "<damper joint='h2' ctrlrange='0 1'/></actuator>"
    "<sensor><tendonpos tendon='t'/><actuatorfrc actuator='mo'/><tendonlimitfrc tendon='t'/></sensor>"
    "<custom><numeric name='n' size='4' data='1 2'/><text name='t' data='word'/><tuple name='u'>"
    "<element objtype='body' objname='a' prm='1'/><element objtype='tendon' objname='t'/></tuple></custom>"
    "</mujoco>",

    // assets
    "<mujoco><size memory='200K'/><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1 1 1 1 .5 .5 1.5'/>"
    "<hfield name='h' nrow='3' ncol='4' elevation='0 1 2 3 1 2 3 4 0 0 1 1' size='1 1 .2 .1'/>"
    "<texture name='t' type='2d' builtin='checker' width='4' height='4'/><material name='mt' texture='t'/>"
    "</asset><worldbody><geom type='hfield' hfield='h' material='mt'/>"
    "<body name='a' pos='0 0 .5'><freejoint/><geom type='mesh' mesh='m'/></body>"
    "<body name='b' pos='.2 0 .6'><freejoint/><geom type='mesh' mesh='m'/></body>"
    "<body name='c' pos='.4 0 .4'><freejoint/><geom type='box' size='.1 .1 .1'/></body></worldbody>"
    "<deformable><skin name='k' vertex='0 0 0 1 0 0 0 1 0' face='0 1 2' texcoord='0 0 1 0 0 1'>"
    "<bone body='a' bindpos='0 0 0' bindquat='1 0 0 0' vertid='0 1' vertweight='1 1'/>"
    "<bone body='b' bindpos='0 0 0' bindquat='1 0 0 0' vertid='2' vertweight='1'/></skin></deformable></mujoco>",

    // many small bodies: islands, sleep, fluid
    "<mujoco><size memory='200K'/><option density='1' viscosity='1' solver='PGS' jacobian='sparse' "
    "integrator='implicit'>"
    "<flag sleep='enable'/></option><worldbody><geom type='plane' size='1 1 .1'/>"
    "<replicate count='4' offset='.3 0 0'><body pos='0 0 .1'><freejoint/><geom name='g' size='.1'"
    " fluidshape='ellipsoid'/><body pos='0 .2 0'><joint/><geom type='box' size='.1 .1 .1'/></body></body>"
    "</replicate></worldbody></mujoco>",

    // flexes of all dimensions, rigid ones, one that follows nodes
    "<mujoco><size memory='200K'/><worldbody><geom type='plane' size='1 1 .1'/>"
    "<body name='a'><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/><joint type='slide'/>"
    "<geom size='.1'/></body><body name='b' pos='1 0 0'><joint type='slide'/><joint type='slide' axis='0 1 0'/>"
    "<joint type='slide' axis='1 0 0'/><geom size='.1'/></body><body name='c' pos='0 1 0'><joint type='slide'/>"
    "<joint type='slide' axis='0 1 0'/><joint type='slide' axis='1 0 0'/><geom size='.1'/></body>"
    "<body name='d' pos='0 0 1'><joint type='slide'/><joint type='slide' axis='0 1 0'/>"
    "<joint type='slide' axis='1 0 0'/><geom size='.1'/></body></worldbody><deformable>"
    "<flex name='r' dim='1' body='a b c d' element='0 1 1 2 2 3'><contact contype='0' conaffinity='0'/>"
    "<edge stiffness='3' damping='1'/></flex>"
    "<flex name='s' dim='2' body='a b c d' element='0 1 2 1 3 2' texcoord='0 0 1 1 0 1 1 0'>"
    "<contact contype='0' conaffinity='0'/><elasticity young='9' thickness='.1' elastic2d='both' damping='.1'/></flex>"
    "<flex name='t' dim='3' body='a b c d' element='0 1 2 3'><contact contype='0' conaffinity='0'/>"
    "<elasticity young='9' poisson='.1'/></flex>"
    "<flex name='u' dim='2' body='a' vertex='0 0 0 1 0 0 0 1 0' element='0 1 2'>"
    "<contact contype='0' conaffinity='0'/></flex>"
    "<flex name='n' dim='3' node='a b c d world world world world' body='world' vertex='0 0 0 1 0 0 0 1 0 0 0 1'"
    " element='0 1 2 3'><contact contype='0' conaffinity='0' selfcollide='none'/></flex></deformable>"
    "<equality><flex flex='r'/></equality></mujoco>",

    // plugins of an actuator, a sensor and a body
    "<mujoco><size memory='200K'/><extension>"
    "<plugin plugin='mujoco.pid'><instance name='p'><config key='ki' value='1'/></instance></plugin>"
    "<plugin plugin='mujoco.sensor.touch_grid'/><plugin plugin='mujoco.elasticity.cable'/></extension><worldbody>"
    "<geom type='plane' size='1 1 1'/>"
    "<body name='a' pos='.2 .2 .2'><freejoint/><geom type='box' size='.3 .3 .3'/><site name='s' size='.4'/></body>"
    "<body name='b' pos='2 0 .2'><joint name='h'/><geom type='capsule' size='.1 .1'/>"
    "<plugin plugin='mujoco.elasticity.cable'><config key='twist' value='1'/></plugin></body>"
    "</worldbody><actuator><plugin joint='h' instance='p' actdim='1'/></actuator>"
    "<sensor><plugin plugin='mujoco.sensor.touch_grid' objtype='site' objname='s'><config key='size' value='2 3'/>"
    "<config key='fov' value='90 45'/></plugin></sensor></mujoco>",
};

enum { FUZZ_MODELS = sizeof fuzz_models / sizeof *fuzz_models };

#endif  // SHEAF_TESTS_FUZZ_MJB_MODELS_H_
