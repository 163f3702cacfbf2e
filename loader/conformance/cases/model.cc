#include "loader/conformance/cases/model.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "core/glob/glob_pattern.h"

namespace fsload::conformance {
namespace {

using absl::StatusCode;

std::string ParentOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

std::string NameOf(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

}  // namespace

std::string Joined(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  std::string joined;
  for (const std::string& name : names) joined += name + ",";
  return joined;
}

const Model::Node* Model::Find(const std::string& path) const {
  const auto found = nodes_.find(path);
  return found == nodes_.end() ? nullptr : &found->second;
}

// A file in the middle of the path is a failed precondition.
Model::Codes Model::WhyMissing(const std::string& path) const {
  std::string ancestor = path;
  while (Find(ancestor) == nullptr) ancestor = ParentOf(ancestor);
  return {Find(ancestor)->is_directory() ? StatusCode::kNotFound
                                         : StatusCode::kFailedPrecondition};
}

Model::Codes Model::CheckFile(const std::string& path) const {
  const Node* node = Find(path);
  if (node == nullptr) return WhyMissing(path);
  if (node->is_directory()) return {StatusCode::kFailedPrecondition};
  return {};
}

// Whether a file may be put there.
Model::Codes Model::CheckFilePlace(const std::string& path) const {
  if (Find(path) != nullptr) return CheckFile(path);
  return CheckDirectory(ParentOf(path));
}

Model::Codes Model::CheckDirectory(const std::string& path) const {
  const Node* node = Find(path);
  if (node == nullptr) return WhyMissing(path);
  if (!node->is_directory()) return {StatusCode::kFailedPrecondition};
  return {};
}

std::vector<std::string> Model::Children(const std::string& path) const {
  std::vector<std::string> names;
  for (const auto& [each, node] : nodes_) {
    if (!each.empty() && ParentOf(each) == path) names.push_back(NameOf(each));
  }
  return names;
}

Model::Codes Model::Write(const Step& step) {
  const Codes problem = CheckFilePlace(step.path);
  if (!problem.empty()) return problem;
  std::optional<std::string>& contents = nodes_[step.path].contents;
  if (step.action == Action::kWrite || !contents) contents = "";
  *contents += step.other;
  return {};
}

Model::Codes Model::CreateDir(const std::string& path) {
  if (Find(path) != nullptr) return {StatusCode::kAlreadyExists};
  const Codes problem = CheckDirectory(ParentOf(path));
  if (problem.empty()) nodes_[path] = {};
  return problem;
}

Model::Codes Model::RecursivelyCreateDir(const std::string& path) {
  const Codes problem = CheckDirectory(path);
  if (problem != Codes{StatusCode::kNotFound}) return problem;
  for (std::string each = path; Find(each) == nullptr; each = ParentOf(each)) {
    nodes_[each] = {};
  }
  return {};
}

Model::Codes Model::DeleteDir(const std::string& path, bool recursively) {
  const Codes problem = CheckDirectory(path);
  if (!problem.empty()) return problem;
  if (!recursively && !Children(path).empty()) {
    return {StatusCode::kFailedPrecondition};
  }
  nodes_.erase(nodes_.lower_bound(path + "/"), nodes_.lower_bound(path + "0"));
  nodes_.erase(path);
  return {};
}

// If both paths are wrong, either may be reported.
Model::Codes Model::RenameFile(const Step& step) {
  Codes problems = CheckFile(step.path);
  problems.merge(CheckFilePlace(step.other));
  if (step.path == step.other) {
    // The default then makes no call, and does not notice that nothing is
    // there.
    if (!problems.empty()) problems.insert(StatusCode::kOk);
    return problems;
  }
  if (!problems.empty()) return problems;
  nodes_[step.other] = nodes_[step.path];
  nodes_.erase(step.path);
  return {};
}

Model::Codes Model::CopyFile(const Step& step) {
  std::string target = step.other;
  const Node* node = Find(target);
  if (node != nullptr && node->is_directory()) {
    target += "/" + NameOf(step.path);
  }
  Codes problems = CheckFile(step.path);
  problems.merge(CheckFilePlace(target));
  if (problems.empty()) nodes_[target] = Node(nodes_[step.path]);
  return problems;
}

std::vector<std::string> Model::Matches(const std::string& pattern) const {
  std::vector<std::string> matches;
  const auto glob = GlobPattern::Parse(pattern);
  if (!glob.ok()) return matches;
  const std::vector<NamePattern>& segments = glob->segments;
  for (const auto& [path, node] : nodes_) {
    const std::vector<std::string> names = absl::StrSplit(path, '/');
    if (!path.empty() &&
        std::equal(names.begin(), names.end(), segments.begin(), segments.end(),
                   [](const std::string& name, const NamePattern& segment) {
                     return segment.Matches(name);
                   })) {
      matches.push_back(path);
    }
  }
  return matches;
}

Answer Model::Do(const Step& step) {
  Answer answer;
  const Node* node = Find(step.path);
  const Codes missing =
      node == nullptr && step.action != Action::kGetMatchingPaths
          ? WhyMissing(step.path)
          : Codes{};
  switch (step.action) {
    case Action::kWrite:
    case Action::kAppend:
      answer.codes = Write(step);
      break;
    case Action::kRead:
    case Action::kRegion:
      answer.codes = CheckFile(step.path);
      if (!answer.codes.empty()) break;
      answer.value = *node->contents;
      if (step.action == Action::kRegion && answer.value.empty()) {
        answer.codes = {StatusCode::kInvalidArgument};
      }
      break;
    case Action::kCreateDir:
      answer.codes = CreateDir(step.path);
      break;
    case Action::kRecursivelyCreateDir:
      answer.codes = RecursivelyCreateDir(step.path);
      break;
    case Action::kDeleteFile:
      answer.codes = CheckFile(step.path);
      if (answer.codes.empty()) nodes_.erase(step.path);
      break;
    case Action::kDeleteDir:
    case Action::kDeleteRecursively:
      answer.codes =
          DeleteDir(step.path, step.action == Action::kDeleteRecursively);
      break;
    case Action::kRenameFile:
      answer.codes = RenameFile(step);
      break;
    case Action::kCopyFile:
      answer.codes = CopyFile(step);
      break;
    case Action::kFileExists:
      answer.codes = missing;
      break;
    case Action::kIsDirectory:
      answer.codes = missing;
      if (node != nullptr) answer.value = node->is_directory() ? "yes" : "no";
      // A path below a file may count as not a directory.
      if (missing.count(StatusCode::kFailedPrecondition)) {
        answer.codes.insert(StatusCode::kOk);
        answer.value = "no";
      }
      break;
    case Action::kGetFileSize:
      answer.codes = CheckFile(step.path);
      if (answer.codes.empty()) {
        answer.value = std::to_string(node->contents->size());
      }
      break;
    case Action::kGetChildren:
      answer.codes = CheckDirectory(step.path);
      if (answer.codes.empty()) answer.value = Joined(Children(step.path));
      break;
    case Action::kGetMatchingPaths:
      answer.value = Joined(Matches(step.path));
      break;
  }
  if (answer.codes.empty()) answer.codes = {StatusCode::kOk};
  return answer;
}

}  // namespace fsload::conformance
