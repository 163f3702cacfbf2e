#include "tools/files/testing/key_store.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string_view>
#include <vector>

#include "core/file_system/plugin_file_system.h"
#include "core/paths/uri.h"
#include "core/tables/op_tables.h"
#include "fsload/tf_status.h"

namespace fsload {

// The functions of the table.
struct KeyStoreOps {
  struct OpenFile {
    KeyStore* store;
    std::string key;
    std::string contents;  // of a file being written
  };
  using Lock = std::unique_lock<std::mutex>;

  static KeyStore& Store(const TF_Filesystem* filesystem) {
    return *static_cast<KeyStore*>(filesystem->plugin_filesystem);
  }

  static Lock Begin(KeyStore& store) {
    Lock lock(store.mutex_);
    ++store.calls_;
    return lock;
  }

  // "s3://b/d/f" is "b/d/f".
  static std::string KeyOf(std::string_view path) {
    const size_t behind_scheme = path.find("://");
    if (behind_scheme != path.npos) path.remove_prefix(behind_scheme + 3);
    return std::string(path);
  }

  static std::string WithSlash(std::string key) {
    if (key.empty() || key.back() != '/') key += '/';
    return key;
  }

  // The first object whose key begins with `prefix`.
  static auto First(KeyStore& store, const std::string& prefix) {
    const auto found = store.objects.lower_bound(prefix);
    const bool begins = found != store.objects.end() &&
                        found->first.compare(0, prefix.size(), prefix) == 0;
    return begins ? found : store.objects.end();
  }

  // The key that is looked up for a request for one object.
  static std::string Requested(const KeyStore& store, std::string key) {
    for (size_t slash = 0;
         store.merges_slashes && (slash = key.find("//", slash)) != key.npos;) {
      key.erase(slash, 1);
    }
    return key;
  }

  static void SetMissing(TF_Status* status) {
    TF_SetStatus(status, TF_NOT_FOUND, "there is no such object");
  }

  static void Init(TF_Filesystem*, TF_Status*) {}
  static void Cleanup(TF_Filesystem*) {}

  static void Open(const TF_Filesystem* filesystem, const char* path,
                   TF_RandomAccessFile* file, TF_Status*) {
    KeyStore& store = Store(filesystem);
    const Lock lock = Begin(store);
    file->plugin_file = new OpenFile{&store, KeyOf(path), ""};
  }

  static void CloseReader(TF_RandomAccessFile* file) {
    delete static_cast<OpenFile*>(file->plugin_file);
  }

  // Only reading checks whether the object exists.
  static int64_t Read(const TF_RandomAccessFile* file, uint64_t offset,
                      size_t n, char* buffer, TF_Status* status) {
    const auto* open = static_cast<const OpenFile*>(file->plugin_file);
    const Lock lock(open->store->mutex_);
    const auto found =
        open->store->objects.find(Requested(*open->store, open->key));
    if (found == open->store->objects.end()) {
      SetMissing(status);
      return -1;
    }
    const std::string& contents = found->second;
    const size_t begin = std::min<size_t>(offset, contents.size());
    const size_t count = std::min(n, contents.size() - begin);
    std::memcpy(buffer, contents.data() + begin, count);
    if (count < n) TF_SetStatus(status, TF_OUT_OF_RANGE, "the end");
    return count;
  }

  static void Create(const TF_Filesystem* filesystem, const char* path,
                     TF_WritableFile* file, TF_Status*) {
    KeyStore& store = Store(filesystem);
    const Lock lock = Begin(store);
    file->plugin_file = new OpenFile{&store, KeyOf(path), ""};
  }

  static void CloseWriter(TF_WritableFile* file) {
    delete static_cast<OpenFile*>(file->plugin_file);
  }

  static void Append(const TF_WritableFile* file, const char* buffer, size_t n,
                     TF_Status*) {
    static_cast<OpenFile*>(file->plugin_file)->contents.append(buffer, n);
  }

  // Written contents appear on close.
  static void Close(const TF_WritableFile* file, TF_Status*) {
    const auto* open = static_cast<const OpenFile*>(file->plugin_file);
    const Lock lock(open->store->mutex_);
    if (open->key.back() == '/' && !open->store->takes_markers) return;
    open->store->objects[open->key] = open->contents;
  }

  static void CreateDir(const TF_Filesystem* filesystem, const char* path,
                        TF_Status*) {
    KeyStore& store = Store(filesystem);
    const Lock lock = Begin(store);
    if (store.makes_markers) store.objects[WithSlash(KeyOf(path))];
  }

  // Like real stores, also succeeds if nothing is there.
  static void DeleteFile(const TF_Filesystem* filesystem, const char* path,
                         TF_Status* status) {
    KeyStore& store = Store(filesystem);
    const Lock lock = Begin(store);
    const auto answer = store.answers.find(KeyOf(path));
    if (answer != store.answers.end()) {
      return TF_SetStatus(status, answer->second, "it is an answer of a test");
    }
    store.objects.erase(KeyOf(path));
  }

  static void DeleteDir(const TF_Filesystem* filesystem, const char* path,
                        TF_Status* status) {
    KeyStore& store = Store(filesystem);
    const Lock lock = Begin(store);
    const std::string key = WithSlash(KeyOf(path));
    auto found = First(store, key);
    if (found != store.objects.end() && found->first == key) {
      const auto marker = found++;
      if (found == store.objects.end() ||
          found->first.compare(0, key.size(), key) != 0) {
        store.objects.erase(marker);
        return;
      }
    }
    if (found == store.objects.end()) return;
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "it is not empty");
  }

  // A directory hides an object of the same name.
  static void Stat(const TF_Filesystem* filesystem, const char* path,
                   TF_FileStatistics* statistics, TF_Status* status) {
    KeyStore& store = Store(filesystem);
    const Lock lock = Begin(store);
    const std::string key = KeyOf(path);
    if (First(store, WithSlash(key)) != store.objects.end()) {
      *statistics = {0, 0, true};
      return;
    }
    const auto found = store.objects.find(Requested(store, key));
    if (found == store.objects.end()) return SetMissing(status);
    *statistics = {static_cast<int64_t>(found->second.size()), 0, false};
  }

  static void PathExists(const TF_Filesystem* filesystem, const char* path,
                         TF_Status* status) {
    TF_FileStatistics ignored;
    Stat(filesystem, path, &ignored, status);
  }

  static std::vector<std::string> Names(KeyStore& store,
                                        const std::string& folder) {
    std::vector<std::string> names;
    std::set<std::string> folders;
    for (auto each = First(store, folder);
         each != store.objects.end() &&
         each->first.compare(0, folder.size(), folder) == 0;
         ++each) {
      const std::string rest = each->first.substr(folder.size());
      const size_t slash = rest.find('/');
      if (slash != std::string::npos) {
        folders.insert(rest.substr(0, slash));
      } else if (!rest.empty()) {
        names.push_back(rest);
      }
    }
    for (const std::string& name : folders) {
      if (store.lists_slashes) names.push_back(name + "/");
      if (!store.lists_slashes && !name.empty()) names.push_back(name);
      if (store.lists_twice) names.push_back(name);
    }
    return names;
  }

  static int GetChildren(const TF_Filesystem* filesystem, const char* path,
                         char*** entries, TF_Status* status) {
    KeyStore& store = Store(filesystem);
    const Lock lock = Begin(store);
    if (store.before_listing != nullptr) {
      const TF_Code code = store.before_listing(KeyOf(path));
      if (code != TF_OK) TF_SetStatus(status, code, "injected");
      if (code != TF_OK) return -1;
    }
    const std::vector<std::string> names = Names(store, WithSlash(KeyOf(path)));
    *entries =
        static_cast<char**>(std::calloc(names.size() + 1, sizeof(char*)));
    for (size_t i = 0; i < names.size(); ++i) {
      (*entries)[i] = strdup(names[i].c_str());
    }
    return static_cast<int>(names.size());
  }

  static char* TranslateName(const TF_Filesystem* filesystem, const char* uri) {
    KeyStore& store = Store(filesystem);
    const Lock lock(store.mutex_);
    ++store.translations[uri];
    if (store.keeps_host) return strdup(uri);
    return strdup(std::string(ParseUri(uri).path).c_str());
  }
};

FileSystemPtr KeyStore::Open() {
  SchemeTables tables;
  TF_FilesystemOps& ops = tables.filesystem;
  ops.init = KeyStoreOps::Init;
  ops.cleanup = KeyStoreOps::Cleanup;
  ops.new_random_access_file = KeyStoreOps::Open;
  ops.new_writable_file = KeyStoreOps::Create;
  ops.create_dir = KeyStoreOps::CreateDir;
  ops.delete_file = KeyStoreOps::DeleteFile;
  ops.delete_dir = KeyStoreOps::DeleteDir;
  ops.path_exists = KeyStoreOps::PathExists;
  ops.stat = KeyStoreOps::Stat;
  ops.get_children = KeyStoreOps::GetChildren;
  ops.translate_name = KeyStoreOps::TranslateName;
  tables.random_access_file = {KeyStoreOps::CloseReader, KeyStoreOps::Read};
  tables.writable_file = {
      KeyStoreOps::CloseWriter, KeyStoreOps::Append, nullptr, nullptr, nullptr,
      KeyStoreOps::Close};
  tables.memory = {std::malloc, std::free};
  tables.traits = traits;
  return *PluginFileSystem::Create(OpTables::Seal({tables})->front(), scheme_,
                                   "test", TF_Filesystem{this});
}

}  // namespace fsload
