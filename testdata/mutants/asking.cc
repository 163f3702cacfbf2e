// Mutants that answer wrongly what is there: stat, path_exists and others.
#include <cstring>
#include <map>
#include <string>

#include "testdata/mutants/changes.h"
#include "testdata/mutants/right_calls.h"

namespace mutants {
namespace {

// --- stat ---

// Changes what the right operation found.
template <void (*change)(TF_FileStatistics*)>
void Stats(Tables* tables) {
  tables->fs.stat = [](const TF_Filesystem* fs, const char* path,
                       TF_FileStatistics* stats, TF_Status* status) {
    g_right.fs.stat(fs, path, stats, status);
    if (IsOk(status)) change(stats);
  };
}

void InBlocks(TF_FileStatistics* stats) {
  if (!stats->is_directory) stats->length = (stats->length + 511) / 512 * 512;
}

void In32Bits(TF_FileStatistics* stats) {
  stats->length = static_cast<int32_t>(stats->length);
}

void EmptyIsNegative(TF_FileStatistics* stats) {
  if (!stats->is_directory && stats->length == 0) stats->length = -1;
}

void WithoutTime(TF_FileStatistics* stats) { stats->mtime_nsec = 0; }

void InSeconds(TF_FileStatistics* stats) { stats->mtime_nsec /= 1000000000; }

void Inverted(TF_FileStatistics* stats) {
  stats->is_directory = !stats->is_directory;
}

void StatClearsFirst(const TF_Filesystem* fs, const char* path,
                     TF_FileStatistics* stats, TF_Status* status) {
  *stats = {};
  g_right.fs.stat(fs, path, stats, status);
}

void StatMissingIsOk(const TF_Filesystem* fs, const char* path,
                     TF_FileStatistics* stats, TF_Status* status) {
  g_right.fs.stat(fs, path, stats, status);
  if (TF_GetCode(status) != TF_NOT_FOUND) return;
  *stats = {};
  Succeed(status);
}

void StatIsCached(const TF_Filesystem* fs, const char* path,
                  TF_FileStatistics* stats, TF_Status* status) {
  static auto* const cache = new std::map<std::string, TF_FileStatistics>;
  g_right.fs.stat(fs, path, stats, status);
  if (IsOk(status)) *stats = cache->try_emplace(path, *stats).first->second;
}

void StatNoDirectories(const TF_Filesystem* fs, const char* path,
                       TF_FileStatistics* stats, TF_Status* status) {
  TF_FileStatistics found = {};
  g_right.fs.stat(fs, path, &found, status);
  if (!IsOk(status)) return;
  if (found.is_directory) return TF_SetStatus(status, TF_NOT_FOUND, "no file");
  *stats = found;
}

// --- is_directory and get_file_size ---

// The right answers, from stat.
bool IsDirectory(const TF_Filesystem* fs, const char* path, TF_Status* status) {
  TF_FileStatistics stats = {};
  g_right.fs.stat(fs, path, &stats, status);
  return IsOk(status) && stats.is_directory;
}

int64_t FileSize(const TF_Filesystem* fs, const char* path, TF_Status* status) {
  TF_FileStatistics stats = {};
  g_right.fs.stat(fs, path, &stats, status);
  if (!IsOk(status)) return -1;
  if (!stats.is_directory) return stats.length;
  TF_SetStatus(status, TF_FAILED_PRECONDITION, "a directory");
  return -1;
}

bool TrueForMissing(const TF_Filesystem* fs, const char* path,
                    TF_Status* status) {
  const bool answer = IsDirectory(fs, path, status);
  return answer || TF_GetCode(status) == TF_NOT_FOUND;
}

bool FalseForEmpty(const TF_Filesystem* fs, const char* path,
                   TF_Status* status) {
  return IsDirectory(fs, path, status) && !ListNames(fs, path).empty();
}

bool MissingIsFile(const TF_Filesystem* fs, const char* path,
                   TF_Status* status) {
  const bool answer = IsDirectory(fs, path, status);
  Recode<TF_NOT_FOUND, TF_OK>(status);
  return answer;
}

int64_t SizeOfDirectory(const TF_Filesystem* fs, const char* path,
                        TF_Status* status) {
  TF_FileStatistics stats = {};
  g_right.fs.stat(fs, path, &stats, status);
  return IsOk(status) ? stats.length : -1;
}

int64_t SizeOnePage(const TF_Filesystem* fs, const char* path,
                    TF_Status* status) {
  const int64_t size = FileSize(fs, path, status);
  return size > 4096 ? size / 4096 * 4096 : size;
}

int64_t SizeWithoutStatus(const TF_Filesystem* fs, const char* path,
                          TF_Status* status) {
  const OwnStatus own;
  const int64_t size = FileSize(fs, path, own.get());
  if (own.ok()) return size;
  TF_SetStatus(status, TF_GetCode(own.get()), TF_Message(own.get()));
  return size;
}

int64_t SizeOfMissing(const TF_Filesystem* fs, const char* path,
                      TF_Status* status) {
  const int64_t size = FileSize(fs, path, status);
  if (TF_GetCode(status) != TF_NOT_FOUND) return size;
  Succeed(status);
  return 0;
}

// --- path_exists and paths_exist ---

void PrefixWillDo(PathCall call) {
  call.Right();
  if (TF_GetCode(call.status) != TF_NOT_FOUND) return;
  const std::string prefix = NameOf(call.path);
  for (const std::string& name : ListNames(call.fs, ParentOf(call.path))) {
    if (name.compare(0, prefix.size(), prefix) == 0) Succeed(call.status);
  }
}

void FilesOnly(PathCall call) {
  if (KindOf(call.fs, call.path) == Kind::kDirectory) {
    return TF_SetStatus(call.status, TF_NOT_FOUND, "no such file");
  }
  call.Right();
}

bool AskEach(const TF_Filesystem* fs, char** paths, int from, int to,
             TF_Status** statuses) {
  bool all = true;
  for (int i = from; i < to; ++i) {
    const OwnStatus own;
    TF_Status* status = statuses != nullptr ? statuses[i] : own.get();
    g_right.fs.path_exists(fs, paths[i], status);
    all = all && IsOk(status);
  }
  return all;
}

bool IgnoresLast(const TF_Filesystem* fs, char** paths, int num_files,
                 TF_Status** statuses) {
  AskEach(fs, paths, 0, num_files, statuses);
  return AskEach(fs, paths, 0, num_files - 1, nullptr);
}

bool SetsNoStatuses(const TF_Filesystem* fs, char** paths, int num_files,
                    TF_Status**) {
  return AskEach(fs, paths, 0, num_files, nullptr);
}

bool StopsAtMissing(const TF_Filesystem* fs, char** paths, int num_files,
                    TF_Status** statuses) {
  for (int i = 0; i < num_files; ++i) {
    if (!AskEach(fs, paths, i, i + 1, statuses)) return false;
  }
  return true;
}

bool AnyWillDo(const TF_Filesystem* fs, char** paths, int num_files,
               TF_Status** statuses) {
  bool any = num_files == 0;
  for (int i = 0; i < num_files; ++i) {
    any = AskEach(fs, paths, i, i + 1, statuses) || any;
  }
  return any;
}

bool NeedsStatuses(const TF_Filesystem* fs, char** paths, int num_files,
                   TF_Status** statuses) {
  bool all = true;
  for (int i = 0; i < num_files; ++i) {
    TF_Status* const status = *static_cast<TF_Status* volatile*>(statuses + i);
    g_right.fs.path_exists(fs, paths[i], status);
    all = all && IsOk(status);
  }
  return all;
}

}  // namespace

Changes AskingChanges() {
  return {
      {"posix.stat-length-in-blocks", Stats<InBlocks>},
      {"posix.stat-length-32-bits", Stats<In32Bits>},
      {"posix.stat-time-in-seconds", Stats<InSeconds>},
      {"posix.stat-directory-inverted", Stats<Inverted>},
      {"posix.stat-missing-is-ok", Put<&Fs::stat, StatMissingIsOk>},
      {"posix.stat-cached", Put<&Fs::stat, StatIsCached>},
      {"memory.stat-empty-is-negative", Stats<EmptyIsNegative>},
      {"memory.stat-without-time", Stats<WithoutTime>},
      {"memory.stat-clears-first", Put<&Fs::stat, StatClearsFirst>},
      {"memory.stat-missing-is-unknown",
       After<&Fs::stat, Recode<TF_NOT_FOUND, TF_UNKNOWN>>},
      {"memory.stat-no-directories", Put<&Fs::stat, StatNoDirectories>},
      {"posix.is-directory-true-for-missing",
       Put<&Fs::is_directory, TrueForMissing>},
      {"memory.is-directory-false-for-empty",
       Put<&Fs::is_directory, FalseForEmpty>},
      {"memory.is-directory-missing-is-ok",
       Put<&Fs::is_directory, MissingIsFile>},
      {"posix.size-of-directory-is-ok",
       Put<&Fs::get_file_size, SizeOfDirectory>},
      {"posix.size-in-pages", Put<&Fs::get_file_size, SizeOnePage>},
      {"memory.size-leaves-status", Put<&Fs::get_file_size, SizeWithoutStatus>},
      {"memory.size-of-missing-is-ok", Put<&Fs::get_file_size, SizeOfMissing>},
      {"posix.exists-for-prefix", OnPath<&Fs::path_exists, PrefixWillDo>},
      {"posix.exists-below-file-is-ok",
       After<&Fs::path_exists, Recode<TF_FAILED_PRECONDITION, TF_OK>>},
      {"memory.exists-not-for-directories",
       OnPath<&Fs::path_exists, FilesOnly>},
      {"memory.exists-for-missing",
       After<&Fs::path_exists, Recode<TF_NOT_FOUND, TF_OK>>},
      {"memory.missing-is-precondition",
       After<&Fs::path_exists, Recode<TF_NOT_FOUND, TF_FAILED_PRECONDITION>>},
      {"posix.all-exist-ignores-last", Put<&Fs::paths_exist, IgnoresLast>},
      {"posix.all-exist-sets-no-statuses",
       Put<&Fs::paths_exist, SetsNoStatuses>},
      {"posix.all-exist-stops-at-missing",
       Put<&Fs::paths_exist, StopsAtMissing>},
      {"memory.all-exist-if-any", Put<&Fs::paths_exist, AnyWillDo>},
      {"memory.all-exist-needs-statuses", Put<&Fs::paths_exist, NeedsStatuses>},
  };
}

}  // namespace mutants
