#include "loader/known_plugins/usable_schemes.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_join.h"
#include "loader/known_plugins/known_plugins.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// Functions that no other scheme of the same plugin calls.
struct CalledByOne {
  std::string_view scheme;
  std::string_view functions;  // a part of their demangled names
};

// As seen in tensorflow-io 0.29 to 0.37.1; up to 0.27, which has no oss,
// nothing is missing.
constexpr CalledByOne kCalledByOne[] = {{"oss", "tsl::"}};

constexpr std::string_view kRenamed[] = {"s3", "hdfs", "viewfs", "har"};

bool Has(const std::vector<std::string>& schemes, std::string_view scheme) {
  return std::find(schemes.begin(), schemes.end(), scheme) != schemes.end();
}

bool IsRenamed(const std::vector<std::string>& schemes,
               std::string_view scheme) {
  return std::find(std::begin(kRenamed), std::end(kRenamed), scheme) !=
             std::end(kRenamed) &&
         !Has(schemes, scheme) && Has(schemes, std::string(scheme) + "e");
}

// The scheme whose operations alone call the function; "" if it is not known.
std::string_view CallerOf(const std::string& function,
                          const std::vector<std::string>& schemes) {
  for (const CalledByOne& each : kCalledByOne) {
    if (Has(schemes, each.scheme) &&
        function.find(each.functions) != std::string::npos) {
      return each.scheme;
    }
  }
  return "";
}

// "az s3 work, hdfs works with libhdfs.so, oss does not work".
std::string GroupsText(const std::vector<std::string>& schemes,
                       const std::vector<std::string>& broken) {
  std::map<std::string_view, std::vector<std::string>> working;  // by library
  std::vector<std::string> failing;
  for (const std::string& each : schemes) {
    if (std::find(broken.begin(), broken.end(), each) == broken.end()) {
      working[LibraryOpenedBy(each)].push_back(each);
    } else {
      failing.push_back(each);
    }
  }
  std::vector<std::string> groups;
  for (const auto& [library, members] : working) {
    groups.push_back(Format("{} {}{}{}", absl::StrJoin(members, " "),
                            members.size() == 1 ? "works" : "work",
                            library.empty() ? "" : " with ", library));
  }
  if (!failing.empty()) {
    groups.push_back(Format("{} {} not work", absl::StrJoin(failing, " "),
                            failing.size() == 1 ? "does" : "do"));
  }
  return absl::StrJoin(groups, ", ");
}

std::string MissingText(const std::vector<std::string>& schemes,
                        const std::vector<std::string>& missing) {
  const bool is_one = missing.size() == 1;
  std::vector<std::string> broken;
  for (const std::string& each : missing) {
    broken.emplace_back(CallerOf(each, schemes));
  }
  const bool known =
      std::find(broken.begin(), broken.end(), "") == broken.end();
  return Format("{} function{} missing; {}", missing.size(), is_one ? "" : "s",
                known    ? GroupsText(schemes, broken)
                : is_one ? "operations that call it fail"
                         : "operations that call one of them fail");
}

}  // namespace

std::string RenamedText(const std::vector<std::string>& schemes,
                        std::string_view scheme) {
  if (!IsRenamed(schemes, scheme)) return "";
  return Format("has {}, and {}:// only with {}=1", absl::StrJoin(schemes, " "),
                scheme, kModularVariable);
}

std::string UsableText(const std::vector<std::string>& schemes,
                       const std::vector<std::string>& missing) {
  std::vector<std::string> parts;
  if (!missing.empty()) parts.push_back(MissingText(schemes, missing));
  std::vector<std::string> renamed;
  for (const std::string_view each : kRenamed) {
    if (IsRenamed(schemes, each)) renamed.emplace_back(each);
  }
  if (!renamed.empty()) {
    parts.push_back(Format("{} only with {}=1", absl::StrJoin(renamed, " "),
                           kModularVariable));
  }
  return absl::StrJoin(parts, "; ");
}

std::string InsteadText(std::string_view path, std::string_view package) {
  const KnownPlugin* known = KnownPluginAt(path);
  for (const KnownPlugin& each : KnownPlugins()) {
    if (each.package == package) known = &each;
  }
  return known == nullptr ? ""
                          : InstallCommand(*known) + " installs one that loads";
}

}  // namespace fsload
