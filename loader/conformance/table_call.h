// One call of a plugin's function by its table, as the contract lets a host
// make it, and what the call itself shows to be wrong.
#ifndef FSLOAD_LOADER_CONFORMANCE_TABLE_CALL_H_
#define FSLOAD_LOADER_CONFORMANCE_TABLE_CALL_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "core/calls/plugin_call.h"
#include "core/tables/op_tables.h"
#include "core/tables/operations.h"
#include "fsload/tf_status.h"
#include "loader/conformance/target.h"
#include "third_party/fmt/format.h"

namespace fsload::conformance {

// What a status says before a call. L228 and others: plugins must set it.
inline constexpr char kUnset[] = "(the plugin left the status as it was)";

// One call of an operation: its status, and what is wrong with it.
class Call final {
 public:
  Call(const SchemeTables& tables, const ViolationSink& violation,
       bool presets_status, Op op, std::string_view uri)
      : violation_(violation), op_(op), uri_(uri), status_(tables.status) {
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
    violation_(Format("{}({}) {}", Describe(op_).name, uri_, what));
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

  const ViolationSink& violation_;
  const Op op_;
  const std::string uri_;
  CallStatus status_;
};

// Cleans up; exceptions have no caller to go to.
template <typename Wrapper>
void CleanUp(const SchemeTables& tables, const ViolationSink& violation, Op op,
             void (*cleanup)(Wrapper*), Wrapper& wrapper) {
  CallStatus thrown(tables.status);
  CallPlugin(thrown, [&] { cleanup(&wrapper); });
  if (!thrown.ok()) {
    violation(Format("{} threw an exception through the interface",
                     Describe(op).name));
  }
}

inline absl::Status Missing(Op op) {
  return UnimplementedError("the plugin has no {}", Describe(op).name);
}

// Shared by a target and the files that it opens.
struct Plugin {
  const SchemeTables& tables;
  const TF_Filesystem& filesystem;
  const ViolationSink violation;
  const bool presets_status;

  Call Begin(Op op, std::string_view uri) const {
    return Call(tables, violation, presets_status, op, uri);
  }
};

}  // namespace fsload::conformance

#endif  // FSLOAD_LOADER_CONFORMANCE_TABLE_CALL_H_
