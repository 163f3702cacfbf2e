#include "core/replay/replaying_tables.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <vector>

#include "core/replay/replaying.h"
#include "core/tables/op_needs.h"
#include "core/tables/operations.h"

namespace fsload {
namespace {

bool IsOk(const JournalCall* answer) {
  return answer != nullptr && answer->code == TF_OK;
}

// A call that is answered by the types of its arguments: those that go in are
// put, the journal is asked, then those that come out are taken.
class ReplayedCall final {
 public:
  ReplayedCall(const TF_Filesystem* filesystem, Op op)
      : replaying_(ReplayingOf(filesystem)), query_(replaying_, op) {}

  void Put(const char* text) { query_.Add(text); }
  void Put(const TF_TransactionToken* token) {
    query_.Add(ReplayedTokens::NumberOf(token));
  }
  void Put(const TF_Filesystem_Option* option) { query_.Add(option->name); }
  void Put(TF_Status* status) { status_ = status; }
  // Does nothing: these come out.
  void Put(TF_FileStatistics*) {}
  void Put(char***) {}
  void Put(TF_TransactionToken**) {}
  void Put(TF_Filesystem_Option**) {}
  void Put(int*) {}

  void Ask() {
    answer_ = status_ != nullptr ? query_.Answer(status_) : query_.Answer();
  }

  template <typename Input>
  void Take(Input) {}
  void Take(TF_FileStatistics* statistics) {
    if (!IsOk(answer_)) return;
    statistics->length = Next();
    statistics->mtime_nsec = Next();
    statistics->is_directory = Next() != 0;
  }
  void Take(TF_TransactionToken** token) {
    if (!IsOk(answer_)) return;
    *token = replaying_.tokens.Of(static_cast<uint64_t>(Next()));
  }
  void Take(TF_Filesystem_Option**) {
    if (!IsOk(answer_)) return;
    TF_SetStatus(status_, TF_UNAVAILABLE,
                 "values of options, which may be secret, are not recorded");
  }
  void Take(char*** entries);

  // Returns what the operation returned: -1, false or null without an answer.
  // Call it when all is taken.
  template <typename Returned>
  Returned Result() {
    if constexpr (std::is_same_v<Returned, char*>) {
      const bool has_text = answer_ != nullptr && !answer_->texts.empty();
      return has_text ? ReplayedText(answer_->texts[0]) : nullptr;
    } else if constexpr (std::is_same_v<Returned, int>) {
      return IsOk(answer_) ? listed_ : -1;
    } else if constexpr (std::is_same_v<Returned, bool>) {
      return IsOk(answer_) && Next() != 0;
    } else if constexpr (!std::is_void_v<Returned>) {
      return IsOk(answer_) ? Next() : -1;
    }
  }

 private:
  int64_t Next() { return answer_->values[taken_++]; }

  Replaying& replaying_;
  ReplayQuery query_;
  TF_Status* status_ = nullptr;
  const JournalCall* answer_ = nullptr;
  size_t taken_ = 0;  // of its values
  int listed_ = 0;    // entries
};

void ReplayedCall::Take(char*** entries) {
  if (!IsOk(answer_)) return;
  const std::vector<std::string>& names = answer_->texts;
  const int64_t count = Next();
  if (count < 0) {
    listed_ = -1;
    return;
  }
  // If fewer names were recorded, null was listed after them.
  const size_t listed =
      names.size() + (static_cast<uint64_t>(count) > names.size() ? 1 : 0);
  *entries =
      static_cast<char**>(AllocateReplayed((listed + 1) * sizeof(char*)));
  std::fill_n(*entries, listed + 1, nullptr);
  std::transform(names.begin(), names.end(), *entries, &ReplayedText);
  listed_ = static_cast<int>(listed);
}

template <Op op, typename Function>
struct Replay;

template <Op op, typename Returned, typename... Arguments>
struct Replay<op, Returned (*)(const TF_Filesystem*, Arguments...)> {
  static Returned Call(const TF_Filesystem* filesystem,
                       Arguments... arguments) {
    ReplayedCall call(filesystem, op);
    (call.Put(arguments), ...);
    call.Ask();
    (call.Take(arguments), ...);
    return call.Result<Returned>();
  }
};

// --- Those that are not like the others ---

void Init(TF_Filesystem*, TF_Status*) {}

void Cleanup(TF_Filesystem* filesystem) { delete &ReplayingOf(filesystem); }

void DeleteRecursively(const TF_Filesystem* filesystem, const char* path,
                       uint64_t* files, uint64_t* folders, TF_Status* status) {
  const JournalCall* const answer =
      ReplayQuery(ReplayingOf(filesystem), Op::kFilesystem_delete_recursively,
                  path)
          .Answer(status);
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

void SetConfiguration(const TF_Filesystem* filesystem,
                      const TF_Filesystem_Option* options, int count,
                      TF_Status* status) {
  ReplayQuery call(ReplayingOf(filesystem),
                   Op::kFilesystem_set_filesystem_configuration);
  for (int i = 0; i < count; ++i) call.Add(options[i].name);
  call.Answer(status);
}

void GetKeys(const TF_Filesystem* filesystem, char** keys, int* count,
             TF_Status* status) {
  const JournalCall* const answer =
      ReplayQuery(ReplayingOf(filesystem),
                  Op::kFilesystem_get_filesystem_configuration_keys)
          .Answer(status);
  if (!IsOk(answer)) return;
  // One block of names, each null-terminated (L922).
  std::string block;
  for (const std::string& name : answer->texts) block += name + '\0';
  *keys = ReplayedText(block);
  *count = static_cast<int>(answer->texts.size());
}

template <Op op>
constexpr auto kReplay = &Replay<op, FunctionTypeOf<op>>::Call;
template <>
constexpr auto kReplay<Op::kFilesystem_init> = &Init;
template <>
constexpr auto kReplay<Op::kFilesystem_cleanup> = &Cleanup;
template <>
constexpr auto kReplay<Op::kFilesystem_delete_recursively> = &DeleteRecursively;
template <>
constexpr auto kReplay<Op::kFilesystem_paths_exist> = &PathsExist;
template <>
constexpr auto kReplay<Op::kFilesystem_translate_name> = &TranslateName;
template <>
constexpr auto kReplay<Op::kFilesystem_set_filesystem_configuration> =
    &SetConfiguration;
template <>
constexpr auto kReplay<Op::kFilesystem_get_filesystem_configuration_keys> =
    &GetKeys;

}  // namespace

SchemeTables ReplayingTables(const JournalFileSystem& recorded) {
  SchemeTables tables;
  ForEachFilesystemOp([&](auto op) { SlotOf<op>(tables) = kReplay<op>; });
  ReplayFiles(tables);
  tables.memory = {&AllocateReplayed, &std::free};
  tables = OnlyWith(tables, recorded.operations);
  tables.traits = recorded.traits;
  // What is here was not recorded.
  tables.traits.has_local_paths = false;
  return tables;
}

}  // namespace fsload
