// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Attributes of plugin instances: texts, in which these plugins expect numbers.
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/plugins.h"

int mji_config_nums(const mjModel* m, int instance, const char* attribute, mjtNum* out, int n) {
  const char* text = mj_getPluginConfig(m, instance, attribute);
  int count = 0;
  while (text) {
    while (isspace((unsigned char)*text)) text++;
    if (!*text) break;
    char* end;
    mjtNum x = strtod(text, &end);
    if (end == text || !isfinite(x) || (*end && !isspace((unsigned char)*end))) return -1;
    if (count == n) return n + 1;
    out[count++] = x;
    text = end;
  }
  return count;
}

mjtNum mji_config_num(const mjModel* m, int instance, const char* attribute, int* given) {
  mjtNum x = 0;
  int some = mji_config_nums(m, instance, attribute, &x, 1) > 0;
  if (given) *given = some;
  return some ? x : 0;
}

int mji_config_is(const mjModel* m, int instance, const char* attribute, const char* text) {
  const char* value = mj_getPluginConfig(m, instance, attribute);
  return value && !strcmp(value, text);
}
