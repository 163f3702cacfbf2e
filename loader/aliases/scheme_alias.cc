#include "loader/aliases/scheme_alias.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "compat/environment.h"
#include "loader/aliases/user_file.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

constexpr char kVariable[] = "FSLOAD_SCHEMES";

// Returns whether there is no file, or none that this user could find: the home
// of a service may be no directory, or another user's.
bool IsAbsent(const std::string& path) {
  return faccessat(AT_FDCWD, path.c_str(), F_OK, AT_EACCESS) != 0 &&
         (errno == ENOENT || errno == ENOTDIR || errno == EACCES);
}

// Returns the smaller one of two limits, of which 0 is none.
uint64_t SmallerLimit(uint64_t one, uint64_t other) {
  return one == 0 || other == 0 ? std::max(one, other) : std::min(one, other);
}

// Fails if what the alias says of `writable_folders` cannot hold.
absl::Status CheckFolders(const SchemeAlias& alias, bool is_confined) {
  for (const std::string& each : *alias.writable_folders) {
    std::error_code error;
    if (std::filesystem::is_directory(each, error)) continue;
    return AliasError(alias.Where("writable_folders"),
                      ErrnoError(error ? error.value() : ENOTDIR, "{}", each));
  }
  if (!alias.writable_folders->empty() && !is_confined) {
    return InvalidArgumentError("{} needs confined = true",
                                alias.Where("writable_folders"));
  }
  return absl::OkStatus();
}

}  // namespace

std::string AliasFile() {
  const auto below = [](const char* variable, const char* rest) {
    const char* const folder = EnvironmentVariable(variable);
    return folder != nullptr && folder[0] == '/' ? std::string(folder) + rest
                                                 : std::string();
  };
  const char* const named = EnvironmentVariable(kVariable);
  if (named != nullptr) return ExpandHome(named);
  const std::string configured =
      below("XDG_CONFIG_HOME", "/fsload/schemes.toml");
  return configured.empty() ? below("HOME", "/.config/fsload/schemes.toml")
                            : configured;
}

absl::StatusOr<std::vector<SchemeAlias>> ReadAliases() {
  const std::string path = AliasFile();
  const bool is_named = EnvironmentVariable(kVariable) != nullptr;
  if (path.empty() || path == "/dev/null" || (!is_named && IsAbsent(path))) {
    return std::vector<SchemeAlias>();
  }
  const absl::StatusOr<std::string> text =
      ReadUserFile(path, OfOthers::kMayRead);
  if (text.ok()) return ParseAliases(*text, path);
  return is_named ? AliasError(kVariable, text.status()) : text.status();
}

absl::Status AliasError(std::string_view origin, const absl::Status& status) {
  absl::Status error = Prepend(origin, status);
  return absl::IsNotFound(error)
             ? absl::FailedPreconditionError(error.message())
             : error;
}

bool IsLocalScheme(std::string_view name) {
  return name.empty() || name == "posix" || name == "file";
}

absl::StatusOr<std::optional<SchemeAlias>> FindAlias(std::string_view name) {
  if (IsLocalScheme(name)) return std::optional<SchemeAlias>();
  absl::StatusOr<std::vector<SchemeAlias>> aliases = ReadAliases();
  if (!aliases.ok()) return aliases.status();
  for (SchemeAlias& each : *aliases) {
    if (each.name == name) return std::optional(std::move(each));
  }
  return std::optional<SchemeAlias>();
}

const std::string& SchemeAlias::LocationOf(const std::string& key) const {
  const auto found = locations.find(key);
  return found == locations.end() ? location : found->second;
}

std::string SchemeAlias::Where(const std::string& key) const {
  return Format("{}: [{}] {}", LocationOf(key), name, key);
}

absl::StatusOr<std::optional<std::string>> ValueOf(
    const SchemeAlias& alias, const std::string& name,
    const AliasVariable& variable) {
  const auto error = [&](const absl::Status& status) {
    return AliasError(alias.Where("environment." + name), status);
  };
  switch (variable.source) {
    case AliasVariable::Source::kText:
      if (variable.text.empty()) return std::optional<std::string>();
      return std::optional(variable.text);
    case AliasVariable::Source::kVariable: {
      const char* const value = EnvironmentVariable(variable.text.c_str());
      if (value != nullptr) return std::optional<std::string>(value);
      return error(FailedPreconditionError("{} is not set", variable.text));
    }
    case AliasVariable::Source::kFile:
      break;
  }
  absl::StatusOr<std::string> value =
      ReadUserFile(ExpandHome(variable.text), OfOthers::kMayNothing);
  if (!value.ok()) return error(value.status());
  // Editors end a file with a newline.
  if (!value->empty() && value->back() == '\n') value->pop_back();
  if (!value->empty() && value->back() == '\r') value->pop_back();
  if (value->empty() || value->find('\0') != std::string::npos) {
    return error(
        InvalidArgumentError("{}: {}", variable.text,
                             value->empty() ? "is empty" : "has a null byte"));
  }
  return std::optional(*std::move(value));
}

absl::StatusOr<LoadOptions> OptionsFor(const SchemeAlias& alias,
                                       LoadOptions options) {
  if (!options.isolation.has_value()) options.isolation.emplace();
  Isolation& isolation = *options.isolation;
  // Both are limits.
  isolation.memory_limit =
      SmallerLimit(isolation.memory_limit, alias.memory_limit.value_or(0));
  isolation.call_timeout =
      std::min(isolation.call_timeout,
               alias.call_timeout.value_or(absl::InfiniteDuration()));
  isolation.restarts = alias.restarts.value_or(isolation.restarts);
  isolation.confined |= alias.confined;
  if (alias.confined) isolation.writable_folders.clear();
  if (alias.writable_folders.has_value()) {
    const absl::Status status = CheckFolders(alias, isolation.confined);
    if (!status.ok()) return status;
    isolation.writable_folders = *alias.writable_folders;
  }
  for (const auto& [name, variable] : alias.environment) {
    absl::StatusOr<std::optional<std::string>> value =
        ValueOf(alias, name, variable);
    if (!value.ok()) return value.status();
    isolation.environment[name] = *std::move(value);
  }
  options.scheme_as = {{alias.scheme, alias.name}};
  return options;
}

}  // namespace fsload
