#include "core/replay/recorded_call.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <type_traits>
#include <variant>

#include "core/tables/operations.h"
#include "fsload/filesystem_interface.h"

namespace fsload {
namespace {

// --- Arguments, by their type ---

void AddArgument(RecordedCall& record, const char* text) { record.Add(text); }
void AddArgument(RecordedCall& record, uint64_t number) { record.Add(number); }
void AddArgument(RecordedCall& record, const TF_TransactionToken* token) {
  record.Add(record.tokens.Of(token));
}
// Only the name, as the value may be secret.
void AddArgument(RecordedCall& record, const TF_Filesystem_Option* option) {
  record.Add(option->name);
}

template <typename Argument>
constexpr bool kIsInput =
    std::is_same_v<Argument, const char*> ||
    std::is_same_v<Argument, uint64_t> ||
    std::is_same_v<Argument, TF_TransactionToken*> ||
    std::is_same_v<Argument, const TF_TransactionToken*> ||
    std::is_same_v<Argument, const TF_Filesystem_Option*>;

template <typename Argument>
void AddInput(RecordedCall& record, Argument argument) {
  if constexpr (kIsInput<Argument>) AddArgument(record, argument);
}

template <Op op>
void AddArguments(RecordedCall& record, const LayerCall& call) {
  std::apply([&](auto... each) { (AddInput(record, each), ...); },
             call.Arguments<op>());
}

template <>
void AddArguments<Op::kWritableFile_append>(RecordedCall& record,
                                            const LayerCall& call) {
  const auto& [buffer, n, status] = call.Arguments<Op::kWritableFile_append>();
  record.Add(record.Contents(buffer, n));
}

template <>
void AddArguments<Op::kFilesystem_paths_exist>(RecordedCall& record,
                                               const LayerCall& call) {
  const auto& [paths, count, statuses] =
      call.Arguments<Op::kFilesystem_paths_exist>();
  for (int i = 0; i < count; ++i) record.Add(paths[i]);
}

template <>
void AddArguments<Op::kFilesystem_set_filesystem_configuration>(
    RecordedCall& record, const LayerCall& call) {
  const auto& [options, count, status] =
      call.Arguments<Op::kFilesystem_set_filesystem_configuration>();
  for (int i = 0; i < count; ++i) record.Add(options[i].name);
}

template <>
void AddArguments<Op::kFilesystem_end_transaction>(RecordedCall& record,
                                                   const LayerCall& call) {
  record.Add(record.tokens.Take(
      std::get<0>(call.Arguments<Op::kFilesystem_end_transaction>())));
}

using AddsArguments = void(RecordedCall&, const LayerCall&);

constexpr AddsArguments* kAddsArguments[] = {
#define FSLOAD_ROW(table, name, ...) &AddArguments<Op::k##table##_##name>,
    FSLOAD_FOR_EACH_OPERATION(FSLOAD_ROW)
#undef FSLOAD_ROW
};

// --- Answers ---

template <Op op>
void NoteResult(RecordedCall& record, const LayerCall& call) {
  record.call.values = {static_cast<int64_t>(call.Result<op>())};
}

template <Op op>
void NoteText(RecordedCall& record, const LayerCall& call) {
  const char* const text = call.Result<op>();
  if (text != nullptr) record.call.texts.emplace_back(text);
}

template <Op op>
void NoteToken(RecordedCall& record, const LayerCall& call) {
  if (!record.ok()) return;
  constexpr size_t kToken = std::tuple_size_v<ArgumentsOf<op>> - 2;
  const void* const token = *std::get<kToken>(call.Arguments<op>());
  record.call.values = {static_cast<int64_t>(record.tokens.Of(token))};
}

template <Op op>
void NoteEntries(RecordedCall& record, const LayerCall& call) {
  NoteResult<op>(record, call);
  char** const entries = *std::get<1>(call.Arguments<op>());
  // Freed by the plugin if it failed (L660).
  if (!record.ok() || entries == nullptr) return;
  for (int i = 0; i < call.Result<op>() && entries[i] != nullptr; ++i) {
    record.call.texts.emplace_back(entries[i]);
  }
}

void NoteStatistics(RecordedCall& record, const LayerCall& call) {
  const TF_FileStatistics& found =
      *std::get<1>(call.Arguments<Op::kFilesystem_stat>());
  record.call.values = {found.length, found.mtime_nsec,
                        found.is_directory ? 1 : 0};
}

void NoteUndeleted(RecordedCall& record, const LayerCall& call) {
  const auto& [path, files, folders, status] =
      call.Arguments<Op::kFilesystem_delete_recursively>();
  record.call.values = {static_cast<int64_t>(*files),
                        static_cast<int64_t>(*folders)};
}

void NoteWhichExist(RecordedCall& record, const LayerCall& call) {
  constexpr Op kOp = Op::kFilesystem_paths_exist;
  const auto& [paths, count, statuses] = call.Arguments<kOp>();
  NoteResult<kOp>(record, call);
  for (int i = 0; i < count; ++i) {
    const bool told = statuses != nullptr;
    record.call.values.push_back(told ? TF_GetCode(statuses[i]) : TF_OK);
    if (told) record.call.texts.emplace_back(TF_Message(statuses[i]));
  }
}

void KeepToken(RecordedCall& record, const LayerCall& call) {
  if (record.ok()) return;
  record.tokens.PutBack(
      std::get<0>(call.Arguments<Op::kFilesystem_end_transaction>()),
      std::get<uint64_t>(record.call.arguments.front()));
}

void NoteOptions(RecordedCall& record, const LayerCall& call) {
  const auto& [options, count, status] =
      call.Arguments<Op::kFilesystem_get_filesystem_configuration>();
  if (!record.ok() || *options == nullptr) return;
  for (int i = 0; i < *count; ++i) {
    const char* const name = (*options)[i].name;
    if (name != nullptr) record.call.texts.emplace_back(name);
  }
}

void NoteKeys(RecordedCall& record, const LayerCall& call) {
  const auto& [keys, count, status] =
      call.Arguments<Op::kFilesystem_get_filesystem_configuration_keys>();
  if (!record.ok() || *keys == nullptr) return;
  // One block of names, each null-terminated (L922).
  const char* name = *keys;
  for (int i = 0; i < *count; ++i) {
    name += record.call.texts.emplace_back(name).size() + 1;
  }
}

void NoteRead(RecordedCall& record, const LayerCall& call) {
  NoteResult<Op::kRandomAccessFile_read>(record, call);
  const auto& [offset, n, buffer, status] =
      call.Arguments<Op::kRandomAccessFile_read>();
  const bool is_data = record.ok() || record.call.code == TF_OUT_OF_RANGE;
  const bool possible =
      call.bytes > 0 && static_cast<uint64_t>(call.bytes) <= n;
  if (!is_data || !possible) return;
  record.call.bytes = record.Contents(buffer, static_cast<size_t>(call.bytes));
}

void NoteData(RecordedCall& record, const LayerCall& call) {
  const void* const data = call.Result<Op::kReadOnlyMemoryRegion_data>();
  if (data == nullptr || call.bytes < 0) return;
  record.call.bytes = record.Contents(data, static_cast<size_t>(call.bytes));
}

struct Answer {
  Op op;
  void (*note)(RecordedCall& record, const LayerCall& call);
};

// Of the operations that return more than a status.
constexpr Answer kAnswers[] = {
    {Op::kFilesystem_delete_recursively, &NoteUndeleted},
    {Op::kFilesystem_paths_exist, &NoteWhichExist},
    {Op::kFilesystem_stat, &NoteStatistics},
    {Op::kFilesystem_is_directory, &NoteResult<Op::kFilesystem_is_directory>},
    {Op::kFilesystem_get_file_size, &NoteResult<Op::kFilesystem_get_file_size>},
    {Op::kFilesystem_translate_name, &NoteText<Op::kFilesystem_translate_name>},
    {Op::kFilesystem_get_children, &NoteEntries<Op::kFilesystem_get_children>},
    {Op::kFilesystem_get_matching_paths,
     &NoteEntries<Op::kFilesystem_get_matching_paths>},
    {Op::kFilesystem_start_transaction,
     &NoteToken<Op::kFilesystem_start_transaction>},
    {Op::kFilesystem_end_transaction, &KeepToken},
    {Op::kFilesystem_get_transaction_for_path,
     &NoteToken<Op::kFilesystem_get_transaction_for_path>},
    {Op::kFilesystem_get_or_start_transaction_for_path,
     &NoteToken<Op::kFilesystem_get_or_start_transaction_for_path>},
    {Op::kFilesystem_decode_transaction_token,
     &NoteText<Op::kFilesystem_decode_transaction_token>},
    {Op::kFilesystem_get_filesystem_configuration, &NoteOptions},
    {Op::kFilesystem_get_filesystem_configuration_keys, &NoteKeys},
    {Op::kRandomAccessFile_read, &NoteRead},
    {Op::kWritableFile_tell, &NoteResult<Op::kWritableFile_tell>},
    {Op::kReadOnlyMemoryRegion_data, &NoteData},
    {Op::kReadOnlyMemoryRegion_length,
     &NoteResult<Op::kReadOnlyMemoryRegion_length>},
};

}  // namespace

RecordedCall::RecordedCall(const LayerCall& passed, uint64_t number,
                           TokenNumbers& numbers, JournalFile& journal)
    : tokens(numbers), file(journal) {
  call.file_system = number;
  call.op = passed.op;
  if (Describe(passed.op).table != Table::kFilesystem) {
    Add(std::string(passed.uri));
  }
  kAddsArguments[static_cast<size_t>(passed.op)](*this, passed);
}

void RecordedCall::NoteAnswer(const LayerCall& passed) {
  const auto* const found =
      std::find_if(std::begin(kAnswers), std::end(kAnswers),
                   [&](const Answer& each) { return each.op == passed.op; });
  if (found != std::end(kAnswers)) found->note(*this, passed);
}

std::string RecordedCall::Contents(const void* bytes, size_t n) const {
  if (n <= kMaxLineBytes) return {static_cast<const char*>(bytes), n};
  file.StopBefore(n);
  return "";
}

}  // namespace fsload
