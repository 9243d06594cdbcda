#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""How many models that people publish move here as in the reference: the share of checks that agree, and those that do not.

    SHEAF_LIBRARY=build/release/engine/libsheaf.so python tests/live/agreement.py [--jobs 2] [--seconds 120] [PACKAGE or FOLDER ...]

Two checks for each model that the reference loads: `forward`, all that forward and inverse dynamics compute in four random states, with a solver that
converges; and `steps`, 25 steps with random controls, with the model's own options and with a solver that converges, with each integrator, solver and cone.
A number is compared by its difference over the largest of its array, or over one if that is larger. BOUNDS says how large it may be. Where it is
larger, the reference answers three times more from states that are 1e-12 away, and 30 times its own change is allowed. Contacts that are
searched for with iterations, of meshes and curved shapes, are found to a tolerance: with them 2e-3 is allowed. What 3.4.0 has wrong is not compared (live.right, live.held).

Checks in which nothing differs but contacts of boxes, and what follows from them, have a column of their own if brute force says that the depths are right here
and wrong there: two boxes overlap by what they overlap along the best of 15 directions, their faces and pairs of their edges. 3.4.0 has no contact for some boxes
that are centimeters deep in each other, and another depth for others (COMPATIBILITY.md). These checks do not count as agreeing.

Without arguments it takes all packages of packages.py; PACKAGE is one of their names. Each model has a process of its own. Needs what packages.py needs.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "support"), str(ROOT / "tests" / "live")]
import packages  # noqa: E402

SMOOTH = ("xpos xquat xipos ximat xanchor xaxis geom_xpos geom_xmat site_xpos site_xmat cam_xpos cam_xmat subtree_com cinert cdof cvel "
          "cdof_dot ten_length ten_velocity actuator_length actuator_velocity actuator_force act_dot qfrc_bias qfrc_passive qfrc_actuator "
          "qfrc_smooth qfrc_spring qfrc_damper qfrc_gravcomp qfrc_fluid M energy qacc_smooth").split()
ROWS = "ne nf nl nefc efc_type efc_margin efc_KBIP efc_frictionloss efc_pos efc_diagApprox efc_D efc_vel efc_aref".split()
SOLVED = "qacc qfrc_constraint efc_force sensordata".split()
AFTER = "cacc cfrc_int cfrc_ext subtree_linvel subtree_angmom qfrc_inverse".split()
BOUNDS = {**dict.fromkeys(SMOOTH + ROWS, 1e-8), **dict.fromkeys(SOLVED + AFTER, 1e-5), "contact": 1e-6, "inverse of random accelerations": 1e-8,
          **dict.fromkeys("efc_pos efc_diagApprox efc_D efc_vel efc_aref".split(), 1e-6)}
STEPS = {1: 1e-7, 10: 1e-5, 25: 1e-4}  # bound of the state after so many steps
UNSURE = 100                           # solvers that end before they converge: so many times the bound
SEARCHED, NOISE, SHIFT = 2e-3, 30, 1e-12
CONVERGES = dict(tolerance=1e-14, iterations=300, ls_tolerance=1e-6, ls_iterations=100)


# ---- one model, in a process of its own

class Case:
    """A model of both, with the reference's data for states that are next to this one."""

    def __init__(self, path):
        import live
        import mujoco
        self.live, self.mj = live, mujoco
        self.pair = live.Pair(mujoco.MjModel.from_xml_path(str(path)))
        self.rm, self.own = self.pair.rm, {}
        self.near = [mujoco.MjData(self.rm) for _ in range(3)]
        self.searched = False
        self.wrong = {}
        self.boxes = False  # does a state differ only by boxes that the reference has wrong?

    def options(self, **values):
        """Options of both; those of the call before are the model's again."""
        for name, value in {**self.own, **values}.items():
            self.own.setdefault(name, getattr(self.rm.opt, name))
            for m in (self.rm, self.pair.m):
                setattr(m.opt, name, value)

    def start(self, rng, k, scale, data, shift=0):
        """The k-th random state; with a shift, one that is next to it."""
        import numpy as np
        mj, m = self.mj, self.rm
        if m.nkey and k % 2:
            mj.mj_resetDataKeyframe(m, data, k // 2 % m.nkey)
        else:
            mj.mj_resetData(m, data)
        mj.mj_integratePos(m, data.qpos, scale * rng.uniform(-1, 1, m.nv), 1)
        data.qvel[:] = 2 * scale * rng.uniform(-1, 1, m.nv)
        data.ctrl[:], data.act[:] = self.controls(rng), rng.random(m.na)
        data.qfrc_applied[:] = 0.1 * (k > 1) * rng.uniform(-1, 1, m.nv)
        data.xfrc_applied[1:] = 0.1 * (k > 2) * rng.uniform(-1, 1, (m.nbody - 1, 6))
        if shift:
            mj.mj_integratePos(m, data.qpos, SHIFT * np.random.default_rng(shift).uniform(-1, 1, m.nv), 1)

    def controls(self, rng):
        import numpy as np
        low, high = np.where(self.rm.actuator_ctrllimited[:, None].astype(bool), self.rm.actuator_ctrlrange, [-1, 1]).T
        return low + (high - low) * rng.random(self.rm.nu)

    def look(self):
        """Notes whether a contact comes from a search."""
        import numpy as np
        g = self.mj.mjtGeom
        contact = self.pair.rd.contact.geom
        kinds = np.where(contact < 0, int(g.mjGEOM_MESH), self.rm.geom_type[contact]) if self.rm.ngeom else np.zeros((len(contact), 0))
        for k in kinds:
            round_ = np.isin(k, [g.mjGEOM_ELLIPSOID, g.mjGEOM_MESH, g.mjGEOM_HFIELD, g.mjGEOM_SDF, g.mjGEOM_CYLINDER])
            self.searched |= bool(round_.any() and not (k == g.mjGEOM_PLANE).any())

    def compare(self, label, bounds, got, want, others):
        """Notes arrays beyond their bounds. others(): the same of neighbours, asked only if needed."""
        near = None
        for name, bound in bounds.items():
            bound = max(bound, SEARCHED) if self.searched else bound
            off = error(name, got[name], want[name])
            if not off <= bound and near is None:
                near = others()
            if not off <= bound and not off <= NOISE * max((error(name, n[name], want[name]) for n in near), default=0):
                self.wrong[f"{label}: {name}"] = off


def error(name, got, want):
    import numpy as np
    got, want = np.asarray(got, float), np.asarray(want, float)
    if got.size != want.size:
        return float("inf")
    got = got.reshape(want.shape)
    if name == "contact":
        got, want = matched(got, want), want[:, 2:]
    finite = np.isfinite(want)
    if got is None or (np.isfinite(got) != finite).any():
        return float("inf")
    return float(np.abs(got - want)[finite].max(initial=0) / max(1, np.abs(want[finite]).max(initial=0)))


def matched(got, want):
    """Contacts in the order of those wanted, of the same geoms and next to them, without the geoms; None if there are no such."""
    import numpy as np
    left, order = list(range(len(got))), []
    for row in want:
        same = [i for i in left if (got[i, :2] == row[:2]).all()]
        if not same:
            return None
        order.append(min(same, key=lambda i: np.abs(got[i, 2:] - row[2:]).sum()))
        left.remove(order[-1])
    return got[order, 2:]


def contacts(d):
    """Geoms, distance, position and normal of each contact."""
    import numpy as np
    return np.array([[*c.geom, c.dist, *c.pos, *np.ravel(c.frame)[:3]] for c in (d.contact[i] for i in range(d.ncon))]).reshape(d.ncon, 9)


def overlap(rm, rd, a, b):
    """How far two boxes overlap along the direction in which they do so least: brute force over faces and pairs of edges."""
    import numpy as np
    axes = [rd.geom_xmat[g].reshape(3, 3) for g in (a, b)]
    across = [np.cross(x, y) for x in axes[0].T for y in axes[1].T]
    directions = [*axes[0].T, *axes[1].T, *(c / np.linalg.norm(c) for c in across if np.linalg.norm(c) > 1e-9)]
    apart = rd.geom_xpos[b] - rd.geom_xpos[a]
    return min(sum(np.abs(r.T @ n) @ rm.geom_size[g] for r, g in zip(axes, (a, b))) - abs(n @ apart) for n in directions)


def only_boxes(rm, rd, got, want):
    """Do contacts differ, and only those of boxes whose depth is right here and wrong in the reference?"""
    import mujoco
    import numpy as np
    different = []
    for pair in {(int(r[0]), int(r[1])) for r in (*got, *want)}:
        ours, theirs = (x[(x[:, :2] == pair).all(1)] for x in (got, want))
        if error("contact", ours, theirs) > BOUNDS["contact"]:
            different.append((pair, *(-x[:, 2].min(initial=0) for x in (ours, theirs))))

    def is_mistaken(pair, ours, theirs):
        if min(pair) < 0 or (rm.geom_type[list(pair)] != mujoco.mjtGeom.mjGEOM_BOX).any() or rm.geom_margin[list(pair)].any():
            return False
        depth = max(overlap(rm, rd, *pair), 0)
        return abs(ours - depth) < 1e-9 and abs(theirs - depth) > 1e-6

    return bool(different) and all(is_mistaken(*d) for d in different)


def forward(case):
    """Forward and inverse dynamics in four states."""
    import numpy as np
    case.options(**CONVERGES, enableflags=case.rm.opt.enableflags | int(case.mj.mjtEnableBit.mjENBL_ENERGY))
    mj, pair = case.mj, case.pair
    for k in range(4):
        accelerations = 3 * np.random.default_rng(k).uniform(-1, 1, case.rm.nv)

        def answers(call, d):
            r = {}
            call("mj_forward", d)
            r.update({name: np.array(case.live.right(case.rm, name, getattr(d, name)), float) for name in SMOOTH + ROWS + SOLVED},
                     contact=contacts(d))
            call("mj_rnePostConstraint", d)
            call("mj_subtreeVel", d)
            call("mj_inverse", d)
            r.update({name: np.array(case.live.right(case.rm, name, getattr(d, name)), float) for name in AFTER})
            d.qacc[:] = accelerations
            call("mj_inverse", d)
            r["inverse of random accelerations"] = np.array(d.qfrc_inverse)
            return r

        def others():
            for i, d in enumerate(case.near):
                case.start(np.random.default_rng(100 + k), k, 0.05 * k, d, i + 1)
            return [answers(reference, d) for d in case.near]

        def reference(name, d):
            getattr(mj, name)(case.rm, d)

        case.start(np.random.default_rng(100 + k), k, 0.05 * k, pair.rd)
        pair.copy_state()
        want = answers(reference, pair.rd)
        case.look()
        got = answers(lambda name, d: getattr(pair.lib, name)(pair.m.ptr, d.ptr), pair.d)
        if only_boxes(case.rm, pair.rd, got["contact"], want["contact"]):
            case.boxes = True
            continue
        case.compare(f"state {k}", {"contact": BOUNDS["contact"], **BOUNDS}, got, want, others)


def runs(m, mj):
    """Options of the runs by name, and how many times the bound may be exceeded."""
    yield "own options", dict(ls_iterations=max(m.opt.ls_iterations, 50)), UNSURE  # line searches that end early end elsewhere (annex)
    for name in ("Euler", "RK4", "implicit", "implicitfast"):
        yield name, dict(CONVERGES, integrator=getattr(mj.mjtIntegrator, f"mjINT_{name.upper()}")), 1
    for name, factor in (("PGS", UNSURE), ("CG", 1), ("Newton", 1)):
        for cone in ("pyramidal", "elliptic"):
            yield (f"{name}, {cone}", dict(CONVERGES, solver=getattr(mj.mjtSolver, f"mjSOL_{name.upper()}"), iterations=1000 if name == "PGS" else 300,
                                           cone=getattr(mj.mjtCone, f"mjCONE_{cone.upper()}")), factor)
    yield "noslip", dict(CONVERGES, noslip_iterations=20), UNSURE


def steps(case):
    """The same motion with each integrator, solver and cone."""
    for name, options, factor in runs(case.rm, case.mj):
        case.options(**options)
        motion(case, name, factor)


def motion(case, label, factor):
    import numpy as np
    mj, pair, rm, last = case.mj, case.pair, case.rm, max(STEPS)
    draw = np.random.default_rng(7)
    u = [case.controls(draw) for _ in range(last)]

    def state(d):
        return np.concatenate([d.qpos, d.qvel, d.act])

    def others(t):
        for i, d in enumerate(case.near):
            case.start(np.random.default_rng(1), 0, 0.02, d, i + 1)
            for s in range(t):
                d.ctrl[:] = u[s]
                mj.mj_step(rm, d)
        return [{"state": state(d), "sensordata": case.live.right(rm, "sensordata", d.sensordata)} for d in case.near]

    case.start(np.random.default_rng(1), 0, 0.02, pair.rd)
    pair.copy_state()
    for t in range(1, last + 1):
        pair.rd.ctrl[:] = pair.d.ctrl[:] = u[t - 1]
        mj.mj_step(rm, pair.rd)
        pair.lib.mj_step(pair.m.ptr, pair.d.ptr)
        case.look()
        if case.live.held(rm, pair.rd) or any(w.number for w in pair.rd.warning):
            return  # what comes now is wrong in 3.4.0, or a motion that both have to end
        if t in STEPS:
            bounds = {"state": factor * STEPS[t], **({"sensordata": 1e-4 * factor} if t == 1 else {})}
            got, want = ({"state": state(d), "sensordata": case.live.right(rm, "sensordata", d.sensordata)} for d in (pair.d, pair.rd))
            case.compare(f"{label}, step {t}", bounds, got, want, lambda t=t: others(t))


CHECKS = {"forward": forward, "steps": steps}
BOXES = "boxes that the reference has wrong"
MARK = "answer: "  # the reference writes warnings to the same place


def judge(path):
    """What differs, by name, of each check; a text if the reference has no answer."""
    from judge import forget
    forget()
    for check in CHECKS:
        try:
            case = Case(path)
        except ValueError:
            yield "refused by the reference"
            continue
        if not case.rm.nv:
            yield "nothing moves"
            continue
        try:
            CHECKS[check](case)
            yield case.wrong or ({BOXES: 0} if case.boxes else {})
        except case.mj.FatalError as e:
            yield f"an error of the reference: {e}"


def print_answers(path):
    """A line for each check as soon as it is done, so that it is known which one ended the process."""
    with tempfile.TemporaryDirectory() as folder:
        for answer in judge(packages.beside_meshes(path, pathlib.Path(folder)) if path.suffix.lower() == ".urdf" else path):
            print("\n" + MARK + json.dumps(answer), flush=True)


# ---- all models

def ask(path, seconds):
    """The answers of a process about a model, one for each check."""
    command = [sys.executable, __file__, "--one", str(path)]
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile("w+") as out:
        try:
            code = subprocess.run(command, stdout=out, stderr=subprocess.STDOUT, timeout=seconds, cwd=folder).returncode
            missing = {f"ended with {code}": float("inf")}
        except subprocess.TimeoutExpired:
            missing = f"takes more than {seconds:g} seconds"
        out.seek(0)
        answers = [json.loads(line[len(MARK):]) for line in out.read().splitlines() if line.startswith(MARK)]
    return answers + [missing] * (len(CHECKS) - len(answers))


def report(name, answers):
    """A row for a folder: checks, those that agree, those that differ by boxes alone, and what is left out."""
    done = [a for a in answers if not isinstance(a, str)]
    agree, boxes = sum(not a for a in done), sum(BOXES in a for a in done)
    print(f"| {name} | {len(done)} | {agree} | {100 * agree / max(1, len(done)):.1f} % | {boxes} | {len(answers) - len(done)} |", flush=True)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("folders", nargs="*")
    ap.add_argument("--one", type=pathlib.Path, metavar="MODEL", help="this model only")
    ap.add_argument("--jobs", type=int, default=2)
    ap.add_argument("--seconds", type=float, default=120, help="for one model")
    args = ap.parse_args()
    if args.one:
        return print_answers(args.one.absolute())
    os.environ["SHEAF_LIBRARY"] = os.path.abspath(os.environ["SHEAF_LIBRARY"])
    folders = [packages.FOLDER / f if f in packages.PACKAGES else pathlib.Path(f) for f in args.folders or packages.PACKAGES]
    print("| models | checks | agree | share | boxes | left out |\n|---|---|---|---|---|---|")
    total = []
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for folder in folders:
            paths = [path.absolute() for path in packages.models(folder)]
            answers = list(pool.map(lambda path: ask(path, args.seconds), paths))
            report(folder.name, sum(answers, []))
            total += sum(answers, [])
            print_differences((path, check, answer) for path, both in zip(paths, answers) for check, answer in zip(CHECKS, both))
    report("all", total)
    reasons = collections.Counter(a.split(":")[0] for a in total if isinstance(a, str))
    print("left out: " + ", ".join(f"{n} ({reason})" for reason, n in reasons.most_common()))


def print_differences(found):
    """Each check that does not agree, with its first differences."""
    for path, check, answer in found:
        if isinstance(answer, dict) and answer:
            first = list(answer.items())[:3]
            print(f"{path}: {check}: " + "; ".join(f"{name} {off:.2g}" for name, off in first), file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
