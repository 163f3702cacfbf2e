#include "tools/files/plan/target_keys.h"

#include <utility>

#include "absl/hash/hash.h"
#include "tools/files/locations/local_location.h"

namespace fsload {
namespace {

uint64_t HashOf(std::string_view key) {
  return absl::Hash<std::string_view>()(key);
}

std::string FileOf(const Step& step) {
  return IsFileStep(step) ? step.target.uri : "";
}

}  // namespace

TargetKeys::TargetKeys(const StepList& steps) : TargetKeys(steps, &HashOf) {}

TargetKeys::TargetKeys(const StepList& steps, Fingerprint fingerprint)
    : steps_(steps), fingerprint_(std::move(fingerprint)) {}

std::optional<std::string> TargetKeys::FileAt(const std::string& key) const {
  const auto other = others_.find(key);
  if (other != others_.end()) return other->second;
  const auto doubled = doubled_.find(key);
  if (doubled != doubled_.end()) return FileOf(steps_[doubled->second]);
  const auto number = numbers_.find(fingerprint_(key));
  if (number == numbers_.end()) return std::nullopt;
  const Step step = steps_[number->second];
  if (KeyOf(step.target) != key) return std::nullopt;
  return FileOf(step);
}

void TargetKeys::AddNext(const std::string& key) {
  const auto number = static_cast<uint32_t>(steps_.size());
  if (!numbers_.emplace(fingerprint_(key), number).second) {
    doubled_.emplace(key, number);
  }
}

void TargetKeys::AddWithoutStep(const std::string& key,
                                const std::string& file) {
  others_.emplace(key, file);
}

}  // namespace fsload
