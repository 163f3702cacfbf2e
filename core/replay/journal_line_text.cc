// How the lines of a journal are written.
#include <utility>

#include "absl/strings/escaping.h"
#include "core/glob/utf8_character.h"
#include "core/replay/journal_line.h"
#include "core/replay/shapes.h"
#include "core/tables/code_name.h"
#include "core/tables/operations.h"
#include "nlohmann/json.hpp"

namespace fsload {
namespace {

using Json = nlohmann::ordered_json;

Json InBase64(std::string_view bytes) {
  return {{"base64", absl::Base64Escape({bytes.data(), bytes.size()})}};
}

Json OfText(const std::string& text) {
  return IsUtf8(text) ? Json(text) : InBase64(text);
}

Json OfTexts(const std::vector<std::string>& texts) {
  Json all = Json::array();
  for (const std::string& each : texts) all.push_back(OfText(each));
  return all;
}

// Contents are in base64 always, so that a reader knows where they are.
Json OfArguments(const JournalCall& call) {
  const std::string_view kinds = ShapeOf(call.op).arguments;
  Json all = Json::array();
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const JournalArgument& each = call.arguments[i];
    if (const auto* const number = std::get_if<uint64_t>(&each)) {
      all.push_back(*number);
    } else if (i < kinds.size() && kinds[i] == 'c') {
      all.push_back(InBase64(std::get<std::string>(each)));
    } else {
      all.push_back(OfText(std::get<std::string>(each)));
    }
  }
  return all;
}

Json ToJson(const JournalHeader&) {
  return {{"fsload_journal", kJournalVersion}};
}

Json ToJson(const JournalStop& stop) { return {{"stopped", OfText(stop.why)}}; }

Json ToJson(const JournalFileSystem& file_system) {
  Json operations = Json::array();
  for (const Op op : file_system.operations) {
    operations.push_back(std::string(FullName(op)));
  }
  Json traits;
  for (const NamedTrait& each : kNamedTraits) {
    traits[each.name] = file_system.traits.*each.value;
  }
  Json disabled = Json::array();
  for (const DisabledOp& each : file_system.traits.disabled) {
    if (each.effect == nullptr) continue;
    disabled.push_back(
        {{"op", std::string(FullName(each.op))}, {"effect", each.effect}});
  }
  traits["disabled"] = std::move(disabled);
  return {{"file_system", file_system.number},
          {"scheme", OfText(file_system.scheme)},
          {"plugin", OfText(file_system.plugin)},
          {"operations", std::move(operations)},
          {"traits", std::move(traits)}};
}

Json ToJson(const JournalCall& call) {
  Json json = {{"op", std::string(FullName(call.op))},
               {"in", call.file_system},
               {"arguments", OfArguments(call)},
               {"code", CodeName(call.code)},
               {"ns", call.duration}};
  if (!call.message.empty()) json["message"] = OfText(call.message);
  if (call.misses) json["misses_function"] = true;
  if (!call.values.empty()) json["values"] = call.values;
  if (!call.texts.empty()) json["texts"] = OfTexts(call.texts);
  if (!call.bytes.empty()) json["bytes"] = InBase64(call.bytes);
  return json;
}

}  // namespace

std::string ToText(const JournalLine& line) {
  const Json json =
      std::visit([](const auto& each) { return ToJson(each); }, line);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace fsload
