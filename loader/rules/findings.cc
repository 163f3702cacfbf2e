#include "loader/rules/findings.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "third_party/fmt/format.h"

namespace fsload {
namespace {

absl::StatusCode StatusCodeOf(const Finding& finding) {
  switch (finding.rule) {
    case RuleId::kFileExists:
      return absl::StatusCode::kNotFound;
    case RuleId::kSchemeFree:
      return absl::StatusCode::kAlreadyExists;
    case RuleId::kFileNotWorldWritable:
    case RuleId::kFolderNotWorldWritable:
    case RuleId::kAllowed:
      return absl::StatusCode::kPermissionDenied;
    default:
      return finding.system_error == 0
                 ? absl::StatusCode::kFailedPrecondition
                 : absl::ErrnoToStatusCode(finding.system_error);
  }
}

}  // namespace

bool Findings::Refuses(const Finding& finding) const {
  return Describe(finding.rule).severity <= weakest_refusal_;
}

bool Findings::PluginRefused() const {
  return std::any_of(all_.begin(), all_.end(), [this](const Finding& finding) {
    return !finding.of_scheme && Refuses(finding);
  });
}

bool Findings::SchemeRefused(std::string_view scheme) const {
  return std::any_of(all_.begin(), all_.end(), [&](const Finding& finding) {
    return finding.of_scheme && finding.scheme == scheme && Refuses(finding);
  });
}

const Finding* Findings::FirstRefusal() const {
  const auto found =
      std::find_if(all_.begin(), all_.end(),
                   [this](const Finding& finding) { return Refuses(finding); });
  return found == all_.end() ? nullptr : &*found;
}

std::string ToString(const Finding& finding) {
  std::string text = Name(finding.rule) + ": ";
  if (finding.of_scheme) text += Format("scheme '{}': ", finding.scheme);
  return text + finding.message;
}

absl::Status RefusalOf(const std::string& plugin, const Finding& finding) {
  return absl::Status(StatusCodeOf(finding),
                      Format("{}: {}", plugin, ToString(finding)));
}

}  // namespace fsload
