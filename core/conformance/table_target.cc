// What a host may do with a plugin's tables, and no more: none of the facade's
// repairs.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/calls/plugin_call.h"
#include "core/calls/plugin_strings.h"
#include "core/calls/translated_path.h"
#include "core/conformance/target.h"
#include "core/file_system/plugin_file_system.h"
#include "core/paths/uri.h"

namespace fsload::conformance {
namespace {

// What a status says before a call. L228 and others: plugins must set it.
constexpr char kUnset[] = "(the plugin left the status as it was)";

// One call of an operation: its status, and what is wrong with it.
class Call final {
 public:
  Call(const SchemeTables& tables, const TakeBreach& breach,
       bool presets_status, Op op, std::string_view uri)
      : breach_(breach), op_(op), uri_(uri), status_(tables.status) {
    if (!presets_status) return;
    const StatusProvider& provider = tables.status;
    if (provider.is_own()) {
      TF_SetStatus(status_.get(), TF_UNKNOWN, kUnset);
    } else {
      provider.set_status(status_.get(), TF_UNKNOWN, kUnset);
    }
  }

  // Calls `function` with `arguments` and the status.
  template <typename Function, typename... Arguments>
  auto Do(Function function, Arguments... arguments) {
    decltype(function(arguments..., status_.get())) result{};
    Guard([&] { result = function(arguments..., status_.get()); });
    return result;
  }
  template <typename... Parameters, typename... Arguments>
  void Do(void (*function)(Parameters...), Arguments... arguments) {
    Guard([&] { function(arguments..., status_.get()); });
  }

  TF_Status* status() { return status_.get(); }
  TF_Code code() const { return status_.code(); }

  absl::Status Result() const {
    if (status_.ok()) return absl::OkStatus();
    absl::Status error = status_.ToError(op_, uri_);
    if (std::string(error.message()).find(kUnset) != std::string::npos) {
      Breach("left the status as it was; it must set it, to TF_OK too");
    }
    if (absl::IsUnimplemented(error)) {
      Breach(
          "answered UNIMPLEMENTED; an operation that a plugin does not "
          "have is null (L126)");
    }
    return error;
  }

  void Breach(std::string_view what) const {
    breach_(fmt::format("{}({}) {}", Describe(op_).name, uri_, what));
  }

 private:
  template <typename Body>
  void Guard(Body body) {
    bool returned = false;
    CallPlugin(status_, [&] {
      body();
      returned = true;
    });
    if (!returned) Breach("threw an exception through the interface");
  }

  const TakeBreach& breach_;
  const Op op_;
  const std::string uri_;
  CallStatus status_;
};

// Exceptions have no caller to go to.
template <typename Wrapper>
void CleanUp(const SchemeTables& tables, const TakeBreach& breach, Op op,
             void (*cleanup)(Wrapper*), Wrapper& wrapper) {
  CallStatus thrown(tables.status);
  CallPlugin(thrown, [&] { cleanup(&wrapper); });
  if (!thrown.ok()) {
    breach(fmt::format("{} threw an exception through the interface",
                       Describe(op).name));
  }
}

absl::Status Missing(Op op) {
  return absl::UnimplementedError(
      fmt::format("the plugin has no {}", Describe(op).name));
}

// Shared by a target and the files that it opens.
struct Plugin {
  const SchemeTables& tables;
  const TF_Filesystem& filesystem;
  const TakeBreach breach;
  const bool presets_status;

  Call Begin(Op op, std::string_view uri) const {
    return Call(tables, breach, presets_status, op, uri);
  }
};

class TableRead final : public ReadTarget {
 public:
  TableRead(const Plugin& plugin, std::string uri)
      : plugin_(plugin), uri_(std::move(uri)) {}
  ~TableRead() override {
    if (!opened) return;
    CleanUp(plugin_.tables, plugin_.breach, Op::kRandomAccessFile_cleanup,
            plugin_.tables.random_access_file.cleanup, wrapper);
  }

  absl::StatusOr<size_t> Read(uint64_t offset, size_t n,
                              char* buffer) override {
    constexpr Op kOp = Op::kRandomAccessFile_read;
    const auto read = plugin_.tables.random_access_file.read;
    if (read == nullptr) return Missing(kOp);
    Call call = plugin_.Begin(kOp, uri_);
    const int64_t count =
        call.Do(read, const_cast<const TF_RandomAccessFile*>(&wrapper), offset,
                n, buffer);
    const bool at_end = call.code() == TF_OUT_OF_RANGE;
    if (call.code() == TF_OK && count != static_cast<int64_t>(n)) {
      call.Breach(
          fmt::format("at offset {} answered TF_OK with {} bytes of {} "
                      "(L228)",
                      offset, count, n));
    } else if (at_end && (count < 0 || count >= static_cast<int64_t>(n))) {
      call.Breach(
          fmt::format("at offset {} answered TF_OUT_OF_RANGE with {} "
                      "bytes of {} (L229-L230)",
                      offset, count, n));
    } else if (call.code() != TF_OK && !at_end && count != -1) {
      call.Breach(fmt::format("failed and returned {}, not -1 (L231)", count));
    }
    if (call.code() != TF_OK && !at_end) return call.Result();
    if (count < 0 || count > static_cast<int64_t>(n)) {
      return absl::InternalError(fmt::format("read returned {}", count));
    }
    return static_cast<size_t>(count);
  }

  TF_RandomAccessFile wrapper = {nullptr};
  bool opened = false;  // what was not opened is not cleaned up (L61)

 private:
  const Plugin& plugin_;
  const std::string uri_;
};

class TableWrite final : public WriteTarget {
 public:
  TableWrite(const Plugin& plugin, std::string uri)
      : plugin_(plugin), uri_(std::move(uri)) {}
  ~TableWrite() override {
    if (!opened) return;
    if (!closed_) Close().IgnoreError();
    CleanUp(plugin_.tables, plugin_.breach, Op::kWritableFile_cleanup,
            plugin_.tables.writable_file.cleanup, wrapper);
  }

  absl::Status Append(std::string_view bytes) override {
    constexpr Op kOp = Op::kWritableFile_append;
    const auto append = plugin_.tables.writable_file.append;
    if (append == nullptr) return Missing(kOp);
    Call call = plugin_.Begin(kOp, uri_);
    // Exactly as long as it says, so that a sanitizer sees reads behind it.
    const std::vector<char> copy(bytes.begin(), bytes.end());
    call.Do(append, wrapper_as_const(), copy.data(), copy.size());
    return call.Result();
  }

  absl::StatusOr<int64_t> Tell() override {
    constexpr Op kOp = Op::kWritableFile_tell;
    const auto tell = plugin_.tables.writable_file.tell;
    if (tell == nullptr) return Missing(kOp);
    Call call = plugin_.Begin(kOp, uri_);
    const int64_t position = call.Do(tell, wrapper_as_const());
    if (call.code() == TF_OK) return position;
    if (position != -1) {
      call.Breach(
          fmt::format("failed and returned {}, not -1 (L270)", position));
    }
    return call.Result();
  }

  absl::Status Flush() override {
    return Simple(Op::kWritableFile_flush, plugin_.tables.writable_file.flush);
  }
  absl::Status Sync() override {
    return Simple(Op::kWritableFile_sync, plugin_.tables.writable_file.sync);
  }
  absl::Status Close() override {
    closed_ = true;
    return Simple(Op::kWritableFile_close, plugin_.tables.writable_file.close);
  }

  TF_WritableFile wrapper = {nullptr};
  bool opened = false;  // what was not opened is not cleaned up (L61)

 private:
  const TF_WritableFile* wrapper_as_const() const { return &wrapper; }

  absl::Status Simple(Op op,
                      void (*function)(const TF_WritableFile*, TF_Status*)) {
    if (function == nullptr) return Missing(op);
    Call call = plugin_.Begin(op, uri_);
    call.Do(function, wrapper_as_const());
    return call.Result();
  }

  const Plugin& plugin_;
  const std::string uri_;
  bool closed_ = false;
};

class TableRegion final : public RegionTarget {
 public:
  explicit TableRegion(const Plugin& plugin) : plugin_(plugin) {}
  ~TableRegion() override {
    if (!opened) return;
    CleanUp(plugin_.tables, plugin_.breach, Op::kReadOnlyMemoryRegion_cleanup,
            plugin_.tables.read_only_memory_region.cleanup, wrapper);
  }

  std::string_view contents() override {
    const TF_ReadOnlyMemoryRegionOps& ops =
        plugin_.tables.read_only_memory_region;
    const auto length = static_cast<size_t>(ops.length(&wrapper));
    const auto* const data = static_cast<const char*>(ops.data(&wrapper));
    if (data == nullptr && length > 0) {
      plugin_.breach(fmt::format(
          "data of a memory region is null, and length {} (L310)", length));
      return {};
    }
    return {data, length};
  }

  TF_ReadOnlyMemoryRegion wrapper = {nullptr};
  bool opened = false;  // what was not opened is not cleaned up (L61)

 private:
  const Plugin& plugin_;
};

class TableTarget final : public Target {
 public:
  TableTarget(const PluginOps& ops, TakeBreach breach, bool presets_status)
      : plugin_{ops.tables(), ops.filesystem(), std::move(breach),
                presets_status} {}

  Opened<ReadTarget> Open(const std::string& uri) override {
    return OpenAs<ReadTarget>(Op::kFilesystem_new_random_access_file,
                              ops().new_random_access_file, uri,
                              std::make_unique<TableRead>(plugin_, uri));
  }
  Opened<WriteTarget> Create(const std::string& uri) override {
    return OpenAs<WriteTarget>(Op::kFilesystem_new_writable_file,
                               ops().new_writable_file, uri,
                               std::make_unique<TableWrite>(plugin_, uri));
  }
  Opened<WriteTarget> OpenToAppend(const std::string& uri) override {
    return OpenAs<WriteTarget>(Op::kFilesystem_new_appendable_file,
                               ops().new_appendable_file, uri,
                               std::make_unique<TableWrite>(plugin_, uri));
  }
  Opened<RegionTarget> Map(const std::string& uri) override {
    return OpenAs<RegionTarget>(
        Op::kFilesystem_new_read_only_memory_region_from_file,
        ops().new_read_only_memory_region_from_file, uri,
        std::make_unique<TableRegion>(plugin_));
  }

  absl::Status PathExists(const std::string& uri) override {
    return OnPath(Op::kFilesystem_path_exists, ops().path_exists, uri);
  }

  std::vector<absl::Status> PathsExist(
      const std::vector<std::string>& uris) override {
    std::vector<absl::Status> results(uris.size());
    constexpr Op kOp = Op::kFilesystem_paths_exist;
    if (ops().paths_exist == nullptr) {
      results.assign(uris.size(), Missing(kOp));
      return results;
    }
    std::vector<std::unique_ptr<TranslatedPath>> paths;
    std::vector<char*> pointers;
    std::vector<std::unique_ptr<Call>> calls;
    std::vector<TF_Status*> statuses;
    for (const std::string& uri : uris) {
      paths.push_back(Translate(kOp, uri));
      pointers.push_back(const_cast<char*>(paths.back()->c_str()));
      calls.push_back(std::make_unique<Call>(plugin_.tables, plugin_.breach,
                                             plugin_.presets_status, kOp, uri));
      statuses.push_back(calls.back()->status());
    }
    CallStatus thrown(plugin_.tables.status);
    bool all = false;
    CallPlugin(thrown, [&] {
      all =
          ops().paths_exist(&plugin_.filesystem, pointers.data(),
                            static_cast<int>(pointers.size()), statuses.data());
    });
    bool all_ok = true;
    for (size_t i = 0; i < uris.size(); ++i) {
      results[i] = thrown.ok() ? calls[i]->Result() : thrown.ToError(kOp, "");
      all_ok = all_ok && results[i].ok();
    }
    if (thrown.ok() && all != all_ok) {
      plugin_.breach(fmt::format(
          "paths_exist returned {} although {} of its statuses is an error "
          "(L559-L575)",
          all, all_ok ? "none" : "one"));
    }
    return results;
  }

  absl::StatusOr<FileStatistics> Stat(const std::string& uri) override {
    FileStatistics found = {-7, -7, false};
    const absl::Status status =
        OnPath(Op::kFilesystem_stat, ops().stat, uri, &found);
    if (!status.ok()) return status;
    if (found.length < 0) {
      plugin_.breach(
          fmt::format("stat({}) answered the length {}", uri, found.length));
    }
    return found;
  }

  absl::StatusOr<bool> IsDirectory(const std::string& uri) override {
    constexpr Op kOp = Op::kFilesystem_is_directory;
    const auto function = ops().is_directory;
    if (function == nullptr) return Missing(kOp);
    const auto path = Translate(kOp, uri);
    if (!path->status().ok()) return path->status();
    Call call = plugin_.Begin(kOp, uri);
    const bool answer = call.Do(function, &plugin_.filesystem, path->c_str());
    if (call.code() == TF_OK) return answer;
    if (answer) call.Breach("failed and returned true (L594)");
    return call.Result();
  }

  absl::StatusOr<int64_t> GetFileSize(const std::string& uri) override {
    constexpr Op kOp = Op::kFilesystem_get_file_size;
    const auto function = ops().get_file_size;
    if (function == nullptr) return Missing(kOp);
    const auto path = Translate(kOp, uri);
    if (!path->status().ok()) return path->status();
    Call call = plugin_.Begin(kOp, uri);
    const int64_t size = call.Do(function, &plugin_.filesystem, path->c_str());
    if (call.code() == TF_OK) return size;
    return call.Result();
  }

  absl::StatusOr<std::vector<std::string>> GetChildren(
      const std::string& uri) override {
    constexpr Op kOp = Op::kFilesystem_get_children;
    const auto path = Translate(kOp, uri);
    if (!path->status().ok()) return path->status();
    return List(kOp, ops().get_children, uri, path->c_str());
  }
  absl::StatusOr<std::vector<std::string>> GetMatchingPaths(
      const std::string& pattern) override {
    return List(Op::kFilesystem_get_matching_paths, ops().get_matching_paths,
                pattern, pattern.c_str());
  }

  absl::StatusOr<std::string> TranslateName(const std::string& uri) override {
    constexpr Op kOp = Op::kFilesystem_translate_name;
    if (ops().translate_name == nullptr) return Missing(kOp);
    PluginText translated(plugin_.tables);
    CallStatus thrown(plugin_.tables.status);
    const std::string given = uri;
    CallPlugin(thrown, [&] {
      translated.text =
          ops().translate_name(&plugin_.filesystem, given.c_str());
    });
    if (!thrown.ok()) return thrown.ToError(kOp, uri);
    if (translated.text == nullptr) {
      plugin_.breach(
          fmt::format("translate_name({}) returned null (L640)", uri));
      return absl::InternalError("null");
    }
    if (translated.text == given.c_str()) {
      plugin_.breach(fmt::format(
          "translate_name({}) returned its argument, not a new buffer (L633)",
          uri));
      std::string copy = translated.text;
      translated.Disown();
      return copy;
    }
    return std::string(translated.text);
  }

  absl::Status CreateDir(const std::string& uri) override {
    return OnPath(Op::kFilesystem_create_dir, ops().create_dir, uri);
  }
  absl::Status RecursivelyCreateDir(const std::string& uri) override {
    return OnPath(Op::kFilesystem_recursively_create_dir,
                  ops().recursively_create_dir, uri);
  }
  absl::Status DeleteFile(const std::string& uri) override {
    return OnPath(Op::kFilesystem_delete_file, ops().delete_file, uri);
  }
  absl::Status DeleteDir(const std::string& uri) override {
    return OnPath(Op::kFilesystem_delete_dir, ops().delete_dir, uri);
  }
  absl::Status DeleteRecursively(const std::string& uri,
                                 Undeleted& undeleted) override {
    return OnPath(Op::kFilesystem_delete_recursively, ops().delete_recursively,
                  uri, &undeleted.files, &undeleted.directories);
  }
  absl::Status RenameFile(const std::string& src,
                          const std::string& dst) override {
    return OnPaths(Op::kFilesystem_rename_file, ops().rename_file, src, dst);
  }
  absl::Status CopyFile(const std::string& src,
                        const std::string& dst) override {
    return OnPaths(Op::kFilesystem_copy_file, ops().copy_file, src, dst);
  }

  absl::Status FlushCaches() override {
    if (ops().flush_caches == nullptr) {
      return Missing(Op::kFilesystem_flush_caches);
    }
    CallStatus thrown(plugin_.tables.status);
    CallPlugin(thrown, [&] { ops().flush_caches(&plugin_.filesystem); });
    return thrown.ok() ? absl::OkStatus()
                       : thrown.ToError(Op::kFilesystem_flush_caches, "");
  }

 private:
  const TF_FilesystemOps& ops() const { return plugin_.tables.filesystem; }

  std::unique_ptr<TranslatedPath> Translate(Op op,
                                            const std::string& uri) const {
    return std::make_unique<TranslatedPath>(plugin_.tables, plugin_.filesystem,
                                            op, uri, SchemeBytesOf(uri));
  }

  template <typename Function, typename... Out>
  absl::Status OnPath(Op op, Function function, const std::string& uri,
                      Out... out) {
    if (function == nullptr) return Missing(op);
    const auto path = Translate(op, uri);
    if (!path->status().ok()) return path->status();
    Call call = plugin_.Begin(op, uri);
    call.Do(function, &plugin_.filesystem, path->c_str(), out...);
    return call.Result();
  }

  template <typename Function>
  absl::Status OnPaths(Op op, Function function, const std::string& src,
                       const std::string& dst) {
    if (function == nullptr) return Missing(op);
    const auto from = Translate(op, src);
    const auto to = Translate(op, dst);
    if (!from->status().ok()) return from->status();
    if (!to->status().ok()) return to->status();
    Call call = plugin_.Begin(op, src);
    call.Do(function, &plugin_.filesystem, from->c_str(), to->c_str());
    return call.Result();
  }

  template <typename T, typename Function, typename File>
  Opened<T> OpenAs(Op op, Function function, const std::string& uri,
                   std::unique_ptr<File> file) {
    const absl::Status status = OnPath(op, function, uri, &file->wrapper);
    if (!status.ok()) return status;
    file->opened = true;
    return file;
  }

  template <typename Function>
  absl::StatusOr<std::vector<std::string>> List(Op op, Function function,
                                                const std::string& uri,
                                                const char* argument) {
    if (function == nullptr) return Missing(op);
    PluginStrings entries(plugin_.tables);
    Call call = plugin_.Begin(op, uri);
    const int count =
        call.Do(function, &plugin_.filesystem, argument, &entries.array);
    if (call.code() != TF_OK) {
      if (count != -1) {
        call.Breach(fmt::format("failed and returned {}, not -1", count));
      }
      if (entries.array != nullptr) {
        call.Breach("failed and handed over an array (L660)");
        entries.Disown();
      }
      return call.Result();
    }
    entries.count = count;
    return entries.Take(op, uri);
  }

  const Plugin plugin_;
};

}  // namespace

std::unique_ptr<Target> MakeTableTarget(const FileSystem& file_system,
                                        TakeBreach breach,
                                        bool presets_status) {
  return std::make_unique<TableTarget>(PluginFileSystem::Of(file_system).ops(),
                                       std::move(breach), presets_status);
}

}  // namespace fsload::conformance
