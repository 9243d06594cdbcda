// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Reading the settings of base/setting_table.h: an option wins over the environment, the environment over the
// configuration file, the file over the default. Each value remembers where it came from.
#ifndef SHEAF_SERVER_BASE_SETTINGS_H_
#define SHEAF_SERVER_BASE_SETTINGS_H_

#include <stddef.h>
#include <stdio.h>

#include "base/config.h"
#include "base/failure.h"

enum {
  SRV_NSETTING = 0
#define SETTING(...) +1
#define LIMIT(...) +1
#include "base/setting_table.h"
};

typedef enum { SRV_TEXT, SRV_FLAG, SRV_COUNT, SRV_BYTES, SRV_SECONDS, SRV_CHOICE } srv_setting_type;

typedef struct {
  const char* name;
  char letter;  // short option, or 0
  srv_setting_type type;
  size_t offset;  // of the field in srv_config
  uint64_t least, most;
  bool live;          // SIGHUP changes it
  const char* value;  // what the value is called in help; the words of a choice; NULL for a flag
  const char* help;
} srv_setting;

extern const srv_setting srv_setting_table[SRV_NSETTING];

// Where settings are read from. The caller keeps it, so that settings can be read again.
typedef struct {
  const char* file;                   // configuration file, or NULL
  const char* options[SRV_NSETTING];  // as given on the command line, NULL where not
} srv_setting_source;

enum { SRV_ORIGIN_TEXT = 320, SRV_VALUE_TEXT = 320, SRV_VARIABLE_TEXT = 64 };

typedef struct {
  srv_config config;
  char* text[SRV_NSETTING];                    // storage of TEXT values
  char origin[SRV_NSETTING][SRV_ORIGIN_TEXT];  // "default", "FILE:LINE", "SHEAF_..." or "--..."
} srv_settings;

// Read all settings. On failure the error says where (an option, a variable, FILE:LINE), what was expected and what
// came.
int srv_settings_read(srv_settings* s, const srv_setting_source* from, srv_error* error);

// Free the texts, to which the config points.
void srv_settings_close(srv_settings* s);

// Set one value of a struct, in which the offset of the row is meant, from text. A TEXT must live as long as the
// struct. The error names the origin.
int srv_setting_set(void* config, const srv_setting* setting, const char* text, const char* origin, srv_error* error);

// The value as text that srv_setting_set reads back; returns out.
const char* srv_setting_text(char out[SRV_VALUE_TEXT], const srv_config* config, const srv_setting* setting);

// The name of the environment variable; returns out.
const char* srv_setting_variable(char out[SRV_VARIABLE_TEXT], const srv_setting* setting);

// The row with a name, or -1.
int srv_setting_find(const char* name);

// Take over the settings that may change while the server runs. Call `on_kept` for every other setting that differs.
void srv_settings_take_live(srv_config* to, const srv_config* from, void (*on_kept)(const srv_setting* setting));

// All settings as a configuration file, each with its origin in a comment.
void srv_settings_print(const srv_settings* s, FILE* out);

#endif  // SHEAF_SERVER_BASE_SETTINGS_H_
