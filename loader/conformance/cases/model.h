// The simplest model of a tree of files, which plugins are compared with.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace fsload::conformance {

enum class Action {
  kWrite,
  kAppend,
  kRead,
  kRegion,
  kCreateDir,
  kRecursivelyCreateDir,
  kDeleteFile,
  kDeleteDir,
  kDeleteRecursively,
  kRenameFile,
  kCopyFile,
  kFileExists,
  kIsDirectory,
  kGetFileSize,
  kGetChildren,
  kGetMatchingPaths,
};
inline constexpr int kActions = 16;

// One call. Paths are relative to the tree's root.
struct Step {
  Action action;
  std::string path;   // or the pattern
  std::string other;  // the target, or the contents to write
};

// The allowed results of a call: one of `codes`, and with OK `value`.
struct Answer {
  std::set<absl::StatusCode> codes;
  std::string value;
};

class Model {
 public:
  // Does the step, and returns the allowed results.
  Answer Do(const Step& step);

  // The directory "" is the root. A directory has no contents.
  struct Node {
    std::optional<std::string> contents;
    bool is_directory() const { return !contents.has_value(); }
  };
  const std::map<std::string, Node>& nodes() const { return nodes_; }

 private:
  using Codes = std::set<absl::StatusCode>;

  const Node* Find(const std::string& path) const;
  Codes WhyMissing(const std::string& path) const;
  Codes CheckFile(const std::string& path) const;
  Codes CheckFilePlace(const std::string& path) const;
  Codes CheckDirectory(const std::string& path) const;
  std::vector<std::string> Children(const std::string& path) const;
  Codes Write(const Step& step);
  Codes CreateDir(const std::string& path);
  Codes RecursivelyCreateDir(const std::string& path);
  Codes DeleteDir(const std::string& path, bool recursively);
  Codes RenameFile(const Step& step);
  Codes CopyFile(const Step& step);
  std::vector<std::string> Matches(const std::string& pattern) const;

  std::map<std::string, Node> nodes_ = {{"", {}}};
};

// Returns names as one string, sorted: "a,b".
std::string Joined(std::vector<std::string> names);

}  // namespace fsload::conformance
