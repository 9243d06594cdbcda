// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Small models, each of which has one kind of force whose derivative by position is a formula of its own.
#ifndef SHEAF_TESTS_ENGINE_DERIVE_FEATURE_MODELS_H_
#define SHEAF_TESTS_ENGINE_DERIVE_FEATURE_MODELS_H_

#include <sheaf/batch.h>

#define MODEL(body, rest)                                                                     \
  "<mujoco><compiler angle='radian'/><option timestep='0.002'/>"                              \
  "<default><geom density='900' size='.05' contype='0' conaffinity='0'/><joint damping='.2' " \
  "armature='.02'/></default>"                                                                \
  "<worldbody>" body "</worldbody>" rest "</mujoco>"

// a free body with an arm of two links: hinges b and c, sites at the ends of the parts
#define ARM                                                                                                     \
  "<site name='w' pos='.3 .2 1.3'/>"                                                                            \
  "<body name='base' pos='0 0 1'><freejoint name='root'/><geom type='box' size='.1 .12 .08'/><site name='s0' "  \
  "pos='.05 .08 .1'"                                                                                            \
  " euler='.2 .5 -.3'/>"                                                                                        \
  "<body name='upper' pos='.2 0 0'><joint name='b' axis='0 1 .2'/><geom type='capsule' fromto='0 0 0 .2 0 0'/>" \
  "<geom name='ball' type='sphere' size='.11' pos='.03 0 .02'/><site name='in' pos='.05 .02 .04'/>"             \
  "<site name='s1' pos='.1 .06 .02' euler='.6 -.3 .4'/>"                                                        \
  "<body name='lower' pos='.25 0 0'><joint name='c' type='ball'/><geom type='ellipsoid' size='.1 .05 .06'/>"    \
  "<site name='s2' pos='.07 -.04 .05' euler='-.4 .3 .9'/></body></body></body>"

// the same with a post beside it, fixed to the world by a slide
#define POST                                                                                                           \
  ARM "<body name='post' pos='.25 .4 .9'><joint name='e' type='slide' axis='.3 0 1'/><joint name='f' axis='1 0 .1'/>"  \
      "<geom type='box' size='.05 .06 .1' euler='.3 .2 .1'/><geom name='roll' type='cylinder' size='.12 .2' pos='.02 " \
      "-.06 .25' "                                                                                                     \
      "euler='1.2 .2 0'/><site name='s3' pos='.02 .03 .08' euler='.1 .7 .2'/></body>"

static const struct {
  const char *name, *xml;
} kFeatures[] = {
    {"connect between bodies",
     MODEL(POST, "<equality><connect body1='lower' body2='post' anchor='.05 .1 0' solref='.05 1'/></equality>")},
    {"connect to the world, of sites",
     MODEL(POST,
           "<equality><connect site1='s2' site2='w' solref='.08 1' solimp='.5 .95 .3'/>"
           "<connect site1='s1' site2='s3' solref='-40 -5'/></equality>")},
    {"weld between bodies",
     MODEL(POST,
           "<equality><weld body1='upper' body2='post' relpose='.1 .2 .1 .9 .3 -.2 .1' torquescale='.7' "
           "solref='.06 1' solimp='.4 .9 .2'/></equality>")},
    {"weld in one tree, of sites",
     MODEL(POST,
           "<equality><weld site1='s2' site2='s0' solref='.06 .8'/><weld body1='base' solref='.2 1'/></equality>")},
    {"springs of a ball and a free joint",
     MODEL("<body pos='0 0 1'><joint type='free' stiffness='20'/><geom type='box' size='.1 .12 .08'/>"
           "<body pos='.2 0 0'><joint type='ball' stiffness='3' springdamper='0 0'/><geom type='capsule' fromto='0 0 0 "
           ".2 0 0'/>"
           "</body></body>",
           "")},
    {"limit of a ball",
     MODEL("<body pos='0 0 1'><joint axis='0 1 0'/><geom type='box' size='.1 .12 .08'/>"
           "<body pos='.2 0 0'><joint name='c' type='ball' limited='true' range='0 .1' margin='.05'/>"
           "<geom type='capsule' fromto='0 0 0 .2 .1 0'/></body></body>",
           "<actuator><motor joint='c' gear='1 2 -.5'/></actuator>")},
    {"actuators that share the limits of tendons",
     MODEL(
         POST,
         "<tendon><spatial name='t' actuatorfrcrange='-2 1.5'><site site='s1'/><site site='s3'/></spatial>"
         "<fixed name='u' actuatorfrcrange='-1 1'><joint joint='b' coef='.7'/><joint joint='e' coef='-1.2'/></fixed>"
         "<fixed name='v' actuatorfrcrange='-3 .5'><joint joint='f' coef='1'/></fixed></tendon>"
         "<actuator><motor tendon='t' gear='5'/><general tendon='t' gear='-2' gainprm='8' biastype='affine' biasprm='1 "
         "-9 -.7' dyntype='filter' dynprm='.05'/><motor tendon='t' gear='3' forcelimited='true' forcerange='-.3 .4'/>"
         "<position tendon='u' kp='40' kv='2' gear='1.5'/><general tendon='u' gear='.5' gaintype='affine' gainprm='6 2 "
         "-1'/><velocity tendon='v' kv='3'/><motor tendon='v' gear='-.4'/></actuator>")},
    {"gravity compensation",
     MODEL("<body pos='0 0 1' gravcomp='.4'><joint type='free'/><geom type='box' size='.1 .12 .08' pos='.1 0 0'/>"
           "<body pos='.2 0 0' gravcomp='1.2'><joint name='c' type='ball' actuatorgravcomp='true'/>"
           "<geom type='capsule' fromto='0 0 0 .2 .1 0'/>"
           "<body pos='.2 .1 0' gravcomp='.7'><joint name='b' axis='0 1 0' actuatorgravcomp='true' "
           "actuatorfrclimited='true' "
           "actuatorfrcrange='-.2 .2'/><joint type='slide' axis='1 0 0'/>"
           "<geom type='capsule' fromto='0 0 0 .2 .1 0'/></body></body></body>",
           "<actuator><motor joint='c' gear='1 2 -.5'/><motor joint='b' gear='.1'/></actuator>")},
    {"medium",
     "<mujoco><option timestep='.002' density='300' viscosity='2' wind='1 -.5 .3'/>"
     "<worldbody><body pos='0 0 1'><joint type='free'/><geom type='box' size='.1 .12 .08' pos='.1 0 0'/>"
     "<body pos='.2 0 0'><joint axis='0 1 0'/><geom type='capsule' size='.05' fromto='0 0 0 .2 .1 0' "
     "fluidshape='ellipsoid'/>"
     "<body pos='.2 .1 0'><joint type='ball'/><geom type='ellipsoid' size='.1 .07 .05' fluidshape='ellipsoid'/>"
     "</body></body></body></worldbody></mujoco>"},
    {"small shapes in a medium, whose force has lower limits of roots and divisors",
     "<mujoco><option timestep='.002' density='1000' wind='1 -.5 .3'/>"
     "<worldbody><body pos='0 0 1'><joint type='free'/><geom type='ellipsoid' size='.03 .02 .01' "
     "fluidshape='ellipsoid'/>"
     "<body pos='.04 0 0'><joint type='ball' armature='1e-5'/><geom type='box' size='.012 .004 .008' pos='.01 0 0' "
     "fluidshape='ellipsoid'/></body></body></worldbody></mujoco>"},
    {"straight tendons",
     MODEL(POST,
           "<tendon><spatial name='t1' stiffness='60' damping='2' springlength='.1 .3' limited='true' range='.2 .3' "
           "frictionloss='.3'><site site='w'/><site site='s1'/><site site='s3'/></spatial>"
           "<spatial name='t2' damping='1'><site site='s0'/><site site='s2'/><pulley divisor='2'/><site site='s2'/>"
           "<site site='s3'/></spatial>"
           "<fixed name='t3'><joint joint='b' coef='.3'/><joint joint='f' coef='.2'/></fixed></tendon>"
           "<equality><tendon tendon1='t1' tendon2='t2' polycoef='.05 .8 .3 -.2 .1' solref='.1 1'/>"
           "<tendon tendon1='t3' tendon2='t2' polycoef='.05 .8 .3 -.2 .1' solref='.1 1'/>"
           "<tendon tendon1='t2' solref='.3 1'/></equality>"
           "<actuator><general tendon='t1' gear='1.4' gaintype='affine' gainprm='3 2 .4' biastype='affine' biasprm='.3 "
           "-4 -.6'/>"
           "<muscle tendon='t2' force='30' range='.7 1.1' lengthrange='.2 .9'/></actuator>")},
    {"armature of tendons",
     MODEL(
         POST,
         "<tendon><spatial armature='.4' damping='1' stiffness='30'><site site='w'/><site site='s1'/><site site='s3'/>"
         "</spatial><spatial armature='.3'><site site='s0'/><site site='s2'/><pulley divisor='2'/><site site='s2'/>"
         "<site site='s3'/></spatial><spatial name='t3' armature='.5'><site site='s0'/><site site='s2'/></spatial>"
         "<fixed armature='.2'><joint joint='b' coef='.3'/><joint joint='f' coef='.2'/></fixed></tendon>"
         "<actuator><motor tendon='t3' gear='3'/></actuator>")},
    {"tendons around geoms",
     MODEL(POST,
           "<tendon><spatial name='t1' stiffness='80' damping='2' limited='true' range='.1 .5'><site site='s0'/>"
           "<geom geom='ball'/><site site='s2'/></spatial>"
           "<spatial name='t2' damping='1'><site site='w'/><geom geom='roll'/><site site='s3'/></spatial></tendon>"
           "<actuator><position tendon='t2' kp='30'/><motor tendon='t1' gear='2'/></actuator>")},
    {"actuators at sites",
     MODEL(
         POST,
         "<actuator><motor site='s2' gear='1 -2 .5 .3 .2 -.1'/>"
         "<general site='s2' refsite='s3' gear='1 -2 .5 .3 .2 -.1' gainprm='4' biastype='affine' biasprm='.3 -4 -.6'/>"
         "<general site='s1' refsite='s0' gear='0 1 0 0 2 .4' gaintype='affine' gainprm='4 .5 .3'/></actuator>")},
    {"actuators of free joints and balls",
     MODEL(POST,
           "<actuator><motor jointinparent='root' gear='1 2 .4 -.5 1 .3'/><motor joint='root' gear='1 2 .4 -.5 1 .3'/>"
           "<position joint='c' gear='.6 -1 .3' kp='9' kv='.4'/><position jointinparent='c' gear='.5 .2 .8' kp='7' "
           "kv='.3'/>"
           "</actuator>")},
    {"slider and crank",
     MODEL(POST,
           "<actuator><general cranksite='s2' slidersite='s0' cranklength='.6' gear='2' gainprm='3' biastype='affine' "
           "biasprm='.3 -4 -.6'/><motor cranksite='s3' slidersite='s1' cranklength='.05' gear='1.5'/></actuator>")},
    {"adhesion",
     "<mujoco><option timestep='.002'/><default><geom density='500' friction='.8'/></default><worldbody>"
     "<geom type='plane' size='2 2 .1'/><body pos='0 0 .1'><freejoint/><geom type='box' size='.2 .15 .1'/></body>"
     "<body name='a' pos='.02 .01 .29'><freejoint/><geom type='sphere' size='.1'/><geom type='capsule' size='.05 .1' "
     "pos='.2 0 0' euler='80 0 0'/></body></worldbody>"
     "<actuator><adhesion body='a' ctrlrange='0 1' gain='6'/></actuator></mujoco>"},
    {"planes, spheres and capsules",
     "<mujoco><option timestep='.002'/><default><geom density='500' friction='.8 .02 .01' condim='6' solref='.05 1'/>"
     "</default><worldbody><geom type='plane' size='2 2 .1' euler='3 0 0'/>"
     "<body pos='0 -.2 .1'><freejoint/><geom type='capsule' size='.1 .4' euler='0 90 0'/></body>"
     "<body pos='0 .2 .1'><freejoint/><geom type='capsule' size='.1 .4' euler='0 90 4'/></body>"
     "<body pos='0 0 .29'><freejoint/><geom type='capsule' size='.1 .3' euler='90 5 0'/></body>"
     "<body pos='0 .02 .48'><freejoint/><geom type='sphere' size='.1'/></body>"
     "<body pos='-.9 0 .1'><freejoint/><geom type='sphere' size='.1'/></body>"
     "<body pos='-.9 .18 .14'><joint type='slide' axis='0 1 0'/><joint type='slide' axis='0 0 1'/><joint axis='1 0 0'/>"
     "<geom type='sphere' size='.1'/></body>"
     "<body pos='.5 -.2 .12'><freejoint/><geom type='capsule' size='.1 .1' euler='10 80 20'/></body>"
     "</worldbody></mujoco>"},
    {"tendons inside of geoms",
     MODEL(POST,
           "<tendon><spatial name='t1' stiffness='80' damping='2'><site site='w'/><geom geom='ball' sidesite='in'/>"
           "<site site='s2'/></spatial></tendon><actuator><motor tendon='t1' gear='2'/></actuator>")},
    {"activations beyond their range where actuation is disabled",
     MODEL(ARM,
           "<option><flag actuation='disable'/></option><actuator><general joint='b' dyntype='integrator' "
           "actrange='.9 .91'/><general joint='b' dyntype='filterexact' dynprm='.1' actrange='-.91 -.9'/></actuator>")},
};
enum { NFEATURE = sizeof kFeatures / sizeof kFeatures[0] };

#define FLEX(flexcomp, option, body)                                                                           \
  "<mujoco><option timestep='.002' " option                                                                    \
  "/><size memory='4M'/><worldbody>"                                                                           \
  "<geom type='plane' size='2 2 .1' euler='2 1 0' friction='.7'/><body name='base' pos='0 0 .11'><freejoint/>" \
  "<geom type='sphere' size='.1' pos='.02 .01 0' mass='.5'/>"                                                  \
  "<flexcomp name='f' radius='.01' mass='.3' " flexcomp "</flexcomp></body>" body "</worldbody></mujoco>"

// Controllers with and without dynamics, at joints, balls, sites and tendons; two share the limit of a tendon with
// others.
#define KP(kp, kd) "<config key='kp' value='" #kp "'/><config key='kd' value='" #kd "'/></plugin>"
#define PID \
  "<mujoco><compiler angle='radian'/><option timestep='0.002'/><extension><plugin plugin='mujoco.pid'/></extension>"  \
  "<default><geom density='900' size='.05' contype='0' conaffinity='0'/><joint damping='.2' armature='.02'/>"         \
  "</default><worldbody>" POST                                                                                        \
  "</worldbody><tendon><spatial name='t' actuatorfrcrange='-2 1.5'><site site='s1'/><site site='s3'/></spatial>"      \
  "<spatial name='u'><site site='w'/><site site='s2'/></spatial></tendon><actuator>"                                  \
  "<plugin plugin='mujoco.pid' name='a' joint='b' gear='1.3' ctrlrange='-.2 .3'>" KP(40, 2) \
  "<plugin plugin='mujoco.pid' joint='c' gear='.6 -1 .3' forcerange='-1 1.5'>" KP(9, .4)                              \
  "<plugin plugin='mujoco.pid' joint='e' dyntype='filter' dynprm='.05' actdim='1'>" KP(30, .1)                        \
  "<plugin plugin='mujoco.pid' joint='f' dyntype='integrator' actdim='1' actearly='true' actrange='-2 2'>" KP(20, 1)  \
  "<plugin plugin='mujoco.pid' tendon='t' gear='2'>" KP(50, 3) "<motor tendon='t' gear='3' forcerange='-.3 .4'/>"     \
  "<plugin plugin='mujoco.pid' tendon='u' gear='1.5'>" KP(12, 2) "<position joint='b' kp='3' kv='.2'/>"               \
  "<plugin plugin='mujoco.pid' cranksite='s2' slidersite='s0' cranklength='.6' gear='2'>" KP(4, .6) \
  "<plugin plugin='mujoco.pid' joint='b' actdim='1'><config key='ki' value='30'/>" KP(20, 1)                          \
  "<plugin plugin='mujoco.pid' joint='e' dyntype='filterexact' dynprm='.03' actdim='3'><config key='ki' value='9'/>"  \
  "<config key='slewmax' value='3'/><config key='imax' value='.5'/>" KP(9, .2)                                        \
  "</actuator><sensor><actuatorfrc actuator='a'/></sensor></mujoco>"

// Forces that have no formula: differences of these alone. A signed distance field of a plugin has contacts alone.
static const struct {
  int fallback;
  const char *name, *xml;
} kTerms[] = {
    {0, "a bowl that is a plugin",
     "<mujoco><option timestep='.002'/><extension><plugin plugin='mujoco.sdf.bowl'><instance name='bowl'>"
     "<config key='height' value='.4'/><config key='radius' value='1'/><config key='thickness' value='.02'/></instance>"
     "</plugin></extension><asset><mesh name='bowl'><plugin instance='bowl'/></mesh></asset><worldbody>"
     "<geom type='sdf' mesh='bowl'><plugin instance='bowl'/></geom><body pos='.1 .05 -.775'><freejoint/><geom "
     "size='.2'/>"
     "</body></worldbody></mujoco>"},
    {SHEAF_FALLBACK_FORCE, "actuators that are plugins, beside others", PID},
    {SHEAF_FALLBACK_FORCE, "springs and dampers of edges",
     FLEX("type='grid' dim='1' count='4 1 1' spacing='.1 .1 .1' pos='.3 0 .1'><edge stiffness='200' damping='2'/>"
          "<contact selfcollide='none' internal='false' contype='0' conaffinity='0'/>",
          "", "")},
    {SHEAF_FALLBACK_FORCE, "a cloth with elasticity and bending",
     FLEX("type='grid' dim='2' count='3 2 1' spacing='.1 .1 .1' pos='.3 0 .1' euler='20 10 0'>"
          "<elasticity young='3e4' poisson='.2' thickness='.01' damping='.002' elastic2d='both'/>"
          "<contact selfcollide='none' internal='false' contype='0' conaffinity='0'/>",
          "", "")},
    {SHEAF_FALLBACK_FORCE, "a cloth with bending and edges that are equalities, on the ground",
     FLEX("type='grid' dim='2' count='3 2 1' spacing='.1 .1 .1' pos='0 0 -.08' euler='20 10 0'><edge equality='true' "
          "solref='.03 1'/><elasticity young='3e4' poisson='.2' thickness='.01' damping='.002' elastic2d='bend'/>"
          "<contact selfcollide='none' internal='false' solref='.03 1'/>",
          "", "")},
    {SHEAF_FALLBACK_FORCE, "a block that follows nodes, on the ground",
     FLEX("type='grid' dim='3' count='3 3 3' spacing='.05 .05 .05' pos='.3 0 -.04' dof='trilinear'>"
          "<elasticity young='2e4' poisson='.1' damping='.01'/><contact selfcollide='none' internal='false' "
          "solref='.03 1'/>",
          "", "")},
};
enum { NTERM = sizeof kTerms / sizeof kTerms[0] };

#endif  // SHEAF_TESTS_ENGINE_DERIVE_FEATURE_MODELS_H_
