// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The contact sensor: data of the contacts between two objects, in a fixed number of slots.
//
// Each object may be a geom, a body, a subtree, anything, or (the first one) the volume of a
// site. Contacts that match are taken in their order in mjData, sorted by distance or force, or summed up to
// one. A contact that matches with its geoms exchanged is turned round, so that normals point from the
// first object to the second.

#include "model/contact_side.h"
#include "sense/inside.h"
#include "sense/sense.h"

// one contact that matches
typedef struct {
  int id;
  int turned;  // first object is geom[1]
  mjtNum key;  // the match with the smallest key goes first
} Match;

// values of one slot, in the order of mjtConDataField
typedef struct {
  mjtNum found, force[3], torque[3], dist, pos[3], normal[3], tangent[3];
} Slot;

static int inSubtree(const mjModel* m, int body, int root) {
  while (body > root) body = m->body_parentid[body];
  return body == root;
}

static int sideInSubtree(const mjModel* m, mjiSide side, int root) {
  for (int i = 0; i < side.n; i++) {
    if (inSubtree(m, side.body[i], root)) return 1;
  }
  return 0;
}

// does a side of a contact belong to an object?
static int belongs(const mjModel* m, const mjContact* con, int i, int type, int id) {
  mjiSide side = mji_contactSide(m, con->geom, i);
  switch (type) {
    case mjOBJ_GEOM: return con->geom[i] == id;
    case mjOBJ_BODY: return mji_sideHasBody(side, id);
    case mjOBJ_XBODY: return sideInSubtree(m, side, id);
    default: return 1;  // nothing, or a site: no condition on the side
  }
}

// fill in a match; 0 if the contact does not match
static int matchContact(const mjModel* m, const mjData* d, int i, int id, Match* match) {
  const mjContact* con = d->contact + id;
  int type1 = m->sensor_objtype[i], id1 = m->sensor_objid[i];
  int type2 = m->sensor_reftype[i], id2 = m->sensor_refid[i];
  if (type1 == mjOBJ_SITE && !insideSite(m, d, id1, con->pos)) return 0;

  *match = (Match){.id = id};
  if (belongs(m, con, 0, type1, id1) && belongs(m, con, 1, type2, id2)) return 1;
  match->turned = 1;
  return belongs(m, con, 1, type1, id1) && belongs(m, con, 0, type2, id2);
}

// find all matches, with keys for the order that the sensor asks for; returns how many
static int findMatches(const mjModel* m, const mjData* d, int i, Match* match) {
  int reduce = m->sensor_intprm[mjNSENS * i + 1], n = 0;
  for (int c = 0; c < d->ncon; c++) {
    if (!matchContact(m, d, i, c, match + n)) continue;
    if (reduce == 1) match[n].key = d->contact[c].dist;
    if (reduce == 2) {
      mjtNum force[6];
      mj_contactForce(m, d, c, force);
      match[n].key = -mju_norm3(force);
    }
    n++;
  }
  return n;
}

// move the n matches with the smallest keys to the front, in order
static void sortFirst(Match* match, int nmatch, int n) {
  for (int i = 0; i < n; i++) {
    int best = i;
    for (int k = i + 1; k < nmatch; k++) {
      if (match[k].key < match[best].key) best = k;
    }
    Match smallest = match[best];
    for (int k = best; k > i; k--) match[k] = match[k - 1];
    match[i] = smallest;
  }
}

// values of one contact, force and torque in its frame
static void readContact(const mjModel* m, const mjData* d, const Match* match, Slot* slot) {
  const mjContact* con = d->contact + match->id;
  mjtNum force[6];
  mj_contactForce(m, d, match->id, force);
  mju_copy3(slot->force, force);
  mju_copy3(slot->torque, force + 3);
  slot->dist = con->dist;
  mju_copy3(slot->pos, con->pos);
  mju_copy3(slot->normal, con->frame);
  mju_copy3(slot->tangent, con->frame + 3);
  if (!match->turned) return;

  // turn the frame by half a turn about its third axis, and take the reaction force: only these signs change
  slot->force[2] *= -1;
  slot->torque[2] *= -1;
  mju_scl3(slot->normal, slot->normal, -1);
  mju_scl3(slot->tangent, slot->tangent, -1);
}

// force and torque of a contact on the second object, in the axes of the world
static void worldForce(const mjModel* m, const mjData* d, const Match* match, mjtNum res[6]) {
  mjtNum force[6], sign = match->turned ? -1 : 1;
  const mjtNum* frame = d->contact[match->id].frame;
  mj_contactForce(m, d, match->id, force);
  mju_mulMatTVec3(res, frame, force);
  mju_mulMatTVec3(res + 3, frame, force + 3);
  mju_scl(res, res, sign, 6);
}

// all contacts as one at the center of their forces, in the axes of the world
static void sumContacts(const mjModel* m, const mjData* d, const Match* match, int n, Slot* slot) {
  *slot = (Slot){.normal = {1, 0, 0}, .tangent = {0, 1, 0}};
  mjtNum total = 0;
  for (int k = 0; k < n; k++) {
    mjtNum force[6];
    mj_contactForce(m, d, match[k].id, force);
    mjtNum weight = mju_norm3(force);
    mju_addToScl3(slot->pos, d->contact[match[k].id].pos, weight);
    total += weight;
  }
  mju_scl3(slot->pos, slot->pos, 1 / mju_max(total, mjMINVAL));

  for (int k = 0; k < n; k++) {
    mjtNum force[6], arm[3], torque[3];
    worldForce(m, d, match + k, force);
    mju_sub3(arm, d->contact[match[k].id].pos, slot->pos);
    mju_cross(torque, arm, force);
    mju_addTo3(slot->force, force);
    mju_addTo3(slot->torque, force + 3);
    mju_addTo3(slot->torque, torque);
  }
}

// write the fields that the sensor asks for, returns where the next slot starts
static mjtNum* writeSlot(mjtNum* out, const Slot* slot, int fields) {
  const struct {
    const mjtNum* value;
    int size;
  } field[mjNCONDATA] = {{&slot->found, 1}, {slot->force, 3},  {slot->torque, 3}, {&slot->dist, 1},
                         {slot->pos, 3},    {slot->normal, 3}, {slot->tangent, 3}};
  for (int k = 0; k < mjNCONDATA; k++) {
    if (!(fields & (1 << k))) continue;
    mju_copy(out, field[k].value, field[k].size);
    out += field[k].size;
  }
  return out;
}

void mji_sense_contact(const mjModel* m, mjData* d, int i, mjtNum* out) {
  const int* prm = m->sensor_intprm + mjNSENS * i;
  int fields = prm[0], reduce = prm[1], nslot = prm[2];
  mju_zero(out, m->sensor_dim[i]);

  mj_markStack(d);
  Match* match = mj_stackAllocByte(d, (d->ncon + 1) * sizeof(Match), _Alignof(Match));
  int n = findMatches(m, d, i, match);
  int nfilled = mjMIN(n, reduce == 3 ? 1 : nslot);
  if (reduce == 1 || reduce == 2) sortFirst(match, n, nfilled);
  for (int k = 0; k < nfilled; k++) {
    Slot slot;
    if (reduce == 3) sumContacts(m, d, match, n, &slot);
    else readContact(m, d, match + k, &slot);
    slot.found = n;
    out = writeSlot(out, &slot, fields);
  }
  mj_freeStack(d);
}
