#include "loader/isolation/forwarding_tables.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/calls/plugin_strings.h"
#include "core/file_system/configuration.h"
#include "core/tables/operations.h"
#include "loader/isolation/forwarding.h"
#include "loader/isolation/option_fields.h"
#include "loader/isolation/payload_fields.h"

namespace fsload {
namespace {

// All file wrappers consist of one pointer, under several names.
template <typename File>
IsolatedFile& Opened(const File* file) {
  const auto& [pointer] = *file;
  return *static_cast<IsolatedFile*>(pointer);
}

// The operations of the first table whose arguments cannot be put and taken by
// their types.
constexpr bool IsSpecial(Op op) {
  return op == Op::kFilesystem_paths_exist ||
         op == Op::kFilesystem_end_transaction ||
         op == Op::kFilesystem_get_filesystem_configuration ||
         op == Op::kFilesystem_set_filesystem_configuration ||
         op == Op::kFilesystem_get_filesystem_configuration_option ||
         op == Op::kFilesystem_get_filesystem_configuration_keys;
}

// The other operations; null for one that neither of the following describes.
template <Op op, typename Function>
struct Forward {
  static constexpr Function Call = nullptr;
};

template <Op op, typename Returned, typename... Arguments>
struct Forward<op, Returned (*)(const TF_Filesystem*, Arguments...)> {
  static Returned Call(const TF_Filesystem* filesystem,
                       Arguments... arguments) {
    ForwardedCall call(IsolatedSchemeOf(filesystem), op);
    (call.Put(arguments), ...);
    call.Make();
    (call.Take(arguments), ...);
    return call.Result<Returned>();
  }
};

template <Op op, typename Returned>
struct Forward<op, Returned (*)(const TF_WritableFile*, TF_Status*)> {
  static Returned Call(const TF_WritableFile* file, TF_Status* status) {
    const IsolatedFile& opened = Opened(file);
    ForwardedCall call(opened.scheme, op);
    call.Put(status);
    call.MakeOn(opened);
    return call.Result<Returned>();
  }
};

// --- The file system ---

void Init(TF_Filesystem* filesystem, TF_Status*) {
  IsolatedSchemeOf(filesystem).filesystem = filesystem;
}

void Cleanup(TF_Filesystem* filesystem) {
  const std::unique_ptr<IsolatedScheme> scheme(&IsolatedSchemeOf(filesystem));
  scheme->worker->ForgetConfiguration(scheme->index);
  std::shared_ptr<WorkerProcess> process = scheme->worker->Current();
  if (process == nullptr) return;
  ForwardedCall(*scheme, Op::kFilesystem_cleanup).MakeIn(std::move(process));
}

bool PathsExist(const TF_Filesystem* filesystem, char** paths, int num_files,
                TF_Status** statuses) {
  ForwardedCall call(IsolatedSchemeOf(filesystem), Op::kFilesystem_paths_exist);
  const int count = std::max(num_files, 0);
  call.Put(uint64_t{statuses != nullptr});
  call.Put(count);
  for (int i = 0; i < count; ++i) {
    call.Put(paths[i]);
    if (statuses == nullptr) continue;
    call.fields().Number(static_cast<uint64_t>(TF_GetCode(statuses[i])));
    call.fields().Text(TF_Message(statuses[i]));
  }
  TF_Status* const first =
      statuses == nullptr || count == 0 ? nullptr : statuses[0];
  if (first != nullptr) call.ReportTo(first);
  call.Make();
  for (int i = 0; call.ok() && first != nullptr && i < count; ++i) {
    const uint64_t code = call.given().Number();
    const std::string message(call.given().Text());
    TF_SetStatus(
        statuses[i],
        code <= TF_UNAUTHENTICATED ? static_cast<TF_Code>(code) : TF_UNKNOWN,
        message.c_str());
    TakePayloads(call.given(), statuses[i]);
  }
  if (call.ok()) call.CheckFields();
  if (!call.ok()) {
    for (int i = 1; first != nullptr && i < count; ++i) {
      TF_SetStatus(statuses[i], TF_GetCode(first), TF_Message(first));
      TF_ForEachPayload(
          first,
          [](const char* key, const char* value, void* status) {
            TF_SetPayload(static_cast<TF_Status*>(status), key, value);
          },
          statuses[i]);
    }
    return false;
  }
  return call.Result<bool>();
}

int EndTransaction(const TF_Filesystem* filesystem, TF_TransactionToken* token,
                   TF_Status* status) {
  IsolatedScheme& scheme = IsolatedSchemeOf(filesystem);
  ForwardedCall call(scheme, Op::kFilesystem_end_transaction);
  call.Put(token);
  call.Put(status);
  call.Make();
  const ForwardedTransaction left = scheme.tokens.Find(token);
  if (call.ok() || (left.process != nullptr && left.process->ended())) {
    scheme.tokens.Forget(token);
  }
  return call.Result<int>();
}

// --- Configuration ---

// Returns tables whose memory is what an answer's fields are taken into: it is
// freed unless all of them were there.
const SchemeTables& TablesOfTaken() {
  static const auto* const tables = [] {
    auto* const made = new SchemeTables;
    made->memory = kForwardedMemory;
    return made;
  }();
  return *tables;
}

void GetConfiguration(const TF_Filesystem* filesystem,
                      TF_Filesystem_Option** options, int* num_options,
                      TF_Status* status) {
  ForwardedCall call(IsolatedSchemeOf(filesystem),
                     Op::kFilesystem_get_filesystem_configuration);
  call.Put(status);
  call.Make();
  if (!call.ok()) return;
  PluginOptions taken(TablesOfTaken());
  taken.count = static_cast<int>(call.given().Number());
  if (call.given().Bool()) {
    // Those that are counted: the facade frees no others.
    const uint64_t count =
        std::min(call.given().Count(sizeof(uint64_t)),
                 static_cast<uint64_t>(std::max(taken.count, 0)));
    taken.array =
        AllocateZeroed<TF_Filesystem_Option>(kForwardedMemory, count + 1);
    for (uint64_t i = 0; taken.array != nullptr && i < count; ++i) {
      TakeOption(call.given(), kForwardedMemory, taken.array[i]);
    }
    taken.count = std::min(taken.count, static_cast<int>(count));
  }
  call.CheckFields();
  if (!call.ok()) return;
  *options = taken.array;
  *num_options = taken.count;
  taken.Disown();
}

void SetConfiguration(const TF_Filesystem* filesystem,
                      const TF_Filesystem_Option* options, int num_options,
                      TF_Status* status) {
  ForwardedCall call(IsolatedSchemeOf(filesystem),
                     Op::kFilesystem_set_filesystem_configuration);
  call.Put(num_options);
  for (int i = 0; i < num_options; ++i) call.Put(&options[i]);
  call.Put(status);
  call.Make();
}

void GetOption(const TF_Filesystem* filesystem, const char* key,
               TF_Filesystem_Option** option, TF_Status* status) {
  ForwardedCall call(IsolatedSchemeOf(filesystem),
                     Op::kFilesystem_get_filesystem_configuration_option);
  call.Put(key);
  call.Put(status);
  call.Make();
  if (!call.ok()) return;
  PluginOptions taken(TablesOfTaken());
  taken.count = 1;
  if (call.given().Bool()) {
    taken.array = AllocateZeroed<TF_Filesystem_Option>(kForwardedMemory, 1);
  }
  if (taken.array != nullptr) {
    TakeOption(call.given(), kForwardedMemory, *taken.array);
  }
  call.CheckFields();
  if (!call.ok()) return;
  *option = taken.array;
  taken.Disown();
}

void GetKeys(const TF_Filesystem* filesystem, char** keys, int* num_keys,
             TF_Status* status) {
  ForwardedCall call(IsolatedSchemeOf(filesystem),
                     Op::kFilesystem_get_filesystem_configuration_keys);
  call.Put(status);
  call.Make();
  if (!call.ok()) return;
  auto count = static_cast<int>(call.given().Number());
  PluginText taken(TablesOfTaken());
  if (call.given().Bool()) {
    // One block of names, each null-terminated (L922): no more than are there.
    const std::string_view block = call.given().Text();
    taken.text = CopyText(kForwardedMemory, block);
    const auto names = std::count(block.begin(), block.end(), '\0');
    count = std::min(count, static_cast<int>(names));
  }
  call.CheckFields();
  if (!call.ok()) return;
  *keys = taken.text;
  *num_keys = count;
  taken.Disown();
}

// --- Files ---

template <Op op, typename File>
void CleanupFile(File* file) {
  const std::unique_ptr<IsolatedFile> opened(&Opened(file));
  if (opened->process->ended()) return;
  ForwardedCall(opened->scheme, op).MakeOn(*opened);
}

int64_t Read(const TF_RandomAccessFile* file, uint64_t offset, size_t n,
             char* buffer, TF_Status* status) {
  const IsolatedFile& opened = Opened(file);
  ForwardedCall call(opened.scheme, Op::kRandomAccessFile_read);
  call.call().offset = offset;
  call.call().read = buffer;
  call.call().to_read = n;
  call.Put(status);
  call.MakeOn(opened);
  return call.Result<int64_t>();
}

void Append(const TF_WritableFile* file, const char* buffer, size_t n,
            TF_Status* status) {
  const IsolatedFile& opened = Opened(file);
  ForwardedCall call(opened.scheme, Op::kWritableFile_append);
  call.call().written = {buffer, n};
  call.Put(status);
  call.MakeOn(opened);
}

const void* Data(const TF_ReadOnlyMemoryRegion* region) {
  const IsolatedFile& opened = Opened(region);
  return opened.contents == nullptr ? nullptr : opened.contents->data();
}

uint64_t Length(const TF_ReadOnlyMemoryRegion* region) {
  return Opened(region).length;
}

SchemeTables AllTables() {
  SchemeTables tables;
  ForEachOp([&](auto op) {
    auto& slot = SlotOf<op>(tables);
    using Function = std::decay_t<decltype(slot)>;
    if constexpr (!IsSpecial(op)) slot = Forward<op, Function>::Call;
  });
  TF_FilesystemOps& ops = tables.filesystem;
  ops.init = &Init;
  ops.cleanup = &Cleanup;
  ops.paths_exist = &PathsExist;
  ops.end_transaction = &EndTransaction;
  ops.get_filesystem_configuration = &GetConfiguration;
  ops.set_filesystem_configuration = &SetConfiguration;
  ops.get_filesystem_configuration_option = &GetOption;
  ops.get_filesystem_configuration_keys = &GetKeys;
  tables.random_access_file = {&CleanupFile<Op::kRandomAccessFile_cleanup>,
                               &Read};
  tables.writable_file.cleanup = &CleanupFile<Op::kWritableFile_cleanup>;
  tables.writable_file.append = &Append;
  tables.read_only_memory_region = {
      &CleanupFile<Op::kReadOnlyMemoryRegion_cleanup>, &Data, &Length};
  tables.memory = kForwardedMemory;
  return tables;
}

}  // namespace

SchemeTables ForwardingTables(const JournalFileSystem& file_system) {
  SchemeTables tables = OnlyWith(AllTables(), file_system.operations);
  tables.traits = file_system.traits;
  return tables;
}

}  // namespace fsload
