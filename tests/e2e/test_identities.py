# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Who may connect, what it may do, and what happens to those who guess."""
import os
import signal
import socket
import subprocess
import threading
import time

import numpy as np
import pytest
from conftest import SHEAF, SLOW
from wire import HEADER, Client, Failure, pb, rollout, work

GONE = (Failure, EOFError, ConnectionError)


def make(name):
    """A token and the lines for the server's file."""
    p = subprocess.run([SHEAF, "token", "new", name], capture_output=True, text=True, timeout=20, check=True)
    return p.stdout.strip().encode(), p.stderr


def code_of(address, **options):
    """The code with which a Hello is refused, 0 if it is not."""
    try:
        Client(address, **options).close()
        return 0
    except Failure as failure:
        return failure.code


@pytest.fixture
def file(tmp_path):
    return tmp_path / "tokens"


def test_named_tokens(start, file):
    alice, alice_lines = make("alice")
    bob, bob_lines = make("bob")
    assert alice != bob and len(alice) > 64 and alice.decode() not in alice_lines
    file.write_text(alice_lines + bob_lines)
    server = start("--tokens", str(file), "--log-level", "debug")
    assert code_of(server.address, token=alice) == 0
    assert code_of(server.address, token=bob) == 0
    wrong = [b"", alice[:-1], alice + b"x", b"x" * 4000, alice.upper(), b"\0" + alice]
    for token in wrong:
        assert code_of(server.address, token=token) == pb.CODE_UNAUTHENTICATED, token
    assert code_of("unix://" + server.unix) == pb.CODE_UNAUTHENTICATED    # not even this user

    # no request before the Hello, and only one Hello
    client = Client(server.address, hello=False)
    client.send(pb.FRAME_PING, pb.Ping())
    with pytest.raises(Failure):
        client.frames(1)
    client = Client(server.address, token=bob)
    client.send(pb.FRAME_HELLO, pb.Hello(version=1, token=bob))
    with pytest.raises(Failure):
        client.frames(2)
    server.stop()
    log = server.log()
    assert "identity=alice" in log and "identity=bob" in log
    assert "event=wrong_token" in log and "peer=127.0.0.1:" in log
    for token in [alice, bob, *wrong[1:4]]:
        assert token.decode() not in log


def test_check_config_of_tokens(start, file, tmp_path):
    file.write_text("[a]\ntoken = plain text\n")
    for more, code in (["--check-config"], 2), ([], 1):
        p = subprocess.run([SHEAF, "serve", "--no-tcp", "--unix", str(tmp_path / "s"), "--tokens", str(file), *more],
                           capture_output=True, text=True, timeout=20)
        assert p.returncode == code and f"{file}:2: token: expected" in p.stderr


def test_guesses_from_one_place_get_slow(start, file):
    token, lines = make("alice")
    file.write_text(lines)
    server = start("--tokens", str(file), "--log-rate", "0", "--hello-timeout", "2.1")
    end, guesses, lock = time.monotonic() + 0.8, [0], threading.Lock()

    def guess(i):
        while time.monotonic() < end:
            try:
                Client(server.address, token=b"guess%d" % i)
            except GONE:
                with lock:
                    guesses[0] += 1

    # many at a time are as slow as one
    threads = [threading.Thread(target=guess, args=(i,)) for i in range(16)]
    for t in threads:
        t.start()
    other = time.monotonic()
    assert code_of("unix://" + server.unix, token=token) == 0    # from another place: at once
    assert time.monotonic() - other < 0.5 * SLOW
    for t in threads:
        t.join(20 * SLOW)
    looked_at = server.log().count("event=wrong_token")
    assert 4 <= looked_at <= 3 + 7 + 2 * SLOW, looked_at

    # one who waits for his delay gets in; one who goes away while he waits harms nobody
    half = Client(server.address, hello=False)
    half.send(pb.FRAME_HELLO, pb.Hello(version=1, token=b"no"))
    half.close()
    assert code_of(server.address, token=token) == 0


def test_the_drain_does_not_wait_for_guesses(start, file):
    token, lines = make("alice")
    file.write_text(lines)
    server = start("--tokens", str(file))
    for _ in range(7):
        assert code_of(server.address, token=b"no") == pb.CODE_UNAUTHENTICATED
    operator = Client("unix://" + server.unix, token=token)
    question = -operator.info().bytes_in_total + operator.info().bytes_in_total
    last, waiting = operator.info().bytes_in_total, []
    for _ in range(3):    # the next token is looked at after 0.8 s
        waiting.append(Client(server.address, hello=False))
        waiting[-1].send(pb.FRAME_HELLO, pb.Hello(version=1, token=b"no"))
    seen = 0

    def hellos_are_there():
        nonlocal last, seen
        now = operator.info().bytes_in_total
        seen, last = seen + now - last - question, now
        return seen >= 3 * (HEADER.size + pb.Hello(version=1, token=b"no").ByteSize())

    server.until(hellos_are_there, 5)
    server.terminate()
    operator.close()
    for client in waiting:
        with pytest.raises(Failure) as failure:
            client.frames(1)
        assert failure.value.code == pb.CODE_UNAVAILABLE and failure.value.error.retriable
        client.close()
    assert server.wait() == 0


def knows(client, hash_):
    try:
        client.ask(pb.FRAME_MODEL_INFO, pb.ModelInfo(hash=hash_))
        rollout(client, hash_, 1, 3, {"state0": np.zeros((1, 3))})
        return True
    except Failure as e:
        with pytest.raises(Failure) as failure:
            rollout(client, hash_, 1, 3, {"state0": np.zeros((1, 3))})
        assert failure.value.code == e.code == pb.CODE_NOT_FOUND and failure.value.error.field == "model"
        return False


def test_models_are_known_to_those_who_put_them(start, file, tmp_path, pendulum):
    tokens, lines = zip(*(make(name) for name in ("alice", "bob", "reader")))
    file.write_text("".join(lines) + "upload = no\n")
    conf = tmp_path / "conf"
    conf.write_text("")
    server = start("--tokens", str(file), "--config", str(conf))
    alice, bob, reader = (Client(server.address, token=t) for t in tokens)
    hash_ = alice.put("m.xml", {"m.xml": pendulum})[0].hash
    assert knows(alice, hash_) and knows(Client(server.address, token=tokens[0]), hash_)
    assert knows(reader, hash_)    # who may bring none works with those of others
    assert not knows(bob, hash_)
    assert bob.put("m.xml", {"m.xml": pendulum})[0].hash == hash_ and knows(bob, hash_)
    server.until(lambda: "event=model_ready" in server.log(), 5)    # another thread writes the log
    assert server.log().count("event=model_ready") == 1 and bob.info().models == 1

    other = alice.put("m.xml", {"m.xml": pendulum.replace(b"pendulum", b"other")})[0].hash
    assert not knows(bob, other)
    conf.write_text("shared-models = true\n")
    server.process.send_signal(signal.SIGHUP)
    server.until(lambda: "event=reloaded" in server.log(), 5)
    assert knows(bob, other)
    for client in (alice, bob, reader):
        client.close()


def test_quotas_and_permissions(start, file, pendulum):
    small, small_lines = make("small")
    large, large_lines = make("large")
    file.write_text(f"{small_lines}max-connections = 2\nmax-inflight = 3\nmax-bytes = 1\nupload = no\n{large_lines}")
    server = start("--tokens", str(file))
    big, a, b = (Client(server.address, token=t) for t in (large, small, small))
    assert code_of(server.address, token=small) == pb.CODE_RESOURCE_EXHAUSTED
    model = big.put("m.xml", {"m.xml": pendulum})[0].hash
    with pytest.raises(Failure) as failure:
        a.put("m.xml", {"m.xml": pendulum})
    assert failure.value.code == pb.CODE_PERMISSION_DENIED and "upload" in failure.value.error.message

    # requests in flight count over both connections, those of others do not
    message, data = work(model, 100, {"state0": np.zeros((1, 3))}, ["final_state"])
    many = pb.Rollout(work=message, nstep=100000)
    held = [(c, c.send(pb.FRAME_ROLLOUT, many, data)) for c in (a, a, b)]
    server.until(lambda: big.info().inflight == 3, 10)
    with pytest.raises(Failure) as failure:
        b.wait(b.send(pb.FRAME_ROLLOUT, many, data))
    assert failure.value.code == pb.CODE_RESOURCE_EXHAUSTED and failure.value.error.retriable
    big.ping()
    b.send(pb.FRAME_CANCEL, pb.Cancel(request_id=held[2][1]))
    with pytest.raises(Failure):
        b.wait(held[2][1])
    rollout(b, model, 1, 3, {"state0": np.zeros((1, 3))})

    # bytes of a request, whole and in pieces
    message, data = work(model, 1, {"state0": np.zeros((1, 3)), "control": np.zeros((1, 200000, 1))}, ["final_state"])
    with pytest.raises(Failure) as failure:
        b.compute(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=3), data)
    assert failure.value.code == pb.CODE_RESOURCE_EXHAUSTED and "bytes" in failure.value.error.message
    id_ = b.send(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=3), data[:600000], 1)
    b.send(pb.FRAME_ROLLOUT, None, data[600000:], 2, id_)
    with pytest.raises(Failure) as failure:
        b.wait(id_)
    assert failure.value.code == pb.CODE_RESOURCE_EXHAUSTED
    rollout(b, model, 1, 3, {"state0": np.zeros((1, 3))})
    rollout(big, model, 1, 200000, {"state0": np.zeros((1, 3)), "control": np.zeros((1, 200000, 1))}, ["final_state"])
    a.close()
    b.close()
    server.until(lambda: big.info().inflight == 0 and big.info().queued_bytes < 100, 10)
    for _ in range(5):    # and its places are free again
        Client(server.address, token=small).close()
    big.close()


def test_steps_a_second(start, file, pendulum):
    token, lines = make("steady")
    file.write_text(lines + "max-steps = 10000\n")
    server = start("--tokens", str(file))
    client = Client(server.address, token=token)
    model = client.put("m.xml", {"m.xml": pendulum})[0].hash
    done, began, waited = 0, time.monotonic(), 0
    while done < 62000:
        try:
            rollout(client, model, 10, 500, {"state0": np.zeros((1, 3))}, ["final_state"])
            done += 5000
        except Failure as failure:
            assert failure.code == pb.CODE_RESOURCE_EXHAUSTED and failure.error.retriable
            assert 0 < failure.error.retry_after_us < 2000000
            time.sleep(failure.error.retry_after_us * 1e-6)
            waited += 1
    # five seconds' worth at once; the request that goes over it is not cut
    assert time.monotonic() - began > (62000 - 5000 - 50000) / 10000 - 0.1
    assert waited > 0
    client.close()


def test_hangup_reads_tokens_again(start, file, pendulum):
    alice, alice_lines = make("alice")
    bob, bob_lines = make("bob")
    file.write_text(alice_lines + bob_lines)
    server = start("--tokens", str(file))
    a, b = Client(server.address, token=alice), Client(server.address, token=bob)
    model = b.put("m.xml", {"m.xml": pendulum})[0].hash
    want = rollout(b, model, 64, 2000, {"state0": [[0, 1.0, 0]]})["state"]
    message, data = work(model, 64, {"state0": [[0, 1.0, 0]]}, ["state"])
    ids = [b.send(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=2000), data) for _ in range(3)]

    # a file with a mistake, or one that is not written yet, sends nobody away and lets in nobody
    for text, reason in (("[alice]\ntoken = nonsense\n", "nonsense"), ("; who\n", "got none"), ("", "got none")):
        file.write_text(text)
        told = server.log().count("event=reload_failed")
        server.process.send_signal(signal.SIGHUP)
        server.until(lambda n=told: server.log().count("event=reload_failed") > n, 5)
        assert reason in server.log().splitlines()[-1]
        a.ping()
        assert code_of(server.address) == code_of("unix://" + server.unix) == pb.CODE_UNAUTHENTICATED

    # alice's token is not valid any more; bob may upload no more, and loses nothing
    carol, carol_lines = make("carol")
    file.write_text(bob_lines + "upload = no\n" + carol_lines)
    server.process.send_signal(signal.SIGHUP)
    with pytest.raises(GONE) as gone:
        a.frames(99)
    assert gone.type is not Failure or gone.value.code == pb.CODE_UNAUTHENTICATED
    assert code_of(server.address, token=alice) == pb.CODE_UNAUTHENTICATED
    assert code_of(server.address, token=carol) == 0
    for id_ in ids:
        assert (b.join(b.wait(id_))["state"] == want).all()
    with pytest.raises(Failure) as failure:
        b.put("m.xml", {"m.xml": pendulum})
    assert failure.value.code == pb.CODE_PERMISSION_DENIED
    b.close()


def test_users_of_the_unix_socket(start, file):
    file.write_text(f"[me]\nuser = {os.getuid()}\n")
    server = start("--tokens", str(file), "--log-level", "debug")
    assert code_of("unix://" + server.unix) == 0
    assert code_of(server.address) == pb.CODE_UNAUTHENTICATED
    server.until(lambda: "identity=me" in server.log(), 5)
    assert f"peer=user:{os.getuid()}/pid:{os.getpid()}" in server.log()


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user")
def test_other_users_need_to_be_named(start):
    def try_as(uid, path):
        """Exit status of a child of this user: 0 let in, 2 refused by the server, 3 by the system."""
        pid = os.fork()
        if pid:
            return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        try:
            os.setuid(uid)
            os._exit(0 if code_of("unix://" + path) == 0 else 2)
        except OSError:
            os._exit(3)

    def open_folder(server):
        for folder in (server.folder, os.path.dirname(server.folder)):
            os.chmod(folder, 0o755)
        while (folder := os.path.dirname(folder)) != "/":
            os.chmod(folder, os.stat(folder).st_mode | 0o011)

    closed, named = start(tcp=False), start("--unix-users", "1234,0", tcp=False)
    open_folder(closed)
    open_folder(named)
    assert try_as(1234, closed.unix) == 3
    assert try_as(1234, named.unix) == 0
    assert try_as(1235, named.unix) == 2
    assert code_of("unix://" + named.unix) == 0


def test_listening_beyond_this_machine_needs_more(tmp_path, file):
    _, lines = make("alice")
    file.write_text(lines)

    def refused(*args):
        p = subprocess.run([SHEAF, "serve", "--check-config", *args], capture_output=True, timeout=20)
        assert p.returncode in (0, 2)
        return p.returncode == 2 and b"others can reach" in p.stderr

    p = subprocess.run([SHEAF, "serve", "--listen", "0.0.0.0:0"], capture_output=True, timeout=20)
    assert p.returncode == 1 and b"others can reach" in p.stderr
    here = ["--listen", "0.0.0.0:0"]
    assert refused(*here)
    assert refused("--listen", "[::]:0")
    assert refused(*here, "--insecure-no-tls")
    assert refused(*here, "--insecure-no-token")
    assert refused(*here, "--tokens", str(file))
    assert refused("--listen", f"{socket.gethostname()}:0", "--insecure-no-tls") or \
        socket.gethostbyname(socket.gethostname()).startswith("127.")
    assert not refused(*here, "--insecure-no-tls", "--insecure-no-token")
    assert not refused(*here, "--insecure-no-tls", "--tokens", str(file))
    assert not refused("--listen", "localhost:0")
    assert not refused("--listen", "127.0.0.5:0")
