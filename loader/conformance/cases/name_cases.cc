// FSP3xx: paths and names.
#include <string>
#include <vector>

#include "loader/conformance/cases/cases.h"

namespace fsload::conformance {
namespace {

void TranslatesToCleanPaths(Trial& t) {
  const auto root = t.TranslateName(t.Uri(""));
  if (!t.Ok(root)) return;
  std::string folder = *root;
  while (!folder.empty() && folder.back() == '/') folder.pop_back();
  t.Expect(folder.find("://") == std::string::npos,
           "a translated name has no scheme: " + Quoted(folder));
  t.Ok(t.TranslateName(t.setting().file_system.scheme() + "://"));
  t.Yields(t.TranslateName(t.Uri("a")), folder + "/a");
  t.Yields(t.TranslateName(t.Uri("a//b/")), folder + "/a/b");
  t.Yields(t.TranslateName(t.Uri("a/./b/../c")), folder + "/a/c");
}

void TranslatingAgainChangesNothing(Trial& t) {
  for (const char* name : {"", "a", "a/b.c", "with space", "a%41"}) {
    const auto once = t.TranslateName(t.Uri(name));
    if (!t.Ok(once)) return;
    t.Yields(t.TranslateName(*once), *once);
  }
}

void TranslatingKeepsEveryCharacter(Trial& t) {
  for (const char* name : {"a%41%2f", "caf\xc3\xa9", "a b", "a+b", "a#b?c"}) {
    const auto path = t.TranslateName(t.Uri(name));
    if (!t.Ok(path)) return;
    const std::string end = std::string("/") + name;
    t.Expect(path->size() >= end.size() &&
                 path->compare(path->size() - end.size(), end.size(), end) == 0,
             "translate_name(" + Quoted(t.Uri(name)) + ") -> " + Quoted(*path) +
                 "; expected it to end with " + Quoted(end));
  }
}

void WritesListsAndReads(Trial& t, const Names& names) {
  for (const std::string& name : names) {
    if (!t.Put(name, name)) return;
  }
  t.HasNames("", names);
  for (const std::string& name : names) {
    t.HasContents(name, name);
    t.Ok(t.DeleteFile(name));
  }
  t.HasNames("", {});
}

const Names& OddNames() {
  static const auto& names = *new Names{
      "with space", " around ", "caf\xc3\xa9", "%s%n%d", "a%41",   ".hidden",
      "a+b&c=d",    "UPPER",    "upper",       "-dash",  "~tilde", "#hash"};
  return names;
}

void DirectoriesMayHaveOddNames(Trial& t) {
  for (const std::string& name : OddNames()) {
    if (!t.Ok(t.CreateDir(name))) return;
  }
  t.HasNames("", OddNames());
  for (const std::string& name : OddNames()) t.Ok(t.DeleteDir(name));
  t.HasNames("", {});
}

void VeryOddNamesAreNamesLikeOthers(Trial& t) {
  WritesListsAndReads(t, {"a[b]*?\\c", std::string(255, 'n'), "new\nline",
                          "\xff\xfe", "q\"uote", "tab\t"});
}

}  // namespace

std::vector<Case> NameCases() {
  return {
      {301, "translate.cleans-the-path",
       "translate_name drops scheme and host, double slashes, \".\" and \"..\"",
       "L625-L638", 2, kPlain, Calls(kTranslate), TranslatesToCleanPaths,
       "Two names of one file would lead to two files.",
       "Clean the path as the host's default does, or leave the operation "
       "null."},
      {302, "translate.is-idempotent",
       "translate_name of a translated name is that name", "L163-L166", 2,
       kPlain, Calls(kTranslate), TranslatingAgainChangesNothing,
       "The host translates every path argument, so a path that an operation "
       "returned is translated again.",
       "Accept a path without a scheme, and return it as it is."},
      {303, "translate.keeps-every-character",
       "translate_name neither decodes nor drops any character of a name",
       "L625-L638", 2, kPlain, Calls(kTranslate),
       TranslatingKeepsEveryCharacter,
       "Files with a percent sign, a '#' or a '?' in their names could not be "
       "reached, or others would be overwritten.",
       "Treat the path as bytes: it is not a URL."},
      {304, "names.odd-names-are-like-others",
       "names with spaces, UTF-8, percent signs or a leading dot work",
       "L163-L166", 2, kPlain, Calls(kDeleteFile),
       [](Trial& t) { WritesListsAndReads(t, OddNames()); },
       "A file that can be written but not read, listed or deleted is lost.",
       "Pass names on as they are; encode them where a protocol demands it, "
       "and decode them in listings."},
      {305, "names.very-odd-names-are-like-others",
       "names of 255 bytes, with glob characters, newlines or invalid UTF-8 "
       "work",
       "L163-L166", 3, kNotForStores, Calls(kDeleteFile),
       VeryOddNamesAreNamesLikeOthers, "A path is any bytes but a null byte.",
       "Use no fixed buffers, formats or line-based protocols for names."},
      {306, "names.odd-directories", "directories may have the names of files",
       "L163-L166", 2, kNotForStores, Calls(kCreateDir, kDeleteDir),
       DirectoriesMayHaveOddNames,
       "A directory that cannot be listed or deleted again is lost.",
       "Pass names on as they are."},
  };
}

}  // namespace fsload::conformance
