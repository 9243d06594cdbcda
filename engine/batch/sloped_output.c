// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "batch/sloped_output.h"

#include "batch/output.h"

static void addPart(mjiSloped* s, size_t offset, int first, int n) {
  s->part[s->npart++] = (mjiOutputPart){offset, first, n};
  s->nout += n;
}

static void addOutput(mjiSloped* s, const mjiChoice* c, size_t offset) {
  int columns = offset ? c->columns : 1;
  if (!c->nrange) addPart(s, offset, 0, c->size);
  for (int k = 0; k < c->nrange; k++) addPart(s, offset, c->range[k].first * columns, c->range[k].count * columns);
}

int mji_findSloped(const sheafJob* job, mjiSloped* s, sheafStatus* status) {
  mji_findNamed(job, &s->named);
  s->npart = s->nout = 0;
  s->largest = 0;
  for (int k = 0; k < s->named.n; k++) {
    const mjiChoice* c = &s->named.choice[k];
    const mjiOutput* output = mji_outputAt(c->output);
    int energy = output && output->source == MJI_OUTPUT_ENERGY;
    if (!energy && (!output || output->source != MJI_OUTPUT_ARRAY || !mji_outputHasSlope(output->offset))) {
      return mji_status(
          status, SHEAF_INVALID_ARGUMENT, "output",
          "expected an output that has derivatives (positions, orientations, velocities, forces, energies), "
          "got \"%s\"",
          sheaf_outputName(c->output));
    }
    s->first[k] = s->nout;
    addOutput(s, c, energy ? 0 : output->offset);
    if ((size_t)c->size > s->largest) s->largest = (size_t)c->size;
  }
  return 0;
}

void mji_giveSloped(const mjiSloped* s, const mjiStepDerivative* r, const mjiChosen* chosen, int nlane, int lane,
                    int row, int bytes, mjtNum* scratch) {
  int nstate = chosen->begin[3];
  for (int k = 0; k < s->named.n; k++) {
    size_t n = (size_t)s->named.choice[k].size;
    for (int c = 0; c < r->ncol; c++) {
      int place = chosen->place[c] + (c < nstate ? 0 : nstate);
      size_t at = ((size_t)row * (size_t)r->ncol + (size_t)place) * n;
      mjtNum* to = mji_slot(s->named.data[k], at, bytes, scratch);
      const mjtNum* from = r->output + ((size_t)c * (size_t)r->nout + (size_t)s->first[k]) * (size_t)nlane;
      for (size_t i = 0; i < n; i++) to[i] = from[i * (size_t)nlane + (size_t)lane];
      mji_settle(s->named.data[k], at, n, bytes, scratch);
    }
  }
}

void mji_undefineSloped(const mjiSloped* s, int row, int bytes) {
  for (int k = 0; k < s->named.n; k++) {
    mji_undefine(s->named.data[k], (size_t)row * s->named.row[k], s->named.row[k], bytes);
  }
}
