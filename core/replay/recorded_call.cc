#include "core/replay/recorded_call.h"

#include <tuple>
#include <type_traits>
#include <variant>

#include "core/tables/operations.h"
#include "fsload/filesystem_interface.h"

namespace fsload {
namespace {

// --- Arguments, by their types ---

void AddArgument(RecordedCall& record, const char* text) { record.Add(text); }
void AddArgument(RecordedCall& record, uint64_t number) { record.Add(number); }
void AddArgument(RecordedCall& record, const TF_TransactionToken* token) {
  record.Add(record.tokens.Of(token));
}
// Adds only the name, as the value may be secret.
void AddArgument(RecordedCall& record, const TF_Filesystem_Option* option) {
  record.Add(option->name);
}
// Does nothing: the operation fills these in.
void AddArgument(RecordedCall&, TF_Status*) {}
void AddArgument(RecordedCall&, TF_RandomAccessFile*) {}
void AddArgument(RecordedCall&, TF_WritableFile*) {}
void AddArgument(RecordedCall&, TF_ReadOnlyMemoryRegion*) {}
void AddArgument(RecordedCall&, TF_FileStatistics*) {}
void AddArgument(RecordedCall&, TF_TransactionToken**) {}
void AddArgument(RecordedCall&, TF_Filesystem_Option**) {}
void AddArgument(RecordedCall&, uint64_t*) {}
void AddArgument(RecordedCall&, int*) {}
void AddArgument(RecordedCall&, char*) {}
void AddArgument(RecordedCall&, char**) {}
void AddArgument(RecordedCall&, char***) {}

template <Op op>
void AddArguments(RecordedCall& record, const LayerCall& call) {
  std::apply([&](auto... each) { (AddArgument(record, each), ...); },
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

// --- Answers, by their types: what was filled in, then what was returned ---

template <typename Input>
void NoteOutput(RecordedCall&, Input, int) {}

void NoteOutput(RecordedCall& record, uint64_t* number, int) {
  record.call.values.push_back(static_cast<int64_t>(*number));
}

void NoteOutput(RecordedCall& record, TF_FileStatistics* found, int) {
  record.call.values = {found->length, found->mtime_nsec,
                        found->is_directory ? 1 : 0};
}

void NoteOutput(RecordedCall& record, TF_TransactionToken** token, int) {
  if (!record.ok()) return;
  const uint64_t number = record.tokens.Of(*token);
  record.call.values.push_back(static_cast<int64_t>(number));
}

void NoteOutput(RecordedCall& record, char*** entries, int count) {
  record.call.values.push_back(count);
  // Freed by the plugin if it failed (L660).
  if (!record.ok() || *entries == nullptr) return;
  for (int i = 0; i < count && (*entries)[i] != nullptr; ++i) {
    record.call.texts.emplace_back((*entries)[i]);
  }
}

template <Op op>
void NoteAnswer(RecordedCall& record, const LayerCall& call) {
  using Returned = ResultOf<op>;
  constexpr bool kIsCount = std::is_same_v<Returned, int>;
  [[maybe_unused]] int count = 0;
  if constexpr (kIsCount) count = call.Result<op>();
  std::apply([&](auto... each) { (NoteOutput(record, each, count), ...); },
             call.Arguments<op>());
  if constexpr (std::is_same_v<Returned, char*>) {
    const char* const text = call.Result<op>();
    if (text != nullptr) record.call.texts.emplace_back(text);
  } else if constexpr (!std::is_void_v<Returned> && !kIsCount) {
    record.call.values.push_back(static_cast<int64_t>(call.Result<op>()));
  }
}

template <>
void NoteAnswer<Op::kFilesystem_paths_exist>(RecordedCall& record,
                                             const LayerCall& call) {
  constexpr Op kOp = Op::kFilesystem_paths_exist;
  const auto& [paths, count, statuses] = call.Arguments<kOp>();
  record.call.values = {call.Result<kOp>() ? 1 : 0};
  for (int i = 0; i < count; ++i) {
    const bool told = statuses != nullptr;
    record.call.values.push_back(told ? TF_GetCode(statuses[i]) : TF_OK);
    if (told) record.call.texts.emplace_back(TF_Message(statuses[i]));
  }
}

template <>
void NoteAnswer<Op::kFilesystem_end_transaction>(RecordedCall& record,
                                                 const LayerCall& call) {
  if (record.ok()) return;
  record.tokens.PutBack(
      std::get<0>(call.Arguments<Op::kFilesystem_end_transaction>()),
      std::get<uint64_t>(record.call.arguments.front()));
}

template <>
void NoteAnswer<Op::kFilesystem_get_filesystem_configuration>(
    RecordedCall& record, const LayerCall& call) {
  const auto& [options, count, status] =
      call.Arguments<Op::kFilesystem_get_filesystem_configuration>();
  if (!record.ok() || *options == nullptr) return;
  for (int i = 0; i < *count; ++i) {
    const char* const name = (*options)[i].name;
    if (name != nullptr) record.call.texts.emplace_back(name);
  }
}

template <>
void NoteAnswer<Op::kFilesystem_get_filesystem_configuration_keys>(
    RecordedCall& record, const LayerCall& call) {
  const auto& [keys, count, status] =
      call.Arguments<Op::kFilesystem_get_filesystem_configuration_keys>();
  if (!record.ok() || *keys == nullptr) return;
  // One block of names, each null-terminated (L922).
  const char* name = *keys;
  for (int i = 0; i < *count; ++i) {
    name += record.call.texts.emplace_back(name).size() + 1;
  }
}

template <>
void NoteAnswer<Op::kRandomAccessFile_read>(RecordedCall& record,
                                            const LayerCall& call) {
  record.call.values = {call.Result<Op::kRandomAccessFile_read>()};
  const auto& [offset, n, buffer, status] =
      call.Arguments<Op::kRandomAccessFile_read>();
  const bool is_data = record.ok() || record.call.code == TF_OUT_OF_RANGE;
  const bool possible =
      call.bytes > 0 && static_cast<uint64_t>(call.bytes) <= n;
  if (!is_data || !possible) return;
  record.call.bytes = record.Contents(buffer, static_cast<size_t>(call.bytes));
}

template <>
void NoteAnswer<Op::kReadOnlyMemoryRegion_data>(RecordedCall& record,
                                                const LayerCall& call) {
  const void* const data = call.Result<Op::kReadOnlyMemoryRegion_data>();
  if (data == nullptr || call.bytes < 0) return;
  record.call.bytes = record.Contents(data, static_cast<size_t>(call.bytes));
}

using Notes = void(RecordedCall&, const LayerCall&);

constexpr struct {
  Notes* add_arguments;
  Notes* note_answer;
} kRecorded[] = {
#define FSLOAD_ROW(table, name, ...) \
  {&AddArguments<Op::k##table##_##name>, &NoteAnswer<Op::k##table##_##name>},
    FSLOAD_FOR_EACH_OPERATION(FSLOAD_ROW)
#undef FSLOAD_ROW
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
  kRecorded[static_cast<size_t>(passed.op)].add_arguments(*this, passed);
}

void RecordedCall::NoteAnswer(const LayerCall& passed) {
  kRecorded[static_cast<size_t>(passed.op)].note_answer(*this, passed);
}

std::string RecordedCall::Contents(const void* bytes, size_t n) const {
  if (n <= kMaxLineBytes) return {static_cast<const char*>(bytes), n};
  file.StopBefore(n);
  return "";
}

}  // namespace fsload
