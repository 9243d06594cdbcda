// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "base/config.h"

#include <stddef.h>

#include "base/log.h"

srv_config srv_config_default(void) {
  return (srv_config){
      .helper = "/proc/self/exe",
      .limits = srv_limits_default(),
#define SETTING(name, letter, TYPE, field, value, ...) .field = value,
#include "base/setting_table.h"
  };
}
