// FSP73x and FSP74x: listings and patterns.
#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_join.h"
#include "loader/conformance/cases/cases.h"
#include "third_party/fmt/format.h"

namespace fsload::conformance {
namespace {

void ListsADirectory(Trial& t) {
  if (!t.PutDir("dir") || !t.Put("dir/b", "") || !t.Put("dir/a", "") ||
      !t.PutDir("dir/sub") || !t.Put("dir/sub/c", "")) {
    return;
  }
  t.Yields(t.GetChildren("dir"), {"a", "b", "sub"});
  t.Yields(t.GetChildren("dir/"), {"a", "b", "sub"});
  t.Yields(t.GetChildren("dir/sub"), {"c"});
}

void ListsNothingElse(Trial& t) {
  for (const char* dir : {"dir", "dir2"}) {
    if (!t.PutDir(dir)) return;
  }
  for (const char* file : {"dir/a", "dir2/b", "dir-c", "di"}) {
    if (!t.Put(file, "")) return;
  }
  t.Yields(t.GetChildren("dir"), {"a"});
  t.Yields(t.GetChildren("dir2"), {"b"});
  t.Yields(t.GetChildren(""), {"di", "dir", "dir-c", "dir2"});
}

void AnEmptyDirectoryHasNoEntries(Trial& t) {
  if (!t.PutDir("dir")) return;
  t.Yields(t.GetChildren("dir"), Names{});
}

void ListingNothingIsNotFound(Trial& t) {
  if (!t.PutDir("dir")) return;
  t.Fails(t.GetChildren("none"), {kNotFound});
  t.Fails(t.GetChildren("di"), {kNotFound});
  t.Fails(t.GetChildren("none/dir"), {kNotFound});
}

void ListsOnlyDirectories(Trial& t) {
  if (!t.Put("file", "")) return;
  t.Fails(t.GetChildren("file"), {kFailed});
  t.Fails(t.GetChildren("file/below"), {kFailed});
}

void ListsAThousandEntries(Trial& t) {
  // Stores answer in pages of 1,000.
  constexpr int kEntries = 1'002;
  Names names;
  for (int i = 0; i < kEntries; ++i) {
    names.push_back(Format("file{:04}", i));
    if (!t.Put(names.back(), "")) return;
  }
  const auto found = t.GetChildren("");
  if (!t.Ok(found)) return;
  t.Expect(*found == names,
           Format("get_children of {} files yields {} names, which are "
                  "not those of the files",
                  kEntries, found->size()));
}

void ListsWhatIsThereNow(Trial& t) {
  if (!t.PutDir("dir") || !t.Put("dir/a", "")) return;
  t.Yields(t.GetChildren("dir"), {"a"});
  if (!t.Put("dir/b", "")) return;
  t.Yields(t.GetChildren("dir"), {"a", "b"});
  t.Ok(t.DeleteFile("dir/a"));
  t.Yields(t.GetChildren("dir"), {"b"});
}

// What `pattern` finds. Plugins may answer with URIs or translated paths.
void Finds(Trial& t, const std::string& pattern, const Names& names) {
  auto found = t.GetMatchingPaths(pattern);
  if (!t.Ok(found)) return;
  Names expected;
  for (const std::string& name : names) expected.push_back(t.Uri(name));
  std::sort(expected.begin(), expected.end());
  if (*found == expected) return;
  Names paths;
  for (const std::string& uri : expected) {
    const auto path = t.setting().file_system.TranslateName(uri);
    paths.push_back(path.ok() ? *path : uri);
  }
  t.Expect(*found == paths, Format("{}; expected {}", t.calls().back(),
                                   absl::StrJoin(expected, ", ")));
}

bool PutGlobTree(Trial& t) {
  for (const char* dir : {"d1", "d2", "other"}) {
    if (!t.PutDir(dir)) return false;
  }
  for (const char* file :
       {"a1", "a2", "b1", "a-", "B1", "d1/x", "d1/y", "d2/x"}) {
    if (!t.Put(file, "")) return false;
  }
  return true;
}

void StarMatchesAnyPartOfAName(Trial& t) {
  if (!PutGlobTree(t)) return;
  Finds(t, "a*", {"a-", "a1", "a2"});
  Finds(t, "*1", {"B1", "a1", "b1", "d1"});
  Finds(t, "*", {"B1", "a-", "a1", "a2", "b1", "d1", "d2", "other"});
  Finds(t, "d*/x", {"d1/x", "d2/x"});
  Finds(t, "none*", {});
  Finds(t, "none/*", {});
}

void StarMatchesLeadingDots(Trial& t) {
  if (!t.Put(".hidden", "") || !t.Put("shown", "")) return;
  Finds(t, "*", {".hidden", "shown"});
}

void FindsManyFiles(Trial& t) {
  constexpr int kFiles = 150;
  Names names;
  for (int i = 0; i < kFiles; ++i) {
    names.push_back(Format("file{:03}", i));
    if (!t.Put(names.back(), "")) return;
  }
  Finds(t, "file*", names);
}

void QuestionMarkMatchesOneCharacter(Trial& t) {
  if (!PutGlobTree(t)) return;
  Finds(t, "a?", {"a-", "a1", "a2"});
  Finds(t, "?", {});
  Finds(t, "a?1", {});
  Finds(t, "*/?", {"d1/x", "d1/y", "d2/x"});
}

void ListsOfCharactersMatchOne(Trial& t) {
  if (!PutGlobTree(t)) return;
  Finds(t, "[ab]1", {"a1", "b1"});
  Finds(t, "[^a]1", {"B1", "b1", "d1"});
  Finds(t, "[a-b]1", {"a1", "b1"});
  Finds(t, "a[0-9]", {"a1", "a2"});
  Finds(t, "a[\\-]", {"a-"});
}

void APatternMatchesWholeNames(Trial& t) {
  if (!PutGlobTree(t) || !t.Put("a11", "")) return;
  Finds(t, "a1", {"a1"});
  Finds(t, "a", {});
  Finds(t, "?1", {"B1", "a1", "b1", "d1"});
}

void NothingMatchesASlash(Trial& t) {
  if (!PutGlobTree(t)) return;
  Finds(t, "d*x", {});
  Finds(t, "d1?x", {});
  Finds(t, "d1[^a]x", {});
}

void EscapedCharactersMatchThemselves(Trial& t) {
  if (!t.Put("a*b", "") || !t.Put("axb", "") || !t.Put("[x]", "")) return;
  Finds(t, "a\\*b", {"a*b"});
  Finds(t, "\\[x\\]", {"[x]"});
}

void MalformedPatternsFail(Trial& t) {
  if (!t.Put("a", "")) return;
  for (const char* pattern : {"a[", "a[b-", "a\\"}) {
    t.Fails(t.GetMatchingPaths(pattern), {kInvalid});
  }
}

void FlushingCachesChangesNothing(Trial& t) {
  if (!t.Put("file", "a")) return;
  t.Ok(t.FlushCaches());
  t.HasContents("file", "a");
  t.HasNames("", {"file"});
}

}  // namespace

std::vector<Case> ListingCases() {
  return {
      {731, "list.names-relative-to-the-directory",
       "get_children gives the names in a directory, relative to it",
       "L652-L654", 1, kPlain, Calls(kChildren), ListsADirectory,
       "Hosts put the directory and a '/' before each name.",
       "No leading path, no trailing '/'."},
      {732, "list.nothing-else",
       "get_children lists nothing of a directory whose name merely shares its "
       "prefix",
       "L652-L654", 2, kPlain, Calls(kChildren), ListsNothingElse,
       "Files would be copied or deleted that nobody named.",
       "List by the name and a '/'."},
      {733, "list.empty-directory", "an empty directory has no entries", "L668",
       2, kPlain, Calls(kChildren), AnEmptyDirectoryHasNoEntries,
       "A marker of the directory would pass for a file.",
       "Leave out \"\", \".\" and the directory itself."},
      {734, "list.missing-is-not-found", "get_children of nothing is NOT_FOUND",
       "L669-L671", 2, kPlain, Calls(kChildren), ListingNothingIsNotFound,
       "A misspelled path would pass for an empty directory.",
       "Where a listing is empty, ask whether the directory exists."},
      {735, "list.only-directories",
       "get_children of a file, or below one, is FAILED_PRECONDITION",
       "L672-L673", 2, kNotForStores, Calls(kChildren), ListsOnlyDirectories,
       "A file would pass for an empty directory.", "Check what the path is."},
      {736, "list.what-is-there-now",
       "get_children sees what was written and deleted before", "L652-L654", 2,
       kPlain, Calls(kChildren, kDeleteFile), ListsWhatIsThereNow,
       "New files are missed, and deleted ones found.",
       "Drop cached listings when their directory changes."},
      {737, "list.a-thousand-entries",
       "get_children lists directories of over 1,000 files", "L652-L658", 3,
       kPlain, Calls(kChildren), ListsAThousandEntries,
       "Stores answer in pages, and the rest is missed.",
       "Ask until no page is left."},
      {741, "glob.star", "'*' matches any part of a name", "L678-L684", 2,
       kPlain, Calls(kGlob), StarMatchesAnyPartOfAName, "Files are missed.",
       "Leave the operation null: the host's default "
       "does it."},
      {742, "glob.question-mark", "'?' matches one character", "L685", 2,
       kPlain, Calls(kGlob), QuestionMarkMatchesOneCharacter,
       "Files are missed.",
       "Leave the operation null: the host's default does it."},
      {743, "glob.lists", "'[...]' matches one character of a list",
       "L686-L693", 2, kPlain, Calls(kGlob), ListsOfCharactersMatchOne,
       "Files are missed, or others found.",
       "Leave the operation null: the host's default does it."},
      {744, "glob.whole-names", "a pattern matches whole names only", "L680", 2,
       kPlain, Calls(kGlob), APatternMatchesWholeNames,
       "Files are found that nobody named.", "Anchor the pattern."},
      {745, "glob.no-slash", "nothing but '/' matches '/'", "L684-L687", 2,
       kPlain, Calls(kGlob), NothingMatchesASlash,
       "Files of other directories are found.",
       "Match part by part, or with FNM_PATHNAME."},
      {746, "glob.escapes", "an escaped character matches itself", "L689", 2,
       kPlain, Calls(kGlob), EscapedCharactersMatchThemselves,
       "Such files cannot be named.", "A backslash quotes the next character."},
      {747, "glob.malformed-patterns",
       "a malformed pattern is INVALID_ARGUMENT", "L709", 2, kDisputed,
       Calls(kGlob), MalformedPatternsFail,
       "A typing error would look like no match. (Line 709 leaves the code "
       "open.)",
       "Check the pattern first."},
      {748, "glob.leading-dots", "'*' matches a leading dot too", "L684", 2,
       kPlain, Calls(kGlob), StarMatchesLeadingDots,
       "Hidden files are missed. (A shell hides them; the interface does "
       "not.)",
       "Without FNM_PERIOD."},
      {749, "glob.many", "a pattern finds over a hundred files", "L678-L680", 3,
       kPlain, Calls(kGlob), FindsManyFiles, "Files are missed.",
       "Ask for all pages of a listing."},
      {751, "caches.flushing-changes-nothing", "flush_caches changes no files",
       "L716-L719", 2, kPlain, Calls(kFlushCaches),
       FlushingCachesChangesNothing, "Data that was only in a cache is lost.",
       "Write out what is not stored yet."},
  };
}

}  // namespace fsload::conformance
