# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Settings from options, environment and file, and their change under a server that runs."""
import os
import signal
import subprocess

import numpy as np
import pytest
from conftest import SHEAF
from wire import Client, Failure, pb, rollout, work


def check(*args, **environment):
    p = subprocess.run([SHEAF, "serve", "--check-config", *args], capture_output=True, text=True, timeout=20,
                       env=dict(os.environ, **environment))
    return p.returncode, p.stdout, p.stderr


def test_check_config_says_where_each_value_comes_from(tmp_path):
    file = tmp_path / "sheaf.conf"
    file.write_text("# limits\nmax-inflight = 9\nmax-memory = 64\n")
    code, out, _ = check("--config", str(file), "--drain-timeout", "2.5", SHEAF_MAX_MEMORY="32")
    assert code == 0
    assert f"max-inflight = 9 ; {file}:2\n" in out
    assert "max-memory = 32 MiB ; SHEAF_MAX_MEMORY\n" in out
    assert "drain-timeout = 2.500 ; --drain-timeout\n" in out
    assert "max-connections = 1024 ; default\n" in out

    assert "; sandbox of the model compiler here: " in out and "seccomp" in out.splitlines()[-1]

    # what it prints is a configuration file
    file.write_text(out)
    assert check("--config", str(file))[0] == 0


def test_what_is_wrong_is_told_with_its_place(tmp_path):
    file = tmp_path / "sheaf.conf"
    file.write_text("max-inflight = 9\nmax-memory = lots\n")
    code, _, err = check("--config", str(file))
    assert code == 2 and f"{file}:2: max-memory: expected bytes" in err and '"lots"' in err
    code, _, err = check(SHEAF_THREADS="many")
    assert code == 2 and "SHEAF_THREADS: threads: expected a whole number from 0 to 4096" in err
    code, _, err = check("--threads", "4097")
    assert code == 2 and "--threads" in err
    assert check("--config", str(tmp_path / "none"))[0] == 2
    assert check("--config", str(tmp_path))[0] == 2
    assert check("--no-tcp")[0] == 2


def test_hangup_changes_limits_and_loses_nothing(start, tmp_path, pendulum):
    file = tmp_path / "sheaf.conf"
    file.write_text("max-connections = 50\nmax-memory = 64\n")
    server = start("--config", str(file))
    client = Client(server.address)
    model = client.put("m.xml", {"m.xml": pendulum})[0].hash
    want = rollout(client, model, 64, 2000, {"state0": [[0, 1.0, 0]]})["state"]
    message, data = work(model, 64, {"state0": [[0, 1.0, 0]]}, ["state"])
    ids = [client.send(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=2000), data) for _ in range(4)]

    # a wrong file changes nothing, and the log says what is wrong
    file.write_text("max-connections = 1\nmax-memory = much\n")
    server.process.send_signal(signal.SIGHUP)
    server.until(lambda: "event=reload_failed" in server.log(), 5)
    assert f"{file}:2: max-memory" in server.log()
    second = Client(server.address)

    # a good one changes what may change, also for those who are connected
    file.write_text("max-connections = 1\nmax-memory = 16\nthreads = 7\n")
    server.process.send_signal(signal.SIGHUP)
    server.until(lambda: "event=reloaded" in server.log(), 5)
    with pytest.raises((Failure, EOFError, ConnectionError)) as refused:
        Client(server.address)
    assert refused.type is not Failure or refused.value.code == pb.CODE_UNAVAILABLE
    for id_ in ids:
        assert (client.join(client.wait(id_))["state"] == want).all()
    message, data = work(model, 1, {"state0": np.zeros((1, 3)), "control": np.zeros((1, 3 << 20, 1))}, ["final_state"])
    with pytest.raises(Failure) as failure:
        client.compute(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=3), data)
    assert failure.value.code == pb.CODE_RESOURCE_EXHAUSTED
    second.ping()
    assert second.info().threads == 2
    client.close()
    second.close()
