// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "base/settings.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/settings_file.h"
#include "sheaf.pb-c.h"

#define LIVE true
#define START false
const srv_setting srv_setting_table[SRV_NSETTING] = {
#define SETTING(name, letter, TYPE, field, value, least, most, RELOAD, VALUE, help) \
  {name, letter, SRV_##TYPE, offsetof(srv_config, field), least, most, RELOAD, VALUE, help},
#define LIMIT(name, letter, TYPE, field, value, least, most, RELOAD, VALUE, help) \
  {name, letter, SRV_##TYPE, offsetof(srv_config, limits.field), least, most, RELOAD, VALUE, help},
#include "base/setting_table.h"
};

// a row writes as many bytes as its field has
enum { SIZE_TEXT = sizeof(char*), SIZE_FLAG = sizeof(bool), SIZE_COUNT = 4, SIZE_BYTES = 8, SIZE_SECONDS = 4 };
enum { SIZE_CHOICE = sizeof(int) };
#define SETTING(name, letter, TYPE, field, ...) \
  _Static_assert(sizeof(((srv_config*)0)->field) == SIZE_##TYPE, "type of a setting");
#define LIMIT(name, letter, TYPE, field, ...) \
  _Static_assert(sizeof(((srv_limits*)0)->field) == SIZE_##TYPE, "type of a limit");
#include "base/setting_table.h"

static const size_t sizes[] = {SIZE_TEXT, SIZE_FLAG, SIZE_COUNT, SIZE_BYTES, SIZE_SECONDS, SIZE_CHOICE};
static const struct {
  const char* name;
  int shift;
} units[] = {{"", 20}, {"B", 0}, {"KiB", 10}, {"MiB", 20}, {"GiB", 30}};

// ---- text to value

// read digits, with at most three after a point, as a number of thousandths
static bool read_thousandths(const char* text, uint64_t* out) {
  uint64_t value = 0;
  int decimals = -1;
  if (!isdigit((unsigned char)text[0])) return false;
  for (; *text; text++) {
    if (*text == '.' && decimals < 0) {
      decimals = 0;
    } else if (isdigit((unsigned char)*text) && decimals < 3 && value < UINT64_MAX / 100) {
      value = 10 * value + (uint64_t)(*text - '0');
      decimals += decimals >= 0;
    } else {
      return false;
    }
  }
  for (int i = decimals < 0 ? 0 : decimals; i < 3; i++) value *= 10;
  *out = value;
  return true;
}

static bool read_count(const char* text, const char** end, uint64_t* out) {
  if (!isdigit((unsigned char)text[0])) return false;
  errno = 0;
  *out = strtoull(text, (char**)end, 10);
  return !errno;
}

static bool read_bytes(const char* text, uint64_t* out) {
  const char* end;
  if (!read_count(text, &end, out)) return false;
  while (*end == ' ') end++;
  for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
    if (strcmp(end, units[i].name)) continue;
    bool fits = *out <= UINT64_MAX >> units[i].shift;
    *out <<= units[i].shift;
    return fits;
  }
  return false;
}

// index of the text among words between bars, -1 if it is none of them
static int read_choice(const char* words, const char* text) {
  size_t n = strlen(text);
  for (int i = 0;; i++) {
    size_t word = strcspn(words, "|");
    if (word == n && !strncmp(words, text, n)) return i;
    if (!words[word]) return -1;
    words += word + 1;
  }
}

static bool read_flag(const char* text, uint64_t* out) {
  int i = read_choice("false|true|no|yes|off|on|0|1", text);
  *out = (uint64_t)i & 1;
  return i >= 0;
}

static bool read_number(const srv_setting* setting, const char* text, uint64_t* out) {
  const char* end;
  switch (setting->type) {
    case SRV_FLAG: return read_flag(text, out);
    case SRV_COUNT: return read_count(text, &end, out) && !*end;
    case SRV_BYTES: return read_bytes(text, out);
    case SRV_SECONDS: return read_thousandths(text, out);
    default: *out = (uint64_t)read_choice(setting->value, text); return (int)*out >= 0;
  }
}

// ---- value to text

static uint64_t number_at(const srv_config* config, const srv_setting* setting) {
  uint64_t value = 0;  // little-endian: the low bytes come first
  memcpy(&value, (const char*)config + setting->offset, sizes[setting->type]);
  return value;
}

static const char* choice_text(char out[SRV_VALUE_TEXT], const char* words, uint64_t i) {
  while (i-- && strchr(words, '|')) words = strchr(words, '|') + 1;
  snprintf(out, SRV_VALUE_TEXT, "%.*s", (int)strcspn(words, "|"), words);
  return out;
}

static const char* bytes_text(char out[SRV_VALUE_TEXT], uint64_t value) {
  int i = 4;
  while (i > 1 && (value & ((UINT64_C(1) << units[i].shift) - 1))) i--;
  snprintf(out, SRV_VALUE_TEXT, "%" PRIu64 " %s", value >> units[i].shift, units[i].name);
  return out;
}

static const char* number_text(char out[SRV_VALUE_TEXT], const srv_setting* setting, uint64_t value) {
  switch (setting->type) {
    case SRV_FLAG: return value ? "true" : "false";
    case SRV_BYTES: return bytes_text(out, value);
    case SRV_CHOICE: return choice_text(out, setting->value, value);
    case SRV_SECONDS:
      snprintf(out, SRV_VALUE_TEXT, value % 1000 ? "%" PRIu64 ".%03d" : "%" PRIu64, value / 1000, (int)(value % 1000));
      return out;
    default: snprintf(out, SRV_VALUE_TEXT, "%" PRIu64, value); return out;
  }
}

const char* srv_setting_text(char out[SRV_VALUE_TEXT], const srv_config* config, const srv_setting* setting) {
  if (setting->type != SRV_TEXT) return number_text(out, setting, number_at(config, setting));
  const char* text = *(const char* const*)((const char*)config + setting->offset);
  return text ? text : "";
}

// ---- one setting

static const char* type_text(char out[SRV_VALUE_TEXT], const srv_setting* setting) {
  char least[SRV_VALUE_TEXT], most[SRV_VALUE_TEXT];
  const char* kind = setting->type == SRV_COUNT ? "a whole number" : setting->type == SRV_BYTES ? "bytes" : "seconds";
  if (setting->type == SRV_CHOICE) return setting->value;
  if (setting->type == SRV_FLAG) return "true or false";
  snprintf(out, SRV_VALUE_TEXT, "%s from %.60s to %.60s%s", kind, number_text(least, setting, setting->least),
           number_text(most, setting, setting->most), setting->type == SRV_BYTES ? " (a bare number means MiB)" : "");
  return out;
}

int srv_setting_set(void* config, const srv_setting* setting, const char* text, const char* origin, srv_error* error) {
  void* field = (char*)config + setting->offset;
  char expected[SRV_VALUE_TEXT];
  uint64_t value;
  if (setting->type == SRV_TEXT) {
    *(const char**)field = *text ? text : NULL;
    return 0;
  }
  if (!read_number(setting, text, &value) || value < setting->least || value > setting->most) {
    return srv_error_set(error, SHEAF__CODE__CODE_INVALID_ARGUMENT, "%s: %s: expected %s, got \"%.200s\"", origin,
                         setting->name, type_text(expected, setting), text);
  }
  memcpy(field, &value, sizes[setting->type]);
  return 0;
}

const char* srv_setting_variable(char out[SRV_VARIABLE_TEXT], const srv_setting* setting) {
  int n = snprintf(out, SRV_VARIABLE_TEXT, "SHEAF_%s", setting->name);
  for (int i = 0; i < n; i++) out[i] = (char)(out[i] == '-' ? '_' : toupper((unsigned char)out[i]));
  return out;
}

int srv_setting_find(const char* name) {
  for (int i = 0; i < SRV_NSETTING; i++) {
    if (!strcmp(srv_setting_table[i].name, name)) return i;
  }
  return -1;
}

// ---- all settings

// keep a copy of the text, and take the value from it
static int take(srv_settings* s, int i, const char* text, const char* origin, srv_error* error) {
  char* copy = strdup(text);
  if (!copy) return srv_error_set(error, SHEAF__CODE__CODE_RESOURCE_EXHAUSTED, "out of memory");
  int err = srv_setting_set(&s->config, &srv_setting_table[i], copy, origin, error);
  free(s->text[i]);
  s->text[i] = copy;
  snprintf(s->origin[i], sizeof s->origin[i], "%s", origin);
  return err;
}

static int take_line(void* user, const char* section, const char* name, const char* text, const char* origin,
                     srv_error* error) {
  srv_settings* s = user;
  int i = srv_setting_find(name);
  if (section[0]) {
    return srv_error_set(error, SHEAF__CODE__CODE_INVALID_ARGUMENT, "%s: expected no sections, got [%s]", origin,
                         section);
  }
  if (i < 0) {
    return srv_error_set(error, SHEAF__CODE__CODE_INVALID_ARGUMENT, "%s: \"%s\" is not a setting", origin, name);
  }
  if (s->text[i]) {
    return srv_error_set(error, SHEAF__CODE__CODE_INVALID_ARGUMENT, "%s: %s stands at %s already", origin, name,
                         s->origin[i]);
  }
  return take(s, i, text, origin, error);
}

static int read_variables(srv_settings* s, srv_error* error) {
  char name[SRV_VARIABLE_TEXT];
  for (int i = 0; i < SRV_NSETTING; i++) {
    const char* text = getenv(srv_setting_variable(name, &srv_setting_table[i]));
    int err = text ? take(s, i, text, name, error) : 0;
    if (err) return err;
  }
  return 0;
}

static int read_options(srv_settings* s, const srv_setting_source* from, srv_error* error) {
  char name[SRV_ORIGIN_TEXT];
  for (int i = 0; i < SRV_NSETTING; i++) {
    snprintf(name, sizeof name, "--%s", srv_setting_table[i].name);
    int err = from->options[i] ? take(s, i, from->options[i], name, error) : 0;
    if (err) return err;
  }
  return 0;
}

// do settings fit each other?
static int check(const srv_config* c, srv_error* error) {
  if (!c->tls_certificate != !c->tls_key) {
    return srv_error_set(error, SHEAF__CODE__CODE_INVALID_ARGUMENT, "tls-certificate and tls-key belong together");
  }
  if ((c->tls_client_ca && !c->tls_certificate) ||
      ((c->tls_client_crl || c->tls_require_certificate) && !c->tls_client_ca)) {
    return srv_error_set(error, SHEAF__CODE__CODE_INVALID_ARGUMENT,
                         "tls-client-ca needs tls-certificate, tls-client-crl and tls-require-certificate need it");
  }
  if (c->unix_path || (c->listen && !c->no_tcp)) return 0;
  return srv_error_set(error, SHEAF__CODE__CODE_INVALID_ARGUMENT, "nothing to listen on: give --unix PATH");
}

int srv_settings_read(srv_settings* s, const srv_setting_source* from, srv_error* error) {
  *s = (srv_settings){.config = srv_config_default()};
  for (int i = 0; i < SRV_NSETTING; i++) strcpy(s->origin[i], "default");
  int err = from->file ? srv_settings_file_read(from->file, take_line, s, error) : 0;
  if (!err) err = read_variables(s, error);
  if (!err) err = read_options(s, from, error);
  srv_limits_derive(&s->config.limits);
  return err ? err : check(&s->config, error);
}

void srv_settings_close(srv_settings* s) {
  for (int i = 0; i < SRV_NSETTING; i++) free(s->text[i]);
  *s = (srv_settings){0};
}

static bool same(const srv_config* a, const srv_config* b, const srv_setting* setting) {
  char x[SRV_VALUE_TEXT], y[SRV_VALUE_TEXT];
  return !strcmp(srv_setting_text(x, a, setting), srv_setting_text(y, b, setting));
}

void srv_settings_take_live(srv_config* to, const srv_config* from, void (*on_kept)(const srv_setting* setting)) {
  for (int i = 0; i < SRV_NSETTING; i++) {
    const srv_setting* setting = &srv_setting_table[i];
    if (same(to, from, setting)) continue;
    if (setting->live && setting->type != SRV_TEXT) {
      memcpy((char*)to + setting->offset, (const char*)from + setting->offset, sizes[setting->type]);
    } else {
      on_kept(setting);
    }
  }
  srv_limits_derive(&to->limits);
}

// A line of a file is short, so an origin behind a long value goes to the next line.
void srv_settings_print(const srv_settings* s, FILE* out) {
  char text[SRV_VALUE_TEXT];
  for (int i = 0; i < SRV_NSETTING; i++) {
    const srv_setting* setting = &srv_setting_table[i];
    int n = fprintf(out, "%s = %s", setting->name, srv_setting_text(text, &s->config, setting));
    bool fits = n + 3 + (int)strlen(s->origin[i]) <= SRV_SETTINGS_LINE;
    fprintf(out, "%s%.*s\n", fits ? " ; " : "\n; ", SRV_SETTINGS_LINE - 2, s->origin[i]);
  }
}
