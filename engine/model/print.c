// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Models and data as text, for people. The field tables list the arrays; empty arrays are left out.
#include <stdio.h>
#include <string.h>

#include <mujoco/mujoco.h>
#include <mujoco/mjxmacro.h>

#include "model/head.h"

static const char* const DEFAULT_FORMAT = "% -9.2g";

// where the text goes and how numbers are written
typedef struct {
  FILE* file;
  const char* format;
} Out;

// ---- numbers

// nonzero if format is one conversion of one double
static int formatOk(const char* format) {
  if (*format++ != '%') return 0;
  format += strspn(format, "-+ #0");
  format += strspn(format, "0123456789");
  if (*format == '.') format += 1 + strspn(format + 1, "0123456789");
  return *format && strchr("eEfFgGaA", *format) && !format[1];
}

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wformat-nonliteral"  // checked by formatOk
#endif

static void printNum(Out out, double x) {
  fputc(' ', out.file);
  fprintf(out.file, out.format, x);
}

static void printNums(Out out, const void* array, size_t first, size_t n) {
  const mjtNum* p = array;
  for (size_t i = first; i < first + n; i++) printNum(out, p[i]);
}

static void printFloats(Out out, const void* array, size_t first, size_t n) {
  const float* p = array;
  for (size_t i = first; i < first + n; i++) printNum(out, (double)p[i]);
}

static void printInts(Out out, const void* array, size_t first, size_t n) {
  const int* p = array;
  for (size_t i = first; i < first + n; i++) fprintf(out.file, " %d", p[i]);
}

static void printBytes(Out out, const void* array, size_t first, size_t n) {
  const unsigned char* p = array;
  for (size_t i = first; i < first + n; i++) fprintf(out.file, " %d", p[i]);
}

static void printWords(Out out, const void* array, size_t first, size_t n) {
  const uintptr_t* p = array;
  for (size_t i = first; i < first + n; i++) fprintf(out.file, " %zu", (size_t)p[i]);
}

static void printChars(Out out, const void* array, size_t first, size_t n) {
  const char* p = array;
  fputc(' ', out.file);
  for (size_t i = first; i < first + n; i++) fputc(p[i] ? p[i] : '|', out.file);
}

typedef void (*Printer)(Out out, const void* array, size_t first, size_t n);

#define PRINTER(type) \
  _Generic((type*)0, mjtNum*: printNums, float*: printFloats, int*: printInts, \
           mjtByte*: printBytes, char*: printChars, uintptr_t*: printWords)

// ---- arrays

// Sizes of content (vertices, pixels and the like), which may be millions: their arrays are named, not printed.
static const char* const content[] = {"nmeshvert", "nmeshnormal",   "nmeshtexcoord", "nmeshface",     "nmeshgraph",
                                      "nmeshpoly", "nmeshpolyvert", "nmeshpolymap",  "nskinvert",     "nskintexvert",
                                      "nskinface", "noct",          "nbvh",          "nskinbonevert", "nhfielddata",
                                      "ntexdata",  "nbvhstatic",    "nbvhdynamic",   "nnames_map"};

static int isContent(const char* size) {
  for (size_t i = 0; i < sizeof content / sizeof content[0]; i++) {
    if (!strcmp(size, content[i])) return 1;
  }
  return 0;
}

// One line per row: name, index, numbers; a text, or a list with one number per row, is printed in one line. Not
// inline: four hundred copies of its code take compilers seconds.
static __attribute__((noinline)) void printArray(Out out, const char* name, const char* size, const void* array,
                                                 Printer print, size_t nr, size_t nc) {
  if (!nr || !nc || !array) return;
  if (isContent(size)) {
    fprintf(out.file, "%-24s %zu x %zu numbers\n", name, nr, nc);
    return;
  }
  if (nc == 1) {
    fprintf(out.file, "%-24s", name);
    print(out, array, 0, nr);
    fputc('\n', out.file);
    return;
  }
  fprintf(out.file, "%s\n", name);
  for (size_t r = 0; r < nr; r++) {
    fprintf(out.file, "%6zu:", r);
    print(out, array, r * nc, nc);
    fputc('\n', out.file);
  }
}

static void printScalar(Out out, const char* name, double value) {
  fprintf(out.file, "  %-22s", name);
  printNum(out, value);
  fputc('\n', out.file);
}

static void printVector(Out out, const char* name, const mjtNum* value, size_t n) {
  fprintf(out.file, "  %-22s", name);
  printNums(out, value, 0, n);
  fputc('\n', out.file);
}

static Out openOut(const char* filename, const char* format) {
  Out out = {.format = format};
  if (!formatOk(format)) {
    mju_warning("'%s' is not a format for one number; the default is used", format);
    out.format = DEFAULT_FORMAT;
  }
  out.file = filename ? fopen(filename, "wt") : stdout;
  if (!out.file) mju_warning("could not open '%s' for writing", filename);
  return out;
}

static void closeOut(Out out) {
  if (out.file == stdout) {
    fflush(stdout);
  } else {
    fclose(out.file);
  }
}

// ---- model

static void printOption(Out out, const mjOption* opt) {
  fprintf(out.file, "\nOPTION\n");
#define X(type, name) printScalar(out, #name, (double)opt->name);
  MJOPTION_SCALARS
#undef X
#define X(name, n) printVector(out, #name, opt->name, n);
  MJOPTION_VECTORS
#undef X
}

static void printStatistic(Out out, const mjModel* m) {
  fprintf(out.file, "\nSTATISTIC\n");
  printScalar(out, "totalmass", mj_getTotalmass(m));
  printScalar(out, "meaninertia", m->stat.meaninertia);
  printScalar(out, "meanmass", m->stat.meanmass);
  printScalar(out, "meansize", m->stat.meansize);
  printScalar(out, "extent", m->stat.extent);
  printVector(out, "center", m->stat.center, 3);
}

// the names of all elements of one type
static void printNames(Out out, const mjModel* m, int type) {
  const char* name;
  const char* title = mju_type2Str(type);
  for (int id = 0; title && id < m->nnames; id++) {
    if ((name = mj_id2name(m, type, id))) fprintf(out.file, "  %-10s %6d  %s\n", title, id, name);
  }
}

void mj_printFormattedModel(const mjModel* m, const char* filename, const char* float_format) {
  Out out = openOut(filename, float_format);
  if (!out.file) return;
  fprintf(out.file, "model name     %s\n\nSIZES\n", m->nnames ? m->names : "");
#define X(name) \
  if (m->name) fprintf(out.file, "  %-22s %lld\n", #name, (long long)m->name);
  MJMODEL_INTS
#undef X
  printOption(out, &m->opt);
  printStatistic(out, m);

  fprintf(out.file, "\nNAMES\n");
  for (int type = mjOBJ_BODY; type < mjNOBJECT; type++) {
    if (type != mjOBJ_XBODY) printNames(out, m, type);
  }

  fprintf(out.file, "\nARRAYS\n");
  MJMODEL_POINTERS_PREAMBLE(m)
#define X(type, name, nr, nc) printArray(out, #name, #nr, m->name, PRINTER(type), (size_t)m->nr, (size_t)(nc));
  MJMODEL_POINTERS
#undef X
  closeOut(out);
}

void mj_printModel(const mjModel* m, const char* filename) { mj_printFormattedModel(m, filename, DEFAULT_FORMAT); }

// ---- data

static void printStatus(Out out, const mjData* d) {
  fprintf(out.file, "SIZES\n");
#define X(type, name) printScalar(out, #name, (double)d->name);
  MJDATA_SCALAR
#undef X
  printVector(out, "energy", d->energy, 2);
  printVector(out, "solver_fwdinv", d->solver_fwdinv, 2);

  fprintf(out.file, "\nTIMERS\n");
  for (int i = 0; i < mjNTIMER; i++) {
    if (!d->timer[i].number) continue;
    fprintf(out.file, "  %-22s %d times,", mjTIMERSTRING[i], d->timer[i].number);
    printNum(out, d->timer[i].duration);
    fputc('\n', out.file);
  }
  fprintf(out.file, "\nWARNINGS\n");
  for (int i = 0; i < mjNWARNING; i++) {
    if (!d->warning[i].number) continue;
    fprintf(out.file, "  %d times: %s\n", d->warning[i].number, mju_warningText(i, (size_t)d->warning[i].lastinfo));
  }
}

static void printContacts(Out out, const mjData* d) {
  for (int i = 0; i < d->ncon && d->contact; i++) {
    const mjContact* con = d->contact + i;
    fprintf(out.file, "\nCONTACT %d: geoms %d %d, dim %d, exclude %d, efc_address %d\n", i, con->geom[0], con->geom[1],
            con->dim, con->exclude, con->efc_address);
    printScalar(out, "dist", con->dist);
    printScalar(out, "includemargin", con->includemargin);
    printVector(out, "pos", con->pos, 3);
    printVector(out, "frame", con->frame, 9);
    printVector(out, "friction", con->friction, 5);
    printVector(out, "solref", con->solref, mjNREF);
    printVector(out, "solreffriction", con->solreffriction, mjNREF);
    printVector(out, "solimp", con->solimp, mjNIMP);
    printScalar(out, "mu", con->mu);
  }
}

void mj_printFormattedData(const mjModel* m, const mjData* d, const char* filename, const char* float_format) {
  Out out = openOut(filename, float_format);
  if (!out.file) return;
  printStatus(out, d);

  fprintf(out.file, "\nARRAYS\n");
  MJDATA_POINTERS_PREAMBLE(m)
  (void)nv;
#define X(type, name, nr, nc) printArray(out, #name, #nr, d->name, PRINTER(type), (size_t)m->nr, (size_t)(nc));
  MJDATA_POINTERS
#undef X

  // constraints, with sizes of the data
#undef MJ_M
#undef MJ_D
#define MJ_M(n) m->n
#define MJ_D(n) d->n
  printContacts(out, d);
  fprintf(out.file, "\nCONSTRAINTS\n");
#define X(type, name, nr, nc) printArray(out, #name, #nr, d->name, PRINTER(type), (size_t)(nr), (size_t)(nc));
  MJDATA_ARENA_POINTERS_SOLVER
  MJDATA_ARENA_POINTERS_DUAL
  MJDATA_ARENA_POINTERS_ISLAND
#undef X
  closeOut(out);
}

void mj_printData(const mjModel* m, const mjData* d, const char* filename) {
  mj_printFormattedData(m, d, filename, DEFAULT_FORMAT);
}
