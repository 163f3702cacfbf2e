// Calls of the operations of a file system, but those of state_calls.cc.
#include <cstdint>
#include <string>

#include "compat/plugin_sdk/outcome.h"

namespace fsload::plugin {
namespace {

// --- Operations of the same shape ---

template <auto kSlot>
Outcome OnPath(AllHosts& host, const CallWrapper& around) {
  around(
      [&] { (host.ops().*kSlot)(&host.filesystem, kPath, host.status.get()); });
  return ByStatus(host);
}

template <auto kSlot>
Outcome OnTwoPaths(AllHosts& host, const CallWrapper& around) {
  around([&] {
    (host.ops().*kSlot)(&host.filesystem, kPath, kOther, host.status.get());
  });
  return ByStatus(host);
}

template <auto kSlot>
Outcome Listing(AllHosts& host, const CallWrapper& around) {
  char** entries = nullptr;
  int count = 0;
  around([&] {
    count = (host.ops().*kSlot)(&host.filesystem, kPath, &entries,
                                host.status.get());
  });
  const bool failed = count == -1 && entries == nullptr;
  bool done = count == 3;
  for (int i = 0; i < count; ++i) {
    done = done && AllMethods().kNames[i] == entries[i];
    host.Free(entries[i]);
  }
  host.Free(entries);
  return OutcomeOf(done, failed);
}

// `table` has the cleanup of what the operation opens.
template <auto kSlot, auto kTable, typename Wrapper, auto kObject>
Outcome Opening(AllHosts& host, const CallWrapper& around) {
  Wrapper wrapper = {};
  around([&] {
    (host.ops().*kSlot)(&host.filesystem, kPath, &wrapper, host.status.get());
  });
  if (wrapper.*kObject == nullptr) return Outcome::kFailed;
  (host.entry().*kTable)->cleanup(&wrapper);
  return Outcome::kDone;
}

// --- The file system ---

Outcome Init(AllHosts& host, const CallWrapper& around) {
  TF_Filesystem another = {};
  around([&] { host.ops().init(&another, host.status.get()); });
  if (another.plugin_filesystem == nullptr) return Outcome::kFailed;
  host.ops().cleanup(&another);
  return Outcome::kDone;
}

Outcome CleanUpFileSystem(AllHosts& host, const CallWrapper& around) {
  TF_Filesystem another = {};
  host.ops().init(&another, host.status.get());
  around([&] { host.ops().cleanup(&another); });
  return OutcomeOf(another.plugin_filesystem == nullptr, false);
}

Outcome DeleteRecursively(AllHosts& host, const CallWrapper& around) {
  uint64_t files = 99;
  uint64_t directories = 99;
  around([&] {
    host.ops().delete_recursively(&host.filesystem, kPath, &files, &directories,
                                  host.status.get());
  });
  return OutcomeOf(files == 0 && directories == 0,
                   files == 0 && directories == 1);
}

Outcome PathsExist(AllHosts& host, const CallWrapper& around) {
  char* paths[] = {const_cast<char*>(kPath), const_cast<char*>(kOther)};
  const StatusPointer second = NewStatus();
  TF_Status* statuses[] = {host.status.get(), second.get()};
  bool all = false;
  around([&] {
    all = host.ops().paths_exist(&host.filesystem, paths, 2, statuses);
  });
  // The second fails like the first.
  const bool alike = TF_GetCode(second.get()) == host.code() &&
                     TF_Message(second.get()) == host.message();
  return OutcomeOf(all && alike, !all && alike);
}

Outcome Stat(AllHosts& host, const CallWrapper& around) {
  TF_FileStatistics stats = {-1, -1, false};
  around([&] {
    host.ops().stat(&host.filesystem, kPath, &stats, host.status.get());
  });
  return OutcomeOf(
      stats.length == 3 && stats.mtime_nsec == 5 && stats.is_directory,
      stats.length == -1 && stats.mtime_nsec == -1 && !stats.is_directory);
}

Outcome IsDirectory(AllHosts& host, const CallWrapper& around) {
  bool is_directory = false;
  around([&] {
    is_directory =
        host.ops().is_directory(&host.filesystem, kPath, host.status.get());
  });
  return OutcomeOf(is_directory, !is_directory);
}

Outcome GetFileSize(AllHosts& host, const CallWrapper& around) {
  int64_t size = 0;
  around([&] {
    size = host.ops().get_file_size(&host.filesystem, kPath, host.status.get());
  });
  return OutcomeOf(size == 9, size == -1);
}

Outcome TranslateName(AllHosts& host, const CallWrapper& around) {
  char* name = nullptr;
  around([&] { name = host.ops().translate_name(&host.filesystem, kPath); });
  return TextSaid(host, name, std::string("/") + kPath, kPath);
}

Outcome FlushCaches(AllHosts& host, const CallWrapper& around) {
  around([&] { host.ops().flush_caches(&host.filesystem); });
  return Outcome::kDone;
}

using Ops = TF_FilesystemOps;
using Entry = TF_FilesystemPluginOps;

}  // namespace

std::vector<OperationCall> FileSystemCalls() {
  return {
      {"init", true, Init},
      {"cleanup", false, CleanUpFileSystem},
      {"new_random_access_file", true,
       Opening<&Ops::new_random_access_file, &Entry::random_access_file_ops,
               TF_RandomAccessFile, &TF_RandomAccessFile::plugin_file>},
      {"new_writable_file", true,
       Opening<&Ops::new_writable_file, &Entry::writable_file_ops,
               TF_WritableFile, &TF_WritableFile::plugin_file>},
      {"new_appendable_file", true,
       Opening<&Ops::new_appendable_file, &Entry::writable_file_ops,
               TF_WritableFile, &TF_WritableFile::plugin_file>},
      {"new_read_only_memory_region_from_file", true,
       Opening<&Ops::new_read_only_memory_region_from_file,
               &Entry::read_only_memory_region_ops, TF_ReadOnlyMemoryRegion,
               &TF_ReadOnlyMemoryRegion::plugin_memory_region>},
      {"create_dir", true, OnPath<&Ops::create_dir>},
      {"recursively_create_dir", true, OnPath<&Ops::recursively_create_dir>},
      {"delete_file", true, OnPath<&Ops::delete_file>},
      {"delete_dir", true, OnPath<&Ops::delete_dir>},
      {"delete_recursively", true, DeleteRecursively},
      {"rename_file", true, OnTwoPaths<&Ops::rename_file>},
      {"copy_file", true, OnTwoPaths<&Ops::copy_file>},
      {"path_exists", true, OnPath<&Ops::path_exists>},
      {"paths_exist", true, PathsExist},
      {"stat", true, Stat},
      {"is_directory", true, IsDirectory},
      {"get_file_size", true, GetFileSize},
      {"translate_name", false, TranslateName},
      {"get_children", true, Listing<&Ops::get_children>},
      {"get_matching_paths", true, Listing<&Ops::get_matching_paths>},
      {"flush_caches", false, FlushCaches},
  };
}

}  // namespace fsload::plugin
