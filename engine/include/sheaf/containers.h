// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The containers of a specification (mjString, mjStringVec, ...), as C and C++ see them.
//
// They belong to the specification, and mjs_get*, mjs_set* and mjs_append* are the way to them. In C they are opaque.
// In C++ each is a type of its own, so that one is not taken for another, and they convert from and to the types that
// they are in the reference, std::string and std::vector:
//
//   *spec->modelname = "arm";
//   std::string name = *spec->modelname;
//   *key->qpos = {0.1, 0.2};
//   for (double q : *key->qpos) std::cout << q;
//
// What changes a text or a list in place (+=, push_back of numbers, references to std types) is not there: the library
// has no C++ runtime. Containers cannot be made or copied by a program; sheaf/strings.h makes lists of texts.
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

#include <cstddef>
#include <ostream>
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
MJAPI void mjs_setInt(mjIntVec* dest, const int* array, int size);
MJAPI void mjs_setFloat(mjFloatVec* dest, const float* array, int size);
MJAPI void mjs_setDouble(mjDoubleVec* dest, const double* array, int size);
MJAPI const double* mjs_getDouble(const mjDoubleVec* source, int* size);
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
  std::size_t size() const { return std::string(c_str()).size(); }
  bool empty() const { return !*c_str(); }
  operator std::string() const { return c_str(); }

  friend bool operator==(const mjString& a, const std::string& b) { return a.c_str() == b; }
  friend bool operator==(const std::string& a, const mjString& b) { return b == a; }
  friend bool operator!=(const mjString& a, const std::string& b) { return !(a == b); }
  friend bool operator!=(const std::string& a, const mjString& b) { return !(b == a); }
  friend std::string operator+(const mjString& a, const std::string& b) { return a.c_str() + b; }
  friend std::string operator+(const std::string& a, const mjString& b) { return a + b.c_str(); }
  friend std::ostream& operator<<(std::ostream& out, const mjString& text) { return out << text.c_str(); }
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

// Lists of numbers take those of a vector, or of braces.
class mjIntVec {
 public:
  mjIntVec() = delete;
  mjIntVec(const mjIntVec&) = delete;
  mjIntVec& operator=(const mjIntVec&) = delete;
  mjIntVec& operator=(const std::vector<int>& numbers) {
    mjs_setInt(this, numbers.data(), static_cast<int>(numbers.size()));
    return *this;
  }
};

class mjFloatVec {
 public:
  mjFloatVec() = delete;
  mjFloatVec(const mjFloatVec&) = delete;
  mjFloatVec& operator=(const mjFloatVec&) = delete;
  mjFloatVec& operator=(const std::vector<float>& numbers) {
    mjs_setFloat(this, numbers.data(), static_cast<int>(numbers.size()));
    return *this;
  }
};

// Lists of doubles can be read, too.
class mjDoubleVec {
 public:
  mjDoubleVec() = delete;
  mjDoubleVec(const mjDoubleVec&) = delete;
  mjDoubleVec& operator=(const mjDoubleVec& other) { return *this = std::vector<double>(other); }
  mjDoubleVec& operator=(const std::vector<double>& numbers) {
    mjs_setDouble(this, numbers.data(), static_cast<int>(numbers.size()));
    return *this;
  }
  const double* data() const { return mjs_getDouble(this, nullptr); }
  std::size_t size() const {
    int n = 0;
    mjs_getDouble(this, &n);
    return static_cast<std::size_t>(n);
  }
  bool empty() const { return !size(); }
  const double* begin() const { return data(); }
  const double* end() const { return data() + size(); }
  double operator[](std::size_t i) const { return data()[i]; }
  operator std::vector<double>() const { return std::vector<double>(begin(), end()); }
};

#endif

#endif  // SHEAF_CONTAINERS_H_
