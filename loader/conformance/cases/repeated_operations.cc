#include "loader/conformance/cases/repeated_operations.h"

#include <algorithm>
#include <string>
#include <vector>

#include "loader/conformance/case.h"

namespace fsload::conformance {
namespace {

void Read(const Trial& t, const char* name) {
  char buffer[64];
  const auto file = t.setting().tested.Open(t.Uri(name));
  if (file.ok()) (*file)->Read(0, sizeof(buffer), buffer).IgnoreError();
}

void Append(const Target::Opened<WriteTarget>& file) {
  if (!file.ok()) return;
  (*file)->Append("contents").IgnoreError();
  (*file)->Close().IgnoreError();
}

void Create(const Trial& t, const char* name) {
  Append(t.setting().tested.Create(t.Uri(name)));
}

void OpenToAppend(const Trial& t, const char* name) {
  Append(t.setting().tested.OpenToAppend(t.Uri(name)));
}

void Map(const Trial& t, const char* name) {
  const auto region = t.setting().tested.Map(t.Uri(name));
  if (region.ok()) static_cast<void>((*region)->contents());
}

void DeleteTree(const Trial& t, const char* name) {
  Undeleted undeleted;
  t.setting().tested.DeleteRecursively(t.Uri(name), undeleted).IgnoreError();
}

void Rename(const Trial& t, const char* src, const char* dst) {
  t.setting().tested.RenameFile(t.Uri(src), t.Uri(dst)).IgnoreError();
}

void Copy(const Trial& t, const char* src, const char* dst) {
  t.setting().tested.CopyFile(t.Uri(src), t.Uri(dst)).IgnoreError();
}

void Match(const Trial& t, const char* pattern) {
  t.setting().tested.GetMatchingPaths(t.PatternUri(pattern)).IgnoreError();
}

// Calls a method of the target with each of the names.
template <auto method, typename... Name>
void Ask(const Trial& t, Name... names) {
  ((t.setting().tested.*method)(t.Uri(names)).IgnoreError(), ...);
}

const std::vector<RepeatedOperation>& SuccessTable() {
  static const auto& table = *new std::vector<RepeatedOperation>{
      {"reading a file",
       {kOpen, kRead},
       [](const Trial& t) { Read(t, "file"); }},
      {"mapping a file", {kRegion}, [](const Trial& t) { Map(t, "file"); }},
      {"writing a file",
       {kNew, kAppend, kClose},
       [](const Trial& t) { Create(t, "new"); }},
      {"appending to a file",
       {kNew, kAppendable, kAppend, kClose},
       [](const Trial& t) {
         Create(t, "new");
         OpenToAppend(t, "new");
       }},
      {"flush, sync and tell of a file",
       {kNew, kAppend, kTell, kFlush, kSync, kClose},
       [](const Trial& t) {
         const auto file = t.setting().tested.Create(t.Uri("new"));
         if (!file.ok()) return;
         (*file)->Append("contents").IgnoreError();
         (*file)->Flush().IgnoreError();
         (*file)->Tell().IgnoreError();
         (*file)->Sync().IgnoreError();
         (*file)->Close().IgnoreError();
       }},
      {"path_exists",
       {kExists},
       [](const Trial& t) { Ask<&Target::PathExists>(t, "file"); }},
      {"paths_exist",
       {kAllExist},
       [](const Trial& t) {
         static_cast<void>(
             t.setting().tested.PathsExist({t.Uri("file"), t.Uri("dir")}));
       }},
      {"stat", {kStat}, [](const Trial& t) { Ask<&Target::Stat>(t, "file"); }},
      {"is_directory",
       {kIsDirectory},
       [](const Trial& t) { Ask<&Target::IsDirectory>(t, "dir"); }},
      {"get_file_size",
       {kSize},
       [](const Trial& t) { Ask<&Target::GetFileSize>(t, "file"); }},
      {"translate_name",
       {kTranslate},
       [](const Trial& t) { Ask<&Target::TranslateName>(t, "dir//file"); }},
      {"get_children",
       {kChildren},
       [](const Trial& t) { Ask<&Target::GetChildren>(t, "dir"); }},
      {"get_matching_paths",
       {kGlob},
       [](const Trial& t) { Match(t, "dir/*"); }},
      {"create_dir and delete_dir",
       {kCreateDir, kDeleteDir},
       [](const Trial& t) {
         Ask<&Target::CreateDir>(t, "empty");
         Ask<&Target::DeleteDir>(t, "empty");
       }},
      {"recursively_create_dir and delete_recursively",
       {kCreateDirs, kDeleteTree},
       [](const Trial& t) {
         Ask<&Target::RecursivelyCreateDir>(t, "tree/a/b");
         DeleteTree(t, "tree");
       }},
      {"writing and deleting a file",
       {kNew, kAppend, kClose, kDeleteFile},
       [](const Trial& t) {
         Create(t, "new");
         Ask<&Target::DeleteFile>(t, "new");
       }},
      {"rename_file",
       {kRename},
       [](const Trial& t) {
         Rename(t, "dir/one", "dir/renamed");
         Rename(t, "dir/renamed", "dir/one");
       }},
      {"copy_file", {kCopy}, [](const Trial& t) { Copy(t, "file", "copy"); }},
      {"flush_caches",
       {kFlushCaches},
       [](const Trial& t) { t.setting().tested.FlushCaches().IgnoreError(); }},
  };
  return table;
}

const std::vector<RepeatedOperation>& FailureTable() {
  static const auto& table = *new std::vector<RepeatedOperation>{
      {"failing to open a file",
       {kOpen},
       [](const Trial& t) {
         for (const char* name : {"none", "dir", "file/below"}) Read(t, name);
       }},
      {"failing to map a file",
       {kRegion},
       [](const Trial& t) {
         for (const char* name : {"none", "dir", "nothing"}) Map(t, name);
       }},
      {"failing to create a file",
       {kNew},
       [](const Trial& t) {
         for (const char* name : {"none/file", "dir"}) Create(t, name);
       }},
      {"failing to open a file to append to it",
       {kAppendable},
       [](const Trial& t) {
         for (const char* name : {"none/file", "dir"}) OpenToAppend(t, name);
       }},
      {"reading at the end of a file",
       {kOpen, kRead},
       [](const Trial& t) { Read(t, "nothing"); }},
      {"path_exists of what is missing",
       {kExists},
       [](const Trial& t) { Ask<&Target::PathExists>(t, "none"); }},
      {"paths_exist of what is missing",
       {kAllExist},
       [](const Trial& t) {
         static_cast<void>(
             t.setting().tested.PathsExist({t.Uri("file"), t.Uri("none")}));
       }},
      {"a failing stat",
       {kStat},
       [](const Trial& t) { Ask<&Target::Stat>(t, "none", "file/below"); }},
      {"a failing is_directory",
       {kIsDirectory},
       [](const Trial& t) { Ask<&Target::IsDirectory>(t, "none"); }},
      {"a failing get_file_size",
       {kSize},
       [](const Trial& t) { Ask<&Target::GetFileSize>(t, "none", "dir"); }},
      {"a failing get_children",
       {kChildren},
       [](const Trial& t) { Ask<&Target::GetChildren>(t, "none", "file"); }},
      {"get_matching_paths without a match",
       {kGlob},
       [](const Trial& t) { Match(t, "none*/*"); }},
      {"a failing create_dir",
       {kCreateDir},
       [](const Trial& t) {
         Ask<&Target::CreateDir>(t, "dir", "none/dir", "file/below");
       }},
      {"a failing recursively_create_dir",
       {kCreateDirs},
       [](const Trial& t) {
         Ask<&Target::RecursivelyCreateDir>(t, "file/below");
       }},
      {"a failing delete_file",
       {kDeleteFile},
       [](const Trial& t) { Ask<&Target::DeleteFile>(t, "none", "dir"); }},
      {"a failing delete_dir",
       {kDeleteDir},
       [](const Trial& t) {
         Ask<&Target::DeleteDir>(t, "none", "file", "dir");
       }},
      {"a failing delete_recursively",
       {kDeleteTree},
       [](const Trial& t) { DeleteTree(t, "none"); }},
      {"a failing rename_file",
       {kRename},
       [](const Trial& t) {
         Rename(t, "none", "other");
         Rename(t, "file", "none/file");
         Rename(t, "dir", "other");
       }},
      {"a failing copy_file",
       {kCopy},
       [](const Trial& t) {
         Copy(t, "none", "other");
         Copy(t, "file", "none/file");
         Copy(t, "dir", "other");
       }},
  };
  return table;
}

}  // namespace

absl::Span<const RepeatedOperation> Successes() { return SuccessTable(); }
absl::Span<const RepeatedOperation> Failures() { return FailureTable(); }

bool PutForOperations(Trial& t) {
  return t.Put("file", std::string(300, 'x')) && t.Put("nothing", "") &&
         t.PutDir("dir") && t.Put("dir/one", "1") && t.Put("dir/two", "2");
}

void ForEachPresent(
    Trial& t, absl::Span<const RepeatedOperation> operations,
    const std::function<void(const RepeatedOperation& operation)>& take) {
  for (const RepeatedOperation& each : operations) {
    if (std::all_of(each.calls.begin(), each.calls.end(),
                    [&](Op op) { return t.Has(op); })) {
      take(each);
    }
  }
}

}  // namespace fsload::conformance
