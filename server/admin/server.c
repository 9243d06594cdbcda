// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "admin/server.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sheaf/providers.h>

#include "admin/drain.h"
#include "admin/exposure.h"
#include "admin/reload.h"
#include "admin/notify.h"
#include "base/log.h"
#include "models/spawner.h"
#include "net/call.h"
#include "net/listener.h"
#include "net/stall.h"
#include "net/watchers.h"
#include "request/dispatch.h"
#include "sheaf.pb-c.h"
#include "watch/crash.h"
#include "watch/http.h"
#include "watch/metrics.h"
#include "watch/stacks.h"

enum { SPARE_FDS = 64, LEAST_FDS = 64, WARN_S = 14 * 86400 };

typedef struct {
  srv_config config;
  const srv_setting_source* source;  // SIGHUP reads it again
  uv_loop_t loop;
  srv_ledger ledger;
  srv_stats stats;
  srv_auth auth;
  srv_net net;
  srv_registry registry;
  srv_sched sched;
  srv_service service;
  srv_listener tcp, pipe;
  srv_watchdog watchdog;
  srv_http http;
  uv_signal_t sigterm, sigint, sighup;
  uv_timer_t heartbeat;  // for the service manager
  uv_poll_t room;        // of srv_watchers_reserve
  uv_timer_t hellos;     // for Hellos whose token is checked later
  srv_drain drain;
} server;

// ---- the end

static void close_all(void* user) {
  server* s = user;
  srv_log(SRV_LOG_INFO, "stopped", "requests=%llu rows=%llu", (unsigned long long)s->stats.requests,
          (unsigned long long)s->stats.rows);
  uv_close((uv_handle_t*)&s->sigterm, NULL);
  uv_close((uv_handle_t*)&s->sigint, NULL);
  uv_close((uv_handle_t*)&s->sighup, NULL);
  srv_drain_close(&s->drain);
  uv_close((uv_handle_t*)&s->heartbeat, NULL);
  uv_close((uv_handle_t*)&s->hellos, NULL);
  srv_http_stop(&s->http);
  srv_watchdog_stop(&s->watchdog);
  srv_net_close(&s->net);
  srv_sched_close(&s->sched);
  srv_registry_close(&s->registry);
}

static void on_signal(uv_signal_t* handle, int signal) {
  server* s = handle->data;
  if (s->service.leaving) {
    srv_log_stop();
    _exit(1);
  }
  srv_drain_begin(&s->drain, signal);
}

// ---- settings

// allow as many descriptors as the system gives, and no more connections than that
static void fit_descriptors(srv_limits* limits) {
  struct rlimit l;
  if (getrlimit(RLIMIT_NOFILE, &l)) return;
  l.rlim_cur = l.rlim_max;
  setrlimit(RLIMIT_NOFILE, &l);
  getrlimit(RLIMIT_NOFILE, &l);
  rlim_t spare = l.rlim_cur < 4 * SPARE_FDS ? l.rlim_cur / 4 : SPARE_FDS;
  if (limits->refusals > spare) limits->refusals = (uint32_t)spare;
  rlim_t most = l.rlim_cur - limits->refusals - spare - limits->kept_connections;
  if (limits->connections > most) limits->connections = (uint32_t)most;
}

// with fewer descriptors no model could be compiled, and there would be none left for connections
static int check_descriptors(srv_error* error) {
  struct rlimit l;
  if (getrlimit(RLIMIT_NOFILE, &l) || l.rlim_cur >= LEAST_FDS) return 0;
  return srv_error_set(error, SHEAF__CODE__CODE_UNAVAILABLE,
                       "limit of open files (ulimit -n): expected at least %d, got %llu", LEAST_FDS,
                       (unsigned long long)l.rlim_cur);
}

// copy limits to the parts that have copies of them
static void apply_limits(server* s) {
  srv_limits* limits = &s->config.limits;
  fit_descriptors(limits);
  s->ledger.limit = limits->held_bytes;
  srv_log_set_level((srv_log_level)s->config.log_level);
  srv_log_set_style((srv_log_format)s->config.log_format, s->config.log_rate);
}

// close connections whose identity is not known any more
static void send_away(server* s) {
  srv_error error;
  for (srv_conn *conn = s->net.conns, *next; conn; conn = next) {
    next = conn->next;
    if (!conn->who) continue;
    srv_identity* who = srv_auth_find(&s->auth, &conn->proof);
    if (who != conn->who) {
      srv_error_set(&error, SHEAF__CODE__CODE_UNAUTHENTICATED, "what this client showed is not valid any more");
      srv_conn_fail(conn, &error);
    }
    srv_identity_drop(&s->auth.all, who);
  }
}

static void warn_expiry(const srv_tls* tls) {
  int64_t left = tls ? srv_tls_valid_s(tls) : WARN_S;
  if (left >= WARN_S) return;
  srv_log(SRV_LOG_WARN, left < 0 ? "certificate_expired" : "certificate_expires", "days=%lld", (long long)left / 86400);
}

// connections that are open keep their certificate
static void reload_tls(server* s) {
  srv_error error;
  char text[400];
  if (!s->net.tls) return;
  srv_tls* fresh = srv_tls_make(&s->config, &error);
  if (!fresh) {
    srv_log(SRV_LOG_ERROR, "reload_failed", "message=%s", srv_log_quote(text, sizeof text, error.message));
    return;
  }
  srv_tls_free(s->net.tls);
  s->net.tls = fresh;
  warn_expiry(fresh);
}

static void reload_auth(server* s) {
  srv_error error;
  char text[400];
  if (srv_auth_load(&s->auth, s->config.tokens, s->config.token_file, &error)) {
    srv_log(SRV_LOG_ERROR, "reload_failed", "message=%s", srv_log_quote(text, sizeof text, error.message));
  } else {
    send_away(s);
  }
}

static void on_hangup(uv_signal_t* handle, int signal) {
  server* s = handle->data;
  (void)signal;
  srv_notify_reloading();
  if (!srv_reload(&s->config, s->source)) apply_limits(s);
  reload_tls(s);
  reload_auth(s);
  srv_notify("READY=1");
}

// ---- the start

// sockets of the service manager take the place of those in the settings
static int adopt_sockets(server* s, int n, srv_error* error) {
  for (int fd = SRV_NOTIFY_FIRST_FD; fd < SRV_NOTIFY_FIRST_FD + n; fd++) {
    srv_listener* l = srv_listener_is_unix(fd) ? &s->pipe : &s->tcp;
    if (l->open) {
      return srv_error_set(error, SHEAF__CODE__CODE_INVALID_ARGUMENT,
                           "the service manager may give one TCP socket and one Unix socket, not several");
    }
    int err = srv_listener_adopt(l, &s->net, fd, error);
    if (!err && l == &s->tcp) err = srv_exposure_check_socket(&s->config, fd, error);
    if (err) return err;
  }
  return 0;
}

static int open_sockets(server* s, srv_error* error) {
  const srv_config* c = &s->config;
  int given = srv_notify_sockets();
  if (given) return adopt_sockets(s, given, error);
  int err = c->listen && !c->no_tcp ? srv_listener_tcp(&s->tcp, &s->net, c->listen, error) : 0;
  if (!err && c->unix_path) err = srv_listener_unix(&s->pipe, &s->net, c->unix_path, error);
  return err;
}

static int listen_all(server* s, srv_error* error) {
  const srv_config* c = &s->config;
  int err = open_sockets(s, error);
  if (err) return err;
  if (s->tcp.open) srv_log(SRV_LOG_INFO, "listening", "address=%s", s->tcp.address);
  if (s->pipe.open) srv_log(SRV_LOG_INFO, "listening", "address=%s", s->pipe.address);
  if (c->unix_path && c->unix_users && chmod(c->unix_path, 0666)) {
    return srv_error_set(error, SHEAF__CODE__CODE_UNAVAILABLE, "%s: %s", c->unix_path, strerror(errno));
  }
  return 0;
}

// warnings of the engine outside of jobs; within jobs the pool catches them
static void on_engine_warning(const char* message) {
  char text[300];
  srv_log(SRV_LOG_WARN, "engine", "message=%s", srv_log_quote(text, sizeof text, message));
}

static void on_engine_error(const char* message) {
  char text[300];
  srv_log(SRV_LOG_ERROR, "engine", "message=%s", srv_log_quote(text, sizeof text, message));
  srv_log_stop();
  abort();
}

static void start_signals(server* s) {
  signal(SIGPIPE, SIG_IGN);
  uv_signal_init(&s->loop, &s->sigterm);
  uv_signal_init(&s->loop, &s->sigint);
  uv_signal_init(&s->loop, &s->sighup);
  uv_timer_init(&s->loop, &s->hellos);
  s->sigterm.data = s->sigint.data = s->sighup.data = s;
  uv_signal_start(&s->sigterm, on_signal, SIGTERM);
  uv_signal_start(&s->sigint, on_signal, SIGINT);
  uv_signal_start(&s->sighup, on_hangup, SIGHUP);
}

static void on_heartbeat(uv_timer_t* timer) {
  (void)timer;
  srv_notify("WATCHDOG=1");
}

// the heartbeat comes from the loop, so that the service manager ends a server whose loop stands still
static void start_heartbeat(server* s) {
  uint64_t ms = srv_notify_watchdog_ms();
  uv_timer_init(&s->loop, &s->heartbeat);
  if (ms) uv_timer_start(&s->heartbeat, on_heartbeat, ms, ms);
}

// read what must be right before the server starts
static int read_security(srv_auth* auth, srv_tls** tls, const srv_config* c, srv_error* error) {
  int err = srv_exposure_check(c, error);
  if (!err) err = srv_auth_load(auth, c->tokens, c->token_file, error);
  if (!err) err = srv_auth_users(auth, c->unix_users, error);
  if (err || !c->tls_certificate) return err;
  *tls = srv_tls_make(c, error);
  return *tls ? 0 : -error->code;
}

int srv_check(const srv_config* config, srv_error* error) {
  srv_auth* auth = calloc(1, sizeof *auth);
  if (!auth) return srv_error_set(error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, "out of memory");
  srv_tls* tls = NULL;
  int err = read_security(auth, &tls, config, error);
  srv_tls_free(tls);
  srv_auth_close(auth);
  free(auth);
  return err;
}

static void on_model_free(void* sched, srv_model* model) { srv_sched_forget(sched, model); }

// ---- monitoring

static srv_http_answer answer_monitor(void* user, bool metrics) {
  server* s = user;
  srv_exposition e = {0};
  if (metrics) e = srv_metrics(&s->service, &s->watchdog);
  return (srv_http_answer){!s->service.leaving, e.text, e.len};
}

static int start_watch(server* s, srv_error* error) {
  srv_watchdog_start(&s->watchdog, &s->loop, s->config.watchdog_ms, s->sched.pool, s->config.stuck_worker_ms);
  s->http = (srv_http){.answer = answer_monitor, .user = s};
  return s->config.metrics ? srv_http_start(&s->http, &s->loop, s->config.metrics, error) : 0;
}

// Models may use the plugins that are built in, and those of a library that the operator names. A library may also
// bring resource providers, which clients' models must not reach.
static int load_plugins(const char* library, srv_error* error) {
  sheaf_forbidProviders();
  if (!library || !*library) return unsetenv(SRV_PLUGIN_VARIABLE);
  if (!dlopen(library, RTLD_NOW | RTLD_LOCAL)) {
    return srv_error_set(error, SHEAF__CODE__CODE_INVALID_ARGUMENT, "plugin-library: %s", dlerror());
  }
  return setenv(SRV_PLUGIN_VARIABLE, library, 1);
}

static int start(server* s, srv_error* error) {
  srv_handler handler = srv_dispatch_handler(&s->service);
  const srv_limits* limits = &s->config.limits;
  srv_crash_reports();
  srv_stacks_init();
  mju_user_warning = on_engine_warning;
  mju_user_error = on_engine_error;
  apply_limits(s);
  s->service = (srv_service){.limits = limits,
                             .ledger = &s->ledger,
                             .stats = &s->stats,
                             .net = &s->net,
                             .registry = &s->registry,
                             .sched = &s->sched,
                             .auth = &s->auth,
                             .hello_timer = &s->hellos,
                             .started = uv_hrtime()};
  srv_tls* tls = NULL;
  int err = check_descriptors(error);
  if (!err) err = read_security(&s->auth, &tls, &s->config, error);
  if (!err) err = load_plugins(s->config.plugin_library, error);
  if (err) return err;
  uv_loop_init(&s->loop);
  srv_watchers_reserve(&s->loop, &s->room);
  srv_registry_init(&s->registry, &s->loop, limits, &s->ledger, s->config.helper);
  err = srv_sched_init(&s->sched, &s->loop, limits, &s->ledger, &s->stats, (int)s->config.threads,
                       s->config.precision == SRV_SINGLE ? 4 : 8, error);
  if (err) return err;
  s->registry.on_free = on_model_free;
  s->registry.user = &s->sched;
  srv_net_init(&s->net, &s->loop, limits, &s->ledger, &s->stats, &handler, &srv_call_joiner);
  s->net.auth = &s->auth;
  s->net.tls = tls;
  srv_log_start();
  warn_expiry(tls);
  s->drain = (srv_drain){
      .service = &s->service, .tcp = &s->tcp, .pipe = &s->pipe, .config = &s->config, .on_end = close_all, .user = s};
  srv_drain_init(&s->drain, &s->loop);
  start_signals(s);
  err = start_watch(s, error);
  if (!err) err = listen_all(s, error);
  if (err) return err;
  srv_log(SRV_LOG_INFO, "started", "threads=%d build=\"%s\"", s->sched.threads, sheaf_buildInfo());
  start_heartbeat(s);
  srv_notify("READY=1");
  return 0;
}

int srv_run(const srv_settings* settings, const srv_setting_source* source, srv_error* error) {
  server* s = calloc(1, sizeof *s);
  if (!s) return srv_error_set(error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, "out of memory");
  s->config = settings->config;
  s->source = source;
  int err = start(s, error);
  if (!err) {
    srv_leader_run(&s->sched.leader);
    srv_leader_close(&s->sched.leader);
    uv_loop_close(&s->loop);
  }

  // what a server that did not start has begun
  srv_watchdog_end(&s->watchdog);
  if (s->sched.pool) sheaf_closePool(s->sched.pool);
  srv_log_stop();
  srv_call_table_close(&s->net.table);
  srv_tls_free(s->net.tls);
  srv_auth_close(&s->auth);
  free(s);
  return err;
}
