// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// All settings of the server. Each row makes an option (--max-memory), a variable of the environment
// (SHEAF_MAX_MEMORY), a key of the configuration file (max-memory), a line of `--check-config` and a line of
// server/README.md. Rows LIMIT fill srv_limits, rows SETTING the other fields of srv_config.
//
//   SETTING(name, letter, TYPE, field, default, least, most, RELOAD, VALUE, help)
//
// letter  short option, or 0
// TYPE    TEXT; FLAG; COUNT; BYTES (a bare number means MiB); SECONDS (kept in ms); a CHOICE lists its words in VALUE
// default `memory` is what this process may use
// RELOAD  LIVE: SIGHUP changes it; START: it holds until the process ends
//
// No include guard: base/limits.c, base/config.c and base/settings.c expand the rows.

// clang-format off
#ifndef SETTING
#define SETTING(name, letter, TYPE, field, value, least, most, RELOAD, VALUE, help)
#endif
#ifndef LIMIT
#define LIMIT(name, letter, TYPE, field, value, least, most, RELOAD, VALUE, help)
#endif
#define KIB(n) ((uint64_t)(n) << 10)
#define MIB(n) ((uint64_t)(n) << 20)
#define GIB(n) ((uint64_t)(n) << 30)
#define DAY 86400000

SETTING("listen",        'l', TEXT,   listen,     "127.0.0.1:7447", 0, 0, START, "HOST:PORT", "TCP address; port 0 takes any")
SETTING("no-tcp",         0,  FLAG,   no_tcp,     false,            0, 1, START, NULL, "listen on the Unix socket only")
SETTING("unix",           0,  TEXT,   unix_path,  NULL,             0, 0, START, "PATH", "also listen on a Unix socket")
SETTING("threads",       't', COUNT,  threads,    0,             0, 4096, START, "N", "worker threads; 0: the CPUs that this process may use")
SETTING("precision",      0,  CHOICE, precision,  SRV_DOUBLE,       0, 1, START, "double|single",
        "numbers that workers compute with; single is faster, has 7 digits, and refuses derivatives")
SETTING("unix-users",     0,  TEXT,   unix_users, NULL,             0, 0, START, "USERS",
        "users who may use the Unix socket, as numbers or names with commas, or `any` (default: the mode of the socket decides)")
SETTING("plugin-library", 0,  TEXT,   plugin_library, NULL,         0, 0, START, "PATH",
        "library whose plugins models may use, beside those that are built in; its code runs in the server")
SETTING("tokens",         0,  TEXT,   tokens,     NULL,             0, 0, START, "PATH",
        "identities with their tokens, permissions and quotas; SIGHUP reads it again")
SETTING("token-file",     0,  TEXT,   token_file, NULL,             0, 0, START, "PATH",
        "one token for all: the first line of this file; SIGHUP reads it again")
SETTING("tls-certificate", 0, TEXT,   tls_certificate, NULL,        0, 0, START, "PATH",
        "speak TLS on TCP, with this chain of certificates (PEM); SIGHUP reads it again, as the other tls- files")
SETTING("tls-key",        0,  TEXT,   tls_key,    NULL,             0, 0, START, "PATH", "private key of the certificate (PEM)")
SETTING("tls-client-ca",  0,  TEXT,   tls_client_ca, NULL,          0, 0, START, "PATH", "clients may show certificates of these authorities (PEM)")
SETTING("tls-client-crl", 0,  TEXT,   tls_client_crl, NULL,         0, 0, START, "PATH", "refuse certificates that these revocation lists name (PEM)")
SETTING("tls-require-certificate", 0, FLAG, tls_require_certificate, false, 0, 1, START, NULL, "clients must show a certificate")
SETTING("insecure-no-token", 0, FLAG, insecure_no_token, false,     0, 1, START, NULL, "allow to listen beyond this machine without any token")
SETTING("insecure-no-tls", 0, FLAG,   insecure_no_tls, false,       0, 1, START, NULL, "allow to listen beyond this machine without encryption")
SETTING("log-level",      0,  CHOICE, log_level,  SRV_LOG_INFO,     0, 3, LIVE,  "error|warn|info|debug", "log lines up to this level")
SETTING("log-format",     0,  CHOICE, log_format, SRV_LOG_LOGFMT,   0, 1, LIVE,  "logfmt|json", "key=value pairs, or one JSON object a line")
SETTING("log-rate",       0,  COUNT,  log_rate,   20,         0, 1 << 20, LIVE,
        "N", "lines a second of one event, after five times as many at once; 0: any number")
SETTING("metrics",        0,  TEXT,   metrics,    NULL,             0, 0, START, "HOST:PORT",
        "answer /metrics, /livez and /readyz on this loopback address; port 0 takes any")
SETTING("watchdog",       0,  SECONDS, watchdog_ms, 30000,        0, DAY, START,
        "SECONDS", "end the server if its loop stands still for so long; 0: never")
SETTING("stuck-worker",   0,  SECONDS, stuck_worker_ms, 30000,    0, DAY, START,
        "SECONDS", "report a worker that finishes no step for so long; 0: never")
SETTING("lame-duck",      0,  SECONDS, lame_duck_ms, 0,           0, DAY, LIVE,
        "SECONDS", "after SIGTERM, go on listening for at most so long, until all clients have left")
SETTING("drain-timeout",  0,  SECONDS, drain_ms,  30000,          0, DAY, LIVE,
        "SECONDS", "after that, finish work for at most so long, then cancel it")

// what all clients together may use
LIMIT("max-connections",  0,  COUNT,   connections,    1024,       1, 1 << 20, LIVE,  "N", "connections at a time")
LIMIT("max-memory",       0,  BYTES,   held_bytes,     memory / 2, MIB(1), GIB(1 << 14), LIVE,
      "MIB", "request and result bytes held at a time (default: half of the memory)")
LIMIT("model-cache",      0,  BYTES,   cache_bytes,    memory / 8, MIB(1), GIB(1 << 14), LIVE,
      "MIB", "compiled models kept (default: an eighth of the memory)")
LIMIT("shared-models",    0,  FLAG,    shared_models,  false,      0, 1, LIVE, NULL, "identities may use models that others have put")
LIMIT("max-worker-memory", 0, BYTES,   worker_bytes,   memory, MIB(1), GIB(1 << 14), LIVE, "MIB", "simulation memory, all workers (default: all)")
LIMIT("max-model-memory", 0,  BYTES,   data_bytes,     memory / 16, MIB(1), GIB(1 << 14), LIVE,
      "MIB", "simulation memory (size memory) of a model, per worker (default: a sixteenth of the memory)")

// what one connection may use
LIMIT("max-inflight",     0,  COUNT,   inflight,       64,         1, 1 << 16, START, "N", "unanswered requests of one connection")
LIMIT("max-unsent",       0,  BYTES,   unsent_high,    MIB(8),     KIB(64), GIB(1 << 14), LIVE, "MIB", "reply bytes that wait for one client")
LIMIT("hello-timeout",    0,  SECONDS, hello_ms,       5000,       1, DAY, LIVE,
      "SECONDS", "close a connection that sends no complete Hello for so long")
LIMIT("read-timeout",     0,  SECONDS, stall_read_ms,  10000,      1, DAY, LIVE,
      "SECONDS", "close if a frame or request was begun and stalls for so long")
LIMIT("write-timeout",    0,  SECONDS, stall_write_ms, 30000,      1, DAY, LIVE, "SECONDS", "close if a client does not read its replies for so long")
LIMIT("idle-timeout",     0,  SECONDS, idle_ms,        300000,     0, DAY, LIVE, "SECONDS", "close if a client asks nothing for so long; 0: never")
LIMIT("peer-timeout",     0,  SECONDS, peer_gone_ms,   20000,   2000, DAY, LIVE,
      "SECONDS", "close if the machine of a TCP client does not answer for so long")
LIMIT("linger-timeout",   0,  SECONDS, linger_ms,      1000,       0, DAY, LIVE, "SECONDS", "time between a fatal error and closing the connection")

LIMIT("log-requests",     0,  SECONDS, log_requests_ms, 1000,      0, DAY, LIVE, "SECONDS", "log requests that fail or take so long; 0: all")

// what one request may be; clients are told when they connect, so these stay
LIMIT("max-control",      0,  BYTES,   control_bytes,  KIB(64),    KIB(4), MIB(1), START, "MIB", "size of the control message of a request")
LIMIT("max-frame",        0,  BYTES,   frame_bytes,    MIB(256),   KIB(64), GIB(64), START, "MIB", "size of the data section of one frame")
LIMIT("max-request",      0,  BYTES,   request_bytes,  GIB(1),     KIB(64), GIB(1024), START,
      "MIB", "size of the data of one request, over all its frames")
LIMIT("max-model",        0,  BYTES,   model_bytes,    MIB(256),   KIB(4), GIB(64), START, "MIB", "size of all files of one model together")
LIMIT("max-model-files",  0,  COUNT,   model_files,    512,        1, 1 << 16, START, "N", "number of files of one model")
LIMIT("max-tensors",      0,  COUNT,   tensors,        32,         8, 32, START, "N", "number of tensors of a request")
LIMIT("max-outputs",      0,  COUNT,   outputs,        64,         1, 64, START, "N", "number of outputs of a request")
LIMIT("max-row",          0,  BYTES,   row_bytes,      MIB(256),   KIB(64), GIB(64), START, "MIB", "result bytes of one row of a batch")

LIMIT("default-deadline", 0,  SECONDS, deadline_ms,    60000,      1, DAY, START, "SECONDS", "deadline of a compute request that names none")
LIMIT("max-deadline",     0,  SECONDS, deadline_most_ms, 3600000,  1, DAY, START,
      "SECONDS", "longest deadline of a compute request; longer ones are cut to this")
LIMIT("max-queued",       0,  COUNT,   queued,         65536,      1, 1 << 24, START, "N", "compute requests of all clients that wait or run")

// how the server works
LIMIT("arena",            0,  BYTES,   arena_bytes,    MIB(4),     KIB(256), MIB(64), START, "MIB", "memory of one unpacked control message")
LIMIT("part",             0,  BYTES,   part_bytes,     MIB(4),     KIB(4), MIB(256), START,
      "MIB", "data of one part of a result, if a row is not larger")
LIMIT("early",            0,  BYTES,   early_bytes,    KIB(64),    1, GIB(64), LIVE,
      "MIB", "requests with at least so much data are worked on while the data comes")
LIMIT("compile-time",     0,  COUNT,   compile_cpu_s,  20,         1, 3600, LIVE, "SECONDS", "processor time to compile a model")
LIMIT("compile-memory",   0,  BYTES,   compile_bytes,  memory / 4 < GIB(4) ? memory / 4 : GIB(4),
      MIB(64), GIB(1024), LIVE, "MIB", "address space to compile a model (default: a quarter of the memory, at most 4 GiB)")
// clang-format on

#undef KIB
#undef MIB
#undef GIB
#undef DAY
#undef SETTING
#undef LIMIT
