// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Element tree of an XML document, with the file and line of every element. All memory belongs to
// the tree. Input is hostile until proven otherwise: sizes are limited and document types refused.
#ifndef SHEAF_MJCF_XML_H_
#define SHEAF_MJCF_XML_H_

#include <stddef.h>

enum {
  mjiMAX_DEPTH = 498,         // nesting of elements
  mjiMAX_ELEMENTS = 1 << 20,  // in one document, includes expanded
  mjiMAX_ATTRS = 128,         // of one element
  mjiMAX_NAME = 256,          // bytes of an element or attribute name
  mjiMAX_VALUE = 64 << 20,    // bytes of an attribute value
  mjiMAX_TEXT = 256 << 20,    // bytes of one file
};

typedef struct mjiXMLAttr_ {
  const char* name;
  const char* value;
} mjiXMLAttr;

typedef struct mjiXML_ {
  const char* name;
  const char* file;  // as the user named it
  int line;
  int nattr;
  mjiXMLAttr* attr;
  struct mjiXML_* parent;
  struct mjiXML_* first;  // children, in document order
  struct mjiXML_* last;
  struct mjiXML_* next;  // sibling
} mjiXML;

typedef struct mjiTree_ {
  mjiXML* root;
  const char* comment;  // first thing within the root of the first document read, or NULL
  int nelem;
  struct mjiIncluded_* included;  // files that were included, with their folders
  struct mjiPage_* page;          // chain of pages of memory
} mjiTree;

// Make an empty tree; NULL when out of memory.
mjiTree* mji_treeMake(void);

// Delete a tree and everything read into it.
void mji_treeDelete(mjiTree* tree);

// Memory that lives as long as the tree, or NULL.
void* mji_treeAlloc(mjiTree* tree, size_t size);

// Copy text into the tree, or NULL.
char* mji_treeText(mjiTree* tree, const char* text);

// Read a document; returns its root, or NULL with `file:line: element: reason` in error.
mjiXML* mji_treeRead(mjiTree* tree, const char* file, const char* text, size_t size, char* error, int nerror);

// Remember in which folder an included file lies; 0 when out of memory.
int mji_treeInclude(mjiTree* tree, const char* file, const char* folder);

// Folder of the included file in which an element stands, with a slash; NULL for the main file.
const char* mji_treeFolder(const mjiTree* tree, const mjiXML* elem);

// Value of an attribute, or NULL.
const char* mji_xmlAttr(const mjiXML* elem, const char* name);

// First child with this name, or NULL.
mjiXML* mji_xmlChild(const mjiXML* elem, const char* name);

// Next sibling with the same name, or NULL.
mjiXML* mji_xmlNext(const mjiXML* elem);

#endif  // SHEAF_MJCF_XML_H_
