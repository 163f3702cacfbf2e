#include "loader/worker/served_call.h"

#include <algorithm>
#include <climits>
#include <cstring>
#include <deque>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>

#include "core/calls/plugin_strings.h"
#include "core/file_system/plugin_file_system.h"
#include "core/tables/operations.h"
#include "loader/isolation/option_fields.h"
#include "loader/isolation/payload_fields.h"
#include "loader/worker/served_arguments.h"
#include "loader/worker/served_handles.h"

namespace fsload {
namespace {

const TF_Filesystem* StateOf(const FileSystem& file_system) {
  return &PluginFileSystem::Of(file_system).ops().filesystem();
}

// Writes a text that the plugin returned, if the call is OK, and frees it
// unless it was given.
void WriteText(ServedCall& call, const SchemeTables& tables, char* returned,
               bool given) {
  PluginText text(tables);
  text.text = returned;
  if (IsOk(call)) call.fields.TextOrNull(returned);
  if (given) text.Disown();
}

template <Op op, typename Function>
struct ServeOp;

// One on paths and names, whose arguments are held by their types.
template <Op op, typename Returned, typename... Arguments>
struct ServeOp<op, Returned (*)(const TF_Filesystem*, Arguments...)> {
  static void Run(ServedCall& call, const SchemeTables& tables,
                  const TF_Filesystem* state) {
    AllHeld<std::index_sequence_for<Arguments...>, Arguments...> held(call,
                                                                      tables);
    if (!IsOk(call)) return;
    if (!call.arguments.AtEnd()) return call.Refuse("arguments of no call");
    const auto function = FunctionOf<op>(tables);
    if constexpr (std::is_void_v<Returned>) {
      CallInto(call, tables, [&](TF_Status* status) {
        held.CallWith(function, state, status);
      });
    } else {
      Returned returned = {};
      CallInto(call, tables, [&](TF_Status* status) {
        returned = held.CallWith(function, state, status);
      });
      if constexpr (std::is_same_v<Returned, char*>) {
        WriteText(call, tables, returned, held.IsGiven(returned));
      } else {
        call.result = static_cast<int64_t>(returned);
      }
    }
    held.Write(call);
  }
};

// Runs `serve` with the file system of the call, if it has `op`.
template <typename Serve>
void OnFileSystem(ServedCall& call, Op op, const Serve& serve) {
  const FileSystemPtr file_system =
      call.objects.FileSystemAt(call.request.scheme);
  if (file_system == nullptr) return call.Refuse("no such scheme");
  const SchemeTables& tables = TablesOf(*file_system);
  if (FunctionIn(tables, op) == nullptr) {
    TF_SetStatus(call.status.get(), TF_UNIMPLEMENTED,
                 "the plugin lacks the operation");
    return;
  }
  serve(tables, StateOf(*file_system));
}

// Runs `serve` with an open file, if it can be used by `op`.
template <typename Serve>
void OnFile(ServedCall& call, Op op, std::shared_ptr<OpenFile> file,
            const Serve& serve) {
  if (file == nullptr || file->table != Describe(op).table) {
    return call.Refuse("no such open file");
  }
  const SchemeTables& tables = TablesOf(*file->file_system);
  if (FunctionIn(tables, op) == nullptr) {
    TF_SetStatus(call.status.get(), TF_UNIMPLEMENTED,
                 "the plugin lacks the operation");
    return;
  }
  CallInto(call, tables,
           [&](TF_Status* status) { serve(tables, *file, status); });
}

template <Op op, typename Function>
struct ServeFileOp;

template <Op op, typename File>
struct ServeFileOp<op, void (*)(File*)> {  // cleanup
  static void Run(ServedCall& call) {
    // A file of another kind stays open.
    std::shared_ptr<OpenFile> file = call.objects.files.Find(call.request.file);
    if (file != nullptr && file->table == Describe(op).table) {
      file = call.objects.files.Take(call.request.file);
    }
    OnFile(call, op, std::move(file),
           [](const SchemeTables& tables, OpenFile& file, TF_Status*) {
             FunctionOf<op>(tables)(file.As<File>());
           });
  }
};

template <Op op, typename Returned, typename File>
struct ServeFileOp<op, Returned (*)(const File*, TF_Status*)> {
  static void Run(ServedCall& call) {
    OnFile(call, op, call.objects.files.Find(call.request.file),
           [&](const SchemeTables& tables, OpenFile& file, TF_Status* status) {
             const auto function = FunctionOf<op>(tables);
             if constexpr (std::is_void_v<Returned>) {
               function(file.As<File>(), status);
             } else {
               call.result = function(file.As<File>(), status);
             }
           });
  }
};

template <Op op>
void ServeOne(ServedCall& call) {
  using Function = FunctionTypeOf<op>;
  if constexpr (Describe(op).table == Table::kFilesystem) {
    OnFileSystem(call, op,
                 [&](const SchemeTables& tables, const TF_Filesystem* state) {
                   ServeOp<op, Function>::Run(call, tables, state);
                 });
  } else {
    ServeFileOp<op, Function>::Run(call);
  }
}

// --- Those that are not like the others ---

template <>
void ServeOne<Op::kFilesystem_init>(ServedCall& call) {
  call.Refuse("init is called by the load");
}

// Runs the plugin's cleanup, unless files are open.
template <>
void ServeOne<Op::kFilesystem_cleanup>(ServedCall& call) {
  FileSystemPtr last = call.objects.TakeFileSystem(call.request.scheme);
  if (last == nullptr) call.Refuse("no such scheme");
}

template <>
void ServeOne<Op::kFilesystem_paths_exist>(ServedCall& call) {
  constexpr Op kOp = Op::kFilesystem_paths_exist;
  const bool tells = call.arguments.Bool();
  const uint64_t count = call.arguments.Count(sizeof(uint64_t));
  struct Asked {
    std::string path;
    TF_Code code;
    std::string message;
  };
  std::vector<Asked> asked(count);
  std::vector<char*> paths;
  for (Asked& each : asked) {
    each.path = call.arguments.Text();
    paths.push_back(each.path.data());
    if (!tells) continue;
    each.code = static_cast<TF_Code>(call.arguments.Number());
    each.message = call.arguments.Text();
  }
  if (!call.arguments.AtEnd() || count > INT_MAX) {
    return call.Refuse("arguments of no call");
  }
  OnFileSystem(call, kOp,
               [&](const SchemeTables& tables, const TF_Filesystem* state) {
                 std::deque<CallStatus> own;
                 std::vector<TF_Status*> statuses;
                 for (const Asked& each : asked) {
                   statuses.push_back(own.emplace_back(tables.status).get());
                   if (tells) Set(own.back(), each.code, each.message);
                 }
                 CallInto(call, tables, [&](TF_Status*) {
                   call.result = FunctionOf<kOp>(tables)(
                       state, paths.data(), static_cast<int>(count),
                       tells ? statuses.data() : nullptr);
                 });
                 for (uint64_t i = 0; tells && IsOk(call) && i < count; ++i) {
                   StatusStorage told;
                   own[i].CopyTo(told.get());
                   call.fields.Number(static_cast<uint64_t>(told.code));
                   call.fields.Text(TF_Message(told.get()));
                   PutPayloads(told.get(), call.fields);
                 }
               });
}

template <>
void ServeOne<Op::kFilesystem_get_filesystem_configuration>(ServedCall& call) {
  constexpr Op kOp = Op::kFilesystem_get_filesystem_configuration;
  OnFileSystem(call, kOp,
               [&](const SchemeTables& tables, const TF_Filesystem* state) {
                 PluginOptions options(tables);
                 CallInto(call, tables, [&](TF_Status* status) {
                   FunctionOf<kOp>(tables)(state, &options.array,
                                           &options.count, status);
                 });
                 if (!IsOk(call)) return options.Disown();
                 call.fields.Number(static_cast<uint64_t>(options.count));
                 call.fields.Number(options.array == nullptr ? 0 : 1);
                 if (options.array == nullptr) return;
                 const int count = std::max(options.count, 0);
                 call.fields.Number(static_cast<uint64_t>(count));
                 for (int i = 0; i < count; ++i)
                   PutOption(options.array[i], call.fields);
               });
}

template <>
void ServeOne<Op::kFilesystem_set_filesystem_configuration>(ServedCall& call) {
  constexpr Op kOp = Op::kFilesystem_set_filesystem_configuration;
  OnFileSystem(call, kOp,
               [&](const SchemeTables& tables, const TF_Filesystem* state) {
                 const uint64_t count = call.arguments.Count(sizeof(uint64_t));
                 const HeldOptions options(call, tables, count);
                 if (!IsOk(call) || count > INT_MAX) return;
                 CallInto(call, tables, [&](TF_Status* status) {
                   FunctionOf<kOp>(tables)(state, options.array(),
                                           static_cast<int>(count), status);
                 });
               });
}

template <>
void ServeOne<Op::kFilesystem_get_filesystem_configuration_option>(
    ServedCall& call) {
  constexpr Op kOp = Op::kFilesystem_get_filesystem_configuration_option;
  OnFileSystem(
      call, kOp, [&](const SchemeTables& tables, const TF_Filesystem* state) {
        const std::string key(call.arguments.Text());
        PluginOptions option(tables);
        CallInto(call, tables, [&](TF_Status* status) {
          FunctionOf<kOp>(tables)(state, key.c_str(), &option.array, status);
        });
        if (!IsOk(call)) return option.Disown();
        call.fields.Number(option.array == nullptr ? 0 : 1);
        if (option.array == nullptr) return;
        option.count = 1;
        PutOption(*option.array, call.fields);
      });
}

template <>
void ServeOne<Op::kFilesystem_get_filesystem_configuration_keys>(
    ServedCall& call) {
  constexpr Op kOp = Op::kFilesystem_get_filesystem_configuration_keys;
  OnFileSystem(
      call, kOp, [&](const SchemeTables& tables, const TF_Filesystem* state) {
        PluginText block(tables);
        int count = 0;
        CallInto(call, tables, [&](TF_Status* status) {
          FunctionOf<kOp>(tables)(state, &block.text, &count, status);
        });
        if (!IsOk(call)) return block.Disown();
        call.fields.Number(static_cast<uint64_t>(count));
        call.fields.Number(block.text == nullptr ? 0 : 1);
        if (block.text == nullptr) return;
        // Names, each null-terminated, one after the other (L922).
        const char* end = block.text;
        for (int i = 0; i < count; ++i) end += std::strlen(end) + 1;
        call.fields.Text({block.text, static_cast<size_t>(end - block.text)});
      });
}

// --- Files ---

template <>
void ServeOne<Op::kRandomAccessFile_read>(ServedCall& call) {
  OnFile(call, Op::kRandomAccessFile_read,
         call.objects.files.Find(call.request.file),
         [&](const SchemeTables& tables, OpenFile& file, TF_Status* status) {
           call.result = tables.random_access_file.read(
               file.As<TF_RandomAccessFile>(), call.request.offset,
               call.contents.size(), call.contents.data(), status);
         });
}

template <>
void ServeOne<Op::kWritableFile_append>(ServedCall& call) {
  OnFile(call, Op::kWritableFile_append,
         call.objects.files.Find(call.request.file),
         [&](const SchemeTables& tables, OpenFile& file, TF_Status* status) {
           tables.writable_file.append(file.As<TF_WritableFile>(),
                                       call.contents.data(),
                                       call.contents.size(), status);
         });
}

// The host knows these of a region, which it has fetched.
template <>
void ServeOne<Op::kReadOnlyMemoryRegion_data>(ServedCall& call) {
  call.Refuse("no such operation");
}

template <>
void ServeOne<Op::kReadOnlyMemoryRegion_length>(ServedCall& call) {
  call.Refuse("no such operation");
}

// Copies a region's data, once its length is known to the host.
void ServeRegion(ServedCall& call) {
  const void* data = nullptr;
  uint64_t length = 0;
  OnFile(call, Op::kReadOnlyMemoryRegion_data,
         call.objects.files.Find(call.request.file),
         [&](const SchemeTables& tables, OpenFile& file, TF_Status*) {
           const TF_ReadOnlyMemoryRegionOps& ops =
               tables.read_only_memory_region;
           data = ops.data(file.As<TF_ReadOnlyMemoryRegion>());
           length = ops.length(file.As<TF_ReadOnlyMemoryRegion>());
         });
  if (!IsOk(call)) return;
  if (data == nullptr || length < call.contents.size()) {
    return call.Refuse("the region has no data of this length");
  }
  std::memcpy(call.contents.data(), data, call.contents.size());
}

using Server = void(ServedCall&);

constexpr Server* kServers[] = {
#define FSLOAD_ROW(table, name, ...) &ServeOne<Op::k##table##_##name>,
    FSLOAD_FOR_EACH_OPERATION(FSLOAD_ROW)
#undef FSLOAD_ROW
};

}  // namespace

void Serve(ServedCall& call) {
  if (call.request.op == kRegionRequest) return ServeRegion(call);
  if (call.request.op >= std::size(kServers)) {
    return call.Refuse("no such operation");
  }
  kServers[call.request.op](call);
}

}  // namespace fsload
