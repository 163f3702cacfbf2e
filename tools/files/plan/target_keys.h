// The targets of a plan, to find those that two sources have in common.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "absl/container/flat_hash_map.h"
#include "tools/files/plan/step_list.h"

namespace fsload {

// Knows the targets of a list of steps by KeyOf. Keeps only 64 bits of each key
// and asks the step for the rest. One thread at a time.
class TargetKeys final {
 public:
  using Fingerprint = std::function<uint64_t(std::string_view key)>;

  // Uses `steps`, which must outlive it, and must only grow. Two keys may have
  // one fingerprint.
  explicit TargetKeys(const StepList& steps);
  TargetKeys(const StepList& steps, Fingerprint fingerprint);

  bool Has(const std::string& key) const { return FileAt(key).has_value(); }

  // Returns the URI of the file that is to be at `key`; "" for a directory, and
  // none if nothing is.
  std::optional<std::string> FileAt(const std::string& key) const;

  // Adds a key that is new: of the step that will be added next, or of a file
  // (a directory: "") for which there is no step.
  void AddNext(const std::string& key);
  void AddWithoutStep(const std::string& key, const std::string& file);

 private:
  const StepList& steps_;
  const Fingerprint fingerprint_;
  absl::flat_hash_map<uint64_t, uint32_t> numbers_;  // of steps
  absl::flat_hash_map<std::string, std::string> others_;

  // Steps whose keys have the fingerprint of another one.
  absl::flat_hash_map<std::string, uint32_t> doubled_;
};

}  // namespace fsload
