// What a host may do with a plugin's tables, and no more: none of the facade's
// repairs.
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/calls/plugin_call.h"
#include "core/calls/plugin_strings.h"
#include "core/calls/translated_path.h"
#include "core/file_system/plugin_file_system.h"
#include "core/paths/uri.h"
#include "loader/conformance/table_call.h"
#include "loader/conformance/table_files.h"
#include "loader/conformance/target.h"
#include "third_party/fmt/format.h"

namespace fsload::conformance {
namespace {

class TableTarget final : public Target {
 public:
  TableTarget(const PluginOps& ops, ViolationSink violation,
              bool presets_status)
      : plugin_{ops.tables(), ops.filesystem(), std::move(violation),
                presets_status},
        transactions_(MakeTableTransactions(plugin_)),
        options_(MakeTableOptions(plugin_)) {}

  Opened<ReadTarget> Open(const std::string& uri) override {
    return OpenAs<TableRead>(Op::kFilesystem_new_random_access_file,
                             ops().new_random_access_file, uri);
  }
  Opened<WriteTarget> Create(const std::string& uri) override {
    return OpenAs<TableWrite>(Op::kFilesystem_new_writable_file,
                              ops().new_writable_file, uri);
  }
  Opened<WriteTarget> OpenToAppend(const std::string& uri) override {
    return OpenAs<TableWrite>(Op::kFilesystem_new_appendable_file,
                              ops().new_appendable_file, uri);
  }
  Opened<RegionTarget> Map(const std::string& uri) override {
    return OpenAs<TableRegion>(
        Op::kFilesystem_new_read_only_memory_region_from_file,
        ops().new_read_only_memory_region_from_file, uri);
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
    std::deque<TranslatedPath> paths;
    std::vector<char*> pointers;
    std::deque<Call> calls;
    std::vector<TF_Status*> statuses;
    for (const std::string& uri : uris) {
      paths.emplace_back(plugin_.tables, plugin_.filesystem, kOp, uri,
                         SchemeBytesOf(uri));
      pointers.push_back(const_cast<char*>(paths.back().c_str()));
      statuses.push_back(calls.emplace_back(plugin_, kOp, uri).status());
    }
    CallStatus thrown(plugin_.tables.status);
    bool all = false;
    CallPlugin(thrown, [&] {
      all =
          ops().paths_exist(&plugin_.filesystem, pointers.data(),
                            static_cast<int>(pointers.size()), statuses.data());
    });
    bool without = all;
    CallPlugin(thrown, [&] {
      without = ops().paths_exist(&plugin_.filesystem, pointers.data(),
                                  static_cast<int>(pointers.size()), nullptr);
    });
    if (without != all) {
      plugin_.violation(
          Format("paths_exist returned {} with statuses, and {} without "
                 "(interface line 564)",
                 all, without));
    }
    bool all_ok = true;
    for (size_t i = 0; i < uris.size(); ++i) {
      results[i] = thrown.ok() ? calls[i].Result() : thrown.ToError(kOp, "");
      all_ok = all_ok && results[i].ok();
    }
    if (thrown.ok() && all != all_ok) {
      plugin_.violation(Format(
          "paths_exist returned {} although {} of its statuses is an error "
          "(interface lines 559-575)",
          all, all_ok ? "none" : "one"));
    }
    return results;
  }

  absl::StatusOr<FileStatistics> Stat(const std::string& uri) override {
    constexpr FileStatistics kBefore = {-7, -7, true};
    FileStatistics found = kBefore;
    const absl::Status status =
        OnPath(Op::kFilesystem_stat, ops().stat, uri, &found);
    if (!status.ok()) {
      if (found.length != kBefore.length ||
          found.mtime_nsec != kBefore.mtime_nsec ||
          found.is_directory != kBefore.is_directory) {
        plugin_.violation(Format(
            "stat({}) failed and changed the statistics (interface line 579)",
            uri));
      }
      return status;
    }
    if (found.length < 0) {
      plugin_.violation(
          Format("stat({}) returned the length {}", uri, found.length));
    }
    return found;
  }

  absl::StatusOr<bool> IsDirectory(const std::string& uri) override {
    constexpr Op kOp = Op::kFilesystem_is_directory;
    const auto function = ops().is_directory;
    if (function == nullptr) return Missing(kOp);
    const TranslatedPath path = plugin_.Translate(kOp, uri);
    if (!path.status().ok()) return path.status();
    Call call(plugin_, kOp, uri);
    const bool answer = call.Do(function, &plugin_.filesystem, path.c_str());
    if (call.code() == TF_OK) return answer;
    if (answer) call.Violation("failed and returned true (interface line 594)");
    return call.Result();
  }

  absl::StatusOr<int64_t> GetFileSize(const std::string& uri) override {
    constexpr Op kOp = Op::kFilesystem_get_file_size;
    const auto function = ops().get_file_size;
    if (function == nullptr) return Missing(kOp);
    const TranslatedPath path = plugin_.Translate(kOp, uri);
    if (!path.status().ok()) return path.status();
    Call call(plugin_, kOp, uri);
    const int64_t size = call.Do(function, &plugin_.filesystem, path.c_str());
    if (call.code() == TF_OK) return size;
    return call.Result();
  }

  absl::StatusOr<std::vector<std::string>> GetChildren(
      const std::string& uri) override {
    constexpr Op kOp = Op::kFilesystem_get_children;
    const TranslatedPath path = plugin_.Translate(kOp, uri);
    if (!path.status().ok()) return path.status();
    return List(kOp, ops().get_children, uri, path.c_str());
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
      plugin_.violation(
          Format("translate_name({}) returned null (interface line 640)", uri));
      return InternalError("null");
    }
    if (translated.text == given.c_str()) {
      plugin_.violation(
          Format("translate_name({}) returned its argument, not a new "
                 "buffer (interface line 633)",
                 uri));
      std::string copy = translated.text;
      translated.Disown();
      return copy;
    }
    return std::string(translated.text);
  }

#define FSLOAD_ON_PATH(op, method)                       \
  absl::Status method(const std::string& uri) override { \
    return OnPath(Op::kFilesystem_##op, ops().op, uri);  \
  }
#define FSLOAD_ON_PATHS(op, method)                                   \
  absl::Status method(const std::string& src, const std::string& dst) \
      override {                                                      \
    return OnPaths(Op::kFilesystem_##op, ops().op, src, dst);         \
  }
  FSLOAD_FOR_EACH_CHANGE(FSLOAD_ON_PATH, FSLOAD_ON_PATHS)
#undef FSLOAD_ON_PATHS
#undef FSLOAD_ON_PATH
  absl::Status DeleteRecursively(const std::string& uri,
                                 Undeleted& undeleted) override {
    return OnPath(Op::kFilesystem_delete_recursively, ops().delete_recursively,
                  uri, &undeleted.files, &undeleted.directories);
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

  TransactionTarget& transactions() override { return *transactions_; }
  OptionsTarget& options() override { return *options_; }

 private:
  const TF_FilesystemOps& ops() const { return plugin_.tables.filesystem; }

  template <typename Function, typename... Out>
  absl::Status OnPath(Op op, Function function, const std::string& uri,
                      Out... out) {
    if (function == nullptr) return Missing(op);
    const TranslatedPath path = plugin_.Translate(op, uri);
    if (!path.status().ok()) return path.status();
    Call call(plugin_, op, uri);
    call.Do(function, &plugin_.filesystem, path.c_str(), out...);
    return call.Result();
  }

  template <typename Function>
  absl::Status OnPaths(Op op, Function function, const std::string& src,
                       const std::string& dst) {
    if (function == nullptr) return Missing(op);
    const TranslatedPath from = plugin_.Translate(op, src);
    const TranslatedPath to = plugin_.Translate(op, dst);
    if (!from.status().ok()) return from.status();
    if (!to.status().ok()) return to.status();
    Call call(plugin_, op, src);
    call.Do(function, &plugin_.filesystem, from.c_str(), to.c_str());
    return call.Result();
  }

  template <typename File, typename Function>
  Opened<File> OpenAs(Op op, Function function, const std::string& uri) {
    auto file = std::make_unique<File>(plugin_, uri);
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
    Call call(plugin_, op, uri);
    const int count =
        call.Do(function, &plugin_.filesystem, argument, &entries.array);
    if (call.code() != TF_OK) {
      if (count != -1) {
        call.Violation(Format("failed and returned {}, not -1", count));
      }
      if (entries.array != nullptr) {
        call.Violation("failed and handed over an array (interface line 660)");
        entries.Disown();
      }
      return call.Result();
    }
    entries.count = count;
    return entries.Take(op, uri);
  }

  const Plugin plugin_;
  const std::unique_ptr<TransactionTarget> transactions_;
  const std::unique_ptr<OptionsTarget> options_;
};

}  // namespace

std::unique_ptr<Target> MakeTableTarget(const FileSystem& file_system,
                                        ViolationSink violation,
                                        bool presets_status) {
  return std::make_unique<TableTarget>(PluginFileSystem::Of(file_system).ops(),
                                       std::move(violation), presets_status);
}

}  // namespace fsload::conformance
