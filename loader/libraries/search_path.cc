#include "loader/libraries/search_path.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace fsload {
namespace {

// No system call accepts longer ones.
constexpr size_t kMaxPathBytes = 1 << 13;

struct Variable {
  std::string_view name;
  std::string DynamicStrings::*value;
};

constexpr Variable kVariables[] = {
    {"ORIGIN", &DynamicStrings::origin},
    {"LIB", &DynamicStrings::library},
    {"PLATFORM", &DynamicStrings::platform},
};

bool IsNameByte(char byte) {
  return (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') ||
         (byte >= '0' && byte <= '9') || byte == '_';
}

bool StartsWith(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

// The length of `name` if `text`, which follows a dollar, begins with it;
// otherwise 0.
size_t LengthOf(std::string_view text, std::string_view name) {
  if (StartsWith(text, "{")) {
    const bool whole = StartsWith(text.substr(1), name) &&
                       StartsWith(text.substr(1 + name.size()), "}");
    return whole ? name.size() + 2 : 0;
  }
  const bool whole = StartsWith(text, name) && (text.size() == name.size() ||
                                                !IsNameByte(text[name.size()]));
  return whole ? name.size() : 0;
}

}  // namespace

std::string Expand(std::string_view text, const DynamicStrings& strings) {
  std::string result;
  while (!text.empty() && result.size() < kMaxPathBytes) {
    const size_t dollar = std::min(text.find('$'), text.size());
    result += text.substr(0, dollar);
    text.remove_prefix(dollar);
    if (text.empty()) break;
    text.remove_prefix(1);
    const auto name = std::find_if(
        std::begin(kVariables), std::end(kVariables),
        [&](const Variable& each) { return LengthOf(text, each.name) > 0; });
    if (name == std::end(kVariables)) {
      result += '$';
      continue;
    }
    result += strings.*(name->value);
    text.remove_prefix(LengthOf(text, name->name));
  }
  return result;
}

std::vector<std::string> FoldersOf(std::string_view list,
                                   const DynamicStrings& strings) {
  std::vector<std::string> folders;
  while (folders.size() <= kMaxFolders) {
    const size_t colon = std::min(list.find(':'), list.size());
    const std::string folder = Expand(list.substr(0, colon), strings);
    folders.push_back(folder.empty() ? "." : folder);
    if (colon == list.size()) break;
    list.remove_prefix(colon + 1);
  }
  return folders;
}

std::string FolderOfFile(const std::string& path) {
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::absolute(path, error);
  return (error ? std::filesystem::path(path) : whole).parent_path();
}

}  // namespace fsload
