// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Names, containers and user values of elements.

#include <stdlib.h>
#include <string.h>

#include "spec/element.h"

// ---- names

// As in the reference, this fails as long as any two elements of the type have one name: what
// was attached may have brought one along. The compiler rejects it, too.
int mjs_setName(mjsElement* element, const char* name) {
  mjiElem* e = mji_elem(element);
  mjtObj type = e->head.elemtype;
  int renamed = *mji_elem_name(e) != 0;
  mji_vec_setText(&e->name, name);
  if (renamed) mji_index_drop(e->spec, type);
  else mji_index_add(e);
  const mjiElem* again = *name ? mji_index_repeated(e->spec, type) : NULL;
  if (!again) return 0;
  return mji_spec_error(e->spec, e, "the name '%.200s' is used by another %s", mji_elem_name(again),
                        mji_elem_typeName(type));
}

// elements of a path have the name of what they lead over
mjString* mjs_getName(mjsElement* element) {
  mjiElem* e = mji_elem(element);
  return e->wrap ? &e->wrap->target : &e->name;
}

// ---- containers

void mjs_setBuffer(mjByteVec* dest, const void* array, int size) { mji_vec_set(dest, array, size); }

void mjs_setString(mjString* dest, const char* text) { mji_vec_setText(dest, text); }

// words separated by white space
void mjs_setStringVec(mjStringVec* dest, const char* text) {
  static const char space[] = " \t\r\n";
  mji_vec_resize(dest, 0);
  for (text += strspn(text, space); *text; text += strspn(text, space)) {
    size_t n = strcspn(text, space);
    char* word = mji_vec_alloc(n + 1);
    memcpy(word, text, n);
    mjs_appendString(dest, word);
    free(word);
    text += n;
  }
}

mjtByte mjs_setInStringVec(mjStringVec* dest, int i, const char* text) {
  mjiVec* v = dest;
  if (i < 0 || i >= v->num) mju_error("mjs_setInStringVec: there is no text %d in a list of %d", i, v->num);
  mji_vec_setText(mji_vec_at(v, i), text);
  return 1;
}

void mjs_appendString(mjStringVec* dest, const char* text) {
  mjiVec* v = dest;
  mji_vec_resize(v, v->num + 1);
  mji_vec_setText(mji_vec_at(v, v->num - 1), text);
}

void mjs_setInt(mjIntVec* dest, const int* array, int size) { mji_vec_set(dest, array, size); }

void mjs_appendIntVec(mjIntVecVec* dest, const int* array, int size) {
  mjiVec* v = dest;
  mji_vec_resize(v, v->num + 1);
  mji_vec_set(mji_vec_at(v, v->num - 1), array, size);
}

void mjs_setFloat(mjFloatVec* dest, const float* array, int size) { mji_vec_set(dest, array, size); }

void mjs_appendFloatVec(mjFloatVecVec* dest, const float* array, int size) {
  mjiVec* v = dest;
  mji_vec_resize(v, v->num + 1);
  mji_vec_set(mji_vec_at(v, v->num - 1), array, size);
}

void mjs_setDouble(mjDoubleVec* dest, const double* array, int size) { mji_vec_set(dest, array, size); }

const char* mjs_getString(const mjString* source) { return mji_vec_text(source); }

const double* mjs_getDouble(const mjDoubleVec* source, int* size) {
  const mjiVec* v = source;
  if (size) *size = v->num;
  return v->data;
}

// ---- user values: a list of keys with what the user hung there

typedef struct mjiUserValue_ {
  struct mjiUserValue_* next;
  char* key;
  const void* data;
  void (*cleanup)(const void*);
} UserValue;

static UserValue** findValue(mjiElem* e, const char* key) {
  UserValue** at = &e->user;
  while (*at && strcmp((*at)->key, key)) at = &(*at)->next;
  return at;
}

static void dropValue(UserValue** at) {
  UserValue* value = *at;
  *at = value->next;
  if (value->cleanup) value->cleanup(value->data);
  free(value->key);
  free(value);
}

void mjs_setUserValueWithCleanup(mjsElement* element, const char* key, const void* data, void (*cleanup)(const void*)) {
  mjs_deleteUserValue(element, key);
  UserValue* value = mji_vec_alloc(sizeof(UserValue));
  value->key = mji_vec_alloc(strlen(key) + 1);
  strcpy(value->key, key);
  value->data = data;
  value->cleanup = cleanup;
  value->next = mji_elem(element)->user;
  mji_elem(element)->user = value;
}

void mjs_setUserValue(mjsElement* element, const char* key, const void* data) {
  mjs_setUserValueWithCleanup(element, key, data, NULL);
}

const void* mjs_getUserValue(mjsElement* element, const char* key) {
  UserValue* value = *findValue(mji_elem(element), key);
  return value ? value->data : NULL;
}

void mjs_deleteUserValue(mjsElement* element, const char* key) {
  UserValue** at = findValue(mji_elem(element), key);
  if (*at) dropValue(at);
}

void mji_user_free(mjiElem* e) {
  while (e->user) dropValue(&e->user);
}
