// A filesystem plugin for TensorFlow that hands all calls to fsload: what
// fsload's plugins serve, TensorFlow then serves too, also plugins that it
// cannot load itself. docs/coming-from-tensorflow.md shows its use.
//
// FSLOAD_ADAPTER_SCHEMES lists schemes, "s3,az", whose plugins fsload finds
// when they are first used; FSLOAD_ADAPTER_PLUGINS lists files of plugins,
// "a.so:b.so", which are loaded at once, with all of their schemes.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "fsload/fsload.h"
#include "fsload/plugin_sdk.h"

namespace {

using fsload::plugin::Error;
using Path = const std::string&;  // a whole URI: see TranslateName

// Calls `function`, and throws its error.
template <typename... Wanted, typename... Given>
void Call(fsload_code (*function)(Wanted...), Given... given) {
  fsload_error* error = nullptr;
  if (function(given..., &error) == FSLOAD_OK) return;
  const std::unique_ptr<fsload_error, void (*)(fsload_error*)> owned(
      error, fsload_error_free);
  throw Error(static_cast<TF_Code>(fsload_error_code(error)),
              fsload_error_message(error));
}

fsload_load_options LoadOptions() {
  fsload_load_options options = {};
  options.struct_size = sizeof(options);
  options.stub_missing_functions = 1;
  return options;
}

// The URI for a call, after the plugin for its scheme is found and loaded.
const char* Ready(Path uri) {
  static std::mutex mutex;
  static auto& ready = *new std::set<std::string>;
  const std::string scheme = uri.substr(0, uri.find(':'));
  const std::lock_guard<std::mutex> lock(mutex);
  if (ready.count(scheme) == 0) {
    const fsload_load_options options = LoadOptions();
    Call(fsload_find_or_load, nullptr, uri.c_str(), &options);
    ready.insert(scheme);
  }
  return uri.c_str();
}

template <typename Handle, void (*Free)(Handle*)>
struct Freed {
  void operator()(Handle* handle) const { Free(handle); }
};
template <typename Handle, void (*Free)(Handle*)>
using Owned = std::unique_ptr<Handle, Freed<Handle, Free>>;

// What `open` opens at `uri`.
template <typename Handle>
Handle* Opened(fsload_code (*open)(fsload_registry*, const char*, Handle**,
                                   fsload_error**),
               Path uri) {
  Handle* handle = nullptr;
  Call(open, nullptr, Ready(uri), &handle);
  return handle;
}

struct Reader {
  explicit Reader(Path uri) : file(Opened(fsload_open_reader, uri)) {}
  size_t Read(uint64_t offset, size_t n, char* buffer) {
    if (offset >= end) return 0;  // a server is not asked for that
    size_t count = 0;
    Call(fsload_read, file.get(), offset, buffer, n, &count);
    if (count < n) end = offset + count;
    return count;
  }
  const Owned<fsload_reader, fsload_reader_free> file;
  std::atomic<uint64_t> end{UINT64_MAX};  // the default order; any would do
};

struct Writer {
  explicit Writer(fsload_writer* opened) : file(opened) {}
  void Append(const char* data, size_t n) {
    Call(fsload_append, file.get(), data, n);
  }
  int64_t Tell() {
    int64_t position = 0;
    Call(fsload_tell, file.get(), &position);
    return position;
  }
  void Flush() { Call(fsload_flush, file.get()); }
  void Sync() { Call(fsload_sync, file.get()); }
  void Close() { Call(fsload_close, file.get()); }
  const Owned<fsload_writer, fsload_writer_free> file;
};

struct Region {
  explicit Region(Path uri) : region(Opened(fsload_open_region, uri)) {}
  const char* data() const {
    return static_cast<const char*>(fsload_region_data(region.get()));
  }
  size_t size() const { return fsload_region_size(region.get()); }
  const Owned<fsload_region, fsload_region_free> region;
};

struct Adapter {
  // By default a host takes off the scheme, and the bucket with it.
  std::string TranslateName(Path uri) { return uri; }

  std::unique_ptr<Reader> NewRandomAccessFile(Path uri) {
    return std::make_unique<Reader>(uri);
  }
  std::unique_ptr<Writer> NewWritableFile(Path uri) {
    return std::make_unique<Writer>(Opened(fsload_open_writer, uri));
  }
  std::unique_ptr<Writer> NewAppendableFile(Path uri) {
    return std::make_unique<Writer>(Opened(fsload_open_appender, uri));
  }
  std::unique_ptr<Region> NewReadOnlyMemoryRegionFromFile(Path uri) {
    return std::make_unique<Region>(uri);
  }

  void CreateDir(Path uri) {
    Call(fsload_create_directory, nullptr, Ready(uri));
  }
  void RecursivelyCreateDir(Path uri) {
    Call(fsload_create_directories, nullptr, Ready(uri));
  }
  void DeleteFile(Path uri) { Call(fsload_delete_file, nullptr, Ready(uri)); }
  void DeleteDir(Path uri) {
    Call(fsload_delete_directory, nullptr, Ready(uri));
  }
  void DeleteRecursively(Path uri, uint64_t* files, uint64_t* directories) {
    Call(fsload_delete_recursively, nullptr, Ready(uri), files, directories);
  }
  void RenameFile(Path from, Path to) {
    Call(fsload_rename, nullptr, Ready(from), Ready(to));
  }
  void CopyFile(Path from, Path to) {
    Call(fsload_copy, nullptr, Ready(from), Ready(to), nullptr);
  }

  bool PathExists(Path uri) {
    int exists = 0;
    Call(fsload_exists, nullptr, Ready(uri), &exists);
    return exists == 1;
  }
  TF_FileStatistics Stat(Path uri) {
    fsload_statistics found = {};
    found.struct_size = sizeof(found);
    Call(fsload_stat, nullptr, Ready(uri), &found);
    return {found.length, found.modified_ns, found.is_directory == 1};
  }
  // Hosts make IsDirectory and GetFileSize from Stat: TensorFlow takes any
  // answer to the former for yes.

  std::vector<std::string> GetChildren(Path uri) {
    fsload_entries* found = nullptr;
    Call(fsload_list, nullptr, Ready(uri), nullptr, &found);
    const Owned<fsload_entries, fsload_entries_free> entries(found);
    std::vector<std::string> names;
    for (size_t i = 0; i < fsload_entries_count(found); ++i) {
      names.emplace_back(fsload_entries_get(found, i)->path);
    }
    return names;
  }
  std::vector<std::string> GetMatchingPaths(Path pattern) {
    fsload_strings* found = nullptr;
    Call(fsload_glob, nullptr, Ready(pattern), &found);
    const Owned<fsload_strings, fsload_strings_free> strings(found);
    std::vector<std::string> paths;
    for (size_t i = 0; i < fsload_strings_count(found); ++i) {
      paths.emplace_back(fsload_strings_get(found, i));
    }
    return paths;
  }
};

// The elements of an environment variable.
std::set<std::string> Listed(const char* variable, char separator) {
  const char* const value = std::getenv(variable);
  std::istringstream text(value == nullptr ? "" : value);
  std::set<std::string> words;
  for (std::string word; std::getline(text, word, separator);) {
    words.insert(word);
  }
  return words;
}

// TF_InitPlugin cannot fail: a plugin that is refused is told of, and its
// schemes are missing.
void Load(Path plugin) {
  const fsload_load_options options = LoadOptions();
  fsload_error* error = nullptr;
  fsload_load(nullptr, plugin.c_str(), &options, nullptr, &error);
  if (error == nullptr) return;
  std::fprintf(stderr, "%s\n", fsload_error_message(error));
  fsload_error_free(error);
}

// All schemes that fsload serves, but not that of local paths.
void AddLoaded(std::set<std::string>& names) {
  fsload_strings* found = nullptr;
  fsload_schemes(nullptr, &found, nullptr);
  const Owned<fsload_strings, fsload_strings_free> loaded(found);
  for (size_t i = 0; i < fsload_strings_count(found); ++i) {
    const std::string name = fsload_strings_get(found, i);
    if (!name.empty()) names.insert(name);
  }
}

}  // namespace

// For the program to call before it ends: plugins crash in their own exit
// handlers while they are in use, and an exit handler here may run after those.
extern "C" __attribute__((visibility("default"))) void FsloadAdapterEnd() {
  fsload_retire_all(nullptr, 30, nullptr);
}

void TF_InitPlugin(TF_FilesystemPluginInfo* plugin) {
  for (const std::string& path : Listed("FSLOAD_ADAPTER_PLUGINS", ':')) {
    Load(path);
  }
  std::set<std::string> names = Listed("FSLOAD_ADAPTER_SCHEMES", ',');
  AddLoaded(names);
  std::vector<fsload::plugin::SchemeEntry> schemes;
  for (const std::string& name : names) {
    schemes.push_back(fsload::plugin::Scheme<Adapter>(name.c_str()));
  }
  fsload::plugin::Register(plugin, schemes);
}
