#include "loader/isolation/load_request.h"

#include <utility>
#include <variant>

#include "absl/status/statusor.h"
#include "core/tables/op_tables.h"
#include "loader/isolation/fields.h"
#include "loader/report/load_report_json.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

constexpr bool LoadOptions::*kFlags[] = {
    &LoadOptions::partial,
    &LoadOptions::in_place,
    &LoadOptions::warnings_as_errors,
    &LoadOptions::stub_missing_functions,
    &LoadOptions::keep_environment,
    &LoadOptions::allow_damaging_operations,
    &LoadOptions::trust_untested,
    &LoadOptions::try_hooks,
};

}  // namespace

std::string MemoryLimitText(uint64_t bytes) {
  return bytes == 0
             ? ""
             : Format(
                   "; memory_limit allows the plugin's process {} bytes of "
                   "address space",
                   bytes);
}

std::string ToFields(const LoadRequest& request) {
  FieldWriter fields;
  fields.Text(request.plugin);
  fields.Number(request.from_bytes ? 1 : 0);
  fields.Text(request.file_identity);
  fields.Number(request.memory_limit);
  for (const auto flag : kFlags) {
    fields.Number(request.options.*flag ? 1 : 0);
  }
  fields.Text(request.options.trust.allow_list);
  return fields.Release();
}

std::optional<LoadRequest> LoadRequestFrom(std::string_view text) {
  FieldReader fields(text);
  LoadRequest request;
  request.plugin = fields.Text();
  request.from_bytes = fields.Bool();
  request.file_identity = fields.Text();
  request.memory_limit = fields.Number();
  for (const auto flag : kFlags) request.options.*flag = fields.Bool();
  request.options.trust.allow_list = fields.Text();
  if (!fields.AtEnd()) return std::nullopt;
  return request;
}

std::string ToFields(const LoadAnswer& answer) {
  FieldWriter fields;
  fields.Text(PluginJsonText(answer.report));
  fields.Text(answer.file_identity);
  fields.Number(answer.file_systems.size());
  for (const JournalFileSystem& each : answer.file_systems) {
    fields.Text(ToText(each));
  }
  return fields.Release();
}

std::optional<LoadAnswer> LoadAnswerFrom(std::string_view text) {
  FieldReader fields(text);
  std::optional<LoadReport> report = ReportFromJson(fields.Text());
  if (!report.has_value()) return std::nullopt;
  LoadAnswer answer;
  answer.report = *std::move(report);
  answer.file_identity = fields.Text();
  const uint64_t count = fields.Count(sizeof(uint64_t));
  for (uint64_t i = 0; i < count; ++i) {
    absl::StatusOr<JournalLine> line = ParseJournalLine(fields.Text());
    if (!line.ok()) return std::nullopt;
    auto* const found = std::get_if<JournalFileSystem>(&*line);
    if (found == nullptr ||
        found->scheme.size() >= SchemeTables::kMaxSchemeBytes) {
      return std::nullopt;
    }
    answer.file_systems.push_back(std::move(*found));
  }
  if (!fields.AtEnd()) return std::nullopt;
  return answer;
}

}  // namespace fsload
