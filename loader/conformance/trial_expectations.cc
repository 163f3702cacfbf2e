#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_join.h"
#include "loader/conformance/trial.h"
#include "loader/conformance/trial_text.h"
#include "third_party/fmt/format.h"

namespace fsload::conformance {

void Trial::HasContents(std::string_view name, std::string_view contents) {
  const auto file = setting_.whole.Open(Uri(name));
  if (absl::IsUnimplemented(file.status())) return;
  // One byte more, so that a longer file is noticed.
  const auto found = ReadFrom(file, contents.size() + 1);
  if (!found.ok()) {
    Expect(false, Format("reading {} -> {}; expected {}", Quoted(name),
                         Text(found.status()), Quoted(contents)));
    return;
  }
  if (*found == contents) return;
  constexpr size_t kShort = 60;
  const bool shown = found->size() <= kShort && contents.size() <= kShort;
  Expect(false,
         Format("{} contains {}{}; expected {}", Quoted(name), Quoted(*found),
                shown ? "" : Difference(*found, contents), Quoted(contents)));
}

void Trial::HasNames(std::string_view name, Names names) {
  auto found = setting_.whole.GetChildren(Uri(name));
  if (absl::IsUnimplemented(found.status())) return;
  if (found.ok()) {
    std::sort(found->begin(), found->end());
    for (std::string& each : *found) {
      while (each.size() > 1 && each.back() == '/') each.pop_back();
    }
  }
  std::sort(names.begin(), names.end());
  if (found.ok() && *found == names) return;
  Expect(false,
         Format("get_children({}) -> {}; expected {}", Quoted(name),
                found.ok() ? Text(*found) : Text(found.status()), Text(names)));
}

void Trial::HasNoFile(std::string_view name) {
  const absl::Status status = setting_.whole.PathExists(Uri(name));
  if (absl::IsUnimplemented(status)) return;
  Expect(absl::IsNotFound(status) || absl::IsFailedPrecondition(status),
         Format("path_exists({}) -> {}; expected NOT_FOUND", Quoted(name),
                Text(status)));
}

bool Trial::Ok(const absl::Status& status) {
  return status.ok() || Expect(false, LastCall() + "; expected OK");
}

bool Trial::Fails(const absl::Status& status,
                  std::initializer_list<absl::StatusCode> codes) {
  if (std::find(codes.begin(), codes.end(), status.code()) != codes.end()) {
    return true;
  }
  std::vector<std::string> names;
  for (const absl::StatusCode code : codes) names.push_back(CodeName(code));
  return Expect(false, Format("{}; expected {}", LastCall(),
                              absl::StrJoin(names, " or ")));
}

bool Trial::Yields(const absl::StatusOr<std::string>& result,
                   std::string_view expected) {
  if (result.ok() && *result == expected) return true;
  constexpr size_t kShort = 60;
  const std::string found = result.ok() && result->size() > kShort
                                ? Difference(*result, expected)
                                : "";
  return Expect(
      false, Format("{}{}; expected {}", LastCall(), found, Quoted(expected)));
}

bool Trial::Yields(const absl::StatusOr<Names>& result, const Names& expected) {
  if (result.ok() && *result == expected) return true;
  return Expect(false, Format("{}; expected {}", LastCall(), Text(expected)));
}

bool Trial::Yields(const absl::StatusOr<int64_t>& result, int64_t expected) {
  if (result.ok() && *result == expected) return true;
  return Expect(false, Format("{}; expected {}", LastCall(), expected));
}

bool Trial::Yields(const absl::StatusOr<bool>& result, bool expected) {
  if (result.ok() && *result == expected) return true;
  return Expect(false, Format("{}; expected {}", LastCall(), expected));
}

}  // namespace fsload::conformance
