// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The fields of requests as rows, for code that works on any request. sheaf_requestInfo (sheaf/batch.h) returns the
// rows of the engine's structs. Code that has other structs with the same fields, such as the C client, makes its own
// rows:
//
//   #define SHEAF_ARGS(Type, name) my_##name##_args          // the struct of a request, called Args below
//   #define SHEAF_CONTROL_FIELD how                          // its field of SHEAF_CONTROL, and where that ends
//   #define SHEAF_CONTROL_END (offsetof(Args, how) + sizeof(my_how))
//   #include <sheaf/request_rows.h>                          // defines sheaf_rowOf(kind)
#ifndef SHEAF_REQUEST_ROWS_H_
#define SHEAF_REQUEST_ROWS_H_

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// What stands before the name of an output in requests for derivatives: "nominal.xpos[head]" is the output itself, at
// the state of the row, with the shape "B" and that of one state.
#define SHEAF_NOMINAL "nominal."

typedef enum sheafKind_ {
#define SHEAF_REQUEST(KIND, Type, call, name, unit, doc) SHEAF_##KIND,
#include <sheaf/request_table.h>
  SHEAF_NKIND
} sheafKind;

typedef enum sheafRole_ {
  SHEAF_ROLE_OPTION = 0,
  SHEAF_ROLE_INPUT,
  SHEAF_ROLE_SIZE,
  SHEAF_ROLE_OUTPUT,
  SHEAF_ROLE_NAMED,
  SHEAF_ROLE_CONTROL,
  SHEAF_ROLE_PARAMS,
  SHEAF_ROLE_COLUMNS,
  SHEAF_ROLE_WORD,  // name: the option's; text: the word; initial: its number
} sheafRole;

// int (int), bits (unsigned int), flag (int) and real (double) are options; f64, i32 and num (f64 or
// f32, see the option dtype) the elements of arrays.
typedef enum sheafType_ {
  SHEAF_TYPE_int = 0,
  SHEAF_TYPE_bits,
  SHEAF_TYPE_flag,
  SHEAF_TYPE_real,
  SHEAF_TYPE_f64,
  SHEAF_TYPE_i32,
  SHEAF_TYPE_num,
  SHEAF_TYPE_times,
} sheafType;

typedef enum sheafWhen_ {
  SHEAF_WHEN_OPTIONAL = 0,  // inputs
  SHEAF_WHEN_REQUIRED,
  SHEAF_WHEN_ASKED,  // outputs
  SHEAF_WHEN_DEFAULT,
  SHEAF_WHEN_ALWAYS,
} sheafWhen;

typedef struct sheafField_ {
  const char* name;  // NULL ends the list
  sheafRole role;
  sheafType type;
  size_t offset;      // of the field in the struct
  size_t count;       // INPUT: of its number of rows; NAMED, PARAMS, COLUMNS: of noutput, nparam, ncolumn; 0: none
  const char* shape;  // INPUT, OUTPUT, NAMED: "B nstep nstate"
  const char* text;   // EACH: the option that limits its numbers; NAMED: the name that comes unasked; COLUMNS: arrays
  double least, most, initial;  // OPTION
  sheafWhen when;
  const char* doc;
} sheafField;

typedef struct sheafRequest_ {
  const char* name;  // "transition_fd"
  const char* unit;  // of its progress
  const char* doc;
  size_t size;   // of the struct
  size_t first;  // of the first version of the struct
  const sheafField* fields;
} sheafRequest;

// How many columns a word of a shape counts, such as nxcol, in a request that chooses n of them (0: all); -1 for other
// words.
static inline int64_t sheaf_columnSize(const char* word, int nv, int na, int nu, const int32_t* column, int n) {
  int64_t ndx = 2 * (int64_t)nv + na, size = 0;
  const struct {
    const char* word;
    int64_t first, end;
  } words[] = {{"nxcol", 0, ndx}, {"nucol", ndx, ndx + nu},       {"nxucol", 0, ndx + nu},
               {"nqcol", 0, nv},  {"nvcol", nv, 2 * (int64_t)nv}, {"nacol", 2 * (int64_t)nv, 3 * (int64_t)nv}};
  size_t w = 0;
  while (w < sizeof words / sizeof words[0] && strcmp(word, words[w].word) != 0) w++;
  if (w == sizeof words / sizeof words[0]) return -1;
  for (int i = 0; i < n; i++) size += column[i] >= words[w].first && column[i] < words[w].end;
  return n ? size : words[w].end - words[w].first;
}

#endif  // SHEAF_REQUEST_ROWS_H_

#ifdef SHEAF_ARGS
// the row of a kind, NULL if there is no such kind
static const sheafRequest* sheaf_rowOf(int kind) {
  switch (kind) {
#define SHEAF_REQUEST(KIND, Type, call, name, unit, doc) \
  case SHEAF_##KIND: {                                   \
    typedef SHEAF_ARGS(Type, name) Args;                 \
    static const char unit_[] = unit, doc_[] = doc;      \
    static const sheafField fields[] = {
#define SHEAF_OPTION(field, type, least, most, initial, doc) \
  {#field, SHEAF_ROLE_OPTION, SHEAF_TYPE_##type, offsetof(Args, field), 0, "", "", least, most, initial, 0, doc},
// clang-format off
#define SHEAF_INPUT(field, type, need, shape, doc)                                                                  \
  {#field, SHEAF_ROLE_INPUT, SHEAF_TYPE_##type, offsetof(Args, field), offsetof(Args, n##field), shape, "", 0, 0, 0, \
   SHEAF_WHEN_##need, doc},
// clang-format on
#define SHEAF_EACH(field, type, need, most, shape, doc)                                                             \
  {#field, SHEAF_ROLE_INPUT, SHEAF_TYPE_##type, offsetof(Args, field), 0, shape, #most, 0, 0, 0, SHEAF_WHEN_##need, \
   doc},
#define SHEAF_SIZE(field, doc) \
  {#field, SHEAF_ROLE_SIZE, SHEAF_TYPE_int, offsetof(Args, field), 0, "", "", 0, 0, 0, 0, doc},
#define SHEAF_OUTPUT(field, type, when, shape, doc) \
  {#field, SHEAF_ROLE_OUTPUT, SHEAF_TYPE_##type, offsetof(Args, field), 0, shape, "", 0, 0, 0, SHEAF_WHEN_##when, doc},
// clang-format off
#define SHEAF_NAMED(shape, initial, doc)                                                                             \
  {"output", SHEAF_ROLE_NAMED, SHEAF_TYPE_num, offsetof(Args, output), offsetof(Args, noutput), shape, initial, 0, 0, \
   0, 0, doc},
// clang-format on
#define SHEAF_CONTROL() {"", SHEAF_ROLE_CONTROL, 0, offsetof(Args, SHEAF_CONTROL_FIELD), 0, "", "", 0, 0, 0, 0, ""},
// clang-format off
#define SHEAF_PARAMS(shape, doc) \
  {"param", SHEAF_ROLE_PARAMS, SHEAF_TYPE_f64, offsetof(Args, param), offsetof(Args, nparam), shape, "", 0, 0, 0, 0, doc},
// clang-format on
// clang-format off
#define SHEAF_COLUMNS(arrays, doc) \
  {"column", SHEAF_ROLE_COLUMNS, SHEAF_TYPE_i32, offsetof(Args, column), offsetof(Args, ncolumn), "", arrays, 0, 0, 0, 0, doc},
// clang-format on
#define SHEAF_WORD(option, word, value) {#option, SHEAF_ROLE_WORD, SHEAF_TYPE_int, 0, 0, "", #word, 0, 0, value, 0, ""},
#define SHEAF_END(KIND, Type, call, name)                                                            \
  { NULL, 0, 0, 0, 0, NULL, NULL, 0, 0, 0, 0, NULL }                                                 \
  }                                                                                                  \
  ;                                                                                                  \
  static const sheafRequest request = {#name, unit_, doc_, sizeof(Args), SHEAF_CONTROL_END, fields}; \
  return &request;                                                                                   \
  }
#include <sheaf/request_table.h>
  }
  return NULL;
}
#endif  // SHEAF_ARGS
