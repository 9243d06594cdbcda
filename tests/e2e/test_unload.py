# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Models that are not needed any more: which there are, who may unload them, and that their memory comes back."""
import json
import subprocess

import numpy as np
import pytest
from conftest import PENDULUM, SHEAF, read_gauges

sheaf = pytest.importorskip("sheaf", reason="pip install ./clients/python")
from test_futures import SLOW, SLOW_STATE, forever    # noqa: E402


def other(name):
    """A model of its own."""
    return PENDULUM.replace(b'model="pendulum"', f'model="{name}"'.encode())


@pytest.mark.parametrize("where", ["here", "there"])
def test_closing_gives_the_memory_back(where, start):
    server = start()
    before = read_gauges(server)
    with sheaf.connect(threads=2) if where == "here" else sheaf.connect(server.address) as s:
        assert s.models() == []
        m, n = s.load(other("one")), s.load(other("two"))
        m.rollout(m.state0, nstep=5)
        rows = {row.name: row for row in s.models()}
        assert rows.keys() == {"one", "two"} and rows["one"].hash == m.hash and not rows["one"].shared
        assert rows["one"].bytes > 1000 and rows["one"].worker_bytes > 0 and rows["one"].inflight == 0
        m.close()
        m.close()
        assert [row.name for row in s.models()] == ["two"]
        u = np.zeros((1, 4, m.nu))
        for call in (lambda: m.rollout(m.state0, nstep=1), lambda: m.submit.forward().result(10), lambda: m.rollout(m.state0, u),
                     lambda: m.forward(outputs="qvel[0]"), lambda: m.transition_fd(m.state0, columns="qvel[0]"), lambda: m.prepare(2)(m.state0),
                     lambda: m.sample(m.state0, 2, sampler=sheaf.MPPI(noise=1), nstep=2, cost=sheaf.Cost("quadratic", "qpos[0]"))):
            with pytest.raises(sheaf.FailedPrecondition, match="closed"):
                call()
        assert m.joint("hinge").id == 0    # what is known stays known
        with n:
            assert n.rollout(n.state0, nstep=2).status.tolist() == [0]
        assert s.models() == []
        if where == "there":
            now = read_gauges(server)
            assert (now["models"], now["model_bytes"]) == (before["models"], before["model_bytes"]) == (0, 0)
        again = s.load(other("one"))
        assert again.rollout(again.state0, nstep=2).status.tolist() == [0]


@pytest.mark.parametrize("where", ["here", "there"])
def test_a_model_that_was_loaded_twice_stays_until_both_are_closed(where, start):
    with sheaf.connect(threads=1) if where == "here" else sheaf.connect(start().address) as s:
        a, b = s.load(PENDULUM), s.load(PENDULUM)
        a.close()
        assert len(s.models()) == 1 and b.rollout(b.state0, nstep=1).status.tolist() == [0]
        b.close()
        assert s.models() == []


@pytest.mark.parametrize("where", ["here", "there"])
def test_calls_at_work_keep_their_model(where, start):
    server = start()
    with sheaf.connect(threads=2) if where == "here" else sheaf.connect(server.address) as s:
        m = s.load(SLOW)
        f, g = forever(m.submit.rollout), m.submit.rollout(SLOW_STATE, nstep=40)
        server.until(lambda: s.models() and s.models()[0].inflight >= 2, 10)
        m.close()
        assert s.models() == [] and f.running()
        assert g.result(60).status.tolist() == [0]
        if where == "there":
            assert read_gauges(server)["model_bytes"] > 0
        f.cancel()
        server.until(lambda: not read_gauges(server)["model_bytes"], 10)
        if where == "here":
            server.until(lambda: not s._backend._ncall, 10)


def test_another_session_of_the_same_client_puts_its_model_again(start):
    server = start()
    with sheaf.connect(server.address) as s, sheaf.connect(server.address) as t:
        a, b = s.load(PENDULUM), t.load(PENDULUM)
        want = b.rollout(b.state0, nstep=9).state
        a.close()
        assert s.models() == t.models() == []
        assert b.rollout(b.state0, nstep=9).state.tobytes() == want.tobytes()
        assert len(t.models()) == 1


def test_models_of_other_identities_are_neither_shown_nor_unloaded(start, tmp_path):
    tokens, words = tmp_path / "tokens", {}
    tokens.write_text("")
    for name in ("alice", "bob"):
        text = subprocess.run([SHEAF, "token", "new", name], capture_output=True, text=True, check=True)
        said = text.stdout + text.stderr
        words[name] = next(w for w in said.split() if w.startswith("sheaf_") or len(w) > 40 and not w.startswith("sha256"))
        tokens.write_text(tokens.read_text() + f"[{name}]\n" + next(
            line for line in said.splitlines() if line.strip().startswith("token =")) + "\n")
    tokens.chmod(0o600)
    server = start("--tokens", str(tokens))
    with sheaf.connect(server.address, token=words["alice"]) as alice, sheaf.connect(server.address, token=words["bob"]) as bob:
        a = alice.load(PENDULUM)
        mine = alice.load(other("mine"))
        assert bob.models() == []
        bob.load(PENDULUM)
        assert [(r.name, r.shared) for r in bob.models()] == [("pendulum", True)]
        a.close()     # bob uses it, too
        mine.close()
        assert alice.models() == [] and [(r.name, r.shared) for r in bob.models()] == [("pendulum", False)]
        assert bob.info()["models"] == 1
        before = server.log().count("kind=model_put")
        m = bob.load(PENDULUM)
        assert m.rollout(m.state0, nstep=1).status.tolist() == [0] and server.log().count("kind=model_put") == before


def test_the_command_line_lists_and_unloads(start):
    server = start()
    run = lambda *args, status=0: (p := subprocess.run([SHEAF, "models", server.address, *args], capture_output=True, text=True),
                                   p.returncode == status or pytest.fail(p.stderr))[0]
    assert json.loads(run("--json").stdout) == [] and run().stdout == ""
    with sheaf.connect(server.address) as s:
        m = s.load(other('a "name" \\'.replace('"', "&quot;")))
        m.rollout(np.repeat(m.state0[None], 3, 0), nstep=7)
        row, = json.loads(run("--json").stdout)
        assert row["hash"] == m.hash and row["name"] == 'a "name" \\' and (row["rows"], row["steps"], row["shared"]) == (3, 21, False)
        assert m.hash[:16] in run().stdout
        assert "no model" in run("--unload", "0" * 20, status=1).stderr
        assert "hexadecimal" in run("--unload", "xyz", status=2).stderr
        assert m.hash[:16] in run("--unload", m.hash[:8]).stdout
        assert json.loads(run("--json").stdout) == []
        assert m.rollout(m.state0, nstep=7).status.tolist() == [0]    # put again
