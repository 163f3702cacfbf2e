#include "core/wrappers/layer_tables.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "core/calls/file_cleanup.h"

namespace fsload {
namespace {

const Layer& LayerOf(const TF_Filesystem* filesystem) {
  return *static_cast<const Layer*>(filesystem->plugin_filesystem);
}

// --- The filesystem ---

void Init(TF_Filesystem*, TF_Status* status) {
  TF_SetStatus(status, TF_OK, "");
}

void Cleanup(TF_Filesystem* filesystem) { delete &LayerOf(filesystem); }

// The strings among the arguments of `op` are paths, but for an option's name.
template <Op op, typename Argument>
constexpr bool kIsPath = std::is_same_v<Argument, const char*>&& op !=
                         Op::kFilesystem_get_filesystem_configuration_option;

// What operations return with an error (L594, L660, L728).
template <typename Result>
constexpr Result Failed() {
  return std::is_same_v<Result, bool> ? Result(0) : Result(-1);
}
template <>
constexpr void Failed<void>() {}

// An operation of the filesystem's table with a status, which comes last; its
// paths come first.
template <Op op, typename Function>
struct OnFilesystem;

template <Op op, typename Result, typename... Arguments>
struct OnFilesystem<op, Result (*)(const TF_Filesystem*, Arguments...)> {
  static constexpr size_t kStatus = sizeof...(Arguments) - 1;
  using Given = std::tuple<Arguments...>;

  template <size_t i>
  static constexpr bool IsPath() {
    if constexpr (i < kStatus) {
      return kIsPath<op, std::tuple_element_t<i, Given>>;
    } else {
      return false;
    }
  }

  static Result Call(const TF_Filesystem* filesystem, Arguments... arguments) {
    const Layer& layer = LayerOf(filesystem);
    Given given(arguments...);
    TF_Status* const status = std::get<kStatus>(given);
    std::conditional_t<std::is_void_v<Result>, int, Result> result = {};
    const auto forward = [&](LayerCall& call) {
      if constexpr (IsPath<0>()) std::get<0>(given) = call.paths[0];
      if constexpr (IsPath<1>()) std::get<1>(given) = call.paths[1];
      const std::string_view shown = call.paths[0] ? call.paths[0] : call.uri;
      layer.CallInner<op>(shown, status, [&](auto function, TF_Status* to_set) {
        std::get<kStatus>(given) = to_set;
        std::apply(
            [&](Arguments... each) {
              const TF_Filesystem* inner = &layer.ops().filesystem();
              if constexpr (std::is_void_v<Result>) {
                function(inner, each...);
              } else {
                result = function(inner, each...);
              }
            },
            given);
      });
    };
    std::string_view about;
    if constexpr (IsPath<0>()) about = std::get<0>(given);
    LayerCall call(op, about, status, forward);
    if constexpr (IsPath<0>()) call.paths[0] = std::get<0>(given);
    if constexpr (IsPath<1>()) call.paths[1] = std::get<1>(given);
    if (call.code() != TF_OK) TF_SetStatus(status, TF_OK, "");
    layer.Pass(call);
    if (call.code() != TF_OK) return Failed<Result>();
    if constexpr (!std::is_void_v<Result>) return result;
  }
};

char* TranslateName(const TF_Filesystem* filesystem, const char* uri) {
  return LayerOf(filesystem).TranslateName(uri);
}

void FlushCaches(const TF_Filesystem* filesystem) {
  const Layer& layer = LayerOf(filesystem);
  layer.CallInnerPlainly<Op::kFilesystem_flush_caches>(
      "", &layer.ops().filesystem());
}

char* DecodeToken(const TF_Filesystem* filesystem,
                  const TF_TransactionToken* token) {
  const Layer& layer = LayerOf(filesystem);
  return layer.CallInnerPlainly<Op::kFilesystem_decode_transaction_token>(
      "", &layer.ops().filesystem(), token);
}

// --- Files ---

// A file that the inner file system has opened, with `cleanup` at its end.
template <typename Wrapper, Op cleanup>
struct OpenFile {
  explicit OpenFile(const Layer& opener) : layer(opener) {}
  ~OpenFile() {
    if (opened) CleanUp<cleanup>(layer.tables(), uri, &inner);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  const Layer& layer;
  std::string uri;  // with which the inner file system opened it
  Wrapper inner = {nullptr};
  bool opened = false;
};

using Reader = OpenFile<TF_RandomAccessFile, Op::kRandomAccessFile_cleanup>;
using Writer = OpenFile<TF_WritableFile, Op::kWritableFile_cleanup>;
using Region =
    OpenFile<TF_ReadOnlyMemoryRegion, Op::kReadOnlyMemoryRegion_cleanup>;

// The wrappers of files consist of one pointer, under two names.
template <typename File, typename Wrapper>
File& FileOf(Wrapper* wrapper) {
  const auto& [file] = *wrapper;
  return *static_cast<File*>(file);
}

template <Op op, typename File, typename Wrapper>
void Open(const TF_Filesystem* filesystem, const char* path, Wrapper* wrapper,
          TF_Status* status) {
  const Layer& layer = LayerOf(filesystem);
  auto file = std::make_unique<File>(layer);
  const auto forward = [&](LayerCall& call) {
    file->inner = {nullptr};  // L61
    file->uri = call.paths[0];
    layer.CallInner<op>(file->uri, status, [&](auto open, TF_Status* to_set) {
      open(&layer.ops().filesystem(), call.paths[0], &file->inner, to_set);
    });
    file->opened = call.code() == TF_OK;
  };
  LayerCall call(op, path, status, forward);
  call.paths[0] = path;
  if (call.code() != TF_OK) TF_SetStatus(status, TF_OK, "");
  layer.Pass(call);
  if (call.code() != TF_OK) return;
  auto& [opened] = *wrapper;
  opened = file.release();
}

template <typename File, typename Wrapper>
void Close(Wrapper* wrapper) {
  delete &FileOf<File>(wrapper);
}

int64_t Read(const TF_RandomAccessFile* wrapper, uint64_t offset, size_t n,
             char* buffer, TF_Status* status) {
  const Reader& file = FileOf<const Reader>(wrapper);
  const auto forward = [&](LayerCall& call) {
    const size_t most = std::min(n, call.most_bytes);
    call.bytes = -1;
    file.layer.CallInner<Op::kRandomAccessFile_read>(
        file.uri, status, [&](auto read, TF_Status* to_set) {
          return call.bytes = read(&file.inner, offset, most, buffer, to_set);
        });
    // L229: what is left of it looks like a file that ends here.
    if (most < n && call.code() == TF_OK) {
      TF_SetStatus(status, TF_OUT_OF_RANGE, "reached the end of the file");
    }
  };
  LayerCall call(Op::kRandomAccessFile_read, file.uri, status, forward);
  call.wanted_bytes = n;
  file.layer.Pass(call);
  return call.bytes;
}

void Append(const TF_WritableFile* wrapper, const char* buffer, size_t n,
            TF_Status* status) {
  const Writer& file = FileOf<const Writer>(wrapper);
  const auto forward = [&](LayerCall& call) {
    const size_t most = std::min(n, call.most_bytes);
    file.layer.CallInner<Op::kWritableFile_append>(
        file.uri, status, [&](auto append, TF_Status* to_set) {
          append(&file.inner, buffer, most, to_set);
          return static_cast<int64_t>(most);
        });
    call.bytes = static_cast<int64_t>(most);
  };
  LayerCall call(Op::kWritableFile_append, file.uri, status, forward);
  call.wanted_bytes = n;
  file.layer.Pass(call);
}

int64_t Tell(const TF_WritableFile* wrapper, TF_Status* status) {
  const Writer& file = FileOf<const Writer>(wrapper);
  int64_t position = -1;
  const auto forward = [&](LayerCall&) {
    file.layer.CallInner<Op::kWritableFile_tell>(
        file.uri, status, [&](auto tell, TF_Status* to_set) {
          position = tell(&file.inner, to_set);
        });
  };
  LayerCall call(Op::kWritableFile_tell, file.uri, status, forward);
  file.layer.Pass(call);
  return call.code() == TF_OK ? position : -1;
}

// flush, sync and close.
template <Op op>
void WriteOut(const TF_WritableFile* wrapper, TF_Status* status) {
  const Writer& file = FileOf<const Writer>(wrapper);
  const auto forward = [&](LayerCall&) {
    file.layer.CallInner<op>(file.uri, status,
                             [&](auto function, TF_Status* to_set) {
                               function(&file.inner, to_set);
                             });
  };
  LayerCall call(op, file.uri, status, forward);
  file.layer.Pass(call);
}

const void* Data(const TF_ReadOnlyMemoryRegion* wrapper) {
  const Region& region = FileOf<const Region>(wrapper);
  return region.layer.CallInnerPlainly<Op::kReadOnlyMemoryRegion_data>(
      region.uri, &region.inner);
}

uint64_t Length(const TF_ReadOnlyMemoryRegion* wrapper) {
  const Region& region = FileOf<const Region>(wrapper);
  return region.layer.CallInnerPlainly<Op::kReadOnlyMemoryRegion_length>(
      region.uri, &region.inner);
}

// --- The tables ---

#define FSLOAD_ON_FILESYSTEM(name) \
  &OnFilesystem<Op::kFilesystem_##name, decltype(TF_FilesystemOps::name)>::Call

constexpr TF_FilesystemOps kFilesystem = {
    &Init,
    &Cleanup,
    &Open<Op::kFilesystem_new_random_access_file, Reader, TF_RandomAccessFile>,
    &Open<Op::kFilesystem_new_writable_file, Writer, TF_WritableFile>,
    &Open<Op::kFilesystem_new_appendable_file, Writer, TF_WritableFile>,
    &Open<Op::kFilesystem_new_read_only_memory_region_from_file, Region,
          TF_ReadOnlyMemoryRegion>,
    FSLOAD_ON_FILESYSTEM(create_dir),
    FSLOAD_ON_FILESYSTEM(recursively_create_dir),
    FSLOAD_ON_FILESYSTEM(delete_file),
    FSLOAD_ON_FILESYSTEM(delete_dir),
    FSLOAD_ON_FILESYSTEM(delete_recursively),
    FSLOAD_ON_FILESYSTEM(rename_file),
    FSLOAD_ON_FILESYSTEM(copy_file),
    FSLOAD_ON_FILESYSTEM(path_exists),
    nullptr,  // paths_exist: see Layer::Has
    FSLOAD_ON_FILESYSTEM(stat),
    FSLOAD_ON_FILESYSTEM(is_directory),
    FSLOAD_ON_FILESYSTEM(get_file_size),
    &TranslateName,
    FSLOAD_ON_FILESYSTEM(get_children),
    FSLOAD_ON_FILESYSTEM(get_matching_paths),
    &FlushCaches,
    FSLOAD_ON_FILESYSTEM(start_transaction),
    FSLOAD_ON_FILESYSTEM(end_transaction),
    FSLOAD_ON_FILESYSTEM(add_to_transaction),
    FSLOAD_ON_FILESYSTEM(get_transaction_for_path),
    FSLOAD_ON_FILESYSTEM(get_or_start_transaction_for_path),
    &DecodeToken,
    FSLOAD_ON_FILESYSTEM(get_filesystem_configuration),
    FSLOAD_ON_FILESYSTEM(set_filesystem_configuration),
    FSLOAD_ON_FILESYSTEM(get_filesystem_configuration_option),
    FSLOAD_ON_FILESYSTEM(set_filesystem_configuration_option),
    FSLOAD_ON_FILESYSTEM(get_filesystem_configuration_keys),
};
#undef FSLOAD_ON_FILESYSTEM

constexpr TF_RandomAccessFileOps kRandomAccessFile = {
    &Close<Reader, TF_RandomAccessFile>, &Read};

constexpr TF_WritableFileOps kWritableFile = {
    &Close<Writer, TF_WritableFile>,
    &Append,
    &Tell,
    &WriteOut<Op::kWritableFile_flush>,
    &WriteOut<Op::kWritableFile_sync>,
    &WriteOut<Op::kWritableFile_close>,
};

constexpr TF_ReadOnlyMemoryRegionOps kReadOnlyMemoryRegion = {
    &Close<Region, TF_ReadOnlyMemoryRegion>, &Data, &Length};

}  // namespace

SchemeTables TablesFor(const Layer& layer) {
  SchemeTables tables;
  tables.filesystem = kFilesystem;
  tables.random_access_file = kRandomAccessFile;
  tables.writable_file = kWritableFile;
  tables.read_only_memory_region = kReadOnlyMemoryRegion;
  tables.memory = layer.tables().memory;
  tables.traits = layer.tables().traits;
  for (const Operation& each : kOperations) {
    if (!layer.Has(each.op)) tables = Without(tables, each.op);
  }
  return tables;
}

}  // namespace fsload
