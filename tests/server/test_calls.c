// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Requests by their ids, and memory of results, without a server around them.
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "jobs/job.h"
#include "net/call_table.h"

enum { N = 60000, NCONN = 3 };

// ids of the k-th request: one after the other, in steps of a page, and scattered
static uint64_t id_of(int k) {
  if (k % 3 == 0) return (uint64_t)k + 1;
  if (k % 3 == 1) return ((uint64_t)k + 1) << 12;
  return ((uint64_t)k + 1) << 44;
}

TEST(a_request_is_found_at_once_among_many) {
  static srv_call_table t;
  srv_call_node* call = calloc(N, sizeof *call);
  srv_call_table_init(&t);
  for (int k = 0; k < N; k++) {
    call[k].conn = (uint64_t)(k % NCONN) + 1;
    call[k].id = id_of(k / NCONN);
    srv_call_table_put(&t, &call[k]);
  }
  int nwrong = 0;
  for (int k = 0; k < N; k++) nwrong += srv_call_table_find(&t, call[k].conn, call[k].id) != &call[k];
  CHECK_EQ(nwrong, 0);

  // between one and two for each search, whatever their number; a list would look at 30,000
  CHECK(t.looked < 2 * N);
  t.looked = 0;
  for (int k = 0; k < N; k++) nwrong += srv_call_table_find(&t, NCONN + 1, call[k].id) != NULL;
  CHECK_EQ(nwrong, 0);
  CHECK(t.looked < 2 * N);

  // every second one goes, then the others; the places go with them
  for (int k = 0; k < N; k += 2) srv_call_table_remove(&t, &call[k]);
  for (int k = 0; k < N; k++) {
    bool here = srv_call_table_find(&t, call[k].conn, call[k].id) == &call[k];
    nwrong += here != (k % 2 == 1);
  }
  CHECK_EQ(nwrong, 0);
  for (int k = 1; k < N; k += 2) srv_call_table_remove(&t, &call[k]);
  CHECK_EQ(t.n, 0);
  CHECK_EQ(t.nplace, SRV_CALL_PLACES);
  srv_call_table_close(&t);
  free(call);
}

// a slice of one row of so many bytes that is made and freed
static void make_and_free(uint64_t bytes, srv_ledger* ledger) {
  srv_job job = {.noutput = 1, .row_units = 1};
  srv_job_output out = {.name = "state", .row_bytes = bytes};
  job.output = &out;
  job.request.any.nbatch = 1;
  srv_slice* slice = srv_slice_make(&job, 0, 1, ledger);
  CHECK(slice && (uintptr_t)slice->array[0] % 64 == 0);
  memset(slice->array[0], 1, bytes);
  CHECK_EQ(ledger->result, bytes);
  srv_slice_unref(slice);
  CHECK_EQ(ledger->result, 0);
}

TEST(large_results_are_given_back_in_portions) {
  srv_ledger ledger = {.limit = UINT64_MAX};
  make_and_free(1 << 20, &ledger);
  CHECK(!ledger.spent);

  // freeing this at once would hold up the loop for as long as its pages take
  make_and_free(48 << 20, &ledger);
  CHECK(ledger.spent);
  int n = 0;
  while (srv_section_reap(&ledger, 4 << 20)) n++;
  CHECK_EQ(n, 11);
  CHECK(!ledger.spent);
}
