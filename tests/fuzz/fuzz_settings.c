// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Fuzz target: a configuration file. What is accepted must come back from what `--check-config` prints; what is
// refused has a reason.
#include <string.h>

#include "base/settings.h"
#include "fuzz_file.h"

static int read_file(srv_settings* s, const char* path) {
  srv_setting_source source = {.file = path};
  srv_error error = {0};
  if (!srv_settings_read(s, &source, &error)) return 0;
  if (!error.code || !error.message[0]) abort();
  srv_settings_close(s);
  return -1;
}

// the settings as a file
static char* print(const srv_settings* s, size_t* n) {
  char* text = NULL;
  FILE* out = open_memstream(&text, n);
  if (!out) abort();
  srv_settings_print(s, out);
  fclose(out);
  return text;
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t n) {
  static fuzz_file file, printed;
  static srv_settings first, second;
  if (read_file(&first, fuzz_file_write(&file, bytes, n))) return 0;
  size_t length;
  char* text = print(&first, &length);
  if (read_file(&second, fuzz_file_write(&printed, text, length))) abort();
  for (int i = 0; i < SRV_NSETTING; i++) {
    char a[SRV_VALUE_TEXT], b[SRV_VALUE_TEXT];
    const srv_setting* row = &srv_setting_table[i];
    if (strcmp(srv_setting_text(a, &first.config, row), srv_setting_text(b, &second.config, row))) abort();
  }
  free(text);
  srv_settings_close(&first);
  srv_settings_close(&second);
  return 0;
}
