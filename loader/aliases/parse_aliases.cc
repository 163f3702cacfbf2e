// Reads aliases from TOML. No message has a value: it may be a secret.
#include <cctype>
#include <limits>

// A file that is wrong breaks assertions of the parser, which reports it then:
// they must neither end the process nor, with NDEBUG, be believed.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expr) static_cast<void>(0)
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

#include "absl/strings/ascii.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "core/paths/uri.h"
#include "core/tables/op_tables.h"
#include "loader/aliases/scheme_alias.h"
#include "loader/aliases/user_file.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// One key of an alias.
struct Key {
  std::string_view name;
  const char* expected;  // after "is not "
  bool (*set)(const toml::node& value, SchemeAlias& alias);
};

bool SetText(const toml::node& value, std::string& text) {
  const std::optional<std::string> given = value.value_exact<std::string>();
  if (!given.has_value() || given->empty() ||
      given->find('\0') != std::string::npos) {
    return false;
  }
  text = *given;
  return true;
}

bool SetScheme(const toml::node& value, SchemeAlias& alias) {
  return SetText(value, alias.scheme) && IsScheme(alias.scheme);
}

bool SetPlugin(const toml::node& value, SchemeAlias& alias) {
  std::string path;
  if (!SetText(value, path)) return false;
  alias.plugin = ExpandHome(path);
  return alias.plugin.front() == '/';
}

bool SetBool(const toml::node& value, bool& flag) {
  const std::optional<bool> given = value.value_exact<bool>();
  flag = given.value_or(false);
  return given.has_value();
}

bool SetOverride(const toml::node& value, SchemeAlias& alias) {
  return SetBool(value, alias.overrides);
}

bool SetConfined(const toml::node& value, SchemeAlias& alias) {
  return SetBool(value, alias.confined);
}

bool SetWritableFolders(const toml::node& value, SchemeAlias& alias) {
  const toml::array* const folders = value.as_array();
  if (folders == nullptr) return false;
  alias.writable_folders.emplace();
  for (const toml::node& each : *folders) {
    std::string path;
    if (!SetText(each, path)) return false;
    path = ExpandHome(path);
    if (path.front() != '/') return false;
    alias.writable_folders->push_back(std::move(path));
  }
  return true;
}

bool SetCallTimeout(const toml::node& value, SchemeAlias& alias) {
  std::string text;
  absl::Duration& given = alias.call_timeout.emplace();
  return SetText(value, text) && absl::ParseDuration(text, &given) &&
         given > absl::ZeroDuration();
}

bool SetRestarts(const toml::node& value, SchemeAlias& alias) {
  const int64_t given = value.value_exact<int64_t>().value_or(-1);
  alias.restarts = static_cast<int>(given);
  return given >= 0 && given <= std::numeric_limits<int>::max();
}

bool SetMemoryLimit(const toml::node& value, SchemeAlias& alias) {
  const int64_t given = value.value_exact<int64_t>().value_or(0);
  alias.memory_limit = given;
  return given > 0;
}

constexpr Key kKeys[] = {
    {"scheme", "a scheme of a plugin, as \"s3\"", &SetScheme},
    {"plugin", "the absolute path of a plugin, in quotes", &SetPlugin},
    {"override", "true or false", &SetOverride},
    {"call_timeout", "a duration, as \"60s\"", &SetCallTimeout},
    {"restarts", "a number of restarts in a minute", &SetRestarts},
    {"memory_limit", "a number of bytes", &SetMemoryLimit},
    {"confined", "true or false", &SetConfined},
    {"writable_folders", "a list of absolute paths, as [\"/tmp\"]",
     &SetWritableFolders},
};

constexpr char kEnvironment[] = "environment";

// Sets a variable's value from its text, or from where it is.
bool SetVariable(const toml::node& value, AliasVariable& variable) {
  if (const std::optional<std::string> text =
          value.value_exact<std::string>()) {
    variable = {AliasVariable::Source::kText, *text};
    return text->find('\0') == std::string::npos;
  }
  const toml::table* const table = value.as_table();
  if (table == nullptr || table->size() != 1) return false;
  const auto only = table->begin();  // owns what it leads to
  const auto& [key, where] = *only;
  if (key.str() == "variable") {
    variable.source = AliasVariable::Source::kVariable;
  } else if (key.str() == "file") {
    variable.source = AliasVariable::Source::kFile;
  } else {
    return false;
  }
  return SetText(where, variable.text);
}

bool IsVariableName(std::string_view name) {
  return !name.empty() && name.find('=') == std::string_view::npos &&
         name.find('\0') == std::string_view::npos;
}

class Parser {
 public:
  explicit Parser(const std::string& path) : path_(path) {}

  absl::StatusOr<std::vector<SchemeAlias>> Parse(std::string_view text) {
    absl::Status status = CheckDots(text);
    if (status.ok()) status = CheckLetters(text);
    if (!status.ok()) return status;
    const toml::parse_result parsed = toml::parse(text, path_);
    if (!parsed) return NotToml(parsed.error());
    std::vector<SchemeAlias> aliases;
    for (const auto& [key, value] : parsed.table()) {
      SchemeAlias& alias = aliases.emplace_back();
      alias.name = std::string(key.str());
      status = Read(value, alias);
      if (!status.ok()) return status;
    }
    return aliases;
  }

 private:
  std::string At(const toml::source_region& source) const {
    return Format("{}: line {}", path_, source.begin.line);
  }

  // The parser calls itself for each part of a key, without a limit; a key is
  // on one line.
  absl::Status CheckDots(std::string_view text) const {
    constexpr int kMaxDots = 1000;
    int line = 1;
    int dots = 0;
    for (const char each : text) {
      if (each == '\n') {
        ++line;
        dots = 0;
      } else if (each == '.' && ++dots > kMaxDots) {
        return InvalidArgumentError("{}: line {}: more than {} dots", path_,
                                    line, kMaxDots);
      }
    }
    return absl::OkStatus();
  }

  // Outside of quotes and comments, TOML has ASCII only; what the parser does
  // with anything else there is undefined.
  absl::Status CheckLetters(std::string_view text) const {
    int line = 1;
    std::string_view quotes;  // one or three: in a text; "": outside
    bool is_comment = false;
    for (size_t i = 0; i < text.size(); ++i) {
      const char each = text[i];
      // How often it stands here; no more than five quotes mean anything.
      const std::string_view ahead = text.substr(i, 5);
      const size_t run = std::min(ahead.find_first_not_of(each), ahead.size());
      if (each == '\n') {
        ++line;
        is_comment = false;
        if (quotes.size() == 1) quotes = "";
      } else if (is_comment) {
        continue;
      } else if (quotes.empty() && each == '#') {
        is_comment = true;
      } else if (quotes.empty() && (each == '"' || each == '\'')) {
        quotes = text.substr(i, run >= 3 ? 3 : 1);
        i += quotes.size() - 1;
      } else if (quotes.empty()) {
        if (absl::ascii_isascii(each)) continue;
        return InvalidArgumentError(
            "{}: line {}: a letter beyond ASCII is outside of quotes", path_,
            line);
      } else if (each == '\\' && quotes.front() == '"') {
        if (text.substr(i + 1, 1) != "\n") ++i;
      } else if (each == quotes.front() && run >= quotes.size()) {
        // A text in three may end in two more.
        i += quotes.size() == 1 ? 0 : run - 1;
        quotes = "";
      }
    }
    return absl::OkStatus();
  }

  // What the parser says of a value would quote it.
  absl::Status NotToml(const toml::parse_error& error) const {
    std::string_view why = error.description();
    why = why.substr(0, why.find_first_of("'\"`;"));
    why = why.substr(0, why.find(", saw"));
    while (!why.empty() && (why.back() == ' ' || why.back() == ',')) {
      why.remove_suffix(1);
    }
    // The rest of the sentence quoted the value.
    constexpr std::string_view kExpected = ": expected";
    const bool is_value =
        why.size() >= kExpected.size() &&
        why.substr(why.size() - kExpected.size()) == kExpected;
    if (is_value) why.remove_suffix(kExpected.size());
    return InvalidArgumentError("{}, column {}: this is not TOML: {}{}",
                                At(error.source()), error.source().begin.column,
                                why, is_value ? "; put strings in quotes" : "");
  }

  static absl::Status Wrong(const SchemeAlias& alias, const std::string& key,
                            std::string_view problem) {
    return InvalidArgumentError("{} {}", alias.Where(key), problem);
  }

  absl::Status CheckName(const toml::node& value,
                         const SchemeAlias& alias) const {
    if (alias.name.empty() || !IsScheme(alias.name) ||
        alias.name.size() >= SchemeTables::kMaxSchemeBytes) {
      return InvalidArgumentError(
          "{}: '{}' is no scheme: a letter, then one or more letters, digits "
          "or dots",
          At(value.source()), alias.name);
    }
    for (const char byte : alias.name) {
      if (std::isupper(static_cast<unsigned char>(byte)) == 0) continue;
      return InvalidArgumentError("{}: the scheme '{}' must be in lower case",
                                  At(value.source()), alias.name);
    }
    if (IsLocalScheme(alias.name)) {
      return InvalidArgumentError(
          "{}: {}:// is for local files; choose another name",
          At(value.source()), alias.name);
    }
    return absl::OkStatus();
  }

  absl::Status Read(const toml::node& value, SchemeAlias& alias) const {
    alias.location = At(value.source());
    const toml::table* const table = value.as_table();
    if (table == nullptr) {
      return InvalidArgumentError(
          "{}: '{}' is outside of a table; each scheme is a table, as [minio]",
          At(value.source()), alias.name);
    }
    const absl::Status named = CheckName(value, alias);
    if (!named.ok()) return named;
    for (const auto& [key, each] : *table) {
      const std::string name(key.str());
      alias.locations[name] = At(each.source());
      const absl::Status status = ReadKey(name, each, alias);
      if (!status.ok()) return status;
    }
    if (!alias.scheme.empty()) return absl::OkStatus();
    return Wrong(alias, "scheme", "is missing: the plugin's scheme");
  }

  absl::Status ReadKey(const std::string& name, const toml::node& value,
                       SchemeAlias& alias) const {
    if (name == kEnvironment) return ReadEnvironment(value, alias);
    for (const Key& key : kKeys) {
      if (key.name != name) continue;
      if (key.set(value, alias)) return absl::OkStatus();
      return Wrong(alias, name, Format("is not {}", key.expected));
    }
    const std::string known = absl::StrJoin(
        kKeys, ", ",
        [](std::string* text, const Key& key) { text->append(key.name); });
    const std::string with_dot =
        value.is_table()
            ? Format("; the scheme {0}.{1} is [\"{0}.{1}\"]", alias.name, name)
            : "";
    return Wrong(alias, name,
                 Format("is unknown; there are {} and {}{}", known,
                        kEnvironment, with_dot));
  }

  absl::Status ReadEnvironment(const toml::node& value,
                               SchemeAlias& alias) const {
    const toml::table* const table = value.as_table();
    if (table == nullptr) {
      return Wrong(alias, kEnvironment,
                   "is not a table of variables and their values");
    }
    for (const auto& [name, each] : *table) {
      AliasVariable& variable = alias.environment[std::string(name.str())];
      const std::string key = Format("{}.{}", kEnvironment, name.str());
      alias.locations[key] = At(each.source());
      if (IsVariableName(name.str()) && SetVariable(each, variable)) continue;
      return Wrong(alias, key,
                   "is not a variable with a text, { variable = \"NAME\" } or "
                   "{ file = \"PATH\" }");
    }
    return absl::OkStatus();
  }

  const std::string& path_;
};

}  // namespace

absl::StatusOr<std::vector<SchemeAlias>> ParseAliases(std::string_view text,
                                                      const std::string& path) {
  return Parser(path).Parse(text);
}

}  // namespace fsload
