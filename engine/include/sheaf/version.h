// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// The version of this tree. CMake reads the three numbers from here; nothing else in C states them.
#ifndef SHEAF_VERSION_H_
#define SHEAF_VERSION_H_

#define SHEAF_VERSION_MAJOR 0
#define SHEAF_VERSION_MINOR 1
#define SHEAF_VERSION_PATCH 0

#define SHEAF_VERSION_JOIN(major, minor, patch) #major "." #minor "." #patch
#define SHEAF_VERSION_TEXT(major, minor, patch) SHEAF_VERSION_JOIN(major, minor, patch)

// The version of these headers, "0.1.0". sheaf_buildInfo() returns that of the library with which a program runs.
#define SHEAF_VERSION SHEAF_VERSION_TEXT(SHEAF_VERSION_MAJOR, SHEAF_VERSION_MINOR, SHEAF_VERSION_PATCH)

#endif  // SHEAF_VERSION_H_
