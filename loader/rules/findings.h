// The problems found while a plugin is loaded.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "fsload/finding.h"
#include "fsload/op.h"
#include "fsload/rules.h"

namespace fsload {

// What FSP010 says to do.
inline constexpr std::string_view kBuildAgainst =
    "build the plugin against a "
    "tensorflow/c/experimental/filesystem/filesystem_interface.h whose "
    "TF_FilesystemPluginInfo has 32 bytes";

// Collects the findings about one plugin. One thread at a time.
class Findings final {
 public:
  // Adds one about the plugin as a whole. Each returns the finding, which may
  // be added to until the next is added.
  Finding& Add(RuleId rule, std::string message) {
    return all_.emplace_back(Finding{rule, "", false, std::move(message)});
  }
  // Does the same if the system refused something with `error`, an errno.
  void AddRefusal(RuleId rule, int error, std::string message) {
    all_.push_back({rule, "", false, std::move(message), error});
  }
  // Returns about one of its schemes, or a table or operation of that.
  Finding& AddFor(std::string_view scheme, RuleId rule, std::string message,
                  std::optional<Table> table = {}, std::optional<Op> op = {}) {
    return all_.emplace_back(Finding{rule, std::string(scheme), true,
                                     std::move(message), 0, table, op});
  }

  void AddAll(const Findings& other) { AddAll(other.all_); }
  void AddAll(const std::vector<Finding>& others) {
    all_.insert(all_.end(), others.begin(), others.end());
  }

  // Makes a broken SHOULD rule refuse as well.
  void RefuseWarnings() { weakest_refusal_ = Severity::kShould; }

  // Returns whether there is a finding that refuses: about the plugin as a
  // whole, the scheme, or either.
  bool PluginRefused() const;
  bool SchemeRefused(std::string_view scheme) const;
  bool AnyRefused() const { return FirstRefusal() != nullptr; }

  // Returns the first finding that refuses; null if there is none.
  const Finding* FirstRefusal() const;

  const std::vector<Finding>& all() const { return all_; }

 private:
  bool Refuses(const Finding& finding) const;

  std::vector<Finding> all_;
  Severity weakest_refusal_ = Severity::kMust;
};

// Returns the status of a load of `plugin` that ends with this finding.
absl::Status RefusalOf(const std::string& plugin, const Finding& finding);

}  // namespace fsload
