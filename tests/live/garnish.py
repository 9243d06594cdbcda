#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Random attributes on random models, so that every attribute of the language is somewhere.

    python tests/live/garnish.py [--seeds 300]     # elements and attributes of the schema that no seed sets

`garnish(xml, seed)` adds elements that the models do not have, and gives elements attributes that they lack, drawn from the
schema that the reference prints. Values are plausible; what comes of all of them together need not be valid. With a function
that says what is, each element keeps its new attributes only if the model stays valid.
"""
import argparse
import collections
import os
import sys
import xml.etree.ElementTree as ET

import numpy as np

sys.path.insert(0, os.path.dirname(__file__))
import random_models  # noqa: E402
import reject_grammar  # noqa: E402

SKIN = dict(name="skin0", vertex="0 0 0 1 0 0 0 1 0", face="0 1 2")
BONE = dict(bindpos="0 0 0", bindquat="1 0 0 0", vertid="0 1 2", vertweight="1 .5 1")
ASSETS = """<asset><texture name="tex0" type="2d" builtin="checker" width="8" height="6"/><texture name="tex1" type="cube" builtin="flat" width="4"/>
<material name="mat0" texture="tex0"/><material name="mat1"><layer role="rgb" texture="tex0"/></material>
<mesh name="made" builtin="cone" params="8 1"/><mesh name="cut" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 0 3 2 1 2 3"/></asset>"""
# attributes of which one element takes only one
ORIENTATION = ("quat", "axisangle", "euler", "xyaxes", "zaxis")
EXCLUSIVE = [ORIENTATION, ("fromto", "pos"), *[("fromto", o) for o in ORIENTATION], ("solreflimit", "springdamper"), ("builtin", "vertex"),
             ("fovy", "focal", "focalpixel"), ("fovy", "sensorsize"), ("principal", "principalpixel"), ("mass", "density"), ("kv", "dampratio"), ("diaginertia", "fullinertia"),
             *[("fullinertia", o) for o in ORIENTATION], ("ctrlrange", "inheritrange"), ("area", "diameter")]
FLAGS = ("active actearly actuatorgravcomp align castshadow directional discardvisual flatskin orthographic shellinertia smoothnormal "
         "texuniform tausmooth exactmeshinertia hflip vflip autolimits balanceinertia").split()
VALUES = {
    "group": ["0", "1", "4"], "user": ["1", "2 3", ".5 -1 7"], "rgba": ["1 .5 0 .3"], "material": ["mat0", "mat1"], "solimp": [".8 .95 .002"],
    "margin": [".02"], "gap": [".005"], "limited": ["auto", "false"], "ctrllimited": ["auto", "false"], "forcelimited": ["auto", "false"],
    "actlimited": ["auto", "false"], "actuatorfrclimited": ["auto", "false"], "forcerange": ["-4 5"], "ctrlrange": ["0 .9"],
    "actrange": ["-.5 .8"], "lengthrange": [".1 .7"], "gear": ["1.5", "2 0 1"], "cranklength": ["1.1"], "timeconst": [".03"],
    "kp": ["3"], "kv": [".4"], "dampratio": ["1", ".5"], "inheritrange": [".9", "1"], "area": [".3"], "diameter": [".4"],
    "actdim": ["1"], "dyntype": ["integrator", "filter"], "gaintype": ["fixed", "affine"], "biastype": ["none", "affine"],
    "dynprm": [".2"], "gainprm": ["2", "2 -.1 -.2"], "biasprm": ["0 -1 -.2"], "gain": ["2"], "force": ["30"], "scale": ["150"], "lmin": [".4"],
    "lmax": ["1.7"], "vmax": ["1.2"], "fpmax": ["1.4"], "fvmax": ["1.3"], "noise": [".2"], "cutoff": ["1.5"], "condim": ["1", "3", "4", "6"],
    "contype": ["1", "3"], "conaffinity": ["1", "2"], "priority": ["1"], "solmix": [".7"], "friction": ["1", ".9 .02", ".8 .01 .002"],
    "density": ["700"], "mass": [".6"], "fluidshape": ["ellipsoid"], "fluidcoef": [".6 .2 1.4 .9 .8"], "fitscale": ["1.1"],
    "pos": [".1 -.2 .05"], "quat": ["1 .2 0 .1"], "axisangle": ["0 1 .2 30"], "euler": ["10 -20 5"], "xyaxes": ["1 .1 0 0 1 .2"],
    "zaxis": ["0 .3 1"], "fromto": ["0 0 0 .1 .2 .3"], "size": [".07", ".06 .08 .09"], "ref": [".1"], "springref": [".2"], "range": ["-.4 .6"],
    "stiffness": ["4", "0"], "damping": [".5"], "frictionloss": [".3"], "armature": [".02"], "springdamper": [".2 .8"], "axis": ["0 1 1"],
    "springlength": [".3", ".1 .4"], "width": [".01"], "torquescale": [".6"], "polycoef": [".1 .9 .2 0 0"], "sleep": ["auto", "never", "allowed", "init"],
    "sep": ["_"], "count": ["2"], "offset": [".5 0 .2"], "model": ["named"], "maxhullvert": ["4", "20"], "refpos": [".1 0 0"],
    "refquat": ["1 .5 0 0"], "inertia": ["convex", "shell", "exact"], "texcoord": ["0 0 0 1 1 0 1 1"], "mode": ["fixed", "track", "trackcom"],
    "ipd": [".07"], "fovy": ["50"], "resolution": ["320 240"], "sensorsize": [".01 .02"], "focal": [".03 .04"], "focalpixel": ["200 210"],
    "principal": [".001 .002"], "principalpixel": ["3 4"], "ambient": [".1 .2 .3"], "diffuse": [".4 .5 .6"], "specular": [".3"],
    "attenuation": ["1 .1 .01"], "bulbradius": [".03"], "dir": ["0 1 -1"], "exponent": ["8"], "intensity": ["90"], "inflate": [".01"],
    "emission": [".2"], "metallic": [".3"], "reflectance": [".4"], "roughness": [".6"], "shininess": [".7"], "texrepeat": ["2 3"],
    "texture": ["tex0"], "role": ["rgb", "normal"], "needstage": ["pos", "vel", "acc"], "datatype": ["real", "positive"], "dim": ["1", "4"],
    "prm": ["3"], "coef": ["-.7"], "divisor": ["1.5"], "time": [".7"], "markrgb": ["0 0 1"], "mark": ["edge", "cross"], "rgb1": [".1 .2 .3"],
    "rgb2": [".3 .2 .1"], "random": [".2"], "nchannel": ["3", "4"], "colorspace": ["sRGB", "linear"], "objtype": ["body"],
    "active": ["true", "false"], "nuserdata": ["5"], "memory": ["2M"], "inertiagrouprange": ["0 3", "1 4"],
    "iterations": ["80"], "ls_iterations": ["40"], "tolerance": ["1e-9"], "ls_tolerance": [".005"], "noslip_tolerance": ["1e-7"],
    "ccd_iterations": ["60"], "ccd_tolerance": ["1e-7"], "sdf_initpoints": ["30"], "sdf_iterations": ["12"], "sleep_tolerance": ["1e-3"],
    "actuatorgroupdisable": ["1", "0 4"], "o_solref": [".03 .9"], "o_solimp": [".8 .9 .01 .4 3"], "o_friction": [".9 .8 .01 .002 .003"],
    "meanmass": ["3"], "meaninertia": ["2"], "meansize": [".3"], "extent": ["4"], "center": ["0 .1 .2"],
    "accel": ["30"], "maxforce": ["5"], "inttotal": ["2"], "interval": ["1"], "tolrange": [".2"], "useexisting": ["true", "false"],
    "uselimit": ["true", "false"], "timestep": [".005"], "capacity": ["2"],
    "meshdir": ["x"], "assetdir": ["y"], "texturedir": ["z"], "strippath": ["true"], "usethread": ["false"], "discardvisual": ["false"],
    "saveinertial": ["true"], "fusestatic": ["false"], "coordinate": ["local"], "type": [], "body": ["body0"], "target": ["body0"],
    "reduce": ["mindist", "maxforce"], "num": ["3"], "data": ["found force", "dist pos"],
}
BY_PATH = {
    "mujoco/asset/mesh.scale": ["1 -2 .5"], "mujoco/default/mesh.scale": [".5 .5 2"], "mujoco/(world)body/site.fromto": ["0 0 0 .1 0 .2"],
    "mujoco/tendon/spatial.range": [".2 1.2"], "mujoco/actuator/muscle.range": [".6 1.1"], "mujoco/default/muscle.range": [".7 1.2"],
    "mujoco/actuator/muscle.timeconst": [".02 .06"], "mujoco/default/muscle.timeconst": [".02 .06"], "mujoco/(world)body/light.texture": ["tex0"],
    "mujoco/(world)body/light.range": ["8"], "mujoco/default/light.range": ["9"], "mujoco/default/light.type": ["spot", "directional", "point"],
    "mujoco/(world)body/light.type": ["spot", "directional", "point"], "mujoco/(world)body/light.cutoff": ["50"], "mujoco/default/light.cutoff": ["50"],
    "mujoco/(world)body/light.specular": [".1 .2 .3"], "mujoco/default/light.specular": [".1 .2 .3"], "mujoco/contact/pair.friction": ["1 1 .01 .001 .001"],
    "mujoco/default/pair.friction": [".7 .8 .01 .001 .001"], "mujoco/default/joint.type": ["slide", "hinge"], "mujoco/default/geom.type": ["sphere", "capsule"],
    "mujoco/default/geom.size": [".05 .06 .07"], "mujoco/default/site.type": ["box"], "mujoco/asset/material.class": ["mats"],
    "mujoco/asset/texture.builtin": ["gradient"], "mujoco/asset/texture.height": ["8"], "mujoco/(world)body/camera.target": ["body0"],
    "mujoco/compiler/lengthrange.timeconst": ["1"], "mujoco/compiler/lengthrange.timestep": [".01"],
    "mujoco/compiler/lengthrange.mode": ["none", "muscle", "all"],
    "mujoco/(world)body/freejoint.align": ["true", "false", "auto"], "mujoco/default/cylinder.timeconst": [".2"],
}
# changes everything else, or needs files: seldom, or never
SELDOM = {"meshdir", "assetdir", "texturedir", "mocap", "memory", "coordinate", "plugin", "instance", "autolimits", "fusestatic"}


def path_of(parent, tag):
    """Path of an element in the schema."""
    if tag in ("worldbody", "body") and parent in ("mujoco", "mujoco/(world)body", "frame", "replicate"):
        return "mujoco/(world)body"
    if tag in ("frame", "replicate") and parent in ("mujoco/(world)body", "frame", "replicate"):
        return tag
    if parent in ("frame", "replicate"):
        return "mujoco/(world)body/" + tag
    return "mujoco/default" if tag == "default" else f"{parent}/{tag}"


def walk(element, path="mujoco"):
    yield path, element
    for child in list(element):
        yield from walk(child, path_of(path, child.tag))


def add_elements(root, rng):
    """Elements that random models lack."""
    def section(name):
        found = root.find(name)
        return ET.SubElement(root, name) if found is None else found

    root.append(ET.fromstring(ASSETS))
    for parent in (["asset", "deformable"][rng.integers(2)],):
        ET.SubElement(ET.SubElement(section(parent), "skin", SKIN), "bone", BONE, body="body0")
    for name in ("size", "statistic"):
        ET.SubElement(root, name)
    ET.SubElement(root.find("compiler"), "lengthrange")
    ET.SubElement(root.find("default"), "default", {"class": "mats"}).extend(
        [ET.fromstring('<material><layer role="rgb" texture="tex0"/></material>') if rng.random() < 0.5 else ET.Element("material")])
    tags = [p.rsplit("/", 1)[1] for p in reject_grammar.HOSTS if p.startswith("mujoco/default/") and p.count("/") == 2]
    for default in list(root.iter("default")):
        for tag in tags:
            if default.find(tag) is None and rng.random() < 0.15 and tag != "material":
                # these inherit the range of other actuators, which may be negative
                ET.SubElement(default, tag, {"ctrlrange": "0 1"} if tag in ("adhesion", "damper") else {})
    world = root.find("worldbody")
    ET.SubElement(section("sensor"), "user", dim="2")
    ET.SubElement(world, "camera", name="eye", resolution="64 48", sensorsize=".01 .02", focal=".03 .04")


def value(path, name, rng, names):
    if name == "name":
        return f"garnish{rng.integers(10**9)}"
    if path == "mujoco/option/flag":
        choices = ["enable", "disable"]
    elif name in ("class", "childclass"):
        choices = names["class"] if not path.startswith("mujoco/default") else []
    elif f"{path}.{name}" in BY_PATH:
        choices = BY_PATH[f"{path}.{name}"]
    elif name.startswith("nuser_"):
        choices = ["4", "-1"]
    elif name.startswith("solref"):
        choices = [".03 .8", "-200 -10"]
    elif name.startswith("solimp"):
        choices = VALUES["solimp"]
    elif name in ("body1", "body2", "subtree1", "subtree2", "geom1", "geom2", "site", "refname", "objname"):
        choices = []
    elif name in VALUES:
        choices = VALUES[name]
    else:
        choices = ["true", "false"] if name in FLAGS else []
    return choices[rng.integers(len(choices))] if choices else None


def may_have(element, name):
    return name not in element.attrib and not any(name in group and other in element.attrib for group in EXCLUSIVE for other in group)


def garnish(xml, seed, accepts=None, probability=0.06):
    """The text of the model with more in it."""
    rng, grammar = np.random.default_rng(seed + 10**6), reject_grammar.schema()
    root = ET.fromstring(xml)
    add_elements(root, rng)
    names = {"class": [d.get("class") for d in root.iter("default") if d.get("class")]}
    for path, element in walk(root):
        before = dict(element.attrib)
        for name in grammar.get(path, ()) if element.tag != "worldbody" else ():
            p = probability * (0.1 if name in SELDOM else 1)
            if rng.random() < p and may_have(element, name):
                text = value(path, name, rng, names)
                if text is not None:
                    element.set(name, text)
        if accepts and element.attrib != before and not accepts(ET.tostring(root, encoding="unicode")):
            element.attrib.clear()
            element.attrib.update(before)
    return ET.tostring(root, encoding="unicode")


def model(seed, accepts=None):
    return garnish(random_models.model(seed), seed, accepts)


def never_set(seeds):
    """path -> attributes that no model has."""
    seen = collections.defaultdict(set)
    for seed in range(seeds):
        for path, element in walk(ET.fromstring(model(seed))):
            seen[path].update(element.attrib)
    return {path: missing for path, names in reject_grammar.schema().items() if (missing := [n for n in names if n not in seen[path]])}


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--seeds", type=int, default=300)
    for path, names in never_set(ap.parse_args().seeds).items():
        print(f"{path}: {' '.join(names)}")


if __name__ == "__main__":
    main()
