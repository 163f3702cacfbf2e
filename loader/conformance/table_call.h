// One call of a plugin's function by its table, as the contract lets a host
// make it, and what the call itself shows to be wrong.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "core/calls/plugin_call.h"
#include "core/calls/translated_path.h"
#include "core/paths/uri.h"
#include "core/tables/op_tables.h"
#include "core/tables/operations.h"
#include "fsload/tf_status.h"
#include "loader/conformance/target.h"
#include "third_party/fmt/format.h"

namespace fsload::conformance {

// What a status says before a call. L228 and others: plugins must set it.
inline constexpr char kUnset[] = "(the plugin left the status as it was)";

// Shared by a target, its parts and the files that it opens.
struct Plugin {
  const SchemeTables& tables;
  const TF_Filesystem& filesystem;
  const ViolationSink violation;
  const bool presets_status;

  TranslatedPath Translate(Op op, const std::string& uri) const {
    return TranslatedPath(tables, filesystem, op, uri, SchemeBytesOf(uri));
  }
};

// One call of an operation: its status, and what is wrong with it.
class Call final {
 public:
  Call(const Plugin& plugin, Op op, std::string_view uri)
      : plugin_(plugin), op_(op), uri_(uri), status_(plugin.tables.status) {
    if (!plugin.presets_status) return;
    const StatusProvider& provider = plugin.tables.status;
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
      Violation(
          "left the status as it was; it must set it, also to TF_OK on "
          "success");
    }
    if (absl::IsUnimplemented(error)) {
      Violation(
          "returned UNIMPLEMENTED; an operation that a plugin does not "
          "have is null (L126)");
    }
    return error;
  }

  void Violation(std::string_view what) const {
    plugin_.violation(Format("{}({}) {}", Describe(op_).name, uri_, what));
  }

 private:
  template <typename Body>
  void Guard(Body body) {
    bool returned = false;
    CallPlugin(status_, [&] {
      body();
      returned = true;
    });
    if (!returned) Violation("threw an exception through the interface");
  }

  const Plugin& plugin_;
  const Op op_;
  const std::string uri_;
  CallStatus status_;
};

// Cleans up; exceptions have no caller to go to.
template <typename Wrapper>
void CleanUp(const Plugin& plugin, Op op, void (*cleanup)(Wrapper*),
             Wrapper& wrapper) {
  CallStatus thrown(plugin.tables.status);
  CallPlugin(thrown, [&] { cleanup(&wrapper); });
  if (!thrown.ok()) {
    plugin.violation(Format("{} threw an exception through the interface",
                            Describe(op).name));
  }
}

inline absl::Status Missing(Op op) {
  return UnimplementedError("the plugin has no {}", Describe(op).name);
}

// Return the parts of a target; `plugin` must outlive them.
std::unique_ptr<TransactionTarget> MakeTableTransactions(const Plugin& plugin);
std::unique_ptr<OptionsTarget> MakeTableOptions(const Plugin& plugin);

}  // namespace fsload::conformance
