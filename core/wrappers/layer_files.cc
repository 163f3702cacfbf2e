// The functions behind a layer's tables of open files.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "core/calls/file_cleanup.h"
#include "core/wrappers/layer.h"
#include "core/wrappers/layer_call.h"
#include "core/wrappers/layer_tables.h"

namespace fsload {
namespace {

// A file that the inner file system has opened, with `cleanup` at its end.
template <typename Wrapper, Op cleanup>
struct OpenFile {
  static constexpr Op kCleanup = cleanup;

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

struct Reader : OpenFile<TF_RandomAccessFile, Op::kRandomAccessFile_cleanup> {
  using OpenFile::OpenFile;
  // LayerCall::noted. The default order; relaxed would do: nothing else depends
  // on it.
  mutable std::atomic<bool> noted{false};
};

using Writer = OpenFile<TF_WritableFile, Op::kWritableFile_cleanup>;

struct Region
    : OpenFile<TF_ReadOnlyMemoryRegion, Op::kReadOnlyMemoryRegion_cleanup> {
  using OpenFile::OpenFile;
  // Once told. The default order; relaxed would do: nothing else depends on it.
  mutable std::atomic<int64_t> length{-1};
};

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
  const ArgumentsOf<op> arguments(path, wrapper, status);
  LayerCall call(op, path, status, forward);
  call.Show<op>(arguments);
  call.paths[0] = path;
  if (call.code() != TF_OK) TF_SetStatus(status, TF_OK, "");
  layer.Pass(call);
  if (call.code() != TF_OK) return;
  auto& [opened] = *wrapper;
  opened = file.release();
}

template <typename File, typename Wrapper>
void Close(Wrapper* wrapper) {
  const std::unique_ptr<File> file(&FileOf<File>(wrapper));
  constexpr Op kCleanup = File::kCleanup;
  PassPlainly<kCleanup>(file->layer, file->uri, {}, [&](LayerCall&) {
    file->opened = false;
    file->layer.template CallInnerPlainly<kCleanup>(file->uri, &file->inner);
  });
}

int64_t Read(const TF_RandomAccessFile* wrapper, uint64_t offset, size_t n,
             char* buffer, TF_Status* status) {
  constexpr Op kOp = Op::kRandomAccessFile_read;
  const Reader& file = FileOf<const Reader>(wrapper);
  const auto forward = [&](LayerCall& call) {
    const size_t most = std::min(n, call.max_bytes);
    call.bytes = most == 0 ? 0 : -1;
    // The s3 plugin reads the whole object if asked for 0 bytes, and overruns
    // the buffer.
    if (most > 0) {
      file.layer.CallInner<kOp>(
          file.uri, status, [&](auto read, TF_Status* to_set) {
            return call.bytes = read(&file.inner, offset, most, buffer, to_set);
          });
    }
    // L229: what is left of it looks like a file that ends here.
    if (most < n && call.code() == TF_OK) {
      TF_SetStatus(status, TF_OUT_OF_RANGE, "reached the end of the file");
    }
  };
  const ArgumentsOf<kOp> arguments(offset, n, buffer, status);
  LayerCall call(kOp, file.uri, status, forward);
  call.Show<kOp>(arguments, &call.bytes);
  call.wanted_bytes = n;
  call.noted = &file.noted;
  file.layer.Pass(call);
  return call.bytes;
}

void Append(const TF_WritableFile* wrapper, const char* buffer, size_t n,
            TF_Status* status) {
  constexpr Op kOp = Op::kWritableFile_append;
  const Writer& file = FileOf<const Writer>(wrapper);
  const auto forward = [&](LayerCall& call) {
    const size_t most = std::min(n, call.max_bytes);
    file.layer.CallInner<kOp>(file.uri, status,
                              [&](auto append, TF_Status* to_set) {
                                append(&file.inner, buffer, most, to_set);
                                return static_cast<int64_t>(most);
                              });
    call.bytes = static_cast<int64_t>(most);
  };
  const ArgumentsOf<kOp> arguments(buffer, n, status);
  LayerCall call(kOp, file.uri, status, forward);
  call.Show<kOp>(arguments);
  call.wanted_bytes = n;
  file.layer.Pass(call);
}

int64_t Tell(const TF_WritableFile* wrapper, TF_Status* status) {
  constexpr Op kOp = Op::kWritableFile_tell;
  const Writer& file = FileOf<const Writer>(wrapper);
  int64_t position = -1;
  const auto forward = [&](LayerCall&) {
    file.layer.CallInner<kOp>(file.uri, status,
                              [&](auto tell, TF_Status* to_set) {
                                position = tell(&file.inner, to_set);
                              });
  };
  const ArgumentsOf<kOp> arguments(status);
  LayerCall call(kOp, file.uri, status, forward);
  call.Show<kOp>(arguments, &position);
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
  const ArgumentsOf<op> arguments(status);
  LayerCall call(op, file.uri, status, forward);
  call.Show<op>(arguments);
  file.layer.Pass(call);
}

const void* Data(const TF_ReadOnlyMemoryRegion* wrapper) {
  constexpr Op kOp = Op::kReadOnlyMemoryRegion_data;
  const Region& region = FileOf<const Region>(wrapper);
  return PassPlainly<kOp>(region.layer, region.uri, {}, [&](LayerCall& call) {
    call.bytes = region.length;
    return region.layer.CallInnerPlainly<kOp>(region.uri, &region.inner);
  });
}

uint64_t Length(const TF_ReadOnlyMemoryRegion* wrapper) {
  constexpr Op kOp = Op::kReadOnlyMemoryRegion_length;
  const Region& region = FileOf<const Region>(wrapper);
  return PassPlainly<kOp>(region.layer, region.uri, {}, [&](LayerCall&) {
    const uint64_t told =
        region.layer.CallInnerPlainly<kOp>(region.uri, &region.inner);
    region.length = static_cast<int64_t>(told);
    return told;
  });
}

}  // namespace

void SetFileOps(SchemeTables& tables) {
  TF_FilesystemOps& ops = tables.filesystem;
  ops.new_random_access_file =
      &Open<Op::kFilesystem_new_random_access_file, Reader>;
  ops.new_writable_file = &Open<Op::kFilesystem_new_writable_file, Writer>;
  ops.new_appendable_file = &Open<Op::kFilesystem_new_appendable_file, Writer>;
  ops.new_read_only_memory_region_from_file =
      &Open<Op::kFilesystem_new_read_only_memory_region_from_file, Region>;
  tables.random_access_file = {&Close<Reader>, &Read};
  tables.writable_file = {&Close<Writer>,
                          &Append,
                          &Tell,
                          &WriteOut<Op::kWritableFile_flush>,
                          &WriteOut<Op::kWritableFile_sync>,
                          &WriteOut<Op::kWritableFile_close>};
  tables.read_only_memory_region = {&Close<Region>, &Data, &Length};
}

}  // namespace fsload
