#include "core/testing/generated_file.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "compat/tf_status.h"
#include "core/op_tables.h"

namespace fsload {
namespace {

constexpr size_t kPage = 4096;

// Fills the page that begins at `offset`: each is different from all others.
void FillPage(uint64_t offset, char* page) {
  std::memset(page, static_cast<int>(offset / kPage % 251), kPage);
  std::memcpy(page, &offset, sizeof(offset));
  std::memcpy(page + kPage - sizeof(offset), &offset, sizeof(offset));
}

// Calls `visit` with each part of the file between `begin` and `end` that lies
// in one page: where it begins, and its bytes.
template <typename Visit>
void ForEachPart(uint64_t begin, uint64_t end, Visit visit) {
  char page[kPage];
  while (begin < end) {
    const uint64_t start = begin / kPage * kPage;
    FillPage(start, page);
    const uint64_t stop = std::min(end, start + kPage);
    visit(begin, std::string_view(page + (begin - start), stop - begin));
    begin = stop;
  }
}

}  // namespace

// The functions of the table.
struct GeneratedFileOps {
  static GeneratedFile& Get(void* pointer) {
    return *static_cast<GeneratedFile*>(pointer);
  }

  static void Init(TF_Filesystem*, TF_Status*) {}
  static void Cleanup(TF_Filesystem*) {}
  static void CleanupReader(TF_RandomAccessFile*) {}
  static void CleanupWriter(TF_WritableFile*) {}

  static void Stat(const TF_Filesystem* filesystem, const char* path,
                   TF_FileStatistics* statistics, TF_Status* status) {
    const GeneratedFile& file = Get(filesystem->plugin_filesystem);
    if (path == std::string_view("/generated")) {
      statistics->length = file.bytes_;
    } else if (path == std::string_view("/compared") && file.exists_) {
      statistics->length = file.written_;
    } else {
      TF_SetStatus(status, TF_NOT_FOUND, "there is nothing");
    }
  }

  static void DeleteFile(const TF_Filesystem* filesystem, const char*,
                         TF_Status*) {
    Get(filesystem->plugin_filesystem).exists_ = false;
  }

  static void NewRandomAccessFile(const TF_Filesystem* filesystem, const char*,
                                  TF_RandomAccessFile* file, TF_Status*) {
    file->plugin_file = filesystem->plugin_filesystem;
  }

  static int64_t Read(const TF_RandomAccessFile* file, uint64_t offset,
                      size_t n, char* buffer, TF_Status* status) {
    const uint64_t bytes = Get(file->plugin_file).bytes_;
    const uint64_t end = std::min(bytes, offset + n);
    ForEachPart(offset, end, [&](uint64_t begin, std::string_view part) {
      std::memcpy(buffer + (begin - offset), part.data(), part.size());
    });
    if (end < offset + n) TF_SetStatus(status, TF_OUT_OF_RANGE, "the end");
    return end > offset ? end - offset : 0;
  }

  static void NewWritableFile(const TF_Filesystem* filesystem, const char*,
                              TF_WritableFile* file, TF_Status*) {
    GeneratedFile& state = Get(filesystem->plugin_filesystem);
    state.exists_ = true;
    state.written_ = state.right_ = 0;
    file->plugin_file = &state;
  }

  static void Append(const TF_WritableFile* file, const char* buffer, size_t n,
                     TF_Status*) {
    GeneratedFile& state = Get(file->plugin_file);
    const uint64_t first = state.written_;
    state.written_ += n;
    ForEachPart(
        first, state.written_, [&](uint64_t begin, std::string_view part) {
          const bool right =
              state.right_ == begin &&
              part == std::string_view(buffer + (begin - first), part.size());
          if (right) state.right_ += part.size();
        });
  }

  static void Close(const TF_WritableFile*, TF_Status*) {}
};

std::shared_ptr<FileSystem> GeneratedFile::Open() {
  using Ops = GeneratedFileOps;
  SchemeTables tables;
  tables.filesystem.init = Ops::Init;
  tables.filesystem.cleanup = Ops::Cleanup;
  tables.filesystem.stat = Ops::Stat;
  tables.filesystem.delete_file = Ops::DeleteFile;
  tables.filesystem.new_random_access_file = Ops::NewRandomAccessFile;
  tables.filesystem.new_writable_file = Ops::NewWritableFile;
  tables.random_access_file = {Ops::CleanupReader, Ops::Read};
  tables.writable_file = {
      Ops::CleanupWriter, Ops::Append, nullptr, nullptr, nullptr, Ops::Close};
  tables.memory = {std::malloc, std::free};
  return *FileSystem::Create(OpTables::Seal({tables})->front(), "", "test",
                             TF_Filesystem{this});
}

}  // namespace fsload
