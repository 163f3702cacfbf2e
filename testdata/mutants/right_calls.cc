#include "testdata/mutants/right_calls.h"

#include <fcntl.h>

#include <map>
#include <mutex>
#include <string>

#include "testdata/plugin_memory.h"

namespace mutants {

Tables g_right;

void LeakDescriptor(TF_Status*) {
  const int leaked = open("/dev/null", O_RDONLY | O_CLOEXEC);
  static_cast<void>(leaked);
}

void LeakDescriptorOnFailure(TF_Status* status) {
  if (!IsOk(status)) LeakDescriptor(status);
}

Kind KindOf(const TF_Filesystem* fs, const std::string& path) {
  const OwnStatus status;
  TF_FileStatistics stats = {};
  g_right.fs.stat(fs, path.c_str(), &stats, status.get());
  if (!status.ok()) return Kind::kMissing;
  return stats.is_directory ? Kind::kDirectory : Kind::kFile;
}

std::string ReadFile(const TF_Filesystem* fs, const std::string& path) {
  const OwnStatus status;
  TF_RandomAccessFile file = {};
  g_right.fs.new_random_access_file(fs, path.c_str(), &file, status.get());
  if (!status.ok()) return "";
  constexpr size_t kChunk = size_t{1} << 20;
  std::string bytes;
  while (status.ok()) {
    const size_t before = bytes.size();
    bytes.resize(before + kChunk);
    const int64_t count =
        g_right.in.read(&file, before, kChunk, &bytes[before], status.get());
    bytes.resize(before + (count > 0 ? count : 0));
  }
  g_right.in.cleanup(&file);
  return bytes;
}

void WriteFile(const TF_Filesystem* fs, const std::string& path,
               const std::string& bytes) {
  const OwnStatus status;
  TF_WritableFile file = {};
  g_right.fs.new_writable_file(fs, path.c_str(), &file, status.get());
  if (!status.ok()) return;
  g_right.out.append(&file, bytes.data(), bytes.size(), status.get());
  g_right.out.close(&file, status.get());
  g_right.out.cleanup(&file);
}

void DeleteFile(const TF_Filesystem* fs, const std::string& path) {
  const OwnStatus status;
  g_right.fs.delete_file(fs, path.c_str(), status.get());
}

void CreateParents(const TF_Filesystem* fs, const std::string& path) {
  const OwnStatus status;
  g_right.fs.recursively_create_dir(fs, ParentOf(path).c_str(), status.get());
}

Names TakeNames(char** entries, int count) {
  Names names;
  if (count < 0) return names;
  names.assign(entries, entries + count);
  plugin_memory::FreeStrings(entries, count);
  return names;
}

Names ListNames(const TF_Filesystem* fs, const std::string& path) {
  const OwnStatus status;
  char** entries = nullptr;
  const int count =
      g_right.fs.get_children(fs, path.c_str(), &entries, status.get());
  return TakeNames(entries, count);
}

std::string ParentOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return "";
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string NameOf(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

std::string Join(const std::string& directory, const std::string& name) {
  if (directory.empty() || directory.back() == '/') return directory + name;
  return directory + "/" + name;
}

FileState& StateOf(const void* plugin_file) {
  static auto* const mutex = new std::mutex;
  static auto* const states = new std::map<const void*, FileState>;
  const std::lock_guard<std::mutex> lock(*mutex);
  return (*states)[plugin_file];
}

}  // namespace mutants
