// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Documents that MuJoCo 3.4.0 reads although they are not well-formed, and reasons of those that it refuses.

#include <stdio.h>
#include <string.h>

#include "mjcf/xml.h"
#include "support/test.h"

static mjiTree* tree;
static char error[300];

static const mjiXML* parse(const char* text) {
  mji_treeDelete(tree);
  tree = mji_treeMake();
  error[0] = 0;
  return mji_treeRead(tree, "t", text, strlen(text), error, sizeof error);
}

static void done(void) {
  mji_treeDelete(tree);
  tree = NULL;
}

static const char* value(const char* text) {
  char xml[200];
  snprintf(xml, sizeof xml, "<m a=\"%s\"/>", text);
  const mjiXML* e = parse(xml);
  return e ? mji_xmlAttr(e, "a") : error;
}

TEST(a_tree_has_names_attributes_lines_and_order) {
  const mjiXML* e = parse("<?xml version='1.0'?>\n<m a='1' b=\"2\">\n<x/>text\n<y c='\n'><z/></y\n></m>");
  CHECK_TEXT(error, "");
  if (!e) return;
  CHECK_TEXT(e->name, "m");
  CHECK_EQ(e->line, 2);
  CHECK_TEXT(mji_xmlAttr(e, "b"), "2");
  CHECK_TEXT(e->first->name, "x");
  CHECK_EQ(e->first->line, 3);
  const mjiXML* y = e->first->next;
  CHECK_TEXT(y->name, "y");
  CHECK_EQ(y->line, 4);
  CHECK_EQ(y->first->line, 5);
  CHECK(y->parent == e && !y->next);
  done();
}

TEST(values_keep_what_is_not_an_entity) {
  CHECK_TEXT(value("a &amp; b &lt;&gt;&apos;&quot;"), "a & b <>'\"");
  CHECK_TEXT(value("a&b < c > d &foo; &"), "a&b < c > d &foo; &");
  CHECK_TEXT(value("&#65;&#x4b;&#xe9;&#128512;"), "AK\xC3\xA9\xF0\x9F\x98\x80");
  CHECK_TEXT(value("&#266;&#xFFFF;&#55296;&#x0000000000041;"), "\xC4\x8A\xEF\xBF\xBF\xED\xA0\x80\x41");
  CHECK_TEXT(value("a\nb\r\nc\rd\n\re\tf&#10;&#13;&#1;\x02"), "a\nb\nc\nd\ne\tf\n\r\x01\x02");
  CHECK_EQ((int)strlen(value("ends&#0;\nhere")), 4);
  CHECK_TEXT(value("&#X41; &#6a; &#65 &#1114112; &#-5;"), "&#X41; &#6a; &#65 &#1114112; &#-5;");
  CHECK_TEXT(value("\xE9 \xC3\xA9 \xE2\x82\xAC"), "\xE9 \xC3\xA9 \xE2\x82\xAC");
  done();
}

TEST(lines_within_values_are_counted) {
  const mjiXML* e = parse("<m a='1\n2\r\n'\nb='\n\n'><x/>\n</m>");
  CHECK_TEXT(error, "");
  if (e) CHECK_EQ(e->first->line, 6);
  parse("<m a='\n'>\n</n>");
  CHECK_TEXT(error, "t:3:");
  done();
}

TEST(the_comment_at_the_start_of_the_root_is_kept) {
  static const struct {
    const char* text;
    const char* comment;
    // clang-format off
  } cases[] = {
      {"<!-- a --><m>\n<!-- b -- \r\n&amp; --><!-- c --></m>", " b -- \n&amp; "}, {"<m a='>'><!--x--></m>", "x"}, {"<m><!----></m>", ""},
      {"<m><!---><m/>--></m>", "-><m/>"}, {"<m>text<!-- a --></m>", NULL}, {"<m><![CDATA[]]><!-- a --></m>", NULL},
      {"<m><x/><!-- a --></m>", NULL}, {"<m/><!-- a -->", NULL}, {"<m></m><n><!-- a --></n>", NULL},
  };
  // clang-format on
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    parse(cases[i].text);
    CHECK_TEXT(error, "");
    CHECK(!tree->comment == !cases[i].comment);
    if (tree->comment && cases[i].comment) CHECK_EQ(strcmp(tree->comment, cases[i].comment), 0);
  }
  done();
}

TEST(forgiven) {
  // clang-format off
  static const char* const documents[] = {
      "<m a='1'b='2'/>",         "<m></m></m>",          "<m/></m><bad", "<m/><other/>",   "junk<m/>",
      "<m><!-- -- --></m>",      "<m>&<![CDATA[<]]></m>", "<?a?><?b?><m/>", "\n<?xml version='1.0'?><m/>",
      "\xEF\xBB\xBF<m/>",        "<?xml encoding='?'?><m/>", "<m\v\f/>",        "<m a='\x01&#0;'/>",
  };
  // clang-format on
  for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
    const mjiXML* e = parse(documents[i]);
    CHECK_TEXT(error, "");
    if (e) CHECK_TEXT(e->name, "m");
  }
  done();
}

TEST(refused) {
  static const struct {
    const char* text;
    const char* reason;
  } cases[] = {
      {"", "t:1: file: no element found"},
      {"<!-- -->", "file: no element found"},
      {"</m>", "file: not well-formed"},
      {"<m/>junk", "file: text after the last element"},
      {"<m>\n<x>\n</m>", "t:3: x: mismatched tag"},
      {"<m></mm>", "m: mismatched tag"},
      {"<mm></m>", "mm: mismatched tag"},
      {"<m>", "m: element is not closed"},
      {"<m", "m: unclosed token"},
      {"<m a='1' a='2'/>", "m: duplicate attribute"},
      {"<m a/>", "m: not well-formed"},
      {"<m a=1/>", "m: not well-formed"},
      {"<m a='1/>", "m: unclosed token"},
      {"<m / >", "m: not well-formed"},
      {"<m></ m>", "m: not well-formed"},
      {"<m><1/></m>", "1: not well-formed"},
      {"<m>1 < 2</m>", "m: not well-formed"},
      {"<m><!--></m>", "m: unclosed token"},
      {"<m><![CDATA[</m>", "m: unclosed CDATA section"},
      {"<!-- --><?xml?><m/>", "file: XML or text declaration not at start of entity"},
      {"<!DOCTYPE m><m/>", "file: document type declarations are not allowed"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CHECK(!parse(cases[i].text));
    CHECK(strstr(error, cases[i].reason) != NULL);
    if (!strstr(error, cases[i].reason)) CHECK_TEXT(error, cases[i].reason);
  }
  done();
}

TEST(nesting_has_a_limit) {
  char text[4 * 7 * mjiMAX_DEPTH] = "";
  for (int extra = 0; extra < 2; extra++) {
    char* at = text;
    for (int i = 0; i < mjiMAX_DEPTH + extra; i++) at = memcpy(at, "<m>", 3), at += 3;
    for (int i = 0; i < mjiMAX_DEPTH + extra; i++) at = memcpy(at, "</m>", 4), at += 4;
    *at = 0;
    CHECK_EQ(parse(text) != NULL, !extra);
  }
  CHECK(strstr(error, "nested deeper") != NULL);
  done();
}
