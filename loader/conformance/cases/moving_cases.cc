// FSP63x and FSP65x: renaming and copying.
#include <string>
#include <vector>

#include "loader/conformance/cases/cases.h"
#include "third_party/fmt/format.h"

namespace fsload::conformance {
namespace {

void RenamesAFile(Trial& t) {
  if (!t.Put("file", "contents") || !t.PutDir("dir")) return;
  t.Ok(t.RenameFile("file", "dir/new"));
  t.HasNames("", {"dir"});
  t.HasNames("dir", {"new"});
  t.HasContents("dir/new", "contents");
}

void RenamesFilesOfAllSizes(Trial& t) {
  for (const size_t size : {0, 1, 4096, (1 << 20) + 1}) {
    const std::string contents = PatternBytes(size);
    if (!t.Put("src", contents)) return;
    t.Ok(t.RenameFile("src", "dst"));
    t.HasNames("", {"dst"});
    t.HasContents("dst", contents);
  }
}

void RenamingReplacesTheTarget(Trial& t) {
  if (!t.Put("src", "new") || !t.Put("dst", "the old contents")) return;
  t.Ok(t.RenameFile("src", "dst"));
  t.HasNames("", {"dst"});
  t.HasContents("dst", "new");
}

void RenamingOntoItselfChangesNothing(Trial& t) {
  if (!t.Put("file", "contents")) return;
  t.Ok(t.RenameFile("file", "file"));
  // Where names are not cleaned, this is another one.
  const FileSystem& fs = t.setting().file_system;
  const auto path = fs.TranslateName(t.Uri("file"));
  const auto same = fs.TranslateName(t.Uri("./file"));
  if (path.ok() && same.ok() && *path == *same) {
    t.Ok(t.RenameFile("file", "./file"));
  }
  t.HasNames("", {"file"});
  t.HasContents("file", "contents");
}

void RenamesNothingElse(Trial& t) {
  for (const char* name : {"ab", "ab2", "abc/file", "a"}) {
    const std::string path = name;
    if (path.find('/') != std::string::npos && !t.PutDir("abc")) return;
    if (!t.Put(path, path)) return;
  }
  t.Ok(t.RenameFile("ab", "moved"));
  t.HasNames("", {"a", "ab2", "abc", "moved"});
  t.HasContents("moved", "ab");
  t.HasContents("ab2", "ab2");
  t.HasContents("abc/file", "abc/file");
}

void RenamingNothingChangesNothing(Trial& t) {
  if (!t.Put("other", "b") || !t.Put("none2", "c")) return;
  t.Fails(t.RenameFile("none", "other"), {kNotFound});
  t.Fails(t.RenameFile("none", "new"), {kNotFound});
  t.HasNames("", {"none2", "other"});
  t.HasContents("other", "b");
}

void AFailedRenameChangesNothing(Trial& t) {
  if (!t.Put("file", "a") || !t.Put("other", "b") || !t.PutDir("dir")) return;
  t.Fails(t.RenameFile("none/file", "other"), {kNotFound});
  t.Fails(t.RenameFile("file", "none/file"), {kNotFound});
  t.Fails(t.RenameFile("dir", "new"), {kFailed});
  t.Fails(t.RenameFile("file", "dir"), {kFailed});
  t.Fails(t.RenameFile("file/below", "new"), {kFailed});
  t.Fails(t.RenameFile("other", "file/below"), {kFailed});
  t.HasNames("", {"dir", "file", "other"});
  t.HasNames("dir", {});
  t.HasContents("file", "a");
  t.HasContents("other", "b");
}

void CopiesFilesOfAllSizes(Trial& t) {
  for (const size_t size : {0, 1, 4097, (1 << 20) + 1}) {
    const std::string contents = PatternBytes(size);
    if (!t.Put("src", contents)) return;
    t.Ok(t.CopyFile("src", "dst"));
    t.HasNames("", {"dst", "src"});
    t.HasContents("dst", contents);
    t.HasContents("src", contents);
  }
}

void CopiesLargeFiles(Trial& t) {
  // Just above the parts that stores copy by.
  for (const size_t mebibytes : {5, 8, 100}) {
    const std::string contents = PatternBytes((mebibytes << 20) + 1);
    // New names: what is cached of a file that was replaced is other cases'.
    const std::string src = Format("src{}", mebibytes);
    const std::string dst = Format("dst{}", mebibytes);
    if (!t.Put(src, contents)) return;
    t.Ok(t.CopyFile(src, dst));
    t.HasContents(dst, contents);
  }
}

void CopyingReplacesTheTarget(Trial& t) {
  if (!t.Put("src", "new") || !t.Put("dst", "the old contents")) return;
  t.Ok(t.CopyFile("src", "dst"));
  t.HasNames("", {"dst", "src"});
  t.HasContents("dst", "new");
  t.HasContents("src", "new");
}

void CopyingOntoItselfChangesNothing(Trial& t) {
  if (!t.Put("file", "contents")) return;
  t.Ok(t.CopyFile("file", "file"));
  t.HasNames("", {"file"});
  t.HasContents("file", "contents");
}

void CopiesAreIndependent(Trial& t) {
  if (!t.Put("src", "contents")) return;
  t.Ok(t.CopyFile("src", "dst"));
  if (!t.Put("src", "changed")) return;
  t.HasContents("dst", "contents");
  t.Ok(t.DeleteFile("src"));
  t.HasContents("dst", "contents");
}

void CopiesIntoADirectory(Trial& t) {
  if (!t.Put("file", "new") || !t.PutDir("dir")) return;
  t.Ok(t.CopyFile("file", "dir"));
  t.HasContents("dir/file", "new");
}

void CopyingNothingChangesNothing(Trial& t) {
  if (!t.Put("other", "b")) return;
  t.Fails(t.CopyFile("none", "other"), {kNotFound});
  t.Fails(t.CopyFile("none", "new"), {kNotFound});
  t.HasNames("", {"other"});
  t.HasContents("other", "b");
}

void AFailedCopyChangesNothing(Trial& t) {
  if (!t.Put("file", "a") || !t.Put("other", "b") || !t.PutDir("dir")) return;
  t.Fails(t.CopyFile("none/file", "other"), {kNotFound});
  t.Fails(t.CopyFile("file", "none/file"), {kNotFound});
  t.Fails(t.CopyFile("dir", "new"), {kFailed});
  t.Fails(t.CopyFile("dir", "other"), {kFailed});
  t.Fails(t.CopyFile("file/below", "new"), {kFailed});
  t.Fails(t.CopyFile("other", "file/below"), {kFailed});
  t.HasNames("", {"dir", "file", "other"});
  t.HasContents("file", "a");
  t.HasContents("other", "b");
}

}  // namespace

std::vector<Case> MovingCases() {
  return {
      {631, "rename.gives-another-name",
       "rename_file moves a file to a new name", "L502-L504", 1, kPlain,
       Calls(kRename), RenamesAFile, "The file is at both names, or at none.",
       "Where the store cannot rename, leave the operation null."},
      {632, "rename.files-of-all-sizes",
       "renamed files of 0 bytes to a megabyte keep their contents",
       "L502-L504", 2, kPlain, Calls(kRename), RenamesFilesOfAllSizes,
       "Contents are lost.", "Compare the lengths before the source goes."},
      {633, "rename.replaces-the-target",
       "rename_file replaces the file that has the name", "L504", 2, kPlain,
       Calls(kRename), RenamingReplacesTheTarget,
       "Programs write a temporary file and rename it over the old one.",
       "Overwrite; do not append, and do not fail."},
      {634, "rename.onto-itself", "a file renamed onto itself stays as it is",
       "L502-L505", 2, kPlain, Calls(kRename), RenamingOntoItselfChangesNothing,
       "Copy and delete loses the file.", "Compare the two paths first."},
      {635, "rename.nothing-else",
       "rename_file leaves files alone whose name merely shares its prefix",
       "L502-L504", 2, kPlain, Calls(kRename, kChildren), RenamesNothingElse,
       "Files are moved or overwritten that nobody named.",
       "Do not list by prefix: it is one object."},
      {636, "rename.missing-is-not-found",
       "rename_file of nothing is NOT_FOUND, and the target is left unchanged",
       "L504-L512", 2, kPlain, Calls(kRename), RenamingNothingChangesNothing,
       "The target would be lost without a replacement.",
       "Check for the source before the target is touched."},
      {637, "rename.failing-changes-nothing",
       "a rename that cannot be done changes nothing and says why", "L504-L519",
       2, kNotForStores, Calls(kRename), AFailedRenameChangesNothing,
       "Data is lost by an operation that failed.",
       "NOT_FOUND for missing parents, FAILED_PRECONDITION for directories."},
      {651, "copy.files-of-all-sizes",
       "copies of files of 0 bytes to a megabyte are equal to them",
       "L521-L525", 1, kPlain, Calls(kCopy), CopiesFilesOfAllSizes,
       "The copy is believed to be one.", "Compare the lengths."},
      {652, "copy.large-files",
       "copies of files of 5, 8 and 100 MiB and a byte are equal to them",
       "L521-L525", 3, kPlain, Calls(kCopy), CopiesLargeFiles,
       "Stores copy large files in parts, and lose the last one.",
       "Round the number of parts up."},
      {653, "copy.replaces-the-target", "copy_file replaces an existing file",
       "L521-L525", 2, kPlain, Calls(kCopy), CopyingReplacesTheTarget,
       "The tail of the old contents would follow the new ones.",
       "Truncate the target."},
      {654, "copy.onto-itself", "a file copied onto itself stays as it is",
       "L521-L525", 2, kPlain, Calls(kCopy), CopyingOntoItselfChangesNothing,
       "Truncating the target first loses the file.",
       "Compare the two paths first."},
      {655, "copy.is-independent",
       "a copy is unaffected when its source is changed or deleted",
       "L521-L525", 2, kPlain, Calls(kCopy, kDeleteFile), CopiesAreIndependent,
       "A link is not a copy.", "Copy the contents."},
      {656, "copy.into-a-directory",
       "a copy into a directory has the name of the source", "L527-L528, L535",
       2, kDisputed | kNotForStores, Calls(kCopy), CopiesIntoADirectory,
       "L527 asks for this, and L535 for FAILED_PRECONDITION.",
       "Follow L527, as cp does."},
      {657, "copy.missing-is-not-found",
       "copy_file of nothing is NOT_FOUND, and the target is left unchanged",
       "L530-L533", 2, kPlain, Calls(kCopy), CopyingNothingChangesNothing,
       "The target would be lost without a replacement.",
       "Open the source before the target is truncated."},
      {658, "copy.failing-changes-nothing",
       "a copy that cannot be made changes nothing and says why", "L530-L542",
       2, kNotForStores, Calls(kCopy), AFailedCopyChangesNothing,
       "Data is lost by an operation that failed.",
       "NOT_FOUND for missing parents, FAILED_PRECONDITION for directories."},
  };
}

}  // namespace fsload::conformance
