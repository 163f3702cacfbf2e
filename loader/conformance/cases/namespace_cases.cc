// FSP60x and FSP61x: creating and deleting.
#include <string>
#include <vector>

#include "loader/conformance/cases/cases.h"
#include "third_party/fmt/format.h"

namespace fsload::conformance {
namespace {

void CreatesADirectory(Trial& t) {
  t.Ok(t.CreateDir("dir"));
  t.HasNames("", {"dir"});
  t.HasNames("dir", {});
}

void CreatesNothingTwice(Trial& t) {
  if (!t.PutDir("dir") || !t.Put("file", "a")) return;
  constexpr auto kExistsAlready = absl::StatusCode::kAlreadyExists;
  t.Fails(t.CreateDir("dir"), {kExistsAlready});
  t.Fails(t.CreateDir("file"), {kExistsAlready});
  t.HasContents("file", "a");
}

void CreatesOnlyInADirectory(Trial& t) {
  if (!t.Put("file", "a")) return;
  t.Fails(t.CreateDir("none/dir"), {kNotFound});
  t.Fails(t.CreateDir("file/dir"), {kFailed});
  t.HasNames("", {"file"});
}

void CreatesAllAncestors(Trial& t) {
  t.Ok(t.RecursivelyCreateDir("a/b/c/d"));
  t.Ok(t.RecursivelyCreateDir("a/b/e/"));
  t.HasNames("", {"a"});
  t.HasNames("a/b", {"c", "e"});
  t.HasNames("a/b/c/d", {});
}

void CreatesAncestorsThatExistAgain(Trial& t) {
  if (!t.PutDir("a") || !t.Put("a/file", "a")) return;
  t.Ok(t.RecursivelyCreateDir("a"));
  t.Ok(t.RecursivelyCreateDir("a/b"));
  t.Ok(t.RecursivelyCreateDir("a/b"));
  t.HasNames("a", {"b", "file"});
  t.HasContents("a/file", "a");
}

void CreatesNoDirectoryWhereAFileIs(Trial& t) {
  if (!t.Put("file", "a")) return;
  for (const char* name : {"file", "file/dir", "file/dir/below"}) {
    t.Fails(t.RecursivelyCreateDir(name), {kFailed});
  }
  t.HasContents("file", "a");
}

void DeletesAFile(Trial& t) {
  if (!t.Put("file", "a") || !t.Put("file2", "b") || !t.Put("fil", "c")) return;
  t.Ok(t.DeleteFile("file"));
  t.HasNames("", {"fil", "file2"});
  t.HasNoFile("file");
  t.HasContents("file2", "b");
}

void DeletingNothingIsNotFound(Trial& t) {
  if (!t.Put("file", "a")) return;
  t.Fails(t.DeleteFile("none"), {kNotFound});
  t.Fails(t.DeleteFile("fil"), {kNotFound});
  t.HasNames("", {"file"});
}

void DeletesOnlyFilesAsFiles(Trial& t) {
  if (!t.PutDir("dir") || !t.Put("file", "a")) return;
  t.Fails(t.DeleteFile("dir"), {kFailed});
  t.Fails(t.DeleteFile("file/below"), {kFailed});
  t.HasNames("", {"dir", "file"});
}

void DeletesAnEmptyDirectory(Trial& t) {
  if (!t.PutDir("dir") || !t.PutDir("dir2")) return;
  t.Ok(t.DeleteDir("dir"));
  t.HasNames("", {"dir2"});
}

void DeletesNoDirectoryWithContents(Trial& t) {
  if (!t.PutDir("dir") || !t.Put("dir/.file", "a")) return;
  t.Fails(t.DeleteDir("dir"), {kFailed});
  t.HasContents("dir/.file", "a");
}

void DeletesOnlyDirectoriesAsDirectories(Trial& t) {
  if (!t.Put("file", "a")) return;
  t.Fails(t.DeleteDir("file"), {kFailed});
  t.Fails(t.DeleteDir("none"), {kNotFound});
  t.HasContents("file", "a");
}

// Deletes a tree of which nothing is left.
void DeletesAll(Trial& t, const char* name) {
  Undeleted left = {7, 7};
  t.Ok(t.DeleteRecursively(name, left));
  t.Expect(left.files == 0 && left.directories == 0,
           Format("delete_recursively counts {} files and {} directories "
                  "as undeleted; expected none of either",
                  left.files, left.directories));
}

void DeletesATreeAndNothingElse(Trial& t) {
  for (const char* dir : {"a", "a/b", "a/b/c", "a/d", "a2"}) {
    if (!t.PutDir(dir)) return;
  }
  for (const char* file :
       {"a/1", "a/.hidden", "a/b/2", "a/b/c/3", "a2/4", "a.txt"}) {
    if (!t.Put(file, file)) return;
  }
  DeletesAll(t, "a");
  t.HasNames("", {"a.txt", "a2"});
  t.HasContents("a2/4", "a2/4");
  t.HasContents("a.txt", "a.txt");
}

void DeletesWideAndDeepTrees(Trial& t) {
  std::string dir = "deep";
  for (int depth = 0; depth < 20; ++depth) {
    if (!t.PutDir(dir) || !t.Put(dir + "/file", "x")) return;
    dir += "/d";
  }
  constexpr int kWide = 250;
  if (!t.PutDir("deep/wide")) return;
  for (int i = 0; i < kWide; ++i) {
    if (!t.Put(Format("deep/wide/{}", i), "")) return;
  }
  DeletesAll(t, "deep");
  t.HasNames("", {});
}

void DeletesOnlyDirectoriesAsTrees(Trial& t) {
  if (!t.Put("file", "a")) return;
  const auto expect_not_started = [&](const char* name, absl::StatusCode code) {
    Undeleted left = {7, 7};
    if (!t.Fails(t.DeleteRecursively(name, left), {code})) return;
    t.Expect(left.files == 0 && left.directories == 1,
             Format("delete_recursively({}) could not start, and counts "
                    "{} files and {} directories; expected 0 and 1",
                    Quoted(name), left.files, left.directories));
  };
  expect_not_started("none", kNotFound);
  expect_not_started("file/below", kFailed);
  t.HasContents("file", "a");
}

void DeletingAFileAsATreeFails(Trial& t) {
  if (!t.Put("file", "a")) return;
  Undeleted left = {7, 7};
  t.Fails(t.DeleteRecursively("file", left), {kFailed});
  t.HasContents("file", "a");
}

void DeletesLinksAndNotWhatTheyLeadTo(Trial& t) {
  if (!t.PutDir("outside") || !t.Put("outside/file", "kept")) return;
  if (!t.PutDir("dir") || !t.PutLink("dir/link", "../outside") ||
      !t.PutLink("dir/to file", "../outside/file")) {
    return;
  }
  Undeleted left = {7, 7};
  t.Ok(t.DeleteRecursively("dir", left));
  t.HasNames("", {"outside"});
  t.HasContents("outside/file", "kept");
}

}  // namespace

std::vector<Case> NamespaceCases() {
  return {
      {601, "create-dir.makes-a-directory",
       "create_dir makes an empty directory", "L421-L424", 1, kPlain,
       Calls(kCreateDir), CreatesADirectory,
       "Hosts create the directory of a checkpoint first.",
       "In a store without directories, store a marker."},
      {602, "create-dir.nothing-twice",
       "create_dir of what exists is ALREADY_EXISTS", "L428-L431", 2, kPlain,
       Calls(kCreateDir), CreatesNothingTwice,
       "Programs agree by this on which of them has a directory.",
       "Check for a file and for a directory of that name."},
      {603, "create-dir.only-in-a-directory",
       "create_dir with a missing parent is NOT_FOUND, below a file "
       "FAILED_PRECONDITION",
       "L425-L427", 2, kNotForStores, Calls(kCreateDir),
       CreatesOnlyInADirectory, "A misspelled path would become a tree.",
       "Create one directory only."},
      {604, "create-dirs.all-ancestors",
       "recursively_create_dir makes a directory and its ancestors",
       "L433-L439", 2, kPlain, Calls(kCreateDirs), CreatesAllAncestors,
       "Hosts use it for every output directory.",
       "Leave the operation null: the host's default does it."},
      {605, "create-dirs.again-is-ok",
       "recursively_create_dir of what exists is OK and changes nothing",
       "L441-L449", 2, kPlain, Calls(kCreateDirs),
       CreatesAncestorsThatExistAgain, "Programs that start again would fail.",
       "ALREADY_EXISTS of a directory is success."},
      {606, "create-dirs.not-where-a-file-is",
       "recursively_create_dir is FAILED_PRECONDITION where a file is",
       "L437-L439", 2, kNotForStores, Calls(kCreateDirs),
       CreatesNoDirectoryWhereAFileIs, "A file would be hidden or lost.",
       "Check what an existing path is."},
      {607, "delete-file.deletes-it", "delete_file deletes one file",
       "L451-L455", 1, kPlain, Calls(kDeleteFile), DeletesAFile,
       "Files stay behind, or others are deleted.",
       "Use the whole name, not a prefix."},
      {608, "delete-file.missing-is-not-found",
       "delete_file of what does not exist is NOT_FOUND", "L456", 2, kPlain,
       Calls(kDeleteFile), DeletingNothingIsNotFound,
       "A misspelled path would look deleted.",
       "Where the store does not tell, ask it first."},
      {609, "delete-file.only-files",
       "delete_file of a directory, or below a file, is FAILED_PRECONDITION",
       "L457-L458", 2, kNotForStores, Calls(kDeleteFile),
       DeletesOnlyFilesAsFiles, "A directory would be lost with its contents.",
       "Check what the path is."},
      {610, "delete-dir.deletes-an-empty-directory",
       "delete_dir deletes one empty directory", "L462-L465", 2, kPlain,
       Calls(kDeleteDir), DeletesAnEmptyDirectory,
       "Empty directories stay behind, or others are deleted.",
       "Use the whole name, not a prefix."},
      {611, "delete-dir.keeps-what-has-contents",
       "delete_dir of a directory with contents is FAILED_PRECONDITION",
       "L467-L468", 2, kPlain, Calls(kDeleteDir),
       DeletesNoDirectoryWithContents,
       "Files would be lost by an operation that must not delete any.",
       "List the directory first, hidden names too."},
      {612, "delete-dir.only-directories",
       "delete_dir of a file is FAILED_PRECONDITION, of nothing NOT_FOUND",
       "L466-L468", 2, kNotForStores, Calls(kDeleteDir),
       DeletesOnlyDirectoriesAsDirectories, "A file would be lost.",
       "Check what the path is."},
      {613, "delete-tree.the-tree-and-nothing-else",
       "delete_recursively deletes a directory with its contents, and nothing "
       "whose name merely shares its prefix",
       "L473-L482", 2, kPlain, Calls(kDeleteTree), DeletesATreeAndNothingElse,
       "Files that have nothing to do with the tree are lost, or some of it "
       "stays.",
       "Compare with the name and a '/', hidden names too."},
      {614, "delete-tree.wide-and-deep",
       "delete_recursively deletes trees that are wide and deep", "L473-L482",
       3, kPlain, Calls(kDeleteTree), DeletesWideAndDeepTrees,
       "Listings come in pages, and recursion has limits.",
       "Follow every page of a listing."},
      {615, "delete-tree.counts-when-it-cannot-start",
       "delete_recursively of nothing is NOT_FOUND, and counts 0 files and 1 "
       "directory",
       "L482-L492", 2, kNotForStores, Calls(kDeleteTree),
       DeletesOnlyDirectoriesAsTrees,
       "A caller that looks at the counts takes 0 and 0 for success.",
       "Set both counts before anything else."},
      {616, "delete-tree.of-a-file",
       "delete_recursively of a file is FAILED_PRECONDITION", "L473, L492", 2,
       kDisputed | kNotForStores, Calls(kDeleteTree), DeletingAFileAsATreeFails,
       "A caller that names a file made a mistake. (Line 473 deletes a "
       "directory; TensorFlow's own plugin deletes the file.)",
       "Check what the path is."},
      {617, "delete-tree.does-not-follow-links",
       "delete_recursively deletes links, not what they lead to", "L473-L477",
       3, kLocalFiles, Calls(kDeleteTree), DeletesLinksAndNotWhatTheyLeadTo,
       "Files outside of the tree are lost.",
       "Use lstat, or openat with "
       "O_NOFOLLOW."},
  };
}

}  // namespace fsload::conformance
