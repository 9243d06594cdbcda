// SPDX-FileCopyrightText: 2026 The Sheaf authors
// SPDX-License-Identifier: Apache-2.0

// Triangles of marching cubes: one row for each set of corners of a cell that are inside, recorded from the numbers of
// the reference. Corner j lies at x = j & 1, y = j >> 1 & 1, z = j >> 2 & 1. Each letter is an edge of the cell, three
// are a triangle: a to d run along x, e to h along y, i to l along z, with the two other coordinates counted as a
// corner's.
#ifndef SHEAF_COMPILE_MESH_CUBES_TABLE_H_
#define SHEAF_COMPILE_MESH_CUBES_TABLE_H_

// clang-format off
static const char kCubes[256][16] = {
    "", "aei", "faj", "ejfeij", "bke", "biabki", "bkejfa", "fbkfkjjki", "lbf", "flbiae", "albajl", "beibillij",
    "kflkef", "aflaliilk", "eajejkkjl", "ilkijl", "cig", "agcaeg", "jfagci", "cjfcfggfe", "ebkcig", "kgckcbbca",
    "ajfigcbke", "gbkgcbcfbcjf", "cigbfl", "gaegcalbf", "lajlbagci", "egbgcjbgjbjl", "fkeflkcig",
    "ckgcfkflkafc", "cigkjlkejeaj", "ckgcjkjlk", "jch", "aeihjc", "cfachf", "ichiheehf", "bkechj", "biabkihjc",
    "cfachfkeb", "ichihbbhfkib", "lbfchj", "aeiflbchj", "hlbhbccba", "eicecbbchbhl", "kflkefchj",
    "hjcilkialafl", "lkhkeahkahac", "hichlilki", "ihjigh", "jaejehheg", "aigagffgh", "eghehf", "highjibke",
    "hjggbkjbgjab", "kebfghfagaig", "kfbkgfghf", "ihjighbfl", "bflheghjejae", "aigagllghbal", "bhlbehegh",
    "elkeflgjighj", "ghalkakgaflahja", "lkaghahlaigakea", "ghlglk", "dgk", "kdgaei", "dgkajf", "jeijfedgk",
    "debdge", "giagaddab", "debdgejfa", "jfiidgfdifbd", "dgkflb", "bfleiadgk", "albajlgkd", "gkdlijlbibei",
    "ldglgffge", "idgiadaldafl", "gldgalajleag", "gldgilijl", "ckdcik", "ekdedaadc", "kcikdcfaj",
    "dekdjejfecjd", "iebibccbd", "abdadc", "fajcbdcibieb", "fcjfbcbdc", "ckdcikflb", "lbfadcaedekd",
    "dikdcibjlbaj", "jledcecjekdelbe", "fleecilceldc", "lafldadca", "dcejleldeajecie", "dcjdjl", "hjckdg",
    "chjgkdaei", "fchfackdg", "dgkehfeihich", "edgebdjch", "jchdabdgagia", "bgebdgahfach", "bdihfifbichidgi",
    "dgkhjcbfl", "aeigkdhjcbfl", "kdgcbachbhlb", "dgklbhbchbeceic", "chjfgeflgldg", "chjiagadgafdfld",
    "aclgelealdglchl", "gidildihlich", "dhjdjkkji", "kaekdadjadhj", "ikakdhakhahf", "dekdhehfe", "biebhihjidhb",
    "jdhjadabd", "hfibdidhiebifai", "bdhbhf", "flbkjikdjdhj", "bflkdedaedhahja", "ikhbahaihlbhkdh",
    "dhkhekhbehlb", "efdjidiedhjdfld", "jahadhaldafl", "aiedhl", "hld", "hdl", "aeidlh", "fajdlh", "ejfeijdlh",
    "lhdebk", "ibkiabhdl", "bkelhdajf", "dlhjkijfkfbk", "bhdbfh", "hbfhdbiae", "jhdjdaadb", "beibihhijdbh",
    "dkedehhef", "iakkhdahkafh", "keakaddajdjh", "djhdkjkij", "ciglhd", "agcaeglhd", "cigjfadlh",
    "lhdgfegcfcjf", "dlhkebcig", "hdlbcabkckgc", "bkeigcjfadlh", "dlhgckcbkcjbjfb", "bhdbfhigc", "cegcaedfhdbf",
    "gciadbajdjhd", "egjdbjbejhdjgcj", "igchefhdedke", "fhkcakafkgckhdk", "cighdjdajdkakea", "cjgjkgjdkjhd",
    "djcdlj", "djcdljeia", "lfaladdac", "feleicleclcd", "jdljcdebk", "akiabkcljcdl", "ebkdacdlalfa",
    "cdfkificfbkfdlf", "fjcfcbbcd", "iaebcdbfcfjc", "adbacd", "ibeicbcdb", "dkedejjefcdj", "kifcdfdkfjcfiaf",
    "edkeadacd", "cdkcki", "gdlgliilj", "gdlglaaljega", "igdidaadlalf", "lgdlfgfeg", "bkeiljiglgdl",
    "abgljgjagdlgbkg", "bkefaladlaidigd", "kgbgfbglfgdl", "jifigdfidfdb", "dbjegjgdjaejbfj", "gaigdadba",
    "dbedeg", "jidefdfjdkedigd", "dkgafj", "gdidaideadke", "dkg", "glhgkl", "lgklhgaei", "glhgklajf",
    "ifeijfkhgklh", "blhbheehg", "agialglhgbla", "jfaehgebhblh", "ijbhgbgiblhbjfb", "kbfkfggfh", "aeigfhgkfkbf",
    "hgjgkbjgbjba", "hgbijbjhbeibgkb", "ehgefh", "agiafgfhg", "jeajhehge", "ijhihg", "hcihillik",
    "lhkkaehakhca", "ajfliklhihci", "klcfecekcjfclhc", "eciebcbhcblh", "hblhcbcab", "ajfebibciblclhc",
    "fbjbcjbhcblh", "ihcibhbfhkbi", "cakfhkhckbfkaek", "bahikhkbhcihajh", "bekcjh", "ihciehefh", "cafcfh",
    "iecehcejheaj", "jhc", "cgkckjjkl", "eiajkljckcgk", "cgkckffklacf", "fecklclfcgkceic", "ebggjcbjgblj",
    "ljgabgblgiagjcg", "gelaclcglfalebl", "cgiblf", "gkbgbccbfcfj", "aeijcfcbfcgbgkb", "kcgkbcbac",
    "kbgbcgbicbei", "cfjcgfgef", "afifgifcgfjc", "acgage", "cgi", "iklilj", "ejaekjklj", "alfailikl", "klfkfe",
    "bieblilji", "ablalj", "blelielailfa", "lfb", "fkbfjkjik", "ekakjakfjkbf", "baibik", "bek", "efjeji", "fja",
    "aie", "",
};
// clang-format on

#endif  // SHEAF_COMPILE_MESH_CUBES_TABLE_H_
