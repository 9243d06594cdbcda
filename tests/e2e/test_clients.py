# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""The C client in a program of its own, and the command line."""
import json
import os
import subprocess

import numpy as np
import pytest
from conftest import BUILD, PUSHED, PUSHER, SHEAF, SLOW

PROGRAM = os.path.join(BUILD, "tests", "e2e", "client_program")


def run(*args, status=0):
    done = subprocess.run([str(a) for a in args], capture_output=True, text=True, timeout=60 * SLOW)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout if not status else done.stderr


@pytest.fixture
def model(tmp_path, pendulum):
    """A model in two files, one in a folder."""
    (tmp_path / "parts").mkdir()
    head, tail = pendulum.decode().split("<actuator>")
    (tmp_path / "m.xml").write_text(head + '<include file="./parts/rest.xml"/></mujoco>')
    (tmp_path / "parts" / "rest.xml").write_text("<mujoco><actuator>" + tail)
    return tmp_path / "m.xml"


@pytest.mark.skipif(not os.path.exists(PROGRAM), reason="tests were not built")
@pytest.mark.parametrize("transport", ["tcp", "unix"])
def test_c_client(server, model, transport):
    address = server.tcp if transport == "tcp" else "unix://" + server.unix
    assert run(PROGRAM, address, model, "all") == "ok\n"


def test_robots_come_with_the_meshes_that_are_there(server, tmp_path):
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "tet.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    robot = tmp_path / "arm.urdf"
    robot.write_text(
        '<robot><mujoco><compiler meshdir="assets"/></mujoco><include file="none.xml"/><link name="base"/><link name="rod"><visual><geometry>'
        '<mesh filename="package://arm/looks.dae"/></geometry></visual><collision><geometry><mesh filename="package://arm/tet.obj"/>'
        '</geometry></collision></link><joint name="j" type="revolute"><parent link="base"/><child link="rod"/></joint></robot>')
    text = run(SHEAF, "rollout", robot, "-s", server.address, "--nbatch", 2, "--nstep", 3)
    assert text.startswith("rollout: 2 rows, 6 steps")
    (tmp_path / "assets" / "tet.obj").unlink()
    assert "tet.obj" in run(SHEAF, "rollout", robot, "-s", server.address, status=1)


def test_files_are_found_as_the_compiler_finds_them(server, scattered):
    text = run(SHEAF, "rollout", scattered, "-s", server.address, "--nstep", 3)
    assert text.startswith("rollout: 1 rows, 3 steps")


@pytest.mark.parametrize("dtype", ["<f8", "<f4", "<i4", "<i8"])
def test_arrays_of_several_types_are_read(server, model, tmp_path, dtype):
    np.save(tmp_path / "u.npy", np.array([[[1], [0], [-1]]], dtype))
    np.save(tmp_path / "n.npy", np.array([2, 3], dtype))
    run(SHEAF, "rollout", model, "-s", server.address, "-b", 2, "--nstep", 3, "--input", f"control={tmp_path}/u.npy", "--input",
        f"length={tmp_path}/n.npy", "--output", "ctrl", "--out", f"{tmp_path}/r")
    assert np.load(tmp_path / "r_ctrl.npy").reshape(2, 3).tolist() == [[1, 0, 0], [1, 0, -1]]


def test_arrays_that_are_not_read(server, model, tmp_path):
    for values, why in ((np.array([1.5]), "whole numbers, got 1.5"), (np.array([3e9]), "whole numbers, got 3e+09"), (np.array([2], ">i4"), "little-endian"),
                        (np.array([np.nan]), "whole numbers, got nan"), (np.array([1], np.int16), "float64")):
        np.save(tmp_path / "n.npy", values)
        assert why in run(SHEAF, "rollout", model, "-s", server.address, "--nstep", 3, "--input", f"length={tmp_path}/n.npy", status=1)


def test_rows_that_are_done_when_the_time_is_over(server, model, tmp_path):
    np.save(tmp_path / "n.npy", np.where(np.arange(40) % 2, 10**7, 7).astype(np.int32))
    common = ("rollout", model, "-s", server.address, "-b", 40, "--nstep", 10**7, "--every", "last", "--input", f"length={tmp_path}/n.npy",
              "--timeout", 0.5, "--out", f"{tmp_path}/r")
    assert "no answer within 0.5 s" in run(SHEAF, *common, status=1)
    run(SHEAF, *common, "--partial", status=3)
    status = np.load(tmp_path / "r_status.npy")
    assert set(status[::2]) >= {0} and set(status[1::2]) == {101}


@pytest.mark.skipif(not os.path.exists(PROGRAM), reason="tests were not built")
def test_included_files_lead_out_of_their_folders(server, climbing):
    assert run(PROGRAM, server.address, climbing, "meshes") == "ok\n"
    text = run(SHEAF, "rollout", climbing, "-s", server.address, "--nstep", 3)
    assert text.startswith("rollout: 1 rows, 3 steps")


@pytest.mark.skipif(not os.path.exists(PROGRAM), reason="tests were not built")
@pytest.mark.parametrize("centered", ["", "--centered"])
def test_a_control_raises_the_sensors_that_it_drives(server, tmp_path, centered):
    (tmp_path / "m.xml").write_bytes(PUSHER)
    run(SHEAF, "fd", tmp_path / "m.xml", "-s", server.address, *centered.split(), "--out", tmp_path / "o")
    D = np.load(tmp_path / "o_D.npy")
    assert D.shape == (1, 5, 1) and np.allclose(D[0, :, 0], PUSHED, atol=1e-6)
    assert run(PROGRAM, server.address, tmp_path / "m.xml", "driven") == "ok\n"


@pytest.mark.skipif(not os.path.exists(PROGRAM), reason="tests were not built")
def test_c_client_puts_a_forgotten_model_again(start, model):
    server = start("--model-cache", "1")
    assert run(PROGRAM, server.address, model, "forgotten") == "ok\n"


def test_info(server):
    assert "serving" in run(SHEAF, "info", server.address)
    info = json.loads(run(SHEAF, "info", "unix://" + server.unix, "--json"))
    assert info["state"] == "serving" and info["threads"] == 2
    assert "Connection refused" in run(SHEAF, "info", "tcp://127.0.0.1:1", status=1)
    assert "expected tcp://" in run(SHEAF, "info", "http://x", status=1)


def test_info_of_a_model(tmp_path):
    (tmp_path / "m.xml").write_text('<mujoco><worldbody><body><joint/><geom size=".1"/></body></worldbody></mujoco>')
    told = json.loads(run(SHEAF, "info", "--json", str(tmp_path / "m.xml")))
    assert told["nv"] == 1 and told["lanes"] in (1, 4, 8)
    assert told["worker_bytes"] >= told["lanes"] * told["lane_bytes"] > 0 < told["model_bytes"]
    assert f"{told['worker_bytes'] / 1024:.0f} KiB at most for each thread" in run(SHEAF, "info", str(tmp_path / "m.xml"))


def test_rollout(server, model, tmp_path):
    out = tmp_path / "r"
    text = run(SHEAF, "rollout", model, "-s", server.address, "--nbatch", 6, "--nstep", 30, "--noise", 0.5, "--key", 0,
               "--output", "qacc", "--out", out)
    assert text.startswith("rollout: 6 rows, 180 steps") and "0 rows not valid" in text
    state = np.load(f"{out}_state.npy")
    assert state.shape == (6, 30, 3) and np.load(f"{out}_sensordata.npy").shape == (6, 30, 4)
    assert np.load(f"{out}_qacc.npy").shape == (6, 30, 1) and (np.load(f"{out}_status.npy") == 0).all()
    # the same seed, the same numbers; inputs from files
    again = json.loads(run(SHEAF, "rollout", model, "-s", server.address, "-b", 6, "-n", 30, "--noise", 0.5, "--key", 0,
                           "--json"))
    assert abs(again["outputs"]["state"]["norm"] - np.linalg.norm(state)) < 1e-9 and again["invalid_rows"] == 0
    np.save(tmp_path / "x0.npy", state[:, -1])
    np.save(tmp_path / "u.npy", np.zeros((1, 5, 1)))
    run(SHEAF, "rollout", model, "-s", server.address, "-b", 6, "-n", 5, "--input", f"state0={tmp_path}/x0.npy",
        "--input", f"control={tmp_path}/u.npy", "--out", out)
    assert np.allclose(np.load(f"{out}_state.npy")[:, 0, 0], state[:, -1, 0] + 0.01)


def test_results_that_one_chooses(server, model, tmp_path):
    ask = ["rollout", model, "-s", server.address, "-b", 3, "-n", 12, "--noise", 0.5]
    run(SHEAF, *ask, "--out", tmp_path / "a")
    run(SHEAF, *ask, "--output", "sensordata[0:2]", "--output", "final_state", "--only", "--every", 4, "--dtype", "f4", "--out",
        tmp_path / "s")
    all_sensors, some = np.load(tmp_path / "a_sensordata.npy"), np.load(tmp_path / "s_sensordata[0:2].npy")
    assert some.dtype == np.float32 and np.array_equal(some, all_sensors[:, 3::4, :2].astype(np.float32))
    assert np.array_equal(np.load(tmp_path / "s_final_state.npy"), np.load(tmp_path / "a_state.npy")[:, -1])
    assert not (tmp_path / "s_state.npy").exists()
    run(SHEAF, *ask, "--every", "last", "--aligned", "--out", tmp_path / "l")
    assert np.array_equal(np.load(tmp_path / "l_state.npy")[:, 0], np.load(tmp_path / "a_state.npy")[:, -1])
    assert "expected 1 to nstep (12), or -1" in run(SHEAF, *ask, "--every", 13, status=1)


def test_every_option_and_input_of_a_request(server, model, tmp_path):
    np.save(tmp_path / "n.npy", np.array([3.0, 5.0]))
    run(SHEAF, "rollout", model, "-s", server.address, "-b", 2, "-n", 5, "--hold", 2, "--input", f"length={tmp_path}/n.npy", "--key", 0,
        "--out", tmp_path / "r")
    state = np.load(tmp_path / "r_state.npy")
    assert (state[0, 2:] == state[0, 2]).all() and np.array_equal(state[0, :3], state[1, :3]) and state[1, 4, 0] > state[1, 3, 0]
    run(SHEAF, "forward", model, "-s", server.address, "--stage", 1, "--output", "xpos", "--out", tmp_path / "f")
    assert np.load(tmp_path / "f_xpos.npy").shape == (1, 6)
    assert "expected a number from 0 to 3" in run(SHEAF, "forward", model, "--stage", 7, status=2)
    assert "DfDa" in json.loads(run(SHEAF, "inverse_fd", model, "-s", server.address, "--actuation", "--json"))["outputs"]


def test_parameters_of_rows(server, model, tmp_path):
    np.save(tmp_path / "g.npy", np.array([[0, 0, -9.81], [0, 0, 0], [0, 0, -9.81]]))
    where = ["-s", server.address, "-b", 3, "-n", 20]
    run(SHEAF, "rollout", model, *where, "--out", tmp_path / "p", "--key", 0)
    run(SHEAF, "rollout", model, *where, "--out", tmp_path / "r", "--key", 0, "--param", f"opt.gravity={tmp_path}/g.npy")
    plain, own = np.load(tmp_path / "p_state.npy"), np.load(tmp_path / "r_state.npy")
    assert np.array_equal(own[[0, 2]], plain[[0, 2]]) and (own[1, :, 1] == 3.14).all()
    assert "params.opt.levity" in run(SHEAF, "rollout", model, *where, "--param", f"opt.levity={tmp_path}/g.npy", status=1)
    np.save(tmp_path / "m.npy", np.array([[0, -1.0]]))
    assert "above 0, got -1 in row 0, at 1" in run(SHEAF, "rollout", model, *where, "--param", f"body_mass={tmp_path}/m.npy", status=1)


def test_forward_inverse_fd(server, model, tmp_path):
    where = ["-s", server.address, "--json", "--out", tmp_path / "o"]
    np.save(tmp_path / "q.npy", np.array([[0.1], [0.2]]))
    run(SHEAF, "forward", model, *where, "-b", 2, "--input", f"qpos={tmp_path}/q.npy")
    np.save(tmp_path / "a.npy", np.load(tmp_path / "o_qacc.npy"))
    run(SHEAF, "inverse", model, *where, "-b", 2, "--input", f"qpos={tmp_path}/q.npy", "--input",
        f"qacc={tmp_path}/a.npy")
    assert np.allclose(np.load(tmp_path / "o_qfrc_inverse.npy"), 0, atol=1e-9)
    fd = json.loads(run(SHEAF, "fd", model, *where, "--centered"))
    assert fd["outputs"]["A"]["shape"] == [1, 2, 2] and fd["outputs"]["D"]["shape"] == [1, 4, 1]
    assert "DfDa" in json.loads(run(SHEAF, "fd", model, *where, "--inverse"))["outputs"]


def test_top(server, model):
    watched = subprocess.Popen([SHEAF, "top", server.address, "--json", "--interval", "0.3", "--count", "4"],
                               stdout=subprocess.PIPE, text=True)
    first = json.loads(watched.stdout.readline())
    run(SHEAF, "rollout", model, "-s", server.address, "-b", 6, "-n", 30)
    looks = [json.loads(line) for line in watched.stdout]
    assert watched.wait(20) == 0 and len(looks) == 3
    assert first["state"] == "serving" and first["rows_per_second"] == 0
    # 6 rows in about 0.3 s, of looks that lie 0.3 s or, on a busy machine, more apart
    seen = sum(look["rows_per_second"] for look in looks)
    assert 0 < seen < 21 and abs(sum(look["steps_per_second"] for look in looks) - 30 * seen) < 1e-6 * 30 * seen
    assert "rows/s=" in run(SHEAF, "top", server.address, "--count", 1)


def test_bench(server, model):
    bench = json.loads(run(SHEAF, "bench", model, "-s", server.address, "--json", "--seconds", 0.3, "-b", 4, "-n", 20))
    assert bench["requests"] > 2 and 0 < bench["latency_p50"] <= bench["latency_p99"]
    assert bench["steps_per_second"] > 0


def test_a_command_without_a_server(model, tmp_path):
    """--threads computes in a server of the command's own, which ends with it and leaves nothing behind."""
    (tmp_path / "t").mkdir()
    here = dict(os.environ, TMPDIR=str(tmp_path / "t"), SHEAF_LISTEN="nowhere")
    done = subprocess.run([SHEAF, "rollout", model, "--threads", "2", "-b", "3", "-n", "7", "--json"], env=here,
                          capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and json.loads(done.stdout)["steps"] == 21
    assert not list((tmp_path / "t").iterdir())


def test_check(tmp_path, model):
    said = json.loads(run(SHEAF, "check", model, "--json"))
    assert said["good"] and said["nq"] == 1 and said["nstate"] == 3 and said["lanes"] in (1, 4, 8)
    assert said["worker_bytes"] // said["lanes"] == said["lane_bytes"] > 1000 and said["model_bytes"] > 1000
    assert "nbody" in run(SHEAF, "check", model)
    (tmp_path / "lost.xml").write_text("""<mujoco>
      <asset><mesh name="hand" file="hand.stl"/></asset>
      <worldbody><geom type="mesh" mesh="hand"/></worldbody></mujoco>""")
    said = run(SHEAF, "check", tmp_path / "lost.xml", status=1)
    assert "lost.xml:2:" in said and "hand" in said
    (tmp_path / "far.xml").write_text("""<mujoco><worldbody><body><freejoint/><geom size="1"/></body></worldbody>
      <keyframe><key/><key qvel="1e11 0 0 0 0 0"/></keyframe></mujoco>""")
    assert "keyframe 1 diverges" in run(SHEAF, "check", tmp_path / "far.xml", status=3)


def test_help_is_of_its_command():
    rollout, forward, top = (run(SHEAF, name, "--help") for name in ("rollout", "forward", "top"))
    assert "control (nbatch, ncontrolstep, ncontrol)" in rollout and "sensordata (nbatch, nrecord, nsensordata)" in rollout
    assert "qvel (nbatch, nv)" in forward and " xpos" in forward and "--stage" in forward and "--nstep" not in forward
    assert "--interval" in top and "--nbatch" not in top and "--interval" not in rollout and "--inverse" not in rollout
    assert "--inverse" in run(SHEAF, "fd", "--help") and "--concurrency" in run(SHEAF, "bench", "--help")
    for command in ("rollout", "serve", "check", "top", "token"):
        assert run(SHEAF, command, "--no-such-option", status=2)


def test_mistakes(server, model, tmp_path):
    where = ["-s", server.address]
    assert "No such file" in run(SHEAF, "rollout", tmp_path / "none.xml", *where, status=1)
    assert "expected one of sensordata, " in run(SHEAF, "rollout", model, *where, "--output", "nonsense", status=1)
    np.save(tmp_path / "bad.npy", np.zeros((1, 4)))
    assert "expected (1 or 1, 3)" in run(SHEAF, "rollout", model, *where, "--input", f"state0={tmp_path}/bad.npy", status=1)
    assert "names too much: without its arrays it has 700" in run(SHEAF, "rollout", model, *where, "--output", "x" * 70000, status=1)
    assert "event=refused" not in server.log()
    assert "not an input" in run(SHEAF, "rollout", model, *where, "--input", f"typo={tmp_path}/bad.npy", status=1)
    (tmp_path / "bad.xml").write_text("<mujoco><gem/></mujoco>")
    assert "gem" in run(SHEAF, "rollout", tmp_path / "bad.xml", *where, status=1)
    assert "no command" in run(SHEAF, "dance", status=2)
    assert "expected f8, f4, or a number" in run(SHEAF, "rollout", model, *where, "--dtype", "f2", status=2)
    assert "/dev/null: cannot open: Operation not supported" in run(SHEAF, "check", "/dev/null", status=1)
    with open("/dev/full", "w") as full:    # what was to be told is lost
        for command in (["rollout", model, *where], ["--help"]):
            assert subprocess.run([SHEAF, *map(str, command)], stdout=full, stderr=subprocess.PIPE, timeout=60).returncode == 1


def test_the_inputs_tell_how_many_rows_there_are(server, far, model, tmp_path):
    """As in Python: one row may come without the dimension of the batch, and then serves all."""
    rng, out = np.random.default_rng(4), tmp_path / "o"
    arrays = {"x": rng.normal(size=(3, 3)), "u": rng.uniform(-1, 1, (7, 1)), "p": np.linspace(1, 2, 4)[:, np.newaxis] * [0.0, 1.0], "s": rng.normal(size=3)}
    for name, a in arrays.items():
        np.save(tmp_path / f"{name}.npy", a)
    ask = [SHEAF, "rollout", model, "-s", server.address, "-n", 7, "--out", out]
    m = far.load(model)
    for state, control, params, rows in (("x", "u", None, 3), ("s", "u", "p", 4), ("s", None, None, 1), (None, "u", None, 1)):
        given = [f"--{kind}={name}={tmp_path}/{file}.npy" for kind, name, file in (
            ("input", "state0", state), ("input", "control", control), ("param", "body_mass", params)) if file]
        run(*ask, *given)
        want = m.rollout(arrays[state] if state else m.state0, arrays[control] if control else None, nstep=7,
                         params={"body_mass": arrays[params]} if params else None).state
        assert want.shape[0] == rows and np.array_equal(np.load(f"{out}_state.npy"), want)
    assert "expected (2 or 1, 3), got (3, 3)" in run(*ask, "-b", 2, f"--input=state0={tmp_path}/x.npy", status=1)
    assert run(SHEAF, "--version").startswith("sheaf ")
