// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "cost_option.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const norms[SHEAF_NNORM] = {
    [SHEAF_NORM_QUADRATIC] = "quadratic",     [SHEAF_NORM_L2] = "l2",     [SHEAF_NORM_SMOOTH_ABS] = "smooth_abs",
    [SHEAF_NORM_SMOOTH_ABS2] = "smooth_abs2", [SHEAF_NORM_COSH] = "cosh", [SHEAF_NORM_POWER] = "power",
    [SHEAF_NORM_RECTIFY] = "rectify",         [SHEAF_NORM_SUM] = "sum",
};

static bool fail(const char* text, const char* expected, const char* got) {
  fprintf(stderr, "sheaf: --cost \"%s\": expected %s, got \"%s\"\n", text, expected, got);
  return false;
}

static bool read_norm(const char* text, const char* word, sheafCostTerm* term) {
  for (int i = 0; i < SHEAF_NNORM; i++) {
    if (strcmp(norms[i], word)) continue;
    term->norm = i;
    return true;
  }
  return fail(text, "quadratic, l2, smooth_abs, smooth_abs2, cosh, power, rectify or sum", word);
}

static bool read_number(const char* text, const char* word, double* value) {
  char* end;
  *value = strtod(word, &end);
  return (end != word && !*end) || fail(text, "a number", word);
}

// numbers between commas: one for all elements, or one for each
static bool read_target(const char* text, char* word, sheafCostTerm* term, cli_costs* costs) {
  int first = costs->ntarget, n = 0, count = (int)term->count;
  char* rest = NULL;
  if (count > CLI_TARGETS - first) return fail(text, "fewer targets", word);
  for (char* one = strtok_r(word, ",", &rest); one; one = strtok_r(NULL, ",", &rest), n++) {
    if (n == count) return fail(text, "as many targets as elements", one);
    if (!read_number(text, one, &costs->target[first + n])) return false;
  }
  if (n != 1 && n != count) return fail(text, "one target, or as many as elements", n ? "fewer" : "none");
  for (; n < count; n++) costs->target[first + n] = costs->target[first];
  term->target = first;
  costs->ntarget += count;
  return true;
}

static bool read_setting(const char* text, char* word, sheafCostTerm* term, cli_costs* costs) {
  const struct {
    const char* name;
    double* value;
  } numbers[] = {{"weight", &term->weight}, {"terminal", &term->terminal}, {"p", &term->p}, {"q", &term->q}};
  char* equals = strchr(word, '=');
  if (!equals) return fail(text, "NAME=VALUE", word);
  *equals = 0;
  if (!strcmp(word, "target")) return read_target(text, equals + 1, term, costs);
  for (int i = 0; i < 4; i++) {
    if (!strcmp(word, numbers[i].name)) return read_number(text, equals + 1, numbers[i].value);
  }
  return fail(text, "weight, target, terminal, p or q", word);
}

// the brackets of an element may have spaces in them
static char* next_word(char** rest) {
  char* word = *rest + strspn(*rest, " ");
  if (!*word) return NULL;
  char *end = word + strcspn(word, " ["), *bracket = *end == '[' ? strchr(end, ']') : NULL;
  if (bracket) end = bracket + 1;
  *rest = *end ? end + 1 : end;
  *end = 0;
  return word;
}

static bool read_cost(const char* text, char* rest, const sheafc_model* m, cli_costs* costs) {
  sheafCostTerm* term = &costs->term[costs->nterm++];
  sheafc_status st = {0};
  *term = (sheafCostTerm){.weight = 1, .p = 0.1, .q = 2, .target = -1};
  char *norm = next_word(&rest), *of = norm ? next_word(&rest) : NULL;
  if (!of) return fail(text, "NORM OF, as in \"quadratic sensordata[height] target=1.3\"", text);
  if (!read_norm(text, norm, term)) return false;
  if (sheafc_cost_elements(m, of, term, &st)) {
    fprintf(stderr, "sheaf: --cost \"%s\": %s\n", text, st.message);
    return false;
  }
  if (term->norm == SHEAF_NORM_QUADRATIC || term->norm == SHEAF_NORM_SUM) term->p = 0;
  for (char* word; (word = next_word(&rest));) {
    if (!read_setting(text, word, term, costs)) return false;
  }
  return true;
}

bool cli_read_costs(const cli_options* o, const sheafc_model* m, cli_costs* costs) {
  bool ok = true;
  for (int i = 0; i < o->ncost && ok; i++) {
    char* copy = strdup(o->cost[i]);
    ok = copy && read_cost(o->cost[i], copy, m, costs);
    free(copy);
  }
  return ok;
}
