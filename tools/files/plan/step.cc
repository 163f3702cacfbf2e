#include "tools/files/plan/step.h"

#include <cstddef>
#include <string>

#include "absl/strings/match.h"
#include "third_party/fmt/format.h"
#include "tools/text/visible_text.h"

namespace fsload {
namespace {

struct KindName {
  const char* text;
  const char* event;
};

// In the order of StepKind.
constexpr KindName kNames[] = {
    {"make directory", "make_directory"},
    {"copy file", "copy_file"},
    {"rename file", "rename_file"},
    {"move file", "move_file"},
    {"delete file", "delete_file"},
    {"rename directory", "rename_directory"},
    {"", ""},  // kDeleteRest is never printed
    {"delete directory", "delete_directory"},
};

const KindName& KindOf(const Step& step) {
  return kNames[static_cast<size_t>(step.kind)];
}

bool HasSource(const Step& step) {
  return step.kind != StepKind::kMakeDirectory;
}

bool HasTarget(const Step& step) { return !IsDeletion(step.kind); }

bool HasBytes(const Step& step) {
  return IsFileStep(step) && !step.by_name && !step.hides_bytes;
}

}  // namespace

bool IsFileKind(StepKind kind) {
  return kind != StepKind::kMakeDirectory &&
         kind != StepKind::kRenameDirectory && kind != StepKind::kDeleteRest &&
         kind != StepKind::kDeleteDirectory;
}

bool IsDeletion(StepKind kind) {
  return kind == StepKind::kDeleteFile || kind == StepKind::kDeleteRest ||
         kind == StepKind::kDeleteDirectory;
}

const std::string& UriOf(const Step& step) {
  return step.kind == StepKind::kMakeDirectory ? step.target.uri
                                               : step.source.uri;
}

std::string StepText(const Step& step) {
  std::string text = KindOf(step).text;
  if (HasSource(step)) text += " " + Visible(step.source.uri);
  if (HasSource(step) && HasTarget(step)) text += " ->";
  if (HasTarget(step)) text += " " + Visible(step.target.uri);
  if (HasBytes(step)) text += Format(" ({} bytes)", step.bytes);
  if (step.replaces) text += ", which replaces what is there";
  return text;
}

std::string StepEvent(const Step& step) { return KindOf(step).event; }

JsonFields StepFields(const Step& step) {
  JsonFields fields;
  if (HasSource(step)) fields.emplace_back("source", step.source.uri);
  if (HasTarget(step)) fields.emplace_back("target", step.target.uri);
  if (HasBytes(step)) fields.emplace_back("bytes", step.bytes);
  if (IsFileStep(step) && HasTarget(step)) {
    fields.emplace_back("replaces", step.replaces);
  }
  return fields;
}

absl::Status WithLocations(const Step& step, const absl::Status& status) {
  if (step.target.uri.empty() || step.source.uri.empty()) return status;
  for (const std::string& uri : {step.source.uri, step.target.uri}) {
    if (absl::StartsWith(status.message(), uri + ": ")) return status;
  }
  return {status.code(),
          Format("{} -> {}: {}", step.source.uri, step.target.uri,
                 std::string(status.message()))};
}

}  // namespace fsload
