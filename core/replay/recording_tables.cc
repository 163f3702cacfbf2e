#include "core/replay/recording_tables.h"

#include <cstdint>
#include <memory>

#include "core/replay/recorded_call.h"
#include "core/replay/recording.h"
#include "core/replay/recording_files.h"
#include "core/tables/operations.h"

namespace fsload {
namespace {

// --- Operations on paths ---

template <Op op>
void OnPath(const TF_Filesystem* filesystem, const char* path,
            TF_Status* status) {
  Recording& recording = RecordingOf(filesystem);
  RecordedCall call(recording, op, status, path);
  call.Run([&] {
    FunctionOf<op>(recording.tables)(&recording.filesystem, path, status);
  });
}

template <Op op>
void OnTwoPaths(const TF_Filesystem* filesystem, const char* src,
                const char* dst, TF_Status* status) {
  Recording& recording = RecordingOf(filesystem);
  RecordedCall call(recording, op, status, src, dst);
  call.Run([&] {
    FunctionOf<op>(recording.tables)(&recording.filesystem, src, dst, status);
  });
}

template <Op op>
auto Question(const TF_Filesystem* filesystem, const char* path,
              TF_Status* status) {
  Recording& recording = RecordingOf(filesystem);
  RecordedCall call(recording, op, status, path);
  return call.Run(
      [&] {
        return FunctionOf<op>(recording.tables)(&recording.filesystem, path,
                                                status);
      },
      [](JournalCall& record, auto answer) {
        record.values = {static_cast<int64_t>(answer)};
      });
}

void Stat(const TF_Filesystem* filesystem, const char* path,
          TF_FileStatistics* statistics, TF_Status* status) {
  Recording& recording = RecordingOf(filesystem);
  RecordedCall call(recording, Op::kFilesystem_stat, status, path);
  call.Run(
      [&] {
        recording.tables.filesystem.stat(&recording.filesystem, path,
                                         statistics, status);
      },
      [&](JournalCall& record) {
        record.values = {statistics->length, statistics->mtime_nsec,
                         statistics->is_directory ? 1 : 0};
      });
}

void DeleteRecursively(const TF_Filesystem* filesystem, const char* path,
                       uint64_t* files, uint64_t* folders, TF_Status* status) {
  Recording& recording = RecordingOf(filesystem);
  RecordedCall call(recording, Op::kFilesystem_delete_recursively, status,
                    path);
  call.Run(
      [&] {
        recording.tables.filesystem.delete_recursively(
            &recording.filesystem, path, files, folders, status);
      },
      [&](JournalCall& record) {
        record.values = {static_cast<int64_t>(*files),
                         static_cast<int64_t>(*folders)};
      });
}

bool PathsExist(const TF_Filesystem* filesystem, char** paths, int num_files,
                TF_Status** statuses) {
  Recording& recording = RecordingOf(filesystem);
  RecordedCall call(recording, Op::kFilesystem_paths_exist, nullptr);
  for (int i = 0; i < num_files; ++i) call.Add(paths[i]);
  return call.Run(
      [&] {
        return recording.tables.filesystem.paths_exist(
            &recording.filesystem, paths, num_files, statuses);
      },
      [&](JournalCall& record, bool all) {
        const StatusReader reader(recording.tables.status);
        record.values = {all ? 1 : 0};
        for (int i = 0; i < num_files; ++i) {
          const bool told = statuses != nullptr;
          record.values.push_back(told ? reader.Code(statuses[i]) : TF_OK);
          if (told) record.texts.push_back(reader.Message(statuses[i]));
        }
      });
}

char* TranslateName(const TF_Filesystem* filesystem, const char* uri) {
  Recording& recording = RecordingOf(filesystem);
  RecordedCall call(recording, Op::kFilesystem_translate_name, nullptr, uri);
  return call.Run(
      [&] {
        return recording.tables.filesystem.translate_name(&recording.filesystem,
                                                          uri);
      },
      &NoteText);
}

template <Op op>
int Names(const TF_Filesystem* filesystem, const char* path, char*** entries,
          TF_Status* status) {
  Recording& recording = RecordingOf(filesystem);
  RecordedCall call(recording, op, status, path);
  return call.Run(
      [&] {
        return FunctionOf<op>(recording.tables)(&recording.filesystem, path,
                                                entries, status);
      },
      [&](JournalCall& record, int count) {
        record.values = {count};
        // Freed by the plugin if it failed (L660).
        if (record.code != TF_OK || *entries == nullptr) return;
        for (int i = 0; i < count && (*entries)[i] != nullptr; ++i) {
          record.texts.emplace_back((*entries)[i]);
        }
      });
}

void FlushCaches(const TF_Filesystem* filesystem) {
  Recording& recording = RecordingOf(filesystem);
  RecordedCall call(recording, Op::kFilesystem_flush_caches, nullptr);
  call.Run(
      [&] { recording.tables.filesystem.flush_caches(&recording.filesystem); });
}

// --- Transactions ---

int StartTransaction(const TF_Filesystem* filesystem,
                     TF_TransactionToken** token, TF_Status* status) {
  Recording& recording = RecordingOf(filesystem);
  RecordedCall call(recording, Op::kFilesystem_start_transaction, status);
  return call.Run(
      [&] {
        return recording.tables.filesystem.start_transaction(
            &recording.filesystem, token, status);
      },
      [&](JournalCall& record, int) { call.NoteToken(record, *token); });
}

int EndTransaction(const TF_Filesystem* filesystem, TF_TransactionToken* token,
                   TF_Status* status) {
  Recording& recording = RecordingOf(filesystem);
  RecordedCall call(recording, Op::kFilesystem_end_transaction, status);
  call.Add(recording.tokens.Of(token));
  return call.Run(
      [&] {
        return recording.tables.filesystem.end_transaction(
            &recording.filesystem, token, status);
      },
      [&](JournalCall& record, int) {
        if (record.code == TF_OK) recording.tokens.Forget(token);
      });
}

int AddToTransaction(const TF_Filesystem* filesystem, const char* path,
                     TF_TransactionToken* token, TF_Status* status) {
  Recording& recording = RecordingOf(filesystem);
  RecordedCall call(recording, Op::kFilesystem_add_to_transaction, status,
                    path);
  call.Add(recording.tokens.Of(token));
  return call.Run([&] {
    return recording.tables.filesystem.add_to_transaction(&recording.filesystem,
                                                          path, token, status);
  });
}

template <Op op>
int TokenFor(const TF_Filesystem* filesystem, const char* path,
             TF_TransactionToken** token, TF_Status* status) {
  Recording& recording = RecordingOf(filesystem);
  RecordedCall call(recording, op, status, path);
  return call.Run(
      [&] {
        return FunctionOf<op>(recording.tables)(&recording.filesystem, path,
                                                token, status);
      },
      [&](JournalCall& record, int) { call.NoteToken(record, *token); });
}

char* DecodeToken(const TF_Filesystem* filesystem,
                  const TF_TransactionToken* token) {
  Recording& recording = RecordingOf(filesystem);
  RecordedCall call(recording, Op::kFilesystem_decode_transaction_token,
                    nullptr);
  call.Add(recording.tokens.Of(token));
  return call.Run(
      [&] {
        return recording.tables.filesystem.decode_transaction_token(
            &recording.filesystem, token);
      },
      &NoteText);
}

// --- Configuration: names only, as values may be secret ---

void NoteNames(JournalCall& record, const TF_Filesystem_Option* options,
               int count) {
  if (record.code != TF_OK || options == nullptr) return;
  for (int i = 0; i < count; ++i) {
    if (options[i].name != nullptr) record.texts.emplace_back(options[i].name);
  }
}

void GetConfiguration(const TF_Filesystem* filesystem,
                      TF_Filesystem_Option** options, int* count,
                      TF_Status* status) {
  Recording& recording = RecordingOf(filesystem);
  RecordedCall call(recording, Op::kFilesystem_get_filesystem_configuration,
                    status);
  call.Run(
      [&] {
        recording.tables.filesystem.get_filesystem_configuration(
            &recording.filesystem, options, count, status);
      },
      [&](JournalCall& record) { NoteNames(record, *options, *count); });
}

void SetConfiguration(const TF_Filesystem* filesystem,
                      const TF_Filesystem_Option* options, int count,
                      TF_Status* status) {
  Recording& recording = RecordingOf(filesystem);
  RecordedCall call(recording, Op::kFilesystem_set_filesystem_configuration,
                    status);
  for (int i = 0; i < count; ++i) call.Add(options[i].name);
  call.Run([&] {
    recording.tables.filesystem.set_filesystem_configuration(
        &recording.filesystem, options, count, status);
  });
}

void GetOption(const TF_Filesystem* filesystem, const char* key,
               TF_Filesystem_Option** option, TF_Status* status) {
  Recording& recording = RecordingOf(filesystem);
  RecordedCall call(recording,
                    Op::kFilesystem_get_filesystem_configuration_option, status,
                    key);
  call.Run([&] {
    recording.tables.filesystem.get_filesystem_configuration_option(
        &recording.filesystem, key, option, status);
  });
}

void SetOption(const TF_Filesystem* filesystem,
               const TF_Filesystem_Option* option, TF_Status* status) {
  Recording& recording = RecordingOf(filesystem);
  RecordedCall call(recording,
                    Op::kFilesystem_set_filesystem_configuration_option, status,
                    option->name);
  call.Run([&] {
    recording.tables.filesystem.set_filesystem_configuration_option(
        &recording.filesystem, option, status);
  });
}

void GetKeys(const TF_Filesystem* filesystem, char** keys, int* count,
             TF_Status* status) {
  Recording& recording = RecordingOf(filesystem);
  RecordedCall call(recording,
                    Op::kFilesystem_get_filesystem_configuration_keys, status);
  call.Run(
      [&] {
        recording.tables.filesystem.get_filesystem_configuration_keys(
            &recording.filesystem, keys, count, status);
      },
      [&](JournalCall& record) {
        if (record.code != TF_OK || *keys == nullptr) return;
        // One block of names, each null-terminated (L922).
        const char* name = *keys;
        for (int i = 0; i < *count; ++i) {
          name += record.texts.emplace_back(name).size() + 1;
        }
      });
}

// --- Its own life ---

// The inner file system has been initialised already.
void Init(TF_Filesystem*, TF_Status*) {}

void Cleanup(TF_Filesystem* filesystem) {
  const std::unique_ptr<Recording> recording(&RecordingOf(filesystem));
  RecordedCall call(*recording, Op::kFilesystem_cleanup, nullptr);
  call.Run([&] { recording->inner.reset(); });
}

}  // namespace

uint64_t TokenNumbers::Of(const void* token) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto [found, is_new] = numbers_.emplace(token, next_);
  if (is_new) ++next_;
  return found->second;
}

void TokenNumbers::Forget(const void* token) {
  const std::lock_guard<std::mutex> lock(mutex_);
  numbers_.erase(token);
}

SchemeTables RecordingTables(const SchemeTables& inner) {
  SchemeTables tables = inner;
  RecordFiles(tables);
  TF_FilesystemOps& ops = tables.filesystem;
  ops.init = &Init;
  ops.cleanup = &Cleanup;
#define FSLOAD_RECORD(operation, function) \
  if (ops.operation != nullptr) ops.operation = &function
#define FSLOAD_RECORD_AS(operation, function) \
  FSLOAD_RECORD(operation, function<Op::kFilesystem_##operation>)
  FSLOAD_RECORD_AS(create_dir, OnPath);
  FSLOAD_RECORD_AS(recursively_create_dir, OnPath);
  FSLOAD_RECORD_AS(delete_file, OnPath);
  FSLOAD_RECORD_AS(delete_dir, OnPath);
  FSLOAD_RECORD(delete_recursively, DeleteRecursively);
  FSLOAD_RECORD_AS(rename_file, OnTwoPaths);
  FSLOAD_RECORD_AS(copy_file, OnTwoPaths);
  FSLOAD_RECORD_AS(path_exists, OnPath);
  FSLOAD_RECORD(paths_exist, PathsExist);
  FSLOAD_RECORD(stat, Stat);
  FSLOAD_RECORD_AS(is_directory, Question);
  FSLOAD_RECORD_AS(get_file_size, Question);
  FSLOAD_RECORD(translate_name, TranslateName);
  FSLOAD_RECORD_AS(get_children, Names);
  FSLOAD_RECORD_AS(get_matching_paths, Names);
  FSLOAD_RECORD(flush_caches, FlushCaches);
  FSLOAD_RECORD(start_transaction, StartTransaction);
  FSLOAD_RECORD(end_transaction, EndTransaction);
  FSLOAD_RECORD(add_to_transaction, AddToTransaction);
  FSLOAD_RECORD_AS(get_transaction_for_path, TokenFor);
  FSLOAD_RECORD_AS(get_or_start_transaction_for_path, TokenFor);
  FSLOAD_RECORD(decode_transaction_token, DecodeToken);
  FSLOAD_RECORD(get_filesystem_configuration, GetConfiguration);
  FSLOAD_RECORD(set_filesystem_configuration, SetConfiguration);
  FSLOAD_RECORD(get_filesystem_configuration_option, GetOption);
  FSLOAD_RECORD(set_filesystem_configuration_option, SetOption);
  FSLOAD_RECORD(get_filesystem_configuration_keys, GetKeys);
#undef FSLOAD_RECORD_AS
#undef FSLOAD_RECORD
  return tables;
}

}  // namespace fsload
