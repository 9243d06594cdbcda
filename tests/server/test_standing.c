// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// How many rows a job's next slice has.
#include "jobs/standing.h"

#include "support/test.h"

enum { ROWS = 200 };

static const double row_ns = 1e5;

// a job of 10 ms of two workers, whose results lie in memory that its client shares; nobody else is there
typedef struct {
  srv_ledger ledger;
  srv_sched sched;
  srv_model model;
  srv_region region;
  srv_call call;
  srv_job job;
} Desk;

static void set(Desk* d) {
  *d = (Desk){.ledger = {.limit = 1 << 30}, .sched = {.threads = 2, .njob = 1}};
  d->sched.ledger = &d->ledger;
  d->job.model = &d->model;
  d->job.call = &d->call;
  d->job.region = &d->region;
  d->job.row_bytes = 4;
  d->job.row_units = 10;
  d->job.request.any.nbatch = ROWS;
  d->job.owed = row_ns * ROWS;
  d->model.unit_ns[0] = row_ns / 10;
}

static int rows(const Desk* d) { return srv_standing_rows(&d->sched, &d->job); }

TEST(a_short_job_whose_client_is_told_once_is_one_slice_while_it_is_alone) {
  Desk d;
  set(&d);
  CHECK_EQ(rows(&d), ROWS);
  d.sched.njob = 2;
  CHECK_EQ(rows(&d), 56);
  set(&d);
  d.job.region = NULL;
  CHECK_EQ(rows(&d), 56);
  set(&d);
  d.job.row_bytes = 400;
  CHECK_EQ(rows(&d), 56);
}

TEST(numbers_of_a_whole_job_are_not_checked_at_once) {
  Desk d;
  set(&d);
  d.job.unchecked = true;
  CHECK_EQ(rows(&d), 56);
}

TEST(a_job_is_not_one_slice_while_its_inputs_come) {
  Desk d;
  set(&d);
  d.call.data_len = 1;
  CHECK_EQ(rows(&d), 56);
}

TEST(a_job_is_not_one_slice_if_it_is_long_or_large_or_of_unknown_cost_or_has_begun) {
  Desk d;
  set(&d);
  d.job.owed *= 4;
  CHECK_EQ(rows(&d), 56);
  set(&d);
  d.job.work_bytes = SRV_SLICE_BYTES / ROWS + 1;
  CHECK_EQ(rows(&d), 56);
  set(&d);
  d.model.unit_ns[0] = 0;
  CHECK_EQ(rows(&d), 16);
  set(&d);
  d.job.next_row = 56;
  CHECK_EQ(rows(&d), 56);
}
