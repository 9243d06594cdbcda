// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Tests of proto/requests.c: the messages of sheaf.proto have what the rows of sheaf/request_table.h say.
#include <string.h>

#include <sheaf/batch.h>

#include "requests.h"
#include "support/test.h"

typedef union {
  ProtobufCMessage base;
#define SHEAF_REQUEST(KIND, Type, call, name, unit, doc) Sheaf__##Type name;
#include <sheaf/request_table.h>
} message;

TEST(every_option_is_a_number_of_its_message) {
  for (int kind = 0; kind < SHEAF_NKIND; kind++) {
    message m;
    protobuf_c_message_init(sheaf_message_of(kind), &m);
    for (const sheafField* f = sheaf_requestInfo(kind)->fields; f->name; f++) {
      double value = -1;
      if (f->role != SHEAF_ROLE_OPTION) continue;
      test_check(sheaf_message_get(&m.base, f->name, &value), __FILE__, __LINE__, f->name);
      CHECK_EQ(value, 0);
      CHECK(sheaf_message_set(&m.base, f->name, 1));
      CHECK(sheaf_message_get(&m.base, f->name, &value));
      CHECK_EQ(value, 1);
    }
  }
}

TEST(requests_with_columns_have_a_list_of_them) {
  for (int kind = 0; kind < SHEAF_NKIND; kind++) {
    const int32_t columns[] = {4, 2};
    message m;
    size_t n = 9;
    const sheafField* f = sheaf_requestInfo(kind)->fields;
    while (f->name && f->role != SHEAF_ROLE_COLUMNS) f++;
    protobuf_c_message_init(sheaf_message_of(kind), &m);
    CHECK_EQ(sheaf_message_set_list(&m.base, "columns", columns, 2), f->name != NULL);
    CHECK_EQ(sheaf_message_list(&m.base, "columns", &n), f->name ? columns : NULL);
    CHECK_EQ(n, f->name ? 2 : 0);
    CHECK(!sheaf_message_list(&m.base, "work", &n));
  }
}

TEST(every_request_has_its_frame_type_and_its_work) {
  for (int kind = 0; kind < SHEAF_NKIND; kind++) {
    message m;
    Sheaf__Work work = SHEAF__WORK__INIT;
    protobuf_c_message_init(sheaf_message_of(kind), &m);
    CHECK_EQ(sheaf_message_kind(sheaf_message_type(kind)), kind);
    CHECK(!sheaf_message_work(&m.base));
    sheaf_message_set_work(&m.base, &work);
    CHECK_EQ(sheaf_message_work(&m.base), &work);
  }
  CHECK_EQ(sheaf_message_kind(SHEAF__FRAME_TYPE__FRAME_PING), -1);
  double value;
  message m;
  protobuf_c_message_init(sheaf_message_of(SHEAF_ROLLOUT), &m);
  CHECK(!sheaf_message_get(&m.base, "work", &value));
  CHECK(!sheaf_message_get(&m.base, "nonsense", &value));
}
