#include "loader/tensorflow/fit.h"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "loader/elf/demangle.h"
#include "loader/elf/elf_file.h"
#include "loader/elf/file_bytes.h"
#include "loader/elf/symbol_table.h"
#include "loader/libraries/library_search.h"
#include "loader/libraries/symbol_scope.h"
#include "loader/rules/findings.h"
#include "loader/tensorflow/dist_info.h"
#include "loader/trust/file_errors.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// Lookups in the few dozen libraries of TensorFlow.
constexpr uint64_t kMaxSteps = 1 << 26;

// A shared object and all that it needs, by the rules of a process of its own.
class Closure {
 public:
  // Null, with the reason in `problem`, if the file cannot be read.
  static std::unique_ptr<Closure> Of(const std::string& path,
                                     std::string& problem) {
    auto closure = std::make_unique<Closure>();
    closure->bytes_ = FileBytes::Open(path);
    if (closure->bytes_ == nullptr) {
      problem = Format("{}: {}", path, UnreadableFile(errno));
      return nullptr;
    }
    Findings findings;
    closure->file_ = ElfFile::Parse(closure->bytes_->bytes(), findings,
                                    closure->bytes_.get());
    if (!closure->file_.has_value()) {
      problem = Format("{}: {}", path, findings.all().front().message);
      return nullptr;
    }
    SearchOptions options;
    options.in_process = false;
    closure->libraries_ = FindLibraries(*closure->file_, path, options);
    return closure;
  }

  const Libraries& libraries() const { return libraries_; }

  bool HasLibrary(const std::string& name) const {
    return std::any_of(libraries_.found.begin(), libraries_.found.end(),
                       [&](const auto& each) { return each->HasName(name); });
  }

  bool Defines(const UnresolvedSymbol& symbol, WorkLimit& work) const {
    const SymbolName name(symbol.name);
    return std::any_of(libraries_.found.begin(), libraries_.found.end(),
                       [&](const auto& each) {
                         return each->symbols->Defines(name, symbol.version,
                                                       work);
                       });
  }

 private:
  std::unique_ptr<FileBytes> bytes_;
  std::optional<ElfFile> file_;
  Libraries libraries_;
};

// None if there is more to look at than in any real plugin.
std::optional<std::vector<std::string>> WhatIsMissing(
    const Closure& plugin, const Closure& tensorflow) {
  std::vector<std::string> missing;
  const UnresolvedSymbols unresolved =
      FindUnresolved(plugin.libraries(), nullptr);
  if (!tensorflow.libraries().complete || !unresolved.complete) {
    return std::nullopt;
  }
  for (const MissingLibrary& each : plugin.libraries().missing) {
    if (!tensorflow.HasLibrary(each.name)) missing.push_back(each.name);
  }
  for (const MissingVersion& each : FindMissingVersions(plugin.libraries())) {
    missing.push_back(each.version + " of " + each.library);
  }
  Demangler demangler;
  WorkLimit work(kMaxSteps);
  for (const UnresolvedSymbol& each : unresolved.all) {
    if (tensorflow.Defines(each, work)) continue;
    if (work.IsSpent()) return std::nullopt;
    missing.push_back(demangler.Demangle(each.name));
  }
  return missing;
}

}  // namespace

TensorFlowFit CompareWithTensorFlow(const std::string& plugin,
                                    const TensorFlowInstallation& tensorflow) {
  TensorFlowFit fit;
  const auto plugins = Closure::Of(plugin, fit.problem);
  if (plugins == nullptr) return fit;
  const auto tensorflows = Closure::Of(tensorflow.library, fit.problem);
  if (tensorflows == nullptr) return fit;
  std::optional<std::vector<std::string>> missing =
      WhatIsMissing(*plugins, *tensorflows);
  if (!missing.has_value()) {
    const bool is_plugins = tensorflows->libraries().complete;
    fit.problem =
        Format("{}: it needs more libraries and symbols than fsload looks at",
               is_plugins ? plugin : tensorflow.library);
    return fit;
  }
  fit.missing = *std::move(missing);
  const std::optional<DistInfo> info = PackageOfFile(plugin);
  if (!info.has_value()) return fit;
  fit.package = info->package + " " + info->version;
  const std::vector<std::string> ranges = VersionsRequired(*info, "tensorflow");
  if (ranges.empty()) return fit;
  const auto met =
      std::find_if(ranges.begin(), ranges.end(), [&](const std::string& range) {
        return IsInRange(tensorflow.version, range);
      });
  fit.asks_for = met == ranges.end() ? ranges.back() : *met;
  fit.asks_for_another = !tensorflow.version.empty() && met == ranges.end();
  return fit;
}

}  // namespace fsload
