// Checking plugins.
#include <string>
#include <utility>

#include "absl/time/time.h"
#include "fsload/plugin_loader.h"
#include "loader/c_api/boundary.h"
#include "loader/c_api/report.h"
#include "loader/c_api/sized.h"
#include "loader/confined_load/confined_load.h"
#include "loader/static_pass/static_pass.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

constexpr size_t kMinCheckOptions = 32;

absl::StatusOr<absl::Duration> DeadlineOf(double seconds) {
  if (seconds == 0) return absl::Seconds(kUsualDeadline);
  if (seconds >= kShortestDeadline && seconds <= kLongestDeadline) {
    return absl::Seconds(seconds);
  }
  return fsload::InvalidArgumentError(
      "fsload_check: timeout_seconds must be from {} to {}, or 0 for {}; "
      "found {}",
      kShortestDeadline, kLongestDeadline, kUsualDeadline, seconds);
}

ConfinedReport CheckWithoutRunning(const std::string& path,
                                   const Trust& trust) {
  StaticOptions options;
  options.trust = trust;
  return ConfinedReport{StaticReport(path, CheckStatically(path, options)),
                        {"none of its code ran"},
                        "",
                        false};
}

absl::StatusOr<ConfinedReport> CheckConfined(const std::string& path,
                                             const Trust& trust,
                                             absl::Duration deadline,
                                             bool network) {
  if (!HasOneThread()) {
    return fsload::FailedPreconditionError(
        "{}: cannot be checked, as this process has several threads; run "
        "`fsload check --format=json`, or set only_static",
        path);
  }
  const auto load = [&](const LoadOptions& given) {
    LoadOptions options = given;
    options.trust = trust;
    return LoadPlugin(path, options);
  };
  ConfinedReport report =
      ConfinedLoad::Start(path, load, deadline, ConfinedWork::kLoad, network)
          ->Finish();
  const bool tried =
      !absl::IsInternal(report.load.status) || !report.load.findings.empty();
  if (!tried) return report.load.status;
  return report;
}

}  // namespace
}  // namespace fsload

fsload_code fsload_check(const char* path, const fsload_check_options* options,
                         fsload_report** report, fsload_error** error) {
  if (report != nullptr) *report = nullptr;
  return fsload::AtBoundary(error, [&] {
    absl::Status status = fsload::RequireAll("fsload_check", {{"path", path}});
    fsload_check_options copy = {};
    status.Update(fsload::CopySized("fsload_check_options", options,
                                    fsload::kMinCheckOptions, copy));
    const auto deadline = fsload::DeadlineOf(copy.timeout_seconds);
    status.Update(deadline.status());
    if (!status.ok()) return status;
    fsload::Trust trust;
    if (copy.allow_list != nullptr) trust.allow_list = copy.allow_list;
    absl::StatusOr<fsload::ConfinedReport> found =
        copy.only_static != 0
            ? fsload::CheckWithoutRunning(path, trust)
            : fsload::CheckConfined(path, trust, *deadline, copy.network != 0);
    return found.ok() ? fsload::HandOver(*std::move(found), report)
                      : found.status();
  });
}
