#include "core/replay/shapes.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "third_party/fmt/format.h"

namespace fsload {
namespace {

bool IsOfKind(const JournalArgument& argument, char kind) {
  return std::holds_alternative<uint64_t>(argument) == (kind == 'n');
}

bool ArgumentsFit(const JournalCall& call, std::string_view kinds) {
  const auto& found = call.arguments;
  if (!kinds.empty() && kinds.back() == '*') {
    const char kind = kinds.front();
    return std::all_of(found.begin(), found.end(),
                       [&](const auto& each) { return IsOfKind(each, kind); });
  }
  return std::equal(found.begin(), found.end(), kinds.begin(), kinds.end(),
                    &IsOfKind);
}

// Texts become strings that end at a null byte.
bool HaveNullBytes(const std::vector<std::string>& texts) {
  return std::any_of(texts.begin(), texts.end(), [](const std::string& text) {
    return text.find('\0') != std::string::npos;
  });
}

// The number of values of an answer that is OK.
size_t ValuesOf(const JournalCall& call) {
  const size_t least = ShapeOf(call.op).values;
  return call.op == Op::kFilesystem_paths_exist ? least + call.arguments.size()
                                                : least;
}

std::string Problem(const JournalCall& call) {
  const Shape& shape = ShapeOf(call.op);
  if (!ArgumentsFit(call, shape.arguments)) {
    return "its arguments are not those of the operation";
  }
  if (call.code == TF_OK && call.values.size() != ValuesOf(call)) {
    return Format("wanted {} values, found {}", ValuesOf(call),
                  call.values.size());
  }
  if (!shape.has_texts && !call.texts.empty()) return "it has texts";
  if (HaveNullBytes(call.texts)) return "a text contains a null byte";
  if (call.op == Op::kFilesystem_paths_exist && !call.texts.empty() &&
      call.texts.size() != call.arguments.size()) {
    return Format("wanted {} texts, found {}", call.arguments.size(),
                  call.texts.size());
  }
  if (!shape.has_bytes && !call.bytes.empty()) return "it has bytes";
  if (call.op == Op::kRandomAccessFile_read &&
      call.bytes.size() > std::get<uint64_t>(call.arguments[2])) {
    return "it has more bytes than were read";
  }
  return "";
}

}  // namespace

absl::Status CheckShape(const JournalCall& call) {
  const std::string problem = Problem(call);
  if (problem.empty()) return absl::OkStatus();
  return InvalidArgumentError("the call of {} is damaged: {}",
                              FullName(call.op), problem);
}

}  // namespace fsload
