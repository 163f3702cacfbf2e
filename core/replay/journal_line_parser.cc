// How the lines of a journal, which nobody trusts, are read.
#include <set>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "core/replay/journal_line.h"
#include "core/replay/shapes.h"
#include "core/system/of_process.h"
#include "core/tables/code_name.h"
#include "core/tables/operations.h"
#include "fsload/internal/mutex.h"
#include "nlohmann/json.hpp"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

using Json = nlohmann::ordered_json;

// Whether arrays and objects are nested as little as in a journal: a parsed
// line may then take little more memory than its text.
bool IsShallow(std::string_view text) {
  constexpr int kDeepest = 5;
  int depth = 0;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kDeepest) return false;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return true;
}

// Null if there is none.
const Json* Field(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

bool Read(const Json& json, bool& value) {
  if (json.is_boolean()) value = json.get<bool>();
  return json.is_boolean();
}

bool Read(const Json& json, uint64_t& value) {
  if (json.is_number_unsigned()) value = json.get<uint64_t>();
  return json.is_number_unsigned();
}

bool Read(const Json& json, int64_t& value) {
  const bool fits =
      json.is_number_integer() && !(json.is_number_unsigned() &&
                                    json.get<uint64_t>() > uint64_t{INT64_MAX});
  if (fits) value = json.get<int64_t>();
  return fits;
}

bool Read(const Json& json, std::string& value) {
  if (json.is_string()) {
    value = json.get<std::string>();
    return true;
  }
  const Json* const base64 = json.is_object() ? Field(json, "base64") : nullptr;
  return base64 != nullptr && base64->is_string() &&
         absl::Base64Unescape(base64->get_ref<const std::string&>(), &value);
}

bool Read(const Json& json, JournalArgument& value) {
  return json.is_number() ? Read(json, value.emplace<uint64_t>())
                          : Read(json, value.emplace<std::string>());
}

bool Read(const Json& json, Op& value) {
  if (!json.is_string()) return false;
  const auto& name = json.get_ref<const std::string&>();
  for (const Operation& each : kOperations) {
    if (FullName(each.op) != name) continue;
    value = each.op;
    return true;
  }
  return false;
}

bool Read(const Json& json, TF_Code& value) {
  if (!json.is_string()) return false;
  const auto& name = json.get_ref<const std::string&>();
  for (int code = TF_OK; code <= TF_UNAUTHENTICATED; ++code) {
    if (CodeName(static_cast<TF_Code>(code)) != name) continue;
    value = static_cast<TF_Code>(code);
    return true;
  }
  return false;
}

template <typename Element>
bool Read(const Json& json, std::vector<Element>& values) {
  if (!json.is_array()) return false;
  values.reserve(json.size());
  for (const Json& each : json) {
    if (!Read(each, values.emplace_back())) return false;
  }
  return true;
}

// Reads the fields of one object, and remembers the first that it cannot.
class Fields {
 public:
  explicit Fields(const Json& object) : object_(object) {}

  template <typename Value>
  Fields& Need(const char* name, Value& value) {
    const Json* const found = Field(object_, name);
    if (found == nullptr || !Read(*found, value)) Refuse(name);
    return *this;
  }

  template <typename Value>
  Fields& May(const char* name, Value& value) {
    const Json* const found = Field(object_, name);
    if (found != nullptr && !Read(*found, value)) Refuse(name);
    return *this;
  }

  absl::Status status() const {
    if (wrong_ == nullptr) return absl::OkStatus();
    return InvalidArgumentError("the field '{}' is missing or damaged", wrong_);
  }

 private:
  void Refuse(const char* name) {
    if (wrong_ == nullptr) wrong_ = name;
  }

  const Json& object_;
  const char* wrong_ = nullptr;
};

// Traits point to strings that must live as long as any table.
const char* NeverFreed(const std::string& text) {
  struct Texts {
    Mutex mutex;
    std::set<std::string> all ABSL_GUARDED_BY(mutex);
  };
  static auto* const of_process = new OfProcess<Texts>;
  Texts& texts = of_process->get();
  const MutexLock lock(texts.mutex);
  return texts.all.insert(text).first->c_str();
}

absl::Status ReadDisabled(const Json& traits, PluginTraits& into) {
  const Json* const disabled = Field(traits, "disabled");
  if (disabled == nullptr) return absl::OkStatus();
  if (!disabled->is_array() || disabled->size() > PluginTraits::kMaxDisabled) {
    return InvalidArgumentError("the field 'disabled' is damaged");
  }
  DisabledOp* next = into.disabled;
  for (const Json& each : *disabled) {
    std::string effect;
    if (!each.is_object()) {
      return InvalidArgumentError("the field 'disabled' is damaged");
    }
    const absl::Status status =
        Fields(each).Need("op", next->op).Need("effect", effect).status();
    if (!status.ok()) return status;
    next++->effect = NeverFreed(effect);
  }
  return absl::OkStatus();
}

absl::StatusOr<JournalLine> ReadFileSystem(const Json& json) {
  JournalFileSystem file_system;
  absl::Status status = Fields(json)
                            .Need("file_system", file_system.number)
                            .Need("scheme", file_system.scheme)
                            .Need("plugin", file_system.plugin)
                            .Need("operations", file_system.operations)
                            .status();
  if (!status.ok()) return status;
  const Json* const traits = Field(json, "traits");
  if (traits == nullptr || !traits->is_object()) {
    return InvalidArgumentError("the field 'traits' is missing or damaged");
  }
  Fields fields(*traits);
  for (const NamedTrait& each : kNamedTraits) {
    fields.May(each.name, file_system.traits.*each.value);
  }
  status = fields.status();
  if (status.ok()) status = ReadDisabled(*traits, file_system.traits);
  if (!status.ok()) return status;
  return file_system;
}

absl::StatusOr<JournalLine> ReadCall(const Json& json) {
  JournalCall call;
  absl::Status status = Fields(json)
                            .Need("op", call.op)
                            .Need("in", call.file_system)
                            .Need("arguments", call.arguments)
                            .Need("code", call.code)
                            .May("message", call.message)
                            .May("misses_function", call.misses)
                            .May("ns", call.duration)
                            .May("values", call.values)
                            .May("texts", call.texts)
                            .May("bytes", call.bytes)
                            .status();
  if (status.ok()) status = CheckShape(call);
  if (!status.ok()) return status;
  return call;
}

absl::StatusOr<JournalLine> ReadHeader(const Json& version) {
  if (version == kJournalVersion) return JournalHeader();
  if (!version.is_number_integer()) {
    return InvalidArgumentError("the journal's version is damaged");
  }
  return InvalidArgumentError(
      "the journal has version {}, this fsload reads {}",
      version.get<int64_t>(), kJournalVersion);
}

}  // namespace

absl::StatusOr<JournalLine> ParseJournalLine(std::string_view text) {
  if (!IsShallow(text)) {
    return InvalidArgumentError("it is nested too deeply");
  }
  const Json json =
      Json::parse(text, /*cb=*/nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) {
    return InvalidArgumentError("it is not a JSON object");
  }
  if (const Json* const version = Field(json, "fsload_journal")) {
    return ReadHeader(*version);
  }
  if (Field(json, "file_system") != nullptr) return ReadFileSystem(json);
  if (Field(json, "op") != nullptr) return ReadCall(json);
  JournalStop stop;
  const absl::Status status = Fields(json).Need("stopped", stop.why).status();
  if (!status.ok()) {
    return InvalidArgumentError("it is not a journal line");
  }
  return stop;
}

}  // namespace fsload
