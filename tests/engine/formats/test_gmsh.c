// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// GMSH files: what is read of each format, and what each mistake is told as. Flexes of the same files are compared with
// the reference's in tests/live/test_flexcomp_file.py.

#include <stdio.h>
#include <string.h>

#include "formats/gmsh.h"
#include "support/test.h"

#define HEAD_41 "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
#define HEAD_22 "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define NODES_41 "$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1.5\n$EndNodes\n"
#define NODES_22 "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1.5\n$EndNodes\n"
#define SOLID_41 "$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n"
#define SOLID_22 "$Elements\n1\n1 4 2 0 1 1 2 3 4\n$EndElements\n"

static char error[500];

static int readBytes(mjiGmsh* g, const char* bytes, size_t n) {
  error[0] = 0;
  return mji_gmsh_read(g, bytes, n, error);
}

static int readText(mjiGmsh* g, const char* text) { return readBytes(g, text, strlen(text)); }

// the tetrahedron that all files here hold
static void checkSolid(const mjiGmsh* g) {
  CHECK_EQ(g->dim, 3);
  CHECK_EQ(g->npoint, 4);
  CHECK_EQ(g->nelem, 1);
  CHECK(g->point && g->elem && g->point[11] == 1.5);
  for (int i = 0; g->elem && i < 4; i++) CHECK_EQ(g->elem[i], i);
}

TEST(a_solid_of_either_format_is_read) {
  static const char* const files[] = {
      HEAD_41 NODES_41 SOLID_41,
      HEAD_22 NODES_22 SOLID_22,
      // other sections, anywhere; any spaces; text behind the numbers of the format
      HEAD_41 "$PhysicalNames\n1\n3 1 \"$End\"\n$EndPhysicalNames\n" NODES_41 "$Periodic\n$EndPeriodic\n" SOLID_41
              "\n\n",
      "$MeshFormat\r\n2.2  0 8\r\n$EndMeshFormat\r\n$Nodes\r\n4 1 0 0 0 2 1 0 0 3 0 1 0 4 0 0 "
      "1.5\r\n$EndNodes\r\n" SOLID_22,
      // nodes of two entities, one of which has coordinates on a surface
      HEAD_41
      "$Nodes\n2 4 1 4\n2 1 1 2\n1\n2\n0 0 0 .5 .5\n1 0 0 .5 .5\n3 1 0 2\n3\n4\n0 1 0\n0 0 1.5\n$EndNodes\n" SOLID_41,
  };
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    mjiGmsh g;
    CHECK_EQ(readText(&g, files[i]), 0);
    CHECK_TEXT(error, "");
    checkSolid(&g);
    mji_gmsh_free(&g);
  }
}

TEST(nodes_are_found_by_their_tags) {
  mjiGmsh g;
  CHECK_EQ(readText(&g, HEAD_22 "$Nodes\n3\n70 7 0 0\n-5 5 0 0\n9000000000 9 0 0\n$EndNodes\n"
                                "$Elements\n2\n1 1 0 9000000000 -5\n2 1 3 8 8 8 70 -5\n$EndElements\n"),
           0);
  CHECK_EQ(g.dim, 1);
  CHECK_EQ(g.nelem, 2);
  static const int elem[] = {2, 1, 0, 1};
  for (int i = 0; i < 4; i++) CHECK_EQ(g.elem[i], elem[i]);
  CHECK_NEAR(g.point[0], 7, 0);
  mji_gmsh_free(&g);
}

// ---- binary

static char bytes[2000];
static size_t nbyte;

static void put(const void* data, size_t n) {
  memcpy(bytes + nbyte, data, n);
  nbyte += n;
}

static void putText(const char* text) { put(text, strlen(text)); }
static void putInt(int x) { put(&x, sizeof x); }
static void putSize(long long x) { put(&x, sizeof x); }

static void putPoint(int i) {
  const double at[3] = {i == 1, i == 2, i == 3 ? 1.5 : 0};
  put(at, sizeof at);
}

static void putHead(const char* format, int one) {
  nbyte = 0;
  putText("$MeshFormat\n");
  putText(format);
  putInt(one);
  putText("\n$EndMeshFormat\n$Nodes\n");
}

static void putInts(const int* x, int n) {
  for (int i = 0; i < n; i++) putInt(x[i]);
}

static void putSizes(const int* x, int n) {
  for (int i = 0; i < n; i++) putSize(x[i]);
}

static void put41(int one) {
  putHead("4.1 1 8\n", one);
  putSizes((int[]){1, 4, 1, 4}, 4);
  putInts((int[]){3, 1, 0}, 3);
  putSizes((int[]){4, 1, 2, 3, 4}, 5);
  for (int i = 0; i < 4; i++) putPoint(i);
  putText("\n$EndNodes\n$Elements\n");
  putSizes((int[]){1, 1, 1, 1}, 4);
  putInts((int[]){3, 1, 4}, 3);
  putSizes((int[]){1, 1, 1, 2, 3, 4}, 6);
  putText("\n$EndElements\n");
}

static void put22(void) {
  putHead("2.2 1 8\n", 1);
  putText("4\n");
  for (int i = 0; i < 4; i++) {
    putInt(i + 1);
    putPoint(i);
  }
  putText("\n$EndNodes\n$Elements\n1\n");
  putInts((int[]){4, 1, 2, 1, 0, 1, 1, 2, 3, 4}, 10);
  putText("\n$EndElements\n");
}

TEST(binary_files_of_either_format_are_read_and_none_of_their_beginnings) {
  for (int old = 0; old < 2; old++) {
    if (old) put22();
    else put41(1);
    mjiGmsh g;
    CHECK_EQ(readBytes(&g, bytes, nbyte), 0);
    CHECK_TEXT(error, "");
    checkSolid(&g);
    mji_gmsh_free(&g);
    for (size_t n = 0; n + 1 < nbyte; n++) {
      CHECK_EQ(readBytes(&g, bytes, n), -1);
      CHECK(error[0]);
      mji_gmsh_free(&g);
    }
  }
  put41(1 << 24);
  mjiGmsh g;
  CHECK_EQ(readBytes(&g, bytes, nbyte), -1);
  CHECK_TEXT(error, "binary numbers are read with the lowest byte first");
  mji_gmsh_free(&g);
}

// ---- mistakes

TEST(a_mistake_is_told) {
  static const char* const cases[][2] = {
      {"", "the file is empty"},
      {"\n" HEAD_41, "a GMSH file must begin with $MeshFormat"},
      {"$Nodes\n$EndNodes\n", "a GMSH file must begin with $MeshFormat"},
      {"$MeshFormat\n", "byte 12: a number is missing"},
      {"$MeshFormat\n3 0 8\n$EndMeshFormat\n", "formats 2.2 and 4.1 are read, not 3"},
      {"$MeshFormat\n4.1 2 8\n", "the format must be 0 (text) or 1 (binary), not 2"},
      {"$MeshFormat\n4.1 1 4\n", "sizes of 8 bytes are read, not of 4"},
      {HEAD_41, "the file has no sections $Nodes and $Elements"},
      {HEAD_41 NODES_41, "the file has no sections $Nodes and $Elements"},
      {HEAD_41 SOLID_41, "$Nodes must stand before $Elements"},
      {HEAD_41 NODES_41 NODES_41, "there are two sections $Nodes"},
      {HEAD_41 NODES_41 SOLID_41 SOLID_41, "there are two sections $Elements"},
      {HEAD_41 NODES_41 SOLID_41 "x", "byte 151: a section must begin with $ and a name"},
      {HEAD_41 "$Other\n", "$Other does not end with $EndOther"},
      {HEAD_41 "$Nodes\n0 0 0 0\n$EndNodes\n", "the file has no room for 0 nodes"},
      {HEAD_41 "$Nodes\n1 9999999999 1 4\n3 1 0 4\n", "the file has no room for 9999999999 nodes"},
      {HEAD_41 "$Nodes\n1 1 1 4\n3 1 0 2\n1\n2\n0 0 0\n", "there are more nodes than $Nodes says"},
      {HEAD_41 "$Nodes\n1 2 1 4\n3 1 0 1\n1\n0 0 0\n$EndNodes\n", "there are fewer nodes than $Nodes says"},
      {HEAD_41 "$Nodes\n1 1 1 1\n3 1 0 1\n1\n0 inf 0\n$EndNodes\n", "byte 65: a coordinate is not finite"},
      {HEAD_22 "$Nodes\n2\n1 0 0 0\n1 1 0 0\n$EndNodes\n", "there are two nodes 1"},
      {HEAD_22 "$Nodes\n1\n1 0 0 0\n$EndOther\n", "$Nodes does not end with $EndNodes"},
      {HEAD_22 NODES_22 "$Elements\n1\n1 4 2 0 1 1 2 3 5\n$EndElements\n", "element 0: there is no node 5"},
      {HEAD_22 NODES_22 "$Elements\n2\n1 2 0 1 2 3\n1 4 0 1 2 3 4\n$EndElements\n", "all elements must be of one type"},
      {HEAD_22 NODES_22 "$Elements\n1\n1 15 0 1\n$EndElements\n",
       "elements must be lines (1), triangles (2) or tetrahedra (4), not of type 15"},
      {HEAD_22 NODES_22 "$Elements\n1\n1 4 -1 1 2 3 4\n$EndElements\n", "the number of tags is negative"},
      {HEAD_22 NODES_22 "$Elements\n99\n1 4 0 1 2 3 4\n$EndElements\n", "the file has no room for 99 elements"},
      {HEAD_41 NODES_41 "$Elements\n1 1 1 1\n2 1 4 1\n1 1 2 3 4\n$EndElements\n",
       "elements of type 4 do not fill 2 dimensions"},
      {HEAD_41 NODES_41 "$Elements\n1 1 1 1\n3 1 4 2\n1 1 2 3 4\n2 1 2 3 4\n$EndElements\n",
       "there are more elements than $Elements says"},
      {HEAD_41 NODES_41 "$Elements\n1 2 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n",
       "there are fewer elements than $Elements says"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    mjiGmsh g;
    CHECK_EQ(readText(&g, cases[i][0]), -1);
    CHECK_TEXT(error, cases[i][1]);
    mji_gmsh_free(&g);
  }
}
