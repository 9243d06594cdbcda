# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""TLS: who trusts whom, what happens to those who speak it badly, and that results stay the same."""
import itertools
import os
import re
import resource
import select
import shutil
import signal
import socket
import ssl
import subprocess
import threading
import time

import numpy as np
import pytest
import sheaf
from conftest import SHEAF, SLOW
from wire import Client, Failure, pb, rollout, work

if not shutil.which("openssl"):
    pytest.skip("no program openssl to make certificates", allow_module_level=True)

GONE = (Failure, EOFError, OSError)
KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]


class Authority:
    def __init__(self, folder, name):
        self.folder, self.name = str(folder), name
        self.pem = self.path(name + ".pem")
        self.run("req", "-x509", *KEY, "-keyout", self.path(name + ".key"), "-out", self.pem, "-subj", "/CN=" + name)

    def path(self, name):
        return os.path.join(self.folder, name)

    @staticmethod
    def run(*args):
        subprocess.run(["openssl", *args], check=True, capture_output=True, timeout=60)

    def sign(self, name, alt=None, days=30):
        """Files of a certificate and its key."""
        pem, key, csr = self.path(name + ".pem"), self.path(name + ".key"), self.path(name + ".csr")
        more = ["-addext", "subjectAltName=" + alt] if alt else []
        self.run("req", *KEY, "-keyout", key, "-out", csr, "-subj", "/CN=" + name, *more)
        self.run("x509", "-req", "-in", csr, "-CA", self.pem, "-CAkey", self.path(self.name + ".key"), "-out", pem,
                 "-days", str(days), "-copy_extensions", "copy")
        return pem, key


@pytest.fixture(scope="module")
def ca(tmp_path_factory):
    return Authority(tmp_path_factory.mktemp("ca"), "authority")


@pytest.fixture(scope="module")
def host(ca):
    return ca.sign("localhost", "DNS:localhost,IP:127.0.0.1")


@pytest.fixture
def secure(start, host):
    """Start servers with TLS."""
    def run(*args, certificate=host):
        server = start("--tls-certificate", certificate[0], "--tls-key", certificate[1], "--log-level", "debug",
                       "--log-rate", "0", *args)
        found = re.search(r"address=tls://(\S+):(\d+)", server.log())
        server.port, server.address = int(found[2]), f"tls://127.0.0.1:{found[2]}"
        return server
    return run


def connect(server, ca, certificate=None, token=b"", timeout=20, **options):
    """The raw client, through the module ssl."""
    rules = ssl.create_default_context(cafile=ca.pem)
    for name, value in options.items():
        setattr(rules, name, value)
    if certificate:
        rules.load_cert_chain(*certificate)
    client = Client.__new__(Client)
    plain = socket.create_connection(("127.0.0.1", server.port), timeout)
    client.socket = rules.wrap_socket(plain, server_hostname="localhost")
    client.ids, client.waiting, client.progress = itertools.count(1), {}, []
    client.hello = client.ask(pb.FRAME_HELLO, pb.Hello(version=1, token=token, client="test"))[0]
    return client


def drained(sock):
    """What comes until the end; a reset counts as one."""
    out = b""
    try:
        while part := sock.recv(1 << 16):
            out += part
    except OSError:
        pass
    return out


def test_results_are_those_without_it(secure, start, ca, pendulum):
    server = secure()
    plain = start()
    x0 = np.random.default_rng(1).normal(size=(500, 3))
    x0[:, 0] = 0
    results = []
    for client in (connect(server, ca), Client(plain.address), Client("unix://" + server.unix)):
        model = client.put("m.xml", {"m.xml": pendulum})[0].hash
        results.append(rollout(client, model, 500, 200, {"state0": x0}))    # 2.4 MB there
        u = np.zeros((50, 2000, 1))
        results[-1]["long"] = rollout(client, model, 50, 2000, {"state0": x0[:1], "control": u}, ["final_state"])["final_state"]
        client.close()
    for other in results[1:]:
        for name, value in results[0].items():
            assert value.tobytes() == other[name].tobytes()
    assert "TLSv1.3" == ssl.create_default_context(cafile=ca.pem).wrap_socket(
        socket.create_connection(("127.0.0.1", server.port)), server_hostname="localhost").version()


def test_python_client_and_command_line(secure, ca, tmp_path, pendulum):
    (tmp_path / "m.xml").write_bytes(pendulum)
    server = secure()
    with sheaf.connect(server.address, tls_ca=ca.pem) as s:
        model = s.load(str(tmp_path / "m.xml"))
        want = None
        results, threads = [], []
        x0 = np.zeros((300, 3))
        x0[:, 1] = np.linspace(-1, 1, 300)

        def ask():
            for _ in range(3):
                results.append(model.rollout(x0, nstep=400).state)
        for _ in range(4):    # one reads while others send
            threads.append(threading.Thread(target=ask))
            threads[-1].start()
        for t in threads:
            t.join(60 * SLOW)
        assert len(results) == 12
        for r in results:
            want = r if want is None else want
            assert r.tobytes() == want.tobytes() and np.isfinite(r).all()
    info = [SHEAF, "info", server.address, "--json"]
    good = subprocess.run([*info, "--tls-ca", ca.pem], capture_output=True, text=True, timeout=20)
    assert good.returncode == 0 and '"state"' in good.stdout, good.stderr
    out = subprocess.run([SHEAF, "rollout", str(tmp_path / "m.xml"), "-s", server.address, "--tls-ca", ca.pem, "-b", "300", "-n",
                          "400", "-q", "--json", "--noise", "0.5"], capture_output=True, text=True, timeout=60)
    assert out.returncode == 0, out.stderr
    bad = subprocess.run(info, capture_output=True, text=True, timeout=20)    # the system knows no such authority
    assert bad.returncode == 1 and "certificate" in bad.stderr


def test_clients_refuse_servers_that_they_cannot_trust(secure, ca, tmp_path):
    other = Authority(tmp_path, "other")
    cases = [(ca.sign("old", "DNS:localhost,IP:127.0.0.1", days=-1), ca.pem, "expired"),
             (ca.sign("elsewhere", "DNS:elsewhere"), ca.pem, "mismatch"),
             (other.sign("localhost", "DNS:localhost,IP:127.0.0.1"), ca.pem, "issuer|self")]
    for certificate, trusted, reason in cases:
        server = secure(certificate=certificate)
        with pytest.raises(sheaf.Unauthenticated):
            sheaf.connect(server.address, tls_ca=trusted, retry=False)
        p = subprocess.run([SHEAF, "info", server.address, "--tls-ca", trusted], capture_output=True, text=True, timeout=20)
        assert p.returncode == 1 and "certificate" in p.stderr and re.search(reason, p.stderr), p.stderr
        assert reason != "expired" or "event=certificate_expired" in server.log()
        server.until(lambda s=server: "event=refused" in s.log() and "TLS: " in s.log(), 5)


def test_plain_bytes_and_old_versions(secure, start, ca):
    server = secure()
    # one of ours without TLS is told; whatever else comes gets an end and a line in the log
    with pytest.raises(Failure) as failure:
        Client(f"tcp://127.0.0.1:{server.port}")
    assert failure.value.code == pb.CODE_FAILED_PRECONDITION and "tls://" in failure.value.error.message
    for garbage in (b"GET / HTTP/1.0\r\n\r\n", b"\0" * 100, b"\x16\x03\x01" + b"\xff" * 100, b"\x16" * 3000):
        s = socket.create_connection(("127.0.0.1", server.port), 10 * SLOW)
        s.sendall(garbage)
        drained(s)
        s.close()
    server.until(lambda: server.log().count("event=refused") == 5, 5)
    with pytest.raises(ssl.SSLError):
        connect(server, ca, maximum_version=ssl.TLSVersion.TLSv1_2)
    client = connect(server, ca)
    client.ping()

    # a TLS client at a plain port sees at once that this is none
    plain = start()
    port = int(plain.address.rsplit(":", 1)[1])
    began = time.monotonic()
    with pytest.raises((ssl.SSLError, OSError)):
        ssl.create_default_context().wrap_socket(socket.create_connection(("127.0.0.1", port), 10), server_hostname="localhost")
    assert time.monotonic() - began < 3 * SLOW
    plain.until(lambda: "event=refused" in plain.log(), 5)
    with pytest.raises(sheaf.Error):
        sheaf.connect(f"tls://127.0.0.1:{port}", tls_ca=ca.pem, retry=False)
    p = subprocess.run([SHEAF, "info", f"tls://127.0.0.1:{port}", "--tls-ca", ca.pem], capture_output=True, timeout=20)
    assert p.returncode == 1 and b"TLS" in p.stderr


def record(ca, server):
    """The bytes of a good session, as a client sends them."""
    rules = ssl.create_default_context(cafile=ca.pem)
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = rules.wrap_bio(incoming, outgoing, server_hostname="localhost")
    with socket.create_connection(("127.0.0.1", server.port), 10 * SLOW) as s:
        sent = b""
        while True:
            try:
                tls.do_handshake()
                break
            except ssl.SSLWantReadError:
                said = outgoing.read()
                sent += said
                s.sendall(said)
                incoming.write(s.recv(1 << 16))
        return sent + outgoing.read()


def test_handshakes_that_stop(secure, ca):
    server = secure("--hello-timeout", "1.5")
    good = connect(server, ca)
    whole = record(ca, server)
    held = []
    for cut in range(1, len(whole), max(1, len(whole) // 20)):    # cut anywhere: some go away, some stay
        s = socket.create_connection(("127.0.0.1", server.port), 10 * SLOW)
        s.sendall(whole[:cut])
        held.append(s)
        if cut % 2:
            s.close()
    slow = [socket.create_connection(("127.0.0.1", server.port), 10 * SLOW) for _ in range(30)]
    end = time.monotonic() + 3 * SLOW
    at = 0
    while time.monotonic() < end and good.info().connections > 1:    # byte by byte
        for s in slow:
            try:
                s.send(whole[at:at + 1])
            except OSError:
                pass
        at += 1
        time.sleep(0.05)
    server.until(lambda: good.info().connections == 1, 5)
    assert "no Hello within 1500 ms" in server.log()
    good.close()
    for s in held + slow:
        s.close()


def test_many_handshakes_leave_nothing(secure, ca):
    server = secure("--log-level", "info")
    rules = ssl.create_default_context(cafile=ca.pem)

    def shake(n):
        for _ in range(n):
            s = rules.wrap_socket(socket.create_connection(("127.0.0.1", server.port), 20), server_hostname="localhost")
            s.close()
    shake(100)
    before = server.rss()
    shake(300)
    assert server.rss() - before < 8 << 20
    client = connect(server, ca)
    server.until(lambda: client.info().connections == 1, 5)
    client.close()


def first_words():
    """What a client says first: an answer to it costs the server far more than it costs to say."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = ssl.create_default_context().wrap_bio(incoming, outgoing, server_hostname="localhost")
    with pytest.raises(ssl.SSLWantReadError):
        tls.do_handshake()
    return outgoing.read()


def crowd(server, count):
    """That many clients that say it at once."""
    words = first_words()
    socks = [socket.create_connection(("127.0.0.1", server.port), 20 * SLOW) for _ in range(count)]
    for sock in socks:
        sock.sendall(words)
    return socks


def answered(socks):
    return len(select.select(socks, [], [], 0)[0])


@pytest.fixture
def descriptors():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 1000), hard))    # as many as select can look at
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_handshakes_leave_time_for_others(secure, ca, descriptors):
    """Between the answers to a crowd of new clients the server answers those that are there."""
    server = secure()
    client = connect(server, ca)
    socks = crowd(server, 400)
    pings = 0
    while answered(socks) < len(socks):
        client.ping()
        pings += 1
    assert pings > 30, pings
    for sock in socks:
        sock.close()
    client.ping()
    client.close()
    server.stop()


def test_a_host_that_floods_delays_itself(secure, ca, descriptors):
    server = secure()
    connect(server, ca).close()
    socks = crowd(server, 600)
    other = socket.create_connection(("127.0.0.1", server.port), 20 * SLOW, ("127.0.0.2", 0))
    other.sendall(first_words())
    assert other.recv(1)
    assert answered(socks) < 300
    for sock in (other, *socks):
        sock.close()
    server.stop()


def test_first_words_have_an_end(secure, descriptors):
    """Of a client that waits for its turn no more is kept than a handshake needs."""
    server = secure()
    socks = crowd(server, 300)
    late = socket.create_connection(("127.0.0.1", server.port), 20 * SLOW)
    late.sendall(b"\x16\x03\x01\x40\x00" + bytes(60000))
    drained(late)
    server.until(lambda: "a first message of more than 16384 bytes" in server.log(), 5)
    for sock in (late, *socks):
        sock.close()
    server.stop()


def test_what_a_peer_may_use_that_nobody_knows(secure, ca):
    """Less than 48 KiB, of which OpenSSL takes 30: a first message that announces 128 KiB gets no room."""
    server = secure("--hello-timeout", "2")
    good = connect(server, ca)
    before, socks = server.rss(), []
    hello = b"\1" + (131000).to_bytes(3, "big") + b"\3\3" + bytes(40)
    for _ in range(200):
        socks.append(socket.create_connection(("127.0.0.1", server.port), 20 * SLOW))
        socks[-1].sendall(b"\x16\3\1" + len(hello).to_bytes(2, "big") + hello)
    server.until(lambda: server.log().count("of the handshake of more than 16384 bytes") == 200, 10)
    assert server.rss() - before < 200 * (48 << 10)
    good.ping()
    for sock in (good, *socks):
        sock.close()


def test_client_certificates_are_identities(secure, ca, tmp_path, pendulum):
    alice, bob, eve = ca.sign("alice"), ca.sign("bob", "DNS:robot.example.org"), ca.sign("eve")
    stranger, old = Authority(tmp_path, "stranger").sign("alice2"), ca.sign("late", days=-1)
    file = tmp_path / "tokens"
    file.write_text("[alice]\ncertificate = alice\n[robot]\ncertificate = robot.example.org\nupload = no\n")
    server = secure("--tls-client-ca", ca.pem, "--tls-require-certificate", "--tokens", str(file))
    a, b = connect(server, ca, alice), connect(server, ca, bob)
    server.until(lambda: "identity=alice" in server.log() and "identity=robot" in server.log(), 5)
    a.put("m.xml", {"m.xml": pendulum})
    with pytest.raises(Failure) as failure:
        b.put("m.xml", {"m.xml": pendulum})
    assert failure.value.code == pb.CODE_PERMISSION_DENIED
    with pytest.raises(Failure) as failure:    # signed, but unknown here
        connect(server, ca, eve)
    assert failure.value.code == pb.CODE_UNAUTHENTICATED
    for certificate in (None, stranger, old):
        with pytest.raises(GONE):
            connect(server, ca, certificate)
    with sheaf.connect(server.address, tls_ca=ca.pem, tls_certificate=alice) as s:
        s.ping()
    args = [SHEAF, "info", server.address, "--tls-ca", ca.pem]
    assert subprocess.run([*args, "--tls-certificate", alice[0], "--tls-key", alice[1]], capture_output=True,
                          timeout=20).returncode == 0
    assert subprocess.run(args, capture_output=True, timeout=20).returncode == 1

    # alice is taken from the file
    file.write_text("[robot]\ncertificate = robot.example.org\n")
    server.process.send_signal(signal.SIGHUP)
    with pytest.raises(GONE):
        a.frames(99)
    b.ping()
    b.close()


def test_revoked_certificates(secure, ca, tmp_path):
    good, revoked = ca.sign("good"), ca.sign("revoked")
    config, crl = tmp_path / "ca.conf", str(tmp_path / "crl.pem")
    (tmp_path / "index").write_text("")
    config.write_text(f"[ca]\ndefault_ca=d\n[d]\ndatabase={tmp_path}/index\ndefault_md=sha256\ndefault_crl_days=9\n")
    common = ["ca", "-config", str(config), "-cert", ca.pem, "-keyfile", ca.path("authority.key")]
    ca.run(*common, "-revoke", revoked[0])
    ca.run(*common, "-gencrl", "-out", crl)
    server = secure("--tls-client-ca", ca.pem, "--tls-client-crl", crl)
    connect(server, ca, good).close()
    connect(server, ca).close()    # none is required here
    with pytest.raises(GONE):
        connect(server, ca, revoked)
    server.until(lambda: "TLS: certificate revoked" in server.log(), 5)


def test_hangup_changes_the_certificate_under_traffic(secure, ca, host, tmp_path, pendulum):
    files = [str(tmp_path / "pem"), str(tmp_path / "key")]
    for source, target in zip(host, files):
        shutil.copy(source, target)
    server = secure(certificate=files)

    def serial():
        rules = ssl.create_default_context(cafile=ca.pem)
        with rules.wrap_socket(socket.create_connection(("127.0.0.1", server.port), 10), server_hostname="localhost") as s:
            return s.getpeercert()["serialNumber"]

    client = connect(server, ca)
    model = client.put("m.xml", {"m.xml": pendulum})[0].hash
    want = rollout(client, model, 200, 500, {"state0": [[0, 1.0, 0]]})["state"]
    message, data = work(model, 200, {"state0": [[0, 1.0, 0]]}, ["state"])
    first = serial()
    ids = [client.send(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=500), data) for _ in range(8)]

    open(files[0], "w").write("no certificate\n")
    server.process.send_signal(signal.SIGHUP)
    server.until(lambda: "event=reload_failed" in server.log(), 5)
    assert serial() == first
    for source, target in zip(ca.sign("newer", "DNS:localhost"), files):
        shutil.copy(source, target)
    server.process.send_signal(signal.SIGHUP)
    server.until(lambda: serial() != first, 5)
    for id_ in ids:
        assert (client.join(client.wait(id_))["state"] == want).all()
    client.close()


def test_wrong_files_are_told(host, ca, tmp_path):
    def check(*args):
        p = subprocess.run([SHEAF, "serve", "--check-config", *args], capture_output=True, text=True, timeout=20)
        return p.returncode, p.stderr
    pem, key = host
    assert check("--tls-certificate", pem, "--tls-key", key)[0] == 0
    assert check("--listen", "0.0.0.0:0", "--tls-certificate", pem, "--tls-key", key, "--insecure-no-token")[0] == 0
    assert check("--listen", "0.0.0.0:0", "--tls-certificate", pem, "--tls-key", key)[0] == 2
    for args in (["--tls-certificate", pem], ["--tls-certificate", key, "--tls-key", key],
                 ["--tls-certificate", pem, "--tls-key", ca.path("authority.key")],
                 ["--tls-certificate", pem, "--tls-key", str(tmp_path / "none")],
                 ["--tls-certificate", pem, "--tls-key", key, "--tls-client-ca", key],
                 ["--tls-certificate", pem, "--tls-key", key, "--tls-require-certificate"]):
        code, text = check(*args)
        assert code == 2 and "tls-" in text, (args, text)


def test_slow_readers_and_long_requests(secure, ca, pendulum):
    """Buffers on both ways are full for a while, in the middle of records."""
    server = secure("--max-unsent", "1")
    client = connect(server, ca, timeout=20 * SLOW)
    model = client.put("m.xml", {"m.xml": pendulum})[0].hash
    message, data = work(model, 100, {"state0": np.zeros((1, 3))}, ["state"])
    ids = [client.send(pb.FRAME_ROLLOUT, pb.Rollout(work=message, nstep=2000), data) for _ in range(4)]    # 4 x 4.8 MB
    time.sleep(0.5)
    assert connect(server, ca).info().connections == 2
    states = [client.join(client.wait(id_))["state"] for id_ in ids]
    assert all((s == states[0]).all() and s.shape == (100, 2000, 3) for s in states)
    u = np.random.default_rng(0).uniform(-1, 1, (64, 20000, 1))    # 10 MB in one frame
    a = rollout(client, model, 64, 20000, {"state0": np.zeros((1, 3)), "control": u}, ["final_state"])["final_state"]
    assert np.unique(a[:, 1]).size == 64
    client.close()
