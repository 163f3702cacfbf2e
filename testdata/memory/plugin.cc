// A filesystem plugin for files in memory, scheme `memory`. Every host name has
// the same tree: memory://x/a and memory:///a are one file.
//
// With FILESYSTEM_OPS_BYTES the plugin is built for another version of the
// interface: its filesystem table has that size, both declared and actual, and
// the byte after it is unreadable. With GENERATED_CONTENTS its files take no
// memory, and hold what testdata/memory/generated_contents.h computes.
#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "testdata/plugin_memory.h"
#define FSLOAD_PLUGIN_ALLOCATE plugin_memory::Allocate
#define FSLOAD_PLUGIN_FREE plugin_memory::Free
#include "fsload/plugin_sdk.h"
#include "testdata/memory/table_at_end_of_page.h"
#include "testdata/memory/tree.h"

namespace memory_plugin {
namespace {

using fsload::plugin::Error;
using fsload::plugin::Option;
using fsload::plugin::Status;
using Lock = std::lock_guard<std::mutex>;

Status StatusOf(Outcome outcome, const std::string& path) {
  switch (outcome) {
    case Outcome::kOk:
      return Status();
    case Outcome::kNotFound:
      return Status(TF_NOT_FOUND, path + ": no such file or directory");
    case Outcome::kExists:
      return Status(TF_ALREADY_EXISTS, path + ": exists already");
    case Outcome::kIsDirectory:
      return Status(TF_FAILED_PRECONDITION, path + ": is a directory");
    case Outcome::kNotDirectory:
      return Status(TF_FAILED_PRECONDITION, path + ": not a directory");
    case Outcome::kNotEmpty:
      return Status(TF_FAILED_PRECONDITION, path + ": directory not empty");
    case Outcome::kIsRoot:
      return Status(TF_FAILED_PRECONDITION,
                    path + ": the root cannot be deleted");
  }
  return Status(TF_INTERNAL, path + ": unknown outcome");
}

void Check(Outcome outcome, const std::string& path) {
  if (outcome != Outcome::kOk) throw Error(StatusOf(outcome, path));
}

// A reader or a writer; the file outlives its path. Appended bytes are in the
// tree at once, so there is nothing to flush or sync.
struct OpenFile {
  std::shared_ptr<File> file;

  size_t Read(uint64_t offset, size_t n, char* buffer) {
    return file->Read(offset, n, buffer);
  }
  void Append(const char* data, size_t n) { file->Append(data, n); }
  int64_t Tell() { return file->Length(); }
  void Close() {}
};

// Any number of concurrent transactions: each is a set of paths, and a path is
// in at most one. Tokens are looked up, never dereferenced, so an invalid one
// is NOT_FOUND. Their memory is the plugin's until they end.
class Transactions {
 public:
  TF_TransactionToken* Start() {
    const Lock lock(mutex_);
    return StartLocked();
  }

  // Frees the token and releases its paths.
  void End(TF_TransactionToken* token) {
    const Lock lock(mutex_);
    if (tokens_.erase(token) == 0) {
      throw Error(TF_NOT_FOUND, "no such transaction");
    }
    for (auto path = paths_.begin(); path != paths_.end();) {
      path = path->second == token ? paths_.erase(path) : std::next(path);
    }
  }

  void Add(const std::string& path, TF_TransactionToken* token) {
    const Lock lock(mutex_);
    if (tokens_.count(token) == 0) {
      throw Error(TF_NOT_FOUND, "no such transaction");
    }
    if (paths_.emplace(path, token).first->second != token) {
      throw Error(TF_FAILED_PRECONDITION, "the path is in another transaction");
    }
  }

  TF_TransactionToken* Find(const std::string& path) const {
    const Lock lock(mutex_);
    const auto found = paths_.find(path);
    return found == paths_.end() ? nullptr : found->second;
  }

  TF_TransactionToken* FindOrStart(const std::string& path) {
    const Lock lock(mutex_);
    TF_TransactionToken*& token = paths_[path];
    if (token == nullptr) token = StartLocked();
    return token;
  }

  // "transaction 3 with 2 paths", or what is wrong with the token.
  std::string Describe(const TF_TransactionToken* token) const {
    const Lock lock(mutex_);
    const auto found = tokens_.find(token);
    if (found == tokens_.end()) return "no transaction that is under way";
    const auto paths = std::count_if(
        paths_.begin(), paths_.end(),
        [token](const auto& path) { return path.second == token; });
    return "transaction " + std::to_string(Number(*found->second)) + " with " +
           std::to_string(paths) + " paths";
  }

 private:
  struct Free {
    void operator()(TF_TransactionToken* token) const {
      plugin_memory::Free(token);
    }
  };
  using Token = std::unique_ptr<TF_TransactionToken, Free>;

  static uint64_t Number(const TF_TransactionToken& token) {
    return reinterpret_cast<uint64_t>(token.token);
  }

  TF_TransactionToken* StartLocked() {
    Token token(static_cast<TF_TransactionToken*>(
        plugin_memory::Allocate(sizeof(TF_TransactionToken))));
    if (token == nullptr) throw std::bad_alloc();
    token->token = reinterpret_cast<void*>(++last_number_);
    TF_TransactionToken* const started = token.get();
    tokens_[started] = std::move(token);
    return started;
  }

  mutable std::mutex mutex_;
  std::map<const TF_TransactionToken*, Token> tokens_;
  std::map<std::string, TF_TransactionToken*> paths_;
  uint64_t last_number_ = 0;
};

Option MakeOption(const char* name, const char* description, bool per_file,
                  TF_Filesystem_Option_Type type) {
  Option option;
  option.name = name;
  option.description = description;
  option.per_file = per_file;
  option.type = type;
  return option;
}

// One of each type. They are stored and returned, and have no other effect.
std::vector<Option> AllOptions() {
  std::vector<Option> options = {
      MakeOption("block_size", "bytes in a block", false,
                 TF_Filesystem_Option_Type_Int),
      MakeOption("ratios", "how full a block may be", true,
                 TF_Filesystem_Option_Type_Real),
      MakeOption("labels", "bytes that nobody reads", false,
                 TF_Filesystem_Option_Type_Buffer)};
  options[0].ints = {4096};
  options[1].reals = {0.5, 0.75};
  options[2].buffers = {"", std::string("a\0b", 3)};
  return options;
}

Option& Named(const std::string& name, std::vector<Option>& options) {
  for (Option& each : options) {
    if (each.name == name) return each;
  }
  throw Error(TF_NOT_FOUND, "no such option");
}

// Operations without a method are null, as the host's defaults do the same:
// translate_name cleans the path, and paths_exist, is_directory and
// get_file_size use path_exists and stat.
class Memory {
 public:
  std::unique_ptr<OpenFile> NewRandomAccessFile(const std::string& path) {
    return Opened(&Tree::Open, path);
  }
  std::unique_ptr<OpenFile> NewWritableFile(const std::string& path) {
    return Opened(&Tree::Create, path);
  }
  std::unique_ptr<OpenFile> NewAppendableFile(const std::string& path) {
    return Opened(&Tree::OpenOrCreate, path);
  }
  // A copy: an append must not move what the host has.
  std::unique_ptr<std::string> NewReadOnlyMemoryRegionFromFile(
      const std::string& path) {
    return std::make_unique<std::string>(
        Opened(&Tree::Open, path)->file->Contents());
  }

  void CreateDir(const std::string& path) {
    Check(tree_.CreateDir(path), path);
  }
  void RecursivelyCreateDir(const std::string& path) {
    Check(tree_.CreateDirs(path), path);
  }
  void DeleteFile(const std::string& path) {
    Check(tree_.DeleteFile(path), path);
  }
  void DeleteDir(const std::string& path) {
    Check(tree_.DeleteDir(path), path);
  }
  // L482: deletes everything, or could not start.
  void DeleteRecursively(const std::string& path, uint64_t* undeleted_files,
                         uint64_t* undeleted_dirs) {
    const Outcome outcome = tree_.DeleteTree(path);
    *undeleted_files = 0;
    *undeleted_dirs = outcome == Outcome::kOk ? 0 : 1;
    Check(outcome, path);
  }
  void RenameFile(const std::string& src, const std::string& dst) {
    Check(tree_.Rename(src, dst), src + " to " + dst);
  }
  void CopyFile(const std::string& src, const std::string& dst) {
    Check(tree_.Copy(src, dst), src + " to " + dst);
  }

  Status PathExists(const std::string& path) {
    Node node;
    return StatusOf(tree_.Find(path, &node), path);
  }
  TF_FileStatistics Stat(const std::string& path) {
    Node node;
    Check(tree_.Find(path, &node), path);
    if (node.is_directory()) return {0, node.created_nsec, true};
    return {node.file->Length(), node.file->ModifiedNsec(), false};
  }
  std::vector<std::string> GetChildren(const std::string& path) {
    std::vector<std::string> names;
    Check(tree_.List(path, &names), path);
    return names;
  }

  TF_TransactionToken* StartTransaction() { return transactions_.Start(); }
  void EndTransaction(TF_TransactionToken* token) { transactions_.End(token); }
  void AddToTransaction(const std::string& path, TF_TransactionToken* token) {
    transactions_.Add(path, token);
  }
  TF_TransactionToken* GetTransactionForPath(const std::string& path) {
    return transactions_.Find(path);
  }
  TF_TransactionToken* GetOrStartTransactionForPath(const std::string& path) {
    return transactions_.FindOrStart(path);
  }
  std::string DecodeTransactionToken(const TF_TransactionToken* token) {
    return transactions_.Describe(token);
  }

  std::vector<Option> GetConfiguration() {
    const Lock lock(mutex_);
    return options_;
  }
  // Sets all or none.
  void SetConfiguration(const std::vector<Option>& options) {
    const Lock lock(mutex_);
    std::vector<Option> changed = options_;
    for (const Option& option : options) {
      Option& to = Named(option.name, changed);
      if (option.type != to.type) {
        throw Error(TF_INVALID_ARGUMENT,
                    "the option's values have another type");
      }
      to.ints = option.ints;
      to.reals = option.reals;
      to.buffers = option.buffers;
    }
    options_ = std::move(changed);
  }
  Option GetConfigurationOption(const std::string& key) {
    const Lock lock(mutex_);
    return Named(key, options_);
  }
  void SetConfigurationOption(const Option& option) {
    SetConfiguration({option});
  }
  std::vector<std::string> GetConfigurationKeys() {
    std::vector<std::string> keys;
    for (const Option& option : GetConfiguration()) keys.push_back(option.name);
    return keys;
  }

 private:
  template <typename Open>
  std::unique_ptr<OpenFile> Opened(Open open, const std::string& path) {
    auto opened = std::make_unique<OpenFile>();
    Check((tree_.*open)(path, &opened->file), path);
    return opened;
  }

  Tree tree_;
  Transactions transactions_;
  std::mutex mutex_;
  std::vector<Option> options_ = AllOptions();
};

}  // namespace
}  // namespace memory_plugin

void TF_InitPlugin(TF_FilesystemPluginInfo* plugin_info) {
  fsload::plugin::Register(
      plugin_info, {fsload::plugin::Scheme<memory_plugin::Memory>("memory")});
#ifdef FILESYSTEM_OPS_BYTES
  plugin_info->plugin_memory_free = memory_plugin::FreeAlsoTable;
  TF_FilesystemPluginOps& ops = *plugin_info->ops;
  TF_FilesystemOps* const table = ops.filesystem_ops;
  ops.filesystem_ops_size = FILESYSTEM_OPS_BYTES;
  ops.filesystem_ops =
      memory_plugin::TableAtEndOfPage(*table, FILESYSTEM_OPS_BYTES);
  plugin_memory::Free(table);
#endif
}
