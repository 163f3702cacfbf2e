#include "loader/tensorflow/dist_info.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "loader/discovery/python_folders.h"
#include "loader/elf/file_bytes.h"
#include "loader/wheels/package_name.h"
#include "loader/wheels/wheel_order.h"

namespace fsload {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".dist-info";
constexpr absl::string_view kRequires = "Requires-Dist: ";

// A metadata file has a few hundred lines before the package's description.
constexpr size_t kMaxBytes = size_t{1} << 20;

using VersionNumbers = std::vector<uint64_t>;

struct Comparison {
  std::string_view sign;
  bool (*holds)(const VersionNumbers& version, const VersionNumbers& limit);
};

// A longer sign before one that it begins with.
constexpr Comparison kComparisons[] = {
    {"==",
     [](const VersionNumbers& a, const VersionNumbers& b) { return a == b; }},
    {"!=",
     [](const VersionNumbers& a, const VersionNumbers& b) { return a != b; }},
    {"<=",
     [](const VersionNumbers& a, const VersionNumbers& b) { return a <= b; }},
    {">=",
     [](const VersionNumbers& a, const VersionNumbers& b) { return a >= b; }},
    {"<",
     [](const VersionNumbers& a, const VersionNumbers& b) { return a < b; }},
    {">",
     [](const VersionNumbers& a, const VersionNumbers& b) { return a > b; }},
};

bool Holds(std::string_view version, std::string_view condition) {
  for (const Comparison& each : kComparisons) {
    if (condition.substr(0, each.sign.size()) != each.sign) continue;
    std::string_view limit = condition.substr(each.sign.size());
    // "2.*", "===2.16.1", "1!2.16": an epoch
    if (limit.find_first_of("*=!") != std::string_view::npos) return true;
    return each.holds(TakeRelease(version), TakeRelease(limit));
  }
  return true;
}

// "tensorflow (<2.17.0,>=2.16.0) ; extra == 'x'" without marker, parentheses
// and spaces.
std::string Compact(std::string_view requirement) {
  std::string text(requirement.substr(0, requirement.find(';')));
  text.erase(
      std::remove_if(
          text.begin(), text.end(),
          [](char c) { return c == ' ' || c == '(' || c == ')' || c == '\r'; }),
      text.end());
  return text;
}

}  // namespace

std::vector<DistInfo> DistInfosIn(const std::string& packages) {
  std::vector<DistInfo> infos;
  for (const std::string& folder : FoldersIn(packages, "")) {
    const std::string name = fs::path(folder).filename();
    const size_t dash = name.find('-');
    if (name.size() <= kSuffix.size() || dash == std::string::npos) continue;
    const size_t end = name.size() - kSuffix.size();
    if (name.substr(end) != kSuffix || dash >= end) continue;
    infos.push_back({folder, NormalPackageName(name.substr(0, dash)),
                     name.substr(dash + 1, end - dash - 1)});
  }
  return infos;
}

std::optional<DistInfo> PackageOfFile(const std::string& path) {
  std::error_code ignored;
  fs::path child = fs::absolute(path, ignored).lexically_normal();
  for (; child.has_relative_path(); child = child.parent_path()) {
    const std::string package = NormalPackageName(child.filename().string());
    for (DistInfo& info : DistInfosIn(child.parent_path())) {
      if (info.package == package) return std::move(info);
    }
  }
  return std::nullopt;
}

std::vector<std::string> VersionsRequired(const DistInfo& info,
                                          std::string_view required) {
  std::vector<std::string> ranges;
  const std::unique_ptr<FileBytes> file =
      FileBytes::Open(info.folder + "/METADATA");
  if (file == nullptr) return ranges;
  file->Fetch(0, kMaxBytes);
  const absl::string_view metadata(file->bytes().data(),
                                   std::min(file->bytes().size(), kMaxBytes));
  for (const absl::string_view line : absl::StrSplit(metadata, '\n')) {
    if (!absl::StartsWith(line, kRequires)) continue;
    const std::string text =
        Compact(std::string(line.substr(kRequires.size())));
    const size_t range = text.find_first_of("<>=!~");
    if (range != std::string::npos &&
        NormalPackageName(text.substr(0, range)) == required) {
      ranges.push_back(text.substr(range));
    }
  }
  return ranges;
}

bool IsInRange(std::string_view version, std::string_view range) {
  const std::vector<std::string> conditions =
      absl::StrSplit(std::string(range), ',');
  return std::all_of(
      conditions.begin(), conditions.end(),
      [version](const std::string& each) { return Holds(version, each); });
}

}  // namespace fsload
