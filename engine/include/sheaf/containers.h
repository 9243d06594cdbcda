// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The containers of a specification (mjString, mjStringVec, ...), as C and C++ see them.
//
// They belong to the specification, and mjs_get*, mjs_set* and mjs_append* are the way to them. In C they are opaque.
// In C++ each is a type of its own, so that one is not taken for another, and texts convert from and to std::string,
// as in programs written for the reference, where mjString is std::string:
//
//   *spec->modelname = "arm";
//   std::string name = *spec->modelname;
//
// Nothing else of std::string is there (no +=, no references to one): the library has no C++ runtime. Containers cannot
// be made or copied by a program; sheaf/strings.h makes lists of texts.
#ifndef SHEAF_CONTAINERS_H_
#define SHEAF_CONTAINERS_H_

#include <mujoco/mjexport.h>

#ifndef __cplusplus

typedef void mjString;
typedef void mjStringVec;
typedef void mjIntVec;
typedef void mjIntVecVec;
typedef void mjFloatVec;
typedef void mjFloatVecVec;
typedef void mjDoubleVec;
typedef void mjByteVec;

#else

#include <string>
#include <vector>

class mjString;
class mjStringVec;
class mjIntVec;
class mjIntVecVec;
class mjFloatVec;
class mjFloatVecVec;
class mjDoubleVec;
class mjByteVec;

extern "C" {
MJAPI void mjs_setString(mjString* dest, const char* text);
MJAPI const char* mjs_getString(const mjString* source);
MJAPI void mjs_appendString(mjStringVec* dest, const char* text);
MJAPI int sheaf_stringsSize(const mjStringVec* strings);
MJAPI const char* sheaf_stringsGet(const mjStringVec* strings, int i);
}

// A text of an element.
class mjString {
 public:
  mjString() = delete;
  mjString(const mjString&) = delete;
  mjString& operator=(const mjString& text) { return *this = text.c_str(); }
  mjString& operator=(const std::string& text) { return *this = text.c_str(); }
  mjString& operator=(const char* text) {
    mjs_setString(this, text);
    return *this;
  }
  const char* c_str() const { return mjs_getString(this); }
  operator std::string() const { return c_str(); }
};

// A list of texts of an element.
class mjStringVec {
 public:
  mjStringVec() = delete;
  mjStringVec(const mjStringVec&) = delete;
  mjStringVec& operator=(const mjStringVec&) = delete;
  int size() const { return sheaf_stringsSize(this); }
  const char* operator[](int i) const { return sheaf_stringsGet(this, i); }
  void push_back(const std::string& text) { mjs_appendString(this, text.c_str()); }
  operator std::vector<std::string>() const {
    std::vector<std::string> texts;
    for (int i = 0; i < size(); i++) texts.push_back((*this)[i]);
    return texts;
  }
};

#endif

#endif  // SHEAF_CONTAINERS_H_
