#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Models that people publish in Python packages, loaded by the reference and by us.

    python tests/live/packages.py --fetch                     # once: download the packages (750 MB), unpack models and assets
    SHEAF_LIBRARY=build/release/engine/libsheaf.so python tests/live/packages.py [--verbose] [FOLDER ...]

Without --fetch: load every complete model of the packages, and of the folders named, with both; compare every array
of the compiled models, save each as a binary file and load that; print the table of counts. Robots (URDF) stand beside the meshes of their package, all in one
folder, as neither library looks for them in the folders of packages. Packages lie in SHEAF_PACKAGES, by default build/packages. Needs the
environment of the live tests (numpy, mujoco).
"""
import argparse
import collections
import ctypes
import functools
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = pathlib.Path(os.environ.get("SHEAF_PACKAGES", ROOT / "build" / "packages"))
# the versions of November 2026; models of myosuite are put together from those of myo_sim
PACKAGES = {
    "dm_control": "1.0.50", "gymnasium_robotics": "1.4.2", "robosuite": "1.5.2", "myosuite": "3.0.0", "myo_sim": "0.2.3",
    "brax": "0.14.2", "d4rl": "1.1", "dm_robotics_moma": "0.10.0", "fancy_gym": "0.3.0", "gym_aloha": "0.1.5", "gym_hil": "0.1.14",
    "gym_xarm": "0.1.1", "metaworld": "3.1.1", "mjlab": "1.6.0", "mujoco_mjx": "3.17.0", "playground": "0.2.0",
    "robopianist": "1.0.10", "robosuite_models": "1.0.0", "safety_gymnasium": "1.0.0", "bullet_safety_gym": "1.4.0",
    "example_robot_data": "6.0.0", "pybullet": "3.2.7"}
LINKS = {"myosuite/myosuite/envs/myo/assets/myo_sim": "myo_sim/myo_sim/models"}
OUTCOMES = EQUAL, DIFFERENT, REFUSED, FAILED, ACCEPTED = (
    "equal", "different", "refused by both", "refused by us alone", "accepted by us alone")


def fetch():
    """Download each package, without what it needs, and unpack it."""
    wheels = FOLDER / "wheels"
    wheels.mkdir(parents=True, exist_ok=True)
    for name, version in PACKAGES.items():
        if (FOLDER / name).is_dir():
            continue
        subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:", "-d", str(wheels),
                        f"{name}=={version}"], check=True)
        (wheel,) = wheels.glob(f"{name}-{version}-*.whl")
        with zipfile.ZipFile(wheel) as z:
            z.extractall(FOLDER / name, [n for n in z.namelist() if not n.endswith((".py", ".so"))])
        wheel.unlink()
    for link, target in LINKS.items():
        if not (FOLDER / link).is_symlink():
            (FOLDER / link).symlink_to(os.path.relpath(FOLDER / target, (FOLDER / link).parent))


def is_model(path):
    """Does the root of the document say that it is a model of its own? What does not parse here may be one all the same."""
    try:
        for _, element in ET.iterparse(path, events=("start",)):
            return element.tag in ("mujoco", "robot")
    except (ET.ParseError, UnicodeDecodeError):
        return bool(re.search("<(mujoco|robot)", path.read_text(errors="replace")))
    return False


def models(folder):
    """Paths of complete models under a folder."""
    links = [FOLDER / link for link in LINKS]
    paths = [p for p in sorted(folder.rglob("*")) if p.suffix.lower() in (".xml", ".urdf")]
    return [p for p in paths if not any(link in p.parents for link in links) and is_model(p)]


@functools.cache
def meshes(folder):
    """Files under a folder that may be meshes, by name; the first of a name counts."""
    found = {}
    for p in sorted(folder.rglob("*")):
        if p.suffix.lower() in (".stl", ".obj", ".msh", ".dae"):
            found.setdefault(p.name, p)
    return found


def beside_meshes(path, folder):
    """A robot in a folder, next to links to the meshes that it names, out of the files of its package."""
    text = path.read_bytes()
    package = next((FOLDER / name for name in PACKAGES if FOLDER / name in path.parents), path.parent)
    for name in {os.path.basename(n) for n in re.findall(r'filename\s*=\s*["\']([^"\']*)', text.decode(errors="replace"))}:
        if name in meshes(package):
            (folder / name).symlink_to(meshes(package)[name])
    (folder / path.name).write_bytes(text)
    return folder / path.name


def all_models():
    return [p for name in PACKAGES for p in models(FOLDER / name)] if FOLDER.is_dir() else []


def judge(path):
    """What becomes of a model: a word, and the details."""
    if path.suffix.lower() != ".urdf":
        return judge_file(path)
    with tempfile.TemporaryDirectory() as folder:
        return judge_file(beside_meshes(path, pathlib.Path(folder)))


def saved(lib, m):
    """The bytes of a binary model."""
    size = lib.mj_sizeModel(m)
    buffer = ctypes.create_string_buffer(size)
    lib.mj_saveModel(m, None, buffer, size)
    return buffer.raw


def comes_back(lib, m):
    """Does a binary model load again, to the same bytes?"""
    lib.mj_loadModel.restype = ctypes.c_void_p
    before = saved(lib, m.ptr)
    with tempfile.NamedTemporaryFile(suffix=".mjb") as file:
        file.write(before)
        file.flush()
        again = ctypes.c_void_p(lib.mj_loadModel(file.name.encode(), None))
    if not again:
        return False
    after = saved(lib, again)
    lib.mj_deleteModel(again)
    return before == after


def judge_file(path):
    import bridge
    import live
    from fusing import differing
    from judge import forget
    forget()
    try:
        want, refusal = live.mujoco.MjModel.from_xml_path(str(path)), ""
    except ValueError as e:
        want, refusal = None, str(e)
    lib = live.library()
    try:
        m = bridge.load_xml(lib, path)
    except RuntimeError as e:
        return (FAILED if want else REFUSED), str(e)
    try:
        if not want:
            return ACCEPTED, refusal
        names = differing(path, want, m)
        if not comes_back(lib, m):
            names.append("(its binary file)")
        return (DIFFERENT if names else EQUAL), " ".join(names)
    finally:
        lib.mj_deleteModel(m.ptr)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("folders", nargs="*", type=pathlib.Path)
    ap.add_argument("--fetch", action="store_true", help="download the packages, and end")
    ap.add_argument("--verbose", action="store_true", help="say what becomes of each model that is not equal")
    args = ap.parse_args()
    if args.fetch:
        return fetch()
    sys.path[:0] = [str(ROOT / "tests" / "support"), str(ROOT / "tests" / "live")]
    folders = [FOLDER / name for name in PACKAGES if (FOLDER / name).is_dir()] + args.folders
    print("| models | loaded | " + " | ".join(OUTCOMES) + " |\n" + "|---" * (len(OUTCOMES) + 2) + "|")
    total = collections.Counter()
    for folder in folders:
        count = collections.Counter()
        for path in models(folder):
            outcome, details = judge(path)
            count[outcome] += 1
            if args.verbose and outcome != EQUAL:
                print(f"{path}: {outcome}: {details}", file=sys.stderr)
        total.update(count)
        row(folder.name, count)
    row("all", total)


def row(name, count):
    loaded = count[EQUAL] + count[DIFFERENT]
    print(f"| {name} | {loaded} | " + " | ".join(str(count[o]) for o in OUTCOMES) + " |", flush=True)


if __name__ == "__main__":
    main()
