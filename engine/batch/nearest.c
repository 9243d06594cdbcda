// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "batch/nearest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// How many letters of a word are compared, how many names are looked at, and how many letters are compared in all: a
// tenth of a millisecond, because a server answers such mistakes in the thread that serves everybody.
enum { LONGEST = 48, MOST = 4096, LETTERS = 60000 };

// How many letters have to be changed, added or left out to turn one word into the other (Levenshtein), times four.
// Letters of the name behind the whole word count one, so that the beginning of a name finds it.
static int distance(const char* word, const char* name) {
  int row[LONGEST + 1], nw = (int)strnlen(word, LONGEST), nn = (int)strnlen(name, LONGEST), best;
  for (int j = 0; j <= nw; j++) row[j] = 4 * j;
  best = row[nw] + nn;
  for (int i = 1; i <= nn; i++) {
    int corner = row[0];
    row[0] = 4 * i;
    for (int j = 1; j <= nw; j++) {
      int change = corner + (word[j - 1] == name[i - 1] ? 0 : 4);
      int add = row[j] + 4, leave = row[j - 1] + 4;
      corner = row[j];
      row[j] = change < add ? change : add;
      if (leave < row[j]) row[j] = leave;
    }
    if (row[nw] + (nn - i) < best) best = row[nw] + (nn - i);
  }
  return best;
}

void mji_nearest(char* out, size_t size, const char* word, mjiNameOf name, const void* user, int n) {
  static const char more[] = ", ...";
  size_t length = 0;
  n = n < MOST ? n : MOST;
  int* far = malloc(sizeof *far * (size_t)(n + 1));
  out[0] = 0;
  size_t letters = 0;
  for (int i = 0; far && i < n; i++) {
    const char* one = name(user, i);
    far[i] = one && one[0] && letters < LETTERS ? distance(word, one) : -1;
    if (far[i] >= 0) letters += (1 + strnlen(word, LONGEST)) * (1 + strnlen(one, LONGEST));
    if (letters >= LETTERS) n = i + 1;
  }
  while (far) {
    int best = -1;
    for (int i = 0; i < n; i++) {
      if (far[i] >= 0 && (best < 0 || far[i] < far[best])) best = i;
    }
    if (best < 0) break;
    const char* one = name(user, best);
    far[best] = -1;
    if (length + strlen(one) + sizeof more + 2 > size) {
      snprintf(out + length, size - length, "%s", length ? more : "");
      break;
    }
    length += (size_t)snprintf(out + length, size - length, "%s%s", length ? ", " : "", one);
  }
  free(far);
}
