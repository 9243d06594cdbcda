// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

#include "solve/bracket.h"

#include <math.h>

// what the evaluation that was asked for is
enum { ONE_SIDED, NEXT_NEAR, MIDDLE, NEW_NEAR, NEW_FAR };

static int end(mjiLineSearch* s, const mjiLinePoint* at) {
  s->found = *at;
  return 0;
}

static int askFor(mjiLineSearch* s, int stage, mjtNum step) {
  s->stage = stage;
  s->ask = step;
  return 1;
}

// out of evaluations: the better end, if it is better than none
static int endAtBest(mjiLineSearch* s) {
  const mjiLinePoint *a = &s->near, *b = &s->far;
  if (a->cost <= b->cost && a->cost < s->start.cost) return end(s, a);
  if (b->cost <= a->cost && b->cost < s->start.cost) return end(s, b);
  return end(s, &s->start);
}

// in one direction as long as the cost falls that way
static int goOn(mjiLineSearch* s) {
  int left = s->neval < s->maxeval;
  if (s->near.slope * s->direction <= -s->gtol && left) {
    mjtNum next = mji_bracket_newton(&s->near);
    if (next == s->near.step) {
      // more evaluations of the same point would not move it
      s->neval = s->maxeval;
      return end(s, &s->near);
    }
    s->far = s->near;
    s->passed = 1;
    return askFor(s, ONE_SIDED, next);
  }
  if (!left || !s->passed) return end(s, &s->near);
  s->nextfar = s->near;
  return askFor(s, NEXT_NEAR, mji_bracket_newton(&s->near));
}

static int halve(mjiLineSearch* s) {
  if (s->neval >= s->maxeval) return endAtBest(s);
  s->narrowed = 0;
  return askFor(s, MIDDLE, 0.5 * (s->near.step + s->far.step));
}

// the best candidate whose slope is small enough
static const mjiLinePoint* converged(const mjiLineSearch* s) {
  const mjiLinePoint* best = NULL;
  for (int i = 0; i < 3; i++) {
    const mjiLinePoint* c = s->candidate + i;
    if (fabs(c->slope) < s->gtol && (!best || c->cost < best->cost)) best = c;
  }
  return best;
}

// A Newton point that has converged is the answer: what the reference evaluates before it looks, as
// many points as given, would have to be as flat and lower. They count where they are allowed.
static int settled(mjiLineSearch* s, const mjiLinePoint* at, int other) {
  if (fabs(at->slope) >= s->gtol || s->neval + other > s->maxeval) return 0;
  s->neval += other;
  s->found = *at;
  return 1;
}

// an end moves to candidates on its side with smaller slopes
static int narrow(mjiLinePoint* p, const mjiLinePoint* candidate) {
  int moved = 0;
  for (int i = 0; i < 3; i++) {
    mjtNum slope = candidate[i].slope;
    if ((p->slope < 0 && slope < 0 && p->slope < slope) ||
        (p->slope > 0 && slope > 0 && p->slope > slope)) {
      *p = candidate[i];
      moved = 1;
    }
  }
  return moved;
}

static int narrowFar(mjiLineSearch* s) {
  int moved = narrow(&s->far, s->candidate);

  // neither end moves: this is as exact as numbers allow
  if (!moved && !s->narrowed) return end(s, &s->candidate[2]);
  if (s->narrowed && settled(s, &s->nextnear, moved + 1)) return 0;
  return moved ? askFor(s, NEW_FAR, mji_bracket_newton(&s->far)) : halve(s);
}

static int chooseEnds(mjiLineSearch* s, const mjiLinePoint* middle) {
  s->candidate[0] = s->nextnear;
  s->candidate[1] = s->nextfar;
  s->candidate[2] = *middle;
  const mjiLinePoint* best = converged(s);
  if (best) return end(s, best);
  if (!narrow(&s->near, s->candidate)) return narrowFar(s);
  s->narrowed = 1;
  return askFor(s, NEW_NEAR, mji_bracket_newton(&s->near));
}

// Does the first step raise the cost? A convex function does not rise more than its last slope
// tells: if it seems to, that is rounding.
static int rises(const mjiLinePoint* start, const mjiLinePoint* first) {
  mjtNum rise = first->cost - start->cost;
  return rise > 0 && rise <= first->slope * first->step;
}

int mji_bracket_begin(mjiLineSearch* s, const mjiLinePoint* start, const mjiLinePoint* first,
                      mjtNum gtol, int neval, int maxeval) {
  s->start = *start;
  s->near = rises(start, first) ? *start : *first;
  s->gtol = gtol;
  s->neval = neval;
  s->maxeval = maxeval;
  s->passed = 0;
  if (fabs(s->near.slope) < gtol) return end(s, &s->near);
  s->direction = s->near.slope < 0 ? 1 : -1;
  return goOn(s);
}

int mji_bracket_next(mjiLineSearch* s, const mjiLinePoint* at) {
  s->neval++;
  switch (s->stage) {
    case ONE_SIDED:
      s->near = *at;
      return fabs(at->slope) < s->gtol ? end(s, at) : goOn(s);
    case NEXT_NEAR:
      s->nextnear = *at;
      return settled(s, at, 1) ? 0 : halve(s);
    case MIDDLE:
      return chooseEnds(s, at);
    case NEW_NEAR:
      s->nextnear = *at;
      return narrowFar(s);
    default:
      s->nextfar = *at;
      return settled(s, at, 1) ? 0 : halve(s);
  }
}
