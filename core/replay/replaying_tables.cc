#include "core/replay/replaying_tables.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/replay/replaying.h"
#include "core/tables/operations.h"

namespace fsload {
namespace {

bool IsOk(const JournalCall* answer) {
  return answer != nullptr && answer->code == TF_OK;
}

// Returns the answer to a call of `op`, whose status it sets, as
// ReplayQuery::Answer does.
template <typename... Arguments>
const JournalCall* Ask(const TF_Filesystem* filesystem, Op op,
                       TF_Status* status, const Arguments&... arguments) {
  return ReplayQuery(ReplayingOf(filesystem), op, arguments...).Answer(status);
}

// --- Operations on paths ---

template <Op op>
void OnPath(const TF_Filesystem* filesystem, const char* path,
            TF_Status* status) {
  Ask(filesystem, op, status, path);
}

template <Op op>
void OnTwoPaths(const TF_Filesystem* filesystem, const char* src,
                const char* dst, TF_Status* status) {
  Ask(filesystem, op, status, src, dst);
}

void Stat(const TF_Filesystem* filesystem, const char* path,
          TF_FileStatistics* statistics, TF_Status* status) {
  const JournalCall* const answer =
      Ask(filesystem, Op::kFilesystem_stat, status, path);
  if (!IsOk(answer)) return;
  *statistics = {answer->values[0], answer->values[1], answer->values[2] != 0};
}

bool IsDirectory(const TF_Filesystem* filesystem, const char* path,
                 TF_Status* status) {
  const JournalCall* const answer =
      Ask(filesystem, Op::kFilesystem_is_directory, status, path);
  return IsOk(answer) && answer->values[0] != 0;
}

int64_t GetFileSize(const TF_Filesystem* filesystem, const char* path,
                    TF_Status* status) {
  const JournalCall* const answer =
      Ask(filesystem, Op::kFilesystem_get_file_size, status, path);
  return IsOk(answer) ? answer->values[0] : -1;
}

void DeleteRecursively(const TF_Filesystem* filesystem, const char* path,
                       uint64_t* files, uint64_t* folders, TF_Status* status) {
  const JournalCall* const answer =
      Ask(filesystem, Op::kFilesystem_delete_recursively, status, path);
  // An error has counts, too, unless it was never recorded.
  const bool counted = answer != nullptr && answer->values.size() == 2;
  *files = counted ? static_cast<uint64_t>(answer->values[0]) : 0;
  *folders = counted ? static_cast<uint64_t>(answer->values[1]) : 1;
}

bool PathsExist(const TF_Filesystem* filesystem, char** paths, int num_files,
                TF_Status** statuses) {
  ReplayQuery call(ReplayingOf(filesystem), Op::kFilesystem_paths_exist);
  for (int i = 0; i < num_files; ++i) call.Add(paths[i]);
  if (statuses == nullptr || num_files == 0) {
    const JournalCall* const answer = call.Answer();
    return answer != nullptr && answer->values[0] != 0;
  }
  const JournalCall* const answer = call.Answer(statuses[0]);
  for (int i = 0; i < num_files; ++i) {
    if (!IsOk(answer)) {
      const std::string why = TF_Message(statuses[0]);
      TF_SetStatus(statuses[i], TF_GetCode(statuses[0]), why.c_str());
      continue;
    }
    const int64_t code = answer->values[static_cast<size_t>(i) + 1];
    const bool known = code >= TF_OK && code <= TF_UNAUTHENTICATED;
    TF_SetStatus(statuses[i], known ? static_cast<TF_Code>(code) : TF_UNKNOWN,
                 answer->texts.empty()
                     ? ""
                     : answer->texts[static_cast<size_t>(i)].c_str());
  }
  return IsOk(answer) && answer->values[0] != 0;
}

char* TranslateName(const TF_Filesystem* filesystem, const char* uri) {
  const JournalCall* const answer =
      ReplayQuery(ReplayingOf(filesystem), Op::kFilesystem_translate_name, uri)
          .Answer();
  // No status can say that this was not recorded: the operation that follows
  // will.
  if (answer == nullptr) {
    const Replaying& replaying = ReplayingOf(filesystem);
    return ReplayedText(
        std::string(replaying.journal->PathOf(replaying.scheme, uri)));
  }
  return answer->texts.empty() ? nullptr : ReplayedText(answer->texts[0]);
}

template <Op op>
int Names(const TF_Filesystem* filesystem, const char* path, char*** entries,
          TF_Status* status) {
  const JournalCall* const answer = Ask(filesystem, op, status, path);
  if (!IsOk(answer)) return -1;
  const std::vector<std::string>& names = answer->texts;
  const int64_t count = answer->values[0];
  if (count < 0) return -1;
  // If fewer names were recorded, null was listed after them.
  const size_t listed =
      names.size() + (static_cast<uint64_t>(count) > names.size() ? 1 : 0);
  *entries =
      static_cast<char**>(AllocateReplayed((listed + 1) * sizeof(char*)));
  std::fill_n(*entries, listed + 1, nullptr);
  std::transform(names.begin(), names.end(), *entries, &ReplayedText);
  return static_cast<int>(listed);
}

void FlushCaches(const TF_Filesystem*) {}

// --- Transactions ---

int TakeToken(const TF_Filesystem* filesystem, const JournalCall* answer,
              TF_TransactionToken** token) {
  if (!IsOk(answer)) return -1;
  *token = ReplayingOf(filesystem)
               .tokens.Of(static_cast<uint64_t>(answer->values[0]));
  return 0;
}

int StartTransaction(const TF_Filesystem* filesystem,
                     TF_TransactionToken** token, TF_Status* status) {
  return TakeToken(filesystem,
                   Ask(filesystem, Op::kFilesystem_start_transaction, status),
                   token);
}

int EndTransaction(const TF_Filesystem* filesystem, TF_TransactionToken* token,
                   TF_Status* status) {
  const JournalCall* const answer =
      Ask(filesystem, Op::kFilesystem_end_transaction, status,
          ReplayedTokens::NumberOf(token));
  return IsOk(answer) ? 0 : -1;
}

int AddToTransaction(const TF_Filesystem* filesystem, const char* path,
                     TF_TransactionToken* token, TF_Status* status) {
  const JournalCall* const answer =
      Ask(filesystem, Op::kFilesystem_add_to_transaction, status, path,
          ReplayedTokens::NumberOf(token));
  return IsOk(answer) ? 0 : -1;
}

template <Op op>
int TokenFor(const TF_Filesystem* filesystem, const char* path,
             TF_TransactionToken** token, TF_Status* status) {
  return TakeToken(filesystem, Ask(filesystem, op, status, path), token);
}

char* DecodeToken(const TF_Filesystem* filesystem,
                  const TF_TransactionToken* token) {
  const JournalCall* const answer =
      ReplayQuery(ReplayingOf(filesystem),
                  Op::kFilesystem_decode_transaction_token,
                  ReplayedTokens::NumberOf(token))
          .Answer();
  if (answer == nullptr || answer->texts.empty()) return nullptr;
  return ReplayedText(answer->texts[0]);
}

// --- Configuration ---

void ValuesAreNotRecorded(const JournalCall* answer, TF_Status* status) {
  if (!IsOk(answer)) return;
  TF_SetStatus(status, TF_UNAVAILABLE,
               "values of options, which may be secret, are not recorded");
}

void GetConfiguration(const TF_Filesystem* filesystem, TF_Filesystem_Option**,
                      int*, TF_Status* status) {
  constexpr Op kOp = Op::kFilesystem_get_filesystem_configuration;
  ValuesAreNotRecorded(Ask(filesystem, kOp, status), status);
}

void SetConfiguration(const TF_Filesystem* filesystem,
                      const TF_Filesystem_Option* options, int count,
                      TF_Status* status) {
  ReplayQuery call(ReplayingOf(filesystem),
                   Op::kFilesystem_set_filesystem_configuration);
  for (int i = 0; i < count; ++i) call.Add(options[i].name);
  call.Answer(status);
}

void GetOption(const TF_Filesystem* filesystem, const char* key,
               TF_Filesystem_Option**, TF_Status* status) {
  constexpr Op kOp = Op::kFilesystem_get_filesystem_configuration_option;
  ValuesAreNotRecorded(Ask(filesystem, kOp, status, key), status);
}

void SetOption(const TF_Filesystem* filesystem,
               const TF_Filesystem_Option* option, TF_Status* status) {
  Ask(filesystem, Op::kFilesystem_set_filesystem_configuration_option, status,
      option->name);
}

void GetKeys(const TF_Filesystem* filesystem, char** keys, int* count,
             TF_Status* status) {
  const JournalCall* const answer = Ask(
      filesystem, Op::kFilesystem_get_filesystem_configuration_keys, status);
  if (!IsOk(answer)) return;
  // One block of names, each null-terminated (L922).
  std::string block;
  for (const std::string& name : answer->texts) block += name + '\0';
  *keys = ReplayedText(block);
  *count = static_cast<int>(answer->texts.size());
}

// --- Its own life ---

void Init(TF_Filesystem*, TF_Status*) {}

void Cleanup(TF_Filesystem* filesystem) { delete &ReplayingOf(filesystem); }

SchemeTables AllTables() {
  SchemeTables tables;
  TF_FilesystemOps& ops = tables.filesystem;
  ops.init = &Init;
  ops.cleanup = &Cleanup;
  ops.create_dir = &OnPath<Op::kFilesystem_create_dir>;
  ops.recursively_create_dir = &OnPath<Op::kFilesystem_recursively_create_dir>;
  ops.delete_file = &OnPath<Op::kFilesystem_delete_file>;
  ops.delete_dir = &OnPath<Op::kFilesystem_delete_dir>;
  ops.delete_recursively = &DeleteRecursively;
  ops.rename_file = &OnTwoPaths<Op::kFilesystem_rename_file>;
  ops.copy_file = &OnTwoPaths<Op::kFilesystem_copy_file>;
  ops.path_exists = &OnPath<Op::kFilesystem_path_exists>;
  ops.paths_exist = &PathsExist;
  ops.stat = &Stat;
  ops.is_directory = &IsDirectory;
  ops.get_file_size = &GetFileSize;
  ops.translate_name = &TranslateName;
  ops.get_children = &Names<Op::kFilesystem_get_children>;
  ops.get_matching_paths = &Names<Op::kFilesystem_get_matching_paths>;
  ops.flush_caches = &FlushCaches;
  ops.start_transaction = &StartTransaction;
  ops.end_transaction = &EndTransaction;
  ops.add_to_transaction = &AddToTransaction;
  ops.get_transaction_for_path =
      &TokenFor<Op::kFilesystem_get_transaction_for_path>;
  ops.get_or_start_transaction_for_path =
      &TokenFor<Op::kFilesystem_get_or_start_transaction_for_path>;
  ops.decode_transaction_token = &DecodeToken;
  ops.get_filesystem_configuration = &GetConfiguration;
  ops.set_filesystem_configuration = &SetConfiguration;
  ops.get_filesystem_configuration_option = &GetOption;
  ops.set_filesystem_configuration_option = &SetOption;
  ops.get_filesystem_configuration_keys = &GetKeys;
  ReplayFiles(tables);
  tables.memory = {&AllocateReplayed, &std::free};
  return tables;
}

}  // namespace

SchemeTables ReplayingTables(const JournalFileSystem& recorded) {
  SchemeTables tables = OnlyWith(AllTables(), recorded.operations);
  tables.traits = recorded.traits;
  // What is here was not recorded.
  tables.traits.has_local_paths = false;
  return tables;
}

}  // namespace fsload
