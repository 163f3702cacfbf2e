#include "testdata/hdfs/path.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "testdata/hdfs/java_error.h"

namespace hdfs_model {
namespace {

// The path of a URI, or of what begins with an authority.
std::string_view WithoutAuthority(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon < text.find('/')) text.remove_prefix(colon + 1);
  if (text.substr(0, 2) != "//" || text.size() == 2) return text;
  const size_t slash = text.find('/', 2);
  return slash == text.npos ? "" : text.substr(slash);
}

}  // namespace

std::vector<std::string> NamesIn(std::string_view path) {
  std::vector<std::string> names;
  while (!path.empty()) {
    const size_t slash = path.find('/');
    if (slash != 0) names.emplace_back(path.substr(0, slash));
    path.remove_prefix(slash == path.npos ? path.size() : slash + 1);
  }
  return names;
}

std::string ParsePath(const char* text) {
  if (text == nullptr || *text == '\0') {
    throw Illegal("Can not create a Path from an empty string");
  }
  const std::string_view path = WithoutAuthority(text);
  std::vector<std::string> names;
  for (std::string& name : NamesIn(path)) {
    if (name == ".") continue;
    if (name == ".." && !names.empty() && names.back() != "..") {
      names.pop_back();
    } else {
      names.push_back(name);
    }
  }
  std::string parsed;
  bool valid = !path.empty() && path[0] == '/';
  for (const std::string& name : names) {
    valid = valid && name != ".." && name.find(':') == name.npos;
    parsed += "/" + name;
  }
  if (!valid) {
    throw Illegal("Pathname " + std::string(path) + " from " + text +
                  " is not a valid DFS filename.");
  }
  return parsed.empty() ? "/" : parsed;
}

}  // namespace hdfs_model
